"""The rows of a result as the table that is shown: no technical, empty or repeated columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest

from cypher import form as f
from cypher.cited import MAX_CITATIONS
from cypher.identifiers import REPLACED, STATEMENTS
from cypher.largest import is_one_of_all, largest
from cypher.schema_graph import COLUMN, LIMIT, VALUE
from schemas.questions import Subgraph, Value

_ONLY_WITH_LIMITS, _WHERE = "confidence_level", "condition"


@dataclass(frozen=True, slots=True)
class Table:
    """Shown columns and rows with the technical columns taken off."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    statements: tuple[tuple[str, ...], ...]
    replaced: tuple[int, ...]
    truncated: bool
    same: tuple[tuple[str, Value], ...] = ()
    """Columns left out because every row has the same entity there: (column, its name)."""
    total: int = 0
    """How many rows there are, shown or not; 0 where the rows that were read do not tell."""
    chosen: str = ""
    """What the rows are among all, where the first of all was asked for: "the largest"."""

    @property
    def all_statements(self) -> tuple[str, ...]:
        """Statement ids in order of first use, at most ``MAX_CITATIONS``, and then some of every row.

        >>> many, few = tuple(map(str, range(200))), ("a", "b")
        >>> found = Table((), (), (many, few), (), False).all_statements
        >>> len(found), found[0], found[-2:]
        (100, '0', ('a', 'b'))
        """
        ids = dict.fromkeys(i for row in self.statements for i in row)
        if len(ids) <= MAX_CITATIONS:
            return tuple(ids)
        in_turn = dict.fromkeys(i for turn in zip_longest(*self.statements) for i in turn if i is not None)
        kept = frozenset(islice(in_turn, MAX_CITATIONS))
        return tuple(i for i in ids if i in kept)


def table(result: Subgraph, *, limit: int, form: f.Form, year: str) -> Table:
    """The rows to show: at most ``limit``, and of the first year only where the form says so."""
    rows = list(result.rows)
    truncated = len(rows) > limit or result.truncated
    head = form.head
    if isinstance(head, f.Statements | f.Entities) and head.only_first and rows and year in result.columns:
        at = result.columns.index(year)
        kept = [r for r in rows if r[at] == rows[0][at]]
        truncated = truncated and len(kept) == len(rows)
        rows = kept
    total, chosen = 0, ""
    if is_one_of_all(form):
        first = largest(result.columns, rows, truncated=result.truncated)
        rows, total, chosen = list(first.rows), len(first.rows), first.words
        truncated = len(rows) > limit or result.truncated
    wanted = head.limit if isinstance(head, f.Statements | f.Top) else 0
    if wanted and wanted <= limit:
        rows, truncated = rows[:wanted], False
    rows = rows[:limit]
    repeated = _repeated(form, result.columns, rows, truncated=truncated)
    silent = {c for c, _ in repeated} | _silent(result.columns, rows)
    shown = [i for i, c in enumerate(result.columns) if c not in silent]
    ids_at, replaced_at = result.columns.index(STATEMENTS), result.columns.index(REPLACED)
    return Table(
        tuple(result.columns[i].replace("_", " ") for i in shown),
        tuple(tuple(r[i] for i in shown) for r in rows),
        tuple(_ids(r[ids_at]) for r in rows),
        tuple(number(r[replaced_at]) for r in rows),
        truncated,
        tuple((c.replace("_", " "), v) for c, v in repeated),
        total,
        chosen,
    )


def _repeated(
    form: f.Form, columns: Sequence[str], rows: Sequence[Sequence[Value]], *, truncated: bool
) -> list[tuple[str, Value]]:
    """The end of the listed statements that is one entity in all rows: it goes into the sentence.

    Where rows are missing, it is one only if the question names it.
    """
    head = form.head
    if not isinstance(head, f.Statements | f.Precise | f.Tightest) or not rows or form.shape == "check":
        return []
    edge = form.edge(head.edge)
    ends = [edge.end, edge.start]
    kinds = [form.node(v).type for v in ends]
    anchored = {c.var for c in form.conditions if c.attribute == "id"}
    for var in ends if edge.start not in anchored else ends[::-1]:
        if truncated and not _is_one(form, var):
            continue
        kind = form.node(var).type
        at = columns.index(kind) if kind in columns else -1
        if at >= 0 and kinds[0] != kinds[1] and len({r[at] for r in rows}) == 1:
            return [(kind, rows[0][at])]
    return []


def _is_one(form: f.Form, var: str) -> bool:
    """Whether a node can only be the one that is named."""
    named = [c for c in form.conditions if c.var == var and c.attribute == "id"]
    return any(c.op is f.Op.IS or (c.op is f.Op.ONE_OF and len(_ids(c.value)) == 1) for c in named)


def _silent(columns: Sequence[str], rows: Sequence[Sequence[Value]]) -> set[str]:
    """Columns that say nothing: technical, empty, or in other words what another column says."""
    cells = {c: [r[i] for r in rows] for i, c in enumerate(columns)}
    out = {STATEMENTS, REPLACED}
    out |= {c for c in list(cells)[1:] if all(v is None or v == "" for v in cells[c])}
    if all(v is None or str(v).upper() == VALUE.upper() for v in cells.get(COLUMN, ())):
        out.add(COLUMN)
    if len(rows) > 1 and len(set(cells.get(_WHERE, ()))) == 1:
        out.add(_WHERE)
    if LIMIT in out or LIMIT not in cells:
        out.add(_ONLY_WITH_LIMITS)
    for name, values in cells.items():
        if all(_same(a, b) for a, b in zip(values, cells.get(f"{name}_text", [None]), strict=False)):
            out.add(f"{name}_text")
    return out


def _same(number: Value, text: Value) -> bool:
    """Whether the text says no more than the number."""
    if number is None or text is None:
        return number is text
    try:
        return isinstance(number, int | float) and float(str(text)) == float(number)
    except ValueError:
        return False


def _ids(value: Value) -> tuple[str, ...]:
    return tuple(str(v) for v in value) if isinstance(value, tuple | list) else ()


def number(value: Value) -> int:
    """A count in a cell."""
    return int(value) if isinstance(value, int | float) else 0
