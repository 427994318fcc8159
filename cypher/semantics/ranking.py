"""Ranks readings of the chart by what shows in the whole alone: detours, things not spoken of, words unused.

The chart scores phrases while it makes them; a phrase that is cheap in its place may make a whole that asks
more than was said. The weights are those of a conditional logit over the readings of one question (McFadden
1974), fitted by ``benchmarks.fit_ranking`` on development questions.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Final

from cypher.semantics.chart.wordlists import AUXILIARIES
from cypher.semantics.compose import Candidate
from cypher.semantics.ir import Edge, Filter, Head, Query
from cypher.semantics.lexicon import ANYBODY
from cypher.semantics.meeting import refs_of
from cypher.semantics.mentions import Linked
from cypher.semantics.referents import WHOLE, crossed, spoken_of
from cypher.semantics.score import Features
from cypher.semantics.text import identifier_words, stem
from cypher.semantics.unheard import parts_of
from schemas.store_schema import StoreSchema

_FELLOWS: Final = frozenset(
    [*ANYBODY, *("same", "one", "ones", "those", "another", "other", "others", "else", "also", "too", "both")]
)
"""Words that stand for a further thing of a kind."""
_HAVING: Final = frozenset({stem("has"), stem("have")})


def reranked(linked: Linked, candidates: tuple[Candidate, ...], schema: StoreSchema) -> tuple[Candidate, ...]:
    """The readings, best first by their score and the features of the whole, which become part of it."""
    told = [replace(c, features=c.features + whole(linked, c.query, schema)) for c in candidates]
    weighed = [replace(c, score=c.score + _total(c.features)) for c in told]
    return tuple(sorted(weighed, key=lambda c: -c.score))


def whole(linked: Linked, query: Query, schema: StoreSchema) -> Features:
    """Features of a reading that no part of it has.

    ``r_dangling`` nodes at an end that the question says nothing of; ``r_retold`` things nobody spoke of that
    are told what is said of a thing of their kind beside them; ``r_twin`` relationships of a type from one
    node beyond the first; ``r_unsaid`` nodes of a label that are neither named nor limited, nor needed to tie
    two others; ``r_value``, ``r_label``, ``r_relation`` words for these that the reading has no use for;
    ``r_repeated`` values used more often than they are said; ``r_auxiliary`` a list where the question begins
    as one for yes or no; those of things spoken of, and ``r_crossed``, as in
    :mod:`cypher.semantics.referents`.
    """
    parts = parts_of(query)
    edges = [e for p in parts for e in p.edges]
    filters = [f for p in parts for f in p.filters]
    used = [Counter(str(v).lower() for f in p.filters for v in _values(f)) for p in parts]
    values = Counter[str]()
    for some in used:
        values |= some
    out = {
        "r_dangling": _dangling(linked, query, edges, filters),
        "r_retold": _retold(linked, query),
        "r_twin": sum(_twins(linked, query, p.edges) for p in parts),
        "r_unsaid": _unsaid(linked, query, filters, schema),
        "r_repeated": _repeated(linked, values),
        "r_auxiliary": int(_asks_whether(linked) and query.head is not Head.EXISTS),
        "r_crossed": crossed(linked, query),
        **spoken_of(linked, query),
        **_unused(linked, query, edges, values),
    }
    return tuple((name, float(x)) for name, x in out.items() if x)


def _values(condition: Filter) -> tuple[object, ...]:
    found = condition.value
    return found if isinstance(found, tuple) else () if found is None else (found,)


def _twins(linked: Linked, query: Query, edges: Sequence[Edge]) -> int:
    """Further relationships of a type from one node; of things to their like, beyond those said."""
    said = Counter(kind for m in linked.relations for kind in {t.name for t in m.terms})
    labels = dict(enumerate(n.label for n in query.nodes))
    alike = {e.start for e in edges if labels.get(e.start) == labels.get(e.end)}
    named = {f.ref.owner for p in parts_of(query) for f in p.filters if not f.ref.on_edge}
    counted = query.having.node if query.having else -1
    twins = 0
    for (start, types), n in Counter((e.start, e.types) for e in edges if e.end != counted).items():
        expected = max((said[t] for t in types), default=1) if start in alike else 1
        told = sum(e.end in named for e in edges if (e.start, e.types) == (start, types) and start in alike)
        twins += max(0, n - max(1, expected, told))
    return twins


def _retold(linked: Linked, query: Query) -> int:
    """Things told only by a property that was said, where the noun for their kind is that of a thing beside.

    "Crimes investigated by Ann with the type theft" are thefts, not crimes of who investigated a theft. The
    two ends of an event are two things: "(which radios) called the number 555".
    """
    if _FELLOWS & {w.text.lower() for w in linked.words}:
        return 0  # "vehicles of the same crime as the one with the plate E-7"
    nouns = ({t.name for t in m.terms if t.kind == "label" and t.weight >= WHOLE} for m in linked.mentions)
    said = Counter(label for some in nouns for label in some)
    kinds = Counter(n.label for n in query.nodes)
    ties = [(e.start, e.types, True, e.end) for e in query.edges]
    ties += [(e.end, e.types, False, e.start) for e in query.edges]
    told: dict[int, set[str]] = {i: set() for i in range(len(query.nodes))}
    for f in query.filters:
        if not f.ref.on_edge and f.ref.owner in told:
            told[f.ref.owner].add(f.ref.name)
    found = 0
    for node, names in told.items():
        label = query.nodes[node].label
        if node == query.answer or kinds[label] <= said[label] or not names:
            continue
        plain = _named_by_property(linked, label)
        beside = [tie[1:] for tie in ties if tie[0] == node]
        found += any(
            query.nodes[i].label == label and not names & told[i]
            and (types == other or out or away)
            and names <= plain
            for types, out, k in beside for i, other, away, end in ties if end == k and i != node
        )  # fmt: skip
    return found


def _named_by_property(linked: Linked, label: str) -> set[str]:
    """Properties whose word stands before a value, and not right behind the noun for the things of a kind.

    "With the type theft" behind "crimes investigated by Ann"; in "a call of 24 seconds" the noun is its own.
    """
    values = {m.start for m in linked.mentions if m.values}
    found = set()
    for place, m in enumerate(linked.mentions):
        nouns = {t.name for t in m.terms if t.kind == "label" and t.weight >= WHOLE}
        before = linked.mentions[place - 1].terms if place else ()
        own = any(t.kind == "label" and t.name == label and t.weight >= WHOLE for t in before)
        if not (own or nouns) and values & {m.start, m.end, m.end + 1, m.end + 2}:
            found |= {t.name for t in m.terms if t.kind == "property"}
    return found


def _unsaid(linked: Linked, query: Query, filters: list[Filter], schema: StoreSchema) -> int:
    """Nodes beyond those for which the question has a noun or a value, and without which it could be.

    "Calls of Ann" cannot be without a phone, of which nobody speaks.
    """
    told = Counter(t for m in linked.mentions for t in {t.name for t in m.terms if t.kind == "label"})
    limited = {f.ref.owner for f in filters if not f.ref.on_edge and f.ref.owner < len(query.nodes)}
    told.update(query.nodes[i].label for i in limited)
    needed = _between(query, limited, schema)
    labels = Counter(x.label for x in query.nodes)
    return sum(max(0, n - told[label] - needed[label]) for label, n in labels.items())


def _between(query: Query, limited: Collection[int], schema: StoreSchema) -> Counter[str]:
    """Of each label how many nodes stand only between two of different kinds that no type ties."""
    near: dict[int, list[int]] = {i: [] for i in range(len(query.nodes))}
    for edge in query.edges:
        near[edge.start].append(edge.end)
        near[edge.end].append(edge.start)
    tied = {frozenset((t.start, t.end)) for t in schema.triples} | {
        frozenset((x.label,)) for x in query.nodes
    }
    told = {query.answer, *(ref.owner for ref in query.project if not ref.on_edge), *limited}
    return Counter(
        query.nodes[node].label
        for node, ends in near.items()
        if len(ends) == 2
        and node not in told
        and frozenset(query.nodes[end].label for end in ends) not in tied
    )


def _dangling(linked: Linked, query: Query, edges: Sequence[Edge], filters: Sequence[Filter]) -> int:
    """Nodes with one relationship that are not asked for, limited or counted, beyond the nouns left for them.

    "Belongs to" may be heard as a relationship to an email, though nobody spoke of one. A noun in front of a
    value is that value's, as in "the radio 555".
    """
    asked = {query.answer} | {ref.owner for ref in query.project if not ref.on_edge}
    counted = {query.having.node if query.having else -1, query.order.count_of if query.order else -1}
    told = asked | counted | query.inner | {x.owner for x in refs_of(query) if not x.on_edge}
    told |= {f.ref.owner for f in filters if not f.ref.on_edge}
    told |= {node for e in edges if e.negated for node in (e.start, e.end)}
    ends = Counter(node for e in edges for node in (e.start, e.end))
    loose = Counter(n.label for i, n in enumerate(query.nodes) if ends[i] == 1 and i not in told)
    taken = Counter(query.nodes[i].label for i in asked if i < len(query.nodes))
    nouns = _free_nouns(linked)
    return sum(max(0, n - max(0, nouns[label] - taken[label])) for label, n in loose.items())


def _free_nouns(linked: Linked) -> Counter[str]:
    """How often there is a noun for things of a label that does not stand in front of a value of theirs."""
    values = {m.start: {v.owner for v, _ in m.values} for m in linked.mentions if m.values}
    said = [(m.end, {t.name for t in m.terms if t.kind == "label"}) for m in linked.mentions]
    none = frozenset[str]()
    return Counter(
        x for end, names in said for x in names - values.get(end, none) - values.get(end + 1, none)
    )


def _repeated(linked: Linked, values: Counter[str]) -> int:
    text = linked.text.lower()
    return sum(max(0, n - max(text.count(v), 1)) for v, n in values.items())


def _asks_whether(linked: Linked) -> bool:
    return bool(linked.words) and linked.words[0].text.lower() in AUXILIARIES


def _unused(linked: Linked, query: Query, edges: list[Edge], values: Counter[str]) -> dict[str, int]:
    types, labels = {t for e in edges for t in e.types}, {n.label for n in query.nodes}
    valued = [{v.text.lower() for v, _ in m.values} for m in linked.mentions if m.values]
    nouns = [m for m in linked.mentions if any(t.kind == "label" and t.name in labels for t in m.terms)]
    verbs = [m for m in linked.relations if not any(n.start <= m.start and m.end <= n.end for n in nouns)]
    said = [{t.name for t in m.terms if t.kind == "relation"} for m in verbs]
    said = [kinds for kinds in said if not any(_has(kind, labels) for kind in kinds)]
    own = {ref.name for ref in refs_of(query)}
    kept = [{t.name for t in m.terms if t.kind == "property"} & own for m in linked.mentions]
    named = [{t.name for t in m.terms if t.kind == "label" and t.weight >= WHOLE} for m in linked.mentions]
    named = [x for x, told in zip(named, kept, strict=True) if not told]
    return {
        "r_value": sum(not texts & values.keys() for texts in valued),
        "r_relation": sum(bool(x) and not x & types for x in said),
        "r_label": sum(bool(x) and not x & labels and not _is_said(x, types) for x in named),
    }


def _has(kind: str, labels: set[str]) -> bool:
    """Whether a type says no more than that such a thing is had: ``HAS_PHONE``."""
    first, *rest = identifier_words(kind)
    own = {"".join(identifier_words(label)) for label in labels}
    return stem(first) in _HAVING and "".join(rest) in own


def _is_said(labels: set[str], types: set[str]) -> bool:
    """Whether a type's own name holds that of a label: a phone is spoken of in ``KNOWS_PHONE``."""
    words = {stem(w) for kind in types for w in identifier_words(kind)}
    return any({stem(w) for w in identifier_words(label)} <= words for label in labels)


def _total(features: Features) -> float:
    weights = ranking()
    return sum(weights.get(name, 0.0) * amount for name, amount in features)


@cache
def ranking() -> Mapping[str, float]:
    """The weights that ship with the package; a feature that was not fitted has none."""
    text = resources.files("cypher.semantics").joinpath("ranking.json").read_text("utf-8")
    return {str(name): float(x) for name, x in json.loads(text)["weights"].items()}
