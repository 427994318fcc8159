"""Differences between two names that forbid merging them by similarity, however alike they look.

One sign or one letter separates two concepts of particle physics (``D0 -> K- pi+`` and
``D0 -> K+ pi-``), so string similarity alone merges what it must not. A veto never merges anything: the
worst it can do is to leave two names of one concept apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from schemas.errors import SchemaError
from schemas.language.contrasts import (
    DEFAULT_STATE,
    EXCLUSIVE,
    NUMBER_WORDS,
    SPECIES,
    STRICT,
    TOPICS,
    ZERO_CHARGE,
)

RULES = ("charge", "numbers", "particles", "antonyms")
"""Names of the rules, in the order in which they are tried."""

_GREEK = (
    "alpha|beta|gamma|Gamma|delta|Delta|epsilon|eta|theta|Theta|lambda|Lambda|mu|nu|xi|Xi|pi|rho|sigma|Sigma"
    "|tau|phi|Phi|chi|psi|Psi|omega|Omega|Upsilon|Upsi"
)
_BASE = rf"J/psi|Jpsi|{_GREEK}|L(?=[bc])|[A-Za-z]"
_PARTICLE_BASES = frozenset([*_GREEK.split("|"), "J/psi", *"BDKWZHXYPTfahbctpnedu"])
_CHARGED_NEXT = rf"(?=(?:{_BASE})[*_0-9sc]*[+\-0])"
_DECORATION = (
    r"\*|'|~|bar(?![a-z])|-bar(?![a-z])|\((?:\d+S?|\d[SPD])\)|_\(?[A-Za-z0-9]{1,4}\)?|\+(?!\d)"
    rf"|-(?![A-Za-z>\d])|-{_CHARGED_NEXT}|0(?!\d)|(?<=[BDKLaif])(?:\(s\)|[sdcbSL]{{1,2}})(?![a-z])|(?<=[BD]0)s(?![a-z])|(?<=[A-Z])\d"
)
_SYMBOL = re.compile(
    rf"(?<![A-Za-z0-9_])(?P<anti>anti-?\s?)?(?P<base>{_BASE})(?P<rest>(?:{_DECORATION})*)"
    r"(?:(?<=[+\-])|(?![A-Za-z0-9_]))"
)
_PART = re.compile(r"\((?P<state>\d+S?|\d[SPD])\)|_?\(?(?P<sub>[A-Za-z]{1,4}\d?|\d)\)?|(?P<mark>[*'~+\-])")
_BAR = re.compile(r"\\(?:overline|widebar|bar)\s*(?:\{\s*(\\?[A-Za-z]+)([^{}]*)\}|(\\[A-Za-z]+|[A-Za-z]))")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_DROPPED = re.compile(
    r"\\(?:left|right|mathrm|mathit|text|rm|mathcal|ensuremath)(?![A-Za-z])|\\[,;:! ]|[${}^]"
)
_UNTYPESET = str.maketrans("", "", "${}^")
_PSI = re.compile(r"J\s*/\s*[pP]si|Jpsi")
_ARROW = re.compile(r"->|\\(?:to|rightarrow|longrightarrow)(?![A-Za-z])|→|⟶")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"[a-z]+")
_WAVE = re.compile(r"(?<![A-Za-z])[SPDFG]-?\s?wave")
_ACRONYM = re.compile(r"(?<![A-Za-z])[A-Z]{2,}(?![A-Za-z])")
_AXIS_WORDS = frozenset().union(*EXCLUSIVE, *TOPICS)
_TELLING_WORDS = _AXIS_WORDS | STRICT
_NONE: frozenset[_Symbol] = frozenset()
_SIGNS = {"−": "-", "–": "-", "\u0304": "~", "\u0305": "~", "′": "'", "±": "+-", "∓": "-+"}


@dataclass(frozen=True, slots=True)
class _Symbol:
    base: str
    decoration: str


@dataclass(frozen=True, slots=True)
class Signature:
    """All that the rules compare of a name: symbols before and after the arrow, numbers, words that tell.

    No rule tells names of one signature apart.
    """

    parents: tuple[_Symbol, ...]
    symbols: tuple[_Symbol, ...]
    ratio: bool
    numbers: frozenset[str]
    species: frozenset[str]
    words: frozenset[str]
    letters: frozenset[str]
    """Words of one letter, the article left out."""
    acronyms: frozenset[str]


def vetoed(left: str, right: str, vetoes: Sequence[str]) -> str | None:
    """Name of the first rule of ``vetoes`` that tells the two names apart, or None.

    ``charge`` compares the decorations of particle symbols (charge, bar, star, subscript, state),
    ``particles`` which symbols, species and experiments are named, ``numbers`` all other numbers, and
    ``antonyms`` contrasting words and the letters of other symbols. LaTeX, Unicode and plain notation
    are understood. The result does not depend on the order of the names. Raises ``SchemaError`` for a
    rule that does not exist.

    >>> vetoed("D0 -> K- pi+", "D0 -> K+ pi-", ["charge"])
    'charge'
    >>> vetoed("Run 1 luminosity", "Run 2 luminosity", ["charge", "numbers"])
    'numbers'
    >>> vetoed("tracking efficiency", "efficiency of the tracking", ["antonyms"]) is None
    True
    """
    return told_apart(signature(left), signature(right), vetoes)


def told_apart(left: Signature, right: Signature, vetoes: Sequence[str]) -> str | None:
    """``vetoed`` of two names that were read before."""
    unknown = [rule for rule in vetoes if rule not in RULES]
    if unknown:
        raise SchemaError(f"veto {unknown[0]!r} does not exist; expected one of {', '.join(RULES)}")
    if left == right:
        return None
    return next((rule for rule in RULES if rule in vetoes and _CHECKS[rule](left, right)), None)


@lru_cache(maxsize=200_000)
def signature(name: str) -> Signature:
    """A name as the rules read it.

    >>> signature("Tracking efficiency") == signature("efficiency of the tracking")
    True
    """
    text = _fold(name)
    parents, symbols, rest = _symbols_of(text)
    words = {_singular(word) for word in _WORD.findall(rest.lower())}
    if "/" in text and "/" in text.replace("J/psi", ""):
        words.add("ratio")
    if "track" in words:
        words.add("tracking")
    numbers = {format(float(n), "g") for n in _NUMBER.findall(rest)}
    numbers.update(NUMBER_WORDS[word] for word in words & NUMBER_WORDS.keys())
    if "wave" in text:
        numbers.update(wave[0] + "-wave" for wave in _WAVE.findall(text))
    return Signature(
        parents=parents,
        symbols=symbols,
        ratio="ratio" in words,
        numbers=frozenset(numbers),
        species=frozenset(SPECIES[word] for word in words & SPECIES.keys()),
        words=_TELLING_WORDS & words,
        letters=frozenset(word for word in words if len(word) == 1 and word != "a"),
        acronyms=frozenset(_ACRONYM.findall(rest)),
    )


def _symbols_of(text: str) -> tuple[tuple[_Symbol, ...], tuple[_Symbol, ...], str]:
    """The symbols before an arrow, all others, and the text without them."""
    arrows = text.count("->")
    before = text.index("->") if arrows == 1 else -1
    parents: list[_Symbol] = []
    symbols: list[_Symbol] = []
    rest: list[str] = []
    end = 0
    for match in _SYMBOL.finditer(text):
        if _is_symbol(match, in_decay=arrows > 0):
            (parents if match.start() < before else symbols).append(_symbol(match))
            rest += text[end : match.start()], " "
            end = match.end()
    return tuple(parents), tuple(symbols), "".join((*rest, text[end:]))


def _fold(name: str) -> str:
    """LaTeX and Unicode to the plain notation ``B~_s0 -> J/psi K*(892)0``."""
    if name.isascii() and "\\" not in name:
        text = name.replace("->", " -> ").replace("{}", "").translate(_UNTYPESET)
        return _PSI.sub("J/psi", text) if "J" in text else text
    text = name.replace("~", " ") if "\\" in name else name
    text = _BAR.sub(lambda m: f" {m[1] or m[3]}~{m[2] or ''}", _ARROW.sub(" -> ", text))
    text = text.replace(r"\pm", "+-").replace(r"\mp", "-+").replace(r"\prime", "'").replace("{}", "")
    text = _COMMAND.sub(r" \1", re.sub(r"_\s*\\", "_", _DROPPED.sub("", text)))
    text = unicodedata.normalize("NFKD", "".join(map(_greek_name, text)))
    for sign, plain in _SIGNS.items():
        text = text.replace(sign, plain)
    return _PSI.sub("J/psi", text)


def _greek_name(character: str) -> str:
    if not "\u0370" <= character <= "\u03ff":
        return character
    name = unicodedata.name(character, "").split()
    if name[:2] not in (["GREEK", "SMALL"], ["GREEK", "CAPITAL"]) or len(name) < 4:
        return character
    letter = {"LAMDA": "LAMBDA"}.get(name[3], name[3]).lower()
    return f" {letter if name[1] == 'SMALL' else letter.capitalize()}"


def _is_symbol(match: re.Match[str], *, in_decay: bool) -> bool:
    return len(match["base"]) > 1 or bool(match["rest"]) or (in_decay and match["base"] in _PARTICLE_BASES)


def _symbol(match: re.Match[str]) -> _Symbol:
    base = {"L": "Lambda", "Upsi": "Upsilon", "Jpsi": "J/psi"}.get(match["base"], match["base"])
    rest = match["rest"].replace("-bar", "~").replace("bar", "~")
    states, subs, marks, charge = "", "", set[str](), ""
    for part in _PART.finditer(rest):
        if part["state"]:
            states += part["state"]
        elif part["mark"] in ("+", "-") or part.group() == "0":
            charge += part.group()
        elif part["mark"]:
            marks.add(part["mark"] * 2 if part["mark"] in marks else part["mark"])
        else:
            sub, zero = _split_charge(part["sub"], base)
            subs, charge = subs + sub, charge + zero
    if match["anti"]:
        marks.add("~")
    return _finish(base, "_" * bool(subs) + subs, marks, states=states, charge=charge)


def _split_charge(sub: str, base: str) -> tuple[str, str]:
    """``s0`` of ``B_s0`` is the subscript s and the charge 0, ``c0`` of ``chi_c0`` a subscript."""
    if sub.endswith("0") and len(sub) > 1 and base != "chi":
        return sub[:-1], "0"
    return sub, ""


def _finish(base: str, sub: str, marks: set[str], *, states: str, charge: str) -> _Symbol:
    stem = (
        base + sub + ("**" if "**" in marks else "*" if "*" in marks else "") + ("'" if "'" in marks else "")
    )
    if states == DEFAULT_STATE.get(stem, ""):
        states = ""
    if states == "3686" and base == "psi":
        states = "2S"
    if charge == "0" and stem in ZERO_CHARGE:
        charge = ""
    return _Symbol(base, f"{stem[len(base) :]}{'~' if '~' in marks else ''}({states}){charge}")


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] not in "aius" else word


def _charges_differ(a: Signature, b: Signature) -> bool:
    """Symbols of one base with other decorations, or a mirrored decay."""
    only_a, only_b = _difference(a, b)
    return bool({s.base for s in only_a} & {s.base for s in only_b} & _PARTICLE_BASES)


def _particles_differ(a: Signature, b: Signature) -> bool:
    only_a, only_b = _difference(a, b)
    if any(s.base in _PARTICLE_BASES for s in (*only_a, *only_b)):
        return True
    if a.ratio and b.ratio and a.symbols != b.symbols:
        return True
    return bool(a.species and b.species and a.species != b.species)


def _numbers_differ(a: Signature, b: Signature) -> bool:
    return a.numbers != b.numbers


def _words_contrast(a: Signature, b: Signature) -> bool:
    if (a.words ^ b.words) & STRICT or _letters_differ(a, b):
        return True
    only_a, only_b = _difference(a, b)
    if any(s.base not in _PARTICLE_BASES for s in (*only_a, *only_b)):
        return True
    ours, theirs = a.words & _AXIS_WORDS, b.words & _AXIS_WORDS
    if ours and theirs and ours != theirs:
        if any(ours & axis and theirs & axis and ours & axis != theirs & axis for axis in EXCLUSIVE):
            return True
        if any(ours & axis and theirs & axis and not ours & theirs & axis for axis in TOPICS):
            return True
    return bool(a.acronyms and b.acronyms and a.acronyms.isdisjoint(b.acronyms))


def _letters_differ(a: Signature, b: Signature) -> bool:
    """Whether both names have single letters, and none in common: "b tagging", "c tagging"."""
    return bool(a.letters and b.letters and a.letters.isdisjoint(b.letters))


def _difference(a: Signature, b: Signature) -> tuple[AbstractSet[_Symbol], AbstractSet[_Symbol]]:
    """Symbols of each name that the other lacks; repeats count where both names are one decay."""
    if a.symbols == b.symbols and a.parents == b.parents:
        return _NONE, _NONE
    only_a: set[_Symbol] = set()
    only_b: set[_Symbol] = set()
    if (a.parents, a.symbols) == (b.parents, b.symbols):
        return only_a, only_b
    if a.parents and b.parents:
        sides = ((a.parents, b.parents), (a.symbols, b.symbols))
        for left, right in sides:
            only_a |= set(Counter(left) - Counter(right))
            only_b |= set(Counter(right) - Counter(left))
        return only_a, only_b
    all_a, all_b = {*a.parents, *a.symbols}, {*b.parents, *b.symbols}
    return all_a - all_b, all_b - all_a


_CHECKS = {
    "charge": _charges_differ,
    "numbers": _numbers_differ,
    "particles": _particles_differ,
    "antonyms": _words_contrast,
}
