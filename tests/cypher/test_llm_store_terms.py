"""What a superlative asks of a model's query to any store, where only names tell what its numbers are."""

from __future__ import annotations

import pytest

from cypher.generation.grounding import ground
from cypher.generation.ports import Hints
from cypher.generation.reply import Written
from cypher.generation.schema_text import describe
from cypher.generation.terms import Subject, Terms
from cypher.semantics.lexicon import RelationWords, Verbalisation
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)


def _property(name: str, kind: PropertyType) -> StoreProperty:
    return StoreProperty(name=name, type=kind)


SCHEMA = StoreSchema(
    labels=(
        StoreLabel(
            name="Brewer",
            properties=(
                _property("lastName", PropertyType.STRING),
                _property("age", PropertyType.INTEGER),
            ),
        ),
        StoreLabel(
            name="Beer",
            properties=(
                _property("name", PropertyType.STRING),
                _property("price", PropertyType.FLOAT),
                _property("releasedOn", PropertyType.DATE),
            ),
        ),
    ),
    relations=(StoreRelation(type="BREWS"),),
    triples=(StoreTriple(start="Brewer", type="BREWS", end="Beer"),),
)
MATCH = "MATCH (b:Brewer)-[:BREWS]->(x:Beer) "


@pytest.mark.parametrize(
    ("question", "query", "faithful"),
    [
        ("Which beer has the highest price?", "RETURN x.name ORDER BY x.price DESC LIMIT 1", True),
        ("Which beer has the highest price?", "RETURN x.name ORDER BY x.price LIMIT 1", False),
        ("Which beer has the highest price?", "RETURN x.name ORDER BY x.releasedOn DESC LIMIT 1", False),
        ("Who is the oldest brewer?", "RETURN b.lastName ORDER BY b.age DESC LIMIT 1", True),
        ("Who is the oldest brewer?", "RETURN b.lastName ORDER BY b.age LIMIT 1", False),
        ("Who has the highest age?", "RETURN b.lastName ORDER BY b.age DESC LIMIT 1", True),
        ("Who has the highest age?", "RETURN b.lastName ORDER BY b.age LIMIT 1", False),
        ("the lowest age of brewers", "RETURN min(b.age)", True),
        ("the maximum age of brewers", "RETURN max(b.age)", True),
        ("the maximum age of brewers", "RETURN min(b.age)", False),
        ("the oldest beer", "RETURN x.name ORDER BY x.releasedOn LIMIT 1", True),
        ("the oldest beer", "RETURN x.name ORDER BY x.releasedOn DESC LIMIT 1", False),
        ("the latest beer", "RETURN x.name ORDER BY x.releasedOn DESC LIMIT 1", True),
        ("the last name of brewers", "RETURN b.lastName", True),
        ("Who brews the most beers?", "RETURN b.lastName, count(x) AS n ORDER BY n DESC LIMIT 1", True),
        ("Who brews the most beers?", "RETURN b.lastName ORDER BY x.price DESC LIMIT 1", False),
        ("the most costly beer", "RETURN x.name ORDER BY x.price DESC LIMIT 1", True),
        ("the most costly beer", "RETURN x.name ORDER BY x.price LIMIT 1", False),
        ("the most costly beer", "RETURN x.name ORDER BY x.name DESC LIMIT 1", False),
        ("Who makes beer?", "RETURN b.lastName", True),
        ("Who drinks beer?", "RETURN b.lastName", False),
        ("Who brews beer in Bonn?", "RETURN b.lastName", False),
    ],
)
def test_a_query_does_what_the_words_ask(question: str, query: str, faithful: bool) -> None:
    said = Verbalisation(
        properties={"Beer.price": ("costly",)}, relations={"BREWS": RelationWords(forward=("makes",))}
    )
    terms = Terms.of_store(SCHEMA, said)
    found = ground(question, Written(True, query=MATCH + query), terms=terms, hints=Hints())
    assert found.faithful is faithful, (found.left, found.rankings)


def test_words_that_somebody_gave_stand_beside_the_names() -> None:
    said = Verbalisation(labels={"Beer": ("ale",)}, properties={"price": ("cost",)})
    subject = Subject.of_store(SCHEMA, said)
    assert subject.schema.triples == SCHEMA.triples
    assert subject.terms.words["Beer"] == ("beer", "ale")
    assert subject.terms.words["price"] == ("price", "cost")
    assert subject.terms.words["lastName"] == ("last name",)
    assert len(subject.terms.measures.fixed) == 1


def test_a_prompt_tells_kinds_and_nobody_s_own_values() -> None:
    texts = {
        "name": (("Ann", "Bo"), 1000),
        "phone": (("17", "18", "19"), 3),
        "kind": (("cook", "baker"), 4),
        "uncounted": (("x", "y"), 0),
    }
    properties = tuple(
        StoreProperty(name=n, type=PropertyType.STRING, values=values, count=count)
        for n, (values, count) in texts.items()
    )
    person = StoreLabel(name="Person", properties=properties, count=1000, name_property="name")
    knows = StoreRelation(type="KNOWS", properties=properties[1:3], count=1000)
    triple = StoreTriple(start="Person", type="KNOWS", end="Person")
    schema = StoreSchema(labels=(person,), relations=(knows,), triples=(triple,))
    assert describe(Subject.of_store(schema).schema).splitlines() == [
        "(:Person {name: string, phone: string, kind: string of 'cook', 'baker', uncounted: string})",
        "(:Person)-[:KNOWS {phone: string, kind: string of 'cook', 'baker'}]->(:Person)",
    ]
