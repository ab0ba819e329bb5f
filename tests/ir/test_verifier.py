"""Malformed programs: message and place are those of mlir-opt 22.

`data/verifier.txt` holds what it says of each; `python tests/ir/test_verifier.py` records anew. Each program is read in a
function of its own, so lines count from the function's first.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.source.locations import Source
from bufferize.ir.text.parser import parse_source
from bufferize.ir.verifier import verify

RECORDED = Path(__file__).parent / "data" / "verifier.txt"
MLIR_OPT = shutil.which("mlir-opt-22")


def body(*lines: str) -> str:
    inside = "".join(f"  {line}\n" for line in lines)
    return f"func.func @f(%i: index, %f: f32, %c: i1, %t: tensor<8xf32>, %m: memref<8xf32>) {{\n{inside}  return\n}}\n"


def sizes(written: str) -> str:
    return body(f'%a = "memref.alloc"(%i) {written} : (index) -> memref<?xf32>')


PROGRAMS = {
    "function without type": '"func.func"() ({\n^bb0(%a: f32):\n  "func.return"(%a) : (f32) -> ()\n}) {sym_name = "f"} : () -> ()\n',
    # names and dominance
    "undefined value": body("memref.store %f, %m[%nowhere] : memref<8xf32>"),
    "value defined twice": body("%a = arith.constant 1 : i32", "%a = arith.constant 2 : i32"),
    "value used before it is defined": body("%b = arith.addi %a, %a : i32", "%a = arith.constant 1 : i32"),
    "value used outside of its region": body(
        "scf.if %c {", "%a = arith.constant 1 : i32", "}", "%b = arith.addi %a, %a : i32"
    ),
    "value defined after the operation whose graph region uses it": body(
        "%r = scf.forall (%k) in (%i) shared_outs(%o = %t) -> (tensor<8xf32>) {", "scf.forall.in_parallel {",
        "tensor.parallel_insert_slice %s into %o[0] [8] [1] : tensor<8xf32> into tensor<8xf32>", "}", "}",
        "%s = tensor.cast %t : tensor<8xf32> to tensor<8xf32>",
    ),
    "value without a name": body("%b = arith.addi %, %i : index"),
    "symbol without a name": body("func.call @(%i) : (index) -> ()"),
    "two dots": body("%b = arith.addi .. %i : index"),
    "attribute without a name in a type": "func.func private @g(memref<4xf32, #>)\n",
    "call outside of functions": "func.func private @g()\ncall @g() : () -> ()\n",
    "no comma between assignments": body(
        "%r = scf.for %k = %i to %i step %i iter_args(%x = %f %y = %f) -> (f32) {", "scf.yield %x : f32", "}"
    ),
    "no arrow after assignments": body(
        "%r = scf.for %k = %i to %i step %i iter_args(%x = %f) (f32) {", "scf.yield %x : f32", "}"
    ),
    "no bracket after operands": body("%v = vector.transfer_read %m[%i, %f : memref<8xf32>, vector<2xf32>"),
    "number that runs into a word": body("%s = tensor.extract_slice %t[0] [4into] [1] : tensor<8xf32> to tensor<4xf32>"),
    "neither value nor number": body("%s = tensor.extract_slice %t[0] [x] [1] : tensor<8xf32> to tensor<4xf32>"),
    "strides without a bracket": "func.func private @g(memref<4xf32, strided<1]>>)\n",
    "too few segment sizes": sizes("<{operandSegmentSizes = array<i32: 1>}>"),
    "segment sizes of another type": sizes("<{operandSegmentSizes = array<i64: 1, 0>}>"),
    "no segment sizes": sizes(""),
    "too few segment sizes in the attributes": sizes("{operandSegmentSizes = array<i32: 1>}"),
    "negative segment sizes": sizes("<{operandSegmentSizes = array<i32: 2, -1>}>"),
    "regions before the next operation": body(
        '%r = "linalg.fill"(%f, %t) <{operandSegmentSizes = array<i32: 1, 1>}> ({',
        "^e(%a: f32, %b: f32):", "linalg.yield %a : f32", "}) : (f32, tensor<8xf32>) -> tensor<4xf32>",
        "%x = arith.index_cast %i : index to index",
    ),
    "value of another branch": body(
        "cf.cond_br %c, ^a, ^b",
        "^a:", "%x = arith.constant 1 : i32", "cf.br ^end",
        "^b:", "%y = arith.addi %x, %x : i32", "cf.br ^end",
        "^end:",
    ),
    "value of another type": body("%a = arith.addi %f, %f : i32"),
    "undefined block": body("cf.br ^nowhere"),
    "block defined twice": body("cf.br ^a", "^a:", "cf.br ^a", "^a:"),
    "undefined symbol": body("func.call @nowhere() : () -> ()"),
    "symbol defined twice": "func.func private @f()\nfunc.func private @f()\n",
    "wrong arguments of a call": "func.func private @g(i32)\n" + body("func.call @g(%f) : (f32) -> ()"),
    "wrong results of a call": "func.func private @g() -> i32\n" + body("%x = func.call @g() : () -> f32"),
    "wrong number of results named": body("%a, %b = arith.constant 1 : i32"),
    # text
    "missing keyword": body("%x = tensor.cast %t : tensor<8xf32> tensor<?xf32>"),
    "missing bracket": body("%x = tensor.extract_slice %t[0 [4] [1] : tensor<8xf32> to tensor<4xf32>"),
    "type with a value in it": body("%x = tensor.cast %t : tensor<%fxf32> to tensor<?xf32>"),
    "type that does not end": body("%x = tensor.cast %t : tensor<8xf32 to tensor<?xf32>"),
    "memref that does not end": body("%x = memref.cast %m : memref<8xf32 to memref<?xf32>"),
    "memref without a layout": body("%x = memref.cast %m : memref<8xf32, > to memref<?xf32>"),
    "type of another kind": body("%x = tensor.dim %m, %i : memref<8xf32>"),
    "operand of another kind of type": body("%x = tensor.insert_slice %m into %t[0] [8] [1] : memref<8xf32> into tensor<8xf32>"),
    "operand that a form does not take": body("%x = arith.cmpi slt, %f, %f : f32"),
    "name of an argument in use": body("scf.for %i = %i to %i step %i {", "}"),
    "map without brackets": body("%x = affine.apply affine_map<d0 -> (d0)>(%i)"),
    "map with an unknown name": body("%x = affine.apply affine_map<(d0) -> (d1)>(%i)"),
    "dictionary that does not end": body("%x = arith.constant {a = 1 b = 2} 1 : i32"),
    "array that does not end": body("%x = arith.constant {a = [1 2]} 1 : i32"),
    "string that does not end": body('cf.assert %c, "no end'),
    "operation named like a type": body("i32"),
    "inherent attribute in the dictionary": body("%x = memref.load %m[%i] {nontemporal = 3 : i8} : memref<8xf32>"),
    "alias with a dot": "#a.b = 3\n",
    "visibility that there is not": 'memref.global "secret" @g : memref<4xf32>\n',
    "pack to tiles of another size": "func.func @p(%s: tensor<8x8xf32>, %d: tensor<2x8x3xf32>) -> tensor<2x8x3xf32> {\n"
    "  %0 = linalg.pack %s inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<8x8xf32> -> tensor<2x8x3xf32>\n"
    "  return %0 : tensor<2x8x3xf32>\n}\n",
    "sparse elements of another shape": "func.func @f() attributes {n = sparse<[[0, 0]], [1]> : tensor<3xi8>} { return }\n",
    # structure
    "terminator in the middle": body("return", "%a = arith.constant 1 : i32"),
    "no terminator": "func.func @f() {\n  %a = arith.constant 1 : i32\n}\n",
    "block without a terminator": body("cf.br ^a", "^a:", "%a = arith.constant 1 : i32", "^b:"),
    "wrong operation in a block without a terminator": "func.func @f(%m: memref<?x?xf32>) {\n"
    "  %x = memref.collapse_shape %m [[0, 1, 2]] : memref<?x?xf32> into memref<?xf32>\n}\n",
    "wrong edge of a loop in a block without a terminator": "func.func @f(%c: i1) {\n"
    "  scf.while : () -> () {\n    scf.condition(%c)\n  } do {\n  ^a(%x: i32):\n    scf.yield\n  }\n}\n",
    "type of an operand before an empty region": body('"scf.if"(%i) ({}, {}) : (index) -> ()'),
    "empty block of a region with one block": body('"scf.if"(%c) ({', "^a:", "}, {}) : (i1) -> ()"),
    "wrong operands of return": "func.func @f(%a: i32) -> f32 {\n  return %a : i32\n}\n",
    "too few operands of return": "func.func @f(%a: i32) -> i32 {\n  return\n}\n",
    "branch with wrong arguments": body("cf.br ^a(%f : f32)", "^a(%x: i32):"),
    "branch with too few arguments": body("cf.br ^a", "^a(%x: i32):"),
    "branch to the entry": '"func.func"() ({\n^a:\n  cf.br ^a\n}) {function_type = () -> (), sym_name = "f"} : () -> ()\n',
    "wrong parent": body("scf.yield"),
    "yield of another type": body("%r = scf.if %c -> f32 {", "scf.yield %i : index", "} else {", "scf.yield %f : f32", "}"),
    "if with results and no else": body("%r = scf.if %c -> f32 {", "scf.yield %f : f32", "}"),
    "loop-carried values of other types": body(
        "%r = scf.for %k = %i to %i step %i iter_args(%a = %f) -> (f32) {", "scf.yield %i : index", "}"
    ),
    # operations
    "wrong number of indices": body("memref.store %f, %m[%i, %i] : memref<8xf32>"),
    "element of another type": body("%x = memref.load %m[%i] : memref<8xi32>"),
    "cast between other sizes": body("%x = memref.cast %m : memref<8xf32> to memref<4xf32>"),
    "tensor cast between other sizes": body("%x = tensor.cast %t : tensor<8xf32> to tensor<4xf32>"),
    "transfer without a tag": body(
        '"memref.dma_start"(%m, %i, %m, %i) : (memref<8xf32>, index, memref<8xf32>, index) -> ()'
    ),
    "wrong number of dynamic sizes": body("%x = memref.alloc(%i) : memref<8xf32>"),
    "alignment that is no power of two": body("%x = memref.alloc() {alignment = 3} : memref<8xf32>"),
    "wrong number of sizes of an empty tensor": body("%x = tensor.empty() : tensor<?xf32>"),
    "extract with too few indices": body("%x = tensor.extract %t[] : tensor<8xf32>"),
    "slice out of bounds": body("%x = tensor.extract_slice %t[6] [4] [1] : tensor<8xf32> to tensor<4xf32>"),
    "slice of another type": body("%x = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<5xf32>"),
    "subview of another type": body("%x = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<5xf32>"),
    "collapse of wrong dimensions": body("%x = tensor.collapse_shape %t [[0, 1]] : tensor<8xf32> into tensor<8xf32>"),
    "fill of another type": body("linalg.fill ins(%i : index) outs(%m : memref<8xf32>)"),
    "generic with too few maps": body(
        "linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]}",
        "ins(%m : memref<8xf32>) outs(%m : memref<8xf32>) {",
        "^bb0(%a: f32, %b: f32):", "linalg.yield %a : f32", "}",
    ),
    "generic with wrong arguments": body(
        "linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]}",
        "outs(%m : memref<8xf32>) {", "^bb0(%a: i32):", "linalg.yield %a : i32", "}",
    ),
    "constant of another type": body("%x = arith.constant 1.0 : i32"),
    "constant out of range": body("%x = arith.constant 300 : i8"),
    "comparison with an unknown predicate": body("%x = arith.cmpi foo, %i, %i : index"),
    "select of two types": body("%x = arith.select %c, %i, %f : index"),
    "tensor of another shape": body("%x = bufferization.to_tensor %m : memref<8xf32> to tensor<4xf32>"),
    "dealloc with too few conditions": body("bufferization.dealloc (%m, %m : memref<8xf32>, memref<8xf32>) if (%c)"),
    "negative step": body("affine.for %k = 0 to 8 step -1 {", "}"),
    "index that is no dimension": body("%x = affine.load %m[%q] : memref<8xf32>"),
    "unknown operation of a known dialect": body('arith.nonsense %f'),
    "unknown dialect": body("nonsense.op %f"),
    "operation of an unknown dialect in generic form": body('"nonsense.op"(%f) : (f32) -> ()'),
    # types and attributes
    "unknown type": "func.func private @f(nonsense)\n",
    "tensor of tensors": "func.func private @f(tensor<2xtensor<2xf32>>)\n",
    "vector of unknown size": "func.func private @f(vector<?xf32>)\n",
    "memref with a layout of another rank": "func.func private @f(memref<2x2xf32, strided<[1]>>)\n",
    "integer that is too wide": "func.func private @f(i99999999)\n",
    "undefined type alias": "func.func private @f(!nowhere)\n",
    "undefined attribute alias": "func.func private @f() attributes {a = #nowhere}\n",
    "elements of another number": body("%x = arith.constant dense<[1, 2]> : tensor<3xi32>"),
    "ragged elements": body("%x = arith.constant dense<[[1, 2], [3]]> : tensor<2x2xi32>"),
    "attribute given twice": body('%x = arith.constant {a = 1, a = 2} 1 : i32'),
    "missing property": '"func.func"() ({}) : () -> ()\n',
    "property of another kind": '"func.func"() ({}) {function_type = 1 : i32, sym_name = "f"} : () -> ()\n',
    "bitcast of index": body("%x = arith.bitcast %i : index to i64"),
    "memref cast of a tensor": body("%x = memref.cast %t : tensor<8xf32> to memref<8xf32>"),
    "elements of a global with a type": "memref.global @x : memref<4xi32> = dense<1> : tensor<4xi32>\n",
    "elements of a global of another kind": "memref.global @x : memref<4xi32> = dense<1.0> : tensor<4xf32>\n",
    "branch without successor": 'func.func @f() {\n  "cf.br"() : () -> ()\n}\n',
    "neither regions nor operands": body('"scf.if"() ({}) : () -> ()'),
    "short form with too few operands": body(
        "%x = linalg.map { arith.addf } ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>)"
    ),
    "unclosed string": 'func.func private @f() attributes {a = "b}\n',
    "end of input in a region": "func.func @f() {\n",
}  # fmt: skip


DIFFERENT = {
    "constant of another type": "2:23: floating point value not valid for specified type",
    "operation of an unknown dialect in generic form": "2:3: operation being parsed with an unregistered dialect. If this is "
    "intended, please use -allow-unregistered-dialect with the MLIR tool used",
    "operand that a form does not take": "2:36: custom op 'arith.cmpi' 'lhs' must be signless-integer-like, but got 'f32'",
    "ragged elements": "2:40: tensor literal is invalid; ranks are not consistent between elements",
}
"""The same is said, but of the very place; mlir-opt points behind it."""


def ours(program: str) -> list[str]:
    """`LINE:COLUMN: MESSAGE` of all that is wrong."""
    source = Source("case.mlir", program)
    try:
        module = parse_source(source)
        verify(module)
    except BufferizeError as failure:
        return [str(d).removeprefix("case.mlir:").replace(" error: ", " ", 1) for d in failure.diagnostics]
    return []


def mlir_opt(program: str) -> list[str]:
    done = subprocess.run(
        [MLIR_OPT or "mlir-opt-22", "-"], input=program, capture_output=True, text=True, timeout=600
    )
    lines = [line for line in done.stderr.splitlines() if ": error: " in line]
    return [line.removeprefix("<stdin>:").replace(" error: ", " ", 1) for line in lines]


def recorded() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    if RECORDED.exists():
        for part in RECORDED.read_text("utf-8").split("=== ")[1:]:
            name, *lines = part.rstrip("\n").split("\n")
            found[name] = lines
    return found


MESSAGES = recorded()


@pytest.mark.parametrize("name", PROGRAMS)
def test_message_and_place(name):
    assert MESSAGES[name], "mlir-opt found nothing wrong"
    expected = DIFFERENT.get(name, MESSAGES[name][0])
    assert ours(PROGRAMS[name])[0].rstrip() == expected.rstrip()


@pytest.mark.mlir
@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt-22 is not installed")
def test_recording_is_what_mlir_opt_says():
    assert {name: mlir_opt(program) for name, program in PROGRAMS.items()} == MESSAGES


def test_all_findings_are_reported():
    program = body("%a = arith.constant 1 : i32", "%x = arith.index_cast %a : i32 to index").replace(
        "return",
        '"memref.store"(%f, %m) : (f32, memref<8xf32>) -> ()\n  "memref.store"(%f, %m) : (f32, memref<8xf32>) -> ()\n  return',
    )
    assert [line.split(": ", 1)[0] for line in ours(program)] == ["4:3", "5:3"]


@pytest.mark.parametrize(
    "text",
    [
        '"t.r"() ({\n  %0 = "t.a"(%1) : (i32) -> i32\n  %1 = "t.a"(%0) : (i32) -> i32\n}) : () -> ()',
        '"t.r"() ({\n  "t.s"() ({\n    "t.u"(%0) : (i32) -> ()\n  }) : () -> ()\n  %0 = "t.d"() : () -> i32\n}) : () -> ()',
    ],
    ids=["in one block", "from inside"],
)
def test_order_does_not_matter_in_the_only_block_of_an_unknown_operation(text):
    verify(parse_source(Source("x", text), allow_unregistered=True), allow_unregistered=True)


def test_order_matters_between_blocks_of_an_unknown_operation():
    text = (
        '"t.r"() ({\n  "t.b"()[^a] : () -> ()\n^a:\n  %0 = "t.a"(%1) : (i32) -> i32\n  "t.b"()[^b] : () -> ()\n'
        '^b:\n  %1 = "t.a"(%0) : (i32) -> i32\n  "t.b"()[^a] : () -> ()\n}) : () -> ()'
    )
    module = parse_source(Source("x", text), allow_unregistered=True)
    with pytest.raises(BufferizeError, match="operand #0 does not dominate this use"):
        verify(module, allow_unregistered=True)


if __name__ == "__main__":
    RECORDED.write_text(
        "".join(
            f"=== {name}\n" + "".join(f"{line}\n" for line in mlir_opt(p)) for name, p in PROGRAMS.items()
        ),
        "utf-8",
    )
    sys.exit(0)
