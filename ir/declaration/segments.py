"""Which operands (or results) belong to which declared field.

That is a function of how many there are and, where segment sizes are written, of one attribute. Attributes are unique, so each
division is computed once: half of what verifying and printing cost was this arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..types import attributes as a

SINGLE, OPTIONAL, VARIADIC = "single", "optional", "variadic"

OPERAND_SEGMENTS = "operandSegmentSizes"
RESULT_SEGMENTS = "resultSegmentSizes"

Segments = tuple[tuple[int, int], ...]
"""The half-open range of each field."""


class Segmentation:
    """The division for one kind of operation.

    Args:
        noun: what is divided, `operand` or `result`.
        arities: of the fields.
        key: the property that holds the sizes, if they are written.
        is_same: whether all variadic fields are of one size.
    """

    def __init__(self, name: str, noun: str, arities: Sequence[str], key: str | None, is_same: bool) -> None:
        self._name = name
        self._noun = noun
        self._arities = arities
        self._variadics = [arity for arity in arities if arity != SINGLE]
        self._key = key
        self._is_same = is_same
        self._known: dict[tuple[int, a.Attribute | None], Segments] = {}

    def of(self, total: int, properties: Mapping[str, a.Attribute]) -> Segments:
        """The ranges among `total` operands. O(1) for counts and sizes that were met before.

        Raises:
            ValueError: the count does not fit the declaration; the message says how, in MLIR's words.
        """
        written = properties.get(self._key) if self._key is not None else None
        known = self._known.get((total, written))
        if known is None:
            start = 0
            ranges: list[tuple[int, int]] = []
            for size in self._sizes(total, written):
                ranges.append((start, start + size))
                start += size
            known = self._known[total, written] = tuple(ranges)
        return known

    def _sizes(self, total: int, written: a.Attribute | None) -> list[int]:
        noun, fields, variadics = self._noun, self._arities, self._variadics
        if self._key is not None:
            if not isinstance(written, a.DenseArrayAttr):
                raise ValueError(f"requires dense i32 array attribute '{self._key}'")
            values = [int(v) for v in written.values]
            if len(values) != len(fields):
                raise ValueError(
                    f"'{self._key}' attribute for specifying {noun} segments must have {len(fields)} elements, "
                    f"but got {len(values)}"
                )
            if sum(values) != total:
                raise ValueError(
                    f"{noun} count ({total}) does not match with the total size ({sum(values)}) "
                    f"specified in attribute '{self._key}'"
                )
            return values
        fixed = len(fields) - len(variadics)
        if not variadics:
            if total != fixed:
                raise ValueError(f"expected {_number(fixed, noun)}, but found {total}")
            return [1] * fixed
        rest = total - fixed
        if rest < 0:
            raise ValueError(f"expected {fixed} or more {noun}s, but found {total}")
        if len(variadics) > 1 and not self._is_same:
            raise ValueError(f"{noun} segments of '{self._name}' cannot be told apart")
        share, remainder = divmod(rest, len(variadics))
        if remainder or (variadics[0] == OPTIONAL and share > 1):
            raise ValueError(f"expected at most {len(fields)} {noun}s, but found {total}")
        return [1 if f == SINGLE else share for f in fields]


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")
