"""Says in English what a reading asks; made from the typed form alone, never from the question."""

from __future__ import annotations

from dataclasses import replace

from cypher.semantics.all_of import is_all_of
from cypher.semantics.ir import (
    Clause,
    ClauseKind,
    Edge,
    Filter,
    Head,
    Literal,
    Measure,
    Operator,
    Part,
    PropertyRef,
    Query,
    edge_of,
)
from cypher.semantics.text import identifier_words

_MEASURES = {
    Measure.COUNT: "number",
    Measure.AVG: "average",
    Measure.SUM: "sum",
    Measure.MAX: "largest",
    Measure.MIN: "smallest",
}
_OPERATORS = {
    Operator.EQ: "is",
    Operator.NE: "is not",
    Operator.GT: "is above",
    Operator.GE: "is at least",
    Operator.LT: "is below",
    Operator.LE: "is at most",
    Operator.CONTAINS: "contains",
    Operator.STARTS: "starts with",
    Operator.ENDS: "ends with",
    Operator.IN: "is one of",
    Operator.KNOWN: "is known",
    Operator.UNKNOWN: "is not known",
    Operator.IS: "is a",
    Operator.IS_NOT: "is not a",
}

_HOW_OFTEN = {
    Operator.EQ: "exactly",
    Operator.GT: "more than",
    Operator.GE: "at least",
    Operator.LT: "fewer than",
    Operator.LE: "at most",
}


def explain(query: Query) -> str:
    """One sentence per reading.

    >>> from cypher.semantics.ir import Edge, Node
    >>> q = Query((Node("Film"), Node("Person")), (Edge(1, 0, ("DIRECTED",)),),
    ...           (Filter(PropertyRef(1, "name"), Operator.EQ, "Ann Lee"),))
    >>> explain(q)
    "Film, where person DIRECTED film, the person's name is 'Ann Lee'."
    """
    names = _names(query)
    said = [_edge(query, i, names) for i in range(len(query.edges))]
    filters, clauses, having = condition_texts(query)
    said += [*filters, *clauses, *filter(None, [having])]
    text = _head(query, names)
    if query.over is not None:
        text = f"{_MEASURES[query.over]} over the counts: {text}"
    if said:
        text += ", where " + ", ".join(said)
    if query.order:
        key = (
            _figure(query, query.order.figure)
            if query.order.figure is not None
            else f"the number of times that {_edge(query, query.order.count_edge, names)}"
            if query.order.count_edge is not None
            else f"number of {names[query.order.count_of]}{' for each value' * query.pooled}"
            if query.order.count_of is not None
            else _property(query.order.ref, query, names) or "the count"
        )
        if query.order.measure:
            key = f"{'number' if query.order.measure == 'count' else query.order.measure} of {key}"
        way = "largest" if query.order.descending else "smallest"
        if query.order.extreme and query.limit is None:
            each = "" if query.order.within is None else f" for each {names[query.order.within]}"
            text += f"; only where {key} is {way}{each}"
        else:
            text += f"; sorted by {key}, {way} first"
    if query.place > 1:
        text += f"; number {query.place} from the top"
    elif query.limit:
        text += f"; the first {query.limit}"
    return text[0].upper() + text[1:] + "."


def condition_texts(query: Query) -> tuple[list[str], list[str], str]:
    """What a reading says of its filters and clauses, one text each, and of the count it asks for, if any.

    >>> from cypher.semantics.ir import CountFilter, Node
    >>> q = Query((Node("Film"),), filters=(Filter(PropertyRef(0, "year"), Operator.GT, 1990),),
    ...           having=CountFilter(0, Operator.GE, 2))
    >>> condition_texts(q)
    (["the film's year is above 1990"], [], 'with count of film >= 2')
    """
    names, having = _names(query), ""
    if query.having:
        counted = f"with count of {names[query.having.node]}{' for each value' * query.pooled}"
        having = f"{counted} {query.having.operator.value} {query.having.value}"
        if query.having.edge is not None:
            often = f"{_HOW_OFTEN[query.having.operator]} {query.having.value} times"
            having = f"{_edge(query, query.having.edge, names)} {often}"
    filters = [_filter(f, query, names) for f in query.filters]
    return filters, [_clause(c, query, names) for c in query.clauses], having


def edge_text(query: Query, i: int, *, plain: bool = False) -> str:
    """What a reading says of relationship number ``i``; ``plain`` leaves out the numbers of equal labels.

    >>> from cypher.semantics.ir import Edge, Node
    >>> q = Query((Node("Person"), Node("Person")), (Edge(0, 1, ("KNOWS",)),))
    >>> edge_text(q, 0), edge_text(q, 0, plain=True)
    ('person 1 KNOWS person 2', 'person KNOWS person')
    """
    names = [" ".join(identifier_words(n.label)) for n in query.nodes] if plain else _names(query)
    return _edge(query, i, names)


def _figure(query: Query, place: int) -> str:
    counted = query.measures[place].measure is Measure.COUNT
    return "the count" if counted and len(query.measures) == 1 else f"measure {place + 1}"


def _names(query: Query) -> list[str]:
    plain = [" ".join(identifier_words(n.label)) for n in query.nodes]
    return [
        f"{name} {plain[: i + 1].count(name)}" if plain.count(name) > 1 else name
        for i, name in enumerate(plain)
    ]


def _head(query: Query, names: list[str]) -> str:
    answer = names[query.answer]
    if query.head is Head.EXISTS:
        return f"whether there is a {answer}"
    if query.head is Head.LIST:
        refs = [_property(r, query, names) for r in query.project]
        return " and ".join(refs) if refs else answer
    if query.measures:
        return _measures(query, names)
    measured = query.measured
    what = (
        _property(measured, query, names)
        if measured and measured.name
        else names[measured.owner if measured else query.answer]
    )
    text = f"{'number' if query.measure == 'count' else query.measure} of {what}"
    if measured is not None and measured.on_edge and not measured.name:
        return f"how often {_edge(query, measured.owner, names)}"
    if query.head is not Head.GROUP:
        return text
    by_property = query.group is not None and bool(query.group.name)
    return f"{text} for each {'of ' + _property(query.group, query, names) if by_property else answer}"


def _measures(query: Query, names: list[str]) -> str:
    said = []
    for m in query.measures:
        what = _property(m.ref, query, names) if m.ref.name else names[m.ref.owner]
        if m.ref.on_edge and not m.ref.name:
            said.append(f"how often {_edge(query, m.ref.owner, names)}")
            continue
        said.append(f"{'number' if m.measure == 'count' else m.measure} of {what}")
    keys = [_property(k, query, names) if k.name else names[k.owner] for k in query.keys]
    return " and ".join(said) + (f" for each of {' and '.join(keys)}" if keys else "")


def _property(ref: PropertyRef | None, query: Query, names: list[str]) -> str:
    if ref is None:
        return ""
    words = " ".join(identifier_words(ref.name))
    owner = "/".join(edge_of(query, ref).types) if ref.on_edge else names[ref.owner]
    size = ("number of the " if ref.many else "length of the ") if ref.sized else ""
    period = f"{ref.period.value} of the " if ref.period else ""
    return f"the {period}{size}{owner}'s {words}"


def _edge(query: Query, i: int, names: list[str]) -> str:
    edge = query.edges[i]
    verb = " or ".join(edge.types)
    return f"{'no ' if edge.negated else ''}{names[edge.start]} {verb} {names[edge.end]}"


def _clause(clause: Clause, query: Query, names: list[str]) -> str:
    if clause.kind is ClauseKind.ANY:
        return "either " + " or ".join(_part(p, query, names) for p in clause.parts)
    if is_all_of(clause):
        return _none_left_out(clause.parts[0], query, names)
    inside = _part(clause.parts[0], query, names)
    if clause.kind is ClauseKind.ABSENT:
        return f"it is not so that {inside}"
    if clause.kind is ClauseKind.COUNT:
        counted = f"the number of {names[clause.node]}"
        return f"{counted} {_OPERATORS[clause.operator]} {clause.number}, counting those where {inside}"
    if clause.kind is ClauseKind.FIGURE and clause.measure:
        what = f"the {_MEASURES[clause.measure]} of {_property(clause.ref, query, names)}"
        return f"{what} {_OPERATORS[clause.operator]} {clause.figure}, over all where {inside}"
    if clause.kind is ClauseKind.MORE:
        other = f"the number of {names[clause.counted]} where {_part(clause.parts[1], query, names)}"
        return f"the number of {names[clause.node]} where {inside} {_OPERATORS[clause.operator]} {other}"
    way = ("largest" if clause.descending else "smallest") if clause.kind is ClauseKind.BEST else ""
    if clause.kind is ClauseKind.BEST:
        among = f" among those where {inside}" if inside else ""
        if clause.measure:
            what = f"{_OPERATORS[clause.operator]} the {_MEASURES[clause.measure]} of all"
            return f"{_property(clause.ref, query, names)} {what}{among}"
        return f"{_property(clause.ref, query, names)} is the {way}{among}"
    many = "most" if clause.descending else "fewest"
    own = _part(clause.parts[1], query, names)
    return f"{names[clause.node]} has the {many} {names[clause.number]}, where {own}"


def _none_left_out(part: Part, query: Query, names: list[str]) -> str:
    """ "For every production where ...": nothing of the part is without the ties inside it."""
    them = replace(part, clauses=())
    ties = _part(part.clauses[0].parts[0], query, names)
    said = _part(them, query, names)
    return f"for every {names[part.nodes[0]]}{' where ' if said else ''}{said}: {ties}"


def _part(part: Part, query: Query, names: list[str]) -> str:
    said = [_edge_words(e, names) for e in part.edges]
    said += [_filter(f, query, names) for f in part.filters]
    said += [_clause(c, query, names) for c in part.clauses]
    return " and ".join(said)


def _edge_words(edge: Edge, names: list[str]) -> str:
    return f"{names[edge.start]} {' or '.join(edge.types)} {names[edge.end]}"


def _filter(f: Filter, query: Query, names: list[str]) -> str:
    if f.operator in (Operator.IS, Operator.IS_NOT) and isinstance(f.value, tuple):
        either = " or ".join(" ".join(identifier_words(str(x))) for x in f.value)
        return f"{names[f.ref.owner]} {_OPERATORS[f.operator]} {either}"
    if not f.ref.name and f.other is not None:
        return f"{names[f.ref.owner]} {_OPERATORS[f.operator]} {names[f.other.owner]}"
    left = f"{_property(f.ref, query, names)} {_OPERATORS[f.operator]}"
    if f.other is not None:
        return f"{left} {_property(f.other, query, names)}"
    return left if f.value is None else f"{left} {_literal(f.value)}"


def _literal(value: Literal | tuple[Literal, ...]) -> str:
    return ", ".join(repr(v) for v in value) if isinstance(value, tuple) else repr(value)
