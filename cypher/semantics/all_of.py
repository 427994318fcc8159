"""Things that have all of something: "which actors played in every production" leaves out none of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cypher.semantics.excepting import returns_more
from cypher.semantics.ir import Clause, ClauseKind, Edge, Filter, Head, Part, Query
from cypher.semantics.mentions import Linked, Mention

_EVERY: Final = frozenset({"every", "all"})
_EVERYTHING: Final = frozenset({"everything", "everyone", "everybody"})
_SHARES: Final = frozenset({"most", "half", "majority", "many"})
_OF_THEM: Final = frozenset({"of", "the", "these", "those", "single", "one", "our"})
_OWN: Final = frozenset({"their", "its", "his", "her", "other", "others", "but", "except"})
"""Words behind which it is not all of a kind that is meant, but what no reading says."""
_COMPARED: Final = {"many": ("how", "as", "so", "too", "that", "not"), "most": ("the", "has", "have", "had")}
"""Words behind which they are a number, or the largest."""
_NOT_BEFORE: Final = frozenset({"than", "of", "for", "across", "over", "among"})
"""Words before which all are compared or taken together."""
_ASKED: Final = frozenset({"which", "what"})
_PLACING: Final = frozenset({"in", "on", "at", "to", "with", "by", "from", "under", "near", "through"})
_BEING: Final = frozenset({"is", "are", "was", "were"})
_EMPTY: Final = _PLACING | {"of", "for", "the", "a", "an", "and", "or", "not", "also", "there"}
"""Words that state nothing by themselves: "the calls at all places" says of no call that it was at each."""
_WHETHER: Final = frozenset({"did", "does", "do", "has", "have", "is", "are", "was", "were"})
_ADDRESSED: Final = frozenset({"you", "we", "i", "they", "there", "it"})
_NEAR: Final = 2
"""Words at most before a noun that belong to it: "all red buses"."""


@dataclass(frozen=True, slots=True)
class AllOf:
    """A question without its "all", and the labels of the noun behind it."""

    text: str
    labels: frozenset[str]
    said: frozenset[str]
    """Labels that the question says before it."""

    def around(self, query: Query) -> Query | None:
        """The reading of :attr:`text` where none of them is left out; ``None`` where it is none of that.

        One of them is required to be there, else the whole graph has all of nothing.
        """
        plain = not (query.clauses or query.having or query.order or query.inner or query.again)
        plain &= (
            query.head in (Head.LIST, Head.COUNT, Head.EXISTS)
            and query.limit is None
            and not returns_more(query)
        )
        plain &= not any(e.negated or e.optional for e in query.edges) and _is_tree(query)
        them = [i for i, n in enumerate(query.nodes) if n.label in self.labels and i != query.answer]
        if not plain or len(them) != 1 or query.nodes[query.answer].label in self.labels:
            return None
        return self._none_left_out(query, them[0])

    def _none_left_out(self, query: Query, them: int) -> Query | None:
        way = _way(query, them)
        between = {n for e in way for n in (e.start, e.end)} - {them, query.answer}
        side = [e for e in query.edges if e not in way]
        theirs = _reached(them, side)
        held = between & ({n for e in side for n in (e.start, e.end)} | {f.ref.owner for f in query.filters})
        named = any(query.nodes[n].label in self.said for n in between)
        if held or named or any(f.ref.on_edge for f in query.filters):
            return None  # whose the condition is, or who has all of them, is not told
        first = len(query.nodes)
        own = sorted(theirs | between)
        place = {n: n for n in range(first)} | {n: first + k for k, n in enumerate(own)}
        ties = Part(tuple(_moved(e, place) for e in way), nodes=tuple(place[n] for n in sorted(between)))
        one = Part(
            tuple(_moved(e, place) for e in side if e.start in theirs),
            tuple(f for c in query.filters for f in _of_theirs(c, theirs, place)),
            (Clause(ClauseKind.ABSENT, (ties,)),),
            tuple(place[n] for n in sorted(theirs)),
        )
        return replace(
            query,
            nodes=(*query.nodes, *(query.nodes[n] for n in own)),
            inner=query.inner | {place[n] for n in own},
            clauses=(*query.clauses, Clause(ClauseKind.ABSENT, (one,))),
        )


def all_of(linked: Linked) -> AllOf | None:
    """What a question asks all of; ``None`` where it asks of all of nothing that is told apart."""
    at = _place(linked)
    noun = _noun(linked, _behind(linked, at)) if at is not None else None
    if at is None or noun is None:
        return None
    start, end = linked.words[at].start, linked.words[_behind(linked, at)].start
    article = "a " if linked.words[at].lower == "every" and linked.words[at + 1].lower != "one" else ""
    before = {t.name for m in linked.mentions if m.end <= at for t in m.terms if t.kind == "label"}
    labels = frozenset(t.name for t in noun.terms if t.kind == "label")
    return AllOf(f"{linked.text[:start]}{article}{linked.text[end:]}", labels, frozenset(before))


def says_all_of(linked: Linked, query: Query) -> bool:
    """Whether all of something is asked for, or most of it, and the reading is content with one."""
    return (_place(linked) is not None or says_share(linked)) and not any(is_all_of(c) for c in query.clauses)


def says_share(linked: Linked) -> bool:
    """Whether what is asked for has everything, or some part of all: "most of the lines", "many lines"."""
    words = [w.lower for w in linked.words]
    return any(_is_share(linked, words, at) and _is_object(linked, words, at) for at in range(1, len(words)))


def _is_share(linked: Linked, words: list[str], at: int) -> bool:
    if words[at] in _EVERYTHING:
        return not any(m.values and m.start <= at < m.end for m in linked.mentions)
    if words[at] not in _SHARES or words[at - 1] in _COMPARED.get(words[at], ()):
        return False
    told = words[at] == "many" or words[at + 1 : at + 2] in (["of"], ["the"])
    return told and _stands_before_noun(linked, at)


def is_all_of(clause: Clause) -> bool:
    """Whether a clause says that there is none of which something is not so.

    >>> denied = Clause(ClauseKind.ABSENT, (Part(clauses=(Clause(ClauseKind.ABSENT, (Part(),)),)),))
    >>> is_all_of(denied)  # of nothing: a plain condition is denied twice
    False
    """
    inside = clause.parts[0].clauses if clause.kind is ClauseKind.ABSENT and clause.parts[0].nodes else ()
    return len(inside) == 1 and inside[0].kind is ClauseKind.ABSENT


def _place(linked: Linked) -> int | None:
    """The place of an "all" or "every" before the object of what is asked: not of "list all calls"."""
    words = [w.lower for w in linked.words]
    named = {i for m in linked.mentions if m.values for i in range(m.start, m.end)}
    for at, word in enumerate(words):
        plain = word in _EVERY and at not in named and words[at - 1] not in _NOT_BEFORE
        plain &= not linked.text[: linked.words[at].start].rstrip().endswith(",")  # ", all taken together"
        if at and plain and _stands_before_noun(linked, at) and _is_object(linked, words, at):
            return at
    return None


def _stands_before_noun(linked: Linked, at: int) -> bool:
    behind = _behind(linked, at)
    own = behind < len(linked.words) and linked.words[behind].lower in _OWN
    return own or _noun(linked, behind) is not None


def _behind(linked: Linked, at: int) -> int:
    """The first word behind "all of the"."""
    return next(
        (i for i in range(at + 1, len(linked.words)) if linked.words[i].lower not in _OF_THEM),
        len(linked.words),
    )


def _noun(linked: Linked, start: int) -> Mention | None:
    """The noun that begins here, behind values at most: "red buses"."""
    for mention in linked.mentions:
        near = start <= mention.start <= start + _NEAR
        if near and any(t.kind == "label" for t in mention.terms) and not mention.number:
            rest = {i for m in linked.mentions if m.values for i in range(m.start, m.end)}
            return mention if set(range(start, mention.start)) <= rest else None
    return None


def _is_object(linked: Linked, words: list[str], at: int) -> bool:
    """Whether something is stated between what is asked for and "all": a verb, or being at a place."""
    for opener in range(at - 1, -1, -1):
        start = _statement(linked, words, opener, at)
        if start is not None:
            return _states(words[start:at])
    whether = len(words) > 1 and words[0] in _WHETHER and words[1] not in _ADDRESSED
    return whether and _states(words[1:at])


def _statement(linked: Linked, words: list[str], opener: int, at: int) -> int | None:
    """Where it begins, if a question or a relative clause is opened here."""
    word = words[opener]
    if word == "who":
        return opener + 1
    heads = [m for m in linked.mentions if m.end <= at and any(t.kind == "label" for t in m.terms)]
    if word in ("that", "which") and any(m.end == opener for m in heads):
        return opener + 1
    many = word == "many" and words[opener - 1] == "how" and words[at] == "all"
    if not (word in _ASKED or many) or words[opener + 1] in _WHETHER:
        return None
    head = next((m.end for m in heads if opener < m.start <= opener + 1 + _NEAR), opener + 2)
    together = many and words[at - 1] in _WHETHER - _BEING  # "how many parcels did all couriers bring"
    return None if together else head


def _states(between: list[str]) -> bool:
    said = set(between) - _EMPTY
    return bool(said - _BEING) or (bool(said) and between[-1] in _PLACING)


def _is_tree(query: Query) -> bool:
    reached = _reached(query.answer, query.edges)
    return len(query.edges) == len(query.nodes) - 1 and len(reached) == len(query.nodes)


def _reached(start: int, edges: tuple[Edge, ...] | list[Edge]) -> set[int]:
    reached = {start}
    while more := set().union(*({e.start, e.end} for e in edges if {e.start, e.end} & reached)) - reached:
        reached |= more
    return reached


def _way(query: Query, them: int) -> list[Edge]:
    """The relationships between what is asked for and a node of a tree."""
    kept = list(query.edges)
    for edge in query.edges:
        without = [e for e in kept if e is not edge]
        if them in _reached(query.answer, without):
            kept = without
    return kept


def _moved(edge: Edge, place: dict[int, int]) -> Edge:
    return replace(edge, start=place[edge.start], end=place[edge.end])


def _of_theirs(condition: Filter, theirs: set[int], place: dict[int, int]) -> list[Filter]:
    """The condition on the copy, where it is one of theirs."""
    if condition.ref.owner not in theirs:
        return []
    other = condition.other and replace(condition.other, owner=place[condition.other.owner])
    return [replace(condition, ref=replace(condition.ref, owner=place[condition.ref.owner]), other=other)]
