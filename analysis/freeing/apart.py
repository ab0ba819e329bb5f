"""Names that cannot be one buffer, because both own theirs.

No buffer is owned by two names at a time. So where a name comes to be that is owned, it is not the buffer of another name
that always owns its own there, and a flag that says whether the two are one need not be asked. That the other *always* owns
its own may in turn follow from this: on the way round a loop, say. Who asks assumes it, and takes back what was built on it
if it turns out otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

from .flags import FALSE, TRUE, Flags
from .plan import Travelling

Known = Callable[[int], int | None]
"""What a variable, by number, is known or assumed to be."""


class Apart:
    """The flags of one function that say whether two names are one buffer.

    Attributes:
        asks: for each such flag, by number, the variables that say whether the second and the first name own theirs.
    """

    def __init__(
        self, flags: Flags, variables: Mapping[Hashable, Travelling], numbers: Mapping[Hashable, int]
    ) -> None:
        self._flags = flags
        self.asks: dict[int, tuple[int, int]] = {}
        for name, variable in variables.items():
            if variable.other is not None:
                owner = numbers.get(("own", variable.stretch, variable.other, None))
                owned = numbers.get(("own", variable.stretch, variable.holder, None))
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
