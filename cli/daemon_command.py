"""`bufferize daemon`: start the warm process, ask for it, or end it; see `daemon.py` for what it does."""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from . import daemon
from .output import write_stdout

if TYPE_CHECKING:
    from .arguments import Parser

SUMMARY = "Start, show or stop the warm process that runs commands when BUFFERIZE_DAEMON=1 is set, or --daemon comes first."
EXAMPLES = (
    ("bufferize daemon start", "wait until it answers"),
    (
        "BUFFERIZE_DAEMON=1 bufferize explain cell.mlir",
        "the same output, sooner; it starts the process if there is none",
    ),
    ("bufferize daemon stop", "it also ends by itself, ten minutes after the last command"),
)
ACTIONS = ("start", "status", "stop")
WAIT = 30.0
"""Seconds to wait for a server to answer, or to end."""


def configure(parser: Parser) -> None:
    from .arguments import one_of

    parser.add_argument(
        "action", choices=ACTIONS, type=one_of(ACTIONS), metavar="ACTION", help="start, status or stop"
    )


def run(flags: argparse.Namespace) -> int:
    path = daemon.socket_path() if hasattr(os, "fork") else None
    if path is None:
        write_stdout("there is no private place for a socket: commands run the ordinary way\n")
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
    """The process that listens at a path, if one answers there; 0 if the system does not say which."""
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
