"""Random reading queries over the whole grammar, mostly well typed, for the comparison with a real server."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Final

from benchmarks.random_patterns import GrammarPatterns, Known
from benchmarks.random_values import FORMS, KINDS, LEAVES

WRONG: Final = 0.004
"""Share of holes that are filled with a value of any kind: wrong types, as people write them."""
_HOLE: Final = re.compile(
    r"<([:+^]?)(number|text|boolean|numbers|texts|map|date|place|any|group|compare"
    r"|pattern|comprehension|bare|node|edge|path)>"
)
_KEYWORD: Final = re.compile(r"(?<![\w.`'\"])[A-Z]{2,}(?![\w`'\"])")


class GrammarQueries(GrammarPatterns):
    """Draws queries, one by one, from a seed."""

    def __init__(self, seed: int, *, wrong: float = WRONG) -> None:
        super().__init__(seed)
        self.wrong, self.depth = wrong, 0

    def query(self) -> str:
        """One query; now and then in lower case."""
        self.count = 0
        branches = self.random.choice((1, 1, 1, 1, 1, 2, 3))
        union = self.random.choice((" UNION ", " UNION ALL ", " UNION DISTINCT "))
        text = union.join(self.single(several=branches > 1) for _ in range(branches))
        if self.random.random() < 0.1:
            text = _KEYWORD.sub(lambda m: m[0].lower(), text)
        return text + self.random.choice(("", "", "", ";"))

    # --- clauses --------------------------------------------------------------------------------

    def single(self, *, several: bool) -> str:
        """Clauses from a first MATCH to RETURN; parts of a UNION return one column."""
        known: Known = {}
        clauses = [self.first(known)]
        while self.random.random() < 0.4 and len(clauses) < 4:
            forms = (self.match, self.optional, self.with_, self.unwind, self.call, self.with_, self.match)
            form = self.procedure if self.random.random() < 0.03 else self.random.choice(forms)
            clauses.append(form(known))
        parts = [clauses[0]]
        for before, clause in itertools.pairwise(clauses):
            if before.startswith("OPTIONAL MATCH") and clause.startswith("MATCH"):
                parts.append("WITH *")
            parts.append(clause)
        last = f"RETURN {self.fill('<any>', known)} AS one" if several else self.return_(known)
        return " ".join([*parts, last])

    def first(self, known: Known) -> str:
        """The clause that a query begins with."""
        if self.random.random() < 0.05:
            return self.procedure(known)
        return self.match(known)

    def match(self, known: Known) -> str:
        """MATCH with one or two patterns and perhaps a condition."""
        paths = [self.named_path(known)]
        if self.random.random() < 0.15 and not self.has_selector(paths[0]):
            start = self.pick("node", known)
            paths.append(self.path(known, start))
        mode = "DIFFERENT RELATIONSHIPS " if self.random.random() < 0.02 else ""
        where = f" WHERE {self.fill('<boolean>', known)}" if self.random.random() < 0.6 else ""
        return f"MATCH {mode}{', '.join(paths)}{where}"

    @staticmethod
    def has_selector(path: str) -> bool:
        """Whether a path is one of several that are searched for."""
        return bool(re.search(r"SHORTEST|shortest|Shortest|= ALL |= ANY ", path))

    def optional(self, known: Known) -> str:
        """OPTIONAL MATCH."""
        return "OPTIONAL " + self.match(known)

    def with_(self, known: Known) -> str:
        """WITH: all, some, renamed or grouped."""
        form = self.random.random()
        if form < 0.2 and known:
            return "WITH *" + self.where(known)
        kept = [v for v in known if self.random.random() < 0.7] or list(known)[:1]
        items, passed = list(kept), {v: known[v] for v in kept}
        for _ in range(self.random.randint(0, 2)):
            kind = self.random.choice(KINDS)
            fresh = self.fresh(known)
            value = self.fill("<group>", known) if form > 0.7 else self.fill(f"<{kind}>", known)
            items.append(f"{value} AS {fresh}")
            passed[fresh] = "any" if form > 0.7 else kind
        if not items:
            items, passed = ["1 AS one"], {"one": "number"}
        known.clear()
        known.update(passed)
        order = f" ORDER BY {self.random.choice(list(known))}" if self.random.random() < 0.2 else ""
        limit = self.random.choice(("", "", "", " LIMIT 5", " SKIP 1 LIMIT $limit", " OFFSET 1"))
        distinct = "DISTINCT " if self.random.random() < 0.15 else ""
        return f"WITH {distinct}{', '.join(items)}{order}{limit}{self.where(known)}"

    def where(self, known: Known) -> str:
        """A condition or none."""
        return f" WHERE {self.fill('<boolean>', known)}" if self.random.random() < 0.4 else ""

    def unwind(self, known: Known) -> str:
        """UNWIND of a list."""
        kind = self.random.choice(("number", "text"))
        source, fresh = self.fill(f"<{kind}s>", known), self.fresh(known)
        known[fresh] = kind
        return f"UNWIND {source} AS {fresh}"

    def call(self, known: Known) -> str:
        """CALL of a subquery."""
        inner: Known = {}
        form = self.random.random()
        imported = [v for v in known if self.random.random() < 0.5]
        if form < 0.5:
            head, inner = f"({', '.join(imported)}) {{ ", {v: known[v] for v in imported}
        elif form < 0.6:
            head, inner = "(*) { ", dict(known)
        elif form < 0.8 and imported:
            head, inner = f"{{ WITH {', '.join(imported)} ", {v: known[v] for v in imported}
        else:
            head, inner = "{ ", {}
        clause, fresh = self.match(inner), self.fresh(known)
        optional = "OPTIONAL " if self.random.random() < 0.1 else ""
        kind = self.random.choice(KINDS)
        text = f"{optional}CALL {head}{clause} RETURN {self.fill(f'<{kind}>', inner)} AS {fresh} }}"
        known[fresh] = kind
        return text

    def procedure(self, known: Known) -> str:
        """CALL of a search."""
        found, score = self.fresh(known), self.fresh(known)
        calls = (
            ("db.index.vector.queryNodes('ports', 3, $vector)", "node"),
            ("db.index.fulltext.queryNodes('words', $text)", "node"),
            ("db.index.fulltext.queryRelationships('voyages', $text)", "relationship"),
        )
        call, column = self.random.choice(calls)
        known[found], known[score] = "node" if column == "node" else "edge", "number"
        return f"CALL {call} YIELD {column} AS {found}, score AS {score}{self.where(known)}"

    def return_(self, known: Known) -> str:
        """RETURN."""
        if self.random.random() < 0.1 and known:
            return "RETURN *"
        items, names = [], []
        grouped = self.random.random() < 0.3
        for _ in range(self.random.randint(1, 3)):
            names.append(self.fresh())
            items.append(f"{self.fill('<any>', known)} AS {names[-1]}")
        if grouped:
            names.append(self.fresh())
            items.append(f"{self.fill('<group>', known)} AS {names[-1]}")
        distinct = "DISTINCT " if self.random.random() < 0.15 else ""
        way = self.random.choice(("", " ASC", " DESC", " DESCENDING", " ASCENDING"))
        order = f" ORDER BY {self.random.choice(names)}{way}" if self.random.random() < 0.25 else ""
        limit = self.random.choice(("", "", "", " LIMIT 5", " SKIP 1 LIMIT $limit", " SKIP 2"))
        return f"RETURN {distinct}{', '.join(items)}{order}{limit}"

    # --- values ---------------------------------------------------------------------------------

    def value(self, kind: str, known: Known) -> str:
        """A value of a kind."""
        if self.random.random() < self.wrong and kind in KINDS:
            kind = self.random.choice(KINDS)
        self.depth += 1
        try:
            forms = FORMS[kind]
            if kind not in {"any", "group", "compare"} and (self.depth > 3 or self.random.random() < 0.35):
                forms = forms[:LEAVES]
            for _ in range(20):
                form = self.random.choice(forms)
                if self.can(form, known):
                    return self.fill(form, known)
            return {"node": "null", "map": "{a: 1}", "any": "null"}.get(kind, FORMS[kind][0])
        finally:
            self.depth -= 1

    @staticmethod
    def can(form: str, known: Known) -> bool:
        """Whether all variables that a form asks for are there."""
        kinds = set(known.values()) | {m[2] for m in _HOLE.finditer(form) if m[1] == "+"}
        patterned = "<pattern>" in form or "<comprehension>" in form or "<bare>" in form
        if "<bare>" in form and "node" not in kinds:
            return False
        wanted = {m[2] for m in _HOLE.finditer(form) if m[1] == ":"}
        return not wanted - kinds - ({"node"} if patterned else set())

    def fill(self, form: str, known: Known) -> str:
        """A form with its holes filled."""
        inner = dict(known)
        early = {m.start(): self.value(m[2], known) for m in _HOLE.finditer(form) if m[1] == "^"}
        bound = {}
        for m in _HOLE.finditer(form):
            if m[1] == "+":
                bound[m.start()] = name = self.fresh(inner)
                inner[name] = m[2]
        parts, at = [], 0
        for m in _HOLE.finditer(form):
            parts.append(form[at : m.start()])
            at = m.end()
            parts.append(early.get(m.start()) or bound.get(m.start()) or self.hole(m[1], m[2], inner))
        return "".join([*parts, form[at:]])

    def hole(self, sign: str, kind: str, known: Known) -> str:
        """What stands in one hole."""
        special: dict[str, Callable[[Known], str]] = {
            "pattern": self.inner_pattern,
            "comprehension": self.inner_pattern,
            "bare": self.bare,
        }
        if kind in special:
            return special[kind](known)
        if sign == ":":
            return self.pick(kind, known) or "null"
        return self.value(kind, known)
