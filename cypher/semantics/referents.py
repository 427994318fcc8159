"""How many things of a kind a question speaks of, and in which order, against those of a reading.

A noun with an indefinite article brings in a thing that was not spoken of before (the novelty condition of
Heim 1982, "The Semantics of Definite and Indefinite Noun Phrases"), all the more "another" or "a different
one". So a reading with fewer things of a kind than the question brings in has taken two for one. And who asks
for things goes on from what is asked for to what is farther off: a reading in which a value said later is
tied nearer to the answer goes back and forth.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from cypher.semantics.ir import Filter, Query
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.unheard import parts_of

WHOLE: Final = 0.8
"""Least weight of a word for a label that is more than a part of its name."""
_OTHER: Final = frozenset(
    ["another", "other", "others", "different", "separate", "second", "further", "additional"]
)
_INDEFINITE: Final = frozenset({"a", "an"})
_PRONOUNS: Final = frozenset({"one", "ones"})
_KINDS: Final = (("first", "another"), ("indefinite",))
"""Ways to speak of a thing, the surest to bring in a new one first; each counts with those before it."""


def spoken_of(linked: Linked, query: Query) -> dict[str, int]:
    """Things that a question brings in and a reading lacks, by how they are spoken of.

    ``r_another`` counts the first noun for a kind and those with "another"; ``r_indefinite`` these and those
    with "a". Further nouns with "the" or without an article may speak of the same things again.
    """
    said: dict[str, Counter[str]] = defaultdict(Counter)
    for labels, kind in _nouns(linked):
        for label in labels:
            said[label][kind if said[label] else "first"] += 1
    there = Counter(node.label for node in query.nodes)
    out: Counter[str] = Counter()
    for label, n in there.items():
        told = 0
        for kinds in _KINDS:
            told += sum(said[label][kind] for kind in kinds)
            out[f"r_{kinds[-1]}"] += max(0, told - n)
    return dict(out)


def _nouns(linked: Linked) -> Iterator[tuple[set[str], str]]:
    """The labels that each noun may stand for, and how it is spoken of, left to right."""
    words = [w.lower for w in linked.words]
    valued = {i for m in linked.mentions if m.values for i in range(m.start, m.end)}
    nouns = {m.start: _labels(m) for m in linked.mentions if _labels(m)}
    labels: set[str] = set()
    for at, word in enumerate(words):
        labels = nouns.get(at, labels)
        if at in nouns or word in _PRONOUNS:
            before = at - 1
            while before >= 0 and before in valued:  # "another Burglary case"
                before -= 1
            way = _way(set(words[max(0, before - 1) : before + 1]))
            if at in nouns or way == "another":  # "a different one"
                yield labels, way


def _labels(m: Mention) -> set[str]:
    return {t.name for t in m.terms if t.kind == "label" and t.weight >= WHOLE}


def _way(before: set[str]) -> str:
    """How a noun with these two words in front is spoken of."""
    if before & _OTHER:
        return "another"
    return "indefinite" if before & _INDEFINITE else "other"


def crossed(linked: Linked, query: Query) -> int:
    """Values said one after the other of which the later is tied nearer to the answer."""
    away = _away(query)
    placed = [away.get(node, 0) for node in _limited(linked, query)]
    return sum(later < former for former, later in pairwise(placed))


def _away(query: Query) -> dict[int, int]:
    """Steps from the answer to each thing that is tied to it."""
    beside: dict[int, set[int]] = defaultdict(set)
    for part in parts_of(query):
        for edge in part.edges:
            beside[edge.start].add(edge.end)
            beside[edge.end].add(edge.start)
    steps, waiting = {query.answer: 0}, [query.answer]
    for node in waiting:
        for other in sorted(beside[node] - steps.keys()):
            steps[other] = steps[node] + 1
            waiting.append(other)
    return steps


def _limited(linked: Linked, query: Query) -> Iterator[int]:
    """The things that have the values of the question, in the order in which these are said."""
    owners: dict[str, list[int]] = defaultdict(list)
    for part in parts_of(query):
        for condition in part.filters:
            if not condition.ref.on_edge:
                for value in _texts(condition):
                    owners[value].append(condition.ref.owner)
    for m in linked.mentions:
        found = next((owners[x] for x in _said(m) if owners.get(x)), None)
        if found:
            yield found.pop(0) if len(found) > 1 else found[0]


def _texts(condition: Filter) -> Sequence[str]:
    value = condition.value
    values = value if isinstance(value, tuple) else () if value is None else (value,)
    return [str(x).lower() for x in values]


def _said(m: Mention) -> Iterator[str]:
    """What the words may stand for, as conditions of readings have it."""
    yield from (stored.text.lower() for stored, _ in m.values)
    if m.day is not None:
        yield m.day.isoformat()
    if m.number is not None:
        yield f"{m.number:.15g}"
    if m.time:
        yield m.time
    yield m.text.lower()
