"""Explanations say what the resolution did, for every pair."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canonicalize.explain import Explainer, widest_path
from canonicalize.resolve import resolve
from schemas.canonicalization_rules import Canonicalization
from schemas.errors import UsageError
from schemas.graph_schema import AttributeType, EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, EntityId, RecordId
from schemas.review import Constraints

KIND = EntityType(
    name="source",
    label="Source",
    attributes=(AttributeType(name="code"),),
    canonicalization=Canonicalization(threshold=0.7, identity=("code",), vetoes=("charge", "numbers")),
)
SCHEMA = GraphSchema(name="toy", version="1", entities=(KIND,), relations=())
Row = tuple[str, str, str]
"""Document, name, key or ''."""


def columns(rows: Sequence[Row]) -> RecordColumns:
    return RecordColumns(
        type="source",
        ids=tuple(RecordId(f"r{at}") for at in range(len(rows))),
        documents=tuple(DocumentKey(r[0]) for r in rows),
        names=tuple(r[1] for r in rows),
        descriptions=("",) * len(rows),
        aliases=((),) * len(rows),
        keys=tuple((f"code={r[2]}",) if r[2] else () for r in rows),
    )


def explainer(rows: Sequence[Row], constraints: Constraints | None = None) -> Explainer:
    table, links = columns(rows), constraints or Constraints()
    found = resolve([table], SCHEMA, constraints=links)
    return Explainer(table, SCHEMA, links, {r: g.id for g in found.groups for r in g.records})


def verdict(rows: Sequence[Row], constraints: Constraints | None = None) -> str:
    return explainer(rows, constraints).explain(RecordId("r0"), RecordId("r1")).verdict


def link(seq: int) -> tuple[tuple[RecordId, RecordId, int], ...]:
    return ((RecordId("r0"), RecordId("r1"), seq),)


def test_each_rule_is_named() -> None:
    assert verdict([("a", "tracking", "x"), ("b", "other name", "x")]) == "same_key"
    assert verdict([("a", "tracking", "x"), ("b", "tracking", "y")]) == "identity"
    assert verdict([("a", "Tracking", ""), ("b", "tracking", "")]) == "same_name"
    assert verdict([("a", "tracking model", ""), ("a", "tracking models", "")]) == "same_document"
    assert verdict([("a", "model for Run 1", ""), ("b", "model for Run 2", "")]) == "veto:numbers"
    assert verdict([("a", "tracking model", ""), ("b", "tracking models", "")]) == "similarity"
    assert verdict([("a", "tracking", ""), ("b", "luminosity", "")]) == "below_threshold"
    apart, together = Constraints(cannot_link=link(4)), Constraints(must_link=link(7))
    assert verdict([("a", "tracking", ""), ("b", "tracking", "")], apart) == "cannot_link:4"
    assert verdict([("a", "tracking", ""), ("b", "luminosity", "")], together) == "must_link:7"


def test_the_document_that_names_both_is_told_with_its_records() -> None:
    rows = [("a", "tracking model", ""), ("b", "tracking models", ""), ("b", "tracking model", "")]
    found = explainer(rows).explain(RecordId("r0"), RecordId("r1"))
    assert found.verdict == "same_document"
    assert "one document names both (b, as records r2 and r1)" in found.words


def test_the_bars_add_up_to_the_score_and_the_words_say_it() -> None:
    found = explainer([("a", "tracking model", ""), ("b", "tracking models", "")]).explain(
        RecordId("r0"), RecordId("r1")
    )
    assert found.score == pytest.approx(sum(b.points for b in found.waterfall))
    assert found.threshold == 0.7
    assert "reaches the threshold 0.70" in found.words
    assert {f.name for f in found.features} >= {"name_tfidf", "token_jaccard", "meaning_cosine"}


def test_a_chain_is_shown_step_by_step() -> None:
    rows = [("a", "one thing", ""), ("b", "another matter", ""), ("c", "luminosity", "")]
    links = Constraints(
        must_link=((RecordId("r0"), RecordId("r1"), 1), (RecordId("r1"), RecordId("r2"), 2)),
    )
    found = explainer(rows, links).explain(RecordId("r0"), RecordId("r2"))
    assert found.verdict == "path"
    assert [(s.left, s.right, s.why) for s in found.path] == [
        ("r0", "r1", "must_link:1"),
        ("r1", "r2", "must_link:2"),
    ]


def test_a_judge_joined_what_the_score_would_not() -> None:
    left, right = RecordId("r0"), RecordId("r1")
    rows = [("a", "tracking", ""), ("b", "luminosity", "")]
    owners = dict.fromkeys((left, right), EntityId("e"))
    one = Explainer(columns(rows), SCHEMA, Constraints(), owners)
    found = one.explain(left, right, judge="llm: toy")
    assert (found.verdict, found.judge, found.path) == ("judge", "llm: toy", ())
    assert "a judge (llm: toy) joined them, though their similarity 0.02 is below" in found.words
    assert one.explain(left, right).verdict == "path"
    near = explainer([("a", "tracking model", ""), ("b", "tracking models", "")])
    assert near.explain(left, right, judge="llm: toy").verdict == "similarity"
    apart = explainer(rows).explain(left, right, judge="llm: toy")
    assert (apart.verdict, apart.judge) == ("below_threshold", "")


def test_unknown_and_equal_records_are_refused() -> None:
    made = explainer([("a", "x", ""), ("b", "y", "")])
    with pytest.raises(UsageError, match="no source of this corpus"):
        made.explain(RecordId("r0"), RecordId("zz"))
    with pytest.raises(UsageError, match="twice"):
        made.explain(RecordId("r0"), RecordId("r0"))


NAMES = st.sampled_from(
    [
        "signal model",
        "signal models",
        "model of the signal",
        "Run 1 data",
        "Run 2 data",
        "luminosity",
        "B+",
        "B-",
    ]
)


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), NAMES, st.sampled_from(["", "", "k1", "k2"])),
        min_size=2,
        max_size=7,
    )
)
def test_every_explanation_agrees_with_the_resolution(rows: list[Row]) -> None:
    made = explainer(rows)
    together = {"same_key", "same_name", "similarity", "path"}
    for a, b in combinations(made.table.ids, 2):
        found = made.explain(a, b)
        assert (found.verdict in together) == found.same == (made.entities[a] == made.entities[b])
        assert found.words.startswith("“")


def test_the_widest_path_avoids_weak_steps() -> None:
    scores = {(0, 1): 0.2, (0, 2): 0.9, (1, 2): 0.5, (2, 3): 0.9, (1, 3): 0.8}
    assert widest_path([0, 1, 2, 3], scores, 0, 1) == [0, 2, 3, 1]
