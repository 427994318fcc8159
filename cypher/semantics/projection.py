"""Which properties a question returns, and which it only says that something has or lacks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cypher.semantics.draft import Draft
from cypher.semantics.ir import Filter, Head, Measure, Operator, Order, PropertyRef
from cypher.semantics.numbers import hinted
from cypher.semantics.state import Pending
from schemas.store_schema import PropertyType


@dataclass(slots=True)
class HeadParts:
    """Decisions about the head, before the query is made."""

    answer: int
    head: Head = Head.LIST
    project: tuple[PropertyRef, ...] = ()
    measure: Measure | None = None
    measured: PropertyRef | None = None
    group: PropertyRef | None = None
    order: Order | None = None
    limit: int | None = None
    show_order: bool = False


def project(draft: Draft, parts: HeadParts) -> None:
    """Sets what is returned, and with it whose things are asked for."""
    refs: list[PropertyRef] = []
    leading = False
    for held in _wanted(draft):
        leading = leading or _is_asked(draft, held)
        ref = draft.resolve(held)
        if ref is None:
            draft.penalty.append(("property_lost", 1.0))
            continue
        if not ref.on_edge and ref.owner >= len(draft.state.nodes) and _is_owned(draft, held):
            continue
        refs.append(ref)
        owner = None if ref.on_edge else ref.owner
        if owner is not None and owner < len(draft.state.nodes):
            leading = leading or held.start < draft.state.nodes[owner].start
        else:
            leading = True
    if not refs and (ref := _asked_day(draft, parts)):
        refs, leading = [ref], True
    if not refs or parts.head in (Head.COUNT, Head.AGGREGATE, Head.GROUP):
        return
    if leading and parts.head is Head.LIST and not refs[0].on_edge:
        parts.answer = refs[0].owner
        parts.project = tuple(dict.fromkeys(refs))
        return
    label = draft.ctx.schema.label(draft.nodes[parts.answer].label)
    name = (draft.ref(parts.answer, label.name_property),) if label and label.name_property else ()
    parts.project = tuple(dict.fromkeys((*name, *refs)))


def _is_asked(draft: Draft, held: Pending) -> bool:
    """Whether "which" or "what" asks for the property itself: "which Audi models", no noun between."""
    words = [w.lower for w in draft.ctx.linked.words[max(0, held.start - 3) : held.start]]
    near = [i for i, w in enumerate(words) if w in ("which", "what")]
    if not near:
        return False
    since = held.start - len(words) + near[-1]
    return not any(n.set and since <= n.start < held.start for n in draft.state.nodes)


def _is_owned(draft: Draft, held: Pending) -> bool:
    """Whether a property word only says what something has: "friends who have an e-mail address"."""
    words = [w.lower for w in draft.ctx.linked.words[max(0, held.start - 2) : held.start]]
    behind = any(n.set and n.end <= held.start for n in draft.state.nodes)
    return behind and any(w in ("have", "has", "had", "with", "own", "owns", "having") for w in words)


def _asked_day(draft: Draft, parts: HeadParts) -> PropertyRef | None:
    """What "when" asks for: the day of the first thing named that has one."""
    if draft.ctx.linked.cue("when") is None or parts.head is not Head.LIST:
        return None
    order = sorted(range(len(draft.state.nodes)), key=lambda i: (i != parts.answer, i))
    for node in order:
        info = hinted([i for i in draft.properties(node) if i.dated], "date")
        if info is not None:
            return draft.ref(node, info.name)
    return None


def _is_lacking(draft: Draft, held: Pending) -> bool:
    """Whether "no" or "without" stands right in front of a property word."""
    words = draft.ctx.linked
    return any(
        c.kind == "not"
        and 0 <= held.start - words.word_at(c.end) <= 1
        and words.text[c.start : c.end].lower() in ("no", "without", "lack", "lacks", "lacking")
        for c in words.cues
    )


def _deny(draft: Draft, held: Pending) -> bool:
    """ "People without an age", "with no e-mail address": the property lacks, or the node that has it."""
    known = len(draft.nodes), len(draft.edges)
    ref = draft.resolve(held)
    if ref is None:
        return False
    if len(draft.nodes) == known[0]:
        draft.filters.append(Filter(ref, Operator.UNKNOWN))
    else:
        draft.edges[known[1] :] = [replace(e, negated=True) for e in draft.edges[known[1] :]]
    return True


def _wanted(draft: Draft) -> list[Pending]:
    """Property words that are to be returned: without truth values, and without the name of a property."""
    out: list[Pending] = []
    for i, held in enumerate(draft.pending):
        if _is_lacking(draft, held) and _deny(draft, held):
            continue
        infos = [draft.info(o, draft.ctx.property_of(held.name, o)) for o in held.owners]
        if all(x and x.type is PropertyType.BOOLEAN for x in infos) and (ref := draft.resolve(held)):
            denied = any(
                c.kind == "not" and 0 <= held.start - draft.ctx.linked.word_at(c.start) <= 3
                for c in draft.ctx.linked.cues
            )
            draft.filters.append(Filter(ref, Operator.EQ, not denied))
            continue
        following = draft.pending[i + 1] if i + 1 < len(draft.pending) else None
        between = draft.ctx.linked.words[held.end : following.start] if following else ()
        if following and len(between) <= 3 and any(w.lower == "of" for w in between):
            continue
        out.append(held)
    return out
