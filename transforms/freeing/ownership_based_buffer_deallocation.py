"""`-ownership-based-buffer-deallocation`, and `-buffer-deallocation-pipeline` with its preparation and lowering."""

from __future__ import annotations

from ...analysis.freeing.calls import CallsOfProgram
from ...analysis.freeing.contracts import Contracts, lends
from ...analysis.graphs import blocks_inside_out, entry_successor, has_unstructured_loop, leaves_region
from ...dialects import arith, bufferization, cf, func, memref, scf
from ...dialects.bufferization import MANUAL_DEALLOCATION
from ...ir.defects import LOADED_BUFFERS, WAYS_OF_FREEING
from ...ir.program import traits as tr
from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, Value, argument_location
from ...ir.program.interfaces import (
    ALLOCATE,
    FREE,
    READ,
    STACK_RESOURCE,
    AllocationOp,
    BranchOp,
    CallOpInterface,
    FunctionOp,
    InParallelOpInterface,
    MemoryEffectOp,
    RegionBranchOp,
    ViewLikeOp,
)
from ...ir.program.symbols import SymbolTables
from ...ir.source.diagnostics import PassFailed, error, present
from ...ir.types import attributes as a, types as t
from .. import makers
from ..pass_base import Context, Pass, flag
from .ownership_flags import (
    handle_branch,
    handle_call,
    handle_conditional_branch,
    handle_parallel_end,
    handle_reduction_end,
    handle_region_end,
)
from .ownership_state import State, append_owners, buffers, defined_at, is_buffer

# Operations with regions: ownership leaves them through additional results, and never enters them.
#
#     %r = scf.for ... iter_args(%x = %a) -> (memref<4xf32>) {...}
#  => %r:2 = scf.for ... iter_args(%x = %a, %owned = %false) -> (memref<4xf32>, i1) {...}
#
# Bodies are rewritten first: their arguments and terminators already have the additional values.


def handle_regions(op: RegionBranchOp, state: State) -> None:
    """Pass `false` as ownership to the regions, and own the results according to the additional ones.

    Assumes that loop-carried values come last among operands, region arguments and results, like mlir-opt.
    """
    assert op.block is not None
    not_owned = makers.boolean(Builder.at_start(op.block, op.where), False)
    entering = [use.value for use in op.entry_successor_operands(entry_successor(op))]
    op.insert_operands(len(op.op_operands), [not_owned] * len(buffers(entering)))
    for result, owned in append_owners(op, state):
        state.own(result, owned)
        state.must_free(result)


# Operations that allocate or free, and the ownership of every other result.
#
#     %n = memref.alloc() : memref<4xf32>
#  => %true = arith.constant true        // at the start of the block: the block owns %n
#     %n = memref.alloc() : memref<4xf32>
#
# A result that is not allocated here is assumed to alias the buffer operands.


def handle_effects(op: MemoryEffectOp, state: State) -> None:
    """Own the buffers that `op` allocates; guard manual deallocations.

    Raises:
        PassFailed: it frees a buffer without being marked as manual deallocation.
    """
    effects = {(effect.kind, effect.value): effect for effect in reversed(op.memory_effects())}
    manual = op.get_attr(MANUAL_DEALLOCATION) is not None
    for value in buffers(op.operands):
        if (FREE, value) in effects:
            if not manual:
                raise PassFailed("memory free side-effect on MemRef value not supported!", op.name_span, op)
            _assert_not_owned(op, value, state)
    block = present(op.block)
    for value in buffers(op.results):
        allocation = effects.get((ALLOCATE, value))
        if allocation is None:
            continue
        builder = Builder.at_start(block, op.where)
        if allocation.resource == STACK_RESOURCE or manual or value in state.unmanaged:
            state.forget([value], block)
            state.own(value, makers.boolean(builder, False))
        else:
            state.own(value, makers.boolean(builder, True))
            state.must_free(value)


def _assert_not_owned(op: Operation, value: Value, state: State) -> None:
    """Assert at run time that a manually freed buffer is not also freed automatically."""
    assert op.block is not None
    owned = state.indicator(value, op.block)
    if owned is None:
        return
    builder = Builder.before(op)
    true = makers.boolean(builder, True)
    negated = builder.insert(arith.XOrIOp.build(lhs=owned, rhs=true, result=t.I1))
    message = a.StringAttr("expected that the block does not have ownership")
    builder.insert(cf.AssertOp.build(arg=negated.the_result, msg=message))


def own_remaining_results(op: Operation, state: State) -> None:
    """Join the ownership of the operands that each remaining memref result may alias."""
    for value in buffers(op.results):
        if state.ownership(value) is not None:
            continue
        if LOADED_BUFFERS in state.mirrored or not loads_buffers(op):
            for operand in op.operands:
                if is_buffer(operand):
                    state.own(value, state.ownership(operand), op.block)
        if state.ownership(value) is None:
            state.own(value, makers.boolean(Builder.before(op), False))


def loads_buffers(op: Operation) -> bool:
    """Whether a memref result was loaded from memory, so that owning the operands does not imply owning it."""
    return (
        isinstance(op, MemoryEffectOp)
        and not isinstance(op, ViewLikeOp)
        and any(effect.kind == READ for effect in op.memory_effects())
    )


def check_loops(function: Operation) -> None:
    """Raises PassFailed if the blocks of the function contain a cycle."""
    if has_unstructured_loop(function):
        raise PassFailed("Only structured control-flow loops are supported.", function.name_span, function)


def check_ways(function: Operation) -> None:
    """Raises PassFailed if there is an allocation that `memref.dealloc` must not free. O(operations)."""
    ways: dict[type[Operation], str | None] = {}
    for op in function.walk():
        if isinstance(op, AllocationOp) and op.results:
            if type(op) not in ways:
                ways[type(op)] = makers.freed_by(op, op.results[0])
            way = ways[type(op)]
            if way not in (None, memref.DeallocOp.name):
                problem = error(
                    f"'{op.name}' is freed by '{way}', but this pass frees only by 'memref.dealloc'",
                    op.name_span,
                )
                problem.help("-buffer-deallocation-static frees each allocation in its own way")
                raise PassFailed(problem, operation=op)


def check_operation(op: Operation) -> None:
    """Raises PassFailed if the memory effects or the control flow of `op` are unknown."""
    problem = _problem(op)
    if problem is not None:
        raise PassFailed(problem, op.name_span, op)


def _problem(op: Operation) -> str | None:
    if isinstance(op, bufferization.DeallocOp):
        return "No deallocation operations must be present when running this pass!"
    if not (
        isinstance(op, (MemoryEffectOp, CallOpInterface))
        or op.has_trait(tr.PURE)
        or op.has_trait(tr.RECURSIVE_MEMORY_EFFECTS)
    ):
        return "ops with unknown memory side effects are not supported"
    if not touches_buffers(op) and not _allocates_or_frees(op):
        return None
    regions = len(op.regions)
    if (regions > 1 or (regions == 1 and op.results)) and not isinstance(op, RegionBranchOp):
        return "All operations with attached regions need to implement the RegionBranchOpInterface."
    if op.has_trait(tr.NO_TERMINATOR):
        return "NoTerminator trait is not supported"
    if op.definition is not None and op.definition.is_terminator:
        if isinstance(op, BranchOp) == leaves_region(op):
            return (
                "Terminators must implement either BranchOpInterface or "
                "RegionBranchTerminatorOpInterface (but not both)!"
            )
        if len(op.successors) > 1:
            return "Terminators with more than one successor are not supported!"
    return None


def touches_buffers(op: Operation) -> bool:
    """Whether a memref is among the operands, results or region arguments of `op`."""
    return (
        any(is_buffer(value) for value in op.operands)
        or any(is_buffer(value) for value in op.results)
        or any(is_buffer(arg) for region in op.regions if not region.is_empty for arg in region.entry.args)
    )


def _allocates_or_frees(op: Operation) -> bool:
    return isinstance(op, MemoryEffectOp) and any(
        effect.kind in (ALLOCATE, FREE) for effect in op.memory_effects()
    )


# The walk over a function, block by block, with the ownership state at every step.
#
# Nested blocks come before the enclosing block, dominators before the blocks they dominate. So the ownership of a value is known in
# the block that defines it before any block that uses it is rewritten, and the regions of an operation are rewritten before it.


class Deallocation:
    """Rewrites functions so that they free the buffers they own. Near-linear in the output.

    Attributes:
        symbols: resolves callees; their signatures may change meanwhile, their visibility does not.
        dynamic: whether private functions return the ownership of their results as additional `i1` results.
    """

    def __init__(self, symbols: SymbolTables, dynamic: bool, contracts: Contracts | None = None) -> None:
        """
        Args:
            contracts: the contracts of functions, if some result is declared as borrowed.
        """
        self.symbols = symbols
        self.dynamic = dynamic
        self.contracts = contracts

    def run(self, function: FunctionOp, state: State) -> None:
        """Rewrite a function that has a body.

        Raises:
            PassFailed: it is not supported (see the checks above). It may have been changed in part.
        """
        check_loops(function)
        for block in list(blocks_inside_out(function)):
            self._enter(block, state)
            for op in block:
                self._operation(op, state)
                own_remaining_results(op, state)
        update_signature(function)

    def _enter(self, block: Block, state: State) -> None:
        """The ownership of live-in buffers of `block`: none from other regions, otherwise that at the definition."""
        builder = Builder.at_start(block)
        for value in state.order.live_in(block):
            if value.parent_region is block.region:
                state.own(value, state.ownership(value), block)
                state.must_free(value, block)
            else:
                builder.where = defined_at(value)
                state.own(value, makers.boolean(builder, False), block)
        is_function_entry = isinstance(block.parent_op, FunctionOp) and block.is_entry
        for arg in list(block.args):
            if is_buffer(arg):
                if is_function_entry:
                    builder.where = defined_at(arg)
                    owned = makers.boolean(builder, False)
                else:
                    owned = block.add_argument(t.I1, location=argument_location(arg))
                state.own(arg, owned)
                state.must_free(arg)

    def _operation(self, op: Operation, state: State) -> None:
        if isinstance(op, arith.SelectOp):
            return
        if isinstance(op, cf.CondBranchOp):
            handle_conditional_branch(op, state)
        elif isinstance(op, InParallelOpInterface):
            handle_parallel_end(op, state)
        elif isinstance(op, scf.ReduceReturnOp):
            handle_reduction_end(op, state)
        else:
            check_operation(op)
            if isinstance(op, MemoryEffectOp):
                handle_effects(op, state)
            if isinstance(op, RegionBranchOp):
                handle_regions(op, state)
            if isinstance(op, CallOpInterface):
                handle_call(op, state, self.symbols, self.dynamic, self.contracts)
            if isinstance(op, BranchOp):
                handle_branch(op, state)
            if leaves_region(op):
                handle_region_end(op, state, self.dynamic, self.contracts)


def update_signature(function: FunctionOp) -> None:
    """Update the type of a function to its entry block's arguments and its returns' operands.

    Raises:
        PassFailed: two returns have different types.
    """
    returned = [op.operand_types for op in function.body.ops() if leaves_region(op)]
    if any(types != returned[0] for types in returned[1:]):
        message = "there are multiple return operations with different operand types"
        raise PassFailed(message, function.name_span, function)
    results = returned[0] if returned else function.function_type.results
    inputs = tuple(arg.type for arg in function.body.entry.args)
    function.properties["function_type"] = a.TypeAttr(t.FunctionType(inputs, tuple(results)))
    said = function.properties.get("res_attrs")
    if isinstance(said, a.ArrayAttr):
        added = [a.DictionaryAttr({})] * (len(results) - len(said.elements))
        function.properties["res_attrs"] = a.ArrayAttr((*said.elements, *added))


class OwnershipBasedBufferDeallocation(Pass):
    """Free every buffer that a function allocates and does not return.

        %n = memref.alloc() : memref<4xf32>
        ...
        return
     => %true = arith.constant true
        %n = memref.alloc() : memref<4xf32>
        ...
        %base, ... = memref.extract_strided_metadata %n
        bufferization.dealloc (%base : memref<f32>) if (%true)
        return

    A function transfers ownership of its results, and does not own its arguments. Blocks and regions receive
    an `i1` for each memref that says whether they own it. The program must not contain deallocations (except
    with `bufferization.manual_deallocation`) or loops made of branches. The output contains
    `bufferization.dealloc` and `bufferization.clone`, which other passes lower.

    The caller does not free a result with `bufferization.owned = false`; an argument is returned there without a clone.

    A buffer whose address may be stored somewhere that outlives the owning block is not freed; mlir-opt frees
    it. Because everything is freed by `memref.dealloc`, allocations that are freed otherwise (`gpu.alloc`,
    allocations described by a facts file) are rejected; mlir-opt frees them by `memref.dealloc`, too.
    `--compat=mlir-22` reproduces both.
    """

    name = "ownership-based-buffer-deallocation"
    summary = "free all buffers, using ownership flags at run time"
    dynamic = flag(
        "private-function-dynamic-ownership",
        "let private functions return a flag for each result that says whether the caller owns it",
    )

    def run(self, op: Operation, context: Context) -> None:
        symbols = SymbolTables()
        contracts = None
        if any(isinstance(found, func.FuncOp) and lends(found) for found in op.walk()):
            contracts = Contracts(symbols, op)
            contracts.check()
        deallocation = Deallocation(symbols, self.dynamic, contracts)
        functions = [
            found for found in op.walk() if isinstance(found, func.FuncOp) and not found.is_declaration
        ]
        for function in () if WAYS_OF_FREEING in context.mirrored else functions:
            check_ways(function)
        calls = CallsOfProgram()
        for function in functions:
            unmanaged = calls.escaping(function, context.mirrored)
            deallocation.run(function, State(function, unmanaged, context.mirrored))
            context.ownership_agrees.add(function)


# `-buffer-deallocation-pipeline`: ownership-based deallocation with its preparation and lowering.


class BufferDeallocationPipeline(Pass):
    """Free all buffers, decide as much as possible at compile time, and lower the rest.

    Expands reallocations, inserts deallocations by ownership, simplifies and lowers them, with
    canonicalization in between and CSE before the last step. Clones are not lowered. The program is verified
    after each step.
    """

    name = "buffer-deallocation-pipeline"
    summary = "free all buffers by ownership, then simplify and lower the deallocations"
    dynamic = flag(
        "private-function-dynamic-ownership",
        "let private functions return a flag for each result that says whether the caller owns it",
    )

    def parts(self) -> list[Pass]:
        # imported when they run: see one_shot_bufferize
        from ..canonicalize import Canonicalize
        from ..convert_bufferization_to_memref import ExpandRealloc
        from ..cse import Cse
        from .buffer_deallocation_simplification import BufferDeallocationSimplification
        from .bufferization_lower_deallocations import BufferizationLowerDeallocations

        return [
            ExpandRealloc(emit_deallocs=False),
            Canonicalize(),
            OwnershipBasedBufferDeallocation(dynamic=self.dynamic),
            Canonicalize(),
            BufferDeallocationSimplification(),
            BufferizationLowerDeallocations(),
            Cse(),
            Canonicalize(),
        ]

    def run(self, op: Operation, context: Context) -> None:
        from ..pass_manager import PassManager

        PassManager(self.parts(), context, allow_unregistered=True).run(op)
