"""`bufferize daemon`: the server for `daemon.py`, warmed up once, forking for each request."""

from __future__ import annotations

import argparse
import gc
import io
import os
import selectors
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from . import cache, daemon
from .daemon import INTERRUPTED, MOST_BYTES, connect, is_same_user, received
from .main import main
from .opt import main as opt
from .output import write_stdout

if TYPE_CHECKING:
    from .arguments import Parser


IDLE = 600.0
"""Idle seconds after which the server exits."""


def serve(path: str, idle: float = IDLE) -> None:
    """Listen at `path` until idle for `idle` seconds, the package's files change, or another server takes the path."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mine = f"{path}.{os.getpid()}"
    try:
        listener.bind(mine)
        os.chmod(mine, 0o600)
        listener.listen(16)
        read_at = _stamps()
        warm_up()
        if _is_answered(path):
            os.unlink(mine)
            return  # another server was faster
        os.rename(mine, path)
    except OSError:
        return
    place = os.stat(path).st_ino
    signal.signal(signal.SIGCHLD, lambda *_: _reap())
    if hasattr(gc, "freeze"):  # not in PyPy
        gc.freeze()  # excludes objects shared by all children from their garbage collection
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    while selector.select(idle):
        try:
            if os.stat(path).st_ino != place:
                return
        except OSError:
            return
        connection, _ = listener.accept()
        with connection:
            if _stamps() != read_at:
                os.unlink(path)
                return
            if is_same_user(connection):
                _fork_for(connection, listener)
    os.unlink(path)


def _is_answered(path: str) -> bool:
    connection = connect(path)
    if connection is None:
        return False
    connection.close()
    return True


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def _stamps() -> list[tuple[str, int, int]]:
    """The package's files with sizes and times. Takes a few milliseconds."""
    return sorted(cache.files_of_package())


def warm_up() -> list[int]:
    """Run typical small commands once, so that modules, grammars and forms are loaded; returns their exit codes."""
    codes: list[int] = []
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), suppress(SystemExit):
        before = os.environ.get("BUFFERIZE_NO_CACHE")
        os.environ["BUFFERIZE_NO_CACHE"] = "1"
        for program in PROGRAMS:
            codes.append(main(["explain", program, "--color", "never"]))
        codes.append(main(["lint", PROGRAMS[0]]))
        codes.append(opt([PROGRAMS[0], *PIPELINE]))
        if before is None:
            del os.environ["BUFFERIZE_NO_CACHE"]
    for name in ("..explain.kept", ".questions"):  # used to read and write cached results
        import_module(name, __package__)
    cache.this_package()  # children inherit this hash: if the files change, the server exits
    return codes


PIPELINE = (
    "-eliminate-empty-tensors",
    "-one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops",
    "-canonicalize",
    "-cse",
    "-buffer-deallocation-pipeline",
)
PROGRAMS = [
    str(Path(__file__).parents[1] / "examples" / f"{name}.mlir") for name in ("slice", "loop", "call")
]


def _fork_for(connection: socket.socket, listener: socket.socket) -> None:
    """Serve one request in a child process."""
    if os.fork():
        return
    code = 1
    try:
        listener.close()
        code = _serve_one(connection)
    except BaseException:  # an aborted request: there is no one to report to
        code = 1
    finally:
        os._exit(code & 0xFF)


def _serve_one(connection: socket.socket) -> int:
    size, descriptors, _, _ = socket.recv_fds(connection, 4, 3)
    size += received(connection, 4 - len(size)) or b""
    if len(size) != 4 or len(descriptors) != 3:
        return 1
    (length,) = struct.unpack("!I", size)
    message = received(connection, length) if length <= MOST_BYTES else None
    if message is None:
        return 1
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    command, folder, *rest = (os.fsdecode(field) for field in message.split(b"\0"))
    encodings, count, rest = rest[:3], int(rest[3]), rest[4:]
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target)
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    for field in rest[count:]:
        name, _, value = field.partition("=")
        os.environ[name] = value
    for descriptor, (name, encoding) in enumerate(zip(("stdin", "stdout", "stderr"), encodings, strict=True)):
        raw = open(descriptor, "rb" if descriptor == 0 else "wb", closefd=False)  # noqa: SIM115
        codec, _, errors = encoding.partition(":")
        is_lined = descriptor == 2 or (descriptor == 1 and os.isatty(1))
        setattr(sys, name, io.TextIOWrapper(raw, codec, errors, line_buffering=is_lined))
    connection.sendall(struct.pack("!i", os.getpid()))
    threading.Thread(target=_end_with, args=(connection,), daemon=True).start()
    words = rest[:count]
    sys.argv = [command, *words]
    try:
        code = opt(words) if command == "bufferize-opt" else main(words)
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 1
    connection.sendall(struct.pack("!i", code))
    return code


def _end_with(connection: socket.socket) -> None:
    """Exit when the client does, since its output has no reader."""
    try:
        connection.recv(1)
    except OSError:
        return
    os._exit(INTERRUPTED)


# `bufferize daemon`: start, query or stop the warm process; see `daemon.py`.

SUMMARY = "Start, query or stop the background process that runs commands when BUFFERIZE_DAEMON=1 is set or --daemon comes first."
EXAMPLES = (
    ("bufferize daemon start", "start the process and wait until it answers"),
    (
        "BUFFERIZE_DAEMON=1 bufferize explain cell.mlir",
        "the same output, faster; starts the process if necessary",
    ),
    ("bufferize daemon stop", "stop it; it also exits ten minutes after the last command"),
)
ACTIONS = ("start", "status", "stop")
WAIT = 30.0
"""Seconds to wait for a server to answer or to exit."""


def configure(parser: Parser) -> None:
    from .arguments import one_of

    parser.add_argument(
        "action", choices=ACTIONS, type=one_of(ACTIONS), metavar="ACTION", help="start, status or stop"
    )


def run(flags: argparse.Namespace) -> int:
    path = daemon.socket_path() if hasattr(os, "fork") else None
    if path is None:
        write_stdout("there is no private directory for a socket: commands run normally\n")
        return 2
    process = _process(path)
    if flags.action == "start" and process is None:
        daemon.start(path)
        process = _until(path, lambda found: found is not None)
    elif flags.action == "stop" and process is not None:
        os.kill(process, signal.SIGTERM)
        _until(path, lambda found: found is None)
        write_stdout(f"stopped, process {process}\n")
        return 0
    write_stdout("not running\n" if process is None else f"running, process {process}\n")
    return 0 if (process is not None) == (flags.action != "stop") else 1


def _process(path: str) -> int | None:
    """The process id of the server at a path, if one answers; 0 if the system does not report it."""
    import socket
    import struct

    connection = daemon.connect(path)
    if connection is None:
        return None
    credentials = getattr(socket, "SO_PEERCRED", None)
    try:
        if credentials is None:
            return 0
        return struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, credentials, 12))[0]
    finally:
        connection.close()


def _until(path: str, holds: Callable[[int | None], bool]) -> int | None:
    end = time.monotonic() + WAIT
    process = _process(path)
    while not holds(process) and time.monotonic() < end:
        time.sleep(0.02)
        process = _process(path)
    return process
