"""What every partial pass has in common: dense buffers, a copy before each write, and tensors left where others work."""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.program.core import Operation
from ..bufferize.options import IDENTITY_LAYOUT, BufferizeOptions


@dataclass(frozen=True, slots=True)
class PartialOptions(BufferizeOptions):
    """Options of a rewrite that is limited to some operations.

    Attributes:
        dialects: dialects all of whose operations are rewritten.
        operations: full names of further operations that are.
    """

    dialects: frozenset[str] = frozenset()
    operations: frozenset[str] = frozenset()

    def allows(self, op: Operation) -> bool:
        name = op.name
        return name.partition(".")[0] in self.dialects or name in self.operations


def partial_options(*dialects: str, operations: tuple[str, ...] = (), alignment: int = 64) -> PartialOptions:
    """The options of a pass for `dialects`, or for single `operations`. Allocations are always rewritten too."""
    return PartialOptions(
        allow_unknown_ops=True,
        copy_before_write=True,
        function_boundary_layout=IDENTITY_LAYOUT,
        unknown_layout=IDENTITY_LAYOUT,
        buffer_alignment=alignment,
        dialects=frozenset(("bufferization", *dialects)),
        operations=frozenset(operations),
    )
