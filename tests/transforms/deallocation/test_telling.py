"""Private functions that tell their callers whether they come to own a result, rather than copy it."""

from __future__ import annotations

import pytest

from .static_pass import freed

M = "memref<4xf32>"
PICK = f"""
func.func private @pick(%c: i1, %a: {M}) -> {M} {{
  cf.cond_br %c, ^new, ^end(%a : {M})
^new:
  %n = memref.alloc() : {M}
  memref.copy %a, %n : {M} to {M}
  cf.br ^end(%n : {M})
^end(%m: {M}):
  return %m : {M}
}}
"""
MAIN = f"""
func.func @main(%c: i1, %a: {M}, %o: {M}) {{
  %p = func.call @pick(%c, %a) : (i1, {M}) -> {M}
  memref.copy %p, %o : {M} to {M}
  return
}}
"""
RECURSIVE = f"""
func.func private @again(%c: i1, %a: {M}) -> {M} {{
  %r = scf.if %c -> ({M}) {{
    %f = arith.constant false
    %n = memref.alloc() : {M}
    memref.copy %a, %n : {M} to {M}
    %x = func.call @again(%f, %n) : (i1, {M}) -> {M}
    scf.yield %x : {M}
  }} else {{
    scf.yield %a : {M}
  }}
  return %r : {M}
}}
"""


@pytest.mark.parametrize("program", [PICK + MAIN, RECURSIVE], ids=["branches", "recursive"])
def test_a_private_function_tells_instead_of_copying(program):
    text = freed(program)
    assert f"-> ({M} {{bufferization.owned = 1 : i64}}, i1)" in text
    assert "bufferization.clone" not in text


def test_the_caller_frees_what_it_is_told_to_own():
    text = freed(PICK + MAIN)
    assert "scf.if %0#1 {" in text
    assert text.count("memref.dealloc") == 1


def test_what_was_passed_is_freed_once_under_the_name_that_comes_back():
    text = freed(
        PICK
        + f"""
func.func @main(%c: i1, %o: {M}) {{
  %a = memref.alloc() : {M}
  memref.copy %o, %a : {M} to {M}
  %p = func.call @pick(%c, %a) : (i1, {M}) -> {M}
  memref.copy %p, %o : {M} to {M}
  return
}}"""
    )
    # %a goes where %p is another buffer; %p is ours either way
    main = text[text.index("@main") :]
    assert main.count("scf.if") == 1
    assert main.count("memref.dealloc") == 2


@pytest.mark.parametrize(
    "program",
    [
        PICK.replace(" private", ""),
        PICK
        + (
            "func.func @taken() -> ((i1, M) -> M) {\n  %f = constant @pick : (i1, M) -> M\n"
            "  return %f : (i1, M) -> M\n}"
        ).replace("M", M),
    ],
    ids=["public", "not only called"],
)
def test_who_may_be_called_by_others_copies(program):
    text = freed(program)
    assert text.count("bufferization.clone") == 1
    assert "bufferization.owned" not in text


def test_a_declaration_can_say_that_it_tells():
    text = freed(
        f"""
func.func private @other({M}) -> ({M} {{bufferization.owned = 1 : i64}}, i1)
func.func @main(%a: {M}, %o: {M}) {{
  %p:2 = func.call @other(%a) : ({M}) -> ({M}, i1)
  memref.copy %p#0, %o : {M} to {M}
  return
}}"""
    )
    assert "scf.if %0#1 {" in text


def test_what_a_call_gives_without_strides_is_freed_as_it_is():
    text = freed(
        """
#tile = affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>
func.func private @other() -> memref<8xf32, #tile>
func.func @main() {
  %p = func.call @other() : () -> memref<8xf32, #tile>
  return
}"""
    )
    assert "memref.dealloc %0" in text


def test_what_only_calls_make_is_no_argument():
    """A function that returns what another one makes owns it: no flag."""
    text = freed(
        f"""
func.func private @make(%a: {M}) -> {M} {{
  %n = memref.alloc() : {M}
  memref.copy %a, %n : {M} to {M}
  return %n : {M}
}}
func.func private @pass(%a: {M}) -> {M} {{
  %n = func.call @make(%a) : ({M}) -> {M}
  return %n : {M}
}}"""
    )
    assert "i1" not in text
    assert "clone" not in text
