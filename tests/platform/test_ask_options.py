"""What `kg ask` refuses before it asks anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from kg.cli import app
from kg.ledger import Ledger
from kg.question_log import QuestionLog
from kg.workspace import Workspace
from schemas.errors import CorpusGraphError, SettingsError, UsageError
from schemas.questions import Answer, Outcome, Question


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("NEO4J_PASSWORD", "no-store-has-this-one")
    return Workspace.create(tmp_path / "ws", schema="particle_physics")


def refusal(workspace: Workspace, *arguments: str) -> CorpusGraphError:
    found = CliRunner().invoke(app, ["ask", *arguments, "-w", str(workspace.root)]).exception
    assert isinstance(found, CorpusGraphError)
    return found


@pytest.mark.parametrize("record", ["off", "outcome"])
def test_a_follow_up_goes_on_with_no_older_question_where_none_is_kept(
    workspace: Workspace, record: str
) -> None:
    asked = Answer(
        outcome=Outcome.EMPTY_BUT_VALID, question="Which papers?", text="None.", conversation="long-ago"
    )
    with Ledger(workspace.ledger_path) as ledger:
        QuestionLog(ledger).add(Question(text=asked.question), asked)
    settings = workspace.root / "kg.toml"
    settings.write_text(f'{settings.read_text("utf-8")}[questions]\nrecord = "{record}"\n', "utf-8")
    found = refusal(workspace, "and since 2020?", "--follow")
    assert isinstance(found, UsageError)
    assert f'record = "{record}"' in str(found)
    assert "-i" in str(found)


def test_a_chat_model_that_is_asked_for_must_be_there(workspace: Workspace) -> None:
    found = refusal(workspace, "Which papers?", "--llm")
    assert isinstance(found, SettingsError)
    assert "kg.toml has no [chat]" in str(found)


@pytest.mark.parametrize("text", ["", "   ", "\t\n"])
def test_a_question_without_words_is_wrong_usage(workspace: Workspace, text: str) -> None:
    found = refusal(workspace, text)
    assert isinstance(found, UsageError)
    assert "expected a question" in str(found)
