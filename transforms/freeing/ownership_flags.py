"""Ownership flags as block arguments, region arguments and results, and deallocations at block ends.

    ^bb3(%m: memref<4xf32>)            =>  ^bb3(%m: memref<4xf32>, %owned: i1)
    %r = scf.for ... iter_args(%x = %a) =>  %r:2 = scf.for ... iter_args(%x = %a, %owned = %false)

At an operation with regions, one operand may define several values: the init of a loop defines the iter_arg and the result. A
*slot* is one such operand position; variables share it if they have equal formulas on every common edge.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from ...analysis.causes import Cause, CauseKind
from ...analysis.fixpoint import needed_first
from ...analysis.freeing.contracts import declared
from ...analysis.freeing.flags import FALSE, TRUE, Flags
from ...analysis.graphs import forwarded, region_exits
from ...dialects import arith, bufferization, cf, scf
from ...dialects._described import DescribedBranchOp
from ...dialects.function_like import FunctionLikeOp
from ...ir.declaration.declare import OPERAND_SEGMENTS
from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, OpOperand, OpResult, Region, Value
from ...ir.program.interfaces import (
    BranchOp,
    CallOpInterface,
    CountedLoopOp,
    FunctionOp,
    InParallelOpInterface,
    RegionBranchOp,
    RegionSuccessor,
)
from ...ir.program.symbols import SymbolTables
from ...ir.source.diagnostics import PassFailed, error, expect, present
from ...ir.source.records import field, record
from ...ir.types import attributes as a, types as t
from ...ir.types.attributes import DenseArrayAttr
from .. import makers
from ..patterns.bufferization import either
from ..rewriting.rewriter import append_successor_operands, erase_operands
from .bufferization_lower_deallocations import address, both, compare, exclusive
from .ownership_state import State, append_owners, buffers, dealloc, defined_at, is_buffer, known_bool

if TYPE_CHECKING:
    from ...analysis.freeing.contracts import Contracts
    from ...analysis.freeing.equations import Equations
    from ...analysis.freeing.flow import CfgEdge, ExtendedBlock
    from ...analysis.freeing.outcomes import CarriedFlag, FreePoint


class Places:
    """Insertion points for frees; those at one point are in the order of requests.

    With `at_block_ends`, a free inside a block is inserted before its terminator.
    """

    def __init__(self, at_block_ends: bool) -> None:
        self._at_block_ends = at_block_ends
        self._known: dict[tuple[ExtendedBlock | CfgEdge, int | None], Builder] = {}

    def builder(self, free: FreePoint) -> Builder:
        """The insertion point of a free."""
        if free.edge is not None:
            return self._on(free.edge)
        assert free.after is not None
        return self._builder_after(free.ebb, free.after)

    def _builder_after(self, ebb: ExtendedBlock, at: int) -> Builder:
        key = (ebb, at)
        found = self._known.get(key)
        if found is None:
            ops = ebb.ops
            last = len(ops) - 1
            if at == last and last >= 0 and ebb.block.last_op is ops[-1] and ops[-1].may_be_terminator:
                at -= 1
            anchor = (
                ops[at + 1] if at < last else (ops[at].next_op if ops and at >= 0 else ebb.block.first_op)
            )
            where = ops[at].where if 0 <= at < len(ops) else anchor.where if anchor is not None else None
            if self._at_block_ends and ebb.block.last_op is not None:
                anchor = ebb.block.last_op
            found = self._known[key] = Builder(ebb.block, anchor, where)
        return found

    def _on(self, edge: CfgEdge) -> Builder:
        if (found := self._known.get((edge, None))) is not None:
            return found
        source, target = edge.source, edge.target
        last = source.last
        if len(source.leaving) == 1 and last is not None and not last.regions:
            found = Builder.before(last)
        elif len(target.arriving) == 1:
            found = self._builder_after(target, -1)
        elif edge.successor is not None:
            found = Builder.before(_split(edge))
        else:
            assert last is not None
            found = Builder.before(add_otherwise(last))
        self._known[edge, None] = found
        return found


def split_described(edge: CfgEdge) -> BranchOp:
    """Split an edge of an operation described by facts only. Returns the terminator of the new block. O(operands)."""
    op, index = edge.source.last, edge.successor
    assert isinstance(op, BranchOp) and index is not None and op.block is not None
    target = op.successors[index]
    block = Block([arg.type for arg in target.args[: len(op.successor_operands(index))]])
    assert target.region is not None
    target.region.insert_after(block, op.block)
    branch = cf.BranchToOp.build(dest_operands=list(block.args), dest=target, where=op.where)
    block.append(branch)
    op.successors = tuple(block if i == index else s for i, s in enumerate(op.successors))
    return branch


def _split(edge: CfgEdge) -> Operation:
    """Split a CFG edge. Returns the terminator of the new block. O(operands)."""
    op = edge.source.last
    index = edge.successor
    if isinstance(op, DescribedBranchOp):
        return split_described(edge)
    assert isinstance(op, BranchOp) and index is not None
    target = op.successors[index]
    uses = op.successor_operands(index)
    passed: list[Value] = [use.value for use in uses]
    produced = op.produced_operand_count(index)
    block = Block([arg.type for arg in target.args[:produced]])
    assert target.region is not None and op.block is not None
    target.region.insert_after(block, op.block)
    branch = cf.BranchToOp.build(dest_operands=[*block.args, *passed], dest=target, where=op.where)
    block.append(branch)
    from_here = {use.index for use in uses}
    op.successors = tuple(block if i == index else s for i, s in enumerate(op.successors))
    if isinstance(op, cf.CondBranchOp | cf.SwitchOp | cf.BranchToOp):
        erase_operands(op, from_here)
    else:
        append_successor_operands(branch, 0, [])
    return branch


def add_otherwise(op: Operation) -> Operation:
    """Add the missing `else` of a conditional. Returns its terminator."""
    if not op.regions[1].is_empty:
        return present(op.regions[1].entry.last_op)
    block = op.regions[1].append(Block())
    if isinstance(op, scf.IfOp):
        return block.append(scf.YieldOp(where=op.where))
    from ...dialects import affine

    return block.append(affine.YieldOp(where=op.where))


class Formulas:
    """Emits the formulas of one function.

    Attributes:
        flags: the decision diagrams.
    """

    def __init__(self, function: FunctionOp, flags: Flags, value_of: Callable[[Hashable], Value]) -> None:
        """
        Args:
            value_of: the `i1` value of a variable.
        """
        self.flags = flags
        self._entry = function.body.entry
        self._value_of = value_of
        self._constants: dict[bool, Value] = {}
        self._written: dict[tuple[Block, Operation | None], dict[int, Value]] = {}

    def constant(self, value: bool) -> Value:
        """`arith.constant true` or `false` at the start of the function, an existing or a new one."""
        found = self._constants.get(value)
        if found is None:
            wanted = a.TRUE if value else a.FALSE
            for op in self._entry:
                if not isinstance(op, arith.ConstantOp):
                    break
                if op.get_attr("value") is wanted:
                    found = op.results[0]
            if found is None:
                found = makers.boolean(Builder.at_start(self._entry), value)
            self._constants[value] = found
        return found

    def write(self, formula: int, builder: Builder) -> Value:
        """The value of `formula` at the insertion point. O(its size); reuses values emitted there before."""
        if formula in (FALSE, TRUE):
            return self.constant(formula == TRUE)
        known = self._written.setdefault((builder.block, builder.anchor), {})
        parts = self.flags.parts
        for at in needed_first(formula, known, lambda at: [part for part in parts(at)[1:] if part > 1]):
            name, low, high = parts(at)
            known[at] = self._node(self._variable(name, builder), low, high, known, builder)
        return known[formula]

    def _variable(self, name: Hashable, builder: Builder) -> Value:
        if isinstance(name, Value):
            return name
        if isinstance(name, tuple) and name[0] == "address":
            one, other = (address(builder, value) for value in name[1:])
            return compare(builder, "eq", one, other)
        return self._value_of(name)

    def _node(self, value: Value, low: int, high: int, known: dict[int, Value], b: Builder) -> Value:
        """If `value` then `high` else `low`."""
        if low == FALSE:
            return value if high == TRUE else both(b, value, known[high])
        if high == TRUE:
            return either(b, value, known[low])
        if high == FALSE:
            negated = exclusive(b, value, self.constant(True))
            return negated if low == TRUE else both(b, negated, known[low])
        if low == TRUE:
            negated = exclusive(b, value, self.constant(True))
            return either(b, negated, known[high])
        chosen = arith.SelectOp.build(
            condition=value, true_value=known[high], false_value=known[low], result=t.I1
        )
        return b.insert(chosen).the_result


@record()
class _Slot:
    """An additional operand of several terminators, and the block arguments or result that it defines."""

    variables: dict[Block | None, CarriedFlag] = field(default_factory=dict)
    formulas: dict[Operation, int] = field(default_factory=dict)


class Travel:
    """Adds a block argument, iter_arg or result for each variable that formulas depend on, with its operands."""

    def __init__(
        self, function: FunctionOp, equations: Equations, variables: dict[Hashable, CarriedFlag]
    ) -> None:
        self._equations = equations
        self._variables = variables
        self._values: dict[Hashable, Value] = {}
        self._behind_described: dict[CfgEdge, BranchOp] = {}
        self._flags = equations.flags
        self.formulas = Formulas(function, self._flags, self._values.__getitem__)

    def carry(self, formulas: Iterable[int]) -> int:
        """Add values for all variables that `formulas` depend on, transitively. Returns their number. O(variables).

        Raises:
            PassFailed: an operation does not support additional operands and results.
        """
        from ...analysis.freeing.flow import takes_more_values

        needed = sorted(self._equations.needed_for(formulas, self._variables), key=_order)
        at_blocks: list[CarriedFlag] = []
        at_operations: dict[Operation, list[CarriedFlag]] = {}
        for variable in needed:
            around = variable.ebb.after
            if around is None and variable.ebb.block.is_entry:
                around = variable.ebb.block.parent_op
            if around is None:
                at_blocks.append(variable)
                self._values[variable.name] = variable.ebb.block.add_argument(t.I1)
            elif not takes_more_values(around):
                problem = error("which buffers are owned here is known only at run time", around.name_span)
                problem.attach("no ownership flag can be added to this operation", around.name_span)
                raise PassFailed(problem, operation=around)
            else:
                at_operations.setdefault(around, []).append(variable)
        slots = {op: self._slots(op, found) for op, found in at_operations.items()}
        made = {op: self._open(op, found) for op, found in slots.items()}
        for variable in at_blocks:
            for edge, formula, path in variable.ways:
                self._feed_block(edge, self._equations.value(formula, path))
        for op, found in slots.items():
            self._fill(op, found)
        return len(at_blocks) + sum(made.values())

    def _feed_block(self, edge: CfgEdge, formula: int) -> None:
        op = expect(BranchOp, edge.source.last)
        assert edge.successor is not None
        value = self.formulas.write(formula, Builder.before(op))
        if isinstance(op, DescribedBranchOp):
            branch = self._behind_described.get(edge)
            if branch is None:
                branch = self._behind_described[edge] = split_described(edge)
            append_successor_operands(branch, 0, [value])
        else:
            append_successor_operands(op, edge.successor, [value])

    # -- operations with regions

    def _slots(self, op: Operation, variables: list[CarriedFlag]) -> list[_Slot]:
        slots: list[_Slot] = []
        past = None  # the operand on the edge past a conditional with one region only
        if op.name in ("scf.if", "affine.if") and op.regions[1].is_empty:
            past = add_otherwise(op)
        for variable in variables:
            place = None if variable.ebb.after is op else variable.ebb.block
            formulas: dict[Operation, int] = {}
            for edge, formula, path in variable.ways:
                source = present(edge.source.last)
                if source is op and past is not None:
                    source = past
                formulas[source] = self._equations.value(formula, path)
            slot = next((s for s in slots if _fits(op, s, place, formulas)), None)
            if slot is None:
                slot = _Slot()
                slots.append(slot)
            slot.variables[place] = variable
            slot.formulas.update(formulas)
        return slots

    def _open(self, op: Operation, slots: list[_Slot]) -> int:
        """Add the arguments and results."""
        for slot in slots:
            inputs, _ = _lists(op, next(iter(slot.variables)))
            for place in inputs:
                if place is None:
                    value: Value = OpResult(op, len(op.results), t.I1)
                    op.results.append(value)  # pyright: ignore[reportArgumentType]
                else:
                    value = place.add_argument(t.I1)
                variable = slot.variables.get(place)
                if variable is not None:
                    self._values[variable.name] = value
        return len(slots)

    def _fill(self, op: Operation, slots: list[_Slot]) -> None:
        """Add the operands."""
        for slot in slots:
            _, sources = _lists(op, next(iter(slot.variables)))
            for source in sources:
                value = self.formulas.write(slot.formulas.get(source, 0), Builder.before(source))
                source.insert_operands(len(source.op_operands), [value])
                sizes = source.properties.get(OPERAND_SEGMENTS)
                if isinstance(sizes, DenseArrayAttr):
                    grown = (*sizes.values[:-1], sizes.values[-1] + 1)
                    source.properties[OPERAND_SEGMENTS] = DenseArrayAttr(t.I32, grown)


def _fits(op: Operation, slot: _Slot, place: Block | None, formulas: dict[Operation, int]) -> bool:
    """Whether a variable at `place` can share a slot: the same terminators, with equal formulas."""
    inputs, _ = _lists(op, next(iter(slot.variables)))
    return (
        place in inputs
        and place not in slot.variables
        and all(slot.formulas.get(source, formula) == formula for source, formula in formulas.items())
    )


def _lists(op: Operation, place: Block | None) -> tuple[list[Block | None], list[Operation]]:
    """The blocks (None: the results) defined together with `place`, and the operations with the operands."""
    assert isinstance(op, RegionBranchOp)
    if isinstance(op, CountedLoopOp):  # even if its static trip count excludes some edges
        return [op.regions[0].entry, None], [op, *region_exits(op.regions[0])]
    inputs, feeding, found = {place}, set[Region | None](), True
    while found:
        found = False
        for source in {None, *op.regions} - feeding:
            fed = {s.region.entry if s.region is not None else None for s in op.region_successors(source)}
            if not inputs.isdisjoint(fed):
                found = True
                feeding.add(source)
                inputs |= fed
    exits = [end for region in op.regions if region in feeding for end in region_exits(region)]
    places = [region.entry for region in op.regions if not region.is_empty and region.entry in inputs]
    return [*places, *([None] if None in inputs else [])], [op, *exits] if None in feeding else exits


def _order(variable: CarriedFlag) -> tuple[int, tuple[int, int], int, int]:
    owner, other = variable.owner, variable.other
    assert owner is not None
    return variable.ebb.number, owner.order, owner.bit, other.bit if other is not None else -1


# Block ends: buffers that are owned and dead are freed.
#
#     cf.br ^next(%x : memref<4xf32>)
#  => %owned = bufferization.dealloc (%base, ...) if (%condition, ...) retain (%x, what ^next needs ...)
#     cf.br ^next(%x, %owned : memref<4xf32>, i1)
#
# At a conditional branch, each side frees under the condition that it is taken.

# Calls: a function does not own its arguments, and its caller owns its results.
#
# Private functions with bodies may instead return the ownership of each result as an additional result
# (`private-function-dynamic-ownership`).


def is_dynamic(function: Operation | None) -> bool:
    """Whether a function may return the ownership of its results at run time: it is private and has a body."""
    return (
        isinstance(function, FunctionLikeOp)
        and function.visibility == "private"
        and not function.is_declaration
    )


def handle_call(
    op: CallOpInterface,
    state: State,
    symbols: SymbolTables,
    dynamic: bool,
    contracts: Contracts | None = None,
) -> None:
    """Own the results of a call.

    Args:
        dynamic: whether private functions return ownership at run time. An indirect callee counts as public.
        contracts: the contracts of borrowed results, if there are any.
    """
    symbol = op.callee_symbol()
    if dynamic and symbol is not None and is_dynamic(symbols.resolve(op, symbol)):
        for result, owned in append_owners(op, state):
            state.own(result, owned)
            state.must_free(result)
        return
    owned = makers.boolean(Builder.before(op), True)
    escaping = [result for result in buffers(op.results) if result in state.unmanaged]
    not_owned = makers.boolean(Builder.before(op), False) if escaping else owned
    for result in (result for result in op.results if is_buffer(result)):
        borrowed = contracts.borrowed_from(op, result.index) if contracts is not None else None
        if borrowed is not None:
            for value in borrowed:
                state.own(result, state.ownership(value), op.block)
        elif result in state.unmanaged:
            state.own(result, not_owned)
        else:
            state.own(result, owned)
            state.must_free(result)


def handle_branch(op: BranchOp, state: State) -> None:
    """Free before an unconditional branch, and forward the ownership of its operands.

    Raises:
        PassFailed: the branch has several successors, or produces block arguments itself.
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
        return both(builder, owned, condition)

    def if_not_taken(owned: Value) -> Value:
        true = makers.boolean(builder, True)
        return both(builder, owned, exclusive(builder, true, condition))

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


def handle_region_end(op: Operation, state: State, dynamic: bool, contracts: Contracts | None = None) -> None:
    """Free before control leaves a region, and forward the ownership of the terminator's operands.

    A function that does not return ownership returns only owned buffers, and copies others.

    Args:
        dynamic: whether private functions return ownership at run time.
        contracts: the contracts of borrowed results, if there are any.
    """
    function = op.parent_op
    static = isinstance(function, FunctionOp) and not (dynamic and is_dynamic(function))
    if static:
        lending = function if contracts is not None and isinstance(function, FunctionLikeOp) else None
        for use in op.op_operands:
            if is_buffer(use.value) and (lending is None or declared(lending, use.index) is not False):
                use.value = _owned(use, state)
    passed: Sequence[OpOperand] = forwarded(op, RegionSuccessor(None, ()))
    freed = _free_if_needed(op, [use.value for use in passed], state)
    if freed is None or static or not passed:
        return
    count = len(buffers(use.value for use in passed))
    op.insert_operands(passed[-1].index + 1, freed.results[:count])


def handle_parallel_end(op: InParallelOpInterface, state: State) -> None:
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
    """Free before the terminator `op`, unless there is nothing to free and no ownership to forward."""
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
    """The yielded buffer if it is owned, else a copy; decided now or at run time."""
    op = use.owner
    builder = Builder.before(op)
    cause = Cause(CauseKind.NOT_OWNED, op, use.index, use.value)
    value, owned = state.with_known_owner(builder, use.value, _block(op), cause)
    if known_bool(owned):
        return value
    then, otherwise = Block(), Block()
    builder.where = where = defined_at(value)
    then.append(scf.YieldOp([value], where=where))
    copy = otherwise.append(makers.clone(value, cause))
    copy.where = where
    otherwise.append(scf.YieldOp(copy.results, where=where))
    choice = scf.IfOp([owned], [value.type], regions=2)
    choice.regions[0].append(then)
    choice.regions[1].append(otherwise)
    result = builder.insert(choice).the_result
    state.own(result, makers.boolean(builder, True))
    state.must_free(result)
    return result


def _block(op: Operation) -> Block:
    assert op.block is not None
    return op.block
