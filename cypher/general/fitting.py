"""Whether a phrase fits what it is joined to: by direction, number, preposition."""

from __future__ import annotations

from typing import Final

from cypher.general.english import OF_LIKE, WITH_LIKE
from cypher.general.groups import all_refs
from cypher.general.kinds import Derived, Form, Kind, KindGraph, derived, statement
from cypher.general.refs import Extreme, Group, Most, Part, Ref
from cypher.general.tries import NoPlanError

MISPLACED: Final = 1.5
"""Cost of "with" before what a thing has one of, or "of" before a member of its list."""
Variant = tuple[tuple[Part, Ref], ...]


def rank(variant: Variant) -> tuple[bool, bool] | None:
    """Direction of the order that a variant holds, and whether numbers (and not counts) order."""
    found = [r for _, r in variant for r in all_refs(r) if r.ranked is not None]
    if not found:
        return None
    if len(found) > 1:
        raise NoPlanError("two orders")
    ranked = found[0].ranked
    assert ranked is not None
    return ranked.descending, isinstance(ranked, Extreme)


def owns(graph: KindGraph, kind: Kind, target: Kind) -> bool:
    """Whether a value is an attribute of a kind of thing."""
    return target.is_value and graph.owner(target) == kind


def is_one(graph: KindGraph, kind: Kind, target: Kind) -> bool:
    """Whether a thing has one of the target at most."""
    paths = graph.paths(kind, target)
    here = kind
    for step in paths[0] if paths else (target,):
        if not graph.step_is_one(here, step):
            return False
        here = step
    return kind != target


def is_size(graph: KindGraph, ref: Ref) -> bool:
    """Whether a bare number tells how many members a list has: "three-body"."""
    return ref.number is not None and not ref.tests and not ref.groups and graph.is_many(ref.kind)


def by_size(graph: KindGraph, variant: Variant) -> Variant:
    """ "the most children" of things that hold a list of them: the number of its members orders."""
    return tuple(
        (p, _sized(r) if isinstance(r.ranked, Most) and graph.is_many(r.kind) else r) for p, r in variant
    )


def _sized(ref: Ref) -> Ref:
    assert ref.ranked is not None
    if ref.tests or ref.groups:
        raise NoPlanError("the most of some members of a list")
    size = derived(ref.kind.owner, Derived.SIZE, ref.kind.attribute)
    return Ref(size, ranked=Extreme(size, ref.ranked.descending))


def misplaced(graph: KindGraph, ref: Ref, part: Part, *, many: bool, steps: int) -> float:
    """The cost of a preposition that suits another kind of attribute."""
    if not ref.kind.is_value or not ref.named:
        return 0.0
    if many and part.preposition == "of" and steps > 1:
        raise NoPlanError("of a member of a list of something else")
    wrong = (many and part.preposition in OF_LIKE) or (
        not many and part.preposition in WITH_LIKE and not graph.is_number(ref.kind)
    )
    return MISPLACED if wrong or (many and part.preposition == "noun") else 0.0


def check_direction(graph: KindGraph, kind: Kind, group: Group) -> None:
    """Papers determine observables, and not the other way round."""
    if not group.relation or group.active is None:
        return
    target = statement(group.relation)
    if kind == target:
        return
    left_out = (r.kind for p in group.parts if p.negated for r in p.refs)
    if any(k.form is Form.STATEMENT and k != target for k in left_out):
        raise NoPlanError("another event is left out")
    subjects, objects = graph.ends(target)
    paths = graph.paths(kind, target)
    before = {(kind, *p[:-1])[-1] for p in paths}
    if not before & set(subjects if group.active else objects):
        raise NoPlanError("the wrong way round")
