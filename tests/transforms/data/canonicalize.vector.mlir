func.func @f0(%a: vector<4xf32>) -> vector<2x3x4xf32> {
  %0 = vector.broadcast %a : vector<4xf32> to vector<3x4xf32>
  %1 = vector.broadcast %0 : vector<3x4xf32> to vector<2x3x4xf32>
  return %1 : vector<2x3x4xf32>
}
func.func @f1(%a: f32) -> vector<2x4xf32> {
  %0 = vector.broadcast %a : f32 to vector<4xf32>
  %1 = vector.broadcast %0 : vector<4xf32> to vector<2x4xf32>
  return %1 : vector<2x4xf32>
}
func.func @f2(%a: vector<1x4xf32>) -> vector<2x3x4xf32> {
  %0 = vector.broadcast %a : vector<1x4xf32> to vector<3x4xf32>
  %1 = vector.broadcast %0 : vector<3x4xf32> to vector<2x3x4xf32>
  return %1 : vector<2x3x4xf32>
}
func.func @f3(%a: vector<4xf32>) -> vector<2x3x4xf32> {
  %0 = vector.shape_cast %a : vector<4xf32> to vector<1x4xf32>
  %1 = vector.broadcast %0 : vector<1x4xf32> to vector<2x3x4xf32>
  return %1 : vector<2x3x4xf32>
}
func.func @f4(%a: vector<4xf32>) -> vector<1x4xf32> {
  %0 = vector.shape_cast %a : vector<4xf32> to vector<1x1x4xf32>
  %1 = vector.broadcast %0 : vector<1x1x4xf32> to vector<2x1x4xf32>
  %2 = vector.extract %1[0] : vector<1x4xf32> from vector<2x1x4xf32>
  return %2 : vector<1x4xf32>
}
func.func @f5(%a: f32) -> vector<4xf32> {
  %0 = vector.from_elements %a : vector<1xf32>
  %1 = vector.broadcast %0 : vector<1xf32> to vector<4xf32>
  return %1 : vector<4xf32>
}
func.func @f6() -> vector<4xf32> {
  %p = ub.poison : f32
  %1 = vector.broadcast %p : f32 to vector<4xf32>
  return %1 : vector<4xf32>
}
func.func @f7(%a: vector<4xf32>) -> vector<2x2xf32> {
  %0 = vector.shape_cast %a : vector<4xf32> to vector<1x4xf32>
  %1 = vector.shape_cast %0 : vector<1x4xf32> to vector<2x2xf32>
  return %1 : vector<2x2xf32>
}
func.func @f8(%a: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.shape_cast %a : vector<4xf32> to vector<2x2xf32>
  %1 = vector.shape_cast %0 : vector<2x2xf32> to vector<4xf32>
  return %1 : vector<4xf32>
}
func.func @f9(%a: f32) -> vector<2x2xf32> {
  %0 = vector.broadcast %a : f32 to vector<4xf32>
  %1 = vector.shape_cast %0 : vector<4xf32> to vector<2x2xf32>
  return %1 : vector<2x2xf32>
}
func.func @f10(%a: vector<4xf32>) -> vector<1x4xf32> {
  %0 = vector.broadcast %a : vector<4xf32> to vector<1x1x4xf32>
  %1 = vector.shape_cast %0 : vector<1x1x4xf32> to vector<1x4xf32>
  return %1 : vector<1x4xf32>
}
func.func @f11(%a: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.broadcast %a : vector<4xf32> to vector<1x4xf32>
  %1 = vector.shape_cast %0 : vector<1x4xf32> to vector<4xf32>
  return %1 : vector<4xf32>
}
func.func @f12(%a: vector<4xf32>) -> vector<6x4xf32> {
  %0 = vector.broadcast %a : vector<4xf32> to vector<2x3x4xf32>
  %1 = vector.shape_cast %0 : vector<2x3x4xf32> to vector<6x4xf32>
  return %1 : vector<6x4xf32>
}
func.func @f13(%a: vector<4xf32>) -> vector<24xf32> {
  %0 = vector.broadcast %a : vector<4xf32> to vector<2x3x4xf32>
  %1 = vector.shape_cast %0 : vector<2x3x4xf32> to vector<24xf32>
  return %1 : vector<24xf32>
}
func.func @f14(%a: vector<4x1xf32>) -> vector<4xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<4x1xf32> to vector<1x4xf32>
  %1 = vector.shape_cast %0 : vector<1x4xf32> to vector<4xf32>
  return %1 : vector<4xf32>
}
func.func @f15(%a: vector<4x1x2xf32>) -> vector<4x2xf32> {
  %0 = vector.transpose %a, [1, 0, 2] : vector<4x1x2xf32> to vector<1x4x2xf32>
  %1 = vector.shape_cast %0 : vector<1x4x2xf32> to vector<4x2xf32>
  return %1 : vector<4x2xf32>
}
func.func @f16(%n: index) -> vector<8xi1> {
  %c1 = arith.constant 1 : index
  %0 = vector.create_mask %n, %c1 : vector<8x1xi1>
  %1 = vector.shape_cast %0 : vector<8x1xi1> to vector<8xi1>
  return %1 : vector<8xi1>
}
func.func @f17(%n: index) -> vector<8xi1> {
  %0 = vector.create_mask %n, %n : vector<8x1xi1>
  %1 = vector.shape_cast %0 : vector<8x1xi1> to vector<8xi1>
  return %1 : vector<8xi1>
}
func.func @f18() -> vector<8xi1> {
  %0 = vector.constant_mask [4, 1] : vector<8x1xi1>
  %1 = vector.shape_cast %0 : vector<8x1xi1> to vector<8xi1>
  return %1 : vector<8xi1>
}
func.func @f19() -> vector<8xi1> {
  %0 = vector.constant_mask [4] : vector<8xi1>
  %1 = vector.shape_cast %0 : vector<8xi1> to vector<8x1xi1>
  %2 = vector.shape_cast %1 : vector<8x1xi1> to vector<8xi1>
  return %2 : vector<8xi1>
}
// =>
module {
  func.func @f0(%arg0: vector<4xf32>) -> vector<2x3x4xf32> {
    %0 = vector.broadcast %arg0 : vector<4xf32> to vector<2x3x4xf32>
    return %0 : vector<2x3x4xf32>
  }
  func.func @f1(%arg0: f32) -> vector<2x4xf32> {
    %0 = vector.broadcast %arg0 : f32 to vector<2x4xf32>
    return %0 : vector<2x4xf32>
  }
  func.func @f2(%arg0: vector<1x4xf32>) -> vector<2x3x4xf32> {
    %0 = vector.broadcast %arg0 : vector<1x4xf32> to vector<2x3x4xf32>
    return %0 : vector<2x3x4xf32>
  }
  func.func @f3(%arg0: vector<4xf32>) -> vector<2x3x4xf32> {
    %0 = vector.broadcast %arg0 : vector<4xf32> to vector<2x3x4xf32>
    return %0 : vector<2x3x4xf32>
  }
  func.func @f4(%arg0: vector<4xf32>) -> vector<1x4xf32> {
    %0 = vector.broadcast %arg0 : vector<4xf32> to vector<1x4xf32>
    return %0 : vector<1x4xf32>
  }
  func.func @f5(%arg0: f32) -> vector<4xf32> {
    %0 = vector.broadcast %arg0 : f32 to vector<4xf32>
    return %0 : vector<4xf32>
  }
  func.func @f6() -> vector<4xf32> {
    %0 = ub.poison : vector<4xf32>
    return %0 : vector<4xf32>
  }
  func.func @f7(%arg0: vector<4xf32>) -> vector<2x2xf32> {
    %0 = vector.shape_cast %arg0 : vector<4xf32> to vector<2x2xf32>
    return %0 : vector<2x2xf32>
  }
  func.func @f8(%arg0: vector<4xf32>) -> vector<4xf32> {
    return %arg0 : vector<4xf32>
  }
  func.func @f9(%arg0: f32) -> vector<2x2xf32> {
    %0 = vector.broadcast %arg0 : f32 to vector<2x2xf32>
    return %0 : vector<2x2xf32>
  }
  func.func @f10(%arg0: vector<4xf32>) -> vector<1x4xf32> {
    %0 = vector.shape_cast %arg0 : vector<4xf32> to vector<1x4xf32>
    return %0 : vector<1x4xf32>
  }
  func.func @f11(%arg0: vector<4xf32>) -> vector<4xf32> {
    return %arg0 : vector<4xf32>
  }
  func.func @f12(%arg0: vector<4xf32>) -> vector<6x4xf32> {
    %0 = vector.broadcast %arg0 : vector<4xf32> to vector<6x4xf32>
    return %0 : vector<6x4xf32>
  }
  func.func @f13(%arg0: vector<4xf32>) -> vector<24xf32> {
    %0 = vector.broadcast %arg0 : vector<4xf32> to vector<2x3x4xf32>
    %1 = vector.shape_cast %0 : vector<2x3x4xf32> to vector<24xf32>
    return %1 : vector<24xf32>
  }
  func.func @f14(%arg0: vector<4x1xf32>) -> vector<4xf32> {
    %0 = vector.shape_cast %arg0 : vector<4x1xf32> to vector<4xf32>
    return %0 : vector<4xf32>
  }
  func.func @f15(%arg0: vector<4x1x2xf32>) -> vector<4x2xf32> {
    %0 = vector.shape_cast %arg0 : vector<4x1x2xf32> to vector<4x2xf32>
    return %0 : vector<4x2xf32>
  }
  func.func @f16(%arg0: index) -> vector<8xi1> {
    %0 = vector.create_mask %arg0 : vector<8xi1>
    return %0 : vector<8xi1>
  }
  func.func @f17(%arg0: index) -> vector<8xi1> {
    %0 = vector.create_mask %arg0, %arg0 : vector<8x1xi1>
    %1 = vector.shape_cast %0 : vector<8x1xi1> to vector<8xi1>
    return %1 : vector<8xi1>
  }
  func.func @f18() -> vector<8xi1> {
    %0 = vector.constant_mask [4] : vector<8xi1>
    return %0 : vector<8xi1>
  }
  func.func @f19() -> vector<8xi1> {
    %0 = vector.constant_mask [4] : vector<8xi1>
    return %0 : vector<8xi1>
  }
}
// -----
func.func @f20(%a: f32, %b: f32) -> vector<2x1xf32> {
  %0 = vector.from_elements %a, %b : vector<2xf32>
  %1 = vector.shape_cast %0 : vector<2xf32> to vector<2x1xf32>
  return %1 : vector<2x1xf32>
}
func.func @f21() -> vector<2x1xf32> {
  %p = ub.poison : vector<2xf32>
  %1 = vector.shape_cast %p : vector<2xf32> to vector<2x1xf32>
  return %1 : vector<2x1xf32>
}
func.func @f22() -> (vector<2x2xf32>, vector<4xi32>) {
  %p = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %1 = vector.shape_cast %p : vector<4xf32> to vector<2x2xf32>
  %q = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %2 = vector.shape_cast %q : vector<2x2xi32> to vector<4xi32>
  return %1, %2 : vector<2x2xf32>, vector<4xi32>
}
func.func @f23(%a: vector<1xf32>) -> vector<2x2xf32> {
  %0 = vector.broadcast %a : vector<1xf32> to vector<4xf32>
  %1 = vector.shape_cast %0 : vector<4xf32> to vector<2x2xf32>
  return %1 : vector<2x2xf32>
}
func.func @f24(%a: vector<1x4xf32>) -> vector<4xf32> {
  %0 = vector.extract %a[0] : vector<4xf32> from vector<1x4xf32>
  return %0 : vector<4xf32>
}
func.func @f25(%a: vector<2x3xf32>) -> vector<2x3xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %1 = vector.transpose %0, [1, 0] : vector<3x2xf32> to vector<2x3xf32>
  return %1 : vector<2x3xf32>
}
func.func @f26(%a: vector<2x3x4xf32>) -> vector<3x4x2xf32> {
  %0 = vector.transpose %a, [1, 0, 2] : vector<2x3x4xf32> to vector<3x2x4xf32>
  %1 = vector.transpose %0, [0, 2, 1] : vector<3x2x4xf32> to vector<3x4x2xf32>
  return %1 : vector<3x4x2xf32>
}
func.func @f27(%a: f32) -> vector<3x2xf32> {
  %0 = vector.broadcast %a : f32 to vector<2x3xf32>
  %1 = vector.transpose %0, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  return %1 : vector<3x2xf32>
}
func.func @f28(%a: vector<3xf32>) -> vector<3x2xf32> {
  %0 = vector.broadcast %a : vector<3xf32> to vector<2x3xf32>
  %1 = vector.transpose %0, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  return %1 : vector<3x2xf32>
}
func.func @f29(%a: vector<4xf32>) -> vector<3x2x4xf32> {
  %0 = vector.broadcast %a : vector<4xf32> to vector<2x3x4xf32>
  %1 = vector.transpose %0, [1, 0, 2] : vector<2x3x4xf32> to vector<3x2x4xf32>
  return %1 : vector<3x2x4xf32>
}
func.func @f30(%a: vector<2x1xf32>) -> vector<1x2xf32> {
  %1 = vector.transpose %a, [1, 0] : vector<2x1xf32> to vector<1x2xf32>
  return %1 : vector<1x2xf32>
}
func.func @f31(%n: index, %m: index) -> vector<4x2xi1> {
  %0 = vector.create_mask %n, %m : vector<2x4xi1>
  %1 = vector.transpose %0, [1, 0] : vector<2x4xi1> to vector<4x2xi1>
  return %1 : vector<4x2xi1>
}
func.func @f32() -> vector<4x2xi1> {
  %0 = vector.constant_mask [1, 3] : vector<2x4xi1>
  %1 = vector.transpose %0, [1, 0] : vector<2x4xi1> to vector<4x2xi1>
  return %1 : vector<4x2xi1>
}
func.func @f33(%a: f32, %b: f32, %c: f32, %d: f32) -> vector<2x2xf32> {
  %0 = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>
  %1 = vector.transpose %0, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
  return %1 : vector<2x2xf32>
}
func.func @f34(%a: vector<6xf32>) -> vector<3x2x1xf32> {
  %0 = vector.shape_cast %a : vector<6xf32> to vector<3x1x2xf32>
  %1 = vector.transpose %0, [0, 2, 1] : vector<3x1x2xf32> to vector<3x2x1xf32>
  return %1 : vector<3x2x1xf32>
}
func.func @f35() -> vector<2x2xf32> {
  %p = ub.poison : vector<2x2xf32>
  %1 = vector.transpose %p, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
  return %1 : vector<2x2xf32>
}
func.func @f36() -> vector<3x2xf32> {
  %p = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>
  %1 = vector.transpose %p, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  return %1 : vector<3x2xf32>
}
func.func @f37(%a: vector<1x4xf32>) -> vector<4x1xf32> {
  %0 = vector.broadcast %a : vector<1x4xf32> to vector<1x4xf32>
  %1 = vector.transpose %0, [1, 0] : vector<1x4xf32> to vector<4x1xf32>
  return %1 : vector<4x1xf32>
}
func.func @f38(%a: vector<1x4xf32>) -> vector<4x3xf32> {
  %0 = vector.broadcast %a : vector<1x4xf32> to vector<3x4xf32>
  %1 = vector.transpose %0, [1, 0] : vector<3x4xf32> to vector<4x3xf32>
  return %1 : vector<4x3xf32>
}
func.func @f39(%a: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.bitcast %a : vector<4xf32> to vector<4xi32>
  %1 = vector.bitcast %0 : vector<4xi32> to vector<4xf32>
  return %1 : vector<4xf32>
}
// =>
module {
  func.func @f20(%arg0: f32, %arg1: f32) -> vector<2x1xf32> {
    %0 = vector.from_elements %arg0, %arg1 : vector<2xf32>
    %1 = vector.shape_cast %0 : vector<2xf32> to vector<2x1xf32>
    return %1 : vector<2x1xf32>
  }
  func.func @f21() -> vector<2x1xf32> {
    %0 = ub.poison : vector<2x1xf32>
    return %0 : vector<2x1xf32>
  }
  func.func @f22() -> (vector<2x2xf32>, vector<4xi32>) {
    %cst = arith.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : vector<2x2xf32>
    %cst_0 = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
    return %cst, %cst_0 : vector<2x2xf32>, vector<4xi32>
  }
  func.func @f23(%arg0: vector<1xf32>) -> vector<2x2xf32> {
    %0 = vector.broadcast %arg0 : vector<1xf32> to vector<2x2xf32>
    return %0 : vector<2x2xf32>
  }
  func.func @f24(%arg0: vector<1x4xf32>) -> vector<4xf32> {
    %0 = vector.extract %arg0[0] : vector<4xf32> from vector<1x4xf32>
    return %0 : vector<4xf32>
  }
  func.func @f25(%arg0: vector<2x3xf32>) -> vector<2x3xf32> {
    return %arg0 : vector<2x3xf32>
  }
  func.func @f26(%arg0: vector<2x3x4xf32>) -> vector<3x4x2xf32> {
    %0 = vector.transpose %arg0, [1, 2, 0] : vector<2x3x4xf32> to vector<3x4x2xf32>
    return %0 : vector<3x4x2xf32>
  }
  func.func @f27(%arg0: f32) -> vector<3x2xf32> {
    %0 = vector.broadcast %arg0 : f32 to vector<3x2xf32>
    return %0 : vector<3x2xf32>
  }
  func.func @f28(%arg0: vector<3xf32>) -> vector<3x2xf32> {
    %0 = vector.broadcast %arg0 : vector<3xf32> to vector<2x3xf32>
    %1 = vector.transpose %0, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
    return %1 : vector<3x2xf32>
  }
  func.func @f29(%arg0: vector<4xf32>) -> vector<3x2x4xf32> {
    %0 = vector.broadcast %arg0 : vector<4xf32> to vector<3x2x4xf32>
    return %0 : vector<3x2x4xf32>
  }
  func.func @f30(%arg0: vector<2x1xf32>) -> vector<1x2xf32> {
    %0 = vector.transpose %arg0, [1, 0] : vector<2x1xf32> to vector<1x2xf32>
    return %0 : vector<1x2xf32>
  }
  func.func @f31(%arg0: index, %arg1: index) -> vector<4x2xi1> {
    %0 = vector.create_mask %arg1, %arg0 : vector<4x2xi1>
    return %0 : vector<4x2xi1>
  }
  func.func @f32() -> vector<4x2xi1> {
    %0 = vector.constant_mask [3, 1] : vector<4x2xi1>
    return %0 : vector<4x2xi1>
  }
  func.func @f33(%arg0: f32, %arg1: f32, %arg2: f32, %arg3: f32) -> vector<2x2xf32> {
    %0 = vector.from_elements %arg0, %arg2, %arg1, %arg3 : vector<2x2xf32>
    return %0 : vector<2x2xf32>
  }
  func.func @f34(%arg0: vector<6xf32>) -> vector<3x2x1xf32> {
    %0 = vector.shape_cast %arg0 : vector<6xf32> to vector<3x2x1xf32>
    return %0 : vector<3x2x1xf32>
  }
  func.func @f35() -> vector<2x2xf32> {
    %0 = ub.poison : vector<2x2xf32>
    return %0 : vector<2x2xf32>
  }
  func.func @f36() -> vector<3x2xf32> {
    %cst = arith.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : vector<2x3xf32>
    %0 = vector.transpose %cst, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
    return %0 : vector<3x2xf32>
  }
  func.func @f37(%arg0: vector<1x4xf32>) -> vector<4x1xf32> {
    %0 = vector.transpose %arg0, [1, 0] : vector<1x4xf32> to vector<4x1xf32>
    return %0 : vector<4x1xf32>
  }
  func.func @f38(%arg0: vector<1x4xf32>) -> vector<4x3xf32> {
    %0 = vector.broadcast %arg0 : vector<1x4xf32> to vector<3x4xf32>
    %1 = vector.transpose %0, [1, 0] : vector<3x4xf32> to vector<4x3xf32>
    return %1 : vector<4x3xf32>
  }
  func.func @f39(%arg0: vector<4xf32>) -> vector<4xf32> {
    return %arg0 : vector<4xf32>
  }
}
// -----
func.func @f40(%a: vector<4xf32>) -> vector<8xi16> {
  %0 = vector.bitcast %a : vector<4xf32> to vector<4xi32>
  %1 = vector.bitcast %0 : vector<4xi32> to vector<8xi16>
  return %1 : vector<8xi16>
}
func.func @f41(%a: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.bitcast %a : vector<4xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @f42() -> (vector<4xi32>, vector<8xf16>, vector<2xf64>) {
  %c = arith.constant dense<1.0> : vector<4xf32>
  %0 = vector.bitcast %c : vector<4xf32> to vector<4xi32>
  %1 = vector.bitcast %c : vector<4xf32> to vector<8xf16>
  %2 = vector.bitcast %c : vector<4xf32> to vector<2xf64>
  return %0, %1, %2 : vector<4xi32>, vector<8xf16>, vector<2xf64>
}
func.func @f43() -> (vector<4xf32>, vector<8xf16>, vector<4xi16>) {
  %c = arith.constant dense<1065353216> : vector<4xi32>
  %d = arith.constant dense<[1,2,3,4]> : vector<4xi16>
  %0 = vector.bitcast %c : vector<4xi32> to vector<4xf32>
  %1 = vector.bitcast %c : vector<4xi32> to vector<8xf16>
  %2 = vector.bitcast %d : vector<4xi16> to vector<4xf16>
  %3 = vector.bitcast %2 : vector<4xf16> to vector<4xi16>
  return %0, %1, %3 : vector<4xf32>, vector<8xf16>, vector<4xi16>
}
func.func @f44() -> vector<4xi32> {
  %c = ub.poison : vector<4xf32>
  %0 = vector.bitcast %c : vector<4xf32> to vector<4xi32>
  return %0 : vector<4xi32>
}
func.func @f45() -> vector<8xi16> {
  %c = arith.constant dense<65537> : vector<4xi32>
  %0 = vector.bitcast %c : vector<4xi32> to vector<8xi16>
  return %0 : vector<8xi16>
}
func.func @f46(%a: vector<8xf32>) -> f32 {
  %0 = vector.shape_cast %a : vector<8xf32> to vector<2x4xf32>
  %1 = vector.extract %0[1, 2] : f32 from vector<2x4xf32>
  return %1 : f32
}
func.func @f47(%a: vector<2x4xf32>) -> vector<4xf32> {
  %0 = vector.shape_cast %a : vector<2x4xf32> to vector<2x1x4xf32>
  %1 = vector.extract %0[1, 0] : vector<4xf32> from vector<2x1x4xf32>
  return %1 : vector<4xf32>
}
func.func @f48(%a: vector<2x4xf32>) -> vector<1x4xf32> {
  %0 = vector.shape_cast %a : vector<2x4xf32> to vector<2x1x4xf32>
  %1 = vector.extract %0[1] : vector<1x4xf32> from vector<2x1x4xf32>
  return %1 : vector<1x4xf32>
}
func.func @f49(%a: vector<8xf32>) -> vector<4xf32> {
  %0 = vector.shape_cast %a : vector<8xf32> to vector<2x4xf32>
  %1 = vector.extract %0[1] : vector<4xf32> from vector<2x4xf32>
  return %1 : vector<4xf32>
}
func.func @f50(%a: vector<2x3xf32>) -> f32 {
  %0 = vector.transpose %a, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %1 = vector.extract %0[2, 1] : f32 from vector<3x2xf32>
  return %1 : f32
}
func.func @f51(%a: vector<2x3x4xf32>) -> vector<4xf32> {
  %0 = vector.transpose %a, [1, 0, 2] : vector<2x3x4xf32> to vector<3x2x4xf32>
  %1 = vector.extract %0[2, 1] : vector<4xf32> from vector<3x2x4xf32>
  return %1 : vector<4xf32>
}
func.func @f52(%a: vector<2x3x4xf32>) -> vector<2x4xf32> {
  %0 = vector.transpose %a, [1, 0, 2] : vector<2x3x4xf32> to vector<3x2x4xf32>
  %1 = vector.extract %0[2] : vector<2x4xf32> from vector<3x2x4xf32>
  return %1 : vector<2x4xf32>
}
func.func @f53(%a: vector<4x8xf32>) -> vector<8xf32> {
  %0 = vector.extract_strided_slice %a {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  %1 = vector.extract %0[1] : vector<8xf32> from vector<2x8xf32>
  return %1 : vector<8xf32>
}
func.func @f54(%a: vector<4x8xf32>) -> f32 {
  %0 = vector.extract_strided_slice %a {offsets = [1, 3], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  %1 = vector.extract %0[1, 2] : f32 from vector<2x4xf32>
  return %1 : f32
}
func.func @f55(%a: vector<4x8xf32>) -> vector<4xf32> {
  %0 = vector.extract_strided_slice %a {offsets = [1, 3], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  %1 = vector.extract %0[1] : vector<4xf32> from vector<2x4xf32>
  return %1 : vector<4xf32>
}
func.func @f56(%a: vector<2x8xf32>, %b: vector<4x8xf32>) -> vector<8xf32> {
  %0 = vector.insert_strided_slice %a, %b {offsets = [1, 0], strides = [1, 1]} : vector<2x8xf32> into vector<4x8xf32>
  %1 = vector.extract %0[2] : vector<8xf32> from vector<4x8xf32>
  return %1 : vector<8xf32>
}
func.func @f57(%a: vector<2x8xf32>, %b: vector<4x8xf32>) -> vector<8xf32> {
  %0 = vector.insert_strided_slice %a, %b {offsets = [1, 0], strides = [1, 1]} : vector<2x8xf32> into vector<4x8xf32>
  %1 = vector.extract %0[0] : vector<8xf32> from vector<4x8xf32>
  return %1 : vector<8xf32>
}
func.func @f58(%a: vector<2x4xf32>, %b: vector<4x8xf32>) -> (vector<8xf32>, f32, f32) {
  %0 = vector.insert_strided_slice %a, %b {offsets = [1, 2], strides = [1, 1]} : vector<2x4xf32> into vector<4x8xf32>
  %1 = vector.extract %0[1] : vector<8xf32> from vector<4x8xf32>
  %2 = vector.extract %0[1, 3] : f32 from vector<4x8xf32>
  %3 = vector.extract %0[1, 7] : f32 from vector<4x8xf32>
  return %1, %2, %3 : vector<8xf32>, f32, f32
}
func.func @f59(%a: f32, %b: f32, %c: f32, %d: f32) -> (f32, vector<2xf32>) {
  %0 = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>
  %1 = vector.extract %0[1, 0] : f32 from vector<2x2xf32>
  %2 = vector.extract %0[1] : vector<2xf32> from vector<2x2xf32>
  return %1, %2 : f32, vector<2xf32>
}
// =>
module {
  func.func @f40(%arg0: vector<4xf32>) -> vector<8xi16> {
    %0 = vector.bitcast %arg0 : vector<4xf32> to vector<8xi16>
    return %0 : vector<8xi16>
  }
  func.func @f41(%arg0: vector<4xf32>) -> vector<4xf32> {
    return %arg0 : vector<4xf32>
  }
  func.func @f42() -> (vector<4xi32>, vector<8xf16>, vector<2xf64>) {
    %cst = arith.constant dense<1.000000e+00> : vector<4xf32>
    %0 = vector.bitcast %cst : vector<4xf32> to vector<4xi32>
    %1 = vector.bitcast %cst : vector<4xf32> to vector<8xf16>
    %2 = vector.bitcast %cst : vector<4xf32> to vector<2xf64>
    return %0, %1, %2 : vector<4xi32>, vector<8xf16>, vector<2xf64>
  }
  func.func @f43() -> (vector<4xf32>, vector<8xf16>, vector<4xi16>) {
    %cst = arith.constant dense<1065353216> : vector<4xi32>
    %cst_0 = arith.constant dense<[1, 2, 3, 4]> : vector<4xi16>
    %0 = vector.bitcast %cst : vector<4xi32> to vector<4xf32>
    %1 = vector.bitcast %cst : vector<4xi32> to vector<8xf16>
    return %0, %1, %cst_0 : vector<4xf32>, vector<8xf16>, vector<4xi16>
  }
  func.func @f44() -> vector<4xi32> {
    %0 = ub.poison : vector<4xf32>
    %1 = vector.bitcast %0 : vector<4xf32> to vector<4xi32>
    return %1 : vector<4xi32>
  }
  func.func @f45() -> vector<8xi16> {
    %cst = arith.constant dense<65537> : vector<4xi32>
    %0 = vector.bitcast %cst : vector<4xi32> to vector<8xi16>
    return %0 : vector<8xi16>
  }
  func.func @f46(%arg0: vector<8xf32>) -> f32 {
    %0 = vector.extract %arg0[6] : f32 from vector<8xf32>
    return %0 : f32
  }
  func.func @f47(%arg0: vector<2x4xf32>) -> vector<4xf32> {
    %0 = vector.extract %arg0[1] : vector<4xf32> from vector<2x4xf32>
    return %0 : vector<4xf32>
  }
  func.func @f48(%arg0: vector<2x4xf32>) -> vector<1x4xf32> {
    %0 = vector.shape_cast %arg0 : vector<2x4xf32> to vector<2x1x4xf32>
    %1 = vector.extract %0[1] : vector<1x4xf32> from vector<2x1x4xf32>
    return %1 : vector<1x4xf32>
  }
  func.func @f49(%arg0: vector<8xf32>) -> vector<4xf32> {
    %0 = vector.shape_cast %arg0 : vector<8xf32> to vector<2x4xf32>
    %1 = vector.extract %0[1] : vector<4xf32> from vector<2x4xf32>
    return %1 : vector<4xf32>
  }
  func.func @f50(%arg0: vector<2x3xf32>) -> f32 {
    %0 = vector.extract %arg0[1, 2] : f32 from vector<2x3xf32>
    return %0 : f32
  }
  func.func @f51(%arg0: vector<2x3x4xf32>) -> vector<4xf32> {
    %0 = vector.extract %arg0[1, 2] : vector<4xf32> from vector<2x3x4xf32>
    return %0 : vector<4xf32>
  }
  func.func @f52(%arg0: vector<2x3x4xf32>) -> vector<2x4xf32> {
    %0 = vector.transpose %arg0, [1, 0, 2] : vector<2x3x4xf32> to vector<3x2x4xf32>
    %1 = vector.extract %0[2] : vector<2x4xf32> from vector<3x2x4xf32>
    return %1 : vector<2x4xf32>
  }
  func.func @f53(%arg0: vector<4x8xf32>) -> vector<8xf32> {
    %0 = vector.extract %arg0[2] : vector<8xf32> from vector<4x8xf32>
    return %0 : vector<8xf32>
  }
  func.func @f54(%arg0: vector<4x8xf32>) -> f32 {
    %0 = vector.extract %arg0[2, 5] : f32 from vector<4x8xf32>
    return %0 : f32
  }
  func.func @f55(%arg0: vector<4x8xf32>) -> vector<4xf32> {
    %0 = vector.extract_strided_slice %arg0 {offsets = [1, 3], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
    %1 = vector.extract %0[1] : vector<4xf32> from vector<2x4xf32>
    return %1 : vector<4xf32>
  }
  func.func @f56(%arg0: vector<2x8xf32>, %arg1: vector<4x8xf32>) -> vector<8xf32> {
    %0 = vector.extract %arg0[1] : vector<8xf32> from vector<2x8xf32>
    return %0 : vector<8xf32>
  }
  func.func @f57(%arg0: vector<2x8xf32>, %arg1: vector<4x8xf32>) -> vector<8xf32> {
    %0 = vector.insert_strided_slice %arg0, %arg1 {offsets = [1, 0], strides = [1, 1]} : vector<2x8xf32> into vector<4x8xf32>
    %1 = vector.extract %0[0] : vector<8xf32> from vector<4x8xf32>
    return %1 : vector<8xf32>
  }
  func.func @f58(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>) -> (vector<8xf32>, f32, f32) {
    %0 = vector.insert_strided_slice %arg0, %arg1 {offsets = [1, 2], strides = [1, 1]} : vector<2x4xf32> into vector<4x8xf32>
    %1 = vector.extract %0[1] : vector<8xf32> from vector<4x8xf32>
    %2 = vector.extract %arg0[0, 1] : f32 from vector<2x4xf32>
    %3 = vector.extract %0[1, 7] : f32 from vector<4x8xf32>
    return %1, %2, %3 : vector<8xf32>, f32, f32
  }
  func.func @f59(%arg0: f32, %arg1: f32, %arg2: f32, %arg3: f32) -> (f32, vector<2xf32>) {
    %0 = vector.from_elements %arg2, %arg3 : vector<2xf32>
    return %arg2, %0 : f32, vector<2xf32>
  }
}
// -----
func.func @f60(%a: vector<4xf32>, %b: vector<4xf32>) -> (f32, f32) {
  %0 = vector.shuffle %a, %b [0, 7, 2, 5] : vector<4xf32>, vector<4xf32>
  %1 = vector.extract %0[1] : f32 from vector<4xf32>
  %2 = vector.extract %0[2] : f32 from vector<4xf32>
  return %1, %2 : f32, f32
}
func.func @f61(%n: index) -> (vector<4xi1>, vector<4xi1>) {
  %c2 = arith.constant 2 : index
  %0 = vector.create_mask %c2, %n : vector<8x4xi1>
  %1 = vector.extract %0[1] : vector<4xi1> from vector<8x4xi1>
  %2 = vector.extract %0[2] : vector<4xi1> from vector<8x4xi1>
  return %1, %2 : vector<4xi1>, vector<4xi1>
}
func.func @f62() -> (vector<4xi1>, vector<4xi1>) {
  %0 = vector.constant_mask [2, 3] : vector<8x4xi1>
  %1 = vector.extract %0[1] : vector<4xi1> from vector<8x4xi1>
  %2 = vector.extract %0[2] : vector<4xi1> from vector<8x4xi1>
  return %1, %2 : vector<4xi1>, vector<4xi1>
}
func.func @f63(%n: index) -> vector<4xi1> {
  %0 = vector.create_mask %n, %n : vector<8x4xi1>
  %1 = vector.extract %0[1] : vector<4xi1> from vector<8x4xi1>
  return %1 : vector<4xi1>
}
func.func @f64() -> f32 {
  %p = ub.poison : vector<4xf32>
  %1 = vector.extract %p[1] : f32 from vector<4xf32>
  return %1 : f32
}
func.func @f65(%a: vector<4xf32>) -> f32 {
  %1 = vector.extract %a[-1] : f32 from vector<4xf32>
  return %1 : f32
}
func.func @f66(%a: vector<4xf32>, %f: f32, %i: index) -> (f32, f32) {
  %0 = vector.insert %f, %a[%i] : f32 into vector<4xf32>
  %1 = vector.extract %0[%i] : f32 from vector<4xf32>
  %2 = vector.extract %0[1] : f32 from vector<4xf32>
  return %1, %2 : f32, f32
}
func.func @f67(%a: vector<2x3xf32>, %f: vector<3xf32>) -> f32 {
  %0 = vector.insert %f, %a[1] : vector<3xf32> into vector<2x3xf32>
  %1 = vector.transpose %0, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %2 = vector.extract %1[2, 1] : f32 from vector<3x2xf32>
  return %2 : f32
}
func.func @f68(%a: vector<1xf32>) -> f32 {
  %0 = vector.shape_cast %a : vector<1xf32> to vector<f32>
  %2 = vector.extract %0[] : f32 from vector<f32>
  return %2 : f32
}
func.func @f69(%a: vector<f32>) -> f32 {
  %0 = vector.shape_cast %a : vector<f32> to vector<1x1xf32>
  %2 = vector.extract %0[0, 0] : f32 from vector<1x1xf32>
  return %2 : f32
}
func.func @f70(%a: vector<4x1xf32>) -> vector<1xf32> {
  %0 = vector.shape_cast %a : vector<4x1xf32> to vector<1x4xf32>
  %1 = vector.shape_cast %0 : vector<1x4xf32> to vector<4x1xf32>
  %2 = vector.extract %1[2] : vector<1xf32> from vector<4x1xf32>
  return %2 : vector<1xf32>
}
func.func @f71(%a: vector<4xf32>, %i: index) -> f32 {
  %0 = vector.broadcast %a : vector<4xf32> to vector<3x4xf32>
  %2 = vector.extract %0[%i, 2] : f32 from vector<3x4xf32>
  return %2 : f32
}
func.func @f72(%a: vector<16xf32>) -> vector<4xf32> {
  %0 = vector.shape_cast %a : vector<16xf32> to vector<4x4xf32>
  %2 = vector.extract_strided_slice %0 {offsets = [1], sizes = [1], strides = [1]} : vector<4x4xf32> to vector<1x4xf32>
  %3 = vector.extract %2[0] : vector<4xf32> from vector<1x4xf32>
  return %3 : vector<4xf32>
}
func.func @f73(%a: f32, %b: f32) -> vector<2xf32> {
  %p = ub.poison : vector<2xf32>
  %0 = vector.insert %a, %p[0] : f32 into vector<2xf32>
  %1 = vector.insert %b, %0[1] : f32 into vector<2xf32>
  return %1 : vector<2xf32>
}
func.func @f74(%a: vector<2xf32>, %b: f32, %v: vector<2x2xf32>) -> vector<2x2xf32> {
  %0 = vector.insert %a, %v[0] : vector<2xf32> into vector<2x2xf32>
  %1 = vector.insert %b, %0[1, 0] : f32 into vector<2x2xf32>
  %2 = vector.insert %b, %1[1, 1] : f32 into vector<2x2xf32>
  return %2 : vector<2x2xf32>
}
func.func @f75(%a: vector<2xf32>, %b: vector<2xf32>, %v: vector<2x2xf32>) -> vector<2x2xf32> {
  %0 = vector.insert %a, %v[0] : vector<2xf32> into vector<2x2xf32>
  %2 = vector.insert %b, %0[1] : vector<2xf32> into vector<2x2xf32>
  return %2 : vector<2x2xf32>
}
func.func @f76(%a: f32, %v: vector<1xf32>) -> vector<1xf32> {
  %0 = vector.insert %a, %v[0] : f32 into vector<1xf32>
  return %0 : vector<1xf32>
}
func.func @f77(%a: vector<4xf32>, %v: vector<1x4xf32>) -> vector<1x4xf32> {
  %0 = vector.insert %a, %v[0] : vector<4xf32> into vector<1x4xf32>
  return %0 : vector<1x4xf32>
}
func.func @f78(%f: f32) -> vector<4x4xf32> {
  %a = vector.broadcast %f : f32 to vector<4xf32>
  %v = vector.broadcast %f : f32 to vector<4x4xf32>
  %0 = vector.insert %a, %v[2] : vector<4xf32> into vector<4x4xf32>
  return %0 : vector<4x4xf32>
}
func.func @f79(%a: f32, %v: vector<2xf32>, %i: index) -> vector<2xf32> {
  %0 = vector.insert %a, %v[%i] : f32 into vector<2xf32>
  %1 = vector.insert %a, %0[%i] : f32 into vector<2xf32>
  return %1 : vector<2xf32>
}
// =>
module {
  func.func @f60(%arg0: vector<4xf32>, %arg1: vector<4xf32>) -> (f32, f32) {
    %0 = vector.extract %arg1[3] : f32 from vector<4xf32>
    %1 = vector.extract %arg0[2] : f32 from vector<4xf32>
    return %0, %1 : f32, f32
  }
  func.func @f61(%arg0: index) -> (vector<4xi1>, vector<4xi1>) {
    %cst = arith.constant dense<false> : vector<4xi1>
    %0 = vector.create_mask %arg0 : vector<4xi1>
    return %0, %cst : vector<4xi1>, vector<4xi1>
  }
  func.func @f62() -> (vector<4xi1>, vector<4xi1>) {
    %0 = vector.constant_mask [2, 3] : vector<8x4xi1>
    %1 = vector.extract %0[1] : vector<4xi1> from vector<8x4xi1>
    %2 = vector.extract %0[2] : vector<4xi1> from vector<8x4xi1>
    return %1, %2 : vector<4xi1>, vector<4xi1>
  }
  func.func @f63(%arg0: index) -> vector<4xi1> {
    %0 = vector.create_mask %arg0, %arg0 : vector<8x4xi1>
    %1 = vector.extract %0[1] : vector<4xi1> from vector<8x4xi1>
    return %1 : vector<4xi1>
  }
  func.func @f64() -> f32 {
    %0 = ub.poison : f32
    return %0 : f32
  }
  func.func @f65(%arg0: vector<4xf32>) -> f32 {
    %0 = ub.poison : f32
    return %0 : f32
  }
  func.func @f66(%arg0: vector<4xf32>, %arg1: f32, %arg2: index) -> (f32, f32) {
    %0 = vector.insert %arg1, %arg0 [%arg2] : f32 into vector<4xf32>
    %1 = vector.extract %0[%arg2] : f32 from vector<4xf32>
    %2 = vector.extract %0[1] : f32 from vector<4xf32>
    return %1, %2 : f32, f32
  }
  func.func @f67(%arg0: vector<2x3xf32>, %arg1: vector<3xf32>) -> f32 {
    %0 = vector.extract %arg1[2] : f32 from vector<3xf32>
    return %0 : f32
  }
  func.func @f68(%arg0: vector<1xf32>) -> f32 {
    %0 = vector.extract %arg0[0] : f32 from vector<1xf32>
    return %0 : f32
  }
  func.func @f69(%arg0: vector<f32>) -> f32 {
    %0 = vector.extract %arg0[] : f32 from vector<f32>
    return %0 : f32
  }
  func.func @f70(%arg0: vector<4x1xf32>) -> vector<1xf32> {
    %0 = vector.extract %arg0[2] : vector<1xf32> from vector<4x1xf32>
    return %0 : vector<1xf32>
  }
  func.func @f71(%arg0: vector<4xf32>, %arg1: index) -> f32 {
    %0 = vector.extract %arg0[2] : f32 from vector<4xf32>
    return %0 : f32
  }
  func.func @f72(%arg0: vector<16xf32>) -> vector<4xf32> {
    %0 = vector.shape_cast %arg0 : vector<16xf32> to vector<4x4xf32>
    %1 = vector.extract %0[1] : vector<4xf32> from vector<4x4xf32>
    return %1 : vector<4xf32>
  }
  func.func @f73(%arg0: f32, %arg1: f32) -> vector<2xf32> {
    %0 = vector.from_elements %arg0, %arg1 : vector<2xf32>
    return %0 : vector<2xf32>
  }
  func.func @f74(%arg0: vector<2xf32>, %arg1: f32, %arg2: vector<2x2xf32>) -> vector<2x2xf32> {
    %0:2 = vector.to_elements %arg0 : vector<2xf32>
    %1 = vector.from_elements %0#0, %0#1, %arg1, %arg1 : vector<2x2xf32>
    return %1 : vector<2x2xf32>
  }
  func.func @f75(%arg0: vector<2xf32>, %arg1: vector<2xf32>, %arg2: vector<2x2xf32>) -> vector<2x2xf32> {
    %0:2 = vector.to_elements %arg0 : vector<2xf32>
    %1:2 = vector.to_elements %arg1 : vector<2xf32>
    %2 = vector.from_elements %0#0, %0#1, %1#0, %1#1 : vector<2x2xf32>
    return %2 : vector<2x2xf32>
  }
  func.func @f76(%arg0: f32, %arg1: vector<1xf32>) -> vector<1xf32> {
    %0 = vector.broadcast %arg0 : f32 to vector<1xf32>
    return %0 : vector<1xf32>
  }
  func.func @f77(%arg0: vector<4xf32>, %arg1: vector<1x4xf32>) -> vector<1x4xf32> {
    %0 = vector.broadcast %arg0 : vector<4xf32> to vector<1x4xf32>
    return %0 : vector<1x4xf32>
  }
  func.func @f78(%arg0: f32) -> vector<4x4xf32> {
    %0 = vector.broadcast %arg0 : f32 to vector<4x4xf32>
    return %0 : vector<4x4xf32>
  }
  func.func @f79(%arg0: f32, %arg1: vector<2xf32>, %arg2: index) -> vector<2xf32> {
    %0 = vector.insert %arg0, %arg1 [%arg2] : f32 into vector<2xf32>
    return %0 : vector<2xf32>
  }
}
// -----
func.func @f80(%v: vector<2xf32>) -> vector<2xf32> {
  %p = ub.poison : f32
  %0 = vector.insert %p, %v[0] : f32 into vector<2xf32>
  return %0 : vector<2xf32>
}
func.func @f81(%f: f32, %v: vector<2xf32>) -> vector<2xf32> {
  %0 = vector.insert %f, %v[-1] : f32 into vector<2xf32>
  return %0 : vector<2xf32>
}
func.func @f82(%a: f32, %b: f32, %v: vector<3xf32>) -> vector<3xf32> {
  %0 = vector.insert %a, %v[0] : f32 into vector<3xf32>
  %1 = vector.insert %b, %0[1] : f32 into vector<3xf32>
  %2 = vector.insert %b, %1[0] : f32 into vector<3xf32>
  return %2 : vector<3xf32>
}
func.func @f83(%a: f32, %b: f32, %v: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>) {
  %0 = vector.insert %a, %v[0] : f32 into vector<2xf32>
  %1 = vector.insert %b, %0[1] : f32 into vector<2xf32>
  return %0, %1 : vector<2xf32>, vector<2xf32>
}
func.func @f84(%a: f32) -> vector<2x2xf32> {
  %0 = vector.from_elements %a, %a, %a, %a : vector<2x2xf32>
  return %0 : vector<2x2xf32>
}
func.func @f85() -> vector<2xf32> {
  %a = arith.constant 1.0 : f32
  %b = arith.constant 2.0 : f32
  %0 = vector.from_elements %a, %b : vector<2xf32>
  return %0 : vector<2xf32>
}
func.func @f86(%v: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>) {
  %e:2 = vector.to_elements %v : vector<2xf32>
  %0 = vector.from_elements %e#0, %e#1 : vector<2xf32>
  %1 = vector.from_elements %e#1, %e#0 : vector<2xf32>
  return %0, %1 : vector<2xf32>, vector<2xf32>
}
func.func @f87(%v: vector<4xf32>) -> (vector<4xf32>, vector<2x2xf32>, vector<2xf32>, vector<2xf32>) {
  %0 = vector.extract %v[0] : f32 from vector<4xf32>
  %1 = vector.extract %v[1] : f32 from vector<4xf32>
  %2 = vector.extract %v[2] : f32 from vector<4xf32>
  %3 = vector.extract %v[3] : f32 from vector<4xf32>
  %4 = vector.from_elements %0, %1, %2, %3 : vector<4xf32>
  %5 = vector.from_elements %0, %1, %2, %3 : vector<2x2xf32>
  %6 = vector.from_elements %0, %1 : vector<2xf32>
  %7 = vector.from_elements %1, %2 : vector<2xf32>
  return %4, %5, %6, %7 : vector<4xf32>, vector<2x2xf32>, vector<2xf32>, vector<2xf32>
}
func.func @f88(%v: vector<2x2xf32>) -> (vector<2xf32>, vector<2xf32>) {
  %0 = vector.extract %v[0, 0] : f32 from vector<2x2xf32>
  %1 = vector.extract %v[0, 1] : f32 from vector<2x2xf32>
  %2 = vector.extract %v[1, 0] : f32 from vector<2x2xf32>
  %3 = vector.extract %v[1, 1] : f32 from vector<2x2xf32>
  %4 = vector.from_elements %0, %1 : vector<2xf32>
  %5 = vector.from_elements %2, %3 : vector<2xf32>
  return %4, %5 : vector<2xf32>, vector<2xf32>
}
func.func @f89(%a: f32, %b: f32) -> (f32, f32) {
  %0 = vector.from_elements %a, %b : vector<2xf32>
  %e:2 = vector.to_elements %0 : vector<2xf32>
  return %e#1, %e#0 : f32, f32
}
func.func @f90(%a: f32) -> (f32, f32) {
  %0 = vector.broadcast %a : f32 to vector<2xf32>
  %e:2 = vector.to_elements %0 : vector<2xf32>
  return %e#1, %e#0 : f32, f32
}
func.func @f91(%a: vector<2xf32>) -> (f32, f32) {
  %0 = vector.broadcast %a : vector<2xf32> to vector<2x2xf32>
  %e:4 = vector.to_elements %0 : vector<2x2xf32>
  return %e#1, %e#2 : f32, f32
}
func.func @f92() -> (f32, f32) {
  %0 = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %e:2 = vector.to_elements %0 : vector<2xf32>
  return %e#1, %e#0 : f32, f32
}
func.func @f93(%v: vector<4xf32>) -> (f32, f32) {
  %0 = vector.shape_cast %v : vector<4xf32> to vector<2x2xf32>
  %e:4 = vector.to_elements %0 : vector<2x2xf32>
  return %e#1, %e#0 : f32, f32
}
func.func @f94() -> (f32, f32) {
  %0 = arith.constant dense<1.0> : vector<2xf32>
  %p = ub.poison : vector<2xf32>
  %e:2 = vector.to_elements %0 : vector<2xf32>
  %f:2 = vector.to_elements %p : vector<2xf32>
  return %e#1, %f#0 : f32, f32
}
func.func @f95(%v: vector<1x2xf32>) -> (f32, f32, f32, f32) {
  %0 = vector.broadcast %v : vector<1x2xf32> to vector<2x2xf32>
  %e:4 = vector.to_elements %0 : vector<2x2xf32>
  return %e#0, %e#1, %e#2, %e#3 : f32, f32, f32, f32
}
func.func @f96(%a: vector<4x8xf32>, %b: vector<8x16xf32>) -> vector<4x8xf32> {
  %0 = vector.insert_strided_slice %a, %b {offsets = [1, 2], strides = [1, 1]} : vector<4x8xf32> into vector<8x16xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [1, 2], sizes = [4, 8], strides = [1, 1]} : vector<8x16xf32> to vector<4x8xf32>
  return %1 : vector<4x8xf32>
}
func.func @f97(%a: vector<4x8xf32>, %b: vector<8x16xf32>) -> vector<2x3xf32> {
  %0 = vector.insert_strided_slice %a, %b {offsets = [1, 2], strides = [1, 1]} : vector<4x8xf32> into vector<8x16xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [2, 4], sizes = [2, 3], strides = [1, 1]} : vector<8x16xf32> to vector<2x3xf32>
  return %1 : vector<2x3xf32>
}
func.func @f98(%a: vector<4x8xf32>, %b: vector<8x16xf32>) -> vector<2x3xf32> {
  %0 = vector.insert_strided_slice %a, %b {offsets = [1, 2], strides = [1, 1]} : vector<4x8xf32> into vector<8x16xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [6, 4], sizes = [2, 3], strides = [1, 1]} : vector<8x16xf32> to vector<2x3xf32>
  return %1 : vector<2x3xf32>
}
func.func @f99(%a: vector<4x8xf32>) -> vector<4x8xf32> {
  %1 = vector.extract_strided_slice %a {offsets = [0, 0], sizes = [4, 8], strides = [1, 1]} : vector<4x8xf32> to vector<4x8xf32>
  return %1 : vector<4x8xf32>
}
// =>
module {
  func.func @f80(%arg0: vector<2xf32>) -> vector<2xf32> {
    %0 = ub.poison : f32
    %1 = vector.insert %0, %arg0 [0] : f32 into vector<2xf32>
    return %1 : vector<2xf32>
  }
  func.func @f81(%arg0: f32, %arg1: vector<2xf32>) -> vector<2xf32> {
    %0 = ub.poison : vector<2xf32>
    return %0 : vector<2xf32>
  }
  func.func @f82(%arg0: f32, %arg1: f32, %arg2: vector<3xf32>) -> vector<3xf32> {
    %0 = vector.insert %arg0, %arg2 [0] : f32 into vector<3xf32>
    %1 = vector.insert %arg1, %0 [1] : f32 into vector<3xf32>
    %2 = vector.insert %arg1, %1 [0] : f32 into vector<3xf32>
    return %2 : vector<3xf32>
  }
  func.func @f83(%arg0: f32, %arg1: f32, %arg2: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>) {
    %0 = vector.insert %arg0, %arg2 [0] : f32 into vector<2xf32>
    %1 = vector.insert %arg1, %0 [1] : f32 into vector<2xf32>
    return %0, %1 : vector<2xf32>, vector<2xf32>
  }
  func.func @f84(%arg0: f32) -> vector<2x2xf32> {
    %0 = vector.broadcast %arg0 : f32 to vector<2x2xf32>
    return %0 : vector<2x2xf32>
  }
  func.func @f85() -> vector<2xf32> {
    %cst = arith.constant dense<[1.000000e+00, 2.000000e+00]> : vector<2xf32>
    return %cst : vector<2xf32>
  }
  func.func @f86(%arg0: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>) {
    %0:2 = vector.to_elements %arg0 : vector<2xf32>
    %1 = vector.from_elements %0#1, %0#0 : vector<2xf32>
    return %arg0, %1 : vector<2xf32>, vector<2xf32>
  }
  func.func @f87(%arg0: vector<4xf32>) -> (vector<4xf32>, vector<2x2xf32>, vector<2xf32>, vector<2xf32>) {
    %0 = vector.extract %arg0[0] : f32 from vector<4xf32>
    %1 = vector.extract %arg0[1] : f32 from vector<4xf32>
    %2 = vector.extract %arg0[2] : f32 from vector<4xf32>
    %3 = vector.shape_cast %arg0 : vector<4xf32> to vector<2x2xf32>
    %4 = vector.from_elements %0, %1 : vector<2xf32>
    %5 = vector.from_elements %1, %2 : vector<2xf32>
    return %arg0, %3, %4, %5 : vector<4xf32>, vector<2x2xf32>, vector<2xf32>, vector<2xf32>
  }
  func.func @f88(%arg0: vector<2x2xf32>) -> (vector<2xf32>, vector<2xf32>) {
    %0 = vector.extract %arg0[0] : vector<2xf32> from vector<2x2xf32>
    %1 = vector.extract %arg0[1] : vector<2xf32> from vector<2x2xf32>
    return %0, %1 : vector<2xf32>, vector<2xf32>
  }
  func.func @f89(%arg0: f32, %arg1: f32) -> (f32, f32) {
    return %arg1, %arg0 : f32, f32
  }
  func.func @f90(%arg0: f32) -> (f32, f32) {
    return %arg0, %arg0 : f32, f32
  }
  func.func @f91(%arg0: vector<2xf32>) -> (f32, f32) {
    %0:2 = vector.to_elements %arg0 : vector<2xf32>
    return %0#1, %0#0 : f32, f32
  }
  func.func @f92() -> (f32, f32) {
    %cst = arith.constant dense<[1.000000e+00, 2.000000e+00]> : vector<2xf32>
    %0:2 = vector.to_elements %cst : vector<2xf32>
    return %0#1, %0#0 : f32, f32
  }
  func.func @f93(%arg0: vector<4xf32>) -> (f32, f32) {
    %0 = vector.shape_cast %arg0 : vector<4xf32> to vector<2x2xf32>
    %1:4 = vector.to_elements %0 : vector<2x2xf32>
    return %1#1, %1#0 : f32, f32
  }
  func.func @f94() -> (f32, f32) {
    %cst = arith.constant dense<1.000000e+00> : vector<2xf32>
    %0 = ub.poison : vector<2xf32>
    %1:2 = vector.to_elements %cst : vector<2xf32>
    %2:2 = vector.to_elements %0 : vector<2xf32>
    return %1#1, %2#0 : f32, f32
  }
  func.func @f95(%arg0: vector<1x2xf32>) -> (f32, f32, f32, f32) {
    %0:2 = vector.to_elements %arg0 : vector<1x2xf32>
    return %0#0, %0#1, %0#0, %0#1 : f32, f32, f32, f32
  }
  func.func @f96(%arg0: vector<4x8xf32>, %arg1: vector<8x16xf32>) -> vector<4x8xf32> {
    return %arg0 : vector<4x8xf32>
  }
  func.func @f97(%arg0: vector<4x8xf32>, %arg1: vector<8x16xf32>) -> vector<2x3xf32> {
    %0 = vector.extract_strided_slice %arg0 {offsets = [1, 2], sizes = [2, 3], strides = [1, 1]} : vector<4x8xf32> to vector<2x3xf32>
    return %0 : vector<2x3xf32>
  }
  func.func @f98(%arg0: vector<4x8xf32>, %arg1: vector<8x16xf32>) -> vector<2x3xf32> {
    %0 = vector.insert_strided_slice %arg0, %arg1 {offsets = [1, 2], strides = [1, 1]} : vector<4x8xf32> into vector<8x16xf32>
    %1 = vector.extract_strided_slice %0 {offsets = [6, 4], sizes = [2, 3], strides = [1, 1]} : vector<8x16xf32> to vector<2x3xf32>
    return %1 : vector<2x3xf32>
  }
  func.func @f99(%arg0: vector<4x8xf32>) -> vector<4x8xf32> {
    return %arg0 : vector<4x8xf32>
  }
}
// -----
func.func @f100() -> (vector<2x8xi1>, vector<2x8xi1>) {
  %0 = vector.constant_mask [3, 4] : vector<4x8xi1>
  %1 = vector.extract_strided_slice %0 {offsets = [2], sizes = [2], strides = [1]} : vector<4x8xi1> to vector<2x8xi1>
  %2 = vector.extract_strided_slice %0 {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xi1> to vector<2x8xi1>
  return %1, %2 : vector<2x8xi1>, vector<2x8xi1>
}
func.func @f101() -> (vector<2x3xi1>) {
  %0 = vector.constant_mask [3, 4] : vector<4x8xi1>
  %1 = vector.extract_strided_slice %0 {offsets = [2, 5], sizes = [2, 3], strides = [1, 1]} : vector<4x8xi1> to vector<2x3xi1>
  return %1 : vector<2x3xi1>
}
func.func @f102(%n: index, %m: index) -> (vector<2x3xi1>) {
  %0 = vector.create_mask %n, %m : vector<4x8xi1>
  %1 = vector.extract_strided_slice %0 {offsets = [2, 5], sizes = [2, 3], strides = [1, 1]} : vector<4x8xi1> to vector<2x3xi1>
  return %1 : vector<2x3xi1>
}
func.func @f103(%f: f32) -> vector<2x4xf32> {
  %0 = vector.broadcast %f : f32 to vector<4x4xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [2], sizes = [2], strides = [1]} : vector<4x4xf32> to vector<2x4xf32>
  return %1 : vector<2x4xf32>
}
func.func @f104(%f: vector<4xf32>) -> (vector<2x4xf32>, vector<2x2xf32>) {
  %0 = vector.broadcast %f : vector<4xf32> to vector<4x4xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [2], sizes = [2], strides = [1]} : vector<4x4xf32> to vector<2x4xf32>
  %2 = vector.extract_strided_slice %0 {offsets = [2, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  return %1, %2 : vector<2x4xf32>, vector<2x2xf32>
}
func.func @f105(%f: vector<1x4xf32>) -> (vector<2x4xf32>, vector<2x2xf32>) {
  %0 = vector.broadcast %f : vector<1x4xf32> to vector<4x4xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [2], sizes = [2], strides = [1]} : vector<4x4xf32> to vector<2x4xf32>
  %2 = vector.extract_strided_slice %0 {offsets = [2, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  return %1, %2 : vector<2x4xf32>, vector<2x2xf32>
}
func.func @f106() -> (vector<2x2xi32>, vector<2xi32>, vector<2x2xf32>) {
  %0 = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : vector<3x3xi32>
  %1 = vector.extract_strided_slice %0 {offsets = [1, 0], sizes = [2, 2], strides = [1, 1]} : vector<3x3xi32> to vector<2x2xi32>
  %2 = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %3 = vector.extract_strided_slice %2 {offsets = [1], sizes = [2], strides = [1]} : vector<4xi32> to vector<2xi32>
  %c = arith.constant dense<1.0> : vector<4x4xf32>
  %4 = vector.extract_strided_slice %c {offsets = [1, 0], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  return %1, %3, %4 : vector<2x2xi32>, vector<2xi32>, vector<2x2xf32>
}
func.func @f107(%a: vector<4x8xf32>) -> (vector<1x8xf32>, vector<1x1xf32>, vector<1x4xf32>) {
  %1 = vector.extract_strided_slice %a {offsets = [2], sizes = [1], strides = [1]} : vector<4x8xf32> to vector<1x8xf32>
  %2 = vector.extract_strided_slice %a {offsets = [2, 3], sizes = [1, 1], strides = [1, 1]} : vector<4x8xf32> to vector<1x1xf32>
  %3 = vector.extract_strided_slice %a {offsets = [2, 3], sizes = [1, 4], strides = [1, 1]} : vector<4x8xf32> to vector<1x4xf32>
  return %1, %2, %3 : vector<1x8xf32>, vector<1x1xf32>, vector<1x4xf32>
}
func.func @f108(%a: vector<8x8xf32>) -> vector<2x8xf32> {
  %1 = vector.extract_strided_slice %a {offsets = [2], sizes = [4], strides = [1]} : vector<8x8xf32> to vector<4x8xf32>
  %2 = vector.extract_strided_slice %1 {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  return %2 : vector<2x8xf32>
}
func.func @f109() -> vector<2x8xf32> {
  %a = ub.poison : vector<8x8xf32>
  %1 = vector.extract_strided_slice %a {offsets = [2], sizes = [2], strides = [1]} : vector<8x8xf32> to vector<2x8xf32>
  return %1 : vector<2x8xf32>
}
func.func @f110(%f: f32) -> vector<4x4xf32> {
  %a = vector.broadcast %f : f32 to vector<2x2xf32>
  %v = vector.broadcast %f : f32 to vector<4x4xf32>
  %0 = vector.insert_strided_slice %a, %v {offsets = [1, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  return %0 : vector<4x4xf32>
}
func.func @f111() -> vector<4x4xf32> {
  %a = arith.constant dense<0.0> : vector<2x2xf32>
  %v = arith.constant dense<0.0> : vector<4x4xf32>
  %0 = vector.insert_strided_slice %a, %v {offsets = [1, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  return %0 : vector<4x4xf32>
}
func.func @f112() -> vector<3x3xi32> {
  %a = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %v = arith.constant dense<0> : vector<3x3xi32>
  %0 = vector.insert_strided_slice %a, %v {offsets = [1, 0], strides = [1, 1]} : vector<2x2xi32> into vector<3x3xi32>
  return %0 : vector<3x3xi32>
}
func.func @f113(%v: vector<8x16xf32>) -> vector<8x16xf32> {
  %0 = vector.extract_strided_slice %v {offsets = [1, 2], sizes = [4, 8], strides = [1, 1]} : vector<8x16xf32> to vector<4x8xf32>
  %1 = vector.insert_strided_slice %0, %v {offsets = [1, 2], strides = [1, 1]} : vector<4x8xf32> into vector<8x16xf32>
  return %1 : vector<8x16xf32>
}
func.func @f114(%a: vector<4x4xf32>, %v: vector<4x4xf32>) -> vector<4x4xf32> {
  %1 = vector.insert_strided_slice %a, %v {offsets = [0, 0], strides = [1, 1]} : vector<4x4xf32> into vector<4x4xf32>
  return %1 : vector<4x4xf32>
}
func.func @f115(%a: vector<2x4xf32>, %b: vector<2x4xf32>, %v: vector<4x4xf32>) -> vector<4x4xf32> {
  %1 = vector.insert_strided_slice %a, %v {offsets = [0, 0], strides = [1, 1]} : vector<2x4xf32> into vector<4x4xf32>
  %2 = vector.insert_strided_slice %b, %1 {offsets = [0, 0], strides = [1, 1]} : vector<2x4xf32> into vector<4x4xf32>
  return %2 : vector<4x4xf32>
}
func.func @f116(%a: vector<4xf32>, %b: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<3xf32>) {
  %0 = vector.shuffle %a, %b [0, 1, 2, 3] : vector<4xf32>, vector<4xf32>
  %1 = vector.shuffle %a, %b [4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
  %2 = vector.shuffle %a, %b [0, 1, 2] : vector<4xf32>, vector<4xf32>
  return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<3xf32>
}
func.func @f117() -> (vector<4xf32>) {
  %a = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %b = arith.constant dense<[3.0, 4.0]> : vector<2xf32>
  %0 = vector.shuffle %a, %b [3, 0, 1, 2] : vector<2xf32>, vector<2xf32>
  return %0 : vector<4xf32>
}
func.func @f118(%f: f32) -> (vector<4xf32>) {
  %a = vector.broadcast %f : f32 to vector<2xf32>
  %0 = vector.shuffle %a, %a [3, 0, 1, 2] : vector<2xf32>, vector<2xf32>
  return %0 : vector<4xf32>
}
func.func @f119(%f: f32) -> (vector<4xf32>) {
  %a = vector.broadcast %f : f32 to vector<2xf32>
  %b = vector.broadcast %f : f32 to vector<2xf32>
  %0 = vector.shuffle %a, %b [3, 0, 1, 2] : vector<2xf32>, vector<2xf32>
  return %0 : vector<4xf32>
}
// =>
module {
  func.func @f100() -> (vector<2x8xi1>, vector<2x8xi1>) {
    %0 = vector.constant_mask [1, 4] : vector<2x8xi1>
    %1 = vector.constant_mask [2, 4] : vector<2x8xi1>
    return %0, %1 : vector<2x8xi1>, vector<2x8xi1>
  }
  func.func @f101() -> vector<2x3xi1> {
    %cst = arith.constant dense<false> : vector<2x3xi1>
    return %cst : vector<2x3xi1>
  }
  func.func @f102(%arg0: index, %arg1: index) -> vector<2x3xi1> {
    %c5 = arith.constant 5 : index
    %c2 = arith.constant 2 : index
    %0 = arith.subi %arg0, %c2 : index
    %1 = arith.subi %arg1, %c5 : index
    %2 = vector.create_mask %0, %1 : vector<2x3xi1>
    return %2 : vector<2x3xi1>
  }
  func.func @f103(%arg0: f32) -> vector<2x4xf32> {
    %0 = vector.broadcast %arg0 : f32 to vector<2x4xf32>
    return %0 : vector<2x4xf32>
  }
  func.func @f104(%arg0: vector<4xf32>) -> (vector<2x4xf32>, vector<2x2xf32>) {
    %0 = vector.broadcast %arg0 : vector<4xf32> to vector<2x4xf32>
    %1 = vector.extract_strided_slice %arg0 {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
    %2 = vector.broadcast %1 : vector<2xf32> to vector<2x2xf32>
    return %0, %2 : vector<2x4xf32>, vector<2x2xf32>
  }
  func.func @f105(%arg0: vector<1x4xf32>) -> (vector<2x4xf32>, vector<2x2xf32>) {
    %0 = vector.broadcast %arg0 : vector<1x4xf32> to vector<2x4xf32>
    %1 = vector.extract_strided_slice %arg0 {offsets = [0, 1], sizes = [1, 2], strides = [1, 1]} : vector<1x4xf32> to vector<1x2xf32>
    %2 = vector.broadcast %1 : vector<1x2xf32> to vector<2x2xf32>
    return %0, %2 : vector<2x4xf32>, vector<2x2xf32>
  }
  func.func @f106() -> (vector<2x2xi32>, vector<2xi32>, vector<2x2xf32>) {
    %cst = arith.constant dense<[[4, 5], [7, 8]]> : vector<2x2xi32>
    %cst_0 = arith.constant dense<[2, 3]> : vector<2xi32>
    %cst_1 = arith.constant dense<1.000000e+00> : vector<2x2xf32>
    return %cst, %cst_0, %cst_1 : vector<2x2xi32>, vector<2xi32>, vector<2x2xf32>
  }
  func.func @f107(%arg0: vector<4x8xf32>) -> (vector<1x8xf32>, vector<1x1xf32>, vector<1x4xf32>) {
    %0 = vector.extract %arg0[2] : vector<8xf32> from vector<4x8xf32>
    %1 = vector.shape_cast %0 : vector<8xf32> to vector<1x8xf32>
    %2 = vector.extract_strided_slice %arg0 {offsets = [2, 3], sizes = [1, 1], strides = [1, 1]} : vector<4x8xf32> to vector<1x1xf32>
    %3 = vector.extract_strided_slice %arg0 {offsets = [2, 3], sizes = [1, 4], strides = [1, 1]} : vector<4x8xf32> to vector<1x4xf32>
    return %1, %2, %3 : vector<1x8xf32>, vector<1x1xf32>, vector<1x4xf32>
  }
  func.func @f108(%arg0: vector<8x8xf32>) -> vector<2x8xf32> {
    %0 = vector.extract_strided_slice %arg0 {offsets = [2], sizes = [4], strides = [1]} : vector<8x8xf32> to vector<4x8xf32>
    %1 = vector.extract_strided_slice %0 {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
    return %1 : vector<2x8xf32>
  }
  func.func @f109() -> vector<2x8xf32> {
    %0 = ub.poison : vector<8x8xf32>
    %1 = vector.extract_strided_slice %0 {offsets = [2], sizes = [2], strides = [1]} : vector<8x8xf32> to vector<2x8xf32>
    return %1 : vector<2x8xf32>
  }
  func.func @f110(%arg0: f32) -> vector<4x4xf32> {
    %0 = vector.broadcast %arg0 : f32 to vector<4x4xf32>
    return %0 : vector<4x4xf32>
  }
  func.func @f111() -> vector<4x4xf32> {
    %cst = arith.constant dense<0.000000e+00> : vector<4x4xf32>
    return %cst : vector<4x4xf32>
  }
  func.func @f112() -> vector<3x3xi32> {
    %cst = arith.constant dense<[[0, 0, 0], [1, 2, 0], [3, 4, 0]]> : vector<3x3xi32>
    return %cst : vector<3x3xi32>
  }
  func.func @f113(%arg0: vector<8x16xf32>) -> vector<8x16xf32> {
    return %arg0 : vector<8x16xf32>
  }
  func.func @f114(%arg0: vector<4x4xf32>, %arg1: vector<4x4xf32>) -> vector<4x4xf32> {
    return %arg0 : vector<4x4xf32>
  }
  func.func @f115(%arg0: vector<2x4xf32>, %arg1: vector<2x4xf32>, %arg2: vector<4x4xf32>) -> vector<4x4xf32> {
    %0 = vector.insert_strided_slice %arg0, %arg2 {offsets = [0, 0], strides = [1, 1]} : vector<2x4xf32> into vector<4x4xf32>
    %1 = vector.insert_strided_slice %arg1, %0 {offsets = [0, 0], strides = [1, 1]} : vector<2x4xf32> into vector<4x4xf32>
    return %1 : vector<4x4xf32>
  }
  func.func @f116(%arg0: vector<4xf32>, %arg1: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<3xf32>) {
    %0 = vector.shuffle %arg0, %arg1 [0, 1, 2] : vector<4xf32>, vector<4xf32>
    return %arg0, %arg1, %0 : vector<4xf32>, vector<4xf32>, vector<3xf32>
  }
  func.func @f117() -> vector<4xf32> {
    %cst = arith.constant dense<[4.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : vector<4xf32>
    return %cst : vector<4xf32>
  }
  func.func @f118(%arg0: f32) -> vector<4xf32> {
    %0 = vector.broadcast %arg0 : f32 to vector<4xf32>
    return %0 : vector<4xf32>
  }
  func.func @f119(%arg0: f32) -> vector<4xf32> {
    %0 = vector.broadcast %arg0 : f32 to vector<4xf32>
    return %0 : vector<4xf32>
  }
}
// -----
func.func @f120(%a: vector<2xf32>, %b: vector<2xf32>) -> (vector<4xf32>) {
  %0 = vector.shuffle %a, %b [0, 2, 1, 3] : vector<2xf32>, vector<2xf32>
  return %0 : vector<4xf32>
}
func.func @f121(%a: vector<f32>, %b: vector<f32>) -> (vector<3xf32>, vector<1xf32>, vector<1xf32>) {
  %0 = vector.shuffle %a, %b [0, 1, 0] : vector<f32>, vector<f32>
  %1 = vector.shuffle %a, %b [0] : vector<f32>, vector<f32>
  %2 = vector.shuffle %a, %b [1] : vector<f32>, vector<f32>
  return %0, %1, %2 : vector<3xf32>, vector<1xf32>, vector<1xf32>
}
func.func @f122(%a: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>, vector<3xf32>) {
  %p = ub.poison : vector<2xf32>
  %0 = vector.shuffle %a, %p [1, 2] : vector<2xf32>, vector<2xf32>
  %1 = vector.shuffle %p, %p [1, 2] : vector<2xf32>, vector<2xf32>
  %2 = vector.shuffle %a, %a [-1, -1, -1] : vector<2xf32>, vector<2xf32>
  return %0, %1, %2 : vector<2xf32>, vector<2xf32>, vector<3xf32>
}
func.func @f123(%a: vector<2x3xf32>, %b: vector<2x3xf32>) -> (vector<2x3xf32>, vector<4x3xf32>) {
  %0 = vector.shuffle %a, %b [2, 3] : vector<2x3xf32>, vector<2x3xf32>
  %1 = vector.shuffle %a, %b [0, 2, 1, 3] : vector<2x3xf32>, vector<2x3xf32>
  return %0, %1 : vector<2x3xf32>, vector<4x3xf32>
}
func.func @f124() -> (vector<3xi32>) {
  %a = arith.constant dense<[1, 2]> : vector<2xi32>
  %p = ub.poison : vector<2xi32>
  %0 = vector.shuffle %a, %p [1, 0, 1] : vector<2xi32>, vector<2xi32>
  return %0 : vector<3xi32>
}
func.func @f125() -> (vector<3xi32>) {
  %a = arith.constant dense<[1, 2]> : vector<2xi32>
  %b = arith.constant dense<7> : vector<2xi32>
  %0 = vector.shuffle %a, %b [1, -1, 2] : vector<2xi32>, vector<2xi32>
  return %0 : vector<3xi32>
}
func.func @f126(%a: vector<1xf32>, %f: f32) -> (f32, f32) {
  %0 = vector.reduction <add>, %a : vector<1xf32> into f32
  %1 = vector.reduction <mul>, %a, %f fastmath<fast> : vector<1xf32> into f32
  return %0, %1 : f32, f32
}
func.func @f127(%a: vector<1xi32>, %f: i32, %m: vector<1xi1>) -> (i32, i32, i32) {
  %0 = vector.reduction <add>, %a, %f : vector<1xi32> into i32
  %1 = vector.reduction <maxui>, %a, %f : vector<1xi32> into i32
  %2 = vector.mask %m { vector.reduction <add>, %a, %f : vector<1xi32> into i32 } : vector<1xi1> -> i32
  return %0, %1, %2 : i32, i32, i32
}
func.func @f128(%a: vector<1x4x1xf32>, %acc: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.multi_reduction <add>, %a, %acc [0, 2] : vector<1x4x1xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @f129(%a: vector<1x1xf32>, %acc: f32) -> f32 {
  %0 = vector.multi_reduction <mul>, %a, %acc [0, 1] : vector<1x1xf32> to f32
  return %0 : f32
}
func.func @f130() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %s = vector.step : vector<4xindex>
  %c = arith.constant dense<4> : vector<4xindex>
  %d = arith.constant dense<3> : vector<4xindex>
  %0 = arith.cmpi uge, %s, %c : vector<4xindex>
  %1 = arith.cmpi ule, %s, %d : vector<4xindex>
  %2 = arith.cmpi eq, %s, %c : vector<4xindex>
  %3 = arith.cmpi ne, %s, %c : vector<4xindex>
  return %0, %1, %2, %3 : vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>
}
func.func @f131() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %s = vector.step : vector<4xindex>
  %c = arith.constant dense<4> : vector<4xindex>
  %z = arith.constant dense<0> : vector<4xindex>
  %0 = arith.cmpi ugt, %c, %s : vector<4xindex>
  %1 = arith.cmpi uge, %s, %z : vector<4xindex>
  %2 = arith.cmpi slt, %s, %c : vector<4xindex>
  %3 = arith.cmpi ult, %s, %z : vector<4xindex>
  return %0, %1, %2, %3 : vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>
}
func.func @f132(%v: vector<4xf32>, %m: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>) {
  %0 = vector.mask %m { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %1 = vector.mask %m, %v { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}
func.func @f133(%v: vector<4xf32>) -> f32 {
  %m = vector.constant_mask [4] : vector<4xi1>
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return %0 : f32
}
func.func @f134(%v: vector<4xf32>, %t: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %m = vector.constant_mask [4] : vector<4xi1>
  vector.mask %m { vector.transfer_write %v, %t[%c0] : vector<4xf32>, memref<4xf32> } : vector<4xi1>
  return
}
func.func @f135(%m: vector<4xi1>) {
  vector.mask %m { } : vector<4xi1>
  return
}
func.func @f136(%n: index) -> (vector<1xi1>, vector<4xi1>, vector<4xi1>, vector<[4]xi1>) {
  %c = arith.constant -3 : index
  %d = arith.constant 30 : index
  %0 = vector.create_mask %n : vector<1xi1>
  %1 = vector.create_mask %c : vector<4xi1>
  %2 = vector.create_mask %d : vector<4xi1>
  %3 = vector.create_mask %d : vector<[4]xi1>
  return %0, %1, %2, %3 : vector<1xi1>, vector<4xi1>, vector<4xi1>, vector<[4]xi1>
}
func.func @f137(%n: index) -> (vector<[4]xi1>, vector<[4]xi1>, vector<2x[4]xi1>, vector<2x[4]xi1>) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %vs = vector.vscale
  %k = arith.muli %vs, %c4 : index
  %0 = vector.create_mask %k : vector<[4]xi1>
  %1 = vector.create_mask %c0 : vector<[4]xi1>
  %2 = vector.create_mask %c1, %k : vector<2x[4]xi1>
  %3 = vector.create_mask %c1, %c1 : vector<2x[4]xi1>
  return %0, %1, %2, %3 : vector<[4]xi1>, vector<[4]xi1>, vector<2x[4]xi1>, vector<2x[4]xi1>
}
func.func @f138(%b: memref<16xf32>, %p: vector<4xf32>, %i: index) -> (vector<4xf32>, vector<4xf32>) {
  %m = vector.constant_mask [4] : vector<4xi1>
  %n = vector.constant_mask [0] : vector<4xi1>
  %0 = vector.maskedload %b[%i], %m, %p : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.maskedload %b[%i], %n, %p : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}
func.func @f139(%b: memref<16xf32>, %p: vector<4xf32>, %i: index) {
  %m = vector.constant_mask [4] : vector<4xi1>
  %n = vector.constant_mask [0] : vector<4xi1>
  vector.maskedstore %b[%i], %m, %p : memref<16xf32>, vector<4xi1>, vector<4xf32>
  vector.maskedstore %b[%i], %n, %p : memref<16xf32>, vector<4xi1>, vector<4xf32>
  return
}
// =>
module {
  func.func @f120(%arg0: vector<2xf32>, %arg1: vector<2xf32>) -> vector<4xf32> {
    %0 = vector.interleave %arg0, %arg1 : vector<2xf32> -> vector<4xf32>
    return %0 : vector<4xf32>
  }
  func.func @f121(%arg0: vector<f32>, %arg1: vector<f32>) -> (vector<3xf32>, vector<1xf32>, vector<1xf32>) {
    %0 = vector.shuffle %arg0, %arg1 [0, 1, 0] : vector<f32>, vector<f32>
    %1 = vector.broadcast %arg0 : vector<f32> to vector<1xf32>
    %2 = vector.broadcast %arg1 : vector<f32> to vector<1xf32>
    return %0, %1, %2 : vector<3xf32>, vector<1xf32>, vector<1xf32>
  }
  func.func @f122(%arg0: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>, vector<3xf32>) {
    %0 = ub.poison : vector<2xf32>
    %1 = vector.shuffle %arg0, %0 [1, 2] : vector<2xf32>, vector<2xf32>
    %2 = vector.shuffle %arg0, %arg0 [-1, -1, -1] : vector<2xf32>, vector<2xf32>
    return %1, %0, %2 : vector<2xf32>, vector<2xf32>, vector<3xf32>
  }
  func.func @f123(%arg0: vector<2x3xf32>, %arg1: vector<2x3xf32>) -> (vector<2x3xf32>, vector<4x3xf32>) {
    %0 = vector.shuffle %arg0, %arg1 [0, 2, 1, 3] : vector<2x3xf32>, vector<2x3xf32>
    return %arg1, %0 : vector<2x3xf32>, vector<4x3xf32>
  }
  func.func @f124() -> vector<3xi32> {
    %cst = arith.constant dense<[2, 1, 2]> : vector<3xi32>
    return %cst : vector<3xi32>
  }
  func.func @f125() -> vector<3xi32> {
    %cst = arith.constant dense<[2, 1, 7]> : vector<3xi32>
    return %cst : vector<3xi32>
  }
  func.func @f126(%arg0: vector<1xf32>, %arg1: f32) -> (f32, f32) {
    %0 = vector.extract %arg0[0] : f32 from vector<1xf32>
    %1 = vector.extract %arg0[0] : f32 from vector<1xf32>
    %2 = arith.mulf %1, %arg1 fastmath<fast> : f32
    return %0, %2 : f32, f32
  }
  func.func @f127(%arg0: vector<1xi32>, %arg1: i32, %arg2: vector<1xi1>) -> (i32, i32, i32) {
    %0 = vector.extract %arg0[0] : i32 from vector<1xi32>
    %1 = arith.addi %0, %arg1 : i32
    %2 = vector.extract %arg0[0] : i32 from vector<1xi32>
    %3 = arith.maxui %2, %arg1 : i32
    %4 = vector.extract %arg2[0] : i1 from vector<1xi1>
    %5 = vector.extract %arg0[0] : i32 from vector<1xi32>
    %6 = arith.addi %5, %arg1 : i32
    %7 = arith.select %4, %6, %arg1 : i32
    return %1, %3, %7 : i32, i32, i32
  }
  func.func @f128(%arg0: vector<1x4x1xf32>, %arg1: vector<4xf32>) -> vector<4xf32> {
    %0 = vector.shape_cast %arg0 : vector<1x4x1xf32> to vector<4xf32>
    %1 = arith.addf %arg1, %0 : vector<4xf32>
    return %1 : vector<4xf32>
  }
  func.func @f129(%arg0: vector<1x1xf32>, %arg1: f32) -> f32 {
    %0 = vector.extract %arg0[0, 0] : f32 from vector<1x1xf32>
    %1 = arith.mulf %arg1, %0 : f32
    return %1 : f32
  }
  func.func @f130() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>) {
    %cst = arith.constant dense<false> : vector<4xi1>
    %cst_0 = arith.constant dense<true> : vector<4xi1>
    return %cst, %cst_0, %cst, %cst_0 : vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>
  }
  func.func @f131() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>) {
    %cst = arith.constant dense<true> : vector<4xi1>
    %cst_0 = arith.constant dense<0> : vector<4xindex>
    %cst_1 = arith.constant dense<4> : vector<4xindex>
    %0 = vector.step : vector<4xindex>
    %1 = arith.cmpi uge, %0, %cst_0 : vector<4xindex>
    %2 = arith.cmpi slt, %0, %cst_1 : vector<4xindex>
    %3 = arith.cmpi ult, %0, %cst_0 : vector<4xindex>
    return %cst, %1, %2, %3 : vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>
  }
  func.func @f132(%arg0: vector<4xf32>, %arg1: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>) {
    return %arg0, %arg0 : vector<4xf32>, vector<4xf32>
  }
  func.func @f133(%arg0: vector<4xf32>) -> f32 {
    %0 = vector.reduction <add>, %arg0 : vector<4xf32> into f32
    return %0 : f32
  }
  func.func @f134(%arg0: vector<4xf32>, %arg1: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    vector.transfer_write %arg0, %arg1[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
    return
  }
  func.func @f135(%arg0: vector<4xi1>) {
    return
  }
  func.func @f136(%arg0: index) -> (vector<1xi1>, vector<4xi1>, vector<4xi1>, vector<[4]xi1>) {
    %cst = arith.constant dense<true> : vector<4xi1>
    %cst_0 = arith.constant dense<false> : vector<4xi1>
    %c30 = arith.constant 30 : index
    %0 = vector.create_mask %arg0 : vector<1xi1>
    %1 = vector.create_mask %c30 : vector<[4]xi1>
    return %0, %cst_0, %cst, %1 : vector<1xi1>, vector<4xi1>, vector<4xi1>, vector<[4]xi1>
  }
  func.func @f137(%arg0: index) -> (vector<[4]xi1>, vector<[4]xi1>, vector<2x[4]xi1>, vector<2x[4]xi1>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant dense<true> : vector<[4]xi1>
    %0 = vector.create_mask %c0 : vector<[4]xi1>
    %1 = vector.constant_mask [1, 4] : vector<2x[4]xi1>
    %2 = vector.create_mask %c1, %c1 : vector<2x[4]xi1>
    return %cst, %0, %1, %2 : vector<[4]xi1>, vector<[4]xi1>, vector<2x[4]xi1>, vector<2x[4]xi1>
  }
  func.func @f138(%arg0: memref<16xf32>, %arg1: vector<4xf32>, %arg2: index) -> (vector<4xf32>, vector<4xf32>) {
    %0 = vector.load %arg0[%arg2] : memref<16xf32>, vector<4xf32>
    return %0, %arg1 : vector<4xf32>, vector<4xf32>
  }
  func.func @f139(%arg0: memref<16xf32>, %arg1: vector<4xf32>, %arg2: index) {
    vector.store %arg1, %arg0[%arg2] : memref<16xf32>, vector<4xf32>
    return
  }
}
// -----
func.func @f140(%b: memref<16xf32>, %x: vector<4xindex>, %p: vector<4xf32>, %i: index) -> (vector<4xf32>, vector<4xf32>) {
  %m = vector.constant_mask [4] : vector<4xi1>
  %n = vector.constant_mask [0] : vector<4xi1>
  %0 = vector.gather %b[%i][%x], %m, %p : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.gather %b[%i][%x], %n, %p : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}
func.func @f141(%b: memref<16xf32>, %p: vector<4xf32>, %i: index, %m: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>) {
  %x = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
  %s = vector.step : vector<4xindex>
  %0 = vector.gather %b[%i][%x], %m, %p : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.gather %b[%i][%s], %m, %p : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}
func.func @f142(%b: memref<16xf32>, %p: vector<4xf32>, %i: index, %m: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>) {
  %x = arith.constant dense<[1, 2, 3, 4]> : vector<4xindex>
  %y = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %0 = vector.gather %b[%i][%x], %m, %p : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.gather %b[%i][%y], %m, %p : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}
func.func @f143(%b: tensor<16xf32>, %p: vector<4xf32>, %i: index, %m: vector<4xi1>) -> (vector<4xf32>) {
  %x = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
  %0 = vector.gather %b[%i][%x], %m, %p : tensor<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @f144(%b: memref<16xf32>, %p: vector<2x2xf32>, %i: index, %m: vector<2x2xi1>) -> (vector<2x2xf32>) {
  %x = arith.constant dense<[[0, 1], [2, 3]]> : vector<2x2xindex>
  %0 = vector.gather %b[%i][%x], %m, %p : memref<16xf32>, vector<2x2xindex>, vector<2x2xi1>, vector<2x2xf32> into vector<2x2xf32>
  return %0 : vector<2x2xf32>
}
func.func @f145(%b: memref<16xf32, strided<[2]>>, %p: vector<4xf32>, %i: index, %m: vector<4xi1>) -> (vector<4xf32>) {
  %x = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
  %0 = vector.gather %b[%i][%x], %m, %p : memref<16xf32, strided<[2]>>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @f146(%b: memref<16xf32>, %x: vector<4xindex>, %p: vector<4xf32>, %i: index) {
  %m = vector.constant_mask [4] : vector<4xi1>
  %n = vector.constant_mask [0] : vector<4xi1>
  vector.scatter %b[%i][%x], %m, %p : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  vector.scatter %b[%i][%x], %n, %p : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  return
}
func.func @f147(%b: memref<16xf32>, %p: vector<4xf32>, %i: index, %m: vector<4xi1>) {
  %x = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
  vector.scatter %b[%i][%x], %m, %p : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  return
}
func.func @f148(%b: memref<16xf32>, %p: vector<4xf32>, %i: index) -> (vector<4xf32>, vector<4xf32>) {
  %m = vector.constant_mask [4] : vector<4xi1>
  %n = vector.constant_mask [0] : vector<4xi1>
  %0 = vector.expandload %b[%i], %m, %p : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.expandload %b[%i], %n, %p : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}
func.func @f149(%b: memref<16xf32>, %p: vector<4xf32>, %i: index) {
  %m = vector.constant_mask [4] : vector<4xi1>
  %n = vector.constant_mask [0] : vector<4xi1>
  vector.compressstore %b[%i], %m, %p : memref<16xf32>, vector<4xi1>, vector<4xf32>
  vector.compressstore %b[%i], %n, %p : memref<16xf32>, vector<4xi1>, vector<4xf32>
  return
}
func.func @f150(%b: memref<16xf32>, %p: vector<4xf32>, %i: index) -> (vector<4xf32>) {
  %m = arith.constant dense<[true, true, false, false]> : vector<4xi1>
  %0 = vector.maskedload %b[%i], %m, %p : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @f151(%b: memref<?xf32>, %p: vector<4xf32>, %i: index) -> (vector<4xf32>) {
  %m = arith.constant dense<true> : vector<4xi1>
  %d = memref.cast %b : memref<?xf32> to memref<16xf32>
  %0 = vector.maskedload %d[%i], %m, %p : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}
func.func @f152(%t: tensor<16xf32>, %i: index, %f: f32) -> (vector<4xf32>, vector<4xf32>) {
  %m = vector.constant_mask [4] : vector<4xi1>
  %n = vector.constant_mask [0] : vector<4xi1>
  %0 = vector.transfer_read %t[%i], %f, %m : tensor<16xf32>, vector<4xf32>
  %1 = vector.transfer_read %t[%i], %f, %n : tensor<16xf32>, vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}
func.func @f153(%t: tensor<16xf32>, %i: index, %v: vector<4xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %m = vector.constant_mask [4] : vector<4xi1>
  %n = vector.constant_mask [0] : vector<4xi1>
  %0 = vector.transfer_write %v, %t[%i], %m : vector<4xf32>, tensor<16xf32>
  %1 = vector.transfer_write %v, %t[%i], %n : vector<4xf32>, tensor<16xf32>
  return %0, %1 : tensor<16xf32>, tensor<16xf32>
}
func.func @f154(%t: tensor<4x4xf32>, %v: vector<4x2xf32>, %f: f32) -> vector<4x2x6xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<4x2xf32>, tensor<4x4xf32>
  %1 = vector.transfer_read %0[%c0, %c0], %f {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d0, d1, 0)>} : tensor<4x4xf32>, vector<4x2x6xf32>
  return %1 : vector<4x2x6xf32>
}
func.func @f155(%t: tensor<4x4xf32>, %v: vector<4x2xf32>, %f: f32) -> (vector<2x4xf32>, vector<6x4x2xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<4x2xf32>, tensor<4x4xf32>
  %1 = vector.transfer_read %0[%c0, %c0], %f {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<4x4xf32>, vector<2x4xf32>
  %2 = vector.transfer_read %0[%c0, %c0], %f {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (0, d0, d1)>} : tensor<4x4xf32>, vector<6x4x2xf32>
  return %1, %2 : vector<2x4xf32>, vector<6x4x2xf32>
}
func.func @f156(%t: tensor<4xf32>, %v: vector<1xf32>, %f: f32) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<1xf32>, tensor<4xf32>
  %1 = vector.transfer_read %0[%c0], %f {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}
func.func @f157(%t: tensor<f32>, %v: vector<f32>, %f: f32) -> vector<f32> {
  %0 = vector.transfer_write %v, %t[] : vector<f32>, tensor<f32>
  %1 = vector.transfer_read %0[], %f : tensor<f32>, vector<f32>
  return %1 : vector<f32>
}
func.func @f158(%t: tensor<4x4xf32>, %v: vector<4x4xf32>, %f: f32) -> vector<4x4xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x4xf32>, tensor<4x4xf32>
  %1 = vector.transfer_read %0[%c0, %c0], %f {in_bounds = [true, true]} : tensor<4x4xf32>, vector<4x4xf32>
  return %1 : vector<4x4xf32>
}
func.func @f159(%t: tensor<4x8xf32>, %v: vector<4x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  %1 = tensor.extract_slice %0[0, 0] [%n, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}
// =>
module {
  func.func @f140(%arg0: memref<16xf32>, %arg1: vector<4xindex>, %arg2: vector<4xf32>, %arg3: index) -> (vector<4xf32>, vector<4xf32>) {
    %cst = arith.constant dense<true> : vector<4xi1>
    %0 = vector.gather %arg0[%arg3] [%arg1], %cst, %arg2 : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    return %0, %arg2 : vector<4xf32>, vector<4xf32>
  }
  func.func @f141(%arg0: memref<16xf32>, %arg1: vector<4xf32>, %arg2: index, %arg3: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>) {
    %0 = vector.maskedload %arg0[%arg2], %arg3, %arg1 : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %1 = vector.maskedload %arg0[%arg2], %arg3, %arg1 : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    return %0, %1 : vector<4xf32>, vector<4xf32>
  }
  func.func @f142(%arg0: memref<16xf32>, %arg1: vector<4xf32>, %arg2: index, %arg3: vector<4xi1>) -> (vector<4xf32>, vector<4xf32>) {
    %cst = arith.constant dense<[1, 2, 3, 4]> : vector<4xindex>
    %0 = vector.gather %arg0[%arg2] [%cst], %arg3, %arg1 : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %1 = vector.maskedload %arg0[%arg2], %arg3, %arg1 : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    return %0, %1 : vector<4xf32>, vector<4xf32>
  }
  func.func @f143(%arg0: tensor<16xf32>, %arg1: vector<4xf32>, %arg2: index, %arg3: vector<4xi1>) -> vector<4xf32> {
    %cst = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
    %0 = vector.gather %arg0[%arg2] [%cst], %arg3, %arg1 : tensor<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    return %0 : vector<4xf32>
  }
  func.func @f144(%arg0: memref<16xf32>, %arg1: vector<2x2xf32>, %arg2: index, %arg3: vector<2x2xi1>) -> vector<2x2xf32> {
    %cst = arith.constant dense<[[0, 1], [2, 3]]> : vector<2x2xindex>
    %0 = vector.gather %arg0[%arg2] [%cst], %arg3, %arg1 : memref<16xf32>, vector<2x2xindex>, vector<2x2xi1>, vector<2x2xf32> into vector<2x2xf32>
    return %0 : vector<2x2xf32>
  }
  func.func @f145(%arg0: memref<16xf32, strided<[2]>>, %arg1: vector<4xf32>, %arg2: index, %arg3: vector<4xi1>) -> vector<4xf32> {
    %0 = vector.maskedload %arg0[%arg2], %arg3, %arg1 : memref<16xf32, strided<[2]>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    return %0 : vector<4xf32>
  }
  func.func @f146(%arg0: memref<16xf32>, %arg1: vector<4xindex>, %arg2: vector<4xf32>, %arg3: index) {
    %cst = arith.constant dense<true> : vector<4xi1>
    vector.scatter %arg0[%arg3] [%arg1], %cst, %arg2 : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
    return
  }
  func.func @f147(%arg0: memref<16xf32>, %arg1: vector<4xf32>, %arg2: index, %arg3: vector<4xi1>) {
    vector.maskedstore %arg0[%arg2], %arg3, %arg1 : memref<16xf32>, vector<4xi1>, vector<4xf32>
    return
  }
  func.func @f148(%arg0: memref<16xf32>, %arg1: vector<4xf32>, %arg2: index) -> (vector<4xf32>, vector<4xf32>) {
    %0 = vector.load %arg0[%arg2] : memref<16xf32>, vector<4xf32>
    return %0, %arg1 : vector<4xf32>, vector<4xf32>
  }
  func.func @f149(%arg0: memref<16xf32>, %arg1: vector<4xf32>, %arg2: index) {
    vector.store %arg1, %arg0[%arg2] : memref<16xf32>, vector<4xf32>
    return
  }
  func.func @f150(%arg0: memref<16xf32>, %arg1: vector<4xf32>, %arg2: index) -> vector<4xf32> {
    %cst = arith.constant dense<[true, true, false, false]> : vector<4xi1>
    %0 = vector.maskedload %arg0[%arg2], %cst, %arg1 : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    return %0 : vector<4xf32>
  }
  func.func @f151(%arg0: memref<?xf32>, %arg1: vector<4xf32>, %arg2: index) -> vector<4xf32> {
    %0 = vector.load %arg0[%arg2] : memref<?xf32>, vector<4xf32>
    return %0 : vector<4xf32>
  }
  func.func @f152(%arg0: tensor<16xf32>, %arg1: index, %arg2: f32) -> (vector<4xf32>, vector<4xf32>) {
    %cst = arith.constant dense<false> : vector<4xi1>
    %0 = vector.transfer_read %arg0[%arg1], %arg2 : tensor<16xf32>, vector<4xf32>
    %1 = vector.transfer_read %arg0[%arg1], %arg2, %cst : tensor<16xf32>, vector<4xf32>
    return %0, %1 : vector<4xf32>, vector<4xf32>
  }
  func.func @f153(%arg0: tensor<16xf32>, %arg1: index, %arg2: vector<4xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
    %cst = arith.constant dense<false> : vector<4xi1>
    %0 = vector.transfer_write %arg2, %arg0[%arg1] : vector<4xf32>, tensor<16xf32>
    %1 = vector.transfer_write %arg2, %arg0[%arg1], %cst : vector<4xf32>, tensor<16xf32>
    return %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
  func.func @f154(%arg0: tensor<4x4xf32>, %arg1: vector<4x2xf32>, %arg2: f32) -> vector<4x2x6xf32> {
    %0 = vector.broadcast %arg1 : vector<4x2xf32> to vector<6x4x2xf32>
    %1 = vector.transpose %0, [1, 2, 0] : vector<6x4x2xf32> to vector<4x2x6xf32>
    return %1 : vector<4x2x6xf32>
  }
  func.func @f155(%arg0: tensor<4x4xf32>, %arg1: vector<4x2xf32>, %arg2: f32) -> (vector<2x4xf32>, vector<6x4x2xf32>) {
    %0 = vector.transpose %arg1, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
    %1 = vector.broadcast %arg1 : vector<4x2xf32> to vector<6x4x2xf32>
    return %0, %1 : vector<2x4xf32>, vector<6x4x2xf32>
  }
  func.func @f156(%arg0: tensor<4xf32>, %arg1: vector<1xf32>, %arg2: f32) -> vector<4xf32> {
    %c0 = arith.constant 0 : index
    %0 = vector.transfer_write %arg1, %arg0[%c0] {in_bounds = [true]} : vector<1xf32>, tensor<4xf32>
    %1 = vector.transfer_read %0[%c0], %arg2 {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
    return %1 : vector<4xf32>
  }
  func.func @f157(%arg0: tensor<f32>, %arg1: vector<f32>, %arg2: f32) -> vector<f32> {
    return %arg1 : vector<f32>
  }
  func.func @f158(%arg0: tensor<4x4xf32>, %arg1: vector<4x4xf32>, %arg2: f32) -> vector<4x4xf32> {
    %0 = vector.transpose %arg1, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
    return %0 : vector<4x4xf32>
  }
  func.func @f159(%arg0: tensor<4x8xf32>, %arg1: vector<4x8xf32>, %arg2: index) -> tensor<?x8xf32> {
    %c0 = arith.constant 0 : index
    %0 = vector.transfer_write %arg1, %arg0[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
    %extracted_slice = tensor.extract_slice %0[0, 0] [%arg2, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
    return %extracted_slice : tensor<?x8xf32>
  }
}
// -----
func.func @f160(%t: tensor<64x64xf32>, %w: tensor<4x8xf32>, %v: vector<4x8xf32>, %n: index, %i: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %w[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  %1 = tensor.extract_slice %0[0, 0] [%n, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  %2 = tensor.insert_slice %1 into %t[%i, 16] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
func.func @f161(%t: tensor<64x64xf32>, %w: tensor<4x8xf32>, %v: vector<8x4xf32>, %n: index, %i: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %w[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<8x4xf32>, tensor<4x8xf32>
  %1 = tensor.extract_slice %0[0, 0] [%n, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  %2 = tensor.insert_slice %1 into %t[%i, 16] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
func.func @f162(%t: tensor<64x64xf32>, %w: tensor<4x8xf32>, %v: vector<4x8xf32>, %n: index, %i: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %w[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  %1 = tensor.extract_slice %0[0, 0] [3, 8] [1, 1] : tensor<4x8xf32> to tensor<3x8xf32>
  %2 = tensor.insert_slice %1 into %t[%i, 16] [3, 8] [1, 1] : tensor<3x8xf32> into tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
func.func @f163(%t: tensor<64x64xf32>, %w: tensor<5x8xf32>, %v: vector<4x8xf32>, %n: index, %i: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %w[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<5x8xf32>
  %1 = tensor.extract_slice %0[0, 0] [%n, 8] [1, 1] : tensor<5x8xf32> to tensor<?x8xf32>
  %2 = tensor.insert_slice %1 into %t[%i, 16] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
func.func @f164(%t: tensor<4x8xf32>, %v: vector<8xf32>, %f: f32) -> (vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %t[1, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  %0 = vector.transfer_read %s[%c0], %f {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  return %0 : vector<8xf32>
}
func.func @f165(%t: memref<8xf32>, %v: vector<8xf32>, %m: vector<8xi1>, %f: f32) -> (vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %t1 = arith.constant dense<true> : vector<8xi1>
  %0 = vector.mask %t1, %v { vector.transfer_read %t[%c0], %f : memref<8xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  %1 = vector.mask %m, %v { vector.transfer_read %t[%c0], %f : memref<8xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  %2 = arith.addf %0, %1 : vector<8xf32>
  return %2 : vector<8xf32>
}
func.func @f166(%v: vector<8xf32>) -> (vector<8xf32>, f32, vector<4xf32>) {
  %0 = vector.fma %v, %v, %v : vector<8xf32>
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %r = vector.reduction <add>, %c : vector<4xf32> into f32
  %s = vector.broadcast %r : f32 to vector<4xf32>
  return %0, %r, %s : vector<8xf32>, f32, vector<4xf32>
}
func.func @f167(%a: vector<4xf32>, %b: vector<8xf32>, %s: f32) -> (vector<4x8xf32>, vector<4xf32>) {
  %0 = vector.outerproduct %a, %b : vector<4xf32>, vector<8xf32>
  %1 = vector.outerproduct %a, %s : vector<4xf32>, f32
  return %0, %1 : vector<4x8xf32>, vector<4xf32>
}
func.func @f168(%f: f32) -> (vector<8xf32>, vector<4xf32>, vector<4xf32>) {
  %a = vector.broadcast %f : f32 to vector<4xf32>
  %0 = vector.interleave %a, %a : vector<4xf32> -> vector<8xf32>
  %1, %2 = vector.deinterleave %0 : vector<8xf32> -> vector<4xf32>
  return %0, %1, %2 : vector<8xf32>, vector<4xf32>, vector<4xf32>
}
func.func @f169(%a: vector<[8]xf32>, %b: vector<[4]xf32>) -> (vector<[4]xf32>, vector<[8]xf32>) {
  %0 = vector.scalable.insert %b, %a[0] : vector<[4]xf32> into vector<[8]xf32>
  %1 = vector.scalable.extract %0[0] : vector<[4]xf32> from vector<[8]xf32>
  return %1, %0 : vector<[4]xf32>, vector<[8]xf32>
}
func.func @f170(%m: memref<4x4xf32>) -> memref<vector<4x4xf32>> {
  %0 = vector.type_cast %m : memref<4x4xf32> to memref<vector<4x4xf32>>
  return %0 : memref<vector<4x4xf32>>
}
func.func @f171(%t: memref<4x4xf32>, %f: f32) -> vector<4x4xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %t[%c0, %c0], %f {permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : memref<4x4xf32>, vector<4x4xf32>
  return %0 : vector<4x4xf32>
}
func.func @f172(%t: tensor<4x4xf32>, %v: vector<4x4xf32>, %f: f32) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_read %t[%c0, %c0], %f : tensor<4x4xf32>, vector<4x4xf32>
  %0 = vector.transfer_write %r, %t[%c0, %c0] : vector<4x4xf32>, tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @f173(%t: tensor<4x4xf32>, %v: vector<1x4xf32>, %w: vector<1x4xf32>, %f: f32) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = vector.transfer_write %v, %t[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
  %1 = vector.transfer_write %w, %0[%c2, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
  %2 = vector.transfer_write %w, %1[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
func.func @f174(%a: vector<2x1x3xf32>) -> vector<6xf32> {
  %0 = vector.transpose %a, [1, 0, 2] : vector<2x1x3xf32> to vector<1x2x3xf32>
  %1 = vector.shape_cast %0 : vector<1x2x3xf32> to vector<6xf32>
  return %1 : vector<6xf32>
}
func.func @f175(%a: vector<1x4x1xf32>) -> vector<3x4x2xf32> {
  %0 = vector.broadcast %a : vector<1x4x1xf32> to vector<2x4x3xf32>
  %1 = vector.transpose %0, [2, 1, 0] : vector<2x4x3xf32> to vector<3x4x2xf32>
  return %1 : vector<3x4x2xf32>
}
func.func @f176(%a: vector<4xf32>, %f: f32, %i: index, %g: f32) -> f32 {
  %0 = vector.insert %f, %a[%i] : f32 into vector<4xf32>
  %1 = vector.insert %g, %0[2] : f32 into vector<4xf32>
  %2 = vector.extract %1[1] : f32 from vector<4xf32>
  return %2 : f32
}
func.func @f177(%a: vector<4x4xf32>, %f: vector<4xf32>, %g: f32) -> (vector<4xf32>, f32) {
  %0 = vector.insert %f, %a[1] : vector<4xf32> into vector<4x4xf32>
  %1 = vector.insert %g, %0[1, 2] : f32 into vector<4x4xf32>
  %2 = vector.extract %1[1] : vector<4xf32> from vector<4x4xf32>
  %3 = vector.extract %1[1, 3] : f32 from vector<4x4xf32>
  return %2, %3 : vector<4xf32>, f32
}
func.func @f178(%a: vector<4xf32>) -> vector<2x4xf32> {
  %0 = vector.shape_cast %a : vector<4xf32> to vector<1x4x1xf32>
  %1 = vector.broadcast %0 : vector<1x4x1xf32> to vector<1x4x2xf32>
  %2 = vector.transpose %1, [0, 2, 1] : vector<1x4x2xf32> to vector<1x2x4xf32>
  %3 = vector.shape_cast %2 : vector<1x2x4xf32> to vector<2x4xf32>
  return %3 : vector<2x4xf32>
}
func.func @f179(%a: vector<1x1xf32>) -> vector<4x4xf32> {
  %0 = vector.shape_cast %a : vector<1x1xf32> to vector<1xf32>
  %1 = vector.broadcast %0 : vector<1xf32> to vector<4x4xf32>
  return %1 : vector<4x4xf32>
}
// =>
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @f160(%arg0: tensor<64x64xf32>, %arg1: tensor<4x8xf32>, %arg2: vector<4x8xf32>, %arg3: index, %arg4: index) -> tensor<64x64xf32> {
    %c0 = arith.constant 0 : index
    %extracted_slice = tensor.extract_slice %arg0[%arg4, 16] [%arg3, 8] [1, 1] : tensor<64x64xf32> to tensor<?x8xf32>
    %0 = vector.transfer_write %arg2, %extracted_slice[%c0, %c0] {in_bounds = [false, true]} : vector<4x8xf32>, tensor<?x8xf32>
    %inserted_slice = tensor.insert_slice %0 into %arg0[%arg4, 16] [%arg3, 8] [1, 1] : tensor<?x8xf32> into tensor<64x64xf32>
    return %inserted_slice : tensor<64x64xf32>
  }
  func.func @f161(%arg0: tensor<64x64xf32>, %arg1: tensor<4x8xf32>, %arg2: vector<8x4xf32>, %arg3: index, %arg4: index) -> tensor<64x64xf32> {
    %c0 = arith.constant 0 : index
    %extracted_slice = tensor.extract_slice %arg0[%arg4, 16] [%arg3, 8] [1, 1] : tensor<64x64xf32> to tensor<?x8xf32>
    %0 = vector.transfer_write %arg2, %extracted_slice[%c0, %c0] {in_bounds = [true, false], permutation_map = #map} : vector<8x4xf32>, tensor<?x8xf32>
    %inserted_slice = tensor.insert_slice %0 into %arg0[%arg4, 16] [%arg3, 8] [1, 1] : tensor<?x8xf32> into tensor<64x64xf32>
    return %inserted_slice : tensor<64x64xf32>
  }
  func.func @f162(%arg0: tensor<64x64xf32>, %arg1: tensor<4x8xf32>, %arg2: vector<4x8xf32>, %arg3: index, %arg4: index) -> tensor<64x64xf32> {
    %c0 = arith.constant 0 : index
    %extracted_slice = tensor.extract_slice %arg0[%arg4, 16] [3, 8] [1, 1] : tensor<64x64xf32> to tensor<3x8xf32>
    %0 = vector.transfer_write %arg2, %extracted_slice[%c0, %c0] {in_bounds = [false, true]} : vector<4x8xf32>, tensor<3x8xf32>
    %inserted_slice = tensor.insert_slice %0 into %arg0[%arg4, 16] [3, 8] [1, 1] : tensor<3x8xf32> into tensor<64x64xf32>
    return %inserted_slice : tensor<64x64xf32>
  }
  func.func @f163(%arg0: tensor<64x64xf32>, %arg1: tensor<5x8xf32>, %arg2: vector<4x8xf32>, %arg3: index, %arg4: index) -> tensor<64x64xf32> {
    %c0 = arith.constant 0 : index
    %0 = vector.transfer_write %arg2, %arg1[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<5x8xf32>
    %extracted_slice = tensor.extract_slice %0[0, 0] [%arg3, 8] [1, 1] : tensor<5x8xf32> to tensor<?x8xf32>
    %inserted_slice = tensor.insert_slice %extracted_slice into %arg0[%arg4, 16] [%arg3, 8] [1, 1] : tensor<?x8xf32> into tensor<64x64xf32>
    return %inserted_slice : tensor<64x64xf32>
  }
  func.func @f164(%arg0: tensor<4x8xf32>, %arg1: vector<8xf32>, %arg2: f32) -> vector<8xf32> {
    %c0 = arith.constant 0 : index
    %extracted_slice = tensor.extract_slice %arg0[1, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
    %0 = vector.transfer_read %extracted_slice[%c0], %arg2 {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
    return %0 : vector<8xf32>
  }
  func.func @f165(%arg0: memref<8xf32>, %arg1: vector<8xf32>, %arg2: vector<8xi1>, %arg3: f32) -> vector<8xf32> {
    %c0 = arith.constant 0 : index
    %0 = vector.transfer_read %arg0[%c0], %arg3 {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    %1 = vector.mask %arg2, %arg1 { vector.transfer_read %arg0[%c0], %arg3 {in_bounds = [true]} : memref<8xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
    %2 = arith.addf %0, %1 : vector<8xf32>
    return %2 : vector<8xf32>
  }
  func.func @f166(%arg0: vector<8xf32>) -> (vector<8xf32>, f32, vector<4xf32>) {
    %cst = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : vector<4xf32>
    %0 = vector.fma %arg0, %arg0, %arg0 : vector<8xf32>
    %1 = vector.reduction <add>, %cst : vector<4xf32> into f32
    %2 = vector.broadcast %1 : f32 to vector<4xf32>
    return %0, %1, %2 : vector<8xf32>, f32, vector<4xf32>
  }
  func.func @f167(%arg0: vector<4xf32>, %arg1: vector<8xf32>, %arg2: f32) -> (vector<4x8xf32>, vector<4xf32>) {
    %0 = vector.outerproduct %arg0, %arg1 : vector<4xf32>, vector<8xf32>
    %1 = vector.outerproduct %arg0, %arg2 : vector<4xf32>, f32
    return %0, %1 : vector<4x8xf32>, vector<4xf32>
  }
  func.func @f168(%arg0: f32) -> (vector<8xf32>, vector<4xf32>, vector<4xf32>) {
    %0 = vector.broadcast %arg0 : f32 to vector<4xf32>
    %1 = vector.interleave %0, %0 : vector<4xf32> -> vector<8xf32>
    %res1, %res2 = vector.deinterleave %1 : vector<8xf32> -> vector<4xf32>
    return %1, %res1, %res2 : vector<8xf32>, vector<4xf32>, vector<4xf32>
  }
  func.func @f169(%arg0: vector<[8]xf32>, %arg1: vector<[4]xf32>) -> (vector<[4]xf32>, vector<[8]xf32>) {
    %0 = vector.scalable.insert %arg1, %arg0[0] : vector<[4]xf32> into vector<[8]xf32>
    %1 = vector.scalable.extract %0[0] : vector<[4]xf32> from vector<[8]xf32>
    return %1, %0 : vector<[4]xf32>, vector<[8]xf32>
  }
  func.func @f170(%arg0: memref<4x4xf32>) -> memref<vector<4x4xf32>> {
    %0 = vector.type_cast %arg0 : memref<4x4xf32> to memref<vector<4x4xf32>>
    return %0 : memref<vector<4x4xf32>>
  }
  func.func @f171(%arg0: memref<4x4xf32>, %arg1: f32) -> vector<4x4xf32> {
    %c0 = arith.constant 0 : index
    %0 = vector.transfer_read %arg0[%c0, %c0], %arg1 {in_bounds = [true, true], permutation_map = #map1} : memref<4x4xf32>, vector<4x4xf32>
    return %0 : vector<4x4xf32>
  }
  func.func @f172(%arg0: tensor<4x4xf32>, %arg1: vector<4x4xf32>, %arg2: f32) -> tensor<4x4xf32> {
    return %arg0 : tensor<4x4xf32>
  }
  func.func @f173(%arg0: tensor<4x4xf32>, %arg1: vector<1x4xf32>, %arg2: vector<1x4xf32>, %arg3: f32) -> tensor<4x4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = vector.transfer_write %arg2, %arg0[%c2, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
    %1 = vector.transfer_write %arg2, %0[%c1, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
  func.func @f174(%arg0: vector<2x1x3xf32>) -> vector<6xf32> {
    %0 = vector.shape_cast %arg0 : vector<2x1x3xf32> to vector<6xf32>
    return %0 : vector<6xf32>
  }
  func.func @f175(%arg0: vector<1x4x1xf32>) -> vector<3x4x2xf32> {
    %0 = vector.broadcast %arg0 : vector<1x4x1xf32> to vector<2x4x3xf32>
    %1 = vector.transpose %0, [2, 1, 0] : vector<2x4x3xf32> to vector<3x4x2xf32>
    return %1 : vector<3x4x2xf32>
  }
  func.func @f176(%arg0: vector<4xf32>, %arg1: f32, %arg2: index, %arg3: f32) -> f32 {
    %0 = vector.insert %arg1, %arg0 [%arg2] : f32 into vector<4xf32>
    %1 = vector.insert %arg3, %0 [2] : f32 into vector<4xf32>
    %2 = vector.extract %1[1] : f32 from vector<4xf32>
    return %2 : f32
  }
  func.func @f177(%arg0: vector<4x4xf32>, %arg1: vector<4xf32>, %arg2: f32) -> (vector<4xf32>, f32) {
    %0 = vector.insert %arg1, %arg0 [1] : vector<4xf32> into vector<4x4xf32>
    %1 = vector.insert %arg2, %0 [1, 2] : f32 into vector<4x4xf32>
    %2 = vector.extract %1[1] : vector<4xf32> from vector<4x4xf32>
    %3 = vector.extract %arg1[3] : f32 from vector<4xf32>
    return %2, %3 : vector<4xf32>, f32
  }
  func.func @f178(%arg0: vector<4xf32>) -> vector<2x4xf32> {
    %0 = vector.shape_cast %arg0 : vector<4xf32> to vector<1x4x1xf32>
    %1 = vector.broadcast %0 : vector<1x4x1xf32> to vector<1x4x2xf32>
    %2 = vector.transpose %1, [0, 2, 1] : vector<1x4x2xf32> to vector<1x2x4xf32>
    %3 = vector.shape_cast %2 : vector<1x2x4xf32> to vector<2x4xf32>
    return %3 : vector<2x4xf32>
  }
  func.func @f179(%arg0: vector<1x1xf32>) -> vector<4x4xf32> {
    %0 = vector.broadcast %arg0 : vector<1x1xf32> to vector<4x4xf32>
    return %0 : vector<4x4xf32>
  }
}
// -----
func.func @f180(%a: vector<1x4xf32>) -> vector<4x4xf32> {
  %0 = vector.shape_cast %a : vector<1x4xf32> to vector<4xf32>
  %1 = vector.broadcast %0 : vector<4xf32> to vector<4x4xf32>
  return %1 : vector<4x4xf32>
}
func.func @f181(%a: vector<1x1x4xf32>) -> vector<4x1x4xf32> {
  %0 = vector.shape_cast %a : vector<1x1x4xf32> to vector<1x4xf32>
  %1 = vector.broadcast %0 : vector<1x4xf32> to vector<4x1x4xf32>
  return %1 : vector<4x1x4xf32>
}
func.func @f182(%f: f32) -> (vector<4xf32>, f32, vector<2xf32>) {
  %0 = vector.broadcast %f : f32 to vector<f32>
  %1 = vector.broadcast %0 : vector<f32> to vector<4xf32>
  %2 = vector.extract %1[2] : f32 from vector<4xf32>
  %3 = vector.extract_strided_slice %1 {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  return %1, %2, %3 : vector<4xf32>, f32, vector<2xf32>
}
func.func @f183(%v: vector<4xf32>) -> (vector<f32>, f32) {
  %0 = vector.extract %v[2] : f32 from vector<4xf32>
  %1 = vector.broadcast %0 : f32 to vector<f32>
  %2 = vector.extract %1[] : f32 from vector<f32>
  return %1, %2 : vector<f32>, f32
}
func.func @f184(%m: memref<4x4xf32>, %i: index) -> (vector<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %0 = vector.load %m[%i, %c0] : memref<4x4xf32>, vector<4xf32>
  %1 = vector.load %m[%i, %c0] : memref<4x4xf32>, vector<1xf32>
  %2 = vector.extract %1[0] : f32 from vector<1xf32>
  return %0, %2 : vector<4xf32>, f32
}
func.func @f185(%v: vector<4xi32>, %w: vector<4xi32>) -> (vector<4xi32>, vector<4xi1>, vector<4xi32>) {
  %z = arith.constant dense<0> : vector<4xi32>
  %o = arith.constant dense<1> : vector<4xi32>
  %0 = arith.addi %v, %z : vector<4xi32>
  %1 = arith.muli %0, %o : vector<4xi32>
  %2 = arith.cmpi eq, %1, %1 : vector<4xi32>
  %3 = arith.select %2, %v, %w : vector<4xi1>, vector<4xi32>
  return %1, %2, %3 : vector<4xi32>, vector<4xi1>, vector<4xi32>
}
func.func @f186(%f: f32) -> (vector<4xf32>) {
  %a = vector.broadcast %f : f32 to vector<4xf32>
  %b = arith.addf %a, %a : vector<4xf32>
  return %b : vector<4xf32>
}
func.func @f187(%v: vector<2x2xf32>) -> (vector<4xf32>) {
  %e:4 = vector.to_elements %v : vector<2x2xf32>
  %r = vector.from_elements %e#0, %e#1, %e#2, %e#3 : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @f188(%a: vector<4xf32>, %v: vector<2x4xf32>) -> (vector<2x4xf32>, vector<2x4xf32>) {
  %0 = vector.insert %a, %v[0] : vector<4xf32> into vector<2x4xf32>
  %1 = vector.extract %v[0] : vector<4xf32> from vector<2x4xf32>
  %2 = vector.insert %1, %v[0] : vector<4xf32> into vector<2x4xf32>
  return %0, %2 : vector<2x4xf32>, vector<2x4xf32>
}
func.func @f189() -> (vector<2x2xi1>, vector<3xi1>) {
  %c = arith.constant 1 : index
  %0 = vector.create_mask %c, %c : vector<2x2xi1>
  %1 = vector.constant_mask [2] : vector<3xi1>
  return %0, %1 : vector<2x2xi1>, vector<3xi1>
}
func.func @f190(%t: tensor<?x?xf32>, %f: f32, %i: index) -> vector<4x1xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %t[%i, %c0], %f {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, 0)>} : tensor<?x?xf32>, vector<4x1xf32>
  return %0 : vector<4x1xf32>
}
func.func @f191(%v: vector<2x[4]xf32>) -> (vector<[4]xf32>, vector<[4]x2xf32>) {
  %0 = vector.transpose %v, [1, 0] : vector<2x[4]xf32> to vector<[4]x2xf32>
  %1 = vector.extract %v[1] : vector<[4]xf32> from vector<2x[4]xf32>
  return %1, %0 : vector<[4]xf32>, vector<[4]x2xf32>
}
func.func @f192(%v: vector<[4]xf32>) -> (vector<1x[4]xf32>) {
  %0 = vector.shape_cast %v : vector<[4]xf32> to vector<1x[4]xf32>
  %1 = vector.shape_cast %0 : vector<1x[4]xf32> to vector<[4]x1xf32>
  %2 = vector.transpose %1, [1, 0] : vector<[4]x1xf32> to vector<1x[4]xf32>
  return %2 : vector<1x[4]xf32>
}
func.func @f193(%v: vector<4xf32>, %f: f32) -> f32 {
  %c0 = arith.constant 0.0 : f32
  %0 = vector.reduction <add>, %v, %c0 : vector<4xf32> into f32
  %1 = vector.reduction <add>, %v, %0 : vector<4xf32> into f32
  return %1 : f32
}
func.func @f194(%v: vector<2x4xf32>, %w: vector<2x4xf32>) -> (f32, f32) {
  %0 = vector.insert_strided_slice %v, %w {offsets = [0, 0], strides = [1, 1]} : vector<2x4xf32> into vector<2x4xf32>
  %1 = vector.extract %0[0, 1] : f32 from vector<2x4xf32>
  %2 = arith.addf %v, %w : vector<2x4xf32>
  %3 = vector.extract %2[1, 1] : f32 from vector<2x4xf32>
  return %1, %3 : f32, f32
}
func.func @f195(%v: vector<4xi32>) -> (i32, i32) {
  %0 = arith.extsi %v : vector<4xi32> to vector<4xi64>
  %1 = arith.trunci %0 : vector<4xi64> to vector<4xi32>
  %2 = vector.extract %1[0] : i32 from vector<4xi32>
  %3 = vector.bitcast %1 : vector<4xi32> to vector<4xf32>
  %4 = vector.extract %3[1] : f32 from vector<4xf32>
  %5 = arith.bitcast %4 : f32 to i32
  return %2, %5 : i32, i32
}
func.func @f196(%a: vector<3xf32>, %b: vector<3xf32>, %c: vector<2x3xf32>) -> vector<2x3xf32> {
  %0 = vector.insert %a, %c[0] : vector<3xf32> into vector<2x3xf32>
  %1 = vector.insert %b, %0[1] : vector<3xf32> into vector<2x3xf32>
  %2 = vector.insert %a, %1[1] : vector<3xf32> into vector<2x3xf32>
  return %2 : vector<2x3xf32>
}
func.func @f197(%a: f32, %b: f32) -> vector<3xf32> {
  %p = ub.poison : vector<3xf32>
  %0 = vector.insert %a, %p[0] : f32 into vector<3xf32>
  %1 = vector.insert %b, %0[1] : f32 into vector<3xf32>
  return %1 : vector<3xf32>
}
func.func @f198(%a: vector<2xf32>) -> (vector<2x2xf32>) {
  %p = ub.poison : vector<2x2xf32>
  %0 = vector.insert %a, %p[0] : vector<2xf32> into vector<2x2xf32>
  %1 = vector.insert %a, %0[1] : vector<2xf32> into vector<2x2xf32>
  return %1 : vector<2x2xf32>
}
// =>
#map = affine_map<(d0, d1) -> (0, 0)>
module {
  func.func @f180(%arg0: vector<1x4xf32>) -> vector<4x4xf32> {
    %0 = vector.broadcast %arg0 : vector<1x4xf32> to vector<4x4xf32>
    return %0 : vector<4x4xf32>
  }
  func.func @f181(%arg0: vector<1x1x4xf32>) -> vector<4x1x4xf32> {
    %0 = vector.broadcast %arg0 : vector<1x1x4xf32> to vector<4x1x4xf32>
    return %0 : vector<4x1x4xf32>
  }
  func.func @f182(%arg0: f32) -> (vector<4xf32>, f32, vector<2xf32>) {
    %0 = vector.broadcast %arg0 : f32 to vector<4xf32>
    %1 = vector.broadcast %arg0 : f32 to vector<2xf32>
    return %0, %arg0, %1 : vector<4xf32>, f32, vector<2xf32>
  }
  func.func @f183(%arg0: vector<4xf32>) -> (vector<f32>, f32) {
    %0 = vector.extract %arg0[2] : f32 from vector<4xf32>
    %1 = vector.broadcast %0 : f32 to vector<f32>
    return %1, %0 : vector<f32>, f32
  }
  func.func @f184(%arg0: memref<4x4xf32>, %arg1: index) -> (vector<4xf32>, f32) {
    %c0 = arith.constant 0 : index
    %0 = vector.load %arg0[%arg1, %c0] : memref<4x4xf32>, vector<4xf32>
    %1 = vector.load %arg0[%arg1, %c0] : memref<4x4xf32>, vector<1xf32>
    %2 = vector.extract %1[0] : f32 from vector<1xf32>
    return %0, %2 : vector<4xf32>, f32
  }
  func.func @f185(%arg0: vector<4xi32>, %arg1: vector<4xi32>) -> (vector<4xi32>, vector<4xi1>, vector<4xi32>) {
    %cst = arith.constant dense<true> : vector<4xi1>
    return %arg0, %cst, %arg0 : vector<4xi32>, vector<4xi1>, vector<4xi32>
  }
  func.func @f186(%arg0: f32) -> vector<4xf32> {
    %0 = vector.broadcast %arg0 : f32 to vector<4xf32>
    %1 = arith.addf %0, %0 : vector<4xf32>
    return %1 : vector<4xf32>
  }
  func.func @f187(%arg0: vector<2x2xf32>) -> vector<4xf32> {
    %0:4 = vector.to_elements %arg0 : vector<2x2xf32>
    %1 = vector.from_elements %0#0, %0#1, %0#2, %0#3 : vector<4xf32>
    return %1 : vector<4xf32>
  }
  func.func @f188(%arg0: vector<4xf32>, %arg1: vector<2x4xf32>) -> (vector<2x4xf32>, vector<2x4xf32>) {
    %0 = vector.insert %arg0, %arg1 [0] : vector<4xf32> into vector<2x4xf32>
    %1 = vector.extract %arg1[0] : vector<4xf32> from vector<2x4xf32>
    %2 = vector.insert %1, %arg1 [0] : vector<4xf32> into vector<2x4xf32>
    return %0, %2 : vector<2x4xf32>, vector<2x4xf32>
  }
  func.func @f189() -> (vector<2x2xi1>, vector<3xi1>) {
    %0 = vector.constant_mask [1, 1] : vector<2x2xi1>
    %1 = vector.constant_mask [2] : vector<3xi1>
    return %0, %1 : vector<2x2xi1>, vector<3xi1>
  }
  func.func @f190(%arg0: tensor<?x?xf32>, %arg1: f32, %arg2: index) -> vector<4x1xf32> {
    %c0 = arith.constant 0 : index
    %0 = vector.transfer_read %arg0[%arg2, %c0], %arg1 {in_bounds = [true, true], permutation_map = #map} : tensor<?x?xf32>, vector<4x1xf32>
    return %0 : vector<4x1xf32>
  }
  func.func @f191(%arg0: vector<2x[4]xf32>) -> (vector<[4]xf32>, vector<[4]x2xf32>) {
    %0 = vector.transpose %arg0, [1, 0] : vector<2x[4]xf32> to vector<[4]x2xf32>
    %1 = vector.extract %arg0[1] : vector<[4]xf32> from vector<2x[4]xf32>
    return %1, %0 : vector<[4]xf32>, vector<[4]x2xf32>
  }
  func.func @f192(%arg0: vector<[4]xf32>) -> vector<1x[4]xf32> {
    %0 = vector.shape_cast %arg0 : vector<[4]xf32> to vector<1x[4]xf32>
    return %0 : vector<1x[4]xf32>
  }
  func.func @f193(%arg0: vector<4xf32>, %arg1: f32) -> f32 {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = vector.reduction <add>, %arg0, %cst : vector<4xf32> into f32
    %1 = vector.reduction <add>, %arg0, %0 : vector<4xf32> into f32
    return %1 : f32
  }
  func.func @f194(%arg0: vector<2x4xf32>, %arg1: vector<2x4xf32>) -> (f32, f32) {
    %0 = vector.extract %arg0[0, 1] : f32 from vector<2x4xf32>
    %1 = arith.addf %arg0, %arg1 : vector<2x4xf32>
    %2 = vector.extract %1[1, 1] : f32 from vector<2x4xf32>
    return %0, %2 : f32, f32
  }
  func.func @f195(%arg0: vector<4xi32>) -> (i32, i32) {
    %0 = vector.extract %arg0[0] : i32 from vector<4xi32>
    %1 = vector.bitcast %arg0 : vector<4xi32> to vector<4xf32>
    %2 = vector.extract %1[1] : f32 from vector<4xf32>
    %3 = arith.bitcast %2 : f32 to i32
    return %0, %3 : i32, i32
  }
  func.func @f196(%arg0: vector<3xf32>, %arg1: vector<3xf32>, %arg2: vector<2x3xf32>) -> vector<2x3xf32> {
    %0:3 = vector.to_elements %arg0 : vector<3xf32>
    %1:3 = vector.to_elements %arg0 : vector<3xf32>
    %2 = vector.from_elements %0#0, %0#1, %0#2, %1#0, %1#1, %1#2 : vector<2x3xf32>
    return %2 : vector<2x3xf32>
  }
  func.func @f197(%arg0: f32, %arg1: f32) -> vector<3xf32> {
    %0 = ub.poison : vector<3xf32>
    %1 = vector.insert %arg0, %0 [0] : f32 into vector<3xf32>
    %2 = vector.insert %arg1, %1 [1] : f32 into vector<3xf32>
    return %2 : vector<3xf32>
  }
  func.func @f198(%arg0: vector<2xf32>) -> vector<2x2xf32> {
    %0:2 = vector.to_elements %arg0 : vector<2xf32>
    %1:2 = vector.to_elements %arg0 : vector<2xf32>
    %2 = vector.from_elements %0#0, %0#1, %1#0, %1#1 : vector<2x2xf32>
    return %2 : vector<2x2xf32>
  }
}
// -----
#A = affine_map<(i, j, k) -> (i, k)>
#B = affine_map<(i, j, k) -> (k, j)>
#C = affine_map<(i, j, k) -> (i, j)>
func.func @ct1(%a: vector<2x3xf32>, %b: vector<3x4xf32>, %c: vector<2x4xf32>) -> (vector<2x4xf32>, vector<2x4xf32>) {
  %z = arith.constant dense<0.0> : vector<2x4xf32>
  %0 = vector.contract {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %z : vector<2x3xf32>, vector<3x4xf32> into vector<2x4xf32>
  %1 = arith.addf %0, %c : vector<2x4xf32>
  %2 = arith.addf %c, %0 : vector<2x4xf32>
  return %1, %2 : vector<2x4xf32>, vector<2x4xf32>
}
// =>
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @ct1(%arg0: vector<2x3xf32>, %arg1: vector<3x4xf32>, %arg2: vector<2x4xf32>) -> (vector<2x4xf32>, vector<2x4xf32>) {
    %0 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg0, %arg1, %arg2 : vector<2x3xf32>, vector<3x4xf32> into vector<2x4xf32>
    %1 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg0, %arg1, %arg2 : vector<2x3xf32>, vector<3x4xf32> into vector<2x4xf32>
    return %0, %1 : vector<2x4xf32>, vector<2x4xf32>
  }
}
// -----
#A = affine_map<(i, j, k) -> (i, k)>
#B = affine_map<(i, j, k) -> (k, j)>
#C = affine_map<(i, j, k) -> (i, j)>
func.func @ct2(%a: vector<2x3xi32>, %b: vector<3x4xi32>, %c: vector<2x4xi32>) -> vector<2x4xi32> {
  %z = arith.constant dense<0> : vector<2x4xi32>
  %0 = vector.contract {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %z : vector<2x3xi32>, vector<3x4xi32> into vector<2x4xi32>
  %1 = arith.addi %0, %c : vector<2x4xi32>
  return %1 : vector<2x4xi32>
}
// =>
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @ct2(%arg0: vector<2x3xi32>, %arg1: vector<3x4xi32>, %arg2: vector<2x4xi32>) -> vector<2x4xi32> {
    %0 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg0, %arg1, %arg2 : vector<2x3xi32>, vector<3x4xi32> into vector<2x4xi32>
    return %0 : vector<2x4xi32>
  }
}
// -----
func.func @nothing_reduced(%v: vector<2x4xf32>, %a: vector<2x4xf32>) -> vector<2x4xf32> {
  %0 = vector.multi_reduction <add>, %v, %a [] : vector<2x4xf32> to vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
// =>
module {
  func.func @nothing_reduced(%arg0: vector<2x4xf32>, %arg1: vector<2x4xf32>) -> vector<2x4xf32> {
    %0 = arith.addf %arg1, %arg0 : vector<2x4xf32>
    return %0 : vector<2x4xf32>
  }
}
// -----
func.func @f(%a: vector<f32>, %b: vector<f32>) -> vector<2xf32> {
  %0 = vector.shuffle %a, %b [0, 1] : vector<f32>, vector<f32>
  return %0 : vector<2xf32>
}
// =>
module {
  func.func @f(%arg0: vector<f32>, %arg1: vector<f32>) -> vector<2xf32> {
    %0 = vector.interleave %arg0, %arg1 : vector<f32> -> vector<2xf32>
    return %0 : vector<2xf32>
  }
}
