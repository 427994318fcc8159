"""A verb with its sides: from which end of a relation it is said, and of whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cypher.semantics.chart.forms import Features
from cypher.semantics.chart.lexemes import Lexeme
from cypher.semantics.chart.settle import role
from cypher.semantics.chart.ways import Way
from cypher.semantics.schema_paths import Path, Step

_ROLES: Final = {"from": "doing", "to": "done"}


@dataclass(frozen=True, slots=True)
class Verb:
    """A relation's words up to ``end``; its types, with their sides and scores."""

    end: int
    lexemes: tuple[Lexeme, ...]
    word: str = ""
    """The preposition behind it."""
    passive: bool = False
    turned: bool = False
    """Whether it is passive by its form alone, so that its words are said from the other side."""
    done: bool = False
    """Whether it is a participle behind "is" or "was", whatever preposition follows but "by"."""


def revisits(way: Way, bridge: Path) -> int:
    """How many labels of a way a bridge behind it comes back to."""
    passed = {way.start, *(step.to for step in way.path)}
    return sum(step.to in passed for step in bridge)


def turns(step: Step, following: Step) -> bool:
    """Whether a way goes back over the type that it came by."""
    return step.type == following.type and step.forward != following.forward


def fits(verb: Verb, lexeme: Lexeme, way: Way) -> bool:
    """Whether a relation between things of one kind is walked from the right end."""
    if way.own and not way.alike:
        return True
    if not way.own:
        suffered = verb.passive or verb.done or verb.word == "from"
        return role(lexeme.name) == ("done" if suffered else "doing")
    flipped = verb.word == "by"
    said_from_start = lexeme.side != -1
    return (said_from_start != flipped) == way.forward


def said_by(verb: Verb, lexeme: Lexeme, way: Way) -> Features:
    out: Features = (("c_relation", lexeme.score),)
    astray = ((lexeme.side == 1) != way.forward) != verb.turned
    if not (way.alike or way.start == way.end) and lexeme.side and not verb.passive and astray:
        out = (*out, ("c_side", 1.0))
    if role(lexeme.name) == "doing" and does_itself(verb, way):
        out = (*out, ("c_side", 1.0))
    if not way.own:
        out = (*out, ("c_doubled", 1.0))
    elif verb.word in _ROLES and role(lexeme.name) not in ("", _ROLES[verb.word]):
        out = (*out, ("c_side", 1.0))
    if verb.word and (
        verb.word in lexeme.name.lower().split("_") or role(lexeme.name) == _ROLES.get(verb.word)
    ):
        out = (*out, ("c_preposition", 1.0))
    return out


def does_itself(verb: Verb, way: Way) -> bool:
    """Whether what is done something is taken for who does it: "(which phones) were rung on 3 May"."""
    suffered = verb.done and verb.word not in _ROLES
    doing = way.own and not way.forward and role(way.path[0].type) == "doing"
    return both_roles(verb) and suffered and doing


def both_roles(verb: Verb) -> bool:
    """Whether a verb is said of who does it and of what it is done to."""
    return {"doing", "done"} <= {role(x.name) for x in verb.lexemes}
