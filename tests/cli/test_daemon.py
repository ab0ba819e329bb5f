"""What the warm process runs prints what the ordinary way prints, byte for byte, and ends with the same code."""

from __future__ import annotations

import os
import socket
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bufferize.cli import daemon

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")

CELL = """func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %u, %x : tensor<4xf32>, f32
}
"""
ENTRY = {
    "bufferize": "from bufferize.cli.main import main; raise SystemExit(main())",
    "bufferize-opt": "from bufferize.cli.daemon import opt_main; raise SystemExit(opt_main())",
}


def run(folder: Path, command: str, *words: str, stdin: str = "", **variables: str) -> tuple[int, str, str]:
    environment = {
        **os.environ,
        "XDG_RUNTIME_DIR": str(folder),
        "PYTHONPATH": os.pathsep.join(sys.path),
        **variables,
    }
    done = subprocess.run(
        [sys.executable, "-c", ENTRY[command], *words],
        input=stdin, capture_output=True, text=True, cwd=folder, env=environment, timeout=300, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a program and a server of its own."""
    found = tmp_path_factory.mktemp("d")
    (found / "cell.mlir").write_text(CELL)
    assert run(found, "bufferize", "daemon", "start")[1].startswith("running")
    yield found
    run(found, "bufferize", "daemon", "stop")


@pytest.mark.parametrize(
    ("command", "words", "stdin"),
    [
        ("bufferize", ["explain", "cell.mlir"], ""),
        ("bufferize", ["explain", "-", "--format", "json"], CELL),
        ("bufferize", ["explain", "cell.mlir", "--fail-on-copy"], ""),
        ("bufferize", ["explain", "missing.mlir"], ""),
        ("bufferize", ["nonsense"], ""),
        ("bufferize-opt", ["cell.mlir", "-one-shot-bufferize=bufferize-function-boundaries"], ""),
        ("bufferize-opt", ["-"], "func.func @f( {"),
        ("bufferize-opt", ["cell.mlir", "--no-such-pass"], ""),
    ],
)
def test_served_or_not_it_is_the_same(folder: Path, command: str, words: list[str], stdin: str) -> None:
    ordinary = run(folder, command, *words, stdin=stdin)
    assert run(folder, command, *words, stdin=stdin, BUFFERIZE_DAEMON="1") == ordinary
    assert run(folder, command, "--daemon", *words, stdin=stdin) == ordinary


def test_it_is_served_by_a_process_that_has_imported_everything(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    path = daemon.socket_path()
    assert path is not None
    connection = daemon.connect(path)
    assert connection is not None
    connection.close()
    mode = os.lstat(os.path.dirname(path)).st_mode
    assert stat.S_ISDIR(mode) and not mode & 0o077


def test_the_environment_and_the_folder_are_those_of_who_asks(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir()
    (inner / "own.mlir").write_text(CELL)
    code = (
        "import os, sys; os.chdir('inner'); sys.argv[1:] = ['explain', 'own.mlir', '-o', 'x.txt'];"
        + ENTRY["bufferize"]
    )
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    texts = []
    for asked in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", code], env={**environment, "BUFFERIZE_DAEMON": asked}, cwd=folder, timeout=300,
            check=False, capture_output=True,
        )  # fmt: skip
        texts.append((done.returncode, done.stdout, done.stderr, sorted(os.listdir(inner))))
    assert texts[0] == texts[1]


def server_of(path: str) -> int:
    """The process that listens at a path; 0 where the system does not say."""
    if not hasattr(socket, "SO_PEERCRED"):
        return 0
    connection = daemon.connect(path)
    assert connection is not None
    server = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
    connection.close()
    return server


def children(server: int) -> list[str]:
    """The processes that a server has forked and that have not ended; none where the system does not say."""
    listed = Path(f"/proc/{server}/task/{server}/children")
    return listed.read_text().split() if listed.exists() else []


def test_nobody_else_may_have_made_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "bufferize").mkdir(mode=0o755)
    (tmp_path / "bufferize").chmod(0o755)
    assert daemon.socket_path() is None
    (tmp_path / "bufferize").rmdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "bufferize").symlink_to(tmp_path / "elsewhere")
    assert daemon.socket_path() is None


def test_a_request_that_is_no_request_does_not_end_the_server(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    path = daemon.socket_path() or ""
    server = server_of(path)
    for nonsense in (b"", b"\x00", b"\xff\xff\xff\xff", b"\x00\x00\x00\x04abcd"):
        connection = daemon.connect(path)
        assert connection is not None
        connection.sendall(nonsense)
        connection.close()
    for _ in range(6_000):  # each that was asked nonsense ends
        if not children(server):
            break
        time.sleep(0.05)
    assert not children(server)
    served = run(folder, "bufferize", "--daemon", "explain", "cell.mlir")
    assert served == run(folder, "bufferize", "explain", "cell.mlir")
    assert daemon.connect(path) is not None


def test_what_warms_up_runs():
    code = "from bufferize.cli.daemon_server import warm_up; print(warm_up())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[0, 0, 0, 0, 0]\n"
