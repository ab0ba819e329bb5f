"""`-convert-elementwise-to-linalg`, `-convert-tensor-to-linalg`, `-linalg-generalize-named-ops`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from ..analysis.models.base import is_elementwise_on_tensors
from ..dialects import arith, linalg, tensor
from ..dialects.common import Mixed, constant_index, split_mixed
from ..dialects.linalg.base import PARALLEL, LinalgOp, maps_attr
from ..dialects.linalg.generic import GenericOp
from ..ir.declaration.declare import OPERAND_SEGMENTS
from ..ir.program import traits as tr
from ..ir.program.blocks import Block
from ..ir.program.builder import Builder
from ..ir.program.core import BlockArgument, Operation, Region, Value, value_location
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from ..ir.types.affine_map import AffineMap
from . import makers
from .conversion import (
    ConversionPattern,
    ConversionRewriter,
    ConversionTarget,
    apply_partial_conversion,
    pattern,
)
from .pass_base import Context, Pass
from .patterns.memref import FOLDS_THAT_INSERT
from .rewriting.greedy import Config, rewrite_greedily
from .rewriting.rewriter import Pattern, Rewriter

# `-convert-elementwise-to-linalg`: arithmetic on tensors becomes structured operations, which have destinations.
#
#     %c = arith.addf %a, %b : tensor<4xf32>
#   => %c = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b) outs(%a) { arith.addf }
#
# The destination of a result is the first operand of its type, else a new `tensor.empty` with the sizes of the first
# tensor operand. Scalar operands are used at every point. Folds are applied on the way.


class ConvertElementwiseToLinalg(Pass):
    """O(operations)."""

    name: ClassVar[str] = "convert-elementwise-to-linalg"
    summary: ClassVar[str] = "Convert ElementwiseMappable ops to linalg"
    on: ClassVar[str] = "any"

    def run(self, op: Operation, context: Context) -> None:
        convert_elementwise(op)


def convert_elementwise(
    root: Operation, keeps: Callable[[Operation], bool] = lambda op: False, reuse: bool = True
) -> None:
    """Convert all elementwise operations on ranked tensors in `root`, except those that `keeps` accepts.

    Args:
        reuse: whether an operand may be the destination; otherwise each result gets a new tensor.
    """
    target = ConversionTarget()
    target.mark_unknown_dynamically_legal(lambda op: not is_elementwise_on_tensors(op) or keeps(op))
    apply_partial_conversion(root, target, [_ToGeneric(reuse)])


class _ToGeneric(ConversionPattern):
    def __init__(self, reuse: bool) -> None:
        super().__init__()
        self.reuse = reuse

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        types = op.result_types
        if not is_elementwise_on_tensors(op) or not types:
            return False
        ranked = [type for type in types if isinstance(type, t.RankedTensorType)]
        if len(ranked) < len(types):
            return False
        rank = len(ranked[0].shape)
        b = rewriter.before(op)
        outs = [_destination(b, type, operands, self.reuse) for type in ranked]
        identity, nothing = AffineMap.identity(rank), AffineMap(rank, 0, ())
        maps = [
            identity if isinstance(value.type, t.RankedTensorType) else nothing
            for value in (*operands, *outs)
        ]
        block = Block()
        for value in (*operands, *outs):
            block.add_argument(_element(value.type), location=value_location(value))
        scalar = type(op)(
            block.args[: len(operands)],
            [each.element for each in ranked],
            op.attributes,
            op.properties,
            where=op.where,
        )
        block.append(scalar)
        block.append(linalg.YieldOp(scalar.results, where=op.where))
        region = Region()
        region.append(block)
        iterator = a.DialectAttr("linalg", f"iterator_type<{PARALLEL}>")
        properties: dict[str, a.Attribute] = {
            "indexing_maps": maps_attr(maps),
            "iterator_types": a.ArrayAttr([iterator] * rank),
            OPERAND_SEGMENTS: makers.segments(len(operands), len(outs)),
        }
        made = b.insert(GenericOp((*operands, *outs), types, None, properties, [region], where=op.where))
        return rewriter.replace(op, made.results)


def _destination(b: Builder, type: t.RankedTensorType, operands: Sequence[Value], reuse: bool) -> Value:
    """The first operand of that type, or a new tensor with the sizes of the first tensor operand."""
    for value in operands if reuse else ():
        if value.type is type:
            return value
    like = next(value for value in operands if isinstance(value.type, t.RankedTensorType))
    sizes: list[Value] = []
    for position, size in enumerate(type.shape):
        if size is None:
            number = makers.index(b, position)
            sizes.append(makers.or_fold(b, tensor.DimOp((like, number), (t.INDEX,), where=b.where)))
    return b.insert(tensor.EmptyOp(sizes, (type,))).results[0]


def _element(type: t.Type) -> t.Type:
    return type.element if isinstance(type, t.RankedTensorType) else type


# `-convert-tensor-to-linalg`: `tensor.pad` becomes a filled tensor into which the source is inserted.
#
#     %p = tensor.pad %t low[1] high[2] { tensor.yield %f }
#  => %e = tensor.empty(...)
#     %g = linalg.fill ins(%f) outs(%e)
#     %p = insert %t into %g[1] [...] [1]
#
# A padding value that depends on the index is computed by `tensor.generate` instead; the empty tensor stays.


class ConvertTensorToLinalg(Pass):
    """O(operations)."""

    name = "convert-tensor-to-linalg"
    summary = "lower tensor.pad to a fill and the insertion of a slice"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        target = ConversionTarget()
        target.add_legal_dialects("arith", "linalg", "tensor")
        target.add_illegal_ops(tensor.PadOp)
        apply_partial_conversion(op, target, [_decompose])


@pattern(tensor.PadOp)
def _decompose(op: tensor.PadOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    b = rewriter.before(op)
    source, type = operands[0], expect(t.RankedTensorType, op.results[0].type)
    low, high = _numbers(op.mixed_low()), _numbers(op.mixed_high())
    sizes: list[Value] = []
    for i, known in enumerate(type.shape):
        if known is None:
            size = makers.as_value(b, _size(b, source, i))
            for side in (low[i], high[i]):
                size = _sum(b, size, makers.as_value(b, side))
            sizes.append(size)
    empty = b.insert(tensor.EmptyOp(sizes, (type,))).results[0]
    filled = _filled(op, empty, sizes, b)
    shape = expect(t.RankedTensorType, source.type).shape
    kept = [_size(b, source, i) for i in range(len(shape))]
    groups = [split_mixed(group) for group in (low, kept, [1] * len(kept))]
    names = ("static_offsets", "static_sizes", "static_strides")
    properties: dict[str, a.Attribute] = dict(zip(names, (numbers for _, numbers in groups), strict=True))
    properties[OPERAND_SEGMENTS] = makers.segments(1, 1, *(len(values) for values, _ in groups))
    places = [value for values, _ in groups for value in values]
    return rewriter.replace_with(
        op, tensor.InsertSliceOp((source, filled, *places), (type,), None, properties)
    )


def _sum(b: Builder, left: Value, right: Value) -> Value:
    """The sum as a folding builder creates it: constants on the right, no addition of zero."""
    numbers = constant_index(left), constant_index(right)
    if numbers[1] == 0:
        return left
    if numbers[0] is not None and numbers[1] is not None:
        return makers.index(b, numbers[0] + numbers[1])
    if numbers[0] == 0:
        return right
    operands = (left, right) if numbers[0] is None else (right, left)
    return makers.binary(b, arith.AddIOp, *operands)


def _size(b: Builder, source: Value, position: int) -> Mixed:
    if (known := expect(t.RankedTensorType, source.type).shape[position]) is not None:
        return known
    index = makers.index(b, position)
    return makers.or_fold(b, tensor.DimOp((source, index), (t.INDEX,), where=b.where))


def _filled(op: tensor.PadOp, empty: Value, sizes: Sequence[Value], b: Builder) -> Value:
    """A tensor filled with the padding value."""
    body = op.regions[0].entry
    assert body.last_op is not None
    padding = body.last_op.operands[0]
    made = padding.defining_op
    outside = (made.block if made is not None else expect(BlockArgument, padding).owner) is not body
    if outside or (made is not None and made.has_trait(tr.CONSTANT_LIKE)):
        if not outside:
            assert made is not None
            padding = b.insert(made.clone({})).results[0]
        return b.insert(linalg.FillOp.make([padding], [empty])).results[0]
    generated = tensor.GenerateOp(sizes, (empty.type,), None, None, 1, where=op.where)
    b.insert(generated)  # before it has a body, whose operations must not be legalized
    mapping: dict[Value, Value] = {}
    block = generated.regions[0].append(body.clone_without_operations(mapping))
    for inner in body.ops:
        block.append(inner.clone(mapping))
    return generated.results[0]


def _numbers(entries: Sequence[Mixed]) -> list[Mixed]:
    """The entries with constant values as numbers."""
    return [entry if (number := constant_index(entry)) is None else number for entry in entries]


# `-linalg-generalize-named-ops`: a structured operation with a name is written as `linalg.generic`.
#
#     linalg.fill ins(%f) outs(%m)    =>    linalg.generic {indexing_maps = [...], iterator_types = [...]} ins(%f) outs(%m) { linalg.yield }
#
# The region is moved; attributes that the name implies are dropped.


class LinalgGeneralizeNamedOps(Pass):
    """O(operations)."""

    name = "linalg-generalize-named-ops"
    summary = "convert named structured operations to linalg.generic"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        named: tuple[Pattern, ...] = (_generalized,)

        def patterns_of(inner: Operation) -> tuple[Pattern, ...]:
            if isinstance(inner, LinalgOp) and not isinstance(inner, GenericOp):
                return named
            return FOLDS_THAT_INSERT.get(type(inner), ())

        outcome = rewrite_greedily(op, patterns_of, Config(top_down=False))
        context.note_touched(outcome.touched)


def _generalized(op: LinalgOp, rewriter: Rewriter) -> bool:
    outs = op.dps_inits()
    ins = [use.value for use in op.op_operands if use not in outs]
    properties: dict[str, a.Attribute] = {
        "indexing_maps": maps_attr(op.indexing_maps()),
        "iterator_types": a.ArrayAttr(
            [a.DialectAttr("linalg", f"iterator_type<{kind}>") for kind in op.iterator_types()]
        ),
        OPERAND_SEGMENTS: makers.segments(len(ins), len(outs)),
    }
    operands = (*ins, *(use.value for use in outs))
    made = GenericOp(operands, op.result_types, None, properties, 1, where=op.where)
    made.regions[0].take_blocks(op.regions[0])
    return rewriter.replace_with(op, made)
