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
// -----
func.func @positions(%a: vector<4x5xf32>, %z: vector<f32>) -> (vector<5xf32>, f32, vector<4xf32>) {
  %c = arith.constant -1 : index
  %0 = vector.extract %a[%c] : vector<5xf32> from vector<4x5xf32>
  %1 = vector.broadcast %z : vector<f32> to vector<3x4xf32>
  %2 = vector.extract %1[1, 2] : f32 from vector<3x4xf32>
  %3 = vector.extract %1[1] : vector<4xf32> from vector<3x4xf32>
  return %0, %2, %3 : vector<5xf32>, f32, vector<4xf32>
}
func.func @moved_ones(%a: vector<1x1x4xf32>, %b: vector<1x4x1xf32>, %c: vector<4x1x4xf32>) -> (vector<1x1x4xf32>, vector<1x4x1xf32>, vector<4x1x4xf32>) {
  %0 = vector.transpose %a, [1, 0, 2] : vector<1x1x4xf32> to vector<1x1x4xf32>
  %1 = vector.transpose %b, [2, 1, 0] : vector<1x4x1xf32> to vector<1x4x1xf32>
  %2 = vector.transpose %c, [2, 1, 0] : vector<4x1x4xf32> to vector<4x1x4xf32>
  return %0, %1, %2 : vector<1x1x4xf32>, vector<1x4x1xf32>, vector<4x1x4xf32>
}
func.func @last_ones_of_masks(%n: index, %m: index) -> (vector<4x1xi1>, vector<4xi1>, vector<2x4xi1>, vector<1xi1>, vector<4x1xi1>) {
  %c1 = arith.constant 1 : index
  %0 = vector.create_mask %n, %m, %c1 : vector<4x1x1xi1>
  %1 = vector.shape_cast %0 : vector<4x1x1xi1> to vector<4x1xi1>
  %2 = vector.create_mask %n, %c1, %c1 : vector<4x1x1xi1>
  %3 = vector.shape_cast %2 : vector<4x1x1xi1> to vector<4xi1>
  %4 = vector.create_mask %m, %n, %c1 : vector<2x4x1xi1>
  %5 = vector.shape_cast %4 : vector<2x4x1xi1> to vector<2x4xi1>
  %6 = vector.create_mask %n, %c1 : vector<1x1xi1>
  %7 = vector.shape_cast %6 : vector<1x1xi1> to vector<1xi1>
  %8 = vector.constant_mask [2, 1, 1] : vector<4x1x1xi1>
  %9 = vector.shape_cast %8 : vector<4x1x1xi1> to vector<4x1xi1>
  return %1, %3, %5, %7, %9 : vector<4x1xi1>, vector<4xi1>, vector<2x4xi1>, vector<1xi1>, vector<4x1xi1>
}
func.func @repeated_bits() -> (vector<1xi64>, vector<2xf32>, vector<2xf64>, vector<8xi8>, vector<2xi24>, vector<1xf32>, vector<1xi4>) {
  %a = arith.constant dense<-1> : vector<4xi16>
  %0 = vector.bitcast %a : vector<4xi16> to vector<1xi64>
  %b = arith.constant dense<1.0> : vector<4xf16>
  %1 = vector.bitcast %b : vector<4xf16> to vector<2xf32>
  %c = arith.constant dense<1.0> : vector<4xf32>
  %2 = vector.bitcast %c : vector<4xf32> to vector<2xf64>
  %3 = vector.bitcast %a : vector<4xi16> to vector<8xi8>
  %d = arith.constant dense<1> : vector<6xi8>
  %4 = vector.bitcast %d : vector<6xi8> to vector<2xi24>
  %e = arith.constant dense<1> : vector<2xi16>
  %5 = vector.bitcast %e : vector<2xi16> to vector<1xf32>
  %f = arith.constant dense<true> : vector<4xi1>
  %6 = vector.bitcast %f : vector<4xi1> to vector<1xi4>
  return %0, %1, %2, %3, %4, %5, %6 : vector<1xi64>, vector<2xf32>, vector<2xf64>, vector<8xi8>, vector<2xi24>, vector<1xf32>, vector<1xi4>
}
func.func @write_into_cast(%t: tensor<8x16xf32>, %v: vector<8xf32>, %i: index) -> tensor<?x?xf32> {
  %0 = tensor.cast %t : tensor<8x16xf32> to tensor<?x?xf32>
  %1 = vector.transfer_write %v, %0[%i, %i] : vector<8xf32>, tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
// =>
module {
  func.func @positions(%arg0: vector<4x5xf32>, %arg1: vector<f32>) -> (vector<5xf32>, f32, vector<4xf32>) {
    %0 = ub.poison : vector<5xf32>
    %1 = vector.extract %arg1[] : f32 from vector<f32>
    %2 = vector.broadcast %arg1 : vector<f32> to vector<4xf32>
    return %0, %1, %2 : vector<5xf32>, f32, vector<4xf32>
  }
  func.func @moved_ones(%arg0: vector<1x1x4xf32>, %arg1: vector<1x4x1xf32>, %arg2: vector<4x1x4xf32>) -> (vector<1x1x4xf32>, vector<1x4x1xf32>, vector<4x1x4xf32>) {
    %0 = vector.transpose %arg2, [2, 1, 0] : vector<4x1x4xf32> to vector<4x1x4xf32>
    return %arg0, %arg1, %0 : vector<1x1x4xf32>, vector<1x4x1xf32>, vector<4x1x4xf32>
  }
  func.func @last_ones_of_masks(%arg0: index, %arg1: index) -> (vector<4x1xi1>, vector<4xi1>, vector<2x4xi1>, vector<1xi1>, vector<4x1xi1>) {
    %c1 = arith.constant 1 : index
    %0 = vector.create_mask %arg0, %arg1, %c1 : vector<4x1x1xi1>
    %1 = vector.shape_cast %0 : vector<4x1x1xi1> to vector<4x1xi1>
    %2 = vector.create_mask %arg0 : vector<4xi1>
    %3 = vector.create_mask %arg1, %arg0 : vector<2x4xi1>
    %4 = vector.create_mask %arg0 : vector<1xi1>
    %5 = vector.constant_mask [2, 1, 1] : vector<4x1x1xi1>
    %6 = vector.shape_cast %5 : vector<4x1x1xi1> to vector<4x1xi1>
    return %1, %2, %3, %4, %6 : vector<4x1xi1>, vector<4xi1>, vector<2x4xi1>, vector<1xi1>, vector<4x1xi1>
  }
  func.func @repeated_bits() -> (vector<1xi64>, vector<2xf32>, vector<2xf64>, vector<8xi8>, vector<2xi24>, vector<1xf32>, vector<1xi4>) {
    %cst = arith.constant dense<-1> : vector<1xi4>
    %cst_0 = arith.constant dense<65793> : vector<2xi24>
    %cst_1 = arith.constant dense<1> : vector<2xi16>
    %cst_2 = arith.constant dense<1.000000e+00> : vector<4xf32>
    %cst_3 = arith.constant dense<-1> : vector<4xi16>
    %cst_4 = arith.constant dense<-1> : vector<1xi64>
    %cst_5 = arith.constant dense<0.00782680511> : vector<2xf32>
    %0 = vector.bitcast %cst_2 : vector<4xf32> to vector<2xf64>
    %1 = vector.bitcast %cst_3 : vector<4xi16> to vector<8xi8>
    %2 = vector.bitcast %cst_1 : vector<2xi16> to vector<1xf32>
    return %cst_4, %cst_5, %0, %1, %cst_0, %2, %cst : vector<1xi64>, vector<2xf32>, vector<2xf64>, vector<8xi8>, vector<2xi24>, vector<1xf32>, vector<1xi4>
  }
  func.func @write_into_cast(%arg0: tensor<8x16xf32>, %arg1: vector<8xf32>, %arg2: index) -> tensor<?x?xf32> {
    %0 = vector.transfer_write %arg1, %arg0[%arg2, %arg2] : vector<8xf32>, tensor<8x16xf32>
    %cast = tensor.cast %0 : tensor<8x16xf32> to tensor<?x?xf32>
    return %cast : tensor<?x?xf32>
  }
}
// -----
func.func @gathered_splat(%i: tensor<2x2xindex>, %j: tensor<?x2xindex>) -> (tensor<2xi32>, tensor<2x1x1xi32>, tensor<?xi32>) {
  %c = arith.constant dense<7> : tensor<3x3xi32>
  %0 = tensor.gather %c[%i] gather_dims([0, 1]) : (tensor<3x3xi32>, tensor<2x2xindex>) -> tensor<2xi32>
  %1 = tensor.gather %c[%i] gather_dims([0, 1]) unique : (tensor<3x3xi32>, tensor<2x2xindex>) -> tensor<2x1x1xi32>
  %2 = tensor.gather %c[%j] gather_dims([0, 1]) : (tensor<3x3xi32>, tensor<?x2xindex>) -> tensor<?xi32>
  return %0, %1, %2 : tensor<2xi32>, tensor<2x1x1xi32>, tensor<?xi32>
}
func.func @gathered_elements(%i: tensor<2x2xindex>) -> tensor<2xi32> {
  %c = arith.constant dense<[[7, 8], [9, 10]]> : tensor<2x2xi32>
  %0 = tensor.gather %c[%i] gather_dims([0, 1]) : (tensor<2x2xi32>, tensor<2x2xindex>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @scalable_masks() -> (vector<[2]x3xi1>, vector<[2]x3xi1>, vector<[2]x3xi1>, vector<[2]x3xi1>) {
  %below = arith.constant -5 : index
  %none = arith.constant 0 : index
  %more = arith.constant 7 : index
  %0 = vector.create_mask %below, %more : vector<[2]x3xi1>
  %1 = vector.create_mask %none, %more : vector<[2]x3xi1>
  %2 = vector.create_mask %more, %more : vector<[2]x3xi1>
  %3 = vector.create_mask %more, %below : vector<[2]x3xi1>
  return %0, %1, %2, %3 : vector<[2]x3xi1>, vector<[2]x3xi1>, vector<[2]x3xi1>, vector<[2]x3xi1>
}
// =>
module {
  func.func @gathered_splat(%arg0: tensor<2x2xindex>, %arg1: tensor<?x2xindex>) -> (tensor<2xi32>, tensor<2x1x1xi32>, tensor<?xi32>) {
    %cst = arith.constant dense<7> : tensor<3x3xi32>
    %cst_0 = arith.constant dense<7> : tensor<2xi32>
    %cst_1 = arith.constant dense<7> : tensor<2x1x1xi32>
    %gather = tensor.gather %cst[%arg1] gather_dims([0, 1]) : (tensor<3x3xi32>, tensor<?x2xindex>) -> tensor<?xi32>
    return %cst_0, %cst_1, %gather : tensor<2xi32>, tensor<2x1x1xi32>, tensor<?xi32>
  }
  func.func @gathered_elements(%arg0: tensor<2x2xindex>) -> tensor<2xi32> {
    %cst = arith.constant dense<[[7, 8], [9, 10]]> : tensor<2x2xi32>
    %gather = tensor.gather %cst[%arg0] gather_dims([0, 1]) : (tensor<2x2xi32>, tensor<2x2xindex>) -> tensor<2xi32>
    return %gather : tensor<2xi32>
  }
  func.func @scalable_masks() -> (vector<[2]x3xi1>, vector<[2]x3xi1>, vector<[2]x3xi1>, vector<[2]x3xi1>) {
    %c-5 = arith.constant -5 : index
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %cst = arith.constant dense<false> : vector<[2]x3xi1>
    %0 = vector.create_mask %c0, %c7 : vector<[2]x3xi1>
    %1 = vector.create_mask %c7, %c7 : vector<[2]x3xi1>
    %2 = vector.create_mask %c7, %c-5 : vector<[2]x3xi1>
    return %cst, %0, %1, %2 : vector<[2]x3xi1>, vector<[2]x3xi1>, vector<[2]x3xi1>, vector<[2]x3xi1>
  }
}
