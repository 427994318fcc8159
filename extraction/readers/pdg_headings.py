"""Headings of particles that repeat another's: the decay modes below them tell whose they are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from extraction.readers.pdg_tables import Quantity

_ARROW = " -->"


def own_headings(quantities: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """The quantities with every particle under its own name.

    Where two particles have one heading, and all modes of one of them decay from another particle, that
    particle's name takes the heading's place in the texts of all its quantities.

    >>> rows = [("A1", "P(1)+", "PART"), ("A2", "P(1)+", "PART"), ("A2M", "P(1)+ MASS", "M")]
    >>> rows += [("A1.1", "P(1)+ --> p K", "BF"), ("A2.1", "P(2)0 --> p K", "BF")]
    >>> made = own_headings({r[0]: Quantity(r[0], None, r[1], None, r[2]) for r in rows})
    >>> made["A1"].description, made["A2"].description, made["A2M"].description
    ('P(1)+', 'P(2)0', 'P(2)0 MASS')
    """
    particles = [q for q in quantities.values() if q.data_type == "PART"]
    repeated = {d for d, n in Counter(q.description for q in particles).items() if n > 1}
    heads = {q.pdgid: q.description for q in particles if q.description in repeated}
    parents: dict[str, set[str]] = defaultdict(set)
    for q in quantities.values():
        head = q.pdgid.partition(".")[0]
        if head in heads and q.data_type.startswith("BF") and _ARROW in q.description:
            parents[head].add(q.description.partition(_ARROW)[0])
    others = {h: names.pop() for h, names in parents.items() if len(names) == 1 and heads[h] not in names}
    return {k: _renamed(q, heads, others) for k, q in quantities.items()}


def _renamed(quantity: Quantity, heads: Mapping[str, str], others: Mapping[str, str]) -> Quantity:
    head = next((h for h in others if quantity.pdgid.startswith(h)), None)
    if head is None:
        return quantity
    return quantity._replace(description=quantity.description.replace(heads[head], others[head]))
