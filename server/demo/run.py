"""Makes one work from a brief in sight: follows it, answers its questions, fetches its files."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from infra import clock
from infra.money import Money
from infra.settings import Settings
from infra.supervision import Supervisor
from server.demo import results
from server.demo.client import AtelierClient, Told
from server.demo.host import hosted
from server.demo.screen import Screen, duration, rounded
from server.demo.story import Story
from server.errors import DemoError

SAMPLE_BRIEF = "A 20-second film about a ceramic mug made by hand, calm, in English"
_REFRESH_SECONDS = 0.125
_MODEL_AWAY_SECONDS = 300.0

type Json = dict[str, Any]


def run_demo(settings: Settings, brief: str | None, *, out: Path, approves: bool) -> int:
    """Run the demonstration and return the process's exit code.

    Raises:
        DemoError: the work failed, was stopped, or waits for what this program cannot say.
    """
    return asyncio.run(_run(settings, brief or "", out=out, approves=approves))


def introduction(brief: str, *, approves: bool) -> Iterator[Text]:
    """Yield what is said before anything starts: what is made, and who says yes to its price."""
    if not brief:
        yield Text('No brief was given, so a sample is made. Yours: make demo BRIEF="…"')
    yield Text.assemble(("Brief: ", "bold"), brief or SAMPLE_BRIEF)
    if approves:
        answers = (
            "Its plan and price are approved for you, in sight; --no-approve leaves that to you."
        )
    else:
        answers = "Every question is left to you."
    yield Text(answers, style="dim")


async def _run(settings: Settings, brief: str, *, out: Path, approves: bool) -> int:
    console = Console(highlight=False)
    brief = brief.strip()
    for line in introduction(brief, approves=approves):
        console.print(line, soft_wrap=True)
    brief = brief or SAMPLE_BRIEF
    async with hosted(settings) as client, Supervisor("demo") as supervisor:
        console.print(f"[dim]Follow it in a browser too: {client.address}[/dim]")
        screen = Screen(console)
        posted = await client.say(brief)
        demo = Demo(
            client=client,
            screen=screen,
            story=Story(message_id=posted["message_id"]),
            approves=approves,
            is_terminal=console.is_terminal,
        )
        with screen.shown():
            supervisor.start(demo.refresh(), name="screen")
            await demo.follow(int(posted["seq"]) - 1)
        if demo.story.is_answered and not demo.story.task:
            screen.answer(demo.story.replies[-1]["text"])
            return 0
        await _finish(demo, out)
        return 0


@dataclass(slots=True, kw_only=True)
class Demo:
    """One work on its way."""

    client: AtelierClient
    screen: Screen
    story: Story
    approves: bool
    is_terminal: bool
    _seen: set[str] = field(default_factory=set[str])
    _away_since: float | None = None

    async def refresh(self) -> None:
        """Let the clock on the screen run."""
        while self.is_terminal:
            self.screen.update(self.story)
            await asyncio.sleep(_REFRESH_SECONDS)

    async def follow(self, after: int) -> None:
        """Follow the work to its end and answer its questions.

        Raises:
            DemoError: it ended badly, or waits for what this program cannot say.
        """
        stream: AsyncGenerator[Told] = self.client.follow(after)
        async with aclosing(stream):
            async for told in stream:
                if told.type == "reset":
                    self.story.load(await self.client.get("/v1/snapshot"))
                elif told.type != "hello":
                    self.story.apply(told.type, told.data)
                self.screen.update(self.story)
                for approval in self.story.pending:
                    await self.ask(approval)
                if await self._is_over():
                    return

    async def _is_over(self) -> bool:
        story = self.story
        if story.message.get("status") == "refused":
            said = story.replies[-1]["text"] if story.replies else "The message was refused."
            raise DemoError(said)
        if story.has_ended:
            return True
        if story.is_stuck:
            await self._check_that_it_is_stuck()
        self._bear_with_the_model()
        return story.is_answered

    def _bear_with_the_model(self) -> None:
        if self.story.task.get("waiting_reason") != "provider":
            self._away_since = None
            return
        self._away_since = self._away_since or clock.monotonic()
        if clock.monotonic() - self._away_since > _MODEL_AWAY_SECONDS:
            message = f"The chat model does not come back. {self.story.task.get('reason') or ''}"
            raise DemoError(message.strip())

    async def _check_that_it_is_stuck(self) -> None:
        """What was told may be old; the task itself says whether it still waits."""
        self.story.apply("task.", await self.client.get(f"/v1/tasks/{self.story.task_id}"))
        if self.story.is_stuck:
            reason = self.story.task.get("reason") or "It waits for you."
            message = f"The work cannot go on without you. {reason}"
            raise DemoError(message)

    async def ask(self, approval: Json) -> None:
        """Show a question and answer it once, where that needs no words of the person's own.

        Raises:
            DemoError: nobody is there to answer it.
        """
        if approval["id"] in self._seen:
            return
        self._seen.add(approval["id"])
        self.screen.card(approval, self.story.money("limit").currency)
        if not self.approves:
            self._leave(approval)
            return
        actions: list[str] = approval["actions"]
        if "approve" in actions:
            await self.client.decide(approval, "approve")
            self.screen.say(f"Approved: {_what(approval)}", style="green")
        elif "choose" in actions and approval["options"]:
            option = choose_option(approval)
            await self.client.decide(approval, "choose", choice=str(option["id"]))
            self.screen.say(f"Answered: {approval['title']} → {option['label']}", style="green")
        else:
            # Any words of ours would be taken for the person's, and become what the work is about.
            self._leave(approval)

    def _leave(self, approval: Json) -> None:
        if not self.is_terminal:
            message = (
                f"It waits for your answer: {approval['title']} Say it in the brief, or"
                " answer on the page of make run."
            )
            raise DemoError(message)
        self.screen.say(f"Answer it at {self.client.address}", style="yellow")


def _what(approval: Json) -> str:
    price = approval["price"]
    if not price:
        return str(approval["title"])
    total = Money(price["amount_micros"], price["currency"])
    return f"{approval['title']} for {rounded(total)}"


def choose_option(approval: Json) -> Json:
    """Return the option that goes on with the work: of a route the new task, else the first."""
    options: list[Json] = approval["options"]
    if approval["kind"] == "route":
        options = [option for option in options if option["id"] == "new"] or options
    return options[0]


async def _finish(demo: Demo, out: Path) -> None:
    """Fetch and show what came of it.

    Raises:
        DemoError: it has failed or was stopped.
    """
    story, screen = demo.story, demo.screen
    story.apply("task.", await demo.client.get(f"/v1/tasks/{story.task_id}"))
    task = story.task
    if task["status"] != "completed":
        reason = task["reason"] or f"The task has {task['status']}."
        message = f"No work came of it. {reason}"
        raise DemoError(message)
    folder, stored = await results.fetch(demo.client, task, out)
    screen.files(folder, stored)
    delivery: Json = task["delivery"] or {}
    for heading in ("missing", "replaced", "truncated"):
        if delivery.get(heading):
            texts = [("", str(text)) for text in delivery[heading]]
            screen.table(texts, title=heading.capitalize())
    if delivery:
        rows = [(finding["severity"], finding["message"]) for finding in delivery["findings"]]
        screen.table(rows or [("none", "Every check passed.")], title="Findings")
    spent = story.money("settled") + story.money("absorbed")
    screen.table(
        [("cost", rounded(spent)), ("time", duration(screen.elapsed))],
        title=delivery.get("summary") or "It is done.",
    )
