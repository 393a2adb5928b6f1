"""What `langgraph.json` names can be opened, drawn and run: offline, scripted, without money."""

import json
from pathlib import Path

import psycopg
import pytest
from langgraph.checkpoint.memory import InMemorySaver

from graphs import studio

ROOT = Path(__file__).parents[3]


@pytest.fixture
def studio_database(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("ATELIER_DATA_DIR", str(tmp_path))
    return database_url


def test_the_file_names_factories_that_exist() -> None:
    named = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]
    assert named == {"main": "./graphs/studio.py:main", "task": "./graphs/studio.py:task"}
    for address in named.values():
        assert callable(getattr(studio, address.rpartition(":")[2]))


async def test_words_typed_in_studio_become_a_plan_that_waits(studio_database: str) -> None:
    async with studio.main() as main:
        sent = await main.ainvoke({"text": "A series of two posters about tea"})
    async with studio.task() as task:
        task.checkpointer = InMemorySaver()
        config = {"configurable": {"thread_id": "studio"}}
        rested = await task.ainvoke({"task_id": sent["task_id"]}, config)
    assert rested["verdict"] == "wait"
    card = rested["__interrupt__"][0].value["card"]
    assert card["kind"] == "plan"
    assert card["status"] == "pending"


async def test_studio_may_spend_nothing_without_being_asked(studio_database: str) -> None:
    async with studio.main() as main:
        await main.ainvoke({"text": "Paint one picture of an orange cat"})
        sent = await main.ainvoke({"text": "Paint one picture of a lighthouse"})
    async with studio.task() as task:
        task.checkpointer = InMemorySaver()
        await task.ainvoke({"task_id": sent["task_id"]}, {"configurable": {"thread_id": "s"}})
    with psycopg.connect(studio_database) as conn:
        held = conn.execute("select count(*) from holds").fetchone()
        asked = conn.execute("select kind from approvals where status = 'pending'").fetchall()
    assert held == (0,)
    assert ("call",) in asked
