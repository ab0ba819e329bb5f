"""What a callee does with a part of what it is given, against running."""

import random

import pytest
from bufferize import parse
from bufferize.analysis.one_shot import AnalysisOptions
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.interpreter.verify import Options, verify_module
from bufferize.transforms.one_shot_bufferize import OneShotBufferize
from bufferize.transforms.pass_base import Context

T, S = "tensor<8xf32>", "tensor<3xf32>"
OPTIONS = AnalysisOptions(bufferize_function_boundaries=True, compare_parts=True)


def callee(body, results=f"{T}"):
    return f"""func.func private @g(%t: {T}, %f: f32, %i: index, %n: index) -> ({results}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      {body}
    }}"""


READ = f"%s = tensor.extract_slice %t[2] [3] [1] : {T} to {S}\n"
PARTS = {
    "an element of a slice": (
        READ + f"%x = tensor.extract %s[%i] : {S}\nreturn %x : f32",
        "f32",
        (2, 3),
        None,
    ),
    "two elements": (
        f"%x = tensor.extract %t[%c1] : {T}\n%y = tensor.extract %t[%c3] : {T}\n"
        "%z = arith.addf %x, %y : f32\nreturn %z : f32",
        "f32",
        (1, 3),
        None,
    ),
    "anywhere": (f"%x = tensor.extract %t[%i] : {T}\nreturn %x : f32", "f32", None, None),
    "what is given back is read as a whole": (
        f"%r = tensor.insert %f into %t[%c3] : {T}\nreturn %r : {T}",
        T,
        None,
        (3, 1),
    ),
    "a part of a part": (
        READ + f"%p = tensor.extract_slice %s[1] [1] [1] : {S} to tensor<1xf32>\n"
        "%x = tensor.extract %p[%c0] : tensor<1xf32>\nreturn %x : f32",
        "f32",
        (3, 1),
        None,
    ),
    "one of two": (
        READ + f"%k = arith.cmpf oeq, %f, %f : f32\n%o = tensor.splat %f : {S}\n"
        f"%q = arith.select %k, %s, %o : {S}\n%x = tensor.extract %q[%c0] : {S}\nreturn %x : f32",
        "f32",
        None,
        None,
    ),
    "where a loop counts": (
        "%x = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %f) -> (f32) {\n"
        f"%y = tensor.extract %t[%k] : {T}\nscf.yield %y : f32\n}}\nreturn %x : f32",
        "f32",
        (0, 3),
        None,
    ),
}


@pytest.mark.parametrize("name", PARTS)
def test_the_part_of_an_argument_that_is_touched(name):
    body, results, read, written = PARTS[name]
    call = f"""func.func @caller(%t: {T}, %f: f32, %i: index) -> {results} {{
      %r = call @g(%t, %f, %i, %i) : ({T}, f32, index, index) -> {results}
      return %r : {results}
    }}"""
    state = analyze(parse(callee(body, results) + call), OPTIONS).state
    summary, _ = state.callees.values()

    def told(parts):
        return [(r.offset.get(None, 0), r.size[None]) for p in parts.values() for r in p.ranges] or None

    assert told(summary.read_parts) == ([read] if read else None)
    assert told(summary.written_parts) == ([written] if written else None)


CALLS = {
    "a part that is not read": ("tensor.insert_slice %u into %t[5] [3] [1]", 0),
    "a part that is read": ("tensor.insert_slice %u into %t[3] [3] [1]", 1),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_is_written_before_a_call_reads_another_part(name):
    write, copies = CALLS[name]
    text = (
        callee(READ + f"%x = tensor.extract %s[%i] : {S}\nreturn %x : f32", "f32")
        + f"""
    func.func @main(%t: {T}, %u: {S}, %f: f32, %i: index) -> ({T}, f32) {{
      %w = {write} : {S} into {T}
      %x = call @g(%t, %f, %i, %i) : ({T}, f32, index, index) -> f32
      return %w, %x : {T}, f32
    }}"""
    )
    plan = analyze(parse(text), OPTIONS).plan()
    assert sum(buffer.with_contents for buffer in plan) == copies


def steps(r, tensors, count, lines, callees):
    """Random operations on tensors of eight elements and parts of them, with calls."""
    whole, parts, numbers = list(tensors), [], ["%f"]
    for _ in range(count):
        t, x, name = r.choice(whole), r.choice(numbers), f"%v{len(lines)}"
        at = r.choice("01345")
        kind = r.choice(("take", "take", "change", "fill", "put", "read", "read", "call", "call"))
        if kind in ("change", "fill", "put") and not parts:
            kind = "take"
        if kind == "call" and not callees:
            kind = "read"
        p = r.choice(parts) if parts else ""
        if kind == "take":
            lines.append(f"{name} = tensor.extract_slice {t}[{at}] [3] [1] : {T} to {S}")
            parts.append(name)
        elif kind == "change":
            lines.append(f"{name} = tensor.insert {x} into {p}[%c1] : {S}")
            parts.append(name)
        elif kind == "fill":
            lines.append(f"{name} = linalg.fill ins({x} : f32) outs({p} : {S}) -> {S}")
            parts.append(name)
        elif kind == "put":
            lines.append(f"{name} = tensor.insert_slice {p} into {t}[{at}] [3] [1] : {S} into {T}")
            whole.append(name)
        elif kind == "read":
            lines.append(f"{name} = tensor.extract {p or t}[%c1] : {S if p else T}")
            numbers.append(name)
        else:
            function, result = r.choice(callees)
            lines.append(f"{name} = call @{function}({t}, {x}) : ({T}, f32) -> {result}")
            (numbers if result == "f32" else whole).append(name)
    return whole, numbers


def program(seed):
    r = random.Random(seed)
    lines, callees = [], []
    for number in range(r.choice((1, 2, 3))):
        result = r.choice(("f32", T))
        lines += [
            f"func.func private @h{number}(%t: {T}, %f: f32) -> {result} {{",
            "%c1 = arith.constant 1 : index",
        ]
        whole, numbers = steps(r, ["%t"], r.randrange(1, 6), lines, callees)
        lines += [f"return {(numbers if result == 'f32' else whole)[-1]} : {result}", "}"]
        callees.append((f"h{number}", result))
    lines += [
        f"func.func @main(%t: {T}, %u: {T}, %f: f32) -> ({T}, {T}, f32) {{",
        "%c1 = arith.constant 1 : index",
    ]
    whole, numbers = steps(r, ["%t", "%u"], r.randrange(4, 11), lines, callees)
    lines.append(f"%sum = arith.addf {numbers[-1]}, {numbers[len(numbers) // 2]} : f32")
    return "\n".join([*lines, f"return {whole[-1]}, {r.choice(whole)}, %sum : {T}, {T}, f32", "}"])


def check(seed):
    before = parse(program(seed))
    after = before.clone()
    heuristic = "fewest-copies" if seed % 2 else "bottom-up"
    OneShotBufferize(
        bufferize_function_boundaries=True, compare_parts=True, analysis_heuristic=heuristic
    ).run(after, Context())
    findings = verify_module(before, after, Options(inputs=3, tries=6))
    assert all(f.runs and not f.failed for f in findings)


@pytest.mark.parametrize("seed", range(12))
def test_programs_with_calls_compute_the_same(seed):
    check(seed)


@pytest.mark.long
def test_more_programs_with_calls():
    for seed in range(1000, 1600):
        check(seed)
