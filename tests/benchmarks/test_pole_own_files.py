"""The own questions on the POLE crime graph: each file is well formed on its own and beside the other."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
SPLITS = ("dev", "held")
FIELDS = {
    "id": str,
    "question": str,
    "cypher": str,
    "cypher_nodes": str,
    "entities": list,
    "hops": int,
    "kind": str,
    "split": str,
}
PROPERTIES = {
    "Person": {"name", "surname", "nhs_no", "age"},
    "Officer": {"name", "surname", "rank", "badge_no"},
    "Crime": {"type", "date", "last_outcome"},
    "Vehicle": {"make", "model", "year", "reg"},
    "Location": {"address", "postcode"},
    "Area": {"areaCode"},
    "PostCode": {"code"},
    "Phone": {"phoneNo"},
    "Email": {"email_address"},
    "PhoneCall": {"call_date", "call_time", "call_duration", "call_type"},
    "Object": {"type", "description"},
}


def _rows(split: str) -> list[dict[str, Any]]:
    lines = (FOLDER / f"pole_own_{split}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _all() -> list[dict[str, Any]]:
    return [row for split in SPLITS for row in _rows(split)]


def test_ids_and_questions_are_unique_across_both_files() -> None:
    rows = _all()
    assert len({row["id"] for row in rows}) == len(rows)
    assert len({row["question"].casefold() for row in rows}) == len(rows)


@pytest.mark.parametrize("split", SPLITS)
def test_fields_are_typed_and_name_their_split(split: str) -> None:
    for row in _rows(split):
        assert {name: type(value) for name, value in row.items()} == FIELDS, row["id"]
        assert row["split"] == split, row["id"]
        assert all(row[name].strip() for name in ("question", "cypher", "cypher_nodes", "kind")), row["id"]


def test_entities_stand_in_the_question_and_on_a_property_of_their_label() -> None:
    for row in _all():
        for entity in row["entities"]:
            assert set(entity) == {"text", "label", "property", "value"}, row["id"]
            assert all(isinstance(value, str) and value for value in entity.values()), row["id"]
            assert entity["text"] in row["question"], row["id"]
            assert entity["property"] in PROPERTIES[entity["label"]], row["id"]


def test_hops_count_the_relationships_of_the_gold_query() -> None:
    for row in _all():
        assert row["hops"] == len(re.findall(r"-\[", row["cypher"])), row["id"]


def test_gold_queries_only_read() -> None:
    for row in _all():
        for query in (row["cypher"], row["cypher_nodes"]):
            assert "RETURN" in query, row["id"]
            assert not re.search(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|CALL|LOAD)\b", query), row["id"]


def test_halves_are_equal_and_long_questions_are_many() -> None:
    rows = _all()
    assert len(_rows("dev")) == len(_rows("held")) == len(rows) // 2
    assert sum(row["hops"] >= 3 for row in rows) >= 60
