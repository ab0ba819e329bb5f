"""Dialects of others: a folder, or a module, of Python that declares operations; see docs/extending.md."""

from __future__ import annotations

import importlib
import os
import sys
import traceback

from ..ir.source.diagnostics import BufferizeError, error

ENTRY_POINTS = "bufferize.dialects"
"""The group in which installed packages name their dialects: `ring = "ring_compiler.dialect"`."""


class DialectError(BufferizeError):
    """A dialect of others cannot be loaded."""


def load_dialect(place: str) -> None:
    """Import the dialect in a folder, or by the name of a module on Python's path. Its code runs.

    Raises:
        DialectError: there is none, or it fails; says where.
    """
    name = place
    if os.path.isdir(place):
        folder = os.path.abspath(place)
        if not os.path.exists(os.path.join(folder, "__init__.py")):
            raise DialectError(
                error(f"the dialect folder '{place}' has no __init__.py, which declares its operations")
            )
        parent, name = os.path.split(folder)
        known = sys.modules.get(name)
        if known is not None and os.path.dirname(getattr(known, "__file__", None) or "") != folder:
            raise DialectError(
                error(f"the dialect folder '{place}' is called like a module that is there already")
            )
        if parent not in sys.path:
            sys.path.insert(0, parent)
    elif os.sep in place or not all(part.isidentifier() for part in place.split(".")):
        raise DialectError(error(f"there is no dialect folder '{place}'"))
    import_dialect(name, place)


def import_dialect(name: str, place: str) -> None:
    """Import a module.

    Raises:
        DialectError: it fails, for any reason of its own; at the line of the dialect where it does.
    """
    try:
        importlib.import_module(name)
    except Exception as failure:
        frames = traceback.extract_tb(failure.__traceback__)
        own = [frame for frame in frames if "importlib" not in frame.filename and frame.filename != __file__]
        where = f" ({own[-1].filename}:{own[-1].lineno})" if own else ""
        raise DialectError(
            error(f"the dialect '{place}' cannot be loaded: {type(failure).__name__}: {failure}{where}")
        ) from None


def load_installed(dialect: str) -> None:
    """Import the dialect of that name which an installed package offers, if there is one."""
    from importlib.metadata import entry_points

    for offered in entry_points(group=ENTRY_POINTS, name=dialect):
        import_dialect(offered.value, f"{offered.value} of {ENTRY_POINTS}")
