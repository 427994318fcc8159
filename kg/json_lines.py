"""Where in a JSON text a value stands."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],]|[^\s{}\[\],":]+', re.DOTALL)


@dataclass(slots=True)
class _Level:
    """An open object or array: the key or index that the next value has."""

    is_object: bool
    step: str | int
    wants_key: bool


def line_of(text: str, path: Sequence[str | int]) -> int:
    """Line (from 1) of the value at ``path`` in valid JSON; of the nearest value around it if there is none.

    The line of a member of an object is that of its key.

    >>> text = '{\\n "records": [\\n  {"id": "a"},\\n  {"id":\\n "b"}\\n ]\\n}'
    >>> line_of(text, ("records", 1, "id")), line_of(text, ("records", 1, "name")), line_of(text, ())
    (4, 4, 1)
    """
    best, deepest = 1, 0
    stack: list[_Level] = []
    for found in _TOKEN.finditer(text):
        mark = found.group()
        top = stack[-1] if stack else None
        if top is not None and top.is_object and top.wants_key and mark[0] == '"':
            top.step, top.wants_key = json.loads(mark), False
        elif mark in "}]":
            stack.pop()
            continue
        elif mark == "," and top is not None:
            top.step = top.step + 1 if isinstance(top.step, int) else top.step
            top.wants_key = top.is_object
            continue
        here = [level.step for level in stack]
        if len(here) > deepest and here == list(path[: len(here)]):
            best, deepest = text.count("\n", 0, found.start()) + 1, len(here)
            if deepest == len(path):
                return best
        if mark in "{[" and not (top is not None and top.is_object and top.wants_key):
            stack.append(_Level(mark == "{", "" if mark == "{" else 0, mark == "{"))
    return best
