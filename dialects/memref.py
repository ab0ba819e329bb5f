"""The `memref` dialect: allocation, deallocation, loads, stores and views.

Allocation and element access are here; views in `_memref_views`; atomics, DMA, globals and metadata in
`_memref_buffers`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Final

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import (
    LEGACY_SYNTAX,
    VariadicField,
    attribute,
    operand,
    optional_operand,
    region,
    result,
    variadic_operand,
    variadic_result,
)
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Region, Value
from ..ir.program.interfaces import (
    ALLOCATE,
    FREE,
    READ,
    STACK_RESOURCE,
    WRITE,
    Access,
    CopyOpInterface,
    Effect,
    ElementAccessOp,
    MemoryEffectOp,
    RegionBranchOp,
    RegionSuccessor,
)
from ..ir.source.diagnostics import present
from ..ir.types import attributes as a, types as t
from ..ir.types.affine_map import StridedLayoutAttr
from ._memref_buffers import (
    ALIGNMENT_ATTR,
    AssumeAlignmentOp as AssumeAlignmentOp,
    AtomicRMWOp as AtomicRMWOp,
    AtomicYieldOp as AtomicYieldOp,
    DistinctObjectsOp as DistinctObjectsOp,
    DmaStartOp as DmaStartOp,
    DmaWaitOp as DmaWaitOp,
    ExtractAlignedPointerAsIndexOp as ExtractAlignedPointerAsIndexOp,
    ExtractStridedMetadataOp as ExtractStridedMetadataOp,
    GenericAtomicRMWOp as GenericAtomicRMWOp,
    GetGlobalOp as GetGlobalOp,
    GlobalOp as GlobalOp,
    tensor_type_of as tensor_type_of,
)
from ._memref_views import (
    CastOp as CastOp,
    CollapseShapeOp as CollapseShapeOp,
    ExpandShapeOp as ExpandShapeOp,
    MemorySpaceCastOp as MemorySpaceCastOp,
    ReinterpretCastOp as ReinterpretCastOp,
    ReshapeOp as ReshapeOp,
    SubViewOp as SubViewOp,
    TransposeOp as TransposeOp,
    ViewOp as ViewOp,
    memref_type_of,
    rank_reduction_with_strides,
)
from ._regions import no_region_arguments
from .common import (
    SAME_OPERANDS_SHAPE,
    BufferAllocationOp,
    ShapedDimOp,
    SizesGivenOp,
    Unprefixed,
    element_of,
    static_values,
    total,
    verify_dynamic_dimension_count,
)

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


# Legacy subview types, inferred by MLIR until version 19: an offset of 0 by a dynamic stride was a dynamic offset.
#
#     %1 = memref.subview %0[0, 0] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
#
# Today that offset is 0, and any other type is an error. Programs printed by older versions are accepted: the result
# gets today's type, and so do derived values. Users that require the written type (blocks, calls, reshapes) get a cast
# to it. A type that neither rule yields is left for the verifier to reject.

_RETYPED: Final = frozenset(
    (
        *(
            f"memref.{name}"
            for name in ("load", "store", "copy", "dim", "rank", "subview", "cast", "reinterpret_cast")
        ),
        "memref.extract_strided_metadata",
        "memref.extract_aligned_pointer_as_index",
        *("bufferization.to_tensor", "bufferization.clone"),
        *(f"vector.{name}" for name in ("load", "store", "transfer_read", "transfer_write")),
    )
)
"""Users that accept any layout, besides structured operations."""


def renew_subview(op: Operation, renewed: set[Value]) -> None:
    """Upgrade a subview with a legacy type. `renewed` collects the values whose types changed. O(uses)."""
    assert isinstance(op, SubViewOp)
    if (
        not op.operands
        or not op.results
        or not {"static_offsets", "static_sizes", "static_strides"} <= op.properties.keys()
    ):
        return  # the verifier says what is missing
    source, written = op.source.type, op.results[0].type
    if not isinstance(source, t.MemRefType) or not isinstance(written, t.MemRefType):
        return
    layout = written.strides_and_offset()
    if layout is None or layout[1] is not None or source.strides_and_offset() is None:
        return
    offsets, sizes, strides = (
        static_values(x) for x in (op.static_offsets, op.static_sizes, op.static_strides)
    )
    if not len(offsets) == len(sizes) == len(strides) == source.rank:
        return
    full = SubViewOp.infer_result_type(source, offsets, sizes, strides)
    today = full.strides_and_offset()
    dropped = rank_reduction_with_strides(full, written, sizes)
    if today is None or today[1] is None or dropped is None:
        return
    if op.source not in renewed and _past_offset(source, offsets) is not None:
        return
    if [size for i, size in enumerate(full.shape) if i not in dropped] != list(written.shape):
        return
    kept = [stride for i, stride in enumerate(today[0]) if i not in dropped]
    if kept != list(layout[0]):
        return
    renewed.add(op.results[0])
    op.results[0].type = written.with_layout(StridedLayoutAttr(kept, today[1]))
    for use in op.results[0].uses:
        user = use.owner
        if user.name not in _RETYPED and user.dialect != "linalg":
            cast = CastOp((op.results[0],), (written,))
            assert user.block is not None
            user.block.insert_before(cast, user)
            use.value = cast.results[0]


def _past_offset(source: t.MemRefType, offsets: list[int | None]) -> int | None:
    """The offset by the legacy rule."""
    layout = present(source.strides_and_offset())
    strides, offset = layout
    for position, stride in zip(offsets, strides, strict=True):
        offset = total(offset, None if position is None or stride is None else position * stride)
    return offset


LEGACY_SYNTAX["memref.subview"] = renew_subview


LOCALITY_ATTR = c.AttributeConstraint(
    "32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
    lambda attr: isinstance(attr, a.IntegerAttr) and c.I32_ATTR.test(attr) and 0 <= attr.value <= 3,
)
NON_0_RANKED_MEMREF = c.TypeConstraint(
    "unranked.memref of any type values or non-0-ranked.memref of any type values",
    lambda x: t.is_memref(x) and getattr(x, "shape", None) != (),
)
MEMREF_1D = c.TypeConstraint(
    "1D memref of any type values", lambda x: isinstance(x, t.MemRefType) and x.rank == 1
)


# -- allocation and deallocation


class _AllocLikeOp(SizesGivenOp, BufferAllocationOp, MemoryEffectOp):
    """Base of operations that allocate a buffer of a given type."""

    if TYPE_CHECKING:
        symbol_operands: VariadicField

    @property
    def memref_type(self) -> t.MemRefType:
        return memref_type_of(self.results[0])

    def verify(self) -> str | None:
        type = self.memref_type
        if finding := verify_dynamic_dimension_count(type.shape, len(self.dynamic_sizes)):
            return finding
        layout = type.layout
        symbols = layout.map.num_symbols if isinstance(layout, a.AffineMapAttr | a.StridedLayoutAttr) else 0
        if len(self.symbol_operands) != symbols:
            return (
                f"symbol operand count does not equal memref symbol count: expected {symbols}, "
                f"got {len(self.symbol_operands)}"
            )
        return None


class AllocOp(_AllocLikeOp):
    """Allocates a buffer on the heap, which must be freed."""

    name = "memref.alloc"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS,)
    dynamic_sizes = variadic_operand(c.INDEX)
    symbol_operands = variadic_operand(c.INDEX)
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    memref = result(c.ANY_MEMREF)
    assembly_format = "`(`$dynamic_sizes`)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)"
    result_name = "alloc"

    def memory_effects(self) -> list[Effect]:
        return [Effect(ALLOCATE, self.results[0])]

    def build_promoted(self) -> Operation:
        return AllocaOp(self.operands, self.result_types, self.attributes, self.properties, where=self.where)


class AllocaOp(_AllocLikeOp):
    """Allocates a buffer on the stack, released at the end of the enclosing allocation scope."""

    name = "memref.alloca"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS,)
    dynamic_sizes = variadic_operand(c.INDEX)
    symbol_operands = variadic_operand(c.INDEX)
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    memref = result(c.ANY_MEMREF)
    assembly_format = AllocOp.assembly_format
    result_name = "alloca"

    def memory_effects(self) -> list[Effect]:
        return [Effect(ALLOCATE, self.results[0], STACK_RESOURCE)]

    def is_stack_allocation(self) -> bool:
        return True

    verify_looks_around = True

    def verify(self) -> str | None:
        in_scope = any(op.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE) for op in self.ancestors())
        if not in_scope and self.block is not None:
            return "requires an ancestor op with AutomaticAllocationScope trait"
        return super().verify()


class ReallocOp(BufferAllocationOp, MemoryEffectOp):
    """Resizes a buffer of rank 1: frees the old one, and keeps the contents as far as they fit."""

    name = "memref.realloc"
    source = operand(MEMREF_1D)
    dynamic_result_size = optional_operand(c.INDEX)
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    result = result(MEMREF_1D)
    assembly_format = (
        "$source (`(` $dynamic_result_size^ `)`)? attr-dict `:` type($source) `to` type(results)"
    )

    def memory_effects(self) -> list[Effect]:
        return [Effect(FREE, self.source), Effect(ALLOCATE, self.results[0])]

    def verify(self) -> str | None:
        source, output = memref_type_of(self.source), memref_type_of(self.result)
        if not source.is_identity_layout:
            return Unprefixed(f"unsupported layout for source memref type '{source}'")
        if not output.is_identity_layout:
            return Unprefixed(f"unsupported layout for result memref type '{output}'")
        types = f"for source memref type '{source}' and result memref type '{output}'"
        if source.memory_space is not output.memory_space:
            return Unprefixed(f"different memory spaces specified {types}")
        if source.element is not output.element:
            return Unprefixed(f"different element types specified {types}")
        given = self.dynamic_result_size is not None
        if output.num_dynamic and not given:
            return Unprefixed(f"missing dimension operand for result type '{output}'")
        if given and not output.num_dynamic:
            return Unprefixed(f"unnecessary dimension operand for result type '{output}'")
        return None


class DeallocOp(MemoryEffectOp):
    """Frees a buffer allocated by `memref.alloc`."""

    name = "memref.dealloc"
    memref = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF, effects=FREE)
    assembly_format = "$memref attr-dict `:` type($memref)"


class AllocaScopeOp(RegionBranchOp):
    """A region whose stack allocations are released at its end."""

    name = "memref.alloca_scope"
    traits = (
        tr.AUTOMATIC_ALLOCATION_SCOPE,
        tr.RECURSIVE_MEMORY_EFFECTS,
        tr.ImplicitTerminator("memref.alloca_scope.return"),
    )
    outputs = variadic_result()
    body_region = region(single_block=True)

    verify_looks_around = True

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        state.result_types = p.arrow_types()
        state.regions.append((yield p.region()))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield " "
        if self.results:
            yield f" -> ({p.types(self.result_types)})"
        yield " "
        yield p.region(self.body_region, entry_args=False, terminators=bool(self.results))
        yield p.attr_dict(self)

    def verify(self) -> str | None:
        return no_region_arguments(self)

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        return [
            RegionSuccessor(self.body_region, ()) if source is None else RegionSuccessor(None, self.results)
        ]


class AllocaScopeReturnOp(Operation):
    """Returns results from an allocation scope."""

    name = "memref.alloca_scope.return"
    traits = (tr.has_parent("memref.alloca_scope"), tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)
    values = variadic_operand()
    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def verify(self) -> str | None:
        return None


# -- element access


class LoadOp(ElementAccessOp):
    """Reads one element."""

    name = "memref.load"
    memref = operand(c.ANY_MEMREF, effects=READ)
    indices = variadic_operand(c.INDEX)
    nontemporal = attribute(c.BOOL_ATTR, default=a.FALSE, materialized=False)
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    result = result()
    traits = (
        tr.TypesMatchWith("result type matches element type of 'memref'", "memref", "result", element_of),
    )
    assembly_format = "$memref `[` $indices `]` attr-dict `:` type($memref)"

    def access(self) -> Access:
        return Access(self.memref, None, self.indices)

    def verify(self) -> str | None:
        rank = memref_type_of(self.memref).rank
        if len(self.indices) != rank:
            return f"incorrect number of indices for load, expected {rank} but got {len(self.indices)}"
        return None


class StoreOp(ElementAccessOp):
    """Writes one element."""

    name = "memref.store"
    value = operand()
    memref = operand(c.ANY_MEMREF, effects=WRITE)
    indices = variadic_operand(c.INDEX)
    nontemporal = attribute(c.BOOL_ATTR, default=a.FALSE, materialized=False)
    alignment = attribute(ALIGNMENT_ATTR, optional=True)
    traits = (
        tr.TypesMatchWith("type of 'value' matches element type of 'memref'", "memref", "value", element_of),
    )
    assembly_format = "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)"

    def access(self) -> Access:
        return Access(self.memref, None, self.indices)

    def verify(self) -> str | None:
        if len(self.indices) != memref_type_of(self.memref).rank:
            return "store index operand count not equal to memref rank"
        return None


class CopyOp(CopyOpInterface, MemoryEffectOp):
    """Copies all elements of `source` to `target`; the two must not overlap unless they are equal."""

    name = "memref.copy"
    traits = (tr.SAME_OPERANDS_ELEMENT_TYPE, SAME_OPERANDS_SHAPE)
    source = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF, effects=READ)
    target = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF, effects=WRITE)
    assembly_format = "$source `,` $target attr-dict `:` type($source) `to` type($target)"


class PrefetchOp(MemoryEffectOp):
    """Hints that an element will be accessed soon."""

    name = "memref.prefetch"
    memref = operand(c.ANY_MEMREF, effects=WRITE)
    indices = variadic_operand(c.INDEX)
    is_write = attribute(c.BOOL_ATTR, key="isWrite")
    locality_hint = attribute(LOCALITY_ATTR, key="localityHint")
    is_data_cache = attribute(c.BOOL_ATTR, key="isDataCache")

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        at = p.skip()
        memref = p.operand()
        indices = p.bracketed_operands("[", "]")
        p.expect(",")
        access = p.keyword()
        if access not in ("read", "write"):
            p.error("rw specifier has to be 'read' or 'write'", at)
        p.expect(",")
        p.expect("locality")
        p.expect("<")
        hint = p.integer()
        p.expect(">")
        p.expect(",")
        cache = p.keyword()
        if cache not in ("data", "instr"):
            p.error("cache type has to be 'data' or 'instr'", at)
        type = p.colon_type()
        p.attr_dict(state)
        state.operands = [p.resolve(memref, type), *p.resolve_all(indices, [t.INDEX] * len(indices))]
        state.properties |= {
            "isWrite": a.bool_attr(access == "write"),
            "localityHint": a.IntegerAttr(hint, t.I32),
            "isDataCache": a.bool_attr(cache == "data"),
        }

    def print_custom(self, p: Printer) -> str:
        access = "write" if self.is_write.value else "read"
        cache = "data" if self.is_data_cache.value else "instr"
        attributes = p.attr_dict(self, elide=("isWrite", "localityHint", "isDataCache"))
        return (
            f" {p.value(self.memref)}[{p.values(self.indices)}], {access}, "
            f"locality<{self.locality_hint.value}>, {cache}{attributes} : {p.type(self.memref.type)}"
        )

    def verify(self) -> str | None:
        return None if len(self.indices) == memref_type_of(self.memref).rank else "too few indices"


# -- queries and assumptions


class DimOp(ShapedDimOp):
    """The size of a dimension of a buffer."""

    name = "memref.dim"
    source = operand(NON_0_RANKED_MEMREF)


class RankOp(Operation):
    """The number of dimensions."""

    name = "memref.rank"
    traits = (tr.PURE,)
    memref = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    result = result(c.INDEX)
    assembly_format = "$memref attr-dict `:` type($memref)"
