"""The latest or earliest year of which all things are listed, as a condition of a form."""

from __future__ import annotations

from dataclasses import replace

from cypher import form as f
from cypher.schema_graph import year_attribute
from cypher.table import Table
from schemas.graph_schema import GraphSchema


def of_first_year(form: f.Form, shown: Table, schema: GraphSchema) -> f.Form:
    """The form with the year of the rows as a condition, where only those of the first year are listed."""
    found = year_attribute(schema)
    if not (isinstance(form.head, f.Entities | f.Statements) and form.head.only_first) or found is None:
        return form
    owner, attribute = found
    var = next((n.var for n in form.nodes if n.type == owner), "")
    if not var or attribute not in shown.columns or not shown.rows:
        return form
    year = shown.rows[0][shown.columns.index(attribute)]
    if not isinstance(year, int):
        return replace(form, conditions=(*form.conditions, f.Condition(var, attribute, f.Op.UNKNOWN)))
    only = f.Condition(var, attribute, f.Op.IS, year, str(year))
    return replace(form, conditions=(*form.conditions, only))
