"""One more of a kind than the one named: "who played in Red Dawn and in another film"."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Edge, Operator, Query
from cypher.semantics.mentions import Linked

_NEW: Final = frozenset({"another", "other", "others"})
_NONE: Final = frozenset({"not", "never", "no", "none", "nobody", "neither", "without", "than", "any"})
"""Words with which "other" leaves out, or compares."""
_DEFINITE: Final = frozenset({"the", "each", "one", "every", "all", "this", "that", "these", "those"})


def with_another(linked: Linked, query: Query) -> Query:
    """The reading with one more thing of the kind that is called another, where it has but the named one.

    Relationships of one ``MATCH`` are never the same in Cypher, so the new one is to another thing.
    """
    words = [w.lower for w in linked.words]
    if _NONE & set(words) or any(w.endswith(("n't", "n’t")) for w in words):
        return query
    label = _called_another(linked, words)
    found = [i for i, n in enumerate(query.nodes) if n.label == label and i not in query.inner]
    if label is None or len(found) != 1 or found[0] == query.answer:
        return query
    (named,) = found
    told = any(
        f.operator is Operator.EQ and not f.ref.on_edge and f.ref.owner == named for f in query.filters
    )
    ties = [e for e in query.edges if named in (e.start, e.end) and not e.negated]
    if not told or len(ties) != 1 or ties[0].start == ties[0].end:
        return query
    return _one_more(query, ties[0], named)


def _called_another(linked: Linked, words: list[str]) -> str | None:
    for at, word in enumerate(words):
        if word not in _NEW or (at and words[at - 1] in _DEFINITE):
            continue
        for mention in linked.mentions:
            if mention.start in (at + 1, at + 2):
                for term in mention.terms:
                    if term.kind == "label" and term.weight >= 1:
                        return term.name
    return None


def _one_more(query: Query, tie: Edge, named: int) -> Query:
    new = len(query.nodes)
    start = new if tie.start == named else tie.start
    end = new if tie.end == named else tie.end
    edge = replace(tie, start=start, end=end)
    return replace(query, nodes=(*query.nodes, query.nodes[named]), edges=(*query.edges, edge))
