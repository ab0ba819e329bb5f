"""Deallocation of programs on which the reference takes exponential time ends, and frees each buffer once."""

from __future__ import annotations

from bufferize.dialects import bufferization, memref
from bufferize.ir.text.parser import parse_text
from bufferize.ir.verifier import verify
from bufferize.transforms.freeing.buffer_deallocation_simplification import BufferDeallocationSimplification
from bufferize.transforms.freeing.ownership_based_buffer_deallocation import OwnershipBasedBufferDeallocation
from bufferize.transforms.pass_base import Context

M = "memref<4xf32>"


def _branches(count: int) -> str:
    """`count` branches that follow one another, each of which may replace the buffer by a new one."""
    lines = [f"func.func @f(%o: {M}, %c: i1) {{", f"  %x = memref.alloc() : {M}", f"  cf.br ^join0(%x : {M})"]
    for i in range(count):
        lines += [
            f"^join{i}(%p{i}: {M}):",
            f"  cf.cond_br %c, ^new{i}, ^join{i + 1}(%p{i} : {M})",
            f"^new{i}:",
            f"  %n{i} = memref.alloc() : {M}",
            f"  memref.copy %p{i}, %n{i} : {M} to {M}",
            f"  cf.br ^join{i + 1}(%n{i} : {M})",
        ]
    lines += [f"^join{count}(%p{count}: {M}):", f"  memref.copy %p{count}, %o : {M} to {M}", "  return", "}"]
    return "\n".join(lines)


def test_many_branches_that_follow_one_another():
    module = parse_text(_branches(60))
    OwnershipBasedBufferDeallocation().run(module, Context())
    verify(module)
    BufferDeallocationSimplification().run(module, Context())
    verify(module)


def test_many_allocations_in_a_row_are_freed_one_by_one():
    count = 100
    text = "\n".join(
        f"  %n{i} = memref.alloc() : {M}\n  memref.copy %n{i}, %o : {M} to {M}" for i in range(count)
    )
    module = parse_text(f"func.func @f(%o: {M}) {{\n{text}\n  return\n}}")
    OwnershipBasedBufferDeallocation().run(module, Context())
    BufferDeallocationSimplification().run(module, Context())
    verify(module)
    deallocs = [op for op in module.walk() if isinstance(op, bufferization.DeallocOp)]
    freed = [value for op in deallocs for value in op.memrefs]
    assert all(len(op.memrefs) == 1 for op in deallocs)
    assert len(freed) == count
    assert {value.defining_op for value in freed} == {
        op for op in module.walk() if isinstance(op, memref.AllocOp)
    }


def test_deeply_nested_regions():
    depth = 400
    text = "".join("scf.execute_region {\n" for _ in range(depth))
    text += f"%n = memref.alloc() : {M}\nmemref.copy %n, %o : {M} to {M}\n" + "scf.yield\n}\n" * depth
    module = parse_text(f"func.func @f(%o: {M}) {{\n{text}return\n}}")
    OwnershipBasedBufferDeallocation().run(module, Context())
    verify(module)
