"""Properties that a question returns or measures, by the nodes that what was said has made already."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from cypher.semantics.chart.forms import Figured, Ranked, Wanted
from cypher.semantics.chart.patterns import Pattern
from cypher.semantics.ir import Clause, ClauseKind, Measure, PropertyRef

if TYPE_CHECKING:
    from cypher.semantics.schema_paths import Path


class Lowering(Protocol):
    """What makes the nodes and names the properties of a typed form."""

    @property
    def known(self) -> dict[tuple[int, Path], int]: ...

    @property
    def inner(self) -> set[int]: ...

    def walk(self, node: int, path: Path, pattern: Pattern) -> int: ...

    def ref(self, node: int, name: str) -> PropertyRef: ...

    def asked_ref(self, node: int, wanted: Wanted, pattern: Pattern) -> PropertyRef: ...


def ranked_by(state: Lowering, best: Ranked, node: int, pattern: Pattern) -> PropertyRef:
    """What is ranked by, of the things already spoken of where the node is tied to such."""
    wanted = best.wanted
    if wanted.path and wanted.step is None and best.measure in (Measure.MAX, Measure.MIN):
        there, rest = pattern.reached(node, wanted.path)
        return state.ref(state.walk(there, rest, pattern), wanted.name)
    known = (path for at, path in state.known if at == node and len(path) == 1)
    if len(wanted.path) == 1 and wanted.step is None:
        wanted = replace(wanted, path=next((x for x in known if x[0].to == wanted.label), wanted.path))
    return returned(state, wanted, node, pattern)


def returned(state: Lowering, wanted: Wanted, answer: int, pattern: Pattern) -> PropertyRef:
    """The property of the node behind a path, by nodes that are there already as far as they go."""
    node, path = answer, wanted.path
    while path:
        for size in range(len(path), 0, -1):
            known = state.known.get((node, path[:size]))
            if known is not None and known not in state.inner:
                node, path = known, path[size:]
                break
        else:
            there = state.walk(node, path[:1], pattern)
            state.known[node, path[:1]] = there
            node, path = there, path[1:]
    if wanted.step is not None:
        return state.asked_ref(node, wanted, pattern)
    return state.ref(node, wanted.name)


def figure(state: Lowering, limit: Figured, node: int) -> Clause:
    """The condition on a measure over all that the node is tied to in the one way, whatever else is said."""
    part = Pattern()
    there = state.walk(node, limit.wanted.path, part)
    told = limit.wanted.step is not None
    ref = state.asked_ref(there, limit.wanted, part) if told else state.ref(there, limit.wanted.name)
    state.inner.update(part.nodes)
    return Clause(
        ClauseKind.FIGURE, (part.done(),), limit.operator, ref=ref, measure=limit.measure, figure=limit.number
    )
