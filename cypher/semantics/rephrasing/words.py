"""Phrases for which the grammar knows plainer ones: "no stranger to" is "known to"."""

from __future__ import annotations

import re
from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_PAST: Final = {"make": "made", "send": "sent", "give": "gave", "take": "took", "build": "built"}


def _done(found: re.Match[str]) -> str:
    """ "Used to place" as "placed"."""
    verb = found[1].lower()
    return _PAST.get(verb, f"{verb.removesuffix('e')}ed") + found[2]


RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"\b((?:another|an?|some|any) \w+), ((?:of|with|in|at) [^,]+?) and "
        r"(\w+(?:ed|own|eld|ade|ught) [^,]+),(?= \w)",
        r"\1 \2 \3",
    ),
    rule(
        r"^how (?:big|large|high|great|long|old|heavy|tall) (is|was|are|were) "
        r"(the (?:population|number|total|budget|salary|fee|price|cost|capacity|area|length|height|weight"
        r"|age)s? of )",
        r"what \1 \2",
    ),
    rule(r"(?<=\w) (?:too|as well)(?=\s*[?.]*$)", ""),
    rule(r"^(whose \w+), (with [^,]+), ", r"\1 \2 "),
    rule(
        r"(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)(?<!\bhas)(?<!\bhave)(?<!\band)(?<!\bwho)(?<!\bthat)"
        r" also (?=(?:known|held|\w+ed) (?:to|by|with|in|at)\b)",
        " ",
    ),
    rule(
        r"\b(other )(\w+?)(s )((?:(?! other ).)+ as the )one "
        r"(?=(?:described|named|called|listed|with|whose|that|in)\b)",
        r"\1\2\3\4\2 ",
    ),
    rule(
        r"\b(?:is|are|was|were|been) used to (make|place|send|call|dial|phone|ring|build|produce)( )", _done
    ),
    rule(
        r"\bused (?:their|his|her|its|an?) (?:own )?\w+ to (make|place|send|call|dial|phone|ring)( )", _done
    ),
    rule(r"\b(?:is|are|was|were) (?:on|at) the receiving end of\b", "received"),
    rule(r"\b(?:is|are|was|were) (?:on|at) the (?:calling|sending) end of\b", "made"),
    rule(r"\b(?:on|at) the receiving end of\b", "that received"),
    rule(r"\b(?:on|at) the (?:calling|sending) end of\b", "that made"),
    rule(r"\b(?:whose|with the) full name (?:is |was |of )?", "named "),
    rule(r"(?<!the )\b(beginning|starting|ending) (?=['\"][^'\"]{1,20}['\"])", r"\1 with "),
    rule(
        r"\b(?:the )?(?:most|furthest|farthest) (?:to|towards?) the (north|south|east|west)\b", r"furthest \1"
    ),
    rule(r", (?:in particular|in fact|of course|as it happens|among others|specifically),(?= )", ""),
    rule(r"(?<!criminal )\b(?:acts?|instances?) of (?!the\b|an?\b|type\b|kind\b)(?=[a-z])", ""),
    rule(r"\band also (?=(?:with|to|by|from|in|at|of|on|who|that|which)\b)", "and "),
    rule(r"\b(?:counts?|counted|qualif(?:y|ies|ied)) as (?!well)", "is listed as "),
    rule(r"\branks? as (?=[a-z])", "has the rank of "),
    rule(
        r"\b(is|are|was|were) (?:no one(?: else)?|nobody(?: else)?)'s ([\w ]*?\w)(?= and\b| or\b|,|\?|$)",
        r"\1 not the \2 of anybody",
    ),
    rule(r"(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)(?: that (?:is|are))? on (?:file|record) for\b", " of"),
    rule(r"\bor else\b", "or"),
    rule(r"\b(?:go|goes|going|went) (?=from (?:the )?(?-i:[A-Z])[\w' -]+ to )", "are "),
    rule(r"\b(?:lie|lay|sit|stand)s? outside(?: of)? (?=(?:the )?(?-i:[A-Z]))", "are not in "),
    rule(r"\b(?:live|reside) outside(?: of)? (?=(?:the )?(?-i:[A-Z]))", "do not live in "),
    rule(r"\b(?:live|reside)s outside(?: of)? (?=(?:the )?(?-i:[A-Z]))", "does not live in "),
    rule(r"\boutside(?: of)? (?=(?:the )?(?-i:[A-Z]))", "not in "),
    rule(r"(?<=(?:in|of|at|on) )(['\"])([a-z]+ \d+)\1", r"\2"),
    rule(r"\bpublicly (?:traded|listed|quoted|held)\b", "public"),
    rule(
        r"^(?!which|what|who|how|is\b|are\b)([\w ,'-]+?) (?:(?:is|are) (?:needed|wanted|required) (?:of|for)"
        r"|(?:needed|required) of) ",
        r"\1 of ",
    ),
    rule(r"\btimes? of (?:the )?day\b", "time"),
    rule(r",? ((?:[\w'-]+ ){1,3})(?:excepted|excluded|left out|aside)(?:,|(?=\s*[.?]*$))", r" except \1"),
    rule(r"(?<=[a-z]s) (?:still|currently) (?=under\b|[\"'])", " "),
    rule(r"\b(is|are|was|were|has|have|had) either (?=(?:\w+ed|made|built|from|in|on|at|by) .* or )", r"\1 "),
    rule(r"\beither (?=(?:is|are|was|were|has|have|had|lives?) .* or )", ""),
    rule(r"\b(?:his or her|her or his|his/her)\b", "their"),
    rule(r"(?<!['\"] )\bin the name of ", "belonging to "),
    rule(r"\ba (?:man or (?:a )?woman|woman or (?:a )?man)\b", "a person"),
    rule(r"\b(?:men (?:and|or) women|women (?:and|or) men)\b", "people"),
    rule(r"(?<= )(?:that reads |which reads |reading )(?=['\"]?[^\s?]*[\d@])", ""),
    rule(
        r"\bin whose name (.+?) (?:is|are|was|were) (?:registered|listed|held|kept|recorded)\b", r"who has \1"
    ),
    rule(r"\bno strangers? to\b", "known to"),
    rule(r"\bfriended\b", "befriended"),
    rule(r"\b(?:a )?brothers? ?(?:or|/) ?(?:a )?sisters? (to|of)\b", "a sibling of"),
    rule(r"\bbrother ?(?:or|/) ?sister\b", "sibling"),
    rule(r"\bbrothers ?(?:or|and|/) ?sisters\b", "siblings"),
    rule(
        r"\b(know(?:s|n|ing)?) (?:(?:under|on|at|by|through) )?(?:which|what) "
        r"((?:[\w-]+ )?(?:number|address)) to (?:reach|call|ring|dial|phone|contact|write to|use)(?: for)? ",
        r"\1 the \2 of ",
    ),
)
"""Tried in order, each once."""
