"""Attributes of function arguments that only steer bufferization, and mean nothing afterwards."""

from __future__ import annotations

from ...dialects.bufferization import BUFFER_LAYOUT, WRITABLE
from ...ir.program.core import Operation
from ...ir.program.interfaces import FunctionOp
from ...ir.types.attributes import ArrayAttr, DictionaryAttr

OBSOLETE = frozenset((BUFFER_LAYOUT, WRITABLE))


def remove_bufferization_attributes(module: Operation) -> None:
    """Take them from all functions that have a body. O(operations)."""
    for op in module.walk():
        if op.name != "func.func":
            continue
        assert isinstance(op, FunctionOp)
        attrs = op.get_attr("arg_attrs")
        if op.is_declaration or not isinstance(attrs, ArrayAttr):
            continue
        kept = [_without_obsolete(dictionary) for dictionary in attrs.elements]
        if any(isinstance(d, DictionaryAttr) and d.entries for d in kept):
            op.set_attr("arg_attrs", ArrayAttr(kept))
        else:
            op.remove_attr("arg_attrs")


def _without_obsolete(dictionary: object) -> DictionaryAttr:
    assert isinstance(dictionary, DictionaryAttr)
    return DictionaryAttr({key: value for key, value in dictionary.entries if key not in OBSOLETE})
