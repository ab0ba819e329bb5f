"""Files of IR dumps: read as the sequence of programs they are, by `ir/source/reading.py`; chosen from, and tabulated."""

import json

import pytest
from bufferize.cli.main import main
from bufferize.ir.source.locations import Source
from bufferize.ir.source.reading import read_dumps

HEAD = "// -----// IR Dump {} //----- //\n"
CALLEE = """func.func private @g(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %u : tensor<4xf32>
}
"""
CALLER = """func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %u = call @g(%t, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %u, %x : tensor<4xf32>, f32
}
"""
BUFFERS = """#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%t: memref<4xf32>) -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %t, %a : memref<4xf32> to memref<4xf32>
    return %a : memref<4xf32>
  } loc(#loc1)
} loc(#loc)
#loc = loc("a.mlir":1:1)
#loc1 = loc("a.mlir":2:1)
"""
DUMPS = (
    "a.mlir:1:1: remark: something was said before\n"
    + HEAD.format("After CSE (cse)")
    + CALLEE
    + "\n"
    + HEAD.format("After CSE (cse)")
    + CALLER
    + "\n"
    + HEAD.format("Before OneShotBufferizePass (one-shot-bufferize) ('builtin.module' operation)")
    + CALLEE
    + "\n"
    + HEAD.format("After OneShotBufferizePass (one-shot-bufferize)")
    + BUFFERS
    + "\n\n"
    + HEAD.format("After Mine (mine)")
    + "module {\n  not a program\n}\n\n"
    + BUFFERS
)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "dumps.mlir"
    path.write_text(DUMPS)
    return str(path)


def test_a_file_of_dumps_is_a_sequence_of_programs():
    dumps = read_dumps(Source("dumps.mlir", DUMPS))
    assert [(dump.is_called, dump.subject) for dump in dumps] == [
        ("after cse", "g"),
        ("after cse", "f"),
        ("before one-shot-bufferize", "g"),
        ("after one-shot-bufferize", ""),
        ("after mine", ""),
        ("output", ""),
    ]
    for dump, text in zip(dumps, (CALLEE, CALLER, CALLEE, BUFFERS, "module {", BUFFERS), strict=True):
        assert dump.source.text.startswith(text.rstrip().split("\n")[0])
        assert DUMPS.split("\n")[dump.source.first_line - 1] == dump.source.text.split("\n")[0]
    assert dumps[3].source.text.rstrip() == BUFFERS.rstrip() == dumps[5].source.text.rstrip()


def test_what_is_no_dump_is_none():
    assert read_dumps(Source("a.mlir", CALLER)) == []
    assert read_dumps(Source("a.mlir", HEAD.format("After CSE (cse)"))) == []


def test_a_location_in_front_belongs_to_what_follows():
    text = (
        HEAD.format("After CSE (cse)")
        + BUFFERS
        + "\n"
        + '#loc2 = loc("b.mlir":1:1)\nmodule {\n} loc(#loc2)\n'
    )
    first, second = read_dumps(Source("a.mlir", text))
    assert "#loc2" not in first.source.text
    assert second.source.text.startswith("#loc2 = ")


def test_without_a_choice_explain_shows_what_each_pass_added(file, capsys):
    assert main(["explain", file]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("6 IR dumps")
    assert lines[1].split() == [
        "dump",
        "pass",
        "line",
        "copies",
        "allocations",
        "clones",
        "frees",
        "to",
        "come",
        "bytes",
        "copied",
    ]
    assert lines[3].split()[:4] == ["2", "after", "cse", "@f"]
    assert lines[3].split()[5:] == ["0", "0", "0", "0", "1", "(+1)", "16", "bytes"]
    assert lines[5].split()[4:] == ["1", "(+1)", "1", "(+1)", "0", "0", "0", "(-1)", "16", "bytes"]
    assert "cannot be read: " in lines[6]
    assert main(["explain", file, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["dumps"]
    assert [row.get("copies") for row in rows] == [0, 0, 0, 1, None, 1]
    assert rows[1]["added"]["copiesToCome"] == 1
    assert rows[4]["problem"]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--dump", "2"], "1 copy (16 bytes)"),
        (["--pass", "cse"], "all: 5 tensor operands, 4 in place, 1 copy"),
        (["--pass", "OneShotBufferizePass"], "0 tensor operands"),
    ],
)
def test_one_is_chosen_by_its_number_or_its_pass(file, capsys, flags, said):
    assert main(["explain", file, "--no-help", *flags]) == 0
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["explain", "--dump", "9"], "there is no dump 9"),
        (["explain", "--pass", "csse"], "no dump of"),
        (["explain", "--pass", "csse"], "did you mean 'cse'?"),
        (["explain", "--fail-on-copy"], "choose one with --dump N or --pass NAME"),
        (["explain", "--format", "sarif"], "choose one with --dump N or --pass NAME"),
        (["lint"], "choose one with --dump N or --pass NAME (cse, one-shot-bufferize, mine, output)"),
        (["graph"], "choose one with --dump N or --pass NAME"),
    ],
)
def test_a_choice_that_cannot_be_made_is_refused(file, capsys, words, said):
    assert main([words[0], file, *words[1:]]) == 2
    assert said in capsys.readouterr().err


def test_a_pass_that_ran_several_times_is_no_choice(tmp_path, capsys):
    path = tmp_path / "dumps.mlir"
    path.write_text((HEAD.format("After CSE (cse)") + CALLEE + "\n") * 2)
    assert main(["explain", str(path), "--pass", "cse"]) == 2
    assert "the pass 'cse' ran 2 times: choose with --dump, of 1, 2" in capsys.readouterr().err
