"""What is assembled of parts of others is read part by part, where that computes the same."""

import random

import pytest
from bufferize import parse, run_passes
from bufferize.analysis.cost_model import traffic
from bufferize.interpreter.verify import Options, verify_module
from bufferize.transforms.changes.rewrites import READ_PARTS, apply_all

BASE = "one-shot-bufferize=bufferize-function-boundaries"
ROLLED = """\
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @f(%t: tensor<8x6xf32>, %u: tensor<6x8xf32>, %v: tensor<6xf32>, %k: f32) -> (tensor<8x6xf32>, tensor<6x8xf32>) {
  %a = tensor.extract_slice %t[1, 0] [7, 6] [1, 1] : tensor<8x6xf32> to tensor<7x6xf32>
  %b = tensor.extract_slice %t[0, 0] [1, 6] [1, 1] : tensor<8x6xf32> to tensor<1x6xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  %p = tensor.insert_slice %a into %e[0, 0] [7, 6] [1, 1] : tensor<7x6xf32> into tensor<8x6xf32>
  %c = tensor.insert_slice %b into %p[7, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<8x6xf32>
  %e2 = tensor.empty() : tensor<6x8xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #turned, #column, affine_map<(d0, d1) -> ()>, #id, #turned], iterator_types = ["parallel", "parallel"]} ins(%c, %u, %v, %k : tensor<8x6xf32>, tensor<6x8xf32>, tensor<6xf32>, f32) outs(%e, %e2 : tensor<8x6xf32>, tensor<6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %kk: f32, %o: f32, %q: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.mulf %s, %z : f32
    %n = arith.addf %m, %kk : f32
    linalg.yield %n, %s : f32, f32
  } -> (tensor<8x6xf32>, tensor<6x8xf32>)
  return %r#0, %r#1 : tensor<8x6xf32>, tensor<6x8xf32>
}
"""


def check_same(text, options):
    module = parse(text)
    run_passes(module, [f"{BASE} {options}", "cse", "canonicalize"])
    for finding in verify_module(parse(text), module, Options(inputs=2)):
        assert not finding.failed, finding.diagnostic
    return traffic(module).copied


def test_a_rotation_is_read_where_it_lies():
    assert check_same(ROLLED, "") == 192
    assert check_same(ROLLED, "read-parts") == 0
    assert check_same(ROLLED, "fewest-copies") == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("%p[7, 0]", "%p[6, 0]", id="parts that overlap"),
        pytest.param(
            "%s = arith.addf",
            "%i = linalg.index 0 : index\n    %s = arith.addf",
            id="a reader that asks where it is",
        ),
        pytest.param("[#id, #turned, #column,", "[#turned, #turned, #column,", id="another position"),
        pytest.param("return %r#0,", "return %c,", id="it is wanted as a whole"),
        pytest.param("outs(%e, %e2", "outs(%c, %e2", id="it is written"),
        pytest.param("ins(%c, %u", "ins(%p, %u", id="a part with other contents"),
    ],
)
def test_what_is_left_alone(old, new):
    text = ROLLED.replace(old, new)
    if "[#turned, #turned" in text:
        text = text.replace("8x6", "6x6").replace("6x8", "6x6").replace("7x6", "5x6")
        text = text.replace("[7, 6]", "[5, 6]").replace("[7, 0]", "[5, 0]")
    if "outs(%c" in text:
        text = text.replace("arith.addf %m, %kk", "arith.addf %m, %o")
    module = parse(text)
    assert apply_all(module, READ_PARTS) == 0


def halved(box, pick, depth):
    """A box cut into a few."""
    (r, c), (m, n) = box
    cuts = [axis for axis, size in enumerate((m, n)) if size > 1]
    if not depth or not cuts:
        return [box]
    axis = pick.choice(cuts)
    at = pick.randint(1, (m, n)[axis] - 1)
    one = ((r, c), (at, n)) if axis == 0 else ((r, c), (m, at))
    other = ((r + at, c), (m - at, n)) if axis == 0 else ((r, c + at), (m, n - at))
    return [*halved(one, pick, depth - 1), *halved(other, pick, depth - 1)]


@pytest.mark.parametrize("seed", range(4))
def test_any_parts_compute_the_same(seed):
    pick = random.Random(seed)
    boxes = halved(((0, 0), (5, 4)), pick, 2)
    pick.shuffle(boxes)
    lines, last = ["%e0 = tensor.empty() : tensor<5x4xf32>"], "%e0"
    for i, ((r, c), (m, n)) in enumerate(boxes):
        part = f"tensor<{m}x{n}xf32>"
        at = f"{pick.randint(0, 5 - m)}, {pick.randint(0, 4 - n)}"
        lines.append(f"%p{i} = tensor.extract_slice %t[{at}] [{m}, {n}] [1, 1] : tensor<5x4xf32> to {part}")
        lines.append(
            f"%i{i} = tensor.insert_slice %p{i} into {last}[{r}, {c}] [{m}, {n}] [1, 1] : {part} into tensor<5x4xf32>"
        )
        last = f"%i{i}"
    lines.append(
        f"%r = linalg.add ins({last}, %t : tensor<5x4xf32>, tensor<5x4xf32>) outs(%u : tensor<5x4xf32>) -> tensor<5x4xf32>"
    )
    text = "func.func @f(%t: tensor<5x4xf32>, %u: tensor<5x4xf32>) -> tensor<5x4xf32> {\n  "
    text += "\n  ".join(lines) + "\n  return %r : tensor<5x4xf32>\n}\n"
    module = parse(text)
    assert apply_all(module, READ_PARTS) == 1
    assert check_same(text, "read-parts") == 0
