"""Whose property is meant where two things have one of that name: "per kind of place" is the place's kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.ir import Measured, PropertyRef, Query
from cypher.semantics.kept_as import described
from cypher.semantics.mentions import Linked
from cypher.semantics.own_days import Infos

_ARTICLES: Final = frozenset({"a", "an", "the", "each", "every", "their", "its"})


def of_its_noun(linked: Linked, query: Query, infos: Infos) -> Query:
    """The reading with the property of the noun behind "of", where it was taken from another thing.

    What is told, counted by, ranked by and measured changes; conditions keep their owners, which their
    values chose. Where the noun stands for no thing of the reading, or for several, nothing changes.
    """
    for name, labels in _said(linked).items():
        held = [i for i, n in enumerate(query.nodes) if n.label in labels and i not in query.inner]
        if len(held) != 1 or (info := infos.get((query.nodes[held[0]].label, name))) is None:
            continue
        told = described(info, held[0], name)
        query = query if _is_told(query, told) else _replaced(query, told)
    return query


def _said(linked: Linked) -> dict[str, frozenset[str]]:
    """Names of properties to the labels of the noun behind "of"; those said only once."""
    out: dict[str, frozenset[str]] = {}
    words = [w.lower for w in linked.words]
    nouns = {m.start: {t.name for t in m.terms if t.kind == "label"} for m in linked.mentions if not m.values}
    for mention in linked.mentions:
        terms = [t for t in mention.terms if t.kind == "property"]
        at = mention.end + 1
        if mention.values or not terms or words[mention.end : at] != ["of"]:
            continue
        at += at < len(words) and words[at] in _ARTICLES
        for term in terms:
            labels = frozenset(nouns.get(at, set()) & set(term.owners))
            if labels and len(term.owners) > 1:
                out[term.name] = labels
    said = [t.name for m in linked.mentions for t in m.terms if t.kind == "property"]
    return {name: labels for name, labels in out.items() if said.count(name) == 1}


def _is_told(query: Query, told: PropertyRef) -> bool:
    """Whether the noun's property is told already, so that the other one is of something else."""
    refs = (*query.project, *query.keys, *(m.ref for m in query.measures), query.measured, query.group)
    return any(r is not None and (r.owner, r.name, r.on_edge) == (told.owner, told.name, False) for r in refs)


def _moved(ref: PropertyRef, told: PropertyRef) -> PropertyRef:
    if ref.on_edge or ref.name != told.name or ref.owner == told.owner:
        return ref
    return replace(told, sized=ref.sized, period=ref.period)


def _replaced(query: Query, told: PropertyRef) -> Query:
    def moved(ref: PropertyRef) -> PropertyRef:
        return _moved(ref, told)

    order = query.order
    return replace(
        query,
        project=tuple(map(moved, query.project)),
        measured=moved(query.measured) if query.measured else None,
        group=moved(query.group) if query.group else None,
        measures=tuple(Measured(m.measure, moved(m.ref)) for m in query.measures),
        keys=tuple(map(moved, query.keys)),
        order=replace(order, ref=moved(order.ref)) if order and order.ref else order,
    )
