"""Destination choice: a structured operation writes its result into an available dead buffer.

    %e = tensor.empty() : tensor<1024xf32>
    %b = linalg.tanh ins(%a) outs(%e)                     %b = linalg.tanh ins(%a) outs(%a)         // %a dies here
    scf.for ... iter_args(%u = %a) {                      scf.for ... iter_args(%u = %a) {
      %x = linalg.exp ins(%u) outs(%e1)                =>   %x = linalg.exp ins(%u) outs(%e1)
      %n = linalg.add ins(%x, %x) outs(%e2)                 %n = linalg.add ins(%x, %x) outs(%u)   // goes on as %u
      scf.yield %n                                          scf.yield %n
    }                                                     }

Only destinations whose contents are never read are replaced (a `tensor.empty` of an operation that overwrites all of it), so the
program computes the same for any choice. A buffer is eligible if

(1) it has the type and the sizes of the result: dynamic sizes must be the same symbol;
(2) it is available at the operation: an iter_arg of the enclosing loop, or an operand;
(3) it is dead afterwards: all uses of its aliases come before, or are reads by the operation itself that access each element
    when that element is written.

Only uses in the block of the buffer are considered; an iter_arg begins a buffer of its own. The analysis decides afterwards
whether the choice is in place; otherwise the `tensor.empty` is restored.

An argument of a public function that the program does not write is not used as a destination. If a loop starts with one, it
is copied once, before the loop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from ...analysis.causes import Cause, CauseKind
from ...analysis.one_shot.definitions import same_slice
from ...analysis.sizes import Sizes
from ...analysis.strided_places import TENSOR_VIEWS
from ...dialects import arith, bufferization, scf, tensor
from ...dialects.linalg.base import PARALLEL, LinalgOp
from ...ir.program.blocks import Block
from ...ir.program.builder import Builder
from ...ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import (
    CountedLoopOp,
    DestinationStyleOp,
    FunctionOp,
    carrying_loop,
    is_memory_effect_free,
)
from ...ir.source.records import record
from ...ir.types import types as t
from .. import makers
from .destination_passing import can_be_undone, sites, undo
from .rematerialize import erase_dead

MAX_DEAD = 64
"""Buffers of one type among which the one that died last is searched; older ones are ignored."""
FRESH = (tensor.EmptyOp, bufferization.AllocTensorOp)


@record(frozen=True)
class ChosenDestination:
    """A chosen destination: the operand, and its previous value."""

    use: OpOperand
    before: Value


class Buffers:
    """Which tensors may alias if every operand is in place, and the last use of each buffer in its block.

    Conservative: a value that may alias several operands counts as a buffer that cannot be chosen. O(operations) to build;
    queries are amortised O(log).
    """

    def __init__(self, root: Operation) -> None:
        self._parent: dict[Value, Value] = {}
        self._last: dict[Value, Operation | None] = {}
        self._unclear: set[Value] = set()
        for op in root.walk():
            for region in op.regions:
                for block in region:
                    for arg in block.args:
                        self._begin(arg)
            for result in op.results:
                self._begin(result)
        for op in root.walk():
            self._visit(op)
        for value in list(self._parent):
            for use in value.uses:
                self._use(self.of(value), use.owner)

    def _visit(self, op: Operation) -> None:
        is_fresh: bool | None = None
        for result in op.results:
            if not t.is_tensor(result.type):
                continue
            sources = shared_by(result)
            for source in sources:
                self.join(source, result)
            if sources:
                continue
            is_fresh = makes_fresh_results(op) if is_fresh is None else is_fresh
            if not is_fresh:
                self._unclear.add(self.of(result))
                self._unclear.update(self.of(value) for value in op.operands if t.is_tensor(value.type))
        if not op.may_be_terminator or isinstance(op.parent_op, FunctionOp):
            return
        for value in op.operands:
            if t.is_tensor(value.type) and not (
                isinstance(op.parent_op, CountedLoopOp) and self.of(value).parent_block is op.block
            ):
                self._unclear.add(self.of(value))

    def _begin(self, value: Value) -> None:
        if t.is_tensor(value.type):
            self._parent[value] = value
            self._last[value] = None

    def of(self, value: Value) -> Value:
        """The value that begins the buffer of a tensor."""
        if value not in self._parent:
            self._begin(value)
        while (parent := self._parent[value]) is not value:
            self._parent[value] = value = self._parent[parent]
        return value

    def join(self, source: Value, result: Value) -> None:
        """Merge the buffer of `result` with that of `source`."""
        one, other = self.of(source), self.of(result)
        if one is other:
            return
        self._parent[other] = one
        if other in self._unclear:
            self._unclear.add(one)
        last = self._last.pop(other)
        if last is not None:
            self._use(one, last)

    def _use(self, buffer: Value, user: Operation) -> None:
        at = user.ancestor_in_block(buffer.parent_block)
        if at is None:
            self._unclear.add(buffer)
            return
        last = self._last[buffer]
        if last is None or last.is_before_in_block(at):
            self._last[buffer] = at

    def is_clear(self, buffer: Value) -> bool:
        return buffer not in self._unclear

    def last_use(self, buffer: Value) -> Operation | None:
        """The last operation in the block of the buffer that uses it or a view of it."""
        return self._last[buffer]


def shared_by(result: OpResult) -> tuple[Value, ...]:
    """The tensors that a result may alias."""
    op = result.owner
    if op.name in TENSOR_VIEWS or isinstance(op, tensor.ReshapeOp):
        return (op.op_operands[0].value,)
    if isinstance(op, tensor.SliceInsertionOp | tensor.InsertOp):
        return (op.op_operands[1].value,)
    if isinstance(op, CountedLoopOp):
        return (op.init_operands[result.index].value,)
    if isinstance(op, DestinationStyleOp):
        tied = op.tied_init(result)
        return () if tied is None or isinstance(tied.value.defining_op, tensor.EmptyOp) else (tied.value,)
    return ()


def makes_fresh_results(op: Operation) -> bool:
    """Whether results that alias no operand are new, writable buffers."""
    if isinstance(op, DestinationStyleOp):
        return all(not t.is_memref(init.value.type) for init in op.dps_inits())
    return isinstance(op, (*FRESH, tensor.GenerateOp, tensor.PadOp, tensor.ConcatOp, tensor.FromElementsOp))


def may_be_chosen(init: OpOperand) -> bool:
    """Whether a destination can be replaced: a `tensor.empty` that the operation overwrites as a whole."""
    op = init.owner
    return isinstance(op, LinalgOp) and _is_unread(op, init) and op.has_pure_tensor_semantics


def _is_unread(op: LinalgOp, init: OpOperand) -> bool:
    return isinstance(init.value.defining_op, tensor.EmptyOp) and not op.payload_arg(init).has_uses


def choose_iteration_arguments(
    root: Operation, is_protected: Callable[[BlockArgument], bool], copying: bool = False
) -> list[ChosenDestination]:
    """Compute yielded values in the buffer of their iter_arg, where that is dead.

    Args:
        copying: whether a protected argument that is the init of a loop may be copied before the loop.
    """
    chosen: list[ChosenDestination] = []
    buffers, dims = Buffers(root), Sizes()
    for loop in list(root.walk_post_order()):
        if isinstance(loop, CountedLoopOp):
            for number in range(len(loop.region_iter_args)):
                choice = _iteration_argument(loop, number, buffers, dims, is_protected, copying)
                if choice is not None:
                    chosen.append(choice)
                    buffers.join(loop.region_iter_args[number], choice.use.owner.results[0])
    return chosen


def _iteration_argument(
    loop: CountedLoopOp,
    number: int,
    buffers: Buffers,
    dims: Sizes,
    is_protected: Callable[[BlockArgument], bool],
    copying: bool,
) -> ChosenDestination | None:
    own, yielded = loop.region_iter_args[number], loop.yielded_operands[number]
    found = sites(yielded) if t.is_tensor(own.type) and yielded.value is not own else []
    if len(found) != 1 or found[0].use.owner.block is not own.owner:
        return None
    init, views = found[0].use, found[0].views
    if not may_be_chosen(init) or len(init.owner.results) != 1 or not all(map(can_be_undone, views)):
        return None
    last = buffers.last_use(own)
    if not buffers.is_clear(own) or not (last is None or _is_over(last, init, own, buffers)):
        return None
    if (
        views[-1].op_operands[0].value.type is not init.value.type
        if views
        else own.type is not init.value.type
    ):
        return None
    if not dims.same_shape(own, yielded.value):
        return None
    origin = origin_of(loop.init_operands[number].value)
    if isinstance(origin, BlockArgument) and is_protected(origin):
        trips = loop.static_trip_count()
        if not copying or trips is None or trips < 2:
            return None
        _copy_before(loop.init_operands[number])
    b = Builder.before(init.owner)
    current: Value = own
    for view in views:
        current = undo(b, view, current)
    choice = ChosenDestination(init, init.value)
    init.value = current
    return choice


def own_inits(op: Operation) -> int:
    """Copy a tensor that initializes several carried values or destinations before the operation, for all but the first.

    The first can then use the buffer itself. Otherwise the analysis treats each init as a read after the writes of the others.
    O(operands).
    """
    seen: set[Value] = set()
    made = 0
    for use in op.dps_inits() if isinstance(op, LinalgOp) else op.op_operands:
        if t.is_tensor(use.value.type):
            if use.value in seen:
                _copy_before(use)
                made += 1
            seen.add(use.value)
    return made


def read_shared(op: Operation) -> bool:
    """Let an iteration of a parallel loop read the part that it replaces from the shared tensor instead of its init.

        scf.forall (%i) shared_outs(%o = %t) {
          %s = extract_slice %t[%i] ...
          ... insert %r into %o[%i] ...
     => %s = extract_slice %o[%i]

    No other iteration writes that part, which would be a race, and the inserts of this one come last.
    """
    loop = op.parent_op
    if not isinstance(op, tensor.ExtractSliceOp) or not isinstance(loop, scf.ForallOp):
        return False
    source = op.op_operands[0]
    for init, shared in zip(loop.init_operands, loop.region_iter_args, strict=True):
        inserts = [use.owner for use in shared.uses if isinstance(use.owner, tensor.ParallelInsertSliceOp)]
        if (
            init.value is source.value
            and inserts
            and all(same_slice(insert.accessed_slice(), op.accessed_slice()) for insert in inserts)
        ):
            source.value = shared
            return True
    return False


def _copy_before(use: OpOperand) -> None:
    loop = use.owner
    cause = Cause(CauseKind.OUT_OF_PLACE, loop, use.index, use.value)
    made = makers.alloc_tensor(use.value.type, cause, (), use.value)
    use.value = Builder.before(loop).insert(made).results[0]


def choose_dying_operands(
    root: Operation, is_protected: Callable[[BlockArgument], bool], assembled: bool = True
) -> list[ChosenDestination]:
    """Compute results in operands that die there and are read elementwise. O(operands).

    Not in operands assembled from slices, unless `assembled`: their readers may load from the slices instead.
    """
    buffers = Buffers(root)
    chosen: list[ChosenDestination] = []
    for op in root.walk():
        if not isinstance(op, LinalgOp) or any(kind != PARALLEL for kind in op.iterator_types()):
            continue
        inits = [
            init for init in op.dps_inits() if _is_unread(op, init) and op.matching_map(init).is_identity
        ]
        if not inits or not op.has_pure_tensor_semantics:
            continue
        dying: dict[t.Type, deque[Value]] = {}
        for value in _dying_operands(op, buffers):
            is_assembled = isinstance(value.defining_op, tensor.SliceInsertionOp | tensor.ConcatOp)
            if (assembled or not is_assembled) and not _is_protected(value, buffers, is_protected):
                dying.setdefault(value.type, deque()).append(value)
        for init in inits:
            if not (waiting := dying.get(init.value.type)):
                continue
            value = waiting.popleft()
            chosen.append(ChosenDestination(init, init.value))
            init.value = value
            result = op.tied_result(init)
            if result is not None:
                buffers.join(value, result)
    return chosen


def _dying_operands(op: LinalgOp, buffers: Buffers) -> list[Value]:
    """The inputs whose buffers the operation uses last, and only to read them elementwise as they are. O(operands)."""
    uses: dict[Value, list[OpOperand]] = {}
    for use in op.op_operands:
        if t.is_tensor(use.value.type):
            uses.setdefault(buffers.of(use.value), []).append(use)
    return [
        of_buffer[0].value
        for buffer, of_buffer in uses.items()
        if buffers.is_clear(buffer)
        and buffers.last_use(buffer) is op
        and _may_hold(buffer, of_buffer[0].value, op)
        and _are_read_elementwise(op, of_buffer)
    ]


def _may_hold(buffer: Value, value: Value, op: LinalgOp) -> bool:
    """Whether a buffer may hold a result in place of the `value` in it."""
    if buffer.parent_block is not op.block:
        return False
    if isinstance(buffer, BlockArgument):
        return isinstance(op.parent_op, CountedLoopOp | FunctionOp)
    return (
        buffer.type is value.type
    )  # otherwise it is a slice of a larger buffer, whose live range it would extend


def _are_read_elementwise(op: LinalgOp, uses: Sequence[OpOperand]) -> bool:
    """Whether all of the `uses` are inputs that read one tensor at the position that is written."""
    return all(
        use.value is uses[0].value and not op.is_init(use) and op.matching_map(use).is_identity
        for use in uses
    )


def choose_dead_buffers(
    root: Operation, is_protected: Callable[[BlockArgument], bool]
) -> list[ChosenDestination]:
    """Compute results in dead buffers. O(operations * MAX_DEAD).

    The buffer that died last is chosen, which extends live ranges least. A `tensor.empty` that is assembled from slices is
    replaced as a whole.
    """
    buffers, dims = Buffers(root), Sizes()
    chosen: list[ChosenDestination] = []
    known: dict[tuple[Block, t.Type], list[Value]] = {}
    latest: dict[Value, Value] = {}
    for op in list(root.walk()):
        inside = [arg for region in op.regions for block in region for arg in block.args]
        for value in (*op.results, *inside):
            if not t.is_tensor(value.type) or value.parent_block is None:
                continue
            begin = buffers.of(value)
            if value.parent_block is begin.parent_block and value.type is begin.type:
                latest[begin] = value
            if begin is value:
                known.setdefault((value.parent_block, value.type), []).append(value)
        for uses in _free_to_choose(op):
            found = _dead_before(uses, known, latest, buffers, dims, is_protected)
            if found is None:
                continue
            for use in uses:
                chosen.append(ChosenDestination(use, use.value))
                buffers.join(found, use.value if len(uses) > 1 else op.results[0])
                use.value = latest.get(found, found)
    return chosen


def _free_to_choose(op: Operation) -> list[list[OpOperand]]:
    """Replaceable uses of uninitialized tensors, grouped by the tensor that they must share."""
    if isinstance(op, tensor.EmptyOp):
        uses = list(op.results[0].uses)
        assembled = len(uses) > 1 and all(
            isinstance(use.owner, tensor.ExtractSliceOp | tensor.SliceInsertionOp)
            and use.owner.block is op.block
            for use in uses
        )
        return [uses] if assembled else []
    if not isinstance(op, LinalgOp) or len(op.results) != 1:
        return []
    return [[init] for init in op.dps_inits() if may_be_chosen(init) and op.overwrites(init)]


def _dead_before(
    uses: list[OpOperand],
    known: dict[tuple[Block, t.Type], list[Value]],
    latest: dict[Value, Value],
    buffers: Buffers,
    dims: Sizes,
    is_protected: Callable[[BlockArgument], bool],
) -> Value | None:
    """The buffer, given by its first value, that died last before all of `uses`."""
    block = uses[0].owner.block
    if block is None:
        return None
    first = min((use.owner for use in uses), key=lambda op: op.position)
    best: tuple[int, int] | None = None
    candidates = known.get((block, uses[0].value.type), [])[-MAX_DEAD:]
    for number, value in enumerate(candidates):
        if buffers.of(value) is not value or not buffers.is_clear(value) or value is uses[0].value:
            continue
        if isinstance(value, BlockArgument) and not isinstance(block.parent_op, CountedLoopOp | FunctionOp):
            continue
        last = buffers.last_use(value)
        if last is None or not last.is_before_in_block(first) or (best and best[0] >= last.position):
            continue
        if not dims.same_shape(latest.get(value, value), uses[0].value):
            continue
        if not _is_protected(value, buffers, is_protected):
            best = last.position, number
    return None if best is None else candidates[best[1]]


def _is_over(last: Operation, init: OpOperand, value: Value, buffers: Buffers) -> bool:
    """Whether all aliases of `value` are read before `init` overwrites them, element by element."""
    op = init.owner
    if last is not op:
        return last.is_before_in_block(op)
    assert isinstance(op, LinalgOp)
    buffer = buffers.of(value)
    if any(kind != PARALLEL for kind in op.iterator_types()) or not op.matching_map(init).is_identity:
        return False
    uses = [use for use in op.op_operands if t.is_tensor(use.value.type) and buffers.of(use.value) is buffer]
    return _are_read_elementwise(op, uses) and all(use.value is value for use in uses)


def _is_protected(value: Value, buffers: Buffers, is_protected: Callable[[BlockArgument], bool]) -> bool:
    origin = origin_of(buffers.of(value))
    if isinstance(origin, BlockArgument):
        return not isinstance(origin.owner.parent_op, FunctionOp) or is_protected(origin)
    assert isinstance(origin, OpResult)
    return isinstance(buffers.of(value), OpResult) and (
        isinstance(origin.owner, arith.ConstantOp) or not is_memory_effect_free(origin.owner)
    )


def origin_of(value: Value) -> Value:
    """The origin of a tensor through the loops that carry it: a function argument, or a result."""
    while True:
        if isinstance(value, BlockArgument):
            loop = carrying_loop(value)
            if loop is None:
                return value
            value = loop.init_operands[value.index - 1].value
            continue
        assert isinstance(value, OpResult)
        sources = shared_by(value)
        if len(sources) != 1:
            return value
        value = sources[0]


def restore(found: Sequence[ChosenDestination]) -> int:
    """Restore the `tensor.empty` of these destinations. Returns their number."""
    for choice in found:
        given = choice.use.value
        choice.use.value = choice.before
        erase_dead([given])
    return len(found)
