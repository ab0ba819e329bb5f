"""The analyses that come with the project, on small programs with what must be true of them."""

import itertools
import random

import pytest
from bufferize import parse
from bufferize.analysis.dataflow import Solver, flow_graph, solve
from bufferize.analysis.dataflow.clients import LiveValues, MayView, ReachingDefinitions, UninitializedReads
from bufferize.analysis.dataflow.framework import shown
from bufferize.analysis.dataflow.integer_ranges import IntegerRanges, Reachability, range_of_result
from bufferize.analysis.freeing.leaks import HeldAllocations


def ranges(text):
    solution = solve(parse(text), IntegerRanges())
    return {shown(v): state for v, state in solution.states.items() if solution.analysis.concerns(v)}


LOOPS = """func.func @f(%n: index, %t: tensor<8x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %t, %c0 : tensor<8x?xf32>
  %r = scf.for %i = %c0 to %d step %c1 iter_args(%a = %c0) -> index {
    affine.for %j = 2 to 6 {
      %x = arith.muli %i, %c3 : index
      %y = affine.min affine_map<(d0) -> (d0 mod 4, 2)>(%j)
    }
    %b = arith.maxsi %a, %i : index
    scf.yield %b : index
  }
  cf.br ^head(%c0 : index)
^head(%k: index):
  %less = arith.cmpi slt, %k, %c3 : index
  cf.cond_br %less, ^body(%k : index), ^end(%k : index)
^body(%in: index):
  %next = arith.addi %in, %c1 : index
  cf.br ^head(%next : index)
^end(%e: index):
  return %e : index
}"""


def test_ranges_of_loops_are_narrowed_again():
    found = ranges(LOOPS)
    expected = {"%d": (8, 8), "%i": (0, 7), "%j": (2, 5), "%x": (0, 21), "%y": (0, 2), "%r": (0, 7),
                "%k": (0, 3), "%in": (0, 2), "%next": (1, 3), "%e": (3, 3)}  # fmt: skip
    assert {name: found[name] for name in expected} == expected


OPERATIONS = {
    "addi": lambda x, y: x + y,
    "subi": lambda x, y: x - y,
    "muli": lambda x, y: x * y,
    "divsi": lambda x, y: int(x / y) if y else None,
    "floordivsi": lambda x, y: x // y if y else None,
    "ceildivsi": lambda x, y: -((-x) // y) if y else None,
    "remsi": lambda x, y: x - y * int(x / y) if y else None,
    "maxsi": max,
    "minsi": min,
    "maxui": lambda x, y: max(x % 256, y % 256),
    "minui": lambda x, y: min(x % 256, y % 256),
    "divui": lambda x, y: x % 256 // (y % 256) if y else None,
    "remui": lambda x, y: x % 256 % (y % 256) if y else None,
    "andi": lambda x, y: x & y,
    "ori": lambda x, y: x | y,
    "shli": lambda x, y: x << y if 0 <= y < 8 else None,
}


def signed(number):
    return (number + 128) % 256 - 128


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_an_operation_gives_is_in_its_range(name):
    program = parse(f"func.func @f(%a: i8, %b: i8) {{\n %r = arith.{name} %a, %b : i8\n return\n}}")
    op = next(op for op in program.walk() if op.name == f"arith.{name}")
    random.seed(name)
    for _ in range(150):
        a, b = (tuple(sorted(random.choices(range(-9, 10), k=2))) for _ in range(2))
        found = IntegerRanges().transfer(op, [a, b])
        for x in range(a[0], a[1] + 1):
            for y in range(b[0], b[1] + 1):
                result = OPERATIONS[name](x, y)
                assert result is None or found[0] <= signed(result) <= found[1], (a, b, x, y, found)


@pytest.mark.parametrize("predicate", ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"])
def test_a_comparison_is_known_where_all_agree(predicate):
    test = {"e": lambda x, y: x == y, "n": lambda x, y: x != y}.get(predicate[0])
    compare = {"lt": int.__lt__, "le": int.__le__, "gt": int.__gt__, "ge": int.__ge__}
    program = parse(
        f"func.func @f(%a: i8, %b: i8) {{\n %r = arith.cmpi {predicate}, %a, %b : i8\n return\n}}"
    )
    op = next(op for op in program.walk() if op.name == "arith.cmpi")
    random.seed(predicate)
    for _ in range(200):
        a, b = (tuple(sorted(random.choices(range(-3, 4), k=2))) for _ in range(2))
        wrap = 256 if predicate[0] == "u" else 0
        results = {
            int(
                test(x, y)
                if test
                else compare[predicate[1:]](x % wrap if wrap else x, y % wrap if wrap else y)
            )
            for x in range(a[0], a[1] + 1)
            for y in range(b[0], b[1] + 1)
        }
        low, high = range_of_result(op, [a, b])
        assert low <= min(results) and max(results) <= high
        if not wrap and a[1] < b[0] and predicate in ("slt", "ne"):
            assert (low, high) == (1, 1)


DEAD = {
    "a comparison that never holds": (
        """func.func @f(%x: i32) {
             %c0 = arith.constant 0 : i32
             %c1 = arith.constant 1 : i32
             %no = arith.cmpi sgt, %c0, %c1 : i32
             cf.cond_br %no, ^dead, ^alive
           ^dead:
             %d = arith.addi %x, %x {dead} : i32
             cf.br ^alive {dead}
           ^alive:
             return
           }""",
    ),
    "what only a dead edge would bring": (
        """func.func @f(%x: i32) {
             %false = arith.constant false
             %r = scf.if %false -> (i1) {
               %true = arith.constant {dead} true
               scf.yield {dead} %true : i1
             } else {
               scf.yield %false : i1
             }
             scf.if %r {
               %d = arith.addi %x, %x {dead} : i32
               scf.yield {dead}
             }
             return
           }""",
    ),
    "a loop that does not run": (
        """func.func @f(%x: i32) {
             %c4 = arith.constant 4 : index
             scf.for %i = %c4 to %c4 step %c4 {
               %d = arith.addi %x, %x {dead} : i32
               scf.yield {dead}
             }
             return
           }""",
    ),
    "cases that do not come": (
        """func.func @f(%x: index) {
             %c3 = arith.constant 3 : index
             %m = arith.remui %x, %c3 : index
             %c1 = arith.constant 1 : index
             scf.index_switch %c1
             case 1 {
               %0 = arith.addi %x, %x : index
               scf.yield
             }
             case 2 {
               %d = arith.addi %x, %x {dead} : index
               scf.yield {dead}
             }
             default {
               scf.yield {dead}
             }
             return
           }""",
    ),
    "a private function that nobody calls alive": (
        """func.func @f(%x: i32) {
             %false = arith.constant false
             scf.if %false {
               func.call @g() {dead} : () -> ()
               scf.yield {dead}
             }
             return
           }
           func.func private @g() {
             return {dead}
           }""",
    ),
}


@pytest.mark.parametrize("name", DEAD)
def test_dead_code(name):
    program = parse(DEAD[name][0])
    solution = solve(program, Reachability())
    for op in program.walk():
        if op.block is not None:
            assert solution.known(solution.graph.of(op)) == (op.get_attr("dead") is None), op


BUFFERS = """func.func @f(%c: i1, %x: f32, %i: index, %arg: memref<4xf32>) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %z = memref.load %b[%i] : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %s = arith.select %c, %a, %b : memref<4xf32>
  %v = memref.subview %s[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  memref.store %x, %v[%i] : memref<2xf32, strided<[1], offset: 1>>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %r = memref.load %a[%i] : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return %r : f32
}"""


def test_where_memrefs_come_from():
    solution = solve(parse(BUFFERS), MayView())
    found = {shown(v): sorted(map(shown, s)) for v, s in solution.states.items() if s}
    assert found == {"%a": ["%a"], "%b": ["%b"], "%arg": ["%arg"], "%s": ["%a", "%b"], "%v": ["%a", "%b"]}


def test_who_wrote_what_a_buffer_holds():
    program = parse(BUFFERS)
    solution = solve(program, ReachingDefinitions())
    loads = [op for op in program.walk() if op.name == "memref.load"]
    assert solution.analysis.show(solution.before(loads[0])) == "{}"
    assert (
        solution.analysis.show(solution.before(loads[1])) == "{%a from linalg.fill:9, %b from memref.store:8}"
    )


def test_what_is_read_before_anybody_has_written_it():
    program = parse(BUFFERS)
    solution = solve(program, UninitializedReads())
    assert [(op.name, shown(value)) for op, value in solution.analysis.defects()] == [("memref.load", "%b")]


def test_what_is_still_held_where_the_function_returns():
    program = parse(BUFFERS)
    solution = solve(program, HeldAllocations())
    end = next(op for op in program.walk() if op.name == "func.return")
    assert solution.analysis.show(solution.before(end)) == "{%a, %b}"


def plainly_needed(program):
    """Which values each operation needs before it, by searching forward from it for uses."""
    graph = flow_graph(program)
    following = {}
    for segment in graph:
        ops = segment.ops
        for op, then in itertools.pairwise(ops):
            following[op] = [(then, ())]
        if ops:
            following[ops[-1]] = [(e.target.ops[0], e.target.inputs) for e in segment.leaving if e.target.ops]
    found = {}
    for start in following:
        for value in {use.value for op in following for use in op.op_operands}:
            seen, waiting = set(), [start]
            while waiting:
                op = waiting.pop()
                if op in seen:
                    continue
                seen.add(op)
                if value in op.operands:
                    found.setdefault(start, set()).add(value)
                    break
                if value not in op.results:
                    waiting += [then for then, made in following[op] if value not in made]
    return found


def test_live_values_are_those_that_a_path_uses():
    for text in (BUFFERS, LOOPS):
        program = parse(text)
        solution = solve(program, LiveValues())
        expected = plainly_needed(program)
        for segment in flow_graph(program):
            for op, before, _ in solution.points(segment):
                assert set(solution.analysis.values(before)) == expected.get(op, set())


def test_all_of_them_together():
    analyses = [LiveValues(), IntegerRanges(), UninitializedReads(), ReachingDefinitions(), HeldAllocations()]
    solver = Solver(parse(BUFFERS), analyses)
    assert {type(a) for a in analyses} | {Reachability, MayView} == set(solver.solutions)
