"""Reads a question over any graph: Cypher with parameters, confidence, and what was not understood."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final

from cypher.semantics.absent import absent_texts, without_absent
from cypher.semantics.all_of import all_of
from cypher.semantics.belonging import STATED, belonging, broadened, whether_one
from cypher.semantics.both_parsers import doubts_of_both, explains, left_unexplained, passed_before, ranked
from cypher.semantics.chart.lexemes import Vocabulary
from cypher.semantics.chart.parser import BEAM
from cypher.semantics.chart.reading import ChartReader
from cypher.semantics.chart.ways import Ways
from cypher.semantics.compose import MOST_READINGS, WIDE, Candidate, compose
from cypher.semantics.coordinated import BEHIND, several_named
from cypher.semantics.day_of_deed import days_of_deeds
from cypher.semantics.deeds import counted_deeds
from cypher.semantics.deeds_counted import deeds_counted
from cypher.semantics.demonyms import demonyms
from cypher.semantics.doubts import SURE, echoes, probability
from cypher.semantics.either_of import either_of
from cypher.semantics.evidence import Evidence
from cypher.semantics.excepting import BESIDE, excepting
from cypher.semantics.figure_of_each import figure_of_each
from cypher.semantics.finished import finished
from cypher.semantics.ir import Filter, Node, PropertyRef, Query
from cypher.semantics.kinds import asks_for_kind, named_kind
from cypher.semantics.last_time import at_the_extreme, last_time, tells_another_day
from cypher.semantics.lexicon import Verbalisation, Words, build_words
from cypher.semantics.lightly import lightened
from cypher.semantics.mentions import Given, Linked, Linker
from cypher.semantics.narrower import (
    labels_beside_names,
    labels_said,
    names_apart,
    said_to_be,
    unsaid_labels,
    without_labels,
    without_twins,
)
from cypher.semantics.occasions import repeated, times, whether_once, with_repeats
from cypher.semantics.predicates import unheard_predicates
from cypher.semantics.presently import in_time, tells_ends, things_end, unended, untimed
from cypher.semantics.ranking import reranked
from cypher.semantics.reading import Reading
from cypher.semantics.restricted import only
from cypher.semantics.reworded import Rewordings
from cypher.semantics.said_twice import as_said
from cypher.semantics.schema_paths import SchemaPaths
from cypher.semantics.score import fitted
from cypher.semantics.shown_too import with_figure, without_figure
from cypher.semantics.softened import Thesaurus, passed_over, people, softened, things, told
from cypher.semantics.stored import type_of
from cypher.semantics.undergone import undergone
from cypher.semantics.unknown_nouns import heard, unknown_nouns
from cypher.semantics.values import ValueTable
from cypher.semantics.way import OURS, Way
from cypher.semantics.whom import with_somebody
from cypher.semantics.wrapped import Wrapped, unwrapped
from cypher.semantics.write import Written, write
from schemas.store_schema import PropertyType, StoreSchema


@dataclass(frozen=True, slots=True)
class _Passes:
    """What reads with one set of words."""

    words: Words
    linker: Linker
    chart: ChartReader


class SemanticReader:
    """A parser over one schema and its values. Deterministic; safe to share between threads."""

    def __init__(
        self,
        schema: StoreSchema,
        values: ValueTable,
        spoken: Verbalisation | None = None,
        *,
        way: Way = OURS,
        thesaurus: Thesaurus | None = None,
        evidence: Evidence | None = None,
    ) -> None:
        """With a thesaurus a word that the schema does not know is taken for one nearly the same.

        With ``evidence`` from questions with their queries more readings are made, and ranked by it too.
        """
        self._schema, self._way, self._thesaurus, self._evidence = schema, way, thesaurus, evidence
        self._unsaid = unsaid_labels(schema)
        self._plain_values, self._spoken = values, spoken
        self._over_fewer: dict[tuple[frozenset[str], frozenset[str]], SemanticReader] = {}
        self._lock = Lock()
        values = values.with_words(demonyms(schema, values))
        self._values = values.with_words(spoken.values) if spoken else values
        self._absent = absent_texts(values)
        self._words = build_words(schema, self._values, spoken)
        self._paths = SchemaPaths(schema)
        self._ways = Ways(schema, self._paths)
        self._people = people(schema, thesaurus) if thesaurus else ()
        self._rewordings = Rewordings(schema, self._values, self._people)
        self._tells_ends, self._things_end = tells_ends(schema), things_end(schema)
        self._nobody = things(schema, thesaurus) if thesaurus else frozenset[str]()
        self._kinds = self._values.kinds(MOST_KINDS) if thesaurus else ()
        self._own = self._passes(self._words, self._values)

    def read(self, question: str, *, given: Given | None = None) -> Reading:
        """The readings of one question."""
        return self._over_said(question, given) if self._unsaid else self._fully(question, given)

    def _over_said(self, question: str, given: Given | None) -> Reading:
        """The readings over the labels that the question says and those that it need not say."""
        question = self._rewordings.plain(question).text
        linked = self.link(question, given=given)
        if (told := self._belonging(linked, given)) is not None:
            return told
        if narrow := said_to_be(linked, self._schema):
            question, linked = narrow, self.link(narrow, given=given)
        unsaid = self._unsaid - labels_said(linked, given)
        reading = self._without(unsaid, labels_beside_names(linked))._fully(question, given)
        sure = reading.confidence >= SURE and not reading.linked.unexplained
        return reading if sure else self._broadened(linked, given) or reading

    def _broadened(self, linked: Linked, given: Given | None) -> Reading | None:
        """The reading over a broader label, where it is sure."""
        found = broadened(linked, self._schema)
        inner = self._over_said(found.text, given) if found is not None else None
        if found is None or inner is None or inner.taken or inner.linked.unexplained:
            return None
        return self._made_of(inner, found.around) if inner.confidence >= SURE else None

    def _belonging(self, linked: Linked, given: Given | None) -> Reading | None:
        """The reading where labels are a condition of the question: "pilots who are cooks"."""
        if (asked := whether_one(linked, self._schema)) is not None:
            return self._stated(linked, asked)
        found = belonging(linked, self._schema)
        inner = self._over_said(found.text, given) if found is not None else None
        if found is None or inner is None or inner.taken:
            return None  # children who are patients are not all people who are
        return self._made_of(inner, found.around)

    def _fully(self, question: str, given: Given | None) -> Reading:
        plain = self._rewordings.plain(question)
        of_things = self._things_end
        text = untimed(plain.text, of_things=of_things) if self._tells_ends else plain.text
        reading = self._timed(question, self._wholly(text, given))
        if not reading.heard:
            asked = figure_of_each(plain.text, self._schema) or deeds_counted(plain.text, self._schema)
            if asked is not None:
                return self._stated(reading.linked, asked)
        if not plain.unexplained or reading.linked.unexplained:
            return reading
        return replace(reading, linked=replace(reading.linked, unexplained=plain.unexplained))

    def _timed(self, question: str, reading: Reading) -> Reading:
        """The reading with what goes on, or is over, where the question says so."""
        if reading.query is None:
            return reading
        if over := unended(question, reading.query, self._schema):
            unknown = (*reading.linked.unexplained, over)
            linked = replace(reading.linked, unexplained=tuple(dict.fromkeys(unknown)))
            return replace(reading, linked=linked)
        timed = (in_time(question, c.query, self._schema) for c in reading.candidates)
        first, *others = (replace(c, query=q) for c, q in zip(reading.candidates, timed, strict=True))
        each = reading.of_each and in_time(question, reading.of_each, self._schema)
        return replace(reading, candidates=(first, *others), written=self.write(first.query), of_each=each)

    def _wholly(self, question: str, given: Given | None) -> Reading:
        found = unwrapped(question)
        reading = self._around(found, question, given) if found is not None else None
        reading = reading or self._beside(question, given)
        if reading is not None:
            return reading  # what it is around was read with all that follows
        reading = self._plainly(question, given)
        reading = self._otherwise(reading, given) or reading
        reading = self._of_each(reading, given)
        reading = self._lightly(reading, given) or reading
        return self._times(reading, question, given) or reading

    def _beside(self, question: str, given: Given | None) -> Reading | None:
        """The reading of a simpler question with a condition beside it: one of two, none but one."""
        if not BESIDE.search(question):
            return None
        if shorter := without_figure(question):
            return self._made_of(self._wholly(shorter, given), with_figure)
        linked = self.link(question, given=given)
        if (asked := either_of(linked, self._schema)) is not None:
            return self._made_of(self._wholly(asked.text, None), lambda q: asked.around(q, self._schema))
        if (told := all_of(linked) or only(linked)) is not None:
            inner = self._wholly(told.text, given)
            return self._made_of(inner, told.around) if inner.confidence >= SURE else None
        return self._excepting(linked, given)

    def _excepting(self, linked: Linked, given: Given | None) -> Reading | None:
        """The reading of what has one thing and not another, where each of them is read surely."""
        found = excepting(linked)
        if found is None:
            return None
        texts = [found.has, *found.has_not] if found.has else found.has_not
        read = [self._wholly(text, given) for text in texts]
        queries = [r.query for r in read if r.query is not None and r.confidence >= SURE]
        if len(queries) < len(read) or any(r.linked.unexplained for r in read):
            return None
        query = found.around(queries[0] if found.has else None, queries[1:] if found.has else queries)
        least = min(read, key=lambda r: r.confidence)
        told = self._instead(least, query)
        return replace(told, candidates=told.candidates[:1]) if told is not None else None

    def _times(self, reading: Reading, question: str, given: Given | None) -> Reading | None:
        """For how often something happened what is read of whether it did, where nothing else was sure."""
        sure = reading.confidence >= SURE
        often = None
        beside = tells_another_day(reading.query)
        if last := None if reading.heard and not beside else last_time(question):
            told, which = self._wholly(last[0], given), last[1]
            often = self._made_of(told, lambda q: at_the_extreme(q, which, self._schema))
            if beside and often is not None and often.confidence >= SURE:
                return often
        elif once := None if sure else whether_once(question):
            often = self._made_of(self._wholly(once, given), lambda q: times(q, self._schema))
        elif many := None if sure else repeated(question):
            told, number = self._wholly(many[0], given), many[1]
            often = self._made_of(told, lambda q: with_repeats(q, number, self._schema))
        return often if often is not None and often.confidence > reading.confidence else None

    def _stated(self, linked: Linked, asked: Query) -> Reading:
        """The reading of a question that says nothing else."""
        first = Candidate(asked, 1.0, ())
        return Reading(replace(linked, unexplained=()), (first,), self.write(asked), STATED)

    def _without(self, labels: frozenset[str], named: frozenset[str]) -> SemanticReader:
        """The reader that does not know some labels; see :mod:`cypher.semantics.narrower`.

        Names are of the broader labels and of those ``named``, other values of all labels that it knows.
        """
        named &= self._unsaid
        with self._lock:
            if (labels, named) not in self._over_fewer:
                while len(self._over_fewer) >= MOST_OVER_FEWER:
                    del self._over_fewer[next(iter(self._over_fewer))]
                self._over_fewer[labels, named] = SemanticReader(
                    without_labels(self._schema, labels),
                    self._plain_values.without(names_apart(self._schema, labels, self._unsaid - named)),
                    self._spoken,
                    way=self._way,
                    thesaurus=self._thesaurus,
                    evidence=self._evidence,
                )
            return self._over_fewer[labels, named]

    def link(self, question: str, *, given: Given | None = None) -> Linked:
        """A question with all that is found in it, before it is read."""
        return self._own.linker.link(question, given)

    def _otherwise(self, reading: Reading, given: Given | None) -> Reading | None:
        """The surer reading with a noun where only a kind or a deed was said: "which soups are cheap"."""
        if not reading.candidates:
            return None
        echoed = ("echoed", 1.0) in reading.doubts
        kind = echoed or asks_for_kind(reading.linked, self._schema)
        text = (named_kind(reading.linked, self._schema) if kind else None) or counted_deeds(reading.linked)
        other = self._plainly(text, given) if text else None
        return other if other is not None and other.confidence > reading.confidence else None

    def _of_each(self, reading: Reading, given: Given | None) -> Reading:
        """With the reading of the first of several names, made one of each: "when were A and B born".

        Where all of them together were read surely, it comes behind: it is taken where these have nothing.
        """
        several = several_named(reading.linked) if reading.candidates else None
        one = self._plainly(several.text, given) if several is not None else None
        if several is None or one is None or one.confidence < SURE:
            return reading
        query = several.around(one.query, self._schema)
        if query is None or reading.confidence < SURE:
            return self._instead(one, query) or reading
        best, *others = reading.candidates
        behind = Candidate(without_absent(query, self._absent), best.score - BEHIND, best.features)
        return replace(reading, candidates=(best, behind, *others), of_each=behind.query)

    def _lightly(self, reading: Reading, given: Given | None) -> Reading | None:
        """The surer reading without words that say nothing, where all others are explained without them."""
        text = lightened(reading.linked, self._schema, reading.query) if reading.candidates else None
        other = self._wholly(text, given) if text else None
        if other is None or other.linked.unexplained or other.confidence < max(SURE, reading.confidence):
            return None
        return other

    def _around(self, wrapped: Wrapped, question: str, given: Given | None) -> Reading | None:
        """The reading of a simpler question with what was left out of it, where its first reading fits."""
        simpler = wrapped.text != question
        inner = self._wholly(wrapped.text, given) if simpler else self._plainly(question, given)
        made = self._made_of(inner, lambda query: wrapped.around(query, self._type_of))
        return heard(made, self.link(question), self._own.linker.verbal) if made and simpler else made

    def _made_of(self, reading: Reading, around: Callable[[Query], Query | None]) -> Reading | None:
        """The reading with what is made of each of its queries; ``None`` where that does not fit the best."""
        made = [(c, around(c.query)) for c in reading.candidates]
        if not made or made[0][1] is None:
            return None
        fitting = tuple(replace(c, query=without_absent(q, self._absent)) for c, q in made if q is not None)
        written = write(fitting[0].query, self._schema, self._way)
        each = around(reading.of_each) if reading.of_each is not None else None
        return replace(reading, candidates=fitting, written=written, of_each=each)

    def _instead(self, reading: Reading, query: Query | None) -> Reading | None:
        """The reading with another query in place of its best one."""
        if query is None:
            return None
        query = without_absent(query, self._absent)
        first = replace(reading.candidates[0], query=query)
        written = write(query, self._schema, self._way)
        return replace(reading, candidates=(first, *reading.candidates[1:]), written=written)

    def _type_of(self, query: Query, ref: PropertyRef) -> PropertyType | None:
        return type_of(query, ref, self._schema)

    def _plainly(self, question: str, given: Given | None) -> Reading:
        reading = self._read(self._own, question, given)
        if self._thesaurus is None or not (reading.linked.unexplained or reading.confidence < SURE):
            return reading
        more = softened(reading.linked, self._words, self._schema, self._people, self._thesaurus, self._kinds)
        if more is None:
            return reading
        values = self._values.with_words(more.values) if more.values else self._values
        other = self._read(self._passes(more.words, values), question, given)
        worse = not reading.linked.unexplained and other.confidence < reading.confidence
        if other.query is None or other.linked.unexplained or worse:
            return reading
        if passed_over(more.taken, other.query, reading.linked):
            return reading
        return replace(other, taken=told(more.taken, other.query, reading.linked))

    def _passes(self, words: Words, values: ValueTable) -> _Passes:
        linker = Linker(words, values)
        known = Vocabulary(self._schema, words, values, self._people)
        chart = ChartReader(known, self._ways, linker, beam=WIDE if self._evidence else BEAM)
        return _Passes(words, linker, chart)

    def _read(self, passes: _Passes, question: str, given: Given | None) -> Reading:
        linked, persons = passes.linker.link(question, given), frozenset(self._people)
        found = tuple(Candidate(c.query, c.score, c.features) for c in passes.chart.read(linked, given))
        charted = reranked(linked, with_somebody(linked, found, self._nobody, persons), self._schema)
        most = WIDE if self._evidence else MOST_READINGS
        read = compose(linked, self._schema, self._paths, passes.words, most=most)
        composed = reranked(linked, with_somebody(linked, read, self._nobody, persons), self._schema)
        candidates = tuple(
            self._finished(linked, c) for c in ranked(charted, composed, mixed=self._evidence is not None)
        )
        if self._evidence:
            candidates = self._evidence.weighed(linked, candidates, self._schema)
        candidates = undergone(linked, without_twins(linked, candidates, self._schema), self._schema)
        candidates = days_of_deeds(linked, as_said(linked, candidates), self._schema)
        written = write(candidates[0].query, self._schema, self._way) if candidates else None
        doubts = doubts_of_both(linked, charted, composed, candidates, self._schema) if candidates else ()
        if candidates and echoes(linked, candidates[0].query, self._schema):
            doubts = (*doubts, ("echoed", 1.0))
        if explains(charted) and not left_unexplained(charted):
            nouns = unknown_nouns(linked, passes.linker.verbal)
            linked = replace(linked, unexplained=(*passed_before(linked, charted), *nouns))
        best = candidates[0].query if candidates else None
        said = (*linked.unexplained, *unheard_predicates(linked, self._schema, best))
        linked = replace(linked, unexplained=tuple(dict.fromkeys(said)))
        confidence = probability(doubts, fitted().understood) if candidates else 0.0
        return Reading(linked, candidates, written, confidence, doubts)

    def _finished(self, linked: Linked, candidate: Candidate) -> Candidate:
        infos = self._words.properties
        return finished(linked, candidate, self._schema, infos=infos, absent=self._absent)

    @property
    def schema(self) -> StoreSchema:
        """The schema that questions are read over."""
        return self._schema

    @property
    def way(self) -> Way:
        """How its readings are written."""
        return self._way

    def elements(self, label: str, conditions: tuple[Filter, ...]) -> Written:
        """Cypher for the ids of the nodes of a label that meet conditions, as one list."""
        way = replace(self._way, elements=True)
        return write(Query((Node(label),), filters=conditions), self._schema, way)

    def write(self, query: Query, *, whole_nodes: bool = False, bare: bool = False) -> Written:
        """Cypher of a reading in the reader's way or with more; see :class:`cypher.semantics.way.Way`."""
        whole, bare = whole_nodes or self._way.whole_nodes, bare or self._way.bare
        return write(query, self._schema, replace(self._way, whole_nodes=whole, bare=bare))


MOST_OVER_FEWER: Final = 4
"""Readers over fewer labels that are kept; most questions say none of the narrower ones."""
MOST_KINDS: Final = 12
"""Different values of a property at most, for which a near word may stand."""
