"""Data attached to the classes of an equivalence relation: what becomes of it when two classes are joined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

D = TypeVar("D", contravariant=True)


class ClassData(Protocol[D]):
    """What is known of a class, beside its members, and how two such things become one.

    Of two classes that merge, the data with the smaller `size` is merged into the other, so each piece moves
    O(log n) times. A caller who wants to examine only the pairs across asks `data` of both before `union`,
    or does it in `merge_into`, which is called with both, still whole.
    """

    def size(self, data: D, /) -> int:
        """How much there is to move, in any unit."""
        ...

    def merge_into(self, larger: D, smaller: D, /) -> Callable[[], object] | None:
        """Extend `larger` by `smaller`, leave `smaller` as it is, and return how to take it back.

        The returned function is called, last in first out, when a transaction is rolled back; None
        means that there is nothing to take back.
        """
        ...
