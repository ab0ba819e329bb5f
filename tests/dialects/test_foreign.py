"""Dialects of other projects: their texts are read and printed as they are, and what has destinations is bufferized.

With `--allow-unregistered-dialect` the tool behaves as mlir-opt, which does not know them.
"""

import pytest
from bufferize import BufferizeError, one_shot, parse
from bufferize.cli.fuzz_command import transform
from bufferize.cli.opt import main
from bufferize.ir.text.printer import print_module
from bufferize.proof.check import prove_modules

SCAN = """\
func.func @cumsum(%arg0: tensor<4x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<4xf32>) -> tensor<4x16xf32> {
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%arg0 : tensor<4x16xf32>) outs(%arg1, %arg2 : tensor<4x16xf32>, tensor<4xf32>) {
  ^bb0(%arg3: f32, %arg4: f32):
    %1 = arith.addf %arg3, %arg4 : f32
    tm_tensor.yield %1 : f32
  } -> tensor<4x16xf32>, tensor<4xf32>
  return %0#0 : tensor<4x16xf32>
}
"""
SCATTER = """\
func.func @put(%arg0: tensor<6x4xf32>, %arg1: tensor<6x1xi64>, %arg2: tensor<10x4xf32>) -> tensor<10x4xf32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%arg0, %arg1 : tensor<6x4xf32>, tensor<6x1xi64>) outs(%arg2 : tensor<10x4xf32>) {
  ^bb0(%arg3: f32, %arg4: f32):
    tm_tensor.yield %arg3 : f32
  } -> tensor<10x4xf32>
  return %0 : tensor<10x4xf32>
}
"""
IREE = """\
func.func @topk(%arg0: tensor<64xf32>, %arg1: tensor<5xf32>, %arg2: tensor<5xi32>, %arg3: index) -> (tensor<5xf32>, tensor<64xf32>) {
  %0:2 = iree_linalg_ext.topk dimension(0) ins(%arg0 : tensor<64xf32>) outs(%arg1, %arg2 : tensor<5xf32>, tensor<5xi32>) {
  ^bb0(%arg4: f32, %arg5: f32):
    %2 = arith.cmpf ogt, %arg4, %arg5 : f32
    iree_linalg_ext.yield %2 : i1
  } -> tensor<5xf32>, tensor<5xi32>
  %1:2 = iree_linalg_ext.fft ins(%arg3 : index) outs(%arg0, %arg0 : tensor<64xf32>, tensor<64xf32>) : tensor<64xf32>, tensor<64xf32>
  return %0#0, %1#0 : tensor<5xf32>, tensor<64xf32>
}
"""
CIRCUIT = """\
func.func @circuit(%arg0: f64, %arg1: i64) -> f64 {
  quantum.device shots(%arg1) ["model.py", "LightningSimulator", "{}"]
  %0 = quantum.alloc( 3) : !quantum.reg
  %1 = quantum.extract %0[ 0] : !quantum.reg -> !quantum.bit
  %2 = quantum.extract %0[%arg1] : !quantum.reg -> !quantum.bit
  %out_qubits = quantum.custom "RX"(%arg0) %1 : !quantum.bit
  %out_qubits_0:2 = quantum.custom "CNOT"() %out_qubits, %2 adj : !quantum.bit, !quantum.bit
  %3 = quantum.namedobs %out_qubits_0#0[ PauliZ] : !quantum.obs
  %4 = quantum.expval %3 : f64
  %5 = quantum.insert %0[ 0], %out_qubits_0#0 : !quantum.reg, !quantum.bit
  %6 = quantum.compbasis qreg %5 : !quantum.obs
  %7 = quantum.probs %6 : tensor<8xf64>
  quantum.dealloc %5 : !quantum.reg
  quantum.device_release
  return %4 : f64
}
func.func @grad(%arg0: tensor<6xf64>, %arg1: index) -> tensor<?xf64> {
  %0 = gradient.grad "auto" @c(%arg0) {diffArgIndices = dense<0> : tensor<1xi64>} : (tensor<6xf64>) -> tensor<6xf64>
  %1 = gradient.adjoint @c(%0) size(%arg1) : (tensor<6xf64>) -> tensor<?xf64>
  return %1 : tensor<?xf64>
}
"""
MEASUREMENTS = """\
func.func @measure(%arg0: tensor<2x2xcomplex<f64>>, %arg1: i64, %arg2: tensor<4xcomplex<f64>>, %arg3: tensor<2xf64>, %arg4: tensor<1xi1>) -> (tensor<?x?xf64>, tensor<?xf64>, tensor<8xi64>) {
  %0 = quantum.alloc( 3) : !quantum.reg
  %1 = quantum.extract %0[ 0] : !quantum.reg -> !quantum.bit
  %2 = quantum.extract %0[ 1] : !quantum.reg -> !quantum.bit
  %out_qubits = quantum.unitary(%arg0 : tensor<2x2xcomplex<f64>>) %1 : !quantum.bit
  %3:2 = quantum.set_state(%arg2) %out_qubits, %2 : (tensor<4xcomplex<f64>>, !quantum.bit, !quantum.bit) -> (!quantum.bit, !quantum.bit)
  %4 = quantum.set_basis_state(%arg4) %3#0 : (tensor<1xi1>, !quantum.bit) -> !quantum.bit
  %mres, %out_qubit = quantum.measure %4 postselect 1 : i1, !quantum.bit
  %5 = quantum.hermitian(%arg0 : tensor<2x2xcomplex<f64>>) %out_qubit : !quantum.obs
  %6 = quantum.hamiltonian(%arg3 : tensor<2xf64>) %5, %5 : !quantum.obs
  %7 = quantum.expval %6 : f64
  quantum.gphase(%7)
  %8 = quantum.compbasis qreg %0 : !quantum.obs
  %9 = quantum.sample %8 shape %arg1, %arg1 : tensor<?x?xf64>
  %10 = quantum.probs %8 shape %arg1 : tensor<?xf64>
  %eigvals, %counts = quantum.counts %8 : tensor<8xf64>, tensor<8xi64>
  return %9, %10, %counts : tensor<?x?xf64>, tensor<?xf64>, tensor<8xi64>
}
"""
DERIVATIVES = """\
func.func @derive(%arg0: tensor<3xf64>, %arg1: tensor<4xf64>, %arg2: f64, %arg3: index) -> (tensor<4xf64>, tensor<3xf64>, f64, tensor<?xf64>, tensor<3xf64>) {
  %0 = gradient.adjoint @g(%arg0) size(%arg3) : (tensor<3xf64>) -> tensor<?xf64>
  %calleeResults, %vjps = gradient.vjp "auto" @g(%arg0) cotangents(%arg1) {diffArgIndices = dense<0> : tensor<1xi64>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<3xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<3xf64>)
  %vals, %gradients:2 = gradient.backprop @g(%arg0, %arg2) cotangents(%arg1 : tensor<4xf64>) {diffArgIndices = dense<[0, 1]> : tensor<2xi64>, keepValueResults = true, resultSegmentSizes = array<i32: 1, 2>} : (tensor<3xf64>, f64) -> (tensor<4xf64>, tensor<3xf64>, f64)
  return %vals, %gradients#0, %gradients#1, %0, %vjps : tensor<4xf64>, tensor<3xf64>, f64, tensor<?xf64>, tensor<3xf64>
}
"""
CALLS = """\
func.func @calls(%arg0: tensor<3x3xf64>, %arg1: tensor<i32>) -> (tensor<3x3xf64>, tensor<3xf64>) {
  %0:2 = catalyst.custom_call fn("lapack_dgetrf_ffi") (%arg1, %arg0) : (tensor<i32>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<i32>)
  %1 = catalyst.callback_call @cb(%arg0) : (tensor<3x3xf64>) -> tensor<3xf64>
  "catalyst.print"(%1) : (tensor<3xf64>) -> ()
  %2 = catalyst.list_init : <f64>
  %3 = catalyst.list_pop %2 : <f64>
  catalyst.list_push %3, %2 : <f64>
  return %0#0, %1 : tensor<3x3xf64>, tensor<3xf64>
}
catalyst.callback @cb(tensor<3x3xf64>) -> tensor<3xf64> attributes {argc = 1 : i64, id = 140 : i64, resc = 1 : i64}
"""
ALL = {"scan": SCAN, "scatter": SCATTER, "iree": IREE, "circuit": CIRCUIT}
ALL |= {"measurements": MEASUREMENTS, "derivatives": DERIVATIVES, "calls": CALLS}


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
def test_what_is_printed_is_what_was_read(text):
    printed = str(parse(text)).splitlines()[1:-1]
    assert [line.removeprefix("  ") for line in printed] == text.splitlines()


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
def test_the_generic_form_is_read_again(text, tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text(text)
    assert main([str(path), "--mlir-print-op-generic"]) == 0
    assert str(parse(capsys.readouterr().out)) == str(parse(text))


def test_destinations_are_updated_in_place():
    module = parse(SCATTER)
    one_shot(module, function_boundary_type_conversion="identity-layout-map")
    assert "outs(%arg2 : memref<10x4xf32>)" in str(module) and "memref.alloc" not in str(module)


def test_what_an_algorithm_reads_and_writes_at_once_is_copied():
    module = parse(IREE)
    one_shot(module, function_boundary_type_conversion="identity-layout-map")
    assert str(module).count("memref.alloc") == 2, "each part of the transform is read with the other"


def on_buffers(text):
    """The bufferized lines that mention a dialect of Catalyst or an allocation, as its own compiler prints them."""
    module = parse(text)
    one_shot(
        module,
        function_boundary_type_conversion="identity-layout-map",
        unknown_type_conversion="identity-layout-map",
    )
    lines = [line.strip() for line in str(module).splitlines() if "return" not in line]
    return [line for line in lines if any(w in line for w in ("quantum.", "gradient.", "catalyst.", "alloc"))]


def test_measurements_write_to_buffers_of_their_sizes():
    lines = on_buffers(MEASUREMENTS)
    assert lines[-7:] == [
        "%alloc = memref.alloc(%9, %10) : memref<?x?xf64>",
        "quantum.sample %8 in(%alloc : memref<?x?xf64>)",
        "%alloc_0 = memref.alloc(%11) : memref<?xf64>",
        "quantum.probs %8 in(%alloc_0 : memref<?xf64>)",
        "%alloc_1 = memref.alloc() : memref<8xf64>",
        "%alloc_2 = memref.alloc() : memref<8xi64>",
        "quantum.counts %8 in(%alloc_1 : memref<8xf64>, %alloc_2 : memref<8xi64>)",
    ]
    assert "%out_qubits = quantum.unitary(%arg0 : memref<2x2xcomplex<f64>>) %1 : !quantum.bit" in lines


def test_reverse_mode_has_buffers_for_gradients_and_results_and_keeps_scalars():
    lines = on_buffers(DERIVATIVES)
    assert lines[-3:] == [
        "%alloc_0 = memref.alloc() : memref<3xf64>",
        "%alloc_1 = memref.alloc() : memref<4xf64>",
        "%gradients = gradient.backprop @g(%arg0, %arg2) grad_out(%alloc_0 : memref<3xf64>) callee_out(%alloc_1 : memref<4xf64>) "
        "cotangents(%arg1 : memref<4xf64>) {diffArgIndices = dense<[0, 1]> : tensor<2xi64>, keepValueResults = true, "
        "resultSegmentSizes = array<i32: 0, 1>} : (memref<3xf64>, f64) -> f64",
    ]


def test_cotangents_that_are_read_later_are_copied_since_they_are_overwritten():
    again = DERIVATIVES.replace("return %vals", "return %arg1")
    assert sum("memref.copy" in line for line in str(bufferized(again)).splitlines()) == 1
    assert "memref.copy" not in str(bufferized(DERIVATIVES))


def bufferized(text):
    module = parse(text)
    one_shot(module, function_boundary_type_conversion="identity-layout-map")
    return module


def test_results_of_external_code_become_arguments():
    lines = on_buffers(CALLS)
    assert (
        'catalyst.custom_call fn("lapack_dgetrf_ffi") (%arg1, %arg0, %alloc, %alloc_0) {number_original_arg = 2 : i32} : '
        "(memref<i32>, memref<3x3xf64>, memref<3x3xf64>, memref<i32>) -> ()"
    ) in lines
    assert "catalyst.callback_call @cb(%arg0, %alloc_1) : (memref<3x3xf64>, memref<3xf64>) -> ()" in lines
    assert lines[-1].startswith("catalyst.callback @cb(memref<3x3xf64>, memref<3xf64>) attributes")


def test_destinations_and_results_correspond():
    with pytest.raises(BufferizeError, match="to match type of corresponding result"):
        parse(SCATTER.replace("outs(%arg2 : tensor<10x4xf32>)", "outs(%arg0 : tensor<6x4xf32>)"))


def test_with_mlirs_flag_they_are_unknown_as_they_are_to_mlir_opt(tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text(SCAN)
    assert main([str(path), "--allow-unregistered-dialect"]) == 1
    assert "Dialect `tm_tensor' not found for custom op 'tm_tensor.scan'" in capsys.readouterr().err
    assert main([str(path), "--mlir-print-op-generic"]) == 0
    path.write_text(capsys.readouterr().out)
    assert main([str(path), "--allow-unregistered-dialect"]) == 0
    assert '"tm_tensor.scan"(%arg0' in capsys.readouterr().out


def test_the_generic_form_of_other_versions_is_read():
    """IREE has named each operand at times, with segments for each or none; those tied to results come last."""
    text = """func.func @f(%i: index, %a: tensor<8xf32>, %b: tensor<8xf32>, %x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
      %0:2 = "iree_linalg_ext.fft"(%i, %a, %b, %x, %y) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}>
        : (index, tensor<8xf32>, tensor<8xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
      %1 = "iree_linalg_ext.gather"(%x, %a, %y) <{dimension_map = array<i64: 0>}>
        : (tensor<64xf32>, tensor<8xf32>, tensor<64xf32>) -> tensor<64xf32>
      return %1 : tensor<64xf32>
    }"""
    module = parse(text)
    found = [op.properties["operandSegmentSizes"] for op in module.walk() if op.dialect == "iree_linalg_ext"]
    assert [segments.values for segments in found] == [(3, 2), (2, 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func private @f(!nosuch.foo<1>)", '`!"nosuch"<"foo<1>">` type'),
        ("!t = !nosuch<bar>\nfunc.func private @f(!t)", '`!"nosuch"<"bar">` type'),
        ("func.func private @f() attributes {a = #nosuch.foo}", '#"nosuch"<"foo"> : \'none\' attribute'),
    ],
)
def test_types_and_attributes_of_unknown_dialects_need_the_flag(text, message, tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text('func.func private @g() attributes {a = "!text.type"} // !comment.type\n' + text)
    assert main([str(path), "--allow-unregistered-dialect"]) == 0
    capsys.readouterr()
    assert main([str(path)]) == 1
    assert f"{message} created with unregistered dialect" in capsys.readouterr().err
    path.write_text("func.func private @f(!spirv.array<4xi32>, !emitc.ptr<i32>, !quantum.bit)")
    assert main([str(path)]) == 0


def test_attributes_that_a_dialect_does_not_have_are_errors(tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text(
        "func.func private @f() attributes {a = #arith.overflow<nsw>, b = #linalg.iterator_type<parallel>}"
    )
    assert main([str(path)]) == 0
    path.write_text("func.func private @f() attributes {a = #arith.foo<nsw>}")
    assert main([str(path), "--allow-unregistered-dialect"]) == 1
    assert "1:47: error: unknown attribute `foo` in dialect `arith`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("type", "message"),
    [
        ("!gpu.foo", "1:27: error: unknown gpu type: foo"),
        ("!llvm.foo<3>", "1:28: error: unknown LLVM type: foo"),
        ("!quant.foo", "1:29: error: unknown quantized type foo"),
        ("tensor<4x!async.foo>", "1:38: error: unknown  type `foo` in dialect `async`"),
        ("!gpu.async.token", None),
        ("!llvm.struct<(i32, ptr)>", None),
        ("!transform.any_op", None),
    ],
)
def test_types_that_a_dialect_does_not_have_are_errors(type, message, tmp_path, capsys):
    path = tmp_path / "p.mlir"
    path.write_text(f"func.func private @f({type})")
    assert main([str(path), "--allow-unregistered-dialect"]) == (message is not None)
    assert (message or "") in capsys.readouterr().err


MEASURED = """func.func @f(%obs: !quantum.obs, %a: tensor<6xf64>) -> (tensor<8xf64>, tensor<6xf64>) {
  %0 = quantum.probs %obs : tensor<8xf64>
  %1 = gradient.grad "auto" @g(%a) {diffArgIndices = dense<0> : tensor<1xi64>} : (tensor<6xf64>) -> tensor<6xf64>
  return %0, %1 : tensor<8xf64>, tensor<6xf64>
}
func.func private @g(tensor<6xf64>) -> tensor<f64>
"""


@pytest.mark.parametrize(
    ("written", "instead", "is_proved"),
    [
        ("return %alloc,", "return %alloc,", True),
        ("%arg0 in(%alloc", "%arg0 in(%other", False),
        ("quantum.probs", "quantum.state", False),
        ('"auto"', '"fd"', False),
    ],
    ids=["same", "another buffer", "another measurement", "another method"],
)
def test_measurements_and_derivatives_are_functions_of_what_they_read(written, instead, is_proved):
    before, after = parse(MEASURED), parse(MEASURED)
    transform(after, ("-one-shot-bufferize=bufferize-function-boundaries",), "")
    text = print_module(after)
    assert written in text
    text = text.replace(written, instead).replace(
        "    quantum.", "    %other = memref.alloc() : memref<8xf64>\n    quantum.", 1
    )
    assert prove_modules(before, parse(text)).proved == is_proved
