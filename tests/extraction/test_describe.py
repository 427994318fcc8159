"""Descriptions: verbalised statements, templates, cited sentences of a chat model; identity stays."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from extraction.describe import (
    LONGEST_DESCRIPTION,
    ChatDescriber,
    Describer,
    TemplateDescriber,
    cited_sentences,
)
from extraction.extract import extract_document, run_id
from extraction.rules import RuleExtractor
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.graphs import DocumentGraph, Record, Statement
from schemas.ids import DocumentKey, RecordId, StatementId
from schemas.ports import ChatReply, ChatRequest
from schemas.schema_files import load_schema
from schemas.waiting import never

PHYSICS = load_schema("particle_physics")
KEY = DocumentKey("k")


def record(key: str, kind: str, name: str, **rest: object) -> Record:
    return Record.model_validate(
        {"id": RecordId(key), "document": KEY, "type": kind, "name": name, "description": "", **rest}
    )


def graph() -> DocumentGraph:
    return DocumentGraph(
        document=KEY,
        version="v",
        schema_name=PHYSICS.name,
        schema_version=PHYSICS.version,
        run_id="r",
        records=(
            record("s", "uncertainty_source", "trigger efficiency"),
            record("o", "observable", "lifetime of B_s0", description="Written by its authors."),
            record("m", "method", "pseudoexperiments"),
        ),
        statements=(
            Statement(
                id=StatementId("f1"),
                document=KEY,
                subject=RecordId("s"),
                type="affects",
                object=RecordId("o"),
                attributes={"magnitude": 0.004, "unit": "ps"},
            ),
        ),
    )


class Chat:
    """One reply, again and again."""

    model = "scripted"

    def __init__(self, *descriptions: str) -> None:
        items = [{"number": n, "description": d} for n, d in enumerate(descriptions, 1)]
        self.reply, self.requests = json.dumps({"items": items}), list[ChatRequest]()

    def complete(self, request: ChatRequest, *, gone: Callable[[], bool] = never) -> ChatReply:  # noqa: ARG002
        self.requests.append(request)
        return ChatReply(text=self.reply, finish_reason="stop", model=self.model)


def described(describer: Describer) -> dict[str, str]:
    before, after = graph(), describer.describe(graph(), PHYSICS)
    assert [r.model_copy(update={"description": ""}) for r in after.records] == [
        r.model_copy(update={"description": ""}) for r in before.records
    ]
    assert after.statements == before.statements
    return {r.id: r.description for r in after.records}


def test_statements_in_words_else_a_template() -> None:
    found = described(TemplateDescriber())
    assert found["s"].startswith("trigger efficiency affects lifetime of B_s0 (")
    assert "0.004" in found["s"]
    assert found["o"] == "Written by its authors."
    assert found["m"] == "pseudoexperiments: method."


def test_a_chat_model_writes_cited_sentences() -> None:
    chat = Chat("It shifts the lifetime [S1].")
    found = described(ChatDescriber(chat))
    assert found["s"] == "It shifts the lifetime [f1]."
    assert found["m"] == "pseudoexperiments: method."
    assert "S1: trigger efficiency affects lifetime of B_s0" in chat.requests[0].messages[1].content
    assert "pseudoexperiments" not in chat.requests[0].messages[1].content


@pytest.mark.parametrize("said", ["It is the largest of all.", "It is large [S2].", "", "It [S1, S9]."])
def test_uncited_and_wrongly_cited_sentences_are_dropped(said: str) -> None:
    assert described(ChatDescriber(Chat(said)))["s"] == described(TemplateDescriber())["s"]


def test_only_the_sentence_before_a_citation_is_kept_and_two_at_most() -> None:
    facts = graph().statements
    assert cited_sentences("It is huge. It affects a lifetime [S1].", facts) == "It affects a lifetime [f1]."
    assert cited_sentences("One [S1]. Two [S1]. Three [S1].", facts) == "One [f1]. Two [f1]."
    assert len(cited_sentences("x" * 2_000 + " [S1].", facts)) <= LONGEST_DESCRIPTION


@pytest.mark.parametrize("said", ["x" * 400_000, "It is large [S" + "1" * 5_000 + "].", "[S1" * 50_000])
def test_a_hostile_description_is_dropped_at_once(said: str) -> None:
    """Neither an endless sentence nor a number of thousands of digits stops the run."""
    assert cited_sentences(said, graph().statements) == ""


def test_described_extraction_keeps_ids_and_has_a_run_of_its_own() -> None:
    text = "The decay B_s0 -> J/psi phi is used."
    made = Document(
        key=KEY,
        kind=DocumentKind.TEXT,
        title="",
        text=text,
        sections=(Section(index=0, parent=None, level=0, title="", start=0, end=len(text)),),
        blocks=(Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text), text=text, section=0),),
        source_map=SourceMap(files=("a",), offsets=(0,), file_of=(0,), lines=(1,)),
    )
    extractors, describer = [RuleExtractor()], TemplateDescriber()
    plain = extract_document(made, PHYSICS, extractors)
    told = extract_document(made, PHYSICS, extractors, describer=describer)
    assert plain.records
    assert [r.id for r in told.records] == [r.id for r in plain.records]
    assert all(r.description for r in told.records)
    assert told.run_id == run_id(made, PHYSICS, extractors, describer=describer) != plain.run_id
