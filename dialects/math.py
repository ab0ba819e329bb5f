"""The `math` dialect, entirely from MLIR's operation records."""

from .ods import operations_of

__getattr__ = operations_of("math")
