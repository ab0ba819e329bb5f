"""`affine.parallel`: loop nests in any order, with reductions.

Each bound is a group of results of one map: `(0, max(%n, 1))` is the map `(d0) -> (0, d0, 1)` with groups
of 1 and 2. The lower and the upper map share one operand list, lower ones first; expressions are over
values, as in memory operations.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import attribute, region, variadic_operand, variadic_result
from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, Region, Value
from ...ir.program.interfaces import LoopBound, LoopBounds
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineExpr
from ...ir.types.affine_map import AffineMap
from .control_flow import IMPLICIT_YIELD
from .maps import AffineLoopOp, InlineOperands, inline_expressions, operands_error, parse_expression

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer

REDUCTIONS = (
    "addf",
    "addi",
    "andi",
    "assign",
    "maximumf",
    "maxnumf",
    "maxs",
    "maxu",
    "minimumf",
    "minnumf",
    "mins",
    "minu",
    "mulf",
    "muli",
    "ori",
    "xori",
)
"""How results of iterations are combined; stored as indices into this list (MLIR's `arith::AtomicRMWKind`)."""

_FLOAT = frozenset(["addf", "mulf", "maximumf", "minimumf"])
_INTEGER = frozenset(["addi", "muli", "ori", "andi"])
_SIGNED = frozenset(["maxs", "mins"])
_UNSIGNED = frozenset(["maxu", "minu"])


def _reduces(kind: str, type: t.Type) -> bool:
    """Whether the reduction supports results of `type`, as far as MLIR supports it."""
    if kind == "assign":
        return True
    if kind in _FLOAT:
        return isinstance(type, t.FloatType)
    if not isinstance(type, t.IntegerType):
        return False
    if kind in _SIGNED:
        return type.signedness == "signed"
    if kind in _UNSIGNED:
        return type.signedness == "unsigned"
    return kind in _INTEGER


_REDUCTION_ARRAY = c.AttributeConstraint(
    "Reduction ops",
    lambda attr: (
        isinstance(attr, a.ArrayAttr)
        and all(
            isinstance(x, a.IntegerAttr) and x.type is t.I64 and 0 <= x.value < len(REDUCTIONS)
            for x in attr.elements
        )
    ),
)
_GROUPS = c.AttributeConstraint(
    "32-bit signless integer elements attribute",
    lambda attr: isinstance(attr, a.DenseElementsAttr) and attr.type.element is t.I32,
)


def _groups_attr(sizes: list[int]) -> a.DenseElementsAttr:
    type = t.RankedTensorType((len(sizes),), t.I32)
    return a.DenseElementsAttr.from_values(type, sizes)


class ParallelOp(AffineLoopOp):
    """Runs its body for every point of a grid, in any order; results reduce the values that iterations yield."""

    name = "affine.parallel"
    traits = (
        tr.AUTOMATIC_ALLOCATION_SCOPE,
        tr.RECURSIVE_MEMORY_EFFECTS,
        tr.RECURSIVELY_SPECULATABLE,
        tr.PARALLEL_LOOP,
        IMPLICIT_YIELD,
    )
    map_operands = variadic_operand(c.INDEX)
    reductions = attribute(_REDUCTION_ARRAY)
    lower_bounds_map = attribute(c.AFFINE_MAP_ATTR, key="lowerBoundsMap")
    lower_bounds_groups = attribute(_GROUPS, key="lowerBoundsGroups")
    upper_bounds_map = attribute(c.AFFINE_MAP_ATTR, key="upperBoundsMap")
    upper_bounds_groups = attribute(_GROUPS, key="upperBoundsGroups")
    steps = attribute(c.I64_ARRAY_ATTR)
    outputs = variadic_result()
    region = region(single_block=True)

    @property
    def induction_variables(self) -> list[BlockArgument]:
        return self.region.entry.args if not self.region.is_empty else []

    def bounds(self) -> LoopBounds:
        def each(map: AffineMap, groups: Sequence[int], operands: Sequence[Value]) -> list[LoopBound]:
            exprs = iter(map.results)
            own = (list(islice(exprs, size)) for size in groups)
            return [(AffineMap(map.num_dims, map.num_symbols, results), operands) for results in own]

        lower = each(self.lower_bounds_map.map, self.lower_bounds_groups.values(), self.lower_bounds_operands)
        upper = each(self.upper_bounds_map.map, self.upper_bounds_groups.values(), self.upper_bounds_operands)
        return list(zip(lower, upper, [step.value for step in self.steps], strict=True))

    @property
    def lower_bounds_operands(self) -> list[Value]:
        map = self.lower_bounds_map.map
        return self.operands[: map.num_dims + map.num_symbols]

    @property
    def upper_bounds_operands(self) -> list[Value]:
        map = self.lower_bounds_map.map
        return self.operands[map.num_dims + map.num_symbols :]

    # -- text

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        counters = p.argument_list(with_types=False)
        for counter in counters:
            counter.type = t.INDEX
        p.expect("=")
        lower = _parse_bounds(p, state, "lowerBounds", "max")
        p.expect("to")
        upper = _parse_bounds(p, state, "upperBounds", "min")
        steps = [1] * len(counters)
        if p.accept("step"):
            steps = p.comma_separated(p.integer)
        state.properties["steps"] = _i64_array(steps)
        kinds: list[int] = []
        if p.accept("reduce"):

            def kind() -> None:
                at = p.skip()
                word = p.string()
                if word not in REDUCTIONS:
                    p.error(f'invalid reduction value: "{word}"', at)
                kinds.append(REDUCTIONS.index(word))

            p.comma_separated(kind)
        state.properties["reductions"] = _i64_array(kinds)
        state.result_types = p.arrow_types()
        state.add_operands([*lower.resolve(p), *upper.resolve(p)])
        state.regions.append((yield p.region(counters)))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        lower = _bounds(
            p, self.lower_bounds_map.map, self.lower_bounds_groups, self.lower_bounds_operands, "max"
        )
        upper = _bounds(
            p, self.upper_bounds_map.map, self.upper_bounds_groups, self.upper_bounds_operands, "min"
        )
        yield f" ({p.values(self.region.entry.args)}) = ({lower}) to ({upper})"
        steps = [step.value for step in self.steps]
        if any(step != 1 for step in steps):
            yield f" step ({', '.join(map(str, steps))})"
        if self.results:
            kinds = ", ".join(f'"{REDUCTIONS[kind.value]}"' for kind in self.reductions)
            yield f" reduce ({kinds}) -> ({p.types(self.result_types)})"
        yield " "
        yield p.region(self.region, entry_args=False, terminators=bool(self.results))
        yield p.attr_dict(
            self,
            elide=(
                "reductions",
                "lowerBoundsMap",
                "lowerBoundsGroups",
                "upperBoundsMap",
                "upperBoundsGroups",
                "steps",
            ),
        )

    verify_looks_around = True

    def verify(self) -> str | None:
        counters = len(self.region.entry.args)
        lower, upper = self.lower_bounds_groups.values(), self.upper_bounds_groups.values()
        if not counters == len(lower) == len(upper) == len(self.steps):
            return (
                f"the number of region arguments ({counters}) and the number of map groups for lower "
                f"({len(lower)}) and upper bound ({len(upper)}), and the number of steps ({len(self.steps)}) "
                "must all match"
            )
        for which, groups, map in (
            ("lower", lower, self.lower_bounds_map.map),
            ("upper", upper, self.upper_bounds_map.map),
        ):
            if any(size <= 0 for size in groups):
                return f"expected {which} bound map to have at least one result"
            if sum(groups) != len(map.results):
                return f"expected {which} bounds map to have {sum(groups)} results"
        if len(self.results) != len(self.reductions):
            return "a reduction must be specified for each output"
        for kind, type in zip(self.reductions, self.result_types, strict=True):
            if not _reduces(REDUCTIONS[kind.value], type):
                return "result type cannot match reduction attribute"
        low, high = self.lower_bounds_map.map, self.upper_bounds_map.map
        if len(self.op_operands) != low.num_dims + low.num_symbols + high.num_dims + high.num_symbols:
            return "incorrect number of operands"
        return operands_error(self, self.lower_bounds_operands, low.num_dims) or operands_error(
            self, self.upper_bounds_operands, high.num_dims
        )


def _i64_array(values: list[int]) -> a.ArrayAttr:
    return a.ArrayAttr([a.IntegerAttr(value, t.I64) for value in values])


def _parse_bounds(p: OpParser, state: ParsedOp, key: str, keyword: str) -> InlineOperands:
    """Parse `(0, max(%n, 1))` into the map and the sizes of its groups."""
    operands = InlineOperands()
    results: list[AffineExpr] = []
    sizes: list[int] = []

    def group() -> None:
        if p.accept(keyword):
            members = p.comma_separated(lambda: parse_expression(p, operands))
        else:
            members = [parse_expression(p, operands)]
        results.extend(members)
        sizes.append(len(members))

    p.comma_separated(group)
    state.properties[f"{key}Map"] = operands.map(results)
    state.properties[f"{key}Groups"] = _groups_attr(sizes)
    return operands


def _bounds(
    p: Printer, map: AffineMap, groups: a.DenseElementsAttr, operands: list[Value], keyword: str
) -> str:
    shown = inline_expressions(p, map, operands)
    parts = []
    at = 0
    for size in groups.values():
        members = shown[at : at + size]
        parts.append(members[0] if size == 1 else f"{keyword}({', '.join(members)})")
        at += size
    return ", ".join(parts)
