"""Runs a plan and makes its answer: rows with the statements behind each, text, explanation."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from cypher import answer as rows_to_answer
from cypher.asked_unit import gives, in_unit, not_in_unit
from cypher.cited_share import cited_share
from cypher.compose import Composed
from cypher.general.answer import Shown, scale_read, sentence, shown
from cypher.general.bare import placed
from cypher.general.emptied import why_empty
from cypher.general.explain import explain
from cypher.general.kinds import KindGraph, kind_graph
from cypher.general.plan import Aggregate, Compare, CountOf, ExistsAny, Function, ListOf, Plan
from cypher.general.times import times_notes
from cypher.general.tries import NoPlanError
from cypher.general.unlisted import unlisted_notes
from cypher.general.write import write
from cypher.listed import MOST_READ
from cypher.one_unit import one_mean
from cypher.table import Table
from schemas.errors import QueryTimeoutError
from schemas.graph_schema import GraphSchema
from schemas.ports import StatementSource
from schemas.questions import Answer, Outcome, Question, Subgraph

log = logging.getLogger(__name__)

SHAPE: Final = "general"
CONFIDENCE: Final = 0.85
"""Of a question that the general reading understood whole (own choice, below that of the shapes)."""
MOST_ROWS: Final = 1_001
SPARE: Final = 40
"""Rows behind the wanted ranks that are read at first, for ties."""
Run = Callable[[Composed, int], Subgraph]


@dataclass(frozen=True, slots=True)
class PlanAnswerer:
    """Answers plans; ``run(written, row_cap)`` takes a query through the gate and runs it."""

    schema: GraphSchema
    statements: StatementSource
    run: Run
    unit: str = ""
    """In which values are wanted; empty for that of each."""

    def answer(self, question: Question, plan: Plan) -> Answer:
        """The answer; raises what running a query may raise."""
        graph = kind_graph(self.schema)

        def read(values: Plan) -> Subgraph:
            return self.run(write(values, graph, row_cap=MOST_READ), MOST_READ)

        numbers = placed(plan, graph, read, self.unit)
        notes = (*numbers.notes, *unlisted_notes(plan, self.schema), *times_notes(plan))
        plan = replace(numbers.plan, assumptions=(*plan.assumptions, *notes))
        if numbers.problem:
            return self._without_scale(question, plan, numbers.problem)
        written, found = self._rows(question, plan, graph)
        base = Answer(
            outcome=Outcome.EMPTY_BUT_VALID,
            question=question.text,
            text="",
            cypher=written.text,
            parameters=written.parameters,
            explanation=explain(plan, self.schema),
            shape=SHAPE,
            assumptions=plan.assumptions,
            confidence=CONFIDENCE,
        )
        if found.mixed:
            text = (
                f"The values are given in units that cannot be compared: {found.text}. Ask for one quantity."
            )
            return _unanswered(base, text)
        if not found.table.rows and numbers.if_none:
            return self._without_scale(question, plan, numbers.if_none)
        if not found.table.rows:
            why = self._why_empty(plan, graph)
            return base.model_copy(update={"text": f"0. {why}" if isinstance(plan.head, CountOf) else why})
        if not self.unit:
            return self._full(base, plan, found)
        table, left = in_unit(found.table, self.unit)
        if not gives(table, self.unit):
            return _unanswered(base, not_in_unit(self.unit, left))
        if isinstance(plan.head, Aggregate) and plan.head.function is not Function.MEDIAN:
            table = one_mean(table, self.schema, summed=plan.head.function is Function.SUM)
        said = (*plan.assumptions, *((not_in_unit(self.unit, left),) if left else ()))
        text = _in_asked_unit(found, table, self.unit) if isinstance(plan.head, Compare) else found.text
        return self._full(base, replace(plan, assumptions=said), replace(found, table=table, text=text))

    def _without_scale(self, question: Question, plan: Plan, problem: str) -> Answer:
        """No answer, as a number could mean several things."""
        said = explain(plan, self.schema)
        outcome = Outcome.UNANSWERABLE
        return Answer(outcome=outcome, question=question.text, text=problem, explanation=said, shape=SHAPE)

    def _rows(self, question: Question, plan: Plan, graph: KindGraph) -> tuple[Composed, Shown]:
        ranking = plan.head.ranking if isinstance(plan.head, ListOf) else None
        cap = question.limit + 1
        if ranking is not None:
            few = ranking.keep + SPARE if ranking.keep else question.limit + 1
            cap = MOST_ROWS if ranking.of_value else min(MOST_ROWS, few)
        written = write(plan, graph, row_cap=cap)
        result = self.run(written, cap)
        if result.truncated and (scale := scale_read(plan, result)):
            written = write(plan, graph, row_cap=cap, scale=scale)
            result = self.run(written, cap)
        found = shown(plan, result, limit=question.limit)
        if ranking is not None and ranking.keep and found.table.truncated and cap < MOST_ROWS:
            written = write(plan, graph, row_cap=MOST_ROWS)
            found = shown(plan, self.run(written, MOST_ROWS), limit=question.limit)
        return written, found

    def _full(self, base: Answer, plan: Plan, found: Shown) -> Answer:
        table = found.table
        details = self.statements.statements(table.all_statements) if table.all_statements else ()
        cited = rows_to_answer.citations(details)
        nodes, edges = rows_to_answer.subgraph(details)
        total = self._total(plan, len(table.rows)) if table.truncated else 0
        return Answer(
            **{
                **base.model_dump(exclude={"outcome", "text"}),
                "outcome": Outcome.ANSWERED,
                "assumptions": (
                    *plan.assumptions,
                    *rows_to_answer.unnumbered(cited),
                    *cited_share(table, cited, of=found.counted, at_least=isinstance(plan.head, Compare)),
                ),
                "text": sentence(plan, found, self.schema, cited=cited, total=total),
                "columns": table.columns,
                "rows": table.rows,
                "citations": cited,
                "row_citations": rows_to_answer.row_citations(table, cited),
                "nodes": nodes,
                "edges": edges,
                "superseded": sum(1 for n in table.replaced if n),
                "attributions": tuple(dict.fromkeys(d.attribution for d in details if d.attribution)),
                "truncated": table.truncated,
            }
        )

    def _total(self, plan: Plan, shown: int) -> int:
        """How many things there are when not all are shown; 0 where that is not one count."""
        plain = isinstance(plan.head, ExistsAny) or (
            isinstance(plan.head, ListOf) and plan.head.ranking is None
        )
        if not plain:
            return 0
        try:
            counted = write(replace(plan, head=CountOf()), kind_graph(self.schema), row_cap=2)
            rows = self.run(counted, 2).rows
        except NoPlanError as e:
            log.debug("not a plan: %s", e)
            return 0
        except QueryTimeoutError:
            log.info("no time left to count the rows that are not shown")
            return 0
        total = rows_to_answer.number(rows[0][0]) if rows else 0
        return total if total > shown else 0

    def _why_empty(self, plan: Plan, graph: KindGraph) -> str:
        """Which condition emptied the result."""

        def holds(less: Plan) -> bool | None:
            try:
                return bool(self.run(write(less, graph, row_cap=2), 2).rows)
            except NoPlanError as e:
                log.debug("not a plan: %s", e)
            except QueryTimeoutError:
                log.info("no time left to look around the question")
            return None

        return why_empty(plan, self.schema, holds)


def _in_asked_unit(found: Shown, table: Table, unit: str) -> str:
    """A difference in the unit that is wanted, with what it is the difference of."""
    value = table.rows[0][0]
    return f"{value:.6g} {unit}: {found.text}" if isinstance(value, float) else found.text


def _unanswered(base: Answer, text: str) -> Answer:
    """No answer, of which nothing is sure."""
    return base.model_copy(update={"outcome": Outcome.UNANSWERABLE, "text": text, "confidence": 0.0})
