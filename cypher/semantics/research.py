"""More of how English says relations: what people and organisations do with work, things and each other."""

from __future__ import annotations

from typing import Final

RESEARCH: Final[tuple[tuple[str, str], ...]] = (
    (
        "affiliated affiliation employed appointed",
        (
            "attach to|affiliate with|belong to|work for|work at|based at|employ at|employ by|employ|"
            "member of|part of|come from|on the staff of|on the payroll of|staff member of"
        ),
    ),
    (
        "stake stakes share shares shareholding owns owned co-owned stakeholder",
        (
            "own|own a share of|own part of|own a part of|own a piece of|own a stake in|have a share in|"
            "have a stake in|have a share of|hold a share of|hold a share in|hold a stake in|hold shares in|"
            "co-own|belong to|partner in|partner of|a partner in|shareholder of|shareholder in|"
            "part owner of|co-owner of|owner of|stakeholder in|invest in"
        ),
    ),
    (
        "mounted mounts attached fitted fits equipped",
        (
            "carry|mount on|mount at|attach to|fit to|fit on|install on|install at|put on|equip with|bear|"
            "sit on|on board"
        ),
    ),
    (
        "requests requested applied applies",
        "request|ask for|want|apply for|call for|need|put in for|wish for|seek",
    ),
    (
        "refereed referees reviewed reviews assessed assesses evaluated evaluates graded",
        (
            "referee|review|assess|evaluate|judge|grade|score|rate|mark|referee of|reviewer of|assessor of|"
            "look at|give a score to|give a mark to"
        ),
    ),
    (
        "conducted conducts executed executes performed performs operated operates",
        (
            "conduct|carry out|perform|run|conduct at|carry out at|do at|take place at|run at|"
            "host|use for|perform at|operate|make at|work at|hold at"
        ),
    ),
    (
        "observed observes observation pointed points targeted targets target aimed",
        (
            "observe|point at|target|aim at|look at|watch|study|image|view|target of|observe in|"
            "observe during|observation of|observer of|take aim at"
        ),
    ),
    (
        "duty shift rota roster rostered",
        (
            "work|work on|work at|work during|serve on|serve at|on duty at|on duty for|on duty during|"
            "do a shift on|do a shift at|on shift at|on shift during|on the rota for|staff|take part in|"
            "at work on"
        ),
    ),
    (
        "raised raises filed files logged logs reported reports lodged",
        (
            "raise|file|log|report|lodge|record|log against|raise against|file against|report against|"
            "report on|raise about|file about|lodge against|concern|suffer"
        ),
    ),
    (
        "situated situates sited stationed",
        "situate at|stand on|stand in|stand at|sit on|sit in|locate on|locate at|locate in|lie on",
    ),
    (
        "lectures lectured presents presented",
        (
            "present|lecture on|lecture at|give a talk at|give a talk on|"
            "speak at|speak about|talk about|speaker at"
        ),
    ),
    (
        "collaborates collaborated cooperates",
        (
            "collaborate with|cooperate with|work with|work together with|"
            "join forces with|partner of|partner with"
        ),
    ),
    (
        "analysed analyzed analyses analyzes investigated investigates studied studies researches",
        "analyse|analyze|investigate|study|look into|research|examine|work on|analysis of|study of",
    ),
    (
        "measured measures records recorded",
        "measure|record|take a reading of|measure at|measure by|measure with|record at|measurement of",
    ),
    (
        "awarded awards granted grants",
        "award|grant|give|award to|grant to|give to|win|receive|get|go to|recipient of|winner of",
    ),
    (
        "chairs chaired heads headed leads led leader",
        "chair|head|lead|run|in charge of|head of|leader of|chair of|at the head of|responsible for",
    ),
    (
        "calibrated calibrates",
        "calibrate|calibrate with|calibrate by|use to calibrate|calibration of",
    ),
    (
        "exchanged exchanges swapped swaps traded",
        "exchange|exchange with|swap|swap with|trade with|give in exchange to|get in exchange from",
    ),
    (
        "germinated sown sows sowed",
        "sow|germinate|plant|grow|sow in|raise from|grow from",
    ),
    (
        "volunteers volunteered helps helped",
        (
            "volunteer at|volunteer in|volunteer for|help in|help at|help out in|"
            "help with|lend a hand in|work in"
        ),
    ),
    (
        "infested infests infected infects attacked attacks",
        "infest|infect|attack|suffer from|affect|affect by|find on|hit|trouble by|plague by|pest of",
    ),
    (
        "tends tended tend cares cared maintains maintained keeper gardener",
        (
            "tend|look after|take care of|care for|maintain|work in|work at|manage|responsible for|"
            "in charge of|in the care of|see to|keep"
        ),
    ),
    (
        "travelled travels traveled visited visits toured journeyed went",
        "travel to|visit|go to|tour|journey to|travel in|stay in|take to|set out for|head for",
    ),
    (
        "participated participates took part takes joined",
        (
            "take part in|participate in|go on|join|belong to|on the team of|on the team for|"
            "member of|part of|along on|go along on|come along on"
        ),
    ),
    (
        "donated donates donor contributed contributes",
        "donate|give|contribute|present|donor of|come from|get from|receive from|donate to|give to|gift of",
    ),
    (
        "supervised supervises supervisor manages manager line",
        "report to|under the supervision of|work under",
    ),
    (
        "native natives endemic indigenous",
        (
            "come from|originate from|originate in|grow wild in|found wild in|occur in|grow in|at home in|"
            "native to"
        ),
    ),
    (
        "collected collects collection",
        "bring back|bring home|come from|come home from|come back from|take during|find during|gather on",
    ),
    (
        "harvested harvests gathered taken",
        "harvest|gather|take|come from|harvest from|gather from|take from|get from|pick from",
    ),
)
"""As :data:`cypher.semantics.senses.SENSES`."""
