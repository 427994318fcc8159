"""Quick speech: "the phone with no 555-0123", "the one living with Ann", "happened 3/05/2017"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_DAY: Final = r"(?:\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d\d-\d\d)(?![\w/-])"
_SMALL: Final = (
    r"(?:in|at|of|and|or|to|by|for|from|on|is|are|was|were|did|do|does|has|have|had|that|which|who)"
)
_TIME: Final = r"\d{1,2}:\d\d(?![\w:])"
_NUMBERED: Final = (
    r"(?:phone|telephone|tel|mobile|cell|badge|id|account|order|invoice|part|serial|registration"
    r"|reg|licen[cs]e|passport|plate|ticket|flight|route|room|nhs|health(?: service)?"
    r"|national insurance|insurance)"
)
_FIRST: Final = (
    r"(?:find|get|give|list|name|show|tell|identify|fetch|return|i (?:need|want)|who(?: is|['’]s)|which is"
    r"|what is|look up|see)"
)
_PLURAL_VERB: Final = (
    r"(?:know|own|use|live|share|hold|investigate|work|reside|lead|run|handle|play|act|study|teach|like|love"
    r"|follow|visit|drive|carry|speak|earn|belong)"
)
_WHOSE: Final = r"(?:(?:an?|the|its|their|his|her) )?"
_PROPERTY: Final = (
    r"((?:[a-z]+ ){0,2}?(?:number|name|code|make|model|brand|address|email|e-mail|phone|age|plate|rank"
    r"|postcode|id|title|colou?r|surname))"
)
_VALUE: Final = r"(\S*\d\S*|['\"][^'\"]+['\"]|(?-i:[A-Z][\w'-]*(?: [A-Z0-9][\w'-]*){0,2}))"
_ENDS: Final = r"(?=\s*(?:[,.?!;)]|$|and\b|but\b|who\b|that\b|which\b))"
_ASKS: Final = r"(?:who|whom|whose|what|which|when|where|how)"
_OPENS: Final = (
    r"(?:if|of|for|per|each|every|from|out|in|on|at|with|among|amongst|by|to|during|between|under|without"
    r"|regarding|considering|concerning|about|whoever|look(?:ing)?|tak(?:e|ing)|given|suppose|imagine"
    r"|start(?:ing)?|as|while|since|because|think|focus|is|are|was|were|does|do|did|has|have|count(?:ing)?|number)"
)
_VERB: Final = r"(?:is|are|was|were|has|have|had|got|knows?|lives?|owns?|uses?|took|takes?|made|makes?|\w+ed)"
_BACK: Final = (
    r"(?:the ones?|the latter|there(?=\s*[?.]*$)|the \w+est(?=\s*[?.]*$)"
    r"|their|his|her|its|them|they|these|those|it|he|she"
    r"|(?:this|that)(?=\s*[?.]*$|\s\w+\b))"
)
_ORDERED: Final = (
    r"(?=(?:the|all|those|these|every|each|any|which|what|how|anybody|anyone|everyone|whoever)\b)"
)
RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"^(?:please )?(?:establish|determine|ascertain|calculate|compute|derive|state|report|supply"
        r"|specify|furnish|indicate|compile|extract|collect|make known|bring forward"
        r"|read(?: me| us| off| out)?|reckon up|come up with|turn up|dig up|(?:get|lay) (?:a )?hold of"
        r"|lay (?:my |your )?hands on"
        rf"|(?:point|direct|refer|lead|guide) (?:me|us) to)(?: for (?:me|us))? {_ORDERED}",
        "list ",
    ),
    rule(
        r"^(?:i['’]m|i am|we['’]re|we are) (?:trying|hoping|looking|wanting) to "
        r"(?:get (?:a )?hold of|find|get|see|reach|track down|trace|know) ",
        "list ",
    ),
    rule(r"(?<=\w)['’]s got\b", " has"),
    rule(
        r"\b(last(?:ed|s|ing)?) the (least|most)(?: time)?(?=\s*(?:[?.,]|$))",
        lambda found: f"{found[1]} the {'shortest' if found[2].lower() == 'least' else 'longest'}",
    ),
    rule(r"\b(?:aggregate|overall|combined) number of\b", "number of"),
    rule(r"\b(?:the )?sum total of (?=people\b|[a-z]+s\b)(?!its\b|his\b|this\b)", "the number of "),
    rule(r"\b(wan|gon)na\b", lambda found: {"wan": "want to", "gon": "going to"}[found[1].lower()]),
    rule(
        rf"\b({_NUMBERED})\b (?:no|nr)\b\.?(?=\s+\S*\d|\s+(?:of|is|and|for|have|has)\b|\s*[?,;)]|\s*$)",
        r"\1 number",
    ),
    rule(r"\b(?:no|nr)\b\.? (?=[\d(+][\d()+-]{4,})", "number "),
    rule(
        rf"\b(happened|occurred|happening|took place|committed|made|placed|received|recorded) (?={_DAY})",
        r"\1 on ",
    ),
    rule(rf"\b(an?|any|some|each|every|all|the) ({_DAY}) (?!{_SMALL}\b)(\w+)", r"\1 \3 on \2"),
    rule(rf"\b(an?|any|some|each|every|all|the) ({_TIME}) (?!{_SMALL}\b)(\w+)", r"\1 \3 at \2"),
    rule(
        rf"^how many (?={_PLURAL_VERB} (?:an?|the|any|some|in|at|for|with|to|both|each|every|only"
        rf"|more|(?-i:[A-Z])))",
        "number of those who ",
    ),
    rule(
        r"^how many (people|persons)['’]s? (.{3,40}?) (do|does|did) (.+?) (\w+)\s*\?*$",
        r"how many people \3 \4 \5 the \2 of?",
    ),
    rule(r"^(?:which|what) (?:people|persons?)['’]s? ", "whose "),
    rule(
        r"\bthose (?=(?:acquainted|related|connected|linked|involved|living|residing|staying|working"
        r"|investigating|owning|using|sharing)\b)",
        "those who are ",
    ),
    rule(
        rf"^((?:please )?{_FIRST} (?:me )?)?(?:the )?ones? (?=who (?:has|lives?|have"
        rf"|owns?|knows?|is|are|was|were)\b)",
        r"\1someone ",
    ),
    rule(
        rf"^((?:please )?{_FIRST} (?:me )?)?(?:the )?ones? (?=(?:living|working|owning|using|sharing)\b)",
        r"\1someone ",
    ),
    rule(
        r"^([^,;]{0,30}\b(?:oldest|youngest|eldest)) one(?= (?:who|that|living|with|of|in|at|among|to)\b)",
        r"\1",
    ),
    rule(
        r"^([^,;?]{0,40}\b(?:friends|relatives|acquaintances|housemates|flatmates|contacts|colleagues|members"
        r"|owners|children|parents))(?: that| which| who(?:m)?)? "
        r"((?:(?-i:[A-Z])|someone|somebody|the |an? )[^,;?]+?) (?:has|have)(?: got)?\s*[?.]*$",
        r"\1 of \2",
    ),
    rule(
        r"\b(with|has|have|having|had|got) "
        r"(?!(?:the |an? )?(?:words?|letters?|text|strings?|characters?|phrase"
        r"|syllable)\b)([^,?.;'\"]{3,60}?) (?:in|on|inside|within) (?:it|them)\b",
        r"\1 \2",
    ),
    rule(
        rf"\b(with|has|have|having|had|got) {_VALUE} (?:for|as) {_WHOSE}{_PROPERTY}{_ENDS}",
        r"\1 the \3 \2",
    ),
    rule(
        r"(?<=\w),? (?:and )?(?:i|we)(?:['’]d)? (?:want|need|would like|like)(?: to (?:see|have|get|know))? "
        r"(?:all of )?(?:them|those|these)(?: all)?\s*[.?!]*$",
        "",
    ),
    rule(r"(?<=\w) (?:too|as well)(?=[;:]|\. \w)", ""),
    rule(
        rf"^(?!(?:please )?(?:{_ASKS}|{_OPENS}|{_FIRST})\b)([^,.?;:]+? {_VERB} [^,.?;:]+?), "
        rf"(?:so |and |then |now )*(?=(?:{_FIRST}|(?:(?:at|in|on|from|to|by|with) )?{_ASKS})\b"
        rf"[^.?;]*?\b{_BACK})",
        r"\1. ",
    ),
    rule(r"\b(?:what|which) number of (?=people\b|\w+s\b)", "how many "),
    rule(
        r"\b(numbers?|names?|dates?|address(?:es)?|e-?mails?|ages?|codes?|ids?|titles?|ranks?|years?) from "
        r"(?=(?:those|the people|people|each|every|all|anyone|everyone|whoever)\b)",
        r"\1 of ",
    ),
    rule(
        r"\b(?:went|goes|go|ran) on (?:for )?(?=the (?:longest|shortest)|(?:more|less|longer"
        r"|shorter|at|over|under)\b|\d)",
        "lasted ",
    ),
    rule(
        rf"\b(with|has|have|having|had|got) {_VALUE} (?:for|as) one of (?:its|their|his|her) "
        rf"((?:[a-z]+ )?[a-z]+?)s{_ENDS}",
        r"\1 the \3 \2",
    ),
    rule(
        r"^([^,?:;]{3,60}), (?:i|we)(?:['’]d)? (?:want|need|would like|like|have) to (?:know|see|find out) "
        r"(?=(?:which|who|what|where|when|how)\b)",
        r"\1: ",
    ),
    rule(
        r"\b(how many|that|which|who|people|persons|and) got (?=(?:the|an?) (?!\w* ?(?:call"
        r"|message|letter|e-?mail)))",
        lambda found: f"{found[1]} {'has' if found[1].lower() in ('that', 'who') else 'have'} ",
    ),
)
"""Tried in order, each once."""
