"""Bufferization one dialect at a time, as mlir-opt 16 and its predecessors had it."""
