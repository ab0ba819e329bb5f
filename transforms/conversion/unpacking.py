"""Values that become several: what patterns do where the type converter maps one type to several, or to none."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.program.core import Operation, Value
from .pattern import ConversionPattern
from .rewriter import ConversionRewriter
from .type_converter import TypeConverter


def _converter(rewriter: ConversionRewriter) -> TypeConverter:
    assert rewriter.converter is not None, "a pattern that converts types has a type converter"
    return rewriter.converter


def unpacked(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> list[Value] | None:
    """The operands of `op` with each that becomes several replaced by its parts; None if one cannot be taken apart.

    O(parts).
    """
    converter = _converter(rewriter)
    values: list[Value] = []
    for use, operand in zip(op.op_operands, operands, strict=True):
        types = converter.convert(use.value.type)
        if types is None or len(types) == 1:
            values.append(operand)
            continue
        parts = rewriter.parts_of(operand, types, op)
        if parts is None:
            return None
        values.extend(parts)
    return values


def replace_by_parts(op: Operation, parts: Sequence[Value], rewriter: ConversionRewriter) -> bool:
    """Replace the results of `op` by `parts`, of which each result has as many as its type becomes."""
    converter = _converter(rewriter)
    position = 0
    groups: list[Sequence[Value]] = []
    for result in op.results:
        types = converter.convert(result.type)
        assert types is not None
        groups.append(parts[position : position + len(types)])
        position += len(types)
    return rewriter.replace_by_groups(op, groups)


class ConvertOperands(ConversionPattern):
    """Gives an operation, of the kind that `root` says, its operands as they have become, and changes nothing else."""

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        values = unpacked(op, operands, rewriter)
        if values is None:
            return False
        rewriter.set_operands(op, values)
        return True
