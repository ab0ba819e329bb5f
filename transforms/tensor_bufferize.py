"""`-tensor-bufferize`: operations of the tensor dialect work on buffers."""

from __future__ import annotations

from .partial.driver import PartialPass


class TensorBufferize(PartialPass):
    """Loads, stores, views and copies in place of operations on tensors. A tensor that is written is copied first.

        %u = tensor.insert %f into %t[%i] : tensor<4xf32>
     => %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
        %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        memref.copy %m, %alloc : memref<4xf32> to memref<4xf32>
        memref.store %f, %alloc[%i] : memref<4xf32>
        %u = bufferization.to_tensor %alloc : memref<4xf32> to tensor<4xf32>

    `tensor.empty` is an error; elements that a region computes become a `linalg.map`, still of tensors.
    """

    name = "tensor-bufferize"
    summary = "Bufferize the `tensor` dialect"
    dialects = ("tensor",)
