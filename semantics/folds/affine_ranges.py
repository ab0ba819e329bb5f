"""Quotients and remainders in affine expressions, simplified by what is known of the counters of loops.

In `affine.for %i = 0 to 64`, `%i` is at least 0 and at most 63, so that `%i floordiv 64` is 0 and `%i mod 64` is `%i`. And
where `%j` is below 9, `(%i * 72 + %j) floordiv 144` is `%i * 72 floordiv 144`: `%j` never makes it to the next multiple
of 72. Only divisors that are positive constants count, and only counters whose bounds are constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from ...dialects.affine.bounds import constant_bound
from ...dialects.affine.control_flow import ForOp
from ...ir.program.core import BlockArgument, Value
from ...ir.types.affine import AffineBinary, AffineConstant, AffineDim, AffineExpr, constant
from .affine_flatten import coefficients

Range = tuple[int | None, int | None]
"""The least and the greatest number something can be, as far as known."""

UNKNOWN: Range = (None, None)


class Ranges:
    """What is known of expressions over operands: dimensions, then symbols."""

    def __init__(self, dims: Sequence[Value], symbols: Sequence[Value]) -> None:
        self._dims = dims
        self._num_symbols = len(symbols)
        self._of_operands = [_range_of(value) for value in (*dims, *symbols)]

    def simplified(self, expr: AffineExpr) -> AffineExpr:
        """`expr` with its quotients and remainders simplified, the inner ones first. O(size²)."""
        done: dict[AffineExpr, AffineExpr] = {}
        for part in expr.walk():
            if isinstance(part, AffineBinary):
                done[part] = self._simplified_division(_binary(part.kind, done[part.lhs], done[part.rhs]))
            else:
                done[part] = part
        return done[expr]

    def _simplified_division(self, expr: AffineExpr) -> AffineExpr:
        if not isinstance(expr, AffineBinary) or expr.kind not in ("floordiv", "ceildiv", "mod"):
            return expr
        top, kind = expr.lhs, expr.kind
        if not isinstance(expr.rhs, AffineConstant) or expr.rhs.value <= 0:
            return expr
        divisor = expr.rhs.value
        low, high = self.range(top)
        if low is not None and high is not None:
            if kind == "floordiv" and low // divisor == high // divisor:
                return constant(low // divisor)
            if kind == "ceildiv" and -(-low // divisor) == -(-high // divisor):
                return constant(-(-low // divisor))
            if kind == "mod" and low >= 0 and high < divisor:
                return top
        split = self._multiple_and_rest(top)
        if split is not None:
            multiple, rest, unit = split
            if kind == "floordiv" and divisor % unit == 0:
                return multiple.floordiv(divisor)
            if kind == "mod" and unit % divisor == 0:
                return rest % divisor
            return expr
        if kind == "floordiv" and self._is_below(top, divisor):
            return constant(0)
        return constant(0) if kind == "mod" and self._divisor(top) % divisor == 0 else expr

    def _multiple_and_rest(self, expr: AffineExpr) -> tuple[AffineExpr, AffineExpr, int] | None:
        """`expr` as a multiple of a number and something from 0 up to that number; and the number."""
        if not isinstance(expr, AffineBinary) or expr.kind != "+":
            return None
        for multiple, rest in ((expr.lhs, expr.rhs), (expr.rhs, expr.lhs)):
            unit = self._divisor(multiple)
            if unit and self._is_below(rest, unit):
                return multiple, rest, unit
        return None

    def _is_below(self, expr: AffineExpr, limit: int) -> bool:
        """Whether `expr`, a constant or a counter, is surely at least 0 and below `limit`."""
        if isinstance(expr, AffineConstant):
            return 0 <= expr.value < limit
        loop = _loop_of(self._dims[expr.position]) if isinstance(expr, AffineDim) else None
        if loop is None:
            return False
        low, high = constant_bound(loop.lower_bound_map), constant_bound(loop.upper_bound_map)
        return low is not None and high is not None and low >= 0 and high <= limit

    def _divisor(self, expr: AffineExpr) -> int:
        """A number that surely divides `expr`, the largest known."""
        if isinstance(expr, AffineDim):
            loop = _loop_of(self._dims[expr.position])
            return 1 if loop is None else _divisor_of_counter(loop)
        return largest_known_divisor(expr)

    def range(self, expr: AffineExpr) -> Range:
        """What `expr` lies between. O(size²)."""
        found: dict[AffineExpr, Range] = {}
        for part in expr.walk():
            if isinstance(part, AffineBinary) and part.kind in ("floordiv", "ceildiv", "mod"):
                found[part] = _divided(part, found[part.lhs])
            else:
                found[part] = self._range_of_sum(part)
        return found[expr]

    def _range_of_sum(self, expr: AffineExpr) -> Range:
        factors = coefficients(expr, len(self._dims), self._num_symbols)
        if factors is None:
            return UNKNOWN
        low: int | None = factors[-1]
        high: int | None = factors[-1]
        for factor, (least, greatest) in zip(factors, self._of_operands, strict=False):
            if not factor:
                continue
            first, second = (least, greatest) if factor > 0 else (greatest, least)
            low = None if low is None or first is None else low + factor * first
            high = None if high is None or second is None else high + factor * second
        return low, high


def _divided(expr: AffineBinary, top: Range) -> Range:
    """The range of a quotient or remainder, given that of what is divided."""
    if not isinstance(expr.rhs, AffineConstant) or expr.rhs.value < 1:
        return UNKNOWN
    low, high = top
    divisor = expr.rhs.value
    if expr.kind == "floordiv":
        return (None if low is None else low // divisor), (None if high is None else high // divisor)
    if expr.kind == "ceildiv":
        return (None if low is None else -(-low // divisor)), (None if high is None else -(-high // divisor))
    if low is not None and high is not None and low // divisor == high // divisor:
        return low % divisor, high % divisor
    return 0, divisor - 1


def largest_known_divisor(expr: AffineExpr) -> int:
    """A number that divides `expr` whatever its dimensions and symbols are; 0 if `expr` is 0."""
    found: dict[AffineExpr, int] = {}
    for part in expr.walk():
        if isinstance(part, AffineConstant):
            found[part] = abs(part.value)
        elif not isinstance(part, AffineBinary):
            found[part] = 1
        elif part.kind == "*":
            found[part] = found[part.lhs] * found[part.rhs]
        elif part.kind in ("+", "mod"):
            found[part] = gcd(found[part.lhs], found[part.rhs])
        else:
            top, bottom = found[part.lhs], part.rhs
            exact = isinstance(bottom, AffineConstant) and bottom.value != 0 and top % bottom.value == 0
            found[part] = top // abs(bottom.value) if exact else 1  # pyright: ignore[reportAttributeAccessIssue]
    return found[expr]


def _binary(kind: str, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    if kind == "+":
        return lhs + rhs
    if kind == "*":
        return lhs * rhs
    if kind == "mod":
        return lhs % rhs
    return lhs.floordiv(rhs) if kind == "floordiv" else lhs.ceildiv(rhs)


def _loop_of(value: Value) -> ForOp | None:
    """The loop whose counter `value` is."""
    if not isinstance(value, BlockArgument) or value.index:
        return None
    loop = value.owner.parent_op
    return loop if isinstance(loop, ForOp) else None


def _range_of(value: Value) -> Range:
    loop = _loop_of(value)
    if loop is None:
        return UNKNOWN
    low, limit = constant_bound(loop.lower_bound_map), constant_bound(loop.upper_bound_map)
    if limit is None:
        return low, None
    return low, limit - 1 - (0 if low is None else (limit - low - 1) % loop.step.value)


def _divisor_of_counter(loop: ForOp) -> int:
    """What divides every value of the counter."""
    step = loop.step.value
    bounds = loop.lower_bound_map.map.results
    if constant_bound(loop.lower_bound_map) == 0:
        return step
    return gcd(step, *(largest_known_divisor(bound) for bound in bounds))
