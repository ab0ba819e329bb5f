"""Linear forms of index values: equality of offsets, sizes and strides, and lower bounds.

A value is unfolded into a linear form, a constant plus multiples of *atoms*, through additions, subtractions, multiplications by
constants, `affine.apply`, and sizes of tensors that follow from their definitions. Equal forms are equal numbers; different
forms may be equal or not. Unfolding stops after `MAX_UNFOLDINGS` steps, and the rest remains an atom, which is sound.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, TypeGuard

from ..dialects import arith, bufferization, tensor
from ..dialects.common import Mixed, constant_index
from ..ir.program.core import BlockArgument, Operation, OpResult, Value
from ..ir.program.interfaces import DestinationStyleOp, ValueBoundsOp, axis_of
from ..ir.source.diagnostics import expect
from ..ir.types import types as t
from ..ir.types.affine import AffineBinary, AffineConstant, AffineDim, AffineExpr, AffineSymbol
from ..ir.types.affine_map import AffineMapAttr

MAX_UNFOLDINGS: Final = 200
"""Unfolding steps per form, which bound the cost of a comparison; real index arithmetic takes a handful."""

FOLLOWED: Final = (
    tensor.CastOp,
    tensor.EmptyOp,
    tensor.ExtractSliceOp,
    bufferization.AllocTensorOp,
    DestinationStyleOp,
)
"""Operations whose result sizes mlir-opt follows; those of others are known as well."""

Form = dict[Hashable, int]
"""Coefficients by atom; the atom None has the constant. No coefficient is zero."""


# -- what is known of a form


def plus(one: Form, other: Form, factor: int = 1, constant: int = 0) -> Form:
    """`one + factor * other + constant`. O(terms)."""
    total = dict(one)
    for atom, count in ((None, constant), *((a, c * factor) for a, c in other.items())):
        value = total.get(atom, 0) + count
        if value:
            total[atom] = value
        else:
            total.pop(atom, None)
    return total


def lower_bound(form: Form) -> int | None:
    """A lower bound of the form; None if unknown. O(terms)."""
    total = 0
    for atom, factor in form.items():
        if atom is None:
            total += factor
            continue
        low, high = bounds(atom)
        bound = low if factor > 0 else high
        if bound is None:
            return None
        total += bound * factor
    return total


def bounds(atom: object) -> tuple[int | None, int | None]:
    """The constant lower and upper bounds of an atom; None where unknown."""
    if isinstance(atom, tuple) and atom and atom[0] == "dim":
        return 0, None
    limits = counter(atom)
    if limits is not None:
        lower, upper, _ = limits
        first, end = (constant_index(limit) for limit in (lower, upper))
        return first, None if end is None else end - 1
    if isinstance(atom, Value) and isinstance(atom.defining_op, ValueBoundsOp):
        return None, atom.defining_op.constant_upper_bound()
    return None, None


def counter(atom: object) -> tuple[Mixed, Mixed, int] | None:
    """The bounds and step of the loop whose induction variable an atom is, if the step is a positive constant, else None."""
    if not isinstance(atom, BlockArgument):
        return None
    axis = axis_of(atom)
    if axis is None or not axis.signed or axis.lower is None or axis.upper is None:
        return None
    return (axis.lower, axis.upper, axis.step) if isinstance(axis.step, int) and axis.step > 0 else None


# -- making


def equal_indices(a: Mixed, b: Mixed) -> bool:
    """Whether two index values, numbers or SSA values, are provably equal."""
    return a is b or (isinstance(a, int) and a == b) or linear_form(a) == linear_form(b)


def linear_form(value: Mixed) -> Form:
    """The linear form of an index value. O(MAX_UNFOLDINGS)."""
    return _sum([(None, value) if isinstance(value, int) else (value, 1)])


def affine_form(expr: AffineExpr, num_dims: int, operands: Sequence[Value]) -> Form:
    """The linear form of an affine expression over `operands`, those for dimensions first."""
    return _sum(_unfold_affine(expr, num_dims, tuple(operands)))


def shape_forms(value: Value) -> list[Form]:
    """The sizes of a ranked tensor as forms: constants, forms that follow from its definition, or atoms."""
    type = value.type
    assert isinstance(type, t.RankedTensorType)
    return [_sum([(("dim", value, i), 1)]) for i in range(len(type.shape))]


def _sum(terms: Sequence[tuple[Hashable, int]]) -> Form:
    """The form of a sum of multiples of atoms, each unfolded as far as possible."""
    form: Form = {}
    pending = list(terms)
    steps = 0
    while pending:
        atom, factor = pending.pop()
        unfolded = _unfold(atom) if steps < MAX_UNFOLDINGS else None
        if unfolded is None:
            total = form.get(atom, 0) + factor
            if total:
                form[atom] = total
            else:
                form.pop(atom, None)
            continue
        steps += 1
        pending += [(inner, factor * by) for inner, by in unfolded]
    return form


def _unfold(atom: Hashable) -> list[tuple[Hashable, int]] | None:
    """The terms that an atom is the sum of; None if it cannot be unfolded."""
    if isinstance(atom, tuple) and atom and atom[0] == "dim":
        return _unfold_dim(atom[1], atom[2])
    if not isinstance(atom, OpResult):
        return None
    constant = constant_index(atom)
    if constant is not None:
        return [(None, constant)]
    op = atom.owner
    if isinstance(op, arith.AddIOp):
        return [(op.op_operands[0].value, 1), (op.op_operands[1].value, 1)]
    if isinstance(op, arith.SubIOp):
        return [(op.op_operands[0].value, 1), (op.op_operands[1].value, -1)]
    if isinstance(op, arith.MulIOp):
        left, right = op.op_operands[0].value, op.op_operands[1].value
        for factor, other in ((left, right), (right, left)):
            number = constant_index(factor)
            if number is not None:
                return [(other, number)]
        return None
    if isinstance(op, tensor.DimOp):
        position = constant_index(op.op_operands[1].value)
        return None if position is None else [(("dim", op.op_operands[0].value, position), 1)]
    if is_apply(op):
        map = expect(AffineMapAttr, op.properties["map"]).map
        return _unfold_affine(map.results[0], map.num_dims, tuple(op.operands))
    return None


def is_apply(op: Operation | None) -> TypeGuard[Operation]:
    """Whether an operation is `affine.apply`, whose dialect is imported lazily."""
    return op is not None and op.name == "affine.apply"


def _unfold_affine(
    expr: AffineExpr, num_dims: int, operands: tuple[Value, ...]
) -> list[tuple[Hashable, int]]:
    """The terms of an affine expression over `operands`; nonlinear parts become atoms of expression and operands."""
    terms: list[tuple[Hashable, int]] = []
    pending = [(expr, 1)]
    while pending:
        current, factor = pending.pop()
        if isinstance(current, AffineConstant):
            terms.append((None, current.value * factor))
        elif isinstance(current, AffineDim):
            terms.append((operands[current.position], factor))
        elif isinstance(current, AffineSymbol):
            terms.append((operands[num_dims + current.position], factor))
        elif isinstance(current, AffineBinary) and current.kind == "+":
            pending += [(current.lhs, factor), (current.rhs, factor)]
        elif (
            isinstance(current, AffineBinary)
            and current.kind == "*"
            and isinstance(current.rhs, AffineConstant)
        ):
            pending.append((current.lhs, factor * current.rhs.value))
        else:
            terms.append((("affine", current, num_dims, operands), factor))
    return terms


def _unfold_dim(value: Value, position: int) -> list[tuple[Hashable, int]] | None:
    """The size of a tensor in one dimension, unfolded by one step towards its definition."""
    type = value.type
    if isinstance(type, t.RankedTensorType) and position < len(type.shape):
        size = type.shape[position]
        if size is not None:
            return [(None, size)]
    if not isinstance(value, OpResult):
        return None
    op = value.owner
    known = op.size_of(value, position) if isinstance(op, FOLLOWED) else None
    if isinstance(known, tuple):
        return [(("dim", *known), 1)]
    return [(None, known) if isinstance(known, int) else (known, 1)] if known is not None else None
