"""Composes readings of a linked question by beam search through the schema."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cypher.semantics.attach import expand
from cypher.semantics.draft import Draft
from cypher.semantics.heads import build_query
from cypher.semantics.ir import Query
from cypher.semantics.lexicon import PERSONS, Term, Words
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.numbers import apply_numbers, precedes_noun
from cypher.semantics.schema_paths import SchemaPaths
from cypher.semantics.state import Context, State
from cypher.semantics.text import stem
from schemas.store_schema import StoreSchema

BEAM: Final = 16
MOST_READINGS: Final = 8
WIDE: Final = 20
"""Readings, where more is known of words than a phrase says, so that a late one may come first."""
_DETERMINERS: Final = frozenset({"the", "all", "a", "his", "her", "their", "which", "what", "any"})
_PLACES: Final = ("location", "place", "city", "country", "planet", "address", "area", "region")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reading with its score and features."""

    query: Query
    score: float
    features: tuple[tuple[str, float], ...]


def compose(
    linked: Linked, schema: StoreSchema, paths: SchemaPaths, words: Words, *, most: int = MOST_READINGS
) -> tuple[Candidate, ...]:
    """Readings of a question, best first, at most so many; none when nothing of it fits the schema."""
    mentions = _with_asked(_with_nouns(linked, schema), schema)
    ctx = Context(schema, paths, words, linked, mentions, _compared(linked, mentions), _spoken(linked))
    states = [State()]
    for number in range(len(mentions)):
        longer = [after for state in states for after in expand(state, number, ctx)]
        longer.sort(key=lambda s: -s.score)
        states = longer[: max(BEAM, most)]
    found: dict[Query, Candidate] = {}
    for state in states:
        made = _finish(state, ctx)
        if made and (made.query not in found or found[made.query].score < made.score):
            found[made.query] = made
    return tuple(sorted(found.values(), key=lambda c: -c.score)[:most])


def _finish(state: State, ctx: Context) -> Candidate | None:
    draft = Draft(state, ctx)
    having, limit = apply_numbers(draft)
    query = build_query(draft, having, limit)
    if query is None:
        return None
    unused = sum(
        max(t.weight for t in m.terms)
        for i, m in enumerate(ctx.linked.relations)
        if i not in state.used and i not in draft.opened and m.is_relation_only
    )
    done = state.plus(*draft.penalty, ("cue_unused", unused))
    return Candidate(query, done.score, done.features)


def _spoken(linked: Linked) -> dict[str, list[tuple[int, float]]]:
    out: dict[str, list[tuple[int, float]]] = {}
    for index, mention in enumerate(linked.relations):
        best: dict[str, float] = {}
        for term in mention.terms:
            if term.kind == "relation":
                best[term.name] = max(term.weight, best.get(term.name, 0.0))
        for kind, weight in best.items():
            out.setdefault(kind, []).append((index, weight))
    return out


def _compared(linked: Linked, mentions: tuple[Mention, ...]) -> frozenset[int]:
    out = set()
    for i, mention in enumerate(mentions):
        small = mention.number is not None and 1 <= mention.number <= 100 and not mention.quoted
        if small and precedes_noun(linked, mentions, i):
            out.add(i)
        for cue in linked.cues:
            gap = mention.start - linked.word_at(cue.end)
            if cue.kind == "compare" and 0 <= gap <= 2 and (mention.number is not None or mention.day):
                out.add(i)
            if cue.kind == "text" and 0 <= gap <= 1:
                out.add(i)
            if (
                cue.kind in ("between", "top")
                and cue.start <= linked.words[min(mention.start, len(linked.words) - 1)].start < cue.end
            ):
                out.add(i)
    return frozenset(out)


def _with_nouns(linked: Linked, schema: StoreSchema) -> Linked:
    """Reads "the friends of" and "Ann's friends" as nouns, where the relation joins nodes of one label."""
    selves = {t.type for t in schema.triples if t.start == t.end}
    nouns: list[Mention] = []
    for mention in linked.relations:
        kinds = [t for t in mention.terms if t.kind == "relation" and t.name in selves]
        before = linked.words[mention.start - 1].text.lower() if mention.start else ""
        if mention.is_relation_only and kinds and (_is_determined(linked, mention, before)):
            terms = tuple(replace(t, agent=True, side=1) for t in kinds)
            nouns.append(replace(mention, terms=terms))
    if not nouns:
        return linked
    merged = sorted((*linked.mentions, *nouns), key=lambda m: m.start)
    return replace(linked, mentions=tuple(merged))


def _is_determined(linked: Linked, mention: Mention, before: str) -> bool:
    """Whether an article, a possessive or a superlative makes the word a noun."""
    if before in _DETERMINERS or before.endswith(("'s", "s'")):
        return True
    return any(
        c.kind in ("super", "most", "count") and linked.word_at(c.end) == mention.start for c in linked.cues
    )


def _with_asked(linked: Linked, schema: StoreSchema) -> tuple[Mention, ...]:
    """Adds the noun that "who" and "where" stand for, where they are not mere relative words."""
    labels = {stem(label.name.lower()): label.name for label in schema.labels}
    for kind, names in (("who", PERSONS), ("where", _PLACES)):
        cue = linked.cue(kind)
        if cue is None or any(m.start < linked.word_at(cue.start) for m in linked.mentions):
            continue
        found = [labels[stem(n)] for n in names if stem(n) in labels]
        at = linked.word_at(cue.start)
        if found:
            terms = tuple(Term("label", name, weight=0.5) for name in found)
            return (Mention(at, at + 1, linked.words[at].text, terms), *linked.mentions)
    return linked.mentions
