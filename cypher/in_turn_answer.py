"""Runs two questions that are asked in turn, and makes one answer of what both find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cypher import answer as rows_to_answer
from cypher import form as f
from cypher.cited_share import cited_share
from cypher.explain import explain, plural, type_word
from cypher.general.ask import CONFIDENCE
from cypher.in_turn import InTurn
from cypher.notes import notes
from cypher.one_unit import best_of_all
from cypher.schema_graph import valued_relation, year_attribute
from cypher.table import Table
from cypher.understanding import Understood
from schemas.graph_schema import GraphSchema
from schemas.ids import StatementId
from schemas.ports import StatementSource
from schemas.questions import Answer, CheckedQuery, Citation, Outcome, Question, Subgraph, Value

SHAPE = "in_turn"
MAX_NAMED = 6
Run = Callable[[f.Form], tuple[CheckedQuery, Subgraph]]


@dataclass(frozen=True, slots=True)
class _Found:
    """What one form found."""

    form: f.Form
    query: CheckedQuery
    table: Table


@dataclass(frozen=True, slots=True)
class InTurnAnswerer:
    """Answers two questions asked in turn; each query goes through the gate."""

    schema: GraphSchema
    statements: StatementSource
    run: Run
    answer_plan: Callable[[Understood], Answer]

    def answer(self, question: Question, asked: InTurn, best: f.Form | None) -> Answer:
        """The answer; ``best`` finds the most precise measurement, where that alone is meant."""
        parts: list[_Found] = []
        paper = ""
        if best is not None:
            parts.append(self._find(question, best))
            paper = self._document(parts[0].table)
            if not paper:
                return _ended(question, Outcome.EMPTY_BUT_VALID, self._no_single(asked, parts[0].table))
        first = self._find(question, self._first(asked, paper))
        if not first.table.rows:
            what = plural(type_word(self.schema, asked.wanted))
            return _ended(
                question, Outcome.EMPTY_BUT_VALID, f"The graph knows no {what} of {self._of(asked, paper)}."
            )
        if best is not None and not self._is_alone(asked, first.table):
            text = f"The graph does not single out one most precise measurement of {asked.thing.shown}."
            return _ended(question, Outcome.UNANSWERABLE, text)
        parts.append(first)
        second = self._find(question, self._second(asked, paper))
        return self._told(question, asked, parts, second, paper)

    def _find(self, question: Question, form: f.Form) -> _Found:
        query, result = self.run(form)
        year = year_attribute(self.schema)
        shown = rows_to_answer.table(result, limit=question.limit, form=form, year=year[1] if year else "")
        return _Found(form, query, best_of_all(form.head, shown, self.schema))

    def _is_alone(self, asked: InTurn, first: Table) -> bool:
        """Whether the first question has the same answer by itself: no other measurement is as precise."""
        if asked.first is None or asked.first.plan is None:
            return True
        alone = self.answer_plan(asked.first)
        return {r[0] for r in alone.rows} == {r[0] for r in first.rows}

    def _document(self, best: Table) -> str:
        """Id of the document with the most precise measurement; empty where there is not one."""
        found = self.statements.statements(best.all_statements) if len(best.rows) == 1 else ()
        return found[0].start_id if len(found) == 1 else ""

    def _no_single(self, asked: InTurn, best: Table) -> str:
        if not best.rows:
            return (
                f"The graph holds no value of {asked.thing.shown} with an error, so none is the most precise."
            )
        return (
            f"The values of {asked.thing.shown} are given in several units or columns; "
            "of each one is the most precise. Ask for one of them."
        )

    def _of(self, asked: InTurn, paper: str) -> str:
        return f"the most precise measurement of {asked.thing.shown}" if paper else asked.thing.shown

    # The forms of both questions

    def _first(self, asked: InTurn, paper: str) -> f.Form:
        return self._form(asked, asked.relation, asked.wanted, paper, "n0")

    def _second(self, asked: InTurn, paper: str) -> f.Form:
        form = self._form(asked, asked.ranked, asked.far, paper, "n0")
        valued = valued_relation(self.schema)
        beside = [(asked.relation, asked.wanted)]
        if valued is not None and valued.name != asked.relation:
            beside.append((valued.name, valued.subjects[0]))
        return replace(form, head=f.Gathered("r0", "n1", tuple(beside)))

    def _form(self, asked: InTurn, relation: str, kind: str, paper: str, var: str) -> f.Form:
        """Things of a kind that a relation ties to the thing, in one paper where that is given."""
        ends = (var, "n1") if kind in self.schema.relation(relation).subjects else ("n1", var)
        nodes, edges = [f.Node(var, kind), f.Node("n1", asked.thing.type)], [f.Edge("r0", relation, *ends)]
        conditions = [f.Condition("n1", "id", f.Op.ONE_OF, (asked.thing.id,), asked.thing.shown)]
        valued = valued_relation(self.schema)
        if paper and valued is not None:
            nodes.append(f.Node("n2", valued.subjects[0]))
            edges.append(f.Edge("r1", valued.name, "n2", "n1"))
            shown = "the one with the most precise value"
            conditions.append(f.Condition("n2", "id", f.Op.ONE_OF, (paper,), shown))
        together = (("r0", "r1"),) if len(edges) > 1 else ()
        return f.Form(SHAPE, tuple(nodes), tuple(edges), tuple(conditions), f.Entities(var), together)

    # The answer

    def _told(
        self, question: Question, asked: InTurn, parts: Sequence[_Found], second: _Found, paper: str
    ) -> Answer:
        tables = [p.table for p in (*parts, second)]
        ids = tuple(dict.fromkeys(i for t in tables for i in t.all_statements))
        details = self.statements.statements(ids)
        cited = rows_to_answer.citations(details)
        nodes, edges = rows_to_answer.subgraph(details)
        said = [rows_to_answer.sentence(p.form, p.table, self.schema, cited=cited) for p in parts]
        shown = second if second.table.rows else parts[-1]
        said.append(
            self._ranked(asked, second.table, cited) if second.table.rows else self._nothing(asked, paper)
        )
        return Answer(
            outcome=Outcome.ANSWERED,
            question=question.text,
            text=" ".join(said),
            cypher=shown.query.text,
            parameters=shown.query.parameters,
            explanation=" ".join(explain(p.form, self.schema) for p in (*parts, second)),
            shape=SHAPE,
            assumptions=(
                *asked.assumptions,
                *dict.fromkeys(n for p in (*parts, second) for n in notes(p.form)),
                *rows_to_answer.unnumbered(cited),
                *cited_share(shown.table, cited),
            ),
            confidence=CONFIDENCE,
            columns=shown.table.columns,
            rows=shown.table.rows,
            citations=cited,
            row_citations=rows_to_answer.row_citations(shown.table, cited),
            nodes=nodes,
            edges=edges,
            attributions=tuple(dict.fromkeys(d.attribution for d in details if d.attribution)),
            truncated=any(t.truncated for t in tables),
        )

    def _nothing(self, asked: InTurn, paper: str) -> str:
        what = plural(type_word(self.schema, asked.far))
        return f"The graph knows no {what} of {self._of(asked, paper)}."

    def _ranked(self, asked: InTurn, table: Table, cited: Sequence[Citation]) -> str:
        """ "3 uncertainty sources, strongest first: length scale (ranking 1, B_s0 -> D_s- pi+) [1]"."""
        numbers = {c.statement: c.number for c in cited}
        n = len(table.rows)
        what = type_word(self.schema, asked.far)
        many = f"at least {n + 1}" if table.truncated else str(n)
        named = [_row(table, at, numbers) for at in range(min(n, MAX_NAMED))]
        more = f"; and {n - len(named)} more" if n > len(named) else ""
        return f"{many} {what if n == 1 else plural(what)}, strongest first: {'; '.join(named)}{more}."


def _row(table: Table, at: int, numbers: dict[StatementId, int]) -> str:
    (_, first), *others = zip(table.columns, table.rows[at], strict=True)
    facts = ", ".join(f"{k} {_show(v)}" for k, v in others[:2] if not isinstance(v, tuple) and v is not None)
    found = sorted({numbers[StatementId(i)] for i in table.statements[at] if StatementId(i) in numbers})[:3]
    marks = (" " + "".join(f"[{n}]" for n in found)) if found else ""
    return f"{first}{f' ({facts})' if facts else ''}{marks}"


def _show(value: Value) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _ended(question: Question, outcome: Outcome, text: str) -> Answer:
    return Answer(outcome=outcome, question=question.text, text=text, shape=SHAPE)
