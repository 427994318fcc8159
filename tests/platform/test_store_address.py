"""One address for each store, however it is spelled, and marks that hold under every spelling."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.ledger import Ledger
from kg.question_log import QuestionLog
from kg.question_rows import Verdict
from kg.store_address import address, spell_alike
from schemas.questions import Answer, Outcome, Question


@pytest.mark.parametrize(
    "uri",
    [
        "bolt://localhost:7687",
        "bolt://localhost",
        "BOLT://LocalHost:7687/",
        "neo4j://localhost",
        "neo4j+s://localhost:7687?policy=a@b",
        "bolt+ssc://localhost/?x=a@b",
        "bolt://ann:sec@ret@localhost",
        "bolt://ann:sec/ret@localhost/#a@b",
    ],
)
def test_spellings_of_one_store_are_one_address(uri: str) -> None:
    assert address(uri) == "bolt://localhost:7687"


def test_other_hosts_ports_and_databases_are_other_stores() -> None:
    spelled = ("bolt://a", "bolt://b", "bolt://a:7688", "bolt://[::1]", "bolt://[::1]:7688")
    assert len({address(u, d) for u in spelled for d in ("neo4j", "old")}) == 2 * len(spelled)
    assert address("neo4j://a", "old") == "bolt://a:7687/old"


@pytest.mark.parametrize(
    ("name", "place"), [("Movies", "/movies"), ("movies", "/movies"), ("Neo4j", ""), ("NEO4J", "")]
)
def test_letter_case_of_a_database_says_nothing(name: str, place: str) -> None:
    assert address("neo4j://a", name) == f"bolt://a:7687{place}"


@pytest.mark.parametrize(
    "uri",
    ["bolt://u:secret@h:1", "neo4j+s://ann:secret@h/?a=secret", "ann:secret@h", "bolt://a:1@b:secret@h"],
)
def test_addresses_have_no_passwords(uri: str) -> None:
    assert "secret" not in address(uri)


def test_marks_kept_under_other_spellings_hold(tmp_path: Path) -> None:
    answer = Answer(
        outcome=Outcome.ANSWERED,
        question="Which orchards?",
        text="one",
        columns=("orchard",),
        rows=(("Mill Field",),),
        cypher="MATCH (n:Orchard) RETURN n.name",
    )
    with Ledger(tmp_path / "ledger.db") as ledger:
        for spelled in ("neo4j://LOCALHOST", "neo4j://LOCALHOST/Old", "bolt://elsewhere:7687/Neo4j"):
            log = QuestionLog(ledger, store=spelled)
            log.mark(log.add(Question(text="Which orchards?"), answer), Verdict.WRONG)
        log = QuestionLog(ledger, store=address("bolt://localhost:7687"))
        spell_alike(ledger)
        assert [r.number for r in log.reviewed()] == [1]
        assert [r.store for r in log.rows()] == [
            "bolt://elsewhere:7687",
            "bolt://localhost:7687/old",
            "bolt://localhost:7687",
        ]
        spell_alike(ledger)
        assert [r.number for r in log.reviewed()] == [1]
