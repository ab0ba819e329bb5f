"""Operation interfaces: memory effects, control flow, views, destinations, calls.

Each interface is a base class without state; a declared operation inherits those it implements. Analyses ask
`isinstance(op, BranchOp)` and call the methods; they never match on operation names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from ..source.diagnostics import expect
from ..source.records import record
from ..types.attributes import StringAttr
from ..types.types import ShapedType, is_tensor
from . import traits as tr
from .core import BlockArgument, Operation, OpOperand, OpResult, Region, Value

if TYPE_CHECKING:
    from ..types.affine_map import AffineMap
    from ..types.attributes import SymbolRefAttr

READ, WRITE, ALLOCATE, FREE = "read", "write", "allocate", "free"

DEFAULT_RESOURCE = "default"
STACK_RESOURCE = "AutomaticAllocationScopeResource"


@record(frozen=True)
class Effect:
    """One memory effect.

    Attributes:
        kind: READ, WRITE, ALLOCATE or FREE.
        value: the affected operand or result; None if any memory of the resource may be affected.
        resource: DEFAULT_RESOURCE, STACK_RESOURCE, or the name of another resource.
    """

    kind: str
    value: Value | None = None
    resource: str = DEFAULT_RESOURCE


class MemoryEffectOp(Operation):
    """An operation that declares its memory effects."""

    def memory_effects(self) -> list[Effect]:
        """The effects of the operation itself, without those of its regions.

        By default those declared on its operands and results (`operand(..., effects=READ)`), as far as these are
        buffers.
        """
        definition = self.definition
        assert definition is not None and definition.effects, f"{self.name} declares no effects"
        return [
            Effect(kind, value)
            for kind, field in definition.effects
            for value in field.members(self)
            if not is_tensor(value.type)
        ]


def is_allocation(value: Value) -> bool:
    """Whether `value` is a buffer that the operation it is a result of allocates."""
    op = value.defining_op
    return isinstance(op, MemoryEffectOp) and any(
        effect.kind == ALLOCATE and effect.value is value for effect in op.memory_effects()
    )


def memory_effects(op: Operation) -> list[Effect] | None:
    """The effects of `op`, including its regions if it has recursive memory effects; None if they are unknown.

    O(operations nested in `op`).
    """
    effects: list[Effect] = []
    pending = [op]
    while pending:
        current = pending.pop()
        known = False
        if isinstance(current, MemoryEffectOp):
            effects.extend(current.memory_effects())
            known = True
        elif current.has_trait(tr.PURE):
            known = True
        if current.has_trait(tr.RECURSIVE_MEMORY_EFFECTS):
            known = True
            pending.extend(nested for region in current.regions for nested in region.ops())
        if not known:
            return None
    return effects


def is_memory_effect_free(op: Operation, known: Mapping[Operation, bool] | None = None) -> bool:
    """Whether `op` is known to have no memory effects, including its regions if it has recursive memory effects.

    Args:
        known: answers for nested operations, which are not visited again.
    """
    if not op.regions and not isinstance(op, MemoryEffectOp):
        return op.has_trait(tr.PURE) or op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS)
    pending = [op]
    while pending:
        current = pending.pop()
        if known and (answer := known.get(current)) is not None:
            if not answer:
                return False
            continue
        recursive = current.has_trait(tr.RECURSIVE_MEMORY_EFFECTS)
        if isinstance(current, MemoryEffectOp):
            if current.memory_effects():
                return False
        elif not recursive and not current.has_trait(tr.PURE):
            return False
        if recursive:
            pending.extend(nested for region in current.regions for nested in region.ops())
    return True


@record(frozen=True)
class Condition:
    """The condition under which control takes one of several edges.

    Attributes:
        value: the operand that decides.
        wanted: the value it must have, as text: `true`, `3`, `default`.
    """

    value: Value
    wanted: str


@record(frozen=True)
class Access:
    """A contiguous box of elements of a memref.

    Attributes:
        base: the memref.
        map: maps `indices` to the position of the first element; None for the identity.
        indices: the operands of `map`, dimensions first.
        shape: the extent in each of the trailing dimensions; empty for a single element.
    """

    base: Value
    map: AffineMap | None
    indices: Sequence[Value]
    shape: tuple[int, ...] = ()

    @staticmethod
    def of_vector(base: Value, map: AffineMap | None, indices: Sequence[Value], vector: Any) -> Access | None:
        """The access to as many elements as a vector of that type has; None if the number is unknown."""
        if vector is expect(ShapedType, base.type).element:
            return Access(base, map, indices)
        return None if any(vector.scalable_dims) else Access(base, map, indices, vector.shape)


class ElementAccessOp(MemoryEffectOp):
    """Reads or writes elements of one memref at an indexed position."""

    def access(self) -> Access | None:
        """A box that covers all elements accessed; None if there is no such box."""
        raise NotImplementedError


class BranchOp(Operation):
    """A terminator that transfers control and forwards values to blocks of its region."""

    def successor_condition(self, index: int) -> Condition | None:
        """The condition for the edge to successor `index`; None if the edge is unconditional or the operation does not
        say.
        """
        return None

    def successor_operands(self, index: int) -> list[OpOperand]:
        """The operands forwarded to the arguments of successor `index`, after the arguments the operation itself
        produces.
        """
        raise NotImplementedError

    def produced_operand_count(self, index: int) -> int:
        """The number of leading arguments of successor `index` that the operation itself produces."""
        return 0

    def argument_operand(self, arg: BlockArgument) -> list[OpOperand]:
        """The operands of this branch that are forwarded to block argument `arg`, one for each edge to its block."""
        found = []
        for i, block in enumerate(self.successors):
            if block is arg.owner:
                position = arg.index - self.produced_operand_count(i)
                operands = self.successor_operands(i)
                if 0 <= position < len(operands):
                    found.append(operands[position])
        return found


@record(frozen=True)
class RegionSuccessor:
    """A successor of a region branch: a region of the operation, or (region None) the point after the operation.

    Attributes:
        region: the region entered, or None for "back to the parent".
        inputs: the values that receive the forwarded operands: the region's entry arguments or the operation's results.
    """

    region: Region | None
    inputs: Sequence[Value]


class RegionBranchOp(Operation):
    """An operation whose regions represent control flow."""

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        """The possible successors from the operation's entry (`source` None) or from the end of region `source`."""
        raise NotImplementedError

    def entry_successor_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        """The operands forwarded from the operation's entry to `successor`."""
        return []

    def entry_condition(self, index: int) -> Condition | None:
        """The condition for the edge from the entry to the `index`-th of `region_successors(None)`; see `Condition`."""
        return None

    def is_repetitive(self, region: Region) -> bool:
        """Whether `region` may run more than once per execution of the operation, that is, is reachable from itself."""
        return self.can_reach(region, region)

    def can_reach(self, source: Region, target: Region) -> bool:
        """Whether control may flow from the end of region `source` into region `target` within one execution."""
        seen: list[Region] = []
        pending = [s.region for s in self.region_successors(source)]
        while pending:
            current = pending.pop()
            if current is target:
                return True
            if current is not None and current not in seen:
                seen.append(current)
                pending.extend(s.region for s in self.region_successors(current))
        return False


class RegionBranchTerminatorOp(Operation):
    """A terminator that leaves its region for a successor that the enclosing operation determines."""

    def forwarded_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        """The operands forwarded to `successor`; all of them unless overridden."""
        return list(self.op_operands)


class InParallelOpInterface(Operation):
    """Ends an iteration of a parallel loop: contains the insertions into the outputs that the iterations share."""


def leaves_region(op: Operation) -> bool:
    """Whether `op` leaves its region and forwards values to a successor that the enclosing operation determines."""
    return isinstance(op, RegionBranchTerminatorOp) or op.has_trait(tr.RETURN_LIKE)


def forwarded(terminator: Operation, successor: RegionSuccessor) -> Sequence[OpOperand]:
    """The operands that `terminator` forwards to `successor`. Requires `leaves_region(terminator)`."""
    if isinstance(terminator, RegionBranchTerminatorOp):
        return terminator.forwarded_operands(successor)
    return terminator.op_operands


def region_exits(region: Region) -> list[Operation]:
    """The terminators through which control leaves the region. O(blocks)."""
    exits = [block.last_op for block in region]
    return [op for op in exits if op is not None and leaves_region(op)]


@record(frozen=True)
class LoopAxis:
    """The sequence of values of one induction variable.

    Attributes:
        variable: the block argument.
        lower, upper: the first value and the exclusive end; None if neither a number nor an SSA value states it.
        step: the increment, a number or a value.
        count: the number of iterations, None if unknown.
        signed: whether bounds are compared as signed numbers.
    """

    variable: BlockArgument
    lower: Value | int | None
    upper: Value | int | None
    step: Value | int
    count: int | None
    signed: bool = True


LoopBound: TypeAlias = "Value | int | tuple[AffineMap, Sequence[Value]]"
"""A number; or a map and its operands: the greatest result is a lower bound, the least one an upper bound."""
LoopBounds: TypeAlias = "list[tuple[LoopBound, LoopBound, Value | int]]"


class LoopLikeOp(Operation):
    """A loop: a body that repeats, possibly with loop-carried values."""

    unsigned_cmp = False
    """Whether bounds are compared as unsigned numbers."""

    @property
    def induction_variables(self) -> list[BlockArgument]:
        return []

    def bounds(self) -> LoopBounds:
        """The lower bound, the exclusive upper bound and the step of each induction variable. O(operands)."""
        return []

    def axes(self) -> list[LoopAxis]:
        """The induction variables, outermost first; empty for loops that do not count. O(operands)."""
        return []

    @property
    def loop_regions(self) -> list[Region]:
        return list(self.regions)

    @property
    def init_operands(self) -> list[OpOperand]:
        """The operands that initialize the loop-carried values."""
        return []

    @property
    def region_iter_args(self) -> list[BlockArgument]:
        return []

    @property
    def yielded_operands(self) -> list[OpOperand]:
        """The operands that the body's terminator yields to the next iteration."""
        return []

    def static_trip_count(self) -> int | None:
        """The trip count, over all induction variables, if the bounds are constants, else None."""
        counts = [axis.count for axis in self.axes()]
        known = [count for count in counts if count is not None]
        return prod(known) if counts and len(known) == len(counts) else None


def axis_of(argument: BlockArgument) -> LoopAxis | None:
    """The axis of an induction variable; None for any other argument. O(induction variables)."""
    loop = argument.owner.parent_op
    if not isinstance(loop, LoopLikeOp):
        return None
    return next((axis for axis in loop.axes() if axis.variable is argument), None)


class CountedLoopOp(LoopLikeOp):
    """A sequential counted loop with loop-carried values.

    The first argument of its single block is the induction variable, the others are the carried values; the results are
    the values yielded by the last iteration, or the initial values if there is none.
    """

    @property
    def induction_variable(self) -> BlockArgument:
        return self.regions[0].entry.args[0]

    @property
    def induction_variables(self) -> list[BlockArgument]:
        return self.regions[0].entry.args[:1] if not self.regions[0].is_empty else []

    @property
    def region_iter_args(self) -> list[BlockArgument]:
        return self.regions[0].entry.args[1:]

    @property
    def yielded_operands(self) -> list[OpOperand]:
        last = self.regions[0].entry.last_op
        return last.op_operands if last is not None else []

    def carried_result(self, init: OpOperand) -> OpResult | None:
        """The result that corresponds to an init operand; None if the operand is a bound."""
        number = init.index - (len(self.op_operands) - len(self.results))
        return None if number < 0 else self.results[number]

    def carried_argument(self, init: OpOperand) -> BlockArgument | None:
        """The body argument that corresponds to an init operand; None if the operand is a bound."""
        result = self.carried_result(init)
        return None if result is None else self.region_iter_args[result.index]


def carrying_loop(argument: Value) -> CountedLoopOp | None:
    """The counted loop of which `argument` is a loop-carried value; None for induction variables and all other values."""
    if not isinstance(argument, BlockArgument) or argument.index == 0 or not argument.owner.is_entry:
        return None
    loop = argument.owner.parent_op
    return loop if isinstance(loop, CountedLoopOp) else None


class CallOpInterface(Operation):
    """A call. `callee_symbol` is None where the callee is a value."""

    def callee_symbol(self) -> SymbolRefAttr | None:
        raise NotImplementedError

    def argument_operands(self) -> list[OpOperand]:
        return list(self.op_operands)


class FunctionOp(Operation):
    """A function: a symbol with a function type and a body, which is empty for declarations."""

    @property
    def symbol_name(self) -> str:
        return expect(StringAttr, self.properties["sym_name"]).value

    @property
    def function_type(self) -> Any:
        return getattr(
            self.properties.get("function_type"), "type", None
        )  # none: what the verifier is to say

    @property
    def body(self) -> Region:
        return self.regions[0]

    @property
    def is_declaration(self) -> bool:
        return self.regions[0].is_empty


def is_function_argument(value: Value) -> bool:
    """Whether a value is a function argument."""
    return (
        isinstance(value, BlockArgument)
        and value.owner.is_entry
        and isinstance(value.owner.parent_op, FunctionOp)
    )


class ValueBoundsOp(Operation):
    """An operation that can bound the value of its result."""

    def constant_upper_bound(self) -> int | None:
        """A constant upper bound (inclusive) of the result; None if none is known."""
        return None


class ViewLikeOp(Operation):
    """An operation whose result is a view of one operand's memory."""

    def view_source(self) -> Value:
        return self.operands[0]


Extent: TypeAlias = "Value | int | tuple[Value, int]"
"""A constant, a value, or a dimension of another value with the same size."""


@record(frozen=True)
class Sum:
    """A size that is the sum of others."""

    parts: tuple[Extent, ...]


@record(frozen=True)
class Product:
    """A size that is the product of others."""

    parts: tuple[Extent, ...]


Size: TypeAlias = "Extent | Sum | Product | None"
"""None if the size is unknown."""


class SizedResultOp(Operation):
    """An operation that expresses the sizes of its results in terms of its operands
    (`ReifyRankedShapedTypeOpInterface`).
    """

    def size_of(self, result: OpResult, position: int) -> Size:
        """The size of a dynamic dimension of a result. O(rank)."""
        return None

    def equal_sizes(self) -> Iterator[tuple[Size, Size]]:
        """Pairs of sizes that must be equal for the operation to be defined, beyond result sizes and type constraints."""
        yield from ()


def same_size(result: Value, other: Value, position: int) -> Size:
    """The size of the same dimension of `other`; None if the ranks differ."""
    rank = len(getattr(result.type, "shape", None) or ())
    return (other, position) if len(getattr(other.type, "shape", None) or ()) == rank else None


class DestinationStyleOp(SizedResultOp):
    """An operation in destination-passing style: each tensor result is tied to an init operand of the same shape,
    whose buffer it would use.
    """

    def dps_inits(self) -> list[OpOperand]:
        raise NotImplementedError

    def dps_inputs(self) -> list[OpOperand]:
        inits = {use.index for use in self.dps_inits()}
        return [use for use in self.op_operands if use.index not in inits]

    def tied_result(self, init: OpOperand) -> OpResult | None:
        """The result tied to an init. Results are tied to tensor inits in order; inits are consecutive operands."""
        inits = self.dps_inits()
        position = init.index - inits[0].index if inits else -1
        if not 0 <= position < len(inits) or inits[position] is not init or not is_tensor(init.value.type):
            return None
        if len(self.results) != len(inits):
            position = sum(is_tensor(use.value.type) for use in inits[:position])
        return self.results[position] if position < len(self.results) else None

    def tied_init(self, result: OpResult) -> OpOperand | None:
        """The init that a result is tied to."""
        inits = self.dps_inits()
        if len(self.results) != len(inits):
            inits = [use for use in inits if is_tensor(use.value.type)]
        init = inits[result.index] if result.index < len(inits) else None
        return init if init is not None and is_tensor(init.value.type) else None

    def size_of(self, result: OpResult, position: int) -> Size:
        inits = [use for use in self.dps_inits() if hasattr(use.value.type, "shape")]
        return same_size(result, inits[result.index].value, position) if result.index < len(inits) else None


Slice: TypeAlias = "tuple[list[Value | int], list[Value | int], list[Value | int]]"
"""Offsets, sizes and strides, one of each per dimension."""


class SelectLikeOp(Operation):
    """An operation whose result is one of its last two operands, chosen by the first."""


class SubsetOp(Operation):
    """An operation that reads or writes a subset of a tensor."""

    def accessed_slice(self) -> Slice | None:
        """The subset if it is a slice, else None. O(rank)."""
        return None


class SubsetInsertionOp(SubsetOp):
    """Writes `source` into a subset of `destination`; the result is the updated tensor."""

    inserts_whole = False
    """Whether the subset is the whole destination."""

    def subset_source(self) -> OpOperand:
        raise NotImplementedError

    def subset_destination(self) -> OpOperand:
        raise NotImplementedError


class SubsetExtractionOp(SubsetOp):
    """Reads a subset of its source."""

    def subset_extraction_source(self) -> OpOperand:
        return self.op_operands[0]


class CastOp(Operation):
    """An operation whose result is its operand under another type, with the same contents."""


class AllocationOp(Operation):
    """Allocates memory for its result; creates the matching deallocation and clone (`AllocationOpInterface`)."""

    def is_stack_allocation(self) -> bool:
        return False

    def build_free(self, value: Value) -> Operation | None:
        """A detached operation that frees `value`, a buffer of this kind; None if the buffer is released automatically."""
        raise NotImplementedError

    def way_to_free(self, value: Value) -> str | None:
        """The name of the operation that frees `value`; None if the buffer is released automatically."""
        op = self.build_free(value)
        if op is None:
            return None
        op.drop_operands()
        return op.name

    def build_clone(self, value: Value) -> Operation:
        """A detached operation that allocates a buffer of this kind with the contents of `value`."""
        raise NotImplementedError

    def build_promoted(self) -> Operation | None:
        """A detached stack allocation that can replace this one; None if there is none."""
        return None


class CopyOpInterface(Operation):
    """Copies the contents of one buffer into another."""

    def copy_source(self) -> Value:
        return self.operands[0]

    def copy_target(self) -> Value:
        return self.operands[1]
