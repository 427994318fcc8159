"""What LaTeX says by its markup is read from Markdown, HTML, JATS and JSON too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from extraction.extract import extract_document
from extraction.readers.registry import read_document
from extraction.rules import RuleExtractor
from schemas.documents import BlockKind
from schemas.graphs import DocumentGraph
from schemas.schema_files import load_schema

ROWS = (("Source", "Uncertainty [fs]"), ("Track reconstruction", "3.1"), ("Decay-time acceptance", "2.4"))
CAPTION = "Systematic uncertainties of the B_s0 lifetime."
VALUE = "The lifetime of the B_s0 meson is measured to be 1.51 ± 0.02 ps."


def _markdown(*, below: bool = False) -> str:
    head, *rows = (f"| {a} | {b} |" for a, b in ROWS)
    table = "\n".join([head, "|---|---|", *rows])
    caption = f"**Table 1.** {CAPTION}"
    parts = [table, caption] if below else [caption, table]
    return "\n\n".join(["# Lifetimes", VALUE, *parts, "The end."])


def _html(cell: str, caption: str) -> str:
    rows = "".join(f"<tr><{cell}>{a}</{cell}><{cell}>{b}</{cell}></tr>" for a, b in ROWS)
    return caption.format(rows=rows)


HTML = f"<h1>Lifetimes</h1><p>{VALUE}</p>" + _html("td", f"<p>Table 1: {CAPTION}</p><table>{{rows}}</table>")
JATS = (
    "<article><front><article-meta><title-group><article-title>Lifetimes</article-title></title-group>"
    f"<abstract><p>{VALUE}</p></abstract></article-meta></front><body><sec><title>Results</title>"
    + _html("td", f"<table-wrap><caption><p>{CAPTION}</p></caption><table>{{rows}}</table></table-wrap>")
    + "</sec></body></article>"
)
CORD = json.dumps(
    {
        "paper_id": "p1",
        "metadata": {"title": "Lifetimes"},
        "abstract": [{"text": VALUE}],
        "body_text": [{"text": "Details.", "section": "Method"}],
        "ref_entries": {
            "TABREF0": {
                "text": CAPTION,
                "type": "table",
                "html": _html("td", "<html><table>{rows}</table></html>"),
            }
        },
    }
)


def _graph(folder: Path, name: str, text: str) -> DocumentGraph:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    document = read_document(path, root=folder)
    return extract_document(document, load_schema("particle_physics"), [RuleExtractor()])


def _facts(graph: DocumentGraph, relation: str) -> list[tuple[str, str, dict[str, object]]]:
    names = {r.id: r.name for r in graph.records}
    return [
        (names[s.subject], names[s.object], dict(s.attributes))
        for s in graph.statements
        if s.type == relation
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("above.md", _markdown()),
        ("below.md", _markdown(below=True)),
        ("a.html", HTML),
        ("a.xml", JATS),
        ("a.json", CORD),
    ],
)
def test_uncertainty_tables_of_all_formats(tmp_path: Path, name: str, text: str) -> None:
    found = _facts(_graph(tmp_path, name, text), "affects")
    assert {(s, o, v["magnitude"], v["unit"], v["ranking"]) for s, o, v in found} == {
        ("tracking efficiency", "B_s0 mean life", 3.1, "fs", 1),
        ("decay-time acceptance", "B_s0 mean life", 2.4, "fs", 2),
    }


def test_the_unit_of_a_head_is_what_its_brackets_hold(tmp_path: Path) -> None:
    table = "| Source of systematic uncertainty | σ(m(B_s0)) [MeV] |\n|---|---|\n| Momentum scale | 0.11 |\n"
    [(source, target, values)] = _facts(_graph(tmp_path, "a.md", f"# Masses\n\n{table}"), "affects")
    assert (source, target, values["unit"]) == ("momentum scale", "B_s0 mass", "MeV")


@pytest.mark.parametrize(
    "table",
    [
        "| Quantity | Value | Unit |\n|---|---|---|\n"
        "| B_s0 mass | 5366.9 ± 0.2 | MeV |\n| B_s0 lifetime | 1.51 ± 0.01 | ps |",
        "| | Result |\n|---|---|\n| m(B_s0) [MeV] | 5366.9 ± 0.2 |\n| τ(B_s0) [ps] | 1.51 ± 0.01 |",
        "| Quantity | Result |\n|---|---|\n| $m(B_s^0)$ (MeV) | $5366.9 \\pm 0.2$ |\n"
        "| $\\tau(B_s^0)$ (ps) | $1.51 \\pm 0.01$ |",
    ],
)
def test_units_of_tables_with_quantities_as_rows(tmp_path: Path, table: str) -> None:
    found = _facts(
        _graph(tmp_path, "a.md", f"# Values\n\nTable 2: Results of the fit.\n\n{table}\n"), "determines"
    )
    assert {(o, v["value"], v["unit"]) for _, o, v in found} == {
        ("B_s0 mass", 5366.9, "MeV"),
        ("B_s0 mean life", 1.51, "ps"),
    }


@pytest.mark.parametrize(
    "value",
    ["1.23 +0.04 -0.05 ps", "1.23^{+0.04}_{-0.05} ps", "$1.23^{+0.04}_{-0.05}$ ps", "1.23 (+0.04/-0.05) ps"],
)
@pytest.mark.parametrize("suffix", ["md", "txt"])
def test_asymmetric_errors_in_plain_formats(tmp_path: Path, value: str, suffix: str) -> None:
    graph = _graph(tmp_path, f"a.{suffix}", f"Lifetimes\n\nThe B+ lifetime is measured to be {value}.\n")
    [(_, observable, values)] = _facts(graph, "determines")
    assert (observable, values["value"], values["total_plus"], values["total_minus"], values["unit"]) == (
        "B+ mean life",
        1.23,
        0.04,
        0.05,
        "ps",
    )


@pytest.mark.parametrize(
    ("sentence", "period"),
    [
        ("The data were collected in 2016-2018 and correspond to 5.4 fb^-1.", "run 2"),
        ("We use data collected in 2011 and 2012, an integrated luminosity of 3 fb^-1.", "run 1"),
        ("The analysis uses data recorded between 2011 and 2018.", "run 1 and 2"),
        ("This uses the Run 2 data sample.", "run 2"),
        ("The data sample was recorded during Run 3.", "run 3"),
        ("The detector was built in 2008 and upgraded later.", None),
        ("A conference in 2017 discussed this.", None),
    ],
)
def test_run_periods_in_prose(tmp_path: Path, sentence: str, period: str | None) -> None:
    graph = _graph(tmp_path, "a.md", f"# A note\n\n## Data\n\n{sentence}\n")
    [paper] = [r for r in graph.records if r.type == "paper"]
    assert paper.attributes.get("run_period") == period


@pytest.mark.parametrize(
    "sentence",
    [
        "For the 2016 subsample the B+ lifetime is found to be 1.53 ± 0.03 ps.",
        "With magnet-down data the B+ lifetime is measured to be 1.49 ± 0.04 ps.",
        "Using the 2017 data only, the B+ lifetime is found to be 1.66 ± 0.04 ps.",
        "In one half of the data the B+ lifetime is measured to be 1.66 ± 0.04 ps.",
    ],
)
def test_a_subsample_has_no_result(tmp_path: Path, sentence: str) -> None:
    own = "The B+ lifetime is measured to be 1.64 ± 0.01 ps."
    graph = _graph(tmp_path, "a.md", f"# Lifetimes\n\n{own} {sentence}\n")
    assert [v["value"] for _, _, v in _facts(graph, "determines")] == [1.64]
    assert [r.code for r in graph.rejections if "ps" in r.item] == ["not_own_result"]


def test_the_symbol_keeps_its_decay_after_the_words(tmp_path: Path) -> None:
    value = r"$\mathcal{B}(B_s^0 \to \mu^+\mu^-) = (3.1 \pm 0.5) \times 10^{-9}$"
    text = f"The branching fraction is measured to be {value}."
    found = _facts(_graph(tmp_path, "a.md", f"# Rates\n\n{text}\n"), "determines")
    assert [(o, v["value"]) for _, o, v in found] == [("BR(B_s0 -> mu+ mu-)", 3.1e-9)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "# T\n\n## Abstract\n\nWe measure it.\n\n## Data\n\nIt is large.\n"),
        ("b.md", "# T\n\n**Abstract.** We measure it.\n\n## Data\n\nIt is large.\n"),
        ("a.html", "<h1>T</h1><h2>Abstract</h2><p>We measure it.</p><h2>Data</h2><p>It is large.</p>"),
        ("b.html", '<h1>T</h1><div class="abstract"><p>We measure it.</p></div><p>It is large.</p>'),
        ("a.txt", "T\n\nAbstract\n\nWe measure it.\n\nIt is large.\n"),
        ("b.txt", "T\n\nAbstract\nWe measure it.\n\nIt is large.\n"),
    ],
)
def test_abstracts_of_plain_formats(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    blocks = read_document(tmp_path / name, root=tmp_path).blocks
    assert ["We measure it." in b.text for b in blocks if b.kind is BlockKind.ABSTRACT] == [True]
    assert any(b.kind is BlockKind.PARAGRAPH and b.text == "It is large." for b in blocks)
