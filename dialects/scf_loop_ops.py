"""Loops of the `scf` dialect: `scf.for`, `scf.while` and `scf.parallel`."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ..ir.declaration.constraints import ANY_TYPE, I1, INDEX, SIGNLESS_INTEGER_OR_INDEX
from ..ir.declaration.declare import (
    operand,
    region,
    unit_attribute,
    variadic_operand,
    variadic_region,
    variadic_result,
)
from ..ir.program import traits as tr
from ..ir.program.core import BlockArgument, Operation, OpOperand, Region, Value
from ..ir.program.interfaces import (
    CountedLoopOp,
    LoopAxis,
    LoopBounds,
    LoopLikeOp,
    RegionBranchOp,
    RegionBranchTerminatorOp,
    RegionSuccessor,
)
from ..ir.source.diagnostics import Diagnostic, expect
from ..ir.source.text import lazy_pattern
from ..ir.text.fast_path import listed_types, mentioned
from ..ir.text.op_parser import Argument
from ..ir.types import attributes as a, types as t
from ..ir.verifier import op_error
from ._regions import BoundedLoopOp, blocks_wanted, iteration_count, verify_edges, verify_loop
from .common import as_number, constant_index

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp, UnresolvedOperand
    from ..ir.text.printer import Printer


def assignments_text(p: Printer, args: list[BlockArgument], values: list[Value]) -> str:
    """Inverse of `assignment_list` of the parser."""
    pairs = zip(args, values, strict=False)
    return "(" + ", ".join(f"{p.value(arg)} = {p.value(value)}" for arg, value in pairs) + ")"


_NAME = r"%(\d+|[A-Za-z$._-][\w$.-]*)"
_USE = r"%([\w$.-]+(?:#\d+)?)"
_COMMON_HEADER = lazy_pattern(
    rf" {_NAME} = {_USE} to {_USE} step {_USE}"
    rf"(?: iter_args\(({_NAME} = {_USE}(?:, {_NAME} = {_USE})*)\) -> \(([^()#!/\"\n]+)\))? (?=\{{\n)"
)
"""The usual spelling of an `scf.for` that counts in `index`: on one line, types without aliases or functions."""
_ASSIGNMENTS = lazy_pattern(rf"{_NAME} = {_USE}")


def _common_header(p: OpParser, state: ParsedOp) -> list[Argument] | None:
    """The body's arguments if the header has the usual spelling and uses defined values; otherwise None, without side
    effects.
    """
    header = _COMMON_HEADER.match(p.text, p.position)
    if header is None:
        return None
    known = p.values
    values = [mentioned(known, header[i]) for i in (2, 3, 4)]
    types: list[t.Type] = [t.INDEX] * 3
    arguments = [Argument(header[1], t.INDEX, start=header.start(1) - 1, end=header.end(1))]
    if header[5] is not None:
        carried = listed_types(p, header[header.re.groups])
        if carried is None:
            return None
        types += carried
        for pair, type in zip(_ASSIGNMENTS.finditer(p.text, *header.span(5)), carried, strict=False):
            values.append(mentioned(known, pair[2]))
            arguments.append(Argument(pair[1], type, start=pair.start(1) - 1, end=pair.end(1)))
        if len(values) != len(types) or header[5].count("=") != len(carried):
            return None
    for value, type in zip(values, types, strict=True):
        if value is None or value.type is not type:
            return None
    state.operands = values
    state.result_types = types[3:]
    p.position = header.end()
    return arguments


class YieldOp(RegionBranchTerminatorOp):
    """Yields values from a region to its parent operation."""

    name = "scf.yield"
    results_ = variadic_operand(ANY_TYPE)
    traits = (
        tr.has_parent("scf.execute_region", "scf.for", "scf.if", "scf.index_switch", "scf.while"),
        tr.PURE,
        tr.RETURN_LIKE,
        tr.TERMINATOR,
    )
    assembly_format = "attr-dict ($results_^ `:` type($results_))?"


class ForOp(RegionBranchOp, CountedLoopOp):
    """Counts from `lower_bound` by `step` while below `upper_bound`, with loop-carried values.

    The body's first argument is the induction variable, the others are the carried values. The comparison is signed
    unless `unsigned_cmp`. A loop without iterations returns the initial values.
    """

    name = "scf.for"
    lower_bound = operand(SIGNLESS_INTEGER_OR_INDEX)
    upper_bound = operand(SIGNLESS_INTEGER_OR_INDEX)
    step = operand(SIGNLESS_INTEGER_OR_INDEX)
    init_args = variadic_operand(ANY_TYPE)
    unsigned_cmp = unit_attribute("unsignedCmp")
    results_ = variadic_result(ANY_TYPE)
    region = region(single_block=True)
    traits = (tr.AUTOMATIC_ALLOCATION_SCOPE, tr.ImplicitTerminator("scf.yield"), tr.RECURSIVE_MEMORY_EFFECTS)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        arguments = _common_header(p, state)
        if arguments is None:
            arguments = cls._parse_header(p, state)
        state.regions.append((yield p.region(arguments)))
        p.attr_dict(state)

    @staticmethod
    def _parse_header(p: OpParser, state: ParsedOp) -> list[Argument]:
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
            arguments, inits = p.assignment_list()
            p.expect("->")
            state.result_types = p.arrow_type_list()
        if len(arguments) != len(state.result_types):
            p.error("mismatch in number of loop-carried values and defined values", at)
        type = p.type() if p.accept(":") else t.INDEX
        counter.type = type
        for argument, carried in zip(arguments, state.result_types, strict=True):
            argument.type = carried
        state.add_operands(p.resolve_same(bounds, type))
        state.add_operands(p.resolve_all(inits, state.result_types))
        return [counter, *arguments]

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
            # MLIR reports a wrapped-around count here, as it assumes the induction variable
            return f"different number of inits and region iter_args: {len(self.init_operands)} != {2**64 - 1}"
        if (wrong := verify_loop(self) or verify_edges(self)) is not None:
            return wrong
        if body.args[0].type is not self.lower_bound.type:
            return "expected induction variable to be same type as bounds and step"
        return None

    @property
    def init_operands(self) -> list[OpOperand]:
        return self.op_operands[3:]

    def bounds(self) -> LoopBounds:
        lower, upper, step = self.operands[:3]
        return [(lower, upper, step)]

    def axes(self) -> list[LoopAxis]:
        lower, upper, step = self.operands[:3]
        trips = self.static_trip_count()
        return [
            LoopAxis(self.induction_variable, lower, upper, as_number(step), trips, not self.unsigned_cmp)
        ]

    def static_trip_count(self) -> int | None:
        lower, upper, step = self.operands[:3]
        if lower is upper:
            return 0
        if self.unsigned_cmp and any((constant_index(bound) or 0) < 0 for bound in (lower, upper)):
            return None  # negative numbers are large unsigned ones
        return iteration_count(lower, upper, step)

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        return [RegionSuccessor(self.regions[0], self.region_iter_args), RegionSuccessor(None, self.results)]

    def entry_successor_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        return self.init_operands


class ConditionOp(RegionBranchTerminatorOp):
    """Terminates the `before` region of `scf.while`: enters `after` if the condition holds, else leaves the loop."""

    name = "scf.condition"
    condition = operand(I1)
    args = variadic_operand(ANY_TYPE)
    traits = (tr.has_parent("scf.while"), tr.PURE, tr.TERMINATOR)
    assembly_format = "`(` $condition `)` attr-dict ($args^ `:` type($args))?"

    def forwarded_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        return self.op_operands[1:]


class WhileOp(RegionBranchOp, LoopLikeOp):
    """Runs `before`, which either leaves the loop with results or continues through `after` back to itself."""

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
            arguments, uses = p.assignment_list()
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
        return expect(ConditionOp, self.regions[0].entry.last_op)

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


# -- `scf.parallel`: a multi-dimensional parallel loop, whose terminator reduces values over the iterations


class ReduceReturnOp(Operation):
    """Yields the combined value of a reduction."""

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
    """Terminates an iteration of `scf.parallel`: contributes values to reductions, and defines how to combine two."""

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
        """None: the operands are reduced, not forwarded."""
        return []


class ParallelOp(RegionBranchOp, BoundedLoopOp):
    """Runs its body for every point of a grid, in any order or in parallel, and reduces the iterations' values."""

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
            uses = p.bracketed_operands()
            if len(uses) != rank:
                p.error(f"expected {rank} operands", at)
            state.add_operands(p.resolve_same(uses, t.INDEX))
        inits: list[UnresolvedOperand] = []
        at = p.skip()
        if p.accept("init"):
            inits = p.bracketed_operands()
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
        if any((step := constant_index(value)) is not None and step <= 0 for value in self.step):
            return "constant step operand must be positive"
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

    @property
    def init_operands(self) -> list[OpOperand]:
        return self.op_operands[3 * len(self.induction_variables) :]

    def bounds(self) -> LoopBounds:
        return list(zip(self.lower_bound, self.upper_bound, self.step, strict=True))

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        return [RegionSuccessor(self.regions[0], ()), RegionSuccessor(None, ())]


def _gather_reductions(body: Region) -> None:
    """Upgrade the syntax used before 2024.

    Then, each `scf.reduce` reduced one value anywhere in the body, which ended with `scf.yield`; now a single
    `scf.reduce` terminates the body.
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
