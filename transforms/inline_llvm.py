"""The rules of the `llvm` dialect for `-inline`: which `llvm.call` is inlined, and what happens to stack memory.

A constant-size `llvm.alloca` of the callee's entry block moves to the entry of the function around the call, where
the code generator expects it, and lifetime markers keep its scope:

    ^loop: llvm.call @f()    =>    %m = llvm.alloca %c4 x f32               (entry of the caller)
                                   ^loop: llvm.intr.lifetime.start %m
                                   ... llvm.intr.lifetime.end %m

Other allocas would grow the stack with each call of a loop; `llvm.intr.stacksave` and `stackrestore` enclose them.

Alias scopes of the callee hold for one call, so inlined operations lose them: two copies of the body would otherwise
promise more than the program does. What a `noalias` parameter promises is not turned into scopes either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..dialects import llvm
from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, Value
from ..ir.source.diagnostics import expect, present
from ..ir.types import attributes as a
from ..semantics.folds import constant_of

KEEPS_CALLS: Final = frozenset(["noduplicate", "presplitcoroutine", "returns_twice", "strictfp"])
"""`passthrough` attributes of functions that are not inlined."""

NEEDS_A_COPY: Final = ("llvm.byval", "llvm.inalloca")
"""Parameters whose memory is made by the call."""

NOT_INLINED: Final = ("llvm.intr.vastart", "llvm.blocktag")
SCOPES: Final = ("alias_scopes", "noalias_scopes")


def refuses(call: Operation, callee: Operation) -> bool:
    """Whether this `llvm.call` of a function has to remain. O(parameters + operations of the callee)."""
    if not isinstance(callee, llvm.FuncOp) or callee.get_attr("personality") is not None:
        return True
    _, inputs = llvm.signature_parts(expect(a.TypeAttr, callee.properties["function_type"]).type)
    if inputs and inputs[-1] == llvm.ELLIPSIS:
        return True
    parameters, words = callee.get_attr("arg_attrs"), callee.get_attr("passthrough")
    for entry in parameters.elements if isinstance(parameters, a.ArrayAttr) else ():
        if isinstance(entry, a.DictionaryAttr) and any(name in NEEDS_A_COPY for name, _ in entry.items()):
            return True
    if isinstance(words, a.ArrayAttr):
        names = (word.value for word in words.elements if isinstance(word, a.StringAttr))
        if not KEEPS_CALLS.isdisjoint(names):
            return True
    return any(
        op.name in NOT_INLINED or (op.name == "llvm.return" and op.operand_types != call.result_types)
        for block in callee.regions[0]
        for op in block
    )


def drop_scopes(blocks: Iterable[Block]) -> None:
    """Remove alias scopes and their declarations. O(operations)."""
    for op in [op for block in blocks for op in block]:
        for inner in op.walk():
            for name in SCOPES:
                inner.properties.pop(name, None)
                inner.attributes.pop(name, None)
        if op.name == "llvm.intr.experimental.noalias.scope.decl":
            op.erase()


def move_allocas(call: Operation, blocks: Sequence[Block]) -> None:
    """Move constant-size allocas of the inlined `blocks` to the entry of the caller, and restore the stack after others.

    Nested allocas stay: they may run conditionally. O(operations of the blocks).
    """
    entry = _entry_around(call)
    first = blocks[0]
    if entry is None:
        return
    moved: list[tuple[llvm.AllocaOp, a.IntegerAttr, bool]] = []
    dynamic = any(_is_dynamic(op) for block in blocks for op in block)
    for op in first:
        if isinstance(op, llvm.AllocaOp):
            size = constant_of(op.array_size)
            if isinstance(size, a.IntegerAttr):
                moved.append((op, size, size.value != 0 and not _has_lifetime(op)))
    save = llvm.StackSaveOp(result_types=(llvm.POINTER,), where=call.where, location=call.location)
    if dynamic:
        first.insert_before(save, present(first.first_op))
    anchor = present(entry.first_op)
    for op, size, marked in moved:
        value = llvm.ConstantOp((), (op.array_size.type,), None, {"value": size}, where=op.where)
        entry.insert_before(value, anchor)
        if marked:
            first.insert_before(llvm.LifetimeStartOp(op.results, where=op.where), op)
        op.move_after(value)
        op.op_operands[0].value = value.results[0]
    for block in blocks:
        last = present(block.last_op)
        if not last.has_trait(tr.RETURN_LIKE):
            continue
        if dynamic:
            block.insert_before(llvm.StackRestoreOp(save.results, where=call.where), last)
        for op, _, marked in moved:
            if marked:
                block.insert_before(llvm.LifetimeEndOp(op.results, where=op.where), last)


def _entry_around(call: Operation) -> Block | None:
    """The entry of the allocation scope around a call; None if the call is in it."""
    inner = call
    while (around := inner.parent_op) is not None:
        if around.has_trait(tr.ISOLATED_FROM_ABOVE) or around.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE):
            return present(inner.parent_region).entry
        inner = around
    return None


def _is_dynamic(op: Operation) -> bool:
    return isinstance(op, llvm.AllocaOp) and not isinstance(constant_of(op.array_size), a.IntegerAttr)


def _has_lifetime(op: llvm.AllocaOp) -> bool:
    """Whether a lifetime marker uses an alloca, directly or through bitcasts."""
    waiting: list[Value] = list(op.results)
    while waiting:
        for use in waiting.pop().uses:
            if use.owner.name in ("llvm.intr.lifetime.start", "llvm.intr.lifetime.end"):
                return True
            if use.owner.name == "llvm.bitcast":
                waiting.extend(use.owner.results)
    return False
