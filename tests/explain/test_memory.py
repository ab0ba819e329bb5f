"""The memory of functions: names, formulas, bounds for all sizes, advice, and what a change moves."""

from itertools import combinations, pairwise
from random import Random
from types import SimpleNamespace

import pytest
from bufferize import parse
from bufferize.analysis.memory_plan.planner import QUICK
from bufferize.explain.memory import (
    Assumptions,
    _moved,
    advice_of,
    buffer_name,
    longest_increasing,
    memory_of,
    peaks_data,
)
from bufferize.explain.peaks import _advice, _of_these_buffers
from bufferize.ir.program.interfaces import FunctionOp
from bufferize.transforms.memory_arena.tensors import OrderClaim, TriedChange


def memory(body, arguments="%f: f32, %n: index, %m: index, %k: index", assumed=8, **named):
    module = parse(f"func.func @f({arguments}) {{\n{body}\nreturn\n}}")
    sizes = {f"%{name}": size for name, size in named.items()}
    (found,) = memory_of(module, Assumptions(sizes, assumed), QUICK)
    return found


def buffers(*types, at_once=False):
    """Buffers of these types and sizes, one after the other, or all live together."""
    lines, fills = [], []
    for i, (type, size) in enumerate(types):
        fills.append(f"linalg.fill ins(%f : f32) outs(%b{i} : {type})")
        lines += [f"%b{i} = memref.alloc({size}) : {type}", fills[-1]]
    return "\n".join(lines + fills * at_once)


F, D = "memref<?xf32>", "memref<?x2xf32>"
BOUNDS = {
    "one buffer": (buffers((F, "%n")), "4 * %n"),
    "one after the other, of one size": (buffers((F, "%n"), (F, "%n")), "4 * %n"),
    "the larger one first": (buffers((D, "%n"), (F, "%n")), "8 * %n"),
    "the larger one last": (buffers((F, "%n"), (D, "%n")), "8 * %n"),
    "one after the other": (buffers((F, "%n"), (F, "%m")), "max(4 * %n, 4 * %m)"),
    "at once": (buffers((F, "%n"), (F, "%m"), at_once=True), "4 * %m + 4 * %n"),
    "at once, of one size": (buffers((F, "%n"), (D, "%n"), at_once=True), "12 * %n"),
    "with a constant": (buffers((F, "%n"), ("memref<4xf32>", ""), at_once=True), "16 + 4 * %n"),
    "a constant beside": (buffers((F, "%n"), ("memref<4xf32>", "")), "max(4 * %n, 16)"),
    "a product": (buffers(("memref<?x?xf32>", "%n, %m")), "4 * %m * %n"),
    "no sizes": (buffers(("memref<4xf32>", "")), ""),
    "four": (
        buffers((F, "%n"), (F, "%m"), (F, "%k"), ("memref<4xf32>", "")),
        "max(4 * %n, 4 * %m, 4 * %k, 16)",
    ),
    "five": (
        buffers((F, "%n"), (F, "%m"), (F, "%k"), ("memref<4xf32>", ""), ("memref<?x?xf32>", "%n, %m")),
        "max(4 * %n, 4 * %m, 4 * %k, 16, and 1 more)",
    ),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_the_bound_for_all_sizes(name):
    body, bound = BOUNDS[name]
    (space,) = memory(body).spaces
    assert space.bound_formula == bound


def test_names_formulas_and_assumptions():
    body = """
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %d = memref.dim %x, %c1 : memref<?x?xf32>
      %e = memref.dim %x, %n : memref<?x?xf32>
      %a = memref.alloc(%d, %e, %n) : memref<?x?x?xf32>
      %b = memref.alloc() : memref<4xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<?x?x?xf32>)
      linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)
      linalg.fill ins(%f : f32) outs(%a : memref<?x?x?xf32>)
      memref.dealloc %a : memref<?x?x?xf32>
      memref.dealloc %b : memref<4xf32>"""
    found = memory(body, "%x: memref<?x?xf32>, %f: f32, %n: index", 8, n=3)
    (space,) = found.spaces
    assert [(p.name, p.formula, p.buffer.size, p.at_peak) for p in space.placed] == [
        ("%a", "4 * dim(%x, 1) * dim(%x, %n) * %n", 4 * 8 * 8 * 3, True),
        ("%b", "", 16, True),
    ]
    assert found.assumed == {"dim(%x, 1)": 8, "dim(%x, %n)": 8, "%n": 3}
    assert (found.peak, found.with_results, found.title) == (space.most_aligned, 0, "@f")
    found.program = "a.mlir"
    assert found.title == "@f in a.mlir"


def test_buffers_of_one_name_and_of_none():
    module = parse(
        """
        func.func @f(%p: i1, %f: f32) {
          scf.if %p {
            %a = memref.alloc() : memref<4xf32>
            linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
            memref.dealloc %a : memref<4xf32>
          } else {
            %a = memref.alloc() : memref<8xf32>
            linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
            memref.dealloc %a : memref<8xf32>
          }
          return
        }"""
    )
    (found,) = memory_of(module, Assumptions({}, 8), QUICK)
    assert [p.name for p in found.spaces[0].placed] == ["%a", "%a (2)"]
    assert [p.at_peak for p in found.spaces[0].placed] == [False, True]
    (data,) = peaks_data([found])
    assert data == {
        "function": "f",
        "space": "",
        "bytes": 32,
        "alive": ["%a (2)"],
        "relief": [{"without": ["%a (2)"], "bytes": 16}, {"without": ["%a (2)", "%a"], "bytes": 0}],
        "assumed": {},
    }


def change(
    after,
    bytes=0,
    computed=0,
    any_order=0,
    any_recomputation=0,
    these_decisions=0,
    before=4096,
    option="-o",
    results=0,
):
    return SimpleNamespace(
        option=option,
        outcome=SimpleNamespace(
            before=SimpleNamespace(peak=before),
            after=SimpleNamespace(peak=after, with_results=after + results),
            bytes=bytes,
            computed=computed,
            claim=OrderClaim(any_order, any_recomputation, these_decisions),
        ),
    )


ADVICE = [
    (change(1000), "-o: peak 1000 bytes"),
    (change(1000, results=500), "-o: peak 1000 bytes (1500 bytes including results)"),
    (change(1000, any_order=1000), "-o: peak 1000 bytes, the least of any order"),
    (change(1000, any_order=999), "-o: peak 1000 bytes, no order holds less than 999 bytes"),
    (
        change(1000, any_order=999, these_decisions=1000),
        "-o: peak 1000 bytes, the least with these in-place decisions, no order holds less than 999 bytes",
    ),
    (change(1000, 1, 3), "-o: peak 1000 bytes, 33 % more computed"),
    (change(1000, 1, 0), "-o: peak 1000 bytes, 100 % more computed"),
    (change(1000, 300, 200, any_order=900), "-o: peak 1000 bytes, 150 % more computed"),
    (
        change(1000, 3, 4, any_recomputation=900),
        "-o: peak 1000 bytes, 75 % more computed, no order with any recomputation holds less than 900 bytes",
    ),
]


@pytest.mark.parametrize(("made", "line"), ADVICE)
def test_the_advice_on_a_change(made, line):
    assert advice_of(SimpleNamespace(tried=[made])) == [line]


def test_changes_of_other_buffers_go_with_the_pass_that_makes_them():
    here, lower, as_high = (
        TriedChange(one.option, one.outcome, None, None)
        for one in (change(1000), change(4095, before=8192, option="-p"), change(4096, before=8192))
    )
    assert _of_these_buffers(4096, [here]) == [here]
    assert _of_these_buffers(4096, []) == []
    found = _of_these_buffers(4096, [here, lower, as_high])
    options = ["-o -eliminate-empty-tensors", "-p -eliminate-empty-tensors"]
    assert [one.option for one in found] == options


STEPS = {
    (): [],
    ((0,),): ["without %a, 10 bytes"],
    ((0,), (0, 1)): ["without %a, 10 bytes", "without %a and %b, 20 bytes"],
    ((0,), (0, 1), (0, 1, 2)): [
        "without %a, 10 bytes",
        "without %a and %b, 20 bytes",
        "without %a, %b and %c, 30 bytes",
    ],
}


@pytest.mark.parametrize("sets", STEPS)
@pytest.mark.parametrize("space", ["", "3"])
@pytest.mark.parametrize("with_results", [0, 99])
@pytest.mark.parametrize("assumed", [{}, {"%m": 64, "%a": 8}])
def test_how_to_lower_a_peak(sets, space, with_results, assumed):
    made = SimpleNamespace(
        space=space,
        most_alive=40,
        placed=[SimpleNamespace(name=name) for name in ("%a", "%b", "%c")],
        relief=[SimpleNamespace(buffers=buffers, peak=10 * len(buffers)) for buffers in sets],
    )
    function = SimpleNamespace(
        name="f", spaces=[made], with_results=with_results, assumed=assumed, tried=[change(7)]
    )
    *lines, last = _advice(function)
    assert last == "@f with -o: peak 7 bytes"
    where = " in memory space 3" if space else ""
    results = " (99 bytes including results)" if with_results else ""
    taking = " (assuming %a = 8, %m = 64)" if assumed else ""
    steps = "; ".join(STEPS[sets])
    said = f"at the peak of @f{where}, 40 bytes are live{results}; {steps}{taking}"
    assert lines == ([said] if sets else [])


def increasing(numbers, length):
    return any(all(a < b for a, b in pairwise(c)) for c in combinations(numbers, length))


def test_the_longest_increasing_subsequence():
    random = Random(3)
    for size in (0, 1, 2, 3, 7, 7, 7, 7):
        numbers = random.sample(range(2 * size), size)
        found = [numbers[i] for i in sorted(longest_increasing(numbers))]
        assert found == sorted(found)
        assert not increasing(numbers, len(found) + 1)


LINES = """func.func @f(%f: f32, %i: index) -> f32 {
  %a = math.exp %f : f32
  %b = math.sin %a : f32
  %c = math.cos %a : f32
  %d = arith.addf %b, %c : f32
  return %d : f32
}"""
MOVES = [
    ("abcd", []),
    ("acbd", ["%c (line 4) moves: it runs before %b (line 3)"]),
    ("bcda", ["%a (line 2) moves: it runs last"]),
    ("dabc", ["%d (line 5) moves: it runs before %a (line 2)"]),
    ("abacd", ["%a (line 2) is recomputed"]),
    (
        "dcab",
        ["%d (line 5) moves: it runs before %a (line 2)", "%c (line 4) moves: it runs before %a (line 2)"],
    ),
]


@pytest.mark.parametrize(("order", "lines"), MOVES)
def test_what_a_change_of_the_order_moves(order, lines):
    (function,) = (op for op in parse(LINES).walk() if isinstance(op, FunctionOp))
    ops = dict(zip("abcd", function.body.entry, strict=False))
    found = list(_moved([ops[letter] for letter in order]))
    assert sorted(line for line, _ in found) == sorted(lines)
    assert all(names == {line.partition(" ")[0]} for line, names in found)


CALLS = """
func.func private @unknown()
func.func @main(%f: f32) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  call @inner(%f) : (f32) -> ()
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  memref.dealloc %a : memref<4xf32>
  call @unknown() : () -> ()
  call @inner(%f) : (f32) -> ()
  call @empty() : () -> ()
  return
}
func.func @inner(%f: f32) {
  %b = memref.alloc() {alignment = 128 : i64} : memref<8xf32>
  %c = memref.alloc() : memref<2xf32, 1>
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%c : memref<2xf32, 1>)
  memref.dealloc %b : memref<8xf32>
  memref.dealloc %c : memref<2xf32, 1>
  return
}
func.func @empty() { return }
func.func @again(%f: f32, %p: i1) {
  %d = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<4xf32>)
  scf.if %p { func.call @again(%f, %p) : (f32, i1) -> () }
  memref.dealloc %d : memref<4xf32>
  return
}"""


def test_a_call_occupies_what_its_callee_needs():
    main, inner, empty, again = memory_of(parse(CALLS), Assumptions({}, 8), QUICK)
    assert [one.name for one in (main, inner, empty, again)] == ["main", "inner", "empty", "again"]

    def placed(function):
        return {
            space.space: [
                (p.name, p.type, p.buffer.size, p.buffer.alignment, p.at_peak) for p in space.placed
            ]
            for space in function.spaces
        }

    assert placed(inner) == {
        "": [("%b", "memref<8xf32>", 32, 128, True)],
        "1": [("%c", "memref<2xf32, 1>", 8, 16, True)],
    }
    assert placed(main) == {
        "": [
            ("%a", "memref<4xf32>", 16, 16, True),
            ("call @inner", "", inner.spaces[0].plan.height, 128, True),
            ("call @inner", "", inner.spaces[0].plan.height, 128, False),
        ],
        "1": [
            ("call @inner", "", inner.spaces[1].plan.height, 16, True),
            ("call @inner", "", inner.spaces[1].plan.height, 16, False),
        ],
    }
    calls = [p for p in main.spaces[0].placed if p.name.startswith("call")]
    assert [p.buffer.end - p.buffer.begin for p in calls] == [1, 1]
    assert main.lives.order[calls[0].buffer.begin] is calls[0].op
    assert (placed(empty), empty.peak) == ({}, 0)
    assert placed(again) == {"": [("%d", "memref<4xf32>", 16, 16, True)]}
    assert main.peak == sum(space.most_aligned for space in main.spaces) > 0
    assert main.spaces[0].peak is calls[0].op and main.with_results == 0


def test_buffers_that_are_left_to_the_allocator():
    module = parse("""
      func.func @f(%f: f32, %n: index) -> (memref<4xf32>, memref<?xf32>) {
        %a = memref.alloc() : memref<4xf32>
        %b = memref.alloc(%n) : memref<?xf32>
        %c = memref.alloc() : memref<2xf32>
        linalg.fill ins(%f : f32) outs(%c : memref<2xf32>)
        return %a, %b : memref<4xf32>, memref<?xf32>
      }""")
    (found,) = memory_of(module, Assumptions({}, 8), QUICK)
    assert [(one.name, one.type, one.bytes) for one in found.unplanned] == [
        ("%a", "memref<4xf32>", 16),
        ("%b", "memref<?xf32>", None),
    ]
    assert all(one.reason for one in found.unplanned)
    assert [p.name for p in found.spaces[0].placed] == ["%c"]
    assert found.with_results == 16 + 32 + 8


@pytest.mark.parametrize(("alignment", "aligned"), [(16, 16), (64, 64), (256, 256)])
def test_the_alignment_of_buffers_that_name_none(alignment, aligned):
    module = parse("func.func @f(%f: f32) {\n" + buffers(("memref<4xf32>", "")) + "\nreturn }")
    (found,) = memory_of(module, Assumptions({}, 8), QUICK, None, alignment)
    (placed,) = found.spaces[0].placed
    assert placed.buffer.alignment == aligned


def test_names_of_buffers():
    module = parse("""
      func.func @f(%f: f32) -> tensor<4xf32> {
        %t = tensor.splat %f : tensor<4xf32>
        return %t : tensor<4xf32>
      }""")
    ops = {op.name: op for op in module.walk()}
    text = ops["tensor.splat"].where[0]
    assert buffer_name(ops["tensor.splat"]) == "%t"

    def named(where):
        value = SimpleNamespace(name_hint=None)
        return buffer_name(SimpleNamespace(results=[value], where=where))

    _, start, name, end = ops["tensor.splat"].where
    assert named(None) == "a buffer"
    assert named((text, start, name, end)) == "%t"
    assert named((text, name, name, end)) == "a buffer of 'tensor.splat'"
    assert named((text, len(text.text), len(text.text), end)) == "a buffer of 'an operation'"
