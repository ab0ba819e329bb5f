"""The `vector` dialect: fixed-shape values held in registers, and their transfers from and to memory.

* `kinds`: shared constraints and enumerations;
* `transfer`: transfer_read and transfer_write;
* `memory`: load, store, masked and indexed forms, print, type_cast;
* `slices`: extracting and inserting, and masks;
* `shapes`: broadcasting, reshaping, shuffling;
* `compute`: fma, reductions, outer products, contractions.
"""

from .compute import (
    ContractionOp as ContractionOp,
    FMAOp as FMAOp,
    MultiDimReductionOp as MultiDimReductionOp,
    OuterProductOp as OuterProductOp,
    ReductionOp as ReductionOp,
    ScanOp as ScanOp,
)
from .memory import (
    CompressStoreOp as CompressStoreOp,
    ExpandLoadOp as ExpandLoadOp,
    GatherOp as GatherOp,
    LoadOp as LoadOp,
    MaskedLoadOp as MaskedLoadOp,
    MaskedStoreOp as MaskedStoreOp,
    PrintOp as PrintOp,
    ScatterOp as ScatterOp,
    StoreOp as StoreOp,
    TypeCastOp as TypeCastOp,
)
from .shapes import (
    BitCastOp as BitCastOp,
    BroadcastOp as BroadcastOp,
    DeinterleaveOp as DeinterleaveOp,
    InterleaveOp as InterleaveOp,
    ShapeCastOp as ShapeCastOp,
    ShuffleOp as ShuffleOp,
    StepOp as StepOp,
    TransposeOp as TransposeOp,
    VectorScaleOp as VectorScaleOp,
)
from .slices import (
    ConstantMaskOp as ConstantMaskOp,
    CreateMaskOp as CreateMaskOp,
    ExtractOp as ExtractOp,
    ExtractStridedSliceOp as ExtractStridedSliceOp,
    FromElementsOp as FromElementsOp,
    InsertOp as InsertOp,
    InsertStridedSliceOp as InsertStridedSliceOp,
    MaskableOp as MaskableOp,
    MaskOp as MaskOp,
    ScalableExtractOp as ScalableExtractOp,
    ScalableInsertOp as ScalableInsertOp,
    ToElementsOp as ToElementsOp,
    YieldOp as YieldOp,
)
from .transfer import (
    TransferOp as TransferOp,
    TransferReadOp as TransferReadOp,
    TransferWriteOp as TransferWriteOp,
)
