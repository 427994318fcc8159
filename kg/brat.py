"""Graphs as brat standoff (https://brat.nlplab.org/standoff.html) and back.

Each quote of a record is a text-bound annotation (``T``), several of one record are joined by ``Equiv``, a
statement is a relation (``R``). What brat has no place for (name, attributes, a statement's own quotes)
stands as JSON in annotator notes (``#``), so that a round trip keeps it. Records without a quote in the text,
and statements that end in one, cannot be written; they are counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.errors import ReadError
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph, Evidence, Record, Statement
from schemas.ids import DocumentKey, RecordId, canonical_json, content_hash, record_id, statement_id
from schemas.language.names import normalise_name

BRAT = "brat"
"""``extractor`` of what an annotation file does not name one for."""
_RECORD = ("name", "description", "aliases", "attributes", "confidence", "origin", "extractor", "status")
_STATEMENT = ("attributes", "confidence", "origin", "extractor", "status", "evidence")
_TEXT_BOUND = re.compile(r"(T\S*)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)\t(.*)")
_RELATION = re.compile(r"(R\S*)\t(\S+) Arg1:(T\S*) Arg2:(T\S*)\s*")
_NOTE = re.compile(r"#\S*\tAnnotatorNotes (\S+)\t(\{.*\})")
_EQUIV = re.compile(r"\*\tEquiv ((?:T\S* ?)+)")


@dataclass(frozen=True, slots=True)
class Standoff:
    """The two files of one document."""

    text: str
    annotations: str
    left_out: int = 0
    """Records and statements without a place in the text."""


def to_brat(graph: DocumentGraph, document: Document) -> Standoff:
    """Text and annotations of one document."""
    lines: list[str] = []
    first: dict[RecordId, str] = {}
    marks = notes = 0
    for record in graph.records:
        mine: list[str] = []
        for evidence in (e for e in record.evidence if e.quote.strip()):
            marks += 1
            mine.append(f"T{marks}")
            lines.append(f"T{marks}\t{record.type} {_bound(document.text, evidence)}")
        if not mine:
            continue
        first[record.id] = mine[0]
        if len(mine) > 1:
            lines.append(f"*\tEquiv {' '.join(mine)}")
        notes += 1
        lines.append(f"#{notes}\tAnnotatorNotes {mine[0]}\t{_note(record, _RECORD)}")
    written = [s for s in graph.statements if s.subject in first and s.object in first]
    for number, s in enumerate(written, 1):
        notes += 1
        lines.append(f"R{number}\t{s.type} Arg1:{first[s.subject]} Arg2:{first[s.object]}")
        lines.append(f"#{notes}\tAnnotatorNotes R{number}\t{_note(s, _STATEMENT)}")
    left_out = len(graph.records) - len(first) + len(graph.statements) - len(written)
    return Standoff(document.text, "".join(f"{line}\n" for line in lines), left_out)


def _bound(text: str, evidence: Evidence) -> str:
    """Offsets and text; brat wants one fragment per line of the text."""
    spans = [
        (evidence.start + m.start(), evidence.start + m.end()) for m in re.finditer(r"[^\n]+", evidence.quote)
    ]
    offsets = ";".join(f"{a} {b}" for a, b in spans)
    return f"{offsets}\t{' '.join(text[a:b] for a, b in spans)}"


def _note(item: Record | Statement, keys: Sequence[str]) -> str:
    return canonical_json(item.model_dump(mode="json", include=set(keys)))


@dataclass(slots=True)
class _Reading:
    file: str
    text: str
    schema: GraphSchema
    marks: dict[str, tuple[str, Evidence]] = field(default_factory=dict)
    relations: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    notes: dict[str, dict[str, Any]] = field(default_factory=dict)
    leader: dict[str, str] = field(default_factory=dict)
    """Each mark -> the first mark of its record."""
    lines: dict[str, int] = field(default_factory=dict)

    def fault(self, number: int, message: str) -> ReadError:
        return ReadError(message, file=self.file, line=number)


def from_brat(
    standoff: Standoff, *, name: str, schema: GraphSchema
) -> tuple[Document, DocumentGraph, tuple[int, ...]]:
    """Document, graph, and the lines that hold something else (events, attributes, normalisations).

    Raises ``ReadError`` with file and line: a broken line, an unknown type, a text that does not stand at its
    offsets, a relation whose end does not exist or has a type that it does not join.
    """
    reading = _Reading(f"{name}.ann", standoff.text, schema)
    skipped: list[int] = []
    for number, line in enumerate(standoff.annotations.split("\n"), 1):
        if line.strip() and not _read_line(reading, number, line):
            skipped.append(number)
    key = DocumentKey(f"{name}.txt")
    document = _document(standoff.text, key)
    records, ids = _records(reading, key)
    graph = DocumentGraph(
        document=key,
        version=document.version,
        schema_name=schema.name,
        schema_version=schema.version,
        run_id=content_hash(BRAT, document.version, schema.fingerprint, standoff.annotations),
        records=tuple(records.values()),
        statements=tuple(_statements(reading, key, ids, records)),
    )
    return document.model_copy(update={"base_run": graph.run_id}), graph, tuple(skipped)


def _read_line(reading: _Reading, number: int, line: str) -> bool:
    if found := _TEXT_BOUND.fullmatch(line):
        mark, kind, offsets, shown = found.groups()
        if kind not in {e.name for e in reading.schema.entities}:
            known = ", ".join(e.name for e in reading.schema.entities)
            raise reading.fault(number, f"expected an entity type ({known}), found {kind!r}")
        spans = [tuple(map(int, part.split())) for part in offsets.split(";")]
        start, end = spans[0][0], spans[-1][1]
        there = " ".join(reading.text[a:b] for a, b in spans)
        if there != shown or not 0 <= start < end <= len(reading.text):
            raise reading.fault(number, f"expected {shown[:60]!r} at {offsets}, found {there[:60]!r}")
        evidence = Evidence(start=start, end=end, quote=reading.text[start:end])
        reading.marks[mark], reading.lines[mark] = (kind, evidence), number
    elif found := _RELATION.fullmatch(line):
        reading.relations[found[1]], reading.lines[found[1]] = (found[2], found[3], found[4]), number
    elif found := _EQUIV.fullmatch(line):
        marks = found[1].split()
        reading.leader |= dict.fromkeys(marks, marks[0])
    elif found := _NOTE.fullmatch(line):
        try:
            reading.notes[found[1]] = json.loads(found[2])
        except json.JSONDecodeError as e:
            raise reading.fault(number, f"expected JSON in the note, found: {e.msg}") from e
    elif line[0] in "TR":
        raise reading.fault(number, f"expected a brat annotation, found {line[:60]!r}")
    else:
        return False
    return True


def _records(reading: _Reading, key: DocumentKey) -> tuple[dict[RecordId, Record], dict[str, RecordId]]:
    records: dict[RecordId, Record] = {}
    ids: dict[str, RecordId] = {}
    for mark, (kind, evidence) in reading.marks.items():
        leader = reading.leader.get(mark, mark)
        note = reading.notes.get(leader, {})
        name = str(note.get("name") or " ".join(evidence.quote.split()))
        plain = normalise_name(name, case_sensitive=reading.schema.entity(kind).case_sensitive)
        ids[mark] = made = record_id(key, kind, plain)
        before = records.get(made)
        evidences = {(e.start, e.end): e for e in (*(before.evidence if before else ()), evidence)}
        values = {
            "extractor": BRAT,
            **note,
            "id": made,
            "document": key,
            "type": kind,
            "name": name,
            "evidence": [evidences[span] for span in sorted(evidences)],
        }
        records[made] = (
            before.model_copy(update={"evidence": tuple(values["evidence"])})
            if before
            else (_made(reading, reading.lines[mark], Record, values))
        )
    return records, ids


def _made(reading: _Reading, number: int, kind: Any, values: dict[str, Any]) -> Any:
    try:
        return kind.model_validate(values)
    except ValidationError as e:
        first = e.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise reading.fault(number, f"its note does not fit: {where}: {first['msg']}") from e


def _statements(
    reading: _Reading, key: DocumentKey, ids: dict[str, RecordId], records: dict[RecordId, Record]
) -> Iterator[Statement]:
    taken: set[str] = set()
    for mark, (kind, left, right) in reading.relations.items():
        number = reading.lines[mark]
        declared = next((r for r in reading.schema.relations if r.name == kind), None)
        if declared is None:
            known = ", ".join(r.name for r in reading.schema.relations)
            raise reading.fault(number, f"expected a relation ({known}), found {kind!r}")
        for end, allowed in ((left, declared.subjects), (right, declared.objects)):
            if end not in ids or records[ids[end]].type not in allowed:
                raise reading.fault(number, f"expected as end one of {', '.join(allowed)}, found {end}")
        note = dict(reading.notes.get(mark, {}))
        spans = [(int(e["start"]), int(e["end"])) for e in note.pop("evidence", ())]
        if not spans:
            ends = [reading.marks[left][1], reading.marks[right][1]]
            spans = [(min(e.start for e in ends), max(e.end for e in ends))]
        made = next(
            i
            for n in range(len(taken) + 1)
            if (i := statement_id(key, ids[left], kind, ids[right], ordinal=n)) not in taken
        )
        taken.add(made)
        values = {
            "extractor": BRAT,
            **note,
            "id": made,
            "document": key,
            "subject": ids[left],
            "type": kind,
            "object": ids[right],
            "evidence": [Evidence(start=a, end=b, quote=reading.text[a:b]) for a, b in spans],
        }
        yield _made(reading, number, Statement, values)


def _document(text: str, key: DocumentKey) -> Document:
    """The text as it stands, code point for code point: annotations count on it."""
    starts = [0, *(m.end() for m in re.finditer("\n", text) if m.end() < len(text))]
    blocks = tuple(
        Block(kind=BlockKind.PARAGRAPH, start=m.start(), end=m.end(), text=m.group(), section=0)
        for m in re.finditer(r"[^\n]+(?:\n[^\n]+)*", text)
    )
    title = next((line.strip() for line in text.splitlines() if line.strip()), "")[:200]
    return Document(
        key=key,
        kind=DocumentKind.TEXT,
        title=title,
        text=text,
        sections=(Section(index=0, parent=None, level=0, title=title, start=0, end=len(text)),),
        blocks=blocks,
        source_map=SourceMap(
            files=(str(key),),
            offsets=tuple(starts),
            file_of=(0,) * len(starts),
            lines=tuple(range(1, len(starts) + 1)),
        ),
    )
