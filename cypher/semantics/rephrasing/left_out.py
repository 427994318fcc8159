"""What is left out, in other words: "except those in", "nobody's reviewed", "minus anyone who", "outside"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_END: Final = r"\s*[?.!]*$"
_NOBODY: Final = r"(?:not (?:a single|one) person|no one|nobody|no person)"
_THOSE: Final = r"(?:anyone|anybody|everyone|everybody|those|the ones|any|people)"
_SKIP: Final = (
    r"(?:minus|excluding|except(?: for)?|without|but (?:skip|leave out|exclude|not|without)"
    r"|leaving out|skipping|not including)"
)
_UN: Final = (
    r"(?:reviewed|rated|ordered|sold|shipped|paid|published|tagged|assigned|visited|watched|"
    r"answered|solved|used)"
)
_COUNTRY: Final = r"((?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]*)*)"
RULES: Final[tuple[Rule, ...]] = (
    rule(r"\bnobody['’]s (?=\w+ed\b)", "nobody has "),
    rule(r"\bno one['’]s (?=\w+ed\b)", "no one has "),
    rule(
        rf"\b{_NOBODY} (?:has |have |had )?(?:ever )?(?:written|wrote|left|posted|given|made|"
        rf"done) (?:a |any )?review(?:s)?{_END}",
        "nobody reviewed",
    ),
    rule(
        r"^([a-z ]+?(?:movies|films|books|products|[a-z]+s)) (?=nobody (?:has |had )?[a-z]+ed\b)",
        r"\1 that ",
    ),
    rule(rf"\bfor which (?={_NOBODY}\b)", "that "),
    rule(rf"^(?:all )?(?:the )?un({_UN}) ([a-z]+s){_END}", r"\2 that were not \1"),
    rule(r"\b(got|have|has|had) no ([a-z]+s?) at all\b", r"have no \2"),
    rule(
        rf"\b{_SKIP} {_THOSE}(?: located| based)? in {_COUNTRY} (?:and|or) (?:those |the ones "
        rf")?(?:located |based )?(?:in )?{_COUNTRY}",
        r"that are not in \1 or \2",
    ),
    rule(
        rf"^(?!who\b|which\b|what\b)((?:[a-z]+ )?[a-z]+s) "
        rf"outside (?:of )?{_COUNTRY} (?:and|or) {_COUNTRY}{_END}",
        r"\1 that are not in \2 or \3",
    ),
    rule(
        rf"^(?!who\b|which\b|what\b)((?:[a-z]+ )?[a-z]+s) "
        rf"outside (?:of )?{_COUNTRY}{_END}",
        r"\1 that are not in \2",
    ),
    rule(rf"\bis (?:something|anything) other than {_COUNTRY} or {_COUNTRY}", r"is neither \1 nor \2"),
    rule(rf"\bnot (from|in) {_COUNTRY} and (?:also )?not (?:from |in )?{_COUNTRY}", r"not \1 \2 or \3"),
    rule(
        rf",? {_SKIP} {_THOSE} (who|that|which) (?:ever |also )?([a-z]+(?:ed|wrote|made)) ", r" \1 never \2 "
    ),
    rule(r"\b(?:and|but) have not ([a-z]+ed) any(?=\s*[?.]*$)", r"but never \1 any"),
    rule(r"\bnever ([a-z]+ed) (?:one|anything|any|a thing)(?=\s*[?.]*$)", r"never \1 any"),
)
"""Tried in order, each once."""
