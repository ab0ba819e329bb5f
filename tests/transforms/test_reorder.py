"""Blocks of programs on buffers in an order with a lower peak: they compute the same."""

import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.fuzz import read
from bufferize.interpreter.generate import memref_program
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.text.printer import print_module

TWICE = """
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  %i = arith.constant 2 : index
  %u = memref.load %a[%i] : memref<8xf32>
  %v = memref.load %b[%i] : memref<8xf32>
  %w = arith.addf %u, %v : f32
  memref.store %w, %y[%i] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}
"""


def test_buffers_are_used_one_after_the_other():
    module = read(TWICE, "test")
    transform(module, ("-plan-memory=reorder mark=lives",), "")
    assert "memref<32xi8>" in print_module(module)
    for finding in verify_module(read(TWICE, "test"), module, Options(inputs=3, leaks=True)):
        assert finding.runs and not finding.failed


def test_a_write_to_what_is_read_keeps_its_place():
    text = TWICE.replace(
        "  %b = memref.alloc()", "  memref.store %f, %x[%i] : memref<8xf32>\n  %b = memref.alloc()"
    ).replace("%y: memref<8xf32>)", "%y: memref<8xf32>, %f: f32)")
    text = text.replace("  %i = arith.constant 2 : index\n", "").replace(
        "  %a = memref.alloc", "  %i = arith.constant 2 : index\n  %a = memref.alloc"
    )
    module = read(text, "test")
    transform(module, ("-plan-memory=reorder mark=lives",), "")
    for finding in verify_module(read(text, "test"), module, Options(inputs=3, leaks=True)):
        assert finding.runs and not finding.failed


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_compute_the_same(seed):
    text = memref_program(seed)
    before, after = read(text, "generated"), read(text, "generated")
    transform(before, ("-buffer-deallocation-pipeline",), "")
    transform(after, ("-buffer-deallocation-pipeline", "-plan-memory=reorder mark=lives"), "")
    for finding in verify_module(before, after, Options(inputs=2)):
        assert not finding.failed, finding.diagnostic
