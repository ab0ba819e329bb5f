"""Compiling assembly formats: from one declaration, the function that reads an operation and the one that prints it.

Each is compiled once per operation class, on first use: reading in `read_form`, printing in `print_form`, and the most
common spelling as one regular expression in `fast_path`.
"""

from ..declaration.directives import DIRECTIVES, AttributeSlot, RegionPrint
from .fast_path import compile_fast_form as fast_form
from .print_form import print_form
from .read_form import parse_form

__all__ = ["DIRECTIVES", "AttributeSlot", "RegionPrint", "fast_form", "parse_form", "print_form"]
