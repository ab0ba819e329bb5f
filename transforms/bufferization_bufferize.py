"""`-bufferization-bufferize`: allocations of tensors become allocations of buffers."""

from __future__ import annotations

from .partial.driver import PartialPass


class BufferizationBufferize(PartialPass):
    """Allocations of tensors become allocations of buffers.

        %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
     => %alloc = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
        %0 = bufferization.to_tensor %alloc : memref<?xf32> to tensor<?xf32>

    What follows on tensors sees the result through `to_tensor`.
    """

    name = "bufferization-bufferize"
    summary = "Bufferize the `bufferization` dialect"
