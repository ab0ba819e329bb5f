// `-cse` merges `linalg.index` of nested structured operations, although each refers to its own loops.
//
// The inner `linalg.index` is the iteration number of the inner `linalg.generic`. The pass replaces it by the outer one,
// because both have equal attributes and no operands. Before the pass, element i of the result is 3 + i: the last inner
// index plus the outer one. After it, the element is i + i. Operations whose result depends on the enclosing operation
// are equal only if they have the same enclosing operation.
//
// mlir-opt -cse
//   %1 = linalg.index 0 : index
//   %2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%arg1 : tensor<4xindex>) {
//   linalg.yield %1 : index
func.func @f(%o: tensor<4xindex>, %p: tensor<4xindex>) -> tensor<4xindex> {
  %c3 = arith.constant 3 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%o : tensor<4xindex>) {
  ^bb0(%x: index):
    %i = linalg.index 0 : index
    %q = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        outs(%p : tensor<4xindex>) {
    ^bb0(%y: index):
      %j = linalg.index 0 : index
      linalg.yield %j : index
    } -> tensor<4xindex>
    %last = tensor.extract %q[%c3] : tensor<4xindex>
    %sum = arith.addi %last, %i : index
    linalg.yield %sum : index
  } -> tensor<4xindex>
  return %r : tensor<4xindex>
}
