"""What a chat model is told of a query that failed while it ran: never the server's own words.

The server tells values in its messages ("Text cannot be parsed to a Date "+49 ...""), and a query can be
written so that it does: only its status code and a fixed sentence leave for a model.
"""

from __future__ import annotations

import re
from typing import Final

from schemas.errors import QueryError, QueryFailedError, QueryRefusedError, QueryTimeoutError
from schemas.findings import Finding

_CODE: Final = re.compile(r"Neo\.[A-Za-z]{1,40}\.[A-Za-z]{1,40}\.(?P<kind>[A-Za-z]{1,80})")
_UNREADABLE: Final = (
    "the server cannot read the query, or a value in it as the date, time, pattern or other form that a "
    "function takes"
)
_ARGUMENT: Final = "a function is given a value that it does not take"
_SENTENCES: Final = {
    "SyntaxError": _UNREADABLE,
    "SemanticError": _UNREADABLE,
    "TypeError": "a value is of another type than an operator or function of the query takes",
    "ArithmeticError": "a calculation has no result, as a division by zero or a number that is too large",
    "ArgumentError": _ARGUMENT,
    "ExecutionFailed": _ARGUMENT,
    "ProcedureCallFailed": _ARGUMENT,
}
_LATE: Final = "the query takes too long"
_MEMORY: Final = "the query needs too much memory; ask for fewer rows, shorter paths or smaller lists"
_OTHER: Final = "the server could not run the query"


def finding_of(error: QueryError) -> Finding:
    """What to tell the model of a query that could not be run.

    >>> code = "Neo.ClientError.Statement.ArithmeticError"
    >>> finding_of(QueryFailedError("3 / 0: by zero", code=code)).message.partition(": ")[2]
    'a calculation has no result, as a division by zero or a number that is too large'
    """
    if isinstance(error, QueryTimeoutError):
        return Finding(code="EXE2", message=_LATE)
    if isinstance(error, QueryRefusedError):  # of the plan: nothing was read
        return Finding(code="SEM1", message=str(error))
    found = _CODE.fullmatch(error.code) if isinstance(error, QueryFailedError) else None
    if found is None:
        return Finding(code="SEM1", message=_OTHER)
    said = _MEMORY if "OutOfMemory" in found["kind"] else _SENTENCES.get(found["kind"], _OTHER)
    return Finding(code="SEM1", message=f"{found[0]}: {said}")
