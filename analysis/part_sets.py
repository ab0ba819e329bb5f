"""Parts of one buffer compared as sets of integers, by `islpy`, where bounds of differences do not decide (`parts.disjoint`).

    read  %t[%i + 1]      in iteration r of a loop
    write %t[%i]          in iteration w, which ran before: w <= r          no w and r with w = r + 1

The numbers of which offsets and sizes are made become parameters of a set, the elements that two parts share its points. What is known of
parameters restricts it: sizes are not negative, a counter runs from its lower bound to its upper one in steps. If no values of the
parameters leave a point, the parts are disjoint.

A number that a loop computes anew between a write and a read has two names, one for each; if both are in one `scf.for`, the write's iteration
is not after the read's. This is exact for boxes of constant strides, but for what is not known of numbers from elsewhere.

`islpy` is an extra (`bufferize[sets]`); without it nothing is found here, which is always safe.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache, lru_cache
from importlib.util import find_spec

from ..dialects import scf
from ..dialects.common import constant_index
from ..ir.program.core import Operation
from ..semantics.boxes import BoxPart
from ..semantics.integers import Form, bounds, counter, linear_form

MAX_STEPS = 20_000
"""Operations of the solver on one comparison."""
MAX_PARAMETERS = 12
"""Numbers that two parts may depend on, at most."""


@cache
def is_available() -> bool:
    """Whether `islpy` is installed."""
    try:
        return find_spec("islpy") is not None
    except ModuleNotFoundError:  # a finder may hide modules so
        return False


def disjoint_sets(
    read: BoxPart,
    write: BoxPart,
    is_anew: Callable[[Hashable], bool] = lambda atom: False,
    loop: Operation | None = None,
) -> bool:
    """Whether two boxes of one frame share no element, for all values of what they depend on.

    Args:
        read, write: the boxes.
        is_anew: of an atom of the forms, whether it may have another value for the write than for the read.
        loop: the loop that computes those anew, if the write comes in the same iteration of it or in one before.
    """
    if not is_available() or len(read.ranges) != len(write.ranges) or not read.ranges:
        return False
    text = _Emptiness(is_anew).text(read, write, loop)
    return text is not None and _is_empty(text)


@lru_cache(maxsize=10_000)
def _is_empty(text: str) -> bool:
    import islpy as isl

    context = isl.Context()
    context.set_max_operations(MAX_STEPS)
    try:
        return bool(isl.Set.read_from_str(context, text).is_empty())
    except isl.Error:  # too many steps
        return False


class _Emptiness:
    """The set of shared elements of two boxes, as text that isl reads."""

    def __init__(self, is_anew: Callable[[Hashable], bool]) -> None:
        self._is_anew = is_anew
        self._names: dict[tuple[Hashable, bool], str] = {}
        self._pending: list[tuple[Hashable, bool]] = []
        self._conditions: list[str] = []
        self._steps = 0

    def text(self, read: BoxPart, write: BoxPart, loop: Operation | None) -> str | None:
        """The set; None if it depends on too much."""
        points: list[str] = []
        for number, (a, b) in enumerate(zip(read.ranges, write.ranges, strict=True)):
            i, j = f"i{number}", f"j{number}"
            points += [i, j]
            for name, part, of_write in ((i, a, False), (j, b, True)):
                self._conditions.append(f"0 <= {name} < {self._said(part.size, of_write)}")
            left, right = self._said(a.offset, False), self._said(b.offset, True)
            self._conditions.append(f"{left} + {a.stride}*{i} = {right} + {b.stride}*{j}")
        while self._pending:
            if len(self._names) > MAX_PARAMETERS:
                return None
            self._restrict(*self._pending.pop())
        if isinstance(loop, scf.ForOp) and not loop.unsigned_cmp:
            step = constant_index(loop.step)
            counter = loop.induction_variable
            earlier, later = (self._names.get((counter, of_write)) for of_write in (True, False))
            if earlier is not None and later is not None and step is not None and step > 0:
                self._conditions.append(f"{earlier} <= {later}")
        steps = [f"k{n}" for n in range(self._steps)]
        inside = f"exists {', '.join(steps)} : " if steps else ""
        parameters = ", ".join(self._names.values())
        return f"[{parameters}] -> {{ [{', '.join(points)}] : {inside}{' and '.join(self._conditions)} }}"

    def _said(self, form: Form, of_write: bool) -> str:
        """A linear form, in parentheses."""
        terms = [str(form.get(None, 0))]
        terms += [
            f"{factor}*{self._name(atom, of_write)}" for atom, factor in form.items() if atom is not None
        ]
        return f"({' + '.join(terms)})"

    def _name(self, atom: Hashable, of_write: bool) -> str:
        key = atom, of_write and self._is_anew(atom)
        if key not in self._names:
            self._names[key] = f"p{len(self._names)}"
            self._pending.append(key)
        return self._names[key]

    def _restrict(self, atom: Hashable, of_write: bool) -> None:
        """Add what is known of an atom."""
        name = self._names[atom, of_write]
        limits = counter(atom)
        if limits is not None:
            lower, upper, step = limits
            first = self._said(linear_form(lower), of_write)
            self._conditions.append(f"{first} <= {name} < {self._said(linear_form(upper), of_write)}")
            if step != 1:
                self._conditions.append(f"{name} = {first} + {step}*k{self._steps}")
                self._steps += 1
            return
        low, high = bounds(atom)
        if low is not None:
            self._conditions.append(f"{low} <= {name}")
        if high is not None:
            self._conditions.append(f"{name} <= {high}")
