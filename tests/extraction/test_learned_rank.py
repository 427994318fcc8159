"""Pairs of a document compete for each relation."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from extraction.learned_clues import Likeness
from extraction.learned_labels import LabelledRecord
from extraction.learned_pairs import Direction, Neighbourhood, PairData, candidate_pairs
from extraction.learned_rank import Owners, RankModel, fit_rank, ranked
from extraction.learned_roles import Roles, literal_kind
from extraction.learned_text import Mention, Text, read_text
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.graph_schema import EntityType, GraphSchema, RelationType
from schemas.ids import DocumentKey, RecordId

NAMES = ("wall_colour", "door_colour", "weight")
SCHEMA = GraphSchema(
    name="house",
    version="1",
    entities=(EntityType(name="thing", label="Thing"),),
    relations=tuple(RelationType(name=n, subjects=("thing",), objects=("thing",)) for n in NAMES),
)
LIKENESS = Likeness(SCHEMA)


def read(text: str) -> Text:
    block = Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text), text=text, section=0)
    return read_text(
        Document(
            key=DocumentKey("a"),
            kind=DocumentKind.TEXT,
            title="",
            text=text,
            sections=(Section(index=0, parent=None, level=0, title="", start=0, end=len(text)),),
            blocks=(block,),
            source_map=SourceMap(files=("a",), offsets=(0,), file_of=(0,), lines=(1,)),
        )
    )


def scene(text: str, relation: str = "", winner: tuple[str, str] = ("", "")) -> tuple[PairData, Roles]:
    """The names of a text, which begin with capitals; ``winner`` are subject and object of the relation."""
    made = read(text)
    words = made.sentences[0].words
    records = [
        LabelledRecord(RecordId(w), "thing", w, (Mention(0, at, at + 1),))
        for at, w in enumerate(words)
        if w[0].isupper()
    ]
    pairs = candidate_pairs(records, SCHEMA, reach=0)
    labels: list[frozenset[Direction]] = []
    for p in pairs:
        ends = (p.first.name, p.second.name)
        labels.append(frozenset({(relation, ends == winner)} if set(ends) == set(winner) else ()))
    return PairData(tuple(pairs), ((),) * len(pairs), tuple(labels)), Roles.of(
        pairs, Neighbourhood.of(made, records)
    )


def trained(relations: tuple[str, ...] = ("wall_colour",)) -> RankModel:
    things, others = ("Abro", "Beltu", "Corda", "Dimpo"), ("Ruvo", "Sarn", "Tolp", "Wenk")
    data = [
        scene(f"while {c} sleeps the {a} is painted {b} all over", r, (a, b))
        for r in relations
        for a, b, c in zip(things, others, others[1:] + others[:1], strict=True)
    ]
    return fit_rank(data, LIKENESS)


def best(model: RankModel, text: str, relation: str) -> tuple[str, str]:
    data, roles = scene(text)
    scores = model.scores(roles, LIKENESS, np.array([NAMES.index(relation)]))[:, 0]
    row = int(scores.argmax())
    pair = data.pairs[row % len(data.pairs)]
    ends = (pair.first.name, pair.second.name)
    return ends if row < len(data.pairs) else (ends[1], ends[0])


UNSEEN = "while Ulp sleeps the Gastro is painted Hemmel all over"


def test_it_learns_which_pair_a_relation_joins() -> None:
    assert best(trained(), UNSEEN, "wall_colour") == ("Gastro", "Hemmel")


def test_a_relation_without_an_example_learns_from_its_namesake() -> None:
    model = trained()
    owners = Owners.called(LIKENESS.words)
    scores = {n: model.scores(scene(UNSEEN)[1], LIKENESS, np.array([NAMES.index(n)]))[:, 0] for n in NAMES}
    spread = {n: float(np.ptp(s)) for n, s in scores.items()}
    assert best(model, UNSEEN, "door_colour") == ("Gastro", "Hemmel")
    assert spread["weight"] < spread["door_colour"] < spread["wall_colour"]
    assert set(owners.of[0]) & set(owners.of[1])
    assert not set(owners.of[0]) & set(owners.of[2])


def test_its_cells_make_the_same_model() -> None:
    model, (_, roles) = trained(), scene(UNSEEN)
    again = RankModel.of(model.columns, model.cells(), model.shared, Owners.called(LIKENESS.words))
    every = np.arange(len(NAMES))
    assert np.array_equal(again.scores(roles, LIKENESS, every), model.scores(roles, LIKENESS, every))


def test_scores_of_some_relations_are_those_of_all() -> None:
    model, (_, roles) = trained(("wall_colour", "weight")), scene(UNSEEN)
    whole = model.scores(roles, LIKENESS, np.arange(len(NAMES)))
    assert np.allclose(model.scores(roles, LIKENESS, np.array([2, 0])), whole[:, [2, 0]])


def test_without_a_contest_all_scores_are_equal() -> None:
    model = fit_rank([scene("only Abro is near Ruvo")], LIKENESS)
    scores = model.scores(scene(UNSEEN)[1], LIKENESS, np.arange(len(NAMES)))
    assert not scores.any()


def test_roles_name_subject_and_object() -> None:
    data, roles = scene("the Abro is near Ruvo")
    columns = {f: at for at, f in enumerate(sorted({f for row in roles.named() for f in row}))}
    forth, back = ({f for f in columns if row[columns[f]]} for row in roles.table(columns).toarray())
    assert len(data.pairs) == 1
    assert {"s:w=abro", "o:w=ruvo", "b:<m=near"} <= forth
    assert {"s:w=ruvo", "o:w=abro", "b:>m=near"} <= back


@given(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=5))
def test_every_span_has_a_kind(words: list[str]) -> None:
    assert literal_kind(words) in {"year", "int", "decimal", "date", "mixed", "low", "name"}


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(-40, 40)), min_size=1, max_size=6),
    st.sampled_from([0.0, 0.3, 0.5]),
)
def test_a_ranking_keeps_the_best_probability_and_what_cannot_be(
    rows: list[tuple[float, float]], trust: float
) -> None:
    probable, scores = (np.array([[row[at]] for row in rows]) for at in (0, 1))
    found = ranked(probable, scores, trust)
    assert np.isclose(found.max(), probable.max())
    assert not found[probable == 0].any()
    if trust == 0:
        assert np.array_equal(found, probable)
