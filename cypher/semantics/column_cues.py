"""Words of a question, and the form of its reading, that tell how foreseeable the answer's columns are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final

from cypher.semantics.ir import Filter, Order, Query

MOST: Final = 3.0
"""Log-odds beyond which words say no more."""
SEVERAL: Final = 3
"""Columns, conditions and relationships are counted up to here."""
_WORD: Final = re.compile(r"[a-z]+")


def cues(question: str) -> Iterator[str]:
    """Words, pairs of words and the first words, in lower case.

    >>> list(cues("Name two ships."))
    ['^name', '^name two', 'name', 'two', 'ships', 'name two', 'two ships']
    """
    found = _WORD.findall(question.lower())
    yield from ("^" + " ".join(found[:size]) for size in (1, 2) if len(found) >= size)
    yield from found
    yield from (f"{a} {b}" for a, b in pairwise(found))


def form_cues(query: Query) -> tuple[str, ...]:
    """What is returned (the first two) and how it is chosen, as marks that know no schema.

    >>> from cypher.semantics.ir import Node
    >>> form_cues(Query((Node("Ship"),), limit=3))
    ('=list', '=named', '=first')
    """
    return tuple(f"={mark}" for mark in (query.head.value, _returned(query), *_chosen(query)))


def _returned(query: Query) -> str:
    if query.whole or not query.project:
        return "whole" if query.whole else "named"
    on_edge = any(r.on_edge for r in query.project)
    others = any(not r.on_edge and r.owner != query.answer for r in query.project)
    return f"{min(SEVERAL, len(query.project))} shown" + " on edge" * on_edge + " of others" * others


def _chosen(query: Query) -> Iterator[str]:
    if query.order is not None:
        yield _ordered(query, query.order)
    elif query.limit is not None:
        yield "first"
    if query.having is not None:
        yield "having"
    yield from (clause.kind.value for clause in query.clauses)


def _ordered(query: Query, order: Order) -> str:
    much = "top" if query.limit is not None else "best" if order.extreme else "sorted"
    counted = "count" if order.count_of is not None else "figure" if order.figure is not None else ""
    by = counted or ("measure" if order.measure else "property")
    return f"{much} by {by}" + " shown" * query.show_order


def condition_cues(query: Query) -> tuple[str, ...]:
    """Whose properties are compared, how and with what, and how many relationships there are.

    >>> from cypher.semantics.ir import Node, Operator, PropertyRef
    >>> longer = Filter(PropertyRef(0, "length"), Operator.GT, 30)
    >>> condition_cues(Query((Node("Ship"),), filters=(longer,)))
    ('?own > number', '?0 joined')
    """
    compared = sorted({_compared(query, f) for f in query.filters})
    return *(f"?{c}" for c in compared), f"?{min(SEVERAL, len(query.edges))} joined"


def _compared(query: Query, condition: Filter) -> str:
    ref, value = condition.ref, condition.value
    whose = "edge" if ref.on_edge else "own" if ref.owner == query.answer else "other"
    if isinstance(value, (bool, tuple)) or value is None:
        return f"{whose} {condition.operator.value} other"
    return f"{whose} {condition.operator.value} {'text' if isinstance(value, str) else 'number'}"


def all_cues(question: str, query: Query) -> tuple[str, ...]:
    """The cues of words and form, and pairs of them, each once."""
    words, form, conditions = tuple(dict.fromkeys(cues(question))), form_cues(query), condition_cues(query)
    whole, returned = "".join(form), "".join(form[:2])
    first = [w for w in words if w.startswith("^")]
    out = [*words, "=" + whole, *form, *conditions, f"?{min(SEVERAL, len(query.filters))} conditions"]
    out += [f"{whole} {c}" for c in conditions]
    out += [f"{w} {whole}" for w in first]
    out += [f"{w} {c} {returned}" for w in first for c in conditions]
    out += [f"{w} {returned}" for w in words if " " not in w]
    return tuple(dict.fromkeys(out))


def foreseeable(question: str, query: Query, weights: Mapping[str, float] | None = None) -> float:
    """Log-odds that another reader would return the columns that we do, from -3 to 3.

    Fitted by ``benchmarks.fit_columns``; a positive figure says that others return the same.

    >>> from cypher.semantics.ir import Node
    >>> foreseeable("Name two ships.", Query((Node("Ship"),)), {"": 1, "name": -0.5, "=named": 0.2})
    0.7
    """
    return summed(all_cues(question, query), fitted_cues() if weights is None else weights)


def summed(found: Sequence[str], weights: Mapping[str, float]) -> float:
    """The sum of the cues' weights and of that of ``""``, cut at -3 and 3."""
    total = weights.get("", 0.0) + sum(weights.get(cue, 0.0) for cue in found)
    return round(max(-MOST, min(MOST, total)), 4)


@cache
def fitted_cues() -> Mapping[str, float]:
    """The weights that ship with the package."""
    text = resources.files("cypher.semantics").joinpath("columns.json").read_text("utf-8")
    weights: Mapping[str, float] = json.loads(text)["cues"]
    return weights
