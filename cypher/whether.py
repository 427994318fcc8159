"""Questions that want a yes or a no beside what is listed: "Is any value of X above 20?"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from cypher import form as f

_WHETHER: Final = re.compile(
    r"^(?:is|are|was|were|does|do|did|has|have|had) (?:there\b|any\b)", re.IGNORECASE
)
_SO: Final = re.compile(r"^Yes, (?P<so>\d+) statements? says? so")


def of_all(form: f.Form, text: str, count: Callable[[f.Form], int]) -> str:
    """The text with how many of all measured values are so: they may not agree.

    ``count`` counts what a form finds, 0 where it cannot be told.

    >>> edge, bound = f.Edge("r0", "determines", "n0", "n1"), f.Condition("r0", "value", f.Op.ABOVE, 70)
    >>> form = f.Form("check", (), (edge,), (bound,), f.Statements("r0"))
    >>> of_all(form, "Yes, 13 statements say so: A.", lambda _: 23)
    '13 of 23 statements say so, the others do not: A.'
    >>> of_all(form, "Yes, 2 statements say so: A.", lambda _: 2)
    'Yes, all 2 statements say so: A.'
    """
    told = _SO.match(text)
    bounds = [c for c in form.conditions if c.op in f.COMPARISONS and form.is_edge(c.var)]
    if told is None or form.shape != "check" or not bounds:
        return text
    so = int(told["so"])
    there = count(replace(form, conditions=tuple(c for c in form.conditions if c not in bounds)))
    if there <= 1 or so > there:
        return text
    said = f"Yes, all {so} statements say so" if so == there else f"{so} of {there} statements say so"
    return f"{said}{', the others do not' if so < there else ''}{text[told.end() :]}"


def said_first(question: str, form: f.Form, text: str, *, found: bool) -> str:
    """The answer's text with a yes or a no in front, where the question asks whether there is such a thing.

    >>> from cypher.form import Form, Statements
    >>> form = Form("values", (), (), (), Statements("r0"))
    >>> said_first("Is any value above 20?", form, "1 value of X.", found=True)
    'Yes: 1 value of X.'
    >>> said_first("Which values are above 20?", form, "1 value of X.", found=True)
    '1 value of X.'
    """
    listed = isinstance(form.head, f.Entities | f.Statements) and form.shape != "check"
    if not (listed and _WHETHER.match(" ".join(question.split()))):
        return text
    return f"{'Yes' if found else 'No'}: {text if found else text[:1].lower() + text[1:]}"
