"""Dialects of others: folders that are named, and operations of which facts say what they become."""

import re
import shlex

import pytest
from bufferize.cli.main import main as bufferize_main
from bufferize.cli.opt import main

BOUNDARIES = "-one-shot-bufferize=bufferize-function-boundaries"
DIALECT = """
from bufferize.ir.declaration.constraints import ANY_TYPE
from bufferize.ir.declaration.declare import operand, optional_result
from bufferize.ir.program.core import Operation


class StampOp(Operation):
    name = "{name}.stamp"
    target = operand(ANY_TYPE)
    value = operand(ANY_TYPE)
    stamped = optional_result(ANY_TYPE)
"""
STAMP = """
func.func @f(%t: tensor<4xf32>, %v: f32) -> tensor<4xf32> {{
  %u = "{name}.stamp"(%t, %v) : (tensor<4xf32>, f32) -> tensor<4xf32>
  return %u : tensor<4xf32>
}}
"""

RAISING = """
from bufferize import Model
class Wrong(Model):
    def reads(self, operand, context): return operand.nothing
    def writes(self, operand, context): return True
    def aliasing_values(self, operand, context): return []
from . import StampOp
MODELS = {StampOp: Wrong()}
"""


def folder(tmp_path, name, **files):
    place = tmp_path / name
    place.mkdir()
    (place / "__init__.py").write_text(DIALECT.format(name=name))
    for file, text in files.items():
        (place / f"{file}.py").write_text(text)
    program = tmp_path / "p.mlir"
    program.write_text(STAMP.format(name=name))
    return str(program), str(place)


def test_a_folder_is_named_on_the_command_line(tmp_path, capsys):
    program, place = folder(tmp_path, "folder_one")
    assert main([program, "--dialect", place]) == 0
    assert "folder_one.stamp" in capsys.readouterr().out


def test_a_folder_is_named_in_settings(tmp_path, monkeypatch, capsys):
    program, _ = folder(tmp_path, "folder_two")
    (tmp_path / "bufferize.toml").write_text('dialect = ["folder_two"]\n')
    monkeypatch.chdir(tmp_path)
    bufferize_main(["explain", program, "--no-cache"])
    assert "'folder_two.stamp' cannot be bufferized" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "files", "said"),
    [
        ("folder_three", {"models": "x = 1 +"}, "folder_three.models cannot be loaded: SyntaxError"),
        ("folder_four", {"__init__": "raise ValueError('no')"}, "cannot be loaded: ValueError: no ("),
        (
            "folder_five",
            {"models": "from bufferize import Model\nfrom . import StampOp\nMODELS = {StampOp: Model()}"},
            "must say reads and writes and aliasing_values",
        ),
        (
            "folder_six",
            {"models": "from . import StampOp\nMODELS = {StampOp: 3}"},
            "the model of 'folder_six.stamp' must be an instance of Model, not 3",
        ),
        (
            "folder_seven",
            {"models": "import folder_none"},
            "folder_seven.models cannot be loaded: ModuleNotFoundError: No module named 'folder_none'",
        ),
        ("folder_eight", {"models": RAISING}, "models.py:4: in reads: AttributeError: "),
    ],
)
def test_what_is_wrong_with_a_dialect_is_said_with_its_place(name, files, said, tmp_path, capsys):
    program, place = folder(tmp_path, name, **files)
    assert main([program, "--dialect", place, BOUNDARIES]) == 1
    error = capsys.readouterr().err
    assert said in error
    assert "internal error" not in error


def test_a_folder_that_is_not_there_is_an_error(capsys):
    assert main(["--dialect", "/nowhere/ring", "-"]) == 1
    assert "no dialect folder '/nowhere/ring'" in capsys.readouterr().err


PROGRAM = """
func.func @f(%u: tensor<16xf32>, %s: tensor<64xf32>) -> (tensor<64xf32>, tensor<4xf32>) {
  %n = "becoming.scatter"(%u, %s) ({ "becoming.end"() : () -> () }) {k = 1 : i64} : (tensor<16xf32>, tensor<64xf32>) -> tensor<64xf32>
  %a, %c = "becoming.sum"(%n) : (tensor<64xf32>) -> (tensor<4xf32>, index)
  return %n, %a : tensor<64xf32>, tensor<4xf32>
}
"""
FACTS = """
reads("becoming.scatter", 0). reads("becoming.scatter", 1). writes("becoming.scatter", 1).
aliases("becoming.scatter", 1, 0, "equivalent"). becomes("becoming.scatter", "becoming.scatter").
reads("becoming.sum", 0). becomes("becoming.sum", "becoming.sum_on_buffers").
"""


def test_facts_say_what_an_operation_becomes(tmp_path, capsys):
    program, facts = tmp_path / "p.mlir", tmp_path / "f.dl"
    program.write_text(PROGRAM)
    facts.write_text(FACTS + 'allocates("becoming.sum", 0).')
    assert main([str(program), "--models", str(facts), "--allow-unregistered-dialect", BOUNDARIES]) == 0
    text = capsys.readouterr().out
    assert '"becoming.scatter"(%arg0, %arg1)' in text and "k = 1" in text and "becoming.end" in text
    assert '"becoming.sum_on_buffers"(%arg1)' in text and "-> (memref<4xf32>, index)" in text


def test_what_facts_leave_open_is_an_error(tmp_path, capsys):
    program, facts = tmp_path / "p.mlir", tmp_path / "f.dl"
    program.write_text(PROGRAM)
    facts.write_text(FACTS)
    assert main([str(program), "--models", str(facts), "--allow-unregistered-dialect", BOUNDARIES]) == 1
    assert "nor that it is allocated (allocates)" in capsys.readouterr().err


RING = "!poly.ring<16, i32>"
POLY = f"""
func.func @f(%a: {RING}, %b: {RING}) -> {RING} {{
  %0 = "poly.mul"(%a, %b) : ({RING}, {RING}) -> {RING}
  %1 = "poly.add_into"(%0, %b) : ({RING}, {RING}) -> {RING}
  return RESULT : {RING}
}}
"""
POLY_FACTS = """
buffer_type("poly.ring", "poly.buffer").
reads("poly.mul", 0). reads("poly.mul", 1). allocates("poly.mul", 0). becomes("poly.mul", "poly.mul_buffers").
reads("poly.add_into", 0). reads("poly.add_into", 1). writes("poly.add_into", 0).
aliases("poly.add_into", 0, 0, "equivalent"). becomes("poly.add_into", "poly.add_buffers").
"""


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("%1", '"poly.add_buffers"(%0, %arg1) : (!poly.buffer<16, i32>, !poly.buffer<16, i32>) -> ()'),
        ("%0", "cannot avoid RaW conflict"),
    ],
)
def test_types_of_tensors_become_their_types_of_buffers(result, said, tmp_path, capsys):
    program, facts = tmp_path / "p.mlir", tmp_path / "f.dl"
    program.write_text(POLY.replace("RESULT", result))
    facts.write_text(POLY_FACTS)
    main([str(program), "--models", str(facts), "--allow-unregistered-dialect", BOUNDARIES])
    out, err = capsys.readouterr()
    assert said in out + err and "ring" not in out


def test_the_type_of_the_test_dialect_is_converted(tmp_path, capsys):
    tensor = "!test.test_tensor<[32, 64], f64>"
    program = tmp_path / "p.mlir"
    program.write_text(
        f'func.func @f(%a: {tensor}) -> {tensor} {{\n  %0 = "test.dummy_tensor_op"(%a) : ({tensor}) -> {tensor}\n  return %0 : {tensor}\n}}'
    )
    assert main([str(program), BOUNDARIES]) == 0
    text = capsys.readouterr().out
    assert (
        "test.dummy_memref_op" in text
        and "test_tensor" not in text
        and "!test.test_memref<[32, 64], f64>" in text
    )


PUSHED = """
func.func @f(%v: f32, %t: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {
  %u = "NAME.stamp"(%t, %v) : (tensor<4xf32>, f32) -> tensor<4xf32>
  %o = tensor.extract %t[%i] : tensor<4xf32>
  return %u, %o : tensor<4xf32>, f32
}
"""
PUSH_FACTS = """
reads("NAME.stamp", 0).
writes("NAME.stamp", 0).
aliases("NAME.stamp", 0, 0, "equivalent").
becomes("NAME.stamp", "NAME.stamp").
"""


@pytest.fixture
def described(tmp_path, request):
    """A program with an operation of the user that overwrites what is read later, and the flags that describe it."""
    name = "folder_" + "".join(c for c in request.node.name if c.isalpha())
    program, place = folder(tmp_path, name)
    facts = tmp_path / "facts.dl"
    facts.write_text(PUSH_FACTS.replace("NAME", name))
    (tmp_path / "p.mlir").write_text(PUSHED.replace("NAME", name))
    return program, ["--dialect", place, "--models", str(facts)]


COMMANDS = {
    "explain": ([], 0, r"1 copy \(16 bytes\)"),
    "compare": ([], 0, r"default +1 +16 bytes"),
    "memory": ([], 2, "ops with unknown memory side effects are not supported"),
    "graph": (["--kind", "conflicts"], 0, "copy 1: %t for"),
    "analyze": (["--analysis", "liveness"], 0, "@f: liveness"),
    "lint": ([], 0, "no findings"),
    "report": ([], 0, "1 copy"),
    "fix": (["--unsafe-fixes"], 0, "%o = tensor.extract"),
    "prove": ([BOUNDARIES], 2, "f: not proved"),
    "verify": ([BOUNDARIES], 2, "is not supported"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_accepts_descriptions(command, described, capsys):
    program, flags = described
    more, code, said = COMMANDS[command]
    assert bufferize_main([command, program, *flags, *more]) == code
    out, err = capsys.readouterr()
    assert re.search(said, out + err)


def test_the_printed_command_repeats_the_descriptions(described, capsys):
    program, flags = described
    bufferize_main(["explain", program, *flags])
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("1 copy -> 0: "))
    words = shlex.split(line.removeprefix("1 copy -> 0: bufferize-opt "))
    assert main(words) == 0
    assert "memref.copy" not in capsys.readouterr().out


def test_queries_decide_with_the_models(described, tmp_path, capsys):
    program, flags = described
    rules = tmp_path / "rules.dl"
    rules.write_text(".decl c(op: operation, n: number)\nc(op, n) :- copied(op, n).\n")
    bufferize_main(["query", program, str(rules), *flags])
    assert "c(op, n): 1 row" in capsys.readouterr().out
