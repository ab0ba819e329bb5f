"""Folds of `affine`: maps of constants, and maps that only pass an operand on."""

from __future__ import annotations

from typing import Final

from ...ir import attributes as a
from ...ir.affine import AffineConstant, AffineDim, AffineSymbol
from ...ir.core import Operation
from . import IN_PLACE, Constants, Fold, Folded
from .memref import cast_source


def _numbers(op: Operation, constants: Constants) -> list[int] | None:
    """What the map gives, if every operand it needs is constant."""
    map = op.properties["map"].map  # pyright: ignore[reportAttributeAccessIssue]
    known = [c.value if isinstance(c, a.IntegerAttr) else None for c in constants]
    used = [part for result in map.results for part in result.walk()]
    for part in used:
        if isinstance(part, AffineDim) and known[part.position] is None:
            return None
        if isinstance(part, AffineSymbol) and known[map.num_dims + part.position] is None:
            return None
    numbers = [number or 0 for number in known]
    try:
        return list(map.evaluate(numbers[: map.num_dims], numbers[map.num_dims :]))
    except (ZeroDivisionError, ValueError):
        return None


def _apply(op: Operation, constants: Constants) -> Folded:
    map = op.properties["map"].map  # pyright: ignore[reportAttributeAccessIssue]
    (result,) = map.results
    if isinstance(result, AffineDim):
        return [op.op_operands[result.position].value]
    if isinstance(result, AffineSymbol):
        return [op.op_operands[map.num_dims + result.position].value]
    if isinstance(result, AffineConstant):
        return [a.index_attr(result.value)]
    numbers = _numbers(op, constants)
    return None if numbers is None else [a.index_attr(numbers[0])]


def _extremum(least: bool) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        numbers = _numbers(op, constants)
        if numbers is None:
            return None
        return [a.index_attr(min(numbers) if least else max(numbers))]

    return fold


def _of_cast(position: int) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        source = cast_source(op.op_operands[position].value)
        if source is None:
            return None
        op.op_operands[position].value = source
        return IN_PLACE

    return fold


FOLDS: Final[dict[str, Fold]] = {
    "affine.apply": _apply,
    "affine.load": _of_cast(0),
    "affine.max": _extremum(False),
    "affine.min": _extremum(True),
    "affine.prefetch": _of_cast(0),
    "affine.store": _of_cast(1),
    "affine.vector_load": _of_cast(0),
    "affine.vector_store": _of_cast(1),
}
