"""When each word is heard.

Owns the way from espeak-ng's marks to word times. A word starts where its first mark is; it ends
where the next one starts, less the silence before that, which is measured in the samples.
"""

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from infra.providers.local.speech.espeak import Utterance
from infra.providers.local.speech.words import Script, SpokenWord

_HOP_S = 0.01
_AUDIBLE = 0.03
"""Of the loudest moment (-30 dB): below it a word has ended or not yet begun."""
_SHORTEST_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class WordTime:
    """A written word and when it is heard, in seconds."""

    text: str
    start_s: float
    end_s: float


def word_times(
    words: list[SpokenWord], script: Script, utterance: Utterance
) -> tuple[WordTime, ...]:
    """Return the times of all words, in order, without overlap."""
    total = len(utterance.samples) / utterance.rate
    starts = _starts(words, script, utterance, total)
    envelope = _envelope(utterance.samples, round(_HOP_S * utterance.rate))
    times: list[WordTime] = []
    for index, word in enumerate(words):
        following = starts[index + 1] if index + 1 < len(words) else total
        start, end = _audible(starts[index], following, envelope)
        times.append(WordTime(text=word.text, start_s=start, end_s=end))
    return tuple(times)


def _starts(
    words: list[SpokenWord], script: Script, utterance: Utterance, total: float
) -> list[float]:
    known: dict[int, float] = {}
    for mark in utterance.marks:
        if mark.is_word:
            index = max(bisect_right(script.starts, mark.position) - 1, 0)
            known.setdefault(index, mark.sample / utterance.rate)
    known[0] = 0.0
    # espeak-ng joins some words into one sound ("of the"): those share its time by their length.
    starts: list[float] = []
    anchors = sorted(known)
    for index in range(len(words)):
        place = bisect_right(anchors, index) - 1
        first = anchors[place]
        last = anchors[place + 1] if place + 1 < len(anchors) else len(words)
        begin = known[first]
        finish = known.get(last, total)
        lengths = [len(word.spoken) for word in words[first:last]]
        share = sum(lengths[: index - first]) / sum(lengths)
        starts.append(begin + share * (finish - begin))
    return [max(starts[: index + 1]) for index in range(len(starts))]


def _envelope(samples: NDArray[np.float64], hop: int) -> NDArray[np.float64]:
    count = -(-len(samples) // hop)
    padded = np.zeros(count * hop)
    padded[: len(samples)] = samples
    return np.sqrt(np.square(padded.reshape(count, hop)).mean(axis=1))


def _audible(start: float, end: float, envelope: NDArray[np.float64]) -> tuple[float, float]:
    first = int(start / _HOP_S)
    # The frame in which the next word begins is not this word's.
    last = max(int(end / _HOP_S), first + 1)
    heard = np.flatnonzero(envelope[first:last] > _AUDIBLE * envelope.max())
    if len(heard) == 0:
        return start, max(end, start)
    begin = max(start, (first + int(heard[0])) * _HOP_S)
    finish = min(end, (first + int(heard[-1]) + 1) * _HOP_S)
    if finish - begin < _SHORTEST_S:
        return start, end
    return begin, finish
