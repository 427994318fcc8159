"""Functions of numbers: which number of which things is averaged or summed."""

from __future__ import annotations

from dataclasses import replace

from cypher.form import Op
from cypher.general.groups import merged
from cypher.general.kinds import Derived, Kind, KindGraph, value
from cypher.general.plan import Tree
from cypher.general.refs import Extreme, Group, Part, Ref
from cypher.general.tries import NoPlanError
from cypher.schema_graph import LIMIT, UNIT, VALUE


def averaged(graph: KindGraph, ref: Ref, valued: Kind | None) -> tuple[Ref, Kind]:
    """The things, and the number of each that a function takes; may raise ``NoPlanError``.

    Of measured values that is the value itself; "the total error of the measurements of X" are numbers of
    measurements, and "the year of the papers on X" numbers of papers.
    """
    if ref.kind == valued and valued is not None:
        return ref, value(valued.owner, VALUE)
    plain = not (ref.ranked or ref.number or ref.each or ref.keep or ref.other)
    if not (ref.kind.is_value and graph.is_number(ref.kind) and plain):
        raise NoPlanError("a function of things without a number")
    owner = graph.owner(ref.kind)
    things = Ref(owner)
    groups: list[Group] = []
    for group in ref.groups:
        own = next((p for p in group.parts if _is_noun(p, owner)), None)
        if own is not None and things == Ref(owner) and not group.negated:
            things = replace(merged(own.refs)[0], named="")
            kept = tuple(p for p in group.parts if p is not own)
            groups += [replace(group, parts=kept)] if kept or group.ranked or group.number else []
        else:
            groups.append(group)
    if ref.tests or ref.contrast:
        groups.append(Group((Part((Ref(ref.kind, ref.tests, contrast=ref.contrast),)),)))
    return replace(things, groups=(*things.groups, *groups)), ref.kind


def with_unit(graph: KindGraph, ref: Ref) -> tuple[Ref, Kind | None]:
    """Things with a known number, where numbers with a unit are asked for: alone they mean nothing."""
    kind = ref.kind
    if not (kind.is_value and graph.is_number(kind) and (is_error(kind) or graph.attribute(unit_of(kind)))):
        return ref, None
    things, number = averaged(graph, replace(ref, ranked=None, keep=0), None)
    if isinstance(ref.ranked, Extreme):
        ordered = replace(ref.ranked, kind=number)
        return replace(things, ranked=ordered, keep=ref.keep, plural=ref.plural), number
    return replace(things, groups=(*things.groups, Group((Part((Ref(number),)),)))), number


def is_error(kind: Kind) -> bool:
    """Whether it is the error of a measured value: its number has the unit of the value."""
    return kind.derived in (Derived.TOTAL, Derived.STATISTICAL, Derived.SYSTEMATIC)


def unit_of(number: Kind) -> Kind:
    """The unit of an entity's number, a value of its own."""
    return value(number.owner, f"{number.attribute}_{UNIT}")


def _is_noun(part: Part, owner: Kind) -> bool:
    """Whether a phrase speaks of things of a kind."""
    return len(merged(part.refs)) == 1 and part.refs[0].kind == owner and not part.negated


def leaves_out_limits(number: Kind, root: Tree) -> bool:
    """Whether numbers are measured values or their errors, and no limits are asked for."""
    return bool(number.derived or number.attribute == VALUE) and not _asks_limits(root)


def _asks_limits(tree: Tree) -> bool:
    asked = tree.kind.attribute == LIMIT and any(t.op is not Op.UNKNOWN for t in tree.tests)
    inner = (*tree.children, *(t for b in tree.branches if not b.negated for t in b.trees))
    return asked or any(map(_asks_limits, inner))
