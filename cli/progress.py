"""A progress bar on standard error, for people who wait: only on a terminal, only when work takes a while.

The steps of a run are known beforehand (reading, checking, each pass, printing); the bar counts them and says which is
under way. It is drawn by a thread of its own and leaves nothing behind.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

PATIENCE = 1.0
"""Seconds after which a person wonders whether anything happens."""


class Progress:
    """Use as a context manager; call `step` when the next piece of work begins."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = -1
        self.what = ""
        self._bar: Any = None
        self._task: Any = None
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            self._timer = threading.Timer(PATIENCE, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._bar is not None:
                self._bar.stop()
                self._bar = None

    def step(self, what: str) -> None:
        """The work before is done; `what` is under way."""
        with self._lock:
            self.done += 1
            self.what = what
            if self._bar is not None:
                self._bar.update(self._task, completed=self.done, description=what)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        with self._lock:
            if self._timer is None:
                return
            self._bar = Bar(
                TextColumn("{task.description}"),
                BarColumn(),
                TimeElapsedColumn(),
                console=Console(file=sys.stderr),
                transient=True,
            )
            self._task = self._bar.add_task(self.what, total=self.total, completed=max(self.done, 0))
            self._bar.start()
