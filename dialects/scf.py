"""The `scf` dialect: control flow as regions instead of branches between blocks.

The operations are declared by what they do: `scf_branch_ops` run one region once, `scf_loop_ops` repeat in order,
`scf_parallel_ops` and `scf_forall_ops` in any order.
"""

from __future__ import annotations

from .scf_branch_ops import ExecuteRegionOp, ForallOp, IfOp, IndexSwitchOp, InParallelOp
from .scf_loop_ops import ConditionOp, ForOp, ParallelOp, ReduceOp, ReduceReturnOp, WhileOp, YieldOp

__all__ = [
    "ConditionOp",
    "ExecuteRegionOp",
    "ForOp",
    "ForallOp",
    "IfOp",
    "InParallelOp",
    "IndexSwitchOp",
    "ParallelOp",
    "ReduceOp",
    "ReduceReturnOp",
    "WhileOp",
    "YieldOp",
]
