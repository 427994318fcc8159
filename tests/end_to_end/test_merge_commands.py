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
    refused = kg("why", ONE, "trigger efficiency", "-w", resolved)
    assert refused.code == 1
    assert all(record in refused.text for record in one)
    assert "give one of the ids in brackets" in refused.text


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


def graph_hash(kg: Any, workspace: Path) -> str:
    """The hash of the whole graph, as `kg export` tells it."""
    return str(kg("export", workspace / "out.jsonl", "-w", workspace).text.split("graph hash ")[1])


def event_of(said: str) -> int:
    """The number of the event that a decision was logged as."""
    return int(said.split("event ")[1].split(":", maxsplit=1)[0])


def test_an_undone_decision_leaves_the_export_as_it_was(kg: Any, resolved: Path) -> None:
    before = graph_hash(kg, resolved)
    decided = kg("same", ONE, "trigger efficiency", "-w", resolved)
    assert f"`kg undo {event_of(decided.text)}` takes it back" in decided.text
    assert kg("resolve", "-w", resolved).code == 0
    assert graph_hash(kg, resolved) != before
    assert kg("undo", event_of(decided.text), "-w", resolved).code == 0
    assert kg("resolve", "-w", resolved).code == 0
    assert graph_hash(kg, resolved) == before


def test_contradictory_decisions_are_told_and_both_can_be_undone(kg: Any, resolved: Path) -> None:
    before = graph_hash(kg, resolved)
    pair = records_of(resolved, ONE)[0], records_of(resolved, "trigger efficiency")[0]
    one = kg("same", *pair, "-w", resolved)
    assert kg("resolve", "-w", resolved).code == 0
    other = kg("different", *pair, "-w", resolved)
    assert f"this reverses event {event_of(one.text)}, which said the contrary" in other.text
    assert kg("resolve", "-w", resolved).code == 0
    assert graph_hash(kg, resolved) == before
    for said in (one, other):
        assert kg("undo", event_of(said.text), "-w", resolved).code == 0
    assert kg("resolve", "-w", resolved).code == 0
    assert graph_hash(kg, resolved) == before


def test_an_undone_merge_event_leaves_the_export_as_it_was(kg: Any, resolved: Path) -> None:
    before = graph_hash(kg, resolved)
    assert kg("same", ONE, "trigger efficiency", "-w", resolved).code == 0
    assert kg("resolve", "-w", resolved).code == 0
    merged = kg("log", "-w", resolved, "--json").data[-1]
    assert merged["kind"] == "merge"
    assert kg("undo", merged["seq"], "-w", resolved).code == 0
    assert graph_hash(kg, resolved) == before
    assert kg("resolve", "-w", resolved).code == 0
    assert graph_hash(kg, resolved) == before


def test_same_overrides_all_that_kept_the_two_apart(kg: Any, resolved: Path) -> None:
    one, other = records_of(resolved, ONE), records_of(resolved, "trigger efficiency")
    apart = [kg("different", record, other[0], "-w", resolved) for record in one]
    said = kg("same", ONE, "trigger efficiency", "-w", resolved)
    numbers = ", ".join(str(event_of(a.text)) for a in apart)
    assert f"this reverses events {numbers}, which said the contrary" in said.text
    assert kg("resolve", "-w", resolved).code == 0
    assert kg("why", one[1], other[0], "-w", resolved, "--json").data["same"]


def test_the_log_cuts_nothing_in_a_narrow_window_and_counts_what_a_split_left(
    kg: Any, resolved: Path
) -> None:
    one = records_of(resolved, ONE)
    assert kg("different", *one, "-w", resolved).code == 0
    assert kg("resolve", "-w", resolved).code == 0
    narrow = kg("log", "--no-names", "-w", resolved, columns=80)
    assert "…" not in narrow.out
    events = kg("log", "-w", resolved, "--json").data
    assert all(e["at_utc"][:19].replace("T", " ") in narrow.text for e in events)
    assert all(record in "".join(narrow.out.split()) for record in one)
    splits = [e for e in events if e["kind"] == "split"]
    assert kg("log", "-w", resolved).text.count("is left with 1 record") == len(splits) == 2
