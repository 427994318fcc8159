"""What is asked of several things, or of values and of their mean: two questions that are each whole.

"title of A and B" asks for two titles, and not for that of one paper that is both; "list the values of X
and give me their mean" asks for the values, too.
"""

from __future__ import annotations

import re
from typing import Final

from cypher import form as f
from cypher.normalise import quoted_spans
from cypher.understanding import Understood

_LEAD: Final = re.compile(
    r"^(?P<lead>(?:(?:what|which) (?:is|are|was|were) |(?:list|show|give|find|tell) )?(?:me )?(?:the )?"
    r"(?:(?!\b(?:of|for|and|or)\b)[\w' -])+? (?:of|for) )(?P<things>.+?)[?.]*$",
    re.IGNORECASE,
)
_JOINT: Final = re.compile(r",? and (?:of |for |the )*|, ", re.IGNORECASE)
_MEAN: Final = re.compile(
    r"^(?P<values>(?:list|show|give|tell|what are)(?: me| us)? (?:all )?(?:the )?"
    r"(?P<what>(?:(?!\b(?:and|or)\b)[^,;?])*?(?:values|measurements|results)\b[^,;?]*?)),? and (?:also )?"
    r"(?:(?:give|show|tell|compute|calculate|take|what is)(?: me| us)? )?(?:their|the|its)"
    r" (?:(?:unweighted|arithmetic) )?(?P<mean>mean|average|median)[?.]*$",
    re.IGNORECASE,
)
_QUANTITIES: Final = re.compile(
    r"^(?:(?:what (?:is|are|was|were)|list|show|give|tell)(?: me)? )(?:the )?"
    r"(?P<whats>(?:(?!\b(?:of|for|or|most|least|all)\b)[\w' -])+(?:, (?:(?!\b(?:of|for|or)\b)[\w' -])+)*?"
    r",? and (?:the )?(?:(?!\b(?:of|for|or|and)\b)[\w' -])+) (?P<thing>(?:of|for) [^,;?]+?)[?.]*$",
    re.IGNORECASE,
)
_STATED: Final = re.compile(r"\b(?:values?|limits?|bounds?|measurements?|results?)\b", re.IGNORECASE)
"""What is stated of a quantity, and no quantity."""
Halves = tuple[str, str]


def with_mean(text: str) -> Halves | None:
    """The question for values and that for their mean.

    >>> with_mean("List the values of the Xi_cc++ mass and give me their mean")
    ('List the values of the Xi_cc++ mass', 'What is the mean of the values of the Xi_cc++ mass')
    """
    found = None if quoted_spans(text) else _MEAN.match(text)
    if found is None:
        return None
    mean = "median" if found["mean"].lower() == "median" else "mean"
    return found["values"], f"What is the {mean} of the {found['what']}"


def of_each(text: str) -> Halves | None:
    """The question for the first of several things, and that for the others.

    >>> of_each("title of AAIJ 2012I, AAIJ 2013A and AAIJ 2022B")
    ('title of AAIJ 2012I', 'title of AAIJ 2013A and AAIJ 2022B')
    """
    found = None if quoted_spans(text) else _LEAD.match(text)
    if found is None or not re.search(r"\band\b", found["things"]):
        return None
    joint = _JOINT.search(found["things"])
    if joint is None or " or " in found["things"]:
        return None
    first, rest = found["things"][: joint.start()], found["things"][joint.end() :]
    return (f"{found['lead']}{first}", f"{found['lead']}{rest}") if first and rest else None


def of_one(text: str) -> Halves | None:
    """The question for the first of several quantities of one thing, and that for the others.

    >>> of_one("What are the mass, width and lifetime of the Omega_b-?")
    ('What is the mass of the Omega_b-', 'What are the width and lifetime of the Omega_b-')
    >>> of_one("What are the width and lifetime of the Omega_b-?")
    ('What is the width of the Omega_b-', 'What is the lifetime of the Omega_b-')
    """
    found = None if quoted_spans(text) else _QUANTITIES.match(text)
    found = None if found and _STATED.search(found["whats"]) else found
    joint = _JOINT.search(found["whats"]) if found else None
    if found is None or joint is None:
        return None
    first, rest = found["whats"][: joint.start()], found["whats"][joint.end() :]
    are = "are" if " and " in rest else "is"
    return f"What is the {first} {found['thing']}", f"What {are} the {rest} {found['thing']}"


def contradicts(found: Understood) -> bool:
    """Whether one attribute of one thing is to have two values at once, which nothing can."""
    form = found.decision.form
    if found.plan is not None or form is None:
        return False
    wanted: dict[tuple[str, str], set[object]] = {}
    for c in form.conditions:
        if c.op in (f.Op.IS, f.Op.ONE_OF):
            values: set[object] = set(c.value) if isinstance(c.value, tuple) else {c.value}
            key = (c.var, c.attribute)
            wanted[key] = wanted.get(key, values) & values
    return any(not values for values in wanted.values())


def asks_of_one(found: Understood) -> str:
    """The type of the one thing of which a question asks an attribute; empty for any other question."""
    form = found.decision.form
    if found.plan is not None or form is None or not isinstance(form.head, f.AttributesOf):
        return ""
    ids = [c for c in form.conditions if c.attribute == "id"]
    one = len(ids) == 1 and isinstance(ids[0].value, tuple) and len(ids[0].value) == 1
    return form.node(form.head.var).type if one and not form.edges else ""
