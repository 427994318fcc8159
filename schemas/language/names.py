"""Normal forms of names: what two spellings of one name share.

>>> normalise_name("  Trigger–efficiency  ", case_sensitive=False)
'trigger-efficiency'
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

MAX_KEY_BYTES = 1_024
"""Longest name key in bytes of UTF-8 (an index entry of Neo4j must stay below 8 kB)."""

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_SPACE = re.compile(r"\s+")


def normalise_name(name: str, *, case_sensitive: bool) -> str:
    """NFKC, one kind of dash, single spaces, no zero-width characters; casefolded unless ``case_sensitive``.

    Idempotent.

    >>> normalise_name("B⁰ → K^+ π^−", case_sensitive=True)
    'B0 → K^+ π^-'
    """
    if name.isascii():  # most names, and four times as fast
        return " ".join((name if case_sensitive else name.lower()).split())
    text = unicodedata.normalize("NFKC", name).translate(_INVISIBLE)
    if not case_sensitive:
        # NFKC may recreate what casefold folds, and the other way round: twice reaches the fixed point.
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text.casefold()).casefold())
    return _SPACE.sub(" ", text.translate(_DASHES)).strip()


def name_key(name: str) -> str:
    """The casefolded normal form, at most ``MAX_KEY_BYTES`` bytes; longer ones end in a hash of the whole.

    >>> name_key("Amplitude  Model")
    'amplitude model'
    >>> len(name_key("x" * 5000)), name_key("x" * 5000) == name_key("x" * 5001)
    (1024, False)
    """
    text = normalise_name(name, case_sensitive=False)
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= MAX_KEY_BYTES:
        return text
    suffix = "#" + hashlib.sha256(data).hexdigest()[:32]
    return data[: MAX_KEY_BYTES - len(suffix)].decode("utf-8", "ignore") + suffix
