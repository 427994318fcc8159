"""Two questions in one text, each about a thing of its own; and which half an answer leaves out."""

from __future__ import annotations

from typing import Any

import pytest

from cypher.answers_joined import joined
from cypher.service import QuestionService
from cypher.two_questions import Halves, TwoQuestions, halves
from cypher.understanding import Understood
from schemas.errors import QueryTimeoutError
from schemas.questions import Answer, Citation, Outcome, Question

PHI, DMS = "'phi_s'", "'Delta m_s'"


def ask(service: QuestionService, text: str) -> Answer:
    return service.ask(Question(text=text, use_llm=False))


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("How many papers determine phi_s and how many determine Delta m_s?", (PHI, DMS)),
        ("How many papers determine phi_s, and how many papers determine Delta m_s?", (PHI, DMS)),
        ("How many papers on phi_s are there and how many on Delta m_s?", (PHI, DMS)),
        ("How many papers in 2015 and how many in 2016?", ("2015", "2016")),
        ("How many papers appeared in 2015 and how many determine phi_s?", ("2015", PHI)),
    ],
)
def test_two_numbers_are_counted_one_by_one(
    dry_service: QuestionService, recording: Any, text: str, counted: tuple[str, str]
) -> None:
    answer = ask(dry_service, text)
    assert answer.shape == "two_questions", answer.text
    one, two = answer.explanation.split(" Counts ")
    assert counted[0] in one
    assert counted[1] not in one
    assert counted[1] in two
    assert counted[0] not in two
    asked = [q for q in recording.queries if "count" in q.columns]
    assert len({(q.text, tuple(sorted(q.parameters.items()))) for q in asked}) >= 2
    assert set(answer.parameters) == {n for n in answer.parameters if f"${n}" in answer.cypher}


@pytest.mark.parametrize(
    "text",
    [
        "Which papers determine phi_s and which determine Delta m_s?",
        "Which papers determine phi_s and which papers determine Delta m_s?",
    ],
)
def test_two_lists_are_wanted(dry_service: QuestionService, text: str) -> None:
    one, two = ask(dry_service, text).explanation.split(" Lists papers.")
    assert (PHI in one, DMS in one, PHI in two, DMS in two) == (True, False, False, True)


@pytest.mark.parametrize(
    "text",
    [
        "Which papers determine phi_s and Delta m_s?",
        "Find papers which determine phi_s and which determine Delta m_s.",
        "What are the papers which determine phi_s and which determine Delta m_s?",
        "How many measurements are there of phi_s and how many of Delta m_s?",
        "Which papers measured phi_s, and what did each find?",
    ],
)
def test_one_question_stays_one(dry_service: QuestionService, text: str) -> None:
    assert ask(dry_service, text).shape != "two_questions"


def test_what_two_questions_leave_out_is_what_they_share(dry_service: QuestionService) -> None:
    one, two = ask(
        dry_service, "How many papers from 2015 determine phi_s and how many from 2017?"
    ).explanation.split(" Counts ")
    assert (PHI in one, PHI in two, "2015" in one, "2017" in two) == (True, True, True, True)


def test_a_half_that_is_not_understood_is_named(dry_service: QuestionService) -> None:
    answer = ask(dry_service, "How many papers determine phi_s and how many determine mugwump?")
    assert answer.outcome is Outcome.UNANSWERABLE
    assert "mugwump" in answer.text


@pytest.mark.neo4j
def test_both_numbers_are_told_with_what_they_rest_on(service: QuestionService) -> None:
    answer = ask(service, "How many papers determine phi_s and how many determine Delta m_s?")
    assert answer.columns == ("asked", "count")
    assert [r[1] for r in answer.rows] == [2, 3]
    assert [r[0] for r in answer.rows] == [
        "How many papers determine phi_s",
        "how many papers determine Delta m_s",
    ]
    numbers = {c.number: c for c in answer.citations}
    assert [len(r) for r in answer.row_citations] == [2, 3]
    assert len(numbers) == len(answer.citations) == 5
    assert set(numbers) == {n for r in answer.row_citations for n in r}


@pytest.mark.neo4j
def test_numbers_of_two_values(service: QuestionService) -> None:
    answer = ask(service, "How many decays of the B0 are there and how many of the B+?")
    alone = [ask(service, f"How many decays of the {p} are there?") for p in ("B0", "B+")]
    assert [r[1] for r in answer.rows] == [a.rows[0][0] for a in alone]


@pytest.mark.neo4j
def test_three_numbers(service: QuestionService) -> None:
    more = " and how many determine Delta m_s and how many determine B_s0 mean life?"
    answer = ask(service, f"How many papers determine phi_s{more}")
    assert [r[1] for r in answer.rows] == [2, 3, 2]
    assert answer.text.count("How many papers determine") + answer.text.count("how many papers") == 3


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Which observable was measured most often and by which papers?", "by which papers"),
        ("Which paper is the newest on phi_s and what value does it give?", "what value does it give"),
        ("What does 1100005 measure, and with which decays?", "What does 1100005 measure"),
        (
            "How many papers determine phi_s and how many of them appeared in 2017?",
            "How many papers determine phi_s",
        ),
    ],
)
def test_the_half_that_is_left_out_is_told(service: QuestionService, text: str, left: str) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert f"Not answered here: '{left}'. Ask that by itself." in answer.assumptions


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "text",
    [
        "Which papers measured phi_s, and when were they published?",
        "Which papers measured phi_s, and what did each find?",
        "Which paper determines the most observables and how many?",
    ],
)
def test_of_what_the_rows_show_nothing_is_left_out(service: QuestionService, text: str) -> None:
    answer = ask(service, text)
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert not any(a.startswith("Not answered here") for a in answer.assumptions)


def test_halves_are_found_where_and_joins_two_questions() -> None:
    assert halves("How many X are there; and how many Y?") == Halves("How many X are there", "how many Y")
    assert halves("Which papers measure 'X and which Y'?") is None
    assert halves("papers on X and which Y?") is None


def _answer(text: str, *numbered: tuple[int, str]) -> Answer:
    cited = tuple(Citation(number=n, statement=s, type="t", document="d") for n, s in numbered)
    return Answer(
        outcome=Outcome.ANSWERED,
        question="",
        text=text,
        columns=("name",),
        rows=(("a",),),
        citations=cited,
        row_citations=(tuple(n for n, _ in numbered),),
        cypher="MATCH (n {id: $p0}) RETURN n",
        parameters={"p0": text},
        confidence=0.9,
    )


def test_citations_are_numbered_through_and_parameters_kept_apart() -> None:
    one, two = _answer("A [1][2]", (1, "s"), (2, "t")), _answer("B [1][2]", (1, "t"), (2, "u"))
    both = joined(Question(text="A and B?"), ("x", "y"), (one, two))
    assert both.text == "X? A [1][2] Y? B [2][3]"
    assert [(c.number, c.statement) for c in both.citations] == [(1, "s"), (2, "t"), (3, "u")]
    assert both.row_citations == ((1, 2), (2, 3))
    assert both.rows == (("x", "a"), ("y", "a"))
    assert both.parameters == {"p0": "A [1][2]", "second_p0": "B [1][2]"}
    assert "$second_p0" in both.cypher


def test_one_half_without_an_answer_leaves_none() -> None:
    none = Answer(outcome=Outcome.UNANSWERABLE, question="", text="No.")
    both = joined(Question(text="A and B?"), ("x", "y"), (_answer("A"), none))
    assert (both.outcome, both.text, both.rows) == (Outcome.UNANSWERABLE, "'y' is not answered: No.", ())


def test_both_halves_share_the_time(dry_service: QuestionService) -> None:
    given: list[float] = []

    def late(question: Question) -> Answer:
        given.append(question.timeout)
        return _answer("A")

    read = dry_service._two.read
    text = "How many papers determine phi_s and how many determine Delta m_s?"
    dry_service.prepare()
    TwoQuestions(read, late, dry_service.prepare).answer(Question(text=text, timeout=5))
    assert 5 > given[0] > given[1]
    with pytest.raises(QueryTimeoutError):
        TwoQuestions(read, late, dry_service.prepare).answer(Question(text=text, timeout=0.001))


def test_reading_both_halves_takes_of_their_time(
    dry_service: QuestionService, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "How many papers determine phi_s and how many determine Delta m_s?"
    now = [0.0]
    monkeypatch.setattr("cypher.two_questions.time.monotonic", lambda: now[0])
    given: list[float] = []

    def prepare() -> None:
        now[0] += 100.0

    def read(said: str) -> Understood:
        now[0] += 0.25
        return dry_service._two.read(said)

    def asked(question: Question) -> Answer:
        given.append(question.timeout)
        return _answer("A")

    TwoQuestions(read, asked, prepare).answer(Question(text=text, timeout=50))
    assert len(given) == 2
    assert 45 < given[0] <= 50 - 3 * 0.25
    given.clear()
    with pytest.raises(QueryTimeoutError):
        TwoQuestions(read, asked, prepare).answer(Question(text=text, timeout=0.5))
    assert given == []


@pytest.mark.parametrize("many", [4, 13])
def test_more_than_three_questions_at_once_are_refused_unread(
    dry_service: QuestionService, recording: Any, many: int
) -> None:
    text = "How many papers determine phi_s" + " and how many determine R_K" * (many - 1) + "?"
    read: list[str] = []
    two = dry_service._two

    def noted(said: str) -> Understood:
        read.append(said)
        return two.read(said)

    answer = TwoQuestions(noted, two.ask, two.prepare).answer(Question(text=text))
    assert answer.outcome is Outcome.REFUSED
    assert answer.text == f"This asks {many} questions at once. Ask at most 3 at a time."
    assert (read, recording.queries) == ([], [])
    assert ask(dry_service, text).text == answer.text
