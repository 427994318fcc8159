"""Errors as problem+json (RFC 9457): what was expected, what was found, what to do."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from api.addresses import hidden
from schemas.errors import (
    CorpusGraphError,
    GraphFileError,
    LedgerBusyError,
    QueryRefusedError,
    QueryTimeoutError,
    ReadError,
    SchemaError,
    ServiceError,
    SettingsError,
    StoreUnavailableError,
    TransientServiceError,
    UsageError,
    WorkspaceError,
)
from schemas.model import Frozen

MEDIA_TYPE = "application/problem+json"
STATUS: tuple[tuple[type[CorpusGraphError], HTTPStatus], ...] = (
    (StoreUnavailableError, HTTPStatus.SERVICE_UNAVAILABLE),
    (TransientServiceError, HTTPStatus.SERVICE_UNAVAILABLE),
    (LedgerBusyError, HTTPStatus.SERVICE_UNAVAILABLE),
    (ServiceError, HTTPStatus.BAD_GATEWAY),
    (QueryTimeoutError, HTTPStatus.GATEWAY_TIMEOUT),
    (QueryRefusedError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (WorkspaceError, HTTPStatus.INTERNAL_SERVER_ERROR),
    (SettingsError, HTTPStatus.INTERNAL_SERVER_ERROR),
    (SchemaError, HTTPStatus.INTERNAL_SERVER_ERROR),
    (ReadError, HTTPStatus.INTERNAL_SERVER_ERROR),
    (GraphFileError, HTTPStatus.INTERNAL_SERVER_ERROR),
    (UsageError, HTTPStatus.BAD_REQUEST),
    (CorpusGraphError, HTTPStatus.INTERNAL_SERVER_ERROR),
)
"""First match wins. No request names a file: whatever is wrong with one is a fault of the server."""


class Problem(Frozen):
    """The body of every error."""

    type: str
    """``about:blank``, or the name of the error class."""
    title: str
    status: int
    detail: str
    instance: str
    """Path of the request."""


def problem(
    request: Request,
    status: HTTPStatus,
    detail: str,
    *,
    kind: str = "about:blank",
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """One error reply; what the request said and no JSON can hold is shown as U+FFFD."""
    detail = detail.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    body = Problem(
        type=kind, title=status.phrase, status=status.value, detail=detail, instance=request.url.path
    )
    return JSONResponse(body.model_dump(), status_code=status.value, media_type=MEDIA_TYPE, headers=headers)


async def _ours(request: Request, error: Exception) -> JSONResponse:
    status = next(code for kind, code in STATUS if isinstance(error, kind))
    return problem(request, status, hidden(str(error)), kind=type(error).__name__)


async def _http(request: Request, error: Exception) -> JSONResponse:
    code = error.status_code if isinstance(error, HTTPException) else 500
    detail = str(error.detail) if isinstance(error, HTTPException) else ""
    headers = error.headers if isinstance(error, HTTPException) else None
    return problem(request, HTTPStatus(code), detail, headers=headers)


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    """A fault of ours: the server logs it with its traceback, the caller is told no details."""
    detail = f"the server failed with {type(error).__name__}; its log has the details"
    return problem(request, HTTPStatus.INTERNAL_SERVER_ERROR, detail)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    found = error.errors() if isinstance(error, RequestValidationError) else []
    where = "; ".join(f"{'.'.join(str(p) for p in e['loc'])}: {e['msg']}" for e in found[:5])
    return problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, where)


def install(app: FastAPI) -> None:
    """Every error of the app becomes problem+json."""
    app.add_exception_handler(CorpusGraphError, _ours)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Exception, _unexpected)
