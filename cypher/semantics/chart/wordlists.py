"""Function words of English questions, by what a reader may do with them."""

from __future__ import annotations

from typing import Final


def words_of(*lines: str) -> frozenset[str]:
    """The words of some lines."""
    return frozenset(word for line in lines for word in line.split())


FREE: Final = words_of(
    "a actually all also an any both certain corresponding currently different distinct ever exactly",
    "given herself himself itself kindly my only our particular please respective some specific such",
    "that's the themselves there these this those together unique various your altogether very",
) | {'"', "'", "`"}
"""Words that cost nothing to pass over."""
ENDS: Final = frozenset({",", ".", "?", "!", ";", ":", "-", "–", ""})
"""What ends an aside."""
FURTHER: Final = words_of("another other further")
"""Words before a noun for things beside those spoken of."""
NEGATIONS: Final = words_of(
    "ain't aren't arent can't cannot couldn't couldnt didn't didnt doesn't doesnt don't dont hadn't hadnt",
    "hasn't hasnt haven't havent isn't isnt n't never not wasn't wasnt weren't werent won't wouldn't wouldnt",
)
"""Words that deny a verb."""
HARD: Final = (
    words_of(
        "above after another ascending average before below between count descending each earliest",
        "either eldest every except excluding fewer fewest first greatest highest how largest last latest",
        "least less longest",
        "lowest many maximum mean minimum more most neither never newest no nobody none nor not number",
        "oldest or order ordered other over per rank ranked same shortest since smallest sorted sum than",
        "top total under until whose without youngest",
    )
    | NEGATIONS
)
"""Words that change what is asked; never passed over."""
PREPOSITIONS: Final = words_of(
    "about against alongside among around as at by during for from in inside into near of on onto through to",
    "under via with within",
)
"""Prepositions that join a noun."""
PARTICLES: Final = words_of("across along around away back down forth in off on out over through together up")
"""Adverbs that make one verb with the verb in front of them: "went on", "came through"."""
WHO: Final = frozenset({"who", "that", "which", "whom"})
"""Relative pronouns."""
PLACING: Final = frozenset({"where", "whose"})
"""Words that open a clause of a thing's place or of what it has."""
AUXILIARIES: Final = words_of(
    "'re 's are be been being can could did do does get gets got had has have having is may might",
    "was were will would",
)
"""Auxiliary verbs and contracted forms."""
ADVERBS: Final = words_of(
    "all already also both currently each ever herself himself itself jointly just once recently still",
    "themselves",
)
"""Adverbs that may stand among auxiliaries."""
COMMANDS: Final = words_of(
    "list show find give get name identify return tell display provide retrieve fetch enumerate",
    "report determine me us out who what which are is was were all the do does did can you i want",
    "pull output print extract state specify indicate mention",
    "calculate compute need know state to see search look up for please every each everyone",
)
"""Words that a question opens with before it says what it asks for."""
MEASURING: Final = {
    **dict.fromkeys(("last", "lasts", "lasted", "lasting"), "length"),
    **dict.fromkeys(("cost", "costs", "costing"), "price"),
    "aged": "age",
    **dict.fromkeys(("weigh", "weighs", "weighed", "weighing"), "mass"),
}
"""Verbs that say how long, dear or heavy something is, with keys of ``cues.HINTS``."""
RUNNING: Final = words_of("ran run runs running went go goes going continued continuing")
"""Verbs that say with "for" how long something is."""
ENDING: Final = words_of("ended ends ending finished finishes finishing over completed")
"""Verbs that say with "in", "within" or "after" how long something was."""
SPANS: Final = words_of("seconds minutes hours days weeks months years")
"""Units of time."""
LOCATING: Final = words_of("situated located based sited stationed lies stands")
"""Words of types that tie things to where they are."""
LYING: Final = words_of("lie lies lay lying sit sits sat stand stands stood located situated found placed")
"""Verbs that say no more than where something is."""
RANKED: Final = LYING | words_of(
    "last lasts lasted run runs ran take takes took live lives lived dwell dwells reside resides happen",
    "happens happened occur occurs occurred",
)
"""Verbs before a superlative that say no more than "is": "lasted longest", "lies furthest north"."""
NO_VERB: Final = words_of("and or but somebody someone anybody anyone")
"""Words that are no verb, though the schema may not know them."""
UNITS: Final = words_of(
    "seconds minutes hours days weeks months years grams kilograms kg tons tonnes pounds dollars euros",
)
"""Units behind a number, as far as they are said in the plural."""
VAGUE: Final = words_of("associated attached connected linked related tied")
"""Participles before "with" or "to" that say nothing of the relation that they stand for."""
TIES: Final = frozenset(
    form
    for noun in ("relationship", "relation", "link", "connection", "tie", "bond", "association")
    for form in (noun, f"{noun}s")
)
"""Nouns for what joins two, with the relation's own name in front of them."""
TRAILING: Final = words_of(
    "applied available given included involved listed present recorded registered stored",
)
"""Participles behind a noun that say only that it is there."""
NOTED: Final = words_of(
    "actual documented existing individual known listed logged noted recorded registered relevant reported",
    "respective said stored whole",
)
"""Words in front of a noun that say only that it is there."""
NAMING: Final = frozenset({"named", "called", "titled", "labelled", "labeled", "christened", "dubbed"})
"""Participles that give the noun right in front of them its name."""
