func.func @red(%m: memref<100xf32>, %n: index) -> (f32, f32, f32) {
  %r:3 = affine.parallel (%i) = (0) to (min(100, %n)) reduce ("addf", "maximumf", "mulf") -> (f32, f32, f32) {
    %v = affine.load %m[%i] : memref<100xf32>
    affine.yield %v, %v, %v : f32, f32, f32
  }
  return %r#0, %r#1, %r#2 : f32, f32, f32
}
func.func @red2(%m: memref<100xi32>) -> (i32,i32,i32,i32) {
  %r:4 = affine.parallel (%i) = (0) to (100) reduce ("addi", "muli", "ori", "andi") -> (i32,i32,i32,i32) {
    %v = affine.load %m[%i] : memref<100xi32>
    affine.yield %v, %v, %v,%v : i32,i32,i32,i32
  }
  return %r#0, %r#1, %r#2, %r#3 : i32,i32,i32,i32
}
func.func @red3(%m: memref<100xf64>) -> (f64) {
  %r = affine.parallel (%i) = (0) to (100) reduce ("minimumf") -> (f64) {
    %v = affine.load %m[%i] : memref<100xf64>
    affine.yield %v : f64
  }
  return %r : f64
}
// -----
func.func @lin(%i: index, %j: index, %n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
    %l = affine.linearize_index [%k, %j, %i] by (3, %n, %m) : index
    %l2 = affine.linearize_index disjoint [%k, %j, %i] by (3, %n, 5) : index
    %q = arith.addi %l, %l2 : index
    %d:4 = affine.delinearize_index %q into (%n, 4, %m) : index, index, index, index
    %e = affine.delinearize_index %q into (%n) : index
    %x = arith.addi %d#1, %d#3 : index
    %y = arith.addi %x, %e : index
    scf.yield %y : index
  }
  return %r : index
}
// -----
func.func @lin(%i: index, %j: index, %n: index, %m: index) -> (index, index) {
  %c3 = arith.constant 3 : index
  %l = affine.linearize_index [%c3, %j, %i] by (1, 1) : index
  %l2 = affine.linearize_index [%c3, %c3] by (7, 9) : index
  %l3 = affine.linearize_index [%j] by () : index
  %l4 = affine.linearize_index [%j, %i, %c3] by (%n, 1) : index
  %d:2 = affine.delinearize_index %l4 into (1, 1) : index, index
  %e:3 = affine.delinearize_index %l4 into (%n, %m) : index, index, index
  %q = arith.addi %l, %l2 : index
  %q2 = arith.addi %q, %l3 : index
  %q3 = arith.addi %q2, %d#0 : index
  %q4 = arith.addi %q3, %d#1 : index
  %q5 = arith.addi %q4, %e#1 : index
  return %q5, %l4 : index, index
}
// -----
func.func @element_of_insert(%t: tensor<4x4xi64>, %x: i64, %i: index) -> (i64, i64, i64) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c1b = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.insert %x into %t[%c1, %c0] : tensor<4x4xi64>
  %1 = tensor.extract %0[%c1b, %c0] : tensor<4x4xi64>
  %2 = tensor.extract %0[%c1, %c0] : tensor<4x4xi64>
  %3 = tensor.extract %0[%c2, %c0] : tensor<4x4xi64>
  return %1, %2, %3 : i64, i64, i64
}
