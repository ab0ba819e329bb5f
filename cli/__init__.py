"""The command line. Begin with `main`, and with the table of subcommands in `commands`; each is a module.

A command's imports live until the process ends, so garbage collection rarely frees anything: with Python's default
threshold of 700 objects it took a thirtieth of a run on a small program.
"""

import gc

if hasattr(gc, "set_threshold"):  # PyPy has another collector
    gc.set_threshold(50_000)
