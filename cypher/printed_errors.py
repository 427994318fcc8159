"""Values asked for with their errors, which are printed with each: "with their stat and syst errors".

"Which measurements quote a statistical error" is a condition: that error must be known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from cypher import form as f
from cypher.general.kinds import Form as KindForm
from cypher.general.plan import ListOf, Plan
from cypher.normalise import quoted_spans
from cypher.schema_graph import attribute, valued_relation
from schemas.graph_schema import GraphSchema

PRINTED: Final = "The errors are printed with each value; of two the first is the statistical one."
_KIND: Final = r"(?:stat(?:istical|\.)?|syst(?:ematic|\.)?|total)"
_NOUN: Final = r"(?:errors?|uncertaint(?:y|ies))"
_ERRORS: Final = (
    rf"(?P<errors>{_KIND}(?: {_NOUN})?(?:(?: and|,| or| as well as)(?: (?:an?|its|their|the))? {_KIND})*"
    rf"(?: {_NOUN})?)"
)
_CLOSES: Final = (
    r"(?: too| as well| please)?(?=\s*(?:[?.!]?$|,? (?:by|from|in|since|before|after|newest|oldest)\b))"
)
_THEIRS: Final = re.compile(
    r",? (?:(?:with|and|including|incl\.?|plus|together with|along with|as well as)"
    r" (?:all )?(?:their|its|both|the)(?: both| respective)?|(?:with|including) both)"
    rf" {_ERRORS}{_CLOSES}",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(rf"[:;,] (?:(?:the|their|its|with) )?{_ERRORS}{_CLOSES}", re.IGNORECASE)
_KNOWN: Final = re.compile(
    r",? (?:(?:that|which) )?(?:quote|quotes|quoting|give|gives|giving|have|has|having|with|report|state)"
    rf" (?:both )?(?:an? |separate )?{_ERRORS}{_CLOSES}",
    re.IGNORECASE,
)
_VALUES: Final = re.compile(
    r"\b(?:values?|measurements?|results?|determinations?|mass(?:es)?|widths?|lifetimes?)\b", re.IGNORECASE
)
_NO_VALUES: Final = re.compile(
    r"\b(?:papers?|experiments?|how many|number of|sources?|than|mean|average|largest|smallest|differences?"
    r"|most|least|without|no|not)\b",
    re.IGNORECASE,
)
_ATTRIBUTES: Final = {"stat": ("stat_plus", "stat_minus"), "syst": ("syst_plus", "syst_minus")}


@dataclass(frozen=True, slots=True)
class SaidErrors:
    """Errors that values are to be shown with, or (``required``) must have."""

    kinds: tuple[str, ...]
    required: bool


def split_errors(text: str) -> tuple[str, SaidErrors | None]:
    """The question for values without what it says of their errors, and that.

    >>> split_errors("list the B_s0 mass values with their stat and syst errors")
    ('list the B_s0 mass values', SaidErrors(kinds=('stat', 'syst'), required=False))
    >>> split_errors("which measurements of phi_s quote a stat and a syst error")
    ('list the measurements of phi_s', SaidErrors(kinds=('stat', 'syst'), required=True))
    >>> split_errors("B_s0 mass: stat and syst uncertainty please")
    ('values of B_s0 mass', SaidErrors(kinds=('stat', 'syst'), required=False))
    >>> split_errors("What is the statistical error of phi_s?")
    ('What is the statistical error of phi_s?', None)
    """
    if quoted_spans(text) or not _VALUES.search(text) or _NO_VALUES.search(text):
        return text, None
    for pattern, required in ((_THEIRS, False), (_BEHIND, False), (_KNOWN, True)):
        found = pattern.search(text)
        if found is None:
            continue
        kinds = tuple(k for k in ("stat", "syst", "total") if k in found["errors"].lower())
        rest = (text[: found.start()] + text[found.end() :]).strip(" ?.!,:")
        return _of_values(rest), SaidErrors(kinds, required)
    return text, None


def _of_values(rest: str) -> str:
    """What is left, as a question for values."""
    plain = re.sub(r"^(?:which|what) (?=\w+ of\b)", "list the ", rest, flags=re.IGNORECASE)
    plain = re.sub(r"^what (?:is|are|was|were) (?:the )?", "values of ", plain, flags=re.IGNORECASE)
    several = re.search(r"\b(?:values|measurements|results|determinations)\b", plain, re.IGNORECASE)
    return plain if several else f"values of {plain}"


def form_with_errors(form: f.Form | None, said: SaidErrors, schema: GraphSchema) -> f.Form | None:
    """The form for values with what is said of their errors; ``None`` where it lists no values."""
    valued = valued_relation(schema)
    if form is None or valued is None or not isinstance(form.head, f.Statements):
        return None
    edge = form.head.edge
    if form.edge(edge).relation != valued.name or len(form.edges) != 1:
        return None
    names = [_ATTRIBUTES[k] for k in said.kinds if k in _ATTRIBUTES] if said.required else []
    if any(attribute(valued, n) is None for pair in names for n in pair):
        return None
    if said.required and len(names) != len(said.kinds):
        return None
    added = (f.Condition(edge, a, f.Op.KNOWN, otherwise=b) for a, b in names)
    return replace(form, conditions=(*form.conditions, *added))


def lists_values(plan: Plan, schema: GraphSchema) -> bool:
    """Whether a plan lists measured values, each of which is shown with its errors."""
    valued, kind = valued_relation(schema), plan.root.kind
    listed = isinstance(plan.head, ListOf) and kind.form is KindForm.STATEMENT
    return listed and valued is not None and kind.owner == valued.name
