"""How classes of operations are made: slotted, and with what they declare compiled once.

Nothing here knows operations or declarations; `bufferize.ir.declaration.declare` says what is done with a new class.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar


class OperationMeta(type):
    """Makes each operation class slotted and lets `declare` compile its fields once."""

    on_declared: ClassVar[Callable[[Any], None] | None] = None

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]):
        namespace.setdefault("__slots__", ())
        cls = super().__new__(mcls, name, bases, namespace)
        if "name" in namespace and isinstance(namespace["name"], str) and mcls.on_declared is not None:
            mcls.on_declared(cls)
        return cls
