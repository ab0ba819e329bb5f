"""The `scf` dialect: structured control flow.

Declared here are `scf.if`, `scf.index_switch` and `scf.execute_region`, which run one of their regions once, and `scf.forall`;
`scf_loop_ops` declares the sequential loops and `scf.parallel`.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import (
    attribute,
    operand,
    region,
    unit_attribute,
    variadic_operand,
    variadic_region,
    variadic_result,
)
from ..ir.program import traits as tr
from ..ir.program.core import Block, BlockArgument, OpOperand, Region
from ..ir.program.interfaces import (
    Condition,
    DestinationStyleOp,
    InParallelOpInterface,
    LoopBounds,
    RegionBranchOp,
    RegionSuccessor,
    SubsetInsertionOp,
)
from ..ir.source.diagnostics import Diagnostic, expect
from ..ir.source.locations import Where
from ..ir.types import attributes as a, types as t
from ..ir.verifier import op_error
from ._regions import BoundedLoopOp, blocks_wanted, ended, no_region_arguments, verify_edges
from .common import DYNAMIC, Mixed, Unprefixed, mixed
from .scf_loop_ops import (
    ConditionOp as ConditionOp,
    ForOp as ForOp,
    ParallelOp as ParallelOp,
    ReduceOp as ReduceOp,
    ReduceReturnOp as ReduceReturnOp,
    WhileOp as WhileOp,
    YieldOp as YieldOp,
    assignments_text,
)

if TYPE_CHECKING:
    from ..ir.program.core import Where
    from ..ir.text.op_parser import Argument, OpParser, ParsedOp, UnresolvedOperand
    from ..ir.text.printer import Printer


class IfOp(RegionBranchOp):
    """Runs `then_region` if the condition holds, else `else_region`, which may be empty if there are no results."""

    name = "scf.if"
    condition = operand(c.I1)
    results_ = variadic_result(c.ANY_TYPE)
    then_region = region(single_block=True)
    else_region = region()
    traits = (tr.FixedTerminator("scf.yield"), tr.RECURSIVE_MEMORY_EFFECTS, tr.RECURSIVELY_SPECULATABLE)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        state.add_operands([p.resolve(p.operand(), t.I1)])
        state.result_types = p.arrow_types()
        start = p.skip()
        then = yield p.region()
        ended(then, partial(YieldOp, where=(p.source, start, start, p.position)))
        otherwise = Region()
        start = p.skip()
        if p.accept("else"):
            otherwise = yield p.region()
            ended(otherwise, partial(YieldOp, where=(p.source, start, start, p.position)))
        state.regions = [then, otherwise]
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        then, otherwise = self.regions
        shown = bool(self.results)
        yield f" {p.value(self.operands[0])}"
        if shown:
            yield f" -> ({p.types(self.result_types)})"
        yield " "
        yield p.region(then, entry_args=False, terminators=shown)
        if not otherwise.is_empty:
            yield " else "
            yield p.region(otherwise, entry_args=False, terminators=shown)
        yield p.attr_dict(self)

    verify_looks_around = True

    def verify(self) -> str | None:
        if self.results and self.regions[1].is_empty:
            return "must have an else block if defining values"
        return no_region_arguments(self)

    def verify_regions(self) -> str | Diagnostic | None:
        return verify_edges(self)

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        parent = RegionSuccessor(None, self.results)
        if source is not None:
            return [parent]
        then, otherwise = self.regions
        return [RegionSuccessor(then, ()), parent if otherwise.is_empty else RegionSuccessor(otherwise, ())]

    def entry_condition(self, index: int) -> Condition:
        return Condition(self.condition, "false" if index else "true")


class IndexSwitchOp(RegionBranchOp):
    """Runs the region of the case equal to the argument, or `default_region`."""

    name = "scf.index_switch"
    arg = operand(c.INDEX)
    cases = attribute(c.DENSE_I64_ARRAY)
    results_ = variadic_result(c.ANY_TYPE)
    default_region = region(single_block=True)
    case_regions = variadic_region(single_block=True)
    traits = (tr.RECURSIVE_MEMORY_EFFECTS, tr.ImplicitTerminator("scf.yield"))

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        state.add_operands([p.resolve(p.operand(), t.INDEX)])
        p.attr_dict(state)
        if p.accept("->"):
            state.result_types = p.type_list()
        values: list[int] = []
        regions: list[Region] = []
        while p.accept("case"):
            values.append(p.integer())
            regions.append((yield p.region()))
        if not p.accept("default"):
            p.error("expected 'default'")
        default = yield p.region()
        state.properties["cases"] = a.DenseArrayAttr(t.I64, tuple(values))
        state.regions = [default, *regions]

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        line = "\n" + p.indent
        yield f" {p.value(self.operands[0])}{p.attr_dict(self, ('cases',))}"
        if self.results:
            yield f" -> {p.types(self.result_types)}"
        yield " "
        for value, case in zip(self.cases.values, self.regions[1:], strict=True):
            yield f"{line}case {value} "
            yield p.region(case, entry_args=False)
        yield f"{line}default "
        default = self.regions[0]
        yield p.region(default, terminators=p.shows_terminator(self, default))

    verify_looks_around = True

    def verify(self) -> str | Diagnostic | None:
        values = self.cases.values
        if (wrong := blocks_wanted(self, "caseRegions", 1)) is not None:
            return wrong
        if len(values) != len(self.regions) - 1:
            return f"has {len(self.regions) - 1} case regions but {len(values)} case values"
        seen: set[int] = set()
        for value in values:
            if value in seen:
                return f"has duplicate case value: {value}"
            seen.add(value)
        for i, branch in enumerate(self.regions):
            wrong = self._verify_yield(branch, "default region" if i == 0 else f"case region #{i - 1}")
            if wrong is not None:
                return wrong
        return None

    def _verify_yield(self, region: Region, what: str) -> Diagnostic | None:
        last = region.entry.last_op if not region.is_empty else None
        if last is None or last.name != "scf.yield":
            finding = op_error(
                self, f"expected region to end with scf.yield, but got {last.name if last else 'nothing'}"
            )
            if last is not None:
                finding.attach("see yield operation here", last.name_span)
            return finding
        actual, expected = last.operand_types, self.result_types
        if len(actual) != len(expected):
            finding = op_error(
                self,
                f"expected each region to return {len(expected)} values, but {what} returns {len(actual)}",
            )
            finding.attach("see yield operation here", last.name_span)
            return finding
        for i, (type, wanted) in enumerate(zip(actual, expected, strict=True)):
            if type is not wanted:
                finding = op_error(self, f"expected result #{i} of each region to be '{wanted}'")
                finding.attach(f"{what} returns '{type}' here", last.name_span)
                return finding
        return None

    def verify_regions(self) -> str | Diagnostic | None:
        return verify_edges(self)

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        if source is not None:
            return [RegionSuccessor(None, self.results)]
        return [RegionSuccessor(region, ()) for region in self.regions]

    def entry_condition(self, index: int) -> Condition | None:
        if len(self.regions) == 1:
            return None
        return Condition(self.arg, str(self.cases.values[index - 1]) if index else "default")


class ExecuteRegionOp(RegionBranchOp):
    """Runs its region, which may have several blocks, once."""

    name = "scf.execute_region"
    no_inline = unit_attribute()
    results_ = variadic_result(c.ANY_TYPE)
    region = region()
    traits = (tr.RECURSIVE_MEMORY_EFFECTS,)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        state.result_types = p.arrow_types()
        if p.accept("no_inline"):
            state.properties["no_inline"] = a.UnitAttr()
        state.regions.append((yield p.region()))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield p.arrow_types(self.result_types)
        yield " no_inline " if self.no_inline else " "
        yield p.region(self.regions[0])
        yield p.attr_dict(self, ("no_inline",))

    verify_looks_around = True

    def verify(self) -> str | None:
        body = self.regions[0]
        if body.is_empty:
            return "region needs to have at least one block"
        return "region cannot have any arguments" if body.entry.args else None

    def verify_regions(self) -> str | Diagnostic | None:
        return verify_edges(self)

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        if source is None:
            return [RegionSuccessor(self.regions[0], ())]
        return [RegionSuccessor(None, self.results)]


# -- `scf.forall`: a multi-dimensional parallel loop, and its terminator
#
# It passes tensors to its iterations (`shared_outs`), which insert their slices in
# the terminator.


MAPPING_ATTR = c.array_of(c.attribute_instance(a.DialectAttr, ""), "Device Mapping array attribute")


class InParallelOp(InParallelOpInterface):
    """Terminates an iteration of `scf.forall`: contains the operations that insert its results."""

    name = "scf.forall.in_parallel"
    region = region(single_block=True)
    traits = (
        tr.has_parent("scf.forall"),
        tr.PURE,
        tr.TERMINATOR,
        tr.NO_TERMINATOR,
        tr.SINGLE_BLOCK,
        tr.GRAPH_REGION,
    )

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        body = yield p.region()
        if body.is_empty:
            body.append(Block())
        state.regions.append(body)
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield " "
        yield p.region(self.regions[0], entry_args=False, terminators=True)
        yield p.attr_dict(self)

    verify_looks_around = True

    def verify(self) -> str | Diagnostic | None:
        loop = self.parent_op
        for op in self.regions[0].ops():
            if not isinstance(op, SubsetInsertionOp) or op.results:
                return "expected only ParallelCombiningOpInterface ops"
            target = op.subset_destination().value
            if not isinstance(loop, ForallOp) or target not in loop.region_iter_args:
                return op_error(op, "may only insert into an output block argument")
        return None

    @classmethod
    def empty(cls, where: Where | None = None) -> InParallelOp:
        """A terminator without operations."""
        op = cls(regions=1, where=where)
        op.regions[0].append(Block())
        return op


def _mixed_list(p: OpParser) -> tuple[list[UnresolvedOperand], list[int]]:
    """`(%a, 3)`: the values, and the constants with `DYNAMIC` for values."""
    uses: list[UnresolvedOperand] = []
    constants: list[int] = []

    def entry() -> None:
        use = p.optional_operand()
        if use is not None:
            uses.append(use)
            constants.append(DYNAMIC)
            return
        number = p.optional_integer()
        if number is None:
            p.error("expected SSA value or integer")
        constants.append(number)

    p.comma_separated(entry, context=" in dynamic index list")
    return uses, constants


def _mixed_text(p: Printer, entries: Sequence[Mixed]) -> str:
    return "(" + ", ".join(str(e) if isinstance(e, int) else p.value(e) for e in entries) + ")"


class ForallOp(RegionBranchOp, BoundedLoopOp, DestinationStyleOp):
    """Runs its body for every point of a grid, in any order or in parallel.

    The body's arguments are the indices and then the shared tensors. The results are the shared tensors with
    the insertions of all iterations.
    """

    name = "scf.forall"
    dynamic_lower_bound = variadic_operand(c.INDEX)
    dynamic_upper_bound = variadic_operand(c.INDEX)
    dynamic_step = variadic_operand(c.INDEX)
    outputs = variadic_operand(c.ANY_RANKED_TENSOR)
    static_lower_bound = attribute(c.DENSE_I64_ARRAY, key="staticLowerBound")
    static_upper_bound = attribute(c.DENSE_I64_ARRAY, key="staticUpperBound")
    static_step = attribute(c.DENSE_I64_ARRAY, key="staticStep")
    mapping = attribute(MAPPING_ATTR, optional=True)
    results_ = variadic_result(c.ANY_TYPE)
    region = region(single_block=True)
    traits = (
        tr.ATTR_SIZED_OPERAND_SEGMENTS,
        tr.AUTOMATIC_ALLOCATION_SCOPE,
        tr.RECURSIVE_MEMORY_EFFECTS,
        tr.DESTINATION_STYLE,
        tr.PARALLEL_LOOP,
        tr.FixedTerminator("scf.forall.in_parallel"),
    )

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        start = p.skip()
        indices = p.comma_separated(lambda: p.argument(False))
        rank = len(indices)
        if p.accept("in"):
            lower: tuple[list[UnresolvedOperand], list[int]] = ([], [0] * rank)
            upper = _mixed_list(p)
            step: tuple[list[UnresolvedOperand], list[int]] = ([], [1] * rank)
        else:
            p.expect("=")
            lower = _mixed_list(p)
            p.expect("to")
            upper = _mixed_list(p)
            p.expect("step")
            step = _mixed_list(p)
        arguments: list[Argument] = []
        outputs: list[UnresolvedOperand] = []
        if p.accept("shared_outs"):
            arguments, outputs = p.assignment_list()
            state.result_types = p.arrow_types()
        for (uses, constants), key in ((lower, "Lower"), (upper, "Upper"), (step, "")):
            state.add_operands(p.resolve_same(uses, t.INDEX))
            name = f"static{key}Bound" if key else "staticStep"
            state.properties[name] = a.DenseArrayAttr(t.I64, tuple(constants))
        state.add_operands(p.resolve_all(outputs, state.result_types))
        state.set_segments([len(lower[0]), len(upper[0]), len(step[0]), len(outputs)])
        for index in indices:
            index.type = t.INDEX
        for argument, type in zip(arguments, state.result_types, strict=True):
            argument.type = type
        body = yield p.region([*indices, *arguments])
        where = (p.source, start, start, p.position)
        state.regions.append(ended(body, lambda: InParallelOp.empty(where)))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        args = self.regions[0].entry.args
        rank = self.rank
        yield f" ({p.values(args[:rank])})"
        if self.is_normalized:
            yield f" in {_mixed_text(p, self.mixed_upper_bound)}"
        else:
            yield (
                f" = {_mixed_text(p, self.mixed_lower_bound)} to {_mixed_text(p, self.mixed_upper_bound)}"
                f" step {_mixed_text(p, self.mixed_step)}"
            )
        if self.outputs:
            yield f" shared_outs{assignments_text(p, args[rank:], self.outputs)} -> ({p.types(self.result_types)})"
        yield " "
        yield p.region(self.regions[0], entry_args=False, terminators=bool(self.results))
        yield p.attr_dict(self, ("staticLowerBound", "staticUpperBound", "staticStep"))

    # -- grid

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.static_lower_bound.values)

    @property
    def mixed_lower_bound(self) -> list[Mixed]:
        return mixed(self.dynamic_lower_bound, self.static_lower_bound)

    @property
    def mixed_upper_bound(self) -> list[Mixed]:
        return mixed(self.dynamic_upper_bound, self.static_upper_bound)

    @property
    def mixed_step(self) -> list[Mixed]:
        return mixed(self.dynamic_step, self.static_step)

    @property
    def is_normalized(self) -> bool:
        """Whether all dimensions start at 0 with step 1."""
        return not any(self.static_lower_bound.values) and all(v == 1 for v in self.static_step.values)

    @property
    def induction_variables(self) -> list[BlockArgument]:
        return self.regions[0].entry.args[: self.rank]

    def bounds(self) -> LoopBounds:
        return list(zip(self.mixed_lower_bound, self.mixed_upper_bound, self.mixed_step, strict=True))

    @property
    def terminator(self) -> InParallelOp:
        return expect(InParallelOp, self.regions[0].entry.last_op)

    # -- checks

    verify_looks_around = True

    def verify(self) -> str | Diagnostic | None:
        rank, outputs = self.rank, self.outputs
        body = self.regions[0].entry
        if len(self.results) != len(outputs):
            return f"produces {len(self.results)} results, but has only {len(outputs)} outputs"
        if len(body.args) != rank + len(outputs):
            return f"region expects {rank} arguments"
        for i, arg in enumerate(body.args[:rank]):
            if arg.type is not t.INDEX:
                return f"expects {i}-th block argument to be an index"
        for i, (arg, output) in enumerate(zip(body.args[rank:], outputs, strict=True)):
            if arg.type is not output.type:
                return f"type mismatch between {i}-th output and corresponding block argument"
        mapping = self.mapping
        if mapping is not None and len(mapping.elements) and len(mapping.elements) != rank:
            return "mapping attribute size must match op rank"
        for what, constants, values in (
            ("lower bound", self.static_lower_bound.values, self.dynamic_lower_bound),
            ("upper bound", self.static_upper_bound.values, self.dynamic_upper_bound),
            ("step", self.static_step.values, self.dynamic_step),
        ):
            if len(constants) != rank:
                return Unprefixed(f"expected {rank} {what} values, got {len(constants)}")
            if list(constants).count(DYNAMIC) != len(values):
                return Unprefixed(f"expected {list(constants).count(DYNAMIC)} dynamic {what} values")
        return None

    def verify_regions(self) -> str | None:
        for i, (result, output) in enumerate(zip(self.results, self.outputs, strict=True)):
            if result.type is not output.type:
                return f"expected type of operand #{i} ('{output.type}') to match type of corresponding result ('{result.type}')"
        return None

    # -- interfaces

    @property
    def init_operands(self) -> list[OpOperand]:
        start, end = ForallOp.outputs.range_in(self)
        return self.op_operands[start:end]

    @property
    def region_iter_args(self) -> list[BlockArgument]:
        return self.regions[0].entry.args[self.rank :]

    def dps_inits(self) -> list[OpOperand]:
        return self.init_operands

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        """The entry leads into the body, which leads out: iterations do not follow one another."""
        return [RegionSuccessor(self.regions[0], ())] if source is None else [RegionSuccessor(None, ())]
