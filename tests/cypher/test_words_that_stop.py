"""Why words stop a question, and what each side of a comparison counts."""

from __future__ import annotations

from cypher.not_understood import stops
from cypher.service import QuestionService
from schemas.graph_schema import GraphSchema
from schemas.questions import Question


def test_a_word_of_english_is_not_said_to_be_a_name(particle_schema: GraphSchema) -> None:
    for word in ("sources", "MeV", "before", "but", "smallest", "no", "sort by"):
        said = stops([word], (), particle_schema)
        assert said == f"'{word}' is not understood here, and an answer that leaves it out would mislead."
    said = stops(["but zork", "GeV"], ("'Zork' (paper)",), particle_schema)
    assert said.startswith("'but', 'GeV' are not understood here. The graph knows nothing called 'zork',")
    assert said.endswith("Nearest names: 'Zork' (paper).")


def test_each_side_of_a_comparison_is_told(dry_service: QuestionService) -> None:
    text = "What is the ratio of the number of papers to the number of papers from 2012?"
    told = dry_service.ask(Question(text=text)).explanation
    assert told == "Compares the number of papers (ratio): all papers with papers (year is 2012)."
