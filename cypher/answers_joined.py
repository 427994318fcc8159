"""One answer of the answers to two questions: rows beneath each other, citations numbered through."""

from __future__ import annotations

import re
from typing import Final

from schemas.questions import Answer, Citation, Outcome, Question, Value

SHAPE: Final = "two_questions"
ASKED: Final = "asked"
"""Column that names the question that a row answers."""
_GIVEN: Final = frozenset({Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID})
_MARK: Final = re.compile(r"\[(\d+)\]")
_TOLD: Final = re.compile(r"^(?:list|show|give|tell|find|name)\b", re.IGNORECASE)
_PARAMETER: Final = re.compile(r"\$(\w+)")


def joined(question: Question, asked: tuple[str, str], answers: tuple[Answer, Answer]) -> Answer:
    """Both answers as one; where one half has none, neither is given, and the text says which."""
    failed = [(said, a) for said, a in zip(asked, answers, strict=True) if a.outcome not in _GIVEN]
    if failed:
        said, answer = failed[0]
        text = f"'{said}' is not answered: {answer.text}"
        return Answer(
            outcome=answer.outcome, question=question.text, text=text, suggestions=answer.suggestions
        )
    one, two = answers
    cited, numbers = _cited(one, two)
    columns = tuple(dict.fromkeys((ASKED, *one.columns, *two.columns)))
    rows = tuple(
        _row(columns, said, a, row) for said, a in zip(asked, answers, strict=True) for row in a.rows
    )
    behind = tuple(tuple(sorted(numbers[n] for n in r)) for r in two.row_citations)
    cypher, parameters = _renamed(two)
    marked = _MARK.sub(lambda m: f"[{numbers.get(int(m[1]), m[1])}]", two.text)
    return Answer(
        outcome=Outcome.ANSWERED if rows else Outcome.EMPTY_BUT_VALID,
        question=question.text,
        text=f"{_said(asked[0], one, one.text)} {_said(asked[1], two, marked)}",
        columns=columns if rows else (),
        rows=rows,
        citations=cited,
        row_citations=(*one.row_citations, *behind),
        cypher=f"{one.cypher};\n{cypher}",
        parameters={**one.parameters, **parameters},
        explanation=f"{one.explanation} {two.explanation}",
        shape=SHAPE,
        assumptions=tuple(dict.fromkeys((*one.assumptions, *two.assumptions))),
        suggestions=tuple(dict.fromkeys((*one.suggestions, *two.suggestions))),
        repairs=(*one.repairs, *two.repairs),
        superseded=one.superseded + two.superseded,
        attributions=tuple(dict.fromkeys((*one.attributions, *two.attributions))),
        nodes=tuple(dict.fromkeys((*one.nodes, *two.nodes))),
        edges=tuple(dict.fromkeys((*one.edges, *two.edges))),
        truncated=one.truncated or two.truncated,
        confidence=min(one.confidence, two.confidence),
    )


def _said(asked: str, answer: Answer, text: str) -> str:
    """The question and its answer; one of several questions has them already."""
    mark = ":" if _TOLD.match(asked) else "?"
    return text if answer.shape == SHAPE else f"{asked[:1].upper()}{asked[1:]}{mark} {text}"


def _cited(one: Answer, two: Answer) -> tuple[tuple[Citation, ...], dict[int, int]]:
    """Every statement once, and the new numbers of the second answer's citations."""
    known = {c.statement: c.number for c in one.citations}
    more: list[Citation] = []
    numbers: dict[int, int] = {}
    for c in two.citations:
        if c.statement not in known:
            known[c.statement] = len(known) + 1
            more.append(c.model_copy(update={"number": known[c.statement]}))
        numbers[c.number] = known[c.statement]
    return (*one.citations, *more), numbers


def _row(columns: tuple[str, ...], asked: str, answer: Answer, row: tuple[Value, ...]) -> tuple[Value, ...]:
    cells: dict[str, Value] = {ASKED: asked, **dict(zip(answer.columns, row, strict=True))}
    return tuple(cells.get(c) for c in columns)


def _renamed(answer: Answer) -> tuple[str, dict[str, Value]]:
    """The query with parameters of its own: every value is one, so the text holds no other dollar sign."""
    text = _PARAMETER.sub(r"$second_\1", answer.cypher)
    return text, {f"second_{name}": value for name, value in answer.parameters.items()}
