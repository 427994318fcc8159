"""Reads one particle, in any of the notations people use, at one place of a text.

PDG tables (``B_s()0``, ``K^*(892)0``), PDG descriptions (``D_s*-``), LaTeX (``\\overline{B}{}^0_s``),
readable text (``B^0_s``, ``K^{*0}``, ``Λ_b^0``) and plain ASCII (``B0s``, ``anti-K*0``) share one
grammar after :func:`prepare`: a base, then decorations in any order.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

from schemas.language import exotic_hadrons

# One character for one, so that offsets stay.
_CHARS = str.maketrans(
    "⁺⁻⁰∗⋆★′’‐‑‒–—−⟶⟼ϕµΥϒ₊₋₀₁₂₃ₛ\u00a0\u202f\u2009∣",
    "+-0***''------→→φμΥΥ+-0123s   |",
)
_GREEK = {
    "Λ": "Lambda", "Σ": "Sigma", "Ξ": "Xi", "Ω": "Omega", "Δ": "Delta", "Υ": "Upsilon", "γ": "gamma",
    "ψ": "psi", "χ": "chi", "η": "eta", "π": "pi", "ρ": "rho", "ω": "omega", "φ": "phi", "μ": "mu",
    "τ": "tau", "ν": "nu", "ℓ": "lepton", "ϖ": "pi",
}  # fmt: skip
_COMMANDS = {
    **{f"\\{word}": letter for letter, word in _GREEK.items()},
    "\\varphi": "φ", "\\ell": "ℓ", "\\to": "→", "\\rightarrow": "→", "\\longrightarrow": "→",
    "\\pm": "±", "\\mp": "∓", "\\prime": "'", "\\ast": "*", "\\star": "*",
    "\\bar": "‾", "\\overline": "‾", "\\kern": "",
    "\\mathrm": "", "\\ensuremath": "", "\\mathit": "", "\\text": "", "\\textrm": "", "\\mathsf": "",
    "\\rm": "", "\\it": "", "\\boldmath": "", "\\left": "", "\\right": "", "\\xspace": "", "\\ ": " ",
    "\\!": "", "\\,": " ", "\\;": " ", "\\:": " ",
}  # fmt: skip
_LETTERS = frozenset(f"\\{word}" for word in _GREEK.values()) | {"\\varphi", "\\ell"}
"""Commands whose blank before a letter divides two particles (``\\eta e^+``)."""
_HEAVY_BARYONS = frozenset({"Lambda", "Sigma", "Xi", "Omega", "L"})
_LATEX = re.compile(r"\\mskip\s*-?\d+\s*mu\b|\\kern\s*-?[\d.]+\s*\w\w|(\\[A-Za-z]+|\\[ !,;:])[ ]*|[$~]")
_ARROW = re.compile(r"-{0,2}->|→")


@dataclass(frozen=True, slots=True)
class Prepared:
    """Text in the scanner's alphabet, and where each stretch of it came from."""

    text: str
    starts: tuple[int, ...] = (0,)
    origins: tuple[int, ...] = (0,)

    def origin(self, offset: int) -> int:
        """Offset in the original text."""
        at = bisect_right(self.starts, offset) - 1
        return self.origins[at] + offset - self.starts[at]


def prepare(text: str) -> Prepared:
    """Replace look-alike characters, and LaTeX commands by the characters they stand for."""
    text = text.translate(_CHARS)
    if not any(c in text for c in "\\$~"):
        return Prepared(text)
    parts: list[str] = []
    starts, origins = [0], [0]
    length = last = 0
    for found in _LATEX.finditer(text):
        word = found[1] or ""
        if word and word not in _COMMANDS:
            continue
        piece = text[last : found.start()] + (_COMMANDS[word] if word else " " if found[0] == "~" else "")
        if word in _LETTERS and found[0] != word and text[found.end() : found.end() + 1].isalpha():
            piece += " "
        parts.append(piece)
        length += len(piece)
        last = found.end()
        starts.append(length)
        origins.append(last)
    parts.append(text[last:])
    return Prepared("".join(parts), tuple(starts), tuple(origins))


_BASE = re.compile(
    r"(?P<anti>anti-?\s?)?(?P<open>[{(]*)(?P<over>‾\s*)?\{*\s*"
    r"(?P<base>J\s*/\s*(?:psi|ψ)|Lambda|Sigma|Xi|Omega|Delta|Upsilon|gamma|psi|chi|eta|pi|rho|omega|phi|mu|tau|nu"
    r"|lepton|anything|L(?=[bc](?:[0+\-*(^]|\s|$))|[ΛΣΞΩΔΥγψχηπρωφμτνℓϖ]|[BDKWZHNPTXYpnedusctbgafhl]|ū)"
    r"(?P<close>\}*)(?P<bar>bar(?![a-z])|[\u0304\u0305])?\}*"
)
_DECORATION = re.compile(
    r"\{\}|\(\)"
    r"|_\{(?P<sub>(?:[^{}]|\{[+-]\}){1,14})\}"
    r"|_(?P<subs>lepton|sbar|cbar|bbar|mu|tau|ell|sJ|sH|sL|cc|bc|[scbSLJeμτℓdu](?![a-z])|(?=\d))(?P<digit>\d?)"
    r"|_?\((?P<flavour>s)\)"
    r"|\^\{(?P<sup>[^{}]{1,14})\}"
    r"|\^(?P<sups>\(\*\)|\*{1,2}|'|\+\+|--|\+-|-\+|[+\-0±∓])"
    r"|(?P<star>\(\*\)|\*{1,2})(?!\*)|(?P<prime>'+)(?![a-z])"
    r"|\((?P<mass>\d{3,5}|[1-6][SPD])\)"
    r"|(?P<charge>\+\+|--(?![->])|\+-|-\+|\+|-(?!-?>)|±|∓|0(?!\d))(?P<tail>[sSL](?![A-Za-z(]))?"
    r"|(?P<close>\})"
)
_PLAIN_SUB = re.compile(r"(?P<sub>[scdSL])(?=[+\-*0^(±∓\s,.;:)\]}']|$)")
_PLAIN_HEAVY = re.compile(r"(?P<sub>cc|bc|[bc])(?=[+\-*0^(±∓\s,.;:)\]}']|$)")
"""Flavours of baryons in plain ASCII: ``Lb0``, ``Xicc++``."""
_SUP_PART = re.compile(r"\(\*\)|\*{1,2}|'|\+\+|--|\+-|-\+|[+\-0±∓]|\s+|\{|\}|\((?P<mass>\d{3,5})\)")
_SUB_OK = re.compile(
    r"slow|soft|fast|tag|bach(?:elor)?|(?:sJ|cc|bc|s|c|b|d|u|S|L|J|e|mu|tau|lepton)?\d?(?:[HL])?|\(s\)"
)


_LEPTON_PAIR = re.compile(r"(?P<of>e|[μτℓ])(?:\^?\{?\+\}?)?(?P=of)(?:\^?\{?-\}?)?")
_TO_LEPTONS = frozenset({"gamma", "J/psi", "psi", "Upsilon", "phi"})
"""What is known by the pair that it decays to: ``γ_{e^+e^-}``, ``J/ψ_{μμ}``."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """The parts of one particle; ``end`` is the offset after it; ``bare`` says that no decoration stands."""

    end: int
    base: str
    bar: bool
    subs: tuple[str, ...]
    star: str
    prime: str
    mass: str
    charge: str
    bare: bool
    greek: bool


class _Parts:
    """What the decorations of one particle have set so far."""

    __slots__ = ("charge", "mass", "open", "prime", "star", "subs")

    def __init__(self) -> None:
        self.subs: list[str] = []
        self.open = False
        self.star = self.prime = self.mass = self.charge = ""

    def superscript(self, content: str) -> bool:
        """Take stars, primes and charge from a superscript; False where it holds anything else."""
        at = 0
        while at < len(content):
            part = _SUP_PART.match(content, at)
            if part is None:
                return False
            piece = part[0]
            if part["mass"]:
                self.mass = part["mass"]
            elif piece in {"*", "**", "(*)"}:
                self.star = piece
            elif piece == "'":
                self.prime += piece
            elif not piece.strip("{} "):
                pass
            elif not self.set_charge(piece, again=True):
                return False
            at = part.end()
        return True

    def set_charge(self, token: str, *, again: bool = False) -> bool:
        """False where another charge stands; ``again``: a macro with its charge was given the same one, or
        was made another particle by a subscript (``Ω^+_c^0``)."""
        charge = token.replace("±", "+-").replace("∓", "-+")
        if self.charge and not (again and (self.open or charge == self.charge)):
            return False
        self.charge, self.open = charge, False
        return True

    def subscript(self, content: str) -> bool:
        content = "".join(_GREEK.get(c, c) for c in content.replace(" ", "")).replace("ell", "lepton")
        content = content.replace("leptonlepton", "lepton")
        if not _SUB_OK.fullmatch(content):
            return False
        self.open = bool(self.charge)
        self.subs.append(content)
        return True


def _apply(found: re.Match[str], parts: _Parts, base: str) -> int:
    """Apply one decoration; the offset after it, or -1 where it belongs to no particle."""
    end = found.end()
    if found["sub"] is not None:
        pair = base in _TO_LEPTONS and _LEPTON_PAIR.fullmatch(found["sub"].replace(" ", ""))
        return end if pair or parts.subscript(found["sub"]) else -1
    if found["subs"] is not None:
        word, digit = found["subs"], found["digit"]
        if word in {"sbar", "cbar", "bbar"} or (base in "TP" and not digit):
            parts.subs.append(word)
            return end
        after = found.string[end : end + 1]
        if digit == "0" and word and base not in {"chi", "h", "eta"} and after not in {"*", "(", "^", "'"}:
            return end - 1 if parts.subscript(word) else -1
        return end if parts.subscript(word + digit) else -1
    if found["sup"] is not None or found["sups"]:
        return end if parts.superscript(found["sup"] or found["sups"]) else -1
    if found["charge"]:
        if not parts.set_charge(found["charge"]):
            return -1
        tail = found["tail"]
        if tail and not ((base == "K" and tail in "SL") or (base in "BD" and tail == "s")):
            return found.start("tail")
        return end if not tail or parts.subscript(tail) else -1
    parts.star = found["star"] or parts.star
    parts.prime += found["prime"] or ""
    parts.mass = found["mass"] or parts.mass
    if found["flavour"]:
        parts.subs.append("(s)")
    return end


def scan_particle(text: str, at: int) -> Scanned | None:
    """The particle that starts at ``at`` of a prepared text, or None."""
    head = _BASE.match(text, at)
    if head is None or "(" in head["open"]:
        return None
    word = head["base"]
    base = "J/psi" if word.startswith("J") else _GREEK.get(word, word).replace("ū", "u")
    parts = _Parts()
    opened = text.count("{", at, head.end()) - text.count("}", at, head.end())
    here, first = head.end(), head.end()
    heavy = _PLAIN_HEAVY.match(text, here) if word in _HEAVY_BARYONS else None
    if heavy:
        base = "Lambda" if base == "L" else base
        parts.subs.append(heavy["sub"])
        here = heavy.end()
    plain = _PLAIN_SUB.match(text, here)
    if plain and ((base == "B" and plain["sub"] in "scd") or (base == "D" and plain["sub"] == "s")
                  or (base == "K" and plain["sub"] in "SL")):  # fmt: skip
        parts.subs.append(plain["sub"])
        here = plain.end()
    bar = bool(head["anti"] or head["over"] or head["bar"] or word == "ū")
    if base in exotic_hadrons.BASES and not head["close"]:
        here = _quarks(text, here, parts)
    while found := _DECORATION.match(text, here):
        if found["close"]:
            if opened <= 0:
                break
            opened -= 1
        after = _apply(found, parts, base)
        if after < 0:
            break
        here = after
    while text[here : here + 1] in {"\u0304", "\u0305"} and text[here : here + 1]:
        bar, here = True, here + 1
    bare = here == first and not head["close"]
    greek = not word[0].isascii()
    return Scanned(
        here, base, bar, tuple(parts.subs), parts.star, parts.prime, parts.mass, parts.charge, bare, greek
    )


def _quarks(text: str, at: int, parts: _Parts) -> int:
    """Takes the quarks of an exotic hadron; the offset behind them, or ``at`` where there are none."""
    found = exotic_hadrons.SUBSCRIPT.match(text, at)
    if found is None:
        return at
    spin = found["spin"] or found["turn"]
    parts.subs.extend((*exotic_hadrons.quarks(found["quarks"] or found["plain"]), *([spin] if spin else [])))
    isospin = exotic_hadrons.ISOSPIN.match(text, found.end())
    return isospin.end() if isospin else found.end()


def arrows(text: str) -> list[tuple[int, int]]:
    """Spans of the arrows of a prepared text."""
    return [found.span() for found in _ARROW.finditer(text)]


def is_boundary(text: str, at: int) -> bool:
    """Whether a name may begin or end at ``at``: no letter or digit touches on both sides."""
    before, after = text[at - 1 : at] if at else "", text[at : at + 1]
    return not (before.isalnum() and after.isalnum()) and not (after and unicodedata.combining(after))
