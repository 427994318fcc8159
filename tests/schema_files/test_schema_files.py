"""Schema files: the catalogue loads, and every mistake is named with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.errors import SchemaError
from schemas.language.patterns import pattern_fault
from schemas.schema_files import catalog_names, load_schema, parse_schema, schema_json

GOOD = """\
name: tiny
version: "1.0"
document_type: paper
entities:
  - name: paper
    label: Paper
    attributes:
      - {name: title}
  - name: thing
    label: Thing
relations:
  - name: has
    subjects: [paper]
    objects: [thing]
rules:
  - kind: pattern
    type: thing
    pattern: '(?P<name>T[0-9]{1,3})'
"""
MISTAKES = [
    ("    label: Thing\n", "    labels: Thing\n", 10, "did you mean 'label'?"),
    ("kind: pattern", "kind: patern", 16, "did you mean 'pattern'?"),
    ("subjects: [paper]", "subjects: [papr]", 13, "names entity type 'papr'; declared are paper, thing"),
    ("    type: thing\n", "    type: thin\n", 17, "rules[0].type names 'thin'"),
    ("document_type: paper", "document_type: report", 3, "document_type 'report' is not declared"),
    ('version: "1.0"', "version: 1.0", 2, "found 1.0"),
    ("    label: Thing\n", "    label: Thing\n    label: Other\n", 11, "stands twice"),
    ("name: thing", "name: paper", 9, "'paper' is declared twice"),
    ("T[0-9]{1,3}", "T(?=[0-9])", 18, "lookaround is not supported: use word borders or followed_by"),
    ("T[0-9]{1,3}", "T[0-9]{1,3000}", 18, "repeats go up to {0,1000}"),
    ("T[0-9]{1,3}", "T[0-9", 18, "is refused (missing ]"),
    ("(?P<name>T[0-9]{1,3})", "T[0-9]{1,3}", 18, "needs a group"),
    ("name: tiny\n", "name: &n tiny\n", 1, "anchors and aliases"),
    ("name: tiny\n", "name: !!str tiny\n", 1, "the tag"),
    ("{name: title}", "{name: title, type: text}", 8, "found 'text'"),
    ("    subjects: [paper]\n", "", 12, "expected the key 'subjects', found none"),
    ("name: tiny\n", "name: [tiny\n", 2, "expected YAML"),
]


@pytest.mark.parametrize(("old", "new", "line", "expected"), MISTAKES)
def test_each_mistake_is_named_with_file_and_line(old: str, new: str, line: int, expected: str) -> None:
    assert old in GOOD
    with pytest.raises(SchemaError) as caught:
        parse_schema(GOOD.replace(old, new, 1), file="my.yaml")
    assert caught.value.file == "my.yaml"
    assert caught.value.line == line
    assert expected in str(caught.value)


def test_the_good_file_loads(tmp_path: Path) -> None:
    file = tmp_path / "tiny.yaml"
    file.write_text(GOOD, encoding="utf-8")
    assert load_schema(file) == load_schema(str(file)) == parse_schema(GOOD)


def test_a_text_is_read_once_and_an_edited_file_anew(tmp_path: Path) -> None:
    file = tmp_path / "tiny.yaml"
    file.write_text(GOOD, encoding="utf-8")
    first = load_schema(file)
    assert load_schema(file) is first
    file.write_text(GOOD.replace("label: Thing", "label: Item"), encoding="utf-8")
    assert [e.label for e in load_schema(file).entities] == ["Paper", "Item"]
    file.write_text(GOOD.replace("kind: pattern", "kind: patern"), encoding="utf-8")
    for _ in range(2):
        with pytest.raises(SchemaError):
            load_schema(file)


@pytest.mark.parametrize("name", ["biomedical", "logbook", "particle_physics"])
def test_the_catalogue_loads(name: str) -> None:
    schema = load_schema(name)
    assert name in catalog_names()
    assert schema.name == name
    assert schema.rules
    assert all(e.verbalisations for e in schema.entities)


def test_an_unknown_kind_of_rule_lists_every_kind() -> None:
    kinds = "measurement, uncertainty_table, cue_phrase, sentence_relation; found .none."
    with pytest.raises(SchemaError, match=kinds):
        parse_schema(GOOD.replace("kind: pattern", "kind: none"))
    with pytest.raises(SchemaError, match="did you mean 'most_words'"):
        parse_schema(
            GOOD.split("rules:", maxsplit=1)[0]
            + "rules:\n  - {kind: cue_phrase, type: thing, most_word: 3}\n"
        )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a:\n\tb: 1\n", "x.yaml:2: expected YAML, found a tab: indent with spaces"),
        ("a: @x\n", "x.yaml:1: expected YAML, found a value that begins with @"),
        ("a:\n- 'b\n", "found a quoted text that is not closed"),
        ("a: 1\nb: \x07\n", "x.yaml:2: expected YAML, found the control character 7"),
    ],
)
def test_broken_yaml_is_told_in_words_for_people(text: str, words: str) -> None:
    with pytest.raises(SchemaError) as caught:
        parse_schema(text, file="x.yaml")
    assert words in str(caught.value)
    assert "found found" not in str(caught.value)


def test_an_absent_schema_file_is_told_as_such() -> None:
    with pytest.raises(SchemaError, match="there is no such file"):
        load_schema("nowhere.yaml")


def test_unknown_name_suggests() -> None:
    with pytest.raises(SchemaError, match="did you mean 'biomedical'"):
        load_schema("biomedcal")


def test_size_and_depth_are_bounded() -> None:
    with pytest.raises(SchemaError, match="at most"):
        parse_schema("a: " + "x" * 1_000_001)
    with pytest.raises(SchemaError, match="levels of nesting"):
        parse_schema("a: " + "[" * 500 + "]" * 500)


@pytest.mark.parametrize("text", ["", "- a\n", "name: .nan\n", "1: 2\n", "? [a]\n: b\n", "\x00"])
def test_other_yaml_is_refused(text: str) -> None:
    with pytest.raises(SchemaError):
        parse_schema(text, file="x.yaml")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gives_a_schema_error(text: str) -> None:
    with pytest.raises(SchemaError):
        parse_schema(text, file="x.yaml")


def test_json_schema_describes_rules() -> None:
    described = json.loads(schema_json())
    assert "MeasurementRule" in described["$defs"]
    assert "entities" in described["required"]


@pytest.mark.parametrize("pattern", ["(a)\\1", r"a(?!b)", "a*+", "(?:a{0,90}){0,90}", r"(?:\w{0,30}){0,33}"])
def test_patterns_that_need_backtracking_or_much_memory_are_refused(pattern: str) -> None:
    assert pattern_fault(pattern)


@pytest.mark.parametrize("pattern", ["abc", r"\bfoo(?:bar)?s?\b", r"(?:\w{1,20} ){0,2}x", "(a*)*b"])
def test_patterns_that_run_in_linear_time_pass(pattern: str) -> None:
    assert pattern_fault(pattern) == ""
