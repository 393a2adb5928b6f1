"""The repository as the contract tests read it: its files, its modules and the SQL in them."""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = frozenset(
    "evals server graphs nodes tools memory workspace execution infra".split()  # noqa: SIM905
)
MIGRATIONS = ROOT / "infra" / "db" / "migrations"

_NAME = r"\s+(?:only\s+)?(?:public\.)?([a-z_]+)\b"
_READ = re.compile(rf"\b(?:from|join|using|references){_NAME}")
_WRITE = re.compile(rf"\b(?:into|update|delete\s+from|truncate|table){_NAME}")


@cache
def committed_files() -> tuple[Path, ...]:
    """Return every file that is in the repository, or would be with the next commit."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file())


def name(path: Path) -> str:
    """Return a file's name as documents write it."""
    return path.relative_to(ROOT).as_posix()


@cache
def modules() -> tuple[Path, ...]:
    """Return the Python files of the product."""
    return tuple(
        path
        for path in committed_files()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in PACKAGES
    )


@cache
def tables() -> frozenset[str]:
    """Return the tables that we make and have not dropped since."""
    made = {"schema_migrations"}
    for path in sorted(MIGRATIONS.glob("*.sql")):
        text = path.read_text(encoding="utf-8").lower()
        made |= set(re.findall(r"^create table (?:if not exists )?(\w+)", text, re.MULTILINE))
        made -= set(re.findall(r"^drop table (?:if exists )?(\w+)", text, re.MULTILINE))
    return frozenset(made)


def tables_read(sql: str) -> set[str]:
    """Return the tables that a text names as SQL does."""
    return {*_READ.findall(sql.lower()), *_WRITE.findall(sql.lower())} & tables()


def tables_written(sql: str) -> set[str]:
    """Return the tables that a text changes."""
    return set(_WRITE.findall(sql.lower())) & tables()


@cache
def strings(path: Path) -> str:
    """Return the strings of a module, a line each, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return "\n;\n".join(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    )
