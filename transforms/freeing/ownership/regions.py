"""Operations with regions: ownership comes out of them as additional results, and never goes in.

    %r = scf.for ... iter_args(%x = %a) -> (memref<4xf32>) {...}
 => %r:2 = scf.for ... iter_args(%x = %a, %owned = %false) -> (memref<4xf32>, i1) {...}

The bodies were rewritten before: their arguments and terminators already carry the additional values.
"""

from __future__ import annotations

from ....analysis.control_flow import entry_successor
from ....ir.defects import REPLACED_RESULTS
from ....ir.program.builder import Builder
from ....ir.program.core import Operation, OpResult, Value
from ....ir.program.interfaces import RegionBranchOp
from ....ir.types import types as t
from .state import State, buffers, constant_bool


def handle_regions(op: RegionBranchOp, state: State) -> None:
    """Pass that nothing is owned to the regions, and take over what they give.

    Assumes that carried values come last among operands, region arguments and results, as the reference does.
    """
    assert op.block is not None
    not_owned = constant_bool(Builder.at_start(op.block, op.where), False)
    entering = [use.value for use in op.entry_successor_operands(entry_successor(op))]
    op.insert_operands(len(op.op_operands), [not_owned] * len(buffers(entering)))
    for result, owned in append_owners(op, state):
        state.own(result, owned)
        state.must_free(result)


def append_owners(op: Operation, state: State) -> list[tuple[Value, Value]]:
    """Append an `i1` result for each memref result of `op`; the pairs of both."""
    results = buffers(op.results)
    state.order.replaced(op, results, lost=REPLACED_RESULTS in state.mirrored)
    start = len(op.results)
    owners = [OpResult(op, start + i, t.I1) for i in range(len(results))]
    op.results.extend(owners)
    return list(zip(results, owners, strict=True))
