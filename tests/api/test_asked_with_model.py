"""Questions to the own graph with a chat model on a scripted server, over the wiring that `kg ask` has."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from kg.adapters.neo4j_runner import Neo4jRunner
from kg.adapters.scripted_chat_server import ScriptedChatServer, ScriptedReply, ScriptedRequest
from kg.correcting import correct
from kg.progress import SilentProgress
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.questions import CheckedQuery, Outcome, PlanSummary, Question

ASKED = "Would there be any, if so: how many papers determine the B_s0 mean life?"
QUERY = "MATCH (p:Paper)-[:DETERMINES]->(:Observable {name: $n}) RETURN count(p) AS number"


class Model:
    """What the server says; a test reads what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, request: ScriptedRequest) -> ScriptedReply:
        self.asked.append(request.messages[1][1])
        said = {
            "explanation": "It counts.",
            "answerable": True,
            "readings": [],
            "query": QUERY,
            "parameters": [{"name": "n", "value": "B_s0 mean life"}],
        }
        return ScriptedReply(json.dumps(said))


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def platform(built: Platform, model: Model) -> Iterator[Platform]:
    """The built workspace with a chat model that may write queries."""
    settings = built.workspace.root / "kg.toml"
    before = settings.read_text("utf-8")
    with ScriptedChatServer(model) as server:
        chat = f'\n[chat]\nbase_url = "{server.base_url}"\nmodel = "scripted"\nmax_retries = 0\n'
        settings.write_text(before + chat + "\n[answers]\nqueries = true\n", "utf-8")
        try:
            again = Workspace(built.workspace.root)
            with open_platform(again, SilentProgress(), environment=built.environment) as opened:
                yield opened
        finally:
            settings.write_text(before, "utf-8")


@pytest.fixture
def explained(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts of the queries that the server is asked to explain."""
    texts: list[str] = []
    explain = Neo4jRunner.explain

    def counting(self: Neo4jRunner, query: CheckedQuery) -> PlanSummary:
        texts.append(query.text)
        return explain(self, query)

    monkeypatch.setattr(Neo4jRunner, "explain", counting)
    return texts


def test_a_model_s_query_is_explained_each_time(
    platform: Platform, model: Model, explained: list[str]
) -> None:
    for asked in range(1, 3):
        answer = platform.ask(Question(text=ASKED))
        assert (answer.outcome, answer.shape) == (Outcome.ANSWERED, "model")
        assert explained.count(answer.cypher) >= 3 * asked
    assert model.asked


def test_a_reviewer_s_query_is_explained_each_time(platform: Platform, explained: list[str]) -> None:
    question = Question(text="Who cherishes the B_s0 mean life?", use_llm=False)
    number = platform.ask(question).number
    query = "MATCH (p:Paper)-[:DETERMINES]->(:Observable {name: 'B_s0 mean life'}) RETURN p.name AS paper"
    correct(platform, number, query)
    explained.clear()
    for asked in range(1, 3):
        answer = platform.ask(question)
        assert answer.shape == "corrected"
        assert explained.count(answer.cypher) == asked
    platform.question_log.unmark(number)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            "Would there be any, if so: which papers determine the B_s0 mean life?",
            'Leaves out "Would", "if": Lists papers.',
        ),
        ("Which papers from Japan determine the B_s0 mean life?", 'Leaves out "Japan": Lists papers.'),
        ("Which three papers are the newest?", 'Leaves out "three": Lists papers of the latest year.'),
    ],
)
def test_what_could_be_read_is_a_draft_of_an_unread_question(
    platform: Platform, model: Model, asked: str, said: str
) -> None:
    before = platform.ask(Question(text=asked, use_llm=False))
    assert before.outcome is Outcome.UNANSWERABLE
    platform.ask(Question(text=asked))
    drafts = model.asked[0].partition("Drafts by another program")[2]
    assert drafts.splitlines()[1].startswith(said)
    assert drafts.splitlines()[2].startswith("Query: MATCH (n0:`Entity`:`Paper`)")
    assert 1 <= drafts.count("\nQuery: ") <= 3


def test_a_question_of_which_nothing_is_known_has_no_draft(platform: Platform, model: Model) -> None:
    platform.ask(Question(text="Who won the match?"))
    assert model.asked[0].partition("Drafts by another program")[2].splitlines()[1] == "(none)"
