"""What was computed once and holds as long as its key: kept in the user's own cache directory, as JSON.

A file is read only if it belongs to the user and nobody else may write it or its directory; anything else is as if it
were not there. Files are written whole, under another name first. Where there is no such directory, or
`BUFFERIZE_CACHE=off`, nothing is kept and everything still works. Nothing that is read is executed.
"""

from __future__ import annotations

import json
import os
import stat
import tempfile
from pathlib import Path
from typing import Any


def directory() -> Path | None:
    """The cache directory, made if need be; None where there is none that is private."""
    if os.environ.get("BUFFERIZE_CACHE") == "off":
        return None
    try:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        found = base / "bufferize"
        found.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return found if _is_private(found) else None


def read(name: str) -> Any:
    """What was kept under `name`; None if nothing was, or it cannot be trusted or read."""
    place = directory()
    if place is None:
        return None
    file = place / f"{name}.json"
    try:
        if not _is_private(file):
            return None
        return json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def write(name: str, value: Any) -> None:
    """Keep `value` (plain JSON values) under `name`; without effect where nothing can be kept."""
    place = directory()
    if place is None:
        return
    try:
        descriptor, temporary = tempfile.mkstemp(dir=place, prefix=".new-")
    except OSError:
        return
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump(value, stream, separators=(",", ":"))
        os.replace(temporary, place / f"{name}.json")
    except (OSError, ValueError):
        Path(temporary).unlink(missing_ok=True)


def _is_private(path: Path) -> bool:
    """Whether the path is the user's own and no one else's to write."""
    try:
        found = path.stat(follow_symlinks=False)
    except OSError:
        return False
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        return False
    own = getattr(
        os, "geteuid", lambda: found.st_uid
    )()  # Windows has no such users; the profile is the user's own
    return found.st_uid == own and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
