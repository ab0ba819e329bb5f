"""Sizes and offsets computed during bufferization: sums as `affine.apply`, constants folded.

An entry is a number or a value (`Mixed`, like OpFoldResult). Constant values are folded to numbers, and `affine.apply` operands
are composed, so that one operation has the whole expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...dialects.common import Mixed, constant_index
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.source.diagnostics import expect, present
from ...ir.types import types as t
from ...ir.types.affine import AffineConstant, AffineExpr, AffineSymbol, constant, dim, symbol
from ...ir.types.affine_map import AffineMap
from ...ir.types.attributes import AffineMapAttr
from ...semantics.folds.affine_ranges import coefficients
from ...semantics.integers import is_apply


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

    Values that are valid affine symbols become symbols, others dimensions: first the entries themselves, then the operands of
    `affine.apply` entries, each in order of first use. With `as_dims` the entries are dimensions during composition, so the
    symbols of `affine.apply` entries come first. Without `fold` an operation is always created; without `linear` the terms keep
    the order of `combine`. O(operations of the `affine.apply` chains behind the entries).
    """
    leaves: dict[Value, AffineSymbol] = {}
    direct = [entry for entry in entries if isinstance(entry, Value)]
    for value in (*_applied_symbols(direct), *direct) if as_dims else direct:
        if not _is_applied(value) and constant_index(value) is None:
            leaves.setdefault(value, symbol(len(leaves)))
    expression = combine([_expression_of(entry, leaves) for entry in entries])
    if linear:
        expression = _in_linear_form(expression, len(leaves))
    values = list(leaves)
    if fold and isinstance(expression, AffineConstant):
        return expression.value
    if fold and isinstance(expression, AffineSymbol):
        return values[expression.position]
    used = {e.position for e in expression.walk() if isinstance(e, AffineSymbol)}
    from ...dialects.affine.maps import affine_scope, is_valid_symbol

    scope = affine_scope(_place(b))
    dims: list[Value] = []
    symbols: list[Value] = []
    replacement: list[AffineExpr] = []
    for position, value in enumerate(values):
        if position not in used:
            replacement.append(constant(0))
        elif is_valid_symbol(value, scope):
            replacement.append(symbol(len(symbols)))
            symbols.append(value)
        else:
            replacement.append(dim(len(dims)))
            dims.append(value)
    map = AffineMap(len(dims), len(symbols), (expression.replace((), replacement),))
    op = _apply_op()((*dims, *symbols), (t.INDEX,), None, {"map": AffineMapAttr(map)})
    return b.insert(op).results[0]


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


def _in_linear_form(expression: AffineExpr, count: int) -> AffineExpr:
    """The expression as a sum of multiples of symbols, in order, and a constant; unchanged if it is not linear."""
    factors = coefficients(expression, 0, count)
    if factors is None:
        return expression
    result: AffineExpr = constant(0)
    for position, factor in enumerate(factors[:-1]):
        result = result + symbol(position) * factor
    return result + factors[-1]


def _applied_symbols(values: Sequence[Value]) -> Iterator[Value]:
    """The symbols of the `affine.apply` among the values."""
    for value in values:
        op = value.defining_op
        if is_apply(op):
            map = expect(AffineMapAttr, op.properties["map"])
            yield from op.operands[map.map.num_dims :]


def _is_applied(value: Value) -> bool:
    return is_apply(value.defining_op)


def _expression_of(entry: Mixed, leaves: dict[Value, AffineSymbol]) -> AffineExpr:
    """The entry as an expression over the symbols of `leaves`; adds new leaves."""
    known = constant_index(entry)
    if known is not None:
        return constant(known)
    assert isinstance(entry, Value)
    op = entry.defining_op
    if op is None or not _is_applied(entry):
        return leaves.setdefault(entry, symbol(len(leaves)))
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
        for value in current.operands:
            part = found.get(value)
            if part is None:
                number = constant_index(value)
                part = (
                    constant(number) if number is not None else leaves.setdefault(value, symbol(len(leaves)))
                )
            parts.append(part)
        found[current.results[0]] = map.results[0].replace(parts[: map.num_dims], parts[map.num_dims :])
    return found[entry]


def _place(b: Builder) -> Operation:
    return present(b.anchor or b.block.last_op or b.block.parent_op)
