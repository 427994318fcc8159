"""Checks what an extractor proposes against the document and the schema; refusals are kept and counted.

Codes of :class:`~schemas.graphs.Rejection`:

======================= =====================================================================
``unknown_type``        the schema has no such entity or relation type
``bad_name``            an empty name, or one of more than 1,000 characters
``duplicate_ref``       a second draft with a ``ref`` that is taken
``quote_not_found``     the quote is not in the text (one of several: only that quote is dropped)
``no_evidence``         no quote is left, or none was given
``bad_attribute``       unknown, or of the wrong type, enumeration or pattern (the attribute is dropped)
``number_not_in_quote`` a number that no quote prints: a record loses the attribute, a statement is refused
``dangling_end``        a statement's end is no accepted record of the same extraction
``wrong_end``           a statement's end has a type that the relation does not join
``unsure``              a model's score is below its threshold, and no chat model settled it
``malformed``           a fragment of a sequence-to-sequence model that is no triplet
``no_mention``          such a triplet's end is no entity that was found
``unknown_relation``    such a triplet's phrase is no relation of the schema
``no_common_sentence``  no one sentence holds both ends of such a triplet
``same_entity``         both ends of a relation are one entity
======================= =====================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from extraction.attributes import attribute_fault, number_fault
from schemas.documents import Document
from schemas.graph_schema import AttributeType, EntityType, GraphSchema, RelationType
from schemas.graphs import DraftRecord, DraftStatement, Evidence, Extraction, Origin, Rejection
from schemas.language.anchors import find_quote, find_quote_near
from schemas.model import AttributeValue

LONGEST_NAME = 1_000
LONGEST_ITEM = 200


@dataclass(frozen=True, slots=True)
class _Refused:
    code: str
    detail: str


@dataclass(slots=True)
class _Checks:
    """One extraction on its way through the checks."""

    document: Document
    schema: GraphSchema
    extractor: str
    entities: dict[str, EntityType] = field(default_factory=dict)
    relations: dict[str, RelationType] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    """Entity type of each accepted ref."""
    rejections: list[Rejection] = field(default_factory=list)

    def refuse(self, code: str, detail: str, item: str) -> None:
        self.rejections.append(
            Rejection(extractor=self.extractor, code=code, detail=detail, item=item[:LONGEST_ITEM])
        )


def check_extraction(document: Document, schema: GraphSchema, extraction: Extraction) -> Extraction:
    """The drafts that stand up, each with evidence at exact spans, and all rejections so far.

    Quotes without a span are looked up (:func:`~schemas.language.anchors.find_quote`); a span whose
    text is not the quote is moved to the nearest place that is. Nothing is dropped in silence: every
    draft that is not in the result, every dropped quote and attribute has its rejection.
    """
    checks = _Checks(
        document,
        schema,
        extraction.extractor,
        {e.name: e for e in schema.entities},
        {r.name: r for r in schema.relations},
    )
    records = [kept for draft in extraction.records if (kept := _record(checks, draft)) is not None]
    statements = [
        made for proposed in extraction.statements if (made := _statement(checks, proposed)) is not None
    ]
    return Extraction(
        extractor=extraction.extractor,
        records=tuple(records),
        statements=tuple(statements),
        rejections=(*extraction.rejections, *checks.rejections),
    )


def _record(checks: _Checks, draft: DraftRecord) -> DraftRecord | None:
    item = f"{draft.type} {draft.name!r}"
    fault = _record_fault(checks, draft)
    if fault is not None:
        checks.refuse(fault.code, fault.detail, item)
        return None
    evidence = _located(checks, draft.evidence, draft.quotes, item)
    if not evidence and draft.origin is Origin.TEXT:
        checks.refuse("no_evidence", "expected at least one quote that is in the text, found none", item)
        return None
    declared = checks.entities[draft.type]
    attributes: dict[str, AttributeValue] = {}
    for name, value in draft.attributes.items():
        fault = _attribute_fault(checks, declared, draft, name, value, evidence)
        if fault is None:
            attributes[name] = value
        else:
            checks.refuse(fault.code, fault.detail, item)
    checks.types[draft.ref] = draft.type
    return draft.model_copy(update={"attributes": attributes, "evidence": evidence, "quotes": ()})


def _record_fault(checks: _Checks, draft: DraftRecord) -> _Refused | None:
    if draft.type not in checks.entities:
        return _Refused("unknown_type", f"expected one of {', '.join(checks.entities)}, found {draft.type!r}")
    if not draft.name.strip() or len(draft.name) > LONGEST_NAME:
        return _Refused(
            "bad_name", f"expected a name of 1 to {LONGEST_NAME} characters, found {len(draft.name.strip())}"
        )
    if draft.ref in checks.types:
        return _Refused("duplicate_ref", f"the ref {draft.ref[:80]!r} is taken by another draft")
    return None


def _attribute_fault(
    checks: _Checks,
    declared: EntityType,
    draft: DraftRecord,
    name: str,
    value: AttributeValue,
    evidence: Sequence[Evidence],
) -> _Refused | None:
    attribute = _declared(declared.attributes, name)
    fault = attribute_fault(attribute, name, value, declared.attributes)
    if fault:
        return _Refused("bad_attribute", fault)
    if _is_metadata(checks, draft, name, value) or attribute is None or not evidence:
        return None
    fault = number_fault(attribute, value, draft.attributes, evidence)
    return _Refused("number_not_in_quote", fault) if fault else None


def _declared(attributes: Sequence[AttributeType], name: str) -> AttributeType | None:
    return next((a for a in attributes if a.name == name), None)


def _is_metadata(checks: _Checks, draft: DraftRecord, name: str, value: AttributeValue) -> bool:
    """Whether the document's own metadata say so (its year is on no page of its text)."""
    return draft.type == checks.schema.document_type and name == "year" and value == checks.document.year


def _statement(checks: _Checks, draft: DraftStatement) -> DraftStatement | None:
    item = f"{draft.subject} {draft.type} {draft.object}"
    fault = _ends_fault(checks, draft)
    if fault is not None:
        checks.refuse(fault.code, fault.detail, item)
        return None
    evidence = _located(checks, draft.evidence, draft.quotes, item)
    if not evidence and draft.origin is Origin.TEXT:
        checks.refuse("no_evidence", "expected at least one quote that is in the text, found none", item)
        return None
    declared = checks.relations[draft.type].attributes
    attributes: dict[str, AttributeValue] = {}
    for name, value in draft.attributes.items():
        attribute = _declared(declared, name)
        wrong = attribute_fault(attribute, name, value, declared)
        if wrong or attribute is None:
            checks.refuse("bad_attribute", wrong, item)
            continue
        missing = number_fault(attribute, value, draft.attributes, evidence) if evidence else ""
        if missing:
            checks.refuse("number_not_in_quote", missing, item)
            return None
        attributes[name] = value
    return draft.model_copy(update={"attributes": attributes, "evidence": evidence, "quotes": ()})


def _ends_fault(checks: _Checks, draft: DraftStatement) -> _Refused | None:
    relation = checks.relations.get(draft.type)
    if relation is None:
        return _Refused(
            "unknown_type", f"expected one of {', '.join(checks.relations)}, found {draft.type!r}"
        )
    for end, ref, allowed in (
        ("subject", draft.subject, relation.subjects),
        ("object", draft.object, relation.objects),
    ):
        found = checks.types.get(ref)
        if found is None:
            return _Refused(
                "dangling_end", f"the {end} {ref[:80]!r} is no accepted record of this extraction"
            )
        if found not in allowed:
            return _Refused("wrong_end", f"expected as {end} one of {', '.join(allowed)}, found {found}")
    return None


def _located(
    checks: _Checks, evidence: Sequence[Evidence], quotes: Sequence[str], item: str
) -> tuple[Evidence, ...]:
    text = checks.document.text
    found: dict[tuple[int, int], Evidence] = {}
    for quote, span in [
        *((e.quote, _span(text, e)) for e in evidence),
        *((quote, find_quote(text, quote)) for quote in quotes),
    ]:
        if span is None:
            checks.refuse("quote_not_found", f"the text has no {quote[:LONGEST_ITEM]!r}", item)
        else:
            found.setdefault(span, Evidence(start=span[0], end=span[1], quote=text[slice(*span)]))
    return tuple(found[span] for span in sorted(found))


def _span(text: str, evidence: Evidence) -> tuple[int, int] | None:
    inside = 0 <= evidence.start < evidence.end <= len(text)
    if inside and evidence.quote.strip() and text[evidence.start : evidence.end] == evidence.quote:
        return evidence.start, evidence.end
    return find_quote_near(text, evidence.quote, evidence.start)
