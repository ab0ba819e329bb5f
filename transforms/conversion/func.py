"""Patterns that change the types in signatures of functions, and what follows: calls, returns, and branches.

A value whose type becomes several is passed as several.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import func
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import BranchOp, FunctionOp
from ...ir.types import types as t
from ...ir.types.attributes import ArrayAttr, DictionaryAttr, TypeAttr
from .pattern import ConversionPattern
from .rewriter import ConversionRewriter
from .target import ConversionTarget
from .type_converter import SignatureConversion, TypeConverter
from .unpacking import ConvertOperands, replace_by_parts, unpacked


class ConvertFunction(ConversionPattern):
    """Converts argument and result types and the arguments of all blocks."""

    root = func.FuncOp.name
    converter: TypeConverter

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        assert isinstance(op, FunctionOp)
        kind: t.FunctionType = op.function_type
        signature = self.converter.convert_signature(kind.inputs)
        results = self.converter.convert_all(kind.results)
        if signature is None or results is None:
            return False
        if not rewriter.convert_region(op.body, self.converter, signature):
            return False
        rewriter.set_property(op, "function_type", TypeAttr(t.FunctionType(signature.types, results)))
        _spread_attributes(op, signature)
        return True


def _spread_attributes(op: Operation, signature: SignatureConversion) -> None:
    """Attributes of an argument go to all that it became."""
    attributes = op.properties.get("arg_attrs")
    if isinstance(attributes, ArrayAttr):
        spread: list[DictionaryAttr] = [DictionaryAttr()] * len(signature.types)
        for parts, named in zip(signature.inputs, attributes, strict=True):
            for i in parts if isinstance(parts, range) else ():
                assert isinstance(named, DictionaryAttr)
                spread[i] = named
        op.properties["arg_attrs"] = ArrayAttr(spread)


class _ConvertCall(ConversionPattern):
    root = func.CallOp.name
    converter: TypeConverter

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        types = self.converter.convert_all(op.result_types)
        values = unpacked(op, operands, rewriter)
        if types is None or values is None:
            return False
        kept = {"callee": op.properties["callee"]}
        call = func.CallOp(values, types, None, kept, where=op.where)
        rewriter.before(op).insert(call)
        return replace_by_parts(op, call.results, rewriter)


class _ConvertBranch(ConversionPattern):
    """Converts what is passed to blocks, and leaves a branch's other operands alone."""

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        if not isinstance(op, BranchOp):
            return False
        values = op.operands
        for i in range(len(op.successors)):
            for use in op.successor_operands(i):
                values[use.index] = operands[use.index]
        rewriter.set_operands(op, values)
        return True


def populate_func_bufferize_patterns(
    converter: TypeConverter, patterns: list[ConversionPattern], target: ConversionTarget
) -> None:
    """Add patterns for functions, calls, returns and branches, and in `target` when these, and all others, are legal."""

    def function_is_legal(op: Operation) -> bool:
        assert isinstance(op, FunctionOp)
        return converter.is_legal_signature(op.function_type) and converter.is_legal_region(op.body)

    def other_is_legal(op: Operation) -> bool:
        if not _ends_block_of_function(op):
            return True
        if isinstance(op, BranchOp):
            passed = [use.value.type for i in range(len(op.successors)) for use in op.successor_operands(i)]
            return converter.is_legal(passed)
        return isinstance(op, func.ReturnOp) and converter.is_legal_op(op)

    target.add_dynamically_legal_ops(function_is_legal, func.FuncOp)
    target.add_dynamically_legal_ops(converter.is_legal_op, func.CallOp)
    target.mark_unknown_dynamically_legal(other_is_legal)
    kinds = (ConvertFunction, _ConvertCall, _ConvertBranch)
    patterns += [kind(converter) for kind in kinds]
    patterns.append(ConvertOperands(converter, root=func.ReturnOp.name))


def _ends_block_of_function(op: Operation) -> bool:
    """Whether control leaves a block of a function here, as far as is known. Nested regions are left alone."""
    block = op.block
    return (
        op.may_be_terminator
        and block is not None
        and block.last_op is op
        and isinstance(op.parent_op, func.FuncOp)
    )
