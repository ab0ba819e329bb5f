"""The kind `deallocation-refused`."""

from __future__ import annotations

from ..finding import Meant


class DeallocationRefused(Meant):
    """The deallocation pipeline does not take the program.

    Bufferization does, so allocations and copies are known, but not the clones that freeing would make. A program that frees
    memory itself, or loops by branches between blocks, is freed by other passes.
    """

    id = "deallocation-refused"
