"""A model's reply as drafts: JSON found, refs resolved, values in their declared types.

Nothing here is trusted: whether quotes are in the text and values fit the schema is decided by
:mod:`extraction.evidence` afterwards. Every size is bounded, so that no reply takes more than moderate
time and memory. A reply that cannot be used at all is a ``ChatError`` whose text says why without
repeating the reply (it goes back to the model as an instruction), never an empty extraction.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from reprlib import Repr
from typing import Any, NoReturn

from extraction.prompts.reply_schema import DOCUMENT_REF, Stage, asked_attributes, document_attributes
from schemas.errors import ChatError
from schemas.graph_schema import AttributeType
from schemas.graphs import DraftRecord, DraftStatement, Extraction, Rejection
from schemas.model import AttributeValue

LARGEST_REPLY = 400_000
"""Characters."""
MOST_ITEMS = 1_000
"""Entities and relations of one reply that are read; a reply of 8,192 tokens has room for about 200."""
MOST_TEXTS = 20
"""Quotes or aliases of one item."""
MOST_REJECTIONS = 200
"""Of one reply that are told one by one."""
LONGEST_TEXT = 2_000
"""Characters of a name, a ref, a description or an alias."""
LONGEST_QUOTE = 10_000
_LARGEST_INTEGER = 2.0**53
"""Beyond it a JSON number is not exact."""
_HIDDEN = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Control characters that are no white space, and those that turn the direction of writing."""
_SHOWN = Repr()
_SHOWN.maxlevel, _SHOWN.maxdict, _SHOWN.maxlist, _SHOWN.maxstring, _SHOWN.maxother = 3, 8, 8, 120, 120
LLM_CONFIDENCE = 0.7
"""Of every draft: below a rule's exact match, so that a rule's attribute wins."""


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """What a reply is read against."""

    extractor: str
    stage: Stage
    document_name: str = ""
    """Name of the document's own record; needed when the stage describes it."""
    document_quote: str = ""
    """Words of the document that show it exists: its title."""
    known: Mapping[str, str] = field(default_factory=dict)
    """Refs that the prompt listed -> refs of the drafts behind them."""
    prefix: str = ""
    """Put before each new ref, so that the replies of one document do not clash."""


def parse(reply: str, context: ReplyContext) -> Extraction:
    """The drafts of one reply; single unusable items become rejections.

    Raises ``ChatError`` when the reply holds no JSON object, misses its lists, or no item is usable.
    """
    data = json_object(reply)
    build = _Build(context)
    if context.stage.document is not None:
        build.document(_member(data, DOCUMENT_REF, {}))
    groups = _member(data, "entities", None)
    for entity in context.stage.entities:
        for item in build.within(_items(groups, entity.name, "entities")):
            build.record(entity.name, asked_attributes(entity), item)
    build.unknown(groups, [e.name for e in context.stage.entities])
    groups = _member(data, "relations", {})
    for relation in context.stage.relations:
        for item in build.within(_items(groups, relation.name, "relations")):
            build.statement(relation.name, relation.attributes, item)
    build.unknown(groups, [r.name for r in context.stage.relations])
    proposed = [r for r in build.rejections if r.code in _FAULTS]
    if proposed and not (build.records or build.statements):
        kinds = ", ".join(sorted({_FAULTS[r.code] for r in proposed}))
        raise ChatError(f"none of its items can be used: {kinds}")
    return Extraction(
        extractor=context.extractor,
        records=tuple(build.records),
        statements=tuple(build.statements),
        rejections=build.told(),
    )


_FAULTS = {
    "bad_item": "an entity that is no object with a ref and a name, or a relation that is no object",
    "unknown_type": "types other than those of the schema",
}


@dataclass(slots=True)
class _Build:
    context: ReplyContext
    items: int = 0
    refused: int = 0
    refs: dict[str, str] = field(default_factory=dict)
    records: list[DraftRecord] = field(default_factory=list)
    statements: list[DraftStatement] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.refs.update(self.context.known)

    def within(self, items: list[Any]) -> list[Any]:
        """The items that there is still room for; the others are refused together."""
        room = MOST_ITEMS - self.items
        if len(items) > room:
            detail = f"expected at most {MOST_ITEMS} items in a reply; {len(items) - room} were not read"
            self._refuse("too_many", detail, None)
        self.items += min(len(items), room)
        return items[:room]

    def told(self) -> tuple[Rejection, ...]:
        """The rejections, the last of them for all beyond ``MOST_REJECTIONS``."""
        if self.refused > len(self.rejections):
            detail = f"{self.refused - len(self.rejections)} more rejections of this reply are not listed"
            self.rejections.append(
                Rejection(extractor=self.context.extractor, code="too_many", detail=detail)
            )
        return tuple(self.rejections)

    def document(self, item: Mapping[str, Any]) -> None:
        """The document's own record: it exists whatever the reply says; evidence is the reply's."""
        stage = self.context.stage.document
        if stage is None:
            return
        self.refs[DOCUMENT_REF] = DOCUMENT_REF
        self.records.append(
            DraftRecord(
                ref=DOCUMENT_REF,
                type=stage.name,
                name=self.context.document_name,
                attributes=self._attributes(document_attributes(stage), item, DOCUMENT_REF),
                quotes=(*_quotes(self.context.document_quote), *self._quotes(item)),
                confidence=LLM_CONFIDENCE,
            )
        )

    def record(self, kind: str, declared: Sequence[AttributeType], item: object) -> None:
        if not isinstance(item, Mapping) or not _text(item.get("name")):
            self._refuse("bad_item", f"expected an object with a name in entities.{kind}", item)
            return
        own = _text(item.get("ref")) or f"{kind}:{_text(item['name'])}"
        if own in self.refs:
            self._refuse("duplicate_ref", f"the ref {own[:80]!r} is taken", item)
            return
        self.refs[own] = self.context.prefix + own
        self.records.append(
            DraftRecord(
                ref=self.refs[own],
                type=kind,
                name=_text(item["name"]),
                description=_text(item.get("description")),
                aliases=_texts(item.get("aliases")),
                attributes=self._attributes(declared, item, own),
                quotes=self._quotes(item),
                confidence=LLM_CONFIDENCE,
            )
        )

    def statement(self, kind: str, declared: Sequence[AttributeType], item: object) -> None:
        if not isinstance(item, Mapping):
            self._refuse("bad_item", f"expected an object in relations.{kind}", item)
            return
        ends = [_text(item.get(end)) for end in ("subject", "object")]
        lost = next((end for end in ends if end not in self.refs), None)
        if lost is not None:
            self._refuse("dangling_end", f"no entity has the ref {lost[:80]!r}", item)
            return
        self.statements.append(
            DraftStatement(
                subject=self.refs[ends[0]],
                type=kind,
                object=self.refs[ends[1]],
                attributes=self._attributes(declared, item, kind),
                quotes=self._quotes(item),
                confidence=LLM_CONFIDENCE,
            )
        )

    def unknown(self, groups: Mapping[str, Any], allowed: Sequence[str]) -> None:
        for name in groups:
            if name not in allowed:
                detail = f"expected one of {', '.join(allowed) or 'nothing'}, found {str(name)[:80]!r}"
                self._refuse("unknown_type", detail, groups[name])

    def _attributes(
        self, declared: Sequence[AttributeType], item: Mapping[str, Any], where: str
    ) -> dict[str, AttributeValue]:
        given = item.get("attributes")
        values: dict[str, AttributeValue] = {}
        known = {a.name: a for a in declared}
        for name, raw in given.items() if isinstance(given, Mapping) else ():
            if raw is None or raw in ("", []):
                continue
            value = _coerced(known[name], raw) if name in known else None
            if value is None:
                detail = f"{where[:80]}: cannot use {name[:80]!r} = {_SHOWN.repr(raw)}"
                self._refuse("bad_attribute", detail[:300], item)
            else:
                values[name] = value
        return values

    def _quotes(self, item: Mapping[str, Any]) -> tuple[str, ...]:
        """The item's quotes; those beyond the bounds are refused."""
        given = item.get("quotes")
        if isinstance(given, list) and (
            len(given) > MOST_TEXTS or any(isinstance(q, str) and len(q) > LONGEST_QUOTE for q in given)
        ):
            detail = (
                f"expected at most {MOST_TEXTS} quotes of {LONGEST_QUOTE} characters; the rest is not read"
            )
            self._refuse("too_many", detail, item)
        return _quotes(given)

    def _refuse(self, code: str, detail: str, item: object) -> None:
        self.refused += 1
        if self.refused <= MOST_REJECTIONS:
            shown = "" if item is None else _SHOWN.repr(item)[:200]
            self.rejections.append(
                Rejection(extractor=self.context.extractor, code=code, detail=detail, item=shown)
            )


def _coerced(attribute: AttributeType, raw: object) -> AttributeValue | None:
    """The value in its declared type, or None when it is of another kind."""
    if attribute.type == "strings":
        return _texts(raw) or None
    if attribute.type == "boolean":
        return raw if isinstance(raw, bool) else None
    if isinstance(raw, bool) or not isinstance(raw, (str, int, float)):
        return None
    if isinstance(raw, str) and len(raw) > LONGEST_TEXT:
        return None
    if attribute.type == "string":
        text = _text(raw if isinstance(raw, str) else _number_text(raw))
        return next((v for v in attribute.enum if v.casefold() == text.casefold()), text or None)
    try:
        number = float(raw)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    if attribute.type == "integer":
        return int(number) if number.is_integer() and abs(number) < _LARGEST_INTEGER else None
    return number


def _number_text(number: float) -> str:
    """The number as text; nothing when it is too large or no number."""
    try:
        return format(number, ".15g") if math.isfinite(number) else ""
    except OverflowError:
        return ""


def json_object(reply: str) -> Mapping[str, Any]:
    """The one JSON object of a reply, whatever stands around it; ``ChatError`` says why there is none."""
    if len(reply) > LARGEST_REPLY:
        raise ChatError(f"expected at most {LARGEST_REPLY} characters, found {len(reply)}")
    start, end = reply.find("{"), reply.rfind("}")
    if start < 0 or end < start:
        raise ChatError(f"expected one JSON object, found none in {len(reply)} characters")
    try:
        data = json.loads(reply[start : end + 1], parse_constant=_no_constant, object_pairs_hook=_once)
    except (ValueError, RecursionError) as e:
        raise ChatError(f"expected one JSON object, found text that is not valid JSON: {e}") from e
    if not isinstance(data, Mapping):
        raise ChatError(f"expected a JSON object, found a {type(data).__name__}")
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON in which no key stands twice: which of the two is meant cannot be known."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has a key twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _member(data: Mapping[str, Any], name: str, default: Mapping[str, Any] | None) -> Mapping[str, Any]:
    value = data.get(name, default)
    if not isinstance(value, Mapping):
        raise ChatError(f"expected an object under {name!r}, found {type(value).__name__}")
    return value


def _items(groups: Mapping[str, Any], name: str, where: str) -> list[Any]:
    value = groups.get(name)
    if value is not None and not isinstance(value, list):
        raise ChatError(f"expected a list under {where}.{name}, found {type(value).__name__}")
    return value or []


def _text(value: object) -> str:
    """One line without hidden characters, cut at ``LONGEST_TEXT``; empty for anything but text."""
    if not isinstance(value, str):
        return ""
    return " ".join(_HIDDEN.sub("", _encodable(value[: 2 * LONGEST_TEXT])).split())[:LONGEST_TEXT]


def _encodable(text: str) -> str:
    """The text with each half of a surrogate pair, which JSON can hold and UTF-8 cannot, as ``?``."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _texts(value: object) -> tuple[str, ...]:
    """At most ``MOST_TEXTS`` different lines."""
    return tuple(dict.fromkeys(text for v in _strings(value) if (text := _text(v))))


def _quotes(value: object) -> tuple[str, ...]:
    """At most ``MOST_TEXTS`` different quotes, letter by letter; the checks look for them in the text."""
    found = (_encodable(v).strip() for v in _strings(value) if len(v) <= LONGEST_QUOTE)
    return tuple(dict.fromkeys(text for text in found if text))


def _strings(value: object) -> list[str]:
    values = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [v for v in values[:MOST_TEXTS] if isinstance(v, str)]
