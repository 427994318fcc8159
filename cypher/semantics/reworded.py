"""A question in the words that a graph has, before it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cypher.semantics.as_a_whole import AsAWhole
from cypher.semantics.calendar_parts import quartered
from cypher.semantics.called_by_number import by_label, called_by_number
from cypher.semantics.counted_through import counted_through, numbers_of
from cypher.semantics.enacted import deed_nouns, enacted
from cypher.semantics.gendered import gendered, tells_gender
from cypher.semantics.last_time import day_verbs, ranked_by_day
from cypher.semantics.recorded import recordable, unrecorded
from cypher.semantics.residence import homes, residing
from cypher.semantics.run_out import amounts, run_out
from cypher.semantics.said_plainly import SaidPlainly
from cypher.semantics.spouse import marries, spouses
from cypher.semantics.values import ValueTable
from cypher.semantics.whom import somebody, with_no_person
from schemas.store_schema import StoreSchema


@dataclass(frozen=True, slots=True)
class Plain:
    """A question, with words of it that nothing in the graph explains."""

    text: str
    unexplained: tuple[str, ...] = ()


class Rewordings:
    """What is said in everyday words of a graph, as its schema says it."""

    def __init__(self, schema: StoreSchema, values: ValueTable, people: Sequence[str]) -> None:
        """``people`` are labels whose things are known to be people."""
        self._values, self._person = values, somebody(schema, people)
        self._deeds, self._amounts, self._homes = deed_nouns(schema), amounts(schema), homes(schema)
        self._numbers, self._recordable = numbers_of(schema), recordable(schema)
        self._whole, self._days = AsAWhole(schema, values), day_verbs(schema)
        self._called, self._said = called_by_number(schema), SaidPlainly(schema)
        self._genders = tells_gender(schema, values)
        self._weds = self._genders and marries(schema)

    def plain(self, question: str) -> Plain:
        """The question as the graph's words have it."""
        question = self._whole.plainly(unrecorded(question, self._recordable, self._values))
        question = self._said.plainly(question)
        question = by_label(ranked_by_day(question, self._days), self._called)
        question = spouses(question, self._person) if self._weds else question
        text, unknown = gendered(question, self._person, told=self._genders, values=self._values)
        text = quartered(counted_through(run_out(enacted(text, self._deeds), self._amounts), self._numbers))
        return Plain(residing(with_no_person(text, self._person), self._homes, self._values), unknown)
