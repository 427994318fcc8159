"""Rules of English for what stands behind a question and asks for nothing new, and for plain speech.

Rows of the service show the paper, its year, title and experiment, the value with its errors and limits. So
"and its value" and "which paper and what did they get?" need no other answer. As in
:mod:`cypher.paraphrase_rules`.
"""

from __future__ import annotations

from typing import Final

from cypher.paraphrase_rules import Rule

_HOW_SAID = r"(?:(?:quoted|measured|central|published|respective) )?"
_SHOWN = (
    r"(?:titles?|names?|values?|results?|confidence levels?|errors?|uncertaint(?:y|ies)|years?"
    r"|experiments?|papers?|units?|references?)"
)
_THEIRS = rf"(?:(?:its|their|the) )?{_HOW_SAID}"
_PAIR_OF = r"(?:titles?|values?|results?|confidence levels?|errors?|years?|experiments?|papers?|units?)"
_AND_SHOWN = rf"{_THEIRS}{_SHOWN}(?:(?:,| and|, and) {_THEIRS}{_PAIR_OF})*"
_LISTED = r"(?:values?|measurements?|limits?|results?|determinations?|entries|numbers)"
_GET = r"(?:gets?|got|finds?|found|obtain(?:ed)?|measured?|report(?:ed)?|give|gave|say|said)"

WITH_DETAILS: Final[tuple[Rule, ...]] = (
    (
        r"^(?!.*\b(?:how many\b|i\.e\.))(?!(?:which|what) (?:papers|publications|experiments|collaborations"
        r"|observables|quantities)\b)"
        rf"(.*\b{_LISTED}\b.*?),? (?:together |along )?with {_AND_SHOWN}(?:,?"
        rf" please)?(?=[?.]?$)",
        r"\1",
    ),
    (r"^(what|who|how|where|when)s\b", r"\1 is"),
    (r"\b(quark|boson|meson|lepton|baryon)['’]s (?=[a-z])", r"\1 "),
    (r"\bsin\^2(?=theta)", "sin^2 "),
    (
        r"^(?:is|are) there (?:an? |any )?(upper|lower) (limits?|bounds?) (?:on|for) (.+?),? and (?:if"
        r" so,? )?"
        r"(?:what|how (?:low|high|large|tight|strong)) (?:is it|are they)\??$",
        r"what is the tightest \1 limit on \3?",
    ),
    (r"\b(?-i:x)\((?=\d{4}\))", "X("),
    (r"\b(?-i:higgs)\b", "Higgs"),
    (r"(?<![\w(])(?-i:(B|D)(s|c))(?=[*+0-]?(?:[\s?.,;:]|$))", r"\1_\2"),
    (r"\b(upper|lower) bound(s?)\b", r"\1 limit\2"),
    (
        r"^who (?:has |have )?(?:ever )?(measured|determined|published|reported|observed)\b"
        r"(?!.*\b(?:collaborations?|experiments?|groups?|teams?)\b)",
        r"which papers \1",
    ),
    (r" \((?:in )?(eV|keV|MeV|GeV|TeV|s|ps|fs)\)(?=[?.]?$)", r" in \1"),
    (r",? (?:over|through|across) (?:the years|time)(?:,? with (?:the )?papers?)?(?=[?.]?$)", ""),
    (
        r"^(?:by |in )?how (?:heavy|massive) (?:is|are) (?:an? |the )?(.+?) and how (?:big|wide|large"
        r"|broad) is its width\??$",
        r"what are the mass and the width of the \1?",
    ),
    (
        r"^what (?:has|have|did) (?:the )?((?-i:[A-Z][\w-]*)) (?:published?|measured?|reported?|found"
        r"|find) (?:for|on|about)"
        r" (.+?)\? (?:values?|numbers?|results?)(?: and papers?)?[?.]?$",
        r"values of \2 from \1",
    ),
)
"""Applied before a question is read."""

TAILS: Final[tuple[Rule, ...]] = (
    (r"\bPDG(?:'s)? (?:upper |lower )?(?:limit|bound) (?:on|for|of)\b", "recommended value of"),
    (r"^for (?:checking|reference|the record|comparison|completeness)[:,] ", ""),
    (
        r",? and (?:which|what) (?:paper|experiment|collaboration)s? (?:set|gave|gives|has|found|made"
        r"|published"
        r"|reported|measured) (?:it|them)(?=[?.]?$)",
        "",
    ),
    (
        r"^(?!.*\b(?:superseded|replaced)\b)(.*?),? and (?:in|by) (?:which|what)"
        r" (?:papers?|experiments?|collaborations?)(?=[?.]?$)",
        r"\1",
    ),
    (
        r"\b(papers?|publications?|experiments?|collaborations?|who) (?:that |which )?constrain(?:s|ed)?\b",
        r"\1 measured",
    ),
    (r",? with the numbers? of \w+ (?:for|of) each(?=[?.]?$)", ""),
    (r" attached to (?:them|it)(?: at all)?(?=[?.]?$)", ""),
    (r"(?<=\w) at all(?=[?.]?$)", ""),
    (r"\bdating (?=from|back|before)", ""),
    (r"\bfrom (before|after) (?=\d{4})", r"\1 "),
    (r"\bcarry an? (?:systematic )?(?:uncertainty|error) from (?:the )?(?:external )?", "are affected by "),
    (r"\b(?:lepton[- ]flavou?r[- ](?:number[- ])?violating|LFV|rare|radiative|leptonic) (?=\S+ ->)", ""),
    (
        r"\bthe ((?-i:[A-Z][\w-]*)) (?:dark[- ]matter|neutrino|axion|collider|WIMP) experiment\b",
        r"the \1 experiment",
    ),
    (r"\bat least one (?!of|or|hundred|thousand|million)", "a "),
    (
        r"\bhave (?:any )?results? on (.+?) but (?:none|nothing|no results?) on (.+?)(?=[?.]?$)",
        r"measured \1 but not \2",
    ),
    (
        r"\b(?:have|with|having) an? (?:result|value|measurement) that (?:hasn't|has not|was not|wasn't"
        r"|is not|isn't)"
        r" (?:yet )?(?:been )?(superseded|replaced)\b",
        r"with a value that is not \1",
    ),
    (r"^is (?:the )?(.+?) (negative|positive)\??$", r"is the \1 \2 than 0?"),
    (r"^(is .+ )negative than 0\?$", r"\1smaller than 0?"),
    (r"^(is .+ )positive than 0\?$", r"\1larger than 0?"),
    (
        r"^(?:what|which) (values|results|limits) of (.+?) (?:have been|were|are) (?:measured|reported"
        r"|published)\b",
        r"\1 of \2",
    ),
    (r"\brecommended (?:upper |lower )?(?:limits?|bounds?) (?:on|for|of)\b", "recommended value of"),
    (
        r"\b(?:does|do|has|have) (?:an? |the )?(.+?) have (?:any |a )?(mass|width|charge|lifetime)\?"
        r" what(?:'s| is) the"
        r" (?:upper |lower )?(?:limit|value)(?: that(?:'s| is) recommended)?\??$",
        r"what is the recommended value of the \1 \2?",
    ),
    (
        rf"(?: -|,|:) (?:the )?(?:measured )?{_LISTED} and (?:the |their )?papers?(?: (?:they|it)"
        rf" comes? from)?(?=[?.]?$)",
        " measurements",
    ),
    (r",? which ones (?:are|do you have|have you)(?: \w+)?(?=[?.]?$)", ""),
    (r"\b(?:looked at|investigated|examined) by (?=both|the|(?-i:[A-Z]))", "measured by "),
    (r"\b(?:that|which) (?:go|are|reach|extend) (?:beyond|over) (?=\d)", "above "),
    (
        r"^for (.+?), how many (papers|publications|measurements|results) (?:did|does|do|has|have) each (\w+)"
        r" (?:contributed?|publish(?:ed)?|have|give|given|provided?|made|make|report(?:ed)?)\??$",
        r"number of \2 on \1 by \3",
    ),
    (r"\b(?:are|were|is|was) (?:marked|flagged|listed|tagged) (?:as )?(superseded|replaced)\b", r"were \1"),
    (r"^(how many .+?) (?:are|is) (?:listed|on record|known|available)(?=\??$)", r"\1 are there"),
    (r"^BR (?:of )?(?=\S+ ->)", "branching fraction of "),
    (r"^([^:]+): (?:all )?(?:the )?((?:\d+% CL )?(?:upper |lower )?limits)(?=[?.]?$)", r"\2 on \1"),
    (r"\? (?:and )?(?:in |by )?which (?:paper|experiment)s?\??$", "?"),
    (r"^how (?:heavy|massive) (?:is|are) (?:an? |the )?(.+?)(,? in \w+)?\??$", r"what is the \1 mass\2?"),
    (r"^how (?:wide|broad) (?:is|are) (?:an? |the )?(.+?)(,? in \w+)?\??$", r"what is the \1 width\2?"),
    (
        r"^(.+?),? how (?:much|big|large|high|heavy|long) is (?:it|that)\??$",
        r"what is the \1?",
    ),
    (r"\b(from|since) (\d{4}) or (?:later|newer)\b", r"since \2"),
    (r"\b(from|until|before) (\d{4}) or (?:earlier|older)\b", r"until \2"),
    (r"^((?!.*\bpapers?\b).+?), papers? (?=(?:from|since|before|after|until|in|by) )", r"papers on \1 "),
    (r"\b(?:total|full) (?=(?:decay )?width)", ""),
    (r"\bd(?:elta ?)?m_?(21|31|32)(?: squared|\^2)?(?=[\s?.,]|$)", r"Deltam(\1)^2"),
    (
        r"^(?:what|which(?: one)?|who) lives? (longer|shorter),? (?:an? |the )?(.+?) or (?:an? |the"
        r" )?(.+?)\??$",
        r"which has the \1 mean life, \2 or \3?",
    ),
    (
        r"^is the (?:recommended|PDG)(?: value of)?(?: the)? (.+?) an? (?:fit|average|estimate|evaluation)"
        r"(?:,? (?:or )?an? (?:fit|average|estimate|evaluation|limit))+\??$",
        r"what is the recommended value of the \1?",
    ),
    (rf"[,?]? (?:- )?and (?:what(?:'s| is| are| was| were) )?(?:its|their) {_SHOWN}(?=[?.]?$)", ""),
    (
        r",? and the (?:paper|publication|experiment) (?:it|that)(?:'s| is| was| comes| came)? (?:from|in|by)"
        r"(?=[?.]?$)",
        "",
    ),
    (
        rf"[,?]?(?: -)? (?:and )?(?:(?:which|what) (?:paper|experiment)(?: is (?:it|that))?,? and )?what"
        rf" (?:value |result )?(?:did|do|does) (?:they|it|the authors) {_GET}(?=[?.]?$)",
        "",
    ),
    (r",? and what (?:is|was) it(?: called)?(?=[?.]?$)", ""),
    (r"^(?=.*\bthe most\b)(.*?),? and how many(?: (?:are there|is that|does it have))?(?=[?.]?$)", r"\1"),
    (r",? (?:next to (?:each other|one another)|side by side)(?=[?.,]|$| please)", ""),
    (r"\?? which ones\??$", "?"),
    (
        rf",? (?:excluding|without|leaving out|except|ignoring) (?:the |all |any )?(superseded|replaced)"
        rf" (?:ones|{_LISTED})",
        r" that are not \1",
    ),
    (
        r",? (?:(?:sorted|ordered|in order) (?:of|by) (?:the )?(?:publication )?(?:years?|dates?)"
        r"|chronologically|in chronological order)(?=[?.]?$)",
        "",
    ),
    (r",? newest first(?=[?.]?$)", ""),
    (rf"^(.+?), all (?:the )?({_LISTED})[.?]?$", r"\2 of \1"),
    (rf"^(?:the )?history of (?:the )?(.*\b{_LISTED})(?: by year| over time| over the years)?[.?]?$", r"\1"),
    (
        rf"^(?:the )?history of (?:the )?(?!.*\b{_LISTED}\b)(.+?)(?: by year| over time| over the"
        rf" years)?[.?]?$",
        r"values of \1",
    ),
    (
        r"\b(?:best|strongest|tightest|strictest|lowest|current) ((?-i:[A-Z][\w-]*)) (upper |lower )?"
        r"(limit|bound) (?:on|for) (?:the )?(.+?)(?=[?.]?$)",
        r"tightest \2\3 on \4 from \1",
    ),
    (r"\b(?:current|present|today's)(?: best)? (upper |lower )?(?=limit|bound)", r"tightest \1"),
    (r"\ba pair of (\w+?)s\b", r"\1 pair"),
    (
        r"^how often (?:does|do|will) (?:an? |the )?(.+?) decays? (?:in)?to (.+?)\??$",
        r"what is the branching fraction of the \1 decaying to \2?",
    ),
    (
        r"^how long (?:does|do) (?:an? |the )?(?:free |typical |average )*(.+?) live"
        r"(?: (?:before|on average|until|for)\b[^?]*)?\??$",
        r"what is the \1 mean life?",
    ),
    (
        r"^what (?:can|could|does|do|may) (?:an? |the )?(.+?) decay (?:in)?to\?"
        r"(?: (?:list|show|give|i(?: would|'d) like|i want|i need)\b[^?]*)?$",
        r"decays of the \1",
    ),
    (r"\b(?:have |has )?weighed (?:the )?(.+?)(?=[?.]?$)", r"measured the \1 mass"),
    (
        r"^(what (?:did|does) .+? (?:supersede|replace))\? (?:give|list|show|name)\b[^?]*$",
        r"\1?",
    ),
    (
        r"\b(?:feeds?|enters?|goe?s?|propagates?) (?:in)?to the (?:uncertainty|error)s? (?:of|on|in)"
        r" (?:the )?",
        "affect ",
    ),
    (
        r"\b(?:the )?(?:(?:doubly|triply|singly)[- ])?(?:charmed|charm|bottom|beauty|strange) "
        r"(?=(?-i:Xi|Lambda|Sigma|Omega|D|B|T|P)_)",
        "the ",
    ),
    (r"\bunitarity[- ]triangle angle\b", "CKM angle"),
    (
        r"^(.+?),? what(?:'s| is| was) (?:the|its) (?:present |current |accepted |latest )?value\??$",
        r"what is the value of \1?",
    ),
    (
        r"^(?:which |what |all |list |show )*papers (?:that |which )?(?:puts?|constrain(?:s|ed)?|bound"
        r"|limit(?:s|ed)?"
        r"|exclude[sd]?) (?:the )?(.+?) (?:to )?(?:be )?(?:above|over|beyond|more than|larger than) (?=\d)",
        r"papers with a lower limit on \1 above ",
    ),
    (r"\bpapers (?:giving|quoting|with results on|with values of) (?=both\b)", "papers that measure "),
    (
        r"^(?:the )?stat(?:istical)? and syst(?:ematic)? (?:errors|uncertainties)(?: separately)?"
        r" (?:for|of|on|in)"
        r" (?:the )?",
        "values of ",
    ),
    (r"\bwith no (?=DOI|title|year|value|unit|experiment|INSPIRE|arXiv)", "without a "),
)

_QUOTE = r"[\"“”«»]"
_TITLE = rf"({_QUOTE}[^\"“”«»]+{_QUOTE})"
QUOTED: Final[tuple[Rule, ...]] = (
    (r"^(?:i am|i'm|we are|we're) (?:looking|searching) for ", ""),
    (
        rf"^(?:when|in (?:which|what) year) was (?:the )?(?:paper|publication|article) (?:called "
        rf"|titled |entitled )?"
        rf"{_TITLE} (?:published|written|submitted)\??$",
        r"what is the year of the paper with the title \1?",
    ),
    (
        rf"\b(papers?|publications?|articles?) (?:(?:that|which) (?:is|are) )?(?:called|titled|entitled"
        rf"|named|is) "
        rf"{_TITLE}",
        r"\1 with the title \2",
    ),
    (rf"\bthe (paper|publication|article) {_TITLE}", r"the \1 with the title \2"),
)
"""The only rules for a question with a quoted name."""
