"""One name for each particle, decay and observable, whatever notation a source uses.

The canonical notation is that of PDG descriptions in ASCII, with the masses that writers leave out:
``B_s0``, ``K*(892)0``, ``Lambdabar_c-``, ``B_s0 -> J/psi(1S) phi(1020)``. Names that several states
share stay as they are (``f_0``, ``K``, ``D_s``). Charge conjugates are different names.
"""

from __future__ import annotations

import re
from functools import lru_cache

from schemas.language.decay_products import (
    REPEAT,
    blank_nested,
    bracket_at,
    bracketed,
    group_at,
    group_name,
    group_parts,
    is_cut_short,
    may_decay,
    product_at,
    without_subdecays,
    word_only_in_decays,
)
from schemas.language.macro_names import decay_of_macro
from schemas.language.names import observable_name
from schemas.language.notation_fold import plain_latex
from schemas.language.notation_scan import arrows, is_boundary, prepare, scan_particle
from schemas.language.particle_ids import conjugate_particle
from schemas.language.particle_names import canonical_part, canonical_particle
from schemas.language.particles import particle_table, split_charge
from schemas.model import Frozen

__all__ = [
    "DecayName",
    "canonical_decay",
    "canonical_particle",
    "conjugate_decay",
    "decay_aliases",
    "find_decays",
    "make_decay",
    "observable_name",
    "parse_chain",
    "parse_decay",
    "prepared",
    "short_particle",
]
_QUARKS = frozenset("udsctbg")
_QUARK_PARENTS = frozenset({"W", "Z", "H", "gamma", "Upsilon", *_QUARKS})
_AT_COMMA = re.compile(r"\s*,\s*(?![^()]*\))")
_ARROWS = re.compile(r"\s*(?:-{0,2}->|→)\s*")
_MAX_CHILDREN = 12
_PARENT_REACH = 40
_INCLUSIVE = re.compile(r"anything|X(?:_[a-z])?")
_LEPTON_PAIR = re.compile(r"\\ll(?![A-Za-z])")
_EITHER = frozenset({"D", "D*"})
_FLIP = {"+-": "-+", "-+": "+-"}


class DecayName(Frozen):
    """A decay in canonical notation.

    ``children`` are sorted by mass, charge (positive first) and name; ``X`` comes last.
    """

    name: str
    parent: str
    children: tuple[str, ...]
    charge_conserved: bool | None
    """None where a name does not tell its charge."""
    products: tuple[str, ...] = ()
    """The children as the name spells them, where one is known by its own products: ``[K- pi+]_D``."""


def _sort_key(label: str) -> tuple[bool, float, int, str]:
    table = particle_table()
    name = group_parts(label)[0]
    return (_INCLUSIVE.fullmatch(name) is not None, -table.mass(name), -(table.thirds(name) or 0), label)


def _flipped(name: str) -> str:
    return name[:-2] + _FLIP[name[-2:]] if name[-2:] in _FLIP else name


@lru_cache(maxsize=20_000)
def make_decay(parent: str, children: tuple[str, ...]) -> DecayName:
    """The decay of canonical particles; the first of two-sided charges is made ``+-``.

    >>> make_decay("D0", ("pi+", "K-")).name
    'D0 -> K- pi+'
    """
    ordered = sorted(map(_sorted_group, children), key=_sort_key)
    signs = [n[-2:] for n in (parent, *ordered) if n[-2:] in _FLIP]
    if signs and signs[0] == "-+":
        parent, ordered = _flipped(parent), [_flipped(n) for n in ordered]
    table = particle_table()
    plain = tuple(group_parts(label)[0] for label in ordered)
    charges = [table.thirds(n) for n in (parent, *plain)]
    known = [c for c in charges if c is not None]
    conserved = None if len(known) < len(charges) else known[0] == sum(known[1:])
    return DecayName(
        name=f"{parent} -> {' '.join(ordered)}",
        parent=parent,
        children=plain,
        charge_conserved=conserved,
        products=() if plain == tuple(ordered) else tuple(ordered),
    )


def _sorted_group(label: str) -> str:
    """A group with its products in the order of a decay's."""
    of, products = group_parts(label)
    return group_name(of, tuple(sorted(products, key=_sort_key))) if products else label


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _children(text: str, at: int, *, quarks: bool) -> tuple[int, list[str]]:
    """Particles from ``at`` on, and the offset after the last that ends at a word's border."""
    names: list[str] = []
    good: tuple[int, int] = (at, 0)
    while len(names) < _MAX_CHILDREN:
        here = _skip(text, at)
        sub = bracket_at(text, here, names[-1] if names else None)
        if sub:
            at = sub[0]
            names += sub[1]
            good = (at, len(names))
            continue
        group = group_at(text, here)
        if group:
            at = group[0]
            names.append(group[1])
            good = (at, len(names))
            continue
        repeat = REPEAT.match(text, here)
        if repeat and repeat[2]:
            inner_end, inner = _children(text, repeat.end(), quarks=quarks)
            inner_end = _skip(text, inner_end)
            if not inner or text[inner_end : inner_end + 1] != ")":
                break
            names += inner * int(repeat[1])
            at = inner_end + 1
            good = (at, len(names))
            continue
        token = product_at(text, repeat.end() if repeat else here, whole=quarks)
        if token is None or (token[1] in _QUARKS and not quarks):
            break
        at = token[0]
        names += [token[1]] * (int(repeat[1]) if repeat else 1)
        if is_boundary(text, at) and not text[at : at + 1].isalnum():
            good = (at, len(names))
    return good[0], names[: good[1]]


def _parent(text: str, arrow: int, floor: int, *, whole: bool = False) -> tuple[int, str] | None:
    """The longest particle that ends at the arrow."""
    end = len(text[:arrow].rstrip())
    for start in range(max(floor, end - _PARENT_REACH), end):
        if start and (text[start - 1].isalnum() or text[start - 1] in "_^\\/‾{-*'"):
            continue
        if text[start].isspace():
            continue
        word = word_only_in_decays(text, start) if whole else None
        if word and word[0] == end:
            return start, word[1]
        part = scan_particle(text, start)
        if part is None or text[part.end : end].strip("}") or part.end > end:
            continue
        name = canonical_part(part, text[start : part.end])
        if name is not None:
            return start, name
    return None


def find_decays(text: str) -> tuple[tuple[int, int, DecayName], ...]:
    """Decays inside running text as (start, end, decay), offsets of ``text``, in order.

    A decay needs an arrow, one particle before it (two are a reaction), and at least two products after it.
    Sub-decays in brackets belong to the span and not to the name.

    >>> [d.name for _, _, d in find_decays("decays such as B0 -> K*0 mu+ mu- and B+ → K+ μ+ μ−.")]
    ['B0 -> K*(892)0 mu+ mu-', 'B+ -> K+ mu+ mu-']
    """
    if "→" not in text and ">" not in text and "rrow" not in text and "\\to" not in text and "⟶" not in text:
        return ()
    ready = prepare(text)
    plain = blank_nested(ready.text)
    found: list[tuple[int, int, DecayName]] = []
    floor, short = 0, len(plain) <= _NAME_LENGTH
    for start, end in arrows(plain):
        if start < floor:
            continue
        parent = _known_parent(plain[:end], start, floor) if short else _one_parent(plain, start, floor)
        if parent is None:
            continue
        quarks = split_charge(parent[1])[0].replace("bar", "").split("(")[0] in _QUARK_PARENTS
        length, names = _known_products(plain[end:], 0, quarks) if short else _products(plain, end, quarks)
        if len(names) < 2:
            continue
        stop = end + length
        found.append((ready.origin(parent[0]), ready.origin(stop - 1) + 1, make_decay(parent[1], names)))
        floor = stop
    return tuple(found)


def _one_parent(text: str, arrow: int, floor: int) -> tuple[int, str] | None:
    """The one particle before the arrow; None where there is none, or two (a reaction)."""
    parent = _parent(text, arrow, floor)
    if parent is None or _INCLUSIVE.fullmatch(parent[1]) or _parent(text, parent[0], floor):
        return None
    return parent


def _products(text: str, at: int, quarks: bool) -> tuple[int, tuple[str, ...]]:
    """The length of the products at ``at``, and the products; none where they are cut short."""
    stop, names = _children(text, at, quarks=quarks)
    return (0, ()) if is_cut_short(text, stop) else (stop - at, tuple(names))


_known_parent = lru_cache(maxsize=20_000)(_one_parent)
_known_products = lru_cache(maxsize=20_000)(_products)
_NAME_LENGTH = 300
"""Up to it a text may be a name. Names begin and end alike: ``BR(B_s0 -> K+ K-)``, ``B(B_s0 -> K+ K-)``."""


@lru_cache(maxsize=20_000)
def parse_decay(text: str) -> DecayName | None:
    """The decay that the whole text names; None for anything else (chains, alternatives, "+ c.c.").

    Products in a bracket after a particle that can decay to them need no arrow: ``J/psi(mu+ mu-)``.

    >>> parse_decay(r"B^0_s \\to J/\\psi\\phi").name
    'B_s0 -> J/psi(1S) phi(1020)'
    >>> parse_decay("D0 -> pi+ K-") == parse_decay("D0 --> K- pi+")
    True
    >>> parse_decay("B0 -> K*0 , K*0 -> K+ pi-") is None
    True
    """
    ready = blank_nested(prepared(text).strip(" .,;"))
    marks = arrows(without_subdecays(ready))
    if len(marks) != 1:
        return None if marks else _in_bracket(ready)
    return _whole_decay(ready[: marks[0][0]], ready[marks[0][1] :])


def _in_bracket(text: str) -> DecayName | None:
    """The decay of a particle to the products in the bracket after it, where charge and mass let it."""
    parted = bracketed(text)
    parent = _parent(parted[0], len(parted[0]), 0) if parted else None
    if parted is None or parent is None or parent[0] != 0 or parent[1] in {*_QUARKS, "X"}:
        return None
    decay = _whole_decay(*parted)
    return decay if decay is not None and may_decay(parent[1], decay.children) else None


def prepared(text: str) -> str:
    r"""The notation in the scanner's alphabet; ``\ll`` among products is a pair of leptons.

    >>> prepared(r"\decay{\Bs}{\mumu}")
    'B_{s}^{0} →μ^{+} μ^{-}'
    """
    written = decay_of_macro(text) or text.strip()
    if "\\ll" in written:
        written = _LEPTON_PAIR.sub(r"\\ell^+\\ell^- ", written)
    return prepare(plain_latex(written)).text


def canonical_decay(text: str) -> str | None:
    """Canonical name of the decay that the whole text names; None where it is anything else.

    >>> canonical_decay(r"\\decay{\\Bs}{\\jpsi\\phiz}")
    'B_s0 -> J/psi(1S) phi(1020)'
    """
    decay = parse_decay(text)
    return None if decay is None else decay.name


def conjugate_decay(decay: DecayName) -> DecayName:
    """The charge-conjugate decay, of which the conjugate is the decay itself.

    >>> conjugate_decay(parse_decay("D0 -> K- pi+")).name
    'Dbar0 -> K+ pi-'
    """
    products = decay.products or decay.children
    return make_decay(conjugate_particle(decay.parent), tuple(map(_conjugate_product, products)))


def _conjugate_product(label: str) -> str:
    """The antiparticle; a neutral ``D`` known by its products is of either flavour."""
    of, products = group_parts(label)
    turned = of if of in _EITHER and products else conjugate_particle(of)
    return group_name(turned, tuple(map(conjugate_particle, products))) if products else turned


@lru_cache(maxsize=20_000)
def _sole_parent(text: str) -> tuple[int, str] | None:
    """The particle that ends the text before the arrow of a name."""
    return _parent(text, len(text), 0, whole=True)


def _whole_decay(before: str, after: str) -> DecayName | None:
    """The decay of one particle (all of ``before``) to the particles that are all of ``after``."""
    parent = _sole_parent(before)
    if parent is None or parent[0] != 0:
        return None
    stop, names = _children(after, 0, quarks=True)
    return make_decay(parent[1], tuple(names)) if names and not after[stop:].strip("} ") else None


@lru_cache(maxsize=20_000)
def parse_chain(text: str) -> tuple[DecayName, ...] | None:
    """The steps of a chain, in order; one step for a plain decay, None where any part is something else.

    Steps stand behind commas with their own parent; a further arrow without one leads from the same parent
    to a later state. A later parent without its mass is the product of that name ("rho(1700)0 pi0, rho0 ->").

    >>> [d.name for d in parse_chain("B0 -> J/psi K*0, J/psi -> mu+ mu-, K*0 -> K+ pi-")]
    ['B0 -> J/psi(1S) K*(892)0', 'J/psi(1S) -> mu+ mu-', 'K*(892)0 -> K+ pi-']
    >>> [d.name for d in parse_chain("D+ -> phi pi+ -> K+ K- pi+")]
    ['D+ -> phi(1020) pi+', 'D+ -> K+ K- pi+']
    """
    steps: list[DecayName] = []
    masses: dict[str, set[str]] = {}
    for piece in _AT_COMMA.split(prepare(plain_latex(text.strip())).text.strip(" .")):
        parent, *states = _ARROWS.split(piece.strip())
        found = [_whole_decay(parent.strip(), state.strip()) for state in states]
        if not found or None in found:
            return None
        for decay in (d for d in found if d is not None):
            known = masses.get(_MASS.sub("", decay.parent), set())
            full = (
                make_decay(next(iter(known)), decay.products or decay.children) if len(known) == 1 else decay
            )
            steps.append(full)
            for child in full.children:
                masses.setdefault(_MASS.sub("", child), set()).add(child)
    return tuple(steps)


_MASS = re.compile(r"\((?:\d{3,5}|[1-6][SPD])\)")


def short_particle(name: str) -> str:
    """A canonical name without the mass that writers leave out.

    >>> short_particle("K*(892)0"), short_particle("f_0(980)")
    ('K*0', 'f_0(980)')
    """
    short = _MASS.sub("", name)
    return short if short != name and canonical_particle(short) == name else name


def decay_aliases(name: DecayName) -> tuple[str, ...]:
    """Other spellings that people type: without masses, with ``→``, and ``B0s``, ``Bs0``, ``Ds+``.

    >>> decay_aliases(parse_decay("B_s0 -> J/psi phi"))[0]
    'B_s0 -> J/psi phi'
    """
    parts = (name.parent, *(name.products or name.children))
    short = tuple(short_particle(p) for p in parts)
    plain = tuple(re.sub(r"^([BD](?:bar)?)_([sc])(\*?)([+\-0]?)$", r"\1\2\3\4", p) for p in short)
    turned = tuple(re.sub(r"^(B(?:bar)?)s0$", r"\g<1>0s", p) for p in plain)
    spelled = [f"{p[0]} {arrow} {' '.join(p[1:])}" for p in (short, plain, turned) for arrow in ("->", "→")]
    return tuple(dict.fromkeys(s for s in (*spelled, name.name.replace("->", "→")) if s != name.name))
