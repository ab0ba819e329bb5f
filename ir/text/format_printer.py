"""Compiles assembly formats to printers.

White space is decided at compile time by MLIR's rule: the previously printed element determines whether a space
follows.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, Protocol

from ..declaration.declare import (
    OPERAND_SEGMENTS,
    RESULT_SEGMENTS,
    SINGLE,
    VARIADIC,
    AttributeField,
    OpDefinition,
    RegionField,
    SuccessorField,
    UnitField,
    _ValueField,
)
from ..declaration.format_syntax import (
    AnyOrder,
    Custom,
    Directive,
    Element,
    FunctionalType,
    Group,
    Literal,
    Ref,
    RegionPrint,
    Space,
    TypeOf,
    Variable,
    directive_of,
    read_format,
)
from ..program import traits as tr
from ..program.core import Block, Operation, Region, Value
from ..types import attributes as a, types as t


class FormPrinter(Protocol):
    """The part of the printer's interface that printing a form needs."""

    indent: str
    """The indentation of the operation that is being printed."""

    def value(self, value: Value, /) -> str: ...

    def values(self, values: Iterable[Value], /) -> str: ...

    def type(self, type: t.Type, /) -> str: ...

    def types(self, types: Iterable[t.Type], /) -> str: ...

    def attribute(self, attribute: a.Attribute, /) -> str: ...

    def functional_type(self, inputs: Sequence[t.Type], results: Sequence[t.Type], /) -> str: ...

    def attr_dict(self, op: Operation, elide: Iterable[str] = (), /) -> str: ...

    def attr_dict_with_keyword(self, op: Operation, elide: Iterable[str] = (), /) -> str: ...

    def prop_dict(self, op: Operation, elide: Iterable[str] = (), /) -> str: ...

    def successor(self, block: Block, /) -> str: ...

    def shows_terminator(self, op: Operation, region: Region, /) -> bool: ...


Part = Callable[[Operation, "FormPrinter"], Any]


def print_form(cls: type[Operation]) -> Callable[[Operation, FormPrinter], Any] | None:
    """The function `(op, printer) -> str | generator` for the custom form; None if there is only the generic form.

    A form with regions yields text pieces and region requests.
    """
    if (own := cls.print_custom) is not None:
        return own
    text = cls.assembly_format
    if text is None:
        return None
    definition: OpDefinition | None = cls.definition  # pyright: ignore[reportAssignmentType]
    assert definition is not None
    compiler = _FormatPrinterCompiler(cls, definition, read_format(text))
    parts = compiler.parts
    if not compiler.has_regions:

        def print_plain(op: Operation, p: FormPrinter) -> str:
            return "".join([part if isinstance(part, str) else part(op, p) for part in parts])

        return print_plain

    def print_with_regions(op: Operation, p: FormPrinter) -> Generator[Any, None, None]:
        for part in parts:
            piece = part if isinstance(part, str) else part(op, p)
            if isinstance(piece, (str, RegionPrint)):
                yield piece
            else:
                yield from piece

    return print_with_regions


class _FormatPrinterCompiler:
    """Compiles elements to parts, tracking at compile time whether a space is pending."""

    def __init__(self, cls: type[Operation], definition: OpDefinition, elements: tuple[Element, ...]):
        self.cls = cls
        self.definition = definition
        self.space_due = True
        self.after_punctuation = False
        self.has_regions = False
        self.elided = _mentioned_attributes(definition, elements)
        self.parts: list[str | Part] = []
        self.sequence(elements, self.parts)

    def sequence(self, elements: tuple[Element, ...], out: list[str | Part]) -> None:
        for element in elements:
            self.element(element, out)

    @staticmethod
    def emit(out: list[str | Part], text: str) -> None:
        if out and isinstance(out[-1], str):
            out[-1] += text
        elif text:
            out.append(text)

    def literal(self, text: str, out: list[str | Part]) -> None:
        front = text[0]
        if len(text) != 1 and text != "->":
            before = True
        elif self.after_punctuation:
            before = front not in ">)}],"
        else:
            before = front not in "<>(){}[],"
        self.emit(out, (" " if self.space_due and before else "") + text)
        self.space_due = len(text) != 1 or front not in "<({["
        self.after_punctuation = front != "_" and not front.isalpha()

    def element(self, element: Element, out: list[str | Part]) -> None:
        if isinstance(element, Literal):
            self.literal(element.text, out)
            return
        if isinstance(element, Space):
            if element.text == "\n":
                out.append(lambda op, p: f"\n{p.indent}")
                self.after_punctuation = False
                self.space_due = True
                return
            if element.text:
                self.emit(out, element.text)
                self.after_punctuation = False
            else:
                self.after_punctuation = True
            self.space_due = False
            return
        if isinstance(element, Directive) and element.kind in (
            "attr-dict",
            "attr-dict-with-keyword",
            "prop-dict",
        ):
            elided = self.elided
            if element.kind == "prop-dict":
                out.append(lambda op, p: p.prop_dict(op, elided))
                self.elided |= {f.key for f in self.definition.attributes}  # `attr-dict` must not repeat them
            elif element.kind == "attr-dict-with-keyword":
                out.append(lambda op, p: p.attr_dict_with_keyword(op, elided))
            else:
                out.append(lambda op, p: p.attr_dict(op, elided))
            self.after_punctuation = False
            self.space_due = True
            return
        if isinstance(element, Group):
            self.group(element, out)
            return
        if isinstance(element, AnyOrder):
            self.any_order(element, out)
            return
        if self.space_due or not self.after_punctuation:
            self.emit(out, " ")
        self.after_punctuation = False
        self.space_due = True
        out.append(self.part(element))

    def part(self, element: Element) -> Part:
        match element:
            case Variable(name, qualified):
                return self.variable(self.definition.fields[name], qualified)
            case TypeOf(name, qualified):
                return self.type_of(name, qualified)
            case FunctionalType(inputs, results):
                ins, outs = self.types(inputs), self.types(results)
                return lambda op, p: p.functional_type(ins(op), outs(op))
            case Directive("operands"):
                return lambda op, p: p.values(op.operands)
            case Directive("successors"):
                return lambda op, p: ", ".join(p.successor(b) for b in op.successors)
            case Directive("regions"):
                self.has_regions = True
                return lambda op, p: _region_list(op.regions, op, p)
            case Custom():
                return self.custom(element)
            case _:
                raise ValueError(f"cannot print {element} of {self.cls.name}")

    def variable(self, field: object, qualified: bool) -> Part:
        if isinstance(field, _ValueField):
            if field.arity == SINGLE and field.position is not None:
                position = field.position
                return lambda op, p: p.value(op.op_operands[position]._value)
            members = field.members
            return lambda op, p: p.values(members(op))
        if isinstance(field, AttributeField):
            if isinstance(field, UnitField):
                return lambda op, p: "unit"
            key, default, show = field.key, field.default, field.constraint.print
            if qualified:
                show = _qualified

            def attribute(op: Operation, p: FormPrinter) -> str:
                value = op.properties.get(key, default)
                return "" if value is None else show(p, value)

            return attribute
        if isinstance(field, RegionField):
            self.has_regions = True
            position = field.position
            if field.arity == VARIADIC:
                return lambda op, p: _region_list(op.regions[position:], op, p)
            return lambda op, p: _region_request(op.regions[position], op, p)
        assert isinstance(field, SuccessorField)
        position = field.position
        if field.arity == VARIADIC:
            return lambda op, p: ", ".join(p.successor(b) for b in op.successors[position:])
        return lambda op, p: p.successor(op.successors[position])

    def types(self, name: str) -> Callable[[Operation], list[t.Type]]:
        if name == "operands":
            return lambda op: op.operand_types
        if name == "results":
            return lambda op: op.result_types
        members = self.definition.fields[name].members
        return lambda op: [v.type for v in members(op)]

    def type_of(self, name: str, qualified: bool) -> Part:
        if name not in ("operands", "results"):
            field = self.definition.fields[name]
            if field.arity == SINGLE and field.constraint.short and not qualified:
                members, short = field.members, field.constraint.short
                return lambda op, p: _shortened(p.type(members(op)[0].type), short)
            if field.arity == SINGLE and field.position is not None:
                position = field.position
                if field.of_results:
                    return lambda op, p: p.type(op.results[position].type)
                return lambda op, p: p.type(op.op_operands[position]._value.type)
        types = self.types(name)
        return lambda op, p: p.types(types(op))

    def custom(self, element: Custom) -> Part:
        show = directive_of(self.cls, element.name)[1]
        slots = [self.slot(argument) for argument in element.arguments]
        if any(
            isinstance(x, Variable) and isinstance(self.definition.fields[x.name], RegionField)
            for x in element.arguments
        ):
            self.has_regions = True
        return lambda op, p: show(p, op, *[slot(op) for slot in slots])

    def slot(self, argument: Element) -> Callable[[Operation], Any]:
        if isinstance(argument, Ref):
            argument = argument.element
        if isinstance(argument, Literal):
            text = argument.text
            return lambda op: text
        if isinstance(argument, TypeOf):
            return self.types(argument.name)
        if isinstance(argument, Directive):
            return lambda op: op.attributes
        assert isinstance(argument, Variable)
        field = self.definition.fields[argument.name]
        if isinstance(field, _ValueField):
            return field.members
        if isinstance(field, AttributeField):
            key, default = field.key, field.default
            return lambda op: op.properties.get(key, default)
        name = field.name
        return lambda op: getattr(op, name)

    def present(self, anchor: Element) -> Callable[[Operation], bool]:
        match anchor:
            case Variable(name) | TypeOf(name):
                if name in ("operands", "results"):
                    return lambda op: bool(op.op_operands if name == "operands" else op.results)
                field = self.definition.fields[name]
                if isinstance(field, _ValueField):
                    members = field.members
                    return lambda op: bool(members(op))
                if isinstance(field, AttributeField):
                    key, default = field.key, field.default
                    return lambda op: op.properties.get(key, default) is not default
                if isinstance(field, RegionField):
                    position = field.position
                    if field.arity == VARIADIC:
                        return lambda op: len(op.regions) > position
                    return lambda op: not op.regions[position].is_empty
                position = field.position
                return lambda op: len(op.successors) > position
            case Custom():
                tests = [self.present(x) for x in element_arguments(anchor)]
                return lambda op: any(test(op) for test in tests)
            case Directive("operands"):
                return lambda op: bool(op.op_operands)
            case Directive("regions"):
                return lambda op: bool(op.regions)
            case FunctionalType(inputs, _):
                types = self.types(inputs)
                return lambda op: bool(types(op))
            case _:
                raise ValueError(f"group of {self.cls.name} anchored at {anchor}")

    def group(self, group: Group, out: list[str | Part]) -> None:
        present = self.present(group.anchor)
        anchored_unit = isinstance(group.anchor, Variable) and isinstance(
            self.definition.fields[group.anchor.name], UnitField
        )
        then: list[str | Part] = []
        # a unit attribute is implied by the literals around it
        elements = tuple(
            e for e in group.then if not (anchored_unit and e == group.anchor and len(group.then) > 1)
        )
        if any(e is group.anchor or e == group.anchor for e in group.otherwise):
            negated = present

            def absent(op: Operation) -> bool:
                return not negated(op)

            present = absent
        self.sequence(elements, then)
        otherwise: list[str | Part] = []
        self.sequence(group.otherwise, otherwise)
        out.append(_choice(present, then, otherwise, self.has_regions))

    def any_order(self, element: AnyOrder, out: list[str | Part]) -> None:
        for literal, body in element.clauses:
            variables = [e for e in body if isinstance(e, (Variable, TypeOf, Custom))]
            tests = [self.present(e) for e in variables if not isinstance(e, TypeOf)]
            parts: list[str | Part] = []
            self.space_due = True
            self.after_punctuation = False
            self.literal(literal.text, parts)
            units = all(
                isinstance(e, Variable) and isinstance(self.definition.fields[e.name], UnitField)
                for e in body
            )
            if not units:
                self.sequence(body, parts)

            def present(op: Operation, tests: list[Callable[[Operation], bool]] = tests) -> bool:
                return any(test(op) for test in tests)

            out.append(_choice(present, parts, [], self.has_regions))
            self.space_due = True


def element_arguments(custom: Custom) -> list[Element]:
    return [x for x in custom.arguments if isinstance(x, (Variable, TypeOf))]


def _choice(
    present: Callable[[Operation], bool],
    then: list[str | Part],
    otherwise: list[str | Part],
    has_regions: bool,
) -> Part:
    if not has_regions:

        def plain(op: Operation, p: FormPrinter) -> str:
            return "".join(
                [x if isinstance(x, str) else x(op, p) for x in (then if present(op) else otherwise)]
            )

        return plain

    def choice(op: Operation, p: FormPrinter) -> Generator[Any, None, None]:
        for part in then if present(op) else otherwise:
            piece = part if isinstance(part, str) else part(op, p)
            if isinstance(piece, (str, RegionPrint)):
                yield piece
            else:
                yield from piece

    return choice


def _qualified(p: FormPrinter, attribute: a.Attribute) -> str:
    return p.attribute(attribute)


def _shortened(text: str, short: str) -> str:
    """The text of a type without its name, if the name is `short`."""
    return text[len(short) :] if text.partition("<")[0] == short else text


def _region_request(region: Region, op: Operation, p: FormPrinter) -> RegionPrint:
    return RegionPrint(region, True, p.shows_terminator(op, region), False)


def _region_list(regions: list[Region], op: Operation, p: FormPrinter) -> Generator[Any, None, None]:
    for i, region in enumerate(regions):
        if i:
            yield ", "
        yield _region_request(region, op, p)


def _mentioned_attributes(definition: OpDefinition, elements: tuple[Element, ...]) -> frozenset[str]:
    """Attributes that the format prints elsewhere or that can be derived, and that `attr-dict` therefore omits."""
    names: set[str] = set()
    if definition.has_trait(tr.ATTR_SIZED_OPERAND_SEGMENTS):
        names.add(OPERAND_SEGMENTS)
    if definition.has_trait(tr.ATTR_SIZED_RESULT_SEGMENTS):
        names.add(RESULT_SEGMENTS)  # unless one list has the types of all results

    def visit(items: tuple[Element, ...]) -> None:
        for e in items:
            match e:
                case Variable(name):
                    field = definition.fields[name]
                    if isinstance(field, AttributeField):
                        names.add(field.key)
                case Group():
                    visit(e.then)
                    visit(e.otherwise)
                case Custom():
                    visit(tuple(x for x in e.arguments if not isinstance(x, Ref)))
                case AnyOrder():
                    for _, body in e.clauses:
                        visit(body)
                case TypeOf("results") | FunctionalType(_, "results"):
                    names.discard(RESULT_SEGMENTS)
                case _:
                    pass

    visit(elements)
    return frozenset(names)
