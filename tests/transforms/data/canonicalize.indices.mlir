func.func @f0(%x: index) -> (index, index, index) {
  %0 = affine.delinearize_index %x into (1) : index
  %1:2 = affine.delinearize_index %x into (1, 4) : index, index
  return %0, %1#0, %1#1 : index, index, index
}
func.func @f1(%x: index) -> (index, index, index) {
  %0:2 = affine.delinearize_index %x into (8) : index, index
  %1:2 = affine.delinearize_index %x into (1) : index, index
  return %0#0, %1#0, %1#1 : index, index, index
}
func.func @f2() -> (index, index, index, index) {
  %c = arith.constant -7 : index
  %d = arith.constant 100 : index
  %0:2 = affine.delinearize_index %c into (8) : index, index
  %1:2 = affine.delinearize_index %d into (8, 8) : index, index
  return %0#0, %0#1, %1#0, %1#1 : index, index, index, index
}
func.func @f3(%n: index) -> (index, index) {
  %d = arith.constant 100 : index
  %1:2 = affine.delinearize_index %d into (8, %n) : index, index
  return %1#0, %1#1 : index, index
}
func.func @f4(%a: index, %b: index, %n: index) -> (index, index, index) {
  %c4 = arith.constant 4 : index
  %0 = affine.linearize_index [%a, %b] by (%n, %c4) : index
  %1 = affine.linearize_index [%a, %b] by (%c4) : index
  %2 = affine.linearize_index [%a] by (%n) : index
  return %0, %1, %2 : index, index, index
}
func.func @f5(%a: index, %b: index, %n: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %0 = affine.linearize_index [%a, %c0, %b] by (%n, 1, 4) : index
  %1 = affine.linearize_index disjoint [%a, %b, %a] by (%n, 1, 4) : index
  %2 = affine.linearize_index [%c0, %a, %b] by (3, 5, 4) : index
  return %0, %1, %2 : index, index, index
}
func.func @f6(%a: index, %b: index) -> (index, index) {
  %0 = affine.linearize_index [%a, %b, %a] by (3, 1, 4) : index
  %1 = affine.linearize_index disjoint [%a, %b, %a] by (1, 1, 4) : index
  return %0, %1 : index, index
}
func.func @f7(%a: index, %b: index, %c: index, %n: index) -> (index, index, index, index, index) {
  %0 = affine.linearize_index disjoint [%a, %b, %c] by (3, 4, 8) : index
  %1:3 = affine.delinearize_index %0 into (3, 4, 8) : index, index, index
  %2:2 = affine.delinearize_index %0 into (12, 8) : index, index
  return %1#0, %1#1, %1#2, %2#0, %2#1 : index, index, index, index, index
}
func.func @f8(%a: index, %b: index, %c: index, %n: index) -> (index, index, index) {
  %0 = affine.linearize_index disjoint [%a, %b, %c] by (3, 4, %n) : index
  %1:2 = affine.delinearize_index %0 into (4, %n) : index, index
  %2:3 = affine.delinearize_index %0 into (4, %n) : index, index, index
  return %1#1, %2#1, %2#2 : index, index, index
}
func.func @f9(%a: index, %b: index, %c: index, %n: index) -> (index, index, index) {
  %0 = affine.linearize_index [%a, %b, %c] by (3, 4, 8) : index
  %1:3 = affine.delinearize_index %0 into (3, 4, 8) : index, index, index
  return %1#0, %1#1, %1#2 : index, index, index
}
func.func @f10(%a: index, %b: index, %c: index) -> (index, index) {
  %0 = affine.linearize_index disjoint [%a, %b, %c] by (3, 4, 8) : index
  %1:2 = affine.delinearize_index %0 into (2, 8) : index, index
  %2:2 = affine.delinearize_index %0 into (6, 16) : index, index
  return %1#1, %2#1 : index, index
}
func.func @f11(%n: index, %m: index) -> (index, index) {
  %1 = affine.min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%n)[%m]
  %2 = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%1)[%m]
  %3 = affine.min affine_map<(d0)[s0] -> (d0, s0 + 1, 7)>(%1)[%n]
  return %2, %3 : index, index
}
func.func @f12(%n: index, %m: index) -> (index) {
  %1 = affine.max affine_map<(d0)[s0] -> (d0 + 4, s0)>(%n)[%m]
  %2 = affine.max affine_map<(d0, d1) -> (d0, d1, 3)>(%1, %n)
  return %2 : index
}
// =>
#map = affine_map<()[s0, s1] -> (s1 + 4, s0)>
#map1 = affine_map<()[s0, s1] -> (7, s1, s0 + 1, s0 + 4)>
#map2 = affine_map<()[s0, s1] -> (3, s1, s1 + 4, s0)>
module {
  func.func @f0(%arg0: index) -> (index, index, index) {
    %c0 = arith.constant 0 : index
    return %arg0, %c0, %arg0 : index, index, index
  }
  func.func @f1(%arg0: index) -> (index, index, index) {
    %c0 = arith.constant 0 : index
    %0:2 = affine.delinearize_index %arg0 into (8) : index, index
    return %0#0, %arg0, %c0 : index, index, index
  }
  func.func @f2() -> (index, index, index, index) {
    %c-1 = arith.constant -1 : index
    %c1 = arith.constant 1 : index
    %c12 = arith.constant 12 : index
    %c4 = arith.constant 4 : index
    return %c-1, %c1, %c12, %c4 : index, index, index, index
  }
  func.func @f3(%arg0: index) -> (index, index) {
    %c100 = arith.constant 100 : index
    %0:2 = affine.delinearize_index %c100 into (8, %arg0) : index, index
    return %0#0, %0#1 : index, index
  }
  func.func @f4(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index) {
    %0 = affine.linearize_index [%arg0, %arg1] by (%arg2, 4) : index
    %1 = affine.linearize_index [%arg0, %arg1] by (4) : index
    return %0, %1, %arg0 : index, index, index
  }
  func.func @f5(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index) {
    %0 = affine.linearize_index [%arg0, %arg1] by (%arg2, 4) : index
    %1 = affine.linearize_index disjoint [%arg0, %arg0] by (%arg2, 4) : index
    %2 = affine.linearize_index [%arg0, %arg1] by (5, 4) : index
    return %0, %1, %2 : index, index, index
  }
  func.func @f6(%arg0: index, %arg1: index) -> (index, index) {
    %0 = affine.linearize_index [%arg0, %arg1, %arg0] by (3, 1, 4) : index
    return %0, %arg0 : index, index
  }
  func.func @f7(%arg0: index, %arg1: index, %arg2: index, %arg3: index) -> (index, index, index, index, index) {
    %0 = affine.linearize_index disjoint [%arg0, %arg1] by (3, 4) : index
    return %arg0, %arg1, %arg2, %0, %arg2 : index, index, index, index, index
  }
  func.func @f8(%arg0: index, %arg1: index, %arg2: index, %arg3: index) -> (index, index, index) {
    return %arg2, %arg1, %arg2 : index, index, index
  }
  func.func @f9(%arg0: index, %arg1: index, %arg2: index, %arg3: index) -> (index, index, index) {
    %0 = affine.linearize_index [%arg0, %arg1, %arg2] by (3, 4, 8) : index
    %1:3 = affine.delinearize_index %0 into (3, 4, 8) : index, index, index
    return %1#0, %1#1, %1#2 : index, index, index
  }
  func.func @f10(%arg0: index, %arg1: index, %arg2: index) -> (index, index) {
    %0 = affine.linearize_index disjoint [%arg0, %arg1, %arg2] by (3, 4, 8) : index
    %1:2 = affine.delinearize_index %0 into (6, 16) : index, index
    return %arg2, %1#1 : index, index
  }
  func.func @f11(%arg0: index, %arg1: index) -> (index, index) {
    %0 = affine.min #map()[%arg1, %arg0]
    %1 = affine.min #map1()[%arg0, %arg1]
    return %0, %1 : index, index
  }
  func.func @f12(%arg0: index, %arg1: index) -> index {
    %0 = affine.max #map2()[%arg1, %arg0]
    return %0 : index
  }
}
