"""Patterns that convert types in function signatures, calls, returns, branches and scf operations.

A value whose type converts to several types is forwarded as several values.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import func, scf
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import BranchOp, FunctionOp
from ...ir.source.diagnostics import present
from ...ir.types import types as t
from ...ir.types.attributes import ArrayAttr, DictionaryAttr, TypeAttr
from .driver import ConversionPattern, ConversionTarget
from .rewriter import ConversionRewriter
from .type_converter import SignatureConversion, TypeConverter


def _converter(rewriter: ConversionRewriter) -> TypeConverter:
    assert rewriter.converter is not None, "a pattern that converts types has a type converter"
    return rewriter.converter


def unpacked(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> list[Value] | None:
    """The operands of `op`, with each one whose type becomes several decomposed; None if that is impossible.

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
    """Replace the results of `op` by `parts`; each result takes as many as its type converts to."""
    converter = _converter(rewriter)
    position = 0
    groups: list[Sequence[Value]] = []
    for result in op.results:
        types = present(converter.convert(result.type))
        groups.append(parts[position : position + len(types)])
        position += len(types)
    return rewriter.replace_by_groups(op, groups)


class ConvertOperands(ConversionPattern):
    """Gives the operations of kind `root` their converted operands and changes nothing else."""

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        values = unpacked(op, operands, rewriter)
        if values is None:
            return False
        rewriter.set_operands(op, values)
        return True


class ConvertFunction(ConversionPattern):
    """Converts argument and result types, and the arguments of all blocks."""

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
    """Attributes of an argument are duplicated for every argument that it becomes."""
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
    """Converts the operands that a branch forwards, and leaves its other operands alone."""

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
    """Add patterns for functions, calls, returns and branches, and declare in `target` when all operations are
    legal."""

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
    """Whether this is a function-level terminator, as far as is known. Nested regions are left alone."""
    block = op.block
    return (
        op.may_be_terminator
        and block is not None
        and block.last_op is op
        and isinstance(op.parent_op, func.FuncOp)
    )


# Type conversion of the values that `scf.if`, `scf.for` and `scf.while` forward, with any type converter. The
# operations are rebuilt and take over their regions, whose arguments are converted; nested operations are converted in
# their turn. A carried value may become several values, or none.

CONVERTED_PARENTS = (scf.ForOp, scf.IfOp, scf.WhileOp)


class _Structural(ConversionPattern):
    """Base class: rebuild the operation with converted result types."""

    converter: TypeConverter

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        types = self.converter.convert_all(op.result_types)
        values = unpacked(op, operands, rewriter)
        if types is None or values is None:
            return False
        kept = {} if isinstance(op, scf.WhileOp) else op.attributes
        new = type(op)(
            values, types, kept, op.properties, len(op.regions), where=op.where, location=op.location
        )
        rewriter.before(op).insert(new)
        for old, region in zip(op.regions, new.regions, strict=True):
            rewriter.move_blocks(old, region)
            if not isinstance(op, scf.IfOp) and not rewriter.convert_region(region, self.converter):
                return False
        return replace_by_parts(op, new.results, rewriter)


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
    """Add patterns for `scf.for`, `scf.if`, `scf.while` and their terminators, and declare in `target` when these
    are legal."""

    def yield_is_legal(op: Operation) -> bool:
        return not isinstance(op.parent_op, CONVERTED_PARENTS) or converter.is_legal(op.operand_types)

    def results_are_legal(op: Operation) -> bool:
        return converter.is_legal(op.result_types)

    target.add_dynamically_legal_ops(results_are_legal, scf.ForOp, scf.IfOp)
    target.add_dynamically_legal_ops(yield_is_legal, scf.YieldOp)
    target.add_dynamically_legal_ops(converter.is_legal_op, scf.WhileOp, scf.ConditionOp)
    patterns += [_Structural(converter, root=kind) for kind in CONVERTED_PARENTS]
    patterns.append(_ConvertYield(converter))
    patterns.append(ConvertOperands(converter, root=scf.ConditionOp.name))
