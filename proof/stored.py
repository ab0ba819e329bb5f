"""Buffers that a function stores in its caller's memory.

Such a buffer is like a result: it belongs to the caller from then on, who finds it where it was stored. The buffers that both
programs store are compared in their order: where they are stored, and what they contain at the end.

In between nobody else may use a buffer that was stored: nothing is executed that may load it (what is loaded from memory is not
followed), and no other reference to it leaves the function. Only whole new buffers are followed, outside of loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ir.source.diagnostics import present
from . import contents as c
from .state import Base, Held, MemoryState, Pointer, bases_of, read_along
from .terms import TRUE, Term


@dataclass(frozen=True, slots=True)
class Stored:
    """A buffer that was stored.

    Attributes:
        target, place: where it was stored.
        term: what is stored there: the same term for the buffers of both programs that are compared.
        trace: the events before.
    """

    base: Base
    target: Pointer
    place: tuple[Term, ...]
    term: Term
    trace: Term

    @property
    def where(self) -> tuple[object, ...]:
        """The place and the type, in terms of both programs."""
        return self.target.base.name, self.target.steps, self.place, self.term

    def is_left_alone(self, values: Sequence[Held], state: MemoryState) -> bool:
        """Whether only the caller can use the buffer when the function has ended with these values in this state."""
        returned = {base for value in values if not isinstance(value, Term) for base in bases_of(value)}
        others = self.base.overlaps or self.base.copies or self.base in returned
        return not others and state.trace is self.trace and state.life(self.base) is TRUE

    def is_found(self, state: MemoryState) -> bool:
        """Whether the buffer is still where it was stored when the function has ended in this state."""
        content = read_along(state.content(self.target.base), self.target.steps)
        if self.place:
            content = c.reshape(c.ext(content, c.point(self.place)), ())
        return state.life(self.target.base) is TRUE and c.item(content, present(self.term.type)) is self.term
