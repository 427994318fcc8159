"""What the commands print says what is meant, as it stands in the files, in words for people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("old.tex", "save the file as UTF-8 or declare its encoding (\\usepackage[latin1]{inputenc})"),
        ("old.md", ""),
    ],
)
def test_brackets_are_printed_and_advice_fits_the_kind(
    kg: Any, workspace: Path, tmp_path: Path, name: str, advice: str
) -> None:
    (tmp_path / name).write_bytes(b"# Caf\xe9\n\nThe B0 meson.\n")
    added = kg("add", tmp_path / name, "-w", workspace)
    status = kg("status", "-w", workspace)
    for shown in (added.text, status.text):
        assert "found byte 0xe9" in shown
        assert ("inputenc" in shown) == bool(advice)
        assert "".join(advice.split()) in "".join(shown.replace("│", "").replace("┃", "").split())


def test_a_path_with_brackets_is_printed_whole(kg: Any, workspace: Path, tmp_path: Path) -> None:
    target = tmp_path / "[red] :smile: graphs"
    assert f"{target}: 0 documents" in kg("export", target, "--format", "brat", "-w", workspace).out


def test_one_thing_is_counted_in_the_singular(kg: Any, workspace: Path, corpus: Path, tmp_path: Path) -> None:
    added = kg("add", corpus / "first.md", "-w", workspace).text
    assert "reading documents: 1 document in" in added
    assert kg("extract", "-w", workspace).code == 0
    assert ": 1 document" in kg("export", tmp_path / "brat", "--format", "brat", "-w", workspace).out
    (tmp_path / "one.yaml").write_text(
        "name: one\nversion: '1'\nentities: [{name: thing, label: Thing}]\nrelations: []\n",
        encoding="utf-8",
    )
    said = kg("schema", "check", tmp_path / "one.yaml").text
    assert "1 entity type, 0 relations, 0 rules" in said


def test_a_name_that_is_too_long_is_told(kg: Any, workspace: Path, tmp_path: Path) -> None:
    rows = f"| {'gas purity ' * 200}| 1 |\n| Gas gain | 2 |\n"
    table = f"| Source of systematic uncertainty | Δm_d |\n|---|---|\n{rows}"
    (tmp_path / "long.md").write_text(f"# A note\n\n{table}", encoding="utf-8")
    assert kg("add", tmp_path / "long.md", "-w", workspace).code == 0
    said = kg("extract", "-w", workspace).out
    assert "long.md: refused 1 name, expected 1 to 1000 characters; see `kg show long.md --rejected`" in said
    assert "bad_name" in kg("show", "long.md", "--rejected", "-w", workspace).out
    assert "refused" not in kg("extract", "-w", workspace).out
