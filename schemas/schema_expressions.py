"""Where a graph schema holds regular expressions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
_EXPRESSIONS = (
    *("near", "cues", "closing", "headings", "heads", "reject", "skip_rows", "announce", "own"),
    *("exclude", "exclude_after", "sections", "tables", "exclude_tables"),
)
"""Fields of rules that hold expressions."""


def expressions_of(schema: Any) -> Iterator[tuple[Path, str]]:
    """Every expression with its place in a ``GraphSchema``, which is not imported here: it imports this."""
    for field in ("entities", "relations"):
        for index, item in enumerate(getattr(schema, field)):
            for at, attribute in enumerate(item.attributes):
                yield (field, index, "attributes", at, "pattern"), attribute.pattern
    yield from ((("passages", at), passage) for at, passage in enumerate(schema.passages))
    for index, rule in enumerate(schema.rules):
        yield from ((("rules", index, *path), pattern) for path, pattern in _rule_patterns(rule))


def _rule_patterns(rule: Any) -> Iterator[tuple[Path, str]]:
    for field in _EXPRESSIONS:
        yield from (((field, at), expression) for at, expression in enumerate(getattr(rule, field, ())))
    if rule.kind == "pattern":
        yield ("pattern",), rule.pattern
    if rule.kind == "document":
        yield from (
            (("attributes", at, "pattern"), found.pattern) for at, found in enumerate(rule.attributes)
        )
    for field in ("terms", "observables"):
        for at, term in enumerate(getattr(rule, field, ())):
            yield from (((field, at, "forms", n), form) for n, form in enumerate(term.forms))
            yield (field, at, "followed_by"), term.followed_by
