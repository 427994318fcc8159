"""Plainer wordings of a question, tried where its own words are not all understood.

Each rule replaces a whole turn of phrase by one of the same meaning: passives by actives, a second sentence
that names what is wanted by its noun, polite and bibliographic phrases by nothing. No rule drops a name, a
number, a negation or a comparison. A question that a rule changed is answered only if all that is left is
understood, and the answer says how it was read.
"""

from __future__ import annotations

import re

from cypher.normalise import quoted_spans

_THING = r"(papers?|publications?|articles?|experiments?|collaborations?)"
_LISTED = r"(?:PDG|Particle Data Group)"
_REPORT = r"(?:measure|determine|report|publish|give|quote|present|provide|obtain)"
_VALUE = r"(?:measurement|determination|value|result)"
_FIRST = r"(first|earliest|oldest|latest|newest|most recent|last|most precise|best)"
_BE = r"(?:was|were|is|are|has|have)"
_GIVEN = r"(?:published|reported|given|presented)"
_LIMIT = r"(?:going by|according to|judging by) the (?:most stringent|strongest|best) limit"
_RULES: tuple[tuple[str, str], ...] = (
    # What is wanted stands in a sentence of its own.
    (rf"^who (.+?)\? *(?:only|give me|just|list|name) (?:me )?(?:the )?{_THING},?(?: please)?[.?]?$",
     r"which \2 \1?"),
    (rf"^who (.+?)\? *(?:in )?(?:which|what) {_THING} (?:was|were|is) (?:it|they|that)\?$", r"which \2 \1?"),
    (r"\? *(?:list|show|name|give)(?: me)? (?:them|these|those)(?: all)?[.?]?$", "?"),
    (rf"^(.*\b{_FIRST}\b) {_VALUE} of (.+?)(?::| appeared| came| was published| is|"
     rf" was)(?: in)? (?:which|what) paper\??$",
     r"which paper is the \2 to measure \3?"),
    (r"^who (?=measured|determined|reported|published)", "which experiments "),
    # What the listings say.
    (rf"^(?:what|which) average (?:does|did) the {_LISTED} \w+ for (.+)$", r"what is the PDG average of \1"),
    (rf"^(?:what|which) (?:value|number) (?:does|did) the {_LISTED} \w+ for (.+)$",
     r"what is the PDG value of \1"),
    (rf"^how (?:large|big|long|heavy|wide|high|small) is (.+?),? (?:according to|in) the {_LISTED}\??$",
     r"what is the PDG value of \1?"),
    (rf"\b(?:value|number) (?:that is )?(?:recommended|quoted|adopted|given) by the"
     rf" {_LISTED} (?:for|of)\b",
     "PDG value of"),
    (r"\b(?:recommended|adopted) value (?:for|of)\b", "PDG value of"),
    (r"\bworld-average (?:value (?:of|for) )?(?:the )?", "world average of "),
    (r"^how small is (.+?) at most,? (?:going by|according to|judging by) the (?:most"
     r" stringent|strongest|best) limit\??$",
     r"strongest upper limit on \1?"),
    (r"\b(?:lowest|smallest) (?=(?:upper )?limits?\b)", "strongest "),
    (rf"\b(?:does|do) the {_LISTED} list\b", "are there"),
    (rf",? *\b(?:according to|listed by|listed in|in) the {_LISTED}(?: listings?| tables?)?\b", ""),
    (r"\b(?:are|is|were|was) (?:listed|quoted|tabulated|recorded) for\b", "of"),
    (r"\b(are|is|were|was) (?:listed|quoted|tabulated|recorded|given)\b", r"\1"),
    (r", counting each listed value\b", ""),
    (r"\bon (how many|which|what) papers (?:does|do) (.+?)(?: listings?)? rest\b", r"\1 papers determine \2"),
    (r"\b(best|most precise) single\b", r"\1"),
    (rf"\bsingle (?={_VALUE}s?\b)", ""),
    (r"(\b(?:best|most precise)\b.*?) \(smallest (?:total )?(?:error|uncertainty)\)", r"\1"),
    # By year.
    (r"^break down (?:all )?(?:the )?(.+?) by (.+)$", r"number of \1 by \2"),
    (r"\byearly number of (.+?)([.?]?)$", r"number of \1 by year\2"),
    (r"(?: (?:were|was|are|is))?(?: published| reported| made)? (?:in|for|per) (?:each|every) year\b",
     " by year"),
    (r"\bdated (?=(?:19|20)\d\d\b)", "of "),
    (r"\bin (which|what) year did (.+?) (?:appear|come out)\b", r"in \1 year was \2 published"),
    # Passives and other verbs of reporting.
    (rf"^by (which|what) (\w+) {_BE} (.+?) (?:been )?(replaced|superseded|measured|determined|reported)\??$",
     r"\1 \2 \4 \3?"),
    (rf"^in (which|what) (\w+) {_BE} (.+?) (?:been )?(?:measured|determined|reported)\??$",
     r"\1 \2 measured \3?"),
    (rf"^with (which|what) (.+?) {_BE} (.+?) (?:been )?measured\??$", r"\1 \2 are used to measure \3?"),
    (r"\b(replaced|superseded) by (?:a )?(?:later|newer)"
     r" (?:ones?|papers?|results?|values?|measurements?)\b",
     r"\1"),
    (r"\b(?:has|have) since been (?=replaced|superseded)", "was "),
    (r"\b(?:determined|reported) in (?!(?:19|20)\d\d)", "measured in "),
    (rf"\b{_FIRST} (?:one )?to {_REPORT}\b", r"\1 measures"),
    (rf"\b(?:has|have|had) {_GIVEN} (?:an?|any|the) {_VALUE}s? (?:for|of)\b", "measured"),
    (rf"^(has|have) (.+?) {_GIVEN} (?:an?|any|the) {_VALUE}s? (?:for|of) (.+)$", r"\1 \2 measured \3"),
    (rf"\bcontribut(?:ed|es?) to (?:the |a )?{_VALUE}s? of\b", "measured"),
    (rf"\b(which|that|{_THING}) (?:gives?|gave|quotes?|quoted|provides?|provided|presents?|presented)\b",
     r"\1 reports"),
    (rf"\b{_VALUE}s? (?:gave|gives?|yields?|yielded) an? (?=.+ (?:than|above|below|over|under)\b)",
     "values of the "),
    (r"\b(?:obtain|get|quote|find)\?", "?"),
    (r"\b(?:were|was|are|is) (?:given|quoted|obtained) (?=at|with)", ""),
    (r"\b(?:come|comes|came) (?:from|with) (?=technique)", "with "),
    (r"\bamong (?:its|their|the) (?:decay )?(products|children)\b", r"as \1"),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in _RULES)


def plainer(text: str) -> str:
    """The question in plainer words; the same text where no rule applies or a name is quoted.

    >>> plainer("By which paper was BRANDT 2011 replaced?")
    'which paper replaced BRANDT 2011?'
    >>> plainer("Which papers determine phi_s?")
    'Which papers determine phi_s?'
    """
    if quoted_spans(text):
        return text
    for pattern, plain in _COMPILED:
        text = pattern.sub(plain, text)
    return " ".join(text.split())
