"""Rows become an answer: a templated sentence, a table, and the statements it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from cypher.table import Table, number, table
from cypher.wording import sentence
from schemas.graphs import Origin
from schemas.ids import StatementId
from schemas.questions import Citation, GraphEdge, GraphNode, StatementDetail

MOST_NAMED = 3
__all__ = ["Table", "citations", "number", "row_citations", "sentence", "subgraph", "table", "unnumbered"]


def citations(details: Sequence[StatementDetail]) -> tuple[Citation, ...]:
    """Numbered citations; a listing's row is marked as such and never as the paper's words."""
    return tuple(
        Citation(
            number=i,
            statement=StatementId(d.id),
            type=d.type,
            document=d.document,
            title=d.title,
            arxiv=d.arxiv,
            inspire=d.inspire,
            doi=d.doi,
            quote=f"PDG listing: {d.quote}" if d.origin is Origin.PDG_TABLES and d.quote else d.quote,
            origin=d.origin,
            status=d.status,
        )
        for i, d in enumerate(details, start=1)
    )


_LISTED = "For this the listings of the Particle Data Group have no arXiv, INSPIRE or DOI number of a paper."


def unnumbered(cited: Sequence[Citation]) -> tuple[str, ...]:
    """What is said of documents of the asker's own: no archive or journal lists them.

    So is of listings, where they alone are cited and name no paper.
    """
    if cited and not any(c.arxiv or c.inspire or c.doi or c.origin is not Origin.PDG_TABLES for c in cited):
        return (_LISTED,)
    own = (c for c in cited if c.origin is not Origin.PDG_TABLES and not (c.arxiv or c.inspire or c.doi))
    titles = {str(c.document): c.title for c in own}
    if not titles:
        return ()
    names = [f"{d} ('{t}')" if t else d for d, t in list(titles.items())[:MOST_NAMED]]
    more = f" and {len(titles) - MOST_NAMED} more" if len(titles) > MOST_NAMED else ""
    verb = "has" if len(titles) == 1 else "have"
    return (f"{', '.join(names)}{more} {verb} no arXiv, INSPIRE or DOI number: not known to be published.",)


def row_citations(shown: Table, cited: Sequence[Citation]) -> tuple[tuple[int, ...], ...]:
    """The numbers of the citations behind each shown row."""
    numbers = {str(c.statement): c.number for c in cited}
    return tuple(tuple(sorted({numbers[i] for i in ids if i in numbers})) for ids in shown.statements)


def subgraph(details: Sequence[StatementDetail]) -> tuple[tuple[GraphNode, ...], tuple[GraphEdge, ...]]:
    """Nodes and edges of the cited statements."""
    nodes = {node.id: node for d in details for node in d.ends}
    return tuple(nodes.values()), tuple(d.edge for d in details)
