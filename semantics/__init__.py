"""Semantics of operations, said once for every engine.

    scalars     numbers: one equation an operation
    rules       `lhs => rhs`: what an expression is equal to, as text
    folds       what an operation is equal to, found by looking at it and at the constants among its operands
    tensors     what creating, reshaping, joining, padding, extracting and inserting mean, over any domain
    integers    linear forms over index values, and their bounds
    boxes       offsets, sizes and strides: disjoint, contained, the same, all of it

An equation is written for no engine. The interpreter applies it to numbers and arrays of numbers, folds and the prover to constants.
"""
