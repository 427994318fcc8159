"""Figures for each of something, deeds said as nouns, days that are the last, and what is over."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.figure_of_each import figure_of_each
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from schemas.store_schema import StoreSchema
from tests.cypher.small_schemas import invented_graph, query_of

SCHEMA, STORED = invented_graph("""
    Keeper 15: name, member_no integer, birth_year integer, joined date, left date, organic boolean
    Hive 27: code, kind, active boolean
    Apiary 10: name, town, altitude_m integer
    HoneyBatch 15: lot, honey_type, kg float, moisture_pct float
    Buyer 8: name, town
    Treatment 5: name, substance
    (Keeper)-[OWNS 27]->(Hive), (Keeper)-[MANAGES 12: role]->(Apiary), (Hive)-[STANDS_IN 27]->(Apiary)
    (Hive)-[YIELDED 20]->(HoneyBatch), (Buyer)-[BOUGHT 20: price_per_kg float, date date]->(HoneyBatch)
    (Keeper)-[INSPECTED 60: date date, mite_count integer]->(Hive)
    (Hive)-[TREATED_WITH 50: date date, dose_ml integer]->(Treatment)

    Keeper.name: Ann Lee | Ben Müller | Cleo Müller
    Hive.code: H-01 | H-03
    Hive.kind: Dadant | on-site
    Apiary.name: Brezje | Pokljuka
    Apiary.town: Bled | Kranj
    HoneyBatch.lot: L24 | L23
    HoneyBatch.honey_type: fir | acacia
    MANAGES.role: lead keeper | co-keeper
    Treatment.substance: amitraz | thymol
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.fixture
def shown() -> Callable[[str], str]:
    return lambda question: query_of(READER, question)


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        ("average price per kg by honey type", "n1.honey_type AS honey_type, avg(r0.price_per_kg)"),
        ("total dose per treatment in 2023", "WITH n1, sum(r0.dose_ml) AS sum_dose_ml"),
        ("maximum mite count per hive", "WITH n1, max(r0.mite_count)"),
        ("average mite count by kind", "n1.kind AS kind, avg(r0.mite_count)"),
        ("What is the average number of mites per hive?", "avg(r0.mite_count)"),
        ("How many inspections did each keeper do in 2024?", "WITH n0, count(DISTINCT r0) AS count"),
        ("number of inspections per hive", "WITH n1, count(DISTINCT r0) AS count"),
        ("Which hives have no inspection?", "NOT EXISTS { MATCH (n0:Keeper)-[:INSPECTED]->(n1) }"),
        ("When was H-03 last inspected?", "WHERE n0.code = 'H-03' RETURN max(r0.date)"),
        ("When was H-03 first treated?", "WHERE n0.code = 'H-03' RETURN min(r0.date)"),
        ("Which keeper joined first?", "min(n0.joined) AS best"),
        ("Who joined the cooperative before 2000?", "WHERE n0.joined < date('2000-01-01')"),
        ("apiaries whose altitude is not recorded", "n0.altitude_m IS NULL"),
        ("For which lot was the moisture not measured?", "n0.moisture_pct IS NULL"),
        ("How many current keepers are there?", "WHERE n0.left IS NULL RETURN count(DISTINCT n0)"),
        ("Who are the former keepers?", "n0.left IS NOT NULL"),
        ("members who are not organic", "WHERE n0.organic = False RETURN DISTINCT n0.name"),
        (
            "Which apiaries whose keepers never inspected a hive are there?",
            "NOT EXISTS { MATCH (n1:Keeper)-[:MANAGES]->(n0), (n1)-[:INSPECTED]->(n2:Hive) }",
        ),
        ("Which non-organic keepers are there?", "n0.organic = False"),
        ("Which hives were treated with none of the treatments?", "NOT EXISTS"),
        (
            "Which apiary has the highest altitude, and how much is it?",
            "n0.name AS name, n0.altitude_m AS altitude_m",
        ),
    ],
)
def test_what_is_read(shown: Callable[[str], str], question: str, pattern: str) -> None:
    assert pattern in shown(question)


@pytest.mark.parametrize(
    "question",
    [
        "Which hive has given the most honey?",
        "Pollen content of lot L24?",
        "Which hives whose owner is not known are there?",
        "How many stings did each keeper have in 2024?",
        "total rain per apiary",
    ],
)
def test_what_no_word_of_the_graph_says_is_not_answered(question: str) -> None:
    decision = decide(READER.read(question), SCHEMA)
    assert decision.verdict is not Verdict.ANSWER or decision.unexplained


def test_a_figure_is_told_for_what_each_thing_has_one_of() -> None:
    assert figure_of_each("average mite count per apiary", SCHEMA) is None  # by keeper, or by hive
    one = tuple(
        t.model_copy(update={"most_from_start": 1}) if t.type == "STANDS_IN" else t for t in SCHEMA.triples
    )
    known = StoreSchema(labels=SCHEMA.labels, relations=SCHEMA.relations, triples=one)
    found = figure_of_each("average mite count per apiary", known)
    assert found is not None
    assert [e.types for e in found.edges] == [("INSPECTED",), ("STANDS_IN",)]


def test_a_part_of_another_value_is_no_word_for_it(shown: Callable[[str], str]) -> None:
    assert "co-keeper" in shown("Who is the co-keeper of Brezje?")
    lead = READER.read("Who is the lead keeper of Brezje?")
    assert all("co-keeper" not in repr(c.query) for c in lead.candidates)


def test_a_surname_with_an_accent_names_all_who_have_it() -> None:
    reading = READER.read("Which hives does Müller own?")
    assert reading.query is not None
    assert {
        str(v) for f in reading.query.filters for v in (f.value if isinstance(f.value, tuple) else ())
    } == {
        "Ben Müller",
        "Cleo Müller",
    }
