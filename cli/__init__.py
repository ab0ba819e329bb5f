"""The commands.

A process that runs one of them keeps what it imports, so looking through it for garbage finds none: with Python's own threshold
of 700 objects that took a thirtieth of a run on a small program.
"""

import gc

if hasattr(gc, "set_threshold"):  # PyPy collects in another way
    gc.set_threshold(50_000)
