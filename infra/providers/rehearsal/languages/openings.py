"""Set phrases around the subject of a film, in which the subject is never inflected.

`{s}` is the subject inside a sentence, `{S}` at its beginning. Korean particles follow the subject
as `{는}`, `{가}`, `{를}` and are chosen by its last sound.
"""

from infra.providers.rehearsal.themes.beats import Language

OPENINGS: dict[Language, tuple[str, ...]] = {
    "en": ("{S}.", "{S}, seen up close.", "{S}, without haste."),
    "de": ("{S}.", "{S}, aus der Nähe.", "{S}, ganz ohne Eile."),
    "es": ("{S}.", "{S}, de cerca.", "{S}, sin prisa."),
    "fr": ("{S}.", "{S}, de tout près.", "{S}, sans hâte."),
    "it": ("{S}.", "{S}, da vicino.", "{S}, senza fretta."),
    "pt": ("{S}.", "{S}, de perto.", "{S}, sem pressa."),
    "ko": ("{S}.", "{S}, 조금 더 가까이.", "{S}, 그 곁으로."),
    "zh": ("{S}。", "{S}，近近地看。", "{S}，不慌不忙。"),
    "ja": ("{S}。", "{S}、そのすぐそばで。", "{S}、ゆっくりと。"),
}
CLOSINGS: dict[Language, tuple[str, ...]] = {
    "en": ("{S}, nothing more.", "{S}: that is the story.", "{S}, once again."),
    "de": ("{S}, mehr nicht.", "{S}: das ist die Geschichte.", "{S}, noch einmal."),
    "es": ("{S}, nada más.", "{S}: esa es la historia.", "{S}, una vez más."),
    "fr": ("{S}, rien de plus.", "{S} : voilà l'histoire.", "{S}, encore une fois."),
    "it": ("{S}, niente di più.", "{S}: la storia è questa.", "{S}, ancora una volta."),
    "pt": ("{S}, nada mais.", "{S}: essa é a história.", "{S}, mais uma vez."),
    "ko": ("{S}, 그것으로 충분하다.", "{S}, 이야기는 여기까지.", "{S}, 다시 한번."),
    "zh": ("{S}，仅此而已。", "{S}，故事就是这样。", "{S}，再看一眼。"),
    "ja": ("{S}、それだけでいい。", "{S}、物語はここまで。", "{S}、もう一度。"),
}
