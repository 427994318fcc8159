"""Random reading queries over a small schema, for tests of the gate against a real server."""

from __future__ import annotations

import random
from collections.abc import Callable

from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

LABELS, TYPES = ("A", "B", "Source"), ("R", "S", "FROM")
WORDS = ("salt", "fog")
"""Names of nodes, which the full-text index ``INDEX`` finds."""
INDEX = "things"


def small_schema() -> StoreSchema:
    """Two labels and two types with a status, and one label and one type without."""
    plain = (
        StoreProperty(name="id", type=PropertyType.INTEGER),
        StoreProperty(name="x"),
        StoreProperty(name="name", type=PropertyType.STRING),
    )
    vetted = (*plain, StoreProperty(name="status", type=PropertyType.STRING))
    ends = [(a, t, b) for a in "AB" for b in "AB" for t in "RS"] + [("A", "FROM", "Source")]
    return StoreSchema(
        labels=tuple(StoreLabel(name=x, properties=plain if x == "Source" else vetted) for x in LABELS),
        relations=tuple(StoreRelation(type=t, properties=plain if t == "FROM" else vetted) for t in TYPES),
        triples=tuple(StoreTriple(start=a, type=t, end=b) for a, t, b in ends),
        scope_property="status",
    )


class RandomQueries:
    """Draws queries whose result does not depend on the order of rows."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def query(self) -> str:
        """One query."""
        body = self.match("a", "b")
        if self.random.random() < 0.15:
            word = self.random.choice(WORDS)
            found = f"CALL db.index.fulltext.queryNodes('{INDEX}', '{word}') YIELD node AS a WITH a "
            body = f"{found}{body}"
        if self.random.random() < 0.3:
            body += " OPTIONAL" + " " + self.match("a", "c")
        if self.random.random() < 0.3:
            body += f" WITH a, count(*) AS n WHERE {self.condition('a')} RETURN a.id AS id, n"
        elif self.random.random() < 0.2:
            body += f" CALL (a) {{ {self.match('a', 'd')} RETURN count(*) AS n }} RETURN a.id AS id, n"
        else:
            body += f" RETURN {'DISTINCT ' * self.random.randint(0, 1)}a.id AS id, {self.value('a')} AS n"
        if self.random.random() < 0.2:
            union = " ALL" * self.random.randint(0, 1)
            body += f" UNION{union} MATCH (z{self.label()}) RETURN z.id AS id, 1 AS n"
        return body

    def match(self, start: str, end: str) -> str:
        """A MATCH with a pattern from ``start`` to ``end``."""
        where = f" WHERE {self.condition(start)}" if self.random.random() < 0.7 else ""
        return f"MATCH {self.path(start, end)}{where}"

    def path(self, start: str, end: str) -> str:
        """A path of one of the forms that a scope must reach into."""
        a, b = f"({start}{self.label()})", f"({end}{self.label()})"
        forms: list[Callable[[], str]] = [
            lambda: f"{a}{self.step()}{b}",
            lambda: f"{a}{self.step()}(){self.step()}{b}",
            lambda: f"{a}{self.step('*1..3')}{b}",
            lambda: f"{a} ((){self.step()}()){{1,2}} {b}",
            lambda: f"{a}{self.step()}{{1,2}}{b}",
            lambda: f"{a} (({end}_u){self.step()}({end}_v) WHERE {end}_u.x < {end}_v.x + 2){{1,2}} {b}",
            lambda: f"{end}_p = {a}{self.step('*0..2')}{b}",
            lambda: self.searched(start, end),
        ]
        return self.random.choice(forms)()

    def searched(self, start: str, end: str) -> str:
        """A path that is searched for; how many rows it gives does not depend on which one is found."""
        a, b = f"({start}{self.label()})", f"({end}{self.label()})"
        word = self.random.choice(("ALL SHORTEST", "ANY", "ANY SHORTEST", "SHORTEST 1 GROUPS", "SHORTEST 2"))
        forms = (
            f"{a}{self.step()}{{1,3}}{b}",
            f"{a} ((){self.step()}()){{1,3}} {b}",
            f"{a}{self.step()}(){self.step()}{{0,2}}{b}",
        )
        if self.random.random() < 0.25:
            kind = self.random.choice(("", ":R", ":R|S"))
            word = self.random.choice(("shortestPath", "allShortestPaths"))
            return f"{end}_p = {word}(({start}:A)-[{kind}*..3]-({end}:B))"
        return f"{end}_p = {word} {self.random.choice(forms)}"

    def step(self, length: str = "") -> str:
        """A relationship."""
        kind = self.random.choice(["", ":R", ":S", ":R|S", ":!S", ":FROM"])
        inside = f"[{kind}{length}]" if kind or length else ""
        left, right = self.random.choice([("-", "->"), ("<-", "-"), ("-", "-")])
        return f"{left}{inside}{right}"

    def label(self) -> str:
        """A label expression or none."""
        return self.random.choice(["", "", ":A", ":B", ":A|B", ":!B", ":Source", ":%"])

    def condition(self, var: str, depth: int = 0) -> str:
        """A condition on a variable."""
        forms: list[Callable[[], str]] = [
            lambda: f"{var}.x {self.random.choice(['<', '>=', '<>'])} {self.random.randint(0, 5)}",
            lambda: f"({var}){self.step()}({self.label()})",
            lambda: f"EXISTS {{ ({var}){self.step()}(m{self.label()}) WHERE m.x > 1 }}",
            lambda: f"COUNT {{ ({var}){self.step('*1..2')}() }} > {self.random.randint(0, 3)}",
            lambda: f"size([({var}){self.step()}(m) | m.x]) >= {self.random.randint(0, 2)}",
            lambda: f"any(y IN [1, {var}.x] WHERE y IN [0, 2, 4])",
            lambda: f"{self.random.randint(0, 5)} IN COLLECT {{ MATCH ({var}){self.step()}(m) RETURN m.x }}",
            lambda: f"{var}:A",
        ]
        if depth < 2:
            forms += [
                lambda: f"NOT ({self.condition(var, depth + 1)})",
                lambda: f"({self.condition(var, depth + 1)} OR {self.condition(var, depth + 1)})",
                lambda: f"{self.condition(var, depth + 1)} AND {self.condition(var, depth + 1)}",
            ]
        return self.random.choice(forms)()

    def value(self, var: str) -> str:
        """A value that belongs to a variable."""
        forms = [
            f"{var}.x * 2 + 1",
            f"CASE {var}.x WHEN < 2 THEN 'low' WHEN 2, 3 THEN 'mid' ELSE 'high' END",
            f"COUNT {{ ({var}){self.step()}() }}",
            f"size(COLLECT {{ MATCH ({var}){self.step()}(m{self.label()}) RETURN m.id }})",
            f"size([({var}){self.step('*1..2')}(m) | m])",
            f"EXISTS {{ ({var}){self.step()}({self.label()}) }}",
            f"reduce(s = 0, y IN [1, {var}.x] | s + y)",
            f"coalesce({var}.x, 0) IS :: INTEGER",
        ]
        return self.random.choice(forms)
