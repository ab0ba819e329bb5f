"""The `affine` dialect: loops, conditionals and memory accesses whose indices are affine in loop counters.

* `maps`: maps with operands, in text, and which values may be dimensions and symbols;
* `indices`: apply, min, max, delinearize_index, linearize_index;
* `control_flow`: for, if, parallel, yield;
* `memory`: load, store, vector_load, vector_store, prefetch, dma_start, dma_wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir import on_demand

if TYPE_CHECKING:
    from .control_flow import ForOp as ForOp, IfOp as IfOp, ParallelOp as ParallelOp, YieldOp as YieldOp
    from .indices import (
        ApplyOp as ApplyOp,
        DelinearizeIndexOp as DelinearizeIndexOp,
        LinearizeIndexOp as LinearizeIndexOp,
        MaxOp as MaxOp,
        MinOp as MinOp,
    )
    from .maps import (
        affine_scope as affine_scope,
        is_valid_dim as is_valid_dim,
        is_valid_symbol as is_valid_symbol,
    )
    from .memory import (
        DmaStartOp as DmaStartOp,
        DmaWaitOp as DmaWaitOp,
        LoadOp as LoadOp,
        PrefetchOp as PrefetchOp,
        StoreOp as StoreOp,
        VectorLoadOp as VectorLoadOp,
        VectorStoreOp as VectorStoreOp,
    )


MODULES = {
    "control_flow": "ForOp IfOp ParallelOp YieldOp",
    "indices": "ApplyOp DelinearizeIndexOp LinearizeIndexOp MaxOp MinOp",
    "maps": "affine_scope is_valid_dim is_valid_symbol",
    "memory": "DmaStartOp DmaWaitOp LoadOp PrefetchOp StoreOp VectorLoadOp VectorStoreOp",
}
"""The public names by module, which is imported on first access."""
__getattr__ = on_demand(__name__, MODULES)
