"""Answers to questions about the PDG listings, computed with SQL on the ``pdg`` package's own database.

Nothing here reads the graph or imports the reader that makes it, so that an answer of the question service is
checked against a second way to the same tables. Source: edition 2026 (F. Takahashi et al., Int. J. Mod. Phys.
A 41, 2630011 (2026)), CC BY 4.0.

Conventions, each of which the wording of a question has to say:

* a *measurement* or *value* is a row of ``pdgmeasurement_values``, a *paper* is a reference (two references
  with one INSPIRE number are one paper);
* a paper is an experiment's when its rows carry the experiment's code. Where "some row of the paper" and
  "most rows of the paper" differ, the function raises ``ConventionError``, and the question is not asked;
* *newest*, *oldest*, *most precise* and *strongest* must be one row, else ``ConventionError``.
"""

from __future__ import annotations

import inspect
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.pdg_gold import Argument, ConventionError, Gold, Kind

EXPERIMENT_NAMES: Final[Mapping[str, str]] = {
    "LHCB": "LHCb", "ATLS": "ATLAS", "CMS": "CMS", "BABR": "BaBar", "BELL": "Belle", "BEL2": "Belle II",
    "BES": "BES", "BES2": "BESII", "BES3": "BESIII", "CLEO": "CLEO", "CLE2": "CLEO II", "CLE3": "CLEO III",
    "CDF": "CDF", "D0": "D0", "ARG": "ARGUS", "ALEP": "ALEPH", "DLPH": "DELPHI", "OPAL": "OPAL", "L3": "L3",
    "SLD": "SLD", "KLOE": "KLOE", "NA48": "NA48", "NA62": "NA62", "KTEV": "KTeV", "FOCS": "FOCUS",
    "CMD2": "CMD-2", "CMD3": "CMD-3", "SND": "SND", "T2K": "T2K", "DAYA": "Daya Bay", "KEDR": "KEDR",
    "UA1": "UA1", "UA2": "UA2", "JADE": "JADE", "TASS": "TASSO", "MRK2": "Mark II", "HRS": "HRS",
    "CELL": "CELLO", "MRK3": "Mark III", "E791": "E791", "E687": "E687", "CPLR": "CPLEAR", "BORX": "Borexino",
}  # fmt: skip
"""The experiments' usual names for the PDG's codes, as far as the questions need them."""

_METHODS: Final = frozenset({"RVUE", "FIT", "THEO", "DPWA", "IPWA", "LATT", "PWA", ""})
"""Codes that name a way of working and no experiment."""

_REPLACED = re.compile(r"repl[^A-Za-z]*by\s+(?:the\s+)?([A-Z][^;:()\d]*?\s\d{4}[A-Z]*)", re.IGNORECASE)


class Row(NamedTuple):
    """One value row with its paper."""

    measurement: int
    text: str
    unit: str
    limit: str
    value: float | None
    plus: float | None
    minus: float | None
    level: float | None
    technique: str
    comment: str
    paper: str
    short: str
    year: int
    pdgid: str


_ROWS: Final = """
select m.id, trim(coalesce(v.value_text, '')), trim(coalesce(v.unit_text, '')), coalesce(v.limit_type, ''),
       v.value, v.error_positive, v.error_negative, m.confidence_level, trim(coalesce(m.technique, '')),
       coalesce(m.comment, ''),
       case when coalesce(trim(r.inspire_id), '') != '' then 'inspire:' || trim(r.inspire_id)
            else 'short:' || trim(r.document_id) end,
       trim(r.document_id), r.publication_year, m.pdgid
from pdgmeasurement m
join pdgmeasurement_values v on v.pdgmeasurement_id = m.id
join pdgreference r on r.id = m.pdgreference_id
order by m.id, v.sort
"""


class SeenListings:
    """The database, read only, with one method for each kind of question."""

    def __init__(self, database: Path | None = None) -> None:
        spec = find_spec("pdg")
        if database is None and (spec is None or spec.origin is None):
            raise FileNotFoundError("expected the package pdg with its database; install pdg")
        path = database or Path(str(spec.origin if spec else "")).parent / "pdg.sqlite"
        self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        self._every: list[Row] = []
        self._codes: dict[str, Counter[str]] = defaultdict(Counter)

    def close(self) -> None:
        """Give the file back."""
        self._db.close()

    def ask(self, function: str, arguments: Mapping[str, Argument]) -> Gold:
        """The answer of one public function; ``ValueError`` when there is no such one or no such argument."""
        method: Callable[..., Gold] | None = getattr(self, function, None)
        if function.startswith("_") or method is None or function in {"ask", "close"}:
            raise ValueError(f"expected a function of Listings, found {function!r}")
        inspect.signature(method).bind(**arguments)
        return method(**arguments)

    # Values and papers of one quantity

    def papers_of_quantity(self, pdgid: str) -> Gold:
        """Papers with a value of the quantity."""
        return _papers(self._rows(pdgid))

    def count_papers(self, pdgid: str) -> Gold:
        """How many papers have a value of the quantity."""
        return _number(len({r.paper for r in self._rows(pdgid)}))

    def values_of_quantity(self, pdgid: str) -> Gold:
        """All values of the quantity as printed."""
        return _texts(r.text for r in self._rows(pdgid))

    def count_values(self, pdgid: str) -> Gold:
        """How many values of the quantity are listed."""
        return _number(len(self._rows(pdgid)))

    def papers_of_experiment(self, pdgid: str, code: str) -> Gold:
        """Papers of one experiment with a value of the quantity."""
        return _papers(self._of_experiment(self._rows(pdgid), code))

    def values_of_experiment(self, pdgid: str, code: str) -> Gold:
        """Values of the quantity from one experiment, as printed."""
        return _texts(r.text for r in self._of_experiment(self._rows(pdgid), code))

    def papers_in_years(self, pdgid: str, first: int, last: int) -> Gold:
        """Papers published from ``first`` to ``last`` (both included) with a value of the quantity."""
        return _papers(r for r in self._rows(pdgid) if first <= r.year <= last)

    def values_beyond(self, pdgid: str, low: float, high: float) -> Gold:
        """Values strictly between two numbers, limits left out; as printed."""
        rows = [r for r in self._rows(pdgid) if not r.limit and r.value is not None]
        _one_unit(rows)
        return _texts(r.text for r in rows if low < (r.value or 0.0) < high)

    def values_at_level(self, pdgid: str, level: float) -> Gold:
        """Values that are given at one confidence level in per cent, as printed."""
        return _texts(r.text for r in self._rows(pdgid) if r.level == level)

    def values_of_technique(self, pdgid: str, code: str) -> Gold:
        """Values whose row carries the technique code, as printed."""
        return _texts(r.text for r in self._rows(pdgid) if r.technique == code)

    def was_measured_by(self, pdgid: str, code: str) -> Gold:
        """Whether an experiment has a value of the quantity."""
        return Gold(Kind.TRUTH, truth=bool(self._of_experiment(self._rows(pdgid), code)))

    def experiments_of_quantity(self, pdgid: str) -> Gold:
        """Names of the experiments with a value of the quantity."""
        return _texts(self._experiments(pdgid))

    def values_by_year(self, pdgid: str) -> Gold:
        """Number of values for each year of publication."""
        return _table(Counter(str(r.year) for r in self._rows(pdgid)))

    def papers_by_experiment(self, pdgid: str) -> Gold:
        """Number of papers for each experiment."""
        rows = self._rows(pdgid)
        codes = {r.technique for r in rows} - _METHODS
        papers = {_name(c): len({r.paper for r in self._of_experiment(rows, c)}) for c in codes}
        return _table(Counter(papers))

    # One row out of many

    def newest_paper(self, pdgid: str) -> Gold:
        """The paper with the last year of publication."""
        return self._extreme_paper(pdgid, max)

    def oldest_paper(self, pdgid: str) -> Gold:
        """The paper with the first year of publication."""
        return self._extreme_paper(pdgid, min)

    def most_precise(self, pdgid: str) -> Gold:
        """The value with the smallest total error, as printed."""
        return _texts([self._precise_row(pdgid).text])

    def most_precise_paper(self, pdgid: str) -> Gold:
        """The paper of the value with the smallest total error."""
        return _papers([self._precise_row(pdgid)])

    def strongest_limit(self, pdgid: str) -> Gold:
        """The lowest upper limit, as printed."""
        rows = [r for r in self._rows(pdgid) if r.limit == "U" and r.value is not None]
        _one_unit(rows)
        lowest = min(r.value for r in rows if r.value is not None)
        return _texts(_single([r for r in rows if r.value == lowest], pdgid))

    def average(self, pdgid: str) -> Gold:
        """The central value of the PDG's average of measurements."""
        return self._summary(pdgid, ("AC", "D"))

    def recommended(self, pdgid: str) -> Gold:
        """The central value that the PDG gives, whichever way it was found."""
        return self._summary(pdgid, ("AC", "D", "FC", "V", "DV", "E"))

    # Values that were replaced

    def replaced_papers(self, pdgid: str) -> Gold:
        """Papers whose value of the quantity the listing calls replaced."""
        return _papers(r for r in self._rows(pdgid) if _REPLACED.search(r.comment))

    def replaced_by(self, short: str) -> Gold:
        """Short names of the papers that replaced values of one paper."""
        found = (_REPLACED.search(r.comment) for r in self._rows_of_paper(short))
        return _texts(" ".join(m[1].split()) for m in found if m)

    # Papers

    def quantities_of_paper(self, short: str) -> Gold:
        """Quantities of which a paper has a value."""
        return Gold(Kind.OBSERVABLES, frozenset(r.pdgid for r in self._rows_of_paper(short)))

    def paper_attribute(self, short: str, column: str) -> Gold:
        """``publication_year`` or ``doi`` of a paper (by its short name)."""
        if column not in {"publication_year", "doi", "inspire_id"}:
            raise ValueError(f"expected publication_year, doi or inspire_id, found {column!r}")
        rows = self._db.execute(
            f"select distinct trim({column}) from pdgreference where trim(document_id) = ?",
            (short,),
        ).fetchall()
        return _texts(_single([str(r[0]) for r in rows], short))

    def papers_of_year(self, code: str, first: int, last: int) -> Gold:
        """How many papers an experiment has in the listings, from one year to another."""
        rows = [r for r in self._all() if first <= r.year <= last]
        return _number(len({r.paper for r in self._of_experiment(rows, code)}))

    # Decays

    def decays_into(self, parent: str, products: list[str]) -> Gold:
        """Modes of a particle (``S086``) whose products contain all those named."""
        return Gold(Kind.DECAYS, frozenset(self._decays(parent, products, ())))

    def count_decays(self, parent: str, products: list[str]) -> Gold:
        """How many modes of a particle contain all the products named."""
        return _number(len(self._decays(parent, products, ())))

    def decays_of_quantity(self, pdgid: str) -> Gold:
        """Modes that the listing ties to a quantity."""
        rows = self._db.execute("select source from pdgid_map where target = ?", (pdgid,))
        return Gold(Kind.DECAYS, frozenset(str(r[0]) for r in rows))

    # Reading

    def _rows(self, pdgid: str) -> list[Row]:
        rows = [r for r in self._all() if r.pdgid == pdgid]
        if not rows:
            raise ValueError(f"expected a measured quantity, found {pdgid!r}")
        return rows

    def _rows_of_paper(self, short: str) -> list[Row]:
        rows = [r for r in self._all() if r.short == short]
        if not rows:
            raise ValueError(f"expected a paper with measurements, found {short!r}")
        if {r.short for r in self._all() if r.paper == rows[0].paper} - {short}:
            raise ConventionError(f"{short} stands under two names")
        return rows

    def _of_experiment(self, rows: Iterable[Row], code: str) -> list[Row]:
        rows = list(rows)
        found = [r for r in rows if r.technique == code]
        named = {r.paper for r in found}
        for paper in {r.paper for r in rows}:
            if self._is_of(paper, code) != (paper in named):
                raise ConventionError(f"{paper}: its rows name more than one experiment")
        return found

    def _is_of(self, paper: str, code: str) -> bool:
        """Whether most rows of a paper that name an experiment name this one."""
        counts = self._techniques()[paper]
        others = max((n for c, n in counts.items() if c != code), default=0)
        if counts[code] == others and others:
            raise ConventionError(f"{paper}: as many rows of {code} as of another experiment")
        return counts[code] > others

    def _techniques(self) -> Mapping[str, Counter[str]]:
        """How often each paper names each experiment; read once."""
        if not self._codes:
            measurements = {(r.paper, r.measurement, r.technique) for r in self._all()}
            for paper, _, code in measurements:
                self._codes[paper] += Counter([code] if code not in _METHODS else [])
        return self._codes

    def _all(self) -> list[Row]:
        """Every value row; read once."""
        if not self._every:
            self._every = [Row(*row) for row in self._db.execute(_ROWS)]
        return self._every

    def _experiments(self, pdgid: str) -> list[str]:
        rows = self._rows(pdgid)
        codes = sorted({r.technique for r in rows} - _METHODS)
        return [_name(c) for c in codes if self._of_experiment(rows, c)]

    def _extreme_paper(self, pdgid: str, choose: Callable[[Iterable[int]], int]) -> Gold:
        rows = self._rows(pdgid)
        year = choose(r.year for r in rows)
        _single(sorted({r.paper for r in rows if r.year == year}), pdgid)
        return _papers(r for r in rows if r.year == year)

    def _precise_row(self, pdgid: str) -> Row:
        rows = [r for r in self._rows(pdgid) if not r.limit]
        _one_unit(rows)
        if any(r.plus is None or r.minus is None for r in rows):
            raise ConventionError(f"{pdgid}: values without errors")
        by_mean = sorted(rows, key=lambda r: (r.plus or 0.0) + (r.minus or 0.0))
        by_larger = sorted(rows, key=lambda r: max(r.plus or 0.0, r.minus or 0.0))
        first, second = by_mean[:2]
        if first != by_larger[0] or _width(first) >= _width(second):
            raise ConventionError(f"{pdgid}: two values are equally precise")
        return first

    def _summary(self, pdgid: str, kinds: tuple[str, ...]) -> Gold:
        rows = self._db.execute(
            "select value_type, value from pdgdata where pdgid = ? and limit_type is null"
            " and value is not null order by in_summary_table desc, sort",
            (pdgid,),
        ).fetchall()
        if not rows or rows[0][0] not in kinds:
            raise ConventionError(f"{pdgid}: no value of the kinds {kinds} comes first")
        return _number(float(rows[0][1]))

    def _decays(self, parent: str, products: Iterable[str], excluded: Iterable[str]) -> list[str]:
        modes: dict[str, list[str]] = defaultdict(list)
        query = (
            "select d.pdgid, coalesce(t.name, i.name), d.multiplier from pdgdecay d"
            " join pdgitem i on i.id = d.pdgitem_id"
            " left join pdgitem_map a on a.pdgitem_id = i.id and i.item_type in ('A', 'S', 'W', 'G')"
            " and (select count(*) from pdgitem_map b where b.pdgitem_id = i.id) = 1"
            " left join pdgitem t on t.id = a.target_id and t.name != i.name || '0'"
            " join pdgid q on q.id = d.pdgid_id and q.data_type like 'BF%'"
            " where d.is_outgoing = 1 and d.pdgid glob ? order by d.pdgid_id, d.sort, d.id"
        )
        for mode, name, times in self._db.execute(query, (f"{parent}.*",)):
            modes[mode] += [name.strip()] * times
        wanted, left_out = Counter(products), set(excluded)

        def fits(names: list[str]) -> bool:
            return not wanted - Counter(names) and not left_out & set(names)

        chosen = [m for m, names in modes.items() if fits(names)]
        if chosen != [m for m, names in modes.items() if fits(_first_step(names))]:
            raise ConventionError(f"{parent}: products of products decide which modes are meant")
        if len({tuple(sorted(modes[m])) for m in chosen}) != len(chosen):
            raise ConventionError(f"{parent}: one mode stands under two identifiers")
        return chosen


def _first_step(names: list[str]) -> list[str]:
    ends = [names.index(s) for s in (",", "-->") if s in names]
    return names[: min(ends)] if ends else names


def _name(code: str) -> str:
    if code not in EXPERIMENT_NAMES:
        raise ConventionError(f"the code {code} has no usual name here")
    return EXPERIMENT_NAMES[code]


def _width(row: Row) -> float:
    return (row.plus or 0.0) + (row.minus or 0.0)


def _single(found: Sequence[Row | str], what: str) -> list[str]:
    if len(found) != 1:
        raise ConventionError(f"{what}: expected one, found {len(found)}")
    only = found[0]
    return [only.text if isinstance(only, Row) else str(only)]


def _one_unit(rows: list[Row]) -> None:
    units = {r.unit for r in rows}
    if len(units) > 1:
        raise ConventionError(f"values in several units: {sorted(units)}")


def _papers(rows: Iterable[Row]) -> Gold:
    return Gold(Kind.PAPERS, frozenset(r.paper for r in rows))


def _texts(texts: Iterable[str]) -> Gold:
    return Gold(Kind.TEXTS, frozenset(texts))


def _number(number: float) -> Gold:
    return Gold(Kind.NUMBER, number=float(number))


def _table(counts: Mapping[str, int]) -> Gold:
    return Gold(Kind.TABLE, table=frozenset((k, float(n)) for k, n in counts.items() if n))
