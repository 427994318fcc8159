"""Text2KGBench as schemas and vetted documents, and its published metrics.

The ontology becomes a GraphSchema: concepts and literal ranges are entity types, relations are relation types
whose ends are the declared ones and those that the train split uses. A train triple becomes a vetted
statement where both of its labels stand in the sentence. The ontologies of a set are pooled: one schema of
all their relations, in which every entity has one and the same type, because the declared domains and ranges
hold for few of the triples.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.shared_sets import plain_document
from schemas.documents import BlockKind, Document
from schemas.graph_schema import EntityType, GraphSchema, RelationType
from schemas.graphs import DocumentGraph, Evidence, Record, Statement, Status
from schemas.ids import record_id, statement_id
from schemas.learning import LabelledDocument

Row = Any
Triple = tuple[str, str, str]
LITERAL = 0.2
"""Confidence from which an object is written as a literal. Chosen on parts of the train split."""
_MOSTLY = 0.8
"""Share of a relation's objects that must be written alike."""
_OVERLAP = 0.3
"""Share of a relation's labels with another type from which its undeclared range is that type."""


def slug(label: str, prefix: str) -> str:
    """A schema name: ``r_publication_date``."""
    return f"{prefix}_{re.sub(r'[^a-z0-9]+', '_', label.lower()).strip('_') or 'any'}"[:63]


def plain(label: str) -> str:
    """A label as it may stand in a sentence: no underscores, no quotation marks, single spaces."""
    return " ".join(label.replace("_", " ").replace('"', " ").split())


def triples_of(row: Row) -> list[Triple]:
    """The triples of a row of either layout."""
    if "triples" in row:
        return [(t["sub"], t["rel"].strip(), t["obj"]) for t in row["triples"]]
    return [(row["sub_label"], row["rel_label"].strip(), row["obj_label"])]


def forms(label: str) -> Iterator[str]:
    """What to look for, best first: the label, without a bracket, without what follows a comma."""
    whole = plain(label)
    yield whole
    short = re.sub(r"\s*\([^)]*\)\s*$", "", whole)
    yield short
    if re.fullmatch(r"\d+\.0", short):
        yield short[:-2]
    if "," in short and not any(c.isdigit() for c in short):
        yield short.split(",")[0]


Span = tuple[int, int]


def places(sentence: str, labels: Iterable[str]) -> dict[str, list[Span]]:
    """Where labels stand in a sentence, with their case if possible; longer ones first, apart if possible.

    A label that stands only inside another one has that place; one that stands nowhere is left out.
    """
    spans = {label: found for label in dict.fromkeys(labels) if (found := _occurrences(sentence, label))}
    taken: list[Span] = []
    chosen: dict[str, list[Span]] = {}
    for label in sorted(spans, key=lambda x: (spans[x][0][0] - spans[x][0][1], x)):
        free = [s for s in spans[label] if not any(s[0] < t[1] and t[0] < s[1] for t in taken)]
        chosen[label] = free or spans[label][:1]
        taken += free
    return chosen


def _occurrences(sentence: str, label: str) -> list[Span]:
    for form in forms(label):
        if len(form) < 2 and not form.isdigit():
            continue
        pattern = rf"(?<!\w){re.escape(form)}(?!\w)"
        for flags in (0, re.IGNORECASE):
            found = [m.span() for m in re.finditer(pattern, sentence, flags)]
            if found:
                return found
    return []


@dataclass(slots=True)
class Ontology:
    """One ontology with its train rows, as schema and labelled documents."""

    declared: Row
    train: Sequence[Row]
    ranges: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Relation label -> types of its two ends."""
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    """Plain label -> types that it has in the train split."""

    def __post_init__(self) -> None:
        for relation in self.declared["relations"]:
            ends = (self.type_of(relation["domain"] or "any"), self.type_of(relation["range"]))
            self.ranges.setdefault(relation["label"].strip(), ends)
        facts = [t for row in self.train for t in triples_of(row)]
        self._count(facts)
        self._settle_open_ranges(facts)
        self.kinds.clear()
        self._count(facts)

    @staticmethod
    def type_of(concept: str) -> str:
        """The entity type of a concept or range; empty for an undeclared range."""
        return slug(concept, "t") if concept else ""

    def _count(self, facts: Iterable[Triple]) -> None:
        for subject, relation, target in facts:
            ends = self.ranges.get(relation)
            if ends:
                for label, kind in ((subject, ends[0]), (target, ends[1])):
                    if kind:
                        self.kinds.setdefault(plain(label), Counter())[kind] += 1

    def _settle_open_ranges(self, facts: Sequence[Triple]) -> None:
        """An undeclared range is the type that its labels mostly have elsewhere, else one of its own."""
        for relation, (domain, target) in list(self.ranges.items()):
            if not target:
                labels = [plain(o) for _, r, o in facts if r == relation]
                votes = Counter(self.kind(label) for label in labels if label in self.kinds)
                best = max(votes, key=lambda k: (votes[k], k)) if votes else ""
                near = best and votes[best] >= _OVERLAP * len(labels)
                self.ranges[relation] = (domain, best if near else slug(relation, "v"))

    def kind(self, label: str) -> str:
        """The commonest type of a label in the train split."""
        votes = self.kinds[label]
        return max(votes, key=lambda k: (votes[k], k))

    def schema(self) -> GraphSchema:
        """The ontology as a schema; two declarations of one relation are one with the ends of both."""
        ends: dict[str, tuple[set[str], set[str]]] = {}
        for relation in self.declared["relations"]:
            domain, target = self.ranges[relation["label"].strip()]
            left, right = ends.setdefault(relation["label"].strip(), (set(), set()))
            left |= {domain, self.type_of(relation["domain"] or "any")}
            right |= {target, self.type_of(relation["range"])} - {""}
        for row in self.train:
            for subject, relation, target in triples_of(row):
                if relation in ends:
                    ends[relation][0].add(self.kind(plain(subject)))
                    ends[relation][1].add(self.kind(plain(target)))
        types = sorted({kind for pair in ends.values() for side in pair for kind in side})
        return GraphSchema(
            name="ontology",
            version="1",
            description=self.declared["title"],
            entities=tuple(
                EntityType(name=t, label="".join(p.capitalize() for p in t.split("_"))) for t in types
            ),
            relations=tuple(
                RelationType(
                    name=slug(name, "r"),
                    subjects=tuple(sorted(left)),
                    objects=tuple(sorted(right)),
                    description=name,
                )
                for name, (left, right) in sorted(ends.items())
            ),
        )

    def labelled(self, row: Row) -> LabelledDocument:
        """A train row as a vetted document; triples with a label that is not in the sentence are left out."""
        document = plain_document(row["id"], [(BlockKind.PARAGRAPH, row["sent"])])
        records: dict[str, Record] = {}
        statements: dict[str, Statement] = {}
        facts = [t for t in triples_of(row) if t[1] in self.ranges]
        spans = places(document.text, [label for t in facts for label in (t[0], t[2])])
        for subject, relation, target in facts:
            ends: list[Record] = []
            for label in (subject, target):
                if label in spans:
                    kind = self.kind(plain(label))
                    ends.append(records.setdefault(label, _record(document, kind, spans[label])))
            if len(ends) == 2:
                made = _statement(ends[0], slug(relation, "r"), ends[1])
                statements[made.id] = made
        unique = {r.id: r for r in records.values()}
        graph = DocumentGraph(
            document=document.key,
            version=document.version,
            schema_name="ontology",
            schema_version="1",
            run_id="gold",
            records=tuple(unique.values()),
            statements=tuple(statements.values()),
        )
        return LabelledDocument(document=document, graph=graph, complete=True)


def pooled(ontologies: Sequence[Row]) -> Row:
    """The relations of all ontologies as one ontology, by label, between things of any type."""
    labels = sorted({r["label"].strip() for o in ontologies for r in o["relations"]})
    relations = [{"label": label, "domain": "any", "range": "any"} for label in labels]
    return {"title": "All ontologies of a set", "concepts": [], "relations": relations}


def relation_names(ontology: Row) -> frozenset[str]:
    """Names of an ontology's relations in its schema, and in that of its pool."""
    return frozenset(slug(r["label"].strip(), "r") for r in ontology["relations"])


def _record(document: Document, kind: str, spans: Sequence[Span]) -> Record:
    written = document.text[slice(*spans[0])]
    return Record(
        id=record_id(document.key, kind, written.lower()),
        document=document.key,
        type=kind,
        name=" ".join(written.split()),
        evidence=tuple(Evidence(start=a, end=b, quote=document.text[a:b]) for a, b in sorted(spans)),
        status=Status.VETTED,
    )


def _statement(subject: Record, relation: str, target: Record) -> Statement:
    return Statement(
        id=statement_id(subject.document, subject.id, relation, target.id),
        document=subject.document,
        subject=subject.id,
        type=relation,
        object=target.id,
        status=Status.VETTED,
    )


def found_triples(graph: DocumentGraph, schema: GraphSchema, literals: Literals) -> list[Triple]:
    """The statements of a graph with the ontology's relation labels, objects written as in the benchmark."""
    names = {r.id: r.name for r in graph.records}
    labels = {r.name: r.description for r in schema.relations}
    found: list[Triple] = []
    for s in graph.statements:
        relation, target = labels[s.type], names[s.object]
        sure = (s.confidence or 0.0) >= LITERAL
        found.append((names[s.subject], relation, literals.write(relation, target) if sure else target))
    return found


def squeezed(text: str) -> str:
    """Lower case without white space and underscores: how the benchmark compares labels."""
    return re.sub(r"[_\s]+", "", text).lower()


@dataclass(frozen=True, slots=True)
class Literals:
    """How objects are written, by relation, in the train split: DBpedia's literals are not as in sentences.

    Only what the statement says is written anew: strings in quotation marks, whole numbers as decimals. The
    benchmark counts such an object as hallucinated where the sentence has it otherwise, so a statement of a
    confidence below ``LITERAL`` stays as it is found.
    """

    quoted: frozenset[str]
    decimal: frozenset[str]

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Literals:
        """The relations of which nearly all objects of ``rows`` are quoted, or decimal numbers."""
        objects: dict[str, list[str]] = {}
        for row in rows:
            for _, relation, target in triples_of(row):
                objects.setdefault(relation, []).append(target)

        def mostly(pattern: str) -> frozenset[str]:
            fits = {r: sum(bool(re.fullmatch(pattern, o)) for o in found) for r, found in objects.items()}
            return frozenset(r for r, n in fits.items() if n >= _MOSTLY * len(objects[r]))

        return cls(mostly(r'".*"'), mostly(r"-?\d+\.\d+"))

    def write(self, relation: str, target: str) -> str:
        """An object as the benchmark writes it.

        >>> made = Literals(frozenset({"nickname"}), frozenset({"height"}))
        >>> made.write("nickname", "Bo"), made.write("height", "1,250"), made.write("mayor", "Bo")
        ('"Bo"', '1250.0', 'Bo')
        """
        if relation in self.quoted and not target.startswith('"'):
            return f'"{target}"'
        if relation in self.decimal and re.fullmatch(r"-?[\d,]+(\.\d+)?", target):
            return str(float(target.replace(",", "")))
        return target


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """Metrics of one sentence, each in [0, 1], as in the benchmark's ``run_eval.py``."""

    f1: float
    precision: float
    recall: float
    strict_f1: float
    """Without the benchmark's filter: relations that the gold does not have count as wrong."""
    conformance: float
    hallucination: float
    """The larger of the shares of triples whose subject, or whose object, does not stand in the sentence."""


def score_sentence(row: Row, found: Sequence[Triple], ontology: Row) -> SentenceScore:
    """Only triples with a relation of the gold are compared: the gold of a sentence is not complete.

    Words are not stemmed when looking for subject and object, which is stricter than the original.
    """
    gold = {tuple(map(squeezed, t)) for t in triples_of(row)}
    every = {tuple(map(squeezed, t)) for t in found}
    kept = {t for t in every if t[1] in {g[1] for g in gold}}
    known = {squeezed(r["label"]) for r in ontology["relations"]}
    context = squeezed(row["sent"] + " ".join(c["label"] for c in ontology["concepts"]))
    precision, recall, f1 = _overlap(kept, gold)
    count = max(1, len(found))
    return SentenceScore(
        f1,
        precision,
        recall,
        _overlap(every, gold)[2],
        sum(squeezed(t[1]) in known for t in found) / count if found else 1.0,
        max(sum(squeezed(t[at]) not in context for t in found) / count for at in (0, 2)),
    )


def _overlap(found: set[Any], gold: set[Any]) -> tuple[float, float, float]:
    hits = len(found & gold)
    if not hits:
        return 0.0, 0.0, 0.0
    precision, recall = hits / len(found), hits / len(gold)
    return precision, recall, 2 * precision * recall / (precision + recall)
