"""What is kept of an explanation is data: a number of a line is one wherever it stands, in places, sentences, sizes and verdicts."""

from pathlib import Path

import pytest
from bufferize.analysis.one_shot.options import AnalysisOptions
from bufferize.explain.kept import to_data
from bufferize.explain.report import explain
from bufferize.ir.source.locations import Source
from bufferize.ir.source.text import ByteCount, LineNumber, Text, ValueName, from_plain, joined, say, to_plain
from bufferize.ir.text.parser import parse_source

from .test_situations import SAID

ROOT = Path(__file__).parents[2]
LOOPS = """
func.func @f(%t: tensor<?xf32>, %n: index, %m: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
    %s = scf.while (%k = %m) : (index) -> index {
      %c = arith.cmpi slt, %k, %n : index
      scf.condition(%c) %k : index
    } do {
    ^bb0(%k: index):
      %u = tensor.insert %f into %t[%k] : tensor<?xf32>
      %x = tensor.extract %u[%c0] : tensor<?xf32>
      "test.use"(%x) : (f32) -> ()
      scf.yield %k : index
    }
    %y = tensor.extract %t[%s] : tensor<?xf32>
    scf.yield %y : f32
  }
  return %r : f32
}"""
TEXTS = {
    "loops": LOOPS,
    **{path.stem: path.read_text("utf-8") for path in sorted((ROOT / "examples").glob("*.mlir"))},
    **{name: text for name, (text, _, _) in SAID.items()},
}


def data(text: str, first_line: int) -> dict[str, object]:
    source = Source("t.mlir", text, first_line)
    module = parse_source(source, allow_unregistered=True)
    options = AnalysisOptions(bufferize_function_boundaries=True)
    return to_data(explain(module, options, source=source, show_all=True), source, for_machines=True)


@pytest.mark.parametrize("name", TEXTS)
def test_every_number_of_a_line_is_known_to_be_one(name):
    here, there = data(TEXTS[name], 1), data(TEXTS[name], 70_001)
    assert from_plain(there, lambda line: line - 70_000) == from_plain(here)


def test_a_text_is_its_template_and_arguments():
    text = say("{value} on line {line}", value=ValueName("%t"), line=LineNumber(7))
    size = ByteCount.of(
        "{count} bytes", {"count": joined("*", ("4", say("trips@{line}", line=LineNumber(7))))}
    )
    both = say("{what}: {bytes}", what=text, bytes=size)
    assert both == "%t on line 7: 4*trips@7 bytes"
    again = from_plain(to_plain({"said": [both]}), lambda line: line + 10)["said"][0]
    assert isinstance(again, Text)
    assert again == "%t on line 17: 4*trips@17 bytes"
    assert again.template == both.template
    assert isinstance(again.arguments["bytes"], ByteCount)
