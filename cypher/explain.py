"""A form in English: what the query does, written from the form and never from the question."""

from __future__ import annotations

from collections import Counter

from cypher import form as f
from cypher.schema_graph import LIMIT, SUPERSEDED
from schemas.graph_schema import GraphSchema

_MARKS = {
    (LIMIT, f.Op.KNOWN): "the value is a limit",
    (LIMIT, f.Op.UNKNOWN): "the value is not a limit",
    (SUPERSEDED, f.Op.KNOWN): "the value was replaced by a later paper",
    (SUPERSEDED, f.Op.UNKNOWN): "the value was not replaced by a later paper",
}
"""What it means that a statement has, or lacks, an attribute with a role."""


def plural(noun: str) -> str:
    """An English plural; a plural stays as it is.

    >>> plural("decay"), plural("category"), plural("analysis"), plural("children")
    ('decays', 'categories', 'analyses', 'children')
    """
    if noun.endswith("children"):
        return noun
    if noun.endswith("is"):
        return noun[:-2] + "es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch")) else "s")


def one(noun: str) -> str:
    """A noun with its article.

    >>> one("uncertainty source"), one("paper")
    ('an uncertainty source', 'a paper')
    """
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def type_word(schema: GraphSchema, name: str) -> str:
    """How people name an entity type."""
    return next(iter(schema.entity(name).verbalisations), name.replace("_", " "))


def _words(name: str) -> str:
    return name.replace("_", " ")


def condition(form: f.Form, c: f.Condition) -> str:
    """ "the year of the paper is 2022"."""
    if form.is_edge(c.var):
        known = _MARKS.get((c.attribute, c.op))
        if known:
            return known
        if c.op is f.Op.NAMES:
            return f"the value was replaced by {c.shown}"
        edge = form.edge(c.var)
        ends = [_words(form.node(v).type) for v in (edge.start, edge.end)]
        owner = f"the statement '{ends[0]} {_words(edge.relation)} {ends[1]}'"
    else:
        owner = f"the {_words(form.node(c.var).type)}"
    if c.attribute == "id":
        return f"{owner} is {c.shown}"
    either = f" or the {_words(c.otherwise)}" if c.otherwise else ""
    text = f"the {_words(c.attribute)}{either} of {owner} {_verb(c)}"
    return f"{text} {c.shown}" if c.shown else text


def _verb(c: f.Condition) -> str:
    several = isinstance(c.value, tuple) and c.op is f.Op.ONE_OF
    return "is" if several else c.op.value


def explain(form: f.Form, schema: GraphSchema) -> str:
    """One or two sentences that say which facts were looked for."""
    sentences = [_head(form, schema)]
    parts = [
        f"{_words(form.node(e.start).type)} {e.relation.upper()} {_words(form.node(e.end).type)}"
        for e in form.edges
    ]
    if parts:
        sentences.append("Pattern: " + "; ".join(parts))
    given = [
        condition(form, c) + (f" ({times} times)" if times > 1 else "")
        for c, times in Counter(form.conditions).items()
    ]
    if given:
        sentences.append("Conditions: " + "; ".join(given))
    if form.same_document:
        sentences.append("The statements of a path are made by one document")
    return ". ".join(sentences) + "."


def _head(form: f.Form, schema: GraphSchema) -> str:
    head = form.head
    match head:
        case f.Entities(var, order, only_first):
            end = "latest" if order is f.Order.NEWEST else "earliest"
            kept = f" of the {end} year" if only_first else ""
            way = "" if only_first or order is f.Order.PLAIN else f", {order.value} first"
            return f"Lists {plural(type_word(schema, form.node(var).type))}{kept}{way}"
        case f.Count(var):
            return f"Counts {_counted(form, schema, var)}"
        case f.CountBy(var, by, attribute):
            key = _words(attribute) if attribute else type_word(schema, form.node(by).type)
            return f"Counts {_counted(form, schema, var)} for each {key}"
        case f.Top(var, counted):
            root = plural(type_word(schema, form.node(var).type))
            return f"Orders {root} by the number of distinct {_counted(form, schema, counted)}"
        case f.Statements(edge, order, only_first):
            how = {
                f.Order.PLAIN: "",
                f.Order.NEWEST: ", newest first" + (", and keeps the latest year" if only_first else ""),
                f.Order.OLDEST: ", oldest first" + (", and keeps the earliest year" if only_first else ""),
                f.Order.STRONGEST: ", strongest first (by ranking, then by magnitude)"
                + (
                    ", and keeps the largest, or where sizes cannot be compared each document's"
                    if only_first
                    else ""
                ),
                f.Order.BY_OBJECT: ", by quantity, newest first",
            }[order]
            return f"Lists the {form.edge(edge).relation.upper()} statements{how}"
        case f.Precise():
            return "Finds the statement with the smallest total error for each observable, unit and column"
        case f.Tightest(lower=lower):
            which = "highest lower" if lower else "lowest upper"
            return f"Finds the {which} limit for each observable, unit, column and confidence level"
        case f.Gathered(edge, _, beside):
            names = " and ".join(plural(_words(kind)) for _, kind in beside)
            return (
                f"Lists what the {form.edge(edge).relation.upper()} statements tell, each once, strongest "
                f"first (by mean ranking, then by magnitude), with the {names} of the same documents"
            )
        case f.AttributesOf(var, attributes):
            parts = {f"{a}_{part}" for a in attributes for part in ("text", "unit", "kind")}
            shown = ", ".join(_words(a) for a in attributes if a not in parts)
            return f"Shows {shown} of the {type_word(schema, form.node(var).type)}"
        case f.Compare(counted, by):
            return f"Counts {_counted(form, schema, counted)} for each named {_words(form.node(by).type)}"
        case f.AllHave(var, _, attribute):
            root = plural(type_word(schema, form.node(var).type))
            return f"Lists {root} all of whose statements have {_words(attribute)} set"
        case _:
            return "Looks up names"


def _counted(form: f.Form, schema: GraphSchema, var: str) -> str:
    if form.is_edge(var):
        return f"{form.edge(var).relation.upper()} statements"
    return plural(type_word(schema, form.node(var).type))
