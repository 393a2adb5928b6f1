"""What the end of a task withdraws: the model is told, for a person may open the task again."""

from execution import approvals, steps
from execution.tx import Tx
from infra.ids import TaskId, ThreadId


async def note(tx: Tx, task_id: TaskId) -> None:
    """Leave word of each question that nobody has answered, or whose answer nothing has used."""
    unused = await approvals.of_thread(
        tx.conn,
        ThreadId(task_id),
        statuses=["pending", "approved", "rejected", "chosen"],
        unused_only=True,
    )
    for asked in unused:
        if asked.call_key is not None:
            told = f"Withdrawn, as the task had ended: '{asked.title}'. Ask anew what still counts."
            await steps.happen(tx, task_id, told, call_key=asked.call_key)
