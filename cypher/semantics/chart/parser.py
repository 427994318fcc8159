"""The chart: phrases of a question by kind and first word, each found once, the best of each span kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from cypher.semantics.chart.ages import is_deed
from cypher.semantics.chart.dated_ties import ranked_by_tie
from cypher.semantics.chart.forms import (
    CUT,
    Each,
    Extreme,
    Features,
    Has,
    Limit,
    Linked,
    Loose,
    Noun,
    Owned,
    Predicate,
    Thing,
    Told,
)
from cypher.semantics.chart.lexemes import Lattice, Vocabulary
from cypher.semantics.chart.limits import contradicts, goes_without_saying, is_day, is_elsewhere, is_flagged
from cypher.semantics.chart.quantities import of_values
from cypher.semantics.chart.retold import drawn_in, retold
from cypher.semantics.chart.settle import Settler
from cypher.semantics.chart.ways import Ways
from cypher.semantics.chart.wordlists import FREE, FURTHER, HARD, NOTED, PREPOSITIONS
from cypher.semantics.lexicon import PERSONS
from cypher.semantics.score import total
from cypher.semantics.text import identifier_words
from schemas.store_schema import StoreTriple

BEAM: Final = 8
"""Phrases kept for one kind and span."""
PER_LABEL: Final = 3
CROWDING: Final = 0.6
"""What a phrase loses in the beam for each better one of its label, so that labels stay diverse."""
FAR: Final = 0.8
"""Cost of telling of a relationship that rather ties something nearer: "made films reviewed with a 5"."""
ASIDE: Final = 0.6
"""Cost of a property behind a name that only something else has: "the phone 555-01 with the surname Moss"."""
DATED_NAME: Final = 1.5
"""Cost of a day of what has a name: "(hired by) Norrline before 2010" is not the age of Norrline."""
ONE_BEST: Final = 2.0
"""Cost of a superlative of what has a name: "(the friend of) Ann Lee with the highest age"."""
DRAWN_IN: Final = 0.3
"""Cost of a tie that no word names to what a thing is called after."""
MOST_PHRASES: Final = 60_000
"""Phrases made for one question at most; what is not made by then is not read."""
_BREAKS: Final = frozenset(
    ["who", "whom", "whose", "that", "which", "where", "when", "and", "or", "but", ",", "?", ".", ";", ":"]
)
_SOME: Final = frozenset({"any", "all", "both", "certain", "some"})

_TRAITS: Final = frozenset(
    [
        "surname",
        "fullname",
        "full_name",
        "salary",
        "lastname",
        "last_name",
        "firstname",
        "first_name",
        "born",
        "birthdate",
        "birth_year",
        "date_of_birth",
        "dateofbirth",
        "gender",
        "sex",
        "age",
        "nationality",
    ]
)
_CALLINGS: Final = (
    *("officer", "doctor", "patient", "actor", "director", "author", "artist", "politician", "terrorist"),
    *("physician", "manager", "student", "teacher", "owner", "reviewer", "pilot"),
)
_DOERS: Final = (
    *("maker", "grower", "keeper", "worker", "holder", "owner", "player", "driver", "writer", "seller"),
    *("singer", "dancer", "builder", "ranger", "trainer", "teacher", "buyer", "donor", "tenant", "woman"),
)
"""Last parts of names of people."""
_LEAST_DOER: Final = 4

Found = TypeVar("Found", Noun, Owned, Predicate)


@dataclass(frozen=True, slots=True)
class Grammar:
    """What finds each kind of phrase at a word."""

    nouns: Callable[[Parser, int], Iterable[Noun]]
    cores: Callable[[Parser, int], Iterable[Noun]]
    owned: Callable[[Parser, int], Iterable[Owned]]
    predicates: Callable[[Parser, int], Iterable[Predicate]]
    gaps: Callable[[Parser, int], Iterable[Predicate]]
    modifiers: Callable[[Parser, int], Iterable[Predicate]]
    places: Callable[[Parser, int], Iterable[Predicate]]
    limits: Callable[[Parser, int], Iterable[Predicate]]


class Parser:
    """Phrases of one question. Deterministic; made for each question anew."""

    def __init__(
        self,
        lattice: Lattice,
        vocabulary: Vocabulary,
        ways: Ways,
        grammar: Grammar,
        *,
        lenient: bool = False,
        beam: int = BEAM,
    ) -> None:
        self._grammar, self.lenient, self.beam = grammar, lenient, beam
        self.lattice, self.vocabulary, self.ways = lattice, vocabulary, ways
        self.settler = Settler(vocabulary, ways, frozenset(lattice.lower))
        self.lower = lattice.lower
        self.size = len(lattice.words)
        self._memo: dict[tuple[str, int], Sequence[object]] = {}
        self.made = 0
        self.left: dict[int, float | None] = {}
        """What the words behind a place cost, once known."""
        self._people: list[str] | None = None
        self._beside: dict[str, Parser] = {}
        self.topic: Thing | None = None
        """What "it" and "that film" stand for, where the question has named it before."""
        self.topic_number = ""
        """``one`` or ``many`` where that is told."""
        self.topic_words: frozenset[str] = frozenset()
        """The nouns that it was spoken of by, where that is known."""

    def about(self, topic: Thing, number: str = "", words: frozenset[str] = frozenset()) -> Parser:
        """A parser of the same words that knows what is spoken of."""
        own = self.lattice, self.vocabulary, self.ways, self._grammar
        other = Parser(*own, lenient=self.lenient, beam=self.beam)
        other.topic, other.made, other.topic_number = topic, self.made, number
        other.topic_words = words
        return other

    def beside(self, label: str) -> Parser:
        """A parser that takes pronouns for things of a label."""
        if label not in self._beside:
            self._beside[label] = self.about(Thing(label, (Each(),)))
        return self._beside[label]

    def word(self, at: int) -> str:
        """The lower-case word at a place, empty behind the end."""
        return self.lower[at] if 0 <= at < self.size else ""

    def possessive(self, end: int) -> bool:
        """Whether the word before ``end`` has a possessive ending."""
        before = self.word(end - 1)
        return before.endswith(("'s", "s'")) or (self.word(end) == "'" and before.endswith("s"))

    def starts(self, at: int, *, unknown: bool = True) -> list[tuple[int, float]]:
        """Where a phrase may start from ``at`` on, with how many unexplained words are passed over."""
        first = at
        while self.word(at) in FREE or (at > first and self.word(at) == "of" and self.word(at - 1) in _SOME):
            at += 1
        if self.word(at) in FURTHER and self.lattice.of(at + 1, "label"):
            return [(at, 0.0), (at + 1, 0.0)]
        if self.word(at) in NOTED and self.lattice.of(at + 1, "label", "relation", "agent"):
            return [(at, 0.0), (at + 1, 0.0)]
        out = [(at, 0.0)]
        word = self.word(at)
        if unknown and word[:1].isalpha() and word not in HARD | PREPOSITIONS | _BREAKS:
            after = at + 1
            while self.word(after) in FREE:
                after += 1
            out.append((after, self.lost(at)))
        return out

    def people(self) -> list[str]:
        """Labels that "who" may stand for, likeliest first."""
        if self._people is None:
            self._people = self._find_people()
        return self._people

    def _find_people(self) -> list[str]:
        labels = self.vocabulary.schema.labels
        known = {label.name.lower(): label.name for label in labels}
        first = [known[n] for n in PERSONS if n in known]
        traits = [x.name for x in labels if any(p.name.lower() in _TRAITS for p in x.properties)]
        callings = [known[n] for n in _CALLINGS if n in known]
        callings += [x.name for x in labels if x.name.lower().endswith(_DOERS)]
        return list(dict.fromkeys((*first, *traits, *callings, *self.vocabulary.people)))

    def doers(self) -> list[str]:
        """Labels that "who" may stand for: people, and what is called by what it does."""
        doing = (t.start for t in self.vocabulary.schema.triples if _does(t))
        return list(dict.fromkeys((*self.people(), *doing)))

    def is_person(self, label: str) -> bool:
        """Whether things of a label are people."""
        return label in self.people()

    def lost(self, at: int) -> float:
        """How much is lost with a word: less where the schema knows nothing like it."""
        text = self.lattice.words[at].text
        if at and (text[0].isupper() or any(c.isdigit() or c == "@" for c in text)):
            return 4.0
        return 1.5 if any(x.score >= 0.8 for x in self.lattice.at(at)) else 1.0

    def nouns(self, at: int) -> Sequence[Noun]:
        """Noun phrases that start at a word."""
        return self._once("nouns", at, self._grammar.nouns)

    def objects(self, at: int) -> list[Noun]:
        """Noun phrases of which not just the first few are meant, so that others may be told by them."""
        return [n for n in self.nouns(at) if n.quantity is None or n.quantity.kind not in CUT]

    def cores(self, at: int) -> Sequence[Noun]:
        """Noun phrases without modifiers behind them."""
        return self._once("cores", at, self._grammar.cores)

    def owned(self, at: int) -> Sequence[Owned]:
        """Nouns that wait for an owner."""
        return self._once("owned", at, self._grammar.owned)

    def predicates(self, at: int) -> Sequence[Predicate]:
        """Verb phrases without their subject."""
        return self._once("predicates", at, self._grammar.predicates)

    def gaps(self, at: int) -> Sequence[Predicate]:
        """Clauses that lack an object."""
        return self._once("gaps", at, self._grammar.gaps)

    def modifiers(self, at: int) -> Sequence[Predicate]:
        """What may stand behind a noun."""
        return self._once("modifiers", at, self._grammar.modifiers)

    def places(self, at: int) -> Sequence[Predicate]:
        """Clauses behind "where"."""
        return self._once("places", at, self._grammar.places)

    def limits(self, at: int) -> Sequence[Predicate]:
        """Conditions on properties."""
        return self._once("limits", at, self._grammar.limits)

    def _once(self, kind: str, at: int, find: Callable[[Parser, int], Iterable[Found]]) -> Sequence[Found]:
        key = (kind, at)
        if key not in self._memo:
            self._memo[key] = ()
            full = at >= self.size or self.made > MOST_PHRASES
            self._memo[key] = () if full else self.keep(find(self, at))
        return self._memo[key]  # type: ignore[return-value]

    def keep(self, found: Iterable[Found]) -> list[Found]:
        """The best phrases of each span, few of one label."""
        spans: dict[int, list[Found]] = defaultdict(list)
        for item in found:
            self.made += 1
            spans[item.end].append(item)
        return [item for end in sorted(spans) for item in self.best(spans[end])]

    def best(self, found: Iterable[Found]) -> list[Found]:
        """The best of phrases with one end."""
        ranked: list[tuple[float, bool, Found]] = []
        labels: dict[str, int] = defaultdict(int)
        known: set[object] = set()
        for item in sorted(found, key=lambda f: -f.score):
            label = _label(item)
            if labels[label] == PER_LABEL or (meaning := _meaning(item)) in known:
                continue
            known.add(meaning)
            ranked.append((item.score - CROWDING * labels[label], not labels[label], item))
            labels[label] += 1
        ranked.sort(key=lambda r: -r[0])
        near = ranked[0][0] - CROWDING if ranked else 0.0  # "with ID 1" is said alike of a dozen labels
        return [x for i, (score, first, x) in enumerate(ranked) if i < self.beam or (first and score >= near)]

    def attach(self, noun: Noun, predicate: Predicate, *extra: tuple[str, float]) -> list[Noun]:
        """The noun limited by a predicate, in every way that the schema allows."""
        out: list[Noun] = []
        if predicate.hole == "place" and self.is_person(noun.thing.label):
            return out
        if noun.named and not predicate.finite and self.topic is not None and noun.thing == self.topic:
            return out  # "the port with 20 berths" is another than the port that was spoken of
        predicate = ranked_by_tie(self.vocabulary, noun.last, predicate)
        number = noun.number or self._one_named(noun)
        if predicate.finite and {number, predicate.number} == {"one", "many"}:
            extra = (*extra, ("c_number", 1.0))
        said = of_values(noun, predicate.limits) if noun.by_value else predicate.limits
        called_so = any(name == "c_stands" for name, _ in noun.features)
        unsaid = called_so and all(name != "c_relation" for name, _ in predicate.features)
        for found, far_off in self.settler.on(
            noun.thing.label, predicate.label, said, near=bool(predicate.hole)
        ):
            settled = drawn_in(noun.thing, found) if unsaid else found
            cost = far_off if settled == found else min(far_off, DRAWN_IN)
            limits = retold(noun.thing, settled, self.vocabulary.schema)
            if contradicts(noun.thing, limits) or _is_own(noun.thing, limits):
                continue
            if goes_without_saying(noun.thing, limits) or self._is_flagged(noun, predicate):
                continue
            far = FAR * any(isinstance(x, Told) and is_elsewhere(noun.thing, x) for x in limits)
            far += ASIDE * _is_aside(noun, predicate)
            far += DATED_NAME * (self._has_name(noun) and not predicate.finite and is_day(predicate.limits))
            far += ONE_BEST * (noun.named and any(isinstance(x, Extreme) for x in limits))
            features: Features = (*extra, ("c_bridge", cost + far)) if cost + far else extra
            both = noun.features + predicate.features + features
            score = noun.score + predicate.score + total(features)
            out.append(_limited(noun, predicate.end, limits, score, both))
        return out

    def _is_flagged(self, noun: Noun, predicate: Predicate) -> bool:
        """Whether a day is behind a word of yes or no: nobody knows when "(retired) in 2010" was."""
        if not is_flagged(noun.last) or predicate.finite or not is_day(predicate.limits):
            return False
        return is_deed(self.settler.property_for(noun.thing.label, "date"))

    def _has_name(self, noun: Noun) -> bool:
        """Whether a thing is called by its own name, not by its make or kind."""
        label = self.vocabulary.schema.label(noun.thing.label)
        told = {x.name for x in noun.thing.limits if isinstance(x, Has)}
        return noun.named and label is not None and label.name_property in told

    def _one_named(self, noun: Noun) -> str:
        """``one`` where a name stands for a single thing: not "Ann who live"."""
        many = noun.also or noun.either or self.word(noun.end - 1).endswith("s")
        return "one" if noun.named and not noun.modified and not many else ""


def _is_aside(noun: Noun, predicate: Predicate) -> bool:
    """Whether a property of another kind of thing would be told of one that is known by its name."""
    names = {name for name, _ in predicate.features}
    if predicate.finite or "c_said" not in names or {"c_label", "c_relation"} & names:
        return False
    label = noun.thing.label
    told = (x.thing.limits if isinstance(x, (Loose, Linked)) else (x,) for x in predicate.limits)
    others = (x.thing.label for x in predicate.limits if isinstance(x, (Loose, Linked)))
    other = any(x not in ("", label) for x in (predicate.label, *others))
    return noun.named and other and all(isinstance(x, Has) for some in told for x in some)


def _is_own(thing: Thing, limits: tuple[Limit, ...]) -> bool:
    """Whether what is spoken of would be tied to itself: "the people they know" are others than they."""
    tied = (x for x in limits if isinstance(x, Linked) and Each() in x.thing.limits)
    return Each() in thing.limits and any(x.thing.label == thing.label for x in tied)


def _limited(noun: Noun, end: int, limits: tuple[Limit, ...], score: float, features: Features) -> Noun:
    """The noun with limits, which hold for each of those that "or" adds as well."""
    either = tuple(x.plus(*limits) for x in noun.either)
    return Noun(
        end, noun.thing.plus(*limits), score, features, noun.quantity, noun.wanted, limits,
        noun.modified + 1, noun.named, number=noun.number, also=noun.also, either=either,
        by_value=noun.by_value,
    )  # fmt: skip


def _does(triple: StoreTriple) -> bool:
    """Whether things are called by what they do: an operator operates something."""
    noun, verb = identifier_words(triple.start)[-1:], identifier_words(triple.type)[:1]
    doer = noun[0] if noun and noun[0].endswith(("er", "or")) else ""
    return len(doer) > _LEAST_DOER and bool(verb) and verb[0].startswith(doer[:-2])


def _label(item: Noun | Owned | Predicate) -> str:
    """What tells kinds of phrases apart in one beam: the label, or that of what waits for one."""
    if not isinstance(item, Predicate):
        return item.thing.label
    first = item.limits[0] if item.limits else None
    return f"~{first.thing.label}" if not item.label and isinstance(first, Loose) else item.label


def _meaning(item: Noun | Owned | Predicate) -> object:
    if isinstance(item, Predicate):
        return item.label, item.limits, item.finite
    if isinstance(item, Owned):
        return item.owner, item.path, item.thing
    return item.thing, item.quantity, item.wanted, item.also, item.either
