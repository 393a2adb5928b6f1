"""Whether everything that a scenario refers to is there: works, wishes, events, vendors, facts.

Each finding is a place and a sentence. A reference that nothing answers would silently be no act,
no fault or no check.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evals.refusals import Place
from evals.scenarios.conditions import Condition, number_of
from evals.scenarios.schema import Act, Fault, Persona, Scenario, Trigger
from evals.scenarios.vocabulary import (
    EVENTS,
    FACTS,
    FACTS_OF_A_WORK,
    NOBODY,
    QUESTIONS,
    RESERVED,
    REVIEW_POINTS,
    SERVICES,
    THIS_MACHINE,
    Fact,
)

type Finding = tuple[Place, str]


@dataclass(frozen=True, slots=True)
class Deed:
    """An act, where it stands, and what it waits for: nothing, if a persona does it."""

    place: Place
    act: Act
    when: Trigger | None


def findings(scenario: Scenario) -> list[Finding]:
    """Return every reference that nothing answers, and everything that can never be."""
    deeds = list(_deeds(scenario))
    works = {deed.act.begins for deed in deeds if deed.act.begins and deed.act.say is not None}
    return [
        *_begun(deeds),
        *_world(scenario),
        *_faults(scenario),
        *(found for deed in deeds for found in _act(deed, works, scenario)),
        *_triggers(scenario, works),
        *_order(scenario),
        *_persona(scenario.user.persona),
        *_wishes(scenario),
        *_conditions(scenario, works),
        *_end(scenario, deeds),
    ]


def _deeds(scenario: Scenario) -> Iterator[Deed]:
    for number, line in enumerate(scenario.user.script):
        yield Deed(("user", "script", number, "do"), line.do, line.when)
    if (persona := scenario.user.persona) is not None:
        yield Deed(("user", "persona", "brief"), persona.brief, None)
        for number, act in enumerate(persona.changes):
            yield Deed(("user", "persona", "changes", number), act, None)


def _listed(names: Iterable[object]) -> str:
    return ", ".join(sorted(map(str, names))) or "nothing"


def _begun(deeds: list[Deed]) -> Iterator[Finding]:
    seen: set[str] = set()
    for deed in deeds:
        key = deed.act.begins
        if key is None:
            continue
        place = (*deed.place, "begins")
        if deed.act.say is None:
            yield place, "only words (say) begin a work"
        if key in RESERVED:
            yield place, f"no work can be called {key}: conditions mean something else by it"
        if key in seen:
            yield place, f"{key} is begun twice"
        if deed.when is not None and deed.when.kind == "question" and not deed.when.number:
            yield place, f"{key} would be begun at each question: say which one, as in question 1"
        seen.add(key)


def _world(scenario: Scenario) -> Iterator[Finding]:
    world = scenario.world
    for number, name in enumerate(world.services):
        place = ("world", "services", number)
        if name not in SERVICES:
            yield place, f"there is no service {name}; there is {_listed(SERVICES)}"
        elif name in world.services[:number]:
            yield place, f"{name} is named twice"
    for number, name in enumerate(world.review_points):
        if name not in REVIEW_POINTS:
            place = ("world", "review_points", number)
            yield place, f"there is no kind of step {name}; there is {_listed(REVIEW_POINTS)}"


def _all_faults(scenario: Scenario) -> Iterator[tuple[Place, Fault]]:
    for number, fault in enumerate(scenario.world.faults):
        yield ("world", "faults", number), fault
    for number, fault in enumerate(scenario.faults):
        yield ("faults", number), fault


def _faults(scenario: Scenario) -> Iterator[Finding]:
    vendors = SERVICES - {THIS_MACHINE}
    for place, fault in _all_faults(scenario):
        if fault.when.kind == "question":
            yield (*place, "when"), "a fault sees no questions; take event approval.requested"
        if fault.vendor is None:
            continue
        if fault.vendor not in vendors:
            said = f"there is no vendor {fault.vendor}; there is {_listed(vendors)}"
            yield (*place, "vendor"), said
        elif fault.vendor not in scenario.world.services:
            said = f"{fault.vendor} is none of world.services, so nothing is ordered from it"
            yield (*place, "vendor"), said


def _act(deed: Deed, works: set[str], scenario: Scenario) -> Iterator[Finding]:
    act = deed.act
    spoken = {name: getattr(act, name) for name in ("to", "accept", "stop", "pause", "resume")}
    spoken["target"] = None if act.target == NOBODY else act.target
    spoken["edit.work"] = act.edit.work if act.edit else None
    for name, key in spoken.items():
        if key is not None and key not in works:
            place = (*deed.place, *name.split("."))
            yield place, f"no words begin {key}; begun is {_listed(works)}"
    if act.begins is not None and act.to == act.begins:
        yield (*deed.place, "to"), f"the words that begin {act.begins} cannot be sent to it"
    wishes = {wish.id for wish in scenario.user.requirements}
    for number, wish in enumerate(act.reveals):
        if wish not in wishes:
            place = (*deed.place, "reveals", number)
            yield place, f"there is no requirement {wish}; there is {_listed(wishes)}"
    yield from _answer(deed)
    for name in ("say", "upload"):
        if (words := getattr(act, name)) is not None and not words.strip():
            yield (*deed.place, name), "it must not be empty"


def _answer(deed: Deed) -> Iterator[Finding]:
    act, place = deed.act, deed.place
    about_one = deed.when is not None and deed.when.kind == "question"
    if act.decide is not None and not about_one:
        yield (*place, "decide"), "there is a question to decide only in a line `when: question`"
    if act.about_question and not (about_one and act.say is not None):
        yield (*place, "about_question"), "only words in a line `when: question` are about one"
    if act.decide == "choose" and not (act.choice or "").strip():
        yield (*place, "decide"), "to choose needs a choice"
    if act.decide == "edit" and not act.edited:
        yield (*place, "decide"), "to edit needs what is edited"
    needs = {"choice": "choose", "edited": "edit"}
    for name, decision in needs.items():
        if getattr(act, name) is not None and act.decide != decision:
            yield (*place, name), f"it does nothing without `decide: {decision}`"
    if act.note is not None and act.decide is None:
        yield (*place, "note"), "it does nothing without decide"
    if act.to is not None and act.say is None and act.upload is None:
        yield (*place, "to"), "only words (say) and a picture (upload) go to a work"
    if deed.when is None and act.after_s:
        yield (*place, "after_s"), "it does nothing: a persona has a pace of its own"


def _all_triggers(scenario: Scenario) -> Iterator[tuple[Place, Trigger]]:
    for number, line in enumerate(scenario.user.script):
        yield ("user", "script", number, "when"), line.when
    for place, fault in _all_faults(scenario):
        yield (*place, "when"), fault.when


def _triggers(scenario: Scenario, works: set[str]) -> Iterator[Finding]:
    for place, when in _all_triggers(scenario):
        if when.kind == "event":
            if when.type not in EVENTS:
                yield place, f"there is no event {when.type}; there is {_listed(EVENTS)}"
            if when.number < 1:
                yield place, "events are counted from 1"
            if when.of is not None and when.of not in works:
                yield place, f"no words begin {when.of}; begun is {_listed(works)}"
        if when.kind == "question" and when.type not in {"", *QUESTIONS}:
            yield place, f"there is no question {when.type}; there is {_listed(QUESTIONS)}"
        if when.kind == "shown":
            if when.condition is None:
                yield place, "it says no condition"
            else:
                yield from _condition(place, when.condition, works)


def _order(scenario: Scenario) -> Iterator[Finding]:
    """Find lines about questions that an earlier line always answers."""
    before: list[Trigger] = []
    for number, line in enumerate(scenario.user.script):
        when = line.when
        if when.kind != "question":
            continue
        if any(_covers(each, when) for each in before):
            place = ("user", "script", number, "when")
            yield place, "a line before it already answers every such question"
        before.append(when)


def _covers(first: Trigger, second: Trigger) -> bool:
    if first.number:
        return (first.type, first.number) == (second.type, second.number)
    return first.type in ("", second.type)


def _persona(persona: Persona | None) -> Iterator[Finding]:
    if persona is None:
        return
    for name, of in (("patience_s", "impatient"), ("away_s", "disappears")):
        if name in persona.model_fields_set and persona.name != of:
            yield ("user", "persona", name), f"it is only of somebody who is called {of}"


def _wishes(scenario: Scenario) -> Iterator[Finding]:
    counted = Counter(wish.id for wish in scenario.user.requirements)
    for number, wish in enumerate(scenario.user.requirements):
        if counted[wish.id] > 1:
            place = ("user", "requirements", number, "id")
            yield place, f"{counted[wish.id]} requirements are called {wish.id}"
            return


def _conditions(scenario: Scenario, works: set[str]) -> Iterator[Finding]:
    for number, condition in enumerate(scenario.done):
        yield from _condition(("done", number), condition, works)
    for number, condition in enumerate(scenario.expect.state):
        yield from _condition(("expect", "state", number), condition, works)
    for number, wish in enumerate(scenario.user.requirements):
        yield from _condition(("user", "requirements", number, "check"), wish.check, works)


def _condition(place: Place, condition: Condition, works: set[str]) -> Iterator[Finding]:
    fact = FACTS.get(condition.name)
    if fact is None:
        work, _, name = condition.name.partition(".")
        if work not in works:
            yield place, f"'{condition}' is about {work}, which no words begin, or no fact of all"
            return
        fact = FACTS_OF_A_WORK.get(name)
    if fact is None:
        known = _listed(FACTS_OF_A_WORK)
        yield place, f"'{condition}' is about no fact of a work; there is {known}"
    elif (said := _unfit(condition, fact)) is not None:
        yield place, f"'{condition}' never says anything: {said}"


def _unfit(condition: Condition, fact: Fact) -> str | None:
    """Say why a fact cannot be compared like this, if so."""
    if fact.is_number:
        if condition.comparison == "~":
            return f"{condition.name} is a number, which contains nothing"
        is_number = number_of(condition.wanted) is not None
        return None if is_number else f"{condition.name} is a number, {condition.wanted} is none"
    if condition.is_by_number:
        return f"{condition.name} is in words, which are not more or less"
    if fact.words is None:
        return None
    is_one = (
        any(condition.wanted.lower() in word for word in fact.words)
        if condition.comparison == "~"
        else condition.wanted in fact.words
    )
    return None if is_one else f"{condition.name} is one of {_listed(fact.words)}"


def _end(scenario: Scenario, deeds: list[Deed]) -> Iterator[Finding]:
    leaves = any(deed.act.leave for deed in deeds)
    if scenario.expect.ends == "leave" and not leaves:
        yield ("expect", "ends"), "nobody leaves, so it cannot end so"
    if scenario.expect.ends == "done" and not scenario.done:
        yield ("done",), "nothing says when it is done, and it is expected to end so"
