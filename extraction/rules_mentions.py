"""Rules that find entities: the document itself, decays, known terms, named patterns."""

from __future__ import annotations

from collections.abc import Iterator

from extraction.observables import decays_in
from extraction.passages import Passage
from extraction.rules_compile import Gazetteer, Named
from extraction.rules_state import Mention, Reading
from schemas.documents import BlockKind, Document
from schemas.graph_schema import AttributePattern, DocumentRule
from schemas.language.expressions import Expression
from schemas.language.notation import decay_aliases
from schemas.model import AttributeValue

_SUMMARY = frozenset({BlockKind.TITLE, BlockKind.ABSTRACT})
_DOUBTFUL = 0.5
"""Confidence of a decay that does not conserve charge: a misprint, or a misread name."""


def read_document_itself(reading: Reading) -> None:
    """The document's own record; its name is the INSPIRE id, the arXiv id, the DOI or the key."""
    for rule, patterns in reading.rules.documents:
        document = reading.document
        ids = document.identifiers
        name = ids.inspire or ids.arxiv or ids.doi or str(document.key)
        span = _title_span(reading)
        if span is None:
            reading.reject("no_evidence", "the document has no text to point at", name)
            continue
        ref = reading.record(rule.type, name, span=span, attributes=_metadata(document), confidence=1.0)
        if rule.type == reading.schema.document_type:
            reading.paper = ref
        _read_attributes(reading, rule, patterns, name)


def _title_span(reading: Reading) -> tuple[int, int] | None:
    for wanted in (BlockKind.TITLE, None):
        for passage in reading.passages:
            if wanted is None or passage.kind is wanted:
                return passage.start, passage.end
    return None


def _metadata(document: Document) -> dict[str, AttributeValue]:
    ids = document.identifiers
    values: dict[str, AttributeValue] = {
        "title": document.title,
        "experiment": document.experiment,
        "doi": ids.doi,
        "arxiv_id": ids.arxiv,
        "inspire_id": ids.inspire,
    }
    if document.year is not None:
        values["year"] = document.year
    return {name: value for name, value in values.items() if value != ""}


def _read_attributes(
    reading: Reading,
    rule: DocumentRule,
    patterns: tuple[tuple[AttributePattern, Expression], ...],
    name: str,
) -> None:
    done: set[str] = set()
    for declared, pattern in patterns:
        if declared.attribute in done:
            continue
        for passage in reading.passages:
            if declared.where == "summary" and passage.kind not in _SUMMARY:
                continue
            found = pattern.search(passage.unified)
            if found:
                span = (passage.start + found.start(), passage.start + found.end())
                value = {declared.attribute: declared.value}
                reading.record(rule.type, name, span=span, attributes=value, confidence=1.0)
                done.add(declared.attribute)
                break


def read_mentions(reading: Reading) -> None:
    """All entities of notation, gazetteer and pattern rules, passage by passage and in tables' cells."""
    for passage in reading.passages:
        found = list(_decays(reading, passage.text, passage.start))
        for rule in reading.rules.gazetteers:
            if is_near(reading, rule.near, passage) and not ruled_out(rule.exclude, passage):
                found += _terms(reading, rule, passage)
        for named in reading.rules.patterns:
            if is_near(reading, named.near, passage):
                found += _named(reading, named, passage)
        if found:
            reading.mentions[passage.index] = sorted(found, key=lambda m: (m.start, m.end, m.ref))
    for block in reading.document.blocks:
        for cell in block.cells:
            for _ in _decays(reading, cell.text, cell.start):
                pass


def is_near(reading: Reading, near: Expression | None, passage: Passage) -> bool:
    """Whether a rule's ``near`` matches in the passage or in a heading above it."""
    return near is None or bool(near.search(passage.unified)) or reading.below(passage.section, near)


def ruled_out(exclude: Expression | None, passage: Passage) -> bool:
    """Whether a rule's ``exclude`` matches in the passage."""
    return exclude is not None and bool(exclude.search(passage.unified))


def _decays(reading: Reading, text: str, offset: int) -> Iterator[Mention]:
    for rule in reading.rules.notations:
        for start, end, decay in decays_in(text):
            span = (offset + start, offset + end)
            ref = reading.record(
                rule.type,
                decay.name,
                span=span,
                aliases=(text[start:end], *decay_aliases(decay)),
                attributes={"parent": decay.parent, "children": decay.children},
                confidence=_DOUBTFUL if decay.charge_conserved is False else 0.95,
            )
            yield Mention(ref, rule.type, *span, decay)


def _terms(reading: Reading, rule: Gazetteer, passage: Passage) -> list[Mention]:
    spans = [(*m.span(), term) for m, term in rule.terms.finds(passage.unified)]
    found: list[Mention] = []
    last = 0
    for start, end, term in sorted(spans, key=lambda s: (s[0], -s[1], s[2].name)):
        if start < last or start == end:
            continue
        last = end
        span = (passage.start + start, passage.start + end)
        ref = reading.record(
            rule.type,
            term.name,
            span=span,
            aliases=(" ".join(passage.text[start:end].split()),),
            attributes=term.attributes,
        )
        found.append(Mention(ref, rule.type, *span))
    return found


def _named(reading: Reading, rule: Named, passage: Passage) -> Iterator[Mention]:
    for match in rule.pattern.finditer(passage.unified, until="name"):
        start, end = match.span("name")
        name = " ".join(passage.text[start:end].split())
        if name:
            span = (passage.start + start, passage.start + end)
            yield Mention(reading.record(rule.type, name, span=span, confidence=0.7), rule.type, *span)
