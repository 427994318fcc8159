"""When something was done for the last time, or the first: the latest or earliest day of a relationship."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Head, Measure, PropertyRef, Query
from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.text import identifier_words
from schemas.store_schema import PropertyType, StoreSchema

_ASKED: Final = re.compile(
    r"^(?P<when>when (?:was|were|did|has|have|is) .+?) (?P<which>last|first|most recently)(?P<rest>\b.*)$",
    re.IGNORECASE,
)
_FOR: Final = re.compile(r"\bfor the$", re.IGNORECASE)
_FIRST: Final = re.compile(
    r"^(?P<who>who|(?:which|what) [\w -]+?) (?:has |have |had |was |were )?(?P<verb>\w+) (?:the )?"
    r"(?P<which>first|earliest|last|latest|most recently)(?P<end>[\s?.!]*)$",
    re.IGNORECASE,
)
_SHORT: Final = 3
"""Words that a day called by its verb has fewer than: ``hired_on``."""
_DAYS: Final = frozenset({PropertyType.DATE, PropertyType.DATETIME})
_MOMENTS: Final = frozenset({PropertyType.DATE, PropertyType.DATETIME, PropertyType.INTEGER})


def last_time(question: str) -> tuple[str, Measure] | None:
    """The question for every time, and whether the latest or the earliest is wanted; else ``None``.

    >>> last_time("When was hive 3 last inspected?")
    ('When was hive 3 inspected?', <Measure.MAX: 'max'>)
    >>> last_time("When was hive 3 inspected?") is None
    True
    """
    found = _ASKED.match(question.strip())
    if found is None or _FOR.search(found["when"]):
        return None
    measure = Measure.MIN if found["which"].lower() == "first" else Measure.MAX
    return f"{found['when']}{found['rest']}", measure


def at_the_extreme(query: Query, measure: Measure, schema: StoreSchema) -> Query | None:
    """The latest, or earliest, of the days that a reading lists; ``None`` where it lists none or others."""
    days = [ref for ref in query.project if ref.on_edge and _is_moment(query, ref, schema)]
    if query.head is not Head.LIST or len(days) != 1 or query.order is not None or query.limit is not None:
        return None
    return replace(query, head=Head.AGGREGATE, measure=measure, measured=days[0], project=())


def tells_another_day(query: Query | None) -> bool:
    """Whether a reading ranks by a day of a relationship, and tells another: the year a thing was built."""
    if query is None or query.order is None or not query.order.extreme:
        return False
    ref = query.order.ref
    by_edge = ref is not None and ref.on_edge
    return by_edge and bool(query.project) and not any(x.on_edge for x in query.project)


def day_verbs(schema: StoreSchema) -> frozenset[str]:
    """Verbs that days of things are called by: joined, left, hired of ``hiredOn``."""
    days = [p.name for x in schema.labels for p in x.properties if p.type in _DAYS and not p.many]
    found = {w for name in days for w in identifier_words(name)[:1] if len(identifier_words(name)) < _SHORT}
    return frozenset(w for w in found if w.endswith("ed") or w in IRREGULAR)


def ranked_by_day(question: str, verbs: frozenset[str]) -> str:
    """The question for the earliest, or latest, day, where it asks who did something first, or last.

    >>> ranked_by_day("Which member joined first?", frozenset({"joined"}))
    'Which member has the earliest joined?'
    >>> ranked_by_day("Which member won first?", frozenset({"joined"}))
    'Which member won first?'
    """
    found = _FIRST.match(question.strip())
    if found is None or found["verb"].lower() not in verbs:
        return question
    which = "earliest" if found["which"].lower() in ("first", "earliest") else "latest"
    return f"{found['who']} has the {which} {found['verb']}{found['end']}"


def _is_moment(query: Query, ref: PropertyRef, schema: StoreSchema) -> bool:
    kind = schema.relation(query.edges[ref.owner].types[0])
    types = {p.type for p in kind.properties if p.name == ref.name} if kind else set()
    return bool(types & _MOMENTS)
