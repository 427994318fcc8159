"""What an answer looks like in numbers: what a scorer of confidence can be fitted on."""

from __future__ import annotations

import re

from schemas.model import Frozen
from schemas.questions import Answer


class LabelledAnswer(Frozen):
    """An answer that a reviewer judged, as one line of a file to fit a scorer on."""

    question: str
    shape: str
    outcome: str
    right: bool
    features: dict[str, float]
    store: str = ""
    """Address of the store that was asked; empty for the workspace's own graph."""


def features(answer: Answer) -> dict[str, float]:
    """Numbers between 0 and 1, or counts, by name; a feature that does not apply is 0.

    >>> from schemas.questions import Outcome
    >>> found = features(Answer(outcome=Outcome.UNANSWERABLE, question="Why is it so?", text="no"))
    >>> found["words"], found["rows"], found["confidence"]
    (4.0, 0.0, 0.0)
    """
    use = answer.model_use
    asked = answer.resolved or answer.question
    return {
        "confidence": answer.confidence,
        "words": float(len(asked.split())),
        "rows": float(len(answer.rows)),
        "columns": float(len(answer.columns)),
        "citations": float(len(answer.citations)),
        "assumptions": float(len(answer.assumptions)),
        "repairs": float(len(answer.repairs)),
        "superseded": float(answer.superseded),
        "truncated": float(answer.truncated),
        "hops": float(len(re.findall(r"-\[", answer.cypher))),
        "conditions": float(len(re.findall(r"\$(?!scope\b)\w+", answer.cypher))),
        "follow_up": float(bool(answer.resolved)),
        "by_model": float(use.decided) if use else 0.0,
        "agreement": use.agreeing / use.samples if use and use.samples else 0.0,
    }
