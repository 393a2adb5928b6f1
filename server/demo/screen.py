"""Shows the work in a terminal: a live picture, or one line per change where there is none."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from babel.numbers import get_currency_precision
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markdown import Markdown
from rich.padding import Padding
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from infra import clock
from infra.money import MICROS, Money
from server.demo.story import Story

type Json = dict[str, Any]

_MARKS = {
    "done": ("✓", "green"),
    "doing": ("▸", "cyan"),
    "ready": ("▸", "cyan"),
    "failed": ("✗", "red"),
    "todo": ("·", "dim"),
}
_STATE_STYLES = {
    "done": "bold green",
    "failed": "bold red",
    "stopped": "bold red",
    "stuck": "yellow",
}
_WORDS = 2
_BAR = (10, 40)
_BESIDE_TITLES = 36
"""Columns that mark, numbers and gaps of a step take."""
_SPIN = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class Screen:
    """What the person sees; `update` after every change, `say` for what must stay."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._started = clock.monotonic()
        self._live: Live | None = None
        self._told: dict[str, str] = {}
        if console.is_terminal:
            self._live = Live(console=console, auto_refresh=False, transient=True)

    @property
    def elapsed(self) -> float:
        """Seconds since the screen was made."""
        return clock.monotonic() - self._started

    def shown(self) -> AbstractContextManager[object]:
        """Keep the live picture on the terminal while the block runs."""
        return self._live or nullcontext()

    def update(self, story: Story) -> None:
        """Show where the work stands now."""
        if self._live is not None:
            self._live.update(self.picture(story), refresh=True)
            return
        for key, line in _facts(story):
            if self._told.get(key) != line:
                self._told[key] = line
                self._line(line)

    def say(self, text: str, *, style: str = "") -> None:
        """Tell something that stays."""
        if self._live is None:
            self._line(text)
        else:
            self._console.print(Text(text, style=style))

    def card(self, approval: Json, currency: str) -> None:
        """Show a question as it was asked."""
        if self._live is None:
            self._line(f"Question: {approval['title']}")
            for label, detail, amount in _card_lines(approval, currency):
                self._line("  " + "  ".join(part for part in (label, detail, amount) if part))
        else:
            self._console.print(_card(approval, currency))

    def answer(self, text: str) -> None:
        """Show what the agent answered instead of doing work."""
        if self._live is not None:
            self._console.print(Padding(Markdown(text), (1, 2)))
        elif not self._told.get("words"):
            self._line(text)

    def table(self, rows: Iterable[tuple[str, str]], *, title: str) -> None:
        """Show pairs, such as a file and what it is."""
        if self._live is None:
            self._line(title)
            for name, value in rows:
                self._line(f"  {name}: {value}" if name else f"  {value}")
            return
        self._console.print(Text(f"\n{title}", style="bold"), soft_wrap=True)
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        grid.add_column(style="dim", overflow="fold")
        for name, value in rows:
            grid.add_row(Text(name), Text(value))
        self._console.print(Padding(grid, (0, 0, 0, 2)))

    def files(self, folder: Path, stored: Iterable[tuple[str, str]]) -> None:
        """Show the files of a folder, each path on one line as it is, however long it may be."""
        self._console.print()
        for name, what in stored:
            path = Text(str(folder / name), style="bold").append(f"  {what}", style="not bold dim")
            self._console.print(path, soft_wrap=True)

    def _line(self, text: str) -> None:
        self._console.print(
            f"[{self.elapsed:6.1f}s] {text}", markup=False, highlight=False, soft_wrap=True
        )

    def picture(self, story: Story) -> RenderableType:
        """Return the live picture of where the work stands."""
        parts: list[RenderableType] = [_headline(story, self.elapsed)]
        if story.steps:
            parts += [Text(), _plan(story, self._console.width)]
        if story.task:
            parts += [Text(), _counts(story)]
        if story.words and not story.has_ended:
            parts += [Text(), _last_words(story.words, self._console.width)]
        return Padding(Group(*parts), (1, 1, 0, 1))


def _headline(story: Story, elapsed: float) -> RenderableType:
    left = Text(no_wrap=True, overflow="ellipsis")
    if not story.has_ended:
        left.append(f"{_SPIN[int(elapsed * 8) % len(_SPIN)]} ", style="cyan")
    left.append(story.title or "Your message", style="bold")
    state = Text(story.state, style=_STATE_STYLES.get(story.state, "cyan"), no_wrap=True)
    grid = Table.grid(expand=True, padding=(0, 1))
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(justify="right", no_wrap=True, style="dim", min_width=6)
    grid.add_row(left, state, duration(elapsed))
    return grid


def _plan(story: Story, width: int) -> RenderableType:
    longest = max(cell_len(step["title"]) for step in story.steps)
    titles = min(longest, max(12, width - _BESIDE_TITLES - _BAR[0]))
    bars = min(_BAR[1], max(_BAR[0], width - _BESIDE_TITLES - titles))
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=1)
    grid.add_column(no_wrap=True, overflow="ellipsis", width=titles)
    grid.add_column(width=bars)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(no_wrap=True)
    for step in story.steps:
        mark, style = _MARKS.get(step["status"], ("·", "dim"))
        quiet = "dim" if step["status"] == "todo" else ""
        grid.add_row(
            Text(mark, style=style),
            Text(step["title"], style=quiet),
            ProgressBar(
                total=max(1, step["expected"]),
                completed=story.progress(step),
                complete_style="green" if step["status"] == "done" else "cyan",
                finished_style="green",
            ),
            Text(f"{step['done']} of {step['expected']}", style=quiet),
            _now(step),
        )
    return grid


def _now(step: Json) -> Text:
    if step["failed"]:
        return Text(f"{step['failed']} failed", style="red")
    if step["running"]:
        return Text(f"{step['running']} running", style="cyan")
    return Text()


def _counts(story: Story) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    jobs = story.jobs
    if jobs["total"]:
        grid.add_row("Jobs", Text(_jobs(story)))
    grid.add_row("Money", Text(_money(story)))
    return grid


def _jobs(story: Story) -> str:
    jobs = story.jobs
    text = f"{jobs['succeeded']} of {jobs['total']} done"
    for name, word in (
        ("running", "running"),
        ("queued", "queued"),
        ("failed", "failed"),
        ("unknown", "of unknown outcome"),
    ):
        if jobs.get(name):
            text += f" · {jobs[name]} {word}"
    return text


def _money(story: Story) -> str:
    if not story.money("limit"):
        return "no budget yet"
    settled, held = (rounded(story.money(name)) for name in ("settled", "held"))
    return f"{settled} spent · {held} held · limit {at_most(story.money('limit'))}"


def _last_words(words: str, width: int) -> RenderableType:
    """Return the end of what is being said, as far as it fits into two lines."""
    text = " ".join(words.split())
    room = max(20, width - 6) * _WORDS
    while cell_len(text) > room:
        text = "…" + text[max(2, (cell_len(text) - room) // 2) :].lstrip("…")
    return Text(text, style="italic dim", overflow="fold")


def _card(approval: Json, currency: str) -> Panel:
    parts: list[RenderableType] = []
    if approval["body"]:
        parts += [Markdown(approval["body"]), Text()]
    grid = Table.grid(expand=True, padding=(0, 2))
    grid.add_column(ratio=1)
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    lines = list(_card_lines(approval, currency))
    for number, (label, detail, amount) in enumerate(lines):
        is_total = bool(approval["price"]) and number >= len(lines) - 1
        grid.add_row(Text(label), Text(detail), Text(amount), style="bold" if is_total else "")
    if lines:
        parts.append(grid)
    title = Text(approval["title"], style="bold")
    return Panel(
        Group(*parts), title=title, title_align="left", border_style="yellow", padding=(1, 2)
    )


def _card_lines(approval: Json, currency: str) -> Iterable[tuple[str, str, str]]:
    for line in approval["lines"]:
        amount = line.get("amount_micros")
        price = "free" if amount == 0 else rounded(Money(amount, currency)) if amount else ""
        yield line["label"], line.get("detail") or "", price
    for option in approval["options"]:
        yield f"○ {option['label']}", option.get("detail") or "", ""
    price = approval["price"]
    if price:
        total = rounded(Money(price["amount_micros"], price["currency"]))
        most = at_most(Money(price["maximum_micros"] or price["amount_micros"], price["currency"]))
        yield "Total", f"at most {most}", total


def _facts(story: Story) -> Iterable[tuple[str, str]]:
    """Yield what may be told in lines, each under the key of what it is about."""
    if story.title:
        yield "title", f"Task: {story.title}"
    yield "state", f"State: {story.state}"
    for step in story.steps:
        if step["done"] or step["failed"]:
            failed = f", {step['failed']} failed" if step["failed"] else ""
            line = f"{step['title']}: {step['done']} of {step['expected']}{failed}"
            yield f"step {step['key']}", line
    if story.money("settled"):
        yield "money", f"Money: {_money(story)}"
    if story.replies:
        yield "words", f"Agent: {' '.join(story.replies[-1]['text'].split())[:300]}"


def duration(seconds: float) -> str:
    """Return a length of time as a clock shows it."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"


def rounded(amount: Money) -> str:
    """Return an amount in the currency's coins; what is less than one reads so, never as free."""
    coin = _coin(amount.currency)
    if 0 < amount.micros < coin:
        return f"<{Money(coin, amount.currency).format()}"
    return Money(round(amount.micros / coin) * coin, amount.currency).format()


def at_most(amount: Money) -> str:
    """Return a limit in the currency's coins: nobody agrees to more than what is read."""
    coin = _coin(amount.currency)
    return Money(-(-amount.micros // coin) * coin, amount.currency).format()


def _coin(currency: str) -> int:
    return MICROS // 10 ** get_currency_precision(currency)
