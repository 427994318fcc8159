"""Which share of the statements behind an answer is cited, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cypher.cited import MAX_CITATIONS, MAX_STATEMENTS
from cypher.table import Table, number
from schemas.questions import Citation

NOTHING_CITED: Final = (
    "Nothing is cited: the graph tells this of its entries themselves, and no statement of a document."
)
_COUNT: Final = "count"


def cited_share(shown: Table, cited: Sequence[Citation], *, of: int = 0) -> tuple[str, ...]:
    """What is said of statements behind the rows that are not cited, and of rows without a citation.

    ``of``: how many things or statements the rows count or are made of, where they do not list them.

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
        return (NOTHING_CITED,)
    known = {str(c.statement) for c in cited}
    behind = {i for row in shown.statements for i in row}
    none = [i for i, row in enumerate(shown.statements) if known.isdisjoint(row)]
    bare = sum(1 for i in none if not (of and _count(shown, i) == 0))
    said = []
    if of > len(cited):
        said.append(f"The citations are a sample: they show {len(cited)} of {of}.")
    elif len(behind) > len(cited):
        most = f"An answer cites at most {MAX_CITATIONS} statements"
        said.append(f"{most}: {len(cited)} of the {len(behind)} that were found are shown.")
    elif of and max(map(len, shown.statements)) >= MAX_STATEMENTS:
        said.append(f"Of each relation at most {MAX_STATEMENTS} statements are cited.")
    if bare:
        said.append(f"{bare} of {len(shown.rows)} rows {'has' if bare == 1 else 'have'} no citation.")
    return tuple(said)


def counted(shown: Table) -> int:
    """The sum of all counts, 0 without any."""
    return sum(_count(shown, i) or 0 for i in range(len(shown.rows)))


def _count(shown: Table, row: int) -> int | None:
    return number(shown.rows[row][shown.columns.index(_COUNT)]) if _COUNT in shown.columns else None
