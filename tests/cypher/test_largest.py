"""The largest of all is told over all rows, however few are shown, and what was not read is said."""

from __future__ import annotations

import pytest

from cypher import form as f
from cypher.identifiers import REPLACED, STATEMENTS
from cypher.largest import rows_read
from cypher.table import Table, table
from cypher.wording import sentence
from schemas.questions import Subgraph, Value
from schemas.schema_files import load_schema

SCHEMA = load_schema("particle_physics")
LISTED = f.Form(
    "strongest",
    (f.Node("n0", "uncertainty_source"), f.Node("n1", "observable")),
    (f.Edge("r0", "affects", "n0", "n1"),),
    (f.Condition("n1", "id", f.Op.ONE_OF, ("o",), "'phi_s'"),),
    f.Statements("r0", f.Order.STRONGEST),
)
LARGEST = f.Form(
    LISTED.shape,
    LISTED.nodes,
    LISTED.edges,
    LISTED.conditions,
    f.Statements("r0", f.Order.STRONGEST, only_first=True),
)
COLUMNS = ("uncertainty_source", "observable", "ranking", "magnitude", "unit", STATEMENTS, REPLACED)


def _row(name: str, ranking: int | None, size: float | None, unit: str | None = "ps") -> tuple[Value, ...]:
    return (name, "phi_s", ranking, size, unit, (f"s {name}",), 0)


def _shown(*rows: tuple[Value, ...], limit: int = 25, truncated: bool = False) -> tuple[Table, str]:
    found = Subgraph(columns=COLUMNS, rows=rows, truncated=truncated)
    shown = table(found, limit=limit, form=LARGEST, year="")
    return shown, sentence(LARGEST, shown, SCHEMA, cited=())


RANKED = (_row("A", 1, None), _row("B", 1, None), _row("C", 2, None))


def test_few_rows_shown_do_not_make_one_of_several_the_largest() -> None:
    shown, text = _shown(*RANKED, limit=1)
    assert text.startswith("2 uncertainty sources of phi_s, each the largest of its document or"), text
    assert "and 1 more. The table shows the first 1 of 2 rows; there are more." in text
    assert shown.truncated


def test_of_more_than_are_shown_sizes_in_one_unit_decide() -> None:
    shown, text = _shown(*(_row(f"S{i}", None, 9 - i / 10) for i in range(30)))
    assert [r[0] for r in shown.rows] == ["S0"]
    assert text.startswith("1 uncertainty source of phi_s, the largest: S0")
    assert not shown.truncated


@pytest.mark.parametrize("size", [0.5, None])
def test_where_not_all_was_read_that_is_said(size: float | None) -> None:
    rows = (_row("A", 1, size), *(_row(f"S{i}", None, 0.1) for i in range(29)))
    shown, text = _shown(*rows, truncated=True)
    assert text.startswith("1 uncertainty source of phi_s, the largest among the first 30: A"), text
    assert "The table shows" not in text
    assert shown.truncated


def test_where_nothing_decides_no_source_is_called_the_largest() -> None:
    _, text = _shown(_row("A", None, 9.0, "ps"), _row("B", None, 5.0, "fs"))
    assert text.startswith("2 uncertainty sources of phi_s, none of which is known to be"), text


def test_all_are_read_where_one_of_all_is_asked() -> None:
    assert rows_read(LISTED, 1) == 2
    assert rows_read(LARGEST, 1) > 1000
