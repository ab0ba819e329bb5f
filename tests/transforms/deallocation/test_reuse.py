"""`-buffer-reuse` behind `-buffer-deallocation-static`: how many buffers are left, and that programs compute the same."""

from __future__ import annotations

import pytest
from bufferize.benchmarks.families import branching_allocations
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.fuzz import PASS, judge
from bufferize.interpreter.heap import ARGUMENT, MemRef
from bufferize.interpreter.machine import Machine
from bufferize.interpreter.numbers import storage
from bufferize.interpreter.verify import check_leaks, functions_of
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module
from bufferize.ir.types.types import F32

REUSE, LOOPS = "-buffer-reuse", "-buffer-reuse=loops"
M = "memref<4xf32>"
BEGIN = "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"


def reused(body: str, flag: str = REUSE) -> str:
    module = parse_text(f"func.func @f(%a: {M}, %o: {M}, %c: i1, %n: index) {{\n{body}\n}}")
    transform(module, (PASS, flag), "")
    return print_module(module)


def use(buffer: str) -> str:
    return f"memref.copy %a, {buffer} : {M} to {M}\n  memref.copy {buffer}, %o : {M} to {M}"


@pytest.mark.parametrize(
    ("body", "allocations", "frees"),
    [
        (f"%x = memref.alloc() : {M}\n {use('%x')}\n %y = memref.alloc() : {M}\n {use('%y')}\n return", 1, 1),
        (
            f"%x = memref.alloc() : {M}\n {use('%x')}\n cf.cond_br %c, ^l, ^r\n"
            f"^l:\n %y = memref.alloc() : {M}\n {use('%y')}\n cf.br ^end\n"
            f"^r:\n %z = memref.alloc() : {M}\n {use('%z')}\n cf.br ^end\n^end:\n return",
            1,
            2,
        ),
        (
            f"%x = memref.alloc() : {M}\n {use('%x')}\n cf.cond_br %c, ^l, ^r\n"
            f"^l:\n %y = memref.alloc() : {M}\n {use('%y')}\n cf.br ^end\n^r:\n cf.br ^end\n^end:\n return",
            1,
            2,
        ),
        (
            f"%x = memref.alloc() : {M}\n {use('%x')}\n %big = memref.alloc() : memref<400xf32>\n"
            f" %y = memref.alloc() : {M}\n {use('%y')}\n return",
            3,
            3,
        ),
    ],
    ids=["in a block", "on both ways", "on one way", "not while others are allocated"],
)
def test_a_freed_buffer_serves_as_the_next_one(body, allocations, frees):
    text = reused(body)
    assert (text.count("memref.alloc("), text.count("memref.dealloc")) == (allocations, frees)


def test_diamonds_that_each_make_a_buffer_make_one():
    module = parse_text(branching_allocations(80))
    transform(module, (PASS, REUSE), "")
    assert print_module(module).count("memref.alloc(") == 1


def test_a_buffer_that_each_iteration_makes_is_made_before_the_loop():
    body = (
        f"{BEGIN} scf.for %i = %c0 to %n step %c1 {{\n %x = memref.alloc() : {M}\n {use('%x')}\n }}\n return"
    )
    assert reused(body).index("scf.for") < reused(body).index("memref.alloc(")
    text = reused(body, LOOPS)
    assert (
        text.index("memref.alloc(") < text.index("scf.for") < text.index("}") < text.index("memref.dealloc")
    )


def test_what_runs_at_once_keeps_buffers_of_its_own():
    body = f"{BEGIN} scf.parallel (%i) = (%c0) to (%n) step (%c1) {{\n %x = memref.alloc() : {M}\n {use('%x')}\n }}\n return"
    text = reused(body, LOOPS)
    assert text.index("scf.parallel") < text.index("memref.alloc(")


TURNS = f"""{BEGIN}
  %m = memref.alloc() : {M}
  memref.copy %a, %m : {M} to {M}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m) -> ({M}) {{
    %k = memref.alloc() : {M}
    linalg.add ins(%x, %x : {M}, {M}) outs(%k : {M})
    scf.yield %k : {M}
  }}
  memref.copy %r, %o : {M} to {M}
  return"""


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_two_buffers_take_turns(count):
    text = reused(TURNS, LOOPS)
    assert text.count("memref.alloc(") == 2
    assert text.rindex("memref.alloc(") < text.index("scf.for")
    module = parse_text(text)
    machine = Machine(module)
    ones, out = (MemRef(machine.heap.new(storage(F32), 4, ARGUMENT), 0, (4,), (1,)) for _ in range(2))
    ones.buffer.data[...] = 1
    ones.buffer.valid[...] = True
    machine.call(functions_of(module)[0], [ones, out, True, count])
    assert out.buffer.data.tolist() == [2**count] * 4
    check_leaks(machine, [], "f")


@pytest.mark.parametrize("flag", [REUSE, LOOPS])
@pytest.mark.parametrize("seed", range(100, 110))
def test_reuse_keeps_what_a_program_computes(seed, flag):
    outcome = judge(seed, transform, (PASS, flag), watch=False)
    assert outcome.failure is None, outcome.failure
