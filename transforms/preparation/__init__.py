"""The preparation phase of 2020: functions hand their results to buffers that callers pass in.

converter = BufferizeTypeConverter()
converter.set_result_conversion_kind(
    t.RankedTensorType, t.MemRefType, ResultConversionKind.APPEND_TO_ARGUMENTS_LIST
)
prepare(module, converter)
"""

from .functions import (
    BufferizeCallOpConverter,
    BufferizeFuncOpConverter,
    BufferizeReturnOpConverter,
    populate_with_bufferize_op_conversion_patterns,
    prepare,
)
from .tuples import flatten_tuples
from .type_converter import BufferizeTypeConverter, ResultConversionKind

__all__ = [
    "BufferizeCallOpConverter",
    "BufferizeFuncOpConverter",
    "BufferizeReturnOpConverter",
    "BufferizeTypeConverter",
    "ResultConversionKind",
    "flatten_tuples",
    "populate_with_bufferize_op_conversion_patterns",
    "prepare",
]
