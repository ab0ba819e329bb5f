"""Loops of the `scf` dialect whose iterations follow one another: `scf.for` and `scf.while`."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ..ir.declaration.constraints import ANY_TYPE, I1, SIGNLESS_INTEGER_OR_INDEX
from ..ir.declaration.declare import operand, region, unit_attribute, variadic_operand, variadic_result
from ..ir.program import traits as tr
from ..ir.program.core import BlockArgument, OpOperand, Region, Value
from ..ir.program.interfaces import (
    LoopAxis,
    LoopLikeOp,
    RegionBranchOp,
    RegionBranchTerminatorOp,
    RegionSuccessor,
)
from ..ir.source.diagnostics import Diagnostic
from ..ir.types import attributes as a
from ..ir.types import types as t
from ._region_branch import verify_edges, verify_loop
from .common import as_number, iteration_count

if TYPE_CHECKING:
    from ..ir.text.op_parser import Argument, OpParser, ParsedOp, UnresolvedOperand
    from ..ir.text.printer import Printer


def parse_assignments(p: OpParser) -> tuple[list[Argument], list[UnresolvedOperand]]:
    """`(%arg = %value, ...)`: the arguments, without types, and the values."""
    arguments: list[Argument] = []
    uses: list[UnresolvedOperand] = []

    def assignment() -> None:
        arguments.append(p.argument(False))
        p.expect("=")
        uses.append(p.operand())

    p.comma_separated(assignment)
    return arguments, uses


def assignments_text(p: Printer, args: list[BlockArgument], values: list[Value]) -> str:
    """Inverse of `parse_assignments`."""
    pairs = zip(args, values, strict=False)
    return "(" + ", ".join(f"{p.value(arg)} = {p.value(value)}" for arg, value in pairs) + ")"


class YieldOp(RegionBranchTerminatorOp):
    """Ends a region with the values that its operation passes on."""

    name = "scf.yield"
    results_ = variadic_operand(ANY_TYPE)
    traits = (
        tr.has_parent("scf.execute_region", "scf.for", "scf.if", "scf.index_switch", "scf.while"),
        tr.PURE,
        tr.RETURN_LIKE,
        tr.TERMINATOR,
    )
    assembly_format = "attr-dict ($results_^ `:` type($results_))?"


class ForOp(RegionBranchOp, LoopLikeOp):
    """Counts from `lower_bound` by `step` while below `upper_bound`, carrying values from iteration to iteration.

    The body's first argument is the counter, the others are the carried values. The comparison is signed unless
    `unsigned_cmp`. A loop that runs no iteration gives the initial values.
    """

    name = "scf.for"
    lower_bound = operand(SIGNLESS_INTEGER_OR_INDEX)
    upper_bound = operand(SIGNLESS_INTEGER_OR_INDEX)
    step = operand(SIGNLESS_INTEGER_OR_INDEX)
    init_args = variadic_operand(ANY_TYPE)
    unsigned_cmp = unit_attribute("unsignedCmp")
    results_ = variadic_result(ANY_TYPE)
    region = region(single_block=True)
    traits = (
        tr.AUTOMATIC_ALLOCATION_SCOPE,
        tr.ImplicitTerminator("scf.yield"),
        tr.RECURSIVE_MEMORY_EFFECTS,
    )

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        if p.accept("unsigned"):
            state.properties["unsignedCmp"] = a.UnitAttr()
        counter = p.argument(False)
        bounds: list[UnresolvedOperand] = []
        for word in ("=", "to", "step"):
            p.expect(word)
            bounds.append(p.operand())
        arguments: list[Argument] = []
        inits: list[UnresolvedOperand] = []
        at = p.skip()
        if p.accept("iter_args"):
            arguments, inits = parse_assignments(p)
            state.result_types = p.arrow_types()
        if len(arguments) != len(state.result_types):
            p.error("mismatch in number of loop-carried values and defined values", at)
        type = p.type() if p.accept(":") else t.INDEX
        counter.type = type
        for argument, carried in zip(arguments, state.result_types, strict=True):
            argument.type = carried
        state.add_operands(p.resolve_same(bounds, type))
        state.add_operands(p.resolve_all(inits, state.result_types))
        state.regions.append((yield p.region([counter, *arguments])))
        p.attr_dict(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        args = self.regions[0].entry.args
        lower, upper, step, *inits = self.operands
        unsigned = "unsigned " if self.unsigned_cmp else ""
        yield f" {unsigned}{p.value(args[0])} = {p.value(lower)} to {p.value(upper)} step {p.value(step)}"
        if inits:
            types = p.types(self.result_types)
            yield f" iter_args{assignments_text(p, args[1:], inits)} -> ({types})"
        yield " "
        if args[0].type is not t.INDEX:
            yield f" : {p.type(args[0].type)} "
        yield p.region(self.regions[0], entry_args=False, terminators=bool(inits))
        yield p.attr_dict(self, ("unsignedCmp",))

    def verify(self) -> str | None:
        if len({value.type for value in self.operands[:3]}) > 1:
            return "failed to verify that all of {lowerBound, upperBound, step} have same type"
        if len(self.op_operands) - 3 != len(self.results):
            return "mismatch in number of loop-carried values and defined values"
        return None

    def verify_regions(self) -> str | Diagnostic | None:
        body = self.regions[0].entry
        if not body.args:
            # the count MLIR reports has wrapped around: it takes the counter for granted
            return f"different number of inits and region iter_args: {len(self.init_operands)} != {2**64 - 1}"
        wrong = verify_loop(self) or verify_edges(self)
        if wrong is not None:
            return wrong
        if body.args[0].type is not self.lower_bound.type:
            return "expected induction variable to be same type as bounds and step"
        return None

    @property
    def induction_variable(self) -> BlockArgument:
        return self.regions[0].entry.args[0]

    @property
    def init_operands(self) -> list[OpOperand]:
        return self.op_operands[3:]

    @property
    def region_iter_args(self) -> list[BlockArgument]:
        return self.regions[0].entry.args[1:]

    @property
    def yielded_operands(self) -> list[OpOperand]:
        last = self.regions[0].entry.last_op
        return last.op_operands if last is not None else []

    def axes(self) -> list[LoopAxis]:
        variable, step = self.regions[0].entry.args[0], self.operands[2]
        return [LoopAxis(variable, as_number(step), self.static_trip_count())]

    def static_trip_count(self) -> int | None:
        lower, upper, step = self.operands[:3]
        return 0 if lower is upper else iteration_count(lower, upper, step)

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        return [
            RegionSuccessor(self.regions[0], self.region_iter_args),
            RegionSuccessor(None, self.results),
        ]

    def entry_successor_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        return self.init_operands


class ConditionOp(RegionBranchTerminatorOp):
    """Ends the `before` region of `scf.while`: into `after` if the condition holds, else out of the loop."""

    name = "scf.condition"
    condition = operand(I1)
    args = variadic_operand(ANY_TYPE)
    traits = (tr.has_parent("scf.while"), tr.PURE, tr.TERMINATOR)
    assembly_format = "`(` $condition `)` attr-dict ($args^ `:` type($args))?"

    def forwarded_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        return self.op_operands[1:]


class WhileOp(RegionBranchOp, LoopLikeOp):
    """Runs `before`, which decides whether to leave with results or to go on through `after` back to its start."""

    name = "scf.while"
    inits = variadic_operand(ANY_TYPE)
    results_ = variadic_result(ANY_TYPE)
    before = region(single_block=True)
    after = region(single_block=True)
    traits = (tr.RECURSIVE_MEMORY_EFFECTS, tr.SINGLE_BLOCK)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        arguments: list[Argument] = []
        uses: list[UnresolvedOperand] = []
        if p.peek("("):
            arguments, uses = parse_assignments(p)
        p.expect(":")
        at = p.skip()
        type = p.type()
        if not isinstance(type, t.FunctionType):
            p.error(f"invalid kind of type specified: expected builtin.function, but found '{type}'", at)
        if len(type.inputs) != len(uses):
            p.error(
                f"expected as many input types as operands (expected {len(uses)} got {len(type.inputs)})", at
            )
        state.add_operands(p.resolve_all(uses, type.inputs))
        state.result_types = list(type.results)
        for argument, given in zip(arguments, type.inputs, strict=True):
            argument.type = given
        state.regions.append((yield p.region(arguments)))
        p.expect("do")
        state.regions.append((yield p.region()))
        p.attr_dict_with_keyword(state)

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        before, after = self.regions
        if self.op_operands:
            yield " " + assignments_text(p, before.entry.args, self.operands)
        yield f" : {p.functional_type(self.operand_types, self.result_types)} "
        yield p.region(before, entry_args=False)
        yield " do "
        yield p.region(after)
        yield p.attr_dict_with_keyword(self)

    verify_looks_around = True

    def verify(self) -> str | Diagnostic | None:
        from ..ir.verifier import op_error

        for part, name, terminator in zip(
            self.regions, ("before", "after"), ("scf.condition", "scf.yield"), strict=True
        ):
            last = part.entry.last_op
            if last is None or last.name != terminator:
                finding = op_error(self, f"expects the '{name}' region to terminate with '{terminator}'")
                if last is not None:
                    finding.attach("terminator here", last.name_span)
                return finding
        return None

    def verify_regions(self) -> str | Diagnostic | None:
        return verify_edges(self)

    @property
    def condition_op(self) -> ConditionOp:
        last = self.regions[0].entry.last_op
        assert isinstance(last, ConditionOp)
        return last

    @property
    def init_operands(self) -> list[OpOperand]:
        return self.op_operands

    @property
    def region_iter_args(self) -> list[BlockArgument]:
        return self.regions[0].entry.args

    @property
    def yielded_operands(self) -> list[OpOperand]:
        last = self.regions[1].entry.last_op
        return last.op_operands if last is not None else []

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        before, after = self.regions
        if source is None or source is after:
            return [RegionSuccessor(before, before.entry.args)]
        return [RegionSuccessor(None, self.results), RegionSuccessor(after, after.entry.args)]

    def entry_successor_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        return self.op_operands
