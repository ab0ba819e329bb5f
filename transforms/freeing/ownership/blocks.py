"""The walk over a function: each block is entered, gone through, and left, with what it owns known at every step.

Blocks inside an operation come before the block around it, dominators before what they dominate. So the ownership of a
value is known in the block that defines it before any block that needs it is rewritten, and when an operation with
regions is met its regions already take and give ownership.
"""

from __future__ import annotations

from ....analysis.control_flow import blocks_inside_out, leaves_region
from ....dialects import arith, cf, scf
from ....ir.program.builder import Builder
from ....ir.program.core import Block, Operation
from ....ir.program.interfaces import BranchOp, CallOpInterface, FunctionOp, MemoryEffectOp, RegionBranchOp
from ....ir.program.symbols import SymbolTables
from ....ir.source.diagnostics import PassFailed
from ....ir.types import attributes as a
from ....ir.types import types as t
from .calls import handle_call
from .checks import check_loops, check_operation
from .effects import handle_effects, own_remaining_results
from .regions import handle_regions
from .state import State, constant_bool, is_buffer
from .terminators import (
    handle_branch,
    handle_conditional_branch,
    handle_parallel_end,
    handle_reduction_end,
    handle_region_end,
)


class Deallocation:
    """Rewrites functions so that they free what they own. Near-linear in what is written.

    Attributes:
        symbols: where callees are found; their signatures may change meanwhile, their visibility does not.
        dynamic: whether private functions tell their callers at run time who owns what they return.
    """

    def __init__(self, symbols: SymbolTables, dynamic: bool) -> None:
        self.symbols = symbols
        self.dynamic = dynamic

    def run(self, function: FunctionOp, state: State) -> None:
        """Rewrite a function that has a body.

        Raises:
            PassFailed: it is not supported, see `checks`. It may have been rewritten in part.
        """
        check_loops(function)
        for block in list(blocks_inside_out(function)):
            self._enter(block, state)
            for op in block:
                self._operation(op, state)
                own_remaining_results(op, state)
        update_signature(function)

    def _enter(self, block: Block, state: State) -> None:
        """Decide who owns what reaches `block`: nothing from other regions, the rest as its definition says."""
        builder = Builder.at_start(block, block.first_op.where if block.first_op is not None else None)
        for value in state.order.live_in(block):
            if value.parent_region is block.region:
                state.own(value, state.ownership(value), block)
                state.must_free(value, block)
            else:
                state.own(value, constant_bool(builder, False), block)
        is_function_entry = isinstance(block.parent_op, FunctionOp) and block.is_entry
        for arg in list(block.args):
            if is_buffer(arg):
                owned = constant_bool(builder, False) if is_function_entry else block.add_argument(t.I1)
                state.own(arg, owned)
                state.must_free(arg)

    def _operation(self, op: Operation, state: State) -> None:
        if isinstance(op, arith.SelectOp):
            return
        if isinstance(op, cf.CondBranchOp):
            handle_conditional_branch(op, state)
        elif isinstance(op, scf.InParallelOp):
            handle_parallel_end(op, state)
        elif isinstance(op, scf.ReduceReturnOp):
            handle_reduction_end(op, state)
        else:
            check_operation(op)
            if isinstance(op, MemoryEffectOp):
                handle_effects(op, state)
            if isinstance(op, RegionBranchOp):
                handle_regions(op, state)
            if isinstance(op, CallOpInterface):
                handle_call(op, state, self.symbols, self.dynamic)
            if isinstance(op, BranchOp):
                handle_branch(op, state)
            if leaves_region(op):
                handle_region_end(op, state, self.dynamic)


def update_signature(function: FunctionOp) -> None:
    """Make the type of a function that of its entry block and of what its body returns.

    Raises:
        PassFailed: two terminators return different types.
    """
    returned = [op.operand_types for op in function.body.ops() if leaves_region(op)]
    if any(types != returned[0] for types in returned[1:]):
        message = "there are multiple return operations with different operand types"
        raise PassFailed(message, function.name_span, function)
    results = returned[0] if returned else function.function_type.results
    inputs = tuple(arg.type for arg in function.body.entry.args)
    function.properties["function_type"] = a.TypeAttr(t.FunctionType(inputs, tuple(results)))
