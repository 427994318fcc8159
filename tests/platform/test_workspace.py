"""The workspace keeps every revision and finds the current one."""

from pathlib import Path

import pytest

from kg.files import dump
from kg.graph_dump import dump_graph
from kg.workspace import Workspace
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.errors import GraphFileError, SchemaError, SettingsError, WorkspaceError
from schemas.graphs import DocumentGraph
from schemas.ids import DocumentKey


def document(text: str, key: str = "doc") -> Document:
    return Document(
        key=DocumentKey(key),
        kind=DocumentKind.TEXT,
        title="A title",
        text=text,
        sections=(Section(index=0, parent=None, level=0, title="A title", start=0, end=len(text)),),
        blocks=(Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text), text=text, section=0),),
        source_map=SourceMap(files=("a.txt",), offsets=(0,), file_of=(0,), lines=(1,)),
    )


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.create(tmp_path / "w", schema="particle_physics")


def test_a_new_revision_is_kept_beside_the_old_one(workspace: Workspace) -> None:
    stored = {s.slug: s for s in workspace.documents()}
    assert workspace.save_document(document("one"), stored)
    assert not workspace.save_document(document("one"), stored)
    assert workspace.save_document(document("two"), stored)
    (current,) = workspace.documents()
    assert current.revision == 2
    assert workspace.read_document(current).text == "two"
    assert len(list((workspace.root / "documents").iterdir())) == 2


def test_going_back_to_an_old_text_is_a_revision_too(workspace: Workspace) -> None:
    stored = {s.slug: s for s in workspace.documents()}
    for text in ("one", "two", "one"):
        assert workspace.save_document(document(text), stored)
    assert workspace.read_document(workspace.documents()[0]).text == "one"


def test_a_graph_file_that_was_cut_off_is_told_with_its_line(workspace: Workspace) -> None:
    key = DocumentKey("doc")
    made = DocumentGraph(
        document=key, version="0" * 32, schema_name="particle_physics", schema_version="1.0", run_id="1" * 32
    )
    workspace.save_graph(made)
    path = workspace.graph_path(key)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(GraphFileError, match=r"expected JSON.*correct it, or delete the file") as caught:
        workspace.read_graph(key)
    assert (caught.value.file, caught.value.line) == (str(path), 6)
    path.write_bytes(dump_graph(made))
    assert workspace.read_graph(key) == made


def test_a_folder_without_kg_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="kg init"):
        Workspace(tmp_path)


def test_an_existing_workspace_is_not_made_again(workspace: Workspace) -> None:
    before = (workspace.root / "kg.toml").read_bytes()
    with pytest.raises(WorkspaceError, match="already"):
        Workspace.create(workspace.root, schema="biomedical")
    assert (workspace.root / "kg.toml").read_bytes() == before


def test_a_wrong_schema_leaves_no_workspace(tmp_path: Path) -> None:
    with pytest.raises(SchemaError):
        Workspace.create(tmp_path / "w", schema="no_such_schema")
    assert not (tmp_path / "w").exists()


def test_a_second_writer_is_told_at_once(workspace: Workspace) -> None:
    other = Workspace(workspace.root)
    with workspace.writing(), pytest.raises(WorkspaceError, match="another kg command"), other.writing():
        pass
    with other.writing():
        pass


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("schema = ", "not valid TOML"),
        ("[store]\nheap = 5", r"store\.heap"),
        ("colour = 1", "colour"),
        ("[communities]\nmin_component = 0", r"communities\.min_component"),
    ],
)
def test_wrong_settings_name_the_key(workspace: Workspace, text: str, expected: str) -> None:
    (workspace.root / "kg.toml").write_text(text)
    with pytest.raises(SettingsError, match=expected):
        _ = Workspace(workspace.root).settings


def test_unknown_keys_are_named_with_what_to_do(workspace: Workspace) -> None:
    with pytest.raises(WorkspaceError, match="kg status"):
        workspace.find_document("nothing")


def test_a_run_in_an_older_layout_is_no_edit(tmp_path: Path) -> None:
    """The same graph in other bytes: the graph file takes the bytes of its immutable run."""
    workspace = Workspace.create(tmp_path / "w", schema="logbook")
    graph = DocumentGraph(
        document=DocumentKey("a.md"), version="v", schema_name="logbook", schema_version="1", run_id="r"
    )
    run = workspace.run_path(graph.document, graph.run_id)
    run.parent.mkdir(parents=True)
    run.write_bytes(dump(graph))
    assert dump(graph) != dump_graph(graph)
    workspace.save_graph(graph)
    assert workspace.graph_path(graph.document).read_bytes() == run.read_bytes()
    assert not workspace.is_edited(graph.document, graph.run_id)
