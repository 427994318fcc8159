"""Builds one document and its graph side by side, so that every fact points at the row it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from schemas.documents import Block, BlockKind, Document, DocumentKind, Identifiers, Section, SourceMap
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph, Evidence, Origin, Record, Statement
from schemas.ids import DocumentKey, RecordId, StatementId, content_hash, record_id, statement_id
from schemas.language.names import normalise_name
from schemas.model import AttributeValue

EXTRACTOR = "pdg/2"
LICENCE = "CC BY 4.0"


def pdg_run_id(version: str, fingerprint: str) -> str:
    """Id of the run that makes the graph of a listing: text version, schema fingerprint, reader version."""
    return content_hash(version, fingerprint, EXTRACTOR)


@dataclass(frozen=True, slots=True)
class Context:
    """What all documents of one reading share."""

    schema: GraphSchema
    fingerprint: str
    attribution: str
    case_sensitive: Mapping[str, bool]

    @classmethod
    def of(cls, schema: GraphSchema, citation: str) -> Context:
        """Compute once what each document needs."""
        return cls(
            schema,
            schema.fingerprint,
            f"Data: {citation} — {LICENCE}",
            {e.name: e.case_sensitive for e in schema.entities},
        )


@dataclass(slots=True)
class Builder:
    """Text, blocks, records and statements of one document, in the order they are added."""

    context: Context
    key: DocumentKey
    _parts: list[str] = field(default_factory=list)
    _length: int = 0
    _blocks: list[Block] = field(default_factory=list)
    _sections: list[tuple[str, int]] = field(default_factory=lambda: [("", 0)])
    _files: dict[str, int] = field(default_factory=dict)
    _anchors: list[tuple[int, int, int, str]] = field(default_factory=list)
    _records: dict[RecordId, Record] = field(default_factory=dict)
    _statements: dict[StatementId, Statement] = field(default_factory=dict)
    _ordinals: dict[StatementId, int] = field(default_factory=dict)
    _seen: set[tuple[StatementId, tuple[Evidence, ...]]] = field(default_factory=set)

    def block(self, kind: BlockKind, lines: Sequence[str], source: tuple[str, int, str]) -> list[Evidence]:
        """Add a block of lines; one span of evidence per line. ``source`` is (table, row, record id)."""
        text = "\n".join(lines)
        if self._parts:
            self._parts.append("\n\n")
            self._length += 2
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        self._blocks.append(
            Block(kind=kind, start=start, end=self._length, text=text, section=len(self._sections) - 1)
        )
        table, row, name = source
        file = self._files.setdefault(table, len(self._files))
        self._anchors.append((start, file, row, name))
        spans, at = [], start
        for line in lines:
            spans.append(Evidence(start=at, end=at + len(line), quote=line))
            at += len(line) + 1
        return spans

    def section(self, title: str) -> None:
        """Start a section of level 1 with its heading."""
        start = self._length + (2 if self._parts else 0)
        self._sections.append((title, start))
        self.block(BlockKind.HEADING, [title], ("pdgid", 1, ""))

    def record(
        self,
        kind: str,
        name: str,
        *,
        evidence: tuple[Evidence, ...],
        aliases: tuple[str, ...] = (),
        description: str = "",
        attributes: Mapping[str, AttributeValue | None] | None = None,
    ) -> RecordId:
        """Add a record, or further evidence to the one of that name; its id."""
        normal = normalise_name(name, case_sensitive=self.context.case_sensitive[kind])
        identity = record_id(self.key, kind, normal)
        known = self._records.get(identity)
        if known is not None:
            extra = tuple(e for e in evidence if e not in known.evidence)
            more = tuple(a for a in aliases if a not in known.aliases)
            if extra or more:
                update = {"evidence": known.evidence + extra, "aliases": known.aliases + more}
                self._records[identity] = known.model_copy(update=update)
            return identity
        self._records[identity] = Record(
            id=identity,
            document=self.key,
            type=kind,
            name=name,
            description=description,
            aliases=aliases,
            attributes=present(attributes or {}),
            evidence=evidence,
            origin=Origin.PDG_TABLES,
            extractor=EXTRACTOR,
        )
        return identity

    def statement(
        self,
        subject: RecordId,
        relation: str,
        target: RecordId,
        *,
        evidence: tuple[Evidence, ...],
        attributes: Mapping[str, AttributeValue | None] | None = None,
        qualifiers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Add a statement; an equal one at the same evidence is the same, at another it counts again."""
        identity = first = statement_id(self.key, subject, relation, target, qualifiers=qualifiers)
        if identity in self._statements:
            if (identity, evidence) in self._seen:
                return
            ordinal = self._ordinals.get(identity, 0) + 1
            self._ordinals[identity] = ordinal
            identity = statement_id(
                self.key, subject, relation, target, qualifiers=qualifiers, ordinal=ordinal
            )
        self._seen.add((first, evidence))
        self._statements[identity] = Statement(
            id=identity,
            document=self.key,
            subject=subject,
            type=relation,
            object=target,
            attributes=present(attributes or {}),
            evidence=evidence,
            origin=Origin.PDG_TABLES,
            extractor=EXTRACTOR,
        )

    def finish(
        self,
        kind: DocumentKind,
        title: str,
        *,
        identifiers: Identifiers | None = None,
        year: int | None = None,
        experiment: str = "",
    ) -> tuple[Document, DocumentGraph]:
        """The document and its graph."""
        document = Document(
            key=self.key,
            kind=kind,
            title=title,
            text="".join(self._parts),
            sections=self._section_tree(title),
            blocks=tuple(self._blocks),
            source_map=SourceMap(
                files=tuple(self._files),
                offsets=tuple(a[0] for a in self._anchors),
                file_of=tuple(a[1] for a in self._anchors),
                lines=tuple(a[2] for a in self._anchors),
                paths=tuple(a[3] for a in self._anchors),
            ),
            identifiers=identifiers or Identifiers(),
            year=year,
            experiment=experiment,
            attribution=self.context.attribution,
            licence=LICENCE,
        )
        version = document.version
        graph = DocumentGraph(
            document=self.key,
            version=version,
            schema_name=self.context.schema.name,
            schema_version=self.context.schema.version,
            run_id=pdg_run_id(version, self.context.fingerprint),
            records=tuple(self._records.values()),
            statements=tuple(self._statements.values()),
        )
        return document, graph

    def _section_tree(self, title: str) -> tuple[Section, ...]:
        sections = [Section(index=0, parent=None, level=0, title=title, start=0, end=self._length)]
        ends = [s[1] for s in self._sections[2:]] + [self._length]
        for index, ((name, start), end) in enumerate(zip(self._sections[1:], ends, strict=False), start=1):
            sections.append(Section(index=index, parent=0, level=1, title=name, start=start, end=end))
        return tuple(sections)


def present(attributes: Mapping[str, AttributeValue | None]) -> dict[str, AttributeValue]:
    """Attributes without the absent ones (None, empty text, empty tuple)."""
    return {k: v for k, v in attributes.items() if v is not None and v not in ("", ())}
