"""``kg train extractor``: from vetted graphs in a workspace to extraction that uses them."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from typer.testing import CliRunner

from extraction.learned_model import embedder_of
from kg.cli import app
from kg.progress import SilentProgress
from kg.steps.train import vetted_documents
from kg.wiring import open_platform
from kg.workspace import Workspace
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.errors import DataError, ModelUnavailableError, UsageError
from schemas.graphs import DocumentGraph, Evidence, Record, Statement, Status
from schemas.ids import DocumentKey, record_id, statement_id

SCHEMA = textwrap.dedent(
    """\
    name: bakery
    version: "1"
    entities:
      - {name: oven, label: Oven}
      - {name: bread, label: Bread}
    relations:
      - {name: bakes, subjects: [oven], objects: [bread]}
    """
)
OVENS = ("Korvat", "Melisan", "Untrel", "Dorvik", "Pasmo")
BREADS = ("rye loaf", "oat roll", "corn bun")


def document(number: int, text: str) -> Document:
    return Document(
        key=DocumentKey(f"note-{number}"),
        kind=DocumentKind.TEXT,
        title="",
        text=text,
        sections=(Section(index=0, parent=None, level=0, title="", start=0, end=len(text)),),
        blocks=(Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text), text=text, section=0),),
        source_map=SourceMap(files=("a",), offsets=(0,), file_of=(0,), lines=(1,)),
    )


def graph_of(doc: Document, oven: str, bread: str, status: Status) -> DocumentGraph:
    records = []
    for kind, name in (("oven", oven), ("bread", bread)):
        at = doc.text.index(name)
        evidence = Evidence(start=at, end=at + len(name), quote=name)
        key = record_id(doc.key, kind, name.lower())
        records.append(
            Record(id=key, document=doc.key, type=kind, name=name, evidence=(evidence,), status=status)
        )
    ends = (records[0].id, "bakes", records[1].id)
    whole = Evidence(start=0, end=len(doc.text), quote=doc.text)
    statement = Statement(
        id=statement_id(doc.key, *ends),
        document=doc.key,
        subject=ends[0],
        type=ends[1],
        object=ends[2],
        evidence=(whole,),
        status=status,
    )
    return DocumentGraph(
        document=doc.key,
        version=doc.version,
        schema_name="bakery",
        schema_version="1",
        run_id=f"run{doc.key}",
        records=tuple(records),
        statements=(statement,),
    )


def workspace(root: Path, *, status: Status = Status.VETTED) -> Workspace:
    """Twelve documents with graphs of that status, and one without a graph."""
    root.mkdir()
    (root / "bakery.yaml").write_text(SCHEMA, encoding="utf-8")
    made = Workspace.create(root, schema="bakery.yaml")
    stored = {s.slug: s for s in made.documents()}
    for number in range(12):
        oven, bread = f"{OVENS[number % 5]} {number}", BREADS[number % 3]
        doc = document(number, f"Today the oven {oven} made a {bread} for the shop.")
        made.save_document(doc, stored)
        made.save_graph(graph_of(doc, oven, bread, status))
    made.save_document(document(99, "Today the oven Zelmar 7 made a corn bun for the shop."), stored)
    return made


def switch_on(made: Workspace) -> Workspace:
    path = made.root / "kg.toml"
    text = path.read_text(encoding="utf-8").replace("learned = false", "learned = true")
    path.write_text(text, encoding="utf-8")
    return Workspace(made.root)


def test_train_then_extract(tmp_path: Path) -> None:
    made = workspace(tmp_path / "w")
    runner = CliRunner()
    trained = runner.invoke(app, ["train", "extractor", "-w", str(made.root)])
    assert trained.exit_code == 0, trained.output
    assert "train: 1 changed" in trained.output
    assert "set learned = true" in trained.output
    first = {p.name: p.read_bytes() for p in (made.root / "models").iterdir()}
    assert runner.invoke(app, ["train", "extractor", "-w", str(made.root)]).exit_code == 0
    assert {p.name: p.read_bytes() for p in (made.root / "models").iterdir()} == first
    made = switch_on(made)
    assert runner.invoke(app, ["extract", "-w", str(made.root)]).exit_code == 0
    graph = made.read_graph(DocumentKey("note-99"))
    assert {(r.type, r.name) for r in graph.records} == {("oven", "Zelmar 7"), ("bread", "corn bun")}
    assert [s.type for s in graph.statements] == ["bakes"]
    again = runner.invoke(app, ["extract", "-w", str(made.root)])
    assert "0 changed" in again.output


def test_the_vectors_of_an_embedder_are_used_and_no_other_ones(tmp_path: Path) -> None:
    made = switch_on(workspace(tmp_path / "w"))
    path = made.root / "kg.toml"
    with path.open("a", encoding="utf-8") as file:
        file.write('\n[embedder]\nprefer = "tfidf"\n\n[extraction.models]\nlearn_vectors = true\n')
    runner = CliRunner()
    trained = runner.invoke(app, ["train", "extractor", "-w", str(made.root)])
    assert trained.exit_code == 0, trained.output
    with open_platform(Workspace(made.root), SilentProgress()) as platform:
        recipe = platform.recipe()
        assert not recipe.only_computes
        assert embedder_of(platform.models.load("extractor")) == platform.embedder.model_id
    assert runner.invoke(app, ["extract", "-w", str(made.root)]).exit_code == 0
    assert [s.type for s in made.read_graph(DocumentKey("note-99")).statements] == ["bakes"]


def test_nothing_vetted_says_what_is_needed(tmp_path: Path) -> None:
    made = workspace(tmp_path / "w", status=Status.DRAFT)
    with open_platform(made, SilentProgress()) as platform:
        from kg.build import train

        with pytest.raises(UsageError, match="expected documents with vetted facts, found none"):
            train(platform)
    assert not (made.root / "models").exists()


def test_extraction_without_a_model_is_refused(tmp_path: Path) -> None:
    made = switch_on(workspace(tmp_path / "w"))
    with (
        open_platform(made, SilentProgress()) as platform,
        pytest.raises(ModelUnavailableError, match="kg train extractor"),
    ):
        platform.extractors()


def test_a_tampered_model_is_refused(tmp_path: Path) -> None:
    made = workspace(tmp_path / "w")
    assert CliRunner().invoke(app, ["train", "extractor", "-w", str(made.root)]).exit_code == 0
    made = switch_on(made)
    (path,) = (made.root / "models").glob("*.safetensors")
    path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    with open_platform(made, SilentProgress()) as platform, pytest.raises(DataError, match="is damaged"):
        platform.extractors()


def test_a_graph_of_an_older_text_is_left_out(tmp_path: Path) -> None:
    made = workspace(tmp_path / "w")
    assert len(vetted_documents(made)) == 12
    assert all(d.complete for d in vetted_documents(made))
    stored = {s.slug: s for s in made.documents()}
    made.save_document(document(3, "Rewritten."), stored)
    assert len(vetted_documents(made)) == 11
