"""Writes the parts of one query: patterns, conditions, columns, parameters."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from cypher.form import Condition, Form, Node, Op
from cypher.identifiers import ENTITY, Identifiers, quote
from cypher.schema_graph import SHORT_NAME, UNIT, attribute
from schemas.graph_schema import GraphSchema
from schemas.graphs import Origin
from schemas.questions import Parameter

_SIGNS = {
    Op.IS: "=",
    Op.ONE_OF: "IN",
    Op.AT_LEAST: ">=",
    Op.AT_MOST: "<=",
    Op.ABOVE: ">",
    Op.BELOW: "<",
}


@dataclass(frozen=True, slots=True)
class Written:
    """Query text up to the last LIMIT, and the columns it returns."""

    text: str
    columns: tuple[str, ...]


@dataclass(slots=True)
class Writer:
    """Writes the parts of one query and collects its parameters."""

    form: Form
    schema: GraphSchema
    names: Identifiers
    row_cap: int
    parameters: dict[str, Parameter] = field(default_factory=dict)

    def parameter(self, value: Parameter) -> str:
        """``$p0`` for a value; equal values of one type share a parameter."""
        for name, known in self.parameters.items():
            if name != "scope" and type(known) is type(value) and known == value:
                return f"${name}"
        name = f"p{len(self.parameters)}"
        self.parameters[name] = value
        return f"${name}"

    def property(self, var: str, name: str) -> str:
        """``n0.`name```."""
        return f"{var}.{quote(name, self.names.properties)}"

    def column(self, expression: str, name: str) -> str:
        """``expression AS `name```."""
        return f"{expression} AS {quote(name, self.names.columns)}"

    def label(self, node: Node) -> str:
        """The node in brackets with both labels."""
        label = quote(self.schema.entity(node.type).label, self.names.labels)
        return f"({node.var}:{quote(ENTITY, self.names.labels)}:{label})"

    def pattern(self, *bound: str) -> str:
        """All nodes and edges, each node labelled where it first occurs; ``bound`` ones are known."""
        seen = set(bound)

        def node(var: str) -> str:
            if var in seen:
                return f"({var})"
            seen.add(var)
            return self.label(self.form.node(var))

        parts = []
        for e in self.form.edges:
            kind = quote(self.schema.relation(e.relation).neo4j_type, self.names.types)
            parts.append(f"{node(e.start)}-[{e.var}:{kind}]->{node(e.end)}")
        parts.extend(self.label(n) for n in self.form.nodes if n.var not in seen)
        return ", ".join(parts)

    def scope(self, *variables: str) -> list[str]:
        """The scope predicate of variables."""
        return [f"{self.property(v, 'status')} IN $scope" for v in variables]

    def where(self, *bound: str) -> str:
        """Scope, conditions, and statements that one document must make, except for ``bound``."""
        variables = [n.var for n in self.form.nodes] + [e.var for e in self.form.edges]
        parts = self.scope(*(v for v in variables if v not in bound))
        given = Counter(c for c in self.form.conditions if c.var not in bound)
        parts += [
            self._often(c, times) if times > 1 and c.op is Op.HAS else self.condition(c)
            for c, times in given.items()
        ]
        parts += [self._together(a, b) for a, b in self.form.same_document]
        parts += [f"{a} <> {b}" for a, b in self.form.different]
        return " AND ".join(parts)

    def _together(self, a: str, b: str) -> str:
        """One document states both, or one of them is what a listing says of two catalogued things.

        Which decay a listed quantity belongs to is part of what the quantity is, whoever measures it.
        """
        same = f"{self.property(a, 'document')} = {self.property(b, 'document')}"
        listed = [
            f"{self.property(v, 'origin')} = {self.parameter(Origin.PDG_TABLES.value)}"
            for v in (a, b)
            if self._is_catalogued(v)
        ]
        return f"{self.parameter(True)} IN [{', '.join((same, *listed))}]" if listed else same

    def _is_catalogued(self, edge: str) -> bool:
        """Whether both ends are things with identifiers or exact names, and neither is the document."""
        found = self.form.edge(edge)
        return self.catalogued(*(self.form.node(v).type for v in (found.start, found.end)))

    def catalogued(self, *types: str) -> bool:
        """Whether things of these types have identifiers or exact names, and none is the document."""
        ends = [self.schema.entity(t) for t in types]
        return all(
            e.name != self.schema.document_type
            and (bool(e.canonicalization.identity) or not e.canonicalization.similarity)
            for e in ends
        )

    def condition(self, c: Condition) -> str:
        """One condition, its value as a parameter."""
        prop = self.property(c.var, c.attribute)
        if c.op is Op.KNOWN and c.otherwise:
            return f"coalesce({prop}, {self.property(c.var, c.otherwise)}) IS NOT NULL"
        if c.op is Op.KNOWN:
            return f"{prop} IS NOT NULL"
        if c.op is Op.UNKNOWN:
            return f"{prop} IS NULL"
        if c.units:
            return self._in_units(c, prop)
        value = self.parameter(c.value)
        if c.op is Op.NAMES:
            return self._names(prop, value)
        if c.op in (Op.HAS, Op.LACKS):
            several = isinstance(c.value, tuple)
            held = f"any(x IN {prop} WHERE x IN {value})" if several else f"{value} IN {prop}"
            return f"NOT {held}" if c.op is Op.LACKS else held
        if c.op in (Op.WORDS, Op.NO_WORDS):
            held = f"any(x IN {value} WHERE toLower({prop}) CONTAINS x)"
            return f"NOT {held}" if c.op is Op.NO_WORDS else held
        return f"{prop} {_SIGNS[c.op]} {value}"

    def _often(self, c: Condition, times: int) -> str:
        """The list holds a value that is named more than once at least so often: "gamma gamma"."""
        prop = self.property(c.var, c.attribute)
        sign = "IN" if isinstance(c.value, tuple) else "="
        return f"size([x IN {prop} WHERE x {sign} {self.parameter(c.value)}]) >= {self.parameter(times)}"

    def _names(self, prop: str, ids: str) -> str:
        """The property holds the short name of a document, or its name where it has no short one."""
        document = Node("d0", self.schema.document_type or "")
        name = self.property(document.var, "name")
        if attribute(self.schema.entity(document.type), SHORT_NAME) is not None:
            name = f"coalesce({self.property(document.var, SHORT_NAME)}, {name})"
        where = " AND ".join((*self.scope(document.var), f"{self.property(document.var, 'id')} IN {ids}"))
        return f"{prop} IN COLLECT {{ MATCH {self.label(document)} WHERE {where} RETURN {name} AS s }}"

    def _in_units(self, c: Condition, prop: str) -> str:
        """The comparison in whichever unit the value is given."""
        unit = self.property(c.var, UNIT)
        cases = (
            f"({unit} {f'= {self.parameter(name)}' if name else 'IS NULL'} AND {prop} {_SIGNS[c.op]}"
            f" {self.parameter(number)})"
            for name, number in c.units
        )
        return f"({' OR '.join(cases)})"

    def match(self) -> str:
        """The MATCH clause with its WHERE."""
        return f"MATCH {self.pattern()} WHERE {self.where()}"
