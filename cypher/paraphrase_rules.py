"""Rules of English by which a question is said in plainer words; :mod:`cypher.paraphrase` applies them.

Each rule is a pattern (without regard to case) and what takes its place. None names a thing of a schema, but
for the Particle Data Group, whose averages people ask for in many ways. None drops a name, a number, a
negation or a comparison that could be a condition.
"""

from __future__ import annotations

from typing import Final

Rule = tuple[str, str]
_BE = r"(?:was|were|is|are|has|have)"
_STRONG = (
    r"(?:strictest|toughest|lowest|smallest|best|strongest|tightest"
    r"|most (?:stringent|restrictive|constraining))"
)
_LIMIT = r"(?:limits?|bounds?)"
_LISTED = r"(?:values?|limits?|measurements?|results?)"
_NO_NUMBER = (
    r"(?!.*\b(?:how many|how often|number|count|average|mean|median|sum|most|least|best|first|last|latest"
    r"|newest|earliest|oldest|largest|smallest|highest|lowest|biggest|greatest|tightest|strongest"
    r"|maximum|minimum|maximal|minimal|top)\b)"
)
"""A number for each paper is something else than its values."""
_LIMITING = r"(?:(?:most )?(?:dominates?|limits?|affects?|contributes? to))"
_NOW = r"(?:currently|nowadays|to date|at present|so far|as of today)"
_COUNT = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3})"
ALWAYS: Final[tuple[Rule, ...]] = (
    (r"\babout (?=\d|(?:two|three|four|five|six|seven|eight|nine|ten|a dozen)\b)", "approximately "),
    (
        r"^(which|what) (.+?) (?:has|did|have) (?:the )?(\S+)(?: collaboration| experiment)?"
        r" (?:ever |already )?(measured?|reported?|determined?|published?|studied)"
        r",? but (?:not (?:the )?((?-i:[A-Z])\S*?)"
        r"|(?:the )?((?-i:[A-Z])\S*) (?:has|did|have)(?: not|n't)(?: yet)?)(\?|$)",
        r"\1 \2 were measured by \3 but not by \5\6\7",
    ),
    (
        r"^((?:which|what|how many) papers|list (?:the |all )?papers (?:that|which))"
        r" (measured|determined|reported|observed) (an? .+?),? (?:but (?:not|no|never|did not measure)|and no"
        r"|without (?:measuring|determining|reporting|observing))(?: an?| any)? ((?-i:[a-z]{3,}).*?)"
        r"(\?|\.|$)",
        r"\1 \2 \3 and did not measure a \4\5",
    ),
    (
        r"^(.*\b(?:measurements|values|limits|results)\b.*?),? (?:papers? and (?:values?|limits?|results?)"
        r"|(?:and|with) (?:their|the) values)([.?]?)$",
        r"\1\2",
    ),
    *(
        (rf"\b(?:from|in|of|during) the {d}0s and (?:the )?{d + 1}0s\b", f"between {d}0 and {d + 1}9")
        for d in range(190, 209)
    ),
    (r"\b(?:from|in|of|during) the ((?:19|20)\d)0s\b", r"between \g<1>0 and \g<1>9"),
    (r"\b(?:lacks?|lacking) (?=an? )", "have no "),
    (r"\b(DOI|(?:INSPIRE|arXiv|PDG) id)s\b", r"\1"),
    (
        r"^((?:which|what|how many|list|show|all|the|me) )*final states? (?=(?:with|containing|including)\b)",
        r"\1decays ",
    ),
    (r"\bparticles? (?:in|among) (?:the|its|their|a) final states?\b", "products"),
    (
        rf"\b(at least|at most|more than|fewer than|no more than|no fewer than) ({_COUNT}) (\w+(?: \w+)?)"
        rf" and ({_COUNT}) (?=(?!of\b)[a-z])",
        r"\1 \2 \3 and \1 \4 ",
    ),
    (
        r"^who (?!.*\? which\b)(?:(?:has |have )?first (?:measured|determined|observed|published|reported)"
        r"|(?:was|were) (?:the )?(?:very )?first to (?:measure|determine|observe|publish|report))\b",
        "which papers first measured",
    ),
    (r"^who ((?:has |have )?(?:measured|determined) .+ most (?:precisely|accurately))\b", r"which paper \1"),
    (r"^how (?:do|does|did) (?:the )?(.+ (?:and|with) .+?) compare\??$", r"compare \1"),
    (
        r"^which (?:papers?|experiments?|collaborations?) (?:has |have )?(?:measured?|determined?|reported?"
        r"|published?|gave|give) (.+?),? and what (?:value |result |number )?(?:did|does|do|have|has)"
        r" (?:each|they|each one|every one)(?: of (?:them|these))? (?:find|found|gets?|got|gives?|give|obtain"
        r"|obtained|report|reported|measure|measured|say|quote)\??$",
        r"values of \1",
    ),
    (
        r"\b(?:partial )?(?:mean )?(?:life|lifetime)s? (?:for|of) (?:the decay )?(p|n)"
        r" (->[^?.;,]*[^?.;,\s])",
        r"tau(\1 \2)",
    ),
    (r"\bT-matrix pole (?:positions?|location)\b", "T-matrix pole sqrt(s)"),
    (r"\b(lower|upper) mass (limits?|bounds?) (?:on|for|of) (?=[a-z])", r"\1 \2 on mass limits for "),
    (
        r"^(?:what|which) (?:value|number|result) does (?:the )?PDG(?:'s)?(?: fit| average| evaluation)?"
        r" (?:give|quote|recommend|list|have|show|adopt) for (?:the )?(.+)$",
        r"what is the recommended value of \1",
    ),
    (
        r"\bwhose (?:values?|results?|measurements?) (?:has|have|had|is|are|was|were)( not|n't| never)?"
        r" (?:yet |since )?(?:been )?(?:yet )?(superseded|replaced)\b",
        r"with a value that is\1 \2",
    ),
    (
        r"\b(values?|measurements?|results?) (.*?)\b(?:that|which) are (?:not|no) limits?\b",
        r"\1 \2without a limit",
    ),
    (
        r"^break down (?:all )?(?:the )?(.+?) by (\w+)"
        r"(?:,? and (?:give|show|list)(?: me)? the (?:count|number|total)s?"
        r"(?: (?:for|of) each(?: of them)?)?|,? with (?:the )?(?:how many there are|number|counts?)"
        r"(?: (?:for|of) each(?: of them)?)?)?([.?]?)$",
        r"number of \1 by \2\3",
    ),
    (
        rf"^{_NO_NUMBER}(.*\b{_LISTED}\b.*?),? (?:(?:(?:together|along) )?with (?:the |their |its )?papers?"
        r"|(?:of|for) each paper|per paper|paper by paper)([.?]?)$",
        r"\1\2",
    ),
    (
        r"^(?:what|which) (techniques?|comments?|remarks?) (?:have been|were|are|has been|was) used"
        r" (?:to (?:determine|measure|find)|for) ",
        r"list the \1 of the measurements of ",
    ),
    (
        rf"^by (which|what) (\w+) {_BE} (.+?) (?:been )?(replaced|superseded)\??$",
        r"\1 \2 \4 \3?",
    ),
    (r"(?<=\b\d{4}),? \(?inclusive(?:ly)?\)?", ""),
    (
        rf"^(.*\b{_LISTED}\b.*?): papers? (?:and|\+) (?:central |limit |measured )?(?:value|limit"
        rf"|result)s?([.?]?)$",
        r"\1\2",
    ),
    (
        r"^(.+?): papers? (?:and|\+) (?:central )?(value|limit|result)s?(?: of (?:each|every) \w+)?([.?]?)$",
        r"\2s of the \1\3",
    ),
    (r"\bin (?:its|their) (\w+?)s?(?=[?.,]|$)", r"in the \1"),
    (
        r"\b(?:have|has) (?:an?|the) (\w+) (containing|mentioning|that (?:contains|mentions))\b",
        r"with a \1 \2",
    ),
    (
        r"^(number of|how many) (publications|papers|articles) with an? (.+?)"
        r" (?:measurement|determination|result)(?= by | per | for each |[?.]?$)",
        r"\1 \2 on \3",
    ),
)
"""Rules that hold of every question: without them its words are read as something else."""
RULES: Final[tuple[Rule, ...]] = (
    (r"\b(have|has|contains?|with|containing|includ(?:e|es|ing)) both (?=an? \S+ and an? \S+)", r"\1 "),
    *(
        (
            rf"^(which|what) (.+?{ending}) (?:should|could|can|would|might) (?:i|we|one|you) use to"
            r" (measure|determine)\b",
            rf"\1 \2 {be} used to \3",
        )
        for ending, be in (("[a-z]s", "are"), ("", "is"))
    ),
    (
        r"^(?:through|via|using|by means of|with) which (.+?) (?:is|are|was|were) (.+?)"
        r" (measure|determine)d\b",
        r"which \1 are used to \3 \2",
    ),
    (
        rf"\b({_LIMITING}|for|in) (?:my|our) (?:own |next |planned )?"
        r"(?:measurement|determination|analysis|study) of ",
        r"\1 ",
    ),
    (rf"\bwill ({_LIMITING})\b", r"\1"),
    (r"\bcurrent (?=world|PDG|average|best|strongest|value)", ""),
    (r"\bcentral (?=values?\b)", ""),
    (r",? (?:known to|listed by|listed in) the PDG\b", ""),
    (
        r"\b(?:depends?|rel(?:y|ies)) on (.+?) as (?:an? )?(?:source of uncertainty|(?:external )?input)",
        r"are affected by \1",
    ),
    (
        r"\b(?:with|using) (?:the |an? )?(?-i:(?:(?!with|using|by|in|of|on|from|for)[a-z]+ ){1,3})"
        r"\(technique ((?-i:[A-Z]{2,}))\)",
        r"with technique \1",
    ),
    (
        r"\b(?:with|by|using) (?:the |an? )?(?-i:[a-z]+ )?technique \(((?-i:[A-Z]{2,}))\)",
        r"with technique \1",
    ),
    (r"\(technique ((?-i:[A-Z]{2,}))\)", r"with technique \1"),
    (r"\b((?-i:[A-Z]{3,}) \d{4}(?-i:[A-Z]{0,2})), the (?-i:[a-z ]{3,40}) paper(?=[?.]?$)", r"\1"),
    (r"\blisted for (?:the )?(?=\S+ by )", "of "),
    (r"\bproperties\b", "quantities"),
    (r"\bbacked by\b", "measured by"),
    (r"\b(determine|measure)(d|s)? (?:or|and/or|and) (?:constrain|limit)(?:ed|s)?\b", r"\1\2"),
    (
        r"^has (?:anybody|anyone|any (?:experiment|paper|collaboration)) (?:ever )?"
        r"(?:set|published|reported|measured|found) (?=an? )",
        "is there ",
    ),
    (
        r",? (?:(?:together|along) )?with the values? (?:that )?(?:it|they)"
        r" (?:found|reports?|obtained|gives?)\b",
        "",
    ),
    (r"^(.+?): give (?:me )?(?:the )?papers? and values?\b", r"values of \1"),
    (
        r",? (?:leaving out|without|excluding) (?:the |those )?(?:results|values|ones) that"
        r" (?:have been|are|were) (superseded|replaced)",
        r" that are not \1",
    ),
    (r"\b(papers|references) (?:that )?the PDG uses for\b", "papers on"),
    (r"\breferences (?=on|for)", "papers "),
    (
        r"^who (?:has |have )?(?:published|reported|measured|determined|given)"
        r"(?: (?:a |any )?results? (?:for|on|of))?"
        r" (.+?)\? (?:(?:give me|list|only|just|show me|name|names of) )?(?:the )?"
        r"(papers|experiments|collaborations)(?:,? please| will do| are enough)?[.?]?$",
        r"which \2 measured \1?",
    ),
    (
        r"^who was (?:the )?first to (?:measure|determine|publish|report) (.+?)\?"
        r" which (paper|experiment|collaboration) was (?:it|that)\??$",
        r"which \2 first measured \1?",
    ),
    (
        r"^on how many (papers|measurements|results) does (?:the )?(.+?)(?: listing)? rest\??$",
        r"how many \1 are on \2?",
    ),
    (r",? counting (?:each|every|all) (?:\w+ )?values?(?=[?.]?$)", ""),
    (
        r"^(?:the )?(first|latest|last|earliest|most precise|best) (measurement|result|value) of (.+?)"
        r" (?:appeared|was published|came|is) in (?:which|what) (paper|publication)\??$",
        r"which \4 has the \1 \2 of \3?",
    ),
    (r"\b(best|most precise|most accurate) (?:single|individual) (?=\w)", r"\1 "),
    (
        r"^(.*\b(?:best|most precise|most accurate)\b.*?)(?: \((?:with |by )?(?:the )?"
        r"|,? [—-]+ the (?:paper|one|result) with the )smallest (?:\w+ )?(?:error|uncertainty)\)?",
        r"\1",
    ),
    (
        r"^how (?:small|large|big) is (.+?) at most,? (?:going by|according to|by) the"
        rf" {_STRONG} (?:upper )?limit\??$",
        r"what is the tightest upper limit on \1?",
    ),
    (r"\bParticle Data Group\b", "PDG"),
    (r"\bworld-average\b", "world average of the"),
    (
        r"^(?:what|which) value does (?:the )?PDG recommend for (.+)$",
        r"what is the recommended value of \1",
    ),
    (
        r"^(?:what|which) (average|value) does (?:the )?PDG (?:give|quote|list|have|show) for (.+)$",
        r"what is the PDG \1 of \2",
    ),
    (
        r"^(?:what|how \w+) is (?:the )?(.+?),? according to (?:the )?PDG\??$",
        r"what is the PDG value of the \1?",
    ),
    (r"\b(?:does|do) the PDG (?:list|have|give|know|show)(?=\??$)", "are there"),
    (r"\bamong (?:its|their) (?=\w)", "among the "),
    (
        r"^with which (.+?) (?:is|are|was|were) (.+?) (measured|determined)\??$",
        r"which \1 are used to measure \2?",
    ),
    (r"\? *(?:list|show|name|give)(?: me)? (?:them|these|those)(?: all)?[.?]?$", "?"),
    (r"\byearly number of (.+?)([.?]?)$", r"number of \1 by year\2"),
    (
        r"\b(replaced|superseded) by (?:a )?(?:later|newer)"
        r" (?:ones?|papers?|results?|values?|measurements?)\b",
        r"\1",
    ),
    (r"\b(?:has|have) since been (?=replaced|superseded)", "was "),
    (
        r"^how (?:low|large|big|high|small|tight|strong|stringent) (is|was|are|were)\b",
        r"what \1",
    ),
    (
        r"^(?:the )?(papers?|publications?|experiments?|collaborations?|quantit(?:y|ies)|observables?"
        r"|decays?) (?:that|which) (?=\w+ )",
        r"which \1 ",
    ),
    (
        r"^who (?:has |have )?(?:set|measured|published|made|found|obtained|got|holds?|has|did|gave|given)"
        r" (?=the (?:\w+ )?(?:tightest|strongest|best|most|first|latest|earliest|oldest|lowest|highest"
        r"|largest))",
        "what is ",
    ),
    (
        r"^(.+?)(?: so far| to date)?,?(?: -)?"
        r" (?:(?:which|what|by which) (?:paper|publication)|(?:by )?whom?)\??$",
        r"\1",
    ),
    (
        r"^what (?:does|did) (?:the )?(\S+)(?: collaboration| experiment)? publish\b",
        r"which papers of \1 were published",
    ),
    (r"^which (\w+) (?:is|was) the (.+?) one (?=\w)", r"the \2 \1 "),
    (
        r"^what does (?:the )?(\S+) (?:quote|give|list|have) (?:as|for) the (average|value)(?: for| of)? ",
        r"what is the \1 \2 of ",
    ),
    (
        r"^(?:taking|using|with|by) the \w+ averages,? "
        r"|[?,]? \(?(?:according to|use|using|by|in) the \w+ averages\)?(?=[?.]?$)",
        "",
    ),
    (
        r"\bhad (?:their|its) (.+?) values? (superseded|replaced)"
        r"(?: by (?:another|an?) (?:later |newer )?paper)?",
        r"have a \2 value of \1",
    ),
    (
        r"\bwithout (?:giving|measuring|reporting|quoting) (.+?)(?: too| as well| also)?(?=[?.]?$)",
        r"but not \1",
    ),
    (
        r"\b(?:that|which) (?:only|just) (?:the )?(\S+)(?: collaboration| experiment)? (?:has|have)(?: ever)?"
        r" (measured|determined|reported|studied)",
        r"\2 only by \1",
    ),
    (
        r"\b(measured|determined|reported|studied) (?:(?:only|solely|exclusively|just) )?by (?:the )?(\S+?)"
        r"(?: collaboration| experiment)?"
        r"(?: (?:alone|only)(?=[?.,]|$)"
        r"| and (?:by )?(?:nobody|no one|no other (?:experiment|collaboration))(?: else)?)",
        r"\1 only by \2",
    ),
    (r"\b(measured|determined|reported|studied) (?:solely|exclusively) by ", r"\1 only by "),
    (
        r"^are there more (\S+) (papers|publications) than (\S+) (?:papers|publications) (.+?)(\??)$",
        r"did \1 publish more \2 \4 than \3\5",
    ),
    (r"\b(really|actually) (?=\w)", ""),
    (
        r"\b(measured|determined) (?:anything|something)(?: at all)? (?:about|on|of) ",
        r"\1 a quantity of ",
    ),
    (r"\b(?:anything|something)(?: at all)? (?:about|on|of) ", "results on "),
    (r",? that any (?:paper|experiment) (?:reports|has reported|gives|quotes)\b", ""),
    (r"\b(?:plain|simple) (?=(?:unweighted|arithmetic) )", ""),
    (r"\bmean of all the (?:published |measured |reported )?(?=\w)", "mean of all "),
    (r"\b(?:the )?names of (?:the |all |all the )?(?=\w+s\b)", "the "),
    (
        r"^in which of (?:its|their) (papers|publications) (?:did )?(?:the )?(\S+)(?: collaboration)? "
        r"(?:publish|report|present|determine|measure)(?:ed|d)? "
        r"(?:(?:something|anything|results?|a value|values) (?:about|on|for|of) )?",
        r"which \1 of \2 are on ",
    ),
    (
        rf"\b{_STRONG}(?: (?:published|existing|known|current|experimental|available))? upper {_LIMIT}"
        r"(?: that)?(?: any(?:one|body) has (?:ever )?(?:published|set|reported|put|obtained|given))?"
        r"(?: on(?= ))?(?= |\?|\.|$)",
        "tightest upper limit on",
    ),
    (
        r"\b(?:largest|highest|best|strongest) lower (?:limit|bound)(?: on)?(?= )",
        "tightest lower limit on",
    ),
    (
        rf"^(.+?):? (?:{_STRONG}|tightest) (upper|lower) {_LIMIT}(?: on)?"
        r"(?:,? (?:which|what|by which) (?:paper|publication))?[?.]?$",
        r"which paper sets the tightest \2 limit on \1?",
    ),
    (
        rf"\b{_STRONG} {_LIMIT} (?:on |for )?(?=(?:the )?(?:BR\(|branching|\S+ ->))",
        "tightest upper limit on ",
    ),
    (rf"^(?=.*\b(?:tightest|most precise)\b)(.*?),? {_NOW}(?= |\?|\.|$)", r"\1"),
)
