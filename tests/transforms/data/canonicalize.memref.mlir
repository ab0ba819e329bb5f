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
