"""The order of values in the lists of deallocations: that of MLIR, so that printed programs agree.

Block arguments come before results. Arguments are ordered by number, results of one operation by number, results of
operations in one region by the place of the operation *in its own block*, whichever block that is. Across regions, the
chains of enclosing regions are compared from the inside out: first their numbers, then, below a common parent region, the
places of the operations that hold them; a shorter chain comes first.
"""

from __future__ import annotations

from functools import cmp_to_key

from ...ir.core import BlockArgument, Operation, OpResult, Region, Value


class ValueOrder:
    """Compares values of one function by where they stood when this was made. O(operations) to make."""

    def __init__(self, function: Operation) -> None:
        self._place: dict[Operation, int] = {}
        for op in function.walk():
            for region in op.regions:
                for block in region:
                    self._place.update((nested, i) for i, nested in enumerate(block))

    def sort(self, values: list[Value]) -> list[Value]:
        """The values in order. O(n log n) comparisons, constant unless values come from different regions."""
        if len(values) < 2:
            return values
        region = values[0].parent_region
        if all(value.parent_region is region for value in values):
            return sorted(values, key=self._key)
        return sorted(values, key=cmp_to_key(self._compare))

    def _key(self, value: Value) -> tuple[int, int, int]:
        if isinstance(value, OpResult):
            return 1, self._place.get(value.owner, 0), value.index
        assert isinstance(value, BlockArgument)
        return 0, value.index, 0

    def _compare(self, one: Value, other: Value) -> int:
        if isinstance(one, BlockArgument) or isinstance(other, BlockArgument):
            if not (isinstance(one, BlockArgument) and isinstance(other, BlockArgument)):
                return -1 if isinstance(one, BlockArgument) else 1
            if one.index != other.index:
                return one.index - other.index
        elif one.parent_region is other.parent_region:
            left, right = self._key(one), self._key(other)
            return (left > right) - (left < right)
        return self._compare_regions(one.parent_region, other.parent_region)

    def _compare_regions(self, one: Region | None, other: Region | None) -> int:
        while one is not None and other is not None:
            if one is other:
                return 0
            if _number(one) != _number(other):
                return _number(one) - _number(other)
            if one.parent_region is other.parent_region:
                assert one.parent_op is not None
                assert other.parent_op is not None
                return self._place.get(one.parent_op, 0) - self._place.get(other.parent_op, 0)
            one, other = one.parent_region, other.parent_region
        return -1 if other is not None else 1 if one is not None else 0


def _number(region: Region) -> int:
    return region.index if region.parent_op is not None else 0
