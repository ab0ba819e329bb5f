"""Affine loops and conditionals, and the terminator of their regions.

Each bound of `affine.parallel` is a group of results of one map: `(0, max(%n, 1))` is the map `(d0) -> (0, d0, 1)` with
groups of 1 and 2. The lower and the upper map share one operand list, lower ones first; expressions are over
values, as in memory operations.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import attribute, region, variadic_operand, variadic_result
from ...ir.program import traits as tr
from ...ir.program.core import BlockArgument, OpOperand, Region, Value
from ...ir.program.interfaces import (
    CountedLoopOp,
    LoopBound,
    LoopBounds,
    RegionBranchOp,
    RegionBranchTerminatorOp,
    RegionSuccessor,
)
from ...ir.types import attributes as a, types as t
from ...ir.types.affine import AffineConstant, AffineExpr, AffineSymbol, symbol
from ...ir.types.affine_map import AffineMap
from .._regions import ended, iteration_count, no_region_arguments
from .maps import (
    AffineLoopOp,
    InlineOperands,
    inline_expressions,
    operand_lists,
    operands_error,
    parse_expression,
    parse_operand_lists,
)

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer


# -- loop bounds: a map with operands, in the shortest of four notations
#
# A bound is a constant `0`, a value `%n` (the identity map of one symbol), an applied map `#map(%i)[%n]`, or
# the maximum (for lower bounds) or minimum (for upper bounds) of several results: `max #map(%i)`, `min
# #map(%i)`.


LOWER, UPPER = "lower", "upper"
_PREFIX = {LOWER: "max", UPPER: "min"}


def parse_bound(p: OpParser, which: str, start: int) -> tuple[a.AffineMapAttr, list[Value]]:
    """Parse a bound of the loop whose name is at `start`: its map and operands."""
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
    """The constant value of a bound, or None."""
    results = attribute.map.results
    if len(results) == 1 and isinstance(results[0], AffineConstant):
        return results[0].value
    return None


IMPLICIT_YIELD = tr.ImplicitTerminator("affine.yield")


class YieldOp(RegionBranchTerminatorOp):
    """Terminates a region of an affine operation; its operands are the region's results."""

    name = "affine.yield"
    traits = (tr.PURE, tr.TERMINATOR, tr.RETURN_LIKE)
    values = variadic_operand()
    assembly_format = "attr-dict ($values^ `:` type($values))?"

    verify_looks_around = True

    def verify(self) -> str | None:
        parent = self.parent_op
        if parent is None or parent.name not in ("affine.for", "affine.if", "affine.parallel"):
            return "only terminates affine.if/for/parallel regions"
        if len(parent.results) != len(self.op_operands):
            return "parent of yield must have same number of results as the yield operands"
        if parent.result_types != self.operand_types:
            return "types mismatch between yield op and its parent"
        return None


class ForOp(CountedLoopOp, AffineLoopOp, RegionBranchOp):
    """A loop from a lower bound to an exclusive upper bound; both are affine, the step is a constant.

    It may have loop-carried values (`iter_args`); those yielded last are the results.
    """

    name = "affine.for"
    traits = (
        tr.ATTR_SIZED_OPERAND_SEGMENTS,
        tr.AUTOMATIC_ALLOCATION_SCOPE,
        tr.RECURSIVE_MEMORY_EFFECTS,
        tr.RECURSIVELY_SPECULATABLE,
        IMPLICIT_YIELD,
    )
    lower_bound_operands = variadic_operand(c.INDEX)
    upper_bound_operands = variadic_operand(c.INDEX)
    inits = variadic_operand()
    lower_bound_map = attribute(c.AFFINE_MAP_ATTR, key="lowerBoundMap")
    upper_bound_map = attribute(c.AFFINE_MAP_ATTR, key="upperBoundMap")
    step = attribute(c.INDEX_ATTR)
    outputs = variadic_result()
    region = region(single_block=True)

    # -- the loop

    @property
    def init_operands(self) -> list[OpOperand]:
        start = len(self.op_operands) - len(self.inits)
        return self.op_operands[start:]

    def bounds(self) -> LoopBounds:
        lower = self.lower_bound_map.map, self.lower_bound_operands
        return [(lower, (self.upper_bound_map.map, self.upper_bound_operands), self.step.value)]

    def static_trip_count(self) -> int | None:
        low, high = constant_bound(self.lower_bound_map), constant_bound(self.upper_bound_map)
        return iteration_count(low, high, self.step.value)

    # -- control flow

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        """With a known trip count there are fewer edges: a loop that runs is entered, one that runs once is left."""
        body = RegionSuccessor(self.region, self.region_iter_args)
        parent = RegionSuccessor(None, self.results)
        count = self.static_trip_count()
        if source is None and count is not None:
            return [body] if count > 0 else [parent]
        if source is not None and count == 1:
            return [parent]
        return [body, parent]

    def entry_successor_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        return self.init_operands

    # -- text

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        start = p.position - len(cls.name)
        counter = p.argument(with_type=False)
        counter.type = t.INDEX
        p.expect("=")
        state.properties["lowerBoundMap"], lower = parse_bound(p, LOWER, start)
        p.expect("to", " between bounds")
        state.properties["upperBoundMap"], upper = parse_bound(p, UPPER, start)
        state.properties["step"] = a.index_attr(1)
        if p.accept("step"):
            at = p.skip()
            step = p.attribute(t.INDEX)
            if not isinstance(step, a.IntegerAttr):
                p.error("invalid kind of attribute specified", at)
            if step.value < 0:
                message = "expected step to be representable as a positive signed integer"
                p.error(message, at)
            state.properties["step"] = step
        arguments = [counter]
        inits = []
        if p.accept("iter_args"):
            carried_arguments, inits = p.assignment_list()
            arguments += carried_arguments
            p.expect("->")
            state.result_types = p.arrow_type_list()
            if len(inits) != len(state.result_types):
                p.error("mismatch between the number of loop-carried values and results", start)
            for argument, type in zip(arguments[1:], state.result_types, strict=True):
                argument.type = type
        carried = p.resolve_all(inits, state.result_types)
        state.add_operands([*lower, *upper, *carried])
        state.set_segments([len(lower), len(upper), len(carried)])
        state.regions.append((yield p.region(arguments)))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        counter, *carried = self.region.entry.args
        lower = bound(p, LOWER, self.lower_bound_map, self.lower_bound_operands)
        upper = bound(p, UPPER, self.upper_bound_map, self.upper_bound_operands)
        yield f" {p.value(counter)}{p.argument_location(counter)} = {lower} to {upper}"
        if self.step.value != 1:
            yield f" step {self.step.value}"
        if carried or self.inits:
            pairs = zip(carried, self.inits, strict=True)
            shown = ", ".join(f"{p.value(argument)} = {p.value(init)}" for argument, init in pairs)
            yield f" iter_args({shown}) -> ({p.types(self.result_types)})"
        yield " "
        yield p.region(self.region, entry_args=False, terminators=bool(carried))
        yield p.attr_dict(self, elide=("lowerBoundMap", "upperBoundMap", "step", "operandSegmentSizes"))

    verify_looks_around = True

    def verify(self) -> str | None:
        args = self.region.entry.args
        if not args or args[0].type is not t.INDEX:
            return "expected body to have a single index argument for the induction variable"
        inits, carried = self.inits, args[1:]
        if len(inits) != len(carried):
            return f"different number of inits and region iter_args: {len(inits)} != {len(carried)}"
        if len(carried) != len(self.results):
            return f"different number of region iter_args and results: {len(carried)} != {len(self.results)}"
        for i, (init, argument) in enumerate(zip(inits, carried, strict=True)):
            if init.type is not argument.type:
                return (
                    f"{i}-th init and {i}-th region iter_arg have different type: "
                    f"'{init.type}' != '{argument.type}'"
                )
        low, high = self.lower_bound_map.map, self.upper_bound_map.map
        error = None
        if low.num_dims + low.num_symbols:
            error = operands_error(self, self.lower_bound_operands, low.num_dims)
        if error is None and high.num_dims + high.num_symbols:
            error = operands_error(self, self.upper_bound_operands, high.num_dims)
        if error is not None:
            return error
        if not low.results:
            return "expected lower bound map to have at least one result"
        if not high.results:
            return "expected upper bound map to have at least one result"
        return None


class IfOp(RegionBranchOp):
    """Runs one of two regions, depending on whether the operands are in an integer set.

    The `else` region is optional.
    """

    name = "affine.if"
    traits = (tr.RECURSIVE_MEMORY_EFFECTS, tr.RECURSIVELY_SPECULATABLE, tr.FixedTerminator("affine.yield"))
    condition_operands = variadic_operand()
    condition = attribute(c.attribute_instance(a.IntegerSetAttr, "IntegerSet attribute"))
    outputs = variadic_result()
    then_region = region(single_block=True)
    else_region = region()

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        parent = RegionSuccessor(None, self.results)
        if source is not None:
            return [parent]
        then = RegionSuccessor(self.then_region, ())
        return [then, parent] if self.else_region.is_empty else [then, RegionSuccessor(self.else_region, ())]

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        start = p.position - len(cls.name)
        at = p.skip()
        condition = p.attribute()
        if not isinstance(condition, a.IntegerSetAttr):
            p.error("invalid kind of attribute specified", at)
        dims, symbols = parse_operand_lists(p)
        if len(dims) != condition.set.num_dims:
            p.error("dim operand count and integer set dim count must match", start)
        if len(dims) + len(symbols) != condition.set.num_dims + condition.set.num_symbols:
            p.error("symbol operand count and integer set symbol count must match", start)
        state.properties["condition"] = condition
        state.add_operands(p.resolve(use, t.INDEX) for use in (*dims, *symbols))
        state.result_types = p.arrow_types()
        where = (p.source, start, start, start + len(cls.name))
        end = partial(YieldOp, where=where)
        then = ended((yield p.region()), end)
        otherwise = ended((yield p.region()), end) if p.accept("else") else Region()
        state.regions = [then, otherwise]
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield f" {p.attribute(self.condition)}"
        yield operand_lists(p, self.operands, self.condition.set.num_dims)
        yield p.arrow_types(self.result_types)
        yield " "
        yield p.region(self.then_region, entry_args=False, terminators=bool(self.results))
        if not self.else_region.is_empty:
            yield " else "
            yield p.region(self.else_region, entry_args=False, terminators=bool(self.results))
        yield p.attr_dict(self, elide=("condition",))

    verify_looks_around = True

    def verify(self) -> str | None:
        condition = self.condition.set
        if len(self.op_operands) != condition.num_dims + condition.num_symbols:
            return "operand count and condition integer set dimension and symbol count must match"
        if (error := operands_error(self, self.operands, condition.num_dims)) is not None:
            return error
        if (error := no_region_arguments(self)) is not None:
            return error
        if self.results and self.else_region.is_empty:
            return (
                "along control flow edge from parent to parent: region branch point has 0 operands, "
                f"but region successor needs {len(self.results)} inputs"
            )
        return None


REDUCTIONS = tuple(
    """
    addf addi andi assign maximumf maxnumf maxs maxu minimumf minnumf mins minu mulf muli ori xori
    """.split()
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
