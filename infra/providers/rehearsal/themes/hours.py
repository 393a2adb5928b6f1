"""The hour at which a film plays, where its brief names one, and what cannot be seen then."""

import re

from infra.providers.rehearsal.script_types import Brief
from infra.providers.rehearsal.themes.beats import LANGUAGES, Beat

_ASKED = {
    "dawn": (
        (
            r"dawn|daybreak|sunrise|first light|morgengrauen|morgendämmerung|sonnenaufgang|tagesanbruch|"
            r"amanecer|alba|aube|aurore|lever du (?:jour|soleil)|amanhecer|nascer do sol|madrugada"
        ),
        r"새벽|일출|해돋이|동틀|黎明|日出|拂晓|夜明け|日の出|明け方",
    ),
    "morning": (
        (
            r"morning|am morgen|morgens|(?:la|una|cada) mañana|(?:le|un|au|du) matin|(?:la|una|di) mattina|"
            r"mattino|manhã"
        ),
        r"아침|早晨|清晨|早上|(?<![今毎])朝",
    ),
    "dusk": (
        (
            r"dusk|twilight|sunset|evening|sonnenuntergang|abenddämmerung|abends?|atardecer|anochecer|"
            r"crépuscule|coucher du soleil|(?:le|un|du) soir|tramonto|(?:la|una|di) sera|pôr do sol|"
            r"entardecer|anoitecer"
        ),
        r"노을|황혼|저녁|해질|黄昏|日落|傍晚|夕暮れ|夕焼け|夕方",
    ),
    "night": (
        r"night|midnight|\w*nachts?|mitternacht|noche|medianoche|nuit|minuit|notte|mezzanotte|noite",
        r"(?<![가-힣])밤(?![가-힣]*나무)|한밤|夜(?!明)|晚上",
    ),
}
_ALSO = {"dawn": {"morning"}, "morning": {"dawn"}, "dusk": set[str](), "night": set[str]()}
_SEEN = {
    "dawn": r"dawn|sunrise|sun rising",
    "morning": r"morning",
    "midday": r"noon|midday|daylight|afternoon",
    "dusk": r"dusk|sunset|evening",
    "night": r"night|midnight|moon|moonlight|stars?|starry|in the dark",
}
_TOLD = {
    "dawn": r"\b(?:dawn|sunrise|morgengrauen|amanecer|aube|alba|amanhecer)\b|새벽|黎明|夜明け",
    "morning": r"\b(?:mornings?|breakfast|am morgen|por la mañana|matin|mattin[ao]|manhã)\b|아침|早晨|清晨|朝",
    "midday": r"\b(?:noon|midday|afternoon|mittags?|nachmittag|mediodía|midi|mezzogiorno|meio-dia)\b|"
    r"정오|한낮|오후|中午|正午|昼|午後",
    "dusk": r"\b(?:dusk|sunset|evenings?|abends?|atardecer|anochece|soirs?|crépuscule|sera|tramonto|"
    r"entardecer)\b|노을|저녁|黄昏|傍晚|夕",
    "night": r"\b(?:nights?|dark|moon|nachts?|mond|dunkel\w*|noches?|luna|nuits?|lune|notte|buio|noite|lua)"
    r"\b|밤|어두워|달빛|夜|晚上|月亮|月が|月の",
}


def asked_hour(brief: Brief) -> str | None:
    """Return the one hour that the brief names, None if it names none or several."""
    text = f"{brief.subject}\n{brief.words}"
    found = [
        hour
        for hour, (spaced, unspaced) in _ASKED.items()
        if re.search(rf"\b(?:{spaced})\b|{unspaced}", text, re.IGNORECASE)
    ]
    if found[:2] == ["dawn", "morning"]:
        found.pop(1)
    return found[0] if len(found) == 1 else None


def plays_at(beat: Beat, hour: str) -> bool:
    """Whether neither the picture nor the words of a beat belong to another hour."""
    others = [name for name in _SEEN if name != hour and name not in _ALSO[hour]]
    if hour == "night" and re.search(r"\bsun(?:ny)?\b", beat.picture):
        return False
    words = " ".join("".join(beat.segments(language)) for language in LANGUAGES)
    return not any(
        re.search(rf"\b(?:{_SEEN[name]})\b", beat.picture)
        or re.search(_TOLD[name], words, re.IGNORECASE)
        for name in others
    )
