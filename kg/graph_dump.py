"""How a DocumentGraph file is written: for readers, for ``git diff`` and for publishing with the paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from schemas.graphs import DocumentGraph


def dump_graph(graph: DocumentGraph) -> bytes:
    """JSON with one field a line, in the order in which a reader wants them, ending in a line break.

    What a field says first stands first (id, type, name); each attribute, quote and rejection has a line of
    its own, so that ``git diff`` shows just what changed; defaults are left out. The same graph gives the
    same bytes.

    >>> from schemas.ids import DocumentKey
    >>> empty = DocumentGraph(
    ...     document=DocumentKey("a"), version="v", schema_name="s", schema_version="1", run_id="r"
    ... )
    >>> dump_graph(empty).decode().splitlines()[:3]
    ['{', '  "document": "a",', '  "version": "v",']
    """
    value = graph.model_dump(mode="json", exclude_defaults=True)
    fields = []
    for key, content in value.items():
        if key in {"records", "statements"}:
            items = ",\n".join(_item(item) for item in content)
            fields.append(f'  "{key}": [\n{items}\n  ]')
        elif key == "rejections":
            fields.append(_lines(key, (_json(item) for item in content), "  ", "[]"))
        else:
            fields.append(f'  "{key}": {_json(content)}')
    return ("{\n" + ",\n".join(fields) + "\n}\n").encode()


def _item(item: Mapping[str, Any]) -> str:
    fields = []
    for key, content in item.items():
        if key == "evidence" and content:
            fields.append(_lines(key, (_json(quote) for quote in content), "      ", "[]"))
        elif key == "attributes" and content:
            pairs = (f"{_json(name)}: {_json(content[name])}" for name in sorted(content))
            fields.append(_lines(key, pairs, "      ", "{}"))
        else:
            fields.append(f'      "{key}": {_json(content)}')
    return "    {\n" + ",\n".join(fields) + "\n    }"


def _lines(key: str, parts: Iterator[str], indent: str, brackets: str) -> str:
    """A list or object with a line for each part."""
    inner = f",\n{indent}  ".join(parts)
    return f'{indent}"{key}": {brackets[0]}\n{indent}  {inner}\n{indent}{brackets[1]}'


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
