"""Fixed English phrases of comparison, order and quantity: no word here is of any graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cypher.semantics.ir import Operator


class Comparison(NamedTuple):
    """A comparing phrase that ends before word ``end``; ``hint`` is a key of ``cues.HINTS`` or empty."""

    end: int
    operator: Operator
    hint: str


class Superlative(NamedTuple):
    """A superlative that ends before word ``end``."""

    end: int
    descending: bool
    hint: str


_MORE: Final = ("more", "greater", "higher", "larger", "bigger")
_LESS: Final = ("less", "fewer", "lower", "smaller")
_COMPARATIVES: Final = {
    "older": (Operator.GT, "age"), "younger": (Operator.LT, "age"),
    "longer": (Operator.GT, "length"), "shorter": (Operator.LT, "length"), "taller": (Operator.GT, "length"),
    "heavier": (Operator.GT, "mass"), "lighter": (Operator.LT, "mass"),
    "warmer": (Operator.GT, "heat"), "hotter": (Operator.GT, "heat"), "colder": (Operator.LT, "heat"),
    "cooler": (Operator.LT, "heat"), "wider": (Operator.GT, "width"), "broader": (Operator.GT, "width"),
    "narrower": (Operator.LT, "width"), "deeper": (Operator.GT, "depth"),
    "shallower": (Operator.LT, "depth"), "closer": (Operator.LT, "far"), "nearer": (Operator.LT, "far"),
    "farther": (Operator.GT, "far"), "further": (Operator.GT, "far"),
    "faster": (Operator.GT, "speed"), "slower": (Operator.LT, "speed"),
    "more expensive": (Operator.GT, "price"), "cheaper": (Operator.LT, "price"),
    "dearer": (Operator.GT, "price"), "costlier": (Operator.GT, "price"),
    "later": (Operator.GT, "date"), "newer": (Operator.GT, "date"), "more recent": (Operator.GT, "date"),
    "earlier": (Operator.LT, "date"), "sooner": (Operator.LT, "date"),
}  # fmt: skip
"""Comparatives before "than"."""
_COMPARISONS: Final[Mapping[str, tuple[Operator, str]]] = {
    **{f"{w} than or equal to": (Operator.GE, "") for w in _MORE},
    **{f"{w} than or equal to": (Operator.LE, "") for w in _LESS},
    **{f"{no} {w} than": (Operator.LE, "") for no in ("no", "not") for w in _MORE},
    **{f"{no} {w} than": (Operator.GE, "") for no in ("no", "not") for w in _LESS},
    **{f"{w} than": (Operator.GT, "") for w in _MORE},
    **{f"{w} than": (Operator.LT, "") for w in _LESS},
    **{f"{no} {w}": (Operator.LE, "") for no in ("no", "not") for w in ("over", "above", "exceeding")},
    **{f"{no} {w}": (Operator.GE, "") for no in ("no", "not") for w in ("under", "below")},
    **{f"{w} of": (Operator.GT, "") for w in ("in excess", "upwards")},
    **{f"{w} {side}": (op, "") for w in ("equal to or", "the same as or")
       for side, op in (("more than", Operator.GE), ("greater than", Operator.GE), ("above", Operator.GE),
                        ("less than", Operator.LE), ("below", Operator.LE), ("fewer than", Operator.LE))},
    "at least": (Operator.GE, ""), "a minimum of": (Operator.GE, ""),
    "at most": (Operator.LE, ""), "a maximum of": (Operator.LE, ""), "up to": (Operator.LE, ""),
    "over": (Operator.GT, ""), "above": (Operator.GT, ""), "exceeding": (Operator.GT, ""),
    "exceeds": (Operator.GT, ""),
    "exceed": (Operator.GT, ""), "exceeded": (Operator.GT, ""),
    "surpassing": (Operator.GT, ""), "surpassed": (Operator.GT, ""),
    "under": (Operator.LT, ""), "below": (Operator.LT, ""),
    "exactly": (Operator.EQ, ""), "precisely": (Operator.EQ, ""), "equal to": (Operator.EQ, ""),
    **{f"{w} than": told for w, told in _COMPARATIVES.items()},
    **{f"{no} {w} than": (Operator.LE if op is Operator.GT else Operator.GE, hint) for no in ("no", "not")
       for w, (op, hint) in _COMPARATIVES.items()},
    "after": (Operator.GT, "date"),
    "since": (Operator.GE, "date"),
    "before": (Operator.LT, "date"),
    **{f"{at} or {w}": (op, "date") for at in ("on", "at", "in")
       for w, op in (("after", Operator.GE), ("before", Operator.LE), ("later than", Operator.GE),
                     ("earlier than", Operator.LE), ("since", Operator.GE))},
    **{f"{w} or {at}": (op, "date") for at in ("on", "at", "in")
       for w, op in (("after", Operator.GE), ("before", Operator.LE))},
    "not before": (Operator.GE, "date"), "not after": (Operator.LE, "date"),
    "never before": (Operator.GE, "date"), "never after": (Operator.LE, "date"),
    "following": (Operator.GT, "date"),
    "preceding": (Operator.LT, "date"), "subsequent to": (Operator.GT, "date"),
    "past": (Operator.GT, "date"), "till": (Operator.LE, "date"),
    "up until": (Operator.LE, "date"), "up till": (Operator.LE, "date"),
    **{f"{w} {at}": (Operator.GE, "date") for w in ("starting", "beginning") for at in ("from", "on", "at")},
    "from and including": (Operator.GE, "date"), "up to and including": (Operator.LE, ""),
    "prior to": (Operator.LT, "date"), "until": (Operator.LE, "date"),
}  # fmt: skip
_OPEN: Final = {
    **dict.fromkeys(
        ("more", "higher", "above", "greater", "over", "later", "after", "longer", "older", "newer",
         "onwards", "upwards", "up", "larger", "since", "warmer", "hotter", "wider", "deeper", "heavier",
         "taller", "farther", "further"), Operator.GE),
    **dict.fromkeys(
        ("less", "lower", "below", "fewer", "under", "earlier", "before", "shorter", "younger", "smaller",
         "colder", "cooler", "narrower", "shallower", "lighter", "closer", "nearer"),
        Operator.LE),
}  # fmt: skip
_SUPERLATIVES: Final[Mapping[str, tuple[bool, str]]] = {
    "most recent": (True, "date"), "most recently": (True, "date"), "first ever": (False, "date"),
    "latest": (True, "date"), "newest": (True, "date"),
    "last": (True, "date"), "earliest": (False, "date"), "first": (False, "date"),
    **{f"{w}{sep}{made}": (w not in ("earliest", "first"), "date") for sep in ("-", " ")
       for w in ("earliest", "first", "latest", "most recently", "newest", "last")
       for made in ("built", "made", "manufactured", "produced")},
    "most aged": (True, "age"), "least aged": (False, "age"), "most modern": (True, "date"),
    "least recent": (False, "date"), "most lengthy": (True, "length"), "least lengthy": (False, "length"),
    "oldest": (True, "age"), "eldest": (True, "age"), "youngest": (False, "age"),
    "longest": (True, "length"), "tallest": (True, "length"), "shortest": (False, "length"),
    "most expensive": (True, "price"), "costliest": (True, "price"), "cheapest": (False, "price"),
    "least expensive": (False, "price"), "heaviest": (True, "mass"), "lightest": (False, "mass"),
    "briefest": (False, "length"), "lengthiest": (True, "length"), "quickest": (False, "length"),
    "longest-lasting": (True, "length"), "longest lasting": (True, "length"),
    "fastest": (True, "speed"), "slowest": (False, "speed"), "highest": (True, ""),
    "most valuable": (True, "value"), "least valuable": (False, "value"), "deepest": (True, "depth"),
    "closest": (False, "far"), "nearest": (False, "far"), "farthest": (True, "far"),
    "furthest": (True, "far"), "most distant": (True, "far"), "remotest": (True, "far"),
    "most remote": (True, "far"),
    "best paid": (True, "pay"), "best-paid": (True, "pay"), "highest paid": (True, "pay"),
    "highest-paid": (True, "pay"), "worst paid": (False, "pay"), "lowest paid": (False, "pay"),
    "hottest": (True, "heat"), "warmest": (True, "heat"), "coldest": (False, "heat"),
    "coolest": (False, "heat"), "shallowest": (False, "depth"), "widest": (True, "width"),
    "broadest": (True, "width"), "narrowest": (False, "width"),
    "largest": (True, ""), "greatest": (True, ""), "biggest": (True, ""), "maximum": (True, ""),
    "best": (True, "rating"), "worst": (False, "rating"),
    "maximal": (True, ""), "lowest": (False, ""), "smallest": (False, ""), "minimum": (False, ""),
    **{f"{w}{sep}rated": (up, "rating") for sep in ("-", " ")
       for w, up in (("highest", True), ("best", True), ("top", True), ("lowest", False), ("worst", False))},
    "minimal": (False, ""), "max": (True, ""), "min": (False, ""),
    **{form: (up, hint) for word, up, hint in (("north", True, "latitude"), ("south", False, "latitude"),
                                               ("east", True, "longitude"), ("west", False, "longitude"))
       for form in (f"{word}ernmost", f"{word}most", f"most {word}erly", f"most {word}ern",
                    f"furthest {word}", f"farthest {word}", f"farthest-{word}", f"furthest-{word}",
                    f"most {word}")},
}  # fmt: skip
_MOST: Final[Mapping[str, bool]] = {
    **{f"{w} {n} of": True for w in ("highest", "largest", "greatest", "maximum", "biggest", "most")
       for n in ("number", "count", "amount")},
    **{f"{w} {n} of": False for w in ("lowest", "smallest", "minimum", "least", "fewest")
       for n in ("number", "count", "amount")},
    "most": True, "fewest": False, "least": False,
}  # fmt: skip
_COMMON: Final[Mapping[str, bool]] = {
    **{f"most {w}": True for w in ("common", "frequent", "frequently", "often", "popular")},
    **{f"least {w}": False for w in ("common", "frequent", "frequently", "often", "popular")},
    **{f"{way} {w} {seen}": way == "most" for way in ("most", "least")
       for w in ("commonly", "frequently", "often")
       for seen in ("appearing", "occurring", "used", "seen", "found", "mentioned", "reported", "given",
                    "recorded", "repeated")},
    "commonest": True,
}  # fmt: skip
_WRITTEN: Final = ("", " the letter", " the letters", " letter", " letters", " the word", " the words",
                   " the string", " the text", " the phrase", " the substring",
                   " the characters")  # fmt: skip
_TEXT: Final[Mapping[str, Operator]] = {
    **{f"{v} {w}{tail}": Operator.STARTS
       for v in ("starts", "start", "starting", "begins", "begin", "beginning", "opens", "open", "opening",
                 "commences", "commence", "commencing", "prefixed")
       for w in ("with", "in", "by") for tail in _WRITTEN},
    **dict.fromkeys(("starts", "begins", "starting", "beginning"), Operator.STARTS),
    **{f"{v} {w}{tail}": Operator.ENDS
       for v in ("ends", "end", "ending", "finishes", "finish", "finishing", "terminates", "terminating")
       for w in ("with", "in", "on", "by") for tail in _WRITTEN},
    **{f"{v}{tail}": Operator.CONTAINS
       for v in ("contains", "contain", "containing", "includes", "include", "including", "mentions",
                 "mention", "mentioning", "featuring", "features", "speaks of", "speak of", "speaking of",
                 "talks of", "tells of")
       for tail in _WRITTEN},
}  # fmt: skip
_LONGEST: Final = 5


def _longest(lower: Sequence[str], at: int, table: Mapping[str, object]) -> tuple[int, str] | None:
    for size in range(min(_LONGEST, len(lower) - at), 0, -1):
        key = " ".join(lower[at : at + size])
        if key in table:
            return at + size, key
    return None


def comparison(lower: Sequence[str], at: int) -> Comparison | None:
    """The comparing phrase at a word.

    >>> comparison(["no", "more", "than", "3"], 0)
    Comparison(end=3, operator=<Operator.LE: '<='>, hint='')
    """
    if (found := _longest(lower, at, _COMPARISONS)) is None:
        return None
    return Comparison(found[0], *_COMPARISONS[found[1]])


def open_ended(lower: Sequence[str], at: int) -> tuple[int, Operator] | None:
    """What lets a number or day be passed: "(60) or more", "(3 May) and later", "(2005) onwards".

    >>> open_ended(["or", "later"], 0)
    (2, <Operator.GE: '>='>)
    """
    if lower[at : at + 1] and lower[at] in ("onwards", "onward", "forward"):
        return at + 1, Operator.GE
    pair = tuple(lower[at : at + 2])
    if len(pair) == 2 and pair[0] in ("or", "and") and pair[1] in _OPEN:
        return at + 2, _OPEN[pair[1]]
    return None


def superlative(lower: Sequence[str], at: int) -> Superlative | None:
    """The superlative at a word: "oldest", "most recent"."""
    if (found := _longest(lower, at, _SUPERLATIVES)) is None:
        return None
    return Superlative(found[0], *_SUPERLATIVES[found[1]])


def most_of(lower: Sequence[str], at: int) -> tuple[int, bool] | None:
    """ "The most", "the highest number of": where it ends, and whether many are wanted."""
    found = _longest(lower, at, _MOST)
    return None if found is None else (found[0], _MOST[found[1]])


def most_common(lower: Sequence[str], at: int) -> tuple[int, bool] | None:
    """ "Most common": where it ends, and whether frequent ones are wanted."""
    found = _longest(lower, at, _COMMON)
    return None if found is None else (found[0], _COMMON[found[1]])


def text_test(lower: Sequence[str], at: int) -> tuple[int, Operator] | None:
    """ "Starts with", "contains the word": where it ends, and the comparison."""
    found = _longest(lower, at, _TEXT)
    return None if found is None else (found[0], _TEXT[found[1]])
