"""`scf.parallel`: a loop whose iterations may run at once, and the reductions that combine a value of each in its terminator.

It has as many dimensions as it has bounds.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ..ir.declaration.constraints import ANY_TYPE, INDEX
from ..ir.declaration.declare import operand, region, variadic_operand, variadic_region, variadic_result
from ..ir.program import traits as tr
from ..ir.program.core import BlockArgument, Operation, OpOperand, Region
from ..ir.program.interfaces import (
    LoopAxis,
    LoopLikeOp,
    RegionBranchOp,
    RegionBranchTerminatorOp,
    RegionSuccessor,
)
from ..ir.source.diagnostics import Diagnostic
from ..ir.types import types as t
from ..ir.verifier import op_error
from ._region_branch import blocks_wanted
from .common import loop_axis

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp, UnresolvedOperand
    from ..ir.text.printer import Printer


class ReduceReturnOp(Operation):
    """Ends a reduction with the combined value."""

    name = "scf.reduce.return"
    result_ = operand(ANY_TYPE)
    traits = (tr.has_parent("scf.reduce"), tr.PURE, tr.TERMINATOR)
    assembly_format = "$result_ attr-dict `:` type($result_)"

    verify_looks_around = True

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

    verify_looks_around = True

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

    verify_looks_around = True

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
