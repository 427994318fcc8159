"""Rules of English for how people ask for a number, and for what they say around it.

As in :mod:`cypher.paraphrase_rules`.
"""

from __future__ import annotations

from typing import Final

from cypher.paraphrase_rules import Rule

_LISTED = r"(?:values?|measurements?|limits?|results?|determinations?|entries|numbers)"
_PUBLISHED = r"(?:published|known|existing|current|available|reported|listed|experimental)"
_PAPER = r"((?-i:[A-Z][\w,-]+) \d{4}(?-i:[A-Z]*))"
_LAST = r"(?=[?.]?$)"
_THAT = r"(?:that|the|this|its)"
_NO_PAPERS = (
    r"(?!(?:which|what|list|show) (?:\S+ )?(?:papers?|experiments?)\b(?!.*\b(?:lowest|highest|tightest"
    r"|strongest|best"
    r"|longest|most precise)\b))"
)
"""Rows of papers show no value, but where one decides which paper it is."""
_REPLACER = (
    r"(?:by (?:which|what) (?:newer |later |other )?papers?(?: (?:was|were|is|are) (?:each|it|they)(?:"
    r" of them)?)?"
    r"(?: (?:replaced|superseded))?"
    r"|(?:what|which papers?) (?:superseded|replaced|supersedes|replaces) (?:each|it|them)(?: of them| one)?)"
)
_NOTHING_NEW = (
    r"(?!.*\b(?i:only|without|not|except|but|those|which|with|since|before|after|newest|latest|first|last"
    r"|excluding|by|how|per|also|too|both|average|mean|median|number|numbers|count|counts|sum|total"
    r"|most|largest"
    r"|smallest|highest|lowest|error|errors|ratio|difference)\b)"
)
"""A second sentence with one of these may ask for something else."""

BEFORE: Final[tuple[Rule, ...]] = (
    (r",? please(?=[?.]?$)", ""),
    (r"\b(the (?-i:[^\s?]*[A-Z_/()][^\s?]*)) particle(?=[ ?.,]|$)", r"\1"),
    (rf"^(.*\b{_LISTED}\b.*?)(?: -|,|:) (?:numbers?|{_LISTED}) and papers?{_LAST}", r"\1"),
    (
        r"\b(papers?|experiments?) (?:that |which )?(?:have|has|with|having) (?:at least one|one or more|an?"
        r"|any|some) (?:result|value|measurement)s? (?:that |which )?(?:is|was|are|were|has been|have been)"
        r" (?:marked (?:as )?|later |since )?(superseded|replaced)\b",
        r"\1 with a \2 result",
    ),
    (r"\b(?-i:b)(s|c) (?=(?:lifetime|mean life|mass|mixing|width|oscillation|branching)\b)", r"B_\1 "),
    (r"\belectron[- ]positron pairs?\b", "e+ e-"),
    (
        r"^((?:which |what |all |list |show )*papers (?:that |which )?)(?:puts?|constrain(?:s|ed)?|bound"
        r"|limit(?:s|ed)?|restrict(?:s|ed)?) (?:the )?(.+?) (?:to )?(?:be )?(below|under|less than"
        r"|smaller than) (?=\d)",
        r"papers with an upper limit on \2 below ",
    ),
    (
        r"^how often (?:does|do|will) (?:an? |the )?(.+?) (?:turn|go|fall apart|break up|change"
        r"|transform) (?:in)?to"
        r" (.+?)\??$",
        r"what is the branching fraction of the \1 decaying to \2?",
    ),
    (r"\bleptonic (?=CP\b)", ""),
    (r"\bneutrino[- ]antineutrino pairs?\b", "nu nubar"),
    (r"\b(paper|experiment|value|limit|measurement|result)\(s\)", r"\1s"),
    (r"\b(since|before|after|in|until|from) the year (?=\d{4}\b)", r"\1 "),
    (r"\bthe ((?-i:[A-Z][\w-]*)) team(?=[ ?.,]|$)", r"the \1 collaboration"),
    (r"\bthe (mass|width|charge|lifetime|mean life|magnetic moment) of an? (?=\w)", r"the \1 of the "),
    (r",? \((?:\d{4}|it|that year) included\)", ""),
    (r"\b(?:current|present|today's) (upper |lower )?(?=limit on|bound on|limit for)", r"\1"),
    (r" \(in units? of [^()]*\)", ""),
    (
        r"\baffected by the (?:uncertainty|error) (?:on|of|in) (?:the )?(\S+ -> .+?) branching"
        r" (?:fraction|ratio)(?=[?.,]|$)",
        r"affected by BR(\1)",
    ),
    (
        rf"^(?:is|was|has) (?:the )?(?!(?:an?|any|some|one|every|all) )(?!.*\bvalues?\b)(.+?)(?:"
        rf" {_LISTED})? (of|by|from|in) {_PAPER}"
        r" (?:been )?(?:marked (?:as )?)?(superseded|replaced)(?: by (?:an?|any|some) (?:later |newer "
        r"|other )*"
        r"(?:paper|result|value|one|measurement))?\??$",
        r"was the \1 value \2 \3 \4?",
    ),
    (
        r"^which (.+?) papers (?:have been|has been|were|was|are|got) (superseded|replaced),? and by"
        r" (?:which|what)(?: newer| later| other)? (?:papers?|ones?)\??$",
        r"which \1 results were \2?",
    ),
    (
        r"^(which|what) (.+? (?:branching (?:fractions|ratios)|masses|widths|lifetimes|mean lives)) are "
        r"(?=above|below|over|under|larger|smaller|greater|less|higher|lower|more|at least|at most)",
        r"\1 \2 have a recommended value ",
    ),
    (r"\btt ?[hH](?= (?:production|cross|papers|results))", "t tbar H"),
)
"""Applied before a question is read."""
ASKED: Final[tuple[Rule, ...]] = (
    (
        r"^(?:could|can|would|will) you (?:please |kindly )?(?:give|tell|show|list|name|send)(?: me| us)? ",
        "",
    ),
    (
        r"^(?:i|we)(?: would|'d)? (?:like|want|need|wish) to (?:know|see|show|learn|find out|have|list"
        r"|quote) ",
        "",
    ),
    (r"^what (?:value )?should (?:i|we|one) (?:use|take|quote) for ", "what is the recommended value of "),
    (r"^may (?:i|we) (?:ask|know) ", ""),
    (
        r"^(?:i|we) (?:should|would) (?:like|love) to (?:have|see|get) (?:a |the )?(?:complete |full )?"
        r"(?:list|table) of (?:all )?(?:the )?",
        "",
    ),
    (r"^on average,? (?=how long)", ""),
    (r"\bwhat value is recommended for\b", "what is the recommended value of"),
    (r"\b(?:presently|currently|officially) recommended\b", "recommended"),
    (r"\baccepted (?=mass|mean life|lifetime|width)", ""),
    (r"\b(?:current )?PDG (?:number|figure|entry|result) (?=for|of)", "recommended value "),
    (
        r"^what (mass|width|lifetime|mean life|value|magnetic moment) (?:does|do) (?:the )?PDG (?:quote"
        r"|give|list|have)"
        r" for (?:the )?",
        r"what is the recommended \1 of the ",
    ),
    (r"\brecommended value of the value of\b", "recommended value of"),
    (
        r"^what is the (?:best |strongest )?(?:upper |lower )?(?:limit|value)(?: that)? (?:the )?(?:PDG"
        r"|Particle"
        r" Data Group) (?:gives|quotes|lists|has|recommends) (?:for|on) ",
        "what is the recommended value of ",
    ),
    (rf",? judged by (?:its|the|their) (?:total |overall )?(?:errors?|uncertaint(?:y|ies)){_LAST}", ""),
    (r",? \((?:ignore|ignoring|leave out|no) (?:the |any )?limits\)", ""),
    (r"[?.,] with (?:the )?(?:counts?|numbers?)(?: pls| please)?[?.]?$", "?"),
    (r"\b(superseded|replaced) (?:later|afterwards|since|meanwhile)(?=[?.]?$)", r"\1"),
    (r"\bcarry an? external (?:uncertainty|error) from (?:the )?", "are affected by "),
    (r"\bthe (?:largest|greatest|highest|biggest) number of (?:different |distinct )?(?=\w)", "the most "),
    (
        rf"^(?=.*\bthe (?:most|largest)\b)(.*?),? and how many (?:is that|are they|that is){_LAST}",
        r"\1",
    ),
    (rf"\b(?:have|has) no (\w+) (?:assigned|given|recorded|attached|listed){_LAST}", r"are without any \1"),
    (r"\battached(?=[?.]?$)", ""),
    (r" in (?:total|all)(?=[?.]?$)", ""),
    (r" in the (?:graph|database|listings)(?=[?.]?$)", ""),
    (
        r"^in the years? ((?:before|after|since|until|from) \d{4}),? (?:which|what) papers (?:have )?"
        r"(?:measured|determined|gave|reported) (.+?),? and what (?:value|result) did each (?:of them )?"
        r"(?:give|find|get|obtain|report)\??$",
        r"values of \2 \1",
    ),
    (
        r"^for (?:the )?(.+?), (?:please )?(?:give|show|list)(?: me)? (?:every|each|all|the) papers?(?:"
        r" together| along)?"
        r" with (?:its|their|the) (?:year|date) and (?:the )?(?:value|result)s? (?:that )?(?:it|they)"
        r" \w+[?.]?$",
        r"values of the \1",
    ),
    (
        r"^has any(?:body|one) (?:ever )?(?:measured|determined|reported|published) (?:the )?(.+?)\??$",
        r"is there a measurement of the \1?",
    ),
    (
        r"^has any(?:body|one) (?:ever )?(?:looked|searched|hunted) for (?:an? |the )?(\S+ -> [^?]+)\?"
        r" (?:please )?"
        r"(?:list|show|give|name)(?: me)? (?:all )?(?:the )?papers[.?]?$",
        r"which papers measured \1?",
    ),
    (
        r"(?<=\w )how often (?!(?:does|do|did|will|can)\b)(?:an? |the )?(.+?) decays? (?:in)?to"
        r" (.+?)(?=[?.]?$)",
        r"the branching fraction of the \1 decaying to \2",
    ),
    (r"\b(?:have )?tried to measure(?: or limit)?\b", "measured"),
    (r"\bare about (?:directly )?measuring\b", "are on"),
    (r"\b(?:real part of )?epsilon[- ]prime over epsilon\b", "Re(epsilon'/epsilon)"),
    (rf",? what are they{_LAST}", ""),
    (r",? (?:as )?(?:the )?PDG (?:quotes|lists|gives|has) it(?=,|[?.]?$)", ""),
    (rf",? (?:with )?(?:its |the |an? )?(?:total )?(?:errors?|uncertaint(?:y|ies)) included{_LAST}", ""),
    (rf"(?:,? with (?:its|the|their|an?) (?:total )?|, with )(?:errors?|uncertaint(?:y|ies)){_LAST}", ""),
    (
        rf"^(?!.*\bpapers?\b)(.*\blimits?\b.*?),? and (?:at|to) (?:what|which) confidence"
        rf" levels?{_LAST}",
        r"\1",
    ),
    (r"\b(which|what) papers['’] (values|results|measurements) of\b", r"\1 \2 of"),
    (
        rf"^(?!(?:which|what|list|show)(?: \S+)? papers?\b)(.*\b{_LISTED}\b.*\b(?:superseded|replaced)\b.*?)"
        rf",? and {_REPLACER}(?: in each case)?{_LAST}",
        r"\1",
    ),
    (
        r"^which ((?-i:[A-Z][\w-]*) )?papers had (?:their|its|an?) values? of (.+?) (superseded"
        r"|replaced),? and by"
        rf" (?:which|what)(?: newer| later| other)? (?:papers?|ones?)(?: in each case)?{_LAST}",
        r"which \1values of \2 were \3?",
    ),
    (
        rf"^(?=.*\b(?:the|have) (?:most|largest|highest|greatest)\b)(.*?),? and how many \w+"
        rf" (?:does|do|did|has|have) (?:each|they each|each one)(?: have| has)?{_LAST}",
        r"\1",
    ),
    (r"\bnumerically (?=lowest|smallest|highest|largest)", ""),
    (r"\bPDG(?:'s)? (?=branching|mass\b|width\b|lifetime|mean life)", "recommended value of the "),
    (r"\bcurrent PDG (?=limit|value|average)", "PDG "),
    (
        r"\b(?:CP[- ]asymmetry )?A_?CP (?:in|of|for) (?:the decay )?(\S+ -> .+?)(?=\s*[?.]?$)",
        r"A_CP(\1)",
    ),
    (r"\bhad (?:their|its|an?) values? of (.+?) (superseded|replaced)\b", r"have a \2 value of \1"),
    (r"\bhave an? (?:actual |real |direct )?(?:measurement|determination) of\b", "measured"),
    (r"\bwith the (?:largest|highest|greatest|biggest) number of (?=\w)", "with the most "),
    (r"^what are the (\w+) (\w+) with the most ", r"which \1 \2 have the most "),
    (r"(?<!in)(?<!of)(?<!from),? (\d{4}) (?:and|or) (?:later|after|newer)\b", r" since \1"),
    (r"^(?:what|how much) (?:does|do) (?:an? |the )?(.+?) weigh\b", r"what is the \1 mass"),
    (
        r"(?<=\w) how (?:heavy|massive) (?:an? |the )?(.+?) (?:is|are)(?=[?.]?$)",
        r" the \1 mass",
    ),
    (
        r"^how long (?:does|do) (?:an? |the )?(.+?) last(?: before (?:it|they) decays?)?\??$",
        r"what is the \1 mean life?",
    ),
    (
        r" (?:in|of|on) (?:your|the|this) (?:lists?|listings?|graph|database)(?=[?.]?$| (?:date|come"
        r"|stem))",
        "",
    ),
    (
        r"^(?:in (?:what|which) year|when) (?:does|did) the (earliest|first|latest|oldest|newest|last) "
        r"(measurement|value|result|paper) (of|on) (.+?) (?:date from|come from|appear|come out|stem"
        r" from)\??$",
        r"what is the year of the \1 \2 \3 \4?",
    ),
    (
        r"^whose (?:measurement|value|result|determination) of (.+?) has the smallest"
        r" (?:(?:overall|total|combined|quoted) )?(?:error|uncertainty)\??$",
        r"what is the most precise measurement of \1?",
    ),
    (
        rf"^for which (quantities|observables) (?:does|did|has) {_PAPER} (?:supersede|replace)d?"
        r" (?:an? |the )?(?:(?:older|earlier|previous) )?(?:value|result|measurement)s?\??$",
        r"which \1 have a value superseded by \2?",
    ),
    (
        r"^(?:please )?(?:list|show|give|name)(?: me)? (?:all |the )*(papers|publications)"
        r" (?=.*\b(?:that|which)\b)",
        r"\1 ",
    ),
    (rf",? each with (?:its|their) (?:names?|values?|units?){_LAST}", ""),
    (
        r"^(?=.*\b(?:how many|the most|the largest number)\b)(.*?)[?.] (?:please )?(?:list|give"
        r"|show)\b(?: them| me)?"
        r"(?: from (?:most to least|largest to smallest)| (?:the )?\w+ and (?:the |its |their"
        r" )?(?:number|count)s?"
        r"(?: of \w+)?)(?:,? in order of \w+)?[?.]?$",
        r"\1?",
    ),
    (
        rf"[?.] (?:please )?(?:list|give|show|name|sort|rank|order)\b{_NOTHING_NEW}(?-i:[a-z, ]*)[?.]?$",
        "?",
    ),
    (
        rf"^(?!.*\b(?:uncertaint|error|source)){_NO_PAPERS}(.*?),? and (?:what|how (?:many|much|long"
        rf"|large|big|small|high"
        r"|low|wide|heavy))(?: \w+)? (?:is|are|was|were)"
        rf" (?:it|they|{_THAT} (?:limit|value|number|result)s?)(?: in \w+(?: \w+)?)?{_LAST}",
        r"\1",
    ),
    (r"\b(?:in|from|of) (\d{4}) (?:or|and) (?:later|after|newer)\b", r"since \1"),
    (
        r"\b(of|on|for) how long (?:an? |the )?(?:free |typical )?(.+?) lives?(?: on average)?(?=[?.,]|$)",
        r"\1 the \2 mean life",
    ),
    (r"\b(of|on|for) how (?:heavy|massive) (?:an? |the )?(.+?) (?:is|are)(?=[?.,]|$)", r"\1 the \2 mass"),
    (
        r"^how (?:heavy|massive) (?:can|could|may|might) (?:an? |the )?(.+?) (?:be|get)(?: at (?:the"
        r" )?most)?\??$",
        r"what is the recommended value of the \1 mass?",
    ),
    (
        r"^what (?:fraction|percentage|share|proportion|part) of (?:all )?(?:the )?(.+?) "
        r"(?:decays?|goe?s?|turns?|end up|falls? apart|breaks? up) (?:in)?to (.+?)\??$",
        r"what is the branching fraction of the \1 decaying to \2?",
    ),
    (
        r"^what (?:fraction|percentage|share|proportion|part) of (?:all )?(?:the )?(.+?)(?: boson| meson)?"
        r" decays (?:are|is) (invisible)\??$",
        r"what is BR(\1 -> \2)?",
    ),
    (r"\bpositively charged pions?\b", "pi+"),
    (r"\bpositively charged kaons?\b", "K+"),
    (
        r"^(?:besides|apart from|other than|in addition to) (?:the )?(.+?),? (?:what|which) (?:else"
        r"|other (?:quantities"
        r"|observables))"
        rf" (?:does|did|has|do) (?:the )?(?:paper )?{_PAPER} (?:report|measure|determine|give"
        rf"|list)(?:ed|d|s)?"
        r"(?: on)?\??$",
        r"which quantities besides the \1 did \2 determine?",
    ),
    (
        r"\b(?:the )?(?:chance|probability|likelihood|odds)(?: that| of| for) (?:an? |the )?(.+?) "
        r"(?:to )?(?:decays?|decaying|goes|turns|turning) (?:in)?to (.+?)(?=[?.,]|$)",
        r"the branching fraction of the \1 decaying to \2",
    ),
    (
        r"^what (?:fraction|percentage|share|proportion|part) of (?=\S+"
        r" ->)",
        "what is the branching fraction of ",
    ),
    (
        r"\b(?:the )?(?:chance|probability|likelihood|odds)(?: that| of| for)? (?=\S+ ->)",
        "the branching fraction of ",
    ),
    (
        r"\b(papers|publications) ((?:published )?(?:since|in|before|after|from|until) \d{4}) (?:that|which) "
        r"(.+?)(?=[?.]?$)",
        r"\1 that \3 \2",
    ),
    (
        r"\binvisible (?:decays? of (?:the )?)?(Higgs|(?-i:H)|(?-i:Z))(?: boson)?(?: decays?)?(?=[?.,]|$)",
        r"\1 -> invisible",
    ),
    (
        r"\b(?:branching (?:fraction|ratio)|decay) of (?:the )?(Higgs|(?-i:H)|(?-i:Z))(?: boson)? (?:in)?to"
        r" invisible(?: particles| states| final states)?",
        r"branching fraction of \1 -> invisible",
    ),
    (
        rf"\b(lowest|smallest|tightest|strongest|best|strictest) {_PUBLISHED} (upper|lower) (?=limit|bound)",
        r"\1 \2 ",
    ),
    (r"\b(?:longest|largest|highest) lower (?=limit|bound)", "tightest lower "),
    (
        r"^(.+?),? (?:lowest|tightest|best|strongest) upper (?:limit|bound) on (?:the|its) (?:BR|branching"
        r" fraction|branching ratio)[?.]?$",
        r"tightest upper limit on \1",
    ),
    (
        r"\b(?:lowest|tightest|best|strongest) upper limit (?:that )?((?-i:[A-Z][\w-]*)) (?:has |have )?"
        r"(?:published|set|reported|obtained|given) (?:on|for) (.+?)(?=[?.]?$)",
        r"tightest upper limit on \2 from \1",
    ),
    (
        r"^what (?:upper |lower )?(?:limit|bound) does (?:the )?PDG (?:quote|give|list|recommend|have"
        r"|show|set)"
        r" (?:for|on) (.+)$",
        r"what is the recommended value of \1",
    ),
    (
        r"^which ((?-i:[A-Z][\w-]*)) papers (?:have )?(?:measured?|determined?|reported?) (.+?),? and what"
        r" (?:value|result|number)s? (?:did|does|do) (?:each|they|each one|it) (?:give|find|get|report|quote"
        r"|measure|obtain)(?: in \w+)?\??$",
        r"\1 values of \2",
    ),
    (
        r"^which (papers?|experiments?|collaborations?) (?:was|were|is|are) (?:the )?(?:very )?first to"
        r" (measure|determine|observe|publish|report)\b",
        r"which \1 first \2d",
    ),
    (r"\bfirst (publish|report)d\b", r"first \1ed"),
    (
        r"^(superseded|replaced) ((?-i:[A-Z][\w-]*)) (results|values|measurements|limits) (?:for|of|on) (.+?)"
        r"(?:,? and (?:what|which papers?) (?:superseded|replaced) (?:each|it|them))?[?.]?$",
        r"which \2 \3 on \4 were \1?",
    ),
    (r"\bquotes? (?=an? (?:upper |lower )?limit)", "set "),
    (r"\bgives? no (?:numerical )?(value|limit)\b", r"are without any \1"),
    (
        r"^(?!(?:for|the|which|what|all|in|on|list|give|show|of|from|values|limits|papers)\b)"
        r"((?-i:[A-Z][\w-]*)) ((?-i:[A-Z])\S* -> .+?) (papers|measurements|limits|values|results)\b",
        r"\1 \3 on \2",
    ),
    (rf",? oldest first{_LAST}", ""),
    (
        r"^(.+?) (?:vs\.?|versus) (.+?),? (?:the )?(?:PDG |recommended )?values? of both[?.]?$",
        r"compare the recommended values of \1 and \2",
    ),
    (rf"(?:,| -| —) (?:which|what) (paper|experiment) (?:is|was) (?:it|that){_LAST}", ""),
)
"""Tried where a question's own words are not all understood."""
