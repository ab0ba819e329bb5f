"""Which values may be dimensions and symbols of affine maps.

Affine analyses treat symbols as unknown constants and dimensions as loop counters, so the operands of a map
must be values that really are. Relative to a region, the *affine scope* (the closest region held by an
operation with the trait `AFFINE_SCOPE`, such as a function's body), a value of type `index`

* is a **symbol** if (1) it is defined at the top of the scope; or (2) it is a constant; or (3) a pure
  operation computes it from symbols; or (4) it is a size of a buffer or tensor that is itself defined at
  the top of the scope, or whose size in that position is given by a symbol; or (5) it is a symbol of the
  scope's parent region, where the operation that holds the scope is not isolated from above;
* is a **dimension** if it is a symbol; or the counter of an affine loop; or computed by an affine index
  operation (`affine.apply` and the like) from dimensions; or a size of something defined at the top of any
  affine scope.

The rules, and their order, are those of `isValidDim` and `isValidSymbol` in MLIR's
mlir/lib/Dialect/Affine/IR/AffineOps.cpp. A chain of pure operations may be as long as the program, so rules
are generators that yield the questions they depend on; one loop answers them. Each question costs at most
the operations its answer depends on, each visited once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeAlias

from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, Operation, Region, Value
from ...ir.types import types as t
from ..common import constant_index


class AffineLoopOp(Operation):
    """A loop whose counters are dimensions."""

    @property
    def induction_variables(self) -> list[BlockArgument]:
        raise NotImplementedError


class AffineIndexOp(Operation):
    """Computes indices that are dimensions if all its operands are."""


Question: TypeAlias = tuple[Value, Region | None]
Rule: TypeAlias = Generator[Question, bool, bool]

_SHAPED_DIM = frozenset(["memref.dim", "tensor.dim"])
"""Operations (source, position) -> size, which implement `ShapedDimOpInterface` upstream."""

_SIZE_FIELDS = {"memref.alloc": "dynamic_sizes", "memref.view": "sizes", "memref.subview": "sizes"}
"""Operations whose unknown sizes are operands, in the order of the dimensions, and the field that holds
them.
"""


def affine_scope(op: Operation) -> Region | None:
    """The region to which dimensions and symbols used by `op` are relative; None if there is none.
    O(depth).
    """
    current = op
    parent = current.parent_op
    while parent is not None:
        if parent.has_trait(tr.AFFINE_SCOPE):
            return current.parent_region
        current, parent = parent, parent.parent_op
    return None


def is_valid_symbol(value: Value, scope: Region | None) -> bool:
    """Whether `value` may be a symbol of a map used in `scope`."""
    if value.type is not t.INDEX:
        return False
    if _is_top_level(value, scope):
        return True
    return _answer(_symbol_rule, (value, scope))


def is_valid_dim(value: Value, scope: Region | None) -> bool:
    """Whether `value` may be a dimension of a map used in `scope`."""
    if value.type is not t.INDEX:
        return False
    if _is_top_level(value, scope) or _is_induction_variable(value):
        return True
    return _answer(_dim_rule, (value, scope))


def operands_error(op: Operation, operands: Sequence[Value], num_dims: int) -> str | None:
    """What is wrong with `operands` as the dimensions, then symbols, of a map used by `op`."""
    if not operands:
        return None
    scope = affine_scope(op)
    for i, value in enumerate(operands):
        if i < num_dims:
            if not is_valid_dim(value, scope):
                return "operand cannot be used as a dimension id"
        elif not is_valid_symbol(value, scope):
            return "operand cannot be used as a symbol"
    return None


def _answer(rule: Callable[[Value, Region | None], Rule], question: Question) -> bool:
    """Run `rule` and the symbol rules it asks for, without recursion."""
    known: dict[Question, bool] = {}
    stack: list[tuple[Question, Rule]] = [(question, rule(*question))]
    answer: bool | None = None
    while True:
        asked, active = stack[-1]
        try:
            request = next(active) if answer is None else active.send(answer)
        except StopIteration as done:
            stack.pop()
            answer = known[asked] = done.value
            if not stack:
                return done.value
            continue
        answer = known.get(request)
        if answer is None:
            known[request] = False  # of values that depend on themselves, in graph regions
            stack.append((request, _symbol_rule(*request)))


def _symbol_rule(value: Value, scope: Region | None) -> Rule:
    if value.type is not t.INDEX:
        return False
    if _is_top_level(value, scope):
        return True
    op = value.defining_op
    if op is not None:
        if op.has_trait(tr.CONSTANT_LIKE):
            return True
        if op.has_trait(tr.PURE):
            for operand in op.operands:
                if not (yield operand, scope):
                    break
            else:
                return True
        if op.name in _SHAPED_DIM:
            return (yield from _size_rule(op, scope))
    holder = scope.parent_op if scope is not None else None
    if (
        holder is not None
        and not holder.has_trait(tr.ISOLATED_FROM_ABOVE)
        and holder.parent_region is not None
    ):
        return (yield value, holder.parent_region)
    return False


def _size_rule(op: Operation, scope: Region | None) -> Rule:
    """Whether the size that a dim operation gives is a symbol."""
    source, position = op.operands
    if _is_at_top_of_any_scope(source):
        return True
    owner = source.defining_op
    if owner is None:
        return False
    index = constant_index(position)
    shape = getattr(source.type, "shape", None)
    if index is None or owner.name not in _SIZE_FIELDS or shape is None or not 0 <= index < len(shape):
        return False
    if shape[index] is not None:
        return True
    sizes: list[Value] = getattr(owner, _SIZE_FIELDS[owner.name])
    place = sum(size is None for size in shape[:index])
    return place < len(sizes) and (yield sizes[place], scope)


def _dim_rule(value: Value, scope: Region | None) -> Rule:
    """All values that must be dimensions for `value` to be one; breadth is bounded by visiting each once."""
    pending, seen = [value], {value}
    while pending:
        current = pending.pop()
        if current.type is not t.INDEX:
            return False
        if _is_induction_variable(current) or (yield current, scope):
            continue
        op = current.defining_op
        if isinstance(op, AffineIndexOp):
            for operand in op.operands:
                if operand not in seen:
                    seen.add(operand)
                    pending.append(operand)
        elif op is None or op.name not in _SHAPED_DIM or not _is_at_top_of_any_scope(op.operands[0]):
            return False
    return True


def _is_top_level(value: Value, scope: Region | None) -> bool:
    block = value.parent_block
    return block is not None and scope is not None and block.region is scope


def _is_at_top_of_any_scope(value: Value) -> bool:
    block = value.parent_block
    parent = block.parent_op if block is not None else None
    return parent is not None and parent.has_trait(tr.AFFINE_SCOPE)


def _is_induction_variable(value: Value) -> bool:
    if not isinstance(value, BlockArgument):
        return False
    parent = value.owner.parent_op
    return isinstance(parent, AffineLoopOp) and value in parent.induction_variables
