"""Dataflow analysis: one graph of program points, one solver, and the analyses that stand on them.

    graph      control flow of a whole program, through blocks, regions and calls
    solver     what an analysis is, and the solver
    live, integer_ranges, dead_code, memory    the analyses that come with the project
    catalog    them by name, for the command line

`docs/analyses.md` shows how to write one.
"""
