func.func @extract_of_broadcast(%f: f32, %v: vector<4xf32>, %w: vector<3x4xf32>, %o: vector<2x3x1xf32>, %i: index) -> (f32, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<3x4xf32>, vector<4xf32>) {
  %0 = vector.broadcast %f : f32 to vector<3x4xf32>
  %1 = vector.extract %0[0, 1] : f32 from vector<3x4xf32>
  %2 = vector.extract %0[2] : vector<4xf32> from vector<3x4xf32>
  %3 = vector.broadcast %v : vector<4xf32> to vector<2x3x4xf32>
  %4 = vector.extract %3[1, 2] : vector<4xf32> from vector<2x3x4xf32>
  %5 = vector.extract %w[1] : vector<4xf32> from vector<3x4xf32>
  %6 = vector.extract %3[%i] : vector<3x4xf32> from vector<2x3x4xf32>
  %7 = vector.broadcast %o : vector<2x3x1xf32> to vector<2x3x4xf32>
  %8 = vector.extract %7[1, 2] : vector<4xf32> from vector<2x3x4xf32>
  return %1, %2, %4, %5, %6, %8 : f32, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<3x4xf32>, vector<4xf32>
}
func.func @masks(%n: index) -> (vector<4x8xi1>, vector<4x8xi1>, vector<4xi1>, vector<i1>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %m2 = arith.constant -2 : index
  %0 = vector.create_mask %n, %c3 : vector<4x8xi1>
  %1 = vector.create_mask %c3, %c9 : vector<4x8xi1>
  %2 = vector.create_mask %m2 : vector<4xi1>
  %3 = vector.create_mask %c3 : vector<i1>
  return %0, %1, %2, %3 : vector<4x8xi1>, vector<4x8xi1>, vector<4xi1>, vector<i1>
}
// =>
module {
  func.func @extract_of_broadcast(%arg0: f32, %arg1: vector<4xf32>, %arg2: vector<3x4xf32>, %arg3: vector<2x3x1xf32>, %arg4: index) -> (f32, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<3x4xf32>, vector<4xf32>) {
    %0 = vector.broadcast %arg0 : f32 to vector<4xf32>
    %1 = vector.extract %arg2[1] : vector<4xf32> from vector<3x4xf32>
    %2 = vector.broadcast %arg1 : vector<4xf32> to vector<3x4xf32>
    %3 = vector.broadcast %arg3 : vector<2x3x1xf32> to vector<2x3x4xf32>
    %4 = vector.extract %3[1, 2] : vector<4xf32> from vector<2x3x4xf32>
    return %arg0, %0, %arg1, %1, %2, %4 : f32, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<3x4xf32>, vector<4xf32>
  }
  func.func @masks(%arg0: index) -> (vector<4x8xi1>, vector<4x8xi1>, vector<4xi1>, vector<i1>) {
    %cst = arith.constant dense<true> : vector<i1>
    %cst_0 = arith.constant dense<false> : vector<4xi1>
    %c3 = arith.constant 3 : index
    %0 = vector.create_mask %arg0, %c3 : vector<4x8xi1>
    %1 = vector.constant_mask [3, 8] : vector<4x8xi1>
    return %0, %1, %cst_0, %cst : vector<4x8xi1>, vector<4x8xi1>, vector<4xi1>, vector<i1>
  }
}

