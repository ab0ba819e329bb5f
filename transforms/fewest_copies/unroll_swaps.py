"""Two buffers that a loop swaps need no third: unrolled by two, each ends an iteration where it began it.

    scf.for %i = 0 to 11 step 1 iter_args(%x = %a, %y = %b) {            scf.for %i = 0 to 10 step 2 iter_args(%x = %a, %y = %b) {
      %n = ... ins(%x) outs(%y)                                             %n = ... ins(%x) outs(%y)
      scf.yield %n, %x                                                 =>   %m = ... ins(%n) outs(%x)
    }                                                                       scf.yield %m, %n
                                                                          }
                                                                          and once more behind it, for the eleventh iteration

An argument of a loop has one buffer in all iterations, so without this what trades places is copied. Where the number of iterations is not
known, two (or as many as rotate) at a time run in the loop, and each that is left over under a condition behind it. Only bodies that are short.
"""

from __future__ import annotations

from math import lcm

from ...dialects import arith, scf
from ...dialects.common import constant_index
from ...ir.program.blocks import Block
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpResult, Value
from ...ir.types import types as t
from ...ir.types.attributes import IntegerAttr
from .destinations import shared_by

MAX_BODY = 600
"""Operations of an unrolled body, nested ones included."""
MAX_STEP = 1 << 20
"""Steps so small that a loop which comes within two of them of the greatest index has no end that anybody sees."""
NE, UGT = 1, 8
"""Predicates of `arith.cmpi`."""
MAX_TURNS = 4
"""How often a body is written at most."""


def unroll_rotation(loop: Operation) -> bool:
    """Unroll a loop whose buffers rotate, as often as it takes until each is where it was; False if they do not, or that is not possible."""
    if not isinstance(loop, scf.ForOp):
        return False
    times = turns(loop)
    return 1 < times <= MAX_TURNS and unroll(loop, times)


def unroll_by_two(loop: Operation) -> bool:
    """Write the body of a loop twice, the second time with the values that the first hands on; False if that is not possible."""
    return isinstance(loop, scf.ForOp) and unroll(loop)


def turns(loop: scf.ForOp) -> int:
    """After how many iterations the buffers of the arguments are where they were, if what is new goes where something dies; 1 if they stay."""
    args = loop.region_iter_args
    position: dict[Value, int] = {arg: i for i, arg in enumerate(args)}
    goes_on: dict[int, int] = {}
    for i, use in enumerate(loop.yielded_operands):
        j = position.get(_begins_as(use.value)) if t.is_tensor(use.value.type) else None
        if j is not None and j not in goes_on.values() and args[i].type is args[j].type:
            goes_on[i] = j
    if all(i == j for i, j in goes_on.items()):
        return 1
    times = 1
    seen: set[int] = set()
    # a chain that ends at an argument that dies closes there: what is new at its start goes into that buffer
    for start in sorted(goes_on, key=lambda i: i in goes_on.values()):
        length = 0
        at: int | None = start
        while at is not None and at not in seen:
            seen.add(at)
            at, length = goes_on.get(at), length + 1
        times = lcm(times, max(length, 1))
    return times


def _begins_as(value: Value) -> Value:
    """The value whose buffer a tensor is, followed within one block."""
    while isinstance(value, OpResult):
        sources = shared_by(value)
        if len(sources) != 1 or sources[0].type is not value.type:
            break
        value = sources[0]
    return value


def unroll(loop: scf.ForOp, times: int = 2) -> bool:
    """Unroll a loop; False if its bounds are not known, or its body is too long. O(times * body)."""
    if loop.static_trip_count() is None:
        return _unroll_unknown(loop, times)
    body = loop.regions[0].entry
    lower, step, trips = constant_index(loop.operands[0]), constant_index(loop.step), loop.static_trip_count()
    if lower is None or step is None or trips is None or trips < times:
        return False
    type = loop.induction_variable.type
    if isinstance(type, t.IntegerType) and lower + (trips + times) * step >= 1 << (type.width - 1):
        return False  # the longer step may be no such number
    last = body.last_op
    if last is None or sum(1 for _ in loop.walk()) * times > MAX_BODY:
        return False
    counter = loop.induction_variable
    before = Builder.before(loop)
    longer = _number(before, counter, times * step)
    ops = [op for op in body if op is not last]
    arguments: list[Value] = list(body.args)
    rest = trips % times
    handed: list[Value] = list(loop.results)
    uses = [list(value.uses) for value in loop.results]
    upper = lower + (trips - rest) * step
    if rest:
        after = Builder.after(loop)
        for number in range(rest):
            at = _number(after, counter, upper + number * step)
            handed = _written_again(ops, after, dict(zip(arguments, [at, *handed], strict=True)), last)
        loop.op_operands[1].value = _number(before, counter, upper)
    inside = Builder.before(last)
    given: list[Value] = list(last.operands)
    for number in range(1, times):
        distance = _number(inside, counter, number * step)
        following = inside.insert(arith.AddIOp((counter, distance), (counter.type,))).results[0]
        given = _written_again(ops, inside, dict(zip(arguments, [following, *given], strict=True)), last)
    for use, value in zip(last.op_operands, given, strict=True):
        use.value = value
    for of_result, value in zip(uses, handed, strict=True):
        for use in of_result:
            use.value = value
    loop.op_operands[2].value = longer
    return True


def _unroll_unknown(loop: scf.ForOp, times: int) -> bool:
    """Unroll a loop that runs nobody knows how often, from a number that is not negative, by a constant step.

    Each iteration that is left over runs under a condition behind the loop.
    """
    body, counter = loop.regions[0].entry, loop.induction_variable
    lower, step = constant_index(loop.operands[0]), constant_index(loop.step)
    last = body.last_op
    if not isinstance(counter.type, t.IndexType) or lower is None or step is None or last is None:
        return False
    if lower < 0 or not 0 < step < MAX_STEP or loop.unsigned_cmp:
        return False
    if sum(1 for _ in loop.walk()) * (2 * times - 1) > MAX_BODY:
        return False
    ops = [op for op in body if op is not last]
    arguments: list[Value] = list(body.args)
    uses = [list(value.uses) for value in loop.results]

    def compute(b: Builder, kind: type[Operation], one: Value, other: Value) -> Value:
        return b.insert(kind((one, other), (counter.type,))).results[0]

    before = Builder.before(loop)
    first, by = loop.op_operands[0].value, loop.step
    distance = compute(before, arith.SubIOp, compute(before, arith.MaxSIOp, loop.operands[1], first), first)
    runs = compute(before, arith.CeilDivSIOp, distance, by)
    left = compute(before, arith.RemUIOp, runs, _number(before, counter, times))
    together = compute(before, arith.SubIOp, runs, left)
    end = compute(before, arith.AddIOp, first, compute(before, arith.MulIOp, together, by))
    longer = _number(before, counter, times * step)

    inside = Builder.before(last)
    given: list[Value] = list(last.operands)
    for number in range(1, times):
        at = compute(inside, arith.AddIOp, counter, _number(inside, counter, number * step))
        given = _written_again(ops, inside, dict(zip(arguments, [at, *given], strict=True)), last)

    after = Builder.after(loop)
    wanted: list[Value] = list(loop.results)
    for number in range(times - 1):
        at = compute(after, arith.AddIOp, end, _number(after, counter, number * step)) if number else end
        is_left = after.insert(
            arith.CmpIOp(
                (left, _number(after, counter, number)),
                (t.I1,),
                None,
                {"predicate": IntegerAttr(NE if not number else UGT, t.I64)},
            )
        ).results[0]
        # results that nobody uses are not carried on, unless a further iteration needs them
        carried = [i for i, used in enumerate(uses) if used or number < times - 2]
        choice = after.insert(scf.IfOp([is_left], [wanted[i].type for i in carried], regions=2))
        for region in choice.regions:
            region.append(Block())
        once, otherwise = (Builder.at_end(region.entry) for region in choice.regions)
        handed = _written_again(ops, once, dict(zip(arguments, [at, *wanted], strict=True)), last)
        once.insert(scf.YieldOp([handed[i] for i in carried], ()))
        otherwise.insert(scf.YieldOp([wanted[i] for i in carried], ()))
        for i, value in zip(carried, choice.results, strict=True):
            wanted[i] = value

    for use, value in zip(last.op_operands, given, strict=True):
        use.value = value
    for of_result, value in zip(uses, wanted, strict=True):
        for use in of_result:
            use.value = value
    loop.op_operands[1].value = end
    loop.op_operands[2].value = longer
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
