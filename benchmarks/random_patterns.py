"""Random patterns: nodes, relationships and paths, whose names are now and then those of something else."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import Final

from benchmarks.harbour import LABELS, STEPS
from benchmarks.random_values import ODD_NAMES

REUSED: Final = 0.02
"""Share of new names that are known already, mostly as something of another kind."""
Known = dict[str, str]
"""Kind of each variable."""


class GrammarPatterns(ABC):
    """Draws patterns, from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0

    @abstractmethod
    def fill(self, form: str, known: Known) -> str:
        """A form with its holes filled; defined where values are drawn."""

    def pick(self, kind: str, known: Known) -> str:
        """A known variable of a kind, or nothing."""
        fitting = [v for v, k in known.items() if k == kind]
        return self.random.choice(fitting) if fitting else ""

    def named_path(self, known: Known) -> str:
        """A path of MATCH: plain, named, shortest or searched."""
        form = self.random.random()
        if form < 0.65:
            return self.path(known)
        name = self.fresh(known)
        if form < 0.8:
            text = f"{name} = {self.path(known)}"
        elif form < 0.9:
            a, b = self.fresh(known), self.fresh(known)
            word = self.random.choice(("shortestPath", "allShortestPaths"))
            kind = self.random.choice(("", ":SAILS_TO", ":SAILS_TO|MOORED_AT"))
            bounds = self.random.choice(("*..4", "*1..3", "*"))
            text = f"{name} = {word}(({a}:Port)-[{kind}{bounds}]-({b}:Port))"
            known[a] = known[b] = "node"
        else:
            word = self.random.choice(
                (
                    "SHORTEST 2",
                    "ALL SHORTEST",
                    "ANY SHORTEST",
                    "SHORTEST 1 GROUPS",
                    "ANY 2",
                    "ANY",
                    "SHORTEST 2 PATHS",
                )
            )
            a, b = self.fresh(known), self.fresh(known)
            middle = self.random.choice(
                ("-[:SAILS_TO]-{1,3}", "(()-[:SAILS_TO]->()){1,3}", "-[:SAILS_TO]->+", "-[:SAILS_TO]->*")
            )
            text = f"{name} = {word} ({a}:Port){middle}({b}:Port)"
            known[a] = known[b] = "node"
        known[name] = "path"
        return text

    def path(self, known: Known, start: str = "") -> str:
        """Nodes and relationships that fit the schema."""
        text, label = self.node(known, start)
        for _ in range(self.random.choice((0, 1, 1, 1, 2))):
            step = self.random.choice([s for s in STEPS if label in (s[0], s[2])] or STEPS)
            out = step[0] == label
            label = step[2] if out else step[0]
            text += self.step(step[1], known, out=out)
            text += self.node(known, label=label)[0]
        return text

    def node(self, known: Known, variable: str = "", label: str = "") -> tuple[str, str]:
        """A node with the label that it has, perhaps not written."""
        own = label or self.random.choice(LABELS)
        form = self.random.random()
        labels = (
            f":{own}"
            if form < 0.6
            else self.random.choice(
                (
                    "",
                    f":{own}|Port",
                    f" IS {own}",
                    ":!Lighthouse" if own != "Lighthouse" else "",
                    ":%",
                    f":({own})",
                    f":`{own}`",
                )
            )
        )
        if variable:
            return f"({variable})", own
        if not label and not labels:
            labels = f":{own}"
        name = self.fresh(known) if self.random.random() < 0.7 else ""
        inside = ""
        if self.random.random() < 0.15:
            inside = self.fill(
                self.random.choice((" {name: <text>}", " {berths: 3, open: <boolean>}")), known
            )
        if name:
            known[name] = "node"
        if name and not inside and self.random.random() < 0.1:
            inside = f" WHERE {self.fill('<boolean>', {**known, name: 'node'})}"
        return f"({name}{labels}{inside})", own

    def step(self, kind: str, known: Known, *, out: bool) -> str:
        """A relationship."""
        left, right = ("-", "->") if out else ("<-", "-")
        if self.random.random() < 0.15:
            left, right = "-", "-"
        form = self.random.random()
        if form < 0.6:
            name = self.fresh(known) if self.random.random() < 0.6 else ""
            inside = self.random.choice(("", "", "", "", " {hours: 3}"))
            if name:
                known[name] = "edge"
            return f"{left}[{name}:{kind}{inside}]{right}"
        if form < 0.7:
            return self.random.choice((f"{left}[]{right}", f"{left}{right}", f"{left}[:!FOR_SHIP]{right}"))
        if form < 0.8:
            return f"{left}[:{kind}{self.random.choice(('*1..2', '*2', '*..2', '*0..1'))}]{right}"
        if form < 0.9:
            return f"{left}[:{kind}]{right}{self.random.choice(('{1,2}', '{2}', '{,2}', '+', '{0,1}'))}"
        inner = f"{left}[:{kind}]{right}"
        return f" (({self.fresh(known)}){inner}({self.fresh(known)})){{1,2}} "

    def fresh(self, known: Known | None = None) -> str:
        """A new name, or now and then a known one."""
        self.count += 1
        if known and self.random.random() < REUSED:
            return self.random.choice(list(known))
        if self.random.random() < 0.04:
            return self._odd()
        return f"{self.random.choice('abcxyz')}{self.count}"

    def _odd(self) -> str:
        name = ODD_NAMES[self.count % len(ODD_NAMES)]
        return f"`{name.strip('`')}{self.count}`" if "`" in name else f"{name}"

    def inner_pattern(self, known: Known) -> str:
        """A pattern of one step that may begin at a known node."""
        start = self.pick("node", known)
        step = self.random.choice(STEPS)
        name = self.fresh(known)
        first = f"({start})" if start and self.random.random() < 0.6 else f"({self.fresh(known)}:{step[0]})"
        if first == f"({start})":
            text = f"{first}--({name})"
        else:
            text = f"{first}{self.step(step[1], dict(known), out=True)}({name}:{step[2]})"
        known[name] = "node"
        return text

    def bare(self, known: Known) -> str:
        """A pattern as a condition."""
        start = self.pick("node", known)
        step = self.random.choice(("-->", "--", "<--", "-[:SAILS_TO]-", "-[*1..2]-", "-[:!FOR_SHIP]-"))
        return f"({start}){step}(:{self.random.choice(LABELS)})" if start else "true"
