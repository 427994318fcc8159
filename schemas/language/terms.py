"""Names of concepts as words: synonyms replaced, notation canonical, order and filling words put aside.

Two names with one normal form say the same: "track reconstruction efficiency" and "efficiency of the track
reconstruction". What orders its words ("ratio of A to B", "A over B") keeps their order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from schemas.language.names import normalise_name
from schemas.language.notation import find_decays, parse_decay
from schemas.language.notation_fold import plain_latex
from schemas.language.particle_ids import numbers_of
from schemas.language.particle_names import canonical_particle
from schemas.language.particle_words import charges_completed

_STOP = frozenset(
    {*("a", "an", "the", "of", "in", "on", "for", "to", "from", "by", "with", "and", "at", "due", "its")}
    | {*("their", "our", "this", "that", "using", "use", "via", "as")}
)
_ARTICLES = frozenset({"the", "an"})
_ORDERED = frozenset({"ratio", "over", "minus", "versus", "vs", "between", "relative", "per", "divided", "/"})
_ORDERING = frozenset({"to", "over", "minus", "versus", "per", "and", "/"})
_GREEK = [
    *[
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
    ],
    *[
        "pi",
        "rho",
        "sigma",
        "tau",
        "phi",
        "chi",
        "psi",
        "omega",
        "Gamma",
        "Delta",
        "Theta",
        "Lambda",
        "Xi",
        "Pi",
    ],
    *["Sigma", "Upsilon", "Phi", "Psi", "Omega"],
]
_LETTERS = dict(zip("αβγδεζηθκλμνξπρστφχψωΓΔΘΛΞΠΣΥΦΨΩ", _GREEK, strict=True)) | {
    "ϕ": "phi",
    "µ": "mu",
    "∆": "Delta",
}
_LETTER = re.compile("[" + "".join(_LETTERS) + "]")
_COMMAND = re.compile(rf"\\(?:({'|'.join(_GREEK)})|var(phi|epsilon|theta|rho))(?![A-Za-z])\s*")
_OTHER_COMMAND = re.compile(r"\\(?:mathcal|operatorname)\s*\{([A-Za-z]+)\}")
_FUNCTION = re.compile(
    r"(?<![A-Za-z_])(B|BF|BR|Br|A_CP|A_\{CP\}|tau|m|M)\s*\(\s*([^()]*(?:\([^()]*\)[^()]*)*)\)"
)
_FUNCTIONS = {
    **dict.fromkeys(["B", "BF", "BR", "Br"], "branching fraction"),
    **dict.fromkeys(["A_CP", "A_{CP}"], "CP asymmetry"),
    **dict.fromkeys(["m", "M"], "mass"),
    "tau": "lifetime",
}
_SUBSCRIPT = re.compile(r"(?<=[ΓγΔ∆φβ])([sdDcb])(?![A-Za-z])")
_BARRED = re.compile(r"\\overline\s*(?:\{\s*([A-Za-z]+)\s*\}|([A-Za-z]))")
_LOOSE_GROUP = re.compile(r"(?<![_^])\{([^{}]*)\}")
_WORD_COMMAND = re.compile(r"\\([A-Za-z]{2,})\s*")
_DIGIT_GREEK = re.compile(
    rf"(?<=\d)(?=(?:{'|'.join(_GREEK)})(?![A-Za-z]))|(?<=[a-z]{{3}})(?=\d)|(?<=Run)(?=\d)"
)
_SPLIT = re.compile(r"(?<=[\w)])-(?=[A-Za-z\\])")
_KEPT = frozenset(_GREEK)
_BARE_GREEK = re.compile(rf"\\(?:{'|'.join(_GREEK)}|var\w+)")
_UNWRAPPED = str.maketrans("", "", "⟨⟩")
_WRAPPED = re.compile(r"(⟨[^⟨⟩]+⟩)")
_HYPHEN = re.compile(r"(?<=[A-Za-z]{2})-(?=[A-Za-z])|(?<=[A-Za-z0-9])-(?=[a-z]{3})")
_TOKEN = re.compile(r"[^\s,;:]+")
_DECORATED = re.compile(r"[\^_+*'~\d\\‾\u0304\u0305]|-$")
_BRACKETS = re.compile(r"^[(\[]+(?=[^()\[\]]*$)|(?<![^()\[\]])[)\]]+$|[.?!]+$")
_ENCLOSED = re.compile(r"^[(\[]([A-Za-z]+)[)\]]$")
_AMERICAN = (
    (re.compile(r"(?<=[a-z]{3})iz(?=e|ing|ation)"), "is"),
    (re.compile(r"(?<=av|ol|ab|ei|hb)or"), "our"),
)
_IRREGULAR = {
    "analyses": "analysis",
    "hypotheses": "hypothesis",
    "axes": "axis",
    "bases": "basis",
    "vertices": "vertex",
    "indices": "index",
    "matrices": "matrix",
    "momenta": "momentum",
    "spectra": "spectrum",
    "criteria": "criterion",
    "phenomena": "phenomenon",
    "radii": "radius",
    "maxima": "maximum",
    "minima": "minimum",
    "series": "series",
    "species": "species",
}
_POSSESSIVE = re.compile(r"(?<=[A-Za-z]{3})['’]s?$")
_PASSES = 3
"""How often synonyms are replaced in what synonyms gave: "MC stat." becomes "simulation statistic" first."""
_WORDS = re.compile(r"[a-z ]*")
_LABEL = re.compile(
    r"_\s*\{\s*\\(?:rm|mathrm|text|textrm|mathit)(?![A-Za-z])\s*\{?\s*([A-Za-z]{3,12})\s*\}{1,2}"
)
_PLURAL = re.compile(r"(?:(?<=[a-z]{3})(?<![aius])s|(?<=[a-z]{2})ies|(?<=ch|sh|ss|xe)es)$")


def _word(word: str) -> str:
    """A word in lower case, singular, in British spelling."""
    if word in _KEPT or len(word) == 1:
        return word
    low = "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    for pattern, british in _AMERICAN:
        low = pattern.sub(british, low)
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    return _PLURAL.sub("", low)


@lru_cache(maxsize=20_000)
def plain_symbols(text: str) -> str:
    """LaTeX and Unicode as ASCII words and symbols; decays and particles are left as they stand.

    >>> plain_symbols(r"$\\Delta\\Gamma_s$"), plain_symbols("sin(2β)")
    ('Delta Gamma_s', 'sin 2 beta')
    """
    text = _BARRED.sub(lambda m: (m[1] or m[2]) + "bar", plain_latex(text.replace("$", " ")))
    text = _COMMAND.sub(lambda m: f" {m[1] or m[2]} ", _SUBSCRIPT.sub(r"_\1", text))
    text = _LETTER.sub(lambda m: f" {_LETTERS[m[0]]} ", text)
    text = re.sub(r"\\(?:,|;|:|!| |prime(?![a-z]))", lambda m: "'" if "prime" in m[0] else " ", text)
    text = _LOOSE_GROUP.sub(r"\1", _WORD_COMMAND.sub(r"\1 ", text))
    text = re.sub(r"\s+(?=[_^'])|(?<=[(_^{|])\s+|\s+(?=[)}|])", "", re.sub(r"\s+", " ", text))
    text = re.sub(r"(sin|cos|tan)\s*\(([^()]*)\)", r"\1 \2", text)
    return _DIGIT_GREEK.sub(" ", re.sub(r"([_^])\{(\w+)\}", r"\1\2", text)).strip()


@dataclass(frozen=True, slots=True)
class TermTable:
    """Synonyms of words within names, synonyms of whole names, and words that say nothing.

    ``phrases`` maps word sequences to the words to keep, ``concepts`` the normal form of a whole name to
    the words of the concept's first name.
    """

    phrases: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    concepts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    fillers: frozenset[str] = frozenset()
    longest: int = 1

    def spoken(self, name: str) -> str:
        """The name with canonical notation and synonyms replaced, word order kept.

        >>> terms([["particle identification", "PID"]]).spoken("PID of the $K^{*0}$")
        'particle identification of K*(892)0'
        """
        words = self._replaced(word_tokens(name))
        return " ".join(self.concepts.get(self._form(words), words)).translate(_UNWRAPPED)

    def form(self, name: str) -> str:
        """The normal form: what is left of the spoken name, sorted where its order says nothing. Idempotent.

        >>> table = terms([["track reconstruction", "tracking"]])
        >>> table.form("tracking efficiency") == table.form("Efficiency of the track reconstruction")
        True
        """
        found = self._formed(name)
        if _WORDS.fullmatch(found):
            return found
        seen = [found]
        for _ in range(_PASSES):  # sorted symbols may read as another symbol
            found = self._formed(found)
            if found in seen:
                return min(seen[seen.index(found) :])
            seen.append(found)
        return found

    def _formed(self, name: str) -> str:
        form = self._form(self._replaced(word_tokens(name)))
        concept = self.concepts.get(form)
        return form if concept is None else self._form(concept)

    def _form(self, words: Sequence[str]) -> str:
        ordered = not _ORDERED.isdisjoint(words) or any(map(_is_formula, words))
        plain = [w for w in words if w not in _STOP or (ordered and w in _ORDERING)]
        kept = [w for w in plain if w not in self.fillers] or plain or list(words)
        return " ".join(kept if ordered else sorted(_once(kept)))

    def _replaced(self, tokens: Sequence[str]) -> list[str]:
        """The tokens with synonyms replaced, and those that only a replacement has made."""
        found = list(tokens)
        for _ in range(_PASSES):
            before, found = found, self._replaced_once(found)
            if found == before:
                break
        return found

    def _replaced_once(self, tokens: Sequence[str]) -> list[str]:
        out: list[str] = []
        at = 0
        while at < len(tokens):
            for size in range(min(self.longest, len(tokens) - at), 0, -1):
                found = self.phrases.get(tuple(tokens[at : at + size]))
                if found is not None:
                    out += found
                    at += size
                    break
            else:
                out.append(tokens[at])
                at += 1
        return out


def _once(words: Sequence[str]) -> list[str]:
    """The words without repeats; a symbol counts as often as it stands there."""
    seen: set[str] = set()
    kept = []
    for word in words:
        if word not in seen or not word.isalpha() or len(word) < 3 or word in _KEPT:
            kept.append(word)
        seen.add(word)
    return kept


def _is_formula(word: str) -> bool:
    """Whether a word is a piece of notation that was not understood: its place says something."""
    return not word.startswith("⟨") and any(sign in word for sign in ("->", "[", "]", "(", ")", "*", "/"))


def terms(
    words: Iterable[Sequence[str]], concepts: Iterable[Sequence[str]] = (), fillers: Iterable[str] = ()
) -> TermTable:
    """The table of groups of synonyms, each led by the form to keep: words in names, and whole names."""
    groups = tuple(words)
    phrases: dict[tuple[str, ...], tuple[str, ...]] = {}
    for group in groups:
        kept = word_tokens(group[0])
        for other in group:
            phrases.setdefault(word_tokens(other), kept)
    longest = max(map(len, phrases), default=1)
    table = TermTable(phrases, {}, frozenset(_word(w) for w in fillers), longest)
    for group in (*concepts, *groups):
        kept = tuple(table._replaced(word_tokens(group[0])))
        for other in group:
            tokens = word_tokens(other)
            for key in (table._replaced(tokens), tokens):
                table.concepts.setdefault(table._form(key), kept)
    return table


@lru_cache(maxsize=200_000)
def word_tokens(name: str) -> tuple[str, ...]:
    """The words of a name, tidied, and its symbols with their case; decays and particles in ⟨⟩.

    >>> word_tokens("Modelling of the B_s^0 decay-time")
    ('modelling', 'of', '⟨B_s0⟩', 'decay', 'time')
    """
    text = _with_decays(name)
    found: list[str] = []
    for piece in _WRAPPED.split(text):
        if piece.startswith("⟨"):
            found.append(piece)
            continue
        found += [t for raw in _TOKEN.findall(_HYPHEN.sub(" ", piece)) if (t := _token(raw))]
    return tuple(t for t in found if t not in _ARTICLES) or tuple(found)


def _with_decays(name: str) -> str:
    """Plain text in which every decay and every marked particle is canonical and stands in ⟨⟩."""
    return "".join(
        part if _WRAPPED.fullmatch(part) else _wrapped(part.translate(_UNWRAPPED))
        for part in _WRAPPED.split(name.replace("$", ""))
    )


def _wrapped(name: str) -> str:
    name = _LABEL.sub(r"_\1 ", _OTHER_COMMAND.sub(r"\1", name))
    name = _FUNCTION.sub(lambda m: f" {_FUNCTIONS[m[1]]} of {m[2]} ", name)
    text = name if "\\" in name else normalise_name(name, case_sensitive=True)
    whole = parse_decay(text) if ">" in text or "→" in text or "\\" in text else None
    if whole is not None:
        return f"⟨{charges_completed(whole).name}⟩"
    text = plain_latex(text)
    for start, end, decay in reversed(find_decays(text)):
        text = f"{text[:start]} ⟨{charges_completed(decay).name}⟩ {text[end:]}"
    return "".join(
        part if part.startswith("⟨") else plain_symbols(_with_particles(part))
        for part in _WRAPPED.split(text)
    )


def _with_particles(text: str) -> str:
    """Canonical particles for those words that are one and carry a mark; in ⟨⟩."""
    return re.sub(r"\S+", lambda m: _particle(m[0]), text)


@lru_cache(maxsize=20_000)
def _particle(word: str) -> str:
    bare = word.strip("$,.;:")
    for cut in _SPLIT.finditer(bare):
        pair = [canonical_particle(part) for part in (bare[: cut.start()], bare[cut.end() :])]
        if None not in pair:
            return f" ⟨{pair[0]}⟩ ⟨{pair[1]}⟩ "
    if bare.count("(") != bare.count(")") or not _DECORATED.search(bare) or _BARE_GREEK.fullmatch(bare):
        return word
    name = canonical_particle(bare)
    return f" ⟨{name}⟩ " if name is not None and numbers_of(name) else word


def _token(raw: str) -> str:
    token, before = raw, ""
    while token != before:  # what encloses a bracket is at the edge only once that is gone
        token, before = _POSSESSIVE.sub("", _BRACKETS.sub("", _ENCLOSED.sub(r"\1", token))), token
    return _word(token) if token.isalpha() else re.sub(r"^([A-Z])_(?=\d)", r"\1", token)
