"""Every tool says what it does to the world, and its schema is one that providers take."""

import re
from typing import Any

import pytest
from langchain_core.utils.function_calling import convert_to_openai_tool

from execution.authorization import Risk
from tools.orders import STEP_KINDS
from tools.registry import TOOLS
from tools.tool import Tool

EVERY = pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS.keys())


def test_paid_tools_are_exactly_those_that_make_media() -> None:
    assert {name for name, tool in TOOLS.items() if tool.risk is Risk.PAID} == {
        "generate_image",
        "generate_clip",
        "generate_narration",
        "generate_music",
        "generate_model",
        "make_captions",
        "assemble_film",
    }


def test_reading_changes_nothing() -> None:
    assert {name for name, tool in TOOLS.items() if tool.risk is Risk.READ} == {
        "read_object",
        "list_objects",
        "find_capabilities",
        "check_call",
        "read_task",
        "read_guide",
    }


@EVERY
def test_a_name_is_one_that_every_provider_takes(tool: Tool) -> None:
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool.name)
    assert tool.description.endswith(".")


@EVERY
def test_a_schema_is_a_function_schema_without_open_references(tool: Tool) -> None:
    schema = tool.schema()
    assert convert_to_openai_tool(schema)["function"]["name"] == tool.name
    parameters: dict[str, Any] = schema["function"]["parameters"]
    assert parameters["type"] == "object"
    references = set(re.findall(r"#/\$defs/(\w+)", str(parameters)))
    assert references == set(parameters.get("$defs", {}))


def test_a_schema_is_the_same_bytes_each_time() -> None:
    assert [str(tool.schema()) for tool in TOOLS.values()] == [
        str(tool.schema()) for tool in TOOLS.values()
    ]


def test_every_operation_has_steps_that_take_it() -> None:
    assert set(STEP_KINDS) == {
        "image",
        "clip",
        "narration",
        "music",
        "captions",
        "render",
        "model3d",
    }
