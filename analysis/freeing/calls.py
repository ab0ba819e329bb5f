"""Which calls of a function may free or keep the buffers that they are passed."""

from __future__ import annotations

from ...ir.defects import ESCAPING_BUFFERS, Defect
from ...ir.program.core import Operation, OpOperand, Value
from ...ir.program.interfaces import CallOpInterface
from ...ir.program.symbols import SymbolTable, SymbolTables, callee_name, calling_unknown
from ...ir.source.diagnostics import expect
from ..allocations import escaping_allocations
from ..origins import is_buffer
from .contracts import Contracts


class CallsOfProgram:
    """Which calls may free or keep their operands, for passes that run function by function. Cached per program."""

    def __init__(self) -> None:
        self._learnt: tuple[Operation, Contracts] | None = None
        self._harmless: tuple[Operation, set[str | None]] | None = None

    def freed(self, function: Operation) -> list[tuple[CallOpInterface, Value]]:
        """The calls in a function, each with the operands it may free."""
        return [(expect(CallOpInterface, use.owner), use.value) for use in self.taken(function)]

    def taken(self, function: Operation) -> list[OpOperand]:
        """The operands of the calls in a function that these may free, or let escape. O(operations) on first use per
        program."""
        calls = _calls_with_buffers(function)
        if not calls:
            return []
        root = function.root
        if self._learnt is None or self._learnt[0] is not root:
            self._learnt = root, Contracts(SymbolTables(), root)
        contracts = self._learnt[1]
        return [call.op_operands[position] for call in calls for position in contracts.taken(call)]

    def escaping(self, function: Operation, mirrored: frozenset[Defect]) -> dict[Value, OpOperand]:
        """The allocations that no ownership covers, as `escaping_allocations`: those that calls keep or free are among them."""
        if ESCAPING_BUFFERS in mirrored:
            return {}
        return escaping_allocations(function, self.taken(function))

    def kept(self, function: Operation) -> list[tuple[CallOpInterface, Value]]:
        """The calls in a function, each with the operands it may keep: any if a function without a body may be reached."""
        calls = _calls_with_buffers(function)
        module = function.parent_op
        if not calls or module is None:
            return []
        if self._harmless is None or self._harmless[0] is not module:
            symbols = dict(SymbolTable(module))
            keeping = calling_unknown(symbols, lambda call: any(map(is_buffer, call.operands)))
            self._harmless = module, {name for name in symbols if name not in keeping}
        harmless = self._harmless[1]
        return [
            (call, use.value)
            for call in calls
            if callee_name(call) not in harmless
            for use in call.argument_operands()
            if is_buffer(use.value)
        ]


def _calls_with_buffers(function: Operation) -> list[CallOpInterface]:
    return [
        op for op in function.walk() if isinstance(op, CallOpInterface) and any(map(is_buffer, op.operands))
    ]
