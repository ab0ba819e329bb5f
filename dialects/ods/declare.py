"""Operation classes from ODS declarations.

Unsupported parts are omitted: forms with unknown directives, or with types that only C++ can
compute. Kinds of attributes:

    "any", "unit", "bool", "string", "symbol", "symbol_name", "type", "fastmath"
    ["number", type]                       spelled without its type
    ["array", element]                     `[1, 2]`
    ["keyword", type, {case: value}]       an integer spelled as a word
    ["enum", dialect, mnemonic, cases, bracketed, separator]
    ["flags", keyword, {case: value}, separator]   a bit set, stored as `i32`
    ["def", dialect, mnemonic]             `#dialect.mnemonic<...>`, spelled `<...>`
    ["known", summary]                     a named attribute constraint of this package
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from ...ir.declaration import constraints as c
from ...ir.declaration.declare import (
    REGISTRY,
    AttributeField,
    OptionalField,
    RegionField,
    SingleField,
    SuccessorField,
    UnitField,
    VariadicField,
)
from ...ir.declaration.format_syntax import DIRECTIVES
from ...ir.program import traits as tr
from ...ir.program.core import Operation, OperationMeta, OpOperand
from ...ir.program.interfaces import (
    ALLOCATE,
    FREE,
    READ,
    WRITE,
    DestinationStyleOp,
    Effect,
    MemoryEffectOp,
    RegionBranchTerminatorOp,
)
from ...ir.source.parts import angle_end
from ...ir.text.dialect_text import dialect_attribute, read_parameters_of, split_parameters
from ...ir.text.syntax import SyntaxScope
from ...ir.types import attributes as a, types as t
from .._described import FASTMATH_ATTR, NO_FASTMATH, i1_like
from .directives import FORMS, NAMED_BY_DIMENSION, ODS_DIRECTIVES, RESULT_NAMES
from .records import class_name

if TYPE_CHECKING:
    from ...ir.text.op_parser import OpParser

DECLARED: Final = "Declared by its definition."
"""The docstring of an operation class without a description."""

_NAMED: Final[dict[str, tr.Trait]] = {
    "Commutative": tr.COMMUTATIVE,
    "Idempotent": tr.IDEMPOTENT,
    "ConstantLike": tr.CONSTANT_LIKE,
    "ReturnLike": tr.RETURN_LIKE,
    "IsTerminator": tr.TERMINATOR,
    "IsIsolatedFromAbove": tr.ISOLATED_FROM_ABOVE,
    "SingleBlock": tr.SINGLE_BLOCK,
    "NoTerminator": tr.NO_TERMINATOR,
    "SymbolTable": tr.SYMBOL_TABLE,
    "SymbolOpInterface": tr.SYMBOL,
    "AutomaticAllocationScope": tr.AUTOMATIC_ALLOCATION_SCOPE,
    "AttrSizedOperandSegments": tr.ATTR_SIZED_OPERAND_SEGMENTS,
    "AttrSizedResultSegments": tr.ATTR_SIZED_RESULT_SEGMENTS,
    "SameVariadicOperandSize": tr.SAME_VARIADIC_OPERAND_SIZE,
    "SameVariadicResultSize": tr.SAME_VARIADIC_RESULT_SIZE,
    "SameOperandsAndResultType": tr.SAME_OPERANDS_AND_RESULT_TYPE,
    "SameTypeOperands": tr.SAME_TYPE_OPERANDS,
    "SameOperandsAndResultShape": tr.SAME_OPERANDS_AND_RESULT_SHAPE,
    "SameOperandsAndResultElementType": tr.SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE,
    "SameOperandsElementType": tr.SAME_OPERANDS_ELEMENT_TYPE,
    "Elementwise": tr.ELEMENTWISE,
    "GraphRegion": tr.GRAPH_REGION,
    "AffineScope": tr.AFFINE_SCOPE,
    "RecursivelySpeculatable": tr.RECURSIVELY_SPECULATABLE,
    "DestinationStyleOpInterface": tr.DESTINATION_STYLE,
}
_TRANSFORMERS: Final[dict[str, Callable[[Any], Any]]] = {
    "$_self": lambda type: type,
    "getI1SameShape($_self)": i1_like,
    "getElementTypeOrSelf($_self)": lambda type: getattr(type, "element", type),
    "cast<ShapedType>($_self).getElementType()": lambda type: getattr(type, "element", None),
    "cast<VectorType>($_self).getElementType()": lambda type: getattr(type, "element", None),
    "cast<MemRefType>($_self).getElementType()": lambda type: getattr(type, "element", None),
    "cast<ComplexType>($_self).getElementType()": lambda type: getattr(type, "element", None),
}
"""Type functions by their C++ name without namespaces."""

_EFFECTS: Final = {"Read": READ, "Write": WRITE, "Alloc": ALLOCATE, "Free": FREE}
_DESTINATIONS: Final = ("outputs", "outs", "inits", "init", "output", "dest", "destination")
"""Names of operands that a destination-style operation writes to; the actual ones are defined in C++."""


def declare_operations(declarations: list[dict[str, Any]], *more: type[Operation]) -> None:
    """Create a class for each declaration of an unknown operation; `more` are bases with what the declaration lacks."""
    for entry in declarations:
        read_parameters_of(entry["name"].partition(".")[0])
        if entry["name"] not in REGISTRY:
            _declare(entry, more)


def _declare(entry: dict[str, Any], more: tuple[type[Operation], ...]) -> type[Operation]:
    renamed: dict[str, str] = {}

    def free(name: str) -> str:
        """A field name that does not shadow an attribute of every operation."""
        renamed[name] = name + "_" if hasattr(DestinationStyleOp, name) or name in _RESERVED else name
        return renamed[name]

    namespace: dict[str, Any] = {
        "name": entry["name"],
        "__module__": __name__,
        "__doc__": more[0].__doc__ if more else DECLARED,
    }
    effects = entry.get("effects")
    marked: dict[str, list[str]] = {}
    if isinstance(effects, list):
        for kind, field in effects:
            if field is not None:
                marked.setdefault(field, []).append(_EFFECTS[kind])
    for key, of_results in (("operands", False), ("results", True)):
        for name, arity, type, *summary in entry.get(key, ()):
            kind = {"single": SingleField, "optional": OptionalField, "variadic": VariadicField}[arity]
            constraint = _type_constraint(type, *summary)
            namespace[free(name)] = kind(constraint, arity, of_results, tuple(marked.get(name, ())))
    for name, kind, optional, default in entry.get("attributes", ()):
        namespace[free(name)] = _attribute_field(name, kind, optional, default)
    for name, arity, *block in entry.get("regions", ()):
        namespace[free(name)] = RegionField(arity, bool(block))
    for name, arity in entry.get("successors", ()):
        namespace[free(name)] = SuccessorField(arity)
    traits, bases = _traits(entry, renamed)
    if effects == "Pure":
        traits.append(tr.PURE)
    elif effects == "Recursive":
        traits.append(tr.RECURSIVE_MEMORY_EFFECTS)
    elif effects is not None:
        bases.append(MemoryEffectOp)
        namespace["memory_effects"] = _memory_effects([] if effects == "NoMemoryEffect" else effects)
    namespace["traits"] = tuple(traits)
    form = entry.get("format") or FORMS.get(entry["name"])
    if form and all(
        name in DIRECTIVES or name in ODS_DIRECTIVES for name in re.findall(r"custom<(\w+)>", form)
    ):
        namespace["assembly_format"] = re.sub(r"\$(\w+)", lambda m: "$" + renamed.get(m[1], m[1]), form)
        namespace["directives"] = ODS_DIRECTIVES
    if any("result_names" in vars(base) for base in more):
        pass
    elif len(entry.get("results", ())) > 1:
        namespace["result_names"] = _result_names
    elif entry["name"] in RESULT_NAMES:
        namespace["result_name"] = RESULT_NAMES[entry["name"]]
    elif entry["name"] in NAMED_BY_DIMENSION:
        namespace["result_names"] = _named_by_dimension
    bases = [base for base in bases if not any(issubclass(own, base) for own in more)]
    made: Any = OperationMeta(class_name(entry), (*more, *bases) or (Operation,), namespace)
    return made


def _type_constraint(type: str | None, summary: str | None = None) -> c.TypeConstraint:
    """The constraint for a declared type: none, a single type, or a prefix `!dialect.name<`."""
    if type is None:
        return c.TYPES.get(summary, c.ANY_TYPE) if summary else c.ANY_TYPE
    if not type.endswith("<"):
        return c.exactly(type_of(type), summary)
    dialect, _, mnemonic = type[1:-1].partition(".")
    return c.TypeConstraint(
        f"'{type[:-1]}'",
        lambda found: (
            isinstance(found, t.DialectType)
            and found.dialect == dialect
            and found.body.partition("<")[0] == mnemonic
        ),
        short=type[:-1],
    )


def _result_names(self: Any) -> list[str | None]:
    """With several declared results, the first of each is named after its declaration."""
    names: list[str | None] = [None] * len(self.results)
    for field in self.definition.results:
        start, end = field.range_in(self)
        if start < end:
            names[start] = field.name
    return names


def _named_by_dimension(self: Operation) -> list[str | None]:
    dimension = str(self.properties.get("dimension", "")).rstrip(">").rpartition(" ")[2]
    return [f"{self.name.partition('.')[2]}_{dimension}"]


_RESERVED: Final = frozenset(
    ("name", "traits", "directives", "assembly_format", "parse", "print_custom", "verify")
)


def _traits(entry: dict[str, Any], renamed: dict[str, str]) -> tuple[list[tr.Trait], list[type[Operation]]]:
    traits: list[tr.Trait] = []
    bases: list[type[Operation]] = []
    for trait in entry.get("traits", ()):
        name, *arguments = trait if isinstance(trait, list) else [trait]
        if name in _NAMED:
            traits.append(_NAMED[name])
            if name == "DestinationStyleOpInterface":
                bases.append(_destination_style(entry, renamed))
            elif name == "ReturnLike":
                bases.append(RegionBranchTerminatorOp)
        elif name == "ImplicitTerminator":
            traits.append(tr.ImplicitTerminator(arguments[0]))
        elif name == "HasParent":
            traits.append(tr.has_parent(*arguments))
        elif name == "AllTypesMatch" and all(argument in renamed for argument in arguments):
            traits.append(tr.all_types_match(*(renamed[argument] for argument in arguments)))
        elif name == "TypesMatchWith":
            source, target, compute, summary = arguments
            function = (
                _parameter_of(compute)
                if compute.startswith("!")
                else _TRANSFORMERS.get(re.sub(r"(::)?(\w+::)*", "", compute))
            )
            if function is not None and source in renamed and target in renamed:
                traits.append(tr.TypesMatchWith(summary, renamed[source], renamed[target], function))
    return traits, bases


def _parameter_of(which: str) -> Callable[[object], t.Type | None]:
    """`!dialect.name<n`: a function that returns the n-th parameter of a type of that name, itself a type."""
    name, _, number = which.partition("<")
    position = int(number)

    def parameter(type: object) -> t.Type | None:
        text = str(type)
        if not text.startswith(name + "<"):
            return None
        parts = split_parameters(text[len(name) + 1 : -1])
        return SyntaxScope().parse_type(parts[position]) if position < len(parts) else None

    return parameter


def _destination_style(entry: dict[str, Any], renamed: dict[str, str]) -> type[Operation]:
    """A base class that finds the destination operands by name, or else takes the last operand group."""
    names = [name for name, *_ in entry.get("operands", ())]
    chosen = next((name for name in _DESTINATIONS if name in names), names[-1] if names else None)
    field = renamed.get(chosen or "")

    class DeclaredDestinationStyleOp(DestinationStyleOp):
        """Destination operands by declaration."""

        def dps_inits(self) -> list[OpOperand]:
            definition: Any = self.definition
            if field is None or definition is None:
                return []
            start, end = definition.fields[field].range_in(self)
            return self.op_operands[start:end]

    return DeclaredDestinationStyleOp


def _memory_effects(effects: list[Any]) -> Callable[[Any], list[Effect]]:
    anywhere = [_EFFECTS[kind] for kind, field in effects if field is None]

    def memory_effects(self: Any) -> list[Effect]:
        definition = self.definition
        return [Effect(kind) for kind in anywhere] + [
            Effect(kind, value)
            for kind, field in definition.effects
            for value in field.members(self)
            if not t.is_tensor(value.type)
        ]

    return memory_effects


def type_of(text: str) -> t.Type:
    """Parse a declared type: a type without parameters, or an integer."""
    if text.startswith("!"):
        dialect, _, body = text[1:].partition(".")
        return t.DialectType(dialect, body)
    known = {"index": t.INDEX, "none": t.NONE, "f16": t.F16, "bf16": t.BF16, "f32": t.F32, "f64": t.F64}
    if text in known:
        return known[text]
    sign = "signless" if text[0] == "i" else ("signed" if text[0] == "s" else "unsigned")
    return t.IntegerType(int(text.lstrip("sui")), sign)


# -- attributes


def _attribute_field(name: str, kind: object, optional: bool, default: object) -> AttributeField:
    if kind == "unit":
        return UnitField(c.UNIT_ATTR, name, True, None, False)
    constraint, make = _constraint(kind)
    value = None if default is None else make(default)
    return AttributeField(constraint, name, optional or value is not None, value, not optional)


def _constraint(kind: Any) -> tuple[c.AttributeConstraint, Callable[[Any], a.Attribute | None]]:
    """The constraint of an attribute kind, and the function that builds an attribute from a default."""
    if isinstance(kind, str):
        plain: dict[str, tuple[c.AttributeConstraint, Callable[[Any], a.Attribute | None]]] = {
            "bool": (c.BOOL_ATTR, a.bool_attr),
            "string": (c.STRING_ATTR, a.StringAttr),
            "symbol": (c.SYMBOL_REF_ATTR, lambda value: None),
            "symbol_name": (c.SYMBOL_NAME_ATTR, lambda value: None),
            "type": (c.TYPE_ATTR, lambda value: None),
            "fastmath": (FASTMATH_ATTR, lambda value: NO_FASTMATH),
        }
        return plain.get(kind, (c.ANY_ATTR, lambda value: None))
    head = kind[0]
    if head == "known":
        return c.ATTRIBUTES[kind[1]], lambda value: a.StringAttr(value) if isinstance(value, str) else None
    if head == "number":
        type = type_of(kind[1])
        if isinstance(type, t.FloatType):
            return _float_constraint(type), lambda value: a.FloatAttr(float(value), type)
        assert isinstance(type, (t.IntegerType, t.IndexType))
        what = f"{type.width}-bit {type.signedness} integer" if isinstance(type, t.IntegerType) else "index"
        return c.integer_attribute(type, f"{what} attribute"), lambda value: a.IntegerAttr(int(value), type)
    if head == "array":
        element = type_of(kind[1])
        assert isinstance(element, (t.IntegerType, t.FloatType))
        return (
            c.dense_array(element, f"{kind[1]} dense array attribute"),  # pyright: ignore[reportArgumentType]
            lambda value: a.DenseArrayAttr(element, tuple(value)),
        )
    if head == "keyword":
        type, cases = type_of(kind[1]), kind[2]
        assert isinstance(type, t.IntegerType)
        return c.integer_enum(type, cases, "one of " + ", ".join(cases)), lambda value: a.IntegerAttr(
            cases[value], type
        )
    if head == "enum":
        _, dialect, mnemonic, cases, bracketed, separator = kind
        if not bracketed:
            return _spaced_enum(dialect, mnemonic, cases), lambda value: a.DialectAttr(
                dialect, f"{mnemonic} {value}"
            )
        constraint = c.dialect_enum(
            dialect, mnemonic, cases, bracketed=bracketed, separator=separator or None
        )
        return constraint, lambda value: a.DialectAttr(dialect, f"{mnemonic}<{value}>")
    if head == "flags":
        return _flags(*kind[1:]), lambda value: a.IntegerAttr(kind[2][value], t.I32)
    return _stripped(kind[1], kind[2]), lambda value: None


def _spaced_enum(dialect: str, mnemonic: str, cases: list[str]) -> c.AttributeConstraint:
    """An enumeration `#gpu<dim x>`, spelled ` x`: the attribute without its name."""
    known = {case: a.DialectAttr(dialect, f"{mnemonic} {case}") for case in cases}
    members = frozenset(known.values())

    def parse(p: OpParser) -> a.Attribute:
        if p.peek("#"):
            return p.attribute()
        start = p.skip()
        word = p.optional_keyword()
        if word not in known:
            p.error(f"expected one of {', '.join(cases)}", start)
        return known[word]

    return c.AttributeConstraint(
        f"{dialect}.{mnemonic} attribute",
        lambda attr: attr in members,
        parse,
        lambda p, attr: f" {attr.body.partition(' ')[2]}",  # pyright: ignore[reportAttributeAccessIssue]
    )


def _float_constraint(type: t.FloatType) -> c.AttributeConstraint:
    return c.AttributeConstraint(
        f"{type} attribute",
        lambda attr: isinstance(attr, a.FloatAttr) and attr.type is type,
        lambda p: p.attribute(type),
        lambda p, attr: p.attribute_without_type(attr),
    )


def _flags(keyword: str, cases: dict[str, int], separator: str) -> c.AttributeConstraint:
    """A bit set after a keyword, `overflow<nsw, nuw>`; without a keyword the cases alone."""

    def parse(p: OpParser) -> a.Attribute:
        if keyword:
            p.expect(keyword)
            p.expect("<")
        total = 0
        while True:
            start = p.skip()
            word = p.optional_keyword()
            if word is None or word not in cases:
                p.error(f"expected one of {', '.join(cases)}", start)
            total |= cases[word]
            if not p.accept(separator):
                break
        if keyword:
            p.expect(">")
        return a.IntegerAttr(total, t.I32)

    def words(value: int) -> str:
        """Cases of several bits come first, and cover those of their bits."""
        chosen = [case for case, bits in cases.items() if bits == value == 0]
        for case, bits in sorted(cases.items(), key=lambda entry: _single(entry[1])):
            if bits and value & bits == bits:
                chosen.append(case)
                value &= ~bits
        return (", " if separator == "," else separator).join(chosen)

    return c.AttributeConstraint(
        "a set of flags",
        lambda attr: isinstance(attr, a.IntegerAttr),
        parse,
        lambda p, attr: f"{keyword}<{words(attr.value)}>" if keyword else words(attr.value),  # pyright: ignore[reportAttributeAccessIssue]
    )


def _single(bits: int) -> bool:
    return bits > 0 and bits & (bits - 1) == 0


def _stripped(dialect: str, mnemonic: str) -> c.AttributeConstraint:
    """An attribute of the dialect, spelled without its name if that is implied."""

    def parse(p: OpParser) -> a.Attribute:
        if p.peek("#"):
            return p.attribute()
        start = p.skip()
        if p.text[start] not in "<[":
            p.error(f"expected an attribute '#{dialect}.{mnemonic}'", start)
        p.position = end = angle_end(p.source, start)
        return dialect_attribute(dialect, mnemonic + p.text[start:end], None, p.scope.attributes)

    def text(p: Any, attr: a.Attribute) -> str:
        if (
            isinstance(attr, a.DialectAttr)
            and attr.dialect == dialect
            and attr.body.startswith((mnemonic + "<", mnemonic + "["))
        ):
            if attr.alias_prefix is None:
                return attr.body[len(mnemonic) :]
            return str(p.attribute(attr)).removeprefix(f"#{dialect}.{mnemonic}")
        return str(p.attribute(attr))

    return c.AttributeConstraint(
        f"#{dialect}.{mnemonic}",
        lambda attr: isinstance(attr, a.DialectAttr) and attr.dialect == dialect,
        parse,
        text,
    )
