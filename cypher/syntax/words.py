"""Closed sets of words that the lexer and the printer share."""

from __future__ import annotations

from typing import Final

KEYWORDS: Final = frozenset(
    [
        "ALL",
        "AND",
        "ANY",
        "AS",
        "ASC",
        "ASCENDING",
        "BINDINGS",
        "BOTH",
        "BY",
        "CALL",
        "CASE",
        "COLLECT",
        "CONTAINS",
        "COUNT",
        "DESC",
        "DESCENDING",
        "DIFFERENT",
        "DISTINCT",
        "ELEMENTS",
        "ELSE",
        "END",
        "ENDS",
        "EXISTS",
        "FALSE",
        "FINISH",
        "FROM",
        "GROUP",
        "GROUPS",
        "IN",
        "INDEX",
        "IS",
        "JOIN",
        "LEADING",
        "LIMIT",
        "MATCH",
        "NORMALIZED",
        "NOT",
        "NULL",
        "OFFSET",
        "ON",
        "OPTIONAL",
        "OR",
        "ORDER",
        "PATH",
        "PATHS",
        "POINT",
        "RANGE",
        "RELATIONSHIPS",
        "REPEATABLE",
        "RETURN",
        "SCAN",
        "SEEK",
        "SHORTEST",
        "SKIP",
        "STARTS",
        "TEXT",
        "THEN",
        "TRAILING",
        "TRUE",
        "TYPED",
        "UNION",
        "UNWIND",
        "USING",
        "WHEN",
        "WHERE",
        "WITH",
        "XOR",
        "YIELD",
    ]
)
"""Words that are keywords where the grammar takes them, and names everywhere else."""
VALUE_WORDS: Final = frozenset({"NULL", "TRUE", "FALSE"})
SUBQUERY_WORDS: Final = frozenset({"EXISTS", "COUNT", "COLLECT"})
NORMAL_FORMS: Final = frozenset({"NFC", "NFD", "NFKC", "NFKD"})
LIST_PREDICATES: Final = frozenset({"ALL", "ANY", "NONE", "SINGLE"})
SHORTEST_PATHS: Final = {"SHORTESTPATH": "shortestPath", "ALLSHORTESTPATHS": "allShortestPaths"}
TYPE_WORDS: Final = frozenset(
    [
        "ANY",
        "ARRAY",
        "BOOL",
        "BOOLEAN",
        "DATE",
        "DATETIME",
        "DURATION",
        "EDGE",
        "FLOAT",
        "INT",
        "INTEGER",
        "LIST",
        "LOCAL",
        "MAP",
        "NODE",
        "NOT",
        "NOTHING",
        "NULL",
        "PATH",
        "PATHS",
        "POINT",
        "PROPERTY",
        "RELATIONSHIP",
        "SIGNED",
        "STRING",
        "TIME",
        "TIMESTAMP",
        "TIMEZONE",
        "VALUE",
        "VARCHAR",
        "VERTEX",
        "WITH",
        "WITHOUT",
        "ZONE",
        "ZONED",
    ]
)
"""Words of value types after ``IS ::``."""
PUNCTUATION: Final = {
    "<=": "LE",
    ">=": "GE",
    "<>": "NE",
    "=~": "MATCHES",
    "..": "RANGE_DOTS",
    "||": "CONCAT",
    "::": "DCOLON",
    "(": "LPAR",
    ")": "RPAR",
    "[": "LSQB",
    "]": "RSQB",
    "{": "LBRACE",
    "}": "RBRACE",
    ".": "DOT",
    ",": "COMMA",
    ":": "COLON",
    "|": "BAR",
    "+": "PLUS",
    "-": "MINUS",
    "*": "STAR",
    "/": "SLASH",
    "%": "PERCENT",
    "^": "CARET",
    "<": "LT",
    ">": "GT",
    "=": "EQ",
    "&": "AMP",
    "!": "BANG",
    "$": "DOLLAR",
}
_HARMLESS_TEXT: Final = """
BINDINGS DIFFERENT ELEMENTS GROUP GROUPS INDEX JOIN PATH PATHS POINT RANGE RELATIONSHIPS REPEATABLE
SCAN SEEK TEXT
"""
_HARMLESS: Final = frozenset(_HARMLESS_TEXT.split())
RESERVED: Final = (
    (KEYWORDS - _HARMLESS) | NORMAL_FORMS | {"NONE", "SINGLE", "REDUCE", "INF", "INFINITY", "NAN"}
)
"""Words that the printer quotes when they are names."""
