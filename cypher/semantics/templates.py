"""Questions made from templates over any schema, with the readings that they stand for.

A seeded generator builds a thing with limits (nested up to a depth: relations, values, counts, denial,
superlatives, "or") and says it in English from the names of the schema alone, in varied wording. A reader
that is only as good as these templates is not good; they show what broke, and how sure a reading is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from cypher.semantics.chart.forms import (
    AnyOf,
    Asked,
    Counted,
    Denied,
    Extreme,
    Has,
    Limit,
    Linked,
    Most,
    Thing,
    Wanted,
)
from cypher.semantics.chart.lower import lower
from cypher.semantics.ir import Head, Operator, Query
from cypher.semantics.lexicon import PropertyInfo, Verbalisation, Words
from cypher.semantics.schema_paths import Step
from cypher.semantics.text import identifier_words
from cypher.semantics.values import StoredValue
from schemas.store_schema import StoreSchema

MOST_DEPTH: Final = 5
_PREPOSITIONS: Final = frozenset({"in", "at", "to", "with", "by", "of", "for"})
_ORDERED: Final = (("more than", Operator.GT), ("less than", Operator.LT), ("at least", Operator.GE))


@dataclass(frozen=True, slots=True)
class Made:
    """A question with the reading it was made from; ``depth`` counts the clauses inside one another."""

    question: str
    query: Query
    depth: int


@dataclass(frozen=True, slots=True)
class Template:
    """What the generator draws from."""

    schema: StoreSchema
    words: Words
    values: tuple[StoredValue, ...]
    spoken: Verbalisation = field(default_factory=Verbalisation)


def questions(template: Template, *, count: int, seed: int, depth: int = 3) -> Iterator[Made]:
    """``count`` questions with at most ``depth`` clauses inside one another; the same for the same seed.

    Raises:
        ValueError: ``depth`` is not in 0..5.
    """
    if not 0 <= depth <= MOST_DEPTH:
        raise ValueError(f"depth is 0 to {MOST_DEPTH}, found {depth}; a question any deeper nobody asks")
    maker = _Maker(template, random.Random(seed))  # noqa: S311 - questions, not secrets
    for _ in range(count):
        wanted = maker.chance.randint(0, depth)
        made = maker.question(wanted)
        if made is not None:
            yield made


class _Maker:
    """Draws things and says them."""

    def __init__(self, template: Template, chance: random.Random) -> None:
        self.chance, self._template = chance, template
        schema = template.schema
        self._steps: dict[str, list[Step]] = {label.name: [] for label in schema.labels}
        for t in schema.triples:
            self._steps[t.start].append(Step(t.type, True, t.end))
            self._steps[t.end].append(Step(t.type, False, t.start))
        self._values: dict[str, list[StoredValue]] = {}
        for value in template.values:
            if not value.of_relation and not value.many:
                self._values.setdefault(value.owner, []).append(value)

    def question(self, depth: int) -> Made | None:
        """One question, or ``None`` where the drawn label has nothing to say of it."""
        labels = [label.name for label in self._template.schema.labels if self._steps[label.name]]
        label = self.chance.choice(labels)
        thing, said = self._thing(label, depth, top=True)
        text, head, wanted = self._asked(thing, said)
        asked = Asked(thing, head, 0.0, wanted=wanted)
        query = lower(asked, self._template.words)
        return None if query is None else Made(text, query, depth)

    def _asked(self, thing: Thing, said: str) -> tuple[str, Head, tuple[Wanted, ...]]:
        kind = self.chance.randrange(4)
        props = [i for i in self._infos(thing.label) if i.name]
        if kind == 0 and not any(isinstance(x, (Extreme, Most)) for x in thing.limits):
            opening = self.chance.choice(("How many {}?", "What is the number of {}?", "Count the {}."))
            return opening.format(said), Head.COUNT, ()
        if kind == 1 and props:
            info = self.chance.choice(props)
            wanted = (Wanted((), thing.label, info.name),)
            name = " ".join(identifier_words(info.name))
            opening = self.chance.choice(("What is the {} of the {}?", "Give the {} of {}."))
            return opening.format(name, said), Head.LIST, wanted
        opening = self.chance.choice(("Which {} are there?", "List the {}.", "Show me all {}.", "Find {}."))
        return opening.format(said), Head.LIST, ()

    def _infos(self, label: str) -> list[PropertyInfo]:
        return [i for (owner, _), i in sorted(self._template.words.properties.items()) if owner == label]

    def _thing(self, label: str, depth: int, *, top: bool = False) -> tuple[Thing, str]:
        """A thing with at most ``depth`` clauses inside one another, and its noun phrase."""
        noun = plural(" ".join(identifier_words(label)))
        limits: list[Limit] = []
        said = noun
        values = self._values.get(label)
        if values and (depth == 0 or self.chance.random() < 0.25):
            value = self.chance.choice(values)
            limits.append(Has(value.property, Operator.EQ, value.text))
            name = " ".join(identifier_words(value.property))
            said += self.chance.choice((" with {} {}", " whose {} is {}")).format(name, value.text)
        if depth:
            clause, words = self._clause(label, depth, top=top)
            limits.append(clause)
            said += (" and " if limits[:-1] and not said.endswith(noun) else " ") + words
        return Thing(label, tuple(limits)), said

    def _clause(self, label: str, depth: int, *, top: bool) -> tuple[Limit, str]:
        steps = self._steps[label]
        if not steps:
            return self._ordered(label)
        step = self.chance.choice(steps)
        other, said = self._thing(step.to, depth - 1)
        verb = self._verb(step)
        kind = self.chance.random()
        bare = plural(" ".join(identifier_words(step.to)))
        if kind < 0.1:
            return Denied((Linked((step,), other),)), "that " + _negated(verb).format(said)
        if kind < 0.2:
            number = self.chance.randint(2, 9)
            limit = Counted((step,), Thing(step.to), Operator.GT, number)
            return limit, "that " + verb.format(f"more than {number} {bare}")
        if kind < 0.25 and top:
            return Most((step,), Thing(step.to), True), "that " + verb.format(f"the most {bare}")
        if kind < 0.35:
            second, words = self._thing(step.to, 0)
            if second.limits and second != other and other.limits:
                options = ((Linked((step,), other),), (Linked((step,), second),))
                return AnyOf(options), f"that {verb.format(said)} or that {verb.format(words)}"
        return Linked((step,), other), "that " + verb.format(said)

    def _verb(self, step: Step) -> str:
        parts = identifier_words(step.type)
        said = self._template.spoken.relations.get(step.type)
        phrases = (said.forward if step.forward else said.inverse) if said else ()
        phrases = tuple(x for x in phrases if x.split()[-1] in _PREPOSITIONS or len(x.split()) == 1)
        if phrases and self.chance.random() < 0.6:
            phrase = self.chance.choice(phrases)
            first = phrase.split()[0]
            return ("" if first.endswith("s") or first in ("knows", "has") else "are ") + phrase + " {}"
        return active(parts) if step.forward else passive(parts)

    def _ordered(self, label: str) -> tuple[Limit, str]:
        infos = [i for i in self._infos(label) if i.numeric]
        if not infos:
            info = self.chance.choice(self._infos(label))
            return Has(info.name, Operator.KNOWN), f"with a known {' '.join(identifier_words(info.name))}"
        info = self.chance.choice(infos)
        words, operator = self.chance.choice(_ORDERED)
        number = self.chance.randint(1, 2_000)
        name = " ".join(identifier_words(info.name))
        return Has(info.name, operator, number), f"with {name} {words} {number}"


def active(parts: tuple[str, ...]) -> str:
    """How a relationship type is said from its start, with a place for the other end.

    >>> active(("acted", "in")), active(("published", "by")), active(("has", "phone"))
    ('acted in {}', 'were published by {}', 'have {}')
    """
    if parts[0] in ("has", "have"):
        return "have {}"
    text = " ".join(parts)
    return ("were " if parts[-1] == "by" else "") + text + " {}"


def passive(parts: tuple[str, ...]) -> str:
    """The same from its end.

    >>> passive(("acted", "in")), passive(("published", "by")), passive(("has", "phone"))
    ('{} acted in', 'published {}', 'belong to {}')
    """
    if parts[0] in ("has", "have"):
        return "belong to {}"
    if parts[-1] == "by":
        return " ".join(parts[:-1]) + " {}"
    return "{} " + " ".join(parts)


def _negated(verb: str) -> str:
    for auxiliary, other in (
        ("were ", "were not "),
        ("have ", "do not have "),
        ("belong ", "do not belong "),
    ):
        if verb.startswith(auxiliary):
            return other + verb.removeprefix(auxiliary)
    return "never " + verb if not verb.startswith("{}") else "{} never " + verb.removeprefix("{} ")


def plural(noun: str) -> str:
    """The regular plural of a noun.

    >>> plural("city"), plural("person"), plural("film")
    ('cities', 'people', 'films')
    """
    if noun.endswith(("species", "series")):
        return noun
    if noun.endswith("person"):
        return noun[: -len("person")] + "people"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")
