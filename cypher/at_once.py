"""Conditions that nothing can meet at once: a year that is 2013 and 2021."""

from __future__ import annotations

import math

from cypher import form as f

_LOWEST = frozenset({f.Op.IS, f.Op.AT_LEAST, f.Op.ABOVE})
_HIGHEST = frozenset({f.Op.IS, f.Op.AT_MOST, f.Op.BELOW})


def impossible(form: f.Form) -> str:
    """What two conditions ask of one thing that has but one such number; empty where nothing contradicts.

    >>> from cypher.form import Condition, Form, Node, Op
    >>> years = (Condition("p", "year", Op.IS, 2013, "2013"), Condition("p", "year", Op.IS, 2021, "2021"))
    >>> impossible(Form("related", (Node("p", "paper"),), (), years, f.Entities("p")))
    'The year of one paper cannot be both 2013 and 2021; ask for one, or say "both ... and ...".'
    """
    lowest: dict[tuple[str, str], f.Condition] = {}
    highest: dict[tuple[str, str], f.Condition] = {}
    for c in form.conditions:
        if c.optional or c.units or isinstance(c.value, bool) or not isinstance(c.value, int | float):
            continue
        place = c.var, c.attribute
        if c.op in _LOWEST and c.value > _number(lowest.get(place), -math.inf):
            lowest[place] = c
        if c.op in _HIGHEST and c.value < _number(highest.get(place), math.inf):
            highest[place] = c
    for place, low in lowest.items():
        high = highest.get(place)
        if high is not None and _number(low, 0.0) > _number(high, 0.0):
            return _said(form, high, low)
    return ""


def _number(condition: f.Condition | None, otherwise: float) -> float:
    found = condition.value if condition is not None else None
    return float(found) if isinstance(found, int | float) else otherwise


def _said(form: f.Form, high: f.Condition, low: f.Condition) -> str:
    name = high.attribute.replace("_", " ")
    of = "" if form.is_edge(high.var) else f" of one {form.node(high.var).type.replace('_', ' ')}"
    both = f"{_bound(high)} and {_bound(low)}"
    return f'The {name}{of} cannot be both {both}; ask for one, or say "both ... and ...".'


def _bound(condition: f.Condition) -> str:
    how = {f.Op.AT_LEAST: "at least ", f.Op.AT_MOST: "at most ", f.Op.ABOVE: "above ", f.Op.BELOW: "below "}
    return f"{how.get(condition.op, '')}{condition.shown or condition.value}"
