"""Which properties of relationships say when they were, and ranks by these: "repaired most recently"."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cypher.semantics.chart.forms import Limit, Linked, LooseExtreme, Predicate, Ranked, Wanted
from cypher.semantics.chart.lexemes import Vocabulary
from cypher.semantics.ir import Measure
from cypher.semantics.lexicon import PropertyInfo
from cypher.semantics.text import identifier_words

_FIRST: Final = frozenset({"since", "from", "start", "started", "begin", "began", "beginning"})
_LAST: Final = frozenset({"until", "till", "to", "end", "ended", "ending"})
ENDS: Final = {"since": _FIRST, "from": _FIRST, "until": _LAST, "till": _LAST}
"""Words of properties that say when a relationship began or ended, by the word before "when"."""


def days_of(vocabulary: Vocabulary, kind: str, end: str = "") -> list[PropertyInfo]:
    """Dated properties of relationships of a type, those that say when they began or ended as asked first."""
    relation = vocabulary.schema.relation(kind)
    table = vocabulary.words.properties
    found = [table[kind, x.name] for x in relation.properties] if relation else []
    wanted, other = ENDS.get(end, _FIRST), _LAST if ENDS.get(end) is not _LAST else _FIRST
    dated = [x for x in found if x.dated and not other & set(identifier_words(x.name))]
    return sorted(dated, key=lambda x: not wanted & set(identifier_words(x.name)))


def ranked_by_tie(vocabulary: Vocabulary, told: tuple[Limit, ...], behind: Predicate) -> Predicate:
    """What stands behind a clause, ranked by the day of the relationship told of where it ranks by one."""
    only = behind.limits[0] if len(behind.limits) == 1 else None
    if not isinstance(only, LooseExtreme) or only.hint != "date":
        return behind
    ranked = tie_ranks(vocabulary, told, descending=only.descending)
    return replace(behind, limits=(ranked,)) if ranked else behind


def tie_ranks(vocabulary: Vocabulary, told: tuple[Limit, ...], *, descending: bool) -> Ranked | None:
    """The rank by the day of a relationship told of; ``None`` where none has one."""
    for limit in told:
        if isinstance(limit, Linked) and len(limit.path) == 1:
            step = limit.path[0]
            for info in days_of(vocabulary, step.type)[:1]:
                measure = Measure.MAX if descending else Measure.MIN
                return Ranked(Wanted((), step.type, info.name, step), measure, descending)
    return None
