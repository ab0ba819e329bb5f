"""Which unknown sizes of a function's arguments must agree, with each other or with a number.

A program that multiplies two matrices of unknown sizes makes sense only where their inner sizes are equal, but its types
do not say so. Operations do: structured ones index several operands by one loop, casts and loops pass a tensor on. Each
size of each value is a node; those that must be equal are joined (union-find, near-linear in the program). What an
index or a slice asks for is a lower bound. The result is a guess: runs find out whether it makes sense.
"""

from __future__ import annotations

from typing import Any

from ..dialects.common import OffsetSizeAndStrideOp, static_values
from ..dialects.linalg.base import LinalgOp
from ..ir.program import traits as tr
from ..ir.program.core import Value
from ..ir.program.interfaces import FunctionOp, LoopLikeOp, SubsetInsertionOp
from ..ir.source.forest import Joined, find
from ..ir.types import types as t
from ..ir.types.affine import AffineDim

Node = tuple[Value, int]


class SizeClasses:
    """Sizes of values, joined where they must be equal; a class may have a number, and a least size."""

    def __init__(self) -> None:
        self._parent = Joined[Node]()
        self.known: dict[Node, int] = {}
        self.least: dict[Node, int] = {}

    def find(self, node: Node) -> Node:
        """What stands for the class of `node`."""
        return find(self._parent, node)

    def add(self, value: Value) -> None:
        """Take over what the type of a value says."""
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
        """Two values of equal shape."""
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
        elif op.has_trait(tr.ELEMENTWISE) or op.name == "arith.select":
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
    from ..dialects.common import constant_index

    whole = op.operands[0 if op.name in ("tensor.extract", "memref.load") else 1]
    for i, index in enumerate(op.indices):
        at = constant_index(index)
        if at is not None and 0 <= at < 4096:
            classes.at_least((whole, i), at + 1)
