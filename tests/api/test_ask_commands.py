"""`kg ask` and `kg questions` on a built graph: follow-ups, the conversation on a terminal, marks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kg.cli import app
from kg.wiring import Platform
from schemas.errors import QueryRefusedError

pytestmark = pytest.mark.neo4j
FIRST = "Which papers determine the B_s0 mean life?"


@pytest.fixture
def root(built: Platform, monkeypatch: pytest.MonkeyPatch) -> str:
    e = built.environment
    for name, value in (
        ("NEO4J_URI", e.neo4j_uri),
        ("NEO4J_USERNAME", e.neo4j_username),
        ("NEO4J_PASSWORD", e.neo4j_password),
        ("NEO4J_DATABASE", e.neo4j_database),
    ):
        monkeypatch.setenv(name, value)
    return str(built.workspace.root)


def test_a_follow_up_across_two_commands(root: str) -> None:
    runner = CliRunner()
    first = runner.invoke(app, ["ask", FIRST, "-w", root])
    assert first.exit_code == 0, first.output
    again = runner.invoke(app, ["ask", "how many?", "--follow", "-w", root, "--no-llm"])
    assert again.exit_code == 0, again.output
    assert "Read as: How many papers determine the B_s0 mean life?" in again.output
    lost = runner.invoke(app, ["ask", "and in Japan?", "--follow", "-w", root, "--json"])
    assert lost.exit_code == 3
    assert "Japan" in json.loads(lost.output)["text"]


def test_a_conversation_on_a_terminal(root: str) -> None:
    typed = f"{FIRST}\nhow many?\n{'x' * 2_001}\nexit\n"
    said = CliRunner().invoke(app, ["ask", "-i", "-w", root], input=typed)
    assert said.exit_code == 0, said.output
    assert "Read as: How many papers" in said.output
    assert "at most 2000 characters" in said.output


def test_ten_megabytes_are_no_question_and_a_long_one_is_kept_as_refused(root: str) -> None:
    """What no schema of the service takes is an error of use; a question that is too long ends as one."""
    runner = CliRunner()

    def kept() -> list[dict[str, object]]:
        listed = runner.invoke(app, ["questions", "-w", root, "--json", "--limit", "1000"])
        rows: list[dict[str, object]] = json.loads(listed.output)
        return rows

    before = len(kept())
    said = runner.invoke(app, ["ask", "-i", "-w", root], input="Which papers? " * 750_000 + "\nexit\n")
    assert said.exit_code == 0
    assert "expected a question of at most 2000 characters, found 10500000" in said.output
    assert len(kept()) == before
    long = ("Which papers determine phi_s? " * 60).strip()
    refused = runner.invoke(app, ["ask", long, "-w", root, "--no-llm", "--json"])
    answer = json.loads(refused.output)
    assert (answer["outcome"], answer["rows"]) == ("refused", [])
    assert answer["text"].startswith("A question may have 500 characters; this one is longer.")
    rows = kept()
    assert len(rows) == before + 1
    assert (rows[0]["question"], rows[0]["outcome"]) == (long, "refused")


def test_questions_are_listed_shown_marked_and_written(root: str, tmp_path: Path) -> None:
    runner = CliRunner()
    assert runner.invoke(app, ["ask", FIRST, "-w", root]).exit_code == 0
    listed = runner.invoke(app, ["questions", "-w", root, "--json", "--outcome", "answered"])
    rows = json.loads(listed.output)
    number = str(rows[0]["number"])
    assert rows[0]["question"] == FIRST
    shown = runner.invoke(app, ["questions", "show", number, "-w", root])
    assert "MATCH" in shown.output
    marked = runner.invoke(app, ["questions", "mark", number, "right", "--note", "by hand", "-w", root])
    assert marked.exit_code == 0, marked.output
    assert (
        json.loads(runner.invoke(app, ["questions", "show", number, "-w", root, "--json"]).output)["note"]
        == "by hand"
    )
    file = tmp_path / "labels.jsonl"
    assert runner.invoke(app, ["questions", "labels", str(file), "-w", root]).exit_code == 0
    labels = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert {"question", "features", "right"} <= set(labels[-1])
    assert any(x["question"] == FIRST and x["right"] for x in labels)
    assert runner.invoke(app, ["questions", "-w", root]).exit_code == 0


def test_an_answer_marked_wrong_is_not_given_again_until_the_mark_is_taken_back(root: str) -> None:
    runner, question = CliRunner(), "How many papers determine the B_s0 mean life?"
    first = runner.invoke(app, ["ask", question, "-w", root, "--json"])
    number = str(json.loads(first.output)["number"])
    runner.invoke(app, ["questions", "mark", number, "wrong", "--note", "counts twice", "-w", root])
    again = runner.invoke(app, ["ask", question, "-w", root])
    assert again.exit_code == 3
    assert "counts twice" in " ".join(again.output.split())
    taken = runner.invoke(app, ["questions", "unmark", number, "-w", root])
    assert taken.output.strip() == f"{number}: not marked"
    assert runner.invoke(app, ["ask", question, "-w", root]).exit_code == 0
    nothing = runner.invoke(app, ["questions", "unmark", number, "-w", root])
    assert nothing.exit_code == 1
    assert "is not marked" in str(nothing.exception)


def test_a_correction_is_kept_with_names_as_they_are_stored(root: str) -> None:
    runner, question = CliRunner(), "Who adores the B_s0 mean life?"
    first = runner.invoke(app, ["ask", question, "-w", root, "--json"])
    number = str(json.loads(first.output)["number"])
    query = "MATCH (p:Paper)-[:DETERMINES]->(:Observable {name: 'b_s0 mean LIFE'}) RETURN p.name AS paper"
    corrected = runner.invoke(app, ["questions", "correct", number, query, "-w", root])
    assert corrected.exit_code == 0, corrected.output
    again = json.loads(runner.invoke(app, ["ask", question, "-w", root, "--json"]).output)
    assert (again["outcome"], again["shape"]) == ("answered", "corrected")
    assert again["rows"]
    assert "B_s0 mean life" in again["parameters"].values()
    runner.invoke(app, ["questions", "unmark", number, "-w", root])


def test_a_corrected_question_is_answered_by_the_query_given_for_it(root: str) -> None:
    runner, question = CliRunner(), "Who fancies the B_s0 mean life?"
    first = runner.invoke(app, ["ask", question, "-w", root, "--json"])
    assert first.exit_code == 3
    number = str(json.loads(first.output)["number"])
    refused = runner.invoke(app, ["questions", "correct", number, "MATCH (n) DETACH DELETE n", "-w", root])
    assert isinstance(refused.exception, QueryRefusedError)
    assert runner.invoke(app, ["ask", question, "-w", root]).exit_code == 3
    query = "MATCH (p:Paper)-[:DETERMINES]->(:Observable {name: 'B_s0 mean life'}) RETURN p.name AS paper"
    corrected = runner.invoke(app, ["questions", "correct", number, query, "--by", "Ann", "-w", root])
    assert corrected.exit_code == 0, corrected.output
    assert corrected.output.startswith(f"{number}: corrected; the query finds")
    again = json.loads(runner.invoke(app, ["ask", question, "-w", root, "--json"]).output)
    assert (again["outcome"], again["shape"], again["confidence"]) == ("answered", "corrected", 0.99)
    assert again["rows"]
    assert len(again["citations"]) >= len(again["rows"])
    assert again["explanation"].startswith("The query that Ann gave on 2")
    assert again["explanation"].endswith(f" for question {number}.")
    shown = runner.invoke(app, ["questions", "show", number, "-w", root]).output
    assert "corrected to" in shown
    runner.invoke(app, ["questions", "mark", number, "right", "--by", "Bob", "-w", root])
    shown = " ".join(runner.invoke(app, ["questions", "show", number, "-w", root]).output.split())
    assert "not in use, as the answer was marked right since" in shown
    taken = runner.invoke(app, ["questions", "unmark", number, "-w", root])
    assert taken.output.strip() == f"{number}: wrong by Ann again, with the query given for it"
    runner.invoke(app, ["questions", "unmark", number, "-w", root])
    assert runner.invoke(app, ["ask", question, "-w", root]).exit_code == 3
