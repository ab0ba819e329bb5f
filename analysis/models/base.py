"""Base class of models: how an operation would read, write and alias buffers, with defaults for branches and loops.

A *model* belongs to an operation name. Asked about a tensor operand of the operation, or about a value the operation
owns (a result, or an argument of one of its blocks), it says

* whether the buffer of the operand is read, and whether it is written;
* which values would alias the operand if no copy were made: *equivalent* ones are the very same buffer (same
  offset, sizes and strides), others merely overlap; a *definite* alias always is, another only sometimes;
* whether the operand must keep its buffer, whatever is decided elsewhere;
* whether a value may be written at all, and whether a result defines contents of its own.

Names and answers follow MLIR's BufferizableOpInterface. A model says what an operation does, never what should be
decided. It may ask the `ModelContext` about values: equivalence found so far, whether something is read later.

An operation without a model is *unknown*: it may read and write every tensor it is given, and its results may
alias all of them.
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
from ...ir.types import types as t

if TYPE_CHECKING:
    from ...ir.source.diagnostics import Diagnostic
    from ...semantics.boxes import BoxPart


TENSOR_TYPES = (t.RankedTensorType, t.UnrankedTensorType, t.TensorLikeType)


def is_tensor(value: Value) -> bool:
    return isinstance(value.type, TENSOR_TYPES)


def is_elementwise_on_tensors(op: Operation) -> bool:
    """Whether an operation applies to each element of ranked tensors what it applies to scalars."""
    return op.has_trait(tr.ELEMENTWISE) and any(
        isinstance(type, t.RankedTensorType) for type in op.operand_types
    )


class AliasingValue(NamedTuple):
    """A value that shares memory with an operand if the operand is kept in place."""

    value: Value
    equivalent: bool = True
    definite: bool = True


class AliasingOperand(NamedTuple):
    """The other direction: an operand whose buffer a value may share."""

    operand: OpOperand
    equivalent: bool = True
    definite: bool = True


NOWHERE: Mapping[int, BoxPart] = MappingProxyType({})
"""No argument."""


class CalleeSummary(NamedTuple):
    """What is known of a function that was analysed, by argument and result position.

    Attributes:
        aliasing: for each argument, the results that may share its buffer, in order.
        equivalent: for each result that is the buffer of an argument, that argument.
        read, written: the arguments whose buffers the function reads or writes.
        sources: the other way round: for each result the arguments whose buffer it may share, in order.
        sharing: groups of results that may share memory with each other.
        read_only: the results that may be memory of the callee that nobody may write, such as constants.
        read_parts, written_parts: for arguments of which only a part is, a box that holds it. With `compare-parts` only.
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
    """What a model may ask."""

    @property
    def mirrored(self) -> frozenset[Defect]:
        """The defects of mlir-opt 22 that are mirrored."""
        ...

    @property
    def allows_return_allocs_from_loops(self) -> bool: ...

    def are_equivalent(self, a: Value, b: Value) -> bool:
        """Whether two values are known to be the same buffer. Grows as decisions are made."""
        ...

    def is_value_read(self, value: Value) -> bool:
        """Whether some use of `value`, or of a view of it, reads. Does not depend on decisions."""
        ...

    def callee(self, call: Operation) -> CalleeSummary | None:
        """What is known of the function that `call` calls; None if it was not analysed."""
        ...

    def branches_to(self, block: Block) -> Sequence[BranchOp]:
        """The branches that lead to a block, each once, in the order of the text."""
        ...


class Model:
    """The usual answers; models override what differs. Models have no state: one instance serves all operations."""

    supports_multiple_blocks = False
    """Whether regions of the operation may hold more than one block."""
    runs_in_text_order = False
    """Whether what its regions hold runs in the order of the text, although they are declared to have no order."""
    makes_copies = True
    """Whether an operand that may not keep its buffer gets a copy at the operation; if not, what it writes is decided first."""

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        """Whether the contents of the operand's buffer are read."""
        return True

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        """Whether the operand's buffer is written, if it is kept in place."""
        return False

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        """The values that share memory with the operand, if it is kept in place."""
        return ()

    def aliasing_operands(self, value: Value, context: ModelContext) -> Sequence[AliasingOperand]:
        """The operands whose buffers `value`, owned by the operation, may share.

        By default the inverse of `aliasing_values`. O(operands that may).
        """
        found: list[AliasingOperand] = []
        for operand in self.operands_that_may_alias(value, context):
            if is_tensor(operand.value):
                for alias in self.aliasing_values(operand, context):
                    if alias.value is value:
                        found.append(AliasingOperand(operand, alias.equivalent, alias.definite))
        return found

    def operands_that_may_alias(self, value: Value, context: ModelContext) -> Sequence[OpOperand]:
        """A superset of the operands that have `value` among their aliasing values, in order; by default all.

        Models that know better save operations with thousands of operands from looking at all of them for each result.
        """
        return owner_of(value).op_operands

    def must_be_in_place(self, operand: OpOperand, context: ModelContext) -> bool:
        """Whether the operand cannot be copied. Unranked tensors cannot: nobody knows their size; nor those of other dialects."""
        return isinstance(operand.value.type, (t.UnrankedTensorType, t.TensorLikeType))

    def is_writable(self, value: Value, context: ModelContext) -> bool:
        """Whether the buffer of `value`, owned by the operation, may be written."""
        return isinstance(value, OpResult)

    def not_writable_reason(self, value: Value) -> str:
        """Why `is_writable` says no, as the end of a sentence that begins with the value."""
        return "may not be written"

    def defines(self, result: OpResult, context: ModelContext) -> bool | None:
        """Whether the result gives a buffer new contents; None: as its aliasing operands say (`definitions`)."""
        return None

    def allocates(self, result: OpResult) -> bool:
        """Whether the result may be a buffer of its own although it has aliasing operands or none."""
        return False

    def copies(self, op: Operation) -> bool:
        """Whether a buffer that the operation allocates starts as a copy of one of its tensor operands."""
        return False

    def global_loaded(self, op: Operation) -> object | None:
        """The symbol of the global whose own buffer the operation yields; None of all others."""
        return None

    def global_stored(self, op: Operation) -> object | None:
        """The symbol of the global that the operation overwrites; None of all others."""
        return None

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        """Whether the region may run more than once each time the operation runs."""
        from ...ir.program.interfaces import RegionBranchOp

        op = region.parent_op
        return isinstance(op, RegionBranchOp) and op.is_repetitive(region)

    def is_parallel(self, region: Region, context: ModelContext) -> bool:
        """Whether several executions of the region may be under way at once."""
        return False

    def defines_by_element(self, op: Operation, context: ModelContext) -> bool:
        """Whether what is done to tensors inside of `op` can come between two elements of one of its results."""
        return False

    def is_elementwise(self, op: Operation, operands: Sequence[OpOperand], context: ModelContext) -> bool:
        """Whether each element is read before it is written, if all these operands are one buffer."""
        return False

    def is_not_conflicting(self, read: OpOperand, write: OpOperand, context: ModelContext) -> bool:
        """Whether the operation, which owns one of the two, knows that they do not disturb each other."""
        return False

    def has_tensor_semantics(self, op: Operation) -> bool:
        return has_tensor_semantics(op)

    def refusal(self, op: Operation) -> str | None:
        """Why the analysis does not take the operation at all, whatever is decided; None if it does."""
        return None

    def may_lose_data_in_reference(self, op: Operation, context: ModelContext) -> bool:
        """Whether mlir-opt 22 knows too little of the operation, so that what it decides around it may be unsound."""
        return False

    def verify(self, op: Operation, context: ModelContext) -> list[Diagnostic]:
        """What cannot be bufferized after all decisions have been made."""
        return []


def stored_globals(ops: Iterable[Operation], model_of: Callable[[Operation], Model | None]) -> set[object]:
    """The symbols of the globals that some of `ops` overwrites. O(ops)."""
    found: set[object] = set()
    for op in ops:
        model = model_of(op)
        if model is not None:
            found.add(model.global_stored(op))
    return found - {None}


def owner_of(value: Value) -> Operation:
    """The operation that defines `value`, or holds the block it is an argument of."""
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
    """What an operand of an unknown operation may alias: each result, each argument of a region's entry."""
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


# Destination-style operations: every tensor result takes the buffer of an init, which is what is written.


class DestinationStyleModel(Model):
    """Inits are written and equivalent to their results; inputs alias nothing; everything is read."""

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
    assert isinstance(op, DestinationStyleOp), f"{op.name} is no destination-style operation"
    inits = op.dps_inits()
    position = operand.index - inits[0].index if inits else -1  # they stand side by side
    return 0 <= position < len(inits) and inits[position] is operand


# Regions that run once for each element: what all operations that have one say of it.
#
# The body of a structured operation, of `tensor.generate` and of `tensor.pad` is the body of a loop: what one element
# leaves behind in a tensor from outside, the next element would read. The elements have no order among themselves, so
# their runs also count as being under way at once: none may write a buffer that another one can see, not even one whose
# contents nobody set.
#
# mlir-opt 22 takes such a region to run once, and lets its body overwrite tensors from outside. That is mirrored on
# request only.


class PerElementModel(Model):
    """An operation whose regions run for each element of what it makes."""

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        return ELEMENTS not in context.mirrored

    def is_parallel(self, region: Region, context: ModelContext) -> bool:
        return ELEMENTS not in context.mirrored

    def defines_by_element(self, op: Operation, context: ModelContext) -> bool:
        return self.may_lose_data_in_reference(op, context) and any(
            self.is_repetitive(region, context) for region in op.regions
        )

    def may_lose_data_in_reference(self, op: Operation, context: ModelContext) -> bool:
        """Whether the body does anything with tensors, or may do so deeper inside. O(body, without what is nested)."""
        return any(
            inner.regions or any(isinstance(value.type, TENSOR_TYPES) for value in inner.operands)
            for region in op.regions
            for block in region
            for inner in block
        )


# Values forwarded without a choice or by branches: out of a region that runs once, and to arguments of blocks.


class SingleRegionModel(Model):
    """Runs its only region, of one block, once: each result is what the region yields."""

    def aliasing_operands(self, value: Value, context: ModelContext) -> Sequence[AliasingOperand]:
        assert isinstance(value, OpResult)
        last = value.owner.regions[0].entry.last_op
        assert last is not None
        return (AliasingOperand(last.op_operands[value.index]),)

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        return False


class SingleYieldModel(Model):
    """Ends the region of such an operation; what it yields stays where it is."""

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        parent = operand.owner.parent_op
        assert parent is not None
        return (AliasingValue(parent.results[operand.index]),)

    def must_be_in_place(self, operand: OpOperand, context: ModelContext) -> bool:
        return True


def incoming_operands(arg: BlockArgument, context: ModelContext) -> list[AliasingOperand]:
    """The branch operands passed to `arg`; none for an entry block.

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
    """The block argument that a branch passes `operand` to; None for an operand that is not forwarded."""
    branch = operand.owner
    assert isinstance(branch, BranchOp)
    for i, block in enumerate(branch.successors):
        produced = branch.produced_operand_count(i)
        for position, passed in enumerate(branch.successor_operands(i)):
            if passed is operand:
                return block.args[produced + position]
    return None


# What models of loops have in common: what is forwarded, and whether it is copied. Whatever the dialect.


class CarriedCopy(Enum):
    """Whether a loop copies what it forwards: as its memory demands, in any case, or not at all.

    `IF_NEEDED_UNSEEN` is `IF_NEEDED` where mlir-opt 22 never copies, `ALWAYS_UNLESS_COMPARED` where it always does: it is as memory
    demands with `compare-parts` only. See `one_shot/loop_copies.py`.
    """

    IF_NEEDED = auto()
    IF_NEEDED_UNSEEN = auto()
    ALWAYS_UNLESS_COMPARED = auto()
    NEVER = auto()


class LoopCarried(NamedTuple):
    """A tensor that one iteration of a loop forwards, to the next one or out.

    Attributes:
        operand: of the terminator.
        body: the region that it leaves.
        own: the argument of the region whose buffer it usually is.
        fresh: the arguments of the region that are new buffers in each iteration.
        receivers: the values it becomes.
        copied: whether it is copied.
    """

    operand: OpOperand
    body: Region
    own: BlockArgument | None
    fresh: Set[BlockArgument]
    receivers: tuple[Value, ...]
    copied: CarriedCopy


class LoopModel(Model):
    """What all loops with carried tensors have in common."""

    def loop_carried(self, loop: Operation, context: ModelContext) -> Iterator[LoopCarried]:
        """The tensors that iterations forward. O(operands of the terminators)."""
        return iter(())

    def entries(self, loop: Operation) -> Iterator[tuple[OpOperand, tuple[Value, ...]]]:
        """The operands that a loop only passes to its first iteration, and the values they become."""
        return iter(())

    def first_init(self, loop: Operation) -> int:
        """The index of the operand that the first result comes from; those of other results follow in order."""
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
