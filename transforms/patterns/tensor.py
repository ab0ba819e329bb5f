"""Canonicalization of `tensor`."""

from __future__ import annotations

from typing import Final

PATTERNS: Final = {}
