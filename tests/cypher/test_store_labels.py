"""Questions to a store whose nodes carry several labels and whose flags are partly unknown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.softened import Part, Thesaurus
from cypher.semantics.values import ValueTable
from cypher.store_service import Looks, StoreQuestionService
from kg.adapters.neo4j_connection import Connection, connect
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.neo4j_server import Neo4jEndpoint
from kg.store_ties import store_ties
from schemas.questions import Answer, Outcome, Question
from tests.cypher.small_schemas import invented_graph

QUAYS = """
CREATE (ida:Person:Pilot {name: 'Ida Moss', town: 'Nore', born: 1960, sex: 'female',
                          tongues: ['fi', 'sv']}),
       (tor:Person:Stoker {name: 'Tor Reed', born: 1975, sex: 'male'}),
       (una:Person:Stoker {name: 'Una Park', born: 1988, sex: 'female'}),
       (max:Person:Pilot:Stoker {name: 'Max Bell'}),
       (per:Person {name: 'Per Aas', town: 'Kiel'}),
       (gull:Boat {name: 'Gull', launched: datetime('2021-03-04T10:00:00Z'), leaky: true}),
       (tern:Boat:Tug {name: 'Tern', launched: datetime('2019-11-30T08:00:00Z'), leaky: false, spares: 0}),
       (skua:Boat:Tug {name: 'Skua', spares: 4}),
       (kiel:Quay {name: 'Kiel'}), (nore:Quay {name: 'Nore'}),
       (:Pier {name: 'West'}), (:Pier {name: 'West'}), (:Pier {name: 'East'}),
       (ida)-[:STEERS]->(gull), (max)-[:STEERS]->(tern),
       (ida)-[:SAILED {until: 1999, paid: true}]->(skua), (una)-[:SAILED {paid: false}]->(skua),
       (ida)-[:SAILED {paid: true}]->(tern),
       (tor)-[:STOKES]->(gull), (una)-[:STOKES]->(gull),
       (ida)-[:TAUGHT]->(max), (max)-[:TAUGHT]->(una), (tor)-[:MARRIED_TO]->(una), (una)-[:TRUSTS]->(tor),
       (tern)-[:MOORED_AT {fee: 5}]->(kiel), (tern)-[:MOORED_AT {fee: 7}]->(kiel),
       (gull)-[:MOORED_AT {fee: 5}]->(nore)
"""


class People:
    """A thesaurus that knows what is somebody, and no near words."""

    def knows(self, word: str) -> bool:  # noqa: ARG002
        return False

    def nearness(self, word: str, other: str, part: Part, *, derived: bool) -> float:  # noqa: ARG002
        return 0.0

    def is_kind(self, word: str, kind: str) -> bool:
        kinds = {"person": "person", "pilot": "person", "stoker": "person", "boat": "artifact"}
        return kinds.get(word) == kind


@pytest.fixture(scope="module")
def connection(neo4j_endpoint: Neo4jEndpoint) -> Iterator[Connection]:
    found = neo4j_endpoint
    with connect(found.uri, found.username, found.password, database=found.database) as opened:
        opened.write(QUAYS)
        yield opened


@pytest.fixture(scope="module")
def service(connection: Connection, tmp_path_factory: pytest.TempPathFactory) -> StoreQuestionService:
    schema = infer_schema(connection)
    ties = store_ties(connection, schema, tmp_path_factory.mktemp("ties"), seconds=30.0)
    looks = Looks(30.0, ties=ties, telling=30.0)
    return StoreQuestionService(schema, read_values(connection, schema), Neo4jRunner(connection), looks=looks)


def rows(service: StoreQuestionService, text: str) -> set[object]:
    found = answered(service, text)
    assert found.outcome is Outcome.ANSWERED, (found.text, found.suggestions)
    return {row[0] for row in found.rows}


def answered(service: StoreQuestionService, text: str) -> Answer:
    """With time enough on a busy machine."""
    return service.ask(Question(text=text, timeout=60.0))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who steers the Gull?", {"Ida Moss"}),
        ("Who taught Max Bell?", {"Ida Moss"}),
        ("Who did Max Bell teach?", {"Una Park"}),
        ("Who trusts Tor Reed?", {"Una Park"}),
        ("Which stokers does Una Park trust?", {"Tor Reed"}),
        ("Which stokers trust Tor Reed?", {"Una Park"}),
        ("Which boats are tugs?", {"Tern", "Skua"}),
        ("Which tugs are moored at Kiel?", {"Tern"}),
        ("Which people are pilots?", {"Ida Moss", "Max Bell"}),
        ("Who lives in Kiel?", {"Per Aas"}),
        ("Which pilots live in Nore?", {"Ida Moss"}),
    ],
)
def test_labels_that_a_question_does_not_say_make_no_second_reading(
    service: StoreQuestionService, question: str, names: set[object]
) -> None:
    assert rows(service, question) == names


@pytest.mark.parametrize(
    "question", ["Who taught Ida Moss?", "Who did Una Park teach?", "Who does Tor Reed trust?"]
)
def test_what_has_an_answer_the_other_way_round_only_is_empty(
    service: StoreQuestionService, question: str
) -> None:
    found = answered(service, question)
    assert found.outcome is Outcome.EMPTY_BUT_VALID, found.text


def test_who_is_married_is_so_both_ways(service: StoreQuestionService) -> None:
    assert rows(service, "Who is Una Park married to?") == {"Tor Reed"}
    assert rows(service, "Who is Tor Reed married to?") == {"Una Park"}


def test_days_of_moments(service: StoreQuestionService) -> None:
    assert rows(service, "Which boats were launched in 2021?") == {"Gull"}
    assert rows(service, "Which boats were launched before 2020?") == {"Tern"}
    assert rows(service, "Which boats were launched on 4 March 2021?") == {"Gull"}


def test_of_what_a_flag_is_not_known_that_is_said(service: StoreQuestionService) -> None:
    found = answered(service, "Which boats are not leaky?")
    assert found.rows == (("Tern",),), found.text
    assert found.assumptions == (
        "Of some it is not known whether the boat's leaky is False; they are not among these.",
    )


def test_each_time_counts_and_not_each_place(service: StoreQuestionService) -> None:
    assert rows(service, "How often was Tern moored at Kiel?") == {2}
    assert rows(service, "How many times was Gull moored at Kiel?") == {0}
    most = answered(service, "Which boat was moored most often?")
    assert most.rows == (("Tern", 2),), most.text
    assert "number of times that boat MOORED_AT quay" in most.explanation


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which boats were moored at Kiel more than once?", {"Tern"}),
        ("Which boats were moored at least twice?", {"Tern"}),
        ("Which boats were moored at Nore exactly once?", {"Gull"}),
    ],
)
def test_so_many_times(service: StoreQuestionService, question: str, names: set[object]) -> None:
    assert rows(service, question) == names
    assert " times" in answered(service, question).explanation


def test_two_that_are_never_together_are_told_of_apart(service: StoreQuestionService) -> None:
    found = answered(service, "Which boats were moored at Kiel and Nore?")
    told = "Nothing matches all that is named together, so what matches each of it is listed."
    assert found.outcome is Outcome.ANSWERED
    assert told in found.assumptions
    both = answered(service, "Which boats were moored at both Kiel and Nore?")
    assert both.outcome is Outcome.EMPTY_BUT_VALID
    assert "the quay 1's name is 'Kiel'; the quay 2's name is 'Nore'" in both.text


def test_a_chain_is_not_read_as_its_end(service: StoreQuestionService) -> None:
    assert rows(service, "Who taught somebody who taught Una Park?") == {"Ida Moss"}
    found = answered(service, "Who taught somebody who taught Max Bell?")
    assert found.outcome is Outcome.EMPTY_BUT_VALID, found.text


def test_whether_something_mutual_holds_is_one_question(service: StoreQuestionService) -> None:
    for name, told in (("Tor Reed", True), ("Una Park", True), ("Max Bell", False)):
        assert answered(service, f"Is {name} married?").rows == ((told,),)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who sailed on the Skua?", {"Ida Moss", "Una Park"}),
        ("Which women sailed on the Skua?", {"Ida Moss", "Una Park"}),
        ("Which men are stokers?", {"Tor Reed"}),
        ("How many women are stokers?", {1}),
        ("How many tongues does Ida Moss have?", {2}),
    ],
)
def test_men_and_women_and_lists(service: StoreQuestionService, question: str, names: set[object]) -> None:
    assert rows(service, question) == names


def test_a_name_with_a_man_in_it_is_no_man() -> None:
    schema, stored = invented_graph("""
        Person: name
        Film: title
        (Person)-[ACTED_IN 9]->(Film)

        Person.name: Ann Moor
        Film.title: A Few Good Men | Girl
    """)
    reader = SemanticReader(schema, ValueTable(stored))
    for question in ("Who acted in A Few Good Men?", "who acted in a few good men?", "Who acted in Girl?"):
        assert reader.read(question).linked.unexplained == (), question
    assert reader.read("Which women acted in Girl?").linked.unexplained == ("women",)


def test_what_goes_on_and_what_is_over(service: StoreQuestionService) -> None:
    assert rows(service, "Who previously sailed on the Skua?") == {"Ida Moss"}
    now = answered(service, "Which people have currently sailed on the Skua?")
    assert {row[0] for row in now.rows} == {"Una Park"}
    assert "the SAILED's until is not known" in now.explanation
    none = answered(service, "Who previously steered the Gull?")
    assert (none.outcome, "'previously'" in none.text) == (Outcome.UNANSWERABLE, True), none.text


def test_narrower_labels_are_no_bridge(service: StoreQuestionService) -> None:
    found = answered(service, "Which stokers does Ida Moss have?")
    assert "TAUGHT" not in found.cypher
    assert "TRUSTS" not in found.cypher


def test_two_of_one_name_are_told_of(service: StoreQuestionService) -> None:
    assert answered(service, "List all piers.").assumptions == (
        "Several have the same name; each name is listed once.",
    )
    assert answered(service, "List all quays.").assumptions == ()


def test_nobody_is_no_person(service: StoreQuestionService) -> None:
    assert rows(service, "Which boats were steered by nobody?") == {"Skua"}


def test_what_nothing_does_both_of_is_said(service: StoreQuestionService) -> None:
    found = answered(service, "Which people steer a boat and stoke a boat?")
    assert found.outcome is Outcome.EMPTY_BUT_VALID, found.text
    assert found.text.endswith(
        "The graph has person STEERS boat and person STOKES boat, but nothing for which all of it is so."
    )


def test_who_asks_for_somebody(connection: Connection) -> None:
    schema = infer_schema(connection)
    known: Thesaurus = People()
    service = StoreQuestionService(
        schema, read_values(connection, schema), Neo4jRunner(connection), looks=Looks(30.0), thesaurus=known
    )
    assert rows(service, "Who stokes with Tor Reed?") == {"Una Park"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which pilots are also stokers?", {"Max Bell"}),
        ("Who is both a pilot and a stoker?", {"Max Bell"}),
        ("Which pilots aren't stokers?", {"Ida Moss"}),
        ("Which people are neither pilots nor stokers?", {"Per Aas"}),
        ("Who is a stoker but not a pilot?", {"Tor Reed", "Una Park"}),
        ("Which people who are not pilots stoke Gull?", {"Tor Reed", "Una Park"}),
        ("How many people are pilots or stokers?", {4}),
        ("How many of the stokers are pilots?", {1}),
        ("How many boats are pilots?", None),
        ("Is Max Bell a pilot?", {True}),
        ("Is Per Aas a pilot or a stoker?", {False}),
        ("Is Tor Reed not a pilot?", {True}),
        ("Which stokers are married?", {"Tor Reed", "Una Park"}),
    ],
)
def test_labels_are_conditions(
    service: StoreQuestionService, text: str, expected: set[object] | None
) -> None:
    if expected is None:
        assert answered(service, text).outcome is not Outcome.ANSWERED
    else:
        assert rows(service, text) == expected


def test_a_label_that_nothing_has_beside_another_leaves_nothing(service: StoreQuestionService) -> None:
    found = answered(service, "Which tugs are not boats?")
    assert found.outcome is Outcome.EMPTY_BUT_VALID
    assert found.explanation == "Tug, where tug is not a boat."


def test_what_follows_a_label_by_a_preposition_is_no_condition_on_it(service: StoreQuestionService) -> None:
    found = answered(service, "Which people are pilots of Gull?")
    assert {row[0] for row in found.rows} == {"Ida Moss"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who is older, Ida Moss or Tor Reed?", {"Ida Moss"}),
        ("Who is younger: Tor Reed or Una Park?", {"Una Park"}),
        ("Which of Ida Moss and Una Park is younger?", {"Una Park"}),
        ("Of Ida Moss, Tor Reed and Una Park, who is the youngest?", {"Una Park"}),
        ("Which stoker is older, Tor Reed or Una Park?", {"Tor Reed"}),
        ("Who has sailed more boats, Ida Moss or Una Park?", {"Ida Moss"}),
        ("Which boats are moored at Kiel but not at Nore?", {"Tern"}),
        ("Which boats are moored at Kiel or Nore but not at Kiel?", {"Gull"}),
        ("Which boats are moored at neither Kiel nor Nore?", {"Skua"}),
        ("Which people have sailed Skua but not Tern?", {"Una Park"}),
        ("Which women have sailed neither Gull nor Tern?", {"Una Park"}),
        ("Who has sailed only Skua?", {"Una Park"}),
        ("Which boats has only Ida Moss sailed?", {"Tern"}),
        ("Which pilots are men?", set()),
        ("Which stokers are women?", {"Una Park"}),
    ],
)
def test_of_two_the_one_and_not_the_other(
    service: StoreQuestionService, text: str, expected: set[object]
) -> None:
    found = answered(service, text)
    assert found.outcome is (Outcome.ANSWERED if expected else Outcome.EMPTY_BUT_VALID), found.text
    assert {row[0] for row in found.rows} == expected


def test_a_lost_only_is_refused(service: StoreQuestionService) -> None:
    assert answered(service, "Which boats are only moored where Tern is?").outcome is Outcome.UNANSWERABLE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Who is older, Ida Moss or Max Bell?", "The graph has no 'born' for Max Bell."),
        ("Is Ida Moss older than Max Bell?", "The graph has no 'born' for Max Bell."),
        ("Is Skua leaky?", "The graph has no 'leaky' for Skua."),
    ],
)
def test_no_is_not_said_of_what_is_not_known(service: StoreQuestionService, text: str, said: str) -> None:
    found = answered(service, text)
    assert found.outcome is Outcome.EMPTY_BUT_VALID
    assert found.text == f"That is not known. {said}"
    assert found.rows == ()


def test_no_is_said_of_what_is_known(service: StoreQuestionService) -> None:
    assert rows(service, "Is Tern leaky?") == {False}
    assert rows(service, "Is Una Park older than Tor Reed?") == {False}
    assert rows(service, "Does Tor Reed steer Gull?") == {False}


def test_what_is_counted_once_though_it_is_there_twice_is_told(service: StoreQuestionService) -> None:
    twice = answered(service, "How many quays is Tern moored at?")
    assert twice.rows == ((1,),)
    said = "Each is counted once, though some have MOORED_AT more than once: by that it would be 2."
    assert said in twice.assumptions
    once = answered(service, "How many quays is Gull moored at?")
    assert not [x for x in once.assumptions if x.startswith("Each is counted once")]


@pytest.mark.parametrize(
    "text",
    [
        "How many quays is each boat moored at?",
        "Which boat is moored at the most quays?",
        "Which boats are moored at at least 2 quays?",
    ],
)
def test_counts_of_each_and_of_the_most_tell_it_too(service: StoreQuestionService, text: str) -> None:
    found = answered(service, text)
    assert ("Tern", 2) not in found.rows
    told = [x for x in found.assumptions if x.startswith("Each is counted once")]
    assert len(told) == 1
    assert "by that it would be Tern 2" in told[0]
