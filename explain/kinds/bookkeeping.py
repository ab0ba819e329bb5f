"""The kind `bookkeeping`."""

from __future__ import annotations

from ..finding import Finding


class Bookkeeping(Finding):
    """Deallocation notes at run time who owns what.

    Where several buffers may be one, their addresses and owners are kept in small arrays and compared before anything is freed.
    """

    id = "bookkeeping"

    def title(self) -> str:
        return f"'{self.op.name}' takes {self.bytes} to find out at run time what is to be freed"
