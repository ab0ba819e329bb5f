"""Models of scf: loop-carried and yielded values.

Loop-carried buffers are assumed to be written: a loop receives the buffer of its init operand, and the body may
overwrite it. Iteration arguments therefore have no aliasing operand; inside the body they are definitions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...dialects import scf
from ...dialects.common import constant_index
from ...ir.defects import SWITCH_RESULTS, UNSIGNED_LOOPS
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import LoopLikeOp
from ...ir.source.diagnostics import Diagnostic, error, expect, present
from ..causes import stated
from .base import (
    AliasingOperand,
    AliasingValue,
    CarriedCopy,
    LoopCarried,
    LoopModel,
    Model,
    ModelContext,
    incoming_operands,
    is_tensor,
)


def terminator(region: Region) -> Operation:
    return present(region.entry.last_op)


class IfModel(Model):
    """A result aliases the values yielded by the two branches."""

    def aliasing_operands(self, value: Value, context: ModelContext) -> Sequence[AliasingOperand]:
        assert isinstance(value, OpResult)
        return [
            AliasingOperand(terminator(region).op_operands[value.index], True, False)
            for region in value.owner.regions
            if not region.is_empty
        ]


class IndexSwitchModel(Model):
    """A result aliases the values yielded by the cases; the first region is the default."""

    def aliasing_operands(self, value: Value, context: ModelContext) -> Sequence[AliasingOperand]:
        assert isinstance(value, OpResult)
        default, *cases = value.owner.regions
        return [
            AliasingOperand(terminator(region).op_operands[value.index], True, False)
            for region in (*cases, default)
        ]

    def may_lose_data_in_reference(self, op: Operation, context: ModelContext) -> bool:
        return True


class ExecuteRegionModel(Model):
    """A region with its own control flow and a single `scf.yield`."""

    supports_multiple_blocks = True

    def is_writable(self, value: Value, context: ModelContext) -> bool:
        return True

    def aliasing_operands(self, value: Value, context: ModelContext) -> Sequence[AliasingOperand]:
        if not isinstance(value, OpResult):
            return incoming_operands(expect(BlockArgument, value), context)
        leave = unique_yield(value.owner)
        return () if leave is None else (AliasingOperand(leave.op_operands[value.index]),)

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        return False

    def verify(self, op: Operation, context: ModelContext) -> list[Diagnostic]:
        if unique_yield(op) is not None:
            return []
        return [error(f"'{op.name}' op op without unique scf.yield is not supported", op.name_span)]


def unique_yield(op: Operation) -> Operation | None:
    """The only `scf.yield` that leaves the region, or None."""
    ends = [block.last_op for block in op.regions[0]]
    found = [last for last in ends if isinstance(last, scf.YieldOp)]
    return found[0] if len(found) == 1 else None


class YieldModel(Model):
    """A yielded value becomes a result of the enclosing operation.

    For loops, the loop's model answers. mlir-opt 22 omits the aliases of `scf.index_switch`, and misses copies
    there; we do so on request only.
    """

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        parent = present(operand.owner.parent_op)
        if isinstance(parent, scf.ExecuteRegionOp):
            return (AliasingValue(parent.results[operand.index]),)
        if isinstance(parent, scf.IfOp) or (
            isinstance(parent, scf.IndexSwitchOp) and SWITCH_RESULTS not in context.mirrored
        ):
            return (AliasingValue(parent.results[operand.index], True, False),)
        return ()

    def must_be_in_place(self, operand: OpOperand, context: ModelContext) -> bool:
        return True


class ConditionModel(Model):
    """Forwards values from the first region of an `scf.while` to the second, or out."""

    def must_be_in_place(self, operand: OpOperand, context: ModelContext) -> bool:
        return True


class ForModel(LoopModel):
    FIRST_INIT = 3  # lower bound, upper bound, step

    def first_init(self, loop: Operation) -> int:
        return self.FIRST_INIT

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        loop = operand.owner
        lower, upper = constant_index(loop.op_operands[0].value), constant_index(loop.op_operands[1].value)
        if lower is None or upper is None or upper <= lower:
            return True  # with zero iterations the result is the init
        assert isinstance(loop, scf.ForOp)
        if loop.unsigned_cmp and lower < 0 and UNSIGNED_LOOPS not in context.mirrored:
            return True  # assumes a large trip count
        arg = loop.regions[0].entry.args[1 + operand.index - self.FIRST_INIT]
        return context.is_value_read(arg)

    def may_lose_data_in_reference(self, op: Operation, context: ModelContext) -> bool:
        return isinstance(op, scf.ForOp) and op.unsigned_cmp

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        loop = operand.owner
        position = operand.index - self.FIRST_INIT
        same = self.keeps_buffer(loop, position, context)
        return (AliasingValue(loop.results[position], same, same),)

    def entries(self, loop: Operation) -> Iterator[tuple[OpOperand, tuple[Value, ...]]]:
        args = loop.regions[0].entry.args[1:]
        for use, arg, result in zip(loop.op_operands[self.FIRST_INIT :], args, loop.results, strict=True):
            yield use, (arg, result)

    def loop_carried(self, loop: Operation, context: ModelContext) -> Iterator[LoopCarried]:
        body = loop.regions[0]
        for use in terminator(body).op_operands:
            if is_tensor(use.value):
                own = body.entry.args[1 + use.index]
                receivers = (own, loop.results[use.index])
                yield LoopCarried(use, body, own, frozenset(), receivers, CarriedCopy.IF_NEEDED)

    @staticmethod
    def keeps_buffer(loop: Operation, position: int, context: ModelContext) -> bool:
        """Whether each iteration yields the buffer of its own iteration argument."""
        body = loop.regions[0]
        yielded = terminator(body).op_operands[position].value
        return context.are_equivalent(body.entry.args[1 + position], yielded)

    def verify(self, op: Operation, context: ModelContext) -> list[Diagnostic]:
        if context.allows_return_allocs_from_loops:
            return []
        for result in op.results:
            if is_tensor(result) and not self.keeps_buffer(op, result.index, context):
                yielded = terminator(op.regions[0]).op_operands[result.index]
                own = op.regions[0].entry.args[1 + result.index]
                return [not_carried(yielded, own, "Yield operand", result.index)]
        return []


def not_carried(handed: OpOperand, argument: Value, what: str, position: int) -> Diagnostic:
    leave, value = handed.owner, handed.value
    message = f"{what} #{position} is not equivalent to the corresponding iter bbArg"
    found = error(message, leave.name_span, "loop-yields-other-buffer")
    found.derivation = stated(("yields", leave, value), ("not equivalent", value, argument))
    return found


def _argument(region: Region, position: int, handed: OpOperand) -> Value:
    """The region argument whose buffer the value must occupy; the value itself if there is none."""
    args = region.entry.args
    return args[position] if position < len(args) else handed.value


class WhileModel(LoopModel):
    """Both regions repeat; the results come from the condition."""

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        loop, position = operand.owner, operand.index
        if position >= len(loop.results) or operand.value.type is not loop.results[position].type:
            return ()
        same = self.keeps_buffer(loop, position, context)
        return (AliasingValue(loop.results[position], same, same),)

    def entries(self, loop: Operation) -> Iterator[tuple[OpOperand, tuple[Value, ...]]]:
        for use, arg in zip(loop.op_operands, loop.regions[0].entry.args, strict=True):
            yield use, (arg,)

    def loop_carried(self, loop: Operation, context: ModelContext) -> Iterator[LoopCarried]:
        before, after = loop.regions
        fresh: set[BlockArgument] = set()
        for use in terminator(before).op_operands[1:]:
            if is_tensor(use.value):
                i = use.index - 1
                receivers = (after.entry.args[i], loop.results[i])
                own = before.entry.args[i] if i < len(before.entry.args) else None
                if self.keeps_buffer(loop, i, context):
                    copied = CarriedCopy.NEVER
                else:
                    fresh.add(after.entry.args[i])
                    copied = CarriedCopy.ALWAYS_UNLESS_COMPARED
                yield LoopCarried(use, before, own, frozenset(), receivers, copied)
        for use in terminator(after).op_operands:
            if is_tensor(use.value):
                own = after.entry.args[use.index] if use.index < len(after.entry.args) else None
                receivers = (before.entry.args[use.index],)
                yield LoopCarried(use, after, own, fresh, receivers, CarriedCopy.IF_NEEDED_UNSEEN)

    @staticmethod
    def keeps_buffer(loop: Operation, position: int, context: ModelContext) -> bool:
        before, after = loop.regions[0].entry, loop.regions[1].entry
        if (
            position >= min(len(before.args), len(loop.results))
            or before.args[position].type is not loop.results[position].type
        ):
            return False
        condition, leave = terminator(loop.regions[0]), terminator(loop.regions[1])
        if position >= len(leave.op_operands):
            return False
        passed = condition.op_operands[1 + position].value
        yielded = leave.op_operands[position].value
        return context.are_equivalent(before.args[position], passed) and context.are_equivalent(
            after.args[position], yielded
        )

    def verify(self, op: Operation, context: ModelContext) -> list[Diagnostic]:
        if context.allows_return_allocs_from_loops:
            return []
        condition, leave = terminator(op.regions[0]), terminator(op.regions[1])
        passed = self._first_not_carried(op.regions[0].entry, condition.op_operands[1:], context)
        if passed is not None:
            handed = condition.op_operands[1 + passed]
            return [not_carried(handed, _argument(op.regions[0], passed, handed), "Condition arg", passed)]
        yielded = self._first_not_carried(op.regions[1].entry, leave.op_operands, context)
        if yielded is not None:
            handed = leave.op_operands[yielded]
            return [not_carried(handed, _argument(op.regions[1], yielded, handed), "Yield operand", yielded)]
        return []

    @staticmethod
    def _first_not_carried(block: Block, operands: Sequence[OpOperand], context: ModelContext) -> int | None:
        for i, operand in enumerate(operands):
            if is_tensor(operand.value) and (
                i >= len(block.args) or not context.are_equivalent(operand.value, block.args[i])
            ):
                return i
        return None


class ForallModel(LoopModel):
    """Parallel iterations that write disjoint slices of shared outputs. Unwritten elements are kept, so outputs
    are read."""

    def first_init(self, loop: Operation) -> int:
        return len(loop.op_operands) - len(loop.results)

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        loop = operand.owner
        position = operand.index - self.first_init(loop)
        return (AliasingValue(loop.results[position]),)

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        loop = expect(LoopLikeOp, region.parent_op)
        return any(axis.count is None or axis.count > 1 for axis in loop.axes())

    def is_parallel(self, region: Region, context: ModelContext) -> bool:
        return self.is_repetitive(region, context)


class InParallelModel(Model):
    """The terminator of `scf.forall`, without tensor operands of its own. Its nested insertions run sequentially."""

    runs_in_text_order = True

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        return False


MODELS = {
    scf.IfOp: IfModel(),
    scf.IndexSwitchOp: IndexSwitchModel(),
    scf.ExecuteRegionOp: ExecuteRegionModel(),
    scf.YieldOp: YieldModel(),
    scf.ConditionOp: ConditionModel(),
    scf.ForOp: ForModel(),
    scf.WhileOp: WhileModel(),
    scf.ForallOp: ForallModel(),
    scf.InParallelOp: InParallelModel(),
}
