"""The learned extractor on own synthetic documents: it learns, stays in the text, gives the same bytes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.extract import extract_document
from extraction.learned import LearnedExtractor
from extraction.learned_fit import LearnedTrainer
from extraction.rules import RuleExtractor
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.errors import DataError, UsageError
from schemas.graph_schema import EntityType, GraphSchema, RelationType
from schemas.graphs import DocumentGraph, Evidence, Record, Statement, Status
from schemas.ids import DocumentKey, RecordId, record_id, statement_id
from schemas.learning import LabelledDocument, ModelArtifact

SCHEMA = GraphSchema(
    name="workshop",
    version="1",
    entities=(
        EntityType(name="machine", label="Machine"),
        EntityType(name="fault", label="Fault"),
        EntityType(name="town", label="Town"),
    ),
    relations=(
        RelationType(name="shows", subjects=("machine",), objects=("fault",)),
        RelationType(name="stands_in", subjects=("machine",), objects=("town",)),
    ),
)
MACHINES = ("Tarvex", "Ombrel", "Quintor", "Lasko", "Vendrix", "Pelmar", "Drovan", "Sintex")
FAULTS = ("oil leak", "bearing noise", "belt slip", "fan trip", "gear wear")
TOWNS = ("Northwick", "Esterby", "Halvord", "Minster")


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


def sentence(number: int) -> tuple[str, str, str, str]:
    machine = f"{MACHINES[number % len(MACHINES)]} {number % 7 + 2}"
    fault, town = FAULTS[number % len(FAULTS)], TOWNS[number % len(TOWNS)]
    forms = (
        f"The press {machine} showed a {fault} after the shift.",
        f"During the night the {fault} of press {machine} was found.",
        f"Press {machine} stands in {town} and had a {fault} today.",
        f"In {town} the press {machine} was cleaned and oiled.",
    )
    return forms[number % len(forms)], machine, fault, town


def labelled(number: int, *, status: Status = Status.VETTED, complete: bool = True) -> LabelledDocument:
    parts = [sentence(3 * number + at) for at in range(3)]
    doc = document(f"note-{number:03}", " ".join(text for text, *_ in parts))
    records: dict[RecordId, Record] = {}
    statements: dict[str, Statement] = {}
    offset = 0
    for text, machine, fault, town in parts:
        ids = {}
        for kind, name in (("machine", machine), ("fault", fault), ("town", town)):
            at = text.find(name)
            if at >= 0:
                ids[kind] = add_record(records, doc, kind, name, offset + at, status)
        for kind, relation in (("fault", "shows"), ("town", "stands_in")):
            if kind in ids:
                made = statement_id(doc.key, ids["machine"], relation, ids[kind])
                quote = Evidence(start=offset, end=offset + len(text), quote=text)
                statements[made] = Statement(
                    id=made,
                    document=doc.key,
                    subject=ids["machine"],
                    type=relation,
                    object=ids[kind],
                    evidence=(quote,),
                    status=status,
                )
        offset += len(text) + 1
    graph = DocumentGraph(
        document=doc.key,
        version=doc.version,
        schema_name=SCHEMA.name,
        schema_version=SCHEMA.version,
        run_id="vetted",
        records=tuple(records.values()),
        statements=tuple(statements.values()),
    )
    return LabelledDocument(document=doc, graph=graph, complete=complete)


def add_record(
    records: dict[RecordId, Record], doc: Document, kind: str, name: str, start: int, status: Status
) -> RecordId:
    key = record_id(doc.key, kind, name.lower())
    quote = Evidence(start=start, end=start + len(name), quote=name)
    known = records.get(key)
    before = known.evidence if known else ()
    records[key] = Record(
        id=key, document=doc.key, type=kind, name=name, evidence=(*before, quote), status=status
    )
    return key


@cache
def trained() -> ModelArtifact:
    return LearnedTrainer().fit([labelled(n) for n in range(24)], SCHEMA)


@cache
def extractor() -> LearnedExtractor:
    return LearnedExtractor(trained(), SCHEMA)


def triples(graph: DocumentGraph) -> set[tuple[str, str, str]]:
    names = {r.id: r.name for r in graph.records}
    return {(names[s.subject], s.type, names[s.object]) for s in graph.statements}


def test_it_finds_what_it_never_saw() -> None:
    text = "The press Zolvane 5 showed a oil leak after the shift. In Esterby the press Kruvix 4 was cleaned."
    graph = extract_document(document("new", text), SCHEMA, [extractor()])
    assert {("Zolvane 5", "shows", "oil leak"), ("Kruvix 4", "stands_in", "Esterby")} <= triples(graph)
    assert graph.rejections == ()
    assert all(0 <= fact.confidence <= 1 for fact in (*graph.records, *graph.statements))
    assert {r.extractor for r in graph.records} == {extractor().name}


def test_held_out_documents_are_mostly_right() -> None:
    found = wanted = right = 0
    for number in range(40, 60):
        example = labelled(number)
        graph = extract_document(example.document, SCHEMA, [extractor()])
        found, wanted = found + len(triples(graph)), wanted + len(triples(example.graph))
        right += len(triples(graph) & triples(example.graph))
    assert 2 * right / (found + wanted) > 0.9


def test_the_same_documents_in_any_order_give_the_same_model() -> None:
    documents = [labelled(n) for n in range(6)]
    one = LearnedTrainer().fit(documents, SCHEMA)
    other = LearnedTrainer().fit(documents[::-1], SCHEMA)
    assert one.digest == other.digest
    assert one.header.documents == 6
    fewer = LearnedTrainer().fit(documents[:-1], SCHEMA)
    assert fewer.header.documents_hash != one.header.documents_hash


WORDS = st.sampled_from(
    [
        "press",
        "Tarvex 3",
        "Zolvane",
        "(ZV)",
        "oil leak",
        ".",
        "\n",
        "The",
        "in",
        "Esterby",
        "→",
        "ﬁ",
        "\u202e",
        "é",
        "0",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.lists(WORDS, max_size=40).map(" ".join), st.text(max_size=200)))
def test_every_quote_is_in_the_text(text: str) -> None:
    graph = extract_document(document("any", text), SCHEMA, [extractor(), RuleExtractor()])
    for fact in (*graph.records, *graph.statements):
        assert fact.evidence
        assert all(text[e.start : e.end] == e.quote for e in fact.evidence)
    types = {r.id: r.type for r in graph.records}
    for statement in graph.statements:
        declared = SCHEMA.relation(statement.type)
        assert types[statement.subject] in declared.subjects
        assert types[statement.object] in declared.objects


def test_drafts_teach_nothing() -> None:
    with pytest.raises(UsageError, match=r"at least 2 documents .* found 0 and 0"):
        LearnedTrainer().fit([labelled(n, status=Status.DRAFT) for n in range(12)], SCHEMA)


def test_a_rejected_entity_is_an_example_of_none() -> None:
    """The town is refused wherever it is proposed, in documents that are not complete."""
    refused = []
    for number in range(24):
        example = labelled(number, complete=False)
        towns = tuple(r for r in example.graph.records if r.type == "town")
        others = tuple(r for r in example.graph.records if r.type != "town")
        kept = {r.id for r in others}
        statements = tuple(s for s in example.graph.statements if s.object in kept)
        graph = example.graph.model_copy(update={"records": others, "statements": statements})
        refused.append(example.model_copy(update={"graph": graph, "rejected_records": towns}))
    model = LearnedExtractor(LearnedTrainer().fit(refused, SCHEMA), SCHEMA)
    text = "In Esterby the press Kruvix 4 was cleaned and oiled."
    assert [r.name for r in extract_document(document("x", text), SCHEMA, [model]).records] == ["Kruvix 4"]


def test_an_undecided_sentence_is_left_out() -> None:
    """Machines are vetted, faults are undecided: sentences with a fault teach nothing, so none is left."""
    open_ones = []
    for number in range(12):
        example = labelled(number, complete=False)
        records = tuple(
            r.model_copy(update={"status": Status.DRAFT}) if r.type == "fault" else r
            for r in example.graph.records
        )
        graph = example.graph.model_copy(update={"records": records, "statements": ()})
        open_ones.append(example.model_copy(update={"graph": graph}))
    artifact = LearnedTrainer().fit(open_ones, SCHEMA)
    text = "In Esterby the press Kruvix 4 was cleaned and oiled."
    found = extract_document(document("x", text), SCHEMA, [LearnedExtractor(artifact, SCHEMA)])
    assert ("machine", "Kruvix 4") in {(r.type, r.name) for r in found.records}
    assert found.statements == ()


def test_a_model_of_another_schema_is_refused() -> None:
    other = SCHEMA.model_copy(update={"version": "2"})
    with pytest.raises(UsageError, match=r"trained for schema workshop 1 .* this is workshop 2"):
        LearnedExtractor(trained(), other)
    with pytest.raises(UsageError, match="another version of schema"):
        extractor().extract(document("x", "Press Tarvex 2."), other)


def test_a_model_of_another_format_is_refused() -> None:
    header = trained().header.model_copy(update={"format": 99})
    with pytest.raises(UsageError, match="expected a model of kind extractor/learned in format 4"):
        LearnedExtractor(replace(trained(), header=header), SCHEMA)


@pytest.mark.parametrize("name", ["transitions", "view/word", "features/word", "pair/weights", "start"])
@pytest.mark.parametrize("how", ["missing", "shape", "nan"])
def test_a_damaged_model_is_a_clear_error(name: str, how: str) -> None:
    arrays = dict(trained().arrays)
    if how == "missing":
        del arrays[name]
    elif how == "shape":
        arrays[name] = arrays[name][:-1]
    else:
        arrays[name] = np.full_like(arrays[name], 200 if arrays[name].dtype == np.uint8 else np.nan)
    with pytest.raises(DataError, match="the learned model is damaged"):
        LearnedExtractor(replace(trained(), arrays=arrays), SCHEMA)


def test_a_header_without_its_values_is_a_clear_error() -> None:
    for parameters in ("", "[]", "{}", '{"types": 3}'):
        header = trained().header.model_copy(update={"parameters": parameters})
        with pytest.raises(DataError, match="the learned model is damaged"):
            LearnedExtractor(replace(trained(), header=header), SCHEMA)


def test_empty_and_long_documents() -> None:
    for text in ("", " \n ", "x" * 50_000, "a " * 5_000, "Tarvex 3 " * 500):
        extract_document(document("k", text), SCHEMA, [extractor()])
