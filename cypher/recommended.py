"""One value asked of a quantity is the recommended one, where the graph has it, and not every measurement.

"What is the mass of the Higgs boson?" wants a number; "values of the Higgs boson mass" wants measurements.
"""

from __future__ import annotations

import re
from typing import Final

from cypher import form as f
from cypher.schema_graph import LIMIT, RECOMMENDED, attribute
from schemas.graph_schema import GraphSchema
from schemas.questions import Answer

_SEVERAL: Final = re.compile(
    r"\b(?:values|measurements?|results?|limits?|bounds?|all|every|each(?! other)|list|table|determinations?"
    r"|entries|numbers|data|papers?|measured|determined|reported|published|errors?|uncertaint(?:y|ies)"
    r"|experiments?|by(?! how much)|from)\b",
    re.IGNORECASE,
)
"""Words of a question for what was measured."""


_LIMIT: Final = re.compile(r"\b(?:upper |lower )?(?:limit|bound)\b", re.IGNORECASE)
"""One limit; "limits" are all."""
_BEGINNING: Final = re.compile(
    r"^(?:please )?(?:what(?:'s| is| are| was)|which is|tell me|give me|compare|how (?:do|does|did))?"
    r" ?(?:the )?(?:current |accepted )?(?:values? of )?(?:the )?|(?: compare)?[?.]*$",
    re.IGNORECASE,
)


def value_asked(text: str, read_as: str, form: f.Form, schema: GraphSchema) -> str:
    """The quantity of which one value is asked; empty where the measurements are.

    It is the name of the one thing that the form is about, else what the question says, in the wording that
    was read: "masses of A and B".
    """
    if form.shape not in ("values", "side_by_side", "limits") or not isinstance(form.head, f.Statements):
        return ""
    text = _beside_the_name(text, form)
    limit = form.shape == "limits" and len(_LIMIT.findall(text)) == 1
    if (form.shape == "limits" and not limit) or _SEVERAL.search(_LIMIT.sub("", text) if limit else text):
        return ""
    wished = [c for c in form.conditions if not c.optional]
    wished = [c for c in wished if not (limit and c.attribute == LIMIT)]
    types = {form.node(c.var).type for c in wished if not form.is_edge(c.var)}
    if len(types) != 1 or any(form.is_edge(c.var) for c in wished):
        return ""
    if attribute(schema.entity(next(iter(types))), RECOMMENDED) is None:
        return ""
    ids = [c for c in wished if c.attribute == "id"]
    if not ids:
        return _BEGINNING.sub("", read_as)
    if len(wished) > 1 or not isinstance(ids[0].value, tuple):
        return ""
    return ids[0].shown.strip("'") if len(ids[0].value) == 1 else _BEGINNING.sub("", read_as)


def _beside_the_name(text: str, form: f.Form) -> str:
    """What is said beside the name of the one thing: "from direct measurements" may belong to that."""
    names = [c.shown for c in form.conditions if c.attribute == "id" and not c.optional]
    named = {w.lower() for w in re.findall(r"\w+", names[0])} if len(names) == 1 else frozenset()
    if not any(_SEVERAL.fullmatch(w) for w in named):
        return text
    words = re.findall(r"\S+", text)
    kept = [w.strip("?.,").lower() not in named for w in words]
    joining = [w.lower() in ("from", "by") and not kept[i + 1] for i, w in enumerate(words[:-1])]
    return " ".join(
        w for w, own, joins in zip(words, kept, [*joining, False], strict=True) if own and not joins
    )


def gives_limit(answer: Answer) -> bool:
    """Whether the recommended value that an answer shows is a limit."""
    kinds = [
        at
        for at, name in enumerate(answer.columns)
        if name.replace("_", " ") == f"{RECOMMENDED}_kind".replace("_", " ")
    ]
    return any("limit" in str(row[at]) for row in answer.rows for at in kinds)
