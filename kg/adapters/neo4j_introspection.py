"""The ``StoreSchema`` of any live Neo4j, by looking: labels, properties, relationship types, which ends meet.

Reads only. Properties and their types come from the server's own ``db.schema`` procedures, label sets,
triples and counts from one pass each, few-valued text and the name property from the distinct values.

Vectors are named as hidden: no question or query has a use for their numbers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, LiteralString, NamedTuple

from cypher.semantics.values import StoredValue
from kg.adapters.neo4j_connection import Connection
from kg.queries import BOOKKEEPING, MARKER, Label
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

FEW: Final = 40
"""A text property with at most this many values lists them in the schema."""
MOST_VALUES: Final = 100_000
"""Most distinct values of one property that are read for the value index."""
LONGEST: Final = 200
"""Characters of a value; longer text is prose that no question quotes whole."""
LONG: Final = 0.1
"""Share of longer texts from which on a property is no name."""
USUAL: Final = 0.75
"""Least share of nodes that have what they are usually called by."""
UNIQUE: Final = 0.9
"""Least share of different values of a name that is not called one."""
SURELY: Final = 3.0
"""Score of a property that is called a name, or the label's name."""
FIGURES: Final = r"[-+]?[0-9][0-9.,:/ T-]*Z?"
"""Text that is a number or a day names nothing, unless its property is called an id."""
SHARED: Final = 0.5
"""Least share of different values of what only sounds like a name: one that many share names none of them."""
TIMEOUT: Final = 300.0
"""Seconds for one pass over a large graph."""
VECTOR: Final = 32
"""Least length of a list of floats that is a vector, where all lists of a property have one length."""
SAMPLE: Final = 100
"""Lists of a property that are looked at to find vectors."""
MOST_COUNTED: Final = 1_000_000
"""Relationships up to which it is looked how many of a type one node has: the server keeps a row for each."""
_MOST_FROM_START: Final[LiteralString] = (
    "MATCH (a)-[r]->(b) UNWIND labels(b) AS other WITH a, type(r) AS type, other, count(*) AS n "
    "RETURN labels(a) AS labels, type, other, max(n) AS most"
)
_MOST_TO_END: Final[LiteralString] = (
    "MATCH (a)-[r]->(b) UNWIND labels(a) AS other WITH b, type(r) AS type, other, count(*) AS n "
    "RETURN labels(b) AS labels, type, other, max(n) AS most"
)
_TYPES: Final[Mapping[str, PropertyType]] = {
    "String": PropertyType.STRING,
    "Long": PropertyType.INTEGER,
    "Integer": PropertyType.INTEGER,
    "Short": PropertyType.INTEGER,
    "Byte": PropertyType.INTEGER,
    "Double": PropertyType.FLOAT,
    "Float": PropertyType.FLOAT,
    "Boolean": PropertyType.BOOLEAN,
    "Date": PropertyType.DATE,
    "DateTime": PropertyType.DATETIME,
    "LocalDateTime": PropertyType.DATETIME,
    "ZonedDateTime": PropertyType.DATETIME,
    "Time": PropertyType.TIME,
    "LocalTime": PropertyType.TIME,
    "OffsetTime": PropertyType.TIME,
    "Duration": PropertyType.DURATION,
    "Point": PropertyType.POINT,
}
_NAMES: Final = ("name", "title", "label", "caption", "fullname", "companyname", "displayname")
_CODES: Final = ("id", "code", "url", "uri", "uuid", "hash", "created", "edited", "updated")


class _Shape(NamedTuple):
    """What the passes over the graph saw."""

    sets: Counter[tuple[str, ...]]
    triples: Counter[tuple[str, str, str]]
    node_properties: dict[str, dict[str, set[str]]]
    edge_properties: dict[str, dict[str, set[str]]]


def infer_schema(connection: Connection) -> StoreSchema:
    """What the database holds, as a query may name it.

    Raises:
        StoreUnavailableError, QueryFailedError, QueryTimeoutError: the database could not be read.
    """
    shape, hidden = _without_bookkeeping(connection, _read_shape(connection))
    nodes = Counter[str]()
    for labels, count in shape.sets.items():
        for label in labels:
            nodes[label] += count
    edges = Counter[str]()
    for (_, kind, _), count in _whole_triples(connection).items():
        edges[kind] += count
    return StoreSchema(
        labels=tuple(_label(connection, n, nodes[n], shape.node_properties[n]) for n in sorted(nodes)),
        relations=tuple(_relation(connection, t, edges[t], shape.edge_properties[t]) for t in sorted(edges)),
        triples=_triples(connection, shape.triples),
        label_sets=tuple(sorted(shape.sets)),
        fulltext_indexes=_fulltext_indexes(connection),
        hidden_labels=hidden,
    )


def _without_bookkeeping(connection: Connection, shape: _Shape) -> tuple[_Shape, tuple[str, ...]]:
    """The shape without the nodes that ``kg load`` keeps for itself, and the labels of those."""
    sets = {(label.value,) for label in BOOKKEEPING}
    if (Label.WORKSPACE.value,) not in shape.sets:
        return shape, ()
    if not any(row["marker"].get("singleton") for row in connection.read(MARKER, timeout=TIMEOUT)):
        return shape, ()
    kept = Counter({labels: count for labels, count in shape.sets.items() if labels not in sets})
    return shape._replace(sets=kept), tuple(sorted(label.value for label in BOOKKEEPING))


def _fulltext_indexes(connection: Connection) -> tuple[str, ...]:
    rows = connection.read("SHOW FULLTEXT INDEXES YIELD name RETURN name", timeout=TIMEOUT)
    return tuple(sorted(row["name"] for row in rows))


@dataclass(frozen=True, slots=True)
class Place:
    """A text property of the nodes of a label, or of the relationships of a type."""

    owner: str
    prop: StoreProperty
    count: int
    of_relation: bool = False

    @property
    def name(self) -> str:
        """``owner.property``."""
        return f"{self.owner}.{self.prop.name}"

    @property
    def pattern(self) -> str:
        """Matches everything that may have it, as ``n``."""
        return f"()-[n:{_quoted(self.owner)}]->()" if self.of_relation else f"(n:{_quoted(self.owner)})"

    def stored(self, values: Iterable[str]) -> Iterator[StoredValue]:
        """These values with where they stand."""
        p = self.prop
        for value in values:
            yield StoredValue(self.owner, p.name, value, many=p.many, of_relation=self.of_relation)


def value_places(schema: StoreSchema) -> tuple[Place, ...]:
    """Where the values stand that a question may quote, names first, then the smaller before the larger."""
    found = [
        (prop.name != label.name_property, Place(label.name, prop, label.count))
        for label in schema.labels
        for prop in label.properties
        if prop.type in (PropertyType.STRING, PropertyType.ANY, PropertyType.DATE)
    ]
    found += [
        (True, Place(relation.type, prop, relation.count, of_relation=True))
        for relation in schema.relations
        for prop in relation.properties
        if prop.type is PropertyType.STRING
    ]
    return tuple(place for _, place in sorted(found, key=lambda f: (f[0], f[1].count)))


def place_values(connection: Connection, place: Place, *, timeout: float = TIMEOUT) -> list[str]:
    """The distinct short texts of a property; none for vectors, which older schema files still name."""
    prop = place.prop
    if (
        prop.type is PropertyType.ANY
        and prop.many
        and _is_vector(connection, place.pattern, prop.name, timeout=timeout)
    ):
        return []
    return _distinct(connection, place.pattern, prop, MOST_VALUES, timeout=timeout)


def read_values(connection: Connection, schema: StoreSchema) -> tuple[StoredValue, ...]:
    """All distinct short text values of nodes and relationships, for the parser's value index."""
    places = value_places(schema)
    return tuple(v for place in places for v in place.stored(place_values(connection, place)))


def _read_shape(connection: Connection) -> _Shape:
    rows = connection.read("MATCH (n) RETURN labels(n) AS labels, count(*) AS count", timeout=TIMEOUT)
    sets = Counter({tuple(sorted(r["labels"])): r["count"] for r in rows if r["labels"]})
    node_properties: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in connection.read("CALL db.schema.nodeTypeProperties()", timeout=TIMEOUT):
        for label in row["nodeLabels"]:
            if row["propertyName"]:
                node_properties[label][row["propertyName"]] |= set(row["propertyTypes"] or ())
    edge_properties: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in connection.read("CALL db.schema.relTypeProperties()", timeout=TIMEOUT):
        if row["propertyName"]:
            kind = row["relType"].removeprefix(":").strip("`")
            edge_properties[kind][row["propertyName"]] |= set(row["propertyTypes"] or ())
    return _Shape(sets, _split_triples(connection), node_properties, edge_properties)


def _whole_triples(connection: Connection) -> Counter[tuple[str, str, str]]:
    query: LiteralString = "MATCH ()-[r]->() RETURN type(r) AS type, count(*) AS count"
    return Counter({("", r["type"], ""): r["count"] for r in connection.read(query, timeout=TIMEOUT)})


def _split_triples(connection: Connection) -> Counter[tuple[str, str, str]]:
    out = Counter[tuple[str, str, str]]()
    for row in connection.read(
        "MATCH (a)-[r]->(b) RETURN labels(a) AS a, type(r) AS type, labels(b) AS b, count(*) AS count",
        timeout=TIMEOUT,
    ):
        for start in row["a"]:
            for end in row["b"]:
                out[start, row["type"], end] += row["count"]
    return out


def _triples(connection: Connection, counts: Mapping[tuple[str, str, str], int]) -> tuple[StoreTriple, ...]:
    ends = Counter[tuple[str, str, str]]()
    starts = Counter[tuple[str, str, str]]()
    if sum(counts.values()) <= MOST_COUNTED:
        for row in connection.read(_MOST_FROM_START, timeout=TIMEOUT):
            for start in row["labels"]:
                key = start, row["type"], row["other"]
                ends[key] = max(ends[key], row["most"])
        for row in connection.read(_MOST_TO_END, timeout=TIMEOUT):
            for end in row["labels"]:
                key = row["other"], row["type"], end
                starts[key] = max(starts[key], row["most"])
    return tuple(
        StoreTriple(
            start=key[0],
            type=key[1],
            end=key[2],
            count=count,
            most_from_start=ends[key],
            most_to_end=starts[key],
        )
        for key, count in sorted(counts.items())
    )


def _label(connection: Connection, name: str, count: int, seen: Mapping[str, set[str]]) -> StoreLabel:
    pattern = f"(n:{_quoted(name)})"
    hidden = _vectors(connection, pattern, seen)
    properties = tuple(_property(connection, pattern, p, seen[p]) for p in sorted(seen) if p not in hidden)
    return StoreLabel(
        name=name,
        properties=properties,
        hidden=hidden,
        count=count,
        name_property=_name_property(connection, pattern, name, properties),
    )


def _relation(connection: Connection, kind: str, count: int, seen: Mapping[str, set[str]]) -> StoreRelation:
    pattern = f"()-[n:{_quoted(kind)}]->()"
    hidden = _vectors(connection, pattern, seen)
    properties = tuple(_property(connection, pattern, p, seen[p]) for p in sorted(seen) if p not in hidden)
    return StoreRelation(type=kind, properties=properties, count=count, hidden=hidden)


def _vectors(connection: Connection, pattern: str, seen: Mapping[str, set[str]]) -> tuple[str, ...]:
    """Properties that hold vectors: lists of floats, all of one long length."""
    lists = (p for p in sorted(seen) if seen[p] and seen[p] <= {"DoubleArray", "FloatArray"})
    return tuple(p for p in lists if _is_vector(connection, pattern, p))


def _is_vector(connection: Connection, pattern: str, name: str, *, timeout: float = TIMEOUT) -> bool:
    query = (
        f"MATCH {pattern} WHERE n[$p] IS NOT NULL WITH n[$p] AS v LIMIT $sample "
        "WITH CASE WHEN v IS :: LIST<FLOAT> THEN size(v) ELSE -1 END AS length "
        "RETURN coalesce(min(length), -1) AS least, coalesce(max(length), -1) AS most"
    )
    row = connection.read(query, {"p": name, "sample": SAMPLE}, timeout=timeout)[0]
    return bool(row["least"] == row["most"] >= VECTOR)


def _property(connection: Connection, pattern: str, name: str, types: Iterable[str]) -> StoreProperty:
    kinds = {t.removesuffix("Array") for t in types}
    many = any(t.endswith("Array") for t in types)
    kind = _TYPES.get(next(iter(kinds)), PropertyType.ANY) if len(kinds) == 1 else PropertyType.ANY
    bare = StoreProperty(name=name, type=kind, many=many)
    if kind is not PropertyType.STRING:
        return bare
    values = _distinct(connection, pattern, bare, FEW + 1)
    if not values or len(values) > FEW or any(len(v) > LONGEST for v in values):
        return bare
    query = f"MATCH {pattern} WHERE n[$p] IS NOT NULL RETURN count(*) AS count"
    count = connection.read(query, {"p": name}, timeout=TIMEOUT)[0]["count"]
    return StoreProperty(name=name, type=kind, many=many, values=tuple(values), count=count)


def _distinct(
    connection: Connection, pattern: str, prop: StoreProperty, most: int, *, timeout: float = TIMEOUT
) -> list[str]:
    each = "UNWIND n[$p] AS v" if prop.many else "WITH n[$p] AS v"
    query = (
        f"MATCH {pattern} WHERE n[$p] IS NOT NULL {each} WITH toString(v) AS v WHERE size(v) <= $longest "
        "RETURN DISTINCT v ORDER BY v LIMIT $most"
    )
    parameters = {"p": prop.name, "longest": LONGEST, "most": most}
    return [str(r["v"]) for r in connection.read(query, parameters, timeout=timeout)]


def _name_property(
    connection: Connection, pattern: str, label: str, properties: Sequence[StoreProperty]
) -> str:
    """The text property that people call a node by: named like a name, mostly unique, no code or link.

    One that most nodes have not, a nickname for example, is it only where there is no other.
    """
    best, best_score = "", (False, 0.0)
    for prop in properties:
        if prop.type is not PropertyType.STRING or prop.many:
            continue
        row = _uniqueness(connection, pattern, prop.name)
        if not row["used"] or row["long"] > LONG * row["used"]:
            continue
        named = _name_score(prop.name, label)
        if named <= 0 and row["different"] < UNIQUE * row["nodes"]:
            continue
        if 0 < named < SURELY and row["different"] < SHARED * row["used"]:
            continue
        if named == 0 and row["figures"] > SHARED * row["used"]:
            continue
        usual = row["used"] >= USUAL * row["nodes"]
        score = usual, named + row["different"] / row["used"] + row["used"] / row["nodes"]
        if score > best_score:
            best, best_score = prop.name, score
    return best


def _name_score(name: str, label: str) -> float:
    key = name.lower().replace("_", "")
    if key in _NAMES or key == label.lower() + "name":
        return SURELY
    if key == label.lower() or key.endswith("name"):
        return 2.0
    return -1.0 if any(key.endswith(code) for code in _CODES) else 0.0


def _uniqueness(connection: Connection, pattern: str, name: str) -> dict[str, Any]:
    query = (
        f"MATCH {pattern} RETURN count(n[$p]) AS used, count(DISTINCT n[$p]) AS different, "
        "count(*) AS nodes, count(CASE WHEN n[$p] =~ $figures THEN 1 END) AS figures, "
        "count(CASE WHEN size(n[$p]) > $longest THEN 1 END) AS long"
    )
    parameters = {"p": name, "figures": FIGURES, "longest": LONGEST}
    return connection.read(query, parameters, timeout=TIMEOUT)[0]


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
