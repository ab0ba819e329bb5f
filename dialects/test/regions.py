"""Regions of which it is not known when, or whether, they run."""

from __future__ import annotations

from ...ir.declaration.declare import region, result, variadic_operand, variadic_region, variadic_result
from ...ir.program import traits as tr
from ...ir.program.core import Operation
from ...ir.program.interfaces import LoopLikeOp


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
