"""Analyses of a program, which they do not change. `one_shot.analyze` decides which operands are in place; the other packages cover
models, Datalog, dataflow, freeing, memory plans and fewest copies. docs/architecture.md describes how they work together.
"""
