"""Words of talk that are no condition of any question: they are left out where nothing else explains them.

The list is closed: a word that is not here may change what is asked, and a question with it is not answered.
Nothing here says how much, since when, of what kind, whether or not, or which one of several.
"""

from __future__ import annotations

from typing import Final

from cypher.general.english import words

FILLERS: Final = words(
    # courtesies
    "please kindly thanks thank hi hello hey dear anybody anyone everybody everyone somebody someone "
    "there here "
    # how a thing is known
    "published publish publishes publishing reported reports report reporting quoted quote quotes quoting "
    "given gives gave obtained obtain obtains got found finds stated states known available existing "
    "listed lists listing listings recorded records appear appears appeared appearing exist exists existed "
    "came come comes coming made make makes done did does do had has have having been "
    "am are be being was were "
    # manner and time that say nothing
    "actually really basically quite very pretty indeed also already "
    "ever anyway altogether overall then so "
    "again obviously certainly surely too "
    "kind kinds sort sorts thing things stuff matter respect regard regarding concerning"
)
"""Lower case."""
_GLUE: Final = words(
    "that which who whom whose what when where it this these those them their its any all some each such "
    "for of in on at by from to with as and or the a an is"
)

"""Words that count as talk only beside such."""


def is_filler(phrase: str) -> bool:
    """Whether a phrase that nothing explains is talk alone.

    >>> is_filler("also given"), is_filler("very"), is_filler("lattice"), is_filler("their")
    (True, True, False, False)
    """
    said = [w for w in (p.strip(".,;:!?()'\"").lower() for p in phrase.split()) if w]
    return any(w in FILLERS for w in said) and all(w in FILLERS | _GLUE for w in said)
