"""One product of a decay at one place of a prepared text, and what stands in brackets after it."""

from __future__ import annotations

import re

from schemas.language.notation_scan import scan_particle
from schemas.language.particle_names import canonical_part
from schemas.language.particles import particle_table

REPEAT = re.compile(r"([2-9])\s*(\()?\s*(?=[A-Za-z{\\‾ΛΣΞΩΔΥγψχηπρωφμτνℓϖ])")
"""How often the next product, or the bracket of products, comes: ``3pi0``, ``2(pi+ pi-)``."""
_ARROW = r"(?:→|-{0,2}->)"
_PLAIN = r"(?:[^()\[\]]|\((?:\d{3,5}|[1-6][SPD]|\*|s|)\))"
"""What a bracket without another decay holds: anything, with masses, levels and stars in brackets."""
_INNERMOST = re.compile(rf"[(\[]\s*{_ARROW}{_PLAIN}{{1,160}}[)\]]")
_STARTS_DECAY = re.compile(rf"\s*{_ARROW}")
_SUBDECAY = re.compile(rf"[(\[]\s*(?:(?:(?!\s|{_ARROW}){_PLAIN}){{1,20}}\s*)?{_ARROW}{_PLAIN}{{1,160}}[)\]]")
_DECAYING = re.compile(rf"[(\[]\s*(?P<of>(?:(?!{_ARROW}){_PLAIN}){{1,20}}?)\s*{_ARROW}{_PLAIN}{{1,160}}[)\]]")
"""A product with its own decay in brackets: ``(J/ψ → μ^+ μ^-)``."""
_BRACKET = re.compile(rf"\s?(?P<open>[(\[])(?P<inside>{_PLAIN}{{1,80}})[)\]](?P<label>_)?")
_GROUP = re.compile(
    r"\[(?P<inside>[^\[\]]{1,80})\]\s?_(?:\{\s*(?P<braced>(?:[^{}]|\{[^{}]{1,8}\}){1,20})\}|(?P<bare>[A-Za-zφψωηρΛ]))"
)
"""Products with the particle that they come from below the bracket: ``[K^- π^+]_D``."""
_LAST_BRACKET = re.compile(rf"(?P<before>.{{1,40}}?)[(\[]\s*{_ARROW}?(?P<inside>{_PLAIN}{{2,160}})[)\]]")
_GROUP_NAME = re.compile(r"\[(?P<inside>[^\[\]]+)\]_(?P<of>.+)")
_RUN = re.compile(
    r"(?:[pKDBWZHehl]{2,4}|[WZHudscbtgehl]{2,4})(?![A-Za-z])|[pKDBeh](?=J\s*/|[af]_?\{?\d|[pKDB][_^*0+\-])"
)
"""Symbols written without a blank, read where all of the text is a decay: ``pK^-``, ``pJ/ψ``."""
_ONLY_IN_DECAYS = re.compile(
    r"(?:N(?:bar)?|h'?|sigma|σ|q(?:bar)?|A0|U|X_tetra|gamma_D|gamma_dark|psi_DS|chi_bJ\(\dP\)"
    r"|(?:Theta|kappa)(?:bar)?(?:_c)?(?:\(\d{3,4}\))?(?:\(\))?(?:\+\+|[+\-0])?)(?![\w(^*{+\-'])"
)
"""Names that mean other things in prose: nucleons and quarks of any kind, the old name of f_0(500), and
what searches call a new particle."""
_MAX_NESTED = 4
_REACH = 200


def word_only_in_decays(text: str, at: int) -> tuple[int, str] | None:
    """A name at ``at`` that is one where all of the text is a decay, and the offset after it."""
    word = _ONLY_IN_DECAYS.match(text, at)
    if word is None:
        return None
    return word.end(), "f_0(500)" if word[0] in {"sigma", "σ"} else word[0].replace("()", "")


def product_at(text: str, at: int, *, whole: bool = False) -> tuple[int, str] | None:
    """Canonical particle at ``at`` that is a whole word there, and the offset after it.

    ``whole``: the text is nothing but a decay, so that words which mean other things in prose count.
    """
    word = word_only_in_decays(text, at) if whole else None
    if word:
        return word
    part = scan_particle(text, at)
    if part is None:
        return None
    after = text[part.end : part.end + 1]
    joined = whole and part.end == at + 1 and _RUN.match(text, at)
    if (
        part.bare
        and not joined
        and after.isascii()
        and (after.isdigit() or (after.isalpha() and not part.greek))
        and not (whole and REPEAT.match(text, part.end))
    ):
        return None
    if part.bare and part.greek and after.isascii() and after.islower():
        return None
    name = canonical_part(part, text[at : part.end])
    return None if name is None else (part.end, name)


def blank_nested(text: str) -> str:
    """``text`` with blanks for decays in brackets that stand inside other brackets; offsets stay.

    >>> blank_nested("B+ → ψ(2S)(→ J/ψ(→ μ+ μ-) π+ π-) K+")
    'B+ → ψ(2S)(→ J/ψ          π+ π-) K+'
    """
    for _ in range(_MAX_NESTED):
        blanked = _INNERMOST.sub(_nested_as_blanks, text)
        if blanked == text:
            break
        text = blanked
    return text


def _nested_as_blanks(found: re.Match[str]) -> str:
    return " " * len(found[0]) if _in_subdecay(found.string, found.start()) else found[0]


def without_subdecays(text: str) -> str:
    """``text`` with blanks for all decays in brackets; offsets stay."""
    return _SUBDECAY.sub(lambda m: " " * len(m[0]), text)


def _in_subdecay(text: str, at: int) -> bool:
    """Whether the nearest bracket that is open at an offset starts with an arrow."""
    depth = 0
    for index in range(at - 1, max(-1, at - _REACH), -1):
        if text[index] in ")]":
            depth += 1
        elif text[index] in "([":
            if depth == 0:
                return _STARTS_DECAY.match(text, index + 1) is not None
            depth -= 1
    return False


_OFF_SHELL = 1.1
"""How much heavier the products of a wide state may be than its mass: f0(980) decays to K+ K-."""


def bracket_at(text: str, at: int, last: str | None) -> tuple[int, tuple[str, ...]] | None:
    """The offset after a bracket with a decay in it, and the product that it adds, if any.

    The bracket tells how the ``last`` product decays, with an arrow or by products that it can decay to, or
    stands for a product of its own.
    """
    found = _DECAYING.match(text, at)
    if found:
        token = product_at(found["of"], 0, whole=True)
        if token and token[0] == len(found["of"]):
            return found.end(), () if token[1] == last else (token[1],)
    if last is None:
        return None
    sub = _SUBDECAY.match(text, at)
    if sub:
        return None if _is_too_light(last, _all_products(_inside(sub[0]))) else (sub.end(), ())
    listed = _BRACKET.match(text, at)
    if listed and not listed["label"] and can_decay(last, _all_products(listed["inside"])):
        return listed.end(), ()
    return None


def group_at(text: str, at: int) -> tuple[int, str] | None:
    """A group of products that come from one particle, as ``[K- pi+]_D``, and the offset after it.

    The products stand in the order of the text; their names are canonical.

    >>> group_at("[ K^- π^+ ]_{D} K^+", 0)
    (15, '[K- pi+]_D')
    """
    found = _GROUP.match(text, at)
    if found is None:
        return None
    of = (found["braced"] or found["bare"]).strip()
    token = product_at(of, 0, whole=True)
    products = _all_products(found["inside"])
    if token is None or token[0] != len(of) or len(products) < 2:
        return None
    return found.end(), group_name(token[1], products)


def group_name(of: str, products: tuple[str, ...]) -> str:
    """The name of a product that is known by what it decays to."""
    return f"[{' '.join(products)}]_{of if len(of) == 1 else f'{{{of}}}'}"


def group_parts(name: str) -> tuple[str, tuple[str, ...]]:
    """The particle that a product's name means, and what it is known to decay to, if its name tells.

    >>> group_parts("[K- pi+]_D"), group_parts("K+")
    (('D', ('K-', 'pi+')), ('K+', ()))
    """
    found = _GROUP_NAME.fullmatch(name)
    return (found["of"].strip("{}"), tuple(found["inside"].split())) if found else (name, ())


def _inside(bracket: str) -> str:
    """What a bracket with a decay holds behind its arrow."""
    arrow = _STARTS_DECAY.match(bracket, 1)
    return bracket[arrow.end() if arrow else 1 : -1]


def _is_too_light(parent: str, products: tuple[str, ...]) -> bool:
    """Whether a particle is far too light for its products, and its name means a heavier state.

    ``Λ(→ p K^-)`` is some excited Λ. States near a threshold and those that decay to W or Z are let through.
    """
    table = particle_table()
    masses = [table.mass(p) for p in products]
    if not masses or not all(masses) or any(p[0] in "WZ" for p in products):
        return False
    return 0 < table.mass(parent) * _OFF_SHELL < sum(masses)


def can_decay(parent: str, products: tuple[str, ...]) -> bool:
    """Whether charge and mass let one particle decay to two or more others.

    >>> can_decay("J/psi(1S)", ("mu+", "mu-")), can_decay("K+", ("K+", "K-"))
    (True, False)
    """
    table = particle_table()
    return None not in map(table.thirds, (parent, *products)) and may_decay(parent, products)


def may_decay(parent: str, products: tuple[str, ...]) -> bool:
    """As :func:`can_decay`, of which charges that names leave open say nothing.

    >>> may_decay("K*(892)0", ("K", "pi")), may_decay("K+", ("pi+", "pi-")), may_decay("pi+", ("K", "K"))
    (True, False, False)
    """
    table = particle_table()
    charges = [table.thirds(p) for p in (parent, *products)]
    if len(products) < 2 or (None not in charges and charges[0] != sum(c or 0 for c in charges[1:])):
        return False
    pair = parent == "gamma" and sorted(products) == ["e+", "e-"]  # of a photon in matter
    known = any(table.mass(p) or p.startswith("lepton") for p in products)
    return pair or (known and table.mass(parent) > sum(map(table.mass, products)))


def bracketed(text: str) -> tuple[str, str] | None:
    """What stands before the bracket that ends a text, and what stands in it, without a leading arrow.

    >>> bracketed("J/ψ(→ μ^+ μ^-)"), bracketed("K^{*0}(K π)"), bracketed("K π")
    (('J/ψ', ' μ^+ μ^-'), ('K^{*0}', 'K π'), None)
    """
    found = _LAST_BRACKET.fullmatch(text)
    return (found["before"].rstrip(), found["inside"]) if found else None


_UNDEFINED = re.compile(
    r"\s*\\(?!(?:q?quad|text|mathrm|rm|right|left|nonumber|notag|label|cite|ref|footnote|xspace|end|[hv]space)\b)"
    r"[A-Za-z]"
)


def is_cut_short(text: str, at: int) -> bool:
    """Whether products before ``at`` are only the first of a list.

    A bracket with further ones follows, or with a decay that the last cannot make, or a command that nobody
    defined and that could be one.

    >>> is_cut_short("π^- π^+(π^0) ν_τ", 7), is_cut_short("K^+ π^- (see below)", 7)
    (True, False)
    >>> is_cut_short(r"K^+ π^- \\lost", 7), is_cut_short(r"K^+ π^- \\quad and", 7)
    (True, False)
    """
    spaces = len(text[at : at + 3]) - len(text[at : at + 3].lstrip())
    if _UNDEFINED.match(text, at) or _SUBDECAY.match(text, at + spaces):
        return True
    found = _BRACKET.match(text, at)
    if found is None:
        return False
    products = _all_products(found["inside"])
    if not products:
        return False
    if found["open"] == "[" or len(products) > 1:
        return found["open"] == "["
    after = len(text) - len(text[found.end() :].lstrip(" "))
    return product_at(text, after) is not None


def _all_products(text: str) -> tuple[str, ...]:
    """The products that are all of the text; empty where it holds anything else."""
    names: list[str] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        token = product_at(text, at, whole=True)
        if token is None:
            return ()
        at = token[0]
        names.append(token[1])
    return tuple(names)
