"""Answer, ask back, or abstain: what to do with the readings of a question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from rapidfuzz import fuzz, process
from rapidfuzz.utils import default_process

from cypher.semantics.alike import form
from cypher.semantics.doubts import SURE
from cypher.semantics.explain import explain
from cypher.semantics.ir import Filter, Literal, Operator, Query
from cypher.semantics.reading import Reading
from schemas.store_schema import StoreSchema

PASSED_OVER: Final = frozenset({"echoed"}) | frozenset(
    f"unheard_{x}"
    for x in (
        "rank",
        "mean",
        "sum",
        "each",
        "not",
        "all",
        "life",
        "tie",
        "statistic",
        "only",
        "property",
        "value",
        "owner",
        "who",
        "end",
        "whether",
        "both",
        "mass",
    )
)
"""Doubts with which no reading is given: "the largest" without a rank answers another question."""
CLOSE: Final = 0.12
"""Readings whose scores differ by less are both meant, as far as the parser can tell."""

LIKE: Final = 70
"""Least likeness of a term to an unknown word, of 100 (the best place of the one in the other)."""


class Verdict(StrEnum):
    """What to do."""

    ANSWER = "answer"
    ASK = "ask"
    ABSTAIN = "abstain"


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict with the words that go with it."""

    verdict: Verdict
    reading: Reading
    explanations: tuple[str, ...] = ()
    """English of the reading; of both readings when asking back."""
    unexplained: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    """Terms of the schema that are spelled like the unexplained words."""


def decide(reading: Reading, schema: StoreSchema) -> Decision:
    """The verdict on a reading.

    An unexplained word is a condition that might be ignored, so each lowers the confidence; a question of
    which two readings are as likely is handed back with both in English.
    """
    unexplained = reading.linked.unexplained
    passed_over = any(name in PASSED_OVER for name, _ in reading.doubts)
    if reading.query is None or reading.confidence < SURE or passed_over:
        return Decision(Verdict.ABSTAIN, reading, (), unexplained, nearest_terms(unexplained, schema))
    best, *others = reading.candidates
    asked = form(best.query)
    rivals = (c for c in others if form(c.query) != asked)
    rival = next((c for c in rivals if not _means_longer_names(best.query, c.query)), None)
    close = rival is not None and best.score - rival.score < CLOSE
    if rival is not None and close and explain(best.query) != explain(rival.query):
        if unexplained:  # between readings that both leave it out nobody is asked to choose
            return Decision(Verdict.ABSTAIN, reading, (), unexplained, nearest_terms(unexplained, schema))
        return Decision(Verdict.ASK, reading, (explain(best.query), explain(rival.query)), unexplained)
    return Decision(Verdict.ANSWER, reading, (explain(best.query),), unexplained)


def _means_longer_names(query: Query, rival: Query) -> bool:
    """Whether the rival takes a whole name for a part of longer ones: "Dune" for "Dune Two" alone."""
    whole, longer = (
        sorted((f.ref.owner, f.ref.name, _names(f.value)) for f in q.filters if _is_name(f))
        for q in (query, rival)
    )
    if whole == longer or [w[:2] for w in whole] != [x[:2] for x in longer]:
        return False
    bare, other = (
        form(replace(q, filters=tuple(f for f in q.filters if not _is_name(f)), project=()))
        for q in (query, rival)
    )
    return bare == other and all(
        all(a != x and a.lower() in x.lower() for x in b)
        for a, b in zip((w[2][0] for w in whole), (x[2] for x in longer), strict=True)
        if (a,) != b
    )


def _is_name(condition: Filter) -> bool:
    named = condition.operator in (Operator.EQ, Operator.IN)
    return named and bool(_names(condition.value)) and not condition.ref.on_edge


def _names(value: Literal | tuple[Literal, ...] | None) -> tuple[str, ...]:
    values = value if isinstance(value, tuple) else (value,)
    return tuple(v for v in values if isinstance(v, str))


def other_readings(decision: Decision, *, most: int = 3) -> tuple[str, ...]:
    """English of the candidates that come after the one that is answered, the nearest first."""
    best, *others = decision.reading.candidates
    told = dict.fromkeys(explain(c.query) for c in others[: 2 * most])
    return tuple(x for x in told if x != explain(best.query))[:most]


def nearest_terms(words: tuple[str, ...], schema: StoreSchema, *, most: int = 3) -> tuple[str, ...]:
    """Labels, types and properties spelled most like the words, best first; none where none is like them."""
    terms = [label.name for label in schema.labels] + [r.type for r in schema.relations]
    terms += [f"{label.name}.{p.name}" for label in schema.labels for p in label.properties]
    found: dict[str, float] = {}
    for word in words:
        like = process.extract(
            word, terms, scorer=fuzz.partial_ratio, processor=default_process, limit=most, score_cutoff=LIKE
        )
        for term, score, _ in like:
            found[term] = max(score, found.get(term, 0.0))
    return tuple(sorted(found, key=lambda t: (-found[t], t))[:most])
