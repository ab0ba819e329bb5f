"""What values and blocks are called in printed text.

The scheme is MLIR's. Entry arguments are `%arg0`, `%arg1`, ...; results take the name their operation suggests (`%alloc`,
`%c0`) made unique by a suffix, or else a number; blocks are `^bb0`, `^bb1`, ... in order. A region is numbered whole
before the regions nested in it, which continue from where it stopped; sibling regions therefore share numbers.
"""

from __future__ import annotations

import re
from itertools import pairwise

from ..program.core import Block, Operation, OpResult, Region, Value

_ODD_CHARACTER = re.compile(r"[^\w$.-]", re.ASCII).sub


class Names:
    """Names of the values and blocks below one operation. O(values) to build."""

    __slots__ = ("blocks", "generic", "groups", "values")

    def __init__(self, root: Operation, generic: bool = False):
        self.generic = generic
        self.values: dict[Value, str] = {}
        """With the leading `%`, and for members of result groups with the `#n`."""
        self.blocks: dict[Block, str] = {}
        self.groups: dict[Operation, str] = {}
        """What stands left of the equals sign, where that is not just the name of the only result."""
        self._number(root)

    def _number(self, root: Operation) -> None:
        used: set[str] = set()
        outer = _Scope(used, 0, 0, 0)
        self._name_results(root, outer)
        around = [outer]
        last = outer
        pending: list[tuple[Region, _Scope]] = [(region, outer) for region in root.regions]
        while pending:
            region, parent = pending.pop()
            while around[-1] is not parent:  # regions that were left: their names are free again
                used.difference_update(around.pop().names)
            start = last if self.generic else parent  # numbers are unique in generic form
            scope = last = _Scope(used, start.next_value, start.next_argument, start.next_conflict)
            around.append(scope)
            self._number_region(region, scope)
            for block in region:
                for op in block:
                    for nested in op.regions:
                        pending.append((nested, scope))

    def _number_region(self, region: Region, scope: _Scope) -> None:
        values = self.values
        parent = region.parent_op
        first = region.first_block
        if not self.generic and parent is not None and parent.definition is not None and first is not None:
            for arg, name in zip(first.args, parent.block_argument_names(region), strict=False):
                if name:
                    values[arg] = scope.unique(name)
        entry = True
        generic = self.generic
        for number, block in enumerate(region):
            self.blocks[block] = f"^bb{number}"
            for arg in block.args:
                if arg in values:
                    continue
                if entry:
                    values[arg] = scope.unique(f"arg{scope.next_argument}")
                    scope.next_argument += 1
                else:
                    values[arg] = f"%{scope.next_value}"
                    scope.next_value += 1
            entry = False
            op = block.first_op
            while op is not None:
                results = op.results
                if results:
                    if len(results) == 1 and (generic or not op.suggests_names):
                        values[results[0]] = f"%{scope.next_value}"
                        scope.next_value += 1
                    else:
                        self._name_results(op, scope)
                op = op._next

    def _name_results(self, op: Operation, scope: _Scope) -> None:
        results = op.results
        if not results:
            return
        suggested = [] if self.generic or not op.suggests_names else op.result_names()
        starts = [0]
        names: dict[int, str] = {}
        for i, name in enumerate(suggested):
            if name:
                names[i] = scope.unique(name)
                if i:
                    starts.append(i)
        if 0 not in names:
            names[0] = f"%{scope.next_value}"
            scope.next_value += 1
        values = self.values
        if len(results) == 1:
            values[results[0]] = names[0]
            return
        groups: list[str] = []
        starts.append(len(results))
        for start, end in pairwise(starts):
            name = names[start]
            if end - start == 1:
                values[results[start]] = name
                groups.append(name)
            else:
                for i in range(start, end):
                    values[results[i]] = f"{name}#{i - start}"
                groups.append(f"{name}:{end - start}")
        self.groups[op] = ", ".join(groups)

    def value(self, value: Value) -> str:
        """The name of a value; a placeholder if it is not below the root."""
        name = self.values.get(value)
        if name is not None:
            return name
        return "<<UNKNOWN SSA VALUE>>" if isinstance(value, OpResult) else "<<UNKNOWN SSA ARGUMENT>>"


class _Scope:
    """The names given in a region. `used` are those of the regions around it as well, shared by all scopes."""

    __slots__ = ("names", "next_argument", "next_conflict", "next_value", "used")

    def __init__(self, used: set[str], next_value: int, next_argument: int, next_conflict: int):
        self.used = used
        self.next_value = next_value
        self.next_argument = next_argument
        self.next_conflict = next_conflict
        self.names: list[str] = []

    def unique(self, name: str) -> str:
        """`%name`, or `%name_N` with the next number that makes it new."""
        name = _ODD_CHARACTER("_", name)
        if name[:1].isdigit():
            name = "_" + name
        if name in self.used:
            base = name
            while name in self.used:
                name = f"{base}_{self.next_conflict}"
                self.next_conflict += 1
        self.used.add(name)
        self.names.append(name)
        return "%" + name
