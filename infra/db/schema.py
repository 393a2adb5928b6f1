"""The tables as they are after every migration, as one readable file: `schema.sql`.

`python -m infra.db.schema` (or `make schema`) writes it; a contract test holds it to what the
migrations make, so a review sees what a migration, or an upgrade of a library with its own tables,
really changes.
"""

import asyncio
import re
import subprocess
import tempfile
from pathlib import Path

from infra.db.cluster import wheel_programs
from infra.db.embedded import embedded_postgres
from infra.db.migrate import MIGRATIONS, migrate

SCHEMA = Path(__file__).parent / "schema.sql"

_HEAD = """\
-- The migrated database, written by `make schema`; change the tables with a new migration instead.
-- Those of procrastinate and of LangGraph's saver are here too, as they make them themselves.
--
"""
# pg_dump's version lines differ from machine to machine, and the token of \\restrict on each run.
_UNSTABLE = re.compile(r"^(\\(un)?restrict .*|-- Dumped (from|by) .*)\n", re.MULTILINE)
_TABLE = re.compile(r"((?:^--.*\n)*)^create table (\w+) \(", re.MULTILINE)


def dump_schema(dsn: str) -> str:
    """Return the definition of everything in a migrated database, with what each table holds."""
    command = [str(wheel_programs() / "pg_dump"), "--schema-only", "--no-owner", "--dbname", dsn]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
    body = re.sub(r"\n{3,}", "\n\n", _UNSTABLE.sub("", said)).strip()
    return f"{_HEAD}{_concepts()}\n{body}\n"


def _concepts() -> str:
    """Return one comment line for each of our tables, taken from above its migration."""
    lines: list[str] = []
    for path in sorted(MIGRATIONS.glob("*.sql")):
        for comment, table in _TABLE.findall(path.read_text(encoding="utf-8")):
            text = " ".join(comment.replace("--", "").split())
            lines.append(f"-- {table}: {text}" if text else f"-- {table}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write `schema.sql` from a database made for it."""
    with (
        tempfile.TemporaryDirectory() as folder,
        embedded_postgres(Path(folder)) as dsn,
    ):
        asyncio.run(migrate(dsn))
        SCHEMA.write_text(dump_schema(dsn), encoding="utf-8")


if __name__ == "__main__":
    main()
