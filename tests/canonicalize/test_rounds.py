"""Rounds of clustering and judging: whatever a judge says, a partition comes out that keeps the rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from canonicalize.judge import Candidate, Member, Note, Unsure, Verdict, verdicts
from canonicalize.resolve import resolve
from canonicalize.rounds import RoundPolicy
from canonicalize.similarity import PAIR_FEATURES
from schemas.canonicalization_rules import Canonicalization
from schemas.errors import DataError
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, EntityId, RecordId
from schemas.review import Constraints, PriorIds, Resolution

SCHEMA = GraphSchema(
    name="toy",
    version="1",
    entities=(
        EntityType(
            name="source", label="Source", canonicalization=Canonicalization(threshold=0.4, max_cluster=6)
        ),
    ),
    relations=(),
)
NAMES = (
    "dough temperature",
    "temperature of the dough",
    "dough temperatures",
    "oven temperature",
    "temperature of the oven",
    "oven temperature drift",
    "kneading time",
    "time of kneading",
    "kneading times",
    "flour humidity",
)


def table(names: Sequence[str]) -> RecordColumns:
    count = len(names)
    return RecordColumns(
        type="source",
        ids=tuple(RecordId(f"r{i:02d}") for i in range(count)),
        documents=tuple(DocumentKey(f"d{i}") for i in range(count)),
        names=tuple(names),
        descriptions=("",) * count,
        aliases=((),) * count,
        keys=((),) * count,
    )


class Arbitrary:
    """Says something at random about every candidate, nonsense included."""

    name = "arbitrary/1"

    def __init__(self, seed: int, *, sane: bool) -> None:
        self.random, self.sane = random.Random(seed), sane

    def decide(self, candidates: Sequence[Candidate]) -> list[Verdict]:
        return [self._verdict(len(c.members)) for c in candidates]

    def _verdict(self, count: int) -> Verdict:
        rng = self.random
        owner = [rng.randrange(4) for _ in range(count)]
        groups = [tuple(m for m in range(count) if owner[m] == g) for g in range(3)]
        if not self.sane and rng.random() < 0.2:
            groups[0] = (*groups[0], rng.randrange(count, count + 5))
        unsure = ()
        if rng.random() < 0.5:
            wanted = tuple(m for m in range(count) if owner[m] in (0, 1))
            unsure = (Unsure(members=wanted, reason="?"),) if len(wanted) > 1 else ()
        return Verdict(groups=tuple(groups), unsure=unsure)


class KeepsApart:
    """Refuses everything and remembers what it was asked."""

    name = "apart/1"

    def __init__(self) -> None:
        self.asked: list[frozenset[str]] = []

    def decide(self, candidates: Sequence[Candidate]) -> list[Verdict]:
        pairs = (combinations((m.record for m in c.members), 2) for c in candidates)
        self.asked += [frozenset(p) for found in pairs for p in found]
        return [Verdict(groups=((0, 1),)) for _ in candidates]


def parts(resolution: Resolution) -> list[frozenset[str]]:
    return [frozenset(g.records) for g in resolution.groups]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=4),
    st.integers(0, 10_000),
    st.booleans(),
)
def test_no_judge_breaks_the_partition_or_a_cannot_link(names, links, seed, sane) -> None:
    cannot = tuple(
        (RecordId(f"r{a:02d}"), RecordId(f"r{b:02d}"), n + 1) for n, (a, b) in enumerate(links) if a != b
    )
    policy = RoundPolicy(most=4, stop_share=0.0)
    try:
        made = resolve(
            [table(names)],
            SCHEMA,
            constraints=Constraints(cannot_link=cannot),
            judge=Arbitrary(seed, sane=sane),
            rounds=policy,
        )
    except DataError:
        assert not sane
        return
    found = parts(made)
    assert sorted(r for part in found for r in part) == sorted(table(names).ids)
    assert not any({a, b} <= part for a, b, _ in cannot for part in found)
    for proposal in made.proposals:
        assert frozenset(proposal.records) in found
    assert all(r.merged < r.units for r in made.rounds)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(NAMES), min_size=2, max_size=12), st.randoms(use_true_random=False))
def test_rounds_do_not_depend_on_order(names, rng) -> None:
    rows = table(names)
    order = list(range(len(rows)))
    rng.shuffle(order)
    shuffled = RecordColumns(
        type=rows.type,
        ids=tuple(rows.ids[i] for i in order),
        documents=tuple(rows.documents[i] for i in order),
        names=tuple(rows.names[i] for i in order),
        descriptions=rows.descriptions,
        aliases=rows.aliases,
        keys=rows.keys,
    )
    policy = RoundPolicy(most=5, stop_share=0.0)
    assert resolve([shuffled], SCHEMA, rounds=policy) == resolve([rows], SCHEMA, rounds=policy)


def test_what_a_judge_kept_apart_is_not_asked_again() -> None:
    judge = KeepsApart()
    made = resolve([table(NAMES)], SCHEMA, judge=judge, rounds=RoundPolicy(most=9, stop_share=0.0))
    assert len(made.rounds) > 1
    assert len(judge.asked) == len(set(judge.asked))
    assert [r.number for r in made.rounds] == list(range(1, len(made.rounds) + 1))
    assert "judge" not in {b.rule for b in made.blocked}


def test_rounds_end_when_few_merge() -> None:
    names = [*NAMES, *(f"unrelated thing {'xyzuvw'[i] * 6}" for i in range(6))]
    merged = resolve([table(names)], SCHEMA, judge=KeepsApart()).rounds[0]
    share = merged.merged / merged.units
    one = resolve(
        [table(names)], SCHEMA, judge=KeepsApart(), rounds=RoundPolicy(most=9, stop_share=share + 0.01)
    )
    more = resolve([table(names)], SCHEMA, judge=KeepsApart(), rounds=RoundPolicy(most=9, stop_share=share))
    assert (len(one.rounds), len(more.rounds) > 1) == (1, True)


class Names:
    """Accepts what is proposed under a name of its own, and is unsure of the rest."""

    name = "names/1"

    def decide(self, candidates: Sequence[Candidate]) -> list[Verdict]:
        made = []
        for c in candidates:
            whole = tuple(range(len(c.members)))
            unsure = (Unsure(members=whole, probability=0.4),) if len(whole) > 2 else ()
            note = Note(reason="both are", probability=0.9, name="The thing", description="It is.")
            made.append(Verdict(groups=((0, 1),), notes=(note,), unsure=unsure))
        return made


def test_notes_and_doubts_come_out() -> None:
    made = resolve([table(NAMES[:3])], SCHEMA, judge=Names())
    (proposal,) = made.proposals
    assert (proposal.name, proposal.description, proposal.reason) == ("The thing", "It is.", "both are")
    assert {"judge_probability": 0.9}.items() <= {f.name: f.value for f in proposal.features}.items()
    (open_,) = made.unsure
    assert open_.records == ("r00", "r01", "r02")
    assert made.rounds[0].unsure == 1


def test_a_judge_that_compares_gets_the_columns() -> None:
    class Compares(Names):
        def decide_compared(self, candidates, columns):
            assert [c.shape for c in columns] == [
                (len(c.members) * (len(c.members) - 1) // 2, len(PAIR_FEATURES)) for c in candidates
            ]
            return self.decide(candidates)

    assert resolve([table(NAMES)], SCHEMA, judge=Compares()).rounds[0].candidates > 1


def test_a_candidate_knows_the_entities_before() -> None:
    seen: list[str] = []

    class Looks(Names):
        def decide(self, candidates):
            seen.extend(m.entity for c in candidates for m in c.members)
            return super().decide(candidates)

    prior = PriorIds(entity_of={RecordId("r00"): EntityId("e1")})
    resolve([table(NAMES[:2])], SCHEMA, judge=Looks(), prior=prior)
    assert seen == ["e1", ""]


@pytest.mark.parametrize(
    "wrong",
    [
        {"groups": ((0, 1), (1, 2))},
        {"groups": ((0, 1),), "notes": (Note(), Note())},
        {"groups": ((0, 1),), "unsure": (Unsure(members=(1, 2)),)},
        {"groups": (), "unsure": (Unsure(members=(0, 1)), Unsure(members=(1, 2)))},
    ],
)
def test_a_verdict_that_contradicts_itself_is_refused(wrong) -> None:
    with pytest.raises(ValidationError):
        Verdict(**wrong)


def test_doubts_about_strangers_are_refused() -> None:
    class Strange(Names):
        def decide(self, candidates):
            return [Verdict(groups=(), unsure=(Unsure(members=(0, 7)),)) for _ in candidates]

    members = tuple(Member(record=RecordId(r), records=1, names=(r,)) for r in "ab")
    with pytest.raises(DataError, match="names member 7"):
        verdicts(Strange(), [Candidate(type="source", members=members, score=0.9)])
