"""Results under names that no schema lists: "R(X) = a ± b ± c", "the rate of Y is measured to be ..."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from extraction.noun_phrases import Span, phrase_before
from extraction.passages import Passage
from extraction.rules_compile import Measuring
from extraction.rules_errors import with_order
from extraction.rules_measure import values_of
from extraction.rules_own import foreign, is_own_place
from extraction.rules_state import Determined, Reading
from schemas.documents import BlockKind
from schemas.language.quantities import Quantity, find_quantities

_ERRORS = re.compile(r"±|\\pm|\+\s?[-/\u2212]|\^\s?\{?\s?\+")
_EQUALS = re.compile(r"\s{0,3}(?:=|≡)\s{0,3}[(\[{]{0,2}\s{0,2}$")
_MEASURED = re.compile(
    r"\s(?:is|are|was|were)(?: then| thus| also)? (?:measured|determined|found|obtained)"
    r"(?: to be| as| at|:)?\s{0,3}(?P<symbol>[^\s=]{1,40}\s?=)?\s?[(\[{]{0,2}\s?$"
)
_OPENING, _CLOSING = "([{", ")]}"
_BREAKS = ",;:.\n=<>≡"
_WORD = re.compile(r"[a-z]{2,}")
_LONGEST_SYMBOL = 80
_SHORTEST_SYMBOL = 3
"""A bare letter names another quantity in every document; a symbol with an index or argument does not."""
_NUISANCE = re.compile(r"χ|ndf|\bp_\{?T\}?|\bq\^2|√s|∫|^N_|^n_|^σ_\{?(?:t|m|stat|syst)|\\mathcal\{L\}")
_MOST_WORDS = 14
_LEAST_WORDS = 3
"""Of a noun phrase without a symbol in it; "CP asymmetries" alone says too little."""
_SYMBOLIC = re.compile(r"[_(/^]")
_TITLE = re.compile(
    r"(?:(?:a|an|the|first|precise|precision|improved|updated|new|direct) )*"
    r"(?:measurements?|determination) of (?:the )?"
    r"(?P<what>.{8,120}?)(?= (?:in|with|using|at|from|via|through|by)\b|[.:,]|$)",
    re.IGNORECASE,
)
_HEADED = re.compile(
    r"\b(?:ratios?|asymmetr(?:y|ies)|fractions?|cross[- ]sections?|phase|rates?|differences?|angle|factors?"
    r"|parameters?|coefficients?|amplitudes?|mass(?:es)?|widths?|lifetimes?|moments?|frequency|strength|yields?"
    r"|polari[sz]ations?|efficienc(?:y|ies)|constants?|couplings?|probabilit(?:y|ies)|splittings?|production)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Result:
    name: str
    span: Span
    quantity: Quantity


def read_unlisted(reading: Reading) -> None:
    """Observables as written, for values with two errors that no known observable took.

    Only in title, abstract and what stands below the rule's ``sections``; runs after the measurements.
    """
    for measuring in reading.rules.measurements:
        if not measuring.rule.unlisted or not reading.paper:
            continue
        for passage in reading.passages:
            if passage.kind is not BlockKind.CAPTION and is_own_place(reading, measuring, passage):
                for result in _results(reading, measuring, passage):
                    _determine(reading, measuring, passage, result)


def read_title(reading: Reading) -> None:
    """What "Measurement of the ..." names, for a document of which nothing else is known."""
    for measuring in reading.rules.measurements:
        if measuring.rule.unlisted and reading.paper and not reading.determined:
            _read_title(reading, measuring)


def _read_title(reading: Reading, measuring: Measuring) -> None:
    relation = reading.schema.relation(measuring.rule.relation)
    for passage in reading.passages:
        found = _TITLE.match(passage.unified) if passage.kind is BlockKind.TITLE else None
        end = found.end("what") if found else 0
        span = phrase_before(passage.unified, end, _MOST_WORDS) if found else None
        if found is None or span is None or span[0] > end or not _HEADED.search(found["what"]):
            continue
        start = max(span[0], found.start("what"))
        if len(passage.text[start : span[1]].split()) < _LEAST_WORDS:
            continue
        name = " ".join(passage.text[start : span[1]].split())
        place = (passage.start + start, passage.start + span[1])
        ref = reading.record(relation.objects[0], name, span=place, confidence=0.5)
        spans = ((passage.start, passage.end),)
        reading.statement((reading.paper, ref), relation.name, spans=spans, confidence=0.5)
        reading.determined.append(Determined(ref, name, name, "", passage.index))


def _results(reading: Reading, measuring: Measuring, passage: Passage) -> Iterator[_Result]:
    if not _ERRORS.search(passage.text):
        return
    own = measuring.own is None or bool(measuring.own.search(passage.unified))
    for quantity in with_order(find_quantities(passage.text), reading.passages, passage.index):
        taken = (passage.index, quantity.start) in reading.linked
        if taken or not quantity.errors or not quantity.value:
            continue
        found = _symbol(passage, quantity) or _phrase(passage, quantity)
        sure = len(quantity.errors) > 1 or (own and passage.kind is BlockKind.ABSTRACT)
        if found is not None and sure:
            yield _Result(" ".join(passage.text[slice(*found)].split()), found, quantity)


def _symbol(passage: Passage, quantity: Quantity) -> Span | None:
    """What stands before the equals sign, back to a word or a stop outside brackets."""
    equals = _EQUALS.search(passage.text, max(0, quantity.start - 8), quantity.start)
    if equals is None:
        return None
    end = equals.start()
    start = symbol_start(passage.text, end)
    written = passage.text[start:end].strip()
    start = end - len(passage.text[start:end].lstrip())
    if len(written) < _SHORTEST_SYMBOL or not _SYMBOLIC.search(written) or _NUISANCE.search(written):
        return None
    return (start, start + len(written)) if re.search(r"[^\W\d_]", written) else None


def symbol_start(text: str, end: int) -> int:
    """Where the symbol or product of symbols begins that ends at ``end``.

    >>> text = "the quantity R(Ω_c) × f_s/f_d"
    >>> text[symbol_start(text, len(text)):].strip()
    'R(Ω_c) × f_s/f_d'
    """
    depth, at = 0, end
    while at > max(0, end - _LONGEST_SYMBOL):
        char = text[at - 1]
        depth += (char in _CLOSING) - (char in _OPENING)
        if depth < 0 or (depth == 0 and char in _BREAKS):
            return at
        if depth == 0 and char == " ":
            before = re.search(r"\S+$", text[: at - 1])
            if before is None or _WORD.fullmatch(before.group().strip(",;:.()")):
                return at
        at -= 1
    return at if at == 0 else end


def _phrase(passage: Passage, quantity: Quantity) -> Span | None:
    """The subject of "is measured to be": a noun phrase headed by a kind of quantity."""
    text = passage.unified
    verb = _MEASURED.search(text, max(0, quantity.start - 90), quantity.start)
    span = phrase_before(text, verb.start(), _MOST_WORDS) if verb else None
    name = text[slice(*span)] if span else ""
    long_enough = len(name.split()) >= _LEAST_WORDS or _SYMBOLIC.search(name) is not None
    return span if _HEADED.search(name) and long_enough else None


def _determine(reading: Reading, measuring: Measuring, passage: Passage, result: _Result) -> None:
    relation = reading.schema.relation(measuring.rule.relation)
    item = f"{result.name} = {result.quantity.text}"
    reason = foreign(reading, measuring, passage, result.quantity)
    if reason:
        reading.reject("not_own_result", reason, item)
        return
    span = (passage.start + result.span[0], passage.start + result.span[1])
    ref = reading.record(relation.objects[0], result.name, span=span, confidence=0.6)
    spans = ((passage.start, passage.end),)
    attributes = values_of(result.quantity)
    reading.statement((reading.paper, ref), relation.name, spans=spans, attributes=attributes, confidence=0.6)
    reading.linked.add((passage.index, result.quantity.start))
    reading.determined.append(Determined(ref, result.name, result.name, "", passage.index))
