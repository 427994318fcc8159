"""The extractors that need model files: GLiNER and REBEL, as kg.toml names them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pydantic import Field

from extraction.gliner import GlinerExtractor, GlinerSettings
from extraction.rebel import RebelExtractor, RebelSettings
from kg.adapters.gliner_model import GlinerModel
from kg.adapters.rebel_model import RebelModel
from schemas.model import Frozen
from schemas.ports import Chat, Embedder, Extractor


class ExtractionModelSettings(Frozen):
    """How the models of ``extraction.gliner`` and ``extraction.rebel`` are run, and what is believed."""

    offline: bool = True
    """Never ask a model hub: names are looked up in its local cache."""
    device: str = Field("auto", pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$")
    """``auto``: a GPU where CUDA finds one."""
    batch_size: int = Field(8, ge=1, le=1_024)
    """Texts at a time."""
    learn_vectors: bool = False
    """Let `kg train extractor` use the embedder's vectors as features: better where there are many relation
    types, slower, and extraction then runs in one process."""
    settle: bool = True
    """Let the chat model, where there is a ``[chat]``, settle what GLiNER is unsure of."""
    gliner: GlinerSettings = GlinerSettings()
    rebel: RebelSettings = RebelSettings()

    def extractors(
        self, root: Path, sources: tuple[str, str], *, chat: Chat | None, embedder: Callable[[], Embedder]
    ) -> tuple[Extractor, ...]:
        """The extractors of ``sources``, folder or hub name of GLiNER and of REBEL, empty for none.

        A folder may be relative to ``root``. Nothing is loaded before the first document.
        """
        gliner, rebel = (_source(root, source) for source in sources)
        found: list[Extractor] = []
        if gliner:
            labeller = GlinerModel(
                gliner, offline=self.offline, device=self.device, batch_size=self.batch_size
            )
            found.append(GlinerExtractor(labeller, self.gliner, chat=chat if self.settle else None))
        if rebel:
            writer = RebelModel(rebel, offline=self.offline, device=self.device, batch_size=self.batch_size)
            found.append(RebelExtractor(writer, self.rebel, embedder=embedder()))
        return tuple(found)


def _source(root: Path, source: str) -> str:
    return str(root / source) if source and (root / source).is_dir() else source
