"""Loops with two regions, with `compare-parts`: what passes the condition is copied only where somebody else knows the buffer."""

import random

import pytest
from bufferize import parse
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.interpreter.verify import Options, verify_module
from bufferize.proof.check import REFUTED, prove_modules
from bufferize.transforms.freeing.ownership_based_buffer_deallocation import BufferDeallocationPipeline
from bufferize.transforms.one_shot_bufferize import OneShotBufferize
from bufferize.transforms.pass_base import Context

T = "tensor<4xf32>"


def steps(r, values, count, lines):
    """Random operations on `values`; those and what they make."""
    values = list(values)
    for _ in range(count):
        x, y, name = r.choice(values), r.choice(values), f"%v{len(lines)}"
        at = f"%c{r.randrange(2)}"
        lines += {
            "write": [f"{name} = tensor.insert %f into {x}[{at}] : {T}"],
            "move": [
                f"{name}e = tensor.extract {x}[{at}] : {T}",
                f"{name} = tensor.insert {name}e into {y}[%c1] : {T}",
            ],
            "compute": [
                f"{name}e = tensor.empty() : {T}",
                f"{name} = linalg.add ins({x}, {y} : {T}, {T}) outs({name}e : {T}) -> {T}",
            ],
            "choose": [f"{name} = arith.select %cc, {x}, {y} : {T}"],
        }[r.choice(("write", "move", "compute", "choose"))]
        values.append(name)
    return values


def program(seed):
    """A loop that carries one to three tensors, and forwards one more or one less."""
    r = random.Random(seed)
    carried = r.choice((1, 2, 2, 3))
    passed = r.choice((carried, carried, max(1, carried - 1), carried + 1))
    ins, outs = ", ".join([T] * carried), ", ".join([T] * passed)
    lines = [
        f"func.func @f(%a: {T}, %b: {T}, %n: index, %f: f32, %cc: i1) -> ({T}, {T}) {{",
        "%c0 = arith.constant 0 : index",
        "%c1 = arith.constant 1 : index",
        f"%cst = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {T}",
    ]
    outside = steps(r, ["%a", "%b", "%cst"], r.randrange(3), lines)
    inits = ", ".join(f"%B{i} = {r.choice(outside)}" for i in range(carried))
    lines.append(f"%r:{passed + 1} = scf.while ({inits}, %i = %c0) : ({ins}, index) -> ({outs}, index) {{")
    known = steps(r, [f"%B{i}" for i in range(carried)] + outside[-1:], r.randrange(3), lines)
    handed = [f"%B{i}" if i < carried and r.random() < 0.6 else r.choice(known) for i in range(passed)]
    lines += [
        "%go = arith.cmpi slt, %i, %n : index",
        f"scf.condition(%go) {', '.join(handed)}, %i : {outs}, index",
        "} do {",
        f"^bb0({', '.join(f'%A{i}: {T}' for i in range(passed))}, %j: index):",
    ]
    known = steps(r, [f"%A{i}" for i in range(passed)], r.randrange(4), lines)
    yielded = [f"%A{i}" if i < passed and r.random() < 0.3 else r.choice(known) for i in range(carried)]
    lines += ["%k = arith.addi %j, %c1 : index", f"scf.yield {', '.join(yielded)}, %k : {ins}, index", "}"]
    end = steps(r, outside + [f"%r#{i}" for i in range(passed)], r.randrange(4), lines)
    results = r.choices(end[-4:], k=2)
    return "\n".join([*lines, f"return {', '.join(results)} : {T}, {T}", "}"])


def check(seed):
    """Bufferize a loop with and without comparing; how many copies each has. Both compute the same, and free what they make."""
    before = parse(program(seed))
    counts = []
    for compared in (False, True):
        after = before.clone()
        OneShotBufferize(
            bufferize_function_boundaries=True, allow_return_allocs_from_loops=True, compare_parts=compared
        ).run(after, Context())
        counts.append(sum(op.name == "memref.copy" for op in after.walk()))
    BufferDeallocationPipeline().run(after, Context())
    assert all(f.runs and not f.failed for f in verify_module(before, after, Options(inputs=4, tries=8)))
    assert prove_modules(before, after).verdict != REFUTED
    return counts


def test_random_loops_compute_the_same():
    counts = [check(seed) for seed in range(6)]
    assert sum(compared for _, compared in counts) < sum(default for default, _ in counts)


@pytest.mark.long
def test_many_random_loops():
    for seed in range(1000, 1400):
        check(seed)


LOOP = f"""
func.func @f(%a: {T}, %b: {T}, %n: index, %f: f32, %cc: i1) -> ({T}, {T}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %a, %q = %b, %i = %c0) : ({T}, {T}, index) -> ({T}, {T}, index) {{
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) PASSED, %i : {T}, {T}, index
  }} do {{
  ^bb0(%x: {T}, %y: {T}, %j: index):
    %e = tensor.empty() : {T}
    %s = linalg.add ins(%x, %y : {T}, {T}) outs(%e : {T}) -> {T}
    %k = arith.addi %j, %c1 : index
    scf.yield YIELDED, %k : {T}, {T}, index
  }}
  return %r#0, %r#1 : {T}, {T}
}}
"""


@pytest.mark.parametrize(
    ("passed", "yielded", "copied"),
    [
        ("%p, %q", "%s, %y", []),  # a new buffer, and the own one
        ("%p, %q", "%y, %s", [1, 2]),  # one trades its place: then both are copied
        ("%q, %p", "%s, %y", [1, 2]),
        ("%p, %p", "%s, %y", [2]),  # the second is the buffer of the first
        ("%p, %b", "%s, %y", [2]),  # known outside
    ],
)
def test_what_is_copied(passed, yielded, copied):
    text = LOOP.replace("PASSED", passed).replace("YIELDED", yielded)
    options = AnalysisOptions(
        bufferize_function_boundaries=True, allow_return_allocs_from_loops=True, compare_parts=True
    )
    found = analyze(parse(text), options).loop_copies
    assert [use.index for use in found if use.owner.name == "scf.condition"] == copied
