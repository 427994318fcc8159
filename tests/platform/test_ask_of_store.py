"""`kg ask --store`: its questions in a workspace's ledger, follow-ups, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
import typer.testing

from kg.adapters.neo4j_connection import connect
from kg.adapters.neo4j_introspection import infer_schema
from kg.ask_store import Store, StoreQuestions, read_store_schema
from kg.cli import app
from kg.commands.ask_of_store import NOT_KEPT
from kg.commands.schema_infer import Form, schema_text
from kg.ledger import Ledger
from kg.neo4j_server import Neo4jEndpoint
from kg.question_log import QuestionLog
from kg.question_rows import Verdict
from kg.stopping import seconds_left
from kg.store_address import address
from kg.thesaurus_files import open_thesaurus
from kg.workspace import Workspace
from schemas.errors import CorpusGraphError, UsageError
from schemas.questions import Answer, Outcome, Question

pytestmark = pytest.mark.neo4j
GRAPH = """
CREATE (a:Grower {fullName: 'Ida Falk'}), (b:Grower {fullName: 'Olle Berg'}),
       (c:Orchard {label: 'North Slope'}), (d:Orchard {label: 'Mill Field'}),
       (e:Orchard {label: 'High Croft'}),
       (a)-[:TENDS]->(c), (a)-[:TENDS]->(e), (b)-[:TENDS]->(d)
"""


@pytest.fixture(scope="module")
def options(neo4j_endpoint: Neo4jEndpoint, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    e = neo4j_endpoint
    file = tmp_path_factory.mktemp("store") / "orchard.yaml"
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        connection.write(GRAPH)
        file.write_text(schema_text(infer_schema(connection), Form.YAML), "utf-8")
    return ["--store", e.uri, "--store-schema", str(file), "--store-user", e.username, "--timeout", "60"]


@pytest.fixture
def kg(
    neo4j_endpoint: Neo4jEndpoint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, user_cache: Path
) -> typer.testing.CliRunner:
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_endpoint.password)
    monkeypatch.setenv("KG_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return typer.testing.CliRunner()


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.create(tmp_path / "ws", schema="particle_physics")


def test_questions_go_to_the_ledger_and_are_followed(
    kg: typer.testing.CliRunner, options: list[str], workspace: Workspace
) -> None:
    here = ["-w", str(workspace.root)]
    first = kg.invoke(app, ["ask", "Which orchards does Ida Falk tend?", *options, *here, "--json"])
    assert first.exit_code == 0, first.output
    answer = Answer.model_validate_json(first.stdout)
    assert sorted(answer.rows) == [("High Croft",), ("North Slope",)]
    follow = kg.invoke(app, ["ask", "and for Olle Berg?", *options, *here, "--follow", "--json"])
    found = Answer.model_validate_json(follow.stdout)
    assert found.resolved == "Which orchards does Olle Berg tend?"
    assert found.rows == (("Mill Field",),)
    with Ledger(workspace.ledger_path) as ledger:
        rows = QuestionLog(ledger).rows()
    assert [(r.question, r.outcome, r.store) for r in rows] == [
        ("and for Olle Berg?", Outcome.ANSWERED, address(options[1])),
        ("Which orchards does Ida Falk tend?", Outcome.ANSWERED, address(options[1])),
    ]


def test_a_conversation_outside_of_a_workspace_is_kept_nowhere_and_says_so(
    kg: typer.testing.CliRunner, options: list[str], tmp_path: Path
) -> None:
    spoken = "and for Olle Berg?\n\n"
    done = kg.invoke(app, ["ask", "Which orchards does Ida Falk tend?", *options, "-i"], input=spoken)
    assert done.exit_code == 0, done.output
    assert "Read as: Which orchards does Olle Berg tend?" in done.output
    assert " ".join(done.stderr.split()).count(NOT_KEPT) == 1
    assert not list(tmp_path.rglob("ledger.db"))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--follow"], "expected a workspace (-w) with --follow"),
        (["--store-encoder", "none.safetensors"], "expected --store-examples"),
    ],
)
def test_what_cannot_be_had_is_wrong_usage(
    kg: typer.testing.CliRunner, options: list[str], more: list[str], said: str
) -> None:
    done = kg.invoke(app, ["ask", "Which orchards does Ida Falk tend?", *options, *more])
    assert isinstance(done.exception, UsageError)
    assert said in str(done.exception)


def test_a_store_s_question_is_not_followed_where_none_is_kept(
    kg: typer.testing.CliRunner, options: list[str], workspace: Workspace
) -> None:
    here = ["-w", str(workspace.root)]
    assert kg.invoke(app, ["ask", "Which orchards does Ida Falk tend?", *options, *here]).exit_code == 0
    settings = workspace.root / "kg.toml"
    settings.write_text(f'{settings.read_text("utf-8")}[questions]\nrecord = "off"\n', "utf-8")
    done = kg.invoke(app, ["ask", "and for Olle Berg?", *options, *here, "--follow"])
    assert isinstance(done.exception, UsageError)
    assert 'record = "off"' in str(done.exception)


def test_marks_on_a_store_s_answers_leave_others_alone(workspace: Workspace) -> None:
    asked = Question(text="Which orchards are there?")
    answer = Answer(
        outcome=Outcome.ANSWERED,
        question=asked.text,
        text="1.",
        rows=((1,),),
        columns=("n",),
        cypher="RETURN 1",
    )
    with Ledger(workspace.ledger_path) as ledger:
        there, own = QuestionLog(ledger, store="bolt://db:7687"), QuestionLog(ledger)
        elsewhere = QuestionLog(ledger, store="bolt://db:7688")
        number = there.add(asked, answer.model_copy(update={"conversation": "c"}))
        mine = own.add(asked, answer)
        own.correct(mine, "RETURN 2", {})
        own.mark(number, Verdict.RIGHT)
        assert own.get(number).store == "bolt://db:7687"
        assert [r.number for r in own.reviewed()] == [mine]
        assert [e.query for e in own.examples()] == ["RETURN 2"]
        assert [r.number for r in there.reviewed()] == [number]
        assert [e.query for e in there.examples()] == ["RETURN 1"]
        assert [(x.right, len(log.labels())) for log in (own, there) for x in log.labels()] == [
            (False, 1),
            (True, 1),
        ]
        every = ["bolt://db:7687", ""]
        assert [x.store for x in own.labels(of_all=True)] == every
        assert [x.store for x in elsewhere.labels(of_all=True)] == every
        assert there.corrections() == ()
        assert (elsewhere.reviewed(), elsewhere.labels(), elsewhere.examples()) == ((), (), ())
        assert (there.latest_conversation(), own.latest_conversation()) == ("c", "")
        with pytest.raises(UsageError, match="asked of bolt://db:7687"):
            own.correct(number, "RETURN 2", {})


def test_a_reading_that_was_marked_wrong_is_not_given_again(
    kg: typer.testing.CliRunner, options: list[str], workspace: Workspace
) -> None:
    here = ["-w", str(workspace.root)]
    asked = ["ask", "Which orchards does Ida Falk tend?", *options, *here, "--json"]
    first = Answer.model_validate_json(kg.invoke(app, asked).stdout)
    marked = kg.invoke(app, ["questions", "mark", str(first.number), "wrong", "--note", "sold", *here])
    assert marked.exit_code == 0, marked.output
    again = kg.invoke(app, asked)
    answer = Answer.model_validate_json(again.stdout)
    assert (again.exit_code, answer.outcome, answer.rows) == (3, Outcome.UNANSWERABLE, ())
    assert f'(question {first.number}): "sold"' in answer.text
    assert "questions correct" not in answer.text
    assert kg.invoke(app, ["questions", "unmark", str(first.number), *here]).exit_code == 0
    third = Answer.model_validate_json(kg.invoke(app, asked).stdout)
    assert (third.outcome, third.rows) == (first.outcome, first.rows)


def test_another_database_of_a_server_is_another_store(
    kg: typer.testing.CliRunner, options: list[str], tmp_path: Path
) -> None:
    asked = ["ask", "Which orchards does Ida Falk tend?", *options, "--store-database", "elsewhere"]
    assert isinstance(kg.invoke(app, asked).exception, CorpusGraphError)
    schema = read_store_schema(Path(options[3]))
    usual, other = (Store(options[1], "", "", schema, database=d) for d in ("neo4j", "elsewhere"))
    assert (usual.address, other.address) == (options[1], f"{options[1]}/elsewhere")


def test_relationships_are_read_anew_once_something_was_written(
    neo4j_endpoint: Neo4jEndpoint, options: list[str], tmp_path: Path, user_cache: Path
) -> None:
    e = neo4j_endpoint
    schema = read_store_schema(Path(options[3]))
    asked = Question(text="Which growers tend Mill Field?", timeout=60)
    with (
        connect(e.uri, e.username, e.password, database=e.database) as connection,
        open_thesaurus(user_cache) as thesaurus,
    ):
        store = Store(e.uri, e.username, e.password, schema)
        questions = StoreQuestions(connection, store, tmp_path / "kept", thesaurus)
        assert questions.ask(asked).rows == (("Olle Berg",),)
        held = questions._opened
        assert questions.ask(asked).rows == (("Olle Berg",),)
        assert questions._opened is held
        ends = "MATCH (a:Grower {fullName: 'Ida Falk'}), (d:Orchard {label: 'Mill Field'}) "
        connection.write(ends + "CREATE (a)-[:TENDS]->(d)")
        assert sorted(questions.ask(asked).rows) == [("Ida Falk",), ("Olle Berg",)]
        assert questions._opened is not held
        connection.write(ends + "MATCH (a)-[t:TENDS]->(d) DELETE t")


def test_all_reads_for_a_question_share_its_time(
    neo4j_endpoint: Neo4jEndpoint, options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    e = neo4j_endpoint
    left: list[tuple[str, float | None]] = []

    def noted(owner: str, name: str) -> None:
        real = getattr(resolve_name(owner), name)

        def noting(*args: Any, **more: Any) -> Any:
            left.append((name, seconds_left()))
            return real(*args, **more)

        monkeypatch.setattr(f"{owner}.{name}", noting)

    noted("kg.ask_store", "missing_names")
    noted("kg.ask_store", "store_values")
    noted("kg.ask_store", "store_ties")
    noted("kg.adapters.neo4j_connection.Connection", "state")
    noted("kg.adapters.neo4j_runner.Neo4jRunner", "explain")
    noted("kg.adapters.neo4j_runner.Neo4jRunner", "run")
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        store = Store(e.uri, e.username, e.password, read_store_schema(Path(options[3])))
        questions = StoreQuestions(connection, store, tmp_path / "kept", None)
        asked = Question(text="Which growers tend Mill Field?", timeout=60)
        assert questions.ask(asked).rows == (("Olle Berg",),)
        questions.hints(asked)
    assert {name for name, _ in left} == {
        "missing_names",
        "store_values",
        "store_ties",
        "state",
        "explain",
        "run",
    }
    assert all(seconds is not None and 0 < seconds <= 60 for _, seconds in left), left
