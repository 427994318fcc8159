"""The answer in words, from the form and the rows alone."""

from __future__ import annotations

from collections.abc import Sequence

from cypher import form as f
from cypher.explain import plural, type_word
from cypher.table import Table, number
from cypher.units import bracketed, plain_unit
from schemas.graph_schema import GraphSchema
from schemas.ids import StatementId
from schemas.questions import Citation, Value

MAX_NAMED = 6


def sentence(
    form: f.Form, shown: Table, schema: GraphSchema, *, cited: Sequence[Citation], total: int = 0
) -> str:
    """A sentence with citation numbers; ``total`` is the number of rows where not all are shown."""
    numbers = {c.statement: c.number for c in cited}
    total = total or shown.total
    if isinstance(form.head, f.Count):
        marks = _marks(shown.statements[0], numbers) if shown.statements else ""
        parts = [_lead(form, shown, schema, total) + marks]
    else:
        named = [_row_text(form, shown, i, numbers) for i in range(min(len(shown.rows), MAX_NAMED))]
        more = max(total, len(shown.rows)) - len(named)
        tail = f"; and {more} more" if more > 0 else ""
        parts = [_lead(form, shown, schema, total), "; ".join(named) + tail + "."]
    if shown.truncated and not 0 < total <= len(shown.rows):
        of = f" of {total}" if total else ""
        parts.append(f"The table shows the first {len(shown.rows)}{of} rows; there are more.")
    parts += [_missing(form, shown), _replaced_text(form, shown)]
    return " ".join(p for p in parts if p)


def _missing(form: f.Form, shown: Table) -> str:
    """Which of the compared entities have no row."""
    expected = form.head.expected if isinstance(form.head, f.Statements) else ()
    cells = {str(c) for row in shown.rows for c in row} | {str(v) for _, v in shown.same}
    absent = [f"'{n}'" for n in expected if n not in cells]
    return f"There is no such value of {' or '.join(absent)}." if absent and not shown.truncated else ""


def _replaced_text(form: f.Form, shown: Table) -> str:
    total = sum(shown.replaced)
    which = "values in the table" if shown.truncated else "values"
    if total == 1:
        return f"1 of the {which} was replaced by a later paper."
    if total:
        return f"{total} of the {which} were replaced by later papers."
    if form.is_edge(_counted(form.head)) or any(c in shown.columns for c in ("value", "value text")):
        return "None of these values is marked as replaced by a later paper."
    return ""


def _counted(head: f.Head) -> str:
    match head:
        case f.Count(var) | f.CountBy(var):
            return var
        case f.Compare(counted):
            return counted
        case _:
            return ""


def amount(shown: int, *, total: int = 0, truncated: bool = False) -> str:
    """How many things there are, of which ``shown`` are shown; ``total`` 0 where that was not counted.

    >>> amount(3), amount(25, total=386, truncated=True), amount(25, truncated=True)
    ('3', '386', 'at least 26')
    """
    return f"at least {shown + 1}" if truncated and not total else str(total or shown)


def _lead(form: f.Form, shown: Table, schema: GraphSchema, total: int) -> str:
    said = _said(form, shown, schema, total)
    return said[:1].upper() + said[1:]


def _said(form: f.Form, shown: Table, schema: GraphSchema, total: int) -> str:
    n = total or len(shown.rows)
    many = amount(len(shown.rows), total=total, truncated=shown.truncated)
    match form.head:
        case f.Count(var):
            found = number(shown.rows[0][0])
            return f"The graph holds {found} {_noun(form, schema, var, found)}."
        case f.Entities(var, order, True):
            which = "latest" if order is f.Order.NEWEST else "earliest"
            return f"{many} {_noun(form, schema, var, n)} of the {which} year:"
        case f.Entities(var) | f.AllHave(var):
            return f"{many} {_noun(form, schema, var, n)}:"
        case f.Statements() if form.shape == "check":
            return f"Yes, {many} {'statement says' if n == 1 else 'statements say'} so:"
        case f.Statements(order=order):
            how = f", {shown.chosen or 'strongest first'}" if order is f.Order.STRONGEST else ""
            return f"{many} {_listed(form, shown, schema, n)}{how}:"
        case f.Precise():
            of = "".join(f" for {v}" for _, v in shown.same) or (" of each" if n > 1 else "")
            return f"Smallest total error{of}:"
        case f.Tightest(lower=lower):
            of = "".join(f" on {v}" for _, v in shown.same)
            return f"{'Highest lower' if lower else 'Lowest upper'} limit{of}:"
        case f.CountBy() if form.shape == "replaced_by":
            return "Replaced by, with the number of replaced values:"
        case f.CountBy(var, by, attribute, most_first):
            key = attribute.replace("_", " ") or type_word(schema, form.node(by).type)
            return f"Number of {_noun(form, schema, var, 2)} by {key}{', most first' if most_first else ''}:"
        case f.Top(var, counted):
            return (
                f"{_noun(form, schema, var, 2).capitalize()} with the most {_noun(form, schema, counted, 2)}:"
            )
        case f.Compare(counted):
            return f"Number of {_noun(form, schema, counted, 2)}:"
        case _:
            return ""


def _noun(form: f.Form, schema: GraphSchema, var: str, n: int) -> str:
    what = "measurement" if form.is_edge(var) else type_word(schema, form.node(var).type)
    return what if n == 1 else plural(what)


def _listed(form: f.Form, shown: Table, schema: GraphSchema, n: int) -> str:
    """ "values of Delta m_s", "uncertainty sources of Delta m_s"."""
    assert isinstance(form.head, f.Statements)
    edge = form.edge(form.head.edge)
    same = {kind for kind, _ in shown.same}
    if "value" in shown.columns or "value text" in shown.columns:
        noun = {"limits": "limit", "superseded": "replaced value"}.get(form.shape, "value")
    else:
        listed = edge.end if form.node(edge.start).type.replace("_", " ") in same else edge.start
        noun = type_word(schema, form.node(listed).type)
    noun = noun if n == 1 else plural(noun)
    joint = "in" if form.node(edge.start).type.replace("_", " ") in same else "of"
    return noun + "".join(f" {joint} {v}" for _, v in shown.same)


def _row_text(form: f.Form, shown: Table, at: int, numbers: dict[StatementId, int]) -> str:
    row = dict(zip(shown.columns, shown.rows[at], strict=True))
    marks = _marks(shown.statements[at], numbers)
    if isinstance(form.head, f.Statements | f.Precise | f.Tightest):
        if "value text" in row or "value" in row:
            return _value_text(form, shown, at, row) + marks
        return _statement_text(row) + marks
    if isinstance(form.head, f.AttributesOf):
        name, *rest = row.items()
        facts = "; ".join(f"{k} {_show(k, v)}" for k, v in _facts(dict(rest)))
        return f"{_show(*name)}: {facts}{marks}" if facts else f"{_show(*name)}{marks}"
    (key, first), *others = row.items()
    if isinstance(form.head, f.Top | f.Compare | f.CountBy | f.AllHave):
        return f"{_show(key, first)}: {_show(*others[0]) if others else 'unknown'}{marks}"
    year = f" ({row['year']})" if row.get("year") is not None and key != "year" else ""
    return f"{_show(key, first)}{year}{marks}"


def _facts(row: dict[str, Value]) -> list[tuple[str, Value]]:
    """Known attributes; a number, or what is printed in its place, with its unit is one fact."""
    out: list[tuple[str, Value]] = []
    known = {k for k, v in row.items() if v is not None}
    for key in (k for k in row if k in known):
        part = key.removesuffix(" text").removesuffix(" unit").removesuffix(" kind")
        text = f"{part} text"
        if part != key and (part in known or (text in known and text != key)):
            continue
        name = part if key == text else key
        unit = row.get(f"{name} unit")
        shown = printed(row.get(f"{name} text")) or _show(key, row[key])
        kind = f" ({row[f'{name} kind']})" if row.get(f"{name} kind") else ""
        out.append((name, f"{shown} {unit}{kind}" if unit else f"{shown}{kind}"))
    return out


def _value_text(form: f.Form, shown: Table, at: int, row: dict[str, Value]) -> str:
    assert isinstance(form.head, f.Statements | f.Precise | f.Tightest)
    edge = form.edge(form.head.edge)
    given = row.get("value")
    value = printed(row.get("value text")) or (f"{given:.12g}" if isinstance(given, float) else given)
    limit = f"{row['limit']} limit " if row.get("limit") else ""
    column = f"{row['column']} " if row.get("column") and row["column"] != "VALUE" else ""
    unit = plain_unit(row.get("unit"))
    unit = f" {unit}" if unit and unit not in str(value) else ""
    level = f" at {row['confidence level']:g}% CL" if limit and row.get("confidence level") else ""
    start, end = (form.node(v).type.replace("_", " ") for v in (edge.start, edge.end))
    of = f"{row[end]}: " if end in row else ""
    if start in row:
        where = [str(row[start]), "year not known" if row.get("year") is None else str(row["year"])]
        where = where[:1] if "year" not in shown.columns and shown.columns[0] != start else where
    else:
        where = []
    where += ["replaced"] if shown.replaced[at] else []
    source = f" ({', '.join(where)})" if where else ""
    return f"{of}{limit}{column}{value}{unit}{level}{source}"


def printed(text: Value) -> str:
    """A value as it is printed: "17.77 ±0.10"."""
    return bracketed(plain_unit(text)).replace("+-", "±")


def _statement_text(row: dict[str, Value]) -> str:
    """ "length scale (0.015 ps^-1)"."""
    (key, first), *others = row.items()
    left = dict(others)
    size = left.pop("magnitude", None) or left.pop("magnitude text", None)
    left.pop("magnitude text", None)
    unit = plain_unit(left.pop("unit", None))
    rank = left.pop("ranking", None)
    facts = [f"{_show('magnitude', size)}{f' {unit}' if unit else ''}"] if size is not None else []
    facts += [f"rank {rank}"] if rank is not None else []
    facts += [f"{_show(k, v)}" for k, v in list(left.items())[:2] if v is not None]
    return f"{_show(key, first)} ({', '.join(facts)})" if facts else _show(key, first)


def _show(key: str, value: Value) -> str:
    if value is None:
        return f"{key} not known"
    if isinstance(value, float):
        return f"{value:.6g}"
    if key.endswith(" text"):
        return printed(value)
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _marks(ids: Sequence[str], numbers: dict[StatementId, int]) -> str:
    found = sorted({numbers[StatementId(i)] for i in ids if StatementId(i) in numbers})[:3]
    return (" " + "".join(f"[{n}]" for n in found)) if found else ""
