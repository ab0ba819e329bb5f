"""Operation interfaces: memory effects, control flow, views, destinations, calls.

Each interface is a base class without state; a declared operation inherits those it implements. Analyses ask
`isinstance(op, BranchOp)` and call the methods; they never match on operation names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """One effect on memory.

    Attributes:
        kind: READ, WRITE, ALLOCATE or FREE.
        value: the operand or result whose memory it is; None if it is some memory of the resource.
        resource: DEFAULT_RESOURCE, STACK_RESOURCE, or the name of another one.
    """

    kind: str
    value: Value | None = None
    resource: str = DEFAULT_RESOURCE


class MemoryEffectOp(Operation):
    """An operation that knows what it does to memory."""

    def memory_effects(self) -> list[Effect]:
        """The effects of the operation itself, without those of its regions.

        By default those declared with its operands and results (`operand(..., effects=READ)`), so far as these are buffers.
        """
        definition = self.definition
        assert definition is not None and definition.effects, f"{self.name} declares no effects"
        return [
            Effect(kind, value)
            for kind, field in definition.effects
            for value in field.members(self)
            if not is_tensor(value.type)
        ]


def memory_effects(op: Operation) -> list[Effect] | None:
    """The effects of `op`, regions included if it says that theirs are its own; None if they are not known.

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


def is_memory_effect_free(op: Operation) -> bool:
    """Whether neither `op` nor, where they count, the operations in its regions touch memory."""
    if not op.regions and not isinstance(op, MemoryEffectOp):
        return op.has_trait(tr.PURE) or op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS)
    return memory_effects(op) == []


@record(frozen=True)
class Condition:
    """What must hold for control to go one of several ways.

    Attributes:
        value: the operand that decides.
        wanted: in words, what it must be: `true`, `3`, `default`.
    """

    value: Value
    wanted: str


@record(frozen=True)
class Access:
    """A box of neighbouring elements of a memref.

    Attributes:
        base: the memref.
        map: from `indices` to the place of the first element; None if `indices` are the place.
        indices: what the place is computed from, dimensions first.
        shape: how many elements in each of the last dimensions; empty for one element.
    """

    base: Value
    map: AffineMap | None
    indices: Sequence[Value]
    shape: tuple[int, ...] = ()

    @staticmethod
    def of_vector(base: Value, map: AffineMap | None, indices: Sequence[Value], vector: Any) -> Access | None:
        """The access to as many elements as a vector of that type has; None if how many is not known."""
        if vector is expect(ShapedType, base.type).element:
            return Access(base, map, indices)
        return None if any(vector.scalable_dims) else Access(base, map, indices, vector.shape)


class ElementAccessOp(MemoryEffectOp):
    """Reads or writes elements of one memref at a place given by indices."""

    def access(self) -> Access | None:
        """The elements concerned, at the most; None if they are not such a box."""
        raise NotImplementedError


class BranchOp(Operation):
    """A terminator that passes control and values to blocks of its region."""

    def successor_condition(self, index: int) -> Condition | None:
        """What decides that control goes to successor `index`; None if there is no choice, or the operation does not say."""
        return None

    def successor_operands(self, index: int) -> list[OpOperand]:
        """The operands passed to the arguments of successor `index`, after those the operation itself produces."""
        raise NotImplementedError

    def produced_operand_count(self, index: int) -> int:
        """How many leading arguments of successor `index` the operation produces itself."""
        return 0

    def argument_operand(self, arg: BlockArgument) -> list[OpOperand]:
        """The operands of this branch that flow into block argument `arg` (one for each edge to its block)."""
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
    """Where control may go: a region of the operation, or (region None) the operation's end.

    Attributes:
        region: the region entered, or None for "back to the parent".
        inputs: the values that receive what is passed: arguments of the region's entry, or results of the operation.
    """

    region: Region | None
    inputs: Sequence[Value]


class RegionBranchOp(Operation):
    """An operation whose regions represent control flow."""

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        """Where control may go from the operation's start (`source` None) or from the end of region `source`."""
        raise NotImplementedError

    def entry_successor_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        """The operands passed when control goes from the operation's start to `successor`."""
        return []

    def entry_condition(self, index: int) -> Condition | None:
        """What decides that control goes from the start to the `index`-th of `region_successors(None)`, as for branches."""
        return None

    def is_repetitive(self, region: Region) -> bool:
        """Whether `region` may run more than once each time the operation runs: can it be reached from itself?"""
        return self.can_reach(region, region)

    def can_reach(self, source: Region, target: Region) -> bool:
        """Whether control may get from the end of region `source` into region `target` within one execution."""
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
    """A terminator that leaves its region for where the enclosing operation says."""

    def forwarded_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        """The operands passed to `successor`; all of them unless overridden."""
        return list(self.op_operands)


def leaves_region(op: Operation) -> bool:
    """Whether `op` ends its region and passes values to where the enclosing operation says."""
    return isinstance(op, RegionBranchTerminatorOp) or op.has_trait(tr.RETURN_LIKE)


def forwarded(terminator: Operation, successor: RegionSuccessor) -> Sequence[OpOperand]:
    """The operands that a terminator for which `leaves_region` holds passes to `successor`."""
    if isinstance(terminator, RegionBranchTerminatorOp):
        return terminator.forwarded_operands(successor)
    return terminator.op_operands


def region_exits(region: Region) -> list[Operation]:
    """The last operations of the region's blocks through which control leaves it. O(blocks)."""
    exits = [block.last_op for block in region]
    return [op for op in exits if op is not None and leaves_region(op)]


@record(frozen=True)
class LoopAxis:
    """How an induction variable moves from one iteration to the next.

    Attributes:
        variable: the block argument.
        lower, upper: its first value and the end, which it does not reach; None where neither number nor value says it.
        step: the distance of neighbouring values, a number or a value.
        count: how many values it takes, None if not known.
        signed: whether bounds are compared as signed numbers.
    """

    variable: BlockArgument
    lower: Value | int | None
    upper: Value | int | None
    step: Value | int
    count: int | None
    signed: bool = True


class LoopLikeOp(Operation):
    """A loop: a body that repeats, possibly carrying values from one iteration to the next."""

    def axes(self) -> list[LoopAxis]:
        """The induction variables, outermost first; none for loops that do not count. O(operands)."""
        return []

    @property
    def loop_regions(self) -> list[Region]:
        return list(self.regions)

    @property
    def init_operands(self) -> list[OpOperand]:
        """The operands that give the carried values their first contents."""
        return []

    @property
    def region_iter_args(self) -> list[BlockArgument]:
        return []

    @property
    def yielded_operands(self) -> list[OpOperand]:
        """The operands of the body's terminator that the next iteration receives."""
        return []

    def static_trip_count(self) -> int | None:
        """How often the body runs, where bounds are constants."""
        return None


def axis_of(argument: BlockArgument) -> LoopAxis | None:
    """How an argument moves, if it is an induction variable. O(induction variables)."""
    loop = argument.owner.parent_op
    if not isinstance(loop, LoopLikeOp):
        return None
    return next((axis for axis in loop.axes() if axis.variable is argument), None)


class CountedLoopOp(LoopLikeOp):
    """A loop that counts in order and carries values from iteration to iteration.

    The first argument of its one block is the counter, the others are the carried values; the results are what the last
    iteration yields, or the initial values if there is none.
    """

    @property
    def induction_variable(self) -> BlockArgument:
        return self.regions[0].entry.args[0]

    @property
    def region_iter_args(self) -> list[BlockArgument]:
        return self.regions[0].entry.args[1:]

    @property
    def yielded_operands(self) -> list[OpOperand]:
        last = self.regions[0].entry.last_op
        return last.op_operands if last is not None else []

    def carried_result(self, init: OpOperand) -> OpResult | None:
        """The result that begins as an operand; None if it is a bound."""
        number = init.index - (len(self.op_operands) - len(self.results))
        return None if number < 0 else self.results[number]

    def carried_argument(self, init: OpOperand) -> BlockArgument | None:
        """The argument of the body that begins as an operand; None if it is a bound."""
        result = self.carried_result(init)
        return None if result is None else self.region_iter_args[result.index]


def carrying_loop(argument: Value) -> CountedLoopOp | None:
    """The counted loop that carries a value in an argument of its body; None for counters and all other values."""
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
    """A function: a symbol with a function type and a body, empty for declarations."""

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


class ValueBoundsOp(Operation):
    """Says something of the numbers that its result may be."""

    def constant_upper_bound(self) -> int | None:
        """A number that the result never exceeds; None if none is known."""
        return None


class ViewLikeOp(Operation):
    """The result is a view of the memory of one operand."""

    def view_source(self) -> Value:
        return self.operands[0]


Extent: TypeAlias = "Value | int | tuple[Value, int]"
"""A number, a value, or a dimension of another value that is as large."""


@record(frozen=True)
class Sum:
    """A size that is a sum."""

    parts: tuple[Extent, ...]


@record(frozen=True)
class Product:
    """A size that is a product."""

    parts: tuple[Extent, ...]


Size: TypeAlias = "Extent | Sum | Product | None"
"""None where nobody says it."""


class SizedResultOp(Operation):
    """Says what the sizes of its results are in terms of its operands."""

    def size_of(self, result: OpResult, position: int) -> Size:
        """The size of a result in a dimension that its type leaves open. O(rank)."""
        return None

    def equal_sizes(self) -> Iterator[tuple[Size, Size]]:
        """What must be equal for the operation to be defined, beside the sizes of its result and what its type says of them."""
        yield from ()


def same_size(result: Value, other: Value, position: int) -> Size:
    """The same dimension of another value, if it has as many of them."""
    rank = len(getattr(result.type, "shape", None) or ())
    return (other, position) if len(getattr(other.type, "shape", None) or ()) == rank else None


class DestinationStyleOp(SizedResultOp):
    """Every tensor result has an operand, its init, whose buffer the result would use; it has its shape, too."""

    def dps_inits(self) -> list[OpOperand]:
        raise NotImplementedError

    def dps_inputs(self) -> list[OpOperand]:
        inits = {use.index for use in self.dps_inits()}
        return [use for use in self.op_operands if use.index not in inits]

    def tied_result(self, init: OpOperand) -> OpResult | None:
        """The result that belongs to an init: results are tied to the tensor inits in order, and inits stand side by side."""
        inits = self.dps_inits()
        position = init.index - inits[0].index if inits else -1
        if not 0 <= position < len(inits) or inits[position] is not init or not is_tensor(init.value.type):
            return None
        if len(self.results) != len(inits):
            position = sum(is_tensor(use.value.type) for use in inits[:position])
        return self.results[position] if position < len(self.results) else None

    def size_of(self, result: OpResult, position: int) -> Size:
        inits = [use for use in self.dps_inits() if hasattr(use.value.type, "shape")]
        return same_size(result, inits[result.index].value, position) if result.index < len(inits) else None


Slice: TypeAlias = "tuple[list[Value | int], list[Value | int], list[Value | int]]"
"""Offsets, sizes and strides, one of each for every dimension."""


class SelectLikeOp(Operation):
    """Its result is one of the two last operands, as the first says; the others are not looked at."""


class SubsetOp(Operation):
    """Reads or writes a part of a tensor."""

    def accessed_slice(self) -> Slice | None:
        """The part, if it is a slice. O(rank)."""
        return None


class SubsetInsertionOp(SubsetOp):
    """Writes `source` into a part of `destination`; the result is the updated whole."""

    inserts_whole = False
    """Whether the part is all of the destination."""

    def subset_source(self) -> OpOperand:
        raise NotImplementedError

    def subset_destination(self) -> OpOperand:
        raise NotImplementedError


class SubsetExtractionOp(SubsetOp):
    """Reads a part of its source."""

    def subset_extraction_source(self) -> OpOperand:
        return self.op_operands[0]


class CastOp(Operation):
    """The result is the operand seen as another type; the contents do not change."""


class AllocationOp(Operation):
    """Allocates memory for its result (`AllocationOpInterface`): can make the matching free and a clone."""

    def is_stack_allocation(self) -> bool:
        return False

    def build_free(self, value: Value) -> Operation | None:
        """What frees `value`, a buffer of this kind; detached. None if it goes by itself."""
        raise NotImplementedError

    def way_to_free(self, value: Value) -> str | None:
        """The name of what frees `value`; None if it goes by itself."""
        op = self.build_free(value)
        if op is None:
            return None
        op.drop_operands()
        return op.name

    def build_clone(self, value: Value) -> Operation:
        """What makes a buffer with the contents of `value`, one of this kind; detached."""
        raise NotImplementedError

    def build_promoted(self) -> Operation | None:
        """The same allocation on the stack; detached. None if there is none."""
        return None


class CopyOpInterface(Operation):
    """Copies the contents of one buffer into another."""

    def copy_source(self) -> Value:
        return self.operands[0]

    def copy_target(self) -> Value:
        return self.operands[1]
