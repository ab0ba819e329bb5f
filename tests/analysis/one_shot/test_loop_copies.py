"""Loops copy what they forward where somebody else could see it written, and only there.

The copies marked as unseen are those that mlir-opt 22 lacks; the programs that need them are also run.
"""

import pytest
from bufferize.analysis import causes
from bufferize.analysis.datalog.program import Program
from bufferize.analysis.one_shot.analyze import remarks_on_differences
from bufferize.cli.fuzz_command import transform
from bufferize.interpreter.verify import Options, verify_module
from bufferize.ir.text.parser import parse_text

from .helpers import analyzed

FOR = """
func.func @main(%x: tensor<4xf32>, %v: f32, %n: index) -> (RESULTS) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 7.0 : f32
  %i0 = tensor.splat %v : tensor<4xf32>
  %i1 = tensor.splat %v : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %i0, %b = %i1) -> (tensor<4xf32>, tensor<4xf32>) {{
    {body}
  }}
  {after}
}}
"""

T = "tensor<4xf32>"
INSERT = "tensor.insert %z into"
CONSTANT = f"%k = arith.constant dense<1.0> : {T}\n"
FRESH = f"%s = tensor.splat %v : {T}\n"


def yields(a: str, b: str) -> str:
    return f"scf.yield {a}, {b} : {T}, {T}"


READ_BOTH = (
    f"%p = tensor.extract %r#0[%c0] : {T}\n  %q = tensor.extract %r#1[%c0] : {T}\n  return %p, %q : f32, f32"
)
RETURN_BOTH = f"return %r#0, %r#1 : {T}, {T}"
WRITE_FIRST = f"%w = {INSERT} %r#0[%c0] : {T}\n  return %w, %r#1 : {T}, {T}"

CASES = {
    "own buffers": (yields("%a", "%b"), WRITE_FIRST, {}),
    "swapped": (yields("%b", "%a"), READ_BOTH, {0: "loop-yield", 1: "loop-yield"}),
    "from outside": (yields("%x", "%b"), READ_BOTH, {0: "loop-yield"}),
    "a constant that is read": (CONSTANT + yields("%k", "%b"), READ_BOTH, {}),
    "a constant that is written": (CONSTANT + yields("%k", "%b"), WRITE_FIRST, {0: "loop-unseen"}),
    "a constant that is returned": (CONSTANT + yields("%a", "%k"), RETURN_BOTH, {1: "loop-unseen"}),
    "a constant written in the next iteration": (
        f"%w = {INSERT} %a[%i] : {T}\n{CONSTANT}%u = tensor.extract %w[%i] : {T}\n" + yields("%k", "%b"),
        READ_BOTH,
        {0: "loop-unseen"},
    ),
    "one buffer twice, read": (FRESH + yields("%s", "%s"), READ_BOTH, {}),
    "one buffer twice, one of them written": (FRESH + yields("%s", "%s"), WRITE_FIRST, {1: "loop-unseen"}),
    "one buffer twice, one of them written, the other read": (
        FRESH + yields("%s", "%s"),
        f"%w = {INSERT} %r#0[%c0] : {T}\n  %d = {INSERT} %w[%c1] : {T}\n  %q = tensor.extract %r#1[%c0] : {T}\n"
        f"  %e = tensor.from_elements %q, %q, %q, %q : {T}\n  return %d, %e : {T}, {T}",
        {0: "loop-unseen"},
    ),
    "one buffer twice, both returned": (FRESH + yields("%s", "%s"), RETURN_BOTH, {1: "loop-unseen"}),
    "two new buffers": (
        f"{FRESH}%s2 = tensor.splat %v : {T}\n" + yields("%s", "%s2"),
        WRITE_FIRST,
        {},
    ),
}


def program(name: str) -> str:
    body, after, _ = CASES[name]
    results = "f32, f32" if after == READ_BOTH else f"{T}, {T}"
    return FOR.format(body=body, after=after).replace("RESULTS", results)


@pytest.mark.parametrize("name", CASES)
def test_what_a_for_loop_copies(name):
    result = analyzed(program(name), allow_return_allocs_from_loops=True)
    copies = {operand.index: str(cause) for operand, cause in result.loop_copies.items()}
    assert copies == CASES[name][2]
    unseen = sum(cause == "loop-unseen" for cause in copies.values())
    assert len(remarks_on_differences(result)) == unseen


@pytest.mark.parametrize("name", CASES)
def test_the_reference_is_mirrored_on_request(name):
    result = analyzed(program(name), allow_return_allocs_from_loops=True, compat="mlir-22")
    expected = {i: cause for i, cause in CASES[name][2].items() if cause != "loop-unseen"}
    assert {operand.index: str(cause) for operand, cause in result.loop_copies.items()} == expected


BUFFERIZE = "-one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops"


def failures(text: str, compat: str = "") -> list[str]:
    before = parse_text(text)
    after = before.clone()
    transform(after, (BUFFERIZE,), compat)
    return [
        finding.diagnostic.message
        for finding in verify_module(before, after, Options())
        if finding.diagnostic is not None
    ]


@pytest.mark.parametrize("name", CASES)
def test_loops_compute_the_same_afterwards(name):
    assert failures(program(name)) == []


@pytest.mark.parametrize("name", ["a constant that is written", "one buffer twice, one of them written"])
def test_without_the_copy_data_is_lost(name):
    assert failures(program(name), "mlir-22") != []


WHILE = """
func.func @main(%x: tensor<4xf32>, %v: f32, %n: index) -> (f32, f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = tensor.splat %v : tensor<4xf32>
  %i0 = tensor.splat %v : tensor<4xf32>
  %r:2 = scf.while (%i = %c0, %a = %i0) : (index, tensor<4xf32>) -> (index, tensor<4xf32>) {{
    {before}
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, {passed} : index, tensor<4xf32>
  }} do {{
  ^bb0(%i: index, %b: tensor<4xf32>):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, {yielded} : index, tensor<4xf32>
  }}
  %p = tensor.extract %r#1[%c0] : tensor<4xf32>
  %q = tensor.extract %o[%c0] : tensor<4xf32>
  return %p, %q : f32, f32
}}
"""
WRITE = f"%z = arith.addf %v, %v : f32\n    %w = tensor.insert %z into %a[%c0] : {T}"

WHILES = {
    "the buffer goes round": (WRITE, "%w", "%b", []),
    "a buffer of each iteration": ("", "%a", "%b", []),
    "from outside, and read": ("", "%a", "%o", [("scf.condition", "loop-condition")]),
    "from outside, and written": (
        WRITE,
        "%w",
        "%o",
        [("scf.condition", "loop-condition"), ("scf.yield", "loop-unseen")],
    ),
}


@pytest.mark.parametrize("name", WHILES)
def test_what_a_while_loop_copies(name):
    before, passed, yielded, expected = WHILES[name]
    text = WHILE.format(before=before, passed=passed, yielded=yielded)
    result = analyzed(text, allow_return_allocs_from_loops=True)
    assert [(operand.owner.name, str(cause)) for operand, cause in result.loop_copies.items()] == expected
    assert failures(text) == []


def test_a_long_row_of_loops_is_asked_once_each():
    """Each loop hands one new buffer on twice, and the last one is written: the answer spreads backwards."""
    lines = [f"%l0 = tensor.splat %v : {T}", f"%m0 = tensor.splat %v : {T}"]
    for i in range(200):
        lines += [
            f"%r{i}:2 = scf.for %i{i} = %c0 to %n step %c1 iter_args(%a = %l{i}, %b = %m{i}) -> ({T}, {T}) {{",
            f"  %s = tensor.splat %v : {T}",
            f"  scf.yield %s, %s : {T}, {T}",
            "}",
            f"%l{i + 1} = tensor.cast %r{i}#0 : {T} to {T}",
            f"%m{i + 1} = tensor.cast %r{i}#1 : {T} to {T}",
        ]
    text = (
        f"func.func @main(%v: f32, %n: index) -> ({T}, {T}) {{\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        + "\n".join(lines)
        + f"\nreturn %l200, %m200 : {T}, {T}\n}}"
    )
    result = analyzed(text, allow_return_allocs_from_loops=True)
    assert list(result.loop_copies.values()) == ["loop-unseen"] * 200


def test_an_unsigned_loop_from_a_large_number_may_not_run():
    """-4 is no small number then: the loop gives what it was given, which has to be in the new buffer."""
    text = """
    func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %low = arith.constant -4 : index
      %high = arith.constant 4 : index
      %step = arith.constant 1 : index
      %one = arith.constant 1.0 : f32
      %r = scf.for unsigned %i = %low to %high step %step iter_args(%a = %x) -> (tensor<4xf32>) {
        %b = linalg.fill ins(%one : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %b : tensor<4xf32>
      }
      return %r, %x : tensor<4xf32>, tensor<4xf32>
    }"""
    assert failures(text) == []


@pytest.mark.parametrize("rule", [rule.id for rule in causes.rules_of("loops").rules])
def test_no_rule_can_be_left_out(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = causes.rules_of("loops")
    less = Program(whole.declarations.values(), [other for other in whole.rules if other.id != rule])
    monkeypatch.setattr(causes, "rules_of", lambda file: less)
    assert any(_copies(program(name)) != sorted(CASES[name][2].values()) for name in CASES) or any(
        _copies(WHILE.format(before=before, passed=passed, yielded=yielded)) != sorted(c for _, c in expected)
        for before, passed, yielded, expected in WHILES.values()
    )


def _copies(text: str) -> list[str]:
    return sorted(map(str, analyzed(text, allow_return_allocs_from_loops=True).loop_copies.values()))


VIEW = f"""
func.func @main(%x: tensor<8xf32>, %z: f32) -> (f32, tensor<8xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = tensor.extract_slice %x[1] [4] [1] : tensor<8xf32> to {T}
  %changed = tensor.insert %z into %x[%c1] : tensor<8xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %s) -> ({T}) {{
    %old = tensor.extract %a[%c0] : {T}
    %new = arith.addf %old, %old : f32
    %w = tensor.insert %new into %a[%c0] : {T}
    %seen = tensor.extract BODY[%c0] : {T}
    scf.yield %s : {T}
  }}
  %p = tensor.extract %r[%c0] : {T}
  return %p, %changed : f32, tensor<8xf32>
}}
"""


@pytest.mark.parametrize(("seen", "expected"), [("%w", ["loop-unseen"]), ("%a", [])])
def test_a_view_that_is_copied_is_yielded_as_it_is_unless_written(seen, expected):
    """mlir-opt 22 does not know the aliases of such a copy, and yields it in any case."""
    text = VIEW.replace("BODY", seen)
    if seen == "%a":
        text = text.replace(f"%w = tensor.insert %new into %a[%c0] : {T}", "")
    for compat, copies in (("", expected), ("mlir-22", [])):
        result = analyzed(text, allow_return_allocs_from_loops=True, compat=compat)
        assert list(result.loop_copies.values()) == copies
        assert bool(failures(text, compat)) == (copies != expected)
