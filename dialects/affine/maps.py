"""Affine maps with their operands: printing, parsing, verification.

There are two notations. Operations on indices apply a map to two lists, dimensions and symbols: `#map(%i,
%j)[%n]`. Memory operations write the map's results in terms of values: `%m[%i + 3, %j floordiv 2,
symbol(%n)]`, from which the map is reconstructed: every value is a dimension unless marked `symbol(...)`, and
a repeated value is a single operand.

Expressions are parsed with an explicit operator stack, so parentheses may nest as deep as expressions may.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, Operation, OpResult, Region, Value
from ...ir.program.interfaces import SizedResultOp
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
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
from .._regions import BoundedLoopOp
from ..common import ShapedDimOp, constant_index

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp, UnresolvedOperand
    from ...ir.text.printer import Printer


# -- values inside expressions


class InlineOperands:
    """The values used so far in inline expressions, each with its dimension or symbol."""

    def __init__(self) -> None:
        self.dims: list[UnresolvedOperand] = []
        self.symbols: list[UnresolvedOperand] = []
        self._known: dict[tuple[str, int], AffineExpr] = {}

    def expression_of(self, use: UnresolvedOperand, as_symbol: bool) -> AffineExpr:
        """The dimension or symbol of a value, shared by all its mentions."""
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

    Raises ParseError if it is malformed, not affine, or nested too deeply.
    """
    # operators awaiting their right operand, and "(": kind, position
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
        # expect an operand
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
        # expect an operator or the end
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
    """`[%i + 3, %j]` as a map and its operands."""
    operands = InlineOperands()
    results = p.comma_separated(lambda: parse_expression(p, operands), "[", "]", " in affine map")
    return operands.map(results), operands


def inline_expressions(p: Printer, map: AffineMap, operands: Sequence[Value]) -> list[str]:
    """The results of `map` with values in place of dimensions and symbols."""
    names = [p.value(value) for value in operands]
    symbols = [f"symbol({name})" for name in names[map.num_dims :]]
    return [format_expression(result, names[: map.num_dims], symbols) for result in map.results]


def inline_map(p: Printer, map: AffineMap, operands: Sequence[Value]) -> str:
    """Inverse of `parse_inline_map`."""
    return f"[{', '.join(inline_expressions(p, map, operands))}]"


# -- dimension and symbol lists


def parse_operand_lists(p: OpParser) -> tuple[list[UnresolvedOperand], list[UnresolvedOperand]]:
    """`(%dims)[%symbols]`, the latter optional."""
    dims = p.bracketed_operands("(", ")")
    symbols = p.bracketed_operands("[", "]") if p.peek("[") else []
    return dims, symbols


def operand_lists(p: Printer, operands: Sequence[Value], num_dims: int) -> str:
    """Inverse of `parse_operand_lists`."""
    dims, symbols = operands[:num_dims], operands[num_dims:]
    return f"({p.values(dims)})" + (f"[{p.values(symbols)}]" if symbols else "")


def parse_map_application(p: OpParser, state: ParsedOp, name: str, check_counts: bool) -> None:
    """Parse `#map(%dims)[%symbols] attr-dict` into `state`; the cursor is after the operation's name `name`."""
    at = p.position - len(name)
    map = p.attribute_of(a.AffineMapAttr).map
    dims, symbols = parse_operand_lists(p)
    p.attr_dict(state)
    if check_counts and (len(dims), len(symbols)) != (map.num_dims, map.num_symbols):
        p.error("dimension or symbol index mismatch", at)
    state.properties["map"] = a.AffineMapAttr(map)
    state.add_operands(p.resolve(use, t.INDEX) for use in (*dims, *symbols))


def map_application(p: Printer, attribute: a.AffineMapAttr, operands: Sequence[Value]) -> str:
    """Inverse of `parse_map_application`, without attributes."""
    return f"{p.attribute(attribute)}{operand_lists(p, operands, attribute.map.num_dims)}"


# Valid dimensions and symbols of affine maps
#
# Affine analyses treat symbols as unknown constants and dimensions as loop counters, and the operands of a map
# must be such values. Relative to a region, the *affine scope* (the closest region of an
# operation with the trait `AFFINE_SCOPE`, such as a function's body), a value of type `index`
#
# * is a **symbol** if (1) it is defined at the top level of the scope; or (2) it is a constant; or (3) a pure
#   operation computes it from symbols; or (4) it is a size of a buffer or tensor that is itself defined at
#   the top level of the scope, or whose size in that dimension is given by a symbol; or (5) it is a symbol of the
#   scope's parent region, if the scope's operation is not isolated from above;
# * is a **dimension** if it is a symbol; or the counter of an affine loop; or computed by an affine index
#   operation (`affine.apply` and the like) from dimensions; or a size of a value defined at the top level of any
#   affine scope.
#
# The rules, and their order, are those of `isValidDim` and `isValidSymbol` in MLIR's
# mlir/lib/Dialect/Affine/IR/AffineOps.cpp. A chain of pure operations may be as long as the program, so rules
# are generators that yield the queries they depend on, answered by one loop. A query visits each operation that its
# answer depends on once.


"""A map and its operands."""


class AffineLoopOp(BoundedLoopOp):
    """A loop whose induction variables are dimensions, and whose bounds are maps."""


class AffineIndexOp(Operation):
    """Computes indices that are dimensions if all operands are."""


Question: TypeAlias = tuple[Value, Region | None]
Rule: TypeAlias = Generator[Question, bool, bool]

_SIZES_GIVEN = frozenset(["memref.alloc", "memref.view", "memref.subview"])
"""Operations whose dynamic sizes, which are operands, may be symbols."""


def affine_scope(op: Operation) -> Region | None:
    """The region that determines dimensions and symbols for `op`; None if there is none. O(depth)."""
    current = op
    parent = current.parent_op
    while parent is not None:
        if parent.has_trait(tr.AFFINE_SCOPE):
            return current.parent_region
        current, parent = parent, parent.parent_op
    return None


def is_valid_symbol(value: Value, scope: Region | None) -> bool:
    """Whether `value` may be a symbol of a map used in `scope`."""
    if value.type is not t.INDEX:
        return False
    if _is_top_level(value, scope):
        return True
    return _answer(_symbol_rule, (value, scope))


def is_valid_dim(value: Value, scope: Region | None) -> bool:
    """Whether `value` may be a dimension of a map used in `scope`."""
    if value.type is not t.INDEX:
        return False
    if _is_top_level(value, scope) or _is_induction_variable(value):
        return True
    return _answer(_dim_rule, (value, scope))


def operands_error(op: Operation, operands: Sequence[Value], num_dims: int) -> str | None:
    """The error in `operands` as the dimensions, then symbols, of a map used by `op`, or None."""
    if not operands:
        return None
    scope = affine_scope(op)
    for i, value in enumerate(operands):
        if i < num_dims:
            if not is_valid_dim(value, scope):
                return "operand cannot be used as a dimension id"
        elif not is_valid_symbol(value, scope):
            return "operand cannot be used as a symbol"
    return None


def _answer(rule: Callable[[Value, Region | None], Rule], question: Question) -> bool:
    """Evaluate `rule` and the symbol rules it queries, without recursion."""
    known: dict[Question, bool] = {}
    stack: list[tuple[Question, Rule]] = [(question, rule(*question))]
    answer: bool | None = None
    while True:
        asked, active = stack[-1]
        try:
            request = next(active) if answer is None else active.send(answer)
        except StopIteration as done:
            stack.pop()
            answer = known[asked] = done.value
            if not stack:
                return done.value
            continue
        answer = known.get(request)
        if answer is None:
            known[request] = False  # for cyclic dependences in graph regions
            stack.append((request, _symbol_rule(*request)))


def _symbol_rule(value: Value, scope: Region | None) -> Rule:
    if value.type is not t.INDEX:
        return False
    if _is_top_level(value, scope):
        return True
    op = value.defining_op
    if op is not None:
        if op.has_trait(tr.CONSTANT_LIKE):
            return True
        if op.has_trait(tr.PURE):
            for operand in op.operands:
                if not (yield operand, scope):
                    break
            else:
                return True
        if isinstance(op, ShapedDimOp):
            return (yield from _size_rule(op, scope))
    owner = scope.parent_op if scope is not None else None
    if owner is not None and not owner.has_trait(tr.ISOLATED_FROM_ABOVE) and owner.parent_region is not None:
        return (yield value, owner.parent_region)
    return False


def _size_rule(op: Operation, scope: Region | None) -> Rule:
    """Whether the result of a dim operation is a symbol."""
    source, position = op.operands
    if _is_at_top_of_any_scope(source):
        return True
    owner = source.defining_op
    if owner is None:
        return False
    index = constant_index(position)
    shape = getattr(source.type, "shape", None)
    if index is None or owner.name not in _SIZES_GIVEN or shape is None or not 0 <= index < len(shape):
        return False
    size = shape[index] or expect(SizedResultOp, owner).size_of(expect(OpResult, source), index)
    return isinstance(size, int) or (isinstance(size, Value) and (yield size, scope))


def _dim_rule(value: Value, scope: Region | None) -> Rule:
    """The conjunction over all values that must be dimensions for `value` to be one, each visited once."""
    pending, seen = [value], {value}
    while pending:
        current = pending.pop()
        if current.type is not t.INDEX:
            return False
        if _is_induction_variable(current) or (yield current, scope):
            continue
        op = current.defining_op
        if isinstance(op, AffineIndexOp):
            for operand in op.operands:
                if operand not in seen:
                    seen.add(operand)
                    pending.append(operand)
        elif not isinstance(op, ShapedDimOp) or not _is_at_top_of_any_scope(op.operands[0]):
            return False
    return True


def _is_top_level(value: Value, scope: Region | None) -> bool:
    block = value.parent_block
    return block is not None and scope is not None and block.region is scope


def _is_at_top_of_any_scope(value: Value) -> bool:
    block = value.parent_block
    parent = block.parent_op if block is not None else None
    return parent is not None and parent.has_trait(tr.AFFINE_SCOPE)


def _is_induction_variable(value: Value) -> bool:
    if not isinstance(value, BlockArgument):
        return False
    parent = value.owner.parent_op
    return isinstance(parent, AffineLoopOp) and value in parent.induction_variables
