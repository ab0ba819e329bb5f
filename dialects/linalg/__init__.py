"""The `linalg` dialect: structured operations on tensors and memrefs.

`base` defines their common interface; `generic`, `structured`, `contractions`, `named` and `relayout` declare them, and
`bodies` creates the implied payloads of named operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import on_demand

if TYPE_CHECKING:
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


MODULES = {
    "base": "LinalgOp",
    "contractions": "BatchMatmulOp BatchReduceMatmulOp ContractOp ElementwiseOp MatmulOp",
    "generic": "GenericOp IndexOp YieldOp",
    "named": "OPERATIONS CopyOp FillOp NamedOp",
    "relayout": "PackOp SoftmaxOp UnPackOp WinogradFilterTransformOp WinogradInputTransformOp WinogradOutputTransformOp",
    "structured": "BroadcastOp MapOp ReduceOp TransposeOp",
}
"""The public names by module, which is imported on first access."""
_declared = on_demand(__name__, MODULES)


def __getattr__(name: str) -> Any:
    """A public name of a module, or a named operation generated from a table: `linalg.AddOp`,
    `linalg.Conv2DNhwcHwcfOp`.
    """
    try:
        return _declared(name)
    except AttributeError:
        if name.endswith("Op"):
            for cls in _declared("OPERATIONS").values():
                if cls.__name__ == name:
                    return cls
        raise
