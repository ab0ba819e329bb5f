"""Running a function once with formulas for states: who owns each buffer at each point.

The state of a holder is a formula that says whether it owns its buffer. The rules:

  R1  A root owns from the start. A choice owns nothing: it is lent what it is chosen from. What a call gives that tells owns
      what it is told.
  R2  Where a holder is needed no more, what it owns goes to a holder that is the same buffer and is still needed: an input
      that gets it on this passage (a *move*), or one that it was lent to before. The rest is freed there.
  R3  A holder that is passed on and needed further keeps what it owns: it *lends*.
  R4  What the program frees, or keeps out of sight, is owned no more, by whichever name.
  R5  A function gives away what it returns; what it does not own it has to copy, unless it can tell.

So every buffer is freed as soon as no name for it is needed, and its ownership is in one place at a time. A stretch is run
once. At its start the state of a holder that may have changed on the way is a variable (`CarriedFlag`) with one formula for
each passage; which of these are constants, and which are one another, is found afterwards (`equations`).
"""

from __future__ import annotations

from ...dialects import arith, memref
from ...ir.program import traits as tr
from ...ir.program.core import Operation, OpResult, Value
from ...ir.program.interfaces import Condition, FunctionOp
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..origins import is_buffer
from .contracts import Gives
from .flags import FALSE, TRUE, Flags
from .flow import CfgEdge, ExtendedBlock, ExtendedBlockGraph
from .needed import Needed, members
from .outcomes import CarriedFlag, FreeingPlan, FreePoint, Guard, Handed, Returned
from .owners import Action, BufferOwner, BufferOwners, OwnerKind

State = dict[BufferOwner, int]


class Crossing:
    """What happens on a passage: what its inputs come to own, and what holders needed further are handed."""

    __slots__ = ("births", "given", "updates")

    def __init__(self, given: int) -> None:
        self.given = given
        self.births: State = {}
        self.updates: State = {}


class Elaboration:
    """The states of one function. Near-linear in operations, passages, and holders that end or change somewhere."""

    def __init__(self, flow: ExtendedBlockGraph, holders: BufferOwners, needed: Needed, flags: Flags) -> None:
        self.flow = flow
        self.holders = holders
        self.needed = needed
        self.flags = flags
        self.plan = FreeingPlan()
        self._changing: set[BufferOwner] = set()
        for actions in (holders.frees, holders.keeps):
            for found in actions.values():
                for action in found:
                    self._changing.update(holders.possible(action.value))
        self._conditions: dict[Value, int] = {}
        self._pairs: dict[frozenset[Value], tuple[Value, Value]] = {}
        self._final: dict[ExtendedBlock, State] = {}
        self._crossings: dict[CfgEdge, Crossing] = {}
        self._waiting: list[CarriedFlag] = []
        for stretch in flow.stretches:
            self._final[stretch] = self._run(stretch)
        for stretch in flow.stretches:
            for passage in stretch.leaving:
                self._crossings[passage] = self._cross(passage)
        while self._waiting:
            self._define(self._waiting.pop())

    # -- formulas

    def condition(self, value: Value) -> int:
        """The formula of an `i1`, seen through operations on flags. O(operations), remembered."""
        known = self._conditions
        stack = [value]
        while stack:
            at = stack[-1]
            if at in known:
                stack.pop()
                continue
            op = at.defining_op
            parts = list(op.operands) if op is not None and _is_logic(op) else []
            missing = [part for part in parts if part not in known]
            if missing:
                stack += missing
                continue
            known[at] = self._logic(op, [known[part] for part in parts], at)
            stack.pop()
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

    def given(self, condition: Condition | None) -> int:
        """The formula of what leads to a passage; true if that is not a flag."""
        if condition is None or condition.value.type is not t.I1:
            return TRUE
        formula = self.condition(condition.value)
        return formula if condition.wanted == "true" else self.flags.negated(formula)

    def owned_at_start(self, holder: BufferOwner, stretch: ExtendedBlock) -> int:
        """What a holder owns where a stretch starts."""
        if holder.kind is OwnerKind.INPUT and holder.home is stretch:
            return self._travelling(stretch, holder)
        if holder not in self._changing and not (holder.bit >= 0 and self.needed.meets[holder.bit]):
            if holder.kind is OwnerKind.ROOT or holder.told is not None:
                return self._at_birth(holder)
            return self._travelling(holder.home, holder)
        return self._travelling(stretch, holder)

    def _at_birth(self, holder: BufferOwner) -> int:
        """R1."""
        if holder.told is not None:
            told = holder.told
            return self.flags.variable(told) if isinstance(told, tuple) else self.condition(told)
        return TRUE if holder.kind is OwnerKind.ROOT else FALSE

    def _travelling(
        self, stretch: ExtendedBlock, holder: BufferOwner, other: BufferOwner | None = None
    ) -> int:
        name = ("own" if other is None else "same", stretch, holder, other)
        if name not in self.plan.travelling:
            found = self.plan.travelling[name] = CarriedFlag(name, stretch, holder, other)
            self._waiting.append(found)
        return self.flags.variable(name)

    def _define(self, variable: CarriedFlag) -> None:
        stretch, holder, other = variable.stretch, variable.holder, variable.other
        assert holder is not None
        for passage in stretch.arriving:
            crossing = self._crossings[passage]
            if other is not None:
                values = dict(passage.passed)
                one = values.get(holder.value)
                two = values.get(other.value, other.value) if other.home is stretch else other.value
                formula = FALSE if one is None else self.same_values(one, two)
            elif holder.home is stretch and holder.kind is OwnerKind.INPUT:
                formula = crossing.births.get(holder, FALSE)
            else:
                formula = crossing.updates.get(holder, -1)
                if formula < 0:
                    formula = self._at_end(holder, passage.source)
            variable.ways.append((passage, formula, crossing.given))

    def _at_end(self, holder: BufferOwner, stretch: ExtendedBlock) -> int:
        found = self._final[stretch].get(holder)
        return self.owned_at_start(holder, stretch) if found is None else found

    def same(self, one: BufferOwner, other: BufferOwner) -> int:
        """Whether two holders are one buffer. The later one is seen as what it came from."""
        if one is other:
            return TRUE
        if min(one.bit, other.bit) < 0 or not self.needed.meets[one.bit] >> other.bit & 1:
            return FALSE
        later, earlier = (one, other) if one.order > other.order else (other, one)
        if one.order == other.order:
            later, earlier = (one, other) if one.bit > other.bit else (other, one)
        if later.kind is OwnerKind.INPUT:
            return self._travelling(later.home, later, earlier)
        if later.kind is OwnerKind.CHOICE:
            assert isinstance(later.value, OpResult)
            if later.told is not None:
                lent = (
                    self.same_values(later.sources[0], earlier.value)
                    if later.is_exact
                    else self._address(later.value, earlier.value)
                )
                return self.flags.without(lent, self._at_birth(later))
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
        """Whether two memrefs are of one buffer of ours."""
        left, right = self.holders.possible(one), self.holders.possible(other)
        if not left or not right:
            return FALSE
        known = self.holders.of(one), self.holders.of(other)
        if known[0] is not None and known[1] is not None:
            return self.same(known[0], known[1])
        if not self._may_share(left, right):
            return FALSE
        return TRUE if one is other else self._address(one, other)

    def _may_share(self, left: tuple[BufferOwner, ...], right: tuple[BufferOwner, ...]) -> bool:
        reach = 0
        for holder in left:
            reach |= self.needed.bit(holder) | (self.needed.meets[holder.bit] if holder.bit >= 0 else 0)
        return any(reach & self.needed.bit(holder) for holder in right) or bool(set(left) & set(right))

    def _address(self, one: Value, other: Value) -> int:
        """Decided by comparing addresses where it is asked."""
        pair = self._pairs.setdefault(frozenset((one, other)), (one, other))
        return self.flags.variable(("address", *pair))

    # -- stretches

    def _run(self, stretch: ExtendedBlock) -> State:
        state: State = {}
        final = len(stretch.ops) - 1
        returns = final >= 0 and not stretch.leaving and isinstance(stretch.block.parent_op, FunctionOp)
        touched, dying, live = self._ends(stretch)
        if returns and final not in touched:
            touched[final], live[final] = {}, 0  # what is returned may be all another's
        frees: dict[int, list[Action]] = {}
        keeps: dict[int, list[Action]] = {}
        for found, actions in ((frees, self.holders.frees), (keeps, self.holders.keeps)):
            for action in actions.get(stretch, ()):
                found.setdefault(action.at, []).append(action)
        for at in sorted(touched):
            for action in frees.get(at, ()):
                self._freed(action, stretch, state, live[at])
            for action in keeps.get(at, ()):
                self._taken(action.value, stretch, state, live[at])
            for holder in touched[at]:
                if holder.home is stretch and holder.at == at and holder.kind is not OwnerKind.INPUT:
                    state[holder] = self._at_birth(holder)
            if at == final and returns:
                self._return(stretch, state, list(touched[at]))
            for holder in dying.get(at, ()):
                self._end(holder, stretch, at, state, live[at])
        return state

    def _ends(
        self, stretch: ExtendedBlock
    ) -> tuple[dict[int, dict[BufferOwner, None]], dict[int, list[BufferOwner]], dict[int, int]]:
        """By number of operation: the holders it concerns, those needed no more behind it, what is needed there."""
        needed = self.needed
        touched: dict[int, dict[BufferOwner, None]] = {}
        for at, used in self.holders.uses.get(stretch, ()):
            touched.setdefault(at, {}).update(dict.fromkeys(used))
        for holder in self.holders.made.get(stretch, ()):
            touched.setdefault(holder.at, {})[holder] = None
        for number in members(needed.held_at_start(stretch)):
            touched.setdefault(-1, {})[needed.numbered[number]] = None
        dying: dict[int, list[BufferOwner]] = {}
        behind: dict[int, int] = {}
        now = needed.at_end[stretch]
        seen: set[BufferOwner] = set()
        for at in sorted(touched, reverse=True):
            behind[at] = now
            here = touched[at]
            for holder in here:
                if holder not in seen:
                    seen.add(holder)
                    if not now & needed.bit(holder):
                        dying.setdefault(at, []).append(holder)
            for holder in here:
                if holder.home is stretch and holder.at == at:
                    now &= ~needed.bit(holder)
            for holder in here:
                if not (holder.home is stretch and holder.at == at):
                    now |= needed.bit(holder)
        return touched, dying, behind

    def _get(self, holder: BufferOwner, stretch: ExtendedBlock, state: State) -> int:
        found = state.get(holder)
        if found is None:
            found = state[holder] = self.owned_at_start(holder, stretch)
        return found

    def _end(self, holder: BufferOwner, stretch: ExtendedBlock, at: int, state: State, live: int) -> None:
        """R2 inside a stretch."""
        rest = self._get(holder, stretch, state)
        if rest and holder.bit >= 0:
            for number in members(self.needed.meets[holder.bit] & live):
                other = self.needed.numbered[number]
                same = self.same(holder, other) if self._can_hand(holder, other) else FALSE
                given = self.flags.both(rest, same)
                if given:
                    state[other] = self.flags.either(self._get(other, stretch, state), given)
                    self.plan.handed.append(Handed(holder, other, given, True, stretch, at))
                    rest = self.flags.without(rest, same)
                    if not rest:
                        break
        state[holder] = FALSE
        if rest:
            self.plan.frees.append(FreePoint(holder, rest, stretch, at))

    def _can_hand(self, source: BufferOwner, target: BufferOwner) -> bool:
        """Whether one can give to the other what it owns: not out of a closed operation, where all that is owned is new."""
        return not self.flow.any_closed or (
            self.flow.closed_around(source.home.block, target.home.block) is None
        )

    def _names(self, value: Value, live: int) -> list[BufferOwner]:
        """The holders that may own the buffer of `value` where `live` is needed."""
        found = dict.fromkeys(self.holders.possible(value))
        for holder in list(found):
            if holder.bit >= 0:
                for number in members(self.needed.meets[holder.bit] & live):
                    found[self.needed.numbered[number]] = None
        return list(found)

    def _taken(self, value: Value, stretch: ExtendedBlock, state: State, live: int, given: int = TRUE) -> int:
        """R4: nobody owns the buffer of `value` any more, if `given` holds; whether somebody did."""
        owned = FALSE
        for name in self._names(value, live):
            before = self._get(name, stretch, state)
            if not before:
                continue
            same = TRUE if not is_buffer(value) else self.same_values(value, name.value)
            owned = self.flags.either(owned, self.flags.both(before, same))
            state[name] = self.flags.without(before, self.flags.both(given, same))
        return owned

    def _freed(self, action: Action, stretch: ExtendedBlock, state: State, live: int) -> None:
        given = TRUE
        for condition in action.conditions:
            given = self.flags.both(given, self.condition(condition))
        owned = self._taken(action.value, stretch, state, live, given)
        one = self.holders.of(action.value)
        if one is not None and not one.foreign:
            self.plan.guards.append(Guard(action.op, one, owned, stretch, action.at, given))

    def _return(self, stretch: ExtendedBlock, state: State, names: list[BufferOwner]) -> None:
        """R5."""
        last = stretch.last
        assert last is not None
        for use in last.op_operands:
            gift = self.holders.gives(use.index)
            if not is_buffer(use.value) or gift.kind is Gives.PASSED:
                continue
            owned, given = FALSE, TRUE
            if gift.kind is Gives.TOLD and gift.flag >= 0:
                given = self.condition(last.operands[gift.flag])
            for name in names:
                same = self.same_values(use.value, name.value)
                before = self._get(name, stretch, state) if same else FALSE
                if before:
                    owned = self.flags.either(owned, self.flags.both(before, same))
                    state[name] = self.flags.without(before, self.flags.both(same, given))
            returned = Returned(use, self.holders.of(use.value), owned, stretch)
            if gift.kind is Gives.TOLD:
                returned.told = owned if gift.flag < 0 else None
                returned.condition = (
                    TRUE if gift.flag < 0 else self.flags.either(owned, self.flags.negated(given))
                )
            self.plan.returned.append(returned)

    # -- passages

    def _cross(self, passage: CfgEdge) -> Crossing:
        """R2 and R3 on a passage."""
        needed, flags, stretch = self.needed, self.flags, passage.source
        crossing = Crossing(self.given(passage.condition))
        passed = [
            (target, value)
            for given, value in passage.passed
            if (target := self.holders.of(given)) is not None and self.holders.possible(value)
        ]
        by_holder: dict[BufferOwner, list[tuple[BufferOwner, Value]]] = {}
        for target, value in passed:
            for holder in self.holders.possible(value):
                by_holder.setdefault(holder, []).append((target, value))
        behind = needed.behind(passage)
        for holder in by_holder:
            if needed.bit(holder) & behind:
                for target, _ in by_holder[holder]:
                    self.plan.handed.append(Handed(holder, target, TRUE, False, stretch, None, passage))
        for number in members(needed.at_end[stretch] & ~behind):
            holder = needed.numbered[number]
            rest = flags.given(self._at_end(holder, stretch), crossing.given)
            if not rest:
                continue
            meets = needed.meets[number]
            direct = by_holder.get(holder, [])
            for target, value in direct:
                rest = self._hand(
                    holder, target, rest, self.same_values(value, holder.value), crossing.births, passage
                )
            for other in members(meets & behind) if rest else ():
                name = needed.numbered[other]
                if name not in crossing.updates:
                    crossing.updates[name] = self._at_end(name, stretch)
                rest = self._hand(holder, name, rest, self.same(holder, name), crossing.updates, passage)
                if not rest:
                    break
            for target, value in passed if rest and meets else ():
                if (target, value) not in direct and rest:
                    same = self.same_values(value, holder.value)
                    rest = self._hand(holder, target, rest, same, crossing.births, passage)
            if rest:
                self.plan.frees.append(FreePoint(holder, rest, stretch, None, passage, crossing.given))
        return crossing

    def _hand(
        self, source: BufferOwner, target: BufferOwner, rest: int, same: int, owned: State, passage: CfgEdge
    ) -> int:
        """Hand over what is the same buffer; what is left."""
        given = self.flags.both(rest, same)
        if not given or not self._can_hand(source, target):
            return rest
        owned[target] = self.flags.either(owned.get(target, FALSE), given)
        self.plan.handed.append(Handed(source, target, given, True, passage.source, None, passage))
        return self.flags.without(rest, same)


def _is_logic(op: Operation) -> bool:
    return op.results[0].type is t.I1 and isinstance(
        op, (arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.SelectOp)
    )


def _compared_addresses(op: arith.CmpIOp) -> tuple[Value, Value] | None:
    """The memrefs whose addresses an operation compares for equality, if it does."""
    if op.predicate.value != arith.INTEGER_PREDICATES.index("eq"):
        return None
    sides = [operand.defining_op for operand in op.operands]
    if not all(isinstance(side, memref.ExtractAlignedPointerAsIndexOp) for side in sides):
        return None
    one, other = (side.operands[0] for side in sides if side is not None)
    return one, other
