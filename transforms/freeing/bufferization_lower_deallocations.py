"""`-bufferization-lower-deallocations`: turn `bufferization.dealloc` into comparisons of addresses and plain frees."""

from __future__ import annotations

from functools import cache

from ...analysis.causes import Cause, CauseKind
from ...analysis.origins import OriginGroup, Origins
from ...dialects import bufferization, func
from ...ir.defects import LATER_NAMES
from ...ir.program import traits as tr
from ...ir.program.builder import Builder
from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.program.symbols import SymbolTable
from ...ir.source.diagnostics import PassFailed, error, remark
from ...ir.source.locations import Source
from ...ir.text.parser import DocumentParser
from ...ir.text.registry import default_registry
from ...ir.types import attributes as a
from ...ir.types import types as t
from ..pass_base import Context, Pass
from ..patterns.dealloc import known
from . import lowering
from .lowering import fold_unconverted

# The function that lowered deallocations of several buffers call: which of them to free, and who owns what is retained.
#
# It compares addresses: a buffer is freed if its condition holds, no retained buffer has its address, and none before
# it in the list has. A retained buffer is owned if some buffer in the list has its address and a condition that holds.
#
# Where a buffer may be listed twice, and only its second condition holds, none before it in the list *with a condition
# that holds* may have its address: the careful form of the function asks for that condition too.

NAME = "dealloc_helper"

_TEXT = f"""
func.func private @{NAME}(%buffers: memref<?xindex>, %retained: memref<?xindex>, %conditions: memref<?xi1>,
                          %to_free: memref<?xi1>, %owned: memref<?xi1>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %count = memref.dim %buffers, %c0 : memref<?xindex>
  %retained_count = memref.dim %retained, %c0 : memref<?xindex>
  scf.for %i = %c0 to %retained_count step %c1 {{
    memref.store %false, %owned[%i] : memref<?xi1>
  }}
  scf.for %i = %c0 to %count step %c1 {{
    %address = memref.load %buffers[%i] : memref<?xindex>
    %condition = memref.load %conditions[%i] : memref<?xi1>
    %not_retained = scf.for %k = %c0 to %retained_count step %c1 iter_args(%none = %true) -> (i1) {{
      %other = memref.load %retained[%k] : memref<?xindex>
      %same = arith.cmpi eq, %other, %address : index
      scf.if %same {{
        %before = memref.load %owned[%k] : memref<?xi1>
        %after = arith.ori %before, %condition : i1
        memref.store %after, %owned[%k] : memref<?xi1>
      }}
      %differs = arith.cmpi ne, %other, %address : index
      %still = arith.andi %none, %differs : i1
      scf.yield %still : i1
    }}
    %first = scf.for %k = %c0 to %i step %c1 iter_args(%none = %not_retained) -> (i1) {{
      %other = memref.load %buffers[%k] : memref<?xindex>
      %differs = arith.cmpi ne, %other, %address : index
      <CAREFUL>
      %still = arith.andi %none, %differs : i1
      scf.yield %still : i1
    }}
    %free = arith.andi %first, %condition : i1
    memref.store %free, %to_free[%i] : memref<?xi1>
  }}
  return
}}
"""


_PLAIN = _TEXT.replace("      <CAREFUL>\n", "")
_CAREFUL = _TEXT.replace(
    """<CAREFUL>
      %still = arith.andi %none, %differs : i1""",
    """%earlier = memref.load %conditions[%k] : memref<?xi1>
      %not_freed = arith.xori %earlier, %true : i1
      %may_be = arith.ori %differs, %not_freed : i1
      %still = arith.andi %none, %may_be : i1""",
)


@cache
def _definition(careful: bool) -> Operation:
    source = Source("<dealloc_helper>", _CAREFUL if careful else _PLAIN)
    function = next(op for op in DocumentParser(source, default_registry(), False).parse().regions[0].ops())
    for op in function.walk():
        op.where = None
    return function


def add_helper(table: SymbolTable, careful: bool) -> str:
    """Add the function, in its plain or its careful form, at the end of a symbol table; the name it got there."""
    return table.insert(_definition(careful).clone())


LEGAL = ("arith", "func", "memref", "scf")
"""Dialects whose operations stay as they are; others are folded on the way, as the reference does."""


class BufferizationLowerDeallocations(Pass):
    """Lower deallocations: free what no retained buffer shares an address with.

        %owned = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%r : memref<4xf32>)
     => %differs = arith.cmpi ne, (address of %m), (address of %r) : index
        %free = arith.andi %differs, %c : i1
        scf.if %free { memref.dealloc %m : memref<4xf32> }
        %owned = arith.andi (not %differs), %c : i1

    Deallocations of several buffers call a function, which is added to the symbol table around them. Leaves no
    `bufferization.dealloc`. O(operations + operands of deallocations).

    Of two names of one buffer either condition frees it. mlir-opt 22 asks the first name's only, and so leaks what just
    the second owns. Where that may happen another function is added, and a remark says so; with `--compat=mlir-22` the
    leak is mirrored. It cannot where ownership-based deallocation, in the same run, made the deallocations: of what is
    retained all names are given the same owner.
    """

    name = "bufferization-lower-deallocations"
    summary = "lower bufferization.dealloc to comparisons of addresses and memref.dealloc"
    on = "any"

    def run(self, op: Operation, context: Context) -> None:
        if op.name != "builtin.module" and not isinstance(op, FunctionOp):
            raise PassFailed("root operation must be a builtin.module or a function", op.name_span, op)
        touched = fold_unconverted(op, _stays)
        found = [inner for inner in op.walk() if isinstance(inner, bufferization.DeallocOp)]
        unsure = (
            []
            if LATER_NAMES in context.mirrored
            else may_be_freed_by_a_later_name(op, _handmade(found, context))
        )
        for dealloc in unsure:
            context.diagnostics.emit(remark(LEAK, dealloc.name_span, "mlir-22-leaks"))
        helpers = {} if isinstance(op, FunctionOp) else _add_helpers(found, unsure)
        for dealloc in found:
            touched |= _lower(dealloc, helpers)
        if not helpers:
            context.note_touched(touched)


def _stays(op: Operation) -> bool:
    return op.dialect in LEGAL or isinstance(op, bufferization.DeallocOp)


def _handmade(deallocs: list[bufferization.DeallocOp], context: Context) -> list[bufferization.DeallocOp]:
    """Those of which it is not known that all names of a buffer have the same owner. O(deallocations)."""
    if not context.ownership_agrees:
        return deallocs
    return [dealloc for dealloc in deallocs if _function_around(dealloc) not in context.ownership_agrees]


def _function_around(op: Operation) -> Operation | None:
    around = op.parent_op
    while around is not None and not isinstance(around, FunctionOp):
        around = around.parent_op
    return around


LEAK = "two of these may be one buffer that only the later owns; it is freed then, while mlir-opt 22 would leak it"


def may_be_freed_by_a_later_name(
    root: Operation, deallocs: list[bufferization.DeallocOp]
) -> list[bufferization.DeallocOp]:
    """The deallocations in which a buffer may be listed twice, first with a condition that fails, then with one that holds.

    A superset: conditions that are one value, or true where the buffer is listed first, are told apart, and so are
    buffers of different origins. O(operands), and once the origins of all memrefs.
    """
    found: list[bufferization.DeallocOp] = []
    origins: Origins | None = None
    for dealloc in deallocs:
        memrefs, conditions = list(dealloc.memrefs), list(dealloc.conditions)
        unsure = [i for i, condition in enumerate(conditions) if known(condition) is not True]
        if len(memrefs) < 2 or not unsure or len(set(conditions)) == 1:
            continue
        origins = origins or Origins(root)
        group = OriginGroup(origins, [memrefs[i] for i in unsure])
        places = {position: i for i, position in enumerate(unsure)}
        if any(
            known(conditions[i]) is not False and group.may_meet(memrefs[i], places.get(i, -1))
            for i in range(unsure[0] + 1, len(memrefs))
        ):
            found.append(dealloc)
    return found


def _add_helpers(
    deallocs: list[bufferization.DeallocOp], unsure: list[bufferization.DeallocOp]
) -> dict[Operation, str]:
    """Add the helper function to each symbol table that needs one; its name there."""
    helpers: dict[Operation, str] = {}
    careful = {_symbol_table_around(dealloc) for dealloc in unsure}
    for dealloc in deallocs:
        if len(dealloc.memrefs) > 1:
            table = _symbol_table_around(dealloc)
            if table is not None and table not in helpers:
                helpers[table] = add_helper(SymbolTable(table), table in careful)
    return helpers


def _symbol_table_around(op: Operation) -> Operation | None:
    around = op.parent_op
    while around is not None and not around.has_trait(tr.SYMBOL_TABLE):
        around = around.parent_op
    return around


def _lower(op: bufferization.DeallocOp, helpers: dict[Operation, str]) -> set[Operation]:
    """Put plain operations in the place of a deallocation; what was made or changed, or had something taken out of it."""
    made: list[Operation] = []
    memrefs, conditions, retained = list(op.memrefs), list(op.conditions), list(op.retained)
    builder = Builder.before(op, made.append)
    cause = Cause(CauseKind.FREED, op)
    if not memrefs:
        false = lowering.boolean(builder, False)
        results = [false] * len(retained)
    elif len(memrefs) > 1:
        table = _symbol_table_around(op)
        helper = helpers.get(table) if table is not None else None
        if helper is None:
            raise PassFailed(
                [
                    error(
                        "library function required for generic lowering, but cannot be automatically inserted "
                        "when operating on functions",
                        op.name_span,
                    ),
                    error(
                        "failed to legalize operation 'bufferization.dealloc' that was explicitly marked illegal",
                        op.name_span,
                    ),
                ],
                operation=op,
            )
        results = _call_helper(builder, memrefs, conditions, retained, helper, cause)
    elif retained:
        results = _compare_addresses(builder, memrefs[0], conditions[0], retained, cause)
    else:
        _, then, _ = lowering.choose(builder, conditions[0])
        lowering.free(then, memrefs[0], cause)
        results = []
    touched = {inner for top in made for inner in top.walk()}
    touched.update(use.owner for result in op.results for use in result.uses)
    if op.parent_op is not None:
        touched.add(op.parent_op)
    op.replace_with(results)
    return touched


def _compare_addresses(
    b: Builder, buffer: Value, condition: Value, retained: list[Value], cause: Cause
) -> list[Value]:
    """Free one buffer unless it is retained; who owns what is retained."""
    address = lowering.address(b, buffer)
    differs = [lowering.compare(b, "ne", address, lowering.address(b, other)) for other in retained]
    free = differs[0]
    for further in differs[1:]:
        free = lowering.both(b, free, further)
    _, then, _ = lowering.choose(b, lowering.both(b, free, condition))
    lowering.free(then, buffer, cause)
    true = lowering.boolean(b, True)
    return [lowering.both(b, lowering.exclusive(b, one, true), condition) for one in differs]


def _call_helper(
    b: Builder,
    memrefs: list[Value],
    conditions: list[Value],
    retained: list[Value],
    helper: str,
    cause: Cause,
) -> list[Value]:
    """Free those of several buffers that the helper function says; who owns what is retained."""
    notes = Cause(CauseKind.BOOKKEEPING, cause.op)
    buffers = lowering.array(b, len(memrefs), t.INDEX, notes)
    flags = lowering.array(b, len(conditions), t.I1, notes)
    kept = lowering.array(b, len(retained), t.INDEX, notes)
    for i, buffer in enumerate(memrefs):
        lowering.store(b, lowering.address(b, buffer), buffers, i)
    for i, condition in enumerate(conditions):
        lowering.store(b, condition, flags, i)
    for i, buffer in enumerate(retained):
        lowering.store(b, lowering.address(b, buffer), kept, i)
    given = [lowering.without_size(b, array) for array in (buffers, flags, kept)]
    to_free = lowering.array(b, len(memrefs), t.I1, notes)
    owned = lowering.array(b, len(retained), t.I1, notes)
    answers = [lowering.without_size(b, array) for array in (to_free, owned)]
    callee = a.SymbolRefAttr(helper)
    b.insert(func.CallOp([given[0], given[2], given[1], *answers], properties={"callee": callee}))
    for i, buffer in enumerate(memrefs):
        _, then, _ = lowering.choose(b, lowering.load(b, to_free, i))
        lowering.free(then, buffer, cause)
    results = [lowering.load(b, owned, i) for i in range(len(retained))]
    for array in (buffers, kept, flags, to_free, owned):
        lowering.free(b, array, notes)
    return results
