"""Chunks cover a document, sentences a text."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.chunks import chunk_document
from extraction.readers.builder import CellText, DocumentBuilder, Place
from schemas.documents import BlockKind, Document, DocumentKind
from schemas.errors import UsageError
from schemas.ids import DocumentKey, content_hash
from schemas.language.sentences import sentences

HERE = Place("a.txt", 1)
WORDS = st.text("abc .A1\n", min_size=1, max_size=80)
PARTS = st.lists(
    st.one_of(
        st.tuples(st.just("section"), WORDS),
        st.tuples(st.just("paragraph"), WORDS),
        st.tuples(st.just("table"), WORDS),
    ),
    max_size=12,
)


def build(parts: list[tuple[str, str]]) -> Document:
    builder = DocumentBuilder(DocumentKind.TEXT, file="a.txt")
    builder.add(BlockKind.PARAGRAPH, "Start.", HERE)
    for kind, text in parts:
        if kind == "section":
            builder.open_section(1 + len(text) % 3, text, HERE)
        elif kind == "table":
            builder.add_table([[CellText(word, n) for n, word in enumerate(text.split("."))]], [HERE])
        else:
            builder.add(BlockKind.PARAGRAPH, text, HERE)
    return builder.build(DocumentKey("a.txt"), title="T")


@given(parts=PARTS, limit=st.integers(1, 60))
def test_chunks_are_ordered_true_and_complete(parts: list[tuple[str, str]], limit: int) -> None:
    document = build(parts)
    chunks = chunk_document(document, limit=limit)
    assert [c.order for c in chunks] == list(range(len(chunks)))
    assert all(a.end <= b.start for a, b in itertools.pairwise(chunks))
    assert all(document.text[c.start : c.end] == c.text and len(c.text) <= limit for c in chunks)
    assert all(c.id == content_hash(document.key, document.version, c.start, c.end) for c in chunks)
    covered = [False] * len(document.text)
    for chunk in chunks:
        covered[chunk.start : chunk.end] = [True] * (chunk.end - chunk.start)
    for block in document.blocks:
        if block.kind is not BlockKind.HEADING:
            missing = [document.text[i] for i in range(block.start, block.end) if not covered[i]]
            assert not "".join(missing).strip()
    for chunk in chunks:
        sections = {b.section for b in document.blocks if b.start < chunk.end and chunk.start < b.end}
        assert sections == {chunk.section}


def test_whole_blocks_stay_together() -> None:
    document = build([("section", "One"), ("paragraph", "Aaa bbb."), ("paragraph", "Ccc.")])
    assert [c.text for c in chunk_document(document)] == ["Start.", "One\n\nAaa bbb.\n\nCcc."]
    assert [c.text for c in chunk_document(document, limit=15)] == ["Start.", "One\n\nAaa bbb.", "Ccc."]


def test_a_senseless_limit_is_refused() -> None:
    with pytest.raises(UsageError):
        chunk_document(build([]), limit=0)


@pytest.mark.parametrize(
    "pieces",
    [
        ["Aaij et al. measured it in Fig. 3 and Eq. 4.", "The value is 5.28 GeV."],
        ["This holds, i.e. the mass (e.g. of B^0) is 1.5 vs. 1.6.", "So it is."],
        ["See Refs. [1] and Sec. 2.", "Λ_b^0 decays are used."],
        ["It was published in Phys. Rev. D by J. Smith.", "Is it? Yes!"][:1],
        ["A total of 3.0 fb^{-1} at 7 TeV.", "“Quoted.”", "End"],
        ["row one | 1.0", "row two | 2.0"],
    ],
)
def test_sentences(pieces: list[str]) -> None:
    gap = "\n" if "|" in pieces[0] else " "
    text = gap.join(pieces)
    assert [text[a:b] for a, b in sentences(text)] == pieces


@given(text=st.text(max_size=200), offset=st.integers(0, 1_000))
def test_sentences_cover_a_text_in_order(text: str, offset: int) -> None:
    spans = sentences(text, offset=offset)
    assert all(offset <= a < b <= offset + len(text) for a, b in spans)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))
    assert "".join(text[a - offset : b - offset] for a, b in spans).split() or not text.strip()
    outside = set(range(len(text))) - {i for a, b in spans for i in range(a - offset, b - offset)}
    assert all(text[i].isspace() for i in outside)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The pump came from St. Gallen in May.", 1),
        ("It holds 30 per sq. km of ground. That is little.", 2),
        ("The ship Go On! is old.", 1),
        ("Stop! It leaks.", 2),
        ("The value is known. x is not.", 2),
    ],
)
def test_stops_inside_names_end_no_sentence(text: str, count: int) -> None:
    assert len(sentences(text)) == count
