"""The `affine` dialect: loops, conditionals and memory accesses whose indices are affine in loop counters.

* `maps`: maps with operands, in text, and which values may be dimensions and symbols;
* `indices`: apply, min, max, delinearize_index, linearize_index;
* `control_flow`, `parallel`: for, if, parallel, yield;
* `memory`: load, store, vector_load, vector_store, prefetch, dma_start, dma_wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import on_demand

if TYPE_CHECKING:
    from .control_flow import ForOp, IfOp, YieldOp
    from .indices import ApplyOp, DelinearizeIndexOp, LinearizeIndexOp, MaxOp, MinOp
    from .maps import affine_scope, is_valid_dim, is_valid_symbol
    from .memory import DmaStartOp, DmaWaitOp, LoadOp, PrefetchOp, StoreOp, VectorLoadOp, VectorStoreOp
    from .parallel import ParallelOp

__all__ = [
    "ApplyOp",
    "DelinearizeIndexOp",
    "DmaStartOp",
    "DmaWaitOp",
    "ForOp",
    "IfOp",
    "LinearizeIndexOp",
    "LoadOp",
    "MaxOp",
    "MinOp",
    "ParallelOp",
    "PrefetchOp",
    "StoreOp",
    "VectorLoadOp",
    "VectorStoreOp",
    "YieldOp",
    "affine_scope",
    "is_valid_dim",
    "is_valid_symbol",
]

MODULES = {
    "control_flow": "ForOp IfOp YieldOp",
    "indices": "ApplyOp DelinearizeIndexOp LinearizeIndexOp MaxOp MinOp",
    "maps": "affine_scope is_valid_dim is_valid_symbol",
    "memory": "DmaStartOp DmaWaitOp LoadOp PrefetchOp StoreOp VectorLoadOp VectorStoreOp",
    "parallel": "ParallelOp",
}
"""The public names by module, which is imported on first access."""
__getattr__ = on_demand(__name__, MODULES)
