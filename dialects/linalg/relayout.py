"""Destination-style operations that are not loop nests: `pack`, `unpack`, `softmax`, Winograd transforms; and the base
of those in other projects' dialects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import (
    OPERAND_SEGMENTS,
    attribute,
    operand,
    optional_operand,
    result,
    variadic_operand,
    variadic_result,
)
from ...ir.program import traits as tr
from ...ir.program.core import OpOperand
from ...ir.program.interfaces import READ, WRITE, DestinationStyleOp, Effect, MemoryEffectOp
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ..common import Mixed, NoMemoryEffectOp, Unprefixed, compatible_shapes, mixed, static_values
from .base import verify_destinations

if TYPE_CHECKING:
    from ...ir.program.core import Value
    from ...ir.text.op_parser import ParsedOp


def _shaped(value: Value) -> t.ShapedType:
    return expect(t.ShapedType, value.type)


def _invalid_positions(positions: Sequence[int], rank: int) -> bool:
    return (
        len(positions) > rank
        or len(set(positions)) != len(positions)
        or any(i < 0 or i >= rank for i in positions)
    )


class _PackingOp(DestinationStyleOp, NoMemoryEffectOp):
    """Base of packing and unpacking: `inner_dims_pos` selects the tiled dimensions, `inner_tiles` the tile sizes."""

    source = operand(c.ANY_RANKED_TENSOR)
    dest = operand(c.ANY_RANKED_TENSOR)
    if TYPE_CHECKING:
        inner_tiles = variadic_operand()
    outer_dims_perm = attribute(c.DENSE_I64_ARRAY, default=a.DenseArrayAttr(t.I64, ()), materialized=False)
    inner_dims_pos = attribute(c.DENSE_I64_ARRAY)
    static_inner_tiles = attribute(c.DENSE_I64_ARRAY)
    result = result(c.ANY_RANKED_TENSOR)
    traits = (
        tr.DESTINATION_STYLE,
        tr.TypesMatchWith("result type matches type of dest", "dest", "result", lambda type: type),
    )

    def dps_inits(self) -> list[OpOperand]:
        return [self.op_operands[1]]

    def mixed_tiles(self) -> list[Mixed]:
        return mixed(self.inner_tiles, self.static_inner_tiles)

    def outer_permutation(self) -> tuple[int, ...]:
        found = self.properties.get("outer_dims_perm")
        return found.values if isinstance(found, a.DenseArrayAttr) else ()

    @staticmethod
    def packed_shape(
        unpacked: Sequence[int | None],
        tiles: Sequence[int | None],
        positions: Sequence[int],
        permutation: Sequence[int],
    ) -> tuple[int | None, ...]:
        """Outer dimensions, counted in tiles and permuted, followed by the tile sizes."""
        outer = list(unpacked)
        for position, tile in zip(positions, tiles, strict=True):
            size = outer[position]
            outer[position] = None if size is None or tile is None else -(-size // tile)
        if permutation:
            outer = [outer[i] for i in permutation]
        return (*outer, *tiles)

    def _verify_packing(self, unpacked: t.ShapedType, packed: t.ShapedType) -> str | None:
        tiles, positions = static_values(self.static_inner_tiles), self.inner_dims_pos.values
        permutation = self.outer_permutation()
        assert unpacked.shape is not None
        assert packed.shape is not None
        rank = len(unpacked.shape)
        if 0 in tiles:
            return Unprefixed("invalid zero tile factor")
        if _invalid_positions(positions, rank):
            return Unprefixed("invalid inner_dims_pos vector")
        if _invalid_positions(permutation, rank):
            return Unprefixed("invalid outer_dims_perm vector")
        if permutation and len(permutation) != rank:
            return Unprefixed("outer_dims_perm must be a permutation or empty")
        if len(tiles) > rank:
            return Unprefixed(
                "tiling factors must be less than or equal to the input rank for pack or output rank for unpack"
            )
        if len(tiles) != len(positions):
            return Unprefixed("tiling factors must equal the number of dimensions to tile")
        if rank + len(tiles) != len(packed.shape):
            return Unprefixed(
                f"packed rank != (unpacked rank + num tiling factors), got {len(packed.shape)} != "
                f"{rank + len(tiles)}"
            )
        for i, (size, tile) in enumerate(zip(packed.shape[rank:], tiles, strict=True)):
            if tile is not None and size != tile:
                return Unprefixed(
                    "mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type"
                )
            if tile is None and size is not None:
                return Unprefixed(
                    f"mismatch in inner tile sizes specified at index {i}: got static shape {size} but dynamic tile size"
                )
        expected = self.packed_shape(unpacked.shape, tiles, positions, permutation)
        if not compatible_shapes(expected, packed.shape):
            return Unprefixed(
                f"expected '{t.RankedTensorType(expected, unpacked.element)}' for the packed domain value, got "
                f"'{t.RankedTensorType(packed.shape, unpacked.element)}'"
            )
        return None


class PackOp(_PackingOp):
    """Packs `source` into tiles, which become the innermost dimensions of `dest`; `padding_value` pads partial tiles."""

    name = "linalg.pack"
    padding_value = optional_operand()
    inner_tiles = variadic_operand(c.INDEX)
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, *_PackingOp.traits)
    assembly_format = (
        "$source (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)?"
        " (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos"
        " `inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles)"
        " `into` $dest attr-dict `:` type($source) `->` type($dest)"
    )
    result_name = "pack"

    def verify(self) -> str | None:
        source, dest = _shaped(self.source), _shaped(self.dest)
        if finding := self._verify_packing(source, dest):
            return finding
        padding = self.padding_value
        if padding is not None:
            if padding.type is not source.element:
                return f"expected padding_value has '{source.element}' but got: '{padding.type}'"
            return None
        if self.needs_padding():
            return "invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set"
        return None

    def needs_padding(self) -> bool:
        """Whether a tile is known to be partial."""
        source, dest = _shaped(self.source), _shaped(self.dest)
        assert source.shape is not None
        assert dest.shape is not None
        outer = list(dest.shape[: len(source.shape)])
        permutation = self.outer_permutation()
        if permutation:
            ordered: list[int | None] = [None] * len(outer)
            for size, i in zip(outer, permutation, strict=True):
                ordered[i] = size
            outer = ordered
        tiles = static_values(self.static_inner_tiles)
        for position, tile in zip(self.inner_dims_pos.values, tiles, strict=True):
            size = source.shape[position]
            if size is None:
                continue
            divisor = tile if tile is not None else outer[position]
            if divisor and size % divisor:
                return True
        return False


class UnPackOp(_PackingOp):
    """The inverse of `linalg.pack`."""

    name = "linalg.unpack"
    inner_tiles = variadic_operand(c.INDEX)
    assembly_format = (
        "$source (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos"
        " `inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles)"
        " `into` $dest attr-dict `:` type($source) `->` type($dest)"
    )
    result_name = "unpack"

    def verify(self) -> str | None:
        return self._verify_packing(_shaped(self.dest), _shaped(self.source))


class SoftmaxOp(DestinationStyleOp, MemoryEffectOp):
    """exp(x - max) / sum along one dimension."""

    name = "linalg.softmax"
    input = operand(c.ANY_SHAPED)
    output = operand(c.ANY_SHAPED)
    dimension = attribute(c.I64_ATTR)
    result = variadic_result(c.ANY_RANKED_TENSOR)
    traits = (tr.DESTINATION_STYLE,)
    assembly_format = (
        "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)`"
        " `outs` `(` $output `:` type($output) `)` (`->` type($result)^)?"
    )

    def dps_inits(self) -> list[OpOperand]:
        return [self.op_operands[1]]

    def memory_effects(self) -> list[Effect]:
        effects: list[Effect] = []
        if isinstance(self.input.type, t.MemRefType):
            effects.append(Effect(READ, self.input))
        if isinstance(self.output.type, t.MemRefType):
            effects += [Effect(READ, self.output), Effect(WRITE, self.output)]
        return effects

    def verify(self) -> str | None:
        source, output = _shaped(self.input), _shaped(self.output)
        if source.element is not output.element:
            return "failed to verify that input and output have same element type"
        if finding := verify_destinations(self):
            return finding
        if source.shape is None or output.shape is None:
            return None
        if not compatible_shapes(source.shape, output.shape):
            return "incompatible output shape"
        if not 0 <= self.dimension.value < len(source.shape):
            return "incorrect dimension specified"
        return None


_FMR = {"F_2_3": (2, 3), "F_4_3": (4, 3), "F_2_5": (2, 5)}
FMR_ATTR = c.integer_enum(t.I32, tuple(_FMR), "allowed 32-bit signless integer cases: 0, 1, 2")


def _tensor_of_rank(rank: int) -> c.TypeConstraint:
    return c.TypeConstraint(
        f"{rank}D tensor of any type values", lambda x: isinstance(x, t.RankedTensorType) and x.rank == rank
    )


TENSOR_4D, TENSOR_6D = _tensor_of_rank(4), _tensor_of_rank(6)


class _WinogradOp(DestinationStyleOp, NoMemoryEffectOp):
    """A step of Winograd convolution F(m x m, r x r)."""

    source = operand(c.ANY_TYPE)
    output = operand(c.ANY_TYPE)
    fmr = attribute(FMR_ATTR)
    traits = (tr.DESTINATION_STYLE,)
    assembly_format = (
        "attr-dict `fmr` `(` $fmr `)` `ins` `(` $source `:` type($source) `)`"
        " `outs` `(` $output `:` type($output) `)` `->` type($result)"
    )

    def dps_inits(self) -> list[OpOperand]:
        return [self.op_operands[1]]

    def tile_numbers(self) -> tuple[int, int]:
        """m and r."""
        return list(_FMR.values())[expect(a.IntegerAttr, self.properties["fmr"]).value]

    def shapes(self) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
        source, output = (_shaped(v).shape for v in self.operands)
        assert source is not None
        assert output is not None
        return source, output

    def _element_finding(self, first: str) -> str | None:
        source, output = (_shaped(v) for v in self.operands)
        if source.element is not output.element:
            return f"failed to verify that all of {{{first}, output}} have same element type"
        return verify_destinations(self)


class WinogradFilterTransformOp(_WinogradOp):
    """The filter (F, H, W, C) as tiles (alphaH, alphaW, C, F)."""

    name = "linalg.winograd_filter_transform"
    source = operand(TENSOR_4D)
    output = operand(TENSOR_4D)
    result = result(TENSOR_4D)

    def verify(self) -> str | None:
        if finding := self._element_finding("filter"):
            return finding
        (count, height, width, channels), output = self.shapes()
        m, r = self.tile_numbers()
        if height not in (r, 1):
            return "expect filter height either equals to r or 1"
        if width not in (r, 1):
            return "expect filter width either equals to r or 1"
        if height == 1 and width == 1:
            return "expect either filter height or width equals to r"
        alpha = m + r - 1
        expected = (alpha if height == r else 1, alpha if width == r else 1, channels, count)
        return None if compatible_shapes(expected, output) else "the output shape is not expected"


class WinogradInputTransformOp(_WinogradOp):
    """The image (N, H, W, C) as tiles (alphaH, alphaW, tileH, tileW, N, C)."""

    name = "linalg.winograd_input_transform"
    source = operand(TENSOR_4D)
    output = operand(TENSOR_6D)
    result = result(TENSOR_6D)

    def verify(self) -> str | None:
        if finding := self._element_finding("input"):
            return finding
        (count, height, width, channels), output = self.shapes()
        m, r = self.tile_numbers()
        sides: list[tuple[int, int | None]] = []
        for size, alpha in ((height, output[0]), (width, output[1])):
            if size is None:
                sides.append((m + r - 1, None))
            elif alpha != 1:
                sides.append((m + r - 1, (size - (r - 1)) // m))
            else:
                sides.append((1, size))
        (alpha_h, tile_h), (alpha_w, tile_w) = sides
        expected = (alpha_h, alpha_w, tile_h, tile_w, count, channels)
        return None if compatible_shapes(expected, output) else "the output shape is not expected"


class WinogradOutputTransformOp(_WinogradOp):
    """Tiles (alphaH, alphaW, tileH, tileW, N, F) as the result (N, H, W, F)."""

    name = "linalg.winograd_output_transform"
    source = operand(TENSOR_6D)
    output = operand(TENSOR_4D)
    result = result(TENSOR_4D)

    def verify(self) -> str | None:
        if finding := self._element_finding("value"):
            return finding
        (alpha_h, alpha_w, tile_h, tile_w, count, filters), output = self.shapes()
        m, r = self.tile_numbers()
        sides: list[int | None] = []
        for noun, alpha, tile in (("height", alpha_h, tile_h), ("width", alpha_w, tile_w)):
            if alpha is None or tile is None:
                sides.append(None)
                continue
            if alpha != (m + r - 1 if alpha != 1 else 1):
                return f"expect input {noun} equals to input tile size"
            sides.append((m if alpha != 1 else 1) * tile)
        expected = (count, *sides, filters)
        return None if compatible_shapes(expected, output) else "the output shape is not expected"


class AlgorithmOp(DestinationStyleOp, MemoryEffectOp):
    """Base of sort, scan, scatter, top-k, FFT and attention in `tm_tensor` (torch-mlir) and `iree_linalg_ext` (IREE).

    Operands are `inputs`, which are read, and `outputs`, which are read and written and to which the results are tied in
    order; an optional region combines or compares elements. Attributes and forms are in their declarations.
    """

    inputs = variadic_operand()
    outputs = variadic_operand(c.ANY_SHAPED)
    results_ = variadic_result(c.ANY_RANKED_TENSOR)

    @classmethod
    def complete_generic(cls, state: ParsedOp) -> None:
        """Other versions of IREE name each operand, in the same order: those tied to results are last."""
        segments = state.properties.get(OPERAND_SEGMENTS)
        outputs = len(state.result_types)
        if outputs and not (isinstance(segments, a.DenseArrayAttr) and len(segments.values) == 2):
            state.set_segments([len(state.operands) - outputs, outputs])

    def dps_inits(self) -> list[OpOperand]:
        segments = self.properties.get(OPERAND_SEGMENTS)
        if segments is None:  # the generic form of a version without segments: destinations are last
            return self.op_operands[len(self.op_operands) - len(self.results) :]
        first, count = expect(a.DenseArrayAttr, segments).values[:2]
        return self.op_operands[first : first + count]

    def memory_effects(self) -> list[Effect]:
        inits = {use.index for use in self.dps_inits()}
        effects: list[Effect] = []
        for use in self.op_operands:
            if isinstance(use.value.type, t.MemRefType):
                effects.append(Effect(READ, use.value))
                if use.index in inits:
                    effects.append(Effect(WRITE, use.value))
        return effects

    def verify(self) -> str | None:
        return verify_destinations(self)
