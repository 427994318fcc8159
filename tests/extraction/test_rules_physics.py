"""The rule extractor on own texts of particle physics, and its bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.extract import extract_document, run_id
from extraction.readers.registry import read_document
from extraction.rules import RuleExtractor
from schemas.documents import Block, BlockKind, Cell, Document, DocumentKind, Identifiers, Section, SourceMap
from schemas.graphs import DocumentGraph
from schemas.ids import DocumentKey
from schemas.schema_files import load_schema

PHYSICS = load_schema("particle_physics")
TABLE = [
    ["Source", "σ_B [%]"],
    ["Tracking efficiency", "1.2"],
    ["Luminosity", "3.9"],
    ["Magic", "–"],
    ["Total", "4.1"],
]


def document(*blocks: tuple[BlockKind, str], table: list[list[str]] | None = None) -> Document:
    parts: list[Block] = []
    text = ""
    for kind, content in blocks:
        parts.append(Block(kind=kind, start=len(text), end=len(text) + len(content), text=content, section=0))
        text += content + "\n\n"
    if table:
        start, cells = len(text), []
        for row, line in enumerate(table):
            for column, cell in enumerate(line):
                end = len(text) + len(cell)
                cells.append(
                    Cell(row=row, column=column, start=len(text), end=end, text=cell, header=row == 0)
                )
                text += cell + (" | " if column + 1 < len(line) else "\n")
        parts.append(
            Block(
                kind=BlockKind.TABLE,
                start=start,
                end=len(text),
                text=text[start:],
                section=0,
                cells=tuple(cells),
            )
        )
    return Document(
        key=DocumentKey("2101.00001"),
        kind=DocumentKind.TEXT,
        title=blocks[0][1],
        text=text,
        sections=(Section(index=0, parent=None, level=0, title="", start=0, end=len(text)),),
        blocks=tuple(parts),
        source_map=SourceMap(files=("a.txt",), offsets=(0,), file_of=(0,), lines=(1,)),
        identifiers=Identifiers(arxiv="2101.00001"),
        year=2021,
    )


def graph_of(*blocks: tuple[BlockKind, str], table: list[list[str]] | None = None) -> DocumentGraph:
    made = document(*blocks, table=table)
    graph = extract_document(made, PHYSICS, [RuleExtractor()])
    for item in (*graph.records, *graph.statements):
        assert item.evidence
        assert all(made.text[e.start : e.end] == e.quote for e in item.evidence)
    return graph


def facts(graph: DocumentGraph, relation: str) -> list[tuple[str, str, dict[str, object]]]:
    names = {r.id: r.name for r in graph.records}
    found = [s for s in graph.statements if s.type == relation]
    return [(names[s.subject], names[s.object], dict(s.attributes)) for s in found]


TITLE = (BlockKind.TITLE, "Study of a rare decay in pp collisions at 13 TeV")


def test_branching_fraction_with_decay() -> None:
    abstract = (
        "The branching fraction B(B^0_s → μ^+ μ^-) is measured to be (3.0 ± 0.6 ^{+0.3}_{-0.2}) × 10^{-9}."
    )
    graph = graph_of(TITLE, (BlockKind.ABSTRACT, abstract))
    ((paper, observable, values),) = facts(graph, "determines")
    assert (paper, observable) == ("2101.00001", "BR(B_s0 -> mu+ mu-)")
    assert (values["value"], values["stat_plus"], values["syst_minus"]) == (3e-9, 6e-10, 2e-10)
    assert [(a, b) for a, b, _ in facts(graph, "measured_with")] == [(observable, "B_s0 -> mu+ mu-")]
    paper_record = next(r for r in graph.records if r.type == "paper")
    assert paper_record.attributes["run_period"] == "run 2"
    assert paper_record.attributes["collision_type"] == "p-p"
    assert paper_record.attributes["year"] == 2021


def test_limit() -> None:
    text = "We set B(B^0 → τ^+ τ^-) < 2.1 × 10^{-3} at 95% CL."
    ((_, observable, values),) = facts(graph_of(TITLE, (BlockKind.ABSTRACT, text)), "determines")
    assert observable == "BR(B0 -> tau+ tau-)"
    assert (values["limit"], values["confidence_level"], values["value"]) == ("upper", 95.0, 2.1e-3)


def test_an_observable_is_not_linked_to_the_decay_of_another_sentence() -> None:
    graph = graph_of(
        (BlockKind.TITLE, "Two measurements with B^0_s mesons"),
        (
            BlockKind.ABSTRACT,
            "The oscillation frequency is determined with B^0_s → D_s^- π^+ decays. "
            "From the decay B^0_s → J/ψ ϕ the mean life of the B^0_s meson is measured to be "
            "τ(B^0_s) = 1.512 ± 0.021 (stat) ± 0.013 (syst) ps.",
        ),
    )
    linked = [(s, o) for s, o, _ in facts(graph, "measured_with")]
    assert linked == [("B_s0 mean life", "B_s0 -> J/psi(1S) phi(1020)")]


@pytest.mark.parametrize(
    "text",
    [
        "The Standard Model prediction is R_K = 1.00 ± 0.01.",
        "The world average gives τ_{Λ_b^0} = 1.47 ± 0.01 ps.",
        "Candidates with mass m_{D^0} < 50 MeV are kept.",
        "The yield is 120 ± 11.",
    ],
)
def test_what_is_no_result_is_not_taken(text: str) -> None:
    assert facts(graph_of(TITLE, (BlockKind.PARAGRAPH, text)), "determines") == []


def test_uncertainty_table() -> None:
    graph = graph_of(
        TITLE,
        (BlockKind.ABSTRACT, "We find B(B^0 → K^+ π^-) = (1.9 ± 0.1) × 10^{-5}."),
        (BlockKind.CAPTION, "Systematic uncertainties on B(B^0 → K^+ π^-)."),
        table=TABLE,
    )
    rows = facts(graph, "affects")
    assert [(s, o, a["magnitude"], a["unit"], a["ranking"]) for s, o, a in rows] == [
        ("tracking efficiency", "BR(B0 -> K+ pi-)", 1.2, "%", 2),
        ("luminosity", "BR(B0 -> K+ pi-)", 3.9, "%", 1),
    ]
    quotes = [[e.quote for e in s.evidence] for s in graph.statements if s.type == "affects"]
    assert quotes == [["σ_B [%]", "Tracking efficiency | 1.2"], ["σ_B [%]", "Luminosity | 3.9"]]


def test_a_column_is_about_what_its_head_says_where_no_observable_is_known() -> None:
    graph = graph_of(TITLE, (BlockKind.CAPTION, "Systematic uncertainties."), table=TABLE)
    assert [(s, o) for s, o, _ in facts(graph, "affects")] == [
        ("tracking efficiency", "σ_B"),
        ("luminosity", "σ_B"),
    ]


def test_a_caption_says_what_a_column_of_sizes_is_about() -> None:
    table = [["Source", "Relative uncertainty [%]"], ["Luminosity", "3.9"], ["Closure test", "0.4"]]
    caption = "Systematic uncertainties on the ratio of dimuon yields, in per cent."
    graph = graph_of(TITLE, (BlockKind.CAPTION, caption), table=table)
    assert [(s, o) for s, o, _ in facts(graph, "affects")] == [
        ("luminosity", "ratio of dimuon yields"),
        ("Closure test", "ratio of dimuon yields"),
    ]


def test_table_without_an_observable_is_counted() -> None:
    table = [["Source", "Size [%]"], ["Tracking efficiency", "1.2"], ["Luminosity", "3.9"]]
    graph = graph_of(TITLE, (BlockKind.CAPTION, "Systematic uncertainties."), table=table)
    assert facts(graph, "affects") == []
    assert [r.code for r in graph.rejections] == ["no_target", "no_target"]


def test_equal_numbers_of_two_columns_are_two_facts() -> None:
    table = [["Source", "Size", "Size"], ["Luminosity", "1.5", "1.5"]]
    caption = "Systematic uncertainties on the ratio of dimuon yields."
    graph = graph_of(TITLE, (BlockKind.CAPTION, caption), table=table)
    assert len(facts(graph, "affects")) == 2


def test_results_and_correlations_in_an_uncertainty_table_are_no_sources() -> None:
    table = [
        ["Source", "A_x"],
        ["Luminosity", "0.03"],
        ["A_x", "0.66 ± 0.03"],
        ["Correlations", ""],
        ["Fit model", "0.42"],
    ]
    graph = graph_of(TITLE, (BlockKind.CAPTION, "Systematic uncertainties."), table=table)
    assert [s for s, _, _ in facts(graph, "affects")] == ["luminosity"]


def test_sources_in_columns_are_reported_and_not_guessed() -> None:
    table = [["Observable", "σ_{trigger}", "σ_{fit}"], ["Ratio R", "1.2", "0.3"]]
    graph = graph_of(TITLE, (BlockKind.CAPTION, "Systematic uncertainties."), table=table)
    assert facts(graph, "affects") == []
    assert [r.code for r in graph.rejections] == ["sources_in_columns"]


def test_method_estimates_source() -> None:
    text = (
        "The systematic uncertainty from the tracking efficiency is evaluated with the tag-and-probe method."
    )
    graph = graph_of(TITLE, (BlockKind.PARAGRAPH, text))
    assert [(a, b) for a, b, _ in facts(graph, "estimates")] == [("tag-and-probe", "tracking efficiency")]


def test_run_id_is_known_beforehand() -> None:
    made, extractor = document(TITLE), RuleExtractor()
    assert extract_document(made, PHYSICS, [extractor]).run_id == run_id(made, PHYSICS, [extractor])


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "piece", ["a", "B(", "B^0 → ", "1.0 ± ", "R_{K ", "systematic uncertainty ", "É\u0301𝓑ﬁ ", "varying the "]
)
def test_long_texts_take_bounded_time(piece: str) -> None:
    made = document(TITLE, (BlockKind.PARAGRAPH, (piece * 60_000)[:60_000]))
    extraction = RuleExtractor().extract(made, PHYSICS)
    assert extraction.extractor == "rules/7"


SHARED = Path(__file__).resolve().parents[2] / "../shared/data/corpus_physics_latex/tex"


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="the measuring data are not beside the checkout")
@pytest.mark.parametrize(
    ("paper", "decays", "determines", "affects"),
    [("1705.05802", 5, 2, 40), ("1906.08350", 5, 3, 20), ("2501.12611", 1, 0, 14)],
)
def test_lhcb_papers(paper: str, decays: int, determines: int, affects: int) -> None:
    read = read_document(SHARED / f"lhcb-{paper}.tex", root=SHARED)
    graph = extract_document(read, PHYSICS, [RuleExtractor()])
    assert sum(r.type == "decay" for r in graph.records) >= decays
    assert len(facts(graph, "determines")) >= determines
    assert len(facts(graph, "affects")) >= affects
