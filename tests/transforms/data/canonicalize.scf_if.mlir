func.func @one_after_another(%c: i1, %x: i32, %y: i32) -> (i32, i32, i32) {
  %0 = scf.if %c -> (i32) {
    %1 = "test.a"() : () -> i32
    scf.yield %1 : i32
  } else {
    %1 = "test.b"() : () -> i32
    scf.yield %1 : i32
  }
  %2:2 = scf.if %c -> (i32, i32) {
    %1 = "test.c"(%0) : (i32) -> i32
    scf.yield %1, %x : i32, i32
  } else {
    %1 = "test.d"(%0) : (i32) -> i32
    scf.yield %1, %y : i32, i32
  }
  return %0, %2#0, %2#1 : i32, i32, i32
}
func.func @negated_after(%c: i1) {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  scf.if %c {
    "test.a"() : () -> ()
  } else {
    "test.b"() : () -> ()
  }
  scf.if %n {
    "test.c"() : () -> ()
  } else {
    "test.d"() : () -> ()
  }
  return
}
func.func @without_else(%c: i1) {
  scf.if %c {
    "test.a"() : () -> ()
  }
  scf.if %c {
    "test.b"() : () -> ()
  } else {
    "test.c"() : () -> ()
  }
  scf.if %c {
    "test.d"() : () -> ()
  }
  return
}
func.func @not_and_without_else(%c: i1) {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  scf.if %c {
    "test.a"() : () -> ()
  }
  scf.if %n {
    "test.b"() : () -> ()
  }
  return
}
func.func @negated_result(%c: i1, %x: i32) -> i32 {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  scf.if %n {
    "test.a"() : () -> ()
  }
  %0 = scf.if %c -> i32 {
    %1 = "test.b"() : () -> i32
    scf.yield %1 : i32
  } else {
    scf.yield %x : i32
  }
  return %0 : i32
}
func.func @nested(%a: i1, %b: i1) {
  scf.if %a {
    scf.if %b {
      "test.a"() : () -> ()
    }
  }
  return
}
func.func @nested_yields(%a: i1, %b: i1, %x: i32) -> i32 {
  %0 = scf.if %a -> i32 {
    %1 = scf.if %b -> i32 {
      %2 = "test.a"() : () -> i32
      scf.yield %2 : i32
    } else {
      scf.yield %x : i32
    }
    scf.yield %1 : i32
  } else {
    scf.yield %x : i32
  }
  return %0 : i32
}
// =>
module {
  func.func @one_after_another(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %0 = arith.select %arg0, %arg1, %arg2 : i32
    %1:2 = scf.if %arg0 -> (i32, i32) {
      %2 = "test.a"() : () -> i32
      %3 = "test.c"(%2) : (i32) -> i32
      scf.yield %2, %3 : i32, i32
    } else {
      %2 = "test.b"() : () -> i32
      %3 = "test.d"(%2) : (i32) -> i32
      scf.yield %2, %3 : i32, i32
    }
    return %1#0, %1#1, %0 : i32, i32, i32
  }
  func.func @negated_after(%arg0: i1) {
    scf.if %arg0 {
      "test.a"() : () -> ()
      "test.d"() : () -> ()
    } else {
      "test.b"() : () -> ()
      "test.c"() : () -> ()
    }
    return
  }
  func.func @without_else(%arg0: i1) {
    scf.if %arg0 {
      "test.a"() : () -> ()
      "test.b"() : () -> ()
      "test.d"() : () -> ()
    } else {
      "test.c"() : () -> ()
    }
    return
  }
  func.func @not_and_without_else(%arg0: i1) {
    scf.if %arg0 {
      "test.a"() : () -> ()
    } else {
      "test.b"() : () -> ()
    }
    return
  }
  func.func @negated_result(%arg0: i1, %arg1: i32) -> i32 {
    %0 = scf.if %arg0 -> (i32) {
      %1 = "test.b"() : () -> i32
      scf.yield %1 : i32
    } else {
      "test.a"() : () -> ()
      scf.yield %arg1 : i32
    }
    return %0 : i32
  }
  func.func @nested(%arg0: i1, %arg1: i1) {
    %0 = arith.andi %arg0, %arg1 : i1
    scf.if %0 {
      "test.a"() : () -> ()
    }
    return
  }
  func.func @nested_yields(%arg0: i1, %arg1: i1, %arg2: i32) -> i32 {
    %0 = arith.andi %arg0, %arg1 : i1
    %1 = scf.if %0 -> (i32) {
      %2 = "test.a"() : () -> i32
      scf.yield %2 : i32
    } else {
      scf.yield %arg2 : i32
    }
    return %1 : i32
  }
}

