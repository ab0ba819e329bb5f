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

_TWO = """\
func.func @f(%c: i1, %n: index, %v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
"""
"""Two buffers, of which one goes on."""

_SELECT = "  %s = arith.select %c, %a, %b : memref<4xf32>MARK\n"
_BRANCH = """\
  cf.cond_br %c, ^bb1(%a, %b : memref<4xf32>, memref<4xf32>), ^bb1(%b, %a : memref<4xf32>, memref<4xf32>)MARK
^bb1(%s: memref<4xf32>, %o: memref<4xf32>):
"""
_ROTATION = """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to END step %c1 iter_args(%s = %a, %o = %b) -> (memref<4xf32>, memref<4xf32>) {MARK
    memref.store %v, %s[%i] : memref<4xf32>
    scf.yield %o, %s : memref<4xf32>, memref<4xf32>
  }
"""
_LOST = " // warning[freed-on-some-paths] warning[freed-on-some-paths]"
_LOST_ONE = " // warning[freed-on-some-paths]"


def _chosen(join: str, freed: str, mark: str = "", end: str = "%n") -> str:
    """A program that joins two buffers, and frees what each line of `freed` names before its mark."""
    frees = (line.partition(" ") for line in freed.split("; "))
    text = "".join(
        f"  memref.dealloc {name} : memref<4xf32>{' // ' + said if said else ''}\n" for name, _, said in frees
    )
    return _TWO + join.replace("MARK", mark).replace("END", end) + text + "  return\n}\n"


_OTHER = "  %o = arith.select %c, %b, %a : memref<4xf32>\n"
_NEGATED = """\
  %true = arith.constant true
  %no = arith.xori %c, %true : i1
  %o = arith.select %no, %a, %b : memref<4xf32>
"""
FORWARDED |= {
    "one of two buffers is freed": _chosen(_SELECT, "%s", _LOST),
    "one of two buffers is freed, and then the first": _chosen(
        _SELECT, "%s; %a error[freed-twice]", _LOST_ONE
    ),
    "one of two buffers is freed, and then both": _chosen(
        _SELECT, "%s; %a error[freed-twice]; %b error[freed-twice]"
    ),
    "one of two buffers is freed after both": _chosen(_SELECT, "%a; %b; %s error[freed-twice]"),
    "both choices between two buffers are freed": _chosen(_SELECT + _OTHER, "%s; %o"),
    "the choice on a condition and that on its negation are freed": _chosen(_SELECT + _NEGATED, "%o; %s"),
    "one of two buffers is read after it was freed": _TWO
    + _SELECT.replace("MARK", "")
    + """\
  memref.dealloc %a : memref<4xf32>
  memref.store %v, %s[%i] : memref<4xf32> // error[used-after-free]
  memref.dealloc %b : memref<4xf32>
  return
}
""",
    "blocks pass on two buffers in either order, and both are freed": _chosen(_BRANCH, "%s; %o"),
    "blocks pass on one of two buffers, which is freed": _chosen(_BRANCH, "%s", _LOST),
    "blocks pass on one of two buffers, which is freed, then the first": _chosen(
        _BRANCH, "%s; %a error[freed-twice]", _LOST_ONE
    ),
    "a loop rotates buffers, and both results are freed": _chosen(_ROTATION, "%r#0; %r#1"),
    "a loop rotates buffers, and both initial values are freed": _chosen(_ROTATION, "%a; %b"),
    "a loop rotates buffers, and one result and one initial value are freed": _chosen(
        _ROTATION, "%r#0; %a warning[freed-twice]", _LOST_ONE
    ),
    "a loop that runs once rotates buffers, and the right ones are freed": _chosen(
        _ROTATION, "%r#0; %a", end="%c1"
    ),
    "two branches on one condition agree": _TWO
    + """\
  %s = scf.if %c -> memref<4xf32> {
    memref.dealloc %b : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    memref.dealloc %a : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  scf.if %c {
    memref.store %v, %a[%i] : memref<4xf32>
  }
  memref.dealloc %s : memref<4xf32>
  return
}
""",
    "a condition on what another condition reads decides nothing that is certain": """\
func.func @f(%n: index, %v: f32, %i: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %small = arith.cmpi ult, %n, %c4 : index
  %large = arith.cmpi ugt, %n, %c8 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %small, %a, %b : memref<4xf32>
  memref.dealloc %s : memref<4xf32>
  scf.if %large {
    memref.dealloc %a : memref<4xf32>
  } else {
    "use"() : () -> ()
  }
  return
}
""",
    "a branch returns a flag that says whether its result is new": """\
func.func @f(%c: i1, %v: f32, %i: index) {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %s, %own = scf.if %c -> (memref<4xf32>, i1) {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b, %true : memref<4xf32>, i1
  } else {
    scf.yield %a, %false : memref<4xf32>, i1
  }
  memref.store %v, %s[%i] : memref<4xf32>
  scf.if %own {
    memref.dealloc %s : memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}
""",
    "a switch passes on one of two buffers": """\
func.func @f(%k: index, %v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = scf.index_switch %k -> memref<4xf32> // warning[freed-on-some-paths]
  case 1 {
    scf.yield %a : memref<4xf32>
  }
  default {
    scf.yield %b : memref<4xf32>
  }
  memref.dealloc %s : memref<4xf32>
  memref.dealloc %b : memref<4xf32> // error[freed-twice]
  return
}
""",
    "the address and the size of a buffer are asked for after it was freed": """\
func.func @f(%c: i1, %n: index, %q: memref<?xf32>) -> (i1, index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    memref.dealloc %a : memref<?xf32>
  } else {
    memref.dealloc %a : memref<?xf32>
  }
  %p = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
  %r = memref.extract_aligned_pointer_as_index %q : memref<?xf32> -> index
  %same = arith.cmpi eq, %p, %r : index
  %d = memref.dim %a, %c0 : memref<?xf32>
  return %same, %d : i1, index
}
""",
    "a while loop passes on a buffer, which is freed with its result": """\
func.func @f(%c: i1, %d: i1, %n: index, %v: f32, %i: index, %o: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %r:2 = scf.while (%k = %c0, %x = %a) : (index, memref<4xf32>) -> (index, memref<4xf32>) {
    %t = arith.cmpi ult, %k, %n : index
    scf.condition(%t) %k, %x : index, memref<4xf32>
  } do {
  ^bb0(%k: index, %x: memref<4xf32>):
    memref.store %v, %x[%i] : memref<4xf32>
    %k1 = arith.addi %k, %c1 : index
    scf.yield %k1, %x : index, memref<4xf32>
  }
  memref.dealloc %r#1 : memref<4xf32>
  memref.dealloc %a : memref<4xf32> // error[freed-twice]
  return
}
""",
    "a while loop swaps buffers, of which one is freed": """\
func.func @f(%c: i1, %d: i1, %n: index, %v: f32, %i: index, %o: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  %r:3 = scf.while (%k = %c0, %x = %a, %y = %b) : (index, memref<4xf32>, memref<4xf32>) -> (index, memref<4xf32>, memref<4xf32>) { // warning[freed-on-some-paths] warning[freed-on-some-paths]
    %t = arith.cmpi ult, %k, %n : index
    scf.condition(%t) %k, %x, %y : index, memref<4xf32>, memref<4xf32>
  } do {
  ^bb0(%k: index, %x: memref<4xf32>, %y: memref<4xf32>):
    %k1 = arith.addi %k, %c1 : index
    scf.yield %k1, %y, %x : index, memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %r#1 : memref<4xf32>
  return
}
""",
    "a while loop frees what it received, and its result": """\
func.func @f(%c: i1, %d: i1, %n: index, %v: f32, %i: index, %o: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %r:2 = scf.while (%k = %c0, %x = %a) : (index, memref<4xf32>) -> (index, memref<4xf32>) {
    %t = arith.cmpi ult, %k, %n : index
    scf.condition(%t) %k, %x : index, memref<4xf32>
  } do {
  ^bb0(%k: index, %x: memref<4xf32>):
    %y = memref.alloc() : memref<4xf32>
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    memref.dealloc %x : memref<4xf32>
    %k1 = arith.addi %k, %c1 : index
    scf.yield %k1, %y : index, memref<4xf32>
  }
  memref.dealloc %r#1 : memref<4xf32>
  return
}
""",
    "blocks free a buffer on one condition twice": """\
func.func @f(%c: i1, %d: i1, %n: index, %v: f32, %i: index, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.cond_br %c, ^x, ^y // warning[freed-on-some-paths]
^x:
  memref.dealloc %a : memref<4xf32>
  cf.br ^y
^y:
  cf.cond_br %c, ^z, ^w
^z:
  memref.dealloc %a : memref<4xf32> // error[freed-twice]
  cf.br ^w
^w:
  return
}
""",
    "equal comparisons decide alike": """\
func.func @f(%c: i1, %d: i1, %n: index, %v: f32, %i: index, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  %t = arith.cmpi ult, %i, %n : index
  %s = arith.select %t, %a, %b : memref<4xf32>
  memref.dealloc %s : memref<4xf32>
  %u = arith.cmpi ult, %i, %n : index
  scf.if %u {
    memref.dealloc %b : memref<4xf32>
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
""",
    "nested branches pass on both buffers": """\
func.func @f(%c: i1, %d: i1, %n: index, %v: f32, %i: index, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  %s, %u = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    %q, %w = scf.if %d -> (memref<4xf32>, memref<4xf32>) {
      scf.yield %a, %b : memref<4xf32>, memref<4xf32>
    } else {
      scf.yield %b, %a : memref<4xf32>, memref<4xf32>
    }
    scf.yield %q, %w : memref<4xf32>, memref<4xf32>
  } else {
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %s : memref<4xf32>
  memref.dealloc %u : memref<4xf32>
  return
}
""",
    "a loop passes on a flag of ownership": """\
func.func @f(%c: i1, %d: i1, %n: index, %v: f32, %i: index, %o: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %z = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %o, %own = %false) -> (memref<4xf32>, i1) {
    %y = memref.alloc() : memref<4xf32>
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    scf.if %own {
      memref.dealloc %x : memref<4xf32>
    }
    scf.yield %y, %true : memref<4xf32>, i1
  }
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<4xf32>
  }
  memref.dealloc %z : memref<4xf32>
  return
}
""",
}
