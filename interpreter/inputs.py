"""Inputs of a function: dynamic sizes, tensor and buffer contents, scalars.

An `Input` describes an input before it is created: the sizes of each argument, a seed and a style for contents, and
the values of scalar arguments. So the same input can be created for the program before and after a transformation,
and reduced when it shows a difference. In most inputs floats are small integers, whose sums do not depend on their
order; others contain infinities, NaN, signed zeros and the extremes of integers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from ..dialects.common import OffsetSizeAndStrideOp, constant_index, static_values
from ..dialects.linalg.base import LinalgOp
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Value
from ..ir.program.interfaces import FunctionOp, LoopLikeOp, SelectLikeOp, SubsetInsertionOp
from ..ir.source import UnionFind, find
from ..ir.types import attributes as a, types as t
from ..ir.types.affine import AffineDim
from . import Unsupported
from .numbers import COMPLEX, FLOAT, INTEGER, NDArray, Storage, storage, storage_in, vector_shape
from .values import Array

# -- which dynamic sizes of a function's arguments must agree, with each other or with a constant. A product of
# matrices with dynamic sizes is defined only if their inner sizes are equal, but the types do not say so. Operations
# do: structured operations index several operands by one loop; casts and loops forward tensors. Each size of each
# value is a node; sizes that must be equal are merged (union-find, near-linear in the program). Indices and slices
# give lower bounds. The result is a guess that runs may refute.


Node = tuple[Value, int]


class SizeClasses:
    """Equivalence classes of sizes; a class may have a constant and a lower bound."""

    def __init__(self) -> None:
        self._parent = UnionFind[Node]()
        self.known: dict[Node, int] = {}
        self.least: dict[Node, int] = {}

    def find(self, node: Node) -> Node:
        """The representative of the class of `node`."""
        return find(self._parent, node)

    def add(self, value: Value) -> None:
        """Record the static sizes of a value's type."""
        shape = getattr(value.type, "shape", None)
        for i, size in enumerate(shape or ()):
            if size is not None:
                self.known.setdefault(self.find((value, i)), size)

    def join(self, one: Node, other: Node) -> None:
        a, b = self.find(one), self.find(other)
        if a == b:
            return
        self._parent[a] = b
        if a in self.known:
            self.known.setdefault(b, self.known[a])
        self.at_least(b, self.least.get(a, 0))

    def at_least(self, node: Node, size: int) -> None:
        root = self.find(node)
        self.least[root] = max(self.least.get(root, 0), size)

    def join_values(self, one: Value, other: Value) -> None:
        """Merge the sizes of two values of equal shape."""
        left, right = getattr(one.type, "shape", None), getattr(other.type, "shape", None)
        if left is not None and right is not None and len(left) == len(right):
            self.add(one)
            self.add(other)
            for i in range(len(left)):
                self.join((one, i), (other, i))


def argument_sizes(function: FunctionOp) -> SizeClasses:
    """The classes of sizes in a function. O(operations)."""
    classes = SizeClasses()
    for op in function.walk():
        for value in (*op.operands, *op.results):
            if isinstance(value.type, (t.RankedTensorType, t.MemRefType)):
                classes.add(value)
        if isinstance(op, LinalgOp):
            _join_loops(op, classes)
        elif op.name in ("tensor.cast", "memref.cast", "memref.copy", "bufferization.clone"):
            values = [*op.operands, *op.results]
            classes.join_values(values[0], values[1])
        elif op.name in ("bufferization.to_tensor", "bufferization.to_buffer"):
            classes.join_values(op.operands[0], op.results[0])
        elif op.has_trait(tr.ELEMENTWISE) or isinstance(op, SelectLikeOp):
            values = [v for v in (*op.operands, *op.results) if isinstance(v.type, t.RankedTensorType)]
            for value in values[1:]:
                classes.join_values(values[0], value)
        elif isinstance(op, LoopLikeOp):
            inits = [use.value for use in op.init_operands]
            for init, arg, yielded in zip(inits, op.region_iter_args, op.yielded_operands, strict=False):
                classes.join_values(init, arg)
                classes.join_values(arg, yielded.value)
            for init, result in zip(inits, op.results, strict=False):
                classes.join_values(init, result)
        elif isinstance(op, OffsetSizeAndStrideOp):
            _bound_slice(op, classes)
        elif op.name in ("tensor.extract", "memref.load", "tensor.insert", "memref.store"):
            _bound_index(op, classes)
    return classes


def _join_loops(op: LinalgOp, classes: SizeClasses) -> None:
    first: dict[int, Node] = {}
    for value, map_ in zip(op.operands, op.indexing_maps(), strict=True):
        for i, expr in enumerate(map_.results):
            if isinstance(expr, AffineDim):
                node = (value, i)
                classes.join(node, first.setdefault(expr.position, node))
    inits = op.operands[op.input_count :]
    for init, result in zip(inits, op.results, strict=False):
        classes.join_values(init, result)


def _bound_slice(op: OffsetSizeAndStrideOp, classes: SizeClasses) -> None:
    into = op.subset_destination().value if isinstance(op, SubsetInsertionOp) else None
    whole = into or op.operands[0]
    lists = [static_values(x) for x in (op.static_offsets, op.static_sizes, op.static_strides)]
    for i, (offset, size, stride) in enumerate(zip(*lists, strict=False)):
        last = (offset or 0) + ((size if size is not None else 1) - 1) * (stride if stride is not None else 1)
        classes.at_least((whole, i), last + 1)
    if op.results and into is not None:
        classes.join_values(into, op.results[0])


def _bound_index(op: Any, classes: SizeClasses) -> None:

    whole = op.operands[0 if op.name in ("tensor.extract", "memref.load") else 1]
    for i, index in enumerate(op.indices):
        at = constant_index(index)
        if at is not None and 0 <= at < 4096:
            classes.at_least((whole, i), at + 1)


PLAIN, BOUNDARY = "plain", "boundary"

MAX_SIZE = 128
"""Larger sizes are used only if a type requires them."""

UNIFORM = (4, 1, 0, 7, 16, 5, 33, 10)
FIRST_NUMBERS = (1, 0, 2, 3, 4)

UNRANKED_RANK = 2
"""The rank of unranked arguments."""


@dataclass(frozen=True, slots=True)
class Input:
    """An input of a function.

    Attributes:
        sizes: the shape of each tensor or memref argument, else None.
        scalars: the value of each integer or index argument, else None.
        seed: the seed of contents and floats.
        style: PLAIN or BOUNDARY contents.
        aliased: whether read-only buffers of equal type are the same buffer.
    """

    sizes: tuple[tuple[int, ...] | None, ...]
    scalars: tuple[int | None, ...]
    seed: int
    style: str = PLAIN
    aliased: bool = False

    def weight(self) -> tuple[int, int]:
        """The complexity of an input; smaller is simpler."""
        elements = sum(prod(s) for s in self.sizes if s is not None)
        return elements + sum(map(sum, (s for s in self.sizes if s))), sum(
            abs(n) for n in self.scalars if n is not None
        )


def _shape(type: t.Type) -> tuple[int | None, ...] | None:
    if isinstance(type, (t.RankedTensorType, t.MemRefType)):
        return type.shape
    if isinstance(type, (t.UnrankedTensorType, t.UnrankedMemRefType)):
        return (None,) * UNRANKED_RANK
    return None


def interesting_numbers(module: Operation) -> list[int]:
    """The static sizes and index constants of the program, which sizes and indices may have to match."""
    found: set[int] = set()
    for op in module.walk():
        for type in (*op.operand_types, *op.result_types):
            shape = _shape(type)
            if shape is not None:
                found.update(n for n in shape if n is not None and n <= MAX_SIZE)
        value = op.properties.get("value")
        if isinstance(value, a.IntegerAttr) and 0 <= value.value <= MAX_SIZE:
            found.add(value.value)
    return sorted(found)


def candidates(function: FunctionOp, module: Operation, seed: int, count: int) -> Iterator[Input]:
    """Up to `count` inputs for a function, simple and likely ones first. Raises Unsupported for types without
    inputs.

    Sizes of one class are chosen together; first all classes have the same size, then constants of the program.
    Running an input shows whether it is valid.
    """
    types: Sequence[t.Type] = function.function_type.inputs
    for type in types:
        check_type(type)
    numbers = interesting_numbers(module) or [4]
    randomness = random.Random(seed)
    classes = argument_sizes(function)
    args = function.regions[0].entry.args
    integers = [isinstance(type, (t.IntegerType, t.IndexType)) for type in types]
    conditions = [i for i, type in enumerate(types) if type is t.I1]
    indices = [i for i, type in enumerate(types) if type is t.INDEX]
    dynamic = any(None in (_shape(type) or ()) for type in types)

    def sizes(choose: Any, bounded: bool) -> tuple[tuple[int, ...] | None, ...]:
        chosen: dict[Any, int] = {}
        made: list[tuple[int, ...] | None] = []
        for arg, type in zip(args, types, strict=True):
            shape = _shape(type)
            if shape is None:
                made.append(None)
                continue
            extents: list[int] = []
            for i, size in enumerate(shape):
                root = classes.find((arg, i))
                if size is None and root not in chosen:
                    picked = classes.known.get(root)
                    picked = choose() if picked is None else picked
                    chosen[root] = max(picked, classes.least.get(root, 0)) if bounded else picked
                extents.append(chosen[root] if size is None else size)
            made.append(tuple(extents))
        return tuple(made)

    for made in range(count):
        uniform = UNIFORM[made % len(UNIFORM)] if dynamic else 4
        if made < 2 * len(UNIFORM):
            extents = sizes(lambda uniform=uniform: uniform, made < len(UNIFORM))
        else:
            extents = sizes(lambda: randomness.choice([*numbers, 0, 1, 2, 4, 5, 8]), made % 3 != 0)
        if made < 8:
            start = FIRST_NUMBERS[made % len(FIRST_NUMBERS)]
            scalars = _first_numbers(types, start, made)
        elif made % 2:
            scalars = [randomness.randint(0, 5) if is_integer else None for is_integer in integers]
        else:
            pool = [*numbers, 0, 1, 2, uniform]
            scalars = [randomness.choice(pool) if is_integer else None for is_integer in integers]
        if made >= 4:  # cover the combinations of a few conditions
            for nth, i in enumerate(conditions):
                scalars[i] = made >> nth & 1
        if made >= 4 and made % 4 == 2 and indices:
            scalars[indices[made // 4 % len(indices)]] = numbers[-1]  # just out of bounds
        if made % 8 == 5:  # where they are no places, but numbers to compute with
            scalars = [-n if n and type is t.INDEX else n for n, type in zip(scalars, types, strict=True)]
        style = BOUNDARY if made % 4 == 3 else PLAIN
        if style == BOUNDARY:
            scalars = list(map(_edge, types, scalars, _edges(len(types), made, randomness)))
        yield Input(extents, tuple(scalars), randomness.getrandbits(32), style, made % 5 == 4)


def _first_numbers(types: Sequence[t.Type], start: int, made: int) -> list[int | None]:
    """Small numbers: the same for all arguments first, then different ones, by which arguments that are exchanged are told apart."""
    found: list[int | None] = []
    before: dict[t.Type, int] = {}
    for type in types:
        if not isinstance(type, (t.IntegerType, t.IndexType)):
            found.append(None)
            continue
        nth = before.get(type, 0)
        before[type] = nth + 1
        if type is t.INDEX:  # likely a place, and so no larger ones
            found.append(start if made < 3 else max(start - nth, 0))
        else:
            found.append(start if made < 1 else start + nth)
    return found


def _edges(count: int, made: int, randomness: random.Random) -> list[int]:
    """Which extreme values the arguments have: the same, different ones, numbers that differ in one bit, random ones."""
    if made < 8:
        return [0 if made < 4 else i % 5 for i in range(count)]
    if made < 16:
        return [OTHER_BIT + made // 4 % 2 if i % 2 else SMALL for i in range(count)]
    return [randomness.randrange(EDGES) for _ in range(count)]


SMALL, OTHER_BIT, EDGES = 5, 6, 8
"""Of the extreme values of an integer type: a small number, two that differ from it in one bit; how many there are."""


def _edge(type: t.Type, number: int | None, edge: int) -> int | None:
    """An extreme value of an integer type; indices, which usually must be in bounds, are unchanged."""
    if number is None or not isinstance(type, t.IntegerType) or type.width < 2:
        return number
    half = 1 << (type.width - 1)
    far = 1 << (type.width // 2)  # the same lower bits
    return (half - 1, -half, -1, number, -number - 1, 1, 1 ^ far, 1 ^ half)[edge]


def smaller(input: Input, types: Sequence[t.Type]) -> Iterator[Input]:
    """Inputs that are simpler than `input` in one respect, largest reduction first."""
    shapes = [_shape(type) for type in types]
    if input.style != PLAIN:
        yield replace(input, style=PLAIN)
    if input.aliased:
        yield replace(input, aliased=False)
    seen = sorted(
        {
            n
            for sizes, shape in zip(input.sizes, shapes, strict=True)
            if sizes and shape
            for n, known in zip(sizes, shape, strict=True)
            if known is None
        },
        reverse=True,
    )
    for old in seen:
        for new in dict.fromkeys((0, 1, 2, old // 2, old - 1)):
            if 0 <= new < old:
                yield replace(
                    input,
                    sizes=tuple(
                        sizes
                        if sizes is None or shape is None
                        else tuple(
                            new if known is None and n == old else n
                            for n, known in zip(sizes, shape, strict=True)
                        )
                        for sizes, shape in zip(input.sizes, shapes, strict=True)
                    ),
                )
    for i, scalar in enumerate(input.scalars):
        if scalar:
            for new in dict.fromkeys((0, 1, scalar // 2, scalar - 1)):
                if 0 <= new < scalar:
                    yield replace(input, scalars=(*input.scalars[:i], new, *input.scalars[i + 1 :]))


def check_type(type: t.Type) -> None:
    """Raises Unsupported if values of `type` cannot be created."""
    if isinstance(type, t.ShapedType):
        if getattr(type, "encoding", None) is not None and "sparse" in str(getattr(type, "encoding", "")):
            raise Unsupported(f"arguments of type '{type}' are not supported")
        held = storage(type.element)
    else:
        held = storage(type)
    if held.kind not in (INTEGER, FLOAT, COMPLEX):
        raise Unsupported(f"arguments of type '{type}' are not supported")


def contents(held: Storage, shape: tuple[int, ...], generator: np.random.Generator, style: str) -> NDArray:
    """Random elements, as an array of `shape`."""
    full = shape + held.suffix
    if held.kind == INTEGER:
        if held.width == 1:
            return generator.integers(0, 2, full).astype(np.bool_)
        low, high = (0, 8) if isinstance(held.type, t.IndexType) else (-8, 9)
        values = generator.integers(low, high, full)
        if style == BOUNDARY and not isinstance(held.type, t.IndexType):
            edges = [held.wrap(1 << (held.width - 1)), held.wrap((1 << (held.width - 1)) - 1), -1, 0]
            chosen = generator.integers(0, 8, full)
            values = values.astype(object)
            for i, edge in enumerate(edges):
                values[chosen == i] = edge
        return held.from_numbers(values)
    values = generator.integers(-8, 9, full).astype(np.float64)
    if style == BOUNDARY:
        chosen = generator.integers(0, 16 if full else 8, full)
        for i, edge in enumerate((np.inf, -np.inf, np.nan, -0.0, 1e-30, 0.5)):
            values[chosen == i] = edge
    if held.kind == COMPLEX:
        return (values + 1j * generator.integers(-8, 9, full)).astype(held.dtype)
    with np.errstate(all="ignore"):
        return held.from_numbers(values)


def materialize(input: Input, types: Sequence[t.Type]) -> list[Any]:
    """The arguments that an input describes: arrays for tensors, memrefs and vectors, scalars for the rest."""
    generator = np.random.default_rng(input.seed)
    args: list[Any] = []
    for type, sizes, scalar in zip(types, input.sizes, input.scalars, strict=True):
        if sizes is not None:
            args.append(Array(contents(storage_in(type), sizes, generator, input.style)))
        elif isinstance(type, t.VectorType):
            args.append(Array(contents(storage(type.element), vector_shape(type), generator, input.style)))
        else:
            held = storage(type)
            if scalar is not None:
                args.append(held.wrap(scalar))
            else:
                args.append(held.dtype.type(contents(held, (), generator, input.style)[()]))
    return args


def unwritable(function: FunctionOp, position: int) -> bool:
    """Whether a function argument is marked read-only."""
    attrs = function.properties.get("arg_attrs")
    if not isinstance(attrs, a.ArrayAttr) or position >= len(attrs):
        return False
    entry = attrs[position]
    value = entry.get("bufferization.writable") if isinstance(entry, a.DictionaryAttr) else None
    return isinstance(value, a.IntegerAttr) and not value.value
