"""brat standoff: a round trip keeps the graph, and what does not fit is refused with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.brat import Standoff, from_brat, to_brat
from schemas.errors import ReadError
from schemas.graphs import DocumentGraph, Evidence, Record, Statement, Status
from schemas.ids import DocumentKey, record_id, statement_id
from schemas.language.names import normalise_name
from schemas.schema_files import load_schema

SCHEMA = load_schema("logbook")
KEY = DocumentKey("shift/a.txt")
TYPES = ("fault", "subsystem", "action", "signal")
TEXTS = st.text(alphabet="ab 𝒳é\n.|\t", min_size=4, max_size=60).filter(lambda t: len(t.strip()) > 2)


@st.composite
def annotated(draw: st.DrawFn) -> tuple[str, tuple[Record, ...], tuple[Statement, ...]]:
    """A text, and records and statements with quotes from it."""
    text = draw(TEXTS)
    spans = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 12)).map(lambda s: (s[0], s[0] + s[1]))
    quotes = spans.filter(lambda s: s[1] <= len(text) and bool(text[slice(*s)].strip("\n\t ")))
    records: dict[str, Record] = {}
    for kind in draw(st.lists(st.sampled_from(TYPES), max_size=5)):
        found = sorted(draw(st.sets(quotes, min_size=1, max_size=3)))
        name = draw(st.text(alphabet="abcé-", min_size=1, max_size=6))
        key = normalise_name(name, case_sensitive=SCHEMA.entity(kind).case_sensitive)
        made = record_id(KEY, kind, key)
        records[made] = Record(
            id=made,
            document=KEY,
            type=kind,
            name=name,
            aliases=tuple(draw(st.lists(st.text(max_size=4), max_size=2))),
            evidence=tuple(Evidence(start=a, end=b, quote=text[a:b]) for a, b in found),
            confidence=draw(st.floats(0, 1)),
            extractor="rules/2",
            status=draw(st.sampled_from(Status)),
        )
    statements: list[Statement] = []
    pairs = [
        (a, b) for a in records.values() for b in records.values() if (a.type, b.type) == ("fault", "fault")
    ]
    for number, (a, b) in enumerate(pairs[:3]):
        start, end = draw(quotes)
        statements.append(
            Statement(
                id=statement_id(KEY, a.id, "leads_to", b.id),
                document=KEY,
                subject=a.id,
                type="leads_to",
                object=b.id,
                evidence=(Evidence(start=start, end=end, quote=text[start:end]),),
                extractor=f"rules/{number}",
            )
        )
    return text, tuple(records.values()), tuple(statements)


def graph_of(text: str, records: tuple[Record, ...], statements: tuple[Statement, ...]) -> DocumentGraph:
    return DocumentGraph(
        document=KEY,
        version="v",
        schema_name=SCHEMA.name,
        schema_version=SCHEMA.version,
        run_id="r",
        records=records,
        statements=statements,
    )


@given(annotated())
def test_a_round_trip_keeps_records_statements_and_text(given_: tuple) -> None:  # type: ignore[type-arg]
    text, records, statements = given_
    empty, _, _ = from_brat(Standoff(text, ""), name="shift/a", schema=SCHEMA)
    assert (empty.text, empty.key) == (text, KEY)
    written = to_brat(graph_of(text, records, statements), empty)
    document, graph, skipped = from_brat(written, name="shift/a", schema=SCHEMA)
    assert (document.text, skipped, written.left_out) == (text, (), 0)
    trimmed = [r.model_copy(update={"evidence": tuple(map(stripped, r.evidence))}) for r in records]
    assert sorted(graph.records, key=lambda r: r.id) == sorted(map(unique, trimmed), key=lambda r: r.id)
    assert sorted(graph.statements, key=lambda s: s.id) == sorted(statements, key=lambda s: s.id)


def stripped(evidence: Evidence) -> Evidence:
    """brat marks no line break at either end of a quote."""
    start = evidence.start + len(evidence.quote) - len(evidence.quote.lstrip("\n"))
    quote = evidence.quote.strip("\n")
    return Evidence(start=start, end=start + len(quote), quote=quote)


def unique(record: Record) -> Record:
    spans = {(e.start, e.end): e for e in record.evidence}
    return record.model_copy(update={"evidence": tuple(spans[s] for s in sorted(spans))})


def test_annotations_of_others_are_read_with_what_they_lack() -> None:
    text = "The pump tripped.\nA leak\nin hall 4."
    lines = (
        "T1\tfault 9 16\ttripped\n"
        "T2\tfault 20 24;25 32\tleak in hall\n"
        "R1\tleads_to Arg1:T2 Arg2:T1\n"
        "A1\tNegation T1\n"
    )
    document, graph, skipped = from_brat(Standoff(text, lines), name="x", schema=SCHEMA)
    assert skipped == (4,)
    assert [(r.name, r.evidence[0].quote) for r in graph.records] == [
        ("tripped", "tripped"),
        ("leak in hall", "leak\nin hall"),
    ]
    (statement,) = graph.statements
    assert statement.evidence[0].quote == document.text[9:32]
    assert document.source_map.locate(21).line == 2


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("T1\tfault 9 16\ttripping", "x.ann:1: expected 'tripping' at 9 16, found 'tripped'"),
        ("T1\tfault 9 99\ttripped", "x.ann:1: expected 'tripped'"),
        ("T1\tfoult 9 16\ttripped", "expected an entity type"),
        ("T1\tfault x y\ttripped", "expected a brat annotation"),
        ("T1\tfault 9 16\ttripped\nR1\tleads_to Arg1:T1 Arg2:T9", "x.ann:2: expected as end one of fault"),
        ("T1\tfault 9 16\ttripped\nR1\tleads Arg1:T1 Arg2:T1", "x.ann:2: expected a relation"),
        ('T1\tfault 9 16\ttripped\n#1\tAnnotatorNotes T1\t{"name": }', "x.ann:2: expected JSON"),
        (
            'T1\tfault 9 16\ttripped\n#1\tAnnotatorNotes T1\t{"confidence": 7}',
            "note does not fit: confidence",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(lines: str, words: str) -> None:
    with pytest.raises(ReadError) as caught:
        from_brat(Standoff("The pump tripped.", lines), name="x", schema=SCHEMA)
    assert words in str(caught.value)
