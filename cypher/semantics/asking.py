"""What the words of a question leave open of the columns that it wants."""

from __future__ import annotations

from typing import Final

from cypher.semantics.ir import Filter, Head, Operator, PropertyRef, Query, is_day_text
from cypher.semantics.iso_days import is_year
from cypher.semantics.mentions import Linked
from cypher.semantics.text import identifier_words, stem
from cypher.word_lists import ASKERS
from schemas.store_schema import StoreSchema

_NAMES: Final = frozenset({"names", "titles"})
_NAME: Final = frozenset({"name", "title"})
_CONDITION: Final = frozenset({"with", "whose", "have", "has", "having", "by"})
"""Words before "names" that make it a condition: "people with names that ..."."""
_SPELLED: Final = {"no": "number", "nr": "number", "num": "number"}
"""What people say for the ends of properties' names."""
_FETCHING: Final = (("find",), ("retrieve",), ("display",), ("identify",))


def names_asked(words: tuple[str, ...]) -> bool:
    """Whether a question says that names are what it wants.

    >>> names_asked(("list", "the", "names", "of", "ships"))
    True
    >>> names_asked(("list", "ships", "with", "the", "name", "ada"))
    False
    """
    if words[:1] == ("name",):
        return True
    for at, word in enumerate(words):
        before = words[at - 2 : at] if at > 1 else words[:at]
        if word in _NAMES and not _CONDITION & set(before):
            return True
        if word in _NAME and words[at + 1 : at + 2] == ("of",) and not _CONDITION & set(before):
            return True
    return False


def only_names(words: tuple[str, ...]) -> bool:
    """Whether names alone are asked for, in as many words.

    >>> only_names(("the", "names", "of", "ships")), only_names(("name", "the", "ships"))
    (True, False)
    """
    return words[:1] != ("name",) and names_asked(words)


def things_asked(words: tuple[str, ...], query: Query) -> bool:
    """Whether a question asks for things with all that is known of them, not for their names.

    Where two authors agree on the graphs whose errors were read, and we find what they find, 48 of 52 such
    questions that begin with "find", "identify" and the like return the things; of 14 lists by the things'
    own values 10 do, and none returns names alone.

    >>> from cypher.semantics.ir import Filter, Node, Operator, PropertyRef
    >>> long = Query((Node("Ship"),), filters=(Filter(PropertyRef(0, "length"), Operator.GT, 20),))
    >>> things_asked(("find", "ships"), long), things_asked(("list", "ships"), long)
    (True, True)
    >>> things_asked(("which", "ships"), long), things_asked(("find", "names"), long)
    (False, False)
    """
    if query.head is not Head.LIST or query.project or query.pooled or names_asked(words):
        return False
    if query.order is not None or query.having is not None:
        return False  # names with what they are ranked or chosen by
    own = bool(query.filters) and not (query.edges or query.clauses)
    return words[:1] in _FETCHING or (words[:1] == ("list",) and own and query.limit is None)


def property_asked(linked: Linked, query: Query, schema: StoreSchema) -> PropertyRef | None:
    """The property that a list is called by, where its things are asked for by the name of that property.

    "The e-mail addresses of Ann" are things of the kind e-mail, but what is asked for is their ``address``;
    "the phone number" of a phone is its ``phoneNo``, as is its "telephone number". Where the kind itself is
    called so, as a post code that has a ``code``, only the property's whole name asks for it.
    """
    label = schema.label(query.nodes[query.answer].label)
    if query.head is not Head.LIST or query.project or query.pooled or label is None:
        return None
    named = tuple(stem(_SPELLED.get(w, w)) for w in identifier_words(label.name_property))
    kind = tuple(map(stem, identifier_words(label.name)))
    if not named or named == kind:
        return None
    for mention in linked.mentions:
        if any(t.kind == "label" and t.name == label.name for t in mention.terms):
            said = tuple(w.stem for w in linked.words[mention.start : mention.end])
            by_end = named[-1] not in kind and said[-1:] == named[-1:]
            return PropertyRef(query.answer, label.name_property) if said == named or by_end else None
    if named[-1] not in kind and _first_relation_ends(linked, named[-1]):
        return PropertyRef(query.answer, label.name_property)
    return None


def _first_relation_ends(linked: Linked, noun: str) -> bool:
    """Whether it is said by a word for relationships that ends so: "the home address of Ann"."""
    first = min((*linked.mentions, *linked.relations), key=lambda m: m.start, default=None)
    if first is None or not first.is_relation_only:
        return False
    said = [w.stem for w in linked.words[first.start : first.end] if w.lower not in ("of", "for")]
    return said[-1:] == [noun]


def open_columns(linked: Linked, query: Query) -> dict[str, float]:
    """Figures on how a list of things without a word for their columns is asked for.

    "Find all ships" may want the things with all that is known of them, "which ships" rather their names,
    "the names of the ships" nothing else. The first few of them are rather listed by name. "Which ships have
    the most" may want one, or all in this order; "after 2000" all days of 2000 but the first, or none.
    """
    words = tuple(w.lower for w in linked.words)
    left = {"best_of_many": float(_is_of_many(linked, query)), "after_year": float(_is_after_year(query))}
    if query.whole:
        return {"asks_names": 0.0, "asks_things": 1.0, **left}
    named = names_asked(words)
    bare = query.head is Head.LIST and not query.project and not named
    asked = next((w for w in words if w in ASKERS), "") if bare else ""
    told = any(w in ASKERS for w in words[:3])
    return {
        "asks_names": float(named and query.head is Head.LIST),
        "asks_all": float(bare and not told and query.limit is None),
        "asks_some": float(bare and not told and query.limit is not None),
        "asks_which": float(bare and told and asked != "who" and query.limit is None),
        **left,
    }


def _is_of_many(linked: Linked, query: Query) -> bool:
    """Whether one is returned as the first of things that are spoken of as many."""
    if query.order is None or query.limit != 1:
        return False
    label = query.nodes[query.answer].label
    found = [m for m in linked.mentions if any(t.kind == "label" and t.name == label for t in m.terms)]
    return bool(found) and linked.words[found[0].end - 1].lower.endswith("s")


def _is_after_year(query: Query) -> bool:
    """Whether a day is to be later than a whole year."""
    return any(f.operator is Operator.GT and is_year(f.value) and _holds_days(f) for f in query.filters)


def _holds_days(condition: Filter) -> bool:
    return is_day_text(condition.ref) or "date" in identifier_words(condition.ref.name)
