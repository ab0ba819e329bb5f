"""`memref` views: subviews, casts, permutations and reshapes.

All operations here are effect-free; their results alias the first operand. Bufferization
uses their type inference: `SubViewOp.infer_result_type`, `infer_rank_reduced_type`, and that of the reshapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, operand, result, variadic_operand
from ..ir.defects import DENSE_CASTS, SOUND, Defect
from ..ir.program import traits as tr
from ..ir.program.core import Value
from ..ir.program.interfaces import READ, CastOp as CastOpInterface, MemoryEffectOp, ViewLikeOp
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ..ir.types.affine import dim
from ..ir.types.affine_map import AffineMap, AffineMapAttr, StridedLayoutAttr
from ._reshapes import (
    KNOWN,
    REASSOCIATION_ATTR,
    CollapsingOp,
    ExpandingOp,
    infer_collapsed_type,
    infer_expanded_type,
    verify_collapsed_shape,
)
from .common import (
    SLICE_FORM,
    Mixed,
    PartOp,
    SameShapeOp,
    SizesGivenOp,
    SlicedOp,
    Unprefixed,
    cast_incompatible,
    compatible_shapes,
    dropped_dims,
    out_of_bounds,
    rank_reduction_mask,
    static_values,
    verify_dynamic_dimension_count,
)

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


STRIDED_MEMREF = c.TypeConstraint(
    "strided memref of any type values",
    lambda x: isinstance(x, t.MemRefType) and x.strides_and_offset() is not None,
)
STRIDED_MEMREF_RANK_0 = c.TypeConstraint(
    "strided memref of any type values of rank 0",
    lambda x: isinstance(x, t.MemRefType) and STRIDED_MEMREF.test(x) and x.rank == 0,
)
BEGINS_LIFE = "bufferize.begins_life"
"""An attribute of `memref.view`: the previous contents of its bytes are dead. The interpreter enforces this."""

BYTES_MEMREF = c.TypeConstraint(
    "1D memref of 8-bit signless integer values",
    lambda x: isinstance(x, t.MemRefType) and x.rank == 1 and x.element is t.I8,
)


def memref_type_of(value: Value) -> t.MemRefType:
    """The type of a value that is a ranked memref."""
    return expect(t.MemRefType, value.type)


def _agree(left: int | None, right: int | None) -> bool:
    return left is None or right is None or left == right


def cast_compatible(source: t.Type, target: t.Type) -> bool:
    """Whether `memref.cast` is valid between two types.

    Ranked types must agree wherever both have a static size, stride or offset;
    to or from unranked types only element type and memory space must match; unranked to unranked is invalid.
    """
    if not t.is_memref(source) or not t.is_memref(target):
        return False
    assert isinstance(source, (t.MemRefType, t.UnrankedMemRefType))
    assert isinstance(target, (t.MemRefType, t.UnrankedMemRefType))
    if source.element is not target.element or source.memory_space is not target.memory_space:
        return False
    if not isinstance(source, t.MemRefType) or not isinstance(target, t.MemRefType):
        return isinstance(source, t.MemRefType) or isinstance(target, t.MemRefType)
    if source.layout is not target.layout:
        left, right = source.strides_and_offset(), target.strides_and_offset()
        if left is None or right is None or len(left[0]) != len(right[0]) or not _agree(left[1], right[1]):
            return False
        if not all(map(_agree, left[0], right[0])):
            return False
    return compatible_shapes(source.shape, target.shape)


def cast_always_succeeds(
    source: t.MemRefType, target: t.MemRefType, mirrored: frozenset[Defect] = SOUND
) -> bool:
    """Whether `memref.cast` between two types cannot fail at run time.

    A dynamic stride or offset must not become static, not even a stride that a dense layout
    derives from dynamic sizes, which mlir-opt 22 overlooks (`dense-casts`): `strided<[4, 1]>` is
    the layout of `memref<4x?xf32>` only if the size is 4.
    """
    if not cast_compatible(source, target):
        return False
    left, right = source.strides_and_offset(), target.strides_and_offset()
    if left is None or right is None or (left[1] is None and right[1] is not None):
        return False
    wanted: Sequence[int | None] = right[0]
    if target.layout is None and source.layout is not None and DENSE_CASTS not in mirrored:
        sizes = [a if a is not None else b for a, b in zip(source.shape, target.shape, strict=True)]
        wanted = [-1 if stride is None else stride for stride in KNOWN.dense(sizes)]
        # The stride of a dimension of size 1 is irrelevant.
        return all(s == 1 or a == b for s, a, b in zip(sizes, left[0], wanted, strict=True))
    return not any(a is None and b is not None for a, b in zip(left[0], wanted, strict=True))


class CastOp(CastOpInterface, ViewLikeOp, SameShapeOp):
    """The same buffer under a type with more or less static shape and layout."""

    name = "memref.cast"
    traits = (tr.PURE,)
    source = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    dest = result(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"
    result_name = "cast"

    def verify(self) -> str | None:
        return None if cast_compatible(self.source.type, self.dest.type) else cast_incompatible(self)


class MemorySpaceCastOp(CastOpInterface, ViewLikeOp, SameShapeOp):
    """The same buffer in another memory space."""

    name = "memref.memory_space_cast"
    traits = (tr.PURE,)
    source = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    dest = result(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"
    result_name = "memspacecast"

    def verify(self) -> str | None:
        source, dest = self.source.type, self.dest.type
        if isinstance(source, t.MemRefType) and isinstance(dest, t.MemRefType):
            fits = source.with_memory_space(None) is dest.with_memory_space(None)
        else:
            fits = (
                type(source) is type(dest)
                and expect(t.ShapedType, source).element is expect(t.ShapedType, dest).element
            )
        return None if fits else cast_incompatible(self)


def rank_reduction_with_strides(
    expected: t.MemRefType, reduced: t.MemRefType, sizes: Sequence[int | None]
) -> set[int] | None:
    """The dimensions that `reduced` drops from `expected`, disambiguated by strides if several are 1.

    None if the strides do not match (MLIR's `computeMemRefRankReductionMask`). Where equal or dynamic strides leave the
    choice, MLIR drops the first dimensions, even if the remaining sizes are not those of `reduced`; here, the sizes decide.
    """
    if expected.rank == reduced.rank:
        return set()
    unused = {i for i, size in enumerate(sizes) if size == 1}
    if len(unused) + reduced.rank == expected.rank:
        return unused
    left, right = expected.strides_and_offset(), reduced.strides_and_offset()
    if left is None or right is None:
        return None
    remaining, wanted = Counter(left[0]), Counter(right[0])
    for i in sorted(unused):
        stride = left[0][i]
        if remaining[stride] > wanted[stride]:
            remaining[stride] -= 1
        elif remaining[stride] == wanted[stride]:
            unused.discard(i)
        else:
            return None
    if len(unused) + reduced.rank != expected.rank:
        return None
    kept = [size for i, size in enumerate(sizes) if i not in unused]
    if any(size is not None and size != wanted for size, wanted in zip(kept, reduced.shape, strict=True)):
        return set(dropped_dims(sizes, reduced.shape))
    return unused


class SubViewOp(PartOp, ViewLikeOp):
    """A view of the slice of `source` at `[offsets] [sizes] [strides]`; dimensions of size 1 may be dropped."""

    name = "memref.subview"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.PURE)
    source = operand(c.ANY_MEMREF)
    result = result(c.ANY_MEMREF)
    assembly_format = f"$source `` {SLICE_FORM} attr-dict `:` type($source) `to` type($result)"
    result_name = "subview"

    @staticmethod
    def infer_result_type(
        source: t.MemRefType,
        offsets: Sequence[Mixed | None],
        sizes: Sequence[Mixed | None],
        strides: Sequence[Mixed | None],
    ) -> t.MemRefType:
        """The type of a slice without rank reduction; entries that are not integers are dynamic.

        Raises:
            ValueError: the source is not strided.
        """
        layout = source.strides_and_offset()
        if layout is None:
            raise ValueError(f"{source} is not strided")
        starts, shape, steps = (
            [entry if isinstance(entry, int) else None for entry in entries]
            for entries in (offsets, sizes, strides)
        )
        offset, result_strides = KNOWN.part(layout[1], layout[0], starts, steps)
        return t.MemRefType(
            shape, source.element, StridedLayoutAttr(result_strides, offset), source.memory_space
        )

    @classmethod
    def infer_rank_reduced_type(
        cls,
        shape: Sequence[int | None],
        source: t.MemRefType,
        offsets: Sequence[Mixed | None],
        sizes: Sequence[Mixed | None],
        strides: Sequence[Mixed | None],
    ) -> t.MemRefType:
        """The type of a slice whose rank-reduced shape is `shape`.

        Raises:
            ValueError: the source is not strided, or `shape` is not a rank reduction of the slice's shape.
        """
        full = cls.infer_result_type(source, offsets, sizes, strides)
        if full.shape == tuple(shape):
            return full
        dropped = rank_reduction_mask(full.shape, shape)
        if dropped is None:
            raise ValueError(f"{tuple(shape)} is not a rank reduction of {full.shape}")
        layout = expect(StridedLayoutAttr, full.layout)
        kept = [stride for i, stride in enumerate(layout.strides) if i not in dropped]
        return t.MemRefType(shape, full.element, StridedLayoutAttr(kept, layout.offset), full.memory_space)

    def verify(self) -> str | None:
        if finding := self.verify_slice_lists():
            return finding
        source, view = memref_type_of(self.source), memref_type_of(self.result)
        if source.memory_space is not view.memory_space:
            return Unprefixed(
                f"different memory spaces specified for base memref type '{source}' and "
                f"subview memref type '{view}'"
            )
        if source.strides_and_offset() is None:
            return Unprefixed(f"base type '{source}' is not strided")
        offsets, sizes, strides = (
            static_values(x) for x in (self.static_offsets, self.static_sizes, self.static_strides)
        )
        expected = self.infer_result_type(source, offsets, sizes, strides)
        if view.rank > expected.rank:
            return Unprefixed(
                f"expected result rank to be smaller or equal to the source rank, but got '{view}'"
            )
        wanted = f"expected result type to be '{expected}' or a rank-reduced version."
        if rank_reduction_mask(expected.shape, view.shape) is None:
            return Unprefixed(f"{wanted} (mismatch of result sizes), but got '{view}'")
        if expected.element is not view.element:
            return Unprefixed(f"expected result element type to be '{expected.element}', but got '{view}'")
        if not self._layouts_match(expected, view, sizes):
            return Unprefixed(f"{wanted} (mismatch of result layout), but got '{view}'")
        return out_of_bounds(source.shape, offsets, sizes, strides)

    @staticmethod
    def _layouts_match(expected: t.MemRefType, view: t.MemRefType, sizes: Sequence[int | None]) -> bool:
        left, right = expected.strides_and_offset(), view.strides_and_offset()
        if left is None or right is None or left[1] != right[1]:
            return False
        dropped = rank_reduction_with_strides(expected, view, sizes)
        if dropped is None:
            return False
        kept = [stride for i, stride in enumerate(left[0]) if i not in dropped]
        return kept == list(right[0])


def _number(value: int | None) -> str:
    return "dynamic" if value is None else str(value)


class ReinterpretCastOp(SlicedOp, ViewLikeOp):
    """The same buffer under a new offset, sizes and strides."""

    name = "memref.reinterpret_cast"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.PURE)
    source = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    result = result(STRIDED_MEMREF)
    assembly_format = (
        "$source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets)"
        " `` `,` `sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes)"
        " `` `,` `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides)"
        " attr-dict `:` type($source) `to` type($result)"
    )
    result_name = "reinterpret_cast"

    def slice_ranks(self) -> tuple[int, int, int]:
        rank = memref_type_of(self.result).rank
        return 1, rank, rank

    def verify(self) -> str | None:
        if finding := self.verify_slice_lists():
            return finding
        source, output = self.source.type, memref_type_of(self.result)
        assert isinstance(source, (t.MemRefType, t.UnrankedMemRefType))
        types = f"for source type '{source}' and result memref type '{output}'"
        if source.memory_space is not output.memory_space:
            return Unprefixed(f"different memory spaces specified {types}")
        if source.element is not output.element:
            return Unprefixed(f"different element types specified {types}")
        layout = output.strides_and_offset()
        if layout is None:
            return Unprefixed(f"expected result type to have strided layout but found '{output}'")
        for i, (size, declared) in enumerate(
            zip(output.shape, static_values(self.static_sizes), strict=True)
        ):
            if size is not None and size != declared:
                return Unprefixed(
                    f"expected result type with size = {_number(declared)} instead of {size} in dim = {i}"
                )
        declared = static_values(self.static_offsets)[0]
        if layout[1] is not None and layout[1] != declared:
            return Unprefixed(
                f"expected result type with offset = {_number(declared)} instead of {layout[1]}"
            )
        for i, (stride, declared) in enumerate(
            zip(layout[0], static_values(self.static_strides), strict=True)
        ):
            if stride is not None and stride != declared:
                return Unprefixed(
                    f"expected result type with stride = {_number(declared)} instead of {stride} in dim = {i}"
                )
        return None


class TransposeOp(ViewLikeOp):
    """The same buffer with permuted dimensions."""

    name = "memref.transpose"
    traits = (tr.PURE,)
    source = operand(STRIDED_MEMREF)
    permutation = attribute(c.AFFINE_MAP_ATTR)
    result = result(STRIDED_MEMREF)
    result_name = "transpose"

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        source = p.operand()
        names = p.comma_separated(p.keyword)
        p.expect("->")
        results: list[int] = []
        for name in p.comma_separated(p.keyword):
            if name not in names:
                p.error("use of undeclared identifier")
            results.append(names.index(name))
        state.properties["permutation"] = AffineMapAttr(AffineMap(len(names), 0, map(dim, results)))
        p.attr_dict(state)
        source_type = p.colon_type()
        p.expect("to")
        state.result_types = [p.type()]
        state.operands = [p.resolve(source, source_type)]

    def print_custom(self, p: Printer) -> str:
        attributes = p.attr_dict(self, elide=("permutation",))
        return (
            f" {p.value(self.source)} {self.permutation.map}{attributes} "
            f": {p.type(self.source.type)} to {p.type(self.result.type)}"
        )

    @staticmethod
    def infer_result_type(source: t.MemRefType, permutation: AffineMap) -> t.MemRefType:
        """The transposed type. Raises ValueError if `source` is not strided."""
        layout = source.strides_and_offset()
        if layout is None:
            raise ValueError(f"{source} is not strided")
        order: list[int] = list(permutation.positions)
        return t.MemRefType(
            [source.shape[i] for i in order],
            source.element,
            StridedLayoutAttr([layout[0][i] for i in order], layout[1]),
            source.memory_space,
        )

    def verify(self) -> str | None:
        permutation: AffineMap = self.permutation.map
        source, output = memref_type_of(self.source), memref_type_of(self.result)
        if not permutation.is_permutation:
            return "expected a permutation map"
        if permutation.num_dims != source.rank:
            return "expected a permutation map of same rank as the input"
        expected = self.infer_result_type(source, permutation)
        fits = (
            output.shape == expected.shape
            and output.element is expected.element
            and output.memory_space is expected.memory_space
            and output.strides_and_offset() == expected.strides_and_offset()
        )
        if not fits:
            layout = expect(StridedLayoutAttr, expected.layout)
            shown = expected.with_layout(AffineMapAttr(layout.map))
            return (
                f"result type '{output}' is not equivalent to the canonical transposed input type '{shown}'"
            )
        return None


class ViewOp(SizesGivenOp, ViewLikeOp):
    """A typed view of a byte buffer, starting at byte `byte_shift`."""

    name = "memref.view"
    traits = (tr.PURE,)
    source = operand(BYTES_MEMREF)
    byte_shift = operand(c.INDEX)
    dynamic_sizes = variadic_operand(c.INDEX)
    result = result(c.ANY_MEMREF)
    assembly_format = (
        "$source `[` $byte_shift `]` `` `[` $dynamic_sizes `]` attr-dict `:` type($source) `to` type(results)"
    )
    result_name = "view"

    def verify(self) -> str | None:
        source, view = memref_type_of(self.source), memref_type_of(self.result)
        if not source.is_identity_layout:
            return Unprefixed(f"unsupported map for base memref type '{source}'")
        if not view.is_identity_layout:
            return Unprefixed(f"unsupported map for result memref type '{view}'")
        if source.memory_space is not view.memory_space:
            return Unprefixed(
                f"different memory spaces specified for base memref type '{source}' and view memref type '{view}'"
            )
        return verify_dynamic_dimension_count(view.shape, len(self.dynamic_sizes))


# -- reshapes: views of the same elements under another shape


SHAPE_MEMREF = c.TypeConstraint(
    "1D memref of signless integer or index values",
    lambda x: isinstance(x, t.MemRefType) and x.rank == 1 and c.SIGNLESS_INTEGER_OR_INDEX.test(x.element),
)


class ExpandShapeOp(ExpandingOp, ViewLikeOp):
    """Splits each dimension into its group; `output_shape` gives the dynamic sizes."""

    name = "memref.expand_shape"
    traits = (tr.PURE,)
    src = operand(STRIDED_MEMREF)
    reassociation = attribute(REASSOCIATION_ATTR)
    output_shape = variadic_operand(c.INDEX)
    static_output_shape = attribute(c.DENSE_I64_ARRAY)
    result = result(STRIDED_MEMREF)
    assembly_format = (
        "$src $reassociation `output_shape` custom<DynamicIndexList>($output_shape, $static_output_shape)"
        " attr-dict `:` type($src) `into` type($result)"
    )
    result_name = "expand_shape"

    def verify(self) -> str | None:
        source, output = memref_type_of(self.src), memref_type_of(self.result)
        if source.rank > output.rank:
            return (
                f"has source rank {source.rank} and result rank {output.rank}. "
                f"This is not an expansion ({source.rank} > {output.rank})."
            )
        groups = self.reassociation_indices()
        if finding := verify_collapsed_shape(source.shape, output.shape, groups):
            return finding
        expected = infer_expanded_type(source, output.shape, groups)
        if expected is not output:
            return f"expected expanded type to be '{expected}' but found '{output}'"
        static = static_values(self.static_output_shape)
        if len(static) != output.rank:
            return (
                f"expected number of static shape bounds to be equal to the output rank ({output.rank}) "
                f"but found {len(static)} inputs instead"
            )
        dynamic = static.count(None)
        if len(self.output_shape) != dynamic:
            return (
                "mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has "
                f"{dynamic} dynamic dims while output_shape has {len(self.output_shape)} values"
            )
        for i, (size, declared) in enumerate(zip(output.shape, static, strict=True)):
            if size is not None and size != declared:
                return f"invalid output shape provided at pos {i}"
        return None


class CollapseShapeOp(CollapsingOp, ViewLikeOp):
    """Collapses the dimensions of each group, which must be contiguous, into one."""

    name = "memref.collapse_shape"
    traits = (tr.PURE,)
    src = operand(STRIDED_MEMREF)
    reassociation = attribute(REASSOCIATION_ATTR)
    result = result(STRIDED_MEMREF)
    assembly_format = "$src $reassociation attr-dict `:` type($src) `into` type($result)"
    result_name = "collapse_shape"

    def verify(self) -> str | None:
        source, output = memref_type_of(self.src), memref_type_of(self.result)
        if source.rank < output.rank:
            return (
                f"has source rank {source.rank} and result rank {output.rank}. "
                f"This is not a collapse ({source.rank} < {output.rank})."
            )
        groups = self.reassociation_indices()
        if finding := verify_collapsed_shape(output.shape, source.shape, groups):
            return finding
        expected = infer_collapsed_type(source, groups)
        if expected is None:
            return "invalid source layout map or collapsing non-contiguous dims"
        if expected is not output:
            return f"expected collapsed type to be '{expected}' but found '{output}'"
        return None


class ReshapeOp(MemoryEffectOp, ViewLikeOp):
    """The same dense, row-major buffer under the shape in the memref `shape`."""

    name = "memref.reshape"
    source = operand(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    shape = operand(SHAPE_MEMREF, effects=READ)
    result = result(c.ANY_RANKED_OR_UNRANKED_MEMREF)
    assembly_format = "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    result_name = "reshape"

    def verify(self) -> str | None:
        source, output = self.source.type, self.result.type
        assert isinstance(source, t.ShapedType)
        assert isinstance(output, t.ShapedType)
        if source.element is not output.element:
            return "element types of source and destination memref types should be the same"
        if isinstance(source, t.MemRefType) and not source.is_identity_layout:
            return "source memref type should have identity affine map"
        if not isinstance(output, t.MemRefType):
            return None
        if not output.is_identity_layout:
            return "result memref type should have identity affine map"
        length = memref_type_of(self.shape).shape[0]
        if length is None:
            return "cannot use shape operand with dynamic length to reshape to statically-ranked memref type"
        if length != output.rank:
            return "length of shape operand differs from the result's memref rank"
        return None
