"""The REBEL extractor on scripted triplets: second pass, alignment, mapping, refusals."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.extract import extract_document, run_id
from extraction.mentions import align, find_mentions
from extraction.rebel import RebelExtractor, RebelSettings
from extraction.triplets import MARKS, Triplet, read_triplets
from kg.adapters.tfidf_embedder import TfidfEmbedder
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.graph_schema import GraphSchema
from schemas.graphs import DraftRecord, Evidence, Extraction
from schemas.ids import DocumentKey
from schemas.model_output import WrittenTriplets
from schemas.ports import Extractor, SecondPassExtractor
from schemas.schema_files import load_schema

BIOMEDICAL = load_schema("biomedical")
TEXT = "Low-dose aspirin treats severe fever. Flu causes cough. Nothing else is known."


def document(text: str) -> Document:
    return Document(
        key=DocumentKey("k"),
        kind=DocumentKind.TEXT,
        title="A trial",
        text=text,
        sections=(Section(index=0, parent=None, level=0, title="", start=0, end=len(text)),),
        blocks=(Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text), text=text, section=0),)
        if text
        else (),
        source_map=SourceMap(files=("a",), offsets=(0,), file_of=(0,), lines=(1,)),
    )


class Words:
    """Takes given words for entities."""

    name = "words/1"

    def __init__(self, **words: str) -> None:
        self.words = words

    def extract(self, document: Document, schema: GraphSchema) -> Extraction:
        drafts = []
        for word, kind in self.words.items():
            assert schema.entity(kind)
            at = document.text.find(word)
            if at >= 0:
                evidence = Evidence(start=at, end=at + len(word), quote=word)
                drafts.append(
                    DraftRecord(ref=word, type=kind, name=word, evidence=(evidence,), confidence=0.6)
                )
        return Extraction(extractor=self.name, records=tuple(drafts))


class Writer:
    """Writes the same for every text and remembers what it read."""

    model_id = "scripted@0"

    def __init__(self, text: str, confidence: float = 0.8) -> None:
        self.text, self.confidence, self.read = text, confidence, list[str]()

    def write(self, texts: Sequence[str]) -> tuple[WrittenTriplets, ...]:
        self.read += texts
        return tuple(WrittenTriplets(self.text, self.confidence) for _ in texts)


FOUND = Words(aspirin="drug", fever="symptom", Flu="disease", cough="symptom")


def linear(head: str, relation: str, tail: str) -> str:
    return f"<triplet> {head} <subj> {tail} <obj> {relation}"


def test_a_triplet_becomes_a_statement_between_found_entities() -> None:
    rebel = RebelExtractor(Writer(linear("aspirin", "treats", "fever")))
    graph = extract_document(document(TEXT), BIOMEDICAL, [rebel, FOUND])
    names = {r.id: r for r in graph.records}
    assert len(graph.records) == 4
    (fact,) = graph.statements
    assert (names[fact.subject].name, fact.type, names[fact.object].name) == ("aspirin", "treats", "fever")
    assert [e.quote for e in fact.evidence] == ["Low-dose aspirin treats severe fever."]
    assert fact.confidence == 0.8
    assert names[fact.subject].extractor == f"{rebel.name}+words/1"
    assert graph.run_id == run_id(document(TEXT), BIOMEDICAL, [FOUND, rebel])
    assert graph.rejections == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", ""),
        ("no marks at all", "malformed"),
        ("<triplet> aspirin <subj> fever", "malformed"),
        (linear("Paris", "treats", "fever"), "no_mention"),
        (linear("aspirin", "capital of", "fever"), "unknown_relation"),
        (linear("fever", "treats", "aspirin"), "wrong_end"),
        (linear("aspirin", "treats", "cough"), "no_common_sentence"),
        (linear("aspirin", "treats", "aspirin"), "same_entity"),
    ],
)
def test_what_does_not_fit_is_rejected_with_a_reason(text: str, code: str) -> None:
    found = RebelExtractor(Writer(text)).extract_after(
        document(TEXT), BIOMEDICAL, [FOUND.extract(document(TEXT), BIOMEDICAL)]
    )
    assert found.statements == ()
    assert [r.code for r in found.rejections] == ([code] if code else [])


def test_ends_are_aligned_by_common_words_and_phrases_by_meaning_or_in_reverse() -> None:
    text = linear("fever", "treated by", "low-dose aspirin") + linear("Flu", "causess", "COUGH")
    rebel = RebelExtractor(Writer(text), RebelSettings(similarity=0.5), embedder=TfidfEmbedder())
    found = rebel.extract_after(document(TEXT), BIOMEDICAL, [FOUND.extract(document(TEXT), BIOMEDICAL)])
    assert [(s.subject, s.type, s.object) for s in found.statements] == [
        ("drug:aspirin", "treats", "symptom:fever"),
        ("disease:flu", "causes", "symptom:cough"),
    ]
    assert found.statements[0].confidence == pytest.approx(0.8 * 0.5)
    assert found.rejections == ()


def test_only_chunks_with_two_entities_are_read() -> None:
    writer = Writer(linear("aspirin", "treats", "fever"))
    rebel = RebelExtractor(writer)
    assert rebel.extract(document(TEXT), BIOMEDICAL).records == ()
    extract_document(document(TEXT), BIOMEDICAL, [Words(aspirin="drug"), rebel])
    assert writer.read == []
    extract_document(document(TEXT), BIOMEDICAL, [FOUND, rebel])
    assert writer.read == [TEXT]


def test_two_extractors_that_found_one_entity_found_one() -> None:
    writer = Writer("")
    extract_document(
        document(TEXT), BIOMEDICAL, [Words(aspirin="drug"), Words(aspirin="drug"), RebelExtractor(writer)]
    )
    assert writer.read == []


def test_a_second_pass_extractor_is_told_apart() -> None:
    assert isinstance(RebelExtractor(Writer("")), SecondPassExtractor)
    ordinary: Extractor = FOUND
    assert not isinstance(ordinary, SecondPassExtractor)


def test_a_mention_is_the_name_inside_a_longer_quote() -> None:
    quote = "Low-dose aspirin treats severe fever."
    draft = DraftRecord(
        ref="a", type="drug", name="aspirin", evidence=(Evidence(start=0, end=len(quote), quote=quote),)
    )
    far = draft.model_copy(update={"ref": "b", "name": "acetylsalicylic acid " * 6})
    mentions = find_mentions(document(TEXT), BIOMEDICAL, [Extraction(extractor="x", records=(draft, far))])
    assert ("drug:aspirin", 9, 16) in [(m.ref, m.start, m.end) for m in mentions]
    assert align("ASPIRIN", mentions)[0][0].ref == "drug:aspirin"
    assert align("aspirin tablets", [m for m in mentions if m.start == 9])[1] == pytest.approx(2 / 3)
    assert align("", mentions) == ((), 0.0)


@given(st.lists(st.sampled_from((*MARKS, "fever", "a b", "<s>", "</s>", "<pad>", ""))).map(" ".join))
def test_any_sequence_of_marks_is_read(text: str) -> None:
    triplets, broken = read_triplets(text)
    assert all(t.head and t.relation and t.tail for t in triplets)
    assert len(set(triplets)) == len(triplets)
    assert all("<" not in part for t in triplets for part in (t.head, t.relation, t.tail))
    words = text.replace("<s>", "").replace("</s>", "").replace("<pad>", "").split()
    assert triplets or broken or not words


def test_triplets_share_a_head() -> None:
    text = linear("flu", "causes", "fever") + " <subj> cough <obj> causes"
    assert read_triplets(text)[0] == (Triplet("flu", "causes", "fever"), Triplet("flu", "causes", "cough"))
