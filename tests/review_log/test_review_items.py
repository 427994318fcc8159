"""Replay of decisions on a new run: kept, carried, or a conflict that names what differs."""

from __future__ import annotations

import pytest

from kg.review_items import Decision, ItemPayload, replay
from schemas.graphs import DocumentGraph, Evidence, Record, Statement, Status
from schemas.ids import DocumentKey, RecordId, StatementId
from schemas.review import EventKind

DOC = DocumentKey("log.md")
TEXT = "The pump tripped. A leak in hall 4. The pump was hot."


def record(name: str, quote: str, **attributes: str) -> Record:
    at = TEXT.index(quote)
    evidence = (Evidence(start=at, end=at + len(quote), quote=quote),)
    return Record(
        id=RecordId(name), document=DOC, type="fault", name=name, attributes=attributes, evidence=evidence
    )


def run_of(*records: Record, statements: tuple[Statement, ...] = ()) -> DocumentGraph:
    return DocumentGraph(
        document=DOC,
        version="v",
        schema_name="logbook",
        schema_version="2.0",
        run_id="r",
        records=records,
        statements=statements,
    )


def decided(kind: EventKind, before: Record | None, after: Record | None) -> Decision:
    return Decision(7, kind, ItemPayload(document=DOC, base_run="r", before=before, after=after))


SEEN = record("leak", "leak", hall="3")
FIXED = SEEN.model_copy(update={"attributes": {"hall": "4"}})
EDIT = decided(EventKind.EDIT, SEEN, FIXED)


@pytest.mark.parametrize(
    ("now", "hall", "codes"),
    [("3", "4", []), ("4", "4", []), ("5", "4", ["differs"])],
    ids=["as seen", "as decided", "something else"],
)
def test_an_edited_field_keeps_the_decision(now: str, hall: str, codes: list[str]) -> None:
    fresh = SEEN.model_copy(update={"attributes": {"hall": now, "size": "big"}, "confidence": 0.4})
    graph, conflicts = replay(run_of(fresh), [EDIT], TEXT)
    assert dict(graph.records[0].attributes) == {"hall": hall, "size": "big"}
    assert graph.records[0].confidence == 0.4, "what nobody decided is the new run's"
    assert [c.code for c in conflicts] == codes


def test_an_edited_item_that_the_extractor_no_longer_finds_stays() -> None:
    graph, conflicts = replay(run_of(), [EDIT], TEXT)
    assert (graph.records, conflicts) == ((FIXED,), ())


def test_a_rejected_item_stays_out_with_its_statements_unless_on_a_new_quote() -> None:
    trip = record("trip", "tripped")
    leads = Statement(id=StatementId("s"), document=DOC, subject=SEEN.id, type="leads_to", object=trip.id)
    rejected = decided(EventKind.REJECT, trip, None)
    graph, conflicts = replay(run_of(SEEN, trip, statements=(leads,)), [rejected], TEXT)
    assert (graph.records, graph.statements, conflicts) == ((SEEN,), (), ())
    elsewhere = record("trip", "hot")
    graph, conflicts = replay(run_of(elsewhere), [rejected], TEXT)
    assert graph.records == (elsewhere,)
    assert [c.code for c in conflicts] == ["returned"]


def test_an_accepted_item_that_changed_is_kept_as_accepted() -> None:
    vetted = SEEN.model_copy(update={"status": Status.VETTED})
    accepted = decided(EventKind.ACCEPT, SEEN, vetted)
    assert replay(run_of(SEEN), [accepted], TEXT)[0].records == (vetted,)
    graph, conflicts = replay(run_of(FIXED), [accepted], TEXT)
    assert (graph.records, [c.code for c in conflicts]) == ((vetted,), ["differs"])


def test_an_accepted_item_that_is_found_with_further_quotes_is_no_conflict() -> None:
    """A second extractor that agrees brings more evidence; what was accepted stays as it was seen."""
    vetted = SEEN.model_copy(update={"status": Status.VETTED})
    accepted = decided(EventKind.ACCEPT, SEEN, vetted)
    more = SEEN.model_copy(
        update={"evidence": (*SEEN.evidence, *record("x", "hot").evidence), "aliases": ("hot spot",)}
    )
    graph, conflicts = replay(run_of(more), [accepted], TEXT)
    assert (graph.records, conflicts) == ((vetted,), ())
    other = SEEN.model_copy(update={"evidence": record("x", "hot").evidence})
    assert [c.code for c in replay(run_of(other), [accepted], TEXT)[1]] == ["differs"]


def test_an_added_item_without_its_quote_is_listed_and_left_out() -> None:
    added = decided(EventKind.ADD, None, SEEN)
    assert replay(run_of(), [added], TEXT)[0].records == (SEEN,)
    graph, conflicts = replay(run_of(), [added], "Another text.")
    assert (graph.records, [c.code for c in conflicts]) == ((), ["evidence_lost"])


def test_an_unresolved_conflict_does_not_vanish_at_the_second_run() -> None:
    """The root is what the reviewer saw, not the run before."""
    fresh = SEEN.model_copy(update={"attributes": {"hall": "5"}})
    for _ in range(2):
        assert [c.code for c in replay(run_of(fresh), [EDIT], TEXT)[1]] == ["differs"]
