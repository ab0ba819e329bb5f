"""`-symbol-dce`: erases unused symbols.

    func.func private @unused() { ... }    =>    (erased)

A symbol is live if it is visible outside its symbol table (not private), or referenced by a live operation.
References are found in attributes, at any depth, and in nested regions, up to the next symbol table; that table's
own operations refer to the symbols visible to it.
"""

from __future__ import annotations

from ..ir.program import traits as tr
from ..ir.program.core import Operation
from ..ir.program.symbols import SymbolTables
from ..ir.source.diagnostics import PassFailed, error
from ..ir.text.registry import default_registry
from ..ir.types import attributes as a
from .pass_base import Context, Pass


class SymbolDce(Pass):
    """Erase dead symbols of the operation and of nested symbol tables. O(operations + references)."""

    name = "symbol-dce"
    summary = "erase unused private symbols"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        if not op.has_trait(tr.SYMBOL_TABLE):
            message = "was scheduled to run under SymbolDCE, but does not define a symbol table"
            raise PassFailed(error(f"'{op.name}' op {message}", op.name_span))
        hidden = op.parent_op is None or not is_symbol(op) or is_private(op)
        live = _live_symbols(op, hidden)
        erased = 0
        touched: set[Operation] = set()
        for table in list(op.walk_post_order()):
            if not table.has_trait(tr.SYMBOL_TABLE):
                continue
            for inner in list(table.regions[0].ops()):
                if is_symbol(inner) and inner not in live:
                    inner.erase()
                    touched.add(table)
                    erased += 1
        context.note_touched(touched)
        context.count(self.name, "num-dce'd", erased)


def is_symbol(op: Operation) -> bool:
    """Whether `op` defines a symbol in the enclosing symbol table."""
    return op.has_trait(tr.SYMBOL) and op.get_attr("sym_name") is not None


def is_private(op: Operation) -> bool:
    """Whether the symbol `op` is visible in its own symbol table only."""
    visibility = op.get_attr("sym_visibility")
    return isinstance(visibility, a.StringAttr) and visibility.value == "private"


def is_public(op: Operation) -> bool:
    visibility = op.get_attr("sym_visibility")
    return not isinstance(visibility, a.StringAttr) or visibility.value == "public"


def referenced_symbols(op: Operation) -> list[a.SymbolRefAttr]:
    """The symbol references in the attributes of `op`, including nested attributes; in no particular order."""
    found: list[a.SymbolRefAttr] = []
    waiting: list[object] = [*op.attributes.values(), *op.properties.values()]
    while waiting:
        attribute = waiting.pop()
        if isinstance(attribute, a.SymbolRefAttr):
            found.append(attribute)
        elif isinstance(attribute, a.ArrayAttr):
            waiting.extend(attribute.elements)
        elif isinstance(attribute, a.DictionaryAttr):
            waiting.extend(value for _, value in attribute.entries)
    return found


def scope_of(op: Operation) -> list[Operation]:
    """`op` and its nested operations, except the contents of nested symbol tables.

    Raises:
        PassFailed: an operation of an unknown dialect has a region, and might be a symbol table.
    """
    known = default_registry().dialects
    found: list[Operation] = []
    waiting = [op]
    while waiting:
        inner = waiting.pop()
        if inner.definition is None and len(inner.regions) == 1 and inner.dialect not in known:
            message = "operation contains potentially unknown symbol table, meaning that we can't reliable compute symbol uses"
            raise PassFailed(error(message, op.name_span))
        found.append(inner)
        if not inner.has_trait(tr.SYMBOL_TABLE):
            waiting.extend(nested for region in inner.regions for nested in region.ops())
    return found


def _live_symbols(top: Operation, hidden: bool) -> set[Operation]:
    """The live symbols in `top` and nested symbol tables; `hidden` if `top` is not visible from outside."""
    tables = SymbolTables()
    live: set[Operation] = set()
    entered: set[Operation] = set()
    waiting: list[tuple[Operation, bool]] = []

    def enter(table: Operation, hidden: bool) -> None:
        if table in entered:
            return
        entered.add(table)
        for op in table.regions[0].ops():
            if not is_symbol(op):
                waiting.append((op, hidden))
            elif (is_public(op) or not (hidden or is_private(op))) and op not in live:
                live.add(op)
                waiting.append((op, hidden))

    enter(top, hidden)
    while waiting:
        op, hidden = waiting.pop()
        for inner in scope_of(op):
            if inner.has_trait(tr.SYMBOL_TABLE):
                enter(inner, hidden or not is_symbol(inner) or is_private(inner))
            for reference in referenced_symbols(inner):
                for symbol in _resolved(tables, op, reference):
                    if symbol not in live:
                        live.add(symbol)
                        waiting.append((symbol, hidden))
    return live


def _resolved(tables: SymbolTables, user: Operation, reference: a.SymbolRefAttr) -> list[Operation]:
    """The symbols along the path of `reference`, its target last; empty if there is no such symbol."""
    around = user.parent_op
    table = tables.nearest(around) if around is not None else None
    found = table.lookup(reference.root) if table is not None else None
    symbols: list[Operation] = []
    for name in (*reference.nested, None):
        if found is None:
            return []
        symbols.append(found)
        if name is not None:
            found = tables.table_of(found).lookup(name) if found.has_trait(tr.SYMBOL_TABLE) else None
    return symbols
