"""Buffers whose address gets to where ownership is not followed are left alone, unless the reference is to be mirrored."""

from __future__ import annotations

import pytest
from bufferize.analysis.allocations import escaping_allocations
from bufferize.dialects import bufferization, func, memref
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.defects import MLIR_22
from bufferize.ir.text.parser import parse_text
from bufferize.transforms.freeing.buffer_deallocation import BufferDeallocation
from bufferize.transforms.freeing.buffer_reuse import OptimizeAllocationLiveness
from bufferize.transforms.freeing.ownership_based_buffer_deallocation import OwnershipBasedBufferDeallocation
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import PassManager, make_pass

ESCAPES = {
    "stored in a table of the caller": """
        func.func @f(%table: memref<4xmemref<4xf32>>, %i: index) {
          %n = memref.alloc() : memref<4xf32>
          memref.store %n, %table[%i] : memref<4xmemref<4xf32>>
          return
        }""",
    "stored by way of a view": """
        func.func @f(%table: memref<memref<2xf32, strided<[1]>>>) {
          %n = memref.alloc() : memref<4xf32>
          %v = memref.subview %n[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
          memref.store %v, %table[] : memref<memref<2xf32, strided<[1]>>>
          return
        }""",
    "stored in a table that outlives the iteration": """
        func.func @f(%lb: index, %ub: index, %st: index, %o: memref<4xf32>) {
          %table = memref.alloc() : memref<memref<4xf32>>
          scf.for %i = %lb to %ub step %st {
            %n = memref.alloc() : memref<4xf32>
            memref.store %n, %table[] : memref<memref<4xf32>>
          }
          %last = memref.load %table[] : memref<memref<4xf32>>
          memref.copy %last, %o : memref<4xf32> to memref<4xf32>
          return
        }""",
    "its address is returned as a number": """
        func.func @f() -> index {
          %n = memref.alloc() : memref<4xf32>
          %p = memref.extract_aligned_pointer_as_index %n : memref<4xf32> -> index
          %c8 = arith.constant 8 : index
          %q = arith.addi %p, %c8 : index
          return %q : index
        }""",
    "its address is given to a function": """
        func.func private @keep(index)
        func.func @f() {
          %n = memref.alloc() : memref<4xf32>
          %p = memref.extract_aligned_pointer_as_index %n : memref<4xf32> -> index
          func.call @keep(%p) : (index) -> ()
          return
        }""",
    "its contents are returned as a tensor": """
        func.func @f() -> tensor<4xf32> {
          %n = memref.alloc() : memref<4xf32>
          %t = bufferization.to_tensor %n : memref<4xf32> to tensor<4xf32>
          return %t : tensor<4xf32>
        }""",
    "stored where it joins another": """
        func.func @f(%c: i1, %table: memref<memref<4xf32>>, %a: memref<4xf32>) {
          cf.cond_br %c, ^left, ^join(%a : memref<4xf32>)
        ^left:
          %n = memref.alloc() : memref<4xf32>
          cf.br ^join(%n : memref<4xf32>)
        ^join(%p: memref<4xf32>):
          memref.store %p, %table[] : memref<memref<4xf32>>
          return
        }""",
}

HARMLESS = {
    "a table of its own, used up in the same block": """
        func.func @f(%o: memref<4xf32>) {
          %table = memref.alloc() : memref<memref<4xf32>>
          %n = memref.alloc() : memref<4xf32>
          memref.store %n, %table[] : memref<memref<4xf32>>
          %m = memref.load %table[] : memref<memref<4xf32>>
          memref.copy %m, %o : memref<4xf32> to memref<4xf32>
          return
        }""",
    "addresses that are only compared": """
        func.func @f(%o: memref<4xf32>) -> i1 {
          %n = memref.alloc() : memref<4xf32>
          %p = memref.extract_aligned_pointer_as_index %n : memref<4xf32> -> index
          %q = memref.extract_aligned_pointer_as_index %o : memref<4xf32> -> index
          %same = arith.cmpi eq, %p, %q : index
          return %same : i1
        }""",
    "a tensor that is used up in the block": """
        func.func @f(%i: index) -> f32 {
          %n = memref.alloc() : memref<4xf32>
          %t = bufferization.to_tensor %n : memref<4xf32> to tensor<4xf32>
          %x = tensor.extract %t[%i] : tensor<4xf32>
          return %x : f32
        }""",
}


def _function(text: str):
    module = parse_text(text)
    return module, next(op for op in module.walk() if isinstance(op, func.FuncOp) and not op.is_declaration)


def _is_freed(module, name: str) -> bool:
    """Whether a deallocation lists the base of the allocation called `name`."""
    for op in module.walk():
        if isinstance(op, bufferization.DeallocOp):
            for listed in op.memrefs:
                metadata = listed.defining_op
                if (
                    isinstance(metadata, memref.ExtractStridedMetadataOp)
                    and metadata.source.name_hint == name
                ):
                    return True
    return False


@pytest.mark.parametrize("text", ESCAPES.values(), ids=ESCAPES)
def test_escaping_buffer_is_not_freed(text):
    module, function = _function(text)
    assert [value.name_hint for value in escaping_allocations(function)] == ["n"]
    OwnershipBasedBufferDeallocation().run(module, Context())
    assert not _is_freed(module, "n")


@pytest.mark.parametrize("text", ESCAPES.values(), ids=ESCAPES)
def test_escaping_buffer_is_freed_where_the_reference_is_mirrored(text):
    module, _ = _function(text)
    OwnershipBasedBufferDeallocation().run(module, Context(compat=MLIR_22))
    assert _is_freed(module, "n")


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_buffer_that_does_not_escape_is_freed(text):
    module, function = _function(text)
    assert not escaping_allocations(function)
    OwnershipBasedBufferDeallocation().run(module, Context())
    assert _is_freed(module, "n")


def test_what_was_loaded_from_an_own_table_is_copied_before_it_is_returned():
    text = """
        func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
          %table = memref.alloc() : memref<memref<4xf32>>
          memref.store %a, %table[] : memref<memref<4xf32>>
          %m = memref.load %table[] : memref<memref<4xf32>>
          return %m : memref<4xf32>
        }"""
    module, _ = _function(text)
    OwnershipBasedBufferDeallocation().run(module, Context())
    assert any(isinstance(op, bufferization.CloneOp) for op in module.walk())
    module, _ = _function(text)
    OwnershipBasedBufferDeallocation().run(module, Context(compat=MLIR_22))
    assert not any(isinstance(op, bufferization.CloneOp) for op in module.walk())


def test_deallocation_stays_behind_uses_of_what_an_unknown_operation_made_of_the_buffer():
    text = """
        func.func @f(%o: memref<4xf32>) {
          %n = memref.alloc() : memref<4xf32>
          %x = "foo.alias"(%n) : (memref<4xf32>) -> memref<4xf32>
          memref.copy %x, %o : memref<4xf32> to memref<4xf32>
          "foo.more"() : () -> ()
          memref.dealloc %n : memref<4xf32>
          return
        }"""
    for compat, before in (("", "memref.copy"), (MLIR_22, "foo.alias")):
        module = parse_text(text, allow_unregistered=True)
        function = next(module.regions[0].ops())
        OptimizeAllocationLiveness().run(function, Context(compat=compat))
        dealloc = next(op for op in module.walk() if isinstance(op, memref.DeallocOp))
        assert dealloc.previous_op is not None
        assert dealloc.previous_op.name == before


USED_IN_A_LATER_BLOCK = """
func.func @f(%v: f32, %c: i1, %o: memref<8xf32>) RESULT {
  %n = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%n : memref<8xf32>)
  cf.cond_br %c, ^left, ^join
^left:
  memref.copy %n, %o : memref<8xf32> to memref<8xf32>
  cf.br ^join
^join:
  %w = arith.addf %v, %v : f32
  USE
}
"""


@pytest.mark.parametrize(
    ("result", "use", "after"),
    [
        ("", "memref.copy %n, %o : memref<8xf32> to memref<8xf32>\n  return", "memref.copy"),
        ("-> memref<8xf32>", "return %n : memref<8xf32>", None),
        ("", "return", "arith.addf"),
    ],
)
def test_the_older_pass_sees_uses_in_blocks_that_do_not_make_the_buffer(result, use, after):
    module = parse_text(USED_IN_A_LATER_BLOCK.replace("RESULT", result).replace("USE", use))
    BufferDeallocation().run(next(op for op in module.walk() if op.name == "func.func"), Context())
    freed = [op for op in module.walk() if op.name == "memref.dealloc"]
    assert [op.previous_op.name for op in freed] == ([after] if after else [])


USED_BEHIND_A_BRANCH = """
func.func @main(%a: memref<4xf32>, %c: i1, %o: memref<4xf32>) {
  %r = scf.if %c -> (memref<4xf32>) {
    %n = memref.alloc() : memref<4xf32>
    memref.copy %a, %n : memref<4xf32> to memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  cf.cond_br %c, ^use, ^end
^use:
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  cf.br ^end
^end:
  return
}
"""


@pytest.mark.parametrize(("compat", "codes"), [("", []), (MLIR_22, ["use-after-free"])])
def test_results_of_operations_with_regions_live_as_long_as_other_blocks_use_them(compat, codes):
    before = parse_text(USED_BEHIND_A_BRANCH)
    after = before.clone()
    PassManager([make_pass("buffer-deallocation-pipeline")], Context(compat=compat)).run(after)
    findings = verify_module(before, after, Options(leaks=True))
    assert [finding.diagnostic.code for finding in findings if finding.diagnostic is not None] == codes
