"""Reports on communities without a language model: central entities and their statements, in words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kg.nouns import counted
from schemas.communities import Communities, Community, CommunityReport, Finding
from schemas.graph_schema import GraphSchema
from schemas.graphs import CanonicalGraph, Entity, Statement
from schemas.ids import EntityId

MAX_FINDINGS = 8
"""Most findings of a report."""
MAX_CITED = 20
"""Most statements that one finding cites."""
TITLE_NAMES = 3
"""Names in a title."""
_NAME_LENGTH = 80
_TITLE_KEYS = ("title", "label")
_VALUE_KEYS = ("value_text", "magnitude_text", "value", "magnitude", "ranking")
Fact = tuple[EntityId, str, EntityId]


@dataclass(frozen=True, slots=True)
class _Inside:
    """What lies inside one community: facts with their statements, and the degree of each entity."""

    facts: Mapping[Fact, Sequence[Statement]]
    degree: Counter[EntityId]

    def ranked(self, members: Sequence[EntityId]) -> list[EntityId]:
        """Members by falling degree, ties by id."""
        return sorted(members, key=lambda e: (-self.degree[e], e))


class ExtractiveSummarizer:
    """Titles from the most central names, findings from the facts between the most central entities.

    Every word comes from the schema's verbalisations and the graph's names, and every finding cites
    the statements it puts into words; all of them lie inside the community.
    """

    name = "extractive/1"

    def __init__(self, schema: GraphSchema) -> None:
        self._schema = schema
        self._verbs = {r.name: (r.verbalisations or (r.name.replace("_", " "),))[0] for r in schema.relations}
        self._nouns = {e.name: (e.verbalisations or (e.name.replace("_", " "),))[0] for e in schema.entities}

    def summarize(self, graph: CanonicalGraph, communities: Communities) -> tuple[CommunityReport, ...]:
        """One report per community, in the order of ``communities``.

        A community without statements of its own (a single entity) has a title and no findings.
        """
        entities = {entity.id: entity for entity in graph.entities}
        inside = self._inside(graph, communities)
        return tuple(self._report(c, entities, inside[c.id]) for c in communities.communities)

    def _inside(self, graph: CanonicalGraph, communities: Communities) -> dict[str, _Inside]:
        entity_of = graph.entity_of()
        home: dict[int, dict[EntityId, str]] = defaultdict(dict)
        for community in communities.communities:
            home[community.level].update(dict.fromkeys(community.members, community.id))
        facts: dict[str, dict[Fact, list[Statement]]] = {c.id: {} for c in communities.communities}
        degree: dict[str, Counter[EntityId]] = {c.id: Counter() for c in communities.communities}
        for statement in graph.statements:
            subject, obj = entity_of[statement.subject], entity_of[statement.object]
            for level in home.values():
                where = level.get(subject)
                if where is None or level.get(obj) != where:
                    continue
                facts[where].setdefault((subject, statement.type, obj), []).append(statement)
                degree[where].update((subject, obj))
        return {c: _Inside(facts[c], degree[c]) for c in facts}

    def _report(
        self, community: Community, entities: Mapping[EntityId, Entity], inside: _Inside
    ) -> CommunityReport:
        ranked = inside.ranked(community.members)
        return CommunityReport(
            community=community.id,
            title=self._title([entities[e] for e in ranked]),
            summary=self._summary([entities[e] for e in ranked], inside),
            findings=self._findings(entities, inside),
            summarizer=self.name,
        )

    def _title(self, ranked: Sequence[Entity]) -> str:
        """The most central names, documents last: what a community is about is not a paper's number."""
        about = [e for e in ranked if e.type != self._schema.document_type] or list(ranked)
        return "; ".join(dict.fromkeys(_shown(e) for e in about[:TITLE_NAMES]))

    def _summary(self, ranked: Sequence[Entity], inside: _Inside) -> str:
        counts = Counter(e.type for e in ranked)
        parts = [
            counted(n, self._nouns[kind]) for kind, n in sorted(counts.items(), key=lambda i: (-i[1], i[0]))
        ]
        sentences = [f"{_joined(parts)}."]
        for kind, _ in sorted(counts.items(), key=lambda i: (-i[1], i[0])):
            names = list(dict.fromkeys(_shown(e) for e in ranked if e.type == kind))[:TITLE_NAMES]
            most = "Most connected" if counts[kind] > len(names) else "Named"
            sentences.append(f"{most} as {self._nouns[kind]}: {'; '.join(names)}.")
        total = sum(len(statements) for statements in inside.facts.values())
        sentences.append(f"{counted(total, 'statement')} connect{'s' if total == 1 else ''} them.")
        return " ".join(sentences)

    def _findings(self, entities: Mapping[EntityId, Entity], inside: _Inside) -> tuple[Finding, ...]:
        degree = inside.degree
        order = sorted(
            inside.facts,
            key=lambda f: (-len(inside.facts[f]), -(degree[f[0]] + degree[f[2]]), f),
        )
        return tuple(self._finding(f, entities, inside.facts[f]) for f in order[:MAX_FINDINGS])

    def _finding(
        self, fact: Fact, entities: Mapping[EntityId, Entity], statements: Sequence[Statement]
    ) -> Finding:
        subject, relation, obj = entities[fact[0]], fact[1], entities[fact[2]]
        cited = sorted(statements, key=lambda s: s.id)[:MAX_CITED]
        values = [text for text in dict.fromkeys(_value(s) for s in cited) if text]
        shown = f" ({'; '.join(values[:3])}{'; ...' if len(values) > 3 else ''})" if values else ""
        noun = self._nouns[subject.type]
        text = (
            f"{noun[:1].upper()}{noun[1:]} {_shown(subject)} {self._verbs[relation]}"
            f" {self._nouns[obj.type]} {_shown(obj)}{shown}."
        )
        return Finding(text=text, statements=tuple(s.id for s in cited))


def _shown(entity: Entity) -> str:
    """The entity's title if it has one, else its name, shortened."""
    titles = (entity.attributes.get(key) for key in _TITLE_KEYS)
    name = next((t for t in titles if isinstance(t, str) and t), entity.name)
    return name if len(name) <= _NAME_LENGTH else name[: _NAME_LENGTH - 3].rstrip() + "..."


def _value(statement: Statement) -> str:
    attributes = statement.attributes
    key = next((k for k in _VALUE_KEYS if k in attributes), None)
    if key is None:
        return ""
    unit = attributes.get("unit", "")
    text = (
        f"{attributes[key]} {unit}".strip()
        if unit and str(unit) not in str(attributes[key])
        else str(attributes[key])
    )
    return f"ranking {text}" if key == "ranking" else text


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
