"""What functions take and give: the signatures of Neo4j 5.26, by ``SHOW FUNCTIONS`` and by trying each.

Types: I whole number, F number, S text, B truth value, L list, M map, N node, R relationship, H path, D date
or time, U duration, P point, * anything. ``LS`` is a list of texts. Arguments in brackets may be left out;
the last one with ``...`` may be repeated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from cypher.gate.types import Types, one

_TEXT: Final = """
abs F -> F | acos F -> F | asin F -> F | atan F -> F | atan2 F F -> F | avg FU -> FU | btrim S [S] -> S
ceil F -> F | char_length S -> I | character_length S -> I | coalesce *... -> * | collect * -> L
cos F -> F | cot F -> F | count * -> I | date [*] -> D | date.realtime [*] -> D
date.truncate S [*] [M] -> D | datetime [*] -> D | datetime.fromepoch F F -> D
datetime.fromepochmillis F -> D | datetime.truncate S [*] [M] -> D | degrees F -> F | duration * -> U
duration.between * * -> U | duration.indays * * -> U | duration.inmonths * * -> U
duration.inseconds * * -> U | e -> F | elementid NR -> S | endnode R -> N | exists * -> B | exp F -> F
floor F -> F | haversin F -> F | head L -> * | id NR -> I | isempty SML -> B | isnan F -> B
keys NRM -> LS | labels N -> LS | last L -> * | left S I -> S | length H -> I | localdatetime [*] -> D
localdatetime.truncate S [*] [M] -> D | localtime [*] -> D | localtime.truncate S [*] [M] -> D
log F -> F | log10 F -> F | lower S -> S | ltrim S [S] -> S | max * -> * | min * -> * | nodes H -> LN
normalize S -> S | nullif * * -> * | percentilecont F F -> F | percentiledisc F F -> F | pi -> F
point M -> P | point.distance P P -> F | point.withinbbox P P P -> B | properties NRM -> M
radians F -> F | rand -> F | range I I [I] -> LI | relationships H -> LR | replace S S S -> S
reverse SL -> * | right S I -> S | round F [F] [S] -> F | rtrim S [S] -> S | sign F -> I | sin F -> F
size SL -> I | split S SL -> LS | sqrt F -> F | startnode R -> N | stdev F -> F | stdevp F -> F
substring S I [I] -> S | sum FU -> FU | tail L -> L | tan F -> F | time [*] -> D
time.truncate S [*] [M] -> D | timestamp -> I | toboolean BSI -> B | tobooleanlist L -> LB
tobooleanornull * -> B | tofloat SF -> F | tofloatlist L -> LF | tofloatornull * -> F
tointeger BSFL -> I | tointegerlist L -> LI | tointegerornull * -> I | tolower S -> S
tostring FSBDUP -> S | tostringlist L -> LS | tostringornull * -> S | toupper S -> S | trim S -> S
type R -> S | upper S -> S | valuetype * -> S | vector.similarity.cosine L L -> F
vector.similarity.euclidean L L -> F
"""
_LETTERS: Final = {
    "I": "INTEGER",
    "F": "FLOAT",
    "S": "STRING",
    "B": "BOOLEAN",
    "L": "LIST",
    "M": "MAP",
    "N": "NODE",
    "R": "RELATIONSHIP",
    "H": "PATH",
    "D": "INSTANT",
    "U": "DURATION",
    "P": "POINT",
}


@dataclass(frozen=True, slots=True)
class Signature:
    """What one function takes and gives."""

    wanted: tuple[Types, ...]
    least: int
    repeats: bool
    gives: Types


@cache
def signatures() -> dict[str, Signature]:
    """Signatures by the name of the function in lower case.

    >>> signatures()["left"].least
    2
    """
    entries = (e.strip() for line in _TEXT.splitlines() for e in line.split("|"))
    return dict(_read(e) for e in entries if e)


def _read(entry: str) -> tuple[str, Signature]:
    head, _, gives = entry.partition(" -> ")
    name, *arguments = head.split(" ")
    least = sum(not a.startswith("[") for a in arguments)
    plain = [a.strip("[].") for a in arguments]
    repeats = any(a.endswith("...") for a in arguments)
    return name, Signature(tuple(_types(a) for a in plain), least, repeats, _given(gives.strip()))


def _types(letters: str) -> Types:
    return None if letters == "*" else frozenset(_LETTERS[x] for x in letters)


def _given(letters: str) -> Types:
    if len(letters) == 2 and letters[0] == "L":
        return one(f"LIST<{_LETTERS[letters[1]]}>")
    found = _types(letters)
    return found | {"INTEGER"} if found is not None and "FLOAT" in found and len(found) > 1 else found
