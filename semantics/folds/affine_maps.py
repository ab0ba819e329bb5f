"""Maps with their operands: composed with the maps that compute the operands, and brought into canonical form.

Canonical: what may be a symbol is one, constants are part of the map, every operand is used and occurs once, dimensions and
symbols are numbered in order. Composition follows operands through `affine.apply`, as long as there are any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...dialects.affine.values import affine_scope, is_valid_symbol
from ...ir.source.expect import expect
from ...ir.types.affine import AffineDim, AffineExpr, AffineSymbol, constant, dim, symbol
from ...ir.types.layouts import AffineMapAttr
from .affine_flatten import flattened
from .affine_ranges import Ranges
from .constants import integer_of

if TYPE_CHECKING:
    from ...ir.program.core import Operation, Value

MAX_COMPOSED = 256
"""Applications followed from one operation; longer chains are composed in several rounds."""


class Applied:
    """Expressions over operands: dimensions, then symbols. `user` is the operation that uses them."""

    def __init__(
        self, exprs: Sequence[AffineExpr], num_dims: int, operands: Sequence[Value], user: Operation
    ):
        self.exprs = list(exprs)
        self.dims: list[Value | None] = list(operands[:num_dims])
        self.symbols: list[Value | None] = list(operands[num_dims:])
        self._user = user

    @property
    def operands(self) -> list[Value]:
        return [value for value in (*self.dims, *self.symbols) if value is not None]

    def compose(self) -> None:
        """Put the maps of the operands that are `affine.apply` in their place. Leaves the result canonical."""
        for _ in range(MAX_COMPOSED):
            if not self._compose_one():
                break
        self.canonicalize()
        self.exprs = [flattened(expr, len(self.dims), len(self.symbols)) for expr in self.exprs]

    def compose_where_applied(self) -> None:
        """As `compose`, but expressions are simplified only if some operand is an `affine.apply`."""
        if any(
            value.defining_op is not None and value.defining_op.name == "affine.apply"
            for value in self.operands
        ):
            self.compose()
        self.canonicalize()

    def use_ranges(self) -> None:
        """Simplify quotients and remainders by what is known of the counters of loops."""
        ranges = Ranges([v for v in self.dims if v is not None], [v for v in self.symbols if v is not None])
        self.exprs = [ranges.simplified(expr) for expr in self.exprs]

    def _compose_one(self) -> bool:
        for group, make in ((self.dims, dim), (self.symbols, symbol)):
            for i, value in enumerate(group):
                apply = value.defining_op if value is not None else None
                if apply is None or apply.name != "affine.apply":
                    continue
                group[i] = None
                map = expect(AffineMapAttr, apply.properties["map"]).map
                inner = Applied(map.results, map.num_dims, apply.operands, apply)
                inner.canonicalize()
                dims = [dim(len(self.dims) + k) for k in range(len(inner.dims))]
                symbols = [symbol(len(self.symbols) + k) for k in range(len(inner.symbols))]
                replacement = inner.exprs[0].replace(dims, symbols)
                self._substitute({make(i): replacement})
                self.dims += inner.dims
                self.symbols += inner.symbols
                return True
        return False

    def _substitute(self, changed: dict[AffineExpr, AffineExpr]) -> None:
        dims = [changed.get(dim(i), dim(i)) for i in range(len(self.dims))]
        symbols = [changed.get(symbol(i), symbol(i)) for i in range(len(self.symbols))]
        self.exprs = [expr.replace(dims, symbols) for expr in self.exprs]

    def canonicalize(self) -> None:
        """Promote dimensions to symbols, take constants in, drop what is not used or there twice."""
        scope = affine_scope(self._user)
        values: dict[AffineExpr, Value] = {}
        changed: dict[AffineExpr, AffineExpr] = {}
        symbols = list(self.symbols)
        dims: list[Value | None] = []
        for i, value in enumerate(self.dims):
            if value is not None and is_valid_symbol(value, scope):
                changed[dim(i)] = symbol(len(symbols))
                symbols.append(value)
            else:
                changed[dim(i)] = dim(len(dims))
                dims.append(value)
        before = len(self.dims)
        self.exprs = [
            expr.replace(
                [changed[dim(i)] for i in range(before)], [symbol(i) for i in range(len(self.symbols))]
            )
            for expr in self.exprs
        ]
        used = {
            part for expr in self.exprs for part in expr.walk() if isinstance(part, (AffineDim, AffineSymbol))
        }
        values = {dim(i): v for i, v in enumerate(dims) if v is not None}
        values |= {symbol(i): v for i, v in enumerate(symbols) if v is not None}
        new_dims, new_symbols = [], []
        dim_places: list[AffineExpr] = []
        symbol_places: list[AffineExpr] = []
        seen: dict[Value, AffineExpr] = {}
        for i in range(len(dims)):
            dim_places.append(_place(dim(i), used, values, seen, new_dims, dim, False))
        seen = {}
        for i in range(len(symbols)):
            symbol_places.append(_place(symbol(i), used, values, seen, new_symbols, symbol, True))
        self.exprs = [expr.replace(dim_places, symbol_places) for expr in self.exprs]
        self.dims, self.symbols = list(new_dims), list(new_symbols)


def _place(old, used, values, seen, kept, make, constants) -> AffineExpr:  # type: ignore[no-untyped-def]
    """What stands for dimension or symbol `old`; appends its operand to `kept` if it is new."""
    if old not in used or old not in values:
        return constant(0)
    value = values[old]
    number = integer_of(value) if constants else None
    if number is not None:
        return constant(number)
    if value not in seen:
        seen[value] = make(len(kept))
        kept.append(value)
    return seen[value]
