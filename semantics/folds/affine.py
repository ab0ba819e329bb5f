"""Folds of `affine`: constant and identity maps; conditions and bounds absorb constant and `affine.apply`
operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from ...dialects import affine
from ...dialects.affine.control_flow import ForOp, ParallelOp
from ...dialects.affine.indices import DelinearizeIndexOp, LinearizeIndexOp
from ...dialects.common import DYNAMIC
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineConstant, AffineDim, AffineExpr, AffineSymbol, constant, wrapped
from ...ir.types.affine_map import AffineMap, IntegerSet
from ..intervals import Interval
from . import IN_PLACE, Constants, Fold, Folded, constant_of, integer_of
from .affine_ranges import Applied
from .memref import stores, users_of_casts

# -- `affine.delinearize_index` and `affine.linearize_index`: constant sizes and indices, a single index


def _make_static(op: DelinearizeIndexOp | LinearizeIndexOp) -> bool:
    """Move positive constant sizes into the attribute; returns whether there were any."""
    static, kept = list(op.static_basis.values), list[Value]()
    following = iter(op.dynamic_basis)
    for i, size in enumerate(static):
        if size != DYNAMIC:
            continue
        value = next(following)
        number = integer_of(value)
        if number is not None and number > 0:
            static[i] = number
        else:
            kept.append(value)
    count = len(op.dynamic_basis)
    if len(kept) == count:
        return False
    indices = op.operands[: len(op.op_operands) - count]
    op.operands = [*indices, *kept]
    op.properties["static_basis"] = a.DenseArrayAttr(t.I64, tuple(static))
    if isinstance(op, LinearizeIndexOp):
        op.properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, (len(indices), len(kept)))
    return True


def _delinearize(op: DelinearizeIndexOp, constants: Constants) -> Folded:
    if len(op.results) == 1:
        return [op.linear_index]
    changed = _make_static(op)
    index = integer_of(op.linear_index)
    if index is None or op.dynamic_basis or not op.results:
        return IN_PLACE if changed else None
    sizes = op.static_basis.values[-(len(op.results) - 1) :]
    found: list[int] = []
    for size in reversed(sizes):
        found.append(index % size)
        index //= size
    return [a.IntegerAttr(number, t.INDEX) for number in (index, *reversed(found))]


def _linearize(op: LinearizeIndexOp, constants: Constants) -> Folded:
    indices: Sequence[Value] = op.multi_index
    if len(indices) == 1:
        return [indices[0]]
    changed = _make_static(op)
    numbers = [integer_of(index) for index in op.multi_index]
    if not numbers or None in numbers or op.dynamic_basis:
        return IN_PLACE if changed else None
    total = 0
    for number, size in zip(numbers, (1, *op.static_basis.values[-(len(numbers) - 1) :]), strict=True):
        total = total * size + (number or 0)
    return [a.IntegerAttr(total, t.INDEX)]


INDEX_FOLDS: Final[dict[type[Operation], Fold]] = {
    DelinearizeIndexOp: _delinearize,
    LinearizeIndexOp: _linearize,
}


def _map_of(op: Operation, key: str = "map") -> AffineMap:
    return expect(a.AffineMapAttr, op.properties[key]).map


def _number(expr: AffineExpr, num_dims: int, constants: Constants) -> int | None:
    """The value of the expression if every operand it uses is constant, else None."""
    known = [c.value if isinstance(c, a.IntegerAttr) else None for c in constants]
    for part in expr.walk():
        if isinstance(part, AffineDim) and known[part.position] is None:
            return None
        if isinstance(part, AffineSymbol) and known[num_dims + part.position] is None:
            return None
    numbers = [number or 0 for number in known]
    try:
        return wrapped(expr.evaluate(numbers[:num_dims], numbers[num_dims:]))
    except (ZeroDivisionError, ValueError):
        return None


def _numbers(map: AffineMap, constants: Constants) -> list[int | None]:
    """The value of each result of the map, as in `_number`."""
    return [_number(expr, map.num_dims, constants) for expr in map.results]


def _apply(op: Operation, constants: Constants) -> Folded:
    map = _map_of(op)
    (result,) = map.results
    if isinstance(result, AffineDim):
        return [op.op_operands[result.position].value]
    if isinstance(result, AffineSymbol):
        return [op.op_operands[map.num_dims + result.position].value]
    if isinstance(result, AffineConstant):
        return [a.index_attr(result.value)]
    number = _number(result, map.num_dims, constants)
    return None if number is None else [a.index_attr(number)]


def _extremum(least: bool) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        map = _map_of(op)
        numbers = _numbers(map, constants)
        known = [number for number in numbers if number is not None]
        if known and len(known) == len(numbers):
            return [a.index_attr(min(known) if least else max(known))]
        exprs = [
            expr if number is None else constant(number)
            for expr, number in zip(map.results, numbers, strict=True)
        ]
        new = AffineMap(map.num_dims, map.num_symbols, exprs)
        if new is map:
            return None
        op.properties["map"] = a.AffineMapAttr(new)
        return IN_PLACE

    return fold


def _if(op: Operation, constants: Constants) -> Folded:
    """Compose and canonicalize the condition."""
    condition = expect(a.IntegerSetAttr, op.properties["condition"]).set
    before = op.operands
    applied = Applied(condition.constraints, condition.num_dims, before, op)
    applied.compose_where_applied()
    new = IntegerSet(len(applied.dims), len(applied.symbols), applied.exprs, condition.equalities)
    if new is condition and _same(applied.operands, before):
        return None
    op.properties["condition"] = a.IntegerSetAttr(new)
    op.operands = applied.operands
    return IN_PLACE


def _same(left: list[Value], right: list[Value]) -> bool:
    return len(left) == len(right) and all(x is y for x, y in zip(left, right, strict=True))


def _for(op: ForOp, constants: Constants) -> Folded:
    """Fold the bounds; a loop with results that never runs yields its inits."""
    low = _bound(op, op.lower_bound_map.map, op.lower_bound_operands, max)
    high = _bound(op, op.upper_bound_map.map, op.upper_bound_operands, min)
    inits = op.inits
    if low is not None or high is not None:
        low_map, low_operands = low or (op.lower_bound_map.map, op.lower_bound_operands)
        high_map, high_operands = high or (op.upper_bound_map.map, op.upper_bound_operands)
        op.properties["lowerBoundMap"] = a.AffineMapAttr(low_map)
        op.properties["upperBoundMap"] = a.AffineMapAttr(high_map)
        sizes = (len(low_operands), len(high_operands), len(inits))
        op.properties[OPERAND_SEGMENTS] = a.DenseArrayAttr(t.I32, sizes)
        op.operands = [*low_operands, *high_operands, *inits]
    final = _final_values(op) if op.results else None
    if final is not None:
        return [*final]
    return None if low is None and high is None else IN_PLACE


def _final_values(op: ForOp) -> list[Value] | None:
    """The results of a loop that never runs or only forwards values; None if its body computes."""
    inits = list(op.inits)
    count = op.static_trip_count()
    if count == 0:
        return inits
    body = op.regions[0].entry
    if body.first_op is not body.last_op:
        return None
    args: list[Value] = [*body.args[1:]]
    values: list[Value] = []
    for i, use in enumerate(op.yielded_operands):
        value = use.value
        if value is body.args[0]:
            return None
        passed_on = value in args
        if (not passed_on and count is None) or (passed_on and value is not args[i] and count != 1):
            return None
        values.append(inits[args.index(value)] if passed_on else value)
    return values


def _bound(
    op: Operation, map: AffineMap, operands: list[Value], best: Callable[[list[int]], int]
) -> tuple[AffineMap, list[Value]] | None:
    """A simpler map for a bound, with its operands; None if it is already simple."""
    numbers = _numbers(map, [constant_of(value) for value in operands])
    known = [number for number in numbers if number is not None]
    if known and len(known) == len(numbers):
        new, new_operands = AffineMap.constant(best(known)), []
    else:
        applied = Applied(map.results, map.num_dims, operands, op)
        applied.compose()
        applied.canonicalize()
        exprs = [expr for expr, _ in groupby(_possible(applied, least=best is min))]
        new, new_operands = AffineMap(len(applied.dims), len(applied.symbols), exprs), applied.operands
    if new is map and _same(new_operands, operands):
        return None
    return new, new_operands


def _possible(applied: Applied, least: bool) -> list[AffineExpr]:
    """The expressions that may be the least or greatest one, by their ranges; those of one value are constants."""
    if not applied.operands:
        return applied.exprs
    known = applied.ranges()
    ranges = [known.range(expr) for expr in applied.exprs]
    if not least:  # the greatest is the least with the sign changed
        ranges = [(_negated(high), _negated(low)) for low, high in ranges]
    kept: list[AffineExpr] = []
    for i, (expr, (low, high)) in enumerate(zip(applied.exprs, ranges, strict=True)):
        if low is not None and low == high:
            expr = constant(low if least else -low)
        if not any(_is_less(other, (low, high), k < i) for k, other in enumerate(ranges) if k != i):
            kept.append(expr)
    return kept


def _negated(number: int | None) -> int | None:
    return None if number is None else -number


def _is_less(left: Interval, right: Interval, first: bool) -> bool:
    """Whether the left one is never greater; of two equal constants, the first is less."""
    if left[1] is None or right[0] is None or left[1] > right[0]:
        return False
    same = left[0] == left[1] == right[0] == right[1]
    return first or not same


def _parallel(op: ParallelOp, constants: Constants) -> Folded:
    """Compose and canonicalize the maps of the bounds."""
    operands: list[Value] = []
    maps: dict[str, AffineMap] = {}
    bounds = (("lowerBoundsMap", op.lower_bounds_operands), ("upperBoundsMap", op.upper_bounds_operands))
    for key, before in bounds:
        map = _map_of(op, key)
        applied = Applied(map.results, map.num_dims, before, op)
        applied.compose()
        maps[key] = AffineMap(len(applied.dims), len(applied.symbols), applied.exprs)
        operands += applied.operands
    if all(_map_of(op, key) is map for key, map in maps.items()):
        return None
    for key, map in maps.items():
        op.properties[key] = a.AffineMapAttr(map)
    op.operands = operands
    return IN_PLACE


def _none(op: Operation, constants: Constants) -> Folded:
    """No fold: mlir-opt has none for vector transfers in affine."""
    return None


FOLDS: Final[dict[type[Operation], Fold]] = {
    **INDEX_FOLDS,
    affine.ApplyOp: _apply,
    affine.DmaStartOp: users_of_casts,
    affine.DmaWaitOp: users_of_casts,
    ForOp: _for,
    affine.IfOp: _if,
    affine.LoadOp: users_of_casts,
    affine.MaxOp: _extremum(False),
    affine.MinOp: _extremum(True),
    ParallelOp: _parallel,
    affine.PrefetchOp: users_of_casts,
    affine.StoreOp: stores,
    affine.VectorLoadOp: _none,
    affine.VectorStoreOp: _none,
}
