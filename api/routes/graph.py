"""GET /api/v1/entities/{id} and /api/v1/documents/{key}."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException

from api.deps import PlatformDep
from schemas.views import DocumentView, EntityView

router = APIRouter(tags=["graph"])


@router.get("/entities/{entity_id}")
def entity(entity_id: str, platform: PlatformDep) -> EntityView:
    """One entity with its records, evidence and statements; a merged id leads to the surviving one."""
    found = platform.views.entity(entity_id)
    if found is None:
        raise HTTPException(
            404,
            f"no entity has the id {entity_id!r}; ids come from answers, as those of POST /api/v1/questions",
        )
    return found


@router.get("/documents/{key:path}")
def document(key: str, platform: PlatformDep) -> DocumentView:
    """One document with its sections and what was found in it.

    A bare INSPIRE number, arXiv id or DOI, as answers cite them, leads to it too.
    """
    cited = key.removeprefix("arXiv:").removeprefix("doi:")
    names = (key, f"inspire:{cited}", f"doi:{cited}", cited)
    found = next((d for name in names if (d := platform.views.document(name))), None)
    found = found or platform.views.cited(cited)
    if found is None:
        raise HTTPException(
            404, f"no document has the key {key!r}; keys look like inspire:1915806 or 2104.04421"
        )
    return found
