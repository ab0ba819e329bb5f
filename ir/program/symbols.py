"""Symbol tables and references, and cached surroundings of operations in a walk.

A `SymbolTable` indexes one operation's symbols once, so that looking up ten thousand callees is linear. It is a snapshot:
whoever renames, adds or erases symbols tells it (`insert`, `erase`) or makes a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..types import attributes as a
from . import traits as tr
from .core import Operation, Region
from .interfaces import CallOpInterface, FunctionOp

SYMBOL_NAME = "sym_name"


def symbol_name(op: Operation) -> str | None:
    """The name under which `op` is a symbol, if it is one."""
    attribute = op.get_attr(SYMBOL_NAME)
    return attribute.value if isinstance(attribute, a.StringAttr) else None


class SymbolTable:
    """The symbols directly inside one operation. O(its operations) to build, O(1) to ask."""

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
        """Add a symbol to the table's body, renamed `name_N` if the name is taken; the name it got.

        It is put before `before`, by default at the end (before a terminator).
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
        """Remove a symbol from table and program."""
        name = symbol_name(op)
        if name is not None and self._by_name.get(name) is op:
            del self._by_name[name]
        op.erase()


class SymbolTables:
    """All symbol tables met while resolving references, each built once."""

    __slots__ = ("_tables",)

    def __init__(self) -> None:
        self._tables: dict[Operation, SymbolTable] = {}

    def table_of(self, op: Operation) -> SymbolTable:
        table = self._tables.get(op)
        if table is None:
            table = self._tables[op] = SymbolTable(op)
        return table

    def nearest(self, op: Operation) -> SymbolTable | None:
        """The table of the closest enclosing operation that has one. O(depth)."""
        current: Operation | None = op
        while current is not None:
            if current.has_trait(tr.SYMBOL_TABLE):
                return self.table_of(current)
            if current.definition is None and current.parent_op is None:
                return None
            current = current.parent_op
        return None

    def resolve(self, user: Operation, reference: a.SymbolRefAttr) -> Operation | None:
        """The operation that `reference`, used by `user`, names: in the nearest table, then nested ones."""
        table = self.nearest(user)
        found = table.lookup(reference.root) if table is not None else None
        for name in reference.nested:
            if found is None or not found.has_trait(tr.SYMBOL_TABLE):
                return None
            found = self.table_of(found).lookup(name)
        return found


def modules_in(module: Operation) -> dict[str, Operation]:
    """The modules directly in another one, by name; those without a name by number."""
    found: dict[str, Operation] = {}
    for op in module.regions[0].ops() if module.regions else ():
        if op.name == "builtin.module":
            found[symbol_name(op) or f"module #{len(found)}"] = op
    return found


def calling_unknown(
    symbols: Mapping[str, Operation], counts: Callable[[CallOpInterface], bool] = lambda call: True
) -> set[str]:
    """The functions whose body is not here, and those that call one, themselves or through others. O(the module * its depth of calls).

    Args:
        counts: whether a call matters.
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
    """The name of the function that is called, if it is said."""
    symbol = call.callee_symbol()
    return None if symbol is None else symbol.root


# What is around each operation of a walk: asked again and again along the way, and never climbed twice.
#
# Climbing from every operation to where a value is defined costs the depth of nesting for each use: its square in all,
# where conditionals or loops stand in one another. But a walk enters and leaves every region once. So the regions around
# the operation that was last asked about are kept, with what stands in each, and the next one climbs only to the first of
# them that is around it too; those inside of that one have been left for good.


class Surroundings:
    """The regions around operations that come in the order of `Operation.walk` or of `Operation.walk_post_order`.

    `move_to` is amortised O(1) over the walk, the rest O(1).
    """

    def __init__(self) -> None:
        self._regions: list[Region] = []
        """The regions around, outermost first."""
        self._depth: dict[Region, int] = {}
        self._standing: list[Operation] = []
        """What stands in each region: the operation moved to, or what it is nested in."""
        self._isolated: list[int] = []
        """For each region the depth of the innermost at or around it whose operation isolates it; -1 if there is none."""

    def move_to(self, op: Operation) -> None:
        """Ask about `op` from now on."""
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
        """What is directly in `region`: the operation or something around it; None if it is not in `region`."""
        depth = self._depth.get(region)
        return None if depth is None else self._standing[depth]

    def isolated_from(self, region: Region) -> Operation | None:
        """The innermost operation around that lets its regions use nothing of `region`; None if there is none."""
        border = self._isolated[-1] if self._isolated else -1
        return self._regions[border].parent_op if border > self._depth.get(region, -1) else None


def suspects(touched: set[Operation], operations: list[Operation]) -> tuple[list[Operation], list[Operation]]:
    """Of all operations those that a change of `touched` concerns, and those with what is around them.

    Who uses a result sees its type and must be dominated by it; whoever is around sees what is in its regions; and what ends
    a region looks at the operation around it.
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
    """Operations that come as `Operation.walk` yields them, each after those inside it. With each comes what is around it."""
    open: list[Operation] = []
    for op in operations:
        parent = op.parent_op
        while open and open[-1] is not parent:
            yield open.pop()
        open.append(op)
    yield from reversed(open)
