"""Folds of `linalg`."""

from __future__ import annotations

from typing import Final

from . import Fold

FOLDS: Final[dict[str, Fold]] = {}
