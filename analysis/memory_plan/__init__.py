"""Memory planning: offsets in one arena for buffers with known live ranges, with bounds on the optimum.

Begin with `planner.plan`; `lives` finds the buffers of a function, `order` and `recompute` change when they are live.
"""
