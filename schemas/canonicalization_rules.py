"""How records of a type become entities, as a graph schema says."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.model import Frozen

Synonyms = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=2)]
"""Names of one concept, the one to keep first; matched as whole words, plural and British spelling alike."""


class Canonicalization(Frozen):
    """How records of a type become entities."""

    similarity: bool = True
    """False: only identity keys and equal normalised names merge."""
    threshold: float = Field(0.86, ge=0, le=1)
    """Average-link similarity from which two groups are one."""
    least_threshold: float | None = Field(None, ge=0, le=1)
    """How far the threshold may fall where many pairs within documents, which are never one, show that
    hardly a wrong pair reaches it; None: it stays as it is. Of use where the threshold alone decides."""
    name_weight: float = Field(0.6, ge=0, le=1)
    """Weight of name TF-IDF against the embedding of the description."""
    identity: tuple[str, ...] = ()
    """Attributes that identify: equal values merge, two different values never do."""
    vetoes: tuple[Literal["charge", "numbers", "particles", "antonyms", "words", "case"], ...] = ()
    """Differences in the name that forbid a merge by similarity (``language.vetoes``); ``words``: one has all
    the words of the other and one more, that is neither a filler nor part of a generic name; ``case``: one
    word, a common noun in one name and a proper noun in the other ("march", "March")."""
    short_forms: bool = False
    """A name stands for longer ones that have all its words, and another word in common ("Avery", "Mary
    Avery"): for names of people, places, organisations and works. With the veto ``case`` the words have one
    case in both, and those of common nouns may stand in the plural ("seals", "grey seal")."""
    max_cluster: int = Field(50, ge=2)
    """Most names in a cluster that is put to a judge; no limit where the threshold alone decides."""
    synonyms: tuple[Synonyms, ...] = ()
    """Words that mean the same in names of this type, besides the schema's."""
    fillers: tuple[str, ...] = ()
    """Words that say nothing in names of this type ("method", "uncertainty")."""
    purposes: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Words after which a name of this type says what it was used for ("tag and probe *for* efficiencies"):
    that tells no two of them apart, unless what stands before is generic or nothing but fillers."""
    generic: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Names that identify no concept by themselves ("other", "background", "fit model"): one merges with a
    name of another document only where the descriptions agree. So do names of nothing but fillers."""

    @property
    def symbol_vetoes(self) -> tuple[str, ...]:
        """The vetoes that need two names alone (``language.vetoes``), without the type's fillers."""
        return tuple(rule for rule in self.vetoes if rule not in ("words", "case"))
