"""Words of a question and of identifiers: tokens, stems, keys under which values are found."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from cypher.semantics.irregular import IRREGULAR

_TOKEN = re.compile(
    r"(?<!\S)-\d+(?:\.\d+)?(?=[\s,;?!]|\.?$|\.\s)|(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])"
    r"|[^\W_]+(?:[-'.’/@:_&+][^\W_]+)*|\d+(?:[.,]\d+)*|[^\w\s]",
    re.UNICODE,
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-zA-Z]{3})(?=\d)|_|\s+|-")
_KEY = re.compile(r"[^\W_]+", re.UNICODE)
_ACCENTED = re.compile("([a-z])[\u0300-\u036f]+")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "−": "-", "–": "-"})
_CONTRACTED = re.compile(r"\b(what|who|where|when|which|how)'s\b", re.IGNORECASE)
_DATED_NOUN = re.compile(r"\b(pre|post)-(\d{4}) (\w+)\b", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouy]")
_SHORT = re.compile(r"\w{1,2}eed")
"""No past forms: "breed", "speed"."""


@dataclass(frozen=True, slots=True)
class Word:
    """A token with its lower-case form and stem; ``start`` and ``end`` are character offsets, half-open."""

    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """Lower case, possessive ending removed."""
        return self.text.lower().removesuffix("'s")

    @property
    def stem(self) -> str:
        """See :func:`stem`."""
        return stem(self.lower)


def clean(text: str) -> str:
    """NFKC, plain quotes, one space between words; "what's" and "pre-1990 cars" in full.

    >>> clean("What\u2019s the oldest pre-1990  car?")
    'What is the oldest car before 1990?'
    """
    text = _NUMBERED.sub("number", _FOUND.sub("is", text))
    plain = " ".join(unicodedata.normalize("NFKC", text).translate(_QUOTES).split())
    return _CONTRACTED.sub(r"\1 is", _DATED_NOUN.sub(_dated_behind, plain))


def _dated_behind(found: re.Match[str]) -> str:
    when = "before" if found[1].lower() == "pre" else "after"
    return f"{found[3]} {when} {found[2]}"


_NUMBERED = re.compile(r"\b(no|nr|num)\.(?=\s*(?:\(|[\w-]*\d))", re.IGNORECASE)
"""A number sign, whose point ends no sentence and which denies nothing."""
_FOUND = re.compile(
    r"(?<=[a-z] )(?:will|can|could|would|might|do) (?:i|we|you|one) find\b(?! out)", re.IGNORECASE
)
"""Where something is, asked as where it is to be found."""


def words(text: str) -> tuple[Word, ...]:
    """Tokens of a cleaned text.

    >>> [w.text for w in words("Who wrote 'Up' in 2009?")]
    ['Who', 'wrote', "'", 'Up', "'", 'in', '2009', '?']
    >>> [w.text for w in words("colder than -4.5, over 10,000?")]
    ['colder', 'than', '-4.5', ',', 'over', '10,000', '?']
    """
    return tuple(Word(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text))


def value_key(text: str) -> str:
    """The form under which a value is looked up: letters and digits, lower case, single spaces, no accents.

    >>> value_key("Jean-Luc O'Neil"), value_key("Gis\N{LATIN SMALL LETTER E WITH GRAVE}le")
    ('jean luc o neil', 'gisele')
    """
    key = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_KEY.findall(key if key.isascii() else _without_accents(key)))


def _without_accents(text: str) -> str:
    """Latin letters without their accents; of other scripts a mark may make another letter."""
    return unicodedata.normalize("NFC", _ACCENTED.sub(r"\1", unicodedata.normalize("NFD", text)))


@lru_cache(maxsize=20_000)
def identifier_words(name: str) -> tuple[str, ...]:
    """Words of an identifier in lower case.

    >>> identifier_words("hasPostCode"), identifier_words("ACTED_IN"), identifier_words("week12Score")
    (('has', 'post', 'code'), ('acted', 'in'), ('week', '12', 'score'))
    """
    return tuple(part.lower() for part in _CAMEL.split(name) if part)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A light English stem: irregular forms, then plural, past and participle endings.

    >>> [stem(w) for w in ("movies", "directed", "wrote", "cities", "investigating")]
    ['movi', 'direct', 'writ', 'citi', 'investigat']
    """
    word = word.replace("e-mail", "email")
    if word in IRREGULAR:
        word = IRREGULAR[word]
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) >= 3 and _VOWEL.search(base) and not _SHORT.fullmatch(word):
            return _bare(base[:-1] if base[-1] == base[-2] and base[-1] not in "sl" else base)
    if word.endswith("ings") and len(word) > 6:
        return stem(word[:-1])
    if word.endswith("ies") and len(word) > 4:
        return word[:-2]
    if word.endswith(("sses", "xes", "ches", "shes")):
        return _bare(word[:-2])
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return _bare(word[:-1])
    return _bare(word)


def _bare(word: str) -> str:
    if len(word) > 3 and word.endswith("e"):
        return word[:-1]
    if len(word) > 3 and word.endswith("y"):
        return word[:-1] + "i"
    return word
