"""Nouns for the ends of relations and words for properties: general English, of no graph."""

from __future__ import annotations

from typing import Final

from cypher.semantics.text import stem

CONVERSES: Final[dict[str, tuple[str, ...]]] = {
    "parent": ("child", "children", "offspring", "descendant"),
    "child": ("parent", "father", "mother"),
    "father": ("child", "son", "daughter"),
    "mother": ("child", "son", "daughter"),
    "mentor": ("apprentice", "student", "pupil"),
    "teacher": ("student", "pupil"),
    "predecessor": ("successor",),
    "successor": ("predecessor",),
    "manager": ("subordinate", "report"),
    "employer": ("employee", "staff"),
}
"""Nouns for the other end of a relation that is named after one end."""

DONE_TO: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("taught", "teaches", "trained"), ("student", "pupil", "apprentice", "trainee")),
    **dict.fromkeys(("mentors", "mentored"), ("protégé", "protege", "mentee")),
    **dict.fromkeys(("treats", "treated"), ("patient",)),
    **dict.fromkeys(("employs", "employed", "hired"), ("employee", "worker")),
}
"""Nouns for those to whom something is done."""

DOING: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("supervises", "supervised", "manages", "managed"), ("boss", "superior")),
}
"""Nouns for those who do something, beside those that its verb gives."""

PROPERTIES: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("material", "materials", "composition"), ("made of", "made from", "made out of")),
    **dict.fromkeys(("salary", "wage"), ("earn", "pay", "earnings", "income")),
    **dict.fromkeys(("visitors", "visitor"), ("attendance", "turnout")),
    **dict.fromkeys(("languages", "language"), ("speak",)),
    **dict.fromkeys(("price", "fee", "cost"), ("cost", "charge")),
    **dict.fromkeys(("area",), ("size", "surface", "surface area", "extent", "acreage")),
    **dict.fromkeys(("capacity",), ("room for", "space for", "size")),
    **dict.fromkeys(("points",), ("score",)),
    **dict.fromkeys(("score",), ("points", "mark", "rating")),
    **dict.fromkeys(("rating", "stars"), ("score", "mark")),
    **dict.fromkeys(("grade", "mark"), ("mark", "score", "grade")),
    **dict.fromkeys(("inhabitants", "population"), ("population", "inhabitants")),
    **dict.fromkeys(("elevation", "altitude"), ("altitude", "elevation", "height")),
    **dict.fromkeys(("weight", "mass"), ("weight", "mass")),
    **dict.fromkeys(("colour", "color"), ("colour", "color", "hue")),
    **dict.fromkeys(("dose", "dosage"), ("dose", "dosage")),
    **dict.fromkeys(("discount",), ("rebate", "reduction")),
    **dict.fromkeys(
        ("phone", "telephone", "tel"), ("phone", "telephone", "phone number", "telephone number")
    ),
    **dict.fromkeys(("job", "occupation", "profession"), ("job", "occupation", "profession")),
    **dict.fromkeys(
        ("reg", "registration"), ("registration", "registration number", "number plate", "plate")
    ),
    **dict.fromkeys(("budget",), ("funding", "money")),
    **dict.fromkeys(("duration",), ("length", "running time")),
    **dict.fromkeys(("annual", "yearly"), ("annual", "yearly")),
    **dict.fromkeys(
        ("role", "duty", "position"), ("role", "job", "part", "function", "position", "capacity")
    ),
    **dict.fromkeys(("class", "type", "kind", "category"), ("kind", "type", "sort", "class", "category")),
}
"""What English says for properties with such a word in their name."""

MUTUAL: Final = frozenset(
    stem(word)
    for word in (
        *(
            "friend",
            "relative",
            "acquaintance",
            "neighbour",
            "neighbor",
            "colleague",
            "roommate",
            "housemate",
        ),
        *("flatmate", "cousin", "sibling", "partner", "spouse", "enemy", "opponent", "rival", "kin", "twin"),
        *("cohabitant", "lodger", "fellow", "brother", "sister", "kinsman", "kinswoman", "kinsperson"),
    )
)
"""Stems of nouns for what each of two is to the other, so that either may be told of either."""
DOERS: Final = frozenset(
    stem(word)
    for line in (
        "mentor tutor sponsor author coach guide host guard captain pilot chair referee",
        "monitor nurse champion steward skipper",
    )
    for word in line.split()
)
"""Verbs that are nouns for who does it, as they are."""


def agents(verb: str) -> tuple[str, ...]:
    """Nouns for who does what a verb says, likely ones and others.

    >>> agents("directed")[:2], agents("mentored")
    (('directer', 'director'), ('mentor',))
    """
    base = stem(verb)
    if len(base) < 3:
        return ()
    if base in DOERS:
        return (base,)
    doubled = base + base[-1] if base[-1] in "nmtpg" else base
    return (base + "er", base + "or", doubled + "er")
