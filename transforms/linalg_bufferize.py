"""`-linalg-bufferize`: operations of the linalg dialect work on buffers."""

from __future__ import annotations

from .partial.driver import PartialPass


class LinalgBufferize(PartialPass):
    """Structured operations on buffers. Each output gets a new buffer, with the old contents only if they are read.

        %r = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
     => %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        linalg.fill ins(%f : f32) outs(%alloc : memref<4xf32>)
        %r = bufferization.to_tensor %alloc : memref<4xf32> to tensor<4xf32>

    What follows on tensors sees the result through `to_tensor`.
    """

    name = "linalg-bufferize"
    summary = "Bufferize the `linalg` dialect"
    dialects = ("linalg",)
