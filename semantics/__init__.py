"""Semantics of operations, defined once for every engine (interpreter, folder, prover).

    scalars     integer and float arithmetic: one equation per operation
    folds       folds of operations; `folds/rules` has rewrite rules `lhs => rhs` as text
    tensors     creating, reshaping, concatenating, padding, extracting and inserting tensors, over any domain
    integers    linear forms over index values, and their bounds
    intervals   interval arithmetic: one rule per integer operation, and per operation of affine expressions
    control     branches and loops: which regions run, over which bounds, over any domain
    boxes       offsets, sizes and strides: disjoint, contained, equal, covering

Equations are independent of engines: the interpreter applies them to numbers and arrays, folds and the prover to constants.
"""
