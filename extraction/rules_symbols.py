"""Symbols that a document defines as observables: "R_{Kππ} ≡ B(a)/B(b)", "the ratio of ..., R_{Kππ}, is"."""

from __future__ import annotations

import re

from extraction.coordination import coordinated
from extraction.observables import ObservableMention, find_observables
from extraction.passages import Passage
from extraction.rules_compile import Measuring
from extraction.rules_state import ObservableName, Reading
from extraction.rules_terms import CompiledTerm, Form

_SYMBOL = (
    r"(?P<symbol>[^\W\d_]"
    r"(?:_(?:\{[^{}=]{1,24}(?:\{[^{}=\s]{1,8}\})?[^{}=]{0,8}\}|\w)|\([^()=\s]{1,24}\)))"
)
_BEFORE = re.compile(rf"(?<![\w}}]){_SYMBOL}\s?(?:≡|=|:=)[\s(]{{0,4}}$")
_AFTER = re.compile(rf"(?:[^,.;=]{{0,90}}),\s(?:denoted (?:as |by )?|defined as )?{_SYMBOL}\s?[,.]")
_CANDIDATE = re.compile(r"≡|:=|,\s[^\W\d_][_(]\S{1,40}\s?[,.]|_\{[^{}]{1,24}\}\s?=\s?[\s(]{0,3}[^\W\d_]")
_RATIO = re.compile(r"/|\bratio", re.IGNORECASE)
_LONGEST_SYMBOL = 50


def define_symbols(reading: Reading, measuring: Measuring) -> None:
    """Note the document's symbols as terms of its own; the first definition of a symbol counts.

    Where the symbol is a known one, the two are noted as the same observable.
    """
    known: set[str] = set()
    for passage in reading.passages:
        if not _RATIO.search(passage.text) or not _CANDIDATE.search(passage.text):
            continue
        mentions = find_observables(passage.text, measuring.terms)
        for mention in coordinated(passage.text, mentions, measuring.terms):
            symbol = _symbol(passage, mention)
            if not symbol or symbol in known:
                continue
            known.add(symbol)
            term = _term_of(measuring, symbol)
            if term is None:
                reading.defined.append(_term(symbol, mention))
            elif "{" not in term.name:
                reading.same.setdefault(mention.name, ObservableName(term.name, term.attributes))


def _symbol(passage: Passage, mention: ObservableMention) -> str:
    """The symbol of a ratio of two named decays, before or after it; an empty string for none."""
    if "{decay2}" not in mention.template or not mention.name or "{" in mention.name:
        return ""
    before = _BEFORE.search(passage.text, max(0, mention.start - _LONGEST_SYMBOL), mention.start)
    found = before or _AFTER.match(passage.text, mention.end)
    return found["symbol"] if found else ""


def _term_of(measuring: Measuring, symbol: str) -> CompiledTerm | None:
    for term in measuring.terms:
        if any(form.pattern.fullmatch(symbol) for form in term.forms):
            return term
    return None


def _term(symbol: str, mention: ObservableMention) -> CompiledTerm:
    return CompiledTerm(mention.name, mention.attributes, (Form(re.escape(symbol)),))
