"""How answers look on a terminal."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from schemas.graphs import Origin
from schemas.questions import Answer, Citation, Value


def print_answer(answer: Answer, console: Console) -> None:
    """An answer as a reader wants it: text, table, sources, then how it was found."""
    parts: list[RenderableType] = [Text(answer.text)]
    if answer.rows:
        table = Table(*answer.columns, box=None, pad_edge=False, header_style="bold")
        for row in answer.rows:
            table.add_row(*(Text(_cell(value)) for value in row))
        parts.append(Padding(table, (1, 0, 0, 2)))
    if answer.suggestions:
        parts.append(Text("You can ask:"))
        parts += [Text(f"  · {s}") for s in answer.suggestions]
    if answer.citations:
        parts.append(Text("\nSources", style="bold"))
        parts += [Text(f"  [{c.number}] {_source(c)}") for c in answer.citations[:10]]
        if len(answer.citations) > 10:
            parts.append(Text(f"  ... and {len(answer.citations) - 10} more (--json shows all)"))
    parts += [Text(f"\n{a}", style="dim") for a in answer.assumptions]
    if answer.explanation:
        parts.append(Text(f"\n{answer.explanation}", style="dim"))
    if answer.cypher:
        parts.append(Text(answer.cypher, style="dim"))
    parts += [Text(a, style="dim") for a in answer.attributions]
    console.print(Group(*parts), soft_wrap=False)


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(_cell(v) for v in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _source(citation: Citation) -> str:
    named = (("arXiv:", citation.arxiv), ("INSPIRE ", citation.inspire), ("doi:", citation.doi))
    ids = " · ".join(label + value for label, value in named if value) or citation.document
    kind = "PDG listing: " if citation.origin is Origin.PDG_TABLES else ""
    return f"{ids} — {kind}“{citation.quote}”"
