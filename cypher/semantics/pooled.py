"""Answers that are values of properties, each counted over all things that have it."""

from __future__ import annotations

from collections.abc import Callable

from cypher.semantics.ir import PropertyRef, Query


def kept(query: Query, plain: Callable[[PropertyRef], str]) -> list[str]:
    """What a count is told apart by: the values asked for, or else the things themselves."""
    if query.pooled:
        return [f"{plain(r)} AS value{i}" for i, r in enumerate(query.project)]
    owners = (r.owner for r in query.project if not r.on_edge)
    return [f"n{i}" for i in dict.fromkeys([query.answer, *owners])]


def columns(query: Query) -> list[tuple[str, str]]:
    """Names and values of what :func:`kept` told apart."""
    return [(r.name, f"value{i}") for i, r in enumerate(query.project)]


def known(query: Query, plain: Callable[[PropertyRef], str]) -> list[str]:
    """Conditions that there is a value."""
    return [f"{plain(r)} IS NOT NULL" for r in query.project] if query.pooled else []
