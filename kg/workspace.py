"""The workspace: files are the truth, the database is a projection of them.

Layout: ``kg.toml``, ``documents/SLUG@N.VERSION.json`` (revision N of a document; the highest is current),
``runs/SLUG/RUN.json`` (immutable extraction results), ``graphs/SLUG.json`` (the current graph of each
document), ``log.db`` (merge and review events), ``ledger.db`` (runs, questions with marks and corrections,
replies of a chat model), ``embeddings.db`` (vectors; derived), ``resolution/`` and ``log-state.json`` (what
the next resolution goes on from; derived), ``models/`` (learned artifacts), ``removed/`` (documents taken
out), ``fetched/`` (papers as archives gave them), ``releases/``, ``neo4j/`` (the managed server's data).
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kg.files import dump, load, slug, writable, write_atomic
from kg.graph_dump import dump_graph
from kg.graph_file import graph_file_fault
from kg.settings import Settings, load_settings
from schemas.documents import Document
from schemas.errors import WorkspaceError
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph
from schemas.ids import DocumentKey
from schemas.schema_files import load_schema
from schemas.ways import Ways, catalog_ways, read_ways

_REVISION = re.compile(r"^(?P<slug>.+)@(?P<revision>\d+)\.(?P<version>[0-9a-f]{32})\.json$")
FOLDERS = ("documents", "runs", "graphs", "releases")


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """The current revision of a document on disk."""

    slug: str
    revision: int
    version: str
    path: Path


def is_workspace(root: Path) -> bool:
    """Whether a folder is a workspace."""
    return (root / "kg.toml").is_file()


class Workspace:
    """A folder with ``kg.toml``; every write is atomic."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        if not is_workspace(self.root):
            raise WorkspaceError(
                f"{self.root} is no workspace (it has no kg.toml); make one with `kg init {root}`"
            )
        with writable(self.root):
            for name in FOLDERS:
                (self.root / name).mkdir(exist_ok=True)

    @classmethod
    def create(cls, root: Path, *, schema: str) -> Workspace:
        """Make a workspace; an existing one is left as it is and refused."""
        if (root / "kg.toml").exists():
            raise WorkspaceError(
                f"{root} is a workspace already; remove kg.toml to begin anew, or use it as it is"
            )
        load_schema(str(root / schema) if (root / schema).is_file() else schema)
        write_atomic(root / "kg.toml", _KG_TOML.format(schema=schema).encode())
        return cls(root)

    @cached_property
    def settings(self) -> Settings:
        return load_settings(self.root / "kg.toml")

    @cached_property
    def schema(self) -> GraphSchema:
        source = self.settings.schema_source
        own = self.root / source
        return load_schema(own if own.is_file() else source)

    @cached_property
    def ways(self) -> Ways:
        """Ways of asking: the file ``NAME.ways`` beside the schema's own, else those of the catalogue."""
        source = Path(self.settings.schema_source)
        own = (self.root / source if (self.root / source).is_file() else source).with_suffix(".ways")
        return read_ways(own) if source.suffix and own.is_file() else catalog_ways(self.schema.name)

    @cached_property
    def id(self) -> str:
        """A random id, made once: the marker that keeps two workspaces out of one database."""
        path = self.root / ".workspace-id"
        if not path.exists():
            write_atomic(path, secrets.token_hex(16).encode())
        found = path.read_bytes()
        if re.fullmatch(rb"[0-9a-f]{32}", found) is None:
            raise WorkspaceError(
                f"{path} is damaged: expected 32 hexadecimal digits, found {found[:40]!r}; put back a "
                "copy, or delete it and `kg load --fresh` into an empty Neo4j"
            )
        return found.decode("ascii")

    @property
    def log_path(self) -> Path:
        return self.root / "log.db"

    @property
    def ledger_path(self) -> Path:
        return self.root / "ledger.db"

    @property
    def embeddings_path(self) -> Path:
        return self.root / "embeddings.db"

    @property
    def merges_path(self) -> Path:
        """What the latest resolution left for reviewers; derived."""
        return self.root / "merges.json"

    @property
    def resolution_path(self) -> Path:
        """What the next resolution goes on from; derived."""
        return self.root / "resolution"

    @property
    def models_path(self) -> Path:
        return self.root / "models"

    @property
    def neo4j_home(self) -> Path:
        return self.root / "neo4j"

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Exclusive use by one writing command; a second one is told so at once."""
        with ExitStack() as stack:
            with writable(self.root):
                lock = stack.enter_context((self.root / ".lock").open("a+", encoding="utf-8"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as e:
                raise WorkspaceError(
                    f"another kg command is writing to {self.root}; wait for it to finish"
                ) from e
            yield

    # documents ---------------------------------------------------------------------------------
    def documents(self) -> tuple[StoredDocument, ...]:
        """The current revision of every document, by slug."""
        latest: dict[str, StoredDocument] = {}
        for path in (self.root / "documents").iterdir():
            match = _REVISION.match(path.name)
            if match is None:
                continue
            name, revision = match["slug"], int(match["revision"])
            if name not in latest or latest[name].revision < revision:
                latest[name] = StoredDocument(name, revision, match["version"], path)
        return tuple(latest[name] for name in sorted(latest))

    def read_document(self, stored: StoredDocument) -> Document:
        """A stored document; ``WorkspaceError`` when its file is damaged or its text was changed."""
        document = load(stored.path, Document)
        if document.version != stored.version:
            raise WorkspaceError(
                f"{stored.path}: expected text of version {stored.version}, found {document.version}; "
                "documents are not edited here: put the file back, or add the changed source again"
            )
        return document

    def find_document(self, key: str) -> StoredDocument:
        """The current revision of one document, or ``WorkspaceError``."""
        name = slug(key)
        revisions = [s for s in self.documents() if s.slug == name]
        if not revisions:
            raise WorkspaceError(f"no document {key!r} in {self.root}; `kg status` lists the keys")
        return revisions[0]

    def save_document(self, document: Document, stored: dict[str, StoredDocument]) -> bool:
        """Keep a document; True when it is new or changed. ``stored`` maps slugs, and is updated."""
        name = slug(document.key)
        current = stored.get(name)
        data = dump(document)
        if current is not None and current.path.read_bytes() == data:
            return False
        revision = current.revision + 1 if current else 1
        version = document.version
        path = self.root / "documents" / f"{name}@{revision}.{version}.json"
        write_atomic(path, data)
        stored[name] = StoredDocument(name, revision, version, path)
        return True

    def remove_document(self, stored: StoredDocument) -> None:
        """Move all revisions of a document and its current graph to ``removed/``; its runs stay."""
        target = self.root / "removed" / stored.slug
        with writable(self.root):
            target.mkdir(parents=True, exist_ok=True)
            documents = self.root / "documents"
            matches = ((m, p) for p in documents.iterdir() if (m := _REVISION.match(p.name)))
            for _, path in sorted((int(m["revision"]), p) for m, p in matches if m["slug"] == stored.slug):
                path.replace(target / path.name)
            graph = self.root / "graphs" / f"{stored.slug}.json"
            if graph.exists():
                graph.replace(target / "graph.json")

    # graphs ------------------------------------------------------------------------------------
    def run_path(self, key: DocumentKey, run_id: str) -> Path:
        return self.root / "runs" / slug(key) / f"{run_id}.json"

    def graph_path(self, key: DocumentKey) -> Path:
        return self.root / "graphs" / f"{slug(key)}.json"

    def save_graph(self, graph: DocumentGraph) -> None:
        """Keep an extraction result as an immutable run and as the document's current graph."""
        data = dump_graph(graph)
        run = self.run_path(graph.document, graph.run_id)
        if not run.exists():
            write_atomic(run, data)
        elif (kept := run.read_bytes()) != data and load(run, DocumentGraph) == graph:
            data = kept  # the same run, in the layout of an earlier release
        path = self.graph_path(graph.document)
        if not path.exists() or path.read_bytes() != data:
            write_atomic(path, data)

    def run_paths(self, key: DocumentKey) -> tuple[Path, ...]:
        """The runs of a document, the one written last at the end."""
        found = (p for p in (self.root / "runs" / slug(key)).glob("*.json") if "." not in p.stem)
        return tuple(sorted(found, key=lambda p: (p.stat().st_mtime_ns, p.name)))

    def reviewed_path(self, key: DocumentKey, run_id: str) -> Path:
        """A run with the reviewers' decisions, where there are any."""
        return self.root / "runs" / slug(key) / f"{run_id}.reviewed.json"

    def written_path(self, key: DocumentKey, run_id: str) -> Path:
        """What the program last wrote as the current graph of that run."""
        reviewed = self.reviewed_path(key, run_id)
        return reviewed if reviewed.exists() else self.run_path(key, run_id)

    def is_edited(self, key: DocumentKey, run_id: str) -> bool:
        """Whether the current graph, of that run, is not what the program wrote."""
        data = self.graph_path(key).read_bytes()
        return data not in (self.run_path(key, run_id).read_bytes(), self._reviewed(key, run_id))

    def _reviewed(self, key: DocumentKey, run_id: str) -> bytes | None:
        path = self.reviewed_path(key, run_id)
        return path.read_bytes() if path.exists() else None

    def save_reviewed(self, graph: DocumentGraph) -> bool:
        """Keep a graph with the reviewers' decisions as the current one; True when that changed it."""
        data, path = dump_graph(graph), self.graph_path(graph.document)
        if data != self._reviewed(graph.document, graph.run_id):
            write_atomic(self.reviewed_path(graph.document, graph.run_id), data)
        if path.exists() and path.read_bytes() == data:
            return False
        write_atomic(path, data)
        return True

    def read_run(self, key: DocumentKey, run_id: str) -> DocumentGraph:
        return load(self.run_path(key, run_id), DocumentGraph)

    def read_graph(self, key: DocumentKey) -> DocumentGraph:
        """The current graph of one document; ``GraphFileError`` with the line of a mistake in the file."""
        return _read_graph(self.graph_path(key))

    def graphs(self) -> Iterator[DocumentGraph]:
        """The current graph of every document that still exists, by slug.

        A graph that was edited by hand is not taken over: what the program wrote is given instead. Left out
        is one with types that the schema no longer has; ``kg extract`` lists it.
        """
        for _, path in self.graph_paths():
            found = self.current_graph(path)
            if found is not None:
                yield found

    def graph_paths(self) -> Iterator[tuple[str, Path]]:
        """Slug and graph file of every document that still exists and has one, by slug."""
        current = {s.slug for s in self.documents()}
        names = sorted(entry.name for entry in os.scandir(self.root / "graphs"))
        for name in names:
            if name.endswith(".json") and name.removesuffix(".json") in current:
                yield name.removesuffix(".json"), self.root / "graphs" / name

    def current_graph(self, path: Path) -> DocumentGraph | None:
        """The graph of a file, as in :meth:`graphs`; None where the schema lacks one of its types."""
        graph = _read_graph(path)
        run = self.run_path(graph.document, graph.run_id)
        edited = run.exists() and self.is_edited(graph.document, graph.run_id)
        found = load(self.written_path(graph.document, graph.run_id), DocumentGraph) if edited else graph
        entities = {e.name for e in self.schema.entities}
        relations = {r.name for r in self.schema.relations}
        known = entities.issuperset(r.type for r in found.records)
        return found if known and relations.issuperset(s.type for s in found.statements) else None

    def other_schema(self) -> int:
        """How many current graphs name another schema, or another version of it."""
        current = {s.slug for s in self.documents()}
        mine = (self.schema.name, self.schema.version)
        paths = (p for p in (self.root / "graphs").glob("*.json") if p.stem in current)
        return sum(_schema_of(path) != mine for path in paths)


def _read_graph(path: Path) -> DocumentGraph:
    """A graph file that people may have edited."""
    try:
        return load(path, DocumentGraph)
    except WorkspaceError as e:
        fault = graph_file_fault(path)
        if fault is None:
            raise
        raise fault from e


def _schema_of(path: Path) -> tuple[str, str] | None:
    """Schema and version that a graph file names among its first lines."""
    with path.open("rb") as file:
        head = file.read(4096).decode("utf-8", "replace")
    found = [re.search(rf'"schema_{key}": "([^"]*)"', head) for key in ("name", "version")]
    return (found[0][1], found[1][1]) if found[0] and found[1] else None


_KG_TOML = """\
# Settings of this workspace; `kg status` shows what is in use.
schema = "{schema}"          # a catalog name, or a YAML file in this folder

[store]
# uri = "neo4j://host:7687"  # any Neo4j 5.26+; empty: a managed server in this folder
heap = "1g"

[extraction]
rules = true
llm = false                  # true: also the model of [chat]
learned = false              # true: also the model of `kg train extractor`

# [chat]
# base_url = "http://127.0.0.1:8000/v1"
# model = "name-of-the-model"
# api_key_env = "KG_CHAT_API_KEY"

[communities]
seed = 7
"""
