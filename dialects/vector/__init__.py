"""The `vector` dialect: fixed-shape values held in registers, and their transfers from and to memory.

* `kinds`: shared constraints and enumerations;
* `transfer`: transfer_read and transfer_write;
* `memory`: load, store, masked and indexed forms, print, type_cast;
* `slices`: extracting and inserting, and masks;
* `shapes`: broadcasting, reshaping, shuffling;
* `compute`: fma, reductions, outer products, contractions.
"""

from .compute import ContractionOp, FMAOp, MultiDimReductionOp, OuterProductOp, ReductionOp, ScanOp
from .memory import (
    CompressStoreOp,
    ExpandLoadOp,
    GatherOp,
    LoadOp,
    MaskedLoadOp,
    MaskedStoreOp,
    PrintOp,
    ScatterOp,
    StoreOp,
    TypeCastOp,
)
from .shapes import (
    BitCastOp,
    BroadcastOp,
    DeinterleaveOp,
    InterleaveOp,
    ShapeCastOp,
    ShuffleOp,
    StepOp,
    TransposeOp,
    VectorScaleOp,
)
from .slices import (
    ConstantMaskOp,
    CreateMaskOp,
    ExtractOp,
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertOp,
    InsertStridedSliceOp,
    MaskableOp,
    MaskOp,
    ScalableExtractOp,
    ScalableInsertOp,
    ToElementsOp,
    YieldOp,
)
from .transfer import TransferOp, TransferReadOp, TransferWriteOp

__all__ = [
    "BitCastOp",
    "BroadcastOp",
    "CompressStoreOp",
    "ConstantMaskOp",
    "ContractionOp",
    "CreateMaskOp",
    "DeinterleaveOp",
    "ExpandLoadOp",
    "ExtractOp",
    "ExtractStridedSliceOp",
    "FMAOp",
    "FromElementsOp",
    "GatherOp",
    "InsertOp",
    "InsertStridedSliceOp",
    "InterleaveOp",
    "LoadOp",
    "MaskOp",
    "MaskableOp",
    "MaskedLoadOp",
    "MaskedStoreOp",
    "MultiDimReductionOp",
    "OuterProductOp",
    "PrintOp",
    "ReductionOp",
    "ScalableExtractOp",
    "ScalableInsertOp",
    "ScanOp",
    "ScatterOp",
    "ShapeCastOp",
    "ShuffleOp",
    "StepOp",
    "StoreOp",
    "ToElementsOp",
    "TransferOp",
    "TransferReadOp",
    "TransferWriteOp",
    "TransposeOp",
    "TypeCastOp",
    "VectorScaleOp",
    "YieldOp",
]
