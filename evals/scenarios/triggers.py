"""Whether what is waited for has come, by what is shown."""

from evals.scenarios.schema import Trigger
from evals.scenarios.view import Json, View


def has_come(trigger: Trigger, view: View) -> bool:
    """Tell whether it has; about a question, ask `fits`."""
    match trigger.kind:
        case "start":
            return True
        case "event":
            return _happened(trigger, view) >= trigger.number
        case "idle":
            return view.now_s - view.changed_s >= trigger.after_s
        case "time":
            return view.now_s >= trigger.after_s
        case "shown":
            return trigger.condition is not None and trigger.condition.holds(view.facts)
        case "question":
            return False


def comes_at(trigger: Trigger, view: View) -> float | None:
    """Return when it comes by itself, if nothing else is shown until then."""
    match trigger.kind:
        case "idle":
            return view.changed_s + trigger.after_s
        case "time":
            return trigger.after_s
        case _:
            return None


def fits(trigger: Trigger, question: Json, view: View) -> bool:
    """Tell whether it is about a question: of its kind, and the n-th of that kind if it says so."""
    if trigger.kind != "question" or trigger.type not in ("", question["kind"]):
        return False
    if not trigger.number:
        return True
    alike = [each["id"] for each in view.questions.values() if trigger.type in ("", each["kind"])]
    return alike.index(question["id"]) + 1 == trigger.number


def _happened(trigger: Trigger, view: View) -> int:
    if trigger.of is None:
        return view.happened[trigger.type]
    return view.happened_of[trigger.type, view.task_of(trigger.of) or ""]
