"""The kind `nested-module`."""

from __future__ import annotations

from ..finding import Meant


class NestedModule(Meant):
    """Functions in a module inside the module are explained, but One-Shot Bufferize leaves them alone.

    The pass looks at the functions that stand directly in the module it runs on. Run it on the inner module, or with its
    option nested-modules, which mlir-opt does not have.
    """

    id = "nested-module"
