"""What readings and queries return, and readings that return something else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cypher.evaluation.returned import returned_in
from cypher.examples import named_in
from cypher.semantics.compose import WIDE, Candidate
from cypher.semantics.evidence import OTHERWISE, Evidence, learn, masked
from cypher.semantics.ir import Edge, Filter, Head, Node, Operator, Order, PropertyRef, Query
from cypher.semantics.lexicon import RelationWords, Verbalisation
from cypher.semantics.reader import SemanticReader
from cypher.semantics.returning import (
    LIKELY,
    Column,
    column_elements,
    columns_of,
    returning_otherwise,
)
from schemas.errors import QueryRefusedError
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)
from tests.cypher.test_spoken_wordings import FILMS, NAMES, READER

DOERS = ("Ada Berg", "Olaf Lind")
PREMIERES = "premieres of the films that {} directed"


PHONES = StoreSchema(
    labels=(
        StoreLabel(
            name="Phone",
            properties=(StoreProperty(name="phoneNo", type=PropertyType.STRING),),
            name_property="phoneNo",
        ),
        FILMS.labels[1],
    ),
    relations=(StoreRelation(type="HAS_PHONE"),),
    triples=(StoreTriple(start="Person", type="HAS_PHONE", end="Phone"),),
)


def _read(question: str) -> Query:
    query = READER.read(question).query
    assert query is not None
    return query


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """People who say "premieres" want years, those who say "features" films."""
    path = "MATCH (f:Film)<-[:DIRECTED]-(p:Person) WHERE p.name = $p0 RETURN"
    said = [(PREMIERES.format(d), f"{path} f.released") for d in DOERS]
    said += [(f"list the premieres of {d}'s films", f"{path} f.released") for d in DOERS]
    said += [(f"features among the films that {d} directed", f"{path} f.title") for d in DOERS]
    said += [(f"{d}'s features, films all", f"{path} f") for d in DOERS]
    found = learn([(masked(READER.link(q)), named_in(c, FILMS)) for q, c in said for _ in range(5)])
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("MATCH (f:Film) RETURN DISTINCT f ORDER BY f.released LIMIT 1", (Column("Film"),)),
        ("MATCH (f:Film) RETURN COUNT(DISTINCT f) AS n", (Column("Film", counted=True),)),
        ("MATCH (f:Film) WITH f, 1 AS x RETURN f.title, f", (Column("Film", "title"), Column("Film"))),
        ("MATCH (f:Film) RETURN f AS a UNION MATCH (p:Person) RETURN p AS a", (Column("Person"),)),
        ("MATCH (f:Film) RETURN f.released + 1", None),
        ("MATCH (f:Film) RETURN max(f.released)", None),
        ("MATCH (f:Film) RETURN collect(f)", None),
        ("MATCH (f:Film) RETURN f.title, count(*)", None),
        ("MATCH (f) RETURN f", None),
        ("MATCH (f:Film|Person) RETURN f", None),
        ("MATCH (f:Film) RETURN *", None),
    ],
)
def test_what_a_query_returns_is_found(query: str, columns: tuple[Column, ...] | None) -> None:
    assert returned_in(query) == columns


def test_a_query_that_writes_returns_nothing_but_an_error() -> None:
    with pytest.raises(QueryRefusedError):
        returned_in("CREATE (f:Film) RETURN f")


@pytest.mark.parametrize(
    "question",
    [
        "Which films did Ada Berg direct?",
        "How many films did Ada Berg and Olaf Lind act in?",
        "When was Harbour released?",
        "Who directed Harbour?",
    ],
)
def test_a_reading_returns_what_its_query_does(question: str) -> None:
    query = _read(question)
    columns, written = columns_of(query), returned_in(READER.write(query).text)
    assert columns is not None
    assert written is not None
    assert column_elements(columns, FILMS) == column_elements(written, FILMS)


@pytest.mark.parametrize(
    "question",
    ["Did Ada Berg direct Harbour?", "What is the average year of release of films?", "films per person"],
)
def test_figures_and_yes_or_no_are_no_columns(question: str) -> None:
    query = _read(question)
    assert columns_of(query) is None
    assert not list(returning_otherwise(query, FILMS, {}))


def test_other_readings_match_the_same_and_return_something_else() -> None:
    query = _read("Which films did Ada Berg direct?")
    likely = {">Film.released": 1.0, ">Person.born": LIKELY}
    others = list(returning_otherwise(query, FILMS, likely))
    assert [columns_of(o) for o in others] == [(Column("Film", "released"),), (Column("Person"),)]
    for other in others:
        assert (other.nodes, other.edges, other.filters) == (query.nodes, query.edges, query.filters)


def test_of_what_is_counted_only_the_kind_is_changed() -> None:
    query = _read("How many films did Ada Berg direct?")
    (other,) = returning_otherwise(query, FILMS, {">Film.released": 4.0, ">Person.born": 4.0})
    assert (other.head, columns_of(other)) == (Head.COUNT, (Column("Person", counted=True),))


@pytest.mark.parametrize(
    "question", ["Who directed the most films?", "Which people directed at least two films?"]
)
def test_who_is_chosen_by_a_number_is_left(question: str) -> None:
    assert not list(returning_otherwise(_read(question), FILMS, {">Film.released": 4.0}))


def test_of_several_nodes_of_a_kind_the_ranked_one_is_returned_else_one_without_a_condition() -> None:
    made = (Edge(1, 0, ("DIRECTED",)), Edge(1, 2, ("DIRECTED",)))
    old = Filter(PropertyRef(0, "released"), Operator.LT, 1950)
    query = Query((Node("Film"), Node("Person"), Node("Film")), made, (old,), answer=1)
    (free,) = returning_otherwise(query, FILMS, {})
    assert free.answer == 2
    ranked = replace(query, order=Order(PropertyRef(0, "released")), limit=1)
    (first,) = returning_otherwise(ranked, FILMS, {})
    assert first.answer == 0


def test_a_word_that_people_use_for_a_property_is_taken_for_it(evidence: Evidence) -> None:
    taught = SemanticReader(FILMS, NAMES, evidence=evidence)
    question = PREMIERES.format("Olaf Lind")
    plain, better = READER.read(question).query, taught.read(question).query
    assert plain is not None
    assert better is not None
    assert columns_of(plain) == (Column("Film"),)
    assert columns_of(better) == (Column("Film", "released"),)
    films = taught.read("features among the films that Olaf Lind directed").query
    assert films is not None
    assert columns_of(films) == (Column("Film"),)


@pytest.mark.parametrize(
    ("question", "project"),
    [
        ("What is the phone number of Ada Berg?", (PropertyRef(0, "phoneNo"),)),
        ("Which phone numbers does Ada Berg have?", (PropertyRef(0, "phoneNo"),)),
        ("Which phones does Ada Berg have?", ()),
    ],
)
def test_a_number_is_what_a_name_ending_in_no_holds(question: str, project: tuple[PropertyRef, ...]) -> None:
    query = SemanticReader(PHONES, NAMES).read(question).query
    assert query is not None
    assert (query.nodes[query.answer].label, query.project) == ("Phone", project)


HOMES = StoreSchema(
    labels=(
        StoreLabel(
            name="Place",
            properties=(StoreProperty(name="address", type=PropertyType.STRING),),
            name_property="address",
        ),
        *PHONES.labels,
    ),
    relations=(StoreRelation(type="LIVES_AT"), StoreRelation(type="HAS_PHONE")),
    triples=(StoreTriple(start="Person", type="LIVES_AT", end="Place"), *PHONES.triples),
)
SAID = Verbalisation(
    labels={"Phone": ("telephone number", "telephone"), "Place": ("street address", "home")},
    relations={"LIVES_AT": RelationWords(inverse=("home address of", "home of"))},
)


@pytest.mark.parametrize(
    ("question", "label", "name"),
    [
        ("What is the telephone number of Ada Berg?", "Phone", "phoneNo"),
        ("What is the telephone of Ada Berg?", "Phone", ""),
        ("What is the street address of Ada Berg?", "Place", "address"),
        ("What is the home address of Ada Berg?", "Place", "address"),
        ("What is the home of Ada Berg?", "Place", ""),
    ],
)
def test_other_names_of_a_kind_that_end_as_its_property_ask_for_that(
    question: str, label: str, name: str
) -> None:
    query = SemanticReader(HOMES, NAMES, SAID).read(question).query
    assert query is not None
    assert query.nodes[query.answer].label == label
    assert query.project == ((PropertyRef(query.answer, name),) if name else ())


def test_what_returns_something_else_comes_behind_unless_words_speak_for_it(evidence: Evidence) -> None:
    linked = READER.link("Which films did Ada Berg direct?")
    query = _read("Which films did Ada Berg direct?")
    nothing = evidence.intercepts * 0
    silent = Evidence(evidence.vectorisers, evidence.weights * 0, nothing, evidence.names, nothing)
    first, *others = silent.weighed(linked, (Candidate(query, 1.0, ()),), FILMS)
    assert (first.query, first.score) == (query, 1.0)
    assert others
    assert {c.score for c in others} == {1.0 - OTHERWISE}
    assert len(others) < WIDE
