"""What the formulas of `-buffer-deallocation-static` are called: the same in text and in pictures.

A flag that travels has a name after what it says: `owned(%m)`, or `same(%m, %n)` if it says whether both are one buffer; with
the place, `owned(%m)@^bb2`, where it is chosen anew behind the place that makes `%m`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from ..analysis.freeing.equations import Equations
from ..analysis.freeing.flags import FALSE, TRUE
from ..analysis.freeing.outcomes import CarriedFlag
from ..ir.program.core import Block, Operation, Value

MOST_WAYS = 3
"""A formula that is true in more ways is named after the flags it depends on."""


@dataclass(frozen=True, slots=True)
class FlagWords:
    """Words for one function.

    Attributes:
        value, block: what a value and a block are called.
    """

    equations: Equations
    value: Callable[[Value], str]
    block: Callable[[Block], str]

    def name(self, variable: Hashable) -> str:
        """What one flag, or truth value of the program, is called."""
        if isinstance(variable, Value):
            return self.value(variable)
        assert isinstance(variable, tuple)
        if variable[0] == "address":
            return f"same({self.value(variable[1])}, {self.value(variable[2])})"
        if variable[0] == "told":
            return f"owned({self.value(variable[1])})"
        kind, stretch, holder, other = variable
        place = "" if holder.home is stretch else f"@{self._place(stretch.behind, stretch.block)}"
        if kind == "own":
            return f"owned({self.value(holder.value)}){place}"
        return f"same({self.value(holder.value)}, {self.value(other.value)}){place}"

    def text(self, formula: int) -> str:
        """When a formula holds: `true`, `false`, or in words of flags."""
        if formula <= TRUE:
            return "true" if formula == TRUE else "false"
        flags = self.equations.flags
        ways: list[list[str]] = []
        waiting: list[tuple[int, list[str]]] = [(formula, [])]
        while waiting and len(ways) <= MOST_WAYS:
            at, found = waiting.pop()
            if at == TRUE:
                ways.append(found)
            elif at != FALSE:
                variable, low, high = flags.parts(at)
                waiting.append((low, [*found, f"not {self.name(variable)}"]))
                waiting.append((high, [*found, self.name(variable)]))
        if len(ways) > MOST_WAYS:
            names = [self.name(flags.variables[number]) for number in sorted(flags.support(formula))]
            return f"{', '.join(names[:MOST_WAYS])} say so"
        return " or ".join(" and ".join(way) for way in ways)

    def flags_of(self, formula: int) -> list[CarriedFlag]:
        """The travelling flags that a formula depends on, directly or not."""
        return self.equations.needed_for((formula,), self.equations.travelling)

    def _place(self, behind: Operation | None, block: Block) -> str:
        return self.block(block) if behind is None else behind.name
