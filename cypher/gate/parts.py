"""Parts of a query that nothing connects, and long patterns that begin nowhere: both multiply without end.

The clauses of one query are looked at together, since rows of one MATCH meet those of the next. A WITH that
collects or limits rows begins anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from cypher.gate.grouping import collects
from cypher.gate.report import finding
from cypher.gate.symbols import Analysis, Symbol, place
from cypher.syntax import nodes as n
from cypher.syntax.walk import walk
from schemas.findings import Finding

UNBOUNDED: Final = 6
"""Steps that a path without an upper bound counts as: the bound that it is given."""
MAX_FREE_STEPS: Final = 3
"""Most steps of a pattern in which nothing is named (own choice: three steps of ten neighbours are 1,000
paths for each node of the graph)."""
MAX_PARTS: Final = 4
"""Most parts without a condition that meet each other."""


@dataclass(slots=True)
class _Part:
    """Patterns that share variables."""

    symbols: set[Symbol]
    steps: int
    anchored: bool
    pinned: bool

    def with_(self, other: _Part) -> _Part:
        return _Part(
            self.symbols | other.symbols,
            self.steps + other.steps,
            self.anchored or other.anchored,
            self.pinned or other.pinned,
        )


def check_parts(query: n.Query, analysis: Analysis) -> Iterator[Finding]:
    """At most one finding ``COST`` for each single query."""
    known = _Known(analysis)
    for branch in walk(query):
        if isinstance(branch, n.SingleQuery):
            yield from _branch(branch, known)


def _branch(branch: n.SingleQuery, known: _Known) -> Iterator[Finding]:
    parts: list[_Part] = []
    known.seen.clear()
    for clause in branch.clauses:
        if isinstance(clause, n.With) and (collects(clause.projection) or clause.projection.limit):
            parts = []
        if not isinstance(clause, n.Match):
            continue
        for path in clause.paths:
            new = known.part(path)
            for part in [p for p in parts if p.symbols & new.symbols]:
                parts.remove(part)
                new = new.with_(part)
            parts.append(new)
        found = _wrong(parts, clause)
        if found is not None:
            yield found
            return


def _wrong(parts: list[_Part], clause: n.Match) -> Finding | None:
    free = [p for p in parts if not p.anchored]
    if len(free) > 1 or sum(not p.pinned for p in parts) > MAX_PARTS:
        message = (
            f"{len(parts)} parts of this query share no variable, so each row of one meets every row of the "
            "others; connect them by a relationship, or give each a label and a condition"
        )
        return finding("COST", message, clause.span, "MATCH (a:A)-[:TYPE]->(b:B)")
    if any(p.steps > MAX_FREE_STEPS for p in free):
        message = (
            f"a pattern of more than {MAX_FREE_STEPS} steps needs a node with a label or a condition, or a "
            "relationship with a type, to begin at"
        )
        return finding("COST", message, clause.span, "MATCH (a:A)-[:TYPE]->{1,3}(b)")
    return None


@dataclass(slots=True)
class _Known:
    """What narrows the variables of a query."""

    analysis: Analysis
    seen: set[Symbol] = field(default_factory=set)
    """Variables of the clauses of the single query that is looked at."""
    _narrowed: set[Symbol] = field(init=False)
    _pinned: set[Symbol] = field(init=False)

    def __post_init__(self) -> None:
        uses = [u for u in self.analysis.uses if u.symbol is not None]
        labelled = (s for _, s in self.analysis.labels if s is not None)
        self._narrowed = {u.symbol for u in uses if u.symbol is not None} | set(labelled)
        self._narrowed |= set(self.analysis.asked)
        self._pinned = {u.symbol for u in uses if u.symbol and isinstance(u.value, n.Literal | n.Parameter)}

    def part(self, path: n.Path) -> _Part:
        """One path as a part of its own."""
        symbols = [s for x in walk(path) if (s := self._symbol(x)) is not None]
        chains = [list(_chain(s)) for s in symbols]
        roots = {c[-1] for c in chains}
        given = any(len(c) > 1 and c[-1] not in self.seen for c in chains)
        narrowed = any(s.labels or s in self._narrowed for c in chains for s in c)
        pinned = any(s in self._pinned for c in chains for s in c)
        self.seen |= roots
        return _Part(roots, _steps(path), given or narrowed, given or pinned)

    def _symbol(self, node: n.Node) -> Symbol | None:
        if isinstance(node, n.NodePattern):
            return self.analysis.nodes.get(place(node))
        if isinstance(node, n.RelationshipPattern):
            return self.analysis.relationships.get(place(node))
        return None


def _chain(symbol: Symbol) -> Iterator[Symbol]:
    """A variable, and the same one wherever it comes from."""
    here: Symbol | None = symbol
    while here is not None:
        yield here
        here = here.outer


def _steps(path: n.Path) -> int:
    """Relationships that one path may go along at most."""
    total = 0
    for element in path.elements:
        if isinstance(element, n.GroupPattern):
            total += _steps(element.path) * _times(element.quantifier)
        elif isinstance(element, n.RelationshipPattern):
            total += _times(element.length or element.quantifier)
    return total


def _times(bounds: n.Quantifier | None) -> int:
    return 1 if bounds is None else bounds.upper or max(UNBOUNDED, bounds.lower)
