"""Verbs for the roles that relationships keep: "who led the run" of a part played as its leader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from cypher.semantics.irregular import IRREGULAR
from cypher.semantics.lexicon import SENSED, Lexicon
from cypher.semantics.text import identifier_words, stem
from cypher.semantics.values import StoredValue

_ROLES: Final = frozenset({"role", "duty", "position", "function", "job", "capacity", "responsibility"})
"""Words of properties of relationships that say as what somebody takes part."""
_LEADING: Final = frozenset(
    {"leader", "pi", "principal investigator", "head", "chief", "coordinator", "captain", "chair"}
)
"""Roles of whoever leads."""
_LEAD: Final = "lead"
_SHORTEST: Final = 4
_NAME: Final = r"(?-i:(?:the )?[A-Z][\w'’.-]*(?: (?:of |the |de |van |von |and )?[A-Z0-9][\w'’.-]*)*)"


class Roles:
    """The roles that the relationships of a graph keep, by the verbs for having them.

    >>> roles = Roles([StoredValue("TOOK_PART", "role", "leader", of_relation=True)], Lexicon())
    >>> roles.plainly("Who led the Long Run?")
    'Who was the leader of the Long Run?'
    >>> roles.plainly("Which runs led by Ann Lee were late?")
    'Which runs with Ann Lee as leader were late?'
    """

    def __init__(self, kinds: Iterable[StoredValue], lexicon: Lexicon) -> None:
        """``kinds`` are values of few; a verb that the schema has a relation for keeps its meaning."""
        held = sorted({v.text for v in kinds if v.of_relation and is_role(v.property)})
        self._roles: dict[str, str] = {}
        leaders = [text for text in held if text.lower() in _LEADING]
        for verb, role in [*((v, t) for t in held if (v := _verb(t))), *((_LEAD, t) for t in leaders[:1])]:
            if not _is_known(verb, lexicon):
                self._roles.setdefault(verb, role)
        if len(leaders) > 1 and not any(t.lower() == "leader" for t in leaders):
            self._roles.pop(_LEAD, None)
        self._forms = {form: role for verb, role in self._roles.items() for form in _forms(verb)}
        plain = "|".join(sorted(map(re.escape, held), key=len, reverse=True))
        self._is = _expression(
            rf"\b(is|was|are|were|been|being) ({plain}) (?:on|in|for|of) (?=[\w\"'“‘])", plain
        )
        said = "|".join(sorted(map(re.escape, self._forms), key=len, reverse=True))
        being = r"(?:(?:that|which) (?:is|are|was|were) )?"
        self._who = _expression(rf"^(who) (?:has |have |had )?({said}) (?!by\b)(.+)$", said)
        self._by = _expression(rf"\b(\w+) {being}({said}) by ({_NAME})", said)
        self._did = _expression(
            rf"^((?:which|what|how many) .+?) (?:did|does|do|has|have|had) ({_NAME}) ({said})\b", said
        )

    def plainly(self, question: str) -> str:
        """The question with nouns for roles in place of their verbs, or as it is."""
        question = self._is.sub(lambda m: f"{m[1]} the {m[2]} of ", question)
        question = self._who.sub(lambda m: f"{m[1]} was the {self._role(m[2])} of {m[3]}", question)
        question = self._by.sub(lambda m: f"{m[1]} with {m[3]} as {self._role(m[2])}", question)
        return self._did.sub(lambda m: f"{m[1]} had {m[2]} as {self._role(m[3])}", question)

    def _role(self, form: str) -> str:
        return self._forms[form.lower()]


def is_role(name: str) -> bool:
    """Whether a property of relationships says as what somebody takes part.

    >>> is_role("team_role"), is_role("fee")
    (True, False)
    """
    return bool(_ROLES & set(identifier_words(name)))


def _expression(text: str, said: str) -> re.Pattern[str]:
    return re.compile(text if said else r"(?!)", re.IGNORECASE)


def _verb(role: str) -> str:
    """The verb of which a role is the doer: "photograph" of "photographer"."""
    word = role.lower()
    if not word.isalpha() or not word.endswith(("er", "or")):
        return ""
    verb = word[:-2]
    return verb if len(verb) >= _SHORTEST else ""


def _is_known(verb: str, lexicon: Lexicon) -> bool:
    found = lexicon.phrases.get((stem(verb),), ())
    return any(t.kind == "relation" and t.weight >= SENSED for t in found)


def _forms(verb: str) -> set[str]:
    """Forms of a verb in a question, and what may be one."""
    irregular: Mapping[str, str] = IRREGULAR
    past = {form for form, base in irregular.items() if base == verb}
    silent = verb + "e"
    return (past or {f"{verb}ed", f"{silent}d", f"{verb}{verb[-1]}ed"}) | {verb, silent, f"{verb}s"}
