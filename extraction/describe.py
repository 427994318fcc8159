"""Descriptions for records that have none: verbalised statements, else a template.

After section 3.1.2 of CoTeRAG-S, where descriptions are what is embedded. The words are the schema's
verbalisations and the document's names. A record keeps its id, name and everything else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from extraction.ask import MAX_TOKENS, ask_each, fenced, numbered_schema, read_numbered
from extraction.prompts.templates import load_template
from extraction.schema_labels import spoken
from schemas.graph_schema import AttributeType, GraphSchema
from schemas.graphs import DocumentGraph, Record, Statement
from schemas.ids import RecordId
from schemas.language.sentences import sentences
from schemas.model import AttributeValue
from schemas.ports import Chat, ChatRequest

MOST_STATEMENTS = 5
"""Statements in one description; an embedder reads a few hundred tokens."""
BATCH = 10
"""Records in one request."""
LONGEST_DESCRIPTION = 600
LONGEST_REPLY = 5_000
"""Characters of the text about one record in which sentences are looked for."""
_SENTENCE = re.compile(r"(?P<said>[^\[\]]+?)\s*\[(?P<cited>S\d{1,9}(?:\s*,\s*S\d{1,9})*)\]\s*[.;]?")


class Describer(Protocol):
    """Describes the records that have no description."""

    @property
    def name(self) -> str:
        """Name and version; part of the run id."""
        ...

    def describe(self, graph: DocumentGraph, schema: GraphSchema) -> DocumentGraph:
        """The graph with a description on every record; those that have one keep it."""
        ...


class TemplateDescriber:
    """Describes in the schema's own words, without a model."""

    name = "describe/1"

    def describe(self, graph: DocumentGraph, schema: GraphSchema) -> DocumentGraph:
        """Each description from the record's statements, else from its type."""
        facts = statements_of(graph)
        return with_descriptions(
            graph, {r.id: describe_record(r, facts[r.id], graph, schema) for r in undescribed(graph)}
        )


class ChatDescriber:
    """Asks a chat model for one or two sentences per record that has statements, each cited.

    A sentence that cites none of the record's statements is dropped; where nothing is left, and for
    records without statements, the description is that of :class:`TemplateDescriber`. A citation is the
    statement's id. The chat's errors pass through.
    """

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    @property
    def name(self) -> str:
        """``describe/1:MODEL``."""
        return f"describe/1:{self._chat.model}"

    def describe(self, graph: DocumentGraph, schema: GraphSchema) -> DocumentGraph:
        """Described by the model where it can, else by the template."""
        facts = statements_of(graph)
        records = undescribed(graph)
        asked = [r for r in records if facts[r.id]]
        written = ask_each(
            self._chat,
            asked,
            lambda some: _request(_told(some, facts, graph, schema)),
            read=lambda data, some: _read(data, [facts[r.id] for r in some]),
            batch=BATCH,
        )
        made = {r.id: text for r, text in zip(asked, written, strict=True) if text}
        return with_descriptions(
            graph,
            {r.id: made.get(r.id) or describe_record(r, facts[r.id], graph, schema) for r in records},
        )


def undescribed(graph: DocumentGraph) -> tuple[Record, ...]:
    """The records without a description."""
    return tuple(r for r in graph.records if not r.description)


def with_descriptions(graph: DocumentGraph, descriptions: Mapping[RecordId, str]) -> DocumentGraph:
    """The graph with these descriptions; ids, names and order stay."""
    records = (
        r.model_copy(update={"description": descriptions[r.id]}) if r.id in descriptions else r
        for r in graph.records
    )
    return graph.model_copy(update={"records": tuple(records)})


def statements_of(graph: DocumentGraph) -> dict[RecordId, tuple[Statement, ...]]:
    """Per record the statements it takes part in, at most ``MOST_STATEMENTS``, the surest first."""
    found: dict[RecordId, list[Statement]] = {r.id: [] for r in graph.records}
    for statement in sorted(graph.statements, key=lambda s: (-s.confidence, s.type, s.id)):
        for end in {statement.subject, statement.object}:
            found[end].append(statement)
    return {key: tuple(statements[:MOST_STATEMENTS]) for key, statements in found.items()}


def describe_record(
    record: Record, facts: Sequence[Statement], graph: DocumentGraph, schema: GraphSchema
) -> str:
    """The statements in words, one sentence each; without statements, the type and the attributes."""
    if not facts:
        return from_template(record, schema)
    names = {r.id: r.name for r in graph.records}
    said = dict.fromkeys(f"{verbalise(s, names, schema)}." for s in facts)
    return " ".join(said)[:LONGEST_DESCRIPTION]


def verbalise(statement: Statement, names: Mapping[RecordId, str], schema: GraphSchema) -> str:
    """Subject, the relation's first verbalisation, object, and the attributes in brackets."""
    relation = schema.relation(statement.type)
    told = _attributes(statement.attributes, relation.attributes)
    said = f"{names[statement.subject]} {spoken(relation)[0]} {names[statement.object]}"
    return f"{said} ({told})" if told else said


def from_template(record: Record, schema: GraphSchema) -> str:
    """``NAME: TYPE`` with the attributes, in the schema's words.

    >>> from schemas.schema_files import load_schema
    >>> from schemas.ids import DocumentKey, RecordId
    >>> fever = Record(id=RecordId("1"), document=DocumentKey("d"), type="symptom", name="fever")
    >>> from_template(fever, load_schema("biomedical"))
    'fever: symptom.'
    """
    entity = schema.entity(record.type)
    told = _attributes(record.attributes, entity.attributes)
    said = f"{record.name}: {spoken(entity)[0]}"
    return (f"{said} ({told})." if told else f"{said}.")[:LONGEST_DESCRIPTION]


def _attributes(values: Mapping[str, AttributeValue], declared: Sequence[AttributeType]) -> str:
    return ", ".join(
        f"{(a.verbalisations or (a.name.replace('_', ' '),))[0]} {_value(values[a.name], a.unit)}"
        for a in declared
        if a.name in values and a.type != "boolean"
    )


def _value(value: AttributeValue, unit: str) -> str:
    text = (
        ", ".join(value)
        if isinstance(value, tuple)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )
    return f"{text} {unit}" if unit else text


def _told(
    records: Sequence[Record],
    facts: Mapping[RecordId, Sequence[Statement]],
    graph: DocumentGraph,
    schema: GraphSchema,
) -> str:
    names = {r.id: r.name for r in graph.records}
    lines = []
    for number, record in enumerate(records, 1):
        lines.append(f"{number}. {spoken(schema.entity(record.type))[0]}: {record.name}")
        lines += [f"   S{n}: {verbalise(s, names, schema)}" for n, s in enumerate(facts[record.id], 1)]
    return "\n".join(lines)


def _request(told: str) -> ChatRequest:
    return ChatRequest(
        messages=fenced("describe", records=told),
        purpose=load_template("describe").id,
        json_schema=numbered_schema("description", {"type": "string"}),
        max_tokens=MAX_TOKENS,
    )


def _read(data: Mapping[str, Any], facts: Sequence[Sequence[Statement]]) -> dict[int, str]:
    answers = read_numbered(data, "description", count=len(facts))
    return {at: cited_sentences(text, facts[at]) for at, text in answers.items()}


def cited_sentences(text: str, facts: Sequence[Statement]) -> str:
    """The sentences, two at most, that end in citations of these statements, with ids for numbers.

    >>> cited_sentences("It is large [S7]. It is a guess.", ())
    ''
    """
    kept: list[str] = []
    for match in _SENTENCE.finditer(" ".join(text[:LONGEST_REPLY].split())):
        cited = dict.fromkeys(int(number) for number in re.findall(r"\d+", match["cited"]))
        ids = [facts[n - 1].id for n in cited if 1 <= n <= len(facts)]
        spans = sentences(match["said"].strip(" .;"))
        if spans and len(ids) == len(cited):
            start, end = spans[-1]  # what stands before it has no citation
            kept.append(f"{match['said'].strip(' .;')[start:end]} [{', '.join(ids)}].")
    while sum(map(len, kept)) > LONGEST_DESCRIPTION:
        kept.pop()
    return " ".join(kept[:2])
