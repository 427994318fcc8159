"""The order of clauses: what the grammar leaves open."""

from __future__ import annotations

from cypher.syntax import nodes as n
from cypher.syntax.faults import SyntaxFaultError, refuse
from cypher.syntax.tokens import INT64
from cypher.syntax.walk import walk


def check_order(query: n.Query) -> None:
    """Raise ``SyntaxFaultError`` where a query does not end as it must, or for 2^63 without its sign."""
    inner: dict[int, str] = {}
    for node in walk(query):
        if isinstance(node, n.Subquery):
            inner[id(node.query)] = node.kind
        elif isinstance(node, n.CallSubquery):
            inner[id(node.query)] = "CALL"
        elif isinstance(node, n.Literal) and is_too_large(node):
            raise too_large(node.span)
        elif isinstance(node, n.Query):
            _check(node, inner.get(id(node), ""))


def is_too_large(literal: n.Literal) -> bool:
    """Whether a literal is 2^63, which is a number with the sign ``-`` only."""
    return type(literal.value) is int and literal.value == INT64


def too_large(span: n.Span) -> SyntaxFaultError:
    """The fault of a whole number that the server cannot hold."""
    return refuse("SYN1", "expected a whole number of at most 64 bits", span)


def _check(query: n.Query, place: str) -> None:
    if len(set(query.union_all)) > 1:
        raise refuse("SYN1", "UNION and UNION ALL may not be mixed in one query", query.span)
    for branch in query.branches:
        *before, last = branch.clauses
        for clause in before:
            if isinstance(clause, n.Return | n.Finish):
                word = "RETURN" if isinstance(clause, n.Return) else "FINISH"
                raise refuse(
                    "SYN1",
                    f"expected {word} at the end of the query; found more after it, at line "
                    f"{clause.span.line}, column {clause.span.column}",
                    clause.span,
                    "WITH ... passes values on",
                )
        _check_last(last, place, alone=not before and len(query.branches) == 1)


def _check_last(last: n.Clause, place: str, *, alone: bool) -> None:
    if isinstance(last, n.Return) or (isinstance(last, n.Finish) and place in {"", "CALL"}):
        return
    if place in {"EXISTS", "COUNT"} and not isinstance(last, n.With | n.Finish):
        return
    if isinstance(last, n.CallProcedure) and alone and not place:
        return
    where = f"{place} {{ }}" if place else "the query"
    raise refuse(
        "SYN1",
        f"expected RETURN at the end of {where}; it ends with {clause_word(last)}",
        last.span,
        "RETURN n",
    )


def clause_word(clause: n.Clause) -> str:
    """The keyword of a clause."""
    words = {n.Match: "MATCH", n.With: "WITH", n.Unwind: "UNWIND", n.Return: "RETURN", n.Finish: "FINISH"}
    return words.get(type(clause), "CALL")
