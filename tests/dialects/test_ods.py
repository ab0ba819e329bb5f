"""Operations known by their definitions: the examples of the handbook, what comes with the package, and files that are neither."""

import json
from pathlib import Path

import pytest
from bufferize.dialects.ods import DATA, DefinitionError, declare_files
from bufferize.dialects.ods.records import declarations_of, declarations_of_irdl
from bufferize.ir.program.interfaces import DestinationStyleOp, is_memory_effect_free
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.text.format_parser import parse_form, print_form
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_operation
from bufferize.ir.text.registry import default_registry
from bufferize.ir.types import types as t
from bufferize.ir.verifier import verify

EXAMPLES = Path(__file__).parents[2] / "examples" / "definitions"

ROUND_TRIPS = {
    "arithmetic with flags": """
  func.func @f(%arg0: i32, %arg1: i32) -> i32 {
    %0 = llvm.add %arg0, %arg1 : i32
    %1 = llvm.mul %0, %arg1 overflow<nsw, nuw> : i32
    %2 = llvm.mlir.constant(7 : i32) : i32
    %3 = llvm.sub %1, %2 overflow<nsw> : i32
    return %3 : i32
  }""",
    "memory": """
  func.func @f(%arg0: !llvm.ptr, %arg1: i64) -> f32 {
    %0 = llvm.getelementptr %arg0[%arg1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %1 = llvm.load %0 : !llvm.ptr -> f32
    %2 = llvm.load volatile %0 {alignment = 4 : i64} : !llvm.ptr -> f32
    llvm.store %1, %0 : f32, !llvm.ptr
    %3 = llvm.getelementptr inbounds %arg0[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(array<4 x f32>, i32)>
    return %2 : f32
  }""",
    "aggregates": """
  func.func @f(%arg0: f32) -> i32 {
    %0 = llvm.mlir.undef : !llvm.struct<(i32, f32)>
    %1 = llvm.insertvalue %arg0, %0[1] : !llvm.struct<(i32, f32)>
    %2 = llvm.extractvalue %1[0] : !llvm.struct<(i32, f32)>
    return %2 : i32
  }""",
    "intrinsics": """
  func.func @f(%arg0: !llvm.ptr, %arg1: i64, %arg2: f32) -> f32 {
    "llvm.intr.memcpy"(%arg0, %arg0, %arg1) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    %0 = llvm.intr.sin(%arg2) {fastmathFlags = #llvm.fastmath<fast>} : (f32) -> f32
    llvm.intr.ubsantrap <{failureKind = 1 : i8}> {note}
    return %0 : f32
  }""",
    "functions and globals": """
  llvm.mlir.global internal constant @str("abc\\00") {addr_space = 0 : i32}
  llvm.mlir.global private @y() {addr_space = 0 : i32} : !llvm.array<4 x i8> {
    %0 = llvm.mlir.zero : !llvm.array<4 x i8>
    llvm.return %0 : !llvm.array<4 x i8>
  }
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.func internal @w(%arg0: i1, %arg1: i64 {llvm.noundef}) attributes {passthrough = ["nounwind"]} {
    %0 = llvm.mlir.addressof @str : !llvm.ptr
    %1 = llvm.call @printf(%0) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
    %2 = llvm.alloca %arg1 x f32 {alignment = 8 : i64} : (i64) -> !llvm.ptr
    %3 = llvm.icmp "slt" %arg1, %arg1 : i64
    llvm.cond_br %3, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    llvm.br ^bb2
  ^bb2:  // 2 preds: ^bb0, ^bb1
    llvm.return
  }""",
    "switches": """
  llvm.func @f(%arg0: i32, %arg1: i64) {
    llvm.switch %arg0 : i32, ^bb2 [
      1: ^bb2,
      -2: ^bb1(%arg0 : i32)
    ] {a.b}
  ^bb1(%0: i32):  // 4 preds: ^bb0, ^bb1, ^bb2, ^bb2
    llvm.switch %arg0 : i32, ^bb1(%arg0 : i32) [
    ]
  ^bb2:  // 3 preds: ^bb0, ^bb0, ^bb2
    llvm.switch %arg1 : i64, ^bb1(%arg0 : i32) [
      4294967297: ^bb2,
      1: ^bb1(%arg0 : i32)
    ] {branch_weights = array<i32: 1, 2, 3>}
  }""",
    "asynchronous copies": """
  func.func @f(%arg0: index) {
    %thread_id_x = gpu.thread_id  x
    %0 = gpu.wait async
    %memref, %asyncToken = gpu.alloc async [%0] (%arg0) : memref<?xf32>
    %1 = gpu.memcpy async [%asyncToken] %memref, %memref : memref<?xf32>, memref<?xf32>
    gpu.wait [%1]
    return
  }""",
    "groups": """
  func.func @f(%arg0: !async.token, %arg1: !async.value<f32>, %arg2: index) -> f32 {
    async.await %arg0 : !async.token
    %0 = async.await %arg1 : !async.value<f32>
    %1 = async.create_group %arg2 : !async.group
    %2 = async.add_to_group %arg0, %1 : !async.token
    async.await_all %1
    return %0 : f32
  }""",
    "intrinsics and shuffles": """
  func.func @f(%arg0: vector<4xf32>, %arg1: f32) -> vector<2xf32> {
    %0 = llvm.intr.sqrt(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (f32) -> f32
    %1 = llvm.shufflevector %arg0, %arg0 [3, 0] : vector<4xf32>
    return %1 : vector<2xf32>
  }""",
    "types without their names": """
  func.func @f(%arg0: !async.value<f32>, %arg1: f32) -> f32 {
    async.runtime.store %arg1, %arg0 : <f32>
    %0 = async.runtime.load %arg0 : <f32>
    return %0 : f32
  }""",
    "words in dictionaries": """
  func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = tosa.maximum %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = tosa.minimum %0, %arg0 {nan_mode = IGNORE, tag = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }""",
    "tensors": """
  func.func @f(%arg0: tensor<2x3xf32>) -> tensor<1x3xf32> {
    %0 = tosa.add %arg0, %arg0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %1 = tosa.reduce_sum %0 {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
    return %1 : tensor<1x3xf32>
  }""",
}


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_round_trip(name: str) -> None:
    text = f"module {{{ROUND_TRIPS[name]}\n}}\n"
    module = parse_text(text)
    verify(module)
    assert [
        line.rstrip() for line in print_operation(module).strip().splitlines()
    ] == text.strip().splitlines()
    again = parse_text(print_operation(module, generic=True))
    assert print_operation(again) == print_operation(module)


@pytest.mark.parametrize("dialect", sorted(path.stem for path in Path(DATA).glob("*.json")))
def test_every_form_that_is_shipped_compiles(dialect: str) -> None:
    names = [entry["name"] for entry in json.loads((Path(DATA) / f"{dialect}.json").read_text())]
    assert names
    for name in names:
        cls = default_registry().find(name)
        assert cls is not None
        if cls.assembly_format is not None:
            assert parse_form(cls) is not None
            assert print_form(cls) is not None


def test_definitions_of_a_project() -> None:
    declare_files([str(EXAMPLES / "records.json")], [str(EXAMPLES / "cmath.irdl.mlir")])
    module = parse_text((EXAMPLES / "program.mlir").read_text())
    verify(module)
    blur, unused, _ = list(module.walk())[2:5]
    assert blur.name == "image.blur"
    assert isinstance(blur, DestinationStyleOp)
    assert blur.tied_result(blur.dps_inits()[0]) is blur.results[0]
    assert blur.dps_inits()[0].index == 1
    assert is_memory_effect_free(unused)
    assert "image.blur %arg0 into %arg1 radius 3 :" in print_operation(module)
    parse_text((EXAMPLES / "cmath.mlir").read_text())


def test_regions_and_parameters_of_a_project() -> None:
    declare_files([str(EXAMPLES / "records.json")], [])
    module = parse_text((EXAMPLES / "program.mlir").read_text())
    verify(module)
    when = next(op for op in module.walk() if op.name == "image.when")
    assert [len(region.blocks) for region in when.regions] == [1, 0]
    assert [op.name for op in when.regions[0].blocks[0].ops] == ["image.done"]
    colour = next(op for op in module.walk() if op.name == "image.colour")
    assert colour.results[0].type is t.F32
    text = print_operation(module)
    assert "image.colour %arg0[%arg1] : <f32, 16>" in text
    assert "image.done" not in text
    assert print_operation(parse_text(print_operation(module, generic=True))) == text


def test_aliases_in_types_keep_their_meaning() -> None:
    """Printing gives aliases new names; a type that mentions one must follow."""
    text = """
#a = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#b = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
!row = tensor<4xf32>
func.func private @f(!sparse_tensor.storage_specifier<#b>, tensor<4x4xf32, #a>, !async.value<!row>)
"""
    first = parse_text(text)
    again = parse_text(print_operation(first))
    types = [
        next(op for op in module.walk() if op.name == "func.func").function_type for module in (first, again)
    ]
    assert types[0] is types[1]
    assert "(d0 : compressed)" in str(types[0].inputs[0])
    assert str(types[0].inputs[2]) == "!async.value<tensor<4xf32>>"


def test_a_default_is_not_printed() -> None:
    declare_files([str(EXAMPLES / "records.json")], [])
    body = "image.blur %x into %x radius 1 : tensor<4xf32> into tensor<4xf32> -> tensor<4xf32>"
    module = parse_text(f"func.func @f(%x: tensor<4xf32>) {{\n%0 = {body}\nreturn\n}}")
    assert "radius" not in print_operation(module)
    assert "radius = 1" in print_operation(module, generic=True)


def test_what_records_say() -> None:
    entries = declarations_of(json.loads((EXAMPLES / "records.json").read_text()))
    assert [entry["name"] for entry in entries] == [
        "image.blur",
        "image.colour",
        "image.done",
        "image.histogram",
        "image.when",
    ]
    assert entries[0]["attributes"] == [["radius", ["number", "i64"], False, 1]]
    assert entries[0]["effects"] == "NoMemoryEffect"
    assert entries[3]["effects"] == "Pure"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Expecting value"),
        ("{}", "'!instanceof'"),
        ('{"!instanceof": {"Op": ["A"]}}', "'A' is missing"),
        ("[]", "'!instanceof'"),
    ],
)
def test_files_that_are_not_records(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "records.json"
    path.write_text(text)
    with pytest.raises(DefinitionError, match=reason):
        declare_files([str(path)], [])


def test_irdl() -> None:
    text = """
    irdl.dialect @d {
      irdl.type @t { %0 = irdl.any }
      irdl.operation @o { // a comment with }
        %0 = irdl.is i32
        %1 = irdl.any
        irdl.operands(a: %0, b: variadic %1, c: optional %1)
        irdl.attributes { "x" = %1 }
        irdl.regions(r: %1)
      }
      irdl.operation @empty
    }
    """
    assert declarations_of_irdl(text) == [
        {"name": "d.empty"},
        {
            "name": "d.o",
            "operands": [["a", "single", "i32"], ["b", "variadic", None], ["c", "optional", None]],
            "regions": [["r", "single"]],
            "attributes": [["x", "any", False, None]],
            "traits": ["AttrSizedOperandSegments"],
        },
    ]


@pytest.mark.parametrize(
    "text", ["", "irdl.dialect @d {", "irdl.dialect @d { irdl.operation @o { irdl.operands(+) } }"]
)
def test_text_that_is_not_irdl(text: str) -> None:
    with pytest.raises(ValueError, match=r"no 'irdl.dialect'|not closed|cannot read"):
        declarations_of_irdl(text)


@pytest.mark.parametrize(
    ("type", "index", "part"),
    [
        ("struct<(i32, f32)>", 1, "f32"),
        ("struct<(i32, vector<2xi8>)>", 1, "vector<2xi8>"),
        ("struct<(struct<(ptr, i64)>, array<2 x ptr>)>", 0, "!llvm.struct<(ptr, i64)>"),
        ("struct<(i1,!llvm.array<2 x !llvm.ptr>)>", 1, "!llvm.array<2 x ptr>"),
        ("array<9 x array<3 x i8>>", 7, "!llvm.array<3 x i8>"),
        ('struct<"named", (i1)>', 0, "i1"),
    ],
)
def test_parts_of_aggregates(type: str, index: int, part: str) -> None:
    parse_text(_extracting(type, index, part), allow_unregistered=True)  # the use has the expected type


@pytest.mark.parametrize(
    ("type", "index", "message"),
    [
        ("struct<(i32)>", 3, "position out of bounds: 3"),
        ("struct<(i32)>", -1, "position out of bounds: -1"),
        ("array<2 x i8>", 2, "position out of bounds: 2"),
        ("ptr", 0, "expected LLVM IR structure/array type, got: '!llvm.ptr'"),
    ],
)
def test_aggregates_without_such_a_part(type: str, index: int, message: str) -> None:
    with pytest.raises(BufferizeError, match=message):
        parse_text(_extracting(type, index, "i32"), allow_unregistered=True)


def _extracting(type: str, index: int, part: str) -> str:
    return f"""
%0 = "test.op"() : () -> !llvm.{type}
%1 = llvm.extractvalue %0[{index}] : !llvm.{type}
"test.use"(%1) : ({part}) -> ()
"""


@pytest.mark.parametrize("flags", ["inbounds|nuw", "inbounds", "nusw|nuw", "nuw"])
def test_a_flag_of_several_bits_stands_for_them_among_others(flags: str) -> None:
    form = f"llvm.getelementptr {flags} %arg0[1] : (!llvm.ptr) -> !llvm.ptr, f32"
    text = f"llvm.func @f(%arg0: !llvm.ptr) {{\n  %0 = {form}\n  llvm.return\n}}"
    assert form in print_operation(parse_text(text))


def test_a_line_break_in_a_form_is_indented() -> None:
    text = """\
module {
  func.func @f(%arg0: f64) -> f64 {
    %0 = sparse_tensor.binary %arg0, %arg0 : f64, f64 to f64
     overlap = {
    ^bb0(%arg1: f64, %arg2: f64):
      %1 = arith.mulf %arg1, %arg2 : f64
      sparse_tensor.yield %1 : f64
    }
     left = identity
     right = {
    }
    return %0 : f64
  }
}"""
    assert print_operation(parse_text(text)).rstrip() == text
