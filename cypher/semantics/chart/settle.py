"""Lays the limits of a predicate on things of one label: bridges, unnamed properties, quantities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Final

from cypher.semantics.chart.ages import is_age, is_later, is_year
from cypher.semantics.chart.forms import (
    AnyOf,
    Compared,
    Denied,
    Extreme,
    Has,
    Limit,
    Linked,
    Loose,
    LooseExtreme,
    LooseNumber,
    Ranked,
    Thing,
    Wanted,
    loose,
    reverse,
)
from cypher.semantics.chart.lexemes import Vocabulary
from cypher.semantics.chart.limits import of_one_kind
from cypher.semantics.chart.positions import POSITIONS, positioned
from cypher.semantics.chart.quantities import BESIDE, GOING, WITH, behind, wanted_so
from cypher.semantics.chart.ways import Ways
from cypher.semantics.chart.wordlists import LOCATING
from cypher.semantics.cues import FLIPPED
from cypher.semantics.day_times import is_time
from cypher.semantics.ir import Measure, Operator
from cypher.semantics.kept_as import is_kept_as_day
from cypher.semantics.lexicon import PropertyInfo
from cypher.semantics.lives import asks_age
from cypher.semantics.numbers import hinted
from cypher.semantics.schema_paths import Path
from cypher.semantics.text import identifier_words
from cypher.semantics.units import converted, is_of_time, may_be_in, own_unit

MOST_WAYS: Final = 3
LIVED: Final = 2.5
"""Cost of a day being that of somebody's birth or death where nobody speaks of lives."""
TURN: Final = 2.0
"""Cost of going back over a relation that no word named on the way there."""
UNDER: Final = "under"
"""Preposition of what is done to things, said as a noun: "ships under Ann's command"."""
WHERE: Final = "where"
"""Preposition of what a clause of its own tells of a thing that it names anew."""
ASTRAY: Final = 0.6
"""What speaks against "from" and "to" for what neither goes nor comes; much more where it is had."""
TURNED: Final = 1.8
"""What speaks against "at" for what lies in a thing, not the thing in it: "(in) Lund at a quay"."""
OFTEN: Final = "often"
"""In place of a preposition, where so many things have a value that is spoken of."""
MOST_COST: Final = 3.0
"""Of a bridge to what a verb's subject should be."""
FLIP: Final = {
    Operator.GT: Operator.LT,
    Operator.LT: Operator.GT,
    Operator.GE: Operator.LE,
    Operator.LE: Operator.GE,
}
_HIGH: Final = frozenset({"highest", "lowest"})
_HIGHER: Final = frozenset({"higher", "lower"})
_CLOCK: Final = frozenset({"seconds", "minutes", "hours"})
"""Units of what takes a while, not of an age."""
_ROLES: Final = {"from": "doing", "by": "doing", "to": "done"}
_ENDS: Final = {
    "to": frozenset(("arrived", "arrives", "arrival", "destination", "target", "ended", "delivered")),
    "from": frozenset(("departed", "departs", "departure", "origin", "source", "started", "left")),
}
"""Words of a type's name for the end that a preposition of going says."""
_PLACED: Final = frozenset({"in", "at", "within", "part"})
"""Words of a type's name for what lies in something."""
_SAYING: Final = frozenset({"by", "on", "in", "at", "of", "for", "with", "under", "as", "dated", "from"})
_SAME: Final = frozenset({"of", "with", "among"})
"""What may stand before a thing that is said twice: "the phone number of the phone"."""
_LYING: Final = frozenset({"in", "at", "on", "under", "within"})
"""Prepositions before the end of a relation whose type names them, not before its start."""
_WHOLE: Final = frozenset({"of", "among"})
"""Prepositions of all there are: "the oldest (person) of all people"."""
_OWNING: Final = frozenset({"with", "has", "have", "had", "having", "of"})
Settled = tuple[tuple[Limit, ...], float]


class Settler:
    """Turns what waits for a label into limits on that label."""

    def __init__(self, vocabulary: Vocabulary, ways: Ways, said: frozenset[str] = frozenset()) -> None:
        """``said`` are the words of the question, in small letters."""
        self._vocabulary, self._ways, self._said = vocabulary, ways, said

    def on(self, label: str, waiting: str, limits: tuple[Limit, ...], *, near: bool = False) -> list[Settled]:
        """The limits as laid on ``label`` when they were made for ``waiting`` (any label if empty).

        ``near`` where the thing is a verb's object, which may well lie behind what the verb names: who lives
        in an area lives at an address in it.
        """
        if waiting in ("", label):
            return self.settle(limits, label)
        out = []
        for path, cost in self._ways.bridges(label, waiting):
            for settled, more in self.settle(limits, waiting):
                apart = 0.0 if near else 0.3 if self._ways.owning(path) and path[0].forward else 1.2
                back = TURN if any(_turns(path, x) for x in settled) else 0.0
                out.append((behind(path, waiting, settled), cost + more + apart + back))
        return [s for s in sorted(out, key=lambda s: s[1]) if s[1] <= MOST_COST][:MOST_WAYS]

    def settle(self, limits: tuple[Limit, ...], label: str) -> list[Settled]:
        """Every likely way to lay limits on a label, cheapest first, with its cost."""
        if not any(loose(limits)):
            return [(limits, 0.0)]
        options = [self._one(limit, label) for limit in of_one_kind(limits, label)]
        out: list[Settled] = [
            (tuple(x for some, _ in chosen for x in some), sum(c for _, c in chosen))
            for chosen in product(*(o[:MOST_WAYS] for o in options))
        ]
        return sorted(out, key=lambda s: s[1])[:MOST_WAYS]

    def _one(self, limit: Limit, label: str) -> list[Settled]:
        if isinstance(limit, Loose):
            return list(self._loose(limit, label))
        if isinstance(limit, LooseNumber):
            return list(self._number(limit, label))
        if isinstance(limit, LooseExtreme):
            return list(self._extreme(limit, label))
        if isinstance(limit, Denied):
            return [((Denied(x),), c) for x, c in self.settle(limit.limits, label)]
        if isinstance(limit, AnyOf):
            groups = [self.settle(g, label)[:1] for g in limit.options]
            if not all(groups):
                return []
            return [((AnyOf(tuple(g[0][0] for g in groups)),), sum(g[0][1] for g in groups))]
        return [((limit,), 0.0)]

    def _loose(self, limit: Loose, label: str) -> Iterator[Settled]:
        thing = limit.thing
        if limit.word == OFTEN:
            return
        if thing.label == label and limit.word == WHERE and not limit.apart:
            yield thing.limits, 0.0
            return
        if thing.label == label:
            if limit.quantity is None and all(isinstance(x, Has) for x in thing.limits) and thing.limits:
                merged: tuple[Limit, ...] = thing.limits
                fellow = self._is_fellow(limit)
                said = limit.word in _SAYING and not fellow
                if fellow and limit.word not in WITH:
                    return
                if not limit.apart:
                    yield ((Denied(merged),) if limit.negated else merged), 0.3 if said else 1.5
            if limit.word == UNDER and thing.limits and limit.quantity is None and not limit.negated:
                yield thing.limits, 0.3
            own = [s for s in self._ways.between(label, label) if len(s) == 1 and s[0].forward]
            whole = limit.word in _WHOLE and not thing.limits
            if (whole or not own) and limit.quantity is None and not limit.negated and limit.word in _SAME:
                yield thing.limits, 0.5
            for single in own[:2]:
                yield (wanted_so(single, limit),), 1.6 + 0.4 * len(own)
            return
        if playing := _played(thing, label):
            yield (wanted_so(playing[0], replace(limit, thing=playing[1])),), 0.0
        if limit.word not in ("has", "with") and not limit.kind_said and self._is_day(thing):
            return
        for path, cost in self.lying(label, thing.label, limit.word):
            yield (wanted_so(path, limit),), cost

    def lying(self, label: str, to: str, word: str) -> Iterator[tuple[Path, float]]:
        """Ways from one label to another that a preposition may say, each with its cost."""
        for path, cost in self._ways.bridges(label, to):
            bonus = self._bonus(path, word)
            astray = ASTRAY * (4 if self._ways.owning(path) else 1) if word in GOING and not bonus else 0.0
            turned = not bonus and word in _LYING and _is_turned(path, word)
            astray += (TURNED if word == "at" else ASTRAY) * turned
            yield path, cost - bonus + astray

    def _is_fellow(self, limit: Loose) -> bool:
        """Whether somebody is named with, from or by whom something is: "(a person) with Ann" is not Ann."""
        label = self._vocabulary.schema.label(limit.thing.label)
        named = (x for x in limit.thing.limits if isinstance(x, Has) and label)
        return limit.word in BESIDE and any(label and x.name == label.name_property for x in named)

    def _is_day(self, thing: Thing) -> bool:
        """Whether a thing is told by nothing but a day or year, which says when, not what."""
        if not thing.limits or not all(isinstance(x, Has) for x in thing.limits):
            return False
        table = self._vocabulary.words.properties
        found = [table.get((thing.label, x.name)) for x in thing.limits if isinstance(x, Has)]
        return all(i is not None and i.dated for i in found)

    def says_when(self, thing: Thing) -> bool:
        """Whether no value but days tells a thing and it is none itself, as a node of a year is."""
        found = self._vocabulary.schema.label(thing.label)
        told = tuple(x for x in thing.limits if isinstance(x, Has))
        names = {x.name for x in told}
        return (
            self._is_day(Thing(thing.label, told)) and found is not None and found.name_property not in names
        )

    @staticmethod
    def _bonus(path: Path, word: str) -> float:
        """A preposition that the type's own name holds speaks for it, and "has" for having."""
        ends = (x for x in (path[0], path[-1]) if x.forward or word not in _LYING)
        parts = {part for x in ends for part in identifier_words(x.type)}
        if word in _OWNING and len(path) > 1:
            parts -= _OWNING
        if (
            word in parts
            or parts & _ENDS.get(word, frozenset())
            or (word in _LYING and parts & LOCATING)
            or role(path[0].type) == _ROLES.get(word, "no")
        ):
            return 0.6
        return 0.2 if word in _OWNING and parts & {"has", "have"} else 0.0

    def _infos(self, label: str) -> list[PropertyInfo]:
        found = self._vocabulary.schema.label(label)
        table = self._vocabulary.words.properties
        return [table[label, p.name] for p in found.properties] if found else []

    def _measured(self, limit: LooseNumber, label: str) -> Iterator[Settled]:
        """A number in a unit: of the one property that is kept in such a unit, else of the one called so."""
        own = {i: own_unit(self._vocabulary.words, label, i.name) for i in self._infos(label) if i.numeric}
        fit = [i for i, unit in own.items() if may_be_in(limit.unit, i.name, unit)]
        fit = [i for i in fit if own[i]] or fit
        if limit.hint and (found := hinted(fit, limit.hint)):
            fit = [found]
        if self._said & _HIGHER and may_be_in(limit.unit, "height", ""):
            fit = [x for x in (hinted(fit, "height"),) if x]
            if not fit:
                yield from self._lying(limit, label)
        if len(fit) == 1 and isinstance(limit.value, (int, float)):
            value = converted(limit.value, limit.unit, own[fit[0]])
            yield (Has(fit[0].name, limit.operator, value),), 0.3

    def _lying(self, limit: LooseNumber, label: str) -> Iterator[Settled]:
        """ "(Huts) higher than 2000 metres": by the height of the nearest thing that has one."""
        ways = [
            (cost, len(path), i, other.name, path)
            for other in self._vocabulary.schema.labels
            for path, cost in self._ways.bridges(label, other.name)
            for i, info in enumerate(self._infos(other.name))
            if path and info.numeric and hinted([info], "height")
        ]
        for cost, _, _, owner, path in sorted(ways, key=lambda x: x[:4])[:1]:
            for settled, more in self._measured(limit, owner) if cost <= MOST_COST else ():
                yield behind(path, owner, settled), cost / 2 + more

    def _number(self, limit: LooseNumber, label: str) -> Iterator[Settled]:
        if limit.unit and not is_of_time(limit.unit):
            yield from self._measured(limit, label)
            return
        info = self._timed(label) if limit.unit else None
        if is_time(limit.value):
            info = next((i for i in self._infos(label) if i.time_text), None)
            if info is not None and limit.thing is None:
                yield (Has(info.name, limit.operator, limit.value),), 0.3
            return
        if info is None and limit.unit in _CLOCK:
            return
        info = info or self.property_for(
            label, limit.hint, is_year=is_year(limit.value), day=_is_day(limit.value)
        )
        if info is None or (
            not info.numeric and isinstance(limit.value, (int, float)) and not is_year(limit.value)
        ):
            return
        operator, value = limit.operator, limit.value
        if limit.hint == "age" and limit.thing is None and not is_age(info, value):
            return
        if _is_day(value) and "year" in identifier_words(info.name) and not is_kept_as_day(info):
            return
        if limit.unit and isinstance(value, (int, float)):
            own = own_unit(self._vocabulary.words, label, info.name)
            if own and not may_be_in(limit.unit, info.name, own):
                return
            value = converted(value, limit.unit, own)
        if limit.hint == "age" and any(w in FLIPPED for w in identifier_words(info.name)):
            operator = FLIP.get(operator, operator)
        if limit.thing is not None:
            if limit.thing.label == label:
                yield (Compared(info.name, operator, limit.thing, info.name),), 0.1
            return
        lived = limit.hint == "date" and info.dated and not is_later(info) and not asks_age(self._said)
        yield (Has(info.name, operator, value),), LIVED if lived else 0.3

    def _timed(self, label: str) -> PropertyInfo | None:
        """The property that is kept in a unit of time."""
        units = (
            (i, own_unit(self._vocabulary.words, label, i.name)) for i in self._infos(label) if i.numeric
        )
        return next((i for i, unit in units if unit and is_of_time(unit)), None)

    def property_for(
        self, label: str, hint: str, *, is_year: bool = False, day: bool = False
    ) -> PropertyInfo | None:
        """The ordered property of a label that a hint, or the looks of a number, point to."""
        infos = [i for i in self._infos(label) if i.numeric or i.dated]
        if hint == "date" and not asks_age(self._said) and (later := [i for i in infos if is_later(i)]):
            infos = later
        days = [i for i in infos if is_kept_as_day(i)] if hint == "date" else []
        if hint and (found := hinted(infos, hint)):
            clock = hint == "date" and not found.numeric and not is_kept_as_day(found)
            return days[0] if clock and days else found
        if len(days) == 1:
            return days[0]
        if day:
            return next((i for i in infos if i.dated and not i.numeric), None)
        if is_year:
            return next((i for i in infos if i.dated and i.numeric), None)
        numeric = [i for i in infos if i.numeric and not i.dated]
        return numeric[0] if not hint and len(numeric) == 1 else None

    def _extreme(self, limit: LooseExtreme, label: str) -> Iterator[Settled]:
        high = not limit.hint and bool(self._said & _HIGH)
        info = (hinted(self._infos(label), "height") if high else None) or self.property_for(
            label, limit.hint
        )
        if info is None and limit.hint:
            info = next((i for i in self._infos(label) if i.dated), None) if limit.hint == "age" else None
        if info is None and limit.hint == "rating":
            yield from self._rated(label, limit)
        if info is None and limit.hint in POSITIONS:
            infos = self._vocabulary.words.properties.values()
            yield from (((x,), cost) for x, cost in positioned(label, limit, infos, self._ways))
        if info is None:
            return
        flip = limit.hint == "age" and (info.dated or any(w in FLIPPED for w in identifier_words(info.name)))
        yield (Extreme(info.name, limit.descending != flip),), 0.0

    def _rated(self, label: str, limit: LooseExtreme) -> Iterator[Settled]:
        """ "Highest-rated" by the average over relationships that hold a rating."""
        schema, table = self._vocabulary.schema, self._vocabulary.words.properties
        for relation in schema.relations:
            found = hinted([table[relation.type, x.name] for x in relation.properties], limit.hint)
            for way in self._ways.of(relation.type) if found and found.numeric else ():
                if found and way.own and way.start == label and not way.forward:
                    wanted = Wanted((), relation.type, found.name, way.path[0])
                    yield (Ranked(wanted, Measure.AVG, limit.descending),), 0.3


def _played(thing: Thing, label: str) -> tuple[Path, Thing] | None:
    """The way to things that are called after what they do to such a label: "(films where) the actors"."""
    first = thing.limits[0] if thing.limits else None
    if not isinstance(first, Linked) or len(first.path) != 1 or first.thing != Thing(label):
        return None
    return reverse(first.path, thing.label), Thing(thing.label, thing.limits[1:])


def _is_turned(path: Path, word: str) -> bool:
    """Whether a type's own preposition belongs to its other end: no raid lies "in" what is involved in it.

    So with "at", which no area is said to lie, as the addresses do that are in it.
    """
    lying = _PLACED if word == "at" else {word}
    return any(lying & set(identifier_words(x.type)) and not x.forward for x in (path[0], path[-1]))


def _turns(path: Path, limit: Limit) -> bool:
    """Whether what is said behind a path goes back over the relation that the path came by."""
    step = limit.path[0] if isinstance(limit, Linked) and limit.path else None
    return step is not None and step.type == path[-1].type and step.forward != path[-1].forward


def role(kind: str) -> str:
    """Whether a type's name says that its end does something ("CALLER") or that it is done to ("CALLED")."""
    last = identifier_words(kind)[-1]
    return "done" if last.endswith(("ed", "ee")) else "doing" if last.endswith(("er", "or")) else ""


def _is_day(value: object) -> bool:
    return isinstance(value, str)
