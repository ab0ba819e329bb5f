"""The ends of blocks: where what is owned and not needed any more is freed.

    cf.br ^next(%x : memref<4xf32>)
 => %owned = bufferization.dealloc (%base, ...) if (%condition, ...) retain (%x, what ^next needs ...)
    cf.br ^next(%x, %owned : memref<4xf32>, i1)

Of a conditional branch each side frees under the condition that it is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...analysis.causes import Cause, CauseKind
from ...analysis.graphs import forwarded
from ...dialects import arith, bufferization, cf, scf
from ...dialects.function_like import FunctionLikeOp
from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, OpOperand, Value
from ...ir.program.interfaces import BranchOp, CallOpInterface, FunctionOp, RegionSuccessor
from ...ir.program.symbols import SymbolTables
from ...ir.source.diagnostics import PassFailed
from ...ir.types import attributes as a
from ...ir.types import types as t
from .. import makers
from .ownership_state import State, append_owners, buffers, constant_bool, dealloc, is_buffer, known_bool

# Calls: a function owns nothing it is given, and its caller owns everything it returns.
#
# Private functions that have bodies may instead return, behind their results, who owns each of them
# (`private-function-dynamic-ownership`).


def is_dynamic(function: Operation | None) -> bool:
    """Whether a function may tell its callers at run time who owns its results: it is private and has a body."""
    return (
        isinstance(function, FunctionLikeOp)
        and function.visibility == "private"
        and not function.is_declaration
    )


def handle_call(op: CallOpInterface, state: State, symbols: SymbolTables, dynamic: bool) -> None:
    """Own the results of a call.

    Args:
        dynamic: whether private functions tell at run time. A callee that is a value counts as public.
    """
    symbol = op.callee_symbol()
    if dynamic and symbol is not None and is_dynamic(symbols.resolve(op, symbol)):
        for result, owned in append_owners(op, state):
            state.own(result, owned)
            state.must_free(result)
        return
    owned = constant_bool(Builder.before(op), True)
    escaping = [result for result in buffers(op.results) if result in state.unmanaged]
    not_owned = constant_bool(Builder.before(op), False) if escaping else owned
    for result in buffers(op.results):
        if result in state.unmanaged:
            state.own(result, not_owned)
        else:
            state.own(result, owned)
            state.must_free(result)


def handle_branch(op: BranchOp, state: State) -> None:
    """Free before an unconditional branch, and pass on who owns what it passes.

    Raises:
        PassFailed: the branch has several successors, or gives values of its own to them.
    """
    successors = len(op.successors)
    if successors > 1:
        message = "BranchOpInterface operations with multiple successors are not supported yet"
        raise PassFailed(message, op.name_span, op)
    if successors == 0:
        message = "only BranchOpInterface operations with exactly one successor are supported yet"
        raise PassFailed(message, op.name_span, op)
    if op.produced_operand_count(0):
        raise PassFailed("produced operands are not supported", op.name_span, op)
    block = _block(op)
    passed = op.successor_operands(0)
    freed = _free(op, [use.value for use in passed], op.successors[0], state)
    state.forget(freed.retained, block)
    _own_all(freed, block, state)
    count = len(buffers(use.value for use in passed))
    op.insert_operands(passed[-1].index + 1 if passed else len(op.op_operands), freed.results[:count])


def handle_conditional_branch(op: cf.CondBranchOp, state: State) -> None:
    """Free before a conditional branch, for each side under the condition that it is taken."""
    block = _block(op)
    builder = Builder.before(op)
    condition = op.condition
    bases, conditions = state.candidates(builder, block)

    def if_taken(owned: Value) -> Value:
        return builder.insert(arith.AndIOp.build(lhs=owned, rhs=condition, result=t.I1)).the_result

    def if_not_taken(owned: Value) -> Value:
        true = constant_bool(builder, True)
        negated = builder.insert(arith.XOrIOp.build(lhs=true, rhs=condition, result=t.I1)).the_result
        return builder.insert(arith.AndIOp.build(lhs=owned, rhs=negated, result=t.I1)).the_result

    sides: list[dict[Value, Value]] = []
    passed: list[list[Value]] = []
    adapt: Sequence[Callable[[Value], Value]] = (if_taken, if_not_taken)
    for i, side in enumerate(adapt):
        operands = [use.value for use in op.successor_operands(i)]
        retained = state.retained(block, op.successors[i], operands)
        freed = dealloc(builder, bases, [side(owned) for owned in conditions], retained)
        state.forget(retained, block)
        _own_all(freed, block, state)
        owners: dict[Value, Value] = dict(zip(retained, freed.results, strict=True))
        sides.append(owners)
        passed.append(operands + [owners[value] for value in buffers(operands)])
    op.operands = [condition, *passed[0], *passed[1]]
    op.properties["operandSegmentSizes"] = a.DenseArrayAttr(t.I32, (1, len(passed[0]), len(passed[1])))
    taken, not_taken = sides
    for value in not_taken:
        if value in taken:
            selected = arith.SelectOp.build(
                condition=condition, true_value=taken[value], false_value=not_taken[value], result=t.I1
            )
            state.forget([value], block)
            state.own(value, builder.insert(selected).the_result, block)


def handle_region_end(op: Operation, state: State, dynamic: bool) -> None:
    """Free before control leaves a region, and pass on who owns what is passed.

    A function that cannot tell its caller who owns its results returns only what it owns, copying what it does not.

    Args:
        dynamic: whether private functions tell their callers.
    """
    function = op.parent_op
    static = isinstance(function, FunctionOp) and not (dynamic and is_dynamic(function))
    if static:
        for use in op.op_operands:
            if is_buffer(use.value):
                use.value = _owned(use, state)
    passed: Sequence[OpOperand] = forwarded(op, RegionSuccessor(None, ()))
    freed = _free_if_needed(op, [use.value for use in passed], state)
    if freed is None or static or not passed:
        return
    count = len(buffers(use.value for use in passed))
    op.insert_operands(passed[-1].index + 1, freed.results[:count])


def handle_parallel_end(op: scf.InParallelOp, state: State) -> None:
    """Free at the end of an iteration of `scf.forall`."""
    if not op.regions[0].entry.is_empty:
        raise PassFailed("only supported when nested region is empty", op.name_span, op)
    _free_if_needed(op, [], state)


def handle_reduction_end(op: scf.ReduceReturnOp, state: State) -> None:
    """Free at the end of a reduction of `scf.parallel`."""
    if is_buffer(op.operands[0]):
        raise PassFailed("only supported when operand is not a MemRef", op.name_span, op)
    _free_if_needed(op, [], state)


def _free(
    op: Operation, passed: Sequence[Value], target: Block | None, state: State
) -> bufferization.DeallocOp:
    builder = Builder.before(op)
    bases, conditions = state.candidates(builder, _block(op))
    return dealloc(builder, bases, conditions, state.retained(_block(op), target, passed))


def _free_if_needed(op: Operation, passed: Sequence[Value], state: State) -> bufferization.DeallocOp | None:
    """Free before `op`, which leaves its region, unless there is nothing to free and nothing to tell."""
    builder = Builder.before(op)
    bases, conditions = state.candidates(builder, _block(op))
    retained = state.retained(_block(op), None, passed)
    if not bases and not retained:
        return None
    freed = dealloc(builder, bases, conditions, retained)
    state.forget(retained, _block(op))
    _own_all(freed, _block(op), state)
    return freed


def _own_all(freed: bufferization.DeallocOp, block: Block, state: State) -> None:
    for value, owned in zip(freed.retained, freed.results, strict=True):
        state.own(value, owned, block)


def _owned(use: OpOperand, state: State) -> Value:
    """What is handed out if it is owned, else a copy: known now, or decided at run time."""
    op = use.owner
    builder = Builder.before(op)
    cause = Cause(CauseKind.NOT_OWNED, op, use.index, use.value)
    value, owned = state.with_known_owner(builder, use.value, _block(op), cause)
    if known_bool(owned):
        return value
    then, otherwise = Block(), Block()
    then.append(scf.YieldOp([value], where=op.where))
    copy = otherwise.append(makers.clone(value, cause))
    copy.where = op.where
    otherwise.append(scf.YieldOp(copy.results, where=op.where))
    choice = scf.IfOp([owned], [value.type], regions=2)
    choice.regions[0].append(then)
    choice.regions[1].append(otherwise)
    result = builder.insert(choice).the_result
    state.own(result, constant_bool(builder, True))
    state.must_free(result)
    return result


def _block(op: Operation) -> Block:
    assert op.block is not None
    return op.block
