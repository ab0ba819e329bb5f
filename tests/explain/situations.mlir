// What the first and the last lines of an explanation say, without the command.
// -----
// double_update
//   2 copies and 1 clone -> 2 copies
//   then 1 is necessary; 1 is made elsewhere by it
func.func @main(%t: tensor<64xf32>, %a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<64xf32> {
  %u = tensor.insert_slice %a into %t[0] [8] [1] : tensor<8xf32> into tensor<64xf32>
  %r = tensor.insert_slice %b into %u[0] [8] [1] : tensor<8xf32> into tensor<64xf32>
  return %r : tensor<64xf32>
}
// -----
// materialize_two
//   2 copies -> 0
func.func @main(%a: tensor<64xf32>, %o1: memref<64xf32>, %o2: memref<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %q = linalg.sqrt ins(%r : tensor<64xf32>) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %o1 : (tensor<64xf32>, memref<64xf32>) -> ()
  bufferization.materialize_in_destination %q in restrict writable %o2 : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
// -----
// materialize
//   1 copy -> 0
func.func @main(%a: tensor<64xf32>, %out: memref<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
// -----
// two_exits
//   1 copy and 2 clones -> 1 copy
//   then 1 is avoidable as shown below, but then another is made
func.func @main(%c: i1, %t: tensor<64xf32>, %v: f32) -> (tensor<64xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %u = tensor.insert %v into %t[%c0] : tensor<64xf32>
  cf.cond_br %c, ^a, ^b
^a:
  %x = tensor.extract %t[%c0] : tensor<64xf32>
  return %u, %x : tensor<64xf32>, f32
^b:
  return %u, %v : tensor<64xf32>, f32
}
// -----
// not_writable_memref
//   1 is avoidable as shown below
//   no command that was tried copies less: 1 is needed as written
func.func @main(%m: memref<64xf32>, %v: f32, %i: index) {
  %t = bufferization.to_tensor %m restrict : memref<64xf32> to tensor<64xf32>
  %u = tensor.insert %v into %t[%i] : tensor<64xf32>
  bufferization.materialize_in_destination %u in writable %m : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
// -----
// computed_two_targets
//   2 copies and 2 clones -> 3 copies
//   then 1 is avoidable as shown below, but then another is made; 2 are made elsewhere by it
func.func @main(%t: tensor<64xf32>, %q: tensor<64xf32>, %a: tensor<8xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %u = tensor.insert_slice %x into %t[0] [8] [1] : tensor<8xf32> into tensor<64xf32>
  %r = tensor.insert_slice %x into %q[0] [8] [1] : tensor<8xf32> into tensor<64xf32>
  return %u, %r : tensor<64xf32>, tensor<64xf32>
}
// -----
// forall_same_slice
//   1 copy and 1 clone -> 1 clone
//   then 1 is needed as written
func.func @main(%t: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %r = scf.forall (%i) in (64) shared_outs(%o = %t) -> (tensor<64x8xf32>) {
    %row = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<64x8xf32> to tensor<8xf32>
    %n = linalg.exp ins(%row : tensor<8xf32>) outs(%row : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<64x8xf32>
    }
  }
  return %r : tensor<64x8xf32>
}
// -----
// kv_append
//   no command that was tried copies less: 1 is necessary; 1 is needed as written
func.func @append(%k: tensor<1x4x32x8xf32>, %new: tensor<1x4x1x8xf32>, %pos: index) -> tensor<1x4x32x8xf32> {
  %r = tensor.insert_slice %new into %k[0, 0, %pos, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<1x4x1x8xf32> into tensor<1x4x32x8xf32>
  return %r : tensor<1x4x32x8xf32>
}
// -----
// kv_loop
//   1 copy and 1 clone -> 0 copies
func.func @decode(%k0: tensor<32x8xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<32x8xf32>) -> tensor<32x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  %r = scf.for %i = %c0 to %c32 step %c1 iter_args(%k = %k0) -> (tensor<32x8xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<32x8xf32> to tensor<8xf32>
    %e = tensor.empty() : tensor<8xf32>
    %n = linalg.tanh ins(%row : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %u = tensor.insert_slice %n into %k[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<32x8xf32>
    scf.yield %u : tensor<32x8xf32>
  }
  return %r : tensor<32x8xf32>
}
// -----
// kv_old_read
//   2 copies -> 1
//   this overwrites %k of @append
//   then 1 is necessary
func.func @append(%k: tensor<1x4x32x8xf32> {tf.aliasing_output = 0 : i32}, %new: tensor<1x4x1x8xf32>, %pos: index) -> (tensor<1x4x32x8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %r = tensor.insert_slice %new into %k[0, 0, %pos, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<1x4x1x8xf32> into tensor<1x4x32x8xf32>
  %old = tensor.extract %k[%c0, %c0, %c0, %c0] : tensor<1x4x32x8xf32>
  return %r, %old : tensor<1x4x32x8xf32>, f32
}
// -----
// residual_into_x
//   1 clone -> 0 copies
func.func @block(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.add ins(%x, %y : tensor<16x16xf32>, tensor<16x16xf32>) outs(%x : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
// -----
// heads_concat
//   3 copies -> 0
func.func @heads(%qkv: tensor<16x48xf32>) -> tensor<16x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %q = tensor.extract_slice %qkv[0, 0] [16, 16] [1, 1] : tensor<16x48xf32> to tensor<16x16xf32>
  %k = tensor.extract_slice %qkv[0, 16] [16, 16] [1, 1] : tensor<16x48xf32> to tensor<16x16xf32>
  %v = tensor.extract_slice %qkv[0, 32] [16, 16] [1, 1] : tensor<16x48xf32> to tensor<16x16xf32>
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %a = linalg.matmul ins(%q, %k : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %b = linalg.matmul ins(%a, %v : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x32xf32>
  return %c : tensor<16x32xf32>
}
// -----
// read_own_index
//   1 copy -> 0
//   this overwrites %t0 of @inc
func.func @inc(%t0: tensor<64xf32> {tf.aliasing_output = 0 : i32}) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%t = %t0) -> (tensor<64xf32>) {
    %x = tensor.extract %t0[%i] : tensor<64xf32>
    %y = arith.addf %x, %one : f32
    %w = tensor.insert %y into %t[%i] : tensor<64xf32>
    scf.yield %w : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
// -----
// next_old
//   1 copy -> 0
//   this overwrites %t0 of @shift
func.func @shift(%t0: tensor<64xf32> {tf.aliasing_output = 0 : i32}) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %c63 = arith.constant 63 : index
  %r = scf.for %i = %c0 to %c63 step %c1 iter_args(%t = %t0) -> (tensor<64xf32>) {
    %n = arith.addi %i, %c1 : index
    %x = tensor.extract %t0[%n] : tensor<64xf32>
    %w = tensor.insert %x into %t[%i] : tensor<64xf32>
    scf.yield %w : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
// -----
// call_twice
//   1 copy and 1 clone -> 1 copy
//   then 1 is made elsewhere by it
func.func private @upd(%t: tensor<64xf32>, %v: f32, %i: index) -> tensor<64xf32> {
  %r = tensor.insert %v into %t[%i] : tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @main(%t: tensor<64xf32>, %v: f32, %w: f32, %i: index) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = call @upd(%t, %v, %i) : (tensor<64xf32>, f32, index) -> tensor<64xf32>
  %b = call @upd(%t, %w, %i) : (tensor<64xf32>, f32, index) -> tensor<64xf32>
  return %a, %b : tensor<64xf32>, tensor<64xf32>
}
// -----
// chain3
//   1 copy and 1 clone -> 1 clone
//   this overwrites %t of @main
//   then 1 is made elsewhere by it
func.func private @upd(%t: tensor<64xf32>, %v: f32, %i: index) -> tensor<64xf32> {
  %r = tensor.insert %v into %t[%i] : tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func private @b(%t: tensor<64xf32>, %v: f32, %i: index) -> tensor<64xf32> {
  %r = call @upd(%t, %v, %i) : (tensor<64xf32>, f32, index) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func private @a(%t: tensor<64xf32>, %v: f32, %i: index) -> tensor<64xf32> {
  %r = call @b(%t, %v, %i) : (tensor<64xf32>, f32, index) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @main(%t: tensor<64xf32>, %v: f32, %i: index) -> (tensor<64xf32>, f32) {
  %r = call @a(%t, %v, %i) : (tensor<64xf32>, f32, index) -> tensor<64xf32>
  %o = tensor.extract %t[%i] : tensor<64xf32>
  return %r, %o : tensor<64xf32>, f32
}
// -----
// callee_reads_late
//   1 copy -> 0
//   this overwrites %t of @main; it returns callers' buffers, so -buffer-deallocation-pipeline makes 1 clone (256 bytes)
func.func private @first(%t: tensor<64xf32>, %i: index) -> f32 {
  %r = tensor.extract %t[%i] : tensor<64xf32>
  return %r : f32
}
func.func @main(%t: tensor<64xf32>, %v: f32, %i: index) -> (tensor<64xf32>, f32) {
  %u = tensor.insert %v into %t[%i] : tensor<64xf32>
  %o = call @first(%t, %i) : (tensor<64xf32>, index) -> f32
  return %u, %o : tensor<64xf32>, f32
}
// -----
// collapse_then_sum
//   1 copy -> 0
func.func @main(%a: tensor<16x64xf32>, %o: index) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %s = tensor.extract_slice %a[0, %o] [16, 16] [1, 1] : tensor<16x64xf32> to tensor<16x16xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<16x16xf32> into tensor<256xf32>
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%c : tensor<256xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}
// -----
// concat_arg_computed
//   2 copies -> 1
//   then 1 is necessary
func.func @main(%x: tensor<64xf32>) -> tensor<128xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %y = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %c = tensor.concat dim(0) %x, %y : (tensor<64xf32>, tensor<64xf32>) -> tensor<128xf32>
  return %c : tensor<128xf32>
}
// -----
// rows_swapped
//   4 copies and 1 clone -> 3 copies
//   then 2 are needed as written; 1 is made elsewhere by it
func.func @main(%t: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %a = tensor.extract_slice %t[0, 0] [1, 16] [1, 1] : tensor<16x16xf32> to tensor<1x16xf32>
  %b = tensor.extract_slice %t[1, 0] [1, 16] [1, 1] : tensor<16x16xf32> to tensor<1x16xf32>
  %u = tensor.insert_slice %b into %t[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<16x16xf32>
  %r = tensor.insert_slice %a into %u[1, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
// -----
// switch_old_read
//   1 copy -> 0
//   this overwrites %t of @main; it returns callers' buffers, so -buffer-deallocation-pipeline makes 1 clone (256 bytes)
func.func @main(%k: index, %t: tensor<64xf32>, %v: f32) -> (tensor<64xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %r = scf.index_switch %k -> tensor<64xf32>
  case 0 {
    %a = tensor.insert %v into %t[%c0] : tensor<64xf32>
    scf.yield %a : tensor<64xf32>
  }
  default {
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %f : tensor<64xf32>
  }
  %o = tensor.extract %t[%c8] : tensor<64xf32>
  return %r, %o : tensor<64xf32>, f32
}
// -----
// same_twice
//   2 clones -> 1 copy
//   then 1 is made elsewhere by it
func.func @main(%t: tensor<64xf32>, %v: f32, %i: index) -> (tensor<64xf32>, tensor<64xf32>) {
  %u = tensor.insert %v into %t[%i] : tensor<64xf32>
  return %u, %u : tensor<64xf32>, tensor<64xf32>
}
// -----
// pad_of_pad
//   2 copies -> 1
//   then 1 is needed as written
func.func @f(%x: tensor<8xf32>) -> tensor<12xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%a: index):
    tensor.yield %z : f32
  } : tensor<8xf32> to tensor<10xf32>
  %q = tensor.pad %p low[1] high[1] {
  ^bb0(%a: index):
    tensor.yield %z : f32
  } : tensor<10xf32> to tensor<12xf32>
  return %q : tensor<12xf32>
}
// -----
// pad_of_pad_other_value
//   2 copies -> 1
//   then 1 is needed as written
func.func @f(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %o = arith.constant 1.0 : f32
  %p = tensor.pad %x low[1] high[%n] {
  ^bb0(%a: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  %q = tensor.pad %p low[1] high[1] {
  ^bb0(%a: index):
    tensor.yield %o : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %q : tensor<?xf32>
}
// -----
// pad_inside_loop
//   2 copies -> 1
//   then 1 is needed as written
func.func @f(%t: tensor<8x4xf32>) -> tensor<8x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %e) -> tensor<8x6xf32> {
    %s = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %p = tensor.pad %s low[0, 1] high[0, 1] {
    ^bb0(%x: index, %y: index):
      tensor.yield %z : f32
    } : tensor<1x4xf32> to tensor<1x6xf32>
    %b = tensor.insert_slice %p into %a[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<8x6xf32>
    scf.yield %b : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}
// -----
// rng_state_global
//   2 copies -> 1
//   then 1 is needed as written
ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
func.func @next() -> i64 {
  %s = ml_program.global_load @seed : tensor<i64>
  %x = tensor.extract %s[] : tensor<i64>
  %c = arith.constant 6364136223846793005 : i64
  %y = arith.muli %x, %c : i64
  %n = tensor.insert %y into %s[] : tensor<i64>
  ml_program.global_store @seed = %n : tensor<i64>
  return %y : i64
}
// -----
// update_and_old_slice
//   no command that was tried copies less: 1 is open; 1 is needed as written
func.func @f(%t: tensor<16xf32>, %v: f32, %i: index) -> (tensor<16xf32>, tensor<4xf32>) {
  %r = tensor.insert %v into %t[%i] : tensor<16xf32>
  %s = tensor.extract_slice %t[0] [4] [1] : tensor<16xf32> to tensor<4xf32>
  return %r, %s : tensor<16xf32>, tensor<4xf32>
}
// -----
// while_keep_best
//   5 copies -> 2
//   this returns callers' buffers, so -buffer-deallocation-pipeline makes 1 clone (64 bytes)
//   then 1 is needed as written; 1 is made elsewhere by it
func.func @f(%t: tensor<16xf32>, %n: index, %v: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%i = %c0, %cur = %t, %best = %t) : (index, tensor<16xf32>, tensor<16xf32>) -> (index, tensor<16xf32>, tensor<16xf32>) {
    %c = arith.cmpi ult, %i, %n : index
    scf.condition(%c) %i, %cur, %best : index, tensor<16xf32>, tensor<16xf32>
  } do {
  ^bb0(%i: index, %cur: tensor<16xf32>, %best: tensor<16xf32>):
    %cur1 = tensor.insert %v into %cur[%i] : tensor<16xf32>
    %x = tensor.extract %cur1[%c0] : tensor<16xf32>
    %y = tensor.extract %best[%c0] : tensor<16xf32>
    %better = arith.cmpf olt, %x, %y : f32
    %best1 = arith.select %better, %cur1, %best : tensor<16xf32>
    %i1 = arith.addi %i, %c1 : index
    scf.yield %i1, %cur1, %best1 : index, tensor<16xf32>, tensor<16xf32>
  }
  return %r#2 : tensor<16xf32>
}
// -----
// concat_of_concat
//   4 copies -> 3
//   then 2 are needed as written; 1 is necessary
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<12xf32> {
  %x = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %y = tensor.concat dim(0) %c, %x : (tensor<4xf32>, tensor<8xf32>) -> tensor<12xf32>
  return %y : tensor<12xf32>
}
// -----
// pad_concat_two
//   4 copies -> 2
//   then 2 are needed as written
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<12xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<6xf32>
  %q = tensor.pad %b low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<6xf32>
  %y = tensor.concat dim(0) %p, %q : (tensor<6xf32>, tensor<6xf32>) -> tensor<12xf32>
  return %y : tensor<12xf32>
}
// -----
// pad_index_border
//   no command that was tried copies less: 2 are needed as written
func.func @f(%a: tensor<4xf32>) -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i32
    %x = arith.sitofp %k : i32 to f32
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<6xf32>
  %q = tensor.pad %p low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<6xf32> to tensor<8xf32>
  return %q : tensor<8xf32>
}
// -----
// memref_update_two_tensors
//   no command that was tried copies less: 3 are needed as written
func.func @f(%m: memref<8xf32>, %n: memref<8xf32>) {
  %a = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %b = bufferization.to_tensor %n restrict writable : memref<8xf32> to tensor<8xf32>
  %c = bufferization.alloc_tensor() copy(%a) : tensor<8xf32>
  bufferization.materialize_in_destination %b in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %c in restrict writable %n : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
// -----
// gather_onto_itself
func.func @f(%t: tensor<16xf32>, %i: tensor<16xindex>) -> tensor<16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%i : tensor<16xindex>) outs(%t : tensor<16xf32>) {
  ^bb0(%k: index, %o: f32):
    %x = tensor.extract %t[%k] : tensor<16xf32>
    linalg.yield %x : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}
// -----
// scan_stacks
//   no command that was tried copies less: 2 are needed as written
func.func @f(%init: tensor<16xf32>) -> (tensor<16xf32>, tensor<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x16xf32>
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%c = %init, %ys = %e) -> (tensor<16xf32>, tensor<8x16xf32>) {
    %y = linalg.exp ins(%c : tensor<16xf32>) outs(%c : tensor<16xf32>) -> tensor<16xf32>
    %ys1 = tensor.insert_slice %y into %ys[%i, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<8x16xf32>
    scf.yield %y, %ys1 : tensor<16xf32>, tensor<8x16xf32>
  }
  return %r#0, %r#1 : tensor<16xf32>, tensor<8x16xf32>
}
// -----
// call_same_twice_matvec
//   1 copy and 1 clone -> 1 copy
//   then 1 is needed as written
func.func private @gemv(%m: tensor<16x16xf32>, %x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.matvec ins(%m, %x : tensor<16x16xf32>, tensor<16xf32>) outs(%y : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
func.func @f(%m: tensor<16x16xf32>, %t: tensor<16xf32>) -> tensor<16xf32> {
  %r = call @gemv(%m, %t, %t) : (tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
// -----
// private_returns_two_same
//   1 copy and 2 clones -> 1 copy and 1 clone
//   then 1 is needed as written; 1 is made elsewhere by it
func.func private @dup(%t: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  return %t, %t : tensor<16xf32>, tensor<16xf32>
}
func.func @f(%t: tensor<16xf32>, %v: f32, %i: index, %j: index) -> (tensor<16xf32>, tensor<16xf32>) {
  %a:2 = call @dup(%t) : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  %b = tensor.insert %v into %a#0[%i] : tensor<16xf32>
  %c = tensor.insert %v into %a#1[%j] : tensor<16xf32>
  return %b, %c : tensor<16xf32>, tensor<16xf32>
}
// -----
// multi_returns
//   1 copy and 1 clone -> 0 copies
//   this overwrites %x of @main
func.func private @both(%x: tensor<8xf32>, %v: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %u = tensor.insert %v into %x[%i] : tensor<8xf32>
  return %x, %u : tensor<8xf32>, tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>, %v: f32, %i: index) -> f32 {
  %r:2 = call @both(%x, %v, %i) : (tensor<8xf32>, f32, index) -> (tensor<8xf32>, tensor<8xf32>)
  %a = tensor.extract %r#0[%i] : tensor<8xf32>
  %b = tensor.extract %r#1[%i] : tensor<8xf32>
  %c = arith.addf %a, %b : f32
  return %c : f32
}
// -----
// call_order
//   1 copy -> 0
//   this overwrites %t of @main
func.func private @norm(%t: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %t[%c0] : tensor<8xf32>
  return %x : f32
}
func.func @main(%t: tensor<8xf32>, %v: f32, %i: index) -> f32 {
  %r = tensor.insert %v into %t[%i] : tensor<8xf32>
  %s = call @norm(%t) : (tensor<8xf32>) -> f32
  %q = call @norm(%r) : (tensor<8xf32>) -> f32
  %y = arith.addf %s, %q : f32
  return %y : f32
}
// -----
// callee_three_callers
//   1 copy and 1 clone -> 0 copies
func.func private @scale(%t: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.exp ins(%t : tensor<64xf32>) outs(%t : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @one(%t: tensor<64xf32>) -> tensor<64xf32> {
  %r = call @scale(%t) : (tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @two(%t: tensor<64xf32>, %i: index) -> (tensor<64xf32>, f32) {
  %r = call @scale(%t) : (tensor<64xf32>) -> tensor<64xf32>
  %x = tensor.extract %t[%i] : tensor<64xf32>
  return %r, %x : tensor<64xf32>, f32
}
func.func @three(%v: f32) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = call @scale(%f) : (tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
// -----
// forall_stencil
//   2 copies -> 0
func.func @main(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = scf.forall (%i) in (16) shared_outs(%o = %x) -> tensor<16x8xf32> {
    %row = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<8xf32>
    %d = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<8xf32>
    %n = linalg.exp ins(%row : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<16x8xf32>
    }
  }
  return %r : tensor<16x8xf32>
}
// -----
// forall_transposed_read
//   2 copies -> 0
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %x) -> tensor<8x8xf32> {
    %col = tensor.extract_slice %x[0, %i] [8, 1] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
    %d = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
    %n = linalg.exp ins(%col : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<8x8xf32>
    }
  }
  return %r : tensor<8x8xf32>
}
// -----
// slice_then_fill
//   1 copy and 1 clone (288 bytes) -> 2 copies (224 bytes)
//   then 2 are made elsewhere by it
func.func @main(%a: tensor<64xf32>, %v: f32) -> tensor<64xf32> {
  %s = tensor.extract_slice %a[8] [8] [1] : tensor<64xf32> to tensor<8xf32>
  %f = linalg.fill ins(%v : f32) outs(%s : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.insert_slice %f into %a[8] [8] [1] : tensor<8xf32> into tensor<64xf32>
  return %r : tensor<64xf32>
}
// -----
// if_into_two_dests
//   2 copies and 2 clones (576 bytes) -> 4 copies (480 bytes)
//   then 1 is avoidable as shown below, but then another is made; 3 are made elsewhere by it
func.func @main(%c: i1, %a: tensor<64xf32>, %b: tensor<64xf32>, %x: tensor<8xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %s = scf.if %c -> tensor<8xf32> {
    %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  } else {
    %y = linalg.tanh ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  %u = tensor.insert_slice %s into %a[0] [8] [1] : tensor<8xf32> into tensor<64xf32>
  %v = tensor.insert_slice %s into %b[8] [8] [1] : tensor<8xf32> into tensor<64xf32>
  return %u, %v : tensor<64xf32>, tensor<64xf32>
}
// -----
// if_fresh_or_arg
//   no command that was tried copies less: 1 is needed as written
func.func @main(%c: i1, %a: tensor<8xf32>, %v: f32, %i: index) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %y = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  }
  %u = tensor.insert %v into %r[%i] : tensor<8xf32>
  return %u : tensor<8xf32>
}
// -----
// heat_step
//   1 copy and 1 clone (120 bytes) -> 2 copies (8 bytes)
//   then 2 are made elsewhere by it
func.func @main(%t: tensor<16xf32>) -> tensor<16xf32> {
  %l = tensor.extract_slice %t[0] [14] [1] : tensor<16xf32> to tensor<14xf32>
  %h = tensor.extract_slice %t[2] [14] [1] : tensor<16xf32> to tensor<14xf32>
  %e = tensor.empty() : tensor<14xf32>
  %s = linalg.add ins(%l, %h : tensor<14xf32>, tensor<14xf32>) outs(%e : tensor<14xf32>) -> tensor<14xf32>
  %r = tensor.insert_slice %s into %t[1] [14] [1] : tensor<14xf32> into tensor<16xf32>
  return %r : tensor<16xf32>
}
// -----
// materialize_two_subviews
//   2 copies -> 0
func.func @main(%x: tensor<8xf32>, %m: memref<16xf32>) {
  %lo = memref.subview %m[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  %hi = memref.subview %m[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %f = tensor.empty() : tensor<8xf32>
  %z = linalg.tanh ins(%x : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %y in restrict writable %lo : (tensor<8xf32>, memref<8xf32, strided<[1]>>) -> ()
  bufferization.materialize_in_destination %z in restrict writable %hi : (tensor<8xf32>, memref<8xf32, strided<[1], offset: 8>>) -> ()
  return
}
// -----
// cf_loop_keeps_first
//   1 copy -> 0
//   this overwrites %a of @main
func.func @main(%a: tensor<64xf32>, %n: index, %v: f32) -> (tensor<64xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %a : index, tensor<64xf32>)
^head(%i: index, %t: tensor<64xf32>):
  %c = arith.cmpi ult, %i, %n : index
  cf.cond_br %c, ^body, ^exit
^body:
  %u = tensor.insert %v into %t[%i] : tensor<64xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %u : index, tensor<64xf32>)
^exit:
  %x = tensor.extract %a[%c0] : tensor<64xf32>
  return %t, %x : tensor<64xf32>, f32
}
// -----
// slice_move_forward
//   2 copies -> 1
//   then 1 is needed as written
func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %m = linalg.exp ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = tensor.extract_slice %m[0, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  %r = tensor.insert_slice %s into %m[1, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
// -----
// upsample_stride
//   2 copies -> 1
//   then 1 is necessary
func.func @main(%x: tensor<8xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %g = tensor.empty() : tensor<8xf32>
  %p = linalg.exp ins(%x : tensor<8xf32>) outs(%g : tensor<8xf32>) -> tensor<8xf32>
  %a = tensor.insert_slice %p into %e[0] [8] [2] : tensor<8xf32> into tensor<16xf32>
  %b = tensor.insert_slice %x into %a[1] [8] [2] : tensor<8xf32> into tensor<16xf32>
  return %b : tensor<16xf32>
}
// -----
// stencil_2d_loop
//   3 copies and 1 clone (912 bytes) -> 4 copies and 1 clone (368 bytes)
//   this overwrites %u0 of @main
//   then 1 is needed as written; 4 are made elsewhere by it
func.func @main(%u0: tensor<8x8xf32>, %v0: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0, %v = %v0) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %a = tensor.extract_slice %u[0, 1] [6, 6] [1, 1] : tensor<8x8xf32> to tensor<6x6xf32>
    %b = tensor.extract_slice %u[2, 1] [6, 6] [1, 1] : tensor<8x8xf32> to tensor<6x6xf32>
    %d = tensor.extract_slice %v[1, 1] [6, 6] [1, 1] : tensor<8x8xf32> to tensor<6x6xf32>
    %s = linalg.add ins(%a, %b : tensor<6x6xf32>, tensor<6x6xf32>) outs(%d : tensor<6x6xf32>) -> tensor<6x6xf32>
    %w = tensor.insert_slice %s into %v[1, 1] [6, 6] [1, 1] : tensor<6x6xf32> into tensor<8x8xf32>
    scf.yield %w, %u : tensor<8x8xf32>, tensor<8x8xf32>
  }
  return %r#0 : tensor<8x8xf32>
}
// -----
// arg_dot_update
//   no command that was tried copies less: 1 is needed as written
func.func @main(%m: tensor<8xf32>, %v: f32, %i: index) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.insert %v into %m[%i] : tensor<8xf32>
  %se = tensor.empty() : tensor<f32>
  %s0 = linalg.fill ins(%z : f32) outs(%se : tensor<f32>) -> tensor<f32>
  %t = linalg.dot ins(%m, %p : tensor<8xf32>, tensor<8xf32>) outs(%s0 : tensor<f32>) -> tensor<f32>
  return %t : tensor<f32>
}
// -----
// arg_dot_update_elementwise
//   no command that was tried copies less: 1 is needed as written
func.func @main(%m: tensor<8xf32>, %v: f32, %i: index) -> tensor<8xf32> {
  %p = tensor.insert %v into %m[%i] : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.add ins(%m, %p : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %t : tensor<8xf32>
}
// -----
// while_swap
//   2 copies (512 bytes) -> 2 (512 bytes, made less often)
//   then 2 are made elsewhere by it
func.func @jacobi(%u0: tensor<64xf32>, %v0: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%i = %c0, %u = %u0, %v = %v0) : (index, tensor<64xf32>, tensor<64xf32>) -> (index, tensor<64xf32>, tensor<64xf32>) {
    %c = arith.cmpi ult, %i, %n : index
    scf.condition(%c) %i, %u, %v : index, tensor<64xf32>, tensor<64xf32>
  } do {
  ^bb0(%i: index, %u: tensor<64xf32>, %v: tensor<64xf32>):
    %w = linalg.exp ins(%u : tensor<64xf32>) outs(%v : tensor<64xf32>) -> tensor<64xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %w, %u : index, tensor<64xf32>, tensor<64xf32>
  }
  return %r#1 : tensor<64xf32>
}
// -----
// old_slice_summed_after
//   2 copies -> 1
//   then 1 is necessary
func.func @main(%x: tensor<8x8xf32>, %y: tensor<8xf32>) -> (tensor<8x8xf32>, tensor<f32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %m = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = tensor.insert_slice %y into %m[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<8x8xf32>
  %s = tensor.extract_slice %m[5, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
  %se = tensor.empty() : tensor<f32>
  %s0 = linalg.fill ins(%z : f32) outs(%se : tensor<f32>) -> tensor<f32>
  %t = linalg.reduce { arith.addf } ins(%s : tensor<8xf32>) outs(%s0 : tensor<f32>) dimensions = [0]
  return %p, %t : tensor<8x8xf32>, tensor<f32>
}
// -----
// vector_in_loop_overlap
//   no command that was tried copies less: 1 is open
func.func @main(%t0: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c56 = arith.constant 56 : index
  %p = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c56 step %c8 iter_args(%t = %t0) -> tensor<64xf32> {
    %j = arith.addi %i, %c8 : index
    %v = vector.transfer_read %t0[%j], %p {in_bounds = [true]} : tensor<64xf32>, vector<8xf32>
    %u = vector.transfer_write %v, %t[%i] {in_bounds = [true]} : vector<8xf32>, tensor<64xf32>
    scf.yield %u : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
// -----
// alloc_copy_both_used
//   no command that was tried copies less: 1 is open
func.func @main(%x: tensor<8xf32>, %v: f32, %i: index) -> (tensor<8xf32>, f32) {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = bufferization.alloc_tensor() copy(%y) : tensor<8xf32>
  %r = tensor.insert %v into %c[%i] : tensor<8xf32>
  %o = tensor.extract %y[%i] : tensor<8xf32>
  return %r, %o : tensor<8xf32>, f32
}
// -----
// if_result_inserted_then_returned_old
//   no command that was tried copies less: 3 are needed as written
func.func @main(%c: i1, %t: tensor<8xf32>, %v: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = scf.if %c -> tensor<8xf32> {
    %u = tensor.insert %v into %t[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  } else {
    scf.yield %t : tensor<8xf32>
  }
  return %r, %t : tensor<8xf32>, tensor<8xf32>
}
// -----
// private_multi_callers_conflict
//   2 copies and 1 clone -> 1 copy
//   then 1 is needed as written
func.func private @upd(%t: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %v into %t[%c0] : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @a(%v: f32) -> tensor<4xf32> {
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = call @upd(%k, %v) : (tensor<4xf32>, f32) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @b(%v: f32, %i: index) -> (tensor<4xf32>, f32) {
  %t = tensor.splat %v : tensor<4xf32>
  %r = call @upd(%t, %v) : (tensor<4xf32>, f32) -> tensor<4xf32>
  %o = tensor.extract %t[%i] : tensor<4xf32>
  return %r, %o : tensor<4xf32>, f32
}
// -----
// dyn_insert_update
//   1 copy and 1 clone -> 1 clone
//   then 1 is needed as written
func.func @main(%t: tensor<?xf32>, %x: tensor<?xf32>, %o: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %y = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.insert_slice %y into %t[%o] [%d] [1] : tensor<?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// cf_two_preds
//   1 copy and 1 clone -> 0 copies
func.func @main(%c: i1, %x: tensor<8xf32>, %v: f32, %i: index) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  cf.cond_br %c, ^a, ^b
^a:
  %u = tensor.insert %v into %t[%i] : tensor<8xf32>
  cf.br ^d(%u : tensor<8xf32>)
^b:
  %f = tensor.empty() : tensor<8xf32>
  %g = linalg.fill ins(%v : f32) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  cf.br ^d(%g : tensor<8xf32>)
^d(%r: tensor<8xf32>):
  return %r : tensor<8xf32>
}
