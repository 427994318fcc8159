"""A question always ends in an answer: what may fail on the way becomes its outcome."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from cypher.failing import FAILS, not_read
from cypher.near_questions import ended
from schemas.errors import QueryRefusedError, QueryTimeoutError
from schemas.questions import Answer, Outcome, Question

log = logging.getLogger(__name__)
ASK_FOR_LESS: Final = "Ask for less or allow more time."


def guarded(ask: Callable[[], Answer], question: Question, less: str = ASK_FOR_LESS) -> Answer:
    """The answer of ``ask``, or how it failed; after a timeout it is said how to ask for ``less``.

    >>> def late() -> Answer:
    ...     raise QueryTimeoutError("late")
    >>> guarded(late, Question(text="Which papers?", timeout=2)).text
    'The graph did not answer within 2 s. Ask for less or allow more time.'
    """
    try:
        return ask()
    except QueryTimeoutError:
        late = f"The graph did not answer within {question.timeout:g} s. {less}"
        return ended(question, Outcome.TIMEOUT, late)
    except QueryRefusedError as e:
        return ended(question, Outcome.REFUSED, f"The query was not run: {e}")
    except FAILS as e:
        log.warning("question failed: %s", e)
        return ended(question, Outcome.FAILED, not_read(e))
