// One-Shot Bufferize misses a conflict between iterations of a cycle of blocks if the write is nested in an `scf.if`.
//
// Each execution of `^body` reads `%t` and then may insert into it, inside of `scf.if`. Before the pass, all executions
// read the initial element. After the pass, the second one reads `%v`, because the insertion overwrites the buffer of
// `%t`. The pass finds the conflict if the insertion is directly in `^body`. It must consider the block of the cycle
// that contains the write, however deeply it is nested.
//
// mlir-opt -one-shot-bufferize=bufferize-function-boundaries
//   %4 = memref.load %alloc[%c0] : memref<4xf32>
//   memref.store %arg2, %alloc[%c0] : memref<4xf32>
func.func @f(%x: f32, %n: index, %v: f32, %p: i1) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tensor.splat %x : tensor<4xf32>
  cf.br ^head(%c0, %v, %t : index, f32, tensor<4xf32>)
^head(%i: index, %sum: f32, %last: tensor<4xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %r = tensor.extract %t[%c0] : tensor<4xf32>
  %s = arith.addf %sum, %r : f32
  %w = scf.if %p -> tensor<4xf32> {
    %u = tensor.insert %v into %t[%c0] : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %s, %w : index, f32, tensor<4xf32>)
^end:
  return %last, %sum : tensor<4xf32>, f32
}
