"""Communities partition what they do not drop; reports cite what exists."""

from __future__ import annotations

import sys
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.communities import Objective, find_communities
from kg.summarize import ExtractiveSummarizer
from schemas.errors import ModelUnavailableError
from schemas.graph_schema import EntityType, GraphSchema, RelationType
from schemas.graphs import CanonicalGraph, Entity, Record, Statement
from schemas.ids import DocumentKey, EntityId, RecordId, statement_id

SCHEMA = GraphSchema(
    name="toy",
    version="1",
    entities=(
        EntityType(name="paper", label="Paper"),
        EntityType(name="observable", label="Observable", verbalisations=("quantity",)),
    ),
    relations=(
        RelationType(
            name="determines", subjects=("paper",), objects=("observable",), verbalisations=("measures",)
        ),
    ),
    document_type="paper",
)
DOCUMENT = DocumentKey("d")
KARATE = (
    "0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 0-10 0-11 0-12 0-13 0-17 0-19 0-21 0-31 1-2 1-3 1-7 1-13 1-17"
    " 1-19 1-21 1-30 2-3 2-7 2-8 2-9 2-13 2-27 2-28 2-32 3-7 3-12 3-13 4-6 4-10 5-6 5-10 5-16 6-16"
    " 8-30 8-32 8-33 9-33 13-33 14-32 14-33 15-32 15-33 18-32 18-33 19-33 20-32 20-33 22-32 22-33"
    " 23-25 23-27 23-29 23-32 23-33 24-25 24-27 24-31 25-31 26-29 26-33 27-33 28-31 28-33 29-32 29-33"
    " 30-32 30-33 31-32 31-33 32-33"
)
"""Zachary's karate club (doi:10.1086/jar.33.4.3629752), a public reference graph."""


def graph(count: int, edges: list[tuple[int, int]]) -> CanonicalGraph:
    ids = [f"e{n:03d}" for n in range(count)]
    kinds = {n: "paper" for n, _ in edges} | {n: "observable" for _, n in edges}
    records = [
        Record(id=RecordId(i), document=DOCUMENT, type=kinds.get(n, "paper"), name=f"name {n}")
        for n, i in enumerate(ids)
    ]
    statements = {
        s.id: s
        for ordinal, (a, b) in enumerate(edges)
        for s in (
            Statement(
                id=statement_id(DOCUMENT, records[a].id, "determines", records[b].id, ordinal=ordinal),
                document=DOCUMENT,
                subject=records[a].id,
                type="determines",
                object=records[b].id,
                attributes={"value_text": f"{ordinal} GeV", "unit": "GeV"},
            ),
        )
    }
    return CanonicalGraph(
        entities=tuple(
            Entity(id=EntityId(i), type=r.type, name=r.name, records=(r.id,))
            for i, r in zip(ids, records, strict=True)
        ),
        records=tuple(records),
        statements=tuple(statements[s] for s in sorted(statements)),
    )


edge_lists = st.lists(st.tuples(st.integers(0, 24), st.integers(0, 24)), max_size=60)


@settings(max_examples=40, deadline=None)
@given(edge_lists, st.integers(1, 5))
def test_each_level_partitions_the_kept_entities_and_reports_cite_inner_statements(edges, smallest) -> None:
    made = graph(25, edges)
    found = find_communities(made, min_component=smallest)
    assert find_communities(made, min_component=smallest) == found
    everyone = {e.id for e in made.entities}
    for level in {c.level for c in found.communities}:
        members = [m for c in found.communities if c.level == level for m in c.members]
        assert len(members) == len(set(members))
        assert set(members) | set(found.dropped) == everyone
        assert set(members).isdisjoint(found.dropped)
    by_id = {c.id: c for c in found.communities}
    for community in found.communities:
        if community.parent is not None:
            assert by_id[community.parent].level == community.level + 1
            assert set(community.members) <= set(by_id[community.parent].members)
    entity_of = made.entity_of()
    statements = {s.id: s for s in made.statements}
    reports = ExtractiveSummarizer(SCHEMA).summarize(made, found)
    assert [r.community for r in reports] == [c.id for c in found.communities]
    for report in reports:
        inside = set(by_id[report.community].members)
        assert report.title
        for finding in report.findings:
            assert finding.statements
            for cited in finding.statements:
                assert {entity_of[statements[cited].subject], entity_of[statements[cited].object]} <= inside


def test_small_components_are_dropped_and_kept_in_view() -> None:
    made = graph(6, [(0, 1), (1, 2), (3, 4)])
    found = find_communities(made)
    assert found.dropped == ("e003", "e004", "e005")
    assert {m for c in found.communities for m in c.members} == {"e000", "e001", "e002"}


def test_a_graph_without_statements_has_no_communities() -> None:
    found = find_communities(graph(3, []))
    assert (found.communities, len(found.dropped), found.quality) == ((), 3, 0.0)


def test_the_karate_club_has_its_known_modularity() -> None:
    edges = [(int(a), int(b)) for a, _, b in (pair.partition("-") for pair in KARATE.split())]
    found = find_communities(graph(34, edges))
    assert sum(c.level == 0 for c in found.communities) == 4
    assert found.quality == pytest.approx(0.4198, abs=1e-3)


def test_a_chain_of_cliques_has_two_levels() -> None:
    cliques = [[(5 * c + a, 5 * c + b) for a in range(5) for b in range(a)] for c in range(8)]
    bridges = [(5 * a, 5 * b + 1) for a, b in pairwise(range(8))]
    found = find_communities(graph(40, [e for clique in cliques for e in clique] + bridges), max_levels=3)
    sizes = [sum(c.level == level for c in found.communities) for level in range(2)]
    assert sizes[0] > sizes[1] >= 1
    assert find_communities(graph(40, cliques[0]), max_levels=1).communities[0].parent is None


def test_an_objective_in_the_wrong_case_is_refused() -> None:
    with pytest.raises(ValueError, match="MODULARITY"):
        Objective("MODULARITY")
    made = graph(6, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)])
    assert find_communities(made, objective=Objective("cpm"), resolution=0.5).algorithm == "leidenalg/cpm/0.5"


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "leidenalg", None)
    with pytest.raises(ModelUnavailableError, match=r"corpusgraph\[communities\]"):
        find_communities(graph(3, [(0, 1), (1, 2)]))


def test_a_finding_puts_its_statements_into_words() -> None:
    made = graph(3, [(0, 1), (0, 1), (2, 1)])
    report = ExtractiveSummarizer(SCHEMA).summarize(made, find_communities(made))[0]
    assert report.title == "name 1"
    assert report.findings[0].text.startswith("Paper name 0 measures quantity name 1 (")
    assert set(report.findings[0].text.split("(")[1].rstrip(").").split("; ")) == {"0 GeV", "1 GeV"}
    assert len(report.findings[0].statements) == 2
    assert report.summary.startswith("2 papers and 1 quantity.")
