"""From the dot language to pictures, by the `dot` program of Graphviz."""

from __future__ import annotations

import shutil
import subprocess

from ...ir.source.diagnostics import BufferizeError, error

FORMATS = ("dot", "svg", "png", "pdf")
TIME_LIMIT = 120
"""Seconds. Layout takes seconds for what can be looked at; what takes longer could not be read."""

INSTALL = (
    "install Graphviz: 'apt install graphviz', 'dnf install graphviz', 'brew install graphviz' or "
    "'conda install graphviz'; see https://graphviz.org/download"
)


def render(dot: str, format: str) -> bytes:
    """The picture in one of FORMATS.

    Raises:
        BufferizeError: Graphviz is not installed, fails, or takes longer than TIME_LIMIT.
    """
    if format == "dot":
        return dot.encode("utf-8", "replace")
    program = shutil.which("dot")
    if program is None:
        problem = error(
            f"{format} pictures need Graphviz, whose program 'dot' was not found", code="no-graphviz"
        )
        raise BufferizeError(
            problem.help(INSTALL).help("'--format dot' writes the picture as text for another tool")
        )
    try:
        done = subprocess.run(
            [program, f"-T{format}"],
            input=dot.encode("utf-8", "replace"),
            capture_output=True,
            timeout=TIME_LIMIT,
        )
    except subprocess.TimeoutExpired:
        problem = error(
            f"Graphviz did not finish the picture in {TIME_LIMIT} seconds", code="layout-too-long"
        )
        raise BufferizeError(problem.help("--function, --focus and --short make it smaller")) from None
    except OSError as failure:
        raise BufferizeError(f"cannot run '{program}': {failure.strerror or failure}") from None
    if done.returncode != 0 or not done.stdout:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise BufferizeError(f"Graphviz failed: {said[0] if said else f'exit code {done.returncode}'}")
    return done.stdout
