"""Numbers of a plan that have no unit, though what they are compared with may have one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cypher.form import COMPARISONS
from cypher.general.kinds import Derived, Kind, KindGraph
from cypher.general.plan import Plan, Tree
from cypher.schema_graph import VALUE, valued_relation

_ERRORS: Final = (Derived.TOTAL, Derived.STATISTICAL, Derived.SYSTEMATIC)


def bare_numbers(plan: Plan, graph: KindGraph) -> tuple[str, ...]:
    """The numbers without a unit with which measured values or their errors are compared."""
    relation = valued_relation(graph.schema)
    if relation is None:
        return ()
    return tuple(dict.fromkeys(n for t in plan.trees for n in _of_tree(t, relation.name)))


def _of_tree(tree: Tree, relation: str) -> Iterator[str]:
    if _is_measured(tree.kind, relation):
        yield from (t.shown for t in tree.tests if t.op in COMPARISONS and not t.units)
    for inner in (*tree.children, *(t for b in tree.branches for t in b.trees)):
        yield from _of_tree(inner, relation)


def _is_measured(kind: Kind, relation: str) -> bool:
    """Whether it is a measured value or one of its errors."""
    number = kind.derived in _ERRORS or (kind.attribute == VALUE and not kind.derived)
    return kind.is_value and kind.owner == relation and number
