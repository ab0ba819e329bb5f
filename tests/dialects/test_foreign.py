"""Dialects of other projects: their texts are read and printed as they are, and what has destinations is bufferized.

With `--allow-unregistered-dialect` the tool behaves as mlir-opt, which does not know them.
"""

import pytest
from bufferize import BufferizeError, one_shot, parse
from bufferize.cli.opt import main

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
ALL = {"scan": SCAN, "scatter": SCATTER, "iree": IREE, "circuit": CIRCUIT}


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
