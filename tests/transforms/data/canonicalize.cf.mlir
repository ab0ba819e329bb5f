func.func @decided(%a: i32, %b: i32, %x: i32) -> i32 {
  %c = arith.constant 2 : i32
  cf.switch %c : i32, [
    default: ^bb1(%a : i32),
    1: ^bb2(%b : i32),
    2: ^bb3(%x : i32),
    3: ^bb1(%b : i32)
  ]
^bb1(%0: i32):
  "test.one"() : () -> ()
  return %0 : i32
^bb2(%1: i32):
  "test.two"() : () -> ()
  return %1 : i32
^bb3(%2: i32):
  "test.three"() : () -> ()
  return %2 : i32
}
func.func @decided_by_default(%a: i32, %b: i32) -> i32 {
  %c = arith.constant 7 : i32
  cf.switch %c : i32, [
    default: ^bb1(%a : i32),
    1: ^bb2(%b : i32)
  ]
^bb1(%0: i32):
  "test.one"() : () -> ()
  return %0 : i32
^bb2(%1: i32):
  "test.two"() : () -> ()
  return %1 : i32
}
func.func @decided_first(%a: i32, %b: i32) -> i32 {
  %c = arith.constant 1 : i32
  cf.switch %c : i32, [
    default: ^bb1(%a : i32),
    1: ^bb2(%b : i32),
    5: ^bb1(%b : i32)
  ]
^bb1(%0: i32):
  "test.one"() : () -> ()
  return %0 : i32
^bb2(%1: i32):
  "test.two"() : () -> ()
  return %1 : i32
}
func.func @same_as_default(%f: i32, %a: i32, %b: i32) -> i32 {
  cf.switch %f : i32, [
    default: ^bb1(%a : i32),
    1: ^bb1(%a : i32),
    2: ^bb2(%b : i32)
  ]
^bb1(%0: i32):
  "test.one"() : () -> ()
  return %0 : i32
^bb2(%1: i32):
  "test.two"() : () -> ()
  return %1 : i32
}
func.func @only_default(%f: i32, %a: i32) -> i32 {
  cf.switch %f : i32, [
    default: ^bb1(%a : i32)
  ]
^bb1(%0: i32):
  "test.one"() : () -> ()
  return %0 : i32
}
func.func @through_a_block(%f: i32, %a: i32, %b: i32) -> i32 {
  cf.switch %f : i32, [
    default: ^bb1(%a : i32),
    1: ^bb2(%b : i32),
    2: ^bb3
  ]
^bb1(%0: i32):
  cf.br ^bb4(%0 : i32)
^bb2(%1: i32):
  cf.br ^bb4(%a : i32)
^bb3:
  "test.three"() : () -> ()
  return %a : i32
^bb4(%2: i32):
  "test.four"() : () -> ()
  return %2 : i32
}
func.func @conditional(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^bb1(%a : i32), ^bb1(%b : i32)
^bb1(%0: i32):
  "test.one"() : () -> ()
  return %0 : i32
}
func.func @conditional_twice(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "test.one"(%c) : (i1) -> ()
  cf.cond_br %c, ^bb3, ^bb2
^bb2:
  "test.two"(%c) : (i1) -> ()
  return %a : i32
^bb3:
  "test.three"() : () -> ()
  return %a : i32
}
func.func @known(%a: i32) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^bb1, ^bb2
^bb1:
  "test.one"() : () -> ()
  return %a : i32
^bb2:
  "test.two"() : () -> ()
  return %a : i32
}
// =>
module {
  func.func @decided(%arg0: i32, %arg1: i32, %arg2: i32) -> i32 {
    "test.three"() : () -> ()
    return %arg2 : i32
  }
  func.func @decided_by_default(%arg0: i32, %arg1: i32) -> i32 {
    "test.one"() : () -> ()
    return %arg0 : i32
  }
  func.func @decided_first(%arg0: i32, %arg1: i32) -> i32 {
    "test.two"() : () -> ()
    return %arg1 : i32
  }
  func.func @same_as_default(%arg0: i32, %arg1: i32, %arg2: i32) -> i32 {
    cf.switch %arg0 : i32, [
      default: ^bb1(%arg1 : i32),
      2: ^bb2(%arg2 : i32)
    ]
  ^bb1(%0: i32):  // pred: ^bb0
    "test.one"() : () -> ()
    return %0 : i32
  ^bb2(%1: i32):  // pred: ^bb0
    "test.two"() : () -> ()
    return %1 : i32
  }
  func.func @only_default(%arg0: i32, %arg1: i32) -> i32 {
    "test.one"() : () -> ()
    return %arg1 : i32
  }
  func.func @through_a_block(%arg0: i32, %arg1: i32, %arg2: i32) -> i32 {
    cf.switch %arg0 : i32, [
      default: ^bb2(%arg1 : i32),
      2: ^bb1
    ]
  ^bb1:  // pred: ^bb0
    "test.three"() : () -> ()
    return %arg1 : i32
  ^bb2(%0: i32):  // pred: ^bb0
    "test.four"() : () -> ()
    return %0 : i32
  }
  func.func @conditional(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
    %0 = arith.select %arg0, %arg1, %arg2 : i32
    "test.one"() : () -> ()
    return %0 : i32
  }
  func.func @conditional_twice(%arg0: i1, %arg1: i32) -> i32 {
    %true = arith.constant true
    %false = arith.constant false
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    "test.one"(%true) : (i1) -> ()
    "test.three"() : () -> ()
    return %arg1 : i32
  ^bb2:  // pred: ^bb0
    "test.two"(%false) : (i1) -> ()
    return %arg1 : i32
  }
  func.func @known(%arg0: i32) -> i32 {
    "test.one"() : () -> ()
    return %arg0 : i32
  }
}

