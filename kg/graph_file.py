"""DocumentGraph files that people may have written or edited: read with errors at file and line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kg.json_lines import line_of
from schemas.errors import GraphFileError
from schemas.graphs import DocumentGraph

_BROKEN = re.compile(r"Invalid JSON: (?P<what>.*) at line (?P<line>\d{1,9})")
Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class GraphFile:
    """A graph as a file has it, and the way from its items back to lines."""

    path: Path
    text: str
    graph: DocumentGraph

    def fault(self, at: Sequence[str | int], message: str) -> GraphFileError:
        """The error that names the line of the value at ``at``, for example ``("records", 3, "type")``."""
        return GraphFileError(message, file=str(self.path), line=line_of(self.text, at))


def read_graph_file(path: Path) -> GraphFile:
    """The graph in a file.

    Raises ``GraphFileError`` with file and line of the first mistake: broken JSON, an unknown or missing
    key, a wrong type, an id that stands twice, a statement whose end is no record of the file.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        reason = getattr(e, "strerror", None) or "text that is not UTF-8"
        raise GraphFileError(f"expected a readable UTF-8 file, found: {reason}", file=str(path)) from e
    if text.startswith("\ufeff"):
        raise GraphFileError(
            "expected UTF-8 without a byte order mark, found one: save it as plain UTF-8",
            file=str(path),
            line=1,
        )
    try:
        value = json.loads(text)
    except json.JSONDecodeError as e:
        raise GraphFileError(f"expected JSON, found: {e.msg}", file=str(path), line=e.lineno) from e
    except RecursionError as e:
        raise GraphFileError("expected a graph, found JSON nested too deeply", file=str(path)) from e
    except ValueError as e:  # of Python's limit on the digits of an integer
        raise GraphFileError(
            "expected numbers that can be read, found one of thousands of digits", file=str(path)
        ) from e
    fault = next(_faults(value), None)
    if fault is not None:
        raise GraphFileError(fault[1], file=str(path), line=line_of(text, fault[0]))
    try:
        return GraphFile(path, text, DocumentGraph.model_validate_json(text))
    except ValidationError as e:
        # An unknown key often explains a missing one: it comes first.
        first = min(e.errors(), key=lambda error: error["type"] != "extra_forbidden")
        broken = _BROKEN.search(first["msg"]) if first["type"] == "json_invalid" else None
        if broken is not None:
            message = f"expected JSON, found: {broken['what']}"
            raise GraphFileError(message, file=str(path), line=int(broken["line"])) from e
        at = tuple(step for step in first["loc"])
        raise GraphFileError(_message(at, first), file=str(path), line=line_of(text, at)) from e


def graph_file_fault(path: Path) -> GraphFileError | None:
    """What is wrong with a graph file, and how to have it right again; None for nothing."""
    try:
        read_graph_file(path)
    except GraphFileError as e:
        message = f"{e.message}; correct it, or delete the file and `kg extract` makes it anew"
        return GraphFileError(message, file=e.file, line=e.line)
    return None


def _message(at: Place, error: Any) -> str:
    where = ".".join(str(step) for step in at)
    if error["type"] == "extra_forbidden":
        return f"{where} is no key of a graph file: remove it"
    if error["type"] == "missing":
        return f"expected the key {at[-1]!r}, found none: add it ({where})"
    said = str(error["msg"])
    return f"{where}: {said[:1].lower()}{said[1:]}; found {str(error['input'])[:80]!r}"


def _faults(value: Any) -> Iterator[tuple[Place, str]]:
    """What the types cannot say with a place: ids that stand twice, ends that do not exist."""
    if not isinstance(value, dict):
        yield (), f"expected a graph (an object), found {type(value).__name__}"
        return
    records = {key for _, key in _ids(value, "records")}
    for field in ("records", "statements"):
        seen: set[str] = set()
        for index, key in _ids(value, field):
            if key in seen:
                yield (field, index, "id"), f"the id {key!r} stands twice in {field}: give one a new id"
            seen.add(key)
    for end in ("subject", "object"):
        for index, found in _ids(value, "statements", key=end):
            if found not in records:
                yield (
                    ("statements", index, end),
                    f"the {end} {found!r} is the id of no record in this file: "
                    "add the record, or name another",
                )


def _ids(value: Mapping[str, Any], field: str, *, key: str = "id") -> Iterator[tuple[int, str]]:
    """Index and ``key`` of every item of a list that has it as text."""
    items = value.get(field, [])
    for index, item in enumerate(items if isinstance(items, list) else []):
        found = item.get(key) if isinstance(item, dict) else None
        if isinstance(found, str):
            yield index, found
