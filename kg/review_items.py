"""Reviewers' decisions on single records and statements, and their replay on a new extraction.

A decision says what the reviewer saw (``before``, the root) and what they made of it (``after``, the head).
Replay is a three-way merge with what the extractor says now, field by field: the reviewer's value stays,
and where the extractor says something that is neither root nor head a conflict is raised.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import model_validator

from kg.graph_diff import field_changes
from schemas.graphs import DocumentGraph, Evidence, Record, Statement, Status
from schemas.ids import DocumentKey
from schemas.language.anchors import find_quote_near
from schemas.model import Frozen
from schemas.review import Event, EventKind

ITEM_KINDS = (EventKind.ADD, EventKind.EDIT, EventKind.REJECT, EventKind.ACCEPT)
_MACHINE = frozenset({"confidence", "origin", "status"})
"""Fields in which a new run may differ without asking again."""


class ItemPayload(Frozen):
    """Payload of ADD, EDIT, REJECT and ACCEPT: a decision on one record or statement of a document."""

    document: DocumentKey
    base_run: str
    """The run that the reviewer saw."""
    before: Record | Statement | None = None
    """As seen; None for what was added."""
    after: Record | Statement | None = None
    """As decided; None for what was rejected."""
    reason: str = ""

    @model_validator(mode="after")
    def _one_item(self) -> ItemPayload:
        if self.before is None and self.after is None:
            raise ValueError("expected the item before or after the decision, found neither")
        if self.before is not None and self.after is not None and self.before.id != self.after.id:
            raise ValueError("expected one item, found two ids")
        return self

    @property
    def item(self) -> Record | Statement:
        """The item as decided, else as seen."""
        found = self.after if self.after is not None else self.before
        if found is None:
            raise ValueError("no item")  # the validator leaves no such payload
        return found

    @property
    def name(self) -> str:
        """The item in a few words."""
        item = self.item
        return f"{item.type} {item.name}" if isinstance(item, Record) else f"statement {item.type}"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision in force."""

    seq: int
    kind: EventKind
    payload: ItemPayload


class Conflict(Frozen):
    """A decision that a new run contradicts or that could not be applied; the decision stays in the log."""

    event: int
    document: DocumentKey
    item: str
    code: str
    """``differs``, ``returned``, ``evidence_lost`` or ``end_missing``."""
    detail: str

    def line(self) -> str:
        """One line for people."""
        return f"{self.document}: event {self.event}, {self.item}: {self.code}: {self.detail}"


def decisions_of(
    events: Iterable[Event], *, undone: Collection[int]
) -> dict[DocumentKey, tuple[Decision, ...]]:
    """The decisions in force by document, oldest first; none where all are undone."""
    found: dict[DocumentKey, list[Decision]] = {}
    for event in events:
        if event.kind in ITEM_KINDS:
            payload = ItemPayload.model_validate_json(event.payload)
            mine = found.setdefault(payload.document, [])
            if event.seq not in undone:
                mine.append(Decision(event.seq, event.kind, payload))
    return {key: tuple(mine) for key, mine in found.items()}


def later_decisions(log: Sequence[Event], base: Event, *, undone: Mapping[int, int]) -> list[int]:
    """Decisions in force that came after ``base`` and touch the same item, or have it as an end."""
    touched = _touched(ItemPayload.model_validate_json(base.payload))
    return [
        event.seq
        for event in log[base.seq :]
        if event.kind in ITEM_KINDS
        and event.seq not in undone
        and _touched(ItemPayload.model_validate_json(event.payload)) & touched
    ]


def _touched(payload: ItemPayload) -> set[str]:
    item = payload.item
    ends = {item.subject, item.object} if isinstance(item, Statement) and payload.before is None else set()
    return {item.id, *ends}


@dataclass(slots=True)
class _Replay:
    graph: DocumentGraph
    text: str
    records: dict[str, Record] = field(default_factory=dict)
    statements: dict[str, Statement] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)

    def conflict(self, decision: Decision, code: str, detail: str) -> None:
        payload = decision.payload
        self.conflicts.append(
            Conflict(
                event=decision.seq, document=payload.document, item=payload.name, code=code, detail=detail
            )
        )

    def now(self, item: Record | Statement) -> Record | Statement | None:
        """What the new run has for an item: the same id, or the same fact on the same quote."""
        if isinstance(item, Record):
            return self.records.get(item.id)
        found = self.statements.get(item.id)
        if found is not None:
            return found
        alike = [
            s
            for s in self.statements.values()
            if (s.type, s.subject, s.object) == (item.type, item.subject, item.object) and _shared(s, item)
        ]
        return alike[0] if len(alike) == 1 else None

    def put(self, item: Record | Statement) -> None:
        if isinstance(item, Record):
            self.records[item.id] = item
        else:
            self.statements[item.id] = item

    def drop(self, item: Record | Statement) -> None:
        """Take an item out; a record takes the statements that end in it along."""
        if isinstance(item, Record):
            self.records.pop(item.id, None)
            self.statements = {
                k: s for k, s in self.statements.items() if item.id not in (s.subject, s.object)
            }
        else:
            self.statements.pop(item.id, None)


def replay(
    graph: DocumentGraph, decisions: Sequence[Decision], text: str
) -> tuple[DocumentGraph, tuple[Conflict, ...]]:
    """The graph with the decisions applied, oldest first, and what they conflict with.

    ``text`` is the document's text now: quotes are looked up in it, and what has lost its quote is not put
    into the graph but listed.
    """
    run = _Replay(graph, text, {r.id: r for r in graph.records}, {s.id: s for s in graph.statements})
    for decision in decisions:
        if decision.payload.after is None:
            _reject(run, decision)
        else:
            _decide(run, decision, decision.payload.after)
    made = graph.model_copy(
        update={"records": tuple(run.records.values()), "statements": tuple(run.statements.values())}
    )
    return made, tuple(run.conflicts)


def _reject(run: _Replay, decision: Decision) -> None:
    item = decision.payload.item
    now = run.now(item)
    if now is None:
        return
    if now.evidence and item.evidence and not _shared(now, item):
        run.conflict(decision, "returned", f"found again on another quote: {now.evidence[0].quote[:120]!r}")
        return
    run.drop(now)


def _decide(run: _Replay, decision: Decision, head: Record | Statement) -> None:
    root, now = decision.payload.before, run.now(head)
    if now is not None and root is not None:
        run.put(_merged(run, decision, root, head, now))
        return
    located = _located(run.text, head)
    if located is None:
        run.conflict(decision, "evidence_lost", f"no longer in the text: {head.evidence[0].quote[:120]!r}")
    elif isinstance(located, Statement) and not {located.subject, located.object} <= run.records.keys():
        run.conflict(decision, "end_missing", "one of its ends is no record any more")
    else:
        if now is not None and (changed := _differing(now, head)):
            run.conflict(decision, "differs", f"the extractor found it with another {', '.join(changed)}")
        run.put(located if now is None else located.model_copy(update={"id": now.id}))


def _merged(
    run: _Replay,
    decision: Decision,
    root: Record | Statement,
    head: Record | Statement,
    now: Record | Statement,
) -> Record | Statement:
    """``now`` with what the reviewer changed; an accepted item keeps all that was accepted."""
    if decision.kind is EventKind.ACCEPT:
        changed = _differing(now, root)
        if changed:
            if not _says_more(now, root, changed):
                run.conflict(decision, "differs", f"accepted with other {', '.join(changed)}")
            located = _located(run.text, head)
            return located if located is not None else now
        return now.model_copy(update={"status": head.status})
    update: dict[str, object] = {}
    attributes = dict(now.attributes)
    current = {c.field: c.before for c in field_changes(now, head)}
    for change in field_changes(root, head):
        if (
            change.field in current
            and current[change.field] != change.before
            and change.field not in _MACHINE
        ):
            run.conflict(
                decision,
                "differs",
                f"{change.field}: seen {change.before!r}, decided {change.after!r}, "
                f"extracted now {current[change.field]!r}",
            )
        if change.field.startswith("attributes."):
            name = change.field.removeprefix("attributes.")
            attributes.pop(name, None)
            if change.after is not None:
                attributes[name] = change.after
        elif change.field == "quotes":
            located = _located(run.text, head)
            update |= {"evidence": located.evidence} if located is not None else {}
        else:
            update[change.field] = getattr(head, change.field)
    return now.model_copy(update={**update, "attributes": dict(sorted(attributes.items()))})


def _differing(left: Record | Statement, right: Record | Statement) -> list[str]:
    return [c.field for c in field_changes(left, right) if c.field not in _MACHINE]


def _says_more(now: Record | Statement, seen: Record | Statement, changed: Sequence[str]) -> bool:
    """Whether ``now`` has all quotes and aliases of what was ``seen``, and further ones: no contradiction."""
    lost = {e.quote for e in seen.evidence} - {e.quote for e in now.evidence}
    if isinstance(seen, Record) and isinstance(now, Record):
        lost |= {*seen.aliases} - {*now.aliases}
    return not lost and {"quotes", "aliases"}.issuperset(changed)


def _shared(left: Record | Statement, right: Record | Statement) -> bool:
    return bool({e.quote for e in left.evidence} & {e.quote for e in right.evidence})


def _located(text: str, item: Record | Statement) -> Record | Statement | None:
    """The item with its quotes at their places in the text now; None when every one of several is lost."""
    found: list[Evidence] = []
    for evidence in item.evidence:
        span = find_quote_near(text, evidence.quote, evidence.start)
        if span is not None:
            found.append(Evidence(start=span[0], end=span[1], quote=text[slice(*span)]))
    if item.evidence and not found:
        return None
    return item.model_copy(update={"evidence": tuple(found)})


VETTED = Status.VETTED
"""The only status that an edit may give; publishing is a release's business."""
