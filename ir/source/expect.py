"""What a declaration promises, said where it is used: an operation that was verified has the types and attributes it declares.

Type checkers know an operand's type as a `Type`, since one class serves tensors and buffers alike. `expect` states which
kind it is, checks that, and lets them know.
"""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def expect(kind: type[T], found: object) -> T:
    """`found`, which is of that kind. Anything else is a mistake in this program, not in its input: AssertionError.

    >>> expect(int, 3) + 1
    4
    """
    assert isinstance(found, kind), f"{found!r} is no {kind.__name__}"
    return found
