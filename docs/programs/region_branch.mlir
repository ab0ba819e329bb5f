// Control flow between regions: test.region_if runs its first or its second region and then the third.
// The second one makes a buffer, so what the third receives is not always the same one.
func.func @region_branch(%arg0: index, %arg1: index) -> memref<?x?xf32> {
  %0 = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
  %1 = test.region_if %0 : memref<?x?xf32> -> (memref<?x?xf32>) then {
  ^bb0(%arg2: memref<?x?xf32>):
    test.region_if_yield %arg2 : memref<?x?xf32>
  } else {
  ^bb0(%arg3: memref<?x?xf32>):
    %2 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
    test.region_if_yield %2 : memref<?x?xf32>
  } join {
  ^bb0(%arg4: memref<?x?xf32>):
    test.region_if_yield %arg4 : memref<?x?xf32>
  }
  return %1 : memref<?x?xf32>
}
