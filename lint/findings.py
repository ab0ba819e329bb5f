"""Lint findings: one class each, whose docstring is its page. Lifetimes are in `lifetime_findings`.

`KINDS` lists all of them; SARIF's rules, the handbook and `bufferize explain ID` follow from it.
"""

from __future__ import annotations

import sys

from ..ir.source.pages import Documented, kinds_in
from . import lifetime_findings
from .lifetime_findings import LintKind


class EmptyTensorNotEliminated(LintKind):
    """A tensor.empty gets a buffer although its destination is known.

    A value is computed into a tensor.empty and then inserted elsewhere, so it is computed into a new buffer and copied.

    Why: One-Shot Bufferize does not look ahead to where a value goes.

    Fix (safe): Run -eliminate-empty-tensors before -one-shot-bufferize.

    Example:
        func.func @f(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
          %e = tensor.empty() : tensor<4xf32>
          %x = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
          %r = tensor.insert_slice %x into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
          return %r : tensor<8xf32>
        }

    Instead:
        func.func @f(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
          %e = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
          %x = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
          %r = tensor.insert_slice %x into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
          return %r : tensor<8xf32>
        }
    """

    id = "empty-tensor-not-eliminated"
    rules = ("pipelines.T1",)


class TensorBoundaryLeft(LintKind):
    """The program still goes from buffers to tensors or back.

    bufferization.to_tensor and to_buffer connect parts that were bufferized one by one.

    Why: They cannot be lowered.

    Fix (safe): Run -canonicalize, which removes pairs, or bufferize what uses the tensors.

    Example:
        func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
          %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
          %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
          return %b : memref<4xf32>
        }

    Instead:
        func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
          return %m : memref<4xf32>
        }
    """

    id = "tensor-boundary-left"
    rules = ("pipelines.L1",)


class CloneLeft(LintKind):
    """bufferization.clone is left.

    Deallocation inserts clones where ownership is not clear.

    Why: They cannot be lowered as they are.

    Fix (safe): Run -canonicalize, which removes those that are not needed, then -convert-bufferization-to-memref.

    Example:
        func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
          %k = bufferization.clone %m : memref<4xf32> to memref<4xf32>
          return %k : memref<4xf32>
        }

    Instead:
        func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
          %k = memref.alloc() : memref<4xf32>
          memref.copy %m, %k : memref<4xf32> to memref<4xf32>
          return %k : memref<4xf32>
        }
    """

    id = "clone-left"
    rules = ("pipelines.L1",)


class DeallocNotLowered(LintKind):
    """bufferization.dealloc is left.

    Ownership-based deallocation leaves frees in an abstract form.

    Why: They cannot be lowered as they are.

    Fix (safe): Run -buffer-deallocation-simplification and -bufferization-lower-deallocations.

    Example:
        func.func @f(%c: i1) {
          %a = memref.alloc() : memref<4xf32>
          bufferization.dealloc (%a : memref<4xf32>) if (%c)
          return
        }

    Instead:
        func.func @f(%n: index) {
          %a = memref.alloc(%n) : memref<?xf32>
          memref.dealloc %a : memref<?xf32>
          return
        }
    """

    id = "dealloc-not-lowered"
    rules = ("pipelines.L1",)


class ReallocNotExpanded(LintKind):
    """memref.realloc is left where buffers are not freed yet.

    memref.realloc frees one buffer and gives another.

    Why: Deallocation cannot follow an operation that does both.

    Fix (safe): Run -expand-realloc before deallocation.

    Example:
        func.func @f(%n: index) -> memref<?xf32> {
          %a = memref.alloc() : memref<4xf32>
          %r = memref.realloc %a(%n) : memref<4xf32> to memref<?xf32>
          return %r : memref<?xf32>
        }

    Instead:
        func.func @f(%n: index) -> memref<?xf32> {
          %r = memref.alloc(%n) : memref<?xf32>
          return %r : memref<?xf32>
        }
    """

    id = "realloc-not-expanded"
    rules = ("pipelines.L1",)


class HoistingAfterDeallocation(LintKind):
    """A buffer is allocated and freed in every iteration.

    Its size is known before the loop, so one buffer would do.

    Why: Now that it is freed in the loop, it cannot be hoisted any more.

    Fix (safe): Run -buffer-loop-hoisting before deallocation.

    Example:
        func.func @f(%n: index, %m: index, %f: f32) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.for %i = %c0 to %n step %c1 {
            %b = memref.alloc(%m) : memref<?xf32>
            linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
            memref.dealloc %b : memref<?xf32>
          }
          return
        }

    Instead:
        func.func @f(%n: index, %m: index, %f: f32) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %b = memref.alloc(%m) : memref<?xf32>
          scf.for %i = %c0 to %n step %c1 {
            linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
          }
          memref.dealloc %b : memref<?xf32>
          return
        }
    """

    id = "hoisting-after-deallocation"
    rules = ("pipelines.A1",)


class CouldBeHoisted(LintKind):
    """A buffer is allocated in every iteration.

    Its size is known before the loop.

    Why: One allocation before the loop would do.

    Fix (safe): Run -buffer-loop-hoisting.

    Example:
        func.func @f(%n: index, %m: index, %f: f32) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.for %i = %c0 to %n step %c1 {
            %a = memref.alloc(%m) : memref<?xf32>
            linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
          }
          return
        }

    Instead:
        func.func @f(%n: index, %m: index, %f: f32) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %a = memref.alloc(%m) : memref<?xf32>
          scf.for %i = %c0 to %n step %c1 {
            linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
          }
          memref.dealloc %a : memref<?xf32>
          return
        }
    """

    id = "could-be-hoisted"
    rules = ("pipelines.A2",)


class CouldBeOnStack(LintKind):
    """A small buffer is on the heap.

    It is small, and not used after its function has returned.

    Why: The stack is cheaper, and needs no free.

    Fix (safe): Run -promote-buffers-to-stack.

    Example:
        func.func @f(%f: f32) {
          %a = memref.alloc() : memref<4xf32>
          linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
          return
        }

    Instead:
        func.func @f(%f: f32) {
          %a = memref.alloca() : memref<4xf32>
          linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
          return
        }
    """

    id = "could-be-on-stack"
    rules = ("pipelines.A3",)


class ParallelWriteCollision(LintKind):
    """Iterations that run at once write the same elements.

    The place of the write does not depend on the induction variable.

    Why: Which iteration writes last is not defined.

    Fix (by hand): Give each iteration a buffer or a part of its own, or use an atomic update or a reduction.

    Example:
        func.func @f(%b: memref<64xf32>, %f: f32, %n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.parallel (%i) = (%c0) to (%n) step (%c1) {
            memref.store %f, %b[%c0] : memref<64xf32>
          }
          return
        }

    Instead:
        func.func @f(%b: memref<64xf32>, %f: f32, %n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.parallel (%i) = (%c0) to (%n) step (%c1) {
            memref.store %f, %b[%i] : memref<64xf32>
          }
          return
        }
    """

    id = "parallel-write-collision"
    rules = ("parallel.S2",)


class ParallelWriteMayCollide(LintKind):
    """Iterations that run at once may write the same elements.

    It could not be proved that the places that iterations write are different.

    Why: If two are the same, which iteration writes last is not defined.

    Fix (by hand): Write where the induction variable decides, or use an atomic update.

    Example:
        func.func @f(%b: memref<64xf32>, %f: f32, %n: index, %from: memref<64xindex>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.parallel (%i) = (%c0) to (%n) step (%c1) {
            %where = memref.load %from[%i] : memref<64xindex>
            memref.store %f, %b[%where] : memref<64xf32>
          }
          return
        }

    Instead:
        func.func @f(%b: memref<64xf32>, %f: f32, %n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.parallel (%i) = (%c0) to (%n) step (%c1) {
            memref.store %f, %b[%i] : memref<64xf32>
          }
          return
        }
    """

    id = "parallel-write-may-collide"
    rules = ("parallel.S3",)


class BrokenPromise(LintKind):
    """A promise that bufferization relies on is broken.

    `restrict` of bufferization.to_tensor promises that nobody else uses the memory while the tensor does; `read_only` of
    bufferization.to_buffer promises that nobody writes through the memref.

    Why: Updates in place rely on both: where one is broken, somebody reads values that somebody else wrote.

    Fix (by hand): Use the result of the tensor instead of its buffer, or drop the promise.

    Example:
        func.func @f(%m: memref<4xf32>, %v: f32, %i: index) -> f32 {
          %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
          memref.store %v, %m[%i] : memref<4xf32>
          %x = tensor.extract %t[%i] : tensor<4xf32>
          return %x : f32
        }

    Instead:
        func.func @f(%m: memref<4xf32>, %v: f32, %i: index) -> f32 {
          memref.store %v, %m[%i] : memref<4xf32>
          %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
          %x = tensor.extract %t[%i] : tensor<4xf32>
          return %x : f32
        }
    """

    id = "broken-promise"
    rules = ("promises.B1", "promises.B2", "promises.B3", "promises.B4")


class NotAsBefore(LintKind):
    """The program does not do what it did before.

    There is an input on which this program and the one given with --before differ, or one of them misuses memory.

    Why: Some pass lost data or broke an ownership rule.

    Fix (by hand): Look at the pass that made the difference; `bufferize prove` says more.

    Example (--before before.mlir):
        func.func @f(%t: memref<4xf32>, %f: f32, %i: index) {
          return
        }
        --- before.mlir
        func.func @f(%t: memref<4xf32>, %f: f32, %i: index) {
          memref.store %f, %t[%i] : memref<4xf32>
          return
        }

    Instead (--before before.mlir):
        func.func @f(%t: memref<4xf32>, %f: f32, %i: index) {
          memref.store %f, %t[%i] : memref<4xf32>
          return
        }
        --- before.mlir
        func.func @f(%t: memref<4xf32>, %f: f32, %i: index) {
          memref.store %f, %t[%i] : memref<4xf32>
          return
        }
    """

    id = "not-as-before"


class NotProved(LintKind):
    """It could not be proved that the program does what it did before.

    The proof left a question open, and no input was found on which the two programs differ.

    Why: That says nothing against the program, only that nobody knows.

    Fix (nothing to fix): `bufferize prove` says which question is open.

    Example (--before before.mlir):
        func.func @f(%t: memref<4xf32>) {
          "my.update"(%t) : (memref<4xf32>) -> ()
          return
        }
        --- before.mlir
        func.func @f(%t: memref<4xf32>) {
          "my.other"(%t) : (memref<4xf32>) -> ()
          return
        }

    Instead (--before before.mlir):
        func.func @f(%t: memref<4xf32>) {
          "my.update"(%t) : (memref<4xf32>) -> ()
          return
        }
        --- before.mlir
        func.func @f(%t: memref<4xf32>) {
          "my.update"(%t) : (memref<4xf32>) -> ()
          return
        }
    """

    id = "not-proved"


KINDS: tuple[type[Documented], ...] = kinds_in(lifetime_findings, sys.modules[__name__])
"""Everything that lint finds."""
