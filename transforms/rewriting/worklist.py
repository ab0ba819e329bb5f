"""The operations still to be looked at: last in, first out, each at most once."""

from __future__ import annotations

from collections.abc import Collection

from ...ir.program.core import Operation


class Worklist:
    """A stack without duplicates from which operations can be taken out. All operations are amortised O(1)."""

    __slots__ = ("_position", "_stack")

    def __init__(self, ops: Collection[Operation] = ()) -> None:
        """What is in `ops`, the last on top; each is there once. O(operations)."""
        self._stack: list[Operation | None] = list(ops)
        self._position: dict[Operation, int] = {op: at for at, op in enumerate(ops)}

    def push(self, op: Operation) -> None:
        """Put `op` on top, unless it is already somewhere on the stack."""
        if op not in self._position:
            self._position[op] = len(self._stack)
            self._stack.append(op)

    def pop(self) -> Operation | None:
        """Take the top; None if there is nothing left."""
        stack = self._stack
        while stack:
            op = stack.pop()
            if op is not None:
                del self._position[op]
                return op
        return None

    def remove(self, op: Operation) -> None:
        """Take `op` out, wherever it is."""
        at = self._position.pop(op, None)
        if at is not None:
            self._stack[at] = None
