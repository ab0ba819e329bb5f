"""`-buffer-deallocation-static` where whole programs seldom lead: limits, calls of calls, functions without buffers."""

import pytest
from bufferize.analysis.freeing import equations
from bufferize.cli.fuzz_command import transform
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module

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
