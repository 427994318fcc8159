"""What a question means, without its answer: all that resolving a follow-up needs to know of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words ``start`` to ``end`` (characters, half-open) of a question, and what they may be.

    ``kinds`` are like ``entity observable``, ``value paper experiment``, ``type paper``, ``year``; none for
    words that mean nothing here.
    """

    start: int
    end: int
    text: str
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """One question as the service understands it; ``reason`` says why not, where it does not."""

    understood: bool
    reason: str = ""
    signature: str = ""
    """Two questions with one signature ask the same of the graph."""
    shape: str = ""
    counts: bool = False
    """Whether the answer is one number of things."""
    conditions: frozenset[str] = frozenset()
    """What the asker wishes; defaults of the service are not among them."""
    phrases: tuple[Phrase, ...] = ()

    def of_kind(self, kinds: Iterable[str]) -> tuple[Phrase, ...]:
        """Phrases that may be one of these."""
        wanted = frozenset(kinds)
        return tuple(p for p in self.phrases if p.kinds & wanted)


class Reader(Protocol):
    """Reads a question without running it."""

    def read(self, text: str) -> Reading:
        """Its meaning; raises what reading the graph's names may raise, and nothing for any text."""
        ...
