"""The words of the delivery report, in the nine languages that the product speaks.

Owns every sentence and heading of the report. What a check has found is told in its own words, in
English, under a stable id; a report in another language says so.
"""

from dataclasses import dataclass

from babel.numbers import format_decimal

_STATES = ("running", "failed", "missing", "unknown", "left_out")
_SEVERITIES = ("info", "warning", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One language's words; templates name what is put into them."""

    tag: str
    summary: str
    ready: str
    refused: str
    status: str
    delivered: str
    not_delivered: str
    files: str
    size: str
    missing: str
    replaced: str
    truncated: str
    nothing: str
    findings: str
    none_found: str
    in_english: str
    measured: str
    absent: str
    again: str
    states: tuple[str, str, str, str, str]
    """Of a slot, in the order of `_STATES`."""
    severities: tuple[str, str, str]
    """Of a finding, in the order of `_SEVERITIES`."""

    def state(self, name: str) -> str:
        """Return what became of a slot."""
        return self.states[_STATES.index(name)]

    def severity(self, name: str) -> str:
        """Return how much a finding weighs."""
        return self.severities[_SEVERITIES.index(name)]

    def file_size(self, count: int) -> str:
        """Return a file's size, grouped as the language groups digits."""
        return self.size.format(count=format_decimal(count, locale=self.tag))


def words_of(language: str) -> Words:
    """Return the words of a language (BCP 47); English where the product does not speak it."""
    return _WORDS.get(language.split("-", maxsplit=1)[0].lower(), _WORDS["en"])


_WORDS = {
    words.tag: words
    for words in (
        Words(
            tag="en",
            summary="{title}: {done} of {expected} results, {open} open findings.",
            ready="It is ready.",
            refused="It did not pass its checks and was not delivered.",
            status="Status",
            delivered="delivered",
            not_delivered="not delivered",
            files="Files",
            size="{count} bytes",
            missing="Missing",
            replaced="Replaced",
            truncated="Cut short",
            nothing="nothing",
            findings="Findings",
            none_found="none",
            in_english="",
            measured="measured {measured}, limit {limit}",
            absent="{title}: {done} of {expected}; {state}: {places}",
            again="{place} came at attempt {attempts}",
            states=("still running", "failed", "not made", "outcome unknown", "left out as agreed"),
            severities=("note", "warning", "error"),
        ),
        Words(
            tag="de",
            summary="{title}: {done} von {expected} Ergebnissen, {open} offene Befunde.",
            ready="Es ist fertig.",
            refused="Die Prüfung ist nicht bestanden, deshalb wurde nicht geliefert.",
            status="Stand",
            delivered="geliefert",
            not_delivered="nicht geliefert",
            files="Dateien",
            size="{count} Bytes",
            missing="Fehlt",
            replaced="Ersetzt",
            truncated="Gekürzt",
            nothing="nichts",
            findings="Befunde",
            none_found="keine",
            in_english="Die Prüfungen beschreiben ihre Befunde auf Englisch.",
            measured="gemessen {measured}, Grenze {limit}",
            absent="{title}: {done} von {expected}; {state}: {places}",
            again="{place} gelang im {attempts}. Versuch",
            states=(
                "läuft noch",
                "gescheitert",
                "nicht gemacht",
                "Ausgang unbekannt",
                "wie vereinbart weggelassen",
            ),
            severities=("Hinweis", "Warnung", "Fehler"),
        ),
        Words(
            tag="es",
            summary="{title}: {done} de {expected} resultados, {open} avisos abiertos.",
            ready="Está listo.",
            refused="No ha superado las comprobaciones y no se ha entregado.",
            status="Estado",
            delivered="entregado",
            not_delivered="no entregado",
            files="Archivos",
            size="{count} bytes",
            missing="Falta",
            replaced="Sustituido",
            truncated="Acortado",
            nothing="nada",
            findings="Avisos",
            none_found="ninguno",
            in_english="Las comprobaciones describen sus avisos en inglés.",
            measured="medido {measured}, límite {limit}",
            absent="{title}: {done} de {expected}; {state}: {places}",
            again="{place} salió en el intento {attempts}",
            states=(
                "en curso",
                "fallido",
                "sin hacer",
                "resultado desconocido",
                "omitido según lo acordado",
            ),
            severities=("nota", "advertencia", "error"),
        ),
        Words(
            tag="fr",
            summary="{title} : {done} résultats sur {expected}, {open} remarques.",
            ready="C’est prêt.",
            refused="Les contrôles ont échoué, la livraison est refusée.",
            status="État",
            delivered="livré",
            not_delivered="non livré",
            files="Fichiers",
            size="{count} octets",
            missing="Manquant",
            replaced="Remplacé",
            truncated="Raccourci",
            nothing="rien",
            findings="Remarques",
            none_found="aucune",
            in_english="Les contrôles décrivent leurs remarques en anglais.",
            measured="mesuré {measured}, limite {limit}",  # codespell:ignore limite
            absent="{title} : {done} sur {expected} ; {state} : {places}",
            again="{place}, réussi à la tentative {attempts}",
            states=(
                "en cours",
                "échoué",
                "non fait",
                "issue inconnue",
                "laissé de côté comme convenu",
            ),
            severities=("note", "avertissement", "erreur"),
        ),
        Words(
            tag="it",
            summary="{title}: {done} risultati su {expected}, {open} segnalazioni.",
            ready="È pronto.",
            refused="Non ha superato i controlli e non è stato consegnato.",
            status="Stato",
            delivered="consegnato",
            not_delivered="non consegnato",
            files="File",
            size="{count} byte",
            missing="Mancante",
            replaced="Sostituito",
            truncated="Accorciato",
            nothing="niente",
            findings="Segnalazioni",
            none_found="nessuna",
            in_english="I controlli descrivono le segnalazioni in inglese.",
            measured="misurato {measured}, limite {limit}",  # codespell:ignore limite
            absent="{title}: {done} su {expected}; {state}: {places}",
            again="{place} riuscito al tentativo {attempts}",
            states=(
                "in corso",
                "fallito",
                "non fatto",
                "esito sconosciuto",
                "tralasciato come concordato",
            ),
            severities=("nota", "avviso", "errore"),
        ),
        Words(
            tag="pt",
            summary="{title}: {done} de {expected} resultados, {open} avisos.",
            ready="Está pronto.",
            refused="Não passou nas verificações e não foi entregue.",
            status="Estado",
            delivered="entregue",
            not_delivered="não entregue",
            files="Arquivos",
            size="{count} bytes",
            missing="Em falta",
            replaced="Substituído",
            truncated="Encurtado",
            nothing="nada",
            findings="Avisos",
            none_found="nenhum",
            in_english="As verificações descrevem os avisos em inglês.",
            measured="medido {measured}, limite {limit}",  # codespell:ignore limite
            absent="{title}: {done} de {expected}; {state}: {places}",
            again="{place} saiu na tentativa {attempts}",
            states=(
                "em andamento",
                "falhou",
                "não feito",
                "resultado desconhecido",
                "deixado de fora como combinado",
            ),
            severities=("nota", "advertência", "erro"),  # codespell:ignore erro
        ),
        Words(
            tag="ko",
            summary="{title}: 결과 {expected}개 중 {done}개, 남은 지적 {open}건.",
            ready="완성되었습니다.",
            refused="검사를 통과하지 못해 전달하지 않았습니다.",
            status="상태",
            delivered="전달됨",
            not_delivered="전달되지 않음",
            files="파일",
            size="{count}바이트",
            missing="빠진 것",
            replaced="대체된 것",
            truncated="줄어든 것",
            nothing="없음",
            findings="지적 사항",
            none_found="없음",
            in_english="지적 사항의 내용은 영어로 적혀 있습니다.",
            measured="측정값 {measured}, 한계 {limit}",
            absent="{title}: {expected}개 중 {done}개, {state}: {places}",
            again="{place}, {attempts}번째 시도에서 완성",
            states=("진행 중", "실패", "만들지 않음", "결과를 알 수 없음", "합의하여 뺌"),
            severities=("참고", "경고", "오류"),
        ),
        Words(
            tag="zh",
            summary="{title}：{expected} 项成果中完成 {done} 项，待处理问题 {open} 个。",
            ready="已经完成。",
            refused="未通过检查，因此没有交付。",
            status="状态",
            delivered="已交付",
            not_delivered="未交付",
            files="文件",
            size="{count} 字节",
            missing="缺失",
            replaced="已替换",
            truncated="已缩短",
            nothing="无",
            findings="检查结果",
            none_found="没有问题",
            in_english="检查结果的说明为英文。",
            measured="测得 {measured}，限值 {limit}",
            absent="{title}：{expected} 项中完成 {done} 项；{state}：{places}",
            again="{place}：第 {attempts} 次尝试时完成",
            states=("进行中", "失败", "未制作", "结果未知", "经同意省去"),
            severities=("提示", "警告", "错误"),
        ),
        Words(
            tag="ja",
            summary="{title}：成果 {expected} 件中 {done} 件、未解決の指摘 {open} 件。",
            ready="完成しました。",
            refused="検査に合格しなかったため、納品していません。",
            status="状態",
            delivered="納品済み",
            not_delivered="未納品",
            files="ファイル",
            size="{count} バイト",
            missing="不足",
            replaced="差し替え",
            truncated="短縮",
            nothing="なし",
            findings="指摘",
            none_found="なし",
            in_english="指摘の内容は英語で記されています。",
            measured="測定値 {measured}、上限 {limit}",
            absent="{title}：{expected} 件中 {done} 件、{state}：{places}",
            again="{place}、{attempts} 回目の試みで完成",
            states=("進行中", "失敗", "未作成", "結果不明", "合意のうえ省略"),
            severities=("参考", "警告", "エラー"),
        ),
    )
}
LANGUAGES = tuple(_WORDS)
