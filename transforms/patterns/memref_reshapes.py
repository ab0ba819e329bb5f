"""Canonicalization of `memref.expand_shape` and `memref.collapse_shape`."""

from __future__ import annotations

from typing import Final

EXPAND_PATTERNS: Final = ()
COLLAPSE_PATTERNS: Final = ()
