"""Interpreter: structured linalg operations, a payload at every point of a loop nest.

Each operand becomes a view with one dimension per loop, without copying: a linear indexing map gives every loop a
stride. Parallel loops are vectorized by evaluating the payload on arrays; reduction loops run one iteration after
the other, so that results are exactly those of the loops, rounding included. With many reduction steps over few
points, an integer reduction, which may be reordered, and a float sum, which numpy accumulates in order, are
vectorized too.

All inputs are read before anything is written. If an input and an output in memory overlap such that this differs
from executing the loops, the loops run point by point: wrong in-place decisions must be visible.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialects.linalg.base import PARALLEL, LinalgOp
from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, Value
from ..ir.program.interfaces import CopyOpInterface, SelectLikeOp
from ..ir.source.diagnostics import expect, present
from ..ir.source.records import record
from ..ir.text.registry import default_registry
from ..ir.types import attributes as a, types as t
from ..ir.types.affine import AffineDim
from ..ir.types.affine_map import AffineMap
from ..ir.types.types import is_shaped
from . import LimitExceeded, Unsupported
from .affine import check_bounds, loop_sizes, over_loops
from .arithmetic import as_array, chosen_mask, constant_value, joint_mask
from .functions import evaluator
from .heap import MemRef
from .machine import Enter, simple, structured
from .numbers import NDArray, storage
from .tensors import held_by
from .values import Array, pack, settled

if TYPE_CHECKING:
    from ..dialects.linalg import IndexOp
    from .machine import Environment, Machine


# -- vectorized payloads. A payload of number operations only is compiled to a list of steps over numpy arrays: one
# evaluation covers all points of the parallel loops. Values are pairs of elements and flags for the defined ones
# (None: all). Other payloads (with branches, loads, calls) are executed by the machine, point by point.


Numbers = dict[Value | int, Array]
"""The current values, and the loop indices."""
Step = Callable[[Numbers], None]


class Payload:
    """A compiled payload.

    Attributes:
        captured: the outer values that it uses.
        uses_index: the loops whose index it reads.
        used: for each block argument, whether it has uses.
    """

    def __init__(self, block: Block) -> None:
        """Raises Unsupported if some operation is not an operation on numbers."""
        self.block = block
        self.captured: list[Value] = []
        self.uses_index: set[int] = set()
        self.used = [arg.has_uses for arg in block.args]
        self._steps: list[Step] = []
        inside: set[Value] = set(block.args)
        for op in block:
            for value in op.operands:
                if value not in inside and value not in self.captured:
                    self.captured.append(value)
            inside.update(op.results)
            if op.has_trait(tr.TERMINATOR):
                self.yielded = op.operands
            else:
                self._steps.append(self._step(op))
        if not hasattr(self, "yielded"):
            raise Unsupported("the payload does not end with 'linalg.yield'")
        for value in self.captured:
            storage(value.type)

    def _step(self, op: Operation) -> Step:
        if len(op.results) != 1 or op.regions:
            raise Unsupported(f"operation '{op.name}' does not compute on scalars")
        result = op.results[0]
        if op.name == "linalg.index":
            dim: int = expect(a.IntegerAttr, op.properties["dim"]).value
            self.uses_index.add(dim)

            def index(env: Numbers) -> None:
                env[result] = env[dim]

            return index
        if op.name in ("arith.constant", "complex.constant", "index.constant"):
            held = storage(result.type)
            value = Array(held.array(constant_value(op.properties["value"], result.type)))

            def constant(env: Numbers) -> None:
                env[result] = value

            return constant
        pair = evaluator(op)
        shaped = is_shaped(result.type) or any(is_shaped(value.type) for value in op.operands)
        if pair is None or shaped or storage(result.type).suffix:
            raise Unsupported(f"operation '{op.name}' does not compute on scalars")
        function, operands = pair[1], op.operands
        choice = isinstance(op, SelectLikeOp)
        if len(operands) == 2:
            left, right = operands

            def binary(env: Numbers) -> None:
                x, y = env[left], env[right]
                if x.valid is None and y.valid is None:
                    env[result] = Array(function(x.data, y.data))
                else:
                    env[result] = Array(function(x.data, y.data), joint_mask([x, y]))

            return binary

        def several(env: Numbers) -> None:
            args = [env[value] for value in operands]
            valid = chosen_mask(args) if choice else joint_mask(args)
            env[result] = Array(function(*(arg.data for arg in args)), valid)

        return several

    def capture(self, env: Environment) -> Numbers:
        """The outer values, as arrays of rank 0."""
        return {value: as_array(env[value], storage(value.type)) for value in self.captured}

    def evaluate(self, outside: Numbers, args: list[Array], indices: dict[int, Array]) -> list[Array]:
        """The yielded values, for arguments that broadcast together."""
        env: Numbers = dict(outside)
        env.update(indices.items())
        env.update(zip(self.block.args, args, strict=True))
        for step in self._steps:
            step(env)
        return [env[value] for value in self.yielded]


def compiled(block: Block) -> Payload | None:
    """The payload as a function of arrays; None if it must be executed by the machine."""
    try:
        return Payload(block)
    except Unsupported:
        return None


def loop_index(position: int, sizes: tuple[int, ...], dims: list[int]) -> Array:
    """The index of loop `position`, as an array that broadcasts over the loops `dims`."""
    shape = [1] * len(dims)
    shape[dims.index(position)] = sizes[position]
    return Array(np.arange(sizes[position], dtype=np.int64).reshape(shape))


Steps = Generator[Any, Any, Any]

MAX_POINTS = 1 << 33
"""The maximum number of points of a loop nest."""
MAX_SLOW_POINTS = 1 << 21
"""The maximum number of points of a loop nest run point by point."""


@record(eq=False, repr=False)
class _Operand:
    """An operand of a run: its elements as an array, and the map that indexes them."""

    array: NDArray
    defined: NDArray | None
    map: AffineMap
    memref: MemRef | None


class _Nest:
    """One structured operation, compiled."""

    def __init__(self, op: LinalgOp, machine: Machine) -> None:
        self.op = op
        self.machine = machine
        self.maps = op.indexing_maps()
        self.iterators: list[str] = op.iterator_types()
        self.block = op.regions[0].entry
        self.values = op.operands
        self.inputs = op.input_count
        self.payload: Payload | None = compiled(self.block)
        self.parallel = [i for i, kind in enumerate(self.iterators) if kind == PARALLEL]
        self.reduced = [i for i, kind in enumerate(self.iterators) if kind != PARALLEL]
        self.helds = [
            held_by(v) if isinstance(v.type, (t.RankedTensorType, t.MemRefType)) else storage(v.type)
            for v in self.values
        ]
        if any(held.suffix for held in self.helds):
            self.payload = None
        outputs = self.maps[self.inputs :]
        wanted = set(self.parallel)
        for map_ in outputs:
            dims = [e.position for e in map_.results if isinstance(e, AffineDim)]
            if len(dims) != len(map_.results) or set(dims) != wanted or len(dims) != len(wanted):
                self.payload = None
        if op.name == "linalg.map":  # the initial contents are not read
            self.reads_output = [False] * len(outputs)
        else:
            self.reads_output = [self.block.args[i].has_uses for i in range(self.inputs, len(self.values))]
        self.copies = isinstance(op, CopyOpInterface)

    # -- operands

    def operands(self, env: Environment) -> list[_Operand]:
        found: list[_Operand] = []
        for i, (value, map_, held) in enumerate(zip(self.values, self.maps, self.helds, strict=True)):
            operand = env[value]
            if isinstance(operand, MemRef):
                output = i >= self.inputs
                operand.check("writes" if output else "reads", write=output)
                contents = operand.peek()
                found.append(_Operand(contents.data, contents.valid, map_, operand))
            elif isinstance(operand, Array):
                found.append(_Operand(operand.data, operand.valid, map_, None))
            else:
                data, defined = pack(operand, held)
                found.append(
                    _Operand(
                        np.asarray(data, held.dtype), None if defined else np.zeros((), np.bool_), map_, None
                    )
                )
        return found

    def shape(self, operand: _Operand, position: int) -> tuple[int, ...]:
        rank = operand.array.ndim - len(self.helds[position].suffix)
        return operand.array.shape[:rank]

    def overlap(self, operands: list[_Operand]) -> bool:
        """Whether a vectorized run could differ from executing the loops in order."""
        outputs = operands[self.inputs :]
        for position, operand in enumerate(operands[: self.inputs]):
            if operand.memref is None or not self.block.args[position].has_uses:
                continue
            for output in outputs:
                if output.memref is None or operand.memref.buffer is not output.memref.buffer:
                    continue
                same = (
                    operand.memref.begins_with(output.memref)
                    and operand.map is output.map
                    and not self.reduced
                )
                if not same and np.shares_memory(operand.array, output.array):
                    return True
        for i, one in enumerate(outputs):
            for other in outputs[i + 1 :]:
                if (
                    one.memref is not None
                    and other.memref is not None
                    and one.memref.buffer is other.memref.buffer
                    and np.shares_memory(one.array, other.array)
                ):
                    return True
        return False

    # -- running

    def run(self, env: Environment) -> Steps:
        operands = self.operands(env)
        shapes = [self.shape(operand, i) for i, operand in enumerate(operands)]
        sizes = loop_sizes(self.maps, shapes, len(self.iterators))
        check_bounds(self.maps, shapes, sizes)
        points = 1
        for size in sizes:
            points *= size
        if points > MAX_POINTS:
            raise LimitExceeded(f"a loop nest of {points} points is too large")
        self.machine.points += points
        self.note_undefined(operands)
        if self.payload is None or self.overlap(operands):
            return self.finish(env, operands, (yield from self.run_slowly(env, operands, sizes, points)))
        return self.finish(env, operands, self.run_at_once(env, operands, sizes))

    def note_undefined(self, operands: list[_Operand]) -> None:
        if self.copies:
            return
        for i, operand in enumerate(operands):
            read = self.block.args[i].has_uses if i < self.inputs else self.reads_output[i - self.inputs]
            if operand.defined is not None and read:
                self.machine.undefined_reads += 1
                if self.machine.strict and operand.memref is not None:
                    raise operand.memref.buffer.fault(
                        f"reads elements of operand {i} that were never written", "uninitialised-read"
                    )

    def run_at_once(self, env: Environment, operands: list[_Operand], sizes: tuple[int, ...]) -> list[Array]:
        payload = present(self.payload)
        order = [*self.reduced, *self.parallel]
        spread = [over_loops(o.array, o.map, sizes).transpose(order) for o in operands[: self.inputs]]
        flags = [
            None if o.defined is None else over_loops(o.defined, o.map, sizes).transpose(order)
            for o in operands[: self.inputs]
        ]
        shape = tuple(sizes[i] for i in self.parallel)
        outside = payload.capture(env)
        state: list[Array] = []
        for o in operands[self.inputs :]:
            defined = None if o.defined is None else self._by_parallel(o.defined, o.map)
            state.append(Array(self._by_parallel(o.array, o.map), defined))
        indices = {i: loop_index(i, sizes, self.parallel) for i in payload.uses_index if i in self.parallel}
        reduced = tuple(sizes[i] for i in self.reduced)
        whole = _reduce_at_once(self, payload, outside, spread, flags, state, reduced, shape)
        if whole is not None:
            state = whole
        else:
            for at in np.ndindex(*reduced):
                args = [
                    Array(x[at], None if f is None else f[at]) for x, f in zip(spread, flags, strict=True)
                ]
                for loop, index in zip(self.reduced, at, strict=True):
                    if loop in payload.uses_index:
                        indices[loop] = Array(np.asarray(index, np.int64))
                state = payload.evaluate(outside, [*args, *state], indices)
        return [self._to_output(x, o, shape) for x, o in zip(state, operands[self.inputs :], strict=True)]

    def _by_parallel(self, array: NDArray, map_: AffineMap) -> NDArray:
        """An output with its dimensions in the order of the parallel loops."""
        position = {loop: i for i, loop in enumerate(map_.positions)}
        return array.transpose([position[loop] for loop in self.parallel])

    def _to_output(self, value: Array, operand: _Operand, shape: tuple[int, ...]) -> Array:
        order = [self.parallel.index(loop) for loop in operand.map.positions]

        def turned(array: NDArray) -> NDArray:
            full = np.broadcast_to(array, shape).transpose(order)
            return np.array(full)

        return settled(turned(value.data), None if value.valid is None else turned(value.valid))

    def run_slowly(
        self, env: Environment, operands: list[_Operand], sizes: tuple[int, ...], points: int
    ) -> Generator[Any, Any, list[Array] | None]:
        """Execute point by point; outputs in memory are written as the loops proceed."""
        if points > MAX_SLOW_POINTS:
            raise LimitExceeded(f"a loop nest of {points} points is too large to be run point by point")
        results: list[Any] = []
        masks: list[Any] = []
        for i, operand in enumerate(operands[self.inputs :]):
            held = self.helds[self.inputs + i]
            if operand.memref is None:
                results.append(operand.array.copy())
                shape = operand.array.shape[: operand.array.ndim - len(held.suffix)]
                masks.append(np.ones(shape, np.bool_) if operand.defined is None else operand.defined.copy())
            else:
                results.append(None)
                masks.append(None)
        each = sum(1 for _ in self.block)
        for point in np.ndindex(*sizes):
            self.machine.payload_steps += each
            args: list[Any] = []
            places: list[tuple[int, ...]] = []
            for i, operand in enumerate(operands):
                at = operand.map.evaluate(point) if operand.map.results else ()
                held = self.helds[i]
                if i >= self.inputs:
                    places.append(at)
                    if operand.memref is None:
                        contents = Array(results[i - self.inputs], masks[i - self.inputs])
                        args.append(contents.element(at, held))
                        continue
                if operand.memref is not None:
                    args.append(operand.memref.load(list(at)))
                else:
                    args.append(Array(operand.array, operand.defined).element(at, held))
            env[self.op] = point  # keyed by the operation: a nested one has its own point
            leave = yield Enter(self.block, args)
            for i, (at, value) in enumerate(zip(places, leave.values, strict=True)):
                operand = operands[self.inputs + i]
                if operand.memref is not None:
                    operand.memref.store(list(at), value)
                else:
                    results[i][at], masks[i][at] = pack(value, self.helds[self.inputs + i])
        if all(operand.memref is not None for operand in operands[self.inputs :]):
            return None
        return [settled(data, valid) for data, valid in zip(results, masks, strict=True)]

    def finish(self, env: Environment, operands: list[_Operand], state: list[Array] | None) -> list[Any]:
        if state is None:
            return []
        results: list[Any] = []
        for operand, value in zip(operands[self.inputs :], state, strict=True):
            if operand.memref is not None:
                operand.memref.write(value)
                if self.copies:
                    self.machine.heap.moved(operand.memref.count * operand.memref.held.size, self.op)
            else:
                results.append(value)
        return results


_ANY_ORDER = {
    "arith.addi": np.add,
    "arith.muli": np.multiply,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
}
"""Combinations that are associative and commutative."""
_IN_ORDER = {"arith.addf": np.add, "arith.mulf": np.multiply}

LONG = 2048
"""Longer reductions are vectorized where that yields the same result."""
MAX_AT_ONCE = 1 << 24
"""Points of a loop nest that are computed as one array; larger reductions run step by step."""


def _reduce_at_once(
    nest: _Nest,
    payload: Payload,
    outside: Numbers,
    spread: list[Any],
    flags: list[Any],
    state: list[Array],
    reduced: tuple[int, ...],
    shape: tuple[int, ...],
) -> list[Array] | None:
    """The result of a long reduction `out = out + f(inputs)`; None if it is not one, or need not be vectorized."""
    steps = points = 1
    for size in reduced:
        steps *= size
    for size in shape:
        points *= size
    if steps <= LONG or steps * points > MAX_AT_ONCE or len(state) != 1 or payload.uses_index:
        return None
    if any(flag is not None for flag in flags) or state[0].valid is not None:
        return None
    last: Operation | None = payload.yielded[0].defining_op
    argument = nest.block.args[-1]
    if last is None or last.block is not nest.block or [use.owner for use in argument.uses] != [last]:
        return None
    if len(last.op_operands) != 2 or sum(value is argument for value in last.operands) != 1:
        return None
    held = nest.helds[-1]
    free, ordered = _ANY_ORDER.get(last.name), _IN_ORDER.get(last.name)
    if (
        held.rounder is not None
        or held.dtype == object
        or held.width == 1
        or (free is None and ordered is None)
    ):
        return None
    other = next(value for value in last.operands if value is not argument)
    env = dict(outside)
    env.update(zip(nest.block.args, [*(Array(x) for x in spread), state[0]], strict=True))
    for step, op in zip(payload._steps, (op for op in nest.block if op.name != "linalg.yield"), strict=True):
        if op is not last:
            step(env)
    full = np.broadcast_to(env[other].data, reduced + shape).reshape((steps, *shape))
    start = np.broadcast_to(state[0].data, shape)
    if free is not None:
        made = free(free.reduce(full, axis=0), start)
        return [Array(held.wrap_array(made) if held.width else made)]
    assert ordered is not None
    sequence = np.concatenate([start[None], full.astype(held.dtype, copy=False)])
    return [Array(ordered.accumulate(sequence, axis=0)[-1])]


def _prepare(op: Operation, machine: Machine) -> Callable[[Environment], Steps]:
    return _Nest(expect(LinalgOp, op), machine).run


def _register() -> None:
    registry = default_registry()
    registry.load("linalg")
    from ..ir.declaration.declare import REGISTRY

    for name, cls in list(REGISTRY.items()):
        if name.startswith("linalg.") and issubclass(cls, LinalgOp):
            structured(name)(_prepare)


_register()


def _register_index() -> None:

    @simple("linalg.index")
    def index(op: IndexOp, machine: Machine) -> Callable[[Environment], None]:
        """In payloads run point by point: a coordinate of the enclosing operation's current point."""
        result, dim, nest = op.results[0], op.dim.value, expect(Operation, op.parent_op)

        def run(env: Environment) -> None:
            env[result] = env[nest][dim]

        return run


_register_index()
