"""Explanations: each example says what it is about, help is true, machine formats agree with the analysis."""

import json
from pathlib import Path

import pytest
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.analysis.sizes import format_bytes
from bufferize.cli.main import main
from bufferize.explain.report import explain
from bufferize.explain.suggest import Totals
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.ir.verifier import verify
from bufferize.transforms.bufferize.on_copy import bufferize_copy
from bufferize.transforms.changes.difference import apply_edits
from bufferize.viz.render_diagnostic import render_diagnostics

EXAMPLES = Path(__file__).parents[2] / "examples"
OPTIONS = AnalysisOptions(bufferize_function_boundaries=True)


def explained(text, options=OPTIONS, **more):
    source = Source("test.mlir", text)
    module = parse_source(source, allow_unregistered=True)
    verify(module, allow_unregistered=True)
    return explain(module, options, source=source, **more)


def codes(explanation):
    return [d.code for d in explanation.diagnostics]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cell", ["read-after-write"]),
        ("loop", ["carried-around-loop"]),
        ("constant", ["not-writable"]),
        ("slice", ["read-after-write", "insertion", "not-owned"]),
        ("destination", ["read-after-write", "not-owned"]),
        ("parallel", ["parallel-region", "insertion", "not-owned"]),
        ("no_destination", ["no-destination"]),
        ("call", ["not-owned", "read-after-write"]),
    ],
)
def test_examples_show_what_they_are_for(name, expected):
    assert codes(explained((EXAMPLES / f"{name}.mlir").read_text())) == expected


def test_the_whole_picture_of_the_first_example():
    found = explained((EXAMPLES / "cell.mlir").read_text())
    found.diagnostics[0].suggestions = found.diagnostics[0].suggestions[:1]
    assert render_diagnostics(found.diagnostics, width=100) == (
        """\
remark[read-after-write]: %t is copied (4096 bytes): 'tensor.extract' still needs what
                          'tensor.insert' would overwrite
 --> test.mlir:3:32
  |
2 | func.func @swap_cell(%t: tensor<1024xf32>, %f: f32, %i: index) -> (tensor<1024xf32>, f32) {
  |                      -- %t gets its contents from the caller
3 |   %new = tensor.insert %f into %t[%i] : tensor<1024xf32>
  |                                ^^ writing here would overwrite %t
4 |   %old = tensor.extract %t[%i] : tensor<1024xf32>
  |                         -- whose old value is read here
  = note: 4096 bytes are allocated and copied
  = verdict: avoidable: move 'tensor.extract' up, before 'tensor.insert' writes
help: move 'tensor.extract' up, before 'tensor.insert' writes
  |
3 -   %new = tensor.insert %f into %t[%i] : tensor<1024xf32>
4 -   %old = tensor.extract %t[%i] : tensor<1024xf32>
3 +   %old = tensor.extract %t[%i] : tensor<1024xf32>
4 +   %new = tensor.insert %f into %t[%i] : tensor<1024xf32>
  |
  = saves: 1 copy (4096 bytes) and 1 allocation; it overwrites %t of @swap_cell;
           -buffer-deallocation-pipeline then makes 1 more clone
  = safe: the program computes the same; the changed program was analysed again"""
    )


HELPED = ["cell", "slice", "destination", "call"]


@pytest.mark.parametrize("name", HELPED)
def test_help_is_true(name):
    """Every suggestion, applied, gives a valid program that needs less, as it says."""
    found = explained((EXAMPLES / f"{name}.mlir").read_text())
    suggestions = [s for d in found.diagnostics for s in d.suggestions]
    assert suggestions
    before = Totals.of(found.memory_report)
    for suggestion in suggestions:
        source = suggestion.edits[0].span.source
        text = apply_edits(source, suggestion.edits)
        module = parse_source(Source("changed", text))
        verify(module)
        assert Totals.of(bufferize_copy(analyze(module, OPTIONS)).memory_report).improves_on(before)
        assert suggestion.verified


def test_a_permission_is_suggested_where_an_argument_is_protected():
    text = """
    func.func @f(%t: tensor<4xf32> {bufferization.writable = false}, %f: f32, %i: index) -> tensor<4xf32> {
      %u = tensor.insert %f into %t[%i] : tensor<4xf32>
      return %u : tensor<4xf32>
    }
    """
    found = explained(text)
    assert codes(found) == ["not-writable"]
    (suggestion,) = found.diagnostics[0].suggestions
    assert suggestion.title.startswith("if callers no longer need %t")
    assert suggestion.edits[0].replacement == "true"


def test_the_chain_through_which_values_share_a_buffer_is_shown():
    text = """
    func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
      %s = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %c = tensor.cast %s : tensor<4xf32> to tensor<?xf32>
      %u = tensor.insert %f into %t[%i] : tensor<8xf32>
      %x = tensor.extract %c[%i] : tensor<?xf32>
      return %u, %x : tensor<8xf32>, f32
    }
    """
    found = explained(text)
    texts = [step.text for d in found.diagnostics for step in d.steps]
    assert any("'tensor.cast' is in place" in step for step in texts)


def test_several_conflicts_are_counted_and_shown_on_request():
    text = """
    func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32, f32) {
      %u = tensor.insert %f into %t[%i] : tensor<8xf32>
      %x = tensor.extract %t[%i] : tensor<8xf32>
      %y = tensor.extract %t[%i] : tensor<8xf32>
      return %u, %x, %y : tensor<8xf32>, f32, f32
    }
    """
    (diagnostic,) = explained(text).diagnostics
    assert any(note.text.startswith("1 other conflict") for note in diagnostic.notes)
    (diagnostic,) = explained(text, show_all=True).diagnostics
    assert len(diagnostic.children) == 1


def test_cost_is_symbolic_and_counts_loops():
    text = """
    func.func @f(%t: tensor<?x8xf64>, %c: tensor<?x8xf64>, %f: f64, %n: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%acc = %f) -> f64 {
        %u = tensor.insert %acc into %t[%i, %c0] : tensor<?x8xf64>
        %x = tensor.extract %u[%i, %c1] : tensor<?x8xf64>
        %y = tensor.extract %t[%i, %c1] : tensor<?x8xf64>
        %z = arith.addf %x, %y : f64
        scf.yield %z : f64
      }
      return %r : f64
    }
    """
    (diagnostic,) = explained(text).diagnostics
    assert diagnostic.data["size"] == "64*%t.0"
    assert diagnostic.data["times"] == 16
    assert any("64*%t.0 bytes are allocated and copied, 16 times" in note.text for note in diagnostic.notes)


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0 bytes"), (1, "1 byte"), (8191, "8191 bytes"), (8192, "8.0 KiB"), (3 << 30, "3.0 GiB")],
)
def test_bytes_are_readable(count, shown):
    assert format_bytes(count) == shown


# -- the command


def run(capsys, *arguments):
    code = main(["explain", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_json_lists_exactly_what_is_out_of_place(capsys):
    path = EXAMPLES / "slice.mlir"
    code, out, _ = run(capsys, path, "--format", "json")
    data = json.loads(out)
    assert code == 0
    listed = {(o["operation"], o["operand"], o["at"]["line"]) for o in data["summary"][0]["outOfPlace"]}
    explained_operands = {
        (
            d["data"]["operand"]["operation"],
            d["data"]["operand"]["operand"],
            d["data"]["operand"]["at"]["line"],
        )
        for d in data["diagnostics"]
        if not d["data"].get("inPlace", True)
    }
    assert listed == explained_operands == {("tensor.extract_slice", 0, 4)}


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (["--fail-on-copy"], 1),
        (["--budget", "0"], 1),
        (["--budget", "1"], 0),
        (["--budget", "swap_cell=0"], 1),
        (["--budget", "other=0"], 2),
        (["--budget", "many"], 2),
        (["--function", "nobody"], 2),
        (["--function", "swap_cell"], 0),
        (["--function", "swap_cell", "--budget", "swap_cell=1"], 0),
        (["--why", "%nothing"], 2),
        (["--select", "read-after-write"], 0),
        (["--select", "read-after-wrote"], 2),
        (["--limit", "x"], 2),
        (["--dump", "1"], 2),
    ],
)
def test_exit_codes(capsys, flags, code):
    assert run(capsys, EXAMPLES / "cell.mlir", *flags)[0] == code


def test_why_tells_of_operands_in_place_too(capsys):
    code, out, _ = run(capsys, EXAMPLES / "cell.mlir", "--why", "%new", "--no-help")
    assert code == 0
    assert "%new is used in place by 'func.return': no copy" in out


def test_proofs_cite_the_rules(capsys):
    _, out, _ = run(capsys, EXAMPLES / "cell.mlir", "--proof")
    assert "raw_conflict(tensor.extract:4[0], tensor.insert:3[1], %t)" in out
    assert "C1" in out and "C2" in out


def test_a_facts_file_describes_an_operation(capsys, tmp_path):
    program = tmp_path / "p.mlir"
    program.write_text(
        'func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = "my.peek"(%t) : (tensor<4xf32>) -> f32\n'
        '  %1 = "my.update"(%t) : (tensor<4xf32>) -> tensor<4xf32>\n  return %1 : tensor<4xf32>\n}\n'
    )
    facts = tmp_path / "my.dl"
    facts.write_text(
        'reads("my.peek", 0).\nreads("my.update", 0).\nwrites("my.update", 0).\naliases("my.update", 0, 0, "equivalent").\n'
    )
    _, without, _ = run(capsys, program, "--format", "json")
    _, described, _ = run(capsys, program, "--models", facts, "--format", "json")
    assert json.loads(without)["summary"][0]["outOfPlace"]
    assert not json.loads(described)["summary"][0]["outOfPlace"]


@pytest.mark.parametrize("format", ["text", "json", "github", "sarif"])
def test_every_format_is_written(capsys, format):
    code, out, _ = run(capsys, EXAMPLES / "parallel.mlir", "--format", format)
    assert code == 0
    assert out.endswith("\n")
    if format in ("json", "sarif"):
        json.loads(out)


def test_ownership_is_explained_of_buffers_and_of_tensors(capsys):
    code, out, _ = run(capsys, EXAMPLES / "ownership.mlir", "--ownership")
    assert code == 0
    assert "remark[freed-at-run-time]: %made is freed by its owner" in out
    code, out, _ = run(capsys, EXAMPLES / "cell.mlir", "--ownership", "--format", "json")
    (finding,) = json.loads(out)["diagnostics"]
    assert (code, finding["code"]) == (0, "returned-to-caller")
    assert finding["span"]["file"].endswith("cell.mlir"), "it is told of the source"
    assert finding["message"] == "the copy of %t is returned: the caller frees it"
