"""The own questions on the POLE crime graph: each file is well formed on its own and beside the others."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from benchmarks.pole_questions import FAMILIES, PARTS, Family, PoleQuestion, main, questions, read_rows

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "cypher_zograscope"
PROPERTIES = {
    "Person": {"name", "surname", "nhs_no", "age"},
    "Officer": {"name", "surname", "rank", "badge_no"},
    "Crime": {"id", "type", "date", "last_outcome", "charge", "note"},
    "Vehicle": {"make", "model", "year", "reg"},
    "Location": {"address", "postcode", "latitude", "longitude"},
    "Area": {"areaCode"},
    "PostCode": {"code"},
    "Phone": {"phoneNo"},
    "Email": {"email_address"},
    "PhoneCall": {"call_date", "call_time", "call_duration", "call_type"},
    "Object": {"id", "type", "description"},
}
PLACE = re.compile(r"\{(\w+)\.(\w+):\d+\}")


@cache
def _all(*families: Family) -> tuple[PoleQuestion, ...]:
    return tuple(row for family in families or FAMILIES for part in PARTS for row in read_rows(family, part))


def test_ids_and_questions_are_unique_across_all_files() -> None:
    rows = _all()
    assert len({row.id for row in rows}) == len(rows)
    assert len({row.question.casefold() for row in rows}) == len(rows)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("part", PARTS)
def test_rows_name_their_split_and_are_not_empty(family: Family, part: str) -> None:
    rows = [row for row in _all(family) if row.split == part]
    assert rows
    for row in rows:
        assert row.id.startswith(f"pole-{family}-"), row.id
        assert all(text.strip() for text in (row.question, row.cypher, row.cypher_nodes, row.kind)), row.id


def test_entities_stand_in_the_question_and_on_a_property_of_their_label() -> None:
    for row in _all():
        for entity in row.entities:
            assert entity.text, row.id
            assert entity.value, row.id
            assert entity.text in row.question, row.id
            assert entity.property in PROPERTIES[entity.label], row.id


def test_places_name_a_property_of_their_label() -> None:
    for row in _all():
        for label, name in PLACE.findall(row.question + row.cypher + row.cypher_nodes):
            assert name in PROPERTIES[label], row.id


def test_hops_count_the_relationships_of_the_gold_query() -> None:
    for row in _all():
        assert row.hops == len(re.findall(r"-\[", row.cypher)), row.id


def test_gold_queries_only_read() -> None:
    for row in _all():
        for query in (row.cypher, row.cypher_nodes):
            assert "RETURN" in query, row.id
            assert not re.search(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|CALL|LOAD)\b", query), row.id


def test_halves_of_the_first_are_equal_and_long_questions_are_many() -> None:
    rows = _all("own")
    assert sum(row.split == "dev" for row in rows) == len(rows) // 2
    assert sum(row.hops >= 3 for row in rows) >= 60
    assert sum(row.hops >= 3 for row in _all("said")) >= 100


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the crime graph is not at hand")
@pytest.mark.parametrize("family", FAMILIES)
def test_places_are_filled_from_the_graph(family: Family) -> None:
    for part in PARTS:
        for row in questions(family, part):
            assert not PLACE.search(row.question + row.cypher + row.cypher_nodes), row.id
            assert all(e.text in row.question for e in row.entities), row.id


def test_lines_of_a_query_and_its_wordings_become_rows(tmp_path: Path) -> None:
    path = "(n0:Area)<-[:POSTCODE_IN_AREA]-(n1:PostCode)"
    line = f"MATCH {path} WHERE n1.code = '{{PostCode.code:4}}' RETURN DISTINCT n0"
    (tmp_path / "pole_akin_dev.tsv").write_text(f"{line}\tArea of {{PostCode.code:4}}?\tName the area.\n")
    first, second = read_rows("akin", "dev", tmp_path)
    assert (first.id, second.id) == ("pole-akin-dev-0a", "pole-akin-dev-0b")
    assert [(e.label, e.property, e.value) for e in first.entities] == [
        ("PostCode", "code", "{PostCode.code:4}")
    ]
    assert (first.kind, first.hops, first.split, second.entities) == ("list", 1, "dev", ())


@pytest.mark.parametrize(
    ("returned", "kind"),
    [
        ("DISTINCT n0", "list"),
        ("DISTINCT n0.name", "property"),
        ("count(DISTINCT n0)", "count"),
        ("n0.age ORDER BY x DESC LIMIT 1", "extreme"),
    ],
)
def test_the_kind_of_a_line_is_what_it_returns(tmp_path: Path, returned: str, kind: str) -> None:
    (tmp_path / "pole_akin_held.tsv").write_text(f"MATCH (n0:Person) RETURN {returned}\tWho?\n")
    assert [row.kind for row in read_rows("akin", "held", tmp_path)] == [kind]


def test_a_family_that_there_is_not_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["chains", "tales"])
    assert "expected families among own, said" in (said := capsys.readouterr().err)
    assert "found tales" in said
