"""The question service: from a question in English to an answer that anyone can check."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace

from cypher import answer as rows_to_answer
from cypher import form as f
from cypher.answers.reading import Reading
from cypher.asked_unit import gives, in_unit, not_in_unit
from cypher.bare_numbers import Placed, placed
from cypher.cited_share import cited_share, counted
from cypher.close_questions import CloseQuestions
from cypher.compose import Composed, compose
from cypher.decide import Decision, others_told
from cypher.explain import explain
from cypher.failing import FAILS
from cypher.first_year import of_first_year
from cypher.general.ask import PlanAnswerer
from cypher.generation.hinting import hints, those_that_run
from cypher.generation.ports import Hints
from cypher.guard import check_text
from cypher.guarded import guarded
from cypher.in_turn import InTurn, in_turn
from cypher.in_turn_answer import InTurnAnswerer
from cypher.largest import one_of_all, rows_read
from cypher.listed import MOST_READ
from cypher.near_questions import ended, with_near
from cypher.normalise import MAX_CHARACTERS, TOO_LONG, clean, refusal
from cypher.one_unit import best_of_all
from cypher.own_store import fact_store
from cypher.partly import partial_drafts
from cypher.probes import Probes
from cypher.recommended import gives_limit, value_asked
from cypher.schema_graph import year_attribute
from cypher.seen_plans import ExplainedRuns
from cypher.stages import stage
from cypher.suggest import examples
from cypher.two_asked import both_ends
from cypher.two_questions import TwoQuestions
from cypher.under_condition import about, under_condition
from cypher.understanding import QuestionReader, Understood
from cypher.vocabulary import VocabularyCache
from cypher.whether import of_all, said_first
from schemas.errors import QueryTimeoutError
from schemas.findings import Repair
from schemas.graph_schema import GraphSchema
from schemas.ports import QueryRunner, SchemaSource, StatementSource, ValueIndex
from schemas.questions import Answer, CheckedQuery, EntityMatch, Outcome, Question, Scope, Subgraph
from schemas.ways import Ways

log = logging.getLogger(__name__)

LESS = "Ask for less (one observable, one year) or allow more time."
_SETUP_SECONDS = 10.0
_MIN_SECONDS = 0.05


class QuestionService:
    """Answers questions about the graph with evidence; reads only, needs no language model.

    The question's text never enters a query: names of the schema make the text, values are parameters.
    ``ask`` does not raise for anything a question can cause; the outcome says how it ended. Known ``ways``
    of asking are, without any, those of the packaged schema of that name.
    """

    def __init__(
        self,
        schema: SchemaSource,
        values: ValueIndex,
        runner: QueryRunner,
        statements: StatementSource,
        *,
        ways: Ways | None = None,
    ) -> None:
        self._schema, self._values, self._statements = schema, values, statements
        self._vocabulary = VocabularyCache(self._look_up)
        self._reader = QuestionReader(values, ways)
        self._runs = ExplainedRuns(runner)
        self._two = TwoQuestions(lambda x: self._read(x, self._schema.schema()), self._ask, self.prepare)

    def ask(self, question: Question) -> Answer:
        """The answer to one question, within its row and time limits."""
        began = time.monotonic()
        answer = guarded(lambda: self._two.answer(question), question, LESS)
        return answer.model_copy(update={"seconds": time.monotonic() - began})

    def prepare(self) -> None:
        """Read what every question needs: names and values of the graph; nothing to do while they are fresh.

        A server calls it at start-up. It has its own time limit and takes none of a question's.
        May raise the errors of the query runner.
        """
        schema = self._schema.schema()
        if not self._vocabulary.fresh(schema):
            self._vocabulary.get(schema)
            self._values.exact(("",), [e.name for e in schema.entities])

    @property
    def prepared(self) -> bool:
        """Whether a question finds what it needs, without a look at the graph."""
        return self._vocabulary.kept

    def examples(self) -> tuple[str, ...]:
        """Questions that can be answered now, with names that the graph holds."""
        schema = self._schema.schema()
        return examples(schema, self._vocabulary.get(schema))

    def _ask(self, question: Question) -> Answer:
        text = clean(question.text[: 4 * MAX_CHARACTERS])
        if not text:
            empty = ended(question, Outcome.UNANSWERABLE, "The question is empty.")
            return with_near(empty, lambda: self._near(question, (), time.monotonic()))
        if len(text) > MAX_CHARACTERS:
            return ended(question, Outcome.REFUSED, TOO_LONG)
        if reason := refusal(text):
            return ended(question, Outcome.REFUSED, reason)
        with stage("prepare"):
            self.prepare()
        started = time.monotonic()
        schema = self._schema.schema()
        understood = self._read(text, schema)
        answer = self._understood(question, understood, schema, started)
        return with_near(answer, lambda: self._near(question, understood.named, started))

    def _understood(
        self, question: Question, understood: Understood, schema: GraphSchema, started: float
    ) -> Answer:
        text, decision = clean(question.text), understood.decision
        if understood.plan is not None:
            return self._answer_plan(question, understood, schema, started)
        if decision.form is None:
            if asked := in_turn(text, schema, lambda said: self._read(said, schema)):
                return self._in_turn(question, asked, schema, started)
            update = {"suggestions": decision.options, "assumptions": understood.linked.assumptions}
            return ended(question, decision.outcome, decision.reason).model_copy(update=update)
        decision = replace(decision, form=one_of_all(text, both_ends(text, decision.form)))
        return self._recommended(question, understood, schema, started) or self._answer(
            question, decision, schema, started, unit=understood.unit
        )

    def _in_turn(self, question: Question, asked: InTurn, schema: GraphSchema, started: float) -> Answer:
        def run(form: f.Form) -> tuple[CheckedQuery, Subgraph]:
            composed = compose(form, schema, scope=question.scope, row_cap=question.limit + 1)
            query = self._checked(composed, schema, question, started)
            return query, self.run(query)

        best = self._read(f"What is the most precise measurement of {asked.thing.name}?", schema)
        answerer = InTurnAnswerer(
            schema, self._statements, run, lambda one: self._answer_plan(question, one, schema, started)
        )
        return answerer.answer(question, asked, best.decision.form if asked.precise else None)

    def _recommended(
        self, question: Question, understood: Understood, schema: GraphSchema, started: float
    ) -> Answer | None:
        """The recommended value where one value of a quantity is asked and the graph has it."""
        decision = understood.decision
        asked = (question.text, understood.said)
        quantity = value_asked(*asked, decision.form, schema) if decision.form else ""
        if not quantity:
            return None
        again = self._read(f"recommended value of the {quantity}", schema)
        limit = decision.form is not None and decision.form.shape == "limits"
        what, all_of_them = ("limit", "limits on") if limit else ("value", "values of")
        asks = f"'{all_of_them} {quantity}' asks for the measurements, which are cited"
        note = f"The recommended {what} is given; {asks}."
        form = again.decision.form
        if again.plan is not None:
            noted = replace(again, unit=understood.unit).noted(note)
            answer = self._answer_plan(question, noted, schema, started)
        elif form is not None and form.shape == "attribute":
            told = replace(decision, form=form, assumptions=(*decision.assumptions, note))
            answer = self._answer(question, told, schema, started, unit=understood.unit)
        else:
            return None
        if answer.outcome is not Outcome.ANSWERED or (limit and not gives_limit(answer)):
            return None
        return answer

    def read(self, text: str) -> Reading:
        """What a question means, without running it; never asks the graph more than its names."""
        cleaned = clean(text[: 4 * MAX_CHARACTERS])
        reason = refusal(cleaned)
        if not cleaned or len(cleaned) > MAX_CHARACTERS or reason:
            return Reading(False, reason or "expected a question of 1 to 500 characters")
        self.prepare()
        schema = self._schema.schema()
        return self._reader.meaning(cleaned, schema, self._vocabulary.get(schema))

    def hints(self, question: Question) -> Hints:
        """What linking knows of a question, with what can be read of it; what it lies between is run."""
        self.prepare()
        started = time.monotonic()
        schema = self._schema.schema()
        text, names = clean(question.text), self._vocabulary.get(schema)
        linked, decision = self._reader.shapes(text, schema, names)
        tried = (replace(decision, form=form) for form in decision.forms)
        drafts = those_that_run(lambda one: self._answer(question, one, schema, started), tried)
        partial = partial_drafts(question, lambda t: self._reader.as_it_stands(t, schema, names), schema)
        return hints(linked, schema, drafts, partial)

    def _read(self, text: str, schema: GraphSchema) -> Understood:
        return self._reader.read(text, schema, self._vocabulary.get(schema))

    def _answer_plan(
        self, question: Question, understood: Understood, schema: GraphSchema, started: float
    ) -> Answer:
        repairs: dict[str, tuple[Repair, ...]] = {}

        def run(written: Composed, cap: int) -> Subgraph:
            query = self._checked(written, schema, question, started, cap=cap)
            repairs[written.text] = query.repairs
            return self.run(query)

        assert understood.plan is not None
        answerer = PlanAnswerer(schema, self._statements, run, understood.unit)
        answer = answerer.answer(question, understood.plan)
        return answer.model_copy(update={"repairs": repairs.get(answer.cypher, ())})

    def _answer(
        self, question: Question, decision: Decision, schema: GraphSchema, started: float, *, unit: str = ""
    ) -> Answer:
        assert decision.form is not None
        numbers = self._placed(decision.form, schema, question, started, unit)
        form = numbers.form
        if numbers.problem:
            return self._without_scale(question, decision, schema, numbers.problem)
        decision = replace(decision, form=form, assumptions=(*decision.assumptions, *numbers.notes))
        cap = rows_read(form, question.limit)
        composed = compose(form, schema, scope=question.scope, row_cap=cap)
        query = self._checked(composed, schema, question, started, cap=cap)
        result = self.run(query)
        base = Answer(
            outcome=Outcome.EMPTY_BUT_VALID,
            question=question.text,
            text="",
            cypher=query.text,
            parameters=query.parameters,
            repairs=query.repairs,
            explanation=explain(form, schema),
            shape=form.shape,
            assumptions=decision.assumptions,
            alternatives=others_told(decision, schema),
            confidence=decision.confidence,
        )
        year = year_attribute(schema)
        shown = rows_to_answer.table(result, limit=question.limit, form=form, year=year[1] if year else "")
        if not shown.rows or (isinstance(form.head, f.Count) and shown.rows[0][0] == 0):
            if numbers.if_none:
                return self._without_scale(question, decision, schema, numbers.if_none)
            if listed := under_condition(form, self._values):
                return self._answer(question, about(decision, *listed), schema, started, unit=unit)
            near = self._close(schema, question, started)
            close = near.near(self._vocabulary.get(schema), decision.entities)
            text = said_first(question.text, form, near.probes.why_empty(form), found=False)
            text = f"0. {text}" if isinstance(form.head, f.Count) else text
            return base.model_copy(update={"text": text, "suggestions": close})
        left: tuple[str, ...] = ()
        if unit:
            shown, left = in_unit(shown, unit)
            if not gives(shown, unit):
                unfit = {"outcome": Outcome.UNANSWERABLE, "text": not_in_unit(unit, left), "confidence": 0.0}
                return base.model_copy(update=unfit)
        shown = best_of_all(form.head, shown, schema, one_unit=bool(unit))
        details = self._statements.statements(shown.all_statements) if shown.all_statements else ()
        cited = rows_to_answer.citations(details)
        nodes, edges = rows_to_answer.subgraph(details)
        total = 0
        if shown.truncated and not shown.total:
            total = self._total(of_first_year(form, shown, schema), schema, question, started)
            shown = replace(shown, truncated=not 0 < total <= len(shown.rows))
        text = rows_to_answer.sentence(form, shown, schema, cited=cited, total=total)
        text = said_first(question.text, form, text, found=True)
        text = of_all(form, text, lambda all_: self._total(all_, schema, question, started))
        return Answer(
            **{
                **base.model_dump(exclude={"outcome", "text"}),
                "outcome": Outcome.ANSWERED,
                "text": text,
                "assumptions": (
                    *decision.assumptions,
                    *((not_in_unit(unit, left),) if left else ()),
                    *rows_to_answer.unnumbered(cited),
                    *cited_share(shown, cited, of=counted(shown) if isinstance(form.head, f.COUNTS) else 0),
                ),
                "columns": shown.columns,
                "rows": shown.rows,
                "citations": cited,
                "row_citations": rows_to_answer.row_citations(shown, cited),
                "nodes": nodes,
                "edges": edges,
                "superseded": sum(1 for n in shown.replaced if n),
                "attributions": tuple(dict.fromkeys(d.attribution for d in details if d.attribution)),
                "truncated": shown.truncated,
            }
        )

    def _without_scale(
        self, question: Question, decision: Decision, schema: GraphSchema, problem: str
    ) -> Answer:
        """No answer, as a number could mean several things."""
        assert decision.form is not None
        update = {"explanation": explain(decision.form, schema), "shape": decision.form.shape}
        return ended(question, Outcome.UNANSWERABLE, problem).model_copy(update=update)

    def _placed(
        self, form: f.Form, schema: GraphSchema, question: Question, started: float, unit: str
    ) -> Placed:
        """The form with its numbers on the scale of what they are compared with."""

        def read(values: f.Form) -> Subgraph:
            return self._run_form(values, schema, question, started, MOST_READ)

        return placed(form, schema, read, unit)

    def _total(self, form: f.Form, schema: GraphSchema, question: Question, started: float) -> int:
        """How many rows there are when not all are shown; 0 where that is not one count."""
        match form.head:
            case f.Entities(counted_var) | f.Statements(counted_var):
                pass
            case _:
                return 0
        try:
            rows = self._run_form(replace(form, head=f.Count(counted_var)), schema, question, started, 2).rows
        except QueryTimeoutError:
            log.info("no time left to count the rows that are not shown")
            return 0
        return rows_to_answer.number(rows[0][0]) if rows else 0

    def _run_form(
        self, form: f.Form, schema: GraphSchema, question: Question, started: float, cap: int
    ) -> Subgraph:
        composed = compose(form, schema, scope=question.scope, row_cap=cap)
        return self.run(self._checked(composed, schema, question, started, cap=cap))

    def _near(self, question: Question, about: Sequence[EntityMatch], started: float) -> tuple[str, ...]:
        """Close questions around what is named; none where they cannot be found."""
        try:
            schema = self._schema.schema()
            return self._close(schema, question, started).near(self._vocabulary.get(schema), about)
        except FAILS as e:
            log.info("no close questions: %s", e)
            return ()

    def _close(self, schema: GraphSchema, question: Question, started: float) -> CloseQuestions:
        return CloseQuestions(
            schema,
            Probes(schema, question, lambda form: self._run_form(form, schema, question, started, 2).rows),
            lambda text: self._read(text, schema),
            lambda form, cap: self._run_form(form, schema, question, started, cap),
            lambda understood: self._answer_plan(question, understood, schema, started),
        )

    def _look_up(self, form: f.Form, row_cap: int) -> Subgraph:
        schema = self._schema.schema()
        composed = compose(form, schema, scope=Scope.ALL, row_cap=row_cap)
        query = check_text(
            composed.text,
            fact_store(schema),
            row_cap=row_cap,
            timeout=_SETUP_SECONDS,
            parameters=composed.parameters,
        )
        return self.run(query)

    def _checked(
        self, composed: Composed, schema: GraphSchema, question: Question, started: float, *, cap: int = 0
    ) -> CheckedQuery:
        left = question.timeout - (time.monotonic() - started)
        if left < _MIN_SECONDS:
            raise QueryTimeoutError("the time limit passed before the query could be run")
        return check_text(
            composed.text,
            fact_store(schema),
            scope=question.scope,
            row_cap=cap or question.limit + 1,
            timeout=left,
            parameters=composed.parameters,
        )

    def run(self, query: CheckedQuery) -> Subgraph:
        """Run a query that a question became, by a plan of its text that was a plain read not long ago."""
        return self._runs.trusted(query)

    def run_of_others(self, query: CheckedQuery) -> Subgraph:
        """Run a query that a chat model or a reviewer wrote: the server explains it each time."""
        return self._runs.anew(query)
