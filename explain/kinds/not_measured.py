"""The kind `not-measured`."""

from __future__ import annotations

from ..finding import Meant


class NotMeasured(Meant):
    """A run could not be measured.

    What --measure asks to run cannot be run, or memory cannot be freed in it, for the reason given. Choose the
    function with --entry and its arguments with --args.
    """

    id = "not-measured"
