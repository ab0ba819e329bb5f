"""Partial bufferization, one dialect at a time, as in mlir-opt 16 and before."""
