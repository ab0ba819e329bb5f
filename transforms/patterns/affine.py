"""Canonicalization of `affine`: maps composed and simplified, conditions and loops that are decided.

Conditions and loop bounds are composed by folds.
"""

from __future__ import annotations

from typing import Final

from ...dialects import affine, memref
from ...dialects.affine.control_flow import IfOp
from ...dialects.affine.indices import ApplyOp
from ...ir.program import traits as tr
from ...ir.program.core import Operation, Value
from ...ir.program.symbols import SymbolTable
from ...ir.source.expect import expect
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...ir.types.affine import AffineConstant, AffineDim, AffineExpr, AffineSymbol, dim, symbol
from ...ir.types.affine_map import AffineMap
from ...semantics.folds.affine_flatten import coefficients
from ...semantics.folds.affine_maps import Applied
from ...semantics.folds.constants import materialize
from ...semantics.folds.tensor import element_of
from ..rewriting.rewriter import Pattern, Rewriter
from .affine_indices import PATTERNS as INDEX_PATTERNS
from .inlining import has_only_terminator, replace_by_region


def _map_of(op: Operation, key: str = "map") -> AffineMap:
    return expect(a.AffineMapAttr, op.properties[key]).map


def simplify_map(start: int) -> Pattern:
    """Compose and canonicalize the map, whose operands begin at position `start`."""

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
    """The least or greatest of one is that one."""
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
    """The least of what is the least of others is the least of all of them; the greatest likewise."""
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
    """Linear expressions in the order of their coefficients."""
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
    """The condition is the empty set, or `0 == 0`."""
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
    """An empty loop without results. One with results is folded."""
    if op.results or not has_only_terminator(op.regions[0]):
        return False
    return rewriter.erase(op)


def _load_of_constant(op: Operation, rewriter: Rewriter) -> bool:
    """What is read from a constant global is known, if the place is, or if all places hold the same."""
    source = op.op_operands[0].value.defining_op
    if not isinstance(source, memref.GetGlobalOp):
        return False
    around = source.parent_op
    while around is not None and not around.has_trait(tr.SYMBOL_TABLE):
        around = around.parent_op
    if around is None:
        return False
    tables = rewriter.memo.setdefault(_load_of_constant, {})
    table = tables.get(around) or tables.setdefault(around, SymbolTable(around))
    found = table.lookup(source.global_name.root)
    if not isinstance(found, memref.GlobalOp) or not found.constant:
        return False
    known, position = found.initial_value, 0
    if not isinstance(known, a.DenseElementsAttr):
        return False
    if not known.is_splat:
        for expr, size in zip(_map_of(op).results, known.type.shape, strict=True):
            if not isinstance(expr, AffineConstant) or size is None or not 0 <= expr.value < size:
                return False
            position = position * size + expr.value
    folded = element_of(known, position)
    value = folded[0] if isinstance(folded, list) else None
    made = materialize("arith", value, op.results[0].type) if isinstance(value, a.Attribute) else None
    if made is None:
        return False
    return rewriter.replace_with(op, made)


PATTERNS: Final = {
    **INDEX_PATTERNS,
    ApplyOp: (simplify_map(0),),
    affine.ForOp: (_does_nothing,),
    IfOp: (_drop_empty_else, _decided),
    affine.LoadOp: (simplify_map(1), _load_of_constant),
    affine.MaxOp: (_single_bound, _distinct_bounds, _bounds_of_bounds, simplify_map(0), _ordered_bounds),
    affine.MinOp: (_single_bound, _distinct_bounds, _bounds_of_bounds, simplify_map(0), _ordered_bounds),
    affine.PrefetchOp: (simplify_map(1),),
    affine.StoreOp: (simplify_map(2),),
    affine.VectorLoadOp: (simplify_map(1),),
    affine.VectorStoreOp: (simplify_map(2),),
}
