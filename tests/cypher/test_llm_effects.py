"""What a query's rows do for words like "how many" and "latest", bookkeeping left aside."""

from __future__ import annotations

import pytest

from cypher.generation.effects import effects_of

MATCH = "MATCH (p:Paper)-[r:DETERMINES]->(o:Observable) "
BOOKKEEPING = "WITH p, o, r, collect(r.id) AS s, count(r.superseded_by) AS x "


@pytest.mark.parametrize(
    ("word", "query", "done"),
    [
        ("many", f"{MATCH}{BOOKKEEPING}RETURN p.name AS paper, s AS statements, x AS replaced", False),
        ("many", f"{MATCH}WITH p, count(o) AS c RETURN p.name AS paper, c AS number", True),
        ("number", f"{MATCH}RETURN size(collect(o)) AS n", True),
        ("many", f"{MATCH}WITH count(o) AS c WITH c AS d RETURN d", True),
        ("values", f"{MATCH}{BOOKKEEPING}RETURN p.name AS paper, x AS replaced", False),
        ("values", f"{MATCH}RETURN r.value_text", True),
        ("latest", f"{MATCH}RETURN p.name ORDER BY p.year, p.name", False),
        ("latest", f"{MATCH}RETURN p.name ORDER BY p.year IS NULL, p.year DESC", True),
        ("latest", f"{MATCH}RETURN max(p.year) AS year", True),
        ("latest", f"{MATCH}RETURN min(p.year) AS year", False),
        ("first", f"{MATCH}RETURN p.name ORDER BY p.year", True),
        ("first", f"{MATCH}RETURN p.name ORDER BY p.year DESC", False),
        ("most", f"{MATCH}WITH p, count(o) AS c RETURN p.name ORDER BY c DESC", True),
        ("most", f"{MATCH}RETURN p.name ORDER BY p.name", False),
        ("most", f"{MATCH}RETURN p.name ORDER BY p.year DESC", True),
        ("precise", f"{MATCH}RETURN p.name ORDER BY p.year DESC", False),
        ("precise", f"{MATCH}RETURN p.name ORDER BY r.stat_plus LIMIT 1", True),
        ("smallest", f"{MATCH}RETURN min(r.stat_plus) AS least", True),
        ("papers", f"{MATCH}RETURN p.name", None),
    ],
)
def test_words_are_done_by_what_is_shown(word: str, query: str, done: bool | None) -> None:
    effects = effects_of(query)
    assert effects is not None
    assert effects.honour(word) is done


def test_definitions_of_definitions_stay_small_and_nonsense_has_no_effects() -> None:
    grown = " ".join(f"WITH x{n} + x{n} AS x{n + 1}" for n in range(60))
    effects = effects_of(f"MATCH (p:Paper) WITH p.year AS x0 {grown} RETURN x60")
    assert effects is not None
    assert len(effects.columns[0]) < 10_000
    assert effects_of("DELETE everything") is None
