"""HTML that is escaped because of how it is built: only a `Markup` is taken as markup.

A `str` put inside an element is text, whatever it holds; so what a record says cannot become an
element, an attribute or a script by being forgotten somewhere.
"""

from collections.abc import Iterable
from html import escape

from evals.reports.wording import clean

_EMPTY = frozenset({"meta", "input", "br"})

type Value = str | int | float | bool | None


class Markup(str):
    """HTML. Joining it with `+` or an f-string gives plain text again: use `join`."""

    __slots__ = ()


def tag(name: str, /, *inside: str | None, **attributes: Value) -> Markup:
    """Return an element.

    Args:
        name: Of the element.
        inside: Its content, in order; a `str` is text. None is left out.
        attributes: `class_` is `class`, `aria_label` is `aria-label`; True has no value, False and
            None are left out.
    """
    opened = f"<{name}{''.join(_attribute(*each) for each in attributes.items())}>"
    if name in _EMPTY:
        return Markup(opened)
    return Markup(f"{opened}{''.join(map(text, inside))}</{name}>")


def join(parts: Iterable[str | None]) -> Markup:
    """Return parts one after the other."""
    return Markup("".join(map(text, parts)))


def text(given: str | None) -> Markup:
    """Return what stands for a text in HTML."""
    if isinstance(given, Markup):
        return given
    return Markup(escape(clean(given or ""), quote=True))


def _attribute(name: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    called = name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {called}"
    shown = f"{value:.4g}" if isinstance(value, float) else str(value)
    return f' {called}="{text(shown)}"'
