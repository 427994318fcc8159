"""Decay modes as the Particle Data Group prints them, parsed and compared with its own decay table.

The gold is the table's rows: the parent, and each product as often as its multiplier says, step by step
where a mode is a chain. Inclusive modes, and modes with a row that is prose ("3-body", "+ c.c.",
"D-wave"), are counted apart. The LaTeX form is written with the names that the ``particle`` package has for
the rows' particle numbers, not from the printed mode: both ways into the parser are independent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.harness import benchmark
from extraction.readers.pdg_names import Names, tidy
from extraction.readers.pdg_tables import Item, Tables, load_tables
from schemas.language.notation import canonical_particle, make_decay, parse_chain, parse_decay
from schemas.language.particles import particle_table

_PROSE = re.compile(r".*\s.*|[^A-Za-z]*|.*(?:hadrons?|visible|neutrals?|modes?|semileptonic)|[a-z]{9,}|.*'s")
"""Rows that name no single particle: several words, bare numbers and brackets, words for "anything"."""
_MASS = re.compile(r"\(\d+\w?\)")
_MARKS = {"-->", ","}


@dataclass(frozen=True, slots=True)
class Step:
    """A parent and its products, as the table's rows have them."""

    parent: str
    products: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mode:
    """One printed mode with the steps of its rows; no steps where it is prose or inclusive."""

    printed: str
    steps: tuple[Step, ...]


def modes(tables: Tables) -> Iterator[Mode]:
    """All modes that have rows in the decay table."""
    names = Names(tables)
    for quantity in tables.quantities.values():
        rows = [(tables.items[row.item], row) for row in tables.decays.get(quantity.pdgid, ())]
        if not quantity.data_type.startswith("BF") or not rows:
            continue
        if not quantity.data_type.startswith("BFX") or any(_is_prose(item) for item, _ in rows):
            yield Mode(quantity.description, ())
            continue
        words: list[str] = []
        for item, row in rows:
            if item.name in _MARKS:
                words.append(item.name)
                continue
            name = names.item(row.item)
            words += [canonical_particle(name) or tidy(name)] * row.multiplier
            if not row.outgoing:
                words.append("-->")
        yield Mode(quantity.description, tuple(_steps(words)))


def _is_prose(item: Item) -> bool:
    if item.name in _MARKS:
        return False
    unbalanced = item.name.count("(") != item.name.count(")")
    return item.kind in {"L", "I"} or unbalanced or _PROSE.fullmatch(item.name) is not None


def _steps(words: Sequence[str]) -> Iterator[Step]:
    """``A --> b c --> d e , b --> f g`` as A to b c, A to d e, b to f g."""
    states: list[list[str]] = [[]]
    for word in (*words, ","):
        if word == ",":
            parent = states[0][0] if len(states[0]) == 1 else " ".join(states[0])
            yield from (Step(parent, tuple(state)) for state in states[1:] if state)
            states = [[]]
        elif word == "-->":
            states.append([])
        else:
            states[-1].append(word)


def latex(step: Step) -> str:
    """The step in LaTeX; empty where a name has no particle number."""
    from particle import InvalidParticle, Particle, ParticleNotFound

    written: list[str] = []
    for name in (step.parent, *step.products):
        state = particle_table().states.get(name)
        if state is None or state.mcid is None:
            return ""
        try:
            written.append(str(Particle.from_pdgid(state.mcid).latex_name))
        except (ParticleNotFound, InvalidParticle):
            return ""
    return rf"{written[0]} \to {' '.join(written[1:])}"


def main() -> None:
    """Score both notations."""
    with benchmark("decay_names") as record:
        every = list(modes(load_tables()))
        exclusive = [m for m in every if m.steps]
        wrong = [m for m in exclusive if _parsed(m.printed) != _gold(m)]
        right = len(exclusive) - len(wrong)
        naive = sum(_split(m.printed) == _gold(m) for m in exclusive)
        record.add(
            "round_trip",
            right / len(exclusive),
            "share",
            goal=">= 0.99",
            floor=f"{naive / len(exclusive):.3f} split at blanks",
            note=f"{right} of {len(exclusive)} exclusive modes; "
            f"{len(every) - len(exclusive)} of {len(every)} are inclusive or hold prose",
        )
        written = {latex(s): s for m in exclusive for s in m.steps}
        written.pop("", None)
        missed = [(t, s) for t, s in written.items() if _one(t) != make_decay(s.parent, s.products).name]
        record.add(
            "latex_round_trip",
            1 - len(missed) / len(written),
            "share",
            goal=">= 0.99",
            note=f"{len(written)} different decays whose particles all have a number",
        )
        record.notes.append("differ: " + "; ".join(m.printed for m in wrong[:40]))
        record.notes.append("differ in LaTeX: " + "; ".join(t for t, _ in missed[:20]))


def _split(text: str) -> tuple[str, ...]:
    """The floor: words between blanks, each as the table of particles spells it."""
    parent, _, products = text.partition("-->")
    words = [canonical_particle(word) or tidy(word) for word in (parent.strip(), *products.split())]
    return (make_decay(words[0], tuple(words[1:])).name,)


def _parsed(text: str) -> tuple[str, ...]:
    steps = parse_chain(text) or ()
    return tuple(_named(d.parent, d.children, of=steps[0].parent) for d in steps)


def _gold(mode: Mode) -> tuple[str, ...]:
    return tuple(_named(s.parent, s.products, of=mode.steps[0].parent) for s in mode.steps)


def _named(parent: str, products: Sequence[str], *, of: str) -> str:
    """Name of a step. Later parents are printed with or without their mass, the parser adds it."""
    decay = make_decay(parent, tuple(products))
    return decay.name if parent == of else f"{_MASS.sub('', decay.parent)} -> {' '.join(decay.children)}"


def _one(text: str) -> str:
    decay = parse_decay(text)
    return decay.name if decay else ""


if __name__ == "__main__":
    main()
