"""`scf.forall`: a loop whose iterations may run at once, and its terminator.

It has as many dimensions as it has bounds. It hands tensors to its iterations (`shared_outs`), which put their parts back in
the terminator.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

from ..ir.declaration.constraints import (
    ANY_RANKED_TENSOR,
    ANY_TYPE,
    DENSE_I64_ARRAY,
    INDEX,
    array_of,
    attribute_instance,
)
from ..ir.declaration.declare import attribute, region, variadic_operand, variadic_result
from ..ir.program import traits as tr
from ..ir.program.core import Block, BlockArgument, Operation, OpOperand, Region
from ..ir.program.interfaces import DestinationStyleOp, LoopAxis, LoopLikeOp, RegionBranchOp, RegionSuccessor
from ..ir.source.diagnostics import Diagnostic
from ..ir.types import attributes as a
from ..ir.types import types as t
from ..ir.verifier import op_error
from .common import DYNAMIC, Mixed, Unprefixed, loop_axis, mixed
from .scf_loop_ops import assignments_text, parse_assignments

if TYPE_CHECKING:
    from ..ir.program.core import Where
    from ..ir.text.op_parser import Argument, OpParser, ParsedOp, UnresolvedOperand
    from ..ir.text.printer import Printer


MAPPING_ATTR = array_of(attribute_instance(a.DialectAttr, ""), "Device Mapping array attribute")


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

    verify_looks_around = True

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
    def empty(cls, where: Where | None = None) -> InParallelOp:
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
