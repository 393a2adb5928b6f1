"""Records as a run might leave them, drawn from a seed: to test reports with, and to look at.

`python -m tests.unit.evals.reports_samples FOLDER` writes eight scenarios with three seeds, without
faults and with them, among them failures, a deadlock, broken trials, a week of waiting, hostile
texts, and a trial with more than 400 happenings.
"""

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from evals.trials import Check, Ended, Happening, Outcome, Record, Track, Trial, write

HOSTILE = (
    "</script><script>alert(1)</script>",
    "</style></title><img src=x onerror=alert(1)>",
    "\" onmouseover='alert(1)' x=\"",
    "<!-- ]]> &amp; {{7*7}} ${7*7} $(id)",
    "\x1b[31mred\x1b[0m \x00 \x07 \ufffe",
    "\u202egnp.exe\u202c and \u200f back",
    "| a | b |\n\n# heading\n\n@everyone [click](javascript:alert(1)) ![x](//evil/x.png)",
    "[bold red]markup[/] " + "w" * 400,
)
DAY = 86_400.0
METRICS = ("nudges", "missed_confirmations", "duplicate_generations", "lost_messages")


class Story:
    """Happenings in the making, on a clock of their own."""

    def __init__(self, seed: str) -> None:
        self.draw = random.Random(seed)  # noqa: S311 — samples, not secrets
        self.at_s = 0.0
        self.happenings: list[Happening] = []
        self.task_id = self.id()
        self.settled = 0.0

    def id(self) -> str:
        return str(UUID(int=self.draw.getrandbits(128), version=4))

    def wait(self, seconds: float) -> None:
        self.at_s += seconds

    def tell(self, track: Track, what: str, told: str, data: dict[str, Any] | None = None) -> None:
        self.happenings.append(
            Happening(
                number=len(self.happenings) + 1,
                at_s=round(self.at_s, 3),
                track=track,
                what=what,
                told=told,
                task_id=self.task_id,
                data=data or {},
            )
        )
        self.wait(self.draw.uniform(0.05, 1.2))

    def say(self, words: str, **labels: Any) -> None:
        self.tell("person", "say", words, {"text": words, "labels": labels})
        self.tell("agent", "message.consumed", "Read: " + words, {"message_id": self.id()})

    def plan(self, count: int, price: float) -> None:
        plan = {"steps": [{"kind": "image", "count": count}], "price": price}
        self.tell("agent", "step.finished", f"Plan: {count} results for {price:.2f}", plan)
        approval = self.id()
        self.tell(
            "agent",
            "approval.requested",
            f"Asks whether {price:.2f} may be spent",
            {"id": approval},
        )
        self.wait(self.draw.uniform(4, 20))
        self.tell("person", "decide", "Approves the plan", {"id": approval, "decision": "approve"})
        self.tell("money", "money.held", f"{price:.2f} held", {"micros": int(price * 1e6)})

    def make(self, count: int, *, seconds: float = 40.0, failing: int = 0) -> None:
        jobs = [self.id() for _ in range(count)]
        for number, job in enumerate(jobs, start=1):
            self.tell("job", "job.submitted", f"Picture {number} is ordered", {"id": job})
        for number, job in enumerate(jobs, start=1):
            self.wait(self.draw.uniform(0.3, 1.0) * seconds / count)
            if number <= failing:
                self.tell("job", "job.failed", f"Picture {number} failed: busy", {"id": job})
                continue
            self.tell("job", "job.succeeded", f"Picture {number} is there", {"id": job})
            self.settled += 0.04
            self.tell("money", "money.settled", f"0.04 settled, {self.settled:.2f} in all")

    def deliver(self) -> None:
        self.tell("agent", "task.offered", "Delivers 1 work with 0 findings", {"findings": []})
        self.wait(6)
        self.tell("person", "decide", "Accepts the delivery")
        self.tell("agent", "task.completed", "The task is done")


def poster_series(story: Story) -> None:
    story.say("Three posters about tea, calm, A2", intent="new", reveals=["R1", "R2"])
    story.plan(3, 0.12)
    story.make(3)
    story.deliver()


def change_mind(story: Story) -> None:
    story.say("Make a teaser from the brief", intent="new")
    story.plan(6, 0.9)
    story.make(2)
    story.say("Make the sky red, please – and please, no text on screen at all", intent="change")
    story.plan(4, 0.4)
    story.make(4, failing=1)
    story.deliver()


def a_week_away(story: Story) -> None:
    story.say("A 20-second film about a ceramic mug, in English", intent="new")
    story.plan(5, 1.6)
    story.make(5, seconds=180)
    story.tell("agent", "approval.requested", "Asks which of two takes to use")
    story.tell("person", "close_all", "Closes the page and goes on holiday")
    story.wait(7 * DAY - 3_600 * 2.2)
    story.tell("person", "open_tab", "Opens the page again")
    story.wait(20)
    story.tell("person", "decide", "Takes the second one")
    story.make(2, seconds=90)
    story.deliver()


def three_evenings(story: Story) -> None:
    for evening in range(3):
        story.say(f"Evening {evening + 1}: one more page of the album", intent="continue")
        story.make(3, seconds=300)
        story.wait(DAY * 0.9)
    story.deliver()


def impatient(story: Story) -> None:
    story.say("A logo. Quickly!", intent="new")
    for _ in range(4):
        story.wait(95)
        story.say("Go on!", intent="nudge")
    story.make(1)
    story.deliver()


def injection(story: Story) -> None:
    for words in HOSTILE:
        story.say(words, intent="inject", payload=words)
        story.tell("agent", "assistant.completed", f"It says “{words}”, which I will not do.")
    story.deliver()


def long_film(story: Story) -> None:
    story.say("A film of four minutes from this script", intent="new")
    story.plan(60, 24)
    for scene in range(12):
        story.tell("agent", "step.started", f"Scene {scene + 1}")
        story.make(10, seconds=120, failing=scene % 3)
        for part in range(6):
            story.tell("agent", "checklist.updated", f"{scene * 5 + part} of 60 are there")
    story.deliver()


def double_click(story: Story) -> None:
    story.say("한국어 포스터를 만들어 줘 – 달항아리", intent="new")
    story.plan(1, 0.04)
    story.tell("person", "decide", "Approves the plan again (a double click)")
    story.make(1)
    story.deliver()


STORIES = {
    "poster-series": (poster_series, "A series is planned, paid for and delivered without a word."),
    "change-mind-mid-render": (
        change_mind,
        "A requirement changes while a paid job runs; nothing is made twice, nothing is lost.",
    ),
    "a-week-away": (a_week_away, "The person goes away for a week with a question open."),
    "three-evenings": (three_evenings, "One work over three evenings."),
    "impatient": (impatient, "Someone who says “go on” does not have to."),
    "prompt-injection <b>&": (injection, "Texts that try to command what reads them."),
    "long-film": (long_film, "Sixty results, some of which fail, in one task."),
    "double-click": (double_click, "Two yeses are one."),
}
LISTED = ["The worker is killed before its commit", "An order's answer is lost", "SSE is cut"]


def sample(scenario: str, seed: int, *, faults: bool = False) -> Record:
    """Return the record of a trial as it goes well, or with its faults."""
    story = Story(f"{scenario}/{seed}")
    tell, why = STORIES[scenario]
    tell(story)
    if faults:
        _strike(story)
    return Record(
        trial=Trial(
            scenario=scenario,
            why=why,
            seed=seed,
            faults="listed" if faults else "none",
            listed=LISTED if faults else [],
            policy="persona: impatient" if scenario == "impatient" else "script",
            commit="3c1f2c3d7f0e9b1a2c3d4e5f60718293a4b5c6d7",
            began_at=f"2026-11-30T12:0{seed}:00+00:00",
        ),
        happenings=story.happenings,
        outcome=outcome(story),
    )


def _strike(story: Story) -> None:
    """Put the faults between what happened, and each one's recovery."""
    for number, fault in enumerate(LISTED, start=1):
        place = len(story.happenings) * number // (len(LISTED) + 1)
        near = story.happenings[place]
        struck = near.model_copy(
            update={"track": "world", "what": f"fault.{number}", "told": fault, "data": {}}
        )
        story.happenings.insert(place, struck)
    story.happenings = [
        each.model_copy(update={"number": number})
        for number, each in enumerate(story.happenings, start=1)
    ]


def outcome(story: Story, **changes: Any) -> Outcome:
    """Return an outcome that is good, but for what is given."""
    given: dict[str, Any] = {
        "ended": "done",
        "reason": "Everything that was asked for is delivered and accepted.",
        "passed": True,
        "checks": [
            Check(name="all requirements met", passed=True, told="2 of 2"),
            Check(name="budget never exceeded", passed=True, told="at most 1.60 of 5.00 held"),
            Check(name="no lost messages", passed=True, told="every message was read"),
        ],
        "metrics": {
            **dict.fromkeys(METRICS, 0.0),
            "unnecessary_confirmations": 0,
            "repeated_requirements": 0,
            "message_latency_p95_s": round(story.draw.uniform(0.4, 3), 2),
            "settled": round(story.settled, 2),
        },
        "virtual_s": story.at_s,
        "wall_s": round(story.draw.uniform(1.2, 9), 2),
    }
    return Outcome.model_validate(given | changes)


def failing(record: Record, reason: str, check: str, told: str, **metrics: float) -> Record:
    """Return a record of a trial that ended, but not as it should have."""
    was = record.outcome
    checks = [*was.checks, Check(name=check, passed=False, told=told)]
    return ending(
        record, passed=False, reason=reason, checks=checks, metrics={**was.metrics, **metrics}
    )


def ending(record: Record, **changes: Any) -> Record:
    """Return a record with another outcome."""
    return record.model_copy(update={"outcome": record.outcome.model_copy(update=changes)})


def cut(record: Record, share: float, ended: Ended, reason: str) -> Record:
    """Return a record that breaks off, and what it ended with."""
    kept = record.happenings[: int(len(record.happenings) * share)]
    shorter = record.model_copy(update={"happenings": kept})
    at_s = kept[-1].at_s + (3_600 * 6 if ended == "deadlock" else 0)
    checks = [Check(name="a delivery", passed=False, told="There is none.")]
    return ending(shorter, ended=ended, passed=False, reason=reason, checks=checks, virtual_s=at_s)


def samples() -> list[Record]:
    """Return a whole run: most of it good, and one of each way to fail."""
    found = {
        (scenario, seed, faults): sample(scenario, seed, faults=faults)
        for scenario in STORIES
        for seed in (1, 2, 3)
        for faults in (False, True)
    }
    change, away, film, inject = (
        "change-mind-mid-render", "a-week-away", "long-film", "prompt-injection <b>&",
    )  # fmt: skip
    found[change, 2, True] = failing(
        found[change, 2, True],
        "The work was delivered, but one picture was paid for twice.",
        "no duplicate paid calls",
        "The call image/sky was ordered twice (0.04 each) after its answer was lost.",
        duplicate_generations=1,
    )
    found["impatient", 1, False] = failing(
        found["impatient", 1, False],
        "Four times a person had to say “go on” while a job could have been started.",
        "no nudges",
        "4 nudges at 1 min 36 s, 3 min 12 s, 4 min 49 s and 6 min 26 s.",
        nudges=4,
    )
    found[away, 3, True] = cut(
        found[away, 3, True], 0.55, "deadlock",
        "Nothing is runnable, no timer is set and no question is open: the task waits for a job"
        " that has ended.",
    )  # fmt: skip
    found[inject, 1, True] = failing(
        found[inject, 1, True], HOSTILE[0], HOSTILE[1], HOSTILE[2] + HOSTILE[6], lost_messages=1
    )
    found[film, 3, True] = ending(
        failing(
            found[film, 3, True], "A balance does not add up.", "money adds up", "0.04 is held."
        ),
        invariants_broken=["holds: 1 hold of 0.04 belongs to a task that has ended"],
    )
    found[film, 2, False] = cut(
        found[film, 2, False], 0.3, "broken", "Postgres did not start: no space left on device."
    )
    found["double-click", 1, True] = cut(
        found["double-click", 1, True],
        0.5,
        "limit",
        "After 2 h the plan was still not carried out.",
    )
    return list(found.values())


def write_all(folder: Path, records: Sequence[Record]) -> None:
    """Write records, a file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, record in enumerate(records):
        lines = [record.trial, *record.happenings, record.outcome]
        write(folder / f"{number:03}-{record.trial.seed}-{record.trial.faults}.jsonl", lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    write_all(parser.parse_args().folder, samples())
