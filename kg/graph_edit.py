"""A graph file edited by hand, turned into reviewers' decisions or refused with file and line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from extraction.attributes import attribute_fault, number_fault
from extraction.evidence import LONGEST_NAME
from kg.graph_diff import field_changes
from kg.graph_file import Place
from kg.review_items import VETTED, ItemPayload
from schemas.documents import Document
from schemas.errors import GraphFileError
from schemas.graph_schema import AttributeType, GraphSchema
from schemas.graphs import DocumentGraph, Evidence, Origin, Record, Statement, Status
from schemas.ids import RecordId, record_id, statement_id
from schemas.language.anchors import find_quote_near
from schemas.language.names import normalise_name
from schemas.review import EventKind

BY_HAND = "by hand"
"""``extractor`` of what a person added and left it empty."""
_HEAD = ("document", "version", "schema_name", "schema_version", "run_id", "rejections")
_FIXED = ("document", "type", "origin", "extractor", "subject", "object")
Entry = tuple[EventKind, ItemPayload]


class EditedGraph(Protocol):
    """A graph that a person may have edited, and the way from its items back to where they are written."""

    @property
    def graph(self) -> DocumentGraph:
        """The graph as it was edited."""

    def fault(self, at: Sequence[str | int], message: str) -> GraphFileError:
        """The error that names the place of an item or field, for example ``("records", 3, "type")``."""


@dataclass(slots=True)
class _Edit:
    file: EditedGraph
    base: DocumentGraph
    document: Document
    schema: GraphSchema
    types: dict[str, str] = field(default_factory=dict)
    """Entity type of each record of the file."""
    ids: dict[RecordId, RecordId] = field(default_factory=dict)
    """Ids that the editor gave -> ids by content."""


def decisions_in(
    file: EditedGraph, base: DocumentGraph, document: Document, schema: GraphSchema
) -> list[Entry]:
    """What was decided by editing ``base`` into the file: events, in the order in which they can be applied.

    Raises ``GraphFileError`` with file and line of the first thing that does not stand up: a changed head, an
    unknown type or attribute, an end of the wrong type, a quote that is not in the text, a number that
    is in no quote.
    """
    for key in _HEAD:
        if getattr(file.graph, key) != getattr(base, key):
            raise file.fault((key,), f"{key} cannot be edited: put back {str(getattr(base, key))[:80]!r}")
    edit = _Edit(file, base, document, schema, {r.id: r.type for r in file.graph.records})
    records = list(_records(edit))
    statements = list(_statements(edit))
    rejected = [e for e in records if e[0] is EventKind.REJECT]
    return [
        *(e for e in records if e[0] is not EventKind.REJECT),
        *(e for e in statements if e[0] is EventKind.REJECT),
        *(e for e in statements if e[0] is not EventKind.REJECT),
        *rejected,
    ]


def _records(edit: _Edit) -> Iterator[Entry]:
    known = {r.id: r for r in edit.base.records}
    for index, written in enumerate(edit.file.graph.records):
        place: Place = ("records", index)
        before, record = known.pop(written.id, None), written
        if before == record:
            continue
        if before is None:
            record = _named_by_content(edit, place, record)
            before = known.pop(record.id, None)
        after = _checked_record(edit, place, record, before)
        if after != before:
            yield _entry(edit, before, after)
    yield from (_entry(edit, gone, None) for gone in known.values())


def _named_by_content(edit: _Edit, at: Place, record: Record) -> Record:
    """A record that was added, under the id of its content; it may have been logged before a crash."""
    declared = next((e for e in edit.schema.entities if e.name == record.type), None)
    name = normalise_name(record.name, case_sensitive=declared is not None and declared.case_sensitive)
    made = record_id(edit.base.document, record.type, name)
    if made in edit.types and made != record.id:
        raise edit.file.fault(at, f"{record.type} {record.name!r} is a record already: edit that one")
    edit.ids[record.id] = made
    return record.model_copy(update={"id": made, "extractor": record.extractor or BY_HAND})


def _statements(edit: _Edit) -> Iterator[Entry]:
    known = {s.id: s for s in edit.base.statements}
    taken: set[str] = {*known, *(s.id for s in edit.file.graph.statements)}
    for index, written in enumerate(edit.file.graph.statements):
        before, statement = known.pop(written.id, None), written
        if before == statement:
            continue
        after = _checked_statement(edit, ("statements", index), statement, before)
        if before is None:
            ends = {
                end: edit.ids.get(i, i) for end, i in (("subject", after.subject), ("object", after.object))
            }
            after = after.model_copy(update=ends)
            before = next((s for s in known.values() if s == after.model_copy(update={"id": s.id})), None)
            if before is not None:
                known.pop(before.id)
                continue
            made = next(i for n in range(len(taken) + 1) if (i := _statement_id(after, n)) not in taken)
            taken.add(made)
            after = after.model_copy(update={"id": made})
        if after != before:
            yield _entry(edit, before, after)
    yield from (_entry(edit, gone, None) for gone in known.values())


def _statement_id(s: Statement, ordinal: int) -> str:
    return statement_id(s.document, s.subject, s.type, s.object, ordinal=ordinal)


def _entry(edit: _Edit, before: Record | Statement | None, after: Record | Statement | None) -> Entry:
    kind = EventKind.EDIT
    if before is None:
        kind = EventKind.ADD
    elif after is None:
        kind = EventKind.REJECT
    elif [c.field for c in field_changes(before, after)] == ["status"] and after.status is VETTED:
        kind = EventKind.ACCEPT
    payload = ItemPayload(document=edit.base.document, base_run=edit.base.run_id, before=before, after=after)
    return kind, payload


def _checked_record(edit: _Edit, at: Place, record: Record, before: Record | None) -> Record:
    declared = next((e for e in edit.schema.entities if e.name == record.type), None)
    if declared is None:
        known = ", ".join(e.name for e in edit.schema.entities)
        raise edit.file.fault((*at, "type"), f"expected one of {known}, found {record.type!r}")
    if not record.name.strip():
        raise edit.file.fault((*at, "name"), "expected a name, found none")
    if len(record.name) > LONGEST_NAME and (before is None or before.name != record.name):
        message = f"expected a name of at most {LONGEST_NAME} characters, found {len(record.name)}"
        raise edit.file.fault((*at, "name"), message)
    _check_fixed(edit, at, record, before)
    evidence = _check_evidence(edit, at, record)
    _check_attributes(edit, at, record.model_copy(update={"evidence": evidence}), before, declared.attributes)
    return record.model_copy(update={"evidence": evidence, "extractor": record.extractor or BY_HAND})


def _checked_statement(edit: _Edit, at: Place, statement: Statement, before: Statement | None) -> Statement:
    declared = next((r for r in edit.schema.relations if r.name == statement.type), None)
    if declared is None:
        known = ", ".join(r.name for r in edit.schema.relations)
        raise edit.file.fault((*at, "type"), f"expected one of {known}, found {statement.type!r}")
    _check_fixed(edit, at, statement, before)
    for end, allowed in (("subject", declared.subjects), ("object", declared.objects)):
        found = edit.types[getattr(statement, end)]
        if found not in allowed:
            raise edit.file.fault((*at, end), f"expected one of {', '.join(allowed)}, found a {found}")
    evidence = _check_evidence(edit, at, statement)
    located = statement.model_copy(update={"evidence": evidence})
    _check_attributes(edit, at, located, before, declared.attributes)
    return located.model_copy(update={"extractor": statement.extractor or BY_HAND})


def _check_fixed(edit: _Edit, at: Place, item: Record | Statement, before: Record | Statement | None) -> None:
    """What an edit may not touch: it would be another fact."""
    if item.document != edit.base.document:
        raise edit.file.fault((*at, "document"), f"expected {edit.base.document!r}, found {item.document!r}")
    if item.status is Status.PUBLISHED and (before is None or before.status is not Status.PUBLISHED):
        raise edit.file.fault((*at, "status"), "expected draft or vetted: only a release publishes")
    if before is None and item.origin is not Origin.TEXT:
        raise edit.file.fault((*at, "origin"), "what is added by hand rests on the text: remove the key")
    for key in _FIXED if before is not None else ():
        if getattr(item, key, None) != getattr(before, key, None):
            raise edit.file.fault(
                (*at, key), f"{key} cannot be edited: remove this item and add another, or put the value back"
            )


def _check_evidence(edit: _Edit, at: Place, item: Record | Statement) -> tuple[Evidence, ...]:
    """The quotes at their places; a wrong offset is mended, a quote that is not in the text is refused."""
    found: list[Evidence] = []
    for index, evidence in enumerate(item.evidence):
        span = find_quote_near(edit.document.text, evidence.quote, evidence.start)
        if span is None:
            raise edit.file.fault(
                (*at, "evidence", index, "quote"),
                f"the text of {edit.base.document} has no {evidence.quote[:80]!r}",
            )
        found.append(Evidence(start=span[0], end=span[1], quote=edit.document.text[slice(*span)]))
    if not found and item.origin is Origin.TEXT:
        raise edit.file.fault(at, "expected evidence with a quote from the text, found none")
    return tuple(found)


def _check_attributes(
    edit: _Edit,
    at: Place,
    item: Record | Statement,
    before: Record | Statement | None,
    declared: Sequence[AttributeType],
) -> None:
    """Attributes that were set or changed, and all of them when the quotes were."""
    moved = before is None or {e.quote for e in before.evidence} != {e.quote for e in item.evidence}
    for name, value in item.attributes.items():
        if before is not None and not moved and before.attributes.get(name) == value:
            continue
        attribute = next((a for a in declared if a.name == name), None)
        fault = attribute_fault(attribute, name, value, declared)
        if not fault and attribute is not None and item.evidence:
            fault = number_fault(attribute, value, item.attributes, item.evidence)
        if fault:
            raise edit.file.fault((*at, "attributes", name), fault)
