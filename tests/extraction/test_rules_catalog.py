"""The biomedical and logbook rules on own texts, and the speed on short documents."""

from __future__ import annotations

import pytest

from extraction.extract import extract_document
from extraction.rules import RuleExtractor
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.ids import DocumentKey
from schemas.schema_files import load_schema


def document(text: str) -> Document:
    return Document(
        key=DocumentKey("k"),
        kind=DocumentKind.TEXT,
        title="",
        text=text,
        sections=(Section(index=0, parent=None, level=0, title="", start=0, end=len(text)),),
        blocks=(Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text), text=text, section=0),),
        source_map=SourceMap(files=("a",), offsets=(0,), file_of=(0,), lines=(1,)),
    )


@pytest.mark.parametrize(
    ("schema", "text", "expected"),
    [
        ("biomedical", "Metformin is used to treat type 2 diabetes.", ("metformin", "treats", "diabetes")),
        ("biomedical", "Influenza causes fever in most patients.", ("influenza", "causes", "fever")),
        (
            "biomedical",
            "The cytokine IL-6 interacts with the receptor EGFR.",
            ("IL-6", "interacts_with", "EGFR"),
        ),
        ("logbook", "The klystron tripped during the night.", ("trip", "occurs_in", "RF system")),
        (
            "logbook",
            "Water leak fixed after the chiller was replaced.",
            ("replacement", "applied_to", "cooling water"),
        ),
        ("logbook", "The channel SR:C05:BPM-X drifted.", ("drift", "occurs_in", "SR:C05:BPM-X")),
    ],
)
def test_a_relation_is_found(schema: str, text: str, expected: tuple[str, str, str]) -> None:
    graph = extract_document(document(text), load_schema(schema), [RuleExtractor()])
    names = {r.id: r.name for r in graph.records}
    assert expected in {(names[s.subject], s.type, names[s.object]) for s in graph.statements}


def test_times_are_no_signals() -> None:
    graph = extract_document(
        document("At 12:30:05 all was quiet."), load_schema("logbook"), [RuleExtractor()]
    )
    assert [r.type for r in graph.records] == ["entry"]
