"""Greedy rewriting to a fixed point: folds, patterns, dead code elimination, constant uniquing.

`greedy.rewrite_greedily` is the driver; patterns edit the program through `rewriter.Rewriter`.
"""
