"""Orders with a lower peak: as low as trying all orders finds, and programs that compute the same."""

from itertools import permutations

import pytest
from bufferize.analysis.memory_plan.order import Tasks, _greedy, better_order, peak_of
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.fuzz import read
from bufferize.interpreter.generate_memory import memref_program
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.text.printer import print_module
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

QUIET = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def task_graphs(draw):
    count = draw(st.integers(1, 6))
    sizes = draw(st.lists(st.integers(1, 9), min_size=1, max_size=4))
    before = [draw(st.lists(st.integers(0, i - 1), max_size=2)) if i else [] for i in range(count)]
    uses = [draw(st.lists(st.integers(0, len(sizes) - 1), max_size=2, unique=True)) for _ in range(count)]
    return Tasks(before, uses, sizes)


def is_allowed(tasks, order):
    at = {task: i for i, task in enumerate(order)}
    return all(at[other] < at[task] for task, before in enumerate(tasks.before) for other in before)


@settings(QUIET)
@given(task_graphs())
def test_the_order_found_is_the_best_of_all(tasks):
    count = len(tasks.before)
    best = min(peak_of(tasks, order) for order in permutations(range(count)) if is_allowed(tasks, order))
    found = better_order(tasks)
    if found is None:
        assert peak_of(tasks, range(count)) == best
    else:
        assert is_allowed(tasks, found)
        assert peak_of(tasks, found) == best < peak_of(tasks, range(count))


@settings(QUIET)
@given(task_graphs())
def test_the_greedy_order_is_an_order(tasks):
    order = _greedy(tasks)
    assert sorted(order) == list(range(len(tasks.before))) and is_allowed(tasks, order)


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
