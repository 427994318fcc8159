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
_HIDDEN = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
"""Soft hyphens, zero-width spaces and marks of writing direction."""
_INVISIBLE = re.compile(rf"[{_HIDDEN}\u200c\u200d]+")
_UNSEEN = re.compile(rf"[{_HIDDEN}]+|(?<=[\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?=[\x00-\x7f])")
"""As above; the joiners only beside ASCII, for other scripts are written with them."""
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_]+")
_OTHER_SCRIPT = re.compile("[\u0400-\u052f\u1c80-\u1c8a\u039f\u03bf]")
_LATIN = dict(
    zip(
        map(
            ord, "\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u03bf"
        ),
        "aeopcxyijshdqwo",
        strict=True,
    )
) | dict(
    zip(
        map(
            ord, "\u0410\u0415\u041e\u0420\u0421\u0425\u0423\u0406\u0408\u0405\u04ba\u0500\u051a\u051c\u039f"
        ),
        "AEOPCXYIJSHDQWO",
        strict=True,
    )
)
_LATIN |= dict(zip(map(ord, "\u0412\u041d\u041a\u041c\u0422"), "BHKMT", strict=True))
"""Cyrillic letters and the omicron that look like Latin ones (Unicode Technical Standard 39)."""


def readable_name(name: str) -> str:
    """The name without what no reader sees, and with one script in a word.

    Zero-width characters and marks of writing direction go; in a word with Latin letters, Cyrillic ones that
    look Latin become Latin, unless another Cyrillic letter of the word does not.

    >>> readable_name("L\u0435ngth\u200b scale"), readable_name("\u0434\u043b\u0438\u043d\u0430 B\u202e0")
    ('Length scale', 'длина B0')
    """
    return name if name.isascii() else _one_script(_UNSEEN.sub("", name))


def _one_script(text: str) -> str:
    if _OTHER_SCRIPT.search(text) is None:
        return text
    return _WORD.sub(lambda word: _as_latin(word.group()), text)


def _as_latin(word: str) -> str:
    latin = any(c.isascii() for c in word)
    apart = any(ord(c) not in _LATIN and _OTHER_SCRIPT.match(c) for c in word)
    return word.translate(_LATIN) if latin and not apart else word


def normalise_name(name: str, *, case_sensitive: bool) -> str:
    """NFKC, one kind of dash, single spaces, nothing invisible; casefolded unless ``case_sensitive``.

    Words have one script as in :func:`readable_name`. Idempotent.

    >>> normalise_name("B⁰ → K^+ π^−", case_sensitive=True)
    'B0 → K^+ π^-'
    """
    if name.isascii():  # most names, and four times as fast
        return " ".join((name if case_sensitive else name.lower()).split())
    text = _composed(unicodedata.normalize("NFKC", _INVISIBLE.sub("", name)))
    if not case_sensitive:
        # NFKC may recreate what casefold folds, and the other way round: twice reaches the fixed point.
        text = _composed(
            unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text.casefold()).casefold())
        )
    return _SPACE.sub(" ", text.translate(_DASHES)).strip()


def _composed(text: str) -> str:
    return unicodedata.normalize("NFKC", _one_script(text))


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


def observable_name(text: str) -> str:
    """Single spaces, one kind of dash, case kept.

    >>> observable_name("B_s0  mean–life")
    'B_s0 mean-life'
    """
    return normalise_name(text, case_sensitive=True)


_CONDITIONS = (" in ", " at ", " for ", " from ", " with ", " (")
"""What follows a name where a condition is put on what it names."""


def qualified_prefixes(bare: str) -> tuple[str, ...]:
    """How the name keys begin that are a name key with a condition behind it; none for the empty key.

    >>> name_key("R_K at low q2").startswith(qualified_prefixes(name_key("R_K")))
    True
    >>> "r_k* at low q2".startswith(qualified_prefixes("r_k")), "r_k".startswith(qualified_prefixes("r_k"))
    (False, False)
    """
    return tuple(bare + condition for condition in _CONDITIONS) if bare else ()
