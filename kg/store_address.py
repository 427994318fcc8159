"""The address under which questions to another Neo4j are kept: one for each, however spelled."""

from __future__ import annotations

import re
from typing import Final

from kg.ledger import Ledger

USUAL: Final = "neo4j"
"""Name of the database that a server has unless it is told otherwise."""
_PORT: Final = 7687
_SCHEMES: Final = re.compile(r"(?:bolt|neo4j)(?:\+s|\+ssc)?")
_HOST: Final = re.compile(
    r"(?:.*?@)??(?P<host>\[[^\]]*\]|[^/?#@:]*)(?::(?P<port>\d+))?(?:/[^?#@]*)?(?:[?#].*)?", re.DOTALL
)


def address(uri: str, database: str = USUAL) -> str:
    """The address of a store without user, password and parameters, with the database if not the usual one.

    The schemes that one server answers to are one, port 7687 is that of an address without any, and letter
    case says nothing, nor does it in the name of a database.

    >>> address("neo4j+s://ann:secret@DB.example/?x=a@b"), address("bolt://[::1]:7688", "Old")
    ('bolt://db.example:7687', 'bolt://[::1]:7688/old')
    """
    before, separator, behind = uri.strip().partition("://")
    scheme, rest = (before, behind) if separator else ("", before)
    found = _HOST.fullmatch(rest)
    host = found["host"] if found else re.split("[/?#]", rest.rpartition("@")[2])[0]
    port = found["port"] if found else ""
    if _SCHEMES.fullmatch(scheme.lower()):
        scheme, port = "bolt", port or str(_PORT)
    place = f"{host.lower()}:{int(port)}" if port else host.lower()
    where = f"{scheme.lower()}://{place}" if scheme else place
    name = database.lower()
    return where + (f"/{name}" if name != USUAL else "")


def spell_alike(ledger: Ledger) -> None:
    """Bring addresses that an earlier version kept, as they were given, to one spelling."""
    for (kept,) in ledger.execute("SELECT DISTINCT store FROM questions WHERE store <> ''"):
        scheme, _, rest = kept.partition("://")
        place, _, database = rest.partition("/")
        now = address(f"{scheme}://{place}", database or USUAL)
        if now != kept:
            ledger.renew("UPDATE questions SET store=?, revision=revision+1 WHERE store=?", (now, kept))
