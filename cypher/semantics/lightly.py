"""Words that say nothing of what is asked: a question is read again without those that nothing explains."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.all_of import says_share
from cypher.semantics.ir import Query
from cypher.semantics.mentions import Linked
from cypher.semantics.predicates import unheard_predicates
from schemas.store_schema import StoreSchema

LIGHT: Final = frozenset(
    word
    for line in (
        # asking
        "identify provide retrieve extract pull fetch grab compile present display return report",
        "state specify indicate determine verify confirm quote read enumerate itemize itemise",
        "summarize summarise mention say see look looking curious wonder wondering interested want",
        "wanted need needed wish like love help check know learn find figure search show tell give",
        "get print output query please pls plz kindly thanks thx hi hey hello ok okay well um so",
        "now i'm i'd i've we've we're let's am remind inform advise suggest would could should",
        "might may can must shall able possible possibly maybe perhaps trying try",
        # where things are told
        "record records recorded entry entries row rows result results answer answers info",
        "information detail details data database dataset system file files table breakdown",
        "overview summary collection listing listed list catalogue catalog registered noted",
        "documented stored indexed kept stated",
        # being somewhere
        "located situated based found placed existing exist exists available included contained",
        "appear appears appearing appeared comes come coming goes going lies lie stands sits",
        "happens there here",
        # stress
        "strictly specifically particular particularly certain given respective respectively",
        "individual separate different distinct various whole entire complete full actual",
        "real simply basically actually really currently presently today nowadays overall",
        "altogether together already ever yet still just quite very precisely merely also too",
        "though however anyway namely",
        # pointing
        "thing things stuff ones one's that's who's what's which's there's here's everything",
        "anything something someone somebody everybody everyone anyone anybody",
        "name names named titled called entitled",
        # tying
        "regarding concerning about respect terms according basis whatsoever whatever as",
    )
    for word in line.split()
)
"""None of them compares, denies, counts, ranks or says of whom."""


_DATED: Final = re.compile(
    r"\b([a-z]+) (?:in|during|since|before|after|until|on) (?:[a-z]+ )?(?:\d{1,2} )?(?:[a-z]+ )?[12]\d{3}\b",
    re.IGNORECASE,
)
"""What a day is said of, "recorded in 1990": that is no day on which anything else was done."""


def lightened(linked: Linked, schema: StoreSchema, query: Query | None = None) -> str | None:
    """The question without unexplained words that say nothing; ``None`` where there are none."""
    heavy = {w.lower() for w in unheard_predicates(linked, schema, query)}
    heavy |= {found[1].lower() for found in _DATED.finditer(linked.text)}
    left = {w.lower() for w in linked.unexplained} & LIGHT - heavy
    if not left or says_share(linked):
        return None
    text, at = "", 0
    for word in (w for w in linked.words if w.lower in left):
        text += linked.text[at : word.start]
        at = word.end
    text = re.sub(r" (?=[?.,;:])", "", " ".join((text + linked.text[at:]).split()))
    return text or None
