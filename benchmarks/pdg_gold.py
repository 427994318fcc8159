"""What an answer of the benchmark is made of, whichever way it was computed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What an answer is made of."""

    PAPERS = "papers"
    """``inspire:NUMBER``, else ``short:NAME``."""
    OBSERVABLES = "observables"
    """PDG identifiers of quantities."""
    DECAYS = "decays"
    """PDG identifiers of modes."""
    TEXTS = "texts"
    """Values as printed, names of experiments, titles, years."""
    NUMBER = "number"
    TABLE = "table"
    """Pairs of a key and a number."""
    TRUTH = "truth"
    NONE = "none"
    """No answer exists: the listings do not hold what was asked."""


@dataclass(frozen=True, slots=True)
class Gold:
    """The answer to one question; the field that counts is that of its kind."""

    kind: Kind
    items: frozenset[str] = frozenset()
    number: float = 0.0
    table: frozenset[tuple[str, float]] = frozenset()
    truth: bool = False


class ConventionError(ValueError):
    """The tables allow two answers, so that the question cannot be judged."""


Argument = str | int | float | list[str]
"""What an argument of a function may be in a question file."""
