"""Leaks on paths: random branching programs against the definition, read off every path; and what deallocation leaves."""

import random
from itertools import pairwise

import pytest
from bufferize.analysis.freeing.leaks import Leaks
from bufferize.ir.program.interfaces import FunctionOp
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.transforms.pass_base import Context
from bufferize.transforms.pass_manager import PassManager, parse_pipeline


def functions(text):
    module = parse_source(Source("test.mlir", text), allow_unregistered=True)
    return module, [op for op in module.walk() if isinstance(op, FunctionOp) and not op.body.is_empty]


def random_blocks(seed, count=7):
    """A branching program without cycles: block 0 allocates, some others free, each branch has a condition of its own."""
    draw = random.Random(seed)
    successors = {}
    for block in range(count):
        later = range(block + 1, count)
        successors[block] = draw.sample(later, min(len(later), draw.choice((1, 2, 2))))
    frees = {block for block in range(1, count) if draw.random() < 0.35}
    conditions = ", ".join(f"%c{block}: i1" for block in range(count))
    lines = [f"func.func @f({conditions}) {{", "  %a = memref.alloc() : memref<4xf32>"]
    for block, targets in successors.items():
        if block:
            lines.append(f"^bb{block}:")
        if block in frees:
            lines.append("  memref.dealloc %a : memref<4xf32>")
        if len(targets) == 2:
            lines.append(f"  cf.cond_br %c{block}, ^bb{targets[0]}, ^bb{targets[1]}")
        else:
            lines.append(f"  cf.br ^bb{targets[0]}" if targets else "  return")
    return "\n".join([*lines, "}"]), successors, frees


def lost_at(successors, frees):
    """The branches (block, way) on paths that do not free the buffer, by looking at all paths; none if no path frees it."""
    paths, waiting = [], [(0,)]
    while waiting:
        path = waiting.pop()
        following = successors[path[-1]]
        waiting += [(*path, block) for block in following]
        if not following:
            paths.append(path)
    losing = [path for path in paths if not frees.intersection(path)]
    return {
        (block, successors[block].index(following))
        for path in losing
        if len(losing) < len(paths)
        for block, following in pairwise(path)
        if len(successors[block]) > 1
    }


@pytest.mark.parametrize("seed", range(150))
def test_a_buffer_is_lost_where_all_paths_say_so(seed):
    text, successors, frees = random_blocks(seed)
    _, (function,) = functions(text)
    found = {
        (int(leak.where[-1].value.name_hint[1:]), leak.where[-1].way)
        for leak in Leaks([function]).on_some_paths()
    }
    expected = lost_at(successors, frees)
    assert found <= expected
    assert bool(found) == bool(expected)  # each allocation is reported once


def test_random_programs_lose_buffers_and_do_not():
    outcomes = [bool(lost_at(*random_blocks(seed)[1:])) for seed in range(150)]
    assert 20 < sum(outcomes) < 130


BRANCHES = """
func.func @f(%c: i1, %n: index, %m: memref<?xf32>) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.if %c -> (memref<?xf32>) {
    %b = memref.alloc(%n) : memref<?xf32>
    scf.yield %b : memref<?xf32>
  } else {
    scf.yield %m : memref<?xf32>
  }

  cf.cond_br %c, ^one(%a : memref<?xf32>), ^other
^one(%x: memref<?xf32>):
  return %x : memref<?xf32>
^other:
  %e = memref.alloc(%n) : memref<?xf32>
  return %e : memref<?xf32>
}
"""


@pytest.mark.parametrize("pipeline", ["ownership-based-buffer-deallocation", "buffer-deallocation-pipeline"])
def test_deallocation_leaves_no_leak_on_a_path(pipeline):
    module, _ = functions(BRANCHES)
    PassManager([parse_pipeline(pipeline)], Context()).run(module)
    (function,) = (op for op in module.walk() if isinstance(op, FunctionOp) and op.symbol_name == "f")
    assert Leaks([function]).on_some_paths() == []
    assert Leaks([function]).never() == []


@pytest.mark.parametrize(("body", "is_lost"), [("memref.dealloc %a : memref<4xf32>", False), ("", True)])
def test_what_a_function_frees_that_is_called_is_not_lost(body, is_lost):
    module, _ = functions(
        f"""
        func.func private @take(%a: memref<4xf32>) {{
          {body}
          return
        }}
        func.func @f() {{
          %a = memref.alloc() : memref<4xf32>
          call @take(%a) : (memref<4xf32>) -> ()
          return
        }}"""
    )
    found = Leaks([op for op in module.walk() if isinstance(op, FunctionOp)]).never()
    assert bool(found) == is_lost
