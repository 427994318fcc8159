"""The gate: the only maker of ``CheckedQuery``, and the judge of the server's plan.

The text comes from ``cypher.compose``; it is checked all the same, token by token, against closed sets: the
words of a read, names of the schema, generated variables, declared parameters, and integers after LIMIT only.
A write, a procedure, a literal, a comment or a second statement has no token here, so it cannot pass.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from cypher.identifiers import Identifiers
from schemas.errors import QueryRefusedError
from schemas.questions import CheckedQuery, Parameter, PlanSummary

log = logging.getLogger(__name__)

MAX_TEXT, MAX_ROWS, MAX_SECONDS = 8_000, 1_001, 120.0
MAX_PARAMETER_CHARACTERS, MAX_PARAMETER_ITEMS = 2_000, 200
KEYWORDS = frozenset(
    [
        "MATCH",
        "OPTIONAL",
        "WHERE",
        "WITH",
        "UNWIND",
        "RETURN",
        "DISTINCT",
        "AS",
        "ORDER",
        "BY",
        "DESC",
        "LIMIT",
        "AND",
        "IS",
        "NOT",
        "NULL",
        "IN",
    ]
)
FUNCTIONS = frozenset({"collect", "count", "head", "min", "coalesce", "sqrt", "startNode", "endNode"})
OPERATORS = frozenset(
    [
        "ProduceResults",
        "Argument",
        "Projection",
        "Filter",
        "Limit",
        "Skip",
        "Top",
        "PartialTop",
        "Sort",
        "PartialSort",
        "Distinct",
        "OrderedDistinct",
        "EagerAggregation",
        "OrderedAggregation",
        "Optional",
        "Apply",
        "SemiApply",
        "AntiSemiApply",
        "ConditionalApply",
        "AntiConditionalApply",
        "CartesianProduct",
        "NodeHashJoin",
        "ValueHashJoin",
        "NodeLeftOuterHashJoin",
        "NodeRightOuterHashJoin",
        "LeftOuterHashJoin",
        "RightOuterHashJoin",
        "Union",
        "OrderedUnion",
        "Unwind",
        "Eager",
        "EmptyRow",
        "EmptyResult",
        "CacheProperties",
        "Expand(All)",
        "Expand(Into)",
        "OptionalExpand(All)",
        "OptionalExpand(Into)",
        "NodeCountFromCountStore",
        "RelationshipCountFromCountStore",
        "AllNodesScan",
        "NodeByLabelScan",
        "UnionNodeByLabelsScan",
        "IntersectionNodeByLabelsScan",
        "NodeIndexScan",
        "NodeIndexSeek",
        "NodeIndexSeekByRange",
        "NodeUniqueIndexSeek",
        "MultiNodeIndexSeek",
        "PartitionedNodeByLabelScan",
        "AssertSameNode",
        "AssertSameRelationship",
        "DirectedRelationshipTypeScan",
        "UndirectedRelationshipTypeScan",
        "DirectedUnionRelationshipTypesScan",
        "UndirectedUnionRelationshipTypesScan",
        "DirectedRelationshipIndexScan",
        "UndirectedRelationshipIndexScan",
        "DirectedRelationshipIndexSeek",
        "UndirectedRelationshipIndexSeek",
        "DirectedRelationshipIndexSeekByRange",
        "UndirectedRelationshipIndexSeekByRange",
        "DirectedRelationshipUniqueIndexSeek",
        "UndirectedRelationshipUniqueIndexSeek",
        "DirectedAllRelationshipsScan",
        "UndirectedAllRelationshipsScan",
    ]
)
"""Plan operators of reads (operator table of the Cypher manual); an operator not listed is refused."""

_TOKEN = re.compile(
    r"\s+|`(?P<name>[^`]*)`|\$(?P<parameter>[a-z][a-z0-9_]*)|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<int>\d+)"
    r"|(?P<mark><>|<=|>=|<-|->|\.\.|[()\[\]:.,=+*/|-])"
)
_VARIABLE = re.compile(r"^[nrexsm]\d{1,2}$")
_PATTERN_VARIABLE = re.compile(r"[(\[]([nrm]\d{1,2}):")


def check(
    text: str,
    parameters: Mapping[str, Parameter],
    *,
    columns: Sequence[str],
    row_cap: int,
    timeout: float,
    names: Identifiers,
) -> CheckedQuery:
    """A query that may run, or ``QueryRefusedError``.

    ``row_cap`` is the literal after the last LIMIT (one row more than is shown); ``timeout`` in seconds.
    """
    if len(text) > MAX_TEXT:
        raise QueryRefusedError(f"the query has {len(text)} characters; at most {MAX_TEXT} are allowed")
    tokens = _tokens(text, names)
    _check_clauses(tokens, row_cap)
    _check_scope(text)
    _check_parameters({t[1:] for t in tokens if t.startswith("$")}, parameters)
    for column in columns:
        if column not in names.columns:
            raise QueryRefusedError(f"column {column!r} is not known to the schema")
    if not 0 < timeout <= MAX_SECONDS:
        raise QueryRefusedError(
            f"a query's time limit lies above 0 and up to {MAX_SECONDS:g} s, not {timeout:g} s"
        )
    query = CheckedQuery(
        text=text, parameters=dict(parameters), columns=tuple(columns), row_cap=row_cap, timeout=timeout
    )
    query._by_guard = True
    return query


def check_plan(plan: PlanSummary) -> None:
    """Raise ``QueryRefusedError`` unless the server plans a read of listed operators, no procedures."""
    unknown = sorted({o.split("@")[0] for o in plan.operators} - OPERATORS)
    if plan.query_type != "r" or plan.procedures or unknown:
        log.warning(
            "plan refused: type %s, procedures %s, operators %s", plan.query_type, plan.procedures, unknown
        )
        raise QueryRefusedError(
            f"the server would not run this as a plain read (type {plan.query_type!r}, procedures "
            f"{', '.join(plan.procedures) or 'none'}, unlisted operators {', '.join(unknown) or 'none'}); "
            "it was not run. If a new server version brought a read operator, add it to the list."
        )


def _tokens(text: str, names: Identifiers) -> list[str]:
    tokens: list[str] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise QueryRefusedError(f"character {text[at]!r} at {at} has no place in a query of this service")
        at = match.end()
        if match.group().isspace():
            continue
        _check_token(match, names)
        tokens.append(match.group())
    return tokens


def _check_token(match: re.Match[str], names: Identifiers) -> None:
    name, word = match["name"], match["word"]
    if name is not None and name not in names.all:
        raise QueryRefusedError(f"{name!r} is no name of the schema")
    if word is not None and word not in KEYWORDS and word not in FUNCTIONS and not _VARIABLE.match(word):
        raise QueryRefusedError(f"{word!r} is neither a word of a read query nor a generated variable")


def _check_clauses(tokens: Sequence[str], row_cap: int) -> None:
    if not tokens or tokens[0] != "MATCH":
        raise QueryRefusedError("a query of this service starts with MATCH")
    if tokens.count("RETURN") != 1:
        raise QueryRefusedError(f"a query has one RETURN, found {tokens.count('RETURN')}")
    if tokens[-2:] != ["LIMIT", str(row_cap)] or not 0 < row_cap <= MAX_ROWS:
        raise QueryRefusedError(f"a query ends in LIMIT {row_cap} with at most {MAX_ROWS} rows")
    for before, token in pairwise(tokens):
        if token.isdigit() and (before != "LIMIT" or int(token) > MAX_ROWS):
            raise QueryRefusedError("a number may only follow LIMIT; other values are parameters")


def _check_scope(text: str) -> None:
    for variable in sorted(set(_PATTERN_VARIABLE.findall(text))):
        if f"{variable}.`status` IN $scope" not in text:
            raise QueryRefusedError(f"{variable} is not limited to the facts in scope")


def _check_parameters(used: set[str], parameters: Mapping[str, Parameter]) -> None:
    if used != set(parameters):
        raise QueryRefusedError(
            f"parameters used and given differ: {', '.join(sorted(used ^ set(parameters)))}"
        )
    for name, value in parameters.items():
        items = value if isinstance(value, tuple) else (value,)
        if len(items) > MAX_PARAMETER_ITEMS or any(
            not isinstance(i, str | int | float | bool | None)
            or (isinstance(i, str) and len(i) > MAX_PARAMETER_CHARACTERS)
            for i in items
        ):
            raise QueryRefusedError(f"parameter {name} is too large or of a type that no query needs")
