"""Readable, unique names for the quantities, decays and particles of the PDG tables."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from extraction.readers.pdg_symbols import spellings, symbol
from extraction.readers.pdg_tables import Quantity, Tables
from schemas.language.names import normalise_name
from schemas.language.notation import (
    DecayName,
    canonical_particle,
    decay_aliases,
    find_decays,
    make_decay,
    observable_name,
    parse_decay,
)

_BRACED = re.compile(r"\{+\\?([A-Za-z0-9+*'_ -]*)\}+")
_BOXES = re.compile(r"(?:allowbreak|hboxbgroup|egroup)+")
"""TeX boxes that the tables print without their backslashes and braces."""
_JUSTIFIED = re.compile(r"\s*right_justify.*$")
"""A second heading, set at the right margin of the printed page."""
_CAPITALS = re.compile(r"\b(?!CPT\b|LISTED\b)[A-Z]{4,}\b|\b(?:OF|FOR|IN|BY|ON|AND|OR|TO|AT|THE)\b")
_KINDS = {
    "M": "mass",
    "G": "width",
    "T": "lifetime",
    "g": "lifetime",
    "e": "physical constant",
    "m": "physical constant",
    "c": "physical constant",
    "d": "physical constant",
    "s": "physical constant",
    "v": "physical constant",
    "D": "physical constant",
    "f": "functional dependence",
}
_ASYMMETRY = re.compile(r"A\s?\( ?(?:CP|FB|P|ADS|L|T)\b|A_CP|ASYMMETR", re.IGNORECASE)
_ANGULAR = re.compile(
    r"^(?:F\(L\)|F\(H\)|F\(S\)|P\(?\d|S\(?\d|A\(T\)|Gamma\((?:L|\(p|\(P|S)|phi\(\(p|delta\(\(p|A\(\d)"
)
_PLAIN_MASS = re.compile(r"^mass\(([^()\s]+(?:\([^()]*\)[^()\s]*)?)\)$")
_LEFT_OUT = {"SEC", "PART", "SRCH"}
_BRACKET = re.compile(r"[()]")
_WIDTH = re.compile(r"(?<![A-Za-z_])G\(")
_SEPARATORS = {",", "-->", "->", "/", "+", ":", "or", "x", "via", "&"}


def tidy(text: str) -> str:
    """PDG text with readable names: ``B_s()0`` is ``B_s0``, ``K^*(892)`` is ``K*(892)``, ``-->`` is ``->``.

    >>> tidy("B_{{s}}()0 --> D_s^*()- X")
    'B_s0 -> D_s*- X'
    >>> tidy("h- 4pi0 nu_tau hboxbgroup (ex.K0)egroup")
    'h- 4pi0 nu_tau (ex.K0)'
    """
    text = _JUSTIFIED.sub("", _BOXES.sub(" ", text))
    text = _BRACED.sub(r"\1", text).replace("-->", "->").replace("()", "")
    text = re.sub(r"(?<=[a-z])~", " ", text)
    text = re.sub(r"\^(?=[*']|\(\*\))", "", text)
    return observable_name(re.sub(r"\bK\(([SL])\)0?(?!\w)", r"K0\1", text))


@dataclass(frozen=True, slots=True)
class Name:
    """A name with its other spellings."""

    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mode:
    """A decay mode: its name, and the products where the tables list them."""

    name: Name
    parent: str
    children: tuple[str, ...]


def _balanced(text: str, start: int) -> int:
    """Offset after the bracket that closes the one at ``start``, or -1."""
    depth = 0
    for bracket in _BRACKET.finditer(text, start):
        depth += 1 if bracket[0] == "(" else -1
        if depth == 0:
            return bracket.end()
    return -1


def _widths(text: str) -> list[tuple[int, int, str]]:
    """Spans of ``G(...)`` (a partial width) with their content."""
    spans: list[tuple[int, int, str]] = []
    for found in _WIDTH.finditer(text):
        end = _balanced(text, found.end() - 1)
        if end > 0 and (not spans or found.start() >= spans[-1][1]):
            spans.append((found.start(), end, text[found.end() : end - 1].strip()))
    return spans


def decay_text(text: str) -> str:
    """The canonical decay where the text is one, else the tidied text."""
    decay = parse_decay(text)
    return decay.name if decay else tidy(text)


def _fractions(text: str) -> str:
    """Rewrite ``G(a)/G(total)`` as ``BR(a)`` and a plain ``G(a)/G(b)`` as ``BR(a)/BR(b)``."""
    spans = _widths(text)
    plain = len(spans) == 2 and re.fullmatch(r"G\(.*\)/G\(.*\)", text) is not None
    both = plain and spans[0][1] + 1 == spans[1][0] and spans[1][1] == len(text)
    out, last = "", 0
    for index, (start, end, content) in enumerate(spans):
        if content == "total":
            continue
        following = spans[index + 1] if index + 1 < len(spans) else None
        over_total = (
            following is not None and following[2] == "total" and text[end : following[0]].strip() == "/"
        )
        letter = "BR" if over_total or both else "G"
        out += text[last:start] + f"{letter}({decay_text(content)})"
        last = following[1] if over_total and following else end
    return out + text[last:]


def _with_decays(text: str) -> str:
    """Canonical decays inside a text; everything else stays."""
    out, last = "", 0
    for start, end, decay in find_decays(text):
        out += text[last:start] + decay.name
        last = end
    return out + text[last:]


def quantity_text(description: str) -> str:
    """One description as a readable name, not yet unique.

    >>> quantity_text("G(B_s0 --> D_s- mu+ nu_mu)/G(total)")
    'BR(B_s0 -> D_s- mu+ nu_mu)'
    >>> quantity_text("B_s0 MEAN LIFE")
    'B_s0 mean life'
    """
    if _widths(description):
        return _powers(tidy(_fractions(description)))
    text = _powers(tidy(_CAPITALS.sub(lambda m: m[0].lower(), _with_decays(description))))
    return _PLAIN_MASS.sub(r"\1 mass", text.replace("A(CP) (", "A(CP)("))


def _powers(text: str) -> str:
    return re.sub(r"(?<=[<>])(?=\d)|(?<=[\d)cV])(?=[<>])", " ", text.replace("**", "^"))


def quantity_kind(quantity: Quantity) -> str:
    """The schema's kind of a quantity, from the PDG's data type and its wording."""
    text = quantity.description
    if quantity.data_type.startswith("BF"):
        return "branching fraction"
    if quantity.data_type == "BR":
        spans = _widths(text)
        single = len(spans) == 2 and spans[1][2] == "total"
        return "branching fraction" if single else "branching ratio"
    if _ASYMMETRY.search(text):
        return "asymmetry"
    if _ANGULAR.search(text):
        return "angular observable"
    if re.search(r"cross.section", text, re.IGNORECASE):
        return "cross section"
    if quantity.data_type in _KINDS:
        return _KINDS[quantity.data_type]
    if re.match(r"\[?BR?\(.*-->.*\)", text):
        return "branching ratio" if re.search(r"\)\s*/\s*BR?\(", text) else "branching fraction"
    return "lifetime" if re.search(r"mean ?life", text, re.IGNORECASE) else "other"


class Names:
    """Names of everything in the tables; observables are unique per pdgid."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._observables: dict[str, str] = {}
        self._modes: dict[str, Mode] = {}
        self._named: dict[str, Name] = {}
        self._name_observables()
        self._short = self._short_names()

    def particle(self, pdgid: str) -> str:
        """Title of the particle (the first four characters of any pdgid), in canonical notation."""
        text = self._tables.quantities[pdgid[:4]].description
        return canonical_particle(text) or tidy(text)

    def observable(self, pdgid: str) -> Name:
        """Unique name of a quantity, with the PDG's text and handy spellings as aliases."""
        if pdgid not in self._named:
            self._named[pdgid] = self._spell(pdgid)
        return self._named[pdgid]

    def _spell(self, pdgid: str) -> Name:
        quantity = self._tables.quantities[pdgid]
        name = self._observables[pdgid]
        texts = (
            observable_name(quantity.description),
            *spellings(pdgid, name, quantity_kind(quantity)),
            *([self._short[pdgid]] if pdgid in self._short else []),
        )
        return Name(name, tuple(dict.fromkeys(t for t in texts if t != name)))

    def mode(self, pdgid: str) -> Mode:
        """A decay mode with its products in canonical notation."""
        if pdgid not in self._modes:
            self._modes[pdgid] = self._mode(pdgid)
        return self._modes[pdgid]

    def observables(self) -> tuple[str, ...]:
        """All pdgids that are quantities (not particles, headings)."""
        return tuple(self._observables)

    def _mode(self, pdgid: str) -> Mode:
        tables = self._tables
        description = tables.quantities[pdgid].description
        rows = [(tables.items[d.item], d) for d in tables.decays.get(pdgid, ())]
        parents = [self.item(d.item) for _, d in rows if not d.outgoing]
        children = tuple(self.item(d.item) for _, d in rows if d.outgoing for _ in range(d.multiplier))
        plain = len(parents) == 1 and children and all(i.kind != "T" for i, _ in rows)
        decay: DecayName | None = make_decay(parents[0], children) if plain else parse_decay(description)
        text = observable_name(description)
        if decay is None:
            parent = parents[0] if len(parents) == 1 else self.particle(pdgid)
            return Mode(Name(tidy(description), (text,)), parent, self._first_step(pdgid))
        aliases = tuple(dict.fromkeys(a for a in (text, *decay_aliases(decay)) if a != decay.name))
        return Mode(Name(decay.name, aliases), decay.parent, decay.children)

    def _first_step(self, pdgid: str) -> tuple[str, ...]:
        """Products before the first comma or arrow of a chain; none where text stands among them."""
        children: list[str] = []
        for row in self._tables.decays.get(pdgid, ()):
            text = self._tables.items[row.item].name
            if not row.outgoing:
                continue
            if text in _SEPARATORS:
                break
            name = self.item(row.item)
            if canonical_particle(name) is None:
                return ()
            children += [name] * row.multiplier
        return tuple(children)

    def item(self, item: int) -> str:
        """Name of a decay item, aliases resolved where they stand for one thing (``phi``, ``J/psi``)."""
        tables = self._tables
        name, kind = tables.items[item]
        if kind == "T":
            return tidy(name)
        targets = tables.item_targets.get(item, [])
        if kind in {"A", "S", "W"} and len(targets) == 1:
            return self.item(targets[0])
        return canonical_particle(name) or tidy(name)

    def _name_observables(self) -> None:
        names: dict[str, str] = {}
        modes: dict[str, str] = {}
        for q in self._tables.quantities.values():
            if q.data_type.startswith("BF"):
                modes[q.pdgid] = f"BR({decay_text(q.description)})"
            elif q.data_type not in _LEFT_OUT:
                names[q.pdgid] = self._own_name(q)
        # Measurements stand under the ratios, so a mode of the same name is no observable of its own.
        taken = {_key(n) for n in names.values()}
        for pdgid, name in modes.items():
            if _key(name) not in taken:
                taken.add(_key(name))
                names[pdgid] = name
        for step in (self._with_heading, self._with_kind, self._with_pdgid):
            counts = Counter(_key(n) for n in names.values())
            for pdgid, name in names.items():
                if counts[_key(name)] > 1:
                    names[pdgid] = step(pdgid, name)
        self._observables = names

    def _short_names(self) -> dict[str, str]:
        """Names without the symbol, formula or particle at their end, where they still name one quantity."""
        short = {pdgid: _short(name, self.particle(pdgid)) for pdgid, name in self._observables.items()}
        short = {pdgid: name for pdgid, name in short.items() if name}
        known = {_key(n).lower() for n in self._observables.values()}
        counts = Counter(_key(n).lower() for n in short.values())
        described = (quantity_text(self._tables.quantities[p].description) for p in self._observables)
        texts = Counter(_key(text).lower() for text in described)

        def is_free(name: str) -> bool:
            key = _key(name).lower()
            return counts[key] == 1 and key not in known and texts[key] <= 1

        return {pdgid: name for pdgid, name in short.items() if is_free(name)}

    def _own_name(self, quantity: Quantity) -> str:
        """The description, completed by the particle where it does not speak of it."""
        known = symbol(quantity.pdgid)
        if known is not None:
            return known
        name = quantity_text(quantity.description)
        particle = self.particle(quantity.pdgid)
        stem = re.split(r"[(+\-0_* ]", particle.replace("bar", ""))[0]
        if canonical_particle(particle) is None or re.search(rf"(?<![A-Za-z]){re.escape(stem)}", name):
            return name
        return f"{name} ({particle})"

    def _with_heading(self, pdgid: str, name: str) -> str:
        """``pi pi mode`` becomes ``f_0(500) mass: pi pi mode``."""
        quantity = self._tables.quantities[pdgid]
        parent = self._tables.quantities.get(quantity.parent or "")
        if parent is None or parent.data_type == "PART":
            particle = self.particle(pdgid)
            return name if particle in name else f"{name} ({particle})"
        return f"{quantity_text(parent.description)}: {name}"

    def _with_kind(self, pdgid: str, name: str) -> str:
        """``pi pi mode (a_2(1320))`` becomes ``a_2(1320) mass: pi pi mode``."""
        quantity, particle = self._tables.quantities[pdgid], self.particle(pdgid)
        if quantity.data_type not in {"M", "G"} or quantity_kind(quantity) in name:
            return name
        return f"{particle} {quantity_kind(quantity)}: {name.removesuffix(f' ({particle})')}"

    def _with_pdgid(self, pdgid: str, name: str) -> str:
        return f"{name} [{pdgid}]"


def _short(name: str, particle: str) -> str:
    """The name without what stands for it once more at its end; empty where there is nothing of the kind.

    >>> _short("e electric dipole moment (d)", "e"), _short("SUM of the neutrino masses, mass(tot)", "nu")
    ('e electric dipole moment', 'sum of the neutrino masses')
    >>> _short("Re(epsilon'/epsilon) = (1-x)/3 (K0L)", "K0L"), _short("B_s0 mean life", "B_s0")
    ("Re(epsilon'/epsilon)", '')
    """
    if "->" in name or "IG(JPC)" in name or "sqrt(s)" in name:
        return ""
    left = name.split(" = ", maxsplit=1)[0].split(" == ", maxsplit=1)[0].removesuffix(f" ({particle})")
    left = re.sub(r" \([A-Za-z]\w{0,2}\)$|, [a-z]+\([^)]*\)$", "", left)
    left = re.sub(r"^SUM\b", "sum", left)
    return left if left.lower() != name.lower() and len(left) > 3 else ""


def _key(name: str) -> str:
    return normalise_name(name, case_sensitive=True)
