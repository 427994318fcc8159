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
        ("logbook", "The gate valve leaks.", ("leak", "occurs_in", "gate valve")),
        ("logbook", "The camera was repaired by J. Doe.", ("repair", "performed_by", "J. Doe")),
        (
            "logbook",
            "Repair of the motor under work request 20417.",
            ("repair", "requested_in", "work request 20417"),
        ),
        ("logbook", "A trip on 2024-03-05 04:10.", ("trip", "happened_at", "2024-03-05 04:10")),
        ("logbook", "The thermocouple of the injector drifted.", ("thermocouple", "part_of", "injector")),
        ("biomedical", "Rapamycin inhibits the kinase mTOR.", ("rapamycin", "inhibits", "mTOR")),
        ("biomedical", "Fever is a symptom of malaria.", ("fever", "symptom_of", "malaria")),
    ],
)
def test_a_relation_is_found(schema: str, text: str, expected: tuple[str, str, str]) -> None:
    graph = extract_document(document(text), load_schema(schema), [RuleExtractor()])
    names = {r.id: r.name for r in graph.records}
    assert expected in {(names[s.subject], s.type, names[s.object]) for s in graph.statements}


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ("biomedical", {"paper", "disease", "drug", "protein", "gene", "symptom", "concept"}),
        (
            "logbook",
            {
                "entry",
                "equipment",
                "subsystem",
                "signal",
                "fault",
                "action",
                "person",
                "work_request",
                "time",
            },
        ),
        ("particle_physics", {"paper", "observable", "decay", "uncertainty_source", "method"}),
    ],
)
def test_the_catalog_is_complete(schema: str, types: set[str]) -> None:
    """Each type and relation has words of its own, in both directions, and a description."""
    loaded = load_schema(schema)
    assert {e.name for e in loaded.entities} == types
    assert all(e.verbalisations and e.description for e in loaded.entities)
    assert all(r.verbalisations and r.inverse and r.description for r in loaded.relations)


def test_nobody_is_no_person() -> None:
    graph = extract_document(
        document("Reset by Main Control after the shift."), load_schema("logbook"), [RuleExtractor()]
    )
    assert "person" not in {r.type for r in graph.records}


def test_times_are_no_signals() -> None:
    graph = extract_document(
        document("At 12:30:05 all was quiet."), load_schema("logbook"), [RuleExtractor()]
    )
    assert [r.type for r in graph.records] == ["entry"]
