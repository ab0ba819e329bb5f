"""Symbol tables, symbol references, and cached ancestors of operations during a walk.

A `SymbolTable` indexes the symbols of one operation once, so that ten thousand lookups are linear. It is a snapshot:
code that renames, adds or erases symbols must update it (`insert`, `erase`) or build a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..types import attributes as a
from . import traits as tr
from .core import Operation, Region
from .interfaces import CallOpInterface, FunctionOp

SYMBOL_NAME = "sym_name"


def symbol_name(op: Operation) -> str | None:
    """The symbol name of `op`, or None if it is not a symbol."""
    attribute = op.get_attr(SYMBOL_NAME)
    return attribute.value if isinstance(attribute, a.StringAttr) else None


class SymbolTable:
    """The symbols directly inside one operation. O(operations) to build, O(1) per lookup."""

    __slots__ = ("_by_name", "op")

    def __init__(self, op: Operation):
        self.op = op
        self._by_name: dict[str, Operation] = {}
        for region in op.regions:
            for nested in region.ops():
                name = symbol_name(nested)
                if name is not None:
                    self._by_name.setdefault(name, nested)

    def lookup(self, name: str) -> Operation | None:
        return self._by_name.get(name)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __iter__(self):
        return iter(self._by_name.items())

    def insert(self, op: Operation, before: Operation | None = None) -> str:
        """Add a symbol to the table's body and return its name, changed to `name_N` if `name` is taken.

        The operation is inserted before `before`, by default at the end (before a terminator).
        """
        name = symbol_name(op)
        assert name is not None
        unique = name
        number = 0
        while unique in self._by_name:
            unique = f"{name}_{number}"
            number += 1
        if unique != name:
            op.set_attr(SYMBOL_NAME, a.StringAttr(unique))
        self._by_name[unique] = op
        if op.block is None:
            block = self.op.regions[0].entry
            block.insert_before(op, before or block.terminator)
        return unique

    def erase(self, op: Operation) -> None:
        """Remove a symbol from the table and from the program."""
        name = symbol_name(op)
        if name is not None and self._by_name.get(name) is op:
            del self._by_name[name]
        op.erase()


class SymbolTables:
    """The symbol tables used while resolving references, each built once."""

    __slots__ = ("_tables",)

    def __init__(self) -> None:
        self._tables: dict[Operation, SymbolTable] = {}

    def table_of(self, op: Operation) -> SymbolTable:
        table = self._tables.get(op)
        if table is None:
            table = self._tables[op] = SymbolTable(op)
        return table

    def nearest(self, op: Operation) -> SymbolTable | None:
        """The table of the closest enclosing operation with a symbol table. O(depth)."""
        current: Operation | None = op
        while current is not None:
            if current.has_trait(tr.SYMBOL_TABLE):
                return self.table_of(current)
            if current.definition is None and current.parent_op is None:
                return None
            current = current.parent_op
        return None

    def resolve(self, user: Operation, reference: a.SymbolRefAttr) -> Operation | None:
        """The operation that `reference` in `user` names: its root in the nearest table, nested names in nested tables."""
        table = self.nearest(user)
        found = table.lookup(reference.root) if table is not None else None
        for name in reference.nested:
            if found is None or not found.has_trait(tr.SYMBOL_TABLE):
                return None
            found = self.table_of(found).lookup(name)
        return found


def modules_in(module: Operation) -> dict[str, Operation]:
    """The modules directly in another one, by name; unnamed modules are called `module #N`."""
    found: dict[str, Operation] = {}
    for op in module.regions[0].ops() if module.regions else ():
        if op.name == "builtin.module":
            found[symbol_name(op) or f"module #{len(found)}"] = op
    return found


def calling_unknown(
    symbols: Mapping[str, Operation], counts: Callable[[CallOpInterface], bool] = lambda call: True
) -> set[str]:
    """The names of functions that call an external function, directly or transitively, and of the external functions
    themselves.

    O(operations * depth of the call graph).

    Args:
        counts: filters the calls to consider.
    """
    calls: dict[str, set[str | None]] = {}
    for name, function in symbols.items():
        if isinstance(function, FunctionOp):
            made = [op for op in function.walk() if isinstance(op, CallOpInterface) and counts(op)]
            calls[name] = {None} if function.is_declaration else set(map(callee_name, made))
    found: set[str] = set()
    while more := {
        name
        for name, callees in calls.items()
        if name not in found and any(callee not in calls or callee in found for callee in callees)
    }:
        found |= more
    return found


def callee_name(call: CallOpInterface) -> str | None:
    """The name of the called function; None for an indirect call."""
    symbol = call.callee_symbol()
    return None if symbol is None else symbol.root


# Ancestors of the operations of a walk.
#
# Climbing from every use to the region of its definition costs O(depth) per use, quadratic in deeply nested programs. A
# walk enters and leaves each region once, so the regions around the last operation are kept, with the ancestor in each;
# the next operation climbs only to the innermost of them that also encloses it.


class Surroundings:
    """The regions around operations queried in the order of `Operation.walk` or `Operation.walk_post_order`.

    `move_to` is amortised O(1) over the walk, the queries are O(1).
    """

    def __init__(self) -> None:
        self._regions: list[Region] = []
        """The enclosing regions, outermost first."""
        self._depth: dict[Region, int] = {}
        self._standing: list[Operation] = []
        """The operation in each region: the current one, or its ancestor."""
        self._isolated: list[int] = []
        """For each region, the depth of the innermost isolated-from-above region at or around it; -1 if there is none."""

    def move_to(self, op: Operation) -> None:
        """Make `op` the current operation."""
        entered: list[tuple[Region, Operation]] = []
        depth, regions = self._depth, self._regions
        standing, region = op, op.parent_region
        while region is not None and region not in depth:
            entered.append((region, standing))
            parent = region.parent_op
            if parent is None:
                region = None
                break
            standing, region = parent, parent.parent_region
        keep = 0 if region is None else depth[region] + 1
        for left in regions[keep:]:
            del depth[left]
        del regions[keep:], self._standing[keep:], self._isolated[keep:]
        if region is not None:
            self._standing[-1] = standing
        for region, standing in reversed(entered):
            depth[region] = at = len(regions)
            regions.append(region)
            self._standing.append(standing)
            parent = region.parent_op
            isolates = parent is not None and parent.has_trait(tr.ISOLATED_FROM_ABOVE)
            self._isolated.append(at if isolates else self._isolated[-1] if at else -1)

    def ancestor_in(self, region: Region) -> Operation | None:
        """The current operation or its ancestor directly in `region`; None if it is not nested in `region`."""
        depth = self._depth.get(region)
        return None if depth is None else self._standing[depth]

    def isolated_from(self, region: Region) -> Operation | None:
        """The innermost isolated-from-above operation between the current one and `region`; None if `region` is
        visible.
        """
        border = self._isolated[-1] if self._isolated else -1
        return self._regions[border].parent_op if border > self._depth.get(region, -1) else None


def suspects(touched: set[Operation], operations: list[Operation]) -> tuple[list[Operation], list[Operation]]:
    """The operations whose validity a change of `touched` may affect, and these together with their ancestors.

    Users of a result depend on its type and must be dominated by it; ancestors depend on the contents of their regions;
    the terminator of a region depends on the operation around it.
    """
    own = touched | {use.owner for op in touched for result in op.results for use in result.uses}
    for op in list(own):
        for region in op.regions:
            own.update(block.last_op for block in region if block.last_op is not None)
    around = set(own)
    for op in own:
        parent = op.parent_op
        while parent is not None and parent not in around:
            around.add(parent)
            parent = parent.parent_op
    return [op for op in operations if op in own], [op for op in operations if op in around]


def inner_first(operations: list[Operation]) -> Iterator[Operation]:
    """Reorders operations that come in the order of `Operation.walk` so that each follows the operations nested in it."""
    open: list[Operation] = []
    for op in operations:
        parent = op.parent_op
        while open and open[-1] is not parent:
            yield open.pop()
        open.append(op)
    yield from reversed(open)
