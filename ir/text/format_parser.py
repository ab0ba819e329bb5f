"""Compiles assembly formats to parsers.

A format becomes a list of steps that collect unresolved operands and types per field. At the end, types
that were not written are derived (`bufferize.ir.declaration.format_syntax`) and operands are resolved.

At the end: generic forms, and custom forms of unregistered dialects.
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
    DIRECTIVES as DIRECTIVES,
    AnyOrder,
    AttributeSlot,
    Custom,
    Directive,
    Element,
    FunctionalType,
    Group,
    Literal,
    Ref,
    RegionPrint as RegionPrint,
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
from ..source.text import lazy_pattern
from ..types import attributes as a, types as t
from .fast_path import compile_fast_form as fast_form
from .format_operands import Finisher, FormatState, spread
from .format_printer import print_form as print_form
from .op_parser import Form, OpParser, ParsedOp, RegionRequest
from .registry import Registry

if TYPE_CHECKING:
    from ..declaration.constraints import TypeConstraint
    from .op_parser import OpParser, ParsedOp


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
    finish = Finisher(definition, plan)
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
    if (first := p.optional_successor()) is not None:
        state.parsed.successors.append(first)
        while p.accept(","):
            state.parsed.successors.append(p.successor())


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
        function = t.FunctionType(types, ())  # 2020 documents omit result types if there are no results
    if len(function.inputs) != len(uses):
        plural = "" if len(uses) == 1 else "s"
        p.fail(f"expected {len(uses)} operand type{plural} but had {len(function.inputs)}", at)
    state.operands = [p.resolve(use, type) for use, type in zip(uses, function.inputs, strict=True)]
    state.result_types = list(function.results)


def complete_generic_form(p: OpParser, cls: type[Operation], state: ParsedOp, at: int) -> None:
    """Complete what the generic form of an operation may leave out.

    Raises:
        ParseError: its segment sizes do not fit its declaration.
    """
    if cls.complete_generic is not None:
        cls.complete_generic(state)
    definition: OpDefinition = cls.definition  # pyright: ignore[reportAssignmentType]
    problem = definition.complete_segments(state.properties, state.attributes)
    if problem is not None:
        written = a.DictionaryAttr(state.properties)
        p.fail(f"invalid properties {written} for op {cls.name}: {problem}", at)


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
