"""Rows become an answer: a templated sentence, a table, and the statements it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cypher import form as f
from cypher.explain import plural, type_word
from cypher.identifiers import REPLACED, STATEMENTS
from schemas.graph_schema import GraphSchema
from schemas.graphs import Origin
from schemas.ids import StatementId
from schemas.questions import Citation, GraphEdge, GraphNode, StatementDetail, Subgraph, Value

MAX_CITATIONS = 100
MAX_NAMED = 6


@dataclass(frozen=True, slots=True)
class Table:
    """Shown columns and rows with the technical columns taken off."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    statements: tuple[tuple[str, ...], ...]
    replaced: tuple[int, ...]
    truncated: bool

    @property
    def all_statements(self) -> tuple[str, ...]:
        """Statement ids in order of first use, at most ``MAX_CITATIONS``."""
        ids = dict.fromkeys(i for row in self.statements for i in row)
        return tuple(ids)[:MAX_CITATIONS]


def table(result: Subgraph, *, limit: int, form: f.Form, year: str) -> Table:
    """The rows to show: at most ``limit``, and of the first year only where the form says so."""
    rows = list(result.rows)
    truncated = len(rows) > limit or result.truncated
    head = form.head
    if isinstance(head, f.Statements) and head.only_first and rows and year in result.columns:
        at = result.columns.index(year)
        kept = [r for r in rows if r[at] == rows[0][at]]
        truncated = truncated and len(kept) == len(rows)
        rows = kept
    wanted = head.limit if isinstance(head, f.Statements | f.Top) else 0
    if wanted and wanted <= limit:
        rows, truncated = rows[:wanted], False
    rows = rows[:limit]
    shown = [i for i, c in enumerate(result.columns) if c not in (STATEMENTS, REPLACED)]
    shown = [i for i in shown if i == shown[0] or any(r[i] is not None for r in rows)]
    ids_at, replaced_at = result.columns.index(STATEMENTS), result.columns.index(REPLACED)
    return Table(
        tuple(result.columns[i].replace("_", " ") for i in shown),
        tuple(tuple(r[i] for i in shown) for r in rows),
        tuple(_ids(r[ids_at]) for r in rows),
        tuple(_number(r[replaced_at]) for r in rows),
        truncated,
    )


def _ids(value: Value) -> tuple[str, ...]:
    return tuple(str(v) for v in value) if isinstance(value, tuple | list) else ()


def _number(value: Value) -> int:
    return int(value) if isinstance(value, int | float) else 0


def citations(details: Sequence[StatementDetail]) -> tuple[Citation, ...]:
    """Numbered citations; a listing's row is marked as such and never as the paper's words."""
    return tuple(
        Citation(
            number=i,
            statement=StatementId(d.id),
            type=d.type,
            document=d.document,
            title=d.title,
            arxiv=d.arxiv,
            inspire=d.inspire,
            doi=d.doi,
            quote=f"PDG listing: {d.quote}" if d.origin is Origin.PDG_TABLES and d.quote else d.quote,
            origin=d.origin,
            status=d.status,
        )
        for i, d in enumerate(details, start=1)
    )


def subgraph(details: Sequence[StatementDetail]) -> tuple[tuple[GraphNode, ...], tuple[GraphEdge, ...]]:
    """Nodes and edges of the cited statements."""
    nodes = {}
    for d in details:
        nodes[d.start_id] = GraphNode(id=d.start_id, type=d.start_type, name=d.start_name)
        nodes[d.end_id] = GraphNode(id=d.end_id, type=d.end_type, name=d.end_name)
    edges = tuple(
        GraphEdge(
            id=d.id,
            type=d.type,
            start=d.start_id,
            end=d.end_id,
            document=d.document,
            status=d.status,
            origin=d.origin,
        )
        for d in details
    )
    return tuple(nodes.values()), edges


def sentence(form: f.Form, shown: Table, schema: GraphSchema, cited: Sequence[Citation]) -> str:
    """The answer in words, with citation numbers, from the rows alone."""
    numbers = {c.statement: c.number for c in cited}
    parts = [_lead(form, shown, schema)]
    named = [_row_text(form, shown, i, numbers) for i in range(min(len(shown.rows), MAX_NAMED))]
    if not isinstance(form.head, f.Count):
        more = len(shown.rows) - len(named)
        parts.append("; ".join(named) + (f"; and {more} more in the table" if more > 0 else "") + ".")
    else:
        parts[0] += _marks(shown.statements[0], numbers) if shown.statements else ""
    if shown.truncated:
        parts.append(f"Only the first {len(shown.rows)} rows are shown; there are more.")
    parts.append(_replaced_text(form, shown))
    return " ".join(p for p in parts if p)


def _replaced_text(form: f.Form, shown: Table) -> str:
    total = sum(shown.replaced)
    if total == 1:
        return "1 of the values was replaced by a later paper."
    if total:
        return f"{total} of the values were replaced by later papers."
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


def _lead(form: f.Form, shown: Table, schema: GraphSchema) -> str:
    n = len(shown.rows)
    match form.head:
        case f.Count(var):
            what = "measurement" if form.is_edge(var) else type_word(schema, form.node(var).type)
            number = _number(shown.rows[0][0])
            return f"The graph holds {number} {plural(what) if number != 1 else what}."
        case f.Entities(var) | f.AllHave(var):
            noun = type_word(schema, form.node(var).type)
            return f"{n} {noun if n == 1 else plural(noun)}:"
        case f.Statements() if form.shape == "check":
            return f"Yes, {n} {'statement says' if n == 1 else 'statements say'} so:"
        case f.Statements():
            return f"{n} {'statement' if n == 1 else 'statements'}:"
        case f.Precise():
            return "Smallest total error:"
        case _:
            return ""


def _row_text(form: f.Form, shown: Table, at: int, numbers: dict[StatementId, int]) -> str:
    row = dict(zip(shown.columns, shown.rows[at], strict=True))
    marks = _marks(shown.statements[at], numbers)
    if isinstance(form.head, f.Statements | f.Precise) and ("value text" in row or "value" in row):
        value = row.get("value text") or row.get("value")
        limit = f"{row['limit']} limit " if row.get("limit") else ""
        start = form.node(form.edge(form.head.edge).start).type.replace("_", " ")
        year = f", {row['year']}" if row.get("year") is not None else ""
        unit = f" {row['unit']}" if row.get("unit") and str(row["unit"]) not in str(value) else ""
        replaced = ", replaced" if shown.replaced[at] else ""
        return f"{limit}{value}{unit} ({row.get(start)}{year}{replaced}){marks}"
    if isinstance(form.head, f.AttributesOf):
        return "; ".join(f"{k}: {_show(v)}" for k, v in row.items() if v is not None) + marks
    first, *rest = (v for v in row.values())
    if isinstance(form.head, f.Top | f.Compare | f.CountBy | f.AllHave):
        return f"{_show(first)}: {_show(rest[0] if rest else None)}{marks}"
    if isinstance(form.head, f.Statements):
        pair = [_show(v) for v in list(row.values())[:1]]
        extra = [f"{k} {_show(v)}" for k, v in list(row.items())[1:5] if v is not None]
        return ", ".join(pair + extra) + marks
    return f"{_show(first)}{marks}"


def _show(value: Value) -> str:
    if value is None:
        return "unknown"
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _marks(ids: Sequence[str], numbers: dict[StatementId, int]) -> str:
    found = sorted({numbers[StatementId(i)] for i in ids if StatementId(i) in numbers})[:3]
    return (" " + "".join(f"[{n}]" for n in found)) if found else ""
