"""What a question says in so many words and a reading does not do: ranks, measures, denials, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from cypher.semantics.all_of import says_all_of
from cypher.semantics.beyond import asks_twice, counts_back, is_outside, leaves_half
from cypher.semantics.contradictory import counts_beside, denies_what_it_requires
from cypher.semantics.figures_meant import counts_for_figure
from cypher.semantics.ir import Clause, ClauseKind, Edge, Filter, Head, Measure, Operator, Part, Query
from cypher.semantics.lexicon import NAME
from cypher.semantics.lives import holds_day_of_life, speaks_of_lives
from cypher.semantics.masses import counts_a_mass
from cypher.semantics.meeting import refs_of, says_together
from cypher.semantics.mentions import Linked
from cypher.semantics.own_days import tells_anothers_day
from cypher.semantics.passed_verbs import holds_no_such_verb
from cypher.semantics.restricted import onlys
from cypher.semantics.several_values import wants_both
from cypher.semantics.shares import SHARES, asks_for_share
from cypher.semantics.spoken_numbers import number_of
from cypher.semantics.stand_ins import STAND_INS
from cypher.semantics.text import identifier_words, stem
from cypher.semantics.their_own import denies_anybodys
from cypher.semantics.told_different import lacks_another
from cypher.semantics.when_done import asks_when_done
from cypher.word_lists import ASKERS, AUXILIARIES

_COMPARING: Final = frozenset({Operator.GT, Operator.GE, Operator.LT, Operator.LE})
_MEANS: Final = frozenset({"average", "avg", "mean"})
_SUMS: Final = frozenset({"total", "sum"})
"""Words of properties that are measures themselves: "the highest average vote" of ``average_vote``."""
STATISTICS: Final = frozenset(
    word
    for line in (
        "median percentage percentages percent percentile quartile proportion ratio variance correlation",
        "deviation fraction distribution histogram",
    )
    for word in line.split()
)
"""Figures that no reading has."""
_ASKING: Final = frozenset(
    ("number", "numbers", "count", "total", "amount", "order", "state", "list", "record", "records", "value")
)
"""Words that ask for a figure or an answer, whatever properties are called so."""
_PERIODS: Final = frozenset({"year", "month", "decade"})
_HAVING: Final = frozenset({"has", "have", "had", "is", "are", "was", "were"})
_TOWARDS: Final = frozenset({"to", "from", "for", "into", "by"})
"""Prepositions that end the names of types and say which end of them is meant."""
_CALLING: Final = frozenset({"name", "title", "no", "nr", "number", "code", "id", "label", "designation"})
"""Words of properties that tell one thing from all others."""
_ALL: Final = frozenset(
    {
        *("all", "every", "each", "only", "exactly", "just", "most", "precisely"),
        *("everything", "everyone", "everybody"),
    }
)
_LETTERS: Final = re.compile(r"[a-z]+(?:[ -][a-z]+)*")
_HAS: Final = frozenset({"HAS", "HAVE", "OWNS", "HAD"})
_QUESTIONS: Final = ASKERS | {"list", "name"}
_EARLY: Final = 4
"""Words in which the verb of a question of yes or no comes, behind "tell me whether" or the like."""
_EACH: Final = frozenset({"each", "every"})
_FOR_EACH: Final = frozenset({"for", "in", "by", "of", "at", "on", "from", "with", "within", "across", "to"})
_FIGURED: Final = frozenset({"count", "avg", "sum", "super", "most"})
"""Cues for a figure, which may be wanted of each."""
_SMALL: Final = 1.0
"""Numbers up to this ("at least one") may go without being written."""


def unheard(linked: Linked, query: Query) -> dict[str, float]:
    """How often each kind of word has nothing in the reading that answers it.

    It looks at words and reading alone, not at how the one came from the other, so that it finds what a
    parser passed over without a cost.
    """
    kinds = [c.kind for c in linked.cues]
    clauses = list(all_clauses(query))
    ranked = bool(query.order) or bool(_measures(query) & {Measure.MIN, Measure.MAX})
    ranked |= any(c.kind in (ClauseKind.BEST, ClauseKind.MOST) for c in clauses)
    comparisons = sum(f.operator in _COMPARING for f in _filters(query)) + (query.having is not None)
    comparisons += sum(c.kind in (ClauseKind.COUNT, ClauseKind.MORE, ClauseKind.FIGURE) for c in clauses)
    counting = query.head in (Head.COUNT, Head.GROUP, Head.AGGREGATE) or Measure.COUNT in _measures(query)
    counting |= query.order is not None or query.having is not None or bool(clauses)
    words = {w for ref in refs_of(query) for w in identifier_words(ref.name)}
    said = set(_unnamed(linked))
    out = {
        "unheard_rank": not ranked and _asks_for_rank(linked, query),
        "unheard_mean": "avg" in kinds and Measure.AVG not in _measures(query) and not words & _MEANS,
        "unheard_sum": "sum" in kinds
        and not words & _SUMS
        and not _measures(query) & {Measure.SUM, Measure.COUNT}
        and not counting,
        "unheard_count": "count" in kinds and not counting and len(query.project) != 1,
        "unheard_each": _asks_of_each(linked) and query.head is not Head.GROUP and not query.keys,
        "unheard_not": ("not" in kinds and not _denies(query, clauses))
        or denies_what_it_requires(query)
        or is_outside(linked, query),
        "unheard_compare": kinds.count("compare") > comparisons,
        "unheard_life": (_tells_of_life(query) and not speaks_of_lives(said))
        or asks_when_done(linked, query)
        or tells_anothers_day(linked, query)
        or counts_back(linked.text),
        "unheard_value": _passes_over_value(linked, query),
        "unheard_property": _passes_over_property(linked, query)
        or counts_for_figure(linked, query)
        or holds_no_such_verb(linked, query),
        "unheard_tie": _is_apart(query)
        or _goes_astray(linked, query)
        or counts_beside(query)
        or denies_anybodys(linked, query)
        or lacks_another(linked, query),
        "unheard_statistic": asks_for_share(linked, query)
        or bool(said & STATISTICS - words - (SHARES if words & SHARES else frozenset())),
        "unheard_only": bool(onlys(linked)) and not _denies(query, clauses),
        "unheard_owner": _asks_whose(linked, query),
        "unheard_end": _ends_elsewhere(linked, query),
        "unheard_who": _asks_who(linked, query),
        "unheard_whether": _asks_whether(linked) and query.head is Head.LIST,
        "unheard_both": wants_both(linked, query)
        or says_together(linked, query)
        or asks_twice(linked)
        or leaves_half(linked, query),
        "unheard_mass": counts_a_mass(linked, query),
        "unheard_all": (query.head is Head.EXISTS and _asks_of_all(linked) and not _denies(query, clauses))
        or _says_all_of_one(linked)
        or says_all_of(linked, query),
    }
    found = {name: float(x) for name, x in out.items()}
    return found | {"unheard_number": float(_numbers(linked, query))}


def _asks_for_rank(linked: Linked, query: Query) -> bool:
    """Whether something is to be ranked: not where "ordered by" says who bought what."""
    types = {t for e in query.edges for t in e.types}
    deeds = [m for m in linked.relations if any(t.name in types for t in m.terms)]
    spans = [(linked.words[m.start].start, linked.words[m.end - 1].end) for m in deeds]
    return any(
        c.kind in ("super", "most", "ranked")
        or (c.kind == "order" and not any(a <= c.start < b for a, b in spans))
        for c in linked.cues
    )


def _asks_of_each(linked: Linked) -> bool:
    """Whether something is asked of each: "every film with Ann" alone is all of them."""
    figured = any(c.kind in _FIGURED for c in linked.cues)
    for cue in (c for c in linked.cues if c.kind == "each"):
        at = linked.word_at(cue.start)
        if _is_in_property(linked, at):
            continue
        before = linked.words[at - 1].lower if at else ""
        if figured or before in _FOR_EACH or linked.words[at].lower not in _EACH:
            return True
    return False


def _is_in_property(linked: Linked, at: int) -> bool:
    """Whether the words before and behind one name the same property: "passengers per day"."""
    sides = [m for m in linked.mentions if at in (m.end, m.start - 1)]
    names = [{t.name for t in m.terms if t.kind == "property"} for m in sides]
    return len(names) == 2 and bool(names[0] & names[1])


def _unnamed(linked: Linked) -> list[str]:
    """The words of a question, empty where they belong to a value: "All Saints" asks nothing of all."""
    named = {i for m in linked.mentions if m.values for i in range(m.start, m.end)}
    return ["" if i in named else w.lower for i, w in enumerate(linked.words)]


def _passes_over_property(linked: Linked, query: Query) -> bool:
    """Whether a word that can only be a property has nothing in the reading: "(airlines) in an alliance"."""
    text = repr(query)
    labels = {t.name for m in linked.mentions for t in m.terms if t.kind == "label"}
    unspoken = {n.label for i, n in enumerate(query.nodes) if i != query.answer} - labels
    by_time = _PERIODS if query.keys or query.group else frozenset[str]()
    for mention in linked.mentions:
        if mention.text.lower().removesuffix("s") in by_time:
            continue
        plain = mention.terms and not mention.values and mention.number is None
        terms = [t for t in mention.terms if t.kind == "property"] if plain else []
        whole = bool(terms) and len(terms) == len(mention.terms)
        whole &= any(t.weight >= 1 or unspoken & set(t.owners) for t in terms)
        asking = mention.text.lower() in _ASKING or any(t.name == NAME for t in terms)
        if whole and not asking and not any(f"'{t.name}'" in text for t in terms):
            return True
    return False


def _passes_over_value(linked: Linked, query: Query) -> bool:
    """Whether a stored value that can be nothing else has nothing in the reading: "(parcels) got lost"."""
    used = {
        str(x).lower()
        for f in _filters(query)
        for x in (f.value if isinstance(f.value, tuple) else (f.value,))
    }
    for mention in linked.mentions:
        sure = [v for v, weight in mention.values if weight >= 1]
        plain = (
            sure and not mention.terms and mention.number is None and mention.day is None and not mention.time
        )
        if plain and _LETTERS.fullmatch(mention.text) and not {v.text.lower() for v in sure} & used:
            return True
    return False


def _asks_whose(linked: Linked, query: Query) -> bool:
    """Whether "whose ships ..." is answered with the ships, or by way of what nobody spoke of."""
    label = query.nodes[query.answer].label
    asked = linked.words[:1] and linked.words[0].lower == "whose" and query.head is Head.LIST
    first = next((m for m in linked.mentions if m.start == 1), None)
    labels = {t.name for t in first.terms if t.kind == "label"} if first is not None else set()
    owned = {i for i, node in enumerate(query.nodes) if node.label in labels}
    far = bool(owned) and not any(
        query.answer in ends and ends & owned for e in query.edges if (ends := {e.start, e.end})
    )
    return bool(asked) and (label in labels or far) and not query.project


def _ends_elsewhere(linked: Linked, query: Query) -> bool:
    """Whether a verb's preposition stands before a name that is not at that end of its relation.

    "Who lent pieces to Harrow House" is not by pieces of Harrow House that were ``LENT_TO`` somebody.
    """
    said = {w.stem for w in linked.words}
    ends: dict[str, set[int]] = {}
    for edge in query.edges:
        for first, *_, last in (w for t in edge.types if len(w := identifier_words(t)) > 1):
            if last in _TOWARDS and stem(first) in said:
                ends.setdefault(last, set()).add(edge.end)
    for mention in linked.mentions if ends else ():
        before = [w.lower for w in linked.words[max(0, mention.start - 2) : mention.start]]
        before = before[:-1] if before[-1:] == ["the"] else before
        held = ends.get(before[-1], set()) if before else set()
        texts = {v.text for v, _ in mention.values}
        named = {f.ref.owner for f in query.filters if not f.ref.on_edge and f.value in texts}
        labels = {query.nodes[i].label for i in held}
        if named and held and not named & held and any(query.nodes[i].label in labels for i in named):
            return True
    return False


def _asks_whether(linked: Linked) -> bool:
    """ "Is there anything toxic in the bed?" and nothing else: it asks for yes or no, not for a list."""
    words = [w.lower for w in linked.words]
    return bool(words) and words[0] in AUXILIARIES and not _QUESTIONS & set(words)


def _asks_who(linked: Linked, query: Query) -> bool:
    """Whether "who ..." is answered with a property, or with the very thing that it names.

    "Who reported fault FT-7" does not ask for FT-7, "who led the watch" not for a flag of theirs.
    """
    if not linked.words or linked.words[0].lower != "who" or query.head is not Head.LIST:
        return False
    being = len(linked.words) > 1 and linked.words[1].lower in _HAVING
    named = any(
        f.ref.owner == query.answer
        and not f.ref.on_edge
        and f.operator is Operator.EQ
        and _CALLING & set(identifier_words(f.ref.name))
        for f in query.filters
    )
    told = (identifier_words(ref.name)[-1] for ref in query.project if ref.owner == query.answer)
    return any(not _tells_who(word) for word in told) or (named and not being and not query.project)


def _tells_who(word: str) -> bool:
    """Whether a property called so may hold somebody: the author of a play, the name of its maker."""
    return word in _CALLING or word == "by" or word.endswith(("er", "or", "ist", "ian", "ant", "ee"))


def _is_apart(query: Query) -> bool:
    """Whether things stand side by side that nothing ties or compares: each with each of the others."""
    tied = [{e.start, e.end} for p in parts_of(query) for e in p.edges]
    tied += [
        {f.ref.owner, f.other.owner} for f in _filters(query) if f.other is not None and not f.ref.on_edge
    ]
    alone = {i for i in range(len(query.nodes)) if i not in query.inner}
    known = {query.answer}
    while grown := [t for t in tied if t & known and t - known]:
        known |= set().union(*grown)
    return bool(alone - known)


def _goes_astray(linked: Linked, query: Query) -> bool:
    """Whether a verb of many senses was read as a relation between two things that nobody spoke of.

    "Which clinics was Ann taken to" does not go by what visits prescribe, though medicines are taken too.
    """
    said: dict[str, float] = {}
    for term in (t for m in (*linked.mentions, *linked.relations) for t in m.terms if t.kind == "relation"):
        said[term.name] = max(term.weight, said.get(term.name, 0.0))
    labels = {t.name for m in linked.mentions for t in m.terms if t.kind == "label"}
    known = {query.answer} | {f.ref.owner for f in query.filters if not f.ref.on_edge}
    known |= {i for i, node in enumerate(query.nodes) if node.label in labels}
    weights = {e: max(said.get(t, 0.0) for t in e.types) for e in query.edges}
    apart = [e for e, weight in weights.items() if weight and not {e.start, e.end} & known]
    return any(weights[e] < 1 or any(_is_bridge(x, e, weights) for x in query.edges) for e in apart)


def _is_bridge(edge: Edge, said: Edge, weights: Mapping[Edge, float]) -> bool:
    """Whether a relationship that no word says leads to one that is said, and is none of having."""
    ends = {edge.start, edge.end} & {said.start, said.end}
    return (
        edge is not said
        and bool(ends)
        and not weights[edge]
        and not _HAS & {t.split("_")[0] for t in edge.types}
    )


def _tells_of_life(query: Query) -> bool:
    """Whether somebody's birth or death decides the answer: who worked before 1750 was not born before it."""
    return any(holds_day_of_life(ref.name) for ref in refs_of(query) if ref not in query.project)


def _asks_of_all(linked: Linked) -> bool:
    """Whether it is asked if something holds of all, or of just so many: "are all flights late"."""
    words = _unnamed(linked)
    at = next((i for i, w in enumerate(words[:_EARLY]) if w in AUXILIARIES), None)
    if at is None:
        return False
    at += 1 + (words[at + 1 : at + 2] == ["there"])
    said = words[at : at + 2]
    return bool(said) and (said[0] in _ALL or (number_of(said[0]) or 0) > 1)


def _says_all_of_one(linked: Linked) -> bool:
    """ "(Who owns) all of Blue Heron": the whole of one thing that is named."""
    words = [w.lower for w in linked.words]
    named = {m.start for m in linked.mentions if m.values}
    return any(a == "all" and b == "of" and at + 2 in named for at, (a, b) in enumerate(pairwise(words)))


def all_clauses(query: Query) -> Iterator[Clause]:
    """Clauses, those inside others among them."""
    waiting = list(query.clauses)
    while waiting:
        clause = waiting.pop()
        yield clause
        waiting += [c for p in clause.parts for c in p.clauses]


def parts_of(query: Query) -> list[Part]:
    """The main pattern, and the parts of all clauses."""
    return [Part(query.edges, query.filters), *(p for c in all_clauses(query) for p in c.parts)]


def _filters(query: Query) -> list[Filter]:
    return [f for p in parts_of(query) for f in p.filters]


def _measures(query: Query) -> set[Measure]:
    found = {m.measure for m in query.measures} | ({query.measure} if query.measure else set())
    found |= {c.measure for c in all_clauses(query) if c.measure}
    order = query.order
    if order and order.count_of is not None:
        found.add(Measure.COUNT)
    return found | ({order.measure} if order and order.measure else set())


def _denies(query: Query, clauses: list[Clause]) -> bool:
    if any(e.negated for p in parts_of(query) for e in p.edges):
        return True
    filters = _filters(query)
    if any(
        f.operator in (Operator.NE, Operator.IS_NOT, Operator.UNKNOWN, *_COMPARING) or f.value is False
        for f in filters
    ):
        return True
    return query.having is not None or any(c.kind in (ClauseKind.ABSENT, ClauseKind.COUNT) for c in clauses)


def _numbers(linked: Linked, query: Query) -> int:
    """Numbers of the question that are nowhere in the reading."""
    if any(c.kind == "between" for c in linked.cues):
        return 0
    told = [query.limit, query.having.value if query.having else None]
    told += [c.number for c in all_clauses(query)]
    values: list[object] = [v for v in told if v is not None]
    values += [c.figure for c in all_clauses(query) if c.measure]
    for condition in _filters(query):
        values += condition.value if isinstance(condition.value, tuple) else [condition.value]
    texts = " ".join(str(v) for v in values)
    numbers = (m.number for m in linked.mentions if m.number is not None and not m.values)
    wanted = [n for n in numbers if n not in STAND_INS]
    return sum(n > _SMALL and f"{n:.15g}" not in texts for n in wanted)
