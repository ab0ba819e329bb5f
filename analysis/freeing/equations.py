"""Constant and copy propagation for i1 block arguments.

Each variable has one formula per incoming edge of its extended block. Solved optimistically, like constant and copy
propagation in SSA form [1]_ [2]_:

  E1  A variable with the same formula on every edge (apart from itself) is that formula, if its variables are visible there.
  E2  If the edges are the exits of one `scf.if`, the variable is a select on its condition.
  E3  Variables of one extended block with equal formulas on each edge are merged, also with existing `i1` arguments of the
      program, so that a second run recognizes the flags of the first.
  E4  Two owners that both own their buffers are different buffers (`DistinctOwners`).

The condition of an edge refines its formulas: under it, a formula may be constant.

.. [1] M. N. Wegman and F. K. Zadeck, "Constant propagation with conditional branches", ACM TOPLAS 13(2), 1991.
.. [2] B. Alpern, M. N. Wegman and F. K. Zadeck, "Detecting equality of variables in programs", POPL 1988.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from heapq import heapify, heappop, heappush

from ...dialects import scf
from ...ir.program.core import Block, Operation, Value
from ...ir.program.dominance import DominatorTree
from ...ir.types import types as t
from ..origins import closure
from .elaborate import Elaboration
from .flags import FALSE, TRUE, Flags
from .flow import CfgEdge, ExtendedBlock, carries_more_values, takes_more_values
from .outcomes import CarriedFlag

# Owners that cannot be one buffer, because both own theirs.
#
# A buffer has one owner at a time. So an owner that owns its buffer where it is defined is not the same buffer as another owner
# that always owns its buffer there, and the flag of whether the two are one is false. That the other one *always* owns its
# buffer may in turn depend on this, around a loop. The solver assumes it, and retracts what follows if it fails.

Known = Callable[[int], int | None]
"""The known or assumed value of a variable, by number."""


class DistinctOwners:
    """The flags of one function for whether two owners are one buffer.

    Attributes:
        asks: for each such flag, by number, the variables for whether the second and the first owner own their buffers.
    """

    def __init__(
        self, flags: Flags, variables: Mapping[Hashable, CarriedFlag], numbers: Mapping[Hashable, int]
    ) -> None:
        self._flags = flags
        self.asks: dict[int, tuple[int, int]] = {}
        for name, variable in variables.items():
            if variable.other is not None:
                owner = numbers.get(("own", variable.ebb, variable.other, None))
                owned = numbers.get(("own", variable.ebb, variable.owner, None))
                if owner is not None and owned is not None:
                    self.asks[numbers[name]] = owner, owned

    def note(self, number: int, formula: int) -> None:
        """Record that a variable equals a formula; another variable as formula inherits its meaning."""
        if number in self.asks and formula > TRUE:
            name, low, high = self._flags.parts(formula)
            if (low, high) == (FALSE, TRUE):
                (other,) = self._flags.support(self._flags.variable(name))
                self.asks.setdefault(other, self.asks[number])

    def simplified(self, formula: int, known: Known) -> int:
        """A formula without the flags that are false by E4, under what is `known`."""
        flags = self._flags
        for number in flags.support(formula) & self.asks.keys():
            owner, owned = self.asks[number]
            if known(owner) != TRUE:
                continue
            is_owned = known(owned)
            if is_owned is None:
                is_owned = flags.variable(flags.variables[owned])
            simpler = flags.replaced(formula, {number: FALSE})
            differs = flags.choose(formula, flags.negated(simpler), simpler)
            if flags.without(differs, is_owned) == FALSE:
                formula = simpler
        return formula


MAX_CONDITIONS = 64
"""Enclosing conditions, innermost first, that are tried to simplify a formula; the innermost nearly always decide."""
MAX_RETRACTIONS = 2
"""Retractions of the assumed value of one variable before it is left as a variable."""
MAX_ROUNDS = 6
"""Rounds of propagation; with more nested conditions than that, a redundant flag may remain."""
MAX_WIDTH = 16
"""Variables in a formula beyond which a variable is not replaced by it: a flag is cheaper than computing the formula, and
diagrams may double with each variable."""


class Equations:
    """The solution for one function. Near-linear in the variables and their edges, per round."""

    def __init__(self, elaboration: Elaboration) -> None:
        self._elaboration = elaboration
        self.flags = self._flags = elaboration.flags
        self._values: dict[int, int] = {}
        self._variables: dict[Hashable, CarriedFlag] = {}
        self._numbers: dict[Hashable, int] = {}
        self._distinct = DistinctOwners(self._flags, {}, {})
        if not elaboration.plan.carried_flags:
            return
        self._variables = {**elaboration.plan.carried_flags, **self._arguments()}
        self._numbers = {name: self._number(name) for name in self._variables}
        self._distinct = DistinctOwners(self._flags, elaboration.plan.carried_flags, self._numbers)
        merged: dict[int, int] = {}
        for _ in range(MAX_ROUNDS):
            # equalities found may decide a condition: start over with them
            self._values = {}
            self._using.clear()
            for number, formula in merged.items():
                self._replace(number, formula)
                self._distinct.note(number, formula)
            while self._propagate():
                pass
            found = self._merge()
            if not found:
                break
            merged.update(found)

    def _arguments(self) -> dict[Hashable, CarriedFlag]:
        """The `i1` block arguments of the program, as variables like those of the analysis."""
        found: dict[Hashable, CarriedFlag] = {}
        elaboration = self._elaboration
        for ebb in elaboration.flow.ebbs:
            for value in ebb.inputs:
                if value.type is not t.I1 or not ebb.arriving:
                    continue
                ways = [
                    (edge, elaboration.condition(operand), elaboration.path_condition(edge.condition))
                    for edge in ebb.arriving
                    for target, operand in edge.passed
                    if target is value
                ]
                if len(ways) == len(ebb.arriving):
                    found[value] = CarriedFlag(value, ebb, None, None, ways)
        return found

    @property
    def carried_flags(self) -> dict[Hashable, CarriedFlag]:
        """All variables: those of the analysis by name, those of the program by value."""
        return self._variables

    def needed_for(self, formulas: Iterable[int], among: Mapping[Hashable, CarriedFlag]) -> list[CarriedFlag]:
        """The variables of `among` that formulas depend on, directly or through others of these."""
        found: dict[Hashable, CarriedFlag] = {}
        waiting = list(dict.fromkeys(formulas))
        for formula in waiting:  # grows while it is walked
            for number in sorted(self._flags.support(formula)):
                name = self._flags.variables[number]
                variable = among.get(name)
                if variable is not None and name not in found:
                    found[name] = variable
                    waiting += [self.value(way, path) for _, way, path in variable.ways]
        return list(found.values())

    def value(self, formula: int, path: int = 1) -> int:
        """A formula with solved variables replaced, simplified under `path`."""
        flags = self._flags
        found = flags.restricted(flags.replaced(formula, self._values), flags.replaced(path, self._values))
        return self._distinct.simplified(found, self._values.get) if found > 1 else found

    def condition(self, value: Value) -> int:
        """The formula of an `i1` of the program."""
        return self.value(self._elaboration.condition(value))

    def value_in(self, formula: int, ebb: ExtendedBlock, path: int = 1) -> int:
        """Like `value`, also under the conditions that lead to an extended block, as far as MAX_CONDITIONS."""
        value = self.value(formula, path)
        if value <= 1:
            return value
        at: ExtendedBlock | None = ebb
        for _ in range(MAX_CONDITIONS):
            if at is None:
                break
            if len(at.arriving) == 1:
                edge = at.arriving[0]
                condition = self._flags.replaced(
                    self._elaboration.path_condition(edge.condition), self._values
                )
                value = self._flags.restricted(value, condition)
                at = edge.source
            else:
                at = self._dominance.immediate_dominator(at)
        return value

    def _number(self, name: Hashable) -> int:
        formula = self._flags.variable(name)
        (number,) = self._flags.support(formula)
        return number

    def _replace(self, number: int, formula: int) -> None:
        """Replace a variable by `formula` everywhere."""
        formula = self._values[number] = self._flags.replaced(formula, self._values)
        for other in self._using.pop(number, ()):
            old = self._values[other]
            new = self._values[other] = self._flags.replaced(old, {number: formula})
            for used in self._flags.support(new):
                self._using.setdefault(used, set()).add(other)
        for used in self._flags.support(formula):
            self._using.setdefault(used, set()).add(number)

    def _width(self, formula: int, values: Mapping[int, int]) -> int:
        """The number of variables that a formula may depend on after replacing `values`."""
        support = self._flags.support
        if values.keys().isdisjoint(support(formula)):
            return len(support(formula))
        found: set[int] = set()
        for number in support(formula):
            found |= support(values[number]) if number in values else {number}
        return len(found)

    def _can_be_a_flag(self, number: int) -> bool:
        """Whether the variable can become a block argument; a region of `scf.if`, for example, has none."""
        ebb = self._variables[self._flags.variables[number]].ebb
        if ebb.after is not None:
            return takes_more_values(ebb.after)
        around = ebb.block.parent_op if ebb.block.is_entry else None
        return around is None or carries_more_values(around)

    def _stays_narrow(self, number: int, formula: int) -> bool:
        """Whether the formula, and those it is substituted into, stay within MAX_WIDTH; or a flag is impossible."""
        if formula <= 1 or not self._can_be_a_flag(number):
            return True
        if self._width(formula, self._values) > MAX_WIDTH:
            return False
        return all(
            self._width(self._values[other], {number: formula}) <= MAX_WIDTH
            for other in self._using.get(number, ())
        )

    @cached_property
    def _using(self) -> dict[int, set[int]]:
        """For each variable, those whose value depends on it."""
        return {}

    # -- E1 and E2

    def _propagate(self) -> bool:
        """Find constants and copies, optimistically ignoring edges with unknown formulas.

        Variables are visited in the order of the extended blocks. When an assumed value is retracted, everything derived from
        it is retracted and derived again, so that copies of one value still agree. A variable with more than MAX_RETRACTIONS
        retractions is left as a variable.
        """
        flags = self._flags
        name_of = {number: name for name, number in self._numbers.items() if number not in self._values}
        itself = {number: flags.variable(name) for number, name in name_of.items()}
        guess: dict[int, int | None] = dict.fromkeys(name_of)
        ways: dict[int, list[tuple[int, int]]] = {}
        users: dict[int, list[int]] = {}
        for number, name in name_of.items():
            ways[number] = [
                (flags.replaced(formula, self._values), flags.replaced(path, self._values))
                for _, formula, path in self._variables[name].ways
            ]
            for part in frozenset().union(*(flags.support(formula) for formula, _ in ways[number])):
                for asked in (part, *self._distinct.asks.get(part, ())):
                    if asked in guess:
                        users.setdefault(asked, []).append(number)
        rank = {number: self._variables[name].ebb.number for number, name in name_of.items()}
        waiting = [(rank[number], number) for number in name_of]
        heapify(waiting)
        queued = set(name_of)
        retracted: dict[int, int] = {}
        while waiting:
            _, number = heappop(waiting)
            queued.discard(number)
            if retracted.get(number, 0) > MAX_RETRACTIONS:
                continue
            own = itself[number]
            old = guess[number]
            new = self._agreed(number, own, ways[number], guess)
            if (
                new is not None
                and new > 1
                and new != own
                and not self.is_visible(new, self._variables[name_of[number]].ebb)
            ):
                new = own
            if new == old:
                continue
            guess[number] = new
            affected = users.get(number, [])
            if old is not None:
                retracted[number] = retracted.get(number, 0) + 1
                if new == own or retracted[number] > MAX_RETRACTIONS:
                    guess[number] = own
                    retracted[number] = MAX_RETRACTIONS + 1
                affected = closure(affected, lambda user: users.get(user, ()))
                for user in affected:
                    if retracted.get(user, 0) <= MAX_RETRACTIONS:
                        guess[user] = None
            for user in affected:
                if user not in queued:
                    queued.add(user)
                    heappush(waiting, (rank[user], user))
        changed = False
        for number, name in name_of.items():
            value = guess[number]
            if value is None:
                value = 0  # no incoming edge has a formula
            own = itself[number]
            if value == own:
                value = self._chosen_by_condition(self._variables[name])
            if value is not None and value != own and self._stays_narrow(number, value):
                self._replace(number, value)
                changed = True
        return changed

    def _agreed(
        self, number: int, own: int, ways: list[tuple[int, int]], guess: dict[int, int | None]
    ) -> int | None:
        """The common formula of all edges under the assumptions; None if none is known yet, `own` if they differ."""
        flags = self._flags
        agreed: int | None = None
        for formula, path in ways:
            value = formula
            if formula > 1:
                support = flags.support(formula)
                known = {part: guessed for part in support if (guessed := guess.get(part)) is not None}
                if any(part in guess and part not in known and part != number for part in support):
                    continue
                if self._width(formula, known) > MAX_WIDTH and self._can_be_a_flag(number):
                    return own
                value = flags.restricted(flags.replaced(formula, known), path)
                value = self._distinct.simplified(value, lambda part: guess.get(part, self._values.get(part)))
                if value == own or (number in support and guess[number] is None and value == formula):
                    continue
            if agreed is None:
                agreed = value
            elif agreed != value:
                return own
        return agreed

    def _chosen_by_condition(self, variable: CarriedFlag) -> int | None:
        """E2: the formula, if the two edges are the exits of one `scf.if`."""
        op = variable.ebb.after
        if not isinstance(op, scf.IfOp) or len(variable.ways) != 2:
            return None
        branches: dict[bool, int] = {}
        for edge, formula, path in variable.ways:
            if self._width(formula, self._values) > MAX_WIDTH:
                return None
            value = self.value(formula, path)
            if value > 1 and not self.is_visible(value, variable.ebb):
                return None
            region = edge.source.block.region
            branches[region is op.regions[0]] = value
        if len(branches) != 2:
            return None
        condition = self._elaboration.condition(op.operands[0])
        return self._flags.choose(condition, branches[True], branches[False])

    @cached_property
    def _dominance(self) -> DominatorTree[ExtendedBlock]:
        flow = self._elaboration.flow
        return DominatorTree(flow.entry, lambda s: [edge.target for edge in s.leaving])

    def can_use(self, value: Value, ebb: ExtendedBlock) -> bool:
        """Whether a value can be used at the start of an extended block."""
        block = value.parent_block
        return block is not None and self._block_is_before(block, value.defining_op, ebb)

    def is_visible(self, formula: int, ebb: ExtendedBlock) -> bool:
        """Whether all variables of a formula are visible at the start of an extended block."""
        for number in self._flags.support(formula):
            name = self._flags.variables[number]
            if isinstance(name, Value):
                if not self.can_use(name, ebb):
                    return False
            elif name in self._variables:
                home = self._variables[name].ebb
                if home is ebb:
                    continue
                if not self._dominance.dominates(home, ebb) or not _encloses(home, ebb):
                    return False
            elif isinstance(name, tuple) and not all(self.can_use(value, ebb) for value in name[1:]):
                return False  # a comparison of addresses
        return True

    def _block_is_before(self, block: Block, op: Operation | None, ebb: ExtendedBlock) -> bool:
        """Whether a value of `block` dominates the start of an extended block."""
        at: Operation | None = ebb.after
        inner: Block | None = ebb.block
        while inner is not None and inner.region is not block.region:
            at = inner.parent_op
            inner = at.block if at is not None else None
        if inner is None:
            return False
        if inner is not block:
            first = self._first.get(block)
            return first is not None and self._dominance.dominates(first, ebb)
        if op is None:
            return True
        return at is not None and (op.is_before_in_block(at) or (op is at and at is ebb.after))

    @cached_property
    def _first(self) -> dict[Block, ExtendedBlock]:
        return {s.block: s for s in self._elaboration.flow.ebbs if s.after is None}

    # -- E3

    def _merge(self) -> dict[int, int]:
        """Variables that equal another variable or an argument, by number, with its formula."""
        flags = self._flags
        groups: dict[ExtendedBlock, list[int]] = {}
        ways: dict[int, dict[CfgEdge, tuple[int, int]]] = {}
        is_ours: dict[int, bool] = {}
        in_program_first = sorted(self._variables.items(), key=lambda entry: not isinstance(entry[0], Value))
        for name, variable in in_program_first:
            number = self._numbers[name]
            if number not in self._values:
                groups.setdefault(variable.ebb, []).append(number)
                ways[number] = {p: (flags.replaced(f, self._values), g) for p, f, g in variable.ways}
                is_ours[number] = not isinstance(name, Value)
        return {
            number: self._signed(representative, sign)
            for number, (representative, sign) in self._partition(groups, ways).items()
            if number != representative and is_ours[number]
        }

    def _partition(
        self, groups: dict[ExtendedBlock, list[int]], ways: dict[int, dict[CfgEdge, tuple[int, int]]]
    ) -> dict[int, tuple[int, bool]]:
        """The coarsest partition whose members have equal formulas on every edge, or negated ones on every edge.

        Returns for each variable the representative of its class, and whether it is its negation. Formulas are normalized by
        the sign that makes the first edge's formula true if all variables are true.
        """
        flags = self._flags
        known = {
            n: [(f, flags.replaced(g, self._values)) for f, g in found.values()] for n, found in ways.items()
        }
        first_sign = {n: not flags.where_all_hold(found[0][0]) for n, found in known.items()}
        classes = {
            number: (found[0], first_sign[number] != first_sign[found[0]])
            for found in groups.values()
            for number in found
        }
        for _ in range(len(classes) + 2):
            renamed = {n: self._signed(*c) for n, c in classes.items() if n != c[0]}
            split: dict[tuple[object, ...], tuple[int, bool]] = {}
            following: dict[int, tuple[int, bool]] = {}
            for found in groups.values():
                for number in found:
                    formulas = [
                        flags.restricted(flags.replaced(formula, renamed), flags.replaced(path, renamed))
                        for formula, path in known[number]
                    ]
                    opposite = not flags.where_all_hold(formulas[0])
                    if opposite:
                        formulas = [flags.negated(formula) for formula in formulas]
                    signature = (classes[number][0], *formulas)
                    representative, sign = split.setdefault(signature, (number, opposite))
                    following[number] = (representative, sign != opposite)
            if following == classes:
                return classes
            classes = following
        return {}

    def _signed(self, number: int, opposite: bool) -> int:
        formula = self._variable(number)
        return self._flags.negated(formula) if opposite else formula

    def _variable(self, number: int) -> int:
        return self._flags.variable(self._flags.variables[number])


def _encloses(outer: ExtendedBlock, inner: ExtendedBlock) -> bool:
    """Whether the region of `outer` is or encloses that of `inner`."""
    region = outer.block.region
    return region is not None and region.is_ancestor_of(inner.block.region)
