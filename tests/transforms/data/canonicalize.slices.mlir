func.func @constant_sizes(%t: tensor<?x?xf32>, %s: tensor<8x8x8xf32>, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.extract_slice %t[0, %n] [%c4, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %1 = tensor.extract_slice %t[%c0, %n] [%n, %n] [%c1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %2 = tensor.extract_slice %s[0, 0, 0] [1, %c4, 1] [1, 1, 1] : tensor<8x8x8xf32> to tensor<?xf32>
  %3 = tensor.extract_slice %t[0, 0] [%n, %c4] [%n, %c2] : tensor<?x?xf32> to tensor<?x?xf32>
  return %0, %1, %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>
}
func.func @negative_strides(%t: tensor<8xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %m1 = arith.constant -1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %0 = tensor.extract_slice %t[7] [%c3] [%m1] : tensor<8xf32> to tensor<?xf32>
  %1 = tensor.extract_slice %t[%c7] [%c3] [1] : tensor<8xf32> to tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
func.func @insertions(%t: tensor<8x8xf32>, %s: tensor<?x?xf32>, %n: index) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.insert_slice %s into %t[0, %c1] [%c4, %n] [1, 1] : tensor<?x?xf32> into tensor<8x8xf32>
  %1 = tensor.insert_slice %s into %t[%c1, %n] [%c4, %c4] [%c1, 1] : tensor<?x?xf32> into tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func @casts(%t: tensor<8x8xf32>, %n: index) -> (tensor<4x?xf32>, tensor<?x8xf32>) {
  %0 = tensor.cast %t : tensor<8x8xf32> to tensor<?x?xf32>
  %1 = tensor.extract_slice %0[0, 0] [4, %n] [1, 1] : tensor<?x?xf32> to tensor<4x?xf32>
  %2 = tensor.extract_slice %0[%n, 0] [%n, 8] [1, 1] : tensor<?x?xf32> to tensor<?x8xf32>
  return %1, %2 : tensor<4x?xf32>, tensor<?x8xf32>
}
func.func @padded_into_fill(%a: tensor<4x4xf32>, %n: index) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %p = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  %0 = tensor.insert_slice %p into %f[2, 3] [6, 6] [1, 1] : tensor<6x6xf32> into tensor<16x16xf32>
  %1 = tensor.insert_slice %a into %f[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<16x16xf32>
  %2 = tensor.insert_slice %p into %1[8, 8] [6, 6] [1, 1] : tensor<6x6xf32> into tensor<16x16xf32>
  return %0, %2 : tensor<16x16xf32>, tensor<16x16xf32>
}
func.func @padded_behind_a_smaller_rank(%a: tensor<4x4xf32>, %r: tensor<4xf32>) -> tensor<16x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %p = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  %1 = tensor.insert_slice %r into %f[0, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<16x16xf32>
  %2 = tensor.insert_slice %p into %1[8, 8] [6, 6] [1, 1] : tensor<6x6xf32> into tensor<16x16xf32>
  return %2 : tensor<16x16xf32>
}
// =>
module {
  func.func @constant_sizes(%arg0: tensor<?x?xf32>, %arg1: tensor<8x8x8xf32>, %arg2: index) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>) {
    %extracted_slice = tensor.extract_slice %arg0[0, %arg2] [4, %arg2] [1, 1] : tensor<?x?xf32> to tensor<4x?xf32>
    %cast = tensor.cast %extracted_slice : tensor<4x?xf32> to tensor<?x?xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[0, %arg2] [%arg2, %arg2] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %extracted_slice_1 = tensor.extract_slice %arg1[0, 0, 0] [1, 4, 1] [1, 1, 1] : tensor<8x8x8xf32> to tensor<4xf32>
    %cast_2 = tensor.cast %extracted_slice_1 : tensor<4xf32> to tensor<?xf32>
    %extracted_slice_3 = tensor.extract_slice %arg0[0, 0] [%arg2, 4] [%arg2, 2] : tensor<?x?xf32> to tensor<?x4xf32>
    %cast_4 = tensor.cast %extracted_slice_3 : tensor<?x4xf32> to tensor<?x?xf32>
    return %cast, %extracted_slice_0, %cast_2, %cast_4 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>
  }
  func.func @negative_strides(%arg0: tensor<8xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    %c3 = arith.constant 3 : index
    %extracted_slice = tensor.extract_slice %arg0[7] [3] [-1] : tensor<8xf32> to tensor<3xf32>
    %cast = tensor.cast %extracted_slice : tensor<3xf32> to tensor<?xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[7] [%c3] [1] : tensor<8xf32> to tensor<?xf32>
    return %cast, %extracted_slice_0 : tensor<?xf32>, tensor<?xf32>
  }
  func.func @insertions(%arg0: tensor<8x8xf32>, %arg1: tensor<?x?xf32>, %arg2: index) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %cast = tensor.cast %arg1 : tensor<?x?xf32> to tensor<4x?xf32>
    %inserted_slice = tensor.insert_slice %cast into %arg0[0, 1] [4, %arg2] [1, 1] : tensor<4x?xf32> into tensor<8x8xf32>
    %cast_0 = tensor.cast %arg1 : tensor<?x?xf32> to tensor<4x4xf32>
    %inserted_slice_1 = tensor.insert_slice %cast_0 into %arg0[1, %arg2] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
    return %inserted_slice, %inserted_slice_1 : tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.func @casts(%arg0: tensor<8x8xf32>, %arg1: index) -> (tensor<4x?xf32>, tensor<?x8xf32>) {
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [4, %arg1] [1, 1] : tensor<8x8xf32> to tensor<4x?xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[%arg1, 0] [%arg1, 8] [1, 1] : tensor<8x8xf32> to tensor<?x8xf32>
    return %extracted_slice, %extracted_slice_0 : tensor<4x?xf32>, tensor<?x8xf32>
  }
  func.func @padded_into_fill(%arg0: tensor<4x4xf32>, %arg1: index) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<16x16xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %inserted_slice = tensor.insert_slice %arg0 into %1[3, 4] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<16x16xf32>
    %inserted_slice_0 = tensor.insert_slice %arg0 into %1[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<16x16xf32>
    %inserted_slice_1 = tensor.insert_slice %arg0 into %inserted_slice_0[9, 9] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<16x16xf32>
    return %inserted_slice, %inserted_slice_1 : tensor<16x16xf32>, tensor<16x16xf32>
  }
  func.func @padded_behind_a_smaller_rank(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>) -> tensor<16x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<16x16xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %padded = tensor.pad %arg0 low[1, 1] high[1, 1] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %cst : f32
    } : tensor<4x4xf32> to tensor<6x6xf32>
    %inserted_slice = tensor.insert_slice %arg1 into %1[0, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<16x16xf32>
    %inserted_slice_0 = tensor.insert_slice %padded into %inserted_slice[8, 8] [6, 6] [1, 1] : tensor<6x6xf32> into tensor<16x16xf32>
    return %inserted_slice_0 : tensor<16x16xf32>
  }
}

