"""placeholder"""

from __future__ import annotations

from .plain import find_obstacle as find_obstacle


def prepare(state, root):
    return None
