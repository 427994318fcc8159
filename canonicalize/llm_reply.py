"""A chat model's reply about candidates, as verdicts. Nothing in it is trusted.

What cannot be used is told per candidate, without repeating the reply: the words go back to the model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from canonicalize.judge import Candidate, Note, Unsure, Verdict
from schemas.prompts import one_line

LARGEST_REPLY: Final = 400_000
"""Characters."""
LONGEST_NAME: Final = 200
LONGEST_TEXT: Final = 1_000


@dataclass(slots=True)
class Read:
    """Verdicts by number of the candidate, and what is wrong with the others."""

    verdicts: dict[int, Verdict] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)


class _UnusableError(Exception):
    """Why something in a reply cannot be used; never leaves this module."""


def read_reply(text: str, candidates: Sequence[Candidate]) -> Read:
    """What ``text`` says of each candidate; each has a verdict or a problem.

    Usable is an object with one item per cluster, whose groups hold every member's number exactly once.
    """
    found = Read()
    try:
        items = _items(text)
    except _UnusableError as e:
        found.problems = dict.fromkeys(range(len(candidates)), str(e))
        return found
    for at, candidate in enumerate(candidates):
        said = [i for i in items if isinstance(i, Mapping) and _number(i.get("cluster")) == at + 1]
        if len(said) != 1:
            found.problems[at] = f"expected one item for cluster {at + 1}, found {len(said)}"
            continue
        try:
            found.verdicts[at] = _verdict(said[0].get("groups"), len(candidate.members), at + 1)
        except _UnusableError as e:
            found.problems[at] = str(e)
    return found


def _items(text: str) -> list[Any]:
    if len(text) > LARGEST_REPLY:
        raise _UnusableError(f"expected at most {LARGEST_REPLY} characters, found {len(text)}")
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise _UnusableError("expected one JSON object, found none")
    try:
        data = json.loads(text[start : end + 1], object_pairs_hook=_once)
    except (ValueError, RecursionError) as e:
        raise _UnusableError("expected one JSON object, found text that is not valid JSON") from e
    items = data.get("clusters") if isinstance(data, Mapping) else None
    if not isinstance(items, list):
        raise _UnusableError("expected a list under 'clusters'")
    return items


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has a key twice")
    return found


def _verdict(groups: object, members: int, cluster: int) -> Verdict:
    if not isinstance(groups, list) or not all(isinstance(g, Mapping) for g in groups):
        raise _UnusableError(f"cluster {cluster}: expected a list of groups")
    numbers = [_members(g, members, cluster) for g in groups]
    named = [n for group in numbers for n in group]
    if len(set(named)) != len(named):
        raise _UnusableError(f"cluster {cluster}: an entry is in two groups")
    if len(named) != members:
        missing = min(set(range(members)) - set(named)) + 1
        raise _UnusableError(f"cluster {cluster}: entry {missing} is in no group")
    several = [(n, g) for n, g in zip(numbers, groups, strict=True) if len(n) > 1]
    if any(not isinstance(g.get("sure"), bool) for _, g in several):
        raise _UnusableError(f"cluster {cluster}: expected true or false under 'sure'")
    sure = [(n, g) for n, g in several if g["sure"]]
    return Verdict(
        groups=tuple(n for n, _ in sure),
        notes=tuple(_note(g) for _, g in sure),
        unsure=tuple(
            Unsure(members=n, reason=_text(g, "reason", LONGEST_TEXT) or "the model is not sure")
            for n, g in several
            if not g["sure"]
        ),
    )


def _members(group: Mapping[str, Any], members: int, cluster: int) -> tuple[int, ...]:
    found = group.get("members")
    if not isinstance(found, list) or not found:
        raise _UnusableError(f"cluster {cluster}: expected entry numbers under 'members'")
    numbers = [_number(n) for n in found]
    if any(n is None or not 1 <= n <= members for n in numbers):
        raise _UnusableError(f"cluster {cluster}: its entries have the numbers 1 to {members}, found another")
    return tuple(sorted(n - 1 for n in numbers if n is not None))


def _number(value: object) -> int | None:
    return value if type(value) is int else None


def _note(group: Mapping[str, Any]) -> Note:
    return Note(
        reason=_text(group, "reason", LONGEST_TEXT),
        name=_text(group, "name", LONGEST_NAME),
        description=_text(group, "description", LONGEST_TEXT),
    )


def _text(group: Mapping[str, Any], key: str, longest: int) -> str:
    value = group.get(key)
    return one_line(value, longest) if isinstance(value, str) else ""
