"""The order of the fuzzing heuristic: a shuffle driven by the 32-bit Mersenne Twister, seeded with one integer.

Python's own generator is the same machine, but seeds it differently, so the state is made here and handed over.

.. [1] M. Matsumoto, T. Nishimura, "Mersenne Twister", ACM TOMACS 8(1), 1998 (with the initialisation of 2002).
"""

from __future__ import annotations

import random
from typing import TypeVar

T = TypeVar("T")

STATE_SIZE = 624
WORD = 0xFFFFFFFF


def mt19937(seed: int) -> random.Random:
    """A generator whose `getrandbits(32)` gives the outputs of `std::mt19937` with this seed."""
    state = [seed & WORD]
    for i in range(1, STATE_SIZE):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) & WORD)
    generator = random.Random()
    generator.setstate((3, (*state, STATE_SIZE), None))
    return generator


def shuffled(items: list[T], seed: int) -> list[T]:
    """The items in the order of `llvm::shuffle` with `std::mt19937(seed)`. O(items)."""
    generator = mt19937(seed)
    order = list(items)
    size = len(order)
    for position in range(size - 1):
        offset = generator.getrandbits(32) % (size - position)
        other = position + offset
        order[position], order[other] = order[other], order[position]
    return order
