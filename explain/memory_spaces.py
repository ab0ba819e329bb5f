"""Which memory space a tensor is in, and what says so: for programs whose values meet in two."""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.naming import operand_span, value_name, value_span
from ..analysis.one_shot.result import AnalysisResult
from ..dialects import bufferization
from ..ir.program.core import Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import BranchOp, FunctionOp, LoopLikeOp, SelectLikeOp
from ..ir.source.diagnostics import Diagnostic
from .conflict_labels import add_label

MAX_CHAIN = 64
"""Operations that are followed back to what names a memory space."""


def mark_spaces(result: AnalysisResult, op: Operation, diagnostic: Diagnostic) -> None:
    """Label the values that meet at `op` in two memory spaces, and what put them there."""
    for uses in _meeting(op):
        spaces = [space_of(result, use.value) for use in uses]
        if len({space for space, _ in spaces}) < 2:
            continue
        for use, (space, origin) in zip(uses, spaces, strict=True):
            where = f"in memory space {space}" if space else "in the default memory space"
            add_label(diagnostic, operand_span(use), f"{value_name(use.value)} is {where}")
            if origin is not use.value and space:
                add_label(diagnostic, value_span(origin), f"{value_name(origin)} is put {where} here")
        diagnostic.note(
            "values that meet in one result must be in one memory space, since a buffer cannot change its space"
        )
        diagnostic.help(
            "copy one side into the space of the other, by bufferization.alloc_tensor copy(...) {memory_space = ...}"
        )
        return


def _meeting(op: Operation) -> Iterator[list[OpOperand]]:
    """Groups of operands that become one value at `op`: of `arith.select`, of branches, of a loop, of blocks."""
    if isinstance(op, SelectLikeOp):
        yield list(op.op_operands[1:3])
    elif isinstance(op, LoopLikeOp):
        for init, handed in zip(op.init_operands, op.yielded_operands, strict=False):
            yield [init, handed]
    elif isinstance(op, FunctionOp):
        yield from _passed_to_blocks(op)
    else:
        ends = [block.last_op for region in op.regions for block in region if block.last_op is not None]
        for i in range(len(op.results)):
            yield [end.op_operands[i] for end in ends if i < len(end.op_operands)]


def _passed_to_blocks(function: FunctionOp) -> Iterator[list[OpOperand]]:
    """For each argument of a block what branches pass to it. O(operands of branches)."""
    passed: dict[Value, list[OpOperand]] = {}
    for block in function.body:
        branch = block.last_op
        if isinstance(branch, BranchOp):
            for number, successor in enumerate(branch.successors):
                for arg, use in zip(successor.args, branch.successor_operands(number), strict=False):
                    passed.setdefault(arg, []).append(use)
    yield from passed.values()


def space_of(result: AnalysisResult, value: Value) -> tuple[str, Value]:
    """The memory space of a tensor as its source names it, empty for the default one; and the value that says so."""
    for _ in range(MAX_CHAIN):
        if not isinstance(value, OpResult):
            break
        op = value.owner
        if isinstance(op, bufferization.AllocTensorOp):
            space = op.properties.get("memory_space") or op.attributes.get("memory_space")
            if space is not None:
                number = getattr(space, "value", None)
                text = str(number) if number is not None else str(space)
                return ("" if text == "0" else text), value
            if op.copy is None:
                break
            value = op.copy
            continue
        aliases = result.state.aliasing_operands(value)
        if not aliases:
            break
        value = aliases[0].operand.value
    return "", value
