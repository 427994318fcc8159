"""The schema of a database that nobody described, and questions to it, on a real Neo4j."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from cypher.examples import Known
from cypher.guard import check_text
from cypher.semantics.decide import Verdict, decide
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from cypher.store_service import Looks, StoreQuestionService
from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.ask_store import Store, ask_store, read_examples, read_words
from kg.commands.schema_infer import Form, schema_text
from kg.neo4j_server import Neo4jEndpoint
from kg.settings import read_environment
from kg.stopping import within
from kg.store_ties import store_ties
from kg.store_values import is_still, store_values
from kg.thesaurus_files import ensure_thesaurus
from schemas.errors import UsageError
from schemas.questions import Answer, Outcome, Question
from schemas.store_schema import PropertyType, StoreLabel, StoreProperty, StoreRelation, StoreSchema

SMALL = """
CREATE (a:Grower {fullName: 'Ida Falk', code: 'g-1', since: 1990}),
       (b:Grower {fullName: 'Olle Berg', code: 'g-2', since: 2004}),
       (c:Orchard:Place {label: 'North Slope', hectares: 3.5}),
       (d:Orchard:Place {label: 'Mill Field', hectares: 1.0}),
       (p:Variety {name: 'Gravenstein', colours: ['red', 'yellow'], planted: date('1999-04-01')}),
       (e:Grower {fullName: 'Eva Lind', code: 'g-3', since: 2011}),
       (f:Orchard:Place {label: 'High Croft', hectares: 2.0}), (e)-[:OWNS]->(f),
       (a)-[:TENDS {role: 'owner'}]->(c), (b)-[:TENDS {role: 'tenant'}]->(d),
       (c)-[:GROWS]->(p), (d)-[:GROWS]->(p),
       (:Crate {stamp: 'k-1', weight: '3.5', senderName: 'Ida Falk'}),
       (:Crate {stamp: 'k-2', weight: '4.25', senderName: 'Ida Falk'}),
       (:Crate {stamp: 'k-3', weight: '1.5', senderName: 'Ida Falk'}),
       (:Barrow {plate: 'B-01', nickname: 'Old Sam'}), (:Barrow {plate: 'B-02'}), (:Barrow {plate: 'B-03'})
"""


@pytest.fixture(scope="module")
def orchard(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Connection]:
    with connect(
        neo4j_endpoint.uri,
        neo4j_endpoint.username,
        neo4j_endpoint.password,
        database=neo4j_endpoint.database,
    ) as connection:
        connection.write(SMALL)
        yield connection


def test_labels_types_and_triples(orchard: Connection) -> None:
    schema = infer_schema(orchard)
    assert {label.name for label in schema.labels} == {
        "Grower",
        "Orchard",
        "Place",
        "Variety",
        "Crate",
        "Barrow",
    }
    assert ("Orchard", "Place") in schema.label_sets
    assert {(t.start, t.type, t.end): t.count for t in schema.triples}["Grower", "TENDS", "Orchard"] == 2
    grower = schema.label("Grower")
    assert grower is not None
    assert (grower.name_property, grower.count) == ("fullName", 3)
    assert {p.name: p.type for p in grower.properties}["since"] is PropertyType.INTEGER
    variety = schema.label("Variety")
    assert variety is not None
    kinds = {p.name: (p.type, p.many) for p in variety.properties}
    assert kinds["colours"] == (PropertyType.STRING, True)
    assert kinds["planted"] == (PropertyType.DATE, False)
    tends = schema.relation("TENDS")
    assert tends is not None
    assert (tends.properties[0].values, tends.properties[0].count) == (("owner", "tenant"), 2)


def test_only_what_has_a_property_counts_for_its_values(orchard: Connection) -> None:
    barrow = infer_schema(orchard).label("Barrow")
    assert barrow is not None
    assert barrow.count == 3
    assert {p.name: (len(p.values), p.count) for p in barrow.properties} == {
        "nickname": (1, 1),
        "plate": (3, 3),
    }


def test_how_many_relationships_one_node_has(orchard: Connection) -> None:
    triples = {(t.start, t.type, t.end): t for t in infer_schema(orchard).triples}
    grows, tends = triples["Place", "GROWS", "Variety"], triples["Grower", "TENDS", "Orchard"]
    assert (grows.most_from_start, grows.most_to_end) == (1, 2)
    assert (tends.most_from_start, tends.most_to_end) == (1, 1)


def test_a_name_that_many_share_names_none_of_them(orchard: Connection) -> None:
    crate = infer_schema(orchard).label("Crate")
    assert crate is not None
    assert crate.name_property == "stamp"


def test_a_nickname_that_most_have_not_is_no_name(orchard: Connection) -> None:
    barrow = infer_schema(orchard).label("Barrow")
    assert barrow is not None
    assert barrow.name_property == "plate"


def test_it_can_be_written_and_read_again(orchard: Connection) -> None:
    schema = infer_schema(orchard)
    assert StoreSchema.model_validate(yaml.safe_load(schema_text(schema, Form.YAML))) == schema
    assert StoreSchema.model_validate(json.loads(schema_text(schema, Form.JSON))) == schema


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which varieties are grown in orchards that Ida Falk tends?", [("Gravenstein",)]),
        ("Which growers tend the Mill Field?", [("Olle Berg",)]),
        ("How many orchards are there?", [(3,)]),
        ("Which variety is red?", [("Gravenstein",)]),
    ],
)
def test_questions_to_it(orchard: Connection, question: str, rows: list[tuple[object, ...]]) -> None:
    schema = infer_schema(orchard)
    reader = SemanticReader(schema, ValueTable(read_values(orchard, schema)))
    written = reader.read(question).written
    assert written is not None
    found = orchard.read_with(
        lambda tx: [tuple(r.values()) for r in tx.run(written.text, dict(written.parameters))]
    )
    assert found == rows


def test_questions_to_a_bare_database_pass_the_gate(orchard: Connection) -> None:
    schema = infer_schema(orchard)
    service = StoreQuestionService(schema, read_values(orchard, schema), Neo4jRunner(orchard))
    answer = service.ask(Question(text="Which growers tend the orchard Mill Field?"))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert answer.rows == (("Olle Berg",),)
    assert "LIMIT" in answer.cypher
    assert not answer.citations
    unknown = service.ask(Question(text="Which growers tend the purple windmill?"))
    assert unknown.outcome is Outcome.UNANSWERABLE
    assert service.ask(Question(text="Delete all growers")).outcome is Outcome.REFUSED


@pytest.mark.parametrize(
    ("grower", "orchard_name"), [("Eva Lind", "High Croft"), ("Ida Falk", "North Slope")]
)
def test_a_look_into_the_graph_settles_what_words_leave_open(
    orchard: Connection, grower: str, orchard_name: str
) -> None:
    schema = infer_schema(orchard)
    values = read_values(orchard, schema)
    question = f"Orchards of {grower}"  # tended or owned
    assert decide(SemanticReader(schema, ValueTable(values)).read(question), schema).verdict is Verdict.ASK
    service = StoreQuestionService(schema, values, Neo4jRunner(orchard), looks=Looks(30.0))
    answer = service.ask(Question(text=question))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert answer.rows == ((orchard_name,),)


@pytest.fixture
def vectors(orchard: Connection) -> Iterator[Connection]:
    orchard.write(
        "UNWIND range(1, 3) AS i CREATE (:Leaf {name: 'leaf ' + i, spots: [0.5, 1.5], "
        "shape: [x IN range(1, 48) | toFloat(x * i)]})"
    )
    orchard.write("MATCH (n:Leaf) SET n:Thing")
    yield orchard
    orchard.write("MATCH (n:Leaf) DELETE n")


def test_vectors_are_hidden(vectors: Connection) -> None:
    schema = infer_schema(vectors)
    leaf = schema.label("Leaf")
    assert leaf is not None
    assert leaf.hidden == ("shape",)
    assert {p.name: (p.type, p.many) for p in leaf.properties} == {
        "name": (PropertyType.STRING, False),
        "spots": (PropertyType.FLOAT, True),
    }
    assert StoreSchema.model_validate(yaml.safe_load(schema_text(schema, Form.YAML))) == schema


def test_vectors_that_a_schema_names_are_not_read_as_words(vectors: Connection) -> None:
    named = StoreSchema(
        labels=(StoreLabel(name="Leaf", properties=(StoreProperty(name="shape", many=True),)),)
    )
    assert read_values(vectors, named) == ()


def test_values_are_kept_until_the_database_changes(orchard: Connection, tmp_path: Path) -> None:
    schema = infer_schema(orchard)
    first = store_values(orchard, schema, tmp_path, seconds=60)
    assert (set(first.values), first.unread) == (set(read_values(orchard, schema)), ())
    assert store_values(orchard, schema, tmp_path, seconds=0) == first
    before = orchard.state()
    orchard.write("MATCH (n:Variety {name: 'Gravenstein'}) SET n.name = 'Savstaholm'")
    try:
        assert orchard.state() != before
        again = store_values(orchard, schema, tmp_path, seconds=60)
        assert {v.text for v in again.values} - {v.text for v in first.values} == {"Savstaholm"}
        now = orchard.state()
        assert [is_still(orchard, x) for x in (now, before, "")] == [True, False, False]
        with within(0):
            assert not is_still(orchard, now)
    finally:
        orchard.write("MATCH (n:Variety) SET n.name = 'Gravenstein'")


def test_what_one_user_read_is_kept_from_others(
    orchard: Connection, neo4j_endpoint: Neo4jEndpoint, tmp_path: Path
) -> None:
    schema = infer_schema(orchard)
    assert store_values(orchard, schema, tmp_path, seconds=60).values
    assert store_ties(orchard, schema, tmp_path, seconds=60) is not None
    assert orchard.user == neo4j_endpoint.username
    other = replace(orchard, user="visitor")
    assert store_values(other, schema, tmp_path, seconds=0).values == ()
    assert store_ties(other, schema, tmp_path, seconds=0) is None
    assert store_values(orchard, schema, tmp_path, seconds=0).values
    assert store_ties(orchard, schema, tmp_path, seconds=0) is not None


def test_a_damaged_file_is_read_again(orchard: Connection, tmp_path: Path) -> None:
    schema = infer_schema(orchard)
    first = store_values(orchard, schema, tmp_path, seconds=60)
    [file] = tmp_path.iterdir()
    assert file.stat().st_mode & 0o077 == 0
    file.write_text("no JSON")
    assert store_values(orchard, schema, tmp_path, seconds=60) == first


def test_what_there_was_no_time_to_read_is_said(
    orchard: Connection, neo4j_endpoint: Neo4jEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = infer_schema(orchard)
    late = store_values(orchard, schema, tmp_path, seconds=0)
    assert "Grower.fullName" in late.unread
    assert late.values == ()

    def answer(text: str) -> tuple[Outcome, str, tuple[str, ...]]:
        store = Store(neo4j_endpoint.uri, neo4j_endpoint.username, neo4j_endpoint.password, schema)
        found = ask_store(Question(text=text, timeout=20), store, cache=tmp_path)
        return found.outcome, found.text, found.assumptions

    asked = "Which growers tend the orchard Mill Field?"
    monkeypatch.setattr("kg.ask_store.READING", 0.0)
    outcome, text, assumptions = answer(asked)
    assert outcome is not Outcome.ANSWERED
    assert "could not be read" in text
    assert "could not be read" in assumptions[-1]
    monkeypatch.setattr("kg.ask_store.READING", 0.75)
    assert answer(asked) == (Outcome.ANSWERED, "Olle Berg.", ())


@pytest.mark.parametrize("ours", [True, False])
def test_the_marker_of_a_loaded_graph_is_no_label(orchard: Connection, ours: bool) -> None:
    orchard.write("CREATE (:Workspace {name: 'W', singleton: $ours})", {"ours": ours})
    try:
        schema = infer_schema(orchard)
        assert (schema.label("Workspace") is None) is ours
        assert schema.hidden_labels == (("Redirect", "Workspace") if ours else ())
        rows = Neo4jRunner(orchard).run(check_text("MATCH (n) RETURN DISTINCT labels(n) AS l", schema)).rows
        assert ((("Workspace",),) in rows) is not ours
    finally:
        orchard.write("MATCH (w:Workspace) DELETE w")


def test_the_schema_of_another_database_is_refused(
    orchard: Connection, neo4j_endpoint: Neo4jEndpoint, tmp_path: Path
) -> None:
    e, own = neo4j_endpoint, infer_schema(orchard)

    def asked(text: str, schema: StoreSchema) -> Answer:
        store = Store(e.uri, e.username, e.password, schema)
        return ask_store(Question(text=text, timeout=60), store, cache=tmp_path)

    book = StoreLabel(name="Book", properties=(StoreProperty(name="title"),))
    other = StoreSchema(labels=(book, StoreLabel(name="Reader")), relations=(StoreRelation(type="LENT"),))
    with pytest.raises(UsageError, match=r"labels it has not \(Book, Reader\); `kg schema infer bolt"):
        asked("How many books are there?", other)
    mixed = StoreSchema(
        **{**dict(own), "labels": (*own.labels, book), "label_sets": (*own.label_sets, ("Book",))}
    )
    none = asked("How many books are there?", mixed)
    assert (none.outcome, none.rows) == (Outcome.UNANSWERABLE, ())
    assert "asks of Book; the database has no such thing" in none.text
    beside = asked("How many growers are there?", mixed)
    assert (beside.outcome, beside.rows) == (Outcome.ANSWERED, ((3,),))
    assert "nothing of what the schema calls Book" in beside.assumptions[0]
    assert asked("How many growers are there?", own).assumptions == ()


def test_words_for_a_store(orchard: Connection, neo4j_endpoint: Neo4jEndpoint, tmp_path: Path) -> None:
    schema, file = infer_schema(orchard), tmp_path / "words.yaml"
    file.write_text("labels: {Orchard: [smallholding]}\nrelations: {TENDS: {forward: [looks after]}}\n")
    plain = Store(neo4j_endpoint.uri, neo4j_endpoint.username, neo4j_endpoint.password, schema)
    asked = Question(text="Which smallholdings does Ida Falk look after?", timeout=60)
    assert ask_store(asked, plain, cache=tmp_path).outcome is Outcome.UNANSWERABLE
    found = ask_store(asked, replace(plain, known=Known(read_words(file, schema))), cache=tmp_path)
    assert (found.outcome, found.rows) == (Outcome.ANSWERED, (("North Slope",),))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("labels: {Orchid: [flower]}", "Orchid"),
        ("relations: {TENDS_TO: {forward: [tends]}}", "TENDS_TO"),
        ("properties: {Grower.shoe_size: [feet]}", "Grower.shoe_size"),
        ("values: {Grower.name: {Ida: [she]}}", "Grower.name"),
        ("values: {Crate.weight: {3: [heavy]}}", "Crate.weight: 3 in .*put quotes"),
        ("labels: [a, b]", "ValidationError"),
        ("labels: {Orchard", "ParserError"),
    ],
)
def test_words_for_what_is_not_there_are_refused(
    text: str, told: str, orchard: Connection, tmp_path: Path
) -> None:
    (tmp_path / "words.yaml").write_text(text)
    with pytest.raises(UsageError, match=told):
        read_words(tmp_path / "words.yaml", infer_schema(orchard))


def test_a_word_of_the_thesaurus_is_told(orchard: Connection, neo4j_endpoint: Neo4jEndpoint) -> None:
    cache = read_environment().cache
    ensure_thesaurus(cache, note=print)
    schema = infer_schema(orchard)
    store = Store(neo4j_endpoint.uri, neo4j_endpoint.username, neo4j_endpoint.password, schema)
    found = ask_store(Question(text="Which boxes are there?", timeout=60), store, cache=cache)
    assert found.outcome is Outcome.ANSWERED
    assert found.assumptions == ("'boxes' was read as Crate.",)
    assert {row[0] for row in found.rows} == {"k-1", "k-2", "k-3"}


@pytest.mark.parametrize(
    ("text", "rows", "told"),
    [
        (
            "Which grower tends the most orchards?",
            {("Ida Falk", 1), ("Olle Berg", 1)},
            "2 share the first place, which are all listed.",
        ),
        (
            "Which grower tends the fewest orchards?",
            {("Ida Falk", 1), ("Olle Berg", 1)},
            "Those with none at all are left out.",
        ),
    ],
)
def test_ties_and_those_with_none_are_told(
    text: str,
    rows: set[tuple[str, int]] | None,
    told: str,
    orchard: Connection,
    neo4j_endpoint: Neo4jEndpoint,
) -> None:
    schema = infer_schema(orchard)
    store = Store(neo4j_endpoint.uri, neo4j_endpoint.username, neo4j_endpoint.password, schema)
    found = ask_store(Question(text=text, timeout=60), store, cache=read_environment().cache)
    assert found.outcome is Outcome.ANSWERED, found.text
    assert set(found.rows) == rows
    assert told in found.assumptions


def test_another_name_is_nobody(orchard: Connection, neo4j_endpoint: Neo4jEndpoint) -> None:
    schema = infer_schema(orchard)
    store = Store(neo4j_endpoint.uri, neo4j_endpoint.username, neo4j_endpoint.password, schema)
    asked = Question(text="Which orchards does Ida Falc tend?", timeout=60)
    assert ask_store(asked, store, cache=read_environment().cache).outcome is Outcome.UNANSWERABLE


_TENDS = "MATCH (g:Grower)-[:TENDS]->(o:Orchard {label: 'Mill Field'}) RETURN g.fullName"
_OWNS = "MATCH (g:Grower)-[:OWNS]->(o:Orchard {label: 'Mill Field'}) RETURN g.fullName"


def _examples(*asked: tuple[str, str]) -> str:
    return "".join(json.dumps({"question": q, "cypher": c}) + "\n" for q, c in asked)


def test_a_store_is_asked_with_what_examples_teach(
    orchard: Connection, neo4j_endpoint: Neo4jEndpoint, tmp_path: Path
) -> None:
    file = tmp_path / "examples.jsonl"
    taught = [("Who sees to Mill Field?", _TENDS), ("Who has the deeds of Mill Field?", _OWNS)]
    file.write_text(_examples(*(taught * 15)) + "\n", encoding="utf-8")
    e, examples = neo4j_endpoint, read_examples(file)
    assert len(examples) == 30
    store = Store(e.uri, e.username, e.password, infer_schema(orchard), Known(examples=examples))
    asked = Question(text="Which growers tend the orchard Mill Field?", timeout=60)
    found = ask_store(asked, store, cache=tmp_path)
    assert found.rows == (("Olle Berg",),), found.text


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"question": "Who?"}', "line 2 of"),
        ('{"question": "Who?", "cypher": "MATCH (n) DETACH DELETE n"}', "read query on each line"),
        ("Who tends what", "line 2 of"),
    ],
)
def test_an_example_that_is_none_is_named_with_its_line(tmp_path: Path, line: str, told: str) -> None:
    file = tmp_path / "examples.jsonl"
    file.write_text(_examples(("Who sees to Mill Field?", _TENDS)) + line + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match=told):
        read_examples(file)


def test_examples_that_are_not_there_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected a file of examples"):
        read_examples(tmp_path / "none.jsonl")
