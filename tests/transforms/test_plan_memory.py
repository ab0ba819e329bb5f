"""`-plan-memory`: buffers become views of an arena, and programs compute what they computed."""

import re
from dataclasses import replace

import pytest
from bufferize.analysis.freeing.calls import CallsOfProgram
from bufferize.analysis.memory_plan.lives import Lives
from bufferize.cli.fuzz_command import known_pass, transform
from bufferize.dialects import func
from bufferize.interpreter import Fault
from bufferize.interpreter.fuzz import all_cases, read, run_case
from bufferize.interpreter.generate import memref_program
from bufferize.interpreter.machine import Machine
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.ir.text.printer import print_module
from bufferize.transforms.pass_base import Context
from bufferize.transforms.plan_memory import PlanMemory

PLAN = "-plan-memory=mark=lives"


def planned(text, flags=(PLAN,)):
    module = read(text, "test")
    transform(module, flags, "")
    return print_module(module)


def arenas(text):
    """The sizes of the arenas that a program allocates."""
    return [int(n) for n in re.findall(r"memref\.alloc\(\).*memref<(\d+)xi8>", text)]


def same(text, flags=(PLAN,)):
    before, after = read(text, "test"), read(text, "test")
    transform(after, flags, "")
    found = verify_module(before, after, Options(inputs=3, leaks=True))
    assert found and all(finding.runs and not finding.failed for finding in found), found
    return print_module(after)


def body(*lines, args="%f: f32, %p: i1, %n: index", result=""):
    return (
        f"func.func @f({args}){' -> ' + result if result else ''} {{\n  %i = arith.constant 3 : index\n"
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  "
        + "\n  ".join(lines)
        + "\n}\n"
    )


ALLOC = "%{} = memref.alloc() : memref<8xf32>"
FREE = "memref.dealloc %{} : memref<8xf32>"
STORE = "memref.store %f, %{}[%i] : memref<8xf32>"
LOAD = "%{1} = memref.load %{0}[%i] : memref<8xf32>"
RETURN = "return %{} : f32"


def test_buffers_that_are_not_alive_together_share():
    text = body(
        ALLOC.format("a"), STORE.format("a"), LOAD.format("a", "x"), FREE.format("a"),
        ALLOC.format("b"), STORE.format("b"), LOAD.format("b", "y"), FREE.format("b"),
        RETURN.format("y"), result="f32",
    )  # fmt: skip
    assert arenas(same(text)) == [32]


def test_a_buffer_dies_with_its_last_use_not_with_its_free():
    text = body(
        ALLOC.format("a"), ALLOC.format("b"), STORE.format("a"), LOAD.format("a", "x"),
        STORE.format("b"), LOAD.format("b", "y"), FREE.format("a"), FREE.format("b"),
        RETURN.format("y"), result="f32",
    )  # fmt: skip
    assert arenas(same(text)) == [32]


def test_buffers_that_are_alive_together_do_not_share():
    text = body(
        ALLOC.format("a"), ALLOC.format("b"), STORE.format("a"), STORE.format("b"), LOAD.format("a", "x"),
        FREE.format("a"), FREE.format("b"), RETURN.format("x"), result="f32",
    )  # fmt: skip
    assert arenas(same(text)) == [64]


def test_branches_that_exclude_one_another_share():
    text = body(
        "%r = scf.if %p -> (f32) {", ALLOC.format("a"), STORE.format("a"), LOAD.format("a", "x"),
        FREE.format("a"), "scf.yield %x : f32", "} else {", ALLOC.format("b"), STORE.format("b"),
        LOAD.format("b", "y"), FREE.format("b"), "scf.yield %y : f32", "}", RETURN.format("r"), result="f32",
    )  # fmt: skip
    assert arenas(same(text)) == [32]


def test_what_a_loop_reads_again_lives_through_the_loop():
    """%a is last used before %b in the text, but the next iteration reads it."""
    text = body(
        ALLOC.format("a"), STORE.format("a"),
        "%c4 = arith.constant 4 : index",
        "%r = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %f) -> (f32) {",
        LOAD.format("a", "x"),
        ALLOC.format("b"), "%t = arith.addf %s, %f : f32", "memref.store %t, %b[%i] : memref<8xf32>",
        LOAD.format("b", "y"), FREE.format("b"),
        "%z = arith.addf %x, %y : f32", "scf.yield %z : f32", "}",
        FREE.format("a"), RETURN.format("r"), result="f32",
    )  # fmt: skip
    assert arenas(same(text)) == [64]


def test_a_buffer_that_a_loop_hands_on_is_left_alone():
    text = body(
        ALLOC.format("a"), STORE.format("a"),
        "%c4 = arith.constant 4 : index",
        "%r = scf.for %k = %c0 to %c4 step %c1 iter_args(%q = %a) -> (memref<8xf32>) {",
        LOAD.format("q", "x"), ALLOC.format("b"), "memref.store %x, %b[%i] : memref<8xf32>",
        FREE.format("q"), "scf.yield %b : memref<8xf32>", "}",
        LOAD.format("r", "y"), FREE.format("r"), RETURN.format("y"), result="f32",
    )  # fmt: skip
    assert "xi8" not in same(text)


def test_blocks_and_a_loop_of_blocks():
    text = body(
        ALLOC.format("a"), STORE.format("a"), "%c4 = arith.constant 4 : index", "cf.br ^loop(%c0 : index)",
        "^loop(%k: index):", LOAD.format("a", "x"), ALLOC.format("b"),
        "memref.store %x, %b[%i] : memref<8xf32>", FREE.format("b"),
        "%next = arith.addi %k, %c1 : index", "%more = arith.cmpi ult, %next, %c4 : index",
        "cf.cond_br %more, ^loop(%next : index), ^end", "^end:", LOAD.format("a", "y"), FREE.format("a"),
        RETURN.format("y"), result="f32",
    )  # fmt: skip
    assert arenas(same(text)) == [64]


def test_symbolic_sizes_are_right_for_all_sizes():
    text = body(
        "%m = arith.remui %n, %i : index", "%k = arith.addi %m, %c1 : index",
        "%a = memref.alloc(%k) : memref<?xf32>", ALLOC.format("b"),
        "memref.store %f, %a[%c0] : memref<?xf32>", STORE.format("b"),
        "%c = memref.alloc(%k) : memref<?xf64>", "%d = arith.extf %f : f32 to f64",
        "memref.store %d, %c[%c0] : memref<?xf64>",
        "%x = memref.load %a[%c0] : memref<?xf32>", LOAD.format("b", "y"),
        "%w = memref.load %c[%c0] : memref<?xf64>", "%v = arith.truncf %w : f64 to f32",
        "%s = arith.addf %x, %y : f32", "%r = arith.addf %s, %v : f32",
        "memref.dealloc %a : memref<?xf32>", FREE.format("b"), "memref.dealloc %c : memref<?xf64>",
        RETURN.format("r"), result="f32",
    )  # fmt: skip
    assert "memref<?xi8>" in same(text)
    after = planned(text, ("-plan-memory=arena=argument",))
    assert "func.func @f_arena_size(%arg0: f32, %arg1: i1, %arg2: index) -> index" in after
    assert "func.func @f(%arg0: f32, %arg1: i1, %arg2: index, %arg3: memref<?xi8>) -> f32" in after
    assert "memref.alloc" not in after


CALLS = """
func.func private @g(%x: memref<8xf32>, %f: f32) {
  %i = arith.constant 3 : index
  %a = memref.alloc() : memref<8xf32>
  memref.store %f, %a[%i] : memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}
func.func @f(%f: f32) -> f32 {
  %i = arith.constant 3 : index
  %a = memref.alloc() : memref<8xf32>
  call @g(%a, %f) : (memref<8xf32>, f32) -> ()
  call @g(%a, %f) : (memref<8xf32>, f32) -> ()
  %x = memref.load %a[%i] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return %x : f32
}
"""


def test_a_view_in_a_loop_that_does_not_run_need_not_be_valid():
    """The arena is allocated before the loop, by the size that the view is given."""
    text = same("""func.func @f(%m: memref<?xf32>, %n: index) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %z = arith.constant 0.0 : f32
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z) -> f32 {
        %e = memref.expand_shape %m [[0, 1]] output_shape [%n, 1] : memref<?xf32> into memref<?x1xf32>
        %d = memref.dim %e, %c0 : memref<?x1xf32>
        %t = memref.alloc(%d) : memref<?x1xf32>
        memref.copy %e, %t : memref<?x1xf32> to memref<?x1xf32>
        %y = memref.load %t[%i, %c0] : memref<?x1xf32>
        memref.dealloc %t : memref<?x1xf32>
        scf.yield %y : f32
      }
      return %r : f32
    }""")
    before_loop, _, loop = text.partition("scf.for")
    assert "arith.maxsi %arg1" in before_loop and "expand_shape" not in before_loop
    assert "memref.view" in loop


def test_arenas_of_callees_nest():
    module = read(CALLS, "test")
    after = read(CALLS, "test")
    transform(after, (PLAN,), "")
    (finding,) = (f for f in verify_module(module, after, Options(leaks=True)) if f.function == "f")
    assert finding.runs and not finding.failed
    text = print_module(after)
    assert arenas(text) == [64]
    assert "func.func private @g(%arg0: memref<8xf32>, %arg1: f32, %arg2: memref<32xi8>)" in text


def test_every_memory_space_has_its_arena():
    text = body(
        ALLOC.format("a"), "%b = memref.alloc() : memref<8xf32, 1>", STORE.format("a"),
        "memref.store %f, %b[%i] : memref<8xf32, 1>", FREE.format("a"),
        "memref.dealloc %b : memref<8xf32, 1>", "return",
    )  # fmt: skip
    assert "memref<32xi8, 1>" in same(text) and arenas(same(text)) == [32]


def test_layouts_and_alignments():
    text = body(
        "%a = memref.alloc() {alignment = 64 : i64} : memref<2xf32>",
        "%b = memref.alloc() : memref<2x2xf32, strided<[8, 1], offset: 4>>",
        "memref.store %f, %a[%c0] : memref<2xf32>",
        "memref.store %f, %b[%c1, %c1] : memref<2x2xf32, strided<[8, 1], offset: 4>>",
        "%x = memref.load %a[%c0] : memref<2xf32>", "memref.dealloc %a : memref<2xf32>",
        "%y = memref.load %b[%c1, %c1] : memref<2x2xf32, strided<[8, 1], offset: 4>>",
        "memref.dealloc %b : memref<2x2xf32, strided<[8, 1], offset: 4>>",
        RETURN.format("y"), result="f32",
    )  # fmt: skip
    after = same(text)
    assert arenas(after) == [72]
    assert "alignment = 64" in after


def test_vectors_in_memory():
    text = body(
        "%a = memref.alloc() : memref<2xvector<4xf32>>", "%v = vector.broadcast %f : f32 to vector<4xf32>",
        "memref.store %v, %a[%c1] : memref<2xvector<4xf32>>",
        "%w = memref.load %a[%c1] : memref<2xvector<4xf32>>",
        "memref.dealloc %a : memref<2xvector<4xf32>>", "%x = vector.extract %w[0] : f32 from vector<4xf32>",
        RETURN.format("x"), result="f32",
    )  # fmt: skip
    assert arenas(same(text)) == [32]


OBSTACLES = {
    "is returned": ("%a = memref.alloc() : memref<8xf32>", "return %a : memref<8xf32>"),
    "is passed to 'x.keep'": ("%a = memref.alloc() : memref<8xf32>", '"x.keep"(%a) : (memref<8xf32>) -> ()', "return %q : memref<8xf32>"),
    "is accessed through the result of 'memref.extract_aligned": (
        "%a = memref.alloc() : memref<8xf32>",
        "%x = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index", "return %q : memref<8xf32>",
    ),
    "is stored by": (
        "%a = memref.alloc() : memref<8xf32>", "memref.store %a, %table[] : memref<memref<8xf32>>", "return %q : memref<8xf32>",
    ),
    "parallel iterations": (
        "%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index",
        "scf.parallel (%k) = (%c0) to (%c1) step (%c1) {", "%a = memref.alloc() : memref<8xf32>",
        "memref.copy %q, %a : memref<8xf32> to memref<8xf32>", "memref.dealloc %a : memref<8xf32>", "}", "return %q : memref<8xf32>",
    ),
    "may also free another buffer": (
        "%a = memref.alloc() : memref<8xf32>", "%s = arith.select %p, %a, %q : memref<8xf32>",
        "memref.dealloc %s : memref<8xf32>", "return %q : memref<8xf32>",
    ),
}  # fmt: skip


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_what_cannot_be_planned_says_why(obstacle):
    lines = "\n".join(OBSTACLES[obstacle])
    text = (
        "func.func @f(%q: memref<8xf32>, %table: memref<memref<8xf32>>, %p: i1) -> memref<8xf32> {\n"
        + lines
        + "\n}\n"
    )
    module = parse_source(Source("test", text), allow_unregistered=True)
    function = next(op for op in module.walk() if isinstance(op, func.FuncOp))
    (life,) = Lives(function, CallsOfProgram()).buffers
    assert obstacle in life.obstacle
    PlanMemory().run(module, Context())
    assert "xi8" not in print_module(module)


def test_the_interpreter_notices_buffers_that_overlap():
    """The test of the tests: with one offset changed, reading what another buffer took over is a fault."""
    text = body(
        ALLOC.format("a"), STORE.format("a"), ALLOC.format("b"),
        "memref.store %f, %b[%c0] : memref<8xf32>", LOAD.format("a", "x"),
        FREE.format("a"), FREE.format("b"), RETURN.format("x"), result="f32",
    )  # fmt: skip
    good = planned(text)
    bad = good.replace("arith.constant 32 : index", "arith.constant 0 : index")
    assert bad != good
    for program, right in ((good, True), (bad, False)):
        machine = Machine(read(program, "test"), strict=True)
        if right:
            machine.call(machine.function("f"), [1.0, True, 2])
        else:
            with pytest.raises(Fault):
                machine.call(machine.function("f"), [1.0, True, 2])


def test_each_memory_space_has_an_arena():
    """The first of them is made where the first buffer was, which is gone when the second is made."""
    spaces = [
        "%{0} = memref.alloc() : memref<8xf32, {1}>", "memref.store %f, %{0}[%i] : memref<8xf32, {1}>",
        "%{2} = memref.load %{0}[%i] : memref<8xf32, {1}>", "memref.dealloc %{0} : memref<8xf32, {1}>",
    ]  # fmt: skip
    lines = [
        line.format(*names) for names in (("a", 1, "x"), ("b", 2, "y"), ("c", 1, "z")) for line in spaces
    ]
    text = body(*lines, RETURN.format("z"), result="f32")
    text = text.replace("%i = arith.constant 3 : index", "").replace("%c0 = arith.constant 0 : index", "")
    text = text.replace("%c1 = arith.constant 1 : index", "").replace("%i", "%n")
    printed = same(text)
    assert re.findall(r"alloc\(\) .*: memref<32xi8, (\d)>", printed) == ["1", "2"]
    assert "return" in printed


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_compute_the_same(seed):
    text = memref_program(seed)
    before, after = read(text, "generated"), read(text, "generated")
    transform(before, ("-buffer-deallocation-pipeline",), "")
    transform(after, ("-buffer-deallocation-pipeline", PLAN), "")
    for finding in verify_module(before, after, Options(inputs=2)):
        assert not finding.failed, finding.diagnostic


@pytest.mark.parametrize("seed", range(12))
def test_random_pipelines_with_a_plan_at_the_end(seed):
    case = next(all_cases(seed, known_pass))
    case = replace(case, flags=(*case.flags, PLAN))
    outcome = run_case(case, transform)
    assert outcome.failure is None, outcome.failure


def test_what_a_callee_frees_is_not_planned():
    text = """func.func private @g(%e: memref<4xf32>) {
  memref.dealloc %e : memref<4xf32>
  return
}
func.func @f(%v: f32, %i: index) -> f32 {
  %e = memref.alloc() : memref<4xf32>
  memref.store %v, %e[%i] : memref<4xf32>
  %x = memref.load %e[%i] : memref<4xf32>
  call @g(%e) : (memref<4xf32>) -> ()
  return %x : f32
}
"""
    module = read(text, "freed by a callee")
    transform(module, (PLAN,), "")
    assert "memref.view" not in print_module(module)


KEPT = """
func.func private @keep(memref<8xf32>)
func.func private @here(%m: memref<8xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%m : memref<8xf32>)
  return
}
func.func @f(%f: f32, %p: i1) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  CALL
  FIRST
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  func.call @keep(%b) : (memref<8xf32>) -> ()
  LATER
  memref.dealloc %b : memref<8xf32>
  return
}
"""
GIVE, FREE_A = "func.call @keep(%a) : (memref<8xf32>) -> ()", "memref.dealloc %a : memref<8xf32>"


@pytest.mark.parametrize(
    ("call", "first", "later", "sizes"),
    [
        (GIVE, FREE_A, "", [32]),
        (GIVE, "", FREE_A, [64]),
        (GIVE, "", "", [32]),
        (GIVE, "", f"scf.if %p {{ {FREE_A} }}", [32]),
        ("func.call @here(%a, %f) : (memref<8xf32>, f32) -> ()", "", FREE_A, [32]),
    ],
    ids=["freed before", "freed after", "never freed", "freed on some paths", "callee is here"],
)
def test_what_a_callee_may_keep_stays_until_it_is_freed(call, first, later, sizes):
    """Then the second buffer has the place of the first, has one of its own, or the first is not planned (its allocation stays)."""
    text = KEPT.replace("CALL", call).replace("FIRST", first).replace("LATER", later)
    out = planned(text)
    assert arenas(out) == sizes
    is_planned = "memref.alloc() : memref<8xf32>" not in out
    assert is_planned == (FREE_A in (first, later))


def freed_before(*lines):
    """The operation before which the arena of a function is freed: a clone, or the return."""
    found = same(body(*lines, args="%f: f32, %m: memref<8xf32>", result="memref<8xf32>"), (PLAN,))
    after = found[found.index("memref.dealloc") :].split("\n")[1:]
    return next(word for line in after for word in ("bufferization.clone", "return") if word in line)


CLONE = "%c = bufferization.clone %m : memref<8xf32> to memref<8xf32>"
IN_LOOP = (
    "scf.for %k = %c0 to %i step %c1 {",
    ALLOC.format("a"),
    STORE.format("a"),
    LOAD.format("a", "x"),
    "memref.store %x, %m[%k] : memref<8xf32>",
    FREE.format("a"),
    "}",
)


@pytest.mark.parametrize(
    ("lines", "behind"),
    [
        ((*IN_LOOP, CLONE, "return %c : memref<8xf32>"), "bufferization.clone"),
        (
            (
                ALLOC.format("a"),
                STORE.format("a"),
                "%v = memref.cast %a : memref<8xf32> to memref<?xf32>",
                CLONE,
                "%x = memref.load %v[%i] : memref<?xf32>",
                "memref.store %x, %c[%i] : memref<8xf32>",
                FREE.format("a"),
                "return %c : memref<8xf32>",
            ),
            "return",
        ),
        (
            (*IN_LOOP, CLONE, "cf.br ^end", "^end:", "return %c : memref<8xf32>"),
            "return",
        ),
    ],
    ids=["not used behind the clone", "used behind it through a view", "several blocks"],
)
def test_an_arena_is_freed_behind_its_last_use(lines, behind):
    assert freed_before(*lines) == behind


def test_frees_shared_with_a_buffer_of_late_size_stay():
    """What frees one of two buffers stays if only one of them could be in the arena: the other would leak."""
    text = """func.func @f(%n: index, %x: memref<?xf32>, %p: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %m = func.call @size(%n) : (index) -> index
  %b = memref.alloc(%m) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  memref.copy %x, %b : memref<?xf32> to memref<?xf32>
  %s = arith.select %p, %a, %b : memref<?xf32>
  %o = arith.select %p, %b, %a : memref<?xf32>
  %r = memref.load %s[%c0] : memref<?xf32>
  memref.dealloc %s : memref<?xf32>
  memref.dealloc %o : memref<?xf32>
  return %r : f32
}
func.func private @size(%n: index) -> index {
  return %n : index
}
"""
    module = read(text, "test")
    transform(module, (PLAN,), "")
    after = print_module(module)
    assert "memref.view" not in after and after.count("memref.dealloc") == 2
