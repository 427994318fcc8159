"""Questions that want a yes or a no beside what is listed: "Is any value of X above 20?"."""

from __future__ import annotations

import re
from typing import Final

from cypher import form as f

_WHETHER: Final = re.compile(
    r"^(?:is|are|was|were|does|do|did|has|have|had) (?:there\b|any\b)", re.IGNORECASE
)


def said_first(question: str, form: f.Form, text: str, *, found: bool) -> str:
    """The answer's text with a yes or a no in front, where the question asks whether there is such a thing.

    >>> from cypher.form import Form, Statements
    >>> form = Form("values", (), (), (), Statements("r0"))
    >>> said_first("Is any value above 20?", form, "1 value of X.", found=True)
    'Yes: 1 value of X.'
    >>> said_first("Which values are above 20?", form, "1 value of X.", found=True)
    '1 value of X.'
    """
    listed = isinstance(form.head, f.Entities | f.Statements) and form.shape != "check"
    if not (listed and _WHETHER.match(" ".join(question.split()))):
        return text
    return f"{'Yes' if found else 'No'}: {text if found else text[:1].lower() + text[1:]}"
