"""Who replaced whose values, told by the verb: "P replaced", "replaced by P", "which papers replaced".

A replaced value holds the short name of the paper that replaced it, so the replacing paper is a condition on
the value or what is asked for; it is never the paper that made the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from cypher.link import EntityWord, Linked, Option, Span
from cypher.normalise import tokenise
from cypher.schema_graph import SUPERSEDED, attribute, valued_relation
from cypher.schema_words import AttributeWord, ReplacerWord, StatementWord, TypeWord
from cypher.words import ARTICLES, Cue
from schemas.graph_schema import GraphSchema

_PREPOSITIONS: Final = frozenset({"of", "from", "in", "on", "by", "at", "for", "since", "after", "before"})
_HAVE: Final = frozenset({"has", "have", "had"})
_BE: Final = frozenset({"is", "are", "was", "were", "been"})
_ASKING: Final = frozenset({"what", "who"})


@dataclass(frozen=True, slots=True)
class _Verb:
    """The verb of a question at ``spans[at]``, with the words around it and the type of what replaces."""

    spans: Sequence[Span]
    at: int
    words: tuple[str, ...]
    kind: str

    @property
    def span(self) -> Span:
        return self.spans[self.at]

    @property
    def before(self) -> str:
        """The word in front, articles included."""
        return self.words[self.span.start - 1] if self.span.start else ""

    @property
    def behind(self) -> str:
        return self.words[self.span.end] if self.span.end < len(self.words) else ""

    @property
    def participle(self) -> bool:
        """Whether the form may be a passive: "replaced"."""
        return self.words[self.span.start].endswith("ed")

    def is_paper(self, at: int) -> bool:
        return self._any(at, EntityWord)

    def is_type(self, at: int) -> bool:
        return self._any(at, TypeWord)

    def _any(self, at: int, form: type[EntityWord] | type[TypeWord]) -> bool:
        if not 0 <= at < len(self.spans):
            return False
        found = [o for o in self.spans[at].options if isinstance(o, form)]
        return any((o.type if isinstance(o, TypeWord) else o.matches[0].type) == self.kind for o in found)


def with_replacers(linked: Linked, text: str, schema: GraphSchema) -> Linked | None:
    """The spans with the replacing paper marked as such; ``None`` where no paper is said to replace."""
    verb = _verb(linked, text, schema)
    if verb is None:
        return None
    agent = verb.words[verb.span.end - 1] == "by" or verb.behind == "by"
    spans = _passive(verb) if agent else _active(verb)
    return replace(linked, spans=spans) if spans else None


def _verb(linked: Linked, text: str, schema: GraphSchema) -> _Verb | None:
    valued = valued_relation(schema)
    if valued is None or attribute(valued, SUPERSEDED) is None or schema.document_type not in valued.subjects:
        return None
    marked = [i for i, s in enumerate(linked.spans) if any(_is_verb(o) for o in s.options)]
    if len(marked) != 1:
        return None
    words = tuple(t.text.lower() for t in tokenise(text))
    return _Verb(linked.spans, marked[0], words, schema.document_type)


def _is_verb(option: Option) -> bool:
    return isinstance(option, AttributeWord) and option.attribute == SUPERSEDED


def _passive(verb: _Verb) -> tuple[Span, ...]:
    """ "replaced by P", "replaced by which paper"."""
    agent = verb.at + 1
    if agent < len(verb.spans) and Cue.BY in verb.spans[agent].options:
        agent += 1
    if verb.is_paper(agent):
        return _named(verb, agent)
    return _asked(verb, agent) if verb.is_type(agent) else ()


def _active(verb: _Verb) -> tuple[Span, ...]:
    """ "did P replace", "P replaced", "which papers replaced", "what replaced"."""
    subject = verb.at - 1
    follows = subject >= 0 and verb.spans[subject].end == verb.span.start
    if verb.is_paper(subject) and (follows or not verb.participle):
        state = verb.participle and verb.spans[subject].before in _PREPOSITIONS | _BE
        return () if state else _named(verb, subject)
    has = verb.before in _HAVE and any(verb.is_paper(i) for i in range(verb.at + 1, len(verb.spans)))
    if verb.at + 1 >= len(verb.spans) or verb.behind in _PREPOSITIONS or not (follows or has or subject < 0):
        return ()
    if verb.is_type(subject):
        return _asked(verb, subject)
    entity = any(isinstance(o, EntityWord) for o in verb.spans[verb.at + 1].options)
    if not (entity or verb.behind in ARTICLES):
        return ()
    if verb.before in _ASKING:
        return _asked(verb, verb.at)
    statement = subject >= 0 and any(isinstance(o, StatementWord) for o in verb.spans[subject].options)
    return _asked(verb, subject) if statement else ()


def _named(verb: _Verb, at: int) -> tuple[Span, ...]:
    """The spans without the verb, where the paper at ``at`` replaces."""
    option = next(o for o in verb.spans[at].options if isinstance(o, EntityWord))
    ids = tuple(sorted(m.id for m in option.matches if m.type == verb.kind))
    said = replace(verb.spans[at], options=(ReplacerWord(ids, verb.spans[at].text),))
    before = verb.spans[at - 1].end - 1 if at else 0
    introduced = verb.is_type(at - 1) and before + 1 == said.start and not verb.words[before].endswith("s")
    return _rest(verb, {at: said}, at - 1 if introduced else -1)


def _asked(verb: _Verb, at: int) -> tuple[Span, ...]:
    """The spans with the verb and what replaces as one, which is asked for."""
    return _rest(verb, {at: replace(verb.spans[at], options=(ReplacerWord(),))})


def _rest(verb: _Verb, changed: dict[int, Span], introducing: int = -1) -> tuple[Span, ...]:
    by = {i for i in (verb.at + 1,) if i < len(verb.spans) and Cue.BY in verb.spans[i].options}
    gone = ({verb.at, introducing} | by) - changed.keys()
    return tuple(changed.get(i, s) for i, s in enumerate(verb.spans) if i not in gone)
