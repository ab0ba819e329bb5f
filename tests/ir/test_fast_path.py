"""Taking an operation by one expression gives what the general parser gives: same program, same places, same names."""

from pathlib import Path

import pytest
from bufferize.benchmarks.families import FAMILIES
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.source.locations import Source
from bufferize.ir.text.format_parser import FAST_AFTER
from bufferize.ir.text.parser import DocumentParser
from bufferize.ir.text.registry import Registry, default_registry

EXAMPLES = Path(__file__).parents[2] / "examples"


class GeneralOnly(Registry):
    """A registry without one-expression forms."""

    def __init__(self, package):
        super().__init__(package)
        self.uses_fast_forms = False


def described(text, registry):
    """Everything a parser decides, as plain data; or its error."""
    source = Source("test", text)
    try:
        module = DocumentParser(source, registry, True).parse()
    except BufferizeError as failure:
        return [(d.message, d.span and (d.span.start, d.span.end)) for d in failure.diagnostics]
    numbers = {}
    found = []
    for op in module.walk():
        for result in op.results:
            numbers[result] = len(numbers)
        for region in op.regions:
            for block in region:
                for arg in block.args:
                    numbers[arg] = len(numbers)
    for op in module.walk():
        found.append(
            (
                op.name,
                [numbers.get(v) for v in op.operands],
                op.result_types,
                [r.name_hint for r in op.results],
                dict(op.properties),
                op.attributes,
                # the general parser may have looked for more behind the end
                op.where and (*op.where[1:3], len(text[: op.where[3]].rstrip())),
            )
        )
    return found


PROGRAMS = {path.stem: path.read_text() for path in sorted(EXAMPLES.glob("*.mlir"))} | {
    name: family(120) for name, family in FAMILIES.items()
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_both_ways_of_reading_agree(text):
    general = GeneralOnly(default_registry().package)
    assert described(text, default_registry()) == described(text, general)


LINES = [
    "%2 = arith.addf %0, %0 : f32",
    "%2 = arith.addf %0, %0 fastmath<fast> : f32",
    "%2 = arith.addf %0, %0 {a = 1} : f32",
    "%2 = arith.addf %0, %0 : f32 loc(unknown)",
    "%2 = arith.addf %0, %0 : f32 // comment",
    "%2 = arith.addf %0, %0 : f32\n loc(unknown)",
    "%2 = arith.addf %0,\n  %0 : f32",
    "%2 = arith.addf %0, %1 : f32",
    "%2 = arith.addf %0, %9 : f32",
    "%0 = arith.addf %0, %0 : f32",
    "%2:1 = arith.addf %0, %0 : f32",
    "%2, %3 = arith.addf %0, %0 : f32",
    "arith.addf %0, %0 : f32",
    "%2 = arith.addf %0, %0 : i32",
    "%2 = arith.addf %4#0, %4#1 : f32",
    "%2 = arith.addf %4#0, %4#2 : f32",
    "%2 = arith.addf %0, %#map : f32",
    "%2 = arith.addf %0, %4#one : f32",
    "%2 = tensor.insert %0 into %t[%#i, %i] : tensor<4x?xf32>",
    "%2 = arith.cmpi slt, %1, %1 : i32",
    "%2 = arith.cmpi sly, %1, %1 : i32",
    "%2 = tensor.extract %t[%i, %i] : tensor<4x?xf32>",
    "%2 = tensor.extract %t[%i] : tensor<4x?xf32>",
    "%2 = tensor.extract_slice %t[0, %i] [2, %i] [1, 1] : tensor<4x?xf32> to tensor<2x?xf32>",
    "%2 = tensor.extract_slice %t[0, -1] [2, %i] [1, 1] : tensor<4x?xf32> to tensor<2x?xf32>",
    "%2 = tensor.insert %0 into %t[%i, %i] : tensor<4x?xf32>",
    "%2 = memref.load %m[%i] : memref<4xf32, affine_map<(d0) -> (d0)>>",
    "%2 = call @h(%0, %1) : (f32, i32) -> f32",
    "%2 = func.call @h(%0) : (f32) -> (f32)",
    "%2 = call @h(%0) : (f32) -> (f32, i32)",
    "%2:2 = call @h(%0) : (f32) -> (f32, i32)",
    "%2 = call @h(%0) : (f32) -> ()",
    "call @h(%0) : (f32) -> f32",
    "call @h() : () -> ()",
    "call @h(%0) : (i32) -> ()",
    "call @h(%0) : () -> ()",
    "call @h(%9) : (f32) -> ()",
    "return %0, %1 : f32, i32\n}\nfunc.func @k() {",
    "return %4#1 : f32\n}\nfunc.func @k() {",
    "return %0 : i32\n}\nfunc.func @k() {",
    "return %0, %0 : f32\n}\nfunc.func @k() {",
    "return\n  %2 = arith.addf %0, %0 : f32\n}\nfunc.func @k() {",
    "return :\n}\nfunc.func @k() {",
    "return : f32\n}\nfunc.func @k() {",
    "return {a = 1}\n}\nfunc.func @k() {",
]


@pytest.mark.parametrize("line", LINES)
def test_both_ways_agree_on_every_spelling_and_mistake(line):
    text = (
        "func.func @f(%0: f32, %1: i32, %i: index, %t: tensor<4x?xf32>, %m: memref<4xf32>) {\n"
        '  %4:2 = "t.d"() : () -> (f32, f32)\n  %w = arith.addf %0, %0 : f32\n'
        f"  {line}\n  return\n}}"
    )
    # the operation is met once before, so that its expression is compiled when the line comes
    before = "\n".join(["func.func private @g()", "func.func @h() {\ncall @g() : () -> ()\nreturn\n}", text])
    assert described(before, default_registry()) == described(before, GeneralOnly(default_registry().package))


HEADERS = [
    "@f(%a: f32)",
    "private @f(%a: f32, %b: tensor<4x?xf32>) -> f32",
    "@f(%a: f32) -> (f32, memref<4xf32>)",
    "@f(%a: f32 {a.b}) -> (f32 {a.b})",
    "@f(%a: f32, %a: i32)",
    "@f(%a: f32, %b: nothing)",
    "@f(%a: f32, %b: tensor<4xnothing>) -> f32",
    "@f(%a: f32) -> nothing",
    "@f(%a: tensor<4x>)",
    "@f(%a: f32, i32)",
    "@f(%a f32)",
    "@f(%0: index, %1: index)",
]


@pytest.mark.parametrize("header", HEADERS)
def test_both_ways_agree_on_every_signature(header):
    functions = [f"func.func @g{n}(%x: f32) {{\n  return\n}}" for n in range(FAST_AFTER)]
    functions += [f"func.func {header.replace('@f', name)} {{\n  return\n}}" for name in ("@f", "@again")]
    text = "\n".join(functions)
    assert described(text, default_registry()) == described(text, GeneralOnly(default_registry().package))
