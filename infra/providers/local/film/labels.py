"""Labels of the master: title, chapters, language.

Owns FFmpeg's metadata file and the three-letter codes that MP4 wants.
"""

from infra.media.timeline import Timeline

_CODES = (
    "af:afr ar:ara az:aze be:bel bg:bul bn:ben bs:bos ca:cat cmn:zho cs:ces cy:cym da:dan de:deu "
    "el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas fi:fin fr:fra ga:gle gl:glg he:heb hi:hin "
    "hr:hrv hu:hun hy:hye id:ind is:isl it:ita ja:jpn ka:kat kk:kaz ko:kor lt:lit lv:lav mk:mkd "
    "ms:msa mt:mlt nb:nob ne:nep nl:nld nn:nno no:nor pl:pol pt:por ro:ron ru:rus sk:slk sl:slv "
    "sq:sqi sr:srp sv:swe sw:swa ta:tam te:tel th:tha tr:tur uk:ukr ur:urd uz:uzb vi:vie yue:zho "
    "zh:zho"
)
_THREE_LETTERS = {tag: code for tag, _, code in (pair.partition(":") for pair in _CODES.split())}


def three_letters(language: str) -> str:
    """Return the ISO 639-2 code of a BCP 47 tag; `und` if it is not known."""
    base = language.replace("_", "-").partition("-")[0].lower()
    return _THREE_LETTERS.get(base, "und")


def metadata(timeline: Timeline) -> str:
    """Return FFmpeg's metadata file with the title and a chapter for each shot."""
    parts = [";FFMETADATA1", f"title={_escaped(timeline.title)}"]
    for shot in timeline.shots:
        parts += [
            "[CHAPTER]",
            "TIMEBASE=1/1000",
            f"START={round(shot.start_s * 1000)}",
            f"END={round(shot.end_s * 1000)}",
            f"title={_escaped(shot.name)}",
        ]
    return "\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    flat = " ".join(text.split())
    return "".join(f"\\{sign}" if sign in "=;#\\" else sign for sign in flat)
