"""Folds: results that follow from an operation and its constant operands.

A fold never inserts operations. For each result it returns an existing value or a constant attribute; or it changes
the operation in place. The folds of a dialect are in the module of that name in this package, imported when one of
its operations is first folded; its `FOLDS` maps operation classes to functions

    fold(op, constants) -> list[Value | Attribute] | None

where `constants` holds, for each operand, its constant attribute or None. An empty list, `IN_PLACE`, reports that
the operation was changed in place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...ir.program import traits as tr
from ...ir.program.by_class import TablesByClass
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import CastOp
from ...ir.types.uniquing import Attribute
from .constants import constant_of

Folded = list[Value | Attribute] | None
Constants = list[Attribute | None]
Fold = Callable[[Any, Constants], Folded]

IN_PLACE: Final[list[Value | Attribute]] = []

_SHARED = {"builtin": "others", "bufferization": "others", "complex": "math", "scf": "others"}
FOLDS: Final = TablesByClass[Fold]("FOLDS", __name__, beside="folds", shared=_SHARED)

_Known = tuple[Fold | None, bool, bool, bool]
"""The fold of an operation class, and whether the class is commutative, idempotent, a cast."""

_by_class: dict[type[Operation], _Known] = {}
foldable: Final[dict[type[Operation], bool]] = {}
"""The answers of `can_fold` by operation class, as far as they are known."""


def can_fold(op: Operation) -> bool:
    """Whether operations of this kind may fold and are not constants: false for half of all operations. O(1),
    cached."""
    known = foldable.get(op.__class__)
    if known is None:
        function, commutative, _, cast = _by_class.setdefault(op.__class__, _look_up(op))
        known = (function is not None or commutative or cast) and not op.has_trait(tr.CONSTANT_LIKE)
        foldable[op.__class__] = known
    return known


def fold(op: Operation) -> Folded:
    """The fold results of `op`; `IN_PLACE` if it was changed, None if it does not fold. O(operands)."""
    entry = _by_class.get(type(op))
    if entry is None:
        entry = _by_class[type(op)] = _look_up(op)
    function, commutative, idempotent, cast = entry
    if function is None and not commutative and not cast:
        return None
    constants = [constant_of(use._value) for use in op.op_operands]
    if found := function(op, constants) if function is not None else None:
        return found
    if cast and len(constants) == 1 == len(op.results) and op.op_operands[0].value.type is op.results[0].type:
        return [op.op_operands[0].value]
    if commutative and _move_constants_right(op, constants):
        return IN_PLACE
    if idempotent and found is None and op.op_operands[0].value is op.op_operands[1].value:
        return [op.op_operands[0].value]
    return found


def _look_up(op: Operation) -> _Known:
    if op.definition is None:
        return None, False, False, False
    is_cast = isinstance(op, CastOp)
    if op.dialect == "arith":
        from ...dialects._arith_conversions import ConversionOp

        is_cast = is_cast or isinstance(op, ConversionOp)
    return (
        FOLDS.of(op),
        op.has_trait(tr.COMMUTATIVE),
        op.has_trait(tr.IDEMPOTENT),
        is_cast,
    )


def _move_constants_right(op: Operation, constants: Constants) -> bool:
    """Move the constant operands of a commutative operation to the end; returns whether anything changed."""
    if len(constants) < 2 or not any(constants[:-1]):
        return False
    uses = op.op_operands
    order = [i for i, c in enumerate(constants) if c is None] + [
        i for i, c in enumerate(constants) if c is not None
    ]
    if order == list(range(len(constants))):
        return False
    values = [uses[i].value for i in order]
    for use, value in zip(uses, values, strict=True):
        use.value = value
    return True
