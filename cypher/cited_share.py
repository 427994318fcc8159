"""Which share of the statements behind an answer is cited, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cypher.cited import MAX_CITATIONS, MAX_STATEMENTS
from cypher.sampled import LOOKED_AT
from cypher.table import Table, number
from schemas.questions import Citation

NOTHING_CITED: Final = (
    "Nothing is cited: the graph tells this of its entries themselves, and no statement of a document."
)
NOTHING_FOUND: Final = (
    "Nothing is cited: the graph tells this of its entries themselves. "
    f"At most the first {LOOKED_AT} of them were looked at for a statement of a document."
)
"""Where things are counted, for each row."""
_COUNT: Final = "count"


def cited_share(
    shown: Table, cited: Sequence[Citation], *, of: int = 0, at_least: bool = False
) -> tuple[str, ...]:
    """What is said of statements behind the rows that are not cited, and of rows without a citation.

    ``of``: how many things or statements the rows count or are made of, where they do not list them;
    ``at_least`` so many. Several rows may count the same things, so that their counts are not added up.

    >>> table = Table(("count",), ((58,),), (("s1",),), (0,), False)
    >>> one = Citation(number=1, statement="s1", type="determines", document="a.tex")
    >>> cited_share(table, [one], of=counted(table))
    ('The citations are a sample: they show 1 of 58.',)
    >>> cited_share(table, [])
    ('Nothing is cited: the graph tells this of its entries themselves, and no statement of a document.',)
    """
    if not shown.rows:
        return ()
    if not cited:
        return (NOTHING_FOUND if of else NOTHING_CITED,)
    known = frozenset(str(c.statement) for c in cited)
    behind = {i for row in shown.statements for i in row}
    none = [i for i, row in enumerate(shown.statements) if known.isdisjoint(row)]
    bare = sum(1 for i in none if not (of and _count(shown, i) == 0))
    said = []
    if sample := _sample(shown, known, of, at_least=at_least):
        said.append(sample)
    elif len(behind) > len(cited):
        most = f"An answer cites at most {MAX_CITATIONS} statements"
        said.append(f"{most}: {len(cited)} of the {len(behind)} that were found are shown.")
    elif of and max(map(len, shown.statements)) >= MAX_STATEMENTS:
        said.append(f"Of each relation at most {MAX_STATEMENTS} statements are cited.")
    if bare:
        said.append(f"{bare} of {len(shown.rows)} rows {'has' if bare == 1 else 'have'} no citation.")
    return tuple(said)


def _sample(shown: Table, known: frozenset[str], of: int, *, at_least: bool) -> str:
    """That the citations are a sample of what is counted, and of how many; empty where they are not."""
    rows = len(shown.rows)
    if of and rows > 1 and not at_least:
        less = sum(
            (_count(shown, i) or 0) > len(known.intersection(shown.statements[i])) for i in range(rows)
        )
        more = "counts more than it cites" if less == 1 else "count more than they cite"
        return f"The citations are a sample: {less} of {rows} rows {more}." if less else ""
    if of <= len(known):
        return ""
    return f"The citations are a sample: they show {len(known)} of {'at least ' if at_least else ''}{of}."


def counted(shown: Table) -> int:
    """The sum of all counts, 0 without any."""
    return sum(_count(shown, i) or 0 for i in range(len(shown.rows)))


def _count(shown: Table, row: int) -> int | None:
    return number(shown.rows[row][shown.columns.index(_COUNT)]) if _COUNT in shown.columns else None
