"""The `llvm` dialect: operations from ODS records, and hand-written ones whose form only C++ defines: functions,
calls, globals.

Functions here are only symbols: programs of other compilers use them to declare their runtime, beside the
tensors to be bufferized.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, Final

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import (
    OPERAND_SEGMENTS,
    attribute,
    operand,
    optional_result,
    region,
    result,
    unit_attribute,
    variadic_operand,
)
from ..ir.program import traits as tr
from ..ir.program.core import Operation, Region
from ..ir.program.interfaces import ALLOCATE, Effect, MemoryEffectOp
from ..ir.source.diagnostics import expect
from ..ir.types import attributes as a, types as t
from ._described import i1_like
from .cf import CasesOp, successor_mismatch
from .common import Unprefixed, move_inherent
from .ods import operations_of

if TYPE_CHECKING:
    from ..ir.text.op_parser import Argument, OpParser, ParsedOp
    from ..ir.text.printer import Printer


# -- functions and calls of `llvm`, whose forms are only in C++, and the keywords of these and of globals


POINTER: Final = t.DialectType("llvm", "ptr")
VOID: Final = t.DialectType("llvm", "void")
ELLIPSIS: Final = "..."

_LINKAGES: Final = "private internal available_externally linkonce weak common appending extern_weak linkonce_odr weak_odr external"
LINKAGES: Final = frozenset(_LINKAGES.split())
VISIBILITIES: Final = ("default", "hidden", "protected")
UNNAMED: Final = ("none", "local_unnamed_addr", "unnamed_addr")
CONVENTIONS: Final = frozenset(
    ["fastcc", "coldcc", "tailcc", "swiftcc", "swifttailcc", "ghccc", "preserve_mostcc", "preserve_allcc"]
)
TAIL_CALLS: Final = frozenset(["tail", "musttail", "notail"])


def linkage_attr(word: str) -> a.DialectAttr:
    return a.DialectAttr("llvm", f"linkage<{word}>")


def convention_attr(word: str) -> a.DialectAttr:
    return a.DialectAttr("llvm", f"cconv<{word}>")


def tail_attr(word: str) -> a.DialectAttr:
    return a.DialectAttr("llvm", f"tailcallkind<{word}>")


FASTMATH_NONE: Final = a.DialectAttr("llvm", "fastmath<none>")


def i64_attr(value: int) -> a.IntegerAttr:
    return a.IntegerAttr(value, t.I64)


def optional_word(p: OpParser, words: Any) -> str | None:
    """The next word if it is one of `words`."""
    start = p.position
    word = p.optional_keyword()
    if word in words:
        return word
    p.position = start
    return None


def parameter_of(attr: a.Attribute | None) -> str:
    return attr.parameters if isinstance(attr, a.DialectAttr) else ""


def inner_text(type: t.Type) -> str:
    """A type as spelled inside another type of this dialect: `ptr` for `!llvm.ptr`."""
    return type.body if isinstance(type, t.DialectType) and type.dialect == "llvm" else str(type)


def function_type(inputs: list[t.Type], output: t.Type, variadic: bool) -> t.DialectType:
    """`!llvm.func<output (inputs, ...)>`."""
    texts = [inner_text(type) for type in inputs] + ([ELLIPSIS] if variadic else [])
    return t.DialectType("llvm", f"func<{inner_text(output)} ({', '.join(texts)})>")


class FuncOp(Operation):
    """An LLVM function; a declaration has no body."""

    name = "llvm.func"
    sym_name = attribute(c.SYMBOL_NAME_ATTR)
    sym_visibility = attribute(c.STRING_ATTR, optional=True)
    function_type = attribute(c.TYPE_ATTR)
    linkage = attribute(c.ANY_ATTR, optional=True, default=linkage_attr("external"))
    dso_local = unit_attribute()
    calling_convention = attribute(c.ANY_ATTR, key="CConv", optional=True, default=convention_attr("ccc"))
    visibility = attribute(c.I64_ATTR, key="visibility_", optional=True, default=i64_attr(0))
    unnamed_addr = attribute(c.I64_ATTR, optional=True)
    arg_attrs = attribute(c.ARRAY_ATTR, optional=True)
    res_attrs = attribute(c.ARRAY_ATTR, optional=True)
    passthrough = attribute(c.ARRAY_ATTR, optional=True)
    body = region()
    traits = (tr.SYMBOL, tr.ISOLATED_FROM_ABOVE, tr.AUTOMATIC_ALLOCATION_SCOPE)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        properties = state.properties
        properties["linkage"] = linkage_attr(optional_word(p, LINKAGES) or "external")
        visibility = optional_word(p, VISIBILITIES)
        properties["visibility_"] = i64_attr(VISIBILITIES.index(visibility) if visibility else 0)
        unnamed = optional_word(p, UNNAMED)
        properties["unnamed_addr"] = i64_attr(UNNAMED.index(unnamed) if unnamed else 0)
        properties["CConv"] = convention_attr(optional_word(p, CONVENTIONS) or "ccc")
        properties["sym_name"] = p.symbol_name()
        arguments: list[Argument] = []
        variadic: list[bool] = []
        p.comma_separated(lambda: _read_parameter(p, arguments, variadic))
        output, output_attributes = VOID, a.DictionaryAttr({})
        if p.accept("->"):
            bracket = p.accept("(")
            output = p.type()
            if bracket and p.peek("{"):
                output_attributes = a.DictionaryAttr(p.dictionary())
            if bracket:
                p.expect(")")
        inputs = [argument.type for argument in arguments if argument.type is not None]
        properties["function_type"] = a.TypeAttr(function_type(inputs, output, bool(variadic)))
        p.attr_dict_with_keyword(state)
        move_inherent(cls, state)
        if any(argument.attributes for argument in arguments):
            properties["arg_attrs"] = a.ArrayAttr(
                a.DictionaryAttr(argument.attributes) for argument in arguments
            )
        if len(output_attributes):
            properties["res_attrs"] = a.ArrayAttr((output_attributes,))
        if p.peek("{"):
            named = not arguments or arguments[0].name is not None
            state.regions.append((yield p.region(arguments if named else [], isolated=True)))
        else:
            state.regions.append(Region())

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        head = ""
        if parameter_of(self.linkage) != "external":
            head += f" {parameter_of(self.linkage)}"
        if self.visibility.value:
            head += f" {VISIBILITIES[self.visibility.value]}"
        if self.unnamed_addr is not None and self.unnamed_addr.value:
            head += f" {UNNAMED[self.unnamed_addr.value]}"
        if parameter_of(self.calling_convention) != "ccc":
            head += f" {parameter_of(self.calling_convention)}"
        yield f"{head} {p.symbol_name(self.sym_name)}("
        output, inputs = signature_parts(expect(a.TypeAttr, self.properties["function_type"]).type)
        variadic = bool(inputs) and inputs[-1] == ELLIPSIS
        inputs = inputs[:-1] if variadic else inputs
        attributes = self.properties.get("arg_attrs")
        entries = attributes.elements if isinstance(attributes, a.ArrayAttr) else [None] * len(inputs)
        args = None if self.body.is_empty else self.body.entry.args
        for i, (text, entry) in enumerate(zip(inputs, entries, strict=False)):
            yield (", " if i else "") + (
                f"{p.value(args[i])}: {p.type(args[i].type)}" if args is not None else outer_text(text)
            )
            if isinstance(entry, a.DictionaryAttr) and len(entry):
                yield " "
                yield p.late_dictionary(dict(entry.items()))
            if args is not None:
                yield p.argument_location(args[i])
        yield (", " if inputs and variadic else "") + (ELLIPSIS if variadic else "") + ")"
        if output != "void":
            results = self.properties.get("res_attrs")
            entry = results.elements[0] if isinstance(results, a.ArrayAttr) and results.elements else None
            if isinstance(entry, a.DictionaryAttr) and len(entry):
                yield f" -> ({outer_text(output)} {p.dictionary(dict(entry.items()))})"
            else:
                yield f" -> {outer_text(output)}"
        yield p.attr_dict_with_keyword(self, _SIGNATURE)
        if not self.body.is_empty:
            yield " "
            yield p.region(self.body, entry_args=False)


_SIGNATURE: Final = frozenset(
    ["sym_name", "function_type", "linkage", "CConv", "visibility_", "unnamed_addr", "arg_attrs", "res_attrs"]
)


def _read_parameter(p: OpParser, arguments: list[Argument], variadic: list[bool]) -> None:
    from ..ir.text.op_parser import Argument

    if p.accept(ELLIPSIS):
        variadic.append(True)
        return
    if p.peek("%"):
        arguments.append(p.argument(True, True))
        return
    start = p.skip()
    found = Argument(None, p.type(), start=start, end=p.position)
    if p.peek("{"):
        found.attributes = p.dictionary()
    found.location = p.optional_location()
    arguments.append(found)


def signature_parts(type: t.Type) -> tuple[str, list[str]]:
    """The output and the inputs of `!llvm.func<output (inputs)>`, as spelled inside. O(length)."""
    assert isinstance(type, t.DialectType)
    body = type.body[len("func<") : -1]
    depth, start = 0, len(body) - 1
    for start in range(len(body) - 1, -1, -1):  # the list of inputs is the last bracketed part
        depth += {")": 1, "(": -1}.get(body[start], 0)
        if depth == 0:
            break
    inputs: list[str] = []
    depth, at = 0, start + 1
    for i in range(start + 1, len(body)):
        letter = body[i]
        if letter in "<([{":
            depth += 1
        elif letter in ">)]}" and not body.startswith("->", i - 1):
            depth -= 1
        if (letter == "," and depth == 0) or i == len(body) - 1:
            inputs.append(body[at:i].strip())
            at = i + 1
    return body[:start].strip(), [text for text in inputs if text]


_OWN_TYPES: Final = tuple(
    "ptr struct array func void vec label metadata token x86_amx target ppc_fp128 byte".split()
)


def outer_text(text: str) -> str:
    """A type spelled inside another type of this dialect, as spelled on its own."""
    return f"!llvm.{text}" if text.partition("<")[0] in _OWN_TYPES else text


class CallOp(Operation):
    """Calls a function by name, or indirectly through the address in the first operand."""

    name = "llvm.call"
    var_callee_type = attribute(c.TYPE_ATTR, optional=True)
    callee = attribute(c.FLAT_SYMBOL_REF_ATTR, optional=True)
    callee_operands = variadic_operand()
    op_bundle_operands = variadic_operand()
    fastmath = attribute(c.ANY_ATTR, key="fastmathFlags", optional=True, default=FASTMATH_NONE)
    calling_convention = attribute(c.ANY_ATTR, key="CConv", optional=True, default=convention_attr("ccc"))
    tail = attribute(c.ANY_ATTR, key="TailCallKind", optional=True, default=tail_attr("none"))
    op_bundle_sizes = attribute(c.DENSE_I32_ARRAY, optional=True, default=a.DenseArrayAttr(t.I32, ()))
    result = optional_result()
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS,)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        properties = state.properties
        properties["CConv"] = convention_attr(optional_word(p, CONVENTIONS) or "ccc")
        properties["TailCallKind"] = tail_attr(optional_word(p, TAIL_CALLS) or "none")
        target = p.optional_operand()
        if target is None:
            callee = p.optional_symbol_ref()
            if callee is None:
                p.error("expected a callee")
            properties["callee"] = callee
        p.expect("(")
        uses = p.operand_list()
        p.expect(")")
        if p.accept("vararg"):
            p.expect("(")
            properties["var_callee_type"] = a.TypeAttr(p.type())
            p.expect(")")
        p.attr_dict(state)
        move_inherent(cls, state)
        p.expect(":")
        types: list[t.Type] = []
        if target is not None:
            types.append(p.type())
            p.expect(",")
            uses.insert(0, target)
        function = p.function_type()
        state.result_types = list(function.results)
        state.add_operands(p.resolve_all(uses, [*types, *function.inputs]))
        properties["op_bundle_sizes"] = a.DenseArrayAttr(t.I32, ())
        properties["fastmathFlags"] = properties.get("fastmathFlags", FASTMATH_NONE)
        state.set_segments([len(uses), 0])

    def print_custom(self, p: Printer) -> str:
        words = [parameter_of(self.calling_convention), parameter_of(self.tail)]
        head = "".join(f" {word}" for word in words if word not in ("ccc", "none"))
        values = self.operands
        indirect = self.callee is None
        called = p.value(values[0]) if indirect else p.attribute(self.callee)
        rest = values[1:] if indirect else values
        text = f"{head} {called}({p.values(rest)})"
        if self.var_callee_type is not None:
            text += f" vararg({p.type(self.var_callee_type.type)})"
        text += p.attr_dict(self, _CALL) + " : "
        if indirect:
            text += p.type(values[0].type) + ", "
        return text + p.functional_type([value.type for value in rest], self.result_types)


_CALL: Final = frozenset(
    ("callee", "var_callee_type", "CConv", "TailCallKind", "op_bundle_sizes", OPERAND_SEGMENTS)
)


class GlobalOp(Operation):
    """A global variable or constant, initialized by a value, by a region, or not at all."""

    name = "llvm.mlir.global"
    global_type = attribute(c.TYPE_ATTR)
    constant = unit_attribute()
    sym_name = attribute(c.SYMBOL_NAME_ATTR)
    linkage = attribute(c.ANY_ATTR)
    dso_local = unit_attribute()
    thread_local = unit_attribute(key="thread_local_")
    value = attribute(c.ANY_ATTR, optional=True)
    alignment = attribute(c.I64_ATTR, optional=True)
    addr_space = attribute(c.I32_ATTR, optional=True)
    unnamed_addr = attribute(c.I64_ATTR, optional=True)
    visibility = attribute(c.I64_ATTR, key="visibility_", optional=True, default=i64_attr(0))
    initializer = region()
    traits = (tr.SYMBOL, tr.ISOLATED_FROM_ABOVE)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> Generator[Any, Region, None]:
        properties = state.properties
        properties["linkage"] = linkage_attr(optional_word(p, LINKAGES) or "external")
        visibility = optional_word(p, VISIBILITIES)
        properties["visibility_"] = i64_attr(VISIBILITIES.index(visibility) if visibility else 0)
        if optional_word(p, ("thread_local",)):
            properties["thread_local_"] = a.UnitAttr()
        unnamed = optional_word(p, UNNAMED)
        properties["unnamed_addr"] = i64_attr(UNNAMED.index(unnamed) if unnamed else 0)
        if optional_word(p, ("constant",)):
            properties["constant"] = a.UnitAttr()
        properties["sym_name"] = p.symbol_name()
        p.expect("(")
        if not p.peek(")"):
            properties["value"] = a.StringAttr(p.string()) if p.peek('"') else p.attribute()
        p.expect(")")
        p.attr_dict(state)
        move_inherent(cls, state)
        properties.setdefault("addr_space", a.IntegerAttr(0, t.I32))
        value = properties.get("value")
        if p.accept(":"):
            type = p.type()
        elif isinstance(value, a.StringAttr):
            type = t.DialectType("llvm", f"array<{len(value.value.encode('utf-8', 'surrogateescape'))} x i8>")
        else:
            type = getattr(value, "type", None)
            if type is None:
                p.error("type can only be omitted for string globals")
        properties["global_type"] = a.TypeAttr(type)
        if p.peek("{"):
            state.regions.append((yield p.region(isolated=True)))
        else:
            state.regions.append(Region())

    def print_custom(self, p: Printer) -> Generator[Any, None, None]:
        words = [
            parameter_of(self.linkage),
            VISIBILITIES[self.visibility.value] if self.visibility.value else "",
            "thread_local" if self.thread_local else "",
            UNNAMED[self.unnamed_addr.value]
            if self.unnamed_addr is not None and self.unnamed_addr.value
            else "",
            "constant" if self.constant else "",
        ]
        value = self.value
        shown = "" if value is None else p.attribute(value)
        yield "".join(f" {word}" for word in words if word) + f" {p.symbol_name(self.sym_name)}({shown})"
        yield p.attr_dict(self, _GLOBAL)
        if not isinstance(value, a.StringAttr):
            yield f" : {p.type(self.global_type.type)}"
        if not self.initializer.is_empty:
            yield " "
            yield p.region(self.initializer)


_GLOBAL: Final = frozenset(
    "sym_name global_type constant value linkage unnamed_addr thread_local_ visibility_".split()
)


class AllocaOp(MemoryEffectOp):
    """Allocates elements on the stack."""

    name = "llvm.alloca"
    array_size = operand()
    alignment = attribute(c.I64_ATTR, optional=True)
    elem_type = attribute(c.TYPE_ATTR)
    inalloca = unit_attribute()
    result = result()

    def memory_effects(self) -> list[Effect]:
        return [Effect(ALLOCATE, self.results[0])]

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        if optional_word(p, ("inalloca",)):
            state.properties["inalloca"] = a.UnitAttr()
        size = p.operand()
        p.expect("x")
        state.properties["elem_type"] = a.TypeAttr(p.type())
        p.attr_dict(state)
        move_inherent(cls, state)
        p.expect(":")
        function = p.function_type()
        state.add_operands(p.resolve_all([size], list(function.inputs)))
        state.result_types = list(function.results)

    def print_custom(self, p: Printer) -> str:
        hidden = {"elem_type", "inalloca"}
        if self.alignment is not None and self.alignment.value == 0:
            hidden.add("alignment")
        head = " inalloca" if self.inalloca else ""
        head += f" {p.value(self.array_size)} x {p.type(self.elem_type.type)}{p.attr_dict(self, hidden)}"
        return f"{head} : {p.functional_type(self.operand_types, self.result_types)}"


class _Comparison(Operation):
    """Compares two values; the predicate is a string."""

    lhs = operand()
    rhs = operand()
    result = result()
    predicates: tuple[str, ...] = ()

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        start = p.skip()
        word = p.string()
        if word not in cls.predicates:
            p.error(f"'{word}' is an incorrect value of the 'predicate' attribute", start)
        state.properties["predicate"] = i64_attr(cls.predicates.index(word))
        uses = [p.operand()]
        p.expect(",")
        uses.append(p.operand())
        p.attr_dict(state)
        move_inherent(cls, state)
        type = p.colon_type()
        state.add_operands(p.resolve_all(uses, [type, type]))
        state.result_types = [i1_like(type)]

    def print_custom(self, p: Printer) -> str:
        word = self.predicates[expect(a.IntegerAttr, self.properties["predicate"]).value]
        head = f' "{word}" {p.values(self.operands)}{p.attr_dict(self, ("predicate",))}'
        return f"{head} : {p.type(self.lhs.type)}"


class ICmpOp(_Comparison):
    """Compares integers or pointers."""

    name = "llvm.icmp"
    predicate = attribute(c.I64_ATTR)
    traits = (tr.PURE,)
    predicates = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


_FLOAT_PREDICATES: Final = "_false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno _true"


class FCmpOp(_Comparison):
    """Compares floats."""

    name = "llvm.fcmp"
    predicate = attribute(c.I64_ATTR)
    fastmath = attribute(c.ANY_ATTR, key="fastmathFlags", optional=True, default=FASTMATH_NONE)
    traits = (tr.PURE,)
    predicates = tuple(_FLOAT_PREDICATES.split())


class LLVMSwitchOp(CasesOp):
    """`%value : t, ^bb1(%a : u) [42: ^bb2, ...]`."""

    name = "llvm.switch"
    flag = operand(c.ANY_SIGNLESS_INTEGER)
    branch_weights = attribute(c.DENSE_I32_ARRAY, optional=True)

    @classmethod
    def read_numbers(cls, p: OpParser, element: t.IntegerType) -> Iterator[list[int]]:
        yield []
        p.expect("[")
        half, more = 1 << max(element.width - 1, 0), not p.peek("]")
        while more:
            number = p.integer()
            p.expect(":")
            yield [(number + half) % (2 * half) - half if element.width > 1 else number & 1]
            more = p.accept(",")

    def print_custom(self, p: Printer) -> str:
        sign = -1 if self.flag.type is t.I1 else 1  # signed, as for other widths
        default, cases, attributes = self.printed_cases(p, lambda value: sign * value)
        body = f"{default} [{','.join(cases)}\n{p.indent}]"
        return f" {p.value(self.flag)} : {p.type(self.flag.type)}, {body}{attributes}"

    def verify(self) -> str | None:
        weights = self.branch_weights
        cases = len(self.successors) - 1
        values = 0 if self.case_values is None else self.case_values.type.num_elements
        if (values or cases) and values != cases:
            return "expects number of case values to match number of case destinations"
        if weights is not None and len(weights.values) != len(self.successors):
            count = f"{len(weights.values)} vs {len(self.successors)}"
            return Unprefixed(f"expects number of branch weights to match number of successors: {count}")
        return successor_mismatch(self)


__getattr__ = operations_of("llvm")
