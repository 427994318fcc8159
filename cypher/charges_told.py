"""What is said of a particle whose symbol might stand for others, too: other charges, antiparticles."""

from __future__ import annotations

from collections.abc import Iterator

from cypher.link import Linked
from cypher.schema_words import ValueWord
from schemas.questions import Parameter


def others_told(linked: Linked, used: frozenset[tuple[str, Parameter]]) -> tuple[str, ...]:
    """Sentences on the values (with their attributes) that an answer is about."""
    return tuple(dict.fromkeys(_told(linked, used)))


def _told(linked: Linked, used: frozenset[tuple[str, Parameter]]) -> Iterator[str]:
    for span in linked.spans:
        for word in (o for o in span.options if isinstance(o, ValueWord)):
            if word.beside and (word.attribute, word.value) in used:
                others = ", ".join(f"'{b}'" for b in word.beside)
                were = "were" if len(word.beside) > 1 else "was"
                own = " and ".join(f"'{v}'" for v in word.among or (word.value,))
                yield f"'{span.text}' stands for {own} alone; {others} {were} not looked for."
