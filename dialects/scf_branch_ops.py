"""The `scf` operations that run one of their regions, once: `scf.if`, `scf.index_switch`, `scf.execute_region`."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ..ir.declaration.constraints import ANY_TYPE, DENSE_I64_ARRAY, I1, INDEX
from ..ir.declaration.declare import (
    attribute,
    operand,
    region,
    unit_attribute,
    variadic_region,
    variadic_result,
)
from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, Region
from ..ir.program.interfaces import Condition, RegionBranchOp, RegionSuccessor
from ..ir.source.diagnostics import Diagnostic
from ..ir.source.places import Where
from ..ir.types import attributes as a
from ..ir.types import types as t
from ..ir.verifier import op_error
from ._region_branch import blocks_wanted, no_region_arguments, verify_edges
from .scf_loop_ops import YieldOp

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp
    from ..ir.text.printer import Printer


def end_with_yield(region: Region, where: Where) -> None:
    """Add the `scf.yield` that the text of a region left out."""
    block = region.last_block or region.append(Block())
    last = block.last_op
    if last is None or last.definition is None or not last.definition.is_terminator:
        block.append(YieldOp(where=where))


class _EndsWithYield(tr.Trait):
    """Like `ImplicitTerminator`, but a region may be missing, so that reading must not complete each one."""

    looks_around = True

    def check(self, op: Operation) -> str | None:
        return _IMPLICIT_YIELD.check(op)


_IMPLICIT_YIELD = tr.ImplicitTerminator("scf.yield")
ENDS_WITH_YIELD = _EndsWithYield()


class IfOp(RegionBranchOp):
    """Runs `then_region` if the condition holds, else `else_region`, which may be missing if there are no results."""

    name = "scf.if"
    condition = operand(I1)
    results_ = variadic_result(ANY_TYPE)
    then_region = region(single_block=True)
    else_region = region()
    traits = (
        ENDS_WITH_YIELD,
        tr.RECURSIVE_MEMORY_EFFECTS,
        tr.RECURSIVELY_SPECULATABLE,
    )

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        state.add_operands([p.resolve(p.operand(), t.I1)])
        state.result_types = p.arrow_types()
        start = p.skip()
        then = yield p.region()
        end_with_yield(then, (p.source, start, start, p.position))
        otherwise = Region()
        start = p.skip()
        if p.accept("else"):
            otherwise = yield p.region()
            end_with_yield(otherwise, (p.source, start, start, p.position))
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
    """Runs the region of the case that the argument equals, or `default_region`."""

    name = "scf.index_switch"
    arg = operand(INDEX)
    cases = attribute(DENSE_I64_ARRAY)
    results_ = variadic_result(ANY_TYPE)
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
        wrong = blocks_wanted(self, "caseRegions", 1)
        if wrong is not None:
            return wrong
        if len(values) != len(self.regions) - 1:
            return f"has {len(self.regions) - 1} case regions but {len(values)} case values"
        seen: set[int] = set()
        for value in values:
            if value in seen:
                return f"has duplicate case value: {value}"
            seen.add(value)
        for i, taken in enumerate(self.regions):
            wrong = self._verify_yield(taken, "default region" if i == 0 else f"case region #{i - 1}")
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
        given, expected = last.operand_types, self.result_types
        if len(given) != len(expected):
            finding = op_error(
                self,
                f"expected each region to return {len(expected)} values, but {what} returns {len(given)}",
            )
            finding.attach("see yield operation here", last.name_span)
            return finding
        for i, (type, wanted) in enumerate(zip(given, expected, strict=True)):
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
    results_ = variadic_result(ANY_TYPE)
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
