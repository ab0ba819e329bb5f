"""`-buffer-deallocation-static` where whole programs seldom lead: limits, calls of calls, functions without buffers."""

import pytest
from bufferize.analysis.freeing import equations
from bufferize.analysis.models.facts import declare_described
from bufferize.cli.fuzz_command import transform
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module

from .static_pass import freed

PASS = "-buffer-deallocation-static"
M = "memref<4xf32>"


@pytest.mark.parametrize(("width", "flags"), [(equations.MAX_WIDTH, 0), (1, 2)])
def test_a_formula_of_too_many_conditions_becomes_a_flag(width, flags, monkeypatch):
    monkeypatch.setattr(equations, "MAX_WIDTH", width)
    body, last = [f"%m = memref.alloc() : {M}"], "%m"
    for i in range(3):
        body.append(
            f"%p{i} = scf.if %x{i} -> ({M}) {{ scf.yield {last} : {M} }} else {{ scf.yield %a : {M} }}"
        )
        last = f"%p{i}"
    body.append(f"memref.copy {last}, %a : {M} to {M}\nreturn")
    lines = "\n".join(body)
    module = parse_text(f"func.func @f(%a: {M}, %x0: i1, %x1: i1, %x2: i1) {{\n{lines}\n}}")
    transform(module, (PASS,), "")
    text = print_module(module)
    assert text.count(f"-> ({M}, i1)") == flags


def test_functions_behind_one_without_buffers_are_freed_too():
    module = parse_text(
        f"""
func.func @none() {{
  return
}}
func.func @f(%a: {M}) {{
  %m = memref.alloc() : {M}
  memref.copy %a, %m : {M} to {M}
  return
}}"""
    )
    transform(module, (PASS,), "")
    assert print_module(module).count("memref.dealloc") == 1


def test_what_a_call_gives_is_freed_where_the_callee_allocates():
    module = parse_text(
        f"""
func.func private @outside() -> {M}
func.func private @make() -> {M} {{
  %m = gpu.alloc () : {M}
  return %m : {M}
}}
func.func private @hand_on() -> {M} {{
  %m = func.call @make() : () -> {M}
  return %m : {M}
}}
func.func @f(%a: {M}) {{
  %m = func.call @hand_on() : () -> {M}
  memref.copy %a, %m : {M} to {M}
  return
}}"""
    )
    transform(module, (PASS,), "")
    text = print_module(module)
    assert "gpu.dealloc" in text and "memref.dealloc" not in text


def test_what_goes_to_an_argument_that_nobody_uses_is_freed_before():
    text = freed(
        f"""
func.func @f(%c: i1, %a: {M}, %v: f32, %i: index) {{
  %m = memref.alloc() : {M}
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%a : {M})
^bb2:
  memref.store %v, %m[%i] : {M}
  cf.br ^bb3(%m : {M})
^bb3(%x: {M}):
  cf.br ^bb4(%x : {M})
^bb4(%y: {M}):
  return
}}"""
    )
    assert (
        text.count("memref.dealloc") == 2
        and "i1)" not in text.replace("%arg0: i1", "")
        and "scf.if" not in text
    )


BRANCH = """
func.func @f(%c: i1, %a: memref<2xf32>, %o: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "corner.br"(%a)[^bb3] : (memref<2xf32>) -> ()
^bb2:
  %m = memref.alloc() : memref<2xf32>
  memref.copy %a, %m : memref<2xf32> to memref<2xf32>
  "corner.br"(%m)[^bb3] : (memref<2xf32>) -> ()
^bb3(%x: memref<2xf32>):
  memref.copy %x, %o : memref<2xf32> to memref<2xf32>
  return
}"""


def test_an_unknown_branch_is_refused_and_a_described_one_followed():
    name = "corner.br"
    module = parse_text(BRANCH, allow_unregistered=True)
    with pytest.raises(PassFailed, match="forwards is not known"):
        transform(module, (PASS,), "")
    declare_described([Source("br.dl", f'forwards("{name}", 0, 0).')])
    once = freed(BRANCH)
    assert once.count("memref.dealloc") == 1 and once.index("memref.copy") < once.index("memref.dealloc")
    assert once.count("(memref<2xf32>) -> ()") == 2  # a flag travels behind the operation, whose form stays


def test_each_result_that_is_allocated_is_freed():
    declare_described(
        [
            Source(
                "two.dl",
                'allocates("corner.two", 0). allocates("corner.two", 1). freed_by("corner.two", "corner.give").',
            )
        ]
    )
    text = freed(
        """
func.func @f(%o: memref<2xf32>) {
  %m:2 = "corner.two"() : () -> (memref<2xf32>, memref<2xf32>)
  memref.copy %m#0, %o : memref<2xf32> to memref<2xf32>
  memref.copy %m#1, %o : memref<2xf32> to memref<2xf32>
  return
}"""
    )
    assert text.count("corner.give") == 2


def test_a_view_that_a_callee_returns_is_freed_by_its_base():
    """The loop passes on the second result, which has the memory of the allocation, but is not what was allocated."""
    row = "memref<3xi8, strided<[1], offset: ?>>"
    text = freed(
        f"""
func.func private @part(%m: memref<4xi8>, %i: index) -> (memref<4xi8>, {row}) {{
  %v = memref.subview %m[%i] [3] [1] : memref<4xi8> to {row}
  return %m, %v : memref<4xi8>, {row}
}}
func.func @f(%i: index, %n: index) -> i8 {{
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi8>
  %r:2 = func.call @part(%a, %one) : (memref<4xi8>, index) -> (memref<4xi8>, {row})
  %s = scf.for %k = %i to %n step %one iter_args(%p = %r#1) -> ({row}) {{
    scf.yield %p : {row}
  }}
  %x = memref.load %s[%one] : {row}
  return %x : i8
}}"""
    )
    assert "memref.dealloc %base_buffer : memref<i8>" in text


def test_the_program_frees_what_a_callee_frees_on_some_paths():
    """The caller frees it on the others. Only the program knows which, so its deallocation stays."""
    text = freed(
        f"""
func.func private @g(%m: {M}, %c: i1) {{
  scf.if %c {{ memref.dealloc %m : {M} }}
  return
}}
func.func @f(%c: i1) {{
  %t = arith.constant true
  %m = memref.alloc() : {M}
  call @g(%m, %c) : ({M}, i1) -> ()
  %n = arith.xori %c, %t : i1
  scf.if %n {{ memref.dealloc %m : {M} }}
  return
}}"""
    )
    assert "memref.dealloc %alloc : memref<4xf32>" in text


def test_buffers_around_and_in_a_structured_operation_on_tensors_are_freed():
    module = parse_text(
        """func.func @scale(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
          %c0 = arith.constant 0 : index
          %factor = memref.alloc() : memref<1xf32>
          memref.store %x, %factor[%c0] : memref<1xf32>
          %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
              outs(%t : tensor<4xf32>) {
          ^bb0(%e: f32):
            %f = memref.load %factor[%c0] : memref<1xf32>
            %cell = memref.alloc() : memref<1xf32>
            memref.store %e, %cell[%c0] : memref<1xf32>
            %l = memref.load %cell[%c0] : memref<1xf32>
            %p = arith.mulf %l, %f : f32
            linalg.yield %p : f32
          } -> tensor<4xf32>
          return %r : tensor<4xf32>
        }"""
    )
    transform(module, ("-buffer-deallocation",), "")
    text = print_module(module)
    in_region, after = text.split("linalg.yield")
    assert in_region.count("memref.dealloc") == 1 and in_region.index("arith.mulf") > in_region.index(
        "dealloc"
    )
    assert after.count("memref.dealloc") == 1
