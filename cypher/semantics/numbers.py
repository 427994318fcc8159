"""Numbers of a question: compared properties, counts that are compared, and how many rows are wanted."""

from __future__ import annotations

from collections.abc import Sequence

from cypher.semantics.cues import FLIPPED, HINTS, OPERATORS, Cue
from cypher.semantics.draft import Draft
from cypher.semantics.ir import CountFilter, Filter, Literal, Operator, PropertyRef
from cypher.semantics.lexicon import PropertyInfo
from cypher.semantics.mentions import Linked, Mention
from cypher.semantics.state import Pending
from cypher.semantics.text import identifier_words
from cypher.word_lists import NUMBERS

_FLIP = {
    Operator.GT: Operator.LT,
    Operator.LT: Operator.GT,
    Operator.GE: Operator.LE,
    Operator.LE: Operator.GE,
}


_ENDS = frozenset(
    {
        *("until", "till", "to", "end", "ends", "ended", "ending", "finish", "finished"),
        *("closes", "closed", "closing", "expires", "expired", "expiry"),
    }
)


def tells_end(name: str) -> bool:
    """Whether a property says when something was over.

    >>> [tells_end(name) for name in ("endDate", "start_date", "until")]
    [True, False, True]
    """
    return bool(_ENDS & set(identifier_words(name)))


def hinted(properties: Sequence[PropertyInfo], hint: str) -> PropertyInfo | None:
    """The property whose name holds the best word of a hint ("age", "date")."""
    ordered = sorted(properties, key=lambda i: tells_end(i.name)) if hint == "date" else list(properties)
    if hint == "length":
        ordered = [i for i in ordered if not (i.time_text or i.dated)]  # a time of departure is no length
    for word in HINTS.get(hint, ()):
        for info in ordered:
            if word in identifier_words(info.name) or info.name.lower().startswith(word):
                return info
    return None


def apply_numbers(draft: Draft) -> tuple[CountFilter | None, int | None]:
    """Adds a filter for every number; gives back the compared count and the number of rows wanted."""
    having: CountFilter | None = None
    limit: int | None = None
    valued = {c.mention for c in draft.state.conditions}
    linked = draft.ctx.linked
    for cue in linked.cues:
        if cue.kind == "top":
            limit = NUMBERS.get(cue.argument.lower()) or int(cue.argument)
        elif cue.kind == "between":
            _between(draft, cue)
        elif cue.kind == "text":
            _text(draft, cue)
    for number, mention in enumerate(draft.ctx.mentions):
        if number in valued or (mention.number is None and mention.day is None):
            continue
        if any(
            c.kind in ("top", "between", "text") and c.start <= linked.words[mention.start].start < c.end
            for c in linked.cues
        ):
            continue
        if mention.quoted and any(
            c.kind == "text" and c.end <= linked.words[mention.start].start + 1 for c in linked.cues
        ):
            continue
        if _is_limit(draft, number):
            limit = int(mention.number or 1)
            continue
        cue_before = comparison(draft.ctx.linked.cues, mention, draft)
        node = _next_node(draft, number)
        if cue_before and node is not None and mention.number is not None and mention.day is None:
            operator = OPERATORS[cue_before.argument.rstrip("abcdefghijklmnopqrstuvwxyz")]
            having = CountFilter(node, operator, int(mention.number))
            continue
        _compare(draft, mention, cue_before)
    return having, limit


def _is_limit(draft: Draft, number: int) -> bool:
    """A bare number in front of a superlative or of the asked noun: "which 3 customers"."""
    linked, mention = draft.ctx.linked, draft.ctx.mentions[number]
    if mention.number is None or mention.day is not None or not 1 <= mention.number <= 100:
        return False
    if comparison(linked.cues, mention, draft):
        return False
    return precedes_noun(draft.ctx.linked, draft.ctx.mentions, number)


def comparison(cues: Sequence[Cue], mention: Mention, draft: Draft) -> Cue | None:
    """The comparison that stands right in front of a number."""
    words = draft.ctx.linked.words
    for cue in cues:
        if cue.kind == "compare":
            gap = mention.start - draft.ctx.linked.word_at(cue.end)
            if 0 <= gap <= 2 and words[mention.start].start >= cue.end:
                return cue
    return None


def _next_node(draft: Draft, number: int) -> int | None:
    """The node named right behind a number: "more than 5 films"."""
    mention = draft.ctx.mentions[number]
    if number + 1 >= len(draft.ctx.mentions):
        return None
    following = draft.ctx.mentions[number + 1]
    node = draft.node_of(number + 1)
    if node is None or following.start - mention.end > 1:
        return None
    return node


def _compare(draft: Draft, mention: Mention, cue: Cue | None) -> None:
    hint, operator = "", Operator.EQ
    if cue:
        sign = cue.argument.rstrip("abcdefghijklmnopqrstuvwxyz")
        hint, operator = cue.argument[len(sign) :], OPERATORS[sign]
    ref = _pending_ref(draft, mention) or _guess(draft, mention, hint, compared=cue is not None)
    if ref is None:
        draft.penalty.append(("number_lost", 1.0))
        return
    if hint == "age" and any(w in FLIPPED for w in identifier_words(ref.name)):
        operator = _FLIP.get(operator, operator)
    draft.filters.append(Filter(ref, operator, _literal(mention)))


def _literal(mention: Mention) -> Literal:
    if mention.day is not None:
        return mention.day.isoformat()
    assert mention.number is not None
    return int(mention.number) if mention.number == int(mention.number) else mention.number


def _pending_ref(draft: Draft, mention: Mention) -> PropertyRef | None:
    best: tuple[int, Pending] | None = None
    for held in draft.pending:
        gap = mention.start - held.end if held.end <= mention.start else held.start - mention.end + 2
        if gap > 7 or not _ordered(draft, held):
            continue
        if best is None or gap < best[0]:
            best = gap, held
    if best is None:
        return None
    ref = draft.resolve(best[1])
    if ref is not None:
        draft.pending.remove(best[1])
    return ref


def _ordered(draft: Draft, held: Pending) -> bool:
    infos = [draft.info(o, draft.ctx.property_of(held.name, o)) for o in held.owners]
    return any(i and (i.numeric or i.dated) for i in infos)


def _guess(draft: Draft, mention: Mention, hint: str, *, compared: bool) -> PropertyRef | None:
    """No property is named: by the comparison's hint, by a year's looks, or the only number there is."""
    before = [i for i, n in enumerate(draft.state.nodes) if n.start <= mention.start]
    year = mention.day is not None or (mention.number is not None and 1000 <= mention.number <= 2100)
    for node in sorted(before, key=lambda i: -draft.state.nodes[i].start):
        infos = draft.properties(node)
        info = hinted([i for i in infos if i.numeric or i.dated], hint) if hint else None
        if info is None and year:
            info = next((i for i in infos if i.dated and (i.numeric or mention.day is not None)), None)
        if info is None and compared and not year:
            numeric = [i for i in infos if i.numeric and not i.dated]
            info = numeric[0] if len(numeric) == 1 else None
        if info is not None:
            draft.penalty.append(("number_guess", 1.0))
            return draft.ref(node, info.name)
    return None


def _between(draft: Draft, cue: Cue) -> None:
    low, high = cue.argument.split("|")
    at = draft.ctx.linked.word_at(cue.start)
    numbers = [float(x.replace(",", "").rstrip(".")) if "-" not in x else None for x in (low, high)]
    if None in numbers:
        draft.penalty.append(("number_lost", 1.0))
        return
    first = Mention(at, at + 1, low, number=numbers[0])
    ref = _pending_ref(draft, first) or _guess(draft, first, "", compared=True)
    if ref is None:
        draft.penalty.append(("number_lost", 1.0))
        return
    for operator, value in ((Operator.GE, numbers[0]), (Operator.LE, numbers[1])):
        assert value is not None
        draft.filters.append(Filter(ref, operator, int(value) if value == int(value) else value))


def _text(draft: Draft, cue: Cue) -> None:
    """ "starts with 'A'": on the property in front, or on the name of the noun in front."""
    linked = draft.ctx.linked
    rest = linked.text[cue.end :].strip()
    quoted = rest[1:].split(rest[0])[0] if rest[:1] in ("'", '"') else rest.split(" ")[0].rstrip("?.,")
    at = linked.word_at(cue.start)
    held = next((p for p in reversed(draft.pending) if p.start < at), None)
    ref = None
    if held and at - held.end <= 4:
        ref = draft.resolve(held)
        if ref is not None and not any(held.end <= n.start < at for n in draft.state.nodes):
            draft.pending.remove(held)
    if ref is None:
        nodes = [i for i, n in enumerate(draft.state.nodes) if n.start < at]
        label = draft.ctx.schema.label(draft.nodes[nodes[-1]].label) if nodes else None
        if not label or not label.name_property:
            draft.penalty.append(("number_lost", 1.0))
            return
        ref = draft.ref(nodes[-1], label.name_property)
    draft.filters.append(Filter(ref, OPERATORS[cue.argument], quoted))


def precedes_noun(linked: Linked, mentions: Sequence[Mention], number: int) -> bool:
    """Whether a bare number stands in front of a superlative or of the first noun: "which 3 customers"."""
    mention = mentions[number]
    if any(c.kind in ("super", "most") and linked.word_at(c.start) == mention.end for c in linked.cues):
        return True
    if any(m.number is None and m.start < m.end <= mention.start for m in mentions[:number]):
        return False
    following = mentions[number + 1] if number + 1 < len(mentions) else None
    return (
        following is not None
        and following.start == mention.end
        and any(t.kind == "label" or t.agent for t in following.terms)
    )
