"""The general reading of a question: every way to parse it whole, of which the cheapest plan is meant."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from itertools import islice
from typing import Final

from cypher.general.assemble import Assembler
from cypher.general.clauses import Clauses
from cypher.general.items import Items
from cypher.general.kinds import kind_graph
from cypher.general.phrases import Phrases
from cypher.general.plan import Plan, sorted_plan
from cypher.general.questions import Questions
from cypher.general.tries import NoPlanError
from cypher.general.write import write
from cypher.link import Linker
from cypher.schema_words import Lexicon
from cypher.vocabulary import Vocabulary
from schemas.graph_schema import GraphSchema

log = logging.getLogger(__name__)

MAX_PARSES: Final = 400
MAX_WORDS: Final = 45
MARGIN: Final = 0.3
"""Plans whose costs differ by less are equally good readings."""


@dataclass(frozen=True, slots=True)
class GeneralReading:
    """The plan of a question; none where it has no reading, or several equally good ones."""

    plan: Plan | None
    plans: tuple[Plan, ...] = ()
    """Equally good readings, where there are several."""


def read(
    text: str, linker: Linker, schema: GraphSchema, lexicon: Lexicon, vocabulary: Vocabulary
) -> GeneralReading:
    """The general reading of a question; deterministic, and never asks the graph more than names."""
    if len(linker.tokens) > MAX_WORDS:
        return GeneralReading(None)
    graph = kind_graph(schema)
    items = Items(
        text, linker.tokens, graph=graph, lexicon=lexicon, vocabulary=vocabulary, entities=linker.names()
    )
    questions = Questions(items, Clauses(items, Phrases(items)))
    assembler = Assembler(graph)
    costs: dict[Plan, float] = {}
    for asked in islice(dict.fromkeys(islice(questions.read(), MAX_PARSES)), MAX_PARSES):
        try:
            cost, plan = assembler.plan(asked)
            write(plan, graph, row_cap=2)
        except NoPlanError as e:
            log.debug("not a plan: %s", e)
            continue
        costs[plan] = min(cost, costs.get(plan, cost))
    if not costs:
        return GeneralReading(None)
    lowest = min(costs.values())
    near = (p for p, c in sorted(costs.items(), key=lambda x: x[1]) if c <= lowest + MARGIN)
    best = tuple({sorted_plan(p): p for p in reversed(tuple(near))}.values())[::-1]
    return GeneralReading(best[0]) if len(best) == 1 else GeneralReading(None, best)
