"""The kind `rewrite-buffer`."""

from __future__ import annotations

from ..finding import Finding


class RewriteBuffer(Finding):
    """The rewrite needs a buffer of its own.

    The operation cannot be written in terms of the buffers it has.
    """

    id = "rewrite-buffer"

    def title(self) -> str:
        verb = (
            f"copies {self.bytes} into a new buffer"
            if self.copies
            else f"allocates a new buffer ({self.bytes})"
        )
        return f"'{self.op.name}' {verb}: bufferizing it takes a buffer of its own"
