"""People called by what their number is a number of: members, of keepers with a ``member_no``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cypher.semantics.text import identifier_words, stem
from schemas.store_schema import StoreSchema

_CALLED: Final = frozenset(
    {
        *("member", "employee", "customer", "client", "student", "patient", "user", "worker", "player"),
        *("guest", "pupil", "subscriber", "participant", "volunteer", "driver", "passenger", "reader"),
    }
)
_NUMBERS: Final = ("no", "nr", "number", "id", "code")
_NOUN_AND_NUMBER: Final = 2


def called_by_number(schema: StoreSchema) -> Mapping[str, str]:
    """Such nouns with the label that they mean; none that a label, type or another property says.

    >>> from schemas.store_schema import PropertyType, StoreLabel, StoreProperty
    >>> number = StoreProperty(name="member_no", type=PropertyType.INTEGER)
    >>> dict(called_by_number(StoreSchema(labels=(StoreLabel(name="Keeper", properties=(number,)),))))
    {'member': 'keeper'}
    """
    names = [x.name for x in schema.labels] + [r.type for r in schema.relations]
    said = {stem(w) for name in names for w in identifier_words(name)}
    found: dict[str, set[str]] = {}
    for label in schema.labels:
        for p in label.properties:
            words = identifier_words(p.name)
            if len(words) > 1 and words[0] in _CALLED and stem(words[0]) not in said:
                telling = words[-1] in _NUMBERS and len(words) == _NOUN_AND_NUMBER
                name = " ".join(identifier_words(label.name)) if telling else ""
                found.setdefault(words[0], set()).add(name)
    return {w: labels.pop() for w, labels in found.items() if len(labels) == 1 and "" not in labels}


def by_label(question: str, called: Mapping[str, str]) -> str:
    """The question with the label's word for such a noun, but where its number is meant.

    >>> by_label("Which members have member no 12?", {"member": "keeper"})
    'Which keepers have member no 12?'
    """
    for noun, label in called.items():
        said = rf"\b{noun}(?P<s>s?)\b(?! (?:{'|'.join(_NUMBERS)})\b)"
        question = re.sub(said, rf"{label}\g<s>", question, flags=re.IGNORECASE)
    return question
