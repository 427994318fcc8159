"""What people call things beside what a graph calls them: kinds in names, roles, opposites, ends (invented).

A herring fleet: voyages have crews with duties, boats are called after what they are.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.ir import Head
from cypher.semantics.name_nouns import name_nouns
from cypher.semantics.reader import SemanticReader
from cypher.semantics.rephrased import rephrased
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Unit 9: unit_name, hull_m float, is_crewed boolean, built_year integer, berths integer
    Voyage 60: title, hours_planned integer, hours_sailed integer, state
    Sailor 30: full_name, is_alive boolean, certified boolean, joined_on
    Mooring 8: mooring_name, country, altitude_m integer
    Firm 6: firm_name, country
    Complaint 20: complaint_no, filed_on, resolved_on
    Net 12: net_name, mesh_mm integer, area_sqm float, min_temp_c integer
    (Sailor)-[TOOK_PART 90: duty]->(Voyage), (Voyage)-[SAILED_BY 60]->(Unit)
    (Unit)-[SITUATED_AT 9]->(Mooring)
    (Firm)-[HOLDS_STAKE 12: pct integer]->(Unit), (Complaint)-[RAISED_ON 20]->(Unit)
    (Unit)-[CARRIES 12]->(Net)
    (Sailor)-[SUPERVISES 12: since_year integer]->(Sailor), (Sailor)-[TENDS 9]->(Net)

    Unit.unit_name: Ash Trawler | Elm Trawler | Oak Trawler | Fir Trawler | The Needle
    Voyage.title: Long Run | Short Run
    Voyage.state: approved | rejected
    Sailor.full_name: Ann Lee | Bo Orre
    Sailor.joined_on: 2020-02-01 | 2021-03-04
    TOOK_PART.duty: leader | cook | CE
    Mooring.mooring_name: Gull Quay | Tern Pier
    Mooring.country: Norland | Sudland
    Firm.firm_name: Herring & Daughters
    Firm.country: Norland | Westland
    Complaint.complaint_no: C-1 | C-2
    Complaint.filed_on: 2020-01-02 | 2021-01-02
    Complaint.resolved_on: 2020-02-02 | 2021-03-02
    Net.net_name: Wide Net | Fine Net
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("How many trawlers are there?", ("(n0:Unit)", "count")),
        ("Which trawlers sailed the Long Run?", ("(n0:Unit)", "'Long Run'")),
        ("Who led the Long Run?", ("r0.duty = 'leader'", "title = 'Long Run'", "n0.full_name")),
        ("Which voyages led by Ann Lee were rejected?", ("duty = 'leader'", "'Ann Lee'", "'rejected'")),
        ("Which voyages did Ann Lee lead?", ("(n0:Voyage)", "duty = 'leader'", "'Ann Lee'")),
        ("Who was the chief engineer of the Short Run?", ("duty = 'CE'", "'Short Run'")),
        ("Which complaints are still open?", ("resolved_on IS NULL",)),
        ("Which complaints are unresolved?", ("resolved_on IS NULL",)),
        ("Which sailors are dead?", ("is_alive = False",)),
        ("How many uncertified sailors are there?", ("certified = False", "count")),
        ("Total hours sailed by approved voyages?", ("sum(n0.hours_sailed)", "'approved'")),
        ("Which trawlers lie higher than 200 metres?", ("[:SITUATED_AT]->", "altitude_m > 200")),
        ("In what country is the Ash Trawler?", ("[:SITUATED_AT]->", "Mooring")),
        ("Which nets cover more than 20 square metres?", ("area_sqm > 20",)),
        ("Which nets are kept at 15 degrees or warmer?", ("min_temp_c >= 15",)),
        ("Who is the boss of Ann Lee?", ("(n0:Sailor)-[:SUPERVISES]->(n1", "n1.full_name = 'Ann Lee'")),
        ("Who was leader on more than two voyages?", ("duty = 'leader'", "n0.full_name", "counted > 2")),
        ("Which leaders of the Long Run are dead?", ("(n0:Sailor)", "duty = 'leader'", "is_alive = False")),
        ("Who has the surname Lee?", ("n0.full_name ENDS WITH 'Lee'",)),
        ("Is there a mooring with no trawler at it? Which one?", ("n0.mooring_name", "NOT EXISTS")),
        ("Which is older, the Ash Trawler or the Elm Trawler?", ("min(n0.built_year)", "'Elm Trawler'")),
        ("Which three trawlers made the most voyages, and how many did each have?", ("AS count", "LIMIT 3")),
        ("Does the Ash Trawler have more berths than the Elm Trawler?", ("n0.berths > n1.berths", "> 0")),
        ("Since which year has Ann Lee been Bo Orre's supervisor?", ("r0.since_year", "[r0:SUPERVISES]")),
        ("Which sailors have not been looking after any net?", ("NOT EXISTS", "[:TENDS]")),
        ("Which firms own a share of the Ash Trawler?", ("[:HOLDS_STAKE]->", "'Ash Trawler'")),
    ],
)  # fmt: skip
def test_what_people_call_it_is_found(
    question: str, parts: tuple[str, ...], shown: Callable[[str], str]
) -> None:
    assert all(x in shown(question) for x in parts), shown(question)


@pytest.mark.parametrize(
    ("loosely", "plainly"),
    [
        ("The three nets with the largest mesh, biggest first?", "The three nets with the largest mesh?"),
        ("Which sailors joined since the start of 2021?", "Which sailors joined since 2021?"),
        ("Which voyages have not had a single sailor yet?", "Which voyages have not had a sailor?"),
        ("How many sailors took part so far?", "How many sailors took part?"),
        ("For each type of net, how many do we have?", "How many nets are there of each type?"),
        ("Break down the total hours sailed by state.", "Total hours sailed per state"),
        ("Which staff members joined in 2020?", "Which staff joined in 2020?"),
    ],
)  # fmt: skip
def test_what_stresses_or_softens_asks_nothing(
    loosely: str, plainly: str, shown: Callable[[str], str]
) -> None:
    assert shown(loosely) == shown(plainly)


@pytest.mark.parametrize(
    "question",
    [
        "Who filed complaint C-1?",
        "Who repainted complaint C-2?",
        "Is there anything certified on the Long Run?",
    ],
)
def test_who_and_whether_are_answered_as_such_or_not_at_all(question: str) -> None:
    decision = decide(READER.read(question), SCHEMA)
    if decision.verdict is Verdict.ANSWER:
        query = decision.reading.candidates[0].query
        label = query.nodes[query.answer].label
        assert query.head is Head.EXISTS if question.startswith("Is") else label == "Sailor"
        assert not query.project


def test_a_preposition_tells_the_end_of_a_relation() -> None:
    schema, stored = invented_graph("""
        Museum 9: name
        Piece 90: title
        (Piece)-[OWNED_BY 90]->(Museum), (Piece)-[LENT_TO 30]->(Museum)

        Museum.name: Harrow House | Oakum Hall
        Piece.title: Long Night | Short Day
    """)
    decision = decide(
        SemanticReader(schema, ValueTable(stored)).read("Which museums lent pieces to Harrow House?"), schema
    )
    query = decision.reading.candidates[0].query
    named = {f.ref.owner for f in query.filters if f.value == "Harrow House"}
    ends = {e.end for e in query.edges if e.types == ("LENT_TO",)}
    assert decision.verdict is not Verdict.ANSWER or named & ends


@pytest.mark.parametrize(
    ("question", "plainly"),
    [
        ("Which is older than Ash or Elm?", "Which is older than Ash or Elm?"),
        ("Which is the owner of Ash or Elm?", "Which is the owner of Ash or Elm?"),
        ("Which is either Ash or Elm?", "Which is either Ash or Elm?"),
        ("Which is larger, Ash or Elm?", "what is the largest of Ash or Elm?"),
        ("Which ships sailed after the start of 2018?", "Which ships sailed since 2018?"),
        ("How many team members has Ann?", "How many team members has Ann?"),
        ("Which calls were made on the morning of 3 May?", "Which calls were made on the morning of 3 May?"),
    ],
)
def test_rules_of_rephrasing_keep_what_is_meant(question: str, plainly: str) -> None:
    assert rephrased(question) == plainly


def test_a_scale_that_is_asked_for_is_not_passed_over() -> None:
    schema, stored = invented_graph("""
        Ship 9: name, budget_eur integer

        Ship.name: Ash | Elm
    """)
    asked = "What is the total budget of the ships, in thousands of euros?"
    reading = SemanticReader(schema, ValueTable(stored)).read(asked)
    assert decide(reading, schema).verdict is not Verdict.ANSWER


def test_initials_of_any_words_are_no_abbreviation() -> None:
    schema, stored = invented_graph("""
        Case 90: case_no, country
        Firm 9: firm_name
        (Firm)-[REGISTERED 90]->(Case)

        Case.country: CR | DE
        Firm.firm_name: Herring & Daughters
    """)
    reading = SemanticReader(schema, ValueTable(stored)).read(
        "How many cases registered by Herring & Daughters are there?"
    )
    assert reading.written is not None
    assert "CR" not in reading.written.parameters.values()


def test_who_may_be_what_a_property_holds() -> None:
    schema, stored = invented_graph("""
        Play 9: title, author, rating float

        Play.title: Long Night
    """)
    reader = SemanticReader(schema, ValueTable(stored))
    assert decide(reader.read("Who wrote Long Night?"), schema).verdict is Verdict.ANSWER


def test_what_is_skipped_before_a_property_is_not_passed_over() -> None:
    schema, stored = invented_graph("""
        Hall 9: name
        Guard 9: guard_name
        (Guard)-[WORKS_AT 9: weekly_hours integer]->(Hall)

        Hall.name: Harrow House
    """)
    reading = SemanticReader(schema, ValueTable(stored)).read("What are the opening hours of Harrow House?")
    assert decide(reading, schema).verdict is not Verdict.ANSWER


def test_names_that_end_in_many_ways_tell_no_kind() -> None:
    schema, stored = invented_graph("""
        Unit 9: unit_name

        Unit.unit_name: Ash Cutter | Elm Cutter | Oak Cutter | Fir Cutter | Bay Yawl | Sea Yawl | Fog Yawl
    """)
    assert dict(name_nouns(SCHEMA, ValueTable(STORED))) == {"trawler": "Unit"}
    assert not dict(name_nouns(schema, ValueTable(stored)))
