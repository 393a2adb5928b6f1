"""The delivery report: what was delivered, what is missing, replaced or cut short, what was found.

Built from the plan, the ledger's results and the findings; no sentence of it comes from a model.
"""

from typing import Any

from execution import counted
from execution.progress import ItemProgress, Plan, Slot, ranges
from workspace.delivery.findings import Finding, Severity, refuses_delivery
from workspace.delivery.wording import Words, words_of


def build_report(
    plan: Plan, findings: list[Finding], files: list[dict[str, Any]], *, language: str
) -> dict[str, Any]:
    """Return the report as JSON; `files` are references to object versions."""
    words = words_of(language)
    return {
        "title": plan.checklist.title,
        "language": words.tag,
        "plan_version": plan.checklist.version,
        "counts": counted.seen_of_plan(plan),
        "files": files,
        "findings": [_as_json(finding) for finding in findings],
        "missing": [text for item in plan.items for text in _missing(item, words)],
        "replaced": [text for item in plan.items for text in _replaced(item, words)],
        "truncated": [],  # nothing here shortens a part; what the audit finds short is a finding
        "summary": _summary(plan, findings, words),
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


def _missing(item: ItemProgress, words: Words) -> list[str]:
    """Say how many of a step are there, and for each state what is not."""
    states = dict.fromkeys(slot.state for slot in item.slots if slot.state != "done")
    return [
        words.absent.format(
            title=item.item.title,
            done=item.count("done"),
            expected=item.item.expected_count,
            state=words.state(state),
            places=ranges(item.in_state(state)),
        )
        for state in states
    ]


def _replaced(item: ItemProgress, words: Words) -> list[str]:
    return [
        words.again.format(place=_place(item, slot), attempts=slot.attempts)
        + (f" ({slot.entry.provider} ← {', '.join(slot.instead_of)})" if slot.instead_of else "")
        for slot in item.slots
        if slot.state == "done" and slot.attempts > 1 and slot.entry
    ]


def _place(item: ItemProgress, slot: Slot) -> str:
    title = item.item.title
    return title if item.item.expected_count == 1 else f"{title} {slot.number}"


def _summary(plan: Plan, findings: list[Finding], words: Words) -> str:
    counted = words.summary.format(
        title=plan.checklist.title,
        done=sum(item.count("done") for item in plan.items),
        expected=sum(item.item.expected_count for item in plan.items),
        open=sum(finding.severity is not Severity.INFO for finding in findings),
    )
    stands = words.refused if refuses_delivery(findings) else words.ready
    return " ".join(
        [counted, stands, *(text for item in plan.items for text in _missing(item, words))]
    )


def to_markdown(report: dict[str, Any], *, status: str) -> str:
    """Return the report as a document that a person can read, in the report's language."""
    words = words_of(report["language"])
    stands = words.delivered if status == "delivered" else words.not_delivered
    lines = [f"# {report['title']}", "", report["summary"], "", f"{words.status}: {stands}", ""]
    lines += [f"## {words.files}", ""]
    lines += [
        f"- {file['name']} ({file['media_type']}, {words.file_size(file['size'])})"
        for file in report["files"]
    ]
    for heading, texts in (
        (words.missing, report["missing"]),
        (words.replaced, report["replaced"]),
        (words.truncated, report["truncated"]),
    ):
        lines += ["", f"## {heading}", ""]
        lines += [f"- {text}" for text in texts] or [f"- {words.nothing}"]
    lines += ["", f"## {words.findings}", ""]
    if report["findings"] and words.in_english:
        lines += [words.in_english, ""]
    found = [_finding_line(finding, words) for finding in report["findings"]]
    lines += found or [f"- {words.none_found}"]
    return "\n".join(lines) + "\n"


def _finding_line(finding: dict[str, Any], words: Words) -> str:
    measured = words.measured.format(measured=finding["measured"], limit=finding["limit"])
    detail = f" ({measured})" if finding["measured"] else ""
    weight = words.severity(finding["severity"])
    return f"- {weight} · {finding['id']}: {finding['message']}{detail}"
