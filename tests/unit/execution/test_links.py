"""Which addresses in a text are links to what is here."""

from uuid import UUID

import pytest

from execution.links import Link, links_in, without

ONE = UUID("01a22871-16ea-76c5-9886-b684608d3340")
OTHER = UUID("01a22871-16ea-76c5-9886-b684608d3341")
HERE = ["127.0.0.1:8321", "https://atelier.example"]

FOUND = {
    f"http://127.0.0.1:8321/#/tasks/{ONE}": ("task", ONE),
    f"please look at http://localhost:8321/#/tasks/{ONE}.": ("task", ONE),
    f"<http://[::1]:8321/?task={ONE}>": ("task", ONE),
    f"(http://127.0.0.1:8321/#task={ONE})": ("task", ONE),
    f"http://127.0.0.1:8321/#approval={ONE}, bitte": ("approval", ONE),
    f"http://127.0.0.1:8321/#object={ONE}": ("object", ONE),
    f"这个：http://127.0.0.1:8321/#/tasks/{ONE}，谢谢": ("task", ONE),
    f"「http://127.0.0.1:8321/#/tasks/{ONE}」": ("task", ONE),
    f"HTTP://127.0.0.1:8321/#/tasks/{str(ONE).upper()}!": ("task", ONE),
    f"https://atelier.example/#/questions/{ONE}": ("approval", ONE),
    f"https://atelier.example:443/v1/approvals/{ONE}": ("approval", ONE),
    f"http://127.0.0.1:8321/v1/objects/{ONE}/content?version=2": ("object", ONE),
    f"http://127.0.0.1:8321/#/tasks/{ONE}/objects/{OTHER}": ("object", OTHER),
    f"http://127.0.0.1:8321/v1/tasks/{ONE}/objects": ("task", ONE),
    "http://127.0.0.1:8321/#/tasks/01a22871": ("task", None),
    f"http://127.0.0.1:8321/#/tasks/{ONE}0": ("task", None),
}


@pytest.mark.parametrize("text", FOUND)
def test_an_address_of_this_installation_names_a_thing(text: str) -> None:
    kind, identity = FOUND[text]
    assert links_in(text, HERE) == [Link(kind=kind, identity=identity)]  # pyright: ignore[reportArgumentType]


NOT_OURS = [
    f"https://example.com/#/tasks/{ONE}",
    f"http://127.0.0.1:9999/#/tasks/{ONE}",
    f"http://127.0.0.1:8321@example.com/#/tasks/{ONE}",
    f"http://127.0.0.1:8321.example.com/#/tasks/{ONE}",
    f"http://example.com/?to=http://127.0.0.1:8321/#/tasks/{ONE}",
    f"https://atelier.example:8443/#/tasks/{ONE}",
    "http://127.0.0.1:8321/",
    "http://127.0.0.1:8321/#/settings",
    f"http://127.0.0.1:8321/#/multitasks/{ONE}",
    f"http://127.0.0.1:99999999/#/tasks/{ONE}",
    f"http://[::1/#/tasks/{ONE}",
    f"tasks/{ONE}",
    str(ONE),
    "",
]


@pytest.mark.parametrize("text", NOT_OURS)
def test_any_other_address_is_only_a_word(text: str) -> None:
    assert links_in(text, HERE) == []


def test_each_thing_is_named_once_and_not_more_than_a_few() -> None:
    text = " ".join(f"http://localhost:8321/#/tasks/{each}" for each in (ONE, OTHER, ONE))
    assert [link.identity for link in links_in(text, HERE)] == [ONE, OTHER]
    many = " ".join(f"http://localhost:8321/#/tasks/{UUID(int=n)}" for n in range(50))
    assert len(links_in(many, HERE)) == 10


def test_a_title_is_made_without_addresses_unless_there_is_nothing_else() -> None:
    assert without(f"bluer  http://127.0.0.1:8321/#/tasks/{ONE} please") == "bluer please"
    assert without("http://127.0.0.1:8321/") == "http://127.0.0.1:8321/"
