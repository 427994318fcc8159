"""More of how English says relations: trade, work, travel and what people do with things every day."""

from __future__ import annotations

from typing import Final

EVERYDAY: Final[tuple[tuple[str, str], ...]] = (
    (
        "crafted crafts brewed brews baked bakes forged assembled composes",
        "make|create|craft|produce|maker of|creator of|work of|brew|bake|assemble",
    ),
    (
        "composition composed consists consist",
        "make of|make from|contain|consist of|make up of|go into|use in|blend of|mix of|base on|include",
    ),
    (
        "stocks stocked sells sold offers offered",
        (
            "sell|stock|carry|offer|deal in|have in stock|in stock at|on sale at|on sale in|on offer at|"
            "available at|available from|available in|buy at|buy from|buy in|get at|get from|sell at|sell by|"
            "sell in|for sale at|on the shelves of|on the shelves at|on the shelf at|seller of|stockist of"
        ),
    ),
    (
        "leases leased rents rented lets hires tenant",
        "rent|lease|let|hire|tenant of|lease out|rent out|let to|rent from|lease from|take on lease",
    ),
    (
        "planted plants grows grown cultivates cultivated",
        "grow|plant|cultivate|plant with|plant in|plant on|grow on|grow in|grow at|raise|grower of",
    ),
    (
        "submitted submits entered enters competed competes enrolled",
        (
            "enter|submit|compete in|compete at|take part in|participate in|enter for|enter in|enter into|"
            "send in to|put forward for|put in for|run in|race in|participant in|entrant in"
        ),
    ),
    (
        "bred breeds crossed derived derives descends descended",
        (
            "breed from|cross of|cross between|derive from|descend from|come from|parent of|offspring of|"
            "descendant of|ancestor of|go back to"
        ),
    ),
    (
        "prescribed prescribes administered administers",
        "prescribe|give|administer|put on|take|receive|get|prescription for|prescription of",
    ),
    (
        "vaccinated vaccinates immunised immunized inoculated",
        "vaccinate|vaccinate against|immunise|immunize|inoculate|protect against|vaccination against",
    ),
    (
        "examined examines inspected inspects audited audits checked checks surveyed",
        "examine|inspect|check|see|look at|look over|audit|survey|check up on|go over|inspector of|visit",
    ),
    (
        "diagnosed diagnosis suffers",
        "diagnose with|diagnose|suffer from|have|find to have|come down with|ill with|sick with|affect by",
    ),
    (
        "referred refers",
        "refer|refer to|refer by|send|send to|send on to|pass on to",
    ),
    (
        "admitted admits hospitalised hospitalized",
        "admit|admit to|take into|stay at|stay in|take in",
    ),
    (
        "adopted adopts rehomed",
        "adopt|take in|take home|give a home to|find a home with|go home with|rehome with|adopter of",
    ),
    (
        "registered registers enrolled enrols enrolls signed",
        (
            "register|register at|register with|register for|enrol in|enroll in|enrol at|sign up for|"
            "sign up with|sign up at|join|belong to|on the books of|go to|attend"
        ),
    ),
    (
        "booked books reserved reserves booking reservation",
        "book|reserve|make a booking for|make a reservation for|have a booking for|book by|booking for",
    ),
    (
        "delivered delivers shipped ships dispatched",
        "deliver|ship|bring|transport|dispatch|drop off|deliver to|ship to|bring to|supply to|deliver by",
    ),
    (
        "carries carried transported transports hauled hauls ferried",
        "carry|transport|haul|take|move|convey|ferry|on board|bring",
    ),
    (
        "installed installs fitted mounted",
        "install|fit|mount|put in|set up|install in|install at|fit with|fit in|equip with|mount on",
    ),
    (
        "sponsored sponsors funded funds financed finances backed invested invests investor",
        (
            "sponsor|fund|finance|pay for|back|support|invest in|put money into|sponsor of|backer of|"
            "investor in|funder of|foot the bill for"
        ),
    ),
    (
        "nominated nominates nominee shortlisted",
        "nominate for|nominate|put forward for|shortlist for|up for|in the running for",
    ),
    (
        "assigned assigns allocated allotted posted deployed",
        "assign to|allocate to|post to|put on|place at|give to|deploy to|deploy at|work on|in charge of",
    ),
    (
        "drives driven drove rides ridden",
        "drive|ride|at the wheel of|driver of|rider of|take out",
    ),
    (
        "departs departed leaves departure",
        "depart from|leave from|leave|start from|start at|set off from|set out from|take off from|sail from",
    ),
    (
        "arrives arrived lands landed arrival destination",
        "arrive at|arrive in|land at|land in|end at|end in|go to|reach|bound for|get to|head for|fly to",
    ),
    (
        "collected collects gathered picked",
        "collect|gather|pick up|pick|bring in|fetch|collector of|take from|collect from|collect at",
    ),
    (
        "discovered discovers detected spotted sighted",
        "discover|detect|spot|sight|come across|find|see|discoverer of|find in|find at|turn up in",
    ),
    (
        "caught catches",
        "catch|land|hook|catch in|catch at",
    ),
    (
        "borrowed borrows",
        "borrow|take out|check out|have on loan|borrow from|borrower of",
    ),
    (
        "insured insures",
        "insure|cover|insure by|insure with|insurer of",
    ),
    (
        "supervised supervises supervisor advises advised adviser advisor oversees",
        "supervise|advise|oversee|look after|in charge of|responsible for|supervisor of|adviser of",
    ),
    (
        "replaced replaces succeeded succeeds",
        "replace|take over from|succeed|take the place of|follow|come after|successor of",
    ),
    (
        "likes liked loves favours favourite favorite prefers preferred enjoys",
        "like|love|enjoy|prefer|favour|favor|fond of|fan of|keen on",
    ),
    (
        "subscribes subscribed subscriber",
        "subscribe to|sign up to|sign up for|take|get|subscriber of|subscriber to",
    ),
    (
        "requires required needs depends prerequisite",
        "require|need|depend on|call for|rely on|necessary for|need for",
    ),
    (
        "cites cited mentions mentioned references referenced",
        "cite|mention|refer to|reference|quote|talk about|write about|speak of|name|come up in",
    ),
    (
        "raced races ran runs started",
        "run in|race in|compete in|start in|enter|take part in|participate in|ride in|runner in|line up in",
    ),
    (
        "climbed climbs ascended summited",
        "climb|ascend|scale|go up|get up|reach the top of|climber of",
    ),
    (
        "acquired acquires",
        "acquire|buy|take over|purchase|get|buyer of",
    ),
    (
        "stored stores keeps kept shelved",
        "store in|store at|keep in|keep at|hold in|put in|stand in|stand at|lie in|hold at|find in|find at",
    ),
    (
        "hired recruited recruits appointed",
        "hire|employ|recruit|take on|appoint|bring in|work for|sign",
    ),
    (
        "interviewed interviews",
        "interview|talk to|speak to|question",
    ),
    (
        "seen sees attended attends",
        "see|attend to|treat|handle|examine|look after|deal with|take care of",
    ),
    (
        "passes passed crosses crossed",
        "pass|pass through|go through|run through|come through|call at|stop at|stop in|cross|serve",
    ),
    (
        "garaged garages parked parks stabled moored",
        "keep at|keep in|park at|park in|garage at|stand at|house at|moor at|base at|at home at",
    ),
    (
        "guided guides accompanies accompanied",
        "guide|lead|accompany|go with|come with|show around|take round|guide of",
    ),
    (
        "crewed crews serves aboard",
        "serve on|serve in|serve at|crew|work on|sail on|on the crew of|on board|aboard",
    ),
    (
        "tested tests sampled samples",
        "test|try out|sample|test for|test by|take samples of|take samples at",
    ),
    (
        "cleans cleaned washes washed",
        "clean|wash|clean up|do the cleaning of",
    ),
    (
        "translated translates",
        "translate|translate into|translator of|translate by",
    ),
    (
        "approved approves authorised authorized signed",
        "approve|authorise|authorize|sign|sign off|sign off on|give the go-ahead for",
    ),
)
"""As :data:`cypher.semantics.senses.SENSES`."""
