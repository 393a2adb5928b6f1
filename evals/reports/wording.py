"""Numbers and spans as people read them, and foreign text made harmless for where it is shown.

Text in a record may hold anything: terminal sequences, characters that XML forbids, Markdown.
"""

import re

_FORBIDDEN = re.compile(
    # C0 but tab and newline, C1, halves of surrogate pairs, the two that are no characters
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"
)
# They would turn round what stands beside a text where nothing isolates it.
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_MARKDOWN = re.compile(r"[\\`*_\[\]<>#!|~@$&]|:(?=//)")
_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))

MISSING = "–"


def clean(text: str) -> str:
    """Return a text without what a terminal would obey and XML refuses."""
    return _FORBIDDEN.sub("\ufffd", text.replace("\r\n", "\n"))


def one_line(text: str, *, longest: int = 300) -> str:
    """Return a text as one line of at most so many characters, in its natural direction."""
    words = " ".join(_DIRECTIONS.sub("", clean(text)).split())
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}…"


def markdown(text: str, *, longest: int = 300) -> str:
    """Return a text so that Markdown shows it as it is: no links, mentions, tags or cells."""
    return _MARKDOWN.sub(lambda match: f"&#{ord(match.group())};", one_line(text, longest=longest))


def span(seconds: float) -> str:
    """Return a span of time with its two largest units: `6 d 23 h`, `1 min 5 s`, `0.4 s`."""
    if seconds < 10:  # noqa: PLR2004
        return f"{round(seconds, 1):g} s"
    left = round(seconds)
    parts: list[str] = []
    for size, unit in _UNITS:
        count, left = divmod(left, size)
        if count or parts:
            parts.append(f"{count} {unit}" if count else "")
        if len(parts) == 2:  # noqa: PLR2004
            break
    return " ".join(part for part in parts if part)


def number(value: float | None) -> str:
    """Return a number without needless digits."""
    if value is None:
        return MISSING
    return f"{value:.0f}" if value == int(value) else f"{value:.3g}"


def share(value: float | None) -> str:
    """Return a share of one as per cent."""
    return MISSING if value is None else f"{value:.1%}".replace(".0%", "%")


def delta(before: float | None, after: float | None, *, is_share: bool = False) -> str:
    """Return what has changed, with its sign; nothing where nothing has."""
    if before is None or after is None or before == after:
        return ""
    sign = "+" if after > before else "−"  # noqa: RUF001
    change = abs(after - before)
    return f"{sign}{share(change).removesuffix('%')} pp" if is_share else f"{sign}{number(change)}"


def plural(count: int, one: str, many: str) -> str:
    """Return a count with its noun."""
    return f"{count} {one if count == 1 else many}"
