"""What a query's rows do for words like "how many" and "latest", bookkeeping left aside."""

from __future__ import annotations

import pytest

from cypher.generation.effects import effects_of
from cypher.generation.rankings import rankings
from cypher.generation.terms import Terms
from schemas.graph_schema import GraphSchema

MATCH = "MATCH (p:Paper)-[r:DETERMINES]->(o:Observable) "
VALUES = f"{MATCH}WHERE r.limit IS NULL AND r.value IS NOT NULL "
BOOKKEEPING = "WITH p, o, r, collect(r.id) AS s, count(r.superseded_by) AS x "
TOTAL = "coalesce(r.total_plus, sqrt(r.stat_plus * r.stat_plus + r.syst_plus * r.syst_plus))"
SOURCES = "MATCH (s:UncertaintySource)-[a:AFFECTS]->(o:Observable) "


@pytest.mark.parametrize(
    ("word", "query", "done"),
    [
        ("many", f"{MATCH}{BOOKKEEPING}RETURN p.name AS paper, s AS statements, x AS replaced", False),
        ("many", f"{MATCH}WITH p, count(o) AS c RETURN p.name AS paper, c AS number", True),
        ("number", f"{MATCH}RETURN size(collect(o)) AS n", True),
        ("many", f"{MATCH}WITH count(o) AS c WITH c AS d RETURN d", True),
        ("many", "MATCH (p:Paper) RETURN COUNT { (p)-->() } AS n", True),
        ("values", f"{MATCH}{BOOKKEEPING}RETURN p.name AS paper, x AS replaced", False),
        ("values", f"{MATCH}RETURN r.value_text", True),
        ("papers", f"{MATCH}RETURN p.name", None),
    ],
)
def test_words_are_done_by_what_is_shown(word: str, query: str, done: bool | None) -> None:
    effects = effects_of(query)
    assert effects is not None
    assert effects.honour(word) is done


RANKED = (
    ("the latest paper", f"{MATCH}RETURN p.name ORDER BY p.year, p.name", False),
    ("the latest paper", f"{MATCH}RETURN p.name ORDER BY p.year IS NULL, p.year DESC", True),
    ("the latest paper", f"{MATCH}RETURN p.name ORDER BY p.name, p.year DESC", False),
    ("the latest year", f"{MATCH}RETURN max(p.year) AS year", True),
    ("the latest year", f"{MATCH}RETURN min(p.year) AS year", False),
    ("the most recent paper", f"{MATCH}RETURN p.name ORDER BY p.year DESC", True),
    ("the most recent paper", f"{MATCH}WITH p, count(o) AS c RETURN p.name ORDER BY c DESC", False),
    ("the first paper", f"{MATCH}RETURN p.name ORDER BY p.year", True),
    ("the first paper", f"{MATCH}RETURN p.name ORDER BY p.year DESC", False),
    ("the most observables", f"{MATCH}WITH p, count(o) AS c RETURN p.name ORDER BY c DESC", True),
    ("the most observables", f"{MATCH}WITH p, count(o) AS c RETURN p.name ORDER BY c", False),
    ("the most observables", f"{MATCH}RETURN p.name ORDER BY p.name", False),
    ("the most observables", f"{MATCH}RETURN p.name ORDER BY p.year DESC", False),
    ("the largest number of papers", f"{MATCH}RETURN o.name ORDER BY COUNT {{ (o)<--() }} DESC", True),
    ("the largest number of papers", f"{VALUES}RETURN o.name ORDER BY r.value DESC", False),
    ("the fewest papers", f"{MATCH}WITH o, count(p) AS c RETURN o.name ORDER BY c", True),
    ("the fewest papers", f"{MATCH}WITH o, count(p) AS c RETURN o.name ORDER BY c DESC", False),
    ("the most precise value", f"{MATCH}RETURN p.name ORDER BY p.year DESC", False),
    ("the most precise value", f"{MATCH}RETURN p.name ORDER BY {TOTAL} LIMIT 1", True),
    ("the most precise value", f"{MATCH}RETURN p.name ORDER BY {TOTAL} DESC LIMIT 1", False),
    ("the most precise value", f"{MATCH}RETURN p.name ORDER BY r.stat_plus LIMIT 1", False),
    ("the most precise value", f"{VALUES}RETURN p.name ORDER BY r.value LIMIT 1", False),
    ("the least precise value", f"{MATCH}RETURN p.name ORDER BY {TOTAL} DESC LIMIT 1", True),
    ("the highest precision", f"{MATCH}RETURN p.name ORDER BY r.total_plus LIMIT 1", True),
    ("the smallest statistical error", f"{MATCH}RETURN min(r.stat_plus) AS least", True),
    ("the smallest statistical error", f"{MATCH}RETURN min(r.syst_plus) AS least", False),
    ("the smallest statistical error", f"{MATCH}RETURN max(r.stat_plus) AS least", False),
    ("the smallest error", f"{MATCH}RETURN p.name, min(r.total_plus) AS e ORDER BY p.name", False),
    ("the smallest error", f"{MATCH}RETURN p.name, min(r.total_plus) AS e ORDER BY e", True),
    ("the largest branching fraction", f"{VALUES}RETURN o.name ORDER BY r.value DESC LIMIT 1", True),
    ("the largest branching fraction", f"{VALUES}RETURN o.name ORDER BY r.value LIMIT 1", False),
    ("the largest branching fraction", f"{MATCH}RETURN o.name ORDER BY r.value DESC LIMIT 1", False),
    ("the largest branching fraction", f"{VALUES}RETURN o.name ORDER BY r.stat_plus DESC", False),
    ("the largest branching fraction", f"{VALUES}RETURN o.name ORDER BY r.confidence_level DESC", False),
    ("the largest branching fraction", f"{VALUES}RETURN max(r.value) AS most", True),
    ("the largest branching fraction", f"{VALUES}RETURN min(r.value) AS most", False),
    ("the highest value", f"{VALUES}RETURN o.name, max(r.stat_plus) AS v ORDER BY o.name LIMIT 3", False),
    ("the value that is the lowest", f"{VALUES}RETURN o.name ORDER BY r.value LIMIT 1", True),
    ("the value that is the lowest", f"{VALUES}RETURN o.name ORDER BY r.total_plus LIMIT 1", False),
    (
        "the largest branching fraction",
        f"{VALUES}WITH o, r ORDER BY r.value DESC WITH o, collect(r)[0] AS m RETURN m.value ORDER BY o.name",
        True,
    ),
    (
        "the largest branching fraction",
        f"{VALUES}WITH o, r ORDER BY r.value DESC RETURN o.name ORDER BY o.name",
        False,
    ),
    ("the highest confidence level", f"{MATCH}RETURN o.name ORDER BY r.confidence_level DESC", True),
    ("the highest confidence level", f"{VALUES}RETURN o.name ORDER BY r.value DESC", False),
    (
        "the lowest upper limit",
        f"{MATCH}WHERE r.limit = 'upper' RETURN o.name ORDER BY r.value",
        True,
    ),
    (
        "the lowest upper limit",
        f"{MATCH}WHERE r.limit = 'upper' RETURN o.name ORDER BY r.value DESC",
        False,
    ),
    ("the strongest limit", f"{MATCH}WHERE r.limit = 'upper' RETURN o.name ORDER BY r.value", True),
    (
        "the most stringent lower limit",
        f"{MATCH}WHERE r.limit = 'lower' RETURN o.name ORDER BY r.value",
        False,
    ),
    ("the largest source", f"{SOURCES}RETURN s.name ORDER BY a.ranking", True),
    ("the largest source", f"{SOURCES}RETURN s.name ORDER BY a.ranking DESC", False),
    ("the dominant uncertainty", f"{SOURCES}RETURN s.name ORDER BY a.magnitude DESC", True),
    ("the dominant uncertainty", f"{SOURCES}RETURN s.name ORDER BY s.name", False),
)


@pytest.mark.parametrize(("words", "query", "met"), RANKED)
def test_superlatives_ask_for_a_measure_and_an_end(
    words: str, query: str, met: bool, particle_schema: GraphSchema
) -> None:
    measures = Terms.of(particle_schema).measures
    effects = effects_of(query)
    assert effects is not None
    asked = set(rankings(words.split(), measures).values())
    assert len(asked) == 1
    assert all(r.met(effects, measures) is met for r in asked)


def test_a_comparison_is_no_superlative(particle_schema: GraphSchema) -> None:
    words = ["at", "least", "3", "papers", "and", "at", "most", "4"]
    assert rankings(words, Terms.of(particle_schema).measures) == {}


def test_definitions_of_definitions_stay_small_and_nonsense_has_no_effects() -> None:
    grown = " ".join(f"WITH x{n} + x{n} AS x{n + 1}" for n in range(60))
    effects = effects_of(f"MATCH (p:Paper) WITH p.year AS x0 {grown} RETURN x60")
    assert effects is not None
    assert len(effects.columns[0]) < 10_000
    assert effects_of("DELETE everything") is None


@pytest.mark.parametrize(
    ("words", "condition", "met"),
    [
        ("less than", "r.value < $x", True),
        ("less than", "r.value > $x", False),
        ("smaller than", "$x > r.value", True),
        ("above", "$x > r.value", False),
        ("since", "p.year >= 2019", True),
        ("since", "p.year <= 2019", False),
        ("before", "2000 <= p.year < 2019", True),
        ("more than", "NOT r.value <= $x", True),
        ("more than", "r.value > r.stat_plus", True),
        ("at most", "r.value <> $x", False),
    ],
)
def test_a_comparison_bounds_on_its_own_side(words: str, condition: str, met: bool) -> None:
    effects = effects_of(f"{MATCH}WHERE {condition} RETURN p.name")
    assert effects is not None
    assert effects.honour(words) is met
