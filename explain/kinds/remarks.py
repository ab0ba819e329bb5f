"""Remarks beside allocations and copies: refusals, unknown operations, in-place operands."""

from __future__ import annotations

from ...ir.source.pages import Documented


class LoopYieldsOtherBuffer(Documented):
    """A loop would yield a new buffer to its next iteration.

    Each iteration yields another buffer than the one it received, which One-Shot Bufferize rejects by default.

    Why: The buffers of earlier iterations could not be freed.

    Fix (an option): Yield a value computed from the corresponding loop argument, or pass
    --allow-return-allocs-from-loops; then the loop copies, and deallocation frees the copies.

    Example:
        func.func @f(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
            %e = tensor.splat %f : tensor<8xf32>
            scf.yield %e : tensor<8xf32>
          }
          return %r : tensor<8xf32>
        }

    Instead:
        func.func @f(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
            %e = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
            scf.yield %e : tensor<8xf32>
          }
          return %r : tensor<8xf32>
        }
    """

    id = "loop-yields-other-buffer"


class NotBufferizable(Documented):
    """The program cannot be bufferized.

    An operation on tensors has no bufferization, or types do not match.

    Why: One-Shot Bufferize must convert all tensors, unless an option says otherwise.

    Fix (an option): Convert the operation first; describe it in a facts file (with `becomes`) or in Python (a model and a
    rewrite); or keep its tensors with the option allow-unknown-ops of -one-shot-bufferize.

    Example:
        func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
          %u = "my.update"(%t) : (tensor<8xf32>) -> tensor<8xf32>
          return %u : tensor<8xf32>
        }

    Instead:
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
          %u = tensor.insert %f into %t[%i] : tensor<8xf32>
          return %u : tensor<8xf32>
        }
    """

    id = "not-bufferizable"


class NestedModule(Documented):
    """Functions of a nested module are explained, but One-Shot Bufferize ignores them.

    The pass bufferizes only functions directly in the module that it runs on.

    Why: mlir-opt does the same. The explanation of the inner functions applies once the pass runs on their
    module.

    Fix (an option): Run the pass on the inner module, or use its option nested-modules, which mlir-opt does
    not have.

    Example:
        module {
          module {
            func.func @f() {
              return
            }
          }
        }

    Instead:
        module {
          func.func @f() {
            return
          }
        }
    """

    id = "nested-module"


class DeallocationRefused(Documented):
    """The deallocation pipeline rejects the program.

    Bufferization succeeds, so allocations and copies are known, but the clones made by deallocation are not.

    Why: -buffer-deallocation-pipeline rejects programs that free memory themselves or have loops made of
    branches.

    Fix (an option): Use -buffer-deallocation-static, which supports any control flow and explicit
    deallocations.

    Example:
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index, %c: i1) -> tensor<8xf32> {
          cf.br ^a(%t : tensor<8xf32>)
        ^a(%y: tensor<8xf32>):
          %u = tensor.insert %f into %y[%i] : tensor<8xf32>
          cf.cond_br %c, ^a(%u : tensor<8xf32>), ^b
        ^b:
          return %u : tensor<8xf32>
        }

    Instead:
        func.func @f(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %t) -> (tensor<8xf32>) {
            %u = tensor.insert %f into %y[%i] : tensor<8xf32>
            scf.yield %u : tensor<8xf32>
          }
          return %r : tensor<8xf32>
        }
    """

    id = "deallocation-refused"


class Mlir22LosesData(Documented):
    """mlir-opt 22 would omit this copy and lose data.

    mlir-opt misses a conflict in this situation.

    Why: Some of its rules consider only one block, one operand or one iteration.

    Fix (an option): Nothing to do. To get the same decisions as mlir-opt, use --compat=mlir-22.

    Example:
        ml_program.global private mutable @state(dense<0.0> : tensor<8xf32>) : tensor<8xf32>
        func.func @f(%u: tensor<8xf32>, %i: index) -> f32 {
          %t = ml_program.global_load @state : tensor<8xf32>
          ml_program.global_store @state = %u : tensor<8xf32>
          %x = tensor.extract %t[%i] : tensor<8xf32>
          return %x : f32
        }

    Instead:
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
          %u = tensor.insert %f into %t[%i] : tensor<8xf32>
          %x = tensor.extract %t[%i] : tensor<8xf32>
          return %u, %x : tensor<8xf32>, f32
        }
    """

    id = "mlir-22-loses-data"


class NotProvedFewest(Documented):
    """The search for fewest copies could not prove its result optimal.

    The finding states a lower bound on the bytes that any choice copies.

    Why: The search reached its time limit or its size limit, or depends on decisions made elsewhere.

    Fix (an option): Raise time-limit, or split the function.

    Example (--analysis-heuristic=fewest-copies):
        func.func @f(%a: tensor<8xf32>, %f: f32, %k: index) -> (tensor<8xf32>, tensor<4xf32>) {
          %s = tensor.extract_slice %a[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
          %w = tensor.insert %f into %s[%k] : tensor<4xf32>
          %r = tensor.insert_slice %w into %a[1] [4] [1] : tensor<4xf32> into tensor<8xf32>
          %m = linalg.map { arith.negf } ins(%s : tensor<4xf32>) outs(%s : tensor<4xf32>)
          return %r, %m : tensor<8xf32>, tensor<4xf32>
        }

    Instead (--analysis-heuristic=fewest-copies):
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
          %u = tensor.insert %f into %t[%i] : tensor<8xf32>
          %x = tensor.extract %t[%i] : tensor<8xf32>
          return %u, %x : tensor<8xf32>, f32
        }
    """

    id = "not-proved-fewest"


class NotMeasured(Documented):
    """A run could not be measured.

    The program cannot be run, or its memory cannot be freed, for the stated reason.

    Why: --measure needs a program that can be bufferized and has a public function.

    Fix (an option): Choose the function with --entry and its arguments with --args.

    Example (--measure):
        func.func private @f(%t: tensor<8xf32>, %i: index) -> f32 {
          %x = tensor.extract %t[%i] : tensor<8xf32>
          return %x : f32
        }

    Instead (--measure):
        func.func @f(%t: tensor<8xf32>) -> f32 {
          %c0 = arith.constant 0 : index
          %x = tensor.extract %t[%c0] : tensor<8xf32>
          return %x : f32
        }
    """

    id = "not-measured"


class UnusedFacts(Documented):
    """Facts describe an operation that does not exist.

    A file passed with --models describes what an operation reads, writes or aliases. Its dialect has no
    operation with that name, or the program has an unknown one with a similar name.

    Why: These facts are not used, and the intended operation is assumed to read and write all its operands.

    Fix (an option): Use the name as in the program.

    Example (--models my.dl):
        func.func @f(%t: tensor<8xf32>, %i: index) -> f32 {
          %x = tensor.extract %t[%i] : tensor<8xf32>
          return %x : f32
        }
        --- my.dl
        reads("tensor.ekstract", 0).

    Instead (--models my.dl):
        func.func @f(%t: tensor<8xf32>, %i: index) -> f32 {
          %x = tensor.extract %t[%i] : tensor<8xf32>
          return %x : f32
        }
        --- my.dl
        reads("tensor.extract", 0).
    """

    id = "unused-facts"


class InPlace(Documented):
    """The operand is used in place.

    Its buffer is reused, and nothing is copied.

    Why: Nothing that runs later reads the overwritten contents.

    Fix (nothing to fix): This is the desired result. `--why %VALUE` prints it.

    Example (--why %t):
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
          %u = tensor.insert %f into %t[%i] : tensor<8xf32>
          return %u : tensor<8xf32>
        }

    Instead (--why %c):
        func.func @f(%f: f32, %i: index) -> tensor<8xf32> {
          %c = arith.constant dense<1.0> : tensor<8xf32>
          %u = tensor.insert %f into %c[%i] : tensor<8xf32>
          return %u : tensor<8xf32>
        }
    """

    id = "in-place"


class OverBudget(Documented):
    """A function makes more copies than --budget or --fail-on-copy allows, or cannot be bufferized.

    A budget counts the copies that bufferization adds to each function. --fail-on-copy also counts clones made by
    deallocation and copies of the input program. Accepted findings do not count.

    Why: A budget in continuous integration detects a copy when it is introduced.

    Fix (by hand): Eliminate the copy as its own finding suggests, raise the budget, or accept the finding
    with --write-baseline.

    Example (--budget 0):
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
          %u = tensor.insert %f into %t[%i] : tensor<8xf32>
          %x = tensor.extract %t[%i] : tensor<8xf32>
          return %u, %x : tensor<8xf32>, f32
        }

    Instead (--budget 0):
        func.func @f(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
          %x = tensor.extract %t[%i] : tensor<8xf32>
          %u = tensor.insert %f into %t[%i] : tensor<8xf32>
          return %u, %x : tensor<8xf32>, f32
        }
    """

    id = "over-budget"
