"""Function-like operations of any dialect: parsing, printing, verification.

    [private|public|nested] @name(%a: t {attributes}, ...) -> (u {attributes}, v) [attributes {...}] [{ body }]

A function without a body is a declaration, whose arguments have types only. A function operation declares
`sym_name`, `function_type`, `sym_visibility`, `arg_attrs` and `res_attrs` (inherit `FunctionLikeOp`), and has one
region. Attributes of arguments and results are stored as arrays of dictionaries, absent if all are empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, region, variadic_operand
from ..ir.program import traits as tr
from ..ir.program.core import Block, Region
from ..ir.program.interfaces import FunctionOp, RegionBranchTerminatorOp
from ..ir.source.diagnostics import ParseError, expect
from ..ir.source.text import lazy_pattern
from ..ir.types import attributes as a, types as t
from ..ir.verifier import Unprefixed

if TYPE_CHECKING:
    from ..ir.text.op_parser import Argument, OpParser, ParsedOp
    from ..ir.text.printer import Printer

SIGNATURE_ATTRIBUTES = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")

FUNCTION_TYPE_ATTR = c.AttributeConstraint(
    "type attribute of function type",
    lambda attr: isinstance(attr, a.TypeAttr) and isinstance(attr.type, t.FunctionType),
)
DICTIONARIES_ATTR = c.array_of(c.attribute_instance(a.DictionaryAttr, ""), "Array of dictionary attributes")
VISIBILITY_ATTR = c.attribute_instance(a.StringAttr, "string attribute")
EMPTY = a.DictionaryAttr({})
DONATED, DONOR = "tf.aliasing_output", "jax.buffer_donor"
"""Argument attributes written by JAX."""
IREE_OUTPUT = "iree.abi.output"
"""IREE's counterpart of `tf.aliasing_output`, created when it imports StableHLO."""


class FunctionLikeOp(FunctionOp):
    """Base of functions. A subclass adds its name, further attributes, and its terminator."""

    sym_name = attribute(c.SYMBOL_NAME_ATTR)
    function_type_attr = attribute(FUNCTION_TYPE_ATTR, key="function_type")
    sym_visibility = attribute(VISIBILITY_ATTR, optional=True)
    arg_attrs = attribute(DICTIONARIES_ATTR, optional=True)
    res_attrs = attribute(DICTIONARIES_ATTR, optional=True)
    body_region = region()
    traits: tuple[tr.Trait, ...] = (tr.ISOLATED_FROM_ABOVE, tr.SYMBOL)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        return parse_function(p, state)

    @classmethod
    def header_form(cls) -> Callable[[OpParser, re.Match[str], int], bool] | None:
        return header_taker(cls) if cls.parse.__func__ is FunctionLikeOp.parse.__func__ else None

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        return print_function(self, p)

    verify_looks_around = True

    def verify(self) -> str | None:
        if self.is_declaration and self.visibility == "public":
            return "symbol declaration cannot have public visibility"
        return verify_function(self)

    @property
    def visibility(self) -> str:
        found = self.properties.get("sym_visibility")
        return found.value if isinstance(found, a.StringAttr) else "public"

    def arg_attr(self, index: int, name: str) -> a.Attribute | None:
        """The attribute `name` of argument `index`, if there is one."""
        return _entry(self.properties.get("arg_attrs"), index, name)

    def set_arg_attr(self, index: int, name: str, value: a.Attribute | None) -> None:
        """Set, or with None remove, an attribute of argument `index`."""
        _set_entry(self, "arg_attrs", len(self.function_type.inputs), index, name, value)

    def result_attr(self, index: int, name: str) -> a.Attribute | None:
        """The attribute `name` of result `index`, if there is one."""
        return _entry(self.properties.get("res_attrs"), index, name)

    def set_result_attr(self, index: int, name: str, value: a.Attribute | None) -> None:
        """Set, or with None remove, an attribute of result `index`."""
        _set_entry(self, "res_attrs", len(self.function_type.results), index, name, value)

    def donated(self) -> dict[int, int | None]:
        """The donated arguments, each with the index of the result that may reuse its buffer; None for any result.

        Specified as by `jax.jit(donate_argnums=...)`: `tf.aliasing_output = 0 : i32`, `jax.buffer_donor = true`; by
        IREE as `iree.abi.output = 0 : index`. An argument cannot be donated to a result of another type. O(arguments).
        """
        if "arg_attrs" not in self.properties:
            return {}
        found: dict[int, int | None] = {}
        kind = self.function_type
        for index, type in enumerate(kind.inputs):
            result = self.arg_attr(index, DONATED) or self.arg_attr(index, IREE_OUTPUT)
            donor = self.arg_attr(index, DONOR)
            if isinstance(result, a.IntegerAttr):
                if 0 <= result.value < len(kind.results) and kind.results[result.value] is type:
                    found[index] = result.value
            elif isinstance(donor, a.IntegerAttr) and donor.value:
                found[index] = None
        return found


def _entry(array: a.Attribute | None, index: int, name: str) -> a.Attribute | None:
    if not isinstance(array, a.ArrayAttr) or index >= len(array.elements):
        return None
    dictionary = array.elements[index]
    return dictionary.get(name) if isinstance(dictionary, a.DictionaryAttr) else None


def _set_entry(
    op: FunctionOp, key: str, count: int, index: int, name: str, value: a.Attribute | None
) -> None:
    array = op.properties.get(key)
    entries = list(array.elements) if isinstance(array, a.ArrayAttr) else [EMPTY] * count
    current = expect(a.DictionaryAttr, entries[index])
    changed = dict(current.items())
    if value is None:
        changed.pop(name, None)
    else:
        changed[name] = value
    entries[index] = a.DictionaryAttr(changed)
    set_dictionaries(op.properties, key, entries)


def set_dictionaries(properties: dict[str, a.Attribute], key: str, entries: Sequence[a.Attribute]) -> None:
    """Store the dictionaries of arguments or results under `key`, unless all are empty."""
    if any(entry is not EMPTY for entry in entries):
        properties[key] = a.ArrayAttr(tuple(entries))
    else:
        properties.pop(key, None)


# Reading


_TYPE = r'[a-z]\w*(?:<[^<>"(){}\n-]*(?:<[^<>"(){}\n-]*>[^<>"(){}\n-]*)?>)?'
_SIGNATURE = rf"\((?:%[\w$.-]+: {_TYPE}(?:, %[\w$.-]+: {_TYPE})*)?\)(?: -> (?:{_TYPE}|\({_TYPE}(?:, {_TYPE})*\)))?(?= \{{\n)"
_PLAIN_HEADER = lazy_pattern(rf" (?:({'|'.join(tr.VISIBILITIES)}) )?@([A-Za-z_][\w$.]*)({_SIGNATURE}) \{{")
"""Names and types only, on one line that ends with the body's brace."""


def _parameter(p: OpParser, named: list[bool]) -> Argument:
    """A parameter: named in definitions, a bare type in declarations; a list cannot mix both."""
    from ..ir.text.op_parser import Argument

    start = p.skip()
    if p.peek("%"):
        if named and not named[0]:
            p.error("expected type instead of SSA identifier", start)
        named.append(True)
        return p.argument(True, True)
    if named and named[0]:
        p.error("expected SSA identifier", start)
    named.append(False)
    found = Argument(None, p.type(), start=start, end=p.position)
    if p.peek("{"):
        found.attributes = p.dictionary()
    found.location = p.optional_location()
    return found


def _result(p: OpParser) -> tuple[t.Type, a.DictionaryAttr]:
    type = p.type()
    return type, a.DictionaryAttr(p.dictionary()) if p.peek("{") else EMPTY


def parse_signature(p: OpParser) -> tuple[list[Argument], list[t.Type], list[a.DictionaryAttr]]:
    """Parameters, result types and result attributes: `(%a: t, ...) -> (u {...})`."""
    named: list[bool] = []
    arguments = p.comma_separated(lambda: _parameter(p, named))
    results: list[tuple[t.Type, a.DictionaryAttr]] = []
    if p.accept("->"):
        results = p.comma_separated(lambda: _result(p)) if p.peek("(") else [(p.type(), EMPTY)]
    return arguments, [type for type, _ in results], [attrs for _, attrs in results]


def _function_type(arguments: list[Argument], results: list[t.Type]) -> a.TypeAttr:
    inputs = tuple(arg.type for arg in arguments if arg.type is not None)
    return a.TypeAttr(t.FunctionType(inputs, tuple(results)))


def _plain_signature(
    p: OpParser, start: int
) -> tuple[list[tuple[str | None, t.Type | None, int, int]], a.TypeAttr] | None:
    """The entry for `OpParser.signatures`; None for a mistake, which the general parser reports."""
    p.position = start
    try:
        arguments, results, _ = parse_signature(p)
    except ParseError:
        return None
    if len({argument.name for argument in arguments}) < len(arguments):
        return None
    parameters = [(arg.name, arg.type, arg.start - start, arg.end - start) for arg in arguments]
    return parameters, _function_type(arguments, results)


def header_taker(cls: type[FunctionLikeOp]) -> Callable[[OpParser, re.Match[str], int], bool]:
    """A reader of functions with a plain signature, up to their bodies; see `fast_path`.

    Signatures repeat: the names and types of an earlier one with the same text are reused.
    """
    from ..ir.text.op_parser import OpFrame, ParsedOp, RegionFrame

    def take(p: OpParser, start: re.Match[str], at: int) -> bool:
        header = _PLAIN_HEADER.match(p.text, start.end())
        if header is None or start.group(1) is not None or p.frames[-1].block is None:
            return False
        visibility, name, signature = header.groups()
        known = p.signatures.get(signature)
        if known is None:
            known = _plain_signature(p, header.start(3))
            p.position = at
            if known is None:
                return False
            p.signatures[signature] = known
        parameters, type_attribute = known
        state = ParsedOp(0, [])
        properties = state.properties
        if visibility is not None:
            properties["sym_visibility"] = a.StringAttr(visibility)
        properties["sym_name"] = a.StringAttr(name)
        properties["function_type"] = type_attribute
        form = _body(p, state, header.end() - 1)
        next(form)
        op = OpFrame(cls.name, cls, form, state, at, start.start(2), True, [])
        frame = RegionFrame(op, Region(), True, cls.default_dialect)
        frame.outer_values, frame.outer_forward = p.values, p.forward
        values = p.values = {}
        p.forward = {}
        p.frames.append(frame)
        p.position = header.end()
        if parameters:
            block = frame.block = frame.region.append(Block())
            base = header.start(3)
            for label, type, first, last in parameters:
                assert label is not None and type is not None
                value = block.add_argument(type)
                value.name_hint = label
                value.where = (p.source, base + first, base + last)
                values[label] = value
        return True

    return take


def _body(p: OpParser, state: ParsedOp, brace: int) -> Generator[Any, Region, None]:
    body = yield
    if body.is_empty:
        p.error("expected non-empty function body", brace)
    state.regions.append(body)


def parse_function(p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
    """Read a function from its visibility to the end of its body."""
    properties = state.properties
    for word in tr.VISIBILITIES:
        if p.accept(word):
            properties["sym_visibility"] = a.StringAttr(word)
            break
    properties["sym_name"] = p.symbol_name()
    arguments, result_types, result_attributes = parse_signature(p)
    properties["function_type"] = _function_type(arguments, result_types)
    at = p.skip()
    p.attr_dict_with_keyword(state)
    for name in SIGNATURE_ATTRIBUTES[:3]:
        if name in state.attributes:
            p.error(
                f"'{name}' is an inferred attribute and should not be specified in the explicit attribute dictionary",
                at,
            )
    set_dictionaries(properties, "arg_attrs", [a.DictionaryAttr(arg.attributes) for arg in arguments])
    set_dictionaries(properties, "res_attrs", result_attributes)
    if p.peek("{"):
        at = p.skip()
        named = not arguments or arguments[0].name is not None  # else the first block names them
        body = yield p.region(arguments if named else [], isolated=True)
        if body.is_empty:
            p.error("expected non-empty function body", at)
        state.regions.append(body)
    else:
        state.regions.append(Region())


# Printing


def _dictionary(p: Printer, array: a.Attribute | None, index: int) -> str:
    if not isinstance(array, a.ArrayAttr):
        return ""
    entry = expect(a.DictionaryAttr, array.elements[index])
    text = p.dictionary(dict(entry.items()))
    return f" {text}" if text else ""


def print_parameters(op: FunctionOp, p: Printer) -> Generator[Any, None, None]:
    """Print `(%arg0: t {...})`, with bare types for a declaration."""
    attributes = op.properties.get("arg_attrs")
    if op.is_declaration:
        heads = [p.type(x) + _dictionary(p, attributes, i) for i, x in enumerate(op.function_type.inputs)]
        yield f"({', '.join(heads)})"
        return
    args = op.body.entry.args
    if not isinstance(attributes, a.ArrayAttr):
        yield f"({', '.join([p.argument(arg) for arg in args])})"
        return
    yield "("
    for i, (arg, entry) in enumerate(zip(args, attributes.elements, strict=True)):
        yield f"{', ' if i else ''}{p.value(arg)}: {p.type(arg.type)}"
        assert isinstance(entry, a.DictionaryAttr)
        if len(entry):
            yield " "
            yield p.late_dictionary(dict(entry.items()))
        yield p.argument_location(arg)
    yield ")"


def results_text(op: FunctionOp, p: Printer) -> str:
    """` -> u`, ` -> (u {...}, v)`, or nothing."""
    type = op.function_type
    res_attrs = op.properties.get("res_attrs")
    if not type.results:
        return ""
    results = [p.type(x) + _dictionary(p, res_attrs, i) for i, x in enumerate(type.results)]
    bare = len(results) == 1 and not isinstance(type.results[0], t.FunctionType)
    if bare and not _dictionary(p, res_attrs, 0):
        return f" -> {results[0]}"
    return f" -> ({', '.join(results)})"


def print_function(op: FunctionOp, p: Printer) -> Generator[Any, None, None]:
    """Print a function from its visibility to the end of its body."""
    visibility = op.properties.get("sym_visibility")
    yield f" {visibility.value} " if isinstance(visibility, a.StringAttr) else " "
    yield p.symbol_name(op.symbol_name)
    yield from print_parameters(op, p)
    yield results_text(op, p)
    yield p.attr_dict_with_keyword(op, SIGNATURE_ATTRIBUTES)
    if not op.is_declaration:
        yield " "
        yield p.region(op.body, entry_args=False, empty_block=False)


# Checking


def _verify_dictionaries(op: FunctionOp, key: str, count: int, kind: str, many: str) -> str | None:
    array = op.properties.get(key)
    if not isinstance(array, a.ArrayAttr):
        return None
    if len(array.elements) != count:
        return (
            f"expects {kind} attribute array to have the same number of elements as the number of "
            f"function {many}, got {len(array.elements)}, but expected {count}"
        )
    for entry in array.elements:
        assert isinstance(entry, a.DictionaryAttr)
        if any("." not in name for name, _ in entry.items()):
            return f"{many} may only have dialect attributes"
    return None


def verify_function(op: FunctionOp) -> str | None:
    """What is wrong with a function's attributes and the arguments of its body. O(signature)."""
    type = op.function_type
    wrong = _verify_dictionaries(
        op, "arg_attrs", len(type.inputs), "argument", "arguments"
    ) or _verify_dictionaries(op, "res_attrs", len(type.results), "result", "results")
    if wrong is not None or op.is_declaration:
        return wrong
    args = op.body.entry.args
    if len(args) != len(type.inputs):
        return f"entry block must have {len(type.inputs)} arguments to match function signature"
    for i, (arg, expected) in enumerate(zip(args, type.inputs, strict=True)):
        if arg.type is not expected:
            return (
                f"type of entry block argument #{i}('{arg.type}') must match the type of the "
                f"corresponding argument in function signature('{expected}')"
            )
    return None


class FunctionReturnOp(RegionBranchTerminatorOp):
    """Base of terminators that end a function with its results."""

    operands_ = variadic_operand(c.ANY_TYPE)
    assembly_format = "attr-dict ($operands_^ `:` type($operands_))?"

    verify_looks_around = True

    def verify(self) -> str | None:
        function = self.parent_op
        if not isinstance(function, FunctionOp) or not isinstance(function.function_type, t.FunctionType):
            return None
        expected, given = function.function_type.results, self.operand_types
        if len(expected) != len(given):
            return (
                f"has {len(given)} operands, but enclosing function "
                f"(@{function.symbol_name}) returns {len(expected)}"
            )
        for i, (type, wanted) in enumerate(zip(given, expected, strict=True)):
            if type is not wanted:
                return Unprefixed(
                    f"type of return operand {i} ('{type}') doesn't match function result type ('{wanted}') "
                    f"in function @{function.symbol_name}"
                )
        return None
