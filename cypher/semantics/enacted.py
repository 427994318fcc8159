"""Deeds that are things of the graph: what somebody ordered is in an order of theirs."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.text import identifier_words, stem
from schemas.store_schema import StoreSchema, StoreTriple

_LEAD: Final = r"(?P<lead>(?:which|what|how many) [\w' -]+?)"
_EVER: Final = r"(?: ever| already| yet| so far)?"
_BY_ANY: Final = r"(?: by (?:anyone|anybody|any \w+|someone|somebody))?"
_NOBODY: Final = r"(?:nobody|no one|no-one|noone)"
_MADE: Final = r"(?P<verb>\w+ed)"
_FORMS: Final = (
    (rf"{_LEAD} (?:(?:are|is|were|was) (?:never|not)|(?:have|has|had) (?:never|not) been)"
     rf"{_EVER} {_MADE}{_EVER}{_BY_ANY}{_EVER}", "{lead} have no {noun}"),
    (rf"{_LEAD} (?:did|does|do|has|have|had) {_NOBODY}{_EVER} (?P<verb>\w+)", "{lead} have no {noun}"),
    (rf"{_LEAD} (?:did|does|do) (?P<who>[^?]+?){_EVER} (?P<verb>\w+)", "{lead} have an {noun} of {who}"),
    (rf"{_LEAD} (?:has|have|had) (?P<who>[^?]+?){_EVER} {_MADE}", "{lead} have an {noun} of {who}"),
    (rf"(?P<lead>which [\w' -]+?) (?:is|was|has been|gets|got) {_MADE} (?:the )?most(?: often| frequently)?",
     "{lead} has the most {noun}s"),
    (rf"(?P<lead>which [\w' -]+?) (?:is|was|has been|gets|got) {_MADE} (?:the )?(?:least|fewest|rarest)"
     r"(?: often| frequently)?", "{lead} has the fewest {noun}s"),
)  # fmt: skip
_RULES: Final = tuple((re.compile(rf"^{form}\s*[?.!]*$", re.IGNORECASE), said) for form, said in _FORMS)
_NOT_NAMES: Final = re.compile(
    r"\b(?:not|never|nobody|no one|who|which|that|every|each|all|both|neither|most|only|make|have"
    r"|get|take|give|nothing|on|in|at|by|to|of|with|from|for|than|and|or)\b",
    re.IGNORECASE,
)
"""Of who did something; with these more is said than that somebody did it."""


def deed_nouns(schema: StoreSchema) -> frozenset[str]:
    """Labels of one word that may be deeds: order, visit, loan.

    They tie things of one kind to those of another, and no relationship type says the word too. Where both
    ends are of one kind, as those of a call, it is not known who did it.
    """
    told = {stem(w) for r in schema.relations for w in identifier_words(r.type)}
    found = []
    for label in schema.labels:
        words = identifier_words(label.name)
        ends = [t.end if t.start == label.name else t.start for t in schema.triples if _is_at(t, label.name)]
        if len(words) == 1 and stem(words[0]) not in told and len(ends) > 1 and len(set(ends)) == len(ends):
            found.append(words[0])
    return frozenset(found)


def _is_at(triple: StoreTriple, label: str) -> bool:
    return label in (triple.start, triple.end) and triple.start != triple.end


def enacted(question: str, nouns: frozenset[str]) -> str:
    """The question for what has such a thing, where its noun is said as a verb.

    >>> enacted("Which products were never ordered?", frozenset({"order"}))
    'Which products have no order?'
    >>> enacted("Which products did Ann Lee order?", frozenset({"order"}))
    'Which products have an order of Ann Lee?'
    >>> enacted("Which products did Ann Lee buy?", frozenset({"order"}))
    'Which products did Ann Lee buy?'
    """
    if not nouns:
        return question
    stems = {stem(noun): noun for noun in nouns}
    for rule, said in _RULES:
        found = rule.match(question.strip())
        noun = stems.get(stem(found["verb"].lower())) if found else None
        if found is None or noun is None or not found["verb"].islower():
            continue
        told = found.groupdict()
        if _NOT_NAMES.search(told.get("who") or "") or stem(noun) in map(stem, told["lead"].lower().split()):
            continue
        text = said.format(lead=told["lead"], noun=noun, who=told.get("who"))
        article = "a" if noun[0] not in "aeiou" else "an"
        return text.replace(f"have an {noun} of", f"have {article} {noun} of") + "?"
    return question
