"""Makes a text shorter that was too long to be spoken in its place."""

import re

from infra.providers.rehearsal.lexicon import is_unspaced


def shortened(text: str, share: float) -> str:
    """Return about this share of a text, cut where a sentence or a phrase ends."""
    room = max(1, int(len(text) * max(0.1, min(share, 1.0))))
    if len(text) <= room:
        return text
    cut, stop = text[:room], "。" if is_unspaced(text) else "."
    for ends in (r"[.!?。！？]", r"[,;:，、；：–]"):
        places = [match.end() for match in re.finditer(ends, cut)]
        if places and places[-1] * 3 > room:
            return cut[: places[-1]].rstrip(" ,;:，、；：–") + ("" if ends[1] == "." else stop)
    if not is_unspaced(text):
        cut = cut.rpartition(" ")[0] or cut
    return cut.rstrip(" ,;:，、；：–") + stop
