"""How often something happened: each relationship is one time, also where two lead to the same thing."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cypher.semantics.ir import CountFilter, Filter, Head, Measure, Measured, Operator, PropertyRef, Query
from cypher.semantics.mentions import Linked
from cypher.semantics.text import identifier_words, stem
from schemas.store_schema import PropertyType, StoreSchema

_TIMES: Final = re.compile(
    r"\bhow often\b|\btimes\b|\b(?:once|twice)\b|\bfrequency\b"
    r"|\b(?:most|least|more|less) (?:often|frequently)\b",
    re.IGNORECASE,
)
_NUMBERS: Final = {"once": 1, "twice": 2, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_HOW_MANY: Final = {
    "more than": Operator.GT,
    "at least": Operator.GE,
    "exactly": Operator.EQ,
    "fewer than": Operator.LT,
    "less than": Operator.LT,
    "at most": Operator.LE,
}
_AGAIN: Final = re.compile(
    rf" (?:(?P<how>{'|'.join(_HOW_MANY)}) )?"
    rf"(?P<number>once|twice|(?:{'|'.join(list(_NUMBERS)[2:])}|\d{{1,4}}) times)"
    r"(?=\s*[?.!]*$)",
    re.IGNORECASE,
)
_NUMERIC: Final = frozenset({PropertyType.INTEGER, PropertyType.FLOAT})
_KEPT: Final = frozenset({"times", "count", "number_of_times", "numberoftimes", "frequency", "occurrences"})
"""Names of numbers by which one relationship stands for several times."""
_HOW_OFTEN: Final = re.compile(
    r"^(?:how often|how many times|how frequently) "
    r"(?P<rest>(?:did|has|have|had|does|do|was|were|is|are) .+)$",
    re.IGNORECASE,
)


def whether_once(question: str) -> str | None:
    """Whether something happened, of a question for how often it did; ``None`` of another question.

    >>> whether_once("How often did Ann call Ben?")
    'did Ann call Ben?'
    """
    found = _HOW_OFTEN.match(question.strip())
    return found["rest"] if found else None


def repeated(question: str) -> tuple[str, CountFilter] | None:
    """The question without how often something is to have happened, and the number; ``None`` without one.

    >>> found = repeated("Which ships docked at Lisbon more than once?")
    >>> found and (found[0], found[1].operator.value, found[1].value)
    ('Which ships docked at Lisbon?', '>', 1)
    """
    found = _AGAIN.search(question)
    if found is None:
        return None
    word = found["number"].lower()
    value = _NUMBERS.get(word.removesuffix(" times")) or int(word.removesuffix(" times"))
    operator = _HOW_MANY[(found["how"] or "exactly").lower()]
    return f"{question[: found.start()]}{question[found.end() :]}", CountFilter(0, operator, value, 0)


def with_repeats(query: Query, many: CountFilter, schema: StoreSchema) -> Query | None:
    """A reading of those for which something is so many times; ``None`` where nothing tells that."""
    if query.head is not Head.LIST or not _is_one_deed(query):
        return None
    if query.having is not None or query.order is not None or query.project or query.pooled:
        return None
    edge = query.edges[0]
    other = edge.end if edge.start == query.answer else edge.start
    return by_number_kept(replace(query, having=replace(many, node=other)), schema)


def times(query: Query, schema: StoreSchema) -> Query | None:
    """A reading for how often that is of which ``query`` asks whether it is; ``None`` where nothing tells."""
    if query.head is not Head.EXISTS or not _is_one_deed(query):
        return None
    deeds = PropertyRef(0, "", on_edge=True)
    return by_number_kept(replace(query, head=Head.COUNT, measure=Measure.COUNT, measured=deeds), schema)


def occasions(linked: Linked, query: Query) -> Query:
    """The reading with relationships counted where a question asks how often, or for most deeds.

    ``the most dockings`` are told by the relationships of ``DOCKED_AT``, ``the most ports`` by the ports, and
    so is whatever the question has a word for: "who investigated accidents most often".
    """
    if not _is_one_deed(query) or not (_TIMES.search(linked.text) or _names_deeds(linked, query)):
        return query
    said = {t.name for m in linked.mentions for t in m.terms if t.kind == "label"}
    order = query.order
    counted = order.count_of if order is not None and query.head is Head.LIST else None
    if order is not None and counted is not None and not _has_a_word(linked, query, counted):
        return replace(query, order=replace(order, count_edge=0))
    having = query.having
    if having is not None and having.edge is None and not _has_a_word(linked, query, having.node):
        return replace(query, having=replace(having, edge=0))
    if len(query.measures) == 1 and query.keys and not said & _counted_labels(query):
        deeds = Measured(Measure.COUNT, PropertyRef(0, "", on_edge=True))
        return replace(query, measures=(deeds,)) if query.measures[0].measure is Measure.COUNT else query
    counts = query.head is Head.COUNT and query.measured is None
    if counts and query.nodes[query.answer].label not in said:
        return replace(query, measure=Measure.COUNT, measured=PropertyRef(0, "", on_edge=True))
    return query


def _has_a_word(linked: Linked, query: Query, counted: int) -> bool:
    """Whether the question has a word for what is counted, beside that for the things it is counted for."""
    label = query.nodes[counted].label
    said = sum(any(t.kind == "label" and t.name == label for t in m.terms) for m in linked.mentions)
    return said > (query.nodes[query.answer].label == label and counted != query.answer)


def _counted_labels(query: Query) -> set[str]:
    """Labels of what is counted for each of something; of all things where a property is."""
    ref = query.measures[0].ref
    return {n.label for n in query.nodes} if ref.name or ref.on_edge else {query.nodes[ref.owner].label}


def by_number_kept(query: Query, schema: StoreSchema) -> Query:
    """The reading with the number of times that a relationship holds itself, in place of counting it.

    >>> from cypher.semantics.ir import Edge, Node
    >>> from schemas.store_schema import PropertyType, StoreProperty, StoreRelation
    >>> number = StoreProperty(name="times", type=PropertyType.INTEGER)
    >>> kept = StoreRelation(type="CLIMBED", properties=(number,))
    >>> climbs = Query((Node("Person"), Node("Peak")), (Edge(0, 1, ("CLIMBED",)),), head=Head.COUNT,
    ...                measured=PropertyRef(0, "", on_edge=True))
    >>> by_number_kept(climbs, StoreSchema(relations=(kept,))).measure
    <Measure.SUM: 'sum'>
    """
    kinds = [schema.relation(t) for e in query.edges for t in e.types]
    names = {
        p.name for k in kinds if k for p in k.properties if p.type in _NUMERIC and p.name.lower() in _KEPT
    }
    if len(query.edges) != 1 or len(names) != 1 or len(kinds) != 1:
        return query
    ref = PropertyRef(0, names.pop(), on_edge=True)
    measured, order, having = query.measured, query.order, query.having
    if query.head is Head.COUNT and measured is not None and measured.on_edge and not measured.name:
        return replace(query, head=Head.AGGREGATE, measure=Measure.SUM, measured=ref)
    if order is not None and order.count_edge is not None:
        most = replace(order, ref=ref, measure=Measure.SUM, count_of=None, count_edge=None)
        return replace(query, order=most)
    if having is not None and having.edge is not None:
        return replace(
            query, filters=(*query.filters, Filter(ref, having.operator, having.value)), having=None
        )
    return query


def _is_one_deed(query: Query) -> bool:
    """Whether there is one relationship, and nothing else that would tell how often it is there."""
    plain = [e for e in query.edges if not (e.negated or e.optional)]
    return len(query.edges) == len(plain) == 1 and len(query.nodes) == 2 and not query.clauses


def _names_deeds(linked: Linked, query: Query) -> bool:
    """Whether what is counted is called by the deed: dockings of ``DOCKED_AT``, reviews of ``REVIEWED``."""
    deeds = {w for kind in query.edges[0].types for w in identifier_words(kind)[:1] if w.endswith("ed")}
    stems = {stem(w) for w in deeds}
    nouns = {w.stem for w in linked.words if w.lower.endswith("s")} | {
        stem(w.lower.removesuffix("s")) for w in linked.words if w.lower.endswith("ings")
    }
    return bool(stems & nouns)
