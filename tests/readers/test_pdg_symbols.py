"""Well-known symbols, spellings and titles of the PDG reader, on the tables themselves."""

import re
from collections import Counter, defaultdict

import pytest

from extraction.readers.pdg_names import Names
from extraction.readers.pdg_symbols import WELL_KNOWN
from extraction.readers.pdg_tables import Tables, load_tables
from extraction.readers.pdg_titles import readable_title
from schemas.language.names import name_key, normalise_name
from schemas.language.vetoes import vetoed


@pytest.fixture(scope="module")
def tables() -> Tables:
    return load_tables()


@pytest.fixture(scope="module")
def names(tables: Tables) -> Names:
    return Names(tables)


@pytest.fixture(scope="module")
def of_lhcb(tables: Tables) -> set[str]:
    return {m.pdgid for rows in tables.measurements.values() for m in rows if m.technique == "LHCB"}


SYMBOLS = {
    "Delta m_s": "S086D",
    "oscillation frequency of B_s0": "S086D",
    "Delta m_d": "S042D",
    "phi_s": "S086PHS",
    "gamma": "S041GGM",
    "CKM angle gamma": "S041GGM",
    "sin(2 beta)": "S042BET",
    "R_K": "S041PBP",
    "R_K*": "S042A04",
    "A_CP(B0 -> K+ pi-)": "S042ACP",
    "tau(Lambda_b0)": "S040T",
    "mass of Lambda_b0": "S040M",
    "BR(B_s0 -> mu+ mu-)": "S086R14",
    "branching fraction of B_s0 -> mu mu": "S086R14",
    "W mass": "S043M",
    "Delta Gamma_s": "S086DGS",
}


@pytest.mark.parametrize(("symbol", "pdgid"), SYMBOLS.items(), ids=str)
def test_a_symbol_names_one_quantity_of_lhcb(
    symbol: str, pdgid: str, names: Names, of_lhcb: set[str]
) -> None:
    assert pdgid in of_lhcb
    meant = {
        p
        for p in of_lhcb
        for spelling in (names.observable(p).name, *names.observable(p).aliases)
        if name_key(spelling) == name_key(symbol)
    }
    assert meant == {pdgid}


def test_the_table_of_symbols_is_of_this_edition(tables: Tables, names: Names) -> None:
    for pdgid, spellings in WELL_KNOWN.items():
        assert names.observable(pdgid).name == spellings[0]
        assert tables.quantities[pdgid].description in names.observable(pdgid).aliases
        assert len(set(map(name_key, spellings))) == len(spellings)


def test_names_are_unique_and_rarely_end_in_an_identifier(names: Names, of_lhcb: set[str]) -> None:
    all_names = Counter(
        normalise_name(names.observable(p).name, case_sensitive=True) for p in names.observables()
    )
    assert max(all_names.values()) == 1
    numbered = re.compile(r" \[[A-Z]\d{3}\w*\]$")
    assert sum(bool(numbered.search(n)) for n in all_names) <= 90
    assert sum(bool(numbered.search(names.observable(p).name)) for p in of_lhcb) <= 10


def test_no_spelling_of_one_quantity_is_the_name_of_another(names: Names, of_lhcb: set[str]) -> None:
    own = {name_key(names.observable(p).name): p for p in names.observables()}
    shared: dict[str, set[str]] = defaultdict(set)
    for pdgid in of_lhcb:
        for alias in names.observable(pdgid).aliases:
            shared[name_key(alias)].add(pdgid)
            assert own.get(name_key(alias), pdgid) == pdgid, alias
    assert sum(len(v) > 1 for v in shared.values()) <= 12


def test_beta_s_does_not_merge_with_phi_s(names: Names) -> None:
    """The listing's values are -phi_s/2; a paper's phi_s must stay another quantity."""
    rules = ("charge", "numbers", "particles", "antonyms")
    assert vetoed("phi_s", names.observable("S086PHS").name, rules) is not None
    assert vetoed("Delta m_s", names.observable("S086D").name, rules) is None


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (
            r"Observation of ${{\varXi }^0_{b}} \rightarrow {{\varXi }^+_{c}} {{D}^-_{s}} $ decays",
            "Observation of Ξ_b^0 → Ξ_c^+ D_s^- decays",
        ),
        (r"Measurement at $\sqrt{s} = 8$ TeV", "Measurement at √s = 8 TeV"),
        (
            'Decay <math id=\\"a\\"><msup><mi>B</mi><mn>0</mn></msup><mo>→</mo><mi>γ</mi></math> seen',
            "Decay B^0 → γ seen",
        ),
        ("Broken <math><mi>x</math> formula", "Broken x formula"),
        ("Studies of the f_{{1}}(1285)", "Studies of the f_1(1285)"),
        ("Cut $B^0 in the middle", "Cut B^0 in the middle"),
        ("100% of nothing", "100% of nothing"),
    ],
)
def test_titles_become_text(raw: str, text: str) -> None:
    assert re.sub(r"(_\w)(\^\S)|(\^\S)(_\w)", r"\1\2\4\3", readable_title(raw)) == text


def test_no_title_of_the_tables_keeps_markup(tables: Tables) -> None:
    left = [r.title for r in tables.references if re.search(r"[$\\]|<m|\{\{", readable_title(r.title))]
    assert left == []
    assert all(readable_title(r.title) for r in tables.references if r.title)
