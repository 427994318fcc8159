"""A tree of a plan becomes a pattern of Cypher: paths, conditions, and the statements it rests on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from cypher.form import Op
from cypher.general.kinds import Derived, Form, Kind, KindGraph
from cypher.general.plan import Branch, Contrast, Number, Size, Test, Tree
from cypher.general.tries import NoPlanError
from cypher.identifiers import ENTITY, Identifiers, quote
from cypher.schema_graph import TEXT, UNIT, attribute, error_attributes
from schemas.graph_schema import GraphSchema
from schemas.graphs import Origin
from schemas.questions import Parameter

_SIGNS: Final = {
    Op.IS: "=",
    Op.AT_LEAST: ">=",
    Op.AT_MOST: "<=",
    Op.ABOVE: ">",
    Op.BELOW: "<",
}
_ERRORS: Final = {Derived.STATISTICAL: "stat", Derived.SYSTEMATIC: "syst"}


@dataclass(frozen=True, slots=True)
class Bound:
    """A thing in a query: a variable, or for values the expression that gives it."""

    kind: Kind
    text: str
    ends: tuple[Bound, ...] = ()
    """Subject and object of a statement."""
    owner: str = ""
    """Variable of a value's owner."""


@dataclass(slots=True)
class Pattern:
    """Paths and conditions of one MATCH."""

    paths: list[str] = field(default_factory=list)
    where: list[str] = field(default_factory=list)
    statements: list[Bound] = field(default_factory=list)
    counted: Bound | None = None

    def match(self) -> str:
        """The clause."""
        where = f" WHERE {' AND '.join(dict.fromkeys(self.where))}" if self.where else ""
        return f"MATCH {', '.join(dict.fromkeys(self.paths))}{where}"


class PatternWriter:
    """Writes patterns of one query; holds its parameters and gives its variables."""

    def __init__(self, graph: KindGraph) -> None:
        self.graph, self.schema = graph, graph.schema
        self.names = Identifiers.of(self.schema)
        self.parameters: dict[str, Parameter] = {}
        self._count = 0

    def new(self, letter: str) -> str:
        """A fresh variable."""
        self._count += 1
        return f"{letter}{self._count}"

    def parameter(self, found: Parameter) -> str:
        """``$p0`` for a value; equal values of one type share a parameter."""
        for name, known in self.parameters.items():
            if type(known) is type(found) and known == found:
                return f"${name}"
        name = f"p{len(self.parameters)}"
        self.parameters[name] = found
        return f"${name}"

    def property(self, variable: str, name: str) -> str:
        """``n1.`name```."""
        return f"{variable}.{quote(name, self.names.properties)}"

    def node(self, variable: str, kind: Kind) -> str:
        """A node in brackets with its labels."""
        label = self.schema.entity(kind.owner).label
        return f"({variable}:{quote(ENTITY, self.names.labels)}:{quote(label, self.names.labels)})"

    # Things

    def root(self, tree: Tree, pattern: Pattern) -> Bound:
        """What is asked for, as the first thing of a pattern."""
        kind = tree.kind
        if kind.form is Form.ENTITY:
            bound = Bound(kind, self.new("n"))
            pattern.paths.append(self.node(bound.text, kind))
        elif kind.form is Form.STATEMENT:
            bound = self._statement(kind, pattern, ())
        else:
            owner = self.graph.owner(kind)
            if self.graph.is_many(kind) or kind.derived:
                raise NoPlanError("values of lists are not listed")
            holder = self._owner(owner, pattern)
            bound = Bound(kind, self.property(holder.text, kind.attribute), (holder,), holder.text)
            pattern.where.append(f"{bound.text} IS NOT NULL")
        self._own(tree, bound, pattern)
        return bound

    def _owner(self, kind: Kind, pattern: Pattern) -> Bound:
        if kind.form is Form.STATEMENT:
            return self._statement(kind, pattern, ())
        bound = Bound(kind, self.new("n"))
        pattern.paths.append(self.node(bound.text, kind))
        return bound

    def _statement(self, kind: Kind, pattern: Pattern, known: tuple[Bound, ...]) -> Bound:
        """A statement with both its ends; ``known`` holds one that the pattern has."""
        subjects, objects = self.graph.ends(kind)
        ends = []
        for options in (subjects, objects):
            have = next((k for k in known if k.kind in options), None)
            if have is None and len(options) != 1:
                raise NoPlanError("an end of several types")
            ends.append(have or Bound(options[0], self.new("n")))
        shown = [f"({e.text})" if e in known else self.node(e.text, e.kind) for e in ends]
        variable = self.new("r")
        relation = quote(self.schema.relation(kind.owner).neo4j_type, self.names.types)
        pattern.paths.append(f"{shown[0]}-[{variable}:{relation}]->{shown[1]}")
        bound = Bound(kind, variable, tuple(ends))
        self._same_document(bound, pattern)
        pattern.statements.append(bound)
        return bound

    def _same_document(self, bound: Bound, pattern: Pattern) -> None:
        """What a source limits, what a paper measures, and with what, must be told by one document.

        What a listing says of two catalogued things holds whoever tells the rest.
        """
        for other in pattern.statements:
            catalogued = [s for s in (other, bound) if self._is_catalogue(s.kind)]
            if other.kind == bound.kind or len(catalogued) > 1:
                continue
            first, second = (self.property(s.text, "document") for s in (other, bound))
            same = f"{first} = {second}"
            listed = self.parameter(Origin.PDG_TABLES.value) if catalogued else ""
            origins = [f"{self.property(s.text, 'origin')} = {listed}" for s in catalogued]
            told = f"{self.parameter(True)} IN [{', '.join((same, *origins))}]" if origins else same
            pattern.where.append(told)

    def _is_catalogue(self, kind: Kind) -> bool:
        """Whether both ends are catalogued things, so that the statement holds whoever tells it."""
        subjects, objects = self.graph.ends(kind)
        types = [self.schema.entity(k.owner) for k in (*subjects, *objects)]
        return all(
            t.name != self.schema.document_type
            and (bool(t.canonicalization.identity) or not t.canonicalization.similarity)
            for t in types
        )

    def grow(self, tree: Tree, bound: Bound, pattern: Pattern) -> None:
        """Everything below a tree whose thing is there already."""
        pattern.where += [self._contrast(c, bound) for c in tree.contrasts]
        often = {t: n for t, n in Counter(tree.children).items() if n > 1 and self._is_member(t)}
        for member, times in often.items():
            there = self._step(bound, member.kind, pattern)
            pattern.where.append(self._often(member.tests[0], there, times))
        for child in (c for c in tree.children if c not in often):
            there = self._step(bound, child.kind, pattern)
            self._own(child, there, pattern)
            self.grow(child, there, pattern)
            pattern.where += [self.condition(b, there) for b in child.branches]

    def _is_member(self, tree: Tree) -> bool:
        """Whether a tree says no more than that a list holds a value."""
        only = Tree(tree.kind, tree.tests)
        return (
            tree == only
            and len(tree.tests) == 1
            and tree.tests[0].times is None
            and self.graph.is_many(tree.kind)
            and not tree.kind.derived
        )

    def _often(self, test: Test, bound: Bound, times: int) -> str:
        """The list holds a value that is named more than once at least so often: "gamma gamma"."""
        return self._holds(test, bound, Number(Size.AT_LEAST, times))

    def _holds(self, test: Test, bound: Bound, number: Number) -> str:
        sign = "IN" if test.op is Op.ONE_OF else "="
        members = f"[x IN {bound.text} WHERE x {sign} {self.parameter(test.value)}]"
        return f"size({members}) {number.size.value} {self.parameter(number.value)}"

    def _own(self, tree: Tree, bound: Bound, pattern: Pattern) -> None:
        pattern.where += [self.test(t, bound) for t in tree.tests]
        if tree.counted:
            pattern.counted = bound

    def _step(self, bound: Bound, kind: Kind, pattern: Pattern) -> Bound:
        if kind == bound.kind:
            return bound
        if kind.is_value and not bound.kind.is_value:
            return Bound(kind, self.expression(kind, bound), owner=bound.text)
        if bound.kind.form is Form.STATEMENT:
            return next(e for e in bound.ends if e.kind == kind)
        if bound.kind.is_value:
            if bound.ends:
                return bound.ends[0]
            if bound.kind.derived or self.graph.is_many(bound.kind):
                raise NoPlanError("no things of a computed value")
            there = self._owner(kind, pattern)
            pattern.where.append(f"{self.property(there.text, bound.kind.attribute)} = {bound.text}")
            return there
        return self._statement(kind, pattern, (bound,))

    # Expressions and conditions

    def expression(self, kind: Kind, bound: Bound) -> str:
        """A value of a thing."""
        if kind.derived is Derived.SIZE:
            return f"size({self.property(bound.text, kind.attribute)})"
        if kind.derived is Derived.TOTAL:
            return self._total(kind.owner, bound)
        if kind.derived:
            return self._two_sided(kind.owner, bound, _ERRORS[kind.derived])
        return self.property(bound.text, kind.attribute)

    def _two_sided(self, relation: str, bound: Bound, error: str) -> str:
        """Half the sum of the errors upwards and downwards, or the one of them that a relation declares."""
        known = error_attributes(self.schema.relation(relation))
        sides = [f"{error}_{side}" for side in ("plus", "minus") if f"{error}_{side}" in known]
        if not sides:
            raise NoPlanError(f"no {error} error")
        plus, minus = (self.property(bound.text, side) for side in (sides[0], sides[-1]))
        if plus == minus:
            return plus
        two = self.parameter(2.0)
        return f"((coalesce({plus}, {minus}) + coalesce({minus}, {plus})) / {two})"

    def _total(self, relation: str, bound: Bound) -> str:
        """The listed total error, else the root of the squares of statistical and systematic error."""
        known = {a.rpartition("_")[0] for a in error_attributes(self.schema.relation(relation))}
        options = []
        if "stat" in known:
            options.append(stat := self._two_sided(relation, bound, "stat"))
        if {"stat", "syst"} <= known:
            syst = self._two_sided(relation, bound, "syst")
            zero = self.parameter(0.0)
            options[0] = f"sqrt({stat} * {stat} + coalesce({syst}, {zero}) * coalesce({syst}, {zero}))"
        if "total" in known or not options:
            options.insert(0, self._two_sided(relation, bound, "total"))
        return f"coalesce({', '.join(options)})" if len(options) > 1 else options[0]

    def _contrast(self, contrast: Contrast, bound: Bound) -> str:
        left, right = (self.expression(k, bound) for k in (contrast.left, contrast.right))
        return f"{left} {_SIGNS[contrast.op]} {right}"

    def test(self, test: Test, bound: Bound) -> str:
        """A condition on a thing."""
        if bound.kind.form is Form.ENTITY:
            return f"{self.property(bound.text, 'id')} IN {self.parameter(test.value)}"
        many = self.graph.is_many(bound.kind)
        if test.times is not None:
            return self._holds(test, bound, test.times)
        if test.op in (Op.KNOWN, Op.UNKNOWN):
            return f"{self._or_its_text(bound)} IS {'NOT ' if test.op is Op.KNOWN else ''}NULL"
        if test.units:
            return self._in_units(test, bound)
        value = self.parameter(test.value)
        if test.op is Op.HAS and not many:
            return f"toLower({bound.text}) CONTAINS {value}"
        if test.op is Op.OTHER:
            values = value if isinstance(test.value, tuple) else f"[{value}]"
            return f"NOT coalesce({bound.text} IN {values}, {self.parameter(False)})"
        if test.op is Op.ONE_OF:
            return f"any(x IN {bound.text} WHERE x IN {value})" if many else f"{bound.text} IN {value}"
        return f"{value} IN {bound.text}" if many else f"{bound.text} {_SIGNS[test.op]} {value}"

    def _or_its_text(self, bound: Bound) -> str:
        """A number of a thing is known, too, where only its text is: a recommended upper limit."""
        text = f"{bound.kind.attribute}_{TEXT}"
        if bound.kind.form is not Form.VALUE or not self.graph.is_number(bound.kind) or not bound.owner:
            return bound.text
        if any(r.name == bound.kind.owner for r in self.schema.relations):
            return bound.text
        known = attribute(self.schema.entity(bound.kind.owner), text)
        return f"coalesce({bound.text}, {self.property(bound.owner, text)})" if known else bound.text

    def _in_units(self, test: Test, bound: Bound) -> str:
        """The comparison in whichever unit the number is given, with the number written once."""
        unit = self.unit(bound)
        if not unit:
            raise NoPlanError("a number without unit")
        if any(not name for name, _ in test.units):  # a share is given as a part of one
            unit = f"coalesce({unit}, {self.parameter('')})"
        known = self.parameter(tuple(name for name, _ in test.units))
        cases = (f"WHEN {self.parameter(name)} THEN {self.parameter(number)}" for name, number in test.units)
        return f"({unit} IN {known} AND {bound.text} {_SIGNS[test.op]} CASE {unit} {' '.join(cases)} END)"

    def unit(self, bound: Bound) -> str:
        """The unit in which a number is given; empty where the schema declares none."""
        owner: GraphSchema = self.schema
        name = f"{bound.kind.attribute}_{UNIT}"
        if any(r.name == bound.kind.owner for r in owner.relations):
            declared = attribute(owner.relation(bound.kind.owner), UNIT)
            return self.property(bound.owner, UNIT) if declared else ""
        found = attribute(owner.entity(bound.kind.owner), name)
        return self.property(bound.owner, name) if found else ""

    def condition(self, branch: Branch, bound: Bound) -> str:
        """A branch as a condition on a thing that is there."""
        if branch.number is not None:
            return self._number(branch, bound)
        parts = [self._exists(t, bound) for t in branch.trees]
        text = parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"
        return f"NOT {text}" if branch.negated else text

    def _number(self, branch: Branch, bound: Bound) -> str:
        assert branch.number is not None
        pattern = self.inner(branch.trees[0], bound)
        if pattern.counted is None or not pattern.paths:
            raise NoPlanError("nothing to count")
        text = f"COUNT {{ {pattern.match()} RETURN DISTINCT {pattern.counted.text} AS x }}"
        size = branch.number.size
        floor = f"{text} > {self.parameter(0)} AND " if size in (Size.FEWER, Size.AT_MOST) else ""
        return f"{floor}{text} {size.value} {self.parameter(branch.number.value)}"

    def inner(self, tree: Tree, bound: Bound) -> Pattern:
        """The pattern of a tree around a thing that is there."""
        pattern = Pattern()
        self.grow(tree, bound, pattern)
        return pattern

    def _exists(self, tree: Tree, bound: Bound) -> str:
        pattern = self.inner(tree, bound)
        if not pattern.paths:
            known = pattern.where
            if not known:
                raise NoPlanError("a condition that says nothing")
            joined = " AND ".join(f"coalesce({w}, {self.parameter(False)})" for w in known)
            return f"({joined})" if len(known) > 1 else joined
        return f"EXISTS {{ {pattern.match()} }}"
