"""Guides name only what exists, are short, and take their limits from the code that holds them."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from infra.deps import Deps
from infra.providers.local.provider import LocalProvider
from infra.providers.ports import Capabilities, OperationLimits
from tests.contracts.sources import ROOT
from tools.guides.installation import NAME, installation_guide
from tools.guides.reading import guide_lines
from tools.guides.texts import Guide, written_guides
from tools.orders import STEP_KINDS
from tools.plan import MAX_FILM_SECONDS, ProposePlan
from tools.registry import TOOLS

LONGEST = 120
SHOWN_TO_THE_WORKER = {"<state>", "meant", "Characters"}
EVERY = pytest.mark.parametrize("guide", written_guides(), ids=lambda guide: guide.name)


def words_of(schema: dict[str, Any]) -> set[str]:
    """The names and choices of a tool's arguments, those of its parts too."""
    parts = [schema, *schema.get("$defs", {}).values()]
    names = {name for part in parts for name in part.get("properties", {})}
    return names | {word for part in parts for word in part.get("enum", [])}


def vocabulary() -> set[str]:
    known = {*TOOLS, *STEP_KINDS, *(guide.name for guide in written_guides()), NAME}
    for tool in TOOLS.values():
        known |= words_of(tool.arguments.model_json_schema())
    return known | SHOWN_TO_THE_WORKER


def here(*providers: Any) -> Deps:
    named = {each.name: each for each in providers}
    settings = SimpleNamespace(currency="USD")
    return cast("Deps", SimpleNamespace(providers=named, settings=settings))


@EVERY
def test_a_guide_names_only_what_exists(guide: Guide) -> None:
    named = set(re.findall(r"`([^`]+)`", guide.text))
    assert named - vocabulary() == set()
    assert named, "a guide that names nothing of ours says nothing about working here"


@EVERY
def test_a_guide_is_short_and_says_in_a_line_what_it_is_for(guide: Guide) -> None:
    lines = guide.text.splitlines()
    assert len(lines) <= LONGEST
    assert (lines[0][:2], lines[1]) == ("# ", "")
    assert guide.about.endswith(".")
    assert len(guide.about) <= 100
    assert "## Mistakes" in lines


@EVERY
def test_a_limit_that_code_holds_is_not_written_by_hand(guide: Guide) -> None:
    """One that is changed in the code would stand in the guide as it was."""
    written = (ROOT / "tools" / "guides" / f"{guide.name}.md").read_text(encoding="utf-8")
    step = ProposePlan.model_json_schema()["$defs"]["PlannedStep"]["properties"]
    held = {str(MAX_FILM_SECONDS), str(step["count"]["maximum"]), "3840"}
    assert {number for number in held if re.search(rf"\b{number}\b(?! of ten)", written)} == set()
    assert "$" not in guide.text


def test_every_guide_stands_in_the_tool_that_reads_it() -> None:
    told = TOOLS["read_guide"].description
    assert [line for line in guide_lines() if line not in told] == []
    assert len(guide_lines()) == len(written_guides()) + 1


class Elsewhere:
    """A service that makes short clips in two frames and speaks Finnish."""

    name = "elsewhere"
    capabilities = Capabilities(
        operations=frozenset({"clip", "narration"}),
        shape="job",
        correlation=frozenset(),
        webhook="none",
        cancel="none",
        policy_block_billed="unknown",
        quote="exact",
        charge="derived",
        min_poll_s=1,
        max_poll_s=1,
        result_ttl_s=None,
        languages=frozenset({"fi"}),
        limits={"clip": OperationLimits(seconds=(2, 9), frames=("16:9", "1:1"), typical_s=77)},
    )

    def quote_micros(self, operation: str, payload: dict[str, Any]) -> int:
        return 1_230_000

    def unit(self, operation: str) -> str:
        return "second"


def test_the_guide_to_this_installation_says_what_its_services_declare() -> None:
    text = installation_guide(here(Elsewhere())).text
    assert "- elsewhere: $1.23 for one second; usually 77 s" in text
    assert "2 to 9 s at once" in text
    assert "16:9, 1:1" in text
    assert "voices: fi" in text
    clip, music = text.partition("## `clip`")[2], text.partition("## `music`")[2]
    assert "voices" not in clip.partition("##")[0]
    assert music.partition("##")[0].strip().endswith("Nobody here can do it: plan no such step.")


def test_the_guide_to_this_installation_names_every_operation_there_is(tmp_path: Path) -> None:
    provider = LocalProvider(tmp_path)
    text = installation_guide(here(provider, Elsewhere())).text
    for operation in provider.capabilities.operations:
        assert f"## `{operation}`" in text
    assert "Nobody here can do it" not in text
    assert set(re.findall(r"`([^`]+)`", text)) <= vocabulary()
