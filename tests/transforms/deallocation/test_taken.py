"""What calls take: arguments that functions free, keep, or give back as several results."""

from __future__ import annotations

import pytest
from bufferize.explain.static_ownership import owners_of_buffers
from bufferize.interpreter.fuzz import run_watched
from bufferize.interpreter.measure import NeededAfter
from bufferize.interpreter.verify import functions_of
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.ir.text.parser import parse_text

from .static_pass import freed

M = "memref<4xf32>"


def main(callee: str) -> str:
    """A caller that allocates and hands over, and how often it frees."""
    return f"""
func.func @main(%c: i1) {{
  %z = arith.constant 0.0 : f32
  %a = memref.alloc() : {M}
  linalg.fill ins(%z : f32) outs(%a : {M})
  func.call @{callee}(%c, %a) : (i1, {M}) -> ()
  return
}}"""


@pytest.mark.parametrize(
    ("function", "frees"),
    [
        (f"func.func private @f(%c: i1, %a: {M}) {{ memref.dealloc %a : {M} return }}", 0),
        (f"func.func @f(%c: i1, %a: {M}) {{ memref.dealloc %a : {M} return }}", 0),
        (
            f"""func.func private @f(%c: i1, %a: {M}) {{
              %v = memref.cast %a : {M} to memref<?xf32>
              cf.cond_br %c, ^l, ^r
            ^l:
              memref.dealloc %v : memref<?xf32>
              return
            ^r:
              memref.dealloc %a : {M}
              return
            }}""",
            0,
        ),
        (f"func.func private @f(%c: i1, %a: {M}) {{ scf.if %c {{ memref.dealloc %a : {M} }} return }}", 0),
        (
            f"""func.func private @f(%c: i1, %a: {M}) {{ func.call @g(%a, %c) : ({M}, i1) -> () return }}
            func.func private @g(%a: {M}, %c: i1) {{ memref.dealloc %a : {M} return }}""",
            0,
        ),
        (f"func.func private @f(i1, {M})", 1),
        (f"func.func private @f(%c: i1, %a: {M}) {{ return }}", 1),
        (
            f"""func.func private @f(%c: i1, %a: {M}) {{
              %n = memref.alloc() : {M}
              memref.copy %a, %n : {M} to {M}
              %m = arith.select %c, %a, %n : {M}
              memref.copy %a, %m : {M} to {M}
              return
            }}""",
            1,
        ),
        (
            f"""memref.global @table : memref<1x{M}>
            func.func private @f(%c: i1, %a: {M}) {{
              %t = memref.get_global @table : memref<1x{M}>
              %i = arith.constant 0 : index
              memref.store %a, %t[%i] : memref<1x{M}>
              return
            }}""",
            0,
        ),
    ],
    ids=[
        "frees",
        "public",
        "on each path",
        "on some",
        "by a call",
        "not declared",
        "nothing",
        "frees its own",
        "stores",
    ],
)
def test_the_caller_leaves_what_is_taken(function, frees):
    text = freed(function + main("f"))
    assert text[text.index("@main") :].count("memref.dealloc") == frees


def test_what_a_function_freed_cannot_be_freed_again():
    text = f"func.func private @f(%c: i1, %a: {M}) {{ memref.dealloc %a : {M} return }}" + main("f")
    text = text.replace("  return\n}", f"  memref.dealloc %a : {M}\n  return\n}}")
    with pytest.raises(PassFailed, match="freed twice") as refused:
        freed(text)
    assert "freed here already" in str(refused.value)


@pytest.mark.parametrize(
    "body",
    [
        f"return %a, %a : {M}, {M}",
        f"%v = memref.cast %a : {M} to {M} return %v, %a : {M}, {M}",
        f"""%b = memref.alloc() : {M}
        linalg.fill ins(%z : f32) outs(%b : {M})
        %m = arith.select %c, %a, %b : {M}
        return %a, %m : {M}, {M}""",
        f"""%b = memref.alloc() : {M}
        linalg.fill ins(%z : f32) outs(%b : {M})
        %m = arith.select %c, %b, %p : {M}
        return %m, %b : {M}, {M}""",
    ],
    ids=["twice", "a view", "sometimes", "or an argument"],
)
@pytest.mark.parametrize("which", ["true", "false"])
def test_one_buffer_returned_twice_stays_one(body, which):
    program = f"""
func.func private @two(%c: i1, %p: {M}) -> ({M}, {M}) {{
  %z = arith.constant 1.0 : f32
  %a = memref.alloc() : {M}
  linalg.fill ins(%z : f32) outs(%a : {M})
  {body}
}}
func.func @main() -> f32 {{
  %i = arith.constant 0 : index
  %c = arith.constant {which}
  %z = arith.constant 2.0 : f32
  %p = memref.alloc() : {M}
  linalg.fill ins(%z : f32) outs(%p : {M})
  %r:2 = func.call @two(%c, %p) : (i1, {M}) -> ({M}, {M})
  memref.store %z, %r#0[%i] : {M}
  %x = memref.load %r#1[%i] : {M}
  %y = memref.load %r#0[%i] : {M}
  %s = arith.subf %x, %y : f32
  return %s : f32
}}"""
    text = freed(program)
    assert "clone" not in text
    assert run_watched(parse_text(program), 1) == run_watched(parse_text(text), 1)
    module = parse_text(text)
    run_watched(module, 1, NeededAfter(functions_of(module)[-1]))  # raises if something is left over


def test_the_explanation_is_of_the_program_as_it_is():
    """Not of one in which reallocations are expanded, as the ownership-based pass needs it."""
    module = parse_text(
        f"""
func.func private @grow(%a: {M}) -> memref<8xf32> {{
  %b = memref.realloc %a : {M} to memref<8xf32>
  return %b : memref<8xf32>
}}"""
        + main("f").replace(
            "func.call @f(%c, %a) : (i1, memref<4xf32>) -> ()",
            f"%g = func.call @grow(%a) : ({M}) -> memref<8xf32> memref.dealloc %g : memref<8xf32>",
        )
    )
    said = [label.text for found in owners_of_buffers(module) for label in found.labels]
    assert any("freed by the program" in text for text in said) and not any("owned(" in text for text in said)


def test_the_first_of_two_results_may_be_used_no_more_than_the_second():
    program = f"""
func.func private @two(%c: i1, %p: {M}) -> ({M}, {M}) {{
  %a = memref.alloc() : {M}
  memref.copy %p, %a : {M} to {M}
  %b = memref.alloc() : {M}
  memref.copy %p, %b : {M} to {M}
  %m = arith.select %c, %a, %b : {M}
  return %a, %m : {M}, {M}
}}
func.func @main() -> f32 {{
  %i = arith.constant 0 : index
  %c = arith.constant true
  %z = arith.constant 2.0 : f32
  %p = memref.alloc() : {M}
  linalg.fill ins(%z : f32) outs(%p : {M})
  %r:2 = func.call @two(%c, %p) : (i1, {M}) -> ({M}, {M})
  %x = memref.load %r#1[%i] : {M}
  return %x : f32
}}"""
    module = parse_text(freed(program))
    assert run_watched(module, 1, NeededAfter(functions_of(module)[-1])) is not None


def test_a_buffer_that_is_returned_twice_stays_one_where_it_is_copied_at_run_time():
    program = f"""
func.func private @twice(%c: i1) -> ({M}, {M}) {{
  %a = memref.alloc() : {M}
  %r:2 = scf.while (%x = %a, %y = %a) : ({M}, {M}) -> ({M}, {M}) {{
    scf.condition(%c) %x, %x : {M}, {M}
  }} do {{
  ^bb0(%p: {M}, %q: {M}):
    scf.yield %q, %p : {M}, {M}
  }}
  return %r#0, %r#0 : {M}, {M}
}}"""
    once = freed(program)
    assert freed(once) == once
    returned = next(line for line in once.splitlines() if line.strip().startswith("return"))
    first, second = returned.split(":")[0].removeprefix("    return ").split(", ")[:2]
    assert first.strip() == second.strip()
