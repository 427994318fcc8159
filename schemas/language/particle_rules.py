"""Particle names read by rules alone: no table of particles is consulted.

LaTeX, EvtGen (``anti-B_s0``, ``K_2*+``), PDG tables (``Kbar_2^*(1430)0``), Monte Carlo names
(``B(s)~0``, ``~nu(eL)``), programmatic names (``K_2st_1430_0_bar``), HTML and plain text share one
grammar: an antiparticle mark, a base, then subscript, star, prime, state and charge in any order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from schemas.language.notation_fold import plain_latex

_CHARS = str.maketrans(
    {
        **dict(zip("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", [f"^{{{c}}}" for c in "+-0123456789"], strict=True)),
        **dict(zip("₊₋₀₁₂₃₄₅ₛ", [f"_{{{c}}}" for c in "+-012345s"], strict=True)),
        **dict.fromkeys("∗⋆★", "*"), **dict.fromkeys("′’ʹ", "'"), **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("\u00a0\u202f\u2009", " "), "\u0305": "\u0304", "¯": "\u0304", "\u02c9": "\u0304",
        "Λ": "Lambda", "Σ": "Sigma", "Ξ": "Xi", "Ω": "Omega", "Δ": "Delta", "∆": "Delta",
        "ū": "u\u0304",
        "Υ": "Upsilon", "ϒ": "Upsilon", "γ": "gamma", "ψ": "psi", "χ": "chi", "η": "eta", "π": "pi",
        "ρ": "rho", "ω": "omega", "φ": "phi", "ϕ": "phi", "μ": "mu", "µ": "mu", "τ": "tau", "ν": "nu",
        "ℓ": "l", "ϖ": "pi",
        "±": "+-", "∓": "-+", "$": "", "Θ": "Theta", "κ": "kappa", "σ": "sigma",
    }
)  # fmt: skip
_WORDS = (
    "Lambda|Sigma|Xi|Omega|Delta|Upsilon|Theta|gamma|kappa|sigma|psi|chi|eta|pi|rho|omega|phi|mu|tau|nu"
    "|Higgs|Graviton|graviton|Gravitino|gravitino|deuteron|triton|alpha|reggeon|pomeron|cluster|string|geantino"
)
_COMMAND = re.compile(rf"\\(varphi|ell|prime|ast|star|pm|mp|{_WORDS})(?![A-Za-z])\s*")
_COMMANDS = {"varphi": "phi", "ell": "l", "prime": "'", "ast": "*", "star": "*", "pm": "+-", "mp": "-+"}
_OVER = re.compile(r"\\(overline|tilde|widetilde)\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|([A-Za-z]+))")
_PRIME = re.compile(r"\s*\^\s*(?:\{\s*('+)\s*\}|('+))\s*")
_NUCLEUS = re.compile(r"\^\{?(?P<a>\d{1,3})\}?\{?(?P<bar>‾?)\{?(?P<el>[A-Z][a-z]?)\}*(?:\[[\d.]+\])?")
_NUCLEUS_PLAIN = re.compile(
    r"(?P<anti>anti-)?(?P<el>[A-Z][a-z]?)-?(?P<a>\d{1,3})(?P<bar>~|_bar|bar)?(?:\[[\d.]+\])?"
)
_ELEMENTS = re.compile(
    "H|He|Li|Be|B|C|N|O|F|Ne|Na|Mg|Al|Si|P|S|Cl|Ar|K|Ca|Sc|Ti|V|Cr|Mn|Fe|Co|Ni|Cu|Zn|Ga|Ge|As|Se|Br|Kr|Rb|Sr|Y|Zr"
    "|Nb|Mo|Tc|Ru|Rh|Pd|Ag|Cd|In|Sn|Sb|Te|I|Xe|Cs|Ba|La|Ce|Pr|Nd|Pm|Sm|Eu|Gd|Tb|Dy|Ho|Er|Tm|Yb|Lu|Hf|Ta|W|Re|Os"
    "|Ir|Pt|Au|Hg|Tl|Pb|Bi|Po|At|Rn|Fr|Ra|Ac|Th|Pa|U|Np|Pu|Am|Cm|D|T"
)
_HEAVY = {"deuteron": "H2", "triton": "H3", "alpha": "He4", "D2": "H2", "T3": "H3"}
_HEAD = re.compile(
    r"(?P<tilde>[∼~])?(?P<anti>anti-?\s*)?\{*(?P<over>‾)?\{*(?P<tilde2>[∼])?\{*"
    r"(?P<base>J\s*/\s*psi|J_?psi|\(\{*‾?[udscb]{2}\}*\)|"
    rf"{_WORDS}|L(?=[bc])|[A-Za-z](?:')?-hadron|rndmflav|[udscb]{{2}}(?=[_(][01])|[A-Za-z])\}}*"
)
_TOKEN = re.compile(
    r"\(\)|\{\}|[\s{}]+"
    r"|(?P<bar>~|_bar(?![A-Za-z])|bar(?![A-Za-z])|\u0304|-bar(?![a-z]))"
    r"|\((?P<mass>\d{3,5}(?:\.\d+)?|[1-9][SPDFspdf](?:\d)?)\)"
    r"|_(?P<mass2>\d{3,5}|[1-9][SPD])(?![0-9A-Za-z(])"
    r"|(?P<sign>_(?:plus|minus|pp|mm|0)(?=_bar$|$))"
    r"|_?\(\{*(?P<psub>[A-Za-z]{1,3}'?\d?[LRH]?|\d)\}*\)"
    r"|_\{(?P<bsub>[^{}]{1,24})\}"
    r"|\^\{(?P<bsup>[^{}]{1,16})\}"
    r"|_(?P<sub>(?:tau|mu|tc|ccc|bcc|bbc|cc|bc|bb|ss|[scb]|e|[SLHRJXud])(?:st(?=_|$)|p(?=_|$))?(?:bar)?J?|(?=\d))(?P<digit>[0-5]?)"
    r"(?P<tail>(?:st(?=_))?)"
    r"|\^?(?P<star>\(\*\)|\*{1,2}|st(?=_|$))"
    r"|\^?(?P<prime>'+)"
    r"|\^?(?P<charge>\+\+|--|\+-|-\+|\+|-|0)"
    r"|(?P<plain>[scbdSLuH](?![a-z])|cc|bc|ss)"
)
_SUP = re.compile(r"\(\*\)|\*{1,2}|'+|\+\+|--|\+-|-\+|[+\-0]|\s+|\((\d{3,5}|\d[SPD])\)")
_SIGNS = {"_plus": "+", "_minus": "-", "_pp": "++", "_mm": "--", "_0": "0"}
_NEEDS_SPIN = frozenset("fah")
_NEUTRAL = re.compile(
    r"(?:eta|eta'|omega|phi|psi|J/psi|chi|Upsilon|f|h)(?:_.*)?|Lambda(?:_b)?|B_s|Omega_c|n|gamma|Z|H|nu(?:_.*)?"
)

_SIGNED = frozenset({"mu", "tau", "pi", "rho", "a", "b", "K", "D", "B", "W", "T"})
"""Charged leptons and mesons: the charge alone tells particle and antiparticle apart."""


@dataclass(frozen=True, slots=True)
class ParticleParts:
    """A particle's name in parts. ``state`` is a mass in MeV or a level ("2S"), as written."""

    base: str
    bar: bool = False
    partner: bool = False
    """Supersymmetric (a tilde over the symbol)."""
    subs: str = ""
    star: str = ""
    prime: str = ""
    state: str = ""
    charge: str = ""

    @property
    def stem(self) -> str:
        """Base, subscript, star and prime: what states of one family share."""
        head = ("~" if self.partner else "") + self.base
        return f"{head}{'_' if self.subs else ''}{self.subs}{self.star}{self.prime}"

    @property
    def name(self) -> str:
        """The normal form: ``anti-K_2*(1430)0``."""
        state = f"({self.state})" if self.state else ""
        return f"{'anti-' if self.bar else ''}{self.stem}{state}{self.charge}"


@lru_cache(maxsize=65_536)
def parse_particle(text: str) -> ParticleParts | None:
    """The particle that the whole text names, by grammar alone; None for any other text.

    >>> [parse_particle(t).name for t in ("K(2)*(1430)~0", "Kbar_2^*(1430)0", "K_2st_1430_0_bar")]
    ['anti-K_2*(1430)0', 'anti-K_2*(1430)0', 'anti-K_2*(1430)0']
    >>> parse_particle(r"\\overline{\\nu}_{\\tau}").name, parse_particle("trigger")
    ('anti-nu_tau', None)
    """
    if not text or len(text) > 120:
        return None
    plain = _plain(text)
    nucleus = _nucleus(plain)
    if nucleus is not None:
        return nucleus
    head = _HEAD.match(plain)
    if head is None:
        return None
    parts = _Builder(head)
    return parts.finish() if parts.read(plain, head.end()) else None


def _plain(text: str) -> str:
    """The text in the grammar's alphabet: ``‾`` before what a bar covers, ``∼`` for a tilde."""
    text = plain_latex(text.strip()).translate(_CHARS)
    if "\\" in text:
        text = _COMMAND.sub(lambda m: _COMMANDS.get(m[1], m[1]) + " ", text)
        for _ in range(3):
            text = _OVER.sub(_marked, text)
    text = _PRIME.sub(r"\1\2", text)
    return re.sub(r"\s+", " ", text).strip(" .;,")


def _marked(found: re.Match[str]) -> str:
    return ("‾" if found[1] == "overline" else "∼") + (found[2] or found[3] or "").strip()


def _nucleus(text: str) -> ParticleParts | None:
    flat = text.removeprefix("anti-").removesuffix("~").removesuffix("_bar")
    if flat in _HEAVY:
        return ParticleParts(_HEAVY[flat], bar=flat != text)
    found = _NUCLEUS.fullmatch(text) or _NUCLEUS_PLAIN.fullmatch(text)
    if found is None or _ELEMENTS.fullmatch(found["el"]) is None or int(found["a"]) < 2:
        return None
    if not text.startswith("^") and found["el"] in {"B", "K", "D"}:
        return None
    name = f"{found['el']}{found['a']}"
    return ParticleParts(_HEAVY.get(name, name), bar=bool(found["bar"]) or text.startswith("anti-"))


class _Builder:
    """Collects the parts while tokens are read."""

    __slots__ = ("bar", "base", "charge", "partner", "prime", "star", "state", "subs")

    def __init__(self, head: re.Match[str]) -> None:
        base = head["base"].replace(" ", "")
        self.bar = bool(head["anti"] or head["over"] or "‾" in base)
        self.partner = bool(head["tilde"] or head["tilde2"])
        self.base = (
            "J/psi" if base.startswith("J") and len(base) > 1 else base.strip("(){}‾").replace("‾", "")
        )
        self.base = {"Higgs": "H", "gravitino": "G", "Gravitino": "G"}.get(self.base, self.base)
        self.base = re.sub(r"[{}()‾]", "", self.base)
        self.subs = self.star = self.prime = self.state = self.charge = ""

    def read(self, text: str, at: int) -> bool:
        """Read to the end; False where a token is no part of a particle."""
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None or not self._take(found):
                return False
            at = found.end()
        return True

    def _take(self, found: re.Match[str]) -> bool:
        kind = found.lastgroup
        if kind is None:
            return True
        if kind in {"digit", "tail", "sub"}:
            return self._subscript(found)
        value = found[kind]
        if kind == "bar":
            self.bar = True
        elif kind in {"mass", "mass2"}:
            return self._state(value)
        elif kind == "sign":
            return self._sign(value, programmatic="*" not in found.string and "^" not in found.string)
        elif kind in {"psub", "bsub", "plain"}:
            return self._index(value, braced=kind == "bsub")
        elif kind == "bsup":
            return self._superscript(value)
        elif kind == "star":
            self.star = value if value in {"(*)", "**"} else "*"
        elif kind == "prime":
            self.prime += value
        else:
            return self._charge(value)
        return True

    def _state(self, value: str) -> bool:
        if self.state:
            return False
        self.state = value.upper()
        return True

    def _charge(self, value: str) -> bool:
        if self.charge:
            return False
        self.charge = value
        return True

    def _sign(self, value: str, *, programmatic: bool) -> bool:
        spin = self.base in _NEEDS_SPIN and not self.subs
        diquark = len(self.base) == 2 and self.base.isalpha() and set(self.base) <= set("udscb")
        if value == "_0" and (spin or diquark or not programmatic):
            self.subs = "0"
            return True
        return self._charge(_SIGNS[value])

    def _subscript(self, found: re.Match[str]) -> bool:
        word, digit, tail = found["sub"], found["digit"], found["tail"]
        if word.endswith("st"):
            word, self.star = word[:-2], "*"
        if word.endswith("p"):
            word, self.prime = word[:-1], "'"
        if tail:
            self.star = "*"
        rest = found.string[found.end() :]
        neutral = digit == "0" and word and self.base not in {"chi", "h", "eta"} and not tail
        if neutral and rest[:1] not in {"*", "(", "^", "_", "'"}:
            self.subs += word
            return self._charge("0")
        self.subs += word.replace("bar", "") + digit
        return True

    def _index(self, value: str, *, braced: bool) -> bool:
        value = re.sub(r"[\s{}‾]|bar", "", value)
        if "'" in value:
            value, self.prime = value.replace("'", ""), "'"
        if braced and not re.fullmatch(r"(?:\([scd]\)|[A-Za-z]{0,4})\d?[A-Z]?", value):
            return False
        self.subs += value
        return True

    def _superscript(self, content: str) -> bool:
        if re.fullmatch(r"\s*[A-Za-z]+\s*", content):  # isospin label of an exotic hadron
            self.subs += "^" + content.strip()
            return self.base in "PT"
        at = 0
        while at < len(content):
            found = _SUP.match(content, at)
            if found is None:
                return False
            piece = found[0].strip()
            if found[1]:
                self.state = found[1]
            elif piece.startswith(("*", "(")):
                self.star = piece
            elif piece.startswith("'"):
                self.prime += piece
            elif piece and not self._charge(piece):
                return False
            at = found.end()
        return True

    def finish(self) -> ParticleParts:
        """The parts with what every notation may leave out left out."""
        parts = ParticleParts(
            "Lambda" if self.base == "L" and self.subs in {"b", "c"} else self.base,
            bar=self.bar,
            partner=self.partner,
            subs="" if self.base in {"B", "D"} and self.subs in {"d", "u"} else self.subs,
            star=self.star,
            prime=self.prime,
            state=self.state,
            charge=self.charge,
        )
        return _without_implied(parts)


def _without_implied(parts: ParticleParts) -> ParticleParts:
    if parts.base == "psi" and parts.state == "3686":
        return replace(parts, state="2S")
    if parts.base == "psi" and parts.prime and not parts.state:
        return replace(parts, state="2S", prime="")
    if parts.base == "p" and not parts.subs and parts.charge in {"+", "-"}:
        return replace(parts, bar=parts.bar or parts.charge == "-", charge="")
    if parts.charge == "0" and _NEUTRAL.fullmatch(parts.stem) and not parts.partner:
        return replace(parts, charge="")
    charged = parts.bar and parts.charge in {"+", "-"}
    if charged and not parts.partner and parts.base in _SIGNED:
        return replace(parts, bar=False)
    return parts
