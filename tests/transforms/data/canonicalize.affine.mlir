func.func private @use(index)
func.func @quotients_of_counters(%m: memref<64xf32>, %n: index) {
  affine.for %i = 0 to 64 {
    %0 = affine.apply affine_map<(d0) -> (d0 floordiv 64)>(%i)
    func.call @use(%0) : (index) -> ()
    %1 = affine.apply affine_map<(d0) -> (d0 mod 64)>(%i)
    func.call @use(%1) : (index) -> ()
    %2 = affine.apply affine_map<(d0) -> ((d0 + 1) ceildiv 65)>(%i)
    func.call @use(%2) : (index) -> ()
    %3 = affine.apply affine_map<(d0) -> ((d0 + 64) floordiv 64)>(%i)
    func.call @use(%3) : (index) -> ()
    %4 = affine.apply affine_map<(d0) -> ((d0 - 1) mod 64)>(%i)
    func.call @use(%4) : (index) -> ()
    affine.for %j = 8 to %n step 8 {
      %5 = affine.apply affine_map<(d0) -> (d0 mod 4)>(%j)
      func.call @use(%5) : (index) -> ()
      %6 = affine.apply affine_map<(d0) -> (d0 mod 16)>(%j)
      func.call @use(%6) : (index) -> ()
      %7 = affine.apply affine_map<(d0, d1) -> ((d0 * 64 + d1) floordiv 128)>(%j, %i)
      func.call @use(%7) : (index) -> ()
      %8 = affine.apply affine_map<(d0, d1) -> ((d0 * 64 + d1) mod 32)>(%j, %i)
      func.call @use(%8) : (index) -> ()
      %9 = affine.apply affine_map<(d0, d1)[s0] -> ((d0 * 64 + d1 + s0) mod 32)>(%j, %i)[%n]
      func.call @use(%9) : (index) -> ()
      %10 = affine.apply affine_map<(d0, d1) -> ((d0 + d1 * 8) floordiv 8)>(%j, %i)
      func.call @use(%10) : (index) -> ()
    }
  }
  return
}
// =>
#map = affine_map<(d0) -> (d0 - ((d0 - 1) floordiv 64) * 64 - 1)>
#map1 = affine_map<(d0) -> (d0 mod 16)>
#map2 = affine_map<(d0) -> (d0 floordiv 2)>
#map3 = affine_map<(d0) -> (d0 mod 32)>
#map4 = affine_map<(d0, d1)[s0] -> ((d0 * 64 + d1 + s0) mod 32)>
#map5 = affine_map<(d0, d1) -> (d1 + d0 floordiv 8)>
module {
  func.func private @use(index)
  func.func @quotients_of_counters(%arg0: memref<64xf32>, %arg1: index) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    affine.for %arg2 = 0 to 64 {
      func.call @use(%c0) : (index) -> ()
      func.call @use(%arg2) : (index) -> ()
      func.call @use(%c1) : (index) -> ()
      func.call @use(%c1) : (index) -> ()
      %0 = affine.apply #map(%arg2)
      func.call @use(%0) : (index) -> ()
      affine.for %arg3 = 8 to %arg1 step 8 {
        func.call @use(%c0) : (index) -> ()
        %1 = affine.apply #map1(%arg3)
        func.call @use(%1) : (index) -> ()
        %2 = affine.apply #map2(%arg3)
        func.call @use(%2) : (index) -> ()
        %3 = affine.apply #map3(%arg2)
        func.call @use(%3) : (index) -> ()
        %4 = affine.apply #map4(%arg3, %arg2)[%arg1]
        func.call @use(%4) : (index) -> ()
        %5 = affine.apply #map5(%arg3, %arg2)
        func.call @use(%5) : (index) -> ()
      }
    }
    return
  }
}
// -----
func.func private @use(index)
func.func @ranges_of_steps(%m: memref<64xf32>, %n: index) {
  affine.for %i = 3 to 20 step 5 {
    %0 = affine.apply affine_map<(d0) -> (d0 floordiv 19)>(%i)
    func.call @use(%0) : (index) -> ()
    %1 = affine.apply affine_map<(d0) -> (-d0 floordiv 32)>(%i)
    func.call @use(%1) : (index) -> ()
    %2 = affine.apply affine_map<(d0) -> ((d0 mod 7) floordiv 7)>(%i)
    func.call @use(%2) : (index) -> ()
    %3 = affine.min affine_map<(d0) -> (d0 mod 32, 7)>(%i)
    func.call @use(%3) : (index) -> ()
    affine.for %j = affine_map<(d0) -> (d0 mod 32)>(%i) to affine_map<(d0) -> (d0 floordiv 32 + 9)>(%i) {
      %4 = affine.load %m[(%j * 8 + %i) floordiv 8] : memref<64xf32>
      affine.store %4, %m[(%j * 32 + %i) mod 32] : memref<64xf32>
    }
  }
  return
}
// =>
#map = affine_map<(d0) -> (7, d0)>
#map1 = affine_map<(d0) -> (d0 mod 32)>
#map2 = affine_map<(d0) -> (d0 floordiv 32 + 9)>
module {
  func.func private @use(index)
  func.func @ranges_of_steps(%arg0: memref<64xf32>, %arg1: index) {
    %c-1 = arith.constant -1 : index
    %c0 = arith.constant 0 : index
    affine.for %arg2 = 3 to 20 step 5 {
      func.call @use(%c0) : (index) -> ()
      func.call @use(%c-1) : (index) -> ()
      func.call @use(%c0) : (index) -> ()
      %0 = affine.min #map(%arg2)
      func.call @use(%0) : (index) -> ()
      affine.for %arg3 = #map1(%arg2) to #map2(%arg2) {
        %1 = affine.load %arg0[%arg3 + %arg2 floordiv 8] : memref<64xf32>
        affine.store %1, %arg0[%arg2] : memref<64xf32>
      }
    }
    return
  }
}
