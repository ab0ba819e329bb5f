"""The kind `mlir-22-loses-data`."""

from __future__ import annotations

from ..finding import Meant


class Mlir22LosesData(Meant):
    """mlir-opt 22 would not copy here, and lose data.

    The reference misses a conflict in this situation. --compat=mlir-22 decides as it does.
    """

    id = "mlir-22-loses-data"
