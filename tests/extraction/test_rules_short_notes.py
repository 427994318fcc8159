"""Short notes in Markdown: what is an input, what is a result, and tables that a sentence introduces."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.extract import extract_document
from extraction.readers.registry import read_document
from extraction.rules import RuleExtractor
from schemas.graphs import DocumentGraph
from schemas.schema_files import load_schema

PHYSICS = load_schema("particle_physics")
VALUE = r"$\Delta m_s = 17.757 \pm 0.021$ ps$^{-1}$"


def graph_of(folder: Path, text: str, name: str = "note.md") -> DocumentGraph:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return extract_document(read_document(path, root=folder), PHYSICS, [RuleExtractor()])


def determined(graph: DocumentGraph) -> list[tuple[str, object, object]]:
    names = {r.id: r.name for r in graph.records}
    found = [s for s in graph.statements if s.type == "determines"]
    return [(names[s.object], s.attributes.get("value"), s.attributes.get("unit")) for s in found]


@pytest.mark.parametrize("heading", ["## Results", "## Abstract", "## Inputs"])
@pytest.mark.parametrize(
    "sentence",
    [
        f"The mass difference {VALUE} is an input.",
        f"The mass difference {VALUE} is one of the inputs.",
        f"The mass difference {VALUE} enters the fit as a constraint.",
        f"We take {VALUE} as input to the fit.",
        f"As input we use {VALUE}.",
        f"The inputs to the fit are {VALUE} and others.",
        f"The mass difference {VALUE} is taken from the literature.",
        f"The mass difference {VALUE}, taken from earlier work, enters the fit.",
        r"The mass difference $\Delta m_s$ is fixed to $17.757 \pm 0.021$ ps$^{-1}$.",
        f"The mass difference {VALUE} is kept fixed.",
        f"The external value {VALUE} is needed.",
        f"The external {VALUE} constrains the fit.",
        f"Gaussian constraints are applied: {VALUE}.",
    ],
)
def test_an_input_is_no_determination(tmp_path: Path, heading: str, sentence: str) -> None:
    graph = graph_of(tmp_path, f"# A note\n\n{heading}\n\n{sentence}\n")
    assert not determined(graph)
    assert {r.code for r in graph.rejections} == {"not_own_result"}


@pytest.mark.parametrize(
    "sentence",
    [
        f"We measure {VALUE}, which is an input to fits of the unitarity triangle.",
        f"With the width fixed to 0.66 ps$^{{-1}}$, we find {VALUE}.",
        f"Using external inputs, we measure {VALUE}.",
        f"The result is {VALUE}, where the last error is from external inputs.",
    ],
)
def test_a_result_beside_inputs_is_one(tmp_path: Path, sentence: str) -> None:
    graph = graph_of(tmp_path, f"# A note\n\n## Results\n\n{sentence}\n")
    assert determined(graph) == [("Delta m_s", 17.757, "ps^-1")]


@pytest.mark.parametrize("body", ["{}", "## Charm\n\n{}", "- {}"])
@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        (
            r"The mass of the D0 meson is $m(D^0) = 1864.75 ± 0.12 ± 0.04$ MeV.",
            ("D0 mass", 1864.75, "MeV"),
        ),
        (r"The lifetime of the $B_s^0$ meson is 1.516 ± 0.006 ps.", ("B_s0 mean life", 1.516, "ps")),
        (
            r"The lifetime of the $B_s^0$ meson is $1.516 \pm 0.006$ ps, where the error is statistical.",
            ("B_s0 mean life", 1.516, "ps"),
        ),
        (f"{VALUE}.", ("Delta m_s", 17.757, "ps^-1")),
    ],
)
def test_what_a_short_note_states_plainly_is_its_result(
    tmp_path: Path, body: str, sentence: str, found: tuple[str, float, str]
) -> None:
    assert determined(graph_of(tmp_path, "# A note\n\n" + body.format(sentence))) == [found]


@pytest.mark.parametrize(
    "body",
    [
        "The lifetime of the $B_s^0$ meson is 1.516 ± 0.006 ps [12].",
        "The known lifetime of the $B_s^0$ meson is 1.516 ± 0.006 ps.",
        "The lifetime of the $B_s^0$ meson in the simulation is 1.516 ± 0.006 ps.",
        "The lifetime of the $B_s^0$ meson is 1.516 ± 0.006 ps in that model.",
        "We use a lifetime of the $B_s^0$ meson of 1.516 ± 0.006 ps.",
        "The external lifetime of the $B_s^0$ meson is 1.516 ± 0.006 ps.",
        "## Introduction\n\nThe lifetime of the $B_s^0$ meson is 1.516 ± 0.006 ps.",
        "## Setup\n\nThe lifetime of the $B_s^0$ meson is 1.516 ± 0.006 ps.\n\n## Results\n\nNone.",
        "## Abstract\n\nA note.\n\n## Setup\n\nThe lifetime of the $B_s^0$ meson is 1.516 ± 0.006 ps.",
    ],
)
def test_a_plain_statement_that_may_be_anothers_is_none(tmp_path: Path, body: str) -> None:
    graph = graph_of(tmp_path, f"# A note\n\n{body}\n")
    assert not determined(graph)
    assert {r.code for r in graph.rejections} == {"not_own_result"}


TABLE = """| Source | Value [ps$^{-1}$] |
|---|---|
| Length scale | 0.0060 |
| Mass fit model | 0.0009 |
| Total | 0.0061 |
"""


def affecting(graph: DocumentGraph) -> set[tuple[str, str, object]]:
    names = {r.id: r.name for r in graph.records}
    found = [s for s in graph.statements if s.type == "affects"]
    return {(names[s.subject], names[s.object], s.attributes["magnitude"]) for s in found}


@pytest.mark.parametrize(
    "before",
    [
        "Systematic uncertainties on $\\Delta m_d$:\n\n",
        "Systematic uncertainties on $\\Delta m_d$:\n",
        "**Systematic uncertainties on $\\Delta m_d$**\n\n",
        "The fit is stable. The systematic uncertainties on $\\Delta m_d$ are listed below.\n\n",
        "## Systematic uncertainties on $\\Delta m_d$\n\n",
        "We find $\\Delta m_d = 0.51 \\pm 0.01$ ps$^{-1}$.\n\n## Systematic uncertainties\n\n",
        "We find $\\Delta m_d = 0.51 \\pm 0.01$ ps$^{-1}$.\n\n## Systematic uncertainties\n\nThey are:\n\n",
    ],
)
def test_a_sentence_or_heading_stands_for_a_tables_caption(tmp_path: Path, before: str) -> None:
    graph = graph_of(tmp_path, f"# A note\n\n{before}{TABLE}")
    assert affecting(graph) == {
        ("length scale", "Delta m_d", 0.006),
        ("mass fit model", "Delta m_d", 0.0009),
    }


@pytest.mark.parametrize(
    "before",
    [
        "The systematic uncertainties on $\\Delta m_d$ are discussed elsewhere.\n\n",
        "Without systematic uncertainties on $\\Delta m_d$ the values are:\n\n",
        "Systematic uncertainties on $\\Delta m_d$ follow.\n\n## Yields\n\n",
        "## Systematic uncertainties on $\\Delta m_d$\n\nThe requirements of the selection are:\n\n",
        "## Yields and systematic uncertainties on $\\Delta m_d$\n\n",
    ],
)
def test_another_sentence_before_a_table_makes_it_none_of_uncertainties(tmp_path: Path, before: str) -> None:
    assert not affecting(graph_of(tmp_path, f"# A note\n\n{before}{TABLE}"))


def test_a_table_of_uncertainties_on_nothing_known_is_counted(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, f"# A note\n\n## Systematic uncertainties\n\n{TABLE}")
    assert [r.code for r in graph.rejections] == ["no_target", "no_target"]


def test_the_source_of_a_mass_fit_keeps_its_first_word(tmp_path: Path) -> None:
    table = (
        "| Source of systematic uncertainty | Δm_d |\n|---|---|\n| Mass fit model | 2 |\n| Fit model | 1 |\n"
    )
    assert affecting(graph_of(tmp_path, f"# A note\n\n{table}")) == {
        ("mass fit model", "Delta m_d", 2.0),
        ("fit model", "Delta m_d", 1.0),
    }


def test_names_that_look_alike_are_one_source(tmp_path: Path) -> None:
    head = "| Source of systematic uncertainty | Δm_d |\n|---|---|\n"
    rows = "".join(
        f"| {n} | {i} |\n"
        for i, n in enumerate(["Gas purity", "G\u0430s purity", "Gas\u200b \u202epurity"], 1)
    )
    graph = graph_of(tmp_path, f"# A note\n\n{head}{rows}")
    [source] = [r for r in graph.records if r.type == "uncertainty_source"]
    assert (source.name, source.aliases) == ("Gas purity", ())
    assert len([s for s in graph.statements if s.type == "affects"]) == 3
