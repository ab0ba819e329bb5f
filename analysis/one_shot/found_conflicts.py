"""Conflicts as plain data, without proofs or wording."""

from __future__ import annotations

from ...ir.program.core import OpOperand, Value
from ...ir.source.records import record


@record(frozen=True)
class ReadAfterWrite:
    """`write` would destroy what `definition` gave to `read`."""

    read: OpOperand
    write: OpOperand
    definition: Value


@record(frozen=True)
class ReadOnly:
    """The memory would be written although `values`, which may share it, may not be.

    A value is listed once for each alias class of operand and aliasing values in which it was met.
    """

    values: tuple[Value, ...]


@record(frozen=True)
class ParallelWrite:
    """Iterations that run at once would execute `write` on one buffer, that of `origin`."""

    write: OpOperand
    origin: Value


@record(frozen=True)
class Forbidden:
    """A rule of a user's own forbids that `use` keeps its buffer; it points at `value`."""

    use: OpOperand
    value: Value


PairConflict = ParallelWrite | ReadAfterWrite | Forbidden
InPlaceConflict = PairConflict | ReadOnly
