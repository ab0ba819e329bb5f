"""Drop elaboration: one symbolic run of a function whose states are Boolean formulas over branch conditions.

The state of an owner is the formula of whether it owns its buffer. The rules:

  R1  A root owns its buffer from its definition on. A choice borrows, and owns nothing. A call result with an ownership flag
      owns its buffer if the flag is true.
  R2  At the end of an owner's live range, its ownership transfers to a live owner of the same buffer: an input that the edge
      forwards it to (a *move*), or one that borrowed it before. Otherwise its buffer is freed.
  R3  An owner that is forwarded and stays live keeps its ownership: the input *borrows*.
  R4  A buffer that the program frees, or that escapes, is no longer owned by any owner.
  R5  Returning a buffer transfers ownership to the caller; a buffer that the function does not own is copied, unless a flag
      tells the caller.

So every buffer is freed as soon as all its names are dead, and has one owner at a time. Each extended block runs once. The state
of an owner that may differ between its incoming edges is a variable (`CarriedFlag`) with one formula per edge; `equations`
finds which of these are constants or copies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...dialects import arith, memref
from ...ir.program import traits as tr
from ...ir.program.core import Operation, OpResult, Value
from ...ir.program.interfaces import Condition, FunctionOp
from ...ir.source.diagnostics import present
from ...ir.types import attributes as a, types as t
from ..fixpoint import members, needed_first
from ..origins import is_buffer
from .contracts import Gives
from .flags import FALSE, TRUE, Flags
from .flow import CfgEdge, ExtendedBlock, ExtendedBlockGraph
from .needed import Needed
from .outcomes import CarriedFlag, FreeingPlan, FreePoint, Guard, Handed, Returned
from .owners import Action, BufferOwner, BufferOwners, OwnerKind

State = dict[BufferOwner, int]


class Crossing:
    """The ownership states after an edge: of the inputs, and of other live owners."""

    __slots__ = ("births", "path_condition", "updates")

    def __init__(self, path_condition: int) -> None:
        self.path_condition = path_condition
        self.births: State = {}
        self.updates: State = {}


class Elaboration:
    """The ownership states of one function. Near-linear in operations, edges, and ends of live ranges."""

    def __init__(self, flow: ExtendedBlockGraph, owners: BufferOwners, needed: Needed, flags: Flags) -> None:
        self.flow = flow
        self.owners = owners
        self.needed = needed
        self.flags = flags
        self.plan = FreeingPlan()
        self._changing: set[BufferOwner] = set()
        for actions in (owners.frees, owners.keeps):
            for found in actions.values():
                for action in found:
                    self._changing.update(owners.possible(action.value))
        self._left = {
            owner
            for found in owners.keeps.values()
            for action in found
            for owner in owners.possible(action.value)
        }
        self._conditions: dict[Value, int] = {}
        self._pairs: dict[frozenset[Value], tuple[Value, Value]] = {}
        self._final: dict[ExtendedBlock, State] = {}
        self._crossings: dict[CfgEdge, Crossing] = {}
        self._waiting: list[CarriedFlag] = []
        for ebb in flow.ebbs:
            self._final[ebb] = self._run(ebb)
        for ebb in flow.ebbs:
            for edge in ebb.leaving:
                self._crossings[edge] = self._cross(edge)
        while self._waiting:
            self._define(self._waiting.pop())

    # -- formulas

    def condition(self, value: Value) -> int:
        """The formula of an `i1`, through logical operations. O(operations), cached."""
        known = self._conditions
        for at in needed_first(value, known, _parts_of_logic):
            known[at] = self._logic(at.defining_op, [known[part] for part in _parts_of_logic(at)], at)
        return known[value]

    def _logic(self, op: Operation | None, parts: list[int], value: Value) -> int:
        flags = self.flags
        if isinstance(op, arith.AndIOp) and parts:
            return flags.both(*parts)
        if isinstance(op, arith.OrIOp) and parts:
            return flags.either(*parts)
        if isinstance(op, arith.XOrIOp) and parts:
            return flags.choose(parts[0], flags.negated(parts[1]), parts[1])
        if isinstance(op, arith.SelectOp) and parts:
            return flags.choose(*parts)
        if isinstance(op, arith.CmpIOp):
            compared = _compared_addresses(op)
            if compared is not None:
                return self._address(*compared)
        if op is not None and op.has_trait(tr.CONSTANT_LIKE):
            constant = op.get_attr("value")
            if isinstance(constant, a.IntegerAttr):
                return TRUE if constant.value else FALSE
        return flags.variable(value)

    def path_condition(self, condition: Condition | None) -> int:
        """The formula of the condition of an edge; true if that is not an `i1`."""
        if condition is None or condition.value.type is not t.I1:
            return TRUE
        formula = self.condition(condition.value)
        return formula if condition.wanted == "true" else self.flags.negated(formula)

    def owned_at_start(self, owner: BufferOwner, ebb: ExtendedBlock) -> int:
        """The state of an owner at the start of an extended block."""
        if owner.kind is OwnerKind.INPUT and owner.home is ebb:
            return self._carried_flags(ebb, owner)
        if owner not in self._changing and not (owner.bit >= 0 and self.needed.meets[owner.bit]):
            if owner.kind is OwnerKind.ROOT or owner.flag is not None:
                return self._at_definition(owner)
            return self._carried_flags(owner.home, owner)
        return self._carried_flags(ebb, owner)

    def _at_definition(self, owner: BufferOwner) -> int:
        """R1."""
        if owner.flag is not None:
            flag = owner.flag
            return self.flags.variable(flag) if isinstance(flag, tuple) else self.condition(flag)
        return TRUE if owner.kind is OwnerKind.ROOT else FALSE

    def _carried_flags(self, ebb: ExtendedBlock, owner: BufferOwner, other: BufferOwner | None = None) -> int:
        name = ("own" if other is None else "same", ebb, owner, other)
        if name not in self.plan.carried_flags:
            found = self.plan.carried_flags[name] = CarriedFlag(name, ebb, owner, other)
            self._waiting.append(found)
        return self.flags.variable(name)

    def _define(self, variable: CarriedFlag) -> None:
        ebb, owner, other = variable.ebb, variable.owner, variable.other
        assert owner is not None
        for edge in ebb.arriving:
            crossing = self._crossings[edge]
            if other is not None:
                values = dict(edge.passed)
                one = values.get(owner.value)
                two = values.get(other.value, other.value) if other.home is ebb else other.value
                formula = FALSE if one is None else self.same_values(one, two)
            elif owner.home is ebb and owner.kind is OwnerKind.INPUT:
                formula = crossing.births.get(owner, FALSE)
            else:
                formula = crossing.updates.get(owner, -1)
                if formula < 0:
                    formula = self._at_end(owner, edge.source)
            variable.ways.append((edge, formula, crossing.path_condition))

    def _at_end(self, owner: BufferOwner, ebb: ExtendedBlock) -> int:
        found = self._final[ebb].get(owner)
        return self.owned_at_start(owner, ebb) if found is None else found

    def same(self, one: BufferOwner, other: BufferOwner) -> int:
        """The formula of whether two owners are one buffer, by the definition of the later one."""
        if one is other:
            return TRUE
        if min(one.bit, other.bit) < 0 or not self.needed.meets[one.bit] >> other.bit & 1:
            return FALSE
        later, earlier = (one, other) if one.order > other.order else (other, one)
        if one.order == other.order:
            later, earlier = (one, other) if one.bit > other.bit else (other, one)
        if later.kind is OwnerKind.INPUT:
            return self._carried_flags(later.home, later, earlier)
        if later.kind is OwnerKind.CHOICE:
            assert isinstance(later.value, OpResult)
            if later.flag is not None:
                borrowed = (
                    self.same_values(later.sources[0], earlier.value)
                    if later.is_exact
                    else self._address(later.value, earlier.value)
                )
                return self.flags.without(borrowed, self._at_definition(later))
            if not isinstance(later.value.owner, arith.SelectOp):
                return self._address(later.value, earlier.value)
            condition, left, right = later.value.owner.operands
            return self.flags.choose(
                self.condition(condition),
                self.same_values(left, earlier.value),
                self.same_values(right, earlier.value),
            )
        return FALSE

    def same_values(self, one: Value, other: Value) -> int:
        """The formula of whether two memrefs view one owned buffer."""
        left, right = self.owners.possible(one), self.owners.possible(other)
        if not left or not right:
            return FALSE
        known = self.owners.of(one), self.owners.of(other)
        if known[0] is not None and known[1] is not None:
            return self.same(known[0], known[1])
        if not self._may_share(left, right):
            return FALSE
        return TRUE if one is other else self._address(one, other)

    def _near(self, value: Value) -> Iterator[BufferOwner]:
        """The owners that a memref may view, and those that may be one buffer with these."""
        reach = 0
        for owner in self.owners.possible(value):
            yield owner
            reach |= self.needed.meets[owner.bit] if owner.bit >= 0 else 0
        yield from map(self.needed.numbered.__getitem__, members(reach))

    def _may_share(self, left: tuple[BufferOwner, ...], right: tuple[BufferOwner, ...]) -> bool:
        reach = 0
        for owner in left:
            reach |= self.needed.bit(owner) | (self.needed.meets[owner.bit] if owner.bit >= 0 else 0)
        return any(reach & self.needed.bit(owner) for owner in right) or bool(set(left) & set(right))

    def _address(self, one: Value, other: Value) -> int:
        """A variable that stands for a run-time comparison of addresses."""
        pair = self._pairs.setdefault(frozenset((one, other)), (one, other))
        return self.flags.variable(("address", *pair))

    # -- extended blocks

    def _run(self, ebb: ExtendedBlock) -> State:
        state: State = {}
        final = len(ebb.ops) - 1
        returns = final >= 0 and not ebb.leaving and isinstance(ebb.block.parent_op, FunctionOp)
        touched, dying, live = self._ends(ebb)
        if returns and final not in touched:
            touched[final], live[final] = {}, 0  # all returned buffers may be borrowed
        frees: dict[int, list[Action]] = {}
        keeps: dict[int, list[Action]] = {}
        for found, actions in ((frees, self.owners.frees), (keeps, self.owners.keeps)):
            for action in actions.get(ebb, ()):
                found.setdefault(action.at, []).append(action)
        for at in sorted(touched):
            for action in frees.get(at, ()):
                self._freed(action, ebb, state, live[at])
            for action in keeps.get(at, ()):
                self._released(action.value, ebb, state, live[at])
            for owner in touched[at]:
                if owner.home is ebb and owner.at == at and owner.kind is not OwnerKind.INPUT:
                    state[owner] = self._at_definition(owner)
            if at == final and returns:
                self._return(ebb, state, list(touched[at]))
            for owner in dying.get(at, ()):
                self._end(owner, ebb, at, state, live[at])
        return state

    def _ends(
        self, ebb: ExtendedBlock
    ) -> tuple[dict[int, dict[BufferOwner, None]], dict[int, list[BufferOwner]], dict[int, int]]:
        """By index of an operation: the owners it uses, those whose live range ends after it, and those live after it."""
        needed = self.needed
        touched: dict[int, dict[BufferOwner, None]] = {}
        for at, used in self.owners.uses.get(ebb, ()):
            touched.setdefault(at, {}).update(dict.fromkeys(used))
        for owner in self.owners.made.get(ebb, ()):
            touched.setdefault(owner.at, {})[owner] = None
        for number in members(needed.held_at_start(ebb)):
            touched.setdefault(-1, {})[needed.numbered[number]] = None
        dying: dict[int, list[BufferOwner]] = {}
        after: dict[int, int] = {}
        now = needed.at_end[ebb]
        seen: set[BufferOwner] = set()
        for at in sorted(touched, reverse=True):
            after[at] = now
            here = touched[at]
            for owner in here:
                if owner not in seen:
                    seen.add(owner)
                    if not now & needed.bit(owner):
                        dying.setdefault(at, []).append(owner)
            for owner in here:
                if owner.home is ebb and owner.at == at:
                    now &= ~needed.bit(owner)
            for owner in here:
                if not (owner.home is ebb and owner.at == at):
                    now |= needed.bit(owner)
        return touched, dying, after

    def _get(self, owner: BufferOwner, ebb: ExtendedBlock, state: State) -> int:
        found = state.get(owner)
        if found is None:
            found = state[owner] = self.owned_at_start(owner, ebb)
        return found

    def _end(self, owner: BufferOwner, ebb: ExtendedBlock, at: int, state: State, live: int) -> None:
        """R2 inside an extended block."""
        rest = self._get(owner, ebb, state)
        if rest and owner.bit >= 0:
            for number in members(self.needed.meets[owner.bit] & live):
                other = self.needed.numbered[number]
                same = self.same(owner, other) if self._can_transfer(owner, other) else FALSE
                moved = self.flags.both(rest, same)
                if moved:
                    state[other] = self.flags.either(self._get(other, ebb, state), moved)
                    self.plan.handed.append(Handed(owner, other, moved, True, ebb, at))
                    rest = self.flags.without(rest, same)
                    if not rest:
                        break
        state[owner] = FALSE
        if rest:
            self.plan.frees.append(FreePoint(owner, rest, ebb, at))

    def _can_transfer(self, source: BufferOwner, target: BufferOwner) -> bool:
        """Whether ownership can transfer from one to the other: not out of a closed operation, which owns only new buffers."""
        return not self.flow.any_closed or (
            self.flow.closed_around(source.home.block, target.home.block) is None
        )

    def _possible_owners(self, value: Value, live: int) -> list[BufferOwner]:
        """The owners among `live` that may own the buffer of `value`."""
        found = dict.fromkeys(self.owners.possible(value))
        for owner in list(found):
            if owner.bit >= 0:
                for number in members(self.needed.meets[owner.bit] & live):
                    found[self.needed.numbered[number]] = None
        return list(found)

    def _released(
        self, value: Value, ebb: ExtendedBlock, state: State, live: int, condition: int = TRUE
    ) -> int:
        """R4: remove ownership of the buffer of `value` under `condition`. Returns the formula of whether it was owned."""
        owned = FALSE
        for name in self._possible_owners(value, live):
            before = self._get(name, ebb, state)
            if not before:
                continue
            same = TRUE if not is_buffer(value) else self.same_values(value, name.value)
            owned = self.flags.either(owned, self.flags.both(before, same))
            state[name] = self.flags.without(before, self.flags.both(condition, same))
        return owned

    def _freed(self, action: Action, ebb: ExtendedBlock, state: State, live: int) -> None:
        path = TRUE
        for condition in action.conditions:
            path = self.flags.both(path, self.condition(condition))
        owned = self._released(action.value, ebb, state, live, path)
        one = self.owners.of(action.value)
        if (
            one is not None and not one.foreign and one not in self._left
        ):  # whose freeing is left to the program
            self.plan.guards.append(Guard(action.op, one, owned, ebb, action.at, path))

    def _return(self, ebb: ExtendedBlock, state: State, names: list[BufferOwner]) -> None:
        """R5."""
        last = present(ebb.last)
        viewing: dict[BufferOwner, list[int]] = {}
        for i, name in enumerate(names):
            for owner in self.owners.possible(name.value):
                viewing.setdefault(owner, []).append(i)
        for use in last.op_operands:
            ownership_transfer = self.owners.gives(use.index)
            if not is_buffer(use.value) or ownership_transfer.kind is Gives.PASSED:
                continue
            owned, transfers = FALSE, TRUE
            if ownership_transfer.kind is Gives.FLAGGED and ownership_transfer.flag >= 0:
                transfers = self.condition(last.operands[ownership_transfer.flag])
            near = {i for owner in self._near(use.value) for i in viewing.get(owner, ())}
            for name in map(names.__getitem__, sorted(near)):
                same = self.same_values(use.value, name.value)
                before = self._get(name, ebb, state) if same else FALSE
                if before:
                    owned = self.flags.either(owned, self.flags.both(before, same))
                    state[name] = self.flags.without(before, self.flags.both(same, transfers))
            returned = Returned(use, self.owners.of(use.value), owned, ebb)
            if ownership_transfer.kind is Gives.FLAGGED:
                returned.flag = owned if ownership_transfer.flag < 0 else None
                returned.condition = (
                    TRUE
                    if ownership_transfer.flag < 0
                    else self.flags.either(owned, self.flags.negated(transfers))
                )
            self.plan.returned.append(returned)

    # -- edges

    def _cross(self, edge: CfgEdge) -> Crossing:
        """R2 and R3 on an edge."""
        needed, flags, ebb = self.needed, self.flags, edge.source
        crossing = Crossing(self.path_condition(edge.condition))
        passed = [
            (target, value)
            for argument, value in edge.passed
            if (target := self.owners.of(argument)) is not None and self.owners.possible(value)
        ]
        by_owner: dict[BufferOwner, list[tuple[BufferOwner, Value]]] = {}
        for target, value in passed:
            for owner in self.owners.possible(value):
                by_owner.setdefault(owner, []).append((target, value))
        after = needed.after_edge(edge)
        for owner in by_owner:
            if needed.bit(owner) & after:
                for target, _ in by_owner[owner]:
                    self.plan.handed.append(Handed(owner, target, TRUE, False, ebb, None, edge))
        for number in members(needed.at_end[ebb] & ~after):
            owner = needed.numbered[number]
            rest = flags.restricted(self._at_end(owner, ebb), crossing.path_condition)
            if not rest:
                continue
            meets = needed.meets[number]
            direct = by_owner.get(owner, [])
            for target, value in direct:
                rest = self._transfer(
                    owner, target, rest, self.same_values(value, owner.value), crossing.births, edge
                )
            for other in members(meets & after) if rest else ():
                name = needed.numbered[other]
                if name not in crossing.updates:
                    crossing.updates[name] = self._at_end(name, ebb)
                rest = self._transfer(owner, name, rest, self.same(owner, name), crossing.updates, edge)
                if not rest:
                    break
            for target, value in passed if rest and meets else ():
                if (target, value) not in direct and rest:
                    same = self.same_values(value, owner.value)
                    rest = self._transfer(owner, target, rest, same, crossing.births, edge)
            if rest:
                self.plan.frees.append(FreePoint(owner, rest, ebb, None, edge, crossing.path_condition))
        return crossing

    def _transfer(
        self, source: BufferOwner, target: BufferOwner, rest: int, same: int, owned: State, edge: CfgEdge
    ) -> int:
        """Transfer ownership as far as both are the same buffer. Returns the remaining ownership of the source."""
        moved = self.flags.both(rest, same)
        if not moved or not self._can_transfer(source, target):
            return rest
        owned[target] = self.flags.either(owned.get(target, FALSE), moved)
        self.plan.handed.append(Handed(source, target, moved, True, edge.source, None, edge))
        return self.flags.without(rest, same)


def _parts_of_logic(value: Value) -> Sequence[Value]:
    """The operands of the logical operation that computes an `i1`, if there is one."""
    op = value.defining_op
    is_logic = isinstance(op, (arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.SelectOp))
    return op.operands if is_logic and op.results[0].type is t.I1 else ()


def _compared_addresses(op: arith.CmpIOp) -> tuple[Value, Value] | None:
    """The memrefs whose addresses an operation compares for equality, or None."""
    if op.predicate.value != arith.INTEGER_PREDICATES.index("eq"):
        return None
    sides = [operand.defining_op for operand in op.operands]
    if not all(isinstance(side, memref.ExtractAlignedPointerAsIndexOp) for side in sides):
        return None
    one, other = (side.operands[0] for side in sides if side is not None)
    return one, other
