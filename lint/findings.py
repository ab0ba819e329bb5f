"""Lint findings: one class each, whose docstring is its page. Lifetime findings are in `lifetime_findings`.

`KINDS` lists all of them; SARIF's rules, the handbook and `bufferize explain ID` are derived from it.
"""

from __future__ import annotations

import sys

from ..ir.source.pages import Documented, kinds_in
from . import lifetime_findings
from .lifetime_findings import LintKind


class EmptyTensorNotEliminated(LintKind):
    """A tensor.empty is allocated although its destination is known.

    A value is computed in a tensor.empty and inserted elsewhere later, so it is computed in a new buffer and
    copied.

    Why: One-Shot Bufferize does not look ahead to the destination of a value.

    Fix (a pass): Run -eliminate-empty-tensors before -one-shot-bufferize.

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
    """Conversions between buffers and tensors remain.

    bufferization.to_tensor and to_buffer connect parts that were bufferized separately.

    Why: They cannot be lowered.

    Fix (a pass): Run -canonicalize, which removes pairs, or bufferize the operations that use the tensors.

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
    """bufferization.clone remains.

    Deallocation inserts clones where ownership is unknown.

    Why: They cannot be lowered directly.

    Fix (a pass): Run -canonicalize, which removes unnecessary ones, then -convert-bufferization-to-memref.

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
    """bufferization.dealloc remains.

    Ownership-based deallocation inserts abstract deallocations.

    Why: They cannot be lowered directly.

    Fix (a pass): Run -buffer-deallocation-simplification and -bufferization-lower-deallocations.

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
    """memref.realloc remains before deallocation.

    memref.realloc frees one buffer and returns another.

    Why: Deallocation cannot track an operation that does both.

    Fix (a pass): Run -expand-realloc before deallocation.

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

    Its size is known before the loop, so one buffer would be enough.

    Why: Once it is freed in the loop, it can no longer be hoisted.

    Fix (a pass): Run -buffer-loop-hoisting before deallocation.

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

    Why: One allocation before the loop would be enough.

    Fix (a pass): Run -buffer-loop-hoisting.

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

    It is small, and is not used after its function has returned.

    Why: The stack is cheaper and needs no deallocation.

    Fix (a pass): Run -promote-buffers-to-stack.

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
    """Parallel iterations write the same elements.

    The indices of the write do not depend on the induction variable.

    Why: The order of the writes is undefined.

    Fix (by hand): Give each iteration its own buffer or part, or use an atomic update or a reduction.

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


class ParallelReadRace(LintKind):
    """Parallel iterations read what others write.

    An iteration reads an element that another one, at a constant distance, writes.

    Why: The other iteration may run before or after, so the element may be the old or the new one.

    Fix (by hand): Write to another buffer than the one that is read, or copy the neighbours before the loop.

    Example:
        func.func @f(%b: memref<65xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c64 = arith.constant 64 : index
          scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
            %next = arith.addi %i, %c1 : index
            %x = memref.load %b[%next] : memref<65xf32>
            memref.store %x, %b[%i] : memref<65xf32>
          }
          return
        }

    Instead:
        func.func @f(%b: memref<65xf32>, %out: memref<65xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c64 = arith.constant 64 : index
          scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
            %next = arith.addi %i, %c1 : index
            %x = memref.load %b[%next] : memref<65xf32>
            memref.store %x, %out[%i] : memref<65xf32>
          }
          return
        }
    """

    id = "parallel-read-race"
    rules = ("parallel.S4",)


class ParallelWriteMayCollide(LintKind):
    """Parallel iterations may write the same elements.

    It could not be proved that iterations write different elements.

    Why: If two iterations write the same element, the order of the writes is undefined.

    Fix (by hand): Index the write by the induction variable, or use an atomic update.

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

    `restrict` of bufferization.to_tensor promises that nothing else accesses the memory while the tensor is
    used; `read_only` of bufferization.to_buffer promises that nothing writes through the memref.

    Why: In-place updates rely on both. If a promise is broken, a read sees contents that another write has
    changed.

    Fix (by hand): Use the resulting tensor instead of its buffer, or remove the attribute.

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
    """The program no longer computes the same.

    There is an input on which this program and that of --before differ, or one of them misuses memory.

    Why: A pass lost data or violated ownership.

    Fix (by hand): Find the pass that caused the difference; `bufferize prove` gives details.

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
    """It could not be proved that the program computes the same as before.

    A question of the proof is open, and no input was found on which the programs differ.

    Why: The program may still be correct.

    Fix (nothing to fix): `bufferize prove` names the open question.

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
"""Everything that lint reports."""
