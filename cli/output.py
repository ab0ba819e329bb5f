"""Output: files written completely or not at all, errors on standard error, and a progress bar."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, ClassVar, TextIO

from ..ir.source.diagnostics import BufferizeError, Diagnostic, InputError, Severity, format_plain

if TYPE_CHECKING:
    import threading


# A progress bar on standard error: only on a terminal, and only for work that takes a while.
#
# If the steps of a run are known in advance (parsing, verification, each pass, printing; files, seeds), the bar counts
# them; it shows the current one. A separate thread draws it, and `done` erases it before results are written.
# Every command runs inside a bar, so code only announces its steps: `say("reading cell.mlir")`.

PATIENCE = 1.0
"""Seconds before the bar appears."""


class Progress:
    """A context manager; call `step` when the next piece of work begins.

    A nested one replaces the outer one permanently.

    Args:
        total: the number of steps; None if unknown.
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
            import threading  # imported only if a bar is shown

            self._lock = threading.Lock()
            self._timer = threading.Timer(PATIENCE, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        Progress._current = self._around
        self.stop()

    def stop(self) -> None:
        """Erase the bar permanently."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._bar is not None:
                self._bar.stop()
                self._bar = None

    def step(self, what: str) -> None:
        """End the current step and begin `what`."""
        with self._lock:
            self.done += 1
            self.what = what
            if self._bar is not None:
                self._bar.update(self._task, completed=self.done, description=what)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress as Bar, TextColumn, TimeElapsedColumn

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
    """End the current step and begin `what`."""
    if Progress._current is not None:
        Progress._current.step(what)


def done() -> None:
    """Erase the bar before results are written, possibly to the same terminal."""
    if Progress._current is not None:
        Progress._current.stop()


def write_stdout(text: str) -> None:
    """Write text to standard output as UTF-8, restoring bytes that were not decodable."""
    done()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    stream.write(text.encode("utf-8", "surrogateescape"))
    stream.flush()


def write(text: str, path: str) -> None:
    """Write text to standard output if the path is `-`, else to that file; see `write_file`."""
    if path == "-":
        write_stdout(text)
    else:
        write_file(path, text)


def write_file(path: str, content: str | bytes) -> None:
    """Replace the file at `path` by `content`; on failure the old content is kept.

    Raises:
        InputError: the file cannot be written.
    """
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    target = os.path.realpath(path)  # follow a symbolic link and replace its target
    try:
        known = os.path.exists(target)
        if known and not os.path.isfile(target):  # a pipe or device cannot be replaced
            with open(target, "wb") as file:
                file.write(data)
            return
        replace_file(target, data, os.stat(target).st_mode & 0o7777 if known else 0o666 & ~_umask())
    except OSError as failure:
        raise InputError(f"cannot write output file '{path}': {failure.strerror or failure}") from None


def replace_file(target: str, data: bytes, mode: int = 0o600) -> None:
    """Write a file under a new name beside `target`, and rename it. Without `tempfile`, whose import takes 5 ms.

    Raises:
        OSError: that fails; nothing is left behind.
    """
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name}.{os.urandom(8).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(temporary, flags, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


# Reporting errors in an input or command line on standard error.
#
# The layout is `mlir-opt`'s, which editors and continuous integration parse; on a terminal the severity is
# coloured. Control characters of the input are replaced.


class UsageError(BufferizeError):
    """The command line is invalid."""


MOST_SHOWN = 20
"""Bound on the diagnostics shown."""

_COLORS = {
    Severity.ERROR: "\x1b[1;38;5;160m",
    Severity.WARNING: "\x1b[1;38;5;166m",
    Severity.REMARK: "\x1b[1;38;5;133m",
    Severity.NOTE: "\x1b[1;38;5;30m",
}


def show_errors(failure: BufferizeError, color: str = "auto") -> None:
    """Write all diagnostics of `failure`, in order."""
    from ..viz.render_style import wants_color

    colored = wants_color(sys.stderr, color)
    for diagnostic in failure.diagnostics[:MOST_SHOWN]:
        _write(sys.stderr, _text(diagnostic, colored) + "\n")
    left = len(failure.diagnostics) - MOST_SHOWN
    if left > 0:
        _write(sys.stderr, f"{left} more {'error is' if left == 1 else 'errors are'} not shown\n")


def annotate_errors(failure: BufferizeError) -> None:
    """Also write errors in a program as annotations to standard output, where code hosts look for them."""
    from ..viz.render_formats import to_github

    write_stdout(to_github(failure.diagnostics[:MOST_SHOWN]) + "\n")


def _text(diagnostic: Diagnostic, colored: bool) -> str:
    from ..viz.render_style import clean

    if diagnostic.span is None and diagnostic.place is None:
        lines = [f"bufferize: {diagnostic.severity}: {diagnostic.message}"]
        lines += [f"{note.kind}: {note.text}" for note in diagnostic.notes]
    else:
        lines = format_plain(diagnostic).split("\n")
    lines = [clean(line) for line in lines]
    if colored:
        for severity, code in _COLORS.items():
            mark = f": {severity}: "
            lines = [line.replace(mark, f": {code}{severity}:\x1b[0m ", 1) for line in lines]
    return "\n".join(lines)


def _write(stream: TextIO, text: str) -> None:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "replace").decode(encoding))
