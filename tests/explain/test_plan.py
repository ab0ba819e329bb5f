"""The plan of a program: its command, run as it stands, makes the copies that were said; and no rewriting copies less than is called necessary."""

import pytest
from bufferize.benchmarks import adversary, pasted
from bufferize.cli.main import main

from .test_situations import SAID
from .test_verdicts import ROWS, program

PROGRAMS = {name: program(body) for name, (body, *_) in ROWS.items()} | {
    name: text for name, (text, *_) in SAID.items()
}
BOTH = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %w, %t : tensor<4xf32>, tensor<4xf32>
}
"""
FUSED = """
func.func @f(%t: tensor<8x8xf32>, %u: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%t, %u : tensor<8x8xf32>, tensor<8x8xf32>) outs(%t : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
"""


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "a program.mlir"
        path.write_text(text)
        return str(path)

    return write


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_command_that_is_pasted_does_what_it_says(name, file, capsys):
    assert pasted.main([file(PROGRAMS[name])]) == 0, capsys.readouterr().out


def test_a_command_that_does_something_else_is_noticed(file, monkeypatch, capsys):
    monkeypatch.setattr(pasted, "counted_by_running", lambda command: 7)
    assert pasted.main([file(BOTH)]) == 1
    assert "7 made" in capsys.readouterr().out


@pytest.mark.parametrize("text", [BOTH, FUSED])
def test_no_rewriting_copies_less_than_is_necessary(text, file, capsys):
    assert adversary.main([file(text), "--rewrites", "6"]) == 0
    assert "1 programs with necessary copies" in capsys.readouterr().out


@pytest.mark.parametrize("text", [BOTH, FUSED])
def test_no_order_and_no_option_moves_less_than_is_needed(text, file, capsys):
    assert adversary.main([file(text), "--needed", "--rewrites", "12"]) == 0
    assert "1 programs with needed copies, 12 rewrites" in capsys.readouterr().out


@pytest.mark.parametrize("flags", [[], ["--needed"]])
def test_a_claim_that_falls_is_noticed(flags, file, monkeypatch):
    monkeypatch.setattr(adversary, "outcome", lambda *_: 0)
    assert adversary.main([file(BOTH), "--rewrites", "6", *flags]) == 1


def test_the_plan_comes_first_and_last(file, capsys):
    path = file(
        """
func.func @f(%x: tensor<8xf32>) -> tensor<10xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p = tensor.pad %y low[1] high[1] {
  ^bb0(%a: index):
    tensor.yield %z : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %p : tensor<10xf32>
}
"""
    )
    assert main(["explain", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == lines[-1]
    assert lines[1].startswith(f"1 copy -> 0: bufferize-opt '{path}' -one-shot-bufferize=")


V, M, R = "tensor<64xf32>", "tensor<16x16xf32>", "tensor<16xf32>"
MAPS = "#id = affine_map<(d0, d1) -> (d0, d1)>\n#tr = affine_map<(d0, d1) -> (d1, d0)>\n#row = affine_map<(d0, d1) -> (d0)>\n"
DONATED = "{tf.aliasing_output = 0 : i32}"


def accumulated(combine, type="f32", element="%a"):
    return MAPS + (
        f"func.func @f(%x: tensor<16x16x{type}>, %acc: tensor<16x{type}>) -> (tensor<16x{type}>, tensor<16x{type}>) {{\n"
        f'  %r = linalg.generic {{indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}}'
        f" ins(%x : tensor<16x16x{type}>) outs(%acc : tensor<16x{type}>) {{\n  ^bb0(%a: {type}, %o: {type}):\n"
        f"    %q = {combine} : {type}\n    linalg.yield %q : {type}\n  }} -> tensor<16x{type}>\n"
        f"  return %r, %acc : tensor<16x{type}>, tensor<16x{type}>\n}}"
    )


def row_of_a_call(callee):
    return f"""{callee}
func.func @f(%m: {M} {DONATED}, %x: {R}) -> {M} {{
  %r = call @row(%x) : ({R}) -> {R}
  %u = tensor.insert_slice %r into %m[0, 0] [1, 16] [1, 1] : {R} into {M}
  return %u : {M}
}}"""


TWINS = {
    # largest elements, and sums of integers, may be accumulated apart; sums of floats depend on the order
    "floats are summed": (accumulated("arith.addf %o, %a"), 1, "no command"),
    "the largest float": (accumulated("arith.maximumf %o, %a"), 0, "no command"),
    "integers are summed": (accumulated("arith.addi %o, %a", "i32"), 0, "no command"),
    "floats are summed in any order": (accumulated("arith.addf %o, %a fastmath<reassoc>"), 0, "no command"),
    "two destinations start from one tensor": (
        MAPS
        + f"""func.func @f(%x: {M}, %b: {R} {DONATED}) -> ({R}, {R}) {{
  %r:2 = linalg.generic {{indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}} ins(%x : {M}) outs(%b, %b : {R}, {R}) {{
  ^bb0(%i: f32, %o: f32, %p: f32):
    %q = arith.mulf %o, %i : f32
    %w = arith.addf %p, %i : f32
    linalg.yield %q, %w : f32, f32
  }} -> ({R}, {R})
  return %r#0, %r#1 : {R}, {R}
}}""",
        0,
        "2 copies -> 1: ",
    ),
    "what must not be written is returned with an update": (
        f"""func.func @f(%t: {V} {{bufferization.writable = false}}, %f: f32, %i: index) -> {V} {{
  %u = tensor.insert %f into %t[%i] : {V}
  return %u : {V}
}}""",
        1,
        "no command",
    ),
    "of what must not be written an element is returned": (
        f"""func.func @f(%t: {V} {{bufferization.writable = false}}, %f: f32, %i: index) -> f32 {{
  %u = tensor.insert %f into %t[%i] : {V}
  %x = tensor.extract %u[%i] : {V}
  return %x : f32
}}""",
        0,
        "",
    ),
    "a call computes a slice": (
        row_of_a_call(
            f"func.func private @row(%x: {R}) -> {R} {{\n  %e = tensor.empty() : {R}\n"
            f"  %r = linalg.exp ins(%x : {R}) outs(%e : {R}) -> {R}\n  return %r : {R}\n}}"
        ),
        0,
        "1 copy and 1 clone -> 0 copies: bufferize-opt PROGRAM -inline ",
    ),
    "an unknown function computes a slice": (
        row_of_a_call(f"func.func private @row(%x: {R}) -> {R}"),
        0,
        "1 copy and 1 clone -> 1 copy",
    ),
    "an argument is returned by a callee and updated": (
        f"""func.func private @id(%t: {V}) -> {V} {{
  return %t : {V}
}}
func.func @f(%t: {V}, %f: f32, %i: index) -> {V} {{
  %a = call @id(%t) : ({V}) -> {V}
  %r = tensor.insert %f into %a[%i] : {V}
  return %r : {V}
}}""",
        0,
        "no command",
    ),
    "an elementwise update reads other elements": (
        MAPS
        + f"""func.func @f(%t: {M} {DONATED}) -> {M} {{
  %r = linalg.generic {{indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}} ins(%t : {M}) outs(%t : {M}) {{
  ^bb0(%i: f32, %o: f32):
    %q = arith.addf %o, %i : f32
    linalg.yield %q : f32
  }} -> {M}
  return %r : {M}
}}""",
        0,
        "1 copy -> 0: ",
    ),
    "a caller's tensor is updated elementwise": (
        MAPS
        + f"""func.func @f(%t: {M}) -> {M} {{
  %r = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}} outs(%t : {M}) {{
  ^bb0(%o: f32):
    %q = arith.addf %o, %o : f32
    linalg.yield %q : f32
  }} -> {M}
  return %r : {M}
}}""",
        0,
        "1 clone -> 0 copies: ",
    ),
}


@pytest.mark.parametrize("name", TWINS)
def test_what_is_called_necessary_and_what_a_command_saves(name, file, capsys):
    text, necessary, line = TWINS[name]
    path = file(text)
    assert main(["explain", path]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[1].startswith(line.replace("PROGRAM", f"'{path}'"))
    assert said.count("verdict: necessary") == necessary
    assert pasted.main([path]) == 0, capsys.readouterr().out
    if necessary:
        assert adversary.main([path, "--rewrites", "40"]) == 0
