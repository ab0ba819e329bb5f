"""Lint findings of lifetimes: leaks, double frees, uses after free, stack growth."""

from __future__ import annotations

from ..ir.source.pages import Documented


class LintKind(Documented):
    """Base of lint findings."""

    command = ("lint",)


class NeverFreed(LintKind):
    """An allocation is never freed.

    Nothing frees the buffer, the function does not return it, and its address does not escape.

    Why: Memory leaks each time the function runs.

    Fix (a pass): Run -buffer-deallocation-pipeline, or -buffer-deallocation-static, which accepts more programs.

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

    On one path after a branch, nothing frees the buffer, the function does not return it, and its address
    does not escape. Where a choice, a branch or a loop passes on one of several buffers, the others are the
    ones to free.

    Why: Memory leaks whenever control takes that path.

    Fix (by hand): Free the buffer on that path, too, or once where the paths join; -buffer-deallocation-static
    does so.

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
    rules = ("lifetimes.F3", "lifetimes.F14")


class FreedBeforeDeallocation(LintKind):
    """Some buffers are freed explicitly, others are not freed.

    The function contains explicit deallocations, and an allocation that nothing frees.

    Why: -buffer-deallocation-pipeline rejects programs that already free buffers, so the others leak.

    Fix (a pass): Run -buffer-deallocation-static, which supports explicit deallocations; or remove the
    deallocations; or mark them and their allocations with bufferization.manual_deallocation.

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

    Each iteration frees the buffer, but it is allocated only once.

    Why: The second iteration would use it and free it again.

    Fix (by hand): Free the buffer after the loop. If allocations were hoisted out of the loop after
    deallocation, run -buffer-loop-hoisting before deallocation instead.

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

    Control reaches an allocation again, in a loop or a cycle of blocks, before anything frees the previous buffer.

    Why: All buffers but the last leak.

    Fix (by hand): Free the buffer that the iteration receives after its last use, or write to it instead of
    allocating.

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

    Both deallocations run on one path: one after the other, in a branch and after it, or in a callee and its
    caller.

    Why: The second deallocation is undefined behaviour.

    Fix (by hand): Remove one of the two. Run deallocation passes once, on a program without deallocations.

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

    The use comes after the deallocation on some path.

    Why: The memory may have been reused by then.

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
    """A deallocation does not match the allocation.

    The freed memory is on the stack, belongs to a global, or is a view that may not start at the beginning of
    its buffer.

    Why: Only a buffer allocated by memref.alloc can be freed, once and as a whole; the allocator does not
    know any other address.

    Fix (by hand): Free the buffer itself, and do not free stack memory or globals.

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

    Memory allocated by memref.alloca is returned from the function, or yielded from the scope, that releases it; or its address is
    stored in memory that lives longer.

    Why: The memory may be reused as soon as the scope ends.

    Fix (by hand): Allocate it with memref.alloc and let the caller free it, or write to a buffer that the
    caller passes.

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

    Why: The buffer cannot be on the stack, and it leaks unless code outside the program frees it.

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
    """Stack memory is allocated in each iteration.

    Memory of memref.alloca is released when the enclosing scope ends, but a loop executes the allocation
    again before.

    Why: The stack grows with each iteration and may overflow.

    Fix (by hand): Allocate before the loop, or enclose the uses of the buffer in memref.alloca_scope.

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
