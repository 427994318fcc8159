"""Questions with one thing changed, which must change the answer or end it: what is passed over in silence?

Every question on the invented graphs that is read surely is asked again with (a) one of its words replaced
by one that no schema knows, (b) a condition added that no graph tells of, (c) one of its function words
turned into its opposite. A changed question that is read surely all the same is counted, under (b) and (c)
only where its query is the one from before. And (d) of the things of every label it is asked which are
available, full and the like, which must not be all of them. Such errors are read, and mended. After the
invariance and directional tests of CheckList (Ribeiro et al. 2020, arXiv:2005.04118).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from benchmarks.harness import benchmark
from benchmarks.invented_graphs import GRAPHS, load, questions
from benchmarks.property_graphs import graph
from cypher.semantics.decide import Verdict, decide
from cypher.semantics.reader import SemanticReader
from cypher.semantics.text import identifier_words
from cypher.semantics.values import ValueTable
from kg.adapters.neo4j_introspection import infer_schema, read_values
from kg.settings import read_environment
from kg.thesaurus_files import ensure_thesaurus, open_thesaurus
from schemas.store_schema import StoreSchema

UNKNOWN: Final = {"ing": "zorgling", "ed": "zorgled", "s": "zorgles", "": "zorgle"}
"""By its ending, what a word is replaced by."""
_SMALL: Final = frozenset(
    word
    for line in (
        "the a an of in on at to for with by from is are was were be been do does did has have had which",
        "what who whom whose how many much when where and or not no than more less most least it its they",
        "their them his her he she that this those these there all any each every both only also as ever",
        "never between before after since during until over under per list show give tell find name please",
        "we our us me my you i",
    )
    for word in line.split()
)
"""Words that are not replaced."""
CONDITIONS: Final = (
    *("in the rain", "with zorgles", "by helicopter", "without permission", "before lunch", "under protest"),
    *("since yesterday", "except zorgles", "alone", "again", "too late", "for free", "against their will"),
    *("to zorgles", "and zorgles", "or zorgles", "but not zorgles", "half of the time", "every day"),
    *("last week", "next year", "last year", "this year", "from scratch", "for the first time"),
)
OPPOSITES: Final = (
    *((" did ", " did not "), (" are ", " are not "), (" is ", " is not "), (" has ", " has never ")),
    *(
        (" were ", " were never "),
        (" does ", " does not "),
        ("more than", "less than"),
        ("oldest", "youngest"),
    ),
    *(
        ("fewer than", "more than"),
        ("the most", "the fewest"),
        (" before ", " after "),
        (" after ", " before "),
    ),
    *(("highest", "lowest"), ("largest", "smallest"), ("at least", "at most"), ("average", "total")),
    *(("total", "average"), (" with ", " without "), ("longest", "shortest"), ("earliest", "latest")),
    *(("latest", "earliest"), (" every ", " no "), (" any ", " no "), (" both ", " neither ")),
    *(("higher", "lower"), ("older", "younger"), ("longer", "shorter"), (" in ", " outside ")),
)
"""Where the first stands once in a question that denies nothing, the second takes its place."""
SAID: Final = (
    *(
        "available",
        "full",
        "present",
        "ready",
        "valid",
        "whole",
        "real",
        "official",
        "near",
        "common",
        "broken",
    ),
    *("broken", "lost", "expired", "legal", "permanent"),
)
"""What is said of all things of a label."""
_DENYING: Final = re.compile(r"\b(?:not|no|never|nothing|nobody|none|without|neither)\b|n't", re.IGNORECASE)
_WORD: Final = re.compile(r"(?<= )[A-Za-z][a-z]+(?=[ ?.,])")
_END: Final = re.compile(r"\s*[?.!]*$")


class Asked:
    """Reads questions and tells the query of those that are read surely."""

    def __init__(self, reader: SemanticReader, schema: StoreSchema) -> None:
        self._reader, self._schema = reader, schema

    def query(self, question: str) -> str:
        """The query with its parameters; empty where the question would not be answered."""
        decision = decide(self._reader.read(question), self._schema)
        written = decision.reading.written
        if decision.verdict is not Verdict.ANSWER or decision.unexplained or written is None:
            return ""
        return json.dumps([written.text, written.parameters], sort_keys=True, default=str)


def with_unknown(question: str) -> Iterator[str]:
    """The question with each of its content words replaced by one that nothing is called."""
    for found in _WORD.finditer(question):
        word = found[0].lower()
        if word not in _SMALL:
            new = next(text for end, text in UNKNOWN.items() if word.endswith(end))
            yield f"{question[: found.start()]}{new}{question[found.end() :]}"


def with_condition(question: str, number: int, *, most: int = 5) -> Iterator[str]:
    """The question with some of the conditions behind it, others for each question."""
    for i in range(most):
        yield f"{_END.sub('', question)} {CONDITIONS[(number * most + i) % len(CONDITIONS)]}?"


def with_opposite(question: str) -> Iterator[str]:
    """The question with one function word turned round."""
    for said, opposite in OPPOSITES if not _DENYING.search(question) else ():
        if question.count(said) == 1:
            yield question.replace(said, opposite)


def all_of_them(asked: Asked, schema: StoreSchema, *, show: bool) -> tuple[int, int]:
    """How often something was said of the things of a label, and how often all of them were the answer."""
    tried = passed = 0
    for label in schema.labels:
        things = " ".join(identifier_words(label.name)) + "s"
        every = asked.query(f"List all {things}.")
        for said in SAID if every else ():
            over = asked.query(text := f"Which {things} are {said}?") == every
            tried, passed = tried + 1, passed + over
            if over and show:
                sys.stdout.write(f"{text}\n  {every[:300]}\n")
    return tried, passed


def changed(name: str, asked: Asked, *, show: bool) -> tuple[Counter[str], Counter[str]]:
    """How many questions were changed in each way, and how many of them went on as if they were not."""
    tried, passed = Counter[str](), Counter[str]()
    for number, one in enumerate(questions(name)):
        before = asked.query(one.question)
        if not before:
            continue
        ways = {
            "unknown_word": list(with_unknown(one.question)),
            "condition": list(with_condition(one.question, number)),
            "opposite": list(with_opposite(one.question)),
        }
        for way, texts in ways.items():
            for text in texts:
                now = asked.query(text)
                over = bool(now) and (way == "unknown_word" or now == before)
                tried[way] += 1
                passed[way] += over
                if over and show:
                    sys.stdout.write(f"{name} {way}: {text}\n  {now[:300]}\n")
    return tried, passed


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask the changed questions of all graphs; ``--show`` prints those that were passed over."""
    options = argparse.ArgumentParser()
    options.add_argument("--show", action="store_true")
    options.add_argument("--graph", choices=GRAPHS)
    chosen = options.parse_args(arguments)
    cache = read_environment().cache
    ensure_thesaurus(cache, note=print)
    tried, passed = Counter[str](), Counter[str]()
    with (
        open_thesaurus(cache) as thesaurus,
        benchmark("changed_questions") as record,
        graph("invented_changed", lambda _: None) as connection,
    ):
        for name in [chosen.graph] if chosen.graph else GRAPHS:
            connection.write("MATCH (n) DETACH DELETE n")
            load(connection, name)
            schema = infer_schema(connection)
            table = ValueTable(read_values(connection, schema))
            asked = Asked(SemanticReader(schema, table, thesaurus=thesaurus), schema)
            more = changed(name, asked, show=chosen.show)
            tried, passed = tried + more[0], passed + more[1]
            said = all_of_them(asked, schema, show=chosen.show)
            tried["said"], passed["said"] = tried["said"] + said[0], passed["said"] + said[1]
        for way in ("unknown_word", "condition", "opposite", "said"):
            share = 100 * passed[way] / tried[way] if tried[way] else 0.0
            record.add(f"{way}_passed_over", share, "%", note=f"{passed[way]} of {tried[way]}")


if __name__ == "__main__":
    main()
