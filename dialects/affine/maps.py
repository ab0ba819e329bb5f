"""Affine maps together with their operands: how they are written, read and checked.

Two notations exist. Operations on indices apply a map to two lists, dimensions and symbols: `#map(%i,
%j)[%n]`. Memory operations write the map's results directly in terms of values: `%m[%i + 3, %j floordiv 2,
symbol(%n)]`, from which the map is recovered: every value is a dimension unless marked `symbol(...)`, and
one that is repeated is one operand.

Reading an expression keeps its own stack of operators, so parentheses may nest as deep as an expression may.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from ...ir.program.core import Value
from ...ir.types import attributes as a
from ...ir.types import types as t
from ...ir.types.affine import (
    CONSTRUCT,
    MAX_AFFINE_DEPTH,
    AffineDepthError,
    AffineExpr,
    constant,
    dim,
    format_expression,
    symbol,
)
from ...ir.types.affine_map import AffineMap

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp, UnresolvedOperand
    from ...ir.text.printer import Printer


# -- values inside expressions


class InlineOperands:
    """The values met so far in inline expressions, each with the dimension or symbol that stands for it."""

    def __init__(self) -> None:
        self.dims: list[UnresolvedOperand] = []
        self.symbols: list[UnresolvedOperand] = []
        self._known: dict[tuple[str, int], AffineExpr] = {}

    def expression_of(self, use: UnresolvedOperand, as_symbol: bool) -> AffineExpr:
        """The dimension or symbol of a value; that of its first mention if there was one."""
        key = (use.name, use.number)
        found = self._known.get(key)
        if found is None:
            uses = self.symbols if as_symbol else self.dims
            found = symbol(len(uses)) if as_symbol else dim(len(uses))
            uses.append(use)
            self._known[key] = found
        return found

    def map(self, results: Sequence[AffineExpr]) -> a.AffineMapAttr:
        return a.AffineMapAttr(AffineMap(len(self.dims), len(self.symbols), results))

    def resolve(self, p: OpParser) -> list[Value]:
        """The values as operands of the map: dimensions, then symbols."""
        return [p.resolve(use, t.INDEX) for use in (*self.dims, *self.symbols)]


_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "floordiv": 2, "ceildiv": 2, "mod": 2, "negate": 3}
_OPERATORS = ("+", "-", "*", "floordiv", "ceildiv", "mod")
_NOT_AFFINE = {
    "*": "at least one of the multiply operands has to be either a constant or symbolic",
    "floordiv": "right operand of floordiv has to be either a constant or symbolic",
    "ceildiv": "right operand of ceildiv has to be either a constant or symbolic",
    "mod": "right operand of mod has to be either a constant or symbolic",
}


def parse_expression(p: OpParser, operands: InlineOperands) -> AffineExpr:
    """An expression over values: `+ - * floordiv ceildiv mod`, negation, parentheses, integers, values.

    Raises ParseError where it is malformed, not affine, or nested too deeply.
    """
    # operators that wait for their right operand, and "(": kind, position
    pending: list[tuple[str, int]] = []
    values: list[AffineExpr] = []

    def apply() -> None:
        kind, at = pending.pop()
        right = values.pop()
        try:
            if kind == "negate":
                values.append(-right)
                return
            left = values.pop()
            if kind in _NOT_AFFINE and not right.is_symbolic and not (kind == "*" and left.is_symbolic):
                p.fail(f"non-affine expression: {_NOT_AFFINE[kind]}", at)
            values.append(left - right if kind == "-" else CONSTRUCT[kind](left, right))
        except AffineDepthError as failure:
            p.fail(str(failure), at)

    while True:
        # an operand is due
        at = p.skip()
        if p.accept("("):
            if len(pending) >= 4 * MAX_AFFINE_DEPTH:
                p.fail(f"affine expression nested more than {MAX_AFFINE_DEPTH} levels deep", at)
            if p.peek(")"):
                p.fail("no expression inside parentheses", p.skip())
            pending.append(("(", at))
            continue
        if p.accept("-"):
            pending.append(("negate", at))
            continue
        values.append(_operand(p, operands, pending))
        # an operator or the end is due
        while True:
            at = p.skip()
            if pending and p.peek(")") and any(kind == "(" for kind, _ in pending):
                while pending[-1][0] != "(":
                    apply()
                p.accept(")")
                pending.pop()
                continue
            operator = next((o for o in _OPERATORS if p.accept(o)), None)
            while (
                pending
                and pending[-1][0] != "("
                and (operator is None or _PRECEDENCE[pending[-1][0]] >= _PRECEDENCE[operator])
            ):
                apply()
            break
        if operator is not None:
            pending.append((operator, at))
            continue
        if pending:
            p.fail("expected ')'", at)
        return values[0]


def _operand(p: OpParser, operands: InlineOperands, pending: list[tuple[str, int]]) -> AffineExpr:
    as_symbol = p.accept("symbol")
    if as_symbol:
        p.expect("(")
    use = p.optional_operand()
    if use is None:
        number = None if as_symbol else p.optional_integer()
        if number is None:
            _no_operand(p, as_symbol, bool(pending) and pending[-1][0] not in ("(", "negate"))
        return constant(number)
    if as_symbol:
        p.expect(")")
    return operands.expression_of(use, as_symbol)


def _no_operand(p: OpParser, as_symbol: bool, after_operator: bool) -> NoReturn:
    if as_symbol:
        p.fail("expected ssa identifier", p.skip())
    at = p.position
    if p.optional_keyword() is not None:
        p.fail("use of undeclared identifier", at)
    if after_operator and any(p.peek(o) for o in "+*"):
        p.fail("missing right operand of binary operator", at)
    p.fail("expected affine expression", at)


def parse_inline_map(p: OpParser) -> tuple[a.AffineMapAttr, InlineOperands]:
    """`[%i + 3, %j]` as a map and the values it applies to."""
    operands = InlineOperands()
    results = p.comma_separated(lambda: parse_expression(p, operands), "[", "]")
    return operands.map(results), operands


def inline_expressions(p: Printer, map: AffineMap, operands: Sequence[Value]) -> list[str]:
    """The results of `map` with values in the place of dimensions and symbols."""
    names = [p.value(value) for value in operands]
    symbols = [f"symbol({name})" for name in names[map.num_dims :]]
    return [format_expression(result, names[: map.num_dims], symbols) for result in map.results]


def inline_map(p: Printer, map: AffineMap, operands: Sequence[Value]) -> str:
    """Inverse of `parse_inline_map`."""
    return f"[{', '.join(inline_expressions(p, map, operands))}]"


# -- dimension and symbol lists


def parse_operand_lists(p: OpParser) -> tuple[list[UnresolvedOperand], list[UnresolvedOperand]]:
    """`(%dims)[%symbols]`, the latter optional."""
    dims = p.comma_separated(p.operand)
    symbols = p.comma_separated(p.operand, "[", "]") if p.peek("[") else []
    return dims, symbols


def operand_lists(p: Printer, operands: Sequence[Value], num_dims: int) -> str:
    """Inverse of `parse_operand_lists`."""
    dims, symbols = operands[:num_dims], operands[num_dims:]
    return f"({p.values(dims)})" + (f"[{p.values(symbols)}]" if symbols else "")


def parse_map_application(p: OpParser, state: ParsedOp, name: str, check_counts: bool) -> None:
    """`#map(%dims)[%symbols] attr-dict` into `state`, of operation `name` at whose name's end the cursor
    stands.
    """
    at = p.position - len(name)
    map = p.attribute_of(a.AffineMapAttr, "affine map").map
    dims, symbols = parse_operand_lists(p)
    p.attr_dict(state)
    if check_counts and (len(dims), len(symbols)) != (map.num_dims, map.num_symbols):
        p.error("dimension or symbol index mismatch", at)
    state.properties["map"] = a.AffineMapAttr(map)
    state.add_operands(p.resolve(use, t.INDEX) for use in (*dims, *symbols))


def map_application(p: Printer, attribute: a.AffineMapAttr, operands: Sequence[Value]) -> str:
    """Inverse of `parse_map_application`, without attributes."""
    return f"{p.attribute(attribute)}{operand_lists(p, operands, attribute.map.num_dims)}"
