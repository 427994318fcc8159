"""How English says the relations that schemas name: general words by what a type's name is made of.

No graph was looked at for a single entry: the groups are of words that mean the same whatever they join.
"""

from __future__ import annotations

from typing import Final

from cypher.semantics.everyday import EVERYDAY
from cypher.semantics.research import RESEARCH

_SENSES: Final[tuple[tuple[str, str], ...]] = (
    # words of identifiers, phrases that say the relation
    (
        "live lives inhabits resides dwells residence address home lived",
        (
            "live in|live at|live|reside in|reside at|reside|dwell in|inhabit|occupy|found in|native to|"
            "stay at|residence of|resident of|inhabitant of|resident|residence|address|home|home of|"
            "home to|habitat of|house"
        ),
    ),
    (
        "homeworld homeland hometown homeplanet origin origins birthplace",
        "live on|live in|live at|live|come from|originate from|originate|hail from|native to|home",
    ),
    (
        "located situated location place based in within area region",
        (
            "located in|located at|located within|situated in|situated at|lie in|lies within|based in|"
            "found in|include|contain|comprise|cover|encompass|part of|fall in|belong to|falls within|"
            "sit in|sit within|come under|fall under|come within|enclose|take in|hold|surround|form part of|"
            "stand in|lie inside"
        ),
    ),
    (
        "occurred happened occurs happens place held takes",
        (
            "occur at|occur in|occur|happen at|happen in|happen|take place at|take place in|take place|"
            "commit at|commit in|held at|held in|scene of|site of|location of|place of|go on at|go on in|"
            "carry out at|carry out in|transpire at|transpire in|hit|strike|strike at|strike in|affect|"
            "suffer|suffer from|experience|befall|afflict|plague"
        ),
    ),
    (
        (
            "created made painted wrote written directed composed authored built designed developed "
            "produced founded invented established"
        ),
        "create|make|by|creator of|maker of|author of|work of|produce|develop|design",
    ),
    (
        "created painted sculpted",
        "paint|sculpt|painter of|artist of|sculptor of|artist|painter|sculptor",
    ),
    (
        "wrote written authored author",
        "write|author|pen|writer of|author of|writer|author",
    ),
    (
        "directed director",
        "direct|director of|director",
    ),
    (
        "founded founder established",
        "found|establish|start|founder of|founder",
    ),
    (
        "produced producer",
        "produce|producer of|producer",
    ),
    (
        "displayed exhibited shown housed exhibits",
        (
            "display at|display in|display|exhibit at|exhibit in|exhibit|show at|house in|house at|house|"
            "hold at|hang in|on display at|on show at|keep at|view at"
        ),
    ),
    (
        "associated related linked connected",
        (
            "associate with|link to|link with|relate to|connect to|connect with|belong to|tie to|part of|"
            "association with"
        ),
    ),
    (
        "genre category type kind class",
        (
            "classify as|classify under|categorize as|categorize under|belong to|fall under|"
            "in the genre of|of the genre|within the genre|in the genre|consider"
        ),
    ),
    (
        "status rank rating",
        (
            "classify as|classify under|categorize as|categorize under|list as|rate as|consider|"
            "hold the status of|at the rank of|hold the rank of"
        ),
    ),
    (
        "feeds eats preys",
        "feed on|prey on|prey upon|eat|consume|hunt|feed upon|devour",
    ),
    (
        "plays played player team club squad",
        (
            "play for|play at|part of|member of|belong to|sign with|represent|appear for|play|player for|"
            "player of"
        ),
    ),
    (
        "position role",
        "play as|play in the position of|play the position of|play in|serve as",
    ),
    (
        "member members part parts belongs league",
        "part of|belong to|member of|include|contain|join|member|in",
    ),
    (
        "coached coach manager manages managed",
        "coach|manage|coach of|manager of|train|head|lead",
    ),
    (
        "award awards awarded prize won wins received receives",
        "receive|win|award|awarded to|get|earn|honor with|recipient of|winner of|given to",
    ),
    (
        "citizenship citizen nationality country",
        "citizen of|national of|come from|hold citizenship of|hail from|from",
    ),
    (
        "born birth",
        "born in|born at|native of|birthplace of|born",
    ),
    (
        "died death",
        "die in|die at|die",
    ),
    (
        "spouse married marriage",
        "marry to|married to|marry|spouse of|wife of|husband of|spouse",
    ),
    (
        "employed works worked employer employee staff",
        "work for|work at|employ by|employ at|employ|work in|employee of|staff of|on the staff of",
    ),
    (
        "studied education educated attended alma graduated",
        "study at|attend|graduate from|educate at|alumnus of|student of|go to",
    ),
    (
        "owns owned owner ownership has possess",
        "own|possess|belong to|hold|owned by|owner of",
    ),
    (
        "has possess",
        "use",
    ),
    (
        "knows know acquainted",
        "know|acquainted with|familiar with|acquaintance of|know of|acquaintance",
    ),
    (
        "friend friends friendship befriended",
        "friend of|friends with|befriend|friend",
    ),
    (
        "family relative related kin rel",
        "relate to|relative of|family of|relative|kin of|family member of|family with|kin",
    ),
    (
        "parent parents",
        "parent|parent of|descend from",
    ),
    (
        "child children",
        "child|child of",
    ),
    (
        "party involved participated participant participates involves",
        (
            "involve in|implicate in|participate in|take part in|party to|commit|perpetrate|"
            "responsible for|guilty of|accuse of|connect to|engage in|figure in|feature in|appear in|"
            "turn up in|involve|committed by|concern"
        ),
    ),
    (
        "investigated investigates investigator",
        (
            "investigate|handle|work on|deal with|look into|in charge of|assign to|lead|probe|"
            "responsible for|examine|take on|in the hands of|in charge of"
        ),
    ),
    (
        "caller calls",
        (
            "make|place|send|send from|make from|originate from|call from|call|dial|initiate|come from|"
            "phone|ring|telephone|contact|go out from|go out of|go out|start from|start|come out of|outgoing"
        ),
    ),
    (
        "called callee receiver",
        (
            "receive|get|answer|make to|call to|call|go to|phone|ring|telephone|contact|reach|come in on|"
            "come in at|"
            "come in|come through to|come through on|come through|arrive at|arrive on|arrive|incoming|"
            "address to|direct to|take|pick up"
        ),
    ),
    (
        "follows followed follower",
        "follow|follower of|fan of",
    ),
    (
        "reviewed review reviews rated rates rating",
        "review|rate|critique|reviewer of|review of|evaluate|assess",
    ),
    (
        "acted acts actor starred cast played plays featured appears appeared performs performed",
        (
            "act in|star in|appear in|play in|feature in|perform in|feature|cast in|cast of|role in|star|"
            "actor in|act"
        ),
    ),
    (
        "supplies supplied supplier provides provided",
        "supply|provide|deliver|supplier of|source from|come from|furnish",
    ),
    (
        "purchased purchases bought ordered orders order",
        "purchase|buy|order|place|acquire|purchaser of|buyer of|request",
    ),
    (
        "contains includes included contents",
        "contain|include|hold|comprise|part of|in|feature|inside",
    ),
    (
        "perpetrated committed carried",
        "perpetrate|carry out|commit|conduct|responsible for|perpetrator of|behind|execute",
    ),
    (
        "targets targeted attacked",
        "target|attack|aim at|hit|directed at|victim of",
    ),
    (
        "employs uses used utilizes weapon",
        "use|employ|utilize|carry out with|deploy|carry out using|involve|use in",
    ),
    (
        "venue stadium",
        "play at|use|host|home venue|home ground|home stadium|play home games at",
    ),
    (
        "pilots piloted flies flew",
        "pilot|fly|pilot of|fly by",
    ),
    (
        "treats treated prescribed prescribes",
        "treat|prescribe|treat with|prescribe for|take|receive",
    ),
    (
        "causes caused",
        "cause|lead to|result in|bring about|due to",
    ),
    (
        "outcome result resulted",
        "result in|end in|lead to|outcome of|have the outcome",
    ),
    (
        "published publishes publisher",
        "publish|release|issue|publisher of",
    ),
    (
        "operates operated operator",
        "operate|run|operator of",
    ),
    (
        "leads led leader head heads chair",
        "lead|head|leader of|head of|run|chair",
    ),
    (
        "killed kills murdered",
        "kill|murder|killer of|killed by|victim of",
    ),
    (
        "enemy enemies opponent",
        "enemy of|opponent of|enemy|foe of|fight",
    ),
    (
        "reports reported registered",
        "report|register|record|file|report by",
    ),
    (
        "subsidiary owned parentcompany",
        "subsidiary of|own|belong to",
    ),
    (
        "adjacent borders border neighbours",
        "border|neighbor|next to|adjacent to|share a border with",
    ),
    (
        "flows tributary",
        "flow into|flow through|empty into|run into|tributary of",
    ),
    (
        "transfer transferred sent sends paid",
        "send|pay|transfer|transfer to|send to|pay to|post|mail|send off",
    ),
    (
        "uses used login logged device",
        "use|log in from|access from|connect from|log in with",
    ),
    (
        "watched watches viewed",
        "watch|view|see|viewer of",
    ),
    (
        "directs director manages managed manager heads chairs",
        "direct|run|manage|lead|head|in charge of|at the head of|head of|boss of|director of|responsible for",
    ),
    (
        "curated curates organised organized organises organizes arranged",
        "organise|organize|curate|arrange|put together|put on|stage|set up|mount|organiser of|organizer of",
    ),
    (
        "hosted hosts",
        "take place at|take place in|take place|hold at|hold in|put on|stage|show at|run at|host|be on at",
    ),
    (
        "displayed exhibited shown",
        "on display|on show|on view|hang|be shown in|be on view in",
    ),
    (
        "gave given gives donated donates gifted",
        "give|donate|give away|present|contribute|gift of|gift from|donation of|donor of|hand over",
    ),
    (
        "lent lends loaned borrowed loans",
        "lend|loan|lend out|loan out|on loan to|out on loan to|lend to|loan to",
    ),
    (
        "taught teaches trained trains mentored",
        "teach|train|instruct|tutor|mentor",
    ),
    (
        "features featured includes included",
        "feature|include|show|display|present|represent in|represent|appear in|part of|be in",
    ),
    (
        "monitors monitored observes observed measures measured records recorded",
        "monitor|observe|measure|record|watch|track|keep an eye on",
    ),
    (
        "repairs repaired maintains maintained serviced services",
        "repair|fix|mend|service|maintain|look after|work on",
    ),
    (
        "based stationed housed",
        "keep at|keep in|house|station at|station in|house at|house in|at home in|stable at|park at",
    ),
    (
        "stops stopped calls",
        "visit|stop at|stop in|call at|come to|go to|play at|stop over at",
    ),
    (
        "cancelled canceled cancels",
        "cancel|call off|drop|scrap",
    ),
    (
        "visited visits attended attends",
        "visit|attend|go to|come to|be at|visitor of",
    ),
)
SENSES: Final = (*_SENSES, *EVERYDAY, *RESEARCH)
"""Stems of an identifier's words, and what English says for it; a phrase is found in every inflection."""
