"""Graph schemas from YAML: the packaged catalogue and users' own files, with errors at file and line."""

from __future__ import annotations

import math
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from schemas.canonicalization_rules import Canonicalization
from schemas.errors import SchemaError
from schemas.graph_schema import (
    AttributePattern,
    AttributeType,
    DocumentRule,
    EntityType,
    GraphSchema,
    RelationType,
    Rule,
    Term,
)
from schemas.ids import canonical_json
from schemas.yaml_nodes import MOST_BYTES, line_of, parse_yaml

_RULES: Mapping[str, type[BaseModel]] = {
    get_args(model.model_fields["kind"].annotation)[0]: model for model in get_args(get_args(Rule)[0])
}
_MODELS: Mapping[str, type[BaseModel]] = {
    "entities": EntityType,
    "relations": RelationType,
    "attributes": AttributeType,
    "terms": Term,
    "observables": Term,
    "canonicalization": Canonicalization,
}


def catalog_names() -> tuple[str, ...]:
    """Names of the packaged schemas, sorted.

    >>> catalog_names()
    ('biomedical', 'logbook', 'particle_physics')
    """
    folder = resources.files("schemas.catalog")
    return tuple(sorted(f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name.endswith(".yaml")))


def load_schema(source: str | Path) -> GraphSchema:
    """The schema of that catalogue name, or of that YAML file.

    Raises ``SchemaError`` with file and line (from 1) of the first mistake: what was expected, what
    was found, and the nearest allowed key or name. Further mistakes are listed in its message.

    >>> load_schema("particle_physics").document_type
    'paper'
    """
    if isinstance(source, str) and source in catalog_names():
        file = resources.files("schemas.catalog") / f"{source}.yaml"
        return parse_schema(file.read_text(encoding="utf-8"), file=f"{source}.yaml")
    path = Path(source)
    try:
        if path.is_file() and path.stat().st_size > MOST_BYTES:
            raise SchemaError(f"expected at most {MOST_BYTES} bytes; split the schema", file=str(path))
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as e:
        raise SchemaError(_not_readable(source, e), file=str(source)) from e
    return parse_schema(text, file=str(path))


@lru_cache(maxsize=16)
def parse_schema(text: str, *, file: str = "") -> GraphSchema:
    """The schema written in ``text``; ``file`` is for the error's place only.

    One process reads a text once: schemas cannot be changed, so all callers share it.
    """
    node, value = parse_yaml(text, file=file)
    if not isinstance(value, dict):
        raise SchemaError(
            f"expected a mapping with name, version, entities and relations, found {_shown(value)}",
            file=file,
            line=1,
        )
    try:
        return GraphSchema.model_validate_json(canonical_json(_plain(value)))
    except ValidationError as e:
        # An unknown key often explains a missing one: it comes first.
        faults = sorted((x["type"] == "missing", line_of(node, _path(x)), _message(x)) for x in e.errors())
        (_, line, message), more = faults[0], faults[1:]
        tail = "".join(f"\nalso line {at}: {text}" for _, at, text in more[:9])
        raise SchemaError(message + tail, file=file, line=line) from e


def schema_json() -> str:
    """JSON Schema (2020-12) of a schema file, for editors.

    >>> '"title":"GraphSchema"' in schema_json()
    True
    """
    return canonical_json(GraphSchema.model_json_schema())


def _not_readable(source: str | Path, error: Exception) -> str:
    names = catalog_names()
    near = get_close_matches(str(source), names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return (
        f"expected a catalogue name ({', '.join(names)}) or a readable UTF-8 YAML file, "
        f"found {str(source)!r}, which {_why_not(error)}{hint}"
    )


def _why_not(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "is neither: there is no such file"
    if isinstance(error, UnicodeDecodeError):
        return "is not UTF-8: save it as UTF-8"
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read: {error.strerror}"
    return f"cannot be read: {error}"


def _plain(value: Any) -> Any:
    """YAML's dates and keys become text, so that the type checks below name them as found."""
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _path(error: Any) -> tuple[str | int, ...]:
    path = error.get("ctx", {}).get("path") if error["type"] == "graph_schema" else None
    return tuple(path) if path is not None else tuple(error["loc"])


def _message(error: Any) -> str:
    where = ".".join(str(step) for step in _path(error))
    if error["type"] == "graph_schema":
        return str(error["msg"])
    if error["type"] == "extra_forbidden":
        return _unknown_key(error)
    if error["type"] == "missing":
        return f"expected the key {error['loc'][-1]!r}, found none: add it ({where})"
    if error["type"] in {"union_tag_invalid", "union_tag_not_found"}:
        return _unknown_kind(error)
    expected = str(error["msg"])
    expected = expected[:1].lower() + expected[1:]
    return f"{where}: {expected}; found {_shown(error['input'])}{_near_literal(error)}"


def _unknown_key(error: Any) -> str:
    key = str(error["loc"][-1])
    allowed = tuple(_model(error["loc"][:-1]).model_fields)
    near = get_close_matches(key, allowed, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "remove it"
    return f"expected one of the keys {', '.join(allowed)}; found {key!r}: {hint}"


def _unknown_kind(error: Any) -> str:
    found = error["input"].get("kind") if isinstance(error["input"], dict) else error["input"]
    near = get_close_matches(str(found), _RULES, n=1)
    hint = f": did you mean {near[0]!r}?" if near else ""
    return f"expected a rule with kind {', '.join(_RULES)}; found {_shown(found)}{hint}"


def _near_literal(error: Any) -> str:
    if error["type"] != "literal_error":
        return ""
    allowed = [word.strip(" '") for word in str(error["ctx"]["expected"]).replace(" or ", ",").split(",")]
    near = get_close_matches(str(error["input"]), allowed, n=1)
    return f": did you mean {near[0]!r}?" if near else ""


def _model(loc: tuple[str | int, ...]) -> type[BaseModel]:
    if loc[:1] == ("rules",):
        rule = next((_RULES[step] for step in loc if isinstance(step, str) and step in _RULES), DocumentRule)
        if "terms" in loc[2:] or "observables" in loc[2:]:
            return Term
        return AttributePattern if "attributes" in loc[2:] else rule
    named = [step for step in loc if isinstance(step, str) and step in _MODELS]
    return _MODELS[named[-1]] if named else GraphSchema


def _shown(value: Any) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
