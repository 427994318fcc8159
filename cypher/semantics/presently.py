"""Relationships that ended and those that go on: who plays for a club now, and who used to."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Filter, Operator, PropertyRef, Query
from cypher.semantics.numbers import tells_end
from cypher.semantics.text import identifier_words
from schemas.store_schema import PropertyType, StoreSchema

_NOW: Final = re.compile(
    r"\b(?:now|currently|presently|nowadays|these days|at the moment|at present|right now|still)\b"
)
_STATES: Final = (
    "be|play|work|live|own|serve|belong|teach|manage|drive|run|lead|coach|study|rent|head|supply|have"
)
_AT_PRESENT: Final = re.compile(r"\b(?:current|present)(?= [a-z])")
"""Of things that may be over, themselves: "current members"."""
_FORMER: Final = re.compile(r"\b(?:former|past)(?= [a-z])")
_THEN: Final = re.compile(rf"\bused to(?= (?:{_STATES})\b)|\b(?:no longer|formerly|previously)\b")
"""Where something is over; a phone that is used to call is not."""
_POSTS: Final = "work|live|serve|teach|manage|lead|head|employ|reside|coach"
_PRESENT: Final = re.compile(
    rf"\b(?:who|which \w+|that|and) (?:{_POSTS})s?\b|\b(?:do|does)\b.*?\b(?:{_POSTS})\b"
    rf"|^how many \w+ (?:{_POSTS})\b",
    re.IGNORECASE,
)
_OTHER_TIMES: Final = re.compile(
    r"\b(?:ever|never|since|before|after|until|till|when|during|between|from|long|longest|shortest|ago"
    r"|(?:1[5-9]|20)\d\d|first|last|most|times|often|once|twice"
    r"|did|was|were|has|had|worked|lived|served|taught|managed|led|headed|employed|resided|coached)\b",
    re.IGNORECASE,
)
_MOMENTS: Final = frozenset({PropertyType.DATE, PropertyType.DATETIME})
_LEFT: Final = frozenset({"left", "departed", "retired", "resigned", "closed", "dissolved", "ended"})
"""First words of days on which things themselves were over."""
_ENDS: Final = frozenset({"until", "till", "end", "ended", "left", "to", "finished"})
"""Words at the end, or the beginning, of properties that say when something ended."""


def in_time(question: str, query: Query, schema: StoreSchema) -> Query:
    """The reading with relationships that go on, or that ended, where a question says so and the graph tells.

    What has no end is taken to go on.
    """
    now, then = (bool(x.search(question)) for x in (_NOW, _THEN))
    query = _still_there(question, query, schema, now=now, then=then)
    now |= not then and goes_on(question)
    if now == then:
        return query
    operator = Operator.UNKNOWN if now else Operator.KNOWN
    ends = [(i, name) for i, e in enumerate(query.edges) if not e.negated and (name := _end(e.types, schema))]
    told = {(f.ref.owner, f.ref.name) for f in query.filters if f.ref.on_edge}
    more = tuple(Filter(PropertyRef(i, name, True), operator) for i, name in ends if (i, name) not in told)
    return replace(query, filters=(*query.filters, *more)) if more else query


def _still_there(question: str, query: Query, schema: StoreSchema, *, now: bool, then: bool) -> Query:
    """The reading with things that are not over, or that are, where the graph has a day for that."""
    own = query.nodes[query.answer].label
    name = _left(own, schema)
    now |= bool(_AT_PRESENT.search(question))
    then |= bool(_FORMER.search(question))
    ref = PropertyRef(query.answer, name)
    if not name or now == then or any(f.ref == ref for f in query.filters) or query.answer in query.inner:
        return query
    more = Filter(ref, Operator.UNKNOWN if now else Operator.KNOWN)
    return replace(query, filters=(*query.filters, more))


def _left(label: str, schema: StoreSchema) -> str:
    """The only day on which a thing of the label was over."""
    found = schema.label(label)
    days = [p.name for p in found.properties if p.type in _MOMENTS] if found else []
    names = [name for name in days if _LEFT & set(identifier_words(name)[:1])]
    return names[0] if len(names) == 1 else ""


def goes_on(question: str) -> bool:
    """Whether somebody's post or home is asked about in the present: "who works at Hull".

    >>> goes_on("Who works at Hull?"), goes_on("Where does Ann live?"), goes_on("Who has worked at Hull?")
    (True, True, False)
    >>> goes_on("Who works at Hull since 1999?"), goes_on("Who lives where Ann worked?")
    (False, False)
    """
    return bool(_PRESENT.search(question)) and not _OTHER_TIMES.search(question)


def unended(question: str, query: Query, schema: StoreSchema) -> str:
    """The words for what is over, where the graph tells of no end, or for now where ends are left out."""
    found = _THEN.search(question) or (_FORMER.search(question) if things_end(schema) else None)
    if found is None and any(_may_be_over(n.label, schema) for n in query.nodes):
        found = _NOW.search(question) or _AT_PRESENT.search(question)
    return found[0] if found and in_time(question, query, schema) == query else ""


def _may_be_over(label: str, schema: StoreSchema) -> bool:
    """Whether things of a label have a day of their end, with which a reading may not compare today."""
    found = schema.label(label)
    days = [p.name for p in found.properties if p.type in _MOMENTS] if found else []
    return any(tells_end(name) for name in days)


def tells_ends(schema: StoreSchema) -> bool:
    """Whether any relationship, or thing, says when it ended."""
    return any(_end((r.type,), schema) for r in schema.relations) or things_end(schema)


def things_end(schema: StoreSchema) -> bool:
    """Whether any thing says when it was over: who left."""
    return any(_left(label.name, schema) for label in schema.labels)


def untimed(question: str, *, of_things: bool = False) -> str:
    """The question without its words for what goes on and what is over, also those ``of_things``.

    >>> untimed("Who used to play for Hull?"), untimed("Who plays for Hull now?")
    ('Who play for Hull?', 'Who plays for Hull?')
    >>> untimed("How many current members are there?", of_things=True)
    'How many members are there?'
    """
    text = _AT_PRESENT.sub("", _FORMER.sub("", question)) if of_things else question
    return " ".join(_NOW.sub("", _THEN.sub("", text)).split()).replace(" ?", "?")


def _end(types: tuple[str, ...], schema: StoreSchema) -> str:
    """The only property of a relationship that says when it ended."""
    kinds = [schema.relation(t) for t in types]
    names = [
        {
            p.name
            for p in kind.properties
            if _ENDS & set(identifier_words(p.name)[:1] + identifier_words(p.name)[-1:])
        }
        if kind
        else set()
        for kind in kinds
    ]
    shared = set.intersection(*names) if names else set()
    return shared.pop() if len(shared) == 1 else ""
