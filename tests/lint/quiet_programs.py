"""Frees that look wrong, and are right: what no run uses, frees or leaks."""

QUIET = {
    "passed on after it was freed, and never accessed": """\
func.func @f(%c: i1, %a: memref<4xf32>, %f: f32, %i: index) -> f32 {
  cf.cond_br %c, ^own, ^given
^own:
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
  memref.dealloc %m : memref<4xf32>
  cf.br ^join(%m : memref<4xf32>)
^given:
  cf.br ^join(%a : memref<4xf32>)
^join(%x: memref<4xf32>):
  cf.cond_br %c, ^other, ^same
^other:
  cf.br ^end(%a : memref<4xf32>)
^same:
  cf.br ^end(%x : memref<4xf32>)
^end(%y: memref<4xf32>):
  %r = memref.load %y[%i] : memref<4xf32>
  return %r : f32
}
""",
    "an allocation under conditions that contradict each other": """\
func.func @f(%c: i1, %a: memref<4xf32>, %f: f32, %g: memref<4xf32>) {
  scf.if %c {
    %r = scf.if %c -> memref<4xf32> {
      scf.yield %a : memref<4xf32>
    } else {
      %m = memref.alloc() : memref<4xf32>  // remark[could-be-on-stack]
      scf.yield %m : memref<4xf32>
    }
    linalg.fill ins(%f : f32) outs(%r : memref<4xf32>)
  }
  cf.cond_br %c, ^then, ^end
^then:
  %r = scf.if %c -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  } else {
    %m = memref.alloc() : memref<4xf32>  // remark[could-be-on-stack]
    scf.yield %m : memref<4xf32>
  }
  linalg.fill ins(%f : f32) outs(%r : memref<4xf32>)
  cf.br ^end
^end:
  %false = arith.constant false
  scf.if %false {
    %m = memref.alloc() : memref<4xf32>  // remark[could-be-on-stack]
    linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
    memref.copy %m, %g : memref<4xf32> to memref<4xf32>
  }
  return
}
""",
    "one new buffer as two results": """\
func.func private @both(%f: f32) -> (memref<4xf32>, memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
  return %m, %m : memref<4xf32>, memref<4xf32>
}
func.func @f(%f: f32, %g: memref<4xf32>) {
  %r:2 = call @both(%f) : (f32) -> (memref<4xf32>, memref<4xf32>)
  memref.copy %r#1, %g : memref<4xf32> to memref<4xf32>
  memref.dealloc %r#0 : memref<4xf32>
  return
}
""",
    "a global that a flag keeps from being freed": """\
memref.global "private" constant @k : memref<4xf32> = dense<1.0>
func.func @f(%flags: memref<2xi1>, %i: index, %g: memref<4xf32>) {
  %m = memref.get_global @k : memref<4xf32>
  memref.copy %m, %g : memref<4xf32> to memref<4xf32>
  %own = memref.load %flags[%i] : memref<2xi1>
  scf.if %own {
    memref.dealloc %m : memref<4xf32>
  }
  return
}
func.func @blocks(%flags: memref<2xi1>, %i: index, %g: memref<4xf32>) {
  %m = memref.get_global @k : memref<4xf32>
  memref.copy %m, %g : memref<4xf32> to memref<4xf32>
  %own = memref.load %flags[%i] : memref<2xi1>
  cf.cond_br %own, ^free, ^end
^free:
  memref.dealloc %m : memref<4xf32>
  cf.br ^end
^end:
  return
}
func.func @any_condition(%c: i1) {
  %m = memref.get_global @k : memref<4xf32>
  scf.if %c {
    memref.dealloc %m : memref<4xf32>  // error[invalid-free]
  }
  return
}
""",
    "a view of what an ownership flag frees": """\
func.func @f(%c: i1, %a: memref<4xf32>, %f: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
  %s = arith.select %c, %m, %a : memref<4xf32>
  %base, %o, %n, %t = memref.extract_strided_metadata %s : memref<4xf32> -> memref<f32>, index, index, index
  scf.if %c {
    memref.dealloc %base : memref<f32>
  } else {
    memref.dealloc %m : memref<4xf32>
  }
  %again, %p, %k, %u = memref.extract_strided_metadata %s : memref<4xf32> -> memref<f32>, index, index, index
  %x = memref.extract_aligned_pointer_as_index %again : memref<f32> -> index
  %y = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %is_other = arith.cmpi ne, %x, %y : index
  %d = arith.select %is_other, %a, %a : memref<4xf32>
  return %d : memref<4xf32>
}
""",
    "each iteration writes what a call returns": """\
func.func private @copied(%t: memref<4xf32>) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  return %m : memref<4xf32>
}
func.func @f(%t: memref<4xf32>, %f: f32) {
  scf.forall (%i) in (4) {
    %m = func.call @copied(%t) : (memref<4xf32>) -> memref<4xf32>
    linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
    memref.dealloc %m : memref<4xf32>
  }
  return
}
""",
    "each iteration writes its part, carried by a loop": """\
func.func @f(%t: memref<4x8xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (4) {
    %row = memref.subview %t[%i, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%r = %row) -> memref<8xf32, strided<[1], offset: ?>> {
      scf.yield %r : memref<8xf32, strided<[1], offset: ?>>
    }
    memref.store %f, %last[%c0] : memref<8xf32, strided<[1], offset: ?>>
  }
  return
}
""",
    "a flag that was loaded says whether a buffer is freed before it is read": """\
func.func @f(%flags: memref<2xi1>, %f: f32, %i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
  %free = memref.load %flags[%i] : memref<2xi1>
  scf.if %free {
    memref.dealloc %m : memref<4xf32>
  }
  %x = memref.load %m[%i] : memref<4xf32>
  %true = arith.constant true
  %keep = arith.xori %free, %true : i1
  scf.if %keep {
    memref.dealloc %m : memref<4xf32>
  }
  return %x : f32
}
""",
}
