"""How many and how long: what a text says about numbers of pictures, lengths and their changes."""

import re

from infra.providers.rehearsal import measures
from infra.providers.rehearsal.lexicon import CLAUSE_END, has, is_unspaced, pattern, spans


def count(folded: str, *, is_contrast: bool) -> int | None:
    """Return how many pictures are asked for.

    Args:
        folded: what was said, without numbers that are given up.
        is_contrast: whether there were any; then a clause may name the number alone.
    """
    found = (
        measures.counts(folded, "kinds.image")
        or measures.counts(folded, "kinds.model3d")
        or measures.counts(folded, "shape.variants")
        or measures.sheets(folded)
        or measures.alone(folded)
    )
    if not found and is_contrast:
        clauses = [measures.alone(clause) for clause in CLAUSE_END.split(folded)]
        found = next((one for one in clauses if one), clauses[0])
    if not found or (round(found[0].value) == 1 and has("shape.series", folded)):
        return None
    return round(found[0].value)


def times(folded: str) -> tuple[float | None, float, float, float | None]:
    """Return the length, a change of it in seconds, a factor, and the length of one shot."""
    total, delta, per_shot = None, 0.0, None
    shorter, longer = has("change.shorter", folded), has("change.longer", folded)
    for one in measures.lengths(folded):
        after, before = folded[one.end : one.end + 24], folded[: one.start]
        if pattern("unit.each").match(after.lstrip()) or _each_before(before):
            per_shot = one.value
        elif _is_by(before, after, shorter=shorter, longer=longer):
            delta = -one.value if shorter else one.value
        else:
            total = one.value
    factor = 1.0
    if total is None and not delta:
        factor = _factor(folded, shorter=shorter, longer=longer)
    return total, delta, factor, per_shot


def _each_before(before: str) -> bool:
    return (
        re.search(
            r"(?:each|every|jede|cada|chaque|ogni|마다|每个镜头|每个)\W*\w*\W*$", before[-30:]
        )
        is not None
    )


def _is_by(before: str, after: str, *, shorter: bool, longer: bool) -> bool:
    """Whether a length says by how much (`10 seconds shorter`, `longer by 5`), not how long."""
    if not (shorter or longer):
        return False
    change = pattern("change.shorter", "change.longer").pattern
    if re.search(rf"{change}\s*(?:(?:by|um|de|di|por|en|em)\s+|再?)$", before) and (
        is_unspaced(before) or not before.rstrip().endswith(",")
    ):
        small = re.search(r"\s(?:by|um|de|di|por|en|em)\s+$", before)
        return small is not None or is_unspaced(before)
    near = after.lstrip(" 더より")
    return any(
        (match := pattern(name).match(near)) is not None and match.start() == 0
        for name in ("change.shorter", "change.longer")
    )


def _factor(folded: str, *, shorter: bool, longer: bool) -> float:
    if has("change.half", folded):
        return 0.5
    if has("change.double", folded):
        return 2.0
    if shorter and not _is_of_texts(folded):
        return 0.7
    return 1.4 if longer else 1.0


def _is_of_texts(folded: str) -> bool:
    """`shorter sentences` is about words, not about the film's length."""
    return (
        re.search(r"\b(?:sentences|satze|texte|frases|phrases|frasi|titles|titel)\b", folded)
        is not None
    )


def shots_factor(folded: str) -> float:
    """Return by how much more or fewer shots there are to be; 1 if nothing is said."""
    for name, factor in (("change.fewer", 0.6), ("change.more", 1.5)):
        for span in spans(name, folded):
            near = folded[span.end : span.end + 16]
            if pattern("unit.shot").match(near.lstrip(" \t的の")):
                return factor
        if is_unspaced(folded) and has("unit.shot", folded) and has(name, folded):
            return factor
    return 1.0
