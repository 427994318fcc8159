"""How a question ends without an answer, and the questions near it that come with that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from schemas.questions import Answer, Outcome, Question

MOST: Final = 3
"""Close questions that are told."""


def ended(question: Question, outcome: Outcome, text: str, suggestions: Sequence[str] = ()) -> Answer:
    """A question that ends without rows."""
    return Answer(
        outcome=outcome, question=question.text[:2_000], text=text, suggestions=tuple(suggestions[:MOST])
    )


def with_near(answer: Answer, more: Callable[[], Iterable[str]]) -> Answer:
    """An unanswerable answer with three close questions: its own first, then of ``more`` what it lacks.

    Any other answer stays as it is. The question itself is never one of them; ``more`` is not asked where it
    is not needed.

    >>> lost = Answer(outcome=Outcome.UNANSWERABLE, question="Which?", text="no", suggestions=("How many?",))
    >>> with_near(lost, lambda: ["which", "How many?", "Who?"]).suggestions
    ('How many?', 'Who?')
    """
    if answer.outcome is not Outcome.UNANSWERABLE or len(answer.suggestions) >= MOST:
        return answer
    asked = as_said(answer.resolved or answer.question)
    found = dict.fromkeys(answer.suggestions)
    for text in more():
        if as_said(text) != asked:
            found.setdefault(text)
        if len(found) >= MOST:
            break
    return answer.model_copy(update={"suggestions": tuple(found)})


def as_said(text: str) -> str:
    """A question without regard to case, spaces and its last sign.

    >>> as_said("Which  Papers?") == as_said("which papers")
    True
    """
    return " ".join(text.casefold().rstrip("?!. ").split())
