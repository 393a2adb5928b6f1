"""What a person sees, in words: what a model that plays one is told of the page, and nothing more.

Ids stay outside: works go by the name that the person has for them, questions by `Q1`, `Q2`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from evals.scenarios.view import Json, View

_MOST_MESSAGES = 12
_MOST_RESULTS = 12
_WORDS = 400


@dataclass(frozen=True, slots=True)
class Sight:
    """A look at the page: its words, and which questions the names in it stand for."""

    text: str
    questions: dict[str, Json]


def look(view: View) -> Sight:
    """Return what is on the page now."""
    questions = {f"Q{number}": each for number, each in enumerate(view.pending, start=1)}
    parts = [
        f"It is {timedelta(seconds=round(view.now_s))} since you came.",
        _listed("Works", [_work(each, view) for each in view.tasks.values()]),
        _listed(
            "Questions that wait for you",
            [_question(name, each, view) for name, each in questions.items()],
        ),
        _listed("The conversation, the newest last", _messages(view)),
    ]
    return Sight("\n\n".join(parts), questions)


def marks(view: View) -> frozenset[str]:
    """Return everything that a person looks up for: questions, answers, works that came to rest."""
    asked = {f"asked {each['id']} {each['args_hash']}" for each in view.pending}
    ended = {
        f"{each['status']} {each['id']} {(each['delivery'] or {}).get('revision', 0)}"
        for each in view.tasks.values()
        if each["status"] not in ("active", "waiting")
    }
    said = {
        f"said {each['id']}"
        for each in view.messages.values()
        if each["role"] != "user" and each["status"] == "complete"
    }
    return frozenset(asked | ended | said)


def _listed(title: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{title}:", *(f"- {line}" for line in lines)]) if lines else f"{title}: none"


def _work(task: Json, view: View) -> str:
    key = view.key_of(task["id"])
    named = f"{key} (“{task['title']}”)" if key else f"“{task['title']}”"
    reason = task["reason"] or task["waiting_reason"]
    jobs = task["jobs"]
    told = [
        f"{named}: {task['status']}{f' – {reason}' if reason else ''}",
        f"{jobs['running'] + jobs['queued']} being made" if jobs["total"] else "",
        _results(task, view),
    ]
    return "; ".join(each for each in told if each)


def _results(task: Json, view: View) -> str:
    plan: Json = task["checklist"] or {}
    items: list[Json] = plan.get("items", [])
    counted = [f"{each['title']} {each['done']} of {each['expected']}" for each in items]
    made = [output for each in items for output in each["outputs"]] + task["results"]
    named = [_named(each, view) for each in made[:_MOST_RESULTS]]
    more = f" and {len(made) - len(named)} more" if len(made) > len(named) else ""
    parts = [", ".join(counted), f"made: {', '.join(named)}{more}" if named else ""]
    return "; ".join(each for each in parts if each)


def _named(output: Json, view: View) -> str:
    shown = view.objects.get(output["object_id"], {})
    return f"{shown.get('name', output['role'])} ({output['kind']})"


def _question(name: str, question: Json, view: View) -> str:
    price: Json = question.get("price") or {}
    amount = price.get("amount_micros")
    options = [str(each["label"]) for each in question["options"]]
    key = view.key_of(question["task_id"])
    told = [
        f"{name}{f' about {key}' if key else ''}: {question['title']}",
        str(question.get("body") or "")[:_WORDS],
        f"it costs {amount / 1e6:.2f}" if amount else "",
        f"you can {', '.join(question['actions'])}",
        f"choices: {' | '.join(options)}" if options else "",
    ]
    return ". ".join(each for each in told if each)


def _messages(view: View) -> list[str]:
    said = list(view.messages.values())[-_MOST_MESSAGES:]
    return [
        f"{'you' if each['role'] == 'user' else 'the agent'}: {each['text'][:_WORDS]}"
        f"{' [not read yet]' if each['status'] in ('received', 'routed', 'delivered') else ''}"
        for each in said
    ]
