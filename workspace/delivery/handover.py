"""The delivery report: what was delivered, what is missing, replaced or cut short, what was found.

Built from the plan, the ledger's results and the findings; no sentence of it comes from a model.
"""

from typing import Any

from execution.checklist import ItemProgress, Plan
from workspace.delivery.findings import Finding, Severity, refuses_delivery

_SUMMARIES = {
    "en": ("{title}: {done} of {expected} results, {open} open findings.", "It is ready."),
    "de": ("{title}: {done} von {expected} Ergebnissen, {open} offene Befunde.", "Es ist fertig."),
    "es": ("{title}: {done} de {expected} resultados, {open} avisos abiertos.", "Está listo."),
    "fr": ("{title} : {done} résultats sur {expected}, {open} remarques.", "C’est prêt."),
    "it": ("{title}: {done} risultati su {expected}, {open} segnalazioni.", "È pronto."),
    "pt": ("{title}: {done} de {expected} resultados, {open} avisos.", "Está pronto."),
    "ko": ("{title}: 결과 {expected}개 중 {done}개, 남은 지적 {open}건.", "완성되었습니다."),
    "zh": ("{title}：{expected} 项成果中完成 {done} 项，待处理问题 {open} 个。", "已经完成。"),
    "ja": ("{title}：成果 {expected} 件中 {done} 件、未解決の指摘 {open} 件。", "完成しました。"),
}
_REFUSED = {
    "en": "It did not pass its checks and was not delivered.",
    "de": "Die Prüfung ist nicht bestanden, deshalb wurde nicht geliefert.",
    "es": "No ha superado las comprobaciones y no se ha entregado.",
    "fr": "Les contrôles ont échoué, la livraison est refusée.",
    "it": "Non ha superato i controlli e non è stato consegnato.",
    "pt": "Não passou nas verificações e não foi entregue.",
    "ko": "검사를 통과하지 못해 전달하지 않았습니다.",
    "zh": "未通过检查，因此没有交付。",
    "ja": "検査に合格しなかったため、納品していません。",
}


def build_report(
    plan: Plan, findings: list[Finding], files: list[dict[str, Any]], *, language: str
) -> dict[str, Any]:
    """Return the report as JSON; `files` are references to object versions."""
    return {
        "title": plan.checklist.title,
        "plan_version": plan.checklist.version,
        "files": files,
        "findings": [_as_json(finding) for finding in findings],
        "missing": [text for item in plan.items for text in _missing(item)],
        "replaced": [text for item in plan.items for text in _replaced(item)],
        "truncated": [],
        "summary": _summary(plan, findings, language),
    }


def _as_json(finding: Finding) -> dict[str, Any]:
    values = finding.to_json()
    start, end = values.pop("start_s"), values.pop("end_s")
    return {
        "id": values.pop("check"),
        **values,
        "severity": finding.severity.value,
        "time_range": [start, end] if start is not None else None,
    }


def _missing(item: ItemProgress) -> list[str]:
    return [
        f"{item.item.title}: {slot.number} of {item.item.expected_count} ({slot.state})"
        for slot in item.slots
        if slot.state != "done"
    ]


def _replaced(item: ItemProgress) -> list[str]:
    return [
        f"{item.item.title}: {slot.number} of {item.item.expected_count} came at attempt "
        f"{slot.attempts}"
        for slot in item.slots
        if slot.state == "done" and slot.attempts > 1
    ]


def _summary(plan: Plan, findings: list[Finding], language: str) -> str:
    tag = language.split("-", maxsplit=1)[0]
    sentence, ready = _SUMMARIES.get(tag, _SUMMARIES["en"])
    counted = sentence.format(
        title=plan.checklist.title,
        done=sum(item.count("done") for item in plan.items),
        expected=sum(item.item.expected_count for item in plan.items),
        open=sum(finding.severity is not Severity.INFO for finding in findings),
    )
    refused = _REFUSED.get(tag, _REFUSED["en"])
    return f"{counted} {refused if refuses_delivery(findings) else ready}"


def to_markdown(report: dict[str, Any], *, status: str) -> str:
    """Return the report as a document that a person can read."""
    lines = [f"# {report['title']}", "", report["summary"], "", f"Status: {status}", ""]
    lines += ["## Files", ""]
    lines += [
        f"- {file['name']} ({file['media_type']}, {file['size']:,} bytes)"
        for file in report["files"]
    ]
    for heading in ("missing", "replaced", "truncated"):
        lines += ["", f"## {heading.capitalize()}", ""]
        lines += [f"- {text}" for text in report[heading]] or ["- nothing"]
    lines += ["", "## Findings", ""]
    lines += [_finding_line(finding) for finding in report["findings"]] or ["- none"]
    return "\n".join(lines) + "\n"


def _finding_line(finding: dict[str, Any]) -> str:
    measured = f" (measured {finding['measured']}, limit {finding['limit']})"
    detail = measured if finding["measured"] else ""
    return f"- {finding['severity']} · {finding['id']}: {finding['message']}{detail}"
