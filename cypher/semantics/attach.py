"""How a mention may continue a partial reading: a new node on some path, a condition, a property."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cypher.semantics.joining import is_or, join
from cypher.semantics.lexicon import ANYBODY, NAME, Term
from cypher.semantics.mentions import Mention
from cypher.semantics.state import Condition, Context, Pending, Placed, State
from cypher.semantics.values import StoredValue

_RELATIVE: Final = frozenset({"that", "which", "who", "whom"})
_POINTING: Final = frozenset({"that", "those", "these", "this", "such", "their", "its"})


def expand(state: State, number: int, ctx: Context) -> list[State]:
    """Every way to read mention ``number`` after ``state``."""
    mention = ctx.mentions[number]
    out: list[State] = []
    for term in mention.terms:
        if term.kind == "label":
            out += _label(state, term, number, ctx)
        elif term.kind == "relation" and term.agent and not any(t.kind == "label" for t in mention.terms):
            out += _agent(state, term, number, ctx)
        elif term.kind == "property":
            out += _property(state, term, number, ctx)
    if number not in ctx.compared:
        out += _values(state, number, ctx)
    if mention.number is not None or mention.day is not None:
        out.append(state)
    else:
        cost = 0.0 if mention.start == mention.end else 1.0
        if any(t.kind == "relation" for t in mention.terms):
            cost *= 0.3
        out.append(state.plus(("skip", cost)))
    return out


def _label(state: State, term: Term, number: int, ctx: Context) -> Iterator[State]:
    mention = ctx.mentions[number]
    for i, node in enumerate(state.nodes):
        if node.label == term.name and node.by_value and not node.set and mention.start - node.end <= 1:
            merged = replace(node, end=mention.end, set=True)
            nodes = (*state.nodes[:i], merged, *state.nodes[i + 1 :])
            yield replace(state, nodes=nodes).plus(("label", term.weight), ("merge", 1.0))
    again = list(_again(state, term.name, mention, ctx, gain=("label", term.weight)))
    yield from again
    if again and _is_pointed(mention, ctx):
        return
    placed = Placed(term.name, mention.start, mention.end, number, set=True)
    for joined in join(state, placed, ctx):
        yield _possessed(joined, mention, ctx).plus(("label", term.weight))


def _again(
    state: State, label: str, mention: Mention, ctx: Context, *, gain: tuple[str, float]
) -> Iterator[State]:
    """A noun that means a node named before: "for each planet ... whose homeworld is that planet"."""
    before = ctx.linked.words[mention.start - 1].lower if mention.start else ""
    pointed = _is_pointed(mention, ctx)
    if mention.text.lower() in ANYBODY:
        return
    same = [i for i, n in enumerate(state.nodes) if n.label == label and n.set]
    for _i in same[-2:]:
        if pointed:
            yield state.plus(gain, ("again_pointed", 1.0))
        elif before not in ("another", "other", "a", "an", "same"):
            yield state.plus(gain, ("again", 1.0))


def _is_pointed(mention: Mention, ctx: Context) -> bool:
    return mention.start > 0 and ctx.linked.words[mention.start - 1].lower in _POINTING


def _property(state: State, term: Term, number: int, ctx: Context) -> Iterator[State]:
    mention = ctx.mentions[number]
    for condition in state.conditions[-1:]:
        value, at = condition.values[0], ctx.mentions[condition.mention]
        if (
            value.property == ctx.property_of(term.name, value.owner)
            and value.owner in term.owners
            and 0 <= mention.start - at.end <= 3
        ):
            yield state.plus(("property", term.weight), ("named_value", 1.0))
    held = Pending(term.name, term.owners, number, mention.start, mention.end)
    yield replace(state, pending=(*state.pending, held)).plus(("property", term.weight))


def _agent(state: State, term: Term, number: int, ctx: Context) -> Iterator[State]:
    mention = ctx.mentions[number]
    ends = {t.start if term.side == 1 else t.end for t in ctx.schema.triples if t.type == term.name}
    for label in sorted(ends):
        yield from _again(state, label, mention, ctx, gain=("agent", term.weight))
        placed = Placed(label, mention.start, mention.end, number, set=True, agent=term.name)
        for joined in join(state, placed, ctx):
            yield _possessed(joined, mention, ctx).plus(("agent", term.weight))


def _possessed(state: State, mention: Mention, ctx: Context) -> State:
    """In "where Ann's friends live" it is the friends who live there: they take over Ann's own link."""
    before = ctx.linked.words[mention.start - 1].text.lower() if mention.start else ""
    if not before.endswith(("'s", "s'")) or len(state.links) < 2:
        return state
    owned, old = state.links[-1], state.links[-2]
    new = len(state.nodes) - 1
    ends = [k for k, step in enumerate(old.path) if step.to == state.nodes[new].label]
    if owned.a != old.b or not ends:
        return state
    return replace(
        state, links=(*state.links[:-2], replace(old, b=new, path=old.path[: ends[-1] + 1]), owned)
    )


def _values(state: State, number: int, ctx: Context) -> Iterator[State]:
    mention = ctx.mentions[number]
    groups: dict[tuple[str, str], list[tuple[StoredValue, float]]] = defaultdict(list)
    for value, score in mention.values:
        groups[value.owner, value.property].append((value, score))
    for (owner, prop), found in groups.items():
        best = max(score for _, score in found)
        chosen = tuple(v for v, score in found if score == best)
        if chosen[0].of_relation:
            held = Condition(-1, chosen, number, _negated(mention, ctx))
            base = replace(state, conditions=(*state.conditions, held))
            yield _take_pending(base, prop, owner, mention).plus(("value", 0.8 * best))
            continue
        yield from _node_value(state, number, owner, chosen, best, ctx)


def _node_value(
    state: State, number: int, owner: str, chosen: tuple[StoredValue, ...], best: float, ctx: Context
) -> Iterator[State]:
    mention, prop = ctx.mentions[number], chosen[0].property
    store = ctx.schema.label(owner)
    named = 1.0 if store and store.name_property == prop else 0.0
    gains = (("value", best), ("name_value", named))
    negated = _negated(mention, ctx)
    partner = _name_partner(state, number, owner, prop, ctx)
    for i, node in enumerate(state.nodes):
        if node.label != owner or (partner is not None and partner != i):
            continue
        taken = [c for c in state.conditions if c.node == i and c.values[0].property == prop]
        if named and _is_in_clause(node.end, mention.start, ctx):
            continue
        if taken and (
            not is_or(mention, ctx) or ((named or _is_paired(mention, ctx)) and _is_both(mention, ctx))
        ):
            continue
        held = Condition(i, chosen, number, negated)
        gap = max(mention.start - node.end, 0)
        between = sum(1 for n in state.nodes if n.start > node.start)
        apart = _verb_between(node.end, mention.start, ctx) or _ends_in_of(node, ctx)
        near = _nearness(gap, between, bool(named), apart)
        merged = replace(node, end=max(node.end, mention.end)) if near >= 0.8 else node
        base = replace(
            state,
            nodes=(*state.nodes[:i], merged, *state.nodes[i + 1 :]),
            conditions=(*state.conditions, held),
        )
        yield _take_pending(base, prop, owner, mention).plus(
            *gains, ("merge", near), ("merge_gap", float(between))
        )
    if partner is not None:
        return
    placed = Placed(owner, mention.start, mention.end, number, by_value=True, kind=_is_kind(mention, ctx))
    for joined in join(state, placed, ctx):
        apart = bool(joined.links) and joined.links[-1].negated
        held = Condition(len(joined.nodes) - 1, chosen, number, negated and not apart)
        base = replace(joined, conditions=(*joined.conditions, held))
        yield _take_pending(base, prop, owner, mention).plus(*gains)


def _name_partner(state: State, number: int, owner: str, prop: str, ctx: Context) -> int | None:
    """The node of the value right before: first name and surname are of one person."""
    if not state.conditions or state.conditions[-1].mention != number - 1:
        return None
    last = state.conditions[-1]
    if last.node < 0 or state.nodes[last.node].label != owner or last.values[0].property == prop:
        return None
    return last.node if ctx.mentions[number - 1].end == ctx.mentions[number].start else None


def _nearness(gap: int, between: int, named: bool, verb: bool) -> float:
    """How surely a value describes a noun before it; a name behind a verb is rather another node's."""
    if (gap <= 1 and not (verb and named)) or (not between and not verb):
        return 1.0
    if not between and not named:
        return 0.8
    return 0.2


def _ends_in_of(node: Placed, ctx: Context) -> bool:
    """Whether "of" or "by" follows a noun for a relation: its name is another's ("housemates of Ann")."""
    words = [w.lower for w in ctx.linked.words[max(node.end - 1, 0) : node.end + 1]]
    return bool(node.agent) and any(w in ("of", "by", "to") for w in words)


def _is_in_clause(start: int, end: int, ctx: Context) -> bool:
    """Whether a name is of another in a clause: "people that | Ann called", "who called | Ann".

    "Called" gives a name, too, but not behind "who" or "that", if there is a relationship of that word.
    """
    words = [w.lower for w in ctx.linked.words[start:end]]
    if words[-1:] and words[-1] in (*_RELATIVE, "by"):
        return True
    calls = len(words) > 1 and words[-1] == "called" and words[-2] in _RELATIVE
    return calls and any(m.start == end - 1 for m in ctx.linked.relations)


def _verb_between(start: int, end: int, ctx: Context) -> bool:
    """Whether a word for a relationship stands in ``[start, end)``."""
    return any(m.is_relation_only and start <= m.start < end for m in ctx.linked.relations)


def _take_pending(state: State, prop: str, owner: str, mention: Mention) -> State:
    """The property word right in front of (or behind) a value is the value's own: "rank Sergeant"."""
    for i, held in enumerate(state.pending):
        near = 0 <= mention.start - held.end <= 4 or 0 <= held.start - mention.end <= 1
        if near and held.name in (prop, NAME) and owner in held.owners:
            left = state.pending[:i] + state.pending[i + 1 :]
            return replace(state, pending=left).plus(("named_value", 1.0))
    if mention.number is not None and not mention.quoted:
        return state.plus(("loose_value", 1.5))
    return state


def _is_kind(mention: Mention, ctx: Context) -> bool:
    """Whether a value is said as a noun for things of a kind: in small letters and in the plural."""
    if mention.start and ctx.linked.words[mention.start - 1].lower in ("which", "what"):
        return True
    word = ctx.linked.words[mention.end - 1].text if mention.end > mention.start else ""
    return word.islower() and word.endswith("s") and not mention.quoted


def _is_both(mention: Mention, ctx: Context) -> bool:
    """Whether "and" stands before a name: then two things are meant, not either of them."""
    return any(w.lower == "and" for w in ctx.linked.words[max(0, mention.start - 2) : mention.start])


def _is_paired(mention: Mention, ctx: Context) -> bool:
    """Whether "both" stands somewhere in front."""
    return any(w.lower == "both" for w in ctx.linked.words[: mention.start])


def _negated(mention: Mention, ctx: Context) -> bool:
    if mention.start >= len(ctx.linked.words):
        return False
    offset = ctx.linked.words[mention.start].start
    for cue in ctx.linked.cues:
        if cue.kind == "not" and cue.end <= offset:
            between = ctx.linked.word_at(offset) - ctx.linked.word_at(cue.end)
            since = ctx.linked.word_at(cue.end)
            others = [
                m
                for m in (*ctx.mentions, *ctx.linked.relations)
                if since <= m.start and m.end <= mention.start and not _is_property(m)
            ]
            if between <= 5 and not others:
                return True
    return False


def _is_property(mention: Mention) -> bool:
    return bool(mention.terms) and any(t.kind == "property" for t in mention.terms)
