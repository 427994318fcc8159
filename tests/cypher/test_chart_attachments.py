"""What belongs to which verb and noun, on an invented graph of skippers, radios and berths."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher.semantics.reader import SemanticReader
from cypher.semantics.values import ValueTable
from tests.cypher.small_schemas import invented_graph

SCHEMA, STORED = invented_graph("""
    Skipper 40: name, surname
    Radio 40: callsign
    Message 40 unnamed: message_kind, message_date, message_time
    Berth 40: title
    Chart 40: sheet
    Harbour 40: name
    Boat 40: name
    Parcel 40: label
    Tug 40: name, class
    (Skipper)-[HAS_RADIO 20]->(Radio), (Message)-[SENT_BY 20]->(Radio), (Message)-[RECEIVED_BY 20]->(Radio)
    (Skipper)-[MOORS_AT 20]->(Berth), (Berth)-[LIES_IN_HARBOUR 20]->(Harbour), (Berth)-[HAS_CHART 20]->(Chart)
    (Chart)-[CHART_OF_HARBOUR 20]->(Harbour), (Skipper)-[SAILED 20]->(Boat), (Skipper)-[REPAIRED 20]->(Boat)
    (Skipper)-[TRUSTS 20]->(Skipper), (Parcel)-[SHIPPED_TO 20]->(Harbour)
    (Parcel)-[SHIPPED_FROM 20]->(Harbour), (Skipper)-[STEERS 20]->(Tug), (Tug)-[BERTHED_IN 20]->(Harbour)

    Skipper.name: Martin
    Skipper.surname: Martin
    Skipper.name: Ines
    Skipper.surname: Vidal
    Radio.callsign: KX41
    Message.message_kind: Mayday | Weather
    Message.message_date: 03/09/2021 | 04/09/2021
    Message.message_time: 06:40
    Berth.title: North Quay 3
    Chart.sheet: S-12
    Harbour.name: Aldport
    Boat.name: Petrel
    Tug.name: Hercule
    Tug.class: Ocean | River
""")
READER = SemanticReader(SCHEMA, ValueTable(STORED))


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which radios sent or received messages of kind 'Mayday'?",
            "(n0:Radio) WHERE (EXISTS { MATCH (n1:Message)-[:SENT_BY]->(n0) WHERE n1.message_kind = "
            "'Mayday' } OR EXISTS { MATCH (n2:Message)-[:RECEIVED_BY]->(n0) WHERE n2.message_kind = "
            "'Mayday' }) RETURN DISTINCT n0.callsign AS callsign",
        ),
        (
            "Which messages were sent or received by the radio KX41?",
            "(n0:Message) WHERE (EXISTS { MATCH (n0)-[:SENT_BY]->(n1:Radio) WHERE n1.callsign = "
            "'KX41' } OR EXISTS { MATCH (n0)-[:RECEIVED_BY]->(n2:Radio) WHERE n2.callsign = 'KX41' "
            "}) RETURN DISTINCT n0 AS node",
        ),
        (
            "Which skippers sailed and repaired the Petrel?",
            "(n0:Skipper)-[:SAILED]->(n1:Boat), (n0)-[:REPAIRED]->(n2:Boat) WHERE n1.name = 'Petrel' "
            "AND n2.name = 'Petrel' RETURN DISTINCT n0.name AS name",
        ),
        (
            "Which messages did the radio KX41 send or receive?",
            "(n0:Message) WHERE (EXISTS { MATCH (n0)-[:SENT_BY]->(n1:Radio) WHERE n1.callsign = "
            "'KX41' } OR EXISTS { MATCH (n0)-[:RECEIVED_BY]->(n2:Radio) WHERE n2.callsign = 'KX41' "
            "}) RETURN DISTINCT n0 AS node",
        ),
        (
            "List the boats that Ines Vidal sailed or repaired.",
            "(n0:Boat) WHERE (EXISTS { MATCH (n1:Skipper)-[:SAILED]->(n0) WHERE n1.name = 'Ines' AND "
            "n1.surname = 'Vidal' } OR EXISTS { MATCH (n2:Skipper)-[:REPAIRED]->(n0) WHERE n2.name = "
            "'Ines' AND n2.surname = 'Vidal' }) RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_verbs_share_what_they_are_done_to_or_by(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "What is the message date of the 'Mayday' message sent on '03/09/2021' at '06:40'?",
            "(n0:Message) WHERE n0.message_kind = 'Mayday' AND split(n0.message_date, '/')[2] + '-' + "
            "right('0' + split(n0.message_date, '/')[1], 2) + '-' + right('0' + "
            "split(n0.message_date, '/')[0], 2) = '2021-09-03' AND n0.message_time = '06:40' RETURN DISTINCT "
            "n0.message_date AS message_date",
        ),
        (
            "Which radio sent a message with message kind 'Mayday' and message time '06:40'?",
            "(n1:Message)-[:SENT_BY]->(n0:Radio) WHERE n1.message_kind = 'Mayday' AND "
            "n1.message_time = '06:40' RETURN DISTINCT n0.callsign AS callsign",
        ),
        (
            "Which skipper trusts another skipper who has a radio that sent a message with message "
            "kind 'Mayday' and message time '06:40'?",
            "(n0:Skipper)-[:TRUSTS]->(n1:Skipper), (n1)-[:HAS_RADIO]->(n2:Radio), "
            "(n3:Message)-[:SENT_BY]->(n2) WHERE n3.message_kind = 'Mayday' AND n3.message_time = "
            "'06:40' RETURN DISTINCT n0.name AS name",
        ),
    ],
)
def test_days_are_of_what_happens_not_things_that_a_verb_is_done_to(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which harbour is associated with the chart S-12?",
            "(n1:Chart)-[:CHART_OF_HARBOUR]->(n0:Harbour) WHERE n1.sheet = 'S-12' RETURN DISTINCT "
            "n0.name AS name",
        ),
        (
            "List the charts linked to Aldport.",
            "(n0:Chart)-[:CHART_OF_HARBOUR]->(n1:Harbour) WHERE n1.name = 'Aldport' RETURN DISTINCT "
            "n0.sheet AS sheet",
        ),
        (
            "What is the title of the berth where the chart S-12 is found?",
            "(n0:Berth)-[:HAS_CHART]->(n1:Chart) WHERE n1.sheet = 'S-12' RETURN DISTINCT n0.title AS title",
        ),
        (
            "Which harbour is the berth North Quay 3 located in?",
            "(n1:Berth)-[:LIES_IN_HARBOUR]->(n0:Harbour) WHERE n1.title = 'North Quay 3' RETURN "
            "DISTINCT n0.name AS name",
        ),
    ],
)
def test_verbs_that_name_no_relation_take_the_nearest(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "What is the surname of the skipper named Martin?",
            "(n0:Skipper) WHERE n0.name = 'Martin' RETURN DISTINCT n0.surname AS surname",
        ),
        (
            "Show the skipper nodes that have a radio.",
            "(n0:Skipper)-[:HAS_RADIO]->(n1:Radio) RETURN DISTINCT n0.name AS name",
        ),
        (
            "What is the callsign of the Radio node that sent a 'Weather' message?",
            "(n1:Message)-[:SENT_BY]->(n0:Radio) WHERE n1.message_kind = 'Weather' RETURN DISTINCT "
            "n0.callsign AS callsign",
        ),
    ],
)
def test_names_and_nodes(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which parcels were shipped to or from Aldport?",
            "(n0:Parcel) WHERE (EXISTS { MATCH (n0)-[:SHIPPED_TO]->(n1:Harbour) WHERE n1.name = "
            "'Aldport' } OR EXISTS { MATCH (n0)-[:SHIPPED_FROM]->(n2:Harbour) WHERE n2.name = "
            "'Aldport' }) RETURN DISTINCT n0.label AS label",
        ),
        (
            "List the parcels shipped from or to the harbour Aldport.",
            "(n0:Parcel) WHERE (EXISTS { MATCH (n0)-[:SHIPPED_FROM]->(n1:Harbour) WHERE n1.name = "
            "'Aldport' } OR EXISTS { MATCH (n0)-[:SHIPPED_TO]->(n2:Harbour) WHERE n2.name = "
            "'Aldport' }) RETURN DISTINCT n0.label AS label",
        ),
    ],
)
def test_prepositions_share_a_verb_and_its_object(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "How many 'Mayday' kind messages are there?",
            "(n0:Message) WHERE n0.message_kind = 'Mayday' RETURN count(DISTINCT n0) AS count",
        ),
        (
            "Who steers a River class tug?",
            "(n0:Skipper)-[:STEERS]->(n1:Tug) WHERE n1.class = 'River' RETURN DISTINCT n0.name AS name",
        ),
        (
            "What is the message kind of the message sent on the date '03/09/2021' at the time '06:40'?",
            "(n0:Message)-[:SENT_BY]->(n1:Radio) WHERE n0.message_date = '03/09/2021' AND "
            "n0.message_time = '06:40' RETURN DISTINCT n0.message_kind AS message_kind",
        ),
        (
            "What is the message kind of the message sent on date '03/09/2021'?",
            "(n0:Message)-[:SENT_BY]->(n1:Radio) WHERE n0.message_date = '03/09/2021' RETURN "
            "DISTINCT n0.message_kind AS message_kind",
        ),
    ],
)
def test_values_with_the_name_of_their_property(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which berths are in the same harbour as the berth North Quay 3?",
            "(n0:Berth)-[:LIES_IN_HARBOUR]->(n1:Harbour), (n2:Berth)-[:LIES_IN_HARBOUR]->(n1) WHERE "
            "n2.title = 'North Quay 3' RETURN DISTINCT n0.title AS title",
        ),
    ],
)
def test_the_same_place_is_that_of_both_by_one_relation(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "Which radios sent on '03/09/2021'?",
            "(n1:Message)-[:SENT_BY]->(n0:Radio) WHERE n1.message_date = '03/09/2021' RETURN "
            "DISTINCT n0.callsign AS callsign",
        ),
    ],
)
def test_a_day_is_of_the_nearest_event(question: str, cypher: str, shown: Callable[[str], str]) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher


@pytest.mark.parametrize(
    ("question", "cypher"),
    [
        (
            "How many skippers were trusted by a skipper steering the Hercule?",
            "(n1:Skipper)-[:TRUSTS]->(n0:Skipper), (n1)-[:STEERS]->(n2:Tug) WHERE n2.name = 'Hercule' "
            "RETURN count(DISTINCT n0) AS count",
        ),
        (
            "How many berths have a chart of a harbour in which a skipper without a radio moors?",
            "(n0:Berth)-[:HAS_CHART]->(n1:Chart), (n1)-[:CHART_OF_HARBOUR]->(n2:Harbour), "
            "(n3:Berth)-[:LIES_IN_HARBOUR]->(n2), (n4:Skipper)-[:MOORS_AT]->(n3) WHERE NOT EXISTS { MATCH "
            "(n4)-[:HAS_RADIO]->(n5:Radio) } RETURN count(DISTINCT n0) AS count",
        ),
        (
            "Number of messages with message kind 'Mayday' or 'Weather' that were sent by the radio KX41?",
            "(n0:Message)-[:SENT_BY]->(n1:Radio) WHERE n0.message_kind IN ('Mayday', 'Weather') AND "
            "n1.callsign = 'KX41' RETURN count(DISTINCT n0) AS count",
        ),
    ],
)
def test_what_stands_behind_belongs_to_the_nearest_noun_but_to_both_values(
    question: str, cypher: str, shown: Callable[[str], str]
) -> None:
    assert shown(question).removeprefix("MATCH ") == cypher
