"""`schema.sql` is what the migrations make."""

from infra.db.schema import SCHEMA, dump_schema


def test_the_schema_file_equals_the_migrated_database(database_url: str) -> None:
    assert SCHEMA.read_text(encoding="utf-8") == dump_schema(database_url), "run make schema"
