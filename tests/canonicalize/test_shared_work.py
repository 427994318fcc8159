"""Work done once for all that is equal gives what doing it for each gives."""

from __future__ import annotations

from itertools import product
from unittest import mock

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from canonicalize.candidates import NEIGHBOURS, find_candidates
from canonicalize.exact import ExactStage, run_exact
from canonicalize.features import MAX_FORM, Features, Unit, build_features
from canonicalize.linkage import Linkage
from canonicalize.neighbours import near_names
from canonicalize.normal_forms import normal_forms
from canonicalize.pair_rules import name_veto, pair_rule
from schemas.canonicalization_rules import Canonicalization
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, RecordId
from schemas.review import Constraints

SPELLINGS = ("ab", "aB", "Ab", "AB", "cd", "Cd", "")
spellings = st.sampled_from(SPELLINGS)
rows = st.lists(
    st.tuples(spellings, st.sampled_from(("", "", "", "doi=1", "doi=2"))), min_size=1, max_size=14
)
pairs = st.sets(st.frozensets(spellings, min_size=2, max_size=2), max_size=6)
links = st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13)), max_size=3)
NAMES = (
    "signal shape", "Signal Shapes", "background shape", "Run 1", "Run 2", "Run II", "B0 mass", "$B^0$ mass",
    "B_s0 mass", "upper limit", "lower limit", "March", "march", "shape",
    "x" * (MAX_FORM + 1), "X" * (MAX_FORM + 1),
)  # fmt: skip
several = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True).map(tuple)
vetoes = st.sets(st.sampled_from(("charge", "numbers", "particles", "antonyms", "words", "case")))


def table(found: list[tuple[str, str]]) -> RecordColumns:
    ids = tuple(RecordId(f"r{at:02d}") for at in range(len(found)))
    return RecordColumns(
        type="source",
        ids=ids,
        documents=tuple(DocumentKey(f"d{at}") for at in range(len(found))),
        names=tuple(name for name, _ in found),
        descriptions=("",) * len(found),
        aliases=((),) * len(found),
        keys=tuple((key,) if key else () for _, key in found),
        vectors=None,
    )


@settings(max_examples=200, deadline=None)
@given(rows, pairs, links, links)
def test_rows_known_by_their_spelling_alone_merge_as_all_rows_do(found, apart, must, cannot) -> None:
    columns = table(found)
    must_link, cannot_link = (
        tuple(
            (RecordId(f"r{a:02d}"), RecordId(f"r{b:02d}"), seq) for seq, (a, b) in enumerate(pairs_, start=1)
        )
        for pairs_ in (must, cannot)
    )

    def run() -> tuple[list[Unit], object, object]:
        stage = run_exact(
            columns,
            [name.lower() for name in columns.names],
            lambda a, b: "apart" if {a, b} in apart else None,
            constraints=Constraints(must_link=must_link, cannot_link=cannot_link),
        )
        return stage.units(), stage.blocked, dict(stage.joined)

    quick = run()
    with mock.patch.object(ExactStage, "_is_fresh", return_value=False):
        assert run() == quick


@settings(max_examples=200, deadline=None)
@given(several, several, vetoes)
def test_names_that_read_alike_are_vetoed_as_each_of_them_is(left, right, rules) -> None:
    kind = EntityType(
        name="source", label="Source", canonicalization=Canonicalization(vetoes=tuple(sorted(rules)))
    )
    schema = GraphSchema(name="toy", version="1", entities=(kind,), relations=())
    units = [Unit((0,), left, (), frozenset("a")), Unit((1,), right, (), frozenset("b"))]
    columns = table([("ab", ""), ("cd", "")])
    forbids = pair_rule(columns, units, normal_forms(schema, kind), constraints=Constraints(), refused=[])
    each = (name_veto(a, b, normal_forms(schema, kind)) for a, b in product(left, right))
    first = next((rule for rule in each if rule), None)
    assert forbids(0, 1) == (f"veto:{first}" if first else None)
    assert (forbids(1, 0) is None) == (first is None)


words = st.sampled_from(("signal", "shape", "model", "track", "tracks", "efficiency"))
forms = st.lists(st.lists(words, max_size=3).map(" ".join), min_size=2, max_size=24)


def features_of(texts: list[str]) -> Features:
    units = [Unit((at,), (text,), (), frozenset({f"d{at}"})) for at, text in enumerate(texts)]
    vectors = np.random.default_rng(len(texts)).normal(size=(len(units), 4)).astype(np.float32) + 1
    return build_features(units, str.casefold, vectors=vectors)


@settings(max_examples=60, deadline=None)
@given(forms, st.sampled_from((0.2, 0.5, 0.8)))
def test_each_pair_of_near_names_is_found_once_and_none_where_too_many_are_near(texts, least) -> None:
    rows = features_of(texts).names
    cosines = np.triu((rows @ rows.T).toarray(), 1)
    found = near_names(rows, most=len(texts) + 1, least=least)
    assert found is not None
    pairs = [(int(a), int(b)) for hits in found for a, b in zip(hits.query, hits.found, strict=True)]
    sure = np.argwhere(cosines >= least + 1e-5)
    assert {(int(a), int(b)) for a, b in sure} <= set(pairs)
    assert all(a < b and cosines[a, b] >= least - 1e-5 for a, b in pairs)
    assert len(set(pairs)) == len(pairs)
    if any(text.strip() for text in texts):
        assert near_names(rows, most=1, least=least) is None


def test_a_crowd_of_near_names_is_searched_by_its_nearest(monkeypatch) -> None:
    texts = [f"parametrisation of the combinatorial background shape {at}" for at in range(60)]
    units = [Unit((at,), (text,), (), frozenset({f"d{at}"})) for at, text in enumerate(texts)]
    features = build_features(units, str.casefold)
    everyone = find_candidates(units, features, name_weight=1.0, floor=0.6)
    assert len(everyone) == 60 * 59 / 2
    monkeypatch.setattr("canonicalize.candidates.CROWD", 50)
    nearest = find_candidates(units, features, name_weight=1.0, floor=0.6)
    assert 60 * NEIGHBOURS / 2 <= len(nearest) < len(everyone)


@settings(max_examples=60, deadline=None)
@given(forms, st.lists(st.sets(st.integers(0, 23), min_size=2, max_size=6), max_size=5))
def test_similarities_of_many_groups_are_those_of_each(texts, picks) -> None:
    linkage = Linkage(features_of(texts), 0.5, 0.5, None)
    groups = [sorted({at % len(texts) for at in pick}) for pick in picks]
    for group, found in zip(groups, linkage.small_matrices(groups), strict=True):
        off = ~np.eye(len(group), dtype=bool)
        for ours, alone in zip(found, linkage.matrices(group), strict=True):
            np.testing.assert_allclose(ours[off], alone[off], atol=1e-12)
