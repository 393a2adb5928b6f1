"""The words of a written script: headings and labels of the document, by language."""

from dataclasses import dataclass

from infra.providers.rehearsal.themes.beats import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Headings:
    """The labels of one language."""

    shot: str
    seconds: str
    picture: str
    narration: str
    length: str
    music: str
    language: str
    shots: str
    caption: str
    silence: str


HEADINGS: dict[Language, Headings] = {
    "en": Headings(
        shot="Shot",
        seconds="s",
        picture="Picture",
        narration="Narration",
        length="Length",
        music="Music",
        language="Language",
        shots="shots",
        caption="Title in picture",
        silence="no words",
    ),
    "de": Headings(
        shot="Einstellung",
        seconds="s",
        picture="Bild",
        narration="Sprecher",
        length="Länge",
        music="Musik",
        language="Sprache",
        shots="Einstellungen",
        caption="Titel im Bild",
        silence="ohne Worte",
    ),
    "es": Headings(
        shot="Plano",
        seconds="s",
        picture="Imagen",
        narration="Narración",
        length="Duración",
        music="Música",
        language="Idioma",
        shots="planos",
        caption="Título en imagen",
        silence="sin palabras",
    ),
    "fr": Headings(
        shot="Plan",
        seconds="s",
        picture="Image",
        narration="Narration",
        length="Durée",
        music="Musique",
        language="Langue",
        shots="plans",
        caption="Titre à l'image",
        silence="sans paroles",
    ),
    "it": Headings(
        shot="Inquadratura",
        seconds="s",
        picture="Immagine",
        narration="Narrazione",
        length="Durata",
        music="Musica",
        language="Lingua",
        shots="inquadrature",
        caption="Titolo in immagine",
        silence="senza parole",
    ),
    "pt": Headings(
        shot="Plano",
        seconds="s",
        picture="Imagem",
        narration="Narração",
        length="Duração",
        music="Música",
        language="Idioma",
        shots="planos",
        caption="Título na imagem",
        silence="sem palavras",
    ),
    "ko": Headings(
        shot="장면",
        seconds="초",
        picture="화면",
        narration="내레이션",
        length="길이",
        music="음악",
        language="언어",
        shots="장면",
        caption="화면 자막",
        silence="말 없음",
    ),
    "zh": Headings(
        shot="镜头",
        seconds="秒",
        picture="画面",
        narration="旁白",
        length="时长",
        music="音乐",
        language="语言",
        shots="个镜头",
        caption="画面文字",
        silence="无旁白",
    ),
    "ja": Headings(
        shot="カット",
        seconds="秒",
        picture="映像",
        narration="ナレーション",
        length="長さ",
        music="音楽",
        language="言語",
        shots="カット",
        caption="画面の文字",
        silence="言葉なし",
    ),
}
