"""SQL of the question shapes that are kept unseen; whoever works on the service does not read it."""

from __future__ import annotations

from collections import Counter, defaultdict

from benchmarks.pdg_gold import Gold, Kind
from benchmarks.pdg_questions_sql import SeenListings, _papers, _single, _texts


class Listings(SeenListings):
    """All functions that a question of the benchmark may name."""

    def papers_of_both(self, pdgid: str, other: str) -> Gold:
        """Papers with a value of each of two quantities."""
        papers = {r.paper for r in self._rows(other)}
        return _papers(r for r in self._rows(pdgid) if r.paper in papers)

    def papers_of_one_only(self, pdgid: str, other: str, code: str) -> Gold:
        """Papers of an experiment with a value of the first quantity and none of the second."""
        papers = {r.paper for r in self._rows(other)}
        return _papers(r for r in self._of_experiment(self._rows(pdgid), code) if r.paper not in papers)

    def busiest_experiment(self, pdgid: str) -> Gold:
        """The experiment with the most papers on the quantity."""
        counts = dict(self.papers_by_experiment(pdgid).table)
        most = max(counts.values())
        return _texts(_single([e for e, n in counts.items() if n == most], pdgid))

    def often_measured(self, particle: str, papers: int) -> Gold:
        """Quantities of a particle (``S035``) of which at least so many papers have a value."""
        found: dict[str, set[str]] = defaultdict(set)
        for row in (r for r in self._all() if r.pdgid.startswith(particle)):
            found[row.pdgid].add(row.paper)
        return Gold(Kind.OBSERVABLES, frozenset(q for q, ps in found.items() if len(ps) >= papers))

    def measured_beside(self, pdgid: str, code: str) -> Gold:
        """Other quantities in the papers of an experiment that have a value of the quantity."""
        papers = {r.paper for r in self._of_experiment(self._rows(pdgid), code)}
        return Gold(Kind.OBSERVABLES, frozenset(r.pdgid for r in self._all() if r.paper in papers) - {pdgid})

    def experiments_of_both(self, pdgid: str, other: str) -> Gold:
        """Experiments with a value of each of two quantities."""
        return _texts(set(self._experiments(pdgid)) & set(self._experiments(other)))

    def decays_without(self, parent: str, products: list[str], excluded: list[str]) -> Gold:
        """Modes of a particle that contain all of the first products and none of the second."""
        return Gold(Kind.DECAYS, frozenset(self._decays(parent, products, excluded)))

    def papers_with_several(self, pdgid: str, values: int) -> Gold:
        """Papers with at least so many values of the quantity."""
        counts = Counter(r.paper for r in self._rows(pdgid))
        return Gold(Kind.PAPERS, frozenset(p for p, n in counts.items() if n >= values))
