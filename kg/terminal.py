"""The one way to a terminal: nothing that is printed from the graph, the ledger or a model steers it."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from kg.control_characters import plain


class PlainConsole(Console):
    """Leaves control characters out of texts; colours and movements of its own are no text."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of what is printed, without what would steer the terminal."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(plain(text), style)


def console(*, error: bool = False) -> Console:
    """Standard output, or standard error. Brackets and colons of a text are printed as they stand."""
    return PlainConsole(stderr=error, soft_wrap=False, markup=False, emoji=False)
