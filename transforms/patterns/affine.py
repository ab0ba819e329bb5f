"""Canonicalization of `affine`: composed maps, decided conditions, trivial loops.

Conditions and loop bounds are composed by folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Final

from ...dialects import affine, memref
from ...dialects.affine.control_flow import IfOp
from ...dialects.affine.indices import ApplyOp, DelinearizeIndexOp, LinearizeIndexOp
from ...dialects.common import DYNAMIC, Mixed, mixed
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program import traits as tr
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.program.symbols import SymbolTable
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineConstant, AffineDim, AffineExpr, AffineSymbol, dim, symbol
from ...ir.types.affine_map import AffineMap
from ...semantics.folds import integer_of, materialize
from ...semantics.folds.affine_ranges import Applied, coefficients
from ...semantics.folds.tensor import element_of
from .. import makers
from ..rewriting.rewriter import Pattern, Rewriter
from .region_branch import has_only_terminator, replace_by_region

# -- delinearized and linearized indices: unit dimensions, and pairs that undo each other


def _basis(op: DelinearizeIndexOp | LinearizeIndexOp) -> list[Mixed]:
    return mixed(op.dynamic_basis, op.static_basis)


def _sizes(op: DelinearizeIndexOp | LinearizeIndexOp) -> list[Mixed | None]:
    """A size for each index; None for a first one that the basis omits."""
    count = len(op.results) if isinstance(op, DelinearizeIndexOp) else len(op.multi_index)
    basis = _basis(op)
    return [*([None] * (count - len(basis))), *basis]


def _product(at: Builder, sizes: Sequence[Mixed | None]) -> Mixed | None:
    from ..bufferize.shapes import apply  # the affine dialect is imported only for programs that use it

    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes):
        return None
    return apply(at, lambda factors: reduce(mul, factors), known)


def _split_basis(basis: Sequence[Mixed]) -> tuple[list[Value], a.DenseArrayAttr]:
    values = [size for size in basis if isinstance(size, Value)]
    static = tuple(size if isinstance(size, int) else DYNAMIC for size in basis)
    return values, a.DenseArrayAttr(t.I64, static)


def _split(at: Builder, index: Value, basis: Sequence[Mixed], count: int) -> Sequence[Value]:
    values, static = _split_basis(basis)
    made = DelinearizeIndexOp([index, *values], [t.INDEX] * count, None, {"static_basis": static})
    return at.insert(made).results


def _join(at: Builder, indices: Sequence[Value], basis: Sequence[Mixed], disjoint: a.Attribute) -> Value:
    values, static = _split_basis(basis)
    segments = a.DenseArrayAttr(t.I32, (len(indices), len(values)))
    properties: dict[str, a.Attribute] = {
        "static_basis": static,
        "disjoint": disjoint,
        OPERAND_SEGMENTS: segments,
    }
    return at.insert(LinearizeIndexOp([*indices, *values], (t.INDEX,), None, properties)).linear_index


def _split_without_units(op: DelinearizeIndexOp, rewriter: Rewriter) -> bool:
    """An index into a dimension of size 1 is 0."""
    basis = _basis(op)
    lead = len(op.results) - len(basis)
    kept = [i for i in range(len(op.results)) if i < lead or basis[i - lead] != 1]
    if len(kept) == len(op.results):
        return False
    at = rewriter.before(op)
    zero = makers.index(at, 0)
    values: list[Value] = [zero] * len(op.results)
    if kept:
        found = _split(at, op.linear_index, [basis[i - lead] for i in kept if i >= lead], len(kept))
        for i, value in zip(kept, found, strict=True):
            values[i] = value
    return rewriter.replace(op, values)


def _joined(op: DelinearizeIndexOp) -> LinearizeIndexOp | None:
    """The linearization that defines the delinearized index, if its indices are promised to be in bounds."""
    joined = op.linear_index.defining_op
    return joined if isinstance(joined, LinearizeIndexOp) and joined.disjoint else None


def _split_what_was_joined(op: DelinearizeIndexOp, rewriter: Rewriter) -> bool:
    """Trailing results are the linearized indices as long as the sizes agree."""
    joined = _joined(op)
    if joined is None:
        return False
    ours, theirs, indices = _basis(op), _basis(joined), list(joined.multi_index)
    same = 0
    while same < min(len(ours), len(theirs)) and ours[-1 - same] == theirs[-1 - same]:
        same += 1
    if not same:
        return False
    values = indices[-same:]
    left = len(op.results) - same
    if left:
        if len(indices) == same:
            return False
        rest = theirs[: len(theirs) - same]
        at = rewriter.before(op)
        index = _join(at, indices[:-same], rest, joined.disjoint_property)
        values = [*_split(at, index, ours[: len(ours) - same], left), *values]
    return rewriter.replace(op, values)


def _join_without_units(op: LinearizeIndexOp, rewriter: Rewriter) -> bool:
    """Drop the index of a unit dimension if it is 0 or promised to be in bounds."""
    basis, indices = _basis(op), list(op.multi_index)
    lead = len(indices) - len(basis)
    kept = [
        i
        for i in range(len(indices))
        if i < lead or basis[i - lead] != 1 or not (op.disjoint or integer_of(indices[i]) == 0)
    ]
    if len(kept) == len(indices):
        return False
    at = rewriter.before(op)
    if not kept:
        return rewriter.replace(op, [makers.index(at, 0)])
    sizes = [basis[i - lead] for i in kept if i >= lead]
    return rewriter.replace(op, [_join(at, [indices[i] for i in kept], sizes, op.disjoint_property)])


def _join_without_leading_zero(op: LinearizeIndexOp, rewriter: Rewriter) -> bool:
    basis, indices = _basis(op), list(op.multi_index)
    if len(indices) < 2 or integer_of(indices[0]) != 0:
        return False
    sizes = basis[1:] if len(basis) == len(indices) else basis
    return rewriter.replace(op, [_join(rewriter.before(op), indices[1:], sizes, op.disjoint_property)])


def _split_last_of_joined(op: DelinearizeIndexOp, rewriter: Rewriter) -> bool:
    """Trailing sizes whose product is the last linearized size delinearize the last index alone."""
    joined = _joined(op)
    if joined is None:
        return False
    ours, theirs, indices = _basis(op), _basis(joined), list(joined.multi_index)
    target = theirs[-1] if theirs else None
    product, count = 1, 0
    while isinstance(target, int) and product < target and count < len(ours):
        count += 1
        size = ours[-count]
        if not isinstance(size, int):
            return False
        product *= size
    if product != target or count < 2:
        return False
    at = rewriter.before(op)
    index = _join(at, indices[:-1], theirs[:-1], joined.disjoint_property)
    first = _split(at, index, ours[:-count], len(op.results) - count)
    return rewriter.replace(op, [*first, *_split(at, indices[-1], ours[-count:], count)])


@dataclass(frozen=True, slots=True)
class _Part:
    """Indices of a linearization from `start`: `length` consecutive results of one delinearization, from its
    result `first`."""

    split: DelinearizeIndexOp
    start: int
    first: int
    length: int


def _parts_split_before(op: LinearizeIndexOp) -> list[_Part]:
    """Runs of indices that come from one delinearization over the same sizes; at most one run of each."""
    indices, sizes = list(op.multi_index), _sizes(op)
    parts: list[_Part] = []
    at = 0
    while at < len(indices):
        split = indices[at].defining_op
        if not isinstance(split, DelinearizeIndexOp):
            at += 1
            continue
        results, theirs = split.results, _sizes(split)
        first = next(i for i, result in enumerate(results) if result is indices[at])
        # the first size of all matters on neither side, nor does one that `disjoint` promises
        agrees = sizes[at] == theirs[first] or (
            first == 0 and (at == 0 or (op.disjoint and theirs[0] is None))
        )
        length = 1
        while (
            at + length < len(indices)
            and first + length < len(results)
            and indices[at + length] is results[first + length]
            and sizes[at + length] == theirs[first + length]
        ):
            length += 1
        if not agrees or length < 2 or any(part.split is split for part in parts):
            at += 1
            continue
        parts.append(_Part(split, at, first, length))
        at += length
    return parts


def _join_what_was_split(op: LinearizeIndexOp, rewriter: Rewriter) -> bool:
    """Indices delinearized and linearized over the same sizes cancel, as a whole or a run of them."""
    parts = _parts_split_before(op)
    if not parts:
        return False
    indices, sizes = list(op.multi_index), _sizes(op)
    new_indices, new_sizes = list[Value](), list[Mixed | None]()
    replaced: list[tuple[DelinearizeIndexOp, list[Value]]] = []
    end = 0
    for part in parts:
        new_indices += indices[end : part.start]
        new_sizes += sizes[end : part.start]
        end = part.start + part.length
        merged, split = sizes[part.start : end], part.split
        at = rewriter.before(split)
        size = _product(at, merged)
        new_sizes.append(size)
        if part.length == len(split.results):
            new_indices.append(split.linear_index)
            continue
        theirs = _sizes(split)
        theirs[part.first : part.first + part.length] = [size]
        found = list(_split(at, split.linear_index, _given(theirs), len(theirs)))
        again = _split(at, found[part.first], _given(merged), part.length)
        replaced.append((split, [*found[: part.first], *again, *found[part.first + 1 :]]))
        new_indices.append(found[part.first])
    new_indices += indices[end:]
    new_sizes += sizes[end:]
    rewriter.replace(op, [_join(rewriter.before(op), new_indices, _given(new_sizes), op.disjoint_property)])
    for split, values in replaced:
        rewriter.replace(split, values)
    return True


def _given(sizes: Sequence[Mixed | None]) -> list[Mixed]:
    return [size for size in sizes if size is not None]


INDEX_PATTERNS: Final = {
    DelinearizeIndexOp: (_split_without_units, _split_what_was_joined, _split_last_of_joined),
    LinearizeIndexOp: (_join_without_units, _join_without_leading_zero, _join_what_was_split),
}


def _map_of(op: Operation, key: str = "map") -> AffineMap:
    return expect(a.AffineMapAttr, op.properties[key]).map


def simplify_map(start: int) -> Pattern:
    """Compose and canonicalize the map; its operands begin at position `start`."""

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        map = _map_of(op)
        before = op.operands
        applied = Applied(map.results, map.num_dims, before[start:], op)
        applied.compose()
        applied.use_ranges()
        new = AffineMap(len(applied.dims), len(applied.symbols), applied.exprs)
        operands = [*before[:start], *applied.operands]
        if new is map and _same(operands, before):
            return False
        properties = {**op.properties, "map": a.AffineMapAttr(new)}
        made = op.__class__(operands, op.result_types, op.attributes, properties)
        return rewriter.replace_with(op, made)

    return pattern


def _same(left: list[Value], right: list[Value]) -> bool:
    return len(left) == len(right) and all(x is y for x, y in zip(left, right, strict=True))


# -- min and max


def _single_bound(op: Operation, rewriter: Rewriter) -> bool:
    """The minimum or maximum of a single expression is that expression."""
    if len(_map_of(op).results) != 1:
        return False
    return rewriter.replace_with(op, ApplyOp(op.operands, (t.INDEX,), op.attributes, dict(op.properties)))


def _distinct_bounds(op: Operation, rewriter: Rewriter) -> bool:
    map = _map_of(op)
    distinct = list(dict.fromkeys(map.results))
    if len(distinct) == len(map.results):
        return False
    new = AffineMap(map.num_dims, map.num_symbols, distinct)
    return rewriter.replace_with(
        op, op.__class__(op.operands, (t.INDEX,), op.attributes, {"map": a.AffineMapAttr(new)})
    )


def _bounds_of_bounds(op: Operation, rewriter: Rewriter) -> bool:
    """Flatten a minimum of minima, and a maximum of maxima."""
    map, operands = _map_of(op), op.operands
    kept: list[AffineExpr] = []
    inner: dict[Operation, None] = {}
    for expr in map.results:
        place = None
        if isinstance(expr, AffineDim):
            place = expr.position
        elif isinstance(expr, AffineSymbol):
            place = map.num_dims + expr.position
        made_by = operands[place].defining_op if place is not None else None
        if made_by is not None and made_by.name == op.name and made_by is not op:
            inner[made_by] = None
        else:
            kept.append(expr)
    if not inner:
        return False
    dims, symbols = operands[: map.num_dims], operands[map.num_dims :]
    for other in inner:
        theirs = _map_of(other)
        shifted = [dim(len(dims) + i) for i in range(theirs.num_dims)]
        renamed = [symbol(len(symbols) + i) for i in range(theirs.num_symbols)]
        kept += [expr.replace(shifted, renamed) for expr in theirs.results]
        dims += other.operands[: theirs.num_dims]
        symbols += other.operands[theirs.num_dims :]
    new = AffineMap(len(dims), len(symbols), kept)
    made = op.__class__([*dims, *symbols], (t.INDEX,), op.attributes, {"map": a.AffineMapAttr(new)})
    return rewriter.replace_with(op, made)


def _ordered_bounds(op: Operation, rewriter: Rewriter) -> bool:
    """Sort the linear expressions by their coefficients."""
    map = _map_of(op)
    keys = [coefficients(expr, map.num_dims, map.num_symbols) for expr in map.results]
    known = [key for key in keys if key is not None]
    if len(known) != len(keys) or known == sorted(known):
        return False
    exprs = [map.results[i] for i in sorted(range(len(known)), key=known.__getitem__)]
    op.properties["map"] = a.AffineMapAttr(AffineMap(map.num_dims, map.num_symbols, exprs))
    rewriter.modified(op)
    return True


# -- affine.if


def _drop_empty_else(op: IfOp, rewriter: Rewriter) -> bool:
    if op.results or not has_only_terminator(op.regions[1]):
        return False
    rewriter.erase_block(op.regions[1].entry)
    rewriter.modified(op)
    return True


def _decided(op: Operation, rewriter: Rewriter) -> bool:
    """Inline the branch if the condition is the empty set or `0 == 0`."""
    condition = expect(a.IntegerSetAttr, op.properties["condition"]).set
    if len(condition.constraints) != 1 or not condition.equalities[0]:
        return False
    number = getattr(condition.constraints[0], "value", None)
    if number not in (0, 1):
        return False
    region = op.regions[number]
    if region.is_empty:
        rewriter.erase(op)
    else:
        replace_by_region(op, region, rewriter)
    return True


# -- affine.for


def _does_nothing(op: Operation, rewriter: Rewriter) -> bool:
    """Erase an empty loop without results. A fold handles loops with results."""
    if op.results or not has_only_terminator(op.regions[0]):
        return False
    return rewriter.erase(op)


def load_of_constant(op: Operation, rewriter: Rewriter) -> bool:
    """A load from a constant global is a constant if its indices are, or if all elements are equal."""
    made = loaded_constant(op, rewriter.memo.setdefault(load_of_constant, {}))
    return made is not None and rewriter.replace_with(op, made)


def loaded_constant(op: Operation, tables: dict[Operation, SymbolTable]) -> Operation | None:
    """The constant that `op` loads from a constant global, if it is known. `tables` keeps symbols between calls."""
    source = op.op_operands[0].value.defining_op
    if not isinstance(source, memref.GetGlobalOp):
        return None
    around = next((op for op in source.ancestors() if op.has_trait(tr.SYMBOL_TABLE)), None)
    if around is None:
        return None
    table = tables.get(around) or tables.setdefault(around, SymbolTable(around))
    found = table.lookup(source.global_name.root)
    if not isinstance(found, memref.GlobalOp) or not found.constant:
        return None
    known, position = found.initial_value, 0
    if not isinstance(known, a.DenseElementsAttr):
        return None
    if not known.is_splat:
        for expr, size in zip(_map_of(op).results, known.type.shape, strict=True):
            if not isinstance(expr, AffineConstant) or size is None or not 0 <= expr.value < size:
                return None
            position = position * size + expr.value
    folded = element_of(known, position)
    value = folded[0] if isinstance(folded, list) else None
    return materialize("arith", value, op.results[0].type) if isinstance(value, a.Attribute) else None


PATTERNS: Final = {
    **INDEX_PATTERNS,
    ApplyOp: (simplify_map(0),),
    affine.ForOp: (_does_nothing,),
    IfOp: (_drop_empty_else, _decided),
    affine.LoadOp: (simplify_map(1), load_of_constant),
    affine.MaxOp: (_single_bound, _distinct_bounds, _bounds_of_bounds, simplify_map(0), _ordered_bounds),
    affine.MinOp: (_single_bound, _distinct_bounds, _bounds_of_bounds, simplify_map(0), _ordered_bounds),
    affine.PrefetchOp: (simplify_map(1),),
    affine.StoreOp: (simplify_map(2),),
    affine.VectorLoadOp: (simplify_map(1),),
    affine.VectorStoreOp: (simplify_map(2),),
}
