"""The kind `in-place`."""

from __future__ import annotations

from ..finding import Described


class InPlace(Described):
    """The operand is used in place.

    Nothing that runs later needs what is overwritten.
    """

    id = "in-place"
