"""What every file keeps to: its size, its place, and nothing of the machine it was written on."""

import ast
import importlib
import re

import pytest

from tests.contracts.sources import PACKAGES, ROOT, committed_files, modules, name

LIMITS = {"README.md": 150, "AGENTS.md": 100}
MODULE_LIMIT = 500
LONG = r"pytest[.]mark[.]long\b"
WORDS_NOT_CODE = ("infra/providers/rehearsal/languages/",)  # like prompts: as long as they are
# A character class in each, so that the pattern does not find itself.
TRACES = re.compile(
    r"""pypi[.](?:org|python) | files[.]pythonhosted | registry[.]npmjs | deb[.]debian[.]org
    | --(?:extra-)?index-url[ =]http | /opt/[p]ypi | /opt/[w]heels
    | /work/[m]ain | /work/[s]hared | /work/[c]ontracts | /tmp/[t]ools
    | /(?:root|home)/[\w.]+/""",
    re.VERBOSE,
)


def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_a_package_of_ours_is_not_shadowed_by_an_installed_one(package: str) -> None:
    found = importlib.import_module(package).__file__
    assert found
    assert found == str(ROOT / package / "__init__.py")


def test_no_module_is_longer_than_its_limit() -> None:
    lengths = {
        name(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in committed_files()
        if path.suffix == ".py" and not name(path).startswith(WORDS_NOT_CODE)
    }
    assert {path: lines for path, lines in lengths.items() if lines > MODULE_LIMIT} == {}


def test_each_long_test_is_run_by_the_command_for_them() -> None:
    recipes = re.findall(
        r"^test-(?:faults|media):.*\n((?:\t.*\n)+)", text_of("Makefile"), re.MULTILINE
    )
    assert len(recipes) == 2
    run = tuple(re.findall(r"tests/\S+", "".join(recipes)))
    marked = [
        name(path)
        for path in committed_files()
        if path.suffix == ".py" and re.search(LONG, path.read_text("utf-8"))
    ]
    assert len(marked) > len(run)
    assert [path for path in marked if not path.startswith(run)] == []


def test_entry_documents_stay_short() -> None:
    for document, limit in LIMITS.items():
        if (ROOT / document).exists():
            assert len(text_of(document).splitlines()) <= limit, document


def test_no_file_names_a_package_index_or_a_machine() -> None:
    found: list[str] = []
    for path in committed_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{name(path)}: {match.group()}" for match in TRACES.finditer(text)]
    assert found == []


def test_a_package_face_holds_its_description_and_nothing_else() -> None:
    full = [
        name(path)
        for path in modules()
        if path.name == "__init__.py" and len(ast.parse(path.read_text("utf-8")).body) > 1
    ]
    assert full == []


def test_every_locked_package_is_pinned_and_hashed() -> None:
    entries = re.split(r"\n(?=\S)", text_of("requirements.lock").strip())
    loose = [
        entry.splitlines()[0]
        for entry in entries
        if not entry.startswith("#") and ("==" not in entry or "--hash=sha256:" not in entry)
    ]
    assert loose == []
    assert len(entries) > 50
