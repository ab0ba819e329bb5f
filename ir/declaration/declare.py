"""Declares operations: fields, traits and a format string yield accessors, parser, printer and verifier.

    class CloneOp(Operation):
        "Value-copy of `input`. Neither side may be written afterwards, so the copy may be elided."

        name = "bufferization.clone"
        input = operand(ANY_RANKED_OR_UNRANKED_MEMREF)
        output = result(ANY_RANKED_OR_UNRANKED_MEMREF)
        assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

A class with a `name` is registered when its module is imported. Fields become read accessors: a single operand or
result is a `Value`, an optional one a `Value` or None, a variadic one a list. `Cls.build(input=v, output=type)` creates
an operation from the same names. A class may also define:

* `traits`: from `bufferize.ir.program.traits`.
* `assembly_format`: MLIR's declarative notation, compiled on first use by `bufferize.ir.text.format_parser`; or `parse`
  and `print_custom` for hand-written forms.
* `effects` of an operand or result: its memory effects (`READ`, `WRITE`, ...), if it is a buffer.
* `verify(self) -> str | None`: the violated invariant beyond fields and traits, in MLIR's words, without the "'x.y' op"
  prefix. It may depend on types, counts, properties and attributes; one that also depends on regions or ancestors
  sets `verify_looks_around = True`.
* `result_name` (or `result_names(self)`, `block_argument_names(self, region)`): name hints for printing.
* the interface methods of `bufferize.ir.program.interfaces`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, overload

from ..program import traits as tr
from ..program.core import Operation, OperationMeta, Value
from ..types import attributes as a
from .building import (
    OPERAND_SEGMENTS as OPERAND_SEGMENTS,
    OPTIONAL,
    RESULT_SEGMENTS as RESULT_SEGMENTS,
    SINGLE,
    VARIADIC,
    Segmentation,
    Segments,
)
from .constraints import ANY_TYPE, UNIT_ATTR, AttributeConstraint, TypeConstraint

if TYPE_CHECKING:
    pass
from .building import build

MAX_SIGNATURES = 1 << 16
"""Bound on the cached verified signatures of one operation class; constants have one signature per value."""


class _ValueField:
    """A named group of operands or results; finds its members in an operation."""

    __slots__ = ("after", "arity", "constraint", "effects", "group", "name", "of_results", "position")

    def __init__(
        self, constraint: TypeConstraint, arity: str, of_results: bool, effects: str | tuple[str, ...] = ()
    ):
        self.constraint = constraint
        self.arity = arity
        self.effects = (effects,) if isinstance(effects, str) else effects
        """Memory effects on a buffer in this field; see `MemoryEffectOp.memory_effects`."""
        self.of_results = of_results
        self.name = ""
        self.group = 0
        """Position among the fields of its kind."""
        self.position: int | None = None
        """Index of the only member, if all preceding fields are single; else None."""
        self.after: int | None = None
        """The number of members after these, if this field is variadic and all others are single; else None."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def range_in(self, op: Operation) -> tuple[int, int]:
        """The half-open range of this field's members among the operands or results of `op`."""
        if self.position is not None and self.arity == SINGLE:
            return self.position, self.position + 1
        definition = op.definition
        assert definition is not None
        return definition.segment(op, self)

    def members(self, op: Operation) -> list[Any]:
        if self.of_results:
            start, end = self.range_in(op)
            return op.results[start:end]
        uses = op.op_operands
        if self.after is None or (end := len(uses) - self.after) < self.group:
            if self.position is not None and self.arity == SINGLE:
                return [uses[self.position]._value]
            definition = op.definition
            assert definition is not None
            start, end = definition.segment(op, self)
            if start == end:
                return []
        else:
            start = self.group
        return [use._value for use in uses[start:end]]


class SingleField(_ValueField):
    @overload
    def __get__(self, op: None, owner: type) -> SingleField: ...
    @overload
    def __get__(self, op: Operation, owner: type) -> Value: ...
    def __get__(self, op: Operation | None, owner: type) -> Any:
        if op is None:
            return self
        if self.position is not None:
            return op.results[self.position] if self.of_results else op.op_operands[self.position]._value
        return self.members(op)[0]


class OptionalField(_ValueField):
    @overload
    def __get__(self, op: None, owner: type) -> OptionalField: ...
    @overload
    def __get__(self, op: Operation, owner: type) -> Value | None: ...
    def __get__(self, op: Operation | None, owner: type) -> Any:
        if op is None:
            return self
        members = self.members(op)
        return members[0] if members else None


class VariadicField(_ValueField):
    @overload
    def __get__(self, op: None, owner: type) -> VariadicField: ...
    @overload
    def __get__(self, op: Operation, owner: type) -> list[Value]: ...
    def __get__(self, op: Operation | None, owner: type) -> Any:
        return self if op is None else self.members(op)


def operand(constraint: TypeConstraint = ANY_TYPE, effects: str | tuple[str, ...] = ()) -> SingleField:
    return SingleField(constraint, SINGLE, False, effects)


def optional_operand(constraint: TypeConstraint = ANY_TYPE) -> OptionalField:
    return OptionalField(constraint, OPTIONAL, False)


def variadic_operand(constraint: TypeConstraint = ANY_TYPE) -> VariadicField:
    return VariadicField(constraint, VARIADIC, False)


def result(constraint: TypeConstraint = ANY_TYPE, effects: str | tuple[str, ...] = ()) -> SingleField:
    return SingleField(constraint, SINGLE, True, effects)


def optional_result(constraint: TypeConstraint = ANY_TYPE) -> OptionalField:
    return OptionalField(constraint, OPTIONAL, True)


def variadic_result(constraint: TypeConstraint = ANY_TYPE) -> VariadicField:
    return VariadicField(constraint, VARIADIC, True)


class AttributeField:
    """A declared (inherent) attribute. Reading it returns the attribute, its default, or None."""

    __slots__ = ("constraint", "default", "key", "materialized", "name", "optional")

    def __init__(
        self,
        constraint: AttributeConstraint,
        key: str | None,
        optional: bool,
        default: a.Attribute | None,
        materialized: bool,
    ):
        self.constraint = constraint
        self.key = key or ""
        """The attribute's name in MLIR, if it differs from the Python name."""
        self.optional = optional
        self.default = default
        self.materialized = materialized
        """Whether parsing writes the default into the operation, so that the generic form shows it."""
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        if not self.key:
            self.key = name

    def __get__(self, op: Operation | None, owner: type) -> Any:
        if op is None:
            return self
        found = op.properties.get(self.key)
        return self.default if found is None else found


class UnitField(AttributeField):
    """A declared unit attribute. Reading it returns whether it is set."""

    __slots__ = ()

    def __get__(self, op: Operation | None, owner: type) -> Any:
        return self if op is None else self.key in op.properties


def attribute(
    constraint: AttributeConstraint,
    *,
    key: str | None = None,
    optional: bool = False,
    default: a.Attribute | None = None,
    materialized: bool = True,
) -> AttributeField:
    """Declare an inherent attribute.

    `key` is its name in MLIR if it differs from the Python name. With a `default`, an absent attribute reads as the
    default; `materialized=False` (`DefaultValuedOptionalAttr`) keeps it absent in the generic form.
    """
    return AttributeField(constraint, key, optional or default is not None, default, materialized)


def unit_attribute(key: str | None = None) -> UnitField:
    return UnitField(UNIT_ATTR, key, True, None, False)


class RegionField:
    """A declared region, or all remaining ones. Reading it returns the region, or a list."""

    __slots__ = ("arity", "name", "position", "single_block")

    def __init__(self, arity: str, single_block: bool):
        self.arity = arity
        self.single_block = single_block
        self.name = ""
        self.position = -1
        """Negative until the definition is collected."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, op: Operation | None, owner: type) -> Any:
        if op is None:
            return self
        if self.position < 0:
            _ = op.definition
        return op.regions[self.position :] if self.arity == VARIADIC else op.regions[self.position]


def region(*, single_block: bool = False) -> Any:
    return RegionField(SINGLE, single_block)


def variadic_region(*, single_block: bool = False) -> Any:
    """The remaining regions, as a list."""
    return RegionField(VARIADIC, single_block)


class SuccessorField:
    """A declared successor, or all remaining ones. Reading it returns the block, or a list."""

    __slots__ = ("arity", "name", "position")

    def __init__(self, arity: str):
        self.arity = arity
        self.name = ""
        self.position = -1
        """Negative until the definition is collected."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, op: Operation | None, owner: type) -> Any:
        if op is None:
            return self
        if self.position < 0:
            _ = op.definition
        return op.successors[self.position :] if self.arity == VARIADIC else op.successors[self.position]


def successor() -> Any:
    return SuccessorField(SINGLE)


def variadic_successor() -> Any:
    return SuccessorField(VARIADIC)


class OpDefinition:
    """The declaration of an operation class, collected on first use."""

    def __init__(self, cls: type[Operation]):
        self.cls = cls
        self.name: str = cls.name
        self.dialect = self.name.partition(".")[0]
        fields: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items():
                if isinstance(value, (_ValueField, AttributeField, RegionField, SuccessorField)):
                    fields[name] = value  # a redeclared field keeps its position in the base class
                elif name in fields:
                    del fields[name]
        self.operands = [f for f in fields.values() if isinstance(f, _ValueField) and not f.of_results]
        self.results = [f for f in fields.values() if isinstance(f, _ValueField) and f.of_results]
        self.attributes = [f for f in fields.values() if isinstance(f, AttributeField)]
        self.regions = [f for f in fields.values() if isinstance(f, RegionField)]
        self.successors = [f for f in fields.values() if isinstance(f, SuccessorField)]
        self.fields = fields
        self.effects = [(kind, f) for f in (*self.operands, *self.results) for kind in f.effects]
        self.traits: tuple[tr.Trait, ...] = tuple(cls.traits)
        self._trait_set = set(self.traits)
        self._trait_classes = {type(trait) for trait in self.traits}
        self._trait_answers: dict[object, bool] = {}
        self.is_constant_like = tr.CONSTANT_LIKE in self._trait_set
        self.is_commutative = tr.COMMUTATIVE in self._trait_set
        self.traits_around = tuple(trait for trait in self.traits if trait.looks_around)
        self.looks_inward = not (
            self.regions or self.successors or self.traits_around or cls.verify_looks_around
        )
        """Whether all checks depend only on types, counts, properties and attributes."""
        self.is_terminator = tr.TERMINATOR in self._trait_set
        self.inherent_names = frozenset(
            [f.key for f in self.attributes]
            + ([OPERAND_SEGMENTS] if tr.ATTR_SIZED_OPERAND_SEGMENTS in self._trait_set else [])
            + ([RESULT_SEGMENTS] if tr.ATTR_SIZED_RESULT_SEGMENTS in self._trait_set else [])
        )
        self.materialized_defaults = [
            (f.key, f.default) for f in self.attributes if f.default is not None and f.materialized
        ]
        self.defaults = {f.key: f.default for f in self.attributes if f.default is not None}
        self.implicit_terminator = next(
            (trait.name for trait in self.traits if isinstance(trait, tr.ImplicitTerminator)), None
        )
        self.short_name = self.name.partition(".")[2]
        self.operand_variadics = [f for f in self.operands if f.arity != SINGLE]
        self.result_variadics = [f for f in self.results if f.arity != SINGLE]
        self._number_fields()
        has_trait = self.has_trait
        self._operand_segments = Segmentation(
            self.name,
            "operand",
            [f.arity for f in self.operands],
            OPERAND_SEGMENTS if has_trait(tr.ATTR_SIZED_OPERAND_SEGMENTS) else None,
            has_trait(tr.SAME_VARIADIC_OPERAND_SIZE),
        )
        self._result_segments = Segmentation(
            self.name,
            "result",
            [f.arity for f in self.results],
            RESULT_SEGMENTS if has_trait(tr.ATTR_SIZED_RESULT_SEGMENTS) else None,
            has_trait(tr.SAME_VARIADIC_RESULT_SIZE),
        )
        self.verified_signatures: set[tuple[Any, ...]] = set()
        """Signatures (see `bufferize.ir.verifier`) whose signature-dependent checks have passed."""

    def _number_fields(self) -> None:
        """Tell the fields where they are, as far as this does not differ between operations."""
        for group in (self.operands, self.results):
            fixed = True
            for i, field in enumerate(group):
                field.group = i
                field.position = i if fixed and field.arity == SINGLE else None
                fixed = fixed and field.arity == SINGLE
        for group in (self.regions, self.successors):
            for i, field in enumerate(group):
                field.position = i
        for several, group, sized in (
            (self.operand_variadics, self.operands, tr.ATTR_SIZED_OPERAND_SEGMENTS),
            (self.result_variadics, self.results, tr.ATTR_SIZED_RESULT_SEGMENTS),
        ):
            if len(several) == 1 and several[0].arity == VARIADIC and not self.has_trait(sized):
                several[0].after = len(group) - 1 - several[0].group

    def attribute_error(self, values: Mapping[str, a.Attribute]) -> str | None:
        """The message for the first of `values`, by name, that violates its inherent attribute's constraint, or None."""
        wrong = [
            f for f in self.attributes if (v := values.get(f.key)) is not None and not f.constraint.test(v)
        ]
        if not wrong:
            return None
        first = min(wrong, key=lambda f: f.key)
        return f"attribute '{first.key}' failed to satisfy constraint: {first.constraint.summary}"

    def has_trait(self, trait: object) -> bool:
        """Whether `trait`, or an instance of that trait class, is listed.

        Cached, as passes query it for every operation.
        """
        known = self._trait_answers.get(trait)
        if known is None:
            known = trait in (self._trait_classes if isinstance(trait, type) else self._trait_set)
            self._trait_answers[trait] = known
        return known

    def remember_verified(self, signature: tuple[Any, ...]) -> None:
        """Record that the checks of `signature` passed. The cache is cleared when it reaches `MAX_SIGNATURES`."""
        if len(self.verified_signatures) >= MAX_SIGNATURES:
            self.verified_signatures.clear()
        self.verified_signatures.add(signature)

    def segment(self, op: Operation, field: _ValueField) -> tuple[int, int]:
        """The range of a field's members. O(1) for cached counts and segment sizes."""
        return self.segments(op, field.of_results)[field.group]

    def complete_segments(
        self, properties: dict[str, a.Attribute], attributes: dict[str, a.Attribute]
    ) -> str | None:
        """Complete the segment sizes of an operation in generic form. Returns what is wrong with them, or None."""
        for segmentation in (self._operand_segments, self._result_segments):
            if (problem := segmentation.complete(properties, attributes)) is not None:
                return problem
        return None

    def segments(self, op: Operation, of_results: bool) -> Segments:
        """The half-open range that each declared field has among the operands (or results) of `op`.

        Raises:
            ValueError: the counts do not fit the declaration; the message is MLIR's.
        """
        if of_results:
            return self._result_segments.of(len(op.results), op.properties)
        return self._operand_segments.of(len(op.op_operands), op.properties)


REGISTRY: dict[str, type[Operation]] = {}
"""Every declared operation by full name, filled as dialect modules are imported; see `bufferize.ir.text.registry`."""

UNDECLARED: dict[str, Callable[[], object]] = {}
"""Declaration functions of operations not used yet, by full name; `Registry.find` calls each once."""

LEGACY_SYNTAX: dict[str, Callable[[Operation, set[Value]], None]] = {}
"""Upgrades of legacy syntax by operation name, run after a whole program has been parsed.

Filled like REGISTRY. The set holds the values of the program whose types have changed so far.
"""


class _Definition:
    """Placeholder for the definition of a class; replaced by the definition on first access.

    Programs use few of the operations that their dialects declare; collecting all took 12 ms per process.
    """

    def __init__(self, cls: Any):
        self.cls = cls

    def __get__(self, op: Operation | None, owner: type) -> OpDefinition:
        found = self.cls.definition = OpDefinition(self.cls)
        return found


def _declared(cls: Any) -> None:
    cls.definition = _Definition(cls)
    cls.suggests_names = cls.result_name is not None or cls.result_names is not Operation.result_names
    REGISTRY[cls.name] = cls


OperationMeta.on_declared = _declared


setattr(Operation, "build", classmethod(build))  # noqa: B010  declared in core for type checkers only
