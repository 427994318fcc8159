"""The staged pair model: embedders, relations without an example, and what it is asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from extraction.extract import extract_document
from extraction.learned import LearnedExtractor
from extraction.learned_clues import Clue, Likeness, relation_text
from extraction.learned_fit import LearnedTrainer
from extraction.learned_model import embedder_of
from extraction.learned_stages import STAGED_FROM, Ranked
from extraction.learned_stages_fit import Aim, best_ranked
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.errors import DataError, UsageError
from schemas.graph_schema import EntityType, GraphSchema, RelationType
from schemas.graphs import DocumentGraph, Evidence, Record, Statement, Status
from schemas.ids import DocumentKey, record_id, statement_id
from schemas.learning import LabelledDocument, ModelArtifact

VERBS = {
    "built_by": "was built by", "sold_to": "was sold to", "painted_by": "was painted by",
    "tested_in": "was tested in", "cleaned_by": "was cleaned by",
}  # fmt: skip
UNSEEN = "repaired_by"
SCHEMA = GraphSchema(
    name="yard",
    version="1",
    entities=(EntityType(name="thing", label="Thing"),),
    relations=tuple(
        RelationType(name=name, subjects=("thing",), objects=("thing",)) for name in (*VERBS, UNSEEN)
    ),
)
BOATS = ("Tarvex", "Ombrel", "Quintor", "Lasko", "Vendrix", "Pelmar", "Drovan", "Sintex", "Kaldor")
PEOPLE = ("Mira Oslen", "Jon Hadrick", "Ulla Brem", "Petr Sivak", "Ana Corvo", "Tom Weld", "Ina Raske")


class HashedWords:
    """Vectors that are sums of one fixed vector per word."""

    dimension = 16

    def __init__(self, model_id: str = "hashed-words/1") -> None:
        self.model_id = model_id

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.split():
                digest = hashlib.sha256(word[:5].encode()).digest()[: self.dimension]
                row[:] += np.frombuffer(digest, np.uint8).astype(np.float32) - 127.5
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(norms > 0, norms, 1), np.float32)


def document(key: str, text: str) -> Document:
    return Document(
        key=DocumentKey(key),
        kind=DocumentKind.TEXT,
        title="",
        text=text,
        sections=(Section(index=0, parent=None, level=0, title="", start=0, end=len(text)),),
        blocks=(Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text), text=text, section=0),),
        source_map=SourceMap(files=("a",), offsets=(0,), file_of=(0,), lines=(1,)),
    )


def labelled(number: int) -> LabelledDocument:
    relation = tuple(VERBS)[number % len(VERBS)]
    names = (BOATS[number % len(BOATS)], PEOPLE[number % len(PEOPLE)])
    doc = document(f"boat-{number:03}", f"The boat {names[0]} {VERBS[relation]} {names[1]} last year.")
    records = [
        Record(
            id=record_id(doc.key, "thing", name.lower()),
            document=doc.key,
            type="thing",
            name=name,
            evidence=(
                Evidence(start=doc.text.index(name), end=doc.text.index(name) + len(name), quote=name),
            ),
            status=Status.VETTED,
        )
        for name in names
    ]
    statement = Statement(
        id=statement_id(doc.key, records[0].id, relation, records[1].id),
        document=doc.key,
        subject=records[0].id,
        type=relation,
        object=records[1].id,
        status=Status.VETTED,
    )
    graph = DocumentGraph(
        document=doc.key,
        version=doc.version,
        schema_name="yard",
        schema_version="1",
        run_id="gold",
        records=tuple(records),
        statements=(statement,),
    )
    return LabelledDocument(document=doc, graph=graph, complete=True)


@cache
def trained() -> ModelArtifact:
    return LearnedTrainer(embedder=HashedWords()).fit([labelled(n) for n in range(60)], SCHEMA)


def found(text: str, asked: frozenset[str] | None = None) -> set[tuple[str, str, str]]:
    extractor = LearnedExtractor(trained(), SCHEMA, embedder=HashedWords(), asked=asked)
    graph = extract_document(document("x", text), SCHEMA, [extractor])
    names = {r.id: r.name for r in graph.records}
    return {(names[s.subject], s.type, names[s.object]) for s in graph.statements}


def test_it_relates_names_that_it_never_saw() -> None:
    assert found("The boat Brunel was painted by Eva Lind last year.") == {
        ("Brunel", "painted_by", "Eva Lind")
    }


@pytest.mark.parametrize("text", ["The boat Ilvo Ressen Tarvex was built by Mira Oslen Brem.", "Quintor", ""])
def test_every_end_is_a_record_with_its_quote(text: str) -> None:
    extractor = LearnedExtractor(trained(), SCHEMA, embedder=HashedWords())
    made = extractor.extract(document("x", text), SCHEMA)
    ends = {ref for s in made.statements for ref in (s.subject, s.object)}
    assert ends <= {r.ref for r in made.records}
    assert len({r.ref for r in made.records}) == len(made.records)
    quoted = [*(r.evidence for r in made.records), *(s.evidence for s in made.statements)]
    for evidence in [e for found in quoted for e in found]:
        assert evidence.quote == text[evidence.start : evidence.end]


def test_a_relation_without_an_example_is_found_by_what_it_is_called() -> None:
    text = "The boat Brunel was repaired by Eva Lind last year."
    asked = frozenset({UNSEEN, "sold_to", "tested_in"})
    assert ("Brunel", UNSEEN, "Eva Lind") in found(text, asked)


def test_only_what_is_asked_for_is_found() -> None:
    text = "The boat Brunel was painted by Eva Lind last year."
    assert {r for _, r, _ in found(text, frozenset({"sold_to"}))} <= {"sold_to"}
    with pytest.raises(UsageError, match="expected relation types of schema yard, found sunk_by"):
        found(text, frozenset({"sunk_by"}))


def test_the_artifact_names_its_embedder_and_refuses_another() -> None:
    assert embedder_of(trained()) == "hashed-words/1"
    assert LearnedExtractor(trained(), SCHEMA, embedder=HashedWords()).embeds
    with pytest.raises(UsageError, match=r"trained with the embedder hashed-words/1, found none"):
        LearnedExtractor(trained(), SCHEMA)
    with pytest.raises(UsageError, match=r"hashed-words/1, found hashed-words/2; use that one"):
        LearnedExtractor(trained(), SCHEMA, embedder=HashedWords("hashed-words/2"))


def test_the_same_documents_in_any_order_give_the_same_model() -> None:
    documents = [labelled(n) for n in range(20)]
    one = LearnedTrainer(embedder=HashedWords()).fit(documents, SCHEMA)
    assert LearnedTrainer(embedder=HashedWords()).fit(documents[::-1], SCHEMA).digest == one.digest


@pytest.mark.parametrize(
    "name",
    [
        "pair/gate",
        "pair/weights",
        "pair/shared",
        "pair/features",
        "rank/features",
        "rank/owners",
        "rank/names",
        "rank/shared",
    ],
)
def test_a_damaged_model_is_a_clear_error(name: str) -> None:
    arrays = {**trained().arrays, name: trained().arrays[name][:-1]}
    with pytest.raises(DataError, match="the learned model is damaged"):
        LearnedExtractor(replace(trained(), arrays=arrays), SCHEMA, embedder=HashedWords())


def test_a_ranking_of_features_that_are_not_there_is_a_clear_error() -> None:
    arrays = {**trained().arrays, "rank/features": trained().arrays["rank/features"] + 10**6}
    with pytest.raises(DataError, match=r"numbers from 0 to \d+ in rank/features"):
        LearnedExtractor(replace(trained(), arrays=arrays), SCHEMA, embedder=HashedWords())


def test_a_schema_of_many_relations_is_judged_in_two_stages_without_an_embedder() -> None:
    names = [f"rel{chr(97 + n)}x" for n in range(STAGED_FROM)]
    many = SCHEMA.model_copy(
        update={
            "relations": tuple(r.model_copy(update={"name": n}) for n in names for r in SCHEMA.relations[:1])
        }
    )

    def renamed(number: int) -> LabelledDocument:
        one = labelled(number)
        (statement,) = one.graph.statements
        other = statement.model_copy(update={"type": names[number % len(names)]})
        return one.model_copy(update={"graph": one.graph.model_copy(update={"statements": (other,)})})

    artifact = LearnedTrainer().fit([renamed(n) for n in range(2 * STAGED_FROM)], many)
    assert "pair/gate" in artifact.arrays
    assert embedder_of(artifact) == ""
    assert not LearnedExtractor(artifact, many, embedder=HashedWords()).embeds


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=6), st.floats(0, 1))
def test_the_best_pair_of_a_relation_holds_whenever_one_does(
    values: list[tuple[float, float]], rival: float
) -> None:
    probable = np.array([[0.0, a, b] for a, b in values])
    holds = Ranked(0.2, rival).holds(probable)
    assert not holds[:, 0].any()
    assert (probable[holds] >= max(0.2, rival * probable[:, 1:].max())).all()
    assert holds.any() == (probable[:, 1:].max() >= 0.2)


def test_in_an_open_world_only_the_types_of_a_document_are_judged() -> None:
    truth = np.zeros((3, 5))
    truth[0, 1] = 1
    probable = np.array([[0.0, 0.04, 0.0, 0.03, 0.0], [0.0, 0.0, 0.0, 0.03, 0.0], [0.0, 0.0, 0.0, 0.03, 0.0]])
    assert best_ranked([(probable, truth)], Aim(open_world=True))[0].least <= 0.04
    closed, _ = best_ranked([(probable, truth), (truth, truth)], Aim())
    assert closed.least > 0.04


def test_words_of_one_stem_are_alike() -> None:
    likeness = Likeness(SCHEMA)
    values, vectors = likeness.of([Clue(("was", "painted", "by"), ("boat", "building"))])
    names = likeness.relations
    assert values[0, 0, names.index("painted_by")] == 1.0
    assert values[0, 0, names.index("sold_to")] == 0.0
    assert vectors.shape == (1, 0)
    assert relation_text(RelationType(name="icaoCode".lower(), subjects=("a",), objects=("b",))) == "icaocode"
