"""One trial: a scenario, a seed, with or without its faults, from the first word to the outcome.

Time passes only where nothing is runnable: then it goes to the next timer of the service, of the
person or of the world. A trial ends when it is done, when the person leaves, at a limit, or in a
deadlock, where nothing is runnable, nobody is needed and it is not done.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from evals.scenarios import standing, telling
from evals.scenarios.conditions import unmet
from evals.scenarios.faults import Plagues, Tell
from evals.scenarios.pace import FairClock
from evals.scenarios.performing import Hands
from evals.scenarios.policies import Doing, Policy, Wait
from evals.scenarios.schema import Scenario
from evals.scenarios.standing import Standing
from evals.scenarios.tabs import Tabs
from evals.scenarios.view import Json, View
from evals.trials import Ended, Happening
from infra.db.query import Conn

_BREATH_S = 0.02
_LONGEST_BREATH_S = 0.2
_STALLED_S = 60.0
"""So long may something be runnable without anything being done about it, on the fair clock."""
_SETTLES = timedelta(days=9)
"""After the end so much time passes, in which what was lost is looked for and money goes back."""
_SETTLING_S = 240.0
_FIRST_HOP = timedelta(seconds=10)
_LONGEST_HOP = timedelta(days=1)
_WORTH_TELLING_S = 60.0


@dataclass(frozen=True, slots=True)
class End:
    """How a trial ended."""

    ended: Ended
    reason: str


@dataclass
class Run:
    """A trial that is running."""

    scenario: Scenario
    conn: Conn
    policy: Policy
    rng: Random
    view: View
    hands: Hands
    tabs: Tabs
    plagues: Plagues
    began: datetime
    tell: Tell
    happenings: list[Happening] = field(default_factory=list[Happening])
    seen: list[tuple[float, dict[str, bool]]] = field(
        default_factory=list[tuple[float, dict[str, bool]]]
    )
    """Which wishes were fulfilled, each time that something was delivered."""
    snapshots: list[tuple[float, Json]] = field(default_factory=list[tuple[float, Json]])
    """Each task as it was when it was completed."""
    _agenda: list[Doing] = field(default_factory=list[Doing])
    _wakes_s: float | None = None
    _clock: FairClock = field(default_factory=FairClock)
    _moved_s: float = 0.0
    _at_work_until: datetime | None = None
    _breath_s: float = _BREATH_S

    async def until_over(self) -> End:
        """Run to the end."""
        while True:
            now = await self._look()
            self.view.now_s = (now.now - self.began).total_seconds()
            moved = self._hear()
            moved = self.plagues.tick(self.view) or moved
            if await self._act():
                moved = True
            if (end := self._over(now, moved=moved)) is not None:
                return end
            if moved:
                self._move()
                continue
            if now.is_busy or now.seq > self.view.seq:
                if self._is_stalled:
                    return End("deadlock", f"Nothing moves, although {_busy(now)}.")
                await self._breathe()
                continue
            if (end := await self._pass_time(now)) is not None:
                return end

    async def settle(self) -> None:
        """Let what was begun come to its end, and what was lost be looked for and given up.

        Time passes in hops that grow: nobody is there any more for whom each timer would matter.
        """
        begun = (await self._look()).now
        self._move()
        give_up_s = self._clock.read() + _SETTLING_S
        hop = _FIRST_HOP
        while not self._is_stalled and self._clock.read() < give_up_s:
            now = await self._look()
            if self._hear():
                self._move()
            elif now.is_busy or self.view.seq < now.seq:
                await self._breathe()
            elif now.next_at is None or now.now - begun > _SETTLES:
                return
            elif await standing.advance(self.conn, max(hop, now.next_at - now.now)):
                self._move()
                hop = min(hop * 2, _LONGEST_HOP)

    async def _look(self) -> Standing:
        """Look how the service stands; whoever renews a lease is at work."""
        now = await standing.look(self.conn)
        if now.held_until != self._at_work_until:
            self._at_work_until = now.held_until
            self._moved_s = self._clock.read()
        return now

    def _move(self) -> None:
        self._moved_s = self._clock.read()
        self._breath_s = _BREATH_S

    @property
    def _is_stalled(self) -> bool:
        return self._clock.read() - self._moved_s > _STALLED_S

    async def _breathe(self) -> None:
        """Wait, the longer the longer nothing moves: each look costs what the service could use."""
        await self.tabs.wait(self._breath_s)
        self._breath_s = min(self._breath_s * 1.5, _LONGEST_BREATH_S)

    def _hear(self) -> bool:
        heard = self.tabs.take()
        for told in heard:
            self.view.hear(told)
            self.happenings.append(telling.of_event(told))
            if told.type == "task.completed":
                self.snapshots.append((told.at_s, told.data))
        if any(told.type.startswith("task.") for told in heard):
            facts = self.view.facts
            wishes = {each.id: each.check.holds(facts) for each in self.scenario.user.requirements}
            self.seen.append((self.view.now_s, wishes))
        return bool(heard)

    async def _act(self) -> bool:
        """Do what is due; tell whether anything was done or planned."""
        wanted = await self.policy.next(self.view, self.rng)
        if isinstance(wanted, Wait):
            self._wakes_s = wanted.until_s
        else:
            self._agenda += wanted
            self._wakes_s = None
        due = sorted(
            (each for each in self._agenda if each.at_s <= self.view.now_s),
            key=lambda each: each.at_s,
        )
        for doing in due:
            self._agenda.remove(doing)
            done = await self.hands.perform(doing)
            self.happenings.append(telling.of_act(done))
        return bool(due) or not isinstance(wanted, Wait)

    def _over(self, now: Standing, *, moved: bool) -> End | None:
        limits = self.scenario.limits
        if any(each.act.leave for each in self.hands.done):
            return End("leave", "The person left.")
        if len(self.hands.done) > limits.actions:
            return End("limit", f"The person has done {limits.actions} things.")
        if self.view.now_s > limits.virtual_s:
            return End("limit", f"{limits.virtual_s:g} s have passed.")
        if self._clock.read() > limits.wall_s:
            return End("limit", f"{limits.wall_s:g} s have passed on the real clock.")
        is_quiet = not (moved or now.is_busy) and self.view.seq == now.seq
        is_through = self.policy.is_through and not self._agenda
        if self.scenario.done and is_quiet and is_through and self._is_done():
            return End("done", "Everything is as it was wished.")
        return None

    def _is_done(self) -> bool:
        return not unmet(self.scenario.done, self.view.facts)

    async def _pass_time(self, now: Standing) -> End | None:
        """Go to the next timer of anybody."""
        own = [each.at_s for each in self._agenda]
        later = [self._wakes_s, self.plagues.next_at(self.view), *own]
        if now.next_at is not None:
            later.append((now.next_at - self.began).total_seconds())
        if now.expiry_at is not None and (own or not self.policy.is_through):
            later.append((now.expiry_at - self.began).total_seconds())
        times = [each for each in later if each is not None]
        if not times:
            return self._nothing_to_come()
        by_s = max(min(times) - self.view.now_s, 0.0) + 0.001
        if await standing.advance(self.conn, timedelta(seconds=by_s)):
            self._move()
            if by_s >= _WORTH_TELLING_S:
                self.tell("time", f"{timedelta(seconds=round(by_s))} pass")
        return None

    def _nothing_to_come(self) -> End:
        if self.view.needs_person:
            return End("limit", "It waits for its person, who has nothing more to say.")
        if not self.view.open_tasks and not self.view.unread:
            missing = "; ".join(unmet(self.scenario.done, self.view.facts))
            why = missing or "the person still waits for something that has not come"
            return End("limit", f"Everything has ended, and it is not done: {why}.")
        return End("deadlock", "Nothing is runnable, nobody is needed, and it is not done.")


def _busy(now: Standing) -> str:
    return f"{now.held} are held, {now.woken} woken, {now.due} due, {now.seq} events told"
