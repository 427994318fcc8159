"""What questions with their queries teach of a graph's words, and how it ranks readings."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import linear_model
from sklearn.linear_model import LogisticRegression

from cypher.evaluation.queries import names_in
from cypher.examples import Example, named_in, taught
from cypher.semantics.compose import Candidate
from cypher.semantics.evidence import (
    EXPECTED,
    NAME,
    REPEATS,
    SURE,
    Evidence,
    elements,
    elements_of,
    learn,
    masked,
    spelled,
)
from cypher.semantics.reader import SemanticReader
from schemas.errors import QueryRefusedError
from tests.cypher.test_chart_two_ends import READER as SIGNALS
from tests.cypher.test_spoken_wordings import FILMS, NAMES, READER

DOERS = ("Ada Berg", "Olaf Lind")


def _taught(question: str, relation: str) -> tuple[str, frozenset[str]]:
    query = f"MATCH (f:Film)<-[:{relation}]-(p:Person) WHERE p.name = $p0 RETURN f"
    return masked(READER.link(question)), named_in(query, FILMS)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """People who say "helmed" mean what was directed, those who say "featuring" who played."""
    said = [(f"which films were helmed by {d}", "DIRECTED") for d in DOERS]
    said += [(f"films that {d} helmed in those years", "DIRECTED") for d in DOERS]
    said += [(f"films featuring {d}", "ACTED_IN") for d in DOERS]
    said += [(f"which films are featuring {d}?", "ACTED_IN") for d in DOERS]
    found = learn([_taught(question, relation) for question, relation in said for _ in range(5)])
    assert found is not None
    return found


def test_names_are_masked_by_their_place() -> None:
    masked_question = masked(READER.link("Which films of 1999 and 12 more did Ada Berg direct?"))
    assert "valPersonname" in masked_question
    assert "num" in masked_question
    assert not {"ada", "1999"} & set(masked_question.split())


def test_a_reading_names_what_its_query_names() -> None:
    for question in (
        "Which films did Ada Berg direct?",
        "How many films did Ada Berg and Olaf Lind act in?",
        "Which people have never directed a film?",
        "Who directed the most films?",
    ):
        reading = READER.read(question)
        assert reading.query is not None
        assert reading.written is not None
        names = names_in(reading.written.text)
        found = elements_of(reading.query)
        written = elements(names.labels, names.types, [])
        assert {e for e in found if not e.startswith(".")} == written, question


@given(st.dictionaries(st.sampled_from(["Ship", "Port"]), st.integers(1, 6)))
def test_a_label_counts_once_for_each_time_up_to_a_bound(labels: dict[str, int]) -> None:
    found = elements(Counter(labels), Counter(), [])
    assert len(found) == sum(min(REPEATS, times) for times in labels.values())


def test_words_speak_for_the_relation_that_they_were_seen_with(evidence: Evidence) -> None:
    directed = evidence.of(READER.link("every film helmed by Olaf Lind"))
    played = evidence.of(READER.link("every film featuring Olaf Lind"))
    assert directed["-DIRECTED 1"] > 0 > directed["-ACTED_IN 1"]
    assert played["-ACTED_IN 1"] > 0 > played["-DIRECTED 1"]
    assert all(abs(x) <= SURE for x in (*directed.values(), *played.values()))


class _Sure:
    """An encoder that is sure of one thing."""

    def __init__(self) -> None:
        self.asked = list[str]()

    def odds(self, text: str) -> dict[str, float]:
        self.asked.append(text)
        return {"-ACTED_IN 1": 3.0}


def test_an_encoder_has_half_a_say(evidence: Evidence) -> None:
    asked = READER.link("every film of 1999 helmed by Olaf Lind")
    encoder = _Sure()
    alone, both = evidence.of(asked), replace(evidence, encoder=encoder).of(asked)
    assert encoder.asked == [spelled(asked)] == ["every film of some number helmed by some person name"]
    place = evidence.names.index("-ACTED_IN 1")
    own = alone["-ACTED_IN 1"] + (1 - EXPECTED) * evidence.usual[place]
    assert both["-ACTED_IN 1"] == pytest.approx((own + 3.0) / 2 - (1 - EXPECTED) * evidence.usual[place])
    assert both["-DIRECTED 1"] == pytest.approx(alone["-DIRECTED 1"])


def test_readings_are_ranked_by_it_and_say_so(evidence: Evidence) -> None:
    linked = READER.link("the films helmed by Ada Berg")
    readings = [READER.read(f"the films {done} by Ada Berg").query for done in ("directed", "acted in")]
    candidates = [Candidate(query, 1.0, ()) for query in readings if query is not None]
    assert len(candidates) == 2
    first, second = evidence.weighed(linked, candidates[::-1], FILMS)[:2]
    assert first.query == readings[0]
    assert first.score > second.score
    assert dict(first.features)[NAME] > dict(second.features)[NAME]


def test_a_reader_that_was_taught_takes_the_word_as_people_do(evidence: Evidence) -> None:
    taught = SemanticReader(FILMS, NAMES, evidence=evidence)
    plain = taught.read("Which films did Ada Berg direct?")
    assert plain.written is not None
    assert "DIRECTED" in plain.written.text
    helmed = taught.read("Which films were helmed by Ada Berg?")
    assert helmed.written is not None
    assert "DIRECTED" in helmed.written.text


def test_without_a_reading_there_is_none(evidence: Evidence) -> None:
    assert evidence.weighed(READER.link("Which films did Ada Berg direct?"), (), FILMS) == ()


def test_what_is_rare_among_the_examples_is_expected_to_be_less_rare_among_questions() -> None:
    often, seldom = frozenset({"-DIRECTED 1"}), frozenset({"-ACTED_IN 1"})
    found = learn([("films of val", often)] * 160 + [("films of val", seldom)] * 40)
    assert found is not None
    odds = found.of(READER.link("films of val"))
    expected = EXPECTED * math.log(160 / 40)
    assert odds["-DIRECTED 1"] == pytest.approx(expected, abs=0.1)
    assert odds["-ACTED_IN 1"] == pytest.approx(-expected, abs=0.1)


def test_learning_twice_gives_the_same(evidence: Evidence) -> None:
    said = [_taught(f"films helmed by {DOERS[i % 2]}", "DIRECTED") for i in range(20)]
    said += [_taught(f"films featuring {DOERS[i % 2]}", "ACTED_IN") for i in range(20)]
    text = READER.link("films helmed by Ada Berg")
    one, other = learn(said), learn(said)
    assert one is not None
    assert other is not None
    assert one.of(text) == other.of(text)


def test_fits_that_run_at_once_find_their_table_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each of them sorts the shared table in place, which broke fits and corrupted memory."""
    in_order = []

    class Watched(LogisticRegression):  # type: ignore[misc]  # scikit-learn is not typed
        def fit(self, table: Any, *others: Any) -> Any:
            in_order.append(vars(table).get("_has_canonical_format"))
            return super().fit(table, *others)

    monkeypatch.setattr(linear_model, "LogisticRegression", Watched)
    learn([_taught("films that Ada Berg helmed", "DIRECTED"), _taught("films with him", "ACTED_IN")] * 20)
    assert in_order
    assert all(in_order)


def test_a_few_examples_teach_nothing_and_a_reader_goes_on_without_them() -> None:
    few = [Example(question="Films helmed by Ada Berg?", cypher="MATCH (f:Film) RETURN f")] * 3
    assert taught(READER, few, FILMS) is None


def test_an_example_that_writes_is_refused() -> None:
    with pytest.raises(QueryRefusedError):
        taught(READER, [Example(question="Which films?", cypher="CREATE (f:Film)")], FILMS)


def test_types_that_were_learned_under_one_name_count_as_one() -> None:
    same = {"DIRECTED": "MADE", "ACTED_IN": "MADE"}
    query = READER.read("Which films did Ada Berg direct?").query
    assert query is not None
    assert "-MADE 1" in elements_of(query, same)
    assert named_in("MATCH (p)-[:DIRECTED]->(f), (p)-[:ACTED_IN]->(f) RETURN f", FILMS, same) == {
        "-MADE 1",
        "-MADE 2",
    }


def test_two_ways_round_are_named_once() -> None:
    query = SIGNALS.read("How many signals between R-1 and R-2?").query
    assert query is not None
    assert len(query.clauses[0].parts) == 2
    assert {":Radio 2", "-HAILED 1", "-HAILER 1"} <= elements_of(query)
    assert not {":Radio 3", "-HAILED 2", "-HAILER 2"} & elements_of(query)
