"""Particles and decays that a question names in words, in the notation of the listings.

"The neutral B meson decaying to two neutral pions" is looked up as ``B0 -> pi0 pi0``. What the words mean is
that of :mod:`schemas.language.particle_words`; here is only how such words stand in a sentence.
"""

from __future__ import annotations

import re
from typing import Final

from cypher.normalise import Token, quoted_spans, tokenise
from schemas.language.notation import find_decays, make_decay
from schemas.language.particle_words import charges_completed, leptons_signed, particle_in_words

_CLASS_NOUNS: Final = (
    "meson",
    "baryon",
    "boson",
    "lepton",
    "hadron",
    "hyperon",
    "quark",
    "resonance",
    "pentaquark",
    "tetraquark",
    "particle",
    "state",
)
_CLASSES: Final = frozenset(f"{noun}s" for noun in _CLASS_NOUNS)
_CLASS: Final = _CLASSES | frozenset(_CLASS_NOUNS)
"""Nouns that say of what class a particle is, behind its name."""
_FLAVOURS: Final = frozenset("bcstudBD")
_OF_FLAVOUR: Final = frozenset({"hadron", "hadrons", "baryon", "baryons"})
"""What has a quark of a flavour is a class of particles, and no particle: "b hadrons"."""
_PAIR: Final = 2
"""Of two neutrinos one is an antineutrino."""
_LEPTONS: Final = frozenset({"e", "mu", "tau"})
_CHARGED: Final = frozenset({"e", "mu", "tau", "pi", "K"})
_NUMBERS: Final = {"a": 1, "an": 1, "one": 1, "the": 1, "two": 2, "three": 3, "four": 4}
_KINDS: Final = frozenset({"charmed", "charm", "bottom", "beauty", "strange", "exotic", "heavy", "light"})
_BETWEEN: Final = frozenset({"and", "plus", "with"})
_SIGNED: Final = frozenset({"positive", "negative", "neutral", "charged"})
_GOING: Final = frozenset(
    (
        "decay",
        "decays",
        "decaying",
        "decayed",
        "going",
        "goes",
        "go",
        "transition",
        "turning",
        "turns",
        "turn",
    )
)
_INTO: Final = frozenset({"to", "into"})
_LONGEST: Final = 4
"""Words of a particle's name: "long-lived neutral kaon"."""
_PLAIN: Final = frozenset(
    [
        *(
            "a",
            "i",
            "at",
            "an",
            "as",
            "be",
            "by",
            "do",
            "for",
            "in",
            "is",
            "it",
            "no",
            "of",
            "on",
            "or",
            "so",
        ),
        *("to", "up", "we"),
    ]
)
"""Short words that are no symbols of particles in a sentence."""
_CHARGES: Final = {
    ("B", "neutral"): "B0",
    ("B", "charged"): "B+",
    ("D", "neutral"): "D0",
    ("D", "charged"): "D+",
}

_WEIGHS: Final = re.compile(
    r"^(is) (?:the |an? )?(\S+(?: (?:quark|boson|meson|baryon|lepton))?) (heavier|lighter|broader|wider"
    r"|narrower)"
    r" than (?:the |an? )?(\S+?(?: (?:quark|boson|meson|baryon|lepton))?)(?=[?.,]|$| \(|"
    r" according)",
    re.IGNORECASE,
)
_THAT_OF: Final = re.compile(
    r"^is the (?:recommended |average |PDG )*(mean life|lifetime|mass|width) of (?:the )?(\S+)"
    r" (longer|shorter|larger|smaller|higher|lower|greater) than that of (?:the )?(\S+?)(?=[?.,]|$| )",
    re.IGNORECASE,
)
_THAN_THAT: Final = re.compile(
    r"^is the (?:recommended |average |PDG |world average )*(\S+) (mean life|lifetime|mass|width)"
    r" (longer|shorter|larger|smaller|higher|lower|greater) than that of (?:the )?(\S+?)(?=[?.,]|$| )",
    re.IGNORECASE,
)
_LIVES: Final = re.compile(
    r"^does (?:the )?(\S+) live (longer|shorter) than (?:the )?(\S+?)(?=[?.,]|$| \(| according)",
    re.IGNORECASE,
)
_PARENTS: Final = re.compile(
    r"^(?:(?:which|what) (?:particles?|parents?|parent particles?) "
    r"(?:(?:can |could |may |do )?(?:decays?|go(?:es)?)|(?:have|has) an? (?:listed |known |measured"
    r" )?decays?)"
    r"|what decays) (?:in)?to (?P<exact>exactly |only |just )?(?P<products>[^?.;]+?)"
    r"(?P<else>,? (?:and|with) (?:nothing|no one|no other particles?)(?: else)?| only| alone)?[?.]?"
    r"(?: (?:give|show|list|name)(?: me)? the (?:parents?|parent particles?)[?.]?)?$",
    re.IGNORECASE,
)
_NUMBER_OF: Final = re.compile(r"\b(?:limits?|bounds?|branching)\b", re.IGNORECASE)
_FRACTION: Final = re.compile(
    r"(?:the )?branching (?:fractions?|ratios?) (?:of |for )?(?:the )?$", re.IGNORECASE
)
_FRACTION_BEHIND: Final = re.compile(
    r" (?:decay )?branching (?:fractions?|ratios?)(?=[ ?.,;]|$)", re.IGNORECASE
)
_HOW_OFTEN: Final = re.compile(
    r"^how (?:often|frequently) (?:does|do|will) (?:an? |the )?(.+?) decays? (?:in)?to (.+?)\s*[?.]*$",
    re.IGNORECASE,
)
_LOW_PARENT: Final = re.compile(
    r"(?<![\w/(])[bdhzw](?=(?:_?[sc])?[*0+-]*0? ?(?:->|→)(?! ?[udscb](?:bar)?\b))"
)
"""A parent that the listings write with a capital."""
Named = tuple[int, str]
"""End of a name among the words, and its symbol."""


def notated(text: str) -> str:
    """The question with decays and classes of particles in words written as the listings write them.

    >>> notated("branching fraction of the neutral B meson decaying to two neutral pions")
    'branching fraction of B0 -> pi0 pi0'
    >>> notated("Which papers determine the lifetime of the B_s0 meson?")
    'Which papers determine the lifetime of the B_s0?'
    >>> notated("Which papers determine phi_s?")
    'Which papers determine phi_s?'
    """
    if quoted_spans(text):
        return text
    text = with_signs(text)
    tokens = tokenise(text)
    out, last, at = "", 0, 0
    taken = [(a, b) for a, b, _ in find_decays(text)]
    while at < len(tokens):
        inside = any(a <= tokens[at].start < b for a, b in taken)
        found = (
            None
            if inside
            else _decay(tokens, text, at) or _with_class(tokens, at) or _class_before(tokens, at)
        )
        if found is None:
            at += 1
            continue
        end, written = found
        out += text[last : tokens[at].start] + written
        last, at = tokens[end - 1].end, end
    return out + text[last:]


def decays_written(text: str) -> str:
    """The question with decays in the listings' notation, where some are said: "B0 to tau mu", "bs -> mu mu".

    >>> decays_written("upper limit on B0 to tau mu"), decays_written("papers from 2010 to 2015")
    ('upper limit on B0 -> tau mu', 'papers from 2010 to 2015')
    >>> decays_written("limits on h -> invisible")
    'limits on H -> invisible'
    """
    if quoted_spans(text):
        return text
    text = _LOW_PARENT.sub(lambda found: found[0].capitalize(), text)
    written = notated(text)
    return written if written.count("->") > text.count("->") else text


def rates_asked(text: str) -> str:
    """How often something decays so, as its branching fraction; a count would be one of measurements.

    >>> rates_asked("How often does the B_s0 decay to two muons?")
    'what is the branching fraction of the B_s0 decaying to two muons?'
    """
    found = _HOW_OFTEN.match(text)
    return (
        text if found is None else f"what is the branching fraction of the {found[1]} decaying to {found[2]}?"
    )


def with_signs(text: str) -> str:
    """Decays with leptons without a sign as the listings have them.

    >>> with_signs("limits on mu -> e gamma"), with_signs("papers on B+ -> tau nu")
    ('limits on mu- -> e- gamma', 'papers on B+ -> tau+ nu_tau')
    """
    for start, end, decay in reversed(find_decays(text)):
        whole = leptons_signed(charges_completed(decay))
        if whole.name != decay.name:
            text = f"{text[:start]}{whole.name}{text[end:]}"
    return text


def quantities_compared(text: str) -> str:
    """A comparison of two particles as one of their masses or mean lives.

    >>> quantities_compared("Is the Xi_b- heavier than the Xi_b0?")
    'Is the Xi_b- mass larger than the Xi_b0 mass?'
    >>> quantities_compared("Does the Lambda_c+ live longer than the Xi_c+?")
    'is the Lambda_c+ mean life larger than the Xi_c+ mean life?'
    """
    text = _THAN_THAT.sub(r"is the \2 of \1 \3 than that of \4", text)
    return _LIVES.sub(_of_lives, _WEIGHS.sub(_of_masses, _THAT_OF.sub(_of_both, text)))


def parents_asked(text: str) -> str:
    """The question which particles decay to some products, in words that are read as such.

    >>> parents_asked("Which particles decay to exactly two photons?")
    'parent particles of the decays to gamma gamma with exactly 2 products'
    >>> parents_asked("Which particles decay to K+ K-?")
    'parent particles of the decays to K+ K-'
    """
    found = _PARENTS.match(text)
    if found is None or quoted_spans(text):
        return text
    said = found["products"]
    tokens = tokenise(said)
    children: list[str] = []
    if _products(tokens, said, 0, children) != len(tokens):
        return text
    exact = f" with exactly {len(children)} products" if found["exact"] or found["else"] else ""
    return f"parent particles of the decays to {' '.join(children)}{exact}" if len(children) > 1 else text


def _of_both(found: re.Match[str]) -> str:
    how = "larger" if found[3].lower() in ("longer", "larger", "higher", "greater") else "smaller"
    return f"is the {found[2]} {found[1]} {how} than the {found[4]} {found[1]}"


def _of_masses(found: re.Match[str]) -> str:
    word = found[3].lower()
    how = "larger" if word in ("heavier", "broader", "wider") else "smaller"
    number = "mass" if word in ("heavier", "lighter") else "width"
    return f"{found[1]} the {found[2]} {number} {how} than the {found[4]} {number}"


def _of_lives(found: re.Match[str]) -> str:
    how = "larger" if found[2].lower() == "longer" else "smaller"
    return f"is the {found[1]} mean life {how} than the {found[3]} mean life"


def with_fractions(text: str) -> str:
    """The question with the branching fractions of decays whose limits or values it speaks of.

    >>> with_fractions("tightest upper limit on tau- -> mu- gamma")
    'tightest upper limit on BR(tau- -> mu- gamma)'
    >>> with_fractions("papers that use B_s0 -> mu+ mu-"), with_fractions("limit on BR(tau- -> mu- gamma)")
    ('papers that use B_s0 -> mu+ mu-', 'limit on BR(tau- -> mu- gamma)')
    """
    if not _NUMBER_OF.search(text) or quoted_spans(text):
        return text
    out, last = "", 0
    for start, end, decay in find_decays(text):
        before = text[last:start]
        if re.search(r"[(\w]$", before):
            return text
        out += _FRACTION.sub("", before) + f"BR({decay.name})"
        said = _FRACTION_BEHIND.match(text, end)
        last = said.end() if said else end
    return out + text[last:]


def _class_before(tokens: tuple[Token, ...], at: int) -> Named | None:
    """ "the charmed baryon Xi_c0": the symbol alone."""
    start = at + 1 if _word(tokens, at) in _KINDS else at
    start = start + 1 if _word(tokens, start) in _CLASS else start
    if start == at or start >= len(tokens):
        return None
    symbol = tokens[start].text
    return _particle(tokens, start) if any(c in symbol for c in "_()+-*0") else None


def _particle(tokens: tuple[Token, ...], at: int) -> Named | None:
    """The longest name of a particle that begins here, its class included."""
    for end in range(min(len(tokens), at + _LONGEST), at, -1):
        words = [t.text for t in tokens[at:end]]
        if end - at == 1 and (words[0] in _PLAIN or (len(words[0]) == 1 and words[0].islower())):
            return None
        known = _symbol(words)
        if known is not None:
            last = end + 1 if end < len(tokens) and tokens[end].text.lower() in _CLASS else end
            return last, known
    return None


def _symbol(words: list[str]) -> str | None:
    if words[0].lower() in ("the", "a", "an") or words[0].lower() in _NUMBERS:
        return None
    if len(words) == 2 and words[0] in _FLAVOURS and words[1].lower() in _OF_FLAVOUR:
        return None
    short = words[:-1] if len(words) > 1 and words[-1].lower() in _CLASS else words
    if len(short) == 2 and (short[1], short[0].lower()) in _CHARGES:
        return _CHARGES[short[1], short[0].lower()]
    signed = short[0].lower() in _SIGNED
    if (
        len(short) > 1
        and not signed
        and all(any(c in w for c in "+-_*()") or w[0].isupper() for w in short[1:])
    ):
        return None
    return particle_in_words(" ".join(words))


def _with_class(tokens: tuple[Token, ...], at: int) -> Named | None:
    """ "B_s0 meson", "top quark", "Omega minus", "charged pion": the symbol alone."""
    found = _particle(tokens, at)
    if found is None:
        return None
    of_class = tokens[found[0] - 1].text.lower() in _CLASS
    return found if of_class or found[0] > at + 1 else None


def _decay(tokens: tuple[Token, ...], text: str, at: int) -> Named | None:
    """ "X decaying to Y and Z", "the decay of the X into Y Z", "X to Y Z"."""
    start, said = at, False
    if tokens[start].text.lower() == "the" and _word(tokens, start + 1) in _GOING:
        start += 1
    if _word(tokens, start) == "decay" and _word(tokens, start + 1) == "of":
        start, said = start + 2, True
    start = (
        start + 1 if _word(tokens, start) in ("the", "a", "an") and (said or _goes(tokens, start)) else start
    )
    parent = _particle(tokens, start) if start < len(tokens) else None
    if parent is None or _word(tokens, parent[0] - 1) in _CLASSES:
        return None
    end = parent[0]
    if _word(tokens, end) in _GOING:
        end, said = end + 1, True
    if _word(tokens, end) not in _INTO:
        return None
    children: list[str] = []
    end = _products(tokens, text, end + 1, children)
    if len(children) < 2:
        return None
    decay = charges_completed(make_decay(parent[1], tuple(children)))
    return end, (leptons_signed(decay) if parent[1] in _LEPTONS else decay).name


def _goes(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether a particle behind an article decays in the words behind it."""
    found = _particle(tokens, at + 1) if at + 1 < len(tokens) else None
    if found is None:
        return False
    return _word(tokens, found[0]) in _GOING | _INTO


def _products(tokens: tuple[Token, ...], text: str, at: int, children: list[str]) -> int:
    """Reads products from here on into ``children``; the end of the last one."""
    end = at
    while at < len(tokens):
        word = _word(tokens, at)
        number = _NUMBERS.get(word, 0)
        joined = word in _BETWEEN and bool(children)
        found = _particle(tokens, at + 1) if (number or joined) and at + 1 < len(tokens) else None
        if joined and found is None and _NUMBERS.get(_word(tokens, at + 1), 0):
            at += 1
            continue
        found = found or (None if number or joined else _particle(tokens, at))
        if found is None:
            return end
        at = found[0]
        pair = found[1] == "nu" and number == _PAIR
        base = found[1].rstrip("+-")
        if _word(tokens, at) in ("pair", "pairs") and base in _CHARGED:
            children += [f"{base}+", f"{base}-"]
            at += 1
        else:
            children += ["nu", "nubar"] if pair else [found[1]] * max(number, 1)
        end = at
        gap = text[tokens[end - 1].end : tokens[end].start] if end < len(tokens) else ""
        if any(c in gap for c in "?.;:"):
            return end
    return end


def _word(tokens: tuple[Token, ...], at: int) -> str:
    return tokens[at].text.lower() if at < len(tokens) else ""
