"""The `linalg` dialect: structured operations on tensors and memrefs.

`base` says what they have in common; `generic`, `structured`, `contractions`, `named` and `relayout` declare them, and
`bodies` makes the payloads that named operations do not show.
"""

from __future__ import annotations

from typing import Any

from .base import LinalgOp
from .contractions import BatchMatmulOp, BatchReduceMatmulOp, ContractOp, ElementwiseOp, MatmulOp
from .generic import GenericOp, IndexOp, YieldOp
from .named import OPERATIONS, CopyOp, FillOp, NamedOp
from .relayout import (
    PackOp,
    SoftmaxOp,
    UnPackOp,
    WinogradFilterTransformOp,
    WinogradInputTransformOp,
    WinogradOutputTransformOp,
)
from .structured import BroadcastOp, MapOp, ReduceOp, TransposeOp

__all__ = [
    "OPERATIONS",
    "BatchMatmulOp",
    "BatchReduceMatmulOp",
    "BroadcastOp",
    "ContractOp",
    "CopyOp",
    "ElementwiseOp",
    "FillOp",
    "GenericOp",
    "IndexOp",
    "LinalgOp",
    "MapOp",
    "MatmulOp",
    "NamedOp",
    "PackOp",
    "ReduceOp",
    "SoftmaxOp",
    "TransposeOp",
    "UnPackOp",
    "WinogradFilterTransformOp",
    "WinogradInputTransformOp",
    "WinogradOutputTransformOp",
    "YieldOp",
]


def __getattr__(name: str) -> Any:
    """The named operations that are made from a table: `linalg.AddOp`, `linalg.Conv2DNhwcHwcfOp`."""
    for cls in OPERATIONS.values():
        if cls.__name__ == name:
            return cls
    raise AttributeError(f"the linalg dialect has no '{name}'")
