"""Compiling assembly formats: from one declaration, the function that reads an operation and the one that prints it.

A format is turned into a list of steps once per operation class, on first use. Reading collects, per field, unresolved
operands and types; when the text is consumed, types that were not written are derived (a constraint with one member,
traits that equate types, `InferResultTypes`) and operands are resolved. Printing decides all white space while
compiling, by MLIR's rule: what was printed last determines whether a space follows.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from . import attributes as a
from . import traits as tr
from . import types as t
from .core import Block, Operation, Region
from .declare import (
    OPERAND_SEGMENTS,
    OPTIONAL,
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
from .diagnostics import ParseError
from .format_syntax import (
    AnyOrder,
    Custom,
    Directive,
    Element,
    FunctionalType,
    Group,
    Literal,
    Ref,
    Space,
    TypeOf,
    Variable,
    read_format,
)

if TYPE_CHECKING:
    from .parser import OpParser, ParsedOp, UnresolvedOperand
    from .printer import Printer

DIRECTIVES: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}
"""`custom<Name>` directives shared by dialects: how they are read and printed. A class may define its own in `directives`."""


def directive_of(cls: type[Operation], name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    own = getattr(cls, "directives", {})
    if name in own:
        return own[name]
    if name in DIRECTIVES:
        return DIRECTIVES[name]
    raise ValueError(f"{cls.name} uses the unknown directive custom<{name}>")


class AttributeSlot:
    """How a custom directive reads or sets one attribute while an operation is parsed."""

    __slots__ = ("key", "properties")

    def __init__(self, properties: dict[str, a.Attribute], key: str):
        self.properties = properties
        self.key = key

    def set(self, value: a.Attribute) -> None:
        self.properties[self.key] = value

    def get(self) -> a.Attribute | None:
        return self.properties.get(self.key)


class FormatState:
    """What has been read of each field so far."""

    __slots__ = ("functional_at", "parsed", "types", "uses")

    def __init__(self, parsed: ParsedOp, definition: OpDefinition):
        self.parsed = parsed
        self.uses: dict[str, list[UnresolvedOperand]] = {f.name: [] for f in definition.operands}
        self.types: dict[str, list[t.Type]] = {}


Step = Callable[["OpParser", FormatState], Any]


# Reading


def parse_form(cls: type[Operation]) -> Callable[[OpParser, ParsedOp], Generator[Any, Region, None] | None]:
    """The function that reads the custom form of `cls`: its own `parse`, or one compiled from its format.

    An operation with neither has only the generic form; reading it otherwise is an error at its name.
    """
    own = getattr(cls, "parse", None)
    if own is not None:
        return own
    text = getattr(cls, "assembly_format", None)
    if text is None:
        return _no_custom_form(cls.name)
    definition = cls.definition
    assert definition is not None
    compiler = _ReadCompiler(cls, definition)
    elements = read_format(text)
    steps = compiler.sequence(elements)
    plan = TypePlan(definition, elements)
    finish = _finisher(definition, plan)
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


def _no_custom_form(name: str) -> Callable[[OpParser, ParsedOp], None]:
    def parse(p: OpParser, parsed: ParsedOp) -> None:
        p.error(f"'{name}' has no custom assembly form")

    return parse


class _ReadCompiler:
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

    def variable(self, field: Any) -> Step:
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
            test, summary = field.constraint.test, field.constraint.summary

            def attribute(p: OpParser, state: FormatState) -> None:
                at = p.skip()
                p.attribute_name = key
                value = parse(p)
                if not test(value):
                    p.error(f"invalid kind of attribute specified: expected {summary}", at)
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
                state.parsed.regions.append(body)

            return region
        assert isinstance(field, SuccessorField)
        if field.arity == VARIADIC:

            def successors(p: OpParser, state: FormatState) -> None:
                first = p.optional_successor()
                if first is not None:
                    state.parsed.successors.append(first)
                    while p.accept(","):
                        state.parsed.successors.append(p.successor())

            return successors
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
            return lambda p, state: state.types.__setitem__(name, [p.type()])
        if field.arity == OPTIONAL:

            def optional(p: OpParser, state: FormatState) -> None:
                type = p.optional_type()
                state.types[name] = [] if type is None else [type]

            return optional

        def variadic(p: OpParser, state: FormatState) -> None:
            first = p.optional_type()
            types = state.types[name] = [] if first is None else [first]
            while first is not None and p.accept(","):
                types.append(p.type())

        return variadic

    def directive(self, kind: str) -> Step:
        if kind in ("attr-dict", "prop-dict"):
            return lambda p, state: p.attr_dict(state.parsed)
        if kind == "attr-dict-with-keyword":
            return lambda p, state: p.attr_dict_with_keyword(state.parsed)
        if kind == "operands":
            return lambda p, state: state.uses.__setitem__("*operands", p.operand_list())
        if kind == "regions":
            return self.region_list()
        if kind == "successors":

            def successors(p: OpParser, state: FormatState) -> None:
                first = p.optional_successor()
                if first is not None:
                    state.parsed.successors.append(first)
                    while p.accept(","):
                        state.parsed.successors.append(p.successor())

            return successors
        raise ValueError(f"unknown directive {kind} in the format of {self.cls.name}")

    def functional_type(self, inputs: str, results: str) -> Step:
        def step(p: OpParser, state: FormatState) -> None:
            function = p.function_type()
            _spread(p, self.definition, state, inputs, list(function.inputs), of_results=False)
            _spread(p, self.definition, state, results, list(function.results), of_results=True)

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
        """An optional group is there if its first element is; with an empty first branch, if the other's is not."""
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
        """Reads the first element of a group if it is there, and says whether it was."""
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
                        state.parsed.regions.append((yield p.region()))
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


def _spread(
    p: OpParser,
    definition: OpDefinition,
    state: FormatState,
    name: str,
    types: list[t.Type],
    *,
    of_results: bool,
) -> None:
    """Hand the types of one side of a functional-type to the field(s) it names."""
    if name in ("operands", "results"):
        state.types["*" + name] = types
        return
    field = definition.fields[name]
    if field.arity == SINGLE and len(types) != 1:
        p.error(f"expected one type for '{name}', but got {len(types)}")
    state.types[name] = types


# Deriving what the text does not spell


class TypePlan:
    """The order in which types that the format does not spell are found."""

    def __init__(self, definition: OpDefinition, elements: tuple[Element, ...]):
        explicit = _spelled(elements)
        self.all_operands = "*operands" in explicit
        self.all_results = "*results" in explicit
        known = set(explicit)
        fields = definition.operands + definition.results
        if self.all_operands:
            known |= {f.name for f in definition.operands}
        if self.all_results:
            known |= {f.name for f in definition.results}
        self.derivations: list[tuple[str, Callable[[FormatState], list[t.Type] | None]]] = []
        """Fields and how to compute their types from those of earlier ones."""
        for f in fields:
            fixed_count = f.arity == SINGLE or not f.of_results
            if f.name not in known and f.constraint.only is not None and fixed_count:
                self.derivations.append((f.name, _constant(f.constraint.only, f)))
                known.add(f.name)
        changed = True
        rules = [r for trait in definition.traits for r in _equations(trait, definition)]
        while changed:
            changed = False
            for source, target, compute in rules:
                if target not in known and source in known:
                    self.derivations.append((target, compute))
                    known.add(target)
                    changed = True
        self.infer: Callable[[Any], list[t.Type]] | None = None
        for trait in definition.traits:
            if isinstance(trait, tr.InferResultTypes):
                self.infer = trait.infer
        self.missing = [f.name for f in definition.operands if f.name not in known]
        self.needs_inference = any(f.name not in known for f in definition.results)


def _spelled(elements: tuple[Element, ...]) -> set[str]:
    names: set[str] = set()
    for e in elements:
        match e:
            case TypeOf(name):
                names.add("*" + name if name in ("operands", "results") else name)
            case FunctionalType(inputs, results):
                names.update("*" + n if n in ("operands", "results") else n for n in (inputs, results))
            case Group():
                names |= _spelled(e.then) | _spelled(e.otherwise)
            case AnyOrder():
                for _, body in e.clauses:
                    names |= _spelled(body)
            case Custom():
                names |= {x.name for x in e.arguments if isinstance(x, TypeOf)}
            case _:
                pass
    return names


def _constant(type: t.Type, field: _ValueField) -> Callable[[FormatState], list[t.Type]]:
    if field.of_results:
        return lambda state: [type]
    name = field.name
    return lambda state: [type] * len(state.uses[name])


def _equations(trait: tr.Trait, definition: OpDefinition):
    """What a trait says about types: (known field, derived field, computation)."""
    fields = definition.operands + definition.results

    def copy(source: str, target: _ValueField) -> Callable[[FormatState], list[t.Type] | None]:
        def compute(state: FormatState) -> list[t.Type] | None:
            known = state.types.get(source)
            if not known:
                return None
            count = 1 if target.of_results or target.arity == SINGLE else len(state.uses[target.name])
            return [known[0]] * count

        return compute

    if trait is tr.SAME_OPERANDS_AND_RESULT_TYPE:
        names = [f.name for f in fields]
    elif trait is tr.SAME_TYPE_OPERANDS:
        names = [f.name for f in definition.operands]
    elif isinstance(trait, tr.AllTypesMatch):
        names = list(trait.names)
    elif isinstance(trait, tr.TypesMatchWith):
        target = definition.fields[trait.target]
        source = definition.fields[trait.source]
        compute = trait.compute
        source_name = trait.source
        if isinstance(source, AttributeField):
            key = source.key

            def from_attribute(state: FormatState) -> list[t.Type] | None:
                value = state.parsed.properties.get(key)
                return None if value is None else _listed(compute(getattr(value, "type", value)))

            return [("@" + source_name, trait.target, from_attribute)]
        variadic = source.arity == VARIADIC

        def from_types(state: FormatState) -> list[t.Type] | None:
            known = state.types.get(source_name)
            if known is None or (not variadic and not known):
                return None
            return _listed(compute(known if variadic else known[0]))

        return [(source_name, target.name, from_types)]
    else:
        return []
    return [
        (source, target, copy(source, definition.fields[target]))
        for source in names
        for target in names
        if source != target
    ]


def _listed(types: Any) -> list[t.Type] | None:
    if types is None:
        return None
    return list(types) if isinstance(types, (list, tuple)) else [types]


def _finisher(definition: OpDefinition, plan: TypePlan) -> Callable[[OpParser, FormatState], None]:
    operands, results = definition.operands, definition.results
    sized = definition.has_trait(tr.ATTR_SIZED_OPERAND_SEGMENTS)
    result_sized = definition.has_trait(tr.ATTR_SIZED_RESULT_SEGMENTS)
    derivations = plan.derivations
    # attributes are known before any type: rules that start from one are always applicable
    attribute_rules = [
        (target, compute)
        for trait in definition.traits
        for source, target, compute in _equations(trait, definition)
        if source.startswith("@")
    ]

    def finish(p: OpParser, state: FormatState) -> None:
        types = state.types
        parsed = state.parsed
        if parsed.attributes:
            inherent = definition.inherent_names
            for key in [k for k in parsed.attributes if k in inherent]:
                parsed.properties[key] = parsed.attributes.pop(key)
        for target, compute in attribute_rules:
            if target not in types:
                found = compute(state)
                if found is not None:
                    types[target] = found
        for target, compute in derivations:
            if target not in types or not types[target]:
                found = compute(state)
                if found is not None:
                    types[target] = found
        _resolve_operands(p, state)
        if sized:
            parsed.set_segments([len(state.uses[f.name]) for f in operands])
        if plan.all_results:
            parsed.result_types = list(types["*results"])
        elif plan.needs_inference and plan.infer is not None and any(f.name not in types for f in results):
            parsed.result_types = plan.infer(parsed)
        else:
            sizes = []
            for f in results:
                found = types.get(f.name, [])
                if f.arity == SINGLE and not found:
                    p.error(f"type of result '{f.name}' is not known")
                sizes.append(len(found))
                parsed.result_types.extend(found)
            if result_sized:
                parsed.set_result_segments(sizes)

    def _resolve_operands(p: OpParser, state: FormatState) -> None:
        types, parsed = state.types, state.parsed
        if plan.all_operands or "*operands" in state.uses:
            uses = state.uses.get("*operands")
            if uses is None:
                uses = [use for f in operands for use in state.uses[f.name]]
            all_types = types.get("*operands")
            if all_types is None:
                all_types = [x for f in operands for x in types.get(f.name, [])]
            if len(uses) != len(all_types):
                p.error(f"{len(uses)} operands present, but expected {len(all_types)}")
            parsed.operands = [p.resolve(use, type) for use, type in zip(uses, all_types, strict=True)]
            return
        values = parsed.operands
        for f in operands:
            uses = state.uses[f.name]
            if not uses:
                continue
            found = types.get(f.name)
            if found is None:
                p.error(f"type of operand '{f.name}' is not known", uses[0].start, uses[0].end)
            if len(found) != len(uses):
                p.error(
                    f"number of operands and types do not match: got {len(uses)} operands and {len(found)} types"
                )
            for use, type in zip(uses, found, strict=True):
                values.append(p.resolve(use, type))

    return finish


# Printing

Part = Callable[[Operation, "Printer"], Any]


def print_form(cls: type[Operation]) -> Callable[[Operation, Printer], Any] | None:
    """The function `(op, printer) -> str | generator` for the custom form; None if there is only the generic one.

    A form with regions gives a generator of pieces and region requests.
    """
    own = getattr(cls, "print_custom", None)
    if own is not None:
        return own
    text = getattr(cls, "assembly_format", None)
    if text is None:
        return None
    definition = cls.definition
    assert definition is not None
    compiler = _PrintCompiler(cls, definition, read_format(text))
    parts = compiler.parts
    if not compiler.has_regions:

        def print_plain(op: Operation, p: Printer) -> str:
            return "".join([part if part.__class__ is str else part(op, p) for part in parts])  # pyright: ignore[reportCallIssue]

        return print_plain

    def print_with_regions(op: Operation, p: Printer) -> Generator[Any, None, None]:
        for part in parts:
            piece = part if isinstance(part, str) else part(op, p)
            if isinstance(piece, (str, RegionPrint)):
                yield piece
            else:
                yield from piece

    return print_with_regions


class RegionPrint:
    """A request to print a region in braces, yielded by forms with regions."""

    __slots__ = ("empty_block", "entry_args", "region", "terminators")

    def __init__(self, region: Region, entry_args: bool, terminators: bool, empty_block: bool):
        self.region = region
        self.entry_args = entry_args
        self.terminators = terminators
        self.empty_block = empty_block


class _PrintCompiler:
    """Compiles elements to parts, tracking at compile time whether a space is due."""

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
            if element.kind == "attr-dict-with-keyword":
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
            case Variable(name):
                return self.variable(self.definition.fields[name])
            case TypeOf(name):
                return self.type_of(name)
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

    def variable(self, field: Any) -> Part:
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

            def attribute(op: Operation, p: Printer) -> str:
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

    def type_of(self, name: str) -> Part:
        if name not in ("operands", "results"):
            field = self.definition.fields[name]
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
        # a unit attribute is said by the literals around it
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

        def plain(op: Operation, p: Printer) -> str:
            return "".join(
                [x if isinstance(x, str) else x(op, p) for x in (then if present(op) else otherwise)]
            )

        return plain

    def choice(op: Operation, p: Printer) -> Generator[Any, None, None]:
        for part in then if present(op) else otherwise:
            piece = part if isinstance(part, str) else part(op, p)
            if isinstance(piece, (str, RegionPrint)):
                yield piece
            else:
                yield from piece

    return choice


def _region_request(region: Region, op: Operation, p: Printer) -> RegionPrint:
    return RegionPrint(region, True, p.shows_terminator(op, region), False)


def _region_list(regions: list[Region], op: Operation, p: Printer) -> Generator[Any, None, None]:
    for i, region in enumerate(regions):
        if i:
            yield ", "
        yield _region_request(region, op, p)


def _mentioned_attributes(definition: OpDefinition, elements: tuple[Element, ...]) -> frozenset[str]:
    """Attributes that the format prints elsewhere, or that follow from it, and so not in `attr-dict`."""
    names: set[str] = {OPERAND_SEGMENTS, RESULT_SEGMENTS}

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
                case _:
                    pass

    visit(elements)
    return frozenset(names)


__all__ = ["DIRECTIVES", "AttributeSlot", "Block", "RegionPrint", "fast_form", "parse_form", "print_form"]


def fast_form(cls: type[Operation]) -> Any:
    """A function that takes the most common spelling of `cls` by one regular expression, where its format allows that."""
    from .fast_path import compile_fast_form

    return compile_fast_form(cls)
