"""Labels that a question need not name: of nodes labelled Person and Actor, a person is what is asked for.

Where nodes carry several labels each relationship and each name is there once for every label, and readings
that differ in nothing but that would be told apart. So a question is read over one label of each such set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Final

from cypher.semantics.alike import form
from cypher.semantics.compose import Candidate
from cypher.semantics.ir import Node, Query
from cypher.semantics.lexicon import PERSONS
from cypher.semantics.mentions import Linked
from cypher.word_lists import REQUESTS
from schemas.store_schema import StoreSchema

_ASKING: Final = REQUESTS | {"which", "what", "how"}
_BEING: Final = frozenset({"are", "is", "were", "was"})
_SMALL: Final = frozenset({"a", "an", "the", "all", "of", "them"})


def unsaid_labels(schema: StoreSchema) -> frozenset[str]:
    """Labels that are left out where a question does not say them.

    Those whose nodes all carry a broader label, too; and a label of all nodes, where it is made of narrower
    ones that have no node in common, as it tells nothing.

    >>> from schemas.store_schema import StoreLabel
    >>> labels = tuple(StoreLabel(name=n) for n in ("Actor", "Film", "Person"))
    >>> sets = (("Actor", "Person"), ("Film",), ("Person",))
    >>> sorted(unsaid_labels(StoreSchema(labels=labels, label_sets=sets)))
    ['Actor']
    """
    sets = schema.node_sets
    broader = {label.name: _broader(label.name, sets) for label in schema.labels}
    empty = {name for name in broader if _says_nothing(name, broader, sets)}
    return frozenset(name for name, wider in broader.items() if name in empty or wider - empty - {name})


def _broader(name: str, sets: Iterable[frozenset[str]]) -> frozenset[str]:
    """Labels on every node of a label, itself among them; of two that always meet the first by name."""
    own = [s for s in sets if name in s]
    always = frozenset.intersection(*own) if own else frozenset({name})
    same = {x for x in always if x > name and all(name in s for s in sets if x in s)}
    return always - same


def _says_nothing(name: str, broader: Mapping[str, frozenset[str]], sets: Iterable[frozenset[str]]) -> bool:
    """Whether a label is on all nodes, each of which has one of several narrower labels that never meet."""
    if name.lower() in PERSONS or any(name not in s for s in sets):
        return False
    under = [x for x, wider in broader.items() if x != name and wider == {x, name}]
    apart = all(not {a, b} <= s for a, b in combinations(under, 2) for s in sets)
    return len(under) > 1 and apart and all(any(x in s for x in under) for s in sets)


def labels_said(linked: Linked, given: Mapping[str, object] | None) -> frozenset[str]:
    """Labels that a question names, or that names were given for."""
    named = {t.name for m in linked.mentions for t in m.terms if t.kind == "label"}
    return frozenset(named | set(given or ()))


def labels_beside_names(linked: Linked) -> frozenset[str]:
    """Labels that a question says right in front of a name: "the director Max Bell"."""
    named = {m.start for m in linked.mentions if m.values}
    beside = (t.name for m in linked.mentions if m.end in named for t in m.terms if t.kind == "label")
    return frozenset(beside)


def names_apart(
    schema: StoreSchema, labels: frozenset[str], narrower: frozenset[str]
) -> frozenset[tuple[str, str]]:
    """Properties whose values are left out: all of ``labels``, and what ``narrower`` ones are called by."""
    return frozenset(
        (label.name, p.name)
        for label in schema.labels
        for p in label.properties
        if label.name in labels or (label.name in narrower and p.name == label.name_property)
    )


def said_to_be(linked: Linked, schema: StoreSchema) -> str | None:
    """The question with the narrower of two labels alone: "which ships are tankers" asks for tankers.

    ``None`` where it does not say of things of one label that they are of another that is always with it.
    """
    nouns = [m for m in linked.mentions if any(t.kind == "label" for t in m.terms)][:2]
    if len(nouns) < 2 or not linked.words or linked.words[0].lower not in _ASKING:
        return None
    first, second = nouns
    between = {w.lower for w in linked.words[first.end : second.start]}
    wide, narrow = ({t.name for t in m.terms if t.kind == "label"} for m in nouns)
    sets = schema.node_sets
    within = any(a != b and a in _broader(b, sets) for a in wide for b in narrow)
    if not within or not between & _BEING or between - _BEING - _SMALL:
        return None
    head, noun, rest = (
        " ".join(w.text for w in linked.words[a:b])
        for a, b in ((0, first.start), (second.start, second.end), (second.end, None))
    )
    return f"{head} {noun} {rest}".strip() if rest else f"{head} {noun} are there"


def without_twins(
    linked: Linked, candidates: tuple[Candidate, ...], schema: StoreSchema
) -> tuple[Candidate, ...]:
    """The readings without those where a narrower label stands more often than it is said.

    "Which pilots are married" does not ask for who is married to a pilot: where one reading has a person in
    the pilot's place, that is the one. A schema without narrower labels has none of them.
    """
    narrower = unsaid_labels(schema) if len(candidates) > 1 else frozenset[str]()
    if not narrower:
        return candidates
    nouns = ({t.name for t in m.terms if t.kind == "label"} for m in linked.mentions)
    said = Counter(name for names in nouns for name in names)
    forms = {form(c.query) for c in candidates}
    kept = [c for c in candidates if not _is_twin(c.query, said, narrower, schema, forms)]
    return tuple(kept) or candidates


def _is_twin(
    query: Query,
    said: Counter[str],
    narrower: frozenset[str],
    schema: StoreSchema,
    forms: set[tuple[object, ...]],
) -> bool:
    stand = Counter(node.label for node in query.nodes)
    for i, node in enumerate(query.nodes):
        if i == query.answer or node.label not in narrower or stand[node.label] <= said[node.label]:
            continue
        for wider in _broader(node.label, schema.node_sets) - {node.label}:
            nodes = (*query.nodes[:i], Node(wider), *query.nodes[i + 1 :])
            if form(replace(query, nodes=nodes)) in forms:
                return True
    return False


def without_labels(schema: StoreSchema, names: frozenset[str]) -> StoreSchema:
    """The schema without labels; what nodes carry beside them stays."""
    sets = (tuple(x for x in s if x not in names) for s in schema.label_sets)
    return StoreSchema(
        labels=tuple(x for x in schema.labels if x.name not in names),
        relations=schema.relations,
        triples=tuple(t for t in schema.triples if t.start not in names and t.end not in names),
        label_sets=tuple(dict.fromkeys(s for s in sets if s)),
        fulltext_indexes=schema.fulltext_indexes,
        hidden_labels=schema.hidden_labels,
        scope_property=schema.scope_property,
    )
