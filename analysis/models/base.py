"""Base class of bufferization models: which buffers an operation reads, writes and aliases.

A *model* belongs to an operation name. For a tensor operand of the operation, or for a value the operation owns (a
result, or an argument of one of its blocks), it answers

* whether the operand's buffer is read, and whether it is written;
* which values would alias the operand if no copy were made: an *equivalent* value is the very same buffer (same
  offset, sizes and strides), any other merely overlaps; a *definite* alias aliases always, any other only
  sometimes;
* whether the operand must be bufferized in place, whatever is decided elsewhere;
* whether a value is writable at all, and whether a result is a definition of its own.

Names and answers follow MLIR's BufferizableOpInterface. A model describes the operation and never decides. It may
query the `ModelContext` about values: the equivalences found so far, and whether a value is read later.

An operation without a model is *unknown*: it may read and write each of its tensor operands, and each of its
results may alias all of them.

The defaults for destination-style operations, per-element regions, branches and loops are below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from enum import Enum, auto
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ...ir.defects import ELEMENTS, SEVERAL_EDGES, Defect
from ...ir.program import traits as tr
from ...ir.program.core import Block, BlockArgument, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import BranchOp, DestinationStyleOp
from ...ir.source.diagnostics import expect, present
from ...ir.types import types as t

if TYPE_CHECKING:
    from ...ir.source.diagnostics import Diagnostic
    from ...semantics.boxes import BoxPart


TENSOR_TYPES = (t.RankedTensorType, t.UnrankedTensorType, t.TensorLikeType)


def is_tensor(value: Value) -> bool:
    return isinstance(value.type, TENSOR_TYPES)


def is_elementwise_on_tensors(op: Operation) -> bool:
    """Whether the operation applies a scalar operation to each element of ranked tensors."""
    return op.has_trait(tr.ELEMENTWISE) and any(
        isinstance(type, t.RankedTensorType) for type in op.operand_types
    )


class AliasingValue(NamedTuple):
    """A value that aliases an operand if the operand is bufferized in place."""

    value: Value
    equivalent: bool = True
    definite: bool = True


class AliasingOperand(NamedTuple):
    """An operand that a value may alias: the inverse of `AliasingValue`."""

    operand: OpOperand
    equivalent: bool = True
    definite: bool = True


NOWHERE: Mapping[int, BoxPart] = MappingProxyType({})
"""The empty mapping from argument positions to slices."""


class CalleeSummary(NamedTuple):
    """The summary of an analysed function, by argument and result position.

    Attributes:
        aliasing: for each argument, the results that may alias it, in order.
        equivalent: for each result that is the buffer of an argument, that argument.
        read, written: the arguments whose buffers the function reads or writes.
        sources: the inverse of `aliasing`: for each result the arguments it may alias, in order.
        sharing: groups of results that may alias each other.
        read_only: the results that may be read-only memory of the callee, such as constants.
        read_parts, written_parts: for an argument that is read or written only in part, a box that encloses the
            accessed elements. Filled with `compare-parts` only.
    """

    aliasing: dict[int, tuple[int, ...]]
    equivalent: dict[int, int]
    read: frozenset[int]
    written: frozenset[int]
    sources: dict[int, tuple[int, ...]]
    sharing: tuple[tuple[int, ...], ...] = ()
    read_only: frozenset[int] = frozenset()
    read_parts: Mapping[int, BoxPart] = NOWHERE
    written_parts: Mapping[int, BoxPart] = NOWHERE


class ModelContext(Protocol):
    """The queries a model may make."""

    @property
    def mirrored(self) -> frozenset[Defect]:
        """The defects of mlir-opt 22 that this run reproduces."""
        ...

    @property
    def allows_return_allocs_from_loops(self) -> bool: ...

    def are_equivalent(self, a: Value, b: Value) -> bool:
        """Whether two values are known to be the same buffer. Grows monotonically as decisions are made."""
        ...

    def is_value_read(self, value: Value) -> bool:
        """Whether some use of `value`, or of a view of it, reads. Independent of the decisions made."""
        ...

    def callee(self, call: Operation) -> CalleeSummary | None:
        """The summary of the callee of `call`; None if the callee was not analysed."""
        ...

    def branches_to(self, block: Block) -> Sequence[BranchOp]:
        """The branches to a block, each once, in textual order."""
        ...


class Model:
    """The default answers, for subclasses to override. Models are stateless: one instance serves all operations."""

    supports_multiple_blocks = False
    """Whether the operation's regions may have more than one block."""
    runs_in_text_order = False
    """Whether the operations of its regions run in textual order although the regions are declared as graph
    regions."""
    makes_copies = True
    """Whether an out-of-place operand is copied before the operation. If not, operands that are written are
    decided first."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        """Whether the contents of the operand's buffer are read."""
        return True

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        """Whether the operand's buffer is written if it is bufferized in place."""
        return False

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        """The values that alias the operand if it is bufferized in place."""
        return ()

    def aliasing_operands(self, value: Value, context: ModelContext) -> Sequence[AliasingOperand]:
        """The operands that `value`, which the operation owns, may alias.

        By default the inverse of `aliasing_values`. O(operands that may alias).
        """
        found: list[AliasingOperand] = []
        for operand in self.operands_that_may_alias(value, context):
            if is_tensor(operand.value):
                for alias in self.aliasing_values(operand, context):
                    if alias.value is value:
                        found.append(AliasingOperand(operand, alias.equivalent, alias.definite))
        return found

    def operands_that_may_alias(self, value: Value, context: ModelContext) -> Sequence[OpOperand]:
        """A superset, in order, of the operands that have `value` among their aliasing values; by default all
        operands.

        An override spares operations with thousands of operands a scan of all operands for each result.
        """
        return owner_of(value).op_operands

    def must_be_in_place(self, operand: OpOperand, context: ModelContext) -> bool:
        """Whether the operand cannot be copied: an unranked tensor has no known size, nor has a tensor-like type
        of another dialect."""
        return isinstance(operand.value.type, (t.UnrankedTensorType, t.TensorLikeType))

    def is_writable(self, value: Value, context: ModelContext) -> bool:
        """Whether the buffer of `value`, owned by the operation, may be written."""
        return isinstance(value, OpResult)

    def not_writable_reason(self, value: Value) -> str:
        """Why `is_writable` says no, as the end of a sentence that begins with the value."""
        return "may not be written"

    def defines(self, result: OpResult, context: ModelContext) -> bool | None:
        """Whether the result is a definition; None if that follows from its aliasing operands (see `definitions`)."""
        return None

    def allocates(self, result: OpResult) -> bool:
        """Whether the result may be a newly allocated buffer, with or without aliasing operands."""
        return False

    def copies(self, op: Operation) -> bool:
        """Whether a buffer that the operation allocates is initialized with a copy of one of its tensor operands."""
        return False

    def global_loaded(self, op: Operation) -> object | None:
        """The symbol of the global whose buffer the operation yields; None for every other operation."""
        return None

    def global_stored(self, op: Operation) -> object | None:
        """The symbol of the global that the operation overwrites; None for every other operation."""
        return None

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        """Whether the region may run more than once each time the operation runs."""
        from ...ir.program.interfaces import RegionBranchOp

        op = region.parent_op
        return isinstance(op, RegionBranchOp) and op.is_repetitive(region)

    def is_parallel(self, region: Region, context: ModelContext) -> bool:
        """Whether several executions of the region may run concurrently."""
        return False

    def defines_by_element(self, op: Operation, context: ModelContext) -> bool:
        """Whether tensor accesses nested in `op` may be interleaved with the computation of one result's elements."""
        return False

    def is_elementwise(self, op: Operation, operands: Sequence[OpOperand], context: ModelContext) -> bool:
        """Whether each element is read before it is written when all these operands share one buffer."""
        return False

    def is_not_conflicting(self, read: OpOperand, write: OpOperand, context: ModelContext) -> bool:
        """Whether the operation, which owns one of the two operands, rules out a conflict between them."""
        return False

    def has_tensor_semantics(self, op: Operation) -> bool:
        return has_tensor_semantics(op)

    def refusal(self, op: Operation) -> str | None:
        """Why the analysis rejects the operation regardless of any decision; None if it accepts it."""
        return None

    def may_lose_data_in_reference(self, op: Operation, context: ModelContext) -> bool:
        """Whether mlir-opt 22 models the operation too weakly, so that its decisions around it may be unsound."""
        return False

    def verify(self, op: Operation, context: ModelContext) -> list[Diagnostic]:
        """Diagnostics for what still cannot be bufferized once all decisions have been made."""
        return []


def stored_globals(ops: Iterable[Operation], model_of: Callable[[Operation], Model | None]) -> set[object]:
    """The symbols of the globals that one of `ops` overwrites. O(ops)."""
    found: set[object] = set()
    for op in ops:
        model = model_of(op)
        if model is not None:
            found.add(model.global_stored(op))
    return found - {None}


def owner_of(value: Value) -> Operation:
    """The operation that defines `value` or, for a block argument, the operation that holds the block."""
    if isinstance(value, OpResult):
        return value.owner
    assert isinstance(value, BlockArgument)
    op = value.owner.parent_op
    assert op is not None, "a block outside of any operation"
    return op


def has_tensor_semantics(op: Operation) -> bool:
    """Whether an operand, a result or a block argument is a tensor. O(operands + results + block arguments)."""
    for operand in op.op_operands:
        if isinstance(operand._value.type, TENSOR_TYPES):
            return True
    for result in op.results:
        if isinstance(result.type, TENSOR_TYPES):
            return True
    if not op.regions:
        return False
    return any(is_tensor(arg) for region in op.regions for block in region for arg in block.args)


def unknown_aliasing_values(operand: OpOperand) -> list[AliasingValue]:
    """The values that an operand of an unknown operation may alias: each result and each entry block argument."""
    op = operand.owner
    found = [AliasingValue(result, False, False) for result in op.results if is_tensor(result)]
    for region in op.regions:
        if region.first_block is not None:
            found += [AliasingValue(arg, False, False) for arg in region.first_block.args if is_tensor(arg)]
    return found


def unknown_aliasing_operands(value: Value) -> list[AliasingOperand]:
    """The inverse of `unknown_aliasing_values`."""
    if isinstance(value, BlockArgument) and not value.owner.is_entry:
        return []
    return [AliasingOperand(use, False, False) for use in owner_of(value).op_operands if is_tensor(use.value)]


# Destination-style operations: every tensor result takes the buffer of an init, and only inits are written.


class OutOfPlaceModel(Model):
    """Reads its operands; its results are new buffers."""

    def allocates(self, result: OpResult) -> bool:
        return True


class DestinationStyleModel(Model):
    """Inits are written and equivalent to their results; inputs alias nothing; every operand is read."""

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        return is_init(operand)

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        op = operand.owner
        if not op.results or not is_init(operand):
            return ()
        assert isinstance(op, DestinationStyleOp)
        result = op.tied_result(operand)
        return () if result is None else (AliasingValue(result),)

    def operands_that_may_alias(self, value: Value, context: ModelContext) -> Sequence[OpOperand]:
        op = owner_of(value)
        if not isinstance(value, OpResult) or not isinstance(op, DestinationStyleOp):
            return ()
        inits = op.dps_inits()
        return (inits[value.index],) if len(inits) == len(op.results) else inits


def is_init(operand: OpOperand) -> bool:
    op = operand.owner
    assert isinstance(op, DestinationStyleOp), f"{op.name} is not a destination-style operation"
    inits = op.dps_inits()
    position = operand.index - inits[0].index if inits else -1  # the inits are consecutive operands
    return 0 <= position < len(inits) and inits[position] is operand


# Regions that run once for each element. The body of a structured operation, of `tensor.generate` and of `tensor.pad`
# is a loop body: an iteration for one element may read what the iteration for another left in an outer tensor. The
# elements are unordered, so the iterations also count as concurrent: none may write a buffer that another one can see,
# even one with undefined contents. mlir-opt 22 assumes that such a region runs once, and lets its body overwrite outer
# tensors; we do so on request only.


class PerElementModel(Model):
    """An operation whose regions run once for each element of its results."""

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        return ELEMENTS not in context.mirrored

    def is_parallel(self, region: Region, context: ModelContext) -> bool:
        return ELEMENTS not in context.mirrored

    def defines_by_element(self, op: Operation, context: ModelContext) -> bool:
        return self.may_lose_data_in_reference(op, context) and any(
            self.is_repetitive(region, context) for region in op.regions
        )

    def may_lose_data_in_reference(self, op: Operation, context: ModelContext) -> bool:
        """Whether the body uses tensors, or a nested region might. O(operations of the body, not nested)."""
        return any(
            inner.regions or any(isinstance(value.type, TENSOR_TYPES) for value in inner.operands)
            for region in op.regions
            for block in region
            for inner in block
        )


# Values forwarded unconditionally or by branches: out of a region that runs once, and to block arguments.


class SingleRegionModel(Model):
    """Runs its only region, of one block, exactly once: each result is a yielded value."""

    def aliasing_operands(self, value: Value, context: ModelContext) -> Sequence[AliasingOperand]:
        assert isinstance(value, OpResult)
        last = present(value.owner.regions[0].entry.last_op)
        return (AliasingOperand(last.op_operands[value.index]),)

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        return False


class SingleYieldModel(Model):
    """Terminates such a region; yielded values are forwarded in place."""

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        parent = present(operand.owner.parent_op)
        return (AliasingValue(parent.results[operand.index]),)

    def must_be_in_place(self, operand: OpOperand, context: ModelContext) -> bool:
        return True


def incoming_operands(arg: BlockArgument, context: ModelContext) -> list[AliasingOperand]:
    """The branch operands forwarded to `arg`; none for an entry block.

    mlir-opt 22 sees only the first of several edges from one branch to one block.
    """
    if arg.owner.region is None or arg.owner.is_entry:
        return []
    found: list[AliasingOperand] = []
    for branch in context.branches_to(arg.owner):
        operands = branch.argument_operand(arg)
        if SEVERAL_EDGES in context.mirrored:
            operands = operands[:1]
        found += [AliasingOperand(operand, True, False) for operand in operands]
    return found


def target_of(operand: OpOperand) -> BlockArgument | None:
    """The block argument that a branch forwards `operand` to; None for an operand that is not forwarded."""
    branch = expect(BranchOp, operand.owner)
    for i, block in enumerate(branch.successors):
        produced = branch.produced_operand_count(i)
        for position, passed in enumerate(branch.successor_operands(i)):
            if passed is operand:
                return block.args[produced + position]
    return None


# Loops of any dialect: the tensors they carry, and whether those are copied.


class CarriedCopy(Enum):
    """Whether a loop copies the values it carries: if needed, always, or never.

    `IF_NEEDED_UNSEEN` is `IF_NEEDED` where mlir-opt 22 never copies; `ALWAYS_UNLESS_COMPARED` is `ALWAYS` except
    with `compare-parts`, which copies only if needed. See `one_shot/plan.py`.
    """

    IF_NEEDED = auto()
    IF_NEEDED_UNSEEN = auto()
    ALWAYS_UNLESS_COMPARED = auto()
    NEVER = auto()


class LoopCarried(NamedTuple):
    """A tensor that one iteration of a loop forwards to the next iteration or out of the loop.

    Attributes:
        operand: the terminator's operand.
        body: the region that it leaves.
        own: the region argument whose buffer it usually is.
        fresh: the region arguments that are new buffers in each iteration.
        receivers: the values that it becomes.
        copied: whether it is copied.
    """

    operand: OpOperand
    body: Region
    own: BlockArgument | None
    fresh: Set[BlockArgument]
    receivers: tuple[Value, ...]
    copied: CarriedCopy


class LoopModel(Model):
    """The queries common to all loops with loop-carried tensors."""

    def loop_carried(self, loop: Operation, context: ModelContext) -> Iterator[LoopCarried]:
        """The tensors that iterations forward. O(terminator operands)."""
        return iter(())

    def entries(self, loop: Operation) -> Iterator[tuple[OpOperand, tuple[Value, ...]]]:
        """The operands that a loop forwards only to its first iteration, each with the values they become."""
        return iter(())

    def first_init(self, loop: Operation) -> int:
        """The index of the operand that initializes the first result; the inits of further results follow in
        order."""
        return 0

    def operands_that_may_alias(self, value: Value, context: ModelContext) -> Sequence[OpOperand]:
        if not isinstance(value, OpResult):
            return ()
        operands = value.owner.op_operands
        position = self.first_init(value.owner) + value.index
        return operands[position : position + 1]

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        return True

    def is_writable(self, value: Value, context: ModelContext) -> bool:
        return True

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        return True
