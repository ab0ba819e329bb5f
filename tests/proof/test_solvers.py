"""Index questions that bounds do not answer: what solvers find out, what they must not, and what they say when they give up."""

import bufferize
import pytest
from bufferize.cli import prove_command
from bufferize.cli.main import main
from bufferize.ir.types import types as t
from bufferize.proof import ranges, solvers
from bufferize.proof.terms import ONE, add, make, mul, number
from hypothesis import given, settings, strategies as st

pytest.importorskip("islpy")
pytest.importorskip("z3")


def written_in_place(write: str, read: str) -> tuple[str, str]:
    """A write and a read of one tensor, at places made from %i, %j and %n; and both in one buffer."""
    places = f"%w = affine.apply affine_map<(i, j)[n] -> ({write})>(%i, %j)[%n]\n" \
        f"  %r = affine.apply affine_map<(i, j)[n] -> ({read})>(%i, %j)[%n]"  # fmt: skip
    if "*n" in write.replace(" ", ""):
        places = "%w0 = arith.muli %n, %n : index\n  %w = arith.addi %w0, %c1 : index\n  %r = arith.constant 0 : index"
    head = "  %c1 = arith.constant 1 : index\n  " + places
    before = f"""
func.func @f(%t: tensor<?xf32>, %v: f32, %i: index, %j: index, %n: index) -> (tensor<?xf32>, f32) {{
{head}
  %u = tensor.insert %v into %t[%w] : tensor<?xf32>
  %x = tensor.extract %t[%r] : tensor<?xf32>
  return %u, %x : tensor<?xf32>, f32
}}"""
    after = f"""
func.func @f(%t: memref<?xf32>, %v: f32, %i: index, %j: index, %n: index) -> (memref<?xf32>, f32) {{
{head}
  memref.store %v, %t[%w] : memref<?xf32>
  %x = memref.load %t[%r] : memref<?xf32>
  return %t, %x : memref<?xf32>, f32
}}"""
    return before, after


@pytest.mark.parametrize(
    ("write", "read", "needs"),
    [
        ("2 * i", "2 * j + 1", "islpy"),
        ("(i floordiv 8) * 8", "(j floordiv 8) * 8 + 1 + n mod 4", "islpy"),
        ("n * n + 1", "0", "z3"),
        ("2 * i", "2 * j", None),
        ("3 * i", "2 * j + 1", None),
    ],
)
def test_places_that_are_apart(write, read, needs):
    modules = [bufferize.parse(text) for text in written_in_place(write, read)]
    assert not bufferize.prove(*modules).proved
    assert bufferize.prove(*modules, solvers=["islpy"]).proved == (needs == "islpy")
    assert bufferize.prove(*modules, solvers=["islpy", "z3"]).proved == (needs is not None)


def symbol(name: str):
    return make("sym", name, type=t.INDEX)


BOXES = st.tuples(st.integers(-6, 6), st.integers(0, 4), st.integers(-3, 3), st.sampled_from(["", "i", "j"]))


@settings(max_examples=15, deadline=None)
@given(BOXES, BOXES)
def test_boxes_apart_share_no_index_whatever_their_symbols_are(left, right):
    def box(given):
        offset, size, stride, name = given
        at = add(number(offset), mul(number(2), symbol(name))) if name else number(offset)
        return (at,), (number(size),), (number(stride),)

    def indices(given, values):
        offset, size, stride, name = given
        return {offset + 2 * values.get(name, 0) + stride * k for k in range(size)}

    apart = all(
        not indices(left, {"i": i, "j": j}) & indices(right, {"i": i, "j": j})
        for values in range(-20, 21)
        for i, j in ((values, 0), (0, values))
    )
    for name in solvers.SOLVERS:
        assert solvers.Solvers([name]).are_disjoint(box(left), box(right)) == apart


def test_a_question_that_takes_too_long_is_named(monkeypatch):
    monkeypatch.setattr(solvers, "ISL_OPERATIONS", 1)
    modules = [bufferize.parse(text) for text in written_in_place("2 * i", "2 * j + 1")]
    (outcome,) = bufferize.prove(*modules, solvers=["islpy"]).outcomes
    assert outcome.verdict == "not proved"
    assert any(
        question.kind == "index" and "share no index" in question.text for question in outcome.questions
    )


def test_what_is_known_of_parts():
    """Counters, minima, quotients and remainders by constants."""
    n = make("size", "n", type=t.INDEX)
    i = make("iv", 1, (number(0), n, number(4)), type=t.INDEX, level=1)
    low = make("min", None, (i, number(7)), type=t.INDEX)
    rest = make("mod", None, (i, number(4)), type=t.INDEX)
    asked = solvers.Solvers(["islpy"])
    assert asked.nonnegative(add(number(7), mul(number(-1), low)), ())
    assert asked.nonnegative(mul(number(-1), rest), ()), "a counter by fours has no remainder"
    assert asked.nonnegative(add(n, mul(number(-1), add(i, ONE))), ())
    assert not asked.nonnegative(add(i, mul(number(-1), n)), ())


def test_bounds_of_parts_are_the_least_and_the_greatest():
    x, n = make("sym", "x", type=t.INDEX), make("size", "n", type=t.INDEX)
    asked = solvers.Solvers(["islpy"])

    def part(how, *args):
        return make(how, None, args, type=t.INDEX)

    def minus(one, other):
        return add(one, mul(number(-1), other))

    stepping = make("iv", 1, (ONE, number(8), number(3)), type=t.INDEX, level=1)
    down = make("iv", 2, (number(8), ONE, number(-3)), type=t.INDEX, level=1)
    below_zero = make("iv", 3, (number(-3), number(4), number(2)), type=t.INDEX, level=1)
    four, quotient, up = number(4), part("floordiv", x, number(4)), part("ceildiv", x, number(4))
    least_and_greatest = {
        stepping: (1, 7),
        below_zero: (-3, 3),
        part("mod", x, four): (0, 3),
        minus(x, mul(four, quotient)): (0, 3),
        minus(mul(four, up), x): (0, 3),
        minus(up, quotient): (0, 1),
        part("min", x, number(7)): (None, 7),
        part("max", x, number(7)): (7, None),
        minus(part("max", x, n), part("min", x, n)): (0, None),
        minus(part("min", x, n), x): (None, 0),
        minus(part("max", x, n), x): (0, None),
        n: (0, None),
        x: (None, None),
        down: (None, None),
        part("mod", x, n): (None, None),
        part("floordiv", n, number(-2)): (None, None),
        part("mod", stepping, number(3)): (1, 1),
    }
    for term, (least, greatest) in least_and_greatest.items():
        for sign, bound in ((1, least), (-1, greatest)):
            above = minus(mul(number(sign), term), number(sign * (bound or 0)))
            assert asked.nonnegative(above, ()) == (bound is not None), (term, sign)
            assert not asked.nonnegative(minus(above, ONE), ()), (term, sign)
    assert asked.nonnegative(x, [x]) and not asked.nonnegative(minus(x, ONE), [x])


def test_nobody_is_asked_unless_wanted(tmp_path, capsys):
    before, after = tmp_path / "before.mlir", tmp_path / "after.mlir"
    for file, text in zip((before, after), written_in_place("2 * i", "2 * j + 1"), strict=True):
        file.write_text(text)
    words = ["prove", str(before), "--against", str(after), "--no-run"]
    assert (main(words), main([*words, "--solver", "islpy"])) == (2, 0)
    assert main([*words, "--solver", "isl"]) == prove_command.EXIT["not proved"]
    assert "there is no 'isl'" in capsys.readouterr().err
    assert ranges._further is None
