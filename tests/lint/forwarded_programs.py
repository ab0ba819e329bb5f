"""Frees of buffers that loops, calls and branches forward: initial values freed by the first iteration, results that are an argument,
one of two buffers."""

_LOOP = """\
func.func @f(%n: index, %o: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %o, %a : memref<4xf32> to memref<4xf32>
  %r = scf.for %i = %c0 to END step %c1 iter_args(%s = %a) -> memref<4xf32> {
    %b = memref.alloc() : memref<4xf32>
    linalg.exp ins(%s : memref<4xf32>) outs(%b : memref<4xf32>)
    memref.dealloc %s : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  THEN
  memref.dealloc %r : memref<4xf32>
  return
}
"""
"""A loop that frees in each iteration what the one before allocated; the first one frees `%a`."""


def _loop(then: str, end: str = "%n") -> str:
    return _LOOP.replace("THEN", then).replace("END", end)


_READ = "memref.copy %a, %o : memref<4xf32> to memref<4xf32> // "

FORWARDED = {
    "a loop frees its initial value, which is read later": _loop(_READ + "warning[used-after-free]"),
    "a loop frees its initial value, which is freed later": _loop(
        "memref.dealloc %a : memref<4xf32> // warning[freed-twice]"
    ),
    "a loop that surely runs frees its initial value": _loop(_READ + "error[used-after-free]", "%c1"),
    "a loop frees what it receives, and its result is read": _loop(
        "memref.copy %r, %o : memref<4xf32> to memref<4xf32>"
    ),
    "a while loop frees its initial value, which is freed later": """\
func.func @f(%n: index, %o: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %o, %a : memref<4xf32> to memref<4xf32>
  %r:2 = scf.while (%i = %c0, %s = %a) : (index, memref<4xf32>) -> (index, memref<4xf32>) {
    %c = arith.cmpi ult, %i, %n : index
    scf.condition(%c) %i, %s : index, memref<4xf32>
  } do {
  ^bb0(%i: index, %s: memref<4xf32>):
    %b = memref.alloc() : memref<4xf32>
    linalg.exp ins(%s : memref<4xf32>) outs(%b : memref<4xf32>)
    memref.dealloc %s : memref<4xf32>
    %i1 = arith.addi %i, %c1 : index
    scf.yield %i1, %b : index, memref<4xf32>
  }
  memref.copy %r#1, %o : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32> // warning[freed-twice]
  memref.dealloc %r#1 : memref<4xf32>
  return
}
""",
    "two results of a call are one buffer": """\
func.func @f(%o: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %o, %a : memref<4xf32> to memref<4xf32>
  return %a, %a : memref<4xf32>, memref<4xf32>
}
func.func @g(%o: memref<4xf32>) {
  %r:2 = call @f(%o) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  memref.copy %r#0, %o : memref<4xf32> to memref<4xf32>
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32> // error[freed-twice]
  return
}
""",
    "a call returns its argument, which is read after that is freed": """\
func.func private @id(%m: memref<4xf32>) -> memref<?xf32> {
  %v = memref.cast %m : memref<4xf32> to memref<?xf32>
  return %v : memref<?xf32>
}
func.func @g(%o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %o, %a : memref<4xf32> to memref<4xf32>
  %r = call @id(%a) : (memref<4xf32>) -> memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  memref.copy %a, %o : memref<4xf32> to memref<4xf32> // error[used-after-free]
  return
}
""",
    "a call says by a flag whether its result is owned": """\
func.func private @id(%m: memref<4xf32>) -> (memref<4xf32>, i1) {
  %false = arith.constant false
  return %m, %false : memref<4xf32>, i1
}
func.func @g(%o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %o, %a : memref<4xf32> to memref<4xf32>
  %r:2 = call @id(%a) : (memref<4xf32>) -> (memref<4xf32>, i1)
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<4xf32>
  }
  memref.copy %a, %o : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
""",
    "a call returns what it has freed": """\
func.func private @f(%o: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %o, %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %a : memref<4xf32> // error[used-after-free]
}
func.func @g(%o: memref<4xf32>) {
  %r = call @f(%o) : (memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  return
}
""",
    "a branch passes on one of two buffers, and only that is freed": """\
func.func @f(%c: i1, %n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.if %c -> (memref<?xf32>) { // warning[freed-on-some-paths]
    %b = memref.alloc(%n) : memref<?xf32>
    scf.yield %b : memref<?xf32>
  } else {
    scf.yield %a : memref<?xf32>
  }
  memref.dealloc %r : memref<?xf32>
  return
}
""",
    "a branch frees the buffer that it does not pass on": """\
func.func @f(%c: i1, %n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.if %c -> (memref<?xf32>) {
    memref.dealloc %a : memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    scf.yield %b : memref<?xf32>
  } else {
    scf.yield %a : memref<?xf32>
  }
  memref.dealloc %r : memref<?xf32>
  return
}
""",
    "two buffers change places in a branch, and both are released": """\
func.func @f(%c: i1, %n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %r:2 = scf.if %c -> (memref<?xf32>, memref<?xf32>) {
    scf.yield %a, %b : memref<?xf32>, memref<?xf32>
  } else {
    scf.yield %b, %a : memref<?xf32>, memref<?xf32>
  }
  memref.dealloc %r#0 : memref<?xf32>
  return %r#1 : memref<?xf32>
}
""",
}
