"""`ask_task`: a question or a word to another task of this workspace.

What it says is data for the other: it opens nothing that has ended, allows nothing, and is nobody's
word for how long a task may go on. A question that is open is answered before it is asked back.
"""

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from execution import inbox, steps, tasks, words, workspaces
from execution.authorization import Risk
from execution.errors import InvalidCallError, NotFoundError, PermissionDeniedError
from execution.tasks import Task, TaskStatus
from execution.words import MAX_CHARACTERS, MAX_OPEN_QUESTIONS, MAX_WORDS, Kind
from infra.db.query import Conn
from infra.ids import TaskId
from tools.tool import Tool, ToolContext, ToolResult


class AskTask(BaseModel):
    """Arguments of `ask_task`."""

    task_id: str
    text: Annotated[str, Field(min_length=1, max_length=MAX_CHARACTERS)]
    expects_answer: Annotated[
        bool, Field(description="false for a word, and for the answer to what that task has asked")
    ] = True


async def ask_task(context: ToolContext, arguments: AskTask) -> ToolResult:
    """Write a word for another task; it is delivered after this decision."""
    tx = context.tx
    # Of two tasks that ask each other at the same moment, one sees the other's question.
    await workspaces.lock(tx.conn, tx.workspace_id)
    target = await _target(context, arguments.task_id)
    kind = await _kind(context, TaskId(target.task_id), arguments)
    await _check_count(tx.conn, context.task_id)
    await words.send(
        tx,
        kind=kind,
        from_task=context.task_id,
        to_task=TaskId(target.task_id),
        from_title=context.task.title,
        text=arguments.text,
        language=context.task.language,
        cause=context.call_key,
    )
    match kind:
        case Kind.QUESTION:
            said = f"asked: '{target.title}' reads it at its next step. The answer comes as words."
        case Kind.ANSWER:
            said = f"answered: '{target.title}' reads it at its next step."
        case _:
            said = f"told: '{target.title}' reads it at its next step."
    return ToolResult(message=said)


async def _target(context: ToolContext, task_id: str) -> Task:
    """Return the task that is asked, if it may be.

    Raises:
        InvalidCallError: there is no such task here, it is this one, or it has ended.
        PermissionDeniedError: only a person can let it read again.
    """
    try:
        found = await tasks.get(context.tx.conn, context.tx.workspace_id, TaskId(UUID(task_id)))
    except (ValueError, NotFoundError):
        message = f"There is no task {task_id} in this workspace."
        raise InvalidCallError(message) from None
    if found.task_id == context.task_id:
        message = "This is you. Decide it yourself, or ask the person."
        raise InvalidCallError(message)
    if found.is_terminal or found.archived_at is not None:
        message = (
            f"'{found.title}' has ended, and only a person can open it again. "
            "What it has come to is told by read_task."
        )
        raise InvalidCallError(message)
    if found.status == TaskStatus.PAUSED:
        message = f"'{found.title}' is paused and reads nothing until its person resumes it."
        raise PermissionDeniedError(message)
    return found


async def _kind(context: ToolContext, asked: TaskId, arguments: AskTask) -> Kind:
    """Return what the word is, refusing what would go in a circle.

    Raises:
        InvalidCallError: that task waits, itself or through others, for an answer of this one.
    """
    tx = context.tx
    if not arguments.expects_answer:
        is_answer = await words.answer(tx, context.task_id, asked)
        return Kind.ANSWER if is_answer else Kind.WORD
    if await words.would_close_a_cycle(tx.conn, context.task_id, asked):
        message = (
            "That task waits for an answer of yours, itself or through others. Answer what you "
            "were asked first (expects_answer false), or ask the person."
        )
        raise InvalidCallError(message)
    own = await words.open_questions(tx.conn, from_task=context.task_id)
    if any(each.to_task == asked for each in own):
        message = "You have asked it already and it has not answered yet. Wait."
        raise InvalidCallError(message)
    if len(own) >= MAX_OPEN_QUESTIONS:
        message = f"{MAX_OPEN_QUESTIONS} of your questions are open. Wait for their answers."
        raise InvalidCallError(message)
    return Kind.QUESTION


async def _check_count(conn: Conn, task_id: TaskId) -> None:
    """Refuse more words than a task may say to others by itself.

    Raises:
        InvalidCallError: it has said so many since a person wrote to it last.
    """
    reader = await inbox.last_reader(conn, task_id)
    since = await steps.read_at(conn, reader) if reader is not None else None
    if await words.said_since(conn, task_id, since) >= MAX_WORDS:
        message = (
            f"You have said {MAX_WORDS} words to other tasks since the person wrote last. "
            "Go on with what you know, or ask the person."
        )
        raise InvalidCallError(message)


ASK_TASK = Tool(
    name="ask_task",
    description=(
        "Ask another task of this person something that only it knows, tell it something that it "
        "needs, or answer what it has asked you."
    ),
    arguments=AskTask,
    risk=Risk.WRITE,
    call=ask_task,
)
