"""What changed between two schemas, and the JSON Schema of graph files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from kg.files import dump
from schemas.graph_json_schema import graph_file_json_schema
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph, Evidence, Record
from schemas.ids import DocumentKey, RecordId
from schemas.schema_diff import diff_schemas
from schemas.schema_files import catalog_names, load_schema, parse_schema, schema_json

BASE = """
name: pumps
version: "1"
entities:
  - name: pump
    label: Pump
    attributes:
      - {name: power, type: integer, unit: W}
      - {name: state, enum: [open, shut]}
  - {name: room, label: Room}
relations:
  - {name: stands_in, subjects: [pump], objects: [room]}
  - {name: feeds, subjects: [pump, room], objects: [room]}
rules:
  - {kind: gazetteer, type: pump, terms: [{name: main pump}]}
"""


def changed(old: str, new: str) -> GraphSchema:
    assert old in BASE
    return parse_schema(BASE.replace(old, new))


_STATE, _STANDS = "{name: state, enum: [open, shut]}", "{name: stands_in, subjects: [pump], objects: [room]}"
_ROOM = "{name: room, label: Room}"


@pytest.mark.parametrize(
    ("old", "new", "change", "breaks"),
    [
        ("type: integer", "type: number", "attribute changed pump.power", False),
        ("type: integer", "type: string", "attribute changed pump.power", True),
        ("enum: [open, shut]", "enum: [open, shut, stuck]", "attribute changed pump.state", False),
        ("enum: [open, shut]", "enum: [open]", "attribute changed pump.state", True),
        (f"- {_STATE}", "", "attribute removed pump.state", True),
        (_STATE, "{name: state, pattern: 'o.{1,5}'}", "attribute changed pump.state", True),
        (_ROOM, "{name: room, label: Hall}", "entity changed room", False),
        (_ROOM, f"{_ROOM}\n  - {{name: valve, label: Valve}}", "entity added valve", False),
        ("subjects: [pump, room]", "subjects: [pump]", "relation changed feeds", True),
        (_STANDS, _STANDS.replace("[pump]", "[pump, room]"), "relation changed stands_in", False),
        (f"- {_STANDS}", "", "relation removed stands_in", True),
        ("{name: main pump}", "{name: spare pump}", "rule changed gazetteer pump", False),
        ("name: pumps", "name: fans", "schema changed fans", True),
    ],
)
def test_a_change_is_told_and_judged(old: str, new: str, change: str, breaks: bool) -> None:
    found = diff_schemas(parse_schema(BASE), changed(old, new))
    assert [f"{c.what} {c.kind} {c.name}" for c in found.changes] == [change]
    assert found.compatible is not breaks
    assert bool(found.changes[0].breaks) is breaks


@pytest.mark.parametrize("name", catalog_names())
def test_no_change_is_no_change(name: str) -> None:
    assert diff_schemas(load_schema(name), load_schema(name)).changes == ()


def graph(**attributes: int | str) -> DocumentGraph:
    key = DocumentKey("log.txt")
    quote = Evidence(start=0, end=9, quote="main pump")
    pump = Record(
        id=RecordId("1"),
        document=key,
        type="pump",
        name="main pump",
        attributes=attributes,
        evidence=(quote,),
    )
    return DocumentGraph(
        document=key, version="v", schema_name="pumps", schema_version="1", run_id="r", records=(pump,)
    )


def valid(value: Any) -> bool:
    validator = Draft202012Validator(graph_file_json_schema(parse_schema(BASE)))
    return not list(validator.iter_errors(value))


def test_a_graph_file_is_valid_under_its_json_schema() -> None:
    value = json.loads(dump(graph(power=3, state="open")))
    assert valid(value)
    Draft202012Validator(graph_file_json_schema()).validate(value)
    for wrong in (
        {**value, "schema_version": "2"},
        {**value, "extra": 1},
        {**value, "records": [{**value["records"][0], "type": "fan"}]},
        {**value, "records": [{**value["records"][0], "attributes": {"weight": 3}}]},
        {**value, "records": [{**value["records"][0], "attributes": {"power": "3 W"}}]},
        {**value, "records": [{**value["records"][0], "attributes": {"state": "stuck"}}]},
    ):
        assert not valid(wrong)


@pytest.mark.parametrize("name", catalog_names())
def test_the_json_schemas_are_json_schemas(name: str) -> None:
    Draft202012Validator.check_schema(graph_file_json_schema(load_schema(name)))


def test_a_schema_file_is_valid_under_the_json_schema_of_schema_files() -> None:
    validator = Draft202012Validator(json.loads(schema_json()))
    for name in catalog_names():
        validator.validate(json.loads(load_schema(name).model_dump_json()))
    with pytest.raises(ValidationError):
        validator.validate({"name": "x"})


def test_the_commands(kg_in: Any, tmp_path: Path) -> None:
    file = tmp_path / "pumps.yaml"
    file.write_text(BASE, encoding="utf-8")
    assert kg_in("schema", "check", file).out == (
        f"{file}: pumps 1 is well formed: 2 entity types, 2 relations, 1 rule\n"
    )
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(BASE.replace("objects: [room]", "objects: [rom]", 1), encoding="utf-8")
    failed = kg_in("schema", "check", wrong)
    assert failed.code == 1
    assert f"{wrong}:12: relation stands_in names entity type 'rom'" in failed.err
    shown = kg_in("schema", "show", file)
    assert "pump → room" in shown.out
    assert "one of: open, shut" in shown.out
    assert json.loads(kg_in("schema", "show", file, "--json").out)["name"] == "pumps"
    made = json.loads(kg_in("schema", "show", file, "--json-schema", "graph").out)
    assert made == graph_file_json_schema(parse_schema(BASE))
    assert json.loads(kg_in("schema", "show", "--json-schema", "file").out) == json.loads(schema_json())
    same = kg_in("schema", "diff", file, file)
    assert (same.code, "stay valid" in same.out) == (0, True)
    file.with_name("new.yaml").write_text(
        BASE.replace("enum: [open, shut]", "enum: [open]"), encoding="utf-8"
    )
    differs = kg_in("schema", "diff", file, tmp_path / "new.yaml", "--json")
    assert differs.code == 1
    assert json.loads(differs.out)["compatible"] is False
