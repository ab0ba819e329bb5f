"""Loop bounds: a map with operands, in the shortest of four notations.

A bound is a constant `0`, a value `%n` (a map of one symbol to itself), an applied map `#map(%i)[%n]`, or
the largest (for lower bounds) or smallest (for upper bounds) of several results: `max #map(%i)`, `min
#map(%i)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...ir.program.core import Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...ir.types.affine import AffineConstant, AffineSymbol, symbol
from ...ir.types.affine_map import AffineMap
from .maps import operand_lists, parse_operand_lists

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser
    from ...ir.text.printer import Printer

LOWER, UPPER = "lower", "upper"
_PREFIX = {LOWER: "max", UPPER: "min"}


def parse_bound(p: OpParser, which: str, start: int) -> tuple[a.AffineMapAttr, list[Value]]:
    """A bound of the loop whose name is at `start`: its map and operands."""
    prefixed = p.accept(_PREFIX[which])
    at = p.skip()
    uses = p.operand_list()
    if uses:
        if len(uses) > 1:
            p.error("expected only one loop bound operand", start)
        return a.AffineMapAttr(AffineMap(0, 1, (symbol(0),))), [p.resolve(uses[0], t.INDEX)]
    found = p.attribute(t.INDEX)
    if isinstance(found, a.IntegerAttr):
        return a.AffineMapAttr(AffineMap.constant(found.value)), []
    if not isinstance(found, a.AffineMapAttr):
        p.error("expected valid affine map representation for loop bounds", start)
    dims, symbols = parse_operand_lists(p)
    map = found.map
    if len(dims) != map.num_dims:
        p.error("dim operand count and affine map dim count must match", start)
    if len(symbols) != map.num_symbols:
        p.error("symbol operand count and affine map symbol count must match", start)
    if len(map.results) > 1 and not prefixed:
        prefix = _PREFIX[which]
        p.error(f"{which} loop bound affine map with multiple results requires '{prefix}' prefix", at)
    return found, [p.resolve(use, t.INDEX) for use in (*dims, *symbols)]


def bound(p: Printer, which: str, attribute: a.AffineMapAttr, operands: Sequence[Value]) -> str:
    """Inverse of `parse_bound`."""
    map = attribute.map
    if len(map.results) == 1:
        only = map.results[0]
        if isinstance(only, AffineConstant) and map.num_dims + map.num_symbols == 0:
            return str(only.value)
        if isinstance(only, AffineSymbol) and (map.num_dims, map.num_symbols) == (0, 1):
            return p.value(operands[0])
        prefix = ""
    else:
        prefix = f"{_PREFIX[which]} "
    return f"{prefix}{p.attribute(attribute)}{operand_lists(p, operands, map.num_dims)}"


def constant_bound(attribute: a.AffineMapAttr) -> int | None:
    """The number a bound always is, if it is one."""
    results = attribute.map.results
    if len(results) == 1 and isinstance(results[0], AffineConstant):
        return results[0].value
    return None
