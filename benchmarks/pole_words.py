"""Words for the crime graph, and those that ZOGRASCOPE has for some of its relationships."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import yaml

from cypher.semantics.lexicon import Verbalisation

WORDS: Final = Path(__file__).parent / "words" / "pole.yaml"
SET_WORDS: Final = WORDS.with_name("zograscope.yaml")


def spoken() -> Verbalisation:
    """Words for the graph, written by hand from the set's schema file alone."""
    return Verbalisation.model_validate(yaml.safe_load(WORDS.read_text(encoding="utf-8")))


def set_words() -> Verbalisation:
    """The same with the set's own words for the ends of a call, which are not those of everyday English."""
    words, theirs = spoken(), Verbalisation.model_validate(yaml.safe_load(SET_WORDS.read_text("utf-8")))
    relations = {
        name: words.relations[name].model_copy(update={"forward": said.forward})
        for name, said in theirs.relations.items()
    }
    return words.model_copy(update={"relations": {**words.relations, **relations}})
