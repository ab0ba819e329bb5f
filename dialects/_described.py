"""Operations described by name, and user dialects loaded from folders or Python modules.

    describe_allocation("custom.alloc", 0, free="custom.free")
    describe_free("custom.free", 0)
    describe_branch("custom.br", [(0, 0)])

A description extends a registered operation, which keeps its form; for an unknown one it creates a class with arbitrary
operands and results, in generic form. It applies to programs parsed afterwards.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from ..ir.declaration.constraints import ANY_TYPE, AttributeConstraint
from ..ir.declaration.declare import VARIADIC, RegionField, VariadicField, variadic_successor
from ..ir.program import traits as tr
from ..ir.program.core import Operation, OperationMeta, OpOperand, Value
from ..ir.program.interfaces import ALLOCATE, FREE, READ, AllocationOp, BranchOp, Effect, MemoryEffectOp
from ..ir.source.diagnostics import BufferizeError, error, present
from ..ir.text.registry import default_registry
from ..ir.types import attributes as a, types as t

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser


class DescribedAllocationOp(AllocationOp, MemoryEffectOp):
    """Allocates some of its results.

    Attributes:
        allocated: the indices of these results.
        freed_by, cloned_by: names of the operations that free and clone it; empty for the defaults.
        is_clone: whether the result is initialized with the contents of the first operand.
    """

    allocated: tuple[int, ...] = (0,)
    freed_by: str = ""
    cloned_by: str = ""
    is_clone: bool = False

    def memory_effects(self) -> list[Effect]:
        effects = [e for e in _said_before(self, DescribedAllocationOp) if e.kind != ALLOCATE]
        if self.is_clone and self.operands:
            effects.append(Effect(READ, self.operands[0]))
        return [
            *effects,
            *(Effect(ALLOCATE, self.results[i]) for i in self.allocated if i < len(self.results)),
        ]

    def build_free(self, value: Value) -> Operation | None:
        return _make(self.freed_by or "memref.dealloc", (value,), ())

    def build_clone(self, value: Value) -> Operation:
        return _make(self.cloned_by or "bufferization.clone", (value,), (value.type,))


class DescribedFreeOp(MemoryEffectOp):
    """Frees some of its operands.

    Attributes:
        freed: the indices of these operands.
    """

    freed: tuple[int, ...] = ()

    def memory_effects(self) -> list[Effect]:
        effects = [e for e in _said_before(self, DescribedFreeOp) if e.kind != FREE]
        return [*effects, *(Effect(FREE, self.operands[i]) for i in self.freed if i < len(self.operands))]


class DescribedBranchOp(BranchOp):
    """Terminates a block, and forwards some of its operands to successors.

    Attributes:
        forwarded: sorted pairs of a successor index and the index of an operand forwarded to it.
    """

    forwarded: tuple[tuple[int, int], ...] = ()

    def successor_operands(self, index: int) -> list[OpOperand]:
        return [
            self.op_operands[i] for block, i in self.forwarded if block == index and i < len(self.operands)
        ]


def describe_branch(name: str, forwarded: Iterable[tuple[int, int]]) -> None:
    """Declare that the operation `name` terminates blocks and forwards operands: pairs of a successor and an operand
    index.
    """
    _describe(name, DescribedBranchOp, {"forwarded": tuple(sorted(forwarded))})


def describe_allocation(name: str, *results: int, free: str = "", clone: str = "") -> None:
    """Declare that the operation `name` allocates these results. A later declaration replaces an earlier one."""
    _describe(
        name, DescribedAllocationOp, {"allocated": results or (0,), "freed_by": free, "cloned_by": clone}
    )
    if free:
        known = default_registry().find(free)
        if known is None or not issubclass(known, MemoryEffectOp):
            describe_free(free, 0)
    if clone:
        known = default_registry().find(clone)
        if known is None or not issubclass(known, AllocationOp):  # what it makes is one of these
            said = {"allocated": (0,), "freed_by": free, "cloned_by": clone, "is_clone": True}
            _describe(clone, DescribedAllocationOp, said)
        elif issubclass(known, DescribedAllocationOp):
            known.is_clone = True


def describe_free(name: str, *operands: int) -> None:
    """Declare that the operation `name` frees these operands."""
    _describe(name, DescribedFreeOp, {"freed": operands})


def _describe(name: str, described: type[Operation], said: dict[str, Any]) -> None:
    known = default_registry().find(name)
    if known is not None and issubclass(known, described):
        for key, value in said.items():
            setattr(known, key, value)
        return
    fields: dict[str, Any] = {}
    if known is None:
        fields["inputs"] = VariadicField(ANY_TYPE, VARIADIC, False, ())
        fields["outputs"] = VariadicField(ANY_TYPE, VARIADIC, True, ())
        fields["bodies"] = RegionField(VARIADIC, False)
        if described is DescribedBranchOp:
            fields["targets"] = variadic_successor()
            fields["traits"] = (tr.TERMINATOR,)
    bases = (described,) if known is None else (described, known)
    words = "".join(word.capitalize() for word in name.replace("_", ".").split("."))
    OperationMeta(f"{words}Op", bases, {"name": name, "__module__": __name__, **fields, **said})


def _said_before(op: MemoryEffectOp, described: type[MemoryEffectOp]) -> list[Effect]:
    """The effects of an operation's class without those described here; an operation may both free and allocate."""
    order = type(op).__mro__
    for base in order[order.index(described) + 1 :]:
        if base is MemoryEffectOp:
            declares = op.definition is not None and bool(op.definition.effects)
            return MemoryEffectOp.memory_effects(op) if declares else []
        if "memory_effects" in vars(base):
            return base.memory_effects(op)  # pyright: ignore[reportAttributeAccessIssue]
    return []


def _make(name: str, operands: tuple[Value, ...], results: tuple[Any, ...]) -> Operation:
    found = present(default_registry().find(name))
    return found(operands, results)


# External dialects: a Python folder or module that declares operations; see docs/extending.md.

ENTRY_POINTS = "bufferize.dialects"
"""The entry point group in which installed packages register dialects: `ring = "ring_compiler.dialect"`."""


class DialectError(BufferizeError):
    """An external dialect cannot be loaded."""


def load_dialect(place: str) -> None:
    """Import the dialect in a folder, or by module name. This executes its code.

    Raises:
        DialectError: there is none, or it fails; the message locates the failure.
    """
    name = place
    if os.path.isdir(place):
        folder = os.path.abspath(place)
        if not os.path.exists(os.path.join(folder, "__init__.py")):
            raise DialectError(
                error(f"the dialect folder '{place}' has no __init__.py, which declares its operations")
            )
        parent, name = os.path.split(folder)
        known = sys.modules.get(name)
        if known is not None and os.path.dirname(getattr(known, "__file__", None) or "") != folder:
            raise DialectError(
                error(f"the dialect folder '{place}' is called like a module that is there already")
            )
        if parent not in sys.path:
            sys.path.insert(0, parent)
    elif os.sep in place or not all(part.isidentifier() for part in place.split(".")):
        raise DialectError(error(f"there is no dialect folder '{place}'"))
    import_dialect(name, place)


def import_dialect(name: str, place: str) -> None:
    """Import a module.

    Raises:
        DialectError: it fails for any reason; located at the dialect's line.
    """
    try:
        importlib.import_module(name)
    except Exception as failure:
        import traceback

        frames = traceback.extract_tb(failure.__traceback__)
        product = os.path.dirname(os.path.dirname(__file__)) + os.sep
        own = [f for f in frames if "importlib" not in f.filename and not f.filename.startswith(product)]
        where = f" ({own[-1].filename}:{own[-1].lineno})" if own else ""
        raise DialectError(
            error(f"the dialect '{place}' cannot be loaded: {type(failure).__name__}: {failure}{where}")
        ) from None


def load_installed(dialect: str) -> None:
    """Import the dialect of that name from an installed package, if there is one."""
    from importlib.metadata import entry_points

    for offered in entry_points(group=ENTRY_POINTS, name=dialect):
        import_dialect(offered.value, f"{offered.value} of {ENTRY_POINTS}")


# Families of similar operations: members differ in name and semantics, everything else is in the base class.
#
#     class FloatBinaryOp(Operation):
#         lhs = operand(FLOAT_LIKE)
#         ...
#
#     AddFOp = member(FloatBinaryOp, "arith.addf", "Sum.", tr.COMMUTATIVE)
#
# is equivalent to `class AddFOp(FloatBinaryOp)` with a name, a docstring and one more trait.

Member = TypeVar("Member", bound=Operation)


def member(base: type[Member], name: str, doc: str, *traits: tr.Trait, **more: Any) -> type[Member]:
    """Declare the operation `name` as a member of the family `base`, with further traits and class attributes."""
    mnemonic = name.partition(".")[2].replace(".", "_")
    words = "".join(word.capitalize() for word in mnemonic.split("_"))
    namespace: dict[str, Any] = {
        "name": name,
        "__doc__": doc,
        "__module__": base.__module__,
        "traits": (*getattr(base, "traits", ()), *traits),
        **more,
    }
    return type(base)(f"{words}Op", (base,), namespace)


def i1_like(type: t.Type) -> t.Type:
    """`i1`, in the shape of `type` if it has one: the result type of comparisons."""
    if isinstance(type, (t.VectorType, t.RankedTensorType, t.UnrankedTensorType)):
        return type.with_element(t.I1)
    return t.I1


def flag_set(
    dialect: str,
    mnemonic: str,
    cases: tuple[str, ...],
    separator: str,
    *,
    everything: str | None,
    summary: str,
    cpp: str,
) -> AttributeConstraint:
    """A set of flags `#dialect.mnemonic<a, b>`, spelled `<a, b>` after its keyword.

    `cases` are in printing order, the empty set is `none`, and `everything` names the full set. The parser accepts
    any order; the attribute holds the canonical text, so that equal sets are one attribute.
    """
    words = frozenset(cases) | {"none"} | ({everything} if everything else set())

    def canonical(given: list[str]) -> a.Attribute:
        chosen = set(given) - {"none"}
        if everything and (everything in chosen or len(chosen) == len(cases)):
            body = everything
        else:
            body = separator.join(case for case in cases if case in chosen) or "none"
        return a.DialectAttr(dialect, f"{mnemonic}<{body}>")

    def parse(p: OpParser) -> a.Attribute:
        if p.peek("#"):
            return p.attribute()
        p.expect("<")
        given: list[str] = []
        while True:
            start = p.skip()
            word = p.optional_keyword()
            if word is None or word not in words:
                shown = "none, " + ", ".join(cases) + (f", {everything}" if everything else "")
                p.error(f"expected {cpp} to be one of: {shown}", start)
            given.append(word)
            if not p.accept(","):
                break
        p.expect(">")
        return canonical(given)

    def test(attr: a.Attribute) -> bool:
        return (
            isinstance(attr, a.DialectAttr)
            and attr.dialect == dialect
            and attr.mnemonic == mnemonic
            and all(word.strip() in words for word in attr.parameters.split(","))
        )

    return AttributeConstraint(
        summary,
        test,
        parse,
        lambda p, attr: f"<{attr.parameters}>",  # pyright: ignore[reportAttributeAccessIssue]
    )


FASTMATH_CASES = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")
FASTMATH_ATTR = flag_set(
    "arith",
    "fastmath",
    FASTMATH_CASES,
    ",",
    everything="fast",
    summary="Floating point fast math flags",
    cpp="::mlir::arith::FastMathFlags",
)
"""Permitted relaxations of floating-point semantics."""
NO_FASTMATH = a.DialectAttr("arith", "fastmath<none>")
