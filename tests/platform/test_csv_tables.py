"""CSV tables: a round trip keeps the graph, what spreadsheets do to a table changes nothing."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.brat import Standoff, from_brat
from kg.csv_files import neutralised, original, read_table, table_bytes
from kg.export_tables import EDGE_COLUMNS, NODE_COLUMNS, graph_fingerprint, graph_rows
from kg.graph_edit import Entry, decisions_in
from kg.import_tables import graph_of_tables, read_tables, shown
from schemas.documents import Document
from schemas.errors import GraphFileError, UsageError
from schemas.graphs import DocumentGraph, Evidence, Record, Statement, Status
from schemas.ids import DocumentKey, RecordId, StatementId
from schemas.schema_files import load_schema

SCHEMA = load_schema("logbook")
KEY = DocumentKey("shift/a.txt")
CELLS = st.text(alphabet="ab'\"=+-@;,|\t\r\n\0\ufeff＝é𝒳 ", max_size=12)
FAST = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)


def document_of(text: str) -> Document:
    return from_brat(Standoff(text, ""), name="shift/a", schema=SCHEMA)[0]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Document, DocumentGraph]:
    """A text, and a graph with hostile names, attributes and quotes."""
    text = draw(st.text(alphabet="ab=;\"'\n\t 𝒳", min_size=4, max_size=40).filter(str.strip))
    spans = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 9)).map(
        lambda s: Evidence(start=s[0], end=min(len(text), s[0] + s[1]), quote=text[s[0] : s[0] + s[1]])
    )
    evidence = st.lists(spans, max_size=3).map(tuple)
    values = st.one_of(
        CELLS, st.booleans(), st.integers(-9, 9), st.floats(-1e9, 1e9), st.lists(CELLS).map(tuple)
    )
    records = tuple(
        Record(
            id=RecordId(f"r{n}"),
            document=KEY,
            type=draw(st.sampled_from(("fault", "signal"))),
            name=draw(CELLS),
            description=draw(CELLS),
            aliases=tuple(draw(st.lists(CELLS, max_size=2))),
            attributes=draw(st.dictionaries(CELLS, values, max_size=2)),
            evidence=draw(evidence),
            extractor=draw(st.sampled_from(("rules/2", "=x", ""))),
            confidence=draw(st.floats(0, 1)),
            status=draw(st.sampled_from(Status)),
        )
        for n in range(draw(st.integers(0, 3)))
    )
    ends = st.sampled_from([r.id for r in records]) if records else st.nothing()
    statements = tuple(
        Statement(
            id=StatementId(f"s{n}"),
            document=KEY,
            subject=draw(ends),
            type="leads_to",
            object=draw(ends),
            evidence=draw(evidence),
        )
        for n in range(draw(st.integers(0, 2)) if records else 0)
    )
    return document_of(text), graph_with(records, statements, version=document_of(text).version)


def graph_with(
    records: tuple[Record, ...], statements: tuple[Statement, ...] = (), *, version: str = "v"
) -> DocumentGraph:
    return DocumentGraph(
        document=KEY,
        version=version,
        schema_name=SCHEMA.name,
        schema_version=SCHEMA.version,
        run_id="r",
        records=records,
        statements=statements,
    )


def write(folder: Path, document: Document, graph: DocumentGraph) -> None:
    folder.mkdir(exist_ok=True)
    nodes, edges = graph_rows(graph, document, {})
    (folder / "nodes.csv").write_bytes(table_bytes([NODE_COLUMNS, *nodes]))
    (folder / "edges.csv").write_bytes(table_bytes([EDGE_COLUMNS, *edges]))


def read(folder: Path, document: Document, now: DocumentGraph) -> DocumentGraph:
    tables = read_tables(folder)
    rows = tables.documents().get(KEY)
    if rows is None:
        return graph_with((), version=document.version)
    return graph_of_tables(tables, rows, shown(now, graph_rows(now, document, {}))).graph


@given(st.lists(CELLS, min_size=1, max_size=4))
def test_no_cell_is_a_formula_and_each_comes_back(cells: list[str]) -> None:
    safe = [neutralised(cell) for cell in cells]
    assert [original(cell) for cell in safe] == cells
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "＝")) for cell in safe)
    (back,) = csv.reader(io.StringIO(table_bytes([cells]).decode(), newline=""))
    assert back == safe


@FAST
@given(graphs())
def test_a_round_trip_is_the_identity(tmp_path: Path, made: tuple[Document, DocumentGraph]) -> None:
    document, graph = made
    write(tmp_path / "t", document, graph)
    assert read(tmp_path / "t", document, graph) == graph
    if not any(e.quote == "" or not e.quote.strip() for r in graph.records for e in r.evidence):
        fresh = read(tmp_path / "t", document, graph_with((), version=document.version))
        assert fresh == graph, "read without the graph to compare with"


DIALECTS: dict[str, Callable[[list[list[str]]], bytes]] = {
    "bom and crlf": lambda rows: "\ufeff".encode() + dialect(rows, ",", "\r\n"),
    "semicolons": lambda rows: dialect(rows, ";", "\r\n"),
    "semicolons, told": lambda rows: b"sep=;\r\n" + dialect(rows, ";", "\r\n"),
    "tabs in utf-16": lambda rows: dialect(rows, "\t", "\r\n").decode().encode("utf-16"),
    "reversed columns": lambda rows: dialect([row[::-1] for row in rows], ",", "\n"),
    "own column, blank rows": lambda rows: dialect(
        [[*rows[0], "my notes"], *([*r, "x"] for r in rows[1:]), ["", "", ""]], ",", "\n"
    ),
    "old mac": lambda rows: dialect(rows, ",", "\r"),
    "line breaks in cells changed": lambda rows: dialect(
        [[cell.replace("\n", "\r\n") for cell in row] for row in rows], ",", "\r\n"
    ),
    "rounded": lambda rows: dialect(
        [[c.replace("0.123456789", "0,123457") for c in r] for r in rows], ";", "\n"
    ),
    "apostrophes taken for text marks": lambda rows: dialect(
        [[original(cell) for cell in row] for row in rows], ",", "\n"
    ),
}


def dialect(rows: list[list[str]], delimiter: str, end: str) -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(rows)
    return text.getvalue().encode()


def record(name: str, at: int, text: str, **fields: object) -> Record:
    quote = Evidence(start=at, end=at + 5, quote=text[at : at + 5])
    values = {"id": f"id-{at}", "document": KEY, "type": "fault", "name": name, "evidence": (quote,)}
    return Record.model_validate(values | fields)


TEXT = '=trip; and\n"leak" of the pump\nthen the pump stops again'


def example() -> tuple[Document, DocumentGraph]:
    document = document_of(TEXT)
    first = record("=trip", 0, TEXT, confidence=0.123456789, aliases=("a;b", 'say "x"'))
    second = record("leak\npump", 8, TEXT, description="it\nleaks")
    ends = Statement(
        id=StatementId("s"),
        document=KEY,
        subject=first.id,
        type="leads_to",
        object=second.id,
        evidence=(Evidence(start=8, end=13, quote=TEXT[8:13]),),
    )
    return document, graph_with((first, second), (ends,), version=document.version)


@pytest.mark.parametrize("way", DIALECTS)
def test_what_spreadsheets_do_changes_nothing(tmp_path: Path, way: str) -> None:
    document, graph = example()
    write(tmp_path, document, graph)
    for name in ("nodes.csv", "edges.csv"):
        path = tmp_path / name
        rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
        path.write_bytes(DIALECTS[way](rows))
    found = read(tmp_path, document, graph)
    assert found == graph
    for columns, name in ((NODE_COLUMNS, "nodes.csv"), (EDGE_COLUMNS, "edges.csv")):
        assert read_table(tmp_path / name, known=columns, needed=()).columns.keys() == set(columns)


@pytest.mark.parametrize(
    "dropped", [("attributes", "quotes", "entity"), ("quote", "where", "graph", "status")]
)
def test_absent_columns_keep_what_was_there(tmp_path: Path, dropped: tuple[str, ...]) -> None:
    document, graph = example()
    write(tmp_path, document, graph)
    for name in ("nodes.csv", "edges.csv"):
        path = tmp_path / name
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
        kept = [key for key in rows[0] if key not in dropped]
        path.write_bytes(dialect([kept, *([row[key] for key in kept] for row in rows)], ",", "\n"))
    assert read(tmp_path, document, graph) == graph


def edited(folder: Path, name: str, change: Callable[[list[dict[str, str]]], None]) -> None:
    path = folder / name
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
    columns = list(rows[0])
    change(rows)
    path.write_bytes(dialect([columns, *([row.get(c, "") for c in columns] for row in rows)], ",", "\n"))


def decide(folder: Path, document: Document, graph: DocumentGraph) -> list[Entry]:
    tables = read_tables(folder)
    now = shown(graph, graph_rows(graph, document, {}))
    return decisions_in(graph_of_tables(tables, tables.documents()[KEY], now), graph, document, SCHEMA)


def test_edits_are_decisions(tmp_path: Path) -> None:
    document, graph = example()
    write(tmp_path, document, graph)

    def change(rows: list[dict[str, str]]) -> None:
        rows[0]["description"] = "a trip"
        rows[1]["quote"] = "leak"
        rows.append({"document": KEY, "type": "fault", "name": "stop", "quote": "pump stops"})

    edited(tmp_path, "nodes.csv", change)
    added = {
        "document": KEY,
        "type": "leads_to",
        "subject_name": "stop",
        "object_name": "=trip",
        "quote": "pump",
    }
    edited(tmp_path, "edges.csv", lambda rows: rows.append(added))
    entries = decide(tmp_path, document, graph)
    marks = read_tables(tmp_path).documents()[KEY].fingerprints()
    assert [(kind.value, p.name) for kind, p in entries] == [
        ("edit", "fault =trip"),
        ("edit", "fault leak\npump"),
        ("add", "fault stop"),
        ("add", "statement leads_to"),
    ]
    assert all(document.text[e.start : e.end] == e.quote for _, p in entries for e in p.item.evidence)
    stop, edge = entries[2][1].item, entries[3][1].item
    assert isinstance(edge, Statement)
    assert (edge.subject, edge.object) == (stop.id, graph.records[0].id)
    assert (stop.extractor, marks) == ("by hand", frozenset({graph_fingerprint(graph)}))


WRONG: list[tuple[str, int, str, str, str]] = [
    ("nodes.csv", 0, "type", "foult", "nodes.csv:2: type (column D): expected one of"),
    ("nodes.csv", 0, "attributes", '{"a": ', "nodes.csv:2: attributes (column H): expected a JSON object"),
    ("nodes.csv", 0, "attributes", '{"a": 1, "a": 2}', "a key stands twice"),
    ("nodes.csv", 0, "aliases", "a; b", "aliases (column G): expected a JSON list"),
    ("nodes.csv", 0, "confidence", "high", "confidence (column I): expected a number"),
    ("nodes.csv", 0, "confidence", "7", "confidence (column I): input should be less than"),
    ("nodes.csv", 0, "status", "approved", "status (column L): input should be 'draft', 'vetted'"),
    ("nodes.csv", 0, "quote", "not in it", "quote"),
    ("nodes.csv", 0, "where", "a.txt:9", "where (column N): cannot be edited"),
    ("nodes.csv", 0, "entity", "another", "entity (column B): cannot be edited, which records"),
    ("nodes.csv", 1, "id", "id-0", "nodes.csv:3: id (column A): the id 'id-0' stands twice"),
    ("nodes.csv", 1, "id", "1,2E+30", "a spreadsheet made the number"),
    ("edges.csv", 0, "object", "nobody", "edges.csv:2: object (column F): 'nobody' is the id of no record"),
    ("edges.csv", 0, "subject_name", "me", "edges.csv:2: subject_name (column D): expected '=trip'"),
    ("edges.csv", 0, "type", "leads", "edges.csv:2: type (column E): expected one of"),
]


@pytest.mark.parametrize(("name", "row", "column", "cell", "words"), WRONG)
def test_a_wrong_cell_is_refused_with_line_and_column(
    tmp_path: Path, name: str, row: int, column: str, cell: str, words: str
) -> None:
    document, graph = example()
    write(tmp_path, document, graph)
    edited(tmp_path, name, lambda rows: rows[row].update({column: cell}))
    with pytest.raises(GraphFileError) as caught:
        decide(tmp_path, document, graph)
    assert words in str(caught.value)
    assert caught.value.file == str(tmp_path / name)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "nodes.csv:1: expected a header with the columns id, document, type, name"),
        (b"id,document,type\n", "found none of name"),
        (b"id,document,type,name,id\n", "'id' stands twice"),
        (b"id,document,type,name,atributes\n", "column E: found 'atributes'; did you mean 'attributes'?"),
        (b'id,document,type,name\na,b,c,"d\n', "nodes.csv:2: expected CSV, found a row that cannot be read"),
        (b"id,document,type,name\na,b,c,d,e\n", "nodes.csv:2: expected 4 cells, found 5"),
        (b"id,document,type,name\na,b,c,\xe9\n", "nodes.csv:2: expected UTF-8"),
        (b"PK\x03\x04....", "found a spreadsheet"),
    ],
)
def test_a_broken_table_is_refused_with_its_line(tmp_path: Path, data: bytes, words: str) -> None:
    (tmp_path / "nodes.csv").write_bytes(data)
    with pytest.raises(GraphFileError) as caught:
        read_tables(tmp_path)
    assert words in str(caught.value)


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nodes\.csv or edges\.csv"):
        read_tables(tmp_path)


def test_a_record_cannot_go_while_statements_end_in_it(tmp_path: Path) -> None:
    document, graph = example()
    write(tmp_path, document, graph)
    (tmp_path / "edges.csv").unlink()
    edited(tmp_path, "nodes.csv", lambda rows: rows.__delitem__(0))
    with pytest.raises(GraphFileError, match="statements end in it"):
        read(tmp_path, document, graph)
