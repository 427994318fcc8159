"""GET /api/v1/entities/{id} and /api/v1/documents/{key}."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request

from api.deps import PlatformDep
from api.looks import looked
from kg.adapters.neo4j_views import Neo4jViews
from schemas.views import DocumentView, EntityView

router = APIRouter(tags=["graph"])


@router.get("/entities/{entity_id}")
async def entity(entity_id: str, request: Request, platform: PlatformDep) -> EntityView:
    """One entity with its records, evidence and statements; a merged id leads to the surviving one.

    Status 429 with `Retry-After` when too many look at once.
    """
    found = await looked(request, platform, lambda services: services.views.entity(entity_id))
    if found is None:
        raise HTTPException(
            404,
            f"no entity has the id {entity_id!r}; ids come from answers, as those of POST /api/v1/questions",
        )
    return found


@router.get("/documents/{key:path}")
async def document(key: str, request: Request, platform: PlatformDep) -> DocumentView:
    """One document with its sections and what was found in it.

    A bare INSPIRE number, arXiv id or DOI, as answers cite them, leads to it too. Status 429 with
    `Retry-After` when too many look at once.
    """
    found = await looked(request, platform, lambda services: _document(key, services.views))
    if found is None:
        raise HTTPException(
            404, f"no document has the key {key!r}; keys look like inspire:1915806 or 2104.04421"
        )
    return found


def _document(key: str, views: Neo4jViews) -> DocumentView | None:
    cited = key.removeprefix("arXiv:").removeprefix("doi:")
    names = (key, f"inspire:{cited}", f"doi:{cited}", cited)
    found = next((d for name in names if (d := views.document(name))), None)
    return found or views.cited(cited)
