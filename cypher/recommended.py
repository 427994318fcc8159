"""One value asked of a quantity is the recommended one, where the graph has it, and not every measurement.

"What is the mass of the Higgs boson?" wants a number; "values of the Higgs boson mass" wants measurements.
"""

from __future__ import annotations

import re
from typing import Final

from cypher import form as f
from cypher.schema_graph import RECOMMENDED, attribute
from schemas.graph_schema import GraphSchema

_ONE: Final = re.compile(
    r"(?:please )?(?:what(?:'s| is| are| was)|compare|which is|tell me|give me|how)\b|(?:the"
    r" )?(?:current |accepted"
    r" )?value of\b",
    re.IGNORECASE,
)
"""How a question for one value begins; a bare name may ask for anything of it."""
_SEVERAL: Final = re.compile(
    r"\b(?:values|measurements?|results?|limits?|bounds?|all|every|each|list|table|determinations?|entries"
    r"|numbers|data|papers?|measured|determined|reported|published|errors?|uncertaint(?:y|ies)"
    r"|experiments?|by|from)\b",
    re.IGNORECASE,
)
"""Words of a question for what was measured."""


_BEGINNING: Final = re.compile(
    r"^(?:please )?(?:what(?:'s| is| are| was)|which is|tell me|give me|compare)?"
    r" ?(?:the )?(?:current |accepted )?(?:values? of )?(?:the )?|[?.]$",
    re.IGNORECASE,
)


def value_asked(text: str, form: f.Form, schema: GraphSchema) -> str:
    """The quantity of which one value is asked; empty where the measurements are.

    It is the name of the one thing that the form is about, else what the question says: "masses of A and B".
    """
    if form.shape != "values" or not isinstance(form.head, f.Statements):
        return ""
    if _ONE.match(text) is None or _SEVERAL.search(text):
        return ""
    wished = [c for c in form.conditions if not c.optional]
    types = {form.node(c.var).type for c in wished if not form.is_edge(c.var)}
    if len(types) != 1 or any(form.is_edge(c.var) for c in wished):
        return ""
    if attribute(schema.entity(next(iter(types))), RECOMMENDED) is None:
        return ""
    ids = [c for c in wished if c.attribute == "id"]
    if not ids:
        return _BEGINNING.sub("", text)
    alone = len(wished) == 1 and isinstance(ids[0].value, tuple) and len(ids[0].value) == 1
    return ids[0].shown.strip("'") if alone else ""
