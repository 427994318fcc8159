"""Questions to any property graph: read by the composer, passed by the gate, answered without citations."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from cypher.answers.reading import Reading as Asked
from cypher.conditions_looked_at import NOT_LOOKED_AT
from cypher.examples import UNKNOWN, Known, taught
from cypher.generation.ports import Hints
from cypher.guard import check_plan, check_text
from cypher.guarded import guarded
from cypher.near_questions import MOST, ended, with_near
from cypher.normalise import MAX_CHARACTERS, clean, refusal
from cypher.semantics.decide import Decision, Verdict, decide, other_readings
from cypher.semantics.doubts import lead
from cypher.semantics.held_graph import HeldGraph
from cypher.semantics.ir import Head, Query
from cypher.semantics.lexicon import Term
from cypher.semantics.probing import PROBE_SECONDS, Held, matching, with_probes
from cypher.semantics.reader import SemanticReader
from cypher.semantics.reading import Reading
from cypher.semantics.softened import Thesaurus, mended, of_any_kind
from cypher.semantics.text import value_key
from cypher.semantics.values import StoredValue, ValueTable
from cypher.semantics.weighing import Row, found_any, sure_of_nothing, weighed
from cypher.semantics.write import Written
from cypher.store_close import close_questions, drafts
from cypher.store_empty import counts_nothing, tells_nothing, why_empty
from cypher.store_flags import flag_notes, not_known, with_flags
from cypher.store_hints import drafts_of, hints_of, partial_of
from cypher.store_namesakes import namesakes
from cypher.store_reading import reading as as_asked
from cypher.store_repeats import counted_otherwise
from cypher.store_text import sentence
from cypher.store_ties import left_out, widened, with_ties
from cypher.store_unknown import unknown_of_named, unknown_whether
from cypher.store_why import why, words_in
from schemas.errors import QueryFailedError, QueryRefusedError, QueryTimeoutError
from schemas.ports import QueryRunner
from schemas.questions import Answer, CheckedQuery, Outcome, Question, Scope, Subgraph
from schemas.store_schema import StoreSchema
from schemas.store_ties import StoreTies

log = logging.getLogger(__name__)

LEAST = 0.005
"""Least confidence, once the rows are seen, with which an answer is given."""
_NOTHING = "The question fits the graph, but nothing in it matches."
_UNKNOWN = "Something in the graph matches, but what is asked of it is not known."
_EACH = "Nothing matches all that is named together, so what matches each of it is listed."
_ONE_NAME = "Several have the same name; each name is listed once."
Check: TypeAlias = Callable[[Written, float], CheckedQuery]
"""A written query through the gate, with its seconds."""


@dataclass(frozen=True, slots=True)
class Looks:
    """How it is looked which of several near readings matches anything."""

    seconds: float = PROBE_SECONDS
    """For all looks that choose between readings of one question."""
    ties: StoreTies | None = None
    """With the graph's relationships in memory most looks need no server. They are of the whole graph, so
    they are left out where a question is to rest on vetted facts alone."""
    telling: float = 1.0
    """Seconds for what is told where nothing is found or answered: the condition, near questions."""


LOOKS: Final = Looks()


@dataclass(frozen=True, slots=True)
class _Probe:
    """Looks into the graph, through the gate as every query, until the question's time ``ends``."""

    check: Check
    runner: QueryRunner
    ends: float

    def has_rows(self, written: Written, *, timeout: float) -> bool | None:
        found = self.rows(written, most=1, timeout=timeout)
        return None if found is None else bool(found)

    def rows(self, written: Written, *, most: int, timeout: float) -> Sequence[Row] | None:
        timeout = min(timeout, self.ends - time.monotonic())
        if timeout <= 0:
            return None
        try:
            query = self.check(written, timeout)
            check_plan(self.runner.explain(query))
            return self.runner.run(query).rows[:most]
        except QueryTimeoutError as e:
            log.debug("no time left for a look: %s", e)
        except (QueryRefusedError, QueryFailedError) as e:
            log.info("a look tells nothing (%s): %s", type(e).__name__, e)
        return None


class StoreQuestionService:
    """Answers questions about a graph of which only a store schema and its text values are known.

    A question is answered where no word is left unexplained and, once its rows are seen, the confidence is at
    least ``LEAST``; the answer carries it. The graph has no statements with sources, so answers have no
    citations. ``ask`` does not raise for a question.
    """

    def __init__(
        self,
        schema: StoreSchema,
        values: Sequence[StoredValue],
        runner: QueryRunner,
        *,
        known: Known = UNKNOWN,
        looks: Looks = LOOKS,
        thesaurus: Thesaurus | None = None,
    ) -> None:
        """``known`` are the words that people use for the schema's terms, and examples of their questions.

        ``looks`` are those into the graph that choose between near readings; with a
        ``thesaurus`` words that the schema does not know are taken for near ones, which the answer says.
        From the examples it is learned which of near readings people mean; that takes about ten seconds for
        500 of them on two busy cores, and in proportion for more. A query among them that is no read query
        raises ``QueryRefusedError``.
        """
        self._schema, self._runner, self._looks = schema, runner, looks
        self._values = table = ValueTable(values)
        reader = SemanticReader(schema, table, known.words, thesaurus=thesaurus)
        evidence = taught(reader, known.examples, schema, known.encoder) if known.examples else None
        if evidence is not None:
            reader = SemanticReader(schema, table, known.words, thesaurus=thesaurus, evidence=evidence)
        self._reader = reader
        self._held = HeldGraph(looks.ties, reader) if looks.ties is not None else None
        self._shown = words_in(e.question for e in known.examples)

    def ask(self, question: Question) -> Answer:
        """The answer to one question, within its row and time limits."""
        began = time.monotonic()
        answer = guarded(lambda: self._ask(question, began + question.timeout), question)
        return answer.model_copy(update={"seconds": time.monotonic() - began})

    def read(self, text: str) -> Asked:
        """What a question means, without a look into the graph."""
        cleaned = clean(text[: 4 * MAX_CHARACTERS])
        reason = refusal(cleaned, of_store=True)
        if not cleaned or len(cleaned) > MAX_CHARACTERS or reason:
            return Asked(False, reason or "expected a question of 1 to 500 characters")
        return as_asked(cleaned, decide(self._reader.read(cleaned), self._schema), self._schema)

    def hints(self, question: Question) -> Hints:
        """What is known of a question without answering it; near readings are run. May raise query errors."""
        decision = decide(self._reader.read(clean(question.text[: 4 * MAX_CHARACTERS])), self._schema)
        ends = time.monotonic() + question.timeout
        drafts = drafts_of(decision, self._reader, lambda one: self._answer(question, one, ends))
        partial = partial_of(decision, self._reader)
        return hints_of(decision.reading.linked, self._schema, drafts, partial)

    def _ask(self, question: Question, ends: float) -> Answer:
        text = clean(question.text[: 4 * MAX_CHARACTERS])
        if not text:
            nothing = decide(self._reader.read(""), self._schema)
            close = self._close(question, nothing, ends)
            return ended(question, Outcome.UNANSWERABLE, "The question is empty.", close)
        reason = refusal(text, of_store=True)
        if reason or len(text) > MAX_CHARACTERS:
            limit = f"A question may have {MAX_CHARACTERS} characters; this one is longer."
            return ended(question, Outcome.REFUSED, reason or limit)
        probe = self._probe(question, ends)
        read, flags = with_flags(self._reader.read(text), self._reader, probe)
        reading = with_probes(
            read,
            self._reader,
            probe,
            held=self._in_memory(question, probe),
            seconds=self._looks.seconds,
        )
        decision = decide(reading, self._schema)
        if decision.verdict is Verdict.ASK:
            asked_back = "This can be read in more than one way. Which is meant?"
            return ended(question, Outcome.AMBIGUOUS, asked_back, decision.explanations)
        if decision.verdict is not Verdict.ANSWER or decision.unexplained:
            return self._unanswered(question, decision, ends)
        sure = weighed(reading, self._reader, probe)
        if not found_any(sure):
            sure = sure_of_nothing(sure, reading.confidence)
        if sure.confidence < LEAST:
            return self._unanswered(question, replace(decision, reading=sure), ends)
        answer = self._answer(question, replace(decision, reading=sure), ends)
        assert sure.query is not None
        answer = with_near(answer, lambda: self._close(question, decision, ends))
        notes = (*answer.assumptions, *flag_notes(sure.query, flags))
        return answer.model_copy(update={"assumptions": notes})

    def _telling(self, ends: float) -> float:
        """Seconds for what is told beside an answer: never beyond the question's own time."""
        return max(0.0, min(self._looks.telling, ends - time.monotonic()))

    def _unanswered(self, question: Question, decision: Decision, ends: float) -> Answer:
        said = why(decision, self._shown, self._names(decision))
        return ended(question, Outcome.UNANSWERABLE, said, self._close(question, decision, ends))

    def _names(self, decision: Decision) -> tuple[str, ...]:
        """Stored names that are spelled like words that nothing explains."""
        found = (v for word in decision.unexplained for v in self._values.like(value_key(word)))
        return tuple(dict.fromkeys(f"'{v.text}' ({v.owner})" for v in found))[:MOST]

    def _close(self, question: Question, decision: Decision, ends: float) -> tuple[str, ...]:
        """Near questions that are answered, as far as they are found in the time for it."""
        texts = drafts(decision.reading.linked, self._schema, decision.nearest)
        probe, seconds = self._probe(question, ends), self._telling(ends)
        return close_questions(texts, self._schema, self._reader, probe, seconds=seconds)

    def _in_memory(self, question: Question, probe: _Probe) -> Held | None:
        """What is held of the graph: all of it, whatever is vetted."""
        held = self._held if question.scope is Scope.ALL else None
        if held is None:
            return None
        return lambda query, seconds: held.matches(query, probe, timeout=seconds)

    def _probe(self, question: Question, ends: float) -> _Probe:
        return _Probe(self._check(question), self._runner, ends)

    def _check(self, question: Question) -> Check:
        return lambda written, seconds: check_text(
            written.text,
            self._schema,
            scope=question.scope,
            row_cap=question.limit + 1,
            timeout=seconds,
            parameters=written.parameters,
        )

    def _answer(self, question: Question, decision: Decision, ends: float) -> Answer:
        written = decision.reading.written
        assert written is not None
        query = self._check(question)(written, _left(ends))
        found, query, notes = self._ranked(question, decision, query, ends)
        rows = found.rows[: question.limit]
        truncated = found.truncated or len(found.rows) > question.limit
        asked = decision.reading.query
        assert asked is not None
        outcome, said = Outcome.ANSWERED, sentence(rows, truncated=truncated) if rows else ""
        probe = self._probe(question, ends)
        if tells_nothing(asked, rows) or counts_nothing(asked, rows):
            if vague := of_any_kind(decision.reading.taken):
                return ended(question, Outcome.UNANSWERABLE, vague)
            outcome, said = self._of_nothing(question, asked, said, ends)
        elif unknown := self._unknown(asked, rows, probe, ends):
            outcome, said = Outcome.EMPTY_BUT_VALID, f"That is not known. {unknown}"
        else:
            notes += not_known(asked, self._reader, probe, seconds=self._telling(ends))
        seconds = 0.0 if truncated else self._telling(ends)
        once = counted_otherwise(asked, rows, self._reader, probe, seconds=seconds)
        notes += (once,) if once else ()
        notes += namesakes(asked, self._reader, probe, seconds=self._telling(ends))
        return Answer(
            outcome=outcome,
            question=question.text,
            text=said,
            columns=found.columns,
            rows=rows if outcome is Outcome.ANSWERED else (),
            cypher=query.text,
            parameters=query.parameters,
            repairs=query.repairs,
            explanation=decision.explanations[0],
            shape="composed",
            assumptions=(*_assumed(decision.reading), *_namesakes(decision.reading), *notes),
            alternatives=other_readings(decision),
            truncated=truncated,
            confidence=decision.reading.confidence,
            margin=lead(decision.reading.candidates),
        )

    def _unknown(self, asked: Query, rows: Sequence[Row], probe: _Probe, ends: float) -> str:
        """What is not known of what is compared or asked about by name, where the answer rests on that."""
        seconds = self._telling(ends)
        if asked.head is Head.EXISTS:
            denied = [tuple(row) for row in rows] == [(False,)]
            return unknown_whether(asked, self._reader, probe, seconds=seconds) if denied else ""
        return unknown_of_named(asked, self._reader, probe, seconds=seconds)

    def _of_nothing(self, question: Question, asked: Query, said: str, ends: float) -> tuple[Outcome, str]:
        """The outcome and text where there are no rows, or a figure over nothing, told in ``said``."""
        ends = time.monotonic() + self._telling(ends)
        probe = self._probe(question, ends)
        matched = probe.has_rows(self._reader.write(matching(asked)), timeout=self._telling(ends))
        if matched is not False:
            if said:
                return Outcome.ANSWERED, said
            few = f"Of what matches fewer than {asked.place} have a known value."
            unknown = few if asked.place > 1 else _UNKNOWN
            return Outcome.EMPTY_BUT_VALID, unknown if matched else f"{_NOTHING} {NOT_LOOKED_AT}"
        why = why_empty(asked, self._reader, probe, seconds=self._telling(ends))
        if asked.head is Head.COUNT:
            return Outcome.ANSWERED, f"{said} {why}".rstrip()
        return Outcome.EMPTY_BUT_VALID, f"{_NOTHING} {why}".rstrip()

    def _ranked(
        self, question: Question, decision: Decision, query: CheckedQuery, ends: float
    ) -> tuple[Subgraph, CheckedQuery, tuple[str, ...]]:
        """The rows with the query that found them, all that share the first place among them."""
        asked = decision.reading.query
        assert asked is not None
        found = self.run(query)
        said = left_out(asked)
        wider = widened(asked)
        if wider is None or asked.limit is None:
            return found, query, (said,) if said else ()
        run = self._check(question)(self._reader.write(wider), _left(ends))
        rows, ties = with_ties(self.run(run).rows, asked.limit, question.limit)
        if ties and asked.limit == 1:
            found, query = found.model_copy(update={"rows": tuple(rows)}), run
        return found, query, tuple(x for x in (ties, said) if x)

    def run(self, query: CheckedQuery) -> Subgraph:
        """Run a checked query, after a look at the server's plan of it."""
        check_plan(self._runner.explain(query))
        return self._runner.run(query)


def _left(ends: float) -> float:
    """Seconds for the next query; ``QueryTimeoutError`` where there are none."""
    left = ends - time.monotonic()
    if left <= 0:
        raise QueryTimeoutError("the time of the question passed before the graph could be asked")
    return left


def _assumed(reading: Reading) -> tuple[str, ...]:
    """What words were taken for that the schema or the graph does not know so."""
    names = mended(reading.linked, reading.query) if reading.query else ()
    each = (_EACH,) if _tells_of_each(reading) else ()
    return (
        *each,
        *(f"'{t.word}' was read as {_named(t.term)}." for t in reading.taken),
        *(f"'{said}' was read as '{stored}'." for said, stored in names),
    )


def _tells_of_each(reading: Reading) -> bool:
    """Whether each of several names is told of that may have been meant together.

    Of things that are asked for themselves ("the price of A and B") it is plain that each is meant.
    """
    query = reading.query
    if query is None or query != reading.of_each:
        return False
    own = (
        f.ref.owner == query.answer and not f.ref.on_edge for f in query.filters if isinstance(f.value, tuple)
    )
    return not any(own)


def _namesakes(reading: Reading) -> tuple[str, ...]:
    """That several things of one name are one row, where things of one kind are listed by name."""
    query = reading.query
    listed = query is not None and query.head is Head.LIST and not (query.edges or query.project)
    return (_ONE_NAME,) if listed and ("merged", 1.0) in reading.doubts else ()


def _named(term: Term) -> str:
    return f"{term.owners[0]}.{term.name}" if term.kind == "property" and term.owners else term.name
