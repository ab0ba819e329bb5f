func.func private @use(memref<?xi64>)
func.func private @count() -> index
func.func @scope_outside(%n: index, %c: i1) {
  scf.if %c {
    memref.alloca_scope {
      %a = memref.alloca(%n) : memref<?xi64>
      func.call @use(%a) : (memref<?xi64>) -> ()
    }
    func.call @count() : () -> index
  }
  return
}
// =>
module {
  func.func private @use(memref<?xi64>)
  func.func private @count() -> index
  func.func @scope_outside(%arg0: index, %arg1: i1) {
    scf.if %arg1 {
      memref.alloca_scope  {
        %alloca = memref.alloca(%arg0) : memref<?xi64>
        func.call @use(%alloca) : (memref<?xi64>) -> ()
      }
      %0 = func.call @count() : () -> index
    }
    return
  }
}
// -----
func.func private @use(memref<?xi64>)
func.func private @count() -> index
func.func @scope_inside(%n: index, %c: i1) {
  scf.if %c {
    memref.alloca_scope {
      %k = func.call @count() : () -> index
      %a = memref.alloca(%k) : memref<?xi64>
      func.call @use(%a) : (memref<?xi64>) -> ()
    }
    func.call @count() : () -> index
  }
  return
}
// =>
module {
  func.func private @use(memref<?xi64>)
  func.func private @count() -> index
  func.func @scope_inside(%arg0: index, %arg1: i1) {
    scf.if %arg1 {
      memref.alloca_scope  {
        %1 = func.call @count() : () -> index
        %alloca = memref.alloca(%1) : memref<?xi64>
        func.call @use(%alloca) : (memref<?xi64>) -> ()
      }
      %0 = func.call @count() : () -> index
    }
    return
  }
}
// -----
func.func private @use(memref<?xi64>)
func.func private @count() -> index
func.func @scope_mixed(%n: index, %c: i1) {
  scf.if %c {
    memref.alloca_scope {
      %k = func.call @count() : () -> index
      %a = memref.alloca(%n) : memref<?xi64>
      %b = memref.alloca(%k) : memref<?xi64>
      func.call @use(%a) : (memref<?xi64>) -> ()
      func.call @use(%b) : (memref<?xi64>) -> ()
    }
    func.call @count() : () -> index
  }
  return
}
// =>
module {
  func.func private @use(memref<?xi64>)
  func.func private @count() -> index
  func.func @scope_mixed(%arg0: index, %arg1: i1) {
    scf.if %arg1 {
      memref.alloca_scope  {
        %1 = func.call @count() : () -> index
        %alloca = memref.alloca(%arg0) : memref<?xi64>
        %alloca_0 = memref.alloca(%1) : memref<?xi64>
        func.call @use(%alloca) : (memref<?xi64>) -> ()
        func.call @use(%alloca_0) : (memref<?xi64>) -> ()
      }
      %0 = func.call @count() : () -> index
    }
    return
  }
}
// -----
func.func private @use(memref<?xi64>)
func.func private @count() -> index
func.func @scope_loop(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.alloca_scope {
      %a = memref.alloca(%n) : memref<?xi64>
      func.call @use(%a) : (memref<?xi64>) -> ()
    }
    func.call @count() : () -> index
  }
  return
}
// =>
module {
  func.func private @use(memref<?xi64>)
  func.func private @count() -> index
  func.func @scope_loop(%arg0: index, %arg1: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      memref.alloca_scope  {
        %alloca = memref.alloca(%arg0) : memref<?xi64>
        func.call @use(%alloca) : (memref<?xi64>) -> ()
      }
      %0 = func.call @count() : () -> index
    }
    return
  }
}
// -----
func.func private @use(memref<?xi64>)
func.func private @count() -> index
func.func @scope_in_if_in_loop(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.if %c {
      memref.alloca_scope {
        %a = memref.alloca(%n) : memref<?xi64>
        %b = memref.alloca(%i) : memref<?xi64>
        func.call @use(%a) : (memref<?xi64>) -> ()
        func.call @use(%b) : (memref<?xi64>) -> ()
      }
      func.call @count() : () -> index
    }
    func.call @count() : () -> index
  }
  return
}
// =>
module {
  func.func private @use(memref<?xi64>)
  func.func private @count() -> index
  func.func @scope_in_if_in_loop(%arg0: index, %arg1: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%arg2) = (%c0) to (%arg0) step (%c1) {
      scf.if %arg1 {
        memref.alloca_scope  {
          %alloca = memref.alloca(%arg0) : memref<?xi64>
          %alloca_0 = memref.alloca(%arg2) : memref<?xi64>
          func.call @use(%alloca) : (memref<?xi64>) -> ()
          func.call @use(%alloca_0) : (memref<?xi64>) -> ()
        }
        %1 = func.call @count() : () -> index
      }
      %0 = func.call @count() : () -> index
      scf.reduce 
    }
    return
  }
}
// -----
func.func private @use(memref<?xi64>)
func.func private @count() -> index
func.func @scope_last(%n: index, %c: i1) {
  func.call @count() : () -> index
  memref.alloca_scope {
    %a = memref.alloca(%n) : memref<?xi64>
    func.call @use(%a) : (memref<?xi64>) -> ()
  }
  return
}
// =>
module {
  func.func private @use(memref<?xi64>)
  func.func private @count() -> index
  func.func @scope_last(%arg0: index, %arg1: i1) {
    %0 = call @count() : () -> index
    %alloca = memref.alloca(%arg0) : memref<?xi64>
    call @use(%alloca) : (memref<?xi64>) -> ()
    return
  }
}
// -----
func.func private @use(memref<?xi64>)
func.func private @count() -> index
func.func @scope_nested(%n: index, %c: i1) {
  scf.if %c {
  memref.alloca_scope {
    %a = memref.alloca(%n) : memref<?xi64>
    memref.alloca_scope {
      %b = memref.alloca(%n) : memref<?xi64>
      func.call @use(%b) : (memref<?xi64>) -> ()
    }
    func.call @use(%a) : (memref<?xi64>) -> ()
  }
    func.call @count() : () -> index
  }
  return
}
// =>
module {
  func.func private @use(memref<?xi64>)
  func.func private @count() -> index
  func.func @scope_nested(%arg0: index, %arg1: i1) {
    scf.if %arg1 {
      memref.alloca_scope  {
        %alloca = memref.alloca(%arg0) : memref<?xi64>
        memref.alloca_scope  {
          %alloca_0 = memref.alloca(%arg0) : memref<?xi64>
          func.call @use(%alloca_0) : (memref<?xi64>) -> ()
        }
        func.call @use(%alloca) : (memref<?xi64>) -> ()
      }
      %0 = func.call @count() : () -> index
    }
    return
  }
}
// -----
func.func private @use(memref<?xi64>)
func.func private @count() -> index
func.func @hoisted(%n: index, %c: i1) {
  scf.if %c {
    %k = func.call @count() : () -> index
    memref.alloca_scope {
      %a = memref.alloca(%n) : memref<?xi64>
      %b = memref.alloca(%k) : memref<?xi64>
      func.call @use(%a) : (memref<?xi64>) -> ()
      func.call @use(%b) : (memref<?xi64>) -> ()
    }
  }
  return
}
// =>
module {
  func.func private @use(memref<?xi64>)
  func.func private @count() -> index
  func.func @hoisted(%arg0: index, %arg1: i1) {
    %alloca = memref.alloca(%arg0) : memref<?xi64>
    scf.if %arg1 {
      %0 = func.call @count() : () -> index
      memref.alloca_scope  {
        %alloca_0 = memref.alloca(%0) : memref<?xi64>
        func.call @use(%alloca) : (memref<?xi64>) -> ()
        func.call @use(%alloca_0) : (memref<?xi64>) -> ()
      }
    }
    return
  }
}
// -----
func.func private @use(memref<?xi64>)
func.func @hoisted_twice(%n: index, %c: i1) {
  scf.if %c {
   scf.if %c {
    memref.alloca_scope {
      %a = memref.alloca(%n) : memref<?xi64>
      scf.if %c {
        %d = memref.alloca(%n) : memref<?xi64>
        func.call @use(%d) : (memref<?xi64>) -> ()
      }
      func.call @use(%a) : (memref<?xi64>) -> ()
    }
   }
  }
  return
}
// =>
module {
  func.func private @use(memref<?xi64>)
  func.func @hoisted_twice(%arg0: index, %arg1: i1) {
    %alloca = memref.alloca(%arg0) : memref<?xi64>
    %alloca_0 = memref.alloca(%arg0) : memref<?xi64>
    scf.if %arg1 {
      memref.alloca_scope  {
        func.call @use(%alloca_0) : (memref<?xi64>) -> ()
        func.call @use(%alloca) : (memref<?xi64>) -> ()
      }
    }
    return
  }
}
// -----
func.func private @use(memref<?xi64>)
func.func private @count() -> index
func.func @not_last(%n: index, %c: i1) {
  scf.if %c {
    memref.alloca_scope {
      %a = memref.alloca(%n) : memref<?xi64>
      func.call @use(%a) : (memref<?xi64>) -> ()
    }
  }
  func.call @count() : () -> index
  return
}
// =>
module {
  func.func private @use(memref<?xi64>)
  func.func private @count() -> index
  func.func @not_last(%arg0: index, %arg1: i1) {
    scf.if %arg1 {
      memref.alloca_scope  {
        %alloca = memref.alloca(%arg0) : memref<?xi64>
        func.call @use(%alloca) : (memref<?xi64>) -> ()
      }
    }
    %0 = call @count() : () -> index
    return
  }
}
// -----
func.func private @use(memref<?xi64>)
func.func @in_loop(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.alloca_scope {
      %a = memref.alloca(%n) : memref<?xi64>
      scf.for %j = %c0 to %n step %c1 {
        %d = memref.alloca(%n) : memref<?xi64>
        func.call @use(%d) : (memref<?xi64>) -> ()
      }
      func.call @use(%a) : (memref<?xi64>) -> ()
    }
  }
  return
}
// =>
module {
  func.func private @use(memref<?xi64>)
  func.func @in_loop(%arg0: index, %arg1: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      %alloca = memref.alloca(%arg0) : memref<?xi64>
      scf.for %arg3 = %c0 to %arg0 step %c1 {
        %alloca_0 = memref.alloca(%arg0) : memref<?xi64>
        func.call @use(%alloca_0) : (memref<?xi64>) -> ()
      }
      func.call @use(%alloca) : (memref<?xi64>) -> ()
    }
    return
  }
}
// -----
func.func private @use(memref<?xi64>)
func.func @if_in_parallel(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.if %c {
      memref.alloca_scope {
        %a = memref.alloca(%n) : memref<?xi64>
        %b = memref.alloca(%i) : memref<?xi64>
        func.call @use(%a) : (memref<?xi64>) -> ()
        func.call @use(%b) : (memref<?xi64>) -> ()
      }
    }
  }
  return
}
// =>
module {
  func.func private @use(memref<?xi64>)
  func.func @if_in_parallel(%arg0: index, %arg1: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%arg2) = (%c0) to (%arg0) step (%c1) {
      %alloca = memref.alloca(%arg0) : memref<?xi64>
      %alloca_0 = memref.alloca(%arg2) : memref<?xi64>
      scf.if %arg1 {
        memref.alloca_scope  {
          func.call @use(%alloca) : (memref<?xi64>) -> ()
          func.call @use(%alloca_0) : (memref<?xi64>) -> ()
        }
      }
      scf.reduce 
    }
    return
  }
}
// -----
/// mlir-opt does not know which dimensions a subview with steps drops.
func.func @f(%i: index, %a: memref<5x1x5x3xf64>) -> (memref<2x1x2xf64, strided<[30, 15, 1]>>, memref<2x1x2xf64, strided<[30, 15, 1], offset: ?>>) {
  %c = memref.cast %a : memref<5x1x5x3xf64> to memref<?x1x5x3xf64>
  %s = memref.subview %c[0, 0, 0, 0] [2, 1, 1, 2] [2, 1, 2, 1] : memref<?x1x5x3xf64> to memref<2x1x2xf64, strided<[30, 15, 1]>>
  %s1 = memref.subview %c[0, %i, 0, 0] [2, 1, 1, 2] [2, 1, 2, 1] : memref<?x1x5x3xf64> to memref<2x1x2xf64, strided<[30, 15, 1], offset: ?>>
  return %s, %s1 : memref<2x1x2xf64, strided<[30, 15, 1]>>, memref<2x1x2xf64, strided<[30, 15, 1], offset: ?>>
}
func.func @g(%i: index, %a: memref<5x1x5x3xf64>) -> (memref<2x1x2xf64, strided<[15, 15, 1]>>, memref<2x1x1x2xf64, strided<[30, 15, 6, 1]>>, memref<1x2xf64, strided<[3,1]>>) {
  %c = memref.cast %a : memref<5x1x5x3xf64> to memref<?x1x5x3xf64>
  %s = memref.subview %c[0, 0, 0, 0] [2, 1, 1, 2] [1, 1, 1, 1] : memref<?x1x5x3xf64> to memref<2x1x2xf64, strided<[15, 15, 1]>>
  %s1 = memref.subview %c[0, 0, 0, 0] [2, 1, 1, 2] [2, 1, 2, 1] : memref<?x1x5x3xf64> to memref<2x1x1x2xf64, strided<[30, 15, 6, 1]>>
  %s2 = memref.subview %c[0, 0, 0, 0] [1, 1, 1, 2] [1, 1, 1, 1] : memref<?x1x5x3xf64> to memref<1x2xf64, strided<[3, 1]>>
  return %s, %s1, %s2 : memref<2x1x2xf64, strided<[15, 15, 1]>>, memref<2x1x1x2xf64, strided<[30, 15, 6, 1]>>, memref<1x2xf64, strided<[3,1]>>
}
// =>
module {
  func.func @f(%arg0: index, %arg1: memref<5x1x5x3xf64>) -> (memref<2x1x2xf64, strided<[30, 15, 1]>>, memref<2x1x2xf64, strided<[30, 15, 1], offset: ?>>) {
    %cast = memref.cast %arg1 : memref<5x1x5x3xf64> to memref<?x1x5x3xf64>
    %subview = memref.subview %cast[0, 0, 0, 0] [2, 1, 1, 2] [2, 1, 2, 1] : memref<?x1x5x3xf64> to memref<2x1x2xf64, strided<[30, 15, 1]>>
    %subview_0 = memref.subview %cast[0, %arg0, 0, 0] [2, 1, 1, 2] [2, 1, 2, 1] : memref<?x1x5x3xf64> to memref<2x1x2xf64, strided<[30, 15, 1], offset: ?>>
    return %subview, %subview_0 : memref<2x1x2xf64, strided<[30, 15, 1]>>, memref<2x1x2xf64, strided<[30, 15, 1], offset: ?>>
  }
  func.func @g(%arg0: index, %arg1: memref<5x1x5x3xf64>) -> (memref<2x1x2xf64, strided<[15, 15, 1]>>, memref<2x1x1x2xf64, strided<[30, 15, 6, 1]>>, memref<1x2xf64, strided<[3, 1]>>) {
    %subview = memref.subview %arg1[0, 0, 0, 0] [2, 1, 1, 2] [1, 1, 1, 1] : memref<5x1x5x3xf64> to memref<2x1x2xf64, strided<[15, 15, 1]>>
    %subview_0 = memref.subview %arg1[0, 0, 0, 0] [2, 1, 1, 2] [2, 1, 2, 1] : memref<5x1x5x3xf64> to memref<2x1x1x2xf64, strided<[30, 15, 6, 1]>>
    %subview_1 = memref.subview %arg1[0, 0, 0, 0] [1, 1, 1, 2] [1, 1, 1, 1] : memref<5x1x5x3xf64> to memref<1x2xf64, strided<[3, 1]>>
    return %subview, %subview_0, %subview_1 : memref<2x1x2xf64, strided<[15, 15, 1]>>, memref<2x1x1x2xf64, strided<[30, 15, 6, 1]>>, memref<1x2xf64, strided<[3, 1]>>
  }
}
// -----
func.func @f(%a: memref<29xi16>, %b: memref<?xi16>, %n: index) -> (index, index, index, index) {
    %idx28 = index.constant 28
    %c29 = arith.constant 29 : index
    %c0 = arith.constant 0 : index
    %cast = memref.cast %a : memref<29xi16> to memref<?xi16>
    %dim = memref.dim %cast, %idx28 : memref<?xi16>
    %dim1 = memref.dim %cast, %c29 : memref<?xi16>
    %dim2 = memref.dim %cast, %n : memref<?xi16>
    %cast1 = memref.cast %b : memref<?xi16> to memref<?xi16, strided<[1], offset: ?>>
    %dim3 = memref.dim %cast1, %c0 : memref<?xi16, strided<[1], offset: ?>>
    return %dim, %dim1, %dim2, %dim3 : index, index, index, index
}
func.func @unranked(%a: memref<29xi16>, %n: index) -> (index, index) {
    %c0 = arith.constant 0 : index
    %cast = memref.cast %a : memref<29xi16> to memref<*xi16>
    %dim = memref.dim %cast, %c0 : memref<*xi16>
    %dim1 = memref.dim %cast, %n : memref<*xi16>
    return %dim, %dim1 : index, index
}
func.func @alias(%a: memref<29xi16>, %n: index) -> (index, index) {
    %cast = memref.cast %a : memref<29xi16> to memref<?xi16>
    %dim1 = memref.dim %cast, %n : memref<?xi16>
    %cast2 = memref.cast %a : memref<29xi16> to memref<29xi16, strided<[?], offset: ?>>
    %dim2 = memref.dim %cast2, %n : memref<29xi16, strided<[?], offset: ?>>
    return %dim1, %dim2 : index, index
}
// =>
module {
  func.func @f(%arg0: memref<29xi16>, %arg1: memref<?xi16>, %arg2: index) -> (index, index, index, index) {
    %idx28 = index.constant 28
    %c29 = arith.constant 29 : index
    %c0 = arith.constant 0 : index
    %cast = memref.cast %arg0 : memref<29xi16> to memref<?xi16>
    %dim = memref.dim %cast, %idx28 : memref<?xi16>
    %dim_0 = memref.dim %cast, %c29 : memref<?xi16>
    %dim_1 = memref.dim %cast, %arg2 : memref<?xi16>
    %dim_2 = memref.dim %arg1, %c0 : memref<?xi16>
    return %dim, %dim_0, %dim_1, %dim_2 : index, index, index, index
  }
  func.func @unranked(%arg0: memref<29xi16>, %arg1: index) -> (index, index) {
    %c0 = arith.constant 0 : index
    %cast = memref.cast %arg0 : memref<29xi16> to memref<*xi16>
    %dim = memref.dim %cast, %c0 : memref<*xi16>
    %dim_0 = memref.dim %cast, %arg1 : memref<*xi16>
    return %dim, %dim_0 : index, index
  }
  func.func @alias(%arg0: memref<29xi16>, %arg1: index) -> (index, index) {
    %cast = memref.cast %arg0 : memref<29xi16> to memref<?xi16>
    %dim = memref.dim %cast, %arg1 : memref<?xi16>
    %cast_0 = memref.cast %arg0 : memref<29xi16> to memref<29xi16, strided<[?], offset: ?>>
    %dim_1 = memref.dim %cast_0, %arg1 : memref<29xi16, strided<[?], offset: ?>>
    return %dim, %dim_1 : index, index
  }
}
