"""Several things asked about at once: "When were The Matrix and Top Gun released?" is asked of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from cypher.semantics.ir import Head, Operator, PropertyRef, Query
from cypher.semantics.mentions import Linked, Mention
from schemas.store_schema import StoreSchema

_JOINT: Final = re.compile(r"\s*(?:,|,?\s*\band\b|&)\s*(?:the\s+)?", re.IGNORECASE)
_LAST_JOINT: Final = re.compile(r"\band\b|&", re.IGNORECASE)
_TOGETHER: Final = frozenset(
    (
        *("between", "both", "together", "or", "than", "same", "common", "shared", "sum", "total"),
        *("combined", "difference", "average", "mean", "compare", "compared", "versus", "vs", "respectively"),
    )
)
"""Words with which the things are not asked about one by one."""
Place = tuple[str, str]
"""A label and one of its properties."""
BEHIND: Final = 0.45
"""How far a reading of each of several is behind that of all together: near enough to be looked at."""


@dataclass(frozen=True, slots=True)
class Several:
    """A question of the first of several things, and what all of them are called."""

    text: str
    names: Mapping[Place, tuple[str, ...]]
    """Where all of the names are values: what they are there, in the spelling of the graph."""

    def around(self, query: Query | None, schema: StoreSchema) -> Query | None:
        """The reading of :attr:`text` for each of them; ``None`` where it lists or counts nothing."""
        if query is None or query.clauses or query.order is not None or query.limit is not None:
            return None
        firsts = {names[0] for names in self.names.values()}
        called = [f for f in query.filters if f.operator is Operator.EQ and f.value in firsts]
        if len(called) != 1 or called[0].ref.on_edge:
            return None
        ref = called[0].ref
        names = self.names.get((query.nodes[ref.owner].label, ref.name))
        if names is None or called[0].value != names[0]:
            return None
        every = replace(called[0], operator=Operator.IN, value=names)
        filters = tuple(every if f is called[0] else f for f in query.filters)
        return _for_each(replace(query, filters=filters), ref, schema)


def _for_each(query: Query, name: PropertyRef, schema: StoreSchema) -> Query | None:
    """With the name of each beside what is listed or counted."""
    if query.head is Head.COUNT and query.edges and query.measured is None:
        return replace(query, head=Head.GROUP, group=name)
    if query.head is not Head.LIST or query.whole or not (query.project or query.edges):
        return None
    label = schema.label(query.nodes[query.answer].label)
    shown = query.project or (PropertyRef(query.answer, label.name_property),) if label else ()
    if not shown or name in shown or (query.answer == name.owner and not query.project):
        return None
    return replace(query, project=(name, *shown))


def several_named(linked: Linked) -> Several | None:
    """The question asked of the first of several names that "and" joins, and all of the names."""
    if _TOGETHER & {w.lower for w in linked.words}:
        return None
    runs = [run for run in runs_of_names(linked) if len(run) > 1]
    if len(runs) != 1:
        return None
    run = runs[0]
    last = linked.text[linked.words[run[-2].end - 1].end : linked.words[run[-1].start].start]
    each = [called(m) for m in run]
    names = {p: tuple(c[p] for c in each) for p in each[0] if all(p in c for c in each)}
    if not names or not _LAST_JOINT.search(last):
        return None
    text = linked.text[: linked.words[run[0].end - 1].end] + linked.text[linked.words[run[-1].end - 1].end :]
    return Several(text, names)


def runs_of_names(linked: Linked, joint: re.Pattern[str] = _JOINT) -> list[list[Mention]]:
    """Names in a row, nothing but what ``joint`` matches between them: commas and "and"."""
    named = [m for m in linked.mentions if m.values]
    runs = [[m] for m in named[:1]]
    for before, after in pairwise(named):
        between = linked.text[linked.words[before.end - 1].end : linked.words[after.start].start]
        if joint.fullmatch(between):
            runs[-1].append(after)
        else:
            runs.append([after])
    return runs


def called(mention: Mention) -> dict[Place, str]:
    """What a name stands for in each place where that is one value."""
    found: dict[Place, list[tuple[float, str]]] = {}
    for value, likeness in mention.values:
        if not value.of_relation and not value.many:
            found.setdefault((value.owner, value.property), []).append((likeness, value.text))
    nearest = {place: max(x for x, _ in several) for place, several in found.items()}
    texts = {place: {t for x, t in several if x == nearest[place]} for place, several in found.items()}
    return {place: next(iter(same)) for place, same in texts.items() if len(same) == 1}
