"""How do operations nest, and how do control and values pass between their regions?

The frames of `cfg` with less in them: boxes of a few lines stand between operations with regions, and what is in regions that
are not control flow (the payload of `linalg.generic`) is left out.
"""

from __future__ import annotations

from . import Request
from .blocks import Wording
from .canvas import Canvas
from .cfg import BlockDrawing, draw_blocks


def draw_regions(request: Request, wording: Wording) -> Canvas:
    """The picture. O(operations)."""
    return draw_blocks(request, wording, "Regions", _Nesting)


class _Nesting(BlockDrawing):
    most_lines = 12
    nested = False
