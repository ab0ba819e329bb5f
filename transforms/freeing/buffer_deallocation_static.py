"""`-buffer-deallocation-static`: frees each buffer once, as early as possible, in any program."""

from __future__ import annotations

from ...analysis.causes import Cause, CauseKind
from ...analysis.freeing.contracts import OWNED, Contracts, Gives
from ...analysis.freeing.elaborate import Elaboration
from ...analysis.freeing.equations import Equations
from ...analysis.freeing.flags import FALSE, TRUE, Flags, TooManyNodes
from ...analysis.freeing.flow import ExtendedBlock, ExtendedBlockGraph, guarded_frees
from ...analysis.freeing.needed import Needed
from ...analysis.freeing.outcomes import FreeingPlan, FreePoint, Guard, Makers, Returned
from ...analysis.freeing.owners import BufferOwner, BufferOwners, OwnerKind
from ...analysis.origins import is_buffer, strip_views
from ...dialects import arith, func, memref
from ...dialects.bufferization import FREES_ARE_PLACED
from ...dialects.function_like import FunctionLikeOp
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, OpOperand, OpResult, Value
from ...ir.program.interfaces import AllocationOp, BranchOp, CallOpInterface, ViewLikeOp
from ...ir.program.symbols import SymbolTables
from ...ir.source.diagnostics import PassFailed, error
from ...ir.source.locations import Span
from ...ir.source.records import replace
from ...ir.types import attributes as a, types as t
from .. import makers
from ..pass_base import Context, Pass, choice
from . import bufferization_lower_deallocations
from .ownership_flags import Formulas, Places, Travel, add_otherwise
from .ownership_state import base_buffer

# Ownership flags as results of private functions.
#
#     func.func private @f(%a: memref<4xf32>) -> memref<4xf32>
#  => func.func private @f(%a: memref<4xf32>) -> (memref<4xf32> {bufferization.owned = 1 : i64}, i1)
#
# The attribute is the number of the flag result. It identifies the flag when the pass runs again, and in declarations of functions
# defined elsewhere.


def add_flags(contracts: Contracts) -> int:
    """Add a flag result, not computed yet, for each result of C5 without one. Returns their number. O(returns + calls) each."""
    added = 0
    for (function, index), ownership_transfer in list(contracts.known.items()):
        if ownership_transfer.kind is not Gives.FLAGGED or ownership_transfer.flag >= 0:
            continue
        kind = function.function_type
        flag = len(kind.results)
        function.properties["function_type"] = a.TypeAttr(t.FunctionType(kind.inputs, (*kind.results, t.I1)))
        for op in (function, *contracts.calls.get(function, ())):
            said = op.properties.get("res_attrs")
            if isinstance(said, a.ArrayAttr):
                op.properties["res_attrs"] = a.ArrayAttr((*said.elements, a.DictionaryAttr(())))
        function.set_result_attr(index, OWNED, a.IntegerAttr(flag, t.I64))
        for block in function.body:
            end = block.last_op
            if isinstance(end, func.ReturnOp):
                unknown = arith.ConstantOp.build(value=a.FALSE, result=t.I1, where=end.where)
                block.insert_before(unknown, end)
                end.insert_operands(len(end.op_operands), [unknown.the_result])
        for call in contracts.calls.get(function, ()):
            call.results.append(OpResult(call, len(call.results), t.I1))  # pyright: ignore[reportArgumentType]
        contracts.known[function, index] = replace(ownership_transfer, flag=flag)
        contracts.unsettled.add((function, index))
        added += 1
    return added


def settle(end: Operation, number: int, told: Value) -> None:
    """Set operand `number` of a return, an ownership flag."""
    flag = end.op_operands[number]
    unknown = flag.value.defining_op
    flag.value = told
    if unknown is not None and not unknown.the_result.has_uses:
        unknown.erase()


# The allocating operation determines how a buffer is freed (`AllocationOp.build_free`).
#
# An input is freed according to the allocations that flow into it; if these are freed by different operations, the program is
# rejected. If it may be a view of the allocation, its base is freed. The result of a call is freed according to the callee's
# allocations.


class Frees:
    """How to free the owners of one function. O(owners + edges into them)."""

    def __init__(self, owners: BufferOwners, elsewhere: Makers) -> None:
        """
        Args:
            elsewhere: the allocations in other functions.
        """
        self._holders = owners
        self._elsewhere = elsewhere
        self._sources: dict[BufferOwner, list[Value]] = {}
        for ebb in owners.flow.ebbs:
            for edge in ebb.arriving:
                for argument, value in edge.passed:
                    owner = owners.of(argument)
                    if owner is not None:
                        self._sources.setdefault(owner, []).append(value)
        for owner in owners.all:
            if owner.sources:
                self._sources[owner] = list(owner.sources)
        self._feeds: dict[BufferOwner, list[BufferOwner]] = {}
        self._partial = self._find_partial()
        self._makers = self._find_makers()

    def _find_partial(self) -> set[BufferOwner]:
        """The owners that may be a view of an allocation, rather than the allocated memref itself."""
        feeds = self._feeds
        found: dict[BufferOwner, None] = {}
        for owner in self._holders.all:
            if isinstance(owner.value.defining_op, CallOpInterface):
                found[owner] = None
        for owner, sources in self._sources.items():
            for value in sources:
                one = self._holders.of(value)
                if one is None:
                    if self._holders.possible(value):
                        found[owner] = None
                    continue
                feeds.setdefault(one, []).append(owner)
                if not _is_whole(value, one):
                    found[owner] = None
        waiting = list(found)
        while waiting:
            for fed in feeds.get(waiting.pop(), ()):
                if fed not in found:
                    found[fed] = None
                    waiting.append(fed)
        return set(found)

    def _find_makers(self) -> dict[BufferOwner, dict[str, AllocationOp]]:
        """For each owner, the allocations that its buffer may come from, one of each kind of operation."""
        found: dict[BufferOwner, dict[str, AllocationOp]] = {}
        waiting: list[tuple[BufferOwner, AllocationOp]] = []
        for owner in self._holders.all:
            op = owner.value.defining_op
            if owner.kind is OwnerKind.ROOT and isinstance(op, AllocationOp):
                waiting.append((owner, op))
            elif isinstance(op, CallOpInterface) and isinstance(owner.value, OpResult):
                made = self._elsewhere.of_call(op, owner.value.index)
                waiting += [(owner, maker) for maker in made]
        while waiting:
            owner, op = waiting.pop()
            kinds = found.setdefault(owner, {})
            if op.name not in kinds:
                kinds[op.name] = op
                waiting += [(fed, op) for fed in self._feeds.get(owner, ())]
        return found

    def free(self, owner: BufferOwner, builder: Builder) -> None:
        """Free the buffer of `owner`.

        Raises:
            PassFailed: it may come from allocations that are freed by different operations.
        """
        value = owner.value
        if owner in self._partial and _has_base(value.type):
            value = base_buffer(builder, value)
        cause = Cause(CauseKind.FREED, _maker(owner.value), None, owner.value)
        ways = {makers.freed_by(maker, value): maker for maker in self._makers.get(owner, {}).values()}
        ways.pop(None, None)
        if len(ways) > 1:
            problem = error("this may hold buffers that different operations free", _span(owner))
            for maker in ways.values():
                problem.attach("it may be this", maker.name_span)
            raise PassFailed(problem)
        builder.insert(makers.free(value, cause, next(iter(ways.values()), None)))

    def clone(self, returned: Returned, builder: Builder) -> Value:
        """A copy of a returned buffer, by the kind of operation that allocated it, if there is only one.

        Raises:
            PassFailed: other buffers that the function returns are freed differently from the copy.
        """
        use = returned.use
        function = self._holders.flow.function
        known = list(self._makers.get(returned.owner, {}).values()) if returned.owner is not None else []
        others = (
            self._elsewhere.of_function(function, use.index) if isinstance(function, FunctionLikeOp) else []
        )
        known = known or others
        cause = Cause(CauseKind.NOT_OWNED, use.owner, use.index, use.value)
        made = makers.clone(use.value, cause, known[0] if len(known) == 1 else None)
        way = makers.freed_by(made, made.results[0])
        for maker in others:
            if makers.freed_by(maker, maker.results[0]) not in (way, None):
                problem = error(
                    f"the returned buffer must be copied, and a copy by '{made.name}' is freed by '{way}'",
                    use.owner.name_span,
                )
                problem.attach("this buffer is returned too, and freed by another operation", maker.name_span)
                raise PassFailed(problem)
        return builder.insert(made).the_result

    def free_if(self, condition: Value, owner: BufferOwner, builder: Builder) -> None:
        """Free the buffer of `owner` under a condition."""
        _, then, _ = bufferization_lower_deallocations.choose(builder, condition)
        self.free(owner, then)


def _has_base(type: t.Type) -> bool:
    """Whether the base of a memref can be extracted, which requires a strided layout."""
    return not isinstance(type, t.MemRefType) or type.strides_and_offset() is not None


def _span(owner: BufferOwner) -> Span | None:
    op = owner.value.defining_op or owner.home.block.parent_op
    return op.name_span if op is not None else None


def _is_whole(value: Value, owner: BufferOwner) -> bool:
    """Whether only casts are between a value and that of its owner. The result of a call may be a view of an argument."""
    op = value.defining_op
    while isinstance(op, ViewLikeOp) and value is op.results[0]:
        if not isinstance(op, memref.CastOp):
            return strip_views(value) is value
        value = op.view_source()
        op = value.defining_op
    return value is owner.value


def _maker(value: Value) -> Operation:
    """The operation that defines a value, or contains the block of a block argument."""
    op = value.defining_op
    if op is None:
        block = value.parent_block
        assert block is not None and block.parent_op is not None
        op = block.parent_op
    return op


LAST_USE, BLOCK_END = "last-use", "block-end"


class BufferDeallocationStatic(Pass):
    """Free every buffer after its last use.

        cf.cond_br %c, ^left, ^join(%a : memref<4xf32>)
      ^left:
        %n = memref.alloc() : memref<4xf32>
        cf.br ^join(%n : memref<4xf32>)
      ^join(%m: memref<4xf32>):
        "use"(%m)
        return
     =>
        cf.cond_br %c, ^left, ^join(%a, %false : memref<4xf32>, i1)
      ^left:
        %n = memref.alloc() : memref<4xf32>
        cf.br ^join(%n, %true : memref<4xf32>, i1)
      ^join(%m: memref<4xf32>, %owned: i1):
        "use"(%m)
        scf.if %owned { memref.dealloc %m }
        return

    Works on any control flow: structured operations, reducible and irreducible loops of blocks, blocks
    without exit. It takes existing deallocations into account, so running the pass again changes nothing. A
    flag is added only for buffers that are owned on some paths and not on others. A public function copies
    results that it does not own.
    """

    name = "buffer-deallocation-static"
    summary = "free every buffer as early as possible, in any control flow"

    free_at = choice("free-at", (LAST_USE, BLOCK_END), LAST_USE, "where in a block buffers are freed")

    is_on_trial = False
    """Whether FREES_ARE_PLACED is not needed; finding out takes half of the time."""

    def run(self, op: Operation, context: Context) -> None:
        contracts = Contracts(SymbolTables(), op)
        contracts.check()
        context.count(self.name, "flags", add_flags(contracts))
        makers = Makers(contracts)
        for function in [inner for inner in op.walk() if isinstance(inner, func.FuncOp)]:
            if function.is_declaration or function.get_attr(FREES_ARE_PLACED) is not None:
                continue
            check_ends_of_blocks(function)
            work = freeing_work(function, contracts)
            if work is None:
                continue
            self._carry_out(function, work, contracts, makers, context)
            contracts.unsettled -= {(function, i) for i in range(len(function.function_type.results))}
            if work.at_run_time and not self.is_on_trial and _has_work(function, contracts):
                function.set_attr(FREES_ARE_PLACED, a.UNIT)

    def _carry_out(
        self,
        function: FunctionLikeOp,
        work: FreeingWork,
        contracts: Contracts,
        makers: Makers,
        context: Context,
    ) -> None:
        travel = Travel(function, work.equations, work.plan.carried_flags)
        formulas = travel.formulas
        context.count(self.name, "flags", travel.carry(work.formulas))
        places = Places(self.free_at == BLOCK_END)
        frees = Frees(work.owners, makers)

        def write(chosen: list[tuple[FreePoint, int]]) -> None:
            for free, formula in chosen:
                builder = places.builder(free)
                otherwise = _other_way(free, formula, work.equations)
                if otherwise is not None:
                    frees.free(free.owner, otherwise)
                elif formula == TRUE:
                    frees.free(free.owner, builder)
                else:
                    frees.free_if(formulas.write(formula, builder), free.owner, builder)
                context.count(self.name, "frees")

        # at returns, copy returned buffers before freeing the buffers that they may be copies of
        write([entry for entry in work.frees if not _is_at_end(entry[0])])
        for returned, formula in work.copies:
            before = returned.use.value
            _copy(returned, formula, formulas, frees)
            _return_again(returned.use, before, function, contracts)
            context.count(self.name, "clones")
        write([entry for entry in work.frees if _is_at_end(entry[0])])
        for returned, formula in work.returned_flags:
            use = returned.use
            ownership_transfer = contracts.of_own_result(function, use.index)
            settle(use.owner, ownership_transfer.flag, formulas.write(formula, Builder.before(use.owner)))
        for guard, formula in work.guards:
            if formula == FALSE:
                guard.op.erase()
                continue
            _, then, _ = bufferization_lower_deallocations.choose(
                Builder.before(guard.op), formulas.write(formula, Builder.before(guard.op))
            )
            guard.op.detach()
            then.insert(guard.op)


def on_trial() -> BufferDeallocationStatic:
    """The pass for a program whose clones are counted, and that is not deallocated again."""
    found = BufferDeallocationStatic()
    found.is_on_trial = True
    return found


class FreeingWork:
    """The remaining work in a function: frees, guards around deallocations, and copies, each with its formula."""

    def __init__(self, owners: BufferOwners, equations: Equations, plan: FreeingPlan) -> None:
        value = equations.value_in
        self.owners = owners
        self.equations = equations
        self.plan = plan
        frees = [(free, value(free.condition, free.ebb, free.path_condition)) for free in plan.frees]
        self.frees = _before_ends([(free, formula) for free, formula in frees if formula != FALSE], equations)
        # an operation with results reads the buffer that it frees, so it must exist; a call has other effects
        freeing = [g for g in plan.guards if not g.op.results and not isinstance(g.op, CallOpInterface)]
        guards = [(g, value(g.condition, g.ebb, g.path_condition)) for g in freeing]
        self.guards = [(guard, formula) for guard, formula in guards if formula != TRUE]
        copies = [(returned, value(returned.condition, returned.ebb)) for returned in plan.returned]
        self.copies = [(returned, formula) for returned, formula in copies if formula != TRUE]
        self.returned_flags = [(r, value(r.flag, r.ebb)) for r in plan.returned if r.flag is not None]

    @property
    def formulas(self) -> list[int]:
        return [formula for _, formula in [*self.frees, *self.guards, *self.copies, *self.returned_flags]]

    @property
    def is_any(self) -> bool:
        return bool(self.frees or self.guards or self.copies)

    @property
    def at_run_time(self) -> bool:
        """Whether some formula must be evaluated at run time."""
        return any(formula > 1 for formula in self.formulas)


def _has_work(function: FunctionLikeOp, contracts: Contracts) -> bool:
    """Whether the pass would change the function, or cannot tell."""
    try:
        work = _work_of(function, contracts)
    except TooManyNodes:
        return True
    return work is not None and work.is_any


def freeing_work(function: FunctionLikeOp, contracts: Contracts) -> FreeingWork | None:
    """The work for one function; None if it has no buffers. Raises PassFailed."""
    try:
        return _work_of(function, contracts)
    except TooManyNodes:
        problem = error(
            "who owns the buffers of this function depends on too many conditions", function.name_span
        )
        problem.help("free them by -buffer-deallocation-pipeline, which keeps ownership in flags")
        raise PassFailed(problem, operation=function) from None


def _work_of(function: FunctionLikeOp, contracts: Contracts) -> FreeingWork | None:
    flow = ExtendedBlockGraph(function)
    owners = BufferOwners(flow, contracts)
    if not owners.all and not any(
        isinstance(end, func.ReturnOp) and any(is_buffer(v) for v in end.operands)
        for end in (s.last for s in flow.ebbs)
    ):
        return None
    elaboration = Elaboration(flow, owners, Needed(flow, owners), Flags())
    equations = Equations(elaboration)
    _check_freed_once(elaboration.plan, equations)
    return FreeingWork(owners, equations, elaboration.plan)


def _other_way(free: FreePoint, formula: int, equations: Equations) -> Builder | None:
    """The `else` of a freeing `scf.if` as insertion point, for a free under the negated condition right after it; or None."""
    if free.edge is not None or free.after is None or free.after < 0 or formula <= 1:
        return None
    op = free.ebb.ops[free.after]
    if (
        op.regions
        and guarded_frees(op)
        and equations.condition(op.operands[0]) == equations.flags.negated(formula)
    ):
        return Builder.before(add_otherwise(op))
    return None


def _is_at_end(free: FreePoint) -> bool:
    ebb = free.ebb
    return free.edge is None and free.after == len(ebb.ops) - 1 and not ebb.leaving


def _copy(returned: Returned, formula: int, formulas: Formulas, frees: Frees) -> None:
    """Return a copy if the returned buffer is not owned."""
    use = returned.use
    builder = Builder.before(use.owner)
    if formula == FALSE:
        use.value = frees.clone(returned, builder)
        return
    owned = formulas.write(formula, builder)
    op, then, otherwise = bufferization_lower_deallocations.choose(builder, owned, [use.value.type])
    bufferization_lower_deallocations.yields(then, [use.value])
    bufferization_lower_deallocations.yields(otherwise, [frees.clone(returned, otherwise)])
    use.value = op.the_result


def _return_again(use: OpOperand, before: Value, function: FunctionLikeOp, contracts: Contracts) -> None:
    """Return the copy for all results with the same buffer, as callers assume that these are equal."""
    for other in use.owner.op_operands:
        if other.value is before and use.index in contracts.of_own_result(function, other.index).results:
            other.value = use.value


def _before_ends(wanted: list[tuple[FreePoint, int]], equations: Equations) -> list[tuple[FreePoint, int]]:
    """Free buffers that are not visible after a region before its terminator, once for all exits."""
    kept: list[tuple[FreePoint, int]] = []
    inner: dict[tuple[ExtendedBlock, BufferOwner], list[tuple[FreePoint, int]]] = {}
    for free, formula in wanted:
        edge = free.edge
        if (
            edge is None
            or len(edge.source.leaving) == 1
            or edge.successor is not None
            or (
                equations.is_visible(formula, edge.target)
                and equations.can_use(free.owner.value, edge.target)
            )
        ):
            kept.append((free, formula))
        else:
            inner.setdefault((edge.source, free.owner), []).append((free, formula))
    for (source, _), frees in inner.items():
        everywhere = frees[0][1]
        for _, formula in frees:
            everywhere = equations.flags.both(everywhere, formula)
        if len(frees) == len(source.leaving):
            first = frees[0][0]
            first.edge, first.after = None, len(source.ops) - 1
            kept.append((first, everywhere))
    return kept


def _check_freed_once(plan: FreeingPlan, equations: Equations) -> None:
    """Raises PassFailed if a deallocation of the program always frees a buffer that another one freed on every path to it.

    One that never frees anything for other reasons, for example on an infeasible path, gets a guard.
    """
    for guard in plan.guards:
        if equations.value_in(guard.condition, guard.ebb, guard.path_condition) == FALSE:
            others = _always_before(guard, plan.guards)
            if others:
                problem = error("this buffer is freed twice", guard.op.name_span)
                problem.attach("it is freed here already", others[0].op.name_span)
                for other in others[1:]:
                    problem.attach("or here, on another path", other.op.name_span)
                raise PassFailed(problem, operation=guard.op)


def _always_before(guard: Guard, guards: list[Guard]) -> list[Guard]:
    """Deallocations of the same owner, one of which is on every path from its definition to `guard`. O(extended blocks)."""
    here: dict[ExtendedBlock, Guard] = {}
    for other in guards:
        if other.owner is guard.owner and other.path_condition == TRUE and other.op is not guard.op:
            if other.ebb is guard.ebb and other.at < guard.at:
                return [other]
            here[other.ebb] = other
    found: dict[Operation, Guard] = {}
    seen: set[ExtendedBlock] = set()
    waiting = [guard.ebb]
    while waiting:
        at = waiting.pop()
        if at is guard.owner.home:
            return []
        for edge in at.arriving:
            source = edge.source
            if source in here:
                found[here[source].op] = here[source]
            elif source not in seen:
                seen.add(source)
                waiting.append(source)
    return list(found.values())


def check_ends_of_blocks(function: FunctionLikeOp) -> None:
    """Reject unknown terminators that may forward buffers to unknown receivers.

    Raises:
        PassFailed: there is one; facts (`forwards`) can describe what it forwards.
    """
    for op in function.walk():
        if op.is_registered or op.next_op is not None or isinstance(op, BranchOp):
            continue
        leaves = op.parent_op is function
        passed = any(is_buffer(arg) for block in op.successors for arg in block.args)
        if passed or ((leaves or op.successors) and any(map(is_buffer, op.operands))):
            problem = error("which buffers this operation forwards is not known", op.name_span)
            problem.attach(
                f'state it in a facts file (--models): forwards("{op.name}", operand, successor)',
                op.name_span,
            )
            raise PassFailed(problem, operation=op)
