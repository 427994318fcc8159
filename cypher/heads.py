"""What is asked of a pattern becomes the clauses after its MATCH, one function for each head."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cypher import form as f
from cypher.cited import MAX_STATEMENTS
from cypher.gathered import gathered
from cypher.identifiers import ENTITY, REPLACED, STATEMENTS, quote
from cypher.sampled import few, first_things, statements_of_few
from cypher.schema_graph import (
    COLUMN,
    LEVEL,
    SHORT_NAME,
    SUPERSEDED,
    UNIT,
    VALUE,
    attribute,
    error_attributes,
    shown_attributes,
    strength_attributes,
    valued_relation,
    year_attribute,
)
from cypher.writer import Writer, Written
from schemas.errors import QueryRefusedError

_VALUE_COLUMNS = ("value_text", "value", UNIT, "limit", "confidence_level", COLUMN, SUPERSEDED)


def write(w: Writer) -> Written:
    """The query of a form without its last LIMIT."""
    return _WRITERS[type(w.form.head)](w, w.form.head)


def _match(w: Writer) -> str:
    return f"MATCH {w.pattern()} WHERE {w.where()}"


def _ids(w: Writer, edges: Sequence[str]) -> str:
    if not edges:
        return w.parameter(())
    cap = w.parameter(MAX_STATEMENTS)
    return " + ".join(f"collect(DISTINCT {w.property(e, 'id')})[..{cap}]" for e in edges)


def _edges(w: Writer) -> list[str]:
    return [e.var for e in w.form.edges]


def _replaced(w: Writer) -> str:
    """How many distinct statements of valued edges carry a replacing paper (null + id is not counted)."""
    counts = [
        f"count(DISTINCT {w.property(e.var, SUPERSEDED)} + {w.property(e.var, 'id')})"
        for e in w.form.edges
        if attribute(w.schema.relation(e.relation), SUPERSEDED) is not None
    ]
    return " + ".join(counts) or w.parameter(0)


def _return(w: Writer, columns: Mapping[str, str], ids: str, replaced: str, order: str) -> Written:
    shown = {**columns, STATEMENTS: ids, REPLACED: replaced}
    text = ", ".join(w.column(expression, name) for name, expression in shown.items())
    return Written(f"RETURN {text}" + (f" ORDER BY {order}" if order else ""), tuple(shown))


def _shown_name(w: Writer, var: str, entity_type: str) -> str:
    """The name people use: the short name where the type has one."""
    name = w.property(var, "name")
    if attribute(w.schema.entity(entity_type), SHORT_NAME) is None:
        return name
    return f"coalesce({w.property(var, SHORT_NAME)}, {name})"


def _entity_columns(w: Writer, var: str, attributes: Sequence[str]) -> dict[str, str]:
    entity_type = w.form.node(var).type
    return {entity_type: _shown_name(w, var, entity_type)} | {a: w.property(var, a) for a in attributes}


def _entity_order(w: Writer, var: str) -> str:
    year = year_attribute(w.schema)
    name = w.property(var, "name")
    order = w.form.head.order if isinstance(w.form.head, f.Entities) else f.Order.PLAIN
    if year is None or w.form.node(var).type != year[0]:
        return name
    prop = w.property(var, year[1])
    if order is f.Order.PLAIN:
        return f"{prop}, {name}"
    return f"{prop} IS NULL, {prop}{' DESC' if order is f.Order.NEWEST else ''}, {name}"


def _entities(w: Writer, head: f.Entities) -> Written:
    attributes = shown_attributes(w.schema.entity(w.form.node(head.var).type))
    return (
        _with_mentions(w, head.var, attributes) if not w.form.edges else _supported(w, head.var, attributes)
    )


def _supported(w: Writer, var: str, attributes: Sequence[str]) -> Written:
    group = f"{_match(w)} WITH {var}, {_ids(w, _edges(w))} AS s0, {_replaced(w)} AS x0 "
    tail = _return(w, _entity_columns(w, var, attributes), "s0", "x0", _entity_order(w, var))
    return Written(group + tail.text, tail.columns)


def _with_mentions(w: Writer, var: str, attributes: Sequence[str]) -> Written:
    """Entities asked for by their own attributes: their statements are cited."""
    kinds = [
        quote(r.neo4j_type, w.names.types)
        for r in w.schema.relations
        if w.form.node(var).type in (*r.subjects, *r.objects)
    ]
    text = f"{_match(w)} WITH {var} ORDER BY {_entity_order(w, var)} LIMIT {w.row_cap} "
    if kinds:
        other = f"(m1:{quote(ENTITY, w.names.labels)})"
        scope = " AND ".join(w.scope("m0", "m1"))
        text += (
            f"OPTIONAL MATCH ({var})-[m0:{'|'.join(kinds)}]-{other} WHERE {scope} "
            f"WITH {var}, collect(DISTINCT {w.property('m0', 'id')})[..{w.parameter(MAX_STATEMENTS)}] AS s0 "
        )
    tail = _return(
        w,
        _entity_columns(w, var, attributes),
        "s0" if kinds else w.parameter(()),
        w.parameter(0),
        _entity_order(w, var),
    )
    return Written(text + tail.text, tail.columns)


def _count(w: Writer, head: f.Count) -> Written:
    if not w.form.edges:
        kind, scope = w.form.node(head.var).type, w.scope("m0", "m1")
        ids = first_things(w, w.schema, kind, _match(w), head.var, scope) or w.parameter(())
        tail = _return(w, {"count": "x1"}, ids, w.parameter(0), "")
        return Written(f"{_match(w)} WITH count(DISTINCT {head.var}) AS x1 {tail.text}", tail.columns)
    columns = {"count": f"count(DISTINCT {head.var})"}
    tail = _return(w, columns, _ids(w, _edges(w)), _replaced(w), "")
    return Written(f"{_match(w)} {tail.text}", tail.columns)


def _count_by(w: Writer, head: f.CountBy) -> Written:
    key = w.property(head.by, head.attribute) if head.attribute else head.by
    name = head.attribute or w.form.node(head.by).type
    found = f"{_ids(w, _edges(w))} AS s0" if w.form.edges else f"{few(w, head.var)} AS b0"
    group = (
        f"{_match(w)} {f'UNWIND {key} AS x9 WITH x9' if head.members else f'WITH {key} AS x9'}, "
        f"count(DISTINCT {head.var}) AS x1, {found}, {_replaced(w)} AS x0 "
    )
    shown = "x9" if head.attribute else _shown_name(w, "x9", w.form.node(head.by).type)
    order = "x9" if head.attribute and not head.most_first else f"x1 DESC, {shown}"
    ids = "s0"
    if not w.form.edges:
        group += f"WITH x9, x1, b0, x0 ORDER BY {order} LIMIT {w.row_cap} "
        ids = _of_few(w, head.var)
    tail = _return(w, {name: shown, "count": "x1"}, ids, "x0", order)
    return Written(group + tail.text, tail.columns)


def _of_few(w: Writer, var: str) -> str:
    """Statements about a few of the things that are counted, held as ``b0``."""
    return statements_of_few(w, w.schema, w.form.node(var).type, "b0", w.scope("m0", "m1"))


def _top(w: Writer, head: f.Top) -> Written:
    order = f"x1 DESC, {w.property(head.var, 'name')}"
    first = f"{_match(w)} WITH {head.var}, count(DISTINCT {head.counted}) AS x1 "
    first += f"ORDER BY {order} LIMIT {w.row_cap} "
    group = f"{first}{_match(w)} WITH {head.var}, x1, {_ids(w, _edges(w))} AS s0, {_replaced(w)} AS x0 "
    columns = _entity_columns(w, head.var, ()) | {"count": "x1"}
    tail = _return(w, columns, "s0", "x0", order)
    return Written(group + tail.text, tail.columns)


def _statement_columns(w: Writer, edge: f.Edge, start: str, end: str, var: str) -> dict[str, str]:
    relation = w.schema.relation(edge.relation)
    valued = valued_relation(w.schema)
    start_type, end_type = w.form.node(edge.start).type, w.form.node(edge.end).type
    columns = {start_type: _shown_name(w, start, start_type)}
    dated = (year_attribute(w.schema) or ("", ""))[0] == start_type
    extra = shown_attributes(w.schema.entity(start_type)) if dated else ()
    columns |= {a: w.property(start, a) for a in extra[:1]}
    columns[end_type if end_type != start_type else f"other_{end_type}"] = _shown_name(w, end, end_type)
    declared = [a.name for a in relation.attributes]
    if valued is not None and relation.name == valued.name:
        declared = [a for a in _VALUE_COLUMNS if a in declared]
    for name in declared:
        columns.setdefault(name, w.property(var, name))
    for name in extra[1:]:
        columns.setdefault(name, w.property(start, name))
    return columns


def _statement_order(w: Writer, head: f.Statements, edge: f.Edge) -> str:
    if head.order is f.Order.STRONGEST:
        relation = w.schema.relation(edge.relation)
        parts = []
        for name in strength_attributes(relation):
            declared = attribute(relation, name)
            prop = w.property(edge.var, name)
            rank = declared is not None and declared.type == "integer"
            parts += [f"{prop} IS NULL", prop if rank else f"{prop} DESC"]
        return ", ".join([*parts, w.property(edge.start, "name"), w.property(edge.var, "id")])
    year = year_attribute(w.schema)
    dated = [n.var for n in w.form.nodes if year is not None and n.type == year[0]]
    ids = w.property(edge.var, "id")
    first = f"{w.property(edge.end, 'name')}, " if head.order is f.Order.BY_OBJECT else ""
    if not dated or year is None:
        return f"{w.property(edge.start, 'name')}, {ids}"
    prop = w.property(dated[0], year[1])
    down = " DESC" if head.order in (f.Order.NEWEST, f.Order.BY_OBJECT) else ""
    return f"{first}{prop} IS NULL, {prop}{down}, {w.property(dated[0], 'name')}, {ids}"


def _statements(w: Writer, head: f.Statements) -> Written:
    edge = w.form.edge(head.edge)
    others = [e for e in _edges(w) if e != edge.var]
    year = year_attribute(w.schema)
    dated = [n.var for n in w.form.nodes if year is not None and n.type == year[0]][:1]
    kept = dict.fromkeys([edge.start, edge.end, edge.var, *dated])
    group = f"{_match(w)} WITH {', '.join(kept)}, {_ids(w, [edge.var, *others])} AS s0, {_replaced(w)} AS x0 "
    columns = _statement_columns(w, edge, edge.start, edge.end, edge.var)
    tail = _return(w, columns, "s0", "x0", _statement_order(w, head, edge))
    return Written(group + tail.text, tail.columns)


def _error(w: Writer, edge: f.Edge, side: str) -> str:
    """Total error of a side: as listed, else the root of the squares of statistical and systematic error."""
    known = error_attributes(w.schema.relation(edge.relation))
    zero = w.parameter(0.0)
    options = []
    if f"total_{side}" in known:
        options.append(w.property(edge.var, f"total_{side}"))
    if f"stat_{side}" in known:
        squares = [f"{s}*{s}" for s in [w.property(edge.var, f"stat_{side}")]]
        if f"syst_{side}" in known:
            syst = f"coalesce({w.property(edge.var, f'syst_{side}')}, {zero})"
            squares.append(f"{syst}*{syst}")
        options.append(f"sqrt({' + '.join(squares)})")
    if not options:
        raise QueryRefusedError(f"relation {edge.relation} declares no errors, so none is the most precise")
    return f"coalesce({', '.join(options)})"


def _precise(w: Writer, head: f.Precise) -> Written:
    edge = w.form.edge(head.edge)
    relation = w.schema.relation(edge.relation)
    keys = [k for k in (UNIT, COLUMN) if attribute(relation, k) is not None]
    groups = "".join(f", {w.property(edge.var, k)} AS x{4 + i}" for i, k in enumerate(keys))
    text = (
        f"{_match(w)} WITH {edge.end}, {edge.var}, "
        f"{_error(w, edge, 'plus')} AS x0, {_error(w, edge, 'minus')} AS x1 "
        f"WITH {edge.end}, {edge.var}, (coalesce(x0, x1) + coalesce(x1, x0))/{w.parameter(2.0)} AS x2 "
        f"ORDER BY x2, {w.property(edge.var, 'id')} WHERE x2 <> {w.parameter(0.0)} "
        f"WITH {edge.end}{groups}, head(collect({edge.var})) AS r9, min(x2) AS x3 "
        f"WITH r9, x3, startNode(r9) AS n9, endNode(r9) AS n8 "
    )
    columns = _statement_columns(w, edge, "n9", "n8", "r9")
    columns = {"total_error": "x3"} | columns
    order = ", ".join([w.property("n8", "name"), *(w.property("r9", k) for k in keys), "x3"])
    tail = _return(w, columns, f"[{w.property('r9', 'id')}]", _count_set(w, relation.name), order)
    return Written(text + tail.text, tail.columns)


def _tightest(w: Writer, head: f.Tightest) -> Written:
    edge = w.form.edge(head.edge)
    keys = [k for k in (UNIT, COLUMN, LEVEL) if attribute(w.schema.relation(edge.relation), k) is not None]
    groups = "".join(f", {w.property(edge.var, k)} AS x{4 + i}" for i, k in enumerate(keys))
    down = " DESC" if head.lower else ""
    replaced = (
        f"count(DISTINCT {w.property('r9', SUPERSEDED)})" if _can_be_replaced(w, edge) else w.parameter(0)
    )
    text = (
        f"{_match(w)} WITH {edge.end}, {edge.var} "
        f"ORDER BY {w.property(edge.var, VALUE)}{down}, {w.property(edge.var, 'id')} "
        f"WITH {edge.end}{groups}, head(collect({edge.var})) AS r9 "
        f"WITH r9, startNode(r9) AS n9, endNode(r9) AS n8, {replaced} AS x3 "
    )
    columns = _statement_columns(w, edge, "n9", "n8", "r9")
    order = ", ".join([w.property("n8", "name"), *(w.property("r9", k) for k in keys)])
    tail = _return(w, columns, f"[{w.property('r9', 'id')}]", "x3", order)
    return Written(text + tail.text, tail.columns)


def _can_be_replaced(w: Writer, edge: f.Edge) -> bool:
    return attribute(w.schema.relation(edge.relation), SUPERSEDED) is not None


def _count_set(w: Writer, relation: str) -> str:
    """1 when the chosen statement was replaced: such rows come only when they were asked for."""
    if attribute(w.schema.relation(relation), SUPERSEDED) is None:
        return w.parameter(0)
    asked = any(c.attribute == SUPERSEDED and c.op is f.Op.KNOWN for c in w.form.conditions)
    return w.parameter(1 if asked else 0)


def _attributes(w: Writer, head: f.AttributesOf) -> Written:
    return _with_mentions(w, head.var, head.attributes)


def _compare(w: Writer, head: f.Compare) -> Written:
    own = [w.condition(c) for c in w.form.conditions if c.var == head.by]
    first = f"MATCH {w.label(w.form.node(head.by))} WHERE {' AND '.join([*w.scope(head.by), *own])} "
    rest = f"OPTIONAL MATCH {w.pattern(head.by)} WHERE {w.where(head.by)} "
    ids = _ids(w, _edges(w))
    group = f"WITH {head.by}, count(DISTINCT {head.counted}) AS x1, {ids} AS s0, {_replaced(w)} AS x0 "
    columns = _entity_columns(w, head.by, ()) | {"count": "x1"}
    tail = _return(w, columns, "s0", "x0", f"x1 DESC, {w.property(head.by, 'name')}")
    return Written(first + rest + group + tail.text, tail.columns)


def _all_have(w: Writer, head: f.AllHave) -> Written:
    ids = w.property(head.edge, "id")
    group = (
        f"{_match(w)} WITH {head.var}, count(DISTINCT {head.edge}) AS x1, "
        f"count(DISTINCT {w.property(head.edge, head.attribute)} + {ids}) AS x2, {_ids(w, _edges(w))} AS s0, "
        f"{_replaced(w)} AS x0 WHERE x1 = x2 "
    )
    columns = _entity_columns(w, head.var, ()) | {"count": "x1"}
    tail = _return(w, columns, "s0", "x0", w.property(head.var, "name"))
    return Written(group + tail.text, tail.columns)


def _values_of(w: Writer, head: f.ValuesOf) -> Written:
    prop = w.property(head.var, head.attribute)
    source = f"UNWIND {prop} AS x0 RETURN DISTINCT x0" if head.many else f"RETURN DISTINCT {prop}"
    return Written(f"{_match(w)} {w.column(source, 'values_given')}", ("values_given",))


def _how_known(w: Writer, head: f.HowKnown) -> Written:
    counted = {"having": w.property(head.var, head.attribute), "there": head.var}
    text = ", ".join(w.column(f"count({what})", name) for name, what in counted.items())
    return Written(f"{_match(w)} RETURN {text}", tuple(counted))


def _pairs(w: Writer, head: f.Pairs) -> Written:
    edge = w.form.edge(head.edge)
    ends = {"first": edge.start, "second": edge.end}
    columns = {c: _shown_name(w, v, w.form.node(v).type) for c, v in ends.items()}
    text = ", ".join(w.column(expression, name) for name, expression in columns.items())
    return Written(f"{_match(w)} RETURN DISTINCT {text}", tuple(columns))


def _exists(w: Writer, head: f.Exists) -> Written:
    return Written(f"{_match(w)} RETURN {w.column(w.property(head.var, 'id'), 'found')}", ("found",))


_WRITERS: dict[type, Callable[[Writer, Any], Written]] = {
    f.Entities: _entities,
    f.Count: _count,
    f.CountBy: _count_by,
    f.Top: _top,
    f.Statements: _statements,
    f.Precise: _precise,
    f.Tightest: _tightest,
    f.Gathered: gathered,
    f.AttributesOf: _attributes,
    f.Compare: _compare,
    f.AllHave: _all_have,
    f.ValuesOf: _values_of,
    f.HowKnown: _how_known,
    f.Pairs: _pairs,
    f.Exists: _exists,
}
