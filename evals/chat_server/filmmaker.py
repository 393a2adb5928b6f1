"""Answers as a good worker who makes a film would, from the state that it is shown alone.

The film is a script, keyframes by its scenes, shots from the keyframes and, with a cast, pictures
of the characters that the keyframes show. A person who wants another character says so in words:
`Character 2: older, with a white beard`. Whatever rests on that character is then made again.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage

from evals.chat_server.script import Answer, Call, Choose, Reply, tools_of

type Proposed = tuple[str, dict[str, Any]]

SCRIPT, CAST, FRAMES, SHOTS, MASTER = "script", "cast", "frames", "shots", "film"
MOST_CALLS = 16
"""What is proposed at once; a step takes no more."""
_TITLE = "Weather"
_ROUTED = Call(
    name="route",
    arguments=json.dumps({"outcome": "new", "title": _TITLE, "goal": "film", "language": "en"}),
)
_WISH = re.compile(r"Character (\d+): (.+)")


def script(scenes: int, **changed: str) -> str:
    """Return a script of so many scenes; `scene_2="Rain."` gives one other words."""
    words = [changed.get(f"scene_{number}", f"Sun {number}.") for number in range(1, scenes + 1)]
    parts = [f"## Scene {number}\n\n{said}\n" for number, said in enumerate(words, start=1)]
    return f"# {_TITLE}\n\n" + "\n".join(parts)


def film(count: int) -> list[dict[str, Any]]:
    """Return the steps of a film of so many shots, without its master."""
    return [
        {"key": SCRIPT, "title": "Script", "kind": "script"},
        {
            "key": FRAMES,
            "title": "Keyframes",
            "kind": "keyframes",
            "count": count,
            "depends_on": [SCRIPT],
        },
        {
            "key": SHOTS,
            "title": "Shots",
            "kind": "shots",
            "count": count,
            "seconds": 2 * count,
            "depends_on": [FRAMES],
        },
    ]


def film_with_cast(count: int, people: int = 3) -> list[dict[str, Any]]:
    """Return the steps of a film with characters, which its keyframes show, and its master."""
    script_, frames, shots = film(count)
    cast = {"key": CAST, "title": "Characters", "kind": "characters", "count": people}
    master = {"key": MASTER, "title": "Film", "kind": "master", "depends_on": [SHOTS]}
    return [script_, cast, frames | {"depends_on": [SCRIPT, CAST]}, shots, master]


def in_turn(count: int, people: int) -> dict[int, list[int]]:
    """Return which of so many people each shot shows: one after another."""
    return {slot: [1 + (slot - 1) % people] for slot in range(1, count + 1)}


def calls(*proposed: Proposed) -> AIMessage:
    """Return an answer that proposes these calls."""
    return AIMessage(
        content="",
        tool_calls=[
            {"name": name, "args": arguments, "id": f"c{number}"}
            for number, (name, arguments) in enumerate(proposed)
        ],
    )


def propose(steps: list[dict[str, Any]], **given: Any) -> AIMessage:
    """Return a plan of these steps."""
    said = {"title": _TITLE, "summary": "A film.", "language": "en", "steps": steps}
    return calls(("propose_plan", said | given))


def revise(
    steps: list[dict[str, Any]], sides: dict[str, int] | None = None, **remake: list[int]
) -> AIMessage:
    """Return the same plan once more, with these slots of its steps made again."""
    return propose(
        [step | {"remake": remake.get(step["key"], [])} for step in steps],
        keep=[step["key"] for step in steps],
        **sides or {},
    )


@dataclass(kw_only=True)
class ByState:
    """What is answered, by the state alone.

    It looks at calls whose answer was lost, then fills every slot that is missing. `shows` tells
    which characters a keyframe shows, which are named as its references. With `remakes` it makes
    again whatever has changed or is to be another, and nothing else; while a question is open it
    asks no other. `sides` are the width and height of everything.
    """

    steps: list[dict[str, Any]]
    shows: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    remakes: bool = False
    sides: dict[str, int] = field(default_factory=dict[str, int])

    def answer(self, state: dict[str, Any]) -> AIMessage:
        """Return the next thing to do."""
        if state["plan"] is None:
            return propose(self.steps, **self.sides)
        if not state["plan"]["approved"]:
            return AIMessage(content="")
        if state["doubts"]:
            lost = [("check_call", {"call": each["call"]}) for each in state["doubts"]]
            return calls(*lost[:MOST_CALLS])
        if self.remakes and not state.get("waiting") and (remake := self.again(state)):
            return revise(self.steps, self.sides, **remake)
        return calls(*self.orders(state)[:MOST_CALLS])

    def again(self, state: dict[str, Any]) -> dict[str, list[int]]:
        """Return which slots of which steps are to be made again: exactly what is affected."""
        places = {
            (result["step"], result["slot"])
            for change in state.get("changes", [])
            for result in change["results"]
        }
        for person, wish in wishes(state).items():
            if person in _there(state, CAST) and not _name(state, CAST, person).endswith(wish):
                shown = [slot for slot, people in self.shows.items() if person in people]
                places |= {(CAST, person)}
                places |= {
                    (step, slot)
                    for step in (FRAMES, SHOTS)
                    for slot in _there(state, step).intersection(shown)
                }
        remake: dict[str, list[int]] = {}
        for step, slot in sorted(places):
            remake.setdefault(step, []).append(slot)
        return remake

    def orders(self, state: dict[str, Any]) -> list[Proposed]:
        """Return a call for each slot that can be filled."""
        return [
            self._order(state, step, slot)
            for step in state["plan"]["steps"]
            if step["status"] in ("ready", "doing")
            for slot in step["missing_slots"]
        ]

    def _order(self, state: dict[str, Any], step: dict[str, Any], slot: int) -> Proposed:
        named = {"step": step["key"], "name": f"{step['title']} {slot}"}
        prompt = f"{step['key']} {slot}. Take {state['plan']['version']}"
        match step["kind"]:
            case "script":
                return "write_document", named | {"text": script(self.count)}
            case "shots":
                frame = found(state, FRAMES, slot)["object_id"]
                given = {"slot": slot, "duration_s": 2, "image_object_id": frame} | self.sides
                shot = f"shot {slot}. Take {state['plan']['version']}"
                return "generate_clip", named | given | {"prompt": shot}
            case "master":
                return "assemble_film", named | {"title": _TITLE, "burn_captions": False}
            case "keyframes":
                shown = self.shows.get(slot, [])
                cast = [found(state, CAST, each)["object_id"] for each in shown]
                given = {"slot": slot, "prompt": prompt, "reference_object_ids": cast} | self.sides
                return "generate_image", named | given
            case _:
                wish = wishes(state).get(slot)
                told = {"name": f"{named['name']}: {wish}", "prompt": f"{prompt}. {wish}"}
                given = {"slot": slot, "prompt": prompt} | (told if wish else {}) | self.sides
                return "generate_image", named | given

    @property
    def count(self) -> int:
        """How many shots there are."""
        return next(each["count"] for each in self.steps if each["kind"] == "keyframes")


def wishes(state: dict[str, Any]) -> dict[int, str]:
    """Return what the person has last said of each character."""
    found = map(_WISH.fullmatch, state.get("person_said", []))
    return {int(each[1]): each[2] for each in found if each}


def found(state: dict[str, Any], step: str, slot: int) -> dict[str, Any]:
    """Return the newest object of a slot."""
    of_slot = [each for each in state["objects"] if (each["step"], each["slot"]) == (step, slot)]
    return of_slot[-1]


def _name(state: dict[str, Any], step: str, slot: int) -> str:
    return str(found(state, step, slot)["name"])


def _there(state: dict[str, Any], key: str) -> set[int]:
    """Return the slots of a step that are filled, or on their way."""
    step = next(each for each in state["plan"]["steps"] if each["key"] == key)
    empty = {*step["missing_slots"], *step.get("waiting_slots", []), *step.get("asked_slots", [])}
    return {*range(1, step["count"] + 1)} - empty


def answering(by_state: ByState) -> Choose:
    """Answer the router, whoever asks without tools, and the worker from the state it is shown."""

    def choose(body: dict[str, Any]) -> Answer:
        tools = tools_of(body)
        if "route" in tools:
            return Reply(calls=(_ROUTED,))
        if not tools:
            return Reply(text="Good day.")
        said = by_state.answer(_state(body["messages"][-1]["content"]))
        proposed = tuple(
            Call(name=each["name"], arguments=json.dumps(each["args"])) for each in said.tool_calls
        )
        return Reply(text=str(said.content), calls=proposed, piece=400)

    return choose


def _state(content: str) -> dict[str, Any]:
    return json.loads(content.removeprefix("<state>").removesuffix("</state>"))
