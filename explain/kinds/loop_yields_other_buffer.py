"""The kind `loop-yields-other-buffer`."""

from __future__ import annotations

from ..finding import Meant


class LoopYieldsOtherBuffer(Meant):
    """A loop would hand a new buffer to its next iteration.

    That is not allowed by default, since nobody could free it. Yield what was made from the loop's own argument, or pass
    --allow-return-allocs-from-loops.
    """

    id = "loop-yields-other-buffer"
