"""A regular expression that the server could try without end never reaches it."""

from __future__ import annotations

import re
import time

import pytest

from benchmarks.random_cypher import small_schema
from cypher.gate.regular import MAX_CHARACTERS, too_long
from cypher.guard import report_on


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("(.*a){20}b", "repeats nothing that is repeated"),
        ("(a+)+b", "repeats nothing that is repeated"),
        ("(?:(?i:a*)b)*", "repeats nothing that is repeated"),
        ("(a?){30}", "repeats nothing that is repeated"),
        ("a{3}{4}", "repeats nothing that is repeated"),
        ("(a|a)*b", "repeats nothing that is repeated or chosen"),
        ("(a|b){2,}", "repeats nothing that is repeated or chosen"),
        (".*a.*a.*", "at most 2 of *, + and {n,}; this one has 3"),
        ("a{1,500}a{1,500}a{1,500}b", "at most 2 of *, + and {n,}; this one has 3"),
        ("(?=.*a)(?=.*b).*", "at most 2 of *, + and {n,}; this one has 3"),
        ("a?" * 40, "ways through its choices"),
        ("(a|a)" * 40, "ways through its choices"),
        ("(a|b){30}", "ways through its choices"),
        (r"(a)b\1", "names no group again"),
        (r"(?<n>a)b\k<n>", "names no group again"),
        (r"\Q[\E(a*)*", r"not by \Q and \E"),
        (r"[a[b]](a*)*", "no brackets inside of brackets"),
        ("(?x)a # [\n(b|b)*", "no comments"),
        ("(" * 30 + "a" + ")" * 30, "at most 20 levels"),
        ("a\\", "ends in no backslash"),
        ("a" * (MAX_CHARACTERS + 1), "has at most 200 characters; this one has 201"),
    ],
)
def test_an_expression_that_may_take_long_is_refused(expression: str, why: str) -> None:
    assert why in too_long(expression)
    report = report_on(
        "MATCH (a:A) WHERE a.x =~ $e RETURN a.id AS id", small_schema(), parameters={"e": expression}
    )
    assert [f.code for f in report.findings] == ["COST"]
    assert why in report.findings[0].message
    assert report.findings[0].message.endswith("or use CONTAINS, STARTS WITH or ENDS WITH")


@pytest.mark.parametrize(
    "expression",
    [
        "(?i).*foo.*",
        "(?i)foo.*",
        "^[A-Z][a-z]+$",
        r"\d{4}-\d{2}-\d{2}",
        r"(?i).*\b(Ms\.|Miss|Mrs\.|Frau|Fräulein|Mademoiselle|Madame|Mlle\.|Mme\.|Señora)\b.*",
        ".*foo.*|.*bar.*|.*baz.*",
        r"\p{L}+ \p{L}+",
        r"[\w.\-]+@[\]a]+",
        "colou?r(ed)?",
        "(ab)*c",
        "(ab|cd){3}",
        "a{2,5}?b*+",
        r"\(.*\)",
        r"\x{41}\cA.",
        "a|",
        "",
    ],
)
def test_an_ordinary_expression_passes(expression: str) -> None:
    assert too_long(expression) == ""
    text = "MATCH (a:A) WHERE a.x =~ $e RETURN a.id AS id"
    report = report_on(text, small_schema(), parameters={"e": expression})
    assert report.query is not None, report.findings
    assert report.query.parameters == {"e": expression}


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:A), (b:B) WHERE a.x =~ b.x RETURN a.id AS id",
        "MATCH (a:A) WHERE a.x =~ '.*' + a.x RETURN a.id AS id",
        "UNWIND ['(a*)*', 'b'] AS e RETURN 'a' =~ e AS m",
        "RETURN 'a' =~ toLower('(A*)*') AS m",
        "MATCH (a:A) RETURN EXISTS { (b:B) WHERE b.x =~ a.x } AS m",
    ],
)
def test_an_expression_is_known_before_the_query_runs(text: str) -> None:
    report = report_on(text, small_schema())
    assert [f.code for f in report.findings] == ["COST"]
    assert "is written out, or given as a parameter" in report.findings[0].message
    assert report.findings[0].suggestions[0] == "n.name CONTAINS 'x'"


def test_parts_that_are_known_are_put_together() -> None:
    text = "MATCH (a:A) WHERE a.x =~ '(?i).*' + $w + '.*' RETURN a.id AS id"
    assert report_on(text, small_schema(), parameters={"w": "foo"}).query is not None
    assert report_on(text, small_schema(), parameters={"w": "(a*)*"}).query is None
    assert report_on("RETURN 'aaaa' =~ '(.*' + 'a){20}b' AS m", small_schema()).query is None
    assert report_on("RETURN 'a' =~ null AS m", small_schema()).query is not None


def test_what_passes_is_short_for_a_backtracking_matcher() -> None:
    """Python's matcher goes back as Java's does."""
    text = "a" * 2_000
    for expression in (".*a.*b", "(?i).*(aa|ab|ac|a).*b", "a*a?a?a?a?b", "a+a+b"):
        assert too_long(expression) == ""
        began = time.perf_counter()
        assert re.fullmatch(expression, text) is None
        assert time.perf_counter() - began < 5
