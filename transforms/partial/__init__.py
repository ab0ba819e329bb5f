"""Partial bufferization, one dialect at a time, as in mlir-opt 16 and before.

Begin with `passes`; `driver` rewrites the operations of one dialect.
"""
