"""Where a new node of a reading may hang: on which earlier node, by which path, and what speaks for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cypher.semantics.mentions import Mention
from cypher.semantics.schema_paths import MIRRORED, Path, Step
from cypher.semantics.score import total
from cypher.semantics.state import Context, Joined, Placed, State

MOST_JOINS: Final = 6
"""Joins kept for one new node of one partial reading."""
_AUXILIARY: Final = frozenset({"is", "are", "was", "were", "has", "have", "had", "do", "does", "did"})
_RELATIVE: Final = frozenset({"that", "which", "who", "whose", "whom", "where"})
_AND: Final = frozenset({"and", ",", "but"})
_OR: Final = frozenset({"or", "and", ",", "either"})


def is_or(mention: Mention, ctx: Context) -> bool:
    """Whether "or", "and" or a comma stands right in front."""
    return any(
        w in _OR for w in (x.lower for x in ctx.linked.words[max(0, mention.start - 2) : mention.start])
    )


def join(state: State, placed: Placed, ctx: Context) -> list[State]:
    """The reading with one more node, joined to each node that a path leads to."""
    if not state.nodes:
        return [replace(state, nodes=(placed,))]
    new = len(state.nodes)
    options: list[tuple[float, int, Path, tuple[tuple[str, float], ...], tuple[int, ...]]] = []
    for i, head in enumerate(state.nodes):
        common = _place_features(state, i, placed, ctx)
        for path in ctx.paths.between(head.label, placed.label):
            features, cues = _path_features(state, head, placed, path, ctx)
            both = common + features
            options.append((total(both), i, path, both, cues))
    options.sort(key=lambda o: (-o[0], o[1], len(o[2])))
    nodes = (*state.nodes, placed)
    if not options:
        return [replace(state, nodes=nodes).plus(("unattached", 1.0))]
    return [
        replace(
            state,
            nodes=nodes,
            links=(*state.links, Joined(i, new, path, cues, negated=_denied(placed, ctx))),
            used=state.used | set(cues),
        ).plus(*features)
        for _, i, path, features, cues in options[:MOST_JOINS]
    ]


def _denied(placed: Placed, ctx: Context) -> bool:
    """Whether "not" stands between a new node and the noun before it."""
    before = max((m.end for m in ctx.mentions if m.end <= placed.start), default=0)
    at = [ctx.linked.word_at(c.start) for c in ctx.linked.cues if c.kind == "not"]
    return any(before <= i < placed.start for i in at)


def _place_features(state: State, i: int, placed: Placed, ctx: Context) -> tuple[tuple[str, float], ...]:
    head, last = state.nodes[i], len(state.nodes) - 1
    after = sum(1 for n in state.nodes if n.start > head.start)
    out: list[tuple[str, float]] = [("distance", float(after))] if after else []
    between = [w.lower for w in ctx.linked.words[state.nodes[last].end : placed.start]]
    if i == last and last > 0 and any(w in _AND for w in between):
        out.append(("and_previous", 1.0))
    if i == last and between and between[0] in _RELATIVE:
        out.append(("relative", 1.0))
    if i == last and last > 0 and _is_main_verb(between):
        out.append(("main_verb", 1.0))
    if i == last and last > 0 and _is_closed(state, placed, ctx):
        out.append(("clause_closed", 1.0))
    return tuple(out)


def _is_closed(state: State, placed: Placed, ctx: Context) -> bool:
    """Whether a clause ended behind the last noun: "people that Ann *knows* live in Lund"."""
    link, last = (state.links[-1] if state.links else None), state.nodes[-1]
    if link is None or link.b != len(state.nodes) - 1:
        return False
    return any(last.end <= ctx.linked.relations[c].start < placed.start for c in link.cues)


def _is_main_verb(between: Sequence[str]) -> bool:
    """Whether the words go back to the sentence's subject: "people that live with Ann *are* involved in"."""
    for k, word in enumerate(between):
        if word in _AUXILIARY:
            return k == 0 or between[k - 1] not in _RELATIVE
    return False


def _path_features(
    state: State, head: Placed, placed: Placed, path: Path, ctx: Context
) -> tuple[tuple[tuple[str, float], ...], tuple[int, ...]]:
    features: list[tuple[str, float]] = [("hop", float(len(path) - 1))] if len(path) > 1 else []
    if len(path) == MIRRORED:
        heard = any(t in ctx.spoken for t in (path[1].type, path[2].type))
        features = [("mirrored", 1.0) if heard else ("mirrored_unheard", 1.0)]
    cues: list[int] = []
    here = head.label
    if 1 < len(path) < MIRRORED and head.label == placed.label:
        features.append(("detour", 1.0))
    if (
        placed.by_value
        and len(path) == 1
        and not _is_or_word(ctx, placed)
        and _mirrors(state, head, placed, path[0])
    ):
        features.append(("mirror", 1.0))
    known = {n.label for n in state.nodes}
    if any(s.to in known for s in path[:-1]):
        features.append(("passes_known", 1.0))
    for step in path:
        found = _best_cue(state, head, placed, step, cues, ctx)
        if found is None:
            parallel, share = ctx.paths.rivals(here, step)
            both = 1 if _alike(here, step, ctx) and not step.forward else 0
            features.append(("no_cue", math.log2(parallel) + 0.3 + 0.2 * both))
            features.append(("count_share", share))
        else:
            index, strength = found
            cues.append(index)
            features.append(("cue", strength))
            if _alike(here, step, ctx):
                features.append(("cue_side", _side(index, step, head, placed, ctx)))
        here = step.to
    return tuple(features), tuple(cues)


def _alike(here: str, step: Step, ctx: Context) -> bool:
    """Whether a step leads between things of one kind, so that only what is said tells who does it."""
    return any(
        ctx.schema.triple(here, t, step.to) and ctx.schema.triple(step.to, t, here) for t in step.types
    )


def _mirrors(state: State, head: Placed, placed: Placed, step: Step) -> bool:
    """Whether ``head`` already has a neighbour of that label by that type, which the value may describe."""
    for link in state.links:
        if len(link.path) == 1 and link.path[0].type == step.type:
            a, b = state.nodes[link.a], state.nodes[link.b]
            if (a is head and b.label == placed.label) or (b is head and a.label == placed.label):
                return True
    return False


def _best_cue(
    state: State, head: Placed, placed: Placed, step: Step, taken: Sequence[int], ctx: Context
) -> tuple[int, float] | None:
    best: tuple[int, float] | None = None
    low, high = min(head.start, placed.start), max(head.end, placed.end)
    said = ctx.spoken.get(step.type)
    if not said:
        return None
    limit = min([m.start for m in ctx.mentions if m.start >= high] + [len(ctx.linked.words)])
    for index, weight in said:
        strength = weight
        if index in taken:
            continue
        cue = ctx.linked.relations[index]
        own = _owner_of(cue, state, placed)
        if own is not None:
            if own not in (head, placed):
                continue
            strength = min(strength, 0.3)
        elif index in state.used:
            strength *= 0.5 if _is_or_word(ctx, placed) else 0.15
        if own is None and not (low <= cue.start and cue.end <= high):
            strength *= 0.8 if high <= cue.start <= limit else 0.35
        if best is None or strength > best[1]:
            best = index, strength
    return best


def _owner_of(cue: Mention, state: State, placed: Placed) -> Placed | None:
    """The node that a relation's word names too: "phone" in ``HAS_PHONE`` says no more than the node does."""
    for node in (*state.nodes, placed):
        if node.start <= cue.start < node.end and not node.agent and not cue.is_relation_only:
            return node
    return None


def _is_or_word(ctx: Context, placed: Placed) -> bool:
    return any(w.lower in _OR for w in ctx.linked.words[max(0, placed.start - 3) : placed.start])


def _side(index: int, step: Step, head: Placed, placed: Placed, ctx: Context) -> float:
    """Whether the voice of a relation's words fits the direction of a step between nodes of one label."""
    cue = ctx.linked.relations[index]
    said = {t.side for t in cue.terms if t.kind == "relation" and t.name == step.type} - {0}
    after = ctx.linked.words[cue.end].lower if cue.end < len(ctx.linked.words) else ""
    passive = after == "by" or said == {-1}
    head_first = head.start <= placed.start
    stranded = cue.start >= max(head.end, placed.end)
    forward = step.forward == head_first
    if stranded:
        forward = not forward
    return 1.0 if forward != passive else -1.0
