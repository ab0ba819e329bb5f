"""Compiles assembly formats to parsers.

A format becomes a list of steps that collect unresolved operands and types per field. At the end, types
that were not written are derived (`bufferize.ir.declaration.format_syntax`) and operands are resolved.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, Final

from ..declaration.declare import (
    OPTIONAL,
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
    AttributeSlot,
    Custom,
    Directive,
    Element,
    FunctionalType,
    Group,
    Literal,
    Ref,
    Space,
    TypeOf,
    TypePlan,
    Variable,
    directive_of,
    read_format,
)
from ..program import traits as tr
from ..program.core import Block, Operation, Region
from ..source.diagnostics import ParseError
from ..types import attributes as a, types as t

if TYPE_CHECKING:
    from ..declaration.constraints import TypeConstraint
    from .op_parser import OpParser, ParsedOp
from .format_operands import FormatState, finisher, spread

Step = Callable[["OpParser", FormatState], Any]


def parse_form(cls: type[Operation]) -> Callable[[OpParser, ParsedOp], Generator[Any, Region, None] | None]:
    """The parser of the custom form of `cls`: its own `parse`, or one compiled from its format.

    An operation with neither has only a generic form; its custom form is an error at its name.
    """
    if (own := cls.parse) is not None:
        return own
    text = cls.assembly_format
    if text is None:
        return _no_custom_form
    definition: OpDefinition | None = cls.definition  # pyright: ignore[reportAssignmentType]
    assert definition is not None
    compiler = _FormatParserCompiler(cls, definition)
    elements = read_format(text)
    steps = compiler.sequence(elements)
    plan = TypePlan(definition, elements)
    finish = finisher(definition, plan)
    if not compiler.needs_regions:

        def parse(p: OpParser, parsed: ParsedOp) -> None:
            state = FormatState(parsed, definition)
            for step in steps:
                step(p, state)
            finish(p, state)

        return parse

    def parse_with_regions(p: OpParser, parsed: ParsedOp) -> Generator[Any, Region, None]:
        state = FormatState(parsed, definition)
        for step in steps:
            pending = step(p, state)
            if pending is not None and not isinstance(pending, bool):
                yield from pending
        finish(p, state)

    return parse_with_regions


def _no_custom_form(p: OpParser, parsed: ParsedOp) -> None:
    p.error(
        "has no custom assembly form that is known here; mlir-opt --mlir-print-op-generic prints one that is read"
    )


class _FormatParserCompiler:
    def __init__(self, cls: type[Operation], definition: OpDefinition):
        self.cls = cls
        self.definition = definition
        self.needs_regions = False

    def sequence(self, elements: tuple[Element, ...]) -> list[Step]:
        return [step for e in elements if (step := self.step(e)) is not None]

    def step(self, element: Element) -> Step | None:
        match element:
            case Space():
                return None
            case Literal(text):
                return lambda p, state: p.expect(text)
            case Variable(name):
                return self.variable(self.definition.fields[name])
            case TypeOf(name):
                return self.type_of(name)
            case Directive(kind):
                return self.directive(kind)
            case FunctionalType(inputs, results):
                return self.functional_type(inputs, results)
            case Custom():
                return self.custom(element)
            case Group():
                return self.group(element)
            case AnyOrder():
                return self.any_order(element)
            case Ref():
                raise ValueError(f"ref() outside a custom directive in the format of {self.cls.name}")

    def variable(self, field: object) -> Step:
        if isinstance(field, _ValueField):
            name = field.name
            if field.arity == SINGLE:
                return lambda p, state: state.uses[name].append(p.operand())
            if field.arity == OPTIONAL:

                def optional(p: OpParser, state: FormatState) -> None:
                    use = p.optional_operand()
                    if use is not None:
                        state.uses[name].append(use)

                return optional
            return lambda p, state: state.uses[name].extend(p.operand_list())
        if isinstance(field, AttributeField):
            key, parse = field.key, field.constraint.parse
            if isinstance(field, UnitField):
                return lambda p, state: state.parsed.properties.__setitem__(key, a.UnitAttr())
            test = field.constraint.test

            def attribute(p: OpParser, state: FormatState) -> None:
                at = p.skip()
                p.attribute_name = key
                value = parse(p)
                if not test(value):
                    p.error("invalid kind of attribute specified", at)
                state.parsed.properties[key] = value

            return attribute
        if isinstance(field, RegionField):
            self.needs_regions = True
            if field.arity == VARIADIC:
                return self.region_list()

            single_block = self.definition.has_trait(tr.SINGLE_BLOCK)

            def region(p: OpParser, state: FormatState) -> Generator[Any, Region, None]:
                body = yield p.region()
                if single_block and body.is_empty:
                    body.append(Block())
                state.place_region(field, body)

            return region
        assert isinstance(field, SuccessorField)
        if field.arity == VARIADIC:
            return _successors
        return lambda p, state: state.parsed.successors.append(p.successor())

    def region_list(self) -> Step:
        self.needs_regions = True

        def regions(p: OpParser, state: FormatState) -> Generator[Any, Region, None]:
            if p.peek("{"):
                state.parsed.regions.append((yield p.region()))
                while p.accept(","):
                    state.parsed.regions.append((yield p.region()))

        return regions

    def type_of(self, name: str) -> Step:
        definition = self.definition
        if name in ("operands", "results"):
            key = "*" + name
            return lambda p, state: state.types.__setitem__(key, p.type_list() if not p.at_end() else [])
        field = definition.fields[name]
        if field.arity == SINGLE:
            short = field.constraint.short
            if short:
                return lambda p, state: state.types.__setitem__(name, [p.shortened_type(short)])
            if field.constraint.kinds:
                return lambda p, state: state.types.__setitem__(name, [_type_of_kind(p, field.constraint)])
            return lambda p, state: state.types.__setitem__(name, [p.type()])
        if field.arity == OPTIONAL:

            def optional(p: OpParser, state: FormatState) -> None:
                type = p.optional_type()
                state.types[name] = [] if type is None else [type]

            return optional

        return lambda p, state: state.types.__setitem__(name, p.type_list())

    def directive(self, kind: str) -> Step:
        if kind == "attr-dict":
            return lambda p, state: p.attr_dict(state.parsed, self.definition.attribute_error)
        if kind == "prop-dict":
            return lambda p, state: p.prop_dict(state.parsed)
        if kind == "attr-dict-with-keyword":
            return lambda p, state: p.attr_dict_with_keyword(state.parsed)
        if kind == "operands":
            return lambda p, state: state.uses.__setitem__("*operands", p.operand_list())
        if kind == "regions":
            return self.region_list()
        if kind == "successors":
            return _successors
        raise ValueError(f"unknown directive {kind} in the format of {self.cls.name}")

    def functional_type(self, inputs: str, results: str) -> Step:
        def step(p: OpParser, state: FormatState) -> None:
            at = p.skip()
            function = p.type()
            if not isinstance(function, t.FunctionType):
                p.error(
                    f"invalid kind of type specified: expected builtin.function, but found '{function}'", at
                )
            spread(p, self.definition, state, inputs, list(function.inputs), of_results=False)
            spread(p, self.definition, state, results, list(function.results), of_results=True)

        return step

    def custom(self, element: Custom) -> Step:
        parse = directive_of(self.cls, element.name)[0]
        slots = [self.slot(argument) for argument in element.arguments]
        if any(
            isinstance(x, Variable) and isinstance(self.definition.fields[x.name], RegionField)
            for x in element.arguments
        ):
            self.needs_regions = True
        return lambda p, state: parse(p, *[slot(p, state) for slot in slots])

    def slot(self, argument: Element) -> Callable[[OpParser, FormatState], Any]:
        if isinstance(argument, Ref):
            argument = argument.element
        if isinstance(argument, Literal):
            text = argument.text
            return lambda p, state: text
        if isinstance(argument, Directive) and argument.kind in ("attr-dict", "prop-dict"):
            return lambda p, state: state.parsed
        if isinstance(argument, TypeOf):
            name = argument.name
            return lambda p, state: state.types.setdefault(name, [])
        assert isinstance(argument, Variable), argument
        field = self.definition.fields[argument.name]
        if isinstance(field, _ValueField):
            name = field.name
            return lambda p, state: state.uses[name]
        if isinstance(field, AttributeField):
            key = field.key
            return lambda p, state: AttributeSlot(state.parsed.properties, key)
        if isinstance(field, RegionField):
            return lambda p, state: state.parsed.regions
        return lambda p, state: state.parsed.successors

    def group(self, group: Group) -> Step:
        """An optional group is present if its first element is; if its first branch is empty, if the other branch's is
        absent.
        """
        elements = [e for e in group.then if not isinstance(e, Space)]
        otherwise = self.sequence(group.otherwise)
        if not elements or (isinstance(elements[0], Directive) and elements[0].kind == "attr-dict"):
            raise ValueError(f"optional group without a first element in the format of {self.cls.name}")
        first = self.first(elements[0])
        rest = self.sequence(tuple(elements[1:]))
        if isinstance(group.anchor, Variable):
            field = self.definition.fields[group.anchor.name]
            if isinstance(field, UnitField) and group.anchor not in elements[1:]:
                rest.insert(0, self.variable(field))
        return _branch(first, rest, otherwise, self.needs_regions)

    def first(self, element: Element) -> Callable[[OpParser, FormatState], Any]:
        """Parses the first element of a group if present, and returns whether it was."""
        match element:
            case Literal(text):
                return lambda p, state: p.accept(text)
            case Variable(name):
                field = self.definition.fields[name]
                if isinstance(field, _ValueField):

                    def values(p: OpParser, state: FormatState) -> bool:
                        use = p.optional_operand()
                        if use is None:
                            return False
                        state.uses[name].append(use)
                        while field.arity == VARIADIC and p.accept(","):
                            state.uses[name].append(p.operand())
                        return True

                    return values
                if isinstance(field, AttributeField):
                    return self.first_attribute(field)
                if isinstance(field, RegionField):
                    self.needs_regions = True

                    def region(p: OpParser, state: FormatState) -> Generator[Any, Region, bool]:
                        if not p.peek("{"):
                            return False
                        state.place_region(field, (yield p.region()))
                        while field.arity == VARIADIC and p.accept(","):
                            state.parsed.regions.append((yield p.region()))
                        return True

                    return region

                def successor(p: OpParser, state: FormatState) -> bool:
                    block = p.optional_successor()
                    if block is not None:
                        state.parsed.successors.append(block)
                    return block is not None

                return successor
            case TypeOf(name):

                def type_of(p: OpParser, state: FormatState) -> bool:
                    type = p.optional_type()
                    if type is None:
                        return False
                    types = state.types[name] = [type]
                    while self.definition.fields[name].arity == VARIADIC and p.accept(","):
                        types.append(p.type())
                    return True

                return type_of
            case Custom():
                step = self.custom(element)

                def custom(p: OpParser, state: FormatState) -> bool:
                    at = p.skip()
                    found = step(p, state)
                    return bool(found) if found is not None else p.position != at

                return custom
            case _:
                raise ValueError(f"a group of {self.cls.name} starts with {element}")

    def first_attribute(self, field: AttributeField) -> Callable[[OpParser, FormatState], bool]:
        key, parse = field.key, field.constraint.parse

        def attribute(p: OpParser, state: FormatState) -> bool:
            at = p.skip()
            text = p.text
            if at >= len(text) or text[at] in "%^)}],:=>?*+&;|" or text.startswith("->", at):
                return False
            if text[at] == "{":
                return False
            try:
                value = parse(p)
            except ParseError:
                p.position = at
                return False
            if not field.constraint.test(value):
                p.position = at
                return False
            state.parsed.properties[key] = value
            return True

        return attribute

    def any_order(self, element: AnyOrder) -> Step:
        clauses = [(literal.text, self.sequence(body)) for literal, body in element.clauses]

        def step(p: OpParser, state: FormatState) -> Any:
            return _any_order(p, state, clauses)

        def plain(p: OpParser, state: FormatState) -> None:
            for _ in _any_order(p, state, clauses):
                pass

        return step if self.needs_regions else plain


def _any_order(
    p: OpParser, state: FormatState, clauses: list[tuple[str, list[Step]]]
) -> Generator[Any, Region, None]:
    seen: set[str] = set()
    while True:
        for keyword, steps in clauses:
            at = p.skip()
            if p.accept(keyword):
                if keyword in seen:
                    p.error(
                        f"`{keyword}` clause can appear at most once in the expansion of the oilist directive",
                        at,
                    )
                seen.add(keyword)
                for step in steps:
                    pending = step(p, state)
                    if pending is not None and not isinstance(pending, bool):
                        yield from pending
                break
        else:
            return


def _branch(first: Any, rest: list[Step], otherwise: list[Step], needs_regions: bool) -> Step:
    if not needs_regions:

        def plain(p: OpParser, state: FormatState) -> None:
            for step in rest if first(p, state) else otherwise:
                step(p, state)

        return plain

    def branch(p: OpParser, state: FormatState) -> Generator[Any, Region, None]:
        present = first(p, state)
        if not isinstance(present, bool):
            present = yield from present
        for step in rest if present else otherwise:
            pending = step(p, state)
            if pending is not None and not isinstance(pending, bool):
                yield from pending

    return branch


_KINDS: Final = {
    t.ComplexType: "complex",
    t.FunctionType: "function",
    t.IndexType: "index",
    t.IntegerType: "integer",
    t.MemRefType: "memref",
    t.RankedTensorType: "tensor",
    t.TupleType: "tuple",
    t.VectorType: "vector",
}
"""MLIR's names for the types of one class; classes without a name are interfaces upstream."""


def _type_of_kind(p: OpParser, constraint: TypeConstraint) -> t.Type:
    """A type of one of the constraint's classes; the verifier checks the rest of the constraint."""
    at = p.skip()
    type = p.type()
    if not isinstance(type, constraint.kinds):
        name = _KINDS.get(constraint.kinds[0]) if len(constraint.kinds) == 1 else None
        expected = f": expected builtin.{name}, but found '{type}'" if name else ""
        p.error(f"invalid kind of type specified{expected}", at)
    return type


def _successors(p: OpParser, state: FormatState) -> None:
    """Blocks with commas between, or none."""
    first = p.optional_successor()
    if first is not None:
        state.parsed.successors.append(first)
        while p.accept(","):
            state.parsed.successors.append(p.successor())
