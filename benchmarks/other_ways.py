"""The same questions in other words: is a wording answered as the plain question is?

People were given plain questions with letters for names, and wrote each in other words: two of them on the
PDG listings in the voices of postdocs, librarians, theorists and journalists (``held``), two on two demo
graphs in those of traders, analysts and pupils (one ``dev``, one ``held``). Others wrote the ways of asking
that come with the schema of the listings (``schemas/catalog/particle_physics.ways``). No wording of ``held``
was read. A wording is right where its rows are those of the plain question, columns aside that only one has.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from benchmarks.harness import Recorder, benchmark
from benchmarks.own_demo import names_of
from benchmarks.pdg_build import FULL, run_build
from benchmarks.property_graphs import LOADERS, graph
from cypher.store_service import StoreQuestionService
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.adapters.neo4j_runner import Neo4jRunner
from kg.progress import SilentProgress
from kg.settings import read_environment
from kg.thesaurus_files import open_thesaurus
from kg.wiring import open_platform
from kg.workspace import Workspace
from schemas.model import Frozen
from schemas.questions import Answer, Outcome, Question, Value

FILE: Final = Path(__file__).resolve().parent / "other_ways.jsonl"
LIMIT: Final = 1_000
_SLOT: Final = re.compile(r"\{(\w+)\}")
_READ: Final = frozenset({Outcome.ANSWERED, Outcome.EMPTY_BUT_VALID})
Ask = Callable[[str], Answer]
Row = frozenset[str]


class Wording(Frozen):
    """One line of the file."""

    id: str
    graph: Literal["listings", "movies", "northwind"]
    part: Literal["dev", "held"]
    asked: str
    said: str

    @property
    def intent(self) -> str:
        """Which plain question it is of."""
        return self.id.split("-")[0]


LISTINGS: Final = {
    "Q": "B0 lifetime",
    "Q2": "B+ lifetime",
    "E": "LHCb",
    "E2": "Belle",
    "E3": "CDF",
    "Y": "2015",
    "Y2": "2020",
    "V": "174 GeV",
    "V2": "175 GeV",
    "D": "BR(tau- -> mu- gamma)",
    "R": "AAIJ 2012I",
    "P": "B_s0",
    "X": "J/psi(1S)",
    "Z": "phi(1020)",
    "N": "20",
}
"""What letters stand for in questions on the listings."""
OTHERWISE: Final[Mapping[str, dict[str, str]]] = {
    "p06": {"Q": "B_c+ mass"},
    "p08": {"Q": "top quark mass"},
    "p29": {"Q": "phi_s", "Q2": "Delta Gamma_s"},
    "p50": {"Q": "B_s0 lifetime"},
    "r07": {"Q": "top quark mass", "V": "172 GeV"},
    "r08": {"Q": "top quark mass", "V": "173 GeV"},
    "r09": {"Q": "top quark mass"},
    "r16": {"Q": "Delta m_d"},
    "r27": {"Q": "B_s0 mass", "V": "0.5 MeV"},
    **{key: {"Q": "Z mass", "Q2": "W mass"} for key in ("r28", "r29", "r30")},
    "r56": {"Y": "2010"},
    "r62": {"Q": "Delta m_s"},
    "m20": {"Y": "1950"},
    "m28": {"P": "Person.name:21"},
    "m29": {"Y": "1965"},
    "n06": {"N": "10"},
    "n11": {"N": "10"},
    "n19": {"N": "3"},
}
"""The same, where a question would find nothing else; names of demo graphs by their places."""
DEMO: Final = {
    "M": "Movie.title:26",
    "P": "Person.name:123",
    "P2": "Person.name:82",
    "Y": "1990",
    "Y2": "1996",
    "N": "5",
    "C": "Category.categoryName:7",
    "R": "Product.productName:5",
    "K": "Customer.companyName:3",
    "S": "Supplier.companyName:27",
    "L": "Customer.country:8",
    "L2": "Customer.country:7",
}


def read_wordings(file: Path = FILE) -> Iterator[Wording]:
    """All wordings, by question."""
    for line in file.read_text(encoding="utf-8").splitlines():
        yield Wording.model_validate(json.loads(line))


def filled(text: str, names: Mapping[str, str]) -> str:
    """The text with names in the places of letters.

    >>> filled("who measured {Q}", {"Q": "phi_s"})
    'who measured phi_s'
    """
    return _SLOT.sub(lambda m: names[m[1]], text)


def same(found: Sequence[Sequence[Value]], wanted: Sequence[Sequence[Value]]) -> bool:
    """Whether rows are the same but for columns that only one of the two has.

    >>> same([("a", 1), ("b", 2)], [("b",), ("a",)]), same([("a", 1)], [("a",), ("b",)])
    (True, False)
    """
    mine, theirs = _rows(found), _rows(wanted)
    if mine == theirs:
        return True
    if not mine or not theirs:
        return False
    if len(found) == len(wanted) and _shares_a_column(found, wanted):
        return True
    within = all(any(x <= y or y <= x for y in theirs) for x in mine)
    return within and all(any(x <= y or y <= x for y in mine) for x in theirs)


def _rows(rows: Sequence[Sequence[Value]]) -> set[Row]:
    return {frozenset(repr(c) for c in row if c is not None) for row in rows}


def _shares_a_column(found: Sequence[Sequence[Value]], wanted: Sequence[Sequence[Value]]) -> bool:
    """Whether a column of telling values is in both."""
    mine, theirs = (
        [Counter(map(repr, column)) for column in zip(*rows, strict=True)] for rows in (found, wanted)
    )
    return any((len(x) > 1 or len(found) == 1) and "None" not in x and x in theirs for x in mine)


def run(wordings: Sequence[Wording], ask: Ask, names: Callable[[str], Mapping[str, str]]) -> Counter[str]:
    """How many are answered as the plain question is, otherwise, or not at all.

    Plain questions that are not answered themselves are left out.
    """
    plain: dict[str, Answer] = {}
    counts: Counter[str] = Counter()
    for wording in wordings:
        given = names(wording.intent)
        if wording.intent not in plain:
            plain[wording.intent] = ask(filled(wording.asked, given))
        wanted = plain[wording.intent]
        if wanted.outcome not in _READ:
            counts["unread"] += 1
            continue
        answer = ask(filled(wording.said, given))
        right = same(answer.rows, wanted.rows)
        counts["right" if right else "wrong" if answer.outcome in _READ else "refused"] += 1
    return counts


def of_listings(wordings: Sequence[Wording]) -> Counter[str]:
    """Wordings on the full PDG graph."""
    if not (FULL / "kg.toml").exists():
        run_build(FULL, "", passages=False)
    with open_platform(Workspace(FULL), SilentProgress()) as platform:
        platform.ensure_server(lambda _: None)
        platform.questions.prepare()
        found = run(
            wordings,
            lambda text: platform.questions.ask(Question(text=text, limit=LIMIT, use_llm=False)),
            lambda intent: LISTINGS | OTHERWISE.get(intent, {}),
        )
        platform.managed.stop()
    return found


def of_store(name: str, wordings: Sequence[Wording]) -> Counter[str]:
    """Wordings on a demo graph, asked as a bare database."""
    cache = read_environment(os.environ).cache
    with open_thesaurus(cache) as thesaurus, graph(name, LOADERS[name]) as connection:
        schema = infer_schema(connection)
        values = read_values(connection, schema)
        service = StoreQuestionService(schema, values, Neo4jRunner(connection), thesaurus=thesaurus)
        named = names_of(connection)

        def names(intent: str) -> dict[str, str]:
            places = DEMO | OTHERWISE.get(intent, {})
            own = {
                k: v for k, v in places.items() if ":" not in v or schema.label(v.split(".")[0]) is not None
            }
            return {k: _name(v, named) for k, v in own.items()}

        return run(wordings, lambda text: service.ask(Question(text=text, limit=LIMIT)), names)


def _name(place: str, named: Callable[[str, str, int], str]) -> str:
    found = re.fullmatch(r"(\w+)\.(\w+):(\d+)", place)
    return named(found[1], found[2], int(found[3])) if found else place


def main(arguments: Sequence[str] | None = None) -> None:
    """All wordings."""
    del arguments
    by: dict[tuple[str, str], list[Wording]] = defaultdict(list)
    for wording in read_wordings():
        by[wording.graph, wording.part].append(wording)
    with benchmark("other_ways", "other_ways") as record:
        found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for (name, part), wordings in by.items():
            counts = of_listings(wordings) if name == "listings" else of_store(name, wordings)
            found["listings" if name == "listings" else "stores", part] += counts
        for (name, part), counts in found.items():
            report(record, f"{name}_{part}", counts)


def report(record: Recorder, name: str, counts: Counter[str]) -> None:
    """Shares of one kind of graph and part."""
    asked = counts["right"] + counts["wrong"] + counts["refused"]
    note = f"of {asked}; {counts['unread']} more are of plain questions that are not answered"
    record.add(f"right_{name}", 100 * counts["right"] / asked, "%", note=note)
    record.add(f"wrong_{name}", 100 * counts["wrong"] / asked, "%")


if __name__ == "__main__":
    main(sys.argv[1:])
