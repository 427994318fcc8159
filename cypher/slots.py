"""One reading of the linked words, sorted into typed slots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, product, takewhile

from cypher import direction, joints
from cypher.bounds import Bound, BoundWord
from cypher.link import EntityWord, Linked, NumberWord, Option, Span, YearWord
from cypher.schema_graph import year_attribute
from cypher.schema_words import AttributeWord, RelationWord, ReplacerWord, StatementWord, TypeWord, ValueWord
from cypher.word_lists import BEFORE_ONE, BEFORE_SEVERAL
from cypher.words import Cue
from schemas.graph_schema import EntityType, GraphSchema, RelationType
from schemas.questions import EntityMatch

MAX_READINGS = 96
Pairs = Sequence[tuple[Span, Option]]
NOT_INSIDE = "Nothing in this graph is known to contain"
_CONTAINING = frozenset({"contain", "contains", "containing"})
_COPULAS = frozenset({"is", "are", "was"})
_SINGLE_FIT = 0.2
"""A value of an attribute with one value is preferred: "B_s0 decays" are those of which it is the parent."""


_BESIDE = 0.5
"""A value right behind the word for its attribute: "parent B_s0"."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value, with how well its place in the question fits the attribute."""

    word: ValueWord
    text: str
    fit: float
    alternatives: tuple[str, ...] = ()
    """All values of which one must hold, this one first, where there are several."""
    absent: bool = False
    """The list must hold none of the values: "without a K+"."""
    every: bool = False
    """The alternatives are joined by "and": one thing has one of them, another thing may need each."""


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
    bounds: tuple[Bound, ...] = ()
    """Numbers that the measured values are compared with."""
    replacer: ReplacerWord | None = None
    """The document that replaced the values that are meant, or that it is asked for."""
    problem: str = ""
    """Why this reading cannot be meant or cannot be answered."""


def with_raw_values(linked: Linked, schema: GraphSchema) -> Linked:
    """An unexplained word right after a free attribute is a value of it: "doi 10.1103/..."."""
    spans: list[Span] = []
    for span in linked.spans:
        last = spans[-1] if spans else None
        if not span.options and last is not None and _follows(span, last):
            words = tuple(
                ValueWord(o.owner, o.attribute, span.text.split()[-1], _kind(schema, o) == "strings")
                for o in last.options
                if isinstance(o, AttributeWord)
                and _kind(schema, o) in {"string", "strings"}
                and (_of_entity(schema, o) or _is_code(span.text))
            )
            spans.append(replace(span, options=words))
        else:
            spans.append(span)
    return replace(linked, spans=tuple(spans))


def _follows(span: Span, last: Span) -> bool:
    """Whether a single word stands behind, with "is" or "code" between at most: "whose technique is X".

    A word in small letters right behind is no name: experiments "failed" or "should" do something.
    """
    words = span.text.split()
    plain = len(words) == 1 or (len(words) == 2 and words[0].lower() == "code")
    beside = last.end == span.start and not (span.text.isalpha() and span.text.islower())
    return plain and (beside or (span.start == last.end + 1 and span.before in _COPULAS))


def _of_entity(schema: GraphSchema, word: AttributeWord) -> bool:
    return any(e.name == word.owner for e in schema.entities)


def _is_code(text: str) -> bool:
    """Values of statements are named by their codes: "technique LATT"."""
    return text.rsplit(maxsplit=1)[-1].isupper()


def _kind(schema: GraphSchema, word: AttributeWord) -> str:
    owners: list[EntityType | RelationType] = [*schema.entities]
    owners.extend(schema.relations)
    for owner in owners:
        for attribute in owner.attributes:
            if owner.name == word.owner and attribute.name == word.attribute and not attribute.enum:
                return attribute.type
    return ""


def readings(linked: Linked, schema: GraphSchema, *, yes_no: bool) -> Iterator[Slots]:
    """Every combination of meanings, at most ``MAX_READINGS``."""
    spans = linked.spans
    for chosen in islice(product(*map(_choices, spans)), MAX_READINGS):
        pairs = list(zip(spans, chosen, strict=True))
        problem = direction.problem(pairs, schema)
        found = _slots(pairs, year_attribute(schema), yes_no=yes_no)
        yield replace(found, problem=problem) if problem else found


def _choices(span: Span) -> tuple[Option, ...]:
    split: list[Option] = []
    for option in span.options:
        if isinstance(option, EntityWord):
            split.extend(EntityWord((m,), option.sure) for m in option.matches)
        else:
            split.append(option)
    return tuple(split)


def _slots(pairs: Pairs, year: tuple[str, str] | None, *, yes_no: bool) -> Slots:
    group_at = _group(pairs)
    others = joints.alternatives(pairs)
    values = _values(pairs, others)
    taken = {(v.word.owner, v.word.attribute) for v in values}
    group = pairs[group_at][1] if group_at is not None else None
    chosen = [o for _, o in pairs]
    numbers = [o.value for o in chosen if isinstance(o, NumberWord)]
    return Slots(
        types=tuple(
            o.type
            for i, (_, o) in enumerate(pairs)
            if isinstance(o, TypeWord) and i != group_at and not _introduces(i, pairs)
        ),
        statement=any(isinstance(o, StatementWord) for o in chosen),
        entities=tuple(dict.fromkeys(o.matches[0] for o in chosen if isinstance(o, EntityWord))),
        values=values,
        years=others.years,
        attributes=tuple(
            o
            for i, (_, o) in enumerate(pairs)
            if isinstance(o, AttributeWord)
            and i != group_at
            and (o.owner, o.attribute) not in taken
            and not ((o.owner, o.attribute) == year and _introduces_year(i, pairs))
        ),
        relations=tuple((o, s.soft) for s, o in pairs if isinstance(o, RelationWord)),
        cues=_cues(chosen, grouped=group is not None, either=others.entities),
        group=group if isinstance(group, TypeWord | AttributeWord) else None,
        number=numbers[0] if numbers else 0,
        yes_no=yes_no,
        sure=all(o.sure for o in chosen if isinstance(o, EntityWord)),
        replacer=next((o for o in chosen if isinstance(o, ReplacerWord)), None),
        bounds=tuple(b for o in chosen if isinstance(o, BoundWord) for b in o.bounds),
        problem=others.problem
        or ("More than one number is given." if len(numbers) > 1 else "")
        or _contradiction(values)
        or _not_inside(pairs)
        or _of_a_member(pairs),
    )


def _cues(chosen: Sequence[Option], *, grouped: bool, either: bool) -> frozenset[Cue]:
    """The cues of a reading: "by" counts only before a group, "or" only between alternatives."""
    found = frozenset(o for o in chosen if isinstance(o, Cue))
    if not grouped:
        found -= {Cue.BY}
    elif Cue.PER in found or {Cue.EACH, Cue.COUNT} <= found:
        found = found - {Cue.PER, Cue.EACH} | {Cue.BY}
    return found | {Cue.OR} if either else found


def _values(pairs: Pairs, others: joints.Alternatives) -> tuple[Value, ...]:
    runs = others.values or {}
    found: list[Value] = []
    for i, (_, option) in enumerate(pairs):
        if isinstance(option, ValueWord) and runs.get(i) == ():
            found[-1] = replace(found[-1], fit=found[-1].fit + _value(i, pairs).fit)
        elif isinstance(option, ValueWord):
            several = runs.get(i, joints.values_of(option))
            value = replace(_value(i, pairs), alternatives=several if len(several) > 1 else ())
            found.append(
                replace(value, every=len(several) > len(joints.values_of(option)) and _all(i, pairs))
            )
    return tuple(found)


def _contradiction(values: Sequence[Value]) -> str:
    """Two values that one thing would need of an attribute that holds but one: two parents of a decay."""
    known: dict[tuple[str, str], Value] = {}
    for value in values:
        if value.word.many or value.absent or value.alternatives:
            continue
        first = known.setdefault((value.word.owner, value.word.attribute), value)
        if first.word.value != value.word.value:
            name = value.word.attribute.replace("_", " ")
            return f"'{first.text}' and '{value.text}' cannot both be the {name} of one thing."
    return ""


def _not_inside(pairs: Pairs) -> str:
    """A value that is said to be contained, of an attribute that holds nothing else: a parent of decays."""
    for span, option in pairs:
        if span.before in _CONTAINING and isinstance(option, ValueWord) and not option.many:
            return f"{NOT_INSIDE} '{span.text}'."
    return ""


def _of_a_member(pairs: Pairs) -> str:
    """What is said to be a thing's own, where it is only a member of others' lists: "lifetime of the n"."""
    for (first, a), (second, b) in pairwise(pairs):
        if not (isinstance(a, ValueWord) and isinstance(b, ValueWord) and second.before == "of"):
            continue
        if b.many and not a.many and a.owner != b.owner:
            what = b.attribute.replace("_", " ")
            return (
                f"The graph knows no {first.text} of '{second.text}', which is only among the {what} "
                f"of a {b.owner.replace('_', ' ')}."
            )
    return ""


def _all(at: int, pairs: Pairs) -> bool:
    """Whether "and" joins the values of the run that begins here, and no "or"."""
    behind = takewhile(lambda p: isinstance(p[1], ValueWord) and p[0].joint, pairs[at + 1 :])
    return {s.joint for s, _ in behind} <= {joints.AND, joints.COMMA}


def _group(pairs: Pairs) -> int | None:
    """Where the word after "by" or "per" stands, if it is a type or an attribute.

    After a relation ("carried by ships") the word names who does it.
    """
    for i, (span, option) in enumerate(pairs[:-1]):
        agent = i > 0 and isinstance(pairs[i - 1][1], RelationWord) and pairs[i - 1][0].end == span.start
        if (
            option in {Cue.BY, Cue.PER, Cue.EACH}
            and not agent
            and isinstance(pairs[i + 1][1], TypeWord | AttributeWord)
        ):
            named = i + 2 < len(pairs) and isinstance(pairs[i + 2][1], EntityWord | ValueWord)
            if not (named and pairs[i + 2][0].start == pairs[i + 1][0].end):
                return i + 1
    return None


def _introduces(at: int, pairs: Pairs) -> bool:
    """Whether the type word at ``at`` stands right beside an entity of its type."""
    span, option = pairs[at]
    for other in (at - 1, at + 1):
        if 0 <= other < len(pairs) and isinstance(option, TypeWord):
            near, meaning = pairs[other]
            if isinstance(meaning, EntityWord) and meaning.matches[0].type == option.type:
                return near.end == span.start or span.end == near.start
    return False


def _introduces_year(at: int, pairs: Pairs) -> bool:
    return at + 1 < len(pairs) and isinstance(pairs[at + 1][1], YearWord)


def _value(at: int, pairs: Pairs) -> Value:
    span, word = pairs[at]
    assert isinstance(word, ValueWord)
    fit = 0.0
    for i, (other, option) in enumerate(pairs):
        gap = max(other.start - span.end, span.start - other.end)
        if isinstance(option, TypeWord) and option.type == word.owner and gap <= 1 and abs(i - at) == 1:
            fit += 2
        asked = {"which", "what"} & {other.before, *other.text.lower().split()}
        whole = word.many and span.before == "of"
        if isinstance(option, AttributeWord) and not (asked or whole) and _same_attribute(option, word):
            fit += 3 + (_BESIDE if 0 <= span.start - other.end <= 1 else 0)
    if span.before in (BEFORE_SEVERAL if word.many else BEFORE_ONE):
        fit += 1
    if word.many and not span.before:
        fit -= 0.5
    if span.joint and at and _same_attribute(pairs[at - 1][1], word):
        fit += 2
    absent = span.joint == joints.WITHOUT
    return Value(word, span.text, absent=absent, fit=fit + (0 if word.many else _SINGLE_FIT))


def _same_attribute(last: Option, word: ValueWord) -> bool:
    if not isinstance(last, ValueWord | AttributeWord):
        return False
    return (last.owner, last.attribute) == (word.owner, word.attribute)
