"""Runs a plan and makes its answer: rows with the statements behind each, text, explanation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from cypher import answer as rows_to_answer
from cypher.compose import Composed
from cypher.general.answer import Shown, sentence, shown
from cypher.general.bare import bare_numbers
from cypher.general.explain import explain
from cypher.general.kinds import KindGraph, kind_graph
from cypher.general.plan import CountOf, ListOf, Plan
from cypher.general.write import write
from cypher.notes import unit_notes
from schemas.graph_schema import GraphSchema
from schemas.ports import StatementSource
from schemas.questions import Answer, Outcome, Question, Subgraph

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

    def answer(self, question: Question, plan: Plan) -> Answer:
        """The answer; raises what running a query may raise."""
        graph = kind_graph(self.schema)
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
            return base.model_copy(update={"outcome": Outcome.UNANSWERABLE, "text": text})
        if not found.table.rows:
            notes = (*plan.assumptions, *unit_notes(bare_numbers(plan, graph), (), ()))
            return base.model_copy(update={"text": self._why_empty(plan, graph), "assumptions": notes})
        return self._full(base, plan, found)

    def _rows(self, question: Question, plan: Plan, graph: KindGraph) -> tuple[Composed, Shown]:
        ranking = plan.head.ranking if isinstance(plan.head, ListOf) else None
        cap = question.limit + 1
        if ranking is not None:
            few = ranking.keep + SPARE if ranking.keep else question.limit + 1
            cap = MOST_ROWS if ranking.of_value else min(MOST_ROWS, few)
        written = write(plan, graph, row_cap=cap)
        found = shown(plan, self.run(written, cap), limit=question.limit)
        if ranking is not None and ranking.keep and found.table.truncated and cap < MOST_ROWS:
            written = write(plan, graph, row_cap=MOST_ROWS)
            found = shown(plan, self.run(written, MOST_ROWS), limit=question.limit)
        return written, found

    def _full(self, base: Answer, plan: Plan, found: Shown) -> Answer:
        table = found.table
        numbers = bare_numbers(plan, kind_graph(self.schema))
        details = self.statements.statements(table.all_statements) if table.all_statements else ()
        cited = rows_to_answer.citations(details)
        nodes, edges = rows_to_answer.subgraph(details)
        return Answer(
            **{
                **base.model_dump(exclude={"outcome", "text"}),
                "outcome": Outcome.ANSWERED,
                "assumptions": (*plan.assumptions, *unit_notes(numbers, table.columns, table.rows)),
                "text": sentence(plan, found, self.schema, cited=cited),
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

    def _why_empty(self, plan: Plan, graph: KindGraph) -> str:
        """Which condition emptied the result: each is dropped in turn."""
        said = "The question fits the graph, but nothing in it matches"
        culprits = []
        for branch in plan.root.branches[:3] if len(plan.root.branches) > 1 else ():
            rest = tuple(b for b in plan.root.branches if b is not branch)
            less = Plan(replace(plan.root, branches=rest), ListOf())
            if self.run(write(less, graph, row_cap=2), 2).rows:
                told = explain(Plan(replace(plan.root, branches=(branch,)), CountOf()), self.schema)
                culprits.append(told.partition("Conditions: ")[2].rstrip("."))
        if not culprits:
            return f"{said}."
        return f"{said}. Without one of these conditions there would be results: {'; '.join(culprits)}."
