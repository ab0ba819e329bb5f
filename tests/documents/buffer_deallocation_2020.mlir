func @func_on_tensors(%source: tensor<4xf32>) -> tensor<4xf32> {
%0 = mhlo.exp %source : (tensor<4xf32>) -> (tensor<4xf32>)
return %0 : tensor<4xf32>
}

// -----

func @func_on_buffers(%source: memref<4xf32>, %target: memref<4xf32>) {
%0 = alloc() : memref<4xf32>
lmhlo.exp %source, %0 : (memref<4xf32>, memref<4xf32>) -> ()
lmhlo.copy %0, %target : (memref<4xf32>, memref<4xf32>) -> ()
dealloc %0 : memref<4xf32>
return
}

// -----

func @func_on_tensors(%arg0: tuple<i1, f32>) -> (tuple<memref<10xf32>, tensor<5xf32>>) {
...
}

// -----

func @func_on_buffers(%arg0: i1, %arg1: f32, %target0: memref<10xf32>, %target1: memref<5xf32>) {
...
}

// -----

func @on_tensors(%arg1: tuple<i1, f32>) -> (tuple<memref<10xf32>, tensor<5xf32>>) {
...
}

// -----

func @on_buffers(%arg0: i1, %arg1: f32, %out: memref<5xf32>) -> memref<10xf32> {
...
}

// -----

func @on_buffers(%arg0: i1, %arg1: f32) -> (memref<10xf32>,memref<5xf32>) {
...
}

// -----

func @on_tensors(%arg0: tensor<5xf32>, %arg1: i1) -> (tensor<5xf32>, i1) {
return %arg0, %arg1 : tensor<5xf32>, i1
}

// -----

func @on_buffers(%arg0: memref<5xf32>, %arg1: i1, %out: memref<5xf32>) -> i1 {
linalg.copy(%arg0, %out) : memref<5xf32>, memref<5xf32>
return %arg1 : i1
}

// -----

func @callee(%arg0: tensor<5xf32>) -> (tensor<5xf32>) {
return %arg0 : tensor<5xf32>
}

func @caller(%arg0: tensor<5xf32>) -> tensor<5xf32> {
%x = call @callee(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
return %x : tensor<5xf32>
}

// -----

func @callee(%arg0: memref<5xf32>, %out: memref<5xf32>) {
linalg.copy(%arg0, %out) : memref<5xf32>, memref<5xf32>
return
}

func @caller(%arg0: memref<5xf32>, %out: memref<5xf32>) {
%0 = alloc() : memref<5xf32>
call @callee(%arg0, %0) : (memref<5xf32>, memref<5xf32>) -> ()
linalg.copy(%0, %out) : memref<5xf32>, memref<5xf32>
return
}

// -----

func @callee(%arg0: tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1> {
return %arg0 : tuple<tensor<5xf32>, i1>
}

func @caller(%arg0: tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1> {
%x = call @callee(%arg0) : (tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1>
return %x : tuple<tensor<5xf32>, i1>
}

// -----

func @callee(%arg0: memref<5xf32>, %arg1: i1, %arg2: memref<5xf32>) -> i1 {
%0 = "test.make_tuple"(%arg0, %arg1) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
%1 = "test.get_tuple_element"(%0) {index = 0 : i32} : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
%2 = "test.get_tuple_element"(%0) {index = 1 : i32} : (tuple<memref<5xf32>, i1>) -> i1
linalg.copy(%1, %arg2) : memref<5xf32>, memref<5xf32>
return %2 : i1
}
func @caller(%arg0: memref<5xf32>, %arg1: i1, %arg2: memref<5xf32>) -> i1 {
%0 = "test.make_tuple"(%arg0, %arg1) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
%1 = "test.get_tuple_element"(%0) {index = 0 : i32} : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
%2 = "test.get_tuple_element"(%0) {index = 1 : i32} : (tuple<memref<5xf32>, i1>) -> i1
%3 = alloc() : memref<5xf32>
%4 = call @callee(%1, %2, %3) : (memref<5xf32>, i1, memref<5xf32>) -> i1
%5 = "test.make_tuple"(%3, %4) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
%6 = "test.get_tuple_element"(%5) {index = 0 : i32} : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
%7 = "test.get_tuple_element"(%5) {index = 1 : i32} : (tuple<memref<5xf32>, i1>) -> i1
linalg.copy(%6, %arg2) : memref<5xf32>, memref<5xf32>
return %7 : i1
}

// -----

func @mixedAllocation(%arg0: i1) {
%0 = alloca() : memref<2xf32> // aliases: %2
%1 = alloc() : memref<2xf32> // aliases: %2
cond_br %arg0, ^bb1, ^bb2
^bb1:
use(%0)
br ^bb3(%0 : memref<2xf32>)
^bb2:
use(%1)
br ^bb3(%1 : memref<2xf32>)
^bb3(%2: memref<2xf32>):
...
}

// -----

func @condBranch(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
cond_br %arg0, ^bb1, ^bb2
^bb1:
br ^bb3(%arg1 : memref<2xf32>)
^bb2:
%0 = alloc() : memref<2xf32> // aliases: %1
use(%0)
br ^bb3(%0 : memref<2xf32>)
^bb3(%1: memref<2xf32>): // %1 could be %0 or %arg1
"linalg.copy"(%1, %arg2) : (memref<2xf32>, memref<2xf32>) -> ()
return
}

// -----

func @condBranch(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
%0 = alloc() : memref<2xf32> // moved to bb0
cond_br %arg0, ^bb1, ^bb2
^bb1:
br ^bb3(%arg1 : memref<2xf32>)
^bb2:
use(%0)
br ^bb3(%0 : memref<2xf32>)
^bb3(%1: memref<2xf32>):
"linalg.copy"(%1, %arg2) : (memref<2xf32>, memref<2xf32>) -> ()
return
}

// -----

func @condBranchDynamicType(
%arg0: i1,
%arg1: memref<?xf32>,
%arg2: memref<?xf32>,
%arg3: index) {
cond_br %arg0, ^bb1, ^bb2(%arg3: index)
^bb1:
br ^bb3(%arg1 : memref<?xf32>)
^bb2(%0: index):
%1 = alloc(%0) : memref<?xf32> // cannot be moved upwards to the data
// dependency to %0
use(%1)
br ^bb3(%1 : memref<?xf32>)
^bb3(%2: memref<?xf32>):
"linalg.copy"(%2, %arg2) : (memref<?xf32>, memref<?xf32>) -> ()
return
}

// -----

func @branch(%arg0: i1) {
%0 = alloc() : memref<2xf32> // aliases: %2
cond_br %arg0, ^bb1, ^bb2
^bb1:
%1 = alloc() : memref<2xf32> // resides here for demonstration purposes
// aliases: %2
br ^bb3(%1 : memref<2xf32>)
^bb2:
use(%0)
br ^bb3(%0 : memref<2xf32>)
^bb3(%2: memref<2xf32>):
…
return
}

// -----

func @branch(%arg0: i1) {
%0 = alloc() : memref<2xf32>
cond_br %arg0, ^bb1, ^bb2
^bb1:
%1 = alloc() : memref<2xf32>
%3 = alloc() : memref<2xf32> // temp copy for %1
"linalg.copy"(%1, %3) : (memref<2xf32>, memref<2xf32>) -> ()
dealloc %1 : memref<2xf32> // %1 can be safely freed here
br ^bb3(%3 : memref<2xf32>)
^bb2:
use(%0)
%4 = alloc() : memref<2xf32> // temp copy for %0
"linalg.copy"(%0, %4) : (memref<2xf32>, memref<2xf32>) -> ()
br ^bb3(%4 : memref<2xf32>)
^bb3(%2: memref<2xf32>):
…
dealloc %2 : memref<2xf32> // free temp buffer %2
dealloc %0 : memref<2xf32> // %0 can be safely freed here
return
}

// -----

func @condBranchDynamicType(
%arg0: i1,
%arg1: memref<?xf32>,
%arg2: memref<?xf32>,
%arg3: index) {
cond_br %arg0, ^bb1, ^bb2(%arg3: index)
^bb1:
br ^bb3(%arg1 : memref<?xf32>)
^bb2(%0: index):
%1 = alloc(%0) : memref<?xf32> // aliases: %2
use(%1)
br ^bb3(%1 : memref<?xf32>)
^bb3(%2: memref<?xf32>):
"linalg.copy"(%2, %arg2) : (memref<?xf32>, memref<?xf32>) -> ()
return
}

// -----

func @condBranchDynamicType(
%arg0: i1,
%arg1: memref<?xf32>,
%arg2: memref<?xf32>,
%arg3: index) {
cond_br %arg0, ^bb1, ^bb2(%arg3 : index)
^bb1:
%c0 = constant 0 : index
%0 = dim %arg1, %c0 : memref<?xf32> // dimension operation to parameterize
// the following temp allocation
%1 = alloc(%0) : memref<?xf32>
"linalg.copy"(%arg1, %1) : (memref<?xf32>, memref<?xf32>) -> ()
br ^bb3(%1 : memref<?xf32>)
^bb2(%2: index):
%3 = alloc(%2) : memref<?xf32>
use(%3)
%c0_0 = constant 0 : index
%4 = dim %3, %c0_0 : memref<?xf32> // dimension operation to parameterize
// the following temp allocation
%5 = alloc(%4) : memref<?xf32>
"linalg.copy"(%3, %5) : (memref<?xf32>, memref<?xf32>) -> ()
dealloc %3 : memref<?xf32> // %3 can be safely freed here
br ^bb3(%5 : memref<?xf32>)
^bb3(%6: memref<?xf32>):
"linalg.copy"(%6, %arg2) : (memref<?xf32>, memref<?xf32>) -> ()
dealloc %6 : memref<?xf32> // %6 can be safely freed here
return
}

// -----

func @condBranchDynamicTypeNested(
%arg0: i1,
%arg1: memref<?xf32>, // aliases: %3, %4
%arg2: memref<?xf32>,
%arg3: index) {
cond_br %arg0, ^bb1, ^bb2(%arg3: index)
^bb1:
br ^bb6(%arg1 : memref<?xf32>)
^bb2(%0: index):
%1 = alloc(%0) : memref<?xf32> // cannot be moved upwards due to the data
// dependency to %0
// aliases: %2, %3, %4
use(%1)
cond_br %arg0, ^bb3, ^bb4
^bb3:
br ^bb5(%1 : memref<?xf32>)
^bb4:
br ^bb5(%1 : memref<?xf32>)
^bb5(%2: memref<?xf32>): // non-crit. alias of %1, since %1 dominates %2
br ^bb6(%2 : memref<?xf32>)
^bb6(%3: memref<?xf32>): // crit. alias of %arg1 and %2 (in other words %1)
br ^bb7(%3 : memref<?xf32>)
^bb7(%4: memref<?xf32>): // non-crit. alias of %3, since %3 dominates %4
"linalg.copy"(%4, %arg2) : (memref<?xf32>, memref<?xf32>) -> ()
return
}

// -----

func @condBranchDynamicTypeNested(
%arg0: i1,
%arg1: memref<?xf32>,
%arg2: memref<?xf32>,
%arg3: index) {
cond_br %arg0, ^bb1, ^bb2(%arg3 : index)
^bb1:
%c0 = constant 0 : index
%d0 = dim %arg1, %c0 : memref<?xf32>
%5 = alloc(%d0) : memref<?xf32> // temp buffer required due to alias %3
"linalg.copy"(%arg1, %5) : (memref<?xf32>, memref<?xf32>) -> ()
br ^bb6(%5 : memref<?xf32>)
^bb2(%0: index):
%1 = alloc(%0) : memref<?xf32>
use(%1)
cond_br %arg0, ^bb3, ^bb4
^bb3:
br ^bb5(%1 : memref<?xf32>)
^bb4:
br ^bb5(%1 : memref<?xf32>)
^bb5(%2: memref<?xf32>):
%c0_0 = constant 0 : index
%d1 = dim %2, %c0_0 : memref<?xf32>
%6 = alloc(%d1) : memref<?xf32> // temp buffer required due to alias %3
"linalg.copy"(%1, %6) : (memref<?xf32>, memref<?xf32>) -> ()
dealloc %1 : memref<?xf32>
br ^bb6(%6 : memref<?xf32>)
^bb6(%3: memref<?xf32>):
br ^bb7(%3 : memref<?xf32>)
^bb7(%4: memref<?xf32>):
"linalg.copy"(%4, %arg2) : (memref<?xf32>, memref<?xf32>) -> ()
dealloc %3 : memref<?xf32> // free %3, since %4 is a non-crit. alias of %3
return
}

// -----

func @inner_region_control_flow(
%arg0 : index,
%arg1 : index) -> memref<?x?xf32> {
%0 = alloc(%arg0, %arg0) : memref<?x?xf32>
%1 = custom.region_if %0 : memref<?x?xf32> -> (memref<?x?xf32>)
then(%arg2 : memref<?x?xf32>) { // aliases: %arg4, %1
custom.region_if_yield %arg2 : memref<?x?xf32>
} else(%arg3 : memref<?x?xf32>) { // aliases: %arg4, %1
custom.region_if_yield %arg3 : memref<?x?xf32>
} join(%arg4 : memref<?x?xf32>) { // aliases: %1
custom.region_if_yield %arg4 : memref<?x?xf32>
}
return %1 : memref<?x?xf32>
}

// -----

func @nested_region_control_flow(%arg0 : index, %arg1 : index) -> memref<?x?xf32> {
%0 = cmpi "eq", %arg0, %arg1 : index
%1 = alloc(%arg0, %arg0) : memref<?x?xf32>
%2 = scf.if %0 -> (memref<?x?xf32>) {
scf.yield %1 : memref<?x?xf32> // %2 will be an alias of %1
} else {
%3 = alloc(%arg0, %arg1) : memref<?x?xf32> // nested allocation in a div.
// branch
use(%3)
scf.yield %1 : memref<?x?xf32> // %2 will be an alias of %1
}
return %2 : memref<?x?xf32>
}

// -----

func @nested_region_control_flow(%arg0: index, %arg1: index) -> memref<?x?xf32> {
%0 = cmpi "eq", %arg0, %arg1 : index
%1 = alloc(%arg0, %arg0) : memref<?x?xf32>
%2 = scf.if %0 -> (memref<?x?xf32>) {
scf.yield %1 : memref<?x?xf32>
} else {
%3 = alloc(%arg0, %arg1) : memref<?x?xf32>
use(%3)
dealloc %3 : memref<?x?xf32> // %3 can be safely freed here
scf.yield %1 : memref<?x?xf32>
}
return %2 : memref<?x?xf32>
}

// -----

func @inner_region_control_flow_div(
%arg0 : index,
%arg1 : index) -> memref<?x?xf32> {
%0 = alloc(%arg0, %arg0) : memref<?x?xf32>
%1 = custom.region_if %0 : memref<?x?xf32> -> (memref<?x?xf32>)
then(%arg2 : memref<?x?xf32>) { // aliases: %arg4, %1
custom.region_if_yield %arg2 : memref<?x?xf32>
} else(%arg3 : memref<?x?xf32>) {
%2 = alloc(%arg0, %arg1) : memref<?x?xf32> // aliases: %arg4, %1
custom.region_if_yield %2 : memref<?x?xf32>
} join(%arg4 : memref<?x?xf32>) { // aliases: %1
custom.region_if_yield %arg4 : memref<?x?xf32>
}
return %1 : memref<?x?xf32>
}

// -----

func @inner_region_control_flow_div(
%arg0 : index,
%arg1 : index) -> memref<?x?xf32> {
%0 = alloc(%arg0, %arg0) : memref<?x?xf32>
%1 = custom.region_if %0 : memref<?x?xf32> -> (memref<?x?xf32>)
then(%arg2 : memref<?x?xf32>) {
%c0 = constant 0 : index // determine dimension extents for temp allocation
%2 = dim %arg2, %c0 : memref<?x?xf32>
%c1 = constant 1 : index
%3 = dim %arg2, %c1 : memref<?x?xf32>
%4 = alloc(%2, %3) : memref<?x?xf32> // temp buffer required due to critic.
// alias %arg4
linalg.copy(%arg2, %4) : memref<?x?xf32>, memref<?x?xf32>
custom.region_if_yield %4 : memref<?x?xf32>
} else(%arg3 : memref<?x?xf32>) {
%2 = alloc(%arg0, %arg1) : memref<?x?xf32>
%c0 = constant 0 : index // determine dimension extents for temp allocation
%3 = dim %2, %c0 : memref<?x?xf32>
%c1 = constant 1 : index
%4 = dim %2, %c1 : memref<?x?xf32>
%5 = alloc(%3, %4) : memref<?x?xf32> // temp buffer required due to critic.
// alias %arg4
linalg.copy(%2, %5) : memref<?x?xf32>, memref<?x?xf32>
dealloc %2 : memref<?x?xf32>
custom.region_if_yield %5 : memref<?x?xf32>
} join(%arg4: memref<?x?xf32>) {
%c0 = constant 0 : index // determine dimension extents for temp allocation
%2 = dim %arg4, %c0 : memref<?x?xf32>
%c1 = constant 1 : index
%3 = dim %arg4, %c1 : memref<?x?xf32>
%4 = alloc(%2, %3) : memref<?x?xf32> // this allocation will be removed by
// applying the copy removal pass
linalg.copy(%arg4, %4) : memref<?x?xf32>, memref<?x?xf32>
dealloc %arg4 : memref<?x?xf32>
custom.region_if_yield %4 : memref<?x?xf32>
}
dealloc %0 : memref<?x?xf32> // %0 can be safely freed here
return %1 : memref<?x?xf32>
}

// -----

func @loop_nested_if(
%lb: index,
%ub: index,
%step: index,
%buf: memref<2xf32>,
%res: memref<2xf32>) {
%0 = scf.for %i = %lb to %ub step %step
iter_args(%iterBuf = %buf) -> memref<2xf32> {
%1 = cmpi "eq", %i, %ub : index
%2 = scf.if %1 -> (memref<2xf32>) {
%3 = alloc() : memref<2xf32> // makes %2 a critical alias due to a
// divergent allocation
use(%3)
scf.yield %3 : memref<2xf32>
} else {
scf.yield %iterBuf : memref<2xf32>
}
scf.yield %2 : memref<2xf32>
}
"linalg.copy"(%0, %res) : (memref<2xf32>, memref<2xf32>) -> ()
return
}

// -----

func @loop_nested_if(
%lb: index,
%ub: index,
%step: index,
%buf: memref<2xf32>,
%res: memref<2xf32>) {
%4 = alloc() : memref<2xf32>
"linalg.copy"(%buf, %4) : (memref<2xf32>, memref<2xf32>) -> ()
%0 = scf.for %i = %lb to %ub step %step
iter_args(%iterBuf = %4) -> memref<2xf32> {
%1 = cmpi "eq", %i, %ub : index
%2 = scf.if %1 -> (memref<2xf32>) {
%3 = alloc() : memref<2xf32> // makes %2 a critical alias
use(%3)
%5 = alloc() : memref<2xf32> // temp copy due to crit. alias %2
"linalg.copy"(%3, %5) : memref<2xf32>, memref<2xf32>
dealloc %3 : memref<2xf32>
scf.yield %5 : memref<2xf32>
} else {
%6 = alloc() : memref<2xf32> // temp copy due to crit. alias %2
"linalg.copy"(%iterBuf, %6) : memref<2xf32>, memref<2xf32>
scf.yield %6 : memref<2xf32>
}
%7 = alloc() : memref<2xf32> // temp copy due to crit. alias %iterBuf
"linalg.copy"(%2, %7) : memref<2xf32>, memref<2xf32>
dealloc %2 : memref<2xf32>
dealloc %iterBuf : memref<2xf32> // free backedge iteration variable
scf.yield %7 : memref<2xf32>
}
"linalg.copy"(%0, %res) : (memref<2xf32>, memref<2xf32>) -> ()
dealloc %0 : memref<2xf32> // free temp copy %0
return
}

// -----

func @dynamic_allocation(%arg0: index, %arg1: index) -> memref<?x?xf32> {
%7 = alloc(%arg0, %arg1) : memref<?x?xf32>
%c0_0 = constant 0 : index
%8 = dim %7, %c0_0 : memref<?x?xf32>
%c1_1 = constant 1 : index
%9 = dim %7, %c1_1 : memref<?x?xf32>
%10 = alloc(%8, %9) : memref<?x?xf32>
linalg.copy(%7, %10) : memref<?x?xf32>, memref<?x?xf32>
dealloc %7 : memref<?x?xf32>
return %10 : memref<?x?xf32>
}

// -----

func @dynamic_allocation(%arg0: index, %arg1: index) -> memref<?x?xf32> {
%7 = alloc(%arg0, %arg1) : memref<?x?xf32>
%c0_0 = constant 0 : index
%8 = dim %7, %c0_0 : memref<?x?xf32>
%c1_1 = constant 1 : index
%9 = dim %7, %c1_1 : memref<?x?xf32>
return %7 : memref<?x?xf32>
}

// -----

#map0 = affine_map<(d0) -> (d0)>
func @reuseTarget(%arg0: memref<2xf32>, %result: memref<2xf32>){
%temp = alloc() : memref<2xf32>
linalg.generic {
args_in = 1 : i64,
args_out = 1 : i64,
indexing_maps = [#map0, #map0],
iterator_types = ["parallel"]} %arg0, %temp {
^bb0(%gen2_arg0: f32, %gen2_arg1: f32):
%tmp2 = exp %gen2_arg0 : f32
linalg.yield %tmp2 : f32
}: memref<2xf32>, memref<2xf32>
"linalg.copy"(%temp, %result) : (memref<2xf32>, memref<2xf32>) -> ()
dealloc %temp : memref<2xf32>
return
}

// -----

#map0 = affine_map<(d0) -> (d0)>
func @reuseTarget(%arg0: memref<2xf32>, %result: memref<2xf32>){
linalg.generic {
args_in = 1 : i64,
args_out = 1 : i64,
indexing_maps = [#map0, #map0],
iterator_types = ["parallel"]} %arg0, %result {
^bb0(%gen2_arg0: f32, %gen2_arg1: f32):
%tmp2 = exp %gen2_arg0 : f32
linalg.yield %tmp2 : f32
}: memref<2xf32>, memref<2xf32>
return
}
