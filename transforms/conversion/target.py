"""What a conversion aims at: which operations are legal, and what each type becomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, Region, Value
from ...ir.source.records import record
from ...ir.types import types as t

if TYPE_CHECKING:
    from .rewriter import ConversionRewriter


# Type conversion, with materializations between old and new types.
#
# A *conversion* maps a type to its new type, to several (a tuple to its elements), or to none. A type that is mapped
# to itself is legal. Conversions and materializations are tried newest first; the first that does not decline
# decides.
#
# Where a converted operation meets an unconverted one, a *materialization* builds the value that the other side
# expects:
#
# * a target materialization builds a value of the new type from one of the old type;
# * a source materialization builds a value of the old type from values of the new types;
# * an argument materialization does so for an argument of a block whose signature was converted.


class NoConversion:
    """Declares that a type has no conversion: older conversions are not tried."""


NO_CONVERSION: Final = NoConversion()

Conversion = Callable[[t.Type], t.Type | Sequence[t.Type] | NoConversion | None]
"""From a type to its new type or types; None to decline."""

Materialization = Callable[[Builder, t.Type, Sequence[Value]], Value | None]
"""Builds a value of the type from the values, at the insertion point; None to decline."""

Decomposition = Callable[[Builder, Sequence[t.Type], Value], Sequence[Value] | None]
"""Decomposes a value into values of the types; None to decline."""


class SignatureConversion:
    """The conversion of a block's or function's arguments.

    Attributes:
        types: the new arguments.
        inputs: for each old argument, the positions of the new ones that it becomes, or the value that replaces it;
            None if undecided.
    """

    def __init__(self, count: int) -> None:
        self.types: list[t.Type] = []
        self.inputs: list[range | Value | None] = [None] * count

    def add_inputs(self, index: int, types: Iterable[t.Type]) -> None:
        """Convert old argument `index` to arguments of these types, appended to the new ones."""
        start = len(self.types)
        self.types.extend(types)
        self.inputs[index] = range(start, len(self.types))

    def append(self, types: Iterable[t.Type]) -> None:
        """Append new arguments that correspond to no old one."""
        self.types.extend(types)


class TypeConverter:
    """Type conversions and materializations. Results are cached: each distinct type is converted once."""

    def __init__(self) -> None:
        self._conversions: list[Conversion] = []
        self._known: dict[t.Type, tuple[t.Type, ...] | None] = {}
        self._source: list[Materialization] = []
        self._target: list[Materialization] = []
        self._argument: list[Materialization] = []
        self._decompositions: list[Decomposition] = []

    def __getattr__(self, name: str) -> Any:
        """Point an AttributeError for a C++ method name to its Python name."""
        ours = re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
        said = (
            f"it is called '{ours}' here" if ours != name and hasattr(type(self), ours) else "there is none"
        )
        raise AttributeError(f"'{type(self).__name__}' has no '{name}': {said}")

    # -- registration

    def add_conversion(self, conversion: Conversion) -> None:
        self._conversions.append(conversion)
        self._known.clear()

    def add_source_materialization(self, materialization: Materialization) -> None:
        self._source.append(materialization)

    def add_target_materialization(self, materialization: Materialization) -> None:
        self._target.append(materialization)

    def add_argument_materialization(self, materialization: Materialization) -> None:
        self._argument.append(materialization)

    def add_decomposition(self, decomposition: Decomposition) -> None:
        """Add a decomposition for values whose type becomes several."""
        self._decompositions.append(decomposition)

    # -- types

    def convert(self, type: t.Type) -> tuple[t.Type, ...] | None:
        """The new types for `type`; None if there is no conversion. O(1) after the first time."""
        try:
            return self._known[type]
        except KeyError:
            answer = self._known[type] = self._ask(type)
            return answer

    def _ask(self, type: t.Type) -> tuple[t.Type, ...] | None:
        for conversion in reversed(self._conversions):
            answer = conversion(type)
            if isinstance(answer, NoConversion):
                return None
            if isinstance(answer, t.Type):
                return (answer,)
            if answer is not None:
                return tuple(answer)
        return None

    def convert_one(self, type: t.Type) -> t.Type | None:
        """The new type if there is exactly one, else None."""
        found = self.convert(type)
        return found[0] if found is not None and len(found) == 1 else None

    def convert_all(self, types: Iterable[t.Type]) -> list[t.Type] | None:
        """The concatenated new types of all `types`; None if one has no conversion."""
        converted: list[t.Type] = []
        for type in types:
            found = self.convert(type)
            if found is None:
                return None
            converted.extend(found)
        return converted

    def is_legal(self, types: Iterable[t.Type]) -> bool:
        """Whether every type converts to itself."""
        return all(self.convert(type) == (type,) for type in types)

    def is_legal_op(self, op: Operation) -> bool:
        """Whether operands and results have legal types."""
        return self.is_legal(op.operand_types) and self.is_legal(op.result_types)

    def is_legal_region(self, region: Region) -> bool:
        """Whether all block arguments have legal types."""
        return all(self.is_legal(arg.type for arg in block.args) for block in region)

    def is_legal_signature(self, type: t.FunctionType) -> bool:
        return self.is_legal(type.inputs) and self.is_legal(type.results)

    # -- signatures

    def convert_signature(self, types: Sequence[t.Type]) -> SignatureConversion | None:
        """The signature conversion that converts each argument separately; None if one has no conversion."""
        signature = SignatureConversion(len(types))
        for index, type in enumerate(types):
            found = self.convert(type)
            if found is None:
                return None
            signature.add_inputs(index, found)
        return signature

    def convert_block_signature(self, block: Block) -> SignatureConversion | None:
        return self.convert_signature([arg.type for arg in block.args])

    # -- values

    def materialize_source(self, builder: Builder, type: t.Type, values: Sequence[Value]) -> Value | None:
        return _first(self._source, builder, type, values)

    def materialize_target(self, builder: Builder, type: t.Type, values: Sequence[Value]) -> Value | None:
        return _first(self._target, builder, type, values)

    def materialize_argument(self, builder: Builder, type: t.Type, values: Sequence[Value]) -> Value | None:
        return _first(self._argument, builder, type, values)

    def decompose(self, builder: Builder, types: Sequence[t.Type], value: Value) -> list[Value] | None:
        """The decomposition of `value` into values of these types; None if there is none."""
        for decomposition in reversed(self._decompositions):
            parts = decomposition(builder, types, value)
            if parts is not None:
                return list(parts)
        return None


def _first(
    candidates: list[Materialization], builder: Builder, type: t.Type, values: Sequence[Value]
) -> Value | None:
    for candidate in reversed(candidates):
        made = candidate(builder, type, values)
        if made is not None:
            assert made.type is type, "a materialization made a value of another type"
            return made
    return None


Condition = Callable[[Operation], bool | None]
"""Whether an operation is legal; None if undecided."""


@record(frozen=True)
class _Rule:
    legal: bool
    condition: Condition | None = None

    def allows(self, op: Operation) -> bool | None:
        return self.legal if self.condition is None else self.condition(op)


LEGAL, ILLEGAL = _Rule(True), _Rule(False)

Kind = str | type[Operation]


def _name(kind: Kind) -> str:
    return kind if isinstance(kind, str) else kind.name


class ConversionTarget:
    """The legality rules of one conversion. Operations are identified by class or full name."""

    def __init__(self) -> None:
        self._operations: dict[str, _Rule] = {}
        self._dialects: dict[str, _Rule] = {}
        self._unknown: _Rule | None = None
        self._recursively: dict[str, Condition | None] = {}

    # -- rules

    def add_legal_ops(self, *kinds: Kind) -> None:
        self._operations.update((_name(kind), LEGAL) for kind in kinds)

    def add_illegal_ops(self, *kinds: Kind) -> None:
        self._operations.update((_name(kind), ILLEGAL) for kind in kinds)

    def add_dynamically_legal_ops(self, condition: Condition, *kinds: Kind) -> None:
        self._operations.update((_name(kind), _Rule(False, condition)) for kind in kinds)

    def add_legal_dialects(self, *names: str) -> None:
        self._dialects.update((name, LEGAL) for name in names)

    def add_illegal_dialects(self, *names: str) -> None:
        self._dialects.update((name, ILLEGAL) for name in names)

    def add_dynamically_legal_dialects(self, condition: Condition, *names: str) -> None:
        self._dialects.update((name, _Rule(False, condition)) for name in names)

    def mark_unknown_dynamically_legal(self, condition: Condition) -> None:
        """Decide by `condition` about every operation without a rule."""
        self._unknown = _Rule(False, condition)

    def mark_recursively_legal(self, kind: Kind, condition: Condition | None = None) -> None:
        """Leave the contents of legal operations of that kind alone where `condition` holds."""
        self._recursively[_name(kind)] = condition

    # -- queries

    def _rule(self, op: Operation) -> _Rule | None:
        rule = self._operations.get(op.name)
        return rule if rule is not None else self._dialects.get(op.dialect, self._unknown)

    def is_legal(self, op: Operation) -> bool:
        """Whether the operation is known to be legal."""
        rule = self._rule(op)
        return rule is not None and bool(rule.allows(op))

    def is_illegal(self, op: Operation) -> bool:
        """Whether the operation is known to be illegal."""
        rule = self._rule(op)
        return rule is not None and rule.allows(op) is False

    def is_recursively_legal(self, op: Operation) -> bool:
        """Whether a legal operation is left alone with all nested operations."""
        if op.name not in self._recursively:
            return False
        condition = self._recursively[op.name]
        return condition is None or bool(condition(op))


# Conversion patterns.
#
#     @pattern("tensor.cast", converter=buffers)
#     def convert_cast(op, operands, rewriter):
#         type = buffers.convert_one(op.results[0].type)
#         rewriter.replace_with(op, memref.CastOp.build(source=operands[0], dest=type))
#         return True
#
# A pattern receives the operation and its operands *under their new types*. It edits the program through the rewriter
# only and returns whether it succeeded; the edits of a pattern that then fails are rolled back.

Rewrite = Callable[..., bool]


class ConversionPattern:
    """Base class of patterns. A subclass defines `match_and_rewrite`.

    Attributes:
        root: the full name of the operations it applies to, or their class or interface; None for all operations.
        converter: the converter of the operand types it expects; None for operands under any type.
        benefit: patterns of higher benefit are tried first, equal ones in the order in which they were added.
        makes_its_own_kind: whether it may apply to operations it creates itself; that recursion must terminate.
    """

    root: str | type[Operation] | None = None
    makes_its_own_kind = False

    def __init__(
        self,
        converter: TypeConverter | None = None,
        *,
        root: str | type[Operation] | None = None,
        benefit: int = 1,
    ) -> None:
        self.converter = converter
        self.benefit = benefit
        if root is not None:
            self.root = root

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        raise NotImplementedError


class _FunctionPattern(ConversionPattern):
    def __init__(
        self,
        rewrite: Rewrite,
        root: str | type[Operation] | None,
        converter: TypeConverter | None,
        benefit: int,
    ) -> None:
        super().__init__(converter, root=root, benefit=benefit)
        self._rewrite = rewrite

    def match_and_rewrite(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> bool:
        return self._rewrite(op, operands, rewriter)

    def __repr__(self) -> str:
        return f"<pattern {getattr(self._rewrite, '__name__', '?')} for {self.root or 'any operation'}>"


def pattern(
    root: str | type[Operation] | None, *, converter: TypeConverter | None = None, benefit: int = 1
) -> Callable[[Rewrite], ConversionPattern]:
    """Turn a function `(op, operands, rewriter) -> bool` into a pattern.

    `root` is the name of an operation, its class, or an interface: `pattern(CastOp)` applies to every cast.
    """
    name = root if root is None or isinstance(root, str) else getattr(root, "name", root)

    def make(rewrite: Rewrite) -> ConversionPattern:
        return _FunctionPattern(rewrite, name, converter, benefit)

    return make
