"""Merges that need no similarity: reviewers' must-links, equal identity keys, equal names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from canonicalize.features import Unit
from schemas.graphs import RecordColumns
from schemas.review import Blocked, Constraints

Identity = dict[str, frozenset[str]]
"""Identity attribute -> known values."""


def identities_differ(a: Mapping[str, frozenset[str]], b: Mapping[str, frozenset[str]]) -> bool:
    """Whether some attribute is known on both sides with no value in common.

    >>> identities_differ({"doi": frozenset("x")}, {"doi": frozenset("y")})
    True
    >>> identities_differ({"doi": frozenset("x")}, {"pdgid": frozenset("y")})
    False
    """
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    return any(name in large and values.isdisjoint(large[name]) for name, values in small.items())


@dataclass(slots=True)
class ExactStage:
    """Union-find over the rows of one table, which are in order of record id.

    Row numbers stand for records, and every choice follows them, so the outcome does not depend on the
    order in which documents came. A root is the smallest row of its group.
    """

    table: RecordColumns
    normalised: Sequence[str]
    veto: Callable[[str, str], str | None]
    is_generic: Callable[[str], bool] = lambda _: False
    """Whether a normal form identifies no concept by itself."""
    settled: Sequence[tuple[int, ...]] = ()
    """Sorted rows that are one unit already, and share no name, key or decision with any other row."""
    blocked: list[Blocked] = field(default_factory=list)
    joined: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Root -> how many unions each reason made; complete after ``units``."""
    _parent: list[int] = field(default_factory=list)
    _identity: dict[int, Identity] = field(default_factory=dict)
    _banned: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    _spellings: dict[int, set[str]] = field(default_factory=dict)
    _unions: list[tuple[int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._parent = list(range(len(self.table)))
        for row, keys in enumerate(self.table.keys):
            if keys:
                self._identity[row] = _identity(keys)
        for first, *others in self.settled:
            for row in others:
                self._parent[row] = first
                self._absorb(first, row)

    def ban(self, pairs: Iterable[tuple[int, int, int]]) -> None:
        """Reviewers' cannot-links (row, row, seq of the event); call before any union."""
        for left, right, seq in pairs:
            self._banned.setdefault(left, []).append((right, seq))
            self._banned.setdefault(right, []).append((left, seq))

    def link(self, pairs: Iterable[tuple[int, int, int]]) -> None:
        """Reviewers' must-links, in order of their events."""
        for left, right, _ in sorted(pairs, key=lambda p: p[2]):
            self._unite(left, right, "must_link")

    def merge_keys(self) -> None:
        """Rows with an equal identity key become one group unless another key tells them apart."""
        buckets: dict[str, list[int]] = defaultdict(list)
        done = {row for rows in self.settled for row in rows}
        for row, keys in enumerate(self.table.keys):
            for key in () if row in done else keys:
                buckets[key].append(row)
        for key in sorted(buckets):
            if len(buckets[key]) > 1:
                self._gather(buckets[key], "same_key")

    def merge_names(self) -> None:
        """Rows with an equal normalised name become one group unless keys or vetoes forbid.

        Where rows of one name have different identities, a row without any could be either: rows
        without identity then merge only among themselves. Rows of one generic name are one group only
        within a document, or where their descriptions are equal.
        """
        buckets: dict[str, list[int]] = defaultdict(list)
        done = {row for rows in self.settled for row in rows}
        for row, name in enumerate(self.normalised):
            if name and row not in done:
                buckets[name].append(row)
        for name in sorted(buckets):
            for rows in self._of_one_meaning(buckets[name]) if self.is_generic(name) else [buckets[name]]:
                if len(rows) > 1:
                    self._merge_named(rows)

    def _merge_named(self, rows: Sequence[int]) -> None:
        if all(map(self._is_fresh, rows)):
            self._merge_fresh(rows)
            return
        keyed = [row for row in rows if self._find(row) in self._identity]
        free = [row for row in rows if self._find(row) not in self._identity]
        heads = self._gather(keyed, "same_name")
        if len(heads) > 1:
            self._gather(free, "same_name")
            self._report_ambiguous(heads, free)
        else:
            self._gather(heads + free, "same_name")

    def _is_fresh(self, row: int) -> bool:
        """Whether nothing is known of a row but its name."""
        joined = self._parent[row] != row or row in self._spellings
        return not (joined or row in self._identity or row in self._banned)

    def _merge_fresh(self, rows: Sequence[int]) -> None:
        """``_gather`` of fresh rows of one normal form: what decides is their spelling alone."""
        by_spelling: dict[str, list[int]] = {}
        for row in rows:
            by_spelling.setdefault(self.table.names[row], []).append(row)
        heads: dict[int, set[str]] = {}
        for name, same in by_spelling.items():
            head = next((h for h, names in heads.items() if self._told_apart(names, {name}) is None), same[0])
            if head == same[0] and heads:
                first = next(iter(heads))
                self._block(first, head, f"veto:{self._told_apart(heads[first], {name})}")
            heads.setdefault(head, set()).add(name)
            for row in same:
                self._parent[row] = head
            self._unions += [(head, "same_name")] * (len(same) - (head == same[0]))
        self._spellings.update((head, names) for head, names in heads.items())

    def _of_one_meaning(self, rows: Sequence[int]) -> list[list[int]]:
        """Rows of one document, then rows of one description, each in order."""
        table = self.table
        parts: dict[tuple[str, str], list[int]] = defaultdict(list)
        for row in rows:
            parts["document", table.documents[row]].append(row)
            told = " ".join(table.descriptions[row].casefold().split())
            if told:
                parts["description", told].append(row)
        return [parts[key] for key in sorted(parts, reverse=True)]

    def units(self) -> list[Unit]:
        """The groups as units, in order of their smallest row."""
        rows: dict[int, list[int]] = defaultdict(list)
        for row in range(len(self._parent)):
            rows[self._find(row)].append(row)
        for row, reason in self._unions:
            self.joined[self._find(row)][reason] += 1
        return [self._unit(root, rows[root]) for root in sorted(rows)]

    def _unit(self, root: int, rows: list[int]) -> Unit:
        table = self.table
        if len(rows) == 1:
            return Unit(
                records=(root,),
                names=(table.names[root],),
                aliases=tuple(sorted({*table.aliases[root]})),
                documents=frozenset((table.documents[root],)),
                identity=self._identity.get(root, {}),
            )
        names = {table.names[row] for row in rows}
        counts = Counter(table.names[row] for row in rows) if len(names) > 1 else {}
        return Unit(
            records=tuple(rows),
            names=tuple(sorted(names, key=lambda n: (-counts.get(n, 0), len(n), n))),
            aliases=tuple(sorted({alias for row in rows for alias in table.aliases[row]})),
            documents=frozenset(table.documents[row] for row in rows),
            identity=self._identity.get(root, {}),
        )

    def _gather(self, rows: Sequence[int], reason: str) -> list[int]:
        """Unite each row with the first earlier one that takes it; the rows that none took.

        Equal identities are merged before names are: two rows that know one attribute never merge by name.
        """
        heads: list[int] = []
        by_attributes: dict[frozenset[str], list[int]] = {}
        seen: set[int] = set()
        for row in rows:
            if self._find(row) in seen:
                continue
            known = frozenset(self._identity.get(self._find(row), ()))
            open_to = (
                head
                for attributes, group in by_attributes.items()
                if reason != "same_name" or attributes.isdisjoint(known)
                for head in group
            )
            if not any(self._unite(head, row, reason, report=False) for head in open_to):
                if heads:
                    self._unite(heads[0], row, reason)
                heads.append(row)
                by_attributes.setdefault(known, []).append(row)
            seen.add(self._find(row))
        return heads

    def _unite(self, a: int, b: int, reason: str, *, report: bool = True) -> bool:
        root, other = sorted((self._find(a), self._find(b)))
        if root == other:
            return True
        rule = self._refusal(root, other, reason)
        if rule is not None:
            if report:
                self._block(root, other, rule)
            return False
        self._parent[other] = root
        self._unions.append((root, reason))
        self._absorb(root, other)
        return True

    def _refusal(self, a: int, b: int, reason: str) -> str | None:
        """The rule that keeps two roots apart, if any; a reviewer's link overrides vetoes, not identity."""
        seq = self._ban_between(a, b)
        if seq is not None:
            return f"cannot_link:{seq}"
        if identities_differ(self._identity.get(a, {}), self._identity.get(b, {})):
            return "identity"
        if reason == "same_name":
            return self._spelling_veto(a, b)
        return None

    def _spelling_veto(self, a: int, b: int) -> str | None:
        names, others = (self._spellings.get(r, {self.table.names[r]}) for r in (a, b))
        same = {self.normalised[a], self.normalised[b]}
        if len(same) > 1 or names >= others or others >= names:
            return None
        rule = self._told_apart(names, others)
        return None if rule is None else f"veto:{rule}"

    def _told_apart(self, names: set[str], others: set[str]) -> str | None:
        """The first veto between a name of one set and a name of the other, if any."""
        for name in sorted(names):
            for other in sorted(others):
                rule = None if name == other else self.veto(name, other)
                if rule is not None:
                    return rule
        return None

    def _ban_between(self, a: int, b: int) -> int | None:
        fewer, target = (a, b) if len(self._banned.get(a, ())) <= len(self._banned.get(b, ())) else (b, a)
        hits = [seq for row, seq in self._banned.get(fewer, ()) if self._find(row) == target]
        return max(hits, default=None)

    def _absorb(self, root: int, other: int) -> None:
        gone = self._identity.pop(other, None)
        if gone:
            mine = self._identity.get(root, {})
            self._identity[root] = {
                name: mine.get(name, frozenset()) | gone.get(name, frozenset()) for name in {**mine, **gone}
            }
        if other in self._banned:
            self._banned.setdefault(root, []).extend(self._banned.pop(other))
        names = self._spellings.setdefault(root, {self.table.names[root]})
        names |= self._spellings.pop(other, {self.table.names[other]})

    def _report_ambiguous(self, heads: Sequence[int], free: Sequence[int]) -> None:
        for root in sorted({self._find(row) for row in free}):
            for head in sorted({self._find(row) for row in heads}):
                self._block(min(root, head), max(root, head), "identity")

    def _block(self, a: int, b: int, rule: str) -> None:
        ids = self.table.ids
        self.blocked.append(Blocked(left=ids[a], right=ids[b], score=1.0, rule=rule))

    def _find(self, row: int) -> int:
        parent = self._parent
        while parent[row] != row:
            parent[row] = parent[parent[row]]
            row = parent[row]
        return row


def row_pairs(links: Iterable[tuple[str, str, int]], row_of: Mapping[str, int]) -> list[tuple[int, int, int]]:
    """Those links of which both records are in the table, as row numbers."""
    return [(row_of[a], row_of[b], seq) for a, b, seq in links if a in row_of and b in row_of and a != b]


def run_exact(
    table: RecordColumns,
    normalised: Sequence[str],
    veto: Callable[[str, str], str | None],
    *,
    constraints: Constraints,
    is_generic: Callable[[str], bool] = lambda _: False,
    settled: Sequence[tuple[int, ...]] = (),
) -> ExactStage:
    """Must-links, then identity keys, then names, over a table in order of record id.

    ``is_generic`` tells of a normal form whether it identifies no concept by itself; ``settled`` rows stay
    as they are.
    """
    row_of: dict[str, int] = {record: row for row, record in enumerate(table.ids)}
    stage = ExactStage(table, normalised, veto, is_generic, settled)
    stage.ban(row_pairs(constraints.cannot_link, row_of))
    stage.link(row_pairs(constraints.must_link, row_of))
    stage.merge_keys()
    stage.merge_names()
    return stage


def _identity(keys: Sequence[str]) -> Identity:
    values: dict[str, frozenset[str]] = {}
    for key in keys:
        name, _, value = key.partition("=")
        values[name] = values.get(name, frozenset()) | {value}
    return values
