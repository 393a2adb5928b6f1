# ruff: noqa: RUF001 - signs of many scripts are this module's data
"""Moods of music: which words mean which, and how each sounds.

Owns the table of characters. A mood is chosen by the words of a free text in several languages; a
text without a known word gets the documentary character, which fits most pictures.
"""

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Mood:
    """How a mood sounds; progressions are degrees of the scale, 1 being its home."""

    name: str
    tempo: float
    beats: int = 4
    scale: str = "major"
    verse: tuple[tuple[int, ...], ...]
    bridge: tuple[tuple[int, ...], ...]
    cadence: tuple[int, int] = (4, 5)
    lead: str = "felt"
    arpeggio: str = "none"
    bass: str = "long"
    drums: str = "none"
    brightness: float = 0.4
    density: float = 0.5
    room_s: float = 2.2
    sevenths: bool = False


MOODS = {
    mood.name: mood
    for mood in (
        Mood(
            name="calm",
            tempo=66,
            verse=((1, 5, 6, 4), (1, 3, 4, 1), (1, 6, 4, 5)),
            bridge=((6, 4, 1, 5), (4, 1, 2, 5)),
            lead="felt",
            arpeggio="slow",
            density=0.35,
            brightness=0.25,
            room_s=2.8,
            sevenths=True,
        ),
        Mood(
            name="warm",
            tempo=78,
            verse=((1, 4, 6, 5), (1, 3, 4, 5), (4, 1, 5, 6)),
            bridge=((6, 3, 4, 1), (2, 5, 3, 6)),
            lead="pluck",
            arpeggio="eighths",
            drums="brushes",
            density=0.5,
            brightness=0.4,
        ),
        Mood(
            name="dramatic",
            tempo=84,
            scale="minor",
            verse=((1, 6, 3, 7), (1, 4, 6, 5), (1, 7, 6, 5)),
            bridge=((6, 7, 1, 5), (4, 1, 6, 5)),
            lead="strings",
            arpeggio="ostinato",
            bass="pulse",
            drums="toms",
            density=0.45,
            brightness=0.6,
            room_s=3.0,
        ),
        Mood(
            name="playful",
            tempo=112,
            verse=((1, 6, 2, 5), (1, 4, 1, 5), (1, 2, 4, 5)),
            bridge=((4, 3, 2, 5), (6, 2, 5, 1)),
            cadence=(2, 5),
            lead="mallet",
            arpeggio="offbeat",
            bass="bounce",
            drums="snaps",
            density=0.75,
            brightness=0.55,
            room_s=1.3,
        ),
        Mood(
            name="melancholic",
            tempo=68,
            beats=3,
            scale="minor",
            verse=((1, 6, 4, 5), (1, 3, 6, 4), (1, 4, 7, 3)),
            bridge=((6, 3, 4, 1), (4, 7, 3, 6)),
            lead="felt",
            arpeggio="slow",
            density=0.45,
            brightness=0.25,
            room_s=2.8,
        ),
        Mood(
            name="energetic",
            tempo=122,
            verse=((1, 5, 6, 4), (6, 4, 1, 5), (1, 4, 6, 5)),
            bridge=((4, 5, 6, 1), (2, 4, 6, 5)),
            lead="pluck",
            arpeggio="sixteenths",
            bass="pulse",
            drums="kit",
            density=0.65,
            brightness=0.7,
            room_s=1.5,
        ),
        Mood(
            name="mysterious",
            tempo=72,
            scale="dorian",
            verse=((1, 4, 1, 7), (1, 3, 4, 2), (1, 7, 4, 1)),
            bridge=((3, 4, 7, 1), (4, 3, 2, 1)),
            cadence=(4, 7),
            lead="glass",
            arpeggio="slow",
            drums="pulse",
            density=0.35,
            brightness=0.3,
            room_s=3.4,
            sevenths=True,
        ),
        Mood(
            name="documentary",
            tempo=92,
            verse=((1, 5, 6, 4), (6, 4, 1, 5), (1, 4, 6, 5)),
            bridge=((4, 6, 5, 1), (2, 6, 4, 5)),
            lead="felt",
            arpeggio="eighths",
            drums="brushes",
            density=0.4,
            brightness=0.45,
        ),
    )
}
DEFAULT = "documentary"

_WORDS = {
    "calm": (
        "calm peace serene relax quiet gentl medit sleep ambient still slow sanft ruhig fried "
        "entspann leise tranquil sosegad relaj suave calme paisib serein doux douce apais "
        "calmo seren pacific rilass tranquill sereno suav kalm rust zacht spokoj cich łagodn "
        "спокой тих мягк умиротвор 평온 차분 고요 잔잔 편안 평화 平静 宁静 安静 舒缓 柔和 平和 "
        "寧靜 平靜 穏やか 静か 落ち着 癒 安らぎ"
    ),
    "warm": (
        "warm hope heart love romant tender nostalg cozy cosy family intimate hoffn herz liebe "
        "zärtlich gemütlich famil cálid esperanz amor tiern corazón acogedor chaleur tendre "
        "espoir amour cœur cald speranz amore tener cuore quente calor esperanç terno carinh "
        "warme liefde hoop ciepł nadziej miłoś тёпл тепл надежд любов нежн 따뜻 희망 사랑 포근 "
        "감성 로맨 温暖 希望 爱 浪漫 温馨 柔情 溫暖 暖か 温か 愛 やさし 優し ロマン"
    ),
    "dramatic": (
        "dramat epic tense suspens power heroic trailer cinemat intens grand dark battle storm "
        "episch spann düster mächtig held gewalt kraftvoll épic tens poderos intenso oscur "
        "dramát épique puissan héroï sombre potent eroic epico teso épico spannend drama "
        "dramatycz potężn epick драмат эпич напряж мощн геро 극적 웅장 긴장 강렬 비장 서사 "
        "戏剧 史诗 紧张 震撼 宏大 壮丽 戲劇 史詩 ドラマチック 壮大 緊張 迫力 劇的"
    ),
    "playful": (
        "playful fun happy funny cheer joy humor humour whims quirk child comic light-hearted "
        "lighthearted bright verspielt lustig fröhlich heiter witzig kindlich freude jug "
        "divertid alegr feliz ludiq joyeu amusant drôle enjou gai giocos allegr divertent "
        "felic brincal divert aleg vrolijk speels blij wesoł zabaw radosn игрив весёл весел "
        "радост шутлив 발랄 경쾌 유쾌 즐거 신나 귀여 행복 俏皮 欢快 活泼 轻松 快乐 有趣 歡快 "
        "楽し 明る かわい 陽気 遊び"
    ),
    "melancholic": (
        "melanchol sad sorrow grief lonel wistful bittersweet longing loss mourn traurig "
        "wehmüt einsam sehnsucht trauer abschied melanc trist nostálg soledad solitud malincon "
        "nostalgic triste saudad melancól weemoed verdriet droevig smutn tęskn грус печал "
        "меланхол тоск одинок 슬픈 슬프 우울 쓸쓸 애잔 그리움 외로 悲伤 忧郁 伤感 哀愁 孤独 "
        "惆怅 悲傷 悲し 切な 哀 寂し"
    ),
    "energetic": (
        "energ upbeat dynamic sport action drive driving fast exciting workout motivat dance "
        "techno electro pop rock dynam schnell treibend mitreißend motivier enérg dinám rápid "
        "movid énerg dynamiq rythm entraîn dinamic veloce ritm energic enérgic animad snel "
        "opzwepend energicz szybk энерг динам быстр бодр ритм 활기 에너지 역동 빠른 신나는 "
        "동기 动感 激昂 有力 活力 节奏 快节奏 動感 激動 元気 躍動 アップテンポ 疾走"
    ),
    "mysterious": (
        "myster enigma eerie magic dream space ethereal otherworld surreal spooky curious "
        "wonder geheimnis rätsel mystisch magisch unheimlich traum märchen weltraum mister "
        "enigm mágic onír mystér énigm magiq rêve étrange onir sogn mistér sonh mysterie droom "
        "tajemn magicz загад таинств мист волшеб 신비 미스터리 몽환 마법 꿈 神秘 梦幻 奇幻 "
        "魔幻 悬疑 夢幻 謎 神秘的 幻想 ミステリ 不思議"
    ),
    "documentary": (
        "document neutral inform corporate business science tech nature explain education news "
        "modern doku sachlich wissenschaft natur technik unternehm erklär bildung documental "
        "ciencia natural empres educat documentair scienc entrepris documentari scienza aziend "
        "documentár ciência educa документ наук природ информ 다큐 정보 과학 자연 교육 기업 "
        "纪录 科学 自然 科技 教育 商务 紀錄 ドキュメンタリ 知的"
    ),
}


def find_mood(text: str) -> Mood:
    """Return the mood that most words of a text mean; among equals the one that is named first."""
    words = unicodedata.normalize("NFC", text).casefold()
    best, best_score = DEFAULT, (0, 0)
    for name, stems in _WORDS.items():
        places = [words.find(stem) for stem in set(stems.split()) if stem in words]
        if not places:
            continue
        score = (len(places), -min(places))
        if best_score == (0, 0) or score > best_score:
            best, best_score = name, score
    return MOODS[best]
