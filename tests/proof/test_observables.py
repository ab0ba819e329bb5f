"""For each entry of the list of observables, programs that differ in it and in nothing else: none is proved.

A mutant is a pair of programs. Both are a random function (loads, stores, loops, branches, buffers of its own) around one of the
pieces below, of which the second program has the wrong half. What is asked then belongs to the entry that the piece violates. A counterpart,
whose second program has the right half and a constant that nobody uses, is proved: the pair is not refused for another reason.
"""

from __future__ import annotations

from random import Random
from string import Template

import bufferize
import pytest
from bufferize.interpreter.generate_programs import tensor_program
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.proof.check import prove_modules
from bufferize.proof.observables import OBSERVABLES

Piece = tuple[str, str, str]
"""Where it goes ("inside", "module", "result", "function"), the right half, the wrong half. Words behind `$` are drawn at random."""

CALLS = "func.func private @u(memref<8xf32>, f32)\nfunc.func private @v(memref<8xf32>, f32)"
COPIED = "%m = memref.alloc() : memref<8xf32> memref.copy %A, %m : memref<8xf32> to memref<8xf32>"
TWO = "%m = memref.alloc() : memref<8xf32> %o = memref.alloc() : memref<8xf32>"
FILLED = (
    "%m = memref.alloc() : memref<8xf32> memref.store %x, %m[%c${D}] : memref<8xf32>"
    " %l = memref.load %m[%c${D}] : memref<8xf32> memref.store %l, %A[%c${E}] : memref<8xf32>"
)
FREE = " memref.dealloc %m : memref<8xf32>"
SUM = "%q = arith.index_cast %p : index to i32 %w = arith.sitofp %q : i32 to f32"


def _parallel(index: str) -> str:
    return f"scf.parallel (%p) = (%c0) to (%c7) step (%c1) {{ {SUM} memref.store %w, %A[{index}] : memref<8xf32> }}"


def _forall(index: str) -> str:
    return f"scf.forall (%p) in (5) {{ {SUM} memref.store %w, %B[{index}] : memref<8xf32> }}"


def _store(value: str, index: str, buffer: str = "%A") -> str:
    return f"memref.store {value}, {buffer}[{index}] : memref<8xf32>"


def _global(values: str, constant: str = "constant ") -> str:
    return (
        f'memref.global "private" {constant}@w : memref<3xi32> = {values}\n'
        "func.func @get(%i: index) -> i32 { %w = memref.get_global @w : memref<3xi32>"
        " %r = memref.load %w[%i] : memref<3xi32> return %r : i32 }"
    )


def _resource(data: str, key: str) -> str:
    return (
        f"func.func @blob() -> tensor<2xi32> {{ %t = arith.constant dense_resource<{key}> : tensor<2xi32> return %t : tensor<2xi32> }}\n"
        + '{-# dialect_resources: { builtin: { KEY: "0x04000000DATA" } } #-}'.replace("KEY", key).replace(
            "DATA", data
        )
    )


def _space(space: str) -> str:
    return "func.func @placed(%a: T) -> T { return %a : T }".replace("T", f"memref<${{N}}x$S{space}>")


def _target(layout: str) -> str:
    return f"module @t attributes {{dlti.dl_spec = #dlti.dl_spec<{layout}>}} {{ {G} }}"


def _stored(index: str = "${D}", value: str = "%x") -> str:
    return (
        (
            "func.func @stores(%table: memref<8xmemref<f32>>, %x: f32, %y: f32) {"
            " %c0 = arith.constant INDEX : index %m = memref.alloc() : memref<f32> memref.store VALUE, %m[] : memref<f32>"
            " memref.store %m, %table[%c0] : memref<8xmemref<f32>> return }"
        )
        .replace("INDEX", index)
        .replace("VALUE", value)
    )


G = "func.func @g(%a: $TYPE) -> $TYPE { return %a : $TYPE }"
PIECES: dict[str, list[Piece]] = {
    "functions": [
        ("module", G, "func.func @h(%a: $TYPE) -> $TYPE { return %a : $TYPE }"),
        ("module", G, ""),
        ("module", G, "func.func private @g(%a: $TYPE) -> $TYPE"),
        ("module", G, "func.func @g(%a: $TYPE, %b: $TYPE) -> $TYPE { return %a : $TYPE }"),
        ("module", f"module @m${{D}} {{ {G} }}", "module @m${D} { }"),
        ("module", G, G.replace("%a: $TYPE", "%a: $TYPE {llvm.align = ${D}8 : i64}")),
        ("module", f"module @m${{D}} {{ {G} }}", f"module @m${{E}} {{ {G} }}"),
    ],
    "other operations": [
        ("module", '"test.info"() {a = ${D} : i32} : () -> ()', '"test.info"() {a = ${E} : i32} : () -> ()'),
        ("module", '"test.info"() {a = ${D} : i32} : () -> ()', ""),
        ("module", '"test.info"() {a = ${D} : i32} : () -> ()', '"test.info"() {b = ${D} : i32} : () -> ()'),
        ("module", 'module { "test.info"() {a = ${D} : i32} : () -> () }', "module { }"),
    ],
    "targets": [
        ("module", _target("index = ${D}2 : i64"), _target("index = ${E}4 : i64")),
        ("module", _target("index = ${D}2 : i64"), f"module @t {{ {G} }}"),
    ],
    "resources": [
        ("module", _resource("0${D}00000000000000", "first"), _resource("0${E}00000000000000", "first")),
        ("module", _resource("0${D}0000000000000${F}", "first"), _resource("0${D}000000000000${F}${F}", "second")),
        ("module", _resource("0${D}0000000D000000", "first"), _resource("0${E}0000000D000000", "second")),
    ],
    "globals": [
        ("module", _global("dense<[${D}, 1, 2]>"), _global("dense<[${E}, 1, 2]>")),
        ("module", _global("dense<[1, ${D}, 2]>"), _global("dense<[1, ${E}, 2]>")),
        ("module", _global("dense<${D}>", ""), _global("dense<${E}>", "")),
        ("module", _global("dense<${D}>", ""), _global("uninitialized", "")),
        ("inside", "memref.store %x, %glob[%c${D}] : memref<8xf32>", ""),
        ("inside", "memref.store %x, %glob[%c${D}] : memref<8xf32>", "memref.store %x, %glob[%c${E}] : memref<8xf32>"),
    ],
    "results": [
        ("result", "%r = arith.addf %x, %y : f32", "%r = arith.subf %x, %y : f32"),
        ("result", "%r = arith.subf %x, %y : f32", "%r = arith.subf %y, %x : f32"),
        ("result", "%r = arith.constant ${D}.0 : f32", "%r = arith.constant ${E}.0 : f32"),
        ("result", "%r = memref.load %A[%c${D}] : memref<8xf32>", "%r = memref.load %A[%c${E}] : memref<8xf32>"),
        ("result", "%r = memref.load %A[%c${D}] : memref<8xf32>", "%r = memref.load %B[%c${E}] : memref<8xf32>"),
        ("result", "%r = arith.select %c, %x, %y : f32", "%r = arith.select %c, %y, %x : f32"),
    ],
    "arguments": [
        ("inside", _store("%x", "%c${D}"), ""),
        ("inside", _store("%x", "%c${D}"), _store("%y", "%c${D}")),
        ("inside", _store("%x", "%c${D}"), _store("%x", "%c${E}")),
        ("inside", _store("%x", "%c${D}"), _store("%x", "%c${D}", "%B")),
        ("inside", "", _store("%x", "%c${D}")),
    ],
    "stored buffers": [
        ("module", _stored(), _stored(index="${E}")),
        ("module", _stored(), _stored(value="%y")),
        ("module", _stored(), _stored().replace("return", "memref.dealloc %m : memref<f32> return")),
        ("module", _stored(), _stored().replace("memref.store %m, %table[%c0] : memref<8xmemref<f32>>", "")),
    ],
    "effects": [
        ("inside", "func.call @u(%A, %x) : (memref<8xf32>, f32) -> ()", ""),
        ("inside", "func.call @u(%A, %x) : (memref<8xf32>, f32) -> ()", "func.call @v(%A, %x) : (memref<8xf32>, f32) -> ()"),
        ("inside", "func.call @u(%A, %x) : (memref<8xf32>, f32) -> ()", "func.call @u(%A, %y) : (memref<8xf32>, f32) -> ()"),
        ("inside", "func.call @u(%A, %x) : (memref<8xf32>, f32) -> ()", "func.call @u(%B, %x) : (memref<8xf32>, f32) -> ()"),
        ("inside", 'cf.assert %a, "${D}"', ""),
        ("inside", '"test.t${D}"(%x) : (f32) -> ()', '"test.t${E}"(%x) : (f32) -> ()'),
        (
            "inside",
            "func.call @u(%A, %x) : (memref<8xf32>, f32) -> () func.call @v(%A, %x) : (memref<8xf32>, f32) -> ()",
            "func.call @v(%A, %x) : (memref<8xf32>, f32) -> () func.call @u(%A, %x) : (memref<8xf32>, f32) -> ()",
        ),
    ],
    "undefined behaviour": [
        ("inside", "", "%l = memref.load %A[%j] : memref<8xf32>"),
        ("inside", "", "%l = memref.load %A[%c8] : memref<8xf32>"),
        ("inside", "", "%l = arith.divsi %k, %d : i32"),
        ("inside", "", "%l = arith.remui %k, %d : i32"),
        ("result", "%s = arith.$OP %k, %d : i32 %r = arith.sitofp %s : i32 to f32", "%s = arith.$OP %k, %d overflow<nsw> : i32 %r = arith.sitofp %s : i32 to f32"),
        ("result", "%r = arith.addf %x, %y : f32", "%r = arith.addf %x, %y fastmath<nnan> : f32"),
        ("inside", "", "%l = memref.subview %A[%j] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>"),
    ],
    "sharing": [
        ("function", f"{COPIED} return %m : memref<8xf32>", "return %A : memref<8xf32>"),
        ("function", f"{COPIED} return %m : memref<8xf32>", f"{COPIED.replace('memref.alloc()', 'memref.alloca()')} return %m : memref<8xf32>"),
        ("function", "return %A : memref<8xf32>", "return %B : memref<8xf32>"),
        ("function", f"{COPIED} return %m : memref<8xf32>", "%z = arith.select %c, %A, %B : memref<8xf32> return %z : memref<8xf32>"),
    ],
    "frees": [
        ("inside", f"{FILLED}{FREE}", f"{FILLED}{FREE}{FREE}"),
        ("inside", f"{FILLED}{FREE}", FILLED.replace(" %l =", f"{FREE} %l =")),
        ("inside", "", "memref.dealloc %A : memref<8xf32>"),
        (
            "inside",
            f"{FILLED}{FREE}",
            f"{FILLED} %s = memref.subview %m[1] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 1>>"
            " memref.dealloc %s : memref<4xf32, strided<[1], offset: 1>>",
        ),
        ("inside", f"{FILLED}{FREE}", f"{FILLED}{FREE} scf.if %a {{{FREE} }}"),
    ],
    "leaks": [
        ("inside", f"{FILLED}{FREE}", FILLED),
        ("inside", f"{FILLED}{FREE}", f"{FILLED} scf.if %a {{{FREE} }}"),
        ("inside", "", "%m = memref.alloc(%n) : memref<?xf32>"),
    ],
    "races": [
        ("inside", _parallel("%p"), _parallel("%c${D}")),
        ("inside", _forall("%p"), _forall("%c${D}")),
        (
            "inside",
            _parallel("%p"),
            _parallel("%p").replace("memref.store", "%z = memref.load %A[%c${D}] : memref<8xf32> memref.store %z, %B[%p] : memref<8xf32> memref.store"),
        ),
    ],
    "memory spaces": [
        ("module", _space(""), _space(", 1")),
        ("module", _space(", 1"), _space(", 2")),
        ("module", _space(", 3"), _space("")),
    ],
    "alignment": [
        ("inside", "", "%al = memref.assume_alignment %A, 16 : memref<8xf32> %l = memref.load %al[%c${D}] : memref<8xf32>"),
        ("inside", "%al = memref.assume_alignment %A, 8 : memref<8xf32> %l = memref.load %al[%c${D}] : memref<8xf32>",
         "%al = memref.assume_alignment %A, 64 : memref<8xf32> %l = memref.load %al[%c${D}] : memref<8xf32>"),
        ("function", f"{COPIED.replace('alloc()', 'alloc() {alignment = 64 : i64}')} return %m : memref<8xf32>",
         f"{COPIED.replace('alloc()', 'alloc() {alignment = 8 : i64}')} return %m : memref<8xf32>"),
    ],
}  # fmt: skip

ARGUMENTS = "%A: memref<8xf32>, %B: memref<8xf32>, %j: index, %n: index, %c: i1, %a: i1, %x: f32, %y: f32, %k: i32, %d: i32"
STATEMENTS = (
    "%s# = arith.addf %x, %y : f32 memref.store %s#, %A[%c${D}] : memref<8xf32>",
    "%s# = memref.load %B[%c${D}] : memref<8xf32> memref.store %s#, %A[%c${E}] : memref<8xf32>",
    "%s# = memref.alloc() : memref<4xf32> linalg.fill ins(%x : f32) outs(%s# : memref<4xf32>)"
    " memref.dealloc %s# : memref<4xf32>",
    "scf.for %s# = %c0 to %c7 step %c1 { memref.store %y, %A[%s#] : memref<8xf32> }",
    "scf.if %c { memref.store %x, %B[%c${D}] : memref<8xf32> }",
    "memref.copy %A, %B : memref<8xf32> to memref<8xf32>",
    "%s# = arith.mulf %x, %x : f32",
)
AROUND = (
    "{}",
    "scf.if %c {{ {} }}",
    "scf.if %c {{ }} else {{ {} }}",
    "scf.for %around = %c0 to %c3 step %c1 {{ {} }}",
    "scf.for %around = %c0 to %n step %c1 {{ scf.if %c {{ {} }} }}",
)


def _drawn(random: Random) -> dict[str, str]:
    first, second = random.sample(range(7), 2)
    element = random.choice(("f32", "i32", "i64", "f64"))
    drawn = {
        "D": str(first),
        "E": str(second),
        "F": random.choice("123456"),
        "N": str(random.randrange(2, 9)),
        "OP": random.choice(("addi", "subi", "muli")),
    }
    return {**drawn, "S": element, "TYPE": random.choice((element, f"memref<4x{element}>", f"tensor<?x{element}>"))}  # fmt: skip


def _filled(text: str, drawn: dict[str, str]) -> str:
    return Template(text).substitute(drawn)


def pair(name: str, seed: int) -> tuple[str, str, str]:
    """A program, one that violates the observable, and one that does not, though it is not the same text."""
    random = Random(f"{name} {seed}")
    where, right, wrong = random.choice(PIECES[name])
    drawn = _drawn(random)
    before = [
        _filled(random.choice(STATEMENTS).replace("#", str(i)), _drawn(random))
        for i in range(random.randrange(4))
    ]
    after = [
        _filled(random.choice(STATEMENTS).replace("#", str(i + 9)), _drawn(random))
        for i in range(random.randrange(3))
    ]
    if name == "arguments":
        after = []  # what is written there would not be seen if it was overwritten
    if name == "results" and "load" in right:
        before = after = []  # they could make the elements equal
    around = random.choice(AROUND) if where == "inside" else "{}"

    def program(half: str, dead: str = "") -> str:
        half = _filled(half, drawn)
        constants = " ".join(f"%c{i} = arith.constant {i} : index" for i in range(9))
        body = "%glob = memref.get_global @glob : memref<8xf32>\n"
        inner = around.format(half) if where == "inside" else half if where in ("result", "function") else ""
        last = "" if where == "function" else "return %r : f32"
        result = "" if where in ("result", "function") else "%r = arith.addf %x, %x : f32"
        lines = [constants, dead, body, *before, *([result, inner] if where == "inside" else [result]),
                 *(after if where != "function" else ()), *([inner] if where in ("result", "function") else ()), last]  # fmt: skip
        returned = "memref<8xf32>" if where == "function" else "f32"
        head = f"{CALLS}\nmemref.global @glob : memref<8xf32> = dense<1.0>\n"
        function = f"func.func @f({ARGUMENTS}) -> {returned} {{\n" + "\n".join(lines) + "\n}\n"
        return head + function + (half if where == "module" else "")

    return program(right), program(wrong), program(right, "%dead = arith.constant 77 : i32")


def proof_of(name: str, before: str, after: str):
    read = [bufferize.parse(text, allow_unregistered=True) for text in (before, after)]
    return bufferize.prove(read[0], read[1], leaks=name in ("frees", "leaks"))


def check(name: str, seed: int) -> None:
    (observable,) = (one for one in OBSERVABLES if one.name == name)
    source, mutant, counterpart = pair(name, seed)
    proof = proof_of(name, source, mutant)
    assert not proof.proved, mutant
    # What memory holds is told by results and by what is passed to others, and may be asked instead.
    kinds = observable.kinds | {"content"}
    assert {question.kind for question in proof.questions} & kinds, (proof.questions, mutant)
    assert not any("Error" in question.text for question in proof.questions), proof.questions
    assert proof_of(name, source, counterpart).proved, (
        proof_of(name, source, counterpart).questions,
        counterpart,
    )


def test_each_observable_has_mutants():
    assert list(PIECES) == [one.name for one in OBSERVABLES]


@pytest.mark.parametrize("name", PIECES)
def test_what_violates_one_observable_is_not_proved(name):
    for seed in range(4):
        check(name, seed)


@pytest.mark.long
@pytest.mark.parametrize("name", PIECES)
def test_of_200_mutants_of_each_observable_none_is_proved(name):
    seeds = {pair(name, seed)[:2]: seed for seed in range(400)}
    assert len(seeds) >= 200
    for seed in seeds.values():
        check(name, seed)


SEEN_BY_RUNS = ("resources", "globals", "results", "arguments", "frees", "leaks")
"""What a run on the checked heap shows, with the inputs that are tried."""


def check_refuted(name: str, seed: int) -> None:
    source, mutant, _ = (bufferize.parse(text) for text in pair(name, seed))
    proof = bufferize.prove(source, mutant, leaks=name in ("frees", "leaks"), run=True)
    assert proof.verdict == "refuted", mutant


@pytest.mark.parametrize("name", SEEN_BY_RUNS)
def test_what_a_run_shows_is_refuted(name):
    for seed in range(2):
        check_refuted(name, seed)


@pytest.mark.long
@pytest.mark.parametrize("name", SEEN_BY_RUNS)
def test_what_100_runs_show_is_refuted(name):
    for seed in range(100):
        check_refuted(name, seed)


def check_form(seed: int) -> None:
    """What is made of a random program, some decisions overruled, is in a form that handlers expect."""
    before = bufferize.parse(tensor_program(seed), allow_unregistered=True)
    after, random = before.clone(), Random(seed)
    options = {"allow_return_allocs_from_loops": True}
    result = bufferize.analyze(after, **options)
    forced = {use for use in result.out_of_place() if random.random() < seed % 2 / 2}
    try:
        bufferize.one_shot(after, in_place=lambda use: use in forced or result.is_in_place(use), **options)
    except BufferizeError:
        return
    for question in prove_modules(before, after, leaks=False).questions:
        assert "in this form" not in question.text


SLICES_OF_ARGUMENTS = 5069
"""A seed whose proof compared contents of different ranks."""


def test_no_question_hides_an_error_of_the_prover(monkeypatch):
    monkeypatch.setenv("BUFFERIZE_DEBUG", "1")
    for seed in (SLICES_OF_ARGUMENTS, *range(6)):
        check_form(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_no_question_of_1000_programs_hides_an_error_of_the_prover(first, monkeypatch):
    monkeypatch.setenv("BUFFERIZE_DEBUG", "1")
    for seed in range(first, first + 100):
        check_form(seed)
