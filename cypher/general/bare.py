"""The numbers without a unit in a plan, put on the scale on which the values are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from cypher.form import COMPARISONS, Op
from cypher.general.kinds import Derived, Form, Kind, KindGraph, statement, value
from cypher.general.plan import Branch, Compare, GroupBy, Head, ListOf, Plan, Test, Tree
from cypher.listed import Meant, Scale, in_asked_unit, meaning, scales
from cypher.schema_graph import UNIT, VALUE, attribute, valued_relation
from schemas.questions import Subgraph

_ERRORS: Final = (Derived.TOTAL, Derived.STATISTICAL, Derived.SYSTEMATIC)
Read = Callable[[Plan], Subgraph]


@dataclass(frozen=True, slots=True)
class Placed:
    """The plan to run, what is to be said of its numbers, and why it cannot be run (else empty)."""

    plan: Plan
    notes: tuple[str, ...] = ()
    problem: str = ""
    if_none: str = ""
    """Why it is not answered if nothing fits."""


def placed(plan: Plan, graph: KindGraph, read: Read, unit: str = "") -> Placed:
    """The plan with each number on the scale of the values, or of the errors, that it is compared with.

    ``read`` runs a plan that lists those values, of which it need not look at all. ``unit`` is that of the
    answer, where one is wanted: it is that of the numbers too.
    """
    relation = valued_relation(graph.schema)
    if relation is None or attribute(relation, UNIT) is None:
        return Placed(plan)
    placer = _Placer(graph, statement(relation.name), read, unit)
    found = replace(plan, root=placer.tree(plan.root, ()), head=placer.head(plan))
    notes = tuple(dict.fromkeys(m.note for m in placer.meant if m.note))
    problem = next((m.problem for m in placer.meant if m.problem), "")
    if_none = next((m.if_none for m in placer.meant if m.if_none), "")
    return Placed(found, notes, problem, if_none)


@dataclass(slots=True)
class _Placer:
    """Goes through the trees of one plan."""

    graph: KindGraph
    measured: Kind
    read: Read
    unit: str
    meant: list[Meant] = field(default_factory=list)

    def head(self, plan: Plan) -> Head:
        """The head with the trees that it holds."""
        match plan.head:
            case ListOf(ranking) if ranking is not None:
                return replace(plan.head, ranking=replace(ranking, tree=self.tree(ranking.tree, ())))
            case GroupBy(tree):
                return GroupBy(self.tree(tree, ()))
            case Compare(_, (first, second)):
                sides = (replace(s, root=self.tree(s.root, ())) for s in (first, second))
                return replace(plan.head, sides=(next(sides), next(sides)))
            case _:
                return plan.head

    def tree(self, tree: Tree, above: tuple[Tree, ...]) -> Tree:
        """A tree with the numbers in it placed; ``above`` are the named things on the way to it."""
        here = (*above, Tree(tree.kind, tree.tests)) if tree.tests and not tree.kind.is_value else above
        branches = tuple(self._branch(b, (*here, *_beside(b, tree))) for b in tree.branches)
        children = tuple(self.tree(c, here) for c in tree.children)
        if any(self._is_bare(c) for c in children):
            children = tuple(self._children(children, here))
        return replace(tree, children=children, branches=branches)

    def _branch(self, branch: Branch, above: tuple[Tree, ...]) -> Branch:
        """A branch; what it denies of pure numbers it may not deny of all."""
        before = len(self.meant)
        found = replace(branch, trees=tuple(self.tree(t, above) for t in branch.trees))
        if branch.negated:
            here = (replace(m, problem=m.problem or m.if_none) for m in self.meant[before:])
            self.meant[before:] = list(here)
        return found

    def _children(self, children: tuple[Tree, ...], above: tuple[Tree, ...]) -> Iterator[Tree]:
        beside = tuple(c for c in children if not self._is_bare(c))
        pure: dict[Kind, None] = {}
        for child in children:
            found: list[Meant] = []
            if self._is_bare(child):
                counted, all_read = self._scales(child.kind, beside, above)
                found = [self._meant(t, counted, all_read=all_read) for t in child.tests]
                pure |= {self._unit(child.kind): None} if any(m.pure for m in found) else {}
            tests = (replace(t, units=m.units) for t, m in zip(child.tests, found, strict=False))
            yield replace(child, tests=tuple(tests)) if found else child
        yield from (Tree(unit, (Test(Op.UNKNOWN),)) for unit in pure)

    def _unit(self, number: Kind) -> Kind:
        """The values that say in which unit a number is."""
        if number.owner == self.measured.owner:
            return value(number.owner, UNIT)
        return value(number.owner, f"{number.attribute}_{UNIT}")

    def _meant(self, test: Test, counted: dict[Scale, int], *, all_read: bool) -> Meant:
        if not _compares(test):
            return Meant(units=test.units)
        if self.unit:
            return Meant(units=in_asked_unit(float(str(test.value)), self.unit))
        found = meaning(float(str(test.value)), test.shown, counted, all_read=all_read)
        self.meant.append(found)
        return found

    def _scales(
        self, number: Kind, beside: tuple[Tree, ...], above: tuple[Tree, ...]
    ) -> tuple[dict[Scale, int], bool]:
        """On which scales the numbers are listed, by all that is said of what has them."""
        if self.unit:
            return {}, True
        owner = self.graph.owner(number)
        ends = {k for side in self.graph.ends(owner) for k in side} if owner == self.measured else set()
        held = {c.kind for c in beside}
        known = (t for t in above if t.kind not in held and (t.kind in ends or _is_of(t.kind, owner)))
        beside = (*beside, *known)
        branches = (Branch((Tree(owner, children=beside),)),) if beside else ()
        shown = None if owner == self.measured else number
        found = self.read(Plan(Tree(owner, branches=branches), ListOf(number=shown)))
        column = shown.attribute if shown else VALUE
        return scales(found, column, self._unit(number).attribute), not found.truncated

    def _is_bare(self, tree: Tree) -> bool:
        """Whether a number that may have a unit is compared with one that has none."""
        kind = tree.kind
        if kind.form is not Form.VALUE or not any(map(_compares, tree.tests)):
            return False
        if kind.owner != self.measured.owner:
            return not kind.derived and self.graph.attribute(self._unit(kind)) is not None
        return kind.derived in _ERRORS or (kind.attribute == VALUE and not kind.derived)


def _is_of(kind: Kind, owner: Kind) -> bool:
    return kind.is_value and kind.owner == owner.owner


def _beside(branch: Branch, tree: Tree) -> Iterator[Tree]:
    """What the other branches of a thing say of it."""
    for other in tree.branches:
        if other is not branch and not other.negated and other.number is None and len(other.trees) == 1:
            (told,) = other.trees
            if told.kind == tree.kind:
                yield from (c for c in told.children if c.kind.is_value and not any(map(_compares, c.tests)))


def _compares(test: Test) -> bool:
    return test.op in COMPARISONS and not test.units
