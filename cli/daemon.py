"""Client of the daemon: a warm process that runs small commands without Python's start-up time.

    BUFFERIZE_DAEMON=1 bufferize explain cell.mlir        # or: bufferize --daemon explain cell.mlir

The first such command finds no server, starts one in the background, and runs normally. Later ones pass their
arguments, directory, environment and standard streams to the server, which forks: the child has all modules imported
and runs the command as usual, so output and exit code are the same.

(1) *Private*: the socket is in a directory that only its owner may enter, and each side checks that the other is the
    same user.
(2) *Version-checked*: the socket's name contains the version and the paths of the package and of Python; a server
    whose files have changed since it loaded them exits.
(3) *Silent*: a command that cannot be served (no server, another user's socket, a system without `fork`) runs normally.
(4) *Short-lived*: a server exits after ten idle minutes.

This module is the client: it imports only modules that Python loads at startup, `_socket` and `_struct`.
The server is in `daemon_server.py`.
"""

from __future__ import annotations

import os
import stat
import sys

from .. import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Sequence

VARIABLE = "BUFFERIZE_DAEMON"
FLAG = "--daemon"
MOST_BYTES = 16 << 20
"""Bound on a request. Longer ones (with an environment of that size) run normally."""
NOT_SERVED = ("daemon", "lsp", "bench", "playground")
"""Commands that run normally: they are servers themselves, or measure startup costs."""
INTERRUPTED = 130


def is_wanted(words: Sequence[str]) -> bool:
    """Whether the user requests the daemon."""
    return words[:1] == [FLAG] or os.environ.get(VARIABLE, "") not in ("", "0")


def run_by_daemon(command: str, words: Sequence[str]) -> int | None:
    """The exit code of a command run by the server; None if it must run normally. Starts a server if there is none."""
    if not hasattr(os, "fork") or (words and words[0] in NOT_SERVED) or os.environ.get("BUFFERIZE_DEBUG"):
        return None
    path = socket_path()
    if path is None:
        return None
    connection = connect(path)
    if connection is None:
        start(path)
        return None
    try:
        return _ask(connection, command, words)
    except (OSError, ValueError):
        return None
    finally:
        connection.close()


def opt_main() -> int:
    """Entry point of `bufferize-opt`; the exit code."""
    words = sys.argv[1:]
    if is_wanted(words):
        words = words[words[:1] == [FLAG] :]
        if (code := run_by_daemon("bufferize-opt", words)) is not None:
            return code
    from .crash import leave
    from .opt import main

    code = main(words)
    leave(code, sys._getframe(1))
    return code


# -- the socket's path


def socket_path() -> str | None:
    """The socket path of this version; None if there is no private folder for it."""
    folder = _private_folder()
    if folder is None:
        return None
    what = f"{__version__} {os.path.dirname(__file__)} {sys.executable} {sys.version}"
    name = 14695981039346656037  # FNV-1a: `hash` differs between runs, `hashlib` is slow to import
    for byte in os.fsencode(what):
        name = (name ^ byte) * 1099511628211 % (1 << 64)
    return os.path.join(folder, f"{name:016x}.sock")


def _private_folder() -> str | None:
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = os.path.join(runtime, "bufferize") if runtime else f"/tmp/bufferize-{os.getuid()}"
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    except OSError:
        return None
    found = os.lstat(folder)
    is_ours = found.st_uid == os.getuid() and stat.S_ISDIR(found.st_mode)
    return folder if is_ours and not found.st_mode & 0o077 else None


# -- the client


def connect(path: str) -> socket | None:
    """A connection to the server; None if there is none, or it is another user's."""
    import _socket

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        return None
    if not is_same_user(connection):
        connection.close()
        return None
    return connection


def is_same_user(connection: socket) -> bool:
    """Whether the peer of a connection is this user, as far as the system can tell."""
    import _socket
    import _struct

    credentials = getattr(_socket, "SO_PEERCRED", None)
    if credentials is None:
        return True  # the folder is private
    _, user, _ = _struct.unpack("3i", connection.getsockopt(_socket.SOL_SOCKET, credentials, 12))
    return user == os.getuid()


def start(path: str) -> None:
    """Start a server in the background."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        os.chdir("/")
        code = f"from {__name__}_server import serve; serve({path!r})"
        os.execv(sys.executable, [sys.executable, "-c", code])
    finally:
        os._exit(1)


def _ask(connection: socket, command: str, words: Sequence[str]) -> int | None:
    import _socket
    import _struct

    streams = [getattr(sys, name) for name in ("stdin", "stdout", "stderr")]
    if any(stream is None for stream in streams):
        return None
    fields = [
        command,
        os.getcwd(),
        *(f"{stream.encoding}:{stream.errors}" for stream in streams),
        str(len(words)),
        *words,
        *(f"{name}={value}" for name, value in os.environ.items()),
    ]
    message = b"\0".join(os.fsencode(field) for field in fields)
    if len(message) > MOST_BYTES or any("\0" in field for field in fields):
        return None
    for stream in streams[1:]:
        stream.flush()
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, _struct.pack("3i", 0, 1, 2))]
    connection.sendmsg([_struct.pack("!I", len(message))], rights)
    connection.sendall(message)
    process = received(connection, 4)
    if process is None:
        return None  # the server no longer serves this version
    code = None
    try:
        code = received(connection, 4)
    except KeyboardInterrupt:
        os.kill(_struct.unpack("!i", process)[0], 2)
        code = received(connection, 4)
    return INTERRUPTED if code is None else _struct.unpack("!i", code)[0]


def received(connection: socket, count: int) -> bytes | None:
    """`count` bytes; None if the peer closes before."""
    found = b""
    while len(found) < count:
        part = connection.recv(count - len(found))
        if not part:
            return None
        found += part
    return found
