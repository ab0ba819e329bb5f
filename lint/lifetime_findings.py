"""Lint findings of lifetimes: leaks, double frees, uses after free, stack growth."""

from __future__ import annotations

from ..ir.source.pages import Documented


class LintKind(Documented):
    """Something that lint finds."""

    command = ("lint",)


class NeverFreed(LintKind):
    """An allocation is never freed.

    Nothing frees the buffer, the function does not return it, and its address does not escape.

    Why: The memory is lost each time the function runs.

    Fix (safe): Run -buffer-deallocation-pipeline, or -buffer-deallocation-static, which takes programs that the other refuses.

    Example:
        func.func @f(%f: f32, %n: index) {
          %a = memref.alloc(%n) : memref<?xf32>
          linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
          return
        }

    Instead:
        func.func @f(%f: f32, %n: index) {
          %a = memref.alloc(%n) : memref<?xf32>
          linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
          memref.dealloc %a : memref<?xf32>
          return
        }
    """

    id = "never-freed"
    rules = ("lifetimes.F1",)


class FreedOnSomePaths(LintKind):
    """An allocation is freed on some paths only.

    On one path from a branch nothing frees the buffer any more, the function does not return it, and its address does not escape.

    Why: The memory is lost whenever control takes that path.

    Fix (safe): Free the buffer on that path too, or once, where the paths meet again; -buffer-deallocation-static does so.

    Example:
        func.func @f(%n: index, %c: i1) {
          %a = memref.alloc(%n) : memref<?xf32>
          scf.if %c {
            memref.dealloc %a : memref<?xf32>
          }
          return
        }

    Instead:
        func.func @f(%n: index, %c: i1) {
          %a = memref.alloc(%n) : memref<?xf32>
          scf.if %c {
            memref.dealloc %a : memref<?xf32>
          } else {
            memref.dealloc %a : memref<?xf32>
          }
          return
        }
    """

    id = "freed-on-some-paths"
    rules = ("lifetimes.F3",)


class FreedBeforeDeallocation(LintKind):
    """Some buffers are freed by hand, others are not freed.

    A free by hand stands beside an allocation that nothing frees.

    Why: -buffer-deallocation-pipeline refuses programs that free buffers already, so the others stay unfreed.

    Fix (safe): Run -buffer-deallocation-static, which understands frees by hand; or remove the frees; or mark them and their allocations
    with bufferization.manual_deallocation.

    Example:
        func.func @f(%f: f32, %n: index) {
          %a = memref.alloc(%n) : memref<?xf32>
          linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
          %b = memref.alloc(%n) : memref<?xf32>
          linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
          memref.dealloc %a : memref<?xf32>
          return
        }

    Instead:
        func.func @f(%f: f32, %n: index) {
          %a = memref.alloc(%n) : memref<?xf32>
          linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
          %b = memref.alloc(%n) : memref<?xf32>
          linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
          memref.dealloc %a : memref<?xf32>
          memref.dealloc %b : memref<?xf32>
          return
        }
    """

    id = "freed-before-deallocation"
    rules = ("lifetimes.F2",)


class FreedInLoop(LintKind):
    """A buffer from outside a loop is freed inside.

    The body runs the free in each iteration, and the buffer is allocated once.

    Why: The second iteration would use it and free it again.

    Fix (by hand): Free the buffer after the loop. Where allocations were moved out of the loop after frees had been placed, run
    -buffer-loop-hoisting before deallocation.

    Example:
        func.func @f(%n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %a = memref.alloc(%n) : memref<?xf32>
          scf.for %i = %c0 to %n step %c1 {
            memref.dealloc %a : memref<?xf32>
          }
          return
        }

    Instead:
        func.func @f(%n: index, %f: f32) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %a = memref.alloc(%n) : memref<?xf32>
          scf.for %i = %c0 to %n step %c1 {
            memref.store %f, %a[%i] : memref<?xf32>
          }
          memref.dealloc %a : memref<?xf32>
          return
        }
    """

    id = "freed-in-loop"
    rules = ("lifetimes.F5",)


class DroppedInLoop(LintKind):
    """A loop drops the buffer that the previous iteration allocated.

    Control comes back to an allocation before anything frees the buffer that it made the last time: in a loop, or in a cycle of blocks.

    Why: All buffers but the last leak.

    Fix (by hand): Free the buffer that the iteration was given after its last use, or write to it instead of allocating.

    Example:
        func.func @f(%n: index, %i: index) -> f32 {
          %a = memref.alloc(%n) : memref<?xf32>
          %r = scf.for %k = %i to %n step %n iter_args(%m = %a) -> (memref<?xf32>) {
            %b = memref.alloc(%n) : memref<?xf32>
            memref.copy %m, %b : memref<?xf32> to memref<?xf32>
            scf.yield %b : memref<?xf32>
          }
          %v = memref.load %r[%i] : memref<?xf32>
          memref.dealloc %r : memref<?xf32>
          return %v : f32
        }

    Instead:
        func.func @f(%n: index, %i: index) -> f32 {
          %a = memref.alloc(%n) : memref<?xf32>
          %r = scf.for %k = %i to %n step %n iter_args(%m = %a) -> (memref<?xf32>) {
            %b = memref.alloc(%n) : memref<?xf32>
            memref.copy %m, %b : memref<?xf32> to memref<?xf32>
            memref.dealloc %m : memref<?xf32>
            scf.yield %b : memref<?xf32>
          }
          %v = memref.load %r[%i] : memref<?xf32>
          memref.dealloc %r : memref<?xf32>
          return %v : f32
        }
    """

    id = "dropped-in-loop"
    rules = ("lifetimes.F8",)


class FreedTwice(LintKind):
    """A buffer is freed twice.

    Both frees run on one path: one after the other, in a branch and after it, or in a callee and in its caller.

    Why: The second free is undefined behaviour.

    Fix (by hand): Remove one of the two. Deallocation must run once, on a program without frees.

    Example:
        func.func @f(%n: index, %c: i1) {
          %a = memref.alloc(%n) : memref<?xf32>
          scf.if %c {
            memref.dealloc %a : memref<?xf32>
          }
          memref.dealloc %a : memref<?xf32>
          return
        }

    Instead:
        func.func @f(%n: index, %c: i1) {
          %a = memref.alloc(%n) : memref<?xf32>
          memref.dealloc %a : memref<?xf32>
          return
        }
    """

    id = "freed-twice"
    rules = ("lifetimes.F6",)


class UsedAfterFree(LintKind):
    """A buffer is used after it was freed.

    The use comes after the free on a path that runs both.

    Why: The memory may belong to somebody else by then.

    Fix (by hand): Free the buffer after its last use.

    Example:
        func.func @f(%n: index, %i: index) -> f32 {
          %a = memref.alloc(%n) : memref<?xf32>
          memref.dealloc %a : memref<?xf32>
          %x = memref.load %a[%i] : memref<?xf32>
          return %x : f32
        }

    Instead:
        func.func @f(%n: index, %i: index) -> f32 {
          %a = memref.alloc(%n) : memref<?xf32>
          %x = memref.load %a[%i] : memref<?xf32>
          memref.dealloc %a : memref<?xf32>
          return %x : f32
        }
    """

    id = "used-after-free"
    rules = ("lifetimes.F7", "lifetimes.F12")


class InvalidFree(LintKind):
    """Something is freed that was not allocated so.

    What is freed is stack memory, a global, or a view that need not begin where its buffer does.

    Why: Only what memref.alloc gives may be freed, once and as a whole: the allocator would be given an address that it does not know.

    Fix (by hand): Free the buffer itself; leave out frees of stack memory and of globals.

    Example:
        func.func @f(%f: f32, %i: index) {
          %a = memref.alloca() : memref<4xf32>
          memref.store %f, %a[%i] : memref<4xf32>
          memref.dealloc %a : memref<4xf32>
          return
        }

    Instead:
        func.func @f(%f: f32, %i: index) {
          %a = memref.alloca() : memref<4xf32>
          memref.store %f, %a[%i] : memref<4xf32>
          return
        }
    """

    id = "invalid-free"
    rules = ("lifetimes.F9", "lifetimes.F10")


class StackEscapes(LintKind):
    """Stack memory leaves its scope.

    What memref.alloca gives is returned from the function, or yielded from the scope, that gives it back; or its address is stored in
    memory that is there for longer.

    Why: The memory is used again for something else as soon as the scope ends.

    Fix (by hand): Allocate it by memref.alloc, whose caller then frees it, or write to a buffer that the caller passes.

    Example:
        func.func @f(%f: f32, %i: index) -> memref<4xf32> {
          %a = memref.alloca() : memref<4xf32>
          memref.store %f, %a[%i] : memref<4xf32>
          return %a : memref<4xf32>
        }

    Instead:
        func.func @f(%f: f32, %i: index) -> memref<4xf32> {
          %a = memref.alloc() : memref<4xf32>
          memref.store %f, %a[%i] : memref<4xf32>
          return %a : memref<4xf32>
        }
    """

    id = "stack-escapes"
    rules = ("lifetimes.F11",)


class LeftInMemory(LintKind):
    """A buffer is left to whoever reads its address.

    Its address is stored in memory that the function does not own, and nothing in the program frees what is loaded from there.

    Why: The buffer cannot be on the stack, and it leaks unless somebody outside of the program frees it.

    Fix (by hand): Free it where its address is loaded for the last time, or return it instead.

    Example:
        func.func @f(%box: memref<memref<4xf32>>) {
          %a = memref.alloc() : memref<4xf32>
          memref.store %a, %box[] : memref<memref<4xf32>>
          return
        }

    Instead:
        func.func @f() -> memref<4xf32> {
          %a = memref.alloc() : memref<4xf32>
          return %a : memref<4xf32>
        }
    """

    id = "left-in-memory"
    rules = ("lifetimes.F13",)


class StackGrows(LintKind):
    """Stack memory is taken again in each iteration.

    memref.alloca gives memory until the scope around it ends, and control comes back to it before.

    Why: The stack grows with each iteration, until it overflows.

    Fix (safe): Allocate before the loop, or put memref.alloca_scope around what uses the buffer.

    Example:
        func.func @f(%f: f32, %i: index, %c: i1) {
          cf.br ^again
        ^again:
          %a = memref.alloca() : memref<4xf32>
          memref.store %f, %a[%i] : memref<4xf32>
          cf.cond_br %c, ^again, ^done
        ^done:
          return
        }

    Instead:
        func.func @f(%f: f32, %i: index, %c: i1) {
          %a = memref.alloca() : memref<4xf32>
          cf.br ^again
        ^again:
          memref.store %f, %a[%i] : memref<4xf32>
          cf.cond_br %c, ^again, ^done
        ^done:
          return
        }
    """

    id = "stack-grows"
    rules = ("pipelines.A4",)
