"""An answer from the rows of a query that was not made by the parser."""

from __future__ import annotations

from typing import Final

from cypher.answer import subgraph
from cypher.conditions_looked_at import NOT_LOOKED_AT
from cypher.generation.ports import Cited
from cypher.generation.votes import shown
from schemas.questions import Answer, CheckedQuery, Outcome, Subgraph

SHAPE: Final = "model"
"""Shape of an answer whose query a chat model wrote."""
MOST_NAMED: Final = 6
"""Rows that the sentence tells."""
NOTHING: Final = f"The graph holds nothing for this. {NOT_LOOKED_AT}"


def answer_of(question: str, query: CheckedQuery, result: Subgraph, cited: Cited) -> Answer:
    """The rows with what stands behind them, and a sentence; how sure it is, is for the caller to say."""
    columns, rows = shown(result)
    nodes, edges = subgraph(cited.details)
    return Answer(
        outcome=Outcome.ANSWERED if rows else Outcome.EMPTY_BUT_VALID,
        question=question,
        text=_sentence(columns, rows, cited.behind, truncated=result.truncated),
        columns=tuple(c.replace("_", " ") for c in columns),
        rows=rows,
        citations=cited.citations,
        row_citations=cited.behind,
        cypher=query.text,
        parameters=query.parameters,
        repairs=query.repairs,
        assumptions=(cited.note,) if cited.note and rows else (),
        attributions=tuple(dict.fromkeys(d.attribution for d in cited.details if d.attribution)),
        nodes=nodes,
        edges=edges,
        truncated=result.truncated,
    )


def _sentence(
    columns: tuple[str, ...],
    rows: tuple[tuple[object, ...], ...],
    behind: tuple[tuple[int, ...], ...],
    *,
    truncated: bool,
) -> str:
    if not rows:
        return NOTHING
    shown_rows = []
    for row, marks in list(zip(rows, behind, strict=True))[:MOST_NAMED]:
        cells = ", ".join(_cell(c) for c in row if c is not None)
        shown_rows.append(cells + (" " + "".join(f"[{n}]" for n in marks[:3]) if marks else ""))
    more = len(rows) - len(shown_rows)
    names = ", ".join(c.replace("_", " ") for c in columns)
    if len(rows) == len(columns) == 1:
        return f"{names[:1].upper()}{names[1:]}: {shown_rows[0]}."
    tail = f"; and {more} more" if more > 0 else ""
    cut = " There are more rows than are shown." if truncated else ""
    return f"{len(rows)} {'row' if len(rows) == 1 else 'rows'} ({names}): {'; '.join(shown_rows)}{tail}.{cut}"


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(_cell, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)
