"""The delivery report speaks the language of the work, and names everything that is not there."""

from typing import Any

import pytest

from execution.ledger import LedgerEntry
from execution.progress import Plan, derive
from tests.unit.execution.entries import checklist, entry, failed, item, running
from workspace.delivery.findings import Finding, Severity
from workspace.delivery.handover import build_report, to_markdown
from workspace.delivery.wording import LANGUAGES

FINDING = Finding(
    check="black",
    severity=Severity.WARNING,
    message="The picture is black.",
    measured="2.00 s",
    limit="1.00 s",
)
FILE: dict[str, Any] = {"name": "Film", "media_type": "video/mp4", "size": 1_234_567}


def plan() -> Plan:
    entries = [failed(step_key="shots", slot=1), entry(step_key="shots", slot=1)]
    return derive(checklist(), [item("shots", 2)], entries)


def document(language: str, findings: list[Finding], *, status: str = "delivered") -> str:
    return to_markdown(build_report(plan(), findings, [FILE], language=language), status=status)


def headings(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("## ")]


def test_the_product_speaks_nine_languages() -> None:
    assert sorted(LANGUAGES) == ["de", "en", "es", "fr", "it", "ja", "ko", "pt", "zh"]


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_no_heading_and_no_state_is_left_in_english(language: str) -> None:
    english, spoken = document("en", [FINDING]), document(language, [FINDING])
    assert len(headings(spoken)) == len(headings(english)) == 5
    assert not set(headings(spoken)) & set(headings(english))
    for word in ("Status:", "delivered", "attempt", "not made", "warning", "measured", "nothing"):
        assert word in english
        assert word not in spoken
    assert FINDING.message in spoken


def test_a_report_says_everything_in_order() -> None:
    assert document("de-AT", [FINDING]).splitlines()[4:] == [
        "Stand: geliefert",
        "",
        "## Dateien",
        "",
        "- Film (video/mp4, 1.234.567 Bytes)",
        "",
        "## Fehlt",
        "",
        "- Shots: 1 von 2; nicht gemacht: 2",
        "",
        "## Ersetzt",
        "",
        "- Shots 1 gelang im 2. Versuch",
        "",
        "## Gekürzt",
        "",
        "- nichts",
        "",
        "## Befunde",
        "",
        "Die Prüfungen beschreiben ihre Befunde auf Englisch.",
        "",
        "- Warnung · black: The picture is black. (gemessen 2.00 s, Grenze 1.00 s)",
    ]


def test_what_is_missing_for_one_reason_is_told_in_one_line_and_in_the_summary() -> None:
    made = [entry(step_key="shots", slot=slot) for slot in (1, 5)]
    shots = derive(checklist(), [item("shots", 9)], [*made, *running_shots(2, 3, 8)])
    report = build_report(shots, [], [], language="en")
    assert report["missing"] == [
        "Shots: 2 of 9; still running: 2–3, 8",
        "Shots: 2 of 9; not made: 4, 6–7, 9",
    ]
    assert all(line in report["summary"] for line in report["missing"])


def running_shots(*slots: int) -> list[LedgerEntry]:
    return [running(step_key="shots", slot=slot) for slot in slots]


def test_a_refused_work_is_not_called_delivered_in_any_language() -> None:
    for language in LANGUAGES:
        refused = document(language, [FINDING], status="refused")
        assert refused.splitlines()[4] != document(language, [FINDING]).splitlines()[4]


def test_what_the_product_does_not_speak_is_told_in_english() -> None:
    assert document("nl", []) == document("en", [])
    assert "- none" in document("en", [])
