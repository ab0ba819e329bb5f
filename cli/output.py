"""Writing results: to standard output, or to a file whole or not at all."""

from __future__ import annotations

import os
import sys

from ..ir.source.diagnostics import InputError
from .progress import done


def write_stdout(text: str) -> None:
    """Write text to standard output as UTF-8, bytes that were not text included."""
    done()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    stream.write(text.encode("utf-8", "surrogateescape"))
    stream.flush()


def write_file(path: str, content: str | bytes) -> None:
    """Replace the file at `path` by `content`; on any failure what was there stays.

    Raises:
        InputError: the file cannot be written.
    """
    import tempfile
    from pathlib import Path

    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    target = Path(os.path.realpath(path))  # a link stays one: what it leads to is replaced
    temporary: str | None = None
    try:
        if target.exists() and not target.is_file():  # a pipe or device: nothing to replace
            target.write_bytes(data)
            return
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
        os.chmod(temporary, mode)
        os.replace(temporary, target)
        temporary = None
    except OSError as failure:
        raise InputError(f"cannot write output file '{path}': {failure.strerror or failure}") from None
    finally:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
