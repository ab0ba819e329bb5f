"""`-convert-elementwise-to-linalg`: arithmetic on tensors becomes structured operations, which have destinations.

    %c = arith.addf %a, %b : tensor<4xf32>
 => %c = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b) outs(%a) { arith.addf }

The destination of a result is the first operand of its type, else a new `tensor.empty` of the sizes of the first operand. Operands
that are no tensors are used at every point. What folds is folded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from ..dialects import linalg, tensor
from ..dialects.linalg.base import PARALLEL, maps_attr
from ..dialects.linalg.generic import GenericOp
from ..ir.declaration.declare import OPERAND_SEGMENTS
from ..ir.program import traits as tr
from ..ir.program.blocks import Block
from ..ir.program.builder import Builder
from ..ir.program.core import Operation, Region, Value
from ..ir.types import attributes as a
from ..ir.types import types as t
from ..ir.types.affine_map import AffineMap
from .bufferize import make
from .conversion import ConversionPattern, ConversionRewriter, ConversionTarget, apply_partial_conversion
from .pass_base import Context, Pass


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
    """Convert all elementwise operations on ranked tensors in `root`, but for those that `keeps` says to leave.

    Args:
        reuse: whether an operand may be the destination; else each gets a new tensor.
    """
    target = ConversionTarget()
    target.mark_unknown_dynamically_legal(lambda op: not is_elementwise_on_tensors(op) or keeps(op))
    apply_partial_conversion(root, target, [_ToGeneric(reuse)])


def is_elementwise_on_tensors(op: Operation) -> bool:
    """Whether an operation applies to each element of ranked tensors what it applies to scalars."""
    return op.has_trait(tr.ELEMENTWISE) and any(
        isinstance(type, t.RankedTensorType) for type in op.operand_types
    )


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
        block = Block([_element(value.type) for value in (*operands, *outs)])
        scalar = type(op)(
            block.args[: len(operands)],
            [each.element for each in ranked],
            op.attributes,
            op.properties,
            where=op.where,
        )
        block.append(scalar)
        block.append(linalg.YieldOp(scalar.results))
        region = Region()
        region.append(block)
        iterator = a.DialectAttr("linalg", f"iterator_type<{PARALLEL}>")
        properties: dict[str, a.Attribute] = {
            "indexing_maps": maps_attr(maps),
            "iterator_types": a.ArrayAttr([iterator] * rank),
            OPERAND_SEGMENTS: make.segments(len(operands), len(outs)),
        }
        made = b.insert(GenericOp((*operands, *outs), types, None, properties, [region], where=op.where))
        return rewriter.replace(op, made.results)


def _destination(b: Builder, type: t.RankedTensorType, operands: Sequence[Value], reuse: bool) -> Value:
    """The first operand of that type, or a new tensor of the sizes of the first operand that is one."""
    for value in operands if reuse else ():
        if value.type is type:
            return value
    like = next(value for value in operands if isinstance(value.type, t.RankedTensorType))
    sizes: list[Value] = []
    for position, size in enumerate(type.shape):
        if size is None:
            number = b.insert(make.constant_index(position)).results[0]
            sizes.append(b.insert(tensor.DimOp((like, number), (t.INDEX,))).results[0])
    return b.insert(tensor.EmptyOp(sizes, (type,))).results[0]


def _element(type: t.Type) -> t.Type:
    return type.element if isinstance(type, t.RankedTensorType) else type
