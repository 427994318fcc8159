"""Question files of `kg eval cypher`: what is wrong with one is told with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.evaluation import read_cases
from schemas.errors import ReadError, UsageError

CASE = json.dumps({"id": "a", "question": "Which papers?", "rows": [["1"]]})


def test_a_byte_order_mark_and_empty_lines_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(f"\n{CASE}\n\n", encoding="utf-8-sig")
    assert [c.id for c in read_cases(file)] == ["a"]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (f"{CASE}\n{{broken", 2, "found Invalid JSON"),
        (f"{CASE}\n\n{CASE}", 3, "found two with the id a"),
        ('{"id": "a"}', 1, "found question: Field required"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, line: int, found: str) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ReadError) as refused:
        read_cases(file)
    assert refused.value.line == line
    assert found in str(refused.value)


def test_a_file_that_is_not_there_is_not_said_to_be_in_another_encoding(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="expected a question file, found: No such file") as refused:
        read_cases(tmp_path / "none.jsonl")
    assert "UTF-8" not in str(refused.value)
    (tmp_path / "latin.jsonl").write_bytes(b"\xe9\n")
    with pytest.raises(ReadError, match="in UTF-8"):
        read_cases(tmp_path / "latin.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(UsageError, match="found no question"):
        read_cases(tmp_path / "empty.jsonl")
