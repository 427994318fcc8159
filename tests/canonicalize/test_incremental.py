"""One document more or less: what it touches is resolved again, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canonicalize.incremental import add, relink, remove, start, update
from canonicalize.one_type import Deciding
from canonicalize.quality import pairwise
from canonicalize.resolve import resolve
from schemas.canonicalization_rules import Canonicalization
from schemas.errors import DataError
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import RecordColumns
from schemas.ids import DocumentKey, RecordId
from schemas.review import Constraints, PriorIds

RULES = Canonicalization(threshold=0.7, vetoes=("charge", "numbers", "particles", "antonyms"))
SCHEMA = GraphSchema(
    name="toy",
    version="1",
    entities=(EntityType(name="source", label="Source", canonicalization=RULES),),
    relations=(),
)
Row = tuple[str, str, str]
"""Record id, document, name."""


def table(rows: list[Row], *, vectors: np.ndarray | None = None) -> RecordColumns:
    return RecordColumns(
        type="source",
        ids=tuple(RecordId(r[0]) for r in rows),
        documents=tuple(DocumentKey(r[1]) for r in rows),
        names=tuple(r[2] for r in rows),
        descriptions=("",) * len(rows),
        aliases=((),) * len(rows),
        keys=((),) * len(rows),
        vectors=vectors,
    )


def parts(entity_of) -> set[frozenset[str]]:
    homes: dict[str, set[str]] = {}
    for record, entity in entity_of.items():
        homes.setdefault(entity, set()).add(record)
    return {frozenset(records) for records in homes.values()}


CORPUS: list[Row] = [
    ("a1", "a", "limited simulation sample size"),
    ("a2", "a", "trigger efficiency in Run 1"),
    ("b1", "b", "tracking efficiency"),
    ("b2", "b", "signal shape model"),
]


def test_a_new_document_joins_what_it_names_and_leaves_the_rest_alone() -> None:
    resolution, state = start([table(CORPUS)], SCHEMA)
    assert resolution == resolve([table(CORPUS)], SCHEMA)
    new = [
        ("c1", "c", "simulation sample size"),
        ("c2", "c", "trigger efficiency in Run 2"),
        ("c3", "c", "luminosity"),
    ]
    change = add(state, [table(new)])
    home = state.entity_of()
    assert home[RecordId("c1")] == home[RecordId("a1")] == "a1"
    assert home[RecordId("c2")] != home[RecordId("a2")]
    assert [b.rule for b in change.resolution.blocked] == ["veto:numbers"]
    touched = {record for group in change.resolution.groups for record in group.records}
    assert touched == {"a1", "a2", "c1", "c2", "c3"}
    assert parts(home) == parts({r: g.id for g in _full(CORPUS + new).groups for r in g.records})


def test_taking_the_document_out_again_restores_the_partition() -> None:
    _, state = start([table(CORPUS)], SCHEMA)
    before = state.entity_of()
    add(state, [table([("c1", "c", "simulation sample size"), ("c2", "c", "Tracking Efficiency")])])
    change = remove(state, ["c"])
    assert state.entity_of() == before
    assert set(change.replaced) == {"a1", "b1"}
    with pytest.raises(DataError, match="none of c"):
        remove(state, ["c"])


def test_a_document_that_changed_keeps_its_entities_and_their_ids() -> None:
    rows = [*CORPUS, ("c1", "c", "simulation sample sizes"), ("c2", "c", "luminosity")]
    _, state = start([table(rows)], SCHEMA)
    again = [("c1", "c", "limited simulation sample size"), ("c3", "c", "luminosities")]
    change = update(state, [table(again)], documents=["c"])
    home = state.entity_of()
    assert (home["c1"], home["c3"], "c2" in home) == ("a1", "c3", False)
    assert change.resolution.redirects == {}
    with pytest.raises(DataError, match="found b1, which is resolved"):
        update(state, [table([("b1", "c", "x")])], documents=["c"])
    assert state.entity_of() == home


def test_a_record_that_comes_back_claims_the_entity_it_was_in() -> None:
    rows = [("a1", "a", "tracking efficiency"), ("b1", "b", "tracking efficiency"), ("c1", "c", "shape")]
    _, state = start([table(rows)], SCHEMA, prior=PriorIds(entity_of={RecordId("c1"): "old"}))
    remove(state, ["c"])
    update(state, [table([("c1", "c", "shape")])], deciding=Deciding(entity_of={RecordId("c1"): "old"}))
    assert state.entity_of()["c1"] == "old"


def test_acronyms_of_documents_that_are_not_touched_count() -> None:
    kind = EntityType(
        name="source",
        label="Source",
        canonicalization=Canonicalization(threshold=0.95, fillers=("the",)),
    )
    schema = GraphSchema(name="toy", version="1", entities=(kind,), relations=())
    rows = [("a1", "a", "particle identification (PID)"), ("b1", "b", "particle identification calibration")]
    _, state = start([table(rows)], schema)
    add(state, [table([("c1", "c", "PID calibration")])])
    assert state.entity_of()["c1"] == "b1"


def test_a_founder_that_comes_back_does_not_take_an_id_in_use() -> None:
    rows = [("a1", "a", "tracking efficiency"), ("b1", "b", "tracking efficiency")]
    _, state = start([table(rows)], SCHEMA)
    remove(state, ["a"])
    assert state.entity_of() == {"b1": "a1"}
    add(state, [table([("a1", "a", "luminosity")])])
    home = state.entity_of()
    assert home["b1"] == "a1"
    assert home["a1"] != "a1"


def test_a_new_record_that_joins_two_entities_redirects_the_younger() -> None:
    rows = [("a1", "a", "tracking efficiency"), ("b1", "b", "luminosity")]
    _, state = start([table(rows)], SCHEMA, prior=PriorIds(entity_of={RecordId("b1"): "old"}))
    must = Constraints(must_link=(("a1", "c1", 1), ("b1", "c1", 2)))
    change = add(state, [table([("c1", "c", "something else")])], constraints=must)
    assert change.resolution.redirects == {"a1": "old"}
    assert parts(state.entity_of()) == {frozenset({"a1", "b1", "c1"})}


def test_links_made_later_hold_and_can_be_taken_back() -> None:
    rows = [("a1", "a", "limited simulation sample size"), ("b1", "b", "simulation sample size")]
    _, state = start([table(rows)], SCHEMA)
    cannot = Constraints(cannot_link=(("a1", "b1", 7),))
    assert len(relink(state, ["a1", "b1"], constraints=cannot).resolution.groups) == 2
    add(state, [table([("c1", "c", "simulation sample sizes")])], constraints=cannot)
    home = state.entity_of()
    assert home["a1"] != home["b1"]
    relink(state, ["a1", "b1"], constraints=Constraints())
    assert len(parts(state.entity_of())) == 1
    with pytest.raises(DataError, match="found zz"):
        relink(state, ["zz"], constraints=Constraints())


def test_what_does_not_fit_is_refused_before_anything_changes() -> None:
    vectors = np.eye(4, dtype=np.float32)
    _, state = start([table(CORPUS, vectors=vectors)], SCHEMA)
    before = state.entity_of()
    with pytest.raises(DataError, match="found a1, which is resolved"):
        add(state, [table(CORPUS[:1], vectors=vectors[:1])])
    with pytest.raises(DataError, match="dimension 4, found 3"):
        add(state, [table([("c1", "c", "x")], vectors=np.ones((1, 3), dtype=np.float32))])
    with pytest.raises(DataError, match="record c1"):
        add(state, [table([("c1", "c", "x")], vectors=np.full((1, 4), np.nan, dtype=np.float32))])
    assert state.entity_of() == before


class _Broken:
    name = "broken/1"

    def decide(self, candidates):
        raise DataError(f"no verdict on {len(candidates)}")


def test_a_judge_that_fails_leaves_the_state_as_it_was() -> None:
    _, state = start([table(CORPUS)], SCHEMA)
    before = state.entity_of()
    new = table([("c1", "c", "simulation sample size")])
    with pytest.raises(DataError, match="no verdict on 1"):
        add(state, [new], deciding=Deciding(_Broken()))
    assert state.entity_of() == before
    add(state, [new])
    assert len(state.entity_of()) == len(before) + 1


NAMES = (
    "tracking efficiency",
    "Tracking efficiency",
    "tracking efficiencies",
    "trigger efficiency in Run 1",
    "trigger efficiency in Run 2",
    "limited simulation sample size",
    "simulation sample size",
    "",
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.sampled_from(NAMES)), min_size=1, max_size=14),
    st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13)), max_size=3),
    st.randoms(use_true_random=False),
)
def test_documents_that_come_and_go_leave_a_partition_that_keeps_cannot_links(drawn, pairs, random) -> None:
    rows = [(f"r{i:02d}", f"d{document}", name) for i, (document, name) in enumerate(drawn)]
    ids = [r[0] for r in rows]
    links = tuple((ids[a], ids[b], n) for n, (a, b) in enumerate(pairs) if a < b < len(ids))
    constraints = Constraints(cannot_link=links)
    documents = sorted({r[1] for r in rows})
    _, state = start([table([])], SCHEMA, constraints=constraints)
    here: set[str] = set()
    for _ in range(8):
        document = random.choice(documents)
        if document in here:
            remove(state, [document], constraints=constraints)
        else:
            add(state, [table([r for r in rows if r[1] == document])], constraints=constraints)
        here ^= {document}
        home = state.entity_of()
        assert set(home) == {r[0] for r in rows if r[1] in here}
        assert all(home.get(a) is None or home.get(a) != home.get(b) for a, b, _ in links)
        live = set(state.types["source"].units_of)
        assert live == set(home.values())
        assert set(state.redirects).isdisjoint(live)


def _full(rows: list[Row]):
    return resolve([table(rows)], SCHEMA)


def test_what_is_near_to_a_touched_entity_is_resolved_again() -> None:
    rules = Canonicalization(threshold=0.7, name_weight=0.0)
    kind = EntityType(name="source", label="Source", canonicalization=rules)
    schema = GraphSchema(name="toy", version="1", entities=(kind,), relations=())

    def turned(rows: list[Row], degrees: list[float]) -> RecordColumns:
        angles = np.radians(degrees)
        return table(rows, vectors=np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32))

    rows = [("a1", "a", "kinematic fit"), ("b1", "b", "vertex"), ("d1", "d", "mass window")]
    _, state = start([turned(rows, [0, -20, 40])], schema)
    assert parts(state.entity_of()) == {frozenset({"a1", "b1"}), frozenset({"d1"})}
    change = add(state, [turned([("c1", "c", "isolation")], [-10])])
    assert {r for group in change.resolution.groups for r in group.records} == {"a1", "b1", "c1", "d1"}
    assert parts(state.entity_of()) == {frozenset({"a1", "b1", "c1"}), frozenset({"d1"})}


def test_ngrams_are_those_of_scikit_learn() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    from canonicalize.ngrams import NGRAMS, fit_ngrams, ngrams_of

    settings = {"analyzer": "char_wb", "ngram_range": NGRAMS, "sublinear_tf": True, "lowercase": False}
    vectorizer = TfidfVectorizer(**settings, dtype=np.float32)
    forms = ["a", "ab  cd", "tracking efficiency", " $B^0$ \u00e9t\u00e9\n", "", "ab ab a", "track\u00a0ab"]
    for form in forms:
        assert sorted(vectorizer.build_analyzer()(form)) == sorted(ngrams_of(form))
    wanted = vectorizer.fit_transform(forms)
    rows, ngrams = fit_ngrams(forms)
    np.testing.assert_array_equal(rows.toarray(), wanted.toarray())
    assert ngrams.column == {gram: int(at) for gram, at in vectorizer.vocabulary_.items()}
    assert ngrams.weight == vectorizer.idf_.tolist()


def test_records_that_repeat_a_name_join_its_unit_and_nothing_else_is_resolved_again() -> None:
    rows = [*CORPUS, ("c1", "c", "limited simulation sample sizes")]
    _, state = start([table(rows)], SCHEMA)
    units = dict(state.types["source"].units_of)
    new = [("d1", "d", "Tracking efficiency"), ("d2", "d", "limited simulation sample size")]
    change = add(state, [table(new)])
    assert (change.replaced, change.grown) == ((), ("a1", "b1"))
    assert state.entity_of()["d1"] == "b1"
    assert state.types["source"].units_of == units
    assert {g.id: g.records for g in change.resolution.groups} == {
        "a1": ("a1", "c1", "d2"),
        "b1": ("b1", "d1"),
    }
    assert parts(state.entity_of()) == parts({r: g.id for g in _full(rows + new).groups for r in g.records})


def test_a_document_that_gives_two_names_to_one_entity_has_it_resolved_again() -> None:
    rows = [*CORPUS, ("c1", "c", "limited simulation sample sizes")]
    _, state = start([table(rows)], SCHEMA)
    assert state.entity_of()["c1"] == "a1"
    new = [("d1", "d", "limited simulation sample size"), ("d2", "d", "limited simulation sample sizes")]
    change = add(state, [table(new)])
    assert change.grown == ()
    home = state.entity_of()
    assert home["d1"] == "a1"
    assert home["d2"] == home["c1"] != "a1"
    assert parts(home) == parts({r: g.id for g in _full(rows + new).groups for r in g.records})


def made_documents(records: int) -> dict[str, list[Row]]:
    """Documents that name a few concepts in several spellings."""
    rng = np.random.default_rng(5)
    words = ("tracking", "trigger", "momentum", "vertex", "mass", "luminosity")
    heads = ("efficiency", "scale", "resolution", "calibration")
    rows: dict[str, list[Row]] = {}
    for n in range(records):
        name = f"{rng.choice(words)} {rng.choice(heads)}"
        name = name + "s" if rng.random() < 0.2 else name.capitalize() if rng.random() < 0.2 else name
        name = f"the {name}" if rng.random() < 0.1 else name
        document = f"d{n // 4:02d}"
        rows.setdefault(document, []).append((f"r{n:03d}", document, name))
    return rows


def test_documents_that_go_and_come_back_leave_partition_and_ids_as_they_were() -> None:
    documents = made_documents(80)
    _, state = start([table([row for rows in documents.values() for row in rows])], SCHEMA)
    before = dict(sorted(state.entity_of().items()))
    known = Deciding(entity_of=before)
    for document in ("d00", "d07", "d13", "d00"):
        remove(state, [document], deciding=known)
        add(state, [table(documents[document])], deciding=known)
        assert state.entity_of() == before


def test_one_document_at_a_time_ends_near_to_a_full_resolution_with_either_judge() -> None:
    from canonicalize.pair_judge import PairJudge
    from canonicalize.pair_model import shipped_model
    from canonicalize.rounds import RoundPolicy

    documents = made_documents(200)
    first = [row for document in list(documents)[:47] for row in documents[document]]
    pairs = Deciding(PairJudge(shipped_model()), RoundPolicy(most=5, margin=0.4))
    for deciding, least in ((Deciding(), 1.0), (pairs, 0.97)):
        _, state = start([table(first)], SCHEMA, deciding=deciding)
        for document in list(documents)[47:]:
            add(state, [table(documents[document])], deciding=deciding)
        rows = [row for own in documents.values() for row in own]
        full = resolve([table(rows)], SCHEMA, judge=deciding.judge, rounds=deciding.policy)
        assert pairwise(state.entity_of(), {r: g.id for g in full.groups for r in g.records}).f1 >= least


def test_five_thousand_records_of_one_name_in_one_document_join_at_once() -> None:
    _, state = start([table([("a1", "a", "tracking efficiency"), ("b1", "b", "shape")])], SCHEMA)
    rows = [(f"c{n:04d}", "c", "tracking efficiency") for n in range(5_000)]
    change = add(state, [table(rows)])
    assert (change.grown, change.joined) == (("a1",), 5_000)
    remove(state, ["c"])
    assert state.entity_of() == {"a1": "a1", "b1": "b1"}
