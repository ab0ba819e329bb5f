"""Two buffers that a loop swaps need no third: unrolled by two, each ends an iteration where it began it.

    scf.for %i = 0 to 11 step 1 iter_args(%x = %a, %y = %b) {            scf.for %i = 0 to 10 step 2 iter_args(%x = %a, %y = %b) {
      %n = ... ins(%x) outs(%y)                                             %n = ... ins(%x) outs(%y)
      scf.yield %n, %x                                                 =>   %m = ... ins(%n) outs(%x)
    }                                                                       scf.yield %m, %n
                                                                          }
                                                                          and once more behind it, for the eleventh iteration

An argument of a loop has one buffer in all iterations, so without this what trades places is copied. Only loops of which the number
of iterations is known, and bodies that are short.
"""

from __future__ import annotations

from ...analysis.one_shot.result import AnalysisResult
from ...dialects import arith, scf
from ...dialects.common import constant_index
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.types import types as t
from ...ir.types.attributes import IntegerAttr

MAX_BODY = 200
"""Operations of a body that is written twice, nested ones included."""


def unroll_swaps(root: Operation, result: AnalysisResult) -> int:
    """Unroll the loops that copy two values because they trade places; how many. O(operations) beyond the bodies."""
    found = [op for op in root.walk_post_order() if isinstance(op, scf.ForOp) and _swaps(op, result)]
    return sum(unroll(loop) for loop in found)


def _swaps(loop: scf.ForOp, result: AnalysisResult) -> bool:
    """Whether two arguments go on in each other's buffer, and that is copied."""
    args, handed = loop.region_iter_args, loop.yielded_operands
    goes_on_as = {
        i: next((j for j, own in enumerate(args) if result.are_equivalent(own, use.value)), None)
        for i, use in enumerate(handed)
        if use in result.loop_copies
    }
    return any(j is not None and j != i and goes_on_as.get(j) == i for i, j in goes_on_as.items())


def unroll(loop: scf.ForOp) -> bool:
    """Unroll a loop by two; False if its bounds are not known, or its body is too long. O(body)."""
    body = loop.regions[0].entry
    lower, step, trips = constant_index(loop.operands[0]), constant_index(loop.step), loop.static_trip_count()
    if lower is None or step is None or trips is None or trips < 2:
        return False
    last = body.last_op
    if last is None or sum(1 for _ in loop.walk()) > MAX_BODY:
        return False
    counter = loop.induction_variable
    before = Builder.before(loop)
    doubled = _number(before, counter, 2 * step)
    ops = [op for op in body if op is not last]
    arguments: list[Value] = list(body.args)
    if trips % 2:
        upper = _number(before, counter, lower + (trips - 1) * step)
        uses = [list(value.uses) for value in loop.results]
        given = dict(zip(arguments, [upper, *loop.results], strict=True))
        for of_result, value in zip(uses, _written_again(ops, Builder.after(loop), given, last), strict=True):
            for use in of_result:
                use.value = value
        loop.op_operands[1].value = upper
    inside = Builder.before(last)
    following = inside.insert(arith.AddIOp((counter, loop.step), (counter.type,))).results[0]
    given = dict(zip(arguments, [following, *last.operands], strict=True))
    for use, value in zip(last.op_operands, _written_again(ops, inside, given, last), strict=True):
        use.value = value
    loop.op_operands[2].value = doubled
    return True


def _written_again(
    ops: list[Operation], b: Builder, given: dict[Value, Value], last: Operation
) -> list[Value]:
    """Write the operations of a body once more, with the values given for its arguments; what `last` then hands on."""
    copied: dict[Value, Value] = {}
    clones = [op.clone(copied) for op in ops]
    for clone in clones:
        for op in clone.walk():
            for use in op.op_operands:
                use.value = given.get(use.value, use.value)
        b.insert(clone)
    return [copied.get(use.value, given.get(use.value, use.value)) for use in last.op_operands]


def _number(b: Builder, like: Value, number: int) -> Value:
    """A constant of the type of `like`, an index or integer."""
    assert isinstance(like.type, t.IndexType | t.IntegerType)
    value = IntegerAttr(number, like.type)
    return b.insert(arith.ConstantOp((), (like.type,), None, {"value": value})).results[0]
