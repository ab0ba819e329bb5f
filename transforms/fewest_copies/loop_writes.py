"""What a loop certainly writes of a tensor that it carries, over all of its iterations: boxes of numbers.

Followed is the argument of the loop through a chain of insertions and inner loops, each of which is the only one to use the tensor before
it, to the yield in the same position. So nobody reads what was in the tensor, and each insertion that runs in every
iteration writes its part. Where that is follows from the counter, by arithmetic on constants; an insertion whose place does not follow
writes nothing that is certain.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...dialects import affine, scf, tensor
from ...dialects.common import constant_index
from ...ir.program.core import OpOperand, OpResult, Value
from ...ir.types import types as t
from ...semantics.boxes import BoxPart
from ...semantics.integers import Form, linear_form
from ...semantics.scalars import INTEGERS, on_constants
from ...semantics.subsets import written_part

MAX_ITERATIONS = 4096
"""Iterations of one nest of loops that are followed."""
MAX_CHAIN = 64
"""Updates in a body."""
MAX_DEPTH = 32
"""How deep the arithmetic of a place may be."""

Corners = tuple[tuple[int, int], ...]
"""First and end of a box in each dimension."""


def uses_of_contents(value: Value) -> list[OpOperand]:
    """The uses of a tensor for more than its size."""
    return [use for use in value.uses if not isinstance(use.owner, tensor.DimOp)]


def written_by_loop(loop: scf.ForOp, init: OpOperand, known: Mapping[Value, int]) -> list[Corners] | None:
    """What a loop writes of `init`, where some counters are known; None if it may read it. O(iterations * body)."""
    number = init.index + len(loop.init_operands) - len(loop.operands)
    chain = None if number < 0 else _chain(loop, number)
    if chain is None:
        return None
    lower, step = (constant_index(value) for value in (loop.operands[0], loop.operands[2]))
    trips = loop.static_trip_count()
    boxes: list[Corners] = []
    if lower is None or step is None or trips is None or loop.unsigned_cmp:
        return boxes
    if trips * _iterations(chain) > MAX_ITERATIONS:
        return boxes
    for at in range(lower, lower + trips * step, step):
        given = {**known, loop.induction_variable: at}
        for use in chain:
            inner = use.owner
            if isinstance(inner, scf.ForOp):
                found = written_by_loop(inner, use, given)
                if found is None:
                    return None
            else:
                part = written_part(use)
                box = None if part is None else _box(part, given)
                found = [] if box is None else [box]
            for box in found:
                _add(boxes, box)
    return boxes


def _chain(loop: scf.ForOp, number: int) -> list[OpOperand] | None:
    """The updates of one carried tensor in the body, in order; None if anything else uses it."""
    chain: list[OpOperand] = []
    current: Value = loop.region_iter_args[number]
    end = loop.yielded_operands[number]
    for _ in range(MAX_CHAIN):
        uses = uses_of_contents(current)
        if len(uses) != 1:
            return None
        use = uses[0]
        if use is end:
            return chain
        op = use.owner
        if op.block is not loop.regions[0].entry:
            return None
        if isinstance(op, scf.ForOp) and use.index >= len(op.operands) - len(op.init_operands):
            current = op.results[use.index - len(op.operands)]
        elif isinstance(op, tensor.SliceInsertionOp | tensor.InsertOp) and use.index == 1:
            current = op.results[0]
        else:
            return None
        chain.append(use)
    return None


def _iterations(chain: list[OpOperand]) -> int:
    """How many updates run in one iteration, at most; those of inner loops as often as these run."""
    total = 0
    for use in chain:
        inner = use.owner
        if not isinstance(inner, scf.ForOp):
            total += 1
            continue
        inside = _chain(inner, use.index - len(inner.operands) + len(inner.init_operands))
        total += (inner.static_trip_count() or 0) * max(1, _iterations(inside or []))
    return total


def _box(part: BoxPart, known: Mapping[Value, int]) -> Corners | None:
    """A part in numbers, if it has no gaps."""
    corners: list[tuple[int, int]] = []
    for each in part.ranges:
        offset, size = _value_of_form(each.offset, known), _value_of_form(each.size, known)
        if offset is None or size is None or size < 1 or (each.stride != 1 and size > 1):
            return None
        corners.append((offset, offset + size))
    return tuple(corners)


def _value_of_form(form: Form, known: Mapping[Value, int], depth: int = 0) -> int | None:
    total = 0
    for atom, factor in form.items():
        value = 1 if atom is None else _value(atom, known, depth) if isinstance(atom, Value) else None
        if value is None:
            return None
        total += factor * value
    return total


def _value(value: Value, known: Mapping[Value, int], depth: int = 0) -> int | None:
    """The number that an index or integer is; None if it does not follow from constants and what is known."""
    if value in known:
        return known[value]
    constant = constant_index(value)
    if constant is not None:
        return constant
    if depth > MAX_DEPTH or not isinstance(value, OpResult):
        return None
    op = value.owner
    equation = INTEGERS.get(op.name)
    if equation is None or isinstance(op, affine.ApplyOp):
        form = linear_form(value)
        return None if value in form else _value_of_form(form, known, depth + 1)
    operands = [_value(operand, known, depth + 1) for operand in op.operands]
    numbers = [operand for operand in operands if operand is not None]
    widths = [_width(each.type) for each in (*op.operands, value)]
    if len(numbers) < len(operands) or 0 in widths:
        return None
    if any(n < 0 and equation.view(i) == "u" for i, n in enumerate(numbers)):
        return None  # which number that is unsigned hangs on the width of an index
    found = on_constants(equation, numbers, min(widths))
    if found is None or -(1 << (min(widths) - 1)) <= found < 1 << (min(widths) - 1):
        return found
    return None  # it wraps around: what it then is hangs on how it is seen


def _width(type: t.Type) -> int:
    """Bits of a number; those of an index are at least 32. 0 for what is no integer."""
    if isinstance(type, t.IndexType):
        return 32
    return type.width if isinstance(type, t.IntegerType) else 0


def _add(boxes: list[Corners], box: Corners) -> None:
    """Add a box to a stack of boxes; neighbours that are one box become one."""
    boxes.append(box)
    while len(boxes) > 1 and (whole := _joined(boxes[-2], boxes[-1])) is not None:
        boxes[-2:] = [whole]


def _joined(one: Corners, other: Corners) -> Corners | None:
    """The box that two are which differ in one dimension and meet there."""
    different = [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if not different:
        return one
    at = different[0]
    (low, high), (first, end) = one[at], other[at]
    if len(different) > 1 or max(low, first) > min(high, end):
        return None
    return (*one[:at], (min(low, first), max(high, end)), *one[at + 1 :])
