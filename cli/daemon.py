"""A warm process that runs commands for those who ask for it: what is slow about a small command is starting Python.

    BUFFERIZE_DAEMON=1 bufferize explain cell.mlir        # or: bufferize --daemon explain cell.mlir

The first such command finds no server, starts one in the background, and runs as always. Later ones hand their arguments, directory,
environment and standard streams to the server, which forks: the child is a process that has imported everything already,
and from there on does what the command would have done, so that output and exit code are the same.

(1) *Private*: the socket lies in a directory that only its owner may enter, and each side checks that the other is the same user.
(2) *Of one version*: the socket's name holds the version and the place of the package and of Python; a server whose files have
    changed since it read them ends.
(3) *Silent*: what cannot be served (no server, another user's socket, a system without `fork`) runs the ordinary way.
(4) *Short-lived*: a server that nobody asks for `IDLE` seconds ends.

The part of the client imports nothing but what Python has imported at its start, `_socket` and `_struct`.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from typing import Any

from .. import __version__

VARIABLE = "BUFFERIZE_DAEMON"
FLAG = "--daemon"
IDLE = 600.0
"""Seconds after which a server that nobody asks for anything ends."""
MOST_BYTES = 16 << 20
"""The longest request. A longer one (an environment of that size) runs the ordinary way."""
NOT_SERVED = ("daemon", "lsp", "bench", "playground")
"""Commands that run the ordinary way: they are servers themselves, or measure what starting costs."""
INTERRUPTED = 130


def wanted(words: list[str]) -> bool:
    """Whether the user asks for the server; the flag is taken out of `words`."""
    if words and words[0] == FLAG:
        del words[0]
        return True
    return os.environ.get(VARIABLE, "") not in ("", "0")


def run_by_daemon(command: str, words: Sequence[str]) -> int | None:
    """The exit code of a command that the server has run; None if it is to be run the ordinary way. Starts a server if there is none."""
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
    if wanted(words):
        code = run_by_daemon("bufferize-opt", words)
        if code is not None:
            return code
    from .opt import main

    return main(words)


# -- where


def socket_path() -> str | None:
    """Where the server of this version listens; None if there is no private place for it."""
    folder = _private_folder()
    if folder is None:
        return None
    what = f"{__version__} {os.path.dirname(__file__)} {sys.executable} {sys.version}"
    name = 14695981039346656037  # FNV-1a: `hash` differs from run to run, `hashlib` takes a while to import
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


def connect(path: str) -> Any:
    """A connection to the server; None if there is none, or another user's."""
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


def is_same_user(connection: Any) -> bool:
    """Whether the other end of a connection belongs to this user, as far as the system tells."""
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
        code = f"from {__name__} import serve; serve({path!r})"
        os.execv(sys.executable, [sys.executable, "-c", code])
    finally:
        os._exit(1)


def _ask(connection: Any, command: str, words: Sequence[str]) -> int | None:
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
    process = _received(connection, 4)
    if process is None:
        return None  # it does not serve us any more
    code = None
    try:
        code = _received(connection, 4)
    except KeyboardInterrupt:
        os.kill(_struct.unpack("!i", process)[0], 2)
        code = _received(connection, 4)
    return INTERRUPTED if code is None else _struct.unpack("!i", code)[0]


def _received(connection: Any, count: int) -> bytes | None:
    """So many bytes; None if the other side has closed before."""
    found = b""
    while len(found) < count:
        part = connection.recv(count - len(found))
        if not part:
            return None
        found += part
    return found


# -- the server


def serve(path: str, idle: float = IDLE) -> None:
    """Listen at `path` until nobody has asked for `idle` seconds, the files of the package have changed, or somebody took the place."""
    import gc
    import selectors
    import signal
    import socket

    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mine = f"{path}.{os.getpid()}"
    try:
        listener.bind(mine)
        os.chmod(mine, 0o600)
        listener.listen(16)
        warm_up()
        if _is_answered(path):
            os.unlink(mine)
            return  # another has been faster
        os.rename(mine, path)
    except OSError:
        return
    place = os.stat(path).st_ino
    read_at = _stamps()
    signal.signal(signal.SIGCHLD, lambda *_: _reap())
    gc.freeze()  # what all children share is not looked at by their collectors
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


def _stamps() -> dict[str, int]:
    """When each file of the package that was imported was changed."""
    found: dict[str, int] = {}
    for name, module in list(sys.modules.items()):
        file = (
            getattr(module, "__file__", None)
            if name.partition(".")[0] == __name__.partition(".")[0]
            else None
        )
        if file:
            try:
                found[file] = os.stat(file).st_mtime_ns
            except OSError:
                found[file] = 0
    return found


def warm_up() -> None:
    """Do once what small commands do, so that their modules, grammars and forms are there."""
    import io
    from contextlib import redirect_stderr, redirect_stdout, suppress

    from .main import main
    from .opt import main as opt

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), suppress(SystemExit):
        stdin, before = sys.stdin, os.environ.get("BUFFERIZE_NO_CACHE")
        os.environ["BUFFERIZE_NO_CACHE"] = "1"
        for run, words in (
            (main, ["explain", "-", "--color", "never"]),
            (main, ["lint", "-"]),
            (opt, ["-", *PIPELINE]),
        ):
            sys.stdin = io.StringIO(SAMPLE)
            run(words)
        sys.stdin = stdin
        if before is None:
            del os.environ["BUFFERIZE_NO_CACHE"]


PIPELINE = (
    "-eliminate-empty-tensors",
    "-one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops",
    "-canonicalize",
    "-cse",
    "-buffer-deallocation-pipeline",
)
SAMPLE = """
func.func @f(%t: tensor<8x8xf32>, %f: f32, %i: index) -> (tensor<8x8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%t, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.extract_slice %m[0, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
  %p = tensor.insert_slice %s into %t[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%a = %p) -> (tensor<8x8xf32>) {
    %v = tensor.insert %f into %a[%k, %k] : tensor<8x8xf32>
    scf.yield %v : tensor<8x8xf32>
  }
  %x = tensor.extract %t[%i, %i] : tensor<8x8xf32>
  return %r, %x : tensor<8x8xf32>, f32
}
"""


def _fork_for(connection: Any, listener: Any) -> None:
    """Serve one request in a child."""
    if os.fork():
        return
    code = 1
    try:
        listener.close()
        code = _serve_one(connection)
    except BaseException:  # a request that is cut short: nobody is left to tell
        code = 1
    finally:
        os._exit(code & 0xFF)


def _serve_one(connection: Any) -> int:
    import io
    import signal
    import socket
    import struct
    import threading

    size, descriptors, _, _ = socket.recv_fds(connection, 4, 3)
    while 0 < len(size) < 4:
        size += connection.recv(4 - len(size))
    (length,) = struct.unpack("!I", size)
    message = _received(connection, length) if length <= MOST_BYTES else None
    if message is None or len(descriptors) != 3:
        return 1
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    command, folder, *rest = (os.fsdecode(field) for field in message.split(b"\0"))
    encodings, count, rest = rest[:3], int(rest[3]), rest[4:]
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target)
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(field.split("=", 1) for field in rest[count:])
    for descriptor, (name, encoding) in enumerate(zip(("stdin", "stdout", "stderr"), encodings, strict=True)):
        raw = open(descriptor, "rb" if descriptor == 0 else "wb", closefd=False)  # noqa: SIM115
        codec, _, errors = encoding.partition(":")
        is_lined = descriptor == 2 or (descriptor == 1 and os.isatty(1))
        setattr(sys, name, io.TextIOWrapper(raw, codec, errors, line_buffering=is_lined))
    connection.sendall(struct.pack("!i", os.getpid()))
    threading.Thread(target=_end_with, args=(connection,), daemon=True).start()
    words = rest[:count]
    sys.argv = [command, *words]
    if command == "bufferize-opt":
        from .opt import main
    else:
        from .main import main
    try:
        code = main(words)
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 1
    connection.sendall(struct.pack("!i", code))
    return code


def _end_with(connection: Any) -> None:
    """End with the one who asked: there is nobody left to write for."""
    try:
        connection.recv(1)
    except OSError:
        return
    os._exit(INTERRUPTED)
