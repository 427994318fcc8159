"""Small invented graphs for tests: a schema and the values stored, from compact text.

A line of the text is a label with its properties, relationships between labels, or values of a property::

    Ship 12: name, length float, flags string list
    Voyage 40 unnamed: status, start date
    (Ship)-[MADE 30: rank integer, remark]->(Voyage), (Ship)-[MET]->(Ship)

    Ship.name: Blue Heron | Tender {1..9}
    MADE.remark: Late, but safe

Numbers behind names are counts, 0 where none is given. A property is text unless its ``PropertyType``
follows it; ``list`` says that it holds lists. The first property of a label is the one that its nodes are
called by, unless the label is ``unnamed``. A range in braces stands for each of its whole numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from cypher.semantics.decide import Verdict, decide
from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import StoredValue
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

_LABEL: Final = re.compile(r"(?P<name>\w+)( (?P<count>\d+))?(?P<unnamed> unnamed)?(: (?P<properties>.+))?")
_TRIPLE: Final = re.compile(
    r"\((?P<start>\w+)\)-\[(?P<type>\w+)( (?P<count>\d+))?(: (?P<properties>[^]]+))?\]->\((?P<end>\w+)\)"
)
_BETWEEN_TRIPLES: Final = re.compile(r", (?=\()")
_VALUES: Final = re.compile(r"(?P<owner>\w+)\.(?P<property>\w+): (?P<texts>.+)")
_RANGE: Final = re.compile(r"(.*)\{(\d+)\.\.(\d+)\}(.*)")
_TYPES: Final = frozenset(t.value for t in PropertyType)


READERS_AND_ORDERS: Final = """
    Client 40: name, country, fax
    Order 90 unnamed: orderNo, placedOn, shippedOn, clientID
    Item 60: title, price float, kindID, year integer
    Kind 8: label
    Reader 30: name, born integer
    (Client)-[PLACED 90]->(Order), (Order)-[CONTAINS 200: quantity integer, discount float]->(Item)
    (Item)-[OF_KIND 60]->(Kind), (Reader)-[WROTE 50]->(Item), (Reader)-[EDITED 30]->(Item)
    (Reader)-[RATED 40: score integer]->(Item)

    Client.name: Ada Moor | Ben Vale
    Client.country: Chile | Ghana
    Order.orderNo: o1 | o2
    Order.placedOn: 1996-07-04 00:00:00.000 | 1997-01-08 00:00:00.000
    Order.shippedOn: 1996-07-05 00:00:00.000 | 1997-01-09 00:00:00.000
    Order.clientID: c1 | c2
    Item.title: Grey Owl | Old Mill
    Item.kindID: k1 | k2
    Kind.label: Novel | Atlas
    Reader.name: Cleo Finn | Dora Hale | Egon Vail
"""
"""Who reads, writes and orders what: days in texts with times, foreign ids, things without names."""


def invented_graph(text: str) -> tuple[StoreSchema, tuple[StoredValue, ...]]:
    """The schema and the stored values that ``text`` states, each in its order.

    Raises ``ValueError``, with the part at fault, for what cannot be read, for a label, property or triple
    stated twice, and for triples or values of labels, types or properties that the text does not state.

    >>> schema, stored = invented_graph('''
    ...     Ship 9: name
    ...     Ship.name: Heron | Tender {8..10}
    ... ''')
    >>> schema.labels[0].count, [value.text for value in stored]
    (9, ['Heron', 'Tender 8', 'Tender 9', 'Tender 10'])
    """
    labels, triples, values = [], [], []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("("):
            triples += [_read(_TRIPLE, part) for part in _BETWEEN_TRIPLES.split(line)]
        elif re.match(r"\w+\.", line):
            values.append(_read(_VALUES, line))
        else:
            labels.append(_label(_read(_LABEL, line)))
    schema = StoreSchema(
        labels=tuple(labels), relations=_relations(triples), triples=tuple(map(_triple, triples))
    )
    names = [label.name for label in labels]
    _refuse_repeated(names)
    _refuse_repeated([f"({t.start})-[{t.type}]->({t.end})" for t in schema.triples])
    for end in (end for triple in schema.triples for end in (triple.start, triple.end)):
        if end not in names:
            raise ValueError(f"no such label: {end}")
    return schema, tuple(value for match in values for value in _stored(schema, match))


def _read(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        raise ValueError(f"cannot be read: {text}")
    return match


def _refuse_repeated(names: Sequence[str]) -> None:
    for at, name in enumerate(names):
        if name in names[:at]:
            raise ValueError(f"stated twice: {name}")


def _label(match: re.Match[str]) -> StoreLabel:
    properties = _properties(match["properties"])
    named = properties[0].name if properties and not match["unnamed"] else ""
    count = int(match["count"] or 0)
    return StoreLabel(name=match["name"], properties=properties, name_property=named, count=count)


def _triple(match: re.Match[str]) -> StoreTriple:
    count = int(match["count"] or 0)
    return StoreTriple(start=match["start"], type=match["type"], end=match["end"], count=count)


def _relations(triples: Iterable[re.Match[str]]) -> tuple[StoreRelation, ...]:
    """The types of the triples; a type of several triples has its properties at one of them."""
    properties: dict[str, tuple[StoreProperty, ...]] = {}
    for triple in triples:
        name, stated = triple["type"], _properties(triple["properties"])
        if stated and properties.get(name):
            raise ValueError(f"stated twice: properties of {name}")
        properties[name] = stated or properties.get(name, ())
    return tuple(StoreRelation(type=name, properties=found) for name, found in properties.items())


def _properties(text: str | None) -> tuple[StoreProperty, ...]:
    properties = tuple(_property(part.strip()) for part in text.split(",")) if text else ()
    _refuse_repeated([p.name for p in properties])
    return properties


def _property(text: str) -> StoreProperty:
    match text.split():
        case [name]:
            return StoreProperty(name=name, type=PropertyType.STRING)
        case [name, kind] if kind in _TYPES:
            return StoreProperty(name=name, type=PropertyType(kind))
        case [name, kind, "list"] if kind in _TYPES:
            return StoreProperty(name=name, type=PropertyType(kind), many=True)
        case _:
            raise ValueError(f"no property: {text!r}")


def _stored(schema: StoreSchema, match: re.Match[str]) -> Iterable[StoredValue]:
    owner, name = match["owner"], match["property"]
    of_label = [p for x in schema.labels if x.name == owner for p in x.properties if p.name == name]
    of_type = [p for x in schema.relations if x.type == owner for p in x.properties if p.name == name]
    if not of_label and not of_type:
        raise ValueError(f"no such property: {owner}.{name}")
    many = (of_label or of_type)[0].many
    texts = (one for text in match["texts"].split("|") for one in _spread(text.strip()))
    return (StoredValue(owner, name, one, many=many, of_relation=not of_label) for one in texts)


def _spread(text: str) -> tuple[str, ...]:
    """The text, or one for each number of the range in it, filled with zeros to the width of the first."""
    match = _RANGE.fullmatch(text)
    if match is None:
        spread: tuple[str, ...] = (text,)
    else:
        before, first, last, after = match.groups()
        numbers = range(int(first), int(last) + 1)
        spread = tuple(f"{before}{number:0{len(first)}}{after}" for number in numbers)
    if not spread or not spread[0] or "{" in spread[0]:
        raise ValueError(f"no value: {text!r}")
    return spread


def query_of(reader: SemanticReader, question: str) -> str:
    """The query of a question that is read surely, with its values in it and no backticks."""
    reading = reader.read(question)
    decision = decide(reading, reader.schema)
    assert decision.verdict is Verdict.ANSWER, question
    assert not decision.unexplained, decision.unexplained
    assert reading.written is not None
    text = reading.written.text.replace("`", "")
    for name, value in reading.written.parameters.items():
        text = text.replace(f"${name}", repr(value))
    return " ".join(text.split())
