"""Which operations have results that may be poison."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.types.attributes import Attribute, IntegerAttr

SHIFTS = (
    "arith.shli",
    "arith.shrsi",
    "arith.shrui",
    "index.shl",
    "index.shrs",
    "index.shru",
    "llvm.shl",
    "llvm.ashr",
    "llvm.lshr",
    "llvm.intr.sshl.sat",
    "llvm.intr.ushl.sat",
)
CONVERSIONS = ("arith.fptosi", "arith.fptoui", "llvm.fptosi", "llvm.fptoui")
PLACES = ("vector.extract", "vector.insert", "llvm.extractelement", "llvm.insertelement")
SHUFFLES = ("vector.shuffle", "llvm.shufflevector")
PROMISED = "promised"
"""The name of an operation that is its first operand, or poison if that breaks a promise."""

_MAY_BE_POISON = frozenset((*SHIFTS, *CONVERSIONS, *PLACES, *SHUFFLES, PROMISED))

FLAGS = {"overflowFlags": "overflow", "fastmath": "fastmath", "fastmathFlags": "fastmath"}
"""Properties with promises, and what these are about."""
UNITS = ("isExact", "nonNeg", "nneg", "isDisjoint", "disjoint", "exact")
"""Unit properties that are promises."""


def may_be_poison(name: object, attributes: Iterable[tuple[object, Attribute]]) -> bool:
    """Whether the result of an operation may be poison where no operand is, whatever these are. O(attributes)."""
    if name in _MAY_BE_POISON:
        return True
    said = list(attributes)
    return says_poison(said) or any(
        key in UNITS or (key in FLAGS and not _is_nothing(value)) for key, value in said
    )


def _is_nothing(flags: Attribute) -> bool:
    return flags.value == 0 if isinstance(flags, IntegerAttr) else "none" in str(flags)


def says_poison(attributes: Iterable[tuple[object, Attribute]]) -> bool:
    """Whether an operation says by an attribute, such as `is_zero_poison`, that its result may be poison."""
    return any(
        str(name).endswith("_poison") and isinstance(value, IntegerAttr) and value.value
        for name, value in attributes
    )
