"""Shared by several dialects: static and dynamic index lists, slices, sizes, and their checks.

*Mixed lists.* Offsets, sizes, strides and shapes are lists in which each entry is a constant or a value:
`[%a, 3, %b]`. An operation stores the constants in an `array<i64>`, with `DYNAMIC` for values, and the
values as operands, in order. The directive `custom<DynamicIndexList>($values, $static)` parses and prints them.

*Slices.* Operations that take `[offsets] [sizes] [strides]` of a tensor or memref inherit from
`OffsetSizeAndStrideOp`. A result may drop dimensions of size 1 ("rank reduction"); which ones is determined by
`rank_reduction_mask` on shapes alone, and by `dropped_dims` for an operation.

Lists passed to the functions here hold None for dynamic numbers, as the shapes of types do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from ..ir.declaration.constraints import ANY_TYPE, DENSE_I64_ARRAY, INDEX
from ..ir.declaration.declare import attribute, operand, result, variadic_operand
from ..ir.program.core import Operation, OpResult, Value
from ..ir.program.interfaces import (
    AllocationOp,
    Effect,
    MemoryEffectOp,
    Size,
    SizedResultOp,
    Slice,
    same_size,
)
from ..ir.program.traits import CONSTANT_LIKE, Trait
from ..ir.source.diagnostics import expect, present
from ..ir.text.format_parser import DIRECTIVES
from ..ir.text.registry import default_registry
from ..ir.types import attributes as a, types as t
from ..ir.verifier import Unprefixed

if TYPE_CHECKING:
    from ..ir.declaration.declare import VariadicField
    from ..ir.text.op_parser import OpParser, ParsedOp, UnresolvedOperand
    from ..ir.text.printer import Printer


DYNAMIC: Final = -(1 << 63)
"""Marks a dynamic entry in a static array (MLIR's `ShapedType::kDynamic`)."""

Mixed = Value | int
"""One entry of a mixed list: a value, or a constant."""


class _SameOperandsShape(Trait):
    def check(self, op: Operation) -> str | None:
        first, *rest = op.operand_types
        shape = getattr(first, "shape", ())
        for type in rest:
            other = getattr(type, "shape", ())
            if shape is not None and other is not None and not compatible_shapes(shape, other):
                return "requires the same shape for all operands"
        return None


SAME_OPERANDS_SHAPE = _SameOperandsShape()


class NoMemoryEffectOp(MemoryEffectOp):
    """An operation without memory effects but with possible undefined behaviour, so it is not `PURE`."""

    def memory_effects(self) -> list[Effect]:
        return []


# -- mixed lists


def i64_array(values: Iterable[int | None]) -> a.DenseArrayAttr:
    """`array<i64: ...>` with `DYNAMIC` for None."""
    return a.DenseArrayAttr(t.I64, tuple(DYNAMIC if v is None else v for v in values))


def static_values(array: a.DenseArrayAttr) -> list[int | None]:
    """The constants of an array, None for `DYNAMIC`."""
    return [None if v == DYNAMIC else v for v in array.values]


def mixed(values: Sequence[Value], array: a.DenseArrayAttr) -> list[Mixed]:
    """The entries of a mixed list, with values in place of `DYNAMIC`."""
    if not values:
        return list(array.values)
    following = iter(values)
    return [next(following) if v == DYNAMIC else v for v in array.values]


def split_mixed(entries: Iterable[Mixed]) -> tuple[list[Value], a.DenseArrayAttr]:
    """Inverse of `mixed`: the values, and the array of constants."""
    values: list[Value] = []
    constants: list[int] = []
    for entry in entries:
        if isinstance(entry, int):
            constants.append(entry)
        else:
            values.append(entry)
            constants.append(DYNAMIC)
    return values, a.DenseArrayAttr(t.I64, tuple(constants))


def slice_fields(lists: Slice) -> dict[str, Any]:
    """Offsets, sizes and strides as named fields for building a slice operation."""
    fields: dict[str, Any] = {}
    for name, entries in zip(("offsets", "sizes", "strides"), lists, strict=True):
        fields[name], fields[f"static_{name}"] = split_mixed(entries)
    return fields


def is_in_bounds(shape: Sequence[int | None], accessed: Slice) -> bool:
    """Whether a slice is known to lie in a tensor of this shape; an empty one must begin in it. O(rank).

    Args:
        accessed: offsets, sizes and strides; False if one of them is not constant.
    """
    for extent, *entries in zip(shape, *accessed, strict=True):
        offset, size, stride = map(constant_index, entries)
        if extent is None or offset is None or size is None or stride is None:
            return False
        if not 0 <= offset <= offset + max(size - 1, 0) * stride < extent:
            return False
    return True


def constant_index(entry: Mixed | None) -> int | None:
    """The constant value of an entry, also if it is the result of a constant operation; else None."""
    if entry is None or isinstance(entry, int):
        return entry
    op = entry.defining_op
    if op is not None and op.has_trait(CONSTANT_LIKE):
        value = op.properties.get("value")
        if isinstance(value, a.IntegerAttr):
            return value.value
    return None


def as_number(entry: Mixed) -> Mixed:
    """The constant value of an entry, or the entry itself if it is not constant."""
    number = constant_index(entry)
    return entry if number is None else number


def _parse_dynamic_index_list(
    p: OpParser, values: list[UnresolvedOperand], array: Any, scalable: Any = None
) -> None:
    """`[%a, 3]`; if flags are stored as well, entries in nested brackets are scalable."""
    flags: list[int] = []

    def entry() -> int:
        flags.append(scalable is not None and p.accept("["))
        use = p.optional_operand()
        constant = p.integer() if use is None else DYNAMIC
        if use is not None:
            values.append(use)
        if flags[-1]:
            p.expect("]")
        return constant

    constants = p.comma_separated(entry, "[", "]", " in dynamic index list")
    array.set(a.DenseArrayAttr(t.I64, tuple(constants)))
    if scalable is not None:
        scalable.set(a.DenseArrayAttr(t.I1, tuple(flags)))


def _print_dynamic_index_list(
    p: Printer,
    op: Operation,
    values: Sequence[Value],
    array: a.DenseArrayAttr | None,
    scalable: a.DenseArrayAttr | None = None,
) -> str:
    constants = array.values if array is not None else ()
    if values:
        following = iter(values)
        shown = [p.value(next(following)) if v == DYNAMIC else str(v) for v in constants]
    else:
        shown = [str(v) for v in constants]
    if scalable is not None:
        flags = scalable.values
        shown = [f"[{x}]" if i < len(flags) and flags[i] else x for i, x in enumerate(shown)]
    return "[" + ", ".join(shown) + "]"


DIRECTIVES["DynamicIndexList"] = (_parse_dynamic_index_list, _print_dynamic_index_list)


# -- arithmetic with possibly dynamic numbers


def product(x: int | None, y: int | None) -> int | None:
    """x * y, None if unknown; 0 if either is 0."""
    if x == 0 or y == 0:
        return 0
    return None if x is None or y is None else x * y


def total(x: int | None, y: int | None) -> int | None:
    """x + y, None if unknown."""
    return None if x is None or y is None else x + y


# -- slices


class OffsetSizeAndStrideOp(Operation):
    """Addresses a slice of a tensor or memref by offsets, sizes and strides, one of each per dimension."""

    if TYPE_CHECKING:
        offsets = variadic_operand()
        sizes = variadic_operand()
        strides = variadic_operand()
        static_offsets = attribute(DENSE_I64_ARRAY)
        static_sizes = attribute(DENSE_I64_ARRAY)
        static_strides = attribute(DENSE_I64_ARRAY)

    # if all entries are constant, skip looking up operand segments, which took two thirds of the time
    def mixed_offsets(self) -> list[Mixed]:
        known = self.static_offsets
        return mixed(self.offsets if DYNAMIC in known.values else (), known)

    def mixed_sizes(self) -> list[Mixed]:
        known = self.static_sizes
        return mixed(self.sizes if DYNAMIC in known.values else (), known)

    def mixed_strides(self) -> list[Mixed]:
        known = self.static_strides
        return mixed(self.strides if DYNAMIC in known.values else (), known)

    def accessed_slice(self) -> Slice:
        return self.mixed_offsets(), self.mixed_sizes(), self.mixed_strides()

    def slice_ranks(self) -> tuple[int, int, int]:
        """The required numbers of offsets, sizes and strides."""
        rank = expect(t.ShapedType, self.operands[0].type).rank
        return rank, rank, rank

    def same_slice_as(self, other: OffsetSizeAndStrideOp) -> bool:
        """Whether offsets, sizes and strides are the same constants and values."""
        return self.accessed_slice() == other.accessed_slice()

    def verify_slice_lists(self) -> str | None:
        """The error in the lists themselves, or None (`OffsetSizeAndStrideOpInterface`)."""
        named = (
            ("offset", self.offsets, self.static_offsets.values),
            ("size", self.sizes, self.static_sizes.values),
            ("stride", self.strides, self.static_strides.values),
        )
        for name, values, constants in (named[1], named[2], named[0]):  # in mlir-opt's order
            dynamic = constants.count(DYNAMIC)
            if len(values) != dynamic:
                return Unprefixed(
                    f"expected the number of '{name}s' to match the number of dynamic entries in "
                    f"'static_{name}s' ({len(values)} vs {dynamic})"
                )
        offsets, sizes, strides = (constants for _, _, constants in named)
        ranks = self.slice_ranks()
        if not (len(offsets) == 1 and ranks[0] == 1) and len(offsets) != len(sizes):
            return Unprefixed(
                f"expected mixed offsets rank to match mixed sizes rank ({len(offsets)} vs {len(sizes)}) "
                "so the rank of the result type is well-formed."
            )
        if len(sizes) != len(strides):
            return Unprefixed(
                f"expected mixed sizes rank to match mixed strides rank ({len(sizes)} vs {len(strides)}) "
                "so the rank of the result type is well-formed."
            )
        for (name, _, constants), rank in zip(named, ranks, strict=True):
            if len(constants) != rank:
                return Unprefixed(f"expected {rank} {name} values, got {len(constants)}")
        for name, constants in (("offsets", offsets), ("sizes", sizes)):
            for value in constants:
                if value < 0 and value != DYNAMIC:
                    return Unprefixed(f"expected {name} to be non-negative, but got {value}")
        return None


def out_of_bounds(
    shape: Sequence[int | None],
    offsets: Sequence[int | None],
    sizes: Sequence[int | None],
    strides: Sequence[int | None],
) -> str | None:
    """The error if a slice exceeds `shape`, as far as the numbers are known; else None."""
    for i, extent in enumerate(shape):
        offset = offsets[i]
        if extent is None or offset is None:
            continue
        if offset >= extent:
            return Unprefixed(f"offset {i} is out-of-bounds: {offset} >= {extent}")
        size, stride = sizes[i], strides[i]
        if size is None or stride is None:
            continue
        last = offset + (size - 1) * stride
        if last >= extent:
            return Unprefixed(f"slice along dimension {i} runs out-of-bounds: {last} >= {extent}")
    return None


def rank_reduction_mask(
    original: Sequence[int | None], reduced: Sequence[int | None]
) -> frozenset[int] | None:
    """The dimensions of size 1 that `reduced` omits from `original`, matched greedily from the left.

    None if `reduced` cannot be obtained by dropping dimensions of size 1.
    """
    dropped: list[int] = []
    matched = 0
    for i, size in enumerate(original):
        if matched < len(reduced) and size == reduced[matched]:
            matched += 1
        elif size == 1:
            dropped.append(i)
        else:
            return None
    return frozenset(dropped) if matched == len(reduced) else None


def dropped_dims(sizes: Sequence[Mixed | None], reduced: Sequence[int | None]) -> frozenset[int]:
    """The dimensions of a slice of `sizes` that its rank-reduced shape drops, matched from the right.

    Only dimensions whose size is the constant 1 can be dropped.
    """
    dropped: list[int] = []
    position = len(reduced) - 1
    for i in range(len(sizes) - 1, -1, -1):
        is_one = isinstance(sizes[i], int) and sizes[i] == 1
        if position >= 0 and (not is_one or reduced[position] == 1):
            position -= 1
        else:
            dropped.append(i)
    return frozenset(dropped)


# -- reshapes


Reassociation = tuple[tuple[int, ...], ...]
"""For each dimension of the collapsed shape, the corresponding dimensions of the expanded one."""


def integers(array: a.Attribute) -> tuple[int, ...]:
    """The values of an array of integer attributes."""
    return tuple(expect(a.IntegerAttr, number).value for number in expect(a.ArrayAttr, array).elements)


def reassociation_of(array: a.Attribute) -> Reassociation:
    """The groups of a `reassociation` attribute."""
    return tuple(integers(group) for group in expect(a.ArrayAttr, array).elements)


def reassociation_attr(groups: Iterable[Iterable[int]]) -> a.ArrayAttr:
    """Inverse of `reassociation_of`."""
    return a.ArrayAttr(tuple(a.ArrayAttr(tuple(a.IntegerAttr(i, t.I64) for i in group)) for group in groups))


# -- casts


def compatible_shapes(left: Sequence[int | None], right: Sequence[int | None]) -> bool:
    """Whether two shapes of equal rank agree wherever both sizes are static."""
    return len(left) == len(right) and all(
        x is None or y is None or x == y for x, y in zip(left, right, strict=True)
    )


def cast_incompatible(op: Operation) -> str:
    """The error message for incompatible cast types."""
    return (
        f"operand type '{op.operands[0].type}' and result type '{op.results[0].type}' are cast incompatible"
    )


def verify_dynamic_dimension_count(shape: Sequence[int | None], count: int) -> str | None:
    """The error unless there is a value for every dynamic size of a result."""
    dynamic = sum(size is None for size in shape)
    if dynamic != count:
        return f"incorrect number of dynamic sizes, has {count}, expected {dynamic}"
    return None


def move_inherent(op: type[Operation], state: ParsedOp) -> None:
    """Move declared attributes from the dictionary to the properties."""
    definition = present(op.definition)
    for key in [key for key in state.attributes if key in definition.inherent_names]:
        state.properties[key] = state.attributes.pop(key)


def element_of(type: t.Type) -> t.Type:
    """The element type of a vector, tensor or memref; another type itself."""
    return type.element if isinstance(type, t.ShapedType) else type


# Sizes of results (MLIR's ReifyRankedShapedTypeOpInterface), where several operations share an implementation.


class SizesGivenOp(SizedResultOp):
    """Creates a tensor or buffer whose dynamic sizes are operands, in order."""

    if TYPE_CHECKING:
        dynamic_sizes: VariadicField

    def mixed_sizes(self) -> list[Mixed]:
        """The shape, with values for dynamic sizes."""
        following = iter(self.dynamic_sizes)
        shape = expect(t.ShapedType, self.results[0].type).sizes
        return [next(following) if size is None else size for size in shape]

    def size_of(self, result: OpResult, position: int) -> Size:
        return self.mixed_sizes()[position]


SLICE_FORM: Final = (
    "custom<DynamicIndexList>($offsets, $static_offsets) custom<DynamicIndexList>($sizes, $static_sizes)"
    " custom<DynamicIndexList>($strides, $static_strides)"
)
"""The assembly format of offsets, sizes and strides."""


class SlicedOp(OffsetSizeAndStrideOp):
    """Takes a slice of its first operand by offsets, sizes and strides."""

    source = operand(ANY_TYPE)
    offsets = variadic_operand(INDEX)
    sizes = variadic_operand(INDEX)
    strides = variadic_operand(INDEX)
    static_offsets = attribute(DENSE_I64_ARRAY)
    static_sizes = attribute(DENSE_I64_ARRAY)
    static_strides = attribute(DENSE_I64_ARRAY)


class PartOp(SlicedOp, SizedResultOp):
    """The result is the slice of the operand; dimensions of size 1 may be dropped."""

    def kept_sizes(self) -> list[Mixed]:
        """The sizes without those of dropped dimensions: the shape of the result."""
        sizes = self.mixed_sizes()
        dropped = dropped_dims(sizes, expect(t.ShapedType, self.results[0].type).sizes)
        return [size for i, size in enumerate(sizes) if i not in dropped]

    def size_of(self, result: OpResult, position: int) -> Size:
        return self.kept_sizes()[position]


class ShapedDimOp(NoMemoryEffectOp):
    """The size of dimension `index` of a tensor or buffer; undefined behaviour if out of bounds."""

    source = operand(ANY_TYPE)
    index = operand(INDEX)
    result = result(INDEX)
    assembly_format = "attr-dict $source `,` $index `:` type($source)"
    result_name = "dim"


class SameShapeOp(SizedResultOp):
    """The result has the shape of the first operand, if the ranks agree."""

    def size_of(self, result: OpResult, position: int) -> Size:
        return same_size(result, self.operands[0], position)


# Deallocation and cloning of allocated buffers (`AllocationOpInterface`).
#
# The classes are looked up by name: `memref.alloc` is cloned by an operation of `bufferization`, whose clones are freed
# by one of `memref`, and neither dialect should be loaded before it is needed.


class BufferAllocationOp(AllocationOp):
    """Allocates a memref: freed by `memref.dealloc` unless it is on the stack, cloned by `bufferization.clone`."""

    def build_free(self, value: Value) -> Operation | None:
        return None if self.is_stack_allocation() else _build("memref.dealloc", memref=value)

    def build_clone(self, value: Value) -> Operation:
        return _build("bufferization.clone", input=value, output=value.type)


def _build(name: str, **fields: Any) -> Operation:
    found = present(default_registry().find(name))
    return found.build(**fields)
