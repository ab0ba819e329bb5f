"""Parts of explanations, case by case: groups, memory spaces, owners in words, evidence, peaks."""

from types import SimpleNamespace

import pytest
from bufferize import explain, parse
from bufferize.analysis.memory_plan.planner import QUICK
from bufferize.explain import conflict_labels, groups, memory, necessary, peaks
from bufferize.explain.conflict_labels import space_of
from bufferize.explain.failures import _its_argument
from bufferize.explain.groups import CauseGroup
from bufferize.explain.memory import Assumptions, memory_of
from bufferize.explain.static_ownership import FlagWords
from bufferize.explain.verdicts import Judge
from bufferize.ir.source.diagnostics import Diagnostic, Severity

SAID = "the same cause forces"


def finding(*suggestions, copies=1, allocations=0, size=16, line=None):
    """A finding with so many copies and allocations that were foreseen."""
    return SimpleNamespace(
        diagnostic=Diagnostic(Severity.REMARK, "said", suggestions=list(suggestions)),
        op_span=line,
        copies=copies,
        records=[],
        inserted=allocations,
        size=size,
        cost=(size, 0),
        id="one",
        function="f",
    )


@pytest.mark.parametrize(
    ("count", "whole", "shown", "left"),
    [
        (0, False, 0, None),
        (1, False, 1, None),
        (2, False, 2, None),
        (3, False, 2, "1 more change saves something"),
        (4, False, 2, "2 more changes save something"),
        (1500, False, 2, "1,498 more changes save something"),
        (0, True, 0, None),
        (4, True, 4, None),
    ],
)
def test_how_many_changes_of_a_group_are_shown(monkeypatch, count, whole, shown, left):
    changes = [f"change {i}" for i in range(count)]
    group = CauseGroup([finding(*changes[:1]), finding(*changes)], 0)
    monkeypatch.setattr(groups, "in_bytes", str)
    monkeypatch.setattr(CauseGroup, "size", 32)
    said = group.diagnostic(whole)
    assert said.suggestions == changes[:shown]
    notes = [note.text for note in said.notes]
    assert notes == [f"{SAID} 1 more copy: 32 in total", *([left] if left else [])]


def test_a_group_of_one_or_without_movements_is_its_finding(monkeypatch):
    monkeypatch.setattr(groups, "in_bytes", str)
    monkeypatch.setattr(CauseGroup, "size", 32)
    one, nothing = finding(), finding(copies=0)
    assert CauseGroup([one], 0).diagnostic() is one.diagnostic
    assert CauseGroup([one, nothing], 0).diagnostic() is one.diagnostic
    for others, words in (
        ([finding(copies=0, allocations=1)], "1 more allocation"),
        ([finding(copies=0, allocations=1)] * 2, "2 more allocations"),
        ([finding(allocations=1)], "1 more copy"),
        ([finding(), finding(copies=0, allocations=1)], "1 more copy and 1 more allocation"),
    ):
        (note,) = CauseGroup([one, *others], 0).diagnostic().notes
        assert note.text.startswith(f"{SAID} {words}: "), words


SPACES = {
    "none": ("%r = bufferization.alloc_tensor() : tensor<4xf32>", ""),
    "zero": ("%r = bufferization.alloc_tensor() {memory_space = 0 : i64} : tensor<4xf32>", ""),
    "one": ("%r = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>", "1"),
    "named": ('%r = bufferization.alloc_tensor() {memory_space = "fast"} : tensor<4xf32>', "fast"),
    "an argument": ("%r = tensor.insert %f into %t[%i] : tensor<4xf32>", ""),
    "an update": (
        "%a = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>\n"
        "%r = tensor.insert %f into %a[%i] : tensor<4xf32>",
        "2",
    ),
    "a copy": (
        "%a = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>\n"
        "%r = bufferization.alloc_tensor() copy(%a) : tensor<4xf32>",
        "2",
    ),
    "a copy elsewhere": (
        "%a = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>\n"
        "%r = bufferization.alloc_tensor() copy(%a) {memory_space = 3 : i64} : tensor<4xf32>",
        "3",
    ),
    "new": ("%r = tensor.empty() : tensor<4xf32>", ""),
    "a choice": (
        "%a = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>\n"
        "%b = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32>\n"
        "%r = arith.select %c, %a, %b : tensor<4xf32>",
        "2",
    ),
}


@pytest.mark.parametrize("name", SPACES)
def test_the_memory_space_of_a_tensor(name):
    body, space = SPACES[name]
    module = parse(
        f"func.func @f(%t: tensor<4xf32>, %f: f32, %i: index, %c: i1) -> f32 {{\n{body}\n"
        "%x = tensor.extract %r[%i] : tensor<4xf32>\nreturn %x : f32\n}"
    )
    result = explain(module, with_help=False, with_clones=False).result
    (read,) = [op for op in module.walk() if op.name == "tensor.extract"]
    assert space_of(result, read.operands[0])[0] == space


def test_flags_in_words():
    module = parse("func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) { return }")
    (function,) = module.regions[0].ops()
    a, b, c = function.body.entry.args
    names = {a: "%a", b: "%b", c: "%c"}
    here, there = SimpleNamespace(), SimpleNamespace(after=None, block="b1")
    later = SimpleNamespace(after=SimpleNamespace(name="scf.for"), block="b2")
    mine, its = SimpleNamespace(home=here, value=a), SimpleNamespace(home=here, value=b)
    words = FlagWords(SimpleNamespace(), names.__getitem__, lambda block: f"^{block}")
    assert words.name(c) == "%c"
    assert words.name(("address", a, b)) == "same(%a, %b)"
    assert words.name(("flag", b)) == "owned(%b)"
    assert words.name(("own", here, mine, None)) == "owned(%a)"
    assert words.name(("own", there, mine, None)) == "owned(%a)@^b1"
    assert words.name(("own", later, mine, None)) == "owned(%a)@scf.for"
    assert words.name(("same", here, mine, its)) == "same(%a, %b)"
    assert words.name(("same", there, its, mine)) == "same(%b, %a)@^b1"


def sequence(types, at_once=False):
    fills = [f"linalg.fill ins(%f : f32) outs(%b{i} : {type})" for i, type in enumerate(types)]
    made = [f"%b{i} = memref.alloc() : {type}" for i, type in enumerate(types)]
    lines = (
        [*made, *fills, *fills]
        if at_once
        else [line for pair in zip(made, fills, strict=True) for line in pair]
    )
    return "func.func @f(%f: f32) {\n" + "\n".join(lines) + "\nreturn\n}"


@pytest.mark.parametrize(
    ("sizes", "at_once", "alive"),
    [
        ((4,), False, [True]),
        ((4, 8), False, [False, True]),
        ((8, 4), False, [True, False]),
        ((4, 8, 4), False, [False, True, False]),
        ((8, 8), False, [True, False]),
        ((4, 8), True, [True, True]),
        ((0, 8), True, [False, True]),
    ],
)
def test_which_buffers_are_alive_at_the_peak(sizes, at_once, alive):
    module = parse(sequence([f"memref<{size}xf32>" for size in sizes], at_once))
    (found,) = memory_of(module, Assumptions({}, 8), QUICK)
    (space,) = found.spaces
    assert [placed.at_peak for placed in space.placed] == alive
    expected = sum(4 * size for size in sizes) if at_once else 4 * max(sizes)
    assert space.most_alive == expected and space.most_aligned >= expected


TENSORS = "func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {\n%w = tensor.insert %f into %t[%i] : tensor<4xf32>\nreturn %w, %t : tensor<4xf32>, tensor<4xf32>\n}"  # fmt: skip


@pytest.mark.parametrize(
    ("text", "more", "tried"),
    [(TENSORS, 1, 1), (TENSORS, 0, 1), (TENSORS, -1, 0), (sequence(["memref<4xf32>"]), 1, 0)],
)
def test_changes_that_lower_the_peak_are_tried_on_small_programs_on_tensors(monkeypatch, text, more, tried):
    explanation = explain(parse(text), with_help=False, with_clones=False)
    seen = []
    monkeypatch.setattr(peaks.PlanMemory, "tried", lambda self, *rest: seen.append(1) or {})
    count = sum(1 for _ in explanation.result.unsettled.root.walk())
    monkeypatch.setattr(peaks, "SMALL", count + more)
    peaks.add_peaks(explanation)
    assert len(seen) == tried


CONFLICTS = """
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32, f32, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  %y = tensor.extract %w[%i] : tensor<4xf32>
  %j = arith.fptosi %y : f32 to i64
  %k = arith.index_cast %j : i64 to index
  %z = tensor.extract %t[%k] : tensor<4xf32>
  %v = tensor.insert %z into %t[%i] : tensor<4xf32>
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  return %w, %x, %z, %v : tensor<4xf32>, f32, f32, tensor<4xf32>
}"""


def test_whether_another_order_might_help():
    ops = {str(op.results[0].name_hint): op for op in parse(CONFLICTS).walk() if op.results}
    write, second = ops["w"].op_operands[1], ops["v"].op_operands[1]
    value = write.value

    def helps(*evidence):
        return necessary._order_might_help(evidence, lambda use: use.owner.name == "tensor.insert")

    assert helps(ops["x"].op_operands[0], write, value)
    assert not helps(ops["z"].op_operands[0], write, value), "it needs what is written"
    assert helps(ops["m"].op_operands[0], write, value)
    assert not helps(second, write, value) and not helps(write, second, value), "both update"
    for other in ((), (ops["x"].op_operands[0], write), (ops["x"].op_operands[0], write, value, value)):
        assert not helps(*other)
    assert not helps(value, write, value) and not helps(ops["x"].op_operands[0], value, value)


def test_the_argument_of_what_a_terminator_forwards():
    module = parse("""
      func.func @f(%t: tensor<4xf32>, %b: i1, %n: index) -> tensor<4xf32> {
        %c1 = arith.constant 1 : index
        %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
          %q = scf.if %b -> (tensor<4xf32>) { scf.yield %a : tensor<4xf32> } else { scf.yield %t : tensor<4xf32> }
          scf.yield %q : tensor<4xf32>
        }
        %w:2 = scf.while (%x = %r, %y = %t) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
          scf.condition(%b) %x, %y : tensor<4xf32>, tensor<4xf32>
        } do {
        ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
          scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
        }
        return %w#0 : tensor<4xf32>
      }""")
    found = {}
    for op in module.walk():
        if op.name in ("scf.yield", "scf.condition", "func.return"):
            kind = f"{op.parent_op.name} {op.name}"
            arguments = [_its_argument(use) for use in op.op_operands]
            found[kind] = [None if each is None else each.index for each in arguments]
    assert found == {
        "scf.if scf.yield": [None],
        "scf.for scf.yield": [1],
        "scf.while scf.condition": [None, 0, 1],
        "scf.while scf.yield": [0, 1],
        "func.func func.return": [None],
    }
    own = {}
    for op in module.walk():
        if op.name in ("scf.yield", "scf.condition"):
            for use in op.op_operands:
                one = SimpleNamespace(operand=use, op=op)
                own[op.parent_op.name, op.name, use.index] = {
                    each.index for each in Judge._own_arguments(one)
                }
    assert own["scf.while", "scf.condition", 1] == {0} and own["scf.while", "scf.condition", 2] == {1}
    assert own["scf.while", "scf.yield", 0] == {0} and own["scf.while", "scf.yield", 1] == {1}


@pytest.mark.parametrize("extra", [-1, 0, 1, 2])
def test_the_chain_through_which_two_values_share_a_buffer(monkeypatch, extra):
    count = conflict_labels.MAX_STEPS_SHOWN + extra
    steps = [SimpleNamespace(operand=None if i % 2 else i, left=i) for i in range(count)]
    shown, noted = [], []
    said = SimpleNamespace(
        step=lambda span, text: shown.append((span, text)),
        note=lambda text, **arguments: noted.append(text.format(**arguments)),
    )
    monkeypatch.setattr(conflict_labels, "sharing_ends", lambda *_: [("a", "b"), ("d", "e")])
    paths = {("a", "b"): steps[:2], ("d", "e"): steps[2:]}
    result = SimpleNamespace(
        sharing_path=lambda *ends_and_most: paths[ends_and_most[:2]][: ends_and_most[2]],
        state=SimpleNamespace(alias=SimpleNamespace(path_length=lambda *ends: len(paths[ends]))),
    )
    monkeypatch.setattr(
        conflict_labels, "operand_span", lambda operand: None if operand == 2 else f"at {operand}"
    )
    monkeypatch.setattr(conflict_labels, "value_span", lambda value: f"of {value}")
    monkeypatch.setattr(conflict_labels, "_step_text", lambda step: "said")
    conflict_labels._sharing(result, None, None, said)
    every = [(f"of {i}" if i % 2 else f"at {i}", "said") for i in range(count) if i != 2]
    assert shown == every[: conflict_labels.MAX_STEPS_SHOWN - 1]
    left = f"{extra} more in-place operations connect the two values"
    assert noted == ([left] if extra > 0 else [])


def fake_memory(name, **lives):
    """A function's memory: for each buffer, the operations between which it is live."""
    placed = [
        SimpleNamespace(name=f"%{one}", buffer=SimpleNamespace(begin=a, end=b, is_empty=a == b))
        for one, (a, b) in lives.items()
    ]
    spaces = [SimpleNamespace(placed=placed[::2]), SimpleNamespace(placed=placed[1::2])]
    return SimpleNamespace(
        name=name, lives=SimpleNamespace(order=range(9)), spaces=spaces, assumed={}, tried=[]
    )


def test_the_buffers_that_a_change_of_the_order_touches(monkeypatch):
    monkeypatch.setattr(memory, "line_of", lambda op: op + 10)
    before = fake_memory("f", a=(0, 2), b=(1, 3), c=(2, 5), none=(4, 4))
    assert memory._lives_by_name(before) == {"%a": (10, 11), "%b": (11, 12), "%c": (12, 14)}
    assert memory.changed_memory(before, 8) is None
    body = "%e = tensor.empty() : tensor<4xf32> return"
    program = parse(f"func.func @g() {{ return }} func.func @f() {{ {body} }} func.func private @h()")
    change = SimpleNamespace(option="-o", program=program, on_buffers=lambda: "program")
    before.tried = [SimpleNamespace(option="-other"), change]
    others = [fake_memory("g", a=(0, 1)), fake_memory("f", a=(0, 2), b=(1, 4))]
    monkeypatch.setattr(memory, "memory_of", lambda module, assumptions, effort: others)
    monkeypatch.setattr(memory, "_moved", lambda ops: [(f"{len(ops)} moved", {"%x"})])
    found = memory.changed_memory(before, 8)
    assert (found.option, found.memory) == ("-o", others[1])
    assert found.moved == ["2 moved", "%c gets no separate buffer"]
    assert found.touched == {"%b", "%c", "%x"}
