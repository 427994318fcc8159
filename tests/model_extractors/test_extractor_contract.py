"""What every extractor keeps to, whatever finds the facts: rules, chat models, GLiNER, REBEL."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from extraction.extract import extract_document
from extraction.gliner import GlinerExtractor, GlinerSettings
from extraction.llm import LlmExtractor
from extraction.rebel import RebelExtractor
from extraction.rules import RuleExtractor
from kg.adapters.gliner_model import GlinerModel
from kg.adapters.rebel_model import RebelModel
from schemas.documents import Document
from schemas.graphs import DocumentGraph
from schemas.model_output import LabelledRelation, LabelledSpan, LabelledText, WrittenTriplets
from schemas.ports import ChatReply, ChatRequest, Extractor
from schemas.schema_files import load_schema
from schemas.waiting import never

BIOMEDICAL = load_schema("biomedical")
TEXTS = (
    "aspirin treats fever .",
    "In patients, influenza causes severe headache and fever. IL-6 is a cytokine.",
)
LOOSE = GlinerSettings(sure=0.3, unsure=0.3, relation=0.3)


class Labeller:
    """Takes every first word for a drug and every last one for a symptom, surely or not."""

    model_id, relates = "scripted@0", True

    def label(
        self, texts: Sequence[str], labels: Sequence[str], *, relations: Sequence[str] = (), threshold: float
    ) -> tuple[LabelledText, ...]:
        assert {"drug", "symptom"} <= set(labels)
        assert "treats" in relations
        return tuple(self._one(text, threshold) for text in texts)

    def _one(self, text: str, threshold: float) -> LabelledText:
        first, last = (0, len(text.split(maxsplit=1)[0])), (text.rfind(" ") + 1, len(text))
        spans = (LabelledSpan(*first, "drug", 0.9), LabelledSpan(*last, "symptom", threshold))
        return LabelledText(spans, (LabelledRelation(first, last, "treats", 0.9),))


class Writer:
    """Writes one triplet, and a broken one."""

    model_id = "scripted@0"

    def write(self, texts: Sequence[str]) -> tuple[WrittenTriplets, ...]:
        line = "<triplet> influenza <subj> fever <obj> causes <triplet> nothing"
        return tuple(WrittenTriplets(line, 0.9) for _ in texts)


class Chat:
    """Proposes one entity with a quote, and one without."""

    model = "scripted"

    def complete(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> ChatReply:  # noqa: ARG002
        entities = [
            {"ref": "a", "name": "fever", "quotes": ["fever"]},
            {"ref": "b", "name": "gout", "quotes": ["words that are nowhere"]},
        ]
        assert "symptom" in request.json_schema or "entities" in request.json_schema
        reply = {"explanation": "", "document": {}, "entities": {"symptom": entities}, "relations": {}}
        return ChatReply(text=json.dumps(reply), finish_reason="stop", model=self.model)


Made = Callable[[Any], Sequence[Extractor]]
SCRIPTED: dict[str, Made] = {
    "rules": lambda _: [RuleExtractor()],
    "llm": lambda _: [LlmExtractor(Chat())],
    "gliner": lambda _: [GlinerExtractor(Labeller(), GlinerSettings(sure=0.5, unsure=0.3))],
    "rebel": lambda _: [RuleExtractor(), RebelExtractor(Writer())],
}
REAL: dict[str, Made] = {
    "gliner-library": lambda get: [
        GlinerExtractor(GlinerModel(str(get("gliner_folder")), device="cpu"), LOOSE)
    ],
    "gliner-relations": lambda get: [
        GlinerExtractor(GlinerModel(str(get("relation_folder")), device="cpu"), LOOSE)
    ],
    "rebel-library": lambda get: [
        GlinerExtractor(Labeller()),
        RebelExtractor(RebelModel(str(get("rebel_folder")), device="cpu", max_tokens=16)),
    ],
}


@pytest.fixture(params=[*SCRIPTED, *REAL])
def extractors(request: pytest.FixtureRequest) -> Callable[[], Sequence[Extractor]]:
    """Makes the extractors of one kind anew."""
    make = (SCRIPTED | REAL)[request.param]
    return lambda: make(request.getfixturevalue)


def graph_of(document: Document, extractors: Sequence[Extractor]) -> DocumentGraph:
    return extract_document(document, BIOMEDICAL, extractors)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: socket.socket, address: object) -> None:
        raise AssertionError(f"an extractor wanted to reach {address}")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_quotes_are_in_the_text_and_types_and_ends_fit(
    extractors: Callable[[], Sequence[Extractor]], document_of: Callable[..., Document]
) -> None:
    document = document_of(*TEXTS)
    graph = graph_of(document, extractors())
    assert graph.records
    records = {r.id: r for r in graph.records}
    for item in (*graph.records, *graph.statements):
        assert item.evidence
        assert all(document.text[e.start : e.end] == e.quote for e in item.evidence)
        assert 0 < item.confidence <= 1
    for record in graph.records:
        assert BIOMEDICAL.entity(record.type)
    for statement in graph.statements:
        relation = BIOMEDICAL.relation(statement.type)
        assert records[statement.subject].type in relation.subjects
        assert records[statement.object].type in relation.objects
        assert statement.subject != statement.object
    assert all(r.extractor and r.code and r.detail for r in graph.rejections)


def test_the_same_document_gives_the_same_graph(
    extractors: Callable[[], Sequence[Extractor]], document_of: Callable[..., Document]
) -> None:
    document, kept = document_of(*TEXTS), extractors()
    assert graph_of(document, kept) == graph_of(document, kept) == graph_of(document, extractors())
    assert [e.name for e in kept] == [e.name for e in extractors()]


def test_other_documents_before_it_change_nothing(
    extractors: Callable[[], Sequence[Extractor]], document_of: Callable[..., Document]
) -> None:
    document, kept = document_of(*TEXTS), extractors()
    graph_of(document_of("flu causes cough ."), kept)
    assert graph_of(document, kept) == graph_of(document, extractors())


def test_an_empty_document_gives_an_empty_graph(
    extractors: Callable[[], Sequence[Extractor]], document_of: Callable[..., Document]
) -> None:
    for document in (document_of(), document_of(" \n ")):
        graph = graph_of(document, extractors())
        assert (graph.records, graph.statements) == ((), ())
