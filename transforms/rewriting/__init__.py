"""Rewriting to a fixed point: folds, patterns, removal of what is dead, uniquing of constants.

`greedy.rewrite_greedily` drives; `rewriter.Rewriter` is what patterns edit the program with.
"""
