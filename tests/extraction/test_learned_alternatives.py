"""Spans beside the likeliest ones: their probabilities are sums over all labellings."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.learned_alternatives import LONGEST, span_chances, unnamed
from extraction.learned_crf import Chain, Steps, marginals
from extraction.learned_labels import LabelledRecord
from extraction.learned_spans import Found, Tags
from extraction.learned_text import Mention, Sentence, Text
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.ids import DocumentKey, RecordId

FORBIDDEN = -1e4


def chain_of(tags: Tags, seed: int) -> Chain:
    rng = np.random.default_rng(seed)
    start = np.where(tags.allowed()[0], rng.normal(size=tags.size), FORBIDDEN)
    return Chain((), rng.normal(size=(tags.size, tags.size)), start)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 4), st.integers(1, 2))
def test_chances_are_sums_over_all_labellings(seed: int, length: int, types: int) -> None:
    tags = Tags(tuple("ab"[:types]))
    chain, allowed = chain_of(tags, seed), tags.allowed()
    scores = np.random.default_rng(seed + 1).normal(size=(length, tags.size))
    weights: dict[tuple[int, int, int], float] = {}
    total = 0.0
    for labels in product(range(tags.size), repeat=length):
        steps = list(pairwise(labels))
        if chain.start[labels[0]] == FORBIDDEN or not all(allowed[a, b] for a, b in steps):
            continue
        value = chain.start[labels[0]] + sum(scores[t, x] for t, x in enumerate(labels))
        value = float(np.exp(value + sum(chain.transitions[a, b] for a, b in steps)))
        total += value
        for span in tags.decode(np.array(labels)):
            weights[span] = weights.get(span, 0.0) + value
    found = np.exp(span_chances(scores, chain, tags))
    for (start, end, kind), weight in weights.items():
        assert np.isclose(found[kind, end - start - 1, start], weight / total)
    assert np.isclose(found.sum(), sum(weights.values()) / total)


def test_chances_of_single_tokens_agree_with_the_chain() -> None:
    tags = Tags(("a",))
    chain, n = chain_of(tags, 3), LONGEST + 6
    scores = np.random.default_rng(5).normal(size=(n, tags.size))
    _, labels, _ = marginals(scores, chain, tags.allowed(), Steps([n]))
    assert np.allclose(np.exp(span_chances(scores, chain, tags))[0, 0], labels[:, 4])


def test_what_is_known_is_no_alternative() -> None:
    text = "Nor Ela met Nor in Ela"
    words = tuple(text.split())
    starts = tuple(text.index(w) if at < 3 else text.rindex(w) for at, w in enumerate(words))
    block = Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text), text=text, section=0)
    document = Document(
        key=DocumentKey("a"),
        kind=DocumentKind.TEXT,
        title="",
        text=text,
        sections=(Section(index=0, parent=None, level=0, title="", start=0, end=len(text)),),
        blocks=(block,),
        source_map=SourceMap(files=("a",), offsets=(0,), file_of=(0,), lines=(1,)),
    )
    ends = tuple(s + len(w) for s, w in zip(starts, words, strict=True))
    made = Text(document, (Sentence(words, starts, ends, BlockKind.PARAGRAPH),))
    whole, first, again, last = (Mention(0, *at) for at in ((0, 2), (0, 1), (3, 4), (5, 6)))
    known = [LabelledRecord(RecordId("x"), "a", "Nor Ela", (whole,))]
    spans = [Found(m, "a", 0.5) for m in (whole, first, again, last)]
    spare = unnamed(made, spans, known)
    assert [(r.name, r.mentions) for r in spare] == [("Ela", (last,)), ("Nor", (first, again))]
