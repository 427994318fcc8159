"""Words of a question and of identifiers: tokens, stems, keys under which values are found."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from cypher.semantics.irregular import IRREGULAR

_TOKEN = re.compile(
    r"(?<!\S)-\d+(?:\.\d+)?(?=[\s,;?!]|\.?$|\.\s)|[^\W_]+(?:[-'.’/@:_&+][^\W_]+)*|\d+(?:[.,]\d+)*|[^\w\s]",
    re.UNICODE,
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_|\s+|-")
_KEY = re.compile(r"[^\W_]+", re.UNICODE)
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
    text = _NUMBERED.sub(r"\1", _FOUND.sub("is", text))
    plain = " ".join(unicodedata.normalize("NFKC", text).translate(_QUOTES).split())
    return _CONTRACTED.sub(r"\1 is", _DATED_NOUN.sub(_dated_behind, plain))


def _dated_behind(found: re.Match[str]) -> str:
    when = "before" if found[1].lower() == "pre" else "after"
    return f"{found[3]} {when} {found[2]}"


_NUMBERED = re.compile(r"\b(no|nr|num)\.(?=\s*[\d(])", re.IGNORECASE)
"""A point that ends no sentence."""
_FOUND = re.compile(
    r"(?<=[a-z] )(?:will|can|could|would|might|do) (?:i|we|you|one) find\b(?! out)", re.IGNORECASE
)
"""Where something is, asked as where it is to be found."""
_SHORT_IS = re.compile(r"\b(what|who|where|when|which)'s\b", re.IGNORECASE)
_OLD = re.compile(r"\bhow old (?:is|are|was|were)\b", re.IGNORECASE)
_ASKING = re.compile(
    r"^(?:(?:please|hi|hello|hey|ok|okay|so|well|now|also|and)\b[, ]*)*"
    r"(?:(?:can|could|would|will|do|does|did|may|might|is it possible)\s+(?:you|we|i|(?:anyone|someone|anybody)(?! ha[sv])|to|for you to)\b"  # noqa: E501
    r"(?:\s+(?:please|kindly|possibly|perhaps|also|happen|mind|be|able|like|to))*"
    r"\s+(?:tell(?:ing)?|giv(?:e|ing)|show(?:ing)?|list(?:ing)?|provid(?:e|ing)|find(?:ing)?(?: out)?|inform(?:ing)?|help(?:ing)?"  # noqa: E501
    r"|shar(?:e|ing)|let|identify|display|get|retrieve|know(?! of\b)|have(?! any\b)|see|say|name|specify|check|look up|learn|clarify|explain)"  # noqa: E501
    r"|(?:i|we)(?:'m| am|'re| are) (?:after|looking for|searching for)"
    r"|(?:i|we)(?:'d|\s+would|\s+want|\s+need|\s+wish|\s+am|'m)\b(?:\s+(?:like|love|want|need|wish|interested|curious|trying|to|in))*"
    r"(?:\s+(?:know(?:ing)?|find out|see|learn|get|have|find|ask|about|check))*"
    r"|(?:is|are) there (?:a|an|any) (?:complete |full )?(?:list|listing|overview) of(?: all)?(?: the)?"
    r"|let me know|tell (?:me|us)|give (?:me|us)|show (?:me|us))"
    r"(?:\s+(?:me|us|please|out|about|information about|know))*[, :]*",
    re.IGNORECASE,
)
_WHETHER = re.compile(r"(?:if|whether)(?: or not)?\s+", re.IGNORECASE)


def without_preamble(text: str) -> str:
    """A question without its polite beginning.

    >>> without_preamble("Could you please tell me which films Ann made?")
    'which films Ann made?'
    >>> without_preamble("Do you know how many there are?")
    'how many there are?'
    >>> without_preamble("Could you tell me if Ann made any films?")
    'whether Ann made any films?'
    """
    text = _SHORT_IS.sub(r"\1 is", text)
    text = _OLD.sub("what is the age of", text)
    found = _ASKING.match(text)
    if found is None or found.end() == len(text):
        return text
    rest = text[found.end() :]
    asked = _WHETHER.match(rest)
    return f"whether {rest[asked.end() :]}" if asked else rest


_UNITS = "years|days|months|seconds|minutes|hours|dollars|euros|feet|miles|pounds"
_ASIDE = re.compile(
    r",? ?\b(?:in turn|at the same time)\b,?"
    r"|,? ?\b(?:at (?:some|any) (?:point|time|stage)(?: in time| in their career)?|at least once|at all"
    r"|on (?:any|some) (?:day|date|occasion)"
    r"|on (?:file|record)|(?<=there )in total|in the (?:database|graph|dataset|data)|of all time"
    rf"|in (?:centi|kilo|milli)?(?:metres|meters|grams)|in (?:{_UNITS}))\b"
    r"|\((?:in|measured in) [a-z ]{1,20}\)",
    re.IGNORECASE,
)


def without_asides(text: str) -> str:
    """A question without phrases that ask for nothing.

    >>> without_asides("Who lived in Lund at some point (in years)?")
    'Who lived in Lund?'
    """
    return " ".join(_ASIDE.sub(" ", text).split()).replace(" ?", "?")


def words(text: str) -> tuple[Word, ...]:
    """Tokens of a cleaned text.

    >>> [w.text for w in words("Who wrote 'Up' in 2009?")]
    ['Who', 'wrote', "'", 'Up', "'", 'in', '2009', '?']
    >>> [w.text for w in words("colder than -4.5?")]
    ['colder', 'than', '-4.5', '?']
    """
    return tuple(Word(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text))


def value_key(text: str) -> str:
    """The form under which a value is looked up: letters and digits, lower case, single spaces.

    >>> value_key("Jean-Luc O'Neil")
    'jean luc o neil'
    """
    return " ".join(_KEY.findall(unicodedata.normalize("NFKC", text).casefold()))


@lru_cache(maxsize=20_000)
def identifier_words(name: str) -> tuple[str, ...]:
    """Words of an identifier in lower case.

    >>> identifier_words("hasPostCode"), identifier_words("ACTED_IN")
    (('has', 'post', 'code'), ('acted', 'in'))
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
