"""Properties of resolution: partition, order, constraints, ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canonicalize.judge import Candidate, ThresholdJudge, Verdict
from canonicalize.naming import compress_redirects
from canonicalize.resolve import resolve
from schemas.canonicalization_rules import Canonicalization
from schemas.errors import DataError
from schemas.graph_schema import AttributeType, EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, EntityId, RecordId
from schemas.review import Constraints, PriorIds, Resolution

SCHEMA = GraphSchema(
    name="toy",
    version="1",
    entities=(
        EntityType(
            name="paper",
            label="Paper",
            attributes=(AttributeType(name="doi"), AttributeType(name="arxiv_id")),
            canonicalization=Canonicalization(similarity=False, identity=("doi", "arxiv_id")),
        ),
        EntityType(
            name="source",
            label="Source",
            attributes=(AttributeType(name="pdgid"),),
            canonicalization=Canonicalization(
                threshold=0.7, identity=("pdgid",), vetoes=("charge", "numbers", "particles", "antonyms")
            ),
        ),
    ),
    relations=(),
)
Row = tuple[str, str, str, str]
"""Record id, document, name, key or ''."""


def table(rows: Sequence[Row], kind: str = "source") -> RecordColumns:
    return RecordColumns(
        type=kind,
        ids=tuple(RecordId(r[0]) for r in rows),
        documents=tuple(DocumentKey(r[1]) for r in rows),
        names=tuple(r[2] for r in rows),
        descriptions=("",) * len(rows),
        aliases=((),) * len(rows),
        keys=tuple(tuple(k for k in r[3].split() if k) for r in rows),
    )


def parts(resolution: Resolution) -> set[frozenset[str]]:
    return {frozenset(g.records) for g in resolution.groups}


NAMES = (
    "tracking efficiency",
    "Tracking efficiency",
    "tracking efficiencies",
    "track efficiency",
    "trigger efficiency",
    "trigger efficiency in Run 1",
    "trigger efficiency in Run 2",
    "limited simulation sample size",
    "simulation sample size",
    "simulated sample size",
)


@st.composite
def row_lists(draw: st.DrawFn) -> list[Row]:
    count = draw(st.integers(1, 14))
    return [
        (
            f"r{i:02d}",
            f"d{draw(st.integers(0, 6))}",
            draw(st.sampled_from(NAMES)),
            draw(st.sampled_from(("", "", "", "pdgid=A", "pdgid=B"))),
        )
        for i in range(count)
    ]


links = st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13)), max_size=4)


def constraints(must: list[tuple[int, int]], cannot: list[tuple[int, int]]) -> Constraints:
    def made(pairs: list[tuple[int, int]], start: int) -> tuple[tuple[RecordId, RecordId, int], ...]:
        return tuple(
            (RecordId(f"r{a:02d}"), RecordId(f"r{b:02d}"), start + n)
            for n, (a, b) in enumerate(pairs)
            if a != b
        )

    return Constraints(must_link=made(must, 1), cannot_link=made(cannot, 100))


@settings(max_examples=60, deadline=None)
@given(row_lists(), links, links, st.randoms(use_true_random=False))
def test_a_resolution_is_a_partition_free_of_order_that_keeps_cannot_links(
    rows, must, cannot, random
) -> None:
    given_links = constraints(must, cannot)
    result = resolve([table(rows)], SCHEMA, constraints=given_links)
    assert sorted(r for g in result.groups for r in g.records) == [r[0] for r in rows]
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert resolve([table(shuffled)], SCHEMA, constraints=given_links) == result
    home = {record: g.id for g in result.groups for record in g.records}
    for left, right, _ in given_links.cannot_link:
        assert left not in home or home[left] != home.get(right)
    key = {r[0]: r[3] for r in rows}
    for group in result.groups:
        assert len({key[r] for r in group.records if key[r]}) <= 1


@settings(max_examples=40, deadline=None)
@given(row_lists(), row_lists())
def test_ids_live_on_and_redirects_lead_to_live_ids(rows, more) -> None:
    first = resolve([table(rows)], SCHEMA)
    prior = PriorIds(entity_of={r: g.id for g in first.groups for r in g.records})
    assert resolve([table(rows)], SCHEMA, prior=prior).groups == first.groups
    grown = [*rows, *((f"a{r[0]}", f"x{r[1]}", r[2], r[3]) for r in more)]
    second = resolve([table(grown)], SCHEMA, prior=prior)
    live = {g.id for g in second.groups}
    assert len(live) == len(second.groups)
    assert set(second.redirects).isdisjoint(live)
    assert set(second.redirects.values()) <= live
    assert set(second.redirects) | live >= {g.id for g in first.groups}


def test_papers_merge_through_any_shared_identifier_but_never_across_two_values() -> None:
    rows = [
        ("a", "1", "P", "doi=x"),
        ("b", "2", "Q", "doi=x arxiv_id=1"),
        ("c", "3", "R", "arxiv_id=1"),
        ("d", "4", "S", "doi=y arxiv_id=1"),
    ]
    result = resolve([table(rows, "paper")], SCHEMA)
    assert parts(result) == {frozenset("abc"), frozenset("d")}
    assert [(b.left, b.right, b.rule) for b in result.blocked] == [("b", "d", "identity")]


def test_an_ambiguous_name_joins_neither_identity() -> None:
    rows = [("a", "1", "mass", "pdgid=A"), ("b", "2", "mass", ""), ("c", "3", "mass", "pdgid=B")]
    result = resolve([table(rows)], SCHEMA)
    assert parts(result) == {frozenset("a"), frozenset("b"), frozenset("c")}
    assert {b.rule for b in result.blocked} == {"identity"}


def test_similar_names_of_two_documents_merge_and_of_one_document_do_not() -> None:
    names = ("limited simulation sample size", "simulation sample size")
    apart = [("a", "1", names[0], ""), ("b", "2", names[1], "")]
    merged = resolve([table(apart)], SCHEMA)
    assert parts(merged) == {frozenset("ab")}
    assert merged.proposals[0].judge == "threshold/1"
    assert merged.proposals[0].score >= 0.7
    one = [("a", "1", names[0], ""), ("b", "1", names[1], "")]
    blocked = resolve([table(one)], SCHEMA)
    assert len(blocked.groups) == 2
    assert [b.rule for b in blocked.blocked] == ["same_document"]
    assert blocked.blocked_total == {"source": 1}
    forced = Constraints(must_link=((RecordId("a"), RecordId("b"), 1),))
    assert parts(resolve([table(one)], SCHEMA, constraints=forced)) == {frozenset("ab")}


def test_a_vetoed_pair_is_blocked_by_name() -> None:
    rows = [("a", "1", "trigger efficiency in Run 1", ""), ("b", "2", "trigger efficiency in Run 2", "")]
    assert [b.rule for b in resolve([table(rows)], SCHEMA).blocked] == ["veto:numbers"]


class Reading:
    """Accepts every cluster, and keeps how many members each had."""

    name = "reading/1"

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def decide(self, candidates):
        self.sizes += [len(c.members) for c in candidates]
        return ThresholdJudge().decide(candidates)


def test_no_cluster_that_a_judge_is_given_exceeds_the_limit() -> None:
    kind = SCHEMA.entity("source")
    small = kind.model_copy(update={"canonicalization": Canonicalization(threshold=0.3, max_cluster=3)})
    schema = SCHEMA.model_copy(update={"entities": (small,)})
    words = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
    rows = [(f"r{i}", f"d{i}", f"limited simulation sample size {w}", "") for i, w in enumerate(words)]
    judge = Reading()
    result = resolve([table(rows)], schema, judge=judge)
    assert max(judge.sizes) <= 3
    assert len(result.groups) < len(rows)
    assert [len(g.records) for g in resolve([table(rows)], schema).groups] == [len(rows)]


def test_vectors_can_keep_alike_names_apart() -> None:
    rows = [("a", "1", "sample size effects", ""), ("b", "2", "sample size effect", "")]
    base = table(rows)
    for second, count in ((np.array([1.0, 0.0]), 1), (np.array([0.0, 1.0]), 2)):
        vectors = np.stack([np.array([1.0, 0.0]), second]).astype(np.float32)
        columns = RecordColumns(
            base.type,
            base.ids,
            base.documents,
            base.names,
            base.descriptions,
            base.aliases,
            base.keys,
            vectors,
        )
        assert len(resolve([columns], SCHEMA).groups) == count


class _Splitter:
    name = "splitter/1"

    def decide(self, candidates: Sequence[Candidate]) -> Sequence[Verdict]:
        return [Verdict(groups=(), reason="not the same") for _ in candidates]


class _Silent(_Splitter):
    def decide(self, candidates: Sequence[Candidate]) -> Sequence[Verdict]:
        return list[Verdict]()[: len(candidates)]


def test_a_judge_may_split_but_must_answer() -> None:
    rows = [("a", "1", "limited simulation sample size", ""), ("b", "2", "simulation sample size", "")]
    assert len(resolve([table(rows)], SCHEMA, judge=_Splitter()).groups) == 2
    with pytest.raises(DataError, match="expected 1 verdicts, found 0"):
        resolve([table(rows)], SCHEMA, judge=_Silent())


def test_tables_that_contradict_themselves_are_refused() -> None:
    rows = [("a", "1", "x", ""), ("a", "2", "y", "")]
    with pytest.raises(DataError, match="occurs twice"):
        resolve([table(rows)], SCHEMA)
    with pytest.raises(DataError, match="one table per entity type"):
        resolve([table(rows[:1]), table(rows[1:])], SCHEMA)


@given(st.dictionaries(st.integers(0, 30), st.integers(0, 30), max_size=20))
def test_redirects_are_compressed_or_a_circle_is_reported(table_of) -> None:
    redirects = {EntityId(str(a)): EntityId(str(a + b + 1)) for a, b in table_of.items()}
    flat = compress_redirects(redirects)
    assert set(flat) == set(redirects)
    assert set(flat.values()).isdisjoint(flat)
    if flat:
        old, new = next(iter(flat.items()))
        with pytest.raises(DataError, match="circle"):
            compress_redirects(redirects, {new: old})


def test_a_record_without_identity_joins_the_one_identity_of_its_name() -> None:
    """However many records with that identity there are: equal keys are one head, not several."""
    rows = [("a", "x", "Delta m", "pdgid=S1"), ("b", "y", "Delta m", "pdgid=S1"), ("c", "z", "Delta m", "")]
    assert parts(resolve([table(rows)], SCHEMA)) == {frozenset("abc")}
