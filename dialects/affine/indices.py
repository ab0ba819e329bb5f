"""Affine index computations: apply, min, max, linearize_index, delinearize_index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import attribute, operand, result, variadic_operand, variadic_result
from ...ir.program import traits as tr
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import ValueBoundsOp
from ...ir.source.diagnostics import expect
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineConstant
from ..common import DYNAMIC
from .maps import AffineIndexOp, map_application, parse_map_application

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp, UnresolvedOperand
    from ...ir.text.printer import Printer


class _MapOp(Operation):
    """Applies a map to operands: its dimensions, then its symbols."""

    map_operands = variadic_operand(c.INDEX)
    map = attribute(c.AFFINE_MAP_ATTR)
    output = result(c.INDEX)
    traits = (tr.PURE,)

    def print_custom(self, p: Printer) -> str:
        return f" {map_application(p, self.map, self.operands)}{p.attr_dict(self, elide=('map',))}"

    verify_looks_around = True

    def verify(self) -> str | None:
        map = self.map.map
        if len(self.op_operands) != map.num_dims + map.num_symbols:
            return "operand count and affine map dimension and symbol count must match"
        return None


class ApplyOp(_MapOp, AffineIndexOp):
    """The single result of a map; a dimension or symbol, depending on the operands."""

    name = "affine.apply"

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        parse_map_application(p, state, cls.name, check_counts=True)
        state.result_types = [t.INDEX] * len(expect(a.AffineMapAttr, state.properties["map"]).map.results)

    verify_looks_around = True

    def verify(self) -> str | None:
        return "mapping must produce one value" if len(self.map.map.results) != 1 else super().verify()


class _BoundOp(_MapOp):
    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        parse_map_application(p, state, cls.name, check_counts=False)
        state.result_types = [t.INDEX]

    verify_looks_around = True

    def verify(self) -> str | None:
        return super().verify() or (None if self.map.map.results else "affine map expect at least one result")


class MinOp(_BoundOp, ValueBoundsOp):
    """The smallest result of a map. Not a dimension: the minimum of affine functions is not affine."""

    name = "affine.min"

    def constant_upper_bound(self) -> int | None:
        numbers = [expr.value for expr in self.map.map.results if isinstance(expr, AffineConstant)]
        return min(numbers, default=None)


class MaxOp(_BoundOp):
    """The largest result of a map. Not a dimension: the maximum of affine functions is not affine."""

    name = "affine.max"


# -- linearization and delinearization


def _parse_basis(p: OpParser, state: ParsedOp) -> list[UnresolvedOperand]:
    """`(3, %n, 4)`: constant or dynamic sizes; constants are stored in `static_basis`."""
    values: list[UnresolvedOperand] = []

    def entry() -> int:
        use = p.optional_operand()
        if use is None:
            number = p.optional_integer()
            if number is None:
                p.error("expected SSA value or integer")
            return number
        values.append(use)
        return DYNAMIC

    state.properties["static_basis"] = a.DenseArrayAttr(t.I64, p.comma_separated(entry))
    return values


def _basis(p: Printer, values: Sequence[Value], constants: a.DenseArrayAttr) -> str:
    following = iter(values)
    return f"({', '.join(p.value(next(following)) if n == DYNAMIC else str(n) for n in constants)})"


def _basis_error(
    values: Sequence[Value], constants: a.DenseArrayAttr, what: str, expected: int
) -> str | None:
    """The error in a basis for `expected` indices, or None; its first size may be omitted."""
    if len(constants) not in (expected, expected - 1):
        return what
    if len(values) != constants.values.count(DYNAMIC):
        return (
            "mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis "
            "entry) -- this can only happen due to an incorrect fold/rewrite"
        )
    return None


class DelinearizeIndexOp(AffineIndexOp):
    """Splits an index into one per size of a basis, slowest first.

    The first size, which does not affect the result, may be omitted from the basis.
    """

    name = "affine.delinearize_index"
    traits = (tr.PURE,)
    linear_index = operand(c.INDEX)
    dynamic_basis = variadic_operand(c.INDEX)
    static_basis = attribute(c.DENSE_I64_ARRAY)
    multi_index = variadic_result(c.INDEX)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        index = p.operand()
        p.expect("into")
        basis = _parse_basis(p, state)
        p.attr_dict(state)
        state.result_types = p.colon_type_list()
        state.add_operands(p.resolve(use, t.INDEX) for use in (index, *basis))

    def print_custom(self, p: Printer) -> str:
        basis = _basis(p, self.dynamic_basis, self.static_basis)
        attributes = p.attr_dict(self, elide=("static_basis",))
        return f" {p.value(self.linear_index)} into {basis}{attributes} : {p.types(self.result_types)}"

    verify_looks_around = True

    def verify(self) -> str | None:
        error = _basis_error(
            self.dynamic_basis,
            self.static_basis,
            "should return an index for each basis element and up to one extra index",
            len(self.results),
        )
        if error is None and any(size != DYNAMIC and size < 1 for size in self.static_basis):
            return "no basis element may be statically non-positive"
        return error


_UNIT_PROPERTY = c.AttributeConstraint(
    "unit property", lambda attr: attr is a.UNIT or (isinstance(attr, a.IntegerAttr) and attr.type is t.I1)
)


class LinearizeIndexOp(AffineIndexOp):
    """Combines indices, slowest first, over the sizes of a basis.

    `disjoint` asserts that each index is within its size.
    """

    name = "affine.linearize_index"
    traits = (tr.PURE, tr.ATTR_SIZED_OPERAND_SEGMENTS)
    multi_index = variadic_operand(c.INDEX)
    dynamic_basis = variadic_operand(c.INDEX)
    static_basis = attribute(c.DENSE_I64_ARRAY)
    disjoint_property: Any = attribute(_UNIT_PROPERTY, key="disjoint", default=a.FALSE)
    linear_index = result(c.INDEX)

    @property
    def disjoint(self) -> bool:
        return self.disjoint_property is not a.FALSE

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        if p.accept("disjoint"):
            state.properties["disjoint"] = a.UNIT
        indices = p.bracketed_operands("[", "]")
        p.expect("by")
        basis = _parse_basis(p, state)
        p.attr_dict(state)
        state.result_types = [p.colon_type()]
        state.add_operands(p.resolve(use, t.INDEX) for use in (*indices, *basis))
        state.set_segments([len(indices), len(basis)])

    def print_custom(self, p: Printer) -> str:
        disjoint = " disjoint" if self.disjoint else ""
        basis = _basis(p, self.dynamic_basis, self.static_basis)
        attributes = p.attr_dict(self, elide=("static_basis", "disjoint"))
        type = p.type(self.linear_index.type)
        return f"{disjoint} [{p.values(self.multi_index)}] by {basis}{attributes} : {type}"

    verify_looks_around = True

    def verify(self) -> str | None:
        return _basis_error(
            self.dynamic_basis,
            self.static_basis,
            "should be passed a basis element for each index except possibly the first",
            len(self.multi_index),
        )
