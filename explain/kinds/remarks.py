"""Remarks beside allocations and copies: refusals, unknown operations, in-place operands."""

from __future__ import annotations

from ...ir.source.pages import Documented


class LoopYieldsOtherBuffer(Documented):
    """A loop would pass a new buffer to its next iteration.

    Each iteration yields a buffer other than the one that it was given, which One-Shot Bufferize refuses by default.

    Why: Nobody could free the buffers of the earlier iterations.

    Fix (an option): Yield a value computed from the loop's own argument, or pass --allow-return-allocs-from-loops, with which the loop
    copies and deallocation frees.

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
    """The program cannot be rewritten to buffers as it is.

    An operation on tensors has no bufferization, or types do not fit.

    Why: One-Shot Bufferize leaves no tensors behind unless it is told to.

    Fix (an option): Convert the operation first, describe and rewrite it from Python, or keep its tensors with allow-unknown-ops of
    -one-shot-bufferize.

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
    """Functions of a module inside the module are explained, but One-Shot Bufferize leaves them alone.

    The pass looks at the functions directly in the module that it runs on.

    Why: So does mlir-opt's; what is said of the inner functions holds once the pass runs on their module.

    Fix (an option): Run it on the inner module, or with its option nested-modules, which mlir-opt does not have.

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
    """The deallocation pipeline does not take the program.

    Bufferization does, so allocations and copies are known, but the clones that deallocation would make are not.

    Why: -buffer-deallocation-pipeline refuses programs that free memory themselves, or loop by branches between blocks.

    Fix (an option): -buffer-deallocation-static frees in any control flow, and understands frees by hand.

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
    """mlir-opt 22 would not copy here, and lose data.

    The reference misses a conflict in this situation.

    Why: A few of its rules look no further than one block, one operand or one iteration.

    Fix (an option): Nothing, unless the same decisions are wanted: --compat=mlir-22 decides as the reference does.

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
    """The search for fewest copies has not proved that its choice is the best.

    It says how many bytes are proved to be copied whatever is decided: the best choice copies no fewer.

    Why: The search was stopped by time-limit, or had too much to look at, or rests on what is decided elsewhere.

    Fix (an option): Allow more time (time-limit), or make the function smaller.

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

    What --measure asks to run cannot be run, or memory cannot be freed in it, for the reason given.

    Why: Only a program that bufferizes, with a function that others may call, can be run.

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
    """Facts describe an operation that is not there.

    A file given with --models says what an operation reads, writes or aliases. Its dialect has no operation of that name, or the
    program has an unknown one with a similar name.

    Why: Such facts are not used, and the operation that was meant is assumed to read and write everything.

    Fix (an option): Spell the name as the program does.

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

    Why: Nothing that runs later reads what is overwritten.

    Fix (nothing to fix): This is what bufferization is for. `--why %VALUE` prints it.

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
    """A function makes more copies than --budget or --fail-on-copy allow, or cannot be bufferized at all.

    Copies and clones of each function are counted, those of accepted findings are not.

    Why: A budget in continuous integration notices a copy when it is introduced.

    Fix (by hand): Remove the copy as its own finding says, raise the budget, or accept the finding with --write-baseline.

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
