"""Loops that rotate buffers: unrolled by the rotation's period, or rewritten so that no further buffer is needed."""

from __future__ import annotations

from math import lcm

from ...dialects import arith, scf
from ...dialects.common import constant_index
from ...ir.program.blocks import Block
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpResult, Value
from ...ir.program.interfaces import CountedLoopOp
from ...ir.types import types as t
from ...ir.types.attributes import IntegerAttr
from .. import makers
from .destinations import shared_by

MAX_BODY = 600
"""Operations of an unrolled body, nested ones included; a loop that would exceed them is not unrolled."""
MAX_STEP = 1 << 20
"""The greatest step of an unrolled loop: with such steps, no loop gets within two of them of the maximal index in practice."""
MAX_TURNS = 8
"""The maximum unroll factor; loops whose buffers rotate with a longer period keep their copies."""
NOT_EQUAL, LESS, GREATER, UNSIGNED_LESS = 1, 2, 4, 6
"""Predicates of `arith.cmpi`."""


def unroll_rotation(loop: Operation) -> bool:
    """Unroll a loop whose buffers rotate by the period of the rotation; False if they do not, or that is not possible."""
    if not isinstance(loop, scf.ForOp):
        return False
    times = turns(loop)
    return 1 < times <= MAX_TURNS and unroll(loop, times)


def yield_past(loop: Operation) -> int:
    """Replace the result of a loop that yields a value from outside by that value, or by the init if the loop does not run. O(results).

       %r = scf.for %i = %a to %b ... iter_args(%x = %t) { ...; scf.yield %u }    // %u is made before, %x is not read
    => %r = arith.select %runs, %u, %t
    """
    assert isinstance(loop, CountedLoopOp)
    unrolled = 0
    trips = loop.static_trip_count()
    for own, end, result in zip(loop.region_iter_args, loop.yielded_operands, loop.results, strict=True):
        value, init = end.value, loop.init_operands[result.index].value
        if not t.is_tensor(own.type) or own.has_uses or not result.has_uses or trips == 0:
            continue
        if loop.regions[0].is_ancestor_of(value.parent_region):
            continue
        if trips is None:
            if not isinstance(loop, scf.ForOp):
                continue
            b = Builder.before(loop)
            predicate = IntegerAttr(UNSIGNED_LESS if loop.unsigned_cmp else LESS, t.I64)
            runs = b.insert(arith.CmpIOp(loop.operands[:2], (t.I1,), None, {"predicate": predicate}))
            value = b.insert(arith.SelectOp((runs.results[0], value, init), (own.type,))).results[0]
        result.replace_all_uses_with(value)
        end.value = own
        unrolled += 1
    return unrolled


def unroll_by_two(loop: Operation) -> bool:
    """Unroll a loop by two; False if that is not possible."""
    return isinstance(loop, scf.ForOp) and unroll(loop)


def turns(loop: CountedLoopOp) -> int:
    """The period of the permutation of the iter_args' buffers, if new values reuse dead buffers; 1 if they stay."""
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
    # a chain that ends at a dead iter_arg closes there: the new value at its start reuses that buffer
    for start in sorted(goes_on, key=lambda i: i in goes_on.values()):
        length = 0
        at: int | None = start
        while at is not None and at not in seen:
            seen.add(at)
            at, length = goes_on.get(at), length + 1
        times = lcm(times, max(length, 1))
    return times


def _begins_as(value: Value) -> Value:
    """The first value of the buffer of a tensor, within one block."""
    while isinstance(value, OpResult):
        sources = shared_by(value)
        if len(sources) != 1 or sources[0].type is not value.type:
            break
        value = sources[0]
    return value


def unroll(loop: scf.ForOp, times: int = 2) -> bool:
    """Unroll a loop; False if its bounds are unknown, or its body is too long. O(times * body)."""
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
    _repeat_body(loop, ops, last, times, step)
    for of_result, value in zip(uses, handed, strict=True):
        for use in of_result:
            use.value = value
    loop.op_operands[2].value = longer
    return True


def _unroll_unknown(loop: scf.ForOp, times: int) -> bool:
    """Unroll a loop with dynamic trip count, non-negative lower bound and constant step."""
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

    before = Builder.before(loop)

    def compute(kind: type[Operation], one: Value, other: Value) -> Value:
        return makers.binary(before, kind, one, other)

    zero, turn = _number(before, counter, 0), _number(before, counter, times)
    first = loop.op_operands[0].value
    distance = compute(arith.SubIOp, compute(arith.MaxSIOp, loop.op_operands[1].value, first), first)
    runs = compute(arith.CeilDivSIOp, distance, loop.step)
    left = compute(arith.RemUIOp, runs, turn)
    paired = compute(arith.SubIOp, runs, left)
    end = compute(arith.AddIOp, first, compute(arith.MulIOp, paired, loop.step))
    longer = _number(before, counter, times * step)

    wanted = [value for value, used in zip(loop.results, uses, strict=True) if used]

    def run_left(b: Builder, done: int, values: list[Value]) -> list[Value]:
        """Emit the remaining iterations except the first `done`. Returns the yielded values that are used."""
        unless, predicate = (zero, NOT_EQUAL) if not done else (_number(b, counter, done), GREATER)
        test = arith.CmpIOp((left, unless), (t.I1,), None, {"predicate": IntegerAttr(predicate, t.I64)})
        choice = b.insert(scf.IfOp(b.insert(test).results, [value.type for value in wanted], regions=2))
        for region in choice.regions:
            region.append(Block())
        once, otherwise = (Builder.at_end(region.entry) for region in choice.regions)
        at = end
        if done:
            at = once.insert(
                arith.AddIOp((end, _number(once, counter, done * step)), (counter.type,))
            ).results[0]
        handed = _written_again(ops, once, dict(zip(arguments, [at, *values], strict=True)), last)
        is_last = done + 2 >= times
        again = [handed[v.index] for v in wanted] if is_last else run_left(once, done + 1, handed)
        once.insert(scf.YieldOp(again, ()))
        otherwise.insert(scf.YieldOp([values[value.index] for value in wanted], ()))
        return list(choice.results)

    chosen = run_left(Builder.after(loop), 0, list(loop.results))
    _repeat_body(loop, ops, last, times, step)
    for old, value in zip(wanted, chosen, strict=True):
        for use in uses[old.index]:
            use.value = value
    loop.op_operands[1].value = end
    loop.op_operands[2].value = longer
    return True


def _repeat_body(loop: CountedLoopOp, ops: list[Operation], last: Operation, times: int, step: int) -> None:
    """Run the body, `ops` without its terminator, `times` times per iteration."""
    inside, counter = Builder.before(last), loop.induction_variable
    yielded: list[Value] = list(last.operands)
    for number in range(1, times):
        following = makers.binary(inside, arith.AddIOp, counter, _number(inside, counter, number * step))
        mapping: dict[Value, Value] = dict(zip(loop.region_iter_args, yielded, strict=True))
        yielded = _written_again(ops, inside, {**mapping, counter: following}, last)
    for use, value in zip(last.op_operands, yielded, strict=True):
        use.value = value


def _written_again(
    ops: list[Operation], b: Builder, mapping: dict[Value, Value], last: Operation
) -> list[Value]:
    """Clone the operations of a body with these values for its arguments. Returns the operands of `last`."""
    copied: dict[Value, Value] = {}
    clones = [op.clone(copied) for op in ops]
    for clone in clones:
        for op in clone.walk():
            for use in op.op_operands:
                use.value = mapping.get(use.value, use.value)
        b.insert(clone)
    return [copied.get(use.value, mapping.get(use.value, use.value)) for use in last.op_operands]


def _number(b: Builder, like: Value, number: int) -> Value:
    """A constant of the type of `like`, an index or integer."""
    assert isinstance(like.type, t.IndexType | t.IntegerType)
    return makers.constant(b, number, like.type)


# An `scf.while` that swaps its buffers runs its body twice per iteration; a flag says after which of the two it exits:
#
#     %r:2 = scf.while (%u = %a, %v = %b) {                %q:3 = scf.while (%u = %a, %v = %b) {
#       %c = ... %u                                          %c = ... %u
#       scf.condition(%c) %u, %v                             %s:3 = scf.if %c {
#     } do {                                                   %w = f %u into %v                  // the first time
#     ^bb0(%u, %v):                                            %d = ... %w
#       %w = f %u into %v                                      scf.yield %d, %u, %w
#       scf.yield %w, %u                          =>         } else { scf.yield %false, %u, %v }
#     }                                                      scf.condition(%s#0) %s#1, %s#2, %c
#                                                          } do {
#                                                          ^bb0(%v, %u, %_):                     // exchanged
#                                                            %w = f %u into %v
#                                                            scf.yield %w, %u
#                                                          }
#                                                          %r#0 = arith.select %q#2, %q#1, %q#0, and the reverse
#
# Conditions and bodies run in the same order as before.


def unroll_while(loop: Operation) -> bool:
    """Run the body of a loop twice per iteration if it swaps two of its buffers; False if it does not."""
    if not isinstance(loop, scf.WhileOp) or sum(1 for _ in loop.walk()) > MAX_BODY:
        return False
    before, after = (region.entry for region in loop.regions)
    condition, end = before.last_op, after.last_op
    slots = _exchanged(loop)
    if slots is None or condition is None or end is None:
        return False
    tests, body = ([op for op in block if op is not block.last_op] for block in (before, after))
    first, *forwarded = condition.operands
    inner = Builder.before(condition)
    choice = inner.insert(scf.IfOp([first], [t.I1, *(value.type for value in forwarded)], regions=2))
    for region in choice.regions:
        region.append(Block())
    once, otherwise = (Builder.at_end(region.entry) for region in choice.regions)
    state = _written_again(body, once, dict(zip(after.args, forwarded, strict=True)), end)
    again, *then = _written_again(tests, once, dict(zip(before.args, state, strict=True)), condition)
    once.insert(scf.YieldOp([again, *(then[slot] for slot in slots)], ()))
    never = otherwise.insert(arith.ConstantOp((), (t.I1,), None, {"value": IntegerAttr(0, t.I1)}))
    otherwise.insert(scf.YieldOp([never.results[0], *forwarded], ()))
    inner.insert(scf.ConditionOp([*choice.results, first], ()))
    condition.erase()

    uses = [list(argument.uses) for argument in after.args]
    for slot, of_argument in zip(slots, uses, strict=True):
        for use in of_argument:
            use.value = after.args[slot]
    after.add_argument(t.I1)
    twice = scf.WhileOp(loop.operands, [*loop.result_types, t.I1], regions=2, where=loop.where)
    for region, moved in zip(twice.regions, loop.regions, strict=True):
        region.take_blocks(moved)
    outer = Builder.before(loop)
    outer.insert(twice)
    *left, flag = twice.results
    results: list[Value] = []
    for own, slot in zip(left, slots, strict=True):
        other = left[slot]
        is_same = own is other or not loop.results[own.index].has_uses
        results.append(
            own if is_same else outer.insert(arith.SelectOp((flag, other, own), (own.type,))).results[0]
        )
    loop.replace_with(results)
    return True


def _exchanged(loop: scf.WhileOp) -> list[int] | None:
    """For each value that the condition forwards, the one in whose buffer it is after another iteration; None if all stay.

    New tensors go to the remaining buffers. Only pairs that are swapped are followed.
    """
    before, after = (region.entry for region in loop.regions)
    condition, end = before.last_op, after.last_op
    if condition is None or end is None:
        return None
    starts: dict[Value, int] = {value: i for i, value in enumerate(before.args)}
    forwarded = condition.operands[1:]
    carried = {j: starts[v] for j, v in enumerate(forwarded) if t.is_tensor(v.type) and v in starts}
    if len(set(carried.values())) < len(carried):
        return None
    at: dict[Value, int] = {after.args[j]: j for j in carried}
    slots: dict[int, int] = {}
    for j, i in carried.items():
        begun = at.get(_begins_as(end.operands[i]))
        if begun is not None and begun not in slots.values():
            slots[j] = begun
    for j in carried:
        if j not in slots:
            free = (k for k in (j, *carried) if k not in slots.values())
            slots[j] = next((k for k in free if after.args[k].type is after.args[j].type), -1)
    every = [slots.get(j, j) for j in range(len(forwarded))]
    if every == list(range(len(every))) or any(
        k < 0 or every[k] != j or after.args[k].type is not after.args[j].type for j, k in enumerate(every)
    ):
        return None
    return every
