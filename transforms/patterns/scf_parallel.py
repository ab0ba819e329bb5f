"""Canonicalization of `scf.forall` and `scf.parallel`."""

from __future__ import annotations

from typing import Final

FORALL_PATTERNS: Final = ()
PARALLEL_PATTERNS: Final = ()
