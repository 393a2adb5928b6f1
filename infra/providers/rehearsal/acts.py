"""What a message does: asks, wishes for a change, corrects, deletes, or only talks.

These are acts of speech, told by the grammar of nine languages; what the message is about is of no
matter here.
"""

import re
from functools import cache

from infra.providers.rehearsal.lexicon import (
    EDGE,
    LETTER,
    alternatives,
    blank,
    fold,
    has,
    is_unspaced,
    pattern,
)
from infra.providers.rehearsal.looks import mood_spans
from infra.providers.rehearsal.naming import determiners, quoted

_QUESTION_MARK = ("?", "？")
_SENTENCE = re.compile(r"[.!?。！？…\n]+")
_KO_ASKS = re.compile(
    r"(?:[까니냐나죠지]|나요|가요|은가|는가|어요|에요|예요|대요|해요|돼요|있어|했어|됐어|야|어|가)$"
)
_JA_ASKS = re.compile(r"(?:か|の|かな|かね|でしょうか|んですか|だっけ)$")
_MOST_LEADS = 3


def is_question(text: str) -> bool:
    """Whether a text asks for an answer, and not for something to be done."""
    folded = fold(text).strip()
    if has("ask.suggest", folded):
        return False
    if is_unspaced(folded):
        return _asks_unspaced(folded)
    start = _past_leads(folded)
    marked = folded.rstrip(' "”»)').endswith(_QUESTION_MARK)
    if pattern("ask.wh").match(start) is not None and not _is_relative(start):
        return marked or not _has_wish(start.partition(",")[2])
    if has("ask.request", folded):
        return False
    return pattern("ask.aux_sure").match(start) is not None or (marked and _is_asking(folded))


def _is_asking(folded: str) -> bool:
    """Whether what ends in a question mark asks for an answer."""
    last = _last_sentence(folded)
    begins = _past_leads(last)
    if pattern("ask.wh").match(begins) or pattern("ask.aux").match(begins):
        return True
    return pattern("ask.inside").search(last[-_ENDING:]) is not None or not _has_wish(folded)


_ENDING = 25


def _asks_unspaced(folded: str) -> bool:
    last = _last_sentence(folded).rstrip(EDGE)
    marked = folded.rstrip(' "”」』)').endswith(_QUESTION_MARK)
    inside = has("ask.inside", last)
    if has("ask.request", folded) and not (inside and marked and not _has_wish(last)):
        return False
    if marked:
        return inside or not (has("edit.verb", last) or has("verbs.make", last))
    if re.search(r"[가-힣]", last):
        return inside and _KO_ASKS.search(last) is not None and not has("edit.verb", last)
    if re.search(r"[\u3040-\u30ff]", last):
        is_asking = _JA_ASKS.search(last) is not None
        return is_asking and not has("edit.verb", last) and not has("verbs.make", last)
    wished = has("edit.verb", last) or has("verbs.make", last) or has("verbs.draw", last)
    return inside and not wished


def _past_leads(folded: str) -> str:
    rest = folded.lstrip(EDGE)
    lead = re.compile(rf"{pattern('ask.lead').pattern}[\s,:;.!\-–—…]*")
    for _ in range(_MOST_LEADS):
        match = lead.match(rest)
        if match is None or not rest[match.end() :]:
            break
        if pattern("ask.wh").match(rest) is not None:
            break
        rest = rest[match.end() :]
    return rest.lstrip(EDGE)


_RELATIVE = re.compile(
    r"(?:what (?:i|we|you|it) (?:want|need|would|d|had|mean|meant|really|could)|what a\b"
    r"|how (?:nice|lovely|beautiful|great|wonderful)|when (?:you|it|the|we|i|she|he|they)\b"
    r"|where (?:the|it|he|she|you)\b|who (?:the|is)\b(?!.*\?)|was (?:ich|wir|mir|fur)\b"
    r"|wie (?:schon|toll|besprochen|gesagt|gehabt|immer|vorhin|in|im|bei|beim)|wenn\b"
    r"|wo (?:der|die|das)\b|quand (?:il|elle|on|tu|vous|le|la)\b|quel (?:beau|joli|bonheur)"
    r"|quelle (?:belle|jolie|merveille)|cuando (?:el|la|se|sale|acabe|termine)"
    r"|donde (?:el|la|dice|pone|sale)|quando (?:o|a|il|la|si)\b(?!.*\?)|dove (?:il|la|dice)"
    r"|onde (?:o|a|diz)|como (?:o|a|el|la) |come (?:il|la|quello|prima))"
)


def _is_relative(start: str) -> bool:
    """Whether such a word only begins a clause or a cry: `what I want is …`, `how lovely`."""
    return _RELATIVE.match(start) is not None


def _has_wish(folded: str) -> bool:
    """Whether a text says what should be done or be otherwise."""
    named = any(has(name, folded) for name in ("edit.verb", "verbs.make", "verbs.draw"))
    return named or has("change.instead", folded)


def _last_sentence(folded: str) -> str:
    pieces = [one.strip() for one in _SENTENCE.split(folded) if one.strip(EDGE)]
    return pieces[-1] if pieces else folded


def is_chat(text: str) -> bool:
    """Whether a text thanks, praises or greets and says nothing else that could be a wish."""
    folded = blank(fold(text), [*quoted(text)])
    known = [f"chat.{name}" for name in ("thanks", "praise", "greeting", "bye")]
    if has("chat.dislike", folded) or has("ask.suggest", folded):
        return False
    if not any(has(name, folded) for name in (*known, "chat_more.reward")):
        return False
    if any(has(name, folded) for name in ("edit.verb", "edit.return", "edit.correction")):
        return _is_small(folded, known)
    wishes = (
        "act.wish",
        "refer.same",
        "verbs.make",
        "verbs.draw",
        "verbs.write",
        "edit.fault",
        "change.with_thing",
    )
    rest = pattern(*known, "chat_more.reward", "spec.polite").sub(" ", folded)
    return not any(has(name, rest) for name in wishes) or _is_small(folded, known)


def _is_small(folded: str, known: list[str]) -> bool:
    """Whether nothing of weight is left besides such words."""
    rest = pattern(*known, "chat_more.reward", "spec.polite", "chat.filler").sub(" ", folded)
    return not re.sub(r"[\W\d_]+", "", rest)


def is_garbled(text: str) -> bool:
    """Whether a text has no word in it: letters struck at random, one sign again and again."""
    folded = fold(text)
    letters = [sign for sign in folded if sign.isalpha()]
    if not letters:
        return True
    if all("\u3131" <= sign <= "\u318e" for sign in letters):
        return True
    if is_unspaced(folded):
        rest = [
            one for one in letters if one not in "啊嗯哦呃额呵哈嘿あうおえんーっㅋㅎㅠㅜㄱㄴ하흐"
        ]
        return len(letters) > 2 and not rest  # noqa: PLR2004 - `嗯` alone is a word
    found = re.findall(f"[{LETTER}]+", folded)
    return all(_is_noise(word) for word in found)


_NOISE = re.compile(
    r"[^aeiouyœæø]{4,}|(.)\1{2,}|[qwxz][^aeiouy][^aeiouy]|(?:asd|sdf|dfg|fgh|ghj|jkl|qwe|wer|rtz|ert|zxc|yxc|xcv)"
)


def _is_noise(word: str) -> bool:
    vowels = re.search(r"[aeiouyœæø]", word)
    return (len(word) > 1 and vowels is None) or _NOISE.search(word) is not None


def is_consent(text: str) -> bool:
    """Whether a text only agrees: `ok, do it`; an approval is given on its card alone."""
    folded = fold(text)
    if not has("act.consent", folded):
        return False
    rest = pattern("act.consent", "act.consent_filler", "chat.agree", "chat.thanks").sub(
        " ", folded
    )
    return not re.sub(r"[\W_]+", "", rest)


def gives_up(text: str) -> bool:
    """Whether a text takes a wish back or stops it as a whole: `never mind`, `halt, stop that`."""
    folded = fold(text)
    if not any(has(name, folded) for name in ("act.give_up", "chat.control", "chat.halt")):
        return False
    names = ("act.give_up", "act.consent_filler", "chat.filler", "chat.control", "chat.halt")
    small = ("chat.wait", "spec.polite", "chat.refuse", "chat.agree", "chat.thanks")
    rest = pattern(*names, *small, "act.all", "refer.demonstrative", "refer.pronoun").sub(
        " ", folded
    )
    return len(re.sub(r"[\W_]+", "", rest)) <= _LITTLE


_LITTLE = 3


@cache
def _one_about() -> re.Pattern[str]:
    one, about = (pattern(f"refer.{name}").pattern for name in ("one_more", "about"))
    unspaced = (
        r"(?:再|另外?|也)?(?:来|做|拍|画|写|要)\s*[一两三](?:部|个|张|首|篇|段)(?:关于|讲|介绍|给)"
        r"|についての(?:も|を)(?:もう)?(?:一|1)|에 (?:대한|관한) (?:것|거)(?:도)? (?:하나|한)"
    )
    return re.compile(rf"{one}\s+{about}\s|{unspaced}")


def wants_one_more(folded: str) -> bool:
    """Whether a work of a kind that was spoken of is wanted on another subject: `one about …`."""
    if _one_about().search(folded) is None:
        return False
    return has("act.wish", folded) or has("verbs.make", folded) or has("act.next", folded)


def begins_with_length(folded: str) -> bool:
    """Whether a text begins with so many seconds or minutes of something: `a 60-second …`."""
    named = pattern("unit.second", "unit.minute", "unit.half_minute").search(folded[:_BEGINNING])
    if named is None or has("edit.verb", folded):
        return False
    before = folded[: named.start()].strip()
    rest = folded[named.end() :].strip(EDGE)
    return bool(rest) and re.fullmatch(r"(?:\w+\s){0,2}[\w\-]*", before) is not None


_BEGINNING = 30


def has_known_object(rest: str, language: str) -> bool:
    """Whether a verb is followed by a pronoun or a definite thing: `paint`, then `it blue`."""
    known = determiners("known", language).pattern
    pronoun = alternatives("it|them|him|her|es|ihn|ihm|ihr|lui|leur|le|la|les|lo|los|gli")
    return (
        re.match(rf"[\s\-]*(?:(?:bitte|please|mal|doch)\s+)?(?:{known}|{pronoun})(?![\w])", rest)
        is not None
    )


def deletes(folded: str) -> bool:
    """Whether a text asks for something to be thrown away."""
    return has("chat.delete", folded) or has("act.delete", folded)


def deletes_part(folded: str) -> bool:
    """Whether only a part of a work is to go: `the last page`, `the text at the bottom`."""
    names = [f"part.{name}" for name in ("film", "voice", "music", "image", "text")]
    return any(has(name, folded) for name in names) or has("unit.shot", folded)


def is_complaint_or_wish(text: str) -> bool:
    """Whether a text says that something there should be otherwise."""
    folded = pattern("act.self").sub(" ", blank(fold(text), [*quoted(text)]))
    names = (
        "ask.suggest",
        "chat.dislike",
        "edit.verb",
        "edit.fault",
        "edit.seems",
        "edit.needless",
        "edit.enough",
        "edit.correction",
        "edit.return",
        "refer.same",
    )
    if any(has(name, folded) for name in names) or _is_compared(folded):
        return True
    if re.match(rf"\W*{pattern('act.going_on').pattern}(?:\s|(?<=[\u3040-\u9fff]))", folded):
        return True
    return bool(mood_spans(folded)) and len(folded.split()) <= _FEW and not _exclaims(folded)


_FEW = 6
_COMPARED = re.compile(
    r"\b(?:bit|little|slightly|much|far|even|be|it|them|him|her|everything|look|sound|and|etwas|bisschen"
    r"|wenig|noch|viel|deutlich|alles|es|ihn|sie|ruhig|bitte|sein|und|more)\s+[a-z]{2,}(?:er|ier)\b"
)


def _is_compared(folded: str) -> bool:
    """Whether an adjective is in its comparative: `a bit brighter`, `etwas kräftiger`."""
    if is_unspaced(folded):
        return False
    return has("change.comparative", folded) or _COMPARED.search(folded) is not None


def only_tells(folded: str) -> bool:
    """Whether a length or a mood is only told of: `back in ten minutes`, `how funny!`."""
    return has("ask.later", folded) or (len(folded.split()) <= _FEW and _exclaims(folded))


def _exclaims(folded: str) -> bool:
    return pattern("act.exclaims").match(folded.lstrip(EDGE)) is not None


@cache
def _scene() -> re.Pattern[str]:
    """Somebody or something that does something: `a cat riding a bicycle`."""
    article = alternatives(
        "a|an|ein|eine|einen|einem|einer|un|una|une|uno|um|uma|two|three|zwei|drei|dos|tres|deux"
        "|trois|due|tre|dois|duas"
    )
    ending = "ing|ando|endo|indo|iendo|yendo|ant|end|ende|ender|endes|enden|endem|nd"
    doing = rf"[{LETTER}]{{2,}}(?:{ending})"
    relative = alternatives("who|that|which|qui|que|che|der|die|das")
    return re.compile(
        rf"^\W*{article}\s+(?:[{LETTER}]+,?\s+){{1,5}}?(?:en\s+)?(?:{doing}(?![{LETTER}])|{relative}\s+[{LETTER}]+)"
    )


def is_scene(text: str) -> bool:
    """Whether a text is nothing but a scene that could be painted."""
    folded = fold(text).strip()
    if has("edit.fault", folded) and not is_unspaced(folded):
        return False
    return _scene().match(folded) is not None
