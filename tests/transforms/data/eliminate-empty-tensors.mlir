func.func @a(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %4 = linalg.copy ins(%0 : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}
// =>
module {
  func.func @a(%arg0: tensor<8xf32>, %arg1: f32) -> tensor<8xf32> {
    %0 = tensor.empty() : tensor<8xf32>
    %1 = linalg.fill ins(%arg1 : f32) outs(%arg0 : tensor<8xf32>) -> tensor<8xf32>
    %2 = linalg.copy ins(%1 : tensor<8xf32>) outs(%arg0 : tensor<8xf32>) -> tensor<8xf32>
    return %2 : tensor<8xf32>
  }
}
// -----
func.func @c(%f: f32, %m: memref<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %t = "test.t"() : () -> tensor<8xf32>
  %u = arith.addf %t, %t : tensor<8xf32>
  %4 = linalg.copy ins(%0 : tensor<8xf32>) outs(%u : tensor<8xf32>) -> tensor<8xf32>
  linalg.copy ins(%m : memref<8xf32>) outs(%m : memref<8xf32>)
  return %4 : tensor<8xf32>
}
// =>
module {
  func.func @c(%arg0: f32, %arg1: memref<8xf32>) -> tensor<8xf32> {
    %0 = tensor.empty() : tensor<8xf32>
    %1 = linalg.fill ins(%arg0 : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
    %2 = "test.t"() : () -> tensor<8xf32>
    %3 = arith.addf %2, %2 : tensor<8xf32>
    %4 = linalg.copy ins(%1 : tensor<8xf32>) outs(%3 : tensor<8xf32>) -> tensor<8xf32>
    linalg.copy ins(%arg1 : memref<8xf32>) outs(%arg1 : memref<8xf32>)
    return %4 : tensor<8xf32>
  }
}
// -----
func.func @f(%initial_tensor: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %source_tensor = tensor.empty() : tensor<2x2xf32>
  %inserted_tensor = tensor.insert_slice %source_tensor into %initial_tensor[0, 0][2, 2][1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
  return %inserted_tensor : tensor<4x4xf32>
}
func.func @g() -> tensor<4x4xf32> {
  %initial_tensor = tensor.empty() : tensor<4x4xf32>
  %source_tensor = tensor.empty() : tensor<2x2xf32>
  %inserted_tensor = tensor.insert_slice %source_tensor into %initial_tensor[0, 0][2, 2][1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
  return %inserted_tensor : tensor<4x4xf32>
}
func.func @h(%d: memref<2x2xf32>) {
  %s = tensor.empty() : tensor<2x2xf32>
  bufferization.materialize_in_destination %s in restrict writable %d : (tensor<2x2xf32>, memref<2x2xf32>) -> ()
  return
}
func.func @k(%d: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %s = tensor.empty() : tensor<2x2xf32>
  %r = bufferization.materialize_in_destination %s in %d : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
func.func @l(%d: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %s = tensor.empty(%n) : tensor<?x2xf32>
  %c = tensor.cast %s : tensor<?x2xf32> to tensor<2x2xf32>
  %r = tensor.insert_slice %c into %d[0, 0][2, 2][1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
  %x = linalg.copy ins(%c : tensor<2x2xf32>) outs(%s : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %r : tensor<4x4xf32>
}
func.func @p(%d: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %s = tensor.empty() : tensor<2x2xf32>
  %r = scf.forall (%i) in (2) shared_outs(%o = %d) -> tensor<4x4xf32> {
    scf.forall.in_parallel { tensor.parallel_insert_slice %s into %o[%i, 0][2, 2][1, 1] : tensor<2x2xf32> into tensor<4x4xf32> }
  }
  return %r : tensor<4x4xf32>
}
// =>
module {
  func.func @f(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
    %0 = tensor.empty() : tensor<2x2xf32>
    %inserted_slice = tensor.insert_slice %extracted_slice into %arg0[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
    return %inserted_slice : tensor<4x4xf32>
  }
  func.func @g() -> tensor<4x4xf32> {
    %0 = tensor.empty() : tensor<4x4xf32>
    %extracted_slice = tensor.extract_slice %0[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
    %1 = tensor.empty() : tensor<2x2xf32>
    %inserted_slice = tensor.insert_slice %extracted_slice into %0[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
    return %inserted_slice : tensor<4x4xf32>
  }
  func.func @h(%arg0: memref<2x2xf32>) {
    %0 = bufferization.to_tensor %arg0 restrict writable : memref<2x2xf32> to tensor<2x2xf32>
    %1 = tensor.empty() : tensor<2x2xf32>
    bufferization.materialize_in_destination %0 in writable %arg0 : (tensor<2x2xf32>, memref<2x2xf32>) -> ()
    return
  }
  func.func @k(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = tensor.empty() : tensor<2x2xf32>
    %1 = bufferization.materialize_in_destination %arg0 in %arg0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  }
  func.func @l(%arg0: tensor<4x4xf32>, %arg1: index) -> tensor<4x4xf32> {
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
    %cast = tensor.cast %extracted_slice : tensor<2x2xf32> to tensor<?x2xf32>
    %0 = tensor.empty(%arg1) : tensor<?x2xf32>
    %cast_0 = tensor.cast %cast : tensor<?x2xf32> to tensor<2x2xf32>
    %inserted_slice = tensor.insert_slice %cast_0 into %arg0[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
    %1 = linalg.copy ins(%cast_0 : tensor<2x2xf32>) outs(%0 : tensor<?x2xf32>) -> tensor<?x2xf32>
    return %inserted_slice : tensor<4x4xf32>
  }
  func.func @p(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = tensor.empty() : tensor<2x2xf32>
    %1 = scf.forall (%arg1) in (2) shared_outs(%arg2 = %arg0) -> (tensor<4x4xf32>) {
      %extracted_slice = tensor.extract_slice %arg2[%arg1, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %extracted_slice into %arg2[%arg1, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
      }
    }
    return %1 : tensor<4x4xf32>
  }
}
// -----
func.func @h(%arg1: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  %c2 = arith.constant 2 : index
  %4 = tensor.empty() : tensor<1xf32>
  %k = arith.constant 3.0 : f32
  %5 = linalg.fill ins(%k : f32) outs(%4 : tensor<1xf32>) -> tensor<1xf32>
  %i = tensor.insert_slice %5 into %arg1[%c2] [1] [1] : tensor<1xf32> into tensor<4xf32>
  return %i : tensor<4xf32>
^b:
  return %arg1 : tensor<4xf32>
}
func.func @other_block_no_cond(%arg1: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  cf.br ^a
^a:
  %4 = tensor.empty() : tensor<1xf32>
  %k = arith.constant 3.0 : f32
  %5 = linalg.fill ins(%k : f32) outs(%4 : tensor<1xf32>) -> tensor<1xf32>
  %i = tensor.insert_slice %5 into %arg1[2] [1] [1] : tensor<1xf32> into tensor<4xf32>
  return %i : tensor<4xf32>
}
// =>
module {
  func.func @h(%arg0: tensor<4xf32>, %arg1: i1) -> tensor<4xf32> {
    cf.cond_br %arg1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %c2 = arith.constant 2 : index
    %0 = tensor.empty() : tensor<1xf32>
    %cst = arith.constant 3.000000e+00 : f32
    %extracted_slice = tensor.extract_slice %arg0[%c2] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%extracted_slice : tensor<1xf32>) -> tensor<1xf32>
    %inserted_slice = tensor.insert_slice %1 into %arg0[%c2] [1] [1] : tensor<1xf32> into tensor<4xf32>
    return %inserted_slice : tensor<4xf32>
  ^bb2:  // pred: ^bb0
    return %arg0 : tensor<4xf32>
  }
  func.func @other_block_no_cond(%arg0: tensor<4xf32>, %arg1: i1) -> tensor<4xf32> {
    %extracted_slice = tensor.extract_slice %arg0[2] [1] [1] : tensor<4xf32> to tensor<1xf32>
    cf.br ^bb1
  ^bb1:  // pred: ^bb0
    %0 = tensor.empty() : tensor<1xf32>
    %cst = arith.constant 3.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%extracted_slice : tensor<1xf32>) -> tensor<1xf32>
    %inserted_slice = tensor.insert_slice %1 into %arg0[2] [1] [1] : tensor<1xf32> into tensor<4xf32>
    return %inserted_slice : tensor<4xf32>
  }
}
