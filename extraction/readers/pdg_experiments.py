"""Names of experiments and the codes under which the PDG lists their measurements.

The tables do not explain their technique codes, so the usual names of the larger experiments are given here.
Codes for methods (DPWA, RVUE, FIT) name no experiment.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection

from schemas.errors import UsageError

EXPERIMENTS = {
    "LHCB": "LHCb", "ATLS": "ATLAS", "CMS": "CMS", "BABR": "BaBar", "BELL": "Belle", "BEL2": "Belle II",
    "BES": "BES", "BES2": "BESII", "BES3": "BESIII", "CLEO": "CLEO", "CLE2": "CLEO II", "CLE3": "CLEO III",
    "CDF": "CDF", "D0": "D0", "ARG": "ARGUS", "ALEP": "ALEPH", "DLPH": "DELPHI", "OPAL": "OPAL", "L3": "L3",
    "SLD": "SLD", "KLOE": "KLOE", "NA48": "NA48", "NA62": "NA62", "NA31": "NA31", "NA64": "NA64",
    "KTEV": "KTeV", "FOCS": "FOCUS", "CMD2": "CMD-2", "CMD3": "CMD-3", "SND": "SND", "COMP": "COMPASS",
    "SKAM": "Super-Kamiokande", "KAMI": "Kamiokande", "T2K": "T2K", "MINS": "MINOS", "NOVA": "NOvA",
    "SNO": "SNO",
    "BORX": "Borexino", "DAYA": "Daya Bay", "H1": "H1", "ZEUS": "ZEUS", "UA1": "UA1", "UA2": "UA2",
    "CBAR": "Crystal Barrel", "CBAL": "Crystal Ball", "CLAS": "CLAS", "KEDR": "KEDR", "CELL": "CELLO",
    "JADE": "JADE", "TASS": "TASSO", "PLUT": "PLUTO", "MRK1": "Mark I", "MRK2": "Mark II", "MRK3": "Mark III",
    "DM1": "DM1", "DM2": "DM2", "TPC": "TPC", "HRS": "HRS", "E791": "E791", "E687": "E687", "E835": "E835",
    "E760": "E760", "CPLR": "CPLEAR", "ISTR": "ISTRA", "VES": "VES", "LASS": "LASS", "CRES": "CRESST",
    "LUX": "LUX", "X100": "XENON100", "XE1T": "XENON1T", "MBNE": "MiniBooNE", "OBLX": "OBELIX",
    "ALCE": "ALICE",
}  # fmt: skip


def technique_code(experiment: str, codes: Collection[str]) -> str:
    """The code of an experiment named by its name or code, without regard to case.

    Raises ``UsageError`` with the nearest names when there is none.

    >>> technique_code("lhcb", ["LHCB"])
    'LHCB'
    """
    wanted = _plain(experiment)
    names = {_plain(name): code for code, name in EXPERIMENTS.items() if code in codes}
    names |= {_plain(code): code for code in codes if code}
    if wanted in names:
        return names[wanted]
    spelled = {plain: EXPERIMENTS.get(code, code) for plain, code in names.items()}
    near = dict.fromkeys(spelled[n] for n in difflib.get_close_matches(wanted, names, n=5, cutoff=0.5))
    raise UsageError(
        f"expected the name of an experiment in the PDG listings, found {experiment!r}; "
        + (f"did you mean {', '.join(near)}?" if near else "for example LHCb, BESIII or Belle")
    )


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
