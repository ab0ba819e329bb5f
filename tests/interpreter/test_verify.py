"""Verification: true transformations pass, and each injected fault is caught."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bufferize.interpreter.inputs import BOUNDARY, Input, candidates, smaller
from bufferize.interpreter.verify import (
    DIFFERENT,
    FAULTY,
    NO_INPUT,
    NOT_RUN,
    SAME,
    Options,
    refuting_runs,
    verify_function,
    verify_module,
)
from bufferize.ir.program.core import Operation

BUFFERIZE = "-one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops"
FREE = "-buffer-deallocation-pipeline"

UPDATE_READ_AFTERWARDS = """
func.func @f(%t: tensor<8xf32>, %v: f32, %i: index) -> (tensor<8xf32>, f32) {
  %c8 = arith.constant 8 : index
  %j = arith.remui %i, %c8 : index
  %0 = tensor.insert %v into %t[%j] : tensor<8xf32>
  %1 = tensor.extract %t[%j] : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, f32
}
"""
BRANCHES = """
func.func @f(%t: tensor<?xf32>, %c: i1, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %r = scf.if %c -> tensor<?xf32> {
    %e = tensor.empty(%n) : tensor<?xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  } else {
    scf.yield %t : tensor<?xf32>
  }
  %e = tensor.empty(%n) : tensor<?xf32>
  %s = linalg.add ins(%r, %t : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}
"""
LOOP = """
func.func @f(%t: tensor<4xf32> {bufferization.writable = false}, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = arith.remui %n, %c4 : index
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %d = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %x = tensor.extract %d[%i] : tensor<4xf32>
    %b = tensor.insert %x into %a[%c0] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
"""
PROGRAMS = {"update": UPDATE_READ_AFTERWARDS, "branches": BRANCHES, "loop": LOOP}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("flags", [[BUFFERIZE], [BUFFERIZE, FREE]])
def test_true_transformations_pass(read, passes, name, flags):
    before = read(PROGRAMS[name])
    frees = FREE in flags
    (finding,) = verify_module(before, passes(before, flags), Options(leaks=frees, ownership=frees))
    assert (finding.status, finding.runs) == (SAME, 6)


# -- injected faults: each takes a bufferized module, breaks one place, and says whether there was one


def all_of(module: Operation, *names: str) -> list[Operation]:
    return [op for op in module.walk() if op.name in names]


def wrong_in_place(module: Operation, at: int) -> bool:
    """Where an allocation receives a copy, write to the original instead."""
    copies = [op for op in all_of(module, "memref.copy") if op.operands[1].defining_op is not None]
    copies = [op for op in copies if op.operands[1].defining_op.name == "memref.alloc"]
    if at >= len(copies):
        return False
    copy = copies[at]
    source, target = copy.operands
    alloc = target.defining_op
    for use in target.uses:
        if use.owner is not copy and use.owner.name != "memref.dealloc":
            use.value = source
    copy.erase()
    for user in target.users:
        user.erase()
    alloc.erase()
    return True


def dropped_copy(module: Operation, at: int) -> bool:
    copies = all_of(module, "memref.copy")
    if at >= len(copies):
        return False
    copies[at].erase()
    return True


def free_moved_up(module: Operation, at: int) -> bool:
    """A free right behind its allocation."""
    frees = [op for op in all_of(module, "memref.dealloc") if op.operands[0].defining_op is not None]
    if at >= len(frees):
        return False
    frees[at].move_after(frees[at].operands[0].defining_op)
    return True


def missing_free(module: Operation, at: int) -> bool:
    frees = all_of(module, "memref.dealloc")
    if at >= len(frees):
        return False
    frees[at].erase()
    return True


def doubled_free(module: Operation, at: int) -> bool:
    frees = all_of(module, "memref.dealloc")
    if at >= len(frees):
        return False
    free = frees[at]
    free.block.insert_after(free.clone(), free)
    return True


FAULTS: list[tuple[Callable[[Operation, int], bool], str]] = [
    (wrong_in_place, "update"),
    (wrong_in_place, "loop"),
    (dropped_copy, "update"),
    (dropped_copy, "loop"),
    (free_moved_up, "branches"),
    (free_moved_up, "loop"),
    (missing_free, "branches"),
    (missing_free, "loop"),
    (doubled_free, "branches"),
    (doubled_free, "loop"),
]


@pytest.mark.parametrize(("inject", "name"), FAULTS, ids=lambda x: getattr(x, "__name__", x))
def test_injected_faults_are_caught(read, passes, inject, name):
    """At every place where the fault can be injected."""
    before = read(PROGRAMS[name])
    bufferized = passes(before, [BUFFERIZE, FREE])
    caught = 0
    while True:
        broken = bufferized.clone()
        if not inject(broken, caught):
            break
        (finding,) = verify_module(before, broken, Options(leaks=True, ownership=True))
        assert finding.failed, f"{inject.__name__} at place {caught} of {name} is not caught"
        caught += 1
    assert caught > 0, "there was no place for the fault"


def test_a_difference_names_the_smallest_input_and_the_first_operation(read, passes):
    before = read(UPDATE_READ_AFTERWARDS)
    after = passes(before, [BUFFERIZE])
    assert wrong_in_place(after, 0)
    finding = verify_function(before, after, "f", Options())
    assert finding.status == DIFFERENT
    assert finding.input is not None
    assert finding.input.scalars[2] == 0
    assert "result 1 is" in finding.diagnostic.message


def test_the_first_diverging_operation_is_found(read):
    before = read("""
func.func @f(%t: tensor<2xf32>, %v: f32) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.insert %v into %t[%c0] : tensor<2xf32>
  %1 = tensor.insert %v into %0[%c1] : tensor<2xf32>
  return %1 : tensor<2xf32>
}
""")
    from bufferize.cli.fuzz_command import transform

    after = before.clone()
    transform(after, [BUFFERIZE], "")
    stores = all_of(after, "memref.store")
    stores[1].op_operands[2].value = stores[0].operands[2]
    finding = verify_function(before, after, "f", Options())
    assert finding.status == DIFFERENT
    span = finding.diagnostic.children[0].span
    assert span.source.text[: span.start].count("\n") == 5  # the second insertion


def test_what_the_original_leaves_undefined_may_be_anything(read, passes):
    before = read("""
func.func @f(%v: f32) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %0 = tensor.insert %v into %e[%c1] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
""")
    (finding,) = verify_module(before, passes(before, [BUFFERIZE]), Options())
    assert finding.status == SAME
    wrong = passes(before, [BUFFERIZE])
    all_of(wrong, "memref.store")[0].erase()
    (finding,) = verify_module(before, wrong, Options())
    assert finding.failed


@pytest.mark.parametrize(
    "operation",
    [
        "affine.apply affine_map<(d0) -> (d0 + 9223372036854775807)>(%c)",
        "affine.max affine_map<(d0) -> (d0 * 4, 1)>(%c)",
        "affine.apply affine_map<(d0) -> ((d0 * 3) floordiv 8)>(%c)",
        "affine.linearize_index [%c, %c] by (5, 9223372036854775807) : index",
    ],
)
def test_an_index_that_overflows_is_undefined(read, operation):
    text = f"func.func @f() -> index {{ %c = arith.constant {1 << 62} : index %0 = {operation} return %0 : index }}"
    other = "func.func @f() -> index { %0 = arith.constant 7 : index return %0 : index }"
    assert verify_module(read(text), read(other), Options())[0].status == SAME


def test_elements_that_no_loop_reaches_are_those_of_the_destination(read):
    diagonal = read("""
#d = affine_map<(d0) -> (d0, d0)>
func.func @f(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%x : tensor<2x2xf32>) outs(%y : tensor<2x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
""")
    all_of_it = read("""
func.func @f(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  return %x : tensor<2x2xf32>
}
""")
    assert verify_module(diagonal, all_of_it, Options())[0].status == DIFFERENT


def test_operations_on_tensors_may_leave_elements_undefined(read, passes):
    before = read("""
func.func @f(%a: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %x = math.exp %e : tensor<4xf32>
  %s = arith.select %c, %a, %x : tensor<4xf32>
  %y = arith.addf %s, %a : tensor<4xf32>
  return %y : tensor<4xf32>
}
""")
    (finding,) = verify_module(
        before, passes(before, ["-convert-elementwise-to-linalg", BUFFERIZE]), Options()
    )
    assert finding.status == SAME


def test_programs_that_accept_no_input_are_told(read):
    module = read("""
func.func @f(%t: tensor<2xf32>) -> f32 {
  %c5 = arith.constant 5 : index
  %0 = tensor.extract %t[%c5] : tensor<2xf32>
  return %0 : f32
}
""")
    (finding,) = verify_module(module, module.clone(), Options())
    assert (finding.status, finding.reason) == (NO_INPUT, "reads index 5 of dimension 0, whose size is 2")


def test_what_cannot_be_run_is_told(read):
    module = read("func.func private @g()\nfunc.func @f() {\n  func.call @g() : () -> ()\n  return\n}\n")
    (finding,) = verify_module(module, module.clone(), Options())
    assert (finding.status, finding.reason) == (NOT_RUN, "function 'g' has no body")


@pytest.mark.parametrize(
    "flags",
    [
        [BUFFERIZE, "-drop-equivalent-buffer-results"],
        [
            BUFFERIZE + " function-boundary-type-conversion=identity-layout-map",
            "-buffer-results-to-out-params",
        ],
    ],
)
@pytest.mark.parametrize("name", PROGRAMS)
def test_results_that_moved_are_found(read, passes, name, flags):
    before = read(PROGRAMS[name])
    (finding,) = verify_module(before, passes(before, flags), Options())
    assert finding.status == SAME


def test_writes_to_arguments_that_must_not_be_written_are_found(read):
    before = read("""
func.func @f(%t: tensor<2xf32> {bufferization.writable = false}, %v: f32) -> f32 {
  return %v : f32
}
""")
    after = read("""
func.func @f(%t: memref<2xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %v, %t[%c0] : memref<2xf32>
  return %v : f32
}
""")
    (finding,) = verify_module(before, after, Options())
    assert (finding.status, finding.diagnostic.code) == (FAULTY, "write-to-read-only")


SIGNATURE = "func.func @f(%a: i32, %m: memref<4xf32>, %v: vector<4xf32>) { return }"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("%a: i32", "%a: i64"),
        ("memref<4xf32>", "memref<4xi32>"),
        ("memref<4xf32>", "memref<2x2xf32>"),
        ("memref<4xf32>", "memref<8xf32>"),
        ("memref<4xf32>", "tensor<4xf32>"),
        ("memref<4xf32>", "i32"),
        ("vector<4xf32>", "vector<8xf32>"),
        (", %v: vector<4xf32>", ""),
        ("vector<4xf32>)", "vector<4xf32>, %w: i32)"),
    ],
)
def test_a_function_with_other_arguments_is_not_run(read, before, after):
    (finding,) = verify_module(read(SIGNATURE), read(SIGNATURE.replace(before, after)), Options())
    assert finding.status == NOT_RUN, finding


@pytest.mark.parametrize(("returned", "status"), [("%v", SAME), ("%y", FAULTY)])
def test_uninitialized_memory_matters_where_it_is_observed(read, returned, status):
    before = read("func.func @f(%v: f32) -> f32 { return %v : f32 }")
    after = read(f"""
func.func @f(%v: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  %x = memref.load %m[%c0] : memref<4xf32>
  %y = arith.addf %x, %v : f32
  memref.store %y, %m[%c0] : memref<4xf32>
  return {returned} : f32
}}
""")
    (finding,) = verify_module(before, after, Options())
    assert finding.status == status


def test_modules_may_be_nested_deeply(read):
    module = read("module {" * 1500 + "func.func @f() { return }" + "}" * 1500)
    (finding,) = verify_module(module, module, Options())
    assert finding.status == SAME


# -- inputs


@pytest.mark.parametrize(
    ("types", "one", "other"),
    [
        ("i32", "arith.subi %a, %b : i32", "arith.subi %b, %a : i32"),
        ("index", "arith.subi %a, %b : index", "arith.subi %b, %a : index"),
        ("i1", "arith.andi %a, %b : i1", "arith.ori %a, %b : i1"),
        ("i32", "arith.minsi %a, %b : i32", "arith.minui %a, %b : i32"),
        ("index", "arith.divsi %a, %k : index", "arith.floordivsi %a, %k : index"),
        ("index", "arith.shrsi %a, %k : index", "arith.shrui %a, %k : index"),
        ("f32", "arith.maximumf %a, %b : f32", "arith.maxnumf %a, %b : f32"),
        ("f32", "arith.cmpf ult, %a, %b : f32", "arith.cmpf olt, %a, %b : f32"),
        ("i64", "arith.cmpi eq, %a, %b : i64", "arith.cmpi eq, %x, %y : i32"),
        ("i32", "arith.cmpi eq, %a, %b : i32", "arith.cmpi eq, %p, %q : i32"),
    ],
)
def test_inputs_tell_operations_apart(read, types, one, other):
    """Arguments that differ, in one bit as well; numbers below 0; NaN."""
    result = "i1" if "cmp" in one else types

    def program(operation: str):
        narrow = "".join(f"  %{short} = arith.trunci %{long} : i64 to i32\n" for short, long in ("xa", "yb"))
        doubled = "".join(f"  %{twice} = arith.muli %{once}, %k : i32\n" for twice, once in ("pa", "qb"))
        two = f"  %k = arith.constant 2 : {types}\n" if types in ("index", "i32") else ""
        return read(
            f"func.func @f(%a: {types}, %b: {types}) -> {result} {{\n{two}"
            f"{narrow if types == 'i64' else ''}{doubled if types == 'i32' else ''}"
            f"  %r = {operation}\n  return %r : {result}\n}}\n"
        )

    before, after = program(one), program(other)
    (finding,) = refuting_runs(before, after, leaks=False, excused=False)("f")
    assert finding.status == DIFFERENT


def test_sizes_that_belong_together_are_chosen_together(read):
    module = read("""
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x6xf32>, %c: tensor<5x?xf32>) -> tensor<5x?xf32> {
  %w = tensor.cast %b : tensor<?x6xf32> to tensor<?x?xf32>
  %v = tensor.cast %c : tensor<5x?xf32> to tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%v : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<5x?xf32>
  return %1 : tensor<5x?xf32>
}
""")
    from bufferize.interpreter.machine import Machine

    for given in candidates(Machine(module).function("f"), module, 0, 20):
        a, b, c = given.sizes
        assert (a[0], a[1], b[1], c) == (5, b[0], 6, (5, 6))


def test_simpler_inputs_weigh_less(read):
    module = read("func.func @f(%a: tensor<?xf32>, %n: index) {\n  return\n}\n")
    from bufferize.interpreter.machine import Machine

    types = Machine(module).function("f").function_type.inputs
    given = Input(((7,), None), (None, 5), 1, BOUNDARY, True)
    for simpler in smaller(given, types):
        assert simpler.weight() < given.weight() or (simpler.style, simpler.aliased) != (
            given.style,
            given.aliased,
        )


IN_LOOP = """func.func @f(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z) -> f32 {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.store %x, %t[%i] : memref<?xf32>
    %y = memref.load %t[%i] : memref<?xf32>
    scf.yield %y : f32
  }
  return %r : f32
}
"""
ALLOCATION = "    %t = memref.alloc(%n) : memref<?xf32>\n"


@pytest.mark.parametrize(
    ("accessed", "status"),
    [
        ("", SAME),
        ("  linalg.fill ins(%z : f32) outs(%t : memref<?xf32>)\n", SAME),
        ("  memref.store %z, %t[%c0] : memref<?xf32>\n", FAULTY),
    ],
)
def test_a_hoisted_allocation_may_have_a_negative_size_but_no_elements(read, accessed, status):
    """With a negative `n`, the loop does not run."""
    hoisted = IN_LOOP.replace(ALLOCATION, "").replace("  %r =", f"{ALLOCATION}{accessed}  %r =")
    findings = verify_module(read(IN_LOOP), read(hoisted), Options(inputs=12))
    assert [finding.status for finding in findings] == [status]


def test_a_hoisted_tensor_may_have_a_negative_size(read):
    """Passes hoist tensors, too; an input on which only the transformed program makes such a tensor says nothing about it."""
    in_loop = """func.func @f(%n: index, %v: f32) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %v) -> f32 {
        %t = tensor.splat %v[%n] : tensor<?xf32>
        %y = tensor.extract %t[%i] : tensor<?xf32>
        scf.yield %y : f32
      }
      return %r : f32
    }
    """
    splat = "        %t = tensor.splat %v[%n] : tensor<?xf32>\n"
    hoisted = in_loop.replace(splat, "").replace("      %r =", f"{splat}      %r =")
    (finding,) = verify_module(read(in_loop), read(hoisted), Options(inputs=12))
    assert finding.status == SAME


def test_an_input_on_which_the_original_allocates_a_negative_size_is_skipped(read):
    """What was allocated can be on the stack, whose buffers may have no negative size."""
    allocates = """func.func @f(%n: index) -> index {
      %c0 = arith.constant 0 : index
      %m = memref.alloc(%n) : memref<?xf32>
      %d = memref.dim %m, %c0 : memref<?xf32>
      return %d : index
    }
    """
    (finding,) = verify_module(
        read(allocates), read(allocates.replace("memref.alloc(", "memref.alloca(")), Options(inputs=12)
    )
    assert finding.status == SAME


def test_iterations_that_insert_into_one_place_race(read):
    """Inputs on which those of the original do so are skipped: the order of iterations is not stated."""
    program = """func.func @f(%t: tensor<8xf32>, %n: index) -> tensor<8xf32> {
      %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
        %k = arith.muli %i, %n : index
        %z = tensor.extract_slice %t[%k] [2] [1] : tensor<8xf32> to tensor<2xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %z into %o[%k] [2] [1] : tensor<2xf32> into tensor<8xf32>
        }
      }
      return %r : tensor<8xf32>
    }
    """
    (finding,) = verify_module(
        read(program),
        read(
            program.replace("%n : index", "%c1 : index").replace(
                "%r =", "%c1 = arith.constant 1 : index\n %r ="
            )
        ),
        Options(inputs=12),
    )
    assert finding.status == FAULTY
    assert "two iterations insert into the same elements" in str(finding.diagnostic)


def test_iterations_that_access_one_element_which_one_writes_race(read):
    """With n = 0, all iterations of the original read and write one element, and the order of their accesses is not stated."""
    original = """func.func @f(%t: memref<4xf32>, %n: index, %v: f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
        %k = arith.muli %i, %n : index
        %x = memref.load %t[%k] : memref<4xf32>
        %y = arith.addf %x, %v : f32
        memref.store %y, %t[%k] : memref<4xf32>
        scf.reduce
      }
      return
    }
    """
    copied = original.replace("load %t", "load %m").replace(
        "      scf.parallel",
        "      %m = memref.alloca() : memref<4xf32>\n      memref.copy %t, %m : memref<4xf32> to memref<4xf32>\n      scf.parallel",
    )
    assert verify_module(read(original), read(copied), Options(inputs=12))[0].status == SAME
    zero = original.replace("memref.load %t[%k]", "memref.load %t[%c0]")
    (finding,) = verify_module(read(original), read(zero), Options(inputs=12))
    assert finding.status == FAULTY
    assert "two iterations of a parallel loop access element 0" in str(finding.diagnostic)


MATMUL = """
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
"""


def test_loops_that_replace_a_large_operation_are_too_large_not_wrong(read, passes):
    before = read(MATMUL)
    after = passes(before, [BUFFERIZE, "-convert-linalg-to-loops"])
    [finding] = verify_module(before, after, Options(inputs=1, tries=1, max_steps=10_000))
    assert (finding.status, finding.reason) == (NOT_RUN, "the run takes more than 80000 steps")


@pytest.mark.parametrize("size", [1 << 31, (1 << 33) + 1])
def test_arguments_whose_elements_cannot_be_counted_in_64_bits_are_too_large(size, read):
    module = read(f"func.func @f(%t: tensor<{size}x{size}xf32>) {{ return }}")
    [finding] = verify_module(module, module.clone(), Options())
    assert (finding.status, finding.reason) == (NO_INPUT, "the arguments are too large")
