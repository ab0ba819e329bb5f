"""The `scf` dialect: structured control flow.

`scf_branch_ops` declares the operations that run one region once, and `scf.forall`; `scf_loop_ops` declares the
sequential loops and `scf.parallel`.
"""

from __future__ import annotations

from .scf_branch_ops import (
    ExecuteRegionOp as ExecuteRegionOp,
    ForallOp as ForallOp,
    IfOp as IfOp,
    IndexSwitchOp as IndexSwitchOp,
    InParallelOp as InParallelOp,
)
from .scf_loop_ops import (
    ConditionOp as ConditionOp,
    ForOp as ForOp,
    ParallelOp as ParallelOp,
    ReduceOp as ReduceOp,
    ReduceReturnOp as ReduceReturnOp,
    WhileOp as WhileOp,
    YieldOp as YieldOp,
)
