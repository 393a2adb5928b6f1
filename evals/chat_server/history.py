"""Which conversations these services refuse, as far as a client can get it wrong.

Both want each call answered once, right after it; a call's name of letters, digits, dash and
underscore; and no empty text. Ids are unique among the calls of one message.
"""

import re
from collections.abc import Iterable
from typing import Any

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def openai_fault(body: dict[str, Any]) -> str | None:
    """Return what is wrong with a request for a chat completion."""
    open_calls: list[str] = []
    for number, message in enumerate(body.get("messages", [])):
        if message["role"] == "tool":
            if message.get("tool_call_id") not in open_calls:
                return f"messages[{number}]: a tool message that answers no call"
            open_calls.remove(message["tool_call_id"])
            continue
        if open_calls:
            return f"messages[{number}]: calls without an answer: {open_calls}"
        calls: list[dict[str, Any]] = message.get("tool_calls") or []
        if fault := _calls_fault((call["id"], call["function"]["name"]) for call in calls):
            return f"messages[{number}]: {fault}"
        open_calls = [call["id"] for call in calls]
    return f"calls without an answer: {open_calls}" if open_calls else None


def anthropic_fault(body: dict[str, Any]) -> str | None:
    """Return what is wrong with a request for a message."""
    open_calls: list[str] = []
    for number, message in enumerate(body.get("messages", [])):
        content: Any = message["content"]
        blocks: list[dict[str, Any]] = (
            [{"type": "text", "text": content}] if isinstance(content, str) else content
        )
        if fault := _blocks_fault(blocks, open_calls):
            return f"messages.{number}: {fault}"
        calls = [block for block in blocks if block["type"] == "tool_use"]
        if fault := _calls_fault((call["id"], call["name"]) for call in calls):
            return f"messages.{number}: {fault}"
        open_calls = [call["id"] for call in calls]
    return f"tool_use without tool_result: {open_calls}" if open_calls else None


def _blocks_fault(blocks: list[dict[str, Any]], open_calls: list[str]) -> str | None:
    if not blocks:
        return "content must not be empty"
    if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
        return "text content blocks must contain non-whitespace text"
    answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    if sorted(answered) != sorted(open_calls):
        return f"tool_result {answered} for tool_use {open_calls}"
    return None


def _calls_fault(calls: Iterable[tuple[str, str]]) -> str | None:
    seen: set[str] = set()
    for call_id, name in calls:
        if not _NAME.fullmatch(name):
            return f"string does not match pattern: {name[:80]!r}"
        if call_id in seen:
            return f"ids must be unique: {call_id}"
        seen.add(call_id)
    return None
