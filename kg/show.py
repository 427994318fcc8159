"""How answers look on a terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from schemas.graphs import Origin
from schemas.questions import Answer, Citation, Outcome, Value

INDENT, GAP = 2, 2
WIDE = 40
"""Columns whose longest cell is longer hold texts, which may be broken into lines."""
NARROWEST_TEXT = 28
"""Characters that a column of texts must get to be shown at all."""
EVEN = 0.5
"""Below this confidence an answer is said to be unsure: it is more likely wrong than right."""
_LISTING = "PDG listing: "


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns to show by number, with widths of those that are broken into lines, and those left out."""

    columns: tuple[int, ...]
    widths: dict[int, int]
    left_out: tuple[str, ...]


def print_answer(
    answer: Answer,
    console: Console,
    *,
    cypher: bool = False,
    spoken: bool = False,
    told: Collection[str] = (),
) -> None:
    """An answer as a reader wants it: what it takes for granted, text, table, sources, how it was found.

    The text is left out where it was ``spoken`` before, sentence by sentence, and so are the assumptions that
    were ``told``. The Cypher is shown if wanted.
    """
    parts: list[RenderableType] = [Text(a) for a in answer.assumptions if a not in told]
    parts += [Text(f"The query was changed before it ran: {r.told}", style="dim") for r in answer.repairs]
    doubt = unsure(answer)
    if not spoken:
        parts.append(Text(f"{doubt}: {answer.text}" if doubt else answer.text))
    elif doubt:
        parts.append(Text(f"{doubt}."))
    if answer.dropped_sentences:
        n = answer.dropped_sentences
        parts.append(Text(f"({n} of the model's sentences left out: not in the rows)", style="dim"))
    if answer.rows:
        parts += _table(answer, console.width)
        if answer.truncated:
            first = f"the first {len(answer.rows)} rows" if len(answer.rows) > 1 else "the first row"
            parts.append(Text(f"  Only {first}; there are more (--limit shows more)", style="dim"))
    if answer.suggestions:
        parts.append(Text("You can ask:"))
        parts += [Text(f"  · {s}") for s in answer.suggestions]
    if answer.citations:
        parts.append(Text("\nSources", style="bold"))
        parts += [Text(f"  [{c.number}] {_source(c)}") for c in answer.citations[:10]]
        if len(answer.citations) > 10:
            parts.append(Text(f"  ... and {len(answer.citations) - 10} more (--json shows all)"))
    if answer.explanation:
        parts.append(Text(f"\n{answer.explanation}", style="dim"))
    if answer.cypher and cypher:
        parts.append(Text(answer.cypher, style="dim"))
    parts += [Text(a, style="dim") for a in answer.attributions]
    console.print(Group(*parts), soft_wrap=False)


def unsure(answer: Answer) -> str:
    """How sure an answer is, where it is more likely wrong than right: "Unsure (0.11)"; else empty."""
    result = answer.outcome in (Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID)
    return f"Unsure ({answer.confidence:.2f})" if result and 0 < answer.confidence < EVEN else ""


def _table(answer: Answer, width: int) -> list[RenderableType]:
    cells = [[_cell(v, answer.columns[i]) for i, v in enumerate(row)] for row in answer.rows]
    found = layout(answer.columns, cells, width - INDENT)
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    for i in found.columns:
        table.add_column(Text(answer.columns[i]), width=found.widths.get(i), no_wrap=i not in found.widths)
    for row in cells:
        table.add_row(*(Text(row[i]) for i in found.columns))
    parts: list[RenderableType] = [Padding(table, (1, 0, 0, INDENT))]
    if found.left_out:
        names = ", ".join(found.left_out)
        parts.append(Text(f"  Not shown for lack of width: {names} (--json shows all columns)", style="dim"))
    return parts


def layout(names: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> Layout:
    """The columns that fit into ``width`` characters; the first one always, then in their order.

    Numbers whose printed text is shown as well give way first; texts share what the short columns leave.

    >>> layout(("paper", "title"), [["AAIJ 2022C", "x" * 90]], 60)
    Layout(columns=(0, 1), widths={1: 48}, left_out=())
    >>> layout(("paper", "title"), [["AAIJ 2022C", "x" * 90]], 30).left_out
    ('title',)
    """
    sizes = [max(len(n), *(len(row[i]) for row in cells)) for i, n in enumerate(names)]
    doubled = {i for i, n in enumerate(names) if f"{n} text" in names}
    kept: list[int] = []
    left = width
    for i in sorted(range(len(names)), key=lambda i: (i in doubled, i)):
        need = (sizes[i] if sizes[i] <= WIDE else NARROWEST_TEXT) + (GAP if kept else 0)
        if not kept or need <= left:
            kept.append(i)
            left -= need
    shown = tuple(sorted(kept))
    texts = [i for i in shown if sizes[i] > WIDE]
    widths = {}
    for at, i in enumerate(texts):
        extra = min(sizes[i] - NARROWEST_TEXT, max(0, left) // (len(texts) - at))
        widths[i] = max(min(NARROWEST_TEXT, width), NARROWEST_TEXT + extra)
        left -= extra
    return Layout(shown, widths, tuple(n for i, n in enumerate(names) if i not in kept))


def _cell(value: Value, column: str) -> str:
    if value is None:
        return "not known" if column == "year" else ""
    if isinstance(value, tuple):
        return ", ".join(_cell(v, column) for v in value)
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value).replace("+-", "±") if column.endswith(" text") else str(value)


def _source(citation: Citation) -> str:
    named = (("arXiv:", citation.arxiv), ("INSPIRE ", citation.inspire), ("doi:", citation.doi))
    ids = " · ".join(label + value for label, value in named if value) or _untitled(citation)
    kind = _LISTING if citation.origin is Origin.PDG_TABLES else ""
    return f"{ids} — {kind}“{citation.quote.removeprefix(_LISTING)}”"


def _untitled(citation: Citation) -> str:
    """A document that the world has no id for: its key and its title."""
    title = " ".join(citation.title.split())
    shown = title if len(title) <= WIDE else f"{title[:WIDE].rstrip()}…"
    return f"{citation.document} ({shown})" if title else citation.document
