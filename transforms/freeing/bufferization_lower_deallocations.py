"""`-bufferization-lower-deallocations`: lowers `bufferization.dealloc` to address comparisons and frees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from ...analysis.causes import Cause, CauseKind
from ...analysis.graphs import block_graph
from ...analysis.origins import OriginGroup, Origins
from ...dialects import arith, bufferization, func, memref, scf
from ...ir.defects import LATER_NAMES
from ...ir.program import traits as tr
from ...ir.program.builder import Builder
from ...ir.program.core import Block, Operation, Value
from ...ir.program.interfaces import FunctionOp
from ...ir.program.symbols import SymbolTable
from ...ir.source.diagnostics import PassFailed, error, expect, remark
from ...ir.source.locations import Source
from ...ir.text.parser import DocumentParser
from ...ir.text.registry import default_registry
from ...ir.types import attributes as a, types as t
from ...semantics.folds import Folded, fold, materialize_all
from .. import makers
from ..pass_base import Context, Pass
from ..patterns.bufferization import known

# Operations that lowered deallocations are made of, inserted where a builder stands.

Size = Value | int


def both(b: Builder, left: Value, right: Value) -> Value:
    return makers.binary(b, arith.AndIOp, left, right)


def exclusive(b: Builder, left: Value, right: Value) -> Value:
    return makers.binary(b, arith.XOrIOp, left, right)


def compare(b: Builder, predicate: str, left: Value, right: Value) -> Value:
    """`arith.cmpi` on integers or indices."""
    number = a.IntegerAttr(arith.INTEGER_PREDICATES.index(predicate), t.I64)
    return b.insert(arith.CmpIOp.build(predicate=number, lhs=left, rhs=right, result=t.I1)).the_result


def address(b: Builder, buffer: Value) -> Value:
    """The address of the first aligned element of a memref, as an index."""
    extract = memref.ExtractAlignedPointerAsIndexOp.build(source=buffer, aligned_pointer=t.INDEX)
    return b.insert(extract).the_result


def array(b: Builder, size: int, element: t.Type, cause: Cause) -> Value:
    """A new buffer of rank 1."""
    return b.insert(makers.alloc(t.MemRefType((size,), element), (), 0, cause)).the_result


def without_size(b: Builder, buffer: Value) -> Value:
    """A buffer of rank 1 as one of unknown size."""
    type = expect(t.MemRefType, buffer.type)
    return b.insert(memref.CastOp.build(source=buffer, dest=type.with_shape((None,)))).the_result


def load(b: Builder, buffer: Value, at: int) -> Value:
    """An element of a buffer of rank 1."""
    return b.insert(makers.load(buffer, (makers.index(b, at),))).the_result


def store(b: Builder, value: Value, buffer: Value, at: int) -> None:
    """Set an element of a buffer of rank 1."""
    b.insert(makers.store(value, buffer, (makers.index(b, at),)))


def free(b: Builder, buffer: Value, cause: Cause) -> None:
    b.insert(makers.free(buffer, cause))


def choose(b: Builder, condition: Value, types: Sequence[t.Type] = ()) -> tuple[scf.IfOp, Builder, Builder]:
    """An `scf.if` with builders for both sides, which the caller ends with `yields`.

    Without results there is no other side: the second builder is of no use, and the first side ends already.
    """
    op = b.insert(scf.IfOp([condition], types, regions=2))
    then = op.regions[0].append(Block())
    first = Builder.at_end(then, b.where)
    if not types:
        yields(first, [])
        first.move_to_start(then)
        return op, first, first
    return op, first, Builder.at_end(op.regions[1].append(Block()), b.where)


def yields(b: Builder, values: Sequence[Value]) -> None:
    b.insert(scf.YieldOp(values))


# Folding what a conversion has no opinion about, as MLIR's conversion driver does before it tries patterns.
#
# A conversion declares some dialects legal and some operations illegal. Every other operation is folded where it stands,
# once, in textual order: it sees its operands as they were, not what they were folded to, because replacements take effect
# only at the end. (So `affine.apply` of constants becomes a constant, and what used it keeps its form.) Constants that a fold
# makes have to be legal themselves, or the operation keeps its form.


def fold_unconverted(root: Operation, has_opinion: Callable[[Operation], bool]) -> set[Operation]:
    """Fold the operations inside `root`, in reachable blocks, for which `has_opinion` does not hold. O(operations).

    Returns what was inserted or changed, or had something taken out of it.
    """
    touched: set[Operation] = set()
    replaced: dict[Value, Value] = {}
    folded: list[Operation] = []
    for op in list(_reachable(root)):
        if has_opinion(op) or op.has_trait(tr.CONSTANT_LIKE):
            continue
        found = fold(op)
        if found is None:
            continue
        touched.add(op)
        values = _folded(op, found, has_opinion, touched)
        if values is not None:
            values = [_final(value, replaced) for value in values]
            if any(value.defining_op is op for value in values):
                continue  # in a graph region, operations may fold to each other
            replaced.update(zip(op.results, values, strict=True))
            folded.append(op)
    for op in reversed(folded):
        touched.discard(op)
        if op.parent_op is not None:
            touched.add(op.parent_op)
        touched.update(use.owner for result in op.results for use in result.uses)
        op.replace_with([_final(result, replaced) for result in op.results])
    return touched


def _folded(
    op: Operation, found: Folded, is_legal: Callable[[Operation], bool], made: set[Operation]
) -> list[Value] | None:
    """The values that the results of `op` fold to, given what a fold `found`; None if `op` is only changed in place."""
    while found is not None and not found:
        found = fold(op)
    if found is None:
        return None
    known = materialize_all(op, found)
    if known is None:
        return None
    values, constants = known
    if not all(map(is_legal, constants)):
        return None
    builder = Builder.before(op)
    for constant in constants:
        made.add(builder.insert(constant))
    return values


def _final(value: Value, replaced: dict[Value, Value]) -> Value:
    while value in replaced:
        value = replaced[value]
    return value


def _reachable(root: Operation) -> Iterator[Operation]:
    """The operations in reachable blocks, outer ones first."""
    stack = [_directly_inside(root)]
    while stack:
        op = next(stack[-1], None)
        if op is None:
            stack.pop()
        else:
            yield op
            if op.regions:
                stack.append(_directly_inside(op))


def _directly_inside(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        for block in block_graph(region).reachable:
            yield from block


# The helper function of lowered deallocations of several buffers: which of them to free, and which retained ones are owned.
#
# It compares addresses: a buffer is freed if its condition holds, and no retained buffer and no earlier listed one has its
# address. A retained buffer is owned if a listed buffer with its address has a condition that holds.
#
# If a buffer may be listed twice, and only its second condition holds, only earlier listed buffers *whose condition holds* count:
# the careful form of the function checks that condition as well.

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
        if isinstance(op, (memref.LoadOp, memref.StoreOp)):
            op.properties.update(makers.access_defaults())
    return function


def add_helper(table: SymbolTable, careful: bool) -> str:
    """Add the function, in its plain or careful form, at the end of a symbol table. Returns its name."""
    return table.insert(_definition(careful).clone())


LEGAL = ("arith", "func", "memref", "scf")
"""Dialects whose operations are legal; others are folded meanwhile, as by mlir-opt."""


class BufferizationLowerDeallocations(Pass):
    """Lower deallocations: free each buffer whose address differs from those of all retained buffers.

        %owned = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%r : memref<4xf32>)
     => %differs = arith.cmpi ne, (address of %m), (address of %r) : index
        %free = arith.andi %differs, %c : i1
        scf.if %free { memref.dealloc %m : memref<4xf32> }
        %owned = arith.andi (not %differs), %c : i1

    Deallocations of several buffers call a helper function, which is added to the enclosing symbol table. No
    `bufferization.dealloc` remains. O(operations + operands of deallocations).

    If a deallocation lists two aliases of one buffer, either condition frees it. mlir-opt 22 checks only the
    first condition, and leaks what only the second one owns. Where that may happen, another helper function
    is used, and a remark says so; `--compat=mlir-22` reproduces the leak. It cannot happen for deallocations
    inserted by ownership-based deallocation in the same run, which gives all retained aliases the same owner.
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
    """The deallocations whose aliases may have different owners. O(deallocations)."""
    if not context.ownership_agrees:
        return deallocs
    return [
        dealloc for dealloc in deallocs if dealloc.parent_of_type(FunctionOp) not in context.ownership_agrees
    ]


LEAK = "two of these may be one buffer that only the later owns; it is freed then, while mlir-opt 22 would leak it"


def may_be_freed_by_a_later_name(
    root: Operation, deallocs: list[bufferization.DeallocOp]
) -> list[bufferization.DeallocOp]:
    """The deallocations in which a buffer may be listed twice, first with a false condition, then with a true one.

    A superset: excluded are only equal conditions, true first conditions, and buffers of different origins. O(operands), plus the
    origins of all memrefs once.
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
    """Add the helper function to each symbol table that needs one. Returns its name in each."""
    helpers: dict[Operation, str] = {}
    careful = {_symbol_table_around(dealloc) for dealloc in unsure}
    for dealloc in deallocs:
        if len(dealloc.memrefs) > 1:
            table = _symbol_table_around(dealloc)
            if table is not None and table not in helpers:
                helpers[table] = add_helper(SymbolTable(table), table in careful)
    return helpers


def _symbol_table_around(op: Operation) -> Operation | None:
    return next((around for around in op.ancestors() if around.has_trait(tr.SYMBOL_TABLE)), None)


def _lower(op: bufferization.DeallocOp, helpers: dict[Operation, str]) -> set[Operation]:
    """Lower a deallocation. Returns the operations that were inserted or changed."""
    made: list[Operation] = []
    memrefs, conditions, retained = list(op.memrefs), list(op.conditions), list(op.retained)
    builder = Builder.before(op, made.append)
    cause = Cause(CauseKind.FREED, op)
    if not memrefs:
        false = makers.boolean(builder, False)
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
        _, then, _ = choose(builder, conditions[0])
        free(then, memrefs[0], cause)
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
    """Free one buffer unless it is retained. Returns the ownership of the retained buffers."""
    freed = address(b, buffer)
    differs = [compare(b, "ne", freed, address(b, other)) for other in retained]
    unretained = differs[0]
    for further in differs[1:]:
        unretained = both(b, unretained, further)
    _, then, _ = choose(b, both(b, unretained, condition))
    free(then, buffer, cause)
    true = makers.boolean(b, True)
    return [both(b, exclusive(b, one, true), condition) for one in differs]


def _call_helper(
    b: Builder,
    memrefs: list[Value],
    conditions: list[Value],
    retained: list[Value],
    helper: str,
    cause: Cause,
) -> list[Value]:
    """Free several buffers according to the helper function. Returns the ownership of the retained buffers."""
    notes = Cause(CauseKind.BOOKKEEPING, cause.op)
    buffers = array(b, len(memrefs), t.INDEX, notes)
    flags = array(b, len(conditions), t.I1, notes)
    kept = array(b, len(retained), t.INDEX, notes)
    for i, buffer in enumerate(memrefs):
        store(b, address(b, buffer), buffers, i)
    for i, condition in enumerate(conditions):
        store(b, condition, flags, i)
    for i, buffer in enumerate(retained):
        store(b, address(b, buffer), kept, i)
    arguments = [without_size(b, sized) for sized in (buffers, flags, kept)]
    to_free = array(b, len(memrefs), t.I1, notes)
    owned = array(b, len(retained), t.I1, notes)
    answers = [without_size(b, sized) for sized in (to_free, owned)]
    callee = a.SymbolRefAttr(helper)
    b.insert(func.CallOp([arguments[0], arguments[2], arguments[1], *answers], properties={"callee": callee}))
    for i, buffer in enumerate(memrefs):
        _, then, _ = choose(b, load(b, to_free, i))
        free(then, buffer, cause)
    results = [load(b, owned, i) for i in range(len(retained))]
    for temporary in (buffers, kept, flags, to_free, owned):
        free(b, temporary, notes)
    return results
