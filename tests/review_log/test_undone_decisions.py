"""Decisions that are taken back leave the entities, their ids and the redirects as they were."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canonicalize.resolve import resolve
from kg.review_log import ReviewLog
from kg.review_payloads import GroupPayload
from schemas.canonicalization_rules import Canonicalization
from schemas.errors import UsageError
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, RecordId
from schemas.review import EventKind

SCHEMA = GraphSchema(
    name="toy",
    version="1",
    entities=(
        EntityType(name="source", label="Source", canonicalization=Canonicalization(similarity=False)),
    ),
    relations=(),
)
IDS = tuple(RecordId(c) for c in "abcdefgh")
Pair = tuple[int, int]


def resolve_into(log: ReviewLog, names: Sequence[str]) -> int:
    """Resolve the first records, one of each document, and log the outcome."""
    ids = IDS[: len(names)]
    table = RecordColumns(
        type="source",
        ids=ids,
        documents=tuple(DocumentKey(f"doc:{r}") for r in ids),
        names=tuple(names),
        descriptions=("",) * len(ids),
        aliases=((),) * len(ids),
        keys=((),) * len(ids),
    )
    found = resolve([table], SCHEMA, constraints=log.constraints(), prior=log.prior_ids())
    head = log.head()[0]
    changed = log.record_resolution(found, actor="kg resolve")
    for event in log.events(head):
        if event.kind in (EventKind.MERGE, EventKind.SPLIT):
            said = GroupPayload.model_validate_json(event.payload)
            assert log.partition().get(said.id, (RecordId(said.id),)) == said.records
    return changed


def redirects_are_sound(log: ReviewLog) -> None:
    """No redirect leads from an id in use, to one that is not, or away from the founding record."""
    prior = log.prior_ids()
    for old, new in prior.redirects.items():
        assert old not in prior.entity_of.values()
        assert new not in prior.redirects
        assert prior.entity_of[RecordId(old)] == new


@pytest.fixture
def log(tmp_path: Path):
    with ReviewLog.open(tmp_path / "log.db") as opened:
        yield opened


def link(log: ReviewLog, left: str, right: str, *, same: bool) -> int:
    kind = EventKind.MUST_LINK if same else EventKind.CANNOT_LINK
    return log.link(kind, [(RecordId(left), RecordId(right))], actor="ana").seq


TWO_AND_THREE = ("bias", "bias", "mass fit", "mass fit", "mass fit")


def test_an_undone_same_gives_the_retired_id_back(log: ReviewLog) -> None:
    resolve_into(log, TWO_AND_THREE)
    before = log.partition(), log.prior_ids()
    decided = link(log, "b", "d", same=True)
    resolve_into(log, TWO_AND_THREE)
    assert log.prior_ids().redirects == {"c": "a"}
    log.undo(decided, actor="ana")
    resolve_into(log, TWO_AND_THREE)
    assert (log.partition(), log.prior_ids()) == before


def test_contradictory_decisions_leave_nothing_behind_when_both_are_undone(log: ReviewLog) -> None:
    resolve_into(log, TWO_AND_THREE)
    before = log.partition(), log.prior_ids()
    one = link(log, "a", "c", same=True)
    resolve_into(log, TWO_AND_THREE)
    other = link(log, "a", "c", same=False)
    resolve_into(log, TWO_AND_THREE)
    assert (log.partition(), log.prior_ids()) == before
    for seq in (one, other):
        log.undo(seq, actor="ana")
    resolve_into(log, TWO_AND_THREE)
    assert (log.partition(), log.prior_ids()) == before


def test_an_undone_merge_stays_undone_with_the_former_ids(log: ReviewLog) -> None:
    resolve_into(log, TWO_AND_THREE)
    before = log.partition(), log.prior_ids()
    link(log, "a", "c", same=True)
    resolve_into(log, TWO_AND_THREE)
    merged = log.head()[0]
    log.undo(merged, actor="ana")
    assert (log.partition(), log.prior_ids()) == before
    assert resolve_into(log, TWO_AND_THREE) == 0


def test_a_redirect_follows_its_founding_record_into_another_entity(log: ReviewLog) -> None:
    names = ("bias", "scale", "mass fit")
    resolve_into(log, names)
    first = link(log, "b", "c", same=True)
    resolve_into(log, names)
    assert log.prior_ids().redirects == {"c": "b"}
    log.undo(first, actor="ana")
    link(log, "a", "c", same=True)
    resolve_into(log, names)
    assert log.prior_ids().redirects == {"c": "a"}
    assert log.partition() == {"a": ("a", "c")}


names_of = st.lists(st.sampled_from(["bias", "scale", "mass fit"]), min_size=8, max_size=8)
pairs = st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda p: p[0] != p[1])
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["same", "different"]), pairs),
        st.tuples(st.just("undo"), st.integers(0, 99)),
        st.tuples(st.just("resolve"), st.none()),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(names_of, st.integers(1, 8), steps)
def test_undoing_all_decisions_leads_back_to_the_start(names, first, todo) -> None:
    """Ids that were issued in between, by a split, stay as redirects to the entity they went back to."""
    with tempfile.TemporaryDirectory() as folder, ReviewLog.open(Path(folder) / "log.db") as log:
        resolve_into(log, names[:first])
        resolve_into(log, names)
        before = log.partition(), log.prior_ids()
        standing: list[int] = []
        for what, detail in todo:
            if what == "resolve":
                resolve_into(log, names)
            elif what != "undo":
                a, b = detail
                standing.append(link(log, IDS[a], IDS[b], same=what == "same"))
            elif standing:
                log.undo(standing.pop(detail % len(standing)), actor="ana")
            redirects_are_sound(log)
        for seq in standing:
            log.undo(seq, actor="ana")
        resolve_into(log, names)
        redirects_are_sound(log)
        assert log.partition() == before[0]
        assert log.prior_ids().entity_of == before[1].entity_of
        after = log.prior_ids().redirects
        issued = {old for old in after if old not in before[1].redirects}
        assert {old: new for old, new in after.items() if old not in issued} == before[1].redirects
        assert issued.isdisjoint(before[1].entity_of.values())
        assert resolve_into(log, names) == 0


@settings(max_examples=40, deadline=None)
@given(names_of, st.lists(st.tuples(st.booleans(), pairs), min_size=1, max_size=4), st.integers(1, 40))
def test_undoing_any_event_keeps_redirects_sound(names, decided, chosen) -> None:
    with tempfile.TemporaryDirectory() as folder, ReviewLog.open(Path(folder) / "log.db") as log:
        resolve_into(log, names)
        for same, (a, b) in decided:
            link(log, IDS[a], IDS[b], same=same)
            resolve_into(log, names)
        seq = 2 + chosen % log.head()[0]
        try:
            log.undo(seq, actor="ana")
        except UsageError:
            return
        redirects_are_sound(log)
        resolve_into(log, names)
        redirects_are_sound(log)
        assert resolve_into(log, names) == 0
