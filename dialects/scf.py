"""The `scf` dialect: structured control flow.

`scf_branch_ops` declares the operations that run one region once, and `scf.forall`; `scf_loop_ops` declares the
sequential loops and `scf.parallel`.
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
