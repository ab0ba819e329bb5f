"""Canonicalization patterns, by the dialect of the operations they start from.

A module of this package has `PATTERNS`, which maps operation names to tuples of patterns, tried in order; the order is
that of mlir-opt. Modules are imported when an operation of their dialect is first looked at. `for_operation` adds the
patterns that belong to kinds of operations rather than to names.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ...ir.program.core import Operation
from ...ir.program.interfaces import DestinationStyleOp

if TYPE_CHECKING:
    from ..rewriting.greedy import Pattern

_DIALECTS: Final = {
    "affine",
    "arith",
    "bufferization",
    "cf",
    "complex",
    "func",
    "index",
    "linalg",
    "memref",
    "scf",
    "shape",
    "tensor",
    "vector",
}
"""The dialects that have a module of patterns."""

_loaded: dict[str, Mapping[str, Sequence[Pattern]]] = {}
_by_class: dict[type[Operation], Sequence[Pattern]] = {}


def for_operation(op: Operation) -> Sequence[Pattern]:
    """The canonicalization patterns of `op`, in order."""
    found = _by_class.get(type(op))
    if found is None:
        found = _by_class[type(op)] = _look_up(op)
    return found


def _look_up(op: Operation) -> Sequence[Pattern]:
    if op.definition is None:
        return ()
    if isinstance(op, DestinationStyleOp) and op.dialect not in _DIALECTS:
        from .tensor_casts import destination_of_cast

        return (destination_of_cast,)
    patterns = _loaded.get(op.dialect)
    if patterns is None:
        patterns = {}
        if op.dialect in _DIALECTS:
            patterns = importlib.import_module(f".{op.dialect}", __name__).PATTERNS
        _loaded[op.dialect] = patterns
    found = patterns.get(op.name, ())
    general = patterns.get("*", ())
    return (*general, *found)
