"""`-shape-bufferize`: operations of the shape dialect work on buffers."""

from __future__ import annotations

from .partial.driver import PartialPass


class ShapeBufferize(PartialPass):
    """`shape.assuming` hands out buffers.

        %r = shape.assuming %w -> (tensor<2xf32>) {... shape.assuming_yield %t : tensor<2xf32>}
     => %m = shape.assuming %w -> (memref<2xf32>) {... shape.assuming_yield %b : memref<2xf32>}
        %r = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf32>

    What follows on tensors sees the result through `to_tensor`.
    """

    name = "shape-bufferize"
    summary = "Bufferize the `shape` dialect"
    dialects = ("shape",)
