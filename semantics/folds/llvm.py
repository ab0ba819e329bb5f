"""Folds of `llvm`: those that mlir-opt has, which are few; LLVM itself folds the rest."""

from __future__ import annotations

from typing import Final

from ...dialects import llvm
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ..scalars import INTEGERS, as_signed, on_constants
from . import IN_PLACE, Constants, Fold, Folded
from .tensor import element_of

CONSTANT_INDEX_BITS: Final = 29
"""Larger constant indices of `llvm.getelementptr` stay operands."""

DYNAMIC_INDEX: Final = -(2**31)


def _position(op: Operation) -> tuple[int, ...]:
    return expect(a.DenseArrayAttr, op.properties["position"]).values


def _extractvalue(op: Operation, constants: Constants) -> Folded:
    """Skip insertions at other positions; an insertion into, or around, the extracted part stops the search."""
    source = op.operands[0].defining_op
    position = _position(op)
    if isinstance(source, llvm.ExtractValueOp):
        op.properties["position"] = a.DenseArrayAttr(t.I64, (*_position(source), *position))
        op.op_operands[0].value = source.operands[0]
        return IN_PLACE
    elements = constants[0]
    if (
        isinstance(elements, a.DenseElementsAttr)
        and elements.type.element is op.results[0].type
        and (elements.is_splat or len(position) == 1)
    ):
        return element_of(elements, position[0])
    changed = False
    while isinstance(source, llvm.InsertValueOp):
        inserted = _position(source)
        if inserted == position:
            return [source.operands[1]]
        shorter = min(len(position), len(inserted))
        if position[:shorter] == inserted[:shorter]:
            break
        op.op_operands[0].value = source.operands[0]
        source, changed = source.operands[0].defining_op, True
    return IN_PLACE if changed else None


def _cast(op: Operation, constants: Constants) -> Folded:
    """`cast(x : T0 -> T0) = x`; `cast(cast(x : T0 -> T1) -> T2) = cast(x : T0 -> T2)`."""
    operand = op.op_operands[0]
    type = op.results[0].type
    if operand.value.type is type:
        return [operand.value]
    inner = operand.value.defining_op
    if inner is None or inner.__class__ is not op.__class__:
        return None
    if inner.op_operands[0].value.type is type:
        return [inner.op_operands[0].value]
    operand.value = inner.op_operands[0].value
    return IN_PLACE


def _getelementptr(op: Operation, constants: Constants) -> Folded:
    """The address at index 0 is the base; constant operands become constant indices."""
    raw: tuple[int, ...] = expect(a.DenseArrayAttr, op.properties["rawConstantIndices"]).values
    base, *rest = op.operands
    operands = iter(rest)
    known = iter(constants[1:])
    indices: list[int] = []
    kept: list[Value] = []
    is_zero = False
    for index in raw:
        if index != DYNAMIC_INDEX:
            indices.append(index)
            is_zero = index == 0
            continue
        operand, constant = next(operands), next(known)
        is_zero = isinstance(constant, a.IntegerAttr) and constant.value == 0
        limit = 1 << (CONSTANT_INDEX_BITS - 1)
        if isinstance(constant, a.IntegerAttr) and -limit <= constant.value < limit:
            indices.append(constant.value)
        else:
            indices.append(DYNAMIC_INDEX)
            kept.append(operand)
    if len(raw) == 1 and is_zero and base.type is op.results[0].type:
        return [base]
    if tuple(indices) == raw:
        return None
    op.operands = [base, *kept]
    op.properties["rawConstantIndices"] = a.DenseArrayAttr(t.I32, indices)
    return IN_PLACE


def _icmp(op: llvm.ICmpOp, constants: Constants) -> Folded:
    """A value equals itself, and an alloca is not null."""
    word = op.predicates[op.predicate.value]
    if word not in ("eq", "ne"):
        return None
    type = op.results[0].type
    if op.lhs is op.rhs:
        same = word == "eq"
        if isinstance(type, t.VectorType):
            return [a.DenseElementsAttr.from_values(type, [same])]
        return [a.bool_attr(same)]
    left, right = op.lhs.defining_op, op.rhs.defining_op
    if isinstance(left, llvm.AllocaOp) and isinstance(right, llvm.ZeroOp):
        return [a.bool_attr(word == "ne")]
    if isinstance(left, llvm.ZeroOp) and isinstance(right, llvm.AllocaOp):
        op.operands = [op.rhs, op.lhs]
        return IN_PLACE
    return None


def _zext(op: Operation, constants: Constants) -> Folded:
    constant, type = constants[0], op.results[0].type
    source = op.op_operands[0].value.type
    if not isinstance(constant, a.IntegerAttr):
        return None
    if not (isinstance(source, t.IntegerType) and isinstance(type, t.IntegerType)):
        return None
    return [a.IntegerAttr(constant.value % (1 << source.width), type)]


def _on_integers(name: str) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        left, right = constants
        type = op.results[0].type
        if not (isinstance(left, a.IntegerAttr) and isinstance(right, a.IntegerAttr)):
            return None
        if left.type is not right.type or not isinstance(type, t.IntegerType):
            return None
        value = on_constants(INTEGERS[name], (left.value, right.value), type.width)
        return None if value is None else [a.IntegerAttr(as_signed(value, type.width), type)]

    return fold


FOLDS: Final[dict[type[Operation], Fold]] = {
    llvm.AddrSpaceCastOp: _cast,
    llvm.BitcastOp: _cast,
    llvm.ExtractValueOp: _extractvalue,
    llvm.GEPOp: _getelementptr,
    llvm.ICmpOp: _icmp,
    llvm.OrOp: _on_integers("arith.ori"),
    llvm.ShlOp: _on_integers("arith.shli"),
    llvm.ZExtOp: _zext,
}
