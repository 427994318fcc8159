"""`kg ask --store --llm`: a chat model's queries to another graph, on a scripted server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.testing

from kg.adapters.neo4j_connection import connect
from kg.adapters.neo4j_introspection import infer_schema
from kg.adapters.scripted_chat_server import ScriptedChatServer, ScriptedReply, ScriptedRequest
from kg.cli import app
from kg.commands.schema_infer import Form, schema_text
from kg.ledger import Ledger
from kg.neo4j_server import Neo4jEndpoint
from kg.question_log import QuestionLog
from kg.workspace import Workspace
from schemas.errors import SettingsError, UsageError
from schemas.questions import Answer, Outcome

pytestmark = pytest.mark.neo4j
GRAPH = """
CREATE (a:Grower {fullName: 'Ida Falk', secret: [x IN range(1, 384) | x * 0.1]}),
       (b:Grower {fullName: 'Olle Berg'}), (c:Orchard {label: 'North Slope'}),
       (d:Orchard {label: 'Mill Field'}), (e:Orchard {label: 'High Croft'}),
       (a)-[:TENDS]->(c), (a)-[:OWNS]->(e), (b)-[:TENDS]->(d), (b)-[:OWNS]->(c)
"""
ASKED = "Would there be any, if so: which orchards does Ida Falk tend?"
"""A wording that the parser abstains from, and that asks for nothing more."""
NEAR = "Orchards of Ida Falk"
"""Tended, or owned."""


def query(text: str, name: str = "Ida Falk", **more: Any) -> str:
    return json.dumps(
        {
            "explanation": "Orchards that belong to the grower.",
            "answerable": True,
            "readings": [],
            "query": text,
            "parameters": [{"name": "n", "value": name}],
            **more,
        }
    )


TENDED = query("MATCH (g:Grower {fullName: $n})-[:TENDS]->(o:Orchard) RETURN o.label AS orchard")
OWNED = query("MATCH (g:Grower {fullName: $n})-[:OWNS]->(o:Orchard) RETURN o.label AS orchard")


class Model:
    """What the server says; a test sets it."""

    def __init__(self) -> None:
        self.says = TENDED
        self.asked: list[str] = []

    def __call__(self, request: ScriptedRequest) -> ScriptedReply:
        self.asked.append(request.messages[1][1])
        return ScriptedReply(self.says)


@pytest.fixture(scope="module")
def options(neo4j_endpoint: Neo4jEndpoint, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    e = neo4j_endpoint
    file = tmp_path_factory.mktemp("store") / "orchard.yaml"
    with connect(e.uri, e.username, e.password, database=e.database) as connection:
        connection.write(GRAPH)
        file.write_text(schema_text(infer_schema(connection), Form.YAML), "utf-8")
    return ["--store", e.uri, "--store-schema", str(file), "--store-user", e.username]


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def workspace(tmp_path: Path, model: Model) -> Iterator[Workspace]:
    found = Workspace.create(tmp_path / "ws", schema="particle_physics")
    settings = found.root / "kg.toml"
    with ScriptedChatServer(model) as server:
        chat = f'\n[chat]\nbase_url = "{server.base_url}"\nmodel = "scripted"\nmax_retries = 0\n'
        more = "\n[answers]\nqueries = true\nprose = true\n"
        settings.write_text(settings.read_text("utf-8") + chat + more, "utf-8")
        yield Workspace(found.root)


@pytest.fixture
def kg(
    neo4j_endpoint: Neo4jEndpoint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, user_cache: Path
) -> typer.testing.CliRunner:
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_endpoint.password)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return typer.testing.CliRunner()


def ask(kg: typer.testing.CliRunner, question: str, *more: str) -> Answer:
    done = kg.invoke(app, ["ask", question, *more, "--timeout", "60", "--json"])
    assert done.exit_code in (0, 3), done.output
    return Answer.model_validate_json(done.stdout)


def test_agreeing_queries_answer_and_are_kept(
    kg: typer.testing.CliRunner, options: list[str], workspace: Workspace, model: Model
) -> None:
    answer = ask(kg, ASKED, *options, "-w", str(workspace.root), "--llm")
    assert (answer.outcome, answer.rows) == (Outcome.ANSWERED, (("North Slope",),))
    assert answer.model_use is not None
    assert answer.model_use.decided
    assert answer.explanation.endswith("Orchards that belong to the grower.")
    assert (answer.citations, answer.row_citations) == ((), ((),))
    assert 0 < answer.confidence <= 0.7
    told = model.asked[0]
    assert "(:Grower)-[:TENDS]->(:Orchard)" in told
    assert '"Ida Falk": "Ida Falk" (Grower.fullName)' in told
    assert "secret" not in told
    assert "Olle Berg" not in told
    with Ledger(workspace.ledger_path) as ledger:
        (row,) = QuestionLog(ledger).rows()
    assert (row.outcome, row.store) == (Outcome.ANSWERED, options[1])


def test_no_model_is_asked_unless_it_is_said(
    kg: typer.testing.CliRunner, options: list[str], workspace: Workspace, model: Model
) -> None:
    answer = ask(kg, ASKED, *options, "-w", str(workspace.root))
    assert answer.outcome is Outcome.UNANSWERABLE
    assert answer.model_use is None
    assert model.asked == []


def test_queries_choose_between_two_readings(
    kg: typer.testing.CliRunner, options: list[str], workspace: Workspace, model: Model
) -> None:
    here = [*options, "-w", str(workspace.root)]
    assert ask(kg, NEAR, *here).outcome is Outcome.AMBIGUOUS
    model.says = OWNED
    answer = ask(kg, NEAR, *here, "--llm")
    assert (answer.outcome, answer.rows) == (Outcome.ANSWERED, (("High Croft",),))
    assert "OWNS" in answer.explanation
    assert "queries of the language model agree with this reading." in answer.assumptions[-1]
    drafts = model.asked[0].partition("Drafts by another program")[2]
    assert "`TENDS`" in drafts or ":TENDS" in drafts
    assert "`OWNS`" in drafts or ":OWNS" in drafts


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        (ASKED, ""),
        ("Which pears does Ida Falk tend?", 'Leaves out "pears": '),
        ("Which orchards of Ida Falk were tended by Olle Berg in spring?", 'Leaves out "spring": '),
    ],
)
def test_readings_that_were_not_taken_are_drafts(
    kg: typer.testing.CliRunner,
    options: list[str],
    workspace: Workspace,
    model: Model,
    asked: str,
    left: str,
) -> None:
    here = [*options, "-w", str(workspace.root)]
    assert ask(kg, asked, *here).outcome is Outcome.UNANSWERABLE
    ask(kg, asked, *here, "--llm")
    drafts = model.asked[0].partition("Drafts by another program")[2].splitlines()[1:]
    assert drafts[0].startswith(left), drafts
    assert drafts[1].startswith("Query: MATCH"), drafts
    assert "Ida Falk" in drafts[2]


@pytest.mark.parametrize(
    "said",
    [
        query("MATCH (g:Grower {fullName: $n}) DETACH DELETE g"),
        query("MATCH (g:Grower {fullName: $n})-[:TENDS]->(o:Orchard) RETURN o.label, g.secret"),
        query("MATCH (g:Grower)-[:TENDS]->(o:Orchard) RETURN o.label", parameters=[]),
        query("MATCH (g:Grower {fullName: $n})-[:TENDS]->(o:Orchard) RETURN o.label", name="Olle Berg"),
        json.dumps({"explanation": "no", "answerable": False, "query": ""}),
        "no query at all",
    ],
    ids=["writes", "hidden", "leaves out the name", "another name", "declines", "broken"],
)
def test_useless_replies_leave_the_answer_as_it_was(
    kg: typer.testing.CliRunner, options: list[str], workspace: Workspace, model: Model, said: str
) -> None:
    model.says = said
    answer = ask(kg, ASKED, *options, "-w", str(workspace.root), "--llm")
    assert (answer.outcome, answer.rows) == (Outcome.UNANSWERABLE, ())
    assert answer.model_use is not None
    assert not answer.model_use.decided
    assert answer.model_use.note
    assert ask(kg, "How many growers are there?", *options).rows == ((2,),)


def test_examples_of_the_store_are_in_the_prompt(
    kg: typer.testing.CliRunner, options: list[str], workspace: Workspace, model: Model, tmp_path: Path
) -> None:
    examples = tmp_path / "examples.jsonl"
    shown = {
        "question": "Which orchards does Olle Berg tend?",
        "cypher": "MATCH (:Grower {fullName: 'Olle Berg'})-[:TENDS]->(o) RETURN o.label",
    }
    examples.write_text(json.dumps(shown) + "\n", "utf-8")
    ask(kg, ASKED, *options, "--store-examples", str(examples), "-w", str(workspace.root), "--llm")
    told = model.asked[0].partition("Verified examples:")[2].partition("Drafts by another")[0]
    assert shown["question"] in told
    assert shown["cypher"] in told


def test_a_model_that_is_asked_for_must_be_there(
    kg: typer.testing.CliRunner, options: list[str], tmp_path: Path
) -> None:
    nowhere = kg.invoke(app, ["ask", ASKED, *options, "--llm"])
    assert isinstance(nowhere.exception, UsageError)
    assert "expected a workspace (-w) with --llm" in str(nowhere.exception)
    plain = Workspace.create(tmp_path / "plain", schema="particle_physics")
    without = kg.invoke(app, ["ask", ASKED, *options, "--llm", "-w", str(plain.root)])
    assert isinstance(without.exception, SettingsError)
    assert "no [chat]" in str(without.exception)
