"""Sources of uncertainty that the PDG's footnotes name, with the method where they tell one.

Precision comes first: only the phrasings listed here count, and a source that is a mere "systematic"
or that holds half a sentence is dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from schemas.language.notation import find_decays, parse_decay

_ORDINALS = {"first": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1}
_NOUN = r"(?:uncertaint(?:y|ies)|uncertinty|errors?)"
_STOP = (
    r"(?=\.(?:\s|$)|;|,? (?:where|which|while|as|when|whereas|from PDG|obtained|combined)\b"
    r"|,? taken\b|, (?:by|and the (?:third|fourth|last)|the third)\b| = | meanlife\(|,? by assuming|$)"
)
_PAPER = r"(?: [A-Z][A-Z-]+ \d{4}[A-Z]{0,2})?"
_CAUSE = (
    r"due to|attributable to|related to|from|reflects?|comes? from|arises? from|associated with"
    r"|attributed to|accounts? for"
)
_SOURCE = r"(?P<source>[^.;]+?(?:\.\d[^.;]*?)*?)" + _STOP
_ORDINAL = re.compile(
    rf"\b(?P<ordinal>{'|'.join(_ORDINALS)})(?: quoted| systematic)?{_PAPER} {_NOUN}(?: in{_PAPER} value)?"
    r",?(?: \+-[\d.E-]+(?: \w+)?,)? "
    rf"(?:(?P<only>(?:(?:is|are|was|were) )?(?:{_CAUSE})|is the(?= {_NOUN} (?:on|in|of|due|from)))"
    rf"|(?P<part>(?:is the )?(?:includes?|combin(?:es?|ation of)))) {_SOURCE}",
    re.IGNORECASE,
)
_SYSTEMATIC = re.compile(
    r"\bsystematic (?:uncertainty|error)s?"
    rf" (?:includes?|is dominated by|(?:is|are) mainly due to|(?:is|are) due to) {_SOURCE}",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"results for two (?P<source>[\w -]{3,40}? parameteri[sz]ation)s\."
    r" [^.]{0,160}? (?P<method>difference) as a systematic uncertainty",
    re.IGNORECASE,
)
_BEST = re.compile(
    r"\bbest (?:\(shown rounded\) )?values?\s+(?P<list>(?:B|m|M|tau)\(.+?)\.?\s+"
    r"(?P<claim>(?:Our|The) (?:first|second) (?:error|uncertainty)[^.]*?using our best[^.]*?values?)",
)
_INPUT = re.compile(r"(?P<kind>B|m|M|tau)\((?P<what>(?:[^()]|\([^()]*\))+)\) ?=")
_LEAD = re.compile(
    r"^(?:(?:the|a|an|both|only|our|their|also|additional|of|in|on|from|to|with|due|known|values?|used|introduced|by"
    rf"|(?:limited |imprecise |finite )?knowledge|contributions?|{_NOUN}"
    r"|systematics? (?=uncertaint|error|contribution)|combined?|corresponding|related|associated) )+",
    re.IGNORECASE,
)
_LEADING_SIZE = re.compile(
    r"^(?:the |an? )?(?:additional )?(?:uncertainty of |error of )?(?:\+-)?\d[\d.]*(?:E-?\d+)?"
    rf"(?: ?%| \w{{1,3}}V)?(?: relative)?(?: {_NOUN})? (?:from|on|of|in|for|due to) "
)
_TRAIL = re.compile(rf"(?: (?:{_NOUN}|values?|measure?uments?|measurements?|contributions?|used|in the))+$")
_MERE = re.compile(
    r"(?:(?:total|all|other|experimental|quoted|various|the|of|our|their|both) )*"
    r"(?:statistic(?:s|al)?|systematics?|syst|experiment|averages?)?"
    rf"(?: (?:and|or) (?:statistical|systematics?))?(?: {_NOUN})?",
    re.IGNORECASE,
)
_LISTED = (
    r"(?=(?:the |of the |their |ratio )*"
    r"(?:uncertaint|systematic|statistical|error|B\(|finite|theor|ratio))"
)
_PART = re.compile(
    rf",? (?:and|as well as|with) {_LISTED}|, {_LISTED}"
    r"|(?<=systematic),? and |(?<=systematics),? and |(?<=systematic uncertainty) with "
    r"|(?<=statistical),? and "
)
_PROSE = re.compile(
    r"\b(?:we|is|are|was|were|has|have|this|that|these|those|it|using|reports?|added|quadrature|qudrature|above"
    r"|below|respectively|not|been|measurements?|other than|assum\w+|what|each|its|due to|uses|first|second"
    r"|third|[MG]eV|stat|quoted|statistic\w*|experimental)\b|\b[A-Z]{3,} \d{4}|\+-\d|\d%"
)
_EXTERNAL = re.compile(
    r"\bBR?\(|branching|fraction|\bmass(?:es)?\b|lifetime|width|input|A\(CP\)|reference|control"
    r"|normali[sz]ation|theor|form factor|world average|PDG|cross.section|production|f_s|hadroni[sz]ation"
    r"|fragmentation|strong.phase|decay parameters",
    re.IGNORECASE,
)
METHOD_OF_DIFFERENCE = "difference between alternative parameterisations"


@dataclass(frozen=True, slots=True)
class Source:
    """A source of uncertainty at ``start:end`` of the footnote.

    ``error`` is the position of the printed error that is this source's alone (1 the first, -1 the
    last), None where the footnote does not say.
    """

    name: str
    kind: str
    start: int
    end: int
    error: int | None = None
    method: str = ""


def find_sources(text: str) -> tuple[Source, ...]:
    """Sources named in one footnote (readable notation), in order and once each."""
    found = [*_ordinal(text), *_systematic(text), *_best_values(text), *_difference(text)]
    names: dict[str, Source] = {}
    for source in sorted(found, key=lambda s: s.start):
        names.setdefault(source.name.casefold(), source)
    return tuple(names.values())


def _make(name: str, span: tuple[int, int], *, error: int | None = None) -> Source:
    kind = "external systematic" if _EXTERNAL.search(name) else "internal systematic"
    return Source(name, kind, *span, error)


def _ordinal(text: str) -> list[Source]:
    out = []
    for found in _ORDINAL.finditer(text):
        names = _names(found["source"])
        alone = found["only"] is not None and len(names) == 1 and len(_parts(found["source"])) == 1
        error = _ORDINALS[found["ordinal"].lower()] if alone else None
        out += [_make(name, found.span(), error=error) for name in names]
    return out


def _systematic(text: str) -> list[Source]:
    return [_make(name, m.span()) for m in _SYSTEMATIC.finditer(text) for name in _names(m["source"])]


def _difference(text: str) -> list[Source]:
    return [
        Source(
            found["source"].replace("zation", "sation"),
            "internal systematic",
            *found.span(),
            method=METHOD_OF_DIFFERENCE,
        )
        for found in _DIFFERENCE.finditer(text)
    ]


def _best_values(text: str) -> list[Source]:
    out = []
    for found in _BEST.finditer(text):
        inputs = [(m, _input_name(m["kind"], m["what"])) for m in _INPUT.finditer(found["list"])]
        # The tables blend every input into the second error: it is one input's own when that is the only one.
        alone = len(inputs) == 1 and "second" in found["claim"] and found["list"].count(" = ") <= 1
        out += [_make(name, found.span(), error=2 if alone else None) for _, name in inputs if name]
    return out


def _input_name(kind: str, what: str) -> str:
    what = what.strip()
    if kind == "B":
        decay = parse_decay(what)
        return f"BR({decay.name if decay else what})" if "->" in what else ""
    return f"{what} {'lifetime' if kind == 'tau' else 'mass'}"


def _parts(source: str) -> list[str]:
    """The members of "systematic, the uncertainty on A, B and C"; brackets with sizes are dropped."""
    parts = _PART.split(re.sub(r" ?\([+±-][^)]*\)", "", source))
    items = [re.split(r", (?:and )?", p) if re.search(r",.+, and ", p) else [p] for p in parts]
    return [item for group in items for item in group]


def _names(source: str) -> list[str]:
    """Names of the sources that a phrase lists; empty where the phrase is not one of names."""
    names = []
    for part in _parts(source):
        name = _LEAD.sub("", _LEADING_SIZE.sub("", part.strip()) + " ").strip(" ,")
        name = _TRAIL.sub("", " ".join(name.split()))
        if not name or _MERE.fullmatch(name) or _PROSE.search(name):
            continue
        if len(name) > 90 or len(name) < 3 or name.count("(") != name.count(")"):
            continue
        names.append("theory" if name == "theoretical" else _with_fractions(name))
    return names


def _with_fractions(name: str) -> str:
    """``branching fraction B(x)`` and ``... of x`` as ``BR(x)``; decays in canonical notation."""
    whole = re.fullmatch(
        r"(?:branching fractions? )?(?:of )?B\(((?:[^()]|\([^()]*\))+)\)(?: branching fraction)?", name
    )
    if whole and "->" in whole[1]:
        return _input_name("B", whole[1])
    mass = re.fullmatch(r"(mass|lifetime) of (?:the )?(\S+)", name)
    if mass:
        return f"{mass[2]} {mass[1]}"
    out, last = "", 0
    for start, end, decay in find_decays(name):
        out += name[last:start] + decay.name
        last = end
    out += name[last:]
    named = re.fullmatch(
        r"branching fraction of (?:the )?([^,]+ -> [^,]+?)(?: decays?)?", out
    ) or re.fullmatch(r"([^,]+ -> [^,]+?) branching (?:fraction|ratio)", out)
    return f"BR({named[1]})" if named else out
