"""States that last: "closed on 10 April" lies between the days ``closedFrom`` and ``closedUntil``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cypher.semantics.ir import (
    Clause,
    ClauseKind,
    Filter,
    Literal,
    Operator,
    Part,
    PropertyRef,
    Query,
    edge_of,
)
from cypher.semantics.kept_as import described
from cypher.semantics.lexicon import PropertyInfo
from cypher.semantics.mentions import Linked
from cypher.semantics.own_days import Infos
from cypher.semantics.text import identifier_words, stem

_BEGIN: Final = frozenset({"from", "since"})
_END: Final = frozenset({"until", "till", "to"})
_AT_ONE_END: Final = _BEGIN | _END | {"start", "started", "starting", "begin", "began", "beginning", "end"}
"""Words with which one of the two days alone is meant."""
_FIRST: Final = frozenset({Operator.EQ, Operator.GE})
_LAST: Final = frozenset({Operator.EQ, Operator.LE})


@dataclass(frozen=True, slots=True)
class _Span:
    """The days between which something lasts, both of one thing."""

    begin: PropertyInfo
    end: PropertyInfo


def lasting(linked: Linked, query: Query, infos: Infos) -> Query:
    """The reading in which a state of a time holds at that time, where one of its days was compared alone.

    What has no last day goes on. "Closed from 10 April" and "until" mean one day; so do "after" and "before",
    which leave one side open, and so is it where things are ranked by one of the days: "closed first".
    """
    said = {w.lower for w in linked.words}
    if said & _AT_ONE_END:
        return query
    stems = {stem(w) for w in said} if not _ranks_days(query, infos) else set[str]()
    whole = _held(Part(filters=query.filters, clauses=query.clauses), query, infos, stems)
    return replace(query, filters=whole.filters, clauses=whole.clauses)


def _ranks_days(query: Query, infos: Infos) -> bool:
    refs = [c.ref for c in query.clauses if c.kind is ClauseKind.BEST]
    refs += [query.order.ref] if query.order is not None else []
    dated = {name for (_, name), info in infos.items() if info.dated}
    return any(ref is not None and ref.name in dated for ref in refs)


def _held(part: Part, query: Query, infos: Infos, said: set[str], *, denied: bool = False) -> Part:
    """The part with both days of what lasts, and so the parts of its clauses."""
    for owner, on_edge in dict.fromkeys((f.ref.owner, f.ref.on_edge) for f in part.filters):
        ref = PropertyRef(owner, "", on_edge)
        holders = edge_of(query, ref).types if on_edge else (query.nodes[owner].label,)
        for span in _spans(holders, infos, said):
            part = _within(part, span, ref, denied=denied)
    clauses = []
    for clause in part.clauses:
        inside = denied != (clause.kind is ClauseKind.ABSENT)
        parts = (_held(p, query, infos, said, denied=inside) for p in clause.parts)
        clauses.append(replace(clause, parts=tuple(parts)))
    return replace(part, clauses=tuple(clauses))


def _spans(holders: Sequence[str], infos: Infos, said: set[str]) -> Iterable[_Span]:
    """Pairs such as ``closedFrom`` and ``closedUntil``, of which the state is ``said``."""
    if len(holders) != 1:
        return
    own = [x for (holder, _), x in infos.items() if holder == holders[0] and x.dated and not x.many]
    told = {tuple(identifier_words(info.name)): info for info in own}
    for words, begin in told.items():
        state, last = words[:-1], words[-1:]
        if not state or not set(last) & _BEGIN or not {stem(w) for w in state} <= said:
            continue
        ends = [info for name, info in told.items() if name[:-1] == state and set(name[-1:]) & _END]
        if len(ends) == 1:
            yield _Span(begin, ends[0])


def _within(part: Part, span: _Span, owner: PropertyRef, *, denied: bool) -> Part:
    """The part with both days where one of them was to be equal to a day or in a stretch of days.

    What has no first day never was so; where the part is ``denied``, that is said, as nothing is known else.
    """
    place = (owner.owner, owner.on_edge)
    held = [f for f in part.filters if (f.ref.owner, f.ref.on_edge) == place]
    days = [f for f in held if f.ref.name in (span.begin.name, span.end.name)]
    if len({f.ref.name for f in days}) != 1 or any(f.other is not None for f in days):
        return part
    if len(days) == 1 and days[0].operator is Operator.NE:
        inside = _within(Part(filters=(replace(days[0], operator=Operator.EQ),)), span, owner, denied=True)
        kept = tuple(f for f in part.filters if f not in days)
        return replace(part, filters=kept, clauses=(*part.clauses, Clause(ClauseKind.ABSENT, (inside,))))
    first = next((f.value for f in days if f.operator in _FIRST), None)
    last = next((f.value for f in days if f.operator in _LAST), None)
    if first is None or last is None or not {f.operator for f in days} <= _FIRST | _LAST:
        return part
    begin = described(span.begin, owner.owner, span.begin.name, edge=owner.on_edge)
    end = described(span.end, owner.owner, span.end.name, edge=owner.on_edge)
    known = (Filter(begin, Operator.KNOWN),) if denied else ()
    others = tuple(f for f in part.filters if f not in days)
    return replace(
        part,
        filters=(*others, *known, Filter(begin, Operator.LE, last)),
        clauses=(*part.clauses, _goes_on(end, first)),
    )


def _goes_on(end: PropertyRef, first: Literal | tuple[Literal, ...]) -> Clause:
    parts = (Part(filters=(Filter(end, Operator.GE, first),)), Part(filters=(Filter(end, Operator.UNKNOWN),)))
    return Clause(ClauseKind.ANY, parts)
