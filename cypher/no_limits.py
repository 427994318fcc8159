"""Values that are no limits: "measurements of X, without the upper limits", "(no limits)"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cypher import form as f
from cypher.normalise import quoted_spans
from cypher.schema_graph import LIMIT, attribute, valued_relation
from schemas.graph_schema import GraphSchema

_LIMITS: Final = r"(?:upper |lower |upper or lower )?(?:limits?|bounds?)"
_LEFT_OUT: Final = re.compile(
    r",? (?P<open>\()?(?:(?:that|which) (?:are|is) (?:not|no)(?: just| only)?(?: an?)?"
    r"|(?:and |but )?not(?: the)?"
    r"|(?:without|excluding|ignoring|leaving out|not counting|not including|except|no)"
    r"(?: an?| the| any| all)?)"
    rf" {_LIMITS}(?(open)\))"
    r"(?=\s*(?:[,;?.!]|$|(?:newest|oldest|since|before|after|by|from|in)\b))",
    re.IGNORECASE,
)
_NOT_A_LIMIT: Final = re.compile(
    r",? (?:(?:that|which) (?:is|are) (?:not|no)|rather than)(?: just| only| merely)?(?: an?)?"
    rf" {_LIMITS}(?=,? (?:for|of|on)\b|\s*(?:[,;?.!]|$))",
    re.IGNORECASE,
)
_MEASURED: Final = re.compile(
    r"\b(?:values?|measurements?|results?|determinations?|numbers)\b(?!.*\b(?:how many|papers?"
    r"|experiments?)\b)",
    re.IGNORECASE,
)


def split_no_limits(text: str) -> tuple[str, bool]:
    """The question for values without the words that leave limits out, and whether there were any.

    >>> split_no_limits("measurements of the W width, without the upper limits")
    ('measurements of the W width', True)
    >>> split_no_limits("values of BR(B_s0 -> mu+ mu-) that are not limits since 2015")
    ('values of BR(B_s0 -> mu+ mu-) since 2015', True)
    >>> split_no_limits("Which papers have no limits?")
    ('Which papers have no limits?', False)
    """
    if quoted_spans(text) or not _MEASURED.search(text):
        return text, False
    plain, found = _LEFT_OUT.subn("", text, count=1)
    if not found:
        plain, found = _NOT_A_LIMIT.subn("", text, count=1)
    return plain, bool(found)


def limits_left_out(form: f.Form | None, schema: GraphSchema) -> f.Form | None:
    """A form for measured values, or for who measured one, with the condition that they are no limits.

    None where the form has no such value, or several, or speaks of limits itself.
    """
    valued = valued_relation(schema)
    if form is None or valued is None or attribute(valued, LIMIT) is None:
        return None
    if any(c.attribute == LIMIT for c in form.conditions):
        return None
    edges = [e.var for e in form.edges if e.relation == valued.name]
    if isinstance(form.head, f.Statements):
        edges = [form.head.edge]
    if len(edges) != 1:
        return None
    none = f.Condition(edges[0], LIMIT, f.Op.UNKNOWN)
    return replace(form, conditions=(*form.conditions, none))
