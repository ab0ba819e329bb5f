"""What a copy costs: bytes moved each time, and how often.

Sizes are products of a number and the dynamic dimensions, `4*d0*d1`; where a dimension is the same for two tensors is not
known, so sums of symbolic sizes are kept as lists of terms.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp, LoopLikeOp, RegionBranchOp
from ..ir.types import types as t

INDEX_BYTES = 8
"""Bytes of an `index` on the 64-bit machines that bufferized code runs on."""


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes: `factor` times the product of the dynamic dimensions `dims`; `exact` is None for unranked tensors."""

    factor: int
    dims: tuple[int, ...] = ()
    ranked: bool = True

    @property
    def static(self) -> int | None:
        """The number of bytes, if it does not depend on the input."""
        return self.factor if self.ranked and not self.dims else None

    def __str__(self) -> str:
        if not self.ranked:
            return "a number of bytes that depends on the rank"
        if not self.dims:
            return format_bytes(self.factor)
        product = "*".join(f"d{d}" for d in self.dims)
        return f"{self.factor}*{product} bytes" if self.factor != 1 else f"{product} bytes"

    @property
    def formula(self) -> str:
        """`64` or `4*d0*d1`; empty if the rank is not known."""
        if not self.ranked:
            return ""
        return "*".join([str(self.factor), *(f"d{d}" for d in self.dims)])


def format_bytes(count: int) -> str:
    """`64 bytes`, `16.0 KiB`."""
    if count == 1:
        return "1 byte"
    if count < 1 << 13:
        return f"{count} bytes"
    scaled = float(count)
    for unit in ("KiB", "MiB", "GiB", "TiB"):
        scaled /= 1024
        if scaled < 1024 or unit == "TiB":
            return f"{scaled:.1f} {unit}"
    raise AssertionError


def element_bytes(element: t.Type) -> int:
    """Bytes of one element in memory, sub-byte ones rounded up to a byte."""
    if isinstance(element, t.ComplexType):
        return 2 * element_bytes(element.element)
    if isinstance(element, t.IndexType):
        return INDEX_BYTES
    if isinstance(element, t.VectorType):
        count = element.num_elements or 1
        return count * element_bytes(element.element)
    width = getattr(element, "width", 8)
    return max(1, (width + 7) // 8)


def size_of(type: t.Type) -> Size:
    """The size of a buffer for a tensor or memref type."""
    element = element_bytes(getattr(type, "element", type))
    shape = getattr(type, "shape", None)
    if shape is None:
        return Size(element, ranked=False)
    for extent in shape:
        if extent is not None:
            element *= extent
    return Size(element, tuple(i for i, extent in enumerate(shape) if extent is None))


def total(sizes: Iterable[Size]) -> str:
    """The sum of sizes: one number, plus the symbolic terms counted."""
    static = 0
    symbolic: dict[str, int] = {}
    for size in sizes:
        if size.static is not None:
            static += size.static
        else:
            text = size.formula or "?"
            symbolic[text] = symbolic.get(text, 0) + 1
    if not symbolic:
        return format_bytes(static)
    parts = [str(static)] if static else []
    parts += [f"{count}*({text})" if count > 1 else text for text, count in sorted(symbolic.items())]
    return " + ".join(parts) + " bytes"


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often an operation runs for each call of its function.

    Attributes:
        times: the product of the trip counts known.
        unknown_loops: enclosing loops whose trip count is not known, outermost first.
    """

    times: int
    unknown_loops: tuple[Operation, ...]


def frequency(op: Operation) -> Frequency:
    """How often `op` runs. O(depth)."""
    times = 1
    unknown: list[Operation] = []
    region = op.parent_region
    while region is not None:
        parent = region.parent_op
        if parent is None or isinstance(parent, FunctionOp):
            break
        loops = isinstance(parent, LoopLikeOp) and region in parent.loop_regions
        if loops or (
            isinstance(parent, RegionBranchOp)
            and not isinstance(parent, LoopLikeOp)
            and parent.is_repetitive(region)
        ):
            trips = parent.static_trip_count() if isinstance(parent, LoopLikeOp) else None
            if trips is None:
                unknown.append(parent)
            else:
                times *= trips
        region = parent.parent_region
    return Frequency(times, tuple(reversed(unknown)))


def describe_frequency(op: Operation) -> str:
    """ ", 128 times", ", once per iteration of the loop on line 7", or nothing for code that runs once."""
    found = frequency(op)
    parts = []
    if found.times != 1:
        parts.append(f"{found.times} times")
    if found.unknown_loops:
        lines = [f"line {span.line}" for loop in found.unknown_loops if (span := loop.name_span) is not None]
        noun = "loop" if len(found.unknown_loops) == 1 else "loops"
        where = " and ".join(lines)
        parts.append(
            f"{'each time, ' if parts else ''}in every iteration of the {noun}"
            + (f" on {where}" if where else "")
        )
    return ", ".join(parts)
