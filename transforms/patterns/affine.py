"""Canonicalization of `affine`."""

from __future__ import annotations

from typing import Final

PATTERNS: Final = {}
