"""How a question is read: by a shape, by the general reading, in plainer words; and which of them counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from cypher import unsupported
from cypher.answers.read_form import reading
from cypher.answers.reading import Reading
from cypher.are_limits import form_of_limits, plan_of_limits, split_limits
from cypher.asked_unit import split_unit
from cypher.both_of import both_of
from cypher.charges_told import others_told
from cypher.decide import Decision, decide
from cypher.differences import difference_named
from cypher.direction import WRONG_WAY
from cypher.form import Form, Order
from cypher.general.agree import conflict, is_bare, of_form, of_plan, splits_a_name
from cypher.general.plan import ListOf, Plan
from cypher.general.reader import read as general_reading
from cypher.general.sizes import form_compares, plan_compares
from cypher.indexed import indexed
from cypher.joints import MIXED, TWO_THINGS
from cypher.largest import OF_SOURCES, asks_which_measurement
from cypher.left_open import left_open, of_the_schema
from cypher.link import EntityWord, Linked, Linker, whole_names
from cypher.no_limits import limits_left_out, split_no_limits
from cypher.normalise import primes
from cypher.not_honoured import not_honoured
from cypher.own_store import fingerprint_of
from cypher.paraphrase import settled
from cypher.particle_phrases import decays_written, parents_asked, rates_asked, with_signs
from cypher.printed_errors import PRINTED, form_with_errors, lists_values, split_errors
from cypher.recent_years import counted_back
from cypher.replacing import with_replacers
from cypher.rivals import rivals_ranked
from cypher.said_names import other_numbers, said_names
from cypher.schema_words import Lexicon
from cypher.seldom_known import seldom_told
from cypher.several import each_named
from cypher.shared_of import spelled_out
from cypher.signs_between import joined_by_sign
from cypher.slots import NOT_INSIDE
from cypher.stages import stage
from cypher.titles import NOT_READ, form_with_title, plan_with_title, speaks_of_title, split_title
from cypher.vocabulary import Vocabulary
from cypher.ways.masked import masked
from cypher.ways.nearest import AHEAD, KnownWays, Nearest
from cypher.wordings import Wordings
from cypher.year_order import NOT_APPLIED, ordered, split_order
from schemas.graph_schema import GraphSchema
from schemas.ports import ValueIndex
from schemas.questions import EntityMatch, Outcome
from schemas.ways import Ways, catalog_ways

MOST_WORDINGS: Final = 20
"""Other wordings of one question that are tried."""
_READ_AS: Final = "Read as: "
OVERRULING: Final = 0.1
"""Margin of a known way of asking, from which on it counts more than how the words were read."""
EXACTLY: Final = " with exactly "
OTHERS_INCLUDED: Final = (
    "Decays with more products are included; 'to exactly' those products leaves them out."
)
_UNREAD: Final = frozenset({Outcome.UNANSWERABLE, Outcome.AMBIGUOUS})


@dataclass(frozen=True, slots=True)
class Understood:
    """What a question was read as: a form of a shape (in ``decision``), a ``plan``, or neither."""

    linked: Linked
    decision: Decision
    plan: Plan | None = None
    """Set where the general reading counts."""
    unit: str = ""
    """In which unit the values are wanted, where that is said."""
    said: str = ""
    """The wording that was read."""

    @property
    def named(self) -> tuple[EntityMatch, ...]:
        """Things that the question names, then those whose names are near to unknown words."""
        words = (o for s in self.linked.spans for o in s.options if isinstance(o, EntityWord))
        named = self.decision.entities or tuple(o.matches[0] for o in words if o.matches)
        return (*named, *self.linked.near)

    @property
    def reworded(self) -> bool:
        """Whether it was read in other words than its own."""
        told = self.plan.assumptions if self.plan else self.decision.assumptions
        return any(a.startswith(_READ_AS) for a in told)

    def reread(self, form: Form | None, plan: Plan | None) -> Understood:
        """The same with another form or plan."""
        return replace(self, plan=plan) if plan else replace(self, decision=replace(self.decision, form=form))

    def noted(self, note: str) -> Understood:
        """The same with one assumption more."""
        plan, decision = self.plan, self.decision
        told = replace(plan, assumptions=(*plan.assumptions, note)) if plan else None
        return replace(self, plan=told, decision=replace(decision, assumptions=(*decision.assumptions, note)))


class QuestionReader:
    """Reads questions over one index of names; keeps the words of the schema."""

    def __init__(self, values: ValueIndex, ways: Ways | None = None) -> None:
        """Without ``ways`` of asking, those that come with the packaged schema of that name are known."""
        self._values, self._own_ways = values, ways
        self._lexicon: tuple[str, Lexicon] | None = None
        self._ways: dict[str, KnownWays] = {}

    def read(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Understood:
        """The question as it stands, else in plainer words, else as the nearest known way of asking."""
        words = self._lexicon_of(schema).words()
        told = (counted_back(text), left_open(text), of_the_schema(text, words), not_honoured(text))
        if reason := next((t for t in told if t), ""):
            linked = self._linker(text, schema, vocabulary).link()
            return Understood(linked, Decision(None, Outcome.UNANSWERABLE, reason))
        text, reason = joined_by_sign(text, lambda said: self._linker(said, schema, vocabulary))
        if reason:
            linked = self._linker(text, schema, vocabulary).link()
            return Understood(linked, Decision(None, Outcome.UNANSWERABLE, reason))
        return self._without_title(text, schema, vocabulary) or self._nearly(text, schema, vocabulary)

    def _without_title(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Understood | None:
        """What is said of a title is no name of what is asked; ``None`` where nothing is said of one."""
        rest, said = split_title(text)
        if not said:
            return None
        found = self._nearly(rest, schema, vocabulary)
        plan = plan_with_title(found.plan, said, schema) if found.plan else None
        form = None if found.plan else form_with_title(found.decision.form, said, schema)
        if plan or form:
            return found.reread(form, plan)
        found = self._nearly(text, schema, vocabulary)
        form = found.decision.form
        if (found.plan or form) and not speaks_of_title(form, found.plan):
            return Understood(found.linked, Decision(None, Outcome.UNANSWERABLE, NOT_READ))
        return found

    def _nearly(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Understood:
        found = self._told(text, schema, vocabulary)
        read = bool(found.plan or found.decision.form)
        open_still = found.decision.outcome is Outcome.UNANSWERABLE and not _is_final(found.decision)
        if not (found.reworded if read else open_still):
            return found
        with stage("ways"):
            meant = self._meant(text, schema, vocabulary, ahead=OVERRULING if read else AHEAD)
        again = self._told(meant.asked, schema, vocabulary) if meant else found
        if meant is None or primes(meant.asked) < primes(text) or not (again.plan or again.decision.form):
            return found
        if read and (again.plan, again.decision.form) == (found.plan, found.decision.form):
            return found
        return again.noted(_read_as(meant.asked, meant.left))

    def as_it_stands(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Understood:
        """The question in its own words and no others, none of them taken apart."""
        return self._understood(text, schema, vocabulary, self._linker(text, schema, vocabulary))

    def meaning(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Reading:
        """What a question was read as, with the phrases of its own words."""
        found = self.read(text, schema, vocabulary)
        own = text.startswith(found.linked.text)
        linked = found.linked if own else self._linker(text, schema, vocabulary).link()
        return reading(text, linked, found.decision, found.plan)

    def _meant(
        self, text: str, schema: GraphSchema, vocabulary: Vocabulary, *, ahead: float
    ) -> Nearest | None:
        """The question that the nearest way of asking stands for, where it is near enough."""
        name = schema.name
        if name not in self._ways:
            self._ways[name] = KnownWays(catalog_ways(name) if self._own_ways is None else self._own_ways)
        ways = self._ways[name]
        variants = tuple(masked(text, self._linker(text, schema, vocabulary), ways.kinds))
        nearest = ways.nearest(variants) if variants else None
        return nearest if nearest is not None and nearest.sure and nearest.margin >= ahead else None

    def _told(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Understood:
        plain = settled(rates_asked(text))
        asked = parents_asked(plain)
        found = self._in_full(asked, schema, vocabulary)
        read = bool(found.plan or found.decision.form)
        return found.noted(OTHERS_INCLUDED) if read and asked != plain and EXACTLY not in asked else found

    def _in_full(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Understood:
        text = spelled_out(text, self._lexicon_of(schema).is_kind)

        def name(said: str) -> str:
            return self._linker(said, schema, vocabulary).thing()

        text = rivals_ranked(decays_written(indexed(text, name)), name)
        text = both_of(each_named(difference_named(text, name), name), name)
        plain, order = split_order(text)
        if order is not Order.PLAIN:
            found = self._without_limits(plain, schema, vocabulary)
            return self._in_order(found, order, schema)
        return self._without_limits(text, schema, vocabulary)

    def _in_order(self, found: Understood, order: Order, schema: GraphSchema) -> Understood:
        form = None if found.plan or found.decision.form is None else found.decision.form
        inside = ordered(form, order, schema) if form is not None else None
        if inside is not None:
            return replace(found, decision=replace(found.decision, form=inside))
        return found.noted(NOT_APPLIED) if found.plan or form is not None else found

    def _without_limits(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Understood:
        plain, no_limits = split_no_limits(text)
        if no_limits:
            found = self._read_with_unit(plain, schema, vocabulary)
            form = limits_left_out(found.decision.form, schema) if found.plan is None else None
            if form is not None:
                return replace(found, decision=replace(found.decision, form=form))
        return (
            self._with_errors(text, schema, vocabulary)
            or self._being_limits(text, schema, vocabulary)
            or self._read_with_unit(text, schema, vocabulary)
        )

    def _with_errors(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Understood | None:
        rest, errors = split_errors(text)
        if errors is None:
            return None
        found = self._read_with_unit(rest, schema, vocabulary)
        if found.plan and not errors.required and lists_values(found.plan, schema):
            return found.noted(PRINTED)
        form = None if found.plan else form_with_errors(found.decision.form, errors, schema)
        return found.reread(form, None).noted(PRINTED) if form is not None else None

    def _being_limits(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Understood | None:
        rest, said = split_limits(text, schema)
        if said is None:
            return None
        found = self._read_with_unit(rest, schema, vocabulary)
        plan = plan_of_limits(found.plan, said, schema) if found.plan else None
        form = None if found.plan else form_of_limits(found.decision.form, said, schema)
        return found.reread(form, plan) if plan or form else None

    def _read_with_unit(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Understood:
        bare, unit = split_unit(text)
        found = self._read(bare, schema, vocabulary)
        if unit and not found.plan and found.decision.form is None:
            return self._with_names(self._read(text, schema, vocabulary), schema, vocabulary)
        return replace(self._with_names(found, schema, vocabulary), unit=unit)

    def _with_names(self, found: Understood, schema: GraphSchema, vocabulary: Vocabulary) -> Understood:
        """With what has to be said of the names, which stand in the answer's assumptions."""
        form, plan = found.decision.form, found.plan
        values = of_plan(plan).values if plan is not None else of_form(form).values if form else frozenset()
        used = frozenset(str(v) for name, v in values if name == "id")
        compares = (plan is not None and plan_compares(plan)) or (form is not None and form_compares(form))
        problem = other_numbers(found.linked, used) if compares else ""
        if problem:
            unlike = Decision(None, Outcome.UNANSWERABLE, problem, entities=found.decision.entities)
            return Understood(found.linked, unlike)
        named = said_names(found.linked, used, self._values) if used else ()
        seldom = seldom_told(found.linked, values, vocabulary.known, schema)
        said = (*named, *others_told(found.linked, values), *seldom)
        if not said:
            return found
        if plan is not None:
            return replace(found, plan=replace(plan, assumptions=(*said, *plan.assumptions)))
        decision = replace(found.decision, assumptions=(*said, *found.decision.assumptions))
        return replace(found, decision=decision)

    def _read(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Understood:
        made: dict[str, Linker] = {}

        def linker(said: str) -> Linker:
            if said not in made:
                made[said] = self._linker(said, schema, vocabulary)
            return made[said]

        first = replace(self._understood(text, schema, vocabulary, linker(text)), said=text)
        unsigned = first.decision.outcome is Outcome.AMBIGUOUS and with_signs(text) != text
        if first.plan or not (unsigned or first.decision.outcome is Outcome.UNANSWERABLE):
            return first
        if _is_settled(first.decision):
            return first
        words = self._lexicon_of(schema).words()
        wordings = Wordings(schema, vocabulary, self._values, linker, words)
        for plain, left in islice(wordings.plainer(text), MOST_WORDINGS):
            if primes(plain) < primes(text):
                continue
            again = self._understood(plain, schema, vocabulary, linker(plain))
            open_still = again.decision.outcome is Outcome.AMBIGUOUS and not unsigned
            if again.plan or again.decision.form is not None or open_still:
                return replace(again.noted(_read_as(plain, left)), said=plain)
        return first

    def shapes(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> tuple[Linked, Decision]:
        """The reading by shapes alone."""
        linked = self._linker(text, schema, vocabulary).link()
        linked = with_replacers(linked, text, schema) or linked
        return linked, decide(text, linked, schema)

    def _understood(
        self, text: str, schema: GraphSchema, vocabulary: Vocabulary, linker: Linker
    ) -> Understood:
        """A shape that fits counts, unless the general reading says that it answers another question."""
        with stage("compose"):
            plan = general_reading(text, linker, schema, self._lexicon_of(schema), vocabulary).plan
        with stage("link"):
            linked = linker.link(near=plan is None or is_bare(plan))
        told = with_replacers(linked, text, schema)
        with stage("decide"):
            decision = decide(text, told or linked, schema)
        if asks_which_measurement(text, decision.form):
            ranked = isinstance(plan.head, ListOf) and plan.head.ranking is not None if plan else False
            settled_as = decision if ranked else Decision(None, Outcome.UNANSWERABLE, OF_SOURCES)
            return Understood(linked, settled_as, plan if ranked else None)
        if plan is None or told or unsupported.average_count(linked):
            return Understood(told or linked, decision)
        unread = decision.form is None and decision.outcome in _UNREAD and not _is_settled(decision)
        form = decision.form
        taken = unread or (
            form is not None
            and conflict(form, plan, schema)
            and not splits_a_name(whole_names(linked), form, plan)
        )
        return Understood(linked, decision, plan if taken else None)

    def _linker(self, text: str, schema: GraphSchema, vocabulary: Vocabulary) -> Linker:
        return Linker(
            text,
            index=self._values,
            lexicon=self._lexicon_of(schema),
            vocabulary=vocabulary,
            types=[e.name for e in schema.entities],
        )

    def _lexicon_of(self, schema: GraphSchema) -> Lexicon:
        key = fingerprint_of(schema)
        if self._lexicon is None or self._lexicon[0] != key:
            self._lexicon = (key, Lexicon(schema))
        return self._lexicon[1]


def _is_final(decision: Decision) -> bool:
    """Whether other words would hide what is wrong with a question."""
    return WRONG_WAY in decision.reason or _is_settled(decision)


def _is_settled(decision: Decision) -> bool:
    """Whether the reason says what is wrong with a question, which no other reading mends."""
    return any(why in decision.reason for why in (NOT_INSIDE, TWO_THINGS, OF_SOURCES, MIXED))


def _read_as(text: str, left: tuple[str, ...]) -> str:
    told = f" (left out: {', '.join(map(repr, left))})" if left else ""
    return f"{_READ_AS}{text}{told}"
