"""The generic form, and the custom form of unregistered dialects."""

from __future__ import annotations

from typing import Any, Final

from ..declaration.format_syntax import (
    DIRECTIVES as DIRECTIVES,
    AttributeSlot as AttributeSlot,
    RegionPrint as RegionPrint,
)
from ..program.core import Operation
from ..source.diagnostics import ParseError
from ..source.text import lazy_pattern
from ..types import types as t
from .fast_path import compile_fast_form as fast_form
from .format_parser import parse_form as parse_form
from .format_printer import print_form as print_form
from .op_parser import Form, OpParser, ParsedOp, RegionRequest
from .registry import Registry

_DICTIONARY = lazy_pattern(r'\{\s*(?:\}|(?:[A-Za-z_][\w$.]*|"[^"\n]*")\s*[=,}])')
_LINE_ENDS = lazy_pattern(r"[ \t]*(?://|[\r\n{}]|$|loc\b)")


def generic_form(p: OpParser, state: ParsedOp) -> Form:
    """`(operands) [successors] <{properties}> (regions) {attributes} : type`."""
    p.expect("(", " to start operand list")
    uses = p.operand_list()
    p.expect(")", " to end operand list")
    if p.peek("["):
        state.successors = p.comma_separated(p.successor, "[", "]")
    p.prop_dict(state)
    if p.accept("("):
        while True:
            state.regions.append((yield RegionRequest((), False, False)))
            if not p.accept(","):
                break
        p.expect(")", " to end region list")
    p.attr_dict(state)
    p.expect(":", " followed by operation type")
    at = p.skip()
    function = p.type()
    if not isinstance(function, t.FunctionType):
        types = [function]
        while p.accept(","):
            types.append(p.type())
        if not uses or len(types) != len(uses) or state.result_count:
            p.fail("expected function type", at)
        function = t.FunctionType(
            types, ()
        )  # 2020 documents omit the result types of operations without results
    if len(function.inputs) != len(uses):
        plural = "" if len(uses) == 1 else "s"
        p.fail(f"expected {len(uses)} operand type{plural} but had {len(function.inputs)}", at)
    state.operands = [p.resolve(use, type) for use, type in zip(uses, function.inputs, strict=True)]
    state.result_types = list(function.results)


def plain_header(p: OpParser, name: str, state: ParsedOp) -> bool:
    """Parse `#attribute %a, %b {attributes} : types -> types` of an operation of an unknown dialect.

    A common plain notation in which each part is optional. The types after the colon are a function type, one per
    operand, or one for all operands and the result. Returns whether the text has that form.
    """
    dialect, dot, _ = name.partition(".")
    if not p.allow_unregistered or not dot or p.registry.knows_dialect(dialect):
        return False
    try:
        if p.peek("#"):
            state.attributes["attribute"] = p.attribute()
        uses = p.operand_list()
        if _DICTIONARY.match(p.text, p.skip()):
            p.attr_dict(state)
        types: list[t.Type] = []
        if p.accept(":"):
            if p.peek("("):
                function = p.function_type()
                types, state.result_types = list(function.inputs), list(function.results)
            else:
                types = p.type_list()
                state.result_types = [types[0]] * state.result_count
                if len(types) == 1:
                    types *= len(uses)
        else:
            types = [type for use in uses if (type := p.type_of(use)) is not None]
        if p.accept("->"):
            state.result_types = p.arrow_type_list()
        if len(types) != len(uses) or len(state.result_types) != state.result_count:
            return False
        if not uses and not state.attributes and not _LINE_ENDS.match(p.text, p.position):
            return False  # more text follows: only the dialect knows the form
        state.operands = p.resolve_all(uses, types)
    except ParseError:
        return False
    return True


def plain_regions(p: OpParser, state: ParsedOp) -> Form:
    """The regions after such a header."""
    while p.peek("{"):
        state.regions.append((yield RegionRequest((), False, False)))


# Compiling assembly formats to parsers and printers.
#
# Each is compiled once per operation class, on first use: parsers in `format_parser`, printers in `format_printer`, and
# the regular expression for the most common spelling in `fast_path`.


FAST_AFTER: Final = 8
"""Occurrences before a fast form is compiled; compiling costs about as much as parsing eight operations without it,
a tenth of the time for a program of 100 operations.
"""


def custom_form(registry: Registry, cls: type[Operation]) -> Any:
    """The function `(parser, state) -> None | generator` that parses the custom form of `cls`, cached in the registry."""
    form = registry.forms.get(cls)
    if form is None:
        form = registry.forms[cls] = parse_form(cls)
        if registry.uses_fast_forms:
            registry.awaited[cls] = FAST_AFTER
    left = registry.awaited.get(cls)
    if left is not None and left > 1:
        registry.awaited[cls] = left - 1
    elif left is not None:
        registry.awaited.pop(cls, None)  # another thread may have removed it
        fast = fast_form(cls)
        if fast is not None:
            registry.fast_forms.setdefault(cls.name, fast)
    return form
