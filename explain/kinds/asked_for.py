"""The kind `asked-for`."""

from __future__ import annotations

from ...ir.source.places import Span
from ..finding import Finding


class AskedFor(Finding):
    """The source asks for it.

    The program itself says that memory is allocated or copied here.

    Example:
        %c = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
    """

    id = "asked-for"

    def title(self) -> str:
        what = "copies" if self.copies else "allocates"
        return f"'{self.op.name}' {what} ({self.bytes}), as the program asks"

    def place(self) -> Span | None:
        return self.op.name_span
