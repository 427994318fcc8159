"""GLiNER and REBEL from kg.toml: built, shown by `kg status`, run once, and clear about what is missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kg import build
from kg.progress import SilentProgress
from kg.status import status_report
from kg.wiring import Platform, open_platform
from kg.workspace import Workspace
from schemas.errors import ModelUnavailableError, SettingsError

NOTE = "# A note\n\naspirin treats fever .\n"


@pytest.fixture
def open_with(tmp_path: Path) -> Callable[[str], Platform]:
    """Opens a workspace with one note and these settings of extraction."""
    (tmp_path / "note.md").write_text(NOTE, encoding="utf-8")

    def make(extraction: str) -> Platform:
        root = tmp_path / "workspace"
        if not root.exists():
            Workspace.create(root, schema="biomedical")
        (root / "kg.toml").write_text(
            f'schema = "biomedical"\n[embedder]\nprefer = "tfidf"\n[extraction]\n{extraction}\n',
            encoding="utf-8",
        )
        return open_platform(Workspace(root), SilentProgress())

    return make


def test_both_models_take_part(
    open_with: Callable[[str], Platform], gliner_folder: Path, rebel_folder: Path, tmp_path: Path
) -> None:
    text = f'gliner = "{gliner_folder}"\nrebel = "{rebel_folder}"\n[extraction.models]\ndevice = "cpu"'
    with open_with(text) as platform:
        shown = status_report(platform).extractors
        assert [name.split("/")[0] for name in shown] == ["rules", "gliner", "rebel"]
        assert all("tiny@" in name for name in shown[1:])
        build.add(platform, [str(tmp_path / "note.md")])
        report = build.extract(platform)
        assert (report.changed, report.failures) == (1, ())
        (graph,) = platform.workspace.graphs()
        assert any(
            r.extractor.startswith(("gliner/1", "rules/7+gliner/1", "gliner/1")) for r in graph.records
        )
        assert build.extract(platform).unchanged == 1
    with open_with(f"{text}\n[extraction.models.gliner]\nsure = 0.9") as platform:
        assert build.extract(platform).changed == 1


def test_missing_weights_end_the_step_and_are_shown(
    open_with: Callable[[str], Platform], tmp_path: Path, torch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with open_with('gliner = "nobody/no-such-model"') as platform:
        build.add(platform, [str(tmp_path / "note.md")])
        with pytest.raises(ModelUnavailableError, match="no folder here"):
            build.extract(platform)
        assert "GlinerExtractor cannot run: 'nobody/no-such-model'" in status_report(platform).extractors[1]


@pytest.mark.parametrize("name", ["gliner", "rebel"])
def test_a_missing_extra_says_what_to_install(
    open_with: Callable[[str], Platform], name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("kg.adapters.model_folders.find_spec", lambda _: None)
    with open_with(f'{name} = "{tmp_path}"') as platform:
        build.add(platform, [str(tmp_path / "note.md")])
        with pytest.raises(ModelUnavailableError, match=r"pip install 'corpusgraph\[models\]'"):
            build.extract(platform)


def test_descriptions_are_off_by_default_and_made_when_asked_for(
    open_with: Callable[[str], Platform], tmp_path: Path
) -> None:
    with open_with("workers = 1") as platform:
        build.add(platform, [str(tmp_path / "note.md")])
        build.extract(platform)
        (plain,) = platform.workspace.graphs()
    with open_with('workers = 2\ndescribe = "template"') as platform:
        assert status_report(platform).extractors[-1] == "describe/1"
        assert build.extract(platform).changed == 1
        (told,) = platform.workspace.graphs()
    assert {r.description for r in plain.records} == {""}
    assert [r.id for r in told.records] == [r.id for r in plain.records]
    assert all(r.description for r in told.records)
    with (
        open_with('describe = "chat"') as platform,
        pytest.raises(SettingsError, match=r"describe is chat, but kg.toml has no \[chat\]"),
    ):
        build.extract(platform)


def test_wrong_settings_are_refused(open_with: Callable[[str], Platform]) -> None:
    for text, match in (
        ('[extraction.models]\ndevice = "tpu"', "extraction.models.device"),
        ("[extraction.models.gliner]\nunsure = 0.9", "expected unsure below"),
        ("[extraction.models.rebel]\nsimilarityy = 0.9", "did you mean similarity"),
    ):
        workspace = open_with(text).workspace
        with pytest.raises(SettingsError, match=match):
            _ = workspace.settings
