"""The kind `not-proved-fewest`."""

from __future__ import annotations

from ..finding import Meant


class NotProvedFewest(Meant):
    """The search for fewest copies has not proved that its choice is the best.

    It was stopped by time-limit, or had too much to look at, or rests on what is decided elsewhere. It is said how many bytes are proved
    to be copied whatever is decided: the best choice copies no fewer. More time, or a smaller function, may settle it.
    """

    id = "not-proved-fewest"
