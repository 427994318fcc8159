"""Texts that stand for no value are no values: "NULL", "N/A"."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cypher.guard import check_text
from cypher.semantics.absent import absent_texts, without_absent
from cypher.semantics.ir import (
    Clause,
    ClauseKind,
    Filter,
    Head,
    Node,
    Operator,
    Part,
    Period,
    PropertyRef,
    Query,
)
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import StoredValue, ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Guest 40: name, fax, town
    Parcel 90 unnamed: parcelNo, orderDate, shippedDate, requiredDate
    (Guest)-[HAD 90]->(Parcel)

    Guest.name: Ada Moor | Ben Vale
    Guest.fax: NULL | 555-1
    Guest.town: none | Lund
    Parcel.orderDate: 1996-07-04 | 1997-01-08
    Parcel.shippedDate: 1996-07-05 | 1997-01-09 | NULL
    Parcel.requiredDate: 1996-07-05 | 1997-01-09 | N/A
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))

READINGS = {
    "Which guests have no fax?": (
        "MATCH (n0:Guest) WHERE ((n0.fax IS NULL) OR (n0.fax = 'NULL')) RETURN DISTINCT n0.name AS name"
    ),
    "Which guests have a fax?": "MATCH (n0:Guest) WHERE n0.fax <> 'NULL' RETURN DISTINCT n0.name AS name",
    "Which guests have no town?": "MATCH (n0:Guest) WHERE n0.town IS NULL RETURN DISTINCT n0.name AS name",
    "How many parcels were shipped after 5 July 1996?": (
        "MATCH (n0:Parcel) WHERE n0.shippedDate > '1996-07-05' AND n0.shippedDate <> 'NULL' "
        "RETURN count(DISTINCT n0) AS count"
    ),
    "How many parcels were shipped after the required date?": (
        "MATCH (n0:Parcel) WHERE n0.shippedDate > n0.requiredDate AND n0.shippedDate <> 'NULL' "
        "AND n0.requiredDate <> 'N/A' "
        "RETURN count(DISTINCT n0) AS count"
    ),
    "What is the latest shipped date?": (
        "MATCH (n0:Parcel) WHERE n0.shippedDate <> 'NULL' RETURN max(n0.shippedDate) AS max_shippedDate"
    ),
    "What is the latest order date?": "MATCH (n0:Parcel) RETURN max(n0.orderDate) AS max_orderDate",
}


@pytest.mark.parametrize("question", READINGS)
def test_what_stands_for_nothing_is_nothing(question: str) -> None:
    written = READER.read(question).written
    assert written is not None
    assert check_text(written.text, SCHEMA, parameters=written.parameters).columns == written.columns
    text = written.text
    for name, value in sorted(written.parameters.items(), key=lambda p: -len(p[0])):
        text = text.replace(f"${name}", repr(value))
    assert text.replace("`", "").replace("\n", " ") == READINGS[question]


def test_only_what_exports_write_counts() -> None:
    stored = [StoredValue("A", "b", text) for text in ("NULL", "n/a", "None", "unknown", "nullify", "")]
    assert absent_texts(ValueTable(stored)) == {("A", "b"): ("NULL", "n/a")}


def test_a_period_has_no_row_for_what_is_missing() -> None:
    shipped = PropertyRef(0, "shippedDate", iso_text=True, period=Period.MONTH)
    monthly = Query((Node("Parcel"),), head=Head.GROUP, group=shipped)
    told = without_absent(monthly, absent_texts(ValueTable(STORED)))
    assert told.filters == (Filter(shipped, Operator.NE, "NULL"),)
    assert without_absent(told, absent_texts(ValueTable(STORED))) == told


def test_the_best_of_all_is_no_missing_one() -> None:
    shipped = PropertyRef(1, "shippedDate", iso_text=True)
    best = Clause(ClauseKind.BEST, (Part(nodes=(2,)),), node=1, ref=shipped, copy=2)
    query = Query((Node("Guest"), Node("Parcel"), Node("Parcel")), clauses=(best,), inner=frozenset({2}))
    told = without_absent(query, absent_texts(ValueTable(STORED)))
    kept = Filter(replace(shipped, owner=2), Operator.NE, "NULL")
    assert told.clauses[0].parts[0].filters == (kept,)
    assert without_absent(told, absent_texts(ValueTable(STORED))) == told


def test_a_gap_is_told_once() -> None:
    absent = absent_texts(ValueTable(STORED))
    gap = Query((Node("Guest"),), filters=(Filter(PropertyRef(0, "fax"), Operator.UNKNOWN),))
    told = without_absent(gap, absent)
    assert not told.filters
    assert without_absent(told, absent) == told
