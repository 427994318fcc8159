"""What changed between two graphs of a document: by content, not by ids or offsets.

Records are the same when their type and normalised name are; statements when relation and ends are. Several
statements of one relation between the same ends are paired by equal attributes, then by a shared quote,
then in order. A quote that merely moved is no change, nor is another version of an extractor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias, TypeVar

from schemas.graphs import DocumentGraph, Record, Statement
from schemas.ids import RecordId, canonical_json
from schemas.language.names import normalise_name
from schemas.model import AttributeValue, Frozen

FieldValue: TypeAlias = AttributeValue | None
Item = TypeVar("Item", Record, Statement)
_Key: TypeAlias = tuple[str, ...]


class FieldChange(Frozen):
    """One field before and after; None where it is absent."""

    field: str
    """``description``, ``aliases``, ``quotes``, ``confidence``, ``status``, or ``attributes.NAME``."""
    before: FieldValue
    after: FieldValue


class Difference(Frozen):
    """A record or statement that was added, removed or changed."""

    what: Literal["record", "statement"]
    kind: Literal["added", "removed", "changed"]
    item: str
    """``type name`` of a record, ``subject relation object`` of a statement."""
    quote: str
    """Its first quote, of the later graph where it has one."""
    changes: tuple[FieldChange, ...] = ()


class GraphDiff(Frozen):
    """Differences, records first, in the order of the graphs."""

    before: str
    after: str
    differences: tuple[Difference, ...]

    def counts(self) -> dict[str, int]:
        """``record added`` and so on -> how many; only what occurs."""
        found: dict[str, int] = {}
        for d in self.differences:
            found[f"{d.what} {d.kind}"] = found.get(f"{d.what} {d.kind}", 0) + 1
        return found


def diff_graphs(before: DocumentGraph, after: DocumentGraph, *, names: tuple[str, str]) -> GraphDiff:
    """What leads from ``before`` to ``after``; ``names`` are what the two are called in the result."""
    ends = {r.id: r for graph in (before, after) for r in graph.records}
    records = _differences(before.records, after.records, _record_key, _record_name)
    statements = _differences(
        before.statements,
        after.statements,
        lambda s: _statement_key(s, ends),
        lambda s: f"{ends[s.subject].name} {s.type} {ends[s.object].name}",
    )
    return GraphDiff(before=names[0], after=names[1], differences=(*records, *statements))


def _record_key(record: Record) -> _Key:
    return record.type, normalise_name(record.name, case_sensitive=True)


def _record_name(record: Record) -> str:
    return f"{record.type} {record.name}"


def _statement_key(statement: Statement, ends: Mapping[RecordId, Record]) -> _Key:
    return (statement.type, *_record_key(ends[statement.subject]), *_record_key(ends[statement.object]))


def _differences(
    before: Sequence[Item], after: Sequence[Item], key: Callable[[Item], _Key], name: Callable[[Item], str]
) -> Iterator[Difference]:
    old: dict[_Key, list[Item]] = _grouped(before, key)
    new: dict[_Key, list[Item]] = _grouped(after, key)
    for group in dict.fromkeys((*old, *new)):
        for left, right in _paired(old.get(group, []), new.get(group, [])):
            shown = right if right is not None else left
            if shown is None:
                continue
            changes = field_changes(left, right) if left is not None and right is not None else ()
            kind: Literal["added", "removed", "changed"] = (
                "added" if left is None else "removed" if right is None else "changed"
            )
            if kind == "changed" and not changes:
                continue
            yield Difference(
                what="record" if isinstance(shown, Record) else "statement",
                kind=kind,
                item=name(shown),
                quote=shown.evidence[0].quote if shown.evidence else "",
                changes=changes,
            )


def _grouped(items: Sequence[Item], key: Callable[[Item], _Key]) -> dict[_Key, list[Item]]:
    found: dict[_Key, list[Item]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def _paired(before: list[Item], after: list[Item]) -> Iterator[tuple[Item | None, Item | None]]:
    """Each item with its partner: equal attributes first, then a shared quote, then the order."""
    rest = list(after)
    partner: dict[int, Item] = {}
    for alike in (_same_attributes, _shared_quote, _anything):
        for at, left in enumerate(before):
            if at in partner:
                continue
            found = next((i for i, right in enumerate(rest) if alike(left, right)), None)
            if found is not None:
                partner[at] = rest.pop(found)
    yield from ((left, partner.get(at)) for at, left in enumerate(before))
    yield from ((None, right) for right in rest)


def _same_attributes(left: Record | Statement, right: Record | Statement) -> bool:
    return canonical_json(dict(left.attributes)) == canonical_json(dict(right.attributes))


def _shared_quote(left: Record | Statement, right: Record | Statement) -> bool:
    return bool({e.quote for e in left.evidence} & {e.quote for e in right.evidence})


def _anything(_left: Record | Statement, _right: Record | Statement) -> bool:
    return True


def field_changes(before: Record | Statement, after: Record | Statement) -> tuple[FieldChange, ...]:
    """The fields that differ, in a fixed order; ids, offsets and extractors do not count.

    >>> from schemas.ids import DocumentKey, RecordId
    >>> one = Record(id=RecordId("1"), document=DocumentKey("d"), type="drug", name="aspirin")
    >>> field_changes(one, one.model_copy(update={"attributes": {"dose": 2}}))
    (FieldChange(field='attributes.dose', before=None, after=2),)
    """
    old, new = _fields(before), _fields(after)
    return tuple(
        FieldChange(field=name, before=old.get(name), after=new.get(name))
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name) or type(old.get(name)) is not type(new.get(name))
    )


def _fields(item: Record | Statement) -> dict[str, FieldValue]:
    named: dict[str, FieldValue] = (
        {"name": item.name, "description": item.description, "aliases": tuple(sorted(item.aliases))}
        if isinstance(item, Record)
        else {}
    )
    attributes = {f"attributes.{name}": value for name, value in item.attributes.items()}
    return {
        **named,
        **attributes,
        "quotes": tuple(sorted(e.quote for e in item.evidence)),
        "confidence": item.confidence,
        "origin": item.origin.value,
        "status": item.status.value,
    }
