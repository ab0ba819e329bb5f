"""`vector` transfers from and to tensors and memrefs.

A transfer accesses a rectangle that starts at `indices`. Its permutation map gives the source dimension of
each vector dimension, with 0 for broadcasts. Where `in_bounds`
is false the rectangle may exceed the source; out-of-bounds elements are read as `padding` and not written.
The default map selects the last dimensions of the source, in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import (
    AttributeField,
    OptionalField,
    SingleField,
    VariadicField,
    attribute,
    operand,
    optional_operand,
    optional_result,
    result,
    variadic_operand,
)
from ...ir.program import traits as tr
from ...ir.program.core import OpOperand, Value
from ...ir.program.interfaces import (
    READ,
    WRITE,
    Access,
    DestinationStyleOp,
    ElementAccessOp,
    Slice,
    SubsetExtractionOp,
    SubsetInsertionOp,
)
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineConstant, AffineDim, constant
from ...ir.types.affine_map import AffineMap
from .kinds import ANY_VECTOR, MASK
from .slices import MaskableOp, MaskOp

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer


def minor_identity(source: t.Type, vector: t.VectorType) -> AffineMap | None:
    """The default map of a transfer; None if the vector has more dimensions than the source."""
    rank = expect(t.ShapedType, source).rank
    element = expect(t.ShapedType, source).element
    used = len(vector.shape) - (len(element.shape) if isinstance(element, t.VectorType) else 0)
    if rank == 0 and vector.shape == (1,):
        return AffineMap(0, 0, (constant(0),))
    if used > rank or used < 0:
        return None
    return AffineMap.minor_identity(rank, used)


def mask_type(vector: t.VectorType, map: AffineMap) -> t.VectorType:
    """The mask type of a transfer: a bit per element of the source rectangle, in the source's dimension order."""
    position = {result.position: i for i, result in enumerate(map.results) if isinstance(result, AffineDim)}
    order = [position[dim] for dim in sorted(position)]
    shape = [vector.shape[i] for i in order] or [1]
    scalable = [vector.scalable_dims[i] for i in order] or [False]
    return t.VectorType(shape, t.I1, scalable)


class TransferOp(ElementAccessOp, MaskableOp, DestinationStyleOp):
    """Base of transfer_read and transfer_write."""

    if TYPE_CHECKING:
        base: SingleField
        indices: VariadicField
        mask: OptionalField
        permutation_map: AttributeField
        in_bounds: AttributeField

    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.DESTINATION_STYLE)

    @property
    def vector_type(self) -> t.VectorType:
        raise NotImplementedError

    @property
    def map(self) -> AffineMap:
        return self.permutation_map.map

    @property
    def in_bounds_flags(self) -> list[bool]:
        """For each vector dimension, whether it is known to be in bounds."""
        return [bool(flag.value) for flag in self.in_bounds]

    def access(self) -> Access | None:
        if not self.map.is_minor_identity:
            return None
        return Access.of_vector(self.base, None, self.indices, self.vector_type)

    @property
    def is_masked(self) -> bool:
        """Whether elements may be masked off, by an own mask or an enclosing `vector.mask`."""
        return self.mask is not None or isinstance(self.parent_op, MaskOp)

    def accessed_slice(self) -> Slice | None:
        base = self.base.type
        if self.is_masked or not isinstance(base, t.RankedTensorType):
            return None
        sizes: list[Value | int] = [1] * base.rank
        for expr, size in zip(self.map.results, self.vector_type.shape, strict=False):
            if isinstance(expr, AffineDim) and size is not None:
                sizes[expr.position] = size
        return list(self.indices), sizes, [1] * base.rank

    def expected_mask_type(self) -> t.VectorType:
        return mask_type(self.vector_type, self.map)

    def _attributes(self, p: Printer) -> str:
        elided = ["operandSegmentSizes"]
        if self.map.is_minor_identity:
            elided.append("permutation_map")
        if not any(self.in_bounds_flags):
            elided.append("in_bounds")
        return p.attr_dict(self, elide=elided)

    def _verify_transfer(self) -> str | None:
        source, vector, map = self.base.type, self.vector_type, self.map
        if not isinstance(source, (t.MemRefType, t.RankedTensorType)):
            return "requires source to be a memref or ranked tensor type"
        if len(self.indices) != source.rank:
            return f"requires {source.rank} indices"
        if "masked" in self.attributes:
            return "masked attribute has been removed. Use in_bounds instead."
        element = source.element
        width = _minor_width(vector)
        if isinstance(element, t.VectorType):
            minor = _minor_width(element)
            if width is not None and minor and width % minor:
                return (
                    "requires the bitwidth of the minor 1-D vector to be an integral multiple of the "
                    "bitwidth of the minor 1-D vector of the source"
                )
            if element.rank > vector.rank:
                return "requires source vector element and vector result ranks to match."
            if len(map.results) != vector.rank - element.rank:
                return "requires a permutation_map with result dims of the same rank as the vector type"
            if self.mask is not None:
                return "does not support masks with vector element type"
        else:
            minor = _width(element)
            if width is not None and minor and width % minor:
                return (
                    "requires the bitwidth of the minor 1-D vector to be an integral multiple of the "
                    "bitwidth of the source element type"
                )
            if len(map.results) != vector.rank:
                return "requires a permutation_map with result dims of the same rank as the vector type"
        if map.num_symbols:
            return "requires permutation_map without symbols"
        if map.num_dims != source.rank:
            return "requires a permutation_map with input dims of the same rank as the source type"
        if self.mask is not None and self.mask.type is not self.expected_mask_type():
            return (
                f"inferred mask type ('{self.expected_mask_type()}') and mask operand type "
                f"('{self.mask.type}') don't match"
            )
        if len(map.results) != len(self.in_bounds):
            return (
                "expects the in_bounds attr of same rank as permutation_map results: "
                f"{a.AffineMapAttr(map)} vs inBounds of size: {len(self.in_bounds)}"
            )
        return None

    def _verify_map(self) -> str | None:
        seen: set[object] = set()
        for expr in self.map.results:
            if isinstance(expr, AffineConstant) and expr.value == 0:
                continue
            if not isinstance(expr, AffineDim):
                return (
                    "requires a projected permutation_map (at most one dim or the zero constant can appear "
                    "in each result)"
                )
            if expr in seen:
                return "requires a permutation_map that is a permutation (found one dim used more than once)"
            seen.add(expr)
        return None


def _width(element: t.Type) -> int | None:
    if isinstance(element, t.IndexType):
        return 64
    if isinstance(element, t.ComplexType):
        inner = _width(element.element)
        return None if inner is None else 2 * inner
    return getattr(element, "width", None)


def _minor_width(vector: t.VectorType) -> int | None:
    """Bits of the innermost one-dimensional vector."""
    width = _width(vector.element)
    last = vector.shape[-1] if vector.shape else 1
    return None if width is None or last is None else width * last


def _no_bounds(count: int) -> a.ArrayAttr:
    return a.ArrayAttr([a.FALSE] * count)


def _finish(
    p: OpParser, state: ParsedOp, vector_first: bool
) -> tuple[t.MemRefType | t.RankedTensorType, t.VectorType, list[Value]]:
    """Parse the mask, attributes and types of a transfer, and fill in map and bounds.

    Returns the two types, and the mask as a list.
    """
    mask_at = p.skip()
    mask = p.operand() if p.accept(",") else None
    p.attr_dict(state)
    types_at = p.skip()
    types = p.colon_type_list()
    if len(types) != 2:
        p.error("requires two types", types_at)
    source, vector = reversed(types) if vector_first else types
    if not isinstance(source, (t.MemRefType, t.RankedTensorType)):
        p.error("requires memref or ranked tensor type", types_at)
    if not isinstance(vector, t.VectorType):
        p.error("requires vector type", types_at)
    given = state.attributes.get("permutation_map")
    if given is None:
        map = minor_identity(source, vector)
        if map is None:
            p.error("expected a custom permutation_map when rank(source) != rank(destination)", types_at)
        state.properties["permutation_map"] = a.AffineMapAttr(map)
    elif isinstance(given, a.AffineMapAttr):
        map = given.map
    else:
        p.error("invalid kind of attribute specified", types_at)
    if "in_bounds" not in state.attributes:
        state.properties["in_bounds"] = _no_bounds(len(map.results))
    if mask is None:
        return source, vector, []
    if isinstance(source.element, t.VectorType):
        p.error("does not support masks with vector element type", mask_at)
    if len(vector.shape) != len(map.results):
        p.error("expected the same rank for the vector and the results of the permutation map", mask_at)
    return source, vector, [p.resolve(mask, mask_type(vector, map))]


class TransferReadOp(TransferOp, SubsetExtractionOp):
    """Reads a rectangle of a tensor or memref into a vector."""

    name = "vector.transfer_read"
    base = operand(c.ANY_SHAPED, effects=READ)
    indices = variadic_operand(c.INDEX)
    padding = operand()
    mask = optional_operand(MASK)
    permutation_map = attribute(c.AFFINE_MAP_ATTR)
    in_bounds = attribute(c.BOOL_ARRAY_ATTR)
    vector = result(ANY_VECTOR)

    @property
    def supports_passthru(self) -> bool:
        return True

    @property
    def vector_type(self) -> t.VectorType:
        return expect(t.VectorType, self.vector.type)

    def dps_inits(self) -> list[OpOperand]:
        return []

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        base = p.operand()
        indices = p.bracketed_operands("[", "]")
        p.expect(",")
        padding = p.operand()
        source, vector, masks = _finish(p, state, vector_first=False)
        state.add_operands([p.resolve(base, source), *p.resolve_same(indices, t.INDEX)])
        state.add_operands([p.resolve(padding, source.element), *masks])
        state.set_segments([1, len(indices), 1, len(masks)])
        state.result_types = [vector]

    def print_custom(self, p: Printer) -> str:
        mask = f", {p.value(self.mask)}" if self.mask is not None else ""
        return (
            f" {p.value(self.base)}[{p.values(self.indices)}], {p.value(self.padding)}{mask}"
            f"{self._attributes(p)} : {p.type(self.base.type)}, {p.type(self.vector.type)}"
        )

    def verify(self) -> str | None:
        if (error := self._verify_transfer()) is not None:
            return error
        element = expect(t.ShapedType, self.base.type).element
        if self.padding.type is not element:
            if isinstance(element, t.VectorType):
                return "requires source element type and padding type to match."
            if not isinstance(self.padding.type, (t.IntegerType, t.IndexType, t.FloatType)):
                return "requires valid padding vector elemental type"
            return "requires formal padding and source of the same elemental type"
        return self._verify_map()


class TransferWriteOp(TransferOp, SubsetInsertionOp):
    """Writes a vector into a rectangle of a memref, or of a tensor, returning the updated tensor."""

    name = "vector.transfer_write"
    value_to_store = operand(ANY_VECTOR)
    base = operand(c.ANY_SHAPED, effects=WRITE)
    indices = variadic_operand(c.INDEX)
    mask = optional_operand(MASK)
    permutation_map = attribute(c.AFFINE_MAP_ATTR)
    in_bounds = attribute(c.BOOL_ARRAY_ATTR)
    updated = optional_result(c.ANY_RANKED_TENSOR)

    @property
    def vector_type(self) -> t.VectorType:
        return expect(t.VectorType, self.value_to_store.type)

    def dps_inits(self) -> list[OpOperand]:
        return [self.op_operands[1]]

    def subset_source(self) -> OpOperand:
        return self.op_operands[0]

    def subset_destination(self) -> OpOperand:
        return self.op_operands[1]

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        value = p.operand()
        p.expect(",")
        base = p.operand()
        indices = p.bracketed_operands("[", "]")
        target, vector, masks = _finish(p, state, vector_first=True)
        state.add_operands([p.resolve(value, vector), p.resolve(base, target)])
        state.add_operands([*p.resolve_same(indices, t.INDEX), *masks])
        state.set_segments([1, 1, len(indices), len(masks)])
        state.result_types = [target] if isinstance(target, t.RankedTensorType) else []

    def print_custom(self, p: Printer) -> str:
        mask = f", {p.value(self.mask)}" if self.mask is not None else ""
        return (
            f" {p.value(self.value_to_store)}, {p.value(self.base)}[{p.values(self.indices)}]{mask}"
            f"{self._attributes(p)} : {p.type(self.value_to_store.type)}, {p.type(self.base.type)}"
        )

    def verify(self) -> str | None:
        base = self.base.type
        if isinstance(base, (t.MemRefType, t.RankedTensorType)) and len(self.indices) != base.rank:
            return f"requires {base.rank} indices"
        if any(isinstance(expr, AffineConstant) for expr in self.map.results):
            return "should not have broadcast dimensions"
        return self._verify_transfer() or self._verify_map()
