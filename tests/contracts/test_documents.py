"""Documents that must follow the code: settings, make targets, licences, decisions."""

import re
import tomllib
from typing import Any

from infra.settings import PREFIX, Settings
from tests.contracts.sources import ROOT

OPERATIONS = ROOT / "docs" / "operations.md"
MAKEFILE = ROOT / "Makefile"


def documented_settings() -> dict[str, str]:
    """Return the defaults by name, from the table of settings."""
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) \|", OPERATIONS.read_text("utf-8"), re.MULTILINE)
    return {name: default.strip("`") for name, default in rows}


def test_every_setting_is_documented_and_none_that_is_gone() -> None:
    names = {PREFIX + field.upper() for field in Settings.model_fields}
    names = names - {PREFIX + "DATABASE_URL"} | {"DATABASE_URL"}
    assert set(documented_settings()) == names


def test_documented_defaults_are_the_real_ones() -> None:
    documented = documented_settings()
    for field, info in Settings.model_fields.items():
        if field == "database_url":
            continue
        default = info.default
        if default in (None, "") or field == "blob_dir":
            assert documented[PREFIX + field.upper()] or field.endswith(("_key", "_token"))
            continue  # none, or told in words
        shown = f"{default:g}" if isinstance(default, float) else str(default)
        assert documented[PREFIX + field.upper()] == shown


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE.read_text("utf-8"), re.MULTILINE))


def test_make_commands_in_documents_exist() -> None:
    named: set[str] = set()
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        named |= set(
            re.findall(r"(?:`|^)make ([a-z][a-z-]*)", path.read_text("utf-8"), re.MULTILINE)
        )
    assert named - make_targets() == set()
    assert "run" in named


def test_every_direct_dependency_has_its_licence_named() -> None:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    third_party = (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8").lower()
    names = [re.split(r"[\[=<>~! ]", each)[0] for each in project["project"]["dependencies"]]
    assert [name for name in names if f"`{name.lower()}`" not in third_party] == []


def test_decisions_are_numbered_without_gaps_and_have_their_parts() -> None:
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [int(path.name[:4]) for path in decisions]
    assert numbers == list(range(1, len(numbers) + 1))
    for path in decisions:
        text = path.read_text(encoding="utf-8")
        for part in ("## Context", "## Choice", "## Refused", "## What would change our mind"):
            assert part in text, f"{path.name} lacks {part}"


def test_pictures_in_the_readme_are_there_and_small() -> None:
    names = re.findall(r'src="([^"]+)"', (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(names) == 2
    assert [name for name in names if (ROOT / name).stat().st_size > 200_000] == []
