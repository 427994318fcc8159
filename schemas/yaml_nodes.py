"""YAML with line numbers: the safe subset that schema files may use, refused early and with the line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from schemas.errors import SchemaError

MOST_BYTES = 1_000_000
DEEPEST = 32
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: str, *, file: str) -> tuple[yaml.Node, Any]:
    """The node tree, with marks, and the plain value of one YAML document.

    Refuses, with ``SchemaError`` at file and line: broken YAML, more than :data:`MOST_BYTES` bytes,
    nesting beyond :data:`DEEPEST`, anchors and aliases (they can expand without bound), tags, and a
    key that stands twice in one mapping.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise SchemaError(f"expected at most {MOST_BYTES} bytes, found {size}; split the schema", file=file)
    try:
        _check_events(text, file)
        return _composed(text, file)
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        line = mark.line + 1 if mark else None
        raise SchemaError(f"expected YAML, found {_fault(e, text)}", file=file, line=line) from e
    except yaml.reader.ReaderError as e:
        at, line = int(e.position), text.count("\n", 0, int(e.position)) + 1
        said = f"the control character {ord(text[at])}" if at < len(text) else "a control character"
        raise SchemaError(f"expected YAML, found {said}: remove it", file=file, line=line) from e
    except (yaml.YAMLError, ValueError) as e:
        raise SchemaError(f"expected YAML, found what it cannot hold: {e}", file=file) from e


def _composed(text: str, file: str) -> tuple[yaml.Node, Any]:
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise SchemaError("expected a schema, found an empty file", file=file, line=1)
        _check_keys(node, file)
        return node, loader.construct_document(node)
    finally:
        loader.dispose()


_FAULTS = {
    "mapping values are not allowed in this context": (
        "a second key on the line, or one that is indented otherwise than its neighbours: put text with a "
        "colon in quotes, and align keys"
    ),
    "did not find expected ',' or ']'": "a list that begins with [ and is not closed by ]",
    "did not find expected ',' or '}'": "a mapping that begins with { and is not closed by }",
    "did not find expected '-' indicator": "a line without - in a list of lines that begin with -",
    "did not find expected key": "a line that is indented otherwise than its neighbours",
    "could not find expected ':'": "a key without a colon after it",
    "found unexpected end of stream": "a quoted text that is not closed",
    "found unknown escape character": "a backslash in a text in double quotes: use single quotes",
}
"""libyaml's problems, and what they mean in a schema file."""


def _fault(error: yaml.MarkedYAMLError, text: str) -> str:
    problem = str(error.problem or error.context)
    mark = error.problem_mark
    if "tab character" in problem:
        return "a tab: indent with spaces"
    if "cannot start any token" in problem and mark is not None:
        line = text.splitlines()[mark.line : mark.line + 1]
        sign = line[0][mark.column : mark.column + 1] if line else ""
        if sign == "\t":
            return "a tab: indent with spaces"
        return f"a value that begins with {sign}: put it in quotes"
    return _FAULTS.get(problem, problem)


def _check_events(text: str, file: str) -> None:
    depth = 0
    events: Iterator[Any] = yaml.parse(text, Loader=_Loader)
    for event in events:
        line = event.start_mark.line + 1
        if getattr(event, "anchor", None) is not None:
            raise SchemaError(
                "anchors and aliases are not allowed: write the value out", file=file, line=line
            )
        if getattr(event, "tag", None) is not None:
            raise SchemaError(
                f"the tag {event.tag!r} is not allowed: write a plain value", file=file, line=line
            )
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            raise SchemaError(f"expected at most {DEEPEST} levels of nesting", file=file, line=line)


def _check_keys(node: yaml.Node, file: str) -> None:
    if isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise SchemaError("expected a name as key, found a list or mapping", file=file, line=line)
            if key.value in seen:
                first = seen[key.value]
                raise SchemaError(
                    f"the key {key.value!r} stands twice in one mapping (first on line {first}): remove one",
                    file=file,
                    line=line,
                )
            seen[key.value] = line
            _check_keys(value, file)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _check_keys(item, file)


def line_of(node: yaml.Node, path: Sequence[str | int]) -> int:
    """Line (from 1) of the deepest node that ``path`` reaches; steps that lead nowhere are passed over.

    The last step of a path may be a key: then the line is the key's.
    """
    line = node.start_mark.line + 1
    for step in path:
        found = _child(node, step)
        if found is None:
            continue
        line, node = found
    return line


def _child(node: yaml.Node, step: str | int) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == step:
                return key.start_mark.line + 1, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and 0 <= step < len(node.value):
        item = node.value[step]
        return item.start_mark.line + 1, item
    return None
