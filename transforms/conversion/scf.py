"""Patterns that change the types that flow through `scf.if`, `scf.for` and `scf.while`, whatever the type converter says.

The operations are made anew and take over their regions, whose arguments are converted; what is inside waits for its turn.
A carried value may become several, or none.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import scf
from ...ir.program.core import Operation, Value
from .pattern import ConversionPattern
from .rewriter import ConversionRewriter
from .target import ConversionTarget
from .type_converter import TypeConverter
from .unpacking import ConvertOperands, replace_by_parts, unpacked

CONVERTED_PARENTS = (scf.ForOp, scf.IfOp, scf.WhileOp)


class _Structural(ConversionPattern):
    """Base: make the operation anew with converted result types."""

    converter: TypeConverter
    converts_arguments = True

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        types = self.converter.convert_all(op.result_types)
        values = unpacked(op, operands, rewriter)
        if types is None or values is None:
            return False
        kept = {} if isinstance(op, scf.WhileOp) else op.attributes
        new = type(op)(
            values,
            types,
            kept,
            op.properties,
            len(op.regions),
            where=op.where,
            location=op.location,
        )
        rewriter.before(op).insert(new)
        for old, region in zip(op.regions, new.regions, strict=True):
            rewriter.move_blocks(old, region)
            if self.converts_arguments and not rewriter.convert_region(region, self.converter):
                return False
        return replace_by_parts(op, new.results, rewriter)


class _ConvertFor(_Structural):
    root = scf.ForOp.name


class _ConvertWhile(_Structural):
    root = scf.WhileOp.name


class _ConvertIf(_Structural):
    root = scf.IfOp.name
    converts_arguments = False


class _ConvertYield(ConversionPattern):
    root = scf.YieldOp.name

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        values = unpacked(op, operands, rewriter)
        if values is None:
            return False
        return rewriter.replace_with(op, scf.YieldOp(values, where=op.where))


def populate_scf_bufferize_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern], target: ConversionTarget
) -> None:
    """Add patterns for `scf.for`, `scf.if`, `scf.while` and what ends their regions, and in `target` when these are legal."""

    def yield_is_legal(op: Operation) -> bool:
        return not isinstance(op.parent_op, CONVERTED_PARENTS) or converter.is_legal(op.operand_types)

    def results_are_legal(op: Operation) -> bool:
        return converter.is_legal(op.result_types)

    target.add_dynamically_legal_ops(results_are_legal, scf.ForOp, scf.IfOp)
    target.add_dynamically_legal_ops(yield_is_legal, scf.YieldOp)
    target.add_dynamically_legal_ops(converter.is_legal_op, scf.WhileOp, scf.ConditionOp)
    kinds = (_ConvertFor, _ConvertIf, _ConvertWhile, _ConvertYield)
    patterns += [kind(converter) for kind in kinds]
    patterns.append(ConvertOperands(converter, root=scf.ConditionOp.name))
