"""`vector` slices at constant offsets, element insertion and extraction, and masks."""

from __future__ import annotations

from collections.abc import Generator
from math import prod
from typing import TYPE_CHECKING, Any

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import (
    attribute,
    operand,
    optional_operand,
    region,
    result,
    variadic_operand,
    variadic_result,
)
from ...ir.program import traits as tr
from ...ir.program.core import Block, Operation, OpOperand, Region
from ...ir.program.interfaces import RegionBranchTerminatorOp
from ...ir.source.diagnostics import expect, present
from ...ir.text.format_parser import print_form
from ...ir.types import attributes as a, types as t
from ..common import DYNAMIC, Unprefixed, integers
from .kinds import (
    ANY_VECTOR,
    FIXED_VECTOR,
    MASK,
    MASK_OF_ANY_RANK,
    RANKED_VECTOR,
    SameElementType,
    vector_type,
)

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer


_SAME_ELEMENT = SameElementType("operand and result have same element type", "source", "output")


def numbers_of(array: a.ArrayAttr) -> list[int]:
    """The numbers in an array of offsets, sizes or strides."""
    return list(integers(array))


def _range_error(
    values: list[int], extents: list[int | None], name: str, *, least: int, half_open: bool
) -> str | None:
    """The error unless each entry of attribute `name` is between `least` and its extent."""
    for i, (value, extent) in enumerate(zip(values, extents, strict=False)):
        limit = (extent or 0) + (0 if half_open else 1)
        if not least <= value < limit:
            return f"expected {name} dimension {i} to be confined to [{least}, {limit})"
    return None


def _strides_error(strides: list[int]) -> str | None:
    return None if all(stride == 1 for stride in strides) else "expected strides to be confined to [1, 2)"


class ExtractStridedSliceOp(Operation):
    """A rectangle of a vector.

    Trailing dimensions that are not mentioned are kept whole; strides are 1.
    """

    name = "vector.extract_strided_slice"
    traits = (tr.PURE, _SAME_ELEMENT)
    source = operand(RANKED_VECTOR)
    offsets = attribute(c.I64_ARRAY_ATTR)
    sizes = attribute(c.I64_ARRAY_ATTR)
    strides = attribute(c.I64_ARRAY_ATTR)
    output = result(RANKED_VECTOR)
    assembly_format = "$source attr-dict `:` type($source) `to` type(results)"

    def verify(self) -> str | None:
        source, target = vector_type(self.source.type), vector_type(self.output.type)
        offsets, sizes, strides = map(numbers_of, (self.offsets, self.sizes, self.strides))
        if not len(offsets) == len(sizes) == len(strides):
            return "expected offsets, sizes and strides attributes of same size"
        if len(offsets) > len(source.shape):
            return "expected offsets attribute of rank no greater than vector rank"
        extents = list(source.shape)
        error = (
            _range_error(offsets, extents, "offsets", least=0, half_open=True)
            or _range_error(sizes, extents, "sizes", least=1, half_open=False)
            or _strides_error(strides)
        )
        if error is not None:
            return error
        for i, (offset, size, extent) in enumerate(zip(offsets, sizes, extents, strict=False)):
            if offset + size > (extent or 0):
                return (
                    f"expected sum(offsets, sizes) dimension {i} to be confined to [1, {(extent or 0) + 1})"
                )
        shape = (*sizes, *source.shape[len(sizes) :])
        expected = t.VectorType(shape, source.element, source.scalable_dims)
        if target is not expected:
            return f"expected result type to be '{expected}'"
        return None


class InsertStridedSliceOp(Operation):
    """Replaces a rectangle of the destination; the source is aligned with its trailing dimensions."""

    name = "vector.insert_strided_slice"
    traits = (
        tr.PURE,
        SameElementType("operand #0 and result have same element type", "value_to_store", "output"),
        tr.all_types_match("dest", "output"),
    )
    value_to_store = operand(RANKED_VECTOR)
    dest = operand(RANKED_VECTOR)
    offsets = attribute(c.I64_ARRAY_ATTR)
    strides = attribute(c.I64_ARRAY_ATTR)
    output = result(RANKED_VECTOR)
    assembly_format = "$value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` type($dest)"

    def verify(self) -> str | None:
        source, target = vector_type(self.value_to_store.type), vector_type(self.dest.type)
        offsets, strides = numbers_of(self.offsets), numbers_of(self.strides)
        if len(offsets) != len(target.shape):
            return "expected offsets of same size as destination vector rank"
        if len(strides) != len(source.shape):
            return "expected strides of same size as source vector rank"
        if len(source.shape) > len(target.shape):
            return "expected source rank to be no greater than destination rank"
        error = _range_error(
            offsets, list(target.shape), "offsets", least=0, half_open=True
        ) or _strides_error(strides)
        if error is not None:
            return error
        lead = len(target.shape) - len(source.shape)
        extents = (1,) * lead + source.shape
        for i, (offset, size, extent) in enumerate(zip(offsets, extents, target.shape, strict=True)):
            if offset + (size or 0) > (extent or 0):
                return (
                    f"expected sum(offsets, source vector shape) dimension {i} to be confined to "
                    f"[1, {(extent or 0) + 1})"
                )
        return None


# -- extracting and inserting elements and subvectors


_POSITION_MISMATCH = (
    "mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic position) "
    "-- this can only happen due to an incorrect fold/rewrite"
)


def _position_error(position: tuple[int, ...], vector: t.VectorType, what: str) -> str | None:
    for i, (index, extent) in enumerate(zip(position, vector.shape, strict=False)):
        if index != DYNAMIC and not -1 <= index < (extent or 0):
            return (
                f"expected position attribute #{i + 1} to be a non-negative integer smaller than the "
                f"corresponding {what}"
            )
    return None


def _extracted_type(state: Any) -> list[t.Type]:
    source = state.operands[0].type
    count = len(state.properties["static_position"].values)
    if not isinstance(source, t.VectorType) or count > len(source.shape):
        return []
    if count == len(source.shape):
        return [source.element]
    return [t.VectorType(source.shape[count:], source.element, source.scalable_dims[count:])]


class ExtractOp(Operation):
    """The element or subvector at a position in the leading dimensions."""

    name = "vector.extract"
    traits = (tr.PURE, _SAME_ELEMENT)
    source = operand(ANY_VECTOR)
    dynamic_position = variadic_operand(c.INDEX)
    static_position = attribute(c.DENSE_I64_ARRAY)
    output = result()
    assembly_format = (
        "$source `` custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict "
        "`:` type($output) `from` type($source)"
    )

    def verify(self) -> str | None:
        source, position = vector_type(self.source.type), self.static_position.values
        target = self.output.type
        if isinstance(target, t.VectorType) and not target.shape:
            return Unprefixed("expected a scalar instead of a 0-d vector as the result type")
        if len(position) <= len(source.shape):
            inferred = _extracted_type(self)[0]
            one = isinstance(target, t.VectorType) and target.shape == (1,) and target.element is inferred
            if inferred is not target and not one:
                return (
                    f"inferred type(s) '{inferred}' are incompatible with return type(s) of operation "
                    f"'{target}'"
                )
        if position.count(DYNAMIC) != len(self.dynamic_position):
            return _POSITION_MISMATCH
        if len(position) > len(source.shape):
            return "expected position attribute of rank no greater than vector rank"
        return _position_error(position, source, "vector dimension or poison (-1)")


class InsertOp(Operation):
    """Replaces an element or subvector at a position in the leading dimensions."""

    name = "vector.insert"
    traits = (
        tr.PURE,
        SameElementType("source operand and result have same element type", "value_to_store", "output"),
        tr.all_types_match("dest", "output"),
    )
    value_to_store = operand()
    dest = operand(ANY_VECTOR)
    dynamic_position = variadic_operand(c.INDEX)
    static_position = attribute(c.DENSE_I64_ARRAY)
    output = result(ANY_VECTOR)
    assembly_format = (
        "$value_to_store `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict "
        "`:` type($value_to_store) `into` type($dest)"
    )

    def verify(self) -> str | None:
        source, target = self.value_to_store.type, vector_type(self.dest.type)
        if isinstance(source, t.VectorType) and not source.shape:
            return Unprefixed("expected a scalar instead of a 0-d vector as the source operand")
        position = self.static_position.values
        if position.count(DYNAMIC) != len(self.dynamic_position):
            return _POSITION_MISMATCH
        rank = len(target.shape)
        if len(position) > rank:
            return "expected position attribute of rank no greater than dest vector rank"
        if isinstance(source, t.VectorType):
            if len(position) + len(source.shape) != rank:
                return "expected position attribute rank + source rank to match dest vector rank"
        elif len(position) != rank:
            return "expected position attribute rank to match the dest vector rank"
        return _position_error(position, target, "dest vector dimension")


class ScalableInsertOp(Operation):
    """Inserts a fixed or scalable vector into a scalable one, at a multiple of its length."""

    name = "vector.scalable.insert"
    traits = (tr.PURE, tr.all_types_match("dest", "output"))
    value_to_store = operand(c.TypeConstraint(" of ranks 1", lambda x: _rank_one(x)))
    dest = operand(c.TypeConstraint(" of ranks 1", lambda x: _scalable(x)))
    pos = attribute(c.I64_ATTR)
    output = result(c.TypeConstraint(" of ranks 1", lambda x: _scalable(x)))
    assembly_format = (
        "$value_to_store `,` $dest `[` $pos `]` attr-dict `:` type($value_to_store) `into` type($dest)"
    )

    def verify(self) -> str | None:
        source, target = vector_type(self.value_to_store.type), vector_type(self.dest.type)
        if source.element is not target.element:
            return "failed to verify that all of {valueToStore, dest} have same element type"
        if self.pos.value % (source.shape[0] or 1):
            return "failed to verify that position is a multiple of the source length."
        return None


class ScalableExtractOp(Operation):
    """Extracts a vector from a scalable one, at a multiple of its length."""

    name = "vector.scalable.extract"
    traits = (tr.PURE,)
    source = operand(c.TypeConstraint(" of ranks 1", lambda x: _scalable(x)))
    pos = attribute(c.I64_ATTR)
    output = result(c.TypeConstraint(" of ranks 1", lambda x: _rank_one(x)))
    assembly_format = "$source `[` $pos `]` attr-dict `:` type($output) `from` type($source)"

    def verify(self) -> str | None:
        source, target = vector_type(self.source.type), vector_type(self.output.type)
        if source.element is not target.element:
            return "failed to verify that all of {source, result} have same element type"
        if self.pos.value % (target.shape[0] or 1):
            return "failed to verify that position is a multiple of the result length."
        return None


def _rank_one(type: t.Type) -> bool:
    return isinstance(type, t.VectorType) and len(type.shape) == 1


def _scalable(type: t.Type) -> bool:
    return _rank_one(type) and True in vector_type(type).scalable_dims


def _all_elements(type: Any) -> list[t.Type]:
    return [type.element] * prod(type.shape)


class FromElementsOp(Operation):
    """A vector of the given elements, in row-major order."""

    name = "vector.from_elements"
    traits = (
        tr.PURE,
        tr.TypesMatchWith(
            "shaped type 'dest' matches 'elements' element count and types", "dest", "elements", _all_elements
        ),
    )
    elements = variadic_operand()
    dest = result(FIXED_VECTOR)
    assembly_format = "$elements attr-dict `:` type($dest)"


def _element_types(state: Any) -> list[t.Type]:
    return _all_elements(state.operands[0].type)


class ToElementsOp(Operation):
    """The elements of a vector, in row-major order."""

    name = "vector.to_elements"
    traits = (tr.PURE, tr.InferResultTypes(_element_types))
    source = operand(ANY_VECTOR)
    elements = variadic_result()
    assembly_format = "$source attr-dict `:` type($source)"


# -- masks: creating them, and masked execution
#
# `vector.mask` contains a single maskable operation and the yield of its results; it is written on one line,
# `vector.mask %m { vector.transfer_read ... } : vector<4xi1> -> vector<4xf32>`, and the yield is
# implied.


class MaskableOp(Operation):
    """An operation that may be masked."""

    def expected_mask_type(self) -> t.VectorType:
        """The required type of the mask."""
        raise NotImplementedError

    @property
    def supports_passthru(self) -> bool:
        """Whether `passthru` is allowed for the elements that are masked off."""
        return False


class ConstantMaskOp(Operation):
    """A mask whose bits are set in `[0, size)` of every dimension."""

    name = "vector.constant_mask"
    traits = (tr.PURE,)
    mask_dim_sizes = attribute(c.DENSE_I64_ARRAY)
    mask = result(MASK_OF_ANY_RANK)
    assembly_format = "$mask_dim_sizes attr-dict `:` type(results)"

    def verify(self) -> str | None:
        type = expect(t.VectorType, self.mask.type)
        sizes = self.mask_dim_sizes.values
        if not type.shape:
            if len(sizes) != 1:
                return Unprefixed("array attr must have length 1 for 0-D vectors")
            if sizes[0] not in (0, 1):
                return Unprefixed("mask dim size must be either 0 or 1 for 0-D vectors")
            return None
        if len(sizes) != len(type.shape):
            return "must specify array attr of size equal vector result rank"
        for size, extent, scalable in zip(sizes, type.shape, type.scalable_dims, strict=True):
            if size < 0 or size > (extent or 0):
                return "array attr of size out of bounds of vector result dimension size"
            if scalable and size not in (0, extent):
                return "only supports 'none set' or 'all set' scalable dimensions"
        if any(size == 0 for size in sizes) and any(sizes):
            return "expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim"
        return None


class CreateMaskOp(Operation):
    """Like `constant_mask`, with dynamic sizes, clamped to the dimension."""

    name = "vector.create_mask"
    traits = (tr.PURE,)
    sizes = variadic_operand(c.INDEX)
    mask = result(MASK_OF_ANY_RANK)
    assembly_format = "$sizes attr-dict `:` type(results)"

    def verify(self) -> str | None:
        type = expect(t.VectorType, self.mask.type)
        if not type.shape:
            return "must specify exactly one operand for 0-D create_mask" if len(self.sizes) != 1 else None
        if len(self.sizes) != len(type.shape):
            return "must specify an operand for each result vector dimension"
        return None


class YieldOp(RegionBranchTerminatorOp):
    """Terminates the region of `vector.mask`."""

    name = "vector.yield"
    traits = (tr.PURE, tr.TERMINATOR, tr.RETURN_LIKE)
    values = variadic_operand()
    assembly_format = "attr-dict ($values^ `:` type($values))?"


class MaskOp(Operation):
    """Masks the operation in its region: it takes effect only for elements whose mask bit is set.

    For the others, results are those of `passthru`, or unspecified if there is none; memory is not accessed.
    """

    name = "vector.mask"
    traits = (tr.RECURSIVE_MEMORY_EFFECTS, tr.ImplicitTerminator("vector.yield"))
    mask = operand(MASK)
    passthru = optional_operand()
    outputs = variadic_result()
    mask_region = region(single_block=True)

    @property
    def maskable(self) -> Operation | None:
        """The masked operation; None if there is only the yield."""
        first = self.mask_region.entry.first_op
        return None if first is None or first.name == YieldOp.name else first

    def yielded(self) -> list[OpOperand]:
        last = self.mask_region.entry.last_op
        return list(last.op_operands) if last is not None else []

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[object, Region, None]:
        start = p.position - len(cls.name)
        uses = [p.operand()]
        if p.accept(","):
            uses.append(p.operand())
        body = yield p.region()
        p.attr_dict(state)
        types = [p.colon_type()]
        state.result_types = p.arrow_types()
        if len(uses) > 1:
            if not state.result_types:
                p.error("expects a result if passthru operand is provided", start)
            types.append(state.result_types[0])
        state.add_operands(p.resolve_all(uses, types))
        _yield_results(body)
        state.regions.append(body)

    def print_custom(self, p: Printer) -> Generator[object, None, None]:
        yield f" {p.values(self.operands)} {{ "
        first = self.mask_region.entry.first_op
        if first is not None:
            yield from _inline(p, first)
        yield f" }}{p.attr_dict(self)} : {p.type(self.mask.type)}"
        yield p.arrow_types(self.result_types)

    verify_looks_around = True

    def verify(self) -> str | None:
        block = self.mask_region.entry
        if block.first_op is None:
            return "expects a terminator within the mask region"
        last = present(block.last_op)
        if last.name != YieldOp.name:
            return "expects a terminator within the mask region"
        inner = self.maskable
        if inner is None:
            return _empty_mask_error(self, last)
        if inner.next_op is not last:
            return "expects only one operation to mask"
        if not isinstance(inner, MaskableOp):
            return "expects a MaskableOpInterface within the mask region"
        if len(last.op_operands) != len(self.results):
            return "expects number of results to match mask region yielded values"
        if len(inner.results) != len(self.results):
            return "expects number of results to match maskable operation number of results"
        if last.operands != list(inner.results):
            return (
                "expects all the results from the MaskableOpInterface to match all the values returned by "
                "the terminator"
            )
        if inner.result_types != self.result_types:
            return "expects result type to match maskable operation result type"
        if sum(isinstance(x, t.VectorType) for x in inner.result_types) > 1:
            return "multiple vector results not supported"
        return None

    def verify_regions(self) -> str | None:
        inner = self.maskable
        if not isinstance(inner, MaskableOp):
            return None
        expected = inner.expected_mask_type()
        if self.mask.type is not expected:
            return f"expects a '{expected}' mask for the maskable operation"
        if self.passthru is not None:
            if not inner.supports_passthru:
                return "doesn't expect a passthru argument for this maskable operation"
            if len(inner.results) != 1:
                return "expects result when passthru argument is provided"
            if self.passthru.type is not inner.results[0].type:
                return "expects passthru type to match result type"
        return None


def _empty_mask_error(op: MaskOp, last: Operation) -> str | None:
    if len(last.op_operands) != len(op.results):
        return "expects number of results to match mask region yielded values"
    if last.operand_types != op.result_types:
        return "expects result type to match maskable operation result type"
    return None


def _yield_results(body: Region) -> None:
    """Terminate a region with a single operation by yielding its results."""
    if body.is_empty:
        body.append(Block())
    first = body.entry.first_op
    if first is not None and first is body.entry.last_op and first.name != YieldOp.name:
        body.entry.append(YieldOp.build(values=list(first.results), where=first.where))


def _inline(p: Printer, op: Operation) -> Generator[object, None, None]:
    """Print `op` without its results."""
    show = print_form(type(op)) if op.definition is not None else None
    if show is None:
        yield from p._generic(op)
        return
    yield op.name
    form = show(op, p)
    if isinstance(form, str):
        yield form
    else:
        yield from form
