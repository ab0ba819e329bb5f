"""The kind `in-place`."""

from __future__ import annotations

from ..finding import Meant


class InPlace(Meant):
    """The operand is used in place.

    Nothing that runs later needs what is overwritten.
    """

    id = "in-place"
