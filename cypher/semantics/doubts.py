"""What the confidence in a reading rests on: figures about how it came about and what it returns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from cypher.semantics.alike import form
from cypher.semantics.compose import Candidate
from cypher.semantics.ir import ClauseKind, Edge, Filter, Head, Node, Operator, Part, PropertyRef, Query
from cypher.semantics.mentions import Linked
from cypher.semantics.unheard import unheard
from schemas.store_schema import StoreSchema

Doubts = tuple[tuple[str, float], ...]
"""Figures by name; one that is absent is 0."""
SURE: Final = 0.55
"""Least confidence of an answer."""
NO_MARGIN: Final = 2.0
"""Margin of a reading without a rival."""
MOST: Final = 4.0
"""Figures are cut here, so that none outweighs the others."""
FIXED: Final = {"echoed": -5.0}
"""Slopes of what is too rare to be fitted and surely no answer."""
_LEFT: Final = ("skip", "cue_unused", "number_lost", "property_lost", "unattached")
"""Features of a composed reading that left something of the question out."""
_GUESSED: Final = ("number_guess", "property_new_node", "open_relation", "no_cue", "loose_value")
"""Features of a composed reading that put in what the question does not say."""
_STRETCHED: Final = frozenset(
    f"c_{x}" for x in ("doubled", "stands", "lost", "owner", "compound", "side", "who", "plain", "number")
)
"""Features of a charted reading that take the words in a less usual way."""
_OWN: Final = ("c_skip", "c_bridge", "c_open")
"""Features of a charted reading that each have a slope of their own."""
_NAMED: Final = frozenset({Operator.EQ, Operator.IN})


def probability(doubts: Doubts, slopes: Mapping[str, float]) -> float:
    """The logistic curve over the figures; those without a slope do not count.

    >>> probability((("left", 2.0),), {"": 1.0, "left": -0.5})
    0.5
    """
    raised = slopes.get("", 0.0) + sum(slopes.get(name, FIXED.get(name, 0.0)) * x for name, x in doubts)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, raised))))


def doubts_of(linked: Linked, candidates: tuple[Candidate, ...], *, charted: bool, alike: bool) -> Doubts:
    """What speaks for and against the first candidate as what the question means.

    ``charted`` says whether the chart's reading comes first, ``alike`` whether chart and composer, which
    share the words alone, came to one reading.
    """
    best = candidates[0]
    out = _charted(best, alike) if charted else _composed(linked, best)
    out["charted_margin" if charted else "composed_margin"] = margin(candidates)
    out |= _linking(linked) | _size(best.query) | unheard(linked, best.query)
    return tuple((name, round(min(x, MOST), 4)) for name, x in out.items() if x)


def lead(candidates: tuple[Candidate, ...]) -> float | None:
    """How far the first reading is before the next one that asks for something else; None without one.

    0 where it comes first although the next has the better score: that one was seen to match nothing.
    """
    best = candidates[0]
    asked = form(best.query)
    rival = next((c for c in candidates[1:] if form(c.query) != asked), None)
    return None if rival is None else max(0.0, best.score - rival.score)


def margin(candidates: tuple[Candidate, ...]) -> float:
    """The same up to ``NO_MARGIN``, which is that of a reading without a rival."""
    ahead = lead(candidates)
    return NO_MARGIN if ahead is None else min(ahead, NO_MARGIN)


def _charted(best: Candidate, alike: bool) -> dict[str, float]:
    sums = _sums(best)
    out = {"charted": 1.0, "alike": float(alike)}
    out |= {name: max(sums.get(name, 0.0), 0.0) for name in _OWN}
    out["stretched"] = sum(x for name, x in sums.items() if name in _STRETCHED)
    return out


def _composed(linked: Linked, best: Candidate) -> dict[str, float]:
    sums = _sums(best)
    return {
        "unexplained": float(len(linked.unexplained)),
        "left": sum(sums.get(name, 0.0) for name in _LEFT),
        "guessed": sum(sums.get(name, 0.0) for name in _GUESSED),
    }


def _sums(candidate: Candidate) -> dict[str, float]:
    out: dict[str, float] = {}
    for name, amount in candidate.features:
        out[name] = out.get(name, 0.0) + amount
    return out


_CALLED: Final = frozenset({"name", "named", "names", "called", "titled", "entitled", "title", "titles"})
"""Words with which a thing may be asked for by its own name."""


def echoes(linked: Linked, query: Query, schema: StoreSchema) -> bool:
    """Whether the answer would be what the question names: "who are the friends of Ann" is not Ann.

    A count of one named thing is no better.
    """
    label = schema.label(query.nodes[query.answer].label)
    if label is None:
        return False
    name = label.name_property
    listed = query.head is Head.LIST and not query.whole and all(r.name == name for r in query.project)
    if not (listed or (query.head is Head.COUNT and query.measured is None)) or query.limit is not None:
        return False
    own = (
        f for f in query.filters if not f.ref.on_edge and f.ref.owner == query.answer and f.ref.name == name
    )
    fixed = any(f.operator is Operator.EQ and isinstance(f.value, str) for f in own)
    return fixed and not _CALLED & {w.lower for w in linked.words}


def _linking(linked: Linked) -> dict[str, float]:
    """How values were found: spelled otherwise, or in several properties."""
    valued = [m for m in linked.mentions if m.values]
    return {
        "respelled": sum(1.0 - max(w for _, w in m.values) for m in valued),
        "several": float(sum(len({(v.owner, v.property) for v, _ in m.values}) > 1 for m in valued)),
    }


def _size(query: Query) -> dict[str, float]:
    edges, filters = everything(query)
    return {
        "hops": len(edges) / 2,
        "conditions": len(filters) / 2,
        "clauses": float(len(query.clauses)),
        "either_type": float(any(len(e.types) > 1 for e in edges)),
    }


def everything(query: Query) -> tuple[list[Edge], list[Filter]]:
    """Relationships and conditions, those inside clauses among them."""
    parts = [Part(query.edges, query.filters, query.clauses)]
    edges: list[Edge] = []
    filters: list[Filter] = []
    while parts:
        part = parts.pop()
        edges += part.edges
        filters += part.filters
        parts += [p for c in part.clauses for p in c.parts]
    return edges, filters


def open_returns(query: Query, *, names_asked: bool = False) -> Doubts:
    """What the question leaves open of its answer's form: columns, order, how often a thing is listed.

    Two readers who understand a question alike may still return other columns for it: the property that a
    condition is about, the things between the answer and what is named, the key of an order. Where
    ``names_asked`` says that names are wanted, no condition adds a column.
    """
    out: dict[str, float] = {f"head_{query.head}": 1.0}
    shown = set(query.project)
    bare = query.head is Head.LIST and not query.project and not query.whole
    filters = () if names_asked else query.filters
    unseen = [f for f in filters if f.operator not in _NAMED and _plain(f.ref) not in _plains(shown)]
    out["unseen_own"] = float(sum(not f.ref.on_edge and f.ref.owner == query.answer for f in unseen))
    out["unseen_other"] = float(sum(not f.ref.on_edge and f.ref.owner != query.answer for f in unseen))
    told = [f for f in filters if f.ref.on_edge and not _is_text(f)]
    out["unseen_told"] = float(sum(_plain(f.ref) not in _plains(shown) for f in told))
    out["between"] = float(len(_between(query, shown)))
    out["cut"] = float(query.limit is not None and query.order is None)
    out["ranked"] = float(query.limit is not None and query.order is not None)
    out["sorted"] = float(query.limit is None and query.order is not None)
    out["counted"] = float(query.having is not None)
    out["best_alone"] = float(_is_best_alone(query))
    out["entries"] = float(_counts_entries(query))
    out["columns"] = float(max(0, len(query.project) - 1))
    out["by_name"] = float(bare)
    return tuple((name, min(x, MOST)) for name, x in out.items() if x)


def _is_best_alone(query: Query) -> bool:
    """Whether something is chosen as the largest without its size being shown."""
    if any(c.kind in (ClauseKind.BEST, ClauseKind.MOST) and not c.measure for c in query.clauses):
        return True
    order = query.order
    alone = order is not None and order.extreme and query.limit is None and not query.show_order
    return alone and order is not None and order.within is None


def _counts_entries(query: Query) -> bool:
    """Whether things are ranked by the entries of lists, which others may count as whole lists."""
    order = query.order
    return order is not None and order.measure is not None and order.ref is not None and order.ref.many


def _is_text(condition: Filter) -> bool:
    """Whether a property is told by its text: all rows have it, so nobody needs to see it."""
    return condition.operator in _NAMED and isinstance(condition.value, (str, tuple))


def _plain(ref: PropertyRef) -> tuple[int, str, bool]:
    return ref.owner, ref.name, ref.on_edge


def _plains(refs: set[PropertyRef]) -> set[tuple[int, str, bool]]:
    return {_plain(r) for r in refs}


def _between(query: Query, shown: set[PropertyRef]) -> list[Node]:
    """Nodes that the pattern passes, which are neither named by a value nor returned."""
    fixed = {f.ref.owner for f in query.filters if not f.ref.on_edge and f.operator in _NAMED}
    fixed |= {r.owner for r in shown if not r.on_edge} | {query.answer} | query.inner
    return [n for i, n in enumerate(query.nodes) if i not in fixed]
