"""`--watch`: do it again whenever a file changes.

Files are looked at a few times in a second: nothing has to be installed for that, and editors that replace a file instead of
writing to it are noticed like others.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator

from ..ir.source.diagnostics import BufferizeError
from .arguments import UsageError

INTERVAL = 0.25
"""Seconds between two looks."""


def watch(
    files: Iterable[str],
    run: Callable[[], object],
    color: str = "auto",
    pause: Callable[[], Iterator[None]] | None = None,
) -> int:
    """Call `run` now and after each change of one of `files`, until interrupted; 0.

    What is wrong with the programs is said, and ends nothing.

    Args:
        pause: yields whenever it is time to look again; ends when nobody wants to look any more.

    Raises:
        UsageError: standard input is among the files, and can be read but once.
    """
    from ..viz.text_width import clean_lines
    from .errors import show_errors

    names = list(files)
    if "-" in names:
        raise UsageError("--watch waits until a file changes; standard input is none")
    seen: list[object] = []
    try:
        for _ in (pause or _ticks)():
            state = [_state(name) for name in names]
            if state == seen:
                continue
            seen = state
            if sys.stdout.isatty():
                sys.stdout.write("\x1b[2J\x1b[H")
            try:
                run()
            except BufferizeError as failure:
                show_errors(failure, color)
            sys.stdout.flush()
            sys.stderr.write(clean_lines([f"watching {', '.join(names)}; Ctrl-C ends"]))
            sys.stderr.flush()
    except KeyboardInterrupt:
        sys.stderr.write("\n")
    return 0


def _ticks() -> Iterator[None]:
    while True:
        yield
        time.sleep(INTERVAL)


def _state(name: str) -> object:
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
