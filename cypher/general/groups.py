"""What phrases say together: groups of parts, before they are joined along the schema."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cypher.form import Op
from cypher.general.kinds import Form, Kind
from cypher.general.plan import Number, Size, Test
from cypher.general.refs import Group, Part, Ref
from cypher.schema_graph import LIMIT

NONE: Final = Number(Size.FEWER, 1)
"""The number of "no papers"."""


def one_event(kind: Kind, groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """All that is said of a statement is said of one event."""
    plain = [g for g in groups if not g.negated and g.number is None and g.ranked is None]
    if kind.form is not Form.STATEMENT or len(plain) < 2:
        return groups
    merged = Group(
        tuple(p for g in plain for p in g.parts), relation=plain[0].relation, active=plain[0].active
    )
    return (merged, *(g for g in groups if g not in plain))


def counted(group: Group) -> Group:
    """A number on something that is said of a thing counts it: "papers that determine 3 observables"."""

    def with_number(ref: Ref) -> Ref:
        plain = ref.keep > 0 and not ref.ranked and ref.number is None
        return replace(ref, number=Number(Size.EXACTLY, ref.keep), keep=0) if plain else ref

    parts = (replace(p, refs=tuple(map(with_number, p.refs))) for p in group.parts)
    return replace(group, parts=tuple(parts))


def is_bare(ref: Ref) -> bool:
    """Whether no more is said than that there is such a value: "with a DOI"."""
    none = ref.number in (None, NONE)
    return none and not (ref.tests or ref.groups or ref.each or ref.ranked or ref.contrast)


def keyed(groups: tuple[Group, ...], key: Ref) -> tuple[Group, ...]:
    """The key of a grouped count belongs to the first event that is spoken of."""
    return with_part(groups, Part((key,)))


def with_part(groups: tuple[Group, ...], part: Part) -> tuple[Group, ...]:
    for i, group in enumerate(groups):
        if not group.negated and not group.number and not any(r.number for p in group.parts for r in p.refs):
            return (*groups[:i], replace(group, parts=(*group.parts, part)), *groups[i + 1 :])
    return (*groups, Group((part,)))


def merged(refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """Named things of one kind as one reference to any of them."""
    if len({r.kind for r in refs}) > 1 or not all(r.named and len(r.tests) == 1 for r in refs):
        return refs
    if len(refs) > 1 and any(r.tests[0].times for r in refs):
        return refs
    values: dict[object, None] = {}
    for ref in refs:
        found = ref.tests[0].value
        values.update(dict.fromkeys(found if isinstance(found, tuple) else (found,)))
    shown = " or ".join(r.tests[0].shown for r in refs)
    test = Test(Op.ONE_OF, tuple(values), shown)  # type: ignore[arg-type]
    return (replace(refs[0], tests=(test,), named=shown),)


def with_shared(refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """ "a value or a limit for X": what stands behind the last noun is said of the others, too."""
    *others, last = refs
    if last.named or last.kind.form is not Form.STATEMENT:
        return refs
    shared = tuple(p for g in last.groups for p in g.parts if not _tells_of_limit(p))
    bare = all(
        r.kind == last.kind and all(_tells_of_limit(p) for g in r.groups for p in g.parts) for r in others
    )
    if not (shared and bare):
        return refs
    return (*(replace(r, groups=(*r.groups, Group(shared))) for r in others), last)


def _tells_of_limit(part: Part) -> bool:
    return all(r.kind.attribute == LIMIT for r in part.refs)


def all_refs(ref: Ref) -> Iterator[Ref]:
    yield ref
    for group in ref.groups:
        for part in group.parts:
            for inner in part.refs:
                yield from all_refs(inner)
