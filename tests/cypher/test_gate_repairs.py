"""Repairs that are the only ones, and what is said of the forms that people write most often wrong."""

from __future__ import annotations

import pytest

from cypher.gate.similarity import Inputs
from cypher.guard import report_on
from schemas.errors import QueryRefusedError
from schemas.questions import GateReport
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

NAME = StoreProperty(name="name", type=PropertyType.STRING)
KINDS = StoreProperty(name="kind", type=PropertyType.STRING, values=("solo", "quartet", "orchestra"))
CONCERTS = StoreSchema(
    labels=(
        StoreLabel(name="Composer", properties=(NAME,), name_property="name"),
        StoreLabel(
            name="Work",
            properties=(NAME, KINDS, StoreProperty(name="finished", type=PropertyType.DATE)),
            name_property="name",
        ),
        StoreLabel(
            name="Concert",
            properties=(
                StoreProperty(name="begins", type=PropertyType.DATETIME),
                StoreProperty(name="seats", type=PropertyType.INTEGER),
            ),
        ),
        StoreLabel(name="Hall", properties=(NAME,), name_property="name"),
    ),
    relations=tuple(StoreRelation(type=t) for t in ("WROTE", "PLAYED_AT", "HELD_IN", "LIVED_NEAR", "OWNED")),
    triples=(
        StoreTriple(start="Composer", type="WROTE", end="Work"),
        StoreTriple(start="Work", type="PLAYED_AT", end="Concert"),
        StoreTriple(start="Concert", type="HELD_IN", end="Hall"),
        StoreTriple(start="Composer", type="LIVED_NEAR", end="Hall"),
        StoreTriple(start="Composer", type="OWNED", end="Hall"),
    ),
    fulltext_indexes=("works", "halls"),
)
STORED = {"Composer": ("Clara Wieck", "Fanny Hensel"), "Hall": ("Old Mill", "New Mill")}


def near(label: str, text: str) -> tuple[str, ...]:
    """Stored names whose first letters are those of the text."""
    known = STORED.get(label, ())
    return (text,) if text in known else tuple(x for x in known if x[:2].lower() == text[:2].lower())


def checked(text: str) -> GateReport:
    return report_on(text, CONCERTS, parameters=Inputs({}, names=near))


@pytest.mark.parametrize(
    ("text", "expected", "code"),
    [
        (
            "MATCH (c:Composer)-[:WROTE]->(k:Concert) RETURN c.name AS n",
            "(c:Composer)-[:WROTE]->(:Work)-[:PLAYED_AT]->(k:Concert)",
            "SCH4",
        ),
        (
            "MATCH (k:Concert)<-[r:WROTE]-(c:Composer) RETURN type(r) AS n",
            "(k:Concert)<-[:PLAYED_AT]-(:Work)<-[r:WROTE]-(c:Composer)",
            "SCH4",
        ),
        (
            "MATCH (w:Work)-[:HELD_IN]->(h:Hall) RETURN h.name AS n",
            "(w:Work)-[:PLAYED_AT]->(:Concert)-[:HELD_IN]->(h:Hall)",
            "SCH4",
        ),
        (
            "MATCH (w:Work)-[:WROTE]->(c:Composer) RETURN c.name AS n",
            "(w:Work)<-[:WROTE]-(c:Composer)",
            "SCH4",
        ),
        ("MATCH (w:Work) WHERE w.finished > '1830-05-01' RETURN w", "w.finished > date($p0)", "SCH5"),
        ("MATCH (w:Work {finished: '1830-05-01'}) RETURN w", "{finished: date($p0)}", "SCH5"),
        ("MATCH (w:Work) WHERE w.finished = 1830 RETURN w", "w.finished.year = $p0", "SCH5"),
        (
            "MATCH (k:Concert) WHERE k.begins < '1830-05-01T19:30' RETURN k",
            "k.begins < datetime($p0)",
            "SCH5",
        ),
        ("MATCH (k:Concert) WHERE k.seats = '200' RETURN k", "k.seats = $p0", "SCH5"),
    ],
)
def test_the_only_repair_is_made_and_told(text: str, expected: str, code: str) -> None:
    report = checked(text)
    assert report.query is not None, report.findings
    assert expected in report.query.text
    assert [r.code for r in report.repairs] == [code]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (w:Work)-->(h:Hall) RETURN h",
        "MATCH (w:Work) WHERE w.finished > 'spring' RETURN w",
        "MATCH (w:Work {finished: 1830}) RETURN w",
        "MATCH (h:Hall)-[:WROTE]->(w:Work) RETURN w",
    ],
)
def test_what_has_no_single_repair_is_left_to_the_asker(text: str) -> None:
    report = checked(text)
    assert report.query is None
    assert not report.repairs


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("MATCH (c:Composer {name: 'clara'}) RETURN c", "Clara Wieck"),
        ("MATCH (c:Composer) WHERE c.name = 'clara' RETURN c", "Clara Wieck"),
        ("MATCH (c:Composer) WHERE 'clara' = c.name RETURN c", "Clara Wieck"),
        ("MATCH (w:Work) WHERE w.kind = 'Quartett' RETURN w", "quartet"),
    ],
)
def test_a_text_that_means_one_stored_name_becomes_it(text: str, value: str) -> None:
    report = checked(text)
    assert report.query is not None, report.findings
    assert value in report.query.parameters.values()
    assert [r.code for r in report.repairs] == ["VAL1"]
    assert value in report.repairs[0].message


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (c:Composer {name: 'Clara Wieck'}) RETURN c",
        "MATCH (h:Hall {name: 'Mill'}) RETURN h",
        "MATCH (c:Composer) WHERE c.name <> 'clara' RETURN c",
        "MATCH (c:Composer) WHERE c.name CONTAINS 'clara' RETURN c",
        "MATCH (w:Work) WHERE w.kind = 'solo' RETURN w",
        "MATCH (w:Work) WHERE w.kind = 'opera' RETURN w",
    ],
)
def test_other_texts_stay(text: str) -> None:
    report = checked(text)
    assert report.query is not None, report.findings
    assert not report.repairs


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("MATCH (a:Work) RETURN size{ (a)-->() } AS n", "COUNT { (a)-->(b) }"),
        ("MATCH (a:Work) RETURN b.name AS n", "known here: a"),
        ("MATCH (work:Work) RETURN wrok.name AS n", "work"),
        ("MATCH (a:Work) WITH a.name AS n RETURN a.kind AS k", "lost at WITH"),
        ("MATCH p = (a:Work)-->() WHERE p RETURN a", "length(p)"),
        ("MATCH (a:Work) RETURN a.kind + count(*) AS n", "pass it on by WITH"),
        (
            "MATCH (a:Work) WHERE EXISTS { (a)-->(:Concert) AND a.kind = 'solo' } RETURN a",
            "EXISTS { MATCH (a)-->(b)",
        ),
        ("MATCH (a:Concert) WHERE a.seats = (SELECT min(seats)) RETURN a", "WITH min(x) AS m"),
        ("MATCH (a:Work) WHERE a.kind NOT IN ['solo'] RETURN a", "NOT x IN list"),
        ("MATCH (a:Work), (b:Concert) RETURN relationships(a-[:PLAYED_AT]->b) AS r", "MATCH path ="),
        ("MATCH (a:Work) RETURN a.kind, count(*) GROUP BY a.kind", "Cypher groups by itself"),
        ("MATCH (a:Work) RETURN a.kind, count(*) AS c HAVING c > 1", "WITH"),
        ("MATCH (a:Hall), (b:Hall) WHERE a.name < b.name RETURN distance(a, b) AS d", "point.distance(a, b)"),
        ("CALL db.index.fulltext.queryNodes('wroks', 'x') YIELD node RETURN node", "did you mean works?"),
        ("CALL db.index.fulltext.queryNodes($x, 'x') YIELD node RETURN node", "there is works, halls"),
    ],
)
def test_common_mistakes_are_told_what_to_write(text: str, words: str) -> None:
    try:
        findings = checked(text).findings
    except QueryRefusedError as e:
        findings = e.findings
    assert findings
    said = " ".join((*(f.message for f in findings), *(s for f in findings for s in f.suggestions)))
    assert words in said
    assert all(f.place.line == 1 and f.place.end <= len(text) for f in findings)


def test_a_pattern_that_is_counted_is_mended() -> None:
    report = checked("MATCH (a:Work) WHERE size((a)-->()) > 1 RETURN a")
    assert report.query is not None
    assert "COUNT { MATCH (a)-->() } > $p0" in report.query.text


def test_a_known_full_text_index_passes() -> None:
    assert checked("CALL db.index.fulltext.queryNodes('halls', 'x') YIELD node RETURN node").query is not None
