"""Programs that passes once changed: after the passes, `verify` finds no difference."""

import pytest
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.verify import SAME, Options, verify_module
from bufferize.ir.text.parser import parse_text

PROGRAMS: dict[str, tuple[str, str]] = {
    "a masked write that overwrites a part of an earlier one": (
        "-canonicalize",
        """
func.func @f(%t: tensor<4xf32>, %v: vector<4xf32>, %u: vector<4xf32>, %m: vector<4xi1>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  %r = vector.mask %m { vector.transfer_write %u, %w[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32> } : vector<4xi1> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
""",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_results_are_the_same(name):
    flags, text = PROGRAMS[name]
    before = parse_text(text)
    after = before.clone()
    transform(after, tuple(flags.split(" ")), "")
    for found in verify_module(before, after, Options()):
        assert found.status == SAME, found.diagnostic
