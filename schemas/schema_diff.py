"""What changed between two graph schemas, and whether graphs made under the first fit the second."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal, TypeVar

from schemas.graph_schema import AttributeType, EntityType, GraphSchema, RelationType, Rule
from schemas.model import Frozen

Named = TypeVar("Named", EntityType, RelationType, AttributeType)
Kind = Literal["added", "removed", "changed"]


class SchemaChange(Frozen):
    """One change."""

    what: Literal["schema", "entity", "relation", "attribute", "rule"]
    kind: Kind
    name: str
    """``disease``, ``disease.severity`` for an attribute, ``gazetteer disease`` for a rule."""
    detail: str = ""
    """Which keys changed and how."""
    breaks: str = ""
    """Why a graph made under the first schema may not fit the second; empty when it does."""


class SchemaDiff(Frozen):
    """All changes from ``before`` to ``after``."""

    before: str
    after: str
    changes: tuple[SchemaChange, ...]

    @property
    def compatible(self) -> bool:
        """Whether every graph that is valid under ``before`` is valid under ``after``."""
        return not any(change.breaks for change in self.changes)


def diff_schemas(before: GraphSchema, after: GraphSchema) -> SchemaDiff:
    """Entities, relations, attributes and rules that were added, removed or changed.

    >>> from schemas.schema_files import load_schema
    >>> same = load_schema("logbook")
    >>> diff_schemas(same, same).changes
    ()
    """
    return SchemaDiff(
        before=f"{before.name} {before.version}",
        after=f"{after.name} {after.version}",
        changes=(
            *_head(before, after),
            *_types(before.entities, after.entities, "entity"),
            *_types(before.relations, after.relations, "relation"),
            *_rules(before.rules, after.rules),
        ),
    )


def _head(before: GraphSchema, after: GraphSchema) -> Iterator[SchemaChange]:
    detail = _detail(before, after, skip={"entities", "relations", "rules", "version"})
    if detail:
        breaks = f"graphs name the schema {before.name}" if before.name != after.name else ""
        yield SchemaChange(what="schema", kind="changed", name=after.name, detail=detail, breaks=breaks)


def _types(
    before: Sequence[Named], after: Sequence[Named], what: Literal["entity", "relation"]
) -> Iterator[SchemaChange]:
    for name, old, new in _paired(before, after):
        if new is None:
            yield SchemaChange(
                what=what, kind="removed", name=name, breaks=f"items of type {name} are unknown"
            )
        elif old is None:
            yield SchemaChange(what=what, kind="added", name=name)
        else:
            detail = _detail(old, new, skip={"attributes"})
            if detail:
                breaks = _narrower_ends(old, new)
                yield SchemaChange(what=what, kind="changed", name=name, detail=detail, breaks=breaks)
            yield from _attributes(name, _of(old), _of(new))


def _of(item: EntityType | RelationType | AttributeType) -> tuple[AttributeType, ...]:
    return () if isinstance(item, AttributeType) else item.attributes


def _narrower_ends(
    old: EntityType | RelationType | AttributeType, new: EntityType | RelationType | AttributeType
) -> str:
    if not isinstance(old, RelationType) or not isinstance(new, RelationType):
        return ""
    lost = [
        f"{end} {name}"
        for end in ("subjects", "objects")
        for name in getattr(old, end)
        if name not in getattr(new, end)
    ]
    return f"no longer allowed: {', '.join(lost)}" if lost else ""


def _attributes(
    owner: str, before: Sequence[AttributeType], after: Sequence[AttributeType]
) -> Iterator[SchemaChange]:
    for name, old, new in _paired(before, after):
        full = f"{owner}.{name}"
        if new is None:
            yield SchemaChange(
                what="attribute", kind="removed", name=full, breaks=f"the attribute {full} is unknown"
            )
        elif old is None:
            yield SchemaChange(what="attribute", kind="added", name=full)
        elif detail := _detail(old, new):
            yield SchemaChange(
                what="attribute", kind="changed", name=full, detail=detail, breaks=_narrower(old, new)
            )


def _narrower(old: AttributeType, new: AttributeType) -> str:
    """Why a value of the old declaration may not fit the new one."""
    if old.type != new.type and (old.type, new.type) != ("integer", "number"):
        return f"{old.type} became {new.type}"
    lost = [value for value in old.enum if value not in new.enum]
    if new.enum and (lost or not old.enum):
        return f"values no longer allowed: {', '.join(lost)}" if lost else "only listed values are allowed"
    if new.pattern and new.pattern != old.pattern:
        return f"values must now match {new.pattern!r}"
    if old.derived and not new.derived:
        return "its numbers must now stand in the quote"
    return ""


def _paired(
    before: Sequence[Named], after: Sequence[Named]
) -> Iterator[tuple[str, Named | None, Named | None]]:
    old: dict[str, Named] = {x.name: x for x in before}
    new: dict[str, Named] = {x.name: x for x in after}
    for name in dict.fromkeys((*old, *new)):
        yield name, old.get(name), new.get(name)


def _detail(old: Frozen, new: Frozen, *, skip: Collection[str] = ()) -> str:
    """``key: before -> after`` of the keys that differ."""
    changed = []
    for key in type(new).model_fields:
        left, right = getattr(old, key, None), getattr(new, key, None)
        if key in skip or left == right:
            continue
        if isinstance(left, Frozen) and isinstance(right, Frozen):
            changed.append(f"{key}.{_detail(left, right)}")
        elif isinstance(left, tuple) and isinstance(right, tuple):
            changed.append(f"{key}: {_lists(left, right, _word)}")
        else:
            changed.append(f"{key}: {_word(left)} -> {_word(right)}")
    return "; ".join(changed)


def _lists(left: tuple[object, ...], right: tuple[object, ...], word: Callable[[object], str]) -> str:
    gone = [f"-{word(x)}" for x in left if x not in right]
    new = [f"+{word(x)}" for x in right if x not in left]
    return " ".join((*gone, *new)) or "another order"


def _word(value: object) -> str:
    name = getattr(value, "name", value)
    text = str(name) if name not in {"", None} else "(none)"
    return text if len(text) <= 60 else text[:57] + "..."


def rule_name(rule: Rule) -> str:
    """Kind of a rule and what it finds, for example ``gazetteer disease``."""
    found = (getattr(rule, field, "") for field in ("type", "relation", "source_type"))
    return f"{rule.kind} {next(name for name in found if name)}"


def _rules(before: Sequence[Rule], after: Sequence[Rule]) -> Iterator[SchemaChange]:
    """Equal rules cancel out; the others are paired by name in their order."""
    old = [r for r in before if r not in after]
    new = [r for r in after if r not in before]
    for rule in old:
        partner = next((r for r in new if rule_name(r) == rule_name(rule)), None)
        if partner is None:
            yield SchemaChange(what="rule", kind="removed", name=rule_name(rule))
        else:
            new.remove(partner)
            yield SchemaChange(
                what="rule", kind="changed", name=rule_name(rule), detail=_detail(rule, partner)
            )
    yield from (SchemaChange(what="rule", kind="added", name=rule_name(r)) for r in new)
