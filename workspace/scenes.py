"""The scenes of a script, where they can be recognised, and a print of each.

A scene begins with a heading or a bold line that counts it: `## Shot 3`, `**Scene 3**`, `### 3.`.
They are recognised only when they are counted 1, 2, 3 and so on; else a text is one whole. What
stands before the first scene is of none.
"""

import hashlib
import re

_HEADING = re.compile(r"^\s*(?:#{1,6}\s*|\*\*\s*)\D{0,24}?(\d{1,3})(?!\d)")
_PRINT_CHARACTERS = 16


def scenes(text: str) -> dict[int, str]:
    """Return the text of each scene by its number, heading and all; empty if there are none."""
    found: list[tuple[int, list[str]]] = []
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading is not None and int(heading.group(1)) == len(found) + 1:
            found.append((len(found) + 1, []))
        if found:
            found[-1][1].append(line.strip())
    if len(found) < 2:  # noqa: PLR2004 - one scene is the whole text
        return {}
    return {number: "\n".join(line for line in lines if line) for number, lines in found}


def meta(text: str) -> dict[str, dict[str, str]]:
    """Return what is kept with a text: the prints of its scenes, if it has any."""
    found = prints(text)
    return {"scenes": found} if found else {}


def prints(text: str) -> dict[str, str]:
    """Return a print of each scene by its number: equal prints mean equal words."""
    return {
        str(number): hashlib.sha256(scene.encode()).hexdigest()[:_PRINT_CHARACTERS]
        for number, scene in scenes(text).items()
    }
