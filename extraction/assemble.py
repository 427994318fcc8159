"""Joins the drafts of all extractors into one document's graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from extraction.evidence import check_extraction
from schemas.documents import Document
from schemas.graph_schema import EntityType, GraphSchema
from schemas.graphs import (
    DocumentGraph,
    DraftRecord,
    DraftStatement,
    Evidence,
    Extraction,
    Origin,
    Record,
    Rejection,
    Statement,
)
from schemas.ids import (
    DocumentKey,
    RecordId,
    StatementId,
    canonical_json,
    content_hash,
    record_id,
    statement_id,
)
from schemas.language.acronyms import find_acronyms, with_definitions
from schemas.language.names import normalise_name, readable_name
from schemas.language.notation import canonical_particle, find_decays, parse_decay
from schemas.model import AttributeValue


def identify_run(document: Document, schema: GraphSchema, extractors: Iterable[str]) -> str:
    """Id of a run: document version, schema fingerprint and extractor names, whatever their order."""
    return content_hash(document.version, schema.fingerprint, *sorted(set(extractors)))


def canonical_name(entity: EntityType, name: str) -> str:
    """The name in the notation that the type declares, else the readable name with single spaces.

    >>> canonical_name(EntityType(name="decay", label="Decay", notation="decay"), "B0s → μ+ μ−")
    'B_s0 -> mu+ mu-'
    """
    plain = " ".join(readable_name(name).split())
    if entity.notation == "decay":
        decay = parse_decay(plain)
        return decay.name if decay else plain
    if entity.notation == "particle":
        return canonical_particle(plain) or plain
    if entity.notation == "observable":
        for start, end, decay in reversed(find_decays(plain)):
            plain = plain[:start] + decay.name + plain[end:]
    return plain


def assemble(
    document: Document,
    schema: GraphSchema,
    extractions: Sequence[Extraction],
    *,
    base: DocumentGraph | None = None,
) -> DocumentGraph:
    """One graph from the checked drafts of several extractors.

    Drafts of one type and one normalised name are one record: evidence and aliases are united, an
    attribute has the value of the surest draft (ties by extractor name, then by order). Statements are
    joined when ends and attributes are equal, and in no other case. The result does not depend on the
    order of ``extractions``, and extracting again gives the same ids. ``base``, a structured source's graph
    of the same document, is kept as it is: its records serve as ends of new statements.
    """
    build = _Build(document, schema, {e.name: e for e in schema.entities})
    if base is not None:
        build.base = {r.id: r for r in base.records}
    for extraction in sorted(extractions, key=lambda e: e.extractor):
        build.take(check_extraction(document, schema, extraction))
    kept = base.statements if base is not None else ()
    return DocumentGraph(
        document=document.key,
        version=document.version,
        schema_name=schema.name,
        schema_version=schema.version,
        run_id=identify_run(document, schema, (e.extractor for e in extractions)),
        records=(*build.base.values(), *build.records()),
        statements=(*kept, *build.statements({s.id for s in kept})),
        rejections=(*(base.rejections if base is not None else ()), *build.rejections),
    )


@dataclass(slots=True)
class _Joined:
    """Drafts that are one record or one statement."""

    evidence: dict[tuple[int, int], Evidence] = field(default_factory=dict)
    extractors: set[str] = field(default_factory=set)
    drafts: list[DraftRecord | DraftStatement] = field(default_factory=list)

    def add(self, draft: DraftRecord | DraftStatement, extractor: str) -> None:
        self.drafts.append(draft)
        self.extractors.add(extractor)
        for evidence in draft.evidence:
            self.evidence.setdefault((evidence.start, evidence.end), evidence)

    @property
    def ordered_evidence(self) -> tuple[Evidence, ...]:
        return tuple(self.evidence[span] for span in sorted(self.evidence))

    @property
    def extractor(self) -> str:
        return "+".join(sorted(self.extractors))

    @property
    def confidence(self) -> float:
        return max(d.confidence for d in self.drafts)

    @property
    def origin(self) -> Origin:
        return Origin.TEXT if any(d.origin is Origin.TEXT for d in self.drafts) else self.drafts[0].origin


_Ends = tuple[RecordId, str, RecordId]


@dataclass(slots=True)
class _Build:
    document: Document
    schema: GraphSchema
    entities: dict[str, EntityType]
    base: dict[RecordId, Record] = field(default_factory=dict)
    joined: dict[RecordId, _Joined] = field(default_factory=dict)
    facts: dict[_Ends, dict[str, _Joined]] = field(default_factory=dict)
    rejections: list[Rejection] = field(default_factory=list)

    def take(self, checked: Extraction) -> None:
        """Add one checked extraction."""
        ids: dict[str, RecordId] = {}
        for draft in checked.records:
            entity = self.entities[draft.type]
            name = canonical_name(entity, draft.name)
            key = normalise_name(name, case_sensitive=entity.case_sensitive)
            if not key:
                self._refuse(checked.extractor, "bad_name", "nothing is left of the name", draft.name)
                continue
            ids[draft.ref] = record_id(self.document.key, draft.type, key)
            if ids[draft.ref] not in self.base:
                self.joined.setdefault(ids[draft.ref], _Joined()).add(_named(draft, name), checked.extractor)
        for statement in checked.statements:
            self._take_statement(statement, checked.extractor, ids)
        self.rejections.extend(checked.rejections)

    def _take_statement(self, draft: DraftStatement, extractor: str, ids: dict[str, RecordId]) -> None:
        subject, target = ids.get(draft.subject), ids.get(draft.object)
        if subject is None or target is None:
            lost = draft.subject if subject is None else draft.object
            item = f"{draft.subject} {draft.type} {draft.object}"
            self._refuse(extractor, "dangling_end", f"the end {lost[:80]!r} was refused", item)
            return
        same = canonical_json([dict(draft.attributes), draft.qualifiers])
        ends = (subject, draft.type, target)
        self.facts.setdefault(ends, {}).setdefault(same, _Joined()).add(draft, extractor)

    def _refuse(self, extractor: str, code: str, detail: str, item: str) -> None:
        self.rejections.append(Rejection(extractor=extractor, code=code, detail=detail, item=item[:200]))

    def records(self) -> list[Record]:
        """The new records, sorted by type, then name."""
        acronyms = find_acronyms(self.document.text) if self.joined else {}
        made = [_record(self.document.key, key, joined) for key, joined in self.joined.items()]
        told = [r if self.entities[r.type].notation else _defined(r, acronyms) for r in made]
        return sorted(told, key=lambda r: (r.type, r.name, r.id))

    def statements(self, taken: set[StatementId]) -> list[Statement]:
        """The new statements, sorted by place; an id in ``taken`` (the base's) is stepped over."""
        made: list[Statement] = []
        for ends, facts in self.facts.items():
            ordinals: dict[tuple[tuple[str, str], ...], int] = {}
            for _, joined in sorted(facts.items(), key=_by_place):
                made.append(_statement(self.document.key, ends, joined, ordinals, taken))
        return sorted(made, key=lambda s: (s.type, [e.start for e in s.evidence], s.id))


def _by_place(item: tuple[str, _Joined]) -> tuple[list[tuple[int, int]], str]:
    return sorted(item[1].evidence), item[0]


def _named(draft: DraftRecord, name: str) -> DraftRecord:
    written = (draft.name,) if draft.name != name else ()
    return draft.model_copy(update={"name": name, "aliases": (*draft.aliases, *written)})


def _defined(record: Record, acronyms: Mapping[str, str]) -> Record:
    """The record with an alias that defines the acronyms of its name as the document does."""
    full = with_definitions(record.name, acronyms) if acronyms else record.name
    if full == record.name:
        return record
    return record.model_copy(update={"aliases": tuple(sorted({*record.aliases, full}))})


def _record(document: DocumentKey, key: RecordId, joined: _Joined) -> Record:
    drafts = [d for d in joined.drafts if isinstance(d, DraftRecord)]
    surest = sorted(drafts, key=lambda d: -d.confidence)
    attributes: dict[str, AttributeValue] = {}
    for draft in surest:
        for name, value in draft.attributes.items():
            attributes.setdefault(name, value)
    first = surest[0]
    written = (readable_name(a) for d in drafts for a in (d.name, *d.aliases))
    aliases = {a for a in written if a.strip() and a != first.name}
    return Record(
        id=key,
        document=document,
        type=first.type,
        name=first.name,
        description=next((d.description for d in surest if d.description), ""),
        aliases=tuple(sorted(aliases)),
        attributes=dict(sorted(attributes.items())),
        evidence=joined.ordered_evidence,
        origin=joined.origin,
        extractor=joined.extractor,
        confidence=joined.confidence,
    )


def _statement(
    document: DocumentKey,
    ends: _Ends,
    joined: _Joined,
    ordinals: dict[tuple[tuple[str, str], ...], int],
    taken: set[StatementId],
) -> Statement:
    draft = next(d for d in joined.drafts if isinstance(d, DraftStatement))
    subject, relation, target = ends
    while True:
        ordinal = ordinals.get(draft.qualifiers, 0)
        ordinals[draft.qualifiers] = ordinal + 1
        made = statement_id(document, subject, relation, target, qualifiers=draft.qualifiers, ordinal=ordinal)
        if made not in taken:
            break
    return Statement(
        id=made,
        document=document,
        subject=subject,
        type=relation,
        object=target,
        attributes=dict(sorted(draft.attributes.items())),
        evidence=joined.ordered_evidence,
        origin=joined.origin,
        extractor=joined.extractor,
        confidence=joined.confidence,
    )
