"""The `linalg` dialect: structured operations on tensors and memrefs.

`base` defines their common interface; `generic`, `structured`, `contractions`, `named` and `relayout` declare them, and
`bodies` creates the implied payloads of named operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir import on_demand

if TYPE_CHECKING:
    from .base import LinalgOp as LinalgOp
    from .contractions import (
        BatchMatmulOp as BatchMatmulOp,
        BatchReduceMatmulOp as BatchReduceMatmulOp,
        ContractOp as ContractOp,
        ElementwiseOp as ElementwiseOp,
        MatmulOp as MatmulOp,
    )
    from .generic import GenericOp as GenericOp, IndexOp as IndexOp, YieldOp as YieldOp
    from .named import OPERATIONS as OPERATIONS, CopyOp as CopyOp, FillOp as FillOp, NamedOp as NamedOp
    from .relayout import (
        PackOp as PackOp,
        SoftmaxOp as SoftmaxOp,
        UnPackOp as UnPackOp,
        WinogradFilterTransformOp as WinogradFilterTransformOp,
        WinogradInputTransformOp as WinogradInputTransformOp,
        WinogradOutputTransformOp as WinogradOutputTransformOp,
    )
    from .structured import (
        BroadcastOp as BroadcastOp,
        MapOp as MapOp,
        ReduceOp as ReduceOp,
        TransposeOp as TransposeOp,
    )


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
