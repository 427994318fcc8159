"""What the rows of a plan's query are ordered by."""

from __future__ import annotations

from cypher.general.kinds import Form
from cypher.general.patterns import Bound, PatternWriter
from cypher.general.plan import Ranking
from cypher.schema_graph import year_attribute
from cypher.units import Units


def ordered(p: PatternWriter, bound: Bound, number: str, ranking: Ranking | None, scale: Units) -> str:
    """Terms of an ORDER BY; ``number`` is the column that counts, ``k`` that of a ranking.

    With a ``scale``, numbers in its units come by their size, behind all that are in other units (``u``).
    """
    name = _name(p, bound)
    if ranking is not None:
        descending = " DESC" if ranking.descending else ""
        if not scale:
            return f"k{descending}, {name}"
        unit, units = f"coalesce(u, {p.parameter('')})", p.parameter(tuple(u for u, _ in scale))
        sizes = " ".join(f"WHEN {p.parameter(u)} THEN {p.parameter(size)}" for u, size in scale)
        return f"{unit} IN {units}, k * CASE {unit} {sizes} END{descending}, {name}"
    if number:
        return f"{number} DESC, {name}"
    year = year_attribute(p.schema)
    if year and bound.kind.owner == year[0] and bound.kind.form is Form.ENTITY:
        return f"{p.property(bound.text, year[1])}, {name}"
    return name


def _name(p: PatternWriter, bound: Bound) -> str:
    if bound.kind.form is Form.ENTITY:
        return p.property(bound.text, "name")
    if bound.kind.form is Form.STATEMENT:
        return f"{p.property(bound.ends[0].text, 'name')}, {p.property(bound.text, 'id')}"
    return bound.text
