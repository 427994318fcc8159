"""The question shapes: a table of what each needs, and how each becomes a form.

No shape knows a label: types, relations and attributes come from the slots and from roles that the schema
declares (a valued relation, a year, strengths).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cypher import form as f
from cypher.builder import NoPathError
from cypher.consumed import uses_everything
from cypher.entity_shapes import check, entities, only_limits, sharing, strongest, top
from cypher.number_shapes import compare, count, count_by, side_by_side, top_year
from cypher.property_shapes import attribute_of, attribute_values, dated_entities, describe, replaced_by
from cypher.slots import Slots
from cypher.value_shapes import Build, dated, precise, tightest, values
from cypher.words import Cue
from schemas.graph_schema import GraphSchema


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of question: cues it needs, cues it allows besides, and its builder."""

    name: str
    asks: str
    build: Build
    needs: frozenset[Cue] = frozenset()
    allows: frozenset[Cue] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A form with its score; the highest wins, equal ones with different forms are ambiguous."""

    form: f.Form
    slots: Slots
    score: float
    each: bool = False
    """Meant are things that have each of several values, of which the form asks for one."""


_TABLE: tuple[tuple[str, str, Build, str, str], ...] = (
    ("entities", "entities by what they are connected to or by their attributes", entities, "", "OR SHARE"),
    ("attribute_values", "the values of an attribute, with how many have it", attribute_values, "", "OR"),
    ("replaced_by", "the papers that replaced an entity's values", replaced_by, "", ""),
    ("newest_entities", "the newest papers", dated_entities(f.Order.NEWEST, "newest"), "NEWEST", "OR"),
    ("oldest_entities", "the oldest papers", dated_entities(f.Order.OLDEST, "oldest"), "OLDEST", "OR"),
    ("values", "the values of a measured quantity", values, "", "OR"),
    ("latest_value", "the latest value", dated(f.Order.NEWEST, "latest_value"), "NEWEST", ""),
    ("first_value", "the first value", dated(f.Order.OLDEST, "first_value"), "OLDEST", "WHEN"),
    ("dated_values", "when something was measured", dated(f.Order.PLAIN, "values"), "WHEN", ""),
    ("most_precise", "the value with the smallest total error", precise, "PRECISE", ""),
    ("tightest", "the strongest limit", tightest, "STRINGENT", ""),
    ("tightest_best", "the best limit", tightest, "PRECISE", ""),
    ("strongest", "what contributes most", strongest, "MOST", ""),
    ("strongest_size", "what contributes most", strongest, "SIZE", ""),
    ("strongest_rank", "what contributes most", strongest, "DOMINANT", "MOST"),
    ("most_connected", "what is connected to most", top, "MOST", ""),
    ("most_frequent", "what occurs most often in the graph", top, "FREQUENT", ""),
    ("count", "how many", count, "COUNT", "OR"),
    ("count_by", "how many, by a property", count_by, "BY", "COUNT"),
    ("top_year", "the year with the most", top_year, "WHEN MOST", ""),
    ("sharing", "what shares something with an entity", sharing, "SHARE", ""),
    ("side_by_side", "the values of two entities", side_by_side, "COMPARE", ""),
    ("compare", "numbers for two entities", compare, "COMPARE COUNT", ""),
    ("compare_more", "numbers for two entities", compare, "MORE", "COUNT OR COMPARE"),
    ("compare_count", "numbers of measurements for two entities", compare, "COUNT", ""),
    ("attribute", "an attribute of an entity", attribute_of, "", "WHEN"),
    ("describe", "all attributes of an entity", describe, "", ""),
    ("only_limits", "what has limits only", only_limits, "ONLY", ""),
    ("check", "whether something is so", check, "", ""),
)
SHAPES: tuple[Shape, ...] = tuple(
    Shape(
        name, asks, build, frozenset(Cue[c] for c in needs.split()), frozenset(Cue[c] for c in allows.split())
    )
    for name, asks, build, needs, allows in _TABLE
)
"""Every shape; needed and allowed cues decide which are tried."""


def candidates(schema: GraphSchema, slots: Slots) -> Iterator[Candidate]:
    """Forms that use everything the slots hold."""
    for shape in SHAPES:
        if slots.yes_no and shape.build is not check:
            continue
        if not shape.needs <= slots.cues <= shape.needs | shape.allows:
            continue
        for pick in (0, 1):
            try:
                found = shape.build(schema, slots, pick)
            except NoPathError:
                break
            if found is not None and uses_everything(found, slots, schema):
                each = _asks_for_each(found, slots)
                yield Candidate(found, slots, _score(found, slots, schema), each)


def _asks_for_each(found: f.Form, slots: Slots) -> bool:
    """Whether other things are asked for than those with the values that "and" joins.

    "masses and widths" are quantities of either kind, but papers on "a mass and a width" have both, which
    no condition on one quantity says.
    """
    match found.head:
        case f.CountBy(var, by) if var == by and not found.is_edge(var):
            return any(v.every for v in slots.values)
        case f.Entities(var) | f.Count(var) | f.Top(var) | f.AllHave(var) | f.CountBy(var):
            asked = "" if found.is_edge(var) else found.node(var).type
        case _:
            return False
    return bool(asked) and any(v.every and v.word.owner != asked for v in slots.values)


def _score(found: f.Form, slots: Slots, schema: GraphSchema) -> float:
    """Named relations and well-placed values count for a form, long patterns against it."""
    used = {e.relation for e in found.edges}
    named = sum(word.relation in used for word, _ in slots.relations)
    own = sum(0.5 for v in slots.values if v.word.owner == found.nodes[0].type)
    if any(e.type != schema.document_type for e in slots.entities):
        own += sum(0.5 for v in slots.values if v.word.owner == schema.document_type)
    specific = _PREFERENCE.get(found.shape, 0.0)
    return named + sum(v.fit for v in slots.values) + own + specific - 0.4 * len(found.edges)


_PREFERENCE = {
    "values": 0.5,
    "compare": 0.5,
    "check": 0.5,
    "strongest": 0.5,
    "attribute": 0.25,
    "newest": 0.3,
    "oldest": 0.3,
    "implied": -1.2,
}
"""A form of which nothing but a relation says what is asked for gives way to any other."""
