"""BioRED without a language model: entities, relations given gold entities, and both end to end.

The learned extractor is trained on the 400 train abstracts and scored on the 100 dev abstracts. Its constants
were chosen on train (cross-validation) only. An entity is right when span and type are (exact match, as
usual); a relation when document, type and the unordered pair of concept ids are, without novelty. End to
end, a found entity stands for the concept of the gold mentions that its own mentions equal. Nothing that is
fitted here is kept.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.harness import Recorder, benchmark
from benchmarks.shared_sets import plain_document, tables, tool
from extraction.extract import extract_document
from extraction.learned import LearnedExtractor
from extraction.learned_fit import LearnedTrainer
from extraction.learned_gazetteer import Gazetteer, build_gazetteer
from extraction.learned_labels import Example, make_example
from extraction.learned_text import read_text
from schemas.documents import BlockKind, Document
from schemas.graph_schema import EntityType, GraphSchema, RelationType
from schemas.graphs import DocumentGraph, Evidence, Record, Statement, Status
from schemas.ids import record_id, statement_id
from schemas.learning import LabelledDocument

Row = Any
Span = tuple[int, int, str]
Fact = tuple[str, frozenset[str]]


def schema_of(rows: Sequence[Row]) -> GraphSchema:
    """Entity and relation types as they occur in the rows; every relation may join any two types."""
    labels = sorted({e[3] for row in rows for e in row["entities"]})
    entities = tuple(EntityType(name=snake(label), label=label) for label in labels)
    ends = tuple(e.name for e in entities)
    relations = sorted({snake(r[0]) for row in rows for r in row["relations"]})
    return GraphSchema(
        name="biored",
        version="1",
        entities=entities,
        relations=tuple(RelationType(name=r, subjects=ends, objects=ends) for r in relations),
    )


def snake(label: str) -> str:
    """``GeneOrGeneProduct`` as ``gene_or_gene_product``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", label).lower()


def document_of(row: Row) -> Document:
    """Title and abstract; offsets are those of the set."""
    parts = [(BlockKind.TITLE, row["title"]), (BlockKind.ABSTRACT, row["abstract"])]
    return plain_document(f"pmid:{row['pmid']}", parts)


def labelled(row: Row) -> LabelledDocument:
    """The gold as a vetted graph: one record per type and concept; a pair is ordered by type, then place."""
    document = document_of(row)
    mentions: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for start, end, _, kind, concept in row["entities"]:
        mentions.setdefault((snake(kind), concept), []).append((start, end))
    records = {
        concept: _record(document, kind, concept, spans) for (kind, concept), spans in mentions.items()
    }
    statements: dict[str, Statement] = {}
    for kind, left, right, _ in row["relations"]:
        if left in records and right in records:
            a, b = sorted((records[left], records[right]), key=lambda r: (r.type, r.evidence[0].start))
            made = statement_id(document.key, a.id, snake(kind), b.id)
            statements[made] = Statement(
                id=made,
                document=document.key,
                subject=a.id,
                type=snake(kind),
                object=b.id,
                status=Status.VETTED,
            )
    graph = DocumentGraph(
        document=document.key,
        version=document.version,
        schema_name="biored",
        schema_version="1",
        run_id="gold",
        records=tuple(records.values()),
        statements=tuple(statements.values()),
    )
    return LabelledDocument(document=document, graph=graph, complete=True)


def _record(document: Document, kind: str, concept: str, spans: list[tuple[int, int]]) -> Record:
    written = [document.text[a:b] for a, b in spans]
    return Record(
        id=record_id(document.key, kind, concept),
        document=document.key,
        type=kind,
        name=max(written, key=len),
        aliases=tuple(sorted(set(written))),
        evidence=tuple(Evidence(start=a, end=b, quote=document.text[a:b]) for a, b in sorted(set(spans))),
        status=Status.VETTED,
    )


def gold_spans(row: Row) -> set[Span]:
    """Span and type of each gold mention."""
    return {(start, end, snake(kind)) for start, end, _, kind, _ in row["entities"]}


def gold_facts(row: Row) -> set[Fact]:
    """Type and pair of concepts of each gold relation."""
    return {(snake(kind), frozenset((a, b))) for kind, a, b, _ in row["relations"]}


def graph_spans(graph: DocumentGraph) -> set[Span]:
    """Span and type of each found mention."""
    return {(e.start, e.end, r.type) for r in graph.records for e in r.evidence}


def graph_facts(graph: DocumentGraph, row: Row) -> set[Fact]:
    """Found relations between concepts; an entity without a gold mention stands for itself alone."""
    concepts = {(s, e, snake(kind)): concept for s, e, _, kind, concept in row["entities"]}
    names: dict[str, str] = {}
    for record in graph.records:
        votes = Counter(
            concepts[e.start, e.end, record.type]
            for e in record.evidence
            if (e.start, e.end, record.type) in concepts
        )
        names[record.id] = max(votes, key=lambda c: (votes[c], c)) if votes else f"?{record.id}"
    return {(s.type, frozenset((names[s.subject], names[s.object]))) for s in graph.statements}


def facts_of_gold(
    extractor: LearnedExtractor, document: LabelledDocument, row: Row, schema: GraphSchema
) -> set[Fact]:
    """Relations that the pair model finds between the gold entities."""
    example = make_example(document)
    concept = {record_id(document.document.key, snake(e[3]), e[4]): e[4] for e in row["entities"]}
    related = extractor.relate(example.text, example.records, schema)
    return {(r.type, frozenset((concept[r.subject.id], concept[r.object.id]))) for r in related}


def score(found: Iterable[set[Any]], gold: Iterable[set[Any]]) -> tuple[float, float, float]:
    """Micro precision, recall and F1 over documents."""
    measure = tool("metrics").precision_recall_f1
    result: tuple[float, float, float] = measure(
        {(at, x) for at, part in enumerate(found) for x in part},
        {(at, x) for at, part in enumerate(gold) for x in part},
    )
    return result


class Floor:
    """Names of training looked up in the text, and per pair of types its commonest relation for each pair."""

    def __init__(self, train: Sequence[LabelledDocument]) -> None:
        examples = [make_example(d) for d in train]
        self.names: Gazetteer = build_gazetteer((e.text, e.mentions) for e in examples)
        votes: dict[frozenset[str], Counter[str]] = {}
        for example in examples:
            self._count(example, votes)
        self.relation = {pair: max(c, key=lambda r: (c[r], r)) for pair, c in votes.items()}

    @staticmethod
    def _count(example: Example, votes: dict[frozenset[str], Counter[str]]) -> None:
        kinds = {r.id: r.type for r in example.records}
        for (a, b), relations in example.relations.items():
            if a in kinds and b in kinds:
                votes.setdefault(frozenset((kinds[a], kinds[b])), Counter()).update(relations)

    def spans(self, document: Document) -> set[Span]:
        """Known names with the type that they mostly had."""
        found: set[Span] = set()
        for sentence in read_text(document).sentences:
            for start, end, key in self.names.matches(sentence.words):
                kind, share = self.names.kind(key)
                if share > 0.5:
                    found.add((sentence.starts[start], sentence.ends[end - 1], kind))
        return found

    def facts(self, row: Row, spans: set[Span]) -> set[Fact]:
        """The commonest relation of the types for every two concepts of gold mentions among ``spans``."""
        kinds = {e[4]: snake(e[3]) for e in row["entities"] if (e[0], e[1], snake(e[3])) in spans}
        concepts = sorted(kinds)
        return {
            (relation, frozenset((a, b)))
            for at, a in enumerate(concepts)
            for b in concepts[at + 1 :]
            if (relation := self.relation.get(frozenset((kinds[a], kinds[b]))))
        }


def main() -> None:
    """Train on train, score on dev, beside the floors."""
    data = tables("biored")
    train, dev = data["train"], data["dev"]
    schema = schema_of(train)
    teachers, students = [labelled(r) for r in train], [labelled(r) for r in dev]
    with benchmark("biored_extraction") as record:
        began = time.perf_counter()
        artifact = LearnedTrainer().fit(teachers, schema)
        trained = time.perf_counter() - began
        extractor = LearnedExtractor(artifact, schema)
        began = time.process_time()
        graphs = [extract_document(d.document, schema, [extractor]) for d in students]
        spent = time.process_time() - began
        floor = Floor(teachers)
        _report(record, dev, students, graphs, floor)
        given = [facts_of_gold(extractor, d, r, schema) for d, r in zip(students, dev, strict=True)]
        wanted = [gold_facts(r) for r in dev]
        low = [floor.facts(r, gold_spans(r)) for r in dev]
        _add(record, "relation_f1_gold_entities", score(given, wanted), score(low, wanted)[2], goal=">= 0.40")
        pairs = [[{f[1] for f in part} for part in side] for side in (given, wanted)]
        record.notes.append(f"Untyped pairs given gold entities: F1 {score(pairs[0], pairs[1])[2]:.3f}.")
        record.add("training_seconds", trained, "s", note=f"{len(train)} abstracts, one process")
        record.add(
            "abstracts_per_second",
            len(dev) / spent,
            "1/s",
            note=f"{sum(len(d.document.text) for d in students) / len(dev):.0f} characters each, "
            "per processor second",
        )
        record.notes.append(
            "BioRED (Luo et al. 2022, doi:10.1093/bib/bbac282; NCBI, by way of yookontian/RE_on_BioRED "
            "@ 2b9a518), 400 train and 100 dev abstracts, measured in place. No chat model: 0 calls, "
            "0 tokens. Training has no random part, so there is no spread over seeds."
        )


def _report(
    record: Recorder,
    rows: Sequence[Row],
    students: Sequence[LabelledDocument],
    graphs: Sequence[DocumentGraph],
    floor: Floor,
) -> None:
    gold = [gold_spans(r) for r in rows]
    looked_up = [floor.spans(d.document) for d in students]
    found = [graph_spans(g) for g in graphs]
    _add(record, "entity_f1", score(found, gold), score(looked_up, gold)[2], goal=">= 0.70")
    wanted = [gold_facts(r) for r in rows]
    facts = [graph_facts(g, r) for g, r in zip(graphs, rows, strict=True)]
    low = [floor.facts(r, spans) for r, spans in zip(rows, looked_up, strict=True)]
    _add(record, "relation_f1_end_to_end", score(facts, wanted), score(low, wanted)[2], goal="")


def _add(record: Recorder, name: str, scored: tuple[float, float, float], floor: float, *, goal: str) -> None:
    anchors = {
        "entity_f1": "test: 89.3, PubMedBERT-CRF (from memory of the paper)",
        "relation_f1_gold_entities": "test: 58.9, PubMedBERT (from memory of the paper)",
    }
    record.add(
        name,
        scored[2],
        "F1",
        goal=goal,
        floor=f"{floor:.3f} (names of training; commonest relation of the types)",
        anchor=anchors.get(name, ""),
        note=f"P {scored[0]:.3f}, R {scored[1]:.3f}; dev",
    )


if __name__ == "__main__":
    main()
