"""Close questions that can be answered from the facts that a question may rest on.

Where every fact counts, the names of the graph's vocabulary are those of facts. In a narrower scope the names
are read anew among its facts, and each question is read and run before it is told, within bounded time.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cypher import form as f
from cypher.answer import number
from cypher.probes import Probes
from cypher.suggest import nearest
from cypher.understanding import Understood
from cypher.vocabulary import Vocabulary, example_pairs
from schemas.errors import QueryError
from schemas.graph_schema import GraphSchema
from schemas.questions import Answer, EntityMatch, Outcome, Scope, Subgraph

log = logging.getLogger(__name__)

MOST_SECONDS: Final = 2.0
"""For all queries by which close questions are found in a scope."""
MOST_TRIED: Final = 12
"""Questions of which it is looked up whether they have an answer."""


@dataclass(frozen=True, slots=True)
class CloseQuestions:
    """Finds close questions for one question; ``run`` and ``run_plan`` run within its scope and time."""

    schema: GraphSchema
    probes: Probes
    read: Callable[[str], Understood]
    run: Callable[[f.Form, int], Subgraph]
    run_plan: Callable[[Understood], Answer]

    def near(self, vocabulary: Vocabulary, about: Sequence[EntityMatch]) -> tuple[str, ...]:
        """Up to three questions, most of them about what was named."""
        asked = self.probes.question
        if asked.scope is Scope.ALL:
            return nearest(self.schema, vocabulary, about, self.probes, asked.text)
        until = time.monotonic() + min(MOST_SECONDS, asked.timeout / 2)
        held = replace(vocabulary, pairs=dict(self._pairs(until)))
        left = iter(range(MOST_TRIED))

        def holds(text: str) -> bool:
            return time.monotonic() < until and next(left, None) is not None and self.has_answer(text)

        return nearest(self.schema, held, about, self.probes, asked.text, holds=holds)

    def _pairs(self, until: float) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
        try:
            for key, names in example_pairs(self.schema, self.run):
                yield key, names
                if time.monotonic() >= until:
                    return
        except QueryError as e:
            log.info("names of a scope could not be read: %s", e)

    def has_answer(self, text: str) -> bool:
        """Whether a question is understood, and has rows in the scope."""
        understood = self.read(text)
        form = understood.decision.form
        try:
            if understood.plan is not None:
                return self.run_plan(understood).outcome is Outcome.ANSWERED
            rows = self.run(form, 2).rows if form is not None else ()
        except QueryError as e:
            log.info("a close question could not be tried: %s", e)
            return False
        return bool(rows) and not (form and isinstance(form.head, f.Count) and number(rows[0][0]) == 0)
