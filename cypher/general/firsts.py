"""What was first or last done in a time: it was done then, and never before or after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cypher.form import Op
from cypher.general.plan import Test
from cypher.general.refs import Extreme, Group, Part, Ref
from cypher.general.tries import NoPlanError

_BEFORE: Final = {Op.IS: Op.BELOW, Op.AT_LEAST: Op.BELOW, Op.ABOVE: Op.AT_MOST}
_AFTER: Final = {Op.IS: Op.ABOVE, Op.AT_MOST: Op.ABOVE, Op.BELOW: Op.AT_LEAST}


def firsts(groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """Groups in which "first measured in 2020" became "measured in 2020" and "not measured before 2020".

    Who "did it first in 2020" is another question, and has no plan. May raise ``NoPlanError``.
    """
    return tuple(g for group in groups for g in _split(group))


def _split(group: Group) -> Iterator[Group]:
    dated = _dated(group)
    if dated is None:
        if isinstance(group.ranked, Extreme) and group.active is False and _agents(group):
            raise NoPlanError("the first of all, or the first of theirs?")
        yield group
        return
    assert isinstance(group.ranked, Extreme)
    if group.negated or group.active or dated.negated or group.number is not None:
        raise NoPlanError("the first of all, or the first of that time?")
    yield replace(group, ranked=None)
    opposite = _AFTER if group.ranked.descending else _BEFORE
    (ref,) = dated.refs
    tests = tuple(replace(t, op=opposite[t.op]) for t in ref.tests if t.op in opposite)
    if tests:
        yield replace(group, parts=tuple(_others(group, dated, tests)), ranked=None, negated=True)


def _others(group: Group, dated: Part, tests: tuple[Test, ...]) -> Iterator[Part]:
    """What was done at another time: by anyone, where it is said by whom it was done in the passive."""
    agents = _agents(group) if group.active is False else ()
    for part in group.parts:
        if part is dated:
            yield Part((Ref(part.refs[0].kind, tests),))
        elif part not in agents:
            yield part


def _dated(group: Group) -> Part | None:
    """The phrase that gives the time of an event that is the first or last of its kind."""
    if not isinstance(group.ranked, Extreme):
        return None
    kind = group.ranked.kind
    return next((p for p in group.parts if any(r.kind == kind and r.tests for r in p.refs)), None)


def _agents(group: Group) -> tuple[Part, ...]:
    """ "by LHCb": who did what is dated."""
    assert isinstance(group.ranked, Extreme)
    assert group.ranked.kind is not None
    dated = group.ranked.kind
    return tuple(
        p
        for p in group.parts
        if p.preposition in ("by", "")
        and all(r.named and r.kind.owner == dated.owner and r.kind != dated for r in p.refs)
    )
