"""Questions for both ends of a relation: "which methods estimate which sources" asks for pairs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cypher import form as f

_BOTH: Final = re.compile(
    r"^\W*(?:which|what)\b.*?\b(?:which|what) (?!is\b|are\b|was\b|were\b|has\b|have\b)\w+", re.IGNORECASE
)


def both_ends(question: str, form: f.Form) -> f.Form:
    """The form for the statements themselves, each with both its ends, where both are asked for.

    >>> one = f.Edge("r0", "ESTIMATES", "n0", "n1")
    >>> nodes = (f.Node("n0", "method"), f.Node("n1", "source"))
    >>> asked = f.Form("related", nodes, (one,), (), f.Entities("n0"))
    >>> both_ends("Which methods estimate which sources?", asked).head
    Statements(edge='r0', order=<Order.PLAIN: 'plain'>, only_first=False, limit=0, expected=())
    >>> both_ends("Which methods estimate sources?", asked) is asked
    True
    """
    plain = isinstance(form.head, f.Entities) and not form.head.only_first and len(form.edges) == 1
    if not plain or not _BOTH.search(question):
        return form
    return replace(form, head=f.Statements(form.edges[0].var))
