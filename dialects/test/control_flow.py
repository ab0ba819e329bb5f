"""`test` operations with branches and region control flow."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import (
    operand,
    region,
    result,
    successor,
    variadic_operand,
    variadic_region,
    variadic_result,
)
from ...ir.program import traits as tr
from ...ir.program.core import Operation, OpOperand, Region
from ...ir.program.interfaces import (
    BranchOp,
    LoopLikeOp,
    RegionBranchOp,
    RegionBranchTerminatorOp,
    RegionSuccessor,
)

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser, ParsedOp
    from ...ir.text.printer import Printer


class BrOp(BranchOp):
    """Passes its operands to its successor."""

    name = "test.br"
    traits = (tr.TERMINATOR,)
    target_operands = variadic_operand()
    target = successor()

    def successor_operands(self, index: int) -> list[OpOperand]:
        return list(self.op_operands)


class ProducingBrOp(BranchOp):
    """A branch with a result: the first operands go to the second successor, the second ones to the first."""

    name = "test.producing_br"
    traits = (tr.TERMINATOR, tr.ATTR_SIZED_OPERAND_SEGMENTS)
    first_operands = variadic_operand()
    second_operands = variadic_operand()
    output = result()
    first = successor()
    second = successor()

    def successor_operands(self, index: int) -> list[OpOperand]:
        count = len(self.first_operands)
        return self.op_operands[:count] if index == 1 else self.op_operands[count:]


class InternalBrOp(BranchOp):
    """A branch that produces the first argument of its second successor itself."""

    name = "test.internal_br"
    traits = (tr.TERMINATOR, tr.ATTR_SIZED_OPERAND_SEGMENTS)
    success_operands = variadic_operand()
    error_operands = variadic_operand()
    success_path = successor()
    error_path = successor()

    def successor_operands(self, index: int) -> list[OpOperand]:
        count = len(self.success_operands)
        return self.op_operands[:count] if index == 0 else self.op_operands[count:]

    def produced_operand_count(self, index: int) -> int:
        return 1 if index == 1 else 0


class RegionIfYieldOp(RegionBranchTerminatorOp):
    """Ends a region of `test.region_if`."""

    name = "test.region_if_yield"
    traits = (tr.PURE, tr.RETURN_LIKE, tr.TERMINATOR)
    values = variadic_operand()
    assembly_format = "$values `:` type($values) attr-dict"


class RegionIfOp(RegionBranchOp):
    """Runs its `then` or `else` region on the operands, then the `join` region on what that yields.

    Like the original it has no condition: either region may be the one.
    """

    name = "test.region_if"
    traits = (tr.RECURSIVE_MEMORY_EFFECTS,)
    inputs = variadic_operand()
    outputs = variadic_result()
    then_region = region()
    else_region = region()
    join_region = region()

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        then, otherwise, join = self.regions
        if source is None:
            return [RegionSuccessor(then, then.entry.args), RegionSuccessor(otherwise, otherwise.entry.args)]
        if source is join:
            return [RegionSuccessor(None, self.results)]
        return [RegionSuccessor(join, join.entry.args)]

    def entry_successor_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        return list(self.op_operands)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        uses = p.operand_list()
        types = p.colon_type_list()
        state.result_types = p.arrow_types()
        for keyword in ("then", "else", "join"):
            p.expect(keyword)
            # the document that introduced the operation names the arguments before the brace
            arguments = p.argument_list() if p.peek("(") else ()
            state.regions.append((yield p.region(arguments)))
        p.attr_dict(state)
        state.add_operands(p.resolve_all(uses, types))

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        yield f" {p.values(self.operands)}: {p.types(self.operand_types)}{p.arrow_types(self.result_types)}"
        for keyword, body in zip(("then", "else", "join"), self.regions, strict=True):
            yield f" {keyword} "
            yield p.region(body)


class LoopBlockTermOp(RegionBranchTerminatorOp):
    """Goes round a `test.loop_block` again with one value, or leaves it with another."""

    name = "test.loop_block_term"
    traits = (tr.PURE, tr.TERMINATOR)
    next_iter_arg = operand(c.I32)
    exit_arg = operand(c.F32)
    assembly_format = "`iter` $next_iter_arg `exit` $exit_arg attr-dict"

    def forwarded_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        return [self.op_operands[0 if successor.region is not None else 1]]


class LoopBlockOp(RegionBranchOp):
    """A region that repeats itself."""

    name = "test.loop_block"
    traits = (tr.RECURSIVE_MEMORY_EFFECTS,)
    init = operand(c.I32)
    float_result = result(c.F32)
    body = region(single_block=True)
    assembly_format = "$init `:` functional-type($init, $float_result) $body attr-dict-with-keyword"

    def region_successors(self, source: Region | None) -> list[RegionSuccessor]:
        body = RegionSuccessor(self.body, self.body.entry.args)
        return [body] if source is None else [body, RegionSuccessor(None, self.results)]

    def entry_successor_operands(self, successor: RegionSuccessor) -> list[OpOperand]:
        return list(self.op_operands)


# -- regions of which it is not known when, or whether, they run


class OneRegionOp(Operation):
    """A region about which nothing is known."""

    name = "test.one_region_op"
    region = region()


class TwoRegionOp(Operation):
    """Two regions about which nothing is known."""

    name = "test.two_region_op"
    first_region = region()
    second_region = region()


class OneRegionWithOperandsOp(Operation):
    """A region about which nothing is known, and operands."""

    name = "test.one_region_with_operands_op"
    inputs = variadic_operand()
    region = region()


class OneRegionWithRecursiveMemoryEffectsOp(Operation):
    """A region that runs at an unknown time; its effects are the operation's."""

    name = "test.one_region_with_recursive_memory_effects"
    traits = (tr.RECURSIVE_MEMORY_EFFECTS,)
    output = result()
    body = region(single_block=True)


class IsolatedOneRegionOp(Operation):
    """A region that uses nothing from outside."""

    name = "test.isolated_one_region_op"
    traits = (tr.ISOLATED_FROM_ABOVE,)
    inputs = variadic_operand()
    outputs = variadic_result()
    my_region = region()
    assembly_format = "attr-dict-with-keyword $inputs $my_region `:` type($inputs) `->` type($outputs)"


class IsolatedRegionsOp(Operation):
    """Regions that use nothing from outside."""

    name = "test.isolated_regions"
    traits = (tr.ISOLATED_FROM_ABOVE,)
    bodies = variadic_region()
    assembly_format = "attr-dict-with-keyword $bodies"


class AllocaScopeRegionOp(Operation):
    """Memory allocated on the stack inside lives until the region ends."""

    name = "test.alloca_scope_region"
    traits = (tr.AUTOMATIC_ALLOCATION_SCOPE,)
    region = region()
    assembly_format = "attr-dict-with-keyword $region"


class SingleNoTerminatorOp(Operation):
    """A graph region, which needs no terminator."""

    name = "test.single_no_terminator_op"
    traits = (tr.NO_TERMINATOR, tr.SINGLE_BLOCK, tr.GRAPH_REGION)
    my_region = region(single_block=True)
    assembly_format = "attr-dict `:` $my_region"


class VariadicNoTerminatorOp(Operation):
    """Graph regions, which need no terminators."""

    name = "test.variadic_no_terminator_op"
    traits = (tr.NO_TERMINATOR, tr.SINGLE_BLOCK, tr.GRAPH_REGION)
    my_regions = variadic_region(single_block=True)
    assembly_format = "attr-dict `:` $my_regions"


class GraphRegionOp(Operation):
    """A region in which order does not matter."""

    name = "test.graph_region"
    traits = (tr.GRAPH_REGION,)
    region = region()
    assembly_format = "attr-dict-with-keyword $region"


class SsacfgRegionOp(Operation):
    """A region of blocks, nothing more."""

    name = "test.ssacfg_region"
    region = region()


class AffineScopeOp(Operation):
    """Values defined at the top of its region are symbols inside."""

    name = "test.affine_scope"
    traits = (tr.AFFINE_SCOPE,)
    region = region(single_block=True)
    assembly_format = "$region"


class GraphLoopOp(LoopLikeOp):
    """A loop whose body is a graph region."""

    name = "test.graph_loop"
    traits = (tr.GRAPH_REGION, tr.SINGLE_BLOCK, tr.RECURSIVELY_SPECULATABLE, tr.PURE)
    args = variadic_operand()
    rets = variadic_result()
    body = region(single_block=True)
    assembly_format = "$args $body attr-dict `:` functional-type(operands, results)"


class FinishOp(Operation):
    """A terminator that does nothing else."""

    name = "test.finish"
    traits = (tr.TERMINATOR,)


class SingleBlockImplicitTerminatorOp(Operation):
    """A region that ends with `test.finish`."""

    name = "test.SingleBlockImplicitTerminator"
    traits = (tr.SINGLE_BLOCK, tr.ImplicitTerminator("test.finish"))
    region = region(single_block=True)
