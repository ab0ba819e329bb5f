// Programs with copies that no change eliminates, each with others that differ in one condition of the argument.
// -----
// an argument and its update are returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %w, %t : tensor<4xf32>, tensor<4xf32>
}
// -----
// an argument and its update are returned, seen as other shapes
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<2x2xf32>, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %e = tensor.expand_shape %w [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %e, %t : tensor<2x2xf32>, tensor<4xf32>
}
// -----
// the update of an argument is updated again and returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %v = tensor.insert %f into %w[%i] : tensor<4xf32>
  return %v, %t : tensor<4xf32>, tensor<4xf32>
}
// -----
// only a part of the update is returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<2xf32>, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %v = tensor.extract_slice %w[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %v, %t : tensor<2xf32>, tensor<4xf32>
}
// -----
// a private function returns an argument and its update
func.func private @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %w, %t : tensor<4xf32>, tensor<4xf32>
}
// -----
// an argument is read after its update
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %w, %x : tensor<4xf32>, f32
}
// -----
// an element is read into the update
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %x = tensor.extract %t[%i] : tensor<4xf32>
  %w = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %w, %t : tensor<4xf32>, tensor<4xf32>
}
// -----
// a constant and its update are returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %w = tensor.insert %f into %c[%i] : tensor<4xf32>
  return %w, %c : tensor<4xf32>, tensor<4xf32>
}
// -----
// a constant of equal elements is updated
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %w = tensor.insert %f into %c[%i] : tensor<4xf32>
  return %w, %c : tensor<4xf32>, tensor<4xf32>
}
// -----
// the update of a constant is not returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (f32) {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %w = tensor.insert %f into %c[%i] : tensor<4xf32>
  %x = tensor.extract %w[%i] : tensor<4xf32>
  return %x : f32
}
// -----
// a constant is accumulated onto
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>) {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %w = linalg.matvec ins(%m, %t : tensor<4x4xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %w : tensor<4xf32>
}
// -----
// two updates of an argument are returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %g = arith.addf %f, %f : f32
  %v = tensor.insert %g into %t[%i] : tensor<4xf32>
  return %w, %v : tensor<4xf32>, tensor<4xf32>
}
// -----
// two equal updates of an argument are returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %v = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %w, %v : tensor<4xf32>, tensor<4xf32>
}
// -----
// two updates with equal constants are returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %d0 = arith.constant 0 : index
  %w = tensor.insert %f into %t[%c0] : tensor<4xf32>
  %v = tensor.insert %f into %t[%d0] : tensor<4xf32>
  return %w, %v : tensor<4xf32>, tensor<4xf32>
}
// -----
// two updates of an argument, one is not returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %g = arith.addf %f, %f : f32
  %v = tensor.insert %g into %t[%i] : tensor<4xf32>
  %x = tensor.extract %v[%i] : tensor<4xf32>
  return %w, %x : tensor<4xf32>, f32
}
// -----
// two updates of a fill are returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = arith.addf %f, %f : f32
  %w = tensor.insert %g into %z[%i] : tensor<4xf32>
  %v = linalg.matvec ins(%m, %t : tensor<4x4xf32>, tensor<4xf32>) outs(%z : tensor<4xf32>) -> tensor<4xf32>
  return %w, %v : tensor<4xf32>, tensor<4xf32>
}
// -----
// two sums onto one product are returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %p = linalg.matvec ins(%m, %t : tensor<4x4xf32>, tensor<4xf32>) outs(%u : tensor<4xf32>) -> tensor<4xf32>
  %w = linalg.matvec ins(%m, %t : tensor<4x4xf32>, tensor<4xf32>) outs(%p : tensor<4xf32>) -> tensor<4xf32>
  %v = tensor.insert %f into %p[%i] : tensor<4xf32>
  return %w, %v : tensor<4xf32>, tensor<4xf32>
}
// -----
// a product accumulates onto its input
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4x4xf32>) {
  %p = linalg.matmul ins(%m, %m : tensor<4x4xf32>, tensor<4x4xf32>) outs(%m : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %p : tensor<4x4xf32>
}
// -----
// a map writes its input
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = linalg.add ins(%t, %u : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %a, %t : tensor<4xf32>, tensor<4xf32>
}
// -----
// an argument and its update are added
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.add ins(%t, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
// -----
// an argument and its update are added, and the sum is read
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (f32) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.add ins(%t, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %x = tensor.extract %a[%i] : tensor<4xf32>
  return %x : f32
}
// -----
// an argument is put behind another one
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<8xf32>) {
  %c = tensor.concat dim(0) %t, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
// -----
// two slices of an argument are joined again
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>) {
  %a = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %b = tensor.extract_slice %t[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %c = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
// -----
// an argument is padded
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<5xf32>) {
  %c = tensor.pad %t low[1] high[0] {
  ^bb0(%k: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<5xf32>
  return %c : tensor<5xf32>
}
// -----
// an argument is padded by nothing
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>) {
  %c = tensor.pad %t low[0] high[0] {
  ^bb0(%k: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<4xf32>
  return %c : tensor<4xf32>
}
// -----
// an argument is inserted into a fill
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = tensor.insert_slice %t into %z[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %c : tensor<8xf32>
}
// -----
// an inserted argument is overwritten
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = tensor.insert_slice %t into %z[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %d = tensor.insert_slice %u into %c[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %d : tensor<8xf32>
}
// -----
// a row of an argument is inserted into another argument
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4x4xf32>) {
  %r = tensor.extract_slice %m[1, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<4xf32>
  %c = tensor.insert_slice %r into %m[2, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
  return %c : tensor<4x4xf32>
}
// -----
// a square of an argument is flattened
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>) {
  %s = tensor.extract_slice %m[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  return %c : tensor<4xf32>
}
// -----
// a square of an argument is flattened, and then updated
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>) {
  %s = tensor.extract_slice %m[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %w = tensor.insert %f into %c[%i] : tensor<4xf32>
  return %w : tensor<4xf32>
}
// -----
// two whole rows of an argument are flattened
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<8xf32>) {
  %s = tensor.extract_slice %m[1, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  return %c : tensor<8xf32>
}
// -----
// a branch returns an argument or its update
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = arith.constant 0.0 : f32
  %c = arith.cmpf oeq, %f, %z : f32
  %r = scf.if %c -> (tensor<4xf32>) {
    %w = tensor.insert %f into %t[%i] : tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %r, %t : tensor<4xf32>, tensor<4xf32>
}
// -----
// one of two arguments is updated, and both are returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = arith.constant 0.0 : f32
  %c = arith.cmpf oeq, %f, %z : f32
  %s = arith.select %c, %t, %u : tensor<4xf32>
  %w = tensor.insert %f into %s[%i] : tensor<4xf32>
  return %w, %t : tensor<4xf32>, tensor<4xf32>
}
// -----
// a part whose place is not known is updated and the whole returned
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<1xf32>, tensor<4xf32>) {
  %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %z = linalg.fill ins(%f : f32) outs(%s : tensor<1xf32>) -> tensor<1xf32>
  return %z, %t : tensor<1xf32>, tensor<4xf32>
}
