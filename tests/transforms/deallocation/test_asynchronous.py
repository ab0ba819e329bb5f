"""`-buffer-deallocation-static` beside what still runs: a buffer is freed behind the wait for what it was given to."""

from __future__ import annotations

import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module

M = "memref<4xf32>"
EXECUTE = f"""
  %n = memref.alloc() : {M}
  %t = "async.execute"() <{{operandSegmentSizes = array<i32: 0, 0>}}> ({{
    memref.copy %a, %n : {M} to {M}
    "async.yield"() : () -> ()
  }}) : () -> !async.token"""
AWAIT = '\n  "async.await"(%t) : (!async.token) -> ()'
GPU = f"""
  %s = gpu.wait async
  %n, %u = gpu.alloc async [%s] () : {M}
  %t = "gpu.memcpy"(%u, %n, %a) : (!gpu.async.token, {M}, {M}) -> !gpu.async.token
  %w = gpu.wait async [%t]"""


def freed(body: str) -> list[str]:
    module = parse_text(f"func.func @f(%a: {M}, %o: {M}) {{{body}\n  return\n}}")
    transform(module, ("-buffer-deallocation-static",), "")
    return [line.strip() for line in print_module(module).splitlines()]


@pytest.mark.parametrize(
    ("body", "wait", "free"),
    [
        (EXECUTE + AWAIT, "async.await", "memref.dealloc"),
        (GPU.replace("async [%t]", "[%t]").replace("%w = ", ""), "gpu.wait [", "gpu.dealloc"),
        (GPU + "\n  gpu.wait [%w]", "gpu.wait [", "gpu.dealloc"),
    ],
    ids=["async.execute", "gpu", "gpu, in turn"],
)
def test_a_buffer_is_freed_behind_the_wait_for_what_uses_it(body, wait, free):
    text = freed(body)
    (at,) = [i for i, line in enumerate(text) if line.startswith(free)]
    assert text[at - 1].startswith(wait)


def test_what_is_behind_something_that_runs_besides_is_freed_too():
    text = freed(EXECUTE + AWAIT + f"\n  %m = memref.alloc() : {M}\n  memref.copy %m, %o : {M} to {M}")
    assert sum(line.startswith("memref.dealloc") for line in text) == 2


def test_what_comes_out_of_a_parallel_loop_may_be_what_was_around_it():
    text = freed(f"""
  %n = memref.alloc() : {M}
  %r = affine.parallel (%i) = (0) to (8) reduce ("assign") -> ({M}) {{
    memref.copy %a, %n : {M} to {M}
    affine.yield %n : {M}
  }}
  memref.copy %r, %o : {M} to {M}""")
    assert any("arith.cmpi eq" in line for line in text)  # whether %r is %n is asked of their addresses
    assert any(line.startswith("memref.dealloc") for line in text)


def test_what_an_unknown_region_gives_out_is_left_alone():
    text = freed(f"""
  %t, %v = "async.execute"() <{{operandSegmentSizes = array<i32: 0, 0>}}> ({{
    %n = memref.alloc() : {M}
    "async.yield"(%n) : ({M}) -> ()
  }}) : () -> (!async.token, !async.value<{M}>)""")
    assert not any(line.startswith("memref.dealloc") for line in text)


TRANSFER = f"""
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloc() : memref<1xi32>
  %n = memref.alloc() : {M}
  memref.copy %a, %n : {M} to {M}
  memref.dma_start %n[%c0], %o[%c0], %c4, %tag[%c0] : {M}, {M}, memref<1xi32>"""
WAIT = "\n  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>"


@pytest.mark.parametrize(
    ("wait", "frees"),
    [
        (WAIT, 2),
        (f"\n  scf.execute_region {{{WAIT}\n  scf.yield\n  }}", 0),  # nobody says that it runs
        ("", 0),
        (f"\n  memref.copy %a, %o : {M} to {M}" + WAIT + WAIT, 2),
    ],
    ids=["waited for", "waited for elsewhere", "never waited for", "later"],
)
def test_what_a_transfer_moves_stays_until_somebody_waits_for_sure(wait, frees):
    text = freed(TRANSFER + wait)
    at = [i for i, line in enumerate(text) if line.startswith("memref.dealloc")]
    waits = [i for i, line in enumerate(text) if line.startswith("memref.dma_wait")]
    assert len(at) == frees and all(i > waits[0] for i in at)
