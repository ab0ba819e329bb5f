"""Payloads of structured operations as functions of arrays.

A payload made of operations on numbers only is compiled to a list of steps over numpy arrays: one evaluation then
stands for all points of the parallel loops. Values are pairs of numbers and of flags that say what is defined (None:
all of it). What else a payload may hold (branches, loads, calls) is run by the machine, point by point.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.program.core import Block, Operation, Value
from ..ir.source.expect import expect
from ..ir.types import attributes as a
from ..ir.types.types import is_shaped
from .arithmetic import as_array, chosen_mask, constant_value, joint_mask
from .faults import Unsupported
from .functions import evaluator
from .numbers import storage
from .values import Array

if TYPE_CHECKING:
    from .registry import Environment

Step = Callable[[dict[Value, Array]], None]


class Payload:
    """A compiled payload.

    Attributes:
        captured: values from outside that it uses.
        uses_index: the loops whose index it asks for.
        used: for each block argument, whether it has uses.
    """

    def __init__(self, block: Block) -> None:
        """Raises Unsupported if some operation is not one on numbers."""
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
            if op.name == "linalg.yield":
                self.yielded = op.operands
            else:
                self._steps.append(self._step(op))
        if not hasattr(self, "yielded"):
            raise Unsupported("the payload does not end with 'linalg.yield'")
        for value in self.captured:
            storage(value.type)

    def _step(self, op: Operation) -> Step:
        if len(op.results) != 1 or op.regions:
            raise Unsupported(f"operation '{op.name}' is not one on numbers")
        result = op.results[0]
        if op.name == "linalg.index":
            dim: int = expect(a.IntegerAttr, op.properties["dim"]).value
            self.uses_index.add(dim)

            def index(env: dict[Any, Any]) -> None:
                env[result] = env[dim]

            return index
        if op.name in ("arith.constant", "complex.constant", "index.constant"):
            held = storage(result.type)
            value = Array(held.array(constant_value(op.properties["value"], result.type)))

            def constant(env: dict[Any, Any]) -> None:
                env[result] = value

            return constant
        pair = evaluator(op)
        shaped = is_shaped(result.type) or any(is_shaped(value.type) for value in op.operands)
        if pair is None or shaped or storage(result.type).suffix:
            raise Unsupported(f"operation '{op.name}' is not one on numbers")
        function, operands = pair[1], op.operands
        choice = op.name == "arith.select"
        if len(operands) == 2:
            left, right = operands

            def binary(env: dict[Any, Any]) -> None:
                x, y = env[left], env[right]
                if x.valid is None and y.valid is None:
                    env[result] = Array(function(x.data, y.data))
                else:
                    env[result] = Array(function(x.data, y.data), joint_mask([x, y]))

            return binary

        def several(env: dict[Any, Any]) -> None:
            args = [env[value] for value in operands]
            valid = chosen_mask(args) if choice else joint_mask(args)
            env[result] = Array(function(*(arg.data for arg in args)), valid)

        return several

    def capture(self, env: Environment) -> dict[Any, Array]:
        """The values from outside, as arrays without dimensions."""
        return {value: as_array(env[value], storage(value.type)) for value in self.captured}

    def evaluate(
        self, outside: dict[Any, Array], args: list[Array], indices: dict[int, Array]
    ) -> list[Array]:
        """What the payload yields, for arguments that broadcast together."""
        env: dict[Any, Array] = dict(outside)
        env.update(indices)
        env.update(zip(self.block.args, args, strict=True))
        for step in self._steps:
            step(env)
        return [env[value] for value in self.yielded]


def compiled(block: Block) -> Payload | None:
    """The payload as a function of arrays, or None if it needs the machine."""
    try:
        return Payload(block)
    except Unsupported:
        return None


def loop_index(position: int, sizes: tuple[int, ...], dims: list[int]) -> Array:
    """The index of loop `position` as an array that broadcasts over the loops `dims`."""
    shape = [1] * len(dims)
    shape[dims.index(position)] = sizes[position]
    return Array(np.arange(sizes[position], dtype=np.int64).reshape(shape))
