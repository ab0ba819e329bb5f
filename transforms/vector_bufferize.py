"""`-vector-bufferize`: operations of the vector dialect work on buffers."""

from __future__ import annotations

from .partial.driver import PartialPass


class VectorBufferize(PartialPass):
    """Transfers, gathers and masks on buffers. The destination of a write is copied first.

        %v = vector.transfer_read %t[%i], %f : tensor<8xf32>, vector<4xf32>
     => %m = bufferization.to_buffer %t : tensor<8xf32> to memref<8xf32>
        %v = vector.transfer_read %m[%i], %f : memref<8xf32>, vector<4xf32>

    What follows on tensors sees the result through `to_tensor`.
    """

    name = "vector-bufferize"
    summary = "Bufferize the `vector` dialect"
    dialects = ("vector",)
