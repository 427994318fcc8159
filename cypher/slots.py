"""One reading of the linked words, sorted into typed slots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from cypher.link import EntityWord, Linked, NumberWord, Option, Span, YearWord
from cypher.schema_words import AttributeWord, RelationWord, StatementWord, TypeWord, ValueWord
from cypher.words import Cue
from schemas.graph_schema import GraphSchema
from schemas.questions import EntityMatch

MAX_READINGS = 96


@dataclass(frozen=True, slots=True)
class Value:
    """A value, with how well its place in the question fits the attribute."""

    word: ValueWord
    text: str
    fit: float


@dataclass(frozen=True, slots=True)
class Slots:
    """What a question names, by kind; every condition of the asker is in one of these."""

    types: tuple[str, ...]
    """Entity types in order, without those that only introduce an entity ("the decay D")."""
    statement: bool
    entities: tuple[EntityMatch, ...]
    values: tuple[Value, ...]
    years: tuple[YearWord, ...]
    attributes: tuple[AttributeWord, ...]
    relations: tuple[tuple[RelationWord, bool], ...]
    """Relation words; True for those made of function words."""
    cues: frozenset[Cue]
    group: TypeWord | AttributeWord | None
    number: int
    yes_no: bool
    sure: bool


def with_raw_values(linked: Linked, schema: GraphSchema) -> Linked:
    """An unexplained word right after a free attribute is a value of it: "doi 10.1103/..."."""
    spans: list[Span] = []
    for span in linked.spans:
        last = spans[-1] if spans else None
        if not span.options and last is not None and last.end == span.start and span.end - span.start == 1:
            words = tuple(
                ValueWord(o.owner, o.attribute, span.text, _kind(schema, o) == "strings")
                for o in last.options
                if isinstance(o, AttributeWord) and _kind(schema, o) in {"string", "strings"}
            )
            spans.append(replace(span, options=words))
        else:
            spans.append(span)
    return replace(linked, spans=tuple(spans))


def _kind(schema: GraphSchema, word: AttributeWord) -> str:
    for owner in schema.entities:
        for attribute in owner.attributes:
            if owner.name == word.owner and attribute.name == word.attribute and not attribute.enum:
                return attribute.type
    return ""


def readings(linked: Linked, *, yes_no: bool) -> Iterator[Slots]:
    """Every combination of meanings, at most ``MAX_READINGS``."""
    choices = [_choices(span) for span in linked.spans]
    for chosen in islice(product(*choices), MAX_READINGS):
        yield _slots(linked.spans, chosen, yes_no=yes_no)


def _choices(span: Span) -> tuple[Option, ...]:
    split: list[Option] = []
    for option in span.options:
        if isinstance(option, EntityWord):
            split.extend(EntityWord((m,), option.sure) for m in option.matches)
        else:
            split.append(option)
    return tuple(split)


def _slots(spans: Sequence[Span], chosen: Sequence[Option], *, yes_no: bool) -> Slots:
    pairs = list(zip(spans, chosen, strict=True))
    group_at = _group(pairs)
    values = tuple(_value(i, pairs) for i, (_, o) in enumerate(pairs) if isinstance(o, ValueWord))
    taken = {(v.word.owner, v.word.attribute) for v in values}
    group = pairs[group_at][1] if group_at is not None else None
    return Slots(
        types=tuple(
            o.type
            for i, (_, o) in enumerate(pairs)
            if isinstance(o, TypeWord) and i != group_at and not _introduces(i, pairs)
        ),
        statement=any(isinstance(o, StatementWord) for o in chosen),
        entities=tuple(dict.fromkeys(o.matches[0] for o in chosen if isinstance(o, EntityWord))),
        values=values,
        years=tuple(o for o in chosen if isinstance(o, YearWord)),
        attributes=tuple(
            o
            for i, (_, o) in enumerate(pairs)
            if isinstance(o, AttributeWord)
            and i != group_at
            and (o.owner, o.attribute) not in taken
            and not _introduces_year(i, pairs)
        ),
        relations=tuple((o, s.soft) for s, o in pairs if isinstance(o, RelationWord)),
        cues=frozenset(o for o in chosen if isinstance(o, Cue)) - ({Cue.BY} if group_at is None else set()),
        group=group if isinstance(group, TypeWord | AttributeWord) else None,
        number=next((o.value for o in chosen if isinstance(o, NumberWord)), 0),
        yes_no=yes_no,
        sure=all(o.sure for o in chosen if isinstance(o, EntityWord)),
    )


def _group(pairs: Sequence[tuple[Span, Option]]) -> int | None:
    """Where the word after "by" or "per" stands, if it is a type or an attribute.

    After a relation ("carried by ships") the word names who does it.
    """
    for i, (span, option) in enumerate(pairs[:-1]):
        agent = i > 0 and isinstance(pairs[i - 1][1], RelationWord) and pairs[i - 1][0].end == span.start
        if option is Cue.BY and not agent and isinstance(pairs[i + 1][1], TypeWord | AttributeWord):
            named = i + 2 < len(pairs) and isinstance(pairs[i + 2][1], EntityWord | ValueWord)
            if not (named and pairs[i + 2][0].start == pairs[i + 1][0].end):
                return i + 1
    return None


def _introduces(at: int, pairs: Sequence[tuple[Span, Option]]) -> bool:
    """Whether the type word at ``at`` stands right beside an entity of its type."""
    span, option = pairs[at]
    for other in (at - 1, at + 1):
        if 0 <= other < len(pairs) and isinstance(option, TypeWord):
            near, meaning = pairs[other]
            if isinstance(meaning, EntityWord) and meaning.matches[0].type == option.type:
                return near.end == span.start or span.end == near.start
    return False


def _introduces_year(at: int, pairs: Sequence[tuple[Span, Option]]) -> bool:
    return at + 1 < len(pairs) and isinstance(pairs[at + 1][1], YearWord)


def _value(at: int, pairs: Sequence[tuple[Span, Option]]) -> Value:
    span, word = pairs[at]
    assert isinstance(word, ValueWord)
    fit = 0.0
    for i, (other, option) in enumerate(pairs):
        gap = max(other.start - span.end, span.start - other.end)
        if isinstance(option, TypeWord) and option.type == word.owner and gap <= 1 and abs(i - at) == 1:
            fit += 2
        if isinstance(option, AttributeWord) and (option.owner, option.attribute) == (
            word.owner,
            word.attribute,
        ):
            fit += 3
    single = {"of", "by", "at", "from", "in", "for"}
    several = {"with", "containing", "contain", "contains", "into", "to", "including", "include"}
    if span.before in (several if word.many else single):
        fit += 1
    if word.many and not span.before:
        fit -= 0.5
    return Value(word, span.text, fit)
