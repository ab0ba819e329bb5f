"""Canonicalization of what uses `linalg.fill`: a reshaped, padded, copied or transposed fill is a fill, its elements are known.

The patterns start from operations of other dialects, for programs that may have no `linalg` at all: a fill is known by
its name, and a new one is a copy of one that is there.
"""

from __future__ import annotations

from ...dialects import tensor
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.types.types import RankedTensorType
from ...semantics.folds.constants import constant_of
from ..rewriting.rewriter import Rewriter


def fill_of(value: Value) -> Operation | None:
    """The `linalg.fill` that made the tensor `value`."""
    made = value.defining_op
    return made if made is not None and made.name == "linalg.fill" else None


def filled_with(value: Value) -> Value | None:
    """The value of all elements, if `value` is a filled tensor."""
    fill = fill_of(value)
    return None if fill is None else fill.op_operands[0].value


def padding_value(op: tensor.PadOp) -> Value | None:
    """The one value that all elements of the border get; None if it depends on their place."""
    body = op.region.entry
    last = body.last_op
    assert last is not None
    value = last.op_operands[0].value
    if value.parent_block is not body or constant_of(value) is not None:
        return value
    return None


def filled(fill: Operation, init: Value, at: Builder) -> Value:
    """`init`, filled as `fill` fills its own destination."""
    copy = fill.clone({fill.op_operands[1].value: init})
    copy.attributes = {}
    copy.results[0].type = init.type
    return at.insert(copy).the_result


def reshape_of_fill(op: Operation, rewriter: Rewriter) -> bool:
    """Reshape the destination, then fill."""
    fill = fill_of(op.op_operands[0].value)
    if fill is None:
        return False
    at = rewriter.before(op)
    operands = [fill.op_operands[1].value, *op.operands[1:]]
    reshaped = at.insert(type(op)(operands, op.result_types, None, op.properties))
    return rewriter.replace(op, [filled(fill, reshaped.results[0], at)])


def element_of_fill(op: Operation, rewriter: Rewriter) -> bool:
    value = filled_with(op.op_operands[0].value)
    if value is None:
        return False
    return rewriter.replace(op, [value])


def concat_of_fills(op: tensor.ConcatOp, rewriter: Rewriter) -> bool:
    """Fills with one value, one behind the other."""
    fills = [fill_of(value) for value in op.operands]
    known = [fill for fill in fills if fill is not None]
    if len(known) < len(fills) or len({fill.op_operands[0].value for fill in known}) != 1:
        return False
    at = rewriter.before(op)
    inits = [fill.op_operands[1].value for fill in known]
    whole = at.insert(tensor.ConcatOp(inits, op.result_types, None, op.properties))
    return rewriter.replace(op, [filled(known[0], whole.results[0], at)])


def copy_of_fill(op: Operation, rewriter: Rewriter) -> bool:
    """A filled source: fill the destination. A filled destination: what it was filled with is not read."""
    if not op.results:
        return False
    source, init = (use.value for use in op.op_operands[:2])
    fill = fill_of(source)
    if fill is not None and getattr(source.type, "element", None) is getattr(init.type, "element", None):
        return rewriter.replace(op, [filled(fill, init, rewriter.before(op))])
    overwritten = fill_of(init)
    if overwritten is None:
        return False
    return rewriter.set_operand(op.op_operands[1], overwritten.op_operands[1].value)


def transpose_of_fill(op: Operation, rewriter: Rewriter) -> bool:
    fill = fill_of(op.op_operands[0].value)
    if fill is None or not isinstance(op.op_operands[1].value.type, RankedTensorType):
        return False
    return rewriter.replace(op, [filled(fill, op.op_operands[1].value, rewriter.before(op))])
