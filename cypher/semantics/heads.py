"""The head of a question: what it returns, measured, grouped, sorted and cut."""

from __future__ import annotations

from cypher.semantics.cues import FLIPPED, Cue
from cypher.semantics.draft import Draft
from cypher.semantics.ir import CountFilter, Head, Measure, Order, PropertyRef, Query
from cypher.semantics.numbers import hinted
from cypher.semantics.projection import HeadParts, project
from cypher.semantics.state import Pending
from cypher.semantics.text import identifier_words

_WH = (
    "which",
    "what",
    "who",
    "whom",
    "list",
    "show",
    "find",
    "give",
    "name",
    "identify",
    "get",
    "return",
    "tell",
)


def build_query(draft: Draft, having: CountFilter | None, limit: int | None) -> Query | None:
    """The query of a draft, or ``None`` where nothing can be returned."""
    first = _answer(draft, having)
    if first is None:
        ref = draft.resolve(draft.pending[0]) if draft.pending else None
        if ref is None or ref.on_edge:
            return None
        first = ref.owner
    parts = HeadParts(first, limit=limit, show_order=having is not None and having.tells)
    _measured(draft, parts)
    _superlative(draft, parts)
    project(draft, parts)
    if _asks_whether(draft) and parts.head is Head.LIST:
        parts.head = Head.EXISTS
    return Query(
        nodes=tuple(draft.nodes),
        edges=tuple(draft.edges),
        filters=tuple(draft.filters),
        answer=parts.answer,
        head=parts.head,
        project=parts.project,
        measure=parts.measure,
        measured=parts.measured,
        group=parts.group,
        having=having,
        order=parts.order,
        limit=parts.limit,
        show_order=parts.show_order,
    )


def _answer(draft: Draft, having: CountFilter | None) -> int | None:
    """The node asked for: the first noun behind the question word, else the first one named by its label."""
    placed = draft.state.nodes
    named = [i for i, n in enumerate(placed) if (n.set or n.kind) and not (having and having.node == i)]
    told = {(c.node, c.mention) for c in draft.state.conditions}
    free = [
        i
        for i in named
        if not any(n == i and not (placed[i].kind and m == placed[i].mention) for n, m in told)
    ]
    words = draft.ctx.linked.words
    for i, word in enumerate(words):
        if word.lower in _WH:
            after = [k for k in named if i <= placed[k].start <= i + 4]
            if after and not any(placed[k].start < i and "," not in _between(draft, k, i) for k in named):
                return min(after, key=lambda k: placed[k].start)
            break
    pool = free or named or list(range(len(placed)))
    return min(pool, key=lambda k: placed[k].start) if pool else None


def _between(draft: Draft, node: int, word: int) -> list[str]:
    return [w.text for w in draft.ctx.linked.words[draft.state.nodes[node].end : word]]


def _after(draft: Draft, cue: Cue, *, reach: int = 6) -> tuple[int | None, Pending | None]:
    """The noun and the property word that follow a cue, whichever is nearer first."""
    at = draft.ctx.linked.word_at(cue.end)
    nodes = [(n.start, i) for i, n in enumerate(draft.state.nodes) if at <= n.start <= at + reach]
    held = [(p.start, p) for p in draft.pending if at <= p.start <= at + reach]
    node, prop = min(nodes, default=None), min(held, default=None, key=lambda h: h[0])
    if node and prop:
        return (node[1], None) if node[0] < prop[0] else (None, prop[1])
    return (node[1] if node else None), (prop[1] if prop else None)


def _measured(draft: Draft, parts: HeadParts) -> None:
    linked = draft.ctx.linked
    each = linked.cue("each")
    for kind, measure in (("avg", Measure.AVG), ("count", Measure.COUNT), ("sum", Measure.SUM)):
        cue = linked.cue(kind)
        if cue is None:
            continue
        node, held = _after(draft, cue)
        if measure is not Measure.COUNT and held is None:
            continue
        if node is not None and held is None:
            end = draft.state.nodes[node].end
            held = next((p for p in draft.pending if p.start == end), None)
        if held is not None:
            ref = draft.resolve(held)
            if ref is None or (measure is not Measure.COUNT and _is_text(draft, ref)):
                continue
            draft.pending.remove(held)
            counted, parts.measured = ref.owner if not ref.on_edge else parts.answer, ref
        else:
            if node is None:
                continue
            counted = node
        adds_up = (
            measure is Measure.COUNT
            and parts.measured is not None
            and linked.cue("sum") is not None
            and _is_amount(draft, parts.measured)
        )
        parts.measure = Measure.SUM if adds_up else measure
        parts.head = Head.COUNT if parts.measure is Measure.COUNT else Head.AGGREGATE
        _group(draft, parts, each, counted)
        return


def _is_text(draft: Draft, ref: PropertyRef) -> bool:
    """Whether a property holds plain text, of which there is no mean and no sum: "the average kind"."""
    info = None if ref.on_edge else draft.info(draft.nodes[ref.owner].label, ref.name)
    return info is not None and not (info.numeric or info.dated or info.many or ref.sized)


def _is_amount(draft: Draft, ref: PropertyRef) -> bool:
    """Whether a property holds numbers that add up: "how many seconds in total"."""
    if ref.on_edge:
        return ref.numeric_text
    info = draft.info(draft.nodes[ref.owner].label, ref.name)
    return info is not None and info.numeric and not info.dated


def _group(draft: Draft, parts: HeadParts, each: Cue | None, counted: int) -> None:
    """ "for each film", "grouped by gender": one measure for each of them."""
    node, held = _after(draft, each) if each else (None, None)
    if node is not None and node != counted:
        parts.head, parts.answer = Head.GROUP, node
    elif held is not None and (ref := draft.resolve(held)):
        draft.pending.remove(held)
        parts.head, parts.group = Head.GROUP, ref
        parts.answer = counted
    else:
        parts.answer = counted
        return
    parts.measured = parts.measured or PropertyRef(counted, "")


def _most_common(draft: Draft, parts: HeadParts, held: Pending, descending: bool) -> None:
    """ "The most common rank": values of a property by how often they occur."""
    ref = draft.resolve(held)
    if ref is None:
        return
    draft.pending.remove(held)
    parts.head, parts.group, parts.measure = Head.GROUP, ref, Measure.COUNT
    parts.measured = PropertyRef(parts.answer if ref.on_edge else ref.owner, "")
    parts.order = Order(count_of=parts.measured.owner, descending=descending)
    parts.limit = parts.limit or 1


def _asked_property(draft: Draft, parts: HeadParts, most: Cue | None) -> Pending | None:
    """The property whose values are ranked: "the most common crime type", "on which day were most calls"."""
    linked = draft.ctx.linked
    if parts.head is not Head.LIST:
        return None
    cue = most or next((c for c in linked.cues if c.kind == "super" and c.argument == "desc"), None)
    if cue is None:
        return None
    said = linked.text[cue.start : cue.end].lower()
    node, _ = _after(draft, cue)
    start = linked.word_at(cue.end)
    if any(w in said for w in ("common", "frequent", "often", "popular")):
        return next((p for p in draft.pending if start <= p.start <= start + 4), None)
    if node is None or (most is None and said != "most"):
        return None
    at = linked.word_at(cue.start)
    first = next((p for p in draft.pending if p.end <= at), None)
    named = [n for n in draft.state.nodes if n.set and n.end <= at]
    if first is None or named or draft.nodes[node].label not in first.owners:
        return None
    return first


def _superlative(draft: Draft, parts: HeadParts) -> None:
    linked = draft.ctx.linked
    most = linked.cue("most")
    if asked := _asked_property(draft, parts, most):
        _most_common(draft, parts, asked, "asc" not in (most or linked.cue("super")).argument)  # type: ignore[union-attr]
        return
    if most is not None:
        node, held = _after(draft, most)
        if node is not None and held is None and node != parts.answer:
            parts.order = Order(count_of=node, descending=most.argument == "desc")
            said = linked.text[most.start : most.end].lower()
            ranked = said.startswith(("by", "based", "according", "in terms"))
            parts.limit, parts.show_order = parts.limit or (None if ranked else 1), True
            return
        if held is not None and parts.head is Head.LIST:
            _most_common(draft, parts, held, most.argument == "desc")
            return
    cue = linked.cue("super")
    if cue is None:
        _sorted(draft, parts)
        return
    way, _, hint = cue.argument.partition(":")
    node, held = _after(draft, cue, reach=3)
    descending = way == "desc"
    if held is not None and (ref := draft.resolve(held)):
        draft.pending.remove(held)
        if _is_plain_extreme(draft, cue, parts):
            parts.head, parts.measured = Head.AGGREGATE, ref
            parts.measure = Measure.MAX if descending else Measure.MIN
            return
        _ordered(parts, ref, descending)
        return
    if node is not None and not hint and node != parts.answer and parts.head is Head.LIST:
        parts.order = Order(count_of=node, descending=descending)
        parts.limit, parts.show_order = parts.limit or 1, True
        return
    if hint:
        for owner in dict.fromkeys((node, parts.answer)):
            if owner is None:
                continue
            info = hinted([i for i in draft.properties(owner) if i.numeric or i.dated], hint)
            if info is not None:
                flip = hint == "age" and any(w in FLIPPED for w in identifier_words(info.name))
                _ordered(parts, draft.ref(owner, info.name), descending != flip)
                return


def _ordered(parts: HeadParts, ref: PropertyRef, descending: bool) -> None:
    parts.order = Order(ref=ref, descending=descending, extreme=True)
    parts.show_order = bool(parts.limit)


def _is_plain_extreme(draft: Draft, cue: Cue, parts: HeadParts) -> bool:
    """ "What is the highest price of ...": the value itself is wanted, not the thing that has it."""
    at = draft.ctx.linked.word_at(cue.start)
    return not any(n.set and n.start < at for n in draft.state.nodes) and parts.limit is None


def _sorted(draft: Draft, parts: HeadParts) -> None:
    cue = draft.ctx.linked.cue("order")
    if cue is None:
        return
    node, held = _after(draft, cue)
    text = draft.ctx.linked.text[cue.end :].lower()
    descending = cue.argument == "desc" or "descending" in text or "highest first" in text
    if held is not None and (ref := draft.resolve(held)):
        draft.pending.remove(held)
        parts.order = Order(ref=ref, descending=descending)
    elif node is not None and node != parts.answer:
        parts.order = Order(count_of=node, descending=descending)


def _asks_whether(draft: Draft) -> bool:
    """Whether yes or no is asked: nothing but known things is named ("is Ann a friend of Ben")."""
    linked = draft.ctx.linked
    told = {c.node for c in draft.state.conditions}
    if any(n.set and i not in told for i, n in enumerate(draft.state.nodes)):
        return False
    return linked.cue("exists") is not None and linked.cue("exists").start == 0  # type: ignore[union-attr]
