"""What the phrases of a question mean: things with limits, predicates that wait for a thing, questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from cypher.semantics.ir import Head, Literal, Measure, Operator
from cypher.semantics.schema_paths import Path, Step

Features: TypeAlias = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Has:
    """A property compared with a value."""

    name: str
    operator: Operator
    value: Literal | tuple[Literal, ...] | None = None
    sized: bool = False
    """Its length is compared: how many entries a list has."""


@dataclass(frozen=True, slots=True)
class Linked:
    """Tied to another thing by a path of the schema."""

    path: Path
    thing: Thing


@dataclass(frozen=True, slots=True)
class Denied:
    """Not all of these limits hold together."""

    limits: tuple[Limit, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one group of limits holds."""

    options: tuple[tuple[Limit, ...], ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """Tied to so many different things."""

    path: Path
    thing: Thing
    operator: Operator
    number: int


@dataclass(frozen=True, slots=True)
class Only:
    """Tied to such things, and to no others of their label."""

    path: Path
    thing: Thing


@dataclass(frozen=True, slots=True)
class Exceeds:
    """Tied to more (or fewer, or as many) such things than to others, or than another of its kind is."""

    path: Path
    thing: Thing
    operator: Operator
    other: Thing


@dataclass(frozen=True, slots=True)
class Most:
    """Tied to more (or fewer) such things than any other."""

    path: Path
    thing: Thing
    descending: bool
    passing: tuple[Limit, ...] = ()
    """Limits of what the path comes by after ``passed`` steps."""
    passed: int = 0

    def behind(self, path: Path) -> Most:
        """The same of what a further path leads to."""
        return Most((*path, *self.path), self.thing, self.descending, self.passing, self.passed + len(path))


@dataclass(frozen=True, slots=True)
class Extreme:
    """Has the largest (or smallest) value of a property among those that fit."""

    name: str
    descending: bool
    sized: bool = False
    added: bool = False
    """By how long the text or list is; by the sum over relationships, of these: "the most tickets sold"."""


@dataclass(frozen=True, slots=True)
class Told:
    """The relationship by which the thing is tied (else any such) has a property compared with a value."""

    step: Step
    """The relationship as walked from the thing."""
    has: Has


@dataclass(frozen=True, slots=True)
class Together:
    """Tied to one other thing by several relationships at once."""

    steps: tuple[tuple[str, bool], ...]
    """Types, and whether each leads from here to the other."""
    thing: Thing

    @property
    def path(self) -> Path:
        """The first of the relationships."""
        return (Step(self.steps[0][0], self.steps[0][1], self.thing.label),)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Comes first by a measure over a property of what it is tied to, or of how it is."""

    wanted: Wanted
    measure: Measure
    descending: bool
    distinct: bool = False
    """Whether equal values count once."""


@dataclass(frozen=True, slots=True)
class Figured:
    """A measure over a property of what it is tied to, or of how it is, compared with a number."""

    wanted: Wanted
    measure: Measure
    operator: Operator
    number: int | float


@dataclass(frozen=True, slots=True)
class Compared:
    """A property compared with one of another thing."""

    name: str
    operator: Operator
    thing: Thing
    other: str


@dataclass(frozen=True, slots=True)
class Versus:
    """A property compared with another one of the same thing."""

    name: str
    operator: Operator
    other: str


@dataclass(frozen=True, slots=True)
class Loose:
    """Tied to a thing in a way that depends on what the limit is laid on; ``word`` is the preposition."""

    thing: Thing
    word: str = ""
    quantity: Quantity | None = None
    negated: bool = False
    other: Thing | None = None
    """What it is counted against, where the quantity says so."""
    apart: bool = False
    """Whether it is said as another thing: "with a person named Ann", not "with the name Ann"."""
    kind_said: bool = False
    """Whether its kind is said: "in a war of 1914", not "in 1914"."""


@dataclass(frozen=True, slots=True)
class LooseNumber:
    """A number or day compared with a property that is not named; ``hint`` says of which kind."""

    operator: Operator
    value: Literal | None
    hint: str
    thing: Thing | None = None
    """Compared with this thing's property instead of a value."""
    unit: str = ""
    """The unit said with the number, in the singular."""


@dataclass(frozen=True, slots=True)
class LooseExtreme:
    """The largest or smallest of a property that is not named: "oldest"."""

    hint: str
    descending: bool


@dataclass(frozen=True, slots=True)
class Each:
    """Marks the one thing that is spoken of: for each of which something is asked, or that "it" means."""


Limit: TypeAlias = (
    Each
    | Has
    | Linked
    | Denied
    | AnyOf
    | Counted
    | Only
    | Exceeds
    | Most
    | Extreme
    | Told
    | Ranked
    | Together
    | Figured
    | Compared
    | Versus
    | Loose
    | LooseNumber
    | LooseExtreme
)


@dataclass(frozen=True, slots=True)
class Thing:
    """Nodes of one label with what is said of them."""

    label: str
    limits: tuple[Limit, ...] = ()

    def plus(self, *limits: Limit) -> Thing:
        """The same things, limited further."""
        return Thing(self.label, (*self.limits, *(x for x in limits if x not in self.limits)))


@dataclass(frozen=True, slots=True)
class Quantity:
    """How many of a noun: none, a compared number, the most; ``kind`` names which."""

    kind: str
    """``none``, ``number``, ``most``, ``each``, ``first``, ``top``, ``only`` or ``exceeds``."""
    operator: Operator = Operator.EQ
    number: int = 0
    descending: bool = True


CUT: Final = frozenset({"first", "top"})
"""Kinds of quantity that say how many are wanted, not how many there are."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A property of the thing, or of what a path from it leads to."""

    path: Path
    label: str
    """The label, or the relationship type where ``step`` is given."""
    name: str
    step: Step | None = None
    """A property of this relationship, as walked from the thing, not of a node."""
    others: tuple[Step, ...] = ()
    """Further relationships with such a property, of which one may be named elsewhere."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase that ends before word ``end``."""

    end: int
    thing: Thing
    score: float
    features: Features = ()
    quantity: Quantity | None = None
    wanted: tuple[Wanted, ...] = ()
    last: tuple[Limit, ...] = ()
    """What the last modifier added."""
    modified: int = 0
    """How many modifiers it has."""
    named: bool = False
    """Whether it is known by a name, so that it stands for one thing."""
    bare: bool = False
    """Whether only its label was said."""
    number: str = ""
    """``one`` or ``many``, where its form tells."""
    also: tuple[Thing, ...] = ()
    """Further things after "and"."""
    either: tuple[Thing, ...] = ()
    """Further things after "or"."""
    by_value: bool = False
    """Whether values of a property are meant, so that what is counted is counted for each value."""


@dataclass(frozen=True, slots=True)
class Owned:
    """A noun that waits for its owner: "friends" of whom. ``path`` leads from the owner to the thing."""

    end: int
    owner: str
    path: Path
    thing: Thing
    score: float
    features: Features = ()


@dataclass(frozen=True, slots=True)
class Predicate:
    """What may be said of a thing labelled ``label``, or of any where it is empty."""

    end: int
    label: str
    limits: tuple[Limit, ...]
    score: float
    features: Features = ()
    finite: bool = False
    """Whether it has a verb that makes a sentence."""
    number: str = ""
    """``one`` or ``many`` where the verb says how many its subject is."""
    hole: str = ""
    """``object`` where the thing is what a verb's object would be, ``place`` where it is no person."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure: of a property, or with an empty name of how many things there are."""

    measure: Measure
    wanted: Wanted


@dataclass(frozen=True, slots=True)
class Asked:
    """A whole question."""

    thing: Thing
    head: Head
    score: float
    features: Features = ()
    wanted: tuple[Wanted, ...] = ()
    measure: Measure | None = None
    group: Wanted | None = None
    """The property whose values are counted."""
    figures: tuple[Figure, ...] = ()
    """What is measured, where it is more than a plain count or for each of something."""
    keys: tuple[Wanted, ...] = ()
    """Properties for each value of which it is measured; what is marked by ``Each`` is a further key."""
    each: bool = False
    """Whether what ``Each`` marks is a key."""
    each_key: str = ""
    """The property by which what ``Each`` marks is told apart; its name where empty."""
    order: Limit | None = None
    limit: int | None = None
    descending: bool = True
    counted_too: bool = False
    """Whether the number that answers are chosen by is asked for as well."""
    pooled: bool = False
    """Whether what is counted is counted for each value of the property wanted."""
    ranked_by: int | None = None
    """Number of the figure that rows are sorted by."""


def reverse(path: Path, start: str) -> Path:
    """A path walked from its end to ``start``.

    >>> reverse((Step("WROTE", True, "Book"),), "Person")
    (Step(type='WROTE', forward=False, to='Person'),)
    """
    labels = [start, *(s.to for s in path)]
    return tuple(Step(s.type, not s.forward, labels[i]) for i, s in reversed(list(enumerate(path))))


def marked(thing: Thing) -> bool:
    """Whether ``Each`` stands somewhere among what is said of a thing."""
    return any(_has_mark(x) for x in thing.limits)


def _has_mark(limit: Limit) -> bool:
    if isinstance(limit, (Linked, Counted, Most, Loose)):
        return marked(limit.thing)
    if isinstance(limit, Denied):
        return any(_has_mark(x) for x in limit.limits)
    return isinstance(limit, Each)


def loose(limits: tuple[Limit, ...]) -> Iterator[Limit]:
    """The limits that wait for a label, at any depth of groups."""
    for limit in limits:
        if isinstance(limit, (Loose, LooseNumber, LooseExtreme)):
            yield limit
        elif isinstance(limit, Denied):
            yield from loose(limit.limits)
        elif isinstance(limit, AnyOf):
            for group in limit.options:
                yield from loose(group)
