"""Things of one type and one name: where nothing tells them apart, a question is about all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cypher import form as f
from cypher.shapes import Candidate


def with_namesakes(best: Sequence[Candidate]) -> tuple[Candidate, str] | None:
    """One reading for all that differ in nothing but which of several equal names is meant, and a note.

    ``None`` where they differ in anything that a reader would see.
    """
    forms = [c.form for c in best]
    if len(forms) < 2 or len({_without_ids(form) for form in forms}) > 1:
        return None
    conditions, said = [], []
    for alike in zip(*(form.conditions for form in forms), strict=True):
        first = alike[0]
        ids = tuple(dict.fromkeys(i for c in alike for i in _ids(c)))
        if len(ids) > len(_ids(first)):
            kind = forms[0].node(first.var).type.replace("_", " ")
            said.append(f"{len(ids)} entries of the type {kind} are called {first.shown}; all of them count.")
            first = replace(first, value=ids)
        conditions.append(first)
    whole = replace(forms[0], conditions=tuple(conditions))
    return replace(best[0], form=whole), " ".join(said)


def _without_ids(form: f.Form) -> f.Form:
    plain = (replace(c, value=()) if _ids(c) else c for c in form.conditions)
    return replace(form, shape="", conditions=tuple(plain))


def _ids(condition: f.Condition) -> tuple[object, ...]:
    named = condition.attribute == "id" and condition.op is f.Op.ONE_OF
    return condition.value if named and isinstance(condition.value, tuple) else ()
