"""Functions and procedures that a query may call: a closed list; everything else is refused by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cypher.gate.report import finding, nearest
from cypher.syntax import nodes as n
from cypher.syntax.walk import walk
from schemas.findings import Finding

PROCEDURES: Final = {
    "db.index.vector.querynodes": ("node", "score"),
    "db.index.vector.queryrelationships": ("relationship", "score"),
    "db.index.fulltext.querynodes": ("node", "score"),
    "db.index.fulltext.queryrelationships": ("relationship", "score"),
}
"""Procedures in lower case, with what they yield."""
ARGUMENTS: Final = {
    "db.index.vector.querynodes": ("STRING", "INTEGER", "LIST"),
    "db.index.vector.queryrelationships": ("STRING", "INTEGER", "LIST"),
    "db.index.fulltext.querynodes": ("STRING", "STRING", "MAP?"),
    "db.index.fulltext.queryrelationships": ("STRING", "STRING", "MAP?"),
}
"""Types of what they take; one with a question mark may be left out."""
_NAMES: Final = """
abs ceil floor round sign rand exp log log10 sqrt e pi sin cos tan cot asin acos atan atan2 degrees
radians haversin isNaN count sum avg min max collect stDev stDevP percentileCont percentileDisc size
length head last tail range reverse keys labels type id elementId nodes relationships properties
startNode endNode coalesce exists isEmpty nullIf valueType toString toStringOrNull toStringList toInteger
toIntegerOrNull toIntegerList toFloat toFloatOrNull toFloatList toBoolean toBooleanOrNull toBooleanList
toLower toUpper lower upper trim ltrim rtrim btrim left right substring replace split normalize
char_length character_length date datetime localdatetime localtime time duration duration.between
duration.inMonths duration.inDays duration.inSeconds date.truncate datetime.truncate
localdatetime.truncate time.truncate localtime.truncate date.realtime datetime.fromEpoch
datetime.fromEpochMillis timestamp point point.distance point.withinBBox vector.similarity.cosine
vector.similarity.euclidean
"""
MACRO: Final = "similarity"
"""Written out before the query runs; see ``cypher.gate.similarity``."""
FUNCTIONS: Final = {name.lower(): name for name in _NAMES.split()}
AGGREGATES: Final = frozenset(
    ["count", "sum", "avg", "min", "max", "collect", "stdev", "stdevp", "percentilecont", "percentiledisc"]
)
_RENAMED: Final = {
    "distance": "point.distance(a, b)",
    "toint": "toInteger(x)",
    "substr": "substring(text, start, length)",
    "length_of": "size(x)",
    "avg_of": "avg(x)",
    "ifnull": "coalesce(a, b)",
    "len": "size(x)",
    "concat": "a + b",
    "year": "x.year",
    "now": "datetime()",
    "apoc.text.join": "reduce(text = '', x IN xs | text + x)",
    "apoc.coll.toset": "collect(DISTINCT x)",
}


def check_calls(query: n.Query) -> Iterator[Finding]:
    """A finding (``SEC1``) for every call that is not on the list."""
    for node in walk(query):
        if isinstance(node, n.FunctionCall) and node.name.lower() not in {*FUNCTIONS, MACRO}:
            yield _not_a_function(node)
        elif isinstance(node, n.CallProcedure) and node.name.lower() not in PROCEDURES:
            message = f"procedure {node.name} may not be called here; allowed are the searches of an index"
            known = ("db.index.vector.queryNodes", "db.index.fulltext.queryNodes")
            yield finding("SEC1", message, node.span, *known)


def _not_a_function(node: n.FunctionCall) -> Finding:
    renamed = _RENAMED.get(node.name.lower())
    if renamed:
        return finding("SEC1", f"{node.name} is no function of Neo4j 5; write {renamed}", node.span, renamed)
    near = [FUNCTIONS.get(name, name) for name in nearest(node.name.lower(), [*FUNCTIONS, MACRO])]
    return finding("SEC1", f"function {node.name} may not be called here", node.span, *near)


def is_aggregate(node: n.Node) -> bool:
    """Whether a node is a call that collects rows."""
    return isinstance(node, n.CountStar) or (
        isinstance(node, n.FunctionCall) and node.name.lower() in AGGREGATES
    )
