"""Whether a pattern matches anything, told from nodes and relationships held in memory.

The server needs longer to plan a query that it has not seen than to run it, so few readings of a question can
be looked at there. Here the nodes that each node of a pattern may stand for are narrowed along its
relationships until nothing changes (semi-joins, Bernstein and Chiu 1981, doi:10.1145/322234.322238; in an
acyclic pattern all that is left takes part in a match, Yannakakis 1981), and one match is searched for among
them, since Cypher takes no relationship twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cypher.semantics.denied import denied_nodes
from cypher.semantics.ir import Edge, Filter, Query
from cypher.semantics.way import Way
from schemas.store_ties import Places, StoreTies

MOST_STEPS: Final = 200
"""Relationships tried in the search for one match; it is given up behind them."""
Allowed: TypeAlias = NDArray[np.bool_]
"""Which nodes a node of the pattern may stand for, shape (n_nodes,)."""
Fitting: TypeAlias = Callable[[str, tuple[Filter, ...]], Places | None]
"""The nodes of a label that meet conditions (on node 0); ``None`` where that is not known."""
_NONE: Final[Places] = np.zeros(0, dtype=np.int32)


class HeldTies:
    """A graph without properties. Safe to share between threads.

    >>> from cypher.semantics.ir import Node
    >>> def at(*places: int) -> Places:
    ...     return np.array(places, dtype=np.int32)
    >>> ties = StoreTies(("a", "b", "c"), {"Ship": at(0, 1), "Port": at(2)}, {"AT": (at(0), at(2))})
    >>> docked = Query((Node("Ship"), Node("Port")), (Edge(0, 1, ("AT",)),))
    >>> both = Query((Node("Ship"), Node("Port"), Node("Ship")), (Edge(0, 1, ("AT",)), Edge(2, 1, ("AT",))))
    >>> [HeldTies(ties).matches(q, Way(), lambda label, conditions: None) for q in (docked, both)]
    [True, False]
    """

    def __init__(self, ties: StoreTies) -> None:
        self._ties = ties
        self._labels = {label: self._among(places) for label, places in ties.labels.items()}
        bounds = np.cumsum([0, *(len(starts) for starts, _ in ties.relations.values())])
        self._numbers = {
            kind: np.arange(first, last, dtype=np.int32)
            for kind, (first, last) in zip(ties.relations, pairwise(bounds), strict=True)
        }
        self._between: dict[tuple[tuple[str, ...], str, str, bool], tuple[Places, Places, Places]] = {}

    def matches(self, query: Query, way: Way, fitting: Fitting) -> bool | None:
        """Whether the query, written in a way, matches anything; ``None`` where that is not known.

        Where it asks for more than nodes, relationships and conditions on single nodes, only that there is no
        match can be told.
        """
        inner = denied_nodes(query) | query.inner
        edges = [e for e in query.edges if not (e.negated or e.optional or {e.start, e.end} & inner)]
        allowed = {i: self._label(node.label) for i, node in enumerate(query.nodes) if i not in inner}
        told = True
        for i, nodes in allowed.items():
            if own := tuple(_of_first(f) for f in query.filters if f.ref.owner == i and _is_plain(f)):
                places = fitting(query.nodes[i].label, own)
                told = told and places is not None
                allowed[i] = nodes if places is None else nodes & self._among(places)
        ties = [self._tie(e, query, way) for e in edges]
        if not _narrowed(ties, allowed):
            return False
        plain = len(edges) == len(query.edges) and all(map(_is_plain, query.filters))
        if not (told and plain) or inner or query.clauses or query.having or query.pooled:
            return None
        alone = frozenset[int]() if way.apart else query.again
        return _Search([replace(t, alone=i in alone) for i, t in enumerate(ties)]).found()

    def _label(self, label: str) -> Allowed:
        return self._labels[label] if label in self._labels else self._among(_NONE)

    def _among(self, places: Places) -> Allowed:
        found = np.zeros(len(self._ties), dtype=np.bool_)
        found[places] = True
        return found

    def _tie(self, edge: Edge, query: Query, way: Way) -> _Tie:
        either = way.undirected or edge.both
        key = edge.types, query.nodes[edge.start].label, query.nodes[edge.end].label, either
        if key not in self._between:
            self._between[key] = self._read(*key)
        return _Tie(edge.start, edge.end, *self._between[key])

    def _read(
        self, types: Sequence[str], start: str, end: str, undirected: bool
    ) -> tuple[Places, Places, Places]:
        """What a relationship of a pattern may stand for: starts, ends, and numbers of the relationships."""
        kinds = [t for t in dict.fromkeys(types) if t in self._ties.relations]
        starts = np.concatenate([_NONE, *(self._ties.relations[t][0] for t in kinds)])
        ends = np.concatenate([_NONE, *(self._ties.relations[t][1] for t in kinds)])
        numbers = np.concatenate([_NONE, *(self._numbers[t] for t in kinds)])
        if undirected:
            starts, ends = np.concatenate([starts, ends]), np.concatenate([ends, starts])
            numbers = np.concatenate([numbers, numbers])
        here = self._label(start)[starts] & self._label(end)[ends]
        return starts[here], ends[here], numbers[here]


@dataclass(frozen=True, slots=True, eq=False)
class _Tie:
    """A relationship of a pattern, from node ``start`` to node ``end``, with all that it may stand for."""

    start: int
    end: int
    starts: Places
    ends: Places
    numbers: Places
    alone: bool = False
    """Whether it may stand for what another stands for."""

    def among(self, kept: Allowed) -> _Tie:
        return replace(self, starts=self.starts[kept], ends=self.ends[kept], numbers=self.numbers[kept])


def _is_plain(condition: Filter) -> bool:
    """Whether it is on a node alone."""
    return not condition.ref.on_edge and condition.other is None


def _of_first(condition: Filter) -> Filter:
    return replace(condition, ref=replace(condition.ref, owner=0))


def _narrowed(ties: list[_Tie], allowed: dict[int, Allowed]) -> bool:
    """Narrows both to what may take part in a match; whether anything is left of each."""
    changed = True
    while changed:
        changed = False
        for i, tie in enumerate(ties):
            kept = allowed[tie.start][tie.starts] & allowed[tie.end][tie.ends]
            if tie.start == tie.end:
                kept &= tie.starts == tie.ends
            ties[i] = tie.among(kept)
            for node, places in ((tie.start, ties[i].starts), (tie.end, ties[i].ends)):
                reached = np.zeros_like(allowed[node])
                reached[places] = True
                changed = changed or bool((allowed[node] & ~reached).any())
                allowed[node] = allowed[node] & reached
    return all(nodes.any() for nodes in allowed.values())


@dataclass(slots=True)
class _Search:
    """One match among what the relationships of a pattern may stand for."""

    ties: list[_Tie]
    bound: dict[int, int] = field(default_factory=dict)
    taken: set[int] = field(default_factory=set)
    steps: int = 0

    def found(self) -> bool | None:
        """Whether there is a match; ``None`` where the search was given up."""
        self.ties = _in_line(self.ties)
        return self._goes_on(0)

    def _goes_on(self, at: int) -> bool | None:
        if at == len(self.ties):
            return True
        tie, bound = self.ties[at], dict(self.bound)
        for i in np.flatnonzero(self._fits(tie)):
            number = int(tie.numbers[i])
            if self.steps == MOST_STEPS:
                return None
            self.steps += 1
            if not tie.alone and number in self.taken:
                continue
            self.bound = {**bound, tie.start: int(tie.starts[i]), tie.end: int(tie.ends[i])}
            self.taken |= set() if tie.alone else {number}
            if (found := self._goes_on(at + 1)) is not False:
                return found
            self.taken -= set() if tie.alone else {number}
        self.bound = bound
        return False

    def _fits(self, tie: _Tie) -> Allowed:
        """Which of what it may stand for hangs on the nodes that are bound."""
        fits = np.ones(len(tie.numbers), dtype=np.bool_)
        for node, places in ((tie.start, tie.starts), (tie.end, tie.ends)):
            if node in self.bound:
                fits &= places == self.bound[node]
        return fits


def _in_line(ties: Sequence[_Tie]) -> list[_Tie]:
    """The smallest first, then always the smallest of those that hang on one before, if there is one."""
    left, line, reached = sorted(ties, key=lambda t: len(t.numbers)), list[_Tie](), set[int]()
    while left:
        tie = next((t for t in left if {t.start, t.end} & reached), left[0])
        left.remove(tie)
        line.append(tie)
        reached |= {tie.start, tie.end}
    return line
