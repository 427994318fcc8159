"""Conditions and measures in a hundred wordings: each is read as the plainest one."""

from __future__ import annotations

import pytest

from tests.cypher.ways import READER, filled, read, two_of

DENIED = (
    {
        "n": "sailors",
        "one": "sailor",
        "v": "own a ship",
        "v3": "owns a ship",
        "vi": "owning a ship",
        "noun": "ship",
        "ns": "ships",
    },
    {
        "n": "sailors",
        "one": "sailor",
        "v": "know Ann Moss",
        "v3": "knows Ann Moss",
        "vi": "knowing Ann Moss",
        "noun": "",
        "ns": "",
    },
)
DENIED_SAID = (
    "Which {n} do not {v}?",
    "Which {n} don't {v}?",
    "What {n} do not {v}?",
    "Find {n} that do not {v}.",
    "Find all {n} who don't {v}.",
    "Find the {n} that never {v}.",
    "List all {n} except those that {v}.",
    "List the {n} other than those that {v}.",
    "List {n} without {vi}.",
    "List {n} not {vi}.",
    "Which of the {n} do not {v}?",
    "Which {n} fail to {v}?",
    "Find each {one} that does not {v}.",
    "Find every {one} who doesn't {v}.",
    "Give me the {n} which do not {v}.",
    "Give me {n} that have no {noun}.",
    "Which {n} have no {noun}?",
    "Which {n} have no {ns}?",
    "Which {n} lack a {noun}?",
    "Which {n} are without a {noun}?",
    "Which {n} do not have any {ns}?",
    "Which {n} don't have a {noun}?",
    "Excluding those that {v}, list the {n}.",
    "Who among the {n} does not {v}?",
    "Name the {n} that do not {v} at all.",
    "Return {n} who do not {v}.",
    "Return all {n} for which it is not the case that they {v}.",
    "Are there {n} that do not {v}? List them.",
)
COMPARED = (
    {"n": "sailors", "one": "sailor", "att": "age", "x": "30"},
    {"n": "ships", "one": "ship", "att": "tonnage", "x": "500"},
    {"n": "voyages", "one": "voyage", "att": "duration", "x": "12"},
)
COMPARED_SAID = (
    "Which {n} have a {att} of more than {x}?",
    "Which {n} have a {att} greater than {x}?",
    "Which {n} have a {att} larger than {x}?",
    "Which {n} have a {att} higher than {x}?",
    "Which {n} have a {att} above {x}?",
    "Which {n} have a {att} over {x}?",
    "Which {n} have a {att} exceeding {x}?",
    "Which {n} have a {att} that exceeds {x}?",
    "Which {n} have a {att} that is greater than {x}?",
    "Which {n} have a {att} bigger than {x}?",
    "Which {n} have a {att} > {x}?",
    "Which {n} have a {att} which is more than {x}?",
    "Which {n}' {att} is more than {x}?",
    "Which {n} have {att} more than {x}?",
    "Which {n} have {att} greater than {x}?",
    "Find {n} with a {att} greater than {x}.",
    "Find {n} with {att} greater than {x}.",
    "Find {n} with {att} > {x}.",
    "Find {n} with {att} over {x}.",
    "Find {n} whose {att} is greater than {x}.",
    "Find {n} whose {att} is over {x}.",
    "Find {n} whose {att} is above {x}.",
    "Find {n} whose {att} exceeds {x}.",
    "Find {n} whose {att} is more than {x}.",
    "Find {n} whose {att} is higher than {x}.",
    "Find {n} where the {att} is greater than {x}.",
    "Find {n} where the {att} is above {x}.",
    "Find {n} where {att} is greater than {x}.",
    "Find {n} for which the {att} is greater than {x}.",
    "Find {n} having a {att} greater than {x}.",
    "Find {n} having {att} above {x}.",
    "Find all {n} that have a {att} of over {x}.",
    "Find every {one} that has a {att} above {x}.",
    "Find the {n} of {att} greater than {x}.",
    "Find {n} with more than {x} as {att}.",
    "Find {n} with a {att} that is higher than {x}.",
    "Find {n} that exceed a {att} of {x}.",
    "Find {n} which exceed {x} in {att}.",
    "Find {n} that are above {x} in {att}.",
    "List the {n} with a {att} beyond {x}.",
    "List the {n} with a {att} in excess of {x}.",
    "List the {n} with a {att} surpassing {x}.",
    "Which {one} has a {att} of more than {x}?",
    "Which {one} has a {att} greater than {x}?",
    "{n} with a {att} greater than {x}",
    "{n} whose {att} is greater than {x}?",
    "Of the {n}, which have a {att} greater than {x}?",
    "Show {n} if their {att} is greater than {x}.",
)
AVERAGED = (
    {"att": "age", "ats": "ages", "n": "sailors", "r": "who know Ann Moss"},
    {"att": "duration", "ats": "durations", "n": "voyages", "r": "made by Kestrel"},
    {"att": "tonnage", "ats": "tonnages", "n": "ships", "r": "registered in Hull"},
)
AVERAGED_SAID = (
    "What is the average {att} of the {n} {r}?",
    "What is the average {att} of {n} {r}?",
    "What is the average {att} for {n} {r}?",
    "What is the average {att} among {n} {r}?",
    "What is the mean {att} of {n} {r}?",
    "What's the average {att} of all {n} {r}?",
    "What is the average of the {ats} of {n} {r}?",
    "What is the average of the {att} of {n} {r}?",
    "What is the mean of the {ats} of the {n} {r}?",
    "What {att} do {n} {r} have on average?",
    "What is the {att} of {n} {r} on average?",
    "On average, what is the {att} of {n} {r}?",
    "On average, what {att} do {n} {r} have?",
    "Average {att} of {n} {r}",
    "Average {att} of {n} {r}?",
    "The average {att} of {n} {r}?",
    "Give the average {att} of {n} {r}.",
    "Give me the average {att} of the {n} {r}.",
    "Give me the mean {att} of all {n} {r}.",
    "Find the average {att} of {n} {r}.",
    "Find the average {att} of all the {n} {r}.",
    "Find the mean {att} of {n} {r}.",
    "Calculate the average {att} of {n} {r}.",
    "Calculate the mean {att} of {n} {r}.",
    "Compute the average {att} of {n} {r}.",
    "Compute the average of the {ats} of {n} {r}.",
    "Determine the average {att} of {n} {r}.",
    "Return the average {att} of {n} {r}.",
    "Return the average of {att} for {n} {r}.",
    "Show the average {att} of {n} {r}.",
    "Tell me the average {att} of {n} {r}.",
    "Provide the average {att} of {n} {r}.",
    "Get the average {att} of {n} {r}.",
    "List the average {att} of {n} {r}.",
    "Report the mean {att} of {n} {r}.",
    "Identify the average {att} of {n} {r}.",
    "I want to know the average {att} of {n} {r}.",
    "Can you compute the average {att} of {n} {r}?",
    "For {n} {r}, what is the average {att}?",
    "For all {n} {r}, calculate the average {att}.",
    "Of the {n} {r}, what is the average {att}?",
    "Considering {n} {r}, what is their average {att}?",
    "Average the {att} of {n} {r}.",
    "Average the {ats} of {n} {r}.",
    "Find {n} {r} and return their average {att}.",
    "Find the {n} {r} and compute their average {att}.",
    "What average {att} do {n} {r} have?",
    "Which average {att} do {n} {r} have?",
    "What would be the average {att} of {n} {r}?",
    "What is the typical {att} of {n} {r}?",
    "How high is the average {att} of {n} {r}?",
    "How large is the mean {att} of {n} {r}?",
    "What is the overall average {att} of {n} {r}?",
    "What is the arithmetic mean of the {att} of {n} {r}?",
)
FOUND = (
    {
        "n": "sailors",
        "one": "sailor",
        "r": "who know Ann Moss",
        "r1": "who knows Ann Moss",
        "f": "know Ann Moss",
        "f1": "know Ann Moss",
    },
    {"n": "ships", "one": "ship", "r": "registered in Hull", "r1": "registered in Hull", "f": "", "f1": ""},
    {
        "n": "ferries",
        "one": "ferry",
        "r": "that made a delayed voyage",
        "r1": "that made a delayed voyage",
        "f": "make a delayed voyage",
        "f1": "make a delayed voyage",
    },
)
FOUND_SAID = (
    "Are there any {n} {r}?",
    "Are there {n} {r}?",
    "Is there a {one} {r1}?",
    "Is there any {one} {r1}?",
    "Do any {n} {f}?",
    "Does any {one} {f1}?",
    "Does a {one} {f1}?",
    "Does at least one {one} {f1}?",
    "Do we have {n} {r}?",
    "Do we have any {n} {r}?",
    "Do {n} {r} exist?",
    "Does a {one} {r1} exist?",
    "Is there at least one {one} {r1}?",
    "Is there some {one} {r1}?",
    "Are there some {n} {r}?",
    "Can you tell me if there are any {n} {r}?",
    "Tell me whether there are {n} {r}.",
    "Check whether there is a {one} {r1}.",
    "Check if there are {n} {r}.",
    "Verify that there is a {one} {r1}.",
    "Find out whether there are any {n} {r}.",
    "Find out if any {n} {f}.",
    "Determine if there are {n} {r}.",
    "Determine whether any {one} {r1} exists.",
    "I want to know if there are {n} {r}.",
    "Is it true that there are {n} {r}?",
    "Is it the case that there is a {one} {r1}?",
    "Any {n} {r}?",
    "Does there exist a {one} {r1}?",
    "Do there exist {n} {r}?",
)
EITHER = (
    {
        "n": "sailors",
        "one": "sailor",
        "a": "know Ann Moss",
        "a1": "knows Ann Moss",
        "b": "live in Hull",
        "b1": "lives in Hull",
    },
    {
        "n": "ships",
        "one": "ship",
        "a": "are ferries",
        "a1": "is a ferry",
        "b": "are registered in Hull",
        "b1": "is registered in Hull",
    },
)
EITHER_SAID = (
    "Which {n} {a} or {b}?",
    "Which {n} either {a} or {b}?",
    "Find {n} that {a} or {b}.",
    "Find {n} that either {a} or {b}.",
    "Find {n} that {a} or that {b}.",
    "Find the {n} who {a}, or who {b}.",
    "Find all {n} which {a} or which {b}.",
    "Find all {n} that {a}, or {b}, or both.",
    "Find each {one} that {a1} or {b1}.",
    "Find any {one} that {a1} or that {b1}.",
    "Which {one} {a1} or {b1}?",
    "Which {one} either {a1} or {b1}?",
    "List {n} that {a} or else {b}.",
    "List {n} that {a} and those that {b}.",
    "List both the {n} that {a} and those that {b}.",
    "List {n} that {a} as well as those that {b}.",
    "List {n} that {a} and/or {b}.",
    "Return {n} which {a} or alternatively {b}.",
    "Show the {n} that {a} plus those that {b}.",
)


def check(template: str, templates: tuple[str, ...], bodies: tuple[dict[str, str], ...], plain: str) -> None:
    """Two of the bodies, said by the template, are read as the plain question."""
    for told in two_of(bodies, templates, template):
        if question := filled(template, told):
            assert read(question) == read(plain.format(**told)), question


@pytest.mark.parametrize("template", DENIED_SAID)
def test_what_is_denied(template: str) -> None:
    check(template, DENIED_SAID, DENIED, "List the {n} that do not {v}.")


@pytest.mark.parametrize("template", COMPARED_SAID)
def test_what_is_compared(template: str) -> None:
    check(template, COMPARED_SAID, COMPARED, "List the {n} with a {att} above {x}.")


@pytest.mark.parametrize("template", AVERAGED_SAID)
def test_averages(template: str) -> None:
    check(template, AVERAGED_SAID, AVERAGED, "What is the average {att} of the {n} {r}?")


@pytest.mark.parametrize("template", FOUND_SAID)
def test_whether_there_is_any(template: str) -> None:
    check(template, FOUND_SAID, FOUND, "Are there any {n} {r}?")


@pytest.mark.parametrize("template", EITHER_SAID)
def test_either_of_two(template: str) -> None:
    check(template, EITHER_SAID, EITHER, "List the {n} that either {a} or {b}.")


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("List the sailors that do not own a ship.", "NOT EXISTS { MATCH (n0)-[:`OWNS`]->(n1:`Ship`) }"),
        ("List the ships with a tonnage above 500.", "WHERE n0.`tonnage` > $p0"),
        ("What is the average tonnage of the ships?", "RETURN avg(n0.`tonnage`)"),
        ("Are there any ships registered in Hull?", "RETURN count(*) > 0 AS `answer`"),
        (
            "List the sailors that either own a ferry or live in Hull.",
            " OR EXISTS { MATCH (n0)-[:`LIVES_IN`]",
        ),
    ],
)
def test_the_plain_questions_themselves(question: str, part: str) -> None:
    written = READER.read(question).written
    assert written is not None
    assert part in " ".join(written.text.split())


def test_there_is_no_mean_of_text() -> None:
    reading = READER.read("What is the average kind of ships?")
    assert all("avg(" not in READER.write(c.query).text for c in reading.candidates)
    assert reading.confidence < 0.5
    mean = READER.read("What is the average tonnage of ships?").written
    assert mean is not None
    assert "avg(n0.`tonnage`)" in mean.text
