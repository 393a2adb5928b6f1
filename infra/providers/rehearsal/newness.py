"""Whether a message asks for a work that is not there yet.

A new work is named as one (`a film`, `三张海报`), described as a scene, or left out because it was
spoken of (`now one about …`). A thing that is changed before it, or that it replaces, makes the
message one about that thing.
"""

import re
from functools import cached_property

from infra.providers.rehearsal import acts, naming
from infra.providers.rehearsal.brief import WorkKind, kind_of
from infra.providers.rehearsal.lexicon import fold, has, is_unspaced
from infra.providers.rehearsal.naming import Mention
from infra.providers.rehearsal.reference import Referents
from infra.providers.rehearsal.utterance import Said

_FIRST = 3
_LONG = 40
_WISHES = ("verbs.make", "verbs.draw", "verbs.write", "act.wish")
_EDITS = ("edit.verb", "edit.fault", "edit.needless", "edit.correction", "edit.return")
_FAMILY_KINDS: dict[str, WorkKind] = {
    "film": "film",
    "image": "image",
    "music": "music",
    "voice": "narration",
    "text": "document",
    "model": "model3d",
}


class NewWork:
    """What a message says of a work that is to be made."""

    def __init__(self, said: Said, text: str, language: str, tasks: Referents) -> None:
        self._said = said
        self._text = text
        self._folded = fold(text)
        self._language = language
        self._tasks = tasks
        self._named = naming.mentions(said.text, language)

    @cached_property
    def is_new(self) -> bool:
        """Whether a work is named as something new, or a scene is described."""
        if acts.is_scene(self._text):
            return True
        if self._is_long_brief():
            return True
        if self._is_changed_kind or self._draws_on_known():
            return False
        if self._is_one_more or self._said.head is None:
            return self._is_one_more or self._is_new_without_head()
        return self._is_new_head()

    @property
    def larger_kind(self) -> WorkKind:
        """The kind of a work that is more than a picture."""
        named = kind_of(self._said.text)
        if named not in (None, "image"):
            return named
        return "posters" if named == "image" and self._said.is_series else "film"

    @property
    def follows_praise(self) -> bool:
        """Whether a known work is spoken of before the new one: `the fox is lovely, now six`."""
        head = self._said.head
        if head is None:
            return False
        before = self._said.text[: head.start]
        clauses = re.split(r"[.!?。！？,，;；]", before)
        return len(clauses) > 1 and bool(self._tasks.named(" ".join(clauses[:-1])))

    def _is_long_brief(self) -> bool:
        """Whether many words lead to a new work, and none of them to one that is there."""
        is_long = len(self._folded.split()) > _LONG
        return is_long and self._first_new() is not None and not self._tasks.named(self._text)

    def kind_without_head(self) -> WorkKind | None:
        """Return the kind of a new work that is named by a rarer word, or not at all."""
        if not self.is_new:
            return None
        new = self._first_new()
        if new is not None:
            return _FAMILY_KINDS[new.name.partition("_")[0]]
        if self._is_one_more:
            return self._kind_spoken_of()
        return "image" if acts.is_scene(self._text) else "film"

    def _kind_spoken_of(self) -> WorkKind:
        """Return the kind of the works that `one about …` is another of."""
        focus = self._tasks.focus
        spoken = [focus] if focus is not None else self._tasks.all
        for one in spoken:
            kind = kind_of(one.goal) or kind_of(one.title)
            if kind is not None:
                return kind
        return "film"

    @cached_property
    def _is_one_more(self) -> bool:
        return bool(self._tasks) and acts.wants_one_more(self._folded)

    def _first_new(self) -> Mention | None:
        return next((one for one in self._named if one.is_known is False), None)

    def _is_new_without_head(self) -> bool:
        if acts.begins_with_length(self._folded) and self._said.seconds is not None:
            return True
        new = self._first_new()
        return new is not None and self._is_asked_for(new)

    def _is_new_head(self) -> bool:
        head = self._said.head
        assert head is not None  # noqa: S101 - the caller has looked
        overlapping = (m for m in self._named if m.start < head.end and head.start < m.end)
        known = [one.is_known for one in overlapping]
        if True in known or self._is_changed_first(head.start):
            return False
        return False in known or self._is_new_bare()

    def _is_asked_for(self, new: Mention) -> bool:
        """Whether a work is wished for, or named first of all."""
        before = self._said.folded[: new.start]
        if self._is_changed_first(new.start):
            return False
        wishes = any(has(name, before) for name in _WISHES)
        return wishes or len(before.split()) <= _FIRST

    def _draws_on_known(self) -> bool:
        """Whether what is to be drawn or written goes onto a known thing: `paint it blue`."""
        head = self._said.head
        if head is None or not head.verb or not self._tasks:
            return False
        return acts.has_known_object(self._said.folded[head.end :], self._language)

    def _is_new_bare(self) -> bool:
        """Whether a work that is named without any article is a new one."""
        makes = any(has(f"verbs.{name}", self._folded) for name in ("make", "draw", "write"))
        named = bool(self._tasks) and bool(self._tasks.named(self._text))
        if named and (not makes or (is_unspaced(self._folded) and has("act.add", self._folded))):
            return False
        changes = any(has(name, self._folded) for name in (*_EDITS, "ask.request"))
        if makes or not self._tasks:
            return (makes and is_unspaced(self._folded)) or self._said.is_new
        if not is_unspaced(self._folded):
            return self._said.is_new and not has("edit.fault", self._folded)
        return not changes and not acts.deletes(self._folded)

    @property
    def _is_changed_kind(self) -> bool:
        """Whether a kind or a number is named that a known work should have instead."""
        if not self._tasks:
            return False
        said = self._said
        turned = ("refer.not_a", "refer.pronoun")
        turns = has("change.instead", said.folded) and (
            is_unspaced(said.folded) or any(has(name, said.folded) for name in turned)
        )
        stops = bool(said.interrupts) and not said.is_new
        turns = turns or self._is_other_number()
        return turns or stops or has("edit.enough", self._folded)

    def _is_other_number(self) -> bool:
        """Whether another number of what was spoken of is named: `rather only three posters`."""
        said, focus = self._said, self._tasks.focus
        if focus is None or said.count is None or said.subject:
            return False
        same = _is_alike(kind_of(said.text), kind_of(focus.goal) or kind_of(focus.title))
        return same and has("change.instead", said.folded)

    def _is_changed_first(self, place: int) -> bool:
        """Whether a known thing is changed before the new one is named, in the same sentence."""
        before = re.split(r"[.!?。！？]", self._said.folded[:place])[-1]
        if has("act.add", before) or has("act.to_it", before):
            return True
        known = any(one.is_known for one in naming.mentions(before, self._language))
        part = acts.deletes_part(before) or bool(self._tasks.named(before))
        return has("edit.verb", before) and (known or part)


def _is_alike(one: WorkKind | None, other: WorkKind | None) -> bool:
    pictures = ("image", "posters")
    return one is not None and (one == other or (one in pictures and other in pictures))
