"""Lists in the order of their years: "values of X, newest first"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cypher import form as f
from cypher.normalise import quoted_spans
from cypher.schema_graph import year_attribute
from schemas.graph_schema import GraphSchema

NOT_APPLIED: Final = "The rows are not in the order of years that was asked for."
_BY: Final = r"(?:(?:sorted |ordered |listed )?by (?:publication )?(?:years?|dates?)(?: of publication)?)"
_WAYS: Final = (
    (r"(?:the )?(?:newest|latest|most recent)(?: ones?)?(?: listed| shown)? first", f.Order.NEWEST),
    (r"(?:the )?(?:oldest|earliest)(?: ones?)?(?: listed| shown)? first", f.Order.OLDEST),
    (r"from (?:the )?newest to (?:the )?oldest", f.Order.NEWEST),
    (r"from (?:the )?oldest to (?:the )?newest", f.Order.OLDEST),
    (r"in (?:reverse|descending) (?:chronological )?order(?: of (?:years?|dates?))?", f.Order.NEWEST),
)
_RULES: Final = tuple(
    (re.compile(rf"(?:,? (?:and )?{_BY})?,? (?:with )?\(?{said}\)?(?=\s*[?.!]*$)", re.IGNORECASE), order)
    for said, order in _WAYS
)
_COUNTED_BY: Final = re.compile(
    r"^(?:how many|(?:the |what is the )?number of)\b.*\bby (?:publication )?(?:years?|dates?)", re.IGNORECASE
)
"""A count for each year, which stays one in whatever order."""
_FREE: Final = frozenset({f.Order.PLAIN, f.Order.NEWEST, f.Order.OLDEST})


def split_order(text: str) -> tuple[str, f.Order]:
    """The question without the order of years that it asks for at its end, and the order.

    >>> split_order("values of the W mass by year, newest first")
    ('values of the W mass', <Order.NEWEST: 'newest'>)
    >>> split_order("Which papers came first?")
    ('Which papers came first?', <Order.PLAIN: 'plain'>)
    >>> split_order("How many papers by year, newest first?")
    ('How many papers by year?', <Order.NEWEST: 'newest'>)
    """
    for rule, order in () if quoted_spans(text) else _RULES:
        found = rule.search(text)
        if found is not None and found.start() > 0:
            by = _COUNTED_BY.match(text, 0, found.end())
            kept = by[0] if by else text[: found.start()]
            return f"{kept}{text[found.end() :]}", order
    return text, f.Order.PLAIN


def ordered(form: f.Form, order: f.Order, schema: GraphSchema) -> f.Form | None:
    """A form of a list in an order of years; ``None`` where it is no list of what has a year."""
    year = year_attribute(schema)
    head = form.head
    if year is None or not isinstance(head, f.Entities | f.Statements) or head.only_first:
        return None
    if isinstance(head, f.Entities):
        dated = form.node(head.var).type == year[0]
    else:
        dated = any(n.type == year[0] for n in form.nodes)
    return replace(form, head=replace(head, order=order)) if dated and head.order in _FREE else None
