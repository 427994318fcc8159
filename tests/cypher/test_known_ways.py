"""Questions taken for the nearest known way of asking, and those that are not."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.service import QuestionService
from cypher.understanding import QuestionReader
from cypher.ways.decisive import decisive
from cypher.ways.masked import Masked, masked
from cypher.ways.nearest import KnownWays
from kg.workspace import Workspace
from schemas.errors import SchemaError
from schemas.graph_schema import GraphSchema
from schemas.questions import Answer, Outcome, Question
from schemas.ways import SLOT, Way, Ways, catalog_ways, parse_ways
from tests.cypher.conftest import BoltRunner, Graph, MemoryIndex

LISTINGS = catalog_ways("particle_physics")
NAMES = {
    "Q": ("Delta m_s", "phi_s"),
    "E": ("LHCb", "CDF", "CMS"),
    "P": ("B_s0", "J/psi(1S)", "phi(1020)"),
    "R": ("1100003",),
    "Y": ("2013", "2019"),
    "V": ("1.5 ps", "1.6 ps"),
    "N": ("20",),
}
READ = {Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID}
SMALL = parse_ways(
    """
Q: observable
E: paper.experiment

= Which papers measured the {Q}?
articles with a determination of the {Q}
where can a value of {Q} be found
= How many papers measured the {Q}?
size of the literature on the {Q}
count the articles on {Q}
= Which experiments measured the {Q} but not the {Q2}?
experiments that have a {Q} and lack a {Q2}
= Which experiments measured both the {Q} and the {Q2}?
who did {Q} together with {Q2}
"""
)


def of_listings(text: str) -> frozenset[str]:
    return decisive(text, LISTINGS.decisive)


SHIPS = """
name: ships
version: "1.0"
entities:
  - {name: ship, label: Ship}
  - {name: port, label: Port}
relations:
  - {name: calls_at, subjects: [ship], objects: [port]}
"""


def filled(text: str) -> str:
    return SLOT.sub(lambda m: NAMES[m[1]][int(m[2] or 1) - 1], text)


@pytest.fixture(scope="module")
def service(bolt_runner: BoltRunner, small_graph: Graph, particle_schema: GraphSchema) -> QuestionService:
    index = MemoryIndex(small_graph, particle_schema)
    return QuestionService(index, index, bolt_runner, index)


def ask(service: QuestionService, text: str) -> Answer:
    return service.ask(Question(text=text, use_llm=False))


def test_a_number_is_never_left_out() -> None:
    ways = KnownWays(LISTINGS)
    found = [
        ways.nearest((Masked(f"Which decays have {number} {{P}} among the products?", {"{P}": "muons"}),))
        for number in ("two", "seven")
    ]
    assert [(n.left, n.sure) for n in found if n] == [((), False)] * 2
    assert [n.strange for n in found if n] == [("two",), ("seven",)]


def test_every_known_way_names_what_its_question_names_and_is_said_once() -> None:
    assert len(LISTINGS.ways) > 3_200
    for asked, ways in itertools.groupby(LISTINGS.ways, key=lambda w: w.asked):
        said = [w.said for w in ways]
        assert said[0] == asked
        assert len(said) == len(set(said))
        assert len(said) > 5


def test_the_questions_of_the_listings_are_read_as_they_stand(service: QuestionService) -> None:
    """What a wording is taken for has to be understood; a few name what the small graph has not."""
    asked = dict.fromkeys(w.asked for w in LISTINGS.ways)
    unread = [q for q in asked if ask(service, filled(q)).outcome not in READ]
    assert len(unread) < len(asked) / 10, unread


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("the listings of phi_s comprise how many values", "How many measurements of the phi_s are there?"),
        (
            "what did LHCb get for Delta m_s, please all values",
            "What values of the Delta m_s did LHCb obtain?",
        ),
        (
            "give me the mean value from all measurements of Delta m_s",
            "What is the mean of all measurements of the Delta m_s?",
        ),
        ("find the years that saw phi_s articles", "In which years were papers on the phi_s published?"),
    ],
)
def test_a_wording_that_no_rule_reads_is_taken_for_a_known_one(
    service: QuestionService, text: str, meant: str
) -> None:
    answer = ask(service, text)
    read = [a for a in answer.assumptions if a.startswith("Read as: ")]
    assert answer.outcome in READ
    assert read[-1].partition(" (left out")[0] == f"Read as: {meant}"
    assert answer.rows == ask(service, meant).rows


@pytest.mark.parametrize(
    "text",
    [
        "Which lattice papers measured the phi_s?",
        "Which papers will measure phi_s next year?",
        "Which authors of LHCb measured phi_s?",
        "How many citations do papers on phi_s have?",
        "Which papers measured phi_s with a Tuesday deadline?",
        "Who wrote the paper 1100003?",
        "Which papers measured phi_s in proton-lead collisions?",
    ],
)
def test_a_word_of_its_own_may_be_a_condition_and_is_not_passed_over(
    service: QuestionService, text: str
) -> None:
    answer = ask(service, text)
    assert answer.outcome not in READ or not any("Read as" in a for a in answer.assumptions)


@pytest.mark.parametrize(
    ("said", "asked", "sure"),
    [
        ("articles with values of the {Q}", "Which papers measured the {Q}?", True),
        ("count articles with values of the {Q}", "How many papers measured the {Q}?", False),
        ("articles with a determination of the {Q} by lattice", "Which papers measured the {Q}?", False),
        ("articles without a determination of the {Q}", "Which papers measured the {Q}?", False),
        (
            "experiments that have a {Q2} and lack a {Q}",
            "Which experiments measured the {Q2} but not the {Q}?",
            False,
        ),
    ],
)
def test_near_is_not_enough_where_words_decide_otherwise(said: str, asked: str, sure: bool) -> None:
    ways = KnownWays(SMALL)
    names = {"{Q}": "{Q}", "{Q2}": "{Q2}"}
    turned = said.replace("{Q2}", "#").replace("{Q}", "{Q2}").replace("#", "{Q}")
    variants = [Masked(said, names)]
    if "{Q2}" in said:
        variants.append(Masked(turned, {"{Q}": "{Q2}", "{Q2}": "{Q}"}))
    found = ways.nearest(variants)
    assert found is not None
    assert (found.asked, found.sure) == (asked, sure)


def test_a_schema_without_ways_has_no_nearest() -> None:
    assert KnownWays(Ways()).nearest([Masked("which {Q}", {"{Q}": "x"})]) is None
    assert catalog_ways("logbook") == Ways()


def test_what_is_named_is_masked_in_every_order_and_comes_back(
    service: QuestionService, small_graph: Graph, particle_schema: GraphSchema
) -> None:
    text = "Which of LHCb's papers since 2013 with Delta m_s, not phi_s, are above 17 ps or below 3?"
    reader = QuestionReader(MemoryIndex(small_graph, particle_schema))
    linker = reader._linker(text, particle_schema, service._vocabulary.get(particle_schema))
    found = list(masked(text, linker, LISTINGS.kinds))
    assert {m.text for m in found} == {
        "Which of {E}'s papers since {Y} with {Q}, not {Q2}, are above {V} or below {N}?",
        "Which of {E}'s papers since {Y} with {Q2}, not {Q}, are above {V} or below {N}?",
    }
    for one in found:
        assert SLOT.sub(lambda m, one=one: one.named[m[0]], one.text) == text  # type: ignore[misc]


@given(st.sampled_from(LISTINGS.ways), st.integers(0, 3))
def test_decisive_words_do_not_hang_on_capitals_or_courtesies(way: Way, blanks: int) -> None:
    said = of_listings(way.said)
    assert said == of_listings(way.said.upper())
    assert said == of_listings(way.said + " " * blanks)
    assert "not" in of_listings(f"{way.said} without {{Q}}")


@pytest.mark.parametrize(
    "text", ["Q: observable\n= Who has {Q}?\nwho has it", "Q: observable\n= Who has {Q}?\n{Q} and {Q2}"]
)
def test_a_wording_names_the_same_as_its_question(text: str) -> None:
    with pytest.raises(SchemaError, match=r"expected the letters of"):
        parse_ways(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Q: observable\nwho has {Q}", "a question behind '='"),
        ("= Who has {Q}?", "letters that the file explains, found Q"),
    ],
)
def test_a_file_of_ways_is_told_what_it_lacks(text: str, found: str) -> None:
    with pytest.raises(SchemaError, match=rf"^ships.ways:\d: expected {found}"):
        parse_ways(text, "ships.ways")


def test_ways_of_ones_own_stand_beside_the_schema(tmp_path: Path) -> None:
    (tmp_path / "ships.yaml").write_text(SHIPS, encoding="utf-8")
    workspace = Workspace.create(tmp_path, schema="ships.yaml")
    assert workspace.ways == Ways()
    (tmp_path / "ships.ways").write_text(
        "P: port\n\n= Which ships call at {P}?\nwho ties up in {P}\n", "utf-8"
    )
    ways = Workspace(tmp_path).ways
    assert [w.said for w in ways.ways] == ["Which ships call at {P}?", "who ties up in {P}"]
    (tmp_path / "ships.ways").write_bytes(b"\xff\xfe = ")
    with pytest.raises(SchemaError, match="ways of asking as UTF-8 text"):
        _ = Workspace(tmp_path).ways
    assert Workspace.create(tmp_path / "physics", schema="particle_physics").ways == LISTINGS


def test_ways_of_ones_own_are_read(
    small_graph: Graph, particle_schema: GraphSchema, bolt_runner: BoltRunner
) -> None:
    index = MemoryIndex(small_graph, particle_schema)
    own = parse_ways("Q: observable\n\n= Which papers measured the {Q}?\nwho had a stab at {Q}\n")
    ours = QuestionService(index, index, bolt_runner, index, ways=own)
    theirs = QuestionService(index, index, bolt_runner, index)
    said = "who had a stab at Delta m_s"
    assert ask(theirs, said).outcome is Outcome.UNANSWERABLE
    assert ask(ours, said).rows == ask(theirs, "Which papers measured the Delta m_s?").rows


@pytest.mark.parametrize(
    "text",
    [
        "какие статьи измеряют {Q}",
        "ما هي قيم {Q}",
        "welche Artikel messen {Q}",
        "Plot the values of {Q}",
        "papers on {Q} that appeared after {Y} or should have appeared",
    ],
)
def test_other_languages_and_other_wishes_are_no_known_way(text: str) -> None:
    letters = {m[0]: m[0] for m in SLOT.finditer(text)}
    nearest = KnownWays(LISTINGS).nearest([Masked(text, letters)])
    assert nearest is None or not nearest.sure


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("papers since 2018", "papers after 2018"),
        ("papers before 2018", "papers until 2018"),
        ("values above 3", "values of at least 3"),
        ("experiments that measured it", "experiments that should have measured it"),
        ("papers on it", "papers on it and what they found"),
    ],
)
def test_small_words_decide(one: str, other: str) -> None:
    assert of_listings(one) != of_listings(other)


@pytest.mark.parametrize(
    "said", ["papers", "publications", "experiment", "observables", "decay modes", "pdg"]
)
def test_words_for_what_a_graph_holds_decide_where_its_file_of_ways_says_so(said: str) -> None:
    assert of_listings(said)
    assert decisive(said) == frozenset()


def test_a_file_of_ways_says_which_words_decide() -> None:
    ways = parse_ways("P: port\n! ship: ship*, Sailing boat*\n\n= Which ships call at {P}?\nwho is in {P}\n")
    assert [(d.name, d.words) for d in ways.decisive] == [("ship", ("ship*", "sailing boat*"))]
    assert decisive("which sailing boats are in {P}", ways.decisive) == {"ship"}
    assert decisive("worship in {P}", ways.decisive) == frozenset()
    assert decisive("ships that would call at {P}", ways.decisive) == {"ship"}
    assert decisive("ships would call at {P}", ways.decisive) == {"ship", "supposed"}
    with pytest.raises(SchemaError, match=r"^ships.ways:3: expected the letters of"):
        parse_ways("P: port\n= Which ships call at {P}?\n! ship: ship*", "ships.ways")


def test_words_that_a_file_of_ways_keeps_apart_are_not_taken_for_one_another() -> None:
    text = "P: port\n{}= Which ships call at {{P}}?\nwho puts in at {{P}}\nlist what puts in at {{P}}\n"
    said = Masked("list cargo that puts in at {P}", {"{P}": "Genoa"})
    one, other = (KnownWays(parse_ways(text.format(x))).nearest([said]) for x in ("", "! cargo: cargo*\n"))
    assert one is not None
    assert one.decided
    assert other is not None
    assert not other.decided
