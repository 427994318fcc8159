"""Cue-phrase rules: names that running text, headings and lists give as short noun phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extraction.known_terms import term_within
from extraction.noun_phrases import Span, clause_after, is_vague, phrase_before, phrases_after, whole_phrase
from extraction.passages import Passage, unified
from extraction.rules_compile import Phrasing
from extraction.rules_denied import denied
from extraction.rules_mentions import is_near, ruled_out
from extraction.rules_sentences import observables_of
from extraction.rules_state import Mention, Reading
from schemas.documents import BlockKind
from schemas.language.expressions import Expression
from schemas.language.quantities import Quantity, find_quantities
from schemas.model import AttributeValue

_HEAD = re.compile(r"(?P<name>[^:.\n]{3,90}?)\s?[:.](?=\s)")
_LIST_INTRODUCED = re.compile(
    r"\b(?:sources?|effects?|contributions?|categories|uncertaint(?:y|ies)|systematics|considered|listed|described"
    r"|following|below|follows)\b",
    re.IGNORECASE,
)
_SHORT_ITEM = 20
"""Words of a list item that is a name and no text."""
_LONGEST_HEAD = 8
"""Words of a heading that is a name."""
_SIZE_LINK = re.compile(
    r"\b(?:is|are|be|of|to|at|as|yields?|gives?|amounts?|assigned|below|than)\b", re.IGNORECASE
)
_NO_SIZE = re.compile(
    r"\b(?:var(?:y|ied|ying)|within|window|regions?|requir\w{0,6}|above|range|chang(?:ed|ing)|scal(?:ed|ing)|between)\b",
    re.IGNORECASE,
)
_SIZE_REACH = 120
_TEXT = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.ABSTRACT, BlockKind.CAPTION})


def read_phrases(reading: Reading) -> None:
    """All names beside the cues of each rule; then what they bear on, where the rule says so."""
    for phrasing in reading.rules.phrases:
        for passage in reading.passages:
            said = list(_in_sentence(reading, phrasing, passage))
            mentions = _mentions(reading, phrasing, passage, said, 0.7)
            _mentions(reading, phrasing, passage, list(_in_layout(reading, phrasing, passage)), 0.75)
            if mentions and phrasing.rule.relation:
                _relate(reading, phrasing.rule.relation, passage, mentions)


def _in_sentence(reading: Reading, phrasing: Phrasing, passage: Passage) -> Iterator[Span]:
    if passage.kind not in _TEXT or not is_near(reading, phrasing.near, passage):
        return
    if ruled_out(phrasing.exclude, passage):
        return
    if passage.kind is BlockKind.CAPTION and not phrasing.rule.captions:
        return
    text, most = passage.unified, phrasing.rule.most_words
    if phrasing.cues is not None:
        for match in phrasing.cues.finditer(text):
            if phrasing.rule.clauses:
                clause = clause_after(text, match.end(), most)
                yield from [clause] if clause else []
            else:
                yield from phrases_after(text, match.end(), most)
    if phrasing.closing is not None:
        for match in phrasing.closing.finditer(text):
            span = phrase_before(text, match.start(), most)
            if span is not None:
                yield span


def _in_layout(reading: Reading, phrasing: Phrasing, passage: Passage) -> Iterator[Span]:
    """A heading, or the head of a paragraph or a list item, below a heading that matches."""
    if phrasing.headings is None or passage.start != reading.document.blocks[passage.block].start:
        return
    if not _below(reading, passage, phrasing.headings, phrasing.reject):
        return
    head = _head(reading, phrasing, passage)
    most = min(phrasing.rule.most_words, _LONGEST_HEAD)
    found = whole_phrase(passage.unified, head, most) if head else None
    if found is not None:
        yield found


def _below(reading: Reading, passage: Passage, headings: Expression, reject: Expression | None) -> bool:
    sections = reading.document.sections
    index: int | None = passage.section
    if passage.kind is BlockKind.HEADING and index is not None:
        index = sections[index].parent
    while index:
        title = unified(sections[index].title)
        if headings.search(title):
            return True
        if reject is not None and reject.search(title):
            return False
        index = sections[index].parent
    return False


def _head(reading: Reading, phrasing: Phrasing, passage: Passage) -> Span | None:
    text = passage.unified
    if passage.kind is BlockKind.HEADING:
        return 0, len(text.rstrip(" .:"))
    if passage.kind is BlockKind.LIST_ITEM:
        return _item_head(reading, phrasing, passage)
    if passage.kind is not BlockKind.PARAGRAPH or not text.endswith("."):
        return None
    following = reading.passages[passage.index + 1 : passage.index + 2]
    goes_on = any(after.block == passage.block for after in following)
    return (0, len(text) - 1) if goes_on and len(text.split()) <= 6 else None


def _item_head(reading: Reading, phrasing: Phrasing, passage: Passage) -> Span | None:
    """What stands before the item's colon or stop, or the first phrase of a short item."""
    text = passage.unified
    if not _lists_names(reading, phrasing, passage):
        return None
    match = _HEAD.match(text)
    if match:
        return match.span("name")
    short = len(text.split()) <= _SHORT_ITEM
    return next(iter(phrases_after(text, 0, phrasing.rule.most_words)), None) if short else None


def _lists_names(reading: Reading, phrasing: Phrasing, passage: Passage) -> bool:
    """Whether the sentence before the list says that names follow, or the list follows its heading."""
    at = passage.index - 1
    while at >= 0 and reading.passages[at].kind is BlockKind.LIST_ITEM:
        at -= 1
    if at < 0 or reading.passages[at].kind is BlockKind.HEADING:
        return at >= 0
    last = reading.passages[at]
    if ruled_out(phrasing.exclude, last):
        return False
    context = [p for p in reading.passages[max(0, at - 2) : at + 1] if p.section == last.section]
    near = phrasing.near is None or any(phrasing.near.search(p.unified) for p in context)
    return near and _LIST_INTRODUCED.search(last.unified) is not None


def _mentions(
    reading: Reading, phrasing: Phrasing, passage: Passage, spans: list[Span], confidence: float
) -> list[Mention]:
    rule = phrasing.rule
    found: list[Mention] = []
    for start, end in _outermost(spans):
        name = " ".join(passage.text[start:end].split())
        span = (passage.start + start, passage.start + end)
        if phrasing.reject is not None and phrasing.reject.search(unified(name)):
            continue
        if phrasing.heads is not None and not phrasing.heads.search(unified(name)):
            continue
        term = term_within(reading, rule.type, name)
        if term is None and (
            is_vague(name) or (rule.clauses and _is_known(reading, phrasing, passage, span))
        ):
            continue
        ref = reading.record(
            rule.type,
            term.name if term else name,
            span=span,
            aliases=(name,) if term else (),
            attributes=term.attributes if term else {},
            confidence=0.9 if term else confidence,
        )
        found.append(Mention(ref, rule.type, *span))
    here = reading.mentions.get(passage.index, [])
    new = [m for m in found if not any(o.ref == m.ref and o.start < m.end and m.start < o.end for o in here)]
    if new:
        reading.mentions[passage.index] = sorted([*here, *new], key=lambda m: (m.start, m.end, m.ref))
    return found


def _is_known(reading: Reading, phrasing: Phrasing, passage: Passage, span: Span) -> bool:
    """Whether a known name of the type stands within the clause, and says what is done."""
    here = reading.mentions.get(passage.index, ())
    return any(m.type == phrasing.rule.type and span[0] <= m.start and m.end <= span[1] for m in here)


def _outermost(spans: list[Span]) -> list[Span]:
    """Each span once, without those that lie within another."""
    once = list(dict.fromkeys(spans))
    return [s for s in once if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in once)]


def _relate(reading: Reading, relation: str, passage: Passage, mentions: list[Mention]) -> None:
    """Relate names to the observables of their sentence, else to the document's only determined one."""
    if denied(passage.unified):
        for mention in mentions:
            reading.reject("denied", f"the sentence denies that it {relation} anything", mention.ref)
        return
    kinds = reading.schema.relation(relation).objects
    targets = {m.ref: 0.6 for m in observables_of(reading, passage, kinds)}
    own = {d.ref for d in reading.determined}
    if not targets and len(own) == 1:
        targets = dict.fromkeys(own, 0.4)
    refs = list(dict.fromkeys(m.ref for m in mentions))
    values = _size(passage, mentions[0]) if len(refs) == 1 else {}
    for target, confidence in targets.items():
        for ref in refs:
            reading.related.add((ref, relation, target, passage.index))
            reading.statement(
                (ref, target),
                relation,
                spans=((passage.start, passage.end),),
                attributes=values,
                confidence=confidence,
            )


def _size(passage: Passage, mention: Mention) -> dict[str, AttributeValue]:
    """The only size with a unit that the sentence gives after the name; a bound only as printed."""
    after = mention.end - passage.start
    sized = [q for q in find_quantities(passage.text) if q.unit and q.start >= after and not q.errors]
    if len(sized) != 1 or not _is_size(passage.text[after : sized[0].start]):
        return {}
    quantity: Quantity = sized[0]
    values: dict[str, AttributeValue] = {"magnitude_text": " ".join(quantity.text.split())}
    if not quantity.limit and quantity.value > 0:
        values |= {"magnitude": quantity.value, "unit": quantity.unit}
    return values


def _is_size(gap: str) -> bool:
    return len(gap) <= _SIZE_REACH and bool(_SIZE_LINK.search(gap)) and not _NO_SIZE.search(gap)
