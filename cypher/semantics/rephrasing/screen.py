"""Words for who acts in what: "the cast of Dune", "an acting credit", "castmates", "came out".

They are English about films and plays, not about one graph. Each set of rules applies only where the graph
has the words that it writes: those on casts where it knows actors and nothing called a cast, those that write
"movies" where it knows movies too, those on releases where it knows what is released. Words for where
something is are left out where the graph has none of them.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule
from cypher.semantics.text import stem

_END: Final = r"\s*[?.!]*$"
_NAME: Final = r"((?-i:[A-Z'\"])[^,;?!]*?)"
_FILMS: Final = r"((?:the |all |any )?(?:movies?|films?|titles?|shows?|plays?|series|pictures?))"
_IN_CAST: Final = r"(?:in|on|part of|a part of|among|a member of|member of) (?:the|its|their) (?:cast|actors)"
_DONE: Final = {
    "acting": "acted in",
    "directing": "directed",
    "director": "directed",
    "producing": "produced",
    "producer": "produced",
    "production": "produced",
    "writing": "wrote",
    "writer": "wrote",
}
"""What somebody did who has a credit of a kind."""
_PLACED: Final = r"(?:located|based|situated|to be found|found)"
_CREDIT: Final = rf"({'|'.join(_DONE)}) credits?(?: (?:on|in|for|at))?"
_CASTMATES: Final = r"(?:cast[- ]?mates?|(?:fellow|other) (?:cast members|actors)|co-actors)"
_BIG: Final = r"(?:biggest|largest|highest|greatest)"
_SMALL: Final = r"(?:smallest|lowest)"
_ABOVE: Final = (
    r"(?:bigger than|larger than|greater than|above|over|of more than|exceeding|of over|"
    r"counts? more than|has more than)"
)
CAST: Final[tuple[Rule, ...]] = (
    rule(
        rf"^(?:the )?{_NAME}['’]s? {_CASTMATES}(?:, all (?:movies|films))?{_END}",
        r"which people acted with \1?",
    ),
    rule(rf"\b(?:an? |the )?{_CASTMATES} of (?=(?-i:[A-Z'\"]))", "people who acted with "),
    rule(r"\b(?:that['’]s|who has|who have|who['’]s|that has) been people who acted\b", "who acted"),
    rule(rf"^(?:the )?{_NAME}(?:['’]s?)? cast(?: list| members?)?{_END}", r"who acted in \1?"),
    rule(rf"^who(?:['’]s| is| was| are| were) (?:all )?in the cast of (.+?){_END}", r"who acted in \1?"),
    rule(rf"^(is|was|were|are) {_NAME} {_IN_CAST} of (.+?){_END}", r"did \2 act in \3?"),
    rule(
        rf"\b(?:check |verify )?whether (?:the )?cast of (.+?) includes {_NAME}{_END}",
        r"whether \2 acted in \1",
    ),
    rule(
        r"\b(?:appears?|appeared|played|plays?|is|was|were|been) (?:in|on|part of) the cast of ", "acted in "
    ),
    rule(
        rf"\b{_FILMS} (?:that|which) (?:has|have|had) {_NAME} (?:in|on|among) (?:the|its|their)"
        rf" (?:cast|actors)\b",
        r"\1 that \2 acted in",
    ),
    rule(
        rf"\b{_FILMS} with {_NAME} (?:in|on|among) (?:the|its|their) (?:cast|actors)\b",
        r"\1 that \2 acted in",
    ),
    rule(
        rf"\b{_FILMS} (?:where|in which) {_NAME} (?:is|are|was|were) (both |all )?{_IN_CAST}",
        r"\1 in which \3\2 acted",
    ),
    rule(rf"\b(?:is|are|was|were) {_IN_CAST}\b", "acted in"),
    rule(r"\bin the cast of (?=an? |the |any )", "acted in "),
    rule(rf"\b(?:with|has|have|had|got|having)(?: got)? (?:the )?{_BIG} casts?\b", "with the most actors"),
    rule(
        rf"\b(?:with|has|have|had|got|having)(?: got)? (?:the )?{_SMALL} casts?\b", "with the fewest actors"
    ),
    rule(
        rf"\b(?:with|have|has|having|whose) (?:an? |the )?cast {_ABOVE} (\d+)(?: (?:people|"
        rf"persons|actors|members))?\b",
        r"with more than \1 actors",
    ),
    rule(r"\bcast sizes?\b", "number of actors"),
    rule(r"\b(?:the )?casts? (?:list |members? )?of (?=\w)", "the actors of "),
    rule(r"^cast of ", "actors of "),
    rule(
        rf"\b(?:has|have|had) (?:an? |any |some )?{_CREDIT} but no {_CREDIT}{_END}",
        lambda m: f"{_DONE[m[1].lower()]} but not {_DONE[m[2].lower()]}",
    ),
    rule(rf"\bin which {_NAME} (?:has|have|had) (?:an? )?acting credits?\b", r"in which \1 acted"),
    rule(
        rf"\b(?:with|having) (?:an? |any )?{_CREDIT} (?=an? |the |more |at |any |some |\w+ movies)",
        lambda m: f"who {_DONE[m[1].lower()]} ",
    ),
    rule(rf"\b(?:has|have|had|got) (?:an? |any )?{_CREDIT}", lambda m: _DONE[m[1].lower()]),
    rule(rf"^{_NAME} acting credits, (?:the )?number of (movies|films){_END}", r"how many \2 did \1 act in?"),
    rule(
        rf"^((?:which|what|how many) [a-z]+) (?:has|have|was|were|is) {_NAME} (?:been )?in as an? actor\b",
        r"\1 has \2 acted in",
    ),
    rule(r"\bplay(?:ed)? (?:like|as) (?:an? )?actors?\b", "act"),
    rule(r"\bplayed as actors? in\b", "acted in"),
    rule(r"\bacted? (?:alongside|together with|next to|beside|opposite)\b", "acted with"),
    rule(rf"^{_NAME} (?:as an? actor|acting)[,:] (movies|films){_END}", r"which \2 did \1 act in?"),
)
"""Where a graph knows actors and has nothing called a cast."""
MOVIES: Final[tuple[Rule, ...]] = (
    rule(rf"^(?:the )?{_NAME}(?:['’]s?)? (?:acting )?filmography{_END}", r"which movies did \1 act in?"),
    rule(rf"\bfilmography of {_NAME}{_END}", r"movies that \1 acted in"),
    rule(
        rf"\b(?:with|having|has|have|had) no {_CREDIT}(?={_END}|,)",
        lambda m: f"who never {_DONE[m[1].lower()]} a movie",
    ),
)
"""Where it knows movies as well."""
RELEASED: Final[tuple[Rule, ...]] = (
    rule(
        rf"^(?:in )?(?:what|which) year (?:did|has) (?:the (?:movie|film) )?(.+?) (?:come|came)"
        rf" (?:out|to (?:the )?cinemas?)(?: (?:the )?first time)?{_END}",
        r"when was \1 released?",
    ),
    rule(
        rf"^(?:in )?(?:what|which) year (.+?) came (?:out|to (?:the )?cinemas?)(?: (?:the )"
        rf"?first time| first)?{_END}",
        r"when was \1 released?",
    ),
    rule(rf"^(when) did (.+?) come out{_END}", r"\1 was \2 released?"),
    rule(r"\bwhat came out (between .+?)\? (movies|films)\b.*$", r"which \2 were released \1?"),
    rule(r"\b((?:which|what|how many) (?:movies|films|titles)) (?:came|come) out\b", r"\1 were released"),
    rule(r"\b(?:that|which) came out\b", "released"),
    rule(r"\b(?:has|have|had) (?:its|their) release\b", "were released"),
    rule(
        rf"^(?:in )?(?:what|which) year (?:was |is )?(?:the (?:movie|film) )?(.+?) (?:was )?released{_END}",
        r"when was \1 released?",
    ),
    rule(r"\brelease dates? of\b", "release year of"),
)
"""Where a graph knows what is released."""


_PLACES: Final = frozenset(map(stem, ("located", "based", "situated", "found", "location")))
PLACED: Final[tuple[Rule, ...]] = (
    rule(rf"\b(are|is|was|were) {_PLACED} (?=in\b|at\b|within\b)", r"\1 "),
    rule(rf"(?<=s) {_PLACED} (?=in\b|at\b|within\b)", " "),
    rule(
        rf"^((?:in|at) (?:which|what) [a-z]+) (?:is |are )?(?:the )?(.+?) (?:is |are )?{_PLACED}{_END}",
        r"\1 is \2?",
    ),
)
"""Where a graph has no word for being located or based somewhere."""


def rules_for(known: AbstractSet[tuple[str, ...]]) -> tuple[Rule, ...]:
    """The rules for a graph of which ``known`` are the stemmed phrases."""
    rules: list[Rule] = []
    if (stem("actor"),) in known and (stem("cast"),) not in known:
        rules += CAST
        if (stem("movie"),) in known:
            rules += MOVIES
    if (stem("released"),) in known:
        rules += RELEASED
    if not _PLACES & {word for phrase in known for word in phrase}:
        rules += PLACED
    return tuple(rules)


def on_screen(text: str, rules: tuple[Rule, ...]) -> str:
    """A question on actors, releases and places in plainer words.

    >>> rules = rules_for({(stem("actors"),), (stem("released"),)})
    >>> on_screen("What year did Dune come out?", rules), on_screen("who's in the cast of Dune", rules)
    ('when was Dune released?', 'who acted in Dune?')
    >>> on_screen("the cast of Dune", rules_for({(stem("actor"),), (stem("cast"),)}))
    'the cast of Dune'
    """
    for expression, said in rules:
        text = expression.sub(said, text, count=1)
    return text
