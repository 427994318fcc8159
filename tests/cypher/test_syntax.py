"""The read-only grammar: what it reads, that printing keeps the meaning, how it refuses."""

from __future__ import annotations

import logging
from dataclasses import fields

import lark
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.syntax import nodes, words, write_patterns
from cypher.syntax import write as writing
from cypher.syntax.lexer import TokenPass
from cypher.syntax.nodes import Node
from cypher.syntax.parse import grammar_text, parse
from cypher.syntax.walk import children, rebuild, walk
from cypher.syntax.write import write
from schemas.errors import QueryRefusedError

READS = """
MATCH (n) RETURN [x IN xs WHERE x:A | x.n] => [x IN xs WHERE (x:A) | x.n]
MATCH (n) RETURN [x IN xs WHERE x:A|B | x.n] => [x IN xs WHERE (x:A|B) | x.n]
MATCH (n) RETURN [x IN xs WHERE x:A|B] => [x IN xs WHERE (x:A|B)]
MATCH (n) RETURN [p = (a)-->(b) | length(p)] => [p = (a)-->(b) | length(p)]
MATCH (n) WHERE n IS A RETURN n => WHERE n:A
MATCH (match)-[call:R]->(all) WITH match, all LIMIT 3 RETURN match.x AS limit, all => (`match`)-[`call`:R]->
MATCH p = ANY SHORTEST (a)-[:R]->+(b) RETURN p => ANY SHORTEST (a)
MATCH p = ANY 2 PATHS (a)-[:R]->{1,3}(b) RETURN p => ANY 2 (a)-[:R]->{1,3}(b)
MATCH p = SHORTEST 2 PATH GROUPS (a)-[:R]-+(b) RETURN p => SHORTEST 2 GROUPS
MATCH p = ALL SHORTEST (a)-[:R]-{,3}(b) RETURN p => -[:R]-{0,3}
MATCH REPEATABLE ELEMENTS (a)-[:R]->(b) RETURN a => REPEATABLE ELEMENTS
RETURN 1_000 AS x, 0xFF AS y, 0o17 AS z, .5 AS h, 1e3 AS e => 1000 AS x, 255 AS y, 15 AS z, 0.5 AS h, 1000.0
RETURN trim(BOTH ' ' FROM 'x') AS t, trim('x') AS u, trim(LEADING FROM 'x') AS q => trim(LEADING FROM 'x')
MATCH (n:A) USING INDEX n:A(x) USING SCAN n:A USING JOIN ON n WHERE n.x = 1 RETURN n => MATCH (n:A) WHERE
WITH 1 AS a RETURN (a)-[1][0] AS x => a - [1][0]
RETURN CASE WHEN true THEN 1 ELSE 2 END AS end, [1,2][0..1] AS s => END AS `end`
MATCH (case:Case) RETURN case.x, case ORDER BY case.x DESC => RETURN `case`.x, `case` ORDER BY `case`.x DESC
MATCH (n) WHERE n.in = 1 AND n.`order` IN [1] AND NOT (n)-->() AND NOT (n.x = 1) RETURN n => NOT (n)-->() AN
MATCH (n:Order {type: 'x', end: 1})-[in:IN]->(m) RETURN n.type, in => (n:`Order` {type: 'x', `end`: 1})
MATCH (a) WHERE (a)<-[:R]-(:B) OR a.y<-2 RETURN a => (a)<-[:R]-(:B) OR a.y < -2
MATCH (n) WHERE any(x IN n.xs WHERE x > 1) RETURN reduce(s=0, x IN n.xs | s + x) AS t => reduce(s = 0, x IN
MATCH (n) RETURN count(all(x IN n.xs WHERE x)) AS c => count(all(x IN n.xs WHERE x))
MATCH (n) RETURN collect(DISTINCT (n)-->()) AS c, count(distinct(n.x)) AS d => collect(DISTINCT (n)-->())
MATCH (n) RETURN n {.a, .*, k: 1, n} AS m, exists((n)-->()) AS e => n {.a, .*, k: 1, n} AS m, exists((n)-->(
MATCH (n) WHERE EXISTS { (n)-->(m) WHERE m.x = 1 } RETURN n => EXISTS { MATCH (n)-->(m) WHERE m.x = 1 }
MATCH (n) RETURN COUNT { MATCH (n)-->(m) } AS c, COLLECT { MATCH (n)-->(m) RETURN m.x } AS l => COUNT { MATC
MATCH (n) WHERE n.x IS :: INTEGER NOT NULL RETURN n => IS :: INTEGER NOT NULL
MATCH (n) WHERE n.y IS NOT TYPED LIST<STRING NOT NULL> RETURN n => IS NOT :: LIST<STRING NOT NULL>
MATCH (n:$($label)&!B|C), (m:$any($x)), (o:%) RETURN n => (n:$($label)&!B|C), (m:$any($x)), (o:%)
MATCH (n:A:B)-[:R|:Q]->(m) RETURN n => (n:A&B)-[:R|Q]->(m)
CALL db.labels => CALL db.labels
CALL a.b('x') YIELD node AS n, score WHERE score > 1 RETURN n => YIELD node AS n, score WHERE score > 1
MATCH (n) OPTIONAL CALL (n) { MATCH (n)-->(m) RETURN m } RETURN m => OPTIONAL CALL (n) {
CALL (*) { RETURN 1 AS x } RETURN x => CALL (*) {
MATCH (n) CALL { WITH n MATCH (n)-->(m) RETURN m } RETURN m => CALL { WITH n
MATCH (n) RETURN normalize(n.x, NFC) AS a, n.x IS NFD NORMALIZED AS b => normalize(n.x, NFC) AS a, n.x IS NF
MATCH (s) ((a)-[:R]->(b) WHERE a.x > 1){1,3} (t)-[:Q]->+(u) RETURN s => (s) ((a)-[:R]->(b) WHERE a.x > 1){1,
MATCH (a)<-->(b)--(c)-[r:R*1..3 {x: 1}]-(f) RETURN a => (a)--(b)--(c)-[r:R*1..3 {x: 1}]-(f)
MATCH (a)-[*]-(b), (a)-[*2]-(c), (a)-[*..3]-(d), (a)-[*2..]-(e) RETURN a => -[*]-(b), (a)-[*2]-(c), (a)-[*1.
UNWIND [1] AS x RETURN x UNION ALL UNWIND [3] AS x RETURN x => UNION ALL
MATCH (n) FINISH => FINISH
MATCH (n) RETURN n.a ORDER BY n.a ASC, n.b DESCENDING OFFSET 1 LIMIT 2 => ORDER BY n.a, n.b DESC SKIP 1 LIMI
MATCH (n) RETURN CASE n.y WHEN IS NULL THEN 'u' WHEN < 5 THEN 'o' WHEN 1, 2 THEN 'm' ELSE 'n' END AS e => WH
MATCH (n $map) RETURN n => (n $map)
MATCH (n) RETURN n.`a``b` AS `x y`, $`p q` AS p => n.`a``b` AS `x y`, $`p q`
MATCH (n) RETURN n.xs[..2] AS z, n.xs[1..] AS w, (1).x AS e => n.xs[..2] AS z, n.xs[1..]
RETURN 2 ^ -1 AS c, 1 - -1 AS d, NOT NOT true AS e, (1 + 2) * 3 AS f => (1 + 2) * 3
MATCH p=shortestPath((a)-[:R*..3]-(b)) RETURN p => shortestPath((a)-[:R*1..3]-(b))
MATCH (where) RETURN where /* DELETE */ // SET => MATCH (`where`) RETURN `where`
"""


@pytest.mark.parametrize("line", READS.strip().splitlines())
def test_reads_and_prints(line: str) -> None:
    text, expected = line.rsplit(" => ", 1)
    tree = parse(text)
    printed = write(tree)
    assert expected in printed
    assert parse(printed) == tree
    assert write(parse(printed)) == printed


@pytest.mark.parametrize("line", READS.strip().splitlines())
def test_lower_case_keywords_read_the_same(line: str) -> None:
    text = line.rsplit(" => ", 1)[0]
    lowered = " ".join(w.lower() if w in words.KEYWORDS else w for w in text.split(" "))
    assert parse(lowered) == parse(text)


def test_every_construct_has_a_printer() -> None:
    abstract = {Node, nodes.Expression, nodes.LabelExpression, nodes.Clause}
    kinds = {k for k in vars(nodes).values() if isinstance(k, type) and issubclass(k, Node)} - abstract
    assert set(writing._WRITERS) == kinds
    assert set(write_patterns.PATTERN_WRITERS) < kinds


def test_no_construct_writes() -> None:
    writes = ("create", "merge", "set", "remove", "delete", "foreach", "load", "insert", "drop")
    kinds = [k.__name__.lower() for k in vars(nodes).values() if isinstance(k, type) and issubclass(k, Node)]
    assert not [k for k in kinds if k.startswith(writes)]
    terminals = set(grammar_text().replace("|", " ").split())
    assert not terminals & {w.upper() for w in writes}


def test_conflicts_of_the_grammar_are_the_known_ones(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger=lark.logger.name)
    lark.Lark(grammar_text(), parser="lalr", lexer=TokenPass, debug=True, keep_all_tokens=True)
    found = [r.getMessage() for r in caplog.records if "conflict" in r.getMessage()]
    assert sorted(m.split("(")[0].strip() for m in found) == sorted(
        ["Shift/Reduce conflict for terminal COLON:"] * 2
        + ["Shift/Reduce conflict for terminal LT:"] * 2
        + ["Shift/Reduce conflict for terminal MINUS:"] * 2
    )


REFUSED = """
SYN1 | CREATE (n) RETURN n | CREATE has no place
SYN1 | MATCH (n) SET n.x = 1 RETURN n | SET has no place
SYN1 | MATCH (n) RETURN n; MATCH (m) RETURN m | expected one statement
SYN1 | EXPLAIN MATCH (n) RETURN n | EXPLAIN
SYN1 | CYPHER 25 MATCH (n) RETURN n | Cypher 25
SYN1 | CYPHER runtime=parallel MATCH (n) RETURN n | options of the server
SYN1 | MATCH (n) LET y = n.x RETURN y | Cypher 25
SYN1 | MATCH (n) WITH n CALL (n) { RETURN 1 AS x } IN TRANSACTIONS RETURN x | IN TRANSACTIONS
SYN1 | RETURN count(DISTINCT *) | expected a value
SYN1 | MATCH (a)-[:!R*1..2]->(b) RETURN b | joined by
SYN1 | RETURN sum(*) | only count takes *
SYN1 | MATCH (n) RETRUN n | expected
SYN1 | MATCH (n) WHERE size{(n)-->()} > 1 RETURN n | COUNT
SYN1 | MATCH (n) WHERE n.x NOT IN [1] RETURN n | NOT stands before
SYN1 | MATCH (n) RETURN n.x, count(*) GROUP BY n.x | groups by itself
SYN1 | MATCH (n) WHERE n.x = (SELECT min(x) FROM y) RETURN n | SELECT
SYN1 | MATCH (n) WHERE EXISTS { (n)-->(m) AND m.x = 1 } RETURN n | WHERE
SYN1 | MATCH (n)-->(m) RETURN relationships(n-[:R]->m) | a path is named
SYN1 | MATCH (n) WITH n | expected RETURN at the end
SYN1 | MATCH (n) RETURN n MATCH (m) RETURN m | expected RETURN at the end
SYN1 | MATCH (n)(m) RETURN n | expected a relationship
SYN1 | MATCH (n RETURN n | not closed
SYN1 | MATCH n) RETURN n | closes nothing
SYN1 | RETURN 'abc | no closing
SYN1 | RETURN `abc | no closing
SYN1 | RETURN 1 /* abc | does not end
SYN1 | RETURN 99999999999999999999 AS x | 64 bits
SYN1 | RETURN 1 AS x UNION RETURN 2 AS x UNION ALL RETURN 3 AS x | may not be mixed
SYN2 | RETURN 'a\\q' AS x | stands for nothing
SYN2 | MATCH (n) \\u0044ELETE n | escape
SYN2 | MATCH (n:`\\u0044`) RETURN n | escape
SYN2 | MATCH (n) \\\\uu0044ELETE n | escape
SYN2 | MATCH (n) DE\u200bLETE n | ZERO WIDTH SPACE
SYN1 | MATCH (n) \uff24\uff25\uff2c\uff25\uff34\uff25 n | expected
SYN1 | MATCH (n) S\u0415T n.x = 1 | expected
"""


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_refusals_say_what_where_and_how(line: str) -> None:
    code, text, words_ = (part.strip() for part in line.split(" | "))
    with pytest.raises(QueryRefusedError) as caught:
        parse(text)
    (finding,) = caught.value.findings
    assert finding.code == code
    assert words_ in finding.message
    assert len(finding.suggestions) <= 3


def test_a_fault_has_its_line_and_column() -> None:
    with pytest.raises(QueryRefusedError) as caught:
        parse("MATCH (n)\nWHERE n.x == 1\nRETURN n")
    place = caught.value.findings[0].place
    assert (place.line, place.column) == (2, 12)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 10_000_000,
        "RETURN " + "(" * 3_000 + "1" + ")" * 3_000,
        "RETURN " + "-" * 2_000 + "1",
        "RETURN " + "NOT " * 1_000 + "true",
        "RETURN " + "EXISTS { MATCH (n) WHERE " * 300 + "true" + "}" * 300,
        "RETURN n" + ".a" * 1_000,
        "RETURN n" + "[0]" * 1_000,
        "RETURN " + "CASE WHEN true THEN " * 300 + "1" + " END" * 300,
        "MATCH (n:" + "!" * 1_000 + "A) RETURN n",
        "RETURN '" + "a" * 7_000,
        "RETURN /*" + "a" * 7_000,
        "RETURN `" + "a" * 7_000,
    ],
    ids=range(12),
)
def test_large_and_deep_texts_are_refused(text: str) -> None:
    with pytest.raises(QueryRefusedError):
        parse(text)


@pytest.mark.parametrize("depth", [20, 50])
def test_nesting_up_to_the_cap_is_read(depth: int) -> None:
    text = "MATCH (n) WHERE " + "(" * depth + "n.x = 1" + ")" * depth + " RETURN n"
    assert write(parse(text)) == "MATCH (n) WHERE n.x = 1 RETURN n"


WORDS = st.sampled_from(
    [
        *[
            "MATCH",
            "RETURN",
            "WHERE",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "n",
            "m",
            ":A",
            "-[",
            "]-",
            ">",
            "<",
            "-",
            ",",
            ".",
            "..",
            "=",
            "'a'",
            "1",
            "$p",
            "AND",
            "NOT",
            "IN",
            "x",
            "|",
            "*",
            "+",
            "WITH",
            "AS",
        ],
        *[
            "CALL",
            "UNION",
            "EXISTS",
            "COUNT",
            "CASE",
            "WHEN",
            "THEN",
            "END",
            "ORDER",
            "BY",
            "LIMIT",
            "CREATE",
            "DELETE",
            "SET",
            "`",
            "\\",
            "//",
            "/*",
            "*/",
        ],
        "\u200b",
    ]
)


@given(st.lists(WORDS, max_size=25).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        tree = parse(text)
    except QueryRefusedError as e:
        if not e.findings:
            raise AssertionError("a refusal without a finding") from e
    else:
        assert parse(write(tree)) == tree


WRITES = ["CREATE (x)", "MERGE (x)", "SET n.x = 1", "REMOVE n.x", "DELETE n", "DETACH DELETE n"]


@given(st.sampled_from(READS.strip().splitlines()[:-1]), st.sampled_from(WRITES), st.data())
def test_a_write_clause_between_words_is_refused(line: str, clause: str, data: st.DataObject) -> None:
    parts = line.rsplit(" => ", 1)[0].split(" ")
    at = data.draw(
        st.sampled_from([i for i in range(len(parts) + 1) if " ".join(parts[:i]).count("'") % 2 == 0])
    )
    with pytest.raises(QueryRefusedError):
        parse(" ".join([*parts[:at], clause, *parts[at:]]))


def test_walk_and_rebuild_see_every_node() -> None:
    tree = parse("MATCH (n:A {x: 1})-[r:R*1..2]->(m) WHERE EXISTS { (n)-->() } RETURN [x IN n.xs | x] AS y")
    seen = list(walk(tree))
    assert {type(node).__name__ for node in seen} >= {"NodePattern", "LabelName", "Quantifier", "Subquery"}
    assert rebuild(tree, lambda node: node) is tree
    for node in seen:
        held = [getattr(node, f.name) for f in fields(node)]
        flat = [v for h in held for v in (h if isinstance(h, tuple) else (h,)) if isinstance(v, Node)]
        assert list(children(node)) == flat


@pytest.mark.parametrize(
    ("text", "words", "suggestion"),
    [
        ("MATCH (a:Paper) RETURN a.name ORDER a.name", "expected BY after ORDER", "ORDER BY n.name"),
        ("MATCH (a:Paper) RETRUN a", "found 'RETRUN'", "RETURN"),
        ("MATCH (a:Paper) WHER a.x = 1 RETURN a", "found 'WHER'", "WHERE"),
        ("MATCH (a:Paper) RETURN a LIMT 3", "found 'LIMT'", "LIMIT"),
        ("MTACH (a:Paper) RETURN a", "found 'MTACH'", "MATCH"),
    ],
)
def test_what_is_probably_meant_is_told_first(text: str, words: str, suggestion: str) -> None:
    with pytest.raises(QueryRefusedError) as refused:
        parse(text)
    (found,) = refused.value.findings
    assert words in found.message
    assert found.suggestions[0] == suggestion


def test_no_message_names_a_token_of_the_lexer() -> None:
    for text in (
        "CALL (1) { RETURN 1 AS x }",
        "MATCH (a)-[*1 2]->() RETURN a",
        "WITH",
        "RETURN a {.",
        "CALL (a",
    ):
        with pytest.raises(QueryRefusedError) as refused:
            parse(text)
        said = refused.value.findings[0].message
        assert not {"STAR", "DOT", "LPAR", "RANGE_DOTS", "NAME"} & set(said.replace(",", " ").split()), said
