"""Bufferization for MLIR programs: which tensors share a buffer, where a copy is needed, and why."""

__version__ = "0.1.0"
