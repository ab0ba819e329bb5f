// A loop written with blocks, and a branch in it.
func.func @count(%values: memref<?xi32>, %n: index, %limit: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^loop(%c0, %zero : index, i32)
^loop(%i: index, %found: i32):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  %value = memref.load %values[%i] : memref<?xi32>
  %small = arith.cmpi slt, %value, %limit : i32
  %next = arith.addi %i, %c1 : index
  cf.cond_br %small, ^hit, ^loop(%next, %found : index, i32)
^hit:
  %more_found = arith.addi %found, %one : i32
  cf.br ^loop(%next, %more_found : index, i32)
^done:
  return %found : i32
}
