"""Cue-phrase rules: sources in running text, headings and lists, what they bear on, and other schemas."""

from __future__ import annotations

from extraction.extract import extract_document
from extraction.rules import RuleExtractor
from schemas.documents import Block, BlockKind, Document, DocumentKind, Section, SourceMap
from schemas.graph_schema import GraphSchema
from schemas.graphs import DocumentGraph
from schemas.ids import DocumentKey
from schemas.schema_files import load_schema, parse_schema

PHYSICS = load_schema("particle_physics")
VALUE = (
    "The mean life of the B^0_s meson is measured to be τ(B^0_s) = 1.512 ± 0.021 (stat) ± 0.013 (syst) ps."
)
TREE = (("", None), ("Systematic uncertainties", 0), ("Own section", 1), ("Cross-checks", 1), ("Inner", 3))
POTTERY = """
name: pottery
version: "1.0"
entities:
  - {name: flaw, label: Flaw}
relations: []
rules:
  - kind: cue_phrase
    type: flaw
    cues: ['cracked because of']
    reject: ['^bad luck']
"""


def graph_of(*blocks: tuple[BlockKind, int, str], schema: GraphSchema = PHYSICS) -> DocumentGraph:
    text, parts = "", []
    for kind, section, content in blocks:
        end = len(text) + len(content)
        parts.append(Block(kind=kind, start=len(text), end=end, text=content, section=section))
        text += content + "\n\n"
    document = Document(
        key=DocumentKey("k"),
        kind=DocumentKind.TEXT,
        title="",
        text=text,
        sections=tuple(
            Section(index=i, parent=p, level=0 if p is None else 1, title=t, start=0, end=len(text))
            for i, (t, p) in enumerate(TREE)
        ),
        blocks=tuple(parts),
        source_map=SourceMap(files=("a",), offsets=(0,), file_of=(0,), lines=(1,)),
    )
    graph = extract_document(document, schema, [RuleExtractor()])
    for item in (*graph.records, *graph.statements):
        assert all(text[e.start : e.end] == e.quote for e in item.evidence)
    return graph


def sources(*sentences: str) -> set[str]:
    graph = graph_of((BlockKind.PARAGRAPH, 0, " ".join(sentences)))
    return {r.name for r in graph.records if r.type == "uncertainty_source"}


def affects(graph: DocumentGraph) -> list[tuple[str, str, dict[str, object]]]:
    names = {r.id: r.name for r in graph.records}
    return [
        (names[s.subject], names[s.object], dict(s.attributes))
        for s in graph.statements
        if s.type == "affects"
    ]


def test_a_source_that_no_gazetteer_knows() -> None:
    assert sources("A systematic uncertainty due to the ageing of the mirrors is assigned.") == {
        "ageing of the mirrors"
    }


def test_an_enumeration_of_sources() -> None:
    said = "The sources of systematic uncertainty are the mirror ageing, the gas purity and the beam angle."
    assert sources(said) == {"mirror ageing", "gas purity", "beam angle"}


def test_a_source_before_the_cue() -> None:
    assert sources("The gas purity is a source of systematic uncertainty.") == {"gas purity"}


def test_a_known_source_has_its_canonical_name() -> None:
    assert sources("Systematic uncertainties arise from the choice of the fit model.") == {"fit model"}


def test_what_is_no_source() -> None:
    assert sources("A systematic uncertainty due to this effect is assigned.") == set()
    assert sources("The systematic uncertainty associated with these is small.") == set()
    assert sources("The sources of systematic uncertainty are substantially reduced.") == set()
    assert sources("The delay due to the train is small.") == set()


def test_headings_and_heads_of_items_below_a_heading_on_uncertainties() -> None:
    graph = graph_of(
        (BlockKind.HEADING, 1, "Systematic uncertainties"),
        (BlockKind.PARAGRAPH, 1, "The following sources are considered:"),
        (BlockKind.LIST_ITEM, 1, "Mirror ageing: the mirrors are replaced."),
        (BlockKind.LIST_ITEM, 1, "the gas purity, for both years;"),
        (BlockKind.HEADING, 2, "Beam crossing angle"),
        (BlockKind.PARAGRAPH, 2, "Drift speed. It is varied."),
        (BlockKind.HEADING, 3, "Cross-checks"),
        (BlockKind.HEADING, 4, "Polarity of the magnet"),
    )
    assert {r.name for r in graph.records if r.type == "uncertainty_source"} == {
        "Mirror ageing",
        "gas purity",
        "Beam crossing angle",
        "Drift speed",
    }


def test_items_of_another_list_are_no_sources() -> None:
    graph = graph_of(
        (BlockKind.PARAGRAPH, 1, "Systematic uncertainties are large. The alternative models are:"),
        (BlockKind.LIST_ITEM, 1, "a cubic spline;"),
    )
    assert not [r for r in graph.records if r.type == "uncertainty_source"]


def test_a_source_affects_the_only_observable_with_the_size_that_is_given() -> None:
    said = "The systematic uncertainty due to the mirror ageing is 0.3%."
    graph = graph_of((BlockKind.ABSTRACT, 0, VALUE), (BlockKind.PARAGRAPH, 0, said))
    ((source, observable, values),) = affects(graph)
    assert (source, observable) == ("mirror ageing", "B_s0 mean life")
    assert (values["magnitude"], values["unit"]) == (0.3, "%")
    assert max(s.confidence for s in graph.statements if s.type == "affects") < 0.5


def test_a_range_of_variation_is_no_size() -> None:
    said = "The uncertainty due to the mirror ageing is found when the gain is varied by 5%."
    graph = graph_of((BlockKind.ABSTRACT, 0, VALUE), (BlockKind.PARAGRAPH, 0, said))
    ((_, _, values),) = affects(graph)
    assert "magnitude" not in values


def test_with_two_observables_the_sentence_must_name_one() -> None:
    other = "The mean life of the Λ_b^0 baryon is measured to be τ(Λ_b^0) = 1.47 ± 0.02 ± 0.01 ps."
    said = "The systematic uncertainty due to the mirror ageing is small."
    blocks = [(BlockKind.ABSTRACT, 0, f"{VALUE} {other}"), (BlockKind.PARAGRAPH, 0, said)]
    assert affects(graph_of(*blocks)) == []


def test_a_method_in_the_next_sentence_estimates_the_source() -> None:
    said = (
        "A systematic uncertainty arises from the mirror ageing. "
        "This uncertainty is evaluated with pseudoexperiments."
    )
    graph = graph_of((BlockKind.PARAGRAPH, 0, said))
    names = {r.id: r.name for r in graph.records}
    found = [s for s in graph.statements if s.type == "estimates"]
    assert [(names[s.subject], names[s.object]) for s in found] == [("pseudoexperiments", "mirror ageing")]
    assert len(found[0].evidence) == 2


def test_another_schema_names_what_it_likes() -> None:
    schema = parse_schema(POTTERY, file="pottery.yaml")
    said = "The vase cracked because of the hot glaze. The cup cracked because of bad luck."
    graph = graph_of((BlockKind.PARAGRAPH, 0, said), schema=schema)
    assert [r.name for r in graph.records] == ["hot glaze"]
