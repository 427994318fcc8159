"""Deeds that only relationships keep, said as nouns: "how many inspections did each keeper do in 2024"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cypher.semantics.deed_names import is_noun_of
from cypher.semantics.figure_of_each import in_year
from cypher.semantics.ir import (
    Edge,
    Head,
    Measure,
    Measured,
    Node,
    PropertyRef,
    Query,
)
from cypher.semantics.text import identifier_words, stem
from schemas.store_schema import StoreSchema, StoreTriple

_YEAR: Final = r"(?: in (?P<year>(?:19|20)\d\d))?[\s?.!]*$"
_DO: Final = (
    r"(?:do|done|make|made|perform|performed|carry out|carried out|conduct|conducted|have|had|receive"
    r"|received|get|got|undergo|undergone|run|take|taken)"
)
_EACH: Final = (
    re.compile(
        rf"^how many (?P<noun>[a-z]+) (?:did|does|has|have|had) (?:each|every) (?P<key>[\w ]+?) {_DO}{_YEAR}",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:what (?:is|was) )?(?:the )?number of (?P<noun>[a-z]+)(?: done| made)? "
        rf"(?:per|by|(?:of|for|by) each|(?:of|for|by) every) (?P<key>[\w ]+?){_YEAR}",
        re.IGNORECASE,
    ),
)
_NONE: Final = re.compile(
    r"^(?:(?:which|what|list|show|find)(?: all)?(?: the)? )?(?P<key>[\w ]+?) "
    r"(?:(?:that |which |who )?(?:have|has|had) (?:no|never had an?)|without(?: an?| any)?) (?P<noun>[a-z]+)"
    r"(?: at all| of (?:their|its) own)?[\s?.!]*$",
    re.IGNORECASE,
)
_DEEDS: Final = PropertyRef(0, "", on_edge=True)


def deeds_counted(question: str, schema: StoreSchema) -> Query | None:
    """The reading of such a question, or ``None`` where it is none or the noun may be of several types.

    >>> from schemas.store_schema import StoreLabel, StoreRelation
    >>> schema = StoreSchema(
    ...     labels=(StoreLabel(name="Keeper"), StoreLabel(name="Hive")),
    ...     relations=(StoreRelation(type="INSPECTED"),),
    ...     triples=(StoreTriple(start="Keeper", type="INSPECTED", end="Hive"),))
    >>> found = deeds_counted("How many inspections did each keeper do?", schema)
    >>> found and (found.measures[0].ref.on_edge, found.keys[0].owner)
    (True, 0)
    >>> found = deeds_counted("Which hives have no inspection?", schema)
    >>> found and (found.nodes[found.answer].label, found.edges[0].negated)
    ('Hive', True)
    >>> deeds_counted("Which hives have no queens?", schema) is None
    True
    """
    text = question.strip()
    each = next((found for rule in _EACH if (found := rule.match(text))), None)
    if each is not None:
        made = [_of_each(t, owner) for t, owner in _tied(each["noun"], each["key"], schema)]
        only = made[0] if len(made) == 1 else None
        return in_year(only, int(each["year"]), schema) if only is not None and each["year"] else only
    none = _NONE.match(text)
    ties = list(_tied(none["noun"], none["key"], schema)) if none is not None else []
    return _without(*ties[0]) if len(ties) == 1 else None


def _tied(noun: str, key: str, schema: StoreSchema) -> Iterator[tuple[StoreTriple, int]]:
    """Relationships whose deed is called by the noun, with the end that the key names; of both the start."""
    if any(_names(label.name, noun) for label in schema.labels):
        return
    for triple in schema.triples:
        if is_noun_of(noun.lower(), triple.type):
            for owner, label in ((0, triple.start), (1, triple.end)):
                if _names(label, key):
                    yield triple, owner
                    break


def _names(name: str, said: str) -> bool:
    return [stem(w) for w in said.lower().split()] == [stem(w) for w in identifier_words(name)]


def _of_each(triple: StoreTriple, owner: int) -> Query:
    nodes, edges = (Node(triple.start), Node(triple.end)), (Edge(0, 1, (triple.type,)),)
    counted = (Measured(Measure.COUNT, _DEEDS),)
    return Query(
        nodes, edges, answer=1 - owner, head=Head.GROUP, measures=counted, keys=(PropertyRef(owner, ""),)
    )


def _without(triple: StoreTriple, owner: int) -> Query:
    nodes, edges = (Node(triple.start), Node(triple.end)), (Edge(0, 1, (triple.type,), negated=True),)
    return Query(nodes, edges, answer=owner)
