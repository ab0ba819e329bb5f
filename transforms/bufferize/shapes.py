"""Sizes and offsets computed during bufferization, and sizes of a tensor as values, for an allocation of the same shape.

Most operations can reify the shape of a result in terms of their operands (MLIR's ReifyRankedShapedTypeOpInterface); for
other values, `tensor.dim` is used. Operations that turn out to be dead stay, as in mlir-opt; canonicalization removes them.

An entry is a number or a value (`Mixed`, like OpFoldResult). Constant values are folded to numbers, and `affine.apply` operands
are composed, so that one operation has the whole expression.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from ...analysis.causes import Cause
from ...analysis.models.base import owner_of
from ...dialects import bufferization, tensor
from ...dialects.common import Mixed, constant_index
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpResult, Value
from ...ir.program.interfaces import Product, Size, Sum
from ...ir.source.diagnostics import expect, present
from ...ir.types import types as t
from ...ir.types.affine import (
    AffineConstant,
    AffineDim,
    AffineExpr,
    AffineSymbol,
    constant,
    dim as dimension,
    symbol,
)
from ...ir.types.affine_map import AffineMap
from ...ir.types.attributes import AffineMapAttr
from ...semantics.folds.affine_ranges import coefficients
from ...semantics.integers import is_apply
from .. import makers
from .inference import TypeInference, failed

if TYPE_CHECKING:
    from ...dialects.linalg.base import LinalgOp


def _apply_op() -> type[Operation]:
    """The class of `affine.apply`, whose dialect is imported lazily."""
    from ...dialects.affine import ApplyOp

    return ApplyOp


def apply_unfolded(b: Builder, expression: AffineExpr, operands: Sequence[Value]) -> Value:
    """`affine.apply` of an expression over symbols, exactly as given."""
    map = AffineMap(0, len(operands), (expression,))
    op = _apply_op()(operands, (t.INDEX,), None, {"map": AffineMapAttr(map)})
    return b.insert(op).results[0]


def apply(
    b: Builder,
    combine: Callable[[list[AffineExpr]], AffineExpr],
    entries: Sequence[Mixed],
    *,
    fold: bool = True,
    linear: bool = True,
    as_dims: bool = False,
) -> Mixed:
    """The expression that `combine` builds from the entries, as one `affine.apply`; a number or a value if it folds to that.

    The entries are symbols of the expression, or with `as_dims` dimensions, followed by the operands of `affine.apply`
    entries. Then dimensions that are valid affine symbols become symbols, and symbols that are valid dimensions only become
    dimensions; what is neither stays what it was. Without `fold` an operation is always created; without `linear` the terms
    keep the order of `combine`, otherwise dimensions come first. O(operations of the `affine.apply` chains behind the entries).
    """
    leaves = _Leaves()
    for entry in entries:
        if isinstance(entry, Value) and not _is_applied(entry) and constant_index(entry) is None:
            leaves.of(entry, as_dims)
    expression = combine([_expression_of(entry, leaves, as_dims) for entry in entries])
    if linear:
        expression = _in_linear_form(expression, len(leaves.dims), len(leaves.symbols))
    if fold and isinstance(expression, AffineConstant):
        return expression.value
    if fold and isinstance(expression, AffineDim):
        return list(leaves.dims)[expression.position]
    if fold and isinstance(expression, AffineSymbol):
        return list(leaves.symbols)[expression.position]
    expression, dims, symbols = _settled(expression, leaves, _place(b))
    if linear:
        expression = _in_linear_form(expression, len(dims), len(symbols))
    map = AffineMap(len(dims), len(symbols), (expression,))
    op = _apply_op()((*dims, *symbols), (t.INDEX,), None, {"map": AffineMapAttr(map)})
    return b.insert(op).results[0]


class _Leaves:
    """The values of an expression, each as a dimension or as a symbol, in order of first use."""

    def __init__(self) -> None:
        self.dims: dict[Value, AffineExpr] = {}
        self.symbols: dict[Value, AffineExpr] = {}

    def of(self, value: Value, as_dim: bool) -> AffineExpr:
        if as_dim:
            return self.dims.setdefault(value, dimension(len(self.dims)))
        return self.symbols.setdefault(value, symbol(len(self.symbols)))


def _settled(
    expression: AffineExpr, leaves: _Leaves, place: Operation
) -> tuple[AffineExpr, list[Value], list[Value]]:
    """The expression over what `affine.apply` accepts as dimensions and as symbols, without unused ones."""
    from ...dialects.affine.maps import affine_scope, is_valid_dim, is_valid_symbol

    scope = affine_scope(place)
    used = {leaf for leaf in expression.walk() if isinstance(leaf, AffineDim | AffineSymbol)}
    settled = _Leaves()
    found: dict[AffineExpr, AffineExpr] = {}
    moved: list[tuple[AffineExpr, Value, bool]] = []
    for value, leaf in leaves.dims.items():
        if leaf in used and is_valid_symbol(value, scope):
            moved.append((leaf, value, False))
        elif leaf in used:
            found[leaf] = settled.of(value, True)
    for value, leaf in leaves.symbols.items():
        if leaf in used and is_valid_dim(value, scope) and not is_valid_symbol(value, scope):
            moved.append((leaf, value, True))
        elif leaf in used:
            found[leaf] = settled.of(value, False)
    for leaf, value, as_dim in moved:
        found[leaf] = settled.of(value, as_dim)
    expression = expression.replace(
        [found.get(leaf, constant(0)) for leaf in leaves.dims.values()],
        [found.get(leaf, constant(0)) for leaf in leaves.symbols.values()],
    )
    return expression, list(settled.dims), list(settled.symbols)


def add(b: Builder, entries: Sequence[Mixed], *, as_dims: bool = False) -> Mixed:
    """The sum of the entries; see `apply`."""
    return apply(b, _sum, entries, as_dims=as_dims)


def multiply(b: Builder, entries: Sequence[Mixed]) -> Mixed:
    """The product of the entries, always by an `affine.apply`."""
    return apply(b, _product, entries, fold=False)


def _sum(terms: list[AffineExpr]) -> AffineExpr:
    total: AffineExpr = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def _product(factors: list[AffineExpr]) -> AffineExpr:
    total: AffineExpr = factors[0]
    for factor in factors[1:]:
        total = total * factor
    return total


def _in_linear_form(expression: AffineExpr, num_dims: int, num_symbols: int) -> AffineExpr:
    """The expression as a sum of multiples of dimensions, then of symbols, and a constant; unchanged if it is not linear."""
    factors = coefficients(expression, num_dims, num_symbols)
    if factors is None:
        return expression
    names = [*map(dimension, range(num_dims)), *map(symbol, range(num_symbols))]
    result: AffineExpr = constant(0)
    for name, factor in zip(names, factors, strict=False):
        result = result + name * factor
    return result + factors[-1]


def _is_applied(value: Value) -> bool:
    return is_apply(value.defining_op)


def _expression_of(entry: Mixed, leaves: _Leaves, as_dim: bool) -> AffineExpr:
    """The entry as an expression over `leaves`; adds new leaves."""
    known = constant_index(entry)
    if known is not None:
        return constant(known)
    assert isinstance(entry, Value)
    op = entry.defining_op
    if op is None or not _is_applied(entry):
        return leaves.of(entry, as_dim)
    # Chains of `affine.apply` may be long, hence iterative: first the operations in topological order, then their expressions.
    order: list[Operation] = []
    seen: set[Operation] = set()
    pending: list[tuple[Operation, bool]] = [(op, False)]
    while pending:
        current, done = pending.pop()
        if done:
            order.append(current)
            continue
        if current in seen:
            continue
        seen.add(current)
        pending.append((current, True))
        for value in reversed(current.operands):
            source = value.defining_op
            if is_apply(source):
                pending.append((source, False))
    found: dict[Value, AffineExpr] = {}
    for current in order:
        map = expect(AffineMapAttr, current.properties["map"]).map
        parts: list[AffineExpr] = []
        for position, value in enumerate(current.operands):
            part = found.get(value)
            if part is None:
                number = constant_index(value)
                is_dim = position < map.num_dims
                part = constant(number) if number is not None else leaves.of(value, is_dim)
            parts.append(part)
        found[current.results[0]] = map.results[0].replace(parts[: map.num_dims], parts[map.num_dims :])
    return found[entry]


def _place(b: Builder) -> Operation:
    return present(b.anchor or b.block.last_op or b.block.parent_op)


Shape = Sequence[Mixed]


def allocation_like(
    b: Builder,
    types: TypeInference,
    value: Value,
    cause: Cause,
    *,
    copied: bool,
    shape_of: Callable[[Builder, OpResult], Shape | None] | None = None,
) -> bufferization.AllocTensorOp:
    """An `alloc_tensor` (not inserted) for a tensor like `value`, its sizes computed at the insertion point of `b`.

    `shape_of` computes them if it is not `reify`.

    Raises:
        RewriteFailed: `value` is unranked, or has no memory space.
    """
    type = value.type
    if not isinstance(type, t.RankedTensorType):
        raise failed(owner_of(value), "copying of unranked tensors is not implemented")
    if copied:
        return makers.alloc_tensor(type, cause, (), value)
    sizes: list[Value] = []
    shape = (shape_of or reify)(b, value) if isinstance(value, OpResult) else None
    if shape is None:
        sizes = [dim(b, value, i) for i, size in enumerate(type.shape) if size is None]
    else:
        sizes = [makers.as_value(b, shape[i]) for i, size in enumerate(type.shape) if size is None]
    space = types.of(value).memory_space
    return makers.alloc_tensor(type, cause, sizes, None, space)


def dim(b: Builder, value: Value, position: int) -> Value:
    """`tensor.dim`, with a constant for the dimension."""
    index = makers.index(b, position)
    return b.insert(tensor.DimOp((value, index), (t.INDEX,))).results[0]


def folded_dim(b: Builder, value: Value, position: int) -> Value:
    """`tensor.dim`, or what it folds to; the constant for the dimension is created in either case."""
    return makers.or_fold(b, tensor.DimOp((value, makers.index(b, position)), (t.INDEX,)), once=True)


def folded_buffer_dim(b: Builder, buffer: Value, position: int) -> Value:
    """`memref.dim`, or what it folds to; the constant for the dimension is created in either case."""
    return makers.or_fold(b, makers.dim(buffer, makers.index(b, position)))


def mixed_sizes(b: Builder, value: Value) -> list[Mixed]:
    """The shape of a ranked tensor: numbers for static sizes, else `tensor.dim`."""
    type = expect(t.RankedTensorType, value.type)
    return [folded_dim(b, value, i) if size is None else size for i, size in enumerate(type.shape)]


def reify(b: Builder, value: OpResult) -> Shape | None:
    """The shape of a result in terms of its operation's operands; None if the operation cannot reify it."""
    op = value.owner
    if op.dialect == "linalg":  # whose modules are many: imported only for programs that use it
        from ...dialects import linalg

        if isinstance(op, linalg.LinalgOp):
            return of_structured(b, op, value.index)
        if isinstance(op, linalg.PackOp | linalg.UnPackOp):
            return mixed_sizes(b, op.dps_inits()[0].value)
        return mixed_sizes(b, op.operands[0]) if isinstance(op, linalg.SoftmaxOp) else None
    if isinstance(op, tensor.SliceInsertionOp | bufferization.MaterializeInDestinationOp):
        return mixed_sizes(b, op.subset_destination().value) if op.results else None
    if not isinstance(op, REIFIED) or not isinstance(value.type, t.RankedTensorType):
        return None
    shape: list[Any] = list(value.type.shape)
    said = {i: op.size_of(value, i) for i, size in enumerate(shape) if size is None}
    for i in sorted(said, key=lambda i: isinstance(said[i], Sum | Product)):
        shape[i] = emitted(b, said[i])
    return shape


def emitted(b: Builder, size: Size) -> Mixed:
    """A size as mlir-opt emits it."""
    if isinstance(size, tuple):
        return dim(b, *size)
    if not isinstance(size, Sum | Product):
        assert isinstance(size, Value | int)
        return makers.as_value(b, size)
    parts: list[Any] = [folded_dim(b, *part) if isinstance(part, tuple) else part for part in size.parts]
    if isinstance(size, Product):
        return multiply(b, parts)
    return add(b, parts, as_dims=True)


REIFIED: Final = (
    bufferization.AllocTensorOp,
    tensor.CollapseShapeOp,
    tensor.ConcatOp,
    tensor.EmptyOp,
    tensor.ExpandShapeOp,
    tensor.ExtractSliceOp,
    tensor.GenerateOp,
    tensor.PadOp,
    tensor.SplatOp,
)
"""Operations whose shapes mlir-opt reifies; those of others are known as well, but not used."""


def of_structured(b: Builder, op: LinalgOp, result: int, every: bool = False) -> Shape:
    """The shape by the indexing maps: each dimension has the size of a loop, which is that of some operand's dimension.

    As in mlir-opt, the sizes of all operands are emitted first; a result dimension whose loop first occurs in the
    outputs emits the output's size again. With `every`, static sizes are emitted as well.
    """
    flat: list[Mixed] = []
    starts: list[int] = []
    for use in op.op_operands:
        starts.append(len(flat))
        type = use.value.type
        sizes = type.shape if isinstance(type, t.RankedTensorType | t.MemRefType) else ()
        for i, size in enumerate(sizes):
            flat.append(folded_dim(b, use.value, i) if size is None else size)
    maps = op.indexing_maps()
    loop_sources = _positions_of_loops([e for map in maps for e in map.results], op.loop_count)
    outputs_from = starts[op.input_count] if op.input_count < len(starts) else len(flat)
    shapes: list[list[Mixed]] = []
    for init in op.dps_inits():
        type = expect(t.RankedTensorType, init.value.type)
        map: AffineMap = maps[init.index]
        shape: list[Mixed] = []
        for i, (size, expression) in enumerate(zip(type.shape, map.results, strict=True)):
            if size is not None and not every:
                shape.append(size)
                continue
            source = loop_sources[expression.position] if isinstance(expression, AffineDim) else None
            if source is None or source >= outputs_from:
                shape.append(folded_dim(b, init.value, i))
            else:
                shape.append(makers.as_value(b, flat[source]))
        shapes.append(shape)
    return shapes[result]


def _positions_of_loops(expressions: Sequence[object], loops: int) -> list[int | None]:
    """For each loop, the position of the first expression that consists of it alone."""
    positions: list[int | None] = [None] * loops
    for position, expression in enumerate(expressions):
        if isinstance(expression, AffineDim) and positions[expression.position] is None:
            positions[expression.position] = position
    return positions
