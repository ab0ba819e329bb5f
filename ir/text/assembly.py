"""Compiling assembly formats: from one declaration, the function that reads an operation and the one that prints it.

Each is compiled once per operation class, on first use: reading in `format_parser`, printing in `format_printer`, and the most
common spelling as one regular expression in `fast_path`.
"""

from __future__ import annotations

from typing import Any, Final

from ..declaration.format_syntax import DIRECTIVES, AttributeSlot, RegionPrint
from ..program.core import Operation
from .fast_path import compile_fast_form as fast_form
from .format_parser import parse_form
from .format_printer import print_form
from .registry import Registry

__all__ = [
    "DIRECTIVES",
    "AttributeSlot",
    "RegionPrint",
    "custom_form",
    "fast_form",
    "parse_form",
    "print_form",
]


FAST_AFTER: Final = 8
"""Compiling a fast form takes as long as reading about eight operations without: a tenth of what a program of 100 operations takes."""


def custom_form(registry: Registry, cls: type[Operation]) -> Any:
    """The function `(parser, state) -> None | generator` that reads the custom form of `cls`; the registry keeps it."""
    form = registry.forms.get(cls)
    if form is None:
        form = registry.forms[cls] = parse_form(cls)
        if registry.uses_fast_forms:
            registry.awaited[cls] = FAST_AFTER
    left = registry.awaited.get(cls)
    if left is not None and left > 1:
        registry.awaited[cls] = left - 1
    elif left is not None:
        registry.awaited.pop(cls, None)  # another thread may have done so
        fast = fast_form(cls)
        if fast is not None:
            registry.fast_forms.setdefault(cls.name, fast)
    return form
