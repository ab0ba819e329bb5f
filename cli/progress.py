"""A progress bar on standard error, for people who wait: only on a terminal, only when work takes a while.

Where the steps of a run are known beforehand (reading, checking, each pass, printing; files, seeds), the bar counts them; it
says which is under way. It is drawn by a thread of its own and leaves nothing behind: whoever writes results calls `done` first.
Every command runs inside a bar, so what is under way only has to be said: `say("reading cell.mlir")`.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import threading

PATIENCE = 1.0
"""Seconds after which a person wonders whether anything happens."""


class Progress:
    """Use as a context manager; call `step` when the next piece of work begins.

    One inside another takes its place for good.

    Args:
        total: how many steps there are; None if nobody knows.
    """

    _current: ClassVar[Progress | None] = None

    def __init__(self, total: int | None) -> None:
        self.total = total
        self.done = -1
        self.what = ""
        self._bar: Any = None
        self._task: Any = None
        self._timer: threading.Timer | None = None
        self._lock: threading.Lock | nullcontext[None] = nullcontext()
        self._around: Progress | None = None

    def __enter__(self) -> Progress:
        self._around = Progress._current
        if self._around is not None:
            self._around.stop()
        Progress._current = self
        if sys.stderr.isatty():
            import threading  # only a bar needs it, and starting up counts

            self._lock = threading.Lock()
            self._timer = threading.Timer(PATIENCE, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        Progress._current = self._around
        self.stop()

    def stop(self) -> None:
        """Take the bar away, for good."""
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
                *((BarColumn(),) if self.total is not None else ()),
                TimeElapsedColumn(),
                console=Console(file=sys.stderr),
                transient=True,
            )
            self._task = self._bar.add_task(self.what, total=self.total, completed=max(self.done, 0))
            self._bar.start()


def say(what: str) -> None:
    """The piece of work before is done; `what` is under way."""
    if Progress._current is not None:
        Progress._current.step(what)


def done() -> None:
    """All is computed: what follows is written, perhaps to the same terminal."""
    if Progress._current is not None:
        Progress._current.stop()
