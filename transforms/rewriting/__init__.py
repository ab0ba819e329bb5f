"""Greedy rewriting to a fixed point: folds, patterns, dead code elimination, constant uniquing.

`greedy.rewrite_greedily` drives; `rewriter.Rewriter` is what patterns edit the program with.
"""
