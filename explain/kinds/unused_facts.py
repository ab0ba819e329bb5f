"""Facts that speak of nobody."""

from __future__ import annotations

from ..finding import Meant


class UnusedFacts(Meant):
    """Facts describe an operation that is not there.

    A file given with --models says what an operation reads, writes or aliases. Its dialect has no operation of that name, or the
    program has one of a similar name of which nothing is known. Facts are not used then, and the operation that was meant is taken
    to read and write everything. Spell the name as the program does.
    """

    id = "unused-facts"
