"""Merges on the command line: why, same, different, the queue, conflicts, and taking decisions back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kg.merge_report import MergeReport, load_report, save_report
from kg.workspace import Workspace
from schemas.ids import RecordId
from schemas.review import Blocked, MergeProposal, Resolution

ONE = "momentum scale"


@pytest.fixture
def resolved(kg: Any, workspace: Path, corpus: Path) -> Path:
    """A workspace with the two notes, extracted and resolved."""
    (corpus / "third.md").write_text(
        "# Branching fraction\n\nA systematic uncertainty is due to the trigger efficiency.\n",
        encoding="utf-8",
    )
    notes = [corpus / f"{name}.md" for name in ("first", "second", "third")]
    assert kg("add", *notes, "-w", workspace).code == 0
    assert kg("extract", "-w", workspace).code == 0
    assert kg("resolve", "-w", workspace).code == 0
    return workspace


def records_of(workspace: Path, name: str) -> list[RecordId]:
    """Ids of all records of a name, sorted."""
    return sorted(r.id for g in Workspace(workspace).graphs() for r in g.records if r.name == name)


def test_why_names_the_rule_and_shows_the_bars(kg: Any, resolved: Path) -> None:
    one = records_of(resolved, ONE)
    same = kg("why", *one, "-w", resolved, "--json").data
    assert (same["same"], same["verdict"]) == (True, "same_name")
    said = kg("why", ONE, "trigger efficiency", "-w", resolved)
    assert said.code == 0
    assert "are two entities: their similarity" in said.text
    assert "name tfidf" in said.text
    assert "threshold" in said.text


def test_a_decision_joins_is_explained_and_can_be_taken_back(kg: Any, resolved: Path) -> None:
    decided = kg("same", ONE, "trigger efficiency", "-w", resolved, "--reason", "for the test")
    event = int(decided.text.split("event ")[1].split(":")[0])
    assert kg("resolve", "-w", resolved).code == 0
    assert kg("why", ONE, "trigger efficiency", "-w", resolved, "--json").data["same"]
    pair = (records_of(resolved, ONE)[0], records_of(resolved, "trigger efficiency")[0])
    found = kg("why", *pair, "-w", resolved, "--json").data
    assert found["same"]
    assert event in found["events"]
    assert "for the test" in kg("log", "-w", resolved).text
    merge = max(found["events"])
    assert kg("undo", event, "-w", resolved).code == 0
    assert kg("undo", merge, "-w", resolved).code == 0
    assert kg("resolve", "-w", resolved).code == 0
    apart = kg("why", *pair, "-w", resolved, "--json").data
    assert not apart["same"]
    assert apart["verdict"].startswith("cannot_link:")


def test_two_records_of_one_entity_are_told_apart_for_good(kg: Any, resolved: Path) -> None:
    one = records_of(resolved, ONE)
    assert len(one) == 2
    assert kg("different", *one, "-w", resolved).code == 0
    for _ in range(2):
        assert kg("resolve", "-w", resolved).code == 0
        assert not kg("why", *one, "-w", resolved, "--json").data["same"]


def test_what_cannot_be_decided_is_refused_with_a_reason(kg: Any, resolved: Path) -> None:
    for arguments, reason in (
        (("same", "nothing like it", ONE), "fits nothing"),
        (("same", ONE, "decay:B_s0 -> J/psi(1S) phi(1020)"), "two entities of one type"),
        (("different", ONE, ONE), "found one"),
    ):
        refused = kg(*arguments, "-w", resolved)
        assert refused.code == 1
        assert reason in refused.text


def test_the_queue_lists_what_is_open_and_forgets_what_was_decided(kg: Any, resolved: Path) -> None:
    assert "No merge waits" in kg("merges", "-w", resolved).text
    one, other = records_of(resolved, ONE)[0], records_of(resolved, "trigger efficiency")[0]
    proposal = MergeProposal(
        records=tuple(sorted((one, other))), type="uncertainty_source", score=0.71, judge="pairs/1"
    )
    blocked = Blocked(left=one, right=other, score=0.9, rule="veto:numbers")
    workspace = Workspace(resolved)
    save_report(
        workspace,
        Resolution(
            groups=(), unsure=(proposal,), blocked=(blocked,), blocked_total={"uncertainty_source": 1}
        ),
    )
    queue = kg("merges", "-w", resolved, "--json").data
    assert [set(item["names"]) for item in queue["unsure"]] == [{ONE, "trigger efficiency"}]
    assert queue["blocked"][0]["rule"] == "veto:numbers"
    assert "0.71" in kg("merges", "-w", resolved).text
    assert "veto:numbers" in kg("merges", "--blocked", "-w", resolved).text
    assert kg("different", ONE, "trigger efficiency", "-w", resolved).code == 0
    again = kg("merges", "-w", resolved, "--json").data
    assert again["unsure"] == []
    assert load_report(workspace) != MergeReport()


def test_conflicts_are_none_in_agreeing_notes_and_a_wrong_type_is_told(kg: Any, resolved: Path) -> None:
    assert kg("conflicts", "-w", resolved, "--json").data == []
    wrong = kg("conflicts", "--type", "nonsense", "-w", resolved)
    assert wrong.code == 1
    assert "expected one of paper" in wrong.text


def test_the_queue_needs_a_resolution(kg: Any, workspace: Path) -> None:
    early = kg("merges", "-w", workspace)
    assert early.code == 1
    assert "nothing was resolved yet" in early.text
