"""`-buffer-deallocation-static`: what is freed where, and on random graphs of blocks that it is freed once and in time."""

from __future__ import annotations

import pytest
from bufferize.analysis.freeing import equations
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.fuzz import judge
from bufferize.ir.declaration.constraints import ANY_MEMREF
from bufferize.ir.declaration.declare import operand, result
from bufferize.ir.program.interfaces import ALLOCATE, FREE, READ, AllocationOp, Effect, MemoryEffectOp
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module

PASS = "-buffer-deallocation-static"
M = "memref<4xf32>"


def freed(
    body: str, arguments: str = f"%a: {M}, %o: {M}, %c: i1", options: str = "", results: str = ""
) -> str:
    module = parse_text(f"func.func @f({arguments}) {results} {{\n{body}\n}}")
    transform(module, (PASS + options,), "")
    return print_module(module)


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


@pytest.mark.parametrize("seed", [*range(45), 1004, 2076, 30059, 900066])
def test_a_random_graph_of_blocks_frees_each_buffer_once_and_in_time(seed):
    outcome = judge(seed, transform)
    assert outcome.failure is None, outcome.failure.message


@pytest.mark.parametrize("seed", range(12))
def test_formulas_that_are_not_followed_leave_a_flag(seed, monkeypatch):
    monkeypatch.setattr(equations, "MAX_WIDTH", 2)
    outcome = judge(seed, transform)
    assert outcome.failure is None, outcome.failure.message


def test_who_owns_a_buffer_may_depend_on_many_pairs_of_conditions():
    """Diagrams of pairs that are mentioned far from each other double with each: this did not come to its end."""
    count = 18
    body, last = [f"%m = memref.alloc() : {M}", f"%b = memref.alloc() : {M}"], "%m"
    for i in range(count):
        body.append(
            f"%p{i} = scf.if %x{i} -> ({M}) {{ scf.yield {last} : {M} }} else {{ scf.yield %a : {M} }}"
        )
        last = f"%p{i}"
    body.append(f"memref.copy {last}, %b : {M} to {M}")
    last = "%b"
    for i in range(count):
        inner = f"scf.if %y{i} -> ({M}) {{ scf.yield %a : {M} }} else {{ scf.yield {last} : {M} }}"
        body.append(
            f"%q{i} = scf.if %x{i} -> ({M}) {{ %r = {inner} scf.yield %r : {M} }} else {{ scf.yield {last} : {M} }}"
        )
        last = f"%q{i}"
    conditions = ", ".join(f"%x{i}: i1, %y{i}: i1" for i in range(count))
    text = freed("\n".join([*body, f"return {last} : {M}"]), f"%a: {M}, {conditions}", results=f"-> {M}")
    assert text.count("memref.dealloc") == 1 + 2 * count  # on each way off a ladder, and at the end


def test_a_buffer_is_freed_right_behind_its_last_use():
    text = lines(
        freed(f"""
  %n = memref.alloc() : {M}
  memref.copy %a, %n : {M} to {M}
  memref.copy %a, %o : {M} to {M}
  return""")
    )
    at = text.index(f"memref.copy %arg0, %alloc : {M} to {M}")
    assert text[at + 1] == f"memref.dealloc %alloc : {M}"


def test_a_flag_travels_only_with_what_is_owned_on_some_ways():
    text = freed(f"""
  cf.cond_br %c, ^left, ^right
^left:
  %n = memref.alloc() : {M}
  cf.br ^join(%n, %n : {M}, {M})
^right:
  %m = memref.alloc() : {M}
  cf.br ^join(%m, %a : {M}, {M})
^join(%x: {M}, %y: {M}):
  memref.copy %x, %o : {M} to {M}
  return""")
    assert "i1)" in text  # %arg2 only
    assert text.count(": i1") == 1
    assert "scf.if" not in text


def test_a_loop_of_blocks_moves_the_buffer_along():
    text = freed(f"""
  %n = memref.alloc() : {M}
  cf.br ^head(%n : {M})
^head(%x: {M}):
  %m = memref.alloc() : {M}
  memref.copy %x, %m : {M} to {M}
  cf.cond_br %c, ^head(%m : {M}), ^end
^end:
  return""")
    assert text.count("memref.dealloc") == 2
    assert "scf.if" not in text


def test_what_is_freed_on_one_path_is_freed_on_the_other():
    text = freed(f"""
  %n = memref.alloc() : {M}
  scf.if %c {{
    memref.dealloc %n : {M}
  }}
  return""")
    assert "} else {" in text
    assert text.count("memref.dealloc") == 2


def test_what_may_be_free_already_gets_a_guard():
    text = freed(
        f"""
  %n = memref.alloc() : {M}
  scf.if %c {{
    memref.dealloc %n : {M}
  }}
  scf.if %d {{
    memref.dealloc %n : {M}
  }}
  return""",
        f"%a: {M}, %c: i1, %d: i1",
    )
    assert text.count("memref.dealloc") == 3
    again = parse_text(text)
    transform(again, (PASS,), "")
    assert print_module(again) == text


PARALLEL = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {"""


@pytest.mark.parametrize("start", [PARALLEL, "scf.forall (%i) in (1) {"])
def test_what_is_made_in_a_parallel_loop_is_freed_in_it_and_the_rest_behind(start):
    text = lines(
        freed(f"""
  %n = memref.alloc() : {M}
  {start}
    %k = memref.alloc() : {M}
    memref.copy %n, %k : {M} to {M}
  }}
  memref.copy %n, %o : {M} to {M}
  return""")
    )
    frees = [i for i, line in enumerate(text) if "memref.dealloc" in line]
    assert text[frees[0] - 1] == f"memref.copy %alloc, %alloc_0 : {M} to {M}"
    assert text[frees[1] - 1] == f"memref.copy %alloc, %arg1 : {M} to {M}"
    assert len(frees) == 2


@pytest.mark.parametrize("start", [PARALLEL, "scf.forall (%i) in (7) {"])
def test_a_parallel_loop_frees_nothing_that_comes_from_around_it(start):
    text = lines(
        freed(f"""
  %n = memref.alloc() : {M}
  {start}
    %r = scf.if %c -> ({M}) {{
      scf.yield %n : {M}
    }} else {{
      scf.yield %a : {M}
    }}
    memref.copy %r, %o : {M} to {M}
  }}
  return""")
    )
    (at,) = [i for i, line in enumerate(text) if "memref.dealloc" in line]
    assert text[at - 1] == "}"
    assert text[at + 1] == "return"


def test_what_a_parallel_loop_frees_of_what_is_around_it_is_left_to_it():
    text = freed(f"""
  %n = memref.alloc() : {M}
  {PARALLEL}
    memref.copy %n, %o : {M} to {M}
    memref.dealloc %n : {M}
  }}
  return""")
    assert text.count("memref.dealloc") == 1


def test_a_parallel_loop_that_frees_what_may_come_from_around_it_is_refused():
    with pytest.raises(PassFailed, match="known only at run time"):
        freed(f"""
  %n = memref.alloc() : {M}
  {PARALLEL}
    %k = memref.alloc() : {M}
    %r = arith.select %c, %n, %k : {M}
    memref.dealloc %r : {M}
  }}
  return""")


def test_an_endless_loop_keeps_nothing():
    text = freed(f"""
  %n = memref.alloc() : {M}
  memref.copy %a, %n : {M} to {M}
  cf.br ^loop
^loop:
  cf.br ^loop""")
    assert text.index("memref.dealloc") < text.index("cf.br")


def test_at_block_ends_on_request():
    text = lines(
        freed(
            f"""
  %n = memref.alloc() : {M}
  memref.copy %a, %n : {M} to {M}
  memref.copy %a, %o : {M} to {M}
  return""",
            options="=free-at=block-end",
        )
    )
    assert text.index(f"memref.dealloc %alloc : {M}") == text.index("return") - 1


class CustomAllocOp(AllocationOp, MemoryEffectOp):
    """An allocation of a user's dialect, which another operation frees."""

    name = "custom_pool.alloc"
    memref = result(ANY_MEMREF)
    assembly_format = "attr-dict `:` type($memref)"

    def memory_effects(self):
        return [Effect(ALLOCATE, self.results[0])]

    def build_free(self, value):
        return CustomFreeOp([value])

    def build_clone(self, value):
        return CustomCloneOp([value], [value.type])


class CustomCloneOp(CustomAllocOp):
    """A copy from the same pool."""

    name = "custom_pool.clone"
    source = operand(ANY_MEMREF, effects=READ)
    assembly_format = "$source attr-dict `:` type($source) `to` type($memref)"


class CustomFreeOp(MemoryEffectOp):
    """Frees what `custom_pool.alloc` made."""

    name = "custom_pool.free"
    memref = operand(ANY_MEMREF, effects=FREE)
    assembly_format = "$memref attr-dict `:` type($memref)"


def test_what_a_custom_operation_allocates_is_freed_as_it_says():
    body = f"""
  cf.cond_br %c, ^left, ^join(%a : {M})
^left:
  %n = custom_pool.alloc : {M}
  memref.copy %a, %n : {M} to {M}
  cf.br ^join(%n : {M})
^join(%m: {M}):
  memref.copy %m, %o : {M} to {M}
  return"""
    text = freed(body)
    assert "custom_pool.free" in text
    assert "memref.dealloc" not in text
    again = parse_text(text)
    transform(again, (PASS,), "")
    assert print_module(again) == text


def test_what_a_custom_operation_allocates_is_copied_as_it_says_where_it_is_not_owned():
    text = freed(
        f"""
  %n = custom_pool.alloc : {M}
  memref.copy %a, %n : {M} to {M}
  return %n, %n : {M}, {M}""",
        results=f"-> ({M}, {M})",
    )
    assert text.count("custom_pool.clone") == 1
    assert "bufferization.clone" not in text


def test_what_is_another_s_is_copied_as_what_is_returned_otherwise_is_made():
    text = freed(
        f"""
  cf.cond_br %c, ^made, ^given
^made:
  %n = custom_pool.alloc : {M}
  return %n : {M}
^given:
  return %a : {M}""",
        results=f"-> {M}",
    )
    assert "custom_pool.clone %arg0" in text


def test_the_old_pass_copies_and_frees_as_the_allocating_operation_says():
    module = parse_text(f"""
func.func @f(%a: {M}, %o: {M}, %c: i1) {{
  cf.cond_br %c, ^left, ^join(%a : {M})
^left:
  %n = custom_pool.alloc : {M}
  memref.copy %a, %n : {M} to {M}
  cf.br ^join(%n : {M})
^join(%m: {M}):
  memref.copy %m, %o : {M} to {M}
  return
}}""")
    transform(module, ("-buffer-deallocation",), "")
    text = print_module(module)
    assert text.count("custom_pool.clone") == 2
    assert text.count("custom_pool.free") == 2
    assert "memref.dealloc" not in text


def test_what_a_custom_operation_allocates_is_hoisted():
    module = parse_text(f"""
func.func @f(%a: {M}, %lb: index, %ub: index) {{
  scf.for %i = %lb to %ub step %ub {{
    %n = custom_pool.alloc : {M}
    memref.copy %a, %n : {M} to {M}
  }}
  return
}}""")
    transform(module, ("-buffer-loop-hoisting",), "")
    text = print_module(module)
    assert text.index("custom_pool.alloc") < text.index("scf.for")


CALLED = f"""
func.func VISIBILITY @second(%a: {M}, %b: {M}) -> {M} {{
  %v = memref.cast %b : {M} to memref<?xf32>
  %w = memref.cast %v : memref<?xf32> to {M}
  return %w : {M}
}}
func.func @f(%a: {M}, %o: {M}) {{
  %m = memref.alloc() : {M}
  memref.copy %a, %m : {M} to {M}
  %r = call @second(%a, %m) : ({M}, {M}) -> {M}
  memref.copy %r, %o : {M} to {M}
  return
}}"""


@pytest.mark.parametrize(
    ("visibility", "more", "clones", "frees"),
    [
        ("", "", 1, 2),
        ("private", "", 0, 1),
        ("private", f"func.func @g() {{\n  %f = constant @second : ({M}, {M}) -> {M}\n  return\n}}", 1, 2),
    ],
    ids=["public", "private", "taken as a value"],
)
def test_an_argument_is_returned_as_it_is_only_where_all_callers_are_known(visibility, more, clones, frees):
    module = parse_text(CALLED.replace("VISIBILITY", visibility) + more)
    transform(module, (PASS,), "")
    text = print_module(module)
    assert (text.count("bufferization.clone"), text.count("memref.dealloc")) == (clones, frees)


def test_what_is_only_another_s_is_copied_when_it_is_returned():
    module = parse_text(f"func.func @f(%a: {M}) -> {M} {{\n  return %a : {M}\n}}")
    transform(module, (PASS,), "")
    assert "return %0" in print_module(module)


def test_memory_of_gpus_is_freed_there():
    body = f"  %m = gpu.alloc () : {M}\n  memref.copy %a, %m : {M} to {M}\n  return"
    assert "gpu.dealloc  %memref" in freed(body)


def test_two_results_made_in_different_blocks_are_both_given_away():
    text = freed(
        f"""
  %n = memref.alloc() : {M}
  cf.br ^end
^end:
  %m = memref.alloc() : {M}
  return %n, %m : {M}, {M}""",
        results=f"-> ({M}, {M})",
    )
    assert "dealloc" not in text and "clone" not in text


def test_what_is_owned_is_not_the_buffer_of_another_owner():
    """Whether %x is %k is asked behind the loop only: in it, %k owns its buffer, so what %x owns is another."""
    text = freed(
        f"""
        %k = memref.alloc() : {M}
        memref.copy %a, %k : {M} to {M}
        %r = scf.for %i = %l to %u step %s iter_args(%x = %a) -> ({M}) {{
          memref.copy %x, %o : {M} to {M}
          %n = scf.if %c -> ({M}) {{
            %m = memref.alloc() : {M}
            memref.copy %a, %m : {M} to {M}
            scf.yield %m : {M}
          }} else {{
            scf.yield %k : {M}
          }}
          scf.yield %n : {M}
        }}
        memref.copy %r, %o : {M} to {M}
        return""",
        f"%a: {M}, %o: {M}, %c: i1, %l: index, %u: index, %s: index",
    )
    in_loop = text[text.index("scf.for") :].split("%alloc_0")[0]
    assert "arith.andi" not in in_loop and "memref.dealloc" in in_loop, text
    module = parse_text(text)
    transform(module, (PASS,), "")
    assert print_module(module) == text
