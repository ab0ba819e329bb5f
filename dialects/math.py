"""The `math` dialect: elementary functions, element by element on vectors and tensors. MLIR's definitions say all of it."""

from .ods import operations_of

__getattr__ = operations_of("math")
