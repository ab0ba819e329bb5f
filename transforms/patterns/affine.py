"""Canonicalization of `affine`: maps composed and simplified, conditions and loops that are decided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...dialects import affine
from ...dialects.affine.control_flow import IfOp
from ...dialects.affine.indices import ApplyOp
from ...ir import attributes as a
from ...ir import types as t
from ...ir.affine_map import AffineMap, IntegerSet
from ...ir.core import Operation, Value
from ..rewriting.operands import replace_segment
from ..rewriting.rewriter import Rewriter
from .affine_maps import Applied
from .inlining import has_only_terminator, replace_by_region

__all__ = ["PATTERNS", "affine"]


def _map_of(op: Operation, key: str = "map") -> AffineMap:
    return op.properties[key].map  # pyright: ignore[reportAttributeAccessIssue]


def _simplify_map(start: int) -> Callable[[Operation, Rewriter], bool]:
    """Compose and canonicalize the map, whose operands begin at position `start`."""

    def pattern(op: Operation, rewriter: Rewriter) -> bool:
        map = _map_of(op)
        before = op.operands
        applied = Applied(map.results, map.num_dims, before[start:], op)
        applied.compose()
        new = AffineMap(len(applied.dims), len(applied.symbols), applied.exprs)
        operands = [*before[:start], *applied.operands]
        if new is map and _same(operands, before):
            return False
        properties = {**op.properties, "map": a.AffineMapAttr(new)}
        made = op.__class__(operands, op.result_types, op.attributes, properties)
        rewriter.replace_with(op, made)
        return True

    return pattern


def _same(left: list[Value], right: list[Value]) -> bool:
    return len(left) == len(right) and all(x is y for x, y in zip(left, right, strict=True))


# -- min and max


def _single_bound(op: Operation, rewriter: Rewriter) -> bool:
    """The least or greatest of one is that one."""
    if len(_map_of(op).results) != 1:
        return False
    rewriter.replace_with(op, ApplyOp(op.operands, (t.INDEX,), op.attributes, dict(op.properties)))
    return True


def _distinct_bounds(op: Operation, rewriter: Rewriter) -> bool:
    map = _map_of(op)
    distinct = list(dict.fromkeys(map.results))
    if len(distinct) == len(map.results):
        return False
    new = AffineMap(map.num_dims, map.num_symbols, distinct)
    rewriter.replace_with(
        op, op.__class__(op.operands, (t.INDEX,), op.attributes, {"map": a.AffineMapAttr(new)})
    )
    return True


# -- affine.if


def _simplify_condition(op: Operation, rewriter: Rewriter) -> bool:
    condition = op.properties["condition"].set  # pyright: ignore[reportAttributeAccessIssue]
    before = op.operands
    applied = Applied(condition.constraints, condition.num_dims, before, op)
    applied.compose()
    new = IntegerSet(len(applied.dims), len(applied.symbols), applied.exprs, condition.equalities)
    if new is condition and _same(applied.operands, before):
        return False
    op.properties["condition"] = a.IntegerSetAttr(new)
    op.operands = applied.operands
    rewriter.modified(op)
    return True


def _drop_empty_else(op: Operation, rewriter: Rewriter) -> bool:
    assert isinstance(op, IfOp)
    if op.results or not has_only_terminator(op.regions[1]):
        return False
    rewriter.erase_block(op.regions[1].entry)
    rewriter.modified(op)
    return True


def _decided(op: Operation, rewriter: Rewriter) -> bool:
    """The condition is the empty set, or `0 == 0`."""
    condition = op.properties["condition"].set  # pyright: ignore[reportAttributeAccessIssue]
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


def _simplify_bounds(op: Operation, rewriter: Rewriter) -> bool:
    changed = False
    for segment, key in enumerate(("lowerBoundMap", "upperBoundMap")):
        map = _map_of(op, key)
        sizes = op.properties["operandSegmentSizes"].values  # pyright: ignore[reportAttributeAccessIssue]
        start = sum(sizes[:segment])
        before = op.operands[start : start + sizes[segment]]
        applied = Applied(map.results, map.num_dims, before, op)
        applied.compose()
        exprs = list(dict.fromkeys(applied.exprs))
        new = AffineMap(len(applied.dims), len(applied.symbols), exprs)
        if new is map and _same(applied.operands, before):
            continue
        op.properties[key] = a.AffineMapAttr(new)
        replace_segment(op, segment, applied.operands)
        changed = True
    if changed:
        rewriter.modified(op)
    return changed


def _never_runs(op: Operation, rewriter: Rewriter) -> bool:
    assert isinstance(op, affine.ForOp)
    if op.static_trip_count() != 0:
        return False
    rewriter.replace(op, [use.value for use in op.init_operands])
    return True


def _does_nothing(op: Operation, rewriter: Rewriter) -> bool:
    """An empty loop whose number of iterations is known, and which yields what it is given or values from outside."""
    assert isinstance(op, affine.ForOp)
    body = op.regions[0]
    count = op.static_trip_count()
    if not has_only_terminator(body):
        return False
    if not op.results:
        rewriter.erase(op)
        return True
    if count is None:
        return False
    yielded = [use.value for use in op.yielded_operands]
    inits = [use.value for use in op.init_operands]
    args = body.entry.args[1:]
    values: list[Value] = []
    for i, value in enumerate(yielded):
        if value is args[i]:
            values.append(inits[i])
        elif value.parent_region is body:
            return False
        else:
            values.append(value)
    rewriter.replace(op, values)
    return True


PATTERNS: Final = {
    "affine.apply": (_simplify_map(0),),
    "affine.for": (_simplify_bounds, _never_runs, _does_nothing),
    "affine.if": (_simplify_condition, _drop_empty_else, _decided),
    "affine.load": (_simplify_map(1),),
    "affine.max": (_single_bound, _distinct_bounds, _simplify_map(0)),
    "affine.min": (_single_bound, _distinct_bounds, _simplify_map(0)),
    "affine.prefetch": (_simplify_map(1),),
    "affine.store": (_simplify_map(2),),
    "affine.vector_load": (_simplify_map(1),),
    "affine.vector_store": (_simplify_map(2),),
}
