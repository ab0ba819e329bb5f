"""Who shares memory with whom, as pictures of it need it: links between values, and classes of linked values.

For tensors the One-Shot analysis has decided; a link is an operand and a value that would be in its buffer. For buffers
(memrefs) nothing is decided: views, branches and regions hand a buffer on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...analysis.graphs import passed_pairs
from ...analysis.models.base import TENSOR_TYPES
from ...analysis.one_shot.result import AnalysisResult
from ...dialects import arith
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import FunctionOp, LoopLikeOp, RegionBranchOp, ViewLikeOp
from ...ir.source.union_find import find
from ...ir.types import types as t

BUFFER_TYPES = (t.MemRefType, t.UnrankedMemRefType)


@dataclass(frozen=True, slots=True)
class Link:
    """`operand` hands memory on to `value`.

    Attributes:
        in_place: whether it does; else a copy is made of what the operand holds.
        equivalent: whether the value then is exactly the operand's buffer; else it may be a part of it, or another.
        definite: whether it is certain that they share memory.
    """

    operand: OpOperand
    value: Value
    in_place: bool = True
    equivalent: bool = True
    definite: bool = True

    @property
    def source(self) -> Value:
        return self.operand.value


def values_inside(function: Operation) -> Iterator[Value]:
    """All values defined inside an operation, in textual order; its own results are not among them."""
    for op in function.walk():
        if op is not function:
            yield from op.results
        for region in op.regions:
            for block in region:
                yield from block.args


def tensor_links(function: Operation, analysis: AnalysisResult) -> list[Link]:
    """The links between the tensors of a function. O(operands + links)."""
    state = analysis.state
    found: dict[tuple[OpOperand, Value], Link] = {}
    for value in values_inside(function):
        if not isinstance(value.type, TENSOR_TYPES):
            continue
        for alias in state.aliasing_operands(value):
            link = Link(
                alias.operand, value, analysis.is_in_place(alias.operand), alias.equivalent, alias.definite
            )
            found[alias.operand, value] = link
    for op in function.walk():
        for use in op.op_operands:
            if isinstance(use.value.type, TENSOR_TYPES):
                for alias in state.aliasing_values(use):
                    link = Link(use, alias.value, analysis.is_in_place(use), alias.equivalent, alias.definite)
                    found.setdefault((use, alias.value), link)
        if isinstance(op, RegionBranchOp):
            for link in _carried(op, analysis):
                found.setdefault((link.operand, link.value), link)
    return list(found.values())


def _carried(op: Operation, analysis: AnalysisResult) -> Iterator[Link]:
    """Tensors that control carries into regions of an operation, between them and out of it.

    The analysis looks at an operation as a whole: what a loop is given and what it results in. Inside a loop that
    keeps a buffer, what it carries is that buffer.
    """
    kept = set()
    if isinstance(op, LoopLikeOp):
        for use, argument, result in zip(op.init_operands, op.region_iter_args, op.results, strict=False):
            if isinstance(result.type, TENSOR_TYPES) and analysis.are_equivalent(use.value, result):
                kept |= {argument, result}
    for operand, value, _ in _handed_on(op):
        if isinstance(value.type, TENSOR_TYPES):
            sure = value in kept
            yield Link(operand, value, analysis.is_in_place(operand), sure, sure)


def buffer_links(function: Operation) -> list[Link]:
    """The links between the buffers of a function: views, selections, branches and regions. O(operations)."""
    found: list[Link] = []
    for op in function.walk():
        for operand, value, alone in _handed_on(op):
            if isinstance(operand.value.type, BUFFER_TYPES) and isinstance(value.type, BUFFER_TYPES):
                whole = operand.value.type is value.type or not isinstance(op, ViewLikeOp)
                found.append(Link(operand, value, True, whole, alone))
    return found


def _handed_on(op: Operation) -> Iterator[tuple[OpOperand, Value, bool]]:
    """Operand, receiving value, and whether the value can come from nowhere else."""
    if isinstance(op, ViewLikeOp) and op.results:
        source = op.view_source()
        yield next(use for use in op.op_operands if use.value is source), op.results[0], True
    elif isinstance(op, arith.SelectOp):
        for use in op.op_operands[1:]:
            yield use, op.results[0], False
    else:
        for use, value in passed_pairs(op):
            yield use, value, False


def joined_classes(values: Iterable[Value], pairs: Iterable[tuple[Value, Value]]) -> list[list[Value]]:
    """The classes of values that pairs connect, in order of their first members. Near-linear."""
    leader: dict[Value, Value] = {value: value for value in values}

    for a, b in pairs:
        if a in leader and b in leader:
            leader[find(leader, a)] = find(leader, b)
    classes: dict[Value, list[Value]] = {}
    for value in leader:
        classes.setdefault(find(leader, value), []).append(value)
    return list(classes.values())


def description(value: Value) -> str:
    """How a value comes about, in a word or two."""
    if isinstance(value, OpResult):
        return value.owner.name
    block = value.parent_block
    op = block.parent_op if block is not None else None
    if op is None:
        return "argument"
    if isinstance(op, FunctionOp) and block is not None and block.is_entry:
        return f"argument of @{op.symbol_name}"
    return f"argument of {op.name}" if block is not None and block.is_entry else "block argument"
