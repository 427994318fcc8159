"""Labels as conditions: "who works in the yard but is no welder", "is Ann a pilot", "who is a cook, too"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cypher.semantics.ir import Filter, Head, Node, Operator, PropertyRef, Query
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.narrower import unsaid_labels
from cypher.semantics.templates import plural
from cypher.semantics.text import identifier_words
from cypher.word_lists import REQUESTS
from schemas.store_schema import StoreSchema

STATED: Final = 0.9
"""Confidence in "is Ann a pilot", where one thing is called so; set, not fitted."""
_BEING: Final = frozenset({"are", "is", "were", "was", "aren't", "isn't", "weren't", "wasn't"})
_RELATIVE: Final = frozenset({"who", "that", "which"})
_JOINING: Final = frozenset({"and", "but", "yet"})
_SMALL: Final = frozenset({"a", "an", "the", "also", "both", "either", "themselves"})
_DENYING: Final = frozenset({"not", "no", "neither", "nor"})
_LAST: Final = frozenset({"too", "also", "well", "as", "themselves"})
_ASKING: Final = REQUESTS | {"who", "which", "what", "how", "find", "count"}
_EARLY: Final = 3
"""Words at most before what is asked for."""
_LISTING: Final = REQUESTS | {"find"}
_PREPOSITIONS: Final = frozenset({"of", "for", "to", "with", "in", "at", "by", "from", "on", "under", "than"})
_ALONE: Final = frozenset({"who", "which", "what"})
_END: Final = frozenset({"?", ".", "!"})


@dataclass(frozen=True, slots=True)
class Belonging:
    """A simpler question, and the labels that what it asks for has or has not."""

    text: str
    conditions: tuple[tuple[Operator, tuple[str, ...]], ...]
    schema: StoreSchema = field(repr=False)

    def around(self, query: Query) -> Query | None:
        """The reading of :attr:`text` with them; ``None`` where what it asks for never has such labels."""
        if query.head is Head.LIST and query.project:
            return None
        label = query.nodes[query.answer].label
        if not all(akin(label, x, self.schema) for _, labels in self.conditions for x in labels):
            return None
        owner = PropertyRef(query.answer, "")
        told = (Filter(owner, operator, labels) for operator, labels in self.conditions)
        return replace(query, filters=(*query.filters, *told))


def belonging(linked: Linked, schema: StoreSchema) -> Belonging | None:
    """The question without what it says of labels at its end; ``None`` where it says nothing of them."""
    lower = [w.lower for w in linked.words]
    if not lower or not (lower[0] in _ASKING or (linked.mentions and _label(linked.mentions[0], schema))):
        return None
    for at, word in enumerate(lower):
        if word in _BEING and at:
            items, end = _items(linked, schema, at + 1)
            if conditions := _conditions(items):
                text = _asked(linked, schema, at, end, [x for _, labels in conditions for x in labels])
                return Belonging(text, conditions, schema) if text is not None else None
    return None


def whether_one(linked: Linked, schema: StoreSchema) -> Query | None:
    """Whether something called so has labels: "is Ann Lee a pilot"."""
    lower = [w.lower for w in linked.words]
    named = next((m for m in linked.mentions if m.start == 1 and m.values), None)
    if not lower or lower[0] not in _BEING or named is None or lower[named.end : named.end + 1] == ["the"]:
        return None
    items, end = _items(linked, schema, named.end)
    conditions = _conditions(items) if _ends(lower, end) else ()
    called = [v for v, likeness in named.values if likeness >= 1 and _calls(v.owner, v.property, schema)]
    narrower = unsaid_labels(schema)
    places = list(dict.fromkeys((v.owner, v.property, v.text) for v in called if v.owner not in narrower))
    labels = [x for _, some in conditions for x in some]
    if len(places) != 1 or not conditions or not all(akin(places[0][0], x, schema) for x in labels):
        return None
    ((owner, name, text),) = places
    told = (Filter(PropertyRef(0, ""), operator, some) for operator, some in conditions)
    filters = (Filter(PropertyRef(0, name), Operator.EQ, text), *told)
    return Query((Node(owner),), filters=filters, head=Head.EXISTS)


def broadened(linked: Linked, schema: StoreSchema) -> Belonging | None:
    """The question for all things of a broader label, with the narrower one as a condition.

    "Which pilots are older than Ann" is read of people where Ann is no pilot.
    """
    narrower = unsaid_labels(schema)
    first = next((m for m in linked.mentions if (label := _label(m, schema)) and label in narrower), None)
    label = _label(first, schema) if first is not None else None
    if first is None or label is None or first.start > _EARLY:
        return None
    around = [s for s in schema.node_sets if label in s]
    wider = sorted(frozenset.intersection(*around) - narrower - {label})
    if not wider:
        return None
    noun = " ".join(identifier_words(wider[0]))
    said = plural(noun) if linked.words[first.end - 1].lower.endswith("s") else noun
    start, end = linked.words[first.start].start, linked.words[first.end - 1].end
    text = f"{linked.text[:start]}{said}{linked.text[end:]}"
    return Belonging(text, ((Operator.IS, (label,)),), schema)


def akin(label: str, other: str, schema: StoreSchema) -> bool:
    """Whether things of two labels are things of one kind: some label is beside each of them.

    >>> schema = StoreSchema(label_sets=(("Cook", "Person"), ("Person", "Pilot"), ("Boat",)))
    >>> akin("Cook", "Pilot", schema), akin("Cook", "Boat", schema)
    (True, False)
    """
    return bool(schema.beside(label) & schema.beside(other))


def _calls(owner: str, name: str, schema: StoreSchema) -> bool:
    label = schema.label(owner)
    return label is not None and label.name_property == name


def _conditions(items: Sequence[_Item]) -> tuple[tuple[Operator, tuple[str, ...]], ...]:
    """What is said of labels.

    "Not a pilot or a cook" is neither, as is "neither a pilot nor a cook"; "a pilot or a cook" is one of
    them; "a pilot and a cook" both; "a pilot but not a cook" one and not the other.
    """
    joined = {word for item in items[1:] for word in item.joined_by}
    has = [item.label for item in items if not item.denied]
    has_not = [item.label for item in items if item.denied]
    if "or" in joined and has and has_not:
        return ()
    each = [tuple(has)] if "or" in joined else [(x,) for x in has]
    denied = [(Operator.IS_NOT, tuple(has_not))] if has_not else []
    return (*((Operator.IS, some) for some in each if some), *denied)


@dataclass(frozen=True, slots=True)
class _Item:
    """A label that something is said to have, or denied."""

    label: str
    denied: bool
    joined_by: tuple[str, ...]


def _items(linked: Linked, schema: StoreSchema, start: int) -> tuple[list[_Item], int]:
    """Labels in the words from ``start`` on, and where what is said of labels ends."""
    lower = [w.lower for w in linked.words]
    nouns = {m.start: m for m in linked.mentions if _label(m, schema)}
    items: list[_Item] = []
    denied, said, at, end = lower[start - 1].endswith("n't"), list[str](), start, start
    while at < len(lower):
        word = lower[at]
        if at in nouns:
            if denied and "and" in said and not _DENYING & set(said):
                return [], start  # "not a pilot and a cook" may be either of two things
            items.append(_Item(_label(nouns[at], schema) or "", denied, tuple(said)))
            said, at = [], nouns[at].end
            end = at
            continue
        if word in _DENYING:
            denied = True
        elif word == "but":
            denied = False
        elif word not in _SMALL | _JOINING | {"or", ","}:
            break
        said = [*said, word]
        at += 1
    return items, end


def _ends(lower: Sequence[str], at: int) -> bool:
    """Whether nothing more is said."""
    return set(lower[at:]) <= _LAST | _END


def _label(mention: Mention, schema: StoreSchema) -> str | None:
    """The one label that words stand for, where they are nothing else."""
    names = dict.fromkeys(t.name for t in mention.terms if t.kind == "label")
    beside = [x for x in names if any(x in s and len(s) > 1 for s in schema.node_sets)]
    return beside[0] if len(names) == 1 and beside and not mention.values else None


def _asked(linked: Linked, schema: StoreSchema, copula: int, after: int, labels: Sequence[str]) -> str | None:
    """The question without the words from the verb to ``after``, and without what leads over to them."""
    lower = [w.lower for w in linked.words]
    end = copula
    relative = lower[end - 1] in _RELATIVE
    while end and (lower[end - 1] in _RELATIVE | _JOINING):
        end -= 1
    joined = bool(_JOINING & set(lower[end:copula]))
    first = next((m for m in linked.mentions if any(t.kind == "label" for t in m.terms)), None)
    bare = first is not None and first.end == end
    if end == 0 and set(lower[:copula]) <= _ALONE and _ends(lower, after):
        return _of_all(schema, labels) if len(labels) > 1 or _is_denied(lower[copula:]) else None
    if end == 0 or (relative and not joined and not bare):
        return None  # of something else than what is asked for
    head = linked.text[: linked.words[end - 1].end]
    head = head if lower[0] in _ASKING else f"which {head}"
    if not _ends(lower, after):
        return _with_rest(linked, head, after, relative=relative) if bare else None
    return f"{head} are there?" if bare and lower[0] not in _LISTING else f"{head}?"


def _with_rest(linked: Linked, head: str, after: int, *, relative: bool) -> str | None:
    """With what follows: "pilots who are cooks (and) live in Kiel", but not "who are cooks of the Gull"."""
    word = linked.words[after].lower
    start = after + (word == "and")
    if word in _PREPOSITIONS or not (relative or word == "and") or start == len(linked.words):
        return None
    return f"{head} {linked.text[linked.words[start].start :]}"


def _is_denied(words: Sequence[str]) -> bool:
    return bool(_DENYING & set(words)) or words[0].endswith("n't")


def _of_all(schema: StoreSchema, labels: Sequence[str]) -> str | None:
    """The question for all things of the label that stands beside each of some."""
    sets = schema.node_sets
    around = [[s for s in sets if x in s] for x in labels]
    beside = [frozenset.intersection(*some) for some in around if some]
    common = sorted(frozenset.intersection(*beside) - set(labels)) if beside else []
    return f"Which {plural(' '.join(identifier_words(common[0])))} are there?" if common else None
