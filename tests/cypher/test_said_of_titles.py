"""What a question says of a title is looked for there, and nowhere else."""

from __future__ import annotations

import pytest

from cypher.service import QuestionService
from cypher.titles import split_title
from schemas.questions import Outcome, Question


@pytest.mark.parametrize(
    ("text", "rest", "said"),
    [
        ("papers with 'gamma' in the title", "list papers", [(("gamma",), False)]),
        ("Which papers have 'penguin' in their title?", "list papers", [(("penguin",), False)]),
        (
            "papers with CP violation in the title since 2014",
            "list papers since 2014",
            [(("CP violation",), False)],
        ),
        ("papers titled Observation of", "list papers", [(("Observation of",), False)]),
        ("papers whose title does not contain search", "list papers", [(("search",), True)]),
        (
            "papers with 'observation' but not 'first' in the title",
            "list papers",
            [(("observation",), False), (("first",), True)],
        ),
        ("papers with 'a' or 'b' in the title", "list papers", [(("a", "b"), False)]),
        (
            "How many papers mention 'B_s0' and 'mixing' in their title?",
            "How many papers are there",
            [(("B_s0",), False), (("mixing",), False)],
        ),
        ("papers with a pentaquark in the title", "list papers", [(("pentaquark",), False)]),
        ("papers whose title is 'Dimuons again'", "list papers", [(("Dimuons again",), False)]),
        ("papers whose titles start with Search", "papers whose titles start with Search", []),
        ("papers with title and year on phi_s", "papers with title and year on phi_s", []),
        ("papers whose title is known", "papers whose title is known", []),
        ("What is the title of AAIJ 2012I?", "What is the title of AAIJ 2012I?", []),
    ],
)
def test_what_is_said_of_a_title_is_taken_off(
    text: str, rest: str, said: list[tuple[tuple[str, ...], bool]]
) -> None:
    plain, words = split_title(text)
    assert plain == rest
    assert [(w.among, w.denied) for w in words] == said


def test_a_symbol_that_is_not_quoted_is_looked_for_in_its_spellings() -> None:
    _, (held, denied) = split_title("papers whose title mentions CP violation but not B_s0")
    assert held.among == ("CP violation",)
    assert denied.denied
    assert {"B_s0", "B_s^0", "B^0_s"} <= set(denied.among)


@pytest.mark.parametrize("name", ["phi_s", "B_s0", "R_K", "Delta m_s"])
def test_a_known_name_in_quotes_stays_in_the_title(dry_service: QuestionService, name: str) -> None:
    answer = dry_service.ask(Question(text=f"papers with '{name}' in the title from 2015"))
    assert f"the title of the paper has the words '{name}'" in answer.explanation
    assert "the year of the paper is 2015" in answer.explanation
    assert "observable" not in answer.explanation


def test_a_title_that_cannot_be_joined_is_refused(dry_service: QuestionService) -> None:
    text = "Which experiments and papers of phi_s have 'B_s0' in the title of Delta m_s?"
    answer = dry_service.ask(Question(text=text))
    assert answer.outcome is not Outcome.ANSWERED
    assert "title" in answer.text or "title" in answer.explanation


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("papers with 'dimuons' in the title", {"1100002", "1100004", "1100008"}),
        ("papers with 'phases' in the title from 2019", {"1100006"}),
        ("papers with 'dimuons' but not 'rare' in the title", {"1100004", "1100008"}),
        ("papers whose title mentions oscillation but not precisely", {"1100003"}),
        ("papers that measure phi_s with 'angles' in the title", {"1100005"}),
        ("papers with 'first' or 'search' in the title", {"1100002", "1100011"}),
        ("papers titled Dimuons", {"1100002", "1100004", "1100008"}),
    ],
)
def test_papers_by_their_titles(service: QuestionService, text: str, expected: set[str]) -> None:
    answer = service.ask(Question(text=text))
    assert answer.outcome is Outcome.ANSWERED, answer.text
    assert {row[0] for row in answer.rows} == expected, answer.explanation
