"""Pausing Python's cyclic garbage collector while much is built and nothing is dropped.

Operations, values and uses refer to one another, so a growing program makes the collector scan ever more objects that are
all alive: a quarter of the time of reading a large file. Work that only builds runs faster without it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collection_paused() -> Iterator[None]:
    """No cyclic collection inside; nests. Whoever dropped a program inside pays for it in memory until the end."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
