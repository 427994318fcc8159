"""The Cypher of a function of numbers: what may be taken together, and the statements behind it."""

from __future__ import annotations

from collections.abc import Sequence

from cypher.cited import MAX_STATEMENTS
from cypher.general.averaged import is_error, leaves_out_limits
from cypher.general.kinds import Form, Kind
from cypher.general.mentioned import of_few
from cypher.general.patterns import Bound, PatternWriter
from cypher.general.plan import Aggregate, Function, Tree
from cypher.general.tries import NoPlanError
from cypher.identifiers import REPLACED, STATEMENTS, quote
from cypher.sampled import few
from cypher.schema_graph import COLUMN, LIMIT, SUPERSEDED, UNIT, VALUE, attribute


def aggregated(p: PatternWriter, bound: Bound, root: Tree, head: Aggregate) -> tuple[str, tuple[str, ...]]:
    """Condition and numbers of a function of a number of the things of ``root``, with their columns.

    A clause with the statements behind them follows, see ``statements_of``.
    One row for each unit and column of a listing: such numbers are not taken together. A limit is no value
    and has no error.
    """
    function, number = head.function, head.number
    found = p.expression(number, bound)
    half = p.parameter(0.5)
    median = function is Function.MEDIAN
    call = f"percentileCont({found}, {half})" if median else f"{function.value}({found})"
    where = f"{found} IS NOT NULL"
    if _has(p, number.owner, LIMIT) and leaves_out_limits(number, root):
        where += f" AND {p.property(bound.text, LIMIT)} IS NULL"
    keys = _keys(p, bound, number)
    groups = "".join(f", {e} AS {quote(k, p.names.columns)}" for k, e in keys.items())
    text = f"WHERE {where} WITH {call} AS `{VALUE}`{groups}, count(DISTINCT {bound.text}) AS `count`"
    return text, (VALUE, *keys, "count")


def key_column(key: Kind) -> str:
    """The column of what things are counted by: an attribute, or an error that is worked out."""
    if key.derived and not is_error(key):
        raise NoPlanError("groups by a number of members")
    return key.attribute or key.derived.value.replace(" ", "_")


def shown_number(p: PatternWriter, bound: Bound, number: Kind | None) -> dict[str, str]:
    """Columns of a number of a thing: as a number, as it was printed, and its unit."""
    if number is None:
        return {}
    if is_error(number):
        return {number.derived.value.replace(" ", "_"): p.expression(number, bound)}
    names = [number.attribute, f"{number.attribute}_text", f"{number.attribute}_{UNIT}"]
    known = {a.name for a in p.schema.entity(number.owner).attributes}
    return {n: p.property(bound.text, n) for n in names if n in known}


def _keys(p: PatternWriter, bound: Bound, number: Kind) -> dict[str, str]:
    unit = p.unit(Bound(number, "", owner=bound.text))
    in_unit = number.derived or number.attribute == VALUE or not _has(p, number.owner, VALUE)
    keys = {UNIT: unit} if unit and in_unit else {}
    if in_unit and _has(p, number.owner, COLUMN):
        keys[COLUMN] = p.property(bound.text, COLUMN)
    return keys


def _has(p: PatternWriter, owner: str, name: str) -> bool:
    """Whether statements of a relation have an attribute."""
    found = next((r for r in p.schema.relations if r.name == owner), None)
    return found is not None and attribute(found, name) is not None


def statements_of(p: PatternWriter, bound: Bound, columns: Sequence[str], *, grouped: bool, most: int) -> str:
    """The end of a clause, and the next one, with the statements behind a function of numbers.

    With them it is told how many of them were replaced. ``grouped``: the stage before holds the statements of
    each thing as ``s``. Of no more than ``most`` rows are statements about their things looked for.
    """
    cap, cut = p.parameter(MAX_STATEMENTS), ""
    numbers = ", ".join(quote(c, p.names.columns) for c in columns)
    behind, ids, replaced = f"collect(head(s))[..{cap}]", "b", p.parameter(0)
    if bound.kind.form is Form.STATEMENT:
        behind = f"collect({p.property(bound.text, 'id')})[..{cap}]"
        if _has(p, bound.kind.owner, SUPERSEDED):
            replaced = f"count({p.property(bound.text, SUPERSEDED)})"
    elif not grouped:
        behind, ids = few(p, bound.text), of_few(p, p.schema, bound) or p.parameter(())
        cut = f"WITH {numbers}, b, x ORDER BY `count` DESC LIMIT {most} "
    returned = f"RETURN {numbers}, {ids} AS `{STATEMENTS}`, x AS `{REPLACED}`"
    return f", {behind} AS b, {replaced} AS x {cut}{returned}"
