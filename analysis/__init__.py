"""What holds in a program, without changing it. `one_shot.analyze` decides what is in place; other packages are on models,
Datalog, dataflow, freeing, memory plans and fewest copies. docs/architecture.md shows the way through.
"""
