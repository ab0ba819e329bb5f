"""How many bytes a buffer takes, and how it must be aligned: numbers, or products with values of the program.

Elements take the next power of two of bytes, as in LLVM's data layouts: 16 for an 80-bit float, 4 for 24 bits, at least one. A
strided layout takes what lies between its first and its last element, and what its offset skips.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...dialects import arith, memref
from ...ir.program.core import Value
from ...ir.types import types as t
from ...ir.types.attributes import IntegerAttr
from ...ir.types.elements import stored_bytes

DEFAULT_ALIGNMENT = 16
"""What allocations may expect that do not say: the promise of malloc."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Bytes: `factor` times the product of `extents`, values of type `index`."""

    factor: int
    extents: tuple[Value, ...] = ()

    @property
    def static(self) -> int | None:
        """The number, if it is known."""
        return None if self.extents and self.factor else self.factor

    def with_extents(self, number: Callable[[Value], int]) -> int:
        """The number for given extents."""
        bytes = self.factor
        for extent in self.extents:
            bytes *= number(extent)
        return bytes


def amount_of(type: t.Type, sizes: Sequence[int | Value]) -> Amount | None:
    """The bytes of a memref of that type with these extents; None if its element or its layout is not understood."""
    if not isinstance(type, t.MemRefType):
        return None
    element = stored_bytes(type.element)
    if element is None:
        return None
    known = [constant_of(size) for size in sizes]
    if not type.is_identity_layout:
        return _strided(type, known, element)
    factor = element
    for size in known:
        if isinstance(size, int):
            factor *= size
    return Amount(factor, tuple(size for size in known if not isinstance(size, int)) if factor else ())


def _strided(type: t.MemRefType, sizes: Sequence[int | Value], element: int) -> Amount | None:
    layout = type.strides_and_offset()
    if layout is None or layout[1] is None:
        return None
    reach = layout[1] + 1
    for size, stride in zip(sizes, layout[0], strict=True):
        if not isinstance(size, int) or stride is None or stride < 0:
            return None
        if not size:
            return Amount(0)
        reach += (size - 1) * stride
    return Amount(reach * element)


def constant_of(size: int | Value) -> int | Value:
    """The number a value is known to be, or the value."""
    if isinstance(size, Value) and isinstance(size.defining_op, arith.ConstantOp):
        number = size.defining_op.properties.get("value")
        if isinstance(number, IntegerAttr):
            return number.value
    return size


def alignment_of(alloc: memref.AllocOp, default: int = DEFAULT_ALIGNMENT) -> int:
    """What an allocation asks for, else `default`, but never less than its elements need."""
    asked = alloc.properties.get("alignment")
    element = stored_bytes(alloc.memref_type.element) or 1
    least = min(element, 1 << 12)
    return max(asked.value, 1) if isinstance(asked, IntegerAttr) else max(default, least)
