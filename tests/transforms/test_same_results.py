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


@pytest.mark.parametrize(
    ("source", "middle", "target", "merged"),
    [
        ("4", "2x4", "2x1x4", True),
        ("4", "2x2x4", "4x4", True),
        ("2x4", "3x2x4", "3x1x2x4", True),
        ("1x4", "2x4", "1x2x4", True),
        ("[4]", "2x[4]", "1x2x[4]", True),
        ("2x1", "2x4", "4x2x1", False),
        ("2x1", "2x[4]", "[4]x2x1", False),
        ("1x2", "3x2", "2x3", None),
    ],
)
def test_a_broadcast_and_a_cast_are_one_broadcast_if_the_order_is_kept(source, middle, target, merged):
    of = {name: f"vector<{shape}xf32>" for name, shape in (("a", source), ("b", middle), ("c", target))}
    text = f"""
func.func @f(%a: {of["a"]}) -> {of["c"]} {{
  %b = vector.broadcast %a : {of["a"]} to {of["b"]}
  %c = vector.shape_cast %b : {of["b"]} to {of["c"]}
  return %c : {of["c"]}
}}
"""
    module = parse_text(text)
    transform(module, ("-canonicalize",), "")
    names = [op.name for op in module.walk() if op.dialect == "vector"]
    assert (names == ["vector.broadcast"]) == bool(merged)


LOOP = """
func.func @f(%x: i32, %y: i32, %t: tensor<4xi32>) {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<4xi32>
  scf.for %i = %c0 to {} step %c1 {{
    %q = {} : {}
  }}
  return
}}
"""


@pytest.mark.parametrize(
    ("upper", "operation", "hoisted"),
    [
        ("%n", "arith.floordivsi %x, %y : i32", False),
        ("%c4", "arith.floordivsi %x, %y : i32", True),
        ("%c0", "arith.floordivsi %x, %y : i32", False),
        ("%n", "tensor.extract %t[%c4] : tensor<4xi32>", False),
        ("%n", "tensor.extract %t[%c1] : tensor<4xi32>", True),
        ("%n", "tensor.insert %x into %t[%n] : tensor<4xi32>", False),
        ("%n", "tensor.extract_slice %t[%n] [1] [1] : tensor<4xi32> to tensor<1xi32>", False),
        ("%n", "tensor.extract_slice %t[3] [1] [1] : tensor<4xi32> to tensor<1xi32>", True),
    ],
)
def test_what_may_be_undefined_leaves_only_loops_that_run(upper, operation, hoisted):
    text, _, type = operation.partition(" : ")
    module = parse_text(LOOP.format(upper, text, type))
    transform(module, ("-loop-invariant-code-motion",), "")
    [moved] = [op for op in module.walk() if op.name == text.partition(" ")[0]]
    assert (moved.parent_op.name == "func.func") == hoisted
