"""The rows of a plan's query as an answer: what is kept of an order, and the answer in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cypher.asked_unit import factor
from cypher.cited_share import counted
from cypher.explain import plural, type_word
from cypher.general.averaged import leaves_out_limits
from cypher.general.kinds import Form, Kind
from cypher.general.plan import (
    Aggregate,
    Compare,
    Comparing,
    CountOf,
    ExistsAny,
    Function,
    GroupBy,
    ListOf,
    Plan,
)
from cypher.identifiers import REPLACED, STATEMENTS
from cypher.schema_graph import UNIT, VALUE
from cypher.table import Table, number
from cypher.units import Units, in_base, plain_unit, units_of
from cypher.wording import amount, printed
from schemas.graph_schema import GraphSchema
from schemas.ids import StatementId
from schemas.questions import Citation, Subgraph, Value

MAX_NAMED = 6
ORDERED_BY = "ordered_by"
FIRST_UNIT, SECOND_UNIT = "first_unit", "second_unit"
Row = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """Rows to show, or none; ``text`` is the answer of a comparison, or the units that do not fit."""

    table: Table
    text: str = ""
    mixed: bool = False
    """Whether the numbers that order the rows are in units of several kinds."""
    counted: int = 0
    """How many things or statements the rows count or are made of; 0 where they list them.

    Of a comparison that of the side with more, as both may count the same things.
    """


def shown(plan: Plan, result: Subgraph, *, limit: int) -> Shown:
    """The rows that answer a plan."""
    rows, truncated = list(result.rows), result.truncated
    columns = result.columns
    text, of = "", 0
    match plan.head:
        case ListOf(ranking) if ranking is not None:
            units = _units(columns, rows) if ranking.of_value else frozenset()
            if len(units) > 1:
                return Shown(
                    _table(columns, (), False), ", ".join(sorted(u or "no unit" for u in units)), True
                )
            rows, cut = _ranked(columns, rows, ranking.descending, ranking.keep, of_value=ranking.of_value)
            truncated = truncated and not cut
        case CountOf():
            rows = [r for r in rows if r[columns.index("count")]] or []
        case Compare():
            unlike = _unlike_units(columns, rows)
            if unlike:
                return Shown(_table(columns, (), False), unlike, True)
            of = max((number(x) for r in rows for x in r[:2]), default=0) if plan.head.number is None else 0
            columns, rows, text = _compared(plan.head, rows)
        case _:
            pass
    truncated = truncated or len(rows) > limit
    table = _table(columns, rows[:limit], truncated)
    of = counted(table) if isinstance(plan.head, CountOf | GroupBy | Aggregate) else of
    return Shown(table, text, counted=of)


def scale_read(plan: Plan, result: Subgraph) -> Units:
    """The units of the kind in which all numbers are that order the rows; none where they have no one kind.

    Their order on the server was that of the numbers as they stand, in whatever unit.
    """
    ranking = plan.head.ranking if isinstance(plan.head, ListOf) else None
    kinds = _units(result.columns, result.rows) if ranking is not None and ranking.of_value else frozenset()
    return units_of(next(iter(kinds))) if len(kinds) == 1 else ()


def _table(columns: Sequence[str], rows: Sequence[Row], truncated: bool) -> Table:
    ids, replaced = columns.index(STATEMENTS), columns.index(REPLACED)
    hidden = {ids, replaced}
    hidden |= {i for i in range(1, len(columns)) if all(r[i] is None for r in rows)}
    hidden |= {i for i, c in enumerate(columns) if c == ORDERED_BY}
    kept = [i for i in range(len(columns)) if i not in hidden]
    return Table(
        tuple(columns[i].replace("_", " ") for i in kept),
        tuple(tuple(r[i] for i in kept) for r in rows),
        tuple(_ids(r[ids]) for r in rows),
        tuple(number(r[replaced]) for r in rows),
        truncated,
    )


def _ids(value: Value) -> tuple[str, ...]:
    return (
        tuple(dict.fromkeys(str(v) for v in value if v is not None))
        if isinstance(value, tuple | list)
        else ()
    )


def _ranked(
    columns: Sequence[str], rows: list[Row], descending: bool, keep: int, *, of_value: bool
) -> tuple[list[Row], bool]:
    """The first ranks with all that share the last of them; whether rows behind were cut off."""
    at = columns.index(ORDERED_BY if ORDERED_BY in columns else "count")
    unit = columns.index(UNIT) if of_value and UNIT in columns else -1
    sized = [(_size(r, at, unit), r) for r in rows]
    sized.sort(key=lambda x: x[0][1], reverse=descending)
    if not keep or len(sized) <= keep:
        return [r for _, r in sized], False
    last = sized[keep - 1][0][1]
    kept = [r for (_, size), r in sized if (size >= last if descending else size <= last)]
    return kept, len(kept) < len(sized)


def _units(columns: Sequence[str], rows: Sequence[Row]) -> frozenset[str]:
    """Kinds of the units of the numbers."""
    at = columns.index(UNIT) if UNIT in columns else -1
    return frozenset(in_base(1.0, str(r[at] or ""))[0] for r in rows) if at >= 0 else frozenset()


def _size(row: Row, at: int, unit: int) -> tuple[str, float]:
    """A number in the base unit of its kind of units."""
    found = row[at]
    size = float(found) if isinstance(found, int | float) else 0.0
    return in_base(size, str(row[unit] or "")) if unit >= 0 else ("", size)


def _unlike_units(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """The units of two numbers that are to be compared, where neither can be brought into the other."""
    if not rows or FIRST_UNIT not in columns:
        return ""
    first, second = (str(rows[0][columns.index(c)] or "") for c in (FIRST_UNIT, SECOND_UNIT))
    known = all(isinstance(x, int | float) for x in rows[0][:2])
    return (
        f"{first or 'no unit'}, {second or 'no unit'}"
        if known and first != second and factor(second, first) is None
        else ""
    )


def _compared(head: Compare, rows: list[Row]) -> tuple[tuple[str, ...], list[Row], str]:
    """Columns, one row and words of a comparison's outcome; no row where a number is not known."""
    empty: tuple[tuple[str, ...], list[Row], str] = (("answer", STATEMENTS, REPLACED), [], "")
    if not rows:
        return empty
    first, second, *units, ids, replaced = rows[0]
    if not isinstance(first, int | float) or not isinstance(second, int | float):
        return empty
    names = [s.name for s in head.sides]
    given = [plain_unit(u) for u in units] or ["", ""]
    said = ", ".join(
        f"{n or d}: {_show(v)}{f' {u}' if u else ''}"
        for n, d, v, u in zip(names, ("first", "second"), (first, second), given, strict=True)
    )
    if len(set(units)) > 1:
        by = factor(str(units[1] or ""), str(units[0] or ""))
        if by is None:
            return empty
        second *= by
    tail: Row = (ids, replaced)
    match head.how:
        case Comparing.WHETHER_MORE | Comparing.WHETHER_FEWER:
            truth = first > second if head.how is Comparing.WHETHER_MORE else first < second
            return ("answer", STATEMENTS, REPLACED), [(truth, *tail)], f"{'Yes' if truth else 'No'}: {said}"
        case Comparing.DIFFERENCE:
            found = f"{_show(first - second)}{f' {given[0]}' if given[0] else ''} ({said})"
            columns = ("difference", UNIT, STATEMENTS, REPLACED)
            return columns, [(first - second, given[0] or None, *tail)], found
        case Comparing.RATIO:
            if not second:
                return empty
            return (
                ("ratio", STATEMENTS, REPLACED),
                [(first / second, *tail)],
                f"{first / second:.4g} ({said})",
            )
    more = head.how is Comparing.WHICH_MORE
    best = max(first, second) if more else min(first, second)
    won = [(n, v, *tail) for n, v in zip(names, (first, second), strict=True) if v == best]
    return ("name", "count", STATEMENTS, REPLACED), won, said


def noun(schema: GraphSchema, kind: Kind, n: int) -> str:
    """How people name things of a kind."""
    if kind.form is Form.STATEMENT:
        word = (
            "measurement"
            if any(a.name == VALUE for a in schema.relation(kind.owner).attributes)
            else "statement"
        )
    elif kind.form is Form.ENTITY:
        word = type_word(schema, kind.owner)
    else:
        word = kind.attribute.replace("_", " ")
    return word if n == 1 else plural(word)


def sentence(
    plan: Plan, found: Shown, schema: GraphSchema, *, cited: Sequence[Citation], total: int = 0
) -> str:
    """The answer in words with citation numbers; ``total`` is the number of rows where not all are shown."""
    table = found.table
    numbers = {c.statement: c.number for c in cited}
    n = len(table.rows)
    what = noun(schema, plan.root.kind, total or n)
    many = amount(n, total=total, truncated=table.truncated)
    match plan.head:
        case CountOf():
            total = number(table.rows[0][0])
            text = f"The graph holds {total} {noun(schema, plan.root.kind, total)}."
            return text + _marks(table.statements[0], numbers)
        case Compare():
            return f"{found.text}.{_marks(table.statements[0], numbers)}"
        case ExistsAny():
            lead = f"Yes, {many} {what}:"
        case GroupBy():
            lead = f"Number of {noun(schema, plan.root.kind, 2)} by {table.columns[0]}:"
        case Aggregate(function, averaged):
            numbered = f"{_numbers(averaged)} of {noun(schema, plan.root.kind, 2)}"
            limits = " (limits left out)" if leaves_out_limits(averaged, plan.root) else ""
            lead = f"{_FUNCTIONS[function]} of the {numbered}{limits}:"
        case ListOf(ranking):
            lead = f"{many[:1].upper()}{many[1:]} {what}{', in order' if ranking else ''}:"
    named = [_row(plan, table, i, numbers) for i in range(min(n, MAX_NAMED))]
    rest = max(total, n) - len(named)
    more = f"; and {rest} more" if rest > 0 else ""
    of = f" of {total}" if total else ""
    tail = f" The table shows the first {n}{of} rows; there are more." if table.truncated else ""
    return f"{lead} {'; '.join(named)}{more}.{tail}"


def _numbers(kind: Kind) -> str:
    """How people name the numbers that a function takes."""
    return plural(kind.derived.value or kind.attribute.replace("_", " "))


_FUNCTIONS = {Function.MEAN: "Unweighted mean", Function.MEDIAN: "Median", Function.SUM: "Sum"}


def _row(plan: Plan, table: Table, at: int, numbers: dict[StatementId, int]) -> str:
    cells = dict(zip(table.columns, table.rows[at], strict=True))
    (key, first), *_ = cells.items()
    unit = _unit(cells) if key == VALUE else ""
    facts = [f"{k} {_show(cells[k])}" for k in ("count", "year") if k != key and cells.get(k) is not None]
    facts += [_measured(cells)] if key != VALUE and _is_measured(cells) else []
    facts += _number(plan, cells)
    facts += _replaced(plan, table.replaced[at])
    text = f"{_show(first)}{unit}" + (f" ({', '.join(facts)})" if facts else "")
    return text + _marks(table.statements[at], numbers)


def _number(plan: Plan, cells: Mapping[str, Value]) -> list[str]:
    """ "average 1.520 ±0.005 ps": the number that was asked for."""
    if not isinstance(plan.head, ListOf) or plan.head.number is None:
        return []
    name = plan.head.number.derived.value or plan.head.number.attribute.replace("_", " ")
    text = printed(cells.get(f"{name} text")) or _show(cells.get(name))
    unit = plain_unit(cells.get(f"{name} unit") or (cells.get(UNIT) if plan.head.number.derived else ""))
    return [f"{name} {text}{f' {unit}' if unit else ''}"]


def _is_measured(cells: Mapping[str, Value]) -> bool:
    return any(cells.get(k) is not None for k in ("value text", VALUE))


def _measured(cells: Mapping[str, Value]) -> str:
    """ "upper limit 3.1E-9", "MASS 5366.9 ±0.3 MeV"."""
    limit = f"{cells['limit']} limit " if cells.get("limit") else ""
    column = f"{cells['column']} " if cells.get("column") not in (None, "VALUE") else ""
    text = printed(cells.get("value text")) or _show(cells.get(VALUE))
    unit = _unit(cells)
    return f"{limit or 'value '}{column}{text}{'' if unit.strip() in text else unit}"


def _unit(cells: Mapping[str, Value]) -> str:
    unit = plain_unit(cells.get(UNIT))
    return f" {unit}" if unit else ""


def _replaced(plan: Plan, n: int) -> list[str]:
    """What is said of replaced values: a value that a row shows, or those that a number was made of."""
    if not n or plan.root.kind.form is not Form.STATEMENT:
        return []
    if isinstance(plan.head, Aggregate):
        return [f"{n} of them replaced by later papers"]
    return ["replaced"] if isinstance(plan.head, ListOf | ExistsAny) else []


def _show(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _marks(ids: Sequence[str], numbers: dict[StatementId, int]) -> str:
    found = sorted({numbers[StatementId(i)] for i in ids if StatementId(i) in numbers})[:3]
    return (" " + "".join(f"[{n}]" for n in found)) if found else ""
