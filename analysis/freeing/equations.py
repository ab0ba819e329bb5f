"""Constant and copy propagation for i1 block arguments.

Each variable has one formula for each way into its extended block. Solved optimistically, as for constants and copies in SSA
form [1]_ [2]_:

  E1  What has the same formula on every way (its own value aside) is that formula, if that can be computed there.
  E2  Where the ways are the branches of one `scf.if`, the variable is a choice by its condition.
  E3  Variables of one extended block that have equal formulas on each way are one, and so are they and an `i1` argument that the
      program already has: what a first run wrote, a second finds again.

  E4  What is owned under one name is not what another name owns (`apart`).

A condition that leads to an edge refines what is passed: under it, a formula may be a constant.

.. [1] M. N. Wegman and F. K. Zadeck, "Constant propagation with conditional branches", ACM TOPLAS 13(2), 1991.
.. [2] B. Alpern, M. N. Wegman and F. K. Zadeck, "Detecting equality of variables in programs", POPL 1988.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from heapq import heapify, heappop, heappush

from ...ir.program.core import Block, Operation, Value
from ...ir.program.dominance import DominatorTree
from ...ir.types import types as t
from ..origins import closure
from .elaborate import Elaboration
from .flags import FALSE, TRUE, Flags
from .flow import CfgEdge, ExtendedBlock, carries_more_values, takes_more_values
from .outcomes import CarriedFlag

# Names that cannot be one buffer, because both own theirs.
#
# No buffer is owned by two names at a time. So where a name comes to be that is owned, it is not the buffer of another name
# that always owns its own there, and a flag that says whether the two are one need not be asked. That the other *always* owns
# its own may in turn follow from this: on the way round a loop, say. Who asks assumes it, and takes back what was built on it
# if it turns out otherwise.

Known = Callable[[int], int | None]
"""What a variable, by number, is known or assumed to be."""


class Apart:
    """The flags of one function that say whether two names are one buffer.

    Attributes:
        asks: for each such flag, by number, the variables that say whether the second and the first name own theirs.
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
        """A variable always equals a formula: if that is another variable, it says the same."""
        if number in self.asks and formula > TRUE:
            name, low, high = self._flags.parts(formula)
            if (low, high) == (FALSE, TRUE):
                (other,) = self._flags.support(self._flags.variable(name))
                self.asks.setdefault(other, self.asks[number])

    def simplified(self, formula: int, known: Known) -> int:
        """A formula without the flags that make no difference, so far as is known."""
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
"""How many of the conditions around a place are tried on a formula; the closest ones decide nearly always."""
MAX_RETRACTIONS = 2
"""How often the guess for one variable may be taken back before it stands for itself."""
MAX_ROUNDS = 6
"""Each round can only find more; a program that needs more nested conditions than this gets a flag too many."""
MAX_WIDTH = 16
"""Of how many conditions a variable may be a formula before it rather stands for itself: a flag costs less than computing that,
and diagrams can double with each condition more."""


class Equations:
    """The solution for one function. Near-linear in the variables and their ways, for each round."""

    def __init__(self, elaboration: Elaboration) -> None:
        self._elaboration = elaboration
        self.flags = self._flags = elaboration.flags
        self._values: dict[int, int] = {}
        self._variables: dict[Hashable, CarriedFlag] = {}
        self._numbers: dict[Hashable, int] = {}
        self._apart = Apart(self._flags, {}, {})
        if not elaboration.plan.carried_flags:
            return
        self._variables = {**elaboration.plan.carried_flags, **self._arguments()}
        self._numbers = {name: self._number(name) for name in self._variables}
        self._apart = Apart(self._flags, elaboration.plan.carried_flags, self._numbers)
        merged: dict[int, int] = {}
        for _ in range(MAX_ROUNDS):
            # what is known to be equal may decide a condition: start over with it
            self._values = {}
            self._using.clear()
            for number, formula in merged.items():
                self._replace(number, formula)
                self._apart.note(number, formula)
            while self._propagate():
                pass
            found = self._merge()
            if not found:
                break
            merged.update(found)

    def _arguments(self) -> dict[Hashable, CarriedFlag]:
        """The `i1` that the program itself lets travel, as variables like ours."""
        found: dict[Hashable, CarriedFlag] = {}
        elaboration = self._elaboration
        for ebb in elaboration.flow.ebbs:
            for value in ebb.inputs:
                if value.type is not t.I1 or not ebb.arriving:
                    continue
                ways = [
                    (edge, elaboration.condition(given), elaboration.given(edge.condition))
                    for edge in ebb.arriving
                    for target, given in edge.passed
                    if target is value
                ]
                if len(ways) == len(ebb.arriving):
                    found[value] = CarriedFlag(value, ebb, None, None, ways)
        return found

    @property
    def carried_flags(self) -> dict[Hashable, CarriedFlag]:
        """What lets a truth value depend on the way: ours by their names, those of the program by their values."""
        return self._variables

    def needed_for(self, formulas: Iterable[int], among: Mapping[Hashable, CarriedFlag]) -> list[CarriedFlag]:
        """Which of some variables formulas depend on, directly or through others of them."""
        found: dict[Hashable, CarriedFlag] = {}
        waiting = list(dict.fromkeys(formulas))
        for formula in waiting:  # grows while it is walked
            for number in sorted(self._flags.support(formula)):
                name = self._flags.variables[number]
                variable = among.get(name)
                if variable is not None and name not in found:
                    found[name] = variable
                    waiting += [self.value(way, given) for _, way, given in variable.ways]
        return list(found.values())

    def value(self, formula: int, given: int = 1) -> int:
        """A formula with what was found put in, where `given` holds."""
        flags = self._flags
        found = flags.given(flags.replaced(formula, self._values), flags.replaced(given, self._values))
        return self._apart.simplified(found, self._values.get) if found > 1 else found

    def condition(self, value: Value) -> int:
        """The formula of an `i1` of the program."""
        return self.value(self._elaboration.condition(value))

    def value_in(self, formula: int, ebb: ExtendedBlock, given: int = 1) -> int:
        """The same, where also all holds that leads to an extended block: formulas left open are tried on the closest conditions."""
        value = self.value(formula, given)
        if value <= 1:
            return value
        at: ExtendedBlock | None = ebb
        for _ in range(MAX_CONDITIONS):
            if at is None:
                break
            if len(at.arriving) == 1:
                edge = at.arriving[0]
                condition = self._flags.replaced(self._elaboration.given(edge.condition), self._values)
                value = self._flags.given(value, condition)
                at = edge.source
            else:
                at = self._dominance.immediate_dominator(at)
        return value

    def _number(self, name: Hashable) -> int:
        formula = self._flags.variable(name)
        (number,) = self._flags.support(formula)
        return number

    def _replace(self, number: int, formula: int) -> None:
        """Put `formula` for a variable, everywhere."""
        formula = self._values[number] = self._flags.replaced(formula, self._values)
        for other in self._using.pop(number, ()):
            old = self._values[other]
            new = self._values[other] = self._flags.replaced(old, {number: formula})
            for used in self._flags.support(new):
                self._using.setdefault(used, set()).add(other)
        for used in self._flags.support(formula):
            self._using.setdefault(used, set()).add(number)

    def _width(self, formula: int, values: Mapping[int, int]) -> int:
        """How many variables a formula can depend on when `values` are put in."""
        support = self._flags.support
        if values.keys().isdisjoint(support(formula)):
            return len(support(formula))
        found: set[int] = set()
        for number in support(formula):
            found |= support(values[number]) if number in values else {number}
        return len(found)

    def _can_be_a_flag(self, number: int) -> bool:
        """Whether the program can be given a value for the variable: a region of `scf.if`, for one, takes no argument."""
        ebb = self._variables[self._flags.variables[number]].ebb
        if ebb.behind is not None:
            return takes_more_values(ebb.behind)
        around = ebb.block.parent_op if ebb.block.is_entry else None
        return around is None or carries_more_values(around)

    def _stays_narrow(self, number: int, formula: int) -> bool:
        """Whether neither the formula nor those it is put into get too many variables, or there is no other way."""
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
        """For each variable, those whose value mentions it."""
        return {}

    # -- E1 and E2

    def _propagate(self) -> bool:
        """Find constants and copies, assuming what is not yet known to be whatever suits.

        Variables are tried in the order of the extended blocks. When a guess is taken back, all that was built on it is
        forgotten and tried again, so that copies of one value still agree with one another afterwards. A variable whose
        guess is taken back more than `MAX_RETRACTIONS` times stands for itself.
        """
        flags = self._flags
        name_of = {number: name for name, number in self._numbers.items() if number not in self._values}
        itself = {number: flags.variable(name) for number, name in name_of.items()}
        guess: dict[int, int | None] = dict.fromkeys(name_of)
        ways: dict[int, list[tuple[int, int]]] = {}
        users: dict[int, list[int]] = {}
        for number, name in name_of.items():
            ways[number] = [
                (flags.replaced(formula, self._values), flags.replaced(given, self._values))
                for _, formula, given in self._variables[name].ways
            ]
            for part in frozenset().union(*(flags.support(formula) for formula, _ in ways[number])):
                for asked in (part, *self._apart.asks.get(part, ())):
                    if asked in guess:
                        users.setdefault(asked, []).append(number)
        rank = {number: self._variables[name].ebb.rank for number, name in name_of.items()}
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
                value = 0  # no way in says otherwise
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
        """What all ways agree on, given the guesses; None if nothing is known yet, `own` if they do not agree."""
        flags = self._flags
        agreed: int | None = None
        for formula, given in ways:
            value = formula
            if formula > 1:
                support = flags.support(formula)
                known = {part: guessed for part in support if (guessed := guess.get(part)) is not None}
                if any(part in guess and part not in known and part != number for part in support):
                    continue
                if self._width(formula, known) > MAX_WIDTH and self._can_be_a_flag(number):
                    return own
                value = flags.given(flags.replaced(formula, known), given)
                value = self._apart.simplified(value, lambda part: guess.get(part, self._values.get(part)))
                if value == own or (number in support and guess[number] is None and value == formula):
                    continue
            if agreed is None:
                agreed = value
            elif agreed != value:
                return own
        return agreed

    def _chosen_by_condition(self, variable: CarriedFlag) -> int | None:
        """E2: the formula, if the two ways come out of the regions of one `scf.if`."""
        op = variable.ebb.behind
        if op is None or op.name != "scf.if" or len(variable.ways) != 2:
            return None
        branches: dict[bool, int] = {}
        for edge, formula, given in variable.ways:
            if self._width(formula, self._values) > MAX_WIDTH:
                return None
            value = self.value(formula, given)
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
        """Whether all that a formula depends on can be used at the start of an extended block."""
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
        """Whether a value of `block` is defined before an extended block starts, where it can be used."""
        at: Operation | None = ebb.behind
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
        return at is not None and (op.is_before_in_block(at) or (op is at and at is ebb.behind))

    @cached_property
    def _first(self) -> dict[Block, ExtendedBlock]:
        return {s.block: s for s in self._elaboration.flow.ebbs if s.behind is None}

    # -- E3

    def _merge(self) -> dict[int, int]:
        """Variables that always equal another one or an argument, by number, with its formula."""
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
        """The coarsest classes whose members have, on every way, formulas that are equal or opposite throughout.

        Gives for each variable the first of its class, and whether it is its opposite. Members are compared with the
        sign that makes them true where all variables are, on the first way.
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
                        flags.given(flags.replaced(formula, renamed), flags.replaced(given, renamed))
                        for formula, given in known[number]
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
    """Whether what is defined in one extended block can be used, so far as regions go, in the other."""
    region = outer.block.region
    return region is not None and region.is_ancestor_of(inner.block.region)
