"""Loops of the `scf` dialect whose iterations may run at once: `scf.forall` and `scf.parallel`.

Both have as many dimensions as they have bounds. `scf.forall` hands tensors to its iterations (`shared_outs`), which
put their parts back in its terminator; `scf.parallel` combines one value of each iteration by reductions, also in
its terminator.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

from ..ir import attributes as a
from ..ir import traits as tr
from ..ir import types as t
from ..ir.constraints import ANY_RANKED_TENSOR, ANY_TYPE, DENSE_I64_ARRAY, INDEX, array_of, attribute_instance
from ..ir.core import Block, BlockArgument, Operation, OpOperand, Region, Value
from ..ir.declare import (
    attribute,
    operand,
    region,
    variadic_operand,
    variadic_region,
    variadic_result,
)
from ..ir.diagnostics import Diagnostic
from ..ir.interfaces import (
    DestinationStyleOp,
    LoopAxis,
    LoopLikeOp,
    RegionBranchOp,
    RegionBranchTerminatorOp,
    RegionSuccessor,
)
from ..ir.verifier import op_error
from ._region_branch import blocks_wanted
from .common import DYNAMIC, Mixed, Unprefixed, loop_axis, mixed
from .scf_loop_ops import assignments_text, parse_assignments

if TYPE_CHECKING:
    from ..ir.op_parser import Argument, OpParser, ParsedOp, UnresolvedOperand
    from ..ir.printer import Printer

MAPPING_ATTR = array_of(attribute_instance(a.DialectAttr, ""), "Device Mapping array attribute")


# -- scf.forall


class InParallelOp(Operation):
    """Ends an iteration of `scf.forall`: holds the operations that put its results in their places."""

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

    def verify(self) -> str | Diagnostic | None:
        loop = self.parent_op
        for op in self.regions[0].ops():
            if op.name != "tensor.parallel_insert_slice":
                return "expected only ParallelCombiningOpInterface ops"
            target = op.operands[1]
            if not isinstance(loop, ForallOp) or target not in loop.region_iter_args:
                return op_error(op, "may only insert into an output block argument")
        return None

    @classmethod
    def empty(cls, where: Any = None) -> InParallelOp:
        """A terminator that combines nothing."""
        op = cls(regions=1, where=where)
        op.regions[0].append(Block())
        return op


def _mixed_list(p: OpParser) -> tuple[list[UnresolvedOperand], list[int]]:
    """`(%a, 3)`: the values, and the constants with `DYNAMIC` where a value stands."""
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

    p.comma_separated(entry)
    return uses, constants


def _mixed_text(p: Printer, entries: Sequence[Mixed]) -> str:
    return "(" + ", ".join(str(e) if isinstance(e, int) else p.value(e) for e in entries) + ")"


class ForallOp(RegionBranchOp, LoopLikeOp, DestinationStyleOp):
    """Runs its body for every point of a grid, in any order or at once.

    The body's arguments are the indices and then the shared tensors. The results are the shared tensors with
    what all iterations have put into them.
    """

    name = "scf.forall"
    dynamic_lower_bound = variadic_operand(INDEX)
    dynamic_upper_bound = variadic_operand(INDEX)
    dynamic_step = variadic_operand(INDEX)
    outputs = variadic_operand(ANY_RANKED_TENSOR)
    static_lower_bound = attribute(DENSE_I64_ARRAY, key="staticLowerBound")
    static_upper_bound = attribute(DENSE_I64_ARRAY, key="staticUpperBound")
    static_step = attribute(DENSE_I64_ARRAY, key="staticStep")
    mapping = attribute(MAPPING_ATTR, optional=True)
    results_ = variadic_result(ANY_TYPE)
    region = region(single_block=True)
    traits = (
        tr.ATTR_SIZED_OPERAND_SEGMENTS,
        tr.AUTOMATIC_ALLOCATION_SCOPE,
        tr.RECURSIVE_MEMORY_EFFECTS,
        tr.DESTINATION_STYLE,
        tr.PARALLEL_LOOP,
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
            arguments, outputs = parse_assignments(p)
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
        block = body.last_block or body.append(Block())
        last = block.last_op
        if last is None or last.definition is None or not last.definition.is_terminator:
            block.append(InParallelOp.empty((p.source, start, start, p.position)))
        state.regions.append(body)
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

    # -- the grid

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
        """Whether all dimensions count from 0 by 1."""
        return not any(self.static_lower_bound.values) and all(v == 1 for v in self.static_step.values)

    @property
    def induction_variables(self) -> list[BlockArgument]:
        return self.regions[0].entry.args[: self.rank]

    def axes(self) -> list[LoopAxis]:
        bounds = self.mixed_lower_bound, self.mixed_upper_bound, self.mixed_step
        return [loop_axis(*each) for each in zip(self.induction_variables, *bounds, strict=True)]

    @property
    def terminator(self) -> InParallelOp:
        last = self.regions[0].entry.last_op
        assert isinstance(last, InParallelOp)
        return last

    # -- checks

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
        for i, (result, output) in enumerate(zip(self.results, outputs, strict=True)):
            if result.type is not output.type:
                return f"expected type of operand #{i} ('{output.type}') to match type of corresponding result ('{result.type}')"
        return None

    def verify_regions(self) -> str | None:
        last = self.regions[0].entry.last_op
        if last is None or last.name != "scf.forall.in_parallel":
            return (
                f"expects regions to end with 'scf.forall.in_parallel', found '{last.name if last else ''}'"
            )
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
        """Into the body and out: iterations do not follow one another."""
        return [RegionSuccessor(self.regions[0], ())] if source is None else [RegionSuccessor(None, ())]


# -- scf.parallel


class ReduceReturnOp(Operation):
    """Ends a reduction with the combined value."""

    name = "scf.reduce.return"
    result_ = operand(ANY_TYPE)
    traits = (tr.has_parent("scf.reduce"), tr.PURE, tr.TERMINATOR)
    assembly_format = "$result_ attr-dict `:` type($result_)"

    def verify(self) -> str | None:
        block = self.block
        if block is not None and block.args and block.args[0].type is not self.operands[0].type:
            return f"must have type '{block.args[0].type}' (the type of the reduction inputs)"
        return None


class ReduceOp(RegionBranchTerminatorOp):
    """Ends an iteration of `scf.parallel`: gives a value to each reduction, and says how two are combined."""

    name = "scf.reduce"
    operands_ = variadic_operand(ANY_TYPE)
    reductions = variadic_region(single_block=True)
    traits = (tr.has_parent("scf.parallel"), tr.TERMINATOR, tr.RECURSIVE_MEMORY_EFFECTS)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        if p.accept("("):
            uses = p.operand_list()
            if p.accept(")"):  # before 2024: (%a) : type
                types = [p.colon_type()]
            else:
                types = p.colon_type_list()
                p.expect(")")
            state.add_operands(p.resolve_all(uses, types))
        if p.peek("{"):
            state.regions.append((yield p.region()))
            while p.accept(","):
                state.regions.append((yield p.region()))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        if self.op_operands:
            yield f"({p.values(self.operands)} : {p.types(self.operand_types)})"
        yield " "
        for i, reduction in enumerate(self.regions):
            if i:
                yield ", "
            yield p.region(reduction)
        yield p.attr_dict(self)

    def verify(self) -> str | None:
        return blocks_wanted(self, "reductions", 0)

    def verify_regions(self) -> str | None:
        types = self.operand_types
        for i, (reduction, type) in enumerate(zip(self.regions, types, strict=False)):
            args = reduction.entry.args
            if len(args) != 2 or any(arg.type is not type for arg in args):
                return f"expected two block arguments with type '{type}' in the {i}-th reduction region"
            last = reduction.entry.last_op
            if last is None or last.name != "scf.reduce.return":
                return "reduction bodies must be terminated with an 'scf.reduce.return' op"
        return None

    def forwarded_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        """Nothing: what is reduced does not reach the results as it is."""
        return []


class ParallelOp(RegionBranchOp, LoopLikeOp):
    """Runs its body for every point of a grid, in any order or at once, and reduces what each iteration gives."""

    name = "scf.parallel"
    lower_bound = variadic_operand(INDEX)
    upper_bound = variadic_operand(INDEX)
    step = variadic_operand(INDEX)
    init_vals = variadic_operand(ANY_TYPE)
    results_ = variadic_result(ANY_TYPE)
    region = region(single_block=True)
    traits = (
        tr.AUTOMATIC_ALLOCATION_SCOPE,
        tr.ATTR_SIZED_OPERAND_SEGMENTS,
        tr.RECURSIVE_MEMORY_EFFECTS,
        tr.ImplicitTerminator("scf.reduce"),
        tr.PARALLEL_LOOP,
    )

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        indices = p.comma_separated(lambda: p.argument(False))
        rank = len(indices)
        for word in ("=", "to", "step"):
            p.expect(word)
            at = p.skip()
            uses = p.comma_separated(p.operand)
            if len(uses) != rank:
                p.error(f"expected {rank} operands", at)
            state.add_operands(p.resolve_same(uses, t.INDEX))
        inits: list[UnresolvedOperand] = []
        at = p.skip()
        if p.accept("init"):
            inits = p.comma_separated(p.operand)
        state.result_types = p.arrow_types()
        state.add_operands(p.resolve_all(inits, state.result_types))
        state.set_segments([rank, rank, rank, len(inits)])
        for index in indices:
            index.type = t.INDEX
        body = yield p.region(indices)
        _gather_reductions(body)
        state.regions.append(body)
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield (
            f" ({p.values(self.regions[0].entry.args)}) = ({p.values(self.lower_bound)})"
            f" to ({p.values(self.upper_bound)}) step ({p.values(self.step)})"
        )
        if self.init_vals:
            yield f" init ({p.values(self.init_vals)})"
        yield p.arrow_types(self.result_types)
        yield " "
        yield p.region(self.regions[0], entry_args=False)
        yield p.attr_dict(self)

    def verify(self) -> str | Diagnostic | None:
        rank = len(self.step)
        body = self.regions[0].entry
        if not rank:
            return "needs at least one tuple element for lowerBound, upperBound and step"
        if len(body.args) != rank:
            return f"expects the same number of induction variables: {len(body.args)} as bound and step values: {rank}"
        if any(arg.type is not t.INDEX for arg in body.args):
            return "expects arguments for the induction variable to be of index type"
        last = body.last_op
        if not isinstance(last, ReduceOp):
            finding = op_error(self, "expects body to terminate with 'scf.reduce'")
            if last is not None:
                finding.attach("terminator here", last.name_span)
            return finding
        results = len(self.results)
        if results != len(last.regions):
            return f"expects number of results: {results} to be the same as number of reductions: {len(last.regions)}"
        if results != len(self.init_vals):
            return (
                f"expects number of results: {results} to be the same as number of initial values: "
                f"{len(self.init_vals)}"
            )
        for i, (type, wanted) in enumerate(zip(last.operand_types, self.result_types, strict=False)):
            if type is not wanted:
                return op_error(
                    last,
                    f"expects type of {i}-th reduction operand: '{type}' to be the same as the "
                    f"{i}-th result type: '{wanted}'",
                )
        return None

    @property
    def induction_variables(self) -> list[BlockArgument]:
        return self.regions[0].entry.args

    def axes(self) -> list[LoopAxis]:
        bounds = self.lower_bound, self.upper_bound, self.step
        return [loop_axis(*each) for each in zip(self.induction_variables, *bounds, strict=True)]

    @property
    def initial_values(self) -> list[Value]:
        return self.init_vals

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        return [RegionSuccessor(self.regions[0], ()), RegionSuccessor(None, ())]


def _gather_reductions(body: Region) -> None:
    """Turn the form used before 2024 into today's.

    There, each `scf.reduce` reduced one value somewhere in the body, which ended with `scf.yield`; now one
    `scf.reduce` at the end does it all.
    """
    if body.is_empty:
        return
    block = body.entry
    reductions = [op for op in block if isinstance(op, ReduceOp)]
    last = block.last_op
    ends_with_yield = last is not None and last.name == "scf.yield" and not last.op_operands
    if not reductions or (len(reductions) == 1 and last is reductions[0]):
        if ends_with_yield and last is not None and not reductions:
            last.erase()
        return
    if ends_with_yield and last is not None:
        last.erase()
    operands = [value for op in reductions for value in op.operands]
    regions: list[Region] = []
    for op in reductions:
        regions.extend(op.regions)
    merged = ReduceOp(operands, regions=regions, where=reductions[-1].where)
    for op in reductions:
        op.regions = []
        op.erase()
    block.append(merged)
