"""Operation traits, each with the check it implies.

A trait is an immutable object; those without parameters are module constants. `Trait.check` returns a violation in
MLIR's words, or None. Memory effects and control flow are methods of the operation interfaces
(`bufferize.ir.program.interfaces`), not traits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Final

from ..source.records import record
from ..types import types as t

if TYPE_CHECKING:
    from .core import Operation


class Trait:
    """Base of all traits. The default check accepts everything.

    A check depends on the types, counts, properties and attributes of the operation only, and its result is cached per
    signature. A check that also looks at regions or ancestors sets `looks_around` and runs for each operation.
    """

    looks_around: ClassVar[bool] = False

    def check(self, op: Operation) -> str | None:
        return None

    def check_regions(self, op: Operation) -> str | None:
        """A check that takes the contents of the regions to be valid; runs for each operation with regions."""
        return None


@record(frozen=True, eq=False)
class Named(Trait):
    """A marker trait without a check. Each is a single object, compared by identity."""

    name: str


PURE = Named("Pure")
"""No memory effects and no undefined behaviour: unused operations may be erased, equal ones merged."""
COMMUTATIVE = Named("Commutative")
IDEMPOTENT = Named("Idempotent")
CONSTANT_LIKE = Named("ConstantLike")
RETURN_LIKE = Named("ReturnLike")
RECURSIVE_MEMORY_EFFECTS = Named("RecursiveMemoryEffects")
RECURSIVELY_SPECULATABLE = Named("RecursivelySpeculatable")
AUTOMATIC_ALLOCATION_SCOPE = Named("AutomaticAllocationScope")
AFFINE_SCOPE = Named("AffineScope")
OF_PARENT = Named("OfParent")
"""The result depends implicitly on the parent operation, as for `linalg.index`."""
GRAPH_REGION = Named("GraphRegion")
"""The regions are graph regions: uses may precede definitions."""
ATTR_SIZED_OPERAND_SEGMENTS = Named("AttrSizedOperandSegments")
ATTR_SIZED_RESULT_SEGMENTS = Named("AttrSizedResultSegments")
SAME_VARIADIC_OPERAND_SIZE = Named("SameVariadicOperandSize")
SAME_VARIADIC_RESULT_SIZE = Named("SameVariadicResultSize")
DESTINATION_STYLE = Named("DestinationStyleOpInterface")
PARALLEL_LOOP = Named("HasParallelRegion")


class _Terminator(Trait):
    looks_around = True

    def check(self, op: Operation) -> str | None:
        if op.block is not None and op.block.last_op is not op:
            return "must be the last operation in the parent block"
        return None


class _IsolatedFromAbove(Trait):
    """Regions must not use values defined outside; the verifier checks this together with dominance."""


class _NoTerminator(Trait):
    """The blocks of the regions need no terminator."""


class _SingleBlock(Trait):
    looks_around = True

    def check(self, op: Operation) -> str | None:
        for i, region in enumerate(op.regions):
            if not region.is_empty and not region.has_one_block:
                return f"expects region #{i} to have 0 or 1 blocks"
        return None


VISIBILITIES: Final = ("public", "private", "nested")


class _Symbol(Trait):
    looks_around = True

    def check(self, op: Operation) -> str | None:
        if (visibility := op.properties.get("sym_visibility")) is not None:
            word = getattr(visibility, "value", None)
            if word not in VISIBILITIES:
                return f'visibility expected to be one of ["public", "private", "nested"], but got "{word}"'
        parent = op.parent_op
        if parent is None or not parent.is_registered or parent.has_trait(SYMBOL_TABLE):
            return None
        return "symbol's parent must have the SymbolTable trait" if "sym_name" in op.properties else None


SYMBOL = _Symbol()


class _SymbolTable(Trait):
    looks_around = True

    def check(self, op: Operation) -> str | None:
        if len(op.regions) != 1:
            return "Operations with a 'SymbolTable' must have exactly one region"
        if not op.regions[0].has_one_block:
            return "Operations with a 'SymbolTable' must have exactly one block"
        return None


TERMINATOR = _Terminator()
ISOLATED_FROM_ABOVE = _IsolatedFromAbove()
NO_TERMINATOR = _NoTerminator()
SINGLE_BLOCK = _SingleBlock()
SYMBOL_TABLE = _SymbolTable()


@record(frozen=True)
class HasParent(Trait):
    """The operation must be directly inside one of these."""

    looks_around = True

    names: tuple[str, ...]

    def check(self, op: Operation) -> str | None:
        parent = op.parent_op
        if parent is not None and parent.name in self.names:
            return None
        if parent is None and op.block is None:
            return None
        if len(self.names) == 1:
            return f"expects parent op '{self.names[0]}'"
        return "expects parent op to be one of '" + ", ".join(self.names) + "'"


def has_parent(*names: str) -> HasParent:
    return HasParent(names)


def one_block_wanted(region: int, name: str) -> str:
    """The error of a region that must have one block; `name` is that of its declaration in MLIR."""
    return f"region #{region} ('{name}') failed to verify constraint: region with 1 blocks"


@record(frozen=True)
class FixedTerminator(Trait):
    """Regions are empty, or one block that ends with this terminator."""

    looks_around = True

    name: str

    def check(self, op: Operation) -> str | None:
        for i, region in enumerate(op.regions):
            if region.is_empty:
                continue
            if not region.has_one_block:
                return f"expects region #{i} to have 0 or 1 blocks"
            if region.entry.last_op is None:
                return "expects a non-empty block"
        return None

    def check_regions(self, op: Operation) -> str | None:
        for region in op.regions:
            last = None if region.is_empty else region.entry.last_op
            if last is not None and last.name != self.name:
                return f"expects regions to end with '{self.name}', found '{last.name}'"
        return None


class ImplicitTerminator(FixedTerminator):
    """Parsing adds the terminator, and printing may omit it."""


def _element(type: t.Type) -> t.Type:
    return getattr(type, "element", type)


def _compatible_shapes(left: t.Type, right: t.Type) -> bool:
    a, b = getattr(left, "shape", None), getattr(right, "shape", None)
    if (a is None) != (b is None) and not (t.is_shaped(left) and t.is_shaped(right)):
        return False
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))


class _SameOperandsAndResultType(Trait):
    def check(self, op: Operation) -> str | None:
        types = op.operand_types + op.result_types
        if any(x is not types[0] for x in types):
            first = types[0]
            for x in types:
                if _element(x) is not _element(first) or not _compatible_shapes(x, first):
                    return "requires the same type for all operands and results"
            if any(type(x) is not type(first) for x in types):
                return "requires the same type for all operands and results"
            if not all(t.is_shaped(x) for x in types):
                return "requires the same type for all operands and results"
        return None


class _SameTypeOperands(Trait):
    def check(self, op: Operation) -> str | None:
        types = op.operand_types
        return "requires all operands to have the same type" if len(set(types)) > 1 else None


class _SameOperandsAndResultShape(Trait):
    def check(self, op: Operation) -> str | None:
        types = op.operand_types + op.result_types
        if any(not _compatible_shapes(types[0], x) for x in types[1:]):
            return "requires the same shape for all operands and results"
        return None


class _SameOperandsAndResultElementType(Trait):
    def check(self, op: Operation) -> str | None:
        types = op.operand_types + op.result_types
        if len({_element(x) for x in types}) > 1:
            return "requires the same element type for all operands and results"
        return None


class _SameOperandsElementType(Trait):
    def check(self, op: Operation) -> str | None:
        if len({_element(x) for x in op.operand_types}) > 1:
            return "requires the same element type for all operands"
        return None


class _Elementwise(Trait):
    """Applies to each element independently; operands and results are all scalars or all of one shape."""

    def check(self, op: Operation) -> str | None:
        mappable = (t.VectorType, t.RankedTensorType, t.UnrankedTensorType)
        results = [x for x in op.result_types if isinstance(x, mappable)]
        operands = [x for x in op.operand_types if isinstance(x, mappable)]
        if not results and not operands:
            return None
        if results and not operands:
            return "if a result is non-scalar, then at least one operand must be non-scalar"
        if operands and not results:
            return "if an operand is non-scalar, then there must be at least one non-scalar result"
        if len(results) != len(op.result_types):
            return "if an operand is non-scalar, then all results must be non-scalar"
        if any(not _compatible_shapes(results[0], x) for x in operands + results):
            return "all non-scalar operands/results must have the same shape and base type"
        return None


SAME_OPERANDS_AND_RESULT_TYPE = _SameOperandsAndResultType()
SAME_TYPE_OPERANDS = _SameTypeOperands()
SAME_OPERANDS_AND_RESULT_SHAPE = _SameOperandsAndResultShape()
SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE = _SameOperandsAndResultElementType()
SAME_OPERANDS_ELEMENT_TYPE = _SameOperandsElementType()
ELEMENTWISE = _Elementwise()
"""Elementwise, scalarizable, vectorizable and tensorizable at once (`ElementwiseMappable` upstream)."""


@record(frozen=True)
class AllTypesMatch(Trait):
    """The named operands and results have the same type, so formats spell it once."""

    names: tuple[str, ...]

    def check(self, op: Operation) -> str | None:
        fields = [getattr(op, name) for name in self.names]
        types = {
            tuple(value.type for value in field) if isinstance(field, list) else (field.type,)
            for field in fields
            if field is not None
        }
        if len(types) > 1:
            return "failed to verify that all of {" + ", ".join(self.names) + "} have same type"
        return None


def all_types_match(*names: str) -> AllTypesMatch:
    return AllTypesMatch(names)


@record(frozen=True)
class TypesMatchWith(Trait):
    """The type of `target` is `compute(type of source)`, so formats spell only the source's.

    For variadic targets `compute` returns a list of types. `source` may also name an attribute.
    """

    summary: str
    source: str
    target: str
    compute: Callable[[Any], Any]

    def check(self, op: Operation) -> str | None:
        source, target = getattr(op, self.source), getattr(op, self.target)
        if source is None or target is None:
            return None
        expected = self.compute(_types(source))
        if expected is not None and expected != _types(target):
            return f"failed to verify that {self.summary}"
        return None


def _types(value: object) -> Any:
    return [v.type for v in value] if isinstance(value, list) else getattr(value, "type", value)


@record(frozen=True)
class InferResultTypes(Trait):
    """Result types are inferred from operands and attributes, so formats omit them.

    `infer(state)` reads a `ParsedOp`-like object (`operands`, `properties`, `regions`) and returns the list of types.
    If `check_on_verify` is set, an operation whose results have other types is rejected.
    """

    infer: Callable[[Any], list[t.Type]]
    check_on_verify: bool = True

    def check(self, op: Operation) -> str | None:
        if not self.check_on_verify:
            return None
        inferred = self.infer(op)
        if inferred != op.result_types:
            shown = ", ".join(f"'{x}'" for x in inferred)
            actual = ", ".join(f"'{x}'" for x in op.result_types)
            return f"inferred type(s) {shown} are incompatible with return type(s) of operation {actual}"
        return None
