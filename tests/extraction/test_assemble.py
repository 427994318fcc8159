"""Assembly: whatever is proposed, what is kept stands in the text and the schema, and the rest is counted."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.assemble import assemble
from extraction.evidence import check_extraction
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.graphs import DraftRecord, DraftStatement, Evidence, Extraction
from schemas.ids import DocumentKey
from schemas.schema_files import load_schema

SCHEMA = load_schema("particle_physics")
TEXT = "The mass is 5.2 ± 0.1 GeV. Tracking efﬁciency – 12% – limits R_K. Naïve B0 -> K+ pi-."
DOCUMENT = Document(
    key=DocumentKey("k"),
    kind=DocumentKind.TEXT,
    title="t",
    text=TEXT,
    sections=(Section(index=0, parent=None, level=0, title="", start=0, end=len(TEXT)),),
    blocks=(Block(kind=BlockKind.PARAGRAPH, start=0, end=len(TEXT), text=TEXT, section=0),),
    source_map=SourceMap(files=("a",), offsets=(0,), file_of=(0,), lines=(1,)),
)
QUOTES = st.sampled_from(
    ["The mass is 5.2", "Tracking efficiency - 12%", "R_K", "not there", "", " ", "B0 -> K+ pi-", TEXT]
)
TYPES = st.sampled_from(["paper", "observable", "decay", "uncertainty_source", "method", "nonsense", ""])
RELATIONS = st.sampled_from(["determines", "measured_with", "affects", "estimates", "nonsense"])
REFS = st.sampled_from(["a", "b", "c", "d"])
VALUES = st.one_of(
    st.sampled_from([5.2, 12, 10**400, "5.2", True, 99.0, "run 9", "upper"]),
    st.text(max_size=5),
    st.tuples(st.text(max_size=3)),
)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["value", "limit", "magnitude", "magnitude_text", "ranking", "kind", "year", "nope"]),
    VALUES,
    max_size=3,
)
SPANS = st.builds(Evidence, start=st.integers(-5, 120), end=st.integers(-5, 120), quote=QUOTES)
RECORDS = st.builds(
    DraftRecord,
    ref=REFS,
    type=TYPES,
    name=st.one_of(
        st.sampled_from(["R_K", "B0 -> K+ pi-", "B0 → π- K+", " ", "x" * 2000]), st.text(max_size=6)
    ),
    attributes=ATTRIBUTES,
    evidence=st.lists(SPANS, max_size=2).map(tuple),
    quotes=st.lists(QUOTES, max_size=2).map(tuple),
)
STATEMENTS = st.builds(
    DraftStatement,
    subject=REFS,
    type=RELATIONS,
    object=REFS,
    attributes=ATTRIBUTES,
    quotes=st.lists(QUOTES, max_size=2).map(tuple),
)
EXTRACTIONS = st.builds(
    Extraction,
    extractor=st.sampled_from(["llm/1", "rules/2"]),
    records=st.lists(RECORDS, max_size=5).map(tuple),
    statements=st.lists(STATEMENTS, max_size=5).map(tuple),
)


@settings(max_examples=300, deadline=None)
@given(EXTRACTIONS)
def test_what_is_kept_stands_and_the_rest_is_counted(extraction: Extraction) -> None:
    checked = check_extraction(DOCUMENT, SCHEMA, extraction)
    lost = (len(extraction.records) - len(checked.records)) + (
        len(extraction.statements) - len(checked.statements)
    )
    assert len(checked.rejections) >= lost
    graph = assemble(DOCUMENT, SCHEMA, [extraction])
    for record in graph.records:
        assert {a.name for a in SCHEMA.entity(record.type).attributes} >= set(record.attributes)
    for statement in graph.statements:
        assert {a.name for a in SCHEMA.relation(statement.type).attributes} >= set(statement.attributes)
        assert 99.0 not in [statement.attributes.get("value"), statement.attributes.get("magnitude")]
    for item in (*graph.records, *graph.statements):
        assert item.evidence
        assert all(TEXT[e.start : e.end] == e.quote for e in item.evidence)


@settings(max_examples=100, deadline=None)
@given(EXTRACTIONS, EXTRACTIONS)
def test_order_and_repetition_do_not_matter(one: Extraction, other: Extraction) -> None:
    other = other.model_copy(update={"extractor": "gliner/1"})
    assert assemble(DOCUMENT, SCHEMA, [one, other]) == assemble(DOCUMENT, SCHEMA, [other, one])
    alone = assemble(DOCUMENT, SCHEMA, [one])
    again = assemble(DOCUMENT, SCHEMA, [one], base=alone)
    assert [r.id for r in again.records] == [r.id for r in alone.records]


def test_two_extractors_join_one_decay() -> None:
    first = Extraction(
        extractor="rules/2",
        records=(DraftRecord(ref="1", type="decay", name="B0 -> K+ pi-", quotes=("B0 -> K+ pi-",)),),
    )
    second = Extraction(
        extractor="llm/1",
        records=(DraftRecord(ref="x", type="decay", name="B^0 → π^- K^+", quotes=("Naïve B0 -> K+ pi-",)),),
    )
    (record,) = assemble(DOCUMENT, SCHEMA, [first, second]).records
    assert record.name == "B0 -> K+ pi-"
    assert record.extractor == "llm/1+rules/2"
    assert record.aliases == ("B^0 → π^- K^+",)
    assert len(record.evidence) == 2


def test_an_acronym_that_the_document_defines_is_told_in_an_alias() -> None:
    text = "The gas electron amplifier (GEA) was tuned. The GEA gain limits R_K, and so does the XYZ gain."
    document = DOCUMENT.model_copy(
        update={
            "text": text,
            "blocks": (Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text), text=text, section=0),),
        }
    )
    drafts = tuple(
        DraftRecord(ref=name, type="uncertainty_source", name=name, quotes=(name,))
        for name in ("GEA gain", "XYZ gain")
    )
    graph = assemble(document, SCHEMA, [Extraction(extractor="toy/1", records=drafts)])
    assert [(r.name, r.aliases) for r in graph.records] == [
        ("GEA gain", ("gas electron amplifier (GEA) gain",)),
        ("XYZ gain", ()),
    ]
