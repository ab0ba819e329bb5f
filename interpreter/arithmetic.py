"""Interpreter: arithmetic on scalars, and elementwise on vectors and tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.declaration.declare import REGISTRY, UNDECLARED
from ..ir.program.core import Operation
from ..ir.program.interfaces import SelectLikeOp
from ..ir.types import attributes as a, types as t
from ..semantics.scalars import EXTENDED, on_constants
from . import Fault, Unsupported
from .control import undefined_value
from .functions import ELEMENTWISE_DIALECTS, evaluator
from .machine import handler, simple
from .numbers import Storage, element_type, elements_array, storage, vector_shape
from .values import POISON, Array, number, settled

if TYPE_CHECKING:
    from .machine import Environment, Machine

Run = Callable[["Environment"], None]
SHAPED = (t.VectorType, t.RankedTensorType, t.UnrankedTensorType)


def constant_value(
    value: a.Attribute, type: t.Type, elements: Callable[[Any, Any], Any] = elements_array
) -> Any:
    """The value of a constant's attribute; `elements` decodes elements attributes. Raises Unsupported."""
    if isinstance(value, a.IntegerAttr):
        return storage(type).wrap(value.value)
    if isinstance(value, a.FloatAttr):
        return storage(type).round(np.float64(value.value))
    if isinstance(value, a.ArrayAttr) and isinstance(type, t.ComplexType):
        real, imaginary = (x.value for x in value.elements if isinstance(x, a.FloatAttr | a.IntegerAttr))
        return storage(type).dtype.type(complex(real, imaginary))
    if isinstance(type, t.VectorType):
        return Array(elements(value, vector_shape(type)))
    if isinstance(type, t.RankedTensorType):
        return Array(elements(value, type.shape))
    raise Unsupported(f"constants such as '{value}' are not supported")


@simple("arith.constant", "complex.constant", "index.constant", "index.bool.constant")
def constant(op: Operation, machine: Machine) -> Run:
    result = op.results[0]
    return always(op, constant_value(op.properties["value"], result.type, machine.resources.elements))


@simple("index.sizeof")
def size_of(op: Operation, machine: Machine) -> Run:
    return always(op, 64)


def always(op: Operation, value: object) -> Run:
    """Yields the same value on every execution of `op`."""
    result = op.results[0]

    def run(env: Environment) -> None:
        env[result] = value

    return run


def elementwise(op: Operation, machine: Machine) -> Run:
    """Executes every operation that `evaluator` supports."""
    if any(t.is_memref(value.type) for value in op.operands):
        raise Unsupported(f"operation '{op.name}' on memrefs is not supported")
    pair = evaluator(op)
    if pair is None:
        raise Unsupported(f"operation '{op.name}' is not supported")
    scalar, array = pair
    result = op.results[0]
    if isinstance(result.type, SHAPED):
        return _elementwise_arrays(op, array, machine)
    if len(op.op_operands) == 1:
        only = op.operands[0]

        def run_unary(env: Environment) -> None:
            x = env[only]
            env[result] = POISON if x is POISON else scalar(x)

        return run_unary
    if len(op.op_operands) == 2:
        left, right = op.operands

        def run_binary(env: Environment) -> None:
            x, y = env[left], env[right]
            env[result] = POISON if x is POISON or y is POISON else scalar(x, y)

        return run_binary
    operands = op.operands

    def run(env: Environment) -> None:
        args = [env[value] for value in operands]
        env[result] = POISON if any(x is POISON for x in args) else scalar(*args)

    return run


def _elementwise_arrays(op: Operation, array: Callable[..., Any], machine: Machine) -> Run:
    operands, result = op.operands, op.results[0]
    helds = [storage(element_type(value.type)) for value in operands]
    choice = isinstance(op, SelectLikeOp)
    on_tensors = isinstance(result.type, t.RankedTensorType)

    def run(env: Environment) -> None:
        args = [as_array(env[value], held) for value, held in zip(operands, helds, strict=True)]
        shapes = {arg.data.shape for arg in args if arg.data.ndim}
        if len(shapes) > 1:
            raise_shapes(op.name, shapes)
        data = array(*(arg.data for arg in args))
        valid = chosen_mask(args) if choice else joint_mask(args)
        if on_tensors and any(arg.valid is not None for arg in args):
            machine.undefined_reads += 1  # a loop over buffers will read them
        env[result] = Array(np.asarray(data), None if valid is None else np.broadcast_to(valid, data.shape))

    return run


def raise_shapes(name: str, shapes: Any) -> None:
    """Report tensors whose dynamic sizes differ at run time."""

    shown = " and ".join("x".join(map(str, shape)) for shape in sorted(shapes))
    raise Fault(f"'{name}' combines tensors of different sizes: {shown}", "shape-mismatch")


def as_array(value: object, held: Storage) -> Array:
    """A value as an array: a scalar becomes one of rank 0."""
    if isinstance(value, Array):
        return value
    if value is POISON:
        return Array(np.zeros((), held.dtype), np.zeros((), np.bool_))
    return Array(held.array(value))


def joint_mask(args: list[Array]) -> Any:
    """Where all arguments are defined; None if everywhere."""
    mask: Any = None
    for arg in args:
        if arg.valid is not None:
            mask = arg.valid if mask is None else mask & arg.valid
    return mask


def chosen_mask(args: list[Array]) -> Any:
    """The defined elements of a selection: the condition and the selected side are defined."""
    if all(arg.valid is None for arg in args):
        return None
    condition = args[0]
    shape = np.broadcast_shapes(*(arg.data.shape for arg in args))
    masks = [np.ones((), np.bool_) if arg.valid is None else arg.valid for arg in args]
    return np.broadcast_to(masks[0] & np.where(condition.data, masks[1], masks[2]), shape)


@simple("arith.select")
def select(op: Operation, machine: Machine) -> Run:
    """Selects among values of any type; elementwise if the condition is a vector or tensor."""
    condition, left, right = op.operands
    result = op.results[0]
    if isinstance(condition.type, SHAPED):
        return elementwise(op, machine)
    on_tensors = isinstance(result.type, t.RankedTensorType)

    def run(env: Environment) -> None:
        chosen = env[condition]
        if on_tensors and (env[left].valid is not None or env[right].valid is not None):
            machine.undefined_reads += 1  # as above
        if chosen is POISON:
            x = env[left]
            if isinstance(x, Array):
                env[result] = Array(x.data, np.zeros(x.data.shape, np.bool_))
            elif isinstance(result.type, t.ShapedType):
                number(chosen, "the choice of a buffer")
            else:
                env[result] = undefined_value(result.type)
            return
        env[result] = env[left] if chosen else env[right]

    return run


@simple(*EXTENDED)
def two_results(op: Operation, machine: Machine) -> Run:
    """Integer operations with two results, computed element by element."""
    left, right = op.operands
    first, second = op.results
    shaped = isinstance(first.type, SHAPED)
    one, two = (storage(element_type(value.type)) for value in (first, second))
    width = storage(element_type(left.type)).width
    lower, upper = EXTENDED[op.name]

    def function(x: int, y: int) -> tuple[int, int]:
        low, high = (on_constants(equation, (int(x), int(y)), width) or 0 for equation in (lower, upper))
        return one.wrap(low), two.wrap(high)

    each = np.frompyfunc(function, 2, 2)

    def run(env: Environment) -> None:
        x, y = env[left], env[right]
        if shaped:
            valid = joint_mask([x, y])
            made = each(x.data, y.data)
            env[first] = Array(np.asarray(made[0], one.dtype), valid)
            env[second] = Array(np.asarray(made[1], two.dtype), valid)
        elif x is POISON or y is POISON:
            env[first] = env[second] = POISON
        else:
            env[first], env[second] = function(x, y)

    return run


@simple("math.sincos")
def sincos(op: Operation, machine: Machine) -> Run:
    operand = op.operands[0]
    sine, cosine = op.results
    held = storage(element_type(operand.type))

    def run(env: Environment) -> None:
        x = env[operand]
        if x is POISON:
            env[sine] = env[cosine] = POISON
        elif isinstance(x, Array):
            env[sine] = settled(held.round(np.sin(x.data)), x.valid)
            env[cosine] = settled(held.round(np.cos(x.data)), x.valid)
        else:
            env[sine], env[cosine] = held.round(np.sin(x)), held.round(np.cos(x))

    return run


def _register_elementwise() -> None:
    """Use `elementwise` for every operation of these dialects without a handler of its own."""
    from ..ir.text.registry import default_registry

    registry = default_registry()
    for dialect in ELEMENTWISE_DIALECTS:
        registry.load(dialect)
    for name in (*REGISTRY, *UNDECLARED):
        if name.partition(".")[0] in ELEMENTWISE_DIALECTS and handler(name) is None:
            simple(name)(elementwise)


_register_elementwise()
